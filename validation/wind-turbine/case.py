"""The wind turbine of AIAA 2011-6277 (section VI, Figure 4f): seven coordinates. Its linear equations by
Lagrange's equations of its own, in multi-blade coordinates written out for three blades, and over a turn."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from scipy.integrate import solve_ivp

from interstage import BadInput
from interstage.studies.verify import Row, linear_about

from ..comparison import worst

jax.config.update("jax_enable_x64", True)

AZIMUTH, SPEED = 0.3, 2.0
PERIOD = 2 * np.pi / SPEED
PLACES = 2 * np.pi * np.arange(3) / 3
STIFFNESS = np.array([3e8, 3.5e8, 2e7, 0, 4e5, 4e5, 4e5])
DAMPING = np.array([1e6, 1.2e6, 1e5, 0, 2e3, 2e3, 2e3])
MASSES = [
    (20e3, [0, 0, 15.0], [1.6e6, 1.6e6, 3e4]),
    (9800.0, [1.25, 0, 1.0], [9e3, 2e4, 2.2e4]),
    (2500.0, [0, 0, 0.0], [2000.0, 1500, 1500]),
    *[(800.0, [0, 0, 6.0], [9605.0, 9600, 10])] * 3,
]
"""Mass [kg], centre of mass [m] and moments about it [kg m^2] of tower, nacelle, hub and blades, their
axes."""
BLADES = ["flap_1", "flap_2", "flap_3"]
WEIGHT = 9.81
ROUNDED = 1e-11
"""Of the largest entry: mass matrices whose condition is 1e3 to 1e4."""
INTEGRATED = 1e-9
"""Of the largest entry of the monodromy, by a tolerance of 1e-12 over some swings."""


def _turn(axis, angle):
    c, s, one, zero = jnp.cos(angle), jnp.sin(angle), jnp.ones_like(angle), jnp.zeros_like(angle)
    rows = {
        "x": [[one, zero, zero], [zero, c, -s], [zero, s, c]],
        "y": [[c, zero, s], [zero, one, zero], [-s, zero, c]],
        "z": [[c, -s, zero], [s, c, zero], [zero, zero, one]],
    }
    return jnp.array(rows[axis])


def _poses(q):
    """(origin, matrix) of each body."""
    tower = _turn("x", q[0]) @ _turn("y", q[1])
    top = tower @ jnp.array([0, 0, 30.0])
    nacelle = tower @ _turn("z", q[2])
    middle, hub = top + nacelle @ jnp.array([-2.5, 0, 1.0]), nacelle @ _turn("x", q[3])
    found = [(jnp.zeros(3), tower), (top, nacelle), (middle, hub)]
    for k in range(3):
        arm = hub @ _turn("x", jnp.asarray(PLACES[k]))
        found.append((middle + arm @ jnp.array([0, 0, 1.0]), arm @ _turn("y", q[4 + k])))
    return found


def _lagrangian(q, u, weight):
    poses, rates = jax.jvp(_poses, (q,), (u,))
    whole = -jnp.sum(jnp.asarray(STIFFNESS) * q**2) / 2
    for (mass, centre, moments), (at, turn), (v, turning) in zip(MASSES, poses, rates, strict=True):
        spin = turn.T @ turning
        w = jnp.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        speed = v + turning @ jnp.array(centre)
        whole += mass * speed @ speed / 2 + w @ (jnp.array(moments) * w) / 2
        whole -= mass * weight * (at + turn @ jnp.array(centre))[2]
    return whole


def _second(q, u, weight):
    """Lagrange's equations, solved for the accelerations."""
    momentum = jax.grad(_lagrangian, 1)
    mass = jax.jacfwd(momentum, 1)(q, u, weight)
    drift = jax.jvp(lambda one: momentum(one, u, weight), (q,), (u,))[1]
    push = jax.grad(_lagrangian, 0)(q, u, weight) - drift - jnp.asarray(DAMPING) * u
    return jnp.linalg.solve(mass, push)


