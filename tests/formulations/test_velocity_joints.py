"""Joints that hold velocities or an angle: their starts, captures, energy, and what is refused."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interstage as ist
from engine_door import (
    as_placed,
    examined,
    instant,
    layout_of,
    mechanism_of,
    packed,
    quantities,
    quickly,
    row_table,
    start_of,
)
from interstage.checks.check import problems
from interstage.record import conservation
from interstage.studies.verify import fly
from interstage.tree import addresses as tree
from interstage.tree.errors import BadInput
from mechanics import COAST, EPS, drawn_attitude, drawn_body, drawn_state, matrix

BRICK: dict[str, Any] = {"mass": 2.0, "inertia": [0.5, 0.7, 0.9]}


def brick(name="a", **options) -> ist.Body:
    return ist.Body(name=name, **BRICK, **options)


def grounded(joint_options, *joints, body=None, phases=COAST, **options) -> ist.Scenario:
    """A body and its joint to the ground."""
    joint = ist.Joint(name="j", parent="ground", child="a", **joint_options)
    body = brick(initial=ist.State()) if body is None else body
    return ist.Scenario(bodies=(body,), joints=(joint, *joints), phases=phases, **options)


# --- stabilization ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("eta", [3.0, 0.0])
def test_a_velocity_that_is_not_allowed_decays_with_one_root(eta):
    """CU-CSSC-90-07, eq 21: v' = -eta v along the held axis, and nothing without stabilization."""
    body = brick(initial=ist.State(velocity=[1.0, 0.5, 0.0]))
    solver = ist.Solver(stabilization="baumgarte", eta=eta, tolerance=1e-12)
    record = fly(grounded({"kind": "velocity", "locked": ("tx",)}, body=body, solver=solver))
    velocity = record.series["bodies.a.velocity"]
    # Ten steps or so, each with an error of the tolerance.
    np.testing.assert_allclose(velocity[:, 0], np.exp(-eta * record.time), rtol=0, atol=1e-10)
    np.testing.assert_allclose(velocity[:, 1], np.full(len(record.time), 0.5), rtol=0, atol=1e-10)
    np.testing.assert_allclose(record.series["joints.j.violation_rate"], velocity[:, 0], rtol=0, atol=4 * EPS)
    assert not record.series["joints.j.violation"].any()


def test_positions_close_past_a_velocity_that_repeats_them():
    """Two rods at 20 deg hold a point in their plane; the velocity row across the first one repeats them, and
    a rank decision takes it before the second rod. The rods must close all the same."""
    away = np.radians(20.0)
    rods = tuple(
        ist.Joint(
            name=f"rod{k}", kind="rod", parent="ground", child="a", parent_at=at, length=1.0, assemble=True
        )
        for k, at in enumerate(([-1, 0, 0], [-np.cos(away), -np.sin(away), 0]))
    )
    body = brick(initial=ist.State(position=[0.01, 0.02, 0.3]))
    start = start_of(grounded({"kind": "velocity", "locked": ("ty",)}, *rods, body=body))
    assert np.abs(start.gap).max() > 0.02
    assert np.abs(start.left).max() < 8 * EPS


# --- angles -------------------------------------------------------------------------------------------------


