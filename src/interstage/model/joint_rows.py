"""Constraint rows of each kind of joint (TP-2016 section 3.1, CFE-verif Table 1).

Axes 0, 1, 2 are x, y, z of the joint frame. A rotation row (b, a) keeps the angle between axis b of the child
and axis a of the parent constant, at 90 deg by default. A velocity row (axis, whether the axis is fixed in
the child) restricts only velocities, and is therefore nonholonomic.
"""

from __future__ import annotations

from typing import NamedTuple

from .joint import JointType

AXES = "xyz"
ALL_TURNS = ((1, 0), (2, 0), (1, 2))
"""Rotation rows (b, a) that lock all three rotations: b2.a1, b3.a1, b2.a3 (TP-2016 eqs 92-94)."""


class JointRows(NamedTuple):
    """Constraint rows of one joint in one mode.

    - translations: indices of the locked translations
    - rotations: rotation rows (b, a)
    - rod: whether the joint is a rod
    - rolls: whether the joint has the three rows of a disk's contact point
    - speeds, spins: constrained velocities along and about an axis, (axis, whether the axis is fixed in the
      child)
    - own: whether the rows use a length, radius or angle of this declaration. If the rows use such a value,
      another declaration of the same rows is a different mode
    """

    translations: tuple[int, ...]
    rotations: tuple[tuple[int, int], ...]
    rod: bool = False
    rolls: bool = False
    speeds: tuple[tuple[int, bool], ...] = ()
    spins: tuple[tuple[int, bool], ...] = ()
    own: bool = False


def rows_of(joint: JointType) -> JointRows:
    """Return the constraint rows of a joint of this kind."""
    return _KINDS[joint.kind](joint)


def _others(axis: int) -> tuple[int, int]:
    return (axis + 1) % 3, (axis + 2) % 3


def _free_about(axis: int) -> tuple[tuple[int, int], ...]:
    """The rotation rows that leave one rotation free: the child's axis stays perpendicular to the two other
    axes of the parent."""
    return tuple((axis, other) for other in _others(axis))


def _fixed_rows(joint):
    return JointRows((0, 1, 2), ALL_TURNS)


def _revolute(joint):
    return JointRows((0, 1, 2), _free_about(AXES.index(joint.free_axis)))


def _universal(joint):
    a, b = (AXES.index(letter) for letter in joint.universal_axes)
    return JointRows((0, 1, 2), ((b, a),), own=joint.angle is not None)


def _spherical(joint):
    return JointRows((0, 1, 2), ())


def _translational(joint):
    axis = AXES.index(joint.free_axis)
    return JointRows(_others(axis), (*_free_about(axis), _others(axis)))


def _cylindrical(joint):
    axis = AXES.index(joint.free_axis)
    return JointRows(_others(axis), _free_about(axis))


def _planar(joint):
    axis = AXES.index(joint.free_axis)
    return JointRows((axis,), _free_about(axis) if joint.rotates else ALL_TURNS)


def _rod(joint):
    return JointRows((), (), rod=True, own=joint.length is not None)


def _generalized_rows(joint):
    translations = tuple(AXES.index(name[1]) for name in ("tx", "ty", "tz") if name in joint.locked)
    locked = [AXES.index(name[1]) for name in ("rx", "ry", "rz") if name in joint.locked]
    if len(locked) == 3:
        return JointRows(translations, ALL_TURNS)
    if len(locked) == 2:
        (free,) = set(range(3)) - set(locked)
        return JointRows(translations, _free_about(free))
    if len(locked) == 1:
        a, b = (AXES.index(letter) for letter in joint.pair)
        return JointRows(translations, ((b, a),), own=joint.angle is not None)
    return JointRows(translations, ())


def _velocity(joint):
    on_child = joint.axes_of == "child"
    speeds, spins = (
        tuple((AXES.index(axis), on_child) for axis in AXES if letter + axis in joint.locked)
        for letter in "tr"
    )
    return JointRows((), (), speeds=speeds, spins=spins)


def _knife_edge(joint):
    return JointRows((), (), speeds=((AXES.index(joint.free_axis), True),))


def _rolling(joint):
    return JointRows((), (), rolls=True, own=True)


_KINDS = {
    "fixed": _fixed_rows,
    "revolute": _revolute,
    "universal": _universal,
    "spherical": _spherical,
    "translational": _translational,
    "cylindrical": _cylindrical,
    "planar": _planar,
    "rod": _rod,
    "generalized": _generalized_rows,
    "velocity": _velocity,
    "knife_edge": _knife_edge,
    "rolling": _rolling,
}
