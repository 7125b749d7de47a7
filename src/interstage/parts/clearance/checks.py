"""Check shapes and clearances: mesh files are readable, and names exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...model.geometry import Mesh
from ...tree.errors import BrokenName, Problem, Refused
from ...tree.name_check import unknown
from ...tree.names import Names
from .declared import GROUP, chosen, unit_of

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of the shapes of bodies and of the clearances.

    faulty: names of invalid declarations, by group. A clearance of an invalid body is not checked.
    """
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
            text = f"the name is used {count} times. Give each shape of the body a different name"
            yield Problem(f"{place}.{name}", text)
    for shape in body.shapes:
        if isinstance(shape, Mesh):
            from ...model.convex_pieces import convex_pieces

            try:
                convex_pieces(shape.file, shape.parts == "hull")
            except Refused as error:
                yield from (Problem(f"{place}.{shape.name}.{p.place}", p.message) for p in error.problems)


def is_clearance(path: str) -> bool:
    """Return whether the path of a quantity belongs to a clearance."""
    return path.startswith(f"{GROUP}.")


def afterwards(scenario: Scenario, path: str, group: str) -> str | None:
    """Return the SI unit of a quantity of a clearance. Return None for all other quantities.

    - path: path of the quantity, for example "bodies.stage.speed".
    - group: group of the scenario whose entry names the quantity, for example "requirements".

    Raises KeyError if the group is not "requirements", because clearances are computed after the flight.
    Raises KeyError also for an unknown quantity.
    """
    if not is_clearance(path):
        return None
    if group != "requirements":
        raise KeyError(
            f"'{path}' is computed after the flight and cannot be used during the flight. Name another"
            " quantity"
        )
    return unit_of(scenario, path)
