"""The strain energy of a two-node beam element, and the loads that are its derivatives.

The strains for any rotation of a beam are from E. Reissner, Journal of Applied Mathematics and Physics 23,
1972, and J. C. Simo and L. Vu-Quoc, Computer Methods in Applied Mechanics and Engineering 58, 1986. M. A.
Crisfield and G. Jelenic, Proceedings of the Royal Society A 455, 1999, explain why an element must compute
them from the relative rotation of its ends.

Here an element of length l between the frames R_L, R_R at x_L, x_R has one constant strain. With the relative
rotation vector theta, R_R = R_L exp(theta), and the frame half way, R = R_L exp(theta/2), the strains of
stretch and rotation are

    e = R^T (x_R - x_L) - l e_x,   theta,   U = (e.n + theta.m)/2,   n = K e,   m = H theta.

Rigid motion of both ends does not change them. Let f_L, f_R be small rotations of the ends (along the axes of
R; w = f_R - f_L). With the vector part v and the scalar c of the quaternion of theta, and a = |theta|/2, they
rotate the frame half way, and change theta, by

    f = (f_L + f_R)/2 - v x w / (2 (1 + c)),

    d theta = P w,   P w = r w + (1 - r) v (v.w) / v.v,   r = a/sin a.

With t = (x_R - x_L) x n, all along the axes of R, the loads on the ends are therefore

    force -n and moment t/2 - (P m + t x v / (2 (1 + c))) on R, n and t/2 + (...) on L.

The sums of the loads vanish, and the work of the loads is -dU. Tests compare them with derivatives of U by
JAX.

The section has K = diag(EA, k_y, k_z)/l, H = diag(GJ, EI_y, EI_z)/l. With one constant strain, the moment is
constant along the element. The residual of a shear force is l^3/(24 EI) of complementary energy per its
square. This residual is added to the shear: 1/k_y = 1/GA_y + l^2/(12 EI_z). A straight element is then exact
for loads at its ends, like an element with cubic functions (R. H. MacNeal, Computers and Structures 8, 1978).
The added residual also removes the fastest motion of a slender beam, the rotation of segments against their
shear stiffness.

If the shear centre has the offset r from the axis, e is the strain on the axis. Then U = (s.K s + theta.H
theta)/2 with s = e + theta_x e_x x r, n = K s, and m has the additional term (r x n)_x about x."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...maths.arrays import jnp
from ...maths.rotations import conjugate, matrix_of, multiply, unit_quaternion
from ...maths.vectors import cross, dot, rotate, rotate_back

SMALL = 1e-2
"""The sine of half the relative rotation below which functions of it are computed by series. Neglected terms
are below the rounding."""


class Frames(NamedTuple):
    """Frames along beams, (component, frame, *cases): position [m], velocity [m/s] and angular velocity
    [rad/s], inertial axes; quaternion from frame to inertial axes."""

    position: Any
    velocity: Any
    quaternion: Any
    spin: Any


class Element(NamedTuple):
    """Elements, (component, element, *cases).

    - frame (3, 3): axes half way, inertial components
    - force [N], moment [N m]: section loads on the part before the section, along these axes
    - on_left, on_right (6): forces and moments on the two ends, inertial axes
    - energy [J] (element)"""

    frame: Any
    force: Any
    moment: Any
    on_left: Any
    on_right: Any
    energy: Any


def stiffness(properties: Any, length: Any) -> tuple[Any, Any]:
    """Return K and H (3, element, *cases) [N/m, N m/rad] of elements with these sections and `length`
    (element, *cases) [m]."""
    axial, across, bending = properties.forces[:1], properties.forces[1:], properties.moments[1:]
    residual = length**2 / (12 * bending[::-1])
    shear = 1 / (1 / across + residual)
    axial = jnp.broadcast_to(axial, (1, *shear.shape[1:]))  # one of them can have cases alone
    return jnp.concatenate([axial, shear]) / length, properties.moments / length


def elements(
    left: Frames,
    right: Frames,
    length: Any,
    along: Any,
    about: Any,
    damping: Any,
    damped: Any = None,
    unloaded: Any = None,
    shear: Any = None,
) -> Element:
    """Return the elements between frames.

    - along, about: K and H
    - damping (element, *cases) [s]: ratio of section loads from strain rates to section loads from strains
    - damped: function of the strain rates (6, element, *cases) that returns additional section loads
    - unloaded (6, element, *cases) [m, rad]: strains without load
    - shear (3, element, *cases) [m]: shear centres from the axis"""
    turn = multiply(conjugate(left.quaternion), right.quaternion)
    sign = jnp.where(turn[:1] < 0, -1.0, 1.0)
    cosine, v = sign[0] * turn[0], sign * turn[1:]
    frame = matrix_of(unit_quaternion(left.quaternion + sign * right.quaternion))
    square = dot(v, v)
    ratio, rest = _ratios(cosine, square)
    half = v / (1 + cosine)

    def rotate_by(w: Any) -> Any:
        return ratio * w + rest * v * dot(v, w)

    gap = rotate_back(frame, right.position - left.position)
    stretch = gap - jnp.concatenate([length[None], jnp.zeros((2, *length.shape))])
    angle = 2 * ratio * v
    if unloaded is not None:
        stretch, angle = stretch - unloaded[:3], angle - unloaded[3:]
    w = rotate_back(frame, right.spin - left.spin)
    spin = 0.5 * (rotate_back(frame, right.spin + left.spin) - cross(half, w))
    rate = rotate_back(frame, right.velocity - left.velocity) - cross(spin, gap)
    rates = rate, rotate_by(w)
    force, moment, energy = _section_loads((stretch, angle), rates, along, about, damping, shear)
    if damped is not None:
        more = damped(jnp.concatenate(rates))
        force, moment = force + more[:3], moment + more[3:]
    t = cross(gap, force)
    twist = rotate_by(moment) + 0.5 * cross(t, half)
    pull = rotate(frame, force)
    first, last = (rotate(frame, 0.5 * t + side * twist) for side in (1.0, -1.0))
    on_left, on_right = jnp.concatenate([pull, first]), jnp.concatenate([-pull, last])
    return Element(frame, force, moment, on_left, on_right, energy)


def _section_loads(strains: Any, rates: Any, along: Any, about: Any, damping: Any, shear: Any) -> Any:
    """Return forces, moments and energy from strains and strain rates."""
    (stretch, angle), (rate, turning) = strains, rates
    if shear is not None:
        stretch, rate = stretch + at_shear_centre(shear, angle), rate + at_shear_centre(shear, turning)
    energy = 0.5 * (dot(stretch, along * stretch) + dot(angle, about * angle))
    force = along * (stretch + damping * rate)
    moment = about * (angle + damping * turning)
    if shear is not None:
        moment = moment + twisting(shear, force)
    return force, moment, energy


def at_shear_centre(shear: Any, angle: Any) -> Any:
    """Return the additional strains at shear centres from rotations about x."""
    return jnp.stack([jnp.zeros_like(angle[0]), -shear[2] * angle[0], shear[1] * angle[0]])


def twisting(shear: Any, force: Any) -> Any:
    """Return the moments about x on the axis from forces at shear centres."""
    about = shear[1] * force[2] - shear[2] * force[1]
    return jnp.stack([about, jnp.zeros_like(about), jnp.zeros_like(about)])


def _ratios(cosine: Any, square: Any) -> tuple[Any, Any]:
    """Return r = a/sin a and (1 - r)/sin^2 a of half a relative rotation a."""
    near = square < SMALL**2
    sine = jnp.sqrt(jnp.where(near, 1.0, square))
    # asin(s)/s = 1 + s^2/6 + 3 s^4/40 + 5 s^6/112 + 35 s^8/1152
    rest = -(1 / 6 + square * (3 / 40 + square * (5 / 112 + square * (35 / 1152))))
    ratio = jnp.where(near, 1 - square * rest, jnp.arctan2(sine, cosine) / sine)
    return ratio, jnp.where(near, rest, (1 - ratio) / jnp.where(near, 1.0, square))
