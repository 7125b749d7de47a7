"""Inputs found so that quantities have given values, and optima: against closed forms, and what is refused.

All flights are of examples/first.toml, so that its programs are compiled once."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import interstage as ist
from interstage.cli import main as cli
from interstage.studies.optimization import OutOfReach
from interstage.studies.optimization.declared import Variable
from interstage.studies.optimization.newton import root
from interstage.studies.optimization.variables import put, unknowns
from interstage.tree.declaration import get
from interstage.tree.errors import BadInput

FIRST = Path(__file__).parent.parent / "examples" / "first.toml"
STIFFNESS, PRELOAD = "devices.spring.stiffness", "devices.spring.preload"
SPEED = "pairs.stage.satellite.separation_speed"
STROKE, REDUCED, FORCE = 0.1, 90.0, 400.0
"""Of the example: the spring's stroke [m], reduced mass of the two bodies [kg], the spring's preload [N]."""
FLIGHTS = 1e-8
"""Flights at a tolerance of 1e-9, of some ten steps."""


def stiffness_for(speed):
    """Stiffness [N/m] from the work of the spring, m v^2 / 2 = (preload - stiffness stroke / 2) stroke."""
    return 2 * (FORCE - 0.5 * REDUCED * speed**2 / STROKE) / STROKE


@pytest.fixture(scope="module")
def first():
    return ist.load(FIRST)


# --- one equation with one unknown


def asked(function, slope):
    """A function with its slope, that counts how often it is asked."""
    calls = []

    def both(x):
        calls.append(x)
        return function(x), slope(x)

    return both, calls


def test_newton_converges_in_its_order():
    both, calls = asked(lambda x: x**3 - 2, lambda x: 3 * x**2)
    found = root(both, 1.0, -np.inf, np.inf, 1.0, 1e-15)
    assert found.reached
    assert found.x == pytest.approx(2 ** (1 / 3), rel=1e-15)
    assert len(calls) == found.steps <= 7  # digits double at each step


@pytest.mark.parametrize("start", [-3.0, 0.1, 2.5, 30.0])
def test_newton_is_kept_where_tangents_lead_away(start):
    # Tangents of the arc tangent lead away for good from beyond 1.39.
    both, _ = asked(lambda x: math.atan(x - 0.3), lambda x: 1 / (1 + (x - 0.3) ** 2))
    found = root(both, start, -50.0, 50.0, 1.0, 1e-14)
    assert found.reached
    assert found.x == pytest.approx(0.3, abs=1e-13)


def test_newton_says_what_stops_it():
    low = root(lambda x: (x - 1, 1.0), 5.0, 2.0, 9.0, 1.0, 1e-12)
    assert (low.x, low.reached, low.why) == (2.0, False, "that is the lowest allowed")
    flat = root(lambda x: (3.0, 0.0), 5.0, 2.0, 9.0, 1.0, 1e-12)
    assert (flat.reached, flat.why) == (False, "it does not move with it there")
    least = root(lambda x: (x**2 + 1, 2 * x), 5.0, -9.0, 9.0, 1.0, 1e-12)
    assert not least.reached
    assert least.residual == pytest.approx(1.0, rel=1e-6)
    assert "goes away again" in least.why or "does not move" in least.why
    jump = root(lambda x: (x + math.copysign(1.0, x - 0.1), 1.0), 5.0, -9.0, 9.0, 1.0, 1e-12)
    assert (jump.reached, jump.why) == (False, "it jumps there")


def test_newton_goes_up_to_where_there_is_no_value():
    def both(x):
        return (math.log(x) if x > 0.5 else np.nan, 1 / x)

    beyond = root(lambda x: both(x + 0.0), 5.0, -9.0, 9.0, 1.0, 1e-12)
    assert beyond.x == pytest.approx(1.0, rel=1e-12)
    ended = root(lambda x: (both(x)[0] + 2, both(x)[1]), 5.0, -9.0, 9.0, 1.0, 1e-12, lambda x: f"at {x:.3f}")
    assert not ended.reached
    assert ended.x == pytest.approx(0.5, abs=1e-5)
    assert ended.why == "at 0.500"


# --- variables


def test_variables_keep_what_their_inputs_have(first):
    several = Variable(name="push", path=(PRELOAD, "devices.spring.energy"), delta="5 %")
    with pytest.raises(BadInput, match="not set"):
        unknowns(first, [several])
    masses = Variable(name="masses", path="bodies.*.mass", delta="5 %")
    (one,) = unknowns(first, [masses])
    assert (one.start, one.low, one.high, one.scale, one.unit) == (100.0, 95.0, 105.0, 5.0, "%")
    changed = put(first, (one,), [104.0])
    assert [float(body.mass) for body in changed.bodies] == pytest.approx([936.0, 104.0], rel=1e-15)
    (step,) = unknowns(first, [masses.model_copy(update={"delta": "10 kg"})])
    changed = put(first, (step,), [4.0])
    assert [float(body.mass) for body in changed.bodies] == [904.0, 104.0]
    with pytest.raises(BadInput, match="say where to begin"):
        unknowns(first, [masses.model_copy(update={"delta": None})])
    (same,) = unknowns(first, [masses.model_copy(update={"delta": None, "start": "200 kg"})])
    assert [float(body.mass) for body in put(first, (same,), [same.start]).bodies] == [200.0, 200.0]
    (corner,) = unknowns(first, [Variable(name="x", path="bodies.stage.inertia[0, 0]", low=300, high=500)])
    assert put(first, (corner,), [333.0]).bodies[0].inertia[0, 0] == 333.0


# --- solve


def test_stiffness_for_a_speed(first, tmp_path):
    file = tmp_path / "found.toml"
    with pytest.MonkeyPatch.context() as patch:
        words = [str(FIRST), "--find", STIFFNESS, "--so-that", f"{SPEED}@end = 0.8 m/s", "-o", str(file)]
        patch.setattr("sys.argv", ["interstage", "solve", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    assert ended.value.code == 0
    found = ist.load(file)
    # The speed's slope is -stroke^2 / (2 m v): 7e-5 (m/s)/(N/m).
    assert float(get(found, STIFFNESS)) == pytest.approx(stiffness_for(0.8), rel=FLIGHTS)
    assert found.run().value(SPEED, "end") == pytest.approx(0.8, rel=FLIGHTS)


def test_out_of_reach_says_the_nearest(first):
    with pytest.raises(OutOfReach) as found:
        first.solve(STIFFNESS, f"{SPEED}@end = 1 m/s")  # a spring of no stiffness gives 0.943 m/s
    assert "1 m/s cannot be reached: the nearest is 0.942809 m/s" in str(found.value)
    assert "that is the lowest allowed" in str(found.value)
    with pytest.raises(OutOfReach, match=r"beyond 4000 N/m the scenario is refused: devices\.spring\.stroke"):
        first.solve(f"{STIFFNESS}=1 kN/m:9 kN/m", f"{SPEED}@end = 0.6 m/s")


def test_two_inputs_for_two_quantities(first):
    # The speed by the work of the spring; the band holds until it is let go: its time, and that of the end.
    so_that = (f"{SPEED}@end = 0.8 m/s", "time@apart = 1.3 s")
    found = first.solve((STIFFNESS, "phases.joined.until.time"), so_that)
    assert found[STIFFNESS] == pytest.approx(stiffness_for(0.8), rel=FLIGHTS)
    assert found["phases.joined.until.time"] == pytest.approx(1.3, rel=FLIGHTS)
    assert [met.now for met in found.met] == pytest.approx([0.8, 1.3], rel=FLIGHTS)


def test_what_cannot_be_read_is_told_at_once(first):
    with pytest.raises(BadInput) as found:
        first.solve(
            ["devices.spring.stifness", "bodies.stage.inertia", f"{PRELOAD}=9 N:1 N", "bodies.stage.name"],
            [f"{SPEED}@end = 1 kg", "nix@end = 1", "system.energy@neverland = 3 J"],
        )
    text = str(found.value)
    for said in (
        "devices.spring.stifness: unknown path; did you mean 'stiffness'?",
        "bodies.stage.inertia: has 3 by 3 numbers, and a variable is one: name an element",
        f"{PRELOAD}: low, 9, is more than high, 1; exchange or change them",
        "bodies.stage.name: is a text",
        "1 kg cannot be compared with pairs.stage.satellite.separation_speed, which is in m/s",
        "there is no quantity 'nix'",
        "there is no event 'neverland'",
    ):
        assert said in text
    with pytest.raises(BadInput) as found:
        first.solve([f"{PRELOAD}=9 N", ""], ["time@end", "@end = 1 s", "time@end = much"])
    assert len(found.value.problems) == 5
