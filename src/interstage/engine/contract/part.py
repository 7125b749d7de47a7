"""The base class of every effect: its name, its declared numbers, and its loads at one time.

A subclass overrides only the methods that it needs. An effect with a state, events or moving mass also
derives from a capability of this package, for example `class EddyDampers(HasState, HasEvents)`.

Data that an effect keeps are found by its name: its state in `state.StateForm.own`, its switches in
`state.Discrete.own`, its values from the initial pose in `state.Reference.own`, and its prepared numbers in
`numbers.Numbers.own`. Each is a tree of arrays with the cases last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from ..body_loads import loads_of

if TYPE_CHECKING:
    from ..here import Here
    from ..layout import Layout
    from ..mechanism import Mechanism
    from ..quantity import Quantity
    from ..state import Discrete

Makers = Mapping[str, "Callable[[], dict[str, Quantity]]"]
"""Functions that make the quantities of each item, by the path of the item, for example "devices.spring"."""


class Break(NamedTuple):
    """Times at which a law is not smooth.

    times: [s] (any, *cases), or with case axes of size one. kind:

    - "corner": the law bends. A step ends there.
    - "kink": the accelerations jump because the law bends. A step ends just before and just after.
    - "jump": the law jumps. A step ends just before and just after.
    - "jump at event": the law jumps at an event, or at a time that is also a kink. Steps end there anyway."""

    times: Any
    kind: Literal["corner", "kink", "jump", "jump at event"]


class Part:
    """All items of one effect in a scenario, for example all springs.

    A part is made for a structure (`layout`), before any number is known. `layout`, `which` and `items` are
    provided; an effect defines the other members as needed."""

    name: ClassVar[str]
    """Name by which other parts find it."""
    group: ClassVar[str] = ""
    """Group of the scenario that contains its declarations, for example "devices"."""
    kinds: ClassVar[tuple[type, ...]] = ()
    """Classes of its declarations."""

    def __init__(self, layout: Layout):
        self.layout = layout

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Return whether a scenario has any item of this part; other parts are left out of the program."""
        return any(isinstance(one, cls.kinds) for one in getattr(layout.scenario, cls.group))

    @cached_property
    def which(self) -> tuple[int, ...]:
        """Indices of its declarations in their group."""
        group = getattr(self.layout.scenario, self.group)
        return tuple(k for k, one in enumerate(group) if isinstance(one, self.kinds))

    @cached_property
    def items(self) -> tuple[Any, ...]:
        """Its declarations in order. Read no number of them: numbers come from `of` and `numbers`."""
        return self.of(self.layout.scenario)

    def of(self, scenario: Any) -> tuple[Any, ...]:
        """Return its declarations in `scenario`, which has the structure of `layout` and other numbers."""
        group = getattr(scenario, self.group)
        return tuple(group[k] for k in self.which)

    # --- numbers

    def numbers(self, scenario: Any, stacked: Any, lanes: int) -> Any:
        """Return its declared numbers, prepared for the equations. Default: `stack_numbers`.

        scenario: has the structure of `layout`; its leaves have `lanes` (0 or 1) case axes. stacked: the
        arrays of `Stacked.stack_numbers`, None for a part without."""
        return stacked

    def with_centres(self, own: Any, centre: Any) -> Any:
        """Return its numbers `own` with the values that depend on the centres of mass.

        centre: (3, body, *cases) [m], structural coordinates; attachment nodes follow the bodies and the
        ground. Default: `own`."""
        return own

    # --- one instant

    def find(self, here: Here) -> Any:
        """Return its results at an instant. Other methods, quantities and parts read them as `here[name]`."""
        return None

    def wrench(self, here: Here) -> Any:
        """Return its loads on all bodies (6, body and ground, *cases), or None for none.

        Rows 0 to 2: forces [N], inertial axes. Rows 3 to 5: torques about the centres of mass [N m], body
        axes. Loads on attachment nodes follow those on the ground."""
        return None

    def force(self, here: Here) -> Any:
        """Return the forces of `wrench` alone (3, body and ground, *cases), for point-mass flights.

        Define it where forces alone cost less. Default: the first three rows of `wrench`."""
        share = self.wrench(here)
        return None if share is None else loads_of(self, share, here.equations.layout.count, here)[:3]

    def stored_energy(self, here: Here) -> Any:
        """Return the energy that it stores and can return [J] (*cases), or None for none."""
        return None

    # --- smoothness, quantities, checks

    def kink_locations(self, here: Here) -> Iterable[Any]:
        """Yield the location of each variable among the kinks of its law, (*cases) each.

        See `stepper.problem.Hybrid.among`."""
        return ()

    def breaks(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterable[Break]:
        """Yield the times at which its laws are not smooth."""
        return ()

    def quantities(self) -> Makers:
        """Return its quantities, none for an item whose names are missing in this structure.

        It may add quantities to a body or a mass item."""
        return {}

    def start_problems(self, start: Any) -> Iterable[Any]:
        """Yield the problems of a start (`starts.start.Start`) of one case."""
        return ()
