"""Test whether the ground holds a body. The ideal velocity and losses of a held body do not change."""

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
"""Number of translations that a joint must constrain to fix a point."""
SLOW = 1.0
"""Maximum ground speed [m/s] of a body that an elastic or rotating connection holds.

A rocket that oscillates on its launch pad is slower than this speed.
"""


def ground_holds(here: Here, bodies: np.ndarray, speed: Any, rest: float) -> Any:
    """Return whether the ground holds each body (body, *cases). Returns None if no joint or effect can hold a
    body.

    `bodies`: indices of the bodies. `speed` (body, *cases) [m/s]: their ground speeds.

    If the scenario fixes the stack to the ground, all bodies are held. If the stack is not fixed to the
    ground, a body is held while it is connected to the ground and moves slowly. A joint or effect that fixes
    a point (`Effect.holds_points`) holds a body up to the speed `SLOW`. Other joints, for example rails and
    guides, hold a body up to the speed `rest` [m/s].
    """
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

    def connect(on: list[Any], all_ways: bool) -> Any:
        for _ in between:
            for one, *ends in between:
                a, b = over_stack(here, jnp.stack(on), ends, by_joints=True)
                held_by = acts(here, one) * (one.holds_points if all_ways else 1.0)
                for end, other in zip(ends, (b, a), strict=True):
                    on[end] = jnp.maximum(on[end], held_by * other)
        return over_stack(here, jnp.stack(on), bodies, by_joints=True) > 0

    loose = [jnp.maximum(a, b) for a, b in zip(firm, loose, strict=True)]
    return (connect(firm, True) & (speed <= SLOW)) | (connect(loose, False) & (speed <= rest))


def may_hold(scenario: Any) -> bool:
    """Return whether any joint or effect can hold a body to the ground."""
    holding = (one for one in effects(scenario) if one.holds)
    on_ground = any(GROUND in one.ends for one in holding)
    on_ground = on_ground or any(GROUND in (one.parent, one.child) for one in scenario.joints)
    return scenario.coordinates == "held" or on_ground


def _effects(here: Here) -> tuple[list[tuple[Any, int]], list[tuple[Any, int, int]]]:
    """Return the effects that hold bodies like a joint, with their indices: effects between the body and the
    ground, and effects between two bodies."""
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
