"""Multiple shooting: a ball, with a ring on it, thrown up to its apex, and for two seconds more, against
closed forms.

All flights are of one mission of two legs, so that its programs are compiled once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interstage as ist
from engine_door import layout_of
from interstage.cli import main as cli
from interstage.reading import loads
from interstage.sensitivities.nodes import motion, place_first
from interstage.studies.optimization.declared import Constraint, OptimizationStudy, Variable
from interstage.studies.optimization.flights import Flights
from interstage.studies.optimization.nodes import cut_flights, flown_over
from interstage.studies.optimization.variables import unknowns
from interstage.tree.addresses import get
from interstage.tree.errors import BadInput

FIRST = Path(__file__).parents[2] / "examples" / "first.toml"
G, FALL, AT = 10.0, 2.0, (5.0, -2.0)
"""Of the mission: the pull [m/s2], the time of its second leg [s], and where the ball begins [m]."""
MISSION = """
gravity = { kind = "uniform", acceleration = [0, 0, -10] }
[bodies.ball]
mass = 2
inertia = [1, 1, 1]
initial = { position = [5, -2, 0], velocity = [3, 0, 20] }
[bodies.ring]
mass = 1
inertia = [1, 1, 1]
[joints.hold]
kind = "fixed"
parent = "ball"
child = "ring"
parent_at = [0.5, 1.5, 2.5]
[guidance.level]
kind = "angles"
body = "ball"
axes = "inertial"
pitch = 0
[legs.up]
coordinates = "point"
attitude = "level"
phases.rise = { until = { quantity = "bodies.ball.velocity.z", reaches = 0, direction = "falling" } }
[legs.down]
after = { leg = "up" }
coordinates = "point"
attitude = "level"
phases.drop = { until = { elapsed = 2 } }
"""
ALONG, UP = "bodies.ball.initial.velocity[0]", "bodies.ball.initial.velocity[2]"
FREE = {"along": {"path": ALONG, "scale": 1}, "up": {"path": UP, "low": 1, "high": 100, "scale": 10}}
THERE = {
    "x": {"quantity": "bodies.ball.position.x", "at": "end", "equals": "17 m"},
    "z": {"quantity": "bodies.ball.position.z", "at": "end", "equals": "60 m"},
}
STUDY = {"variables": FREE, "constraints": THERE, "nodes": ["down"]}
FLIGHTS = 1e-9
"""Flights at a tolerance of 1e-9, of what is integrated exactly but for the time of the apex."""


@pytest.fixture(scope="module")
def mission():
    return loads(MISSION)


def test_gaps_and_their_derivatives_are_those_of_the_closed_form(mission):
    """With a node that is moved: the leg begins there, at the time at which the one before ended."""
    free = unknowns(mission, [Variable(name=name, **one) for name, one in FREE.items()])
    asked = OptimizationStudy(scenario="", **STUDY).constraints
    asked = [*asked, Constraint(name="t", quantity="time", at="end", min=0)]
    whole = Flights(mission, free, asked)
    states = flown_over(whole, whole.start, ["down"])
    vx, vz = 3.0, 20.0
    apex = [AT[0] + vx * vz / G, AT[1], vz**2 / (2 * G), vx, 0, 0]
    assert states == pytest.approx(apex, abs=FLIGHTS * 20)
    parts = cut_flights(whole, free, asked, ["down"], states)
    # Each moves by 10 of "up" the most: 6 m along and 20 m up; velocities by 1 of "along".
    assert [one.scale for one in parts.unknowns[2:]] == pytest.approx(3 * [np.hypot(3, 20)] + 3 * [1.0])
    moved = np.array([1.0, 2.0, 3.0, 0.1, 0.2, 0.3])
    vx, vz = 4.0, 22.0
    flown = parts.at(np.concatenate([[vx, vz], states + moved]))
    x, _, z, speed, _, climb = states + moved
    values = [x + FALL * speed, z + FALL * climb - G * FALL**2 / 2, vz / G + FALL]
    apex = np.array([AT[0] + vx * vz / G, AT[1], vz**2 / (2 * G), vx, 0, 0])
    assert flown.values == pytest.approx([*values, *(apex - states - moved)], abs=FLIGHTS * 20)
    exact = np.zeros((9, 8))
    exact[0, [2, 5]] = 1, FALL
    exact[1, [4, 7]] = 1, FALL
    exact[2, 1] = 1 / G
    exact[3:, 2:] = -np.eye(6)
    exact[3, :2], exact[5, 1], exact[6, 0] = (vz / G, vx / G), vz / G, 1
    assert parts.jacobian(flown) == pytest.approx(exact, abs=FLIGHTS * 20)


@pytest.mark.parametrize("ground", [False, True])
def test_bodies_go_together_to_where_a_leg_begins(ground):
    """And so do changes of where they stand; what is attached to the ground stays there."""
    pad = "[joints.pad]\nkind = 'fixed'\nparent = 'ground'\nchild = 'ring'\nactive = false\n"
    layout = layout_of(loads(MISSION.partition("[legs")[0] + pad * ground + "[phases.all]\nuntil.time = 1"))
    some = np.random.default_rng(5)
    x, given = some.normal(size=(13 * 2 + 6, 3)), some.normal(size=(6, 3))
    found = place_first(x, layout, given)
    assert motion(found, 2) == pytest.approx(given, abs=1e-14)
    # Places, velocities, attitudes and rates of both, a component after the other; then the origin's.
    (own, origin), (before, origin_before) = (np.split(one, [26]) for one in (found, x))
    assert np.diff(own[:12].reshape(6, 2, 3), axis=1) == pytest.approx(
        np.diff(before[:12].reshape(6, 2, 3), axis=1), abs=1e-14
    )
    assert np.array_equal(own[12:], before[12:])
    kept = (origin, origin_before) if ground else (own, before)
    assert np.array_equal(*kept)


@pytest.mark.long
def test_a_target_by_multiple_shooting_goes_on_after_an_interrupt(mission, tmp_path):
    kept = tmp_path / "study.progress.json"

    def interrupted(one):
        raise KeyboardInterrupt

    begun = mission.optimize(STUDY, told=interrupted, progress=kept)
    assert begun.interrupted
    assert "node down velocity.z" in kept.read_text()
    with pytest.raises(BadInput, match="to another study"):
        mission.optimize(STUDY | {"nodes": []}, progress=kept, resume=True)
    found = mission.optimize(STUDY, progress=kept, resume=True)
    assert found.trusted, found.verdict
    assert not kept.exists()
    # Up to the apex and down: z = vz^2 / 2 g - g T^2 / 2, x = vx (vz / g + T).
    vz = np.sqrt(2 * G * (60 + G * FALL**2 / 2))
    assert [found["along"], found["up"]] == pytest.approx([12 / (vz / G + FALL), vz], rel=1e-7)
    again = loads(found.scenario.to_toml()).run(progress=False)
    assert [leg.name for leg in found.scenario.legs] == ["up", "down"]
    assert again.time_of("end") == pytest.approx(vz / G + FALL, rel=1e-7)


@pytest.mark.long
def test_a_mission_is_optimised_from_the_command_line(tmp_path, capsys, monkeypatch):
    file, best = tmp_path / "study.toml", tmp_path / "best.toml"
    (tmp_path / "mission.toml").write_text(MISSION)
    file.write_text(
        f"""scenario = "mission.toml"
