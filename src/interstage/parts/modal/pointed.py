"""Select the points of a flexible body for figures, and detect deflections that are only rounding errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...drawing import curves
from ...record.record import Record, timeline
from .declared import GROUPS, ModalBody

MOST_POINTS = 5
"""The maximum number of points of a body in a figure."""


def rounding(record: Record, item: ModalBody) -> float:
    """Return the deflection of a flexible body [m] below which deflections are only rounding errors.

    The limit follows from the rounding of positions at the size of the body, because deflections are smaller
    than this size.
    """
    body = next(one for one in record.scenario.bodies if one.name == item.body)
    centre = _first(body.mass_centre, 1)
    far = [np.linalg.norm(_first(point.at, 1) - centre) for point in item.points]
    gyration = np.sqrt(np.trace(_first(body.inertia, 2)) / (2 * _first(body.mass, 0)))
    return curves.rounding(float(max(gyration, *far, 0.0)))


def moves(record: Record, item: ModalBody, n: int) -> bool:
    """Return whether a mode displaced a point by more than rounding errors. The root-mean-square displacement
    of the body, weighted by mass, also counts.

    The amplitude follows from the largest energy of the mode. For a draining body, the level with the largest
    displacement is used. n: index of the mode.
    """
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
    """Return a value with `axes` axes, of the first case if there are several."""
    whole = np.asarray(value, float)
    return whole.reshape(*whole.shape[:axes], -1)[..., 0]


def deflections(
    record: Record, item: ModalBody, peaks: bool = True
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the times [s] (time,) and the elastic displacements [m] (time, 3) of each point, by name of the
    point. The points are in decreasing order of their largest displacement.

    peaks: see `timeline`.
    """
    found = {}
    for point in item.points:
        path = f"forces.{item.name}.point_{point.name}.deflection"
        if path in record.series:
            found[point.name] = timeline(record, path, peaks)
    return dict(sorted(found.items(), key=lambda one: -np.max(np.linalg.norm(one[1][1], axis=-1))))


def chosen(record: Record, item: ModalBody) -> list[str]:
    """Return the names of the points for the figure of a flexible body, in order along the body.

    The points are selected in this order, up to `MOST_POINTS`:

    - the point with the largest displacement
    - the point with the largest opposite displacement at the same time
    - both ends of the body
    - points with attachments, by decreasing displacement

    Points whose displacement is only a rounding error are excluded.
    """
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
    """Return the direction of the largest extent of points, towards positive coordinates."""
    at = np.array(places)
    way = np.linalg.svd(at - at.mean(0))[2][0]
    return way * (1.0 if way[np.argmax(np.abs(way))] > 0 else -1.0)


def _extremes(courses: dict[str, tuple[np.ndarray, np.ndarray]], seen: list[str]) -> list[str]:
    """Return the point with the largest displacement, and the point with the largest opposite displacement at
    that time, if any."""
    own = courses[seen[0]][1]
    row = int(np.argmax(np.linalg.norm(own, axis=-1)))
    other = min(seen, key=lambda name: float(courses[name][1][row] @ own[row]))
    return [seen[0], other] if courses[other][1][row] @ own[row] < 0 else [seen[0]]


def _stood_on(record: Record, item: ModalBody) -> set[str]:
    """Return the names of the points with attachments."""
    found = set()
    for one in (one for group in GROUPS for one in getattr(record.scenario, group)):
        for end, field in getattr(one, "stands", ()):
            if getattr(one, end) == item.body:
                at = _first(getattr(one, field), 1)
                away = [np.linalg.norm(_first(point.at, 1) - at) for point in item.points]
                found.add(item.points[int(np.argmin(away))].name)
    return found
