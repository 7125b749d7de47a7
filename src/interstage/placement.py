"""Where the bodies start: placed in inertial axes, or through joints, then made consistent with the
joints."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from . import loads, rotations
from .events import EventTable
from .flow import active_rows
from .formulations import elimination
from .layout import Layout
from .mechanism import Discrete, Mechanism, Reference
from .model import attachments
from .model.body import State
from .model.drive import drive
from .model.joint_rows import rows_of
from .model.names import GROUND
from .model.placement import placement_order
from .quantities.joints import joint_pose
from .vectors import cross, norm, product, rotate, rotate_back, transposed, widened

# Newton corrections of the start; each squares the error that is left.
CORRECTIONS = 8


class Placed(NamedTuple):
    """Motion of one body while the bodies are being placed: position and velocity [m, m/s] of the mass
    centre from the base, inertial axes; quaternion; angular velocity [rad/s], inertial axes."""

    position: Any
    velocity: Any
    quaternion: Any
    spin: Any


class Start(NamedTuple):
    """The start of a flight and what making it consistent took.

    gap (row), gap_rate (row): g and gdot as declared. moved [m] (body), turned [rad], sped [m/s], spun
    [rad/s]: corrections. facing (3, 3, joint): turn of the child's joint frame from where it is declared to
    be, the parent's frame turned as far as it is driven. left, left_rate, left_acceleration (row): g, gdot
    and gddot afterwards, the last of these of the motion nearest to the free one; rate_size,
    acceleration_size: the largest term of any row of these. response_placed, response (row, row): A M^-1 A^T
    of the active rows as declared and afterwards."""

    x: jax.Array
    discrete: Discrete
    reference: Reference
    gap: jax.Array
    gap_rate: jax.Array
    left: jax.Array
    left_rate: jax.Array
    left_acceleration: jax.Array
    rate_size: jax.Array
    acceleration_size: jax.Array
    moved: jax.Array
    turned: jax.Array
    sped: jax.Array
    spun: jax.Array
    facing: jax.Array
    response_placed: jax.Array
    response: jax.Array


def order(layout: Layout) -> list[tuple[int, int | None]]:
    """(body, joint through which it is placed or None) in an order in which each can be placed."""
    scenario = layout.scenario
    through, _ = placement_order(scenario.bodies, scenario.joints)
    later = {placed.body for placed in through}
    placed_first = [(k, None) for k, body in enumerate(scenario.bodies) if body.name not in later]
    after = [(layout.body(placed.body), layout.joints.index(placed.joint)) for placed in through]
    return [*placed_first, *after]


def begin(mechanism: Mechanism, table: EventTable, lanes: tuple[int, ...], t0) -> Start:
    """State, switches and references at the start, made consistent with the joints that hold."""
    t = jnp.full(lanes, t0, float)
    x = _placed_state(mechanism, lanes, t)
    discrete = _first_switches(mechanism, table, lanes)
    mechanism.settled = _lengths(mechanism, x, lanes)
    gap = gap_rate = left = left_rate = jnp.zeros((0, *lanes))
    response_placed = response = jnp.zeros((0, 0, *lanes))
    corrected = x
    if mechanism.table.count:
        gap, gap_rate, response_placed = violation(mechanism, t, x, discrete)

        def correct(_, x):
            return mechanism.corrected(t, x, discrete)[0]

        solver = mechanism.layout.scenario.solver
        if solver.stabilization == "projection":
            corrected = jax.lax.fori_loop(0, CORRECTIONS, correct, x)
        left, left_rate, response = violation(mechanism, t, corrected, discrete)
    mechanism.settled = _references(mechanism, t, corrected, mechanism.reference, discrete)
    unsatisfied = jnp.zeros((0, *lanes)), jnp.zeros(lanes), jnp.zeros(lanes)
    if mechanism.layout.loops:
        unsatisfied = _unsatisfied(mechanism, t, corrected, discrete)
    change = *_change(mechanism, x, corrected), mechanism.reference.turn
    if mechanism.layout.driven:
        turned = drive(mechanism.numbers.drives, t).turn
        change = *change[:-1], product(transposed(turned), mechanism.reference.turn)
    found = gap, gap_rate, left, left_rate, *unsatisfied, *change, response_placed, response
    return Start(corrected, discrete, mechanism.reference, *found)


def violation(mechanism, t, x, discrete):
    """g and gdot of the active rows, and A M^-1 A^T."""
    motion = mechanism.motion(x)
    rows = mechanism.rows(t, *mechanism.geometry(t, motion, discrete), discrete)
    constraints = mechanism.constraints(rows, rows.gamma, discrete)
    active = 1.0 if constraints.active is None else constraints.active
    response = elimination.response(mechanism.numbers.inertias, constraints)
    return rows.g * active, rows.gdot * active, response


def _unsatisfied(mechanism, t, x, discrete):
    """What the accelerations nearest to the free ones leave of A udot + gamma in the active rows, and the
    sizes of the terms of the rows' velocities and accelerations."""
    motion = mechanism.motion(x)
    rows = mechanism.rows(t, *mechanism.geometry(t, motion, discrete), discrete)
    constraints = mechanism.constraints(rows, rows.gamma, discrete)
    inertias = mechanism.numbers.inertias
    origin, origin_velocity = mechanism.split(x)[4:]
    force = loads.applied(mechanism, t, motion, origin, origin_velocity, discrete).total
    free = elimination.times_inverse_mass(inertias, force)
    prepared = elimination.prepare(inertias, constraints, True)
    found, _ = elimination.nearest(prepared, inertias, free, constraints)
    active = 1.0 if constraints.active is None else constraints.active
    left = (rows.gamma + elimination.row_rates(constraints, found)) * active
    rates = elimination.row_rates(constraints, jnp.concatenate([motion.velocity, motion.spin_body]))
    size = jnp.maximum(jnp.abs(rows.gamma), jnp.abs(elimination.row_rates(constraints, free)))
    return left, jnp.max(jnp.abs(rates), 0), jnp.max(size * active, 0)


