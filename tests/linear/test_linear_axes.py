"""Axes of the velocities of free bodies in linear equations, against Newton's laws of a plane by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from interstage.reading import loads

MASSES, INERTIAS, ARMS = np.array([1e4, 4e3]), np.array([6e4, 8e3]), np.array([6.0, 2.0])
PUSH, STIFF, DAMPED = 6e5, 1e8, 1e6
PASSED_ON = PUSH * MASSES[1] / np.sum(MASSES)
"""What the upper body is pushed by [N]."""


def stack(bend: float, speed: float) -> Any:
    """Two bodies on a bushing that is compressed as the push on the lower one asks for, at a speed [m/s]."""
    return loads(
        f"""
bodies.first.mass = {MASSES[0]}
bodies.first.inertia = [5e3, {INERTIAS[0]}, {INERTIAS[0]}]
bodies.first.initial.velocity = [{speed}, 0, 0]
bodies.second.mass = {MASSES[1]}
bodies.second.inertia = [2e3, {INERTIAS[1]}, {INERTIAS[1]}]
bodies.second.initial.position = [{float(np.sum(ARMS) - PASSED_ON / STIFF)!r}, 0, 0]
bodies.second.initial.velocity = [{speed}, 0, 0]
forces.push = {{ kind = "force", body = "first", at = [-5, 0, 0], force = [{PUSH}, 0, 0] }}
phases.burn = {{ until = {{ time = "1 s" }} }}
[forces.joint]
kind = "bushing"
parent = "first"
child = "second"
parent_at = [{ARMS[0]}, 0, 0]
child_at = [{-ARMS[1]}, 0, 0]
stiffness = [{STIFF}, {STIFF}, {STIFF}]
torsional_stiffness = [1e7, {bend}, {bend}]
damping = [{DAMPED}, {DAMPED}, {DAMPED}]
"""
    )


def across(bend: float) -> np.ndarray:
    """Eigenvalues of what it does across the push: places y of the mass centres and turns of both, inertial
    axes that go along. The bushing pushes on both at the upper one's point, along the lower one's axes."""
    (m1, m2), (j1, j2), (l1, l2) = MASSES, INERTIAS, ARMS
    short = PASSED_ON / STIFF
    apart = np.array([-1.0, -l1, 1.0, -l2])  # of the points, across, inertial axes
    seen = apart + short * np.array([0.0, 1.0, 0.0, 0.0])  # along the lower one's axes, short along them
    bent = np.array([0.0, -1.0, 0.0, 1.0])
    lower, upper = np.array([0.0, 1.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.0, 1.0])

    def pushes(stiff: float, turning: float, standing: float) -> np.ndarray:
        """Accelerations by displacements, or by rates."""
        force = -stiff * seen + standing * PASSED_ON * lower
        at_lower = apart + l1 * lower  # the upper one's point, beside the lower one's mass centre
        on_upper = -l2 * force + standing * PASSED_ON * l2 * upper - turning * bent
        on_lower = -(l1 - short) * force + standing * PASSED_ON * at_lower + turning * bent
        first = -force + standing * PUSH * lower
        return np.array([first / m1, on_lower / j1, force / m2, on_upper / j2])

    none, one = np.zeros((4, 4)), np.eye(4)
    return np.linalg.eigvals(np.block([[none, one], [pushes(STIFF, bend, 1.0), pushes(DAMPED, 0.0, 0.0)]]))


@pytest.mark.parametrize("bend", [3e6, 2.5e5])
@pytest.mark.parametrize("axes", [None, "motion", "inertial"])
def test_stages_on_a_bushing_that_thrust_pushes(bend, axes):
    linear: Any = stack(bend, 300.0).linearize(axes=axes)
    truth = across(bend)
    for value in truth[np.abs(truth) > 0.1]:
        off = np.sort(np.abs(linear.eigenvalues - value))[:2]  # in both planes
        assert np.max(off) < 1e-12 * np.max(np.abs(truth)), (value, off)
    assert sum(mode.growth() == "unstable" for mode in linear.modes) == (2 if bend < 1e6 else 0)


TUMBLING = """
[bodies.one]
mass = 3.0
inertia = [1.0, 2.0, 2.5]
initial.attitude = { euler = "3-2-1", angles = [0.3, -0.4, 1.1] }
initial.velocity = [3, -2, 5]
initial.angular_velocity = [0.7, -0.3, 0.4]
[bodies.two]
mass = 2.0
inertia = [0.5, 0.6, 0.7]
initial.position = [2, 1, 0.5]
initial.attitude = { euler = "3-2-1", angles = [-1.2, 0.2, 0.6] }
initial.velocity = [-1, 4, 2]
initial.angular_velocity = [-0.2, 0.9, 0.5]
[forces.line]
kind = "spring"
parent = "one"
child = "two"
parent_at = [0.5, 0.2, -0.1]
child_at = [-0.3, 0.1, 0.4]
stiffness = 40.0
damping = 3.0
[forces.push]
kind = "force"
body = "one"
at = [0.1, 0.2, 0.3]
force = [20, -7, 9]
[phases.fly]
until = { time = "1 s" }
"""


def turned(linear: Any, body: str) -> np.ndarray:
    """From inertial axes to those of a body (3, 3), by its declared angles."""
    angles = next(one for one in linear.scenario.bodies if one.name == body).initial.attitude.angles
    (a, b, c), found = np.asarray(angles, float), np.eye(3)
    for axis, angle in ((2, a), (1, b), (0, c)):
        one, two = [n for n in range(3) if n != axis]
        own = np.eye(3)
        own[one, one] = own[two, two] = np.cos(angle)
        own[one, two], own[two, one] = np.sin(angle), -np.sin(angle)
        if axis == 1:
            own = own.T
        found = own @ found
    return found


def crossed(a: np.ndarray) -> np.ndarray:
    return np.cross(a, np.eye(3)).T


@pytest.mark.parametrize("axes", ["motion", "body"])
def test_axes_of_bodies_that_tumble_are_those_of_inertial_ones(axes):
    """z = T x brings A to T A T^-1 + T' T^-1: in inertial axes R = exp(e~) R0 and W = R w, along those of the
    bodies R = R0 exp(e~); velocities of disturbed bodies are R^T v, those of the motion R0^T v."""
    scenario: Any = loads(TUMBLING)
    there: Any = scenario.linearize(axes="inertial")
    found: Any = scenario.linearize(axes=axes)
    size = len(there.names)
    to, change = np.zeros((size, size)), np.zeros((size, size))
    for body in ("one", "two"):
        rows = [
            [found.names.index(f"bodies.{body}.{what}.{axis}") for axis in "xyz"]
            for what in ("position", "attitude", "velocity", "angular_velocity")
        ]
        place, turn, velocity, spin = rows
        back = turned(found, body)  # R0^T
        u, w = found.x0[velocity], found.x0[spin]
        push, torque = found.rates[velocity], found.rates[spin]
        going = -crossed(w) @ back  # (R0^T)'
        for some in (place, turn, velocity, spin):
            to[np.ix_(some, some)], change[np.ix_(some, some)] = back, going
        to[np.ix_(spin, turn)] = crossed(w) @ back  # dw = R0^T dW - e x w0
        change[np.ix_(spin, turn)] = crossed(torque) @ back + crossed(w) @ going
        if axes == "body":
            to[np.ix_(velocity, turn)] = crossed(u) @ back
            change[np.ix_(velocity, turn)] = crossed(push) @ back + crossed(u) @ going
    truth = (to @ there.A + change) @ np.linalg.inv(to)
    np.testing.assert_allclose(found.A, truth, rtol=0, atol=1e-13 * np.max(np.abs(truth)))
    assert found.notes == there.notes == ()
