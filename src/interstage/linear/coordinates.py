"""Coordinates of motion about an operating point, from the tree of bodies and joints at that time.

A root body has a displacement of its centre of mass [m], with a velocity. A root body also has a small
rotation [rad] about its structural axes at the operating point, with an angular velocity. A child in the tree
has displacements along, and angles about, the free axes of its joint. If a joint leaves all rotations free,
its child has a small rotation about the axes of the child's joint frame. Joints at flexible bodies do not
carry bodies.

Displacements, small rotations and velocities are differences from the continuing reference motion (index 0).
The differences are measured in body axes of the reference motion, which rotate with w0. The equations of a
body in a spin or a steady turn are therefore constant. With body axes, the velocity u = R^T v is in axes of
the disturbed body:

    r = r0 + R0 d,   R = R0 exp(e~),   v = R u,     d' = du - w0 x d + e x u0,   e' = dw - w0 x e

With axes of the motion, the velocity is in axes of the reference motion, without the small rotation e:

    v = R0 (u0 + dv),   d' = dv - w0 x d

The equations then do not contain the speed u0. With body axes they contain u0. If u0 changes by the
acceleration a, a relative rotation then acts like a force of a, because the constant u0 omits the term e x
u0'.

With inertial axes, R = exp(e~) R0, d' = dv and e' = dw + w0 x e. Inertial axes serve axisymmetric bodies that
spin or roll on the ground.

Default for several bodies or trees: axes of the motion, because forces may connect the bodies. Default for a
single tree: body axes, whose velocities are u, v and w of flight mechanics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ..engine.joint_entries import sequence
from ..engine.layout import FREE, Layout
from ..formulations.spanning import Forest, forest
from ..maths.rotations import matrix_of, multiply

AXES = ("x", "y", "z")
Axes = Literal["body", "motion", "inertial"]


class Coordinate(NamedTuple):
    """Coordinate of the linear equations, with its velocity.

    - name, rate: names of the coordinate and of its velocity.
    - unit: unit of the coordinate, "m" or "rad".
    - thing: label of the moving item: "body stage", "joint hinge", or "joint hinge ry" for a joint with
      several coordinates.
    - body: index of the moved body.
    - free: true for a root body, which no joint carries.
    - kind: displacement, angle of a rotation sequence, or component of a small rotation ("small turn").
    - place: index of the axis, or index of the rotation in its sequence.
    """

    name: str
    rate: str
    unit: str
    thing: str
    body: int
    free: bool
    kind: Literal["displacement", "angle", "small turn"]
    place: int


class Spread(NamedTuple):
    """Derivatives of tree states (see `engine.joint_coordinates`) with respect to the coordinates.

    - positions (tree state, point, coordinate): derivatives with respect to the coordinates.
    - rates (tree state, point, coordinate): derivatives with respect to the velocities.
    - mixing (point, coordinate, coordinate): derivatives of the coordinate rates with respect to the
      coordinates.
    - motion (point, coordinate): coordinate rates at the operating points.
    """

    positions: np.ndarray
    rates: np.ndarray
    mixing: np.ndarray
    motion: np.ndarray


class Tree:
    """Coordinates of the tree of bodies and joints.

    - layout: indices of the bodies and joints.
    - mode (joint,): mode of each joint; zero for an inactive joint.
    - axes: axes of root bodies: "body", "motion" or "inertial". Default: "body" for one tree, "motion" for
      several trees.
    - wanted: names of required joint coordinates. The tree contains the joints of these coordinates.
    """

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
        """Whether joints connect all bodies, and none to the ground."""
        inner = [branch.inner for branch in self.forest.branches if branch is not None]
        return len(self.bases) == 1 and max(inner, default=0) < self.forest.bodies

    @property
    def restricting(self) -> tuple[int, ...]:
        """Return the indices of joints at attachment nodes of flexible bodies.

        In the tree, these joints carry no body. They act as constraints.
        """
        return self.layout.columns.joints_at_nodes

    @property
    def bases(self) -> tuple[int, ...]:
        """Return the indices of the root bodies."""
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
                *_names_of(path, "displacement", AXES[a]), "m", of("t", AXES[a]), *which, "displacement", a
            )
            for a in motions.translations
        ]
        return found + [
            Coordinate(*_names_of(path, "rotation", axis), "rad", of("r", axis), *which, kind, n)
            for axis, n in turns
        ]

    def place_entry(self, one: Coordinate) -> int:
        """Return the index of a displacement or an angle in a tree state. For a small rotation, return the
        first index of its quaternion.
        """
        n = self.layout.count
        first = 0 if one.kind == "displacement" else 6 * n
        return first + (0 if one.kind == "small turn" else one.place * n) + one.body

    def rate_entry(self, one: Coordinate) -> int:
        """Return the index of the velocity of a coordinate in a tree state."""
        n = self.layout.count
        return (3 if one.kind == "displacement" else 10) * n + one.place * n + one.body

    def spread(self, own: np.ndarray) -> Spread:
        """Return the derivatives of tree states at operating points. own: tree states (point, tree state)."""
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

    def root_rotations(self, spread: Spread) -> np.ndarray:
        """Return the matrices that rotate the displacements of root bodies from inertial axes to their own
        axes (point, coordinate, coordinate).
        """
        found = np.tile(np.eye(len(self.coordinates)), (len(spread.motion), 1, 1))
        for body in self.bases:
            first = self._first_of(body)
            three = slice(first, first + 3)
            rows = np.arange(3) * self.layout.count + body
            found[:, three, three] = spread.positions[rows, :, three].transpose(1, 2, 0)
        return found

    def turning(self, spread: Spread) -> np.ndarray:
        """Return the matrices -w0 x (point, coordinate, coordinate), which act on displacements and
        velocities of root bodies because their axes rotate with w0.
        """
        found = np.zeros_like(spread.mixing)
        for body in self.bases:
            moves = slice(first := self._first_of(body), first + 3)
            found[:, moves, moves] = spread.mixing[:, moves, moves]
        return found

    @property
    def _small_turns(self) -> list[int]:
        """Indices of the first components of small rotations."""
        return [c for c, one in enumerate(self.coordinates) if one.kind == "small turn" and one.place == 0]

    def _first_of(self, body: int) -> int:
        """Index of the first coordinate of a root body."""
        return next(c for c, one in enumerate(self.coordinates) if one.free and one.body == body)

    def _in_body_axes(self, body: int, own: Any, found: Spread) -> None:
        """Displacement and velocity of a body along its rotating axes. With body axes the velocity also
        follows the small rotation."""
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
            # v = R u: a small rotation e changes it by R0 (e x u0).
            positions[3 * n + rows, :, turns] = -np.einsum("ijp,pjk->ipk", turn, _crossing(along))
            mixing[:, moves, turns] = -_crossing(along)

    def _in_inertial_axes(self, body: int, own: Any, found: Spread) -> None:
        """Rotation and angular velocity of a body along inertial axes."""
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
        # w = R^T W: a small rotation e changes it by R^T (W x e).
        positions[10 * n + rows, :, turns] = np.einsum("jip,pjk->ipk", turn, _crossing(spin))
        mixing[:, turns, turns] = _crossing(spin)
        motion[:, turns] = spin


def _names_of(path: str, what: str, axis: str) -> tuple[str, str]:
    return f"{path}.{what}.{axis}", f"{path}.{what}_rate.{axis}"


def _small_turns_about(axis: int, points: int) -> np.ndarray:
    """Derivative of the quaternion by a component of a small rotation (4, point)."""
    return np.tile(np.concatenate([[0.0], 0.5 * np.eye(3)[axis]])[:, None], points)


def _crossing(a: np.ndarray) -> np.ndarray:
    """The matrices (point, 3, 3) of a x b."""
    x, y, z = a.T
    none = np.zeros_like(x)
    rows = [[none, -z, y], [z, none, -x], [-y, x, none]]
    return np.moveaxis(np.array(rows), -1, 0)
