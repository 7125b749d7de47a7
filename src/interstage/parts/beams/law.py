"""Strain energy of a two-node beam element, and the loads that are its derivatives.

The strains for arbitrary rotations are from E. Reissner, Journal of Applied Mathematics and Physics 23, 1972,
and J. C. Simo and L. Vu-Quoc, Computer Methods in Applied Mechanics and Engineering 58, 1986. M. A. Crisfield
and G. Jelenic, Proceedings of the Royal Society A 455, 1999, explain why an element must compute the strains
from the relative rotation of its ends.

An element of length l connects the frames R_L, R_R at x_L, x_R, and has one constant strain. Let theta be the
relative rotation vector, R_R = R_L exp(theta). Let R = R_L exp(theta/2) be the frame half way. The
translational and rotational strains, the energy and the section loads are

    e = R^T (x_R - x_L) - l e_x,   theta,   U = (e.n + theta.m)/2,   n = K e,   m = H theta.

Rigid motion of both ends does not change the strains. Let f_L, f_R be small rotations of the ends, along the
axes of R, and w = f_R - f_L. Let v and c be the vector part and the scalar part of the quaternion of theta,
and a = |theta|/2. The small rotations rotate the frame half way by f, and change theta by d theta:

    f = (f_L + f_R)/2 - v x w / (2 (1 + c)),

    d theta = P w,   P w = r w + (1 - r) v (v.w) / v.v,   r = a/sin a.

With t = (x_R - x_L) x n, all along the axes of R, the loads on the ends are therefore

    force -n and moment t/2 - (P m + t x v / (2 (1 + c))) on R, n and t/2 + (...) on L.

The sums of the loads vanish, and the work of the loads is -dU. Tests compare the loads with derivatives of U
by JAX.

The section has K = diag(EA, k_y, k_z)/l and H = diag(GJ, EI_y, EI_z)/l. With one constant strain for each
element, the moment is constant along the element. For a shear force, the constant moment neglects the
complementary energy l^3/(24 EI) per squared force. This energy is added to the shear compliance: 1/k_y =
1/GA_y + l^2/(12 EI_z). A straight element is then exact for loads at its ends, like an element with cubic
functions (R. H. MacNeal, Computers and Structures 8, 1978). The additional compliance also removes the
fastest motion of a slender beam, the rotation of segments against their shear stiffness.

If the shear centre has the offset r from the axis, e is the strain on the axis. With such an offset, U = (s.K
s + theta.H theta)/2 with s = e + theta_x e_x x r and n = K s. The moment m then has the additional term (r x
n)_x about x.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...maths.arrays import jnp
from ...maths.rotations import conjugate, matrix_of, multiply, unit_quaternion
from ...maths.vectors import cross, dot, rotate, rotate_back

SMALL = 1e-2
"""If the sine of half the relative rotation is below this number, functions of the rotation are computed by
series. The neglected terms are smaller than rounding errors.
"""


class Frames(NamedTuple):
    """Frames along beams. Each array has the shape (component, frame, *cases).

    - position [m], velocity [m/s], `spin` (angular velocity) [rad/s]: inertial axes.
    - quaternion: from frame axes to inertial axes.
    """

    position: Any
    velocity: Any
    quaternion: Any
    spin: Any


class Element(NamedTuple):
    """Loads of elements. Each array has the shape (component, element, *cases).

    - frame (3, 3): axes of the frame half way, inertial components.
    - force [N], moment [N m]: section loads on the part of the beam before the section, along these axes.
    - on_left, on_right (6): forces and moments on the two ends, inertial axes.
    - energy [J]: strain energy (element, *cases).
    """

    frame: Any
    force: Any
    moment: Any
    on_left: Any
    on_right: Any
    energy: Any


def stiffness(properties: Any, length: Any) -> tuple[Any, Any]:
    """Return the stiffnesses K [N/m] and H [N m/rad] of elements, each (3, element, *cases).

    - properties: properties of the sections (`sections.Properties`).
    - length: lengths of the elements [m] (element, *cases).
    """
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
    """Return the loads of elements between frames.

    - left, right: frames at the two ends of each element.
    - length: lengths of the elements [m] (element, *cases).
    - along, about: stiffnesses K and H from `stiffness`.
    - damping (element, *cases) [s]: ratio of section loads from strain rates to section loads from strains.
    - damped: function of the strain rates (6, element, *cases) that returns additional section loads.
    - unloaded (6, element, *cases) [m, rad]: strains without load.
    - shear (3, element, *cases) [m]: offsets of the shear centres from the axis.
    """
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
    """Return the additional translational strains at the shear centres from rotations about x.

    - shear: offsets of the shear centres from the axis [m] (3, element, *cases).
    - angle: rotational strains [rad] (3, element, *cases).
    """
    return jnp.stack([jnp.zeros_like(angle[0]), -shear[2] * angle[0], shear[1] * angle[0]])


def twisting(shear: Any, force: Any) -> Any:
    """Return the moments about the beam axis from forces at the shear centres [N m] (3, element, *cases).
    Only the x component is not zero.

    - shear: offsets of the shear centres from the axis [m].
    - force: section forces [N].
    """
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
