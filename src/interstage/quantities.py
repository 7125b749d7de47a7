"""Outputs by name: one vocabulary for results, triggers, requirements, tables and plots.

A quantity is a path such as ``bodies.payload.velocity``; a component is ``.x`` ... and ``.magnitude``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp

from . import loads, rotations
from .environment import gravity as gravity_field
from .errors import near
from .layout import Layout
from .mechanism import Instant, Mechanism
from .model.names import GROUND
from .numbers import in_frame
from .record import MAGNITUDE, QuantityMeta
from .scenario import Scenario
from .vectors import cross, dot, norm, product, rotate, rotate_back, transposed

XYZ = ("x", "y", "z")


@dataclass(frozen=True)
class Quantity:
    """One named output: what it means, how it is computed, and the span at which it wraps around (angles).

    compute(moment) gives (components, *lanes), or (*lanes) for a scalar.
    """

    meta: QuantityMeta
    compute: Callable[[Moment], Any]
    period: float = math.inf


@dataclass(frozen=True)
class Moment:
    """What a quantity is computed from."""

    mechanism: Mechanism
    t: Any
    now: Instant
    discrete: Any


def catalogue(scenario: Scenario) -> dict[str, Quantity]:
    """All quantities of a scenario by path, in the order of its parts."""
    layout = Layout(scenario)
    found = {"time": Quantity(QuantityMeta("s", "time"), lambda m: m.t)}
    for k, name in enumerate(layout.bodies):
        found |= {f"bodies.{name}.{key}": q for key, q in _body(k, name).items()}
    for j, joint in enumerate(scenario.joints):
        found |= {f"joints.{joint.name}.{key}": q for key, q in _joint(layout, j, joint).items()}
    for i, a in enumerate(layout.bodies):
        for k, b in enumerate(layout.bodies):
            if i != k:
                found |= {f"pairs.{a}.{b}.{key}": q for key, q in _pair(i, k, a, b).items()}
    for name, group in (*_springs(layout), *_devices(layout)):
        found |= {f"{name}.{key}": q for key, q in group.items()}
    return found | {f"system.{key}": q for key, q in _system(layout).items()}


def lookup(quantities: dict[str, Quantity], path: str) -> tuple[Quantity, int | str | None]:
    """The quantity behind a name and the component asked for. Raises KeyError with the near names."""
    if path in quantities:
        return quantities[path], None
    stem, _, last = path.rpartition(".")
    if stem in quantities and quantities[stem].meta.components:
        components = quantities[stem].meta.components
        if last in components:
            return quantities[stem], components.index(last)
        if last == MAGNITUDE:
            return quantities[stem], MAGNITUDE
        raise KeyError(f"'{stem}' has no component '{last}'; allowed: {', '.join((*components, MAGNITUDE))}")
    raise KeyError(f"there is no quantity '{path}'; {near(path, quantities)}")


def unit_of(scenario: Scenario, path: str) -> str:
    """SI unit of a scalar quantity. Raises KeyError with a sentence that says what is wrong."""
    quantity, component = lookup(catalogue(scenario), path)
    if component is None and quantity.meta.components:
        listed = ", ".join((*quantity.meta.components, MAGNITUDE))
        raise KeyError(f"'{path}' is a vector; name a component of it: {listed}")
    return quantity.meta.unit


def scalar(quantity: Quantity, component: int | str | None, moment: Moment):
    """Value of one component (*lanes)."""
    value = quantity.compute(moment)
    if component is None:
        return value
    return norm(value) if component == MAGNITUDE else value[component]


def _vector(unit, name, frame, reference, compute, period=math.inf) -> Quantity:
    return Quantity(QuantityMeta(unit, name, frame, XYZ, reference), compute, period)


def _scalar(unit, name, compute, reference="", period=math.inf) -> Quantity:
    return Quantity(QuantityMeta(unit, name, reference=reference), compute, period)


# --- bodies
# ---------------------------------------------------------------------------------------------------------


def _inertial_position(m: Moment, k: int):
    return m.now.origin + m.now.motion.position[:, k]


def _inertial_velocity(m: Moment, k: int):
    return m.now.origin_velocity + m.now.motion.velocity[:, k]


def _inertial_acceleration(m: Moment, k: int):
    return m.mechanism.fall(m.now.origin) + m.now.acceleration[:3, k]


def _origin_arm(m: Moment, k: int):
    """From the mass centre to the body's origin [m], inertial axes."""
    point = m.mechanism.scenario.bodies[k].origin
    point = point.reshape(point.shape + (1,) * (m.now.origin.ndim - point.ndim))
    return rotate(
        m.now.motion.rotation[:, :, k],
        jnp.broadcast_to(point - m.mechanism.numbers.centre[:, k], m.now.origin.shape),
    )


