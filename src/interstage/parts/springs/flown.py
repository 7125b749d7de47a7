"""Model of springs and dampers along the line between two points, in a flight."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.contract import ChecksStart, HasReference, Makers, Stacked
from ...engine.lines_of_action import lines
from ...engine.numbers import arms
from ...engine.quantity import makers
from ...engine.stacks import Ends, ends, stack_items
from ...engine.state import origin_of
from ...maths.arrays import jax, jnp
from ...maths.vectors import norm
from ...model import attachments
from ...tree.errors import Problem
from . import law as springs
from .declared import Spring
from .quantities import spring_quantities

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism
    from ...model.attachments import Motion


class Tensions(NamedTuple):
    """Lines of action and forces of all springs at one time.

    - line (spring, *cases): lines of action.
    - tension (spring, *cases) [N]: forces on the child bodies along the lines, positive if they push the
      bodies apart.
    - share (6, body, *cases): loads on the bodies.
    """

    line: springs.LineState
    tension: jax.Array
    share: jax.Array


class Own(NamedTuple):
    """Prepared numbers of the springs.

    - stiffness [N/m], damping [N s/m] (spring).
    - ends: end points in structural coordinates.
    - arm_a, arm_b (3, spring) [m]: vectors from the centres of mass of parent and child to the end points.
    """

    stiffness: Any
    damping: Any
    ends: Ends
    arm_a: Any = None
    arm_b: Any = None


class Springs(Stacked, HasReference, ChecksStart):
    """Model of all springs along a line in a flight. Default free lengths follow from the initial pose."""

    name = "springs"
    group = "forces"
    kinds = (Spring,)

    @cached_property
    def ends(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Column indices of the parent bodies and of the child bodies of all springs."""
        return self.layout.columns.ends(self.items)

    def stack_numbers(self, scenario: Any, lanes: int) -> Own:
        """Return the declared numbers and the end points of all springs as arrays. `lanes`: number of
        case axes.
        """
        declared = self.of(scenario)
        both = ("stiffness", "damping")
        stiffness, damping = (stack_items([getattr(s, n) for s in declared], lanes) for n in both)
        return Own(stiffness, damping, ends(declared, lanes))

    def numbers(self, scenario: Any, stacked: Own, lanes: int) -> Own:
        """Return `stacked`, the result of `stack_numbers`. The numbers need no further preparation."""
        return stacked

    def with_centres(self, own: Own, centre: Any) -> Own:
        """Return the prepared numbers with vectors from the present centres of mass to the end points.

        `centre` (3, body, *cases) [m]: centres of mass, structural coordinates.
        """
        arm_a, arm_b = arms(self.layout, self.items, own.ends, centre)
        return own._replace(arm_a=arm_a, arm_b=arm_b)

    def reference_values(self, mechanism: Mechanism, motion: Motion) -> Any:
        """Return the free lengths [m] (spring, *cases). If a free length is not declared, it is the
        initial length.
        """
        own = mechanism.numbers.own[self.name]
        pairs = attachments.kinematics(motion, *self.ends, own.arm_a, own.arm_b)
        found = [norm(pairs.gap[:, k]) for k in range(len(self.items))]
        declared = [spring.free_length for spring in self.of(mechanism.scenario)]
        return jnp.stack(
            [gap if own is None else jnp.broadcast_to(own, gap.shape) for own, gap in zip(declared, found)]
        )

    def start_values(self, mechanism: Mechanism, motion: Motion) -> Any:
        """Return the lines between the end points, and the spring forces at zero length [N], in the
        initial state.
        """
        return self.spans(mechanism, motion)[1]

    def spans(self, mechanism: Mechanism, motion: Motion) -> tuple[Any, tuple[Any, Any]]:
        """Return the pairs of end points, and the result of `start_values`."""
        own, free = (each[self.name] for each in (mechanism.numbers.own, mechanism.reference.own))
        pairs = attachments.kinematics(motion, *self.ends, own.arm_a, own.arm_b)
        found = lines(self.layout, motion, pairs, self.ends, own.ends)
        push = own.stiffness * jnp.where(free > found.least, free, 0.0)
        return pairs, (found, jnp.broadcast_to(push, found.length.shape))

    def doubtful_cases(self, start: Any, found: Any) -> Any:
        """Return, for each case, whether the end points of a spring coincide while its force at zero length
        is not zero.
        """
        return np.any(self.without_direction(found, origin_of(self.layout, start.x)), axis=0)

    def without_direction(self, found: Any, origin: Any) -> Any:
        """Return whether each spring has a force without a direction, because its end points coincide
        (spring, *cases).

        With zero free length, the force is zero at zero length and needs no direction. `found`: result of
        `start_values`. `origin` [m]: local origin, for the rounding error of a position.
        """
        spans, push = found
        return np.asarray(spans.without_direction(origin)) & (np.asarray(push) > 0)

    def start_problems(self, start: Any) -> Iterator[Problem]:
        """Yield a problem for each spring that acts in the first phase with a force without a direction, in
        one case.
        """
        first, found = self.layout.scenario.phases[0].name, start.own[self.name]
        for k in np.flatnonzero(self.without_direction(found, origin_of(self.layout, start.x))):
            spring: Any = self.items[k]
            if spring.phases is None or first in spring.phases:
                text = (
                    f"the two ends of the spring coincide ({float(found[0].length[k]):.2g} m apart). The "
                    "spring force"
                )
                text += f" of {float(found[1][k]):.4g} N has no direction. Move one of the ends, or set"
                yield Problem(f"forces.{spring.name}", f"{text} free_length = 0")

    def find(self, here: Here) -> Tensions:
        """Return the lines of action, forces and loads of all springs at one time."""
        own, motion = here.numbers.own[self.name], here.moving_at(*self.ends)
        pairs = attachments.kinematics(motion, *self.ends, own.arm_a, own.arm_b)
        line = springs.along_points(pairs)
        free = here.equations.reference.own[self.name]
        force = springs.spring_force(line, own.stiffness, own.damping, free)
        pull = springs.spring_pull(pairs, line, own.stiffness, own.damping, free)
        if any(spring.phases is not None for spring in self.items):
            acts = jnp.stack([self.acting(here, spring) for spring in self.items])
            force, pull = force * acts, pull * acts
        share = attachments.sum_by_body(*attachments.lever(pairs, pull), *self.ends, motion.position.shape[1])
        return Tensions(line, force, share)

    def wrench(self, here: Here) -> Any:
        """Return the loads of all springs on the bodies (6, body, *cases): force [N], inertial axes, and
        torque [N m], body axes.
        """
        return here[self.name].share

    def stored_energy(self, here: Here) -> Any:
        """Return the total elastic energy of all springs [J] (*cases)."""
        total: Any = 0.0
        free = here.equations.reference.own[self.name]
        for k, spring in enumerate(self.items):
            stretch = here[self.name].line.length[k] - free[k]
            energy = 0.5 * here.numbers.own[self.name].stiffness[k] * stretch**2
            total = total + (energy if spring.phases is None else energy * self.acting(here, spring))
        return total

    def acting(self, here: Here, spring: Spring) -> Any:
        """Return 1 where a spring acts in the present phase, otherwise 0 (*cases)."""
        return jnp.broadcast_to(jnp.asarray(self.layout.acting(spring, here.discrete)), here.t.shape)

    def quantities(self) -> Makers:
        """Return the output quantities of each spring."""
        return makers("forces", self.items, spring_quantities)
