"""Profiles of the atmosphere by altitude.

The columns of the table are interpolated. Missing columns follow from the gas law and hydrostatic balance.
The hydrostatic equation is integrated inside each interval by Gauss quadrature of the interpolated column.
Pressure and density are then consistent at every altitude, for any spacing of the table points.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..maths.arrays import jnp
from ..maths.gauss import gauss
from ..maths.interpolation import Knots, at, cell, clamp, first, knots, last, piece, smooth_step
from . import us76
from .us76 import R_STAR, Logs

NODES = 6
"""Number of nodes of the Gauss quadrature inside each interval."""


class Table(NamedTuple):
    """Prepared profile.

    - given: interpolation knots of the columns of the table (temperature, ln p, ln rho, in this order)
    - integral (n, *cases): hydrostatic integral at the knots, if the table has one column; ln p for
      temperature, p for density
    - ends: ln T, ln p and ln rho minus their standard values, at the first and the last altitude. None if the
      standard atmosphere does not continue the profile.
    """

    given: tuple[Knots, ...]
    integral: Any
    ends: Any


def prepare(model: Any) -> Table:
    """Return the prepared profile of a `TabulatedAtmosphere`."""
    names = model.column_names()
    columns = [getattr(model, name) for name in names]
    values = [c if n == "temperature" else jnp.log(jnp.asarray(c)) for n, c in zip(names, columns)]
    given = tuple(knots(model.altitude, v, model.interpolation) for v in values)
    table = Table(given, _integral(model, names, given), None)
    return table._replace(ends=_ends(model, table)) if model.outside == "us76" else table


def _gravity(model, z):
    return model.gravity * (model.radius / (model.radius + z)) ** 2


def _integral(model, names, given):
    """Hydrostatic integral of a single column at the knots."""
    if names == ("temperature",):
        drops = _over_intervals(model, given[0], _ln_pressure_rate)
        start = jnp.log(jnp.asarray(model.base_pressure)) + jnp.zeros((1, *drops.shape[1:]))
        return jnp.concatenate([start, start - jnp.cumsum(drops, 0)])
    if names == ("density",):
        weights = _over_intervals(model, given[0], _pressure_rate)
        last_one = piece(given[0], jnp.full(weights.shape[1:], weights.shape[0] - 1))
        z = last_one.low + last_one.width
        end = (_pressure_rate(model, last_one, z) * _scale_height(last_one, z))[None]
        return jnp.concatenate([end + jnp.cumsum(weights[::-1], 0)[::-1], end])
    return None


def _scale_height(column, z):
    """Height [m] over which a logarithm decreases by one."""
    return 1 / jnp.maximum(-column.slope(z), LEAST_FALL)


LEAST_FALL = 1e-9
"""Minimum decrease of ln p or ln rho with altitude [1/m] that the computation uses.

The limit is necessary because a spline through decreasing points can still increase between them.
"""


def _ln_pressure_rate(model, column, z):
    """-d ln p/dz [1/m] of a column of temperature."""
    return _gravity(model, z) * model.gas.molar_mass / (R_STAR * column.at(z))


def _pressure_rate(model, column, z):
    """-dp/dz [Pa/m] of a column of ln rho."""
    return _gravity(model, z) * jnp.exp(column.at(z))


def _over_intervals(model, points, rate):
    """Integrals of a rate over each interval, (n - 1, *cases)."""
    n = points.where.shape[0] - 1
    lanes = max(points.where.shape[1:], points.value.shape[1:], key=len)
    i = jnp.broadcast_to(jnp.arange(n).reshape((n,) + (1,) * len(lanes)), (n, *lanes))
    column = piece(points, i)
    return _between(model, column, rate, column.low, column.low + column.width)


def _between(model, column, rate, low, high):
    """Integral of a rate from low to high (..., *cases) inside intervals."""
    node, weight = (jnp.asarray(a).reshape((-1,) + (1,) * low.ndim) for a in gauss(NODES))
    half = 0.5 * (high - low)
    return jnp.sum(weight * rate(model, column, low + (1 + node) * half), 0) * half


def logs(model: Any, table: Table, z: Any) -> tuple[Logs, Any]:
    """Return temperature, ln(pressure) and ln(density) of a profile at altitudes z [m] (..., *cases), and
    whether an atmosphere exists there.
    """
    points = table.given[0]
    start, end = first(points, z), last(points, z)
    inside = (z >= start) & (z <= end)
    found = _within(model, table, clamp(z, start, end))
    if model.outside == "hold":
        return found, jnp.full(z.shape, True)
    if model.outside == "zero":
        return found, inside
    beyond = jnp.maximum(start - z, z - end) / model.blend
    standard = us76.logs(z)
    near = [jnp.where(z < (start + end) / 2, d[0], d[1]) for d in table.ends]
    fade = 1 - smooth_step(beyond)
    continued = Logs(
        standard.temperature * jnp.exp(near[0] * fade),
        standard.ln_pressure + near[1] * fade,
        standard.ln_density + near[2] * fade,
    )
    mixed = Logs(*(jnp.where(inside, a, b) for a, b in zip(found, continued)))
    return mixed, inside | (z <= us76.TOP_OF_ALL)


def _ends(model, table):
    """ln T, ln p and ln rho relative to the standard at the first and the last altitude: three arrays (2,
    *cases)."""
    where, lanes = table.given[0].where, table.given[0].value.shape[1:]
    z = jnp.stack([where[0], where[-1]])
    if lanes and z.ndim == 1:
        z = jnp.broadcast_to(z[:, None], (2, *lanes))
    ours, standard = _within(model, table, z), us76.logs(z)
    return (
        jnp.log(ours.temperature / standard.temperature),
        ours.ln_pressure - standard.ln_pressure,
        ours.ln_density - standard.ln_density,
    )


def _within(model, table, z) -> Logs:
    names = model.column_names()
    i = cell(table.given[0], z)
    columns = [piece(points, i) for points in table.given]
    found = {name: column.at(z) for name, column in zip(names, columns)}
    law = jnp.log(model.gas.molar_mass / R_STAR)
    alone = columns[0]
    if names == ("temperature",):
        drop = _between(model, alone, _ln_pressure_rate, alone.low, z)
        found["pressure"] = at(table.integral, i) - drop
    if names == ("density",):
        weight = _between(model, alone, _pressure_rate, z, alone.low + alone.width)
        found["pressure"] = jnp.log(at(table.integral, i + 1) + weight)
    if names == ("pressure",):
        found["density"] = found["pressure"] - jnp.log(_scale_height(alone, z) * _gravity(model, z))
    if "density" not in found:
        found["density"] = found["pressure"] + law - jnp.log(found["temperature"])
    if "pressure" not in found:
        found["pressure"] = found["density"] - law + jnp.log(found["temperature"])
    if "temperature" not in found:
        found["temperature"] = jnp.exp(found["pressure"] - found["density"] + law)
    return Logs(found["temperature"], found["pressure"], found["density"])
