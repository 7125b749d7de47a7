"""The coordinates of motion about an operating point: those of the tree of bodies and joints at an instant.

A body that no joint carries has a displacement of its centre of mass [m] and a small turn [rad] about its
structural axes, as they stand at the operating point, with its velocity and angular velocity. One that hangs
on a joint has the displacements along, and the angles about, the axes that its joint leaves free; a joint
that leaves all turns free a small turn about the axes of the child's joint frame. Joints of bodies that are
not rigid carry none.

Small turns and velocities are those by which the motion differs from that of the operating point as it goes
on, seen in axes that go with it. So a body that spins, or flies a steady turn, has constant equations:

    r = r0 + R0 d,   R = R0 exp(e~),   v = R u,     d' = du - w0 x d + e x u0,   e' = dw - w0 x e

With inertial axes all of this is along these, R = exp(e~) R0, d' = dv and e' = dw + w0 x e: for round bodies
that spin or roll over the ground, which their own axes see turning.

With axes of the motion velocities are along those that bodies have as it goes on, and not along those that a
small turn brings with it:

    v = R0 (u0 + dv),   d' = dv - w0 x d

So the speed u0 is in no equation. It is in those above, and as it grows by a they take what turns one body
against another for a push of a on it: frozen at an instant, u0 hides e x u0'. Several bodies, or trees of
joints, have these axes, unless others are asked for, as something else may hold them together; one alone
flies by its own, whose velocities are u, v and w of flight mechanics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ...engine.joint_entries import sequence
from ...engine.layout import FREE, Layout
from ...formulations.spanning import Forest, forest
from ...maths.rotations import matrix_of, multiply

AXES = ("x", "y", "z")
Axes = Literal["body", "motion", "inertial"]


class Coordinate(NamedTuple):
    """One coordinate. name, rate: of it and of its velocity; unit: its own, "m" or "rad". thing: what moves
    by it, "body stage", "joint hinge", of a joint with more than one "joint hinge ry". body: the number of
    the body that it moves; free: whether no joint carries that. kind: a displacement, an angle of a sequence,
    or a component of a small turn; place: where among the numbers of its kind it stands."""

    name: str
    rate: str
    unit: str
    thing: str
    body: int
    free: bool
    kind: Literal["displacement", "angle", "small turn"]
    place: int


class Spread(NamedTuple):
    """How own states (see `engine.joint_coordinates`) follow the coordinates about operating points:
    positions, rates (number, point, coordinate), and what of the rates of the coordinates follows from
    themselves, mixing (point, coordinate, coordinate). motion (point, coordinate): their rates there."""

    positions: np.ndarray
    rates: np.ndarray
    mixing: np.ndarray
    motion: np.ndarray


class Tree:
    """The coordinates of a structure as its joints hold: mode (joint). axes: of the motion of bodies that no
    joint carries; none for those of the bodies where there is one tree, and of the motion where there are
    more. wanted: names of coordinates, whose joints are to be among those that carry bodies."""

    def __init__(self, layout: Layout, mode: np.ndarray, axes: Axes | None, wanted: Sequence[str] = ()):
        self.layout = layout
        table, reachable = layout.table, tuple((int(m),) for m in mode)
        self.reachable = reachable
        named = {name.split(".")[1] for name in wanted if name.startswith("joints.")}
        first = tuple(j for j, name in enumerate(layout.joints) if name in named)
        carrying = tuple((FREE,) if j in self.restricting else own for j, own in enumerate(reachable))
        structure = table.parent, table.child, layout.modes, carrying, layout.count
        self.forest: Forest = forest(*structure, first=first)
        self.coordinates: tuple[Coordinate, ...] = tuple(
            one for body in self.forest.order for one in self._of_body(body)
        )
        self.axes: Axes = axes or ("body" if self._alone else "motion")

    @property
    def _alone(self) -> bool:
        """Whether joints hold all bodies together, and none to the ground."""
        inner = [branch.inner for branch in self.forest.branches if branch is not None]
        return len(self.bases) == 1 and max(inner, default=0) < self.forest.bodies

    @property
    def restricting(self) -> tuple[int, ...]:
        """Joints of stations, which go with more than their bodies: they carry none, and their rows
        restrict."""
        table = self.layout.table
        ends = enumerate(zip(table.parent, table.child, strict=True))
        return tuple(j for j, own in ends if max(own) >= self.layout.columns and self.layout.nodes)

    @property
    def bases(self) -> tuple[int, ...]:
        """The bodies that no joint carries."""
        return tuple(k for k, branch in enumerate(self.forest.branches) if branch is None)

    def _of_body(self, body: int) -> list[Coordinate]:
        branch = self.forest.branches[body]
        if branch is None:
            path = f"bodies.{self.layout.bodies[body]}"
            which = f"body {self.layout.bodies[body]}", body, True
            names = ("position", "velocity"), ("attitude", "angular_velocity")
            both = zip(names, ("m", "rad"), ("displacement", "small turn"), strict=True)
            return [
                Coordinate(f"{path}.{one}.{axis}", f"{path}.{rate}.{axis}", unit, *which, kind, n)
                for (one, rate), unit, kind in both
                for n, axis in enumerate(AXES)
            ]
        (motions,) = self.forest.states(body)
        assert motions is not None
        path = f"joints.{self.layout.joints[branch.joint]}"
        thing, which = f"joint {self.layout.joints[branch.joint]}", (body, False)
        order = sequence(motions)
        if order is not None:
            turns = [(AXES[order.axes[n]], n) for n in order.free]
        else:
            turns = [(AXES[n], n) for n in range(len(motions.turns))]
        kind = "small turn" if order is None else "angle"
        many = len(motions.translations) + len(turns) > 1

        def of(way: str, axis: str) -> str:
            return f"{thing} {way}{axis}" if many else thing

        found = [
            Coordinate(
                *_named(path, "displacement", AXES[a]), "m", of("t", AXES[a]), *which, "displacement", a
            )
            for a in motions.translations
        ]
        return found + [
            Coordinate(*_named(path, "rotation", axis), "rad", of("r", axis), *which, kind, n)
            for axis, n in turns
        ]

    def place_entry(self, one: Coordinate) -> int:
        """Where in an own state a displacement or an angle stands, or the first number of the quaternion that
        a small turn changes."""
        n = self.layout.count
        first = 0 if one.kind == "displacement" else 6 * n
        return first + (0 if one.kind == "small turn" else one.place * n) + one.body

    def rate_entry(self, one: Coordinate) -> int:
        """Where in an own state the rate of a coordinate stands."""
        n = self.layout.count
        return (3 if one.kind == "displacement" else 10) * n + one.place * n + one.body

    def spread(self, own: np.ndarray) -> Spread:
        """About operating points with these own states (point, number)."""
        n, points, count = self.layout.count, len(own), len(self.coordinates)
        positions, rates = (np.zeros((own.shape[1], points, count)) for _ in range(2))
        mixing, motion = np.zeros((points, count, count)), np.zeros((points, count))
        rate, turn, spin = (
            own[:, a * n : b * n].reshape(points, -1, n) for a, b in ((3, 6), (6, 10), (10, 13))
        )
        drift = own[:, 13 * n + 3 : 13 * n + 6]
        for c, one in enumerate(self.coordinates):
            k, p = one.body, one.place
            rates[self.rate_entry(one), :, c] = 1.0
            if one.kind == "displacement":
                positions[p * n + k, :, c] = 1.0
                motion[:, c] = rate[:, p, k] + (drift[:, p] if one.free else 0.0)
            elif one.kind == "angle":
                positions[6 * n + p * n + k, :, c] = 1.0
                motion[:, c] = spin[:, p, k]
            else:
                by = _small_turns_about(p, points)
                positions[6 * n + np.arange(4) * n + k, :, c] = multiply(turn[:, :, k].T, by)
                motion[:, c] = spin[:, p, k]
        for first in self._small_turns:
            body = self.coordinates[first].body
            three = slice(first, first + 3)
            mixing[:, three, three] = -_crossing(spin[:, :, body])
        found = Spread(positions, rates, mixing, motion)
        for body in self.bases:
            if self.axes == "inertial":
                self._in_inertial_axes(body, own, found)
            else:
                self._in_body_axes(body, own, found)
        return found

    def turned(self, spread: Spread) -> np.ndarray:
        """What brings displacements of bodies that no joint carries from inertial axes to those of their
        coordinates (point, coordinate, coordinate)."""
        found = np.tile(np.eye(len(self.coordinates)), (len(spread.motion), 1, 1))
        for body in self.bases:
            first = self._first_of(body)
            three = slice(first, first + 3)
            rows = np.arange(3) * self.layout.count + body
            found[:, three, three] = spread.positions[rows, :, three].transpose(1, 2, 0)
        return found

    def turning(self, spread: Spread) -> np.ndarray:
        """What velocities of bodies that no joint carries change by along axes that turn as the motion goes
        on, by themselves (point, coordinate, coordinate)."""
        found = np.zeros_like(spread.mixing)
        for body in self.bases:
            moves = slice(first := self._first_of(body), first + 3)
            found[:, moves, moves] = spread.mixing[:, moves, moves]
        return found

    @property
    def _small_turns(self) -> list[int]:
        """Where the small turns begin among the coordinates."""
        return [c for c, one in enumerate(self.coordinates) if one.kind == "small turn" and one.place == 0]

    def _first_of(self, body: int) -> int:
        """Where the coordinates of a body that no joint carries begin."""
        return next(c for c, one in enumerate(self.coordinates) if one.free and one.body == body)

    def _in_body_axes(self, body: int, own: Any, found: Spread) -> None:
        """Displacement and velocity of a body along its own axes, as these stand and turn; velocity along
        those turned by what the body is turned by, too, unless axes are of the motion."""
        n, (positions, rates, mixing, motion) = self.layout.count, found
        first = self._first_of(body)
        rows = np.arange(3) * n + body
        turn: Any = matrix_of(own[:, 6 * n + np.arange(4) * n + body].T)
        spin = own[:, 10 * n + rows]
        velocity = own[:, 3 * n + rows] + own[:, 13 * n + 3 : 13 * n + 6]
        along = np.einsum("jip,pj->pi", turn, velocity)
        moves, turns = slice(first, first + 3), slice(first + 3, first + 6)
        by_axes = np.moveaxis(turn, 1, 2)
        positions[rows, :, moves] = by_axes
        rates[3 * n + rows, :, moves] = by_axes
        mixing[:, moves, moves] = -_crossing(spin)
        motion[:, moves] = along
        if self.axes == "body":
            # v = R u: a small turn e changes it by R0 (e x u0).
            positions[3 * n + rows, :, turns] = -np.einsum("ijp,pjk->ipk", turn, _crossing(along))
            mixing[:, moves, turns] = -_crossing(along)

    def _in_inertial_axes(self, body: int, own: Any, found: Spread) -> None:
        """Turn and angular velocity of a body along inertial axes."""
        n, (positions, rates, mixing, motion) = self.layout.count, found
        first = self._first_of(body)
        rows, turns = np.arange(3) * n + body, slice(first + 3, first + 6)
        q = own[:, 6 * n + np.arange(4) * n + body].T
        turn: Any = matrix_of(q)
        spin = np.einsum("ijp,pj->pi", turn, own[:, 10 * n + rows])
        for axis in range(3):
            by = _small_turns_about(axis, len(own))
            positions[6 * n + np.arange(4) * n + body, :, first + 3 + axis] = multiply(by, q)
        rates[10 * n + rows, :, turns] = np.transpose(turn, (1, 2, 0))
        # w = R^T W: a small turn e changes it by R^T (W x e).
        positions[10 * n + rows, :, turns] = np.einsum("jip,pjk->ipk", turn, _crossing(spin))
        mixing[:, turns, turns] = _crossing(spin)
        motion[:, turns] = spin


def _named(path: str, what: str, axis: str) -> tuple[str, str]:
    return f"{path}.{what}.{axis}", f"{path}.{what}_rate.{axis}"


def _small_turns_about(axis: int, points: int) -> np.ndarray:
    """What one radian of a small turn adds to the quaternion of no turn (4, point)."""
    return np.tile(np.concatenate([[0.0], 0.5 * np.eye(3)[axis]])[:, None], points)


def _crossing(a: np.ndarray) -> np.ndarray:
    """The matrices (point, 3, 3) that give a x b of b."""
    x, y, z = a.T
    none = np.zeros_like(x)
    rows = [[none, -z, y], [z, none, -x], [-y, x, none]]
    return np.moveaxis(np.array(rows), -1, 0)
