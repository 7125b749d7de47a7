"""Figures of chosen quantities of a flight, compared with closed forms and with the record."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import stub_flight
from interstage.record.results import Flight
from interstage.tree.errors import BadInput
from stub_flight import APART, END, PUSHED, RATE, RELEASE, SPEED, STROKE

FOOT = 0.3048
DISTANCE = "pairs.stage.payload.distance"


@pytest.fixture(scope="module")
def flight() -> Flight:
    return stub_flight.flown_scenario().run()


def distance(time: np.ndarray) -> np.ndarray:
    """The distance of the centres of mass [m] at times [s], in closed form."""
    push = STROKE * (1 - np.cos(RATE * np.clip(time - RELEASE, 0, PUSHED - RELEASE)))
    return APART + push + SPEED * np.maximum(time - PUSHED, 0)


@pytest.mark.parametrize(("units", "size"), [("SI", 1.0), ("US", FOOT)])
def test_a_curve_is_the_quantity_in_its_unit(flight, units, size):
    panel: Any
    (panel,) = flight.plot(DISTANCE, units=units).panels
    (line,) = panel.marks
    # The default tolerance of the solver is 1e-9.
    np.testing.assert_allclose(np.asarray(line.y) * size, distance(np.asarray(line.x)), rtol=1e-8)
    assert panel.x.low == 0
    assert panel.x.high == END
    assert [number for _, number in panel.events] == [1, 2, 3, 4, 5]


def test_a_short_span_has_values_between_samples(flight):
    span = (RELEASE, PUSHED)
    panel: Any
    (panel,) = flight.plot(DISTANCE, span=span).panels
    (line,) = panel.marks
    x = np.asarray(line.x)
    assert len(x) >= 80
    assert x.min() >= span[0]
    assert x.max() <= span[1]
    np.testing.assert_allclose(line.y, distance(x), rtol=1e-8)


def test_components_magnitudes_and_several_quantities(flight):
    figure = flight.plot(
        "bodies.payload.velocity", ["bodies.payload.velocity.y", "bodies.stage.velocity.magnitude"]
    )
    vector: Any
    two: Any
    vector, two = figure.panels
    assert [line.label for line in vector.marks] == ["x", "y", "z"]
    assert [line.label for line in two.marks] == [
        "bodies.payload.velocity.y",
        "bodies.stage.velocity.magnitude",
    ]
    np.testing.assert_array_equal(two.marks[0].y, vector.marks[1].y)
    after = np.asarray(two.marks[1].x) > PUSHED
    part = stub_flight.PAYLOAD / (stub_flight.STAGE + stub_flight.PAYLOAD)
    np.testing.assert_allclose(np.asarray(two.marks[1].y)[after], SPEED * part, rtol=1e-8)


def test_the_axis_of_a_magnitude_has_the_name_of_its_quantity(flight):
    panel: Any
    (panel,) = flight.plot("bodies.payload.angular_velocity.magnitude").panels
    assert panel.y.label == "angular velocity [deg/s]"


def test_the_figure_is_drawn_in_files_and_notebooks(flight, tmp_path):
    figure = flight.plot(DISTANCE, "joints.clamp.force", "bodies.stage.mass")
    assert figure._repr_svg_() == figure.svg()
    # A prompt prints one line, not all points of the curves.
    assert repr(figure) == f"<Figure of {len(figure.panels)} panels: {figure.caption}>"
    assert ElementTree.parse(figure.save(tmp_path / "figure.svg")).getroot().tag.endswith("svg")


def test_a_saved_flight_has_the_same_figure(flight, tmp_path):
    import interstage as ist

    saved = ist.open_flight(flight.save(tmp_path / "flight.nc"))
    drawn: Any = [one.plot(DISTANCE, span=(RELEASE, PUSHED)).panels[0] for one in (flight, saved)]
    (line,), (other,) = (panel.marks for panel in drawn)
    np.testing.assert_array_equal(line.x, other.x)
    np.testing.assert_allclose(line.y, other.y, rtol=1e-8)


@pytest.mark.parametrize(
    ("asked", "how", "words"),
    [
        ((), {}, "no quantity is given"),
        (([],), {}, "no quantity is given"),
        (("pairs.stage.payload.distanc",), {}, DISTANCE),
        (("bodies.stage.velocity.u",), {}, "not a component"),
        (([DISTANCE, "bodies.stage.mass"],), {}, "separate panels"),
        ((DISTANCE,), {"span": (2.0, 1.0)}, "time span"),
        ((DISTANCE,), {"span": (np.nan, 1.0)}, "time span"),
        ((DISTANCE,), {"span": (30.0, 40.0)}, "0 s to 20 s"),
        ((DISTANCE,), {"units": "metric"}, "SI, US"),
    ],
)
def test_one_clear_error(flight, asked, how, words):
    with pytest.raises(BadInput, match=words):
        flight.plot(*asked, **how)
