"""The playback in a report, without a browser."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

import stub_flight
from interstage.drawing.layout import laid_out
from interstage.drawing.svg import inline
from interstage.record.results import Flight
from interstage.report.figures import figures
from interstage.report.page import html

LARGEST = 1_000_000
"""Size of a report of a small flight [bytes]: readers send it by mail."""


def report(record):
    return html(Flight(record, scenario_text=""))


def test_report_has_the_playback_after_the_answers_and_before_the_tables():
    page = report(stub_flight.separation_record(stub_flight.flown_scenario()))
    places = [
        page.index(text)
        for text in ('class="answers"', 'id="viewer"', "<h2>Events", "<h2>Solver and versions")
    ]
    assert places == sorted(places)
    assert "default-src 'none'; script-src 'unsafe-inline'" in page
    assert len(page) < LARGEST


def test_rows_of_the_events_table_have_the_times_of_the_events():
    record = stub_flight.separation_record(stub_flight.flown_scenario())
    times = [float(text) for text in re.findall(r'<tr data-time="([^"]+)"', report(record))]
    np.testing.assert_allclose(times, [event.time for event in record.events], rtol=1e-8)


def test_time_frames_are_the_axes_of_the_panels():
    record = stub_flight.separation_record(stub_flight.flown_scenario())
    found = 0
    for figure in figures(record, "SI"):
        _, placed = laid_out(figure)
        frames = re.findall(r'<rect data-time="(\S+) (\S+)" x="(\d+)" y="\d+" width="(\d+)"', inline(figure))
        wanted = [panel for panel in placed if panel.panel.x.of_flight and not panel.empty]
        for (low, high, left, width), panel in zip(frames, wanted, strict=True):
            np.testing.assert_allclose([float(low), float(high)], panel.x, rtol=1e-8)
            # Coordinates are whole tenths of a px.
            assert abs(int(left) - 10 * panel.left) <= 0.5
            assert abs(int(width) - 10 * panel.width) <= 0.5
            found += 1
    assert found


def test_flight_without_samples_has_no_playback_and_allows_no_scripts():
    record = stub_flight.separation_record(stub_flight.flown_scenario())
    sides = {
        side: {path: values[:0] for path, values in getattr(record, side).items()}
        for side in ("series", "before", "after")
    }
    record = replace(record, time=record.time[:0], events=[], **sides)
    page = report(record)
    assert 'id="viewer"' not in page
    assert "script-src" not in page
    assert "<script" not in page
