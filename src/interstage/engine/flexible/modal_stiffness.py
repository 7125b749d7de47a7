"""Values of the modes of all flexible bodies as arrays, and mode shapes at the nodes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...maths.arrays import jnp
from ...maths.vectors import add_axes, norm

if TYPE_CHECKING:
    from ...model.flexible import ModeSet
    from .bodies import FlexibleBodies


class Modes(NamedTuple):
    """Values of all modes and nodes.

    - frequency [rad/s], damping [1], mass [kg] (mode): angular frequencies, damping ratios and generalized
      masses.
    - moved [1], turned [rad/m] (mode): largest displacement and rotation of a point per unit modal
      coordinate.
    - phi [1], psi [rad/m] (3, node, mode): displacement and rotation shapes at the nodes. The shapes are zero
      for modes of other bodies.
    - place (3, node) [m]: positions of the nodes without deformation, structural coordinates.
    - arm (3, node) [m]: vectors from the centres of mass to the nodes.

    The following values exist only for modes that depend on mass, and are None otherwise:

    - gain (mode) [1]: derivative of the generalized mass with respect to the mass level.
    - bend (6, node, mode) [1/kg]: derivatives of phi and psi with respect to the mass level.

    tables: tables over the mass level by the index of the flexible body, for `FlexibleBodies.modes_in`.
    `moved` and `turned` are the largest values of all levels. Until the masses are known, the other values
    belong to the highest level.
    """

    frequency: Any
    damping: Any
    mass: Any
    phi: Any
    psi: Any
    place: Any
    moved: Any = None
    turned: Any = None
    arm: Any = None
    gain: Any = None
    bend: Any = None
    tables: dict[int, Any] = {}  # noqa: RUF012 - never changed


def along(shape: Any, coordinate: Any) -> Any:
    """Return the sum over modes of shapes (3, node, mode, *cases) times modal coordinates (mode, *cases)."""
    return jnp.sum(shape * coordinate, 2)


def side_by_side(rows: list[Any], axis: int) -> Any:
    """Return arrays concatenated along an axis; later axes are broadcast."""
    lanes = jnp.broadcast_shapes(*(one.shape[axis + 1 :] for one in rows))
    return jnp.concatenate([jnp.broadcast_to(one, (*one.shape[: axis + 1], *lanes)) for one in rows], axis)


def at_levels(bodies: FlexibleBodies, scenario: Any, levels: Sequence[ModeSet], lanes: int) -> Modes:
    """Return the values of all modes and nodes, with each body at the given mass level.

    levels: mode set of each flexible body. `lanes`: number of case axes, 0 or 1.
    """
    total, first = sum(bodies.counts), np.cumsum((0, *bodies.counts))

    def of_modes(name: str) -> Any:
        rows = [
            jnp.broadcast_to(one, (count, *one.shape[1:]))
            for one, count in zip([jnp.asarray(getattr(d, name)) for d in levels], bodies.counts)
        ]
        return side_by_side(rows, 0)

    places, shapes = [], []
    for attachment, k in zip(bodies.attachments, bodies.owners, strict=True):
        at = jnp.asarray(attachment.point(scenario))
        place, shape = nearest(levels[k], add_axes(at, 1 + lanes), lanes)
        before, behind = first[k], total - first[k + 1]
        none = [jnp.zeros((6, m, *shape.shape[2:])) for m in (before, behind)]
        places.append(place[:, None])
        shapes.append(jnp.concatenate([none[0], shape, none[1]], 1)[:, None])
    empty = jnp.zeros((6, 0, total, *(1,) * lanes))
    whole = side_by_side([empty, *shapes], 1) if shapes else empty
    place = side_by_side(places, 1) if places else jnp.zeros((3, 0, *(1,) * lanes))
    frequency, damping, mass = (of_modes(n) for n in ("frequency", "damping", "mass"))
    return Modes(frequency, damping, mass, whole[:3], whole[3:], place)


def nearest(modes: ModeSet, at: Any, lanes: int) -> tuple[Any, Any]:
    """Return the position [m] (3, *cases) of the declared point nearest to the position `at` (3, *cases) [m],
    and the shapes at this point (6, mode, *cases).

    If several points are equally near, the result is their mean. `lanes`: number of case axes, 0 or 1.
    """
    points = [add_axes(jnp.asarray(point.at), 1 + lanes) for point in modes.points]
    square = [jnp.sum((point - at) ** 2, 0) for point in points]
    least = square[0]
    for one in square[1:]:
        least = jnp.where(one < least, one, least)
    chosen = [jnp.where(one <= least, 1.0, 0.0) for one in square]
    total = sum(chosen)
    weight = [one / total for one in chosen]
    place = sum(w * point for w, point in zip(weight, points, strict=True))
    shape: Any = 0.0
    for w, point in zip(weight, modes.points, strict=True):
        both = [add_axes(jnp.asarray(one), 2 + lanes) for one in (point.shape, point.turn)]
        shape = shape + w * jnp.swapaxes(side_by_side(both, 1), 0, 1)
    return place, shape


def largest(levels: Sequence[ModeSet], mass: Any, lanes: int) -> tuple[Any, Any]:
    """Return the largest displacement and the largest rotation of a point per unit modal coordinate at any
    mass level, each (mode, *cases).

    The displacement is at least its mass-weighted root mean square, sqrt(generalized mass / mass). mass: mass
    of the body [kg].
    """
    moved, turned = zip(*(_largest_at(level, mass, lanes) for level in levels), strict=True)
    return reduce(jnp.maximum, moved), reduce(jnp.maximum, turned)


def _largest_at(modes: ModeSet, mass: Any, lanes: int) -> tuple[Any, Any]:
    """As `largest`, at one level."""
    count = np.shape(modes.frequency)[0]
    whole = add_axes(jnp.asarray(modes.mass), 1 + lanes) / add_axes(jnp.asarray(mass), lanes)
    moved = jnp.broadcast_to(jnp.sqrt(whole), (count, *whole.shape[1:]))
    turned = jnp.zeros((count, *(1,) * lanes))
    for point in modes.points:
        shape, turn = (add_axes(jnp.asarray(one), 2 + lanes) for one in (point.shape, point.turn))
        moved = jnp.maximum(moved, norm(jnp.swapaxes(shape, 0, 1)))
        turned = jnp.maximum(turned, norm(jnp.swapaxes(turn, 0, 1)))
    return moved, turned
