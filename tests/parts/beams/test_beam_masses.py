"""Beams with mass centres off their axis and with consistent mass matrices: what they keep in any motion, and
frequencies against exact solutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh, expm
from scipy.optimize import brentq

import interstage as ist
from beam_models import (
    KEPT,
    MASS,
    OFF,
    TEXT,
    Y,
    Z,
    arm,
    arm_text,
    changed,
    frequencies,
    rate,
    vector_product,
)
from engine_door import derivative, mechanism_of, start_of
from interstage.diagnosis.plausibility import remarks
from interstage.parts.beams.bound import fastest
from interstage.reading import loads
from interstage.studies.verify import start_as_declared
from orders import assert_order

WAYS = {
    "off its axis": {MASS: f"{MASS}\n{OFF}"},
    "consistent": {"elements = 3": 'elements = 4\nmass_matrix = "consistent"'},
    "both": {MASS: f"{MASS}\n{OFF}", "elements = 3": 'elements = 4\nmass_matrix = "consistent"'},
    "shear centre": {MASS: f"{MASS}\nshear_centre = [0.1, 0.05]"},
    "curved": {MASS: f"{MASS}\n{OFF}", "elements = 3": "elements = 3\ncurvature = [0.5, -1.0, 0.3]"},
    "damped by its modes": {
        MASS: f"{MASS}\n{OFF}",
        "elements = 3": 'elements = 4\nmass_matrix = "consistent"\nmodal_damping = 0.02\ndamped_modes = 4',
    },
    "damped by mass": {MASS: f"{MASS}\n{OFF}", "elements = 3": "elements = 3\nmass_damping = 2.0"},
}


def tossed(scenario: Any) -> tuple[Any, np.ndarray]:
    """The equations of a scenario, and a state in which all is displaced, turned and moving."""
    begun = start_of(scenario)
    mechanism, x = mechanism_of(scenario, begun=begun), np.array(begun.x)
    x[:-6] += 0.05 * np.random.default_rng(1).normal(size=len(x) - 6)
    return mechanism, np.array(mechanism.normalize_state(x))


@pytest.mark.parametrize("way", WAYS)
def test_momenta_are_kept_in_any_motion_and_energy_unless_damped(way):
    scenario = loads(changed(TEXT, WAYS[way]).replace('"at rest"', '"drawn"'))
    mechanism, x = tossed(scenario)
    for path in KEPT:
        assert rate(mechanism, x, path) == pytest.approx(0.0, abs=2e-7), path
    lost = rate(mechanism, x, "system.energy")
    assert lost < -0.1 if way.startswith("damped") else abs(lost) < 1e-5


@pytest.mark.parametrize("way", ["damped by its modes", "damped by mass"])
def test_damping_does_not_act_on_motion_as_a_rigid_body(way):
    """Free of strains, turned by any angle, moving and turning: accelerations are those without damping."""
    text = TEXT.replace('"at rest"', '"drawn"').replace("[0.95, 0.1, 0.02]", "[1.02, 0, 0]")
    text = text.replace(
        "velocity = [0, 0.5, 0.2]", "velocity = [0.3, 3.06, -2.04], angular_velocity = [1, 2, 3]"
    )
    text = text.replace(
        "initial = { angular_velocity = [1, 2, 3] }",
        "initial = { velocity = [0.3, 0, 0], angular_velocity = [1, 2, 3] }",
    )
    damped, plain = WAYS[way], {MASS: f"{MASS}\n{OFF}"}
    if "consistent" in damped["elements = 3"]:
        plain["elements = 3"] = WAYS["both"]["elements = 3"]
    slopes = []
    for changes in (damped, plain):
        scenario = loads(changed(text, changes))
        begun = start_of(scenario)
        slopes.append(np.array(derivative(mechanism_of(scenario, begun=begun), 0.0, np.array(begun.x))))
    assert np.max(np.abs(slopes[1])) > 1.0
    np.testing.assert_allclose(slopes[0], slopes[1], rtol=0, atol=1e-9)


# --- a cantilever


def exact(count: int, y: float = Y, z: float = Z, shear: Any = (0.0, 0.0)) -> np.ndarray:
    """Angular frequencies [1/s] of the clamped arm: displacements, turns, forces and moments along it obey
    linear equations, of which the exponential is exact; the end has no load. Shear strains at the shear
    centre have what the twist adds."""
    c, along = vector_product([0, y, z]), vector_product([1, 0, 0])
    there = np.eye(6)
    there[1, 3], there[2, 3] = -shear[1], shear[0]
    stiff = there.T @ np.diag([300.0, 200, 150, 1, 2, 1]) @ there
    weight = np.block([[np.eye(3), -c], [c, np.diag([3e-3, 1e-3, 2e-3]) - c @ c]])
    rates = np.zeros((12, 12))
    rates[:3, 3:6], rates[:6, 6:] = -along, np.linalg.inv(stiff)
    rates[9:, 6:9] = -along

    def left(w: Any) -> Any:
        every = np.broadcast_to(rates, (*np.shape(w), 12, 12)).copy()
        every[..., 6:, :6] = -(np.asarray(w)[..., None, None] ** 2) * weight
        return np.linalg.det(expm(every)[..., 6:, 6:])

    grid = np.linspace(0.5, 45, 150)
    values = left(grid)
    places = np.flatnonzero(values[:-1] * values[1:] < 0)[:count]
    return np.array([brentq(left, grid[k], grid[k + 1], xtol=1e-12) for k in places])


@pytest.mark.parametrize("shear", [pytest.param(None, marks=pytest.mark.long), (0.06, -0.05)])
def test_coupled_frequencies_of_a_beam_off_its_axis_are_exact_with_order_2(shear):
    truth = exact(5, shear=shear or (0.0, 0.0))
    assert np.max(np.abs(truth / exact(5, *((0.0, 0.0) if shear is None else ())) - 1)) > 0.02  # coupled
    section = f"shear_centre = {list(shear)}" if shear else ""
    assert_order([frequencies(arm(n, section=section), 5) / truth - 1 for n in (5, 10, 20)], 2)


TAPERED = {
    "axial_stiffness": (300.0, 150.0),
    "shear_stiffness": ([200.0, 150.0], [80.0, 90.0]),
    "torsional_stiffness": (1.0, 0.4),
    "bending_stiffness": ([2.0, 1.0], [0.6, 0.5]),
    "mass": (1.0, 0.6),
    "rotary_inertia": ([1e-3, 2e-3], [5e-4, 1e-3]),
    "mass_centre": ([Y, Z], [-0.03, 0.02]),
    "shear_centre": ([0.06, -0.05], [-0.02, 0.03]),
}
"""Of the arm at its beginning and at its end."""


def by_polynomials(count: int, terms: int) -> np.ndarray:
    """Angular frequencies [1/s] of the tapered arm by Rayleigh's quotient of its energies, with so many
    polynomials for each displacement and turn, which are zero at the clamp."""
    points, weights = np.polynomial.legendre.leggauss(3 * terms)
    x, weights = (points + 1) / 2, weights / 2
    at = {name: np.add.outer(a := np.array(one), 0 * x) + np.multiply.outer(np.array(b) - a, x)
          for name, (one, b) in TAPERED.items()}  # fmt: skip
    shapes = [
        np.polynomial.Legendre.basis(k, [0, 1]).convert(kind=np.polynomial.Polynomial) for k in range(terms)
    ]
    shapes = [shape * np.polynomial.Polynomial([0, 1]) for shape in shapes]
    own, slope = (np.array([shape.deriv(n)(x) for shape in shapes]) for n in (0, 1))

    def of(**fields: Any) -> np.ndarray:
        """A linear combination of displacements u, v, w and turns a, b, c (number, point)."""
        return np.concatenate([np.broadcast_to(fields.get(name, 0.0), own.shape) for name in "uvwabc"])

    (y, z), (sy, sz) = at["mass_centre"], at["shear_centre"]
    stiff = (
        (of(u=slope), at["axial_stiffness"]),
        (of(v=slope, c=-own, a=-sz * slope), at["shear_stiffness"][0]),
        (of(w=slope, b=own, a=sy * slope), at["shear_stiffness"][1]),
        (of(a=slope), at["torsional_stiffness"]),
        *zip((of(b=slope), of(c=slope)), at["bending_stiffness"], strict=True),
    )
    moving = (of(u=own, b=z * own, c=-y * own), of(v=own, a=-z * own), of(w=own, a=y * own))
    heavy = (
        *((one, at["mass"]) for one in moving),
        (of(a=own), at["rotary_inertia"].sum(0)),
        *zip((of(b=own), of(c=own)), at["rotary_inertia"], strict=True),
    )
    matrices = (sum((one * by * weights) @ one.T for one, by in pairs) for pairs in (stiff, heavy))
    return np.sqrt(eigh(*matrices, eigvals_only=True))[:count]


@pytest.mark.long
def test_frequencies_of_a_beam_that_tapers_with_centres_off_its_axis_are_exact_with_order_2():
    """Both centres change sides on the way."""
    truth = by_polynomials(5, 12)
    np.testing.assert_allclose(by_polynomials(5, 10), truth, rtol=1e-9)  # they have come to an end
    first = f"shear_centre = {TAPERED['shear_centre'][0]}"
    last = "\n".join(f"{name} = {end}" for name, (_, end) in TAPERED.items())
    section = f'{first}\n[forces.arm.end_section]\nkind = "stiffness"\n{last}'
    assert_order([frequencies(arm(n, section=section), 5) / truth - 1 for n in (5, 10, 20)], 2)


SLENDER = {"[200.0, 150.0]": "[1e9, 1e9]", "[1e-3, 2e-3]": "[1e-8, 1e-8]"}


@pytest.mark.parametrize(
    ("way", "order"), [pytest.param("lumped", 2, marks=pytest.mark.long), ("consistent", 4)]
)
def test_a_consistent_mass_matrix_makes_frequencies_of_slender_beams_exact_with_order_4(way, order):
    """Beside Euler's, cos x cosh x = -1."""
    root = np.array(
        [brentq(lambda x: np.cos(x) + 1 / np.cosh(x), np.pi * (k + 0.1), np.pi * (k + 0.9)) for k in range(3)]
    )
    truth, errors = root**2, []
    for elements in (10, 20):
        text = arm_text(elements, f'mass_matrix = "{way}"', 0, 0)
        found = frequencies(loads(changed(text, SLENDER)))
        errors.append(np.array([np.min(np.abs(found / one - 1)) for one in truth]))
    # Orders are whole numbers, the next of which has a fifth of the errors of the second and third mode with
    # 10 elements. Of the first mode, rounding shows.
    np.testing.assert_array_equal(np.round(np.log2(errors[0] / errors[1])[1:]), order)


