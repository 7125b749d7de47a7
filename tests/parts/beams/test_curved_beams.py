"""Beams that are curved without load: as an arc at rest, and bent by their weight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from beam_models import TEXT, changed, curved, vector_product
from engine_door import derivative, mechanism_of, start_of
from interstage.reading import loads
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


def between(curvature: Any, shift: float = 0.0) -> str:
    """A beam of 24 elements between two bodies, the second where a curvature [1/m] puts its end, or beside
    that [m]."""
    at, weight = np.polynomial.legendre.leggauss(60)
    turns = [expm(vector_product(np.array(curvature) * s)) for s in ((at + 1) / 2).tolist()]
    end = np.einsum("k,ki->i", weight, np.array(turns)[:, :, 0]) / 2
    attitude = Rotation.from_rotvec(curvature).as_quat(scalar_first=True)
    place = (end + np.array([0.02, shift, 0])).tolist()
    last = f"{{ position = {place}, attitude = {{ quaternion = {attitude.tolist()} }} }}"
    changes = {
        "initial = { position = [0.95, 0.1, 0.02], velocity = [0, 0.5, 0.2] }": f"initial = {last}",
        "initial = { angular_velocity = [1, 2, 3] }": "initial = {}",
        "elements = 3": f"elements = 24\ncurvature = {[*map(float, curvature)]}",
    }
    return changed(TEXT, changes)


@pytest.mark.parametrize("way", ["drawn", "at rest"])
@pytest.mark.parametrize("curvature", [(0.0, 2.0, 0.0), (1.0, -6.0, 2.0), (0.0, 0.0, 10.0)])
def test_a_curved_beam_between_bodies_that_stand_so_has_no_load(way, curvature):
    """An arc, a helix of a whole turn, and one and a half turns."""
    start = start_as_declared(loads(between(curvature).replace("at rest", way)))
    # Rounding of strains of 1e-15, times 1e4 N.
    assert start["forces.boom.bending_moment"] < 1e-11
    assert start["forces.boom.axial_force"] < 1e-9


def test_a_curved_beam_is_drawn_as_a_straight_one_where_it_is_nearly_straight():
    """On the cubic of that; and where it is bent by its ends, displaced on a cubic from where it rests."""
    straight, nearly = (
        start_as_declared(
            loads(changed(TEXT.replace("at rest", "drawn"), {"elements = 3": f"elements = 3{more}"}))
        )
        for more in ("", "\ncurvature = [1e-12, 0, 1e-12]")
    )
    for k in (1, 2, 3):
        for what in ("position", "rotation"):
            path = f"forces.boom.segment_{k}.{what}"
            assert nearly[path] == pytest.approx(straight[path], abs=1e-11)
    rest, moved = (
        start_as_declared(loads(between((1.0, -6.0, 2.0), shift).replace("at rest", "drawn")))
        for shift in (0, 0.01)
    )
    for k in (1, 12, 24):
        s, path = (k - 0.5) / 24, f"forces.boom.segment_{k}.position"
        assert moved[path] - rest[path] == pytest.approx([0, (3 - 2 * s) * s**2 * 0.01, 0], abs=1e-14)


TURN = "bodies.b.initial.attitude.quaternion[1]"


@pytest.mark.parametrize(
    ("curvature", "by"),
    [
        pytest.param((0.0, 0.0, 0.0), TURN, marks=pytest.mark.long),
        ((1.0, -4.0, 2.0), "forces.boom.curvature[0]"),
    ],
)
def test_how_a_beam_is_drawn_has_derivatives_where_it_has_no_load(curvature, by):
    """Central differences; a straight one, turned about x at its end, follows by its part of the way."""
    text = between(curvature).replace("at rest", "drawn").replace("time = 0.2", "time = 1e-9")
    scenario: Any = loads(f'{text}[solver]\nmethod = "rk4"\nstep = 1e-9\n')
    of, step, value = "forces.boom.segment_12.rotation.x", 1e-5, curvature[0]
    low, high = scenario.run_batch({by: value + step * np.array([-1, 1])}, progress=False).value(of)
    exact = float(scenario.derivatives([of], [by]).by[of][by])
    # What central differences leave out is the square of the step, and rounding over it.
    assert exact == pytest.approx((high - low) / (2 * step), rel=1e-8)
    if by == TURN:
        assert exact == pytest.approx(2 * 11.5 / 24, rel=1e-12)


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
