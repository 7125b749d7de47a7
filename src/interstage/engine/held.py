"""Bodies held on the rotating planet, for example on a launch pad.

A held body rotates with the planet under any load. The hold-down applies the reaction force.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..maths.arrays import jnp
from ..maths.vectors import cross, norm, rotate, rotate_back
from ..tree.errors import BadInput, Problem
from .here import Here

if TYPE_CHECKING:
    from .mechanism import Mechanism

STILL = 0.1
"""Largest speed over the ground [m/s] of a body at rest at the start.

If a body is placed relative to another body and the planet's rotation is ignored, the speed error is 7e-5
rad/s times the distance of the bodies.
"""
STEADY = 1e-6
"""Angular velocity error [rad/s] up to which a body counts as fixed to the planet, or as inertially fixed.
"""


class HeldHere(Here):
    """Values at one time for bodies that rotate with the planet. In held flight, joints have no loads."""

    @cached_property
    def _solution(self) -> tuple[Any, Any]:
        layout = self.equations.layout
        turning = _turning(self.equations, self.t)
        place = self.origin[:, None] + self.motion.position[:, : layout.count]
        turning = jnp.broadcast_to(turning[:, None], place.shape)
        inward = cross(turning, cross(turning, place))
        fall = self.equations.fall(self.t, self.origin)
        still = jnp.zeros_like(self.wrench)
        found = jnp.concatenate([inward - fall[:, None], still[:3, layout.count :]], 1)
        multipliers = jnp.zeros((self.equations.table.count, *self.x.shape[1:]))
        return jnp.concatenate([found, still[3:]]), multipliers

    @property
    def hold(self) -> Any:
        """Return the total force of the hold-down on all bodies [N] (3, *cases), inertial axes."""
        n = self.equations.layout.count
        mass = self.numbers.mass
        return jnp.sum(mass * self.acceleration[:3, :n] - self.wrench[:3, :n], 1)


def _turning(mechanism: Mechanism, t: Any) -> Any:
    """Angular velocity of the planet [rad/s] (3, *cases), inertial axes."""
    rate = jnp.zeros_like(t) + getattr(mechanism.scenario.planet, "rotation_rate", 0.0)
    return jnp.stack([jnp.zeros_like(rate), jnp.zeros_like(rate), rate])


def at_rest(mechanism: Mechanism, t: Any, x: Any) -> Any:
    """Return the state x with all bodies at rest on the planet at time t [s]. Raises BadInput for moving
    bodies.
    """
    r, v, q, w, origin, origin_velocity = mechanism.split(x)
    turning = jnp.broadcast_to(_turning(mechanism, t)[:, None], r.shape)
    wanted = cross(turning, origin[:, None] + r) - origin_velocity[:, None]
    matrix = mechanism.motion(x).rotation[:, :, : mechanism.layout.count]
    spin = rotate_back(matrix, turning)
    _refuse_moving(
        mechanism, np.asarray(norm(v - wanted)), np.asarray(rotate(matrix, w)), np.asarray(turning)
    )
    return mechanism.pack(r, wanted, q, spin, origin, origin_velocity, mechanism.trailing_state(x))


def _refuse_moving(mechanism: Mechanism, speed: Any, spin: Any, turning: Any) -> None:
    """Reject bodies that move over the ground, and bodies that rotate differently from the planet and are not
    at rest in inertial space."""
    problems = []
    for k, name in enumerate(mechanism.layout.bodies):
        fastest = float(np.max(speed[k]))
        if fastest > STILL:
            text = f"the body moves at {fastest:.6g} m/s over the ground, but is held on the planet"
            text += ". Set latitude, longitude and altitude, and remove the velocity"
            problems.append(Problem(f"bodies.{name}.initial", text))
        beside = np.minimum(np.max(np.abs(spin[:, k] - turning[:, k])), np.max(np.abs(spin[:, k])))
        if float(beside) > STEADY:
            rate = float(np.max(np.abs(spin[:, k])))
            text = (
                f"the body rotates at {rate:.6g} rad/s, but is held on the planet. Remove the"
                " angular velocity"
            )
            problems.append(Problem(f"bodies.{name}.initial", text))
    if problems:
        raise BadInput(problems)
