"""Lines of action between two points of bodies, and a test whether the points are far enough apart to define
a direction.

If two points are declared at the same location, their distance is a rounding error. The direction of the line
and a force along it would then be arbitrary.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jnp
from ..maths.vectors import add_axes, norm, rotate_back
from ..model.attachments import Motion, Pairs, select
from .layout import Layout

WRITTEN = 3e-6
"""Distance of two points, relative to their arms from the centres of mass, up to which they count as one
point.

For comparison, a quaternion with six decimals rotates a body by an error of up to 2e-6 rad.
"""
ROUNDING = 1e4 * np.finfo(float).eps
"""Distance of two points, relative to the positions of the two bodies, up to which they count as one point.

The direction of a longer line has an error of at most 1e-4 rad from the rounding of these positions.
"""


class Lines(NamedTuple):
    """Lines of action between two points, each (line, *cases).

    - length: length [m].
    - least: length [m] up to which the ends count as one point.
    - way (3, line, *cases): vector from the centre of mass of the parent to the centre of mass of the child
      [m], in structural axes of the parent.
    - far: 1 if the two bodies are placed separately, else 0. If 1, the distance to the inertial origin adds
      to the rounding error.
    """

    length: Any
    least: Any
    way: Any
    far: Any

    def without_direction(self, origin: Any) -> Any:
        """Return whether each line has no direction (line, *cases).

        origin (3, *cases): position of the local origin [m].
        """
        return self.length <= self.least + ROUNDING * self.far * norm(origin)[None]


def lines(layout: Layout, motion: Motion, pairs: Pairs, ends: Any, points: Any) -> Lines:
    """Return the lines of action of attachments.

    - motion, pairs: motion of all columns, and kinematics of the attachments.
    - ends: columns of the parents and of the children.
    - points: points on parents and children (3, line) [m], structural coordinates.
    """
    parent = ends[0]
    a, b = (select(motion.position, end, 1) for end in ends)
    drawn = [norm(add_axes(jnp.asarray(point), pairs.gap.ndim)) for point in points]
    # The points of the ground are positions.
    arms = norm(pairs.arm_a) * _of_bodies(layout, parent, pairs) + norm(pairs.arm_b)
    least = WRITTEN * arms + ROUNDING * (norm(a) + norm(b) + drawn[0] + drawn[1])
    length = norm(pairs.gap)
    roots = [_roots(layout)[layout.columns.bodies_of(end)] for end in ends]
    far = add_axes(np.asarray(roots[0] != roots[1], float), length.ndim)
    way = jnp.broadcast_to(rotate_back(pairs.rotation_a, b - a), pairs.gap.shape)
    least, far = (jnp.broadcast_to(part, length.shape) for part in (least, far))
    return Lines(length, least, way, far)


def _of_bodies(layout: Layout, parent: Any, pairs: Pairs) -> Any:
    """1 where the parent is a body, 0 where it is the ground, (line, 1, ...)."""
    return add_axes(np.asarray(layout.columns.bodies_of(parent) != layout.count, float), pairs.gap.ndim - 1)


def _roots(layout: Layout) -> np.ndarray:
    """For each body, and last for the ground, the index of the separately placed body from which it is placed
    through joints."""
    roots = np.arange(layout.count + 1)
    number = {name: k for k, name in enumerate(layout.bodies)}
    for body, joint in layout.child_bodies:
        declared = layout.scenario.joints[joint]
        other = declared.parent if number[declared.child] == body else declared.child
        roots[body] = roots[number.get(other, layout.count)]
    return roots


def meetings(times: Any, gaps: Any, least: Any) -> Iterator[tuple[int, float]]:
    """Yield (index of the line, first time [s]) for all lines whose ends meet; see `meeting`.

    times (n,) [s], gaps (n, 3, line) [m], least (n, line) [m].
    """
    for line in range(gaps.shape[2]):
        time = meeting(times, gaps[:, :, line], least[:, line])
        if time is not None:
            yield line, time


def meeting(times: Any, gaps: Any, least: Any) -> float | None:
    """Return the first time [s] at which the two ends of a line of action meet, or None.

    If the ends pass each other within a step, they also meet. The direction of the line then reverses.

    - times (n,) [s]: starts and ends of steps.
    - gaps (n, 3) [m]: vector from the first to the second end, in axes of the parent. NaN without a force.
    - least (n,) [m]: see `Lines`."""
    early, late = gaps[:-1], gaps[1:]
    change = late - early
    reversed_there = np.sum(early * late, 1) < 0
    met = np.flatnonzero(reversed_there | (np.linalg.norm(late, axis=1) <= least[1:]))
    if not met.size:
        return None
    k, square = met[0], float(np.sum(change[met[0]] ** 2))
    part = np.clip(-np.sum(early[k] * change[k]) / square, 0.0, 1.0) if square > 0 else 1.0
    return float(times[k] + part * (times[k + 1] - times[k]))


def example_axis(way: Any) -> str:
    """Return the text of an example axis for a message: the direction `way` between the two centres of mass
    in one case.

    If this vector is zero, the result is an empty text. way (3,) [m]: see `Lines`.
    """
    size = float(np.linalg.norm(way))
    if not size > 0:
        return ""
    numbers = ", ".join(f"{value:.3g}" for value in np.round(np.asarray(way) / size, 3) + 0.0)
    return f", for example axis = [{numbers}] (towards the child's centre of mass)"
