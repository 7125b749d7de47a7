"""The fastest motion of beams with the bodies at their ends, by which steps are told to be too long: beside
an assembly of their own in NumPy, and the eigenvalues of the equations of motion."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh

from beam_models import frequencies, vector_product
from interstage.diagnosis.plausibility import _declared_pose, remarks
from interstage.parts.beams.bound import fastest
from interstage.parts.beams.checks import longest
from interstage.parts.beams.ends import giving
from interstage.parts.beams.least import least
from interstage.reading import loads

CLOSE = 1.1
"""How far the bound may be above the fastest motion of a beam between two bodies: of few segments with equal
elements, whose shares are halves, it is 8 % (1.08 in 400 cases)."""
ROUNDING = 1e-6
"""Of eigenvalues of motion as a rigid body, of which there are two each."""
TOGETHER = np.sqrt(3) * CLOSE
"""Likewise where up to three beams share a body: the bound adds up squares as if all pulled one way."""
MASSLESS = "mass = 0\ninertia = [0, 0, 0]\n"
TANK = """[bodies.{name}.elements.tank]
kind = "point"
propellant = {mass}
at = [0, 0, 0]
"""
PHASE = '[[phases]]\nname = "free"\nuntil = { time = 1e-3 }\n'


def bound(scenario: Any) -> float:
    ends = giving(scenario, partial(_declared_pose, scenario), least(scenario))
    return max(fastest(beam, ends[beam.name]) for beam in scenario.forces)


class Case:
    """A beam of random numbers between two random bodies, or the ground and one: as a text, and as matrices
    that are put together here."""

    def __init__(self, rng: Any):
        def within(low: float, high: float) -> float:
            return float(np.exp(rng.uniform(np.log(low), np.log(high))))

        self.length, self.elements, self.mass = within(0.3, 10), int(rng.integers(1, 9)), within(0.1, 10)
        axial, gyration = within(1e5, 1e8), self.length * within(0.002, 0.1)
        self.axial, self.shear = axial, [axial * within(0.05, 0.5) for _ in "yz"]
        self.bending = [axial * (gyration * within(0.3, 1)) ** 2 for _ in "yz"]
        self.torsional = sum(self.bending) * within(0.1, 0.5)
        self.rotary = [self.mass * (gyration * within(0.3, 1)) ** 2 for _ in "yz"]
        self.bodies = [self._body(rng, within) for _ in "ab"]
        self.grounded = rng.random() < 0.3

    def _body(self, rng: Any, within: Any) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
        """Mass, inertia, centre of mass from the clamp, clamp."""
        mass, size = self.mass * self.length * within(0.003, 300), self.length * within(0.01, 0.5)
        across, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        square = (rng.uniform(0.5, 1, 3) * size) ** 2
        inertia = across @ np.diag(mass * (np.sum(square) - square)) @ across.T
        centre = rng.normal(size=3) * size * rng.integers(0, 2)
        return mass, (inertia + inertia.T) / 2, centre, rng.normal(size=3)

    def scenario(self, damping: str = "", as_items: bool = False) -> Any:
        """as_items: with the masses of the bodies in items that they carry, beside tanks that drain."""
        text = ""
        for name, place, (mass, inertia, centre, at) in zip("ab", (0, self.length), self.bodies, strict=True):
            if name == "b" or not self.grounded:
                start = np.array([place, 0, 0]) + centre
                own = f'products = "tensor"\ninertia = {inertia.tolist()}\n'
                own = f"mass = {mass}\n{own}mass_centre = {(at + centre).tolist()}\n"
                begins = f"initial.position = {start.tolist()}\n"
                text += f"[bodies.{name}]\n"
                if as_items:
                    text += f"{MASSLESS}{begins}[bodies.{name}.elements.all]\nkind = 'item'\n{own}"
                    text += TANK.format(name=name, mass=mass)
                else:
                    text += own + begins
        begins = (
            'parent = "ground"'
            if self.grounded
            else f'parent = "a"\nparent_at = {self.bodies[0][3].tolist()}'
        )
        return loads(f"""{text}
