"""Derivatives through the legs of missions: beside the same flight in one leg, and beside differences of
flights."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest

import interstage as ist
from engine_door import compiled_flights
from interstage.programs import compiled
from interstage.programs.progress import progress_display
from interstage.programs.targets import targets_of
from interstage.reading import loads
from interstage.record.requirements import value_of
from interstage.runs import ahead
from interstage.sensitivities.pushed import Output, Pushed
from interstage.tree.declaration import with_values
from interstage.tree.errors import BadInput
from separation import separation
from test_switching import MISSION

TIGHT = 1e-13
"""Tolerance of the flights in legs and in one: of the same steps."""


def pushed(scenario, inputs, outputs):
    return Pushed(scenario, {path: targets_of(scenario, path, path) for path in inputs}, outputs)


@contextmanager
def compilations():
    """The programs that are compiled meanwhile."""
    waits: list[str] = []
    with compiled.listening(lambda wait: waits.extend([wait.name] if not wait.over else [])):
        yield waits


# --- a flight that is cut in two

INPUTS = (
    "devices.left.stiffness",
    "bodies.payload.mass_centre",
    "bodies.stage.mass",
    "{}phases.held.until.time",
)
OUTPUTS = (
    Output("time", at="right spent"),
    Output("bodies.payload.velocity.x", at="left spent", side="after"),
    Output("pairs.stage.payload.separation_speed", at="end"),
    Output("bodies.payload.position.y", at="start"),
    Output("bodies.payload.angular_velocity.z", at=None, take="largest"),
    Output("bodies.stage.position.x", at=None, take="min", during="apart"),
)


@pytest.fixture(scope="module")
def whole():
    return separation(simple=True, tolerance=TIGHT)


@pytest.fixture(scope="module")
def cut(whole):
    one = ist.Leg(name="joined", phases=whole.phases[:1])
    two = ist.Leg(name="free", after=ist.After(leg="joined"), phases=whole.phases[1:])
    mission = with_values(whole, phases=(), legs=(one, two))
    mission.check()
    return pushed(mission, [path.format("legs.joined.") for path in INPUTS], OUTPUTS)


@pytest.fixture(scope="module")
def there(cut):
    return cut.at(cut.nominal)


@pytest.mark.long
def test_a_flight_cut_in_two_has_the_derivatives_of_the_whole_one(whole, cut, there):
    """Through the hand-over, whose time moves: everything the one input of time says goes through it."""
    one = pushed(whole, [path.format("") for path in INPUTS], OUTPUTS)
    point = one.at(one.nominal)
    assert there.why == point.why == [None] * len(OUTPUTS)
    exact, found = one.jacobian(point), cut.jacobian(there)
    # Some ten steps, each of some thousand operations.
    same = 1e4 * np.finfo(float).eps
    np.testing.assert_allclose(there.values, point.values, rtol=same, atol=0)
    size = np.abs(exact).max(axis=1, keepdims=True) * np.ones_like(exact)
    # The place of a flat top is told by differences over a 256th of an interval between samples.
    bound = np.array([[256 * same if one.take else same] for one in OUTPUTS])
    assert np.all(np.abs(found - exact) <= bound * size)
    assert exact[0, -1] > 0.99  # it moves with the time of the release


@pytest.mark.long
def test_other_numbers_and_outputs_of_a_mission_compile_nothing(cut, there):
    with compiled_flights():
        cut.jacobian(there)
    with compilations() as waits:
        other = separation(simple=True, tolerance=1e-7, stiffness=(950.0, 450.0))
        mission = with_values(other, phases=(), legs=cut.scenario.legs)
        outputs = (Output("time", at="joined end"), Output("bodies.stage.velocity.x", at="end"))
        again = pushed(mission, [path.format("legs.joined.") for path in INPUTS], outputs)
        point = again.at(1.01 * again.nominal)
        with compiled_flights():
            slopes = again.jacobian(point)
    assert waits == []
    assert slopes[0] == pytest.approx([0, 0, 0, 0, 0, 1], abs=1e-15)
    assert np.all(np.isfinite(slopes))


def test_values_of_a_mission_are_those_of_its_record(there):
    record = there.record
    assert [*record.legs] == ["joined", "free"]
    for output, value in zip(OUTPUTS, there.values, strict=True):
        # Values at events are worked out by NumPy, those of records by a program.
        assert value == pytest.approx(value_of(record, output), rel=1e-13)


@pytest.mark.parametrize(
    ("output", "says"),
    [
        (Output("time", at="free over"), "there is no event 'free over'; did you mean 'free end'"),
        (Output("bodies.paylod.mass"), "or 'bodies.payload.mass'"),
        (Output("time", at=None, take="max", during="free"), "there is no phase 'free'"),
        (Output("joints.clamp.force.x", at=None, take="max", during="apart"), ""),
    ],
)
def test_what_cannot_be_asked_of_a_mission_is_said(cut, output, says):
    if not says:
        pushed(cut.scenario, (), [output])
        return
    with pytest.raises(BadInput, match=says):
        pushed(cut.scenario, (), [output])


def test_only_legs_that_are_needed_are_flown(cut):
    early = pushed(cut.scenario, (), [Output("time", at="joined end")])
    assert [*early.at(early.nominal).flights] == ["joined"]


# --- from the pad as a point, rigid, and two branches

BRANCHES = (
    MISSION.replace("reaches = 1.5", "reaches = 1.6").replace(
        "[output]\ninterval = 1\n", "[output]\ninterval = 1\n[solver]\ntolerance = 1e-12\n"
    )
    + """
