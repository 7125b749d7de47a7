"""Impacts on the ground: which flights end there, and what is reported of them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine_door import Layout, events_of, part_of
from interstage import BadInput, Scenario, open_flight
from interstage.engine.contract import HasEvents
from interstage.parts.ground_impact.flown import SINKING
from interstage.reading import loads
from interstage.record.requirements import evaluate
from interstage.report.summary import tables

G = 9.80665
TIME = 1e-9
"""Allowed error of a time [s]: the event is located to rounding of some seconds, and the flight path is a
parabola, which the integrator follows to rounding."""


def scenario(ground: Any = "end", phases: Any = None, **changes: Any) -> Scenario:
    bodies = {
        name: {
            "mass": 2.0,
            "inertia": [1.0, 1.0, 1.0],
            "initial": {"north": 0.0, "altitude": height, "velocity_ned": [3.0, 0.0, -up]},
        }
        for name, height, up in (("ball", 20.0, 0.0), ("rock", 0.0, 30.0))
    }
    return Scenario(
        gravity={"kind": "uniform", "acceleration": [0.0, 0.0, -G]},
        planet="flat",
        ground=ground,
        bodies=bodies,
        phases=phases or {"fall": {"until": {"elapsed": 60.0}}},
        output={"interval": 1.0},
        **changes,
    )


def landing(height: Any, up: Any) -> Any:
    """Time at which a throw from a height [m] with an upward speed [m/s] falls to altitude zero."""
    return (up + np.sqrt(up**2 + 2 * G * height)) / G


@pytest.fixture(scope="module")
def ended():
    return scenario().prepare()


@pytest.fixture(scope="module")
def dropped(ended):
    return ended.run()


def test_a_flight_ends_when_its_first_body_falls_to_the_ground(dropped):
    assert not dropped.completed
    assert dropped.outcome.startswith("Ended early at 2.01961998 s: ball reached the ground. ")
    assert 'To continue after the impact, set ground = "record".' in dropped.outcome
    assert [event.name for event in dropped.record.events] == ["fall", "ball impact"]
    assert dropped.time[-1] == pytest.approx(landing(20.0, 0.0), abs=TIME)
    assert not any("ground" in text for text in dropped.record.warnings)


def test_an_impact_has_its_place_speed_path_and_energy(dropped):
    (impact,) = dropped.impacts.to_dict("records")
    fall = G * landing(20.0, 0.0)
    wanted = {"north": 3.0 * landing(20.0, 0.0), "east": 0.0, "altitude": 0.0, "speed": np.hypot(3.0, fall)}
    wanted |= {"flight_path_angle": -np.arctan2(fall, 3.0), "mass": 2.0, "energy": 9.0 + fall**2}
    for name, value in wanted.items():
        assert impact[name] == pytest.approx(value, rel=1e-11, abs=1e-8), name  # of 6 m and 400 J: rounding
    assert (impact["body"], impact["leg"]) == ("ball", "")
    assert np.isnan(impact["latitude"])
    shown = next(table for table in tables(dropped.record) if table.key == "impacts")
    assert shown.rows == [["ball", "2.01962", "6.0589", "0", "0.0", "20.032", "-81.387", "401.27"]]


def test_a_saved_flight_has_its_impacts(dropped, tmp_path: Path):
    found = open_flight(dropped.save(tmp_path / "drop.nc")).impacts
    assert found.equals(dropped.impacts)


def test_a_start_below_the_ground_is_no_impact(ended):
    """A body that rises from there has its impact when it comes back; one that sinks has none."""
    start = {"bodies.ball.initial.altitude": -5.0, "bodies.ball.initial.velocity_ned": [0.0, 0.0, -20.0]}
    up = ended.run(start)
    assert [one.name for one in up.record.events] == ["fall", "ball impact"]
    assert up.time[-1] == pytest.approx(landing(-5.0, 20.0), abs=TIME)
    start |= {"bodies.ball.initial.velocity_ned": [0.0, 0.0, 1.0]}
    down = ended.run(start)
    assert [one.name for one in down.record.events] == ["fall", "rock impact"]
    assert down.time[-1] == pytest.approx(landing(0.0, 30.0), abs=TIME)


@pytest.mark.parametrize("down", [0.0, 2.0])
def test_a_body_that_sinks_from_a_start_on_the_ground_has_an_impact(ended, down):
    """By closed form at the depth of `SINKING`, with the remedies in a warning."""
    start = {"bodies.ball.initial.altitude": 0.0, "bodies.ball.initial.velocity_ned": [0.0, 0.0, down]}
    flight = ended.run(start)
    assert [one.name for one in flight.record.events] == ["fall", "ball impact"]
    assert flight.time[-1] == pytest.approx(landing(SINKING, -down), abs=TIME)
    (text,) = [text for text in flight.record.warnings if "ground" in text]
    assert text.startswith("Body ball reached the ground at ")
    assert "Start with full thrust, or hold the body" in text
    assert 'coordinates = "held"' in text


PAD = """
planet = { kind = "KIND" }
gravity = GRAVITY
[bodies.rocket]
mass = "400 kg"
inertia = "[1000, 1000, 100] kg m^2"
elements.grain = { kind = "point", propellant = "600 kg", at = "[0, 0, 0] m" }
[bodies.rocket.initial]
PLACE
altitude = "0 m"
attitude_axes = "level"
attitude = { euler = "3-2-1", angles = "[0, 90, 0] deg" }
[engines.main]
kind = "motor"
body = "rocket"
at = "[0, 0, 0] m"
thrust = { time = [0, BUILD_UP, 100], value = "[FIRST, 20e3, 20e3] N" }
grain = "rocket.grain"
ignited = true
[phases.up]
until = { elapsed = "1 s" }
"""


def pad(turns: bool, build_up: float, first: float) -> Any:
    """A rocket of 1 t on the ground, with its full thrust of 20 kN after a time [s]."""
    text = PAD.replace("BUILD_UP", str(build_up)).replace("FIRST", str(first))
    kinds = ("flat", f'{{ kind = "uniform", acceleration = [0, 0, -{G}] }}', "north = 0")
    kinds = ("earth", '"zonal"', 'latitude = "28 deg"\nlongitude = "10 deg"') if turns else kinds
    for name, value in zip(("KIND", "GRAVITY", "PLACE"), kinds, strict=True):
        text = text.replace(name, value)
    return loads(text).run()


@pytest.mark.parametrize("turns", [pytest.param(False, marks=pytest.mark.long), True])
def test_a_rocket_with_full_thrust_rises_from_the_ground(turns):
    flight = pad(turns, 0.2, 20e3)
    assert flight.completed
    assert not any("ground" in text for text in flight.record.warnings)
    rises = 0.5 * (20e3 / 1000 - G)
    altitude = flight.value("bodies.rocket.altitude", "end")
    assert altitude == pytest.approx(rises, rel=0.02)  # the mass falls by 1 %


@pytest.mark.parametrize("turns", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_rocket_whose_thrust_builds_up_slowly_sinks_without_a_pad(turns):
    """By a third-order polynomial: the thrust grows linearly from zero to twice the weight in 0.5 s."""
    flight = pad(turns, 0.5, 0.0)
    assert not flight.completed
    assert "rocket reached the ground" in flight.outcome
    sunk = np.roots([20e3 / 1000 / 0.5 / 6, -G / 2, 0.0, SINKING])
    wanted = np.min(sunk[np.isreal(sunk) & (sunk.real > 0)].real)
    assert flight.time[-1] == pytest.approx(wanted, rel=0.01)  # gravity differs by up to 0.3 %
    assert any("hold the body until the thrust exceeds the weight" in text for text in flight.record.warnings)


@pytest.mark.long
def test_a_rocket_whose_thrust_builds_up_quickly_rises():
    """It sinks by 6 cm: the thrust reaches the weight after 0.1 s, and twice the weight after 0.2 s."""
    flight = pad(False, 0.2, 0.0)
    assert flight.completed
    assert flight.value("bodies.rocket.altitude", "end") > 3.0


HELD_FIRST = (
    PAD.partition("[phases.up]")[0]
    + """
