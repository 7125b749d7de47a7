"""Animations as glTF, compared with closed forms of the motion and shapes, and read by other readers."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

import interstage as ist
from gltf_reader import GltfFile
from interstage.cli.main import app
from interstage.playback.animation import animation
from interstage.playback.motion import ANGLE
from interstage.playback.scene import SMALL
from interstage.reading import loads
from interstage.record.export import export
from interstage.record.record import EventRecord, Record
from interstage.record.results import Flight
from interstage.tree.errors import BadInput
from stub_flight import separation_record

SINGLE = 2.0**-24
"""Relative error of rounding to 32-bit floats."""
EDGE = 2.0
"""Edge [m] of the boxes of the bodies; the smallest body has a diagonal of EDGE sqrt(3)."""
BOUND = SMALL * EDGE * math.sqrt(3)
"""Error of positions [m] by omitted samples."""
Y_UP = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""In empty space: x = x, y = z, z = -y."""
RADIUS, RATE, TURNED = 6.4e6, 7.0e-5, 0.3


class Drift:
    """A body that moves uniformly and rotates about a fixed axis, drawn at random."""

    def __init__(self, seed: int, place: Any = (0, 0, 0), velocity: Any = (0, 0, 0)) -> None:
        random = np.random.default_rng(seed)
        self.name = f"body-{seed}"
        self.start = np.asarray(place) + random.normal(size=3) * 5
        self.velocity = np.asarray(velocity) + random.normal(size=3) * 3
        self.first = Rotation.random(rng=np.random.default_rng(seed))
        self.spin = random.normal(size=3)  # body axes
        self.centre = random.normal(size=3)

    def place(self, time: Any) -> np.ndarray:
        return self.start + np.multiply.outer(time, self.velocity)

    def turn(self, time: Any) -> Rotation:
        return self.first * Rotation.from_rotvec(np.multiply.outer(time, self.spin))

    @property
    def body(self) -> ist.Body:
        cube = ist.Box(name="cube", at=self.centre, size=[EDGE] * 3)
        return ist.Body(name=self.name, mass=9.0, inertia=[3] * 3, mass_centre=self.centre, shapes=(cube,))

    def series(self, time: np.ndarray) -> dict[str, np.ndarray]:
        signs = np.where(np.arange(len(time)) % 3 == 0, -1.0, 1.0)[:, None]  # the same attitude
        rows = {
            "position": self.place(time),
            "velocity": np.tile(self.velocity, (len(time), 1)),
            "attitude": self.turn(time).as_quat()[:, [3, 0, 1, 2]] * signs,
            "angular_velocity": np.tile(self.spin, (len(time), 1)),
        }
        return {f"bodies.{self.name}.{what}": values for what, values in rows.items()}


def record_of(drifts: list[Drift], time: np.ndarray, planet: Any = None) -> Record:
    """A record of bodies, made without a flight."""
    known = separation_record()
    changes: dict[str, Any] = {"bodies": tuple(one.body for one in drifts), "joints": (), "devices": ()}
    scenario = known.scenario.model_copy(update={**changes, "requirements": (), "planet": planet})
    series = {path: rows for one in drifts for path, rows in one.series(time).items()}
    metas = {path: known.meta[path.replace(path.split(".")[1], "stage")] for path in series}
    events = [EventRecord("release", float(time[-1]) / 2, "phase", "")]
    return Record(scenario, time, series, events, {}, {}, metas, outcome="Completed.")


def check_pose(file: GltfFile, drift: Drift, time: float, place: Any, turn: Rotation, far: float) -> None:
    """The pose of the structural axes. Errors of the attitude act at the arm from the centre of mass.

    - place: of the centre of mass, turn: of the body, both in the axes of the scene.
    - far: size of the positions and of their change in the rounding of a time [m].
    """
    found = file.pose(f"{drift.name}.structure", time)
    error = (Rotation.from_matrix(found[:3, :3]) * turn.inv()).magnitude()
    angle = ANGLE + 16 * SINGLE  # products of three rounded rotations
    assert error < angle
    origin = place - turn.apply(drift.centre)
    bound = BOUND + angle * float(np.linalg.norm(drift.centre)) + 4 * SINGLE * far
    np.testing.assert_allclose(found[:3, 3], origin, rtol=0, atol=bound)