_SLOPES = jax.jit(jax.jacfwd(_second, (0, 1)))


def assembled(azimuth, weight=0.0, speed=SPEED):
    """A of [q, q'] where the rotor turns steadily and all else rests."""
    q, u = np.zeros(7), np.zeros(7)
    q[3], u[3] = azimuth, speed
    by_place, by_rate = _SLOPES(q, u, weight)
    return np.block([[np.zeros((7, 7)), np.eye(7)], [np.asarray(by_place), np.asarray(by_rate)]])


def multi_blade(azimuth, speed=SPEED):
    """(x by z and z', its rate): 1, cos, sin of each blade, by the product rule."""
    psi = azimuth + PLACES
    t = np.stack([np.ones(3), np.cos(psi), np.sin(psi)], 1)
    first = speed * np.stack([np.zeros(3), -np.sin(psi), np.cos(psi)], 1)
    second = speed**2 * np.stack([np.zeros(3), -np.cos(psi), -np.sin(psi)], 1)
    whole, rate = np.eye(14), np.zeros((14, 14))
    for one in (slice(4, 7), slice(11, 14)):
        whole[one, one], rate[one, one] = t, first
    whole[11:, 4:7], rate[11:, 4:7] = first, second
    return whole, rate


def own_monodromy(weight):
    """Phi over a turn, by a Runge-Kutta method of order eight."""

    def slope(t, phi):
        return (assembled(AZIMUTH + SPEED * t, weight) @ phi.reshape(14, 14)).ravel()

    how = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12}
    return solve_ivp(slope, (0, PERIOD), np.eye(14).ravel(), **how).y[:, -1].reshape(14, 14)


def compare(fly, folder):
    """A of the blades, in multi-blade coordinates, and over a turn, without weight and with it."""
    scenario, how = folder / "scenario.toml", {"shaft": "rotor"}
    a = assembled(AZIMUTH)
    own = linear_about(scenario)
    yield Row("A [1/s, 1/s^2], of its largest entry", worst(own.A - a) / worst(a), ROUNDED)
    linear = linear_about(scenario, rotor={**how, "blades": BLADES})
    yield Row("A in multi-blade coordinates at six azimuths", linear.spread, ROUNDED)
    whole, rate = multi_blade(AZIMUTH)
    truth = np.linalg.solve(whole, a @ whole - rate)
    yield Row("A in multi-blade coordinates", worst(linear.A - truth) / worst(truth), ROUNDED)
    turn = linear_about(scenario, rotor={**how, "period": "turn"})
    phi = own_monodromy(0.0)
    yield Row("monodromy of a turn, of its largest", worst(turn.monodromy - phi) / worst(phi), INTEGRATED)
    values = [mode.eigenvalue for mode in linear.modes if not mode.zero]
    found = [mode.multiplier for mode in turn.modes if not mode.stays]
    wanted = np.exp(np.array(values) * PERIOD)
    wanted = np.where(wanted.imag < 0, wanted.conj(), wanted)
    off = max(np.min(np.abs(wanted - one)) for one in found)
    same = len(found) == len(values)
    yield Row("multipliers, from multi-blade coordinates", off if same else np.inf, INTEGRATED)
    heavy = {"gravity.acceleration": [0, 0, -WEIGHT]}
    turn = linear_about(scenario, rotor={**how, "period": "turn"}, **heavy)
    phi = own_monodromy(WEIGHT)
    yield Row("monodromy with weight, of its largest", worst(turn.monodromy - phi) / worst(phi), INTEGRATED)
    try:
        linear_about(scenario, rotor={**how, "blades": BLADES}, **heavy)
    except BadInput as error:
        refused = "depend on the azimuth" in str(error)
    else:
        refused = False
    yield Row("weight in the disk that is not refused as periodic", float(not refused), 0.0)
