"""Release logic: attachments that go in their own order, by time, angle, stroke, load, or each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

import interstage as ist

FINE = ist.Solver(tolerance=1e-12)
CLOSE = 1e-8
"""What the closed forms are met to; a flight of some tens of steps errs by far less at this tolerance."""
GRAVITY = 9.81
DOWN = ist.UniformGravity(acceleration=[0, 0, -GRAVITY])
MASS, LENGTH = 2.0, 1.5
FIRE = 0.25


def time_of(flight: Any, name: str) -> float:
    rows = flight.events[flight.events["name"] == name]
    assert len(rows) == 1, f"{name}: {list(flight.events['name'])}"
    return float(rows["time"].iloc[0])


def happened(flight: Any) -> set[str]:
    return {str(name) for name in flight.events["name"]}


def phases(end: float, **first: Any) -> Any:
    """Held until FIRE, then on until the end."""
    return (
        ist.Phase(name="held", until=ist.Trigger(time=FIRE)),
        ist.Phase(name="on", until=ist.Trigger(time=end), **first),
    )


# --- a beam on two supports that loses first one, then the other


def beam(
    hinge: Any = "revolute", then: Any = (), end: float = 1.0, devices: Any = (), **more: Any
) -> ist.Scenario:
    """A slender rod along x, its near end on a hinge about y, its far one on a support that a bolt holds."""
    half = LENGTH / 2
    moment = MASS * LENGTH**2 / 12
    rod = ist.Body(
        name="rod", mass=MASS, inertia=[0.01, moment, moment], initial=ist.State(position=[half, 0, 0])
    )
    ends: dict[str, Any] = {"parent": "ground", "child": "rod"}
    joints = (
        ist.Joint(
            name="hinge",
            kind=hinge,
            axis="y" if hinge == "revolute" else None,
            child_at=[-half, 0, 0],
            **ends,
        ),
        ist.Joint(
            name="far",
            kind="generalized",
            locked=("tz",),
            parent_at=[LENGTH, 0, 0],
            child_at=[half, 0, 0],
            **ends,
        ),
    )
    bolt = ist.ExplosiveBolt(name="bolt", joints=("far",))
    return ist.Scenario(
        gravity=DOWN,
        bodies=(rod,),
        joints=joints,
        devices=(bolt, *devices),
        phases=phases(end, fire=("bolt",), **dict(then)),
        solver=FINE,
        output=ist.Output(interval=0.05),
        **more,
    )


ANGLE = np.radians(30.0)
PIN = ist.HingeRelease(name="hook", joint="hinge", angle=ANGLE, direction="rising")


def time_to(angle: float) -> float:
    """How long a level rod takes to swing down to an angle about its end: w^2 = 3 g sin(angle) / L."""
    return quad(
        lambda s: 2 * s / np.sqrt(3 * GRAVITY / LENGTH * np.sin(s * s)), 0, np.sqrt(angle), epsabs=1e-13
    )[0]


def test_two_attachments_in_their_order_and_the_angle_of_the_second():
    """Half the weight on each support; a quarter on the hinge that is left; free flight from 30 deg on."""
    flight = beam(devices=(PIN,)).run()
    weight = MASS * GRAVITY
    for joint in ("hinge", "far"):
        held = flight.value(f"joints.{joint}.force", "bolt released", "before")
        np.testing.assert_allclose(held, [0, 0, weight / 2], rtol=0, atol=1e-12 * weight)
    left = flight.value("joints.hinge.force", "bolt released")
    np.testing.assert_allclose(left, [0, 0, weight / 4], rtol=0, atol=1e-12 * weight)
    assert time_of(flight, "bolt released") == FIRE
    assert time_of(flight, "hook released") == pytest.approx(FIRE + time_to(ANGLE), abs=CLOSE)
    rate = np.sqrt(3 * GRAVITY / LENGTH * np.sin(ANGLE))
    for side in ("before", "after"):
        assert flight.value("joints.hinge.rotation.y", "hook released", side) == pytest.approx(
            ANGLE, abs=CLOSE
        )
        spin = flight.value("bodies.rod.angular_velocity", "hook released", side)
        np.testing.assert_allclose(spin, [0, rate, 0], rtol=0, atol=CLOSE)
    # Then it falls as it turns on.
    span = flight.time[-1] - time_of(flight, "hook released")
    along, down = LENGTH / 2 * rate * np.array([-np.sin(ANGLE), np.cos(ANGLE)])
    expected = [along, 0, -down - GRAVITY * span]
    np.testing.assert_allclose(flight["bodies.rod.velocity"][-1], expected, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(flight["bodies.rod.angular_velocity"][-1], [0, rate, 0], rtol=0, atol=CLOSE)


def test_a_joint_fixed_then_revolute_then_free():
    """The same swing where the hinge is locked first: one joint in three states."""
    locked = beam("fixed", {"replace": {"hinge": {"kind": "revolute", "axis": "y"}}}, devices=(PIN,)).run()
    assert [locked.value("joints.hinge.active", name) for name in ("held", "on", "hook released")] == [
        1,
        2,
        0,
    ]
    assert time_of(locked, "hook released") == pytest.approx(FIRE + time_to(ANGLE), abs=CLOSE)


def test_hinges_that_jam_and_bolts_that_hang_up_change_what_they_should():
    """Lanes: nominal; the hook jams; the bolt fails, so that nothing moves."""
    scenario = beam(devices=(PIN,))
    works = {"devices.hook.works": np.array([1.0, 0.0, 1.0]), "devices.bolt.works": np.array([1.0, 1.0, 0.0])}
    batch = scenario.run_batch(works)
    assert batch.completed.all()
    np.testing.assert_array_equal(batch.value("joints.hinge.active"), [0, 1, 1])
    np.testing.assert_array_equal(batch.value("joints.far.active"), [0, 0, 1])
    swing = time_to(ANGLE) + FIRE
    times = [batch.value("time", "hook released")[lane] for lane in range(3)]
    assert times[0] == pytest.approx(swing, abs=CLOSE)
    assert np.isnan(times[1:]).all()
    # The jammed one swings on: energy about the hinge, w^2 = 3 g sin(angle) / L.
    angle, rate = (
        batch.value(path)[1] for path in ("joints.hinge.rotation.y", "bodies.rod.angular_velocity.y")
    )
    assert rate**2 == pytest.approx(3 * GRAVITY / LENGTH * np.sin(angle), rel=CLOSE)
    np.testing.assert_allclose(batch.value("bodies.rod.velocity")[2], 0, atol=1e-12)


# --- load and stroke


def pushed(growth: float, until: ist.Trigger, kind: Any = "fixed", **more: Any) -> ist.Scenario:
    """Two bodies in line; a force on the one behind grows from zero, or is constant at once."""
    ramp = ist.ForceTable(time=[0, 2], value=[[0, 0, 0], [0, 0, 2 * growth]])
    bodies = tuple(
        ist.Body(name=name, mass=mass, inertia=[1, 1, 1], initial=ist.State(position=[0, 0, z]))
        for name, mass, z in (("stage", 3.0, 0.0), ("payload", 2.0, 1.0))
    )
    joint = ist.Joint(
        name="seam", kind=kind, parent="stage", child="payload", parent_at=[0, 0, 0.5], child_at=[0, 0, -0.5]
    )
    force = ist.Force(name="push", body="payload", axes="inertial", force=more.pop("force", ramp))
    return ist.Scenario(
        bodies=bodies,
        joints=(joint,),
        forces=(force,),
        phases=(
            ist.Phase(name="held", until=until),
            ist.Phase(name="apart", release=("seam",), until=ist.Trigger(elapsed=0.1)),
        ),
        solver=FINE,
    )


def test_overload_at_the_exact_time():
    """The seam carries the part of the stage's mass: it fails as 3/5 of 7 N/s t reaches 2 N."""
    limit = ist.Trigger(quantity="joints.seam.force.magnitude", reaches=2.0, direction="rising")
    flight = pushed(7.0, limit).run()
    assert time_of(flight, "apart") == pytest.approx(2.0 / (0.6 * 7.0), abs=CLOSE)
    assert flight.value("joints.seam.force.z", "apart", "before") == pytest.approx(-2.0, abs=CLOSE)
    assert flight.value("joints.seam.force.z", "apart") == 0