[forces.boom]
kind = "beam"
{begins}
child = "b"
child_at = {self.bodies[1][3].tolist()}
length = {self.length}
elements = {self.elements}
{damping}
[forces.boom.section]
kind = "stiffness"
axial_stiffness = {self.axial}
shear_stiffness = {self.shear}
torsional_stiffness = {self.torsional}
bending_stiffness = {self.bending}
mass = {self.mass}
rotary_inertia = {self.rotary}
{PHASE}""")

    def fastest(self) -> float:
        heavy, stiff = self.matrices()
        free = slice(6 * self.grounded, None)
        return float(np.sqrt(eigh(stiff[free, free], heavy[free, free], eigvals_only=True)[-1]))

    def grows(self, step: float, ratio: float, by_mass: float, by_stiffness: float) -> float:
        """The most by which a step of Runge and Kutta's multiplies any motion, where all modes but six with
        the first clamp held have a ratio, and damping by mass is of motion relative to that clamp's."""
        heavy, stiff = self.matrices()
        rates, modes = eigh(stiff[6:, 6:], heavy[6:, 6:])
        lasting = 2 * ratio * np.sqrt(rates) * (np.arange(len(rates)) < 6 * self.elements)
        by_modes = heavy[6:, 6:] @ modes @ np.diag(lasting) @ modes.T @ heavy[6:, 6:]
        rigid = np.linalg.solve(stiff[6:, 6:], stiff[6:, :6])  # minus what goes with the clamp
        relative = np.hstack([rigid, np.eye(len(rates))])
        segments = heavy[6:, 6:].copy()
        segments[-6:] = segments[:, -6:] = 0.0
        lost = relative.T @ (by_modes + by_mass * segments) @ relative + by_stiffness * stiff
        free = slice(6 * self.grounded, None)
        heavy, stiff, lost = (one[free, free] for one in (heavy, stiff, lost))
        moved = np.linalg.solve(heavy, np.hstack([-stiff, -lost]))
        rows = np.block(
            [[np.zeros_like(heavy), np.eye(len(heavy))], [moved[:, : len(heavy)], moved[:, len(heavy) :]]]
        )
        z = step * np.linalg.eigvals(rows)
        return float(np.max(np.abs(1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24)))

    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """Of masses and of stiffness, the first clamp in front. Segments as rigid bodies, the two bodies
        about the clamps, and elements whose shear has what cubic functions leave out: see
        `docs/decisions/0020-beams.md`."""
        h, count = self.length / self.elements, 6 * (self.elements + 2)
        heavy, stiff = np.zeros((count, count)), np.zeros((count, count))
        slab = self.mass * h**3 / 12
        own = [self.mass * h] * 3 + [h * sum(self.rotary), *(h * one + slab for one in self.rotary)]
        heavy[6:-6, 6:-6] = np.diag(own * self.elements)
        for k, (mass, inertia, centre, _) in ((0, self.bodies[0]), (count - 6, self.bodies[1])):
            arm = mass * vector_product(centre)
            about = inertia - arm @ vector_product(centre)
            heavy[k : k + 6, k : k + 6] = np.block([[mass * np.eye(3), -arm], [arm, about]])
        for k in range(self.elements + 1):
            long = h if 0 < k < self.elements else h / 2
            strain = np.hstack([-np.eye(6), np.eye(6)])
            strain[1, [5, 11]], strain[2, [4, 10]] = -long / 2, long / 2
            across = [
                1 / (1 / shear + long**2 / 12 / bending)
                for shear, bending in zip(self.shear, self.bending[::-1], strict=True)
            ]
            size = np.array([self.axial, *across, self.torsional, *self.bending]) / long
            stiff[6 * k : 6 * k + 12, 6 * k : 6 * k + 12] += strain.T @ (size[:, None] * strain)
        return heavy, stiff


def test_no_motion_of_a_beam_and_the_bodies_at_its_ends_is_faster_than_the_bound():
    """Bodies from 0.003 to 300 times the beam's mass, centres of mass off the clamps by half its length."""
    rng = np.random.default_rng(3)
    cases = [Case(rng) for _ in range(16)]
    every = [(case.scenario(), case.fastest()) for case in cases]
    ratios = np.array([bound(scenario) / truth for scenario, truth in every])
    assert np.all(ratios > 1)
    assert np.all(ratios < CLOSE)
    assert min(fastest(scenario.forces[0]) / truth for scenario, truth in every) < 0.5  # bodies do matter


