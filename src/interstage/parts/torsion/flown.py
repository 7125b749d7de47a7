"""Torsion springs about up to three axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.body_loads import on_body
from ...engine.contract import Makers, Part
from ...engine.numbers import in_frame, joint_frames
from ...engine.quantity import makers
from ...maths.arrays import jnp
from ...maths.rotations import matrix_of, quaternion_of
from ...maths.vectors import product, rotate, rotate_back, transposed, widened
from ..springs import law as springs
from .declared import TorsionSpring
from .quantities import torsion_quantities

if TYPE_CHECKING:
    from ...engine.here import Here


class TorsionSprings(Part):
    """Finds the torque on the child [N m, inertial axes] and the angles of each, by name."""

    name = "torsion"
    group = "forces"
    kinds = (TorsionSpring,)

    def find(self, here: Here) -> dict[str, tuple[Any, springs.Angles]]:
        """Torque and angles by the name of the spring."""
        return {spring.name: _torsion(here, spring) for spring in self._declared(here)}

    def wrench(self, here: Here) -> Any:
        """The sum of all."""
        total, motion = 0.0, here.motion
        for spring in self.items:
            torque = here[self.name][spring.name][0]
            for end, sign in ((spring.parent, -1.0), (spring.child, 1.0)):
                k = self.layout.body(end)
                own = rotate_back(motion.rotation[:, :, k], sign * torque)
                total = total + on_body(jnp.zeros_like(torque), own, k, motion.position.shape[1])
        return total

    def stored(self, here: Here) -> Any:
        """Energy of all."""
        return sum(_energy(spring, here[self.name][spring.name][1].angle) for spring in self._declared(here))

    def quantities(self) -> Makers:
        """Of each."""
        return makers("forces", self.items, torsion_quantities)

    def _declared(self, here: Here) -> list[Any]:
        return [*self.of(here.equations.scenario)]


def _torsion(here: Here, spring: Any) -> tuple[Any, springs.Angles]:
    motion, layout = here.motion, here.equations.layout
    a, b = layout.body(spring.parent), layout.body(spring.child)
    frame_a = joint_frames(motion.rotation[:, :, a], _frame(spring.parent_frame, motion))
    frame_b = joint_frames(motion.rotation[:, :, b], _frame(spring.child_frame, motion))
    spin = in_frame(frame_b, motion.spin[:, b] - motion.spin[:, a])
    angles = springs.sequence_angles(spring.sequence, product(transposed(frame_a), frame_b), spin)
    numbers = (spring.stiffness, spring.damping, spring.free_angles)
    torque = springs.torsion(angles, *(widened(number, angles.angle.ndim) for number in numbers))
    return rotate(frame_b, torque), angles


def _frame(attitude: Any, motion: Any) -> Any:
    if attitude is None:
        return None
    return widened(matrix_of(quaternion_of(attitude)), motion.position.ndim)


def _energy(spring: Any, angle: Any) -> Any:
    stretch = angle - widened(spring.free_angles, angle.ndim)
    return 0.5 * jnp.sum(widened(spring.stiffness, angle.ndim) * stretch**2, 0)