@pytest.mark.long
def test_a_launch_hold_lets_go_as_thrust_exceeds_weight():
    """Held to flat ground until nothing bears down on it any more: thrust growing at 50 N/s."""
    body = ist.Body(name="rocket", mass=MASS, inertia=[1, 1, 1], initial=ist.State())
    hold = ist.Joint(name="hold", kind="fixed", parent="ground", child="rocket")
    ramp = ist.ForceTable(time=[0, 2], value=[[0, 0, 0], [0, 0, 100.0]])
    lift = ist.Trigger(quantity="joints.hold.force.z", reaches=0.0, direction="falling")
    scenario = ist.Scenario(
        gravity=DOWN,
        planet=ist.FlatGround(),
        bodies=(body,),
        joints=(hold,),
        forces=(ist.Force(name="thrust", body="rocket", axes="inertial", force=ramp),),
        phases=(
            ist.Phase(name="held", until=lift),
            ist.Phase(name="flight", release=("hold",), until=ist.Trigger(elapsed=0.25)),
        ),
        solver=FINE,
    )
    flight = scenario.run()
    off = MASS * GRAVITY / 50.0
    assert time_of(flight, "flight") == pytest.approx(off, abs=CLOSE)
    assert abs(flight.value("joints.hold.force.z", "flight", "before")) < CLOSE
    # From there the lift grows from nothing: v = 50 N/s t^2 / (2 m).
    speed = 50.0 * 0.25**2 / (2 * MASS)
    np.testing.assert_allclose(flight["bodies.rocket.velocity"][-1], [0, 0, speed], rtol=0, atol=CLOSE)


