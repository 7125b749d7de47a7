"""Flexible bodies and drain: modes at levels of the propellant left, against masses and springs by NumPy,
momenta with the gas that leaves, which modes are which, files, saved flights, and bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.linalg import eigh

import draining_stack as stack
import interstage as ist
from engine_door import instant, instant_as_declared, mechanism_of, start_of
from interstage.diagnosis.plausibility import remarks
from interstage.exchange import mode_csv
from interstage.parts.modal import limits
from interstage.reading import load, loads

pytestmark = pytest.mark.usefixtures("long_flights")

AMPLITUDE = 0.02
"""Displacement of the nozzle that the modes are set off for [m]: its square, beside that of the length, is
below all bounds here."""


def set_off(normalized: str = "mass") -> np.ndarray:
    """Rates of the first mode, alone, of the full stack."""
    frequency, _, shape = stack.modes(stack.FUEL, normalized)
    return np.array([AMPLITUDE * frequency[0] / shape[0, 0], 0.0, 0.0])


# --- against masses and springs --------------------------------------------------------------------------

FLOWS = [16.0, 8.0]
"""So fast that the stack drains in 20 and 40 cycles."""
SHARE = 0.9
"""Of the propellant that leaves."""


@pytest.fixture(scope="module")
def drained() -> Any:
    """The stack at each flow, as cases of one batch, by shapes of 1 at the nozzle: masses change, too."""
    ends = [SHARE * stack.FUEL / flow for flow in FLOWS]
    modes = stack.tabled(9, "nozzle")
    text = stack.scenario(FLOWS[0], set_off("nozzle"), ends=ends[1], samples=400, modes=modes)
    values = {"engines.main.mass_flow": np.array(FLOWS), "phases.burn.until.time": np.array(ends)}
    return loads(text).run_batch(values, progress=False)


def truth(flow: float, times: np.ndarray) -> np.ndarray:
    shape = stack.modes(stack.FUEL)[2]
    return stack.flown(flow, shape @ set_off(), times)


def frozen(flow: float, times: np.ndarray) -> np.ndarray:
    """The first mode with q'' + w^2 q = 0, modes of the instant and nothing else, as is often written."""
    every = np.linspace(0, stack.FUEL, 31)
    found = [stack.modes(left) for left in every]
    frequency = CubicSpline(every, [one[0][0] for one in found])
    shape = CubicSpline(every, [one[2][:, 0] for one in found])
    left = lambda t: stack.FUEL - flow * t  # noqa: E731
    rates = lambda t, z: [z[1], -(frequency(left(t)) ** 2) * z[0]]  # noqa: E731
    q = solve_ivp(rates, (0, times[-1]), [0, set_off()[0]], t_eval=times, rtol=1e-9, atol=1e-12).y[0]
    return shape(left(times)).T * q


@pytest.mark.long
def test_a_stack_that_drains_bends_as_its_masses_do(drained):
    """Over a drain by which the amplitude falls to a half: what is left out goes with the first power of the
    flow, while modes of the instant alone stay as wrong at any flow."""
    missed, beside = [], []
    for k, flow in enumerate(FLOWS):
        flight = ist.Flight(drained.record(k))
        wanted = truth(flow, flight.time)
        last = flight.time > 0.5 * flight.time[-1]
        size = np.max(np.abs(wanted[:, last]))
        missed.append(np.max(np.abs(stack.displaced(flight) - wanted)[:, last]) / size)
        bent = flight["forces.bends.point_n0.deflection"][:, 1]
        alone = frozen(flow, flight.time)[0]
        beside.append(np.max(np.abs(alone)[last]) / np.max(np.abs(bent)[last]) - 1)
    # Modes are coupled by the flow, beside masses of 30 kg and frequencies that are 16 rad/s apart.
    assert missed[0] < 2 * FLOWS[0] / (30 * 16)
    assert np.log2(missed[0] / missed[1]) == pytest.approx(1, abs=0.15)
    assert beside[1] > max(0.9 * beside[0], 10 * missed[1])


@pytest.mark.long
def test_frequencies_and_linear_equations_follow_the_propellant(drained):
    """In flight, and about moments of one: of masses that drain the eigenvalues of then."""
    flight = ist.Flight(drained.record(0))
    left = flight["bodies.core.elements.fuel.left"]
    wanted = np.array([stack.modes(one)[0] for one in left])
    for n in range(stack.COUNT):
        found = flight[f"forces.bends.mode_{n + 1}.frequency"]
        # A cubic spline through 9 levels; the next halving of its intervals would show a 16th of this.
        assert found == pytest.approx(wanted[:, n], rel=2e-3)
        assert wanted[-1, n] > 1.02 * wanted[0, n]


@pytest.mark.parametrize("normalized", ["mass", "nozzle"])
def test_damping_of_a_moment_has_the_rate_of_the_generalized_mass(normalized):
    """(m_s phi^2 + m')/(2 m w): with a generalized mass that stays the gas alone damps."""
    flow, step = 16.0, 0.01
    text = stack.scenario(flow, [0, 0, 0], ends=1.0, samples=2, modes=stack.tabled(33, normalized))
    linear: Any = loads(text).linearize()
    found = [one.damping for one in linear.modes if one.oscillates]
    frequency, mass, shape = stack.modes(stack.FUEL, normalized)
    rate = -flow * (mass - stack.modes(stack.FUEL - step, normalized)[1]) / step
    wanted = (flow * shape[0] ** 2 + rate) / (2 * mass * frequency)
    # A cubic spline of 33 levels, whose slope at the end is known to the cube of an interval.
    assert found == pytest.approx(wanted, rel=2e-3)
    assert np.any(np.abs(rate) > 0.1 * flow * shape[0] ** 2) == (normalized == "nozzle")


BESIDE = """
[bodies.beside]
mass = 4
inertia = [1, 1, 1]
initial = { position = [0, 50, 0] }
[forces.sways]
kind = "modal_body"
body = "beside"
frequency = [20]
mass = [2]
coordinate = [0.01]
[forces.sways.points]
left = { at = [-1, 0, 0], shape = [[0, 1, 0]], turn = [[0, 0, 0]] }
middle = { at = [0, 0, 0], shape = [[0, -1, 0]], turn = [[0, 0, 0]] }
right = { at = [1, 0, 0], shape = [[0, 1, 0]], turn = [[0, 0, 0]] }
"""


@pytest.mark.long
def test_a_body_that_does_not_drain_bends_beside_one_that_does():
    """Each as if the other were not there: one by cos wt, the other as it flies alone."""
    text = stack.scenario(FLOWS[0], set_off("nozzle"), ends=0.5, samples=20)
    both, alone = loads(text + BESIDE).run(), loads(text).run()
    own = both["forces.sways.mode_1.coordinate"]
    assert own == pytest.approx(0.01 * np.cos(20 * both.time), abs=1e-8)  # a millionth of it
    tolerance = float(both.scenario.solver.tolerance)
    paths = [f"forces.bends.mode_{n + 1}.coordinate" for n in range(stack.COUNT)]
    assert max(np.max(np.abs(alone[path])) for path in paths) > 1e4 * tolerance
    for path in paths:
        # Steps are others beside a body that swings, too.
        assert both[path] == pytest.approx(alone[path], abs=10 * tolerance)


LEVELS = np.array([0.0, 30, 90, 150])
FEW = stack.tabled(LEVELS)
OFF = stack.scenario(1.0, set_off(), ends=1.0, modes=FEW).replace("ignited = true\n", "")


def test_levels_are_met_and_go_by_splines_or_lines_between():
    """Frequencies of the linear equations at levels and between, of a stack whose engine is off."""
    spline = CubicSpline(LEVELS, FEW.frequency, bc_type="not-a-knot")
    lines = lambda x: [np.interp(x, LEVELS, row) for row in FEW.frequency.T]  # noqa: E731
    for way, between in (("cubic", spline), ("linear", lines)):
        for left in (30.0, 110.0, 150.0):
            changes = {"bodies.core.elements.fuel.propellant": left, "forces.bends.interpolation": way}
            linear = loads(OFF, set=changes).linearize("start")
            found = np.sort(np.imag(np.linalg.eigvals(linear.A)))[-stack.COUNT :]
            assert found == pytest.approx(np.asarray(between(left)), rel=1e-7), (way, left)


PUSHED = f"""[forces.push]
kind = "force"
body = "core"
at = [{stack.PLACES[1]}, 0, 0]
force = [100, 200, -300]
[[phases]]"""


def test_without_a_flow_it_is_the_body_of_that_mass():
    """Its accelerations, bent and turning, are those of a body of constant mass with the modes of then."""
    left, spun, bent = 70.0, "angular_velocity = [0.1, 0.2, 0.3]", "coordinate = [0.02, 0.01, -0.01]"
    bent += '\ninterpolation = "cubic"'
    text = stack.scenario(1.0, [0.3, -0.2, 0.1], ends=1.0, modes=FEW, moving=f", {spun}", more=bent)
    text = text.replace("ignited = true\n", "").replace("propellant = 150.0", f"propellant = {left}")
    drains = instant_as_declared(loads(text.replace("[[phases]]", PUSHED)))

    def now(rows: Any) -> Any:
        return CubicSpline(LEVELS, rows, bc_type="not-a-knot")(left)

    shape, turn = now(FEW.shape), now(FEW.turn)
    points = "\n".join(
        f"n{k} = {{ at = {at}, shape = {own}, turn = {turned} }}"
        for k, (at, own, turned) in enumerate(zip(*map(stack.listed, (FEW.at, shape, turn)), strict=True))
    )
    mass = stack.masses(left)
    centre = mass @ stack.PLACES / mass.sum()
    across = mass @ (stack.PLACES - centre) ** 2
    plain = f"""[gravity]
kind = "none"
[bodies.core]
mass = {mass.sum()}
mass_centre = [{centre}, 0, 0]
inertia = [1.0, {across}, {across}]
initial = {{ {spun} }}
[forces.bends]
kind = "modal_body"
body = "core"
frequency = {stack.listed(now(FEW.frequency))}
mass = {stack.listed(now(FEW.mass))}
{bent}
rate = [0.3, -0.2, 0.1]
[forces.bends.points]
{points}
{PUSHED}
name = "burn"
until = {{ time = 1.0 }}
"""
    same = instant_as_declared(loads(plain))
    assert drains.generalized_accelerations == pytest.approx(same.generalized_accelerations, rel=1e-11)
    assert drains.acceleration[:, 0] == pytest.approx(same.acceleration[:, 0], rel=1e-11, abs=1e-12)


AT, HUNG = 4, 25.0
"""Number of the mass at which another one hangs, and its own [kg]."""
CAP = f"""[bodies.cap]
mass = {HUNG}
inertia = [1, 1, 1]
initial = {{{{ position = [{stack.PLACES[AT]}, 0, 0], velocity = [0, {{cap}}, 0] }}}}
{{holds}}
parent = "core"
child = "cap"
parent_at = [{stack.PLACES[AT]}, 0, 0]
child_at = [0, 0, 0]
[engines.main]"""
SPRING = """[forces.spring]
kind = "bushing"
stiffness = [2e4, 2e4, 2e4]
torsional_stiffness = [0, 0, 0]"""
BALL = '[joints.ball]\nkind = "spherical"'


@pytest.mark.long
@pytest.mark.parametrize(("tank", "nozzle"), [(1, 1), (3, 0)])
@pytest.mark.parametrize("holds", [SPRING, BALL], ids=["spring", "joint"])
def test_a_stack_with_a_mass_on_it_drains_as_its_masses_do(holds, tank, nozzle):
    """By a spring and by a joint, so that modes, turning and the stream through it act on each other: what is
    missed goes with the flow. With the Coriolis forces of the stream at the mass centre it was a sixth of the
    amplitude at any flow, and with joints that take shapes for steady a hundredth."""
    hung = (AT, HUNG, 2e4 if holds == SPRING else np.inf)
    frequency, speed = stack.first_mode(tank, hung)
    # A tenth of what is set off elsewhere: large turns would be seen.
    speed = 0.1 * AMPLITUDE * frequency * speed / np.max(np.abs(speed))
    _, generalized, shape = stack.modes(stack.FUEL, tank=tank)
    mass = stack.masses(stack.FUEL, tank)
    rate = (shape.T @ (mass * speed[:5])) / generalized
    rest, away = speed[:5] - shape @ rate, stack.PLACES - mass @ stack.PLACES / mass.sum()
    turning = (mass * away) @ rest / (mass @ away**2)
    moving = f", velocity = [0, {mass @ rest / mass.sum()}, 0], angular_velocity = [0, 0, {turning}]"
    cap = CAP.format(cap=float(speed[-1] if holds == SPRING else speed[AT]), holds=holds)
    missed = []
    for flow in (8.0, 4.0):
        modes = stack.tabled(33, tank=tank)
        ends = SHARE * stack.FUEL / flow
        text = stack.scenario(
            flow, rate, ends=ends, samples=400, modes=modes, tank=tank, nozzle=nozzle, moving=moving
        )
        flight = loads(text.replace("[engines.main]", cap)).run()
        wanted = stack.flown(flow, speed, flight.time, tank, nozzle, hung)
        last = flight.time > 0.5 * flight.time[-1]
        size = np.max(np.abs(wanted[:, last]))
        missed.append(np.max(np.abs(stack.displaced(flight) - wanted[:5])[:, last]) / size)
    assert missed[0] < 0.08
    assert np.log2(missed[0] / missed[1]) == pytest.approx(1, abs=0.25)


def test_linear_equations_of_a_stack_on_a_joint_are_those_of_its_masses():
    """At a level, with the engine off: frequencies of the stack with what a joint holds."""
    cap = CAP.format(cap=0.0, holds=BALL)
    still = stack.scenario(1.0, [0, 0, 0], ends=1.0, modes=FEW).replace("ignited = true\n", "")
    linear = loads(still.replace("[engines.main]", cap)).linearize("start")
    found = np.sort(np.imag(np.linalg.eigvals(linear.A)))[-stack.COUNT :]
    stiffness, more = stack.hanging((AT, HUNG, np.inf))
    square = eigh(stiffness, np.diag(stack.masses(stack.FUEL) + more), eigvals_only=True)[2:]
    assert found == pytest.approx(np.sqrt(square), rel=1e-9)


def test_joints_go_with_points_whose_shapes_change():
    """What a joint holds stays closed, and its rates zero, along the slope of the state. Between levels
    shapes follow straight lines here, so that nothing of second order is left."""
    moving, bent = (
        ", angular_velocity = [0.1, 0.2, -0.1]",
        'interpolation = "linear"\ncoordinate = [0.3, 0.2, -0.1]',
    )
    text = stack.scenario(20.0, [2.0, -1.0, 1.5], ends=1.0, modes=FEW, moving=moving, more=bent)
    text = text.replace("propellant = 150.0", "propellant = 120.0")
    cap = CAP.format(cap=0.0, holds=BALL.replace("spherical", "fixed"))
    cap = "\n".join(line for line in cap.splitlines() if not line.startswith("initial"))
    scenario: Any = loads(text.replace("[engines.main]", cap))
    begun = start_of(scenario)
    mechanism, t, h = mechanism_of(scenario, begun=begun), 0.5, 1e-6
    there = instant(mechanism, t, begun.x)
    ends = ((t + sign * h, begun.x + sign * h * there.slope) for sign in (1, -1))
    one, other = (instant(mechanism, *end).rows for end in ends)
    shifted = np.abs(20.0 * np.diff(FEW.shape[2:, AT], axis=0)[0] / 60).max() * 0.3
    # Central differences of what is open, of places in metres: rounding over the step.
    assert np.max(np.abs(one.g - other.g)) / (2 * h) < 1e-5 * shifted
    assert np.max(np.abs(one.gdot - other.gdot)) / (2 * h) < 1e-6
    assert np.max(np.abs(there.rows.gdot)) < 1e-12


@pytest.mark.long
def test_derivatives_and_cases_follow_the_levels():
    """By the flow, a level and a frequency at one: against differences of a batch."""
    text = stack.scenario(30.0, set_off(), ends=0.5, samples=10, modes=stack.tabled([0, 50, 100, 150]))
    scenario: Any = loads(text.replace("tolerance = 1e-8", "tolerance = 1e-11"))
    of = "forces.bends.mode_1.coordinate"
    for path, value in (
        ("engines.main.mass_flow", 30.0),
        ("forces.bends.propellant[1]", 50.0),
        ("forces.bends.frequency[2, 0]", float(scenario.forces[0].frequency[2, 0])),
        ("forces.bends.points.n0.shape[3, 0, 1]", float(scenario.forces[0].points[0].shape[3, 0, 1])),
    ):
        exact = scenario.derivatives(of=[of], wrt=[path]).by[of][path]
        step = 1e-4 * value
        cases = scenario.run_batch({path: value + step * np.array([-1.0, 0.0, 1.0])}, progress=False)
        low, _, high = cases.value(of, "end")
        # Central differences, and what steps of this tolerance leave of either case.
        assert exact == pytest.approx((high - low) / (2 * step), rel=1e-5, abs=1e-10 / step), path


# --- momenta with the gas that leaves --------------------------------------------------------------------


def steady_shapes() -> stack.Tabled:
    """Modes that bend in three dimensions, with the same shapes at all levels."""
    drawn = np.random.default_rng(5)
    shape, turn = (np.broadcast_to(drawn.normal(size=FEW.shape.shape[1:]), FEW.shape.shape) for _ in range(2))
    return FEW._replace(shape=shape, turn=0.2 * turn)


def test_momenta_change_by_what_the_gas_takes_along():
    """Momentum m u + L and angular momentum, with the stream to the nozzle as it stands bent, by the
    definition of each, differenced along the slope of the state: as thrust and gas say."""
    start = 'ignited = true\nstart = { time = "[0, 2] s", value = [0, 1] }'
    moving, bent = ", angular_velocity = [0.3, 0.5, -0.4]", "coordinate = [0.2, 0.1, -0.15]"
    text = stack.scenario(6.0, [2.0, -1.0, 1.5], ends=1.0, modes=steady_shapes(), moving=moving, more=bent)
    text = text.replace("thrust = 1e-9", "thrust = 900.0").replace("ignited = true", start)
    mechanism = mechanism_of(loads(text))
    x, t, h = instant_as_declared(mechanism.scenario).x, 1.0, 1e-5
    there = instant(mechanism, t, x)
    flow_at = lambda t: 6.0 * t / 2  # noqa: E731
    columns = there.equations.layout.columns
    nozzle = columns.bodies + columns.nodes["Engine", "main", "body"]

    def momenta(t: float, x: Any) -> tuple[Any, ...]:
        here = instant(mechanism, t, x)
        motion, left = here.motion, float(here.own("streams")[0])
        mass = stack.masses(left)
        centre = mass @ stack.PLACES / mass.sum()
        moment = np.diag([1.0, *2 * [mass @ (stack.PLACES - centre) ** 2]])
        turn, r, u = motion.rotation[:, :, 0], motion.position[:, 0], motion.velocity[:, 0]
        out = motion.position[:, nozzle] - r
        drawn = np.array([stack.PLACES[stack.TANK] - centre, 0, 0])
        stream = flow_at(t) * (out - turn @ drawn)
        linear = mass.sum() * u + stream
        angular = np.cross(r, linear) + turn @ (moment @ motion.spin_body[:, 0]) + np.cross(out, stream)
        return linear, angular, r + out, motion.velocity[:, nozzle], motion.rotation[:, :, nozzle][:, 0]

    one, other = (momenta(t + sign * h, x + sign * h * there.slope) for sign in (1, -1))
    linear, angular = ((a - b) / (2 * h) for a, b in zip(one[:2], other[:2], strict=True))
    _, _, place, speed, way = momenta(t, x)
    force = 900.0 * t / 2 * way - flow_at(t) * speed
    # Central differences: rounding over the step, beside thrust.
    assert linear == pytest.approx(force, abs=1e-7 * 450)
    assert angular == pytest.approx(np.cross(place, force), abs=1e-7 * 450 * 4)


# --- which modes are which -------------------------------------------------------------------------------


THREE = stack.tabled([0, 60, 150])


def plain(modes: Any = THREE, more: str = "") -> str:
    """The scenario with such modes."""
    return stack.scenario(1.0, set_off(), ends=1.0, modes=modes, more=more)


PLAIN = plain()


def test_signs_are_put_right_and_places_are_told_or_put_right():
    wanted = loads(PLAIN).forces[0]
    turned = loads(plain(THREE.of_level(0, [0, 1, 2], [-1, 1, -1]))).forces[0]
    for one, other in zip(turned.points, wanted.points, strict=True):
        np.testing.assert_array_equal(one.shape, other.shape)
        np.testing.assert_array_equal(one.turn, other.turn)
    swapped = THREE.of_level(1, [0, 2, 1], [1, -1, 1])
    found = told(plain(swapped))
    assert found[0].place == "forces.bends.order"
    assert "mode 3 at 60 kg has the shape of mode 2 at 150 kg" in found[0].message
    assert "The order by shape is 1, 3, 2" in found[0].message
    righted = loads(plain(swapped, 'order = "by shape"')).forces[0]
    np.testing.assert_array_equal(righted.frequency, wanted.frequency)
    np.testing.assert_array_equal(righted.points[1].shape, wanted.points[1].shape)


def test_a_pair_of_one_frequency_is_turned_as_above():
    """Bends of a round stage across two axes, which eigenvectors of the lower level have aslant."""
    text = """
[bodies.core]
mass = 10.0
inertia = [1, 1, 1]
initial = {}
elements.fuel = { kind = "point", at = [0, 0, 0], propellant = 5.0 }
[forces.bends]
kind = "modal_body"
body = "core"
propellant = [0, 5]
frequency = [[50, 50, 90], [30, 30, 80]]
mass = [[2, 4, 1], [1, 1, 1]]
coordinate = [0.1, 0, 0]
[forces.bends.points]
a = { at = [-1, 0, 0], shape = [%s, [[0, 1, 0], [0, 0, 1], [0, 1, 0]]], turn = [%s, %s] }
b = { at = [1, 0, 0], shape = [%s, [[0, 1, 0], [0, 0, 1], [0, -1, 0]]], turn = [%s, %s] }
[[phases]]
name = "go"
until = { time = 1 }
"""
    cosine, sine = np.cos(0.7), np.sin(0.7)
    # Of generalized masses 2 and 4: shapes grow with their roots.
    aslant = np.diag(np.sqrt([2, 4])) @ [[0, cosine, sine], [0, -sine, cosine]]
    none = [[0.0] * 3] * 3
    pair = [*aslant.tolist(), [0, 1, 0]], none, none, [*aslant.tolist(), [0, -1, 0]], none, none
    item = loads(text % pair).forces[0]
    root = np.sqrt(np.sqrt(8.0))
    assert item.points[0].shape[0] == pytest.approx(
        np.array([[0, root, 0], [0, 0, root], [0, 1, 0]]), abs=1e-12
    )
    assert item.mass[0] == pytest.approx([root**2, root**2, 1])


# --- files ------------------------------------------------------------------------------------------------


def as_table(levels: Any) -> str:
    """A CSV file of some levels of modes, a row for each point of each mode."""
    lines = ["propellant [t], mode, frequency [rad/s], mass, point, x, y, z, dx, dy, dz, rx, ry, rz"]
    for k in levels:
        for n in range(stack.COUNT):
            for p, at in enumerate(THREE.at):
                head = THREE.propellant[k] / 1000, n + 1, THREE.frequency[k, n], THREE.mass[k, n]
                tail = *at, *THREE.shape[k, p, n], *THREE.turn[k, p, n]
                first, last = (", ".join(repr(float(v)) for v in one) for one in (head, tail))
                lines.append(f"{first}, n{p}, {last}")
    return "\n".join(lines) + "\n"


def test_tables_of_several_levels_are_read(tmp_path):
    wanted = loads(PLAIN).forces[0]
    (tmp_path / "core.csv").write_text(as_table([2, 0, 1]))
    (tmp_path / "a.toml").write_text(plain('file = "core.csv"'))
    found = load(tmp_path / "a.toml").forces[0]
    for field in ("propellant", "frequency", "mass"):
        assert getattr(found, field) == pytest.approx(getattr(wanted, field), rel=1e-12)
    for one, other in zip(found.points, wanted.points, strict=True):
        assert one.shape == pytest.approx(other.shape, abs=1e-12)
    again = loads(load(tmp_path / "a.toml").to_toml()).forces[0]
    np.testing.assert_array_equal(again.points[3].turn, found.points[3].turn)


def punched(level: int) -> str:
    """A punch file of one level, its grid points numbered from 11 on."""
    lines = []
    for n in range(stack.COUNT):
        lines += ["$DISPLACEMENTS", "$REAL OUTPUT"]
        lines.append(f"$EIGENVALUE = {THREE.frequency[level, n] ** 2:16.9E}  MODE = {n + 7:5d}")
        for k in range(5):
            for head, three in ((f"{k + 11:10d}       G", THREE.shape), ("-CONT-", THREE.turn)):
                columns = "".join(f"{v:18.9E}" for v in three[level, k, n])
                lines.append(f"{head:18s}{columns}{len(lines):8d}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def punch_files(tmp_path) -> Any:
    """Writes a scenario, with three punch files beside it, and gives its path."""
    for level in range(3):
        (tmp_path / f"{level}.pch").write_text(punched(level))

    def written(text: str) -> Any:
        (tmp_path / "a.toml").write_text(text)
        return tmp_path / "a.toml"

    return written


GRIDS = "\n".join(f"n{k} = {{ grid = {k + 11}, at = [{at}, 0, 0] }}" for k, at in enumerate(stack.PLACES))
FILES = f"""file = ["2.pch", "0.pch", "1.pch"]
propellant = "[150, 0, 60] kg"
file_length = "1 m"
mass = "1 kg"
[forces.bends.points]
{GRIDS}"""


def test_punch_files_of_several_levels_are_read(punch_files):
    wanted = loads(PLAIN).forces[0]
    found = load(punch_files(plain(FILES))).forces[0]
    assert found.frequency == pytest.approx(wanted.frequency, rel=1e-9)
    for one, other in zip(found.points, wanted.points, strict=True):
        assert one.shape == pytest.approx(other.shape, abs=1e-9)
    listed = FILES.replace("propellant =", "modes = [[7, 9], [7, 9], [7, 8]]\npropellant =")
    text = plain(listed).replace(f"rate = {stack.listed(set_off())}", "")
    with pytest.raises(ist.BadInput, match=r"mode 2 at 60 kg does not match mode 2 at 150 kg"):
        load(punch_files(text))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('propellant = "[150, 0, 60] kg"', "", "Give the propellant left"),
        ("[150, 0, 60]", "[150, 0]", "has 2 levels, but 'file' has 3 paths"),
        ("[150, 0, 60]", "[150, 0, 0]", "0 kg follows 0 kg"),
        ('"0.pch"', '"none.pch"', "no such file"),
        ("propellant =", "modes = [[7, 8], [7], [7]]\npropellant =", "2 modes, but 1 at 0 kg"),
        ("propellant =", "modes = [[7, 8], [7]]\npropellant =", "has 2 lists, but 'file' has 3 paths"),
        ('file = ["2.pch", "0.pch", "1.pch"]', 'file = "2.pch"', "the file has one level"),
        ('file = ["2.pch", "0.pch", "1.pch"]', "file = [1, 2]", "must be a path or a list of paths"),
    ],
)
def test_what_is_wrong_with_files_of_levels_is_told(punch_files, old, new, words):
    text = plain(FILES)
    assert old in text
    with pytest.raises(ist.BadInput) as caught:
        load(punch_files(text.replace(old, new)))
    assert any(words in p.message for p in caught.value.problems), caught.value.problems


