"""Which points of a body that bends are drawn, and what of bending is rounding alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...drawing import curves
from ...record.record import Record, timeline
from .declared import GROUPS, ModalBody

MOST_POINTS = 5
"""Points of a body that a figure shows."""


def rounding(record: Record, item: ModalBody) -> float:
    """Below which size a deflection is rounding [m]: that of places as far from each other as those of the
    body. Loads bend it by less than its size, and so what is rounding of loads by less than that of its
    size."""
    body = next(one for one in record.scenario.bodies if one.name == item.body)
    centre = _first(body.mass_centre, 1)
    far = [np.linalg.norm(_first(point.at, 1) - centre) for point in item.points]
    gyration = np.sqrt(np.trace(_first(body.inertia, 2)) / (2 * _first(body.mass, 0)))
    return curves.rounding(float(max(gyration, *far, 0.0)))


def moves(record: Record, item: ModalBody, n: int) -> bool:
    """Whether a mode displaced a point, or the body on the whole (root mean square by masses), by more than
    rounding: at the amplitude that its largest energy has at the level at which that is most."""
    body = next(one for one in record.scenario.bodies if one.name == item.body)
    _, energy = timeline(record, f"forces.{item.name}.mode_{n + 1}.energy")
    found = []
    for level in item.at_levels:
        mass, frequency = (
            np.broadcast_to(_first(one, 1), (item.count,))[n] for one in (level.mass, level.frequency)
        )
        sizes = [np.linalg.norm(_first(point.shape, 2)[n]) for point in level.points]
        most = max(np.sqrt(mass / _first(body.mass, 0)), *sizes, 0.0)
        found.append(most * np.sqrt(2 * np.max(energy) / mass) / frequency)
    return bool(max(found) > rounding(record, item))


def _first(value: Any, axes: int) -> Any:
    """A number with so many axes, that of the first case if there are several."""
    whole = np.asarray(value, float)
    return whole.reshape(*whole.shape[:axes], -1)[..., 0]


def deflections(
    record: Record, item: ModalBody, peaks: bool = True
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Times and displacements (instant, 3) of each point by bending, the one that is displaced most first;
    see `timeline`."""
    found = {}
    for point in item.points:
        path = f"forces.{item.name}.point_{point.name}.deflection"
        if path in record.series:
            found[point.name] = timeline(record, path, peaks)
    return dict(sorted(found.items(), key=lambda one: -np.max(np.linalg.norm(one[1][1], axis=-1))))


def chosen(record: Record, item: ModalBody) -> list[str]:
    """Names of the points that are drawn, from one end of the body to the other: where it is displaced most,
    and at that instant the other way, its ends, and those that something stands on, those that are displaced
    most first; none of which the displacement is rounding."""
    courses, least = deflections(record, item, peaks=False), rounding(record, item)
    seen = [name for name, (_, course) in courses.items() if np.max(np.abs(course)) > least]
    if not seen:
        return []
    places = {point.name: _first(point.at, 1) for point in item.points}
    along = _along([places[name] for name in seen])
    order = sorted(seen, key=lambda name: float(places[name] @ along))
    stood_on = _stood_on(record, item)
    wanted = [*_extremes(courses, seen), order[0], order[-1], *(one for one in seen if one in stood_on)]
    some = {*[*dict.fromkeys(wanted)][:MOST_POINTS]}
    return [name for name in order if name in some]


def _along(places: list[np.ndarray]) -> np.ndarray:
    """The direction along which points are farthest apart, towards positive coordinates."""
    at = np.array(places)
    way = np.linalg.svd(at - at.mean(0))[2][0]
    return way * (1.0 if way[np.argmax(np.abs(way))] > 0 else -1.0)


def _extremes(courses: dict[str, tuple[np.ndarray, np.ndarray]], seen: list[str]) -> list[str]:
    """The point that is displaced most, and the one that is then displaced most the other way, if any is."""
    own = courses[seen[0]][1]
    row = int(np.argmax(np.linalg.norm(own, axis=-1)))
    other = min(seen, key=lambda name: float(courses[name][1][row] @ own[row]))
    return [seen[0], other] if courses[other][1][row] @ own[row] < 0 else [seen[0]]


def _stood_on(record: Record, item: ModalBody) -> set[str]:
    """Names of the points that something stands on."""
    found = set()
    for one in (one for group in GROUPS for one in getattr(record.scenario, group)):
        for end, field in getattr(one, "stands", ()):
            if getattr(one, end) == item.body:
                at = _first(getattr(one, field), 1)
                away = [np.linalg.norm(_first(point.at, 1) - at) for point in item.points]
                found.add(item.points[int(np.argmin(away))].name)
    return found
