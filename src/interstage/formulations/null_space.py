"""Null space of the constraint Jacobian: Thompson (AIAA 2011-6277), eqs 9-21.

With q' = H2 q2' and A H2 = 0 the constraint forces drop out of H2^T M H2 q2'' = H2^T (f - M h), where h is
any acceleration that satisfies the rows, A h = -gamma: the paper's velocity-rate term H2dot q2' is one, -H1
gamma with A H1 = 1 another, and both lead to the same q'' = H2 q2'' + h. The latter also holds off the
constraints, with stabilization, and under driven axes. Multipliers are lam = H1^T (M q'' - f) (eq 19; the
paper's lam has the opposite sign). Rows that no branch of the tree absorbs (those of loops, rods, and
velocities) keep multipliers, on the reduced equations.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from ..vectors import product, rotate, rotate_back, transposed
from . import cholesky, elimination, null_space_dense
from .contract import Constraints, Inertias, Joints
from .joint_motion import Locked, Tree, cut_rows, parent_axes_of_rows
from .spanning import Forest, forest


class Reduced(NamedTuple):
    """q2'' (column, *lanes); accelerations (6, body, *lanes) of the bodies, ground included; multipliers
    (row, *lanes)."""

    second: Any
    acceleration: Any
    multipliers: Any


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Accelerations and multipliers; see `contract.Formulation`."""
    if choice.road == "numerical":
        return null_space_dense.numerical(choice.form, inertias, force, constraints)
    tree = Tree(forest_of(joints, inertias), joints, parent_axes_of_rows(joints, constraints))
    split = Split(tree, inertias, constraints)
    if choice.form != "reduced":
        return _implicit(null_space_dense.FORMS[choice.form], split, force)
    found = reduced(split, force)
    return found.acceleration, found.multipliers


def forest_of(joints: Joints, inertias: Inertias, fixed_only: bool = False) -> Forest:
    """The bodies and the joints that carry them."""
    assert inertias.mass is not None
    table = joints.table
    bodies = inertias.mass.shape[0]
    return forest(table.parent, table.child, joints.modes, joints.reachable, bodies, fixed_only)


class Split:
    """Free and locked directions of a tree, and the rows that it leaves to multipliers (cut rows).

    columns, basis: the free directions and H2. locked: H1. rate: h as (v, w), (3, body, *lanes) each,
    inertial axes. cut: numbers of the cut rows (static); rows: these rows, or None."""

    def __init__(self, tree: Tree, inertias: Inertias, constraints: Constraints, rate=None):
        """rate: None takes -H1 gamma."""
        self.tree, self.inertias, self.constraints = tree, inertias, constraints
        self.locked = Locked(tree, constraints)
        self.columns = tree.columns()
        self.basis = tree.basis(self.columns)
        self.rate = self.locked.motion(-constraints.bias) if rate is None else rate
        self.masses = Masses(tree, inertias)
        self.cut = cut_rows(tree.forest, tree.joints)
        self.rows = _cut(constraints, self.locked, self.cut) if self.cut.size else None
        self.holding: Any = None if self.rows is None else self.rows.active

    def reduced_mass(self):
        """H2^T M H2 (column, column, *lanes), with a unit diagonal where a column is not free now."""
        v, w = self.masses.times(*self.basis)
        own_v, own_w = self.basis
        matrix = jnp.sum(own_v[:, :, :, None] * v[:, :, None] + own_w[:, :, :, None] * w[:, :, None], (0, 1))
        free = self.columns.free
        return matrix if free is None else matrix + _diagonal(1 - free)

    def of_column(self, second):
        """H2 q2'' + h as (v, w), (3, body, *lanes) each."""
        v, w = (jnp.sum(part * second, 2) for part in self.basis)
        return self.rate[0] + v, self.rate[1] + w


def reduced(split: Split, given) -> Reduced:
    """The reduced equations (eq 15) and the multipliers (eq 19) under generalized forces (6, body,
    *lanes)."""
    force, torque = given[:3, : split.masses.count], split.masses.turned(given[3:, : split.masses.count])
    inertial = split.masses.times(*split.rate)
    along = (
        split.basis[0] * (force - inertial[0])[:, :, None]
        + split.basis[1] * (torque - inertial[1])[:, :, None]
    )
    second, lam = _with_cut_rows(split, jnp.sum(along, (0, 1)))
    v, w = split.of_column(second)
    lam = lam + _recovered(split, given, *split.masses.times(v, w), lam)
    return Reduced(second, _whole(split.tree, v, w), lam)


