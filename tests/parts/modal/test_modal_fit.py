"""Tables of modes that are not those of their body are told: masses elsewhere, slopes the wrong way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import interstage as ist
from interstage.diagnosis.plausibility import remarks
from interstage.reading import loads

BODY = """
bodies.stage = {{ mass = {mass}, mass_centre = {centre}, inertia = {inertia}, {more} initial = {{}} }}
phases.go = {{ until = {{ time = 1 }} }}
[forces.bend]
kind = "modal_body"
body = "stage"
frequency = "{frequency} rad/s"
mass = {modal}
[forces.bend.points]
"""


# --- masses: 2.5, 5 and 2.5 kg at -0.3, 0 and 0.3 m along a direction have 0.45 kg m^2 across it

ALONG = np.array([0.6, 0.8, 0.0])


def lumps(direction=ALONG, centre=(0.0, 0.0, 0.0), across=0.45, along=0.01) -> str:
    """A table of these about the origin, of a body with a centre of mass and moments about it."""
    inertia = across * np.eye(3) + (along - across) * np.outer(direction, direction)
    side = np.linalg.svd(direction[None])[2][1:2]  # one across it
    text = BODY.format(
        mass=10.0, centre=list(centre), inertia=inertia.tolist(), more='products = "tensor",',
        frequency=[50.0], modal=10.0,
    )  # fmt: skip
    for name, place, mass, way in (("a", -0.3, 2.5, 1), ("b", 0.0, 5.0, -1), ("c", 0.3, 2.5, 1)):
        at, shape = (place * direction).tolist(), (way * side).tolist()
        text += f"{name} = {{ at = {at}, shape = {shape}, turn = [[0, 0, 0]], mass = {mass} }}\n"
    return text


def told(text: str) -> list[str]:
    with pytest.raises(ist.BadInput) as caught:
        loads(text)
    assert {problem.place for problem in caught.value.problems} == {"forces.bend.points"}
    return [problem.message for problem in caught.value.problems]


@pytest.mark.parametrize("direction", [ALONG, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
def test_masses_of_the_body_pass_and_nothing_is_said(direction):
    assert not remarks(loads(lumps(np.array(direction))))


def test_masses_about_another_centre_are_refused():
    (said,) = told(lumps(centre=(0.0, 0.0, 0.02)))
    assert "[0, 0, 0] m, 0.02 m from the centre of mass of the body at [0, 0, 0.02] m" in said


def test_the_centre_may_miss_by_a_hundredth_of_the_radius_of_gyration():
    """Which is sqrt(0.45/10) m = 0.212 m."""
    loads(lumps(centre=(0.0, 0.0, 0.0021), across=0.46))
    told(lumps(centre=(0.0, 0.0, 0.0022), across=0.46))


def test_masses_with_more_inertia_than_the_body_are_refused_and_with_less_are_not():
    (said,) = told(lumps(across=0.44))
    assert "0.45 kg m^2 about" in said
    assert "but the body has only 0.44 kg m^2" in said
    loads(lumps(across=0.446))  # less by 0.9 %
    loads(lumps(across=0.6))


def test_inertia_about_another_point_is_that_about_the_mass_centre():
    """By the parallel axes: 10 kg at 0.2 m add 0.4 kg m^2 across."""
    for about, extra in ((0.2, 0.4), (0.0, 0.0)):
        text = lumps(np.array([1.0, 0.0, 0.0])).replace("0.45", repr(0.45 + extra))
        text = text.replace("initial", f"inertia_about = [{about}, 0, 0], initial")
        assert loads(text).bodies[0].inertia[1, 1] == 0.45 + extra
    assert "more" not in told(text.replace("0.45", "0.40"))[0]


def test_masses_with_less_than_half_the_inertia_are_remarked():
    assert not remarks(loads(lumps(across=0.89)))
    (said,) = remarks(loads(lumps(across=0.91)))
    assert said.startswith("bend: the masses of the points have only 0.49 of the body's inertia about [")


def test_lumps_that_are_few_for_a_continuous_body_are_told_once():
    """Free modes of a uniform beam, exact, with the mass of each point's share of it."""
    found = beam(3, 21)
    mass = np.full(21, 0.5)
    mass[[0, -1]] /= 2
    product = np.einsum("k,ik,jk->ij", mass, found.shape, found.shape)
    off = np.abs(product - 10 * np.eye(3)) / 10
    text = table(found).replace("mass_centre = [0.0, 0, 0]", "mass_centre = [5.0, 0, 0]")
    text = text.replace("inertia = [1.0, 1, 1]", "inertia = [1.0, 85, 85]").replace(
        "mass = 1.0\n", "mass = 10.0\n"
    )
    for k, one in enumerate(mass):
        text = text.replace(f"n{k} = {{", f"n{k} = {{ mass = {one},")
    with pytest.raises(ist.BadInput) as caught:
        loads(text)
    (problem,) = caught.value.problems
    assert (off.argmax(), problem.place) == (8, "forces.bend.mass")  # of mode 3 with itself
    assert (
        f"mode 3: the masses and shapes give {product[2, 2]:.4g} kg, but the generalized mass is 10 kg"
        in problem.message
    )
    assert "remove the masses of the points" in problem.message


