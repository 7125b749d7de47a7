"""Which bodies the ground holds: what pushes and pulls them then wins no speed, and loses none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.joined import acts, over_stack
from ...maths.arrays import jnp
from ...model.effect import effects
from ...tree.names import GROUND

if TYPE_CHECKING:
    from ...engine.here import Here

WAYS = 3
"""Directions in which a joint that holds a point does not let it move."""
SLOW = 1.0
"""Speed over the ground [m/s] up to which a hold that gives way, or lets turn, holds: a rocket springs on its
pad by less."""


def held(here: Here, bodies: np.ndarray, speed: Any, rest: float) -> Any:
    """Whether the ground holds some bodies with speeds over it (body, *cases) [m/s]; None where nothing ever
    could. It holds all of a scenario that is held; and what is joined to it at present, up to `SLOW` by
    joints that hold a point and by what holds one like a joint (`Effect.holds_points`), and at rest, by
    speeds up to `rest`, by others, such as rails and guides."""
    layout = here.equations.layout
    if layout.pad:
        return jnp.broadcast_to(speed, (len(bodies), *here.t.shape)) >= 0
    if not may_hold(layout.scenario):
        return None
    grounded, between = _effects(here)
    joints = [joint for joint in layout.scenario.joints if GROUND in (joint.parent, joint.child)]
    firm, loose = ([jnp.zeros(here.t.shape)] * layout.count for _ in range(2))
    for joint in joints:
        body = layout.body(joint.child if joint.parent == GROUND else joint.parent)
        j = layout.joints.index(joint.name)
        mode = here.discrete.mode[j]
        for number, rows in enumerate(layout.modes[j], start=1):
            found = firm if len(rows.translations) == WAYS else loose
            found[body] = jnp.maximum(found[body], jnp.broadcast_to(mode == number, here.t.shape) * 1.0)
    for one, body in grounded:
        loose[body] = jnp.maximum(loose[body], acts(here, one))
        firm[body] = jnp.maximum(firm[body], acts(here, one) * one.holds_points)

    def joined(on: list[Any], all_ways: bool) -> Any:
        for _ in between:
            for one, *ends in between:
                a, b = over_stack(here, jnp.stack(on), ends, by_joints=True)
                held_by = acts(here, one) * (one.holds_points if all_ways else 1.0)
                for end, other in zip(ends, (b, a), strict=True):
                    on[end] = jnp.maximum(on[end], held_by * other)
        return over_stack(here, jnp.stack(on), bodies, by_joints=True) > 0

    loose = [jnp.maximum(a, b) for a, b in zip(firm, loose, strict=True)]
    return (joined(firm, True) & (speed <= SLOW)) | (joined(loose, False) & (speed <= rest))


def may_hold(scenario: Any) -> bool:
    """Whether anything could hold a body to the ground."""
    holding = (one for one in effects(scenario) if one.holds)
    on_ground = any(GROUND in one.ends for one in holding)
    on_ground = on_ground or any(GROUND in (one.parent, one.child) for one in scenario.joints)
    return scenario.coordinates == "held" or on_ground


def _effects(here: Here) -> tuple[list[tuple[Any, int]], list[tuple[Any, int, int]]]:
    """What holds bodies like a joint, with its numbers, and the body that it holds to the ground, or both."""
    grounded, between, layout = [], [], here.equations.layout
    for one in effects(here.equations.scenario):
        if not one.holds or len(one.ends) < 2:
            continue
        ends = [layout.body(end) for end in one.ends if end != GROUND]
        if len(ends) == 1:
            grounded.append((one, ends[0]))
        else:
            between.append((one, *ends))
    return grounded, between
