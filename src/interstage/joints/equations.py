"""Equations of joints between bodies that a host program integrates, and the projection of the host's states
on the joints.

The equations are M udot = f + A^T lam and A udot + gamma = 0 (TP-2016 eqs 29-34). Constraint rows, feedback
and elimination are the same as in the engine. Arrays are (component, body or joint or row, *cases). Array
elements are floats or recorded numbers (`maths.straight`). The caller supplies the solver for the multipliers
lam.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..formulations import attachment_stiffness, baumgarte, elimination, sharing
from ..formulations.contract import Constraints, Inertias
from ..maths import rotations
from ..maths.arrays import jnp
from ..maths.vectors import add_axes, cross, product, rotate, rotate_back
from ..model import constraint_rows
from ..model.attachments import Motion, kinematics, motion_of, pick, select
from ..model.constraint_rows import Rows, Sizes
from ..model.drive import drive, rates
from .structure import Structure

Solving = Callable[[Inertias, Constraints], Callable[[Any], Any]]
"""Function of mass properties and constraint rows. The function returns a solver of A M^-1 A^T lam = right
for lam (row, *cases).
"""


class Weights(NamedTuple):
    """Mass properties of the bodies.

    - inverse_mass (body, *cases): inverse masses [1/kg].
    - inverse_inertia [1/(kg m^2)], inertia [kg m^2] (3, 3, body, *cases): about the centres of mass,
      structural axes.
    - centre (3, body, *cases): centres of mass relative to the body origins [m], structural axes.
    """

    inverse_mass: Any
    inverse_inertia: Any
    inertia: Any
    centre: Any


class State(NamedTuple):
    """State of the bodies.

    - position [m] (3, body, *cases): centres of mass, inertial axes.
    - quaternion (4, body, *cases): scalar first, from body to inertial axes.
    - velocity [m/s] (3, body, *cases): of the centres of mass, inertial axes.
    - rate [rad/s] (3, body, *cases): angular velocity, body axes.
    """

    position: Any
    quaternion: Any
    velocity: Any
    rate: Any


class Placed(NamedTuple):
    """Motion of the bodies and constraint rows of their joints in one state.

    - frame_a, frame_b (3, 3, joint, *cases): joint frames of parents and children, axes as columns, inertial
      components.
    - turn: rotation of frame_a by prescribed motions; None without prescribed motions.
    """

    motion: Motion
    rows: Rows
    frame_a: Any
    frame_b: Any
    turn: Any


def place_rows(structure: Structure, weights: Weights, state: State, time: Any) -> Placed:
    """Return the motion of the bodies and the constraint rows of the joints in a state.

    time: time [s] of prescribed motions, or None.
    """
    quaternion = rotations.unit_quaternion(state.quaternion)
    motion = motion_of(state.position, state.velocity, quaternion, state.rate, structure.ground)
    lanes, table = state.position.ndim - 2, structure.table
    centre = _with_ground(structure, weights.centre, 1)
    arms = [
        add_axes(points, 2 + lanes) - select(centre, ends, 1)
        for points, ends in ((structure.point_a, table.parent), (structure.point_b, table.child))
    ]
    pairs = kinematics(motion, table.parent, table.child, *arms)
    frame_a = product(pairs.rotation_a, add_axes(structure.frame_a, 3 + lanes))
    frame_b = product(pairs.rotation_b, add_axes(structure.frame_b, 3 + lanes))
    sizes = Sizes(*(None if size is None else add_axes(size, 1 + lanes) for size in structure.sizes))
    driving = None if structure.motions is None else drive(structure.motions, time)
    moving = None if structure.velocities is None else rates(structure.velocities, time)
    found = constraint_rows.rows(table, pairs, frame_a, frame_b, sizes, None, driving, moving)
    return Placed(motion, found, frame_a, frame_b, None if driving is None else driving.turn)


class Loads(NamedTuple):
    """Loads of the joints.

    - on_bodies (6, body, *cases): forces [N] in inertial axes, and torques about the centres of mass [N m] in
      body axes.
    - at_joints (6, joint, *cases): load on the children at the joint points, in the parents' joint frames."""

    on_bodies: Any
    at_joints: Any


def loads(
    structure: Structure,
    weights: Weights,
    state: State,
    wrench: tuple[Any, Any],
    eta: float,
    solving: Solving,
    at: Placed,
    active: Any = None,
) -> Loads:
    """Return the loads of the joints.

    - wrench: all other loads on the bodies: forces [N] in inertial axes, and torques about the centres of
      mass [N m] in body axes, (3, body, *cases) each
    - eta: Baumgarte gain [1/s]
    - solving: creates the solver for the multipliers
    - at: motion and constraint rows of the state
    - active (row, *cases): 1 for active rows, else 0. Default: all rows are active
    """
    inertias = _inertias(structure, weights)
    free = elimination.times_inverse_mass(inertias, _force(structure, weights, state, wrench))
    bias = baumgarte.fed_back(at.rows, structure.table.holonomic, eta)
    constraints = _constraints(structure, at.rows, bias, active)
    lam = solving(inertias, constraints)(-(bias + elimination.row_rates(constraints, free)))
    if structure.loops:
        lam = _distribute(structure, inertias, constraints, at, lam)
    on_bodies = elimination.row_forces(constraints, lam, structure.count + structure.ground)
    return Loads(on_bodies[:, : structure.count], _at_joints(structure, at, lam))