# --- segments


@pytest.mark.parametrize("more", ["", 'mass_matrix = "consistent"'])
def test_no_motion_of_segments_is_faster_than_the_bound(more):
    scenario = arm(6, more, section="shear_centre = [0.6, -0.5]")
    fast = frequencies(scenario, None)[-1]
    assert fast < fastest(scenario.forces[0]) < 1.2 * fast


def test_a_beam_off_its_axis_sags_and_twists_by_its_weight():
    """By weights at the middles of the segments, of whose loads on a straight beam elements are exact; what
    is left out is of the order of the turns' squares."""
    count, pull = 8, 1e-3
    start = start_as_declared(arm(count, 'start = "at rest"', z=0.0, pull=pull))
    places, weight = (np.arange(count) + 0.5) / count, pull / count
    last = places[-1]
    sag = weight * np.sum(places**2 * (3 * last - places) / 6 / 2.0 + places / 150.0)
    slope = weight * np.sum(places**2) / 2 / 2.0
    assert start["forces.arm.end"][2] == pytest.approx(-sag - slope / (2 * count), rel=1e-5)
    twist = -Y * weight * np.sum(places) / 1.0
    assert start[f"forces.arm.segment_{count}.rotation"][0] == pytest.approx(twist, rel=1e-5)


def test_damping_by_mass_leaves_out_the_body_at_the_end_and_that_is_said():
    """Stretch of three segments and a body on a line, by NumPy: each mode is damped by its beam's part."""
    alpha, stiff, count = 3.0, 1e4, 3
    damped = f"elements = 3\nmass_damping = {alpha}"
    still = {'parent = "a"': 'parent = "ground"', '"at rest"': '"drawn"', "[0.95, 0.1, 0.02]": "[1.02, 0, 0]"}
    text = changed(TEXT, still | {"velocity = [0, 0.5, 0.2]": "velocity = [0, 0, 0]", "elements = 3": damped})
    springs = stiff * count * np.array([2, 1, 1, 2])
    own, whole = np.array([1 / 3, 1 / 3, 1 / 3, 0]), np.array([1 / 3, 1 / 3, 1 / 3, 1.0])
    stiffness = (
        np.diag(springs + np.append(springs[1:], 0)) - np.diag(springs[1:], 1) - np.diag(springs[1:], -1)
    )
    square, shape = eigh(stiffness, np.diag(whole))
    ratios = alpha / (2 * np.sqrt(square)) * (own @ shape**2)
    assert ratios[0] < 0.3 * alpha / (2 * np.sqrt(square[0]))
    linear: Any = loads(text).linearize(outputs=())
    modes = linear.modes
    for frequency, ratio in zip(np.sqrt(square), ratios, strict=True):
        mode = min(modes, key=lambda one: abs(abs(one.eigenvalue) - frequency))
        assert abs(mode.eigenvalue) == pytest.approx(frequency, rel=1e-4)
        # Modes are damped by little: their shapes are the same but for its square.
        assert -mode.eigenvalue.real / frequency == pytest.approx(ratio, rel=(alpha / frequency) ** 2)
    (said,) = (one for one in remarks(loads(text)) if one.startswith("boom: 'mass_damping'"))
    assert "the 1 kg of the beam, not on the 1 kg of b" in said
    alone = text.replace('child = "b"\n', "")
    assert not [one for one in remarks(loads(alone)) if one.startswith("boom: 'mass_damping'")]


