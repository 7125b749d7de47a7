"""Beams in trees, loops and missions, release while they are bent, and derivatives through that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from beam_models import BETWEEN, FLOWN, KEPT, OFF, SECTION, arm_text, changed, rate, section_of
from engine_door import instant, mechanism_of, solved, start_of
from interstage.reading import loads
from interstage.studies.verify import start_as_declared

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
    both = "".join(f"{SECTION.replace('boom', name)}{OFF}" for name in ("outer", "back"))
    return loads(f"{LINKED}{both}\n{FLOWN}{solver}")


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


LET_GO = f"""
[joints.clamp]
kind = "fixed"
parent = "ground"
child = "a"
{section_of("boom", 50.0, [50.0, 50.0], 0.5, [0.5, 0.25])}
{OFF}
[output]
interval = 0.1
"""


@pytest.fixture(scope="module")
def let_go() -> str:
    """A bent beam off its axis, with a consistent mass matrix, damped by its modes: all but how it flies."""
    more = "elements = 4\nmass_matrix = 'consistent'\nmodal_damping = 0.05\ndamped_modes = 4"
    held = {"initial = { angular_velocity = [1, 2, 3] }\n": ""}
    return changed(BETWEEN, {"elements = 3": more, **held}) + LET_GO


@pytest.fixture(scope="module")
def released(let_go: str) -> Any:
    """Release after 0.2 s, and flown for 0.3 s more."""
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