def project(
    structure: Structure,
    weights: Weights,
    state: State,
    solving: Solving,
    time: Any = None,
    active: Any = None,
) -> State:
    """Return the state after one correction of the positions and one correction of the velocities.

    Each correction is minimal in the mass metric, as in `engine.mechanism` after a step. For the arguments
    see `loads`. time: time [s] of prescribed motions.
    """
    n, inertias = structure.count, _inertias(structure, weights)
    rows = place_rows(structure, weights, state, time).rows
    holonomic = structure.table.holonomic
    closing = active
    if not holonomic.all():
        positions = add_axes(jnp.asarray(holonomic, float), rows.g.ndim)
        closing = positions if active is None else active * positions
    found = _constraints(structure, rows, rows.g, closing)
    step = _move(inertias, found, solving(inertias, found)(-rows.g), n)
    quaternion = rotations.rotate_slightly(rotations.unit_quaternion(state.quaternion), step[3:])
    closed = State(state.position + step[:3], quaternion, state.velocity, state.rate)
    rows = place_rows(structure, weights, closed, time).rows
    found = _constraints(structure, rows, rows.gdot, active)
    step = _move(inertias, found, solving(inertias, found)(-rows.gdot), n)
    return closed._replace(velocity=state.velocity + step[:3], rate=state.rate + step[3:])


def _move(inertias: Inertias, constraints: Constraints, lam: Any, count: int) -> Any:
    force = elimination.row_forces(constraints, lam, inertias.inverse_mass.shape[0])
    return elimination.times_inverse_mass(inertias, force)[:, :count]


def _force(structure: Structure, weights: Weights, state: State, wrench: tuple[Any, Any]) -> Any:
    """Generalized forces (6, body incl. ground, *cases), with the gyroscopic torque."""
    force, torque = wrench
    turning = torque - cross(state.rate, rotate(weights.inertia, state.rate))
    return _with_ground(structure, jnp.concatenate([force, turning]), 1)


def _inertias(structure: Structure, weights: Weights) -> Inertias:
    mass, inertia = weights.inverse_mass, weights.inverse_inertia
    return Inertias(_with_ground(structure, mass, 0), _with_ground(structure, inertia, 2))


def _with_ground(structure: Structure, array: Any, axis: int) -> Any:
    """The array with zeros for the ground, if there is one, at the end of the axis of the bodies."""
    if not structure.ground:
        return array
    none = jnp.zeros_like(pick(array, np.array([0]), axis))
    return jnp.concatenate([array, none], axis)


def _constraints(structure: Structure, rows: Rows, bias: Any, active: Any) -> Constraints:
    return Constraints(structure.parent, structure.child, rows.on_a, rows.on_b, bias, active)


def _distribute(
    structure: Structure, inertias: Inertias, constraints: Constraints, at: Placed, lam: Any
) -> Any:
    """Multipliers after the distribution of redundant loads by stiffness."""
    matrix = elimination.response(elimination.without_masses(inertias), constraints)
    along, about = (add_axes(each, 1 + lam.ndim) for each in structure.compliances)
    frames = select(at.frame_a, structure.table.joint, 2)
    direction = rotate_back(frames, at.rows.direction)
    stiffness = attachment_stiffness.of_rows(structure.table, along, about, direction)
    return sharing.share_loads(matrix, jnp.broadcast_to(stiffness, lam.shape), lam)


def _at_joints(structure: Structure, at: Placed, lam: Any) -> Any:
    """Loads on the children at their joint points, along the axes of the parents' joint frames (TP-2016 eqs
    89, 90)."""
    table, rows = structure.table, at.rows
    load = rows.direction * lam
    whole = jnp.concatenate([load, jnp.zeros_like(load)])
    turning = jnp.concatenate([jnp.zeros_like(load), load])
    of_force = add_axes(table.forces, load.ndim - 1)
    if rows.arm is not None:
        whole = jnp.concatenate([load, cross(rows.arm, load)])
    each = jnp.where(of_force, whole, turning)
    own = (table.joint[:, None] == np.arange(len(structure.joints))[None]).astype(float)
    total = jnp.sum(each[:, :, None] * own.reshape(1, *own.shape, *(1,) * (load.ndim - 2)), 1)
    return jnp.concatenate([rotate_back(at.frame_a, total[:3]), rotate_back(at.frame_a, total[3:])])
