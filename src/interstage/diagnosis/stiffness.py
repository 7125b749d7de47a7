"""Find the stiff loads that limit the step size: the loads that change most with the error of a step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.answers import part_text
from ..engine.body_loads import loads_of
from ..engine.contract import Part
from ..engine.minimal_coordinates import flow_of
from ..maths.arrays import jnp
from ..programs.program import Program
from ..stepper.step import take
from .not_finite import first_names

NUDGE = 1e-6
"""Maximum change of a state variable along the error of a step [m, m/s, 1, rad/s]."""
STIFF = 1e-3
"""Change of a velocity by loads within a step, relative to the error that causes this change.

Above this value, the loads limit the step size.
"""


def answering(program: Program, scenario: Any, reference: Any, cursor: Any, h: float, name: str) -> str:
    """Return the end of a sentence that names the loads that change most with the error of a step; "" if no
    load limits the step.

    - `h`: step size [s].
    - `name`: name of the part of the state that has the error, as in `Program.errors`.
    """
    layout = program.layout
    body = next((k for k, one in enumerate(layout.bodies) if f"'{one}'" in name), None)
    if body is None:
        return ""
    change = program.at_once(_change(program))
    strengths = change(scenario, reference, cursor.t, cursor.x, cursor.discrete, h)
    part = max(strengths, key=lambda one: float(np.nan_to_num(strengths[one][body])), default=None)
    if part is None or not strengths[part][body] > STIFF:
        return ""
    return f". The stiffest loads come from {_items(layout.parts[part], layout.bodies[body])}"


def _change(program: Program):
    """(scenario, its stacks, reference, t, x, discrete, h) -> by part the changes of the velocities of each
    body (body) by its loads. They are those within a step of size h, relative to the error that they
    answer."""

    def function(scenario, found, reference, t, x, discrete, h):
        mechanism = program.mechanism(scenario, len(program.lanes), reference, found)
        flow, count = flow_of(mechanism, program.table), program.layout.count
        own = flow.own(t, x, discrete)
        error = take(flow, program.method, t, t + h, own, jnp.zeros_like(own), discrete, first=0).errors[0]
        error = np.where(np.isfinite(error), error, 0.0)
        moved = own + error * NUDGE / max(float(np.max(np.abs(error), initial=0.0)), np.finfo(float).tiny)
        one, other = (flow.here(t, state, discrete) for state in (own, moved))
        mass, inertia = one.numbers.mass, one.numbers.inertia
        size = _errors(one, other, count, h)
        found = {}
        for name, part in program.layout.parts.items():
            loads = [part.wrench(here) for here in (one, other)]
            if loads[0] is not None and loads[1] is not None:
                first, second = (loads_of(part, load, count, one)[:, :count] for load in loads)
                change = second - first
                speed = np.linalg.norm(change[:3], axis=0) / mass
                rate = np.linalg.norm(change[3:], axis=0) / np.trace(inertia)
                found[name] = h * np.maximum(speed / size[0], rate / size[1])
        return found

    return function


def _errors(one: Any, other: Any, count: int, h: float) -> tuple[Any, Any]:
    """Differences of two instants in velocity, [m/s] and [rad/s] (body), with the difference in place divided
    by a step."""
    a, b = one.motion, other.motion

    def size(key: str) -> Any:
        return np.linalg.norm((getattr(b, key) - getattr(a, key))[:, :count], axis=0)

    turned = 2 * size("quaternion")
    least = np.finfo(float).tiny
    return size("velocity") + size("position") / h + least, size("spin_body") + turned / h + least


def _items(part: Part, body: str) -> str:
    """The things of a part that are on a body, by their names; the part itself if they do not show it."""
    joints = {joint.name: joint for joint in part.layout.scenario.joints}

    def on_it(item: Any) -> bool:
        held = [joints[name] for name in getattr(item, "joints_named", ()) if name in joints]
        ends = [getattr(item, "body", None), *getattr(item, "ends", ())]
        return body in [*ends, *(end for joint in held for end in (joint.parent, joint.child))]

    names = [item.name for item in part.items if on_it(item)] if part.group else []
    if not names:
        return part_text(part)
    return f"{part.group} {first_names(names)}"
