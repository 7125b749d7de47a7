"""Tables and figures of a body that stands, of one deep in the air and of an empty tank, by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import stub_flight
from interstage.drawing.table import numbers
from interstage.parts.propellant.shown import _element
from interstage.record.record import QuantityMeta
from interstage.report import mission
from interstage.report.figures import figures
from interstage.tree.declaration import with_values

UNITS = {
    "ground_speed": "m/s",
    "flight_path_angle": "rad",
    "dynamic_pressure": "Pa",
    "perigee_altitude": "m",
    "perigee_height": "m",
    "altitude": "m",
    "downrange": "m",
    "load_factor": "1",
}


@pytest.fixture
def record():
    return stub_flight.separation_record()


def give(record, **values):
    """Put quantities of the stage into a record, one number for each event."""
    for name, each in values.items():
        path = f"bodies.stage.{name}"
        record.series[path] = np.full(len(record.time), each[-1])
        record.after[path] = record.before[path] = np.array(each, float)
        record.meta[path] = QuantityMeta(UNITS[name], name)


def test_the_path_of_a_body_that_stands_has_no_angle(record):
    count = len(record.events)
    speeds, angles = [1e-9, *[100.0] * (count - 1)], [-1.0, *[0.5] * (count - 1)]
    give(record, ground_speed=speeds, flight_path_angle=angles)
    rows = mission.course_table(record, "stage", "", "SI", False).rows
    assert [row[-1] for row in rows] == ["-", *["28.65"] * (count - 1)]


def test_the_profile_has_no_path_angle_of_a_body_that_stands(record):
    """Also between events: samples before the release are at rest."""
    count = len(record.events)
    give(record, ground_speed=[1e-9, *[100.0] * (count - 1)], flight_path_angle=[-1.0, *[0.5] * (count - 1)])
    record.series["bodies.stage.ground_speed"] = np.where(record.time < 5.0, 1e-9, 100.0)
    record.series["bodies.stage.flight_path_angle"] = np.where(record.time < 5.0, -1.0, 0.5)
    give(record, downrange=[0.0] * count, altitude=[0.0] * count, load_factor=[1.0] * count)
    (_, _), (panel, _) = mission.profile(record, "stage", "SI").rows
    line: Any = panel.marks[0]
    assert len(panel.marks) == 1
    assert np.all(np.isnan(line.y[line.x < 5.0]))
    assert np.nanmax(np.abs(line.y - np.degrees(0.5))) < 1e-9  # rounding


@pytest.mark.parametrize("larger", ["stage", "payload"])
def test_a_stack_has_one_line_of_its_dynamic_pressure(record, larger):
    """Joined, two bodies have one line in the table of the first, with the larger value. Apart, one each."""
    path = "bodies.{}.dynamic_pressure"
    bodies = {"stage": record, "payload": record}
    for early in (True, False):
        for body in bodies:
            size = 3e4 if body == larger else 2.9e4
            peak = record.time < 5.0 if early else record.time > stub_flight.RELEASE + 5.0
            record.series[path.format(body)] = np.where(peak, size, 0.0)
            for side in (record.before, record.after):
                side[path.format(body)] = np.zeros(len(record.events))
            record.meta[path.format(body)] = QuantityMeta("Pa", "dynamic pressure")
        lines = mission._lines(record, bodies)
        owners = [lines[body].get("dynamic_pressure") for body in bodies]
        names = [owner and owner.body for owner in owners]
        assert names == ([larger, None] if early else ["stage", "payload"])


@pytest.mark.parametrize(("pressure", "shown"), [(2 * mission.THICK, 0), (0.5 * mission.THICK, 1)])
def test_a_body_amid_air_has_no_orbit(record, pressure, shown):
    count = len(record.events)
    give(record, perigee_altitude=[2e5] * count, dynamic_pressure=[pressure] * count)
    assert len(mission.orbits_table(record, "stage", "", "SI", False).rows) == shown


@pytest.mark.parametrize(("height", "speed", "shown"), [(0.0, 50.0, 0), (90.0, 1e-4, 0), (2e5, 7e3, 1)])
def test_a_body_on_the_ground_or_at_rest_over_it_has_no_orbit(record, height, speed, shown):
    count = len(record.events)
    give(record, perigee_altitude=[-6e6] * count, altitude=[height] * count, ground_speed=[speed] * count)
    assert len(mission.orbits_table(record, "stage", "", "SI", False).rows) == shown


@pytest.mark.parametrize(
    ("height", "columns"), [(2e5, ["perigee [km]"]), (2.1e5, ["perigee [km]", "perigee radius - R [km]"])]
)
def test_heights_of_apsides_over_a_sphere_are_shown_once(record, height, columns):
    count = len(record.events)
    give(record, perigee_altitude=[2e5] * count, perigee_height=[height] * count)
    assert mission.orbits_table(record, "stage", "", "SI", False).columns[2:] == columns


@pytest.mark.parametrize(("left", "held"), [(-3e-29, 0.0), (12.0, 12.0)])
def test_an_empty_tank_holds_nothing(record, left, held):
    tank = SimpleNamespace(name="tank", propellant=5e4, mass_inert=0.0)
    for name, value in (("attached", 1.0), ("left", left)):
        path, values = f"bodies.stage.elements.tank.{name}", np.full(len(record.events), value)
        record.series[path], record.meta[path] = np.full(len(record.time), value), QuantityMeta("kg", name)
        record.before[path] = record.after[path] = values
    found = _element(record, "stage", tank)
    assert (found.start, found.end) == (held, held)


def test_components_beside_one_that_is_no_number_keep_their_decimals():
    assert numbers(np.array([np.nan, 0.25, 100.0])) == ["-", "0.25", "100.00"]


def test_a_leg_that_is_held_has_figures_of_its_engines_alone(record):
    assert figures(record)
    own = [replace(event, leg="pad") for event in record.events]
    rigid = replace(record, events=own, legs={"pad": record}, after_leg={"pad": ""})
    assert {figure.key for figure in figures(rigid)} > {"joint loads"}
    still = replace(record, scenario=with_values(record.scenario, coordinates="held"))
    assert not figures(replace(rigid, legs={"pad": still}))
