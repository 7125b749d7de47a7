"""Compute the motion of the bodies from the motion of their joints: q' = H2 q2' in closed form (AIAA
2011-6277, eqs 16-18).

For a branch from inner body i to outer body o, w_o = w_i + B eps' and v_o = v_i + w_i x (r_o - r_i) + (terms
of the joint's motion). These equations are one block row of Ha q' = Hb q2', which is lower triangular in the
order of the tree. Substitution adds the motion of each joint to all bodies beyond it, as if they were one
rigid body. No matrix is inverted.

H1 follows from the same substitution with the locked directions in place of the free directions. A H1 = 1 for
the rows that the branches absorb (eq 9). The transpose of H1 sums loads.

The paper's joints are extended by translations along the axes X of the parent's joint frame: the joint point
of the child is at p + X s. All velocities here are velocities of the centres of mass, in inertial axes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jax, jnp
from ..maths.vectors import add_axes, cross, rotate
from ..model.attachments import column
from ..model.constraint_rows import RowTable
from . import cholesky
from .contract import Constraints, Joints
from .spanning import Forest, Motions


class Columns(NamedTuple):
    """Free directions of joints and roots, one in each column.

    - slide (3, column, *cases): axis along which the child's joint point moves, inertial components
    - turn (3, column, *cases): axis about which the child rotates, inertial components
    - spin (3, column, *cases): angular velocity of this axis [rad/s], inertial components
    - body (column,): index of the outer body (constant)
    - free (column, *cases): 1 if the direction is free, else 0; None if all directions are always free

    In each column either `slide` or `turn` is zero. The axes of a root are the inertial axes.
    """

    slide: jax.Array
    turn: jax.Array
    spin: jax.Array
    body: np.ndarray
    free: jax.Array | None

    def of(self, body: int) -> slice:
        """Return the slice of the columns of one body."""
        first = int(np.sum(self.body < body))
        return slice(first, first + int(np.sum(self.body == body)))


class Prescribed(NamedTuple):
    """Prescribed motion of the joint of each branch, child relative to parent, inertial components (3, body,
    *cases).

    - slide, turn: translation rate [m/s] and rotation rate [rad/s] of the joint.
    - slide_rate, turn_rate: time derivatives of these vectors.
    """

    slide: jax.Array
    turn: jax.Array
    slide_rate: jax.Array
    turn_rate: jax.Array


class Tree:
    """A forest of bodies in one pose; its joints may be released.

    - turn (3, 3, body, *cases): rotation matrices from body to inertial axes.
    - across (3, 3, joint, *cases): reciprocal axes of the parents' joint frames; each is normal to the two
      other axes.
    """

    def __init__(self, forest: Forest, joints: Joints, parent_axis: Callable[[int, int], Any]):
        """Create the tree.

        parent_axis: function (joint, axis) that returns a rotation axis of the parent's joint frame and the
        angular velocity of this axis, inertial, each (3, *cases). The function is called for the first of two
        free rotations; see `parent_axes_of_rows`.
        """
        self.forest, self.joints = forest, joints
        self.parent_axis = parent_axis
        self.position = joints.motion.position[:, : forest.bodies]
        # Attitudes within a step are not quite of unit length, and their matrices not quite rotations.
        self.turn = _inverse_transposed(joints.motion.rotation[:, :, : forest.bodies])
        self.across = _inverse_transposed(joints.frame_a)
        self.lanes = self.position.shape[2:]
        self.arm, self.sign = self._arms()
        self.path = self._path()
        self.offset = self.position[:, :, None] - self.position[:, None]

    def _arms(self):
        """Arms from the centre of mass of each body to the joint point of its branch (3, body, *cases), zero
        for roots, and the sign of the joint's motion (body)."""
        pairs, arms, signs = self.joints.pairs, [], []
        for k, branch in enumerate(self.forest.branches):
            if branch is None:
                arms.append(jnp.zeros((3, *self.lanes)))
            elif branch.outward:
                arms.append(column(pairs.arm_b, branch.joint, 1) * self.on_branch(k))
            else:
                arm = column(pairs.arm_a, branch.joint, 1) + column(pairs.gap, branch.joint, 1)
                arms.append(arm * self.on_branch(k))
            signs.append(-1.0 if branch is not None and not branch.outward else 1.0)
        return jnp.stack(arms, 1), np.array(signs).reshape((-1,) + (1,) * len(self.lanes))

    # --- switches

    def now(self, body: int, modes) -> Any:
        """Return 1 if the joint that carries a body is in one of the given modes, else 0 (*cases)."""
        branch = self.forest.branches[body]
        assert branch is not None
        assert self.joints.mode is not None
        mode = self.joints.mode[branch.joint]
        return sum((mode == m).astype(float) for m in modes)

    def on_branch(self, body: int) -> Any:
        """Return 1 while the branch carries its body, and 0 while the body is a root (*cases). The result
        is 1.0 if this never changes.
        """
        states = self.forest.states(body)
        return 1.0 - self.now(body, states[None]) if None in states else 1.0

    def _path(self) -> Any:
        """1 if a body (first index) is carried by another body (second index), or is the same body: (body,
        body, *cases). Without cases if this never changes."""
        n, forest = self.forest.bodies, self.forest
        chains = [forest.ancestors(k) for k in range(n)]
        table: Any = np.array([[float(i in chain) for i in range(n)] for chain in chains]).reshape(n, n)
        for k in range(n):
            if None in forest.states(k) and forest.branches[k] is not None:
                # What hangs on this body, itself included, is cut off from everything inward of it.
                beyond = np.array([k in chain for chain in chains])
                inward = np.array([i in chains[k][1:] for i in range(n)])
                loose = _widen(np.outer(beyond, inward).astype(float), 2 + len(self.lanes))
                table = _widen(table, 2 + len(self.lanes)) * (1.0 - loose * (1.0 - self.on_branch(k)))
        return table

    # --- H2

    def columns(self) -> Columns:
        """Return the free directions of all branches and roots, one in each column."""
        found, free, bodies, switching = [], [], [], False
        for k in range(self.forest.bodies):
            states = self.forest.states(k)
            switching = switching or len(states) > 1
            every = [
                (self._axes(k, motions), 1.0 if len(states) == 1 else self.now(k, modes))
                for motions, modes in states.items()
            ]
            for c in range(max(len(axes) for axes, _ in every)):
                here = [(axes[c], now) for axes, now in every if c < len(axes)]
                found.append(sum(axis * now for axis, now in here))
                free.append(sum(now for _, now in here) + jnp.zeros(self.lanes))
                bodies.append(k)
        slide, turn, spin = jnp.stack(found, 2) if found else jnp.zeros((3, 3, 0, *self.lanes))
        return Columns(slide, turn, spin, np.array(bodies, int), jnp.stack(free) if switching else None)

    def _axes(self, body: int, motions: Motions | None) -> list[Any]:
        """(slide, turn, spin) of each free direction of a body in one of its states, (3, 3, *cases)."""
        still = jnp.zeros((3, *self.lanes))
        if motions is None:
            units = [jnp.broadcast_to(add_axes(e, still.ndim), still.shape) for e in np.eye(3)]
            slides = turns = [(unit, still) for unit in units]
        else:
            branch = self.forest.branches[body]
            assert branch is not None
            j, pairs = branch.joint, self.joints.pairs
            across, frame_b = column(self.across, j, 2), column(self.joints.frame_b, j, 2)
            spin_a, spin_b = column(pairs.spin_a, j, 1), column(pairs.spin_b, j, 1)
            slides = [(across[:, a], spin_a) for a in motions.translations]
            turns = [
                self.parent_axis(j, a) if end == "a" else (frame_b[:, a], spin_b) for end, a in motions.turns
            ]
        found = [(axis, still, spin) for axis, spin in slides] + [(still, axis, spin) for axis, spin in turns]
        return [jnp.stack(jnp.broadcast_arrays(*parts)) for parts in found]

    def own(self, slide, turn, body):
        """Return velocities v and angular velocities w of outer bodies relative to inner bodies, each (3,
        item, *cases), from the rates of the joints.

        - slide, turn (3, item, *cases): translation and rotation rates of the joints, child relative to
          parent.
        - body (item,): index of each outer body.
        """
        arm, sign = self.arm[:, body], self.sign[body]
        return sign * (slide + cross(arm, turn)), sign * turn

    def basis(self, columns: Columns):
        """Return H2: velocities v and angular velocities w of all bodies for a unit rate of each free
        direction, each (3, body, column, *cases).
        """
        own_v, own_w = self.own(columns.slide, columns.turn, columns.body)
        moves = _widen(self.path[:, columns.body], 2 + len(self.lanes))
        offset = self.offset[:, :, columns.body]
        v = moves * (own_v[:, None] + cross(own_w[:, None], offset))
        return v, moves * jnp.broadcast_to(own_w[:, None], v.shape)

    def rate(self, columns: Columns, second, prescribed: Prescribed | None = None):
        """Return H2dot q2' plus the accelerations of prescribed motions, as time derivatives of v and w of
        all bodies, each (3, body, *cases).

        second: q2' (column, *cases). The derivatives are in inertial axes and for a constant q2' (eq 18).
        """
        slide, slide_rate = self._sum_columns(columns, second, columns.slide)
        turn, turn_rate = self._sum_columns(columns, second, columns.turn)
        if prescribed is not None:
            slide, slide_rate = slide + prescribed.slide, slide_rate + prescribed.slide_rate
            turn, turn_rate = turn + prescribed.turn, turn_rate + prescribed.turn_rate
        bodies = np.arange(self.forest.bodies)
        v, w = self.own(slide_rate, turn_rate, bodies)
        v = v + self.sign * cross(self._arm_rates(), turn)
        _, spin = self.sum_outward(*self.own(slide, turn, bodies))
        return self.sum_outward(v + self._turned_offsets(spin), w)

    def _sum_columns(self, columns: Columns, second, axes):
        """Sum over the free directions of each body of axis times rate, and its rate by the rotation of the
        axes."""
        mine = (columns.body[None] == np.arange(self.forest.bodies)[:, None]).astype(float)
        mine = _widen(mine, 2 + len(self.lanes))
        moved = axes * second
        turned = cross(columns.spin, moved)
        return jnp.sum(mine * moved[:, None], 2), jnp.sum(mine * turned[:, None], 2)

    def _arm_rates(self):
        """Rates of the arms, inertial axes."""
        pairs, found = self.joints.pairs, []
        for k, branch in enumerate(self.forest.branches):
            if branch is None:
                found.append(jnp.zeros((3, *self.lanes)))
                continue
            fields = pairs.spin_a, pairs.spin_b, pairs.arm_a, pairs.arm_b, pairs.gap_rate
            spin_a, spin_b, arm_a, arm_b, gap_rate = (column(f, branch.joint, 1) for f in fields)
            rate = cross(spin_b, arm_b) if branch.outward else cross(spin_a, arm_a) + gap_rate
            found.append(rate * self.on_branch(k))
        return jnp.stack(found, 1)

    def _turned_offsets(self, spin):
        """w_i x (v_o - v_i) of each body on a branch, for angular velocities `spin` of all bodies."""
        velocity, found = self.joints.motion.velocity, []
        for k, branch in enumerate(self.forest.branches):
            if branch is None or branch.inner >= self.forest.bodies:
                found.append(jnp.zeros((3, *self.lanes)))
                continue
            there = cross(spin[:, branch.inner], velocity[:, k] - velocity[:, branch.inner])
            found.append(there * self.on_branch(k))
        return jnp.stack(found, 1)

    # --- substitution along the tree

    def sum_outward(self, v, w):
        """Return (v, w) of all bodies, each (3, body, *cases), as the sum of the contributions of all
        branches from the root to the body.

        v, w (3, body, *cases): contribution of the branch of each body, or of the root.
        """
        moves = _widen(self.path, 2 + len(self.lanes))
        whole = v[:, None] + cross(w[:, None], self.offset)
        return jnp.sum(moves * whole, 2), jnp.sum(moves * w[:, None], 2)

    def sum_inward(self, force, torque):
        """Return the total force and torque (3, body, *cases) on each body and all bodies that it carries,
        inertial axes.

        force, torque: force and torque on each body. All torques are about the centre of mass of the body.
        """
        moves = _widen(self.path, 2 + len(self.lanes))
        whole = torque[:, :, None] + cross(self.offset, force[:, :, None])
        return jnp.sum(moves * force[:, :, None], 1), jnp.sum(moves * whole, 1)


