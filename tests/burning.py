"""What tests of burning stages share: texts of scenarios, Gauss's rule between kinks, and turned vectors."""

from __future__ import annotations

import itertools

import numpy as np

MOVING = """
[bodies.stage.initial]
velocity = [100.0, 20.0, -30.0]
angular_velocity = [0.1, 0.2, -0.15]
"""
"""A start of a body `stage` that flies and tumbles."""


def engine(body, at, thrust, isp, rise_time, more):
    """The text of an engine `main`."""
    return f"""
[engines.main]
kind = "engine"
body = "{body}"
at = {at}
thrust = {thrust}
isp = {isp}
rise_time = {rise_time}
{more}
"""


def throttled(mass, thrust, measured):
    """The text of a body `a` with an engine along x that a law throttles, whose own keys come behind it."""
    return f"""
[bodies.a]
mass = {mass}
inertia = [1.0, 1.0, 1.0]
initial = {{}}
[engines.main]
kind = "engine"
body = "a"
at = [0, 0, 0]
thrust = {thrust}
massless = true
ignited = true
throttle = "controls.throttle"
[controls.throttle]
kind = "pid"
measured = "bodies.a.{measured}"
target = 0
"""


def phase(name, until, action=""):
    """The text of a phase that lasts to a time [s], and what is done as it begins."""
    return f'[phases.{name}]\n{action}\nuntil = {{ time = "{until} s" }}\n'


IGNITE, SHUT_DOWN = 'ignite = ["main"]', 'shut_down = ["main"]'


def gauss(edges, count):
    """Nodes of Gauss's rule with as many points between neighbouring edges, and their weights."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    spans = list(itertools.pairwise(edges))
    return (
        np.concatenate([(a + b) / 2 + (b - a) / 2 * nodes for a, b in spans]),
        np.concatenate([(b - a) / 2 * weights for a, b in spans]),
    )


def turned(q):
    """Rotation matrices (n, 3, 3), body to inertial, of quaternions (n, 4)."""
    w, x, y, z = q.T
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)


def on(matrix, vector):
    """Matrices (n, 3, 3) times vectors (n, 3)."""
    return np.einsum("nij,nj->ni", matrix, vector)
