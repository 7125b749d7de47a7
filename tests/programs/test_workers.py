"""Programs are made in other processes, and found here; whatever goes wrong there, they are made here."""

from __future__ import annotations

import os
import pickle
import threading
import time
from typing import Any

import jax
import numpy as np
import pytest

from interstage.missions.mission import Mission
from interstage.programs import compiled, program
from interstage.programs.workers import Job, Workers, job, of_use
from interstage.reading import loads
from interstage.runs import ahead
from interstage.runs import run as simulate
from interstage.runs.ahead import Ahead
from interstage.runs.mission import start_after_parent
from interstage.stepper.problem import FINISHED

BODY = """
[bodies.stage]
mass = 10
inertia = [1, 1, 1]
initial = { velocity = [1, 0, 0] }
"""
ONE = f"""{BODY}
[phases.flight]
until = {{ time = 1.0 }}
"""
MISSION = f"""{BODY}
[legs.one]
bodies = ["stage"]
[legs.one.phases.flight]
until = {{ time = 1.0 }}
[legs.two]
after = {{ leg = "one" }}
[legs.two.phases.later]
until = {{ time = 2.0 }}
"""


@pytest.fixture
def kept_here(monkeypatch, tmp_path):
    """A store that nothing is in, and no cache of JAX's, whose programs cannot be written again."""
    monkeypatch.setenv("INTERSTAGE_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("INTERSTAGE_CACHE_SIZE", raising=False)
    monkeypatch.delenv("JAX_COMPILATION_CACHE_DIR")
    settings: Any = jax.config
    before = settings.jax_compilation_cache_dir
    jax.config.update("jax_compilation_cache_dir", None)
    program.forget()
    yield
    jax.config.update("jax_compilation_cache_dir", before)
    program.forget()


@pytest.fixture
def workers():
    found = Workers(1)
    yield found
    found.close()


def of_one() -> tuple[program.Program, Job]:
    """A program, and the job that makes it."""
    scenario = loads(ONE)
    found = simulate.of_flight(scenario)
    first = simulate.start(found, scenario)
    cursor = found.cursor(scenario, first.reference, first.time, first.x, first.discrete)
    cursor = cursor._replace(status=np.full_like(cursor.status, FINISHED))
    return found, job(found, scenario, 0.0, first.reference, first.time, cursor)


def test_what_another_process_makes_is_not_compiled_here(kept_here, workers):
    assert of_use()
    found, wanted = of_one()
    advance, given = found.advance_for(wanted.steps), (wanted.scenario, *wanted.arguments)
    assert not advance.is_stored(*given)
    assert workers.make(wanted)
    assert advance.is_stored(*given)
    waits = []
    with compiled.listening(waits.append):
        record = simulate.fly(wanted.scenario)
    assert record.completed
    assert not waits
    # It goes on to the next, after one that fails there.
    assert not workers.make(wanted._replace(arguments=()))
    assert workers.make(wanted)


class Unknown:
    """What another process cannot read: there this module has another name."""

    def __reduce__(self):
        return os.path.join, (1, 2)


@pytest.mark.parametrize("scenario", [Unknown(), threading.Lock()], ids=["unread", "unwritten"])
def test_what_cannot_be_handed_over_is_said(workers, scenario):
    assert not workers.make(Job(scenario, (), "steps", 1, 0.0, ()))


def test_who_waits_for_a_process_that_is_ended_is_told(workers, monkeypatch):
    class Long:
        def __reduce__(self):
            return time.sleep, (600,)

    told = []
    wanted = Job(Long(), (), "steps", 1, 0.0, ())
    waiting = threading.Thread(target=lambda: told.append(workers.make(wanted)))
    waiting.start()
    while not workers._begun:
        time.sleep(0.01)
    workers.close()
    waiting.join(60)
    assert told == [False]
    assert workers._begun[0].returncode is not None
    assert not workers.make(wanted)  # and begins no other


def test_jobs_of_later_legs_are_what_they_begin_with(monkeypatch):
    """Each is of the very shapes that the leg then flies with, also behind a process that made nothing."""
    mission, jobs, missing = loads(MISSION), [], []
    monkeypatch.setattr("interstage.runs.short.ATTEMPTS", 0)
    flown = mission.run(progress=False)
    assert flown.record.completed
    monkeypatch.setattr(ahead, "of_use", lambda: True)
    monkeypatch.setattr(Workers, "make", lambda _, wanted: jobs.append(pickle.dumps(wanted)))
    monkeypatch.setattr(program.OfScenario, "is_stored", lambda *_: False)
    monkeypatch.setattr(compiled.Program, "_first", lambda program, *_: missing.append(program._name))
    first, later = Mission.of(mission).order
    scenario = Mission.of(mission).leg(first).scenario
    of_leg = simulate.of_flight(scenario)
    with (
        Ahead(Mission.of(mission), Mission.of(mission).parents, start_after_parent) as making,
        making.compile_later(first, of_leg, scenario, simulate.start(of_leg, scenario)),
    ):
        compiled._listeners[-1](compiled.Wait("advance", None, False))
        assert making._planned is not None
        making._planned.result()
        making._made[later].result()
    assert len(jobs) == 1
    assert not missing
    pickle.loads(jobs[0]).make()
    assert not missing


@pytest.mark.parametrize("reason", ["no store", "JAX keeps programs"])
def test_threads_compile_where_processes_are_of_no_use(kept_here, monkeypatch, reason):
    if reason == "no store":
        monkeypatch.setenv("INTERSTAGE_CACHE_SIZE", "0")
    else:
        jax.config.update("jax_compilation_cache_dir", "somewhere")
    assert not of_use()