def test_rotary_inertia_of_lumps_is_not_held_against_modes():
    """Two lumps of 5 kg and 0.5 kg m^2 at the ends of a bar of 2 m: both turn against each other, where they
    are, or the same way, by 10 rad for each metre that they go apart across."""
    turn = 1 / np.sqrt(2 * (5 * 0.1**2 + 0.5))
    text = BODY.format(
        mass=10.0,
        centre=[0, 0, 0],
        inertia=[0.1, 11.0, 11.0],
        more="",
        frequency=[20.0, 70.0],
        modal=[1.0, 1.0],
    )
    for k, side in enumerate((-1.0, 1.0)):
        shapes = f"shape = [[0, 0, 0], [0, 0, {0.1 * turn * side}]], turn = [[0, {side}, 0], [0, {turn}, 0]]"
        text += f"n{k} = {{ mass = 5.0, at = [{side}, 0, 0], {shapes} }}\n"
    with pytest.raises(ist.BadInput) as caught:
        loads(text)
    (problem,) = caught.value.problems
    assert "mode 1: the masses and shapes give 0 kg, but the generalized mass is 1 kg" in problem.message
    assert "points without rotary inertia" in problem.message
    loads(text.replace("mass = 5.0, ", ""))


# --- slopes: a free beam of 10 m by Euler and Bernoulli


@dataclass
class Beam:
    """Displacements and slopes (mode, station) of free modes over stations."""

    x: np.ndarray
    shape: np.ndarray
    slope: np.ndarray


def beam(modes: int, stations: int) -> Beam:
    x = np.linspace(0.0, 10.0, stations)
    shapes, slopes = [], []
    for n in range(1, modes + 1):
        near = (n + 0.5) * np.pi
        root: Any = brentq(lambda b: np.cos(b) - 1 / np.cosh(b), near - 0.2, near + 0.2)
        k = root / 10.0
        ratio = (np.cosh(10 * k) - np.cos(10 * k)) / (np.sinh(10 * k) - np.sin(10 * k))
        cosh, sinh, cos, sin = (f(k * x) for f in (np.cosh, np.sinh, np.cos, np.sin))
        shapes.append(cosh + cos - ratio * (sinh + sin))
        slopes.append(k * (sinh - sin - ratio * (cosh + cos)))
    return Beam(x, np.array(shapes), np.array(slopes))


def table(found: Beam, axes: str = "xyz", ry: float = -1.0, rz: float = 1.0, exchanged: bool = False) -> str:
    """Modes in both planes of a beam along the first axis, a right-handed turn of the three:
    displacements along the others; turns about them are the slopes, times ry and rz, or exchanged."""
    order = ["xyz".index(name) for name in axes]
    count = len(found.shape)
    text = BODY.format(
        mass=10.0, centre=[0.0, 0, 0], inertia=[1.0, 1, 1], more="", frequency=[50.0] * 2 * count, modal=1.0
    )
    for k, x in enumerate(found.x):
        at, shape, turn = np.zeros(3), np.zeros((2 * count, 3)), np.zeros((2 * count, 3))
        at[order[0]] = x
        shape[:count, order[1]], shape[count:, order[2]] = found.shape[:, k], found.shape[:, k]
        turn[:count, order[2]], turn[count:, order[1]] = rz * found.slope[:, k], ry * found.slope[:, k]
        if exchanged:
            turn[:, order[1:]] = turn[:, order[:0:-1]]
        text += f"n{k} = {{ at = {at.tolist()}, shape = {shape.tolist()}, turn = {turn.tolist()} }}\n"
    return text


