"""Gravity: differences without cancellation, and potentials."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mpmath
import numpy as np

import interstage as ist
from engine_door import quickly
from interstage.environment.gravity_field import acceleration, difference, potential
from mechanics import EPS

FIELD = ist.InverseSquareGravity(centre=[1e5, -2e5, 3e5])


def accelerated(field, position):
    """Acceleration in a field that does not turn."""
    return acceleration(field, None, 0.0, position)


def pull(position):
    """Acceleration of the field with 50 digits."""
    arm = [mpmath.mpf(float(p)) - mpmath.mpf(float(c)) for p, c in zip(position, FIELD.centre, strict=True)]
    cube = mpmath.sqrt(sum(a * a for a in arm)) ** 3
    return [-mpmath.mpf(float(FIELD.mu)) * a / cube for a in arm]


def test_difference_of_gravity_does_not_cancel():
    """At orbital radius, over separations from a millimetre to 100 km: the relative error stays at rounding,
    where the plain difference of two accelerations would have lost all digits at a millimetre."""
    rng = np.random.default_rng(150)
    origin = np.array([1.1378e7, 0, 0])[:, None] + np.asarray(FIELD.centre)[:, None]
    sizes = np.repeat(10.0 ** np.arange(-3, 6), 6)
    direction = rng.standard_normal((3, len(sizes)))
    offset = sizes * direction / np.linalg.norm(direction, axis=0)
    origin = np.broadcast_to(origin, offset.shape)
    found, naive = quickly(
        lambda o, d: (
            difference(FIELD, None, 0.0, o, d),
            accelerated(FIELD, o + d) - accelerated(FIELD, o),
        )
    )(origin, offset)
    with mpmath.workdps(50):
        exact = np.empty_like(offset)
        for k in range(len(sizes)):
            here = [mpmath.mpf(float(v)) for v in origin[:, k]]
            there = [a + mpmath.mpf(float(b)) for a, b in zip(here, offset[:, k], strict=True)]
            arms = [
                [p - mpmath.mpf(float(c)) for p, c in zip(at, FIELD.centre, strict=True)]
                for at in (here, there)
            ]
            cubes = [mpmath.sqrt(sum(a * a for a in arm)) ** 3 for arm in arms]
            exact[:, k] = [
                float(-mpmath.mpf(float(FIELD.mu)) * (b / cubes[1] - a / cubes[0]))
                for a, b in zip(*arms, strict=True)
            ]
    size = np.linalg.norm(exact, axis=0)
    error = np.linalg.norm(found - exact, axis=0) / size
    # q is a sum of products that may cancel by a third at most against the direction drawn; powers of 3/2
    # follow.
    assert (error <= 16 * EPS).all()
    assert (np.linalg.norm(naive - exact, axis=0) / size)[sizes == 1e-3].max() > 1e-7  # the negative control


def test_potential_belongs_to_the_acceleration():
    rng = np.random.default_rng(151)
    for field in (FIELD, ist.UniformGravity(acceleration=[0.3, -0.2, -9.8]), ist.NoGravity()):
        position = 1e7 * rng.standard_normal(3)
        slope = jax.grad(lambda p, field=field: jnp.sum(potential(field, None, 0.0, p)))(position)
        found = accelerated(field, position)
        np.testing.assert_allclose(found, -slope, rtol=0, atol=16 * EPS * 10)
    exact = [float(a) for a in pull(position)]
    np.testing.assert_allclose(
        accelerated(FIELD, position),
        exact,
        rtol=0,
        atol=16 * EPS * np.linalg.norm(exact),
    )
