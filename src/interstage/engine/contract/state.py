"""Capabilities of models that store data: continuous states, switches, and values from the initial pose."""

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
    """States and switches of one model.

    state: (`states`, *cases). switches: tree of arrays (..., *cases).
    """

    state: Any
    switches: Any


class Persistent(Part):
    """Base class of a model with states or switches that continue from one mission leg to the next."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the names of the states. A later mission leg finds the states by these names. Default: no
        names.
        """
        return ()

    def continue_from(self, earlier: Persistent, before: Kept, fresh: Kept, discrete: Discrete) -> Kept:
        """Return the states and switches of this model at the start of a leg.

        - earlier: this model in the preceding leg.
        - before: states and switches at the end of the preceding leg.
        - fresh: states and switches at the start of a flight.
        - discrete: switches of all models at the end of the preceding leg.

        Default: states with equal `labels` continue. Switches of items with equal names continue, if the
        first axis of every array is the item; otherwise the result has the switches of `fresh`."""
        state = by_name(self.labels, earlier.labels, before.state, fresh.state)
        return Kept(state, of_items(self, earlier, before.switches, fresh.switches))


class HasState(Persistent):
    """Base class of a model with continuous states, for example the heat of a damper."""

    state_description: ClassVar[str] = ""
    """Description of the states for messages, for example "propellant left in tanks"."""
    states: int = 0
    """Number of states. Default: 0."""
    restarts: bool = False
    """Whether the states restart as declared if bodies start from a saved flight. A note then reports the
    restart.

    Default: False."""

    def initial_states(self, mechanism: Mechanism, discrete: Discrete, lanes: tuple[int, ...]) -> Any:
        """Return the declared initial states (`states`, *cases). `lanes`: shape of the case axes. Default:
        zeros."""
        return np.zeros((self.states, *lanes))

    def consistent_states(self, here: Here) -> Any:
        """Return the initial states (`states`, *cases) that follow from the consistent initial motion of the
        bodies.

        Default: None, `initial_states` remain."""
        return None

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Return the rates of change of the states (`states`, *cases).

        acceleration: accelerations of the bodies (6, body, *cases). Every model with states must define this
        method."""
        raise missing(self, "rates")

    def normalize(self, mechanism: Mechanism, x: Any) -> Any:
        """Return the states of this model in x, corrected to meet their constraints. Default: None, no
        constraints."""
        return None

    def sizes(self, mechanism: Mechanism) -> Any:
        """Return for each state the magnitude (`states`, *cases) below which the integration tolerance is
        absolute.

        Default: None, a magnitude of 1 in the SI unit of each state."""
        return None

    def kick(self, own: Any, rates: Any, h: Any) -> Any:
        """Return the states of this model after a step of h [s] with `rates`. States that `drift` moves do
        not change.

        Formulations with their own integration steps use this method. Default: all states change. Without a
        separate `drift`, the order of accuracy is the same, but the energy of an oscillation grows.
        """
        return own + h * rates

    def drift(self, own: Any, fast: Any, h: Any) -> Any:
        """Return the states of this model with positions moved by h [s] at the velocities in `fast`. Default:
        no change.

        own, fast: states of this model (`states`, *cases).
        """
        return own

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the names of the states: the same number of states for each item, ordered by item."""
        items = self.items if self.group and self.states else ()
        each, left = divmod(self.states, len(items)) if items else (0, self.states)
        if left:  # known only as a whole
            return tuple(f"{self.states}.{k}" for k in range(self.states))
        return tuple(f"{item.name}.{k}" for item in items for k in range(each))

    def dropped_notes(
        self, here: Here, other: Part | None, bodies: Collection[str], begins: bool
    ) -> Iterable[str]:
        """Yield a sentence for each item that a mission leg removes or adds, with its energy or size.
        Default: none.

        - other: this model in the other leg, or None.
        - bodies: names of the bodies present in both legs.
        - begins: true for items that the leg adds."""
        return ()


class HasSwitches(Persistent):
    """Base class of a model with switches: values that change only at events."""

    def switches(self, mechanism: Mechanism, t: Any) -> Any:
        """Return the initial switches of this model: a tree of arrays (..., *cases). t: initial times [s]
        (*cases).
        """
        return None

    def apply_events(
        self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired
    ):
        """Return (state x, switches) after the events at time t [s]. Default: no change.

        The engine calls this method before the velocities of released or captured bodies change. before,
        after: switches of all models before and after the events. fired: events that occur."""
        return x, after


class HasReference(Part):
    """Base class of a model with values computed from the initial pose of the bodies, for example a free
    length."""

    def reference_values(self, mechanism: Mechanism, motion: Any) -> Any:
        """Return the values that follow from the initial pose: a tree of arrays (..., *cases).

        motion: positions, attitudes and velocities of the bodies at the start."""
        return None

    def continue_reference(self, earlier: Part, before: Any, fresh: Any) -> Any:
        """Return the reference values at the start of a leg of a mission.

        - before: reference values of the preceding leg.
        - fresh: reference values from the initial pose of this leg. Default: values of items with equal names
          continue, if the first axis of every array is the item; otherwise `fresh`."""
        return of_items(self, earlier, before, fresh)


class ChecksStart(Part):
    """Base class of a model that screens the initial states of many cases in one call.

    The engine then calls `start_problems` only for the selected cases."""

    def start_values(self, mechanism: Mechanism, motion: Any) -> Any:
        """Return a tree of arrays (..., *cases): the values of an initial state that `doubtful_cases`
        examines."""
        return None

    def doubtful_cases(self, start: Any, found: Any) -> Any:
        """Return whether `start_problems` may find a problem in each case (cases,), bool. Default: None (no
        case has a problem).

        found: result of `start_values`."""
        return None


class Stacked(Part):
    """Base class of a model that stacks the values of all its items, so that a program has few arguments."""

    def stack_numbers(self, scenario: Any, lanes: int) -> Any:
        """Return the declared values of all items as arrays (component, item, *cases). Default: None.

        See module `stacks`."""
        return None
