"""Commanded attitude at one time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from ..maths.rotations import matrix_of


class Stance:
    """Attitude and angular velocity of a body.

    - quaternion (4, *cases): unit quaternion, scalar first, body to inertial; or a function that returns it.
    - spin (3, *cases): angular velocity relative to inertial space [rad/s], body axes; None if unknown.
    - rotation (3, 3, *cases): the attitude as a matrix, if it was computed first; else None.
    """

    def __init__(self, quaternion: Any | Callable[[], Any], spin: Any, rotation: Any = None):
        self._quaternion, self.spin, self._rotation = quaternion, spin, rotation

    @cached_property
    def quaternion(self) -> Any:
        """Return the attitude as a unit quaternion (4, *cases)."""
        return self._quaternion() if callable(self._quaternion) else self._quaternion

    @cached_property
    def rotation(self) -> Any:
        """Return the attitude as a matrix (3, 3, *cases): inertial components = matrix x body components."""
        return matrix_of(self.quaternion) if self._rotation is None else self._rotation

    @property
    def by_matrix(self) -> bool:
        """Return whether the matrix was computed before the quaternion."""
        return self._rotation is not None

    def with_spin(self, spin: Any) -> Stance:
        """Return the same attitude with another angular velocity [rad/s] (3, *cases), body axes."""
        return Stance(self._quaternion, spin, self._rotation)
