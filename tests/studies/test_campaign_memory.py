"""Memory of large campaigns: results by formulas, written by the writer of a campaign."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campaign_results import STUDY, invented_result
from interstage.studies.campaign import CampaignResult, chunk_file, envelopes
from interstage.studies.campaign.columns import ENVELOPE, CaseTable, EnvelopeColumn, join_parts
from interstage.studies.campaign.folder import contents_of
from interstage.studies.campaign.manifest import write_manifest
from interstage.studies.campaign.printed import failed_table
from interstage.studies.campaign.result import open_folder

CASES, CHUNK = 20_000, 500


@pytest.fixture
def some() -> CampaignResult:
    return invented_result(speed=np.where(np.arange(200) % 7, 1.0, np.nan))


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> tuple[Path, CampaignResult]:
    """A folder with many chunks, and its campaign."""
    whole = invented_result({**STUDY, "cases": CASES})
    folder = tmp_path_factory.mktemp("large")
    write_manifest(folder, whole.manifest)
    for first in range(0, CASES, CHUNK):
        part = {name: values[first : first + CHUNK] for name, values in whole.columns.items()}
        chunk_file.write(folder, part, whole.manifest.stamp)
    return folder, whole


@pytest.mark.parametrize("ranges", [[(0, 200)], [(90, 160), (0, 75), (60, 90)], [(8, 16), (30, 160)], []])
def test_a_table_of_ranges_is_that_of_joined_parts(some, ranges):
    """Ranges in any order, with common cases, and with cases beyond the campaign."""
    names, cases = some.manifest.names, 150
    parts = [{name: values[a:b] for name, values in some.columns.items()} for a, b in ranges]
    table = CaseTable(names, cases)
    for part in parts:
        table.add(part)
    joined = join_parts(parts, names)
    assert table.columns.keys() == joined.keys()
    for name, values in joined.items():
        assert table.columns[name].dtype == values.dtype
        np.testing.assert_array_equal(table.columns[name], values[joined["case"] < cases])


def test_equal_texts_of_a_file_are_one_object(some, tmp_path):
    chunk_file.write(tmp_path, some.columns, some.manifest.stamp)
    (file,) = chunk_file.chunk_files(tmp_path)
    found = chunk_file.read(file, some.manifest.stamp)
    for name in ("outcome", "reason"):
        assert found[name].tolist() == some.columns[name].tolist()
        assert len({id(text) for text in found[name]}) == 2


def peak_of(action) -> int:
    """Largest memory [bytes] of Python and NumPy during an action."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_loaded_results_hold_each_value_once(large):
    """A number and a text have 8 bytes, a verdict one, and the mark of a finished case one. In addition,
    one chunk is read and checked: two copies of each number, and each text with up to 64 bytes."""
    folder, whole = large
    stamp = whole.manifest.stamp

    def load() -> CampaignResult:
        return open_folder(folder, whole.manifest, pytest.fail)

    contents_of(folder, stamp, CASES)  # imports
    values = sum(values.nbytes for values in whole.columns.values())
    chunk = CHUNK * len(whole.columns) * 2 * (8 + 64)
    assert peak_of(load) < values + CASES + chunk
    for name, own in whole.columns.items():
        np.testing.assert_array_equal(load().columns[name], own)


def test_a_resumed_campaign_does_not_keep_the_finished_chunks(large):
    folder, whole = large
    contents_of(folder, whole.manifest.stamp, CASES)  # imports
    peak = peak_of(lambda: contents_of(folder, whole.manifest.stamp, CASES))
    assert peak < sum(values.nbytes for values in whole.columns.values()) / 2
    assert len(contents_of(folder, whole.manifest.stamp, CASES).ranges) == CASES // CHUNK


def test_only_the_shown_cases_are_formatted(some, monkeypatch):
    calls: list[float] = []
    monkeypatch.setattr(
        "interstage.studies.campaign.printed.number",
        lambda value, digits: calls.append(value) or f"{value:.3g}",
    )
    table = failed_table(some, "SI")
    rows = [[*row] for row in table.rows]
    assert [row[0] for row in rows] == [str(case) for case in range(0, 7 * len(rows), 7)]
    assert len(calls) == len(rows) * 3
    assert float(rows[1][2]) == pytest.approx(some.columns["input.mass"][7], rel=5e-3)


def test_the_statistics_of_an_envelope_do_not_depend_on_the_groups_of_times(some, monkeypatch):
    """With cases that have no value at some times, and with an infinite value."""
    column = EnvelopeColumn("rate", "pairs.stage.satellite.tip_off_rate", "apart", "", "rad/s", 0.3, 11)
    values = np.random.default_rng(1).normal(size=(200, 11))
    values[::9, 6:] = np.nan
    values[3] = np.nan
    values[5, 2] = np.inf
    for weights in (np.ones(200), np.random.default_rng(2).uniform(0.5, 1.5, 200)):
        names = some.manifest.names._replace(envelopes=(column,))
        columns = {**some.columns, ENVELOPE + "rate": values, "weight": weights}
        result = CampaignResult(replace(some.manifest, names=names, _kept={}), columns, plan=some.plan)
        whole = envelopes.statistics(result, column)
        assert envelopes.worst_row(result, column) == 5
        monkeypatch.setattr(envelopes, "AT_ONCE", 3 * 200)
        for key, own in envelopes.statistics(result, column).items():
            np.testing.assert_array_equal(own, whole[key])
        monkeypatch.undo()
        assert whole["largest"][2] == np.inf
