"""Springs, devices and given loads: closed forms, work and energy, action and reaction."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import instant, mechanism_of, packed, quantities, quickly, share, switches
from interstage.parts.springs import law as springs
from interstage.parts.users.flown import user_law
from interstage.reading import loads
from interstage.tree import addresses as tree
from interstage.tree.errors import BadInput
from mechanics import COAST, EPS, drawn_attitude, drawn_body, drawn_state, matrix, quaternion_rate

# --- torsion springs: angles, rates and torques of every sequence -------------------------------------------

SEQUENCES = [
    *("1", "2", "3"),
    *("1-2", "2-3", "3-1", "2-1", "3-2", "1-3"),
    *("1-2-3", "2-3-1", "3-1-2", "3-2-1", "2-1-3", "1-3-2"),
    *("1-2-1", "1-3-1", "2-1-2", "2-3-2", "3-1-3", "3-2-3"),
]
LANES = 16


def turns(sequence, rng):
    """(angles, rates) (n, lanes) that the sequence allows, away from its singular poses."""
    digits = sequence.split("-")
    angle = rng.uniform(-3, 3, (len(digits), LANES))
    if len(digits) > 2:
        # The middle angle of 1-2-3 stays below 80 deg, that of 1-2-1 between 10 and 170 deg.
        angle[1] = (
            rng.uniform(-1.4, 1.4, LANES) if digits[0] != digits[-1] else rng.uniform(0.17, 2.97, LANES)
        )
    return angle, rng.standard_normal((len(digits), LANES))


def axes_of(sequence, angle):
    """(matrix of the whole, axes of the turns in the child's components (3, n, lanes)), by SciPy."""
    letters = sequence.replace("-", "").translate(str.maketrans("123", "XYZ"))
    whole = Rotation.from_euler(letters, angle.T)
    axes = []
    for k, letter in enumerate(letters):
        later = Rotation.identity(LANES)
        for m in range(k + 1, len(letters)):
            later = later * Rotation.from_euler(letters[m], angle[m][:, None])
        axes.append(later.inv().apply(np.eye(3)["XYZ".index(letter)]).T)
    return np.moveaxis(whole.as_matrix(), 0, -1), np.stack(axes, 1)


@cache
def torsions():
    """Angles, rates and torques of all sequences, computed at once."""
    given = {}
    for n, sequence in enumerate(SEQUENCES):
        rng = np.random.default_rng(100 + n)
        angle, rate = turns(sequence, rng)
        relative, axes = axes_of(sequence, angle)
        spin = np.sum(axes * rate[None], 1)
        constants = rng.uniform(0.5, 2, (3, len(angle), 1))
        given[sequence] = angle, rate, relative, axes, spin, constants

    @quickly
    def program(given):
        found = {}
        for sequence, (_, _, relative, _, spin, constants) in given.items():
            state = springs.sequence_angles(sequence, relative, spin)
            found[sequence] = state, springs.torsion(state, *constants)
        return found

    return given, program(given)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_angles_and_rates_of_a_sequence(sequence):
    given, found = torsions()
    angle, rate = given[sequence][:2]
    state, _ = found[sequence]
    # The matrix' roundings divided by the sine or cosine of the middle angle (0.17 at least), for rates
    # squared.
    np.testing.assert_allclose(np.cos(state.angle - angle), 1, rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(np.sin(state.angle - angle), 0, rtol=0, atol=8 * EPS / 0.17)
    np.testing.assert_allclose(state.rate, rate, rtol=0, atol=8 * EPS / 0.17**2 * np.abs(rate).max())


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_torque_does_the_work_of_the_spring(sequence):
    """Its moment about the axis of each turn is -k (angle - free) - c rate: B^T torque = n (Thompson, section
    V)."""
    given, found = torsions()
    angle, rate, _, axes, _, (stiffness, damping, free) = given[sequence]
    # An angle is known but for whole turns; those drawn lie within the range that is extracted.
    expected = -stiffness * (angle - free) - damping * rate
    _, torque = found[sequence]
    moment = np.sum(axes * np.asarray(torque)[:, None], 0)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(moment, expected, rtol=0, atol=16 * EPS / 0.17**2 * scale)


def test_torsion_about_one_axis_is_along_that_axis():
    given, found = torsions()
    for k, sequence in enumerate("123"):
        angle, rate, *_, (stiffness, damping, free) = given[sequence]
        torque = np.asarray(found[sequence][1])
        scale = np.abs(torque).max()
        np.testing.assert_allclose(
            torque[k], (-stiffness * (angle - free) - damping * rate)[0], rtol=0, atol=16 * EPS * scale
        )
        assert (np.delete(torque, k, axis=0) == 0).all()


# --- forces between bodies ----------------------------------------------------------------------------------

REST = (0.9, 1.7)
PUSH = (0.4, 0.7)


@cache
def sprung():
    """Two bodies with springs, torsion springs and kick-off springs of every sort between them, at drawn
    states."""
    rng = np.random.default_rng(120)
    bodies = tuple(drawn_body(rng, name, initial=ist.State()) for name in "ab")

    def ends() -> dict[str, Any]:
        return {"parent_at": rng.uniform(-1, 1, 3), "child_at": rng.uniform(-1, 1, 3)}

    def frames() -> dict[str, Any]:
        return {"parent_frame": drawn_attitude(rng), "child_frame": drawn_attitude(rng)}

    forces = (
        ist.Spring(
            name="coil", parent="a", child="b", stiffness=30.0, damping=2.0, free_length=REST[0], **ends()
        ),
        ist.Spring(
            name="back", parent="b", child="a", stiffness=11.0, damping=0.0, free_length=REST[1], **ends()
        ),
        ist.TorsionSpring(
            name="proper",
            parent="a",
            child="b",
            sequence="3-1-3",
            stiffness=[5.0, 3.0, 1.0],
            damping=[0.4, 0.1, 0.2],
            **frames(),
        ),
        ist.TorsionSpring(
            name="gimbal",
            parent="b",
            child="a",
            sequence="1-2-3",
            stiffness=[3.0, 2.0, 4.0],
            damping=[0.1, 0.2, 0.3],
            free_angles=[0.1, -0.2, 0.3],
            **frames(),
        ),
        # Of bodies that no joint holds to these turns.
        ist.TorsionSpring(
            name="one", parent="a", child="b", sequence="2", stiffness=[4.0], damping=[0.5], **frames()
        ),
        ist.TorsionSpring(
            name="two",
            parent="b",
            child="a",
            sequence="3-1",
            stiffness=[2.0, 3.0],
            damping=[0.2, 0.6],
            free_angles=[-0.3, 0.2],
            **frames(),
        ),
    )
    devices = (
        ist.KickoffSpring(
            name="guided",
            parent="a",
            child="b",
            stiffness=4.0,
            preload=80.0,
            stroke=0.4,
            damping=0.7,
            axis=[1, 2, -2],
            **ends(),
        ),
        ist.KickoffSpring(
            name="loose",
            parent="b",
            child="a",
            stiffness=6.0,
            preload=90.0,
            stroke=0.3,
            damping=0.5,
            **ends(),
        ),
    )
    scenario = ist.Scenario(bodies=bodies, forces=forces, devices=devices, phases=COAST)

    @quickly
    def program(t, x, xdot):
        mechanism = mechanism_of(scenario, (LANES,), springs=REST, pushers=(PUSH, (80.0, 90.0)))

        def energy(x):
            return quantities(instant(mechanism, t, x), "system.potential_energy")["system.potential_energy"]

        now = instant(mechanism, t, x)
        told = {p: q for p, q in quantities(now).items() if p.startswith(("forces", "devices"))}
        applied = {"total": now.wrench, "pushers": now["pushers"], "torsion": now["torsion"]}
        return applied, jax.jvp(energy, (x,), (xdot,))[1], told

    state = drawn_state(rng, 2, (LANES,))
    _, v, q, w = state
    xdot = packed(v, 0 * v, quaternion_rate(q, w), 0 * w)
    applied, change, told = program(np.zeros(LANES), packed(*state), xdot)
    inertia = np.stack([b.inertia for b in bodies])
    total = np.array(applied["total"])
    total[3:] += np.cross(w, np.einsum("bij,jbl->ibl", inertia, w), axis=0)  # without the gyroscopic torque
    return scenario, state, total, applied, np.asarray(change), {p: np.asarray(f) for p, f in told.items()}


def turned(q, vector):
    """Inertial components (3, body, lanes) of body-axes vectors."""
    return np.einsum("blij,jbl->ibl", matrix(q), vector)


def size(total):
    """Largest force times largest distance in play (4 m), for bounds on sums."""
    return 4 * np.abs(total).max()


def test_internal_forces_change_no_momentum():
    """Forces cancel, and so do their moments about the inertial origin."""
    _, (r, _, q, _), total, *_ = sprung()
    assert np.abs(total).max() > 10  # they are there
    np.testing.assert_allclose(total[:3].sum(1), np.zeros((3, LANES)), rtol=0, atol=8 * EPS * size(total))
    moment = turned(q, total[3:]) + np.cross(r, total[:3], axis=0)
    np.testing.assert_allclose(moment.sum(1), np.zeros((3, LANES)), rtol=0, atol=32 * EPS * size(total))


def test_power_is_what_the_energy_loses_and_the_dampers_take():
    _, (_, v, _, w), total, applied, change, told = sprung()
    power = np.sum(total[:3] * v, (0, 1)) + np.sum(total[3:] * w, (0, 1))
    taken = (
        2.0 * told["forces.coil.rate"] ** 2
        + np.array([0.7, 0.5]) @ np.asarray(applied["pushers"].line.rate) ** 2
    )
    dampers = {"proper": [0.4, 0.1, 0.2], "gimbal": [0.1, 0.2, 0.3], "one": [0.5], "two": [0.2, 0.6]}
    for name, damping in dampers.items():
        taken = taken + np.array(damping) @ np.asarray(applied["torsion"][name][1].rate) ** 2
    assert (
        told["devices.guided.force"] > 0
    ).all()  # within their travel, where the stored energy is that of the force
    assert (told["devices.loose.force"] > 0).all()
    # Some thirty products, and angles whose rates divide by the sine or cosine of the middle one (0.03 at
    # least here).
    bound = 64 * EPS / 0.03 * np.max(np.abs(power) + np.abs(change) + taken)
    np.testing.assert_allclose(power + change, -taken, rtol=0, atol=bound)


def test_springs_and_kickoff_springs_along_their_lines():
    """Length, rate and force from the points' own motion, computed here."""
    scenario, (r, v, q, w), _, _, _, told = sprung()
    spin = turned(q, w)
    items = [*scenario.forces[:2], *scenario.devices]
    for k, item in enumerate(items):
        place, speed = [], []
        for name, at in ((item.parent, item.parent_at), (item.child, item.child_at)):
            b = "ab".index(name)
            arm = np.einsum("lij,j->il", matrix(q[:, b]), at - scenario.bodies[b].mass_centre)
            place.append(r[:, b] + arm)
            speed.append(v[:, b] + np.cross(spin[:, b], arm, axis=0))
        gap, rate = place[1] - place[0], speed[1] - speed[0]
        line = gap / np.linalg.norm(gap, axis=0)
        if item.name == "guided":
            axis = np.array([1, 2, -2]) / 3
            line = np.einsum("lij,j->il", matrix(q[:, 0]), axis)
            rate = rate - np.cross(spin[:, 0], gap, axis=0)  # seen from the parent, which carries the axis
        length, rate = np.sum(gap * line, 0), np.sum(rate * line, 0)
        close = {"rtol": 0, "atol": 32 * EPS * 8}  # points up to 4 m apart, rates up to 8 m/s
        if k < 2:
            expected = -item.stiffness * (length - REST[k]) - item.damping * rate
            np.testing.assert_allclose(told[f"forces.{item.name}.length"], length, **close)
            np.testing.assert_allclose(told[f"forces.{item.name}.rate"], rate, **close)
            found = told[f"forces.{item.name}.force"]
        else:
            stroke = length - PUSH[k - 2]
            expected = item.preload - item.stiffness * stroke - item.damping * rate
            np.testing.assert_allclose(told[f"devices.{item.name}.stroke"], stroke, **close)
            found = told[f"devices.{item.name}.force"]
        np.testing.assert_allclose(
            found, expected, rtol=0, atol=32 * EPS * 8 * 40
        )  # stiffness 30 N/m and damping


def test_law_of_a_kickoff_spring():
    """Less by its extension and its damper; a damper never makes it pull, without one there is no kink."""
    extension, rate = np.array([0.0, 0.1, 0.4, 0.1]), np.array([0.0, 0.0, 0.0, 50.0])
    damped, free = (quickly(springs.push)(6.0, 20.0, c, extension, rate) for c in (2.0, 0.0))
    np.testing.assert_allclose(damped, [6, 4, 0, 0], rtol=0, atol=8 * EPS * 6)
    np.testing.assert_allclose(free, [6, 4, -2, 4], rtol=0, atol=8 * EPS * 6)


# --- given forces and torques -------------------------------------------------------------------------------


TABLE = {"time": [0.0, 1.0, 3.0], "value": [[1.0, 0, 2], [3, -2, 0], [0, 4, 1]]}


def test_given_loads_in_time_and_phase():
    """Body or inertial axes, at a point, from a table held or dropped outside, and in the phases named
    only."""
    rng = np.random.default_rng(130)
    body = drawn_body(rng, "a", initial=ist.State())
    at = np.array([0.3, -0.8, 0.5])
    held = ist.ForceTable(**TABLE, interpolation="linear", outside="hold")
    dropped = ist.TorqueTable(**TABLE, interpolation="linear", outside="zero")
    forces = (
        ist.Force(name="body", body="a", at=at, force=[1, 2, 3], axes="body"),
        ist.Force(name="space", body="a", at=at, force=[1, 2, 3], axes="inertial"),
        ist.Torque(name="twist", body="a", torque=[1, 2, 3], axes="body"),
        ist.Torque(name="turn", body="a", torque=[1, 2, 3], axes="inertial"),
        ist.Force(name="held", body="a", at=at, force=held, axes="body"),
        ist.Torque(name="dropped", body="a", torque=dropped, axes="body"),
        ist.Torque(name="late", body="a", torque=[1, 0, 0], axes="body", phases=("second",)),
    )
    phases = tuple(ist.Phase(name=name, until=ist.Trigger(elapsed=1.0)) for name in ("first", "second"))
    scenario = ist.Scenario(bodies=(body,), forces=forces, phases=phases)
    state = drawn_state(rng, 1)
    x = packed(*state)

    @quickly
    def program(t, phase):
        mechanism = mechanism_of(scenario)
        return instant(mechanism, t, x, switches(mechanism, phase=phase))["given"]

    turn, arm, given = matrix(state[2][:, 0]), at - body.mass_centre, np.array([1.0, 2, 3])
    close = {"rtol": 0, "atol": 64 * EPS * 4}
    found = program(2.0, 0)
    np.testing.assert_allclose(found["body"][0], turn @ given, **close)
    np.testing.assert_allclose(found["body"][1], np.cross(arm, given), **close)
    np.testing.assert_allclose(found["space"][0], given, **close)
    np.testing.assert_allclose(found["space"][1], np.cross(arm, turn.T @ given), **close)
    np.testing.assert_allclose(found["twist"][1], given, **close)
    np.testing.assert_allclose(found["turn"][1], turn.T @ given, **close)
    for name in ("twist", "turn"):
        assert (np.asarray(found[name][0]) == 0).all()
    np.testing.assert_allclose(found["held"][0], turn @ [1.5, 1.0, 0.5], **close)
    np.testing.assert_allclose(found["dropped"][1], [1.5, 1.0, 0.5], **close)
    assert (np.asarray(found["late"][1]) == 0).all()
    after = program(7.0, 1)
    np.testing.assert_allclose(after["held"][0], turn @ [0, 4, 1], **close)
    assert (np.asarray(after["dropped"][1]) == 0).all()
    np.testing.assert_allclose(after["late"][1], [1, 0, 0], **close)
    np.testing.assert_allclose(program(-1.0, 1)["held"][0], turn @ [1, 0, 2], **close)


class Law:
    """A user's law for the test below: a drag force on body "a" and a torque on "b"."""

    def __init__(self, drag):
        self.drag = drag

    def __call__(self, t, bodies):
        return {
            "a": (-self.drag * bodies.velocity["a"], jnp.zeros(3)),
            "b": (jnp.zeros(3), jnp.array([t, 0, 0])),
        }


def test_a_law_of_the_user():
    rng = np.random.default_rng(131)
    bodies = tuple(drawn_body(rng, name, initial=ist.State()) for name in "ab")
    law = {"kind": "user", "name": "drag", "class": f"{__name__}:Law", "parameters": {"drag": 2.5}}
    scenario = ist.Scenario.model_validate({"bodies": bodies, "forces": [law], "phases": COAST})
    r, v, q, w = drawn_state(rng, 2)
    origin_velocity = np.array([7.0, 0, 0])
    x = packed(r, v, q, 0 * w, origin_velocity=origin_velocity)

    @quickly
    def program(t, drag):
        leaves = tree.replace_leaf(scenario, "forces.drag.parameters.drag", drag)
        return instant(mechanism_of(scenario, leaves=leaves), t, x).wrench

    for drag in (2.5, 0.5):  # parameters are leaves: one program serves both
        total = np.asarray(program(3.0, drag))
        np.testing.assert_allclose(
            total[:3, 0], -drag * (v[:, 0] + origin_velocity), rtol=0, atol=8 * EPS * 25
        )
        np.testing.assert_array_equal(total[:, 1], [0, 0, 0, 3.0, 0, 0])


class Shaped:
    """A user's law that answers in many shapes."""

    def __init__(self, shape):
        self.shape = shape

    def __call__(self, t, bodies):
        v = bodies.velocity["a"]
        if self.shape == "none":
            return v
        if self.shape == "stranger":
            return {"c": (v, v)}
        if self.shape == "single":
            return {"a": v}
        if self.shape == "constant":
            return {"a": (jnp.array([1.0, 2.0, 3.0]), jnp.zeros(3))}
        if self.shape == "numbers":
            return {"a": (1.0, 2.0)}
        if self.shape == "lanes":
            return {"a": (v[0], v)}
        if self.shape == "text":
            return {"a": (v, "none")}
        if self.shape == "branch":
            return {"a": (v, v)} if v[0, 0] > 0 else {}
        if self.shape == "lost":
            return {"a": (bodies.position["c"], v)}
        return {"a": (v, jnp.concatenate([v, v]))}


def answered(shape, lanes=3, factor=1.0):
    """The loads of `Shaped` in so many lanes, of which three are as many as the components; the state times a
    factor."""
    rng = np.random.default_rng(17)
    bodies = tuple(drawn_body(rng, name, initial=ist.State()) for name in "ab")
    law = {"kind": "user", "name": "mine", "class": f"{__name__}:Shaped", "parameters": {"shape": shape}}
    scenario = ist.Scenario.model_validate({"bodies": bodies, "forces": [law], "phases": COAST})
    r, v, q, w = drawn_state(rng, 2)
    x = factor * np.repeat(np.asarray(packed(r, v, q, 0 * w))[:, None], lanes, 1)
    return share(instant(mechanism_of(scenario, (lanes,)), 0.0, x), "users")


def test_a_constant_load_is_the_same_in_all_lanes():
    found = np.asarray(answered("constant"))
    np.testing.assert_array_equal(found[:, 0], np.array([[1, 2, 3, 0, 0, 0]] * 3).T)
    np.testing.assert_array_equal(found[:, 1], np.zeros((6, 3)))


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        ("none", r"returned a .*\. Return a dictionary"),
        ("stranger", "returned a load on 'c', which is not a body; bodies: a, b"),
        ("single", "did not return a pair for 'a'"),
        (
            "numbers",
            r"returned a single number, but an array \(3, 2\) is expected, for the force on 'a'",
        ),
        ("lanes", r"returned an array \(2,\), but an array \(3, 2\) is expected, for the force on 'a'"),
        ("text", "raised TypeError: .*. Correct the class"),
        (
            "lost",
            r"raised KeyError: 'c' \(.*test_loads\.py, line \d+\). Correct the class",
        ),
        ("twice", r"returned an array \(6, 2\), but an array \(3, 2\) is expected, for the torque on 'a'"),
    ],
)
def test_a_law_of_the_user_answers_something_else(shape, says):
    with pytest.raises(BadInput, match=rf"forces\.mine\.class: {__name__}:Shaped ({says})"):
        answered(shape, 2)


