"""Prepared numbers of modes, and motion of stations."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...maths.arrays import jnp
from .interpolated import Table


class Own(NamedTuple):
    """Numbers of all modes and stations.

    Modes: frequency [rad/s], damping [1], mass [kg] (mode); moved [1], turned [rad/m] (mode): largest
    displacement and rotation of a point per unit coordinate. Stations: phi [1], psi [rad/m] (3, station,
    mode), zero for modes of other bodies; place [m] (3, station): drawing coordinates; arm [m] (3, station):
    from the centres of mass.

    Draining bodies: tables by the index of the body here; gain [1] (mode): change of the masses; bend [1/kg]
    (6, station, mode): derivatives of phi and psi; None without draining bodies. Other values are then those
    of the highest level."""

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
    """Motion of stations in body axes, (3, station, *cases).

    arm [m]: from the centre of mass. speed [m/s]: relative to the body. turn [rad]: rotation vector. spin
    [rad/s]: relative to the body. rotation (3, 3, station), quaternion (4, station): station to body."""

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
    """Frequencies, damping ratios, generalized masses, and shapes at all stations of the modes of one body,
    in one array (row, *cases)."""
    shapes = jnp.concatenate([own.phi, own.psi])[:, :, among]
    numbers = [one[among] for one in (own.frequency, own.damping, own.mass)]
    return side_by_side([*numbers, shapes.reshape(-1, *shapes.shape[3:])], 0)


def side_by_side(rows: list[Any], axis: int) -> Any:
    """Arrays concatenated along an axis; later axes are broadcast."""
    lanes = jnp.broadcast_shapes(*(one.shape[axis + 1 :] for one in rows))
    return jnp.concatenate([jnp.broadcast_to(one, (*one.shape[: axis + 1], *lanes)) for one in rows], axis)
