"""Null space of the constraint Jacobian: Thompson (AIAA 2011-6277), eqs 9-21.

With q' = H2 q2' and A H2 = 0, the constraint forces vanish from H2^T M H2 q2'' = H2^T (f - M h). Here h is
any acceleration that satisfies the rows, A h = -gamma. Examples are the velocity term H2dot q2' of the paper,
and -H1 gamma with A H1 = 1. Both choices of h give the same q'' = H2 q2'' + h. The second choice is also
valid with constraint violations, stabilization and driven axes.

The multipliers are lam = H1^T (M q'' - f) (eq 19; lam has the opposite sign in the paper). Branches of the
tree do not absorb the rows of closed loops, of rods and of nonholonomic joints. These rows keep multipliers
in the reduced equations.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jnp
from ..maths.vectors import product, rotate, rotate_back, transpose
from . import cholesky, elimination, null_space_dense, rods
from .contract import Constraints, Inertias, Joints
from .joint_motion import Locked, Tree, cut_rows, parent_axes_of_rows
from .reduced_mass import ReducedMass
from .spanning import Forest, forest


class Reduced(NamedTuple):
    """Solution of the reduced equations.

    - second: q2'' (column, *cases).
    - acceleration (6, body, *cases): accelerations with the ground.
    - multipliers (row, *cases): multipliers of all rows.
    """

    second: Any
    acceleration: Any
    multipliers: Any


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Return the accelerations (6, body, *cases) and multipliers (row, *cases); see
    `contract.Formulation`.
    """
    if choice.road == "numerical":
        return null_space_dense.numerical(choice.form, inertias, force, constraints)
    tree = Tree(forest_of(joints, inertias), joints, parent_axes_of_rows(joints, constraints))
    split = Split(tree, inertias, constraints)
    if choice.form != "reduced":
        return _implicit(null_space_dense.FORMS[choice.form], split, force)
    found = reduce_equations(split, force)
    return found.acceleration, found.multipliers


def forest_of(joints: Joints, inertias: Inertias, fixed_only: bool = False) -> Forest:
    """Return the spanning forest of the bodies with the joints that carry them.

    fixed_only: use only joints without free directions.
    """
    assert inertias.mass is not None
    table = joints.table
    bodies = inertias.mass.shape[0]
    return forest(table.parent, table.child, joints.modes, joints.reachable, bodies, fixed_only)


class Split:
    """Free and locked directions of a tree, and the rows with multipliers (cut rows).

    - columns: free directions.
    - locked: locked directions (H1).
    - rate: acceleration h as (v, w), each (3, body, *cases), inertial axes.
    - cut: indices of the cut rows (constant).
    - rows: the cut rows, or None.
    """

    def __init__(self, tree: Tree, inertias: Inertias, constraints: Constraints, rate=None):
        """Split the directions of the tree. rate: acceleration h as (v, w). None: -H1 gamma."""
        self.tree, self.inertias, self.constraints = tree, inertias, constraints
        self.locked = Locked(tree, constraints)
        self.columns = tree.columns()
        self.rate = self.locked.motion(-constraints.bias) if rate is None else rate
        self.masses = Masses(tree, inertias)
        self.cut = cut_rows(tree.forest, tree.joints.table, tree.joints.reachable)
        self.rows = _cut_rows(constraints, self.locked, self.cut) if self.cut.size else None
        self.holding: Any = None if self.rows is None else self.rows.active

    def reduced_mass(self) -> ReducedMass:
        """Return the reduced mass matrix H2^T M H2 in factored form."""
        return ReducedMass(self.tree, self.columns, self.masses.mass, self.masses.inertia, self.masses.rods)


def reduce_equations(split: Split, force) -> Reduced:
    """Return the solution of the reduced equations (eq 15) and the multipliers (eq 19).

    force: generalized forces (6, body, *cases).
    """
    inertial = split.masses.inertial(force)
    own = jnp.concatenate(split.masses.times(*split.rate))
    second, moved, lam = _with_cut_rows(split, inertial - own)
    v, w = split.rate[0] + moved[:3], split.rate[1] + moved[3:]
    lam = lam + _recover(split, force, *split.masses.times(v, w), lam)
    return Reduced(second, _whole(split.tree, v, w), lam)


def _recover(split: Split, force, left_v, left_w, lam):
    """Multipliers of the absorbed rows, H1^T (M u - f - A^T lam) (eq 19). left_v, left_w: M u. lam:
    multipliers of the cut rows."""
    whole = elimination.row_forces(split.constraints, lam, force.shape[1]) + force
    left = jnp.concatenate([left_v, left_w]) - split.masses.inertial(whole)
    return split.locked.multipliers(left[:3], left[3:])


