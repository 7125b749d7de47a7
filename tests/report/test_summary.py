"""Tables and drifts: the right numbers at the right times, and controls that must show what they are for."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import interstage as ist
import stub_flight
from interstage.drawing.figure import Figure, Line
from interstage.drawing.layout import laid_out, wrap
from interstage.parts.pushers import shown as pushers
from interstage.record import conservation
from interstage.record.record import Closest, EventRecord, Recontact, timeline
from interstage.record.results import Flight
from interstage.report import page, summary
from interstage.report.console import make_console, show_tables
from interstage.report.figures import figures
from interstage.report.order import FIGURES, TABLES
from interstage.report.page import table_part
from interstage.tree import packages
from interstage.tree.errors import BadInput

NO_PANEL: Any = [[None]]
DRIVEN = {"tz": {"kind": "ramp", "rate": 1.0}}
ENDS = {"parent": "stage", "child": "payload"}
SPRING = {"kind": "spring", **ENDS, "stiffness": 1.0}
PUSHER = {"kind": "kickoff_spring", **ENDS, "stroke": 0.1, "stiffness": 1.0, "free_length": 1.0}


@pytest.fixture
def record():
    return stub_flight.separation_record()


def cells(table: summary.Table, column: str) -> list[str]:
    return [row[table.columns.index(column)] for row in table.rows]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (5.8, "5.8000"),
        (123456.7, "123457"),
        (0.00012345678, "0.00012346"),
        (1.5e-5, "1.5000e-05"),
        (3.21e-15, "3.2e-15"),
        (1.1378e7, "1.1378e+07"),
        (-2000.0, "-2000.0"),
        (np.nan, "-"),
        (np.inf, "inf"),
    ],
)
def test_numbers_have_sensible_digits(value, text):
    assert summary.number(value) == text


def test_components_share_their_decimals():
    assert summary.numbers(np.array([1e-17, -0.0998765, 0.5]), 4) == ["0.0000", "-0.0999", "0.5000"]
    assert summary.numbers(np.array([-1e-17, 1.0, 0.0]), 3) == ["0.00", "1.00", "0.00"]
    assert summary.numbers(np.array([-4.7e-13, -1.875e-05, -1.07e-06]), 4) == [
        "0",
        "-1.875e-05",
        "-1.070e-06",
    ]


def test_times_keep_microseconds():
    assert [summary.time_text(t) for t in (10.0, 10.3251853, 0.0)] == ["10", "10.325185", "0"]


def test_timeline_has_both_sides_of_every_event(record):
    times, values = timeline(record, "joints.clamp.force")
    at_release = values[times == stub_flight.RELEASE, 1]
    assert at_release.tolist() == [-stub_flight.STIFFNESS * stub_flight.STROKE, 0.0]
    assert np.all(np.diff(times) >= 0)


def test_peak_is_the_first_of_equal_ones(record):
    value, time = summary.peak(record, "joints.clamp.force")
    assert (value, time) == (stub_flight.STIFFNESS * stub_flight.STROKE, 0.0)
    record.before["joints.clamp.force"][1] *= 2
    assert summary.peak(record, "joints.clamp.force") == (2 * value, stub_flight.RELEASE)


def test_separation_is_taken_when_the_push_has_ended(record):
    (row,) = summary.separations(record)
    assert row == ("stage", "payload", 1, 2)
    table = summary.separations_table(record, "SI")
    assert cells(table, "devices spent [s]") == [summary.time_text(stub_flight.PUSHED)]
    assert cells(table, "speed [m/s]") == [summary.number(stub_flight.SPEED)]


TUBE: Any = {"kind": "tube", "radius": 0.1, "young": 1e9, "shear_modulus": 4e8, "density": 100.0}
RING: dict[str, Any] = {"parent": "stage", "child": "ring"}
HELD: dict[str, Any] = {
    "beam": ist.Beam(name="boom", **RING, length=1.0, elements=2, section=TUBE),
    "bushing": ist.Bushing(name="mount", **RING, stiffness=[1.0] * 3, torsional_stiffness=[1.0] * 3),
    "joint": ist.Joint(name="bolts", kind="fixed", **RING),
}


@pytest.mark.parametrize("hold", HELD)
def test_a_push_may_be_between_others_of_what_holds_together(hold):
    """A ring is released, and what it is attached to is pushed off; in a loop that goes on to hold the two
    there is nothing to push off, and only devices between themselves count."""
    clamp = ist.Joint(name="clamp", kind="fixed", parent="ring", child="payload")
    rest = (HELD[hold],) if hold == "joint" else ()
    forces = () if hold == "joint" else (HELD[hold],)
    record = stub_flight.separation_record(stub_flight.stub_scenario(joints=(clamp, *rest), forces=forces))
    for path in ("joints.bolts.active", "joints.brace.active"):
        record.meta[path] = record.meta["joints.clamp.active"]
        for side in (record.series, record.before, record.after):
            side[path] = np.ones_like(side["joints.clamp.active"])
    assert list(summary.separations(record)) == [("ring", "payload", 1, 2)]
    brace = ist.Joint(name="brace", kind="rod", parent="stage", child="payload")
    record.scenario = stub_flight.stub_scenario(joints=(clamp, *rest, brace), forces=forces)
    assert list(summary.separations(record)) == [("ring", "payload", 1, 1)]


def test_a_separation_says_whether_the_two_met_again(record):
    def said() -> list[str]:
        return cells(summary.separations_table(record, "SI"), "recontact")

    assert said() == ["not checked"]
    spot = (0.0, 0.0, 0.0)
    far = Closest("far", ("stage", "other.hull"), 0.0, 1.0, ("a", "b"), spot, spot, 0.0, 20.0)
    record.closest = [far]
    assert said() == ["not checked"]
    record.closest.append(replace(far, name="near", between=("payload.hull", "stage")))
    assert said() == ["no"]
    met = Recontact("near", 12.5, ("a", "b"), spot, spot, spot, 0.1, 0.0, 1.0, 0.1)
    record.recontacts = [replace(met, name="far", time=11.0), replace(met, time=14.0), met]
    assert said() == ["at 12.5 s"]


def test_speed_of_a_separation_is_that_of_the_mass_centres_not_of_turning_axes(record):
    record.after["pairs.stage.payload.relative_velocity"] *= 3.0
    assert cells(summary.separations_table(record, "SI"), "speed [m/s]") == [
        summary.number(stub_flight.SPEED)
    ]


def test_release_before_the_start_is_listed_while_the_push_lasts(record):
    record.events = record.events[2:]
    for side in (record.before, record.after):
        side.update({path: values[2:] for path, values in side.items()})
    assert list(summary.separations(record)) == [("stage", "payload", None, 0)]
    assert cells(summary.separations_table(record, "SI"), "released [s]") == ["before start"]
    record.series["devices.spring.state"][0] = 0.0
    assert list(summary.separations(record)) == []


def test_push_that_has_not_ended_is_said(record):
    record.after["devices.spring.state"][:] = 1.0
    assert cells(summary.separations_table(record, "SI"), "devices spent [s]") == ["not yet"]


def test_joined_bodies_are_not_listed_as_separated(record):
    for side in (record.before, record.after, record.series):
        side["joints.clamp.active"][:] = 1.0
    assert summary.separations_table(record, "SI").rows == []


def test_values_that_are_not_finite_are_pointed_out(record):
    assert summary.checks_table(record, "SI").bad == set()
    record.series["devices.spring.force"][7:9] = np.nan
    table = summary.checks_table(record, "SI")
    assert "NaN" in table.rows[0][0]
    assert table.rows[0][1] == "1"
    assert "devices.spring.force at 0.7 s" in table.rows[0][-1]
    assert table.bad == {0}


def test_drifts_show_what_is_not_kept(record):
    """The control: a flight that gains momentum and energy must show it."""
    momentum, energy = conservation.drifts(record)
    assert momentum.relative < 1e-15
    assert energy.relative < 1e-12
    record.series["system.momentum"][-1] += 5.0
    record.series["system.energy"][150:] += 2.0
    momentum, energy = conservation.drifts(record)
    assert momentum.worst == pytest.approx(5 * np.sqrt(3), rel=1e-12)
    assert energy.worst == pytest.approx(2.0, rel=1e-9)  # the drift before is 1e-10 of it


def test_energy_lost_at_an_event_is_no_drift(record):
    """What a spent spring keeps leaves the sum at the event; between events nothing is lost."""
    late = record.time >= stub_flight.PUSHED
    record.series["system.energy"][late] -= 100.0
    record.after["system.energy"][2] -= 100.0
    energy = conservation.drifts(record)[1]
    assert energy.relative < 1e-12


def test_energy_lost_at_two_events_at_once_is_no_drift(record):
    late = record.time >= stub_flight.PUSHED
    record.series["system.energy"][late] -= 100.0
    record.after["system.energy"][2] -= 100.0
    record.events.insert(2, record.events[2])
    for side in (record.before, record.after):
        side.update({path: np.insert(values, 2, values[2], axis=0) for path, values in side.items()})
    assert conservation.drifts(record)[1].relative < 1e-12


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({}, ["linear momentum", "energy"]),
        ({"gravity": {"kind": "inverse_square"}}, ["energy"]),
        ({"forces": {"f": {"kind": "force", "body": "stage", "force": [1, 0, 0]}}}, []),
        ({"forces": {"f": {"kind": "torque", "body": "stage", "torque": [1, 0, 0]}}}, ["linear momentum"]),
        ({"forces": {"f": SPRING}}, ["linear momentum", "energy"]),
        ({"forces": {"f": SPRING | {"damping": 3}}}, ["linear momentum"]),
        ({"forces": {"f": SPRING | {"parent": "ground"}}}, ["energy"]),
        ({"devices": {"d": PUSHER | {"damping": 3}}}, ["linear momentum"]),
        ({"devices": {"d": PUSHER | {"axis": [1, 0, 0], "contact": "slides"}}}, ["linear momentum"]),
        ({"devices": {"d": {"kind": "parachute", "body": "stage", "drag_area": 1}}}, []),
        ({"joints": {"j": {"kind": "fixed", "parent": "ground", "child": "stage"}}}, ["energy"]),
        (
            {"joints": {"j": {"kind": "generalized", **ENDS, "locked": ["tz"], "driven": DRIVEN}}},
            ["linear momentum"],
        ),
        ({"phases": {"p": {"until": {"time": 1}, "drop": ["stage.fairing"]}}}, []),
    ],
)
def test_only_what_should_be_kept_is_judged(change, kept):
    record = stub_flight.separation_record(stub_flight.stub_scenario(**change))
    assert [drift.what for drift in conservation.drifts(record)] == kept


def test_shown_tables_hold_every_cell(record):
    console = Console(record=True, width=200)
    found = summary.tables(record)
    summary.show(console, found, record)
    text = console.export_text()
    for table in found:
        for row in table.rows:
            for cell in row:
                assert cell in text
    assert "triangle inequality" in text
    assert record.outcome in text


def test_warnings_are_shown_in_the_units_asked_for(record):
    warned = replace(record, warnings=["They come as near as 3.048 m."])
    assert "Warning: They come as near as 10 ft." in summary.remarks(warned, "US")
    assert "Warning: They come as near as 3.048 m." in summary.remarks(warned)


def test_what_a_part_of_ones_own_shows_comes_last(record, monkeypatch):
    own = SimpleNamespace(
        TABLES=(lambda record, units: [summary.Table("Latches", ["latch"], [["hook"]], [False], key="own")],),
        FIGURES=(lambda record, units: [Figure("Latches", [], key="own")],),
        EVENTS={"snap": "a latch snaps"},
    )
    ours = packages.of_ours
    monkeypatch.setattr(packages, "of_ours", lambda name: (own, *ours(name)))
    record.events[1] = replace(record.events[1], name="hook", kind="snap")
    *others, last = summary.tables(record)
    assert [table.key for table in others] == [key for key in TABLES if key in {t.key for t in others}]
    assert last.title == "Latches"
    assert cells(others[0], "action")[1] == "a latch snaps"
    *others, last = figures(record)
    assert [figure.key for figure in others] == sorted((f.key for f in others), key=FIGURES.index)
    assert last.caption == "Latches"


def of_magnet(monkeypatch, **shown):
    """A package of others with this in its module `shown`, of which a scenario has something."""
    package = packages.Package("magnet", "interstage-magnet", "1.2")
    monkeypatch.setattr(packages, "packages_of", lambda node: (package,))

    def imported(package, name):
        if "error" in shown:
            raise BadInput("the models of magnet cannot be used: no")
        return SimpleNamespace(**shown)

    monkeypatch.setattr(packages, "import_module_of", imported)


def one_table(**changes):
    whole = {"title": "Latches", "columns": ["latch"], "rows": [["hook"]], "right": [False]}
    return lambda record, units: [summary.Table(**{**whole, **changes})]


@pytest.mark.parametrize(
    ("faulty", "why"),
    [
        (lambda record, units: [1 / 0], "ZeroDivisionError: division by zero"),
        (lambda record, units: None, "TypeError: 'NoneType' object is not iterable"),
        (lambda record, units: ["a"], "must yield interstage.drawing.table.Table, not 'a'"),
        (
            one_table(rows=[["a", "b"]]),
            "must have the same length; the lengths are columns 1, right 1, row 2",
        ),
        (one_table(right=[]), "must have the same length; the lengths are columns 1, right 0, row 1"),
        (
            one_table(rows=[[3.0]]),
            "all cells of a table must be texts, for example number(3.0); one row is [3.0]",
        ),
    ],
)
def test_a_faulty_table_of_another_package_hides_no_other(record, monkeypatch, faulty, why):
    before = summary.tables(record)
    of_magnet(monkeypatch, TABLES=(faulty, one_table()), EVENTS=3)
    *others, own, last = summary.tables(record)
    assert [table.title for table in others] == [table.title for table in before]
    assert own.title == "Latches"
    (text,) = cells(last, "reason")
    assert text.startswith("Tables by magnet.shown.")
    assert why in text
    console = Console(record=True, width=200)
    show_tables(console, [own, last])
    assert "Omitted" in console.export_text()


def test_a_package_that_shows_nothing_for_a_fault_costs_no_report(record, monkeypatch):
    of_magnet(monkeypatch, error=True)
    assert summary.tables(record)[-1].rows == [["the models of magnet cannot be used: no."]]
    assert summary.envelope_table(record, "SI").rows


@pytest.mark.parametrize(
    ("faulty", "why"),
    [
        (lambda record, units: [1 / 0], "ZeroDivisionError: division by zero"),
        (
            lambda record, units: [3],
            "TypeError: the function must yield interstage.drawing.figure.Figure, not 3",
        ),
        (lambda record, units: [Figure("Latches", NO_PANEL)], "AttributeError: "),
    ],
)
def test_a_faulty_figure_of_another_package_costs_no_report(record, monkeypatch, faulty, why):
    fine = len(figures(record))
    of_magnet(monkeypatch, FIGURES=(faulty,))
    assert len(figures(record)) == fine
    text = page.html(Flight(record, "", {"interstage": "1"}))
    assert text.count("<figure>") == fine
    assert "Omitted figures: Figures by magnet.shown." in text
    assert why in text


def test_narrow_tables_lose_no_number_and_no_letter():
    columns = [
        "case",
        "devices.spring.strength",
        "bodies.upper.mass_centre.x [m]",
        "least [m]",
        "room [m]",
        "",
    ]
    columns.insert(5, "separation_speed [m/s]")
    rows = [
        ["7", "0.8", "-0.0051234", "0.021950", "-0.012345", "0.72457", "BROKEN by a_requirement_of_long_name"]
    ]
    console = Console(record=True, width=70)
    show_tables(console, [summary.Table("Cases", columns, rows, [True] * 6 + [False])])
    lines = console.export_text().splitlines()
    for cell in rows[0][:-1]:
        assert any(cell in line.split() for line in lines)
    letters = "".join("".join(lines).split())
    for text in (*columns, rows[0][-1]):
        for letter in set(text) - {" "}:
            assert letters.count(letter) >= text.count(letter)
    assert "…" not in letters


def test_nothing_goes_on_below_inside_a_unit():
    """Neither in a table as narrow as can be, nor in a figure, nor in the report."""
    columns = ["name", "angular momentum [kg m^2/s]", "where"]
    rows = [["joint.a", "12.5", "speed of 0.5 m/s there, 30 kg m^2/s (3 N m/rad), in the slab/skin"]]
    table = summary.Table("Cases", columns, rows, [False, True, False])
    for width in (24, 30, 44):
        console = Console(record=True, width=width)
        show_tables(console, [table])
        lines = console.export_text().splitlines()
        for unit in ("[kg m^2/s]", " m/s ", "kg m^2/s ", "(3", "N m/rad)"):
            assert any(unit in f"{line} " for line in lines), (unit, width)
    assert wrap(columns[1], 10.0, 12.0) == ["angular", "momentum", "[kg m^2/s]"]
    page = table_part(table)
    whole = [f'<span class="unit">{unit}</span>' for unit in ("m/s", "kg m^2/s", "N m/rad")]
    assert [page.count(unit) for unit in whole] == [1, 2, 1]
    assert page.count("slab/skin") == 1


def test_names_go_on_below_behind_a_joint(capsys, monkeypatch):
    columns = ["satellite.mass_centre.y [mm]", "no_gapping [N/m]", "levels", ""]
    rows = [["4", "27455", "0.001 to 0.007 m", "BROKEN: strength_of_the_ring"]]
    console = Console(record=True, width=44)
    show_tables(console, [summary.Table("Cases", columns, rows, [True, True, False, False])])
    parts = [part for line in console.export_text().splitlines() for part in line.split()]
    for text in ("satellite.", "gapping", "[N/m]", "0.001", "strength_"):
        assert text in parts
    # A file or another program gets lines that are wide enough.
    monkeypatch.delenv("COLUMNS", raising=False)
    show_tables(make_console(), [summary.Table("Cases", columns, rows, [True, True, False, False])])
    assert " ".join(columns[:3]) in " ".join(capsys.readouterr().out.split())


def test_close_events_share_a_mark(record):
    record.events.append(EventRecord("third", stub_flight.PUSHED + 0.01, "event", "apart"))
    for side in (record.before, record.after):
        for path, values in side.items():
            side[path] = np.concatenate([values, values[-1:]])
    drawing, (panel, *_) = laid_out(figures(record)[0])
    at_the_top = [text for text in drawing.texts if panel.top < text.y < panel.top + 12]
    texts = [text.text for text in at_the_top if panel.left < text.x < panel.right]
    assert texts == ["1", "2", "3-4"]


def test_pushers_are_drawn_while_they_push(record):
    figure, *more = pushers.figures(record, "SI")
    assert "pushers" in figure.caption
    assert not more
    force, stroke = figure.panels
    begin, end = force.x.low, force.x.high
    assert begin is not None
    assert end is not None
    assert record.time[0] < begin < stub_flight.PUSHED < end < record.time[-1]
    (curve,) = stroke.marks
    assert isinstance(curve, Line)
    (row,) = np.flatnonzero(curve.x == stub_flight.PUSHED)[:1]
    assert curve.y[row] == pytest.approx(stub_flight.STROKE, rel=1e-12)
