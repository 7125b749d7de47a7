"""Outputs at several events and their derivatives, by programs that are compiled once for a structure."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine_door import compiled_flights
from interstage.maths.dual import NoDerivative
from interstage.missions.names import WHOLE
from interstage.model.formulation import NullSpace
from interstage.programs import compiled
from interstage.programs.program import FEW_STEPS
from interstage.programs.targets import targets_of
from interstage.record.requirements import value_of
from interstage.runs import short
from interstage.sensitivities.pushed import Output, Pushed
from interstage.tree.errors import BadInput
from separation import separation

TIGHT = 1e-13
MOST_STEPS = 500
"""Of the flights here, with a tolerance of 1e-6 or more."""
INPUTS = ("devices.left.stiffness", "bodies.payload.mass_centre", "phases.held.until.time")
OUTPUTS = (
    Output("time", at="right spent"),
    Output("bodies.payload.velocity.x", at="left spent", side="after"),
    Output("pairs.stage.payload.separation_speed", at="end"),
    Output("bodies.payload.position.y", at="start"),
    Output("bodies.payload.angular_velocity.z", at=None, take="largest"),
)


def pushed(scenario, inputs=INPUTS, outputs=OUTPUTS, times=1):
    return Pushed(scenario, {path: targets_of(scenario, path, path) for path in inputs}, outputs, times)


@pytest.fixture(scope="module")
def apart():
    return pushed(separation(simple=True, tolerance=TIGHT))


@contextmanager
def compilations():
    """The programs that are compiled meanwhile."""
    waits: list[str] = []
    with compiled.listening(lambda wait: waits.extend([wait.name] if not wait.over else [])):
        yield waits


@pytest.mark.long
def test_outputs_at_several_events_against_differences_of_flights(apart):
    point = apart.at(apart.nominal)
    assert point.why == [None] * len(OUTPUTS)
    found = apart.jacobian(point)
    assert found.shape == (len(OUTPUTS), len(apart.names))
    for k, value in enumerate(apart.nominal):
        step = 1e-3 * max(abs(value), 0.1)
        moved = [apart.at(point.z + n * step * np.eye(len(point.z))[k]).values for n in (-2, -1, 1, 2)]
        differences = (moved[0] - 8 * moved[1] + 8 * moved[2] - moved[3]) / (12 * step)
        # Truncation and flights: as in test_derivatives.
        bound = 1e-10 * max(1.0, np.abs(found).max()) + 50 * TIGHT * 4 / step
        np.testing.assert_allclose(found[:, k], differences, rtol=0, atol=bound, err_msg=apart.names[k])
    assert np.abs(found).max(axis=0).min() > 1e-5


@pytest.mark.long
def test_many_flights_are_worth_programs_that_are_compiled_for_longer(apart, monkeypatch):
    """By the steps that are to be flown in all; both give the same, to rounding along the flight."""
    monkeypatch.setattr("interstage.runs.short.ATTEMPTS", 0)
    scenario = separation(simple=True, tolerance=1e-6)
    few, many = pushed(scenario, times=1), pushed(scenario, times=FEW_STEPS)
    point = few.at(few.nominal)
    program = few.stages[WHOLE].program.flying
    slow = few.jacobian(point)
    before = set(program.pushforwards)
    assert {often for _, often in program.pushforwards} == {False}
    assert many.jacobian(many.at(many.nominal)) == pytest.approx(slow, rel=1e-8, abs=1e-9)
    assert {often for _, often in set(program.pushforwards) - before} == {True}
    asked: list[float] = []
    kept = many.stages[WHOLE].program
    kept.__dict__["advance_for"] = lambda steps: asked.append(steps) or type(kept).advance_for(kept, 0.0)
    many.at(many.nominal)
    few.at(few.nominal)
    del kept.__dict__["advance_for"]
    steps = len(point.flights[WHOLE].track.t)
    assert 0 < steps <= MOST_STEPS
    _short_replays_give_the_same(few, point, slow, monkeypatch)
    assert asked[0] >= FEW_STEPS * steps > asked[1] > 0.0


def _short_replays_give_the_same(few, point, slow, monkeypatch):
    """By NumPy, to rounding along the flight and each time to the bit; compiled if a function has no rule."""

    def without_rule(*_):
        raise NoDerivative("made up for this test")

    monkeypatch.setattr("interstage.runs.short.ATTEMPTS", MOST_STEPS * short.REPLAYED)
    with compilations() as waits, monkeypatch.context() as changed:
        changed.setattr("interstage.sensitivities.pushforward._program", None)
        by_numpy = few.jacobian(point)
        np.testing.assert_array_equal(few.jacobian(point), by_numpy)
    assert waits == []
    assert by_numpy == pytest.approx(slow, rel=1e-10, abs=1e-11)
    with monkeypatch.context() as changed:
        changed.setattr("interstage.sensitivities.pushforward._by_numpy", without_rule)
        np.testing.assert_array_equal(few.jacobian(point), slow)


def test_what_a_library_computes_is_replayed_by_the_compiled_program():
    def may_replay(form: str, steps: int) -> bool:
        solver = SimpleNamespace(formulation=NullSpace(form=form))  # pyright: ignore
        program: Any = SimpleNamespace(layout=SimpleNamespace(scenario=SimpleNamespace(solver=solver)))
        return short.may_replay(program, steps)

    fewest = short.ATTEMPTS // short.REPLAYED
    assert may_replay("reduced", fewest)
    assert not may_replay("reduced", fewest + 1)
    assert not may_replay("implicit_1", fewest)


def test_values_are_those_of_the_record(apart):
    point = apart.at(apart.nominal)
    record = point.record
    row = [event.name for event in record.events].index("left spent")
    assert point.values[1] == record.after["bodies.payload.velocity"][row, 0]
    assert point.values[4] == value_of(record, OUTPUTS[4])
    spins = [record.series, record.before, record.after]
    sampled = max(np.abs(s["bodies.payload.angular_velocity"][:, 2]).max() for s in spins)
    assert sampled < point.values[4] < 1.05 * sampled  # between samples


@pytest.mark.long
def test_other_numbers_outputs_and_steps_compile_nothing(apart):
    """Looser flights take fewer steps; other outputs are read at other events."""
    steps = len(apart.at(apart.nominal).flights[WHOLE].track.t)
    other = separation(simple=True, tolerance=1e-7, stiffness=(950.0, 450.0))
    with compiled_flights():
        apart.jacobian(apart.at(apart.nominal))
    with compiled_flights(), compilations() as waits:
        again = pushed(other, outputs=(*OUTPUTS[:2], Output("bodies.stage.velocity.x", at="held")))
        point = again.at(1.01 * again.nominal)
        slopes = again.jacobian(point)
    assert waits == []
    assert len(point.flights[WHOLE].track.t) != steps
    assert np.all(np.isfinite(slopes))


def test_an_event_that_does_not_come_gives_no_number(apart):
    """The first phase would end after the whole flight's time."""
    outputs = (Output("time", at="time limit"), Output("time", at="end"))
    missing = pushed(apart.scenario, outputs=outputs)
    point = missing.at(missing.nominal)
    assert np.isnan(point.values[0])
    assert point.values[1] > 0
    assert "the event 'time limit' does not occur in this flight. Completed at" in str(point.why[0])
    slopes = missing.jacobian(point)
    assert np.all(np.isnan(slopes[0]))
    assert np.all(np.isfinite(slopes[1]))


def test_what_cannot_be_asked_is_said_at_once(apart):
    wrong = (
        Output("bodies.payload.velocity", at="end"),
        Output("time", at="appart"),
        Output("time", at=None, take="max", during="hold"),
        Output("time", at="end", take="max"),
    )
    with pytest.raises(BadInput) as caught:
        pushed(apart.scenario, outputs=wrong)
    said = str(caught.value)
    for text in (
        "is a vector",
        "no event 'appart'",
        "no phase 'hold'",
        "needs either 'at' (an event) or 'take'",
    ):
        assert text in said


def test_numbers_that_a_scenario_cannot_have_are_refused(apart):
    other = pushed(apart.scenario, inputs=("bodies.payload.mass",))
    with pytest.raises(BadInput, match=r"bodies.payload.mass: -8 kg must not be negative"):
        other.at(-other.nominal)