def _body(k: int, name: str) -> dict[str, Quantity]:
    own = f"{name} structure axes"
    quaternion = QuantityMeta(
        "1", "attitude quaternion", "body to inertial, scalar first", ("0", "1", "2", "3")
    )
    return {
        "position": _vector("m", "position", "inertial", "mass centre", lambda m: _inertial_position(m, k)),
        "velocity": _vector("m/s", "velocity", "inertial", "mass centre", lambda m: _inertial_velocity(m, k)),
        "acceleration": _vector(
            "m/s^2", "acceleration", "inertial", "mass centre", lambda m: _inertial_acceleration(m, k)
        ),
        "attitude": Quantity(quaternion, lambda m: m.now.motion.quaternion[:, k]),
        "angular_velocity": _vector(
            "rad/s", "angular velocity", own, "", lambda m: m.now.motion.spin_body[:, k]
        ),
        "angular_acceleration": _vector(
            "rad/s^2", "angular acceleration", own, "", lambda m: m.now.acceleration[3:, k]
        ),
        "speed": _scalar("m/s", "inertial speed", lambda m: norm(_inertial_velocity(m, k)), "mass centre"),
        "origin_position": _vector(
            "m",
            "position of the origin",
            "inertial",
            "body origin",
            lambda m: _inertial_position(m, k) + _origin_arm(m, k),
        ),
        "mass": _scalar("kg", "mass", lambda m: jnp.broadcast_to(m.mechanism.numbers.mass[k], m.t.shape)),
    }


# --- joints
# ---------------------------------------------------------------------------------------------------------


def joint_load(m: Moment, j: int):
    """Force and torque on the child at the joint point, inertial axes (TP-2016 eqs 89, 90, summed over the
    rows)."""
    table, lam = m.mechanism.table, m.now.multipliers
    total = []
    for kind in (True, False):
        rows = [k for k in range(table.count) if table.joint[k] == j and table.forces[k] == kind]
        parts = [m.now.rows.direction[:, k] * lam[k] for k in rows]
        total.append(sum(parts) if parts else jnp.zeros_like(m.now.origin))
    return total


def _column(field, j, axis):
    return jnp.take(field, min(j, field.shape[axis] - 1), axis=axis)


def _load(m, j, which, frame):
    frames = m.now.frame_a if frame == "parent" else m.now.frame_b
    return in_frame(_column(frames, j, 2), joint_load(m, j)[which])


def _reaction(m, layout, j, end, which):
    """Joint load on one body as force and torque about its mass centre, that body's axes."""
    force, torque = joint_load(m, j)
    pairs = m.now.pairs
    if end == "child":
        arm, body = _column(pairs.arm_b, j, 1), m.mechanism.table.child[j]
    else:
        arm, body = _column(pairs.arm_a, j, 1) + _column(pairs.gap, j, 1), m.mechanism.table.parent[j]
        force, torque = -force, -torque
    inertial = force if which == 0 else torque + cross(arm, force)
    return rotate_back(m.now.motion.rotation[:, :, body], inertial)


def joint_pose(mechanism, now, j):
    """Displacement [m] (3) of the child's joint point and turn (3, 3) of its declared frame, parent's joint
    frame."""
    gap = in_frame(_column(now.frame_a, j, 2), _column(now.pairs.gap, j, 1))
    frame_b = _column(now.pairs.rotation_b, j, 2)
    if mechanism.numbers.frame_b is not None:
        frame_b = product(frame_b, mechanism.numbers.frame_b[:, :, j])
    return gap, product(transposed(_column(now.frame_a, j, 2)), frame_b)