def test_bodies_are_placed_at_the_angle_of_their_joint():
    """For each pair of axes, also where the child is turned about its own axis of the pair, as child and as
    parent of the joint: the axes are at that angle, and the rows hold."""
    angle, bodies, joints = np.radians(35.0), [], []
    for n, axes in enumerate(itertools.permutations("xyz", 2)):
        (third,) = set("xyz") - {*axes}
        pair: dict[str, Any] = {"rotation_pair": f"a{axes[0]}.b{axes[1]}"}
        locked: dict[str, Any] = {"kind": "generalized", "locked": ("tx", "ty", "tz", "r" + third), **pair}
        universal: dict[str, Any] = {"kind": "universal", "axes": "".join(axes)}
        for kind, options in (("u", universal), ("g", locked)):
            name, root = f"{kind}{n}", f"root{n}"
            own = 0.8 * (np.array(list("xyz")) == axes[1])
            ends: dict[str, Any] = (
                {"parent": "ground", "child": name} if kind == "u" else {"parent": name, "child": root}
            )
            joints.append(ist.Joint(name=name, angle=angle, **ends, **options))
            bodies.append(brick(name, initial=ist.ThroughJoint(through=name, rotation=own)))
        bodies.append(brick(root, initial=ist.State()))
    declared = ist.Scenario(bodies=tuple(bodies), joints=tuple(joints), phases=COAST)
    layout, mechanism = layout_of(declared), mechanism_of(declared)
    here = instant(mechanism, 0.0, as_placed(mechanism))
    rotation, g = here.motion.rotation, here.rows.g
    np.testing.assert_allclose(g, np.zeros_like(g), rtol=0, atol=8 * EPS)
    for n, (a, b) in enumerate(itertools.permutations(range(3), 2)):
        down, up = (np.asarray(rotation)[:, :, layout.body(f"{kind}{n}")] for kind in "ug")
        assert np.arccos(down[a, b]) == pytest.approx(angle, abs=8 * EPS)
        assert np.arccos(up.T[a, b]) == pytest.approx(angle, abs=8 * EPS)


def test_a_start_at_another_angle_is_refused_with_the_angle_that_it_is_off():
    turn = ist.Attitude(euler="1-2-3", angles=np.radians([-30.0, 0, 0]))
    scenario = grounded(
        {"kind": "universal", "angle": np.radians(40.0)}, body=brick(initial=ist.State(attitude=turn))
    )
    with pytest.raises(BadInput, match=r"joints.j: .* 20 deg; allowed"):
        examined(scenario)


def test_the_angle_and_the_radius_are_numbers_of_the_tree():
    """They can be dispersed, and the rows have their derivatives: d(cos)/d(angle) and d(height)/d(radius)."""
    rng = np.random.default_rng(160)
    body = drawn_body(
        rng, "a", initial=ist.State(attitude=drawn_attitude(rng), position=rng.uniform(1, 2, 3))
    )
    wheel = ist.Joint(name="w", kind="rolling", radius=0.5, parent="ground", child="a")
    declared = grounded({"kind": "universal", "angle": 1.1}, wheel, body=body)

    @quickly
    def program(numbers):
        def g(angle, radius):
            changed = tree.replace_leaf(declared, "joints.j.angle", angle)
            changed = tree.replace_leaf(changed, "joints.w.radius", radius)
            state: Any = body.initial
            x = np.concatenate([state.position, np.zeros(3), state.attitude.quaternion, np.zeros(9)])
            return instant(mechanism_of(changed), 0.0, x).rows.g

        return jax.jacfwd(g, (0, 1))(*numbers)

    by_angle, by_radius = program((1.1, 0.5))
    table = row_table(declared)
    rotation, height = table.first_rotation, table.contact_rows[-1]
    attitude: Any = body.initial
    cosine = matrix(attitude.attitude.quaternion)[2, 2]
    expected = np.zeros((2, table.count))
    expected[0, rotation], expected[1, height] = np.sin(1.1), -np.sqrt(1 - cosine**2)
    np.testing.assert_allclose(np.stack([by_angle, by_radius]), expected, rtol=0, atol=8 * EPS)


