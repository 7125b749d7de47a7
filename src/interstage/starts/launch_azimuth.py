"""Launch azimuths. For bodies that start at rest or vertically, downrange is measured along the launch
azimuth."""

from __future__ import annotations

from typing import Any

from ..environment.planet import safe_angle
from ..maths.arrays import jnp
from ..maths.connected import Connected
from ..maths.vectors import norm, rotate_back
from ..model.effect import effects
from ..tree.names import GROUND

UPRIGHT = 1e-6
"""Tilt [rad] up to which body x counts as vertical: 1e-6 is far below the tilt of any launch rail, and above
rounding."""


def launch_azimuths(scenario: Any, level: Any, rotation: Any, otherwise: Any) -> Any:
    """Return the launch azimuths [rad] (body, *cases); bodies of a stack have the same launch azimuth.

    The first declared azimuth counts: in the initial state of a body of the stack, or in the guidance of its
    attitude. Without one, the first attitude relative to local level counts: the direction to which body x is
    tilted. If x is vertical, the direction of body z counts.

    - level, rotation: local north, east and down, and body axes, in inertial components (3, 3, body, *cases).
    - otherwise: azimuths (body, *cases) for other stacks."""
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
