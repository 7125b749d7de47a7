"""A clearance that ends at an event that occurs several times, in single flights and in batches."""

import numpy as np
import pytest

from interstage.reading import loads

SWING = """
gravity = "none"
output.interval = "0.05 s"
[bodies.mass]
mass = 20
inertia = [2, 2, 2]
initial = { position = [1.3, 0, 0] }
shapes.ball = { kind = "sphere", radius = 0.1 }
[bodies.target]
mass = 1
inertia = [1, 1, 1]
initial = { position = [5, 0, 0] }
shapes.ball = { kind = "sphere", radius = 0.1 }
[forces.spring]
kind = "spring"
parent = "ground"
child = "mass"
stiffness = 500
free_length = 1
[phases.first]
until = { time = "0.5 s" }
[phases.later]
until = { time = "1.5 s" }
[events.passed]
when = { quantity = "bodies.mass.position.x", reaches = 1.0 }
repeats = true
[clearance.gap]
between = ["mass", "target"]
after = "later"
until = "passed"
interval = "0.05 s"
[requirements.gap]
quantity = "clearance.gap.distance"
min = "0.05 m"
"""
"""The mass is at 1 + 0.3 cos(5 t). It passes 1.0 at 0.314 s, before the clearance begins, and at 0.942 s."""
LEAST = 5 - 1.0 - 0.2
"""Least distance, at the second passage [m]. Without an end it is 0.3 m less, at 1.257 s."""


def test_a_clearance_ends_at_the_first_occurrence_after_its_start():
    scenario = loads(SWING)
    record = scenario.run(progress=False).record
    _, values = record.courses["clearance.gap"]
    assert np.min(values["distance"]) == pytest.approx(LEAST, abs=1e-6)
    batch = scenario.run_batch({"bodies.mass.mass": np.array([20.0, 20.0])}, samples=True)
    least, when = batch.clearance("gap")
    np.testing.assert_allclose(least, LEAST, rtol=0, atol=1e-6)
    np.testing.assert_allclose(when, 3 * np.pi / 10, rtol=0, atol=1e-6)
