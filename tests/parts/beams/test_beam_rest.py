"""Where beams rest between their clamps: the elastica, rods under compression, poses drawn at random."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipeinc, ellipj, ellipk

from interstage.reading import loads
from interstage.studies.verify import start_as_declared

LENGTH, BENDING = 2.0, 50.0
AXIAL = 4e7 * BENDING / LENGTH**2
"""Axial stiffness [N]: a rod of slenderness 6300, which bends and hardly stretches."""


def elastica(load):
    """(place of the end [m], slope there [rad]) of a cantilever under a force across its end of
    load EI/L^2.

    With chi = theta + pi/2 its equation is that of a pendulum, chi'' = -k^2 sin chi, at rest at the end:
    sin(chi/2) = m sn(u), u from K(m) - kL at the clamp to K(m)."""
    k = np.sqrt(load)

    def clamp(m):
        return m * ellipj(ellipk(m**2) - k, m**2)[0] - np.sqrt(0.5)

    # For the deflection without loops kL is below K(m): the slope is positive all along.
    edge: Any = brentq(lambda m: ellipk(m**2) - k, 1e-12, 1 - 1e-15) if k > np.pi / 2 else np.sqrt(0.5)
    m: Any = brentq(clamp, max(edge, np.sqrt(0.5)), 1 - 1e-15, xtol=1e-16)
    quarter, first = ellipk(m**2), ellipk(m**2) - k
    _, cosine, _, angle = ellipj(first, m**2)
    along = 2 * m * cosine / k  # cn(K) = 0
    swept = (quarter - ellipeinc(np.pi / 2, m**2)) - (first - ellipeinc(angle, m**2))
    across = (2 * swept - k) / k
    return LENGTH * np.array([along, across, 0.0]), 2 * np.arcsin(m) - np.pi / 2


ROD = """
gravity = "none"
[bodies.tip]
mass = 1
inertia = [1, 1, 1]
initial = {{ position = {place}, attitude = {{ euler = "3-2-1", angles = {angles} }} }}
[forces.rod]
kind = "beam"
parent = "ground"
child = "tip"
length = 2.0
elements = {elements}
start = "at rest"
section = {section}
[phases.rest]
until = {{ time = "1 us" }}
"""


def section(axial, bending=(BENDING, BENDING), torsional=BENDING):
    return (
        f'{{ kind = "stiffness", axial_stiffness = {axial}, shear_stiffness = [{axial}, {axial}],'
        f" torsional_stiffness = {torsional}, bending_stiffness = [{bending[0]}, {bending[1]}],"
        " mass = 0.1, rotary_inertia = [1e-4, 1e-4] }"
    )


def rod(elements, place, angles, axial=AXIAL, **others):
    """A rod from a clamp on the ground, along x there, to a body."""
    place, angles = [*map(float, place)], [*map(float, angles)]
    return loads(ROD.format(elements=elements, place=place, angles=angles, section=section(axial, **others)))


def missed(load, elements):
    """Part by which the force at the end of a rod on the elastica is off."""
    place, slope = elastica(load)
    force = start_as_declared(rod(elements, place, [slope, 0, 0]))["forces.rod.at_child.force"]
    return abs(np.linalg.norm(force) / (load * BENDING / LENGTH**2) - 1)


@pytest.mark.parametrize(
    "elements",
    [
        10,
        20,
        27,
        30,
        40,
        pytest.param(81, marks=pytest.mark.long),
        pytest.param(60, marks=pytest.mark.long),
        pytest.param(120, marks=pytest.mark.long),
    ],
)
def test_the_elastica_is_found_with_any_number_of_elements(elements):
    """Elements of constant strain are off by the square of their length: 7.2 to 8.5 over that of their
    number, by the force."""
    assert missed(4.0, elements) < 9.0 / elements**2


@pytest.mark.parametrize(
    "load", [0.5, *(pytest.param(one, marks=pytest.mark.long) for one in (2.0, 8.0, 30.0))]
)
def test_the_elastica_is_found_at_other_loads(load):
    coarse, fine = (missed(load, elements) for elements in (20, 40))
    # A small load is the difference of large ones in a stiff rod, where 20 elements do not reach their order.
    assert fine < 12.0 / 40**2
    if load > 1.0:
        assert np.log2(coarse / fine) == pytest.approx(2.0, abs=0.1)


def test_compressed_rods_below_buckling_rest_as_beam_columns_do():
    """A clamp moved aside by d under the compression P = k^2 EI: y = A (1 - cos kx) + B (kx - sin kx), with
    y'(L) = 0 and y(L) = d, has the shear force -EI B k^3. Clamped rods buckle at kL = 2 pi."""
    rng = np.random.default_rng(23)
    for _ in range(12):
        elements, axial = int(rng.integers(12, 40)), BENDING / LENGTH**2 * 10 ** rng.uniform(3, 6)
        kl, aside = 2 * np.pi * rng.uniform(0.3, 0.9), LENGTH * 10 ** rng.uniform(-5, -4)
        short = (kl / LENGTH) ** 2 * BENDING / axial * LENGTH
        found = start_as_declared(rod(elements, [LENGTH - short, aside, 0], [0, 0, 0], axial))
        across, push = found["forces.rod.at_child.force"][1], -found["forces.rod.at_child.force"][0]
        k = np.sqrt(push / BENDING)
        x = k * (LENGTH - short)
        slopes = [[np.sin(x), 1 - np.cos(x)], [1 - np.cos(x), x - np.sin(x)]]
        _, b = np.linalg.solve(slopes, [0.0, aside])
        # By the stiffness without compression: that with it is zero at kL = pi. Off by the square of an
        # element's length, and by the strain, which the closed form leaves out.
        off = abs(across + BENDING * b * k**3) / (12 * BENDING * aside / LENGTH**3)
        assert off < 3 / elements**2 + 2.5 * short / LENGTH, (kl, elements, axial)


def test_a_column_above_its_buckling_load_rests_bent():
    """The straight column is a rest as well, and unstable. Clamped columns buckle at 4 pi^2 EI/L^2, and carry
    about that when the ends come closer by a part c: P/P_c = 1 + c/2 + ... (by the elastica)."""
    closer, elements = 0.02, 24
    found = start_as_declared(rod(elements, [LENGTH * (1 - closer), 0, 0], [0, 0, 0], 1e-2 * AXIAL))
    push = -found["forces.rod.at_child.force"][0]
    critical = 4 * np.pi**2 * BENDING / LENGTH**2
    # elements miss by the square of their length; the second-order term is below closer/2
    assert push / critical == pytest.approx(1 + closer / 2, abs=closer / 2 + 10 / elements**2)


@pytest.mark.long
def test_a_strongly_bent_rod_is_found_on_the_way_from_its_unloaded_shape():
    """Its ends are 159 deg apart, and close to each other. At rest the loads of both ends balance."""
    place = np.array([0.0085, -0.1759, -0.4745])
    found = start_as_declared(rod(28, place, [3.0669, 0.3545, -1.1867]))
    force, other = (found[f"forces.rod.at_{end}.force"] for end in ("child", "parent"))
    assert np.linalg.norm(force) > BENDING / LENGTH**2
    # each in axes of its end; steps end at 1e-8 of a segment, which the axial stiffness turns into loads
    assert np.linalg.norm(force) == pytest.approx(np.linalg.norm(other), abs=1e-8 * AXIAL)
