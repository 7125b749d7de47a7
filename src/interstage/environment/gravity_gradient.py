"""Gravity gradient and its torque on a body.

The gradient of the acceleration is a matrix with the elements (i, j) = d g_i/d x_j [1/s^2]. The matrix is
symmetric. In free space its trace is zero.
"""

from __future__ import annotations

from typing import Any

from ..maths.arrays import jnp
from ..maths.vectors import cube, dot, outer_identity, product, transpose
from . import harmonics, zonal
from .gravity import HarmonicGravity, InverseSquareGravity, ZonalGravity
from .planet import broadcast_vector


def gradient(gravity: Any, planet: Any, time: Any, position: Any) -> Any:
    """Return the gravity gradient (3, 3, ...) [1/s^2] of any field at inertial positions [m] (3, ...) at a
    time [s], inertial axes.

    In a uniform field the gradient is zero. Only a field that rotates with the planet uses the planet and the
    time.
    """
    if isinstance(gravity, HarmonicGravity):
        return harmonics.gradient(gravity, planet, time, position)
    if isinstance(gravity, ZonalGravity):
        return zonal.gradient(gravity, position)
    if isinstance(gravity, InverseSquareGravity):
        arm = position - broadcast_vector(gravity.centre, position)
        return central_gradient(gravity.mu, arm)
    return jnp.zeros((3, *position.shape))


def central_gradient(mu: Any, arm: Any) -> Any:
    """Return the gravity gradient (3, 3, ...) [1/s^2] of a point mass: mu/r^3 (3 e e^T - 1).

    `arm` (3, ...) [m]: vector from the point mass to the position, with length r and direction e. `mu`
    [m^3/s^2].
    """
    square = dot(arm, arm)
    return mu / cube(square) * (3 * arm[:, None] * arm[None] / square - outer_identity(arm))


def torque(gradient: Any, inertia: Any) -> Any:
    """Return the gravity-gradient torque [N m] (3, ...) about the centre of mass of a body: T_i = -e_ijk (J
    G)_jk.

    The inertia tensor J [kg m^2] (3, 3, ...) and the gradient G [1/s^2] (3, 3, ...) must have the same axes,
    usually body axes. The symbol e_ijk is the permutation symbol.

    The torque is the integral of rho x G rho over the mass, with the position rho relative to the centre of
    mass. In the field of a point mass, the torque is 3 mu/r^3 e x J e (P. C. Hughes, Spacecraft Attitude
    Dynamics, section 8.1). Terms of the order of the body's size over the radius are neglected.
    """
    m = product(inertia, gradient)
    return jnp.stack([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])


def in_body_axes(gradient: Any, attitude: Any) -> Any:
    """Return a gravity gradient (3, 3, ...) in body axes from the gradient in inertial axes.

    `attitude` (3, 3, ...): matrix from body to inertial axes.
    """
    return product(product(transpose(attitude), gradient), attitude)
