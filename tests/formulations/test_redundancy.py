"""Attachments that are redundant: the motion is that of one of them, the loads follow the declared
rule, and what cannot be is refused by name."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.formulations import cholesky, lu, sharing
from interstage.model import formulation as forms
from interstage.programs.program import configure
from interstage.runs.run import fly
from sharing_oracle import shared_exactly

configure()
EPS = np.finfo(float).eps
FOOT = 0.3048
TOP, BOTTOM = np.array([2.0, 0.1, 1.0]), np.array([2.0, -0.2, -0.8])
CHILD = np.array([3.0, 0.0, 0.0])
"""The child's centre of mass in the parent's axes."""
GIVEN = {
    "top": {"stiffness": [2e7, 1e7, 3e6], "torsional_stiffness": [4e5, 1e5, 2e5]},
    "bottom": {"stiffness": [5e6, 1e7, 1e7], "torsional_stiffness": [1e5, 3e5, 6e5]},
}


def stack(kinds, options: Any = None, **solver) -> ist.Scenario:
    """Two bodies held by a joint of each kind, spinning, pushed for 0.2 s."""
    points = {"top": TOP, "bottom": BOTTOM}
    options = options or {}
    joints = tuple(
        ist.Joint(
            name=n, kind=kind, parent="a", child="b", parent_at=points[n], child_at=points[n] - CHILD,
            **options.get(n, {}),
        )
        for n, kind in kinds.items()
    )  # fmt: skip
    start = ist.State(velocity=[10, 0, 0], angular_velocity=[0.3, 0.2, -0.4])
    return ist.Scenario(
        bodies=(
            ist.Body(name="a", mass=1200, inertia=[400, 3000, 2900], initial=start),
            ist.Body(name="b", mass=300, inertia=[60, 500, 520]),
        ),
        joints=joints,
        forces=(ist.Force(name="push", body="a", force=[5e4, 1e3, -2e3], at=[-2, 0.1, 0], axes="body"),),
        phases=(ist.Phase(name="push", until=ist.Trigger(time=0.2)),),
        solver=ist.Solver(**solver),
    )


def loads(record, joint):
    return [record.series[f"joints.{joint}.{which}"][-1] for which in ("force", "torque")]


def elastic(total_force, total_torque, stiffness, torsional):
    """Loads of two attachments by hand: a rigid motion (d, turn) of the child stretches both, each answers
    with k (d + turn x arm) and kt turn, and together they make the wrench about the point `TOP`."""
    arms = [np.zeros(3), BOTTOM - TOP]
    matrix = np.zeros((6, 6))
    for arm, k, kt in zip(arms, stiffness, torsional, strict=True):
        cross = np.cross(np.eye(3), arm)  # rows e_i x arm, so that turn x arm = turn @ cross
        reach = np.hstack([np.eye(3), cross.T])
        matrix += reach.T @ np.diag(k) @ reach
        matrix[3:, 3:] += np.diag(kt)
    motion = np.linalg.solve(matrix, np.concatenate([total_force, total_torque]))
    return [
        (k * (motion[:3] + np.cross(motion[3:], arm)), kt * motion[3:])
        for arm, k, kt in zip(arms, stiffness, torsional, strict=True)
    ]


@pytest.fixture(scope="module")
def single():
    return fly(stack({"top": "fixed"}))


@pytest.mark.parametrize(
    ("options", "solver"),
    [({}, {}), ({}, {"sharing_length": 0.4}), pytest.param(GIVEN, {}, marks=pytest.mark.long)],
    ids=["equal", "length", "given"],
)
def test_two_fixed_attachments_move_as_one_and_share_its_load(single, options, solver):
    record = fly(stack({"top": "fixed", "bottom": "fixed"}, options, **solver))
    for path in ("position", "velocity", "attitude", "angular_velocity"):
        # Both fly to a tolerance of 1e-9 in the very same equations: only rounding differs.
        found, wanted = (r.series[f"bodies.b.{path}"][-1] for r in (record, single))
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-10)
    length = solver.get("sharing_length", 1.0)
    stiffness = [options.get(n, {}).get("stiffness", np.ones(3)) for n in ("top", "bottom")]
    torsional = [
        options.get(n, {}).get("torsional_stiffness", np.full(3, length**2)) for n in ("top", "bottom")
    ]
    force, torque = loads(single, "top")
    wanted = elastic(force, torque, np.array(stiffness), np.array(torsional))
    size = float(np.linalg.norm(force))
    for joint, (force, torque) in zip(("top", "bottom"), wanted, strict=True):
        found = loads(record, joint)
        # The total is that of another flight, to its tolerance; stiffness ratios reach 1e2.
        np.testing.assert_allclose(found[0], force, rtol=0, atol=1e-8 * size)
        np.testing.assert_allclose(found[1], torque, rtol=0, atol=1e-8 * size)
    said = (
        "the stiffnesses of the joints"
        if options
        else f"equal stiffness (torques are weighted by sharing_length = {length:g} m)"
    )
    assert said in record.warnings[0]
    assert "top (force x, y, z, torque x, y, z)" in record.warnings[0]
    assert "distributed by stiffness" in record.meta["joints.top.force"].note
    assert not single.warnings


@pytest.mark.long
def test_only_the_repeated_loads_are_marked_and_shared(single):
    """A ball joint beside a fixed one repeats three of its axes; beside an axis that holds a turn, none."""
    record = fly(stack({"top": "spherical", "bottom": "generalized"}, {"bottom": {"locked": ("ty",)}}))
    assert not record.warnings
    record = fly(stack({"top": "fixed", "bottom": "spherical"}))
    assert "3 of 9 constraints" in record.warnings[0]
    total = sum(loads(record, joint)[0] for joint in ("top", "bottom"))
    np.testing.assert_allclose(total, loads(single, "top")[0], rtol=1e-9, atol=1e-5)


@pytest.mark.long
def test_sharing_does_not_depend_on_the_unit_of_length():
    """Rows and stiffnesses of the same attachments in feet: forces scale, torques scale with the foot."""
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((12, 6))
    stiffness = rng.uniform(0.1, 10, 12)
    force = np.arange(12) < 6
    lam = rng.standard_normal(12)
    feet = np.where(
        force, 1.0, FOOT
    )  # a torque row in feet: lam [ft lbf] = lam [N m] / FOOT, rows times FOOT
    found = sharing.share_loads(jnp.asarray(rows @ rows.T), jnp.asarray(stiffness), jnp.asarray(lam))
    scaled = rows * feet[:, None]
    other = sharing.share_loads(
        jnp.asarray(scaled @ scaled.T), jnp.asarray(stiffness / feet**2), jnp.asarray(lam / feet)
    )
    np.testing.assert_allclose(np.asarray(other) * feet, found, atol=1e3 * EPS)
    # The same sum, and the least strain energy: at right angles, in compliance, to all that adds to nothing.
    np.testing.assert_allclose(rows.T @ found, rows.T @ lam, atol=1e3 * EPS)
    nothing = np.linalg.svd(rows.T)[2][6:]
    np.testing.assert_allclose(nothing @ (found / stiffness), 0, atol=1e3 * EPS)


SIZES = (1.0, 1e-6, 1e16)
"""Stiffnesses [N/m] that the others are multiples of."""
SHARED = jax.jit(sharing.share_loads)


@pytest.mark.parametrize("spread", [0, 16, 22])
def test_sharing_depends_on_ratios_of_stiffnesses_only(spread):
    """Eight rows that hold four motions, and two that share nothing, by exact arithmetic; stiffnesses over so
    many powers of ten, in each lane of another size. As first built: 1e-6 and 6e-4 of the largest load."""
    rng = np.random.default_rng(spread)
    for _ in range(20):
        rows = np.zeros((10, 6))
        rows[0, 4], rows[1, 5] = 1, 2
        rows[2:6, :4] = np.linalg.qr(rng.standard_normal((4, 4)))[0]
        rows[6:, :4] = rng.integers(1, 3, (4, 4)) * rng.choice([-1, 1], (4, 4))
        stiffness, lam = 10 ** rng.uniform(-spread / 2, spread / 2, 10), rng.standard_normal(10)
        matrix, loads = (rows @ rows.T)[..., None] * np.ones(3), lam[:, None] * np.ones(3)
        found = np.asarray(SHARED(matrix, np.outer(stiffness, SIZES), loads))
        # Rows are taken down to pivots of NEAR, which leaves rounding of DEPENDENT = EPS/NEAR.
        np.testing.assert_allclose(
            found,
            np.repeat(shared_exactly(rows, stiffness, lam)[:, None], 3, 1),
            rtol=0,
            atol=cholesky.DEPENDENT * np.abs(lam).max(),
        )
        np.testing.assert_allclose(found[:2], np.repeat(lam[:2, None], 3, 1), rtol=2 * EPS)


@pytest.mark.parametrize(("spread", "sure"), [(0, True), (3, True), (8, False)])
def test_many_rows_are_shared_as_few_are(spread, sure):
    """Loads that are there, by LAPACK; where it cannot be sure of the rank, as in a flight's program."""
    rng = np.random.default_rng(spread)
    rows = rng.standard_normal((sharing.MANY, 40)) * 10 ** rng.uniform(-2, 2, (sharing.MANY, 1))
    matrix, lam = rows @ rows.T, rng.standard_normal(sharing.MANY)
    stiffness = 10 ** rng.uniform(-spread / 2, spread / 2, sharing.MANY) / np.diagonal(matrix)
    size = np.sqrt(np.diagonal(matrix))
    found = sharing._by_lapack(matrix / np.outer(size, size), stiffness * size**2, lam)
    assert (found is not None) == sure
    here = sharing.share_loads(matrix[..., None], stiffness[:, None], lam[:, None] / size[:, None])
    assert isinstance(here, np.ndarray)
    traced = SHARED(matrix[..., None], stiffness[:, None], lam[:, None] / size[:, None])
    # To the rounding that elimination leaves, of loads of size 1 in rows of size 1.
    np.testing.assert_allclose(
        here * size[:, None], traced * size[:, None], rtol=0, atol=10 * cholesky.DEPENDENT
    )
    np.testing.assert_allclose(
        rows.T @ here[:, 0], rows.T @ (lam / size), rtol=0, atol=10 * cholesky.DEPENDENT
    )