class Masses:
    """Mass matrix M of the bodies, from masses [kg] and inertia tensors [kg m^2] in inertial axes."""

    def __init__(self, tree: Tree, inertias: Inertias):
        assert inertias.mass is not None
        assert inertias.inertia is not None
        self.tree, self.count, self.turn = tree, tree.forest.bodies, tree.turn
        self.mass = inertias.mass
        self.inertia = product(product(self.turn, inertias.inertia), transpose(self.turn))
        self.carrying = rods.rotate_directions(inertias, self.turn)

    @property
    def rods(self):
        """Return the contribution of rods to M for each body (body, 6, 6, *cases); None without rods."""
        return None if self.carrying.rods is None else rods.blocks(self.carrying, self.count)

    def inertial(self, force):
        """Return generalized forces (6, body, *cases) with torques in inertial axes, without the ground."""
        force = force[:, : self.count]
        return jnp.concatenate([force[:3], rotate(self.turn, force[3:])])

    def times(self, v, w):
        """Return M u for accelerations (3, body, *cases), or for columns of accelerations (3, body, column,
        *cases)."""
        extra = (1,) * (v.ndim - 1 - self.mass.ndim)
        mass = self.mass.reshape(self.mass.shape[:1] + extra + self.mass.shape[1:])
        shape = self.inertia.shape
        moved = mass * v, rotate(self.inertia.reshape(shape[:3] + extra + shape[3:]), w)
        if self.carrying.rods is None:
            return moved
        more = rods.momenta(self.carrying, jnp.concatenate([v, w]))
        return moved[0] + more[:3], moved[1] + more[3:]


def _with_cut_rows(split: Split, force):
    """q2'', accelerations H2 q2'' (6, body, *cases), inertial axes, and the multipliers (row, *cases) of the
    cut rows. The multipliers are computed first, from the response of the reduced system to them."""
    lam = jnp.zeros_like(split.constraints.bias)
    if split.rows is None:
        second, moved = split.reduced_mass().answers(force[:, :, None])
        return second[:, 0], moved[:, :, 0], lam
    rows = _rows_at_bodies(split)
    # One case for each cut row, and one for the loads.
    cases = jnp.concatenate([rows, force[:, :, None]], 2)
    second, moved = split.reduced_mass().answers(cases)
    response, factor = _response(split, rows, moved[:, :, :-1])
    wanted = -(split.rows.bias + elimination.row_rates(split.rows, _whole(split.tree, *split.rate)))
    right = wanted * split.holding - jnp.sum(rows * moved[:, :, -1:], (0, 1))
    found = cholesky.solve(response, factor, right)
    every = [lam[0]] * lam.shape[0]
    for k, value in zip(split.cut, found, strict=True):
        every[k] = value
    weights = jnp.concatenate([found, jnp.ones_like(found[:1])])
    return jnp.sum(second * weights, 1), jnp.sum(moved * weights, 2), jnp.stack(every)


def _response(split: Split, rows, answers) -> tuple[Any, Any]:
    """Response of the cut rows (6, body, row, *cases) to each other, and its factor. answers: accelerations
    (6, body, row, *cases) for a unit multiplier of each row."""
    assert split.rows is not None
    idle = 1 - split.holding
    response = jnp.sum(rows[:, :, :, None] * answers[:, :, None], (0, 1)) + _diagonal(idle)
    if not split.tree.joints.loops:
        return response, cholesky.factor(response)
    return response, cholesky.factor_ranked(response, _size(split.inertias, split.rows) * (1 - idle) + idle)


def _diagonal(values):
    """A diagonal matrix (item, item, *cases)."""
    count = values.shape[0]
    return jnp.eye(count).reshape((count, count) + (1,) * (values.ndim - 1)) * values[None]


# --- cut rows


def _cut_rows(constraints: Constraints, locked: Locked, cut) -> Constraints:
    """The rows that need multipliers in some mode, with their present activity."""
    lanes = constraints.bias.shape[1:]
    whole = jnp.ones((len(cut), *lanes)) if constraints.active is None else constraints.active[cut]
    absorbed = jnp.stack([jnp.broadcast_to(jnp.asarray(locked.active[k]), lanes) for k in cut])
    ends = constraints.parent[cut], constraints.child[cut]
    jacobian = constraints.on_a[:, cut], constraints.on_b[:, cut]
    return Constraints(*ends, *jacobian, constraints.bias[cut], whole * (1 - absorbed))