def parent_axes_of_rows(joints: Joints, constraints: Constraints) -> Callable[[int, int], Any]:
    """Return the function `parent_axis` of a `Tree`, with axes from the rotation rows. The axes include the
    rotation of prescribed motions.

    If no motion is prescribed, the axes have the angular velocity of the parent. With c = eB x eA of a row,
    the part of eA normal to eB is c x eB. With this vector the free rotations span the same space. The vector
    equals eA if eA and eB are at a right angle.
    """
    table = joints.table

    def axis(j: int, a: int):
        row, b = next((i, b) for i, (k, b, own) in enumerate(table.rotations) if (k, own) == (j, a))
        turn = constraints.on_b[3:, table.first_rotation + row]
        c = rotate(_inverse_transposed(joints.motion.rotation[:, :, table.child[j]]), turn)
        return cross(c, column(joints.frame_b, j, 2)[:, b]), column(joints.pairs.spin_a, j, 1)

    return axis


def _inverse_transposed(matrix):
    """Inverse transposed matrices (3, 3, ...): cofactors over determinants."""
    a, b, c = matrix[:, 0], matrix[:, 1], matrix[:, 2]
    cofactors = jnp.stack([cross(b, c), cross(c, a), cross(a, b)], 1)
    return cofactors / jnp.sum(a * cofactors[:, 0], 0)


