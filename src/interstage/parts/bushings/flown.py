"""The model that computes bushings and beam springs during a flight."""

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
from ...maths.vectors import add_axes, cross, norm, rotate
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
"""The smallest allowed initial length of a sliding beam outside its guide, divided by its declared length. At
this length, the stiffness is 8000 times the stiffness at the declared length.
"""
HALF_TURN = np.pi - np.radians(0.5)
"""The relative rotation [rad] from which an initial state is rejected. Near 180 deg, rounding determines the
sign of the rotation vector.
"""


class Placed(NamedTuple):
    """Initial values that `doubtful_cases` examines.

    - drawn_out: lengths of sliding beams outside their guides; see `drawn_out`.
    - `turn`: relative rotation of the two frames of each spring [rad] (spring, *cases).
    """

    drawn_out: Any
    turn: Any


class FrameSprings(NamedTuple):
    """Deflections and loads of all bushings and beam springs, in their declared order.

    - pairs: motion of the attachment points.
    - frames: rotation matrices from the parents' frames to inertial axes (3, 3, spring, *cases).
    - deflections, loads: one entry for each spring.
    """

    pairs: Pairs
    frames: jax.Array
    deflections: tuple[Deflection, ...]
    loads: tuple[FrameLoad, ...]


class Bushings(ChecksStart):
    """Model of all bushings and beam springs. The result of the model is a `FrameSprings`."""

    name = "bushings"
    group = "forces"
    kinds = (Bushing, BeamSpring)

    @cached_property
    def sliding(self) -> tuple[int, ...]:
        """The indices of the beam springs that slide in a guide."""
        return tuple(k for k, law in enumerate(self.items) if isinstance(law, BeamSpring) and law.slides)

    @cached_property
    def ends(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The indices of the columns of the parents and of the children, for each spring."""
        return self.layout.columns.ends(self.items)

    def start_values(self, mechanism: Mechanism, motion: Any) -> Placed:
        """Return the initial lengths of sliding beams outside their guides, and the initial relative
        rotations. For the parameters, see `ChecksStart.start_values`.
        """
        return Placed(drawn_out(mechanism, motion), turns(mechanism, motion))

    def doubtful_cases(self, start: Any, found: Placed) -> Any:
        """Return whether a case has a sliding beam that is too short, or a relative rotation near 180 deg
        (cases,), bool. For the parameters, see `ChecksStart.doubtful_cases`.
        """
        little = np.any(np.asarray(found.drawn_out) < DRAWN_OUT, axis=0)
        return little | np.any(np.asarray(found.turn) > HALF_TURN, axis=0)

    def start_problems(self, start: Any) -> Iterator[Problem]:
        """Yield the problems of springs that act from the start of the flight.

        - The tip of a sliding beam is inside its guide.
        - A spring resists rotation, and the relative rotation of its frames is about 180 deg.

        For the parameters, see `Part.start_problems`.
        """
        phase, found = self.layout.scenario.phases[0].name, start.own[self.name]
        laws = self.of(self.layout.scenario)
        for law, turn in zip(laws, found.turn, strict=True):
            acts = law.phases is None or phase in law.phases
            if acts and float(turn) > HALF_TURN and law.resists_turns:
                yield Problem(
                    f"forces.{law.name}",
                    f"the initial relative rotation of the two frames is {np.degrees(float(turn)):.6g} "
                    f"deg; allowed: below {np.degrees(HALF_TURN):g} deg, because the axis of a rotation by "
                    "180 deg has no unique sign. Rotate 'parent_frame' or 'child_frame' to the unloaded "
                    "position",
                )
        for k, part in zip(self.sliding, found.drawn_out, strict=True):
            beam = self.items[k]
            if (beam.phases is None or phase in beam.phases) and float(part) < DRAWN_OUT:
                yield Problem(
                    f"forces.{beam.name}",
                    f"the beam starts with {round(100 * float(part), 3) + 0.0:g} % of its length outside "
                    f"of its guide; allowed: {100 * DRAWN_OUT:g} % or more, because the stiffness grows "
                    "with the inverse cube of this length. Move 'parent_at' back to the clamp of the guide, "
                    "or remove 'slides'",
                )

    def find(self, here: Here) -> FrameSprings:
        """Return the deflections and loads of all springs."""
        return frame_springs(here)

    def wrench(self, here: Here) -> Any:
        """Return the sum of the loads of all springs (6, column, *cases); see `Part.wrench`."""
        return sum_forces(here.mechanism, here[self.name], here.motion.position.shape[1])

    def stored_energy(self, here: Here) -> Any:
        """Return the total elastic energy of all bushings [J] (*cases)."""
        return sum(load.energy for load in here[self.name].loads)

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each spring, by path."""
        return makers("forces", self.items, bushing_quantities)


def frame_springs(here: Here) -> FrameSprings:
    """Return the deflections and loads of all bushings and beam springs. The scenario must have at least one
    such spring.
    """
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
    """Return the model of bushings and beam springs of a mechanism."""
    part: Any = mechanism.parts["bushings"]
    return part


def _pairs(mechanism: Mechanism, motion) -> tuple[tuple[Any, ...], Pairs]:
    """All bushings and beams, with their indices, and their pairs of points."""
    laws = of(mechanism).of(mechanism.scenario)
    ends = [
        jnp.stack([_arm(mechanism, getattr(law, f"{end}_at"), k, motion) for law, k in zip(laws, own)], 1)
        for end, own in zip(("parent", "child"), of(mechanism).ends, strict=True)
    ]
    return laws, attachments.kinematics(motion, *of(mechanism).ends, *ends)


def drawn_out(mechanism: Mechanism, motion) -> jax.Array:
    """Return the length of each sliding beam outside its guide, divided by its declared length (beam,
    *cases).

    The beams are in the order of `Bushings.sliding`. motion: motion of all bodies.
    """
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
    """Return the relative rotation of the two frames of each spring [rad] (spring, *cases). motion: motion of
    all bodies.
    """
    part, lanes = of(mechanism), motion.position.shape[2:]
    ends = zip(part.of(mechanism.scenario), *part.ends, strict=True)
    vectors = [frame_spring.rotation_vector(_frames(law, motion, a, b)[1]) for law, a, b in ends]
    return jnp.stack([jnp.broadcast_to(norm(vector), lanes) for vector in vectors])


def sum_forces(mechanism: Mechanism, found: FrameSprings, bodies: int):
    """Return the sum of the loads of all springs (6, column, *cases); see `Part.wrench`.

    The forces on parent and child are equal and opposite on one line. The net force and net torque of the
    spring are therefore zero.

    - found: deflections and loads of the springs.
    - bodies: number of columns of the result.
    """
    parent, child = of(mechanism).ends
    force, torque = wrenches(found)
    along, about = attachments.lever(found.pairs, force), attachments.twist(found.pairs, torque)
    on_a, on_b = along[0] + about[0], along[1] + about[1]
    return attachments.sum_by_body(on_a, on_b, parent, child, bodies)


def wrenches(found: FrameSprings):
    """Return two arrays: the force [N] and the torque [N m] of each spring on its child, at the attachment
    point on the child. Both vectors have inertial axes and the shape (3, spring, *cases).
    """
    return (
        rotate(found.frames, jnp.stack([getattr(load, name) for load in found.loads], 1))
        for name in ("force", "torque")
    )


def _arm(mechanism, point, body: int, motion):
    """Vector to a point from the centre of mass of its body, from its attachment node, or from the origin of
    the ground, structural axes."""
    shape = motion.position[:, 0].shape
    if body == mechanism.layout.count and mechanism.layout.ground:
        return jnp.broadcast_to(add_axes(jnp.asarray(point), len(shape)), shape)
    return jnp.broadcast_to(mechanism.numbers.arm(point, body), shape)


def _deflection(law: Any, pairs: Pairs, motion, k: int, a: int, b: int) -> tuple[Any, Deflection]:
    """Parent's frame in inertial axes, and deflection of spring k."""
    quaternion, between = _frames(law, motion, a, b)
    frame = matrix_of(quaternion)
    gap, rate = (attachments.column(part, k, 1) for part in (pairs.gap, pairs.gap_rate))
    turning = cross(motion.spin[:, a], gap)
    spin = motion.spin[:, b] - motion.spin[:, a]
    turn = frame_spring.rotation_vector(between)
    gap, rate, spin = (in_frame(frame, vector) for vector in (gap, rate - turning, spin))
    return frame, Deflection(gap, rate, turn, spin)


def _frames(law: Any, motion, a: int, b: int) -> tuple[Any, Any]:
    """Quaternions of the parent's frame, to inertial axes, and of the child's frame, to the parent's
    frame."""
    parent, child = (
        multiply(*jnp.broadcast_arrays(motion.quaternion[:, body], _frame(attitude, motion)))
        for body, attitude in ((a, law.parent_frame), (b, law.child_frame))
    )
    return parent, multiply(conjugate(parent), child)


def _frame(attitude, motion):
    return add_axes(quaternion_of(attitude), motion.quaternion.ndim - 1)
