"""Files of flights for other programs, compared with closed forms of the motion and read by other readers."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline
from scipy.io import loadmat
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

import interstage as ist
from interstage.cli.main import app
from interstage.reading import loads
from interstage.record.export import SUFFIXES, TABLES, export
from interstage.record.results import Flight
from interstage.tree.errors import BadInput

EPOCH = "2026-11-29T12:00:00Z"
RADIUS, RATE, ANGLE, END = 6.4e6, 7.0e-5, 0.3, 40.0
"""Sphere [m] that rotates [rad/s], angle of its zero meridian at time zero [rad], end of the flight [s]."""
ALTITUDE, LATITUDE = 2.0e5, 0.4
SPEED = 7600.0
SPIN = 0.02
"""Angular velocity about the third body axis [rad/s]."""


JUMP, SPEED_AFTER = 1.0, 2.0
"""Time [s] of an impulse along inertial z, and the velocity [m/s] of the body after it."""


@pytest.fixture(scope="module")
def kicked() -> Flight:
    """A body without forces over the Earth; a bolt gives it a velocity along z, at once."""
    return loads(
        """
        planet = { kind = "earth" }
        bodies.a.mass = "10 kg"
        bodies.a.inertia = "[1,1,1] kg m^2"
        bodies.a.initial.position = "[6578137, 0, 0] m"
        bodies.a.initial.velocity = "[0, 7700, 0] m/s"
        bodies.b = { mass = "10 kg", inertia = "[1,1,1] kg m^2" }
        joints.j = { kind = "fixed", parent = "a", child = "b" }
        devices.bolt = { kind = "explosive_bolt", joints = ["j"], impulse = "20 N s", axis = [0, 0, 1] }
        phases.one = { until = { elapsed = "1 s" } }
        phases.two = { fire = ["bolt"], until = { elapsed = "1 s" } }
        """
    ).run()


@pytest.fixture(scope="module")
def flight() -> Flight:
    """Two bodies without forces over a sphere; motion and rotation are known in closed form."""
    scenario = ist.Scenario(
        title="Two bodies & a <sphere>",
        planet=ist.Planet(radius=RADIUS, rotation_rate=RATE, angle=ANGLE, mu=4e14),
        bodies=tuple(
            ist.Body(
                name=name,
                mass=10.0,
                inertia=[2, 2, 2],
                initial=ist.State(
                    position=place(0.0, k)[0], velocity=place(0.0, k)[1], angular_velocity=[0, 0, SPIN]
                ),
            )
            for k, name in enumerate(("stage-one", "payload"))
        ),
        phases=(
            ist.Phase(name="first", until=ist.Trigger(elapsed=END / 2)),
            ist.Phase(name="second", until=ist.Trigger(elapsed=END / 2)),
        ),
    )
    return scenario.run()


def place(time: float, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Inertial position [m] and velocity [m/s] of a body at a time [s]."""
    radius = RADIUS + ALTITUDE * (1 + body)
    start = radius * np.array([math.cos(LATITUDE), 0.0, math.sin(LATITUDE)])
    velocity = np.array([0.0, SPEED, 100.0 * body])
    return start + velocity * time, velocity


def fixed(time: float, body: int) -> tuple[np.ndarray, np.ndarray, Rotation]:
    """Planet-fixed position, relative velocity, and rotation from body to planet-fixed axes."""
    position, velocity = place(time, body)
    to_fixed = Rotation.from_rotvec([0, 0, -(ANGLE + RATE * time)])
    relative = velocity - np.cross([0, 0, RATE], position)
    return (
        to_fixed.apply(position),
        to_fixed.apply(relative),
        to_fixed * Rotation.from_rotvec([0, 0, SPIN * time]),
    )


def check_rows(time: np.ndarray, rows: np.ndarray, body: int, unit: float = 1.0) -> None:
    """Positions and velocities in `unit`. Text has 13 digits; the flight is exact to its tolerance of 1e-9 of
    a metre and of a metre per second, which grow with the time."""
    assert len(time) > 20
    assert np.all(np.diff(time) > 0)
    for t, row in zip(time, rows, strict=True):
        position, velocity, _ = fixed(t, body)
        np.testing.assert_allclose(row[:3] * unit, position, rtol=1e-12, atol=1e-6)
        np.testing.assert_allclose(row[3:] * unit, velocity, rtol=1e-12, atol=1e-7)


