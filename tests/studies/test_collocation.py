"""Optima by collocation: the rule, the coordinates, derivatives, a closed form, limits along the way, and
what is refused.

All flights are of one structure, so that their programs are compiled once."""

from __future__ import annotations

import importlib
from copy import deepcopy
from importlib.util import find_spec
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from interstage.maths import interpolation
from interstage.reading import loads
from interstage.studies import verify
from interstage.studies.optimization.collocation import lobatto, run
from interstage.studies.optimization.collocation.chart import chart_at
from interstage.studies.optimization.collocation.checks import met_with
from interstage.studies.optimization.collocation.control import Steered
from interstage.studies.optimization.declared import OptimizationStudy
from interstage.studies.optimization.printed import how, notes
from interstage.studies.optimization.solvers import uno
from interstage.studies.optimization.solvers.contract import Ended
from interstage.tree.errors import BadInput

pytestmark = pytest.mark.usefixtures("long_flights")

SCENARIO = """
coordinates = "point"
attitude = "steering"

[gravity]
kind = "none"

[bodies.rocket]
mass = 1
inertia = [1, 1, 1]
initial = { position = [0, 0, 0] }

[engines.main]
kind = "engine"
body = "rocket"
at = [0, 0, 0]
thrust = 100
massless = true
ignited = true

[guidance.steering]
kind = "angles"
body = "rocket"
axes = "inertial"
pitch = { points = [0, 1], value = "[-30, -10] deg", interpolation = "linear" }

[phases.burn]
until = { elapsed = "0.4 s" }

[solver]
tolerance = 1e-11
"""
STUDY: dict[str, Any] = {
    "transcription": "collocation",
    "objective": {"minimize": "time", "at": "end"},
    "variables": {"duration": {"path": "phases.burn.until.elapsed", "low": "0.2 s", "high": "1 s"}},
    "controls": {"pitch": {"table": "guidance.steering.pitch", "low": "-89 deg", "high": "89 deg"}},
    "constraints": {
        "height": {"quantity": "bodies.rocket.position.z", "at": "end", "equals": "5 m"},
        "ahead": {"quantity": "bodies.rocket.velocity.x", "at": "end", "equals": "45 m/s"},
        "up": {"quantity": "bodies.rocket.velocity.z", "at": "end", "equals": "0 m/s"},
    },
    "mesh": {"intervals": 16, "tolerance": 1e-5},
}
needs_uno = pytest.mark.skipif(find_spec("unopy") is None, reason="its solvers are an extra")


@pytest.fixture(scope="module")
def scenario():
    return loads(SCENARIO)


@pytest.fixture(scope="module")
def closed_form():
    """(tangent of the first elevation, time) to a height and a speed; see validation/linear-tangent."""
    verify._module(verify.find_cases()["pendulum"])
    return importlib.import_module(f"{verify.PACKAGE}.linear-tangent.case").shortest


def study(**changes) -> dict[str, Any]:
    return deepcopy(STUDY) | changes


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_the_rule_is_of_its_order(count):
    """Polynomials through s points are integrated exactly, and to the end of an interval those of degree
    2 s - 3."""
    points, weights = lobatto.points(count), lobatto.integrals(count)
    for degree in range(2 * count - 2):
        exact = points[1:] ** (degree + 1) / (degree + 1)
        some = weights @ points**degree
        # Sums of some numbers of size one.
        assert some[-1] == pytest.approx(exact[-1], abs=1e-14)
        if degree < count:
            assert np.allclose(some, exact, rtol=0, atol=1e-14)
    assert weights[-1] @ points ** (2 * count - 2) != pytest.approx(1 / (2 * count - 1), abs=1e-6)


def test_coordinates_over_a_planet_follow_its_surface():
    rng = np.random.default_rng(5)
    state = np.concatenate(
        [6.5e6 * rng.normal(size=(3, 4)), 7e3 * rng.normal(size=(3, 4)), rng.random((2, 4))]
    )
    chart = chart_at(state, True)
    zeta = chart.coordinates(state)
    size = np.abs(state).max(1, keepdims=True)
    assert np.allclose(chart.state(zeta) / size, state / size, atol=1e-15 * 8)
    zeta[1:3] += 0.1
    moved = chart.state(zeta)
    assert np.allclose(np.linalg.norm(moved[:3], axis=0), np.linalg.norm(state[:3], axis=0), rtol=1e-14)
    for part in (0, 3):  # speed, and its angle with the radius
        assert np.allclose(
            np.linalg.norm(moved[part : part + 3], axis=0), np.linalg.norm(state[part : part + 3], axis=0)
        )
    rise = [np.sum(s[:3] * s[3:6], 0) / np.linalg.norm(s[:3], axis=0) for s in (state, moved)]
    assert np.allclose(*rise, rtol=0, atol=1e-10 * 7e3)


