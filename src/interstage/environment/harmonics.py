"""Gravity in spherical harmonics, without a singularity at the poles.

The potential is U = mu/r sum_nm Re[(C - iS)_nm V_nm] in planet-fixed axes, with degree n, order m, and V_nm =
(R/r)^n P_nm(sin latitude) e^(i m longitude), fully normalized. For each order, V_nm follows from the
recursion V_n = a zeta V_(n-1) - b kappa V_(n-2), zeta = R z/r^2 and kappa = (R/r)^2. The recursion begins
with a power of s = (x + iy) R/r^2. All terms are polynomials in x, y, z over powers of r. Sources: L. E.
Cunningham, On the computation of the spherical harmonic terms needed during the numerical integration of the
orbital motion of an artificial satellite, Celestial Mechanics 2 (1970), 207-216; O. Montenbruck and E. Gill,
Satellite Orbits, section 3.2.4. The coefficients a and b are for normalized functions.

A derivative of a solid harmonic is a sum of harmonics one degree higher (Montenbruck and Gill, eq 3.33).
Acceleration and gradient are therefore the same sums with other coefficients, which are computed once. One
loop over the degree evaluates these sums, with the orders as an array axis, (order, ..., *cases). If there
are many cases, the orders are split into blocks.

For differences between two points, each quantity of these sums is computed together with its difference. For
a product, this is da (b + db) + a db. The differences are exact to rounding error for any offset.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..exchange.gfc import Coefficients
from ..maths.arrays import jax, jnp, lax
from ..maths.vectors import dot, norm, transpose
from .coefficients import load
from .gravity import HarmonicGravity
from .planet import from_fixed, to_fixed

INNERMOST = 0.99
"""Minimum radius for reliable sums, as a fraction of the reference radius of the field.

For the Earth this radius is 43 km below the poles.
"""
TOGETHER = 256
"""Number of elements (orders times cases) in each array of the loops on a CPU. Arrays of this size fit in the
fastest cache.

