"""`point.toml` as one writes it in JAX for this one vehicle: seven states, RK4, a state kept each second."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from . import point_numba as case

jax.config.update("jax_enable_x64", True)
UP = np.array([case.UP_X, 0.0, case.UP_Z])
FORWARD = np.array([0.0, 1.0, 0.0])
SPIN = np.array([0.0, 0.0, case.SPIN])


def rates(t, state):
    """Derivatives of place, velocity and mass (7,)."""
    place, velocity, mass = state[:3], state[3:6], state[6]
    r = jnp.linalg.norm(place)
    wind = velocity - jnp.cross(SPIN, place)
    density = case.DENSITY * jnp.exp(-(r - case.RADIUS) / case.SCALE)
    drag = -case.HALF_AREA * density * jnp.linalg.norm(wind) * wind
    above, ahead = case.A + case.B * t, case.C + case.D * t
    push = case.THRUST * (above * UP + ahead * FORWARD) / jnp.hypot(above, ahead)
    pull = -case.MU / r**3 * place
    return jnp.concatenate([velocity, pull + (drag + push) / mass, jnp.array([-case.FLOW])])


@jax.jit
def _flown(begun):
    h = case.STEP

    def step(k, state):
        t = k * h
        k1 = rates(t, state)
        k2 = rates(t + h / 2, state + h / 2 * k1)
        k3 = rates(t + h / 2, state + h / 2 * k2)
        k4 = rates(t + h, state + h * k3)
        return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def second(state, k):
        return jax.lax.fori_loop(k * case.KEPT, (k + 1) * case.KEPT, step, state), state

    last, kept = jax.lax.scan(second, begun, jnp.arange(round(case.END / h) // case.KEPT))
    return jnp.concatenate([kept, last[None]])


def fly() -> NDArray[np.float64]:
    """States (time, 7) each second: place [m], velocity [m/s], mass [kg]."""
    begun = np.array([case.X, 0.0, case.Z, 0.0, case.FORWARD, 0.0, case.DRY + case.FULL])
    return np.asarray(_flown(begun))
