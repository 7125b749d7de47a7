"""Initial states from orbit messages: round trips, frames by numbers of ERFA, a file of another program.

The file `leo.oem` is the beginning of tests/samples/real/LEO_60s.oem of https://github.com/bradsease/oem
(MIT License, Copyright (c) 2024 Brad Sease).
"""

from __future__ import annotations

import math
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.environment import time_scales
from interstage.environment.earth_axes import ARCSEC, earth_axes
from interstage.environment.planet import relative_velocity, to_fixed, turn
from interstage.exchange.oem import OemSegment, parse
from interstage.reading import loads
from interstage.runs.run import resolve_scenario
from interstage.tree.errors import BadInput

LEO = Path(__file__).with_name("leo.oem")
EPOCH = "2026-11-29T12:00:00Z"
NUTATION = 0.1 * ARCSEC
"""Bound of the omitted terms of the nutation [rad], as the module states."""
HEAD = """CCSDS_OEM_VERS = 2.0
CREATION_DATE = 2026-11-29T12:00:00
ORIGINATOR = TEST
META_START
OBJECT_NAME = A
OBJECT_ID = A
CENTER_NAME = EARTH
REF_FRAME = {frame}
TIME_SYSTEM = {system}
START_TIME = 2026-11-29T12:00:00
STOP_TIME = 2026-11-29T12:10:00
META_STOP
"""
STATE = "7000.0 -1000.0 2000.0 1.5 6.5 3.0"
ERFA: dict[str, list[list[float]]] = {
    "1999-02-03T04:05:06.5": [
        [-0.9707294031920025, -0.24017579683628382, -0.00011132185306809952],
        [0.24017579927908175, -0.9707294089297227, -8.922186392097786e-06],
        [-0.00010592050340351377, -3.53978437094282e-05, 0.9999999937639198],
    ],
    "2026-11-29T12:00:00": [
        [-0.3786257176179194, -0.9255493091117954, 0.001020960818911119],
        [0.9255461291436476, -0.3786270932097114, -0.00242633772896077],
        [0.002632258635856848, 2.6272470139310222e-05, 0.9999965352561134],
    ],
    "2044-07-20T00:00:00": [
        [0.46264974165390776, -0.8865389182984422, -0.0019907008313994725],
        [0.8865305348646713, 0.46265402406568823, -0.0038554854928291053],
        [0.004339043688685929, 1.8922294391654493e-05, 0.9999905861265967],
    ],
}
"""Matrices from GCRF to Earth-fixed axes without polar motion at dates in TT, with UT1 = TT - 70 s: function
c2t06a of ERFA 2.0.1."""


PLACES = {
    "GCRF": [-1687787.5496445461, 6861301.950618283, 2018392.6103973456],
    "ICRF": [-1687787.5496445461, 6861301.950618283, 2018392.6103973456],
    "EME2000": [-1687786.9415280956, 6861301.944223198, 2018393.1406458428],
    "J2000": [-1687786.9415280956, 6861301.944223198, 2018393.1406458428],
    "TEME": [-1648462.3988667745, 6876232.378237547, 2000000.0],
}
"""Earth-fixed positions [m] of the position of STATE in these frames at EPOCH, by ERFA 2.0.1: c2t06a without
polar motion and with UT1 = UTC; EME2000 with the frame bias of bp06; TEME by the sidereal time gmst82."""


def message(tmp_path: Path, frame: str = "EME2000", system: str = "UTC", states: Any = None) -> Path:
    path = tmp_path / "orbit.oem"
    dates = ("2026-11-29T12:00:00", "2026-333T12:10:00.000")
    lines = [f"{date} {STATE}" for date in dates] if states is None else states
    path.write_text(HEAD.format(frame=frame, system=system) + "\n".join(lines) + "\n")
    return path


def start_of(path: Path, epoch: str = EPOCH, planet: str = '"earth"', more: str = "") -> Any:
    """The scenario of one body at a state of a message, with the state in place."""
    return resolve_scenario(scenario_of(path, epoch, planet, more))


def scenario_of(path: Path, epoch: str = EPOCH, planet: str = '"earth"', more: str = "") -> Any:
    return loads(
        f"""
        planet = {planet}
        bodies.a.mass = "10 kg"
        bodies.a.inertia = "[1, 1, 1] kg m^2"
        bodies.a.initial = {{ file = "{path}", epoch = "{epoch}" {more} }}
        phases.one = {{ until = {{ elapsed = "1 s" }} }}
        """
    )


