"""Determine launch azimuths. If bodies start at rest or vertically, downrange is measured along the launch
azimuth.
"""

from __future__ import annotations

from typing import Any

from ..environment.planet import safe_angle
from ..maths.arrays import jnp
from ..maths.connected import Connected
from ..maths.vectors import norm, rotate_back
from ..model.effect import effects
from ..tree.names import GROUND

UPRIGHT = 1e-6
"""Maximum tilt [rad] of body axis x that counts as vertical.

This limit is far below the tilt of any launch rail, and above rounding errors.
"""


def launch_azimuths(scenario: Any, level: Any, rotation: Any, otherwise: Any) -> Any:
    """Return the launch azimuths [rad] (body, *cases). All bodies of a stack have the same launch azimuth.

    The first azimuth that is declared for a body of the stack is used, in its initial state or in the
    guidance of its attitude. Without a declared azimuth, the first attitude relative to local level is used:
    the azimuth is the direction to which body axis x is tilted. If x is vertical, the azimuth is the
    direction of body axis z.

    - level, rotation: local north, east and down axes, and body axes, in inertial components (3, 3,
      body, *cases).
    - otherwise: azimuths (body, *cases) for stacks without such data.
    """
    stacks = Connected()
    for joint in scenario.joints:
        if joint.active and GROUND not in (joint.parent, joint.child):
            stacks.join(joint.parent, joint.child)
    leading: dict[Any, Any] = {}
    for find in (_azimuth_of_declarations, _azimuth_of_attitude):
        for k, body in enumerate(scenario.bodies):
            found = find(scenario, body, level[:, :, k], rotation[:, :, k])
            if found is not None:
                leading.setdefault(stacks.head(body.name), found)
    every = [leading.get(stacks.head(body.name), otherwise[k]) for k, body in enumerate(scenario.bodies)]
    return jnp.stack([jnp.broadcast_to(one, otherwise.shape[1:]) for one in every])


def _azimuth_of_declarations(scenario: Any, body: Any, level: Any, rotation: Any) -> Any:
    """The azimuth that a scenario declares for the launch of a body; None if it declares no azimuth."""
    of_start = getattr(body.initial, "azimuth", None)
    if of_start is not None:
        return jnp.asarray(of_start)
    given = (one.launch_azimuth for one in effects(scenario) if getattr(one, "body", "") == body.name)
    return next((jnp.asarray(azimuth) for azimuth in given if azimuth is not None), None)


def _azimuth_of_attitude(scenario: Any, body: Any, level: Any, rotation: Any) -> Any:
    """The azimuth of a body whose attitude is declared relative to the local level; None for other bodies."""
    if getattr(body.initial, "attitude_axes", "") != "level" or body.initial.attitude is None:
        return None
    x, z = (rotate_back(level, rotation[:, axis])[:2] for axis in (0, 2))
    north, east = jnp.where(norm(x) > UPRIGHT, x, z)
    return safe_angle(east, north)