def _displacement(m, j):
    return joint_pose(m.mechanism, m.now, j)[0] - m.mechanism.reference.displacement[:, j]


def _rotation(m, j):
    turn = joint_pose(m.mechanism, m.now, j)[1]
    return rotations.angles_123(product(turn, transposed(m.mechanism.reference.turn[:, :, j])))


def _violation(m, j, field):
    """Largest absolute value over the active rows of the joint."""
    rows = [k for k in range(m.mechanism.table.count) if m.mechanism.table.joint[k] == j]
    values = [jnp.abs(field[k]) * m.discrete.active[k] for k in rows]
    return jnp.max(jnp.stack(values), 0) if values else jnp.zeros_like(m.t)


def _joint(layout: Layout, j: int, joint) -> dict[str, Quantity]:
    frames = {"parent": f"{joint.parent}'s joint frame", "child": f"{joint.child}'s joint frame"}
    at, period = "joint point", 2 * math.pi
    on = f"on {joint.child}"
    found = {
        "force": _vector("N", f"joint force {on}", frames["parent"], at, lambda m: _load(m, j, 0, "parent")),
        "torque": _vector(
            "N m", f"joint torque {on}", frames["parent"], at, lambda m: _load(m, j, 1, "parent")
        ),
        "force_child": _vector(
            "N", f"joint force {on}", frames["child"], at, lambda m: _load(m, j, 0, "child")
        ),
        "torque_child": _vector(
            "N m", f"joint torque {on}", frames["child"], at, lambda m: _load(m, j, 1, "child")
        ),
        "displacement": _vector(
            "m", "joint displacement", frames["parent"], at, lambda m: _displacement(m, j)
        ),
        "rotation": _vector(
            "rad", "joint rotation (1-2-3 angles)", frames["parent"], "", lambda m: _rotation(m, j), period
        ),
        "violation": _scalar(
            "1", "constraint violation (m, or direction cosine)", lambda m: _violation(m, j, m.now.rows.g)
        ),
        "violation_rate": _scalar(
            "1/s", "rate of the constraint violation", lambda m: _violation(m, j, m.now.rows.gdot)
        ),
        "active": _scalar("1", "mode (0 free, 1 as declared)", lambda m: m.discrete.mode[j].astype(float)),
    }
    if layout.capturing:
        found["impulse"] = _vector(
            "N s", f"capture impulse {on}", frames["parent"], at, lambda m: _impulse(m, j, True)
        )
        found["angular_impulse"] = _vector(
            "N m s", f"capture angular impulse {on}", frames["parent"], at, lambda m: _impulse(m, j, False)
        )
    for end in ("parent", "child"):
        if getattr(joint, end) == GROUND:
            continue
        axes, about = f"{getattr(joint, end)} structure axes", f"mass centre of {getattr(joint, end)}"
        found[f"reaction_{end}_force"] = _vector(
            "N",
            f"joint load on {getattr(joint, end)}",
            axes,
            about,
            lambda m, e=end: _reaction(m, layout, j, e, 0),
        )
        found[f"reaction_{end}_torque"] = _vector(
            "N m",
            f"joint load on {getattr(joint, end)}",
            axes,
            about,
            lambda m, e=end: _reaction(m, layout, j, e, 1),
        )
    return found


def _impulse(m, j, force):
    """Impulse of the last capture on the child, parent's joint frame."""
    table = m.mechanism.table
    rows = [k for k in range(table.count) if table.joint[k] == j and table.forces[k] == force]
    parts = [m.now.rows.direction[:, k] * m.discrete.impulse[k] for k in rows]
    total = sum(parts) if parts else jnp.zeros_like(m.now.origin)
    return in_frame(_column(m.now.frame_a, j, 2), total)


# --- pairs
# ----------------------------------------------------------------------------------------------------------


def _between(m, i, k):
    return m.now.motion.position[:, k] - m.now.motion.position[:, i]


