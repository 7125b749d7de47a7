"""Cases that would give wrong answers without a word."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage import rotations
from interstage.formulations import cholesky
from interstage.model import tables
from interstage.simulate import fly

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


def test_a_joint_that_repeats_another_once_attached_ends_the_flight_with_its_reason():
    """The second ball leaves only turns about the line through both: five axes of six, one locked twice."""
    bodies = [body("a", initial=ist.State()), body("b", initial=ist.State(position=[1, 0, 0]))]
    joints = [
        ist.Joint(
            name=name,
            kind="spherical",
            parent="a",
            child="b",
            parent_at=at,
            child_at=at - [1, 0, 0],
            active=on,
        )
        for name, at, on in (
            ("one", np.array([0.5, 0, 0]), True),
            ("two", np.array([0.5, 0.31, 0.17]), False),
        )
    ]
    phases = (
        ist.Phase(name="one_ball", until=ist.Trigger(time=0.1)),
        ist.Phase(name="two_balls", until=ist.Trigger(time=1.0), attach=("two",)),
    )
    force = ist.Force(name="push", body="b", force=[0, 1, 0.5], at=[0.2, 0.1, 0])
    record = fly(scenario(bodies, joints, phases=phases, forces=(force,)))
    assert not record.completed
    assert "Ended early at 0.1 s" in record.outcome
    assert "one, two hold the same motion more than once" in record.outcome


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
