"""The plane pendulum from the horizontal, in Jacobi's elliptic functions.

sin(theta/2) = k cd(w0 t), k = sin(theta0/2), w0^2 = g/L, theta from the downward vertical. With cd = cn/dn
the rate is -2 k k' w0 sn/dn. Whittaker, A Treatise on the Analytical Dynamics of Particles and Rigid
Bodies, section 44.
"""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, worst
from ..elliptic import jacobi

G, LENGTH = 9.81, 1.0  # m/s^2, m
TIMES = np.linspace(0, 10, 101)
BOUND = 1e-10


def swing(times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angle from the downward vertical [rad] and its rate [rad/s], starting at rest from 90 degrees."""
    w0, k = np.sqrt(G / LENGTH), np.sqrt(0.5)
    sn, cn, dn = jacobi(w0 * times, 0.5)
    return 2 * np.arcsin(k * cn / dn), -2 * k * np.sqrt(0.5) * w0 * sn / dn


def truth(arm: float, mass: float) -> dict[str, np.ndarray]:
    """Position, velocity of the centre of mass at `arm` [m] and the force that the pivot exerts on it [N],
    inertial axes.
    """
    angle, rate = swing(TIMES)
    s, c, zero = np.sin(angle), np.cos(angle), np.zeros_like(angle)
    out, along = np.stack([s, zero, -c], axis=1), np.stack([c, zero, s], axis=1)
    acceleration = arm * (-G / LENGTH * s[:, None] * along - rate[:, None] ** 2 * out)
    weight = np.array([0.0, 0.0, -mass * G])
    return {
        "position": arm * out,
        "velocity": arm * rate[:, None] * along,
        "angular_velocity": np.stack([zero, -rate, zero], axis=1),
        "force": mass * acceleration - weight,
    }


def rows(record, joint: str, arm: float, mass: float, what: str) -> list[Row]:
    """One flight against the closed form."""
    expected = truth(arm, mass)
    names = {
        "position": ("bodies.pendulum.position", 1.0, "m"),
        "velocity": ("bodies.pendulum.velocity", 1.0, "m/s"),
        "force": (f"joints.{joint}.force", mass * G, "of the weight"),
    }
    return [
        Row(f"{what}: {name} [{unit}]", worst(at(record, path, TIMES) - expected[name]) / scale, BOUND)
        for name, (path, scale, unit) in names.items()
    ]


def compare(fly, folder):
    """A compound pendulum on a hinge, and a point on a rod."""
    hinged, hung = fly(folder / "scenario.toml"), fly(folder / "rod.toml")
    spin = at(hinged, "bodies.pendulum.angular_velocity", TIMES) - truth(0.5, 2.0)["angular_velocity"]
    return [
        *rows(hinged, "hinge", 0.5, 2.0, "hinge"),
        Row("hinge: angular velocity [rad/s]", worst(spin), BOUND),
        *rows(hung, "rod", 1.0, 1.0, "rod"),
    ]
