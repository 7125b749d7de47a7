"""Beams with mass centres off their axis, with consistent mass matrices and with modal damping: what they
keep in any motion, frequencies and damping against exact solutions; in trees, loops and missions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import interstage as ist
from engine_door import component, derivative, instant, mechanism_of, solved, start_of
from interstage.maths.arrays import jax, jnp
from interstage.maths.dual import jvp, plain
from interstage.parts.beams import own_modes, segments
from interstage.parts.beams.bound import fastest
from interstage.reading import loads
from interstage.studies.verify import start_as_declared
from test_beams import TEXT

OFF = "mass_centre = [0.04, -0.03]"
MASS = "rotary_inertia = [1e-3, 2e-3]"
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
KEPT = [f"system.{what}.{axis}" for what in ("momentum", "angular_momentum") for axis in "xyz"]
NUDGE = 1e-5
"""Step of differences [s]: what they leave out is 1e-9 of rates of 100/s, as is the rounding."""


def changed(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def tossed(scenario: Any) -> tuple[Any, np.ndarray]:
    """The equations of a scenario, and a state in which all is displaced, turned and moving."""
    begun = start_of(scenario)
    mechanism, x = mechanism_of(scenario, begun=begun), np.array(begun.x)
    x[:-6] += 0.05 * np.random.default_rng(1).normal(size=len(x) - 6)
    return mechanism, np.array(mechanism.tidied(x))


def rate(mechanism: Any, x: np.ndarray, path: str) -> float:
    """Of a quantity, by a difference along the motion."""
    slope = np.array(derivative(mechanism, 0.0, x))
    ahead, behind = (component(instant(mechanism, 0.0, x + h * slope), path) for h in (NUDGE, -NUDGE))
    return float(ahead - behind) / (2 * NUDGE)


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

ARM = """
[gravity]
kind = "uniform"
acceleration = [0, 0, -{pull}]
[bodies.wall]
mass = 1.0
inertia = [1, 1, 1]
[joints.bolts]
kind = "fixed"
parent = "ground"
child = "wall"
[forces.arm]
kind = "beam"
parent = "wall"
length = 1.0
elements = {elements}
{more}
[forces.arm.section]
kind = "stiffness"
axial_stiffness = 300.0
shear_stiffness = [200.0, 150.0]
torsional_stiffness = 1.0
bending_stiffness = [2.0, 1.0]
mass = 1.0
rotary_inertia = [1e-3, 2e-3]
mass_centre = [{y}, {z}]
{section}
[[phases]]
name = "rest"
until = {{ time = 1e-3 }}
"""
Y, Z = 0.04, -0.03


def arm(
    elements: int, more: str = "", y: float = Y, z: float = Z, pull: float = 0.0, section: str = ""
) -> Any:
    return loads(arm_text(elements, more, y, z, pull, section))


def arm_text(elements: int, more: str, y: float, z: float, pull: float = 0.0, section: str = "") -> str:
    return ARM.format(elements=elements, more=more, y=y, z=z, pull=pull, section=section)


def vector_product(v: Any) -> np.ndarray:
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


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


def frequencies(scenario: Any, count: int | None) -> np.ndarray:
    modes: Any = scenario.linearize(outputs=()).modes
    return np.array([abs(mode.eigenvalue) for mode in modes])[:count]


@pytest.mark.parametrize("shear", [None, (0.06, -0.05)])
def test_coupled_frequencies_of_a_beam_off_its_axis_are_exact_with_order_2(shear):
    truth = exact(5, shear=shear or (0.0, 0.0))
    assert np.max(np.abs(truth / exact(5, *((0.0, 0.0) if shear is None else ())) - 1)) > 0.02  # coupled
    section = f"shear_centre = {list(shear)}" if shear else ""
    coarse, fine = (frequencies(arm(n, section=section), 5) / truth - 1 for n in (10, 20))
    # Errors of order 4 are a tenth of those of order 2 in the fifth mode.
    np.testing.assert_allclose(np.log2(coarse / fine), 2.0, rtol=0, atol=0.15)
    np.testing.assert_allclose((4 * fine - coarse) / 3, 0.0, rtol=0, atol=1e-3)


SLENDER = {"[200.0, 150.0]": "[1e9, 1e9]", "[1e-3, 2e-3]": "[1e-8, 1e-8]"}


@pytest.mark.parametrize(
    ("way", "order", "left"),
    [pytest.param("lumped", 2, 1e-2, marks=pytest.mark.long), ("consistent", 4, 1e-4)],
)
def test_a_consistent_mass_matrix_makes_frequencies_of_slender_beams_exact_with_order_4(way, order, left):
    """Beside Euler's, cos x cosh x = -1."""
    root = np.array(
        [brentq(lambda x: np.cos(x) + 1 / np.cosh(x), np.pi * (k + 0.1), np.pi * (k + 0.9)) for k in range(3)]
    )
    truth, errors = root**2, []
    for elements in (10, 20):
        text = arm_text(elements, f'mass_matrix = "{way}"', 0, 0)
        found = frequencies(loads(changed(text, SLENDER)), None)
        errors.append(np.array([np.min(np.abs(found / one - 1)) for one in truth]))
    # The second and third mode; next terms are a tenth of these. Of the first, rounding shows.
    np.testing.assert_allclose(np.log2(errors[0] / errors[1])[1:], order, rtol=0, atol=0.3)
    assert np.max(errors[1]) < left


