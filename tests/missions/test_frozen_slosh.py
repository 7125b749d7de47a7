"""Liquid that sloshes in rigid legs of a mission and is frozen in legs as a point mass: what goes on at both
switches, and that it is said."""

from __future__ import annotations

import numpy as np
import pytest

from interstage.reading import loads
from test_switching import VEHICLE

EPS = np.finfo(float).eps
SLOSH = """
[bodies.stage.elements.fuel.slosh]
kind = "pendulum"
"""
MISSION = (
    'title = "Point, rigid, point"'
    + VEHICLE.replace("isp = 300", "isp = 300\ncant = [0.01, 0]\nignited = true")
    + SLOSH
    + """
[legs.ascent]
coordinates = "point"
attitude = "pitch"
phases.climb = { until = { time = 1 } }
[legs.flying]
after = { leg = "ascent" }
phases.free = { until = { elapsed = 0.05 } }
[legs.later]
after = { leg = "flying" }
coordinates = "point"
attitude = "pitch"
phases.climb_on = { until = { elapsed = 0.5 } }
"""
)


@pytest.fixture(scope="module")
def flight():
    return loads(MISSION).run(progress=False)


def at(flight, leg, path, row):
    return flight[f"legs.{leg}.{path}"][row]


@pytest.mark.parametrize(("leg", "other"), [("ascent", "flying"), ("flying", "later")])
def test_momentum_and_mass_go_on(flight, leg, other):
    """The momentum of all, the liquid that sloshes included, and the mass, of which this is a part."""
    one, then = at(flight, leg, "system.momentum", -1), at(flight, other, "system.momentum", 0)
    np.testing.assert_allclose(then, one, rtol=0, atol=64 * EPS * np.linalg.norm(one))
    mass = [at(flight, leg, "bodies.stage.mass", -1), at(flight, other, "bodies.stage.mass", 0)]
    said = next(text for text in flight.record.switches if f"leg '{other}': slosh masses" in text)
    change = mass[1] - mass[0] if other == "later" else mass[0] - mass[1]
    np.testing.assert_allclose(change, float(said.partition("(")[2].partition(" kg")[0]), rtol=1e-5)
    assert change > 1000


def test_structures_stay_where_they_are(flight):
    """As the liquid begins to slosh, by which the centre of mass of its body moves."""
    for body in ("stage", "top"):
        path = f"bodies.{body}.origin_position"
        one, then = at(flight, "ascent", path, -1), at(flight, "flying", path, 0)
        np.testing.assert_allclose(then, one, rtol=0, atol=64 * EPS * np.linalg.norm(one))
    centres = [at(flight, leg, "bodies.stage.position", row) for leg, row in (("ascent", -1), ("flying", 0))]
    assert np.linalg.norm(centres[1] - centres[0]) > 1e-2


def test_it_is_said(flight):
    told = [text for text in flight.record.switches if "slosh masses" in text]
    assert len(told) == 2
    assert "leg 'flying'" in told[0]
    assert "can move relative to their bodies from this time on, and start at rest" in told[0]
    assert "leg 'later'" in told[1]
    assert "do not move relative to their bodies from this time on" in told[1]
