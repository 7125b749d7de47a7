"""Flights that start from saved ones: they go on as one uninterrupted flight would, the planet with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interstage as ist
from interstage.reading import loads
from interstage.starts.saved import place_bodies
from interstage.tree.errors import BadInput

HALF = 300.0


def orbiting(**rest: Any) -> ist.Scenario:
    """A body in an orbit over the Earth, in a field that turns with it and air whose gusts do not."""
    given: Any = {
        "bodies": (
            ist.Body(
                name="b",
                mass=100.0,
                inertia=[10.0, 12.0, 15.0],
                initial=ist.State(position=[6.9e6, 0, 1e5], velocity=[0, 5500, 5200]),
            ),
        ),
        "planet": ist.Earth(),
        "gravity": ist.HarmonicGravity(degree=4),
        "wind": ist.NoWind(
            gusts=(ist.TimeGust(name="blow", start=250, length=100, velocity=[5, 0, 0], shape="ramp"),)
        ),
        "phases": (ist.Phase(name="coast", until=ist.Trigger(time=2 * HALF)),),
        "output": ist.Output(interval=HALF / 2),
    }
    return ist.Scenario(**given | rest)


def from_file(file: Any, **rest: Any) -> ist.Scenario:
    """The same from a saved flight, to the time at which that ended."""
    body = ist.Body(
        name="b",
        mass=100.0,
        inertia=[10.0, 12.0, 15.0],
        initial=ist.FromFlight(flight=str(file), time=rest.pop("time", HALF)),
    )
    phases = (ist.Phase(name="coast", until=ist.Trigger(time=HALF)),)
    return orbiting(**{"bodies": (body,), "phases": phases} | rest)


@pytest.fixture(scope="module")
def whole() -> Any:
    return orbiting().run()


@pytest.fixture(scope="module")
def file(whole, tmp_path_factory) -> str:
    return str(whole.save(tmp_path_factory.mktemp("saved") / "whole.nc"))


def test_a_flight_goes_on_where_a_saved_one_was(whole, file, tmp_path):
    """Over the ground and in a field that turns with the planet; a third flight from the second too. Where
    the planet stood as at time zero again, longitudes were 1.25 deg and places 0.37 m off."""
    second = from_file(file).run()
    # One tolerance of the position.
    close = float(whole.scenario.solver.tolerance) * 6.9e6
    row = np.searchsorted(whole.time, HALF)
    for name in ("longitude", "latitude"):
        apart = np.abs(second[f"bodies.b.{name}"] - whole[f"bodies.b.{name}"][row:])
        assert apart.max() * 6.9e6 < close
    apart = second["bodies.b.position"] - whole["bodies.b.position"][row:]
    assert np.abs(apart).max() < close
    third = from_file(second.save(tmp_path / "second.nc"), time=HALF / 2).run()
    assert third["bodies.b.longitude"][0] == pytest.approx(second["bodies.b.longitude"][1], abs=1e-12)


def test_an_angle_that_is_declared_must_be_that_of_the_saved_flight(file):
    stood = float(ist.Earth().rotation_rate) * HALF
    for angle in (0.0, stood, stood + 2 * np.pi):
        scenario, _ = place_bodies(from_file(file, planet=ist.Earth(angle=angle)))
        assert float(scenario.planet.angle) == pytest.approx(stood, rel=1e-15)
    with pytest.raises(BadInput, match=r"planet\.angle is 45 deg, but .* 1\.2534[^ ]* deg"):
        place_bodies(from_file(file, planet=ist.Earth(angle="45 deg")))


def test_moments_at_which_the_planet_stood_differently_are_refused(file):
    one = from_file(file)
    other = ist.Body(
        name="c",
        mass=1.0,
        inertia=[1, 1, 1],
        initial=ist.FromFlight(flight=file, body="b", time=HALF / 2),
    )
    bodies = (one.bodies[0], other)
    with pytest.raises(
        BadInput,
        match=r"bodies\.c\.initial: the rotation angle of the planet is 0\.626[^ ]* deg"
        r" .*bodies\.b\.initial",
    ):
        place_bodies(from_file(file, bodies=bodies))
    # Where nothing turns, the moments are the user's own choice.
    flat, _ = place_bodies(
        from_file(file, bodies=bodies, planet=ist.FlatGround(), gravity=ist.NoGravity(), wind=ist.NoWind())
    )
    assert isinstance(flat.bodies[1].initial, ist.State)


SLOSHING = """
planet.kind = "earth"
gravity.kind = "inverse_square"
[bodies.stage]
mass = 800
inertia = [500, 2000, 2100]
initial = { flight = "FILE", body = "b", time = "300 s" }
[bodies.stage.elements.lox]
kind = "cylinder"
propellant = 500
density = 1140
radius = 0.6
bottom = [0, 0, 0]
axis = [1, 0, 0]
slosh = { kind = "pendulum" }
[phases.coast]
until = { time = "1 s" }
"""


def test_a_tank_that_did_not_slosh_there_begins_at_rest(file):
    scenario, notes = place_bodies(loads(SLOSHING.replace("FILE", file)))
    assert not any("Not taken" in note for note in notes)
    assert not np.any(scenario.bodies[0].elements[0].slosh.displacement)


SWINGING = """
gravity = { kind = "uniform", acceleration = [-9.8, 0, 0] }
[bodies.stage]
mass = 800
inertia = [500, 2000, 2100]
initial = START
[bodies.stage.elements.lox]
kind = "cylinder"
propellant = 500
density = 1140
radius = 0.6
bottom = [0, 0, 0]
axis = [1, 0, 0]
slosh = { kind = "KIND", displacement = [0, 0.1, 0.02], velocity = [0, 0.05, 0.1], damping_ratio = 0.01 }
[joints.stand]
kind = "revolute"
axis = "y"
parent = "ground"
child = "stage"
parent_at = [5, 0, 0]
[phases.coast]
until = { time = "TIME s" }
[output]
interval = "0.03 s"
"""


@pytest.mark.parametrize("kind", ["pendulum", pytest.param("spring_mass", marks=pytest.mark.long)])
def test_slosh_masses_go_on_swinging_as_in_one_flight(kind, tmp_path):
    text = SWINGING.replace("KIND", kind)
    placing = '{ position = [5, 0, 0], of = "origin" }'
    whole = loads(text.replace("START", placing).replace("TIME", "0.6")).run()
    saved = str(whole.save(tmp_path / "whole.nc"))
    start = f'{{ flight = "{saved}", time = "0.3 s" }}'
    rest = text.replace("displacement = [0, 0.1, 0.02], velocity = [0, 0.05, 0.1], ", "")
    again = loads(rest.replace("START", start).replace("TIME", "0.3")).run()
    assert not any("Not taken" in warning for warning in again.record.warnings)
    for what in ("slosh_displacement", "slosh_velocity"):
        path = f"bodies.stage.elements.lox.{what}"
        one, other = (flight.record.series[path] for flight in (whole, again))
        size = np.max(np.abs(one))
        assert size > 0.01
        # Both are as exact as their steps, 1e-9 of each.
        np.testing.assert_allclose(other, one[10:], atol=1e-6 * size)


MAST = "width = 0.02, height = 0.02, young = 7e10, shear_modulus = 2.7e10, density = 2700"


def test_a_beam_that_is_drawn_does_not_start_from_the_middle_of_a_saved_flight(file):
    beam = """[forces.mast]
