"""Linear equations of what has many states of its own: beams relative to their clamps, against closed forms
and against themselves from elsewhere, and what the terminal shows of them."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from interstage.cli.main import main
from interstage.reading import loads
from mechanics import EPS

BENDING, MASS, LENGTH = (50.0, 30.0), 0.54, 1.5
HUB = f"""
[bodies.hub]
mass = 3.0
inertia = [1e9, 1e9, 1e9]
initial = {{ through = "axle", rotation = [0, 0, AZIMUTH], relative_angular_velocity = [0, 0, SPIN] }}
[joints.axle]
kind = "revolute"
axis = "z"
parent = "ground"
child = "hub"
[forces.boom]
kind = "beam"
parent = "hub"
length = {LENGTH}
elements = ELEMENTS
[forces.boom.section]
kind = "stiffness"
axial_stiffness = 1e6
shear_stiffness = [1e12, 1e12]
torsional_stiffness = 2.0
bending_stiffness = [{BENDING[0]}, {BENDING[1]}]
mass = {MASS}
rotary_inertia = [1e-7, 1e-7]
[phases.fly]
until = {{ time = "1 s" }}
"""


@pytest.mark.parametrize(("arm", "share"), [(0.0, 1.0), (0.3, 1.0), (0.6, 1.0), (0.0, 0.0), (0.3, 0.5)])
def test_roll_of_what_drains_grows_or_decays(arm, share):
    """J w' = -(J' + m_s rho^2) w: a liquid that turns with its tank leaves what it turned with behind, and
    nozzles off the axis take some away."""
    flow, radius, dry, fuel = 40.0, 0.6, 3e3, 8e3
    nozzle = "[engines.{name}]\nkind = 'engine'\nbody = 'core'\nat = [-9.5, {at}, 0]\ndirection = [1, 0, 0]\n"
    nozzle += f"thrust = 1e4\nmass_flow = {flow / 2}\nignited = true\nfeeds = {{{{ 'core.fuel' = 1.0 }}}}\n"
    text = f"""