@pytest.mark.parametrize("seed", range(4))
def test_poses_in_empty_space(seed):
    drifts = [Drift(seed), Drift(seed + 10), Drift(seed + 20)]
    time = np.linspace(0.0, 30.0, 301)
    file = GltfFile(animation(record_of(drifts, time), "Drift"))
    start = drifts[0].start
    for drift in drifts:
        for t in np.random.default_rng(seed).uniform(0, 30, 20):
            place = Y_UP @ (drift.place(t) - start)
            check_pose(file, drift, t, place, Rotation.from_matrix(Y_UP) * drift.turn(t), 300.0)
    extras = file.document["scenes"][0]["extras"]
    assert extras["origin"] == "start"
    assert extras["events"] == [{"time": 15.0, "name": "release", "kind": "phase"}]
    assert extras["frame"] == (
        f"Origin: the start point of the centre of mass of {drifts[0].name}, which is fixed in the inertial"
        " axes. Axes of the scene: x is x, y is z and z is -y of the inertial axes."
    )


@pytest.fixture(scope="module")
def orbiting() -> tuple[list[Drift], Record]:
    """Bodies that fly past a rotating sphere, near each other, at orbital speed."""
    place = (RADIUS + 2e5) * np.array(
        [math.cos(0.4) * math.cos(1.0), math.cos(0.4) * math.sin(1.0), math.sin(0.4)]
    )
    velocity = np.array([-6000.0, 3000.0, 500.0])
    drifts = [Drift(seed, place, velocity) for seed in range(3)]
    planet = ist.Planet(radius=RADIUS, rotation_rate=RATE, angle=TURNED, mu=4e14)
    return drifts, record_of(drifts, np.linspace(0.0, 60.0, 601), planet)


def level(place: np.ndarray) -> np.ndarray:
    """Rows: east, up and south over a sphere, at a position."""
    up = place / np.linalg.norm(place)
    east = np.cross([0, 0, 1], up)
    east /= np.linalg.norm(east)
    return np.array([east, up, np.cross(east, up)])


def test_the_origin_follows_a_body(orbiting):
    drifts, record = orbiting
    for origin in (None, drifts[1].name):
        file = GltfFile(animation(record, "Orbit", origin=origin))
        leader = drifts[0 if origin is None else 1]
        assert file.document["scenes"][0]["extras"]["origin"] == leader.name
        axes = level(leader.start)
        for drift in drifts:
            for t in (0.0, 12.345, 60.0):
                place = axes @ (drift.place(t) - leader.place(t))
                check_pose(file, drift, t, place, Rotation.from_matrix(axes) * drift.turn(t), 300.0)


def test_the_origin_is_fixed_to_the_rotating_ground(orbiting):
    drifts, record = orbiting
    file = GltfFile(animation(record, "Orbit", origin="start"))
    to_fixed = lambda t: Rotation.from_rotvec([0, 0, -(TURNED + RATE * t)])  # noqa: E731
    start = to_fixed(0.0).apply(drifts[0].start)
    axes = level(start)
    far = 60.0 * 7000.0
    for drift in drifts:
        for t in (0.0, 12.345, 60.0):
            place = axes @ (to_fixed(t).apply(drift.place(t)) - start)
            turn = Rotation.from_matrix(axes) * to_fixed(t) * drift.turn(t)
            check_pose(file, drift, t, place, turn, far)
    # The control: without the rotation of the planet, the body would be 20 km away.
    assert np.linalg.norm(to_fixed(60.0).apply(drifts[0].start) - start) > 20e3


def test_flat_ground_has_its_vertical_upward():
    drift = Drift(5)
    ground = ist.FlatGround(up=[1, 0, 0], north=[0, 0, 1])
    file = GltfFile(animation(record_of([drift], np.linspace(0, 5, 51), ground), "Flat"))
    moved = file.pose(drift.name, 4.0)[:3, 3] - file.pose(drift.name, 1.0)[:3, 3]
    up, north = 3 * drift.velocity[0], 3 * drift.velocity[2]
    east = 3 * np.cross([0, 0, 1], [1, 0, 0]) @ drift.velocity
    np.testing.assert_allclose(moved, [east, up, -north], rtol=0, atol=2 * BOUND)


