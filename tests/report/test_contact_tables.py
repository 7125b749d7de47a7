"""Tables and figures of contacts and of what is left of a preload, of courses made by hand: half waves of a
spring, whose times, peaks and depths are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rich.console import Console

import interstage as ist
import stub_flight
from interstage.drawing.figure import Line
from interstage.parts.contacts import shown as contacts
from interstage.parts.contacts.shown import MOST_TOUCHES, touches
from interstage.parts.interfaces import shown as interfaces
from interstage.parts.interfaces.shown import PLENTY
from interstage.record.record import QuantityMeta, Record
from interstage.report import summary
from interstage.report.console import show_tables
from interstage.report.figures import figures

UNITS = {"gap": "m", "depth": "m", "touching": "1", "normal_force": "N", "friction_force": "N", "lost": "J"}
LASTS, MU, DAMPED = 0.02, 0.25, 3.0
STIFF = 2e6
DEPTHS = (2e-3, 5e-3)
BEGINS = (12.0, 12.06)
"""Between two samples, which are 0.1 s apart."""


def touched(begins=BEGINS, depths=DEPTHS, name="lip") -> Record:
    """The flight made by hand with a contact that touches at times, as deep as is said, and loses a part of
    `DAMPED` in each touch evenly."""
    found: dict[str, Any] = {"name": name, "body": "payload", "points": [[0, 0, 0]], "against": ["stage"]}
    declared = ist.Contact(**found, stiffness=STIFF, damping=1.0, friction=MU)
    record = stub_flight.separation_record(stub_flight.stub_scenario(contacts=(declared,)))
    at = np.array([event.time for event in record.events])
    for side, times in ((record.series, record.time), (record.before, at), (record.after, at)):
        side.update({f"contacts.{name}.{what}": np.zeros(len(times)) for what in UNITS})
    record.meta.update({f"contacts.{name}.{what}": QuantityMeta(unit, what) for what, unit in UNITS.items()})
    phase = np.linspace(0, np.pi, 13)
    pieces = [(np.array([0.0]), np.array([-0.5]), np.array([0.0]), np.array([0.0]))]
    for number, (begin, depth) in enumerate(zip(begins, depths, strict=True)):
        times = begin + LASTS * phase / np.pi
        lost = DAMPED * (number + phase / np.pi)
        pieces += [(np.array([begin]), np.array([-0.0]), np.array([0.0]), lost[:1])]
        pieces += [(times, depth * np.sin(phase), np.ones(13), lost)]
        pieces += [(times[-1:], np.array([-0.0]), np.array([0.0]), lost[-1:])]
    end = np.array([stub_flight.END])
    pieces += [(end, np.array([-0.5]), np.array([0.0]), np.array([DAMPED * len(begins)]))]
    times, depth, touching, lost = (np.concatenate(part) for part in zip(*pieces, strict=True))
    force = STIFF * np.maximum(depth, 0.0)
    course = {"gap": -depth, "depth": np.maximum(depth, 0.0), "touching": touching, "lost": lost}
    course |= {"normal_force": force, "friction_force": MU * force}
    if begins:
        record.courses[f"contacts.{name}"] = times, course
    return record


def test_touches_have_their_times_peaks_and_losses():
    found = touches(touched(), "lip")
    assert [one.start for one in found] == pytest.approx(BEGINS, abs=1e-12)
    for one, begin, depth in zip(found, BEGINS, DEPTHS, strict=True):
        assert one.end - one.start == pytest.approx(LASTS, rel=1e-9)
        assert (one.peak, one.depth) == pytest.approx((STIFF * depth, depth), rel=1e-12)
        assert one.at == pytest.approx(begin + LASTS / 2, abs=1e-12)
        assert one.lost == pytest.approx(DAMPED, rel=1e-12)


def test_points_that_take_turns_are_one_touch():
    """One point leaves at the instant at which another comes."""
    (one,) = touches(touched((12.0, 12.0 + LASTS)), "lip")
    assert one.end - one.start == pytest.approx(2 * LASTS, rel=1e-9)
    assert one.lost == pytest.approx(2 * DAMPED, rel=1e-12)


def test_the_table_sums_up_and_lists_each_touch():
    whole, each = contacts.tables(touched(), "SI")
    assert whole.rows == [["lip", "2", "12", "0.0400", "10000", "0.00500", "6.00"]]
    assert [row[1:] for row in each.rows] == [
        ["12", "0.0200", "4000", "12.01", "0.00200", "3.00"],
        ["12.06", "0.0200", "10000", "12.07", "0.00500", "3.00"],
    ]
    assert [*contacts.tables(touched((12.0,), (1e-3,)), "SI")][1].rows == []


def test_of_many_touches_the_hardest_are_listed():
    count = MOST_TOUCHES + 3
    depths = np.random.default_rng(2).permutation(np.arange(1, count + 1)) * 1e-3
    _, each = contacts.tables(touched(tuple(11 + 0.1 * np.arange(count)), tuple(depths)), "SI")
    kept = [float(row[5]) for row in each.rows]
    assert kept == pytest.approx([depth for depth in depths if depth > 3.5e-3])
    assert f"The table shows {MOST_TOUCHES} of {count} touches of lip" in each.note


def test_a_contact_that_never_touched_is_told_as_such():
    record = touched((), ())
    whole, each = contacts.tables(record, "SI")
    assert whole.rows == [["lip", "0", *["-"] * 5]]
    assert (whole.note, each.rows) == ("", [])
    (figure,) = contacts.figures(record, "SI")
    assert "do not touch" in figure.caption
    assert len(figure.panels) == 1


def test_without_coordinates_that_know_losses_they_are_left_open():
    record = touched()
    for side in (record.series, record.before, record.after, record.courses["contacts.lip"][1], record.meta):
        side.pop("contacts.lip.lost", None)
        side.pop("lost", None)
    assert [table.rows[0][-1] for table in contacts.tables(record, "SI")] == ["-", "-"]


def test_the_tables_are_whole_in_80_columns(capsys):
    record = touched((1012.345678, 1012.445678), (0.0123456, 0.023456), name="nozzle_rim")
    found = [table for table in summary.tables(record) if table.key in ("contacts", "touches")]
    assert len(found) == 2
    show_tables(Console(width=80), found)
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    for table in found:
        for cells in table.rows:
            assert "  ".join(cells).split() in [line.split() for line in shown.splitlines()]
        assert {*"  ".join(table.columns).split()} <= {*shown.split()}


def test_the_close_view_is_around_the_touches():
    record = touched()
    (figure,) = contacts.figures(record, "SI")
    whole, close, forces, near = figure.panels
    assert (whole.x.low, whole.x.high) == (0.0, stub_flight.END)
    low, high = close.x.low, close.x.high
    assert low is not None
    assert high is not None
    assert BEGINS[0] - 0.05 < low < BEGINS[0]
    assert BEGINS[1] + LASTS < high < BEGINS[1] + 0.1
    assert forces.y.label == "force [N]"
    times, gap = record.courses["contacts.lip"][0], record.courses["contacts.lip"][1]["gap"]
    lines = [[mark for mark in panel.marks if isinstance(mark, Line)] for panel in (close, near)]
    shown, pressed = (np.array([found[0].x, found[0].y]) for found in lines)
    assert shown[0, [0, -1]] == pytest.approx([low, high])
    assert shown[1, [0, -1]] == pytest.approx(np.interp([low, high], times, gap))
    assert pressed[0, [0, -1]] == pytest.approx([low, high])
    assert pressed[1].max() == pytest.approx(STIFF * max(DEPTHS))
    assert [line.label for line in lines[1]] == ["normal", "friction"]


def test_of_touches_far_apart_the_close_view_has_the_hardest():
    (figure,) = contacts.figures(touched((11.0, 19.0)), "SI")
    close = figure.panels[1]
    assert close.x.low is not None
    assert close.x.high is not None
    assert 18.9 < close.x.low < 19.0 < 19.0 + LASTS < close.x.high < 19.1
    assert "largest force (of 2 touches)" in close.title


def test_a_contact_has_its_place_among_tables_and_figures():
    record = touched()
    assert {"contacts", "touches"} <= {table.key for table in summary.tables(record)}
    assert sum(figure.caption.startswith("Contact lip") for figure in figures(record)) == 1


def test_an_interface_with_a_preload_shows_what_is_left_of_it():
    record = stub_flight.separation_record()
    ones = np.ones(len(record.time))
    margin = np.where(record.time < 10, 999.0, -0.5)
    values = {"axial_force": 5 * ones, "clamp_force": 7 * ones, "bolt_force": ones, "gapping_margin": margin}
    for what, course in values.items():
        path = f"interfaces.ring.{what}"
        record.meta[path] = QuantityMeta("1" if what == "gapping_margin" else "N", what)
        record.series[path] = course
    (figure,) = interfaces.figures(record, "SI")
    labels = ["axial_force [N]", "clamp_force [N]", "bolt_force [N]", "gapping_margin"]
    assert [panel.y.label for panel in figure.panels] == labels
    least = figure.panels[-1].y.low
    assert least is not None
    assert least < -0.5
    assert figure.panels[-1].y.high == PLENTY
    assert "omits values above 10" in figure.caption
    margin[:] = 4.0
    (figure,) = interfaces.figures(record, "SI")
    assert "omits values" not in figure.caption
