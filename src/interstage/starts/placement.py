"""Place the bodies as declared: in inertial axes, or relative to each other through joints."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..engine.stacks import Stacks, States, quaternions, stacks
from ..maths import rotations
from ..maths.arrays import jax, jnp, lax
from ..maths.vectors import add_axes, cross, product, rotate, rotate_back, transpose
from ..model import attachments
from ..model.attachments import Motion
from ..model.drive import drive
from ..model.initial import Placing, is_plain
from ..model.joint_rows import rows_of
from ..quantities.joints import joint_pose
from . import declared as starts
from .declared import BodyMotion


def placed_state(mechanism, lanes, t, found: Stacks | None = None, stood: Motion | None = None):
    """Return the state in which all bodies have their declared positions.

    - `lanes`: shape of the case axes.
    - t: start time [s].
    - found: stacked values of the scenario, if they are already computed.
    - stood: motion of the attachment nodes if all bodies are at rest at the origin; None if no joint
      is at a node.
    """
    layout = mechanism.layout
    if found is None:
        found = stacks(layout, mechanism.scenario, len(lanes))
    own, absolute = _by_themselves(mechanism, found.states, lanes, t)
    zero = jnp.zeros((3, *lanes))
    base = base_velocity = zero
    if own and not layout.ground:
        base, base_velocity = absolute.position[:, 0], absolute.velocity[:, 0]
        absolute = absolute._replace(
            position=absolute.position - base[:, None], velocity=absolute.velocity - base_velocity[:, None]
        )
    still = BodyMotion(zero, zero, _spread(rotations.IDENTITY, lanes), zero)
    bodies = np.argsort([*own, *(k for k, _ in layout.child_bodies)])
    # The ground is the last body.
    places = [*bodies, len(bodies)]
    others = len(layout.child_bodies) + 1
    placed = BodyMotion(
        *(
            attachments.select(
                jnp.concatenate([there, jnp.broadcast_to(s[:, None], (len(s), others, *lanes))], 1), places, 1
            )
            for there, s in zip(absolute, still, strict=True)
        )
    )
    if layout.child_bodies:
        placed = _place_tree(placed, _steps(mechanism, found, lanes, t, stood))
    r, v, q, spin = (field[:, :-1] for field in placed)
    w = rotate_back(rotations.matrix_of(q), spin)
    return mechanism.pack(r, v, q, w, base, base_velocity)


def _by_themselves(mechanism, states: States, lanes, t) -> tuple[list[int], BodyMotion]:
    """The bodies with initial states of their own, and their motion from the inertial origin in the same
    order. Bodies in inertial axes come first, as one array."""
    starting = [(k, b.initial) for k, b in enumerate(mechanism.layout.scenario.bodies)]
    plain = [k for k, initial in starting if is_plain(initial)]
    others = [k for k, initial in starting if isinstance(initial, Placing) and not is_plain(initial)]
    absolute = _from_states(mechanism, states, plain, lanes)
    if others:
        more = [starts.place_body(mechanism, k, lanes, t) for k in others]
        parts = zip(absolute, *more, strict=True)
        absolute = BodyMotion(*(jnp.concatenate([f, *(p[:, None] for p in one)], 1) for f, *one in parts))
    return [*plain, *others], absolute


def _spread(vector, lanes: tuple[int, ...]):
    """Vectors with case axes, for vectors with or without cases."""
    vector = jnp.asarray(vector, float)
    own = vector.shape if vector.ndim == 1 else vector.shape[:2]
    return jnp.broadcast_to(add_axes(vector, len(own) + len(lanes)), (*own, *lanes))


def _from_states(mechanism, states: States, own, lanes) -> BodyMotion:
    """Bodies whose centres of mass or origins are placed in inertial axes."""
    bodies = mechanism.layout.scenario.bodies
    declared = [bodies[k].initial for k in own]
    q = _spread(quaternions([s.attitude for s in declared], states.attitude, len(lanes)), lanes)
    matrix = rotations.matrix_of(q)
    position, velocity, spin, origin = (_spread(part, lanes) for part in (*states[:3], states.origin))

    def mark(flags):
        return add_axes(np.array(flags, bool)[None], 2 + len(lanes))

    in_body = mark([s.angular_velocity_axes == "body" for s in declared])
    spin = jnp.where(in_body, rotate(matrix, spin), spin)
    centre = attachments.select(mechanism.numbers.centre, own, 1) if own else jnp.zeros_like(origin)
    arm = rotate(matrix, jnp.broadcast_to(centre, position.shape) - origin)
    arm = jnp.where(mark([s.of == "origin" for s in declared]), arm, 0.0)
    return BodyMotion(position + arm, velocity + cross(spin, arm), q, spin)


class Step(NamedTuple):
    """Placement of a body from an already placed body through a joint, (component, step, *cases).

    - source, body: indices of the placed body and of the next body.
    - sign: 1 if the next body is the child of the joint, -1 if the next body is the parent.
    - arm_source, arm_body: vectors from the centres of mass of both bodies to the joint point [m],
      each in the axes of its body.
    - turn: rotation from the axes of the next body to the axes of the placed body.
    - speed [m/s], spin [rad/s]: motion of the child relative to the parent, in parent axes.
    - moving: velocity [m/s] and angular velocity [rad/s] of the joint point in the placed body and in
      the next body, each in the axes of its body; None if no joint is at a node.
    """

    source: Any
    body: Any
    sign: Any
    arm_source: Any
    arm_body: Any
    turn: Any
    speed: Any
    spin: Any
    moving: Any = None


def _steps(mechanism, found: Stacks, lanes, t, stood: Motion | None) -> Step:
    """The steps to all bodies that are placed through joints, in order."""
    layout, numbers = mechanism.layout, mechanism.numbers
    bodies, joints = (np.array(column) for column in zip(*layout.child_bodies, strict=True))
    parents, children = (np.array(ends)[joints] for ends in (layout.table.parent, layout.table.child))
    shift, angles, speed, spin = (_spread(part, lanes) for part in found.relative)
    turn = rotations.matrix_of(rotations.of_sequence("1-2-3", angles))
    turn = product(_tilts(mechanism, joints, lanes), turn)
    if layout.driven:
        driving = drive(numbers.drives, t)
        driving = [attachments.select(part, joints, part.ndim - 1 - len(lanes)) for part in driving]
        shift, speed = shift + driving[0], speed + driving[1]
        turn, spin = product(driving[3], turn), spin + driving[4]
    frame_p, frame_c = (
        jnp.broadcast_to(jnp.eye(3).reshape(3, 3, 1, *(1,) * len(lanes)), turn.shape)
        if frame is None
        else jnp.broadcast_to(attachments.select(frame, joints, 2), turn.shape)
        for frame in (numbers.frame_a, numbers.frame_b)
    )
    arm_p = attachments.select(numbers.arm_a, joints, 1) + rotate(frame_p, shift)
    arm_c = jnp.broadcast_to(attachments.select(numbers.arm_b, joints, 1), arm_p.shape)
    outer, moving = layout.columns.bodies_of(children) == bodies, None
    outward = add_axes(outer[None], 2 + len(lanes))
    if stood is not None:
        arm_p, frame_p, *of_p = _stood(stood, parents, arm_p, frame_p)
        arm_c, frame_c, *of_c = _stood(stood, children, arm_c, frame_c)
        ways = ([*of_p, *of_c], [*of_c, *of_p])
        moving = tuple(jnp.where(outward, one, other) for one, other in zip(*ways, strict=True))
    to_child = product(product(frame_p, turn), transpose(frame_c))
    return Step(
        layout.columns.bodies_of(np.where(outer, parents, children)),
        bodies,
        add_axes(np.where(outer, 1.0, -1.0), 1 + len(lanes)),
        jnp.where(outward, arm_p, arm_c),
        jnp.where(outward, arm_c, arm_p),
        jnp.where(outward[None], to_child, transpose(to_child)),
        rotate(frame_p, speed),
        rotate(frame_p, spin),
        moving,
    )


def _stood(stood: Motion, ends, arm, frame):
    """Attachment points of the joints at the columns `ends` (joint,), for bodies at rest at the origin.

    Returns arms from the centres of mass to the joint points, joint frames, and velocities and angular
    velocities of the joint points relative to their bodies, in body axes."""
    turn, spin = attachments.select(stood.rotation, ends, 2), attachments.select(stood.spin, ends, 1)
    place, speed = (attachments.select(part, ends, 1) for part in (stood.position, stood.velocity))
    out, still = rotate(turn, arm), jnp.zeros_like(arm)
    return place + out, product(turn, frame), speed + cross(spin, out), spin + still


def _place_tree(placed: BodyMotion, steps: Step) -> BodyMotion:
    """The motion of all bodies. Each body is placed from the body at the other end of its joint, one after
    the other."""

    def pass_on(placed, step: Step):
        s = BodyMotion(*(lax.dynamic_index_in_dim(f, step.source, 1, keepdims=False) for f in placed))
        matrix = rotations.matrix_of(s.quaternion)
        turned = product(matrix, step.turn)
        # Speed and spin are given in the axes of the joint's parent.
        parent = jnp.where(step.sign > 0, matrix, turned)
        spin = s.spin + step.sign * rotate(parent, step.spin)
        if step.moving is not None:
            spin = spin + rotate(matrix, step.moving[1]) - rotate(turned, step.moving[3])
        arm_s, arm_b = rotate(matrix, step.arm_source), rotate(turned, step.arm_body)
        velocity = s.velocity + step.sign * rotate(parent, step.speed)
        velocity = velocity + cross(s.spin, arm_s) - cross(spin, arm_b)
        if step.moving is not None:
            velocity = velocity + rotate(matrix, step.moving[0]) - rotate(turned, step.moving[2])
        body = BodyMotion(s.position + arm_s - arm_b, velocity, rotations.quaternion_of_matrix(turned), spin)
        put = partial(lax.dynamic_update_index_in_dim, index=step.body, axis=1)
        return BodyMotion(*(put(f, part) for f, part in zip(placed, body, strict=True))), None

    ways = Step(
        steps.source, steps.body, steps.sign,
        *jax.tree.map(lambda f: jnp.moveaxis(f, f.ndim - (steps.arm_body.ndim - 1), 0), steps[3:]),
    )  # fmt: skip
    return lax.scan(pass_on, placed, jax.tree.map(jnp.asarray, ways))[0]


def _tilts(mechanism, joints, lanes):
    """Result of `_tilt_of` for all joints, stacked."""
    declared = [mechanism.scenario.joints[j] for j in joints]
    eye = np.eye(3).reshape(3, 3, *(1,) * len(lanes))
    if all(joint.angle is None for joint in declared):
        return jnp.asarray(eye)[:, :, None]
    tilts = [eye if joint.angle is None else _tilt_of(joint, lanes) for joint in declared]
    return jnp.stack(jnp.broadcast_arrays(*tilts), 2)


def _tilt_of(joint, lanes):
    """Rotation (3, 3, *cases) of the child's joint frame in the parent's joint frame, as the joint is
    declared. The frames are parallel, or rotated about the third axis until the two axes of a rotation row
    are at the constrained angle."""
    ((b, a),) = rows_of(joint).rotations
    sign = 1.0 if (b - a) % 3 == 1 else -1.0
    angle = jnp.broadcast_to(joint.angle, lanes)
    return rotations.matrix_of(rotations.about(3 - a - b, sign * (angle - 0.5 * np.pi)))


class Pose:
    """Values at one time from which displacements and rotations in joints are computed."""

    def __init__(self, mechanism, t, x, discrete):
        self.pairs, self.frame_a, self.frame_b = mechanism.geometry(t, mechanism.motion(x), discrete)


def relative(mechanism, t, x, discrete):
    """Return the motion of the child of each joint relative to the parent, as in `ThroughJoint`, each (3,
    joint, *cases).

    The values are displacement [m], angles [rad], velocity [m/s] and angular velocity [rad/s].
    """
    mechanism = mechanism.at(x, discrete)
    pose, joints = Pose(mechanism, t, x, discrete), np.arange(len(mechanism.layout.joints))
    shift, turn = joint_pose(mechanism, pose, joints)
    frame, pairs = jnp.broadcast_to(pose.frame_a, turn.shape), pose.pairs
    speed = rotate_back(frame, pairs.gap_rate - cross(pairs.spin_a, pairs.gap))
    spin = rotate_back(frame, pairs.spin_b - pairs.spin_a)
    if mechanism.layout.driven:
        driving = drive(mechanism.numbers.drives, t)
        shift, speed, spin = shift - driving[0], speed - driving[1], spin - driving[4]
        turn = product(transpose(driving[3]), turn)
    turn = product(transpose(_tilts(mechanism, joints, t.shape)), turn)
    return shift, rotations.angles_123(turn), speed, spin
