"""The satellite with three appendages of AIAA 2011-6277 (section VI, Figure 4c), by the paper's H2."""

import numpy as np

from interstage.studies.verify import Row, linear_about

from ..comparison import worst
from ..thompson import ROUNDED, Hung, at_rest, rates_and_modes, reduced_mass, transformation

HUB = (500.0, np.array([[300.0, 12, -8], [12, 350, 5], [-8, 5, 280]]))
PANEL = np.diag([25.0, 4, 28])
HUNG = [
    Hung(0, np.array([0, 0.8, 0.1]), np.array([0, -1.5, 0]), "xz", (0.3, 0.2), 30.0, PANEL),
    Hung(0, np.array([0, -0.8, 0.1]), np.array([0, 1.5, 0]), "xz", (-0.4, 0.1), 30.0, PANEL),
    Hung(
        0, np.array([0.2, 0, 0.9]), np.array([-0.1, 0, -2]), "xy", (0.15, -0.25), 12.0, np.diag([17.0, 17, 1])
    ),
]
STIFFNESS = np.array([0.0] * 6 + [400, 900, 500, 800, 200, 150])
DAMPING = np.array([0.0] * 6 + [3, 2, 0, 4, 1, 1.5])
NAMES = ("left_hinge", "xz"), ("right_hinge", "xz"), ("boom_hinge", "xy")


def compare(fly, folder):
    """A, what a torque on the hub does, and the frequencies."""
    linear = linear_about(folder / "scenario.toml", inputs="bodies.hub.torque")
    hub = [f"bodies.hub.{what}.{axis}" for what in ("position", "attitude") for axis in "xyz"]
    turns = [f"joints.{name}.rotation.{axis}" for name, axes in NAMES for axis in axes]
    found = abs(linear.names[:12] != hub + turns)
    yield Row("names of the coordinates that are others", float(found), 0.0)
    h2 = transformation(HUNG)
    mass = reduced_mass(h2, [HUB, *((one.mass, one.inertia) for one in HUNG)])
    a = at_rest(mass, STIFFNESS, DAMPING)
    yield Row("A [1/s, 1/s^2], of its largest entry", worst(linear.A - a) / worst(a), ROUNDED)
    b = np.linalg.solve(mass, h2[3:6].T)
    yield Row("B of the torque, of its largest entry", worst(linear.B[12:] - b) / worst(b), ROUNDED)
    yield from rates_and_modes(linear, a)
    yield Row("freedoms that nothing holds", abs(sum(mode.zero for mode in linear.modes) - 12), 0.0)
