"""Elimination along the tree against the dense solution of the same equations by LAPACK, on drawn systems."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from engine_door import quickly
from interstage.formulations import by_lapack, elimination, tree_elimination
from interstage.formulations.contract import Constraints, Inertias
from interstage.formulations.tree_order import tree_order
from interstage.maths.arrays import jnp
from interstage.maths.dual import along
from mechanics import EPS


class System:
    """A drawn system: bodies with a mobility each, joints (parent, child, number of rows), ground last."""

    def __init__(self, seed: int, bodies: int, joints, ground: bool = False, lanes: int = 2, thin=()):
        rng = self.rng = np.random.default_rng(seed)
        self.bodies, self.ground, self.lanes = bodies + ground, bodies if ground else None, lanes
        self.inverse_mass = np.zeros((self.bodies, lanes))
        self.inverse_inertia = np.zeros((3, 3, self.bodies, lanes))
        self.inverse_mass[:bodies] = rng.uniform(0.1, 2.0, (bodies, lanes))
        root = rng.standard_normal((3, 3, bodies, lanes))
        # A direction without inertia, as that of a thin rod, has no mobility.
        root[:, 0, list(thin)] = 0.0
        self.inverse_inertia[:, :, :bodies] = np.einsum("ikbl,jkbl->ijbl", root, root)
        self.parent = np.array([a for a, _, rows in joints for _ in range(rows)], int)
        self.child = np.array([b for _, b, rows in joints for _ in range(rows)], int)
        self.joint = np.array([j for j, (_, _, rows) in enumerate(joints) for _ in range(rows)], int)
        self.on_a, self.on_b = rng.standard_normal((2, 6, len(self.joint), lanes))
        self.right = rng.standard_normal((len(self.joint), lanes))
        self.active: Any = None

    @property
    def order(self):
        return tree_order(self.parent, self.child, self.joint, self.ground)

    def shuffled(self):
        """The same system with its rows in another order."""
        order = self.rng.permutation(len(self.joint))
        for name in ("parent", "child", "joint", "right"):
            setattr(self, name, getattr(self, name)[order])
        self.on_a, self.on_b = self.on_a[:, order], self.on_b[:, order]
        return self

    def constraints(self, on_a, on_b) -> Constraints:
        return Constraints(self.parent, self.child, on_a, on_b, jnp.zeros_like(on_a[0]), self.active)

    def solution(self, ranked: bool = False, compiled: bool = False) -> Any:
        """Multipliers (row, lane) by the elimination under test, by NumPy or compiled."""

        def program(mass, inertia, on_a, on_b, right):
            inertias, constraints = Inertias(mass, inertia), self.constraints(on_a, on_b)
            found = tree_elimination.factor(self.order, inertias, constraints, ranked)
            return tree_elimination.solve(self.order, found, right)

        right = self.right if self.active is None else self.right * self.active
        numbers = self.inverse_mass, self.inverse_inertia, self.on_a, self.on_b, right
        with np.errstate(all="ignore"):
            return np.asarray((quickly(program) if compiled else program)(*numbers))

    def matrices(self, lane: int) -> Any:
        """A (row, 6 bodies) and M^-1 of one lane."""
        a = np.zeros((len(self.joint), self.bodies, 6))
        rows = np.arange(len(self.joint))
        np.add.at(a, (rows, self.parent), self.on_a[:, :, lane].T)
        np.add.at(a, (rows, self.child), self.on_b[:, :, lane].T)
        mobility = np.zeros((self.bodies, 6, self.bodies, 6))
        for k in range(self.bodies):
            mobility[k, :3, k, :3] = self.inverse_mass[k, lane] * np.eye(3)
            mobility[k, 3:, k, 3:] = self.inverse_inertia[:, :, k, lane]
        size = 6 * self.bodies
        return a.reshape(len(a), size), mobility.reshape(size, size)

    def assert_solved(self, found, ranked: bool = False) -> None:
        """Compare multipliers, or with dependent rows the motion, with LAPACK's, to rounding times the
        condition of the rows scaled to one (with which Cholesky's elimination errs)."""
        for lane in range(self.lanes):
            a, mobility = self.matrices(lane)
            held = np.arange(len(a)) if self.active is None else np.flatnonzero(self.active[:, lane])
            assert not np.delete(found[:, lane], held).any()
            if not len(held):
                continue
            matrix = (a @ mobility @ a.T)[np.ix_(held, held)]
            scale = 1 / np.sqrt(np.diag(matrix))
            values, vectors = np.linalg.eigh(matrix * scale[:, None] * scale[None])
            kept = values > 1e-10 if ranked else values > -np.inf
            inverse = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
            expected = scale * (inverse @ (scale * self.right[held, lane]))
            bound = 4 * len(held) * EPS * values.max() / values[kept].min()
            ours = found[held, lane]
            if ranked:
                ours, expected = (mobility @ a[held].T @ lam for lam in (ours, expected))
            np.testing.assert_allclose(ours, expected, rtol=0, atol=bound * np.abs(expected).max())


def drawn_tree(seed: int, bodies: int, rows=(1, 6), reach: int = 4):
    """Each body joined to an earlier one, either way round."""
    rng = np.random.default_rng(seed)
    joints = []
    for k in range(1, bodies):
        ends = int(rng.integers(max(0, k - reach), k)), k
        joints.append((*ends[:: rng.choice([1, -1])], int(rng.integers(rows[0], rows[1] + 1))))
    return joints


# --- the order ----------------------------------------------------------------------------------------------


def test_order_of_a_chain_is_the_chain():
    """Nothing has to be gathered: slices serve."""
    system = System(1, 5, [(k - 1, k, 3) for k in range(1, 5)])
    order = system.order
    assert order.far.tolist() == [0, 1, 2, 3]
    assert order.near.tolist() == [1, 2, 3, 4]
    assert order.rows.ravel().tolist() == list(range(12))
    assert not order.flipped.any()
    assert not len(order.cut)


@pytest.mark.parametrize("seed", range(4))
def test_order_passes_leaves_first(seed):
    """From the last edge to the first, an edge's near body has no edge left but this one."""
    order = System(seed, 30, drawn_tree(seed, 30)).order
    for e, body in enumerate(order.near):
        assert body not in order.near[e + 1 :]
        assert body not in order.far[: e + 1]
    assert sorted([*order.near, 0]) == list(range(30))


def test_cut_joints_have_the_fewest_rows_and_ground_closes_no_loop():
    joints = [(3, 0, 5), (0, 1, 5), (1, 2, 2), (2, 3, 5), (0, 2, 3)]
    order = System(1, 3, joints, ground=True).order
    assert order.cut.tolist() == [10, 11]
    assert (order.near == 3).sum() == 2
    assert sorted(order.rows[order.rows >= 0]) == [k for k in range(20) if k not in (10, 11)]


def test_joints_between_the_same_bodies():
    """They are one edge up to six rows, and cut beyond."""
    rods = System(1, 2, [(0, 1, 1), (1, 0, 1), (0, 1, 1)]).order
    assert rods.rows.tolist() == [[0, 1, 2]]
    assert rods.flipped.tolist() == [[False, True, False]]
    twice = System(1, 2, [(0, 1, 6), (0, 1, 5)]).order
    assert twice.cut.tolist() == [6, 7, 8, 9, 10]


def test_a_deep_chain_is_ordered_in_time():
    """No recursion, and nothing that grows with the square of the number of bodies."""
    bodies = 20_000
    parent = np.arange(bodies - 1)
    order = tree_order(parent[::-1], parent[::-1] + 1, np.arange(bodies - 1), None)
    assert order.near.tolist() == list(range(1, bodies))


# --- the elimination ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ground", [False, True])
@pytest.mark.parametrize("bodies", [2, 5, 12])
def test_drawn_trees(bodies, ground):
    joints = drawn_tree(bodies, bodies) + ([(bodies, 0, 4)] if ground else [])
    system = System(bodies + ground, bodies, joints, ground).shuffled()
    system.assert_solved(system.solution())


@pytest.mark.parametrize("joints", [[(0, 1, 3)], [(0, 1, 3), (2, 3, 6)]], ids=["pair", "pairs"])
def test_forests_with_bodies_apart(joints):
    system = System(3, 5, joints)
    system.assert_solved(system.solution())


@pytest.mark.parametrize("kind", ["chain", "binary tree", "star"])
def test_many_bodies(kind):
    """Within rounding and conditioning also where these grow with the number of bodies."""
    above = {"chain": lambda k: k - 1, "binary tree": lambda k: (k - 1) // 2, "star": lambda k: 0}[kind]
    system = System(5, 120, [(above(k), k, 3) for k in range(1, 120)], lanes=1)
    system.assert_solved(system.solution())


@pytest.mark.parametrize("seed", range(3))
def test_loops_with_independent_rows(seed):
    """Cut joints, two joints between the same bodies, and a body held to ground twice."""
    joints = [*drawn_tree(seed, 8, (2, 4)), (0, 5, 2), (3, 7, 1), (1, 2, 4), (8, 0, 2), (6, 8, 3)]
    system = System(20 + seed, 8, joints, ground=True).shuffled()
    assert len(system.order.cut)
    system.assert_solved(system.solution())
    system.assert_solved(system.solution(ranked=True))


def repeated(system: System, rows, others) -> System:
    """Rows made combinations of others over the same bodies, with right-hand sides to match."""
    for row, other in zip(rows, others, strict=True):
        same = system.parent[other] == system.parent[row]
        near, far = (system.on_a, system.on_b) if same else (system.on_b, system.on_a)
        system.on_a[:, row], system.on_b[:, row] = -2.5 * near[:, other], -2.5 * far[:, other]
    lam = system.rng.standard_normal((len(system.joint), system.lanes))
    for lane in range(system.lanes):
        a, mobility = system.matrices(lane)
        system.right[:, lane] = a @ mobility @ a.T @ lam[:, lane]
    return system


@pytest.mark.parametrize("which", ["cut", "tree"])
def test_rows_that_repeat_others_are_left_out(which):
    """Rows of a cut joint that repeat those of the tree, and rows of one edge that repeat each other."""
    if which == "cut":
        system = repeated(System(7, 4, [*drawn_tree(7, 4, (3, 3)), (0, 3, 6), (3, 0, 3)]), [15, 16], [9, 10])
        assert 15 in system.order.cut
        assert 9 not in system.order.cut
    else:
        system = repeated(System(8, 4, [(0, 1, 4), (1, 2, 5), (2, 3, 3)]), [5, 8], [4, 6])
    system.assert_solved(system.solution(ranked=True, compiled=True), ranked=True)


@pytest.mark.parametrize("which", ["cut", "tree"])
def test_which_rows_repeat_others_is_decided_in_each_lane(which):
    """None in the first, one in the second, two in the third: side by side as each lane by itself."""
    if which == "cut":
        joints, rows, others = [*drawn_tree(7, 4, (3, 3)), (0, 3, 6), (3, 0, 3)], [15, 16], [9, 10]
    else:
        joints, rows, others = [(0, 1, 4), (1, 2, 5), (2, 3, 3)], [5, 8], [4, 6]
    system = System(7, 4, joints, lanes=3)
    drawn = system.on_a.copy(), system.on_b.copy()
    repeated(system, rows, others)
    for lane, back in enumerate((rows, rows[:1])):
        for on, before in zip((system.on_a, system.on_b), drawn, strict=True):
            on[:, back, lane] = before[:, back, lane]
    repeated(system, [], [])
    whole = elimination_of(system, slice(None))
    np.testing.assert_array_equal(np.sum(whole.kept == 0, 0), [0, 1, 2])
    system.assert_solved(whole.multipliers(system.right), ranked=True)
    for lane in range(3):
        alone = elimination_of(system, slice(lane, lane + 1))
        np.testing.assert_array_equal(whole.kept[:, lane], alone.kept[:, 0])


def elimination_of(system: System, lanes: slice) -> Any:
    """The rows of some lanes as prepared by NumPy."""
    masses: list[Any] = [part[..., lanes] for part in (system.inverse_mass, system.inverse_inertia)]
    rows = system.constraints(system.on_a[..., lanes], system.on_b[..., lanes])
    with np.errstate(all="ignore"):
        return elimination.prepare(Inertias(*masses), rows._replace(order=system.order), loops=True)


@pytest.mark.parametrize("few", [by_lapack.MOST_ROWS, 0], ids=["LAPACK", "tree"])
@pytest.mark.parametrize("loops", [False, True])
def test_derivatives_along_many_directions(monkeypatch, few, loops):
    """Of multipliers, as rows and right-hand sides change: K dx = dr - dK x by LAPACK, of each lane."""
    monkeypatch.setattr(by_lapack, "MOST_ROWS", few)
    joints = drawn_tree(12, 6, (2, 4)) + ([(0, 4, 2)] if loops else [])
    system, count = System(12, 6, joints, lanes=3), 4
    d_rows, d_right = (system.rng.standard_normal((*of.shape, count)) for of in (system.on_b, system.right))

    def program(on_b, right):
        rows = system.constraints(system.on_a, on_b)._replace(order=system.order)
        masses: list[Any] = [system.inverse_mass, system.inverse_inertia]
        return elimination.prepare(Inertias(*masses), rows, loops=False).multipliers(right)

    found, changes = along(program, [system.on_b, system.right], [d_rows, d_right], count)
    system.assert_solved(found)
    rows = system.on_b
    for lane in range(3):
        a, mobility = system.matrices(lane)
        matrix = a @ mobility @ a.T
        for k in range(count):
            # Of rows as they change: A is linear in them.
            system.on_b = rows + d_rows[..., k]
            by = system.matrices(lane)[0] - a
            system.on_b = rows
            change = by @ mobility @ a.T
            left = d_right[:, lane, k] - (change + change.T) @ found[:, lane]
            truth = np.linalg.solve(matrix, left)
            # Either way errs by the condition of the rows, in the solution and once more in its change.
            bound = 4 * len(a) * EPS * np.linalg.cond(matrix) * np.linalg.norm(left, np.inf)
            bound *= np.linalg.norm(np.linalg.inv(matrix), np.inf)
            np.testing.assert_allclose(changes[:, lane, k], truth, rtol=0, atol=bound)


@pytest.mark.parametrize("off", [(), (6,)])
def test_rows_that_take_part_are_those_of_loads_that_move_nothing(off):
    """The ones that are repeated, too, and not only those that are left out: by the null space of A M^-1 A^T.
    With a row of a repetition switched off the other one takes part in none."""
    system = repeated(System(8, 4, [(0, 1, 4), (1, 2, 5), (2, 3, 3)]), [5, 8], [4, 6])
    system.active = np.ones(system.right.shape)
    system.active[list(off)] = 0.0
    both: Any = system.inverse_mass, system.inverse_inertia
    inertias = Inertias(*both)
    rows = system.constraints(system.on_a, system.on_b)
    found: Any = elimination.holding(inertias, rows._replace(order=system.order))
    for lane in range(system.lanes):
        a, mobility = system.matrices(lane)
        held = np.flatnonzero(system.active[:, lane])
        matrix = (a @ mobility @ a.T)[np.ix_(held, held)]
        values, vectors = np.linalg.eigh(matrix / np.sqrt(np.outer(np.diag(matrix), np.diag(matrix))))
        expected = held[np.abs(vectors[:, values < 1e-10]).max(axis=1) > 1e-6]
        assert set(expected) == ({4, 5} if off else {4, 5, 6, 8})
        np.testing.assert_array_equal(np.flatnonzero(np.asarray(found.part)[:, lane] > 1e-6), expected)


def test_rows_that_repeat_others_are_told_where_no_joints_form_loops():
    system = repeated(System(8, 4, [(0, 1, 4), (1, 2, 5), (2, 3, 3)]), [5], [4])
    assert np.isnan(system.solution()).any(0).all()


@pytest.mark.parametrize("loops", [False, True])
def test_rows_switched_off(loops):
    """Any rows, other ones in each lane: single ones, whole joints, all of them."""
    joints = drawn_tree(9, 9) + ([(0, 8, 3), (2, 6, 2)] if loops else [])
    system = System(9, 9, joints, lanes=6)
    system.active = system.rng.integers(0, 2, system.right.shape).astype(float)
    system.active[:, 1] = np.isin(system.joint, [0, 3, 5, 8])
    system.active[:, 2], system.active[:, 3] = 0.0, 1.0
    # The tree's joint lets go while the one that closes the loop holds on.
    system.active[:, 4] = ~np.isin(system.joint, [7])
    system.assert_solved(system.solution())


def test_directions_without_inertia():
    """Thin rods, one of them on the ground; a row may find no mobility on its leaf side at all."""
    system = System(
        10, 5, [(0, 1, 3), (1, 2, 5), (2, 3, 2), (1, 4, 4), (5, 0, 3)], ground=True, thin=(1, 2, 3)
    )
    for lane in range(2):
        axis = np.linalg.svd(system.inverse_inertia[:, :, 2, lane])[2][2]
        system.on_b[:3, 3, lane], system.on_b[3:, 3, lane] = 0.0, axis
    system.assert_solved(system.solution())


def test_lanes_may_be_missing():
    """One case without a lane axis, and bodies whose lanes are shared by all."""
    system = System(11, 6, drawn_tree(11, 6), lanes=1)
    order = system.order

    @quickly
    def program(mass, inertia, on_a, on_b, right):
        found = tree_elimination.factor(order, Inertias(mass, inertia), system.constraints(on_a, on_b), False)
        return tree_elimination.solve(order, found, right)

    alone = program(
        *(
            a[..., 0]
            for a in (system.inverse_mass, system.inverse_inertia, system.on_a, system.on_b, system.right)
        )
    )
    system.assert_solved(np.asarray(alone)[:, None])
    wide = [np.repeat(a, 3, -1) for a in (system.on_a, system.on_b, system.right)]
    shared = np.asarray(program(system.inverse_mass, system.inverse_inertia, *wide))
    np.testing.assert_allclose(shared, np.repeat(np.asarray(alone)[:, None], 3, 1), rtol=1e3 * EPS)


def test_it_fits_one_kernel():
    """No library, no scatter: the flight program holds it (docs/decisions/0002-one-kernel.md)."""
    from interstage.programs.compiled import FOR_ALL, as_one_kernel

    system = System(12, 6, [*drawn_tree(12, 6), (0, 5, 2)], lanes=1)
    order = system.order

    def program(mass, inertia, on_a, on_b, right):
        found = tree_elimination.factor(order, Inertias(mass, inertia), system.constraints(on_a, on_b), True)
        return tree_elimination.solve(order, found, right)

    numbers = system.inverse_mass, system.inverse_inertia, system.on_a, system.on_b, system.right
    found = jax.jit(as_one_kernel(program), compiler_options=FOR_ALL)(*numbers)
    system.assert_solved(np.asarray(found))
