"""Joint coordinates of `joint_coordinates`, computed for all joints together. NumPy uses this form, because
the number of calls determines its cost. Each body must have the same inboard joint in all modes.

Attitudes along the tree are products of relative attitudes, computed by doubling. In each pass, the product
of a body is multiplied by the product of an inner body. In this way, each pass doubles the number of joints
in the product. Angular velocities, positions and velocities along the tree are sums.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..formulations.spanning import Motions
from ..maths import rotations
from ..maths.arrays import jnp
from ..maths.dual import is_dual, linear, trim
from ..maths.vectors import cross, product, rotate, rotate_back
from ..model.attachments import kinematics, motion_of, pick
from ..model.constraint_rows import Drive
from ..model.drive import drive
from .joint_coordinates import Joint, JointCoordinates
from .joint_entries import Entries, by_sequence, relative, sequence, turn_entries, upright


class Ends(NamedTuple):
    """Indices of the child bodies in the tree, each (child body,).

    - joint: joint that carries the body. inner: inboard body.
    - parent, child: bodies of this joint.
    - outward: true if the carried body is the child of the joint.
    """

    joint: np.ndarray
    inner: np.ndarray
    parent: np.ndarray
    child: np.ndarray
    outward: np.ndarray


class JointsAtOnce(JointCoordinates):
    """Conversion between states in joint coordinates and states of the mechanism, for all joints together.

    Each body must have the same inboard joint with the same free directions in all modes.
    """

    # --- the tree

    @cached_property
    def _alike(self) -> dict[Motions, list[int]]:
        """The bodies that joints carry, grouped by the free directions of the joints."""
        found: dict[Motions, list[int]] = {}
        for k, branch in enumerate(self.forest.branches):
            if branch is not None:
                ((motions, _),) = self.states(k)
                assert motions is not None
                found.setdefault(motions, []).append(k)
        return found

    @cached_property
    def _hanging(self) -> np.ndarray:
        """The bodies that joints carry, with bodies of the same group in succession."""
        return np.array([k for some in self._alike.values() for k in some], int)

    @cached_property
    def _bases(self) -> np.ndarray:
        """The bodies that no joint carries."""
        return np.setdiff1d(np.arange(self.forest.bodies), self._hanging)

    @cached_property
    def _ends(self) -> Ends:
        branches = [self.forest.branches[k] for k in self._hanging]
        found = [(b.joint, b.inner, b.outward) for b in branches if b is not None]
        joint, inner, outward = np.array(found, int).reshape(-1, 3).T
        outward = outward.astype(bool)
        ends = np.where(outward, inner, self._hanging), np.where(outward, self._hanging, inner)
        return Ends(joint, inner, *ends, outward)

    @cached_property
    def _inward(self) -> np.ndarray:
        """1 for each body (body, body) on the path to the ground or to a base, including the body itself."""
        found = np.zeros((self.forest.bodies,) * 2)
        for k in range(self.forest.bodies):
            found[k, self.forest.ancestors(k)] = 1.0
        return found

    def _along_tree(self, steps: Any) -> Any:
        """Sums (3, body, *cases) of the steps along the path to each body, where a step leads to a body from
        the body inward of it. The path begins at the ground or a base."""

        def add(some: Any) -> Any:
            flat = some.reshape(len(some), self.forest.bodies, -1)
            return np.matmul(self._inward, flat).reshape(some.shape)

        return linear(add, steps, lanes=True)

    def _sort(self, hanging: Any, bases: Any) -> Any:
        """Values of the carried bodies and of the bases, in the order of all bodies (component, body,
        *cases)."""
        order = np.argsort(np.concatenate([self._hanging, self._bases]))
        whole = jnp.concatenate([hanging, bases], 1) if len(self._bases) else hanging
        return whole if np.array_equal(order, np.arange(len(order))) else jnp.take(whole, order, 1)

    # --- joints

    def _joints(self, t: Any, discrete: Any) -> Joint:
        """The joints of the carried bodies, stacked."""
        numbers, which = self.mechanism.numbers, self._ends.joint
        own = numbers.frame_b if discrete.child_frame is None else discrete.child_frame
        ones = np.ones((1, len(which), *t.shape))

        def quaternion(frames: Any) -> Any:
            if frames is None:
                return rotations.IDENTITY.reshape(4, *(1,) * (ones.ndim - 1)) * ones
            return rotations.quaternion_of_matrix(_of(frames, which, 2)) * ones

        frame_a = driven = quaternion(numbers.frame_a)
        moved = None
        if self.layout.driven:
            found = drive(numbers.drives, t)
            moved = Drive(*(_of(field, which, field.ndim - 1 - t.ndim) for field in found))
            driven = rotations.multiply(frame_a, rotations.quaternion_of_matrix(moved.turn))
        arm_a, arm_b = (_of(arm, which, 1) for arm in (numbers.arm_a, numbers.arm_b))
        return Joint(driven, frame_a, quaternion(own), arm_a, arm_b, moved)

    def _frames(self, joints: Joint, parent: Any) -> tuple[Any, Any]:
        """The parents' joint frames, as driven and without the drive, from rotation matrices of the
        parents."""
        frame = product(parent, rotations.matrix_of(joints.frame_a))
        if joints.drive is None:
            return frame, frame
        return product(parent, rotations.matrix_of(joints.driven_a)), frame

    # --- from own to ordinary

    def ordinary(self, t: Any, own: Any, discrete: Any) -> Any:
        """Convert the state `own` in joint coordinates to the state of the mechanism at time t [s]."""
        mechanism, ends = self.mechanism, self._ends
        r, v, q, w, *origin = map(trim, mechanism.split(own))
        if not len(self._hanging):
            return mechanism.pack(r, v, rotations.unit_quaternion(q), w, *origin)
        joints, (turn, spin) = self._joints(t, discrete), self._relative(q, w)
        across = rotations.multiply(joints.driven_a, turn)
        across = rotations.multiply(across, rotations.conjugate(joints.frame_b))
        if not ends.outward.all():
            across = jnp.where(_each(ends.outward, across), across, rotations.conjugate(across))
        bases = [jnp.take(part, self._bases, 1) for part in (r, v, q, w)]
        quaternion = self._attitudes(self._sort(across, rotations.unit_quaternion(bases[2])))
        whole = _with_ground(rotations.matrix_of(quaternion), np.eye(3))
        matrix, inner, parent = (pick(whole, k, 2) for k in (self._hanging, ends.inner, ends.parent))
        sign = np.where(_each(ends.outward, spin), 1.0, -1.0)
        driven, frame = self._frames(joints, parent)
        spin = rotate(driven, spin)
        if joints.drive is not None:
            spin = spin + rotate(frame, joints.drive.turn_rate)
        base_spin = rotate(pick(whole, self._bases, 2), bases[3])
        spins = _with_ground(self._along_tree(self._sort(sign * spin, base_spin)), np.zeros(3))
        near, far = (rotate(*arm) for arm in zip((matrix, inner), _arms(joints, ends.outward), strict=True))
        on_own, on_inner, on_parent = (pick(spins, k, 1) for k in (self._hanging, ends.inner, ends.parent))
        step, speed = far - near, cross(on_inner, far) - cross(on_own, near)
        slide = self._slides(joints, r, v)
        if slide is not None:
            # The parent's point that coincides with the child's moves with the parent.
            place, rate = (rotate(frame, part) for part in slide)
            step, speed = step + sign * place, speed + sign * (cross(on_parent, place) + rate)
        position, velocity = (
            self._along_tree(self._sort(some, base)) for some, base in zip((step, speed), bases[:2])
        )
        spin = rotate_back(whole[:, :, :-1], spins[:, :-1])
        return mechanism.pack(position, velocity, quaternion, spin, *origin)

    def _relative(self, q: Any, w: Any) -> tuple[Any, Any]:
        """Rotations and angular velocities of the joints of the carried bodies; see
        `joint_entries.relative`."""
        found = []
        for motions, bodies in self._alike.items():
            turn, rate = (jnp.take(part, np.array(bodies), 1) for part in (q, w))
            order = sequence(motions)
            if order is None:
                found.append(relative(motions, Entries(None, None, trim(turn), trim(rate))))
            else:
                angles, rates = ([trim(row) for row in part] for part in (turn, rate))
                found.append(by_sequence(order, angles, rates, np.zeros(rate.shape)))
        turn, spin = (jnp.concatenate(parts, 1) for parts in zip(*found, strict=True))
        return turn, spin

    def _attitudes(self, across: Any) -> Any:
        """Quaternions (4, body, *cases) of the bodies, from the quaternions between each body and the body
        inward of it, and the quaternions of bases."""
        ahead = np.full(self.forest.bodies, -1)
        ahead[self._hanging] = self._ends.inner
        ahead[ahead == self.forest.bodies] = -1
        while (some := np.flatnonzero(ahead >= 0)).size:
            further = rotations.multiply(pick(across, ahead[some], 1), pick(across, some, 1))
            order = np.arange(len(ahead))
            order[some] = len(ahead) + np.arange(len(some))
            across = jnp.take(jnp.concatenate([across, further], 1), order, 1)
            ahead[some] = ahead[ahead[some]]
        return across

    def _slides(self, joints: Joint, r: Any, v: Any) -> tuple[Any, Any] | None:
        """Displacements of joint points and their rates; None if no joint allows displacements."""
        place, rate = (trim(pick(part, self._hanging, 1)) for part in (r, v))
        if joints.drive is not None:
            return place + joints.drive.shift, rate + joints.drive.shift_rate
        some = any(is_dual(part) or np.any(part) for part in (place, rate))
        return (place, rate) if some else None

    # --- from ordinary to own

    def own(self, t: Any, x: Any, discrete: Any) -> Any:
        """Convert the state x of the mechanism to joint coordinates at time t [s]. Velocities along locked
        directions are omitted.
        """
        mechanism, ends = self.mechanism, self._ends
        r, v, q, w, *origin = mechanism.split(x)
        if not len(self._hanging):
            return x
        joints, motion = self._joints(t, discrete), motion_of(r, v, rotations.unit_quaternion(q), w, True)
        pairs = kinematics(motion, ends.parent, ends.child, joints.arm_a, joints.arm_b)
        driven, frame = self._frames(joints, pairs.rotation_a)
        place, rate = (
            rotate_back(frame, part) for part in (pairs.gap, pairs.gap_rate - cross(pairs.spin_a, pairs.gap))
        )
        spin = pairs.spin_b - pairs.spin_a
        if joints.drive is not None:
            place, rate = place - joints.drive.shift, rate - joints.drive.shift_rate
            spin = spin - rotate(frame, joints.drive.turn_rate)
        turns = (pick(motion.quaternion, k, 1) for k in (ends.parent, ends.child))
        on_a, on_b = map(rotations.multiply, turns, (joints.driven_a, joints.frame_b))
        turn = rotations.multiply(rotations.conjugate(on_a), on_b)
        found = self._entries_of_all(place, rate, turn, rotate_back(driven, spin))
        bases = (jnp.take(part, self._bases, 1) for part in (r, v, q, w))
        return mechanism.pack(*map(self._sort, found, bases), *origin)

    def _entries_of_all(self, place: Any, rate: Any, turn: Any, spin: Any) -> list[Any]:
        """Entries of all carried bodies: (component, body, *cases) each."""
        found, first = [], 0
        for motions, bodies in self._alike.items():
            some = slice(first, first + len(bodies))
            free = upright([axis in motions.translations for axis in range(3)], rate)
            along = jnp.where(free, rate[:, some], 0.0)
            found.append((place[:, some], along, *turn_entries(motions, turn[:, some], spin[:, some])))
            first += len(bodies)
        return [jnp.concatenate(parts, 1) for parts in zip(*found, strict=True)]


def _of(field: Any, which: np.ndarray, axis: int) -> Any:
    """Entries along an axis. The axis may have one column shared by all bodies."""
    return field if field.shape[axis] == 1 else pick(field, which, axis)


def _each(flags: np.ndarray, like: Any) -> np.ndarray:
    """A flag of each body, with axes that match arrays (component, body, *cases)."""
    return flags.reshape(1, -1, *(1,) * (like.ndim - 2))


def _arms(joints: Joint, outward: np.ndarray) -> tuple[Any, Any]:
    """Arms of joint points on the carried bodies, and on the bodies inward of them."""
    on_a, on_b = joints.arm_a, joints.arm_b
    if outward.all():
        return on_b, on_a
    return tuple(jnp.where(_each(outward, on_a), *arms) for arms in ((on_b, on_a), (on_a, on_b)))  # pyright: ignore


def _with_ground(bodies: Any, ground: np.ndarray) -> Any:
    """Arrays (..., body, *cases) with the values of the ground (...) appended."""
    still = ground.reshape(*ground.shape, *(1,) * (bodies.ndim - ground.ndim))
    lanes = bodies.shape[ground.ndim + 1 :]
    return jnp.concatenate([bodies, np.broadcast_to(still, (*ground.shape, 1, *lanes))], ground.ndim)