def test_what_is_wrong_with_a_table_of_levels_is_told(tmp_path):
    path, whole = tmp_path / "core.csv", as_table([0, 1, 2])
    lines = whole.splitlines()
    per = len(lines) // 3
    elsewhere = "\n".join(
        line.replace("n4, 6.0", "n4, 6.5") if line.startswith("0.15,") else line for line in lines
    )
    for text, words in (
        ("\n".join(lines[: per + 1]) + "\n", "has one level"),
        ("\n".join(lines[:-5]), "2 modes, but 3 at 0 kg"),
        (
            "\n".join(line for line in lines if not ("n4" in line and line.startswith("0.15,"))),
            "the points differ",
        ),
        (elsewhere, "the position of point n4 differs"),
    ):
        path.write_text(text)
        found = told(plain(f'file = "{path}"'))
        assert any(words in p.message for p in found), (words, found)
    path.write_text(whole)
    assert mode_csv.read(str(path)).keys() == {0.0, 60.0, 150.0}
    found = told(plain(f'file = "{path}"\npropellant = [0, 60, 150]'))
    assert "is also in the file" in found[0].message


# --- bad input ---------------------------------------------------------------------------------------------


def told(text: str) -> Any:
    with pytest.raises(ist.BadInput) as caught:
        loads(text)
    return caught.value.problems