A GPU processes all orders at once.
"""


def acceleration(field: HarmonicGravity, planet: Any, time: Any, position: Any) -> Any:
    """Return the acceleration of gravity [m/s^2] (3, ...) at inertial positions [m] (3, ...) at a time [s],
    inertial axes.
    """
    mu, radius = constants(field)
    at = _Place.of(radius, to_fixed(planet, time, position))
    total = _sums(_terms(field, 1, at.zeta), at)
    return from_fixed(planet, time, mu / radius / at.distance * total)


def potential(field: HarmonicGravity, planet: Any, time: Any, position: Any) -> Any:
    """Return the gravitational potential energy per mass [J/kg] (...) at inertial positions [m] (3, ...) at a
    time [s].
    """
    mu, radius = constants(field)
    at = _Place.of(radius, to_fixed(planet, time, position))
    return -mu / at.distance * _sums(_terms(field, 0, at.zeta), at)[0]


def gradient(field: HarmonicGravity, planet: Any, time: Any, position: Any) -> Any:
    """Return the gradient of the acceleration [1/s^2] (3, 3, ...) at inertial positions [m] (3, ...) at a
    time [s], inertial axes.

    The gradient is symmetric, and its trace is zero.
    """
    mu, radius = constants(field)
    at = _Place.of(radius, to_fixed(planet, time, position))
    total = _sums(_terms(field, 2, at.zeta), at)
    xx, xy, xz, yy, yz = mu / radius**2 / at.distance * total
    matrix = jnp.stack([jnp.stack([xx, xy, xz]), jnp.stack([xy, yy, yz]), jnp.stack([xz, yz, -xx - yy])])
    half = from_fixed(planet, time, matrix)
    return transpose(from_fixed(planet, time, transpose(half)))


def difference(field: HarmonicGravity, planet: Any, time: Any, origin: Any, offset: Any) -> Any:
    """Return the difference of gravity g(origin + offset) - g(origin) [m/s^2] (3, ...), inertial axes,
    without cancellation of digits.

    `origin` and `offset` (3, ...) [m] have inertial components, at a time [s].
    """
    origin = origin.reshape((3,) + (1,) * (offset.ndim - origin.ndim) + origin.shape[1:])
    mu, radius = constants(field)
    at = _Place.of(radius, to_fixed(planet, time, origin))
    by = _Change.of(radius, at, to_fixed(planet, time, offset))
    total, change = _sums_difference(_terms(field, 1, by.zeta), at, by)
    scale = mu / radius / at.distance
    return from_fixed(planet, time, scale * (change + by.inverse_distance * (total + change)))


def outside(field: HarmonicGravity, position: Any) -> Any:
    """Return whether positions [m] (3, ...) are too near to the planet's centre for the sums.

    The terms grow as (R/r)^n with the reference radius R. Far inside this radius, the sums are therefore not
    reliable.
    """
    return norm(position) < INNERMOST * constants(field)[1]


def constants(field: HarmonicGravity) -> tuple[Any, Any]:
    """Return the gravitational parameter mu [m^3/s^2] and the reference radius [m], as declared or from the
    coefficient file.

    Both constants are read together with the coefficients. Thus the coefficients of a new file are never
    combined with the constants of another file.
    """
    known = load(field.coefficients)
    return (
        known.mu if field.mu is None else field.mu,
        known.radius if field.radius is None else field.radius,
    )


# --- the sums ----------------------------------------------------------------------------------------------


class _Place(NamedTuple):
    """A planet-fixed position (3, ...) and the arguments of the sums at this position."""

    position: Any
    square: Any
    distance: Any
    zeta: Any
    kappa: Any
    s: Any  # real and imaginary part (2, ...)

    @staticmethod
    def of(radius, position) -> _Place:
        square = dot(position, position)
        scaled = radius / square * position
        return _Place(position, square, jnp.sqrt(square), scaled[2], radius**2 / square, scaled[:2])


class _Change(NamedTuple):
    """Differences of the arguments between position and position + offset. The difference of 1/r is relative
    to 1/r."""

    zeta: Any
    kappa: Any
    s: Any
    inverse_distance: Any

    @staticmethod
    def of(radius, at: _Place, offset) -> _Change:
        q = dot(offset, offset + 2 * at.position) / at.square
        root = jnp.sqrt(1 + q)
        inverse = -q / (1 + q)  # of 1/r^2, relative
        moved = radius / at.square * (offset * (1 + inverse) + at.position * inverse)
        return _Change(moved[2], at.kappa * inverse, moved[:2], -q / (root * (1 + root)))


class _Terms(NamedTuple):
    """Terms of the sums by row (row, ...), with a row for each degree of each block of orders.

    Fields: start values of the columns (order,), whether a column begins, numbers of the recursion (order,),
    and coefficients (sum, 2, order).
    """

    first: np.ndarray
    begins: np.ndarray
    a: np.ndarray
    b: np.ndarray
    weights: np.ndarray


def _sums(terms: _Terms, at: _Place) -> Any:
    """The sums over degree and order (sum, ...)."""

    def row(carry, numbers):
        before, last, total, power = carry
        first, begins, a, b, weights = (_broadcast(part, at.zeta) for part in numbers)
        now = first * power[:, None] + a * (at.zeta * last) - b * (at.kappa * before)
        power = jnp.where(begins, _times(power, at.s), power)
        return (last, now, _add(total, weights, now), power), None

    begin = (*_nothing(terms, at.zeta), _one(at.zeta))
    return jnp.sum(lax.scan(row, begin, terms)[0][2], 1)


def _sums_difference(terms: _Terms, at: _Place, by: _Change) -> tuple[Any, Any]:
    """The sums over degree and order (sum, ...), and their differences from the position to position +
    offset."""

    def row(carry, numbers):
        (before, last, total, power), (d_before, d_last, d_total, d_power) = carry
        first, begins, a, b, weights = (_broadcast(part, by.zeta) for part in numbers)
        now = first * power[:, None] + a * (at.zeta * last) - b * (at.kappa * before)
        d_now = a * (by.zeta * (last + d_last) + at.zeta * d_last)
        d_now = d_now - b * (by.kappa * (before + d_before) + at.kappa * d_before)
        d_now = d_now + first * d_power[:, None]
        d_next = _times(power + d_power, by.s) + _times(d_power, at.s)
        power = jnp.where(begins, _times(power, at.s), power)
        d_power = jnp.where(begins, d_next, d_power)
        here = last, now, _add(total, weights, now), power
        return (here, (d_last, d_now, _add(d_total, weights, d_now), d_power)), None

    one = _one(at.zeta)
    begin = (*_nothing(terms, at.zeta), one), (*_nothing(terms, by.zeta), 0 * _one(by.zeta))
    here, change = lax.scan(row, begin, terms)[0]
    return jnp.sum(here[2], 1), jnp.sum(change[2], 1)


def _nothing(terms: _Terms, like: Any) -> tuple[Any, Any, Any]:
    """Two rows of harmonics (2, order, ...) and the sums by order (sum, order, ...), all zero."""
    _, sums, parts, width = terms.weights.shape
    row = jnp.zeros((parts, width, *like.shape))
    return row, row, jnp.zeros((sums, width, *like.shape))


def _add(total: Any, weights: Any, now: Any) -> Any:
    """The sums after the addition of a row of harmonics, cosine and sine."""
    return total + weights[:, 0] * now[0] + weights[:, 1] * now[1]


def _one(like: Any) -> Any:
    """The complex number 1 (2, ...)."""
    return jnp.stack([jnp.ones_like(like), jnp.zeros_like(like)])


def _times(a: Any, b: Any) -> Any:
    """Product of complex numbers (2, ...)."""
    return jnp.stack([a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]])


def _broadcast(numbers: Any, like: Any) -> Any:
    """Values of the recursion, broadcast to arrays with the trailing axes of `like`."""
    return numbers.reshape(numbers.shape + (1,) * like.ndim)


# --- numbers of the recursion and coefficients of derivatives -----------------------------------------------


def _terms(field: HarmonicGravity, derivatives: int, like: Any) -> _Terms:
    """The terms for the potential (0), the acceleration (1: x, y, z) or its gradient (2: xx, xy, xz, yy, yz),
    in blocks of orders that suit arrays of the size of `like`."""
    order = field.degree if field.order is None else field.order
    orders = order + derivatives + 1
    blocks = -(-orders * like.size // TOGETHER) if jax.default_backend() == "cpu" else 1
    return _worked_out(
        load(field.coefficients), field.degree, order, derivatives, -(-orders // min(blocks, orders))
    )


@lru_cache(maxsize=32)
def _worked_out(known: Coefficients, degree: int, order: int, derivatives: int, width: int) -> _Terms:
    sets = [np.stack([part[: degree + 1, : order + 1] for part in (known.cosine, known.sine)])]
    if derivatives:
        sets = [_derivative(sets[0], axis) for axis in range(3)]
    if derivatives == 2:
        sets = [_derivative(sets[i], axis) for i, axis in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2))]
    weights = np.moveaxis(np.stack(sets), 2, 0)
    first, a, b = _recursion(degree + derivatives, order + derivatives)
    starts = range(0, order + derivatives + 1, width)
    in_rows = [
        np.concatenate([_pad(part[m:, ..., m : m + width], width) for m in starts])
        for part in (first, a, b, weights)
    ]
    return _Terms(in_rows[0], np.any(in_rows[0], 1, keepdims=True)[:, 0], *in_rows[1:])


def _pad(rows: np.ndarray, width: int) -> np.ndarray:
    """Rows (..., order) filled with zeros after the last order."""
    return np.concatenate([rows, np.zeros((*rows.shape[:-1], width - rows.shape[-1]))], -1)


def _recursion(degree: int, order: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """By degree and order: the start value of a column, and the numbers a and b of its recursion."""
    n, m = np.arange(degree + 1.0)[:, None], np.arange(order + 1.0)
    below = n > m
    width = np.where(below, (n - m) * (n + m), 1.0)
    a = np.where(below, np.sqrt(np.maximum((2 * n - 1) * (2 * n + 1), 0) / width), 0.0)
    left = (2 * n + 1) * (n + m - 1) * (n - m - 1) / np.where(n > 1, 2 * n - 3, 1.0)
    b = np.where(below & (n > m + 1), np.sqrt(np.maximum(left, 0) / width), 0.0)
    ratios = np.sqrt((2 * m[1:] + 1) / (2 * m[1:])) * np.where(m[1:] == 1, np.sqrt(2.0), 1.0)
    diagonal = np.concatenate([[1.0], np.cumprod(ratios)])
    return np.where(n == m, diagonal, 0.0), a, b


def _derivative(of: np.ndarray, axis: int) -> np.ndarray:
    """Coefficients (2, degree, order) of the derivative along an axis of the sum with the coefficients `of`,
    in units of 1/radius. The result has one more degree and order (Montenbruck and Gill, eq 3.33,
    normalized)."""
    _, rows, columns = of.shape
    out = np.zeros((2, rows + 1, columns + 1))
    n, m = np.arange(rows)[:, None], np.arange(columns)
    inside = n >= m
    scale = (2 * n + 1) / (2 * n + 3)
    if axis == 2:
        factor = np.sqrt(np.where(inside, scale * (n + 1 + m) * (n + 1 - m), 0))
        out[:, 1:, :-1] = -factor * of
        return out
    c, s = of if axis == 0 else (-of[1], of[0])  # the factors of cos and sin a quarter turn on
    weight = np.where(m == 0, 1.0, 0.5)  # order 0 gives one term, the others two
    weight = weight * np.where(m == 0, np.sqrt(0.5), 1.0)
    up = weight * np.sqrt(np.where(inside, scale * (n + m + 2) * (n + m + 1), 0))
    down = 0.5 * np.sqrt(np.where(inside, scale * (n - m + 2) * (n - m + 1), 0))
    down = down * np.where(m == 1, np.sqrt(2.0), 1.0)
    out[0, 1:, 1:] -= up * c
    out[1, 1:, 1:] -= up * s
    down_sign = 1.0 if axis == 0 else -1.0
    out[0, 1:, :-2] += (down_sign * down * c)[:, 1:]
    out[1, 1:, :-2] += (down_sign * down * s)[:, 1:]
    out[1, :, 0] = 0.0
    return out