def _widen(table, ndim: int):
    """A table (static, or with cases) with trailing axes of size one, as operations with cases need."""
    table = jnp.asarray(table)
    return table.reshape(table.shape + (1,) * (ndim - table.ndim))


class Locked:
    """Locked directions of a tree: the rows that its branches absorb, and H1 of these rows (A H1 = 1).

    active: 1 for each row that a branch absorbs at this time, else 0.
    """

    def __init__(self, tree: Tree, constraints: Constraints):
        self.tree, self.count = tree, constraints.bias.shape[0]
        self.active = absorbed_rows(tree.forest, tree.joints, constraints.active)
        table = tree.joints.table
        rows = [branch_rows(table, b.joint) if b else ([], []) for b in tree.forest.branches]
        self.slides, self.turns = (self._numbers([r[i] for r in rows]) for i in (0, 1))
        child = np.array(table.child, int)[table.joint]
        turned = rotate(tree.turn[:, :, child], constraints.on_b[3:])
        slides = [column(tree.across, j, 2)[:, a] for j, a in table.translations]
        slides = jnp.stack(slides, 1) if slides else jnp.zeros((3, 0, *tree.lanes))
        rest = [(0, 0), (0, self.count - slides.shape[1])] + [(0, 0)] * len(tree.lanes)
        self.along = self._take(jnp.pad(slides, rest), self.slides, 1)
        self.about = self._take(turned, self.turns, 1)
        self.gram = self._gram() if self.turns.size else None

    def _numbers(self, rows: list[list[int]]) -> np.ndarray:
        """Indices of rows (place, body). If a body has no such row, the index is one more than the last
        row."""
        most = max((len(r) for r in rows), default=0)
        return np.array([[*r, *[self.count] * (most - len(r))] for r in rows], int).reshape(len(rows), most).T

    def _take(self, array, numbers, axis: int):
        """Entries of rows along `axis`, in the places of the rows (..., place, body, *cases). They are zero
        if there is no row, or if the row is not absorbed at present."""
        lanes = self.tree.lanes
        active = jnp.stack([jnp.broadcast_to(jnp.asarray(a), lanes) for a in (*self.active, 0.0)])
        gap = [(0, 0)] * array.ndim
        gap[axis] = (0, 1)
        return jnp.take(jnp.pad(array, gap), numbers, axis) * active[numbers]

    def _gram(self):
        """Scalar products of the axes c of each branch's rotation rows, and their factor."""
        matrix = jnp.sum(self.about[:, :, None] * self.about[:, None], 0)
        places = self.turns.shape[0]
        eye = jnp.eye(places).reshape((places, places) + (1,) * (1 + len(self.tree.lanes)))
        # An axis c is a unit vector at right angles, and is never short where its row holds.
        here = jnp.sum(self.about * self.about, 0) > 0
        matrix = matrix + eye * (1.0 - here)[None]
        return matrix, cholesky.factor(matrix)

    def motion(self, values):
        """Return H1 times values of the rows (row, *cases), as velocities v and angular velocities w of all
        bodies, each (3, body, *cases).
        """
        bodies = np.arange(self.tree.forest.bodies)
        slide = jnp.sum(self.along * self._take(values, self.slides, 0), 1)
        turn = jnp.zeros_like(slide)
        if self.gram is not None:
            shares = cholesky.solve(*self.gram, self._take(values, self.turns, 0))
            turn = jnp.sum(self.about * shares, 1)
        return self.tree.sum_outward(*self.tree.own(slide, turn, bodies))

    def multipliers(self, force, torque):
        """Return H1^T times generalized forces (row, *cases); zero for rows that no branch absorbs.

        force, torque: generalized forces (3, body, *cases), inertial axes.
        """
        force, torque = self.tree.sum_inward(force, torque)
        force, torque = self.tree.sign * force, self.tree.sign * torque
        found: list[Any] = [jnp.zeros(self.tree.lanes)] * self.count
        self._put_entries(found, self.slides, jnp.sum(self.along * force[:, None], 0))
        if self.gram is not None:
            at_point = torque - cross(self.tree.arm, force)
            right = jnp.sum(self.about * at_point[:, None], 0)
            self._put_entries(found, self.turns, cholesky.solve(*self.gram, right))
        return jnp.stack(found)

    def _put_entries(self, found: list[Any], numbers, values):
        for (place, body), row in np.ndenumerate(numbers):
            if row < self.count:
                found[row] = values[place, body]