@needs_uno
def test_the_shortest_time_is_that_of_the_closed_form(scenario, closed_form):
    found = scenario.optimize(study(), check_derivatives=True)
    k, time = closed_form(5.0, 45.0)
    # Straight lines of 32 pieces follow the tangent within (2/32)^2/8, of which half the square counts.
    assert found["duration"] == pytest.approx(time, rel=0.5 * ((2 / 32) ** 2 / 8) ** 2 + 1e-7)
    assert found.trusted, found.verdict
    assert "a separate flight gives the same values" in found.verdict
    table = found.scenario.guidance[0].pitch
    wanted = -np.arctan(k * (1 - 2 * np.asarray(table.points) / time))
    assert np.max(np.abs(table.value - wanted)) < 0.02
    step = 1e-4
    for name, moved in (("height", (step, 0.0)), ("ahead", (0.0, step))):
        ends = [closed_form(5.0 + s * moved[0], 45.0 + s * moved[1])[1] for s in (1, -1)]
        price = next(one.multiplier for one in found.constraints if one.constraint.name == name)
        # As the tangents, by their square, of a price of some hundredths.
        assert price == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-4)
    # Differences over 1e-6 of the scales.
    assert found.checked is not None
    assert found.checked[0] < 1e-7
    assert found.collocated is not None
    assert found.collocated.meshes > 1
    said = " ".join(notes(found, "SI"))
    assert "intervals of 3 points" in said
    assert "separate flight" in said
    assert "iterations" in how(found)


@needs_uno
def test_second_derivatives_are_those_of_the_first(scenario, monkeypatch):
    """Of the Lagrangian along a direction, backward and forward."""
    kept = []

    def asked(program, start, *_):
        kept.append(program)
        return Ended(start, False, "stopped")

    monkeypatch.setattr(run, "solver", lambda kind: asked)
    scenario.optimize(study())
    (program,) = kept
    rng = np.random.default_rng(3)
    x = program.start + 0.01 * rng.normal(size=program.count)
    prices, way = rng.normal(size=len(program.row_low)), rng.normal(size=program.count)

    def slope(x):
        return 0.7 * program.gradient(x) + program.jacobian_sparse(x).T @ prices

    step = 1e-4
    wanted = (slope(x + step * way) - slope(x - step * way)) / (2 * step)
    for backward in (True, False):
        monkeypatch.setattr(program.arcs.programs, "backward", backward)
        bend = np.zeros((program.count, program.count))
        bend[program.bend_rows, program.bend_columns] = program.bend_values(x, 0.7, prices)
        bend += np.tril(bend, -1).T
        # Differences over a millionth, and of these over a ten thousandth, squared.
        assert np.max(np.abs(bend @ way - wanted)) < 1e-5 * np.max(np.abs(wanted))


@needs_uno
def test_a_finer_mesh_begins_next_to_its_optimum(scenario, monkeypatch):
    """As solvers are told, which then need fewer iterations for the same."""
    mesh = {"intervals": 8, "tolerance": 1e-5}
    near = scenario.optimize(study(mesh=mesh))
    assert near.collocated.meshes > 1
    monkeypatch.setattr(uno, "NEAR", {})
    far = scenario.optimize(study(mesh=mesh))
    assert near.objective == pytest.approx(far.objective, rel=1e-8)
    assert len(near.history) < len(far.history)


@pytest.mark.long
@needs_uno
def test_a_limit_along_the_way_is_kept_by_the_flight(scenario):
    """That lasts longer for it; and by how much is its multiplier."""

    def best(most):
        limit = {"quantity": "bodies.rocket.velocity.z", "take": "max", "max": most, "tolerance": 1e-3}
        # Later, so that a climb at less speed has the time.
        mesh = {"intervals": 16, "tolerance": 1e-4}
        return scenario.optimize(study(constraints=STUDY["constraints"] | {"climb": limit}, mesh=mesh))

    found, more = best(12.0), best(12.05)
    assert found.trusted, found.verdict
    record = found.scenario.run(progress=False).record
    climb = record.series["bodies.rocket.velocity"][:, 2]
    assert climb.max() <= 12.0 + 1e-3
    assert np.mean(climb > 12.0 - 1e-2) > 0.1  # for a time, not at a moment
    kept = next(one for one in found.constraints if one.constraint.name == "climb")
    assert kept.active == "max"
    change = (more.objective - found.objective) / 0.05
    # A difference over a two hundredth of the limit, of a curve; and the mesh between.
    assert kept.multiplier == pytest.approx(change, rel=0.05)
    assert kept.multiplier < 0


