"""Gravity of an oblate planet in closed form: the central term and the zonal harmonics J2 to J4.

The field is the same all round the pole, so that it does not depend on the planet's rotation. With rho = R/r,
zeta = R z/r^2 and D_n = rho^(n-1) P'_n(z/r), the acceleration is mu/r^3 [(-1 + sum J_n D_(n+1)) r - R
(sum J_n D_n) k]; it follows from P'_(n+1) = (n+1) P_n + s P'_n and has no singularity but the centre."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import jax
import jax.numpy as jnp

from ..tree import Declaration
from ..units import si
from ..vectors import dot
from .planet import along_z, beside

EGM96_MU = 3.986004415e14
"""Geocentric gravitational constant [m^3/s^2] of EGM96 (NASA/TP-1998-206861)."""
EGM96_RADIUS = 6378136.3
"""Reference radius [m] of the coefficients of EGM96 (NASA/TP-1998-206861)."""
EGM96_J2 = 0.484165371736e-3 * 5**0.5
"""J2 = -sqrt(5) C_20 of EGM96, tide free (NASA/TP-1998-206861)."""
EGM96_J3 = -0.957254173792e-6 * 7**0.5
"""J3 = -sqrt(7) C_30 of EGM96."""
EGM96_J4 = -0.539873863789e-6 * 3
"""J4 = -3 C_40 of EGM96."""


class ZonalGravity(Declaration):
    """The field of an oblate planet: central term and zonal harmonics to degree 4; the pole is inertial z."""

    kind: Literal["zonal"] = "zonal"
    """Central term and zonal harmonics J2 to J4."""
    mu: Annotated[Any, si("m^3/s^2", positive=True)] = EGM96_MU
    """Gravitational constant times mass [m^3/s^2]; the default is EGM96's."""
    radius: Annotated[Any, si("m", positive=True)] = EGM96_RADIUS
    """Reference radius of the coefficients [m]; the default is EGM96's."""
    j2: Annotated[Any, si("1")] = EGM96_J2
    """Zonal coefficient of degree 2, not normalized; the default is EGM96's."""
    j3: Annotated[Any, si("1")] = EGM96_J3
    """Zonal coefficient of degree 3, not normalized; the default is EGM96's."""
    j4: Annotated[Any, si("1")] = EGM96_J4
    """Zonal coefficient of degree 4, not normalized; the default is EGM96's."""
    centre: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where the centre is [m], inertial axes, from the inertial origin."""


def acceleration(field: ZonalGravity, position: Any) -> Any:
    """Acceleration of free fall [m/s^2] at inertial positions [m] (3, ...), inertial axes."""
    arm = position - beside(field.centre, position)
    square, zeta, kappa = _arguments(field, arm)
    outward, down = _sums(field, _series(zeta, kappa))
    return field.mu / square**1.5 * (outward * arm - field.radius * down * along_z(arm))


def potential(field: ZonalGravity, position: Any) -> Any:
    """Potential energy per mass [J/kg] at inertial positions [m] (3, ...): -mu/r (1 - sum J_n rho^n P_n)."""
    arm = position - beside(field.centre, position)
    square, zeta, kappa = _arguments(field, arm)
    last, now = jnp.ones_like(zeta), zeta  # rho^n P_n
    total = jnp.ones_like(zeta)
    for n, j in ((2, field.j2), (3, field.j3), (4, field.j4)):
        last, now = now, ((2 * n - 1) * zeta * now - (n - 1) * kappa * last) / n
        total = total - j * now
    return -field.mu / jnp.sqrt(square) * total


def gradient(field: ZonalGravity, position: Any) -> Any:
    """Gradient of the acceleration [1/s^2] (3, 3, ...), inertial axes: element (i, j) is the rate of
    acceleration i along axis j. Symmetric, without trace; by exact differentiation of the closed form."""
    nought, one = jnp.zeros_like(position[0]), jnp.ones_like(position[0])
    along = [jnp.stack([one if i == k else nought for i in range(3)]) for k in range(3)]
    columns = [jax.jvp(lambda at: acceleration(field, at), (position,), (e,))[1] for e in along]
    return jnp.stack(columns, 1)


def difference(field: ZonalGravity, origin: Any, offset: Any) -> Any:
    """g(origin + offset) - g(origin) [m/s^2] (3, ...), inertial axes, without cancellation.

    Every quantity of the closed form is carried together with its own difference, by (a + da)(b + db) - a b =
    da (b + db) + a db; for 1/r^3 this is Battin's f(q) (An Introduction to the Mathematics and Methods of
    Astrodynamics, section 8.6)."""
    arm = origin - beside(field.centre, origin)
    square, zeta, kappa = _arguments(field, arm)
    q = dot(offset, offset + 2 * arm) / square
    s = (1 + q) ** 1.5
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
    return field.mu / square**1.5 * (change + fall * there)


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
