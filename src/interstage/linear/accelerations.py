"""Compute the accelerations of the joint coordinates from the accelerations of the bodies.

The gap between the joint points is d = F s along the parent's joint frame F, which rotates with w:

    F s'' = d'' - 2 w x d' + w x (w x d) - w' x d

D is the frame F after the prescribed rotation, with the angular velocity w_D. W is the angular velocity of
the child relative to D. The rates of the rotation coordinates change by D^T (W' - w_D x W). For two rotations
about the axes e (in D) and b (in the child), W = e p + b q. The rate of W is e p' + b q' + (e x b) p q. The
last term is normal to both axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..engine.here import Here
from ..engine.joint_entries import sequence
from ..formulations.spanning import Motions
from ..maths.arrays import jnp
from ..maths.vectors import cross, dot, product, rotate, rotate_back
from ..model.attachments import pick
from ..model.drive import Drive, drive


class OfJoints:
    """Accelerations of some joints, given by their indices. Each property is computed on request, because
    hinges need only rotations.
    """

    def __init__(self, here: Here, joints: Sequence[int]):
        self.here, self.mechanism, self._which = here, here.equations, np.array(joints, int)
        table = self.mechanism.table
        self._ends = [np.array(ends, int)[self._which] for ends in (table.parent, table.child)]
        self._frame, self._child_frame = self._of(here.frame_a, 2), self._of(here.frame_b, 2)
        self._spins = [self._of(spin, 1) for spin in (here.pairs.spin_a, here.pairs.spin_b)]

    def _of(self, array: Any, axis: int) -> Any:
        """The entries of these joints in an array of all joints."""
        return array if array.shape[axis] == 1 else pick(array, self._which, axis)

    @cached_property
    def _turning(self) -> list[Any]:
        """Angular accelerations of parents and children, inertial axes (3, joint, *cases)."""
        turning = rotate(self.mechanism.of_bodies(self.here.motion).rotation, self.here.acceleration[3:])
        return [pick(turning, k, 1) for k in self._ends]

    @cached_property
    def _driving(self) -> Drive | None:
        """Prescribed motion of the frames of these joints; None if there is none."""
        if not self.mechanism.layout.driven:
            return None
        found = drive(self.mechanism.numbers.drives, self.here.t)
        return Drive(*(self._of(part, part.ndim - 1 - self.here.t.ndim) for part in found))

    @cached_property
    def place(self) -> Any:
        """Return the accelerations s'' of the joint displacements [m/s^2] (3, joint, *cases), in parent joint
        axes.
        """
        pairs, (w, _), (turn_a, turn_b) = self.here.pairs, self._spins, self._turning
        on_a, on_b = (pick(self.here.acceleration[:3], k, 1) for k in self._ends)
        arm_a, arm_b, gap, speed, bias = (
            self._of(part, 1) for part in (pairs.arm_a, pairs.arm_b, pairs.gap, pairs.gap_rate, pairs.bias())
        )
        second = on_b + cross(turn_b, arm_b) - on_a - cross(turn_a, arm_a) + bias
        second = second - 2 * cross(w, speed) + cross(w, cross(w, gap)) - cross(turn_a, gap)
        place = rotate_back(self._frame, second)
        return place if self._driving is None else place - self._driving.shift_acceleration

    @cached_property
    def _relative(self) -> tuple[Any, Any, Any, Any]:
        """W' and W of the child relative to D in inertial axes, D, and the angular velocity of D."""
        w, wb = self._spins
        spin, change, driving = wb - w, self._turning[1] - self._turning[0], self._driving
        if driving is None:
            return change, spin, self._frame, w
        along = rotate(self._frame, driving.turn_rate)
        change = change - cross(w, along) - rotate(self._frame, driving.turn_acceleration)
        return change, spin - along, product(self._frame, driving.turn), w + along

    @cached_property
    def change(self) -> Any:
        """Return the rates of the relative angular velocities [rad/s^2] (3, joint, *cases), in parent joint
        axes.
        """
        change, spin, turned, by = self._relative
        return rotate_back(turned, change - cross(by, spin))

    @cached_property
    def of_child(self) -> Any:
        """Return the rates of the relative angular velocities [rad/s^2] (3, joint, *cases), in child joint
        axes.
        """
        change, spin, *_ = self._relative
        return rotate_back(self._child_frame, change - cross(self._spins[1], spin))

    @cached_property
    def axes(self) -> Any:
        """Return the axes of the child joint frames in the parent joint frames, as columns (3, 3, joint,
        *cases).
        """
        return product(jnp.swapaxes(self._relative[2], 0, 1), self._child_frame)

    def turns(self, k: int, motions: Motions) -> list[Any]:
        """Return the angular accelerations [rad/s^2] (*cases) of joint k, in the order of its free rotations
        `motions`.
        """
        order = sequence(motions)
        if order is None:
            return [self.of_child[n, k] for n in range(len(motions.turns))]
        change, e = self.change[:, k], order.axes[0]
        if order.free == (0,):
            return [change[e]]
        along = self.axes[:, order.axes[2], k]
        if order.free == (2,):
            return [dot(along, change)]
        oblique = along[e]
        first, last, square = change[e], dot(along, change), 1.0 - oblique * oblique
        return [(first - oblique * last) / square, (last - oblique * first) / square]
