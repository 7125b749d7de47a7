"""The staggered procedure: its order, the damping of violations, its two sequences, and rows that repeat each
other. Flights through events are in test_own_steps.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interstage as ist
from orders import slope
from stepping import G, Stepper, rods, true_rods

STEPS = 0.01 * 2.0 ** -np.arange(5)
FITTED = 0.15
"""Of an order over these steps: the next terms move it by up to 0.06; another order is a whole off."""
TIME = 1.0


def errors(stepper, steps, count=2, **options):
    """Errors of the centres of mass [m] and of the force at the ground [N] at each step."""
    centres, force = true_rods(count, TIME)
    found = []
    for step in steps:
        x, _, _, lam = stepper.fly(step, round(TIME / step), **options)
        off = np.abs(x[: 3 * count].reshape(3, count).T - centres).max()
        # The rows of the first joint are along the axes of the ground.
        found.append((off, np.abs(lam[:3] - force).max()))
    return np.array(found).T


@pytest.fixture(scope="module")
def from_positions():
    return Stepper(rods(2, "staggered"))


def test_order_two_from_positions(from_positions):
    """Motion and multipliers of two rods, against their equations without multipliers."""
    motion, force = errors(from_positions, STEPS)
    assert slope(STEPS, motion) == pytest.approx(2, abs=FITTED)
    assert slope(STEPS, force) == pytest.approx(2, abs=FITTED)
    assert motion[-1] < 2e-4  # m, of 2 m: what order 2 leaves at 800 steps


def test_violation_of_second_order(from_positions):
    """Gaps and their rates shrink with the square of the step, with nothing that projects them."""
    found = [from_positions.fly(step, round(TIME / step))[1:3] for step in STEPS]
    gap, rate = (np.abs(values).max(1) for values in zip(*found, strict=True))
    assert slope(STEPS, gap) == pytest.approx(2, abs=FITTED)
    assert slope(STEPS, rate) == pytest.approx(2, abs=FITTED)


def test_order_one_from_velocities():
    """Eq 27 by itself, its regularization in proportion to the step: the multipliers lag."""
    stepper = Stepper(rods(2, {"kind": "staggered", "level": "velocity"}))
    motion, force = errors(stepper, STEPS / 4)
    assert slope(STEPS, motion) == pytest.approx(1, abs=FITTED)
    assert slope(STEPS, force) == pytest.approx(1, abs=FITTED)


@pytest.mark.long
def test_twenty_samples_for_the_quickest_period():
    """Stable, as the paper says: three hanging rods, whose quickest small swing takes 0.46 s, for 20 s.

    E lam' + K lam = r is g'' + g'/delta = -E lam', which leaves a gap of delta E times the change of lam
    since the start, with delta = h/2 and E = c h kappa K_jj. For thin rods of 1 kg and 1 m that hang
    straight, K_jj is at most 8 across them, 1/m + (l/2)^2/J = 4 for each of two rods, and the row sum kappa
    is largest along them, for the middle joint: its 2, and 1 beside each of its neighbours' 1 and 2. The
    force across, all the weight times the slope at the start, goes over to its opposite."""
    angle, step, c = 1.3, 0.46 / 20, 0.5
    chain = Stepper(rods(3, "staggered", angle=angle, spin=0.2))
    kappa = 1 + 1 / np.sqrt(2 * 1) + 1 / np.sqrt(2 * 2)
    change = 2 * 3 * G * np.cos(angle) * np.sin(angle)
    bound = step / 2 * c * step * kappa * 8 * change
    assert bound < 0.04  # m, of 3 m
    for count in range(870, 950, 10):
        x, gap, *_ = chain.fly(step, count, regularization=c)
        assert np.isfinite(x).all()
        assert np.abs(gap).max() < bound


# --- one row, where everything is linear ------------------------------------------------------------------

MASS = 3.0


def held_along_x(**options):
    """A body whose translation along x is locked: K is 1/m, and so are kappa and k."""
    formulation: Any = {"kind": "staggered"} | options
    body = ist.Body(name="body", mass=MASS, inertia=[1.0, 1, 1])
    joint = ist.Joint(name="slot", kind="generalized", locked=("tx",), parent="ground", child="body")
    until = (ist.Phase(name="slide", until=ist.Trigger(time=1.0)),)
    return ist.Scenario(
        bodies=(body,), joints=(joint,), phases=until, solver=ist.Solver(formulation=formulation, step=0.1)
    )


def with_speed(stepper, speed):
    """The start, with a velocity along x that the joint forbids."""
    x = np.array(stepper.x)
    x[3] = speed
    return x


@pytest.fixture(scope="module")
def afresh():
    return Stepper(held_along_x())


@pytest.fixture(scope="module")
def lasting():
    return Stepper(held_along_x(restart=None))


@pytest.mark.parametrize("c", [0.75, 2.0])
def test_decay_of_a_violation(afresh, lasting, c):
    """By (s - 1/2)/(s + 1/2) in each step, s = 2 c: multipliers over many steps, in both kinds of
    sequences."""
    s, steps = 2 * c, 24
    for stepper in afresh, lasting:
        x = with_speed(stepper, 1.0)
        # The largest of several neighbours: complex roots swing, and it is met within a factor of two.
        sizes = [
            max(abs(stepper.fly(0.1, n + k, x=x, regularization=c)[3][0]) for k in range(6))
            for n in (steps // 2, steps + steps // 2)
        ]
        assert (sizes[1] / sizes[0]) ** (1 / steps) == pytest.approx(
            (s - 0.5) / (s + 0.5), rel=2 ** (1 / steps) - 1
        )


def test_a_violation_that_does_not_decay(afresh):
    """At s = 1/2 it is only turned round, which is why c is not 1/4."""
    x = with_speed(afresh, 1.0)
    assert afresh.fly(0.1, 3, x=x, regularization=0.25)[0][3] == pytest.approx(-1.0, rel=1e-6)


def test_sequences_that_last_need_an_eighth(afresh, lasting):
    """s below 1/4 is unstable where sequences last, and only there."""
    for c, grows in ((0.13, False), (0.12, True)):
        late = abs(lasting.fly(0.1, 4000, x=with_speed(lasting, 1.0), regularization=c)[3][0])
        assert (late > 1e3) == grows
    assert abs(afresh.fly(0.1, 4000, x=with_speed(afresh, 1.0), regularization=0.12)[0][3]) < 1e-6


# --- the two sequences ------------------------------------------------------------------------------------


def oscillator(restart):
    """A body on a spring of 1 rad/s, without joints."""
    spring = ist.Spring(
        name="spring",
        parent="ground",
        child="body",
        parent_at=[-10.0, 0, 0],
        stiffness=2.0,
        free_length=10.0,
    )
    state = ist.State(position=[0.1, 0, 0])
    formulation: Any = {"kind": "staggered", "restart": restart}
    return ist.Scenario(
        bodies=(ist.Body(name="body", mass=2.0, inertia=[1.0, 1, 1], initial=state),),
        forces=(spring,),
        phases=(ist.Phase(name="swing", until=ist.Trigger(time=1.0)),),
        solver=ist.Solver(formulation=formulation, step=0.1),
    )


def amplitude(stepper, step, count):
    x = stepper.fly(step, count)[0]
    return np.hypot(x[0], x[3])


@pytest.mark.parametrize("restart", [None, 1])
def test_sequences_neither_gain_nor_lose(restart):
    """Up to the limit of central differences, w h = 2, where they last and where they start afresh: the
    amplitude swings about its own, by up to 1/sqrt(1 - (w h/2)^2)."""
    stepper = Stepper(oscillator(restart))
    swing = [amplitude(stepper, 1.5, n) for n in range(400, 410)]
    assert max(swing) < 0.1 * 2
    assert not amplitude(stepper, 2.05, 400) < 0.1 * 100


@pytest.mark.long
def test_a_restart_after_several_steps():
    """Order 2 as well."""
    stepper = Stepper(rods(1, {"kind": "staggered", "restart": 7}))
    motion, _ = errors(stepper, STEPS, count=1)
    assert slope(STEPS, motion) == pytest.approx(2, abs=FITTED)


# --- rows that repeat each other --------------------------------------------------------------------------


@pytest.mark.long
def test_an_attachment_held_twice():
    """A joint twice over: the motion with it once, its load in equal shares."""
    single = rods(1, "staggered")
    twice = (*single.joints, single.joints[0].model_copy(update={"name": "again"}))
    stepper = Stepper(ist.Scenario(**{**dict(single), "joints": twice}))
    motion, _ = errors(stepper, STEPS, count=1)
    assert slope(STEPS, motion) == pytest.approx(2, abs=FITTED)
    coarse, fine = (stepper.fly(step, round(TIME / step))[3] for step in STEPS[-2:])
    _, force = true_rods(1, TIME)
    # Of second order: what is left is a third of what halving the step changed.
    assert np.abs(fine - np.tile(force / 2, 2)).max() < 0.5 * np.abs(fine - coarse).max()
