"""Joint coordinates (minimal coordinates): the pose of each body relative to the body that carries it through
a joint (AIAA 2011-6277, section III).

A state in joint coordinates (argument `own`) has the same shape as the state x of the mechanism (module
`state`). The entries of root bodies are equal in both. In joint coordinates, the entries of a child body are:

- position and velocity: displacement s of its joint point [m] along the axes of the parent's joint frame, and
  its rate [m/s].
- quaternion: rotation from the parent's joint frame to the child's joint frame. If only some rotations are
  free, three angles [rad] of a rotation sequence replace the quaternion. The free angles of the sequence are
  the first, the last or both.
- angular velocity [rad/s]: rates of these angles, or the child's angular velocity relative to the parent, in
  axes of the child's joint frame.

Prescribed motions are not part of these entries. Entries of locked directions are constant and cannot drift.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..formulations.joint_motion import Prescribed
from ..formulations.spanning import Forest, Motions
from ..maths import rotations
from ..maths.arrays import jnp
from ..maths.vectors import cross, product, rotate, rotate_back
from ..model.attachments import column
from ..model.constraint_rows import Drive
from ..model.drive import drive
from .joint_entries import (
    Entries,
    lock_flags,
    match_sign,
    normalize_turns,
    pad_rates,
    rates,
    relative,
    slope,
    turn_entries,
    upright,
    where,
)
from .mechanism import Mechanism


class Hung(NamedTuple):
    """Motion of one body: position and velocity of its centre of mass, quaternion, rotation matrix, and
    angular velocity in inertial axes.
    """

    position: Any
    velocity: Any
    quaternion: Any
    matrix: Any
    spin: Any


class Joint(NamedTuple):
    """One joint at one time.

    - driven_a, frame_a: quaternion of the parent's joint frame in body axes, with and without the prescribed
      rotation.
    - frame_b: quaternion of the child's joint frame in body axes.
    - arm_a, arm_b: vectors from the centres of mass to the joint points [m], body axes.
    - drive: prescribed displacement and rotation with their rates, in the parent's joint frame; None without
      a prescribed motion.
    """

    driven_a: Any
    frame_a: Any
    frame_b: Any
    arm_a: Any
    arm_b: Any
    drive: Any


class JointCoordinates:
    """Conversion between states in joint coordinates and states of a mechanism whose joints form a forest."""

    def __init__(self, mechanism: Mechanism, forest: Forest):
        self.mechanism, self.forest = mechanism, forest
        self.layout = mechanism.layout

    # --- joints

    def driving(self, t) -> Drive | None:
        """Return the prescribed motions at time t [s]; None without prescribed motions."""
        return drive(self.mechanism.numbers.drives, t) if self.layout.driven else None

    def joint(self, j: int, driving: Drive | None, discrete) -> Joint:
        """Return the frames, arms and prescribed motion of joint j at one time.

        driving: prescribed motions of all joints, or None.
        """
        numbers = self.mechanism.numbers
        own = numbers.frame_b if discrete.child_frame is None else discrete.child_frame
        lanes = discrete.over.shape
        still = jnp.zeros((3, *lanes))

        def quaternion(frames):
            if frames is None:
                return _identity(lanes)
            q = rotations.quaternion_of_matrix(column(frames, j, 2))
            return jnp.broadcast_to(q, (4, *lanes))

        frame_a = driven = quaternion(numbers.frame_a)
        moved = None
        if driving is not None and self.layout.scenario.joints[j].driven is not None:
            moved = Drive._make(column(field, j, field.ndim - 1 - len(lanes)) for field in driving)
            driven = rotations.multiply(frame_a, rotations.quaternion_of_matrix(moved.turn))
        arm_a, arm_b = (column(arm, j, 1) + still for arm in (numbers.arm_a, numbers.arm_b))
        return Joint(driven, frame_a, quaternion(own), arm_a, arm_b, moved)

    def states(self, body: int):
        """Return pairs of free directions and joint modes: possible free directions of a body relative to its
        inboard body, and the joint modes with these directions.

        The free directions of a root body are None.
        """
        return self.forest.states(body).items()

    def _now(self, body: int, modes, discrete):
        branch = self.forest.branches[body]
        assert branch is not None
        mode = discrete.mode[branch.joint]
        return sum(((mode == m) for m in modes[1:]), mode == modes[0])

    def chosen(self, body: int, discrete, value) -> Any:
        """Return value(motions), where `motions` are the free directions of a body in the present mode of its
        joint.

        value: function that returns a tree of arrays (..., *cases) for given free directions.
        """
        states = list(self.states(body))
        found = value(states[0][0])
        for motions, modes in states[1:]:
            here = self._now(body, modes, discrete)
            found = where(here, value(motions), found)
        return found

    def roots(self, discrete):
        """Return whether each body is a root at present (body, *cases)."""
        now = [self.chosen(k, discrete, lambda m: jnp.asarray(m is None)) for k in range(self.layout.count)]
        return jnp.stack([jnp.broadcast_to(root, discrete.over.shape) for root in now])

    # --- from own to ordinary

    def ordinary(self, t, own, discrete):
        """Convert the state `own` in joint coordinates to the state of the mechanism at time t [s]."""
        mechanism, driving = self.mechanism, self.driving(t)
        r, v, q, w, origin, origin_velocity = mechanism.split(own)
        found: dict[int, Hung] = {self.forest.bodies: _at_rest(r.shape[2:])}
        for k in self.forest.order:
            entries = Entries(r[:, k], v[:, k], q[:, k], w[:, k])
            found[k] = self._place(k, entries, found, driving, discrete)
        bodies = [found[k] for k in range(self.forest.bodies)]
        position, velocity, quaternion = (
            jnp.stack([getattr(b, name) for b in bodies], 1)
            for name in ("position", "velocity", "quaternion")
        )
        spin = jnp.stack([rotate_back(b.matrix, b.spin) for b in bodies], 1)
        return mechanism.pack(position, velocity, quaternion, spin, origin, origin_velocity)

    def _place(self, body: int, entries: Entries, found, driving, discrete) -> Hung:
        def of(motions):
            if motions is None:
                q = rotations.unit_quaternion(entries.turn)
                matrix = rotations.matrix_of(q)
                return Hung(entries.place, entries.rate, q, matrix, rotate(matrix, entries.turn_rate))
            return self._place_child(body, motions, entries, found, driving, discrete)

        return self.chosen(body, discrete, of)

    def _place_child(self, body, motions, entries: Entries, found, driving, discrete) -> Hung:
        branch = self.forest.branches[body]
        joint, inner = self.joint(branch.joint, driving, discrete), found[branch.inner]
        turn, spin = relative(motions, entries)
        place, rate = entries.place, entries.rate
        across = rotations.multiply(
            rotations.multiply(joint.driven_a, turn), rotations.conjugate(joint.frame_b)
        )
        across = across if branch.outward else rotations.conjugate(across)
        q = rotations.multiply(inner.quaternion, across)
        matrix = rotations.matrix_of(q)
        parent = inner.matrix if branch.outward else matrix
        spin = rotate(product(parent, rotations.matrix_of(joint.driven_a)), spin)
        frame_a = product(parent, rotations.matrix_of(joint.frame_a))
        if joint.drive is not None:
            place, rate = place + joint.drive.shift, rate + joint.drive.shift_rate
            spin = spin + rotate(frame_a, joint.drive.turn_rate)
        sign = 1.0 if branch.outward else -1.0
        spin = inner.spin + sign * spin
        arms = joint.arm_a, joint.arm_b
        own, other = reversed(arms) if branch.outward else arms
        own, other = rotate(matrix, own), rotate(inner.matrix, other)
        slide, rate = rotate(frame_a, place), rotate(frame_a, rate)
        # The parent's point that coincides with the child's moves with the parent.
        on_parent = cross(inner.spin if branch.outward else spin, slide)
        position = inner.position + other + sign * slide - own
        velocity = inner.velocity + cross(inner.spin, other) + sign * (on_parent + rate) - cross(spin, own)
        return Hung(position, velocity, q, matrix, spin)

    # --- from ordinary to own

    def own(self, t, x, discrete):
        """Convert the state x of the mechanism to joint coordinates at time t [s]. Velocities along locked
        directions are omitted.
        """
        mechanism, driving = self.mechanism, self.driving(t)
        r, v, q, w, origin, origin_velocity = mechanism.split(x)
        bodies: dict[int, Hung] = {self.forest.bodies: _at_rest(r.shape[2:])}
        for k in range(self.forest.bodies):
            unit = rotations.unit_quaternion(q[:, k])
            matrix = rotations.matrix_of(unit)
            bodies[k] = Hung(r[:, k], v[:, k], unit, matrix, rotate(matrix, w[:, k]))
        found = []
        for k in range(self.forest.bodies):
            same = Entries(r[:, k], v[:, k], q[:, k], w[:, k])
            found.append(
                self.chosen(
                    k,
                    discrete,
                    lambda motions, k=k, same=same: (
                        same if motions is None else self._entries(k, motions, bodies, driving, discrete)
                    ),
                )
            )
        return self._pack(found, origin, origin_velocity)

    def _entries(self, body: int, motions: Motions, bodies, driving, discrete) -> Entries:
        branch = self.forest.branches[body]
        assert branch is not None
        joint = self.joint(branch.joint, driving, discrete)
        parent, child = (branch.inner, body) if branch.outward else (body, branch.inner)
        a, b = bodies[parent], bodies[child]
        arm_a, arm_b = rotate(a.matrix, joint.arm_a), rotate(b.matrix, joint.arm_b)
        gap = b.position + arm_b - a.position - arm_a
        gap_rate = b.velocity + cross(b.spin, arm_b) - a.velocity - cross(a.spin, arm_a)
        frame_a = product(a.matrix, rotations.matrix_of(joint.frame_a))
        place, rate = rotate_back(frame_a, gap), rotate_back(frame_a, gap_rate - cross(a.spin, gap))
        spin = b.spin - a.spin
        if joint.drive is not None:
            place, rate = place - joint.drive.shift, rate - joint.drive.shift_rate
            spin = spin - rotate(frame_a, joint.drive.turn_rate)
        qa = rotations.multiply(a.quaternion, joint.driven_a)
        turn = rotations.multiply(rotations.conjugate(qa), rotations.multiply(b.quaternion, joint.frame_b))
        rate = jnp.where(upright([axis in motions.translations for axis in range(3)], rate), rate, 0.0)
        turn, turn_rate = turn_entries(motions, turn, rotate_back(rotations.matrix_of(qa), spin))
        return Entries(place, rate, turn, turn_rate)

    # --- locked entries

    def keep_locked(self, before, after, discrete):
        """Return the state `after` with the locked entries of the state `before`, both in joint coordinates.

        Locked entries of child bodies never change. The quaternions of the child bodies keep the signs of
        `after`.
        """
        found = []
        for k, (old, new) in enumerate(zip(self._entries_of(before), self._entries_of(after), strict=True)):

            def of(motions, old=old, new=new):
                if motions is None:
                    return new
                place, turn = lock_flags(motions)
                mixed = where(upright(turn, old.turn), old.turn, new.turn)
                return new._replace(
                    place=where(upright(place, old.place), old.place, new.place),
                    turn=match_sign(motions, mixed, new.turn),
                )

            found.append(self.chosen(k, discrete, of))
        return self._pack(found, *self.mechanism.split(after)[4:])

    def carried_over(self, before, after, old, new, caught):
        """Return the state in joint coordinates after a jump. A body with an unchanged joint keeps its
        entries from `before`.

        - before, after: states in joint coordinates before and after the jump.
        - old, new: switches before and after the jump.
        - caught (*cases): whether velocities have changed. If true, the velocity entries are copied from
          `after`.
        """
        found = []
        for k, (was, now) in enumerate(zip(self._entries_of(before), self._entries_of(after), strict=True)):
            branch = self.forest.branches[k]
            if branch is None:
                found.append(now)
                continue
            motionless = was._replace(rate=now.rate, turn_rate=now.turn_rate)
            same = where(caught, motionless, was)
            hangs = old.mode[branch.joint] == new.mode[branch.joint]
            for motions, modes in self.states(k):
                if motions is None:
                    hangs = hangs & ~self._now(k, modes, new)
            found.append(where(hangs, same, now))
        return self._pack(found, *self.mechanism.split(after)[4:])

    def _pack(self, entries: list[Entries], origin, origin_velocity):
        place, rate, turn, turn_rate = (jnp.stack(part, 1) for part in zip(*entries, strict=True))
        return self.mechanism.pack(place, rate, turn, turn_rate, origin, origin_velocity)

    def _entries_of(self, own) -> list[Entries]:
        r, v, q, w = self.mechanism.split(own)[:4]
        return [Entries(r[:, k], v[:, k], q[:, k], w[:, k]) for k in range(self.forest.bodies)]

    # --- free directions

    def free_rates(self, own, discrete):
        """Return the rates q2' of all free directions (column, *cases) in the order of `Tree.columns`.

        own: state in joint coordinates.
        """
        found = []
        for k, entries in enumerate(self._entries_of(own)):
            width = max(6 if m is None else m.count for m, _ in self.states(k))
            if width:
                mine = self.chosen(k, discrete, lambda m, e=entries, n=width: pad_rates(rates(m, e), n))
                found.append(mine)
        return jnp.concatenate(found) if found else jnp.zeros((0, *own.shape[1:]))

    def slope(self, own, second, discrete, fall):
        """Return the time derivative of a state in joint coordinates.

        - own: the state.
        - second: q2'' (column, *cases).
        - fall: acceleration of the local origin [m/s^2] (3, *cases).
        """
        origin_velocity = self.mechanism.split(own)[5]
        found, first = [], 0
        for k, entries in enumerate(self._entries_of(own)):
            width = max(6 if m is None else m.count for m, _ in self.states(k))
            mine = second[first : first + width]
            found.append(self.chosen(k, discrete, lambda m, e=entries, a=mine: slope(m, e, a)))
            first += width
        return self._pack(found, origin_velocity, fall)

    def normalize(self, own, discrete):
        """Return a state in joint coordinates with unit quaternions, and with free angles within two
        revolutions of zero.

        The attitudes of the bodies and the signs of their quaternions do not change.
        """
        found = []
        for k, entries in enumerate(self._entries_of(own)):
            turn = self.chosen(k, discrete, lambda m, e=entries: normalize_turns(m, e.turn))
            found.append(entries._replace(turn=turn))
        return self._pack(found, *self.mechanism.split(own)[4:])

    def joint_drives(self, t, motion, frame_a) -> Prescribed | None:
        """Return the prescribed motion of the joint of each branch, for `Tree.rate`; None without prescribed
        motions.

        - t: time [s]. motion: motion of all bodies.
        - frame_a (3, 3, joint, *cases): joint frames on the parents, inertial components.
        """
        driving = self.driving(t)
        if driving is None:
            return None
        still = jnp.zeros_like(motion.position[:, 0])
        found = []
        for branch in self.forest.branches:
            if branch is None or self.layout.scenario.joints[branch.joint].driven is None:
                found.append(Prescribed(still, still, still, still))
                continue
            j, frame = branch.joint, column(frame_a, branch.joint, 2)
            spin = motion.spin[:, self.mechanism.table.parent[j]]
            slide, turn = rotate(frame, driving.shift_rate[:, j]), rotate(frame, driving.turn_rate[:, j])
            slide_rate = cross(spin, slide) + rotate(frame, driving.shift_acceleration[:, j])
            turn_rate = cross(spin, turn) + rotate(frame, driving.turn_acceleration[:, j])
            found.append(Prescribed(slide, turn, slide_rate, turn_rate))
        slide, turn, slide_rate, turn_rate = (jnp.stack(part, 1) for part in zip(*found, strict=True))
        return Prescribed(slide, turn, slide_rate, turn_rate)


def _identity(lanes):
    return jnp.broadcast_to(jnp.asarray(rotations.IDENTITY).reshape(4, *(1,) * len(lanes)), (4, *lanes))


def _at_rest(lanes) -> Hung:
    """Motion of the ground, which is at rest."""
    still = jnp.zeros((3, *lanes))
    unit = _identity(lanes)
    return Hung(still, still, unit, rotations.matrix_of(unit), still)