kind = "beam"
parent = "stage"
length = 2
elements = 4
START
section = { kind = "SECTION", NUMBERS }
[phases.coast]"""
    beam = beam.replace("SECTION", "rectangle").replace("NUMBERS", MAST)
    text = SLOSHING.replace("FILE", file).replace("[phases.coast]", beam)
    with pytest.raises(ist.BadInput, match=r"forces\.mast\.start: 'drawn' starts.*at rest"):
        place_bodies(loads(text.replace("START", "")))
    _, notes = place_bodies(loads(text.replace("START", 'start = "at rest"')))
    assert any("segments of beams" in note for note in notes)
    place_bodies(loads(text.replace("START", "").replace("300 s", "0 s")))


def test_what_begins_anew_and_another_planet_are_said(file):
    _, notes = place_bodies(from_file(file))
    assert len(notes) == 1
    assert f"from {file} at 300 s." in notes[0]
    assert "start again: wind.gusts.blow." in notes[0]
    slow = ist.Planet(radius=6.4e6, mu=3.986e14)
    scenario, notes = place_bodies(from_file(file, planet=slow, wind=ist.NoWind()))
    assert len(notes) == 1
    for part in (
        "radius 6400000. m here, 6378137. m in",
        "rotation_rate 0. rad/s here, 7.292115e-05 rad/s in",
    ):
        assert part in notes[0]
    assert float(scenario.planet.angle) == pytest.approx(7.292115e-5 * HALF)
    flat = from_file(file, planet=ist.FlatGround(), gravity=ist.NoGravity(), wind=ist.NoWind())
    assert "(planet flat here, earth in the file)" in place_bodies(flat)[1][0]
    assert place_bodies(from_file(file, time=0.0))[1] == []