@pytest.mark.long
def test_a_seam_that_is_overloaded_already_goes_at_once():
    limit = ist.Trigger(
        quantity="joints.seam.force.magnitude", reaches=2.0, direction="rising", already="fire"
    )
    assert time_of(pushed(0.0, limit, force=[0, 0, 10.0]).run(), "apart") == 0


def test_release_at_a_stroke():
    """A guide releases after 0.1 m: relative acceleration F/m of the payload against a stage at rest, and of
    the stage none."""
    reached = ist.Trigger(quantity="joints.seam.displacement.z", reaches=0.1, direction="rising")
    flight = pushed(0.0, reached, "translational", force=[0, 0, 5.0]).run()
    assert time_of(flight, "apart") == pytest.approx(np.sqrt(2 * 0.1 / (5.0 / 2.0)), abs=CLOSE)


TURNING = 2.0
HOOKS: dict[str, tuple[dict[str, Any], float]] = {
    "passed": ({"angle": 0.5, "direction": "rising"}, 0.5),
    "passed_either": ({"angle": 0.5}, 0.5),
    "other_side": ({"angle": -0.5}, (2 * np.pi - 0.5) / TURNING),
}
"""Hooks of a wheel that turns by 2 rad/s, armed at 0.5 s, and when they release."""


def test_a_hook_that_is_armed_past_its_angle_lets_go_at_once():
    """Past it is beyond it from zero, unless a direction is stated."""
    wheel = ist.Body(
        name="wheel", mass=1.0, inertia=[1, 1, 1], initial=ist.State(angular_velocity=[0, 0, TURNING])
    )
    hinge = ist.Joint(name="hinge", kind="revolute", parent="ground", child="wheel")
    hooks = [
        ist.HingeRelease(name=n, joint="hinge", after="armed", **given) for n, (given, _) in HOOKS.items()
    ]
    stretches = (("still", 0.5), ("armed", 3.0))
    whole = ist.Scenario(
        bodies=(wheel,),
        joints=(hinge,),
        devices=tuple(hooks),
        phases=tuple(ist.Phase(name=name, until=ist.Trigger(time=end)) for name, end in stretches),
        solver=FINE,
    )
    flight = whole.run()
    for name, (_, time) in HOOKS.items():
        assert time_of(flight, f"{name} released") == pytest.approx(time, abs=CLOSE), name


# --- latches


SPIN, CATCH = 2.0, np.radians(60.0)


def door(works: float = 1.0) -> ist.Scenario:
    """A body that turns about its own centre of mass, on a hinge of another, and is caught."""
    frame = ist.Body(name="frame", mass=4.0, inertia=[1, 1, 0.8], initial=ist.State())
    leaf = ist.Body(
        name="leaf",
        mass=3.0,
        inertia=[1, 1, 0.5],
        initial=ist.State(position=[1.2, 0, 0], angular_velocity=[0, 0, SPIN]),
    )
    ends = {"parent": "frame", "child": "leaf", "parent_at": [1.2, 0, 0]}
    joints = (
        ist.Joint(name="hinge", kind="revolute", **ends),
        ist.Joint(name="catch", kind="fixed", active=False, **ends),
    )
    latch = ist.Latch(
        name="hook",
        joint="catch",
        quantity="joints.hinge.rotation.z",
        reaches="60 deg",
        direction="rising",
        works=works,
    )
    coast = ist.Phase(name="coast", until=ist.Trigger(time=0.8))
    return ist.Scenario(bodies=(frame, leaf), joints=joints, devices=(latch,), phases=(coast,), solver=FINE)


