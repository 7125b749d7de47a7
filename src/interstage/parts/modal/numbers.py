"""Numbers of modes prepared, and what stations do by them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...maths.arrays import jnp
from .interpolated import Table


class Own(NamedTuple):
    """Of the modes of all bodies: frequency [rad/s], damping [1], mass [kg] (mode); moved [1], turned [rad/m]
    (mode): most by which a unit of its coordinate displaces and turns a point. Of the stations: phi [1], psi
    [rad/m] (3, station, mode), zero for modes of other bodies; place [m] (3, station): in drawing
    coordinates; arm [m] (3, station): from the centres of mass. Of bodies that drain, whose modes are else
    those of the highest level: tables by the number of the body here; changes by the propellant left, gain
    [1] (mode) of the masses, and bend [1/kg] (6, station, mode) of phi and psi, None where none drains."""

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
    tables: dict[int, Table] = {}  # noqa: RUF012 - never changed


class Bent(NamedTuple):
    """Stations in the axes of their bodies, (3, station, *cases): arm [m] from the centre of mass, speed
    [m/s] seen from the body, turn [rad]: rotation vector, spin [rad/s]: relative to the body. rotation (3, 3,
    station), quaternion (4, station): station to body."""

    arm: Any
    speed: Any
    turn: Any
    spin: Any
    rotation: Any
    quaternion: Any


def along(shape: Any, coordinate: Any) -> Any:
    """Shapes (3, station, mode, *cases) times coordinates (mode, *cases)."""
    return jnp.sum(shape * coordinate, 2)


def rows_of(own: Own, among: slice) -> Any:
    """Of the modes of one body: frequencies, damping ratios, generalized masses, and shapes at all stations,
    side by side (row, *cases)."""
    shapes = jnp.concatenate([own.phi, own.psi])[:, :, among]
    numbers = [one[among] for one in (own.frequency, own.damping, own.mass)]
    return side_by_side([*numbers, shapes.reshape(-1, *shapes.shape[3:])], 0)


def side_by_side(rows: list[Any], axis: int) -> Any:
    """Arrays one behind the other along an axis; of the axes behind it they may share cases."""
    lanes = jnp.broadcast_shapes(*(one.shape[axis + 1 :] for one in rows))
    return jnp.concatenate([jnp.broadcast_to(one, (*one.shape[: axis + 1], *lanes)) for one in rows], axis)