def test_a_jump_of_the_velocity_stays_sharp():
    """On both sides of an impulse, the velocity between two keys is that of the side."""
    drift, before, after = Drift(3), np.linspace(0, 5, 26), np.linspace(5, 10, 26)
    record = record_of([drift], np.concatenate([before, after]))
    kick = np.array([0.0, 0, 40.0])
    stem = f"bodies.{drift.name}"
    late = np.arange(52) >= 26
    place = record.series[f"{stem}.position"] + np.outer(np.where(late, record.time - 5, 0), kick)
    speed = record.series[f"{stem}.velocity"] + np.outer(late, kick)
    series = {**record.series, f"{stem}.position": place, f"{stem}.velocity": speed}
    file = GltfFile(animation(replace(record, series=series), "Kick"))
    for t in (4.9, 4.99, 5.0, 5.01, 5.1, 7.7):
        known = Y_UP @ (drift.place(t) + kick * max(t - 5, 0) - drift.start)
        found = file.pose(drift.name, t)[:3, 3]
        np.testing.assert_allclose(found, known, rtol=0, atol=BOUND + 4 * SINGLE * 300)


def test_a_jump_of_the_centre_of_mass_has_two_keys():
    """At a jettison, the centre of mass jumps in the body; the structure does not move."""
    drift, before, after = Drift(4), np.linspace(0, 5, 26), np.linspace(5, 10, 26)
    record = record_of([drift], np.concatenate([before, after]))
    stem, late = f"bodies.{drift.name}", np.arange(52) >= 26
    centre = drift.centre + np.outer(late, [0.5, -0.2, 0.1])
    place = record.series[f"{stem}.position"] + drift.turn(record.time).apply(centre - drift.centre)
    series = {**record.series, f"{stem}.position": place, f"{stem}.mass_centre": centre}
    metas = {**record.meta, f"{stem}.mass_centre": record.meta[f"{stem}.position"]}
    file = GltfFile(animation(replace(record, series=series, meta=metas), "Jettison"))
    for t in (0.0, 2.0, 4.999, 5.0, 5.001, 9.0):
        place = Y_UP @ (drift.place(t) - drift.start)
        # Rotating about another point, the recorded velocity is not that of the centre of mass.
        if t < 5 or t == 9.0:
            check_pose(file, drift, t, place, Rotation.from_matrix(Y_UP) * drift.turn(t), 300.0)
    _, times, values = file.tracks[f"{drift.name}.structure", "translation"]
    steps = np.diff(times)[np.abs(np.diff(values, axis=0)).max(axis=1) > 0.1]
    np.testing.assert_array_equal(steps, np.float32(5) - np.nextafter(np.float32(5), np.float32(0)))


def test_a_body_is_hidden_at_times_without_a_pose():
    drifts = [Drift(1), Drift(2)]
    record = record_of(drifts, np.linspace(0, 10, 101))
    place = record.series["bodies.body-2.position"].copy()
    place[(record.time < 1.95) | (np.abs(record.time - 5) < 1.05) | (record.time > 8.05)] = np.nan
    series = {**record.series, "bodies.body-2.position": place}
    file = GltfFile(animation(replace(record, series=series), "Gap"))
    shown = {t: file.value("body-2", "scale", t) for t in (0, 1.9, 2.1, 3.8, 4.2, 5.9, 6.2, 7.9, 8.2, 10)}
    assert {t: one.tolist() for t, one in shown.items()} == {
        t: [1.0] * 3 if t in (2.1, 3.8, 6.2, 7.9) else [0.0] * 3 for t in shown
    }
    assert ("body-1", "scale") not in file.tracks
    # An origin that ends hides the other bodies too.
    file = GltfFile(animation(replace(record, series=series), "Gap", origin="body-2"))
    assert file.value("body-1", "scale", 9.0).tolist() == [0.0] * 3
    assert file.value("body-1", "scale", 3.0).tolist() == [1.0] * 3


