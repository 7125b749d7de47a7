"""`point.toml` as one writes it in JAX for this one vehicle: seven states, RK4, a state kept each second;
over the sphere, or over an ellipsoid."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from . import point_numba as case

jax.config.update("jax_enable_x64", True)
UP = np.array([case.UP_X, 0.0, case.UP_Z])
FORWARD = np.array([0.0, 1.0, 0.0])
SPIN = np.array([0.0, 0.0, case.SPIN])
FLATTENING = 1 / 298.257223563
"""Of the ellipsoid."""


def height(place):
    """Altitude [m] over the ellipsoid: two steps of B. R. Bowring, Survey Review 23 (1976), 323-327."""
    square = FLATTENING * (2 - FLATTENING)
    pp, z = place[0] ** 2 + place[1] ** 2, place[2]
    p = jnp.sqrt(pp)
    s, c = z, (1 - FLATTENING) * p
    ss, cc = z * z, (1 - square) * pp
    for _ in range(2):
        root = jnp.sqrt(ss + cc) ** 3 / case.RADIUS
        s, c = (1 - FLATTENING) * z * root + square * s * ss, p * root - square * c * cc
        ss, cc = s * s, c * c
    c, cc = (1 - FLATTENING) * c, (1 - square) * cc
    whole = ss + cc
    return (p * c + z * s - case.RADIUS * jnp.sqrt(whole - square * ss)) / jnp.sqrt(whole)


def rates(t, state, oblate):
    """Derivatives of place, velocity and mass (7,)."""
    place, velocity, mass = state[:3], state[3:6], state[6]
    r = jnp.linalg.norm(place)
    wind = velocity - jnp.cross(SPIN, place)
    density = case.DENSITY * jnp.exp(-(height(place) if oblate else r - case.RADIUS) / case.SCALE)
    drag = -case.HALF_AREA * density * jnp.linalg.norm(wind) * wind
    above, ahead = case.A + case.B * t, case.C + case.D * t
    push = case.THRUST * (above * UP + ahead * FORWARD) / jnp.hypot(above, ahead)
    pull = -case.MU / r**3 * place
    return jnp.concatenate([velocity, pull + (drag + push) / mass, jnp.array([-case.FLOW])])


@partial(jax.jit, static_argnums=1)
def _flown(begun, oblate):
    h = case.STEP

    def step(k, state):
        t = k * h
        k1 = rates(t, state, oblate)
        k2 = rates(t + h / 2, state + h / 2 * k1, oblate)
        k3 = rates(t + h / 2, state + h / 2 * k2, oblate)
        k4 = rates(t + h, state + h * k3, oblate)
        return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def second(state, k):
        return jax.lax.fori_loop(k * case.KEPT, (k + 1) * case.KEPT, step, state), state

    last, kept = jax.lax.scan(second, begun, jnp.arange(round(case.END / h) // case.KEPT))
    return jnp.concatenate([kept, last[None]])


def fly(oblate: bool = False) -> NDArray[np.float64]:
    """States (time, 7) each second: place [m], velocity [m/s], mass [kg]."""
    begun = np.array([case.X, 0.0, case.Z, 0.0, case.FORWARD, 0.0, case.DRY + case.FULL])
    return np.asarray(_flown(begun, oblate))
