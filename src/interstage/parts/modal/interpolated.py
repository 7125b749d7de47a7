"""Modes of bodies whose tanks drain: tables over the propellant that is left.

With m_s the mass flow and e its exit, the coordinate of a mode of shape phi, generalized mass m and angular
frequency w obeys

    (m q')' + 2 zeta m w q' + m w^2 q = sum of phi.F + psi.J^T T - m_s phi_e.(phi_e q')

with m, w, zeta and the shapes of the propellant left. The last term is what the gas takes along: it is a load
at the exit, on body and modes alike (`propellant.streams`). docs/decisions/0023-modes-that-drain.md derives
this; the first order in the rate at which modes change is whole in the amplitude of each mode, whatever its
shapes are normalized to. Left out are terms that couple modes with each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...maths import interpolation
from ...maths.arrays import jnp
from ...maths.interpolation import Knots
from ...maths.vectors import widened
from ..propellant.mass_properties import BEYOND

if TYPE_CHECKING:
    from .levels import Level


class Table(NamedTuple):
    """Modes of one body over the propellant left [kg]. modes: frequencies, damping ratios and generalized
    masses, then shapes at all stations, side by side (level, row, *cases); points: shapes at all points of
    the table likewise, for what is read of them."""

    modes: Knots
    points: Knots


def table(item: Any, rows: Sequence[Any], points: Sequence[Any]) -> Table:
    """The table of a `declared.ModalBody` through rows (row, *cases) at each of its levels."""
    kind = item.interpolation
    found = (interpolation.knots(item.propellant, _stacked(each), kind, 1) for each in (rows, points))
    return Table(*found)


def _stacked(rows: Sequence[Any]) -> Any:
    return jnp.stack(jnp.broadcast_arrays(*rows))


def rows_of_points(level: Level, lanes: int) -> Any:
    """Shapes and turns of all points at one level side by side (row, *cases)."""
    shapes = [
        widened(jnp.asarray(getattr(point, name)), 2 + lanes)
        for point in level.points
        for name in ("shape", "turn")
    ]
    if not shapes:
        return jnp.zeros((0,) + (1,) * lanes)
    whole = jnp.stack(jnp.broadcast_arrays(*shapes))
    return whole.reshape(-1, *whole.shape[3:])


def of_point(found: Any, number: int, name: str, count: int) -> Any:
    """A shape of one of the points (mode, 3, *cases), from what `rows_of_points` puts side by side."""
    k = 2 * number + (name == "turn")
    return found[k * 3 * count : (k + 1) * 3 * count].reshape(count, 3, *found.shape[1:])


def looked_up(points: Knots, left: Any) -> Any:
    """Rows (row, *cases) with so much propellant left (*cases) [kg]. They go on by `BEYOND` beyond the
    levels, so that a tank that begins at the highest meets no kink there, and are held from there on."""
    t = interpolation.clamped(left, *ends(points, left))
    return interpolation.piece(points, interpolation.cell(points, t), 1).at(t)


def slopes(points: Knots, left: Any) -> Any:
    """Their derivatives by the propellant left [1/kg], zero where they are held."""
    low, high = ends(points, left)
    t = interpolation.clamped(left, low, high)
    found = interpolation.piece(points, interpolation.cell(points, t), 1).slope(t)
    return jnp.where((left >= low) & (left <= high), found, 0.0)


def ends(points: Knots, like: Any) -> tuple[Any, Any]:
    """From where on rows are held [kg]."""
    first, second, last_but_one, last = (widened(points.where[k], like.ndim) for k in (0, 1, -2, -1))
    return first - BEYOND * (second - first), last + BEYOND * (last - last_but_one)


def kinks(points: Knots, like: Any) -> Any:
    """Propellant at which rows bend [kg] (n, *cases): where they are held, and levels between which they are
    straight."""
    low, high = ends(points, like)
    inner = [] if points.bend is not None else [widened(level, like.ndim) for level in points.where[1:-1]]
    return jnp.stack(jnp.broadcast_arrays(low, *inner, high))


def beyond(points: Knots, left: Any) -> Any:
    """How far the propellant left (*cases) is beyond the levels [kg], negative below."""
    low, high = interpolation.first(points, left), interpolation.last(points, left)
    return left - interpolation.clamped(left, low, high)
