"""The parts of a scenario: those of Interstage, and those of other packages, which are checked here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ...tree import packages
from ...tree.errors import BadInput, Problem
from ..answers import check_counts
from ..hooks import misspelt
from .events import HasEvents, Sampled, Watches
from .linear import Commands, Linearizable
from .motion import ChangesMass, Impulsive, MovingMass
from .part import Part
from .state import ChecksStart, HasReference, HasState, HasSwitches, Persistent, Stacked
from .tables import Tabulated

if TYPE_CHECKING:
    from ..layout import Layout

OURS = "interstage.parts.catalogue"
"""Module that lists the parts of Interstage."""
CAPABILITIES: tuple[type[Part], ...] = (
    *(Part, Persistent, HasState, HasSwitches, HasEvents, Watches, Sampled, HasReference, ChecksStart),
    *(Stacked, Tabulated, ChangesMass, MovingMass, Impulsive, Linearizable, Commands),
)
"""All classes of the contract."""


def parts_of(scenario: Any) -> tuple[type[Part], ...]:
    """The parts that come with Interstage of which a scenario may have something, in the order in which their
    shares are summed."""
    return tuple(import_module(OURS).parts_of(scenario))


def present(layout: Layout) -> Mapping[str, Part]:
    """The parts that a scenario has, by name."""
    every = (*parts_of(layout.scenario), *_of_others(layout))
    return {kind.name: kind(layout) for kind in every if kind.there(layout)}


def without_law(layout: Layout) -> list[Problem]:
    """Problems of forces and devices of other packages that no part computes. Raises BadInput for a part
    whose numbers of values are not counts."""
    for part in layout.parts.values():
        check_counts(part)
    kinds = tuple(kind for part in layout.parts.values() for kind in part.kinds)
    found = []
    for group in ("forces", "devices"):
        for one in getattr(layout.scenario, group):
            package = packages.home(type(one))
            if not one.flies:
                text = f"nothing flies it: {getattr(one, 'why', 'its package is not there')}"
                found.append(Problem(f"{group}.{one.name}", text))
            if package is not None and package.distribution and not isinstance(one, kinds):
                text = f"is a kind of {package}, and no part in its module 'flown' has it among its kinds, so"
                found.append(
                    Problem(f"{group}.{one.name}", f"{text} it would have no effect. Fix the package")
                )
    return found


def _of_others(layout: Layout) -> Iterator[type[Part]]:
    """The parts of other packages that the scenario has something of, `PARTS` of their modules `flown`.
    Raises BadInput where they cannot be had."""
    others = tuple(packages.of_others("flown", layout.scenario))
    own = {kind.name for kind in import_module(OURS).every_part()} if others else set()
    for flown, package in others:
        kinds = getattr(flown, "PARTS", None)
        if not isinstance(kinds, tuple) or not all(map(_is_part, kinds)):
            text = f"{package.name}.flown must name them: PARTS = (EddyDampers,), classes derived from"
            raise BadInput(f"the parts of {package} cannot be flown: {text} interstage.engine.contract.Part")
        for kind in kinds:
            if fault := _incomplete(kind) or misspelt(kind, CAPABILITIES, package):
                raise BadInput(f"the parts of {package} cannot be flown: {package.name}.flown.{fault}")
            if kind.name in own:
                raise BadInput(
                    f"the parts of {package} cannot be flown: '{kind.name}' is another part's name"
                )
            own.add(kind.name)
            yield kind


def _incomplete(kind: type[Part]) -> str:
    """The missing class attributes of a part, in words; empty if it has all."""
    if not isinstance(getattr(kind, "name", None), str):
        return f'{kind.__name__} has no name; write name = "eddy_dampers", by which others ask for it'
    if kind.there.__func__ is not Part.there.__func__:  # type: ignore[attr-defined]
        return ""
    if kind.group not in packages.catalogue().kinds:
        return f'{kind.__name__} has no group; write group = "devices", or where its declarations stand'
    if (
        not isinstance(kind.kinds, tuple)
        or not kind.kinds
        or not all(isinstance(c, type) for c in kind.kinds)
    ):
        return f"{kind.__name__} has no kinds; write kinds = (EddyDamper,), the classes of its declarations"
    return ""


def _is_part(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Part)