def fixed_state(scenario: Any, time: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Planet-fixed position and velocity of the start."""
    start, planet = scenario.bodies[0].initial, scenario.planet
    place, velocity = np.asarray(start.position), np.asarray(start.velocity)
    relative = relative_velocity(planet, place, velocity)
    return np.asarray(to_fixed(planet, time, place)), np.asarray(to_fixed(planet, time, relative))


# --- dates and axes


@pytest.mark.parametrize("date", ERFA)
def test_the_axes_of_a_date_are_those_of_erfa(date):
    tt = time_scales.parse_date(date)
    axes = earth_axes(tt, tt - 70 * time_scales.SECOND)
    matrix = Rotation.from_rotvec([0, 0, -axes.angle]).as_matrix() @ axes.of_gcrf
    error = Rotation.from_matrix(matrix @ np.array(ERFA[date]).T).magnitude()
    assert error < NUTATION
    assert error > 1e-11  # the control: the compared angles are not those of this module


def test_dispersed_dates_against_erfa():
    erfa = pytest.importorskip("erfa")
    for year in np.random.default_rng(0).uniform(-28, 50, 300):
        tt = int(year * 365.25) * time_scales.DAY + 12345 * time_scales.SECOND
        ut1 = tt - 69 * time_scales.SECOND
        known = erfa.c2t06a(2451544.5, tt / time_scales.DAY, 2451544.5, ut1 / time_scales.DAY, 0, 0)
        axes = earth_axes(tt, ut1)
        matrix = Rotation.from_rotvec([0, 0, -axes.angle]).as_matrix() @ axes.of_gcrf
        assert Rotation.from_matrix(matrix @ known.T).magnitude() < NUTATION
        difference = erfa.dtdb(2451544.5, tt / time_scales.DAY, 0, 0, 0, 0)
        assert time_scales.tdb_after_tt(tt) == pytest.approx(difference, abs=40e-6)


def test_leap_seconds():
    at = lambda *date: time_scales.nanoseconds(datetime(*date))  # noqa: E731
    for date, seconds in (((1972, 1, 1), 10), ((1999, 1, 1), 32), ((2016, 12, 31), 36), ((2026, 1, 1), 37)):
        assert time_scales.tai_after_utc(at(*date)) == seconds * time_scales.SECOND
    random = np.random.default_rng(1)
    for utc in random.integers(at(1972, 1, 1), at(2030, 1, 1), 200):
        assert time_scales.from_tai(time_scales.tai_of_utc(int(utc)), "UTC") == utc
    midnight = at(2017, 1, 1)
    assert time_scales.tai_of_utc(midnight) - time_scales.tai_of_utc(midnight - 1) == time_scales.SECOND + 1


def test_dates_of_the_ccsds():
    assert time_scales.parse_date("2026-333T12:00:00.5") == time_scales.parse_date("2026-11-29T12:00:00.500Z")
    assert time_scales.parse_date("2000-01-01T00:00:01.000000001") == time_scales.SECOND + 1
    for text in (
        "2026-366T00:00:00",
        "2026-000T00:00:00",
        "2026-13-01T00:00:00",
        "tomorrow",
        "2016-12-31T23:59:60",
    ):
        with pytest.raises(ValueError):
            time_scales.parse_date(text)


@pytest.mark.parametrize("frame", PLACES)
def test_inertial_frames_by_erfa(tmp_path, frame):
    scenario = start_of(message(tmp_path, frame))
    place, _ = fixed_state(scenario)
    state = np.array(STATE.split(), float) * 1000
    np.testing.assert_allclose(place, PLACES[frame], rtol=0, atol=float(NUTATION * np.linalg.norm(state[:3])))
    # The velocity is rotated only: the axes of date rotate by 1e-11 rad/s.
    speed = np.linalg.norm(scenario.bodies[0].initial.velocity)
    np.testing.assert_allclose(speed, np.linalg.norm(state[3:]), rtol=1e-13)


def test_the_frame_bias(tmp_path):
    """The difference of EME2000 and GCRF is that of ERFA. It is 0.8 m here, and the nutation cancels."""
    places = [fixed_state(start_of(message(tmp_path, frame)))[0] for frame in ("EME2000", "GCRF")]
    known = np.subtract(PLACES["EME2000"], PLACES["GCRF"])
    # The three angles of the bias have digits of 1e-7 arcsec = 5e-13 rad.
    np.testing.assert_allclose(places[0] - places[1], known, rtol=0, atol=3 * 5e-13 * 7.3e6)


def test_earth_fixed_states_keep_their_place(tmp_path):
    state = np.array(STATE.split(), float) * 1000
    for frame in ("ITRF2000", "ITRF-97", "ITRF2014"):
        for angle in (0.0, 1.0):
            planet = f'{{ kind = "earth", angle = "{angle} rad" }}'
            scenario = start_of(message(tmp_path, frame), planet=planet)
            place, velocity = fixed_state(scenario)
            np.testing.assert_allclose(place, state[:3], rtol=1e-14)
            np.testing.assert_allclose(velocity, state[3:], rtol=1e-12)
            assert float(turn(scenario.planet, 0.0)) == angle
    inertial = np.asarray(scenario.bodies[0].initial.velocity)
    spin = scenario.planet.rotation_rate * np.hypot(*state[:2])
    assert abs(np.linalg.norm(inertial) - np.linalg.norm(state[3:])) > 0.1 * spin  # the control


@pytest.mark.parametrize("system", time_scales.SCALES)
def test_time_systems(tmp_path, system):
    """A body at 1 km/s along x tells the time of the message at which it is read."""
    after_tai = {"UTC": -37.0, "TAI": 0.0, "TT": 32.184, "TDT": 32.184, "TDB": 32.184, "GPS": -19.0}[system]
    lines = [f"2026-11-29T12:{m:02d}:00 {7000 + 60 * m}.0 0.0 0.0 1.0 0.0 0.0" for m in range(10)]
    place, _ = fixed_state(start_of(message(tmp_path, "ITRF2000", system, lines)))
    seconds = place[0] / 1000 - 7000
    # TDB - TT is at most 2 ms (US Naval Observatory Circular 179, eq 2.6).
    assert seconds == pytest.approx(37.0 + after_tai, abs=2e-3 if system == "TDB" else 1e-9)


# --- interpolation


@pytest.mark.parametrize("way", ["HERMITE", "LAGRANGE", "LINEAR"])
@pytest.mark.parametrize("seed", range(5))
def test_polynomials_are_interpolated_exactly(way, seed):
    random = np.random.default_rng(seed)
    degree = 1 if way == "LINEAR" else int(random.integers(1, 10))
    if way == "HERMITE":
        degree = 2 * (degree // 2) + 1
    lines = random.normal(size=(3, degree + 1))
    curves = [np.polynomial.Polynomial(one) for one in lines]
    times = np.sort(random.uniform(-1, 1, 14))
    times = times - 0.0
    values = np.stack([one(times) for one in curves], 1)
    slopes = np.stack([one.deriv()(times) for one in curves], 1)
    keys = {"INTERPOLATION": way.title(), "INTERPOLATION_DEGREE": str(degree)}
    segment = OemSegment(1, keys, [""] * 14, np.hstack([values, slopes]).tolist())
    for time in random.uniform(times[0], times[-1], 10):
        found = segment.state_at(times, time)
        known = [one(time) for one in curves]
        np.testing.assert_allclose(found[:3], known, rtol=0, atol=1e-9)  # uneven times amplify rounding
        if way != "LINEAR":
            known = [one.deriv()(time) for one in curves]
            np.testing.assert_allclose(found[3:], known, rtol=0, atol=1e-6)
    np.testing.assert_array_equal(segment.state_at(times, times[3]), segment.states[3])


def test_a_message_without_interpolation_uses_degree_seven():
    """A circular orbit in steps of 4 minutes, as the messages of the space station have them."""
    rate, radius = 2 * math.pi / 5560, 6.79e6
    times = 240.0 * np.arange(10)
    angle = rate * times
    places = radius * np.stack([np.cos(angle), np.sin(angle), 0 * angle], 1)
    speeds = radius * rate * np.stack([-np.sin(angle), np.cos(angle), 0 * angle], 1)
    segment = OemSegment(1, {}, [""] * 10, np.hstack([places, speeds]).tolist())
    for time in (480.0 + 120.0, 1000.0, 1333.0):
        known = radius * np.array([math.cos(rate * time), math.sin(rate * time), 0])
        # Remainder of the Hermite polynomial by 4 points: r (n h)^8 (9/16)^2 / 8!.
        bound = radius * (rate * 240) ** 8 * (9 / 16) ** 2 / math.factorial(8)
        found = segment.state_at(times, time)
        assert np.linalg.norm(found[:3] - known) < 1.1 * bound + 1e-7
    cubic = radius * (rate * 240) ** 4 / 384
    assert cubic > 1000 * bound  # the control: degree 3 would be much worse


# --- round trips and the file of another program


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> tuple[Any, list[Path]]:
    """A flight of bodies without forces at random states, and its messages."""
    random = np.random.default_rng(4)
    bodies = tuple(
        ist.Body(
            name=f"body-{k}",
            mass=1.0,
            inertia=[1, 1, 1],
            initial=ist.State(position=7e6 * one / np.linalg.norm(one), velocity=random.normal(size=3) * 4e3),
        )
        for k, one in enumerate(random.normal(size=(5, 3)))
    )
    phase = ist.Phase(name="fly", until=ist.Trigger(elapsed=2.0))
    flight = ist.Scenario(bodies=bodies, phases=(phase,), planet=ist.Earth(angle=0.7), ground="ignore").run()
    folder = tmp_path_factory.mktemp("messages")
    return flight, flight.export(folder / "flight.oem", epoch=EPOCH)


@pytest.mark.parametrize("time", [0.0, 1.0, 1.234])
def test_a_state_returns_from_our_own_message(exported, time):
    flight, paths = exported
    epoch = f"2026-11-29T12:00:0{time:.3f}Z"
    for body, path in zip(flight.scenario.bodies, paths, strict=True):
        place0, velocity = np.asarray(body.initial.position), np.asarray(body.initial.velocity)
        place = place0 + velocity * time
        scenario = start_of(path, epoch, '{ kind = "earth", angle = "0.7 rad" }')
        found, speed = fixed_state(scenario)
        # Numbers with 13 digits; the flight is exact to its tolerance.
        np.testing.assert_allclose(found, to_fixed(flight.scenario.planet, time, place), rtol=0, atol=2e-5)
        relative = relative_velocity(flight.scenario.planet, place, velocity)
        # Slope of the cubic between positions that are rounded to 0.5 um, in steps of 0.1 s: 3/2 each.
        np.testing.assert_allclose(
            speed, to_fixed(flight.scenario.planet, time, relative), rtol=0, atol=1.5e-5
        )


def test_a_jump_gives_the_state_after_it():
    head = HEAD.format(frame="ITRF2000", system="UTC").partition("META_START")
    lines = "2026-11-29T12:00:00 7000 0 0 0 {} 0\n2026-11-29T12:01:00 7000 0 0 0 {} 0\n"
    segments = parse(head[0] + head[1] + head[2] + lines.format(1, 1))
    both = parse(
        f"{head[0]}META_START{head[2]}{lines.format(1, 1)}META_START{head[2]}"
        + lines.format(2, 2).replace("12:01", "12:02").replace("12:00:00", "12:01:00")
    )
    assert [len(one.states) for one in (*segments, *both)] == [2, 2, 2]
    from interstage.starts.orbit_messages import _state_at

    found = _state_at(both, time_scales.parse_date("2026-11-29T12:01:00"))
    assert found.state[4] == 2000.0


def test_a_planet_of_the_user(tmp_path):
    path = message(tmp_path, "PLANET_FIXED")
    path.write_text(path.read_text().replace("= EARTH", "= PLANET"))
    world = '{ kind = "planet", radius = "3000 km", mu = "4e13 m^3/s^2", rotation_rate = "1e-4 rad/s" }'
    place, velocity = fixed_state(start_of(path, planet=world))
    state = np.array(STATE.split(), float) * 1000
    np.testing.assert_allclose(place, state[:3], rtol=1e-14)
    np.testing.assert_allclose(velocity, state[3:], rtol=1e-12)
    path.write_text(path.read_text().replace("PLANET_FIXED", "EME2000"))
    with pytest.raises(BadInput, match="PLANET with REF_FRAME = EME2000 is not supported for this planet"):
        scenario_of(path, planet=world)


def test_a_file_of_another_program_is_flown():
    """After 5 minutes with zonal gravity, the flight is at the later state of the file.

    In the first minute, the velocity of the file differs by 9 mm/s from its positions. The tesseral field,
    which is omitted here, accelerates by 1e-4 m/s^2."""
    scenario = loads(
        f"""
        planet = "earth"
        gravity = "zonal"
        bodies.sat.mass = "100 kg"
        bodies.sat.inertia = "[10, 10, 10] kg m^2"
        bodies.sat.initial = {{ file = "{LEO}", epoch = 2020-06-01T12:00:00Z, attitude_axes = "lvlh" }}
        phases.coast = {{ until = {{ elapsed = "300 s" }} }}
        """
    )
    flight = scenario.run()
    later = start_of(LEO, "2020-06-01T12:05:00Z").bodies[0].initial
    end = flight.state_at("end")["sat"]
    bound = 300 * 9e-3 + 0.5 * 1e-4 * 300**2
    assert np.linalg.norm(end["position"] - later.position) < bound
    # The control: in the axes of J2000, the state would be 16 km away.
    first = np.array(parse(LEO.read_text())[0].states[0])
    assert np.linalg.norm(first[:3] - np.asarray(flight.state_at(0.0)["sat"]["position"])) > 1000 * bound
    # The declared attitude is kept: LVLH, z down.
    start = flight.state_at(0.0)["sat"]
    down = Rotation.from_quat(np.asarray(start["attitude"])[[1, 2, 3, 0]]).apply([0, 0, 1])
    place = np.asarray(start["position"])
    np.testing.assert_allclose(down, -place / np.linalg.norm(place), atol=1e-12)


def test_lagrange_of_another_program():
    """Positions between the states of the file, compared with a state that is left out."""
    (segment,) = parse(LEO.read_text())
    times = 60.0 * np.arange(11)
    rows = [row for row in range(11) if row != 5]
    fewer = OemSegment(1, segment.keys, [""] * 10, [segment.states[row] for row in rows])
    found = fewer.state_at(times[rows], times[5])
    # Lagrange remainder of degree 7 at a gap of two steps: r (n h)^8 w / 8!, w = product of the distances.
    distances = np.abs(np.array(rows)[1:9] - 5)
    remainder = 6.8e6 * (1.16e-3 * 60) ** 8 * np.prod(distances) / math.factorial(8)
    assert np.linalg.norm(found[:3] - segment.states[5][:3]) < remainder + 0.5  # 9 mm/s of noise, in a minute


# --- bad input


def body(name: str, path: Any, epoch: str) -> str:
    initial = f'{{ file = "{path}", epoch = "{epoch}" }}'
    return f"bodies.{name} = {{ mass = 1, inertia = [1, 1, 1], initial = {initial} }}"


def test_all_faults_at_once(tmp_path):
    first, second, third = (tmp_path / f"{name}.oem" for name in "abc")
    text = HEAD.format(frame="TOD", system="SCLK").replace("EARTH", "MOON") + f"2026-11-29T12:00:00 {STATE}\n"
    first.write_text(text)
    second.write_text(text.replace("OBJECT_NAME = A\n", "junk\n") + "2026-11-29T12:00:00 1 2 x\n")
    third.write_text("<?xml version='1.0'?><ndm/>")
    with pytest.raises(BadInput) as error:
        loads(
            f"""
            planet = "earth"
            {body("a", first, "noon")}
            {body("b", second, EPOCH)}
            {body("c", third, EPOCH)}
            {body("d", "no.oem", "1960-01-01")}
            phases.one = {{ until = {{ elapsed = 1 }} }}
            """
        )
    found = [(one.place, one.message) for one in error.value.problems]
    allowed = "UTC, TAI, TT, TDT, TDB, GPS"
    assert found[:5] == [
        ("bodies.a.initial.epoch", f"'noon' is not a date. Write {'for example'} \"2026-11-29T12:00:00Z\""),
        ("bodies.a.initial.file", f"{first}: TIME_SYSTEM = SCLK is not supported. Allowed: {allowed}"),
        (
            "bodies.a.initial.file",
            f"{first}: CENTER_NAME = MOON is not the Earth. Give states relative to the centre of the Earth",
        ),
        ("bodies.b.initial.file", f"{second}, line 5: 'junk' is not metadata. Write KEYWORD = value"),
        (
            "bodies.b.initial.file",
            f"{second}, line 14: '2026-11-29T12:00:00 1 2 x' is not a state. Write a date and 6 numbers in km"
            " and km/s",
        ),
    ]
    assert found[-1][1].startswith("no.oem: there is no such file in ")
    assert found[5:] == [
        (
            "bodies.c.initial.file",
            f"{third}, line 1: the message is in XML. Write it as keyword text (KVN)",
        ),
        (
            "bodies.d.initial.epoch",
            "'1960-01-01' is before 1972, when UTC got leap seconds. Give a later date",
        ),
        ("bodies.d.initial.file", found[-1][1]),
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            ("EME2000", "TOD"),
            r"REF_FRAME = TOD is not supported. Allowed: EME2000, J2000, GCRF, ICRF, TEME and",
        ),
        (("EARTH", "EARTH BARYCENTER"), "CENTER_NAME = EARTH BARYCENTER is not the Earth"),
        (("REF_FRAME = EME2000\n", ""), "line 4: the metadata have no REF_FRAME. Add the missing keywords"),
        (("META_STOP", "INTERPOLATION = SPLINE\nMETA_STOP"), "INTERPOLATION = SPLINE is not supported"),
        (("META_STOP", "INTERPOLATION_DEGREE = x\nMETA_STOP"), "INTERPOLATION_DEGREE = x is not a degree"),
        (("META_STOP", "INTERPOLATION = LAGRANGE\nMETA_STOP"), "has 2 states, but its interpolation needs 8"),
        (("CCSDS_OEM_VERS = 2.0", "CCSDS_OPM_VERS = 2.0"), "line 1: the first line is not CCSDS_OEM_VERS"),
        (("12:10:00.000", "12:61:00.000"), "faulty date '2026-333T12:61:00.000' in line 14: minute must be"),
        (("2026-333T12:10", "2026-333T11:10"), "date in line 14 that is not after the previous date"),
        (
            ("META_STOP", "USEABLE_START_TIME = 2026-11-29T12:06:00\nMETA_STOP"),
            "no state at this date. Give a",
        ),
    ],
)
def test_one_clear_error(tmp_path, change, words):
    path = message(tmp_path)
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(BadInput, match=words):
        scenario_of(path, "2026-11-29T12:05:00Z")


def test_dates_outside_of_the_message(tmp_path):
    with pytest.raises(BadInput) as error:
        scenario_of(message(tmp_path), "2026-11-29T13:00:00Z")
    (problem,) = error.value.problems
    assert problem.place == "bodies.a.initial.epoch"
    assert problem.message == (
        f"{tmp_path}/orbit.oem has no state at this date. Give a date from 2026-11-29T12:00:00.000 to"
        " 2026-11-29T12:10:00.000 (UTC)"
    )


@pytest.mark.parametrize("planet", ['"flat"', '"none"'])
def test_a_round_planet_is_needed(tmp_path, planet):
    line = "" if planet == '"none"' else f"planet = {planet}\n"
    with pytest.raises(BadInput, match=r"an orbit message needs a round planet\. Set planet = "):
        loads(
            f"""{line}
            ground = "ignore"
            {body("a", message(tmp_path), EPOCH)}
            phases.one = {{ until = {{ elapsed = 1 }} }}
            """
        )


def test_a_declared_angle_must_be_the_sidereal_time(tmp_path):
    path = message(tmp_path)
    angle = math.degrees(float(start_of(path).planet.angle))
    near = start_of(path, planet=f'{{ kind = "earth", angle = "{angle + 0.003} deg" }}')
    assert math.degrees(near.planet.angle) == pytest.approx(angle + 0.003)
    with pytest.raises(
        BadInput, match=r"planet\.angle: the angle is .* deg, but the sidereal time .* Remove"
    ):
        scenario_of(path, planet=f'{{ kind = "earth", angle = "{angle + 0.1} deg" }}')


def test_bodies_have_one_date(tmp_path):
    path = message(tmp_path)
    with pytest.raises(
        BadInput, match=r"bodies.b.initial.epoch: bodies.a.initial.epoch is .* Give all bodies"
    ):
        loads(
            f"""
            planet = "earth"
            {body("a", path, EPOCH)}
            {body("b", path, "2026-11-29T12:01:00Z")}
            phases.one = {{ until = {{ elapsed = 1 }} }}
            """
        )