@pytest.mark.long
def test_derivatives_of_shared_loads():
    rng = np.random.default_rng(6)
    rows, change = rng.standard_normal((2, 9, 6))
    stiffness, dk, lam, dlam = rng.uniform(0.5, 2, (4, 9))

    def found(h):
        moved = jnp.asarray(rows + h * change)
        return sharing.share_loads(
            moved @ moved.T, jnp.asarray(stiffness + h * dk), jnp.asarray(lam + h * dlam)
        )

    slope = jax.jvp(found, (0.0,), (1.0,))[1]
    h = 1e-5
    # Central differences: truncation h^2 and rounding eps/h, times the condition of the rows.
    np.testing.assert_allclose(slope, (found(h) - found(-h)) / (2 * h), atol=1e-7)


@pytest.mark.parametrize(("n", "rank"), [(5, 5), (12, 6), pytest.param(20, 13, marks=pytest.mark.long)])
def test_rank_decision(n, rank):
    """Badly scaled rows of known rank, a different matrix in each lane."""
    rng = np.random.default_rng(n)
    lanes = 4
    rows = rng.standard_normal((n, rank, lanes)) * np.exp(2 * rng.standard_normal((n, 1, lanes)))
    x = rng.standard_normal((rank, lanes))
    matrix = jnp.asarray(np.einsum("ikl,jkl->ijl", rows, rows))
    right = jnp.asarray(np.einsum("ikl,kl->il", rows, x))
    factor = cholesky.factor_ranked(matrix)
    np.testing.assert_array_equal(np.asarray(factor.independent).sum(0), rank)
    lam = cholesky.solve(matrix, factor, right)
    found = np.einsum("ikl,il->kl", rows, np.asarray(lam))
    for lane in range(lanes):
        bound = (
            10
            * n
            * EPS
            * np.linalg.cond(rows[..., lane] / np.linalg.norm(rows[..., lane], axis=1)[:, None]) ** 2
        )
        np.testing.assert_allclose(found[:, lane], x[:, lane], rtol=0, atol=bound * np.abs(x).max())