AROUND = 64
FLAT = AROUND / (2 * math.pi) * math.sin(2 * math.pi / AROUND)
"""Ratio of the area of a polygon of AROUND corners to that of its circle."""
LENGTH, R, R2 = 1.7, 0.6, 0.25
BASE: dict[str, Any] = {"at": [0.3, -0.2, 0.5], "axis": [1.0, 2.0, -0.5]}
OGIVE = (R * R + LENGTH * LENGTH) / (2 * R)
SHAPES = {
    "ball": (ist.Sphere(name="s", radius=R), 4 / 3 * math.pi * R**3, 0.01),
    "capsule": (
        ist.Capsule(name="s", length=LENGTH, radius=R, **BASE),
        math.pi * R**2 * (LENGTH + 4 / 3 * R),
        0.01,
    ),
    "cylinder": (
        ist.Cylinder(name="s", length=LENGTH, radius=R, **BASE),
        math.pi * R**2 * LENGTH * FLAT,
        1e-5,
    ),
    "cone": (ist.Cone(name="s", length=LENGTH, radius=R, **BASE), math.pi / 3 * R**2 * LENGTH * FLAT, 1e-5),
    "frustum": (
        ist.Cone(name="s", length=LENGTH, radius=R2, end_radius=R, **BASE),
        math.pi / 3 * (R**2 + R * R2 + R2**2) * LENGTH * FLAT,
        1e-5,
    ),
    "ogive": (
        ist.Ogive(name="s", length=LENGTH, radius=R, **BASE),
        math.pi * (LENGTH * OGIVE**2 - LENGTH**3 / 3 - (OGIVE - R) * OGIVE**2 * math.asin(LENGTH / OGIVE)),
        0.01,
    ),
    "shell": (
        ist.Shell(name="s", stations=[0, LENGTH], inner=[R2, R2], outer=[R, R], **BASE),
        math.pi * (R**2 - R2**2) * LENGTH * FLAT,
        1e-5,
    ),
    "box": (
        ist.Box(
            name="s", at=[1, 2, 3], size=[1, 2, 3], attitude=ist.Attitude(euler="3-2-1", angles=[1, 0.5, 2])
        ),
        6.0,
        1e-5,
    ),
}
"""Shape, its volume [m^3], and the relative error of its triangles: by the polygons of round surfaces (1 % of
a sphere with 64 x 32), or by 32-bit floats."""