@pytest.mark.parametrize("count", [2, 3, 4, 9])
def test_a_spline_stays_within_its_hull(count):
    rng = np.random.default_rng(count)
    breaks = np.append(0.0, np.cumsum(rng.random(count - 1) + 0.1))
    one = SimpleNamespace(smooth=True)
    values = rng.normal(size=count)
    inner = Steered.hull(one, breaks) @ values  # type: ignore[arg-type]
    ready = interpolation.knots(breaks, values, "cubic")
    for k, (begin, end) in enumerate(pairwise(breaks)):
        course = [float(interpolation.look_up(ready, t)) for t in np.linspace(begin, end, 201)]
        points = [values[k], inner[k], inner[k + count - 1], values[k + 1]]
        assert min(points) - 1e-14 <= min(course)
        assert max(course) <= max(points) + 1e-14
        s = np.linspace(0, 1, 201)
        form = sum(c * b * s**j * (1 - s) ** (3 - j) for j, (c, b) in enumerate(zip(points, (1, 3, 3, 1))))
        np.testing.assert_allclose(course, form, atol=1e-13)


@pytest.mark.long
@needs_uno
def test_a_spline_that_is_flown_keeps_its_limits():
    """Between the points of its table, too, where it had gone beyond them by 0.02 deg."""
    smooth = loads(SCENARIO.replace('"linear"', '"cubic"'))
    pitch = STUDY["controls"]["pitch"] | {"low": "-46 deg", "high": "46 deg"}
    mesh = {"intervals": 8, "tolerance": 1e-2, "refinements": 1}
    found = smooth.optimize(study(controls={"pitch": pitch}, mesh=mesh))
    table: Any = found.scenario.guidance[0].pitch
    ready = interpolation.knots(table.points, table.value, "cubic")
    times = np.linspace(table.points[0], table.points[-1], 2001)
    course = np.degrees([float(interpolation.look_up(ready, t)) for t in times])
    # The solver lets bounds go by 1e-8 of a size.
    assert 45.9 < np.max(np.abs(course)) <= 46 * (1 + 1e-8)


@needs_uno
def test_another_solver_agrees(scenario):
    asked = study(solver={"confirm": "filter_sqp"}, mesh={"intervals": 5, "tolerance": 1e-4})
    found = scenario.optimize(asked)
    assert found.confirmed is not None
    assert not found.confirmed.why
    assert found.confirmed.objective == pytest.approx(found.collocated.seen[0], rel=1e-6)
    assert "finds the same optimum" in found.verdict


def test_small_ones_need_no_extra(scenario, closed_form):
    asked = study(solver={"kind": "slsqp"}, mesh={"intervals": 4, "refinements": 1, "tolerance": 1e-3})
    found = scenario.optimize(asked)
    assert found.optimal
    # Four to eight pieces: (pi/4)^2/8, by its square.
    assert found["duration"] == pytest.approx(closed_form(5.0, 45.0)[1], rel=6e-3)


def refused(scenario, **changes) -> str:
    with pytest.raises(BadInput) as found:
        scenario.optimize(study(**changes))
    return str(found.value)


def test_what_collocation_does_not_know_is_told_at_once(scenario):
    height = {"quantity": "bodies.rocket.position.z", "at": "end", "equals": "5 m"}
    text = refused(
        scenario,
        sensitivities=["engines.main.thrust"],
        objective=[{"minimize": "bodies.rocket.altitude", "at": "end"}],
        constraints={
            "both": {"quantity": "bodies.rocket.speed", "take": "max", "equals": 3},
            "side": {"quantity": "bodies.rocket.position.z", "take": "min", "max": 3},
            "late": {"quantity": "bodies.rocket.ideal_velocity", "at": "end", "max": 3},
            "height": height,
        },
        controls={
            "none": {"table": "guidance.steering.yaw", "low": 0, "high": 1},
            "typo": {"table": "guidance.steering.pich", "low": 0, "high": 1},
            "phase": {"table": "guidance.steering.pitch", "during": ["burnn"], "low": 0, "high": 1},
            "turned": {"table": "guidance.steering.pitch", "low": 1, "high": "0 deg"},
            "unit": {"table": "guidance.steering.pitch", "low": "1 m", "high": 1},
        },
    )
    for said in (
        "sensitivities: collocation does not compute sensitivities",
        "there is no quantity 'bodies.rocket.altitude'",
        'constraints.side: with collocation, a constraint with take = "min" may have the limit min only',
        "controls.none: guidance.steering.yaw is not a table of numbers over time",
        "guidance.steering.pich: unknown path",
        "controls.phase.during: there is no phase 'burnn'",
        "controls.turned: low = 1 is above high = 0 deg. Exchange these values",
        "controls.unit: '1 m' is in m; allowed: rad",
    ):
        assert said in text, text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"transcription": "shooting"}, 'controls: controls needs transcription = "collocation"'),
        ({"objective": []}, "objective: the objective is missing"),
        ({"mesh": {"points": 9}}, "points: points = 9 is out of range. Allowed: 3 to 6"),
        ({"mesh": {"tolerance": 1.0}}, "tolerance: the tolerance 1 is out of range"),
    ],
)
def test_what_a_study_itself_says_wrong(change, said):
    with pytest.raises(BadInput) as found:
        OptimizationStudy(**{"scenario": "", **study(**change)})
    assert said in str(found.value)


