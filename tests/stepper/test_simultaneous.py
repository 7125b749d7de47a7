"""Implicit trapezoidal steps: their order with either treatment, their iterations, and where they fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interstage as ist
from engine_door import iterations
from interstage.runs import run as simulate
from orders import slope
from stepping import Stepper, rods, true_rods

STEPS = 0.02 * 2.0 ** -np.arange(4)
TIME = 1.0
BRIEF = (ist.Phase(name="brief", until=ist.Trigger(time=0.2)),)


def simultaneous(treatment="baumgarte", **options) -> Any:
    return {"kind": "simultaneous", "treatment": treatment} | options


@pytest.fixture(scope="module", params=["baumgarte", pytest.param("staggered", marks=pytest.mark.long)])
def stepper(request):
    return Stepper(rods(2, simultaneous(request.param), eta=5.0))


def test_order_two(stepper):
    """Motion, loads and violations of two rods, against their equations without multipliers."""
    centres, force = true_rods(2, TIME)
    found = []
    for step in STEPS:
        x, gap, _, lam = stepper.fly(step, round(TIME / step))
        off = np.abs(x[:6].reshape(3, 2).T - centres).max()
        found.append((off, np.abs(lam[:3] - force).max(), np.abs(gap).max()))
    for errors in zip(*found, strict=True):
        # Terms of the next order, a few per cent of the error in the longest step, move the slope by that.
        assert slope(STEPS, errors) == pytest.approx(2, abs=0.05)


def test_fewer_iterations_in_shorter_steps(stepper):
    """The iteration converges by a factor that goes to zero with the step."""
    mean = [iterations(stepper.scenario, stepper.fly(step, 50)[0]) / 50 for step in STEPS]
    assert mean == sorted(mean, reverse=True)
    assert mean[-1] > 2


def test_tolerance_of_the_iteration(stepper):
    """A looser tolerance takes fewer iterations and changes the motion by about itself."""
    tight, loose = (stepper.fly(0.01, 100, tolerance=tolerance)[0] for tolerance in (1e-10, 1e-4))
    assert iterations(stepper.scenario, loose) < 0.75 * iterations(stepper.scenario, tight)
    n = 26  # positions, velocities, attitudes and rates of two rods
    assert 1e-8 < np.abs(loose[:n] - tight[:n]).max() < 100 * 1e-4


def test_iterations_grow_with_the_gain():
    """With Baumgarte's treatment a change of a rate of violation leaves eta h + (eta h)^2/4 of itself for the
    next iteration, so that the number of iterations follows from the tolerance; above 1 there is no end."""
    stepper = Stepper(rods(1, simultaneous(), eta=5.0))

    def mean(gain, tolerance):
        solver = stepper.scenario.solver.model_copy(update={"eta": np.asarray(gain / 0.01)})
        stepper.scenario = stepper.scenario.model_copy(update={"solver": solver})
        return iterations(stepper.scenario, stepper.fly(0.01, 20, tolerance=tolerance)[0]) / 20

    for gain in (0.2, 0.4, 0.55):
        more = mean(gain, 1e-9) - mean(gain, 1e-5)
        assert more == pytest.approx(np.log(1e-4) / np.log(gain + gain**2 / 4), rel=0.15)


@pytest.mark.parametrize(("gain", "ends"), [(0.75, False), (0.9, True)])
def test_a_step_that_does_not_converge(gain, ends):
    """The flight ends there and says why; eta h + (eta h)^2/4 is 1 at eta h = 0.83."""
    choice = simultaneous(max_iterations=150, tolerance=1e-5)
    record = simulate.fly(rods(1, choice, eta=gain / 0.02, step=0.02).model_copy(update={"phases": BRIEF}))
    assert record.completed != ends
    assert ("did not converge in 150 iterations. Reduce solver.step or" in record.outcome) == ends


@pytest.mark.long
def test_statistics_of_a_flight():
    """The number of iterations is told with the steps."""
    record = simulate.fly(rods(1, simultaneous("staggered"), step=0.02).model_copy(update={"phases": BRIEF}))
    assert record.completed
    assert 2 < record.statistics["iterations"] / record.statistics["steps accepted"] < 10
