"""Model of torsion springs about up to three axes, in a flight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.body_loads import on_body
from ...engine.contract import ChecksStart, Makers, Range, Tabulated
from ...engine.layout import Layout
from ...engine.mechanism import Mechanism
from ...engine.numbers import in_frame, joint_frames
from ...engine.quantity import makers
from ...maths.arrays import jnp
from ...maths.rotations import matrix_of, quaternion_of
from ...maths.vectors import add_axes, product, rotate, rotate_back, transpose
from ...model.attachments import Motion
from ...tree.errors import Problem
from ..springs import law as springs
from .declared import TorsionSpring
from .quantities import torsion_quantities

if TYPE_CHECKING:
    from ...engine.here import Here

LOCK = np.radians(0.5)
"""Angle from a gimbal lock [rad] below which a flight with an active spring stops.

At this angle, the torques on the bodies are 100 times the torques about the spring axes.
"""
HALF_TURN = np.pi - LOCK
"""Maximum initial angle of an active spring [rad]. Above this angle, the start is rejected, because rounding
determines the sign of the angle.
"""
REMEDY = (
    "Use another sequence, rotate the spring's frames so that these axes stay apart, or use a bushing, which"
    " has no lock below 180 deg."
)


class TorsionSprings(ChecksStart, Tabulated):
    """Model of all torsion springs in a flight.

    The results of the model are, by the name of the spring, the torque on the child [N m, inertial axes] and
    the angles.
    """

    name = "torsion"
    group = "forces"
    kinds = (TorsionSpring,)

    def start_values(self, mechanism: Mechanism, motion: Motion) -> Any:
        """Return two results for each spring in the initial state: the angle between its first and last axis
        [rad], and its angles [rad].
        """
        found = []
        for spring in self.of(mechanism.scenario):
            relative, spin, _ = _relative(self.layout, motion, spring)
            angle = springs.sequence_angles(spring.sequence, relative, spin).angle
            found.append((_between(spring, relative), angle))
        return tuple(found)

    def doubtful_cases(self, start: Any, found: Any) -> Any:
        """Return, for each case, whether a spring starts at a gimbal lock or near an angle of 180 deg."""
        doubt: Any = False
        for spring, (between, angle) in zip(self.items, found, strict=True):
            doubt = doubt | (_beyond(spring, np.asarray(between)) != 0)
            doubt = doubt | np.any(np.abs(np.asarray(angle)) > HALF_TURN, axis=0)
        return doubt

    def start_problems(self, start: Any) -> Iterator[Problem]:
        """Yield a problem for each spring with an undefined angle in the initial state of one case."""
        laws, phase = self.of(self.layout.scenario), self.layout.scenario.phases[0].name
        for spring, (between, angle) in zip(laws, start.own[self.name], strict=True):
            place = f"forces.{spring.name}"
            if spring.phases is not None and phase not in spring.phases:
                continue
            if _beyond(spring, np.asarray(between)) != 0:
                known = _range(spring)
                text = (
                    f"the spring starts in gimbal lock: {known.variable} is"
                    f" {np.degrees(float(between)):.4g} deg"
                )
                low, high = (f"{end:g}" for end in known.ends or ())
                yield Problem(place, f"{text}; allowed: {low} to {high} deg. {REMEDY}")
                continue
            far = (np.abs(np.asarray(angle)) > HALF_TURN) & (np.asarray(spring.stiffness) > 0)
            for n in np.flatnonzero(far):
                yield Problem(
                    place,
                    f"angle {n + 1} starts at {np.degrees(float(angle[n])):.6g} deg, where its sign"
                    " depends on"
                    " rounding errors. Rotate 'parent_frame' about the axis of this angle, and change"
                    " 'free_angles' by the same angle",
                )

    def find(self, here: Here) -> dict[str, tuple[Any, springs.Angles]]:
        """Return the torque and the angles of each spring, by the name of the spring."""
        return {spring.name: _torsion(here, spring) for spring in self._declared_springs(here)}

    def wrench(self, here: Here) -> Any:
        """Return the loads of all torsion springs on the bodies (6, body, *cases): force [N], inertial axes,
        and torque [N m], body axes.
        """
        total, motion = 0.0, here.motion
        for spring in self.items:
            torque = here[self.name][spring.name][0]
            for end, sign in ((spring.parent, -1.0), (spring.child, 1.0)):
                k = self.layout.body(end)
                own = rotate_back(motion.rotation[:, :, k], sign * torque)
                total = total + on_body(jnp.zeros_like(torque), own, k, motion.position.shape[1])
        return total

    def stored_energy(self, here: Here) -> Any:
        """Return the total elastic energy of all torsion springs [J] (*cases)."""
        found = here[self.name]
        return sum(
            _energy(here, spring, found[spring.name][1].angle) for spring in self._declared_springs(here)
        )

    def outside_ranges(self, here: Here) -> Mapping[str, Any]:
        """Return, for each spring, how far the angle between its axes is inside the range of a gimbal lock
        [rad].

        The result is zero outside of this range and while the spring does not act. The difference is negative
        for parallel axes and positive for opposite axes.
        """
        found = {}
        for spring in self._declared_springs(here):
            relative = _relative(self.layout, here.motion, spring)[0]
            found[spring.name] = _beyond(spring, _between(spring, relative))
            found[spring.name] = found[spring.name] * self.layout.acting(spring, here.discrete)
        return found

    def ranges(self, scenario: Any) -> Mapping[str, Range]:
        """Return, for each spring, the allowed range of the angle between its first and last axis."""
        return {spring.name: _range(spring) for spring in self.of(scenario)}

    def quantities(self) -> Makers:
        """Return the output quantities of each torsion spring."""
        return makers("forces", self.items, torsion_quantities)

    def _declared_springs(self, here: Here) -> list[Any]:
        return [*self.of(here.equations.scenario)]


def _relative(layout: Layout, motion: Motion, spring: Any) -> tuple[Any, Any, Any]:
    """Matrix from the child's frame to the parent's frame, relative spin in the child's frame, and child's
    frame in inertial axes."""
    a, b = layout.body(spring.parent), layout.body(spring.child)
    frame_a = joint_frames(motion.rotation[:, :, a], _frame(spring.parent_frame, motion))
    frame_b = joint_frames(motion.rotation[:, :, b], _frame(spring.child_frame, motion))
    spin = in_frame(frame_b, motion.spin[:, b] - motion.spin[:, a])
    return product(transpose(frame_a), frame_b), spin, frame_b


def _torsion(here: Here, spring: Any) -> tuple[Any, springs.Angles]:
    relative, spin, frame_b = _relative(here.equations.layout, here.motion, spring)
    angles = springs.sequence_angles(spring.sequence, relative, spin)
    numbers = (spring.stiffness, spring.damping, spring.free_angles)
    torque = springs.torsion(angles, *(add_axes(number, angles.angle.ndim) for number in numbers))
    cosine = springs.between_axes(spring.sequence, relative)
    locked = (-cosine if "-" not in spring.sequence else jnp.abs(cosine)) > np.cos(LOCK)
    torque = jnp.where(locked, jnp.nan, torque)
    if spring.phases is not None:
        torque = jnp.where(here.equations.layout.acting(spring, here.discrete) > 0, torque, 0.0)
    return rotate(frame_b, torque), angles


def _between(spring: Any, relative: Any) -> Any:
    """Angle between the first and the last axis [rad]."""
    return jnp.arccos(jnp.clip(springs.between_axes(spring.sequence, relative), -1.0, 1.0))


def _beyond(spring: Any, between: Any) -> Any:
    """Angle by which the angle between the axes is inside a gimbal lock [rad]: negative for parallel axes,
    positive for opposite axes."""
    above = jnp.maximum(between - HALF_TURN, 0.0)
    return above if "-" not in spring.sequence else above - jnp.maximum(LOCK - between, 0.0)


def _range(spring: Any) -> Range:
    """Range of the angle between the first and the last axis outside of a gimbal lock."""
    least = 0.0 if "-" not in spring.sequence else LOCK
    ends = float(np.degrees(least)), float(np.degrees(HALF_TURN))
    variable = f"the angle of its first axis (on '{spring.parent}') to its last axis (on '{spring.child}')"
    left = "reached its gimbal lock"
    return Range(f"forces.{spring.name}", variable, 180 / np.pi, "deg", ends, True, left=left, remedy=REMEDY)


def _frame(attitude: Any, motion: Any) -> Any:
    if attitude is None:
        return None
    return add_axes(matrix_of(quaternion_of(attitude)), motion.position.ndim)


def _energy(here: Here, spring: Any, angle: Any) -> Any:
    stretch = angle - add_axes(spring.free_angles, angle.ndim)
    energy = 0.5 * jnp.sum(add_axes(spring.stiffness, angle.ndim) * stretch**2, 0)
    return energy if spring.phases is None else energy * here.equations.layout.acting(spring, here.discrete)
