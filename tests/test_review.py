"""Cases that would give wrong answers without a word."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.checks.check import problems
from interstage.engine.numbers import inverse_3x3
from interstage.flight.program import configure
from interstage.flight.simulate import fly
from interstage.formulations import cholesky
from interstage.maths import curves as tables
from interstage.maths import rotations

configure()
MOMENTS = (1.0, 1.2, 1.5)


def body(name, mass=2.0, **options) -> ist.Body:
    return ist.Body(name=name, mass=mass, inertia=MOMENTS, **options)


def scenario(bodies, joints=(), until=1.0, **options) -> ist.Scenario:
    phases = options.pop("phases", (ist.Phase(name="coast", until=ist.Trigger(time=until)),))
    return ist.Scenario(bodies=tuple(bodies), joints=tuple(joints), phases=phases, **options)


def test_a_short_pulse_of_a_table_is_not_stepped_over():
    """Nothing else happens: the steps would grow from 0 past the pulses at 3 s and at 5 s."""
    ramped = ist.ForceTable(
        time=[5, 5.001, 5.011, 5.012],
        value=[[0, 0, 0], [100, 0, 0], [100, 0, 0], [0, 0, 0]],
        interpolation="linear",
    )
    block = ist.ForceTable(time=[3, 3.25], value=[[0, 7, 0], [0, 7, 0]], interpolation="linear")
    forces = tuple(
        ist.Force(name=name, body="a", force=table) for name, table in (("ramped", ramped), ("block", block))
    )
    record = fly(scenario([body("a", initial=ist.State())], until=20.0, forces=forces))
    impulse = [100 * 0.011, 7 * 0.25, 0]
    assert record.series["bodies.a.velocity"][-1] * 2.0 == pytest.approx(impulse, abs=1e-7)


def test_a_turn_about_y_goes_all_the_way_round():
    """A hinge about y passes 100 deg, where the middle one of the 1-2-3 angles folds back."""
    child = body("b", initial=ist.ThroughJoint(through="hinge", relative_angular_velocity=[0, 1, 0]))
    hinge = ist.Joint(name="hinge", kind="revolute", axis="y", parent="a", child="b")
    phases = (
        ist.Phase(name="turn", until=ist.Trigger(quantity="joints.hinge.rotation.y", reaches="100 deg")),
    )
    record = fly(scenario([body("a", initial=ist.State()), child], [hinge], phases=phases))
    assert record.events[-1].time == pytest.approx(np.radians(100), abs=1e-9)


def test_angles_of_the_other_sequence():
    angles = np.random.default_rng(7).uniform(-1.5, 1.5, (3, 50))
    turn = Rotation.from_euler("YZX", angles.T).as_matrix()
    found = rotations.angles_231(jnp.asarray(np.moveaxis(turn, 0, -1)))
    np.testing.assert_allclose(found, angles[[2, 0, 1]], atol=1e-12)


@pytest.mark.parametrize("rows", [3, cholesky.WRITTEN_OUT + 2])
def test_a_singular_matrix_has_no_factor(rows):
    """Its last pivot is rounding, of either sign."""
    for seed in range(20):
        a = np.random.default_rng(seed).standard_normal((rows, rows - 1))
        assert not np.all(np.isfinite(cholesky.factor(jnp.asarray(a @ a.T))))


def test_beyond_its_points_a_curve_goes_on_straight():
    """As the natural spline ends: without curvature, so that value and both rates are continuous."""
    time, value = np.array([0.0, 1.0, 1.5, 3.0]), np.array([0.0, 2.0, 1.0, 4.0])
    curve = tables.curve(time, value, smooth=True)
    spline = CubicSpline(time, value, bc_type="natural")
    for end, beyond in ((0.0, -2.0), (3.0, 5.5)):
        expected = spline(end) + spline(end, 1) * (beyond - end)
        assert float(tables.look_up(curve, jnp.asarray(beyond))) == pytest.approx(expected, rel=1e-13)


def test_a_tilted_hinge_that_becomes_rigid_keeps_its_pose():
    """Caught where its axes are not parallel, then locked: rows that held before must hold where they are."""
    tilted = ist.Attitude(euler="1-2-3", angles=[0.5, 0.3, 0.2])
    thrown = ist.State(
        position=[1.2, 0.1, 0], velocity=[-0.3, 0.1, 0], attitude=tilted, angular_velocity=[0.1, 0.4, 0.3]
    )
    hinge = ist.Joint(
        name="j",
        kind="revolute",
        parent="a",
        child="b",
        parent_at=[0.5, 0, 0],
        child_at=[-0.5, 0, 0],
        active=False,
    )
    rigid = ist.Replacement(joint="j", kind="fixed")
    phases = (
        ist.Phase(name="free", until=ist.Trigger(time=0.1)),
        ist.Phase(name="hinged", until=ist.Trigger(time=0.3), attach=("j",)),
        ist.Phase(name="rigid", until=ist.Trigger(time=0.4), replace=(rigid,)),
    )
    bodies = [body("a", initial=ist.State()), body("b", 3.0, initial=thrown)]
    record = fly(scenario(bodies, [hinge], phases=phases))
    names = [event.name for event in record.events]
    for name in ("a", "b"):
        for what in ("position", "attitude"):
            path = f"bodies.{name}.{what}"
            before, after = record.before[path], record.after[path]
            np.testing.assert_allclose(after[names.index("rigid")], before[names.index("rigid")], atol=1e-14)
    turned = record.series["joints.j.rotation"][record.time > 0.3]
    np.testing.assert_allclose(
        turned, record.after["joints.j.rotation"][[names.index("rigid")] * len(turned)], atol=1e-12
    )


def test_driven_joints_are_not_replaced_without_a_word():
    """The motion would go on in a joint that became fixed, and not begin in one that became driven."""
    ramp = ist.DrivenAxes(tx=ist.LinearRamp(rate=1.0))
    ends: dict = {"parent": "a", "child": "b"}
    joints = [
        ist.Joint(name="one", kind="generalized", locked=("tx", "ty"), driven=ramp, **ends),
        ist.Joint(name="two", kind="spherical", active=False, **ends),
    ]
    phases = (
        ist.Phase(name="first", until=ist.Trigger(time=1.0)),
        ist.Phase(
            name="second",
            until=ist.Trigger(time=2.0),
            replace=(
                ist.Replacement(joint="one", kind="fixed"),
                ist.Replacement(joint="two", kind="generalized", locked=("tx",), driven=ramp),
            ),
        ),
    )
    wrong = problems(scenario([body("a", initial=ist.State()), body("b")], joints, phases=phases))
    text = " ".join(map(str, wrong))
    assert "a driven joint cannot be replaced" in text
    assert "a replacement cannot be driven" in text


def test_a_flight_gone_on_with_takes_the_same_fixed_steps():
    """The event lies between the steps; the samples lie on every tenth of them."""
    spinning = body("a", initial=ist.State(angular_velocity=[1, 2, 3]))
    phases = (
        ist.Phase(name="one", until=ist.Trigger(time=0.1033)),
        ist.Phase(name="two", until=ist.Trigger(time=0.5)),
    )
    flight = scenario(
        [spinning],
        phases=phases,
        solver=ist.Solver(method="rk4", step=0.01),
        output=ist.Output(interval=0.1),
    )
    whole = fly(flight)
    rest = fly(flight, resume=(whole.restart, [e.name for e in whole.events].index("two")))
    path = "bodies.a.attitude"
    np.testing.assert_array_equal(rest.series[path][1:], whole.series[path][2:])


def test_a_kickoff_spring_pushes_from_where_bodies_have_met():
    """Apart at the start, caught, let go: the spring gives the energy of its stroke only."""
    latch = ist.Joint(
        name="latch",
        kind="fixed",
        parent="a",
        child="b",
        parent_at=[0.5, 0, 0],
        child_at=[-0.5, 0, 0],
        active=False,
    )
    stiffness, preload, stroke = 1000.0, 100.0, 0.08
    spring = ist.KickoffSpring(
        name="spring",
        parent="a",
        child="b",
        parent_at=[0.5, 0, 0],
        child_at=[-0.5, 0, 0],
        axis=[1, 0, 0],
        stiffness=stiffness,
        preload=preload,
        stroke=stroke,
        after="apart",
    )
    phases = (
        ist.Phase(name="free", until=ist.Trigger(time=0.2)),
        ist.Phase(name="held", until=ist.Trigger(time=0.3), attach=("latch",)),
        ist.Phase(name="apart", until=ist.Trigger(time=0.6), release=("latch",)),
    )
    coming = ist.State(position=[2.0, 0, 0], velocity=[-1.0, 0, 0])
    bodies = [body("a", initial=ist.State()), body("b", 3.0, initial=coming)]
    record = fly(scenario(bodies, [latch], phases=phases, devices=(spring,)))
    energy = preload * stroke - 0.5 * stiffness * stroke**2
    reduced = 1 / (1 / 2.0 + 1 / 3.0)
    apart = record.series["pairs.a.b.separation_speed"][-1]
    assert 0.5 * reduced * apart**2 == pytest.approx(energy, rel=1e-8)
    total = record.series["system.energy"]
    at = [event.name for event in record.events].index("apart")
    assert record.after["devices.spring.force"][at] == pytest.approx(preload)
    assert record.after["devices.spring.energy"][at] == pytest.approx(0.5 * preload**2 / stiffness)
    assert total[-1] - 0.5 * 9 / 5 == pytest.approx(energy, rel=1e-8)


def test_a_rod_that_lies_aslant_has_no_inertia_about_its_axis():
    axis = np.array([1.0, 2.0, -2.0]) / 3
    tensor = 2.5 * (np.eye(3) - np.outer(axis, axis))
    np.testing.assert_allclose(inverse_3x3(jnp.asarray(tensor)), np.linalg.pinv(tensor), atol=1e-14)


@pytest.mark.parametrize(
    ("kind", "at", "wrong"), [("spherical", 1.0, 0), ("spherical", 1.1, 1), ("fixed", 1.0, 1)]
)
def test_no_joint_turns_a_rod_about_its_axis(kind, at, wrong):
    """It would hold the other body's turn as if the rod had an infinite moment there."""
    rod = ist.Body(
        name="rod", mass=1.0, inertia=[0.0, 0.3, 0.3], mass_centre=[0, 1.0, 0], initial=ist.State()
    )
    joint = ist.Joint(name="j", kind=kind, parent="a", child="rod", child_at=[-1.0, at, 0])
    found = [p for p in problems(scenario([body("a"), rod], [joint])) if "no inertia" in p.message]
    assert len(found) == wrong


