"""Short flights are flown by NumPy, without JAX and without a compiler; long ones by the compiled program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from interstage.programs import key, store
from interstage.reading import load, loads
from interstage.runs import run as simulate
from interstage.runs import short

EXAMPLES = Path(__file__).parents[2] / "examples"
OSCILLATOR = """
gravity = "none"
bodies.base = { mass = 30, inertia = [3, 3, 3], initial = {} }
bodies.mass = { mass = 20, inertia = [2, 2, 2], initial = { position = [1, 0, 0] } }
forces.spring = { kind = "spring", parent = "base", child = "mass", stiffness = 500, free_length = 0.8 }
[phases.swing]
until = { time = "END s" }
"""
SIDES = ("position", "velocity", "attitude", "angular_velocity")


def oscillator(end: float):
    """Two bodies on a spring, until a time [s]."""
    return loads(OSCILLATOR.replace("END", str(end)))


@pytest.fixture
def empty_store(tmp_path, monkeypatch):
    """A store of its own."""
    monkeypatch.setenv(store.FOLDER_VARIABLE, str(tmp_path / "store"))
    monkeypatch.delenv(store.SIZE_VARIABLE, raising=False)


def test_a_short_flight_imports_no_jax():
    code = f"""
import sys
import interstage as ist
flight = ist.load({str(EXAMPLES / "first.toml")!r}).run()
print(flight.record.statistics["flown by"], "jax" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["NumPy", "False"]


def test_float64_where_a_module_of_the_user_imports_jax_itself():
    code = f"""
import interstage as ist
scenario = ist.load({str(EXAMPLES / "first.toml")!r})
scenario.run()
import jax.numpy as jnp
print(jnp.ones(2).dtype)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["float64"]


def test_numpy_and_the_compiled_program_agree(monkeypatch):
    """To the rounding of some twenty steps, 1e-11 of metres; the tolerance of the flight is 1e-9."""
    scenario = load(EXAMPLES / "first.toml")
    by_numpy = scenario.run()
    monkeypatch.setattr(short, "ATTEMPTS", 0)
    compiled = scenario.run()
    assert by_numpy.record.statistics["flown by"] == "NumPy"
    assert compiled.record.statistics["flown by"] == "the compiled program"
    for flight in (by_numpy, compiled):
        assert flight.record.statistics["steps accepted"] > 5
    assert [e.name for e in by_numpy.record.events] == [e.name for e in compiled.record.events]
    times = [[e.time for e in flight.record.events] for flight in (by_numpy, compiled)]
    np.testing.assert_allclose(*times, rtol=1e-11)
    for path in (f"bodies.{body.name}.{side}" for body in scenario.bodies for side in SIDES):
        np.testing.assert_allclose(
            by_numpy.record.series[path], compiled.record.series[path], rtol=1e-11, atol=1e-11
        )


@pytest.fixture
def made(monkeypatch):
    """A list with an item for each attempt by NumPy."""
    made = []
    real = short.Program.attempt.func  # pyright: ignore

    def counted(self):
        attempt = real(self)
        return lambda *args: (made.append(1), attempt(*args))[1]

    monkeypatch.setattr(short.Program, "attempt", property(counted))
    return made


def test_a_study_begins_only_one_long_flight_of_a_structure_by_numpy(made, monkeypatch):
    """A search for a periodic motion flew each of its guesses by NumPy before it was compiled."""
    monkeypatch.setenv(store.SIZE_VARIABLE, "0")
    with short.one_study():
        first = oscillator(30.0).run()
        before = len(made)
        assert before > 0
        oscillator(31.0).run()
        assert len(made) == before
    again = oscillator(30.0).run()
    assert len(made) == 2 * before  # outside of it, a flight does not depend on those before it
    np.testing.assert_array_equal(
        first.record.series["bodies.mass.position"], again.record.series["bodies.mass.position"]
    )


def test_a_long_flight_is_flown_by_the_compiled_program_and_noted(empty_store, made):
    first = oscillator(30.0).run()
    assert first.record.statistics["flown by"] == "the compiled program"
    assert 0 < len(made) <= short.ATTEMPTS
    before = len(made)
    again = oscillator(30.0).run()
    assert len(made) == before  # the store knows it
    for path, values in first.record.series.items():
        np.testing.assert_array_equal(values, again.record.series[path])


def test_the_result_does_not_depend_on_the_store(empty_store, tmp_path, monkeypatch):
    scenario = load(EXAMPLES / "first.toml")
    first, again = scenario.run(), scenario.run()
    monkeypatch.setenv(store.SIZE_VARIABLE, "0")
    without = scenario.run()
    for path, values in first.record.series.items():
        np.testing.assert_array_equal(values, again.record.series[path])
        np.testing.assert_array_equal(values, without.record.series[path])


def test_without_a_store_a_flight_does_not_read_the_source_files(monkeypatch):
    """Reading them for each flight took 30 ms."""

    def read(*_):
        raise AssertionError("the source files are read")

    monkeypatch.setenv(store.SIZE_VARIABLE, "0")
    monkeypatch.setattr(key, "sources", read)
    assert oscillator(0.1).run().record.statistics["flown by"] == "NumPy"


def test_an_interrupt_keeps_the_attempts_by_numpy(monkeypatch):
    made = []
    real = short.Program.attempt.func  # pyright: ignore

    def stopped(self):
        attempt = real(self)

        def once(*args):
            made.append(1)
            if len(made) == 12:
                raise KeyboardInterrupt
            return attempt(*args)

        return once

    monkeypatch.setattr(short.Program, "attempt", property(stopped))
    flight = load(EXAMPLES / "first.toml").run()
    assert not flight.record.completed
    assert 0.0 < flight.record.time[-1] < 6.0
    assert flight.record.statistics["flown by"] == "NumPy"


FREE = short._Limits(sampled=False, max_step=np.inf)
EVENLY = [0.1 * k for k in range(short.PACE + 1)]
"""Times of attempts that advance by 0.1 s."""


@pytest.mark.parametrize("end", [None, 100.0])
def test_the_rest_of_a_flight_is_judged_with_growing_steps(end):
    """40 attempts of up to 10 times the step of 1 s reach 400 s."""
    assert not FREE.is_long([0.0, 0.0], 1.0, end, 40)
    assert end is None or FREE.is_long([0.0, 0.0], 1.0, 100 * end, 40)


def test_a_flight_of_limited_steps_is_judged_by_its_pace():
    """The error control would allow steps of 5 s; the flight advances by 0.1 s: 40 attempts reach 4 s."""
    sampled, short_steps = FREE._replace(sampled=True), FREE._replace(max_step=0.1)
    for limits in (sampled, short_steps):
        assert limits.is_long(EVENLY, 5.0, EVENLY[-1] + 4.1, 40)
        assert not limits.is_long(EVENLY, 5.0, EVENLY[-1] + 3.9, 40)
        assert limits.is_long(EVENLY, 5.0, None, 40)
    assert not FREE.is_long(EVENLY, 5.0, EVENLY[-1] + 4.1, 40)
    events_at_one_time = [*EVENLY[:-2], EVENLY[-3], EVENLY[-2]]
    assert not short_steps.is_long(events_at_one_time, 5.0, None, 40)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3, 4))])
def test_dispersed_numbers_fly_alike_both_ways(seed, monkeypatch):
    """Drawn stiffness and masses: both ways agree to rounding, 1e-10 m after some forty steps."""
    rng = np.random.default_rng(seed)
    scenario = loads(
        OSCILLATOR.replace("END", "0.5").replace("500", f"{rng.uniform(50, 900):.6f}"),
        set={"bodies.mass.mass": float(rng.uniform(5, 40))},
    )
    ends = []
    for attempts in (short.ATTEMPTS, 0):
        monkeypatch.setattr(short, "ATTEMPTS", attempts)
        ends.append(scenario.run().record.series["bodies.mass.position"][-1])
    np.testing.assert_allclose(*ends, rtol=0, atol=1e-10)


def test_a_stop_before_the_compiled_program_keeps_what_numpy_flew(empty_store, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(simulate, "_chunks", stopped)
    flight = oscillator(1000.0).run()
    assert flight.record.outcome.startswith("Interrupted")
    assert flight.record.statistics["flown by"] == "NumPy"
    assert flight.record.statistics["steps accepted"] > 5
    assert 0 < flight.record.time[-1] < 1000