def test_the_same_joint_with_another_number_has_rows_of_its_own():
    kinds = [
        {"kind": "universal", "angle": 1.0},
        {"kind": "universal", "angle": 1.2},
        {"kind": "universal"},
        {"kind": "rolling", "radius": 0.3},
        {"kind": "rolling", "radius": 0.4},
        {"kind": "spherical"},
        {"kind": "spherical"},
    ]
    changes = [ist.Replacement(joint="j", **kind) for kind in kinds]
    ends = [ist.Trigger(time=float(k + 1)) for k in range(8)]
    phases = (
        ist.Phase(name="p", until=ends[0]),
        *(
            ist.Phase(name=f"p{k}", until=end, replace=(new,))
            for k, (new, end) in enumerate(zip(changes, ends[1:]))
        ),
    )
    layout = layout_of(grounded({"kind": "universal", "angle": 0.9}, phases=phases))
    assert [layout.mode_of(phase.replace[0]) for phase in layout.scenario.phases[1:]] == [2, 3, 4, 5, 6, 7, 7]
    held = [np.flatnonzero(layout.active[0, mode]).tolist() for mode in range(8)]
    assert held[0] == []
    points = [0, 1, 2]
    assert held[1:] == [[*points, k] for k in (3, 4, 5, 6)] + [[7, 9, 11], [8, 10, 12], points]
    angles = [getattr(layout.joint_type(layout.scenario, 0, mode), "angle", None) for mode in range(1, 5)]
    assert [None if a is None else float(a) for a in angles] == [0.9, 1.0, 1.2, None]


# --- captures -----------------------------------------------------------------------------------------------


def test_a_disk_comes_down_and_rolls():
    """Upright and without spin, it keeps two thirds of its speed (its angular momentum about the contact),
    and the impulse acts at the contact; then it rolls on evenly, until it is released."""
    mass, radius, speed, drop, g = 3.0, 0.5, 1.2, 0.7, 9.81
    moments = mass * radius**2 * np.array([0.25, 0.25, 0.5])
    upright = ist.Attitude(euler="1-2-3", angles=np.radians([-90.0, 0, 0]))
    state = ist.State(position=[0, 0, radius + drop], velocity=[speed, 0, 0], attitude=upright)
    body = ist.Body(name="a", mass=mass, inertia=moments, initial=state)
    down = ist.Trigger(quantity="joints.j.contact.z", reaches=0.0, direction="falling")
    phases = (
        ist.Phase(name="fall", until=down),
        ist.Phase(name="roll", until=ist.Trigger(elapsed=0.4), attach=("j",)),
        ist.Phase(name="free", until=ist.Trigger(elapsed=0.2), release=("j",)),
    )
    scenario = grounded(
        {"kind": "rolling", "radius": radius, "active": False},
        body=body,
        phases=phases,
        gravity=ist.UniformGravity(acceleration=[0, 0, -g]),
        solver=ist.Solver(tolerance=1e-12),
    )
    record = fly(scenario)
    touch = np.sqrt(2 * drop / g)
    assert record.events[1].name == "roll"
    assert record.events[1].time == pytest.approx(touch, abs=1e-12)

    def after(path, row=1):
        return np.asarray(record.after[path][row])

    # Rates and impulses of a dozen sums of order ten.
    close = {"rtol": 0, "atol": 1e-12}
    np.testing.assert_allclose(after("bodies.a.velocity"), [2 / 3 * speed, 0, 0], **close)
    impulse = mass * np.array([-speed / 3, 0, np.sqrt(2 * g * drop)])
    np.testing.assert_allclose(after("joints.j.impulse"), impulse, **close)
    angular = np.cross([0, 0, -radius], impulse)
    np.testing.assert_allclose(after("joints.j.angular_impulse"), angular, **close)
    np.testing.assert_allclose(after("joints.j.force"), [0, 0, mass * g], rtol=0, atol=1e-11)
    away = speed * touch + 2 / 3 * speed * 0.4
    np.testing.assert_allclose(after("joints.j.contact", 2), [away, 0, 0], rtol=0, atol=1e-11)
    np.testing.assert_allclose(after("joints.j.force", 2), np.zeros(3), rtol=0, atol=0)
    end = record.series["bodies.a.position"][-1]
    expected = [away + 2 / 3 * speed * 0.2, 0, radius - 0.5 * g * 0.2**2]
    np.testing.assert_allclose(end, expected, rtol=0, atol=1e-11)