# --- damping by modes


@pytest.mark.parametrize("more", [pytest.param("", marks=pytest.mark.long), 'mass_matrix = "consistent"'])
def test_modes_decay_with_the_ratios_that_are_given_and_others_do_not(more):
    ratios = [0.01, 0.03, 0.02]
    declared = arm(8, f"modal_damping = {ratios}\n{more}", section="shear_centre = [0.06, -0.05]")
    modes: Any = declared.linearize(outputs=()).modes
    found = [-mode.eigenvalue.real / abs(mode.eigenvalue) for mode in modes]
    # Linear equations come by derivatives, without differences; 1e-5 is what a load of rounding leaves.
    np.testing.assert_allclose(found[:3], ratios, rtol=1e-5)
    np.testing.assert_allclose(found[3:], 0.0, rtol=0, atol=1e-5)


FREE = """
[bodies.a]
mass = 3.0
products = "tensor"
inertia = [[0.2, 0.01, 0], [0.01, 0.2, 0.02], [0, 0.02, 0.3]]
initial = { position = [0, 0, 0] }
[bodies.b]
mass = 1.0
mass_centre = [0.1, 0.05, 0]
inertia = [0.1, 0.1, 0.1]
initial = { position = [1.12, 0.05, 0.1] }
[forces.boom]
kind = "beam"
parent = "a"
child = "b"
parent_at = [0.02, 0, 0.1]
length = 1.0
elements = 6
modal_damping = 0.05
damped_modes = 30
modal_ends = "free"
"""


def test_modes_of_a_free_beam_with_bodies_at_its_ends_decay_alike():
    """All that is not motion as a rigid body, where nothing is held."""
    text = FREE + TEXT[TEXT.index("[forces.boom.section]") :]
    linear: Any = loads(text).linearize(outputs=())
    found = [-m.eigenvalue.real / abs(m.eigenvalue) for m in linear.modes if abs(m.eigenvalue) > 1e-2]
    np.testing.assert_allclose(found[:30], 0.05, rtol=1e-4)


def test_damping_by_modes_has_derivatives():
    """Beside differences: of a round rod, each bending mode of which is there twice, in a direction in which
    the two part."""
    beam: Any = loads(changed(arm_text(5, ROUND, Y, Z), {"[2.0, 1.0]": "[1.0, 1.0]"})).forces[0]
    made = segments.of(beam, 0)
    turn = {
        "about": made.about * np.array([[0.3], [1.0], [-0.4]]),
        "mass": 0.2 * made.mass,
        "length": 0.1 * made.length,
    }

    def damping(t: Any) -> Any:
        moved = made._replace(**{name: getattr(made, name) + t * rate for name, rate in turn.items()})
        straight = own_modes.straight(moved, (None, None))
        plain_one = jax.tree.map(plain, straight)
        modes = own_modes.found(plain_one, np.array([False, *[True] * 5]))
        found = own_modes.damped(straight, modes, np.full(4, 0.1))
        return jnp.sum(found.given[:, :, None, None] * found.felt[None, None], -1)

    value, slope = jvp(damping, (0.0,), (1.0,))
    step = 1e-4
    by_difference = (damping(step) - damping(-step)) / (2 * step)
    np.testing.assert_allclose(slope, by_difference, rtol=0, atol=1e-6 * np.max(np.abs(value)))