OTHER = "[bodies.other]\nmass = 1\ninertia = [1, 1, 1]\ninitial = {}\n"
CYLINDER = """kind = "cylinder"
bottom = [3, 0, 0]
axis = [1, 0, 0]
radius = 1.0
density = 1000
slosh = { kind = "pendulum" }"""
LEFT = next(line for line in PLAIN.splitlines() if line.startswith("propellant = [0.0"))


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        (LEFT, "propellant = [0, 160, 150]", "forces.bends.propellant", "150 kg follows 160 kg"),
        (LEFT, "propellant = [150]", "forces.bends.propellant", "has one level"),
        (LEFT, "propellant = [0, 150]", "forces.bends.frequency", "rows for 3 levels, but propellant has 2"),
        (LEFT, "propellant = [-1, 60, 150]", "forces.bends.propellant", "must not be negative"),
        (LEFT, "propellant = [0, 60, 140]", "forces.bends.propellant", "start with 150 kg"),
        (LEFT, "", "forces.bends.frequency", "has values for several levels"),
        (
            "propellant = 150.0\n",
            "propellant = 150.0\ndrains = false\n",
            "forces.bends.propellant",
            "no draining tank",
        ),
        ('body = "core"\nat = [-2.0', 'body = "other"\nat = [-2.0', "engines.main.body", "Set body = 'core'"),
        ('kind = "point"\nat = [4.0, 0, 0]', CYLINDER, "bodies.core.elements.fuel.slosh", "slosh"),
        (
            "mass_centre =",
            "inertia_rate = 1.0\nmass_centre =",
            "bodies.core.inertia_rate",
            "rigid bodies only",
        ),
        ("until =", 'drop = ["core.fuel"]\nuntil =', "phases.burn.drop", "would change the modes"),
    ],
)
def test_what_cannot_be_is_told(old, new, place, words):
    assert old in PLAIN
    found = told(PLAIN.replace(old, new, 1).replace("[engines.main]", OTHER + "[engines.main]", 1))
    assert any(words in p.message for p in found if p.place.startswith(place)), found