def _recovered(split: Split, force, left_v, left_w, lam):
    """Multipliers of the absorbed rows, H1^T (M u - f - A^T lam) (eq 19). left_v, left_w: M u; lam: of the
    cut rows."""
    count = split.masses.count
    whole = elimination.row_forces(split.constraints, lam, force.shape[1]) + force
    return split.locked.multipliers(
        left_v - whole[:3, :count], left_w - split.masses.turned(whole[3:, :count])
    )


class Masses:
    """Masses and inertias [kg, kg m^2] of the bodies, inertial axes."""

    def __init__(self, tree: Tree, inertias: Inertias):
        assert inertias.mass is not None
        assert inertias.inertia is not None
        self.count, self.turn = tree.forest.bodies, tree.turn
        self.mass = inertias.mass
        self.inertia = product(product(self.turn, inertias.inertia), transposed(self.turn))

    def turned(self, torque):
        """Torques (3, body, *lanes) from body axes to inertial ones."""
        return rotate(self.turn, torque)

    def times(self, v, w):
        """M u for accelerations (3, body, *lanes) or columns of them (3, body, column, *lanes)."""
        extra = (1,) * (v.ndim - 1 - self.mass.ndim)
        mass = self.mass.reshape(self.mass.shape[:1] + extra + self.mass.shape[1:])
        shape = self.inertia.shape
        return mass * v, rotate(self.inertia.reshape(shape[:3] + extra + shape[3:]), w)


def _with_cut_rows(split: Split, right):
    """q2'' and the multipliers (row, *lanes) of the cut rows.

    These are solved for first, from the response of the reduced system to them."""
    matrix = split.reduced_mass()
    none = jnp.zeros_like(split.constraints.bias)
    if not split.columns.body.size:
        return right, none
    lower = cholesky.factor(matrix)
    free = cholesky.solve(matrix, lower, right)
    if split.rows is None:
        return free, none
    rows = _over(split) * split.holding[:, None]
    answers = cholesky.solve(matrix[:, :, None], lower[:, :, None], jnp.swapaxes(rows, 0, 1))
    response, factor = _response(split, rows, answers)
    wanted = -(split.rows.bias + elimination.row_rates(split.rows, _whole(split.tree, *split.rate)))
    lam = cholesky.solve(response, factor, wanted * split.holding - jnp.sum(rows * free[None], 1))
    every = [none[0]] * none.shape[0]
    for k, value in zip(split.cut, lam, strict=True):
        every[k] = value
    return free + jnp.sum(answers * lam[None], 1), jnp.stack(every)


def _response(split: Split, rows, answers) -> tuple[Any, Any]:
    """What the cut rows (row, column, *lanes) feel of each other, and its factor. answers: (column, row,
    *lanes)."""
    assert split.rows is not None
    idle = 1 - split.holding
    response = jnp.sum(rows[:, :, None] * answers[None], 1) + _diagonal(idle)
    if not split.tree.joints.loops:
        return response, cholesky.factor(response)
    return response, cholesky.factor_ranked(response, _size(split.inertias, split.rows) * (1 - idle) + idle)


def _diagonal(values):
    """A diagonal matrix (item, item, *lanes)."""
    count = values.shape[0]
    return jnp.eye(count).reshape((count, count) + (1,) * (values.ndim - 1)) * values[None]


# --- cut rows


def _cut(constraints: Constraints, locked: Locked, cut) -> Constraints:
    """The rows that are ever left to multipliers, active where they are now."""
    lanes = constraints.bias.shape[1:]
    whole = jnp.ones((len(cut), *lanes)) if constraints.active is None else constraints.active[cut]
    absorbed = jnp.stack([jnp.broadcast_to(jnp.asarray(locked.active[k]), lanes) for k in cut])
    ends = constraints.parent[cut], constraints.child[cut]
    jacobian = constraints.on_a[:, cut], constraints.on_b[:, cut]
    return Constraints(*ends, *jacobian, constraints.bias[cut], whole * (1 - absorbed))


def _over(split: Split):
    """A H2 of the cut rows: (row, column, *lanes)."""
    assert split.rows is not None
    total: Any = 0.0
    bodies = split.tree.forest.bodies
    for on, body in ((split.rows.on_a, split.rows.parent), (split.rows.on_b, split.rows.child)):
        moved = np.minimum(body, bodies - 1)
        v, w = (part[:, moved] for part in split.basis)
        part = jnp.sum(on[:3, :, None] * v + rotate(split.tree.turn[:, :, moved], on[3:])[:, :, None] * w, 0)
        ground = (body >= bodies).reshape((-1,) + (1,) * (part.ndim - 1))
        total = total + jnp.where(ground, 0.0, part)
    return total


