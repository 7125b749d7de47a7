"""Bushings and beams between the bodies of a mechanism: how they are deflected, and what they do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.contract import Makers, Part
from ...engine.numbers import in_frame
from ...engine.quantity import makers
from ...maths.arrays import jax, jnp
from ...maths.rotations import conjugate, matrix_of, multiply, quaternion_of
from ...maths.vectors import cross, rotate, widened
from ...model import attachments
from ...model.attachments import Pairs
from ...tree.errors import Problem
from . import law as frame_spring
from .declared import BeamSpring, Bushing
from .law import Deflection, FrameLoad
from .quantities import bushing_quantities

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism

DRAWN_OUT = 0.05
"""Part of its length that a beam which slides has out of its guide at least: it is 8000 times as stiff
there."""


class FrameSprings(NamedTuple):
    """All bushings and beams, in the order of the layout: their pairs of points, the parents' frames (3, 3,
    spring, *lanes) in inertial components, and of each one its deflection and load."""

    pairs: Pairs
    frames: jax.Array
    deflections: tuple[Deflection, ...]
    loads: tuple[FrameLoad, ...]


class Bushings(Part):
    """All bushings and beams; see `FrameSprings`."""

    name = "bushings"
    group = "forces"
    kinds = (Bushing, BeamSpring)

    @cached_property
    def sliding(self) -> tuple[int, ...]:
        """Which are beams that slide in a guide."""
        return tuple(k for k, law in enumerate(self.items) if isinstance(law, BeamSpring) and law.slides)

    @cached_property
    def ends(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Bodies of the parents and of the children."""
        return self.layout.ends(self.items)

    def of_start(self, mechanism: Mechanism, motion: Any) -> Any:
        """How far the tips of beams that slide are drawn out; see `drawn_out`."""
        return drawn_out(mechanism, motion)

    def doubtful(self, start: Any, found: Any) -> Any:
        """Those that are drawn out too little."""
        return np.any(np.asarray(found) < DRAWN_OUT, axis=0)

    def start_problems(self, start: Any) -> Iterator[Problem]:
        """Beams that slide and act from the start with the tip in the guide: nothing is left there to
        bend."""
        phase = self.layout.scenario.phases[0].name
        for k, part in zip(self.sliding, start.own[self.name], strict=True):
            beam = self.items[k]
            if (beam.phases is None or phase in beam.phases) and float(part) < DRAWN_OUT:
                yield Problem(
                    f"forces.{beam.name}",
                    f"starts with {round(100 * float(part), 3) + 0.0:g} % of its length out of its guide, and"
                    f" stiffens as one over the cube of that; allowed {100 * DRAWN_OUT:g} % or more. Move"
                    " parent_at back to where the guide clamps the beam, or leave slides out",
                )

    def find(self, here: Here) -> FrameSprings:
        """Their deflections and loads."""
        return frame_springs(here)

    def wrench(self, here: Here) -> Any:
        """The sum of all."""
        return summed(here.mechanism, here[self.name], here.motion.position.shape[1])

    def stored(self, here: Here) -> Any:
        """Energy of all."""
        return sum(load.energy for load in here[self.name].loads)

    def quantities(self) -> Makers:
        """Of each."""
        return makers("forces", self.items, bushing_quantities)


def frame_springs(here: Here) -> FrameSprings:
    """The bushings and beams, of which there are some."""
    mechanism, motion, discrete = here.mechanism, here.motion, here.discrete
    layout = mechanism.layout
    part = of(mechanism)
    parent, child = part.ends
    laws, pairs = _pairs(mechanism, motion)
    frames, deflections, loads = [], [], []
    for k, law in enumerate(laws):
        frame, found = _deflection(law, pairs, motion, k, parent[k], child[k])
        acting = layout.acting(law, discrete)
        frames.append(frame)
        deflections.append(found)
        loads.append(FrameLoad(*(acting * part for part in frame_spring.load(law, found))))
    return FrameSprings(pairs, jnp.stack(frames, 2), tuple(deflections), tuple(loads))


