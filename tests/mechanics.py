"""What several tests of the mechanics share: drawn bodies and states, and the equations as one compiled
function."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.engine.layout import Layout
from interstage.engine.mechanism import Mechanism, Reference
from interstage.engine.numbers import numbers
from interstage.flight.compiled import FOR_ALL
from interstage.flight.program import configure, lift

configure()
EPS = np.finfo(float).eps
AXES = "xyz"
COAST = (ist.Phase(name="coast", until=ist.Trigger(time=1.0)),)


def quickly(function) -> Any:
    """Compiled for quick compilation, not for speed."""
    return jax.jit(function, compiler_options={**FOR_ALL, "xla_backend_optimization_level": 0})


def drawn_attitude(rng) -> ist.Attitude:
    return ist.Attitude(quaternion=Rotation.random(rng=rng).as_quat(scalar_first=True))


def drawn_body(rng, name, **options) -> ist.Body:
    """A body of 1 to 5 kg and about half a metre, its mass centre away from the drawing zero, products of
    inertia."""
    mass = rng.uniform(1, 5)
    half = rng.uniform(0.2, 0.6, 3)
    moments = mass / 3 * (half @ half - half**2)
    turn = Rotation.random(rng=rng).as_matrix()
    options = {"mass_centre": rng.uniform(-0.5, 0.5, 3)} | options
    return ist.Body(
        name=name, mass=mass, inertia=turn @ np.diag(moments) @ turn.T, products="tensor", **options
    )


def drawn_state(rng, bodies, lanes=()):
    """Positions, velocities, quaternions, body rates (component, body, *lanes), all of order one."""
    shape = lambda n: (n, bodies, *lanes)  # noqa: E731
    q = rng.standard_normal(shape(4))
    return (
        rng.standard_normal(shape(3)),
        rng.standard_normal(shape(3)),
        q / np.linalg.norm(q, axis=0),
        rng.standard_normal(shape(3)),
    )


def packed(r, v, q, w, origin=None, origin_velocity=None):
    """The engine's flat state."""
    zero = np.zeros((3, *np.shape(r)[2:]))
    parts = [np.reshape(p, (-1, *np.shape(p)[2:])) for p in (r, v, q, w)]
    return np.concatenate(
        [*parts, zero if origin is None else origin, zero if origin_velocity is None else origin_velocity]
    )


def quaternion_rate(q, w):
    """q x (0, w) / 2, product written out."""
    a, b, c, d = q
    x, y, z = w
    return 0.5 * np.stack(
        [-b * x - c * y - d * z, a * x + c * z - d * y, a * y + d * x - b * z, a * z + b * y - c * x]
    )


def matrix(q):
    """Body-to-inertial matrices (..., 3, 3) of quaternions (4, ...)."""
    return Rotation.from_quat(np.moveaxis(q, 0, -1), scalar_first=True).as_matrix()


def equations(scenario, reference=None, lanes=0) -> Mechanism:
    """The mechanism of a scenario; to be called inside a compiled function."""
    layout = Layout(scenario)
    leaves = lift(scenario) if lanes else jax.tree.map(jnp.asarray, scenario)
    return Mechanism(layout, leaves, numbers(layout, leaves, lanes), reference)


def reference(rod=(), spring=(), push_length=(), push_force=(), joints=0, lanes=()) -> Reference:
    """References given by hand, with joint poses counted from zero."""
    column = lambda values: jnp.asarray(np.reshape(values, (-1, *(1,) * len(lanes))), float)  # noqa: E731
    turn = np.broadcast_to(np.eye(3).reshape(3, 3, 1, *(1,) * len(lanes)), (3, 3, joints, *lanes))
    return Reference(
        rod_length=column(rod),
        spring_length=column(spring),
        push_length=column(push_length),
        push_force=column(push_force),
        displacement=jnp.zeros((3, joints, *lanes)),
        turn=jnp.asarray(turn),
    )
