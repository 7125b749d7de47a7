"""Checks of shapes and clearances: files that can be used, and names that exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...model.geometry import Mesh
from ...tree.errors import BrokenName, Problem, Refused, unknown
from ...tree.names import Names
from .declared import GROUP, chosen, unit_of

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """All that is wrong with the shapes of bodies and with clearances. `faulty`: names of declarations that
    had to be left out or fixed, by group; clearances of such bodies are not judged."""
    for body in scenario.bodies:
        yield from _shapes(body)
    for declared in scenario.clearance:
        place = f"{GROUP}.{declared.name}"
        if not set(declared.bodies) & set((faulty or {}).get("bodies", ())):
            try:
                chosen(declared, scenario)
            except Refused as error:
                yield from (
                    BrokenName(f"{place}.{p.place}", p.message, among=("bodies",)) for p in error.problems
                )
        for key in ("after", "until"):
            moment = getattr(declared, key)
            if moment is not None:
                yield from unknown(f"{place}.{key}", moment, names.moments, "phase or event")


def _shapes(body: Any) -> Iterator[Problem]:
    place = f"bodies.{body.name}.shapes"
    for name, count in Counter(shape.name for shape in body.shapes).items():
        if count > 1:
            text = f"the name stands {count} times; give each shape of the body a name of its own"
            yield Problem(f"{place}.{name}", text)
    for shape in body.shapes:
        if isinstance(shape, Mesh):
            from ...model.mesh_file import convex_pieces

            try:
                convex_pieces(shape.file, shape.parts == "hull")
            except Refused as error:
                yield from (Problem(f"{place}.{shape.name}.{p.place}", p.message) for p in error.problems)


def is_clearance(path: str) -> bool:
    """Whether a quantity is one of clearances."""
    return path.startswith(f"{GROUP}.")


def afterwards(scenario: Scenario, path: str, group: str) -> str | None:
    """SI unit of a quantity of a clearance where something of a group names it; none of other quantities.
    Raises KeyError where that is not a requirement."""
    if not is_clearance(path):
        return None
    if group != "requirements":
        raise KeyError(f"'{path}' is known after the flight only; nothing in the flight can wait for it")
    return unit_of(scenario, path)
