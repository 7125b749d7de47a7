"""What several tests of the mechanics share: drawn bodies, attitudes and states."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.programs.program import configure

configure()
EPS = np.finfo(float).eps
AXES = "xyz"
COAST = (ist.Phase(name="coast", until=ist.Trigger(time=1.0)),)


def shaken_pivot(axis: str, amplitude: float, frequency: float, more: str = "") -> str:
    """A pivot that is shaken along an axis, amplitude [m] and angular frequency [rad/s], as a text."""
    return f"""
[bodies.pivot]
mass = 1
inertia = [1, 1, 1]
initial = {{ through = "shaker" }}
[joints.shaker]
kind = "generalized"
locked = ["tx", "ty", "tz", "rx", "ry", "rz"]
parent = "ground"
child = "pivot"
driven = {{ t{axis} = {{ kind = "harmonic", amplitude = {amplitude}, frequency = {frequency}{more} }} }}
"""


def drawn_attitude(rng) -> ist.Attitude:
    return ist.Attitude(quaternion=Rotation.random(rng=rng).as_quat(scalar_first=True))


def drawn_body(rng, name, **options) -> ist.Body:
    """A body of 1 to 5 kg and about half a metre, its centre of mass away from the drawing zero, products of
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
