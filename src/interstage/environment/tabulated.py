"""Profiles of the air by altitude: the columns that are given as splines or straight lines, and the missing
ones by the gas law and by hydrostatics.

Hydrostatics are integrated inside each interval by Gauss's formula over the interpolated column, so that
pressure and density belong to each other at every altitude, however far apart the points are."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from . import us76
from .interpolation import Knots, at, cell, first, knots, last, slope, within
from .us76 import R_STAR, Logs

NODES, WEIGHTS = (a / 2 for a in np.polynomial.legendre.leggauss(6))
NODES = NODES + 0.5


class Table(NamedTuple):
    """Knots of the given columns (temperature, ln p, ln rho, in this order); at the knots what hydrostatics
    make of a lone column, (n, *lanes): ln p for temperature, p for density; and how far the first and the
    last entry are from the standard, where that continues the profile."""

    given: tuple[Knots, ...]
    integral: Any
    ends: Any


def prepare(model: Any) -> Table:
    """The table of a `TabulatedAtmosphere`."""
    names = model.given()
    columns = [getattr(model, name) for name in names]
    values = [c if n == "temperature" else jnp.log(jnp.asarray(c)) for n, c in zip(names, columns)]
    smooth = model.interpolation == "smooth"
    given = tuple(knots(model.altitude, v, smooth) for v in values)
    table = Table(given, _integral(model, names, given), None)
    return table._replace(ends=_ends(model, table)) if model.outside == "us76" else table


def _gravity(model, z):
    return model.gravity * (model.radius / (model.radius + z)) ** 2


def _integral(model, names, given):
    """What hydrostatics make of a lone column, at the knots."""
    if names == ("temperature",):
        drops = _over_intervals(model, given[0], _ln_pressure_rate)
        start = jnp.log(jnp.asarray(model.base_pressure)) + jnp.zeros((1, *drops.shape[1:]))
        return jnp.concatenate([start, start - jnp.cumsum(drops, 0)])
    if names == ("density",):
        weights = _over_intervals(model, given[0], _pressure_rate)
        i = jnp.full(weights.shape[1:], weights.shape[0] - 1)
        z = jnp.broadcast_to(given[0].where[-1], i.shape)
        end = (_pressure_rate(model, given[0], i, z) * _scale_height(given[0], i, z))[None]
        return jnp.concatenate([end + jnp.cumsum(weights[::-1], 0)[::-1], end])
    return None


def _scale_height(points, i, z):
    """Height [m] over which a logarithm falls by one."""
    return 1 / jnp.maximum(-slope(points, i, z), LEAST_FALL)


LEAST_FALL = 1e-9
"""Least fall of ln p or ln rho [1/m] that is believed: a spline may bend back between points that fall."""


def _ln_pressure_rate(model, points, i, z):
    """-d ln p/dz [1/m] of a column of temperature."""
    return _gravity(model, z) * model.gas.molar_mass / (R_STAR * within(points, i, z))


def _pressure_rate(model, points, i, z):
    """-dp/dz [Pa/m] of a column of ln rho."""
    return _gravity(model, z) * jnp.exp(within(points, i, z))


def _over_intervals(model, points, rate):
    """Integrals of a rate over each interval, (n - 1, *lanes)."""
    n, lanes = points.where.shape[0], max(points.where.shape[1:], points.value.shape[1:], key=len)
    low, high = (
        jnp.broadcast_to(a.reshape(a.shape + (1,) * (len(lanes) + 1 - a.ndim)), (n - 1, *lanes))
        for a in (points.where[:-1], points.where[1:])
    )
    i = jnp.broadcast_to(jnp.arange(n - 1).reshape((n - 1,) + (1,) * len(lanes)), low.shape)
    return _between(model, points, rate, i, low, high)


def _between(model, points, rate, i, low, high):
    """Integral of a rate from low to high inside intervals i."""
    total = 0.0
    for node, weight in zip(NODES, WEIGHTS):
        total = total + weight * rate(model, points, i, low + node * (high - low))
    return total * (high - low)


def logs(model: Any, table: Table, z: Any) -> tuple[Logs, Any]:
    """The profile at altitudes z (..., *lanes), and whether there is air."""
    points = table.given[0]
    start, end = first(points, z), last(points, z)
    inside = (z >= start) & (z <= end)
    found = _within(model, table, jnp.clip(z, start, end))
    if model.outside == "hold":
        return found, jnp.full(z.shape, True)
    if model.outside == "zero":
        return found, inside
    beyond = jnp.maximum(start - z, z - end) / model.blend
    standard = us76.logs(z)
    near = [jnp.where(z < (start + end) / 2, d[0], d[1]) for d in table.ends]
    fade = _fading(beyond)
    continued = Logs(
        standard.temperature * jnp.exp(near[0] * fade),
        standard.ln_pressure + near[1] * fade,
        standard.ln_density + near[2] * fade,
    )
    mixed = Logs(*(jnp.where(inside, a, b) for a, b in zip(found, continued)))
    return mixed, inside | (z <= us76.TOP_OF_ALL)


def _fading(x):
    """1 at x <= 0, 0 at x >= 1, with two continuous derivatives."""
    x = jnp.clip(x, 0.0, 1.0)
    return 1 - x**3 * (10 - 15 * x + 6 * x * x)


def _ends(model, table):
    """ln T, ln p and ln rho over those of the standard at the first and the last altitude: three arrays (2,
    *lanes)."""
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
    names = model.given()
    i = cell(table.given[0], z)
    column = {name: within(points, i, z) for name, points in zip(names, table.given)}
    law = jnp.log(model.gas.molar_mass / R_STAR)
    if names == ("temperature",):
        return _of_temperature(model, table, i, z, column["temperature"], law)
    if names == ("density",):
        return _of_density(model, table, i, z, column["density"], law)
    if names == ("pressure",):
        height = _scale_height(table.given[0], i, z)
        column["density"] = column["pressure"] - jnp.log(height * _gravity(model, z))
    if "density" not in column:
        column["density"] = column["pressure"] + law - jnp.log(column["temperature"])
    if "pressure" not in column:
        column["pressure"] = column["density"] - law + jnp.log(column["temperature"])
    if "temperature" not in column:
        column["temperature"] = jnp.exp(column["pressure"] - column["density"] + law)
    return Logs(column["temperature"], column["pressure"], column["density"])


def _of_temperature(model, table, i, z, temperature, law):
    below = at(table.given[0].where, i)
    drop = _between(model, table.given[0], _ln_pressure_rate, i, below, z)
    ln_pressure = at(table.integral, i) - drop
    return Logs(temperature, ln_pressure, ln_pressure + law - jnp.log(temperature))


def _of_density(model, table, i, z, ln_density, law):
    above = at(table.given[0].where, i + 1)
    weight = _between(model, table.given[0], _pressure_rate, i, z, above)
    ln_pressure = jnp.log(at(table.integral, i + 1) + weight)
    return Logs(jnp.exp(ln_pressure - ln_density + law), ln_pressure, ln_density)