def test_a_law_of_the_user_that_branches_on_the_flight_is_told_with_its_line():
    """By NumPy it goes one way or the other; a program that is compiled cannot."""
    says = r"raised TracerBool.* \(.*test_loads\.py, line \d+\)\. The class is compiled"
    answered("branch", 1)
    with pytest.raises(BadInput, match=rf"{__name__}:Shaped {says}"):
        jax.jit(lambda factor: answered("branch", 1, factor))(1.0)


@pytest.mark.parametrize(
    ("path", "parameters", "says"),
    [
        ("no_such_package.here:Law", {}, "cannot import"),
        (f"{__name__}:NoSuchLaw", {}, "cannot import"),
        (f"{__name__}:Law", {"wrong": 1.0}, "does not accept its parameters"),
    ],
)
def test_a_law_that_cannot_be_had(path, parameters, says):
    law = ist.UserForce.model_validate({"name": "u", "class": path, "parameters": parameters})
    with pytest.raises(BadInput, match=says) as error:
        user_law(law)
    assert "forces.u.class" in str(error.value)


def test_springs_that_act_in_a_phase_only():
    """Oscillators on a spring and on a torsion spring, and what is left of them where the springs are gone;
    what turns through 90 deg without its spring meets no lock."""
    text = """
[bodies.slides]
mass = 2
inertia = [1, 1, 1]
initial = { position = [1.5, 0, 0] }
[forces.coil]
kind = "spring"
parent = "ground"
child = "slides"
stiffness = 50
free_length = 1
phases = ["sprung"]
[bodies.turns]
mass = 1
inertia = [0.5, 1, 1]
initial = { attitude = { euler = "1-2-3", angles = [0.4, 0, 0] } }
[forces.twist]
kind = "torsion_spring"
parent = "ground"
child = "turns"
sequence = "1"
stiffness = [8]
phases = ["sprung"]
[bodies.tumbles]
mass = 1
inertia = [1, 1, 1]
initial = { angular_velocity = [0, 4, 0] }
[forces.gimbal]
kind = "torsion_spring"
parent = "ground"
child = "tumbles"
sequence = "1-2-3"
stiffness = [1, 0, 1]
phases = ["sprung"]
[phases.sprung]
until = { time = 0.3 }
[phases.free]
until = { time = 0.5 }
[solver]
tolerance = 1e-12
[output]
interval = 0.05
"""
    flight = loads(text).run()
    assert flight.record.completed
    t, held = flight.time, np.minimum(flight.time, 0.3)
    for k, mass, out, found in (
        (50.0, 2.0, 0.5, flight.record.series["bodies.slides.position"][:, 0] - 1),
        (8.0, 0.5, 0.4, flight.record.series["forces.twist.angle"][:, 0]),
    ):
        w = np.sqrt(k / mass)
        truth = out * np.cos(w * held) - out * w * np.sin(w * held) * (t - held)
        np.testing.assert_allclose(found, truth, rtol=0, atol=1e-10)  # a hundred times the tolerance
    energy = flight.record.series["system.potential_energy"]
    assert np.all(energy[t > 0.3] == 0)
    assert energy[0] == pytest.approx(0.5 * 50 * 0.5**2 + 0.5 * 8 * 0.4**2, rel=1e-12)