HUB = """
[bodies.hub]
mass = {mass}
inertia = [{mass}e-2, {mass}e-2, {mass}e-2]
mass_centre = [0.05, 0, 0.1]
initial.position = [0.05, 0, 0.1]
"""
SPOKE = """
[forces.{name}]
kind = "beam"
parent = "hub"
parent_at = {at}
parent_frame = {{ euler = "3-2-1", angles = [{angle}, 0, 0] }}
length = 1.0
elements = 2
[forces.{name}.section]
kind = "stiffness"
axial_stiffness = {axial}
shear_stiffness = [2e5, 2e5]
torsional_stiffness = 40.0
bending_stiffness = [400.0, 200.0]
mass = 1.0
rotary_inertia = [4e-4, 2e-4]
"""
BASE = "[bodies.base]\nmass = 0.3\ninertia = [0.01, 0.01, 0.01]\n"
JOINT = (
    '[joints.bolts]\nkind = "{kind}"\nparent = "{parent}"\nchild = "hub"\nchild_at = [0.1, 0.02, 0]\n{more}'
)
ON_GROUND = "parent_at = [0.1, 0.02, 0]\n"


@pytest.mark.parametrize(
    ("mass", "spokes", "more"),
    [
        (0.02, 3, ""),
        (0.02, 1, JOINT.format(kind="fixed", parent="ground", more=ON_GROUND)),
        (0.02, 2, JOINT.format(kind="spherical", parent="ground", more=ON_GROUND)),
        (0.02, 3, BASE + JOINT.format(kind="revolute", parent="base", more="")),
        (0.02, 1, BASE + JOINT.format(kind="universal", parent="base", more="")),
        (20.0, 2, BASE + JOINT.format(kind="rod", parent="ground", more="parent_at = [0.4, 0, 0.3]\n")),
    ],
)
def test_the_bound_counts_the_joints_of_a_hub_and_all_beams_on_it(mass, spokes, more):
    text = HUB.format(mass=mass) + more + PHASE
    for k in range(spokes):
        text += SPOKE.format(name=f"spoke{k}", at=[0.03 * k, 0.02, 0], angle=2 * k, axial=1e6 * (1 + k))
    text = text if '"base"' in more else text.replace(BASE, "")
    scenario = loads(text)
    ratio = bound(scenario) / frequencies(scenario)[-1]
    assert 1 < ratio < (CLOSE if spokes == 1 else TOGETHER)


TIP = f"""
[bodies.tip]
mass = 5.0
inertia = [0.02, 0.02, 0.02]
mass_centre = [0, 0, 0.3]
initial.position = [2, 0, 0.3]
[forces.boom]
kind = "beam"
parent = "ground"
child = "tip"
length = 2.0
elements = 4
damping = 2e-4
[forces.boom.section]
kind = "tube"
young = "70 GPa"
shear_modulus = "26 GPa"
density = 2700.0
radius = 0.03
hole = 0.027
{PHASE}
[solver]
method = "rk4"
step = STEP
"""


def test_steps_too_long_for_a_body_off_the_axis_at_the_end_are_told():
    """What is told is a step by which damping by stiffness, the fastest of it all, decays."""
    decay = float(np.max(frequencies(loads(TIP.replace("STEP", "1e-7")))))
    said = [remarks(loads(TIP.replace("STEP", repr(step)))) for step in (2.79 / decay, 2.3 / decay)]
    ((text,), none) = ([one for one in texts if "may be too long" in one] for texts in said)
    assert "4 segments of the beam and tip at its end." in text
    assert not none


LET_GO = 'release = ["bolts"]\n'


def test_a_joint_that_is_let_go_or_is_a_spring_counts_as_none():
    joint = JOINT.format(kind="fixed", parent="ground", more=ON_GROUND)
    spoke = SPOKE.format(name="spoke", at=[0, 0, 0], angle=0, axial=1e6)
    held = HUB.format(mass=0.02) + joint + spoke + PHASE
    free = bound(loads(held.replace(joint, "")))
    assert bound(loads(held)) < 0.5 * free
    assert bound(loads(held + LET_GO)) == free
    springs = '[solver]\nformulation = "regularized"\nmethod = "rk4"\nstep = 1e-4\n'
    assert bound(loads(held + springs)) == free


def test_a_body_without_mass_of_its_own_has_that_of_its_items_and_not_of_its_tanks():
    rng = np.random.default_rng(5)
    cases = [Case(rng) for _ in range(8)]
    ratios = np.array([bound(case.scenario(as_items=True)) / case.fastest() for case in cases])
    assert np.all(ratios > 1)
    assert np.all(ratios < CLOSE)