def capture() -> ist.Scenario:
    """A second ball joint catches hold at 0.1 s."""
    balls = [
        ist.Joint(
            name=name, kind="spherical", active=on,
            parent="a", child="b", parent_at=at, child_at=at - [1, 0, 0],
        )
        for name, at, on in (
            ("one", np.array([0.5, 0, 0]), True),
            ("two", np.array([0.5, 0.31, 0.17]), False),
        )
    ]  # fmt: skip
    return ist.Scenario(
        bodies=(
            ist.Body(name="a", mass=2, inertia=[1, 1.2, 1.5], initial=ist.State()),
            ist.Body(name="b", mass=2, inertia=[1, 1.2, 1.5], initial=ist.State(position=[1, 0, 0])),
        ),
        joints=tuple(balls),
        forces=(ist.Force(name="push", body="b", force=[0, 1, 0.5], at=[0.2, 0.1, 0]),),
        phases=(
            ist.Phase(name="one_ball", until=ist.Trigger(time=0.1)),
            ist.Phase(name="two_balls", until=ist.Trigger(time=1.0), attach=("two",)),
        ),
    )


def test_a_joint_that_repeats_another_once_attached():
    """Two balls leave only turns about the line through both; the force along that line is shared."""
    record = fly(capture())
    assert record.completed
    said = next(line for line in record.warnings if "indeterminate" in line)
    assert "after two_balls at 0.1 s (1 of 6 constraints" in said
    assert "one (force x, y, z); two (force x, y, z)" in said
    force = np.array([record.series[f"joints.{j}.force"][-1] for j in ("one", "two")])
    turn, ends = [], []
    for name, at in (("a", [0.5, 0, 0]), ("b", [-0.5, 0.31, 0.17])):
        quaternion = record.series[f"bodies.{name}.attitude"][-1]
        turn.append(Rotation.from_quat(quaternion, scalar_first=True))
        ends.append(record.series[f"bodies.{name}.position"][-1] + turn[-1].apply(at))
    line = turn[0].inv().apply(ends[1] - ends[0])
    assert force[0] @ line == pytest.approx(force[1] @ line, rel=1e-9)
    gap = max(record.series[f"joints.{j}.violation"].max() for j in ("one", "two"))
    assert gap < 1e-12


