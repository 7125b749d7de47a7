"""What parts have in the state, by formulations that step by themselves: a beam beside a rod on a ball joint,
and a stage with tanks that drain and slosh, a gimballed engine and its law. Truths by Runge and Kutta's
method from the default formulation's rates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine_door import component, derivative, instant, mechanism_of, start_of
from interstage.parts.beams.bound import fastest
from interstage.reading import loads
from orders import slope
from stepping import Stepper

KINDS = ("staggered", "simultaneous")
FITTED = 0.15
"""Of an order over three halvings: the next terms move it by up to 0.1; another order is a whole off."""
END = """
[[phases]]
name = "free"
until = { time = 1.0 }
[solver]
formulation = "lagrange_multiplier"
"""
BEAM = """
[bodies.hub]
mass = 2.0
inertia = [0.05, 0.06, 0.07]
initial = { angular_velocity = [0, 0, -2] }
[bodies.rod]
mass = 1.0
mass_centre = [0.5, 0, 0]
inertia = [0.02, 0.0833, 0.0833]
initial = { through = "ball", relative_angular_velocity = [0, 1, 1.5] }
[joints.ball]
kind = "spherical"
parent = "hub"
child = "rod"
parent_at = [0.1, 0, 0]
[forces.boom]
kind = "beam"
parent = "hub"
length = 1.0
elements = 3
mass_matrix = "consistent"
parent_frame = { quaternion = [0, 0, 0, 1] }
[forces.boom.section]
kind = "stiffness"
axial_stiffness = 30.0
shear_stiffness = [20, 20]
torsional_stiffness = 0.5
bending_stiffness = [1.0, 0.5]
mass = 1.0
rotary_inertia = [1e-2, 2e-2]
mass_centre = [0.05, 0.02]
"""
STAGE = """
[bodies.core]
mass = 800.0
mass_centre = [2.0, 0.05, 0]
inertia = [500.0, 2000.0, 2100.0]
initial = { angular_velocity = [0.02, 0.1, 0.05] }
[bodies.core.elements.fuel]
kind = "cylinder"
propellant = 300.0
density = 1140.0
radius = 0.6
bottom = [1, 0, 0]
axis = [1, 0, 0]
slosh = { kind = "spring_mass", acceleration = 30.0, displacement = [0, 0.05, 0.02], damping_ratio = 0.02 }
[bodies.core.elements.water]
kind = "cylinder"
propellant = 100.0
density = 1000.0
radius = 0.5
bottom = [3, 0, 0]
axis = [1, 0, 0]
slosh = { kind = "pendulum", velocity = [0, 0.1, -0.2] }
[bodies.flap]
mass = 60.0
mass_centre = [0.4, 0, 0]
inertia = [2.0, 8.0, 9.0]
initial = { through = "hinge", relative_angular_velocity = [0, 0.8, 0] }
[joints.hinge]
kind = "spherical"
parent = "core"
child = "flap"
parent_at = [3.0, 0.5, 0]
[engines.main]
kind = "engine"
body = "core"
at = [0.0, 0.06, 0.01]
thrust = 30000.0
isp = 150.0
mixture_ratio = 1.5
oxidizer = "core.fuel"
fuel = "core.water"
ignited = true
gimbal = { pitch = "actuators.pitch" }
[controls.hold]
kind = "pid"
measured = "bodies.core.angular_velocity.y"
target = 0.0
kp = 0.3
ki = 0.5
[actuators.pitch]
command = "controls.hold"
unit = "rad"
model = { kind = "second_order", frequency = 20.0, damping = 0.5 }
"""


def stepping(text: str, kind: str) -> Any:
    return Stepper(loads(text + END.replace("lagrange_multiplier", kind) + "step = 0.01\n"))


def truth(text: str, time: float, count: int):
    """The state after a time, by `count` steps of Runge and Kutta's method."""
    scenario = loads(text + END)
    begun, h = start_of(scenario), time / count
    mechanism, x = mechanism_of(scenario, begun=begun), begun.x
    for k in range(count):
        slopes = [0 * x]
        for part in (0, 0.5, 0.5, 1):
            at = k * h + part * h, x + part * h * slopes[-1]
            slopes.append(np.asarray(derivative(mechanism, *at, begun.discrete)))
        x = x + h / 6 * np.array([1, 2, 2, 1]) @ np.array(slopes[1:])
    return x


def orders(text: str, kind: str, true, time: float, steps: Any) -> tuple[float, ...]:
    """Of the errors of the bodies, and of what parts have, over the steps."""
    stepper = stepping(text, kind)
    found = np.array([stepper.fly(h, round(time / h))[0][: len(true)] for h in steps])
    bodies = 13 * len(stepper.scenario.bodies)
    off = np.abs(found - true)
    return tuple(slope(steps, off[:, part].max(1)) for part in (slice(bodies), slice(bodies + 6, None)))


@pytest.fixture(scope="module")
def bent():
    """The beam in a while: its fastest motion takes 0.14 s."""
    return truth(BEAM, 0.16, 64)


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.long] if kind == "simultaneous" else []) for kind in KINDS]
)
def test_a_beam_is_stepped_with_order_two(bent, kind):
    steps = 0.01 * 0.5 ** np.arange(4)
    assert orders(BEAM, kind, bent, 0.16, steps) == pytest.approx((2, 2), abs=FITTED)


@pytest.fixture(scope="module")
def burning():
    """The stage in a while."""
    return truth(STAGE, 0.32, 256)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_tanks_slosh_engines_and_laws_are_stepped_with_order_two(burning, kind):
    """Masses change, centres of mass move through the body, and what sloshes hangs on it."""
    steps = 0.01 * 0.5 ** np.arange(4)
    assert orders(STAGE, kind, burning, 0.32, steps) == pytest.approx((2, 2), abs=FITTED)


@pytest.mark.long
def test_energy_of_a_beam_stays_within_bounds():
    """Undamped, at 1.35 of the fastest motion's w h = 2, for 40 s: 285 of its periods. A growth of (w h)^4/16
    in each step, as with other starts of the sequences, would be 1e88 times as much; what is lost is of the
    order of the step's third power."""
    stepper = stepping(BEAM, "staggered")
    step = 1.35 / fastest(stepper.scenario.forces[0])
    mechanism = mechanism_of(stepper.scenario, begun=start_of(stepper.scenario))

    def energy(x):
        return float(component(instant(mechanism, 0.0, x, stepper.discrete), "system.energy"))

    begun, x, found = energy(stepper.x), None, []
    for _ in range(8):
        x = stepper.fly(step, round(5 / step), x=x)[0]
        found.append(energy(x))
    assert max(np.abs(np.array(found) - begun)) < 0.02 * begun