nodes = ["down"]
objective = [{{ maximize = "bodies.ball.position.x", at = "end" }}]
variables.along = {{ path = "{ALONG}", low = 1, high = 9, scale = 1 }}
variables.up = {{ path = "{UP}", low = 1, high = 100, scale = 10 }}
constraints.apex = {{ quantity = "bodies.ball.position.z", at = "up end", max = "45 m" }}
"""
    )
    monkeypatch.setattr("sys.argv", ["interstage", "optimize", str(file), "-o", str(best)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    assert ended.value.code == 0, said.out
    assert "iteration 1: objective" in said.err
    assert "The result is reliable" in said.out
    flown = ist.load(best)
    # As fast along as may be, and up to 45 m: with 30 m/s, in 3 s.
    assert get(flown, "bodies.ball.initial.velocity") == pytest.approx([9, 0, 30], rel=1e-7)
    assert flown.run(progress=False).time_of("end") == pytest.approx(3 + FALL, rel=1e-7)


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        (["dawn"], "nodes: there is no leg 'dawn'; did you mean 'down'"),
        (["up"], "nodes: leg 'up' begins the mission"),
        (["down", "down"], "nodes: leg 'down' is listed twice"),
    ],
)
def test_what_cannot_be_a_node_is_said(mission, nodes, said):
    with pytest.raises(BadInput, match=said):
        mission.optimize(STUDY | {"nodes": nodes})


def test_a_node_that_nothing_needs_is_said(mission):
    """The leg is not flown for a constraint that is over before it."""
    early = {"z": {"quantity": "bodies.ball.position.z", "take": "max", "during": "rise", "equals": "45 m"}}
    with pytest.raises(BadInput, match="leg 'down' is not flown"):
        mission.optimize({**STUDY, "variables": {"up": FREE["up"]}, "constraints": early})


def test_progress_is_a_file(mission):
    with pytest.raises(BadInput, match="progress: progress must be"):
        mission.optimize(STUDY, progress=False)


@pytest.mark.long
def test_a_moment_of_one_leg_is_found_by_the_end_of_the_one_before(mission):
    """The last leg ends so long after the apex as before, and its end moves with that."""
    found = mission.solve(UP, "time@down end = 4.5 s")
    flown = found.scenario.run(progress=False)
    assert flown.time_of("down end") == pytest.approx(4.5, rel=1e-9)
    assert found[UP] == pytest.approx((4.5 - FALL) * G, rel=1e-9)
    with pytest.raises(BadInput, match="no event 'down over'"):
        mission.solve(UP, "time@down over = 4.5 s")


def test_only_points_have_nodes(mission):
    rigid = loads(MISSION.replace('coordinates = "point"\nattitude = "level"\nphases.drop', "phases.drop"))
    with pytest.raises(BadInput, match=r"leg 'down' has coordinates = .rigid., but nodes need point masses"):
        rigid.optimize(STUDY)
    whole = ist.load(FIRST)
    study = {"variables": {"k": {"path": "devices.spring.stiffness"}}, "nodes": ["apart"]}
    study["objective"] = {"maximize": "time", "at": "end"}
    with pytest.raises(BadInput, match="nodes are starts of legs, but the scenario has no legs"):
        whole.optimize(study)
    with pytest.raises(BadInput, match="'nodes' have an effect with shooting only"):
        whole.optimize(study | {"transcription": "collocation"})


TOO = """[guidance.too]
kind = "angles"
body = "ring"
axes = "inertial"
pitch = 0
"""


def after(leg: str, name: str, attitude: str, seconds: float, only: str = "") -> str:
    """A leg of so many seconds that follows another one."""
    bodies = f'bodies = ["{only}"]' if only else ""
    return f"""[legs.{name}]