def test_elements_without_levels_say_what_to_give():
    found = told(stack.scenario(1.0, [0.0], ends=1.0, modes="frequency = [30]"))
    assert any("Give modes at several propellant levels" in p.message for p in found), found


def test_modes_that_cannot_be_told_apart_are_told():
    """By two points at the ends without slopes, at which two modes move alike."""
    ends = THREE.points(0, 4)._replace(turn=0 * THREE.points(0, 4).turn)
    alike = ends._replace(shape=np.array(ends.shape))
    alike.shape[:, :, 2] = ends.shape[:, :, 0] + [0, 0, 0.01]
    found = told(plain(alike.of_level(0, [2, 1, 0])))
    assert any("both match mode" in p.message for p in found), found
    other = THREE.points(0, 2, 4)
    other.shape[0, :, 1] = [[0, 1, 0], [0, -1, 0], [0, 1, 0]]
    other.turn[0, :, 1] = [[1, 0, 0], [-2, 0, 0], [0.5, 0, 0]]
    assert any("does not match mode 2 at 60 kg" in p.message for p in told(plain(other))), told(plain(other))


def test_a_curve_that_dips_below_zero_is_told():
    steep = THREE._replace(
        propellant=np.array([0.0, 130, 150]), mass=np.array([[1.0] * 3, [1.0] * 3, [40.0] * 3])
    )
    found = told(plain(steep, 'interpolation = "cubic"'))
    assert "is not positive" in found[0].message
    assert 'interpolation = "linear"' in found[0].message
    assert loads(plain(steep, 'interpolation = "linear"'))
    assert loads(plain(steep))  # the default stays between the levels


