"""What a part is: one physical effect, in a folder of its own, that the engine knows by this contract only.

The engine asks each part that a scenario has for its share, in the order of the catalogue, and names none of
them. A part asks for what another finds by `here["name"]`, and reads of the core what a `here.Here` has.
Every hook does nothing unless it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

if TYPE_CHECKING:
    from .here import Here
    from .layout import Layout
    from .quantity import Quantity

Makers = Mapping[str, "Callable[[], dict[str, Quantity]]"]
"""What makes the quantities of each thing, by its path: "devices.spring"."""


class Range(NamedTuple):
    """A variable that a part looks data up by. what: the data, "aerodynamics.drag on ball: CD". factor, unit:
    by which a distance is shown, and its label. ends: of the data as they are shown, where known. refuses:
    whether there is no value beyond an end, so that the flight ends. holds: whether it goes on beyond one."""

    what: str
    variable: str
    factor: float = 1.0
    unit: str = ""
    ends: tuple[float, float] | None = None
    refuses: bool = False
    holds: bool = False


class Part:
    """All of one effect in a scenario: all springs, all contacts. Made for a structure, without numbers."""

    name: ClassVar[str]
    """By which others ask for what it finds."""

    def __init__(self, layout: Layout):
        self.layout = layout

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether a scenario has anything of it; a part without anything is not in the program."""
        raise NotImplementedError

    # --- at one instant

    def find(self, here: Here) -> Any:
        """What it does at an instant, for its other hooks, its quantities, and other parts."""
        return None

    def wrench(self, here: Here) -> Any:
        """Forces [N, inertial axes] and torques about the mass centres [N m, body axes] on all bodies, (6,
        body incl. ground, *lanes); None for none."""
        return None

    def stored(self, here: Here) -> Any:
        """Energy that it holds and may give back [J] (*lanes); None for none."""
        return None

    def masses(self, here: Here) -> Any:
        """What moves beside the bodies: masses [kg] (item, *lanes), offsets from the local origin [m] and
        velocities relative to it [m/s] (3, item, *lanes), inertial axes; None for none."""
        return None

    def places(self, here: Here) -> Iterable[Any]:
        """Where it is among the kinks of its laws, (*lanes) each; see `stepper.problem.Hybrid.places`."""
        return ()

    # --- what is read of it

    def beyond(self, here: Here) -> Mapping[Any, Any]:
        """How far variables are beyond the data of its `ranges` (*lanes), by the keys of those: negative
        below, positive above, zero within and where nothing acts."""
        return {}

    def ranges(self, scenario: Any) -> Mapping[Any, Range]:
        """Variables that its data are given over, with the numbers of `scenario`, of this structure."""
        return {}

    def quantities(self) -> Makers:
        """Of its things, none where something that they name is not there; to those of a body or element it
        may add."""
        return {}

    def note_shared(self, meta: dict[str, Any], shared: Collection[str]) -> None:
        """Note, in what a record says its quantities mean, that they follow from loads of joints which rigid
        bodies do not determine, and which are `shared` by a rule."""


@cache
def registered() -> tuple[type[Part], ...]:
    """The parts at hand, in the order in which their shares are summed."""
    return import_module("interstage.parts.catalogue").PARTS


def present(layout: Layout) -> Mapping[str, Part]:
    """The parts that a scenario has, by name."""
    return {kind.name: kind(layout) for kind in registered() if kind.there(layout)}
