"""A rigid body without torque: Euler's closed form in Jacobi's elliptic functions.

Landau and Lifshitz, Mechanics, section 37: with I1 < I2 < I3 and H^2 > 2 T I2,
    w1 = a1 cn u,  w2 = a2 sn u,  w3 = a3 dn u,  u = u0 + s t.
The attitude follows from the direction of H in body axes and the precession about H, which is a quadrature.
"""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import angle_between, at, worst
from ..elliptic import incomplete, jacobi

INERTIA = np.array([1.0, 2.0, 3.0])  # kg m^2
START = np.array([0.01, 2.0, 0.02])  # rad/s
AT_50 = np.array([0.21805658521886, -1.98810244344765, 0.12734294164095])  # rad/s, an independent integration
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)


def body_rates(times: np.ndarray) -> np.ndarray:
    """Angular velocity in body axes [rad/s], (n, 3)."""
    i1, i2, i3 = INERTIA
    a, b, c = START
    low = i2 * (i2 - i1) * b**2 + i3 * (i3 - i1) * c**2  # H^2 - 2 T I1
    high = i1 * (i3 - i1) * a**2 + i2 * (i3 - i2) * b**2  # 2 T I3 - H^2
    middle = i1 * (i1 - i2) * a**2 + i3 * (i3 - i2) * c**2  # H^2 - 2 T I2
    m1 = (i3 - i1) * middle / ((i3 - i2) * low)
    size = np.sqrt([high / (i1 * (i3 - i1)), high / (i2 * (i3 - i2)), low / (i3 * (i3 - i1))])
    u = incomplete(b / size[1], a / size[0], m1) + times * np.sqrt((i3 - i2) * low / (i1 * i2 * i3))
    sn, cn, dn = jacobi(u, m1)
    return np.stack([cn, sn, dn], axis=1) * size


def attitudes(times: np.ndarray) -> np.ndarray:
    """Quaternions body to inertial, scalar first, (n, 4); parallel axes at the first time."""
    rates = body_rates(times)
    h = np.sqrt(np.sum((INERTIA * START) ** 2))
    theta, psi = nutation_and_spin(rates, h)
    mid, half = (times[1:] + times[:-1]) / 2, np.diff(times) / 2
    w = body_rates((mid[:, None] + half[:, None] * NODES).ravel())
    j = INERTIA[:2]
    precession = h * (w[:, :2] ** 2 @ j) / (w[:, :2] ** 2 @ j**2)
    phi = np.concatenate([[0.0], np.cumsum(half * (precession.reshape(len(mid), -1) @ WEIGHTS))])
    from_h = quaternion_313(phi, theta, psi)
    start = from_h[0] * np.array([1, -1, -1, -1])
    return product(np.broadcast_to(start, from_h.shape), from_h)


def nutation_and_spin(rates: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
    """Angles 2 and 3 of the 3-1-3 sequence from axes with H along z to the body's."""
    direction = INERTIA * rates / h
    theta = np.arctan2(np.hypot(direction[:, 0], direction[:, 1]), direction[:, 2])
    return theta, np.arctan2(direction[:, 0], direction[:, 1])


def quaternion_313(phi, theta, psi) -> np.ndarray:
    """Body-fixed rotations phi about z, theta about x, psi about z."""
    half, total, apart = theta / 2, (phi + psi) / 2, (phi - psi) / 2
    c, s = np.cos(half), np.sin(half)
    return np.stack([c * np.cos(total), s * np.cos(apart), s * np.sin(apart), c * np.sin(total)], axis=1)


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Quaternion products, row by row."""
    a, u, b, v = p[:, :1], p[:, 1:], q[:, :1], q[:, 1:]
    scalar = a * b - np.sum(u * v, axis=1, keepdims=True)
    return np.hstack([scalar, a * v + b * u + np.cross(u, v)])


def compare(fly, folder):
    """Angular velocity and attitude against the closed form."""
    record = fly(folder / "scenario.toml")
    times = np.linspace(0, 50, 101)
    rates = at(record, "bodies.body.angular_velocity", times)
    turn = at(record, "bodies.body.attitude", times)
    return [
        Row("angular velocity [rad/s]", worst(rates - body_rates(times)), 1e-9),
        Row("attitude [rad]", worst(angle_between(turn, attitudes(times))), 1e-9),
        Row("angular velocity at 50 s [rad/s]", worst(rates[-1] - AT_50), 1e-9),
    ]