@pytest.mark.parametrize("kind", SHAPES)
def test_another_reader_finds_closed_surfaces_with_the_volume_of_the_shape(kind):
    trimesh = pytest.importorskip("trimesh")
    shape, volume, error = SHAPES[kind]
    drift = Drift(8)
    record = record_of([drift], np.linspace(0, 1, 11))
    body = drift.body.model_copy(update={"shapes": (shape,)})
    record = replace(record, scenario=record.scenario.model_copy(update={"bodies": (body,)}))
    data = animation(record, "Shape")
    scene = trimesh.load_scene(io.BytesIO(data), file_type="glb")
    (found,) = scene.dump()
    found.merge_vertices(merge_norm=True, merge_tex=True)
    assert found.is_watertight
    assert found.volume == pytest.approx(volume, rel=error)  # positive: triangles are seen from outside
    points, normals, rows = GltfFile(data).mesh(f"{drift.name}.s")
    a, b, c = (points[rows[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    assert (np.einsum("ij,ij->i", flat, normals[rows].mean(axis=1)) > 0).all()
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=4 * SINGLE)
    # The centre of the shape, at the start pose, in the axes of the scene.
    if kind in ("ball", "box"):
        centre = Y_UP @ drift.first.apply(np.asarray(shape.at) - drift.centre)
        np.testing.assert_allclose(found.bounds.mean(axis=0), centre, rtol=0, atol=16 * SINGLE)
    elif kind in ("capsule", "cylinder", "shell"):
        middle = np.asarray(BASE["at"]) + 0.5 * LENGTH * np.array(BASE["axis"]) / np.linalg.norm(BASE["axis"])
        centre = Y_UP @ drift.first.apply(middle - drift.centre)
        np.testing.assert_allclose(found.bounds.mean(axis=0), centre, rtol=0, atol=16 * SINGLE)


def test_a_mesh_and_a_substitute(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "box.stl")
    mesh = ist.Mesh(name="m", file=str(tmp_path / "box.stl"), unit=0.5, at=[1, 0, 0])
    lost = ist.Mesh(name="lost", file=str(tmp_path / "lost.stl"))
    drifts = [Drift(0), Drift(1)]
    record = record_of(drifts, np.linspace(0, 1, 11))
    bodies = tuple(
        one.body.model_copy(update={"shapes": shapes}) for one, shapes in zip(drifts, ((mesh, lost), ()))
    )
    record = replace(record, scenario=record.scenario.model_copy(update={"bodies": bodies}))
    file = GltfFile(animation(record, "Mesh"))
    points, _, _ = file.mesh("body-0.m")
    np.testing.assert_allclose(np.ptp(points, axis=0), [0.5, 1.0, 1.5], rtol=2 * SINGLE)
    assert file.nodes["body-0.m"]["translation"] == [1, 0, 0]
    assert file.nodes["body-0"]["extras"]["shape_is_a_substitute"] is False
    assert file.nodes["body-1"]["extras"] == {"mass_at_start": 9.0, "shape_is_a_substitute": True}
    assert file.nodes["body-1.structure"]["children"] == [
        k for k, node in enumerate(file.document["nodes"]) if node["name"] == "body-1.stand-in"
    ]
    (text,) = file.document["scenes"][0]["extras"]["omitted"]
    assert text.startswith("Shape body-0.lost: ")


def test_pygltflib_reads_the_tracks(orbiting):
    reader = pytest.importorskip("pygltflib")
    _, record = orbiting
    data = animation(record, "Orbit")
    found = reader.GLTF2.load_from_bytes(data)
    (one,) = found.animations
    assert one.name == found.scenes[0].name == "Orbit"
    assert len(one.channels) == 6  # translation and rotation of three bodies
    own = GltfFile(data)
    for channel in one.channels:
        sampler = one.samplers[channel.sampler]
        accessor = found.accessors[sampler.output]
        view = found.bufferViews[accessor.bufferView]
        start = view.byteOffset
        raw = found.binary_blob()[start : start + view.byteLength]
        name = found.nodes[channel.target.node].name
        np.testing.assert_array_equal(
            np.frombuffer(raw, np.float32), own.tracks[name, channel.target.path][2].ravel()
        )
        assert accessor.type == {"translation": "VEC3", "rotation": "VEC4"}[channel.target.path]


def test_names_of_any_letters(tmp_path):
    record = record_of([Drift(0)], np.linspace(0, 1, 11))
    file = GltfFile(animation(record, 'A </script> "name" ü 中'))
    assert file.document["scenes"][0]["name"] == 'A </script> "name" ü 中'


def test_the_command_writes_what_python_writes(tmp_path):
    scenario = loads(
        """
        bodies.a = { mass = "10 kg", inertia = "[1,1,1] kg m^2", initial = { velocity = "[0, 0, 3] m/s" } }
        bodies.b = { mass = "10 kg", inertia = "[1,1,1] kg m^2", initial = { position = "[0, 0, 9] m" } }
        phases.one = { until = { elapsed = "1 s" } }
        """
    )
    flight = scenario.run()
    saved = flight.save(tmp_path / "flight.nc")
    target = tmp_path / "command.glb"
    command = ["export", str(saved), "-o", str(target), "--body", "a", "--origin", "b"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert result.output.split() == ["Wrote", f"{target}."]
    (path,) = flight.export(tmp_path / "python.glb", bodies=["a"], origin="b")
    first, second = (GltfFile(one.read_bytes()) for one in (target, path))
    assert {*first.nodes} == {"flight", "a", "a.structure", "a.stand-in"}
    assert first.nodes == second.nodes
    np.testing.assert_allclose(first.pose("a", 1.0)[:3, 3], [0, 3.0 - 9.0, 0], rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "how", "words"),
    [
        (
            "flight.glb",
            {"epoch": "2026-11-29T12:00:00Z"},
            "'epoch' has no effect on a .glb file, whose times",
        ),
        (
            "flight.csv",
            {"origin": "start"},
            "'origin' has no effect on a .csv file. Remove 'origin', or write",
        ),
        ("flight.glb", {"quantities": ["bodies.body-0.speed"]}, "'quantities' have no effect on .glb"),
        ("flight.glb", {"origin": "body-O"}, "origin: there is no body 'body-O' in this flight; .*body-0"),
        ("flight.glb", {"bodies": ["x"], "origin": "y"}, "(?s)bodies: .*'x'.*origin: .*'y'.*start"),
    ],
)
def test_one_clear_error(tmp_path, name, how, words):
    flight = Flight(record_of([Drift(0)], np.linspace(0, 1, 11)))
    with pytest.raises(BadInput, match=words):
        export(flight, tmp_path / name, **how)
    assert not [*tmp_path.iterdir()]


def test_a_flight_without_poses_is_rejected():
    record = record_of([Drift(0)], np.linspace(0, 1, 11))
    with pytest.raises(BadInput, match="bodies: the flight has no recorded poses"):
        animation(replace(record, series={}), "Nothing")
