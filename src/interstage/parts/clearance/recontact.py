"""Find the recontacts of two bodies: time, location, speed and energy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...record.record import Recontact
from .course import APART, AT_ONCE, OVERLAP, TOUCHING, Course, Watch, sinking
from .motion import meeting

TIME_WIDTH = 1e-8
"""The tolerance of the time of a recontact [s]."""
MOST_LISTED = 100
"""The maximum number of recontacts of two bodies in the results."""
FIRM = 1e-6
"""The direction between the nearest points is reliable if the distance, divided by the size of the larger
body, exceeds this number. At smaller distances, rounding affects the direction.
"""


def recontacts(watch: Watch, course: Course) -> list[Recontact]:
    """Return the recontacts of two bodies.

    A recontact occurs if the bodies touch after a separation. If the bodies touch at the start, penetration
    without separation is also a recontact.

    - watch: the two bodies.
    - course: time history of their distance.
    """
    found, sinks = [], sinking(watch, course)
    if sinks is not None:
        around = course.take(slice(sinks - 1, sinks + 1))
        depth = min(float(course.distance[0]), 0.0) - OVERLAP * watch.size
        # For bodies that only touch, the direction is not unique.
        found.append(_contact(watch, around, depth, around.take([1])))
    for row in _closings(course, TOUCHING * watch.size, APART * watch.size):
        if len(found) == MOST_LISTED:
            break
        around = course.take(slice(row - 1, row + 1))
        found.append(_contact(watch, around, TOUCHING * watch.size, around.take([0])))
    return found


def _closings(course: Course, touching: float, apart: float) -> Iterator[int]:
    """Return the rows at which separated bodies touch."""
    free = False
    for row, distance in enumerate(course.distance):
        if free and distance <= touching:
            free = False
            yield row
        free = free or bool(distance > apart)


def _contact(watch: Watch, around: Course, distance: float, firm: Course) -> Recontact:
    """Return the contact between two times at which the distance falls below a value. firm: distances at
    which the direction is reliable."""
    while around.time[-1] - around.time[0] > TIME_WIDTH:
        times = np.linspace(around.time[0], around.time[-1], AT_ONCE + 2)
        if not (np.diff(times) > 0).all():
            break
        around = around.merge(watch.at(times[1:-1]))
        first = int(np.argmax(around.distance <= distance))
        away = np.flatnonzero(around.distance[:first] > FIRM * watch.size)
        firm = around.take([away[-1]]) if away.size else firm
        around = around.take(slice(first - 1, first + 1))
    time = float(around.time[-1])
    assert watch.sample is not None
    normal, point = firm.direction[:, 0], around.on_a[:, 0]
    approach, sliding, mass = meeting(watch.sample(np.array([time])), watch.a, watch.b, point, normal)
    shapes = watch.shapes(around, 0)
    return Recontact(
        name=watch.declared.name,
        time=time,
        shapes=shapes,
        point_on_a=tuple(map(float, point)),
        point_on_b=tuple(map(float, around.on_b[:, 0])),
        normal=tuple(map(float, normal)),
        approach_speed=approach,
        sliding_speed=sliding,
        effective_mass=float(mass),
        energy=float(0.5 * mass * max(approach, 0.0) ** 2),
    )
