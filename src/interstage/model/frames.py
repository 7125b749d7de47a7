"""Declaration of the orientation of the axes of a body or joint."""

from __future__ import annotations

import re
from typing import Annotated, Any

import numpy as np
from pydantic import StrictBool, model_validator

from ..maths import rotations
from ..tree.declaration import Declaration
from ..tree.errors import Refused
from ..tree.units import si

TOLERANCE = 1e-6
"""Maximum deviation of a quaternion from unit length, or of a matrix from orthogonality. Larger deviations
are errors.
"""
ROUNDING = 16 * np.finfo(float).eps
"""Deviation below which a quaternion or matrix is not corrected. Numbers that were written to a file are then
read back unchanged.
"""


class Attitude(Declaration):
    """The orientation of inner axes relative to outer axes. Inner axes belong to a body or a joint. Outer
    axes are inertial axes, or the structural axes of a body.

    Give exactly one of a quaternion, an Euler sequence with its angles, or a direction cosine matrix.
    """

    quaternion: Annotated[Any, si("1", (4,))] | None = None
    """Unit quaternion, scalar first, which transforms inner components to outer components."""
    euler: str | None = None
    """Sequence of body-fixed rotations from the outer to the inner axes, like "3-2-1"; requires `angles`."""
    angles: Annotated[Any, si("rad", (3,))] | None = None
    """Angles of the Euler sequence, in its order [rad]. In paths, `angles[0]` or `angles.x` is the first
    angle of the sequence, about any axis."""
    matrix: Annotated[Any, si("1", (3, 3))] | None = None
    """Direction cosine matrix that transforms inner components to outer components. The columns of the matrix
    are the inner axes in outer components. For the transposed matrix set `inertial_to_body`."""
    inertial_to_body: StrictBool = False
    """True if `matrix` is transposed: from outer to inner components. If true, the matrix is transposed
    on input, and this field becomes false."""

    @model_validator(mode="after")
    def _check(self) -> Attitude:
        given = [n for n in ("quaternion", "euler", "matrix") if getattr(self, n) is not None]
        if len(given) != 1:
            what = " and ".join(given) + " are set together" if given else "no orientation is set"
            raise Refused(
                ("", (f"{what}. Set exactly one of these keys: quaternion, euler (with angles), matrix"))
            )
        if (self.euler is None) != (self.angles is None):
            raise Refused(
                (
                    "euler",
                    "'euler' and 'angles' must be set together. Set 'euler' and 'angles', for example euler ="
                    ' "3-2-1" and angles = "[30, 0, 0] deg"',
                )
            )
        if self.inertial_to_body and self.matrix is None:
            raise Refused(
                (
                    "inertial_to_body",
                    "'inertial_to_body' applies to an orientation by matrix only. Remove 'inertial_to_body'",
                )
            )
        if self.euler is not None and not _is_sequence(self.euler):
            raise Refused(
                (
                    "euler",
                    f"'{self.euler}' is not a rotation sequence. Give three numbers from 1 to 3,"
                    " without the same number twice in succession, like 3-2-1",
                )
            )
        if isinstance(self.quaternion, np.ndarray):
            self._settle(quaternion=_unit(self.quaternion))
        if isinstance(self.matrix, np.ndarray):
            matrix = np.swapaxes(self.matrix, 0, 1) if self.inertial_to_body else self.matrix
            self._settle(matrix=_orthogonal(matrix), inertial_to_body=False)
        return self


def attitude_matrix(attitude: Attitude | None) -> np.ndarray:
    """Return the rotation matrix (3, 3, *cases) of an orientation, from inner to outer components. Return the
    identity matrix for None.
    """
    if attitude is None:
        return np.eye(3)
    if attitude.matrix is not None:
        return np.asarray(attitude.matrix, float)
    q = attitude.quaternion
    if q is None:
        assert attitude.euler is not None
        q = rotations.of_sequence(attitude.euler, attitude.angles)
    return np.asarray(rotations.matrix_of(np.asarray(q, float)), float)


def _is_sequence(text: str) -> bool:
    return re.fullmatch(r"[123]-[123]-[123]", text) is not None and text[0] != text[2] != text[4]


def _unit(q: np.ndarray) -> np.ndarray:
    length = np.sqrt((q * q).sum(axis=0))
    error = np.abs(length - 1).max()
    if error > TOLERANCE:
        raise Refused(
            (
                "quaternion",
                f"'quaternion' has the length {float(length.flat[0]):.9g}; allowed: 1 within "
                f"{TOLERANCE:g}. Divide the quaternion by its length, and check that the scalar part comes "
                "first",
            )
        )
    return q if error <= ROUNDING else _frozen(q / length)


def _orthogonal(matrix: np.ndarray) -> np.ndarray:
    """The rotation nearest to a matrix that is orthogonal within `TOLERANCE` (polar factor)."""
    stack = np.moveaxis(matrix, (0, 1), (-2, -1))
    error = np.abs(np.swapaxes(stack, -1, -2) @ stack - np.eye(3)).max()
    if error > TOLERANCE:
        raise Refused(
            (
                "matrix",
                "'matrix' is not orthogonal: its columns deviate from unit length or right angles by "
                f"{error:.2g}; allowed: {TOLERANCE:g}. Give more digits, or use a quaternion or Euler "
                "angles",
            )
        )
    if (np.linalg.det(stack) < 0).any():
        raise Refused(
            (
                "matrix",
                "'matrix' is left-handed (determinant -1), but a rotation matrix has the determinant +1. "
                "Change the sign of one axis",
            )
        )
    if error <= ROUNDING:
        return _frozen(matrix)
    u, _, vh = np.linalg.svd(stack)
    return _frozen(np.moveaxis(u @ vh, (-2, -1), (0, 1)))


def _frozen(array: np.ndarray) -> np.ndarray:
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array