def driven(*motions) -> ist.Scenario:
    """One body on the ground by joints that all hold and drive its x."""
    joints = tuple(
        ist.Joint(
            name=name, kind="generalized", locked=("tx", "ty", "tz"), parent="ground", child="a",
            driven=ist.DrivenAxes(tx=motion),
        )
        for name, motion in zip(("left", "right"), motions, strict=True)
    )  # fmt: skip
    return ist.Scenario(
        bodies=(ist.Body(name="a", mass=1, inertia=[1, 1, 1], initial=ist.ThroughJoint(through="left")),),
        joints=joints,
        phases=(ist.Phase(name="drive", until=ist.Trigger(time=2.0)),),
    )


def test_prescribed_motions_that_contradict_each_other_are_refused_at_the_start():
    ramp, rest = {"kind": "ramp", "rate": 0.1}, {"kind": "constant", "value": 0.0}
    with pytest.raises(ist.BadInput, match=r"right are redundant and prescribe velocities .* 0\.1 m/s"):
        fly(driven(ramp, ramp | {"rate": 0.0}))
    swing = {"kind": "harmonic", "amplitude": 0.1, "frequency": 1.0, "phase": np.pi / 2, "offset": -0.1}
    with pytest.raises(ist.BadInput, match=r"left, right .* prescribe accelerations .* 0\.1 m/s\^2"):
        fly(driven(swing, rest))
    agreeing = fly(driven(ramp, ramp))
    assert agreeing.completed
    assert agreeing.series["bodies.a.position"][-1, 0] == pytest.approx(0.2, abs=1e-12)


PARTING = {
    "projection": {},
    "none": {"stabilization": "none"},
    "simultaneous": {"formulation": "simultaneous", "step": 0.01},
}


@pytest.mark.parametrize(
    "solver",
    [
        pytest.param(s, id=n, marks=[] if n == "projection" else [pytest.mark.long])
        for n, s in PARTING.items()
    ],
)
def test_prescribed_motions_that_part_in_flight_end_it_with_the_joints_named(solver):
    """A sine and its tangent: they part with the third power of time, 0.1 m t^3 / 6, and the flight ends
    where that is more than the micrometre by which a joint may be off."""
    swing = {"kind": "harmonic", "amplitude": 0.1, "frequency": 1.0}
    scenario = driven(swing, {"kind": "ramp", "rate": 0.1})
    record = fly(scenario.model_copy(update={"solver": ist.Solver(**solver)}))
    assert not record.completed
    assert "left and right prescribe contradictory motions" in record.outcome
    end = float(np.cbrt(6e-6 / 0.1))
    # A fixed step more would end beyond it; without one it is found but for the tolerance and t^5.
    early = solver.get("step", 1e-4)
    assert end - early <= record.time[-1] <= end + 1e-4
    assert len(record.time) > 1
    gap = max(record.series[f"joints.{joint}.violation"].max() for joint in ("left", "right"))
    assert gap <= 1.01e-6


