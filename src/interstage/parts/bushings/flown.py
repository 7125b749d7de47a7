"""Bushings and beams between the bodies of a mechanism: how they are deflected, and what they do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.contract import ChecksStart, Makers
from ...engine.numbers import in_frame
from ...engine.quantity import makers
from ...maths.arrays import jax, jnp
from ...maths.rotations import conjugate, matrix_of, multiply, quaternion_of
from ...maths.vectors import cross, norm, rotate, widened
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
HALF_TURN = np.pi - np.radians(0.5)
"""Turn [rad] from which on a start is refused: rounding chooses the side on which half a turn is."""


class Placed(NamedTuple):
    """Of a start: how far the tips of beams that slide are drawn out, see `drawn_out`, and by how much the
    frames of each spring are turned against each other [rad] (spring, *cases)."""

    drawn_out: Any
    turn: Any


class FrameSprings(NamedTuple):
    """All bushings and beams, in the order of the layout: their pairs of points, the parents' frames (3, 3,
    spring, *cases) in inertial components, and of each one its deflection and load."""

    pairs: Pairs
    frames: jax.Array
    deflections: tuple[Deflection, ...]
    loads: tuple[FrameLoad, ...]


class Bushings(ChecksStart):
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

    def start_values(self, mechanism: Mechanism, motion: Any) -> Placed:
        """How they are placed."""
        return Placed(drawn_out(mechanism, motion), turns(mechanism, motion))

    def doubtful_cases(self, start: Any, found: Placed) -> Any:
        """Those that are drawn out too little, or turned by half a turn."""
        little = np.any(np.asarray(found.drawn_out) < DRAWN_OUT, axis=0)
        return little | np.any(np.asarray(found.turn) > HALF_TURN, axis=0)

    def start_problems(self, start: Any) -> Iterator[Problem]:
        """Beams that slide and act from the start with the tip in the guide: nothing is left there to bend;
        and what resists turns, and starts half a turn away."""
        phase, found = self.layout.scenario.phases[0].name, start.own[self.name]
        laws = self.of(self.layout.scenario)
        for law, turn in zip(laws, found.turn, strict=True):
            acts = law.phases is None or phase in law.phases
            if acts and float(turn) > HALF_TURN and law.resists_turns:
                yield Problem(
                    f"forces.{law.name}",
                    f"starts with its frames turned by {np.degrees(float(turn)):.6g} deg against each other:"
                    f" the way back is not told at half a turn; allowed {np.degrees(HALF_TURN):g} deg. Turn"
                    " parent_frame or child_frame to where it is at rest",
                )
        for k, part in zip(self.sliding, found.drawn_out, strict=True):
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
    mechanism, discrete = here.mechanism, here.discrete
    layout = mechanism.layout
    part = of(mechanism)
    parent, child = part.ends
    motion = here.moving_at(parent, child)
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
    *cases), in the order of `Bushings.sliding`."""
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


def turns(mechanism: Mechanism, motion) -> jax.Array:
    """By how much the frames of each spring are turned against each other [rad] (spring, *cases)."""
    part, lanes = of(mechanism), motion.position.shape[2:]
    ends = zip(part.of(mechanism.scenario), *part.ends, strict=True)
    vectors = [frame_spring.rotation_vector(_frames(law, motion, a, b)[1]) for law, a, b in ends]
    return jnp.stack([jnp.broadcast_to(norm(vector), lanes) for vector in vectors])


def summed(mechanism: Mechanism, found: FrameSprings, bodies: int):
    """Generalized forces of all of them (6, bodies, *cases): equal and opposite on one line, so that a pair
    as a whole feels neither force nor torque."""
    parent, child = of(mechanism).ends
    force, torque = wrenches(found)
    along, about = attachments.lever(found.pairs, force), attachments.twist(found.pairs, torque)
    on_a, on_b = along[0] + about[0], along[1] + about[1]
    return attachments.gathered(on_a, on_b, parent, child, bodies)


def wrenches(found: FrameSprings):
    """Force [N] and torque [N m] on the children at their points, inertial axes, (3, spring, *cases)."""
    return (
        rotate(found.frames, jnp.stack([getattr(load, name) for load in found.loads], 1))
        for name in ("force", "torque")
    )


def _arm(mechanism, point, body: int, motion):
    """From the centre of mass of a body, from a station, or from the ground's origin, to a point, structural
    axes."""
    shape = motion.position[:, 0].shape
    if body == mechanism.layout.count and mechanism.layout.ground:
        return jnp.broadcast_to(widened(jnp.asarray(point), len(shape)), shape)
    return jnp.broadcast_to(mechanism.numbers.arm(point, body), shape)


def _deflection(law: Any, pairs: Pairs, motion, k: int, a: int, b: int) -> tuple[Any, Deflection]:
    """The parent's frame in inertial components, and how spring k is deflected."""
    quaternion, between = _frames(law, motion, a, b)
    frame = matrix_of(quaternion)
    gap, rate = (attachments.column(part, k, 1) for part in (pairs.gap, pairs.gap_rate))
    turning = cross(motion.spin[:, a], gap)
    spin = motion.spin[:, b] - motion.spin[:, a]
    turn = frame_spring.rotation_vector(between)
    gap, rate, spin = (in_frame(frame, vector) for vector in (gap, rate - turning, spin))
    return frame, Deflection(gap, rate, turn, spin)


def _frames(law: Any, motion, a: int, b: int) -> tuple[Any, Any]:
    """Quaternions of the parent's frame, to inertial axes, and of the child's frame in it."""
    parent, child = (
        multiply(*jnp.broadcast_arrays(motion.quaternion[:, body], _frame(attitude, motion)))
        for body, attitude in ((a, law.parent_frame), (b, law.child_frame))
    )
    return parent, multiply(conjugate(parent), child)


def _frame(attitude, motion):
    return widened(quaternion_of(attitude), motion.quaternion.ndim - 1)