ROUND = "modal_damping = 0.1\ndamped_modes = 4"


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
    (BEAM, f"{BEAM}\ndamped_modes = 3", "forces.boom.damped_modes", "not given"),
    (BEAM, f'{BEAM}\nmodal_ends = "free"', "forces.boom.modal_ends", "not given"),
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


def test_modes_of_one_frequency_are_damped_alike():
    text = changed(
        arm_text(4, "modal_damping = [0.1, 0.2]", 0, 0),
        {"[2.0, 1.0]": "[1.0, 1.0]", "[200.0, 150.0]": "[200.0, 200.0]", "[1e-3, 2e-3]": "[1e-3, 1e-3]"},
    )
    with pytest.raises(
        ist.BadInput, match=r"forces\.arm\.modal_damping: damps mode 1 and mode 2 differently"
    ):
        start_of(loads(text))
    with pytest.raises(ist.BadInput, match=r"damps mode 1 and not mode 2.*; damp 2 modes$"):
        start_of(loads(text.replace("[0.1, 0.2]", "0.1\ndamped_modes = 1")))


# --- curvature without load


def curved(elements: int, curvature: Any, pull: float = 0.0, more: str = "") -> Any:
    return arm(elements, f"curvature = {[*map(float, curvature)]}\n{more}", 0.0, 0.0, pull=pull)


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
    pull, radius = 1e-4, 2 / np.pi
    found = []
    for elements in (8, 16):
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
    sag = float(weight @ terms)
    coarse, fine = (one / sag - 1 for one in found)
    assert np.log2(coarse / fine) == pytest.approx(2, abs=0.1)
    assert (4 * fine - coarse) / 3 == pytest.approx(0, abs=1e-4)  # order 4, and the turns, of 5e-5


# --- trees, loops and missions

LINKED = """
[bodies.hub]
mass = 5.0
inertia = [0.5, 0.6, 0.7]
initial = { angular_velocity = [0.1, 0.2, 0.3] }
[bodies.arm]
mass = 1.0
mass_centre = [0.3, 0, 0]
inertia = [0.05, 0.1, 0.1]
initial = { through = "ball", relative_angular_velocity = [0.4, 0.5, -0.3] }
[bodies.tip]
mass = 0.5
inertia = [0.02, 0.02, 0.02]
initial = { position = [1.65, 0.1, 0.05], velocity = [0, 0.2, 0], angular_velocity = [0.3, 0, 0.1] }
[bodies.flap]
mass = 0.3
inertia = [0.01, 0.02, 0.02]
mass_centre = [0.1, 0, 0]
initial = { through = "hinge", relative_angular_velocity = [0, 0.7, 0] }
[joints.ball]
kind = "spherical"
parent = "hub"
child = "arm"
parent_at = [0.1, 0, 0]
[joints.hinge]
kind = "revolute"
parent = "tip"
child = "flap"
axis = "y"
[forces.outer]
kind = "beam"
parent = "arm"
child = "tip"
parent_at = [0.6, 0, 0]
length = 1.0
elements = 3
mass_matrix = "consistent"
[forces.back]
kind = "beam"
parent = "hub"
child = "flap"
parent_at = [0, 0.2, 0]
length = 1.8
elements = 2
"""
"""A tree of a ball joint, a beam and a hinge, which a second beam closes to a loop."""


def linked(solver: str = "") -> Any:
    section = TEXT[TEXT.index("[forces.boom.section]") : TEXT.index("[[phases]]")]
    both = "".join(section.replace("boom", name) for name in ("outer", "back"))
    return loads(
        changed(LINKED + both.replace(MASS, f"{MASS}\n{OFF}") + TEXT[TEXT.index("[[phases]]") :], {}) + solver
    )


def test_a_loop_of_beams_and_joints_keeps_momenta_and_energy():
    scenario = linked()
    begun = start_of(scenario)
    mechanism, x = mechanism_of(scenario, begun=begun), np.array(begun.x)
    for path in (*KEPT, "system.energy"):
        assert rate(mechanism, x, path) == pytest.approx(0.0, abs=1e-6), path


def test_all_formulations_agree_on_a_loop_of_beams_and_joints():
    scenario = linked()
    mechanism = mechanism_of(scenario, begun=start_of(scenario))
    here = instant(mechanism, 0.0, np.array(start_of(scenario).x))
    found = {way: solved(here, formulation_of(way))[0] for way in ALGEBRAIC}
    for way, accelerations in found.items():
        np.testing.assert_allclose(accelerations, found[ALGEBRAIC[0]], rtol=0, atol=1e-9, err_msg=way)


