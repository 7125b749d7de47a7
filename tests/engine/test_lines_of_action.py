"""Lines between two ends have no direction where these are one place: drawn ends are refused there, and ends
that meet in flight are reported. References: the places themselves, and closed forms of oscillations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import meeting, refused_starts, start_of
from interstage.reading import loads
from interstage.runs.run import check_start

CASES = 300

HERE = "parent_at = [0, 0, 0]\nchild_at = [0, 0, 0]\n"
A_B, B_A = (f'parent = "{p}"\nchild = "{c}"\n' for p, c in ("ab", "ba"))
STATE = "position = [0, 0, 0]\nattitude = { quaternion = [1, 0, 0, 0] }\n"
SPRING = 'kind = "kickoff_spring"\nstiffness = 4e3\npreload = 400\nstroke = 0.1\n'
PLACES = f"""
gravity = "none"
phases.go = {{ until = {{ time = "1 s" }} }}
[bodies]
a.mass = 900
a.inertia = [400, 400, 150]
b.mass = 100
b.inertia = [12, 12, 8]
[bodies.a.initial]
{STATE}[bodies.b.initial]
{STATE}[devices.spring]
{A_B}{HERE}{SPRING}[devices.piston]
{B_A}{HERE}kind = "piston"
push = 300
stroke = 0.1
[devices.plug]
{A_B}{HERE}kind = "umbilical"
pull_off = 20
stroke = 0.1
[devices.guided]
{A_B}{SPRING}axis = [0, 0, 1]
[forces.strut]
{A_B}{HERE}kind = "spring"
stiffness = 10
free_length = 0.3
[forces.tie]
{A_B}{HERE}kind = "spring"
stiffness = 10
free_length = 0
"""
ROD = f'[joints.rod]\nkind = "rod"\n{A_B}{HERE}'
ENDS = {"devices.spring": 1, "devices.piston": -1, "devices.plug": 1, "forces.strut": 1, "forces.tie": 1}
"""Where the two ends stand, and whether its parent is a (1) or b (-1)."""


def drawn(rng: Any, gap: Any, rod: bool = False) -> ist.Scenario:
    """Many cases of the same ends, placed at random, that are a vector `gap` (case, 3) [m] apart."""
    sizes = 10 ** rng.uniform(-3, 1.7, (CASES, 1))
    turn_a, turn_b = (Rotation.random(CASES, rng) for _ in "ab")
    on_a, on_b = (sizes * rng.uniform(-1, 1, (CASES, 3)) for _ in "ab")
    # One in two is somewhere, one far away, as in an orbit; one in two is written with few digits.
    far = np.where(rng.random((CASES, 1)) < 0.5, 10.0, 7e6)
    place = far * rng.uniform(-1, 1, (CASES, 3))
    other = place + turn_a.apply(on_a) - turn_b.apply(on_b) + gap
    quaternions = [turn.as_quat(scalar_first=True) for turn in (turn_a, turn_b)]
    short = rng.random((CASES, 1)) < 0.5
    quaternions = [np.where(short, np.round(q, 6), q) for q in quaternions]
    inputs = {"bodies.a.initial.position": place, "bodies.b.initial.position": other}
    inputs |= {f"bodies.{n}.initial.attitude.quaternion": q for n, q in zip("ab", quaternions, strict=True)}
    for thing, sign in (ENDS | ({"joints.rod": 1} if rod else {})).items():
        inputs[f"{thing}.parent_at"], inputs[f"{thing}.child_at"] = (on_a, on_b)[::sign]
    from interstage.runs.cases import together

    scenario = loads(PLACES + (ROD if rod else ""))
    return together(scenario, {path: np.moveaxis(value, 0, -1) for path, value in inputs.items()})


@pytest.mark.parametrize("rod", [False, True])
def test_ends_that_coincide_to_rounding_are_refused_wherever_they_are(rod):
    scenario = drawn(np.random.default_rng(20), np.zeros((CASES, 3)), rod)
    found = start_of(scenario, lanes=(CASES,))
    assert np.sum(found.own["pushers"].length > 0) > CASES  # most are apart by rounding
    refused = refused_starts(scenario, found, CASES)
    assert sorted(refused) == list(range(CASES))
    wanted = {"joints.rod"} if rod else {f"devices.{n}.axis" for n in ("spring", "piston", "plug")}
    wanted = wanted if rod else wanted | {"forces.strut"}
    for problems in refused.values():
        assert {problem.place for problem in problems} == wanted
        assert all("coincide" in str(problem) for problem in problems)


def test_ends_that_are_well_apart_are_not_refused():
    """A tenth of a millimetre for arms of up to 85 m, and 20 mm at 7000 km."""
    rng = np.random.default_rng(21)
    way = rng.normal(size=(CASES, 3))
    scenario = drawn(rng, 2e-2 * way / np.linalg.norm(way, axis=1, keepdims=True))
    assert refused_starts(scenario, start_of(scenario, lanes=(CASES,)), CASES) == {}


FIRST = f"""
bodies.stage = {{ mass = 900, inertia = [400, 400, 150], initial = {{}} }}
bodies.satellite = {{ mass = 100, inertia = [12, 12, 8] }}
phases.apart = {{ release = ["band"], until = {{ elapsed = "5 s" }} }}
[joints.band]
kind = "fixed"
parent = "stage"
child = "satellite"
parent_at = [0, 0, 1.2]
child_at = [0, 0, -0.4]
[devices.spring]
{SPRING}parent = "stage"
child = "satellite"
parent_at = [0, 0, 1.2]
child_at = [0, 0, -0.4]
"""
"""README's first flight, with the ends of the spring at the separation plane."""