ITEM = """[bodies.tip.elements.lump]
kind = "item"
mass = 5.0
mass_centre = [0, 0, 0.3]
inertia = [0.02, 0.02, 0.02]
"""
WITH_ITEM = TIP.replace("mass = 5.0\ninertia = [0.02, 0.02, 0.02]\n", MASSLESS).replace(
    "[forces.boom]", f"{ITEM}[forces.boom]", 1
)


def test_steps_are_not_allowed_where_no_mass_of_a_body_at_an_end_stays():
    def said(text: str) -> list[str]:
        return [one for one in remarks(loads(text.replace("STEP", "1e-6"))) if "teps" in one]

    tank = WITH_ITEM.replace(
        "[forces.boom]", f"{TANK.format(name='tip', mass=1.0)}residual = 0.1\n[forces.boom]", 1
    )
    dropped = tank + '[[events]]\nname = "later"\nwhen = { time = 1e-4 }\ndrop = ["tip.lump"]\n'
    assert not said(WITH_ITEM)
    assert not said(tank)
    (text,) = said(dropped)
    assert "boom: the longest stable step is unknown" in text
    assert "mass or an inertia of tip is zero" in text
    (text,) = said(WITH_ITEM.replace("inertia = [0.02, 0.02, 0.02]\n", ""))  # a point mass
    assert "mass or an inertia of tip is zero" in text


@pytest.mark.parametrize(
    ("ratio", "by_mass", "by_stiffness"),
    [
        pytest.param(0.3, 0.0, 0.0, marks=pytest.mark.long),
        pytest.param(2.5, 0.0, 0.0, marks=pytest.mark.long),
        (0.0, 4.0, 0.0),
        pytest.param(1.5, 2.0, 1.0, marks=pytest.mark.long),
        (0.1, 0, 0.5),
    ],
)
def test_no_step_that_is_allowed_makes_damped_motion_grow(ratio, by_mass, by_stiffness):
    """Damping by mass and stiffness are given over, and by, the frequency of the fastest motion."""
    rng = np.random.default_rng(9)
    for case in (Case(rng) for _ in range(6)):
        rate = case.fastest()
        given = f"mass_damping = {by_mass * rate}\ndamping = {by_stiffness / rate}\n"
        if ratio:
            given += f"modal_damping = {ratio}\ndamped_modes = {6 * case.elements}\n"
        scenario = case.scenario(given)
        (beam,) = scenario.forces
        step = longest(
            scenario,
            beam,
            giving(scenario, partial(_declared_pose, scenario), least(scenario))["boom"],
            "rk4",
        )
        lost = ratio, by_mass * rate, by_stiffness / rate
        assert case.grows(step, *lost) < 1 + ROUNDING
        assert case.grows(2 * step, *lost) > 1 + ROUNDING  # so much shorter than it needs to be no step is


STAGGERED = """
[bodies.far]
mass = 1
inertia = [1, 1, 1]
initial.position = [100, 0, 0]
[gravity]
kind = "uniform"
acceleration = [0.3, 0.2, -9.81]
[forces.boom]
kind = "beam"
parent = "ground"
length = 1.0
elements = 1
modal_damping = 0.8
damped_modes = 6
[forces.boom.section]
kind = "stiffness"
axial_stiffness = 100.0
shear_stiffness = [100.0, 100.0]
torsional_stiffness = 1.0
bending_stiffness = [10.0, 10.0]
mass = 1.0
rotary_inertia = [0.1, 0.1]
[[phases]]
name = "free"
until = { time = TIME }
[solver]
formulation = "staggered"
step = STEP
"""


@pytest.mark.long
def test_staggered_steps_are_as_long_as_damping_allows():
    """They grow where twice the ratio and the frequency times the step is above 2: a step by which vibration
    without damping would go on, and one by which it settles at what it weighs."""

    def settles(step: float) -> tuple[bool, bool]:
        scenario = loads(STAGGERED.replace("TIME", repr(200 * step)).replace("STEP", repr(step)))
        end = np.linalg.norm(scenario.run(progress=False)["forces.boom.end"][-1] - [1, 0, 0])
        return bool(end < 1), any("may be too long" in one for one in remarks(scenario))

    rate = float(np.max(frequencies(loads(STAGGERED.replace("TIME", "1.0").replace("STEP", "1e-3")))))
    assert settles(1.35 / rate) == (False, True)
    assert settles(1.1 / rate) == (True, False)