@pytest.mark.long
def test_what_is_not_a_number_is_not_laid_on_joints_that_agree():
    """A force whose moment overflows in the equations half way, on a body that two agreeing motions drive."""
    ramp = {"kind": "ramp", "rate": 0.1}
    scenario = driven(ramp, ramp)
    phases = tuple(ist.Phase(name=n, until=ist.Trigger(time=t)) for n, t in (("calm", 0.1), ("load", 0.2)))
    force = ist.Force(name="load", body="a", force=[0, 9e99, 0], at=[9e99, 0, 0], phases=("load",))
    solver = ist.Solver(method="rk4", step=0.01)
    record = fly(scenario.model_copy(update={"forces": (force,), "phases": phases, "solver": solver}))
    assert record.outcome == "Ended early at 0.1 s: an acceleration is not a finite number."


def test_slow_motions_that_differ_are_refused():
    """They part by 10 mm, at no more than 50 micrometres a second."""
    slow = {"kind": "harmonic", "amplitude": 5e-3, "frequency": 0.01, "phase": np.pi / 2, "offset": -5e-3}
    with pytest.raises(ist.BadInput, match=r"prescribe accelerations .* 5e-07 m/s\^2"):
        fly(driven(slow, {"kind": "constant", "value": 0.0}))


@pytest.mark.long
def test_attachments_that_come_to_repeat_each_other_end_a_flight_that_does_not_admit_them():
    """A ball joint caught beside a fixed one, by constraint forces: their system is singular but for
    rounding, and a solution of rounding would fly on."""
    scenario = stack({"top": "fixed", "bottom": "spherical"}, {"bottom": {"active": False}})
    phases = tuple(
        ist.Phase(name=name, until=ist.Trigger(time=time), attach=attach)
        for name, time, attach in (("one", 0.1, ()), ("two", 0.2, ("bottom",)))
    )
    solver = ist.Solver(formulation=forms.ConstraintForce(), method="rk4", step=0.01)
    record = fly(scenario.model_copy(update={"phases": phases, "solver": solver}))
    assert not record.completed
    assert record.time[-1] == pytest.approx(0.1, abs=1e-12)
    assert "'constraint_force' does not support redundant constraints" in record.outcome
    assert "top, bottom are redundant (3 of 9 constraints" in record.outcome
    assert not record.warnings


def test_a_singular_matrix_is_seen_in_any_units():
    """Two matrices of rank n - 1 among five, each in units that differ by up to 1e12."""
    rng = np.random.default_rng(0)
    n, lanes = 14, 5
    matrix = rng.standard_normal((n, n, lanes))
    matrix[3, :, 1] = matrix[5, :, 1] - 2 * matrix[7, :, 1]
    matrix[:, 2, 3] = 0.3 * matrix[:, 4, 3] + matrix[:, 9, 3]
    wanted = rng.standard_normal((n, lanes))
    for decades in (0, 6):
        row, column = 10 ** rng.uniform(-decades, decades, (2, n, 1))
        scaled = jnp.asarray(matrix * row[:, None] * column[None])
        right = jnp.asarray(row * np.einsum("ikl,kl->il", matrix, wanted))
        found = np.asarray(lu.solve(scaled, lu.factor(scaled), right)) * column
        assert np.isnan(found[:, [1, 3]]).all()
        for lane in (0, 2, 4):
            bound = 10 * n * EPS * np.linalg.cond(matrix[..., lane]) * np.abs(wanted[:, lane]).max()
            np.testing.assert_allclose(found[:, lane], wanted[:, lane], rtol=0, atol=bound)


@pytest.mark.long
def test_prescribed_velocities_that_part_in_flight():
    """Two joints that prescribe the velocity of one body along x, without positions to tell by: v = 0.1 t and
    0.1 sin t differ by t^2 / 6 of themselves."""
    rates: list[Any] = [
        {"kind": "ramp", "rate": 0.1},
        {"kind": "harmonic", "amplitude": 0.1, "frequency": 1.0},
    ]
    joints = tuple(
        ist.Joint(
            name=name, kind="velocity", locked=("tx",), parent="ground", child="a",
            rates=ist.PrescribedRates(tx=rate),
        )
        for name, rate in zip(("left", "right"), rates, strict=True)
    )  # fmt: skip
    scenario = ist.Scenario(
        bodies=(ist.Body(name="a", mass=1, inertia=[1, 1, 1], initial=ist.State()),),
        joints=joints,
        phases=(ist.Phase(name="drive", until=ist.Trigger(time=2.0)),),
        solver=ist.Solver(stabilization="none", method="rk4", step=0.005),
    )
    record = fly(scenario)
    assert "left and right prescribe contradictory motions" in record.outcome
    assert record.time[-1] < 0.1
