"""Modes of draining bodies: tables over the propellant left.

With the mass flow m_s and its exit e, the coordinate q of a mode of shape phi, generalized mass m and angular
frequency w obeys

    (m q')' + 2 zeta m w q' + m w^2 q = sum of phi.F + psi.J^T T - m_s phi_e.(phi_e q')

with m, w, zeta and the shapes at the propellant left. The last term is the momentum of the gas: a load at the
exit on body and modes (`propellant.streams`). The derivation is in docs/decisions/0023-modes-that-drain.md.
Terms of first order in the rate of change of the modes are complete in the amplitude of each mode, for any
normalization. Terms that couple modes with each other are neglected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.flexible.mode_numbers import Modes, side_by_side
from ...maths import interpolation
from ...maths.arrays import jnp
from ...maths.interpolation import Knots
from ...maths.vectors import add_axes
from ..propellant.mass_properties import BEYOND

if TYPE_CHECKING:
    from ...model.flexible import ModeSet


class Table(NamedTuple):
    """Modes of one body over the propellant left [kg].

    - modes (level, row, *cases): frequencies, damping ratios and generalized masses, then shapes at all nodes
    - points (level, row, *cases): shapes at all points of the table, for their quantities"""

    modes: Knots
    points: Knots


def table(item: Any, rows: Sequence[Any], points: Sequence[Any]) -> Table:
    """Return the table of a `declared.ModalBody` from rows (row, *cases) at each level."""
    kind = item.interpolation
    found = (interpolation.knots(item.propellant, _stack_levels(each), kind, 1) for each in (rows, points))
    return Table(*found)


def _stack_levels(rows: Sequence[Any]) -> Any:
    return jnp.stack(jnp.broadcast_arrays(*rows))


def rows_of(own: Modes, among: slice) -> Any:
    """Return frequencies, damping ratios, generalized masses, and shapes at all nodes of the modes of one
    body, in one array (row, *cases)."""
    shapes = jnp.concatenate([own.phi, own.psi])[:, :, among]
    numbers = [one[among] for one in (own.frequency, own.damping, own.mass)]
    return side_by_side([*numbers, shapes.reshape(-1, *shapes.shape[3:])], 0)


def rows_of_points(level: ModeSet, lanes: int) -> Any:
    """Return the shapes and rotations of all points at one level in one array (row, *cases)."""
    shapes = [
        add_axes(jnp.asarray(getattr(point, name)), 2 + lanes)
        for point in level.points
        for name in ("shape", "turn")
    ]
    if not shapes:
        return jnp.zeros((0,) + (1,) * lanes)
    whole = jnp.stack(jnp.broadcast_arrays(*shapes))
    return whole.reshape(-1, *whole.shape[3:])


def of_point(found: Any, number: int, name: str, count: int) -> Any:
    """Return a shape of one point (mode, 3, *cases), from an array of `rows_of_points`."""
    k = 2 * number + (name == "turn")
    return found[k * 3 * count : (k + 1) * 3 * count].reshape(count, 3, *found.shape[1:])


def look_up_rows(points: Knots, left: Any) -> Any:
    """Return the rows (row, *cases) at the propellant left (*cases) [kg]. Beyond the levels they are
    extrapolated by `BEYOND`, and are constant from there on. A tank that begins at the highest level
    therefore meets no kink."""
    t = interpolation.clamp(left, *ends(points, left))
    return interpolation.piece(points, interpolation.cell(points, t), 1).at(t)


def slopes(points: Knots, left: Any) -> Any:
    """Return the derivatives of the rows by the propellant left [1/kg]. The derivatives are zero where the
    rows are constant."""
    low, high = ends(points, left)
    t = interpolation.clamp(left, low, high)
    found = interpolation.piece(points, interpolation.cell(points, t), 1).slope(t)
    return jnp.where((left >= low) & (left <= high), found, 0.0)


def ends(points: Knots, like: Any) -> tuple[Any, Any]:
    """Return the propellant beyond which rows are constant [kg]."""
    first, second, last_but_one, last = (add_axes(points.where[k], like.ndim) for k in (0, 1, -2, -1))
    return first - BEYOND * (second - first), last + BEYOND * (last - last_but_one)


def kinks(points: Knots, like: Any) -> Any:
    """Return the propellant at kinks of the rows [kg] (n, *cases): ends of the extrapolation, and levels of
    linear interpolation."""
    low, high = ends(points, like)
    inner = [] if points.bend is not None else [add_axes(level, like.ndim) for level in points.where[1:-1]]
    return jnp.stack(jnp.broadcast_arrays(low, *inner, high))


def beyond(points: Knots, left: Any) -> Any:
    """Return the excess of the propellant left (*cases) beyond the levels [kg], negative below."""
    low, high = interpolation.first(points, left), interpolation.last(points, left)
    return left - interpolation.clamp(left, low, high)