def test_a_latch_catches_at_an_angle():
    """A plastic capture about the common centre of mass: the spin that both bodies go on with."""
    flight = door().run()
    assert time_of(flight, "hook caught") == pytest.approx(CATCH / SPIN, abs=CLOSE)
    whole = 0.8 + 0.5 + 4.0 * 3.0 / 7.0 * 1.2**2
    for name in ("frame", "leaf"):
        spin = flight.value(f"bodies.{name}.angular_velocity.z", "hook caught")
        assert spin == pytest.approx(0.5 * SPIN / whole, rel=1e-12)
    np.testing.assert_allclose(flight["joints.hinge.rotation"][-1], [0, 0, CATCH], rtol=0, atol=CLOSE)
    assert flight.value("devices.hook.state", "hook caught") == 0


def test_a_latch_that_fails_lets_the_leaf_turn_on():
    flight = door(works=0.0).run()
    assert happened(flight) == {"coast", "end"}
    assert flight["joints.hinge.rotation"][-1][2] == pytest.approx(0.8 * SPIN, abs=CLOSE)


# --- stops


def stopped(damping: float, kind: str = "hinge_stop") -> ist.Scenario:
    """A wheel, or a cart, that runs against a stop."""
    wheel = kind == "hinge_stop"
    moving: dict[str, Any] = {"angular_velocity": [0, 0, SPIN]} if wheel else {"velocity": [0, 0, SPIN]}
    body = ist.Body(name="mover", mass=INERTIA, inertia=[1, 1, INERTIA], initial=ist.State(**moving))
    joint = ist.Joint(
        name="guide", kind="revolute" if wheel else "translational", parent="ground", child="mover"
    )
    law = ist.HingeStop if wheel else ist.Stop
    end = law(name="end", joint="guide", axis="z", upper=BOUND, stiffness=STIFF, damping=damping)
    coast = ist.Phase(name="coast", until=ist.Trigger(time=0.6))
    return ist.Scenario(
        bodies=(body,),
        joints=(joint,),
        forces=(end,),
        phases=(coast,),
        solver=FINE,
        output=ist.Output(interval=0.01),
    )


INERTIA, STIFF, BOUND = 0.5, 2000.0, 0.4


@pytest.mark.parametrize("damping", [0.0, 8.0])
@pytest.mark.parametrize("kind", ["hinge_stop", pytest.param("stop", marks=pytest.mark.long)])
def test_a_stop_pushes_back_and_never_pulls(kind, damping):
    """Half an oscillation against the stop, up to where the damper would pull."""
    flight = stopped(damping, kind).run()
    decay, natural = damping / (2 * INERTIA), np.sqrt(STIFF / INERTIA)
    swing = np.sqrt(natural**2 - decay**2)

    def beyond(t):
        return SPIN / swing * np.exp(-decay * t) * np.sin(swing * t)

    def rate(t):
        return SPIN * np.exp(-decay * t) * (np.cos(swing * t) - decay / swing * np.sin(swing * t))

    free: Any = brentq(
        lambda t: STIFF * beyond(t) + damping * rate(t), 0.5 * np.pi / swing, np.pi / swing + 1e-9, xtol=1e-15
    )
    path = "joints.guide.rotation" if kind == "hinge_stop" else "joints.guide.displacement"
    meets = BOUND / SPIN
    expected = np.where(
        flight.time < meets,
        SPIN * flight.time,
        BOUND
        + np.where(
            flight.time - meets < free,
            beyond(flight.time - meets),
            beyond(free) + rate(free) * (flight.time - meets - free),
        ),
    )
    np.testing.assert_allclose(flight[path][:, 2], expected, rtol=0, atol=CLOSE)
    load = flight[f"forces.end.{'torque' if kind == 'hinge_stop' else 'force'}"]
    assert load.max() <= 0
    assert load.min() < -0.5 * SPIN * np.sqrt(STIFF * INERTIA)
    if damping == 0:
        energy = flight["system.energy"]
        np.testing.assert_allclose(energy, energy[0], rtol=CLOSE)


# --- rails