def test_check_refuses_a_spring_with_both_ends_at_the_separation_plane_and_suggests_an_axis():
    with pytest.raises(ist.BadInput, match=r"devices\.spring\.axis: .*axis = \[0, 0, 1\]"):
        check_start(loads(FIRST))
    check_start(loads(FIRST + "axis = [0, 0, 1]"))


# --- in flight ----------------------------------------------------------------------------------------------

BODY = "mass = 1, inertia = [1, 1, 1]"
PULL = 'kind = "spring", parent = "ground", stiffness = 10'
PASSES = f"""
gravity = "none"
bodies.a = {{ {BODY}, initial = {{ position = [1, 0, 0], velocity = [-1, 0, 0] }} }}
bodies.b = {{ {BODY}, initial = {{ position = [1, 9, 0], velocity = [-1, 0.1, 0] }} }}
bodies.c = {{ {BODY}, initial = {{ position = [1, 0, 9], velocity = [-1, 0, 0] }} }}
forces.through = {{ {PULL}, child = "a", free_length = 0.1 }}
forces.past = {{ {PULL}, child = "b", parent_at = [0, 9, 0], free_length = 0.1 }}
forces.smooth = {{ {PULL}, child = "c", parent_at = [0, 0, 9], free_length = 0 }}
phases.p = {{ until = {{ time = "1.3 s" }} }}
"""


@pytest.fixture(scope="module")
def passing():
    return loads(PASSES).run()


def test_a_spring_whose_ends_meet_in_flight_is_reported_with_the_time(passing):
    """x = 0.1 + 0.9 cos(w t) - sin(w t)/w is zero at 0.42309 s; one that passes at some distance, and one
    without free length, are not reported."""
    (text,) = [text for text in passing.record.warnings if "ends of the spring coincided" in text]
    assert text.startswith("forces.through: the two ends of the spring coincided at 0.42")


def test_a_spring_without_free_length_swings_through_its_anchor(passing):
    w, t = np.sqrt(10.0), np.asarray(passing.time)
    exact = np.cos(w * t) - np.sin(w * t) / w
    np.testing.assert_allclose(
        passing["bodies.c.position.x"], exact, atol=1e-6
    )  # of steps at 1e-9, times 1e3


def test_ends_that_meet_are_told_from_ends_that_pass():
    """Lines through one point, and past it by more than a step: of 500 ways drawn at random."""
    rng = np.random.default_rng(22)
    times, least = np.linspace(0, 2, 41), np.full(41, 1e-12)
    for _ in range(500):
        along, across = np.linalg.qr(rng.normal(size=(3, 3)))[0][:, :2].T
        when = rng.uniform(0.1, 1.9)
        course = (times - when)[:, None] * along
        met = meeting(times, course + 1e-17 * across, least)
        assert met == pytest.approx(when, abs=1e-9)  # of a straight line: rounding
        assert meeting(times, course + 0.1 * across, least) is None  # twice a step of 0.05


def test_what_does_not_act_has_not_met():
    gaps = np.array([[1.0, 0, 0], [np.nan] * 3, [-1.0, 0, 0]])
    assert meeting(np.arange(3.0), gaps, np.full(3, 1e-12)) is None