def test_masses_of_points_are_held_against_the_body_at_each_level():
    lumped = np.stack([stack.masses(left) for left in THREE.propellant])
    assert loads(plain(THREE._replace(lumped=lumped)))
    found = told(plain(THREE._replace(lumped=lumped + np.array([[0.0], [2.0], [0.0]]))))
    (said,) = found
    assert (
        "at 60 kg of propellant, the masses of the points sum to 190 kg, but 'core' has 180 kg"
        in said.message
    )


CENTRE = f"mass_centre = [{stack.DRY @ stack.PLACES / stack.DRY.sum()}, 0, 0]"
SPREAD = stack.DRY @ (stack.PLACES - stack.DRY @ stack.PLACES / stack.DRY.sum()) ** 2
TANK_AT = stack.PLACES[stack.TANK]
FUEL_AT = f"at = [{TANK_AT}, 0, 0]\npropellant = 150.0"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        # Half a metre of the dry 120 kg: at each level another part of the whole.
        (
            CENTRE,
            "mass_centre = [2.5, 0, 0]",
            ("at 0 kg", "0.5 m from", "at 2 other levels, the last at 150 kg."),
        ),
        # The tank 1 m off moves the mass centre by 60/180 m, and nothing where it is empty.
        (
            FUEL_AT,
            FUEL_AT.replace(str(TANK_AT), str(TANK_AT + 1)),
            ("at 60 kg", "0.333 m from", "at 1 other level, 150 kg."),
        ),
        (
            f"[1.0, {SPREAD}, {SPREAD}]",
            "[1, 600, 600]",
            ("at 0 kg", "kg m^2 about", "but the body has only 600 kg m^2"),
        ),
    ],
)
def test_places_of_masses_are_held_against_the_body_at_each_level(old, new, words):
    lumped = np.stack([stack.masses(left) for left in THREE.propellant])
    text = plain(THREE._replace(lumped=lumped))
    assert old in text
    (said,) = told(text.replace(old, new))
    assert all(word in said.message for word in words), said


