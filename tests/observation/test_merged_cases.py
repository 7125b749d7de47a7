"""Groups of cases that are joined to one group."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import interstage as ist
from interstage.maths.arrays import jax
from interstage.observation.merged_cases import merge_chunks
from interstage.observation.records_of_cases import lane_track
from interstage.runs.lot import Lot, LotSettings

FIRST = Path(__file__).parents[2] / "examples" / "first.toml"
WIDTH = 3
"""Cases of a group: of five cases, the second group has one copy."""


def test_each_case_keeps_its_steps_and_events():
    """A campaign of several groups ended in an AttributeError if one case had no value of a response."""
    masses = np.array([80.0, 100.0, 130.0, 100.0, 90.0])
    lot = Lot(ist.load(FIRST), {"bodies.satellite.mass": masses}, settings=LotSettings(WIDTH, {}, False))
    groups = [chunk for part in lot.flown(1, lambda chunks: chunks)[0] for chunk in part.values()]
    assert [group.count for group in groups] == [3, 2]
    merged = merge_chunks(groups)
    for case in range(len(masses)):
        start, cursor, track = lane_track(merged, case)
        expected = lane_track(groups[case // WIDTH], case % WIDTH)
        assert len(track.t) >= int(cursor.accepted) > 5
        assert track.hit.any()
        jax.tree.map(np.testing.assert_array_equal, (start, cursor, track), expected)