def _change(mechanism, x, corrected):
    """How far bodies were moved and turned, and their velocities changed."""
    r0, v0, q0, w0, *_ = mechanism.split(x)
    r1, v1, q1, w1, *_ = mechanism.split(corrected)
    turn = rotations.multiply(rotations.conjugate(q0), q1)
    return norm(r1 - r0), 2 * norm(turn[1:]), norm(v1 - v0), norm(w1 - w0)


def _placed_state(mechanism, lanes, t):
    layout, scenario, numbers = mechanism.layout, mechanism.scenario, mechanism.numbers
    zero = jnp.zeros((3, *lanes))
    ground = Placed(zero, zero, _spread(rotations.IDENTITY, lanes), zero)
    base = base_velocity = None
    found = {GROUND: ground}
    driving = drive(numbers.drives, t) if layout.driven else None
    for k, j in order(layout):
        name = layout.bodies[k]
        if j is None:
            absolute = _from_state(scenario.bodies[k], numbers.centre[:, k], lanes)
            if base is None and not layout.ground:
                base, base_velocity = absolute.position, absolute.velocity
            elif base is None:
                base, base_velocity = zero, zero
            placed = absolute._replace(
                position=absolute.position - base, velocity=absolute.velocity - base_velocity
            )
        else:
            placed = _through(mechanism, found, k, j, lanes, driving)
        found[name] = placed
    base = zero if base is None else base
    base_velocity = zero if base_velocity is None else base_velocity
    fields = zip(*(found[name] for name in layout.bodies), strict=True)
    r, v, q, spin = (jnp.stack(parts, 1) for parts in fields)
    w = rotate_back(rotations.matrix_of(q), spin)
    return mechanism.pack(r, v, q, w, base, base_velocity)


def _spread(vector, lanes: tuple[int, ...]):
    """A vector, with or without lanes, in every lane."""
    vector = jnp.asarray(vector, float)
    return jnp.broadcast_to(widened(vector, 1 + len(lanes)), (vector.shape[0], *lanes))


def _from_state(body, centre, lanes) -> Placed:
    """A body placed in inertial axes, by its mass centre or by its origin."""
    state: State = body.initial
    q = _spread(rotations.quaternion_of(state.attitude), lanes)
    matrix = rotations.matrix_of(q)
    spin = _spread(state.angular_velocity, lanes)
    spin = rotate(matrix, spin) if state.angular_velocity_axes == "body" else spin
    position, velocity = _spread(state.position, lanes), _spread(state.velocity, lanes)
    if state.of == "origin":
        arm = rotate(matrix, jnp.broadcast_to(centre, position.shape) - _spread(body.origin, lanes))
        position, velocity = position + arm, velocity + cross(spin, arm)
    return Placed(position, velocity, q, spin)


