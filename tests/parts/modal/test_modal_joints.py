"""Joints between points of flexible bodies: against Lagrange's equations with multipliers, and what is
kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interstage as ist
from engine_door import component, instant_as_declared, projected, quantities, start_of
from interstage.programs.program import configure
from interstage.reading import loads
from interstage.studies.linearize import linearize
from interstage.studies.symbols.machine import machine
from test_modal import BODIES, MASSES, TEXT, exponential, placed, potential

START = 'initial = { through = "hold" }\n'
BOLT = """[devices.bolt]
kind = "explosive_bolt"
joints = ["hold"]
axis = [1, 0.2, 0]
preload = 2000.0
stiffness = 1e6
"""
JOINT = """[joints.hold]
parent = "core"
child = "top"
parent_at = [1, 0, 0]
child_at = [-0.5, 0, 0]
"""


HELD_UNTIL = TEXT.index("[forces.flange]"), TEXT.index("[engines.thruster]")
FLIGHT = (
    (TEXT[: HELD_UNTIL[0]] + JOINT + 'kind = "fixed"\n' + BOLT + TEXT[HELD_UNTIL[1] :])
    .replace(TEXT[TEXT.index("initial = { position = [1.52") : TEXT.index("[forces.bends]")], START)
    .replace('ignite = ["thruster"]\n', 'fire = ["bolt"]\n')
)
"""Both bodies joined and release by a bolt, in place of bushing, spring and thrust."""


def with_joint(kind: str) -> str:
    """The scenario with a joint beside its bushing."""
    return TEXT.replace("[forces.flange]", f"{JOINT}kind = {kind}\n[forces.flange]")


# --- Lagrange's equations -------------------------------------------------------------------------------

HELD = {
    "fixed": ("x y z", "xy xz zy"),
    "revolute": ("x y z", "xz yz"),
    "universal": ("x y z", "yz"),
    "spherical": ("x y z", ""),
    "translational": ("x y", "xz yz yx"),
    "cylindrical": ("x y", "xz yz"),
    "planar": ("y", "xy zy"),
    "rod": ("rod", ""),
}
"""Of each kind: along which axes of the parent it holds the child's point; which axes of the parent stay at
right angles to which of the child."""
SLIDES, TURNS = [*"xyz", "rod"], [a + b for a in "xyz" for b in "xyz"]


def possible(y: Any, ground: Any) -> Any:
    """All that joints may keep: displacements along the axes of the parent, half the square of the distance
    over itself, and cosines between axes of both; coordinates as in `placed`."""
    import jax
    import jax.numpy as jnp

    points = placed(y)
    (here, turn), (there, other) = points["top"], points["bottom"]
    here = jnp.where(ground, jnp.array([1.0, 0.0, 0.0]), here)
    turn = jnp.where(ground, jnp.eye(3), turn)
    gap = there - here
    square = gap @ gap
    rod = 0.5 * square / jnp.sqrt(jax.lax.stop_gradient(square))
    return jnp.concatenate([turn.T @ gap, rod[None], (turn.T @ other).ravel()])


def lagrangian(y: Any, rate: Any) -> Any:
    """Of both bodies and their modes."""
    import jax
    import jax.numpy as jnp

    energy = 0.5 * jnp.array(MASSES) @ rate[12:] ** 2
    for k, mass, inertia in BODIES:
        turn, moved = jax.jvp(exponential, (y[k + 3 : k + 6],), (rate[k + 3 : k + 6],))
        crossing = turn.T @ moved
        spin = jnp.array([crossing[2, 1], crossing[0, 2], crossing[1, 0]])
        speed = rate[k : k + 3]
        energy = energy + 0.5 * mass * speed @ speed + 0.5 * spin @ (jnp.array(inertia) * spin)
    return energy - potential(y)


@pytest.fixture(scope="module")
def equations() -> Any:
    """H, dL/dy - d2L/dy'dy y', G and d(G y')/dy y' of all that joints may keep, of y, y' and whether the
    parent is the ground."""
    import jax

    def found(y: Any, rate: Any, ground: Any) -> Any:
        of_rate = jax.grad(lagrangian, 1)
        mass = jax.jacfwd(of_rate, 1)(y, rate)
        force = jax.grad(lagrangian, 0)(y, rate) - jax.jvp(lambda y: of_rate(y, rate), (y,), (rate,))[1]

        def moving(y: Any) -> Any:
            return jax.jvp(lambda y: possible(y, ground), (y,), (rate,))[1]

        gradient = jax.jacfwd(lambda y: possible(y, ground))(y)
        return mass, force, gradient, jax.jvp(moving, (y,), (rate,))[1]

    return jax.jit(found, compiler_options={"xla_backend_optimization_level": 0})


def solved(parts: Any, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations of all coordinates and what the joint does to them, by Lagrange's equations with
    multipliers: H y'' = dL/dy - d2L/dy'dy y' + G^T lam, G y'' + d(G y')/dy y' = 0."""
    mass, force, gradient, bias = (np.asarray(part) for part in parts)
    slides, turns = (one.split() for one in HELD[kind])
    rows = [*map(SLIDES.index, slides), *(len(SLIDES) + TURNS.index(turn) for turn in turns)]
    gradient, bias, count = gradient[rows], bias[rows], len(rows)
    whole = np.block([[mass, -gradient.T], [gradient, np.zeros((count, count))]])
    found = np.linalg.solve(whole, np.concatenate([force, -bias]))
    return found[:-count], gradient.T @ found[-count:]


def state_of(here: Any) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and rates at an instant; rotation vectors are from the attitude of then."""
    r, v, _, w, _, _ = here.split
    q, rate = here.own("modal")[:3], here.own("modal")[3:]
    none = [0.0] * 3
    place = np.concatenate([r[:, 0], none, r[:, 1], none, q])
    return place, np.concatenate([v[:, 0], w[:, 0], v[:, 1], w[:, 1], rate])


def turned(here: Any) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and rates at an instant; rotation vectors are from inertial axes, w = J v' with J the
    series of their right Jacobian."""
    (place, rate), quaternion = state_of(here), np.asarray(here.split[2])
    for k, first in ((0, 3), (1, 9)):
        scalar, vector = quaternion[0, k], quaternion[1:, k]
        sine = np.linalg.norm(vector)
        x, y, z = turn = 2 * np.arctan2(sine, scalar) * vector / sine if sine > 0 else np.zeros(3)
        crossing = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        whole, term = np.eye(3), np.eye(3)
        for n in range(2, 16):
            term = -term @ crossing / n
            whole = whole + term
        place[first : first + 3] = turn
        rate[first : first + 3] = np.linalg.solve(whole, rate[first : first + 3])
    return place, rate


@pytest.mark.parametrize(
    ("kind", "ground"), [*((kind, False) for kind in HELD), ("fixed", True), ("spherical", True)]
)
def test_accelerations_and_loads_are_those_of_lagrange(equations, kind, ground):
    """Bent, turning, and with the joint a little open: rows hold for any pose."""
    configure()
    text = with_joint(f'"{kind}"')
    if ground:
        text = text.replace('[joints.hold]\nparent = "core"', '[joints.hold]\nparent = "ground"')
    here = instant_as_declared(loads(text))
    second, load = solved(equations(*state_of(here), ground), kind)
    size = np.max(np.abs(second))
    for k in (0, 1):
        assert here.acceleration[:, k] == pytest.approx(second[6 * k : 6 * k + 6], abs=1e-12 * size)
    modes = here.equations.parts["modal"].rates(here, here.acceleration)[3:]
    assert modes == pytest.approx(second[12:], abs=1e-12 * size)
    for end, first in (("parent", 0), ("child", 6)):
        for n, what in enumerate(("force", "torque")) if not (ground and end == "parent") else ():
            path = f"joints.hold.reaction_{end}_{what}"
            wanted = load[first + 3 * n : first + 3 * n + 3]
            assert quantities(here, path)[path] == pytest.approx(wanted, abs=1e-12 * np.max(np.abs(load)))


# --- formulations, redundant joints, impulses -------------------------------------------------------------


@pytest.mark.parametrize("kind", ["fixed", "universal", "rod"])
@pytest.mark.parametrize(
    "formulation",
    ['"constraint_force"', '{ kind = "constraint_force", unknowns = 24 }', '"coordinate_partitioning"'],
)
def test_algebraic_formulations_agree(kind, formulation):
    """Accelerations of bodies and modes, and multipliers, of other solutions of the same equations."""
    text = with_joint(f'"{kind}"')
    one, other = (
        instant_as_declared(loads(text + more)) for more in ("", f"[solver]\nformulation = {formulation}\n")
    )
    for name in ("acceleration", "generalized_accelerations", "multipliers"):
        wanted = getattr(one, name)
        # Rounding, times the condition of 6 rows whose entries of A M^-1 A^T are within 100 of each other.
        assert getattr(other, name) == pytest.approx(wanted, abs=1e-12 * np.max(np.abs(wanted)))


def test_baumgartes_feedback_is_in_gamma():
    """With the feedback rows answer to g and gdot, measured at the points as they are bent."""
    eta = 5.0
    plain = instant_as_declared(loads(with_joint('"fixed"')))
    text = with_joint('"fixed"') + f'[solver]\nstabilization = "baumgarte"\neta = {eta}\n'
    rows, found = plain.rows, instant_as_declared(loads(text))
    wanted = plain.constraints.bias + 2 * eta * rows.gdot + eta**2 * rows.g
    assert found.constraints.bias == pytest.approx(wanted, rel=1e-14)


DRIVEN = """kind = "generalized"
locked = ["tx", "ty", "tz", "rx", "ry", "rz"]
[joints.hold.driven]
tx = { kind = "harmonic", amplitude = 0.01, frequency = 20.0, phase = 0.3 }
rz = { kind = "harmonic", amplitude = 0.05, frequency = 15.0 }
"""
PRESCRIBED = """kind = "velocity"
locked = ["tx", "rz"]
axes_of = "child"
[joints.hold.rates]
tx = { kind = "constant", value = 0.2 }
"""


@pytest.mark.parametrize("hold", [DRIVEN, PRESCRIBED])
def test_what_prescribed_motions_feed_in_is_the_rate_of_energy(hold):
    """By differences of second order along the motion, whose error is (20/s x 1e-5 s)^2 of 50 W."""
    start = START.replace(" }", ", relative_velocity = [0.2, 0, 0] }" if hold is PRESCRIBED else " }")
    here = instant_as_declared(loads(FLIGHT.replace('kind = "fixed"\n', hold).replace(START, start)))
    mechanism, x, span = here.equations, here.x, 1e-5

    def energy(t: float) -> float:
        middle = mechanism.here(np.asarray(0.5 * t), x + 0.5 * t * here.slope, here.discrete)
        return float(
            component(mechanism.here(np.asarray(t), x + t * middle.slope, here.discrete), "system.energy")
        )

    rate = (energy(span) - energy(-span)) / (2 * span)
    assert component(here, "joints.hold.power") == pytest.approx(rate, rel=1e-6)


def test_joints_that_repeat_each_other_share_their_loads():
    """Two at one point move nothing more than one does, and each bears a half."""
    single = instant_as_declared(loads(with_joint('"fixed"')))
    twin = JOINT.replace("joints.hold", "joints.again") + 'kind = "fixed"\n'
    double = instant_as_declared(
        loads(with_joint('"fixed"').replace("[forces.flange]", f"{twin}[forces.flange]"))
    )
    size = np.max(np.abs(single.generalized_accelerations))
    assert double.acceleration == pytest.approx(single.acceleration, abs=1e-10 * size)
    assert double.generalized_accelerations == pytest.approx(
        single.generalized_accelerations, abs=1e-10 * size
    )
    for name in ("hold", "again"):
        for what in ("force", "torque"):
            (half,) = quantities(double, f"joints.{name}.{what}").values()
            (whole,) = quantities(single, f"joints.hold.{what}").values()
            assert half == pytest.approx(whole / 2, abs=1e-9 * np.max(np.abs(whole)))


def test_velocities_are_put_on_joints_by_masses(equations):
    """The nearest velocities that the joint allows, in the measure of the masses of bodies and modes: what a
    capture gives."""
    here = instant_as_declared(loads(FLIGHT))
    mechanism, (r, v, q, w, origin, fall) = here.equations, here.split
    change = np.random.default_rng(5).normal(size=(8, 2))
    modes = np.concatenate([here.own("modal")[:3], here.own("modal")[3:] + change[6:].ravel()[:3]])
    x = mechanism.pack(r, v + change[:3], q, w + change[3:6], origin, fall, modes)
    before, after = (
        turned(mechanism.here(here.t, one, here.discrete)) for one in (x, projected(mechanism, 0.0, x))
    )
    assert after[0] == pytest.approx(before[0], abs=1e-14)
    mass, _, gradient, _ = (np.asarray(part) for part in equations(*before, False))
    slides, turns = (one.split() for one in HELD["fixed"])
    gradient = gradient[[*map(SLIDES.index, slides), *(len(SLIDES) + TURNS.index(turn) for turn in turns)]]
    moved = np.linalg.solve(mass, gradient.T)
    wanted = before[1] - moved @ np.linalg.solve(gradient @ moved, gradient @ before[1])
    assert after[1] == pytest.approx(wanted, abs=1e-12 * np.max(np.abs(wanted)))


# --- flights --------------------------------------------------------------------------------------------


def test_starts_through_a_joint_hold_as_declared():
    """Bodies that start bent, at rates of their modes, are placed by the points as these stand and move."""
    found = start_of(loads(FLIGHT))
    for field in ("moved", "turned", "sped", "spun", "gap", "gap_rate"):
        assert getattr(found, field) == pytest.approx(0.0, abs=1e-14), field


def straight(text: str) -> str:
    """A scenario whose bodies start unbent, with modes at rest."""
    for line in ("coordinate = [0.05, -0.03]\n", "rate = [0.5, 1.0]\n", "coordinate = [0.02]\n"):
        text = text.replace(line, "")
    return text


def test_starts_are_closed_by_bodies_and_not_by_modes():
    """A gap that nobody meant is no strain."""
    off = "initial = { position = [1.5000001, 0, 0], angular_velocity = [0, 0.1, 0.2] }\n"
    found = start_of(loads(straight(FLIGHT).replace(START, off)))
    assert np.max(np.abs(found.gap)) > 0.9e-7
    assert np.max(np.abs(found.left)) < 1e-14
    assert np.max(np.abs(found.left_rate)) < 1e-14
    assert found.x[-6:] == pytest.approx(0.0, abs=1e-14)  # rounding of what is left to close


def test_a_flight_keeps_what_it_should():
    """Momentum, angular momentum and energy joined and apart; the joint does not drift; the bolt gives the
    energy of its strain, F^2/2k = 2 J, to bodies and modes, and the joint's going takes nothing."""
    record = loads(FLIGHT).run().record
    series, joined = record.series, record.time < 0.0999
    for name in ("momentum", "angular_momentum"):
        value = series[f"system.{name}"]
        # The tolerance of a step, 1e-9, of some hundred steps, beside 100 N m s.
        np.testing.assert_allclose(value, np.broadcast_to(value[0], value.shape), rtol=0, atol=1e-6)
    energy = series["system.energy"] - np.where(joined, 0.0, 2.0)
    np.testing.assert_allclose(energy, energy[0], rtol=0, atol=1e-6)
    assert np.ptp(series["forces.bends.strain_energy"][joined]) > 1.0
    for name in ("gap", "misalignment", "violation_rate"):
        assert np.nanmax(np.abs(series[f"joints.hold.{name}"])) < 1e-13  # rounding of 1 m and 1 m/s


@pytest.mark.long
def test_a_release_of_rigid_bodies_is_not_changed_by_flexible_ones():
    """The strain energy of 2 J goes to two rigid bodies while a bushing is at a node of another body."""
    pair = """[bodies.a]
mass = 3.0
inertia = [1, 1, 1]
initial = { position = [5, 0, 0] }
[bodies.b]
mass = 2.0
inertia = [1, 1, 1]
initial = { position = [6, 0, 0] }
[joints.ab]
kind = "fixed"
parent = "a"
child = "b"
parent_at = [0.5, 0, 0]
child_at = [-0.5, 0, 0]
[forces.bends]"""
    bolt = BOLT.replace('"hold"', '"ab"').replace("[1, 0.2, 0]", "[1, 0, 0]")
    text = TEXT.replace("[forces.bends]", pair).replace("[engines.thruster]", f"{bolt}[engines.thruster]")
    series = loads(text.replace('ignite = ["thruster"]', 'fire = ["bolt"]')).run().record.series
    impulse = np.sqrt(2 * 2.0 * 3.0 * 2.0 / 5.0)
    for body, speed in (("a", -impulse / 3.0), ("b", impulse / 2.0)):
        # Rounding of offsets of 6 m, which change the velocities within the tolerance of a step, 1e-9.
        assert series[f"bodies.{body}.velocity"][-1] == pytest.approx([speed, 0, 0], abs=1e-9)


@pytest.mark.long
def test_cases_are_flights_and_derivatives_their_differences():
    path, tip = "forces.waves.frequency[0]", "forces.waves.point_bottom.deflection.y"
    scenario = loads(FLIGHT)
    batch = scenario.run_batch({path: [50.0, 50.05, 49.95]}, progress=False)
    middle, more, less = batch.value(tip)
    assert middle == pytest.approx(float(scenario.run().record.series[tip[:-2]][-1][1]), abs=1e-8)
    slope = float(scenario.derivatives([tip], [path]).by[tip][path])
    assert slope == pytest.approx((more - less) / 0.1, rel=1e-3)


@pytest.mark.long
def test_elastic_joints_approach_rigid_ones_with_their_stiffness():
    """Order 1 in 1/stiffness, which goes with the square of the frequency."""
    rigid, away = loads(FLIGHT).run().record, []
    for frequency in (1000, 3000):
        choice = f'[solver]\nformulation = {{ kind = "regularized", frequency = {frequency} }}\n'
        record = loads(FLIGHT + choice).run().record
        change = record.series["bodies.top.position"] - rigid.series["bodies.top.position"]
        away.append(np.max(np.abs(change[record.time < 0.0999])))
    # The next term is of the ratio of the modes' frequencies to these, squared: (50/1000)^2, and rounding.
    assert away[0] / away[1] == pytest.approx(9.0, rel=0.01)


@pytest.mark.long
def test_a_capture_keeps_momenta():
    """A joint that takes hold in flight, between points that move and bend."""
    bolt = FLIGHT[FLIGHT.index("[devices.bolt]") : FLIGHT.index("[engines.thruster]")]
    start = TEXT[TEXT.index("initial = { position = [1.52") : TEXT.index("[forces.bends]")]
    text = (
        FLIGHT.replace(bolt, "")
        .replace(START, start)
        .replace("[joints.hold]", "[joints.hold]\nactive = false")
    )
    record = loads(text.replace('fire = ["bolt"]', 'attach = ["hold"]')).run().record
    for name in ("momentum", "angular_momentum"):
        value = record.series[f"system.{name}"]
        np.testing.assert_allclose(value, np.broadcast_to(value[0], value.shape), rtol=0, atol=1e-6)
    energy = record.series["system.energy"]
    assert energy[0] - energy[-1] > 1.0
    for name in ("gap", "misalignment", "violation_rate"):
        assert np.max(record.series[f"joints.hold.{name}"][record.time > 0.1001]) < 1e-13


# --- bad input ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        *(
            (
                "[output]",
                f'[solver]\nformulation = "{kind}"\n{more}[output]',
                "solver.formulation",
                "flexible bodies (hold)",
            )
            for kind, more in (
                ("null_space", ""),
                ("composite", ""),
                ("staggered", 'step = "1 ms"\n'),
                ("simultaneous", 'step = "1 ms"\n'),
            )
        ),
        (
            "[output]",
            '[solver]\nformulation = { kind = "lagrange_multiplier", elimination = "tree" }\n[output]',
            "solver.formulation.elimination",
            "'tree' does not support joints of flexible bodies (hold)",
        ),
        (
            "parent_at = [1, 0, 0]",
            "parent_at = [0.9, 0, 0]",
            "joints.hold.parent_at",
            "not a point of the modes bends",
        ),
        (
            "[devices.bolt]",
            "[devices.bolt]\nat = [-1, 0, 0]",
            "devices.bolt.at",
            "is 2 m from joint 'hold'",
        ),
    ],
)
def test_what_cannot_be_is_told(old, new, place, words):
    assert old in FLIGHT
    with pytest.raises(ist.BadInput) as caught:
        loads(FLIGHT.replace(old, new))
    assert any(words in p.message for p in caught.value.problems if p.place == place), caught.value.problems


def test_studies_of_rigid_joints_refuse_these():
    """Symbols know no modes, and trims no coordinates of such joints; linear equations none that joints
    restrict among themselves."""
    with pytest.raises(ist.BadInput, match="makes a body flexible"):
        machine(loads(FLIGHT))
    with pytest.raises(ist.BadInput, match="joint hold carries a flexible body"):
        loads(FLIGHT).trim(["joints.hold.rotation.z"])
    twin = JOINT.replace("joints.hold", "joints.again").replace("[1, ", "[-1, ").replace("[-0.5", "[-2.5")
    far = "far = { at = [-2.5, 0, 0], shape = [[0, 1, 0]], turn = [[0, 0, 1]] }\nbottom = {"
    text = FLIGHT.replace("[devices.bolt]", f'{twin}kind = "fixed"\n[devices.bolt]').replace(
        "bottom = {", far
    )
    with pytest.raises(ist.BadInput, match="constrain the deformation"):
        linearize(loads(straight(text)), "start", (), ())
