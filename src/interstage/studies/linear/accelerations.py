"""Second rates of the coordinates of joints, of the accelerations of the bodies.

With the gap d = F s between the joint points along the parent's frame F, which turns with w,

    F s'' = d'' - 2 w x d' + w x (w x d) - w' x d,

and with the spin W of the child relative to the driven frame D of the parent, D^T (W' - w_D x W) is what the
rates of the turns change by; of two turns about e (in D) and b (in the child), W = e p + b q, it is
e p' + b q' + (e x b) p q, whose last part is across both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...engine.here import Here
from ...engine.joint_entries import sequence
from ...formulations.spanning import Motions
from ...maths.arrays import jnp
from ...maths.vectors import cross, dot, product, rotate, rotate_back
from ...model.attachments import picked
from ...model.drive import drive


class OfJoints:
    """Second rates of some joints (numbers) at an instant.

    place (3, joint, *lanes) [m/s^2]: s''. change, of_child (3, joint, *lanes): rate of W in the axes of D,
    and in those of the child's frame. axes (3, 3, joint, *lanes): the child's in D."""

    def __init__(self, here: Here, joints: Sequence[int]):
        mechanism, pairs, which = here.equations, here.pairs, np.array(joints, int)
        table = mechanism.table
        parent, child = (np.array(ends, int)[which] for ends in (table.parent, table.child))

        def of(array: Any, axis: int) -> Any:
            return array if array.shape[axis] == 1 else picked(array, which, axis)

        rotation = mechanism.of_bodies(here.motion).rotation
        straight, turning = here.acceleration[:3], rotate(rotation, here.acceleration[3:])
        on_a, on_b = ((picked(straight, k, 1), picked(turning, k, 1)) for k in (parent, child))
        frame, child_frame = of(here.frame_a, 2), of(here.frame_b, 2)
        w, wb, gap, speed = (of(part, 1) for part in (pairs.spin_a, pairs.spin_b, pairs.gap, pairs.gap_rate))
        arm_a, arm_b, bias = (of(part, 1) for part in (pairs.arm_a, pairs.arm_b, pairs.bias()))
        second = on_b[0] + cross(on_b[1], arm_b) - on_a[0] - cross(on_a[1], arm_a) + bias
        second = second - 2 * cross(w, speed) + cross(w, cross(w, gap)) - cross(on_a[1], gap)
        place, spin, change, turned, by = rotate_back(frame, second), wb - w, on_b[1] - on_a[1], frame, w
        if mechanism.layout.driven:
            driving = drive(mechanism.numbers.drives, here.t)
            shift, turn, rate, more = (
                of(part, part.ndim - 1 - here.t.ndim)
                for part in (
                    driving.shift_acceleration,
                    driving.turn,
                    driving.turn_rate,
                    driving.turn_acceleration,
                )
            )
            along = rotate(frame, rate)
            place, spin, by = place - shift, spin - along, w + along
            change = change - cross(w, along) - rotate(frame, more)
            turned = product(frame, turn)
        self.place = place
        self.change = rotate_back(turned, change - cross(by, spin))
        self.of_child = rotate_back(child_frame, change - cross(wb, spin))
        self.axes = product(jnp.swapaxes(turned, 0, 1), child_frame)

    def turns(self, k: int, motions: Motions) -> list[Any]:
        """Second rates of the turns of the joint in place k, in the order of its free turns."""
        order = sequence(motions)
        if order is None:
            return [self.of_child[n, k] for n in range(len(motions.turns))]
        change, e = self.change[:, k], order.axes[0]
        along = self.axes[:, order.axes[2], k]
        if order.free == (0,):
            return [change[e]]
        if order.free == (2,):
            return [dot(along, change)]
        oblique = along[e]
        first, last, square = change[e], dot(along, change), 1.0 - oblique * oblique
        return [(first - oblique * last) / square, (last - oblique * first) / square]