def _through(mechanism, found, k, j, lanes, driving) -> Placed:
    """A body placed through joint j from the body at its other end, in either direction."""
    layout, scenario, numbers = mechanism.layout, mechanism.scenario, mechanism.numbers
    joint, initial = scenario.joints[j], scenario.bodies[k].initial
    names = "displacement", "rotation", "relative_velocity", "relative_angular_velocity"
    shift, angles, speed, spin = (_spread(getattr(initial, name, np.zeros(3)), lanes) for name in names)
    turn = rotations.matrix_of(rotations.of_sequence("1-2-3", angles))
    if joint.angle is not None:
        turn = product(_tilted(joint, lanes), turn)
    if driving is not None:
        shift, turn = shift + driving.shift[:, j], product(driving.turn[:, :, j], turn)
        speed, spin = speed + driving.shift_rate[:, j], spin + driving.turn_rate[:, j]
    frame_p = rotations.matrix_of(_spread(rotations.quaternion_of(joint.parent_frame), lanes))
    frame_c = rotations.matrix_of(_spread(rotations.quaternion_of(joint.child_frame), lanes))
    arm_p = jnp.broadcast_to(numbers.arm_a[:, j], shift.shape) + rotate(frame_p, shift)
    arm_c = jnp.broadcast_to(numbers.arm_b[:, j], shift.shape)
    to_child = product(product(frame_p, turn), transposed(frame_c))
    speed, spin = rotate(frame_p, speed), rotate(frame_p, spin)
    if joint.child == layout.bodies[k]:
        p = found[joint.parent]
        matrix = rotations.matrix_of(p.quaternion)
        child = product(matrix, to_child)
        spin_c = p.spin + rotate(matrix, spin)
        arm_p, arm_c = rotate(matrix, arm_p), rotate(child, arm_c)
        velocity = p.velocity + cross(p.spin, arm_p) + rotate(matrix, speed) - cross(spin_c, arm_c)
        return Placed(p.position + arm_p - arm_c, velocity, rotations.quaternion_of_matrix(child), spin_c)
    c = found[joint.child]
    child = rotations.matrix_of(c.quaternion)
    matrix = product(child, transposed(to_child))
    spin_p = c.spin - rotate(matrix, spin)
    arm_p, arm_c = rotate(matrix, arm_p), rotate(child, arm_c)
    velocity = c.velocity + cross(c.spin, arm_c) - rotate(matrix, speed) - cross(spin_p, arm_p)
    return Placed(c.position + arm_c - arm_p, velocity, rotations.quaternion_of_matrix(matrix), spin_p)


def _tilted(joint, lanes):
    """Turn (3, 3, *lanes) of the child's joint frame, as the joint is declared, in the parent's: parallel, or
    turned about the third axis until the two axes of a rotation row are at the angle that it holds."""
    ((b, a),) = rows_of(joint).rotations
    sign = 1.0 if (b - a) % 3 == 1 else -1.0
    angle = jnp.broadcast_to(joint.angle, lanes)
    return rotations.matrix_of(rotations.about(3 - a - b, sign * (angle - 0.5 * np.pi)))