def check_attitudes(time: np.ndarray, quaternions: np.ndarray, body: int) -> None:
    """Quaternions, scalar last, from body to planet-fixed axes."""
    for t, quaternion in zip(time, quaternions, strict=True):
        error = (fixed(t, body)[2].inv() * Rotation.from_quat(quaternion)).magnitude()
        assert error < 1e-8  # the tolerance of the flight, 1e-9, over a turn of 0.8 rad


def seconds(text: str) -> float:
    return (datetime.fromisoformat(text).replace(tzinfo=UTC) - datetime.fromisoformat(EPOCH)).total_seconds()


def data_lines(path: Path, begin: str, end: str) -> list[list[str]]:
    lines = path.read_text().splitlines()
    found = lines[lines.index(begin) + 1 :]
    return [line.split() for line in found[: found.index(end) if end else None] if line]


def test_an_orbit_message_has_the_motion_over_the_rotating_planet(flight, tmp_path):
    first, second = export(flight, tmp_path / "flight.oem", epoch=EPOCH)
    assert [first.name, second.name] == ["flight.stage-one.oem", "flight.payload.oem"]
    for body, path in enumerate((first, second)):
        rows = data_lines(path, "META_STOP", "")
        time = np.array([seconds(row[0]) for row in rows])
        check_rows(time, np.array([row[1:] for row in rows], float), body, unit=1000.0)
        assert len(np.unique(time)) == len(time)


def test_an_attitude_message_rotates_the_fixed_axes_into_the_body(flight, tmp_path):
    (path,) = export(flight, tmp_path / "flight.aem", bodies=["payload"], epoch=EPOCH)
    rows = data_lines(path, "DATA_START", "DATA_STOP")
    time = np.array([seconds(row[0]) for row in rows])
    quaternions = np.array([row[1:] for row in rows], float)
    check_attitudes(time, quaternions, 1)
    # Matrix of the CCSDS Attitude Data Messages, annex on quaternions: components in body axes from those in
    # fixed axes.
    q1, q2, q3, qc = quaternions[-1]
    matrix = [
        [q1**2 - q2**2 - q3**2 + qc**2, 2 * (q1 * q2 + q3 * qc), 2 * (q1 * q3 - q2 * qc)],
        [2 * (q1 * q2 - q3 * qc), -(q1**2) + q2**2 - q3**2 + qc**2, 2 * (q2 * q3 + q1 * qc)],
        [2 * (q1 * q3 + q2 * qc), 2 * (q2 * q3 - q1 * qc), -(q1**2) - q2**2 + q3**2 + qc**2],
    ]
    np.testing.assert_allclose(matrix, fixed(time[-1], 1)[2].inv().as_matrix(), atol=1e-8)


def test_files_of_stk(flight, tmp_path):
    (path,) = export(flight, tmp_path / "flight.e", bodies=["payload"], epoch=EPOCH)
    rows = np.array(data_lines(path, "EphemerisTimePosVel", "END Ephemeris"), float)
    check_rows(rows[:, 0], rows[:, 1:], 1)
    text = path.read_text()
    assert f"NumberOfEphemerisPoints     {len(rows)}\n" in text
    assert "29 Nov 2026 12:00:00.000000" in text
    (path,) = export(flight, tmp_path / "flight.a", bodies=["payload"], epoch=EPOCH)
    rows = np.array(data_lines(path, "AttitudeTimeQuaternions", "END Attitude"), float)
    check_attitudes(rows[:, 0], rows[:, 1:], 1)