after = {{ leg = "{leg}" }}
coordinates = "point"
attitude = "{attitude}"
phases.in_{name} = {{ until = {{ elapsed = {seconds} }} }}
{bodies}
"""


SPLIT = TOO + after("up", "parted", "too", FALL, "ring") + after("parted", "later", "too", 1.0)
SPLIT += after("up", "aside", "level", 2 * FALL, "ball")


@pytest.mark.long
def test_a_pair_at_the_end_of_a_leg_goes_by_the_beginning_of_this_leg():
    """And not by that of the next one, which begins where its node says: values and derivatives."""
    split = loads(MISSION.partition("[legs.down]")[0] + SPLIT)
    elapsed = "legs.parted.phases.in_parted.until.elapsed"
    free = unknowns(split, [Variable(name="t", path=elapsed, scale=1)])
    asked = [
        Constraint(name=side, quantity="pairs.ball.ring.distance", at="parted end", side=side, min=0)
        for side in ("before", "after")
    ]
    nodes = ["parted", "later", "aside"]
    whole = Flights(split, free, asked)
    parts = cut_flights(whole, free, asked, nodes, flown_over(whole, whole.start, nodes))
    moved = parts.start + 0.1 * np.random.default_rng(3).normal(size=len(parts.start))
    moved[0] = FALL
    found = parts.at(moved)
    ring, _, ball = moved[1:].reshape(3, 6)
    gap, speed = (ring - ball)[:3] + FALL * (ring - ball)[3:], (ring - ball)[3:]
    along = gap / np.linalg.norm(gap)
    exact = np.concatenate([[along @ speed], along, FALL * along, np.zeros(6), -along, -FALL * along])
    for row in range(2):
        assert found.values[row] == pytest.approx(np.linalg.norm(gap), abs=FLIGHTS)
        assert parts.jacobian(found)[row] == pytest.approx(exact, abs=FLIGHTS)


@pytest.mark.long
@pytest.mark.parametrize("nodes", [[], ["down"]])
def test_an_optimum_without_an_active_limit_is_trusted(mission, nodes):
    """x = 5 + vx (vz/g + 2), z = vz^2/(2 g) - 20: x - z/10 is largest where vz = 10 vx."""
    terms = (
        {"maximize": "bodies.ball.position.x", "at": "end"},
        {"minimize": "bodies.ball.position.z", "at": "end", "weight": 0.1},
    )
    found = mission.optimize(
        {"objective": terms, "variables": {"up": {**FREE["up"], "start": 20}}, "nodes": nodes}
    )
    assert found.trusted, found.verdict
    # The objective gives its place to the root of its tolerance, 1e-8, in the scale of 10 m/s.
    assert found["up"] == pytest.approx(30.0, abs=1e-3)
    assert found.objective == pytest.approx(AT[0] + 3 * (3 + FALL) - 0.1 * (30**2 / (2 * G) - 20), rel=1e-8)