def _rows_at_bodies(split: Split):
    """Active cut rows, (6, body, row, *cases), angular components in inertial axes."""
    assert split.rows is not None
    total: Any = 0.0
    bodies = split.tree.forest.bodies
    for on, body in ((split.rows.on_a, split.rows.parent), (split.rows.on_b, split.rows.child)):
        turned = rotate(split.tree.turn[:, :, np.minimum(body, bodies - 1)], on[3:])
        here = (body[None] == np.arange(bodies)[:, None]).astype(float)
        whole = jnp.concatenate([on[:3], turned]) * split.holding
        total = total + whole[:, None] * here.reshape(here.shape + (1,) * len(split.tree.lanes))
    return total


def _size(inertias: Inertias, rows: Constraints):
    """The diagonal of A M^-1 A^T for bodies without other constraints. Its remainder on the reduced equations
    shows whether a row is independent of them."""
    found: Any = 0.0
    for on, body in ((rows.on_a, rows.parent), (rows.on_b, rows.child)):
        found = found + jnp.sum(on * rods.times_inverse(inertias, body, on), 0)
    return found


def _whole(tree: Tree, v, w):
    """Motions (6, body, *cases) in the form for the rows, from (v, w) of the bodies in inertial axes: angular
    components in body axes, and the ground at rest."""
    return _with_ground(tree, jnp.concatenate([v, rotate_back(tree.turn, w)]))


def _spinning(tree: Tree, spin):
    """Angular velocities of the bodies, converted from body axes to inertial axes."""
    return rotate(tree.joints.motion.rotation[:, :, : tree.forest.bodies], spin)


def _with_ground(tree: Tree, motion):
    """Motions of the bodies (6, body, *cases), followed by the ground at rest if there is one."""
    still = tree.joints.motion.position.shape[1] - tree.forest.bodies
    return jnp.pad(motion, [(0, 0), (0, still)] + [(0, 0)] * len(tree.lanes))


# --- implicit forms


def _implicit(form, split: Split, force):
    """Accelerations and multipliers by one of the dense forms."""
    spaces, held = _spaces(split)
    dense, lanes, count = null_space_dense, split.tree.lanes, split.masses.count
    found = dense.each_lane(form, lanes)(spaces, dense.flat(force, count))
    acceleration = jnp.moveaxis(found.motion, -1, 0).reshape(count, 6, *lanes).swapaxes(0, 1)
    every: list[Any] = [jnp.zeros(lanes)] * split.constraints.bias.shape[0]
    for k, row in enumerate(split.cut):
        every[row] = found.rows[..., k]
    if found.forces is not None:
        for k, row in enumerate(held):
            every[row] = every[row] + found.forces[..., k]
        return _with_ground(split.tree, acceleration), jnp.stack(every)
    lam = jnp.stack(every)
    v, w = split.masses.times(acceleration[:3], _spinning(split.tree, acceleration[3:]))
    return _with_ground(split.tree, acceleration), lam + _recover(split, force, v, w, lam)


def _spaces(split: Split):
    """Matrices for the dense forms, and the indices of the rows that are absorbed in some mode."""
    dense, tree = null_space_dense, split.tree
    bodies, lanes = tree.forest.bodies, tree.lanes

    def masks(values):
        return dense.lanes_first(jnp.stack([jnp.broadcast_to(jnp.asarray(a, float), lanes) for a in values]))

    v, w = tree.basis(split.columns)
    motions = jnp.concatenate([v, rotate_back(tree.turn[:, :, :, None], w)]).swapaxes(0, 1)
    motions = jnp.moveaxis(motions.reshape(6 * bodies, *motions.shape[2:]), (0, 1), (-2, -1))
    free = [1.0] * v.shape[2] if split.columns.free is None else split.columns.free
    jacobian = dense.jacobian(split.constraints, bodies)
    # Rows that are never absorbed have a number here, not an array.
    held = [k for k, a in enumerate(split.locked.active) if not (isinstance(a, float) and a == 0)]
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
    """1 for cut rows that are active and independent: (*cases, row)."""
    if split.rows is None:
        return jnp.zeros((*split.tree.lanes, 0))
    kept = split.holding
    if split.tree.joints.loops:
        rows = _rows_at_bodies(split)
        kept = kept * _response(split, rows, split.reduced_mass().answers(rows)[1])[1].independent
    return null_space_dense.lanes_first(kept)
