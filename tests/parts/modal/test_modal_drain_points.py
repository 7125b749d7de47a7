"""Points of flexible bodies and drain: what moves them as shapes change, and what the flow does to all
rates, against masses on a line by Newton's law for each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh

import draining_stack as stack
import interstage as ist
from engine_door import instant, instant_as_declared, mechanism_of, start_of
from interstage.quantities.catalogue import catalogue
from interstage.reading import loads

# --- two masses on a spring -----------------------------------------------------------------------------
#
# The lower one, at 0, drains by a nozzle of its own; the upper one holds a third body. With 1 for the shape
# at the lower one that at the upper one is -m/TOP: of the first degree in the propellant left. So nothing is
# of the second order in the flow, there is one mode alone, and the modes are exact.

DRY, LEFT, FUEL, TOP, HUNG = 10.0, 20.0, 40.0, 30.0, 8.0
SPRING, LINK, DAMPING, FLOW = 4e3, 1e3, 60.0, 8.0
LENGTH, REST = 4.0, 2.0
LOWER = DRY + LEFT
COORDINATE, RATE = 0.02, 0.5
TABLE = np.linspace(0.0, FUEL, 5)

HELD_BY_SPRING = f"""kind = "spring"
stiffness = {LINK}
damping = {DAMPING}
free_length = {REST}"""


def two(links: str, hung: str) -> str:
    """The scenario; links: the table that holds the third body, hung: its start."""
    lower = DRY + TABLE
    frequency, mass = np.sqrt(SPRING * (1 / lower + 1 / TOP)), lower + lower**2 / TOP
    none = [[[0.0, 0, 0]]] * len(TABLE)
    shape = [[[float(v), 0.0, 0.0]] for v in -lower / TOP]
    across = DRY * TOP / (DRY + TOP) * LENGTH**2
    return f"""