def branch_rows(table: RowTable, joint: int) -> tuple[list[int], list[int]]:
    """Return the indices of the translation rows and of the rotation rows of a joint. A branch cannot absorb
    other rows.
    """
    mine = table.of_joint(joint)
    first, last = table.first_rotation, table.first_rotation + len(table.rotations)
    return [k for k in mine if k < len(table.translations)], [k for k in mine if first <= k < last]


def absorbed_rows(forest: Forest, joints: Joints, active) -> list[Any]:
    """Return 1 for each row that the free directions of a branch satisfy, else 0.

    The entries are constants, or arrays (*cases) if they change. active: see `Constraints`.
    """
    table, absorbed = joints.table, forest.absorbs
    carried = {branch.joint for branch in forest.branches if branch is not None}
    found: list[Any] = []
    for k, j in enumerate(table.joint):
        own = k in (rows := branch_rows(table, j))[0] or k in rows[1]
        if j not in carried or not own:
            found.append(0.0)
        elif joints.mode is None or len(joints.reachable[j]) == 1:
            found.append(float(absorbed[j, joints.reachable[j][0]]))
        else:
            modes = [m for m in joints.reachable[j] if m and absorbed[j, m]]
            here = sum((joints.mode[j] == m).astype(float) for m in modes) if modes else 0.0
            found.append(here * active[k] if modes else 0.0)
    return found


def cut_rows(forest: Forest, table: RowTable, reachable) -> np.ndarray:
    """Return the indices of the rows that may need multipliers. reachable: modes that each joint can have."""
    found = []
    for k, j in enumerate(table.joint):
        modes = [m for m in reachable[j] if m]
        own = k in (rows := branch_rows(table, j))[0] or k in rows[1]
        if not own or not all(forest.absorbs[j, m] for m in modes):
            found.append(k)
    return np.array(found, int)
