"""Inputs found so that quantities have given values, and optima: against closed forms, and what is refused.

All flights are of examples/first.toml, so that its programs are compiled once."""

from __future__ import annotations

import math
import re
from copy import deepcopy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interstage as ist
from interstage.cli import main as cli
from interstage.reading import loads
from interstage.studies.optimization import OutOfReach
from interstage.studies.optimization.command import run_optimization
from interstage.studies.optimization.declared import SOLVERS, Variable, read_study
from interstage.studies.optimization.multipliers import multipliers
from interstage.studies.optimization.problem import Judged
from interstage.studies.optimization.restoration import NEAR, restore
from interstage.studies.optimization.run import PATIENCE, Course
from interstage.studies.optimization.solvers import solver
from interstage.studies.optimization.solvers.contract import Stuck
from interstage.studies.optimization.variables import scenario_with, unknowns, variables_of
from interstage.studies.sweep.declared import read_study as read_sweep
from interstage.tree.addresses import get
from interstage.tree.errors import BadInput

FIRST = Path(__file__).parents[2] / "examples" / "first.toml"
STIFFNESS, PRELOAD = "devices.spring.stiffness", "devices.spring.preload"
SPEED = "pairs.stage.satellite.separation_speed"
BAND = "joints.band.force.magnitude"
"""The band carries the preload of the spring while it holds."""
STROKE, REDUCED, FORCE = 0.1, 90.0, 400.0
"""Of the example: the spring's stroke [m], reduced mass of the two bodies [kg], the spring's preload [N]."""
FLIGHTS = 1e-8
"""Flights at a tolerance of 1e-9, of some ten steps."""


def stiffness_for(speed, force=FORCE):
    """Stiffness [N/m] from the work of the spring, m v^2 / 2 = (preload - stiffness stroke / 2) stroke."""
    return 2 * (force - 0.5 * REDUCED * speed**2 / STROKE) / STROKE


@pytest.fixture(scope="module")
def first():
    return ist.load(FIRST)


# --- variables


def test_variables_keep_what_their_inputs_have(first):
    several = Variable(name="push", path=(PRELOAD, "devices.spring.energy"), delta="5 %")
    with pytest.raises(BadInput, match="not set"):
        unknowns(first, [several])
    masses = Variable(name="masses", path="bodies.*.mass", delta="5 %")
    (one,) = unknowns(first, [masses])
    assert (one.start, one.low, one.high, one.scale, one.unit) == (100.0, 95.0, 105.0, 5.0, "%")
    changed = scenario_with(first, (one,), [104.0])
    assert [float(body.mass) for body in changed.bodies] == pytest.approx([936.0, 104.0], rel=1e-15)
    (step,) = unknowns(first, [masses.model_copy(update={"delta": "10 kg"})])
    changed = scenario_with(first, (step,), [4.0])
    assert [float(body.mass) for body in changed.bodies] == [904.0, 104.0]
    with pytest.raises(BadInput, match="Set a common start value"):
        unknowns(first, [masses.model_copy(update={"delta": None})])
    (same,) = unknowns(first, [masses.model_copy(update={"delta": None, "start": "200 kg"})])
    assert [float(body.mass) for body in scenario_with(first, (same,), [same.start]).bodies] == [200.0, 200.0]
    (corner,) = unknowns(first, [Variable(name="x", path="bodies.stage.inertia[0, 0]", low=300, high=500)])
    assert scenario_with(first, (corner,), [333.0]).bodies[0].inertia[0, 0] == 333.0


# --- solve


