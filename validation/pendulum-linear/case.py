"""The pendulum of AIAA 2011-6277 (section VI, Figure 4b) and its linear dynamics about the lower equilibrium:

(Jyy + m l^2) beta'' + b beta' + (k + m g l) beta = 0, with u on the right for a torque u about the pivot; and
beta'' + (g/l) beta = 0 without inertia, spring and damper ("the Galilean pendulum").
"""

import numpy as np
from scipy.linalg import expm

from interstage.studies.verify import Row, linear_about

from ..comparison import worst

MASS, ARM, INERTIA, STIFFNESS, DAMPING, G = 2.0, 0.5, 0.5, 20.0, 1.5, 9.81
WHOLE = INERTIA + MASS * ARM**2
A = np.array([[0, 1], [-(STIFFNESS + MASS * G * ARM) / WHOLE, -DAMPING / WHOLE]])
PUSH = 1e-5
"""Rate at the start of the flight [rad/s]: a swing of 2e-6 rad, whose sine differs from it by 1e-12 of it."""
ROUNDED = 1e-12
FLOWN = 1e-12
"""The tolerance of the flight [rad], whose scale is 1."""


def compare(fly, folder):
    """The matrices, the mode, and a small swing as it is flown."""
    linear = linear_about(folder / "scenario.toml", inputs="bodies.pendulum.torque.y")
    yield Row("A [1/s, 1/s^2]", worst(linear.A - A), ROUNDED * worst(A))
    yield Row("B [1/(kg m^2)]", worst(linear.B[:, 0] - [0, 1 / WHOLE]), ROUNDED)
    yield Row("rates at the equilibrium [rad/s^2]", worst(linear.rates[1] + DAMPING * PUSH / WHOLE), ROUNDED)
    (mode,) = linear.modes
    size = np.sqrt(-A[1, 0])
    yield Row("undamped frequency [Hz]", abs(mode.frequency - size / (2 * np.pi)), ROUNDED)
    yield Row("damping ratio", abs(mode.damping + A[1, 1] / (2 * size)), ROUNDED)
    flight = fly(folder / "scenario.toml")
    truth = np.array([expm(A * t) @ [0, PUSH] for t in flight.time])[:, 0]
    found = flight.series["joints.pivot.rotation"][:, 1]
    yield Row("a small swing [rad]", worst(found - truth), FLOWN)
    point = linear_about(folder / "rod.toml")
    swings = [mode for mode in point.modes if not mode.zero]
    off = [abs(mode.eigenvalue - 1j * np.sqrt(G / ARM)) for mode in swings]
    yield Row(
        "the Galilean pendulum, two ways: eigenvalues [1/s]", max(off), 1e-9 if len(swings) == 2 else -1.0
    )