# --- energy -------------------------------------------------------------------------------------------------


def test_the_power_of_prescribed_motions_is_the_rate_of_the_energy():
    """A driven joint and a prescribed velocity, drawn states: kinetic energy of the motion of the bodies."""
    rng = np.random.default_rng(170)
    bodies = tuple(drawn_body(rng, name, initial=ist.State()) for name in "ab")
    arm = ist.Joint(
        name="arm",
        kind="generalized",
        locked=("tx", "ty", "tz", "rx", "ry"),
        driven=ist.DrivenAxes(
            tx=ist.LinearHarmonic(amplitude=0.3, frequency=2.0), rx=ist.AngularRamp(rate=0.7)
        ),
        parent="a",
        child="b",
        parent_at=rng.uniform(-1, 1, 3),
        child_at=rng.uniform(-1, 1, 3),
        parent_frame=drawn_attitude(rng),
    )
    tow = ist.Joint(
        name="tow",
        kind="velocity",
        axes_of="child",
        locked=("tx", "rz"),
        rates=ist.PrescribedRates(
            tx=ist.SpeedRamp(rate=0.4), rz=ist.SpinHarmonic(amplitude=0.6, frequency=3.0)
        ),
        parent="ground",
        child="a",
        child_at=rng.uniform(-1, 1, 3),
        child_frame=drawn_attitude(rng),
    )
    declared = ist.Scenario(bodies=bodies, joints=(arm, tow), phases=COAST)
    powers = [f"joints.{name}.power" for name in ("arm", "tow")]

    @quickly
    def program(x):
        now = instant(mechanism_of(declared), 0.3, x)
        return jnp.stack(list(quantities(now, *powers).values())), now.acceleration

    r, v, q, w = drawn_state(rng, 2)
    fed, acceleration = program(packed(r, v, q, w))
    terms = []
    for k, body in enumerate(bodies):
        inertia, alpha = np.asarray(body.inertia), np.asarray(acceleration)[3:, k]
        terms += [*(body.mass * v[:, k] * np.asarray(acceleration)[:3, k]), *(w[:, k] * (inertia @ alpha))]
    # Products with what the elimination found, whose matrix has a condition of about 1e3.
    bound = 1e3 * EPS * np.abs(terms).sum()
    assert float(fed.sum()) == pytest.approx(sum(terms), abs=bound)
    assert np.abs(fed).min() > 1e6 * bound


def test_a_prescribed_motion_that_stands_still_keeps_energy():
    held = {"kind": "velocity", "locked": ("tx",)}
    still = ist.PrescribedRates(tx=ist.SpeedConstant())
    moving = ist.PrescribedRates(tx=ist.SpeedConstant(value=0.1))
    tilted = ist.DrivenAxes(rx=ist.AngularConstant(value=0.4))
    turning = ist.DrivenAxes(rx=ist.AngularRamp(rate=0.4))
    locked = {"kind": "generalized", "locked": ("rx",)}
    for options, kept in (
        (held, True),
        ({"kind": "rolling", "radius": 1.0}, True),
        ({**held, "rates": still}, True),
        ({**held, "rates": moving}, False),
        ({**locked, "driven": tilted}, True),
        ({**locked, "driven": turning}, False),
    ):
        assert conservation.keeps_energy(grounded(options)) is kept


# --- refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"kind": "rolling"}, ["radius", "is missing"]),
        ({"kind": "velocity"}, ["locked", "the list is empty"]),
        ({"kind": "universal", "angle": 0.01}, ["angle", "0.01 rad is out of range. Give 1 to 179 deg"]),
        ({"kind": "universal", "angle": np.pi}, ["angle", "180 deg", "1 to 179 deg"]),
        ({"kind": "generalized", "locked": ("rx", "ry"), "angle": 1.0}, ["angle", "exactly one", "2"]),
        ({"kind": "revolute", "angle": 1.0}, ["angle", "only to universal, generalized"]),
        ({"kind": "knife_edge", "axes_of": "child"}, ["axes_of", "only to velocity"]),
        (
            {"kind": "velocity", "locked": ("tx",), "rates": ist.PrescribedRates(ty=ist.SpeedConstant())},
            ["rates.ty", "Add 'ty' to locked"],
        ),
    ],
)
def test_joints_that_are_refused(options, says):
    with pytest.raises(BadInput) as error:
        ist.Joint(name="j", parent="ground", child="a", **options)
    for words in says:
        assert words in str(error.value)


