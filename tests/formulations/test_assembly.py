"""A loop that is put together from far away: the pose by many corrections, the velocities by one."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from interstage.programs.program import program_for
from interstage.runs import run as simulate


def four_bar(degrees: float) -> ist.Scenario:
    """Bars of 1, 3 and 2 m over a base of 3 m; the crank is turned, the others hang in line."""
    bar = lambda name, mass, length, **initial: ist.Body(  # noqa: E731
        name=name, mass=mass, inertia=[1e-3 * mass, mass * length**2 / 12, mass * length**2 / 12], **initial
    )
    crank = ist.ThroughJoint(
        through="A", rotation=[0, 0, np.radians(degrees)], relative_angular_velocity=[0, 0, 3.0]
    )
    hinge = lambda name, a, b, at, on: ist.Joint(  # noqa: E731
        name=name, kind="revolute", parent=a, child=b, parent_at=at, child_at=on, assemble=True
    )
    return ist.Scenario(
        bodies=(bar("crank", 1.0, 1.0, initial=crank), bar("coupler", 3.0, 3.0), bar("rocker", 2.0, 2.0)),
        joints=(
            hinge("A", "ground", "crank", [0, 0, 0], [-0.5, 0, 0]),
            hinge("B", "crank", "coupler", [0.5, 0, 0], [-1.5, 0, 0]),
            hinge("C", "coupler", "rocker", [1.5, 0, 0], [1.0, 0, 0]),
            hinge("D", "ground", "rocker", [3, 0, 0], [-1.0, 0, 0]),
        ),
        phases=(ist.Phase(name="swing", until=ist.Trigger(time=0.1)),),
    )


@pytest.mark.parametrize("degrees", [60.0, 90.0, 120.0])
def test_velocities_are_the_nearest_to_those_declared(degrees):
    """The nearest in the measure of the masses have no more energy than those declared, and what was taken
    away is at right angles to what is left."""
    scenario = four_bar(degrees)
    program = program_for(scenario)
    begun = simulate.start(program, scenario)
    declared = declared_velocities(np.radians(degrees))
    bodies = len(scenario.bodies)
    v = np.asarray(begun.x[3 * bodies : 6 * bodies]).reshape(3, bodies)
    w = np.asarray(begun.x[10 * bodies : 13 * bodies]).reshape(3, bodies)
    mass = np.array([float(b.mass) for b in scenario.bodies])
    moment = np.array([float(np.asarray(b.inertia)[2, 2]) for b in scenario.bodies])

    def product(one, other):
        return np.sum(mass * one[0] * other[0]) + np.sum(moment * one[1][2] * other[1][2])

    left = (v, w)
    taken = tuple(a - b for a, b in zip(declared, left, strict=True))
    energy = product(declared, declared)
    assert product(left, left) <= energy
    # A rounding of the sums, enlarged by rows that are nearly in line.
    assert abs(product(left, taken)) < 1e-9 * energy


def declared_velocities(angle):
    """The coupler goes on in line with the crank and turns about A with it, the rocker hangs on D at rest."""
    reach = np.array([0.5, 2.5, 0.0])
    v = 3.0 * reach * np.array([[-np.sin(angle)], [np.cos(angle)], [0.0]])
    return v, np.array([[0.0], [0.0], [3.0]]) * np.array([1.0, 1.0, 0.0])
