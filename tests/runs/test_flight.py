"""Whole flights: what they conserve, what captures lose, releases, samples and restarts.

They all fly one structure, with other numbers: see `separation`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interstage as ist
from engine_door import derivative, instant, mechanism_of, packed, projected, quickly
from interstage.runs import run as simulate
from interstage.stepper.step import advance
from interstage.stepper.tableau import METHODS
from interstage.tree.errors import BadInput
from mechanics import COAST, EPS, matrix
from separation import DRIFT, ENDS, PHASES, SAMPLES, SPENT, STEPS, at, flown, separation, time_of

pytestmark = pytest.mark.usefixtures("long_flights")

# --- conservation -------------------------------------------------------------------------------------------


def test_events_come_when_they_should():
    record = flown()
    assert record.completed
    assert [name for name, _, _ in record.phases] == list(PHASES)
    times = [time_of(record, name) for name in (*PHASES[1:], "end")]
    np.testing.assert_allclose(times, ENDS, rtol=0, atol=8 * EPS * ENDS[-1])
    assert (
        time_of(record, "apart")
        < time_of(record, SPENT[0])
        < time_of(record, SPENT[1])
        < time_of(record, "caught")
    )
    np.testing.assert_array_equal(record.time, SAMPLES)


def test_momentum_is_conserved_through_everything():
    """Joints, springs, captures and releases act between the bodies: their forces cancel to rounding."""
    record = flown()
    momentum = record.series["system.momentum"]
    size: Any = sum(
        b.mass * np.linalg.norm(record.series[f"bodies.{b.name}.velocity"], axis=1).max()
        for b in record.scenario.bodies
    )
    np.testing.assert_allclose(
        momentum, momentum[:1].repeat(len(SAMPLES), 0), rtol=0, atol=STEPS * EPS * size
    )
    total = sum(b.mass for b in record.scenario.bodies)
    line = record.series["system.mass_centre"][0] + np.outer(SAMPLES, momentum[0] / total)
    # The centre of gravity's field is 7000 km away, but the bodies stay within 10 m of the inertial origin.
    np.testing.assert_allclose(record.series["system.mass_centre"], line, rtol=0, atol=STEPS * EPS * 10)


def test_angular_momentum_is_conserved_through_everything():
    record = flown()
    value = record.series["system.angular_momentum"]
    size = float(np.linalg.norm(value[0])) + 20  # kg m^2/s; the parts are of the size of their sum
    np.testing.assert_allclose(value, value[:1].repeat(len(SAMPLES), 0), rtol=0, atol=DRIFT * size)


@pytest.mark.parametrize("phase", PHASES)
def test_energy_is_conserved_within_each_phase(phase):
    record = flown()
    _, begin, end = next(row for row in record.phases if row[0] == phase)
    inside = (record.time >= begin) & (record.time < end)
    energy = record.series["system.energy"][inside]
    assert len(energy) > 2
    first = at(record, phase, "system.energy")
    scale = (
        record.series["system.kinetic_energy"].max() + np.abs(record.series["system.potential_energy"]).max()
    )
    np.testing.assert_allclose(energy, first, rtol=0, atol=DRIFT * scale)


def test_an_external_force_changes_momentum():
    """The negative control: by its impulse, and angular momentum and energy with it."""
    still, pushed = flown(), flown(shove=2.0)
    change = pushed.series["system.momentum"][-1] - pushed.series["system.momentum"][0]
    # 2 N over 2.7 s, in a direction that turns with the stage: by an angle a, which takes off a^2/24 of it.
    assert np.linalg.norm(change) == pytest.approx(5.4, rel=1 / 24)
    spin = pushed.series["system.angular_momentum"]
    assert np.abs(spin[-1] - spin[0]).max() > 1e-2
    for a, b in zip(still.events, pushed.events):
        assert a.name == b.name


# --- holding, locking, letting go, catching -----------------------------------------------------------------


def test_samples_and_both_sides_of_events_are_on_the_constraints():
    record = flown()
    for joint in ("clamp", "latch"):
        for values in (record.series, record.before, record.after):
            # Points up to 4 m from the inertial origin, and rates up to 4 m/s.
            assert values[f"joints.{joint}.violation"].max() <= 16 * EPS * 4
            assert values[f"joints.{joint}.violation_rate"].max() <= 16 * EPS * 4
    active = record.series["joints.clamp.active"]
    assert set(active[record.time < ENDS[0]]) == {1.0}
    assert set(active[record.time > ENDS[2] + 1e-9]) == {0.0}


def test_samples_do_not_depend_on_the_steps():
    """Other sample times: the same steps, and the same values at common times to the last bit."""
    times = np.sort(np.concatenate([SAMPLES[::2], SAMPLES[::2] + 0.03]))
    record, other = flown(), simulate.fly(separation(times=times))
    assert record.statistics["steps accepted"] == other.statistics["steps accepted"]
    assert [e.time for e in record.events] == [e.time for e in other.events]
    shared, mine, theirs = np.intersect1d(record.time, other.time, return_indices=True)
    assert len(shared) > 2
    for path, values in record.series.items():
        np.testing.assert_array_equal(values[mine], other.series[path][theirs], err_msg=path)


def test_samples_between_the_steps_are_as_good_as_the_steps():
    """A looser flight takes other steps; its samples agree with the tighter one's as its own tolerance has
    it."""
    record, loose = flown(), flown(tolerance=1e-8)
    assert loose.statistics["steps accepted"] < 0.8 * record.statistics["steps accepted"]
    for body in ("stage", "payload", "catcher"):
        found, exact = (r.series[f"bodies.{body}.position"] for r in (loose, record))
        np.testing.assert_allclose(found, exact, rtol=0, atol=STEPS * 1e-8 * 10)


def test_a_fixed_joint_holds_and_a_hinge_turns_about_its_axis():
    record = flown()
    rotation, displacement = (
        record.series["joints.clamp.rotation"],
        record.series["joints.clamp.displacement"],
    )
    held = record.time <= ENDS[0]
    np.testing.assert_allclose(rotation[held], np.zeros_like(rotation[held]), rtol=0, atol=64 * EPS)
    hinged = record.time <= ENDS[2]
    np.testing.assert_allclose(rotation[hinged, :2], np.zeros((hinged.sum(), 2)), rtol=0, atol=64 * EPS)
    np.testing.assert_allclose(displacement[hinged], np.zeros((hinged.sum(), 3)), rtol=0, atol=16 * EPS * 4)
    locked = (record.time > ENDS[1]) & hinged
    assert np.ptp(rotation[locked, 2]) <= 64 * EPS
    assert rotation[locked, 2].min() > 0.1


def mass_matrix(record):
    """M over [v inertial, w body] of all bodies."""
    n = len(record.scenario.bodies)
    m = np.zeros((6 * n, 6 * n))
    for k, body in enumerate(record.scenario.bodies):
        m[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = body.mass * np.eye(3)
        m[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = body.inertia
    return m


def velocities(record, event, side):
    parts = [
        at(record, event, f"bodies.{body.name}.{what}", side)
        for body in record.scenario.bodies
        for what in ("velocity", "angular_velocity")
    ]
    return np.concatenate(parts)


@pytest.mark.parametrize("event", ["locked", "caught"])
def test_plastic_capture_loses_the_energy_of_the_lost_motion(event):
    """The velocities jump, nothing else; the energy lost is that of the change itself (Carnot)."""
    record = flown()
    before, after = (velocities(record, event, side) for side in ("before", "after"))
    m = mass_matrix(record)
    lost = at(record, event, "system.energy", "before") - at(record, event, "system.energy")
    scale = at(record, event, "system.kinetic_energy", "before")
    expected = 0.5 * (before - after) @ m @ (before - after)
    assert expected > 1e-3 * scale
    assert lost == pytest.approx(expected, rel=0, abs=64 * EPS * 4 * scale)
    for body in record.scenario.bodies:
        for what in ("position", "attitude"):
            path = f"bodies.{body.name}.{what}"
            np.testing.assert_allclose(
                at(record, event, path), at(record, event, path, "before"), rtol=0, atol=16 * EPS * 4
            )


@pytest.mark.parametrize(
    ("event", "joint", "child"), [("locked", "clamp", "payload"), ("caught", "latch", "catcher")]
)
def test_impulse_is_the_change_of_momentum(event, joint, child):
    """On the child at the joint point, from the parent's joint frame; the parent's share is the opposite."""
    record = flown()
    item: Any = next(j for j in record.scenario.joints if j.name == joint)
    parts = {b.name: b for b in record.scenario.bodies}
    turn = {name: matrix(at(record, event, f"bodies.{name}.attitude")) for name in (item.parent, item.child)}
    frame = turn[item.parent] @ matrix(item.parent_frame.quaternion)
    impulse = frame @ at(record, event, f"joints.{joint}.impulse")
    angular = frame @ at(record, event, f"joints.{joint}.angular_impulse")
    change = {
        (name, what): at(record, event, f"bodies.{name}.{what}")
        - at(record, event, f"bodies.{name}.{what}", "before")
        for name in (item.parent, item.child)
        for what in ("velocity", "angular_velocity")
    }
    size = np.linalg.norm(impulse) + np.linalg.norm(angular)
    assert size > 0.1
    bound = {"rtol": 0, "atol": 64 * EPS * 40}  # momenta up to 40 N s before and after
    for name, sign in ((item.child, 1.0), (item.parent, -1.0)):
        np.testing.assert_allclose(parts[name].mass * change[name, "velocity"], sign * impulse, **bound)
    point = turn[item.child] @ (item.child_at - parts[item.child].mass_centre)
    where = at(record, event, f"bodies.{item.child}.position") + point
    for name, sign in ((item.child, 1.0), (item.parent, -1.0)):
        arm = where - at(record, event, f"bodies.{name}.position")
        gained = turn[name] @ parts[name].inertia @ change[name, "angular_velocity"]
        np.testing.assert_allclose(gained, sign * (angular + np.cross(arm, impulse)), **bound)
    assert child == item.child


def test_energy_lost_by_a_caught_ball_is_that_of_a_plastic_impact():
    """Half the approach velocity squared times the effective mass of the two points, 3 by 3, from the states
    before."""
    record = flown()
    item = next(j for j in record.scenario.joints if j.name == "latch")
    effective, approach = np.zeros((3, 3)), np.zeros(3)
    for name, point, sign in ((item.parent, item.parent_at, -1.0), (item.child, item.child_at, 1.0)):
        body = next(b for b in record.scenario.bodies if b.name == name)
        told = lambda what, name=name: at(record, "caught", f"bodies.{name}.{what}", "before")  # noqa: E731
        turn = matrix(told("attitude"))
        # The parent is struck where the child's point is.
        arm = turn @ (point - body.mass_centre)
        if name == item.parent:
            child = next(b for b in record.scenario.bodies if b.name == item.child)
            there = at(record, "caught", f"bodies.{item.child}.attitude", "before")
            where = at(record, "caught", f"bodies.{item.child}.position", "before")
            arm = where + matrix(there) @ (item.child_at - child.mass_centre) - told("position")
        inverse = turn @ np.linalg.inv(body.inertia) @ turn.T
        skew = np.cross(np.eye(3), arm)
        effective += np.eye(3) / body.mass + skew @ inverse @ skew.T
        approach += sign * (told("velocity") + np.cross(turn @ told("angular_velocity"), arm))
    expected = 0.5 * approach @ np.linalg.solve(effective, approach)
    lost = at(record, "caught", "system.energy", "before") - at(record, "caught", "system.energy")
    assert lost == pytest.approx(
        expected, rel=0, abs=64 * EPS * 4 * at(record, "caught", "system.kinetic_energy", "before")
    )


def test_kickoff_springs_give_their_energy():
    """At the release the two springs' energy comes into play; when spent it has all become motion (and
    tether)."""
    record = flown()
    devices: Any = record.scenario.devices
    travel = {
        d.name: d.preload / d.stiffness - at(record, "apart", f"devices.{d.name}.stroke") for d in devices
    }
    stored = sum(0.5 * d.stiffness * travel[d.name] ** 2 for d in devices)
    gained = at(record, "apart", "system.energy") - at(record, "apart", "system.energy", "before")
    assert gained == pytest.approx(stored, rel=0, abs=64 * EPS * at(record, "apart", "system.kinetic_energy"))
    for name, event in zip(("left", "right"), SPENT, strict=True):
        device = next(d for d in record.scenario.devices if d.name == name)
        # An event's time is known to 1e-10 s, at speeds up to 4 m/s.
        assert at(record, event, f"devices.{name}.stroke") == pytest.approx(device.stroke, abs=4e-10)
        assert at(record, event, f"devices.{name}.state", "before") == 1
        assert at(record, event, f"devices.{name}.state") == at(record, event, f"devices.{name}.force") == 0


def test_straight_lines_after_the_release():
    """Without the tether, between the springs' end and the catch: constant velocities, and angular
    momenta."""
    record = flown(tether=0.0)
    free = (record.time > time_of(record, SPENT[1])) & (record.time < ENDS[3])
    assert free.sum() > 5
    for body in record.scenario.bodies:
        velocity = record.series[f"bodies.{body.name}.velocity"][free]
        np.testing.assert_allclose(
            velocity, velocity[:1].repeat(len(velocity), 0), rtol=0, atol=STEPS * EPS * 4
        )
        turn = matrix(record.series[f"bodies.{body.name}.attitude"][free].T)
        spin = record.series[f"bodies.{body.name}.angular_velocity"][free]
        momentum = np.einsum("tij,jk,tk->ti", turn, body.inertia, spin)
        size = float(np.linalg.norm(momentum[0]))
        np.testing.assert_allclose(momentum, momentum[:1].repeat(len(momentum), 0), rtol=0, atol=DRIFT * size)


def test_a_joint_that_is_not_held_drifts_off():
    """The negative control of the constraint tests: two seconds of coarse rk4 steps, left alone and
    projected."""
    body = ist.Body(name="bob", mass=2.0, inertia=[0.1, 0.2, 0.3], initial=ist.State(position=[0, -1, 0]))
    pin = ist.Joint(name="pin", kind="revolute", parent="ground", child="bob", child_at=[0, 1, 0])
    down = ist.UniformGravity(acceleration=[3.0, -9.0, 0])
    scenario = ist.Scenario(gravity=down, bodies=(body,), joints=(pin,), phases=COAST)
    x = packed(np.array([[0], [-1.0], [0]]), np.zeros((3, 1)), np.eye(4)[:, :1], np.zeros((3, 1)))

    @quickly
    def worst():
        mechanism = mechanism_of(scenario)
        flow = partial(derivative, mechanism)

        def gap(onto):
            def step(k, x):
                return advance(METHODS["rk4"], flow, onto, 0.05 * k, 0.05 * (k + 1), x, 0 * x, first=0).x

            end = jax.lax.fori_loop(0, 40, step, jnp.asarray(x))
            return jnp.abs(instant(mechanism, 2.0, end).rows.g).max()

        return gap(lambda t, x: x), gap(partial(projected, mechanism))

    alone, put_back = worst()
    assert alone > 1e-8
    assert put_back <= 8 * EPS


# --- restarts -----------------------------------------------------------------------------------------------


def test_states_that_another_version_kept_are_no_restart():
    """Its names of what parts keep, or its numbers of the state, are not those of the parts at hand."""
    whole = flown()
    renamed = {name.replace("own.pushers.", ""): values for name, values in whole.restart.items()}
    for other, what in (
        (renamed, "discrete.own.pushers.pushing"),
        (whole.restart | {"state": whole.restart["state"][:, :-1]}, "state"),
        (whole.restart | {"state_of.tanks": np.array([0, 1])}, "state_of.tanks"),
    ):
        with pytest.raises(
            BadInput,
            match=f"cannot be continued.*{what}.* is missing or differs.*Run the"
            " scenario of the flight again",
        ):
            simulate.fly(separation(), resume=(other, 1))


@pytest.mark.parametrize("event", ["hinged", "locked", "left spent", "caught"])
def test_a_restart_goes_on_as_if_nothing_had_been(event):
    """From just after an event: the later events and samples are those of the whole flight, to the tolerance,
    as the first step after a restart is chosen anew."""
    whole = flown()
    index = [e.name for e in whole.events].index(event)
    rest = simulate.fly(separation(), resume=(whole.restart, index))
    assert rest.completed
    assert rest.phases[0][0] == whole.events[index].phase
    later = whole.events[index + 1 :]
    assert [e.name for e in rest.events] == [e.name for e in later]
    np.testing.assert_allclose([e.time for e in rest.events], [e.time for e in later], rtol=0, atol=1e-9)
    shared = whole.time >= whole.events[index].time
    np.testing.assert_array_equal(rest.time, whole.time[shared])
    for path, values in whole.series.items():
        scale = max(np.abs(values).max(), 1.0)
        # Loads change by the second derivatives of what the tolerance bounds: another order of magnitude.
        np.testing.assert_allclose(
            rest.series[path], values[shared], rtol=0, atol=10 * DRIFT * scale, err_msg=path
        )


def spinning(**options):
    """Two phases; the event between them lies between the steps, the samples on every tenth of these."""
    start = ist.State(angular_velocity=[1, 2, 3])
    body = ist.Body(name="a", mass=2.0, inertia=[1, 1.2, 1.5], initial=start)
    phases = (
        ist.Phase(name="one", until=ist.Trigger(time=0.1033)),
        ist.Phase(name="two", until=ist.Trigger(time=0.5)),
    )
    solver = ist.Solver(method="rk4", step=0.01, **options)
    return ist.Scenario(bodies=(body,), phases=phases, solver=solver, output=ist.Output(interval=0.1))


def test_an_end_that_falls_on_the_time_limit_is_no_early_end():
    record = simulate.fly(spinning(time_limit=0.5))
    assert (record.outcome, record.completed) == ("Completed at 0.5 s.", True)
    assert [event.name for event in record.events] == ["one", "two", "end"]


def test_a_flight_gone_on_with_takes_the_same_fixed_steps():
    flight = spinning()
    whole = simulate.fly(flight)
    rest = simulate.fly(flight, resume=(whole.restart, [e.name for e in whole.events].index("two")))
    path = "bodies.a.attitude"
    np.testing.assert_array_equal(rest.series[path][1:], whole.series[path][2:])
    assert (whole.earlier, rest.earlier) == ((), ("one", "two"))
    with pytest.raises(BadInput, match="the flight ends at 'end' and cannot continue"):
        simulate.fly(flight, resume=(whole.restart, [e.name for e in whole.events].index("end")))
