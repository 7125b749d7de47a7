"""A commanded attitude at one time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from ..maths.rotations import matrix_of


class Stance:
    """An attitude and its rate. `quaternion` (4, *cases): unit, scalar first, body to inertial, or a function
    that returns it at the first read. `spin`: angular velocity relative to inertial space [rad/s] (3,
    *cases), body axes, None if unknown. `rotation` (3, 3, *cases): the attitude as a matrix, if the matrix
    was computed first."""

    def __init__(self, quaternion: Any | Callable[[], Any], spin: Any, rotation: Any = None):
        self._quaternion, self.spin, self._rotation = quaternion, spin, rotation

    @cached_property
    def quaternion(self) -> Any:
        """The attitude as a unit quaternion (4, *cases)."""
        return self._quaternion() if callable(self._quaternion) else self._quaternion

    @cached_property
    def rotation(self) -> Any:
        """The attitude as a matrix (3, 3, *cases): inertial components = matrix x body components."""
        return matrix_of(self.quaternion) if self._rotation is None else self._rotation

    @property
    def by_matrix(self) -> bool:
        """Whether the matrix was computed first."""
        return self._rotation is not None

    def with_spin(self, spin: Any) -> Stance:
        """The same attitude with another angular velocity."""
        return Stance(self._quaternion, spin, self._rotation)