def two_tanks(other: float, *left: tuple[float, float], feeds: str = '"core.fuel" = 1.0') -> str:
    """The stack with 75 kg in its tank and as much in another one at a place [m], its modes of three levels
    with so much left in each [kg], the other one on the mass before. feeds: of its engine."""
    lumped = np.array([np.add(stack.DRY, [0, 0, second, first, 0]) for first, second in left])
    found = [eigh(stack.STIFFNESS, np.diag(mass)) for mass in lumped]
    shape, slope = np.zeros((2, 3, 5, stack.COUNT, 3))
    shape[..., 1] = [modes[:, 2:] * np.sign(modes[0, 2:]) for _, modes in found]
    slope[..., 2] = np.gradient(shape[..., 1], stack.PITCH, axis=1)
    modes = THREE._replace(
        propellant=np.sum(left, 1),
        frequency=np.sqrt([square[2:] for square, _ in found]),
        shape=shape,
        turn=slope,
        lumped=lumped,
    )
    more = f'[bodies.core.elements.other]\nkind = "point"\nat = [{other}, 0, 0]\npropellant = 75.0'
    text = plain(modes).replace(FUEL_AT, f"{FUEL_AT.replace('150', '75')}\n{more}")
    return text.replace('feeds = { "core.fuel" = 1.0 }', f"feeds = {{ {feeds} }}")


