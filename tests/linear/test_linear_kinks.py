"""Kinks of linear equations: which side derivatives are of, by differences of starts to either side, what
smooth laws are spared, and edges of switches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import draining_stack as stack
from burning import throttled
from interstage.reading import load, loads
from interstage.tree.errors import BadInput

STEP = 1e-6
KINK = "The equations have a kink at the operating point"


def made(text: str, **how: Any) -> Any:
    return loads(text + '\n[phases.fly]\nuntil = { time = "1 s" }\n').linearize(**how)


def hinge(angle: float, more: str) -> str:
    return f"""
joints.hinge = {{ kind = "revolute", axis = "y", parent = "ground", child = "bob" }}
[bodies.bob]
mass = 2
inertia = [3, 4, 3]
initial = {{ through = "hinge", rotation = [0, {angle!r}, 0] }}
{more}
"""


def stopped(angle: float) -> str:
    """As far beyond its stop."""
    stop = 'kind = "hinge_stop"\njoint = "hinge"\naxis = "y"\nstiffness = 100\nupper'
    return hinge(0.0, f"[forces.stop]\n{stop} = {-angle!r}")


def throttle(speed: float, kp: float = 0.5) -> str:
    """A throttle that is at its lower limit at a standstill."""
    text = throttled(500.0, 2000.0, "velocity.x").replace("{}", f"{{ velocity = [{speed!r}, 0, 0] }}")
    return f"{text}kp = {kp}\n"


def falling(speed: float) -> str:
    return throttle(speed, -0.5)


CASES: dict[str, tuple[Callable[[float], str], str, str, float]] = {
    "a stop": (stopped, "joints.hinge.rotation.y", "joints.hinge.rotation_rate.y", -100 / 4),
    "a throttle that closes": (throttle, "bodies.a.velocity.x", "bodies.a.velocity.x", -0.5 * 2000 / 500),
    "a throttle that opens": (falling, "bodies.a.velocity.x", "bodies.a.velocity.x", 0.5 * 2000 / 500),
}


@pytest.mark.parametrize("case", CASES)
def test_the_side_that_is_named_is_the_one_that_derivatives_are_of(case):
    """One side does as in closed form, and the other nothing; so do rates of starts a little aside."""
    text, along, rate, slope = CASES[case]
    here, above, below = (made(text(x)) for x in (0.0, STEP, -STEP))
    row = here.names.index(rate)
    column = here.names.index(along)
    (note,) = (note for note in here.notes if note.startswith(KINK))
    (side,) = (side for side in ("above", "below") if f"{along} (A is valid for values {side})" in note)
    sides = {"above": above, "below": below}
    assert here.A[row, column] == pytest.approx(sides[side].A[row, column], abs=1e-9)
    both = sorted([above.A[row, column], below.A[row, column]], key=abs)
    assert both == [pytest.approx(0, abs=1e-9), pytest.approx(slope, rel=1e-9)]
    if case != "a stop":  # whose angle does not move, but its end
        by_rates = {"above": above.rates[row], "below": -below.rates[row]}
        assert by_rates[side] / STEP == pytest.approx(here.A[row, column], abs=1e-6)


def test_a_command_at_its_limit():
    """B of a throttle that cannot close further; one in between has no kink."""
    linear = made(throttle(0.0), inputs="controls.throttle")
    assert any("controls.throttle (B is valid for values above)" in note for note in linear.notes)
    assert linear.B[linear.names.index("bodies.a.velocity.x"), 0] == pytest.approx(2000 / 500)
    assert made(throttle(-1.0), inputs="controls.throttle").notes == ()


def test_what_is_no_number_is_refused():
    """A body in the centre of gravity itself, by name."""
    text = 'gravity = { kind = "inverse_square", mu = 1 }\n[bodies.a]\nmass = 2\ninertia = [1, 1, 1]\n'
    with pytest.raises(
        BadInput, match=r"at: .* do not exist at the start: bodies.a.position.x, .* are not finite"
    ):
        made(text + "initial = {}\n")


TOUCHING = """
[bodies.ball]
mass = 2
inertia = [1, 1, 1]
initial = { position = [0, 0, HEIGHT] }
[bodies.floor]
mass = 1e9
inertia = [1e9, 1e9, 1e9]
initial = {}
[bodies.floor.shapes.plate]
kind = "box"
at = [0, 0, -1]
size = [10, 10, 2]
[contacts.touch]
body = "ball"
points = [[0, 0, 0]]
against = ["floor"]
stiffness = 1000
friction = 0.3
"""


@pytest.mark.parametrize(("height", "edge"), [(0.0, True), (-1e-8, True), (0.01, False), (-0.01, False)])
def test_the_edge_of_a_contact_is_told(height, edge):
    """Where a touch begins the contact switches, and differences of what is switched do not see it. Friction
    at rest is smooth, with a slope of its own."""
    linear = made(TOUCHING.replace("HEIGHT", f"{height!r}"))
    told = "near a discontinuity, where contacts.touch switches"
    assert any(told in note for note in linear.notes) == edge
    assert not any(note.startswith(KINK) for note in linear.notes)
    row, column = (linear.names.index(f"bodies.ball.{name}") for name in ("velocity.z", "position.z"))
    assert linear.A[row, column] == pytest.approx(-1000 / 2 if height < 0 else 0.0)
    if height == -0.01:
        side = linear.names.index("bodies.ball.velocity.x")
        assert linear.A[side, side] == pytest.approx(-0.3 * 1000 * 0.01 / 2 / 0.001)


def test_a_rod_that_is_bent_far_has_no_kinks():
    """It is stiff along itself, so that what is smooth goes far astray over a step, by its square."""
    linear: Any = load(Path(__file__).parents[2] / "validation/elastica/scenario.toml").linearize()
    assert linear.notes == ()


@pytest.mark.parametrize(
    ("left", "lines", "side"),
    [(60.0, True, "above"), (60.0, False, ""), (30.0, True, ""), (30.0, False, "")],
    ids=["between, lines", "between, a curve", "lowest, lines", "lowest, a curve"],
)
def test_levels_of_modes_are_kinks_where_lines_meet(left, lines, side):
    """Of w^2 by the propellant: straight lines of w meet at 60 kg, and go on below the lowest level."""
    modes = stack.tabled([30.0, 60.0, 150.0])
    more = 'interpolation = "linear"\n' * lines + "coordinate = [0.2, 0, 0]"
    text = stack.scenario(1.0, [0.0, 0, 0], ends=0.1, modes=modes, more=more)
    assert text.count("propellant = 150.0") == 1
    linear: Any = loads(text.replace("propellant = 150.0", f"propellant = {left}")).linearize()
    found = [note for note in linear.notes if note.startswith(KINK)]
    assert len(found) == bool(side)
    assert all(f"streams.core.fuel (A is valid for values {side})" in note for note in found)
    row = linear.names.index("modal.bends.mode_1.rate")
    if lines:
        w = modes.frequency[:, 0]
        k = 1 if left == 60.0 else 0
        slope = (w[k + 1] - w[k]) / (modes.propellant[k + 1] - modes.propellant[k])
        wanted = -2 * w[k] * slope * 0.2
        assert linear.A[row, linear.names.index("streams.core.fuel")] == pytest.approx(wanted, rel=1e-9)
