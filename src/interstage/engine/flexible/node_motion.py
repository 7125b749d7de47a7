"""Motion, loads and accelerations of the attachment nodes of flexible bodies.

A point with the shapes phi and psi has the displacement d = phi q and the rotation vector theta = psi q. The
angular velocity of the point relative to the body is J(theta) theta' (`maths.rotation_vectors`). The
generalized loads of a force F and a torque T at the point are phi^T F + psi^T J^T T. Displacements and
rotations may have any size.

If shapes change with mass, a point moves even with constant modal coordinates. The velocity (d phi/d level) q
level' is added to phi q' (`here.Here.moving`). Second-order terms of level' are neglected in accelerations;
the projection of joints corrects them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...maths import rotation_vectors
from ...maths.arrays import jnp, jvp
from ...maths.rotations import matrix_of, multiply
from ...maths.vectors import cross, rotate, rotate_back
from ...model.attachments import Motion, pick
from .modal_stiffness import Modes, along


class NodeStates(NamedTuple):
    """Motion of nodes relative to their bodies, body axes, (3, node, *cases).

    - arm [m]: vector from the centre of mass. speed [m/s]: velocity relative to the body.
    - turn [rad]: rotation vector. spin [rad/s]: angular velocity relative to the body.
    - rotation (3, 3, node, *cases), quaternion (4, node, *cases): rotation from node axes to body axes.
    """

    arm: Any
    speed: Any
    turn: Any
    spin: Any
    rotation: Any
    quaternion: Any


class Drift(NamedTuple):
    """Motion of nodes due to shapes that change with mass, body axes, (3, node, *cases).

    - shifted [m/s], tilted [rad/s]: velocities and rates of the rotation vectors for constant modal
      coordinates.
    - moved [m/s^2], turned [rad/s^2]: the same expressions, with q replaced by q'.
    """

    shifted: Any
    tilted: Any
    moved: Any
    turned: Any


class Carriers(NamedTuple):
    """Motion of the body of each node.

    - rotation (3, 3, node, *cases): rotation matrices.
    - spin_body (3, node, *cases): angular velocities [rad/s], body axes.
    - acceleration (6, node, *cases): accelerations.
    """

    rotation: Any
    spin_body: Any
    acceleration: Any


def states(modes: Modes, q: Any, rate: Any) -> NodeStates:
    """Return the motion of the nodes relative to their bodies. q, rate (mode, *cases): modal coordinates and
    their rates.
    """
    moved, turn = (along(shape, q) for shape in (modes.phi, modes.psi))
    speed, turned = (along(shape, rate) for shape in (modes.phi, modes.psi))
    quaternion = rotation_vectors.attitude(turn)
    spin = rotation_vectors.turning(turn, turned)
    return NodeStates(modes.arm + moved, speed, turn, spin, matrix_of(quaternion), quaternion)


def motion(nodes: NodeStates, of_bodies: Motion, bodies: Any) -> Motion:
    """Return the motion of the nodes from their motion relative to the bodies.

    of_bodies: motion of all bodies. bodies (node,): index of the body of each node.
    """
    turn, spin = pick(of_bodies.rotation, bodies, 2), pick(of_bodies.spin_body, bodies, 1)
    position = pick(of_bodies.position, bodies, 1) + rotate(turn, nodes.arm)
    speed = cross(spin, nodes.arm) + nodes.speed
    velocity = pick(of_bodies.velocity, bodies, 1) + rotate(turn, speed)
    quaternion = multiply(pick(of_bodies.quaternion, bodies, 1), nodes.quaternion)
    whole = spin + nodes.spin
    own = rotate_back(nodes.rotation, whole)
    return Motion(position, velocity, matrix_of(quaternion), rotate(turn, whole), own, quaternion)


def drifting(nodes: NodeStates, motion: Motion, rotation: Any, shifted: Any, tilted: Any) -> Motion:
    """Return the motion of the nodes including the effect of shapes that change with mass.

    - motion: motion of the nodes without this effect.
    - rotation (3, 3, node, *cases): rotation matrices of their bodies.
    - shifted, tilted: see `Drift`.
    """
    turned = rotation_vectors.turning(nodes.turn, tilted)
    spin_body = motion.spin_body + rotate_back(nodes.rotation, turned)
    velocity, spin = motion.velocity + rotate(rotation, shifted), motion.spin + rotate(rotation, turned)
    return motion._replace(velocity=velocity, spin=spin, spin_body=spin_body)


def loads(modes: Modes, nodes: NodeStates, rotation: Any, on_nodes: Any, which: Any) -> tuple[Any, Any]:
    """Return loads on nodes as loads on their bodies (6, load, *cases), and as generalized loads on modes
    (mode, load, *cases).

    - on_nodes (6, load, *cases): forces in inertial axes, torques in node axes.
    - rotation (3, 3, load, *cases): rotation matrices of the bodies of the loaded nodes.
    - which (load,): indices of the loaded nodes (constant).
    """
    force = rotate_back(rotation, on_nodes[:3])
    torque = rotate(pick(nodes.rotation, which, 2), on_nodes[3:])
    on_body = jnp.concatenate([on_nodes[:3], torque + cross(pick(nodes.arm, which, 1), force)])
    torque = rotation_vectors.work(pick(nodes.turn, which, 1), torque)
    phi, psi = (pick(shape, which, 1) for shape in (modes.phi, modes.psi))
    pushed = jnp.sum(phi * force[:, :, None] + psi * torque[:, :, None], 0)
    return on_body, jnp.swapaxes(pushed, 0, 1)


def accelerations(
    modes: Modes, nodes: NodeStates, rates: tuple[Any, Any], carriers: Carriers, drift: Drift | None
) -> Any:
    """Return the accelerations of the nodes (6, node, *cases): linear in inertial axes, angular in node axes.

    - rates: rates and accelerations of the modal coordinates (mode, *cases).
    - carriers: motion of the bodies of the nodes.
    - drift: None for shapes that do not change with mass.
    """
    (rotation, w, of_body), speed = carriers, nodes.speed
    first, then = (along(modes.psi, each) for each in rates)
    if drift is not None:
        speed, first, then = speed + drift.shifted, first + drift.tilted, then + 2 * drift.turned
    spin, spun = jvp(rotation_vectors.turning, (nodes.turn, first), (first, then))
    relative = cross(of_body[3:], nodes.arm) + cross(w, cross(w, nodes.arm) + 2 * speed)
    relative = relative + along(modes.phi, rates[1])
    relative = relative if drift is None else relative + 2 * drift.moved
    angular = rotate_back(nodes.rotation, of_body[3:] + spun - cross(spin, w))
    return jnp.concatenate([of_body[:3] + rotate(rotation, relative), angular])
