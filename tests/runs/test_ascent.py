"""The example of an ascent: all that acts on a rocket, in one flight."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interstage as ist
from interstage.record.requirements import evaluate
from interstage.report.figures import figures

pytestmark = [pytest.mark.usefixtures("long_flights"), pytest.mark.long]

EXAMPLE = Path(__file__).parents[2] / "examples" / "ascent.toml"
G0 = 9.80665


@pytest.fixture(scope="module")
def flight():
    return ist.load(EXAMPLE).run()


def test_it_burns_what_it_drew(flight):
    """The propellant gone is the impulse of the throttled engine over its exhaust speed, and the oxidizer is
    2.46 times the fuel."""
    data = flight.data
    t = data["time"].values
    lox, fuel = (64000 - flight.value(f"bodies.rocket.elements.{n}.left", "end") for n in ("lox", "fuel"))
    fuel -= 64000 - 26500
    assert lox == pytest.approx(63700, rel=1e-12)
    assert lox / fuel == pytest.approx(2.46, rel=1e-10)
    burning = t < flight.record.phases[0][2]
    # A command is held over 0.1 s, and samples are 0.5 s apart: trapezes err by what it changes in between.
    throttle = np.trapezoid(data["controls"]["throttle"].values[burning], t[burning])
    last = flight.record.phases[0][2] - t[burning][-1]
    throttle += last * data["controls"]["throttle"].values[burning][-1]
    assert lox + fuel == pytest.approx(1.7e6 / (310 * G0) * throttle, rel=2e-3)


def test_it_flies_as_it_is_told(flight):
    """Heading and pitch follow the programme through wind and gust, and the load limit holds."""
    data = flight.data
    assert all(margin.margin > 0 for margin in evaluate(flight.record))
    angles = np.degrees(data["bodies/rocket"]["level_angles"].values)
    late = (data["time"].values > 20) & (data["time"].values < 170)
    assert np.abs(angles[late, 0] - 90).max() < 1
    programme = np.interp(data["time"].values[late], [10, 30, 60, 100, 140, 240], [90, 76, 55, 36, 25, 20])
    assert np.abs(angles[late, 1] - programme).max() < 3
    assert np.abs(data["actuators"]["yaw"].values).max() > np.radians(0.3)  # the gust is felt
    assert data["bodies/rocket"]["axial_load_factor"].values.max() < 5.1


def test_its_figures(flight):
    """The air and the controls have figures, with large values in thousands of their units."""
    drawn = {figure.caption: figure.panels for figure in figures(flight.record)}
    labels = [
        panel.y.label
        for panel in drawn["Altitude, Mach number, dynamic pressure and total angle of attack of rocket"]
    ]
    assert labels == ["altitude [km]", "Mach number", "dynamic pressure [kPa]", "total angle of attack [deg]"]
    (controls,) = (panels for caption, panels in drawn.items() if "commands of control laws" in caption)
    titles = [panel.title for panel in controls]
    assert titles == ["pitch", "yaw", "hold", "throttle"]