gravity = {{ kind = "none" }}
[bodies.core]
mass = 4e3
inertia = [{dry}, 9e4, 9e4]
initial = {{}}
[bodies.core.elements.fuel]
kind = "cylinder"
bottom = [-6, 0, 0]
axis = [1, 0, 0]
radius = {radius}
density = 1000
propellant = {fuel}
roll_fraction = {share}
{nozzle.format(name="left", at=arm)}{nozzle.format(name="right", at=-arm)}
[phases.fly]
until = {{ time = "1 s" }}
"""
    linear: Any = loads(text).linearize()
    k = linear.names.index("bodies.core.angular_velocity.x")
    turning = share * fuel * radius**2 / 2
    wanted = flow * (share * radius**2 / 2 - arm**2) / (dry + turning)
    assert linear.A[k, k] == pytest.approx(wanted, rel=1e4 * EPS, abs=1e4 * EPS)
    # Nothing else depends on roll of what stands symmetrical, so that this is the eigenvalue.
    assert np.min(np.abs(linear.eigenvalues - wanted)) <= 1e-9
    assert wanted == 0 or (wanted > 0) == (arm < radius * np.sqrt(share / 2))


def hub(elements: int, azimuth: float = 0.0, spin: float = 0.0) -> Any:
    text = HUB.replace("ELEMENTS", str(elements)).replace("AZIMUTH", str(azimuth)).replace("SPIN", str(spin))
    return loads(text)


def slowest(linear: Any, axis: str, elements: int) -> float:
    """Angular frequency [1/s] of the slowest mode of the clamped beam whose end moves along an axis most; the
    hub is so heavy that it goes on as it does."""
    own = [k for k, state in enumerate(linear.states) if state.thing == "beam boom"]
    values, vectors = np.linalg.eig(linear.A[np.ix_(own, own)])
    names = [linear.names[k] for k in own]
    end = [names.index(f"beams.boom.segment_{elements}.position.{one}") for one in "xyz"]
    twist = names.index(f"beams.boom.segment_{elements}.turn.x")
    found = []
    for value, vector in zip(values, vectors.T, strict=True):
        place = abs(vector[end])
        if value.imag > 0 and max(place) > abs(vector[twist]) and "xyz"[int(np.argmax(place))] == axis:
            found.append(value.imag)
    return min(found)


def test_names_tell_segment_and_coordinate():
    """Twelve of a segment, no part of a quaternion, and no eigenvalue for what keeps one of unit length."""
    linear = hub(3).linearize()
    assert linear.names[2:5] == [f"beams.boom.segment_1.position.{axis}" for axis in "xyz"]
    own = [state for state in linear.states if state.thing == "beam boom"]
    assert len(own) == 36
    assert {state.unit for state in own} == {"m", "rad", "m/s", "rad/s"}
    assert [state.kind for state in own[:12]] == ["coordinate"] * 6 + ["rate"] * 6
    np.testing.assert_allclose(linear.x0[2:5], [LENGTH / 6, 0, 0], rtol=0, atol=EPS)
    assert linear.standing == "rests"
    assert sum(mode.zero for mode in linear.modes) == 2  # the hub's angle, and its rate
    assert linear.taking_part(linear.modes[-1]).keys() <= {"beam boom", "joint axle"}


def test_frequencies_of_a_cantilever():
    """cos x cosh x = -1, by extrapolation from two numbers of segments; what is left is of the next order, of
    which (k h)^4/60 is the size (see `validation/beam-frequencies`)."""
    root: Any = brentq(lambda x: np.cos(x) + 1 / np.cosh(x), 1.5, 2.2, xtol=1e-14)
    for bending, axis in zip(BENDING, "zy", strict=True):
        coarse, fine = (slowest(hub(count).linearize(), axis, count) for count in (6, 12))
        truth = (root / LENGTH) ** 2 * np.sqrt(bending / MASS)
        assert (4 * fine - coarse) / 3 == pytest.approx(truth, rel=(root / 6) ** 4 / 60)
        assert abs(coarse / truth - 1) > (root / 6) ** 4 / 60  # which is what is looked at


def test_a_beam_that_turns_has_constant_equations():
    """They are the same wherever the hub stands, and however fast it turns: in inertial axes these would turn
    with it. Stretch is not there yet, so that across the plane of the turn the beam swings as at rest; in it,
    w^2 falls by the square of the spin, as the middles of segments fly outwards."""
    rest, spin = hub(6).linearize(), 1.5
    first, second = (hub(6, azimuth, spin).linearize() for azimuth in (0.3, 2.0))
    bound = 1e3 * EPS * np.max(np.abs(first.A))  # turned there and back by products of matrices
    np.testing.assert_allclose(second.A, first.A, rtol=0, atol=bound)
    own = [first.names.index(f"beams.boom.segment_3.velocity.{axis}") for axis in "xyz"]
    coriolis = [[0, 2 * spin, 0], [-2 * spin, 0, 0], [0, 0, 0]]
    np.testing.assert_allclose(first.A[np.ix_(own, own)], coriolis, rtol=0, atol=bound)
    still = [first.x0[k] for k, state in enumerate(first.states) if state.unit in ("m/s", "rad/s")][1:]
    np.testing.assert_allclose(still, 0, rtol=0, atol=bound)  # all but the hub, relative to their clamp
    across = [slowest(one, "z", 6) for one in (rest, first)]
    # Segments are as long as they are, which the turn pulls straight.
    bound = (spin / across[0]) ** 2 * (1.875 / 6) ** 2 / 12
    assert across[1] == pytest.approx(across[0], rel=bound)
    # Of the motion of the first mode all but 4.648 h^2/(12 L^2) is that of the middles, by the square of its
    # slope, of which six segments leave a part of half of (k h)^2, with k L = 1.875.
    within = [slowest(one, "y", 6) ** 2 for one in (rest, first)]
    slope = 4.648 / (12 * 6**2)
    assert (within[0] - within[1]) / spin**2 == pytest.approx(1 - slope, abs=slope * (1.875 / 6) ** 2 / 2)


def test_the_terminal_shows_few_of_many(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    path = tmp_path / "hub.toml"
    path.write_text(hub(5).to_toml(), encoding="utf-8")

    def run(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["interstage", "linearize", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
        return capsys.readouterr().out

    few = run(str(path))
    assert re.search(r"beams\.boom\.segment_1\.\.5\.position\.xyz +0 to 1\.3500 +0 +m", few)
    assert "The table shows 62 states in 6 rows." in few
    assert re.search(
        r"21 of \d+ modes: the slowest modes, all growing modes, the least damped and the fastest mode\.",
        " ".join(few.split()),
    )
    assert max(map(len, few.splitlines())) <= 100
    assert len(few.splitlines()) < 50
    every = run(str(path), "--all")
    assert "beams.boom.segment_4.angular_velocity.y" in every
    assert "--all" not in every
