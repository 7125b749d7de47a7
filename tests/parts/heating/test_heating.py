"""Heating of a nose: published numbers, and an entry along a straight line through exponential air, whose
heat flux and heat load are known in closed form (H. J. Allen, A. J. Eggers, NACA Report 1381, 1958)."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import interstage as ist
from interstage.parts.heating import law
from interstage.reading import loads

K, NOSE = 1.7415e-4, 0.5
SPEED, BALLISTIC, SCALE, DENSITY = 7000.0, 500.0, 7000.0, 1.2
CLIMB = math.radians(30.0)
TOP = DENSITY * math.exp(-120e3 / SCALE)
"""Density of the air at the start [kg/m^3]."""
BEFORE = SPEED * math.exp(TOP * SCALE / (2 * BALLISTIC * math.sin(CLIMB)))
"""Speed above all air [m/s]."""
HALF = 1.0e7
"""Heat load [J/m^2] of an event."""
ENTRY = f"""
[planet]
kind = "flat"
[atmosphere]
kind = "exponential"
scale_height = {SCALE}
density = {DENSITY}
[bodies.probe]
mass = 100.0
inertia = [10, 10, 10]
[bodies.probe.initial]
altitude = 120e3
north = 0
east = 0
speed = {SPEED}
flight_path_angle = {-CLIMB}
incidence = {{ alpha = 0, beta = 0, bank = 0 }}
[aerodynamics.drag]
body = "probe"
area = {100.0 / BALLISTIC}
length = 1.0
coefficients = {{ CA = 1.0 }}
[heating.nose]
kind = "sutton_graves"
body = "probe"
nose_radius = {NOSE}
[heating.other]
kind = "sutton_graves"
body = "probe"
nose_radius = {4 * NOSE}
[phases.entry]
until = {{ quantity = "bodies.probe.altitude", reaches = 20e3, direction = "falling" }}
[events.hot]
when = {{ quantity = "heating.nose.heat_load", reaches = {HALF}, direction = "rising" }}
[output]
interval = 0.1
[requirements.load]
quantity = "heating.other.heat_load"
max = 1e9
"""


@pytest.fixture(scope="module")
def entry():
    return loads(ENTRY).run()


def flux(density):
    """On the way down: the speed is V exp(-density scale / (2 ballistic sin(climb)))."""
    speed = BEFORE * np.exp(-density * SCALE / (2 * BALLISTIC * math.sin(CLIMB)))
    return K * np.sqrt(density / NOSE) * speed**3


def load(density):
    """The integral of it over the time, from no air at all: an error function of the root of the density."""
    thick = SCALE / (BALLISTIC * math.sin(CLIMB))
    whole = K * BEFORE**2 * SCALE / math.sin(CLIMB) / math.sqrt(NOSE) * math.sqrt(math.pi / thick)
    return whole * math.erf(math.sqrt(thick * density))


def test_heat_flux_along_a_straight_line(entry):
    found = entry["heating.nose.heat_rate"]
    wanted = flux(entry["bodies.probe.air_density"])
    np.testing.assert_allclose(found, wanted, rtol=1e-7)
    peak = BALLISTIC * math.sin(CLIMB) / (3 * SCALE)
    assert found.max() == pytest.approx(flux(peak), rel=1e-3)  # samples 0.1 s apart, at a flat top


def test_heat_load_along_a_straight_line(entry):
    """As part of the flight's state, that of the nose, and after the flight, that of the other."""
    top = load(TOP)
    wanted = load(float(entry.value("bodies.probe.air_density", "end"))) - top
    assert entry.value("heating.nose.heat_load", "end") == pytest.approx(wanted, rel=1e-6)
    assert entry.value("heating.other.heat_load", "end") == pytest.approx(wanted / 2, rel=1e-6)
    assert entry.value("heating.nose.heat_load", "hot") == pytest.approx(HALF, rel=1e-8)
    at = float(entry.value("bodies.probe.air_density", "hot"))
    assert load(at) - top == pytest.approx(HALF, rel=1e-6)


@pytest.mark.long
def test_heat_loads_in_a_batch(entry):
    speeds = np.array([SPEED, 0.9 * SPEED])
    batch = entry.scenario.run_batch({"bodies.probe.initial.speed": speeds}, threads=1)
    found = batch.value("heating.other.heat_load")
    assert found[0] == pytest.approx(entry.value("heating.other.heat_load", "end"), rel=1e-6)
    # The speed at one altitude is in proportion to that of the start, and so is the load to its square.
    assert found[1] == pytest.approx(0.81 * found[0], rel=1e-6)


def test_published_constants():
    """Sutton and Graves' 0.1113 kg/(s m^1.5 atm^0.5) for air, with pressure rho V^2 and enthalpy V^2/2 of a
    strong shock; 17600 Btu/(ft^2 s) at a nose of one foot, 0.002377 slug/ft^3 and 26000 ft/s."""
    graves = ist.SuttonGraves(name="n", body="b", nose_radius=2.0)
    density, speed = 3e-4, 7500.0
    by_report = 0.1113 * math.sqrt(density * speed**2 / 101325 / 2.0) * speed**2 / 2
    assert law.flux(graves, density, speed) == pytest.approx(by_report, rel=5e-3)  # rho V^2 is 1 % too much
    chapman = ist.Chapman(name="n", body="b", nose_radius=0.3048)
    slug = 0.45359237 * 9.80665 / 0.3048
    by_foot = float(law.flux(chapman, 0.002377 * slug / 0.3048**3, 26000 * 0.3048)) / 11356.527
    assert by_foot == pytest.approx(17600, rel=2e-4)  # digits of the density
    # Detra and Hidalgo's constant has three digits, of fits to the same theory.
    by_detra = 5.16e-5 * math.sqrt(density / 0.3048) * speed**3.15
    assert law.flux(chapman, density, speed) == pytest.approx(by_detra, rel=0.015)
    assert law.flux(chapman, 0.0, 7500.0) == 0.0


def test_a_power_law_is_that_of_its_units():
    """That of the leading edge in validation/shuttle-entry, computed in feet, slugs, degrees and Btu."""
    foot, slug, btu = 0.3048, 14.593902937206364, 1055.05585262
    coefficients = (1.0672181, -0.19213774e-1, 0.21286289e-3, -0.10117249e-5)
    density, speed, degrees = 5.1e-8, 24000.0, 27.0  # slug/ft^3, ft/s
    wanted = 17700 * math.sqrt(density) * (1e-4 * speed) ** 3.07
    wanted *= sum(c * degrees**k for k, c in enumerate(coefficients))
    scenario = ist.load(Path(__file__).parents[3] / "validation" / "shuttle-entry" / "scenario.toml")
    found = law.flux(scenario.heating[0], density * slug / foot**3, speed * foot, math.radians(degrees))
    assert found / btu * foot**2 == pytest.approx(wanted, rel=1e-12)
    assert law.flux(scenario.heating[0], np.zeros(1), np.ones(1), np.zeros(1)) == 0.0


def test_what_is_wrong_with_heating():
    for old, new, said in (
        ('body = "probe"\nnose_radius = 0.5', 'body = "prob"\nnose_radius = 0.5', "no body 'prob'"),
        (f"nose_radius = {NOSE}", "nose_radius = 0", "nose_radius"),
        ('kind = "exponential"', 'kind = "none"', "needs an atmosphere"),
    ):
        text = ENTRY.replace(old, new)
        if new == 'kind = "none"':
            text = text.replace(f"scale_height = {SCALE}\ndensity = {DENSITY}\n", "")
        with pytest.raises(ist.BadInput, match=rf"heating\.nose.*{said}"):
            loads(text)