ALGEBRAIC = ("lagrange_multiplier", "constraint_force", "coordinate_partitioning", "null_space")


def formulation_of(kind: str) -> Any:
    return linked(f'[solver]\nformulation = "{kind}"\n').solver.formulation


def test_two_beams_that_hold_the_same_share_its_load():
    """A plate between two equal beams from one wall, off its place: each takes half."""
    one = arm_text(3, 'child = "plate"', 0, 0)
    plate = "[bodies.plate]\nmass = 1.0\ninertia = [1, 1, 1]\ninitial = { position = [1.01, 0.02, 0.01] }\n"
    second = one[one.index("[forces.arm]") : one.index("[[phases]]")].replace("arm", "leg")
    text = one.replace("[joints.bolts]", plate + "[joints.bolts]")
    start = start_as_declared(loads(text.replace("[[phases]]", second + "[[phases]]")))
    single = start_as_declared(loads(text))
    for path in ("arm", "leg"):
        load = start[f"forces.{path}.section_1.force"]
        np.testing.assert_array_equal(load, single["forces.arm.section_1.force"])
    np.testing.assert_allclose(start["joints.bolts.force"], 2 * single["joints.bolts.force"], rtol=1e-12)


LET_GO = """
[joints.clamp]
kind = "fixed"
parent = "ground"
child = "a"
[forces.boom.section]
kind = "stiffness"
axial_stiffness = 50.0
shear_stiffness = [50, 50]
torsional_stiffness = 0.5
bending_stiffness = [0.5, 0.25]
mass = 1.0
rotary_inertia = [1e-3, 2e-3]
mass_centre = [0.04, -0.03]
[output]
interval = 0.1
"""


@pytest.fixture(scope="module")
def let_go() -> str:
    """A bent beam off its axis, with a consistent mass matrix, damped by its modes: all but how it flies."""
    head = TEXT[: TEXT.index("[forces.boom.section]")]
    more = "elements = 4\nmass_matrix = 'consistent'\nmodal_damping = 0.05\ndamped_modes = 4"
    return changed(head, {"elements = 3": more, "initial = { angular_velocity = [1, 2, 3] }\n": ""}) + LET_GO


@pytest.fixture(scope="module")
def released(let_go: str) -> Any:
    """Let go after 0.2 s, and flown for 0.3 s more."""
    return loads(
        let_go
        + '[[phases]]\nname = "held"\nuntil = { time = 0.2 }\n'
        + '[[phases]]\nname = "free"\nrelease = ["clamp"]\nuntil = { elapsed = 0.3 }\n'
    )


END = "forces.boom.end.y"
NUMBERS = {
    "forces.boom.section.torsional_stiffness": 0.5,
    "forces.boom.section.mass": 1.0,
    "forces.boom.length": 1.0,
    "bodies.b.mass": 1.0,
}


@pytest.mark.long
def test_derivatives_through_a_release_are_differences_of_cases_of_a_batch(released):
    slopes = released.derivatives([END], list(NUMBERS)).by[END]
    step = 1e-4
    for path, value in NUMBERS.items():
        cases = {path: value + step * np.array([1, -1, 0])}
        more, less, same = released.run_batch(cases, progress=False).value(END)
        # Steps of their own and the third derivative leave 1e-5 of the slope.
        assert float(slopes[path]) == pytest.approx((more - less) / (2 * step), rel=1e-4), path
    last = float(released.run().record.series["forces.boom.end"][-1][1])
    assert same == pytest.approx(last, abs=1e-9)


@pytest.mark.long
def test_a_beam_goes_on_in_the_next_leg_of_a_mission_as_it_was(let_go, released):
    legs = (
        "[legs.held]\nphases.held = { until = { elapsed = 0.2 } }\n"
        'phases.loose = { release = ["clamp"], until = { elapsed = 0.1 } }\n'
        '[legs.free]\nafter = { leg = "held" }\nphases.free = { until = { elapsed = 0.2 } }\n'
    )
    last = loads(let_go + legs).run().legs["free"].record.series["forces.boom.end"][-1]
    whole = released.run().record.series["forces.boom.end"][-1]
    np.testing.assert_allclose(last, whole, rtol=0, atol=1e-7)  # other steps, with a tolerance of 1e-9