REACH, BACK, AHEAD, ALONG = 1.0, 0.3, 0.4, 3.0
"""End of the rail, places of the lugs behind and ahead of the centre of mass [m], and speed [m/s]."""
PITCH = 0.6


def railed(works: Any = 1.0) -> ist.Scenario:
    """A rod that slides along a level rail on two lugs, with gravity across."""
    rod = ist.Body(
        name="rod", mass=MASS, inertia=[0.1, PITCH, PITCH], initial=ist.State(velocity=[ALONG, 0, 0])
    )
    lug: dict[str, Any] = {"kind": "generalized", "parent": "ground", "child": "rod"}
    joints = (
        ist.Joint(
            name="fore", locked=("ty", "tz"), parent_at=[AHEAD, 0, 0.1], child_at=[AHEAD, 0, 0.1], **lug
        ),
        # Its point on the rail is not where the lug is at the start: only the end of the rail counts.
        ist.Joint(
            name="aft", locked=("ty", "tz", "rx"), parent_at=[-0.5, 0, 0.1], child_at=[-BACK, 0, 0.1], **lug
        ),
    )
    rail = ist.Rail(name="rail", lugs=("fore", "aft"), end=[REACH, 0, 0.1], works=works)
    gone = ist.Trigger(time=0.6)
    return ist.Scenario(
        gravity=DOWN,
        bodies=(rod,),
        joints=joints,
        devices=(rail,),
        phases=(ist.Phase(name="run", until=gone),),
        solver=FINE,
    )


def tipped() -> tuple[float, np.ndarray]:
    """Between the lugs' departures, and pitch, its rate and the lug's speed at the second, by Lagrange's
    equations in the place s of the aft lug and the pitch p, nose down; the centre of mass is at (s, 0) + R(p)
    (BACK, -0.1) from it, z upwards."""
    b, c, m = BACK, -0.1, MASS

    def rates(_, state):
        _, speed, p, w = state
        # Place of the mass centre: x = s + b cos p + c sin p, z = -b sin p + c cos p.
        xp, zp = -b * np.sin(p) + c * np.cos(p), -b * np.cos(p) - c * np.sin(p)
        xpp, zpp = -b * np.cos(p) - c * np.sin(p), b * np.sin(p) - c * np.cos(p)
        mass = np.array([[m, m * xp], [m * xp, m * (xp**2 + zp**2) + PITCH]])
        force = [-m * xpp * w**2, -m * (xp * xpp + zp * zpp) * w**2 - m * GRAVITY * zp]
        return [speed, *np.linalg.solve(mass, force)[:1], w, np.linalg.solve(mass, force)[1]]

    def leaves(_, state):
        return state[0] - REACH

    leaves.terminal = True
    begun = [REACH - AHEAD - BACK, ALONG, 0, 0]
    found = solve_ivp(rates, (0, 2), begun, "DOP853", rtol=1e-13, atol=1e-14, events=leaves)
    return float(found.t[-1]), found.y[:, -1]


def test_lugs_leave_a_rail_one_by_one_and_the_rod_tips_off():
    flight = railed().run()
    first = (REACH - AHEAD) / ALONG
    assert time_of(flight, "rail: fore off") == pytest.approx(first, abs=CLOSE)
    between, (_, speed, pitch, rate) = tipped()
    second = "rail: aft off"
    assert time_of(flight, second) == pytest.approx(first + between, abs=CLOSE)
    assert flight.value("bodies.rod.angular_velocity.y", second) == pytest.approx(rate, abs=CLOSE)
    assert flight.value("joints.aft.rotation.y", second, "before") == pytest.approx(pitch, abs=CLOSE)
    assert abs(rate) > 0.5
    assert speed != ALONG
    np.testing.assert_allclose(flight.value("devices.rail.left", second), [-0.7, 0], rtol=0, atol=0.05)
    assert abs(flight.value("devices.rail.left.aft", second)) < CLOSE
    spin = flight["bodies.rod.angular_velocity"][-1]
    np.testing.assert_allclose(spin, [0, rate, 0], rtol=0, atol=CLOSE)


def test_a_rail_that_lets_no_lug_go_is_longer():
    """They run on beyond its end."""
    flight = railed(0.0).run()
    assert flight.value("devices.rail.left.fore", "end") < -0.5
    assert happened(flight) == {"run", "end"}
    np.testing.assert_allclose(flight["bodies.rod.velocity"][-1], [ALONG, 0, 0], rtol=0, atol=CLOSE)
