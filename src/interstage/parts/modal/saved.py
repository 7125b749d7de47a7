"""Start a flexible body from a saved flight, with its modal coordinates and rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...tree.addresses import replace_leaf
from ...tree.errors import BadInput, Problem
from .declared import ModalBody

if TYPE_CHECKING:
    from ...starts.saved import Taken

ROUNDING = 1e-9
"""Two numbers count as equal if their difference, divided by the largest number, is at most this number. A
change of units causes such differences.
"""


def resume_scenario(scenario: Any, taken: Taken, name: str) -> Any:
    """Return the scenario with the modal coordinates and rates of a body from a saved flight.

    - `taken`: the body and time from the saved flight.
    - name: name of the body in the saved flight.

    Raises BadInput if the saved flight has other modes, or does not contain the modal state.
    """
    mine = _of(scenario.forces, taken.body.name)
    declared = [one for one in taken.entries("forces") if _bends(one, name)]
    if mine is None or not declared:
        return scenario
    place = f"forces.{mine.name}"
    saved = _modes(declared[0], taken.file, place)
    if not _same(mine, saved):
        text = (
            f"these modes differ from {saved.name} of {taken.file}, but '{mine.body}' starts from this file"
        )
        raise BadInput(Problem(place, f"{text}. Give the same modes, or remove the modes"))
    left = taken.flight.quantities_at(taken.initial.when, f"forces.{saved.name}.")
    for field in ("coordinate", "rate"):
        paths = [f"mode_{n + 1}.{field}" for n in range(mine.count)]
        missing = [path for path in paths if path not in left]
        if missing:
            text = (
                f"{taken.file} has no forces.{saved.name}.{missing[0]}, but the start of '{mine.body}'"
                " needs it"
            )
            raise BadInput(Problem(place, f"{text}. Record this quantity, or remove the modes"))
        scenario = replace_leaf(scenario, f"{place}.{field}", np.array([float(left[path]) for path in paths]))
    return scenario


def _modes(declared: dict[str, Any], file: str, place: str) -> ModalBody:
    """Return the modes of a saved scenario. Raises BadInput at the path of the present modes."""
    try:
        return ModalBody(**declared)
    except BadInput as error:
        where = f"forces.{declared.get('name', '')} of the scenario in {file} cannot be read"
        wrong = "; ".join(
            f"{problem.place}: {problem.message}".removeprefix(": ") for problem in error.problems
        )
        raise BadInput(Problem(place, f"{where}: {wrong}. Run this scenario again")) from None


def _bends(declared: dict[str, Any], name: str) -> bool:
    return declared.get("kind") == "modal_body" and declared.get("body") == name


def _of(forces: Any, body: str) -> ModalBody | None:
    return next((one for one in forces if isinstance(one, ModalBody) and one.body == body), None)


def _same(a: ModalBody, b: ModalBody) -> bool:
    """Whether two sets of modes have the same number, equal generalized masses, and equal shapes at common
    points."""
    if a.count != b.count or not _alike(a.propellant, b.propellant) or not _alike(_masses(a), _masses(b)):
        return False
    theirs = {point.name: point for point in b.points}
    both = [(point, theirs[point.name]) for point in a.points if point.name in theirs]
    fields = ("shape", "turn")
    return all(_alike(getattr(p, field), getattr(q, field)) for p, q in both for field in fields)


def _masses(item: ModalBody) -> Any:
    return np.broadcast_to(item.mass, item.frequency.shape)


def _alike(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    size = np.max(np.abs(a), initial=0.0)
    return np.shape(a) == np.shape(b) and bool(np.all(np.abs(np.asarray(a) - b) <= ROUNDING * size))