def test_czml(flight, tmp_path):
    (path,) = export(flight, tmp_path / "flight.czml", epoch=EPOCH)
    document, *packets = json.loads(path.read_text(encoding="utf-8"))
    assert document["id"] == "document"
    assert document["clock"]["interval"] == "2026-11-29T12:00:00.000000Z/2026-11-29T12:00:40.000000Z"
    bodies = [one for one in packets if one["id"].startswith("body/")]
    assert [one["name"] for one in bodies] == ["stage-one", "payload"]
    for k, body in enumerate(bodies):
        rows = np.reshape(body["position"]["cartesianVelocity"], (-1, 7))
        check_rows(rows[:, 0], rows[:, 1:], k)
        turns = np.reshape(body["orientation"]["unitQuaternion"], (-1, 5))
        check_attitudes(turns[:, 0], turns[:, 1:], k)
    events = [one for one in packets if one["id"].startswith("event/")]
    assert [one["name"] for one in events] == ["first", "second", "end"]


@pytest.mark.parametrize("epoch", [None, EPOCH])
def test_kml(flight, tmp_path, epoch):
    (path,) = export(flight, tmp_path / "flight.kml", bodies=["payload"], epoch=epoch)
    root: Any = ElementTree.parse(path).getroot()
    names = {"k": "http://www.opengis.net/kml/2.2", "gx": "http://www.google.com/kml/ext/2.2"}
    assert root.findtext("k:Document/k:name", namespaces=names) == "Two bodies & a <sphere>"
    if epoch:
        track = root.find(".//gx:Track", names)
        time = [seconds(one.text.rstrip("Z")) for one in track.findall("k:when", names)]
        places = [one.text.split(" ") for one in track.findall("gx:coord", names)]
    else:
        text = root.findtext(".//k:LineString/k:coordinates", namespaces=names)
        places = [line.split(",") for line in text.split()]
        time = flight.times("bodies.payload.position")
    assert len(places) == len(time) == len(flight.time)
    for t, place_ in zip(time, np.array(places, float), strict=True):
        x, y, z = fixed(t, 1)[0]
        # A sphere has equal geodetic and geocentric latitudes.
        known = np.degrees([math.atan2(y, x), math.asin(z / math.hypot(x, y, z))])
        np.testing.assert_allclose(place_[:2], known, rtol=0, atol=1e-10)
        assert place_[2] == pytest.approx(math.hypot(x, y, z) - RADIUS, abs=1e-5)
    points = root.findall(".//k:Point", names)
    assert len(points) == len(flight.events)


def test_a_table_is_read_back_with_the_same_bits(flight, tmp_path):
    pytest.importorskip("pyarrow")
    import pandas

    asked = ["bodies.payload.position", "bodies.payload.velocity.y"]
    export(flight, tmp_path / "flight.csv", asked)
    export(flight, tmp_path / "flight.parquet", asked)
    with (tmp_path / "flight.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head == [
        "time [s]",
        *(f"bodies.payload.position.{x} [m]" for x in "xyz"),
        "bodies.payload.velocity.y [m/s]",
    ]
    values = np.column_stack([flight.time, flight[asked[0]], flight[asked[1]]])
    np.testing.assert_array_equal(np.array(rows, float), values)
    frame = pandas.read_parquet(tmp_path / "flight.parquet")
    assert list(frame.columns) == head
    np.testing.assert_array_equal(frame.to_numpy(), values)


def test_a_matlab_file_has_all_quantities_and_events(flight, tmp_path):
    export(flight, tmp_path / "flight.mat")
    found = loadmat(tmp_path / "flight.mat", simplify_cells=True)
    series = {one["name"]: one for one in found["series"]}
    assert set(series) >= {"bodies.payload.position.x", "bodies.stage-one.attitude.0"}
    one = series["bodies.payload.position.x"]
    np.testing.assert_array_equal(one["value"], flight["bodies.payload.position.x"])
    np.testing.assert_array_equal(one["time"], flight.time)
    assert one["unit"] == "m"
    assert [event["name"] for event in found["events"]] == list(flight.events["name"])