EVEN = '"core.fuel" = 0.5, "core.other" = 0.5'
MORE_OF_ONE = '"core.fuel" = 0.75, "core.other" = 0.25'  # until that is empty, at 50 kg
BEFORE = TANK_AT - stack.PITCH


@pytest.mark.parametrize(
    ("levels", "feeds", "said"),
    [
        (((0, 0), (40, 40), (75, 75)), EVEN, None),
        (((0, 0), (75, 5), (75, 75)), EVEN, "0.35 m from"),  # 35 kg of 200 moved by 2 m
        (((0, 0), (22.5, 57.5), (75, 75)), MORE_OF_ONE, None),
        (((0, 40), (30, 60), (75, 75)), MORE_OF_ONE, None),
        (((0, 0), (40, 40), (75, 75)), MORE_OF_ONE, "0.175 m from"),  # 17.5 kg
        (((0, 75), (35, 75), (75, 75)), '"core.fuel" = 1.0', None),
        (((10, 30), (35, 75), (75, 75)), '"core.fuel" = 1.0', None),  # the lowest is never left
    ],
)
def test_of_several_tanks_levels_between_are_held_as_engines_draw_and_remarked_only(levels, feeds, said):
    """Which of two tanks has what is certain of full and of empty ones alone."""
    found = remarks(loads(two_tanks(BEFORE, *levels, feeds=feeds)))
    found = [one for one in found if "Check whether the modes" in one]
    assert len(found) == (said is not None)
    for one in found:
        assert "at 80 kg of propellant, with tanks drained by the engines, the centre" in one
        assert said in one


def test_of_tanks_that_engines_draw_from_otherwise_like_parts_are_taken():
    more = two_tanks(BEFORE, (0, 0), (75, 5), (75, 75))
    engine = more[more.index("[engines.main]") : more.index("[forces.bends]")]
    more += engine.replace("engines.main", "engines.aux").replace("core.fuel", "core.other")
    (said,) = (one for one in remarks(loads(more)) if "Check whether the modes" in one)
    assert "at 80 kg of propellant, with equally drained tanks, the centre of mass" in said
    (wrong,) = told(two_tanks(BEFORE + 1, (0, 0), (40, 40), (75, 75), feeds=EVEN))
    assert "at 150 kg of propellant, the centre of mass" in wrong.message
    assert "same fault" not in wrong.message


