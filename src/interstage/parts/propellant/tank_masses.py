"""Mass, centre of mass and inertia of a body as functions of the propellant left in its tanks.

A tank is a mass item that drains. Tanks are numbered in the order of the mass items. All functions are
smooth, also for empty and full tanks. The functions continue smoothly below zero propellant, because
integration errors can lead there. An empty tank has no mass, but its centre and its removal point stay at the
position of the last propellant.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...engine.numbers import Totals
from ...maths import interpolation
from ...maths.arrays import jnp, jvp
from ...maths.vectors import add_axes, dot, norm, outer_identity
from . import slosh_law
from .elements import Container, CylinderTank, Grain, PointTank, RigidItem, ShiftedTable, SphereTank

SUMP = 1e-3
"""Volume fraction at each end of a sphere within which the liquid level is blended.

In exact form, the derivative of the level with respect to the volume is infinite at both ends. With the
blending, it is finite. The resulting error of the first moment is at most 6e-7 of the full tank's mass times
the radius.
"""
BEYOND = 0.05
"""Length of the extrapolation of the first and last polynomial of a table, in widths of the end intervals.

Because of this extrapolation, integration errors do not cross a kink at the ends of the table.
"""


class Ready(NamedTuple):
    """Prepared mass items of one body.

    - elements: declarations of the mass items.
    - tables: interpolation knots of each mass item; None without a table.
    - slosh: prepared slosh mass of each mass item; None without slosh.
    """

    elements: tuple[Any, ...]
    tables: tuple[Any, ...]
    slosh: tuple[Any, ...]


def prepare(elements: Any) -> Ready:
    """Return the prepared mass items of one body. The numeric fields of the result can be JAX tracers and can
    have case axes.
    """
    tables = tuple(_knots(e) if isinstance(e, ShiftedTable) else None for e in elements)
    return Ready(tuple(elements), tables, tuple(slosh_law.prepare(e) for e in elements))


def _knots(table: ShiftedTable) -> tuple[Any, Any]:
    kind = table.interpolation
    return (
        interpolation.knots(table.left, table.mass_centre, kind, components=1),
        interpolation.knots(table.left, table.inertia, kind, components=2),
    )


def tanks(elements: Any) -> tuple[int, ...]:
    """Return the indices of the mass items that drain, in increasing order."""
    return tuple(k for k, e in enumerate(elements) if isinstance(e, Container) and e.drains)


def element_properties(ready: Ready, left: Any) -> tuple[Any, Any, Any]:
    """Return masses, centres of mass and inertias of the mass items of a body.

    Masses (element, *cases) [kg]. Centres of mass (3, element, *cases) [m] are in structural coordinates.
    Inertias (3, 3, element, *cases) [kg m^2] are about these centres in structural axes.

    `left` (tank, *cases) [kg]: propellant in each tank. If the arrays in `ready` have case axes, `left` must
    also have these axes.
    """
    left = jnp.asarray(left, float)
    lanes = left.shape[1:]
    found = [_properties(e, t, left_in(ready, left, k)) for k, (e, t) in _tank_indices(ready)]
    if not found:
        return jnp.zeros((0, *lanes)), jnp.zeros((3, 0, *lanes)), jnp.zeros((3, 3, 0, *lanes))
    lanes = jnp.broadcast_shapes(*(f.mass.shape for f in found), lanes)
    return (
        jnp.stack([jnp.broadcast_to(f.mass, lanes) for f in found]),
        jnp.stack([jnp.broadcast_to(f.centre, (3, *lanes)) for f in found], 1),
        jnp.stack([jnp.broadcast_to(f.inertia, (3, 3, *lanes)) for f in found], 2),
    )


def totals(ready: Ready, dry: Totals, left: Any, attached: Any = None) -> Totals:
    """Return the mass properties of dry structure and attached mass items about their common centre of mass.

    Slosh masses are not included: they are subtracted at their rest positions. The total mass must not be
    zero.

    - dry: mass properties without mass items.
    - left (tank, *cases) [kg]: propellant in each tank.
    - attached (element, *cases): 1 if carried, 0 if jettisoned. Default: all are carried.
    """
    if not ready.elements:
        return dry
    mass, centre, inertia = element_properties(ready, left)
    mass, centre, inertia = _without_slosh(ready, left, mass, centre, inertia)
    if attached is not None:
        attached = _of_slosh_too(ready, jnp.asarray(attached))
        mass, inertia = mass * attached, inertia * attached
    total = dry.mass + jnp.sum(mass, 0)
    # Differences of positions, not of moments about a drawing zero that may be far away.
    away = centre - jnp.expand_dims(dry.centre, 1)
    shift = jnp.sum(mass * away, 1) / total
    around = inertia + _parallel_axis(mass, away - shift[:, None])
    return Totals(
        total, dry.centre + shift, dry.inertia + _parallel_axis(dry.mass, shift) + jnp.sum(around, 2)
    )


def _without_slosh(ready, left, mass, centre, inertia):
    """The mass items, followed by the slosh masses as negative point masses."""
    for k, slosh in enumerate(ready.slosh):
        if slosh is None:
            continue
        liquid = jnp.asarray(left_in(ready, left, k), float)
        gone = -slosh_law.law(slosh, liquid).mass
        point = slosh_law.at_rest(slosh, liquid)
        lanes = jnp.broadcast_shapes(mass.shape[1:], gone.shape)
        rows = (mass, gone[None], 0), (centre, point[:, None], 1), (inertia, 0 * inertia[:, :, :1], 2)
        mass, centre, inertia = (
            jnp.concatenate([jnp.broadcast_to(a, (*a.shape[: n + 1], *lanes)) for a in (whole, own)], n)
            for whole, own, n in rows
        )
    return mass, centre, inertia


def _of_slosh_too(ready, attached):
    """Carried flags of the mass items, followed by those of the slosh masses."""
    own = [attached[k][None] for k, slosh in enumerate(ready.slosh) if slosh is not None]
    return jnp.concatenate([attached, *own])


def removal_point(ready: Ready, left: Any) -> Any:
    """Return the point from which each tank loses propellant (3, tank, *cases) [m], structural coordinates.

    The point is the derivative of the first moment of the mass item by its mass, d(m c)/dm. For a liquid, the
    point is on the surface. For a grain, the point is the centre of the grain.
    """
    left = jnp.asarray(left, float)
    found = [
        _removal(ready.elements[e], ready.tables[e], left[k]) for k, e in enumerate(tanks(ready.elements))
    ]
    if not found:
        return jnp.zeros((3, 0, *left.shape[1:]))
    shape = jnp.broadcast_shapes(*(f.shape for f in found))
    return jnp.stack([jnp.broadcast_to(f, shape) for f in found], 1)


def at_start(elements: Any, lanes: int = 0) -> Any:
    """Return the propellant at the start in each tank (tank, *cases) [kg]. `lanes`: number of case axes, 0 or
    1."""
    wide = [add_axes(jnp.asarray(elements[k].propellant, float), lanes) for k in tanks(elements)]
    return jnp.stack(jnp.broadcast_arrays(*wide)) if wide else jnp.zeros((0,) + (1,) * lanes)


def _tank_indices(ready: Ready) -> Any:
    return enumerate(zip(ready.elements, ready.tables, strict=True))


def left_in(ready: Ready, left, k: int):
    """Return the propellant in the mass item with index k [kg] (*cases).

    For a tank, the result is its row of `left` (tank, *cases). If the mass item does not drain, the result is
    its declared propellant. For an item without propellant, the result is zero.
    """
    numbers = tanks(ready.elements)
    if k in numbers:
        return left[numbers.index(k)]
    element, none = ready.elements[k], jnp.zeros(left.shape[1:])
    return _leaf(element.propellant, none) + none if isinstance(element, Container) else none


def _parallel_axis(mass, arm):
    """Inertia (3, 3, ...) of masses (...) [kg] at arms (3, ...) [m]."""
    return mass * (dot(arm, arm) * outer_identity(arm) - arm[:, None] * arm[None])


def _leaf(value, like, components: int = 0):
    """Leaf (*components, *cases) with the case axes of `like` (*cases). components: number of axes in
    front."""
    return add_axes(jnp.asarray(value, float), components + like.ndim)


def _removal(element, table, left):
    def properties(m) -> Any:
        return _properties(element, table, m)

    now, rate = jvp(properties, (left,), (jnp.ones_like(left),))
    return now.centre + now.mass * rate.centre


def _properties(element, table, left) -> Totals:
    """Mass, centre and inertia of one mass item with the propellant `left` (*cases) [kg] in it."""
    if isinstance(element, ShiftedTable):
        return _from_table(element, table, left)
    if isinstance(element, RigidItem):
        mass, at = _leaf(element.mass, left), _leaf(element.mass_centre, left, 1)
        return Totals(mass, at, _leaf(element.inertia, left, 2))
    if isinstance(element, PointTank):
        return Totals(left, _leaf(element.at, left, 1), jnp.zeros((3, 3, *left.shape)))
    return _SHAPES[type(element)](element, left)


def _symmetric(mass, at, along, axial, transverse) -> Totals:
    """Mass properties of a body of revolution about a unit axis (3, *cases). Its moments of inertia are per
    mass [m^2]."""
    turned = transverse * outer_identity(along) + (axial - transverse) * along[:, None] * along[None]
    return Totals(mass, at, mass * turned)


def _unit(axis, like):
    along = _leaf(axis, like, 1)
    return along / norm(along)


def _cylinder(tank: CylinderTank, left) -> Totals:
    """Mass properties of a liquid cylinder on a flat bottom."""
    square, along = _leaf(tank.radius, left) ** 2, _unit(tank.axis, left)
    height = left / (_leaf(tank.density, left) * math.pi * square)
    axial, transverse = _leaf(tank.roll_fraction, left) * square / 2, square / 4 + height**2 / 12
    at = _leaf(tank.bottom, left, 1) + along * (height / 2)
    return _symmetric(left, at, along, axial, transverse)


def _grain(grain: Grain, left) -> Totals:
    """Mass properties of a tube whose inner radius follows from its mass."""
    length, outer = _leaf(grain.length, left), _leaf(grain.outer_radius, left) ** 2
    squares = 2 * outer - left / (_leaf(grain.density, left) * math.pi * length)
    at = _leaf(grain.centre, left, 1)
    return _symmetric(left, at, _unit(grain.axis, left), squares / 2, squares / 4 + length**2 / 12)


def _sphere(tank: SphereTank, left) -> Totals:
    """Mass properties of a liquid segment of a sphere."""
    radius, along = _leaf(tank.radius, left), _unit(tank.axis, left)
    fill = left / (_leaf(tank.density, left) * (4 / 3 * math.pi) * radius**3)
    rise, axial, transverse = _segment(fill)
    at = _leaf(tank.centre, left, 1) + along * (radius * (rise - 1))
    turning = _leaf(tank.roll_fraction, left) * axial
    return _symmetric(left, at, along, radius**2 * turning, radius**2 * transverse)


def _segment(fill):
    """Height of the centroid above the bottom, and moments of inertia per mass about axes through the
    centroid, of liquid in a unit sphere.

    The axes are along and perpendicular to the axis of symmetry. The liquid fills a fraction (*cases) of the
    sphere. Above one half, the liquid is the sphere minus the empty segment."""
    below = fill < 0.5
    height = _level(jnp.where(below, fill, 1 - fill))
    rise, axial, transverse = _cap(height)
    empty, filled = jnp.where(below, 0.0, 1 - fill), jnp.where(below, 1.0, fill)
    ratio, depth = empty / filled, 1 - rise
    # Moments of the sphere are the moments of its two parts plus empty * filled * distance^2 of their
    # centroids, with the distance depth / filled.
    return (
        jnp.where(below, rise, 1 - ratio * depth),
        jnp.where(below, axial, (0.4 - empty * axial) / filled),
        jnp.where(below, transverse, (0.4 - empty * transverse - ratio * depth**2) / filled),
    )


def _level(fill):
    """Height in radii of a segment with a fraction of the sphere's volume, up to one half.

    4 fill = s^2 (3 - s) has the root s = 1 + 2 sin(2/3 asin(sqrt(fill)) - pi/6). The rate of the root is
    unbounded at zero. Within `SUMP`, the fraction is blended to a quarter of `SUMP`, with three continuous
    derivatives."""
    share = interpolation.clamp(fill / SUMP, 0.0, 0.5 / SUMP)
    blended = share + jnp.where(share < 1, 1 - share, 0.0) ** 4 / 4
    third = 2 / 3 * jnp.arcsin(jnp.sqrt(SUMP * blended))
    return math.sqrt(3) * jnp.sin(third) + 2 * jnp.sin(third / 2) ** 2


def _cap(s):
    """Height of the centroid above the bottom, and moments of inertia per mass about the centroid, along and
    perpendicular to the axis, of a segment of height s of a unit sphere.

    They follow from the integrals of pi r^2, pi r^4/2 and pi (r^4/4 + r^2 z^2) over the height z, with r^2 =
    z (2 - z)."""
    rest = 3 - s
    axial = s * (20 - 15 * s + 3 * s**2) / (10 * rest)
    spread = s**2 * (40 - 24 * s + 3 * s**2) / (80 * rest**2)
    return s * (8 - 3 * s) / (4 * rest), axial, axial / 2 + spread


_SHAPES: dict[type, Any] = {CylinderTank: _cylinder, Grain: _grain, SphereTank: _sphere}


def _from_table(element: ShiftedTable, table, left) -> Totals:
    centres, inertias = table
    where = centres.where
    first, last = (add_axes(where[k], left.ndim) for k in (0, -1))
    low = first - BEYOND * (add_axes(where[1], left.ndim) - first)
    high = last + BEYOND * (last - add_axes(where[-2], left.ndim))
    t = interpolation.clamp(left, low, high)
    cell = interpolation.cell(centres, t)
    centre, inertia = (
        interpolation.piece(points, cell, n).at(t) for points, n in ((centres, 1), (inertias, 2))
    )
    return Totals(left + _leaf(element.mass_inert, left), centre, inertia)
