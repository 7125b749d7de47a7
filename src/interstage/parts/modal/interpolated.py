"""Modes of draining bodies: tables over the remaining propellant.

Let the mass flow be m_s, with its exit at e. The coordinate q of a mode with the shape phi, the generalized
mass m and the angular frequency w obeys

    (m q')' + 2 zeta m w q' + m w^2 q = sum of phi.F + psi.J^T T - m_s phi_e.(phi_e q')

with m, w, zeta and the shapes at the remaining propellant. The last term is the momentum of the gas, a load
on the body and its modes at the exit (`propellant.streams`). The derivation is in
docs/decisions/0023-modes-that-drain.md.

Terms of first order in the rate of change of the modes are complete in the amplitude of each mode, for any
normalization. Terms that couple modes with each other are neglected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.flexible.modal_stiffness import Modes, side_by_side
from ...maths import interpolation
from ...maths.arrays import jnp
from ...maths.interpolation import Knots
from ...maths.vectors import add_axes
from ..propellant.tank_masses import BEYOND

if TYPE_CHECKING:
    from ...model.flexible import ModeSet


class Table(NamedTuple):
    """Modes of one body as functions of the remaining propellant [kg]. Both fields are interpolation knots
    with values (level, row, *cases).

    - modes: rows are the frequencies, damping ratios and generalized masses of all modes, then the shapes at
      all attachment nodes.
    - points: rows are the shapes at all declared points, for output quantities.
    """

    modes: Knots
    points: Knots


def table(item: Any, rows: Sequence[Any], points: Sequence[Any]) -> Table:
    """Return the table of modes of one body.

    - item: the declared `ModalBody`.
    - rows, `points`: rows (row, *cases) at each level; see `Table`.
    """
    kind = item.interpolation
    found = (interpolation.knots(item.propellant, _stack_levels(each), kind, 1) for each in (rows, points))
    return Table(*found)


def _stack_levels(rows: Sequence[Any]) -> Any:
    return jnp.stack(jnp.broadcast_arrays(*rows))


def rows_of(own: Modes, among: slice) -> Any:
    """Return the modes of one body as one array (row, *cases): frequencies, damping ratios, generalized
    masses, then shapes at all attachment nodes.

    - own: modes of all bodies.
    - among: slice of this body's modes.
    """
    shapes = jnp.concatenate([own.phi, own.psi])[:, :, among]
    numbers = [one[among] for one in (own.frequency, own.damping, own.mass)]
    return side_by_side([*numbers, shapes.reshape(-1, *shapes.shape[3:])], 0)


def rows_of_points(level: ModeSet, lanes: int) -> Any:
    """Return the modal displacements and rotations of all points at one level as one array (row, *cases).

    `lanes`: number of case axes.
    """
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
    """Return the modal displacements or rotations of one point (mode, 3, *cases).

    - found: array from `rows_of_points`.
    - number: index of the point.
    - name: "shape" for displacements, "turn" for rotations.
    - count: number of modes.
    """
    k = 2 * number + (name == "turn")
    return found[k * 3 * count : (k + 1) * 3 * count].reshape(count, 3, *found.shape[1:])


def look_up_rows(points: Knots, left: Any) -> Any:
    """Return the rows of a table (row, *cases) at the remaining propellant.

    Beyond the levels, the rows are extrapolated over the fraction `BEYOND` of the adjacent interval. Farther
    out, the rows are constant. A tank that starts at the highest level therefore does not start at a kink.

    - points: interpolation knots of the table.
    - left: remaining propellant [kg] (*cases).
    """
    t = interpolation.clamp(left, *ends(points, left))
    return interpolation.piece(points, interpolation.cell(points, t), 1).at(t)


def slopes(points: Knots, left: Any) -> Any:
    """Return the derivatives of the rows with respect to the remaining propellant [1/kg] (row, *cases). If
    the rows are constant, the derivatives are zero.

    - points: interpolation knots of the table.
    - left: remaining propellant [kg] (*cases).
    """
    low, high = ends(points, left)
    t = interpolation.clamp(left, low, high)
    found = interpolation.piece(points, interpolation.cell(points, t), 1).slope(t)
    return jnp.where((left >= low) & (left <= high), found, 0.0)


def ends(points: Knots, like: Any) -> tuple[Any, Any]:
    """Return the propellant [kg] below which, and above which, the rows are constant. like: an array with the
    case axes of the result.
    """
    first, second, last_but_one, last = (add_axes(points.where[k], like.ndim) for k in (0, 1, -2, -1))
    return first - BEYOND * (second - first), last + BEYOND * (last - last_but_one)


def kinks(points: Knots, like: Any) -> Any:
    """Return the propellant at the kinks of a table [kg] (n, *cases). Kinks are the ends of the
    extrapolation, and the levels of a table with linear interpolation.

    like: an array with the case axes of the result.
    """
    low, high = ends(points, like)
    inner = [] if points.bend is not None else [add_axes(level, like.ndim) for level in points.where[1:-1]]
    return jnp.stack(jnp.broadcast_arrays(low, *inner, high))


def beyond(points: Knots, left: Any) -> Any:
    """Return the signed excess of the remaining propellant beyond the levels [kg] (*cases). The excess is
    zero between the levels and negative below the lowest level.
    """
    low, high = interpolation.first(points, left), interpolation.last(points, left)
    return left - interpolation.clamp(left, low, high)