def of(mechanism: Mechanism) -> Bushings:
    """The bushings and beams of a mechanism."""
    part: Any = mechanism.parts["bushings"]
    return part


def _pairs(mechanism: Mechanism, motion) -> tuple[tuple[Any, ...], Pairs]:
    """All bushings and beams, with their numbers, and their pairs of points."""
    laws = of(mechanism).of(mechanism.scenario)
    ends = [
        jnp.stack([_arm(mechanism, getattr(law, f"{end}_at"), k, motion) for law, k in zip(laws, own)], 1)
        for end, own in zip(("parent", "child"), of(mechanism).ends, strict=True)
    ]
    return laws, attachments.kinematics(motion, *of(mechanism).ends, *ends)


def drawn_out(mechanism: Mechanism, motion) -> jax.Array:
    """How far the tip of each beam that slides is out of its guide, as a part of the beam's length (beam,
    *lanes), in the order of `Bushings.sliding`."""
    part, lanes = of(mechanism), motion.position.shape[2:]
    if not part.sliding:
        return jnp.zeros((0, *lanes))
    parent, child = part.ends
    laws, pairs = _pairs(mechanism, motion)
    parts = []
    for k in part.sliding:
        now = _deflection(laws[k], pairs, motion, k, parent[k], child[k])[1]
        parts.append(jnp.broadcast_to(now.displacement[0] / laws[k].length, lanes))
    return jnp.stack(parts)


def summed(mechanism: Mechanism, found: FrameSprings, bodies: int):
    """Generalized forces of all of them (6, bodies, *lanes): equal and opposite on one line, so that a pair
    as a whole feels neither force nor torque."""
    parent, child = of(mechanism).ends
    force, torque = wrenches(found)
    along, about = attachments.lever(found.pairs, force), attachments.twist(found.pairs, torque)
    on_a, on_b = along[0] + about[0], along[1] + about[1]
    return attachments.gathered(on_a, on_b, parent, child, bodies)


def wrenches(found: FrameSprings):
    """Force [N] and torque [N m] on the children at their points, inertial axes, (3, spring, *lanes)."""
    return (
        rotate(found.frames, jnp.stack([getattr(load, name) for load in found.loads], 1))
        for name in ("force", "torque")
    )


def _arm(mechanism, point, body: int, motion):
    """From the mass centre of a body, from a station, or from the ground's origin, to a point, structure
    axes."""
    shape = motion.position[:, 0].shape
    if body == mechanism.layout.count and mechanism.layout.ground:
        return jnp.broadcast_to(widened(jnp.asarray(point), len(shape)), shape)
    return jnp.broadcast_to(mechanism.numbers.arm(point, body), shape)


def _deflection(law: Any, pairs: Pairs, motion, k: int, a: int, b: int) -> tuple[Any, Deflection]:
    """The parent's frame in inertial components, and how spring k is deflected."""
    turns = [
        multiply(*jnp.broadcast_arrays(motion.quaternion[:, body], _frame(attitude, motion)))
        for body, attitude in ((a, law.parent_frame), (b, law.child_frame))
    ]
    frame = matrix_of(turns[0])
    gap, rate = (attachments.column(part, k, 1) for part in (pairs.gap, pairs.gap_rate))
    turning = cross(motion.spin[:, a], gap)
    spin = motion.spin[:, b] - motion.spin[:, a]
    turn = frame_spring.rotation_vector(multiply(conjugate(turns[0]), turns[1]))
    gap, rate, spin = (in_frame(frame, vector) for vector in (gap, rate - turning, spin))
    return frame, Deflection(gap, rate, turn, spin)


def _frame(attitude, motion):
    return widened(quaternion_of(attitude), motion.quaternion.ndim - 1)