[legs.up]
after = { leg = "staging" }
bodies = ["top"]
phases.drift = { until = { quantity = "bodies.top.velocity.z", reaches = 0, direction = "falling" } }
[devices.push]
kind = "kickoff_spring"
parent = "stage"
child = "top"
axis = [1, 0, 0]
parent_at = [8, 0.02, 0]
preload = "16 kN"
stiffness = "80 kN/m"
stroke = "0.1 m"
after = "apart"
[atmosphere]
kind = "exponential"
scale_height = "7.2 km"
[aerodynamics.stack]
body = "stage"
area = "3 m^2"
length = "2 m"
coefficients = { CA = 0.3 }
"""
)
"""Held on the pad until a thrust over the weight, up as a point on its guidance, rigid where springs drive
the stages apart; then one flies on as a point mass, the other one rigid up to its apex."""
KINDS = (
    "bodies.top.mass",
    "bodies.stage.elements.fuel.propellant",
    "bodies.stage.initial.position.z",
    "engines.main.thrust",
    "engines.main.isp",
    "devices.push.stiffness",
    "aerodynamics.stack.area",
    "guidance.pitch.pitch.coefficients[1]",
    "gravity.acceleration.z",
    "atmosphere.scale_height",
    "legs.pad.phases.lit.until.reaches",
    "legs.ascent.phases.climb.until.time",
    "legs.staging.phases.joined.until.elapsed",
)
ENDS = (
    Output("bodies.stage.position.x", at="spent end"),
    Output("bodies.stage.velocity.z", at="spent end"),
    Output("bodies.stage.dynamic_pressure", at="spent end"),
    Output("bodies.top.position.z", at="up end"),
    Output("bodies.top.angular_velocity.y", at="up end"),
    Output("time", at="up end"),
)


@pytest.mark.long
def test_derivatives_by_many_kinds_of_numbers_through_switches_and_branches():
    """Of what two branches end with, through the pad, a point, rigid bodies and a point again, and through
    events whose times move, beside central differences of order 4 with two steps: of these the nearer
    one."""
    mission = loads(BRANCHES)
    mission.check()
    found = pushed(mission, KINDS, ENDS)
    point = found.at(found.nominal)
    assert point.why == [None] * len(ENDS)
    exact = found.jacobian(point)
    for k, name in enumerate(found.names):
        size = abs(found.nominal[k]) or 10.0
        apart = []
        for step in (3e-3 * size, 1e-3 * size):
            moved = [found.at(point.z + n * step * np.eye(len(point.z))[k]).values for n in (-2, -1, 1, 2)]
            differences = (moved[0] - 8 * moved[1] + 8 * moved[2] - moved[3]) / (12 * step)
            # Flights have errors of some tens of steps, each of the tolerance, over the step.
            rounding = 100 * 1e-12 * np.maximum(np.abs(point.values), 1.0) / step
            apart.append(np.abs(differences - exact[:, k]) / (1e-6 * np.abs(exact[:, k]) + rounding))
        assert np.all(np.minimum(*apart) < 1.0), (name, np.minimum(*apart))
        # The bound says something: it is a small part of what the input does.
        strong = np.abs(exact[:, k]) > 1e3 * rounding
        assert strong.any(), name


def test_what_is_to_be_compiled_is_said_once_and_first(monkeypatch, capsys):
    """Where nothing was compiled yet, by the size of structures: one of 1 s by itself, and of the others, of
    5 s in all, two at a time."""
    monkeypatch.setattr(ahead, "_cores", lambda: 2)
    monkeypatch.setattr(ahead.store, "estimate", lambda kind, size: None)
    monkeypatch.delenv("INTERSTAGE_QUIET", raising=False)
    monkeypatch.setitem(ahead.USUAL, "advance", 1e-3)
    monkeypatch.setitem(ahead.USUAL, "derivatives", 2e-3)
    made = pushed(loads(MISSION), (), [Output("time")])
    legs = {leg: SimpleNamespace(program=SimpleNamespace(about=1000 * "x")) for leg in ("up", "down")}
    monkeypatch.setattr(made, "stages", legs)
    for _ in range(2):
        with progress_display(lines=True), made._foretold(), compiled.reported_wait("advance", None):
            pass
    said = capsys.readouterr().err.splitlines()
    text = "flight and derivatives of leg up, leg down: compiling up to 4 programs, about 4 s in total"
    assert [line.startswith(text) for line in said] == [True, False, False]