@pytest.mark.parametrize("axes", ["xyz", "yzx", "zxy"])
def test_slopes_against_the_displacements_are_remarked(axes):
    found = beam(4, 21)
    a, b, c = axes
    assert not remarks(loads(table(found, axes)))
    (said,) = remarks(loads(table(found, axes, ry=1.0)))
    assert said.startswith(f"bend: the rotations r{b} contradict the displacements")
    assert f"d{c}/d{a} = -r{b}." in said
    (other,) = remarks(loads(table(found, axes, rz=-1.0)))
    assert f"d{b}/d{a} = r{c}." in other
    assert len(remarks(loads(table(found, axes, ry=1.0, rz=-1.0)))) == 2


@pytest.mark.parametrize("stations", [4, 5, 11])
def test_four_points_tell_the_sign_by_the_lowest_mode_in_each_plane(stations):
    for modes in (1, 3):
        found = beam(modes, stations)
        for ry, rz, words in ((1.0, 1.0, "ry contradict"), (-1.0, -1.0, "rz contradict")):
            (said,) = remarks(loads(table(found, ry=ry, rz=rz)))
            assert words in said
    lowest = remarks(loads(table(beam(1, 4), rz=-1.0)))
    # Of cubics through w and s at four places, by hand: 2/h (a a + a b + b b) with a, b = s - dw/h.
    gap, w, s = 10 / 3, beam(1, 4).shape[0], beam(1, 4).slope[0]
    energies = [
        sum(
            a * a + a * b + b * b
            for a, b in zip(t[:-1] - np.diff(w) / gap, t[1:] - np.diff(w) / gap, strict=True)
        )
        for t in (-s, s)
    ]
    assert (
        f"in mode 1: the other sign has 1/{energies[0] / energies[1]:.3g} of the strain energy" in lowest[0]
    )


@pytest.mark.parametrize("axes", ["xyz", "yzx", "zxy"])
def test_turns_about_the_wrong_axis_are_remarked(axes):
    first, last = sorted(axes[1:])
    for modes, stations in ((1, 4), (4, 21)):
        for ry in (-1.0, 1.0):
            (said,) = remarks(loads(table(beam(modes, stations), axes, ry, exchanged=True)))
            assert f"moves points along {first}, but rotates them about {first} (r{first})" in said
            assert said.endswith(f"Check whether r{first} and r{last} are exchanged.")


def test_points_anywhere_along_a_beam_are_not_blamed():
    """Four and more, of each of the first five modes as the lowest."""
    rng, fine = np.random.default_rng(8), beam(5, 2001)
    for mode in range(5):
        for _ in range(8):
            few = np.sort(rng.choice(2001, rng.integers(4, 9), replace=False))
            own = Beam(fine.x[few], fine.shape[mode:, few], fine.slope[mode:, few])
            assert not remarks(loads(table(own)))


@pytest.mark.parametrize("stations", [2, 3, 4, 5, 7])
def test_stations_too_far_apart_to_tell_are_not_blamed(stations):
    for modes in (1, 2, 4, 8):
        assert not remarks(loads(table(beam(modes, stations))))


def test_one_place_where_a_whole_wave_is_between_is_not_blamed():
    """Of the third mode from 1.75 m to 5.25 m the slope is the same again, and the way goes against it."""
    whole = beam(3, 201)
    two = [35, 105]
    found = Beam(whole.x[two], whole.shape[2:, two], whole.slope[2:, two])
    assert 0.5 < found.slope[0, 0] / found.slope[0, 1] < 2
    assert np.diff(found.shape[0])[0] * found.slope[0, 0] < 0
    assert not remarks(loads(table(found)))


def test_slopes_that_shear_adds_to_are_not_blamed():
    """As in a beam whose sections stay behind its axis by a third."""
    found = beam(4, 21)
    found.slope *= 2 / 3
    assert not remarks(loads(table(found)))


def test_modes_that_do_not_swing_are_remarked():
    """A ratio in percent, most likely; 0.99 still swings."""
    for damping, said in (
        (0.99, []),
        (1.5, ["bend: mode 1 has a damping ratio of 1.5, and does not oscillate"]),
    ):
        text = lumps().replace('modal_body"', f'modal_body"\ndamping = {damping}')
        assert [one.partition(". ")[0] for one in remarks(loads(text))] == said