def test_other_flights_are_refused():
    for old, new, said in (
        ('coordinates = "point"\nattitude = "steering"', "", 'the scenario has coordinates = "rigid"'),
        (
            "until = { elapsed",
            'until = { any = [{ time = 3 }, { elapsed = "1 s" }] }\nno = { elapsed',
            "several conditions",
        ),
        (
            "points = [0, 1]",
            'over = "bodies.rocket.position.x", points = [0, 1]',
            "but a control needs a table over time",
        ),
    ):
        text = SCENARIO.replace(old, new)
        if "several" in said:
            text = "\n".join(line for line in text.splitlines() if not line.startswith("no ="))
        assert said in refused(loads(text)), text


@needs_uno
def test_a_table_over_another_time_is_found_out(scenario):
    """It would steer the flight by other values than it is flown with."""
    late = loads(SCENARIO.replace('axes = "inertial"', 'axes = "inertial"\nsince = "later"') + LATER)
    said = refused(late)
    assert (
        "counts the time from the start of phase later, but the control begins with phase burn. Set"
        " guidance.steering.since" in said
    )
    pitch = STUDY["controls"]["pitch"] | {"during": ["later"]}
    said = refused(loads(SCENARIO + LATER), controls={"pitch": pitch})
    assert (
        "counts the time from the start of the flight, but the control begins with phase later. Set" in said
    )


@needs_uno
def test_a_table_over_the_time_since_an_event_is_found_out():
    """That is seen once it has been flown only."""
    moment = '\n[events.moment]\nwhen = { time = "0.4 s" }\n'
    late = SCENARIO.replace('axes = "inertial"', 'axes = "inertial"\nsince = "moment"') + LATER + moment
    said = refused(loads(late))
    wanted = "in phase burn, the table guidance.steering.pitch does not count the time from the start of"
    wanted += " phase burn, where the control begins. Set"
    assert f'controls.pitch: {wanted} guidance.steering.since = "burn"' in said


def test_rates_across_the_plane_of_a_flight_are_rounding():
    rng = np.random.default_rng(8)
    its = rng.normal(size=(7, 5)) * np.array([[100, 100, 0, 10, 10, 1e-15, 3]]).T
    moved = its + 1e-15 * rng.normal(size=its.shape)
    assert run.same_rates(its, moved)
    for row in range(7):
        other = its.copy()
        other[row, 2] += 1e-3
        assert not run.same_rates(its, other)


LATER = """
[phases.later]
until = { elapsed = "0.1 s" }
"""


def test_events_within_phases_are_refused(scenario):
    """Both phases may end otherwise, but then the one knows nothing of the other."""
    text = SCENARIO + LATER + '\n[events.between]\nwhen = { time = "0.2 s" }\n'
    assert "'between' occurs at 0.2 s, within a phase" in refused(loads(text))


def test_what_comes_with_the_end_of_a_phase_is_met_with_it():
    """A tank that is empty as its stage ends, but for rounding; a thousandth before is within the phase."""
    kinds = "start", "elapsed", "value"
    table: Any = SimpleNamespace(
        conditions=[SimpleNamespace(kind=kind, event=k, part="") for k, kind in enumerate(kinds)],
        events=[SimpleNamespace(name=name) for name in ("a", "end", "empty")],
    )

    def met(empty):
        times, hit = np.array([0.0, empty, 100.0]), np.eye(3, dtype=bool)[[0, 2, 1]]
        return met_with(SimpleNamespace(t=times, t_end=times, hit=hit), table, [1])

    assert met(100.0 - 1e-9) == [[1, 2]]
    with pytest.raises(BadInput, match=r"'empty' occurs at 99.999 s, within a phase"):
        met(99.999)