[gravity]
kind = "none"
[bodies.core]
mass = {DRY + TOP}
mass_centre = [{TOP * LENGTH / (DRY + TOP)}, 0, 0]
inertia = [1, {across}, {across}]
initial = {{ position = [{TOP * LENGTH / (LOWER + TOP)}, 0, 0] }}
elements.fuel = {{ kind = "point", at = [0, 0, 0], propellant = {LEFT} }}
[bodies.hung]
mass = {HUNG}
inertia = [1, 1, 1]
{hung}
[engines.main]
kind = "engine"
body = "core"
at = [0, 0, 0]
direction = [1, 0, 0]
thrust = 1e-9
mass_flow = {FLOW}
feeds = {{ "core.fuel" = 1.0 }}
ignited = true
[{links}
parent = "core"
child = "hung"
parent_at = [{LENGTH}, 0, 0]
child_at = [0, 0, 0]
[forces.bends]
kind = "modal_body"
body = "core"
propellant = {TABLE.tolist()}
frequency = {frequency[:, None].tolist()}
mass = {mass[:, None].tolist()}
coordinate = [{COORDINATE}]
rate = [{RATE}]
[forces.bends.points]
a = {{ at = [0, 0, 0], shape = [[1, 0, 0]], turn = [[0, 0, 0]] }}
b = {{ at = [{LENGTH}, 0, 0], shape = {shape}, turn = {none} }}
[sensors.a]
body = "core"
at = [0, 0, 0]
[sensors.b]
body = "core"
at = [{LENGTH}, 0, 0]
[[phases]]
name = "burn"
until = {{ time = 1.0 }}
"""


def started(text: str) -> tuple[Any, Any]:
    """What gives quantities at the start, and that instant."""
    scenario = loads(text)
    begun = start_of(scenario)
    here = instant(mechanism_of(scenario, begun=begun), 0.0, begun.x)
    found = catalogue(scenario)
    return lambda path: np.asarray(found[path].compute(here)), here


def test_points_and_dampers_have_the_velocity_of_shapes_that_change():
    """With a damper to the third body: by Newton's law, to rounding. Without what shapes move points by the
    damper's force is 1 % off, which no smaller step mends."""
    free = f"initial = {{ position = [{LENGTH + REST}, 0, 0] }}"
    value, here = started(two(f"forces.link]\n{HELD_BY_SPRING}", free))
    place = COORDINATE * np.array([1.0, -LOWER / TOP])
    speed = RATE * np.array([1.0, -LOWER / TOP]) + COORDINATE * np.array([0.0, FLOW / TOP])
    pull = SPRING * (place[1] - place[0])
    link = -LINK * place[1] - DAMPING * speed[1]
    wanted = pull / LOWER, (link - pull) / TOP
    for name, v, a in zip("ab", speed, wanted, strict=True):
        assert value(f"sensors.{name}.velocity")[0] == pytest.approx(v, rel=1e-12)
        # The thrust of 1e-9 N is beside it.
        assert value(f"sensors.{name}.acceleration")[0] == pytest.approx(a, rel=1e-10)
    assert here.acceleration[0, 1] == pytest.approx(-link / HUNG, rel=1e-10)
    without = -LINK * place[1] - DAMPING * RATE * -LOWER / TOP
    assert abs(without / link - 1) > 0.005


def test_a_joint_at_a_shape_that_changes_carries_what_it_holds():
    """Accelerations and the joint's load, to rounding."""
    value, here = started(two('joints.link]\nkind = "fixed"', ""))
    places = [value(f"sensors.{name}.position")[0] for name in "ab"]
    pull = SPRING * (places[1] - places[0] - LENGTH)
    together = -pull / (TOP + HUNG)
    assert value("sensors.a.acceleration")[0] == pytest.approx(pull / LOWER, rel=1e-10)
    assert value("sensors.b.acceleration")[0] == pytest.approx(together, rel=1e-12)
    assert here.acceleration[0, 1] == pytest.approx(together, rel=1e-12)
    assert value("joints.link.force")[0] == pytest.approx(HUNG * together, rel=1e-12)
    speeds = [value("sensors.b.velocity")[0], value("bodies.hung.velocity")[0]]
    assert speeds[0] == pytest.approx(speeds[1], rel=1e-12)


# --- sensors of a body that tumbles ---------------------------------------------------------------------


def test_sensors_show_rates_of_what_they_show():
    """Bent and turning in three dimensions: rates along the slope of the state. Shapes follow straight lines,
    so that nothing of second order in the flow is left."""
    moving = ", angular_velocity = [0.1, 0.2, -0.1]"
    bent = 'interpolation = "linear"\ncoordinate = [0.3, 0.2, -0.1]'
    modes = stack.tabled([0, 60, 150])
    text = stack.scenario(20.0, [2.0, -1.0, 1.5], ends=1.0, modes=modes, moving=moving, more=bent)
    scenario = loads(text.replace("propellant = 150.0", "propellant = 120.0"))
    mechanism, x = mechanism_of(scenario), instant_as_declared(scenario).x
    found, h = catalogue(scenario), 1e-5
    there = instant(mechanism, 0.5, x)
    one, other = (instant(mechanism, 0.5 + s * h, x + s * h * there.slope) for s in (1, -1))
    for k in range(5):
        for low, high in (("position", "velocity"), ("velocity", "acceleration")):
            wanted, (a, b) = (
                found[f"sensors.s{k}.{high}"].compute(there),
                (found[f"sensors.s{k}.{low}"].compute(here) for here in (one, other)),
            )
            # Central differences of the second order.
            assert (a - b) / (2 * h) == pytest.approx(wanted, abs=1e-6), (k, high)
        column = scenario_column(there, f"s{k}")
        turn, (a, b) = there.motion.rotation[:, :, column], (here.motion.rotation for here in (one, other))
        # R^T R' is the cross product with the angular velocity in its own axes.
        turned = turn.T @ (a - b)[:, :, column] / (2 * h)
        spin = found[f"sensors.s{k}.angular_velocity"].compute(there)
        assert [turned[2, 1], turned[0, 2], turned[1, 0]] == pytest.approx(spin, abs=1e-6)


def scenario_column(here: Any, sensor: str) -> int:
    """Column of the node of a sensor."""
    layout = here.equations.layout
    return layout.columns.bodies + layout.columns.nodes["Sensor", sensor, "body"]


# --- laws that read such points -------------------------------------------------------------------------

LAW = """[controls.hold]
kind = "pid"
measured = "sensors.s4.angular_velocity.z"
target = 0.0
kp = -0.01
[[phases]]"""


def steered(key: str) -> str:
    modes, bent = stack.tabled([0, 60, 150]), "coordinate = [0.3, 0.2, -0.1]"
    text = stack.scenario(20.0, [2.0, -1.0, 1.5], ends=0.2, modes=modes, more=bent)
    text = text.replace("ignited = true", f"ignited = true\n{key}").replace("[[phases]]", LAW, 1)
    return text.replace("thrust = 1e-9", "thrust = 900.0")


def test_a_gimbal_may_follow_a_gyro_that_moves_with_the_flow():
    """At one instant: the flow is known before the direction of thrust is."""
    scenario = loads(steered('gimbal = { yaw = "controls.hold" }'))
    here, found = instant_as_declared(scenario), catalogue(scenario)
    rate = float(found["sensors.s4.angular_velocity"].compute(here)[2])
    assert here["control"].signals["controls.hold"] == pytest.approx(0.01 * rate, rel=1e-12)
    assert here["streams"].flow == pytest.approx([20.0])


def test_a_throttle_that_follows_such_a_gyro_at_the_same_instant_is_told():
    text = steered('throttle = "controls.hold"')
    with pytest.raises(ist.BadInput, match=r"reads sensors\.s4\.angular_velocity\.z.*sample period"):
        _ = instant_as_declared(loads(text)).slope
    _ = instant_as_declared(loads(text.replace("kp = -0.01", 'kp = -0.01\nperiod = "10 ms"'))).slope


# --- what the flow does to rates -----------------------------------------------------------------------

TANKS, EXITS = (1, 3), (4, 0)
FULL, FLOWS = np.array([100.0, 60.0]), np.array([5.0, 3.0])


def masses(left: float) -> np.ndarray:
    found = stack.DRY.copy()
    found[list(TANKS)] += FULL * left / FULL.sum()
    return found


def shapes(left: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Frequencies, generalized masses and shapes, of 1 at the first mass."""
    square, shape = eigh(stack.STIFFNESS, np.diag(masses(left)))
    shape = shape[:, 2:] / shape[0, 2:]
    return np.sqrt(square[2:]), masses(left) @ shape**2, shape


def two_tanks(left: float, rates: np.ndarray, modes: Any) -> str:
    """The stack with two tanks that two engines drain through each other's ends; rates: velocity across,
    turning, and those of the modes."""
    mass = masses(left)
    text = stack.scenario(FLOWS[1], rates[2:], ends=1.0, modes=modes, tank=TANKS[1], nozzle=EXITS[1])
    start, end = text.index("initial ="), text.index("[engines.main]")
    across = f"velocity = [0, {rates[0]}, 0], angular_velocity = [0, 0, {rates[1]}]"
    tanks = "".join(
        f'elements.{name} = {{ kind = "point", at = [{stack.PLACES[k]}, 0, 0], propellant = {own} }}\n'
        for name, k, own in zip(("other", "fuel"), TANKS, FULL * left / FULL.sum(), strict=True)
    )
    place = mass @ stack.PLACES / mass.sum()
    text = f"{text[:start]}initial = {{ position = [{place}, 0, 0], {across} }}\n{tanks}{text[end:]}"
    start, end = text.index("[engines.main]"), text.index("[forces.bends]")
    main = text[start:end]
    other = main.replace("main", "second").replace("core.fuel", "core.other")
    other = other.replace(f"mass_flow = {FLOWS[1]}", f"mass_flow = {FLOWS[0]}")
    other = other.replace(f"at = [{stack.PLACES[EXITS[1]]}", f"at = [{stack.PLACES[EXITS[0]]}")
    return text[:end] + other + text[end:]


@pytest.mark.long
def test_the_flow_of_two_tanks_acts_on_rates_as_on_masses():
    """Newton's law for each mass, with the Coriolis forces of the streams, in the coordinates of body and
    modes: what is linear in the rates, but for antisymmetric terms among turning and modes, which do no
    work."""
    left, h = 92.0, 1e-3
    levels = np.linspace(0, FULL.sum(), 41)
    found = [shapes(one) for one in levels]
    across = np.stack([one[2] for one in found])
    none, slopes = np.zeros_like(across), np.gradient(across, stack.PITCH, axis=1)
    at = np.stack([stack.PLACES, 0 * stack.PLACES, 0 * stack.PLACES], 1)
    shape, turn = np.stack([none, across, none], 3), np.stack([none, none, slopes], 3)
    frequency, generalized = (np.stack([one[k] for one in found]) for k in (0, 1))
    modes = stack.Tabled(levels, frequency, generalized, shape, turn, at)

    mass, (_, own, phi) = masses(left), shapes(left)
    arm = stack.PLACES - mass @ stack.PLACES / mass.sum()
    whole = np.concatenate([[mass.sum(), mass @ arm**2], own])
    rate = -FLOWS.sum() * (shapes(left + h)[2] - shapes(left - h)[2]) / (2 * h)
    along = np.zeros((5, 5))
    for tank, nozzle, flow in zip(TANKS, EXITS, FLOWS, strict=True):
        step = np.sign(nozzle - tank)
        for a in range(tank, nozzle, step):
            along[np.ix_([a, a + step], [a, a + step])] += flow * np.array([[-1.0, 1.0], [-1.0, 1.0]])
    way = np.column_stack([np.ones(5), arm, phi])
    changing = np.column_stack([np.zeros((5, 2)), rate])
    wanted = 2 * way.T @ (mass[:, None] * changing) + way.T @ along @ way

    def accelerations(rates: np.ndarray) -> np.ndarray:
        here = instant_as_declared(loads(two_tanks(left, rates, modes)))
        return np.concatenate(
            [[here.acceleration[1, 0], here.acceleration[5, 0]], here.generalized_accelerations]
        )

    steps = 1e-3 * np.eye(5)
    columns = [(accelerations(-one) - accelerations(one)) / 2e-3 for one in steps]
    damping = whole[:, None] * np.stack(columns, 1)
    # Splines through 41 levels of generalized masses that grow with the fourth power of shapes.
    bound = 1e-6 * np.max(np.abs(wanted))
    assert damping[0] == pytest.approx(wanted[0], abs=bound)
    assert damping[:, 0] == pytest.approx(wanted[:, 0], abs=bound)
    assert damping + damping.T == pytest.approx(wanted + wanted.T, abs=bound)
    # What a table of points does not tell is there, and left out.
    assert np.max(np.abs(wanted - wanted.T)[2:, 2:]) > 0.1 * np.max(np.abs(wanted))
