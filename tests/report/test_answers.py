"""The first lines of the report, against the record and closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import stub_flight
from interstage.reading import loads
from interstage.record.record import Closest, QuantityMeta, Recontact
from interstage.record.requirements import evaluate
from interstage.report.answers import answers
from interstage.report.page import html

FIRST = """
bodies.stage = {{ mass = "900 kg", inertia = "[400, 400, 150] kg m^2", initial = {{}} }}
bodies.satellite = {{ mass = "100 kg", inertia = "[12, 12, 8] kg m^2" }}
joints.band = {{ kind = "fixed", parent = "stage", child = "satellite", {ends} }}
devices.spring = {{ kind = "kickoff_spring", parent = "stage", child = "satellite", {spring} }}
phases.joined = {{ until = {{ time = "1 s" }} }}
phases.apart = {{ release = [{released}], until = {{ elapsed = "1 s" }} }}
[requirements.speed]
quantity = "pairs.stage.satellite.separation_speed"
at = "end"
min = "{least} m/s"
"""
ENDS = 'parent_at = "[0, 0, 1.2] m", child_at = "[0, 0, -0.4] m"'
SPRING = 'stiffness = "4 kN/m", preload = "400 N", stroke = "10 cm"'
# Work of the spring: (400 N + 0 N) / 2 over 10 cm = 20 J; reduced mass 90 kg.
SPEED = np.sqrt(2 * 20 / 90)


def lines(record, units="SI"):
    return {answer.topic: answer for answer in answers(record, evaluate(record), units)}


def flown(least=0.5, released='"band"'):
    return loads(FIRST.format(least=least, released=released, ends=ENDS, spring=SPRING)).run()


def fly(**given):
    return flown(**given).record


def test_separation_and_met_requirement_agree_with_the_closed_form():
    found = lines(fly())
    text = found["Separation"].text
    assert text.startswith("stage / satellite released at 1 s")
    assert f"speed {SPEED:.4f} m/s" in text
    assert text.endswith("rate 0 deg/s.")
    met = found["Loads and requirements"]
    assert not met.bad
    assert "The requirement is met." in met.text
    assert met.text.endswith(f"speed = {SPEED:.4f} m/s (limit >= 0.5000 m/s).")
    assert "joint force: 400.0 N in joint band" in met.text


def test_separation_in_feet():
    assert f"{SPEED / 0.3048:.3f} ft/s" in lines(fly(), "US")["Separation"].text


def test_broken_requirement_is_marked():
    broken = lines(fly(least=0.8))["Loads and requirements"]
    assert broken.bad
    assert f"1 of 1 requirements is broken: speed = {SPEED:.4f} m/s (limit >= 0.8000 m/s)." in broken.text


def test_flight_without_a_release():
    assert lines(fly(released=""))["Separation"].text == "No pair of bodies was released."


@pytest.fixture
def record():
    return stub_flight.separation_record()


def closest(name, distance, **kinds):
    return Closest(name, ("a", "b"), 2.0, distance, ("", ""), (), (), 1.0, 3.0, **kinds)


def test_clearances_from_the_nearest_on(record):
    near = [closest(f"c{k}", 0.1 * k) for k in (5, 2, 1, 3, 4)]
    record = replace(record, closest=near, recontacts=[])
    text = lines(record)["Nearest approach"].text
    assert text == (
        "c1: 0.1000 m at 2 s; c2: 0.2000 m at 2 s; c3: 0.3000 m at 2 s; 2 more clearances. No recontact."
    )


def test_recontact_is_marked_with_the_first_contact(record):
    met = [
        Recontact("c", time, ("tank", "nozzle"), (), (), (1.0, 0.0, 0.0), speed, 0.0, 1.0, 1.0)
        for time, speed in ((3.0, 0.2), (1.5, 0.4))
    ]
    found = lines(replace(record, closest=[closest("c", -0.1)], recontacts=met))["Nearest approach"]
    assert found.bad
    assert "tank / nozzle at 1.5 s" in found.text
    assert "0.4000 m/s" in found.text
    assert "1 more recontact " in found.text


def test_the_smallest_margin_is_found_among_components(record):
    path = "interfaces.ring.margin"
    margin = np.stack([np.full(len(record.time), 2.0), np.linspace(3.0, -0.25, len(record.time))], 1)
    record.meta[path] = QuantityMeta("1", "margin", components=("shear", "bending"))
    record.series[path] = margin
    found = lines(record)["Loads and requirements"]
    assert found.bad
    assert f"-0.2500, {path}.bending at {record.time[-1]:g} s" in found.text


def test_page_begins_with_the_answers_escaped():
    page = html(flown(least=0.8))
    head, _, _ = page.partition("</dl>")
    assert head.index('<dl class="answers">') > head.index("<h1>")
    assert "<h2>" not in head
    assert "<dd class=bad>" in head
    assert "(limit &gt;= 0.8000" in head
