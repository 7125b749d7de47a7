"""Gravity of an oblate planet in closed form: the central term and the zonal harmonics J2 to J4.

The field is symmetric about the pole and therefore independent of the planet's rotation.

The pole has the direction k, and P_n are the Legendre polynomials. With rho = R/r, zeta = R z/r^2, s = z/r
and D_n = rho^(n-1) P'_n(s), the acceleration is mu/r^3 [(-1 + sum J_n D_(n+1)) r - R (sum J_n D_n) k]. This
form follows from P'_(n+1) = (n+1) P_n + s P'_n. The only singularity of the formula is the centre.
"""

from __future__ import annotations

from typing import Any

from ..maths.arrays import jnp, jvp
from ..maths.vectors import cube, dot
from .gravity import ZonalGravity
from .planet import along_z, broadcast_vector


def acceleration(field: ZonalGravity, position: Any) -> Any:
    """Return the acceleration of gravity [m/s^2] (3, ...) at inertial positions [m] (3, ...), inertial
    axes.
    """
    arm = position - broadcast_vector(field.centre, position)
    square, zeta, kappa = _arguments(field, arm)
    outward, down = _sums(field, _series(zeta, kappa))
    return field.mu / cube(square) * (outward * arm - field.radius * down * along_z(arm))


def potential(field: ZonalGravity, position: Any) -> Any:
    """Return the gravitational potential energy per mass [J/kg] (...) at inertial positions [m] (3, ...):
    -mu/r (1 - sum J_n rho^n P_n).
    """
    arm = position - broadcast_vector(field.centre, position)
    square, zeta, kappa = _arguments(field, arm)
    last, now = jnp.ones_like(zeta), zeta  # rho^n P_n
    total = jnp.ones_like(zeta)
    for n, j in ((2, field.j2), (3, field.j3), (4, field.j4)):
        last, now = now, ((2 * n - 1) * zeta * now - (n - 1) * kappa * last) / n
        total = total - j * now
    return -field.mu / jnp.sqrt(square) * total


def gradient(field: ZonalGravity, position: Any) -> Any:
    """Return the gradient of the acceleration [1/s^2] (3, 3, ...), inertial axes, at inertial positions [m]
    (3, ...).

    Element (i, j) is the derivative of acceleration component i along axis j. The gradient is symmetric, and
    its trace is zero. The computed gradient is the exact derivative of the closed form.
    """
    nought, one = jnp.zeros_like(position[0]), jnp.ones_like(position[0])
    along = [jnp.stack([one if i == k else nought for i in range(3)]) for k in range(3)]
    columns = [jvp(lambda at: acceleration(field, at), (position,), (e,))[1] for e in along]
    return jnp.stack(columns, 1)


def difference(field: ZonalGravity, origin: Any, offset: Any) -> Any:
    """Return the difference of gravity g(origin + offset) - g(origin) [m/s^2] (3, ...), inertial axes,
    without cancellation of digits.

    `origin`, `offset` (3, ...) [m], inertial components. Each quantity of the closed form is computed
    together with its difference between the two points. For a product, (a + da)(b + db) - a b = da (b + db) +
    a db. For 1/r^3 this is Battin's f(q) (An Introduction to the Mathematics and Methods of Astrodynamics,
    section 8.6).
    """
    arm = origin - broadcast_vector(field.centre, origin)
    square, zeta, kappa = _arguments(field, arm)
    q = dot(offset, offset + 2 * arm) / square
    s = cube(1 + q)
    fall = -q * (3 + q * (3 + q)) / (s * (1 + s))  # of 1/r^3, relative
    inverse = -q / (1 + q)  # of 1/r^2, relative
    d_kappa = kappa * inverse
    d_zeta = field.radius / square * (offset[2] * (1 + inverse)) + zeta * inverse
    series = _series(zeta, kappa)
    changes = _series_difference(series, zeta, kappa, d_zeta, d_kappa)
    outward, down = _sums(field, series)
    d_outward, d_down = _sums(field, changes, 0.0)
    pole = along_z(offset)
    there = (outward + d_outward) * (arm + offset) - field.radius * (down + d_down) * pole
    change = outward * offset + d_outward * (arm + offset) - field.radius * d_down * pole
    return field.mu / cube(square) * (change + fall * there)


def _arguments(field, arm):
    """r^2, R z/r^2 and (R/r)^2."""
    square = dot(arm, arm)
    return square, field.radius * arm[2] / square, field.radius**2 / square


def _series(zeta, kappa):
    """D_0 to D_5: n D_(n+1) = (2n+1) zeta D_n - (n+1) kappa D_(n-1)."""
    values = [jnp.zeros_like(zeta), jnp.ones_like(zeta)]
    for n in range(1, 5):
        values.append(((2 * n + 1) * zeta * values[n] - (n + 1) * kappa * values[n - 1]) / n)
    return values


def _series_difference(values, zeta, kappa, d_zeta, d_kappa):
    """The differences of `_series`."""
    changes = [jnp.zeros_like(d_zeta), jnp.zeros_like(d_zeta)]
    for n in range(1, 5):
        first = d_zeta * (values[n] + changes[n]) + zeta * changes[n]
        second = d_kappa * (values[n - 1] + changes[n - 1]) + kappa * changes[n - 1]
        changes.append(((2 * n + 1) * first - (n + 1) * second) / n)
    return changes


def _sums(field, values, central=-1.0):
    """-1 + sum J_n D_(n+1), and sum J_n D_n."""
    j = ((2, field.j2), (3, field.j3), (4, field.j4))
    return central + sum(jn * values[n + 1] for n, jn in j), sum(jn * values[n] for n, jn in j)
