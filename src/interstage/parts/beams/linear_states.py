"""Coordinates of beam segments for linear analysis, relative to the clamp of the beam in its parent.

A segment has these coordinates:

- position relative to the first end of the beam, and its rate, in clamp axes
- small rotation from a reference attitude, and angular velocity relative to the clamp, in segment axes

In these coordinates, a beam on a steadily rotating body has constant linear equations. In inertial
coordinates, the equations would depend on time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.contract import LinearState
from ...maths.arrays import jnp
from ...maths.rotations import conjugate, matrix_of, multiply, unit_quaternion
from ...maths.vectors import cross, rotate, rotate_back
from ...model.attachments import pick

if TYPE_CHECKING:
    from ...engine.mechanism import Mechanism
    from .flown import Beams

WHAT = (
    ("position", "m", "coordinate"),
    ("turn", "rad", "coordinate"),
    ("velocity", "m/s", "rate"),
    ("angular_velocity", "rad/s", "rate"),
)
"""The name, unit and kind of each vector coordinate of a segment. Each vector has three axes."""


def linear_states(part: Beams) -> tuple[LinearState, ...]:
    """Return the coordinates of linear analysis of all segments, in order."""
    return tuple(
        LinearState(f"beams.{beam.name}.segment_{n + 1}.{what}.{axis}", unit, f"beam {beam.name}", kind)
        for beam, count in zip(part.items, part.counts, strict=True)
        for n in range(count)
        for what, unit, kind in WHAT
        for axis in "xyz"
    )


def to_linear(part: Beams, mechanism: Mechanism, x: Any, near: Any) -> Any:
    """Return the coordinates of linear analysis (coordinate, *cases) for a state x.

    near: a nearby state. Small rotations are measured from the attitudes in this state.
    """
    clamp, turn, spin = _clamps(part, mechanism, x)
    apart, speed, own, w = part.split(mechanism.own(part.name, x))
    relative = multiply(conjugate(clamp), own)
    first = multiply(
        conjugate(_clamps(part, mechanism, near)[0]), part.split(mechanism.own(part.name, near))[2]
    )
    small = 2 * multiply(conjugate(first), relative)[1:]
    place = rotate_back(turn, apart)
    rate = rotate_back(turn, speed) - cross(spin, place)
    about = w - rotate_back(matrix_of(relative), spin)
    found = jnp.stack(jnp.broadcast_arrays(place, small, rate, about))  # (what, axis, segment)
    return jnp.moveaxis(found, 2, 0).reshape(-1, *x.shape[1:])


def from_linear(part: Beams, mechanism: Mechanism, x: Any, values: Any, near: Any) -> Any:
    """Return the states of the beams (state, *cases) for given coordinates of linear analysis.

    - x: state with the motion of the bodies.
    - values: the coordinates (coordinate, *cases).
    - near: a nearby state. Small rotations are measured from the attitudes in this state.
    """
    clamp, turn, spin = _clamps(part, mechanism, x)
    place, small, rate, about = jnp.moveaxis(values.reshape(-1, 4, 3, *values.shape[1:]), 0, 2)
    first = multiply(
        conjugate(_clamps(part, mechanism, near)[0]), part.split(mechanism.own(part.name, near))[2]
    )
    moved = unit_quaternion(jnp.concatenate([jnp.ones_like(small[:1]), small / 2]))
    relative = multiply(first, moved)
    w = about + rotate_back(matrix_of(relative), spin)
    speed = rotate(turn, rate + cross(spin, place))
    parts = rotate(turn, place), speed, multiply(clamp, relative), w
    return jnp.concatenate([one.reshape(-1, *one.shape[2:]) for one in parts])


def _clamps(part: Beams, mechanism: Mechanism, x: Any) -> tuple[Any, Any, Any]:
    """Return the clamp at the first end of each segment's beam: quaternion and matrix to inertial axes, and
    angular velocity in its axes."""
    motion, owner = mechanism.motion(x), part.owner
    which = np.array(part.bodies[0])[owner]
    axes = pick(mechanism.numbers.own[part.name].axes, owner, 1)
    turn = pick(motion.quaternion, which, 1)
    clamp = multiply(turn, jnp.broadcast_to(axes, turn.shape))
    matrix = matrix_of(clamp)
    return clamp, matrix, rotate_back(matrix, pick(motion.spin, which, 1))