def test_the_command_writes_what_python_writes(flight, tmp_path):
    saved = flight.save(tmp_path / "flight.nc")
    target = tmp_path / "command.e"
    command = ["export", str(saved), "-o", str(target), "--body", "payload", "--epoch", EPOCH]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert result.output.split() == ["Wrote", f"{target}."]
    (path,) = flight.export(tmp_path / "python.e", bodies=["payload"], epoch=EPOCH)
    assert target.read_text() == path.read_text()


def check_segments(segments: Sequence[Any], time_of: Any, unit: float = 1.0) -> None:
    """Rows (time, position, velocity) of two segments: interpolated on both sides of the impulse, z is that
    of the closed form. Values of the other side at the end of a segment would be wrong by 3 cm."""
    first, second = ([np.array(row[1:], float) * unit for row in rows] for rows in segments)
    times = [np.array([time_of(row[0]) for row in rows]) for rows in segments]
    assert times[0][-1] == times[1][0] == JUMP
    for time, rows in zip(times, (np.array(first), np.array(second)), strict=True):
        assert len(time) == 11
        assert (np.diff(time) > 0).all()
        between = time[:-1] + 0.07
        z = CubicHermiteSpline(time, rows[:, 2], rows[:, 5])(between)
        known = SPEED_AFTER * np.maximum(between - JUMP, 0.0)
        np.testing.assert_allclose(z, known, rtol=0, atol=1e-8)  # 13 digits, and the tolerance of the flight


def test_a_jump_of_the_velocity_separates_segments(kicked, tmp_path):
    path = {
        suffix: export(kicked, tmp_path / f"flight{suffix}", bodies=["b"], epoch=EPOCH)[0]
        for suffix in (".oem", ".e", ".czml", ".kml", ".aem", ".a")
    }
    blocks = path[".oem"].read_text().split("META_START")[1:]
    segments = [[line.split() for line in one.split("META_STOP")[1].splitlines() if line] for one in blocks]
    check_segments(segments, seconds, 1000.0)
    ends = [re.findall(r"(?:START|STOP)_TIME = (.*)", one) for one in blocks]
    assert [[seconds(end) for end in pair] for pair in ends] == [[0, JUMP], [JUMP, 2]]
    assert data_lines(path[".e"], "BEGIN SegmentBoundaryTimes", "END SegmentBoundaryTimes") == [["1"]]
    rows = data_lines(path[".e"], "EphemerisTimePosVel", "END Ephemeris")
    assert f"NumberOfEphemerisPoints     {len(rows)}" in path[".e"].read_text()
    check_segments([rows[:11], rows[11:]], float)
    position = json.loads(path[".czml"].read_text())[1]["position"]
    assert [one["interval"].split("/") for one in position] == [
        ["2026-11-29T12:00:00.000000Z", "2026-11-29T12:00:01.000000Z"],
        ["2026-11-29T12:00:01.000000Z", "2026-11-29T12:00:02.000000Z"],
    ]
    check_segments([np.reshape(one["cartesianVelocity"], (-1, 7)) for one in position], float)
    # Formats without velocities have each time once.
    assert path[".kml"].read_text().count("<gx:coord>") == 21
    assert len(data_lines(path[".aem"], "DATA_START", "DATA_STOP")) == 21
    assert len(data_lines(path[".a"], "AttitudeTimeQuaternions", "END Attitude")) == 21


def test_names_of_frames_and_samples(flight, kicked, tmp_path):
    """The ITRF belongs to the Earth. Two samples with velocities give the degree 3 of Hermite polynomials."""
    for one, frame, centre in ((kicked, "ITRF2000", "EARTH"), (flight, "PLANET_FIXED", "PLANET")):
        body = one.scenario.bodies[0].name
        (orbit,) = export(one, tmp_path / "flight.oem", bodies=[body], epoch=EPOCH)
        assert f"CENTER_NAME = {centre}\nREF_FRAME = {frame}\n" in orbit.read_text()
        (turns,) = export(one, tmp_path / "flight.aem", bodies=[body], epoch=EPOCH)
        assert f"CENTER_NAME = {centre}\nREF_FRAME_A = {frame}\n" in turns.read_text()
    (path,) = export(flight, tmp_path / "flight.e", bodies=["payload"], epoch=EPOCH)
    assert "InterpolationSamplesM1      1\n" in path.read_text()
    assert "InterpolationOrder" not in path.read_text()


