"""Base class of every model: name, declared values, and loads at one time.

A subclass overrides only the methods that it needs. A model with a state, events or changing mass also
inherits a capability class, for example `class EddyDampers(HasState, HasEvents)`.

The engine stores the data of a model under the name of the model: states in `state.StateForm.own`, switches
in `state.Discrete.own`. Values from the initial pose are in `state.Reference.own`, and prepared values in
`numbers.Numbers.own`. All arguments and results are trees of arrays with the case axes last."""

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
"""Functions that return the quantities of each item, by the path of the item, for example
"devices.spring"."""


class Break(NamedTuple):
    """Times at which the law of a model is not smooth.

    - times: times [s] (any number, *cases); case axes can have size one.
    - kind: type of the break, and its effect on integration steps:

    - "corner": the slope of the load jumps. A step ends at this time.
    - "kink": the slope of the law jumps, and therefore the accelerations jump. Steps end just before and just
      after this time.
    - "jump": the load jumps. Steps end just before and just after this time.
    - "jump at event": the load jumps at an event or at a kink, where steps end in any case."""

    times: Any
    kind: Literal["corner", "kink", "jump", "jump at event"]


class Part:
    """Base class of a model of one physical effect; the object covers all items, for example all springs.

    The engine creates the object from the structure of a scenario (`layout`), before values are known. The
    base class provides `layout`, `which` and `items`."""

    name: ClassVar[str]
    """Name of the model, by which other models read its results."""
    group: ClassVar[str] = ""
    """Group of the scenario that contains the declarations of the model, for example "devices"."""
    kinds: ClassVar[tuple[type, ...]] = ()
    """Classes of the declarations of the model."""

    def __init__(self, layout: Layout):
        self.layout = layout

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Return whether a scenario has an item of this model. If not, the program does not contain the
        model.
        """
        return any(isinstance(one, cls.kinds) for one in getattr(layout.scenario, cls.group))

    @cached_property
    def which(self) -> tuple[int, ...]:
        """Return the indices of the declarations of this model among all declarations of their group."""
        group = getattr(self.layout.scenario, self.group)
        return tuple(k for k, one in enumerate(group) if isinstance(one, self.kinds))

    @cached_property
    def items(self) -> tuple[Any, ...]:
        """Return the declarations of this model in order. The values of the declarations may be placeholders:
        read values with `of` and `numbers`.
        """
        return self.of(self.layout.scenario)

    def of(self, scenario: Any) -> tuple[Any, ...]:
        """Return the declarations of this model in a scenario with the structure of `layout` and other
        values.
        """
        group = getattr(scenario, self.group)
        return tuple(group[k] for k in self.which)

    # --- numbers

    def numbers(self, scenario: Any, stacked: Any, lanes: int) -> Any:
        """Return the declared values of this model, prepared for the equations. Default: `stacked`.

        - scenario: scenario with the structure of `layout`.
        - `lanes`: number of case axes of its values, 0 or 1.
        - stacked: result of `Stacked.stack_numbers`, or None if the model is not `Stacked`."""
        return stacked

    def with_centres(self, own: Any, centre: Any) -> Any:
        """Return the prepared values `own` of this model, updated for the current centres of mass. Default:
        `own`.

        centre (3, column, *cases): centres of mass in structural coordinates [m]. The columns are the bodies,
        the ground if anything is attached to it, and attachment nodes.
        """
        return own

    # --- one instant

    def find(self, here: Here) -> Any:
        """Return the results of this model at one time. Default: None.

        Other methods, quantities and models read the results as `here[name]`."""
        return None

    def wrench(self, here: Here) -> Any:
        """Return the loads of this model on all bodies (6, column, *cases). Default: None, no loads.

        Rows 0 to 2: forces [N] in inertial axes. Rows 3 to 5: torques [N m] about the centres of mass, in
        body axes.
        Columns: bodies, ground, then optionally attachment nodes of flexible bodies."""
        return None

    def force(self, here: Here) -> Any:
        """Return only the forces [N] of this model, inertial axes (3, column, *cases), for point-mass
        flights.

        Override this method if forces alone need less computation. Default: the first three rows of
        `wrench`."""
        share = self.wrench(here)
        return None if share is None else loads_of(self, share, here.equations.layout.count, here)[:3]

    def stored_energy(self, here: Here) -> Any:
        """Return the elastic or other recoverable energy that this model stores [J] (*cases). Default: None,
        no energy."""
        return None

    # --- smoothness, quantities, checks

    def kink_locations(self, here: Here) -> Iterable[Any]:
        """Yield for each variable of the law its position among the kinks of the law (*cases).

        Integer positions are kinks; see `stepper.problem.Hybrid.among`. Default: no variables.
        """
        return ()

    def breaks(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterable[Break]:
        """Yield the times at which the law of this model is not smooth. Default: no times."""
        return ()

    def quantities(self) -> Makers:
        """Return functions that create the quantities of each item, by the path of the item. Default: no
        quantities.

        The functions are called only for items in the scenario. A model can also add quantities to a body or
        a mass item.
        """
        return {}

    def start_problems(self, start: Any) -> Iterable[Any]:
        """Yield the problems in the initial state of one case. start: a `starts.start.Start`. Default: no
        problems."""
        return ()
