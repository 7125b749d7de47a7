"""Applied forces and torques on the bodies: gravity, given loads, springs, devices, and the gyroscopic
terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .airloads import Airload, airloads
from .contacts import Touch, contacts
from .drag_devices import Pull, drag_devices
from .environment import gravity_field, gravity_gradient
from .environment.surroundings import Surroundings
from .frame_springs import FrameSprings, frame_springs, summed
from .maths.arrays import jax, jnp
from .model import attachments, springs, tables, user_class
from .model.attachments import Motion
from .numbers import in_frame, joint_frames
from .pushes import Pushes, pushes
from .rotations import matrix_of, quaternion_of
from .slosh import Sloshing, sloshing
from .stacks import stacked
from .stops import Stops, stops
from .streams import Streams, streams
from .vectors import cross, product, rotate, rotate_back, transposed, widened

if TYPE_CHECKING:
    from .mechanism import Discrete, Mechanism, Steered


class Applied(NamedTuple):
    """total (6, body incl. ground): force [N, inertial] and torque about the mass centre [N m, body axes].

    surroundings: of all bodies, None without a planet. steered: commands and positions of actuators. streams:
    engines at work, None without any. slosh: masses in tanks, likewise. air: loads of each declaration of
    aerodynamics. named: force and torque of each given load on its body. tension (spring) [N]
    with the states of their lines, and pushes of pushers, None without any. torsion: torque on the child [N
    m, inertial axes] of each torsion spring with its angles. frame_springs: bushings and beams, and stops of
    joints, None without any. pulls: of parachutes and streamers. contacts: between bodies."""

    total: jax.Array
    surroundings: Surroundings | None
    steered: Steered
    streams: Streams | None
    air: dict[str, Airload]
    named: dict[str, tuple[jax.Array, jax.Array]]
    spring_line: springs.LineState | None
    tension: jax.Array | None
    pushes: Pushes | None
    torsion: dict[str, tuple[jax.Array, springs.Angles]]
    slosh: Sloshing | None
    frame_springs: FrameSprings | None
    stops: Stops | None
    pulls: tuple[Pull, ...]
    contacts: tuple[Touch, ...]


def applied(mechanism: Mechanism, t, x, motion: Motion, discrete: Discrete) -> Applied:
    """All loads but those of the joints, of a mechanism that has the masses of the state x."""
    layout = mechanism.layout
    origin, origin_velocity = mechanism.split(x)[4:]
    bodies = motion.position.shape[1]
    total = _gravity_and_gyroscopic(mechanism, t, motion, origin)
    surroundings = mechanism.surroundings(t, x, motion)
    steered = mechanism.steered(t, x, motion, surroundings, discrete)
    signals = steered.signals
    flowing = streams(mechanism, t, x, motion, surroundings, discrete, signals)
    if flowing is not None:
        total = total + _with_ground(flowing.total, bodies)
    slosh = None
    if layout.sloshing and flowing is not None:
        slosh = sloshing(mechanism, t, x, motion, discrete, flowing.drain, flowing.drain_rate)
        total = total + _with_ground(slosh.total, bodies)
    air = {}
    if surroundings is not None:
        air = airloads(mechanism, t, x, motion, surroundings, discrete, signals)
    for aerodynamics in layout.scenario.aerodynamics:
        index, load = layout.body(aerodynamics.body), air[aerodynamics.name]
        force = rotate(motion.rotation[:, :, index], load.force)
        total = total + _on_body(force, load.torque, index, bodies)
    named = {}
    for load in declared(mechanism, "force", "torque"):
        index = layout.body(load.body)
        force, torque = _given_load(mechanism, load, t, motion, index, discrete)
        named[load.name] = (force, torque)
        total = total + _on_body(force, torque, index, bodies)
    spring_line = tension = pushed = None
    if layout.springs:
        spring_line, tension, share = _springs(mechanism, motion)
        total = total + share
    if layout.pushers:
        pushed, share = pushes(mechanism, t, motion, discrete)
        total = total + share
    torsion = {}
    for spring in declared(mechanism, "torsion_spring"):
        torque, angles = _torsion(mechanism, spring, motion)
        torsion[spring.name] = (torque, angles)
        for end, sign in ((spring.parent, -1.0), (spring.child, 1.0)):
            k = layout.body(end)
            total = total + _on_body(
                jnp.zeros_like(torque), rotate_back(motion.rotation[:, :, k], sign * torque), k, bodies
            )
    framed = None
    if layout.frame_springs:
        framed = frame_springs(mechanism, motion, discrete)
        total = total + summed(mechanism, framed, bodies)
    stopped = None
    if layout.stops:
        stopped, share = stops(mechanism, t, motion, discrete)
        total = total + share
    pulls = ()
    if layout.drag_devices:
        pulls = drag_devices(mechanism, t, x, motion, discrete)
        for pull in pulls:
            total = total + _on_body(pull.force, pull.torque, pull.body, bodies)
    touches = ()
    if layout.contacts:
        touches, share = contacts(mechanism, motion, discrete)
        total = total + share
    for law in declared(mechanism, "user"):
        total = total + _user(mechanism, law, t, motion, origin, origin_velocity, bodies)
    lines = spring_line, tension, pushed
    held = torsion, slosh, framed, stopped, pulls, touches
    return Applied(total, surroundings, steered, flowing, air, named, *lines, *held)


def _gravity_and_gyroscopic(mechanism, t, motion, origin):
    """Weights (relative to the free fall of the local origin), -w x J w, and the torque of an uneven pull."""
    n = mechanism.layout.count
    numbers = mechanism.numbers
    w = motion.spin_body[:, :n]
    torque = -cross(w, rotate(numbers.inertia, w))
    offsets, field = motion.position[:, :n], mechanism.scenario.gravity
    planet = mechanism.scenario.planet
    if mechanism.layout.ground:
        pull = gravity_field.acceleration(field, planet, t, origin[:, None] + offsets)
    else:
        pull = gravity_field.difference(field, planet, t, origin, offsets)
    if getattr(field, "gradient_torque", False):
        gradient = gravity_gradient.gradient(field, planet, t, origin[:, None] + offsets)
        gradient = gravity_gradient.in_body_axes(gradient, motion.rotation[:, :, :n])
        torque = torque + gravity_gradient.torque(gradient, numbers.inertia)
    return _with_ground(jnp.concatenate([numbers.mass * pull, torque]), motion.position.shape[1])


def _with_ground(loads, bodies: int):
    """Loads of the bodies (6, body, *lanes), and none on the ground where that is a body too."""
    missing = bodies - loads.shape[1]
    return jnp.concatenate([loads, jnp.zeros_like(loads[:, :1])], 1) if missing else loads


def _on_body(force, torque, index, bodies):
    """A force and torque (3, *lanes) as a row of generalized forces (6, bodies, *lanes)."""
    whole = jnp.concatenate([force, torque])
    return jnp.stack([whole if k == index else jnp.zeros_like(whole) for k in range(bodies)], 1)


def _given_load(mechanism, load, t, motion, index, discrete):
    """Force [inertial] and torque about the mass centre [body axes] of a declared force or torque."""
    rotation = motion.rotation[:, :, index]
    given = load.force if load.kind == "force" else load.torque
    if hasattr(given, "interpolation"):
        points = mechanism.numbers.curves[load.name]
        value = tables.look_up_within(points, t, given.outside == "hold")
    else:
        value = jnp.broadcast_to(widened(given, 1 + t.ndim), (3, *t.shape))
    value = value * mechanism.layout.acting(load, discrete)
    inertial = rotate(rotation, value) if load.axes == "body" else value
    if load.kind == "torque":
        return jnp.zeros_like(value), rotate_back(rotation, inertial)
    arm = mechanism.numbers.arm(load.at, index)
    body_axes = value if load.axes == "body" else rotate_back(rotation, value)
    return inertial, cross(jnp.broadcast_to(arm, value.shape), body_axes)


def _springs(mechanism, motion):
    """Springs along a line: their lines, tensions on the child, and generalized forces."""
    layout, numbers = mechanism.layout, mechanism.numbers
    parent, child = layout.ends(layout.springs)
    pairs = attachments.kinematics(motion, parent, child, numbers.spring_a, numbers.spring_b)
    line = springs.along_points(pairs)
    lanes = motion.position.ndim - 2
    stiffness, damping = _stiffness_and_damping(declared(mechanism, "spring"), lanes)
    force = springs.spring_force(line, stiffness, damping, mechanism.reference.spring_length)
    on_a, on_b = attachments.lever(pairs, line.direction)
    return (
        line,
        force,
        attachments.gathered(on_a * force, on_b * force, parent, child, motion.position.shape[1]),
    )


def declared(mechanism, *kinds: str) -> list[Any]:
    """Forces or devices of some kinds, with the numbers in hand."""
    return [d for d in (*mechanism.scenario.forces, *mechanism.scenario.devices) if d.kind in kinds]


def _stiffness_and_damping(items, lanes):
    return stacked([i.stiffness for i in items], lanes), stacked([i.damping for i in items], lanes)


def _torsion(mechanism, spring, motion):
    """Torque of a torsion spring on its child [N m, inertial axes] and its angles."""
    a, b = mechanism.layout.body(spring.parent), mechanism.layout.body(spring.child)
    frame_a = joint_frames(motion.rotation[:, :, a], _frame(spring.parent_frame, motion))
    frame_b = joint_frames(motion.rotation[:, :, b], _frame(spring.child_frame, motion))
    spin = in_frame(frame_b, motion.spin[:, b] - motion.spin[:, a])
    angles = springs.sequence_angles(spring.sequence, product(transposed(frame_a), frame_b), spin)
    numbers = (spring.stiffness, spring.damping, spring.free_angles)
    torque = springs.torsion(angles, *(widened(number, angles.angle.ndim) for number in numbers))
    return rotate(frame_b, torque), angles


def _frame(attitude, motion):
    if attitude is None:
        return None
    return widened(matrix_of(quaternion_of(attitude)), motion.position.ndim)


def _user(mechanism, law, t, motion, origin, origin_velocity, bodies):
    """A force of the user's own: see `user_law`."""
    names = mechanism.layout.bodies
    view = BodyView(
        position={n: origin + motion.position[:, k] for k, n in enumerate(names)},
        velocity={n: origin_velocity + motion.velocity[:, k] for k, n in enumerate(names)},
        rotation={n: motion.rotation[:, :, k] for k, n in enumerate(names)},
        angular_velocity={n: motion.spin_body[:, k] for k, n in enumerate(names)},
    )
    total = jnp.zeros((6, *motion.position.shape[1:]))
    for name, (force, torque) in user_law(law)(t, view).items():
        index = mechanism.layout.body(name)
        total = total + _on_body(
            jnp.broadcast_to(force, origin.shape), jnp.broadcast_to(torque, origin.shape), index, bodies
        )
    return total


class BodyView(NamedTuple):
    """What a user's law sees, by body name: position [m] and velocity [m/s] of the mass centre, inertial
    axes; rotation (3, 3, ...) body to inertial; angular_velocity [rad/s], body axes. Component first, lanes
    last."""

    position: dict[str, jax.Array]
    velocity: dict[str, jax.Array]
    rotation: dict[str, jax.Array]
    angular_velocity: dict[str, jax.Array]


def user_law(law):
    """The user's object for a declared law: `package.module:Class` called with the parameters, whose numbers
    are JAX arrays, traced ones in a compiled program, that may carry lanes in a last axis of their own.

    The object is then called with the time [s] and a `BodyView`, and returns for each body that it acts on
    the force [N, inertial axes] at the mass centre and the torque [N m, body axes] about it. Raises
    BadInput if it cannot be had."""
    return user_class.made(law.class_path, law.parameters, f"forces.{law.name}.class")