@pytest.mark.long
def test_stiffness_for_a_speed(first, tmp_path):
    file = tmp_path / "found.toml"
    with pytest.MonkeyPatch.context() as patch:
        words = [str(FIRST), "--find", STIFFNESS, "--so-that", f"{SPEED}@end = 0.8 m/s", "-o", str(file)]
        patch.setattr("sys.argv", ["interstage", "solve", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    assert ended.value.code == 0
    found = ist.load(file)
    # The speed's slope is -stroke^2 / (2 m v): 7e-5 (m/s)/(N/m).
    assert float(get(found, STIFFNESS)) == pytest.approx(stiffness_for(0.8), rel=FLIGHTS)
    assert found.run().value(SPEED, "end") == pytest.approx(0.8, rel=FLIGHTS)


def test_out_of_reach_says_the_nearest(first):
    with pytest.raises(OutOfReach) as found:
        first.solve(STIFFNESS, f"{SPEED}@end = 1 m/s")  # a spring of no stiffness gives 0.943 m/s
    assert "1 m/s cannot be reached. Nearest result: 0.942809 m/s" in str(found.value)
    assert "the input is at its lower bound" in str(found.value)
    with pytest.raises(
        OutOfReach,
        match=r"beyond 4000 N/m, the scenario rejects these values: devices\.spring\.stroke",
    ):
        first.solve(f"{STIFFNESS}=1 kN/m:9 kN/m", f"{SPEED}@end = 0.6 m/s")


@pytest.mark.long
def test_hardly_out_of_reach_says_by_how_much(first):
    # sqrt(0.8 / 0.9) m/s less 7e-5 m/s per N/m of the least stiffness, 4e-6 N/m.
    with pytest.raises(OutOfReach, match=r"Nearest result: 0\.942809 m/s \(deviation -5\.9e-08 m/s\), with"):
        first.solve(STIFFNESS, f"{SPEED}@end = 0.9428091 m/s")


@pytest.mark.long
def test_two_inputs_for_two_quantities(first):
    so_that = (f"{SPEED}@end = 0.8 m/s", f"{BAND}@max = 410 N")
    found = first.solve((STIFFNESS, PRELOAD), so_that)
    assert found[PRELOAD] == pytest.approx(410.0, rel=FLIGHTS)
    assert found[STIFFNESS] == pytest.approx(stiffness_for(0.8, 410.0), rel=FLIGHTS)
    assert [met.now for met in found.met] == pytest.approx([0.8, 410.0], rel=FLIGHTS)
    with pytest.raises(OutOfReach, match=f"{STIFFNESS} at its low bound"):
        first.solve((f"{STIFFNESS}=1 kN/m:4 kN/m", PRELOAD), (f"{SPEED}@end = 1 m/s", f"{BAND}@max = 410 N"))


def test_what_cannot_be_read_is_told_at_once(first):
    with pytest.raises(BadInput) as found:
        first.solve(
            ["devices.spring.stifness", "bodies.stage.inertia", f"{PRELOAD}=9 N:1 N", "bodies.stage.name"],
            [f"{SPEED}@end = 1 kg", "nix@end = 1", "system.energy@neverland = 3 J"],
        )
    text = str(found.value)
    for said in (
        "devices.spring.stifness: unknown path; did you mean 'stiffness'?",
        "bodies.stage.inertia has 3 by 3 numbers, but a variable is one number",
        f"{PRELOAD}: low = 9 N is above high = 1 N. Exchange these values",
        "bodies.stage.name: the input is a text",
        "1 kg cannot be compared with pairs.stage.satellite.separation_speed, which is in m/s",
        "there is no quantity 'nix'",
        "there is no event 'neverland'",
    ):
        assert said in text
    with pytest.raises(BadInput) as found:
        first.solve([f"{PRELOAD}=9 N", ""], ["time@end", "@end = 1 s", "time@end = much"])
    assert len(found.value.problems) == 5
    with pytest.raises(BadInput, match="3 is not a text"):
        first.solve(PRELOAD, 3)


def test_inputs_in_each_form_are_the_same():
    texts = variables_of([f"{PRELOAD}=9:1e3", STIFFNESS])
    assert variables_of({PRELOAD: (9, np.float64(1000)), STIFFNESS: None}) == texts
    assert variables_of({PRELOAD: "9 : 1000", STIFFNESS: (None, None)}) == texts
    assert variables_of({PRELOAD: ("9 N", "1 kN")}) == variables_of(f"{PRELOAD}=9 N:1 kN") != texts[:1]
    assert variables_of(texts) == texts
    assert variables_of(STIFFNESS) == texts[1:]


# --- solvers and multipliers, without flights


class Hock71:
    """Problem 71 of Hock and Schittkowski, "Test examples for nonlinear programming codes", 1981: its optimum
    is 17.0140173 at (1, 4.7429994, 3.8211503, 1.3794082)."""

    start, low, high = np.array([1.0, 5.0, 5.0, 1.0]), np.ones(4), np.full(4, 5.0)
    row_low, row_high = np.array([25.0, 40.0]), np.array([np.inf, 40.0])

    def objective(self, x):
        return x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]

    def gradient(self, x):
        total = x[0] + x[1] + x[2]
        return np.array([x[3] * (x[0] + total), x[0] * x[3], x[0] * x[3] + 1, x[0] * total])

    def constraints(self, x):
        return np.array([np.prod(x), x @ x])

    def jacobian(self, x):
        return np.array([np.prod(x) / x, 2 * x])


@pytest.mark.parametrize("kind", SOLVERS)
def test_solvers_and_multipliers_on_a_published_problem(kind):
    if kind != "slsqp" and find_spec("unopy") is None:
        pytest.skip("unopy is not installed")
    program, seen = Hock71(), []
    ended = solver(kind)(program, program.start, 1e-10, 100, seen.append)
    assert ended.converged
    assert {len(x) for x in seen} == {4}
    np.testing.assert_allclose(ended.x, [1, 4.7429994, 3.8211503, 1.3794082], atol=2e-7)
    # An interior point stays a part of its tolerance away from limits that are active.
    prices = multipliers(program, ended.x, 1e-5)
    moved = []
    for k in range(2):  # what the optimum does when a limit moves, by solving again
        for step in (-1e-4, 1e-4):
            other = Hock71()
            other.row_low = other.row_low + step * np.eye(2)[k]
            other.row_high = other.row_high + step * np.eye(2)[k]
            moved.append(other.objective(solver("slsqp")(other, ended.x, 1e-14, 100, lambda _: None).x))
    slopes = [(moved[1] - moved[0]) / 2e-4, (moved[3] - moved[2]) / 2e-4]
    # Central differences: the third derivative times 1e-8, and an objective to 1e-14 divided by 2e-4.
    np.testing.assert_allclose(prices.rows, slopes, atol=1e-6)
    assert prices.residual() < 1e-6
    assert prices.bounds[0] > 0
    assert not prices.bounds[1:].any()


def test_what_raises_in_a_solver_comes_out_of_it():
    for kind in SOLVERS if find_spec("unopy") else SOLVERS[:1]:
        program = Hock71()
        with pytest.raises(KeyboardInterrupt):
            solver(kind)(program, program.start, 1e-10, 100, interrupting(2))


class Far(Hock71):
    """A circle and a line, from a start at which the circle's slope says next to nothing."""

    start, low, high = np.array([0.1, 0.0]), np.array([-20.0, -20.0]), np.array([20.0, 6.0])
    row_low, row_high = np.array([100.0, -np.inf]), np.array([100.0, 50.0])

    def constraints(self, x):
        return np.array([x @ x, x[0] + x[1]])

    def jacobian(self, x):
        return np.array([2 * x, np.ones(2)])


def test_a_start_that_is_far_comes_near_the_constraints():
    program, seen = Far(), []
    near = restore(program, program.start, seen.append)
    assert near @ near == pytest.approx(100.0, abs=NEAR)
    assert ((program.low <= near) & (near <= program.high)).all()
    assert len(seen) > 1
    again = restore(program, near, seen.append)
    assert again is near
    # Out of reach: the corner that is next to it.
    program.row_low, program.row_high = np.array([1e3, 40.0]), np.array([1e3, 50.0])
    corner = restore(program, program.start, seen.append)
    np.testing.assert_allclose(corner, program.high, atol=1e-3)


class Walk:
    """A program whose iterations are worth what is listed: (objective, worst constraint)."""

    sign, tolerance, size, rows = 1.0, 1e-8, 1.0, ()

    def __init__(self, *worth):
        self.worth = worth

    def at(self, x):
        return x

    def evaluate_flight(self, x):
        objective, worst = self.worth[x]
        return Judged(objective, 0.0, worst, -1)


def iterations(walk: Any) -> int:
    """How many a solver is released on for."""
    course = Course(walk, 0, (), 0.0, lambda _: None)  # pyright: ignore[reportArgumentType]
    for k in range(len(walk.worth)):
        try:
            course.note_iteration(k)  # pyright: ignore[reportArgumentType]
        except Stuck:
            return k + 1
    return len(walk.worth)


def test_a_solver_may_leave_bent_constraints_for_a_better_place():
    along = [(1.0, 0.5), *((1 - 0.01 * k, 2.0 * 5**k) for k in range(12)), (0.8, 0.5)]
    assert iterations(Walk(*along)) == len(along)
    idle = [(1.0, 0.5), *((1.0 + 0.01 * k, 2.0) for k in range(12))]
    assert iterations(Walk(*idle)) == 1 + PATIENCE + 1


def interrupting(count):
    """What is interrupted when it is told something for so many times."""
    told = []

    def tell(what):
        told.append(what)
        if len(told) == count:
            raise KeyboardInterrupt

    return tell


# --- optima

VARIABLES = {
    "stiffness": {"path": STIFFNESS, "low": "1 kN/m", "high": "4 kN/m"},
    "preload": {"path": PRELOAD, "low": "50 %", "high": "150 %"},
}
STUDY: dict[str, Any] = {
    "variables": VARIABLES,
    "constraints": {"band": {"quantity": BAND, "take": "max", "max": "420 N"}},
    "objective": {"maximize": SPEED, "at": "end"},
}
LIMIT, LOWEST = 420.0, 1000.0


def speed(preload, stiffness, reduced=REDUCED):
    """Speed [m/s] from the work of the spring."""
    return math.sqrt(2 * STROKE * (preload - 0.5 * stiffness * STROKE) / reduced)


def study(**changes):
    return {**deepcopy(STUDY), **changes}


@pytest.mark.parametrize("confirm", [False, pytest.param(bool(find_spec("unopy")), marks=pytest.mark.long)])
def test_an_optimum_whose_multipliers_are_known(first, confirm, tmp_path):
    asked = study(
        sensitivities=("bodies.stage.mass", "bodies.satellite.mass"),
        solver={"confirm": "interior_point"} if confirm else {},
    )
    found = first.optimize(asked, check_derivatives=True)
    assert found.trusted, found.verdict
    best = speed(LIMIT, LOWEST)
    assert found.objective == pytest.approx(best, rel=FLIGHTS)
    assert found["stiffness"] == LOWEST
    assert found["preload"] == pytest.approx(105.0, rel=FLIGHTS)  # % of 400 N
    stiffness, preload = found.variables
    (band,) = found.constraints
    assert (stiffness.bound, preload.bound, band.active) == ("low", "", "max")
    # v^2 = 2 s (F - k s / 2) / m: dv/dF = s / (m v), dv/dk = -s^2 / (2 m v).
    assert band.multiplier == pytest.approx(STROKE / (REDUCED * best), rel=1e-6)
    assert stiffness.multiplier == pytest.approx(-(STROKE**2) / (2 * REDUCED * best), rel=1e-6)
    # Of the reduced mass M m / (M + m): dv/dM = -v / (2 m_r) (m / (M + m))^2.
    for name, part in (("bodies.stage.mass", 0.1), ("bodies.satellite.mass", 0.9)):
        slope, unit = found.sensitivities[name]
        assert unit == "kg"
        assert slope == pytest.approx(-best / (2 * REDUCED) * part**2, rel=1e-6)
    assert found.checked is not None
    assert found.checked[0] < 1e-5  # differences of third order, in steps of a thousandth
    if confirm:
        assert found.confirmed is not None
        assert found.confirmed.objective == pytest.approx(best, rel=1e-5)
    page = re.sub("<[^>]*>", "", found.report(tmp_path / "best.html").read_text())
    for said in (
        "The result is reliable",
        "+0.00123 m/s per N",
        "-6.13e-05 m/s per N/m",
        *(["interior point"] if confirm else []),
    ):
        assert said in page
    flown = ist.load(found.save(tmp_path / "best.toml")).run()
    assert flown.value(SPEED, "end") == pytest.approx(best, rel=FLIGHTS)


@pytest.mark.long
def test_a_weighted_sum_has_its_optimum_within(first):
    # dv/dF = s / (m v) is worth what the band's force costs where v = s / (m weight).
    weight = 1.2e-3
    terms = ({"maximize": SPEED, "at": "end"}, {"minimize": BAND, "take": "max", "weight": weight})
    found = first.optimize(study(objective=terms, constraints={}))
    assert found.trusted, found.verdict
    best = STROKE / (REDUCED * weight)
    # Where the gradient vanishes the objective tells the variables to the root of its own tolerance, 1e-8.
    assert found.terms[0].now == pytest.approx(best, rel=1e-4)
    assert found["stiffness"] == LOWEST
    force = 0.5 * REDUCED * best**2 / STROKE + 0.5 * LOWEST * STROKE
    assert found.objective == pytest.approx(best - weight * force, rel=FLIGHTS)


@pytest.mark.long
def test_without_an_objective_the_nearest_that_keeps_all(first):
    limits = {**STUDY["constraints"], "speed": {"quantity": SPEED, "at": "end", "equals": "1 m/s"}}
    limits["band"] = {**limits["band"], "max": "520 N"}
    found = first.optimize(study(objective=(), constraints=limits))
    assert found.trusted, found.verdict
    assert found["preload"] == pytest.approx(130.0, rel=1e-7)
    assert found["stiffness"] == pytest.approx(2 * (520 - 0.5 * REDUCED / STROKE) / STROKE, rel=1e-6)


@pytest.mark.long
def test_what_cannot_be_kept_at_once_is_named(first):
    limits = {**STUDY["constraints"], "speed": {"quantity": SPEED, "at": "end", "min": "1 m/s"}}
    found = first.optimize(study(objective=(), constraints=limits))
    assert not found.feasible
    assert found.fight is not None
    short = 1.0 - speed(LIMIT, LOWEST)
    assert found.fight.missed == (("speed", f"{short:.4g} m/s too low"),)
    assert found.fight.held_by == ("band", "stiffness at its low bound, 1000 N/m")
    assert "no values of the variables" in found.verdict
    assert "speed is at least 0.09324 m/s too low" in found.verdict
    assert found["preload"] == pytest.approx(105.0, rel=1e-6)
    assert len(found.history) < 40


@pytest.mark.long
def test_a_wall_of_what_the_scenario_refuses_is_no_optimum(first):
    variables = {**VARIABLES, "stiffness": {"path": STIFFNESS, "low": "1 kN/m", "high": "9 kN/m"}}
    fixed = {"band": {"quantity": BAND, "take": "max", "equals": "400 N"}}
    found = first.optimize(
        study(variables=variables, constraints=fixed, objective={"minimize": SPEED, "at": "end"})
    )
    assert found["stiffness"] == pytest.approx(4000.0, rel=1e-6)  # beyond, the preload is used up too soon
    assert not found.trusted
    assert "the result is not an optimum yet" in found.verdict


# --- studies in files, and what is kept of them

WRONG = f"""
scenario = "{FIRST}"
objective = {{ maximize = "pairs.stage.satellite.speed", at = "end", weight = 2 }}
sensitivities = ["bodies.stage.weight", "bodies.stage.inertia"]

[variables]
typo.path = "devices.spring.stifness"
many.path = "bodies.stage.inertia"
text.path = "bodies.stage.name"
turned = {{ path = "devices.spring.preload", low = "500 N", high = "300 N" }}
unit = {{ path = "devices.spring.stroke", low = "1 kg" }}
part = {{ path = "bodies.satellite.mass_centre.x", low = "90 %", high = "110 %" }}
outside = {{ path = "phases.joined.until.time", low = "2 s", high = "3 s", start = "1 s" }}
scale = {{ path = "phases.apart.until.elapsed", scale = "-1 s" }}
twice = {{ path = ["bodies.stage.mass", "bodies.*.mass"], delta = "5 %" }}
step = {{ path = "devices.spring.damping", delta = 0 }}
idle.path = "output.interval"
less = {{ path = "bodies.satellite.mass", low = "-1 kg" }}

[constraints]
nothing = {{ quantity = "nix", at = "end", max = 1 }}
vector = {{ quantity = "bodies.stage.velocity", at = "end", max = 1 }}
never = {{ quantity = "{SPEED}", at = "neverland", max = 1 }}
phase = {{ quantity = "{SPEED}", take = "max", during = "afterwards", max = 1 }}
other = {{ quantity = "{SPEED}", at = "end", max = "3 kg" }}
slack = {{ quantity = "{SPEED}", at = "apart", max = 3, tolerance = "1 N" }}
again = {{ quantity = "{SPEED}", at = "end", max = "3 m/s" }}
"""
WRONG_SAID = (
    "there is no quantity 'pairs.stage.satellite.speed'",
    "objective.weight: the weight has no effect on an objective with one term",
    "bodies.stage.weight: unknown path",
    "bodies.stage.inertia is a list of numbers",
    "devices.spring.stifness: unknown path; did you mean 'stiffness'?",
    "variables.many: bodies.stage.inertia has 3 by 3 numbers, but a variable is one number",
    "bodies.stage.name: the input is a text",
    "variables.turned: low = 500 N is above high = 300 N. Exchange these values",
    "variables.unit: '1 kg' is in kg; allowed: m",
    "variables.part: bodies.satellite.mass_centre[0] is 0 in the scenario",
    "variables.outside: start = 1 s is not between the bounds 2 s and 3 s",
    "variables.scale: a scale of -1 s is not positive",
    "variables.step: a delta of 0 is not positive",
    "output.interval: the input sets the sample times",
    "variables.less: -1 kg must not be negative",
    "constraints.nothing: there is no quantity 'nix'",
    "constraints.vector: 'bodies.stage.velocity' is a vector",
    "constraints.never: there is no event 'neverland'",
    "constraints.phase: there is no phase 'afterwards'",
    "constraints.other.max: 3 kg cannot be compared with",
    "constraints.slack.tolerance: 1 N cannot be compared with",
    "constraints.again: the limit 'max' repeats a limit of constraints.other",
    "variables.twice: the input bodies.stage.mass is changed twice by one variable",
)
CONTRADICTING = """
scenario = "first.toml"
objective = { maximize = "time", minimize = "time", at = "end" }
solver = { kind = "simplex", tolerance = 1, iterations = 0 }
speed = 1

[variables]
both = { path = "a.b", low = 1, delta = 2 }
terms = { path = "a.b", low = "1 m", high = 2 }
none = { path = "" }

[constraints]
free = { quantity = "time", at = "end" }
much = { quantity = "time", at = "end", equals = 1, max = 2 }
turned = { quantity = "time", at = "end", min = 3, max = 2 }
same = { quantity = "time", at = "end", min = 2, max = 2 }
when = { quantity = "time", at = "end", take = "max", max = 2 }
during = { quantity = "time", at = "end", during = "apart", max = 2 }
slack = { quantity = "time", at = "end", max = 2, tolerance = 0 }
"""
CONTRADICTING_SAID = (
    "scenario: there is no scenario file",
    "the objective needs either 'maximize' or 'minimize'",
    "simplex",
    "speed: unknown key",
    "variables.both.delta: 'delta' is set together with 'low' or 'high'",
    "variables.terms.high: the values '1 m' and 2 have different forms",
    "variables.none.path: the path of the input is empty",
    "constraints.free: the constraint has no limit",
    "constraints.much.equals: 'equals' is set together with 'min' or 'max'",
    "constraints.turned.min: min = 3 is above max = 2",
    "constraints.same.min: 'min' and 'max' are both 2",
    "constraints.when.at: exactly one of 'at' and 'take' must be set",
    "constraints.during.during: 'during' has an effect with 'take' only",
    "constraints.slack.tolerance: the tolerance 0 is not positive",
)

FILE = f"""
scenario = "{FIRST}"
objective = {{ maximize = "{SPEED}", at = "end" }}

[variables]
stiffness = {{ path = "{STIFFNESS}", low = "1 kN/m", high = "4 kN/m" }}
preload = {{ path = "{PRELOAD}", low = "50 %", high = "150 %" }}

[constraints.band]
quantity = "{BAND}"
take = "max"
max = "420 N"
"""


def test_an_interrupt_keeps_the_best_and_it_goes_on(first, tmp_path):
    kept = tmp_path / "study.progress.json"
    found = first.optimize(STUDY, told=interrupting(1), progress=kept)
    assert found.interrupted
    assert not found.trusted
    assert "interrupted" in found.verdict
    assert found.objective > 0.7  # the first iteration is better than the start, 0.667
    with pytest.raises(BadInput, match="to another study"):
        first.optimize(study(constraints={}), progress=kept, resume=True)
    went_on = first.optimize(STUDY, progress=kept, resume=True)
    assert went_on.trusted, went_on.verdict
    assert [one.number for one in went_on.history] == [*range(1, len(went_on.history) + 1)]
    assert went_on.variables[0].before == 4000.0
    assert went_on.objective == pytest.approx(speed(LIMIT, LOWEST), rel=FLIGHTS)
    assert not kept.exists()
    with pytest.raises(BadInput, match="there is no"):
        first.optimize(STUDY, progress=kept, resume=True)
    kept.write_text("{}")
    with pytest.raises(BadInput, match="is damaged"):
        first.optimize(STUDY, progress=kept, resume=True)


@pytest.mark.long
def test_the_study_of_the_page_from_the_command_line(tmp_path, capsys, monkeypatch):
    """docs/optimization.md, as it stands there."""
    text = (FIRST.parent.parent / "docs" / "optimization.md").read_text()
    file, best = tmp_path / "study.toml", tmp_path / "best.toml"
    file.write_text(re.findall("```toml\n(.*?)```", text, re.DOTALL)[0])
    (tmp_path / "first.toml").write_text(FIRST.read_text())
    monkeypatch.setenv("COLUMNS", "110")
    monkeypatch.setattr("sys.argv", ["interstage", "optimize", str(file), "-o", str(best)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    said = capsys.readouterr()
    assert "iteration 1: objective 0.7" in said.err
    assert "The result is reliable" in said.out
    lines = {line.rstrip() for line in said.out.splitlines()}
    assert max(map(len, lines)) <= 110
    shown = re.findall("```text\n(.*?)```", text, re.DOTALL)[1].splitlines()
    assert {line for line in shown if "Uno" not in line and "flights" not in line} <= lines
    assert float(get(ist.load(best), STIFFNESS)) == LOWEST


def test_what_is_wrong_with_a_study_is_told_at_once(tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(WRONG)
    with pytest.raises(BadInput) as found:
        run_optimization(file, ist.load, False, False)
    text = str(found.value)
    missing = [said for said in WRONG_SAID if said not in text]
    assert not missing, text
    assert len(found.value.problems) == len(WRONG_SAID)


def test_what_a_study_itself_says_wrong_is_told_at_once(tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(CONTRADICTING)
    with pytest.raises(BadInput) as found:
        read_study(file)
    text = str(found.value)
    missing = [said for said in CONTRADICTING_SAID if said not in text]
    assert not missing, text
    assert len(found.value.problems) == len(CONTRADICTING_SAID)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'scenario = "a.toml"\nvariables = {}\nobjective = { minimize = "time", at = "end" }',
            "has no free input",
        ),
        ('scenario = "a.toml"\nvariables.x.path = "a.b"', "no objective and no constraints"),
        (
            'scenario = "a.toml"\nvariables.x.path = "a.b"\nvariations.y.path = "a.c"',
            "Write one file for each study",
        ),
        ('scenario = "a.toml"\nvariations.y.path = "a.c"', "belongs to a study for interstage sweep"),
        (FIRST.read_text(), "the file is not an optimization study"),
    ],
)
def test_what_cannot_be_a_study(text, said, tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(text)
    with pytest.raises(BadInput, match=said):
        run_optimization(file, ist.load, False, False)


def test_what_is_wrong_is_told_as_it_was_written(first, tmp_path):
    file = tmp_path / "study.toml"
    wrong = 'objective = { maximise = "time", at = "end" }\nvariables = {}'
    file.write_text(f'scenario = "nowhere.toml"\n{wrong}')
    with pytest.raises(BadInput) as found:
        run_optimization(file, ist.load, False, False)
    text = str(found.value)
    assert "line 2: objective.maximise: unknown key; did you mean 'maximize'" in text
    assert "line 1: scenario: there is no scenario file" in text
    right = f'variables.x.path = "{STIFFNESS}"\nobjective = {{ maximize = "time", at = "end" }}'
    file.write_text(f'scenario = "nowhere.toml"\n{right}')
    fault = r"line 1: scenario: .*nowhere.toml'\. Correct the path; scenario files in this folder: study.toml"
    with pytest.raises(BadInput, match=fault):
        run_optimization(file, ist.load, False, False)
    with pytest.raises(BadInput, match=rf"^{SPEED}@end = 1 kg: 1 kg cannot be compared with"):
        first.solve(STIFFNESS, f"{SPEED}@end = 1 kg")


def test_a_value_that_an_event_waits_for_has_the_path_that_it_is_written_at():
    by_speed = loads(
        FIRST.read_text().replace('elapsed = "5 s"', f'quantity = "{SPEED}", reaches = "0.5 m/s"')
    )
    path = "phases.apart.until.reaches"
    (one,) = unknowns(by_speed, [Variable(name="speed", path=path, delta="0.1 m/s")])
    assert one.paths == [path]


def test_a_sweep_does_not_take_what_is_to_be_optimised(tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(FILE)
    with pytest.raises(BadInput, match="belongs to a study for interstage optimize"):
        read_sweep(file)
