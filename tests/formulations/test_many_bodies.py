"""Chains and trees of many bodies: what must not grow with the square of their number, and what they do."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interstage as ist
from engine_door import Mechanism
from interstage.model.attachments import pick
from interstage.programs import compiled, program
from interstage.quantities.catalogue import catalogue
from interstage.runs import run as simulate

ROD = 1.0
"""Length of the rods [m]."""


def hanging(bodies: int, above=lambda k: k - 1, placed: bool = True, **options: Any) -> ist.Scenario:
    """Rods, each on a ball joint at the end of the one above it, the first on the ground, all horizontal.

    placed: each has a state of its own, otherwise they are placed through their joints."""
    ends, rods, joints = [np.zeros(3)], [], []
    for k in range(bodies):
        start = ends[above(k) + 1] if k else ends[0]
        ends.append(start + np.array([ROD, 0, 0]))
        initial = ist.State(position=start + np.array([ROD / 2, 0, 0])) if placed else None
        rods.append(ist.Body(name=f"rod_{k}", mass=1.0, inertia=[0.01, 0.09, 0.09], initial=initial))
        joints.append(
            ist.Joint(
                name=f"ball_{k}", kind="spherical", child=f"rod_{k}", child_at=[-ROD / 2, 0, 0],
                parent=f"rod_{above(k)}" if k else "ground", parent_at=[ROD / 2, 0, 0] if k else [0, 0, 0],
            )
        )  # fmt: skip
    solver = {"method": "rk4", "step": 1e-3} | options.pop("solver", {})
    return ist.Scenario(
        bodies=tuple(rods),
        joints=tuple(joints),
        gravity=ist.UniformGravity(acceleration=[0, 0, -9.81]),
        phases=(ist.Phase(name="fall", until=ist.Trigger(time=0.02)),),
        solver=ist.Solver(**solver),
        **options,
    )


def test_pairs_of_many_bodies():
    """All have names; listed are those that something connects or a requirement names."""
    wanted = ist.Requirement(name="apart", quantity="pairs.rod_13.rod_2.distance", min="1 m")
    many = catalogue(hanging(14, requirements=(wanted,)))
    listed = {tuple(path.split(".")[1:3]) for path in many if path.startswith("pairs.")}
    beside = {(f"rod_{k}", f"rod_{k + 1}") for k in range(13)}
    assert listed == beside | {(b, a) for a, b in beside} | {("rod_13", "rod_2")}
    assert many["pairs.rod_0.rod_9.distance"].meta.unit == "m"
    for path in ("pairs.rod_0.rod_0.distance", "pairs.rod_0.rod_99.distance", "pairs.rod_0.rod_1.colour"):
        assert path not in many
    few = catalogue(hanging(12))
    assert sum(path.endswith(".distance") for path in few) == 12 * 11


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("index", [[3], [2, 0, 3, 3], [[1, 1, 0], [3, 2, 1]]])
def test_entries_are_picked_along_an_axis(axis, index):
    array = np.arange(80.0).reshape(4, 5, 4)
    np.testing.assert_array_equal(pick(jnp.asarray(array), index, axis), np.take(array, index, axis))


def test_entries_that_are_not_there_are_not_picked():
    """The program itself does not look."""
    for index in ([4], [-1]):
        with pytest.raises(AssertionError):
            pick(jnp.zeros((4, 2)), index, 0)


def advance_of(scenario: ist.Scenario) -> Any:
    """The equations of the program that flies a scenario (a jaxpr)."""
    whole = program.program_for(scenario)
    begun = whole.begin(scenario, 0.0)
    cursor = whole.cursor(scenario, begun.reference, 0.0, begun.x, begun.discrete)
    return whole.advance.trace(scenario, begun.reference, 0.0, cursor).jaxpr


def test_what_is_compiled_does_not_grow_with_the_number_of_bodies():
    """Neither its equations nor its arguments: the numbers of all bodies enter side by side, and those of
    each by itself, which nothing reads, do not. They doubled the compiler's time at 300 bodies. (Up to a
    dozen axes the rows are picked one by one, which takes other equations.)"""
    few, many = advance_of(hanging(15)), advance_of(hanging(40))
    assert compiled.equations(few) == compiled.equations(many)
    assert len(few.invars) < len(many.invars)
    assert len(compiled.read_by(few)) == len(compiled.read_by(many)) < 50


def test_a_start_that_is_right_is_corrected_once(monkeypatch):
    """Corrections go on until one leaves only rounding, not a fixed number of times."""
    found, closed = [], Mechanism.close_loops

    def counted(self, t, x, *rest, **options):
        found.append(x)
        return closed(self, t, x, *rest, **options)

    monkeypatch.setattr(Mechanism, "close_loops", counted)
    program.program_for(hanging(15)).begin(hanging(15), 0.0)
    assert len(found) == 1


def test_large_arrays_fit_one_kernel():
    """Work on them is not split among threads, for which the compiler takes calls that a kernel cannot make:
    the flight of a thousand bodies was compiled in the slow way without a word."""
    program.configure()

    def grow(x):
        return jax.lax.fori_loop(0, 3, lambda _, x: 2.0 * x + jnp.flip(x), x)

    options = {**compiled.FOR_ALL, **compiled.ONE_THREAD}
    whole = jax.jit(compiled.as_one_kernel(grow), compiler_options=options)
    np.testing.assert_array_equal(whole(jnp.ones(200_000)), 27.0)


def test_rows_flown_at_once_fit_their_size():
    """All that are asked for where bodies are few; the same memory where they are many."""
    few, many = hanging(2), hanging(300)
    assert simulate.rows_at_once(few, 2048) == 2048
    rows = simulate.rows_at_once(many, 2048)
    assert simulate.FEWEST_ROWS < rows < 2048
    # Each has the states of both its ends.
    state = 13 * 300 * np.dtype(float).itemsize
    assert simulate.ROW_MEMORY - 2 * state < 2 * rows * state <= simulate.ROW_MEMORY
