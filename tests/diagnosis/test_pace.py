"""Flights that hardly get on end early, say what holds their steps down, and keep what was flown."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from interstage.diagnosis import pace
from interstage.diagnosis.stiffness import answering
from interstage.programs.at_once import things_of
from interstage.programs.program import Program
from interstage.reading import loads
from interstage.runs import run as simulate

LIGHT = """
[bodies.base]
mass = 1
inertia = [1, 1, 1]
initial = { position = [0, 0, 0] }

[bodies.link]
mass = 1e-12
inertia = [1e-12, 1e-12, 1e-12]
initial = { position = [1, 0, 0], velocity = [0, 1, 2] }

[forces.spring]
kind = "spring"
parent = "base"
child = "link"
stiffness = 1000
free_length = 0.5

[solver]
tolerance = 1e-11

[[phases]]
name = "all"
until = { time = 10 }
"""

BLOW = """
[forces.blow]
kind = "force"
body = "link"
force = [1, 0, 0]

"""


def test_a_flight_whose_steps_are_too_short_ends_and_says_why(monkeypatch):
    monkeypatch.setattr(pace, "WATCHED", 600)
    record = loads(LIGHT).run().record
    assert not record.completed
    assert "solver.steps_per_second" in record.outcome
    # A period of 0.2 us: what moves is the link, and hardly the base.
    assert "velocity of 'link'" in record.outcome
    assert "'base'" not in record.outcome
    assert ". The stiffest loads come from forces spring." in record.outcome
    # Judged after each 600 tries, of which the last may be over by those of a chunk.
    assert (
        600
        <= record.statistics["steps accepted"] + record.statistics["steps rejected"]
        < 600 + 2 * simulate.ROWS_AT_ONCE
    )
    assert record.time[-1] > 0
    assert np.isfinite(record.series["bodies.link.position"]).all()
    batch = loads(LIGHT).run_batch({"bodies.link.mass": np.array([1e-12, 1.0])}, samples=False)
    assert batch.time[0] < 1e-3
    assert batch.time[1] == 10


@pytest.mark.parametrize(
    ("h", "said"),
    [(1e-7, ". The stiffest loads come from forces spring"), (1e-12, "")],
)
def test_loads_are_named_that_answer_the_error_of_a_step(h, said):
    """A step short beside the period of 0.2 us is not held down by what makes that."""
    scenario = loads(LIGHT.replace("[solver]", BLOW + "[solver]"))
    program = Program(scenario, (), "steps", 8, True)
    start = program.begin(scenario, 0.0)
    cursor = SimpleNamespace(t=np.zeros(()), x=start.x, discrete=start.discrete)
    found = answering(program, scenario, start.reference, cursor, h, "the velocity of 'link'")
    assert found == said


SWAYS = """
[forces.{name}]
kind = "modal_body"
body = "{body}"
frequency = [10, {frequency}]
coordinate = [1e-3, 1e-3]
[forces.{name}.points]
a = {{ at = [0, 0, 0], shape = [[0, 1, 0], [0, 1, 0]], turn = [[0, 0, 0], [0, 0, 1]] }}

"""


def test_what_of_a_part_holds_steps_down_is_named():
    """Of two bodies with modes the one whose mode is fast, by the mode."""
    sways = SWAYS.format(name="slow", body="base", frequency=20) + SWAYS.format(
        name="quick", body="link", frequency=2e4
    )
    scenario = loads(LIGHT.replace("1e-12", "1").replace("[solver]", sways + "[solver]"))
    program = Program(scenario, (), "steps", 8, True)
    start = program.begin(scenario, 0.0)
    found = program.errors(scenario, start.reference, np.zeros(()), start.x, start.discrete, 1e-3)
    assert max(found, key=lambda name: found[name]) == "modes of bodies (quick.mode_2.rate)"
    assert "modes of bodies (slow.mode_1.coordinate)" in found


@pytest.mark.parametrize(
    ("labels", "things"),
    [
        (["boom.1.0", "boom.2.0", "boom.1.1"], {"boom.1": [0, 2], "boom.2": [1]}),
        (["core.fuel", "top.fuel"], {"core.fuel": [0], "top.fuel": [1]}),
        (["3.0", "3.1", "3.2"], {"": [0, 1, 2]}),
    ],
)
def test_numbers_of_parts_go_by_their_things(labels, things):
    assert things_of(labels) == things


def test_a_flight_may_be_allowed_more_steps_but_not_more_memory(monkeypatch):
    monkeypatch.setattr(pace, "WATCHED", 600)
    monkeypatch.setattr(pace, "MEMORY", 1 << 18)
    record = loads(LIGHT, {"solver.steps_per_second": 1e12}).run().record
    assert not record.completed
    assert "memory" in record.outcome
    assert "velocity of 'link'" in record.outcome
    # Two states of two bodies in each row, and one chunk too much at most.
    size = 2 * 8 * (13 * 2 + 6)
    assert record.statistics["steps accepted"] < (1 << 18) / size + simulate.ROWS_AT_ONCE


@pytest.mark.parametrize("most", [0, -1, "a"])
def test_a_limit_that_is_none_is_refused(most):
    with pytest.raises(Exception, match=r"solver\.steps_per_second"):
        loads(LIGHT, {"solver.steps_per_second": most})
