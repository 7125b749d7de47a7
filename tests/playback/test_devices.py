"""Data of devices in the playback compared with the record, and with closed forms."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from test_scene import SINGLE, array

from device_flights import device_record
from interstage.maths.rotations import matrix_of
from interstage.playback.contact_points import centre_of_contact
from interstage.playback.item_data import MOST_BYTES_OF_READINGS, Budget, data_of, last_action
from interstage.playback.items import Band, ContactPoint, Fastener, Link, items_of_parts
from interstage.playback.scene import scene_of
from interstage.playback.store import Store
from playback_records import flown

AFTER_OPENING = 0.52
"""Time [s] at which the segments of the band have left the flanges, see `device_flights`."""


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return scene_of(device_record()).data


def named(data: dict[str, Any], name: str, kind: str = "") -> dict[str, Any]:
    found = [one for one in data["items"] if one["name"] == name and one["type"] in (kind or one["type"])]
    return next(one for one in found if one["type"] != "arrow")


def values(data: dict[str, Any], channel: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    return array(data, channel["times"]), array(data, channel["values"]).reshape(-1, channel["size"])


def test_each_release_device_is_drawn_at_its_joint(data):
    kinds = {one["name"]: (one["type"], one.get("style")) for one in data["items"]}
    assert kinds["bolt"] == kinds["dud"] == ("fastener", "bolt")
    assert kinds["nut"] == ("fastener", "nut")
    assert kinds["charge"] == ("fastener", "seam")
    band = named(data, "band")
    assert (band["at"], band["direction"]) == ([0.5, 0.0, 0.0], [1.0, 0.0, 0.0])
    assert (band["radius"], band["segments"], band["opening"]) == (0.3, 8, 0.02)
    assert band["until"] == pytest.approx(AFTER_OPENING, abs=1e-9)
    # Both points are one point while the joint holds: the child is 1 m ahead of the origin of the stage.
    assert named(data, "bolt")["at"] == [[0.5, 0.2, 0.0], [-0.5, 0.2, 0.0]]


def test_failed_devices_are_marked(data):
    assert {one["name"] for one in data["items"] if one.get("failed")} == {"dud", "late"}


def test_the_state_of_a_bolt_is_the_state_of_the_record(data):
    record = device_record()
    times, state = values(data, named(data, "bolt")["state"])
    released = next(event.time for event in record.events if event.name == "bolt released")
    assert times[np.flatnonzero(state[:, 0] > 0)[-1]] == released
    _, dud = values(data, named(data, "dud")["state"])
    assert (dud == 1).all()


def test_a_device_that_never_acts_keeps_its_first_length(data):
    assert named(data, "late")["until"] == device_record().time[0]
    record = replace(device_record(), series=dict(device_record().series))
    path = "devices.late.state"
    always = np.ones_like(record.series[path])
    record.series[path] = always
    record.before, record.after = (
        {**side, path: np.ones(len(record.events))} for side in (record.before, record.after)
    )
    assert last_action(record, path) is None


def test_texts_have_the_values_of_the_record(data):
    record = device_record()
    readings = {one["text"]: one for one in named(data, "band")["readings"]}
    assert set(readings) == {"preload", "line preload", "tension", "preload left"}
    _, found = values(data, readings["preload"]["values"])
    assert found == pytest.approx(record.series["devices.band.preload"][0], rel=SINGLE)


def test_texts_have_a_limit_of_size():
    """Far more devices than the limit holds: their texts omit the quantities, and all devices are drawn."""
    record, store, budget = device_record(), Store(), Budget()
    (item,) = (one for one in items_of_parts(record)[0] if isinstance(one, Link))
    count = 0
    rng = np.random.default_rng(5)
    for _ in range(500):
        record = replace(record, series={**record.series, item.force: rng.normal(size=len(record.time))})
        data = data_of(item, record, store, (0.0, 1.0), budget)
        count += "readings" in data
        assert data["name"] == "late"
    assert 1 < count < 500
    # The last text may pass the limit by one device: its quantities, each of at most 12 bytes a sample.
    assert budget.left > -3 * 12 * 3 * (len(record.time) + 3 * len(record.events))
    assert MOST_BYTES_OF_READINGS < 2e5


def test_the_contact_is_where_the_point_touches(data):
    """One of two points touches; friction is zero, so that the force is normal to the wall."""
    bump = named(data, "bump")
    _, rows = values(data, bump["values"])
    touching = np.isfinite(rows[:, 0]) & (np.linalg.norm(rows[:, 3:], axis=1) > 1e-3)
    assert touching.any()
    # Torque of some 3 N m and force are in the record in double precision; the place is in single precision.
    assert np.abs(rows[touching, :2] - [0.05, 0.03]).max() < 1e-5
    assert np.abs(rows[touching, 2] - 0.28).max() < 1e-5
    largest = np.abs(rows[touching, 5]).max()
    assert largest == pytest.approx(
        np.nanmax(device_record().courses["contacts.bump"][1]["normal_force"]), rel=1e-3
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_centre_of_contact_for_random_attitudes(seed):
    """A force at one of 40 points of a rotating body whose centre of mass is not its origin."""
    rng = np.random.default_rng(seed)
    record = flown(np.linspace(0.0, 2.0, 41), bodies=1, seed=seed)
    centre = rng.normal(size=3)
    (body,) = record.scenario.bodies
    moved = body.model_copy(update={"mass_centre": centre})
    record.scenario = record.scenario.model_copy(update={"bodies": (moved,)})
    points = rng.normal(size=(40, 3))
    force = rng.normal(size=(41, 3)) * 10.0 ** rng.uniform(-3, 6)
    turn = np.moveaxis(np.asarray(matrix_of(record.series["bodies.body_0.attitude"].T)), -1, 0)
    own = np.einsum("nji,nj->ni", turn, force)
    record.series |= {"f": force, "t": np.cross(points[7] - centre, own)}
    record.series["f"][5] = 0.0
    record.series["t"][5] = 0.0
    found = centre_of_contact(record, ContactPoint("touch", "body_0", points, "f", "t", ""))
    assert found is not None
    places = found[1]
    assert np.isnan(places[5]).all()
    good = np.delete(places, 5, axis=0)
    # Rounding of the foot of the line of action, whose distance is at most the distance of the point.
    assert np.abs(good - points[7]).max() < 1e-12 * (1 + np.abs(points).max())


def test_values_that_are_not_numbers_give_no_contact():
    record = flown(np.linspace(0.0, 2.0, 41), bodies=1)
    bad = np.full((41, 3), np.nan)
    record.series |= {"f": bad, "t": bad}
    found = centre_of_contact(record, ContactPoint("touch", "body_0", np.zeros((1, 3)), "f", "t", ""))
    assert found is not None
    assert np.isnan(found[1]).all()
    record.series.pop("f")
    assert centre_of_contact(record, ContactPoint("touch", "body_0", np.zeros((1, 3)), "f", "t", "")) is None


def test_500_bolts_take_less_than_200_kB():
    record = flown(np.linspace(0.0, 1.0, 3), bodies=1)
    drawn = [
        Fastener(f"bolt {k}", (f"body_{k}", f"body_{k + 1}"), (np.zeros(3), np.zeros(3)), [0, 0, 1])
        for k in range(499)
    ]
    store, budget = Store(), Budget()
    text = str([data_of(one, record, store, (0.0, 10.0), budget) for one in drawn])
    assert len(text) < 2e5


def test_an_item_of_another_class_is_refused():
    with pytest.raises(TypeError, match="is not an item of the playback"):
        data_of(SimpleNamespace(name="x"), device_record(), Store(), (0.0, 1.0), Budget())  # type: ignore[arg-type]


def test_a_band_that_never_opens_stays_closed():
    record = flown(np.linspace(0.0, 2.0, 41), bodies=2)
    band = Band("band", ("body_0", "body_1"), [0, 0, 0], [0, 0, 1], 1.0, state="missing")
    assert "until" not in data_of(band, record, Store(), (0.0, 2.0), Budget())