def _size(inertias: Inertias, rows: Constraints):
    """The diagonal of A M^-1 A^T, for bodies that nothing else holds: what is left of it on the reduced
    equations says how far a row is independent of them."""
    found: Any = 0.0
    for on, body in ((rows.on_a, rows.parent), (rows.on_b, rows.child)):
        own = Inertias(inertias.inverse_mass[body], inertias.inverse_inertia[:, :, body])
        found = found + jnp.sum(on * elimination.times_inverse_mass(own, on), 0)
    return found


def _whole(tree: Tree, v, w):
    """(6, body, *lanes) as the rows take them, angular components in body axes and the ground at rest, from
    (v, w) of the bodies in inertial axes."""
    return _grounded(tree, jnp.concatenate([v, rotate_back(tree.turn, w)]))


def _grounded(tree: Tree, motion):
    """Motions of the bodies (6, body, *lanes), with the ground at rest behind them, where there is one."""
    still = tree.joints.motion.position.shape[1] - tree.forest.bodies
    return jnp.pad(motion, [(0, 0), (0, still)] + [(0, 0)] * len(tree.lanes))


# --- implicit forms


def _implicit(form, split: Split, force):
    """Accelerations and multipliers by one of the dense forms."""
    spaces, held = _spaces(split)
    dense, lanes, count = null_space_dense, split.tree.lanes, split.masses.count
    found = form(spaces, dense.flat(force, count))
    acceleration = jnp.moveaxis(found.motion, -1, 0).reshape(count, 6, *lanes).swapaxes(0, 1)
    every: list[Any] = [jnp.zeros(lanes)] * split.constraints.bias.shape[0]
    for k, row in enumerate(split.cut):
        every[row] = found.rows[..., k]
    if found.forces is not None:
        for k, row in enumerate(held):
            every[row] = every[row] + found.forces[..., k]
        return _grounded(split.tree, acceleration), jnp.stack(every)
    lam = jnp.stack(every)
    v, w = split.masses.times(acceleration[:3], split.masses.turned(acceleration[3:]))
    return _grounded(split.tree, acceleration), lam + _recovered(split, force, v, w, lam)


def _spaces(split: Split):
    """What the dense forms need, and the numbers of the rows that are ever absorbed."""
    dense, tree = null_space_dense, split.tree
    bodies, lanes = tree.forest.bodies, tree.lanes

    def masks(values):
        return dense.lanes_first(jnp.stack([jnp.broadcast_to(jnp.asarray(a, float), lanes) for a in values]))

    v, w = split.basis
    turn = tree.turn[:, :, :, None]
    motions = jnp.concatenate([v, rotate_back(turn, w)]).swapaxes(0, 1)
    motions = jnp.moveaxis(motions.reshape(6 * bodies, *motions.shape[2:]), (0, 1), (-2, -1))
    free = [1.0] * v.shape[2] if split.columns.free is None else split.columns.free
    jacobian = dense.jacobian(split.constraints, bodies)
    held = [k for k, a in enumerate(split.locked.active) if np.ndim(a) or a]
    rows, value = jacobian[..., split.cut, :], jnp.zeros((*lanes, 0))
    if split.rows is not None:
        value = -dense.lanes_first(split.rows.bias)
    found = dense.Spaces(
        mass=dense.mass_matrix(split.inertias, lanes),
        motions=motions,
        free=masks(free) if len(free) else jnp.zeros((*lanes, 0)),
        forces=jnp.swapaxes(jacobian[..., held, :], -1, -2),
        held=masks([split.locked.active[k] for k in held]) if held else jnp.zeros((*lanes, 0)),
        rate=dense.flat(_whole(tree, *split.rate), bodies),
        rows=rows,
        value=value,
        kept=_independent(split),
    )
    return found, held


def _independent(split: Split):
    """1 for cut rows that hold now and are independent: (*lanes, row)."""
    if split.rows is None:
        return jnp.zeros((*split.tree.lanes, 0))
    kept = split.holding
    if split.tree.joints.loops and split.columns.body.size:
        matrix, rows = split.reduced_mass(), _over(split) * split.holding[:, None]
        lower = cholesky.factor(matrix)
        answers = cholesky.solve(matrix[:, :, None], lower[:, :, None], jnp.swapaxes(rows, 0, 1))
        kept = kept * _response(split, rows, answers)[1].independent
    return null_space_dense.lanes_first(kept)