def _approach(m, i, k):
    """Rate of the distance between mass centres [m/s], negative when they come closer."""
    gap = _between(m, i, k)
    rate = m.now.motion.velocity[:, k] - m.now.motion.velocity[:, i]
    distance = norm(gap)
    return dot(gap, rate) / jnp.where(distance > 0, distance, 1.0)


def _relative_velocity(m, i, k):
    """Velocity of B's mass centre as seen from A (its rotation taken out), A's axes."""
    gap, spin = _between(m, i, k), m.now.motion.spin[:, i]
    rate = m.now.motion.velocity[:, k] - m.now.motion.velocity[:, i] - cross(spin, gap)
    return rotate_back(m.now.motion.rotation[:, :, i], rate)


def _relative_rate(m, i, k):
    return rotate_back(m.now.motion.rotation[:, :, k], m.now.motion.spin[:, k] - m.now.motion.spin[:, i])


def _pair(i, k, a, b) -> dict[str, Quantity]:
    frame, at = f"{a} structure axes", "mass centres"
    return {
        "distance": _scalar("m", "distance", lambda m: norm(_between(m, i, k)), at),
        "separation": _vector(
            "m",
            f"{b} from {a}",
            frame,
            at,
            lambda m: rotate_back(m.now.motion.rotation[:, :, i], _between(m, i, k)),
        ),
        "relative_velocity": _vector(
            "m/s", f"velocity of {b} seen from {a}", frame, at, lambda m: _relative_velocity(m, i, k)
        ),
        "separation_speed": _scalar("m/s", "rate of the distance", lambda m: _approach(m, i, k), at),
        "closing_speed": _scalar("m/s", "closing speed", lambda m: -_approach(m, i, k), at),
        "relative_speed": _scalar(
            "m/s",
            "inertial relative speed",
            lambda m: norm(m.now.motion.velocity[:, k] - m.now.motion.velocity[:, i]),
            at,
        ),
        "relative_rate": _vector(
            "rad/s",
            f"angular velocity of {b} relative to {a}",
            f"{b} structure axes",
            "",
            lambda m: _relative_rate(m, i, k),
        ),
        "tip_off_rate": _scalar(
            "rad/s", f"angular speed of {b} relative to {a}", lambda m: norm(_relative_rate(m, i, k))
        ),
    }


# --- springs and devices
# --------------------------------------------------------------------------------------------


def _springs(layout: Layout):
    for k, spring in enumerate(layout.springs):
        yield (
            f"forces.{spring.name}",
            {
                "force": _scalar("N", "force (positive pushes apart)", lambda m, k=k: m.now.loads.tension[k]),
                "length": _scalar("m", "length", lambda m, k=k: m.now.loads.spring_line.length[k]),
                "rate": _scalar("m/s", "rate of the length", lambda m, k=k: m.now.loads.spring_line.rate[k]),
            },
        )
    for spring in layout.torsions:
        axes = tuple(f"{n}" for n in range(1, 1 + len(spring.sequence.split("-"))))
        name = spring.name
        yield (
            f"forces.{name}",
            {
                "torque": _vector(
                    "N m",
                    f"torque on {spring.child}",
                    "inertial",
                    "",
                    lambda m, n=name: m.now.loads.torsion[n][0],
                ),
                "angle": Quantity(
                    QuantityMeta("rad", "angles of the sequence", "", axes),
                    lambda m, n=name: m.now.loads.torsion[n][1].angle,
                ),
            },
        )
    for load in layout.loads:
        name, body = load.name, load.body
        yield (
            f"forces.{name}",
            {
                "force": _vector(
                    "N",
                    f"force on {body}",
                    "inertial",
                    "mass centre",
                    lambda m, n=name: m.now.loads.named[n][0],
                ),
                "torque": _vector(
                    "N m",
                    f"torque on {body}",
                    f"{body} structure axes",
                    "mass centre",
                    lambda m, n=name: m.now.loads.named[n][1],
                ),
            },
        )


def push_energy(m: Moment, k: int):
    """Energy left in a kick-off spring [J]: what it can still give over the rest of its free travel."""
    device = loads.declared_pushes(m.mechanism)[k]
    left = m.mechanism.reference.push_force[k] / device.stiffness - _extension(m, k)
    return 0.5 * device.stiffness * left**2 * m.discrete.pushing[k]


