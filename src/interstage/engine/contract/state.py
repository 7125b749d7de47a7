"""Capabilities of effects that keep data: continuous states, switches, values from the initial pose."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ..answers import missing
from ..by_name import by_name, of_items
from .part import Part

if TYPE_CHECKING:
    from ..here import Here
    from ..mechanism import Mechanism
    from ..state import Discrete
    from .events import Fired


class Kept(NamedTuple):
    """What a part keeps during a flight: its states and its switches, cases last."""

    state: Any
    switches: Any


class Persistent(Part):
    """Base of parts whose states or switches continue from leg to leg of a mission."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of its states, by which a later leg finds them."""
        return ()

    def continue_from(self, earlier: Persistent, before: Kept, fresh: Kept, discrete: Discrete) -> Kept:
        """Return its states and switches at the start of a leg.

        `earlier`: the same part in the leg before; `before`: its values at the end of that leg. `fresh`: the
        values at the start of a flight. `discrete`: the switches at the end of the leg before. Default:
        states by `labels`; switches by the names of `items` if every array has the items first, otherwise
        `fresh`."""
        state = by_name(self.labels, earlier.labels, before.state, fresh.state)
        return Kept(state, of_items(self, earlier, before.switches, fresh.switches))


class HasState(Persistent):
    """A part with continuous states, for example the heat of a damper."""

    state_description: ClassVar[str] = ""
    """What its states are, in words: "propellant left in tanks"."""
    states: int = 0
    """Number of its states."""
    restarts: bool = False
    """Whether the states restart as declared if bodies start from a saved flight; a note reports it."""

    def initial_states(self, mechanism: Mechanism, discrete: Discrete, lanes: tuple[int, ...]) -> Any:
        """Return its states at the start as declared, (`states`, *cases). Default: zeros."""
        return np.zeros((self.states, *lanes))

    def consistent_states(self, here: Here) -> Any:
        """Return its states if they follow from the consistent start, or None to keep `initial_states`."""
        return None

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Return the rates of its states (`states`, *cases). acceleration: of bodies (6, body, *cases)."""
        raise missing(self, "rates")

    def normalize(self, mechanism: Mechanism, x: Any) -> Any:
        """Return its states in x, restored to the constraints that they obey, or None if there are none."""
        return None

    def sizes(self, mechanism: Mechanism) -> Any:
        """Return the magnitude of each state (`states`, *cases) below which the tolerance is absolute.

        None stands for 1 of each, in SI units."""
        return None

    def kick(self, own: Any, rates: Any, h: Any) -> Any:
        """Return its states moved by h [s] with `rates`, except positions that `drift` moves.

        For formulations with steps of their own. Default: no state is a position. The order of the steps is
        the same, but the energy of an oscillation then grows."""
        return own + h * rates

    def drift(self, own: Any, fast: Any, h: Any) -> Any:
        """Return its states with the positions moved by h [s] with the velocities in `fast`."""
        return own

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of its states: the same number for each of its `items`, one item after the other."""
        items = self.items if self.group and self.states else ()
        each, left = divmod(self.states, len(items)) if items else (0, self.states)
        if left:  # known only as a whole
            return tuple(f"{self.states}.{k}" for k in range(self.states))
        return tuple(f"{item.name}.{k}" for item in items for k in range(each))

    def dropped_notes(
        self, here: Here, other: Part | None, bodies: Collection[str], begins: bool
    ) -> Iterable[str]:
        """Yield a sentence for each item that a leg drops, or adds if `begins`, with its energy or size.

        other: the part in the other leg, None if that has none. bodies: names of those in both legs."""
        return ()


class HasSwitches(Persistent):
    """A part with switches: values that change at events only."""

    def switches(self, mechanism: Mechanism, t: Any) -> Any:
        """Return its switches at the start. t: times [s] (*cases)."""
        return None

    def apply_events(
        self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired
    ):
        """Return state and switches after events, before released or captured bodies change velocity."""
        return x, after


class HasReference(Part):
    """A part with values that follow from the initial pose of the bodies, for example a free length."""

    def reference_values(self, mechanism: Mechanism, motion: Any) -> Any:
        """Return these values, for bodies that start with `motion`."""
        return None

    def continue_reference(self, earlier: Part, before: Any, fresh: Any) -> Any:
        """Return these values as a leg begins. before: those of the leg before. fresh: from its own pose.

        Default: by the names of `items` if every array has the items first, otherwise `fresh`."""
        return of_items(self, earlier, before, fresh)


class ChecksStart(Part):
    """A part that examines the starts of many cases at once, before `start_problems` looks at single ones."""

    def start_values(self, mechanism: Mechanism, motion: Any) -> Any:
        """Return the values of a start to examine; a tree of arrays."""
        return None

    def doubtful_cases(self, start: Any, found: Any) -> Any:
        """Return the cases in which `start_problems` may find a problem (cases,), or None for none.

        found: the result of `start_values`."""
        return None


class Stacked(Part):
    """A part that stacks the declared numbers of all items, so that a program has few arguments."""

    def stack_numbers(self, scenario: Any, lanes: int) -> Any:
        """Return its declared numbers as arrays (component, item, *cases); see `stacks`."""
        return None
