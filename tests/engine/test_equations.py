"""How much is compiled: the equations of `advance`, the one program that a flight compiles.

Tracing, lowering and compiling take about a millisecond an equation, all of it in the way of a first answer.
The starts (`begin`, `cursor`) and the record (`observe`) are computed by NumPy, and have no equations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from jax.extend.core import jaxpr_as_fun

from interstage import load
from interstage.programs import compiled, store
from interstage.programs import simplify as lean
from interstage.programs.program import QUICK, configure, program_for
from interstage.runs.run import ROWS_AT_ONCE, fly, recorded_steps, resolve_scenario, rows_at_once, start

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
AT_MOST = {"payload_separation": 3131, "inline_staging": 5064, "ascent": 6223}
"""Equations that `advance` of an example may have, those of its loops and branches included: a ratchet,
lowered with whatever makes them fewer. Counted with the JAX of constraints.txt; another one may split
functions of its own into more. In 2026 they rose by up to 12 %, so that steps see layers of air and intervals
of tables that they cross (9 %), the rounding of what events wait for (2 %), and bodies that sink
from the ground (1 %)."""
COMPILATIONS = "/jax/core/compile/backend_compile_duration"


def equations(jaxpr: Any) -> int:
    """The equations of a jaxpr and of all that are nested in it."""
    return sum(1 + sum(equations(inner) for inner in _nested(e.params.values())) for e in jaxpr.eqns)


def _nested(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (tuple, list)):
            yield from _nested(value)
        elif hasattr(value, "jaxpr"):
            yield value.jaxpr
        elif hasattr(value, "eqns"):
            yield value


def test_what_nobody_reads_is_left_out_of_loops_and_branches_too():
    def function(x):
        def twice(carry):
            x, y = carry
            _ = jax.jit(lambda x: x * 3.0)(x) + 1.0  # nobody reads it
            return jax.lax.cond(x > 1.0, lambda x: (x + x, x * 5.0)[0], lambda x: x * x * x, x), y + 1.0

        return jax.lax.while_loop(lambda carry: carry[0] < 9.0, twice, (x, x))

    def same(x):
        def twice(carry):
            x, y = carry
            return jax.lax.cond(x > 1.0, lambda x: x + x, lambda x: x * x * x, x), y + 1.0

        return jax.lax.while_loop(lambda carry: carry[0] < 9.0, twice, (x, x))

    whole = jax.make_jaxpr(function)(2.0)
    made = lean.lean(whole)
    assert equations(made.jaxpr) == equations(jax.make_jaxpr(same)(2.0).jaxpr) < equations(whole.jaxpr)
    for x in (1.5, 2.0):
        assert jaxpr_as_fun(made)(x) == [*function(x)]


def test_what_stands_there_twice_or_is_taken_apart_again_is_left_out():
    def function(x, y):
        one = jax.numpy.stack([jax.numpy.sin(x), y])
        both = jax.numpy.concatenate([one[0], jax.numpy.sin(x) * one[1]])
        branch = jax.lax.cond(x[0] > 1.0, lambda x: x * x + x * x, lambda x: x + 0.0 * x + -0.0 * x, x)
        return both[3:] + branch, both[:3]

    def same(x, y):
        sine = jax.numpy.sin(x)
        branch = jax.lax.cond(x[0] > 1.0, lambda x: 2 * (x * x), lambda x: x + 0.0 * x + -0.0 * x, x)
        return sine * y + branch, sine

    x, y = np.array([0.3, 0.5, -2.0]), np.array([0.1, -4.0, 2.0])
    whole = jax.make_jaxpr(function)(x, y)
    made = lean.lean(whole)
    assert equations(made.jaxpr) == equations(jax.make_jaxpr(same)(x, y).jaxpr) < equations(whole.jaxpr)
    for at in (x, 4 * x):
        found = jaxpr_as_fun(made)(at, y)
        np.testing.assert_array_equal(found, function(at, y))
        np.testing.assert_allclose(found, same(at, y), rtol=1e-15)


def test_functions_in_functions_are_put_in_their_places(monkeypatch):
    """Values are told by their addresses: those that stand for others must live on, or one that is made later
    is taken for them, as it was once."""
    rooms: list[Any] = []

    class Room(lean._Room):
        def __init__(self, *given):
            super().__init__(*given)
            rooms.append(self)

    monkeypatch.setattr(lean, "_Room", Room)
    inner = jax.jit(lambda x: jax.numpy.sin(x) * 2.0)
    outer = jax.jit(lambda x: inner(x) * inner(x + 1.0))
    x = np.linspace(0.1, 0.9, 4)
    whole = jax.make_jaxpr(lambda x: outer(outer(x)))(x)
    found = lean.lean(whole)
    assert [one.primitive.name for one in found.jaxpr.eqns] == 2 * ["sin", "mul", "add", "sin", "mul", "mul"]
    np.testing.assert_array_equal(jaxpr_as_fun(found)(x)[0], jaxpr_as_fun(whole)(x)[0])
    for room in rooms:
        alive = {id(value) for equation in room._put_in for value in equation.outvars}
        assert room._stands_for.keys() <= alive


def of_advance(name: str) -> int:
    """The equations of the program that flies an example as `interstage run` does."""
    scenario = resolve_scenario(load(EXAMPLES / f"{name}.toml"))
    program = program_for(scenario, (), recorded_steps(scenario), rows_at_once(scenario, ROWS_AT_ONCE))
    first = start(program, scenario)
    cursor = program.cursor(scenario, first.reference, first.time, first.x, first.discrete)
    return equations(program.advance.trace(scenario, first.reference, first.time, cursor).jaxpr)


def test_equations_are_counted_with_those_of_loops_and_branches():
    def function(x):
        def twice(x):
            return jax.lax.cond(x > 1.0, lambda x: x + x, lambda x: x * x * x, x)  # gt, convert, cond; 1; 2

        return jax.lax.while_loop(lambda x: x < 9.0, twice, x)  # while; lt

    plain = [e.primitive.name for e in jax.make_jaxpr(function)(2.0).jaxpr.eqns]
    assert plain == ["while"]
    assert equations(jax.make_jaxpr(function)(2.0).jaxpr) == 8


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] if n == "inline_staging" else []) for n in AT_MOST]
)
def test_a_flight_compiles_no_more_equations_than_before(name):
    configure()
    count, most = of_advance(name), AT_MOST[name]
    assert count <= most, (
        f"`advance` of {name} has {count} equations, at most {most} are allowed: look what your change adds,"
        " and lower the number when it shrinks (AT_MOST in tests/engine/test_equations.py)"
    )


def test_a_first_flight_compiles_one_program(tmp_path, monkeypatch):
    """Its start, its record and its events by NumPy: no other program, nor any function of JAX's own."""
    monkeypatch.setenv(store.FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.delenv(store.SIZE_VARIABLE, raising=False)
    monkeypatch.setattr("interstage.runs.short.ATTEMPTS", 0)
    configure()
    # Asks the compiler, once in a process.
    compiled.known_options({**compiled.FOR_ALL, **QUICK, **compiled.ONE_THREAD})
    heard: Counter[str] = Counter()
    waits: Counter[str] = Counter()

    def hear(event: str, duration_secs: float, **_: Any) -> None:
        heard.update([event])

    jax.monitoring.register_event_duration_secs_listener(hear)
    with compiled.listening(lambda wait: waits.update([wait.name] if not wait.over else [])):
        record = fly(load(EXAMPLES / "first.toml"))
    assert record.completed
    assert waits == {"advance": 1}
    assert heard[COMPILATIONS] == 1