def test_bad_masses_and_modes_are_told():
    for old, new, place, words in BAD:
        with pytest.raises(ist.BadInput) as caught:
            loads(changed(TEXT, {old: new}))
        told = [p for p in caught.value.problems if p.place.startswith(place)]
        assert any(words in p.message for p in told), str(caught.value)
        assert len(caught.value.problems) <= 2


BEAM = "length = 1.0"


BAD = [
    (MASS, f"{MASS}\nshear_centre = [1, 2, 3]", "forces.boom.section.shear_centre", "2"),
    (MASS, f"{MASS}\nmass_centre = 0.1", "forces.boom.section.mass_centre", "2"),
    (BEAM, f"{BEAM}\nmodal_damping = 0.1", "forces.boom.damped_modes", "missing"),
    (BEAM, f"{BEAM}\nmodal_damping = [-0.1, 0.1]", "forces.boom.modal_damping", "-0.1"),
    (BEAM, f"{BEAM}\nmodal_damping = [0.1, 0.1]\ndamped_modes = 3", "forces.boom.damped_modes", "has 2"),
    (BEAM, f"{BEAM}\nmodal_damping = 0.1\ndamped_modes = 19", "forces.boom.damped_modes", "1 to 18"),
    (BEAM, f"{BEAM}\nmodal_damping = 0.1\ndamped_modes = 0", "forces.boom.damped_modes", "1 to 18"),
    (BEAM, f"{BEAM}\ndamped_modes = 3", "forces.boom.damped_modes", "is set without 'modal_damping'"),
    (BEAM, f'{BEAM}\nmodal_ends = "free"', "forces.boom.modal_ends", "is set without 'modal_damping'"),
    (
        BEAM,
        f'{BEAM}\nmodal_damping = 0.1\ndamped_modes = 2\nmodal_ends = "pinned"',
        "forces.boom.modal_ends",
        "free",
    ),
    (
        BEAM,
        f"{BEAM}\nmodal_damping = [0.1, 0.1]\ncurvature = [0, 1, 0]",
        "forces.boom.modal_damping",
        "straight",
    ),
    ("elements = 3", "elements = 301\nmodal_damping = [0.1, 0.1]", "forces.boom.elements", "1 to 300"),
]
