"""Beams that are curved without load: as an arc at rest, and bent by their weight."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

from beams import curved, vector_product
from engine_door import derivative, mechanism_of, start_of
from interstage.studies.verify import start_as_declared
from orders import assert_order


def test_a_curved_beam_begins_as_an_arc_and_rests_there():
    """A helix of unit length by the mean of its directions, which has no load and does not move."""
    curvature = np.array([0.7, -1.5, 0.4])
    turned = "parent_frame = { quaternion = [0.8, 0, 0.36, 0.48] }"
    scenario = curved(6, curvature, more=turned)
    start = start_as_declared(scenario)

    def ahead(length: float) -> np.ndarray:
        at, weight = np.polynomial.legendre.leggauss(20)
        every = [expm(vector_product(curvature * length * (t + 1) / 2))[:, 0] for t in at]
        return length * weight @ np.array(every) / 2

    turned = expm(vector_product(curvature * 11 / 12))
    assert start["forces.arm.segment_6.position"] == pytest.approx(ahead(11 / 12), abs=1e-13)
    assert start["forces.arm.end"] == pytest.approx(ahead(1.0), abs=1e-13)
    assert expm(vector_product(start["forces.arm.segment_6.rotation"])) == pytest.approx(turned, abs=1e-13)
    begun = start_of(scenario)
    slope = derivative(mechanism_of(scenario, begun=begun), 0.0, np.array(begun.x))
    np.testing.assert_allclose(slope, 0.0, rtol=0, atol=1e-9)


def test_a_quarter_of_a_circle_sags_as_castigliano_has_it():
    """By a unit load at the end: moment, axial force and shear force of both, each over its stiffness."""
    pull, radius = 1e-5, 2 / np.pi  # turns of 5e-6: their squares are nothing beside errors of 1e-3
    found = []
    for elements in (4, 8, 16):
        quarter = curved(elements, (0.0, -np.pi / 2, 0.0), pull, 'start = "at rest"')
        start, free = start_as_declared(quarter), start_as_declared(curved(elements, (0.0, -np.pi / 2, 0.0)))
        found.append(free["forces.arm.end"][2] - start["forces.arm.end"][2])
    at, weight = np.polynomial.legendre.leggauss(20)
    s, weight = (at + 1) / 2, weight / 2
    angle = s / radius
    x, left = radius * np.sin(angle), 1 - s
    moment = pull * (radius**2 * np.cos(angle) - left * x)  # of what hangs beyond, by its arms
    sine, cosine = np.sin(angle), np.cos(angle)
    terms = moment * (radius - x) / 2.0 + pull * left * (sine**2 / 300.0 + cosine**2 / 150.0)
    assert_order(np.array(found) / float(weight @ terms) - 1, 2)