def _extension(m, k):
    return m.now.loads.push_line.length[k] - m.mechanism.reference.push_length[k]


def _devices(layout: Layout):
    for k, device in enumerate(layout.kickoffs):
        yield (
            f"devices.{device.name}",
            {
                "force": _scalar("N", f"force on {device.child}", lambda m, k=k: m.now.loads.push[k]),
                "stroke": _scalar("m", "stroke used", lambda m, k=k: _extension(m, k)),
                "energy": _scalar("J", "energy stored", lambda m, k=k: push_energy(m, k)),
                "state": _scalar("1", "state (1 pushing, 0 not)", lambda m, k=k: m.discrete.pushing[k]),
            },
        )


# --- the whole system
# -----------------------------------------------------------------------------------------------


def _momentum(m):
    n = m.mechanism.layout.count
    return jnp.sum(
        m.mechanism.numbers.mass * (m.now.origin_velocity[:, None] + m.now.motion.velocity[:, :n]), 1
    )


def _offset_centre(m):
    """The system's mass centre from the local origin, and its relative velocity."""
    n, mass = m.mechanism.layout.count, m.mechanism.numbers.mass
    total = jnp.sum(mass, 0)
    position = jnp.sum(mass * m.now.motion.position[:, :n], 1) / total
    return position, jnp.sum(mass * m.now.motion.velocity[:, :n], 1) / total


def _angular_momentum(m):
    """About the system's mass centre, inertial axes."""
    n, numbers, motion = m.mechanism.layout.count, m.mechanism.numbers, m.now.motion
    centre, drift = _offset_centre(m)
    arm, speed = motion.position[:, :n] - centre[:, None], motion.velocity[:, :n] - drift[:, None]
    own = rotate(motion.rotation[:, :, :n], rotate(numbers.inertia, motion.spin_body[:, :n]))
    return jnp.sum(own + numbers.mass * cross(arm, speed), 1)


def _kinetic(m):
    n, numbers, motion = m.mechanism.layout.count, m.mechanism.numbers, m.now.motion
    speed = m.now.origin_velocity[:, None] + motion.velocity[:, :n]
    w = motion.spin_body[:, :n]
    return 0.5 * jnp.sum(numbers.mass * dot(speed, speed) + dot(w, rotate(numbers.inertia, w)), 0)


def _potential(m):
    n, scenario = m.mechanism.layout.count, m.mechanism.scenario
    position = m.now.origin[:, None] + m.now.motion.position[:, :n]
    total = jnp.sum(m.mechanism.numbers.mass * gravity_field.potential(scenario.gravity, position), 0)
    for k, spring in enumerate(f for f in scenario.forces if f.kind == "spring"):
        stretch = m.now.loads.spring_line.length[k] - m.mechanism.reference.spring_length[k]
        total = total + 0.5 * spring.stiffness * stretch**2
    for spring in (f for f in scenario.forces if f.kind == "torsion_spring"):
        angle = m.now.loads.torsion[spring.name][1].angle
        wide = lambda v, a=angle: v.reshape(v.shape + (1,) * (a.ndim - v.ndim))  # noqa: E731
        total = total + 0.5 * jnp.sum(wide(spring.stiffness) * (angle - wide(spring.free_angles)) ** 2, 0)
    for k in range(len(m.mechanism.layout.kickoffs)):
        total = total + push_energy(m, k)
    return total


def _system(layout: Layout) -> dict[str, Quantity]:
    at = "system's mass centre"
    return {
        "momentum": _vector("kg m/s", "linear momentum", "inertial", "", _momentum),
        "angular_momentum": _vector("kg m^2/s", "angular momentum", "inertial", at, _angular_momentum),
        "mass_centre": _vector(
            "m", "mass centre", "inertial", at, lambda m: m.now.origin + _offset_centre(m)[0]
        ),
        "kinetic_energy": _scalar("J", "kinetic energy", _kinetic),
        "potential_energy": _scalar("J", "potential energy", _potential),
        "energy": _scalar("J", "energy", lambda m: _kinetic(m) + _potential(m)),
    }
