"""Formulations that step by themselves, through events, in lanes and in derivatives: a rod on a ball joint
that is released and caught again, by a hinge."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interstage as ist
from engine_door import lift, mechanism_of, own_step, quickly, start_of
from interstage.runs import run as simulate
from stepping import rods

WAYS: dict[str, Any] = {
    "staggered": "staggered",
    "lasting": {"kind": "staggered", "restart": 5},
    "baumgarte": "simultaneous",
    "simultaneous": {"kind": "simultaneous", "treatment": "staggered"},
}
FALLEN = ist.Trigger(quantity="bodies.rod0.position.z", reaches=-0.3)
PHASES = (
    ist.Phase(name="swing", until=FALLEN),
    ist.Phase(name="apart", until=ist.Trigger(elapsed=0.055), release=("joint0",)),
    ist.Phase(
        name="hinged",
        until=ist.Trigger(elapsed=0.2),
        replace=(ist.Replacement(joint="joint0", kind="revolute", axis="y"),),
    ),
)
SAMPLES = ist.Output(interval=0.05)


def swinging_rod(formulation, step=0.01, phases=PHASES) -> Any:
    drawn = rods(1, formulation, step=step)
    return drawn.model_copy(update={"phases": phases, "output": SAMPLES})


@cache
def truth():
    adaptive = ist.Solver(tolerance=1e-11)
    return simulate.fly(swinging_rod("lagrange_multiplier").model_copy(update={"solver": adaptive}))


def misses(formulation, step):
    """Differences from the truth: time of the trigger [s]; states at the end; loads after the start and the
    capture, relative to the largest."""
    record, true = simulate.fly(swinging_rod(formulation, step)), truth()
    assert record.completed
    ends = [
        np.abs(record.series[path][-1] - true.series[path][-1]).max()
        for path in ("bodies.rod0.position", "bodies.rod0.angular_velocity")
    ]
    force, expected = record.after["joints.joint0.force"], true.after["joints.joint0.force"]
    assert (force[1] == 0).all()
    load = np.abs(force - expected).max() / np.abs(expected).max()
    return np.array([abs(record.events[1].time - true.events[1].time), *ends, load])


@pytest.mark.long
def test_order_two_through_events():
    """A trigger on a height, a release, and a capture by an impulse: a quarter of the step, a sixteenth of
    the difference."""
    coarse, fine = misses("staggered", 0.01), misses("staggered", 0.0025)
    assert (coarse / fine > 10).all(), coarse / fine
    assert (fine < 2e-3).all(), fine


@pytest.mark.long
def test_simultaneous_steps_through_events():
    """The same events, as near to the truth."""
    assert (misses(WAYS["simultaneous"], 0.0025) < 2e-3).all()


# --- one step: lanes and derivatives ----------------------------------------------------------------------


@cache
def one_step(way):
    """One step as a function of x and its length h, with lanes; the same compiled; the start in one lane."""
    drawn = rods(1, WAYS[way], step=0.05)
    begun = jax.tree.map(lambda a: np.asarray(a)[..., None], start_of(drawn))
    drawn = lift(drawn)

    def advance(x, h):
        flown = mechanism_of(drawn, h.shape, leaves=drawn, begun=begun)
        spread = jax.tree.map(lambda a: jnp.broadcast_to(a, (*a.shape[:-1], *h.shape)), begun.discrete)
        return own_step(flown, 0 * h, h, x, spread)

    return advance, quickly(advance), begun.x


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, marks=[pytest.mark.long] if way in ("lasting", "baumgarte") else []) for way in WAYS],
)
def test_lanes_are_single_steps(way):
    """Lanes at the start and further on, one step long and half of one, next to each other."""
    _, advance, x = one_step(way)
    later = advance(x, jnp.array([0.05]))
    both = advance(jnp.concatenate([x, later], 1), jnp.array([0.025, 0.05]))
    alone = advance(x, jnp.array([0.025])), advance(later, jnp.array([0.05]))
    assert both == pytest.approx(np.concatenate(alone, 1), abs=1e-12)


@pytest.mark.parametrize("way", ["staggered", pytest.param("simultaneous", marks=pytest.mark.long)])
def test_derivatives_of_a_step(way):
    """Forward, reverse, and differences, of the state after the second step."""
    plain, advance, x = one_step(way)
    h = jnp.array([0.05])
    x = advance(x, h)
    change, weights = np.zeros(x.shape), np.random.default_rng(4).standard_normal(x.shape)
    change[3:13] = np.random.default_rng(3).standard_normal((10, 1))
    forward = quickly(lambda x, change: jax.jvp(lambda x: plain(x, h), (x,), (change,))[1])(x, change)
    reverse = quickly(lambda x, weights: jax.vjp(lambda x: plain(x, h), x)[1](weights)[0])(x, weights)
    assert np.sum(forward * weights) == pytest.approx(float(np.sum(reverse * change)), rel=1e-9)
    off, bodies = 1e-5, slice(0, 13)
    difference = (advance(x + off * change, h) - advance(x - off * change, h)) / (2 * off)
    assert np.asarray(forward)[bodies] == pytest.approx(np.asarray(difference)[bodies], abs=1e-6)
