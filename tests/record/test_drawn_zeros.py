"""What is zero, or rounding, is said and not drawn as motion; and curves between few samples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import stub_flight
from interstage.drawing.curves import ROUNDINGS
from interstage.drawing.figure import Axis, Figure, Line, Panel
from interstage.drawing.layout import EMPTY, laid_out
from interstage.drawing.smooth import PARTS, smooth
from interstage.parts.control import shown as control
from interstage.parts.pushers import shown as pushers
from interstage.record.rounding import NOISE
from interstage.report.figures import drift_figure, load_figure, rate_figure, violation_figure
from mechanics import EPS


@pytest.fixture
def record() -> Any:
    return stub_flight.separation_record()


def put(record: Any, path: str, values: Any) -> None:
    """All that a record has of a quantity, samples and sides of events, at these values."""
    for some in (record.series, record.before, record.after):
        some[path] = np.broadcast_to(values, some[path].shape).astype(float)


# --- panels with nothing in them


def test_a_panel_without_curves_has_no_axes():
    """But its title and its note, in little room; the panel above it has the label that it would have had."""
    t = np.linspace(0.0, 6.0, 50)
    full = Panel([Line(t, t)], "force", Axis("time [s]", 0.0, 6.0), Axis("force [N]"))
    empty = Panel(title="torque", x=Axis("time [s]", 0.0, 6.0), y=Axis("torque [N m]"), note="torque: zero")
    drawing, placed = laid_out(Figure("loads", [[full, empty], [empty, full]]))
    for panel in placed:
        inside = [text.text for text in drawing.texts if panel.top - 1 <= text.y <= panel.bottom + 40]
        own = [text for text in inside if text in ("0", "2", "4", "6", "time [s]")]
        if panel.empty:
            assert panel.panel.height == EMPTY
        else:
            assert {"time [s]", "0", "6"} <= {*own}
    assert [text.text for text in drawing.texts].count("torque: zero") == 2
    assert "torque [N m]" not in [text.text for text in drawing.texts]
    assert [text.text for text in drawing.texts].count("time [s]") == 2


# --- of flights


@pytest.mark.parametrize("torque", [0.0, 0.5 * NOISE * 2000, 2 * NOISE * 2000])
def test_torques_that_are_none_are_left_out(record, torque):
    """Of a joint that pulls with 2000 N: forces alone, two joints beside each other, and the caption says so.
    What is more than rounding of the force at a metre is drawn."""
    put(record, "joints.clamp.force", [0.0, -2000.0, 0.0])
    put(record, "joints.clamp.torque", [torque, 0.0, 0.0])
    (figure,) = load_figure(record, "SI")
    titles = [panel.title for panel in figure.panels]
    if torque > NOISE * 2000:
        assert titles == ["clamp: force", "clamp: torque"]
        assert all(panel.marks for panel in figure.panels)
    else:
        assert titles == ["clamp: force"]
        assert "all torques are zero" in figure.caption


def test_rates_that_are_rounding_beside_others_are_said(record):
    put(record, "bodies.stage.angular_velocity", [0.0, 50.0, 0.0])
    put(record, "bodies.payload.angular_velocity", [0.0, 0.9 * NOISE * 50, 0.0])
    (figure,) = rate_figure(record, "SI")
    stage, payload = figure.panels
    assert len(stage.marks) == 3
    assert (payload.title, payload.marks) == ("payload", ())
    assert payload.note.endswith("angular velocity: zero within rounding")
    put(record, "bodies.payload.angular_velocity", [0.0, 1.1 * NOISE * 50, 0.0])
    (figure,) = rate_figure(record, "SI")
    assert all(len(panel.marks) == 3 for panel in figure.panels)
    put(record, "bodies.payload.angular_velocity", 0.0)
    (figure,) = rate_figure(record, "SI")
    assert figure.panels[1].note.endswith("angular velocity: zero")


def test_an_actuator_that_quivers_by_rounding_stands_still(record):
    """By 1e-12 deg beside one that turns, or alone."""
    meta = replace(record.meta["bodies.stage.angular_velocity"], unit="rad", components=(), long_name="angle")
    for name, size in (("yaw", np.radians(1e-12)), ("pitch", 0.1)):
        record.meta[f"actuators.{name}"] = meta
        count = len(record.events)
        record.series[f"actuators.{name}"] = size * np.sin(np.arange(len(record.time)))
        record.before[f"actuators.{name}"] = record.after[f"actuators.{name}"] = np.zeros(count)
    (figure,) = control.figures(record, "SI")
    yaw, pitch = figure.panels
    assert (yaw.title, yaw.note) == ("yaw", "angle: zero within rounding")
    assert pitch.marks
    del record.series["actuators.pitch"]
    ((panel,),) = next(iter(control.figures(record, "SI"))).rows
    assert not panel.marks


@pytest.mark.parametrize("part", [0.9, 1.1])
def test_drift_that_is_rounding_is_no_curve(record, part):
    """Of energy, sixteen roundings of what it is made of; what is more is drawn."""
    scale = np.max(np.abs(record.series["system.energy"]))
    course = np.where(np.arange(len(record.time)) % 3 == 1, part * ROUNDINGS * EPS * scale, 0.0)
    put(record, "system.momentum", 0.0)
    put(record, "system.energy", scale)
    record.series["system.energy"] = scale + course
    (figure,) = drift_figure(record, "SI")
    (panel,) = figure.panels
    names = [mark.label for mark in panel.marks if isinstance(mark, Line)]
    assert names == (["energy"] if part > 1 else [])
    still = panel.note if not names else figure.caption
    assert "zero within rounding: linear momentum" in still


def test_joints_that_hold_to_rounding(record):
    put(record, "joints.clamp.violation", 0.5 * ROUNDINGS * EPS)
    (figure,) = violation_figure(record, "SI")
    assert [(panel.marks, panel.note) for panel in figure.panels] == [((), "zero within rounding: clamp")]
    put(record, "joints.clamp.violation", 1e-12)
    (figure,) = violation_figure(record, "SI")
    assert len(figure.panels[0].marks) == 1


# --- curves between samples


def test_cubics_between_samples():
    """With their slopes they are off by h^4/384 of the fourth derivative; samples stay; events part them."""
    for count in (6, 11):
        t = np.linspace(0.0, np.pi, count)
        x, y = smooth(t, np.sin(t), np.cos(t))
        assert len(x) == (count - 1) * PARTS + 1
        assert np.array_equal(x[::PARTS], t)
        assert np.max(np.abs(y - np.sin(x))) <= (t[1] - t[0]) ** 4 / 384 * (1 + 1e-9)
    t = np.array([0.0, 1, 2, 3, 3, 4, 5])
    y = np.array([0.0, 0, 1, 4, 9, 9, 9])
    x, found = smooth(t, y)
    assert np.sum(x == 3) == 2
    assert np.all(found[x > 3] == 9)
    before = found[: int(np.argmax(x == 3)) + 1]
    assert np.all(np.diff(before) >= 0)  # no swing below zero, nor beyond 4
    assert before[-1] == 4.0
    known = np.where(t == 1, np.nan, y)
    assert np.sum(np.isnan(smooth(t, known)[1])) == 1
    assert [len(one) for one in smooth(t[:2], y[:2])] == [2, 2]


def test_slopes_of_a_parabola_are_those_of_it():
    """Between even samples, where straight lines are off by h^2/4, it is off by an eighth of that at most."""
    t = np.linspace(1.0, 2.0, 11)
    x, y = smooth(t, t**2)
    assert np.max(np.abs(y - x**2)) <= (t[1] - t[0]) ** 2 / 4 / 8


def test_steep_slopes_of_what_goes_on_to_the_next_sample_do_not_lead_beyond_it():
    t = np.array([0.0, 1.0, 2.0])
    _, y = smooth(t, 1 - np.exp(-20 * t), 20 * np.exp(-20 * t))
    assert np.all(np.diff(y) >= 0)
    assert np.max(y) <= 1.0
    # What swings between them goes beyond.
    _, y = smooth(np.array([0.0, 1.0]), np.array([0.0, 0.0]), np.array([1.0, -1.0]))
    assert np.max(y) == pytest.approx(0.25)


def test_strokes_end_where_pushers_are_spent(record):
    """And follow the closed form between samples, much nearer than straight lines do."""
    (figure,) = pushers.figures(record, "SI")
    force, stroke = (panel.marks[0] for panel in figure.panels)
    assert isinstance(force, Line)
    assert isinstance(stroke, Line)
    assert stroke.x[-1] == stub_flight.PUSHED
    assert np.max(stroke.y) == pytest.approx(stub_flight.STROKE, rel=1e-12)
    assert force.x[-1] > stub_flight.PUSHED
    while_pushing = (force.x >= stub_flight.RELEASE) & (force.x < stub_flight.PUSHED)
    x = force.x[while_pushing][1:]
    wanted = stub_flight.STIFFNESS * stub_flight.STROKE * np.cos(stub_flight.RATE * (x - stub_flight.RELEASE))
    step = np.max(np.diff(record.time))
    straight = stub_flight.STIFFNESS * stub_flight.STROKE * stub_flight.RATE**2 * step**2 / 8
    assert np.max(np.abs(force.y[while_pushing][1:] - wanted)) < straight / 2