def test_angles_up_to_the_limits_are_taken():
    for degrees in ("1 deg", "179 deg"):
        assert ist.Joint(name="j", parent="ground", child="a", kind="universal", angle=degrees)


def test_a_joint_of_velocities_places_nothing_and_is_not_replaced_while_it_prescribes():
    body = brick()
    (found,) = problems(grounded({"kind": "knife_edge"}, body=body))
    assert "the body has no initial state" in found.message
    new = ist.Replacement(joint="j", kind="fixed")
    phases = (*COAST, ist.Phase(name="next", until=ist.Trigger(elapsed=1.0), replace=(new,)))
    rates = ist.PrescribedRates(tx=ist.SpeedConstant(value=0.1))
    scenario = grounded({"kind": "velocity", "locked": ("tx",), "rates": rates}, phases=phases)
    assert ["a prescribed motion cannot be replaced" in p.message for p in problems(scenario)] == [True]


def test_driven_joints_are_not_replaced_without_a_word():
    """The motion would go on in a joint that became fixed, and not begin in one that became driven."""
    ramp = ist.DrivenAxes(tx=ist.LinearRamp(rate=1.0))
    ends: dict = {"parent": "a", "child": "b"}
    joints = (
        ist.Joint(name="one", kind="generalized", locked=("tx", "ty"), driven=ramp, **ends),
        ist.Joint(name="two", kind="spherical", active=False, **ends),
    )
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
    bodies = brick(initial=ist.State()), brick("b")
    wrong = problems(ist.Scenario(bodies=bodies, joints=joints, phases=phases))
    text = " ".join(map(str, wrong))
    assert "a prescribed motion cannot be replaced" in text
    assert "has a prescribed motion, which a replacement does not support" in text


@pytest.mark.parametrize(("angle", "refused"), [(1.0, True), (1.2, False)])
def test_a_joint_is_replaced_by_its_kind_only_at_another_angle(angle, refused):
    new = ist.Replacement(joint="j", kind="universal", angle=angle)
    phases = (*COAST, ist.Phase(name="next", until=ist.Trigger(elapsed=1.0), replace=(new,)))
    found = problems(grounded({"kind": "universal", "angle": 1.0}, phases=phases))
    assert ["already has the kind universal" in p.message for p in found] == [True] * refused


def test_a_disk_that_lies_flat_is_refused():
    body = brick(initial=ist.State(position=[0, 0, 0]))
    scenario = grounded({"kind": "rolling", "radius": 0.5, "assemble": True}, body=body)
    with pytest.raises(BadInput, match="lies flat on the plane"):
        examined(scenario)


@pytest.mark.parametrize("over", [0.0, np.pi])
def test_a_driven_joint_that_is_turned_over_is_refused(over):
    """All rows of a driven joint hold at 180 deg from where it is driven to, too."""
    options = {
        "kind": "generalized",
        "locked": ("tx", "ty", "tz", "rx", "ry", "rz"),
        "driven": ist.DrivenAxes(rz=ist.AngularRamp(value=2.5, rate=0.3)),
    }
    body = brick(initial=ist.ThroughJoint(through="j", rotation=[over, 0, 0]))
    scenario = grounded(options, body=body)
    if over:
        with pytest.raises(BadInput, match="axis y and z of the child's joint frame is opposite"):
            examined(scenario)
    else:
        examined(scenario)
