"""Data of the playback compared with the record from which it is made."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import interstage as ist
from interstage.playback import items, motion
from interstage.playback.courses import course
from interstage.playback.motion import Motion
from interstage.playback.page import html
from interstage.playback.scene import SMALL, scene_of
from interstage.playback.shapes import mass_properties, outline, shapes_of, stand_in
from interstage.playback.store import TYPES, Store
from interstage.record.record import Record
from interstage.record.results import Flight
from playback_records import flown, replace_bodies
from stub_flight import APART, RELEASE, flown_scenario, separation_record

SINGLE = 2.0**-23
"""Relative rounding of single precision."""


def array(data: dict[str, Any], number: int) -> np.ndarray:
    one = data["arrays"][number]
    return np.frombuffer(base64.b64decode(one["data"]), TYPES[one["type"]])


def motion_in(data: dict[str, Any], body: str = "") -> Motion:
    """The motion of a body, or of the origin, as the viewer reads it."""
    poses = next((one for one in data["bodies"] if one["name"] == body), {}).get("poses", data["origin"])
    time = array(data, poses["times"])

    def rows(name: str) -> np.ndarray:
        return array(data, poses[name]).reshape(len(time), -1).astype(float)

    unused = np.zeros((len(time), 3))
    return Motion(time, rows("positions"), rows("velocities"), rows("attitudes"), unused)


def poses_at(found: Motion, time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    first = np.clip(np.searchsorted(found.time, time, side="right") - 1, 0, len(found.time) - 2)
    width = found.time[first + 1] - found.time[first]
    part = np.where(width > 0, (time - found.time[first]) / np.where(width > 0, width, 1), 0.0).clip(0, 1)
    position, _ = motion.hermite(found, first, first + 1, time)
    return position, motion.slerp(found.attitude[first], found.attitude[first + 1], part)


@pytest.fixture(scope="module")
def shaken() -> Record:
    return flown(np.linspace(0.0, 600.0, 3001), bodies=5)


def test_poses_of_the_page_are_the_poses_of_the_record(shaken):
    data = scene_of(shaken).data
    smallest = min(body["extent"] for body in data["bodies"])
    origin, _ = poses_at(motion_in(data), shaken.time)
    reference = shaken.series["bodies.body_0.position"]
    # Double precision: positions of the origin are rounded by 1e-9 m.
    assert np.abs(origin - reference).max() <= SMALL * smallest + 1e-8
    for k in range(5):
        position, attitude = poses_at(motion_in(data, f"body_{k}"), shaken.time)
        wanted = shaken.series[f"bodies.body_{k}.position"] - reference
        # Two products of a velocity and a time of up to 10 s are in single precision, too.
        rounding = SINGLE * (np.abs(wanted).max() + 10.0)
        assert np.abs(position - wanted).max() <= SMALL * smallest + rounding + 1e-8
        turn = motion.product(motion.inverse(attitude), shaken.series[f"bodies.body_{k}.attitude"])
        assert np.linalg.norm(motion.rotation_vector(turn), axis=1).max() <= motion.ANGLE + 4 * SINGLE


def test_600_s_of_5_bodies_are_below_2_MB(shaken):
    assert len(html(Flight(shaken, scenario_text="")).encode()) < 2e6


def test_a_fast_spin_is_shown_between_rare_samples():
    """Half a second between samples at 10 rad/s: the shorter way between two samples is the wrong one."""
    time = np.linspace(0.0, 5.0, 11)
    record = flown(time, bodies=1)
    spin = np.array([0.0, 0.0, 10.0])
    record.series["bodies.body_0.attitude"] = motion.of_rotation_vector(time[:, None] * spin)
    record.series["bodies.body_0.angular_velocity"] = np.tile(spin, (11, 1))
    between = np.linspace(0.0, 5.0, 501)
    _, attitude = poses_at(motion_in(scene_of(record).data, "body_0"), between)
    wanted = motion.of_rotation_vector(between[:, None] * spin)
    turn = motion.product(motion.inverse(attitude), wanted)
    assert np.linalg.norm(motion.rotation_vector(turn), axis=1).max() <= motion.ANGLE + 4 * SINGLE


def test_both_sides_of_a_release_and_its_slow_motion():
    scene = scene_of(separation_record(flown_scenario()))
    assert [one["time"] for one in scene.data["separations"]] == [RELEASE]
    spent = scene.data["separations"][0]["until"]
    assert spent == scene.data["events"][2]["time"]
    payload = motion_in(scene.data, "payload")
    position, _ = poses_at(payload, np.array([0.0, RELEASE]))
    assert position == pytest.approx(np.array([[0, APART, 0], [0, APART, 0]]), abs=APART * SINGLE)


def test_a_gap_of_the_reference_body_does_not_hide_the_others(shaken):
    record = replace(shaken, series=dict(shaken.series))
    whole = record.series["bodies.body_0.position"]
    record.series["bodies.body_0.position"] = np.where((np.arange(3001) // 500 == 2)[:, None], np.nan, whole)
    record.series["bodies.body_4.position"] = np.full((3001, 3), np.nan)
    names = ("body_1", "body_0")
    scene = scene_of(keep_bodies(record, names))
    assert scene.data["reference"] == "body_1"
    scene = scene_of(keep_bodies(record, ("body_0", "body_4")))
    assert scene.data["reference"] == "body_0"
    assert [body["name"] for body in scene.data["bodies"]] == ["body_0"]
    origin, _ = poses_at(motion_in(scene.data), record.time)
    assert np.isfinite(origin).all()


def keep_bodies(record: Record, names: tuple[str, ...]) -> Record:
    made = tuple(body for name in names for body in record.scenario.bodies if body.name == name)
    return replace(record, scenario=replace_bodies(record.scenario, made))


def test_the_legs_of_a_mission_are_one_flight():
    """A body through two legs; a quantity of both of two concurrent legs has no single course."""
    first, then = (flown(np.linspace(start, start + 10.0, 101), bodies=2) for start in (0.0, 10.0))
    whole = Record(first.scenario, np.zeros(0), {}, [], {}, {}, {}, legs={"first": first, "then": then})
    found = course(whole, "bodies.body_1.position")
    assert found is not None
    assert found[0][[0, -1]].tolist() == [0.0, 20.0]
    whole.legs["then"] = flown(np.linspace(15.0, 25.0, 101), bodies=2)
    time = np.array([5.0, 12.0, 20.0])
    position, _ = poses_at(motion_in(scene_of(whole).data, "body_1"), time)
    assert np.isfinite(position).all(axis=1).tolist() == [True, False, True]
    whole.legs["then"] = flown(np.linspace(5.0, 15.0, 101), bodies=2)
    assert course(whole, "bodies.body_1.position") is None


def test_missing_poses_stay_missing(shaken):
    record = replace(keep_bodies(shaken, ("body_0", "body_1")), series=dict(shaken.series))
    values = record.series["bodies.body_1.position"].copy()
    values[1000:1500] = np.nan
    record.series["bodies.body_1.position"] = values
    found = motion_in(scene_of(record).data, "body_1")
    bad = ~np.isfinite(found.position).all(axis=1)
    assert found.time[bad] == pytest.approx(shaken.time[[1000, 1499]])
    position, _ = poses_at(found, np.array([150.0, 250.0, 350.0]))
    assert np.isfinite(position).all(axis=1).tolist() == [True, False, True]


@pytest.mark.parametrize("moments", [[20, 20, 10], [10, 20, 20], [4, 5, 6], [0, 0, 0]])
def test_a_stand_in_has_the_inertia_of_its_body(moments):
    """Uniform density: the inertia of a cylinder and a box from their sizes; without inertia a ball."""
    body = ist.Body(name="body", mass=100.0, inertia=moments, mass_centre=[1, 2, 3])
    record = flown(np.array([0.0, 1.0]), bodies=1)
    assert shapes_of(body, Store()) == ([], [])
    shape = stand_in(*mass_properties(body, record))
    points = outline(shape, around=256)
    middle = 0.5 * (points.max(axis=0) + points.min(axis=0))
    assert middle == pytest.approx([1, 2, 3])
    if not any(moments):
        assert shape["kind"] == "ball"
        return
    size = np.ptp(points, axis=0)
    square = size**2 / np.where([shape["kind"] == "box"] * 3, 12.0, 16.0)
    if shape["kind"] == "turned":
        along = int(np.argmax(np.abs(np.diff(points[[0, -1]], axis=0))))
        square[along] = size[along] ** 2 / 12
    found = 100.0 * (square.sum() - square)
    # The outline of a circle by 256 points is short by 1 - cos(pi/256) at most.
    assert found == pytest.approx(np.array(moments, float), rel=2 * (1 - np.cos(np.pi / 256)))


def test_mass_properties_come_from_the_first_sample():
    record = separation_record(flown_scenario())
    mass, centre, tensor = mass_properties(record.scenario.bodies[0], record)
    assert mass == record.series["bodies.stage.mass"][0]
    assert centre.tolist() == [0, 0, 0]
    assert tensor.tolist() == np.eye(3).tolist()


def test_equal_arrays_are_stored_once():
    store = Store()
    assert store.add([1.0, 2.0]) == store.add([1.0, 2.0]) != store.add([1.0, 3.0])
    assert len(store.arrays) == 2


@pytest.mark.parametrize(("begin", "end"), [(0, np.pi), (-0.3, 2.1), (1.0, 6.2)])
def test_the_mesh_of_a_sector_is_closed_and_has_its_volume(begin, end):
    """Its normals point outward. Flat pieces of the round faces make the volume smaller by the factor
    sin(a) / a of an arc a of the mesh. The volume itself follows from frusta."""
    sector = {"from": begin, "to": end}
    wall = ist.Shell(
        name="wall", axis=[1, 0, 0], stations=[0, 2, 3.5], inner=[0.9, 0.9, 0.1], outer=[1, 1, 0.2], **sector
    )
    cone = ist.Cone(name="cone", axis=[0, -1, 0], at=[1, 2, 3], length=2, radius=1, end_radius=0.4, **sector)
    body = ist.Body(name="b", mass=1, inertia=[1, 1, 1], shapes=(wall, cone))
    store = Store()
    shapes, left_out = shapes_of(body, store)
    assert not left_out

    def frustum(r, s, h):
        return h / 6 * (r * r + r * s + s * s) * (end - begin)

    volumes = (
        frustum(1, 1, 2) + frustum(1, 0.2, 1.5) - frustum(0.9, 0.9, 2) - frustum(0.9, 0.1, 1.5),
        frustum(1, 0.4, 2),
    )
    arc = (end - begin) / np.ceil((end - begin) / (2 * np.pi) * 96)
    for shape, volume in zip(shapes, volumes, strict=True):
        raw = [store.arrays[shape[key]] for key in ("corners", "triangles")]
        points, rows = (np.frombuffer(base64.b64decode(a["data"]), TYPES[a["type"]]) for a in raw)
        triangles = points.astype(float).reshape(-1, 3)[rows.reshape(-1, 3)]
        one, two, three = np.moveaxis(triangles, 1, 0)
        # A closed surface has no total area vector. Corners have single precision.
        area = np.cross(two - one, three - one)
        assert np.abs(area.sum(0)).max() < 1e-5
        found = np.einsum("ij,ij->", one, np.cross(two, three)) / 6
        assert found == pytest.approx(volume * np.sin(arc) / arc, rel=1e-5)


@pytest.mark.parametrize("end", ["parent", "child"])
def test_station_of_an_interface_has_the_body_the_point_and_the_axes_of_its_loads(end):
    turned = ist.Attitude(quaternion=[np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    at = [0.1, 0.2, 0.3]
    declared = (
        ist.Interface(name="default", joints=("clamp",)),
        ist.Interface(name="placed", joints=("clamp",), at=at, at_body=end, axes=end, frame=turned),
    )
    record = separation_record(flown_scenario())
    record.scenario = record.scenario.model_copy(update={"interfaces": declared})
    default, placed = scene_of(record).data["stations"]
    body = {"parent": "stage", "child": "payload"}[end]
    assert (default["on"], default["at"]) == ("payload", [0, -APART / 2, 0])
    assert (default["axes_of"], default["turn"]) == ("stage", [1, 0, 0, 0])
    assert (placed["on"], placed["at"], placed["axes_of"]) == (body, at, body)
    np.testing.assert_allclose(placed["turn"], [np.sqrt(0.5), 0, 0, np.sqrt(0.5)], atol=2**-50)


def test_the_viewer_draws_every_kind_of_item():
    """The type of an item is the name of its class, which the viewer reads."""
    sources = "".join(path.read_text() for path in (Path(__file__).parents[2] / "web" / "src").glob("*.js"))
    for kind in get_args(items.Item):
        assert f'"{kind.__name__.lower()}"' in sources, kind