def test_velocities_that_a_joint_does_not_allow_are_told_where_nothing_corrects_them():
    moving = body("b", 3.0, initial=ist.State(position=[1, 0, 0], velocity=[0, 0, 0.5]))
    joint = ist.Joint(
        name="j", kind="fixed", parent="a", child="b", parent_at=[0.5, 0, 0], child_at=[-0.5, 0, 0]
    )
    solver = ist.Solver(stabilization="none")
    record = fly(scenario([body("a", initial=ist.State()), moving], [joint], until=0.1, solver=solver))
    assert "j: the bodies start with velocities that it does not allow (0.5 m/s" in record.warnings[0]


def test_a_joint_that_catches_hold_off_its_drawn_pose_says_so():
    latch = ist.Joint(name="latch", kind="fixed", parent="a", child="b", parent_at=[1, 0, 0], active=False)
    phases = (
        ist.Phase(name="free", until=ist.Trigger(time=0.1)),
        ist.Phase(name="held", until=ist.Trigger(time=0.2), attach=("latch",)),
    )
    turned = ist.State(position=[1.25, 0, 0], attitude=ist.Attitude(euler="3-2-1", angles=[0.1, 0, 0]))
    bodies = [body("a", initial=ist.State()), body("b", initial=turned)]
    (warning,) = fly(scenario(bodies, [latch], phases=phases)).warnings
    assert warning == (
        "latch caught hold at 0.1 s 0.25 m and 5.73 deg off its drawn pose, and keeps the bodies so."
    )
    # Allowed is what this scenario allows, and not the first one of its structure.
    wide = ist.Solver(assemble_tolerance=0.3, assemble_angle=0.2)
    assert not fly(scenario(bodies, [latch], phases=phases, solver=wide)).warnings


def test_a_push_along_no_line_is_refused():
    spring = ist.KickoffSpring(name="spring", parent="a", child="b", stiffness=10, preload=1, stroke=0.1)
    bodies = [body("a", initial=ist.State()), body("b", initial=ist.State())]
    with pytest.raises(ist.BadInput, match=r"devices\.spring\.axis: its two points coincide"):
        fly(scenario(bodies, [], devices=(spring,)))