[legs.pad]
coordinates = "held"
phases.wait = { until = { quantity = "bodies.rocket.thrust_to_weight", reaches = 1.2, direction = "rising" } }
[legs.flight]
after = { leg = "pad" }
phases.up = { until = { elapsed = "1 s" } }
"""
)


def test_a_leg_that_is_held_is_the_pad_on_a_planet_that_rotates():
    """The thrust of 20 kN in 0.2 s reaches 1.2 weights after 0.118 s; then the rocket rises."""
    text = HELD_FIRST.replace("BUILD_UP", "0.2").replace("FIRST", "0").replace("KIND", "earth")
    text = text.replace("GRAVITY", '"zonal"').replace("PLACE", 'latitude = "28 deg"\nlongitude = "10 deg"')
    flight = loads(text).run()
    assert flight.completed, flight.outcome
    assert flight.record.legs["flight"].phases[0][1] == pytest.approx(0.2 * 1.2 * G / 20, rel=0.005)
    assert flight.record.legs["flight"].series["bodies.rocket.altitude"][-1] > 4.0
    assert not any("ground" in text for text in flight.record.legs["flight"].warnings)


@pytest.mark.long
def test_throws_drawn_at_random_come_down_when_they_should(ended):
    """Cases of one batch, each of which ends by itself: from above the ground, from it, and from below it,
    some of which never rise above it. Those that sink from the ground end soon."""
    draw = np.random.default_rng(8)
    height, up = draw.uniform(-20.0, 200.0, 500), draw.uniform(-30.0, 60.0, 500)
    height[:50] = 0.0
    velocity = np.stack([draw.uniform(-50.0, 50.0, 500), np.zeros(500), -up], 1)
    far = {"bodies.rock.initial.altitude": np.full(500, 1e5)}
    moves = {"bodies.ball.initial.altitude": height, "bodies.ball.initial.velocity_ned": velocity}
    batch = ended.scenario.run_batch(moves | far, samples=False)
    sinks = (height == 0) & (up <= 0)
    never = (height < 0) & ((up <= 0) | (up**2 + 2 * G * height <= 0))
    start = np.where(sinks, SINKING, np.where(never, 1.0, height))
    wanted = np.where(never, 60.0, landing(start, np.where(never, 0.0, up)))
    assert 10 < np.sum(sinks) < 40
    assert 10 < np.sum(never) < 200
    assert np.max(np.abs(batch.time - wanted)) < TIME
    assert np.array_equal(batch.completed, never)
    first = int(np.flatnonzero(~never)[0])
    assert "ball reached the ground" in batch.outcome(first)[0]


def test_a_flight_records_each_impact_once_and_goes_on():
    """Also that of a body that sinks from the ground."""
    recorded = scenario("record").prepare()
    flight = recorded.run()
    assert flight.completed
    assert flight.time[-1] == 60.0
    found = flight.impacts
    assert list(found.body) == ["ball", "rock"]
    assert np.allclose(found.time, [landing(20.0, 0.0), landing(0.0, 30.0)], rtol=0, atol=TIME)
    found = recorded.run({"bodies.ball.initial.altitude": 0.0}).impacts
    assert list(found.body) == ["ball", "rock"]
    assert np.allclose(found.time, [landing(SINKING, 0.0), landing(0.0, 30.0)], rtol=0, atol=TIME)


def test_the_end_of_a_phase_at_the_ground_takes_precedence():
    lands = {"quantity": "bodies.ball.altitude", "reaches": 0.0, "direction": "falling"}
    phases = {"fall": {"until": lands}, "dig": {"until": {"elapsed": 1.0}}}
    flight = scenario(phases=phases).run()
    assert flight.completed
    assert [event.name for event in flight.record.events] == ["fall", "dig", "ball impact", "end"]
    assert len(flight.impacts) == 1


def test_the_ground_has_an_altitude(ended):
    """Of a landing site, say, that is below the ellipsoid."""
    deep = ended.run({"ground.altitude": -30.0})
    assert deep.time[-1] == pytest.approx(landing(50.0, 0.0), abs=TIME)
    assert deep.impacts.altitude[0] == pytest.approx(-30.0, abs=1e-8)  # as its time


def test_no_leg_begins_after_one_that_ended_at_the_ground():
    mission = loads(
        f"""
        gravity = {{ kind = "uniform", acceleration = [0, 0, {-G}] }}
        planet = "flat"
        bodies.ball = {{ mass = 1, inertia = [1, 1, 1], initial = {{ altitude = 20, north = 0 }} }}
        legs.first.phases.fall.until = {{ elapsed = 5 }}
        legs.second = {{ after = {{ leg = "first" }}, phases.on.until = {{ elapsed = 1 }} }}
        """
    )
    flight = mission.run()
    assert not flight.completed
    assert "Leg 'first': Ended early at 2.01961998 s: ball reached the ground." in flight.outcome
    why = "its preceding leg 'first' ended early at 2.01961998 s: ball reached the ground"
    assert flight.record.unflown == {"second": why}
    assert list(flight.impacts.leg) == ["first"]


def test_events_and_requirements_name_impacts():
    """The ball falls for sqrt(2 h / g); an event waits for its impact, and requirements refer to both."""
    speed = {"quantity": "bodies.ball.ground_speed", "at": "ball impact", "side": "before"}
    lower = {"quantity": "bodies.rock.altitude", "at": "rock impact"}
    flight = scenario(
        "record",
        {"fall": {"until": {"elapsed": 8.0}}},
        events={"later": {"after": "ball impact", "when": {"elapsed": 0.5}}},
        requirements={"speed": speed | {"min": 20.0, "max": 20.1}, "ground": lower | {"max": 1e-6}},
    ).run()
    times = {event.name: event.time for event in flight.record.events}
    assert times["later"] == pytest.approx(landing(20.0, 0.0) + 0.5, abs=TIME)
    assert times["rock impact"] == pytest.approx(landing(0.0, 30.0), abs=TIME)
    fall = G * landing(20.0, 0.0)
    low, high, ground = evaluate(flight.record)
    assert low.value == high.value == pytest.approx(np.hypot(3.0, fall), rel=1e-11)
    assert (low.passed, high.passed, ground.passed) == (True, True, True)


@pytest.mark.parametrize("ground", ["record", "end"])
def test_a_leg_begins_at_an_impact(ground):
    mission = loads(
        f"""
        planet = "flat"
        ground = "{ground}"
        gravity = {{ kind = "uniform", acceleration = [0, 0, -{G}] }}
        bodies.ball = {{ mass = 1, inertia = [1, 1, 1], initial = {{ altitude = 20, north = 0 }} }}
        legs.first.phases.fall.until.elapsed = 5
        legs.second = {{ after = {{ leg = "first", event = "ball impact" }}, phases.on.until.elapsed = 1 }}
        requirements.time = {{ quantity = "bodies.ball.altitude", at = "ball impact", max = "1 mm" }}
        """
    )
    flight = mission.run()
    assert flight.completed
    assert flight.legs["second"].time[0] == pytest.approx(landing(20.0, 0.0), abs=TIME)
    (margin,) = evaluate(flight.record)
    assert margin.passed


def test_the_names_of_impacts_exist_only_over_a_ground():
    """And only of bodies, in each message with the names that are meant."""
    waits = {"later": {"after": "bal impact", "when": {"elapsed": 0.5}}}
    with pytest.raises(BadInput, match="there is no phase or event 'bal impact'; did you mean 'ball impact'"):
        scenario("record", events=waits).check()
    waits["later"]["after"] = "ball impact"
    with pytest.raises(BadInput, match="there is no phase or event 'ball impact'"):
        scenario("ignore", events=waits).check()
    layout = Layout(scenario("record"))
    assert [name for part in layout.having(HasEvents) for name in part.makes] == [
        "ball impact",
        "rock impact",
    ]


def test_nothing_watches_for_impacts_where_there_is_no_ground():
    names = [event for event in _events(scenario("ignore")) if "impact" in event]
    assert names == []
    free = Scenario(
        bodies={"a": {"mass": 1.0, "inertia": [1.0, 1.0, 1.0], "initial": {}}},
        phases={"go": {"until": {"elapsed": 1.0}}},
    )
    assert not any("impact" in event for event in _events(free))


def test_joints_hold_bodies_to_the_ground_by_way_of_others():
    """A chain of two bodies on the ground, and one in the air: as the joints hold, one after the other."""
    names = ("near", "far", "free")
    one = Scenario(
        planet="flat",
        bodies={name: {"mass": 1.0, "inertia": [1.0, 1.0, 1.0], "initial": {"north": 0.0}} for name in names},
        joints={
            "chain": {"kind": "revolute", "parent": "near", "child": "far", "axis": "z"},
            "hinge": {"kind": "revolute", "parent": "ground", "child": "near", "axis": "z"},
        },
        phases={"go": {"until": {"elapsed": 1.0}}},
    )
    part = part_of(one, "ground_impact")
    cases = np.array([[1, 1, 0, 0], [1, 0, 1, 0]])  # chain, hinge
    discrete = SimpleNamespace(over=np.zeros(4, bool), mode=cases)
    ready = np.stack([part.ready(body, discrete) for body in range(3)])
    assert np.array_equal(ready, [[False, True, False, True], [False, True, True, True], [True] * 4])


def test_another_kind_of_ground_is_refused_with_those_that_exist():
    with pytest.raises(BadInput, match=r"end.*record.*ignore"):
        scenario("bounce")


def _events(one: Scenario) -> list[str]:
    return [name for name, _ in events_of(one)]
