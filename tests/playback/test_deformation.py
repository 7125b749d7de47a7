"""Deformations of flexible bodies and beams in the playback, compared with closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_scene import SINGLE, array

from bent_flights import CURVATURE, ELEMENTS, LENGTH, MODE, STATIONS, arc, bent_record, shape, slope
from interstage.playback.deformation import (
    MOST_ROWS,
    MOST_SHAPES,
    SMALL,
    default_factor,
    main_shapes,
    rows_of_lines,
)
from interstage.playback.scene import scene_of
from interstage.playback.store import Store

RATE = 7.0


def deformations(data: dict[str, Any], kind: str, times: np.ndarray) -> np.ndarray:
    """Displacements and rotations (time, 2, point, 3), as the viewer computes them."""
    (item,) = (one for one in data["items"] if one["type"] == kind)
    known, size = array(data, item["amplitudes"]["times"]), item["amplitudes"]["size"]
    rows = array(data, item["amplitudes"]["values"]).reshape(-1, size)
    amplitudes = np.stack([np.interp(times, known, column) for column in rows.T], axis=1)
    shapes = array(data, item["shapes"]).reshape(size, -1)
    return (amplitudes @ shapes).reshape(len(times), 2, -1, 3)


def test_a_vibrating_body_has_the_deflections_of_its_points():
    record = bent_record()
    data = scene_of(record).data
    found = deformations(data, "flexiblebody", record.time)
    swing, at = np.cos(RATE * record.time)[:, None], np.array(STATIONS)
    # The largest scaled value is the rotation of the ends, 8 MODE / LENGTH, times LENGTH.
    allowed = SMALL * 8 * MODE
    assert np.abs(found[:, 0, :, 1] - MODE * shape(at) * swing).max() < allowed
    assert np.abs(found[:, 1, :, 2] - MODE * slope(at) * swing).max() < allowed / LENGTH
    assert np.abs(found[:, 0, :, [0, 2]]).max() < allowed
    (item,) = (one for one in data["items"] if one["type"] == "flexiblebody")
    # One mode is one shape.
    assert item["amplitudes"]["size"] == 1
    assert item["largest"] == pytest.approx(MODE, rel=1e-12)


def test_a_beam_has_the_positions_of_its_segments():
    record = bent_record()
    data = scene_of(record).data
    found = deformations(data, "flexiblebeam", record.time)
    bend = CURVATURE * np.sin(RATE * record.time)
    lengths = [*(LENGTH * (k + 0.5) / ELEMENTS for k in range(ELEMENTS)), LENGTH]
    scaled = [np.abs(arc(np.array([CURVATURE]), s)[1]).max() * LENGTH for s in lengths]
    for k, s in enumerate(lengths):
        position, _ = arc(bend, s)
        assert np.abs(found[:, 0, k] + [s, 0, 0] - position).max() < SMALL * max(scaled)
    (item,) = (one for one in data["items"] if one["type"] == "flexiblebeam")
    assert item["round"] is True
    assert item["section"] == [0.05, 0.05]


def test_the_default_factor_makes_a_twentieth_of_the_size():
    def one(largest: float, extent: float) -> dict[str, Any]:
        return {"type": "flexiblebody", "largest": largest, "extent": extent}

    assert default_factor([]) is None
    assert default_factor([one(0.0024, 1.0)]) == 20
    assert default_factor([one(0.0024, 1.0), one(0.0051, 1.0)]) == 5
    assert default_factor([one(0.2, 1.0)]) == 1
    assert default_factor([one(1e-14, 1.0)]) == 1
    assert default_factor([one(1e-14, 1.0), one(0.001, 1.0)]) == 50
    assert default_factor([one(1e-7, 1.0)]) == 10_000


@pytest.mark.parametrize("seed", range(6))
def test_random_deformations_are_within_the_tolerance(seed):
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.1, 1.0, 800))
    modes = int(rng.integers(1, 5))
    count = int(rng.integers(2, 7))
    amplitudes = np.sin(times[:, None] * rng.uniform(0.01, 0.2, modes)) * 10.0 ** rng.uniform(-6, 1, modes)
    values = amplitudes @ rng.normal(size=(modes, 6 * count))
    missing = slice(300, 340)
    values[missing] = np.nan
    store, extent = Store(), 3.0
    found = main_shapes(times, values, count, extent, store)
    assert found is not None
    data = {"arrays": store.arrays}
    size = found["amplitudes"]["size"]
    assert size <= MOST_SHAPES
    known = array(data, found["amplitudes"]["times"])
    rows = array(data, found["amplitudes"]["values"]).reshape(-1, size)
    shapes = array(data, found["shapes"]).reshape(size, -1)
    back = np.stack([np.interp(times, known, column) for column in rows.T], axis=1) @ shapes
    good = np.isfinite(values).all(axis=1)
    scale = np.repeat([1.0, extent], 3 * count)
    largest = np.abs(values[good] * scale).max()
    # Two halves of the tolerance: of the shapes, and of each of at most four amplitudes between its samples.
    allowed = largest * (0.5 * SMALL * (1 + size) + 50 * SINGLE)
    assert np.abs((back - values)[good] * scale).max() < allowed
    inside = (known >= times[300]) & (known <= times[339])
    assert np.isnan(rows[inside]).all()


def test_a_long_vibration_has_a_limit_of_samples():
    """600 s at 10 Hz: 60,000 samples and 12,000 extremes."""
    times = np.linspace(0.0, 600.0, 60_001)
    values = np.sin(62.8 * times)[:, None] * np.array([[1.0, -0.5]])
    rows = rows_of_lines(times, values, 0.005, MOST_ROWS)
    assert len(rows) <= MOST_ROWS
    # The picture keeps the envelope of the vibration.
    assert [values[rows].min(), values[rows].max()] == pytest.approx([-1, 1], abs=1e-4)
    store = Store()
    assert main_shapes(times, np.tile(values[:, :1], (1, 12)), 2, 1.0, store) is not None
    assert store.size < MOST_ROWS * (8 + 4) + 12 * 4 + 1


def test_values_that_are_missing_or_zero_are_no_deformation():
    times = np.linspace(0.0, 1.0, 5)
    assert main_shapes(times, np.full((5, 12), np.nan), 2, 1.0, Store()) is None
    found = main_shapes(times, np.zeros((5, 12)), 2, 1.0, Store())
    assert found is not None
    assert (found["largest"], found["amplitudes"]["size"]) == (0.0, 0)
    record = bent_record(samples=11)
    for path in list(record.series):
        if path.startswith("forces."):
            del record.series[path]
    data = scene_of(record).data
    assert not [one for one in data["items"] if one["type"].startswith("flexible")]
    assert "exaggeration" not in data
