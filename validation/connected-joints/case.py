"""Bodies connected one after another, AIAA 2011-6277 (section VI, Figure 4d), by the paper's H2."""

import numpy as np

from interstage.studies.verify import Row, linear_about

from ..comparison import worst
from ..thompson import ROUNDED, Hung, at_rest, rates_and_modes, reduced_mass, rotation, transformation

TRUNK = (40.0, np.array([[3, 0.2, -0.1], [0.2, 2.5, 0.3], [-0.1, 0.3, 1.5]]))
UPPER, FORE = np.array([0.3, 0.02, 0]), np.array([0.2, 0, 0.01])
HUNG = [
    Hung(0, np.array([0.1, 0.2, 0.3]), -UPPER, "yz", (0.7, -0.4), 4.0, np.diag([0.02, 0.09, 0.1])),
    Hung(1, [0.6, 0, 0] - UPPER, [-0.05, 0, 0] - FORE, "z", (1.1,), 2.5, np.diag([0.01, 0.04, 0.045])),
]
STIFFNESS = np.array([0.0] * 6 + [30, 45, 12])
DAMPING = np.array([0.0] * 6 + [0.6, 0.4, 0.2])
TURNS = ["joints.shoulder.rotation.y", "joints.shoulder.rotation.z", "joints.elbow.rotation.z"]


def compare(fly, folder):
    """A, what a force on the last body does, and the frequencies."""
    linear = linear_about(folder / "scenario.toml", inputs="bodies.fore.force")
    yield Row("names of the turns that are others", float(linear.names[6:9] != TURNS), 0.0)
    h2 = transformation(HUNG)
    mass = reduced_mass(h2, [TRUNK, *((one.mass, one.inertia) for one in HUNG)])
    a = at_rest(mass, STIFFNESS, DAMPING)
    yield Row("A [1/s, 1/s^2], of its largest entry", worst(linear.A - a) / worst(a), ROUNDED)
    # The force is along the axes of its body, H2 has the velocity along inertial axes.
    to_inertial = rotation(HUNG[0]) @ rotation(HUNG[1])
    b = np.linalg.solve(mass, h2[12:15].T @ to_inertial)
    yield Row("B of the force, of its largest entry", worst(linear.B[9:] - b) / worst(b), ROUNDED)
    yield from rates_and_modes(linear, a)