def test_liquids_are_held_against_masses_as_if_they_turned_with_their_tank():
    """Masses half a metre to either side of the line, those of a liquid without viscosity too."""
    sides = np.repeat(THREE.at, 2, 0) + np.tile([[0, 0, -0.5], [0, 0, 0.5]], (5, 1))
    lumped = np.repeat([stack.masses(left) / 2 for left in THREE.propellant], 2, 1)
    shape, turn = (np.repeat(one, 2, 1) for one in (THREE.shape, THREE.turn))
    text = plain(THREE._replace(at=sides, lumped=lumped, shape=shape, turn=turn))
    tank = f'kind = "cylinder"\nbottom = [{TANK_AT}, 0, 0]\naxis = [1, 0, 0]\nradius = 1.2\ndensity = 4e4'
    text = text.replace(f'kind = "point"\nat = [{TANK_AT}, 0, 0]', f"{tank}\nroll_fraction = 0.0")
    own = stack.DRY.sum() * 0.5**2
    text = text.replace(f"[1.0, {SPREAD}, {SPREAD}]", f"[{own}, {SPREAD + own}, {SPREAD}]")
    found = told(text)  # of what stands beside all points
    assert not [one for one in found if one.place.startswith("forces")]


WRONG: dict[str, Any] = {
    "mode 1 is a rigid-body mode": lambda m: m._replace(
        shape=np.where(np.arange(stack.COUNT)[:, None] == 0, [0.0, 1, 0], m.shape),
        turn=np.where(np.arange(stack.COUNT)[:, None] == 0, 0.0, m.turn),
        frequency=np.where(np.arange(stack.COUNT) == 0, 0.1, m.frequency),
    ),
    "'n1' has the position of 'n0'": lambda m: m._replace(at=m.at[[0, 0, 2, 3, 4]]),
    "mode 1: the masses and shapes give 1 kg": lambda m: m._replace(mass=m.mass * [2.0, 1, 1]),
}


@pytest.mark.parametrize("words", WRONG)
def test_what_is_wrong_alike_at_all_levels_is_said_once(words):
    lumped = np.stack([stack.masses(left) for left in THREE.propellant])
    (said,) = told(plain(WRONG[words](THREE._replace(lumped=lumped))))
    assert said.message.startswith(f"at 0 kg of propellant, {words}")
    assert " at 2 other levels, the last at 150 kg. " in said.message


# --- beyond the levels --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def below() -> Any:
    """A flight that drains to less than the lowest level."""
    modes = stack.tabled([90.0, 110.0, 130.0, 150.0])
    text = stack.scenario(60.0, set_off(), ends=2.0, samples=40, modes=modes)
    return loads(text).run()


@pytest.mark.long
def test_below_the_lowest_level_its_modes_are_held_and_that_is_said(below):
    assert any("given down to 90 kg" in one for one in remarks(below.scenario))
    left = below["bodies.core.elements.fuel.left"]
    end = 90 - 20 / 20  # a twentieth of the interval
    held = below["forces.bends.mode_1.frequency"][left < end]
    assert len(held) > 5
    assert np.ptp(held) == 0
    levels = np.array([90.0, 110, 130, 150])
    rows = [stack.modes(level)[0][0] for level in levels]
    assert held[0] == pytest.approx(float(CubicSpline(levels, rows, bc_type="not-a-knot")(end)), rel=1e-12)
    said = [one for one in below.record.warnings if one.startswith("forces.bends")]
    assert len(said) == 1
    assert "propellant left in core was up to 60 kg below its range" in said[0]


# --- from saved flights -------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_body_goes_on_bent_from_a_saved_flight(below, tmp_path):
    """As the flight that was not parted; straight, it would be off by the amplitude."""
    below.save(tmp_path / "first.nc")
    text = below.scenario.to_toml()
    start = text[text.index("initial") :].partition("\n")[0]
    half = 1.0
    again = loads(
        text.replace(start, f'initial = {{ flight = "{tmp_path}/first.nc", time = {half} }}').replace(
            "rate =", "# rate ="
        ),
        set={"phases.burn.until.time": half},
    ).run()
    row = int(np.searchsorted(below.time, half - 1e-9))
    for n in range(stack.COUNT):
        for what in ("coordinate", "rate"):
            path = f"forces.bends.mode_{n + 1}.{what}"
            whole = below[path][row:]
            assert again[path] == pytest.approx(whole, abs=1e-6 * np.max(np.abs(below[path])))
    assert np.max(np.abs(below["forces.bends.mode_1.coordinate"][row])) > 0


def test_a_body_with_other_modes_does_not_go_on_bent(tmp_path, monkeypatch):
    monkeypatch.setattr("interstage.runs.short.ATTEMPTS", 50)  # it is short
    modes = stack.tabled([90.0, 110.0, 130.0, 150.0])
    begun = loads(stack.scenario(60.0, set_off(), ends=0.02, samples=4, modes=modes)).run()
    begun.save(tmp_path / "first.nc")
    text = begun.scenario.to_toml()
    start = text[text.index("initial") :].partition("\n")[0]
    text = text.replace(start, f'initial = {{ flight = "{tmp_path}/first.nc", time = 0.01 }}')
    with pytest.raises(ist.BadInput, match=r"forces\.bends: these modes differ from bends of"):
        loads(text, set={"forces.bends.mass[3, 0]": 2.0}).run()


def test_bending_too_far_is_judged_by_the_shapes_of_then():
    """By one coordinate, at the level at which it moves a point most."""
    item = loads(PLAIN).forces[0]
    sizes = 20 * np.abs(THREE.shape[:, :, 0, 1])  # by the first mode (level, point)
    courses = np.outer([1.0, 1.0, 1.0], [20.0, 0.0, 0.0])
    found = [*limits.excesses(item, courses, np.zeros(3), THREE.propellant)]
    n, text = next((n, text) for n, text, _ in found if "moved elastically by" in text)
    level, point = np.unravel_index(np.argmax(sizes), sizes.shape)
    assert n == level
    assert text == f"point n{point} moved elastically by {sizes[level, point]:.3g} m"