def _first_switches(mechanism, table: EventTable, lanes) -> Discrete:
    layout = mechanism.layout
    mode = (
        jnp.stack([jnp.full(lanes, int(j.active)) for j in layout.scenario.joints])
        if layout.joints
        else jnp.zeros((0, *lanes), int)
    )
    pushing = [jnp.full(lanes, 0.0 if spring.after else 1.0) for spring in layout.kickoffs]
    capturing = layout.capturing
    frame = mechanism.numbers.frame_b
    if capturing and frame is None:
        eye = jnp.eye(3).reshape(3, 3, 1, *(1,) * len(lanes))
        frame = jnp.broadcast_to(eye, (3, 3, len(layout.joints), *lanes))
    elif capturing:
        frame = jnp.broadcast_to(frame, (*frame.shape[:3], *lanes))
    rows = mechanism.table.count
    events, conditions = len(table.happenings), len(table.conditions)
    return Discrete(
        fired=jnp.zeros((events, *lanes), bool),
        event_time=jnp.full((events, *lanes), jnp.inf),
        latched=jnp.zeros((conditions, *lanes), bool),
        mode=mode,
        active=active_rows(layout, list(mode)) if layout.joints else jnp.zeros((0, *lanes)),
        pushing=jnp.stack(pushing) if pushing else jnp.zeros((0, *lanes)),
        stretched=jnp.zeros((len(pushing), *lanes)),
        phase=jnp.zeros(lanes, int),
        over=jnp.zeros(lanes, bool),
        late=jnp.zeros(lanes, bool),
        child_frame=frame if capturing else None,
        offset=jnp.zeros((rows, *lanes)) if capturing else None,
        impulse=jnp.zeros((rows, *lanes)) if capturing else None,
    )


def _lengths(mechanism, x, lanes) -> Reference:
    """Lengths that are taken from the initial pose where none is declared."""
    motion, joints = mechanism.motion(x), len(mechanism.layout.joints)
    lengths, forces = _installed(mechanism, motion)

    def stack(parts):
        return jnp.stack(parts) if parts else jnp.zeros((0, *lanes))

    return Reference(
        rod_length=stack(_rods(mechanism, motion)),
        spring_length=stack(_free_lengths(mechanism, motion)),
        push_length=stack(lengths),
        push_force=stack(forces),
        displacement=jnp.zeros((3, joints, *lanes)),
        turn=jnp.zeros((3, 3, joints, *lanes)),
    )


def _rods(mechanism, motion):
    """Lengths of the rods."""
    table, numbers = mechanism.table, mechanism.numbers
    if not table.rods:
        return []
    pairs = attachments.kinematics(motion, table.parent, table.child, numbers.arm_a, numbers.arm_b)
    distances = [norm(attachments.column(pairs.gap, j, 1)) for j in table.rods]
    modes = table.modes[len(table.translations) :][: len(table.rods)]
    declared = [
        mechanism.layout.declared(mechanism.scenario, j, m).length if m else None
        for j, m in zip(table.rods, modes, strict=True)
    ]
    return [_declared_or(length, found) for length, found in zip(declared, distances, strict=True)]


def _free_lengths(mechanism, motion):
    """Free lengths of the springs along a line."""
    layout, numbers = mechanism.layout, mechanism.numbers
    if not layout.springs:
        return []
    parent, child = layout.ends(layout.springs)
    pairs = attachments.kinematics(motion, parent, child, numbers.spring_a, numbers.spring_b)
    declared = loads.declared(mechanism, "spring")
    return [_declared_or(s.free_length, norm(pairs.gap[:, k])) for k, s in enumerate(declared)]


def _installed(mechanism, motion):
    """Lengths of the kick-off springs as they are installed, and their forces there."""
    if not mechanism.layout.kickoffs:
        return [], []
    _, line = loads.push_lines(mechanism, motion)
    lengths, forces = [], []
    for k, device in enumerate(loads.declared(mechanism, "kickoff_spring")):
        length, force = line.length[k], device.preload
        if force is None:
            force = device.stiffness * (device.free_length - length)
        lengths.append(length)
        forces.append(jnp.broadcast_to(force, length.shape))
    return lengths, forces


def _declared_or(declared, found):
    return found if declared is None else jnp.broadcast_to(declared, found.shape)


def _references(mechanism, t, x, reference: Reference, discrete) -> Reference:
    """Poses of the joints from which their displacements and rotations count."""
    if not mechanism.layout.joints:
        return reference
    now = _Pose(mechanism, t, x, discrete)
    poses = [joint_pose(mechanism, now, j) for j in range(len(mechanism.layout.joints))]
    return reference._replace(
        displacement=jnp.stack([p for p, _ in poses], 1),
        turn=jnp.stack([q for _, q in poses], 2),
    )


class _Pose:
    """The part of an instant that poses of joints need."""

    def __init__(self, mechanism, t, x, discrete):
        self.pairs, self.frame_a, self.frame_b = mechanism.geometry(t, mechanism.motion(x), discrete)
