"""Find the models that a scenario uses, including plug-ins of other packages, and check the plug-ins."""

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
"""Name of the module that lists the models of Interstage."""
CAPABILITIES: tuple[type[Part], ...] = (
    *(Part, Persistent, HasState, HasSwitches, HasEvents, Watches, Sampled, HasReference, ChecksStart),
    *(Stacked, Tabulated, ChangesMass, MovingMass, Impulsive, Linearizable, Commands),
)
"""All capability classes of the contract, including `Part`."""


def parts_of(scenario: Any) -> tuple[type[Part], ...]:
    """Return the built-in model classes for a scenario, in the order in which their loads are summed."""
    return tuple(import_module(OURS).parts_of(scenario))


def present(layout: Layout) -> Mapping[str, Part]:
    """Return the models that a scenario uses, by name. Raises BadInput if the models of another package
    cannot be used.
    """
    every = (*parts_of(layout.scenario), *_of_others(layout))
    return {kind.name: kind(layout) for kind in every if kind.there(layout)}


def without_law(layout: Layout) -> list[Problem]:
    """Return a problem for each force and device of a plug-in package that no model implements.

    Raises BadInput if `states`, `watches` or `sample_size` of a model is not an integer of at least 0."""
    for part in layout.parts.values():
        check_counts(part)
    kinds = tuple(kind for part in layout.parts.values() for kind in part.kinds)
    found = []
    for group in ("forces", "devices"):
        for one in getattr(layout.scenario, group):
            package = packages.home(type(one))
            if not one.flies:
                text = (
                    "the model cannot be simulated: "
                    f"{getattr(one, 'why', 'the package of this kind is not installed')}"
                )
                found.append(Problem(f"{group}.{one.name}", text))
            if package is not None and package.distribution and not isinstance(one, kinds):
                text = (
                    f"the declaration has no effect, because no model in the module 'flown' of {package} "
                    "lists this kind in `kinds`."
                )
                found.append(Problem(f"{group}.{one.name}", f"{text} Correct the package"))
    return found


def _of_others(layout: Layout) -> Iterator[type[Part]]:
    """Yield the model classes of other packages that the scenario uses: `PARTS` of their modules `flown`.

    Raises BadInput if a model class cannot be used."""
    others = tuple(packages.of_others("flown", layout.scenario))
    own = {kind.name for kind in import_module(OURS).every_part()} if others else set()
    for flown, package in others:
        kinds = getattr(flown, "PARTS", None)
        if not isinstance(kinds, tuple) or not all(map(_is_part, kinds)):
            text = (
                f"{package.name}.flown has no valid PARTS. List the model classes, for example PARTS"
                " = (EddyDampers,),"
                " derived from"
            )
            raise BadInput(f"the models of {package} cannot be used: {text} interstage.engine.contract.Part")
        for kind in kinds:
            if fault := _incomplete(kind) or misspelt(kind, CAPABILITIES, package):
                raise BadInput(f"the models of {package} cannot be used: {package.name}.flown.{fault}")
            if kind.name in own:
                raise BadInput(
                    f"the models of {package} cannot be used: another model already has the"
                    f" name '{kind.name}'"
                )
            own.add(kind.name)
            yield kind


def _incomplete(kind: type[Part]) -> str:
    """Return a sentence on the missing class attributes of a model class; "" if the class is complete."""
    if not isinstance(getattr(kind, "name", None), str):
        return f'{kind.__name__} has no class attribute `name`. Add a name, for example name = "eddy_dampers"'
    if kind.there.__func__ is not Part.there.__func__:  # type: ignore[attr-defined]
        return ""
    if kind.group not in packages.catalogue().kinds:
        text = "has no valid class attribute `group`. Add the scenario group of its declarations, for example"
        return f'{kind.__name__} {text} group = "devices"'
    if (
        not isinstance(kind.kinds, tuple)
        or not kind.kinds
        or not all(isinstance(c, type) for c in kind.kinds)
    ):
        text = "has no valid class attribute `kinds`. Add the classes of its declarations, for example"
        return f"{kind.__name__} {text} kinds = (EddyDamper,)"
    return ""


def _is_part(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Part)