@pytest.mark.parametrize(
    ("name", "how", "words"),
    [
        ("flight.xls", {}, r"\.csv"),
        ("flight.oem", {}, "epoch: 'epoch' is required"),
        ("flight.czml", {"epoch": "9999-12-31T23:59:59Z"}, "not in the years 1 to 9999"),
        ("flight.oem", {"epoch": "0001-01-01T00:00:00+05:00"}, "not in the years 1 to 9999"),
        ("flight.czml", {"epoch": "tomorrow"}, "'tomorrow' is not a date"),
        ("flight.oem", {"epoch": EPOCH, "bodies": ["payloat"]}, "payload"),
        ("flight.kml", {"quantities": ["bodies.payload.speed"]}, "Choose bodies"),
        ("flight.csv", {"bodies": ["payload"]}, "select quantities"),
        ("flight.csv", {"epoch": EPOCH}, "Remove 'epoch'"),
        ("flight.csv", {"quantities": ["bodies.payload.sped"]}, "bodies.payload.speed"),
        ("no/such/folder/flight.kml", {}, "flight.kml"),
    ],
)
def test_one_clear_error(flight, tmp_path, name, how, words):
    with pytest.raises(BadInput, match=words):
        export(flight, tmp_path / name, **how)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("planet", [None, ist.FlatGround()])
@pytest.mark.parametrize("suffix", [s for s in SUFFIXES if s not in (*TABLES, ".glb")])
def test_trajectories_need_a_planet(tmp_path, planet, suffix):
    body = ist.Body(name="a", mass=1.0, inertia=[1, 1, 1], initial=ist.State())
    phase = ist.Phase(name="fly", until=ist.Trigger(elapsed=1.0))
    flight = ist.Scenario(bodies=(body,), phases=(phase,), planet=planet, ground="ignore").run()
    with pytest.raises(BadInput, match=r"planet: .*Declare the planet"):
        export(flight, tmp_path / f"flight{suffix}", epoch=EPOCH)


@pytest.mark.long
def test_a_mission_has_each_body_through_its_legs(tmp_path):
    flight = ist.load(Path(__file__).parents[2] / "examples" / "mission.toml").run()
    (path,) = export(flight, tmp_path / "flight.kml")
    assert path.read_text().count("<LineString>") == len(flight.scenario.bodies)
    with pytest.raises(BadInput, match="Choose quantities"):
        export(flight, tmp_path / "flight.csv")
    body = flight.scenario.bodies[0].name
    export(flight, tmp_path / "flight.csv", [f"bodies.{body}.altitude"])
    with (tmp_path / "flight.csv").open(newline="") as file:
        _, *rows = csv.reader(file)
    np.testing.assert_array_equal(np.array(rows, float)[:, 1], flight[f"bodies.{body}.altitude"])


def test_other_readers_read_the_files(flight, tmp_path):
    """By the packages oem and czml3, where they are installed."""
    reader = pytest.importorskip("oem")
    (path,) = export(flight, tmp_path / "flight.oem", bodies=["payload"], epoch=EPOCH)
    message = reader.OrbitEphemerisMessage.open(path)
    (segment,) = message.segments
    assert segment.metadata["OBJECT_NAME"] == "payload"
    states = [*segment.states]
    time = np.array(
        [
            (one.epoch.to_datetime(timezone=UTC) - datetime.fromisoformat(EPOCH)).total_seconds()
            for one in states
        ]
    )
    check_rows(time, np.array([[*one.position, *one.velocity] for one in states]), 1, unit=1000.0)


def test_a_reader_of_czml_accepts_the_packets(flight, tmp_path):
    reader = pytest.importorskip("czml3")
    (path,) = export(flight, tmp_path / "flight.czml", epoch=EPOCH)
    _, *packets = json.loads(path.read_text(encoding="utf-8"))
    assert [reader.Packet(**one).id for one in packets] == [one["id"] for one in packets]
