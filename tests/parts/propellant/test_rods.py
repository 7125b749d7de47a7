"""Slosh masses in the mass matrices of bodies: all formulations against dense equations by NumPy."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from engine_door import (
    inertias,
    instant,
    kicked,
    mass_properties,
    mechanism_of,
    packed,
    quickly,
    row_table,
    slosh_coordinates,
    slosh_laws,
    solved,
    with_slosh,
)
from interstage.formulations import elimination
from interstage.formulations.tree_order import tree_order
from interstage.maths.vectors import cross, rotate
from interstage.model import formulation as forms
from interstage.reading import loads
from mechanics import EPS
from slosh_tanks import STAGE, tank

PAIR = (
    STAGE
    + tank("stage", "lox", 600.0, 3, 'kind = "pendulum"\ndisplacement = [0, 0.2, 0.1]\nvelocity = [0, 1, 0]')
    + tank("stage", "fuel", 300.0, 1, 'kind = "spring_mass"\ndisplacement = [0, -0.1, 0.2]')
    + """
[bodies.upper]
mass = 300.0
mass_centre = [6.5, 0.1, -0.05]
inertia = [90.0, 200.0, 220.0]
[bodies.upper.initial]
through = "joint"
[joints.joint]
kind = "universal"
parent = "stage"
child = "upper"
parent_at = [5.5, 0.2, 0.1]
child_at = [5.5, 0.2, 0.1]
[bodies.stage.initial]
[phases.fly]
until = { time = "1 s" }
"""
)
LEFT = 600.0, 300.0
"""Propellant in the tanks [kg]."""
KINDS: dict[str, Any] = {
    "lagrange_multiplier, dense": forms.LagrangeMultiplier(elimination="dense"),
    "constraint_force, 18": forms.ConstraintForce(unknowns=18),
    "coordinate_partitioning": forms.CoordinatePartitioning(),
    "null_space": forms.NullSpace(),
    "null_space, numerical": forms.NullSpace(road="numerical"),
}


@pytest.fixture(scope="module")
def case():
    """What the formulations find in a drawn state, and what the dense equations of NumPy give."""
    rng = np.random.default_rng(5)
    plain = loads(PAIR)
    q = rng.standard_normal((4, 2))
    r, v, w = (1.5 * rng.standard_normal((3, 2)) for _ in range(3))
    bodies = packed(r, v, q / np.linalg.norm(q, axis=0), w)
    mechanism = mechanism_of(plain)

    def found(bodies):
        x = with_slosh(mechanism, bodies, np.array(LEFT))
        here = instant(mechanism, 0.0, x)
        force, constraints, own = here.wrench, here.constraints, inertias(here)
        answers = {name: solved(here, choice) for name, choice in KINDS.items()}
        order = tree_order(constraints.parent, constraints.child, row_table(plain).joint, 2)
        along, free = constraints._replace(order=order), elimination.times_inverse_mass(own, force)
        prepared = elimination.prepare(own, along, False)
        answers["along the tree"] = elimination.nearest(prepared, own, free, along)
        jacobian = jnp.concatenate([constraints.on_a.T, constraints.on_b.T], 1)
        coordinate, _ = slosh_coordinates(here)
        parts = *mass_properties(here), here.motion.rotation, coordinate, slosh_laws(here, LEFT)
        kick = elimination.times_inverse_mass(own, force)
        moment = rotate(here.motion.rotation, force[3:]) + cross(here.motion.position, force[:3])
        after = instant(mechanism, 0.0, kicked(here, kick))
        blow = momentum(here), momentum(after), (force[:3], moment)
        return answers, parts, force, jacobian, constraints.bias, blow

    answers, parts, force, jacobian, bias, blow = quickly(found)(bodies)
    return answers, dense(parts, force, jacobian, bias), blow


def momentum(here):
    """Momentum and angular momentum about the local origin of bodies and slosh masses, of tanks that do not
    drain."""
    motion, (mass, inertia, centre), laws = here.motion, mass_properties(here), slosh_laws(here, LEFT)
    linear = jnp.sum(mass * motion.velocity, 1)
    turning = rotate(motion.rotation, rotate(inertia, motion.spin_body))
    angular = jnp.sum(turning + mass * cross(motion.position, motion.velocity), 1)
    for k, (law, q, rate) in enumerate(
        zip(laws, *(jnp.moveaxis(part, 1, 0) for part in slosh_coordinates(here)), strict=True)
    ):
        arm = law.base + law.scale * q - centre[:, 0]
        turn, w = motion.rotation[:, :, 0], motion.spin_body[:, 0]
        own = laws[k].mass * (motion.velocity[:, 0] + rotate(turn, cross(w, arm) + law.scale * rate))
        linear, angular = linear + own, angular + cross(motion.position[:, 0] + rotate(turn, arm), own)
    return linear, angular


def dense(parts, force, jacobian, bias):
    """Accelerations (6, body) and multipliers of M u = f + A^T lam, A u + gamma = 0, by NumPy, with what the
    slosh masses add to M from where they are; and how well it is determined."""
    mass, inertia, centre, rotation, coordinate, laws = parts
    whole = np.zeros((12, 12))
    for k in range(2):
        whole[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = mass[k] * np.eye(3)
        whole[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = inertia[:, :, k]
    for k, (law, way) in enumerate(zip(laws, (coordinate[:, 0], [1.0, 0, 0]), strict=True)):
        arm = np.asarray(law.base + law.scale * coordinate[:, k] - centre[:, 0])
        along = np.concatenate([rotation[:, :, 0] @ np.asarray(way), np.cross(arm, way)])
        whole[:6, :6] += float(law.mass) * np.outer(along, along)
    count = len(jacobian)
    matrix = np.block([[whole, -jacobian.T], [jacobian, np.zeros((count, count))]])
    found = np.linalg.solve(matrix, np.concatenate([np.asarray(force).T.ravel(), -bias]))
    return found[:12].reshape(2, 6).T, found[12:], np.linalg.cond(matrix / np.abs(matrix).max(0))


@pytest.mark.long
@pytest.mark.parametrize("name", [*KINDS, "along the tree"])
def test_formulations(case, name):
    """A pendulum and a mass on springs in one body of two on a joint."""
    answers, (acceleration, lam, spread), _ = case
    for one, other in zip(answers[name], (acceleration, lam), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=10 * EPS * spread * np.abs(other).max())


@pytest.mark.long
def test_blows(case):
    """A blow on the bodies changes the momenta of bodies and slosh masses by just what it has."""
    for before, after, given in zip(*case[2], strict=True):
        blow = np.sum(given, 1)
        size = np.abs(given).max() + np.abs(before).max()
        np.testing.assert_allclose(after - before, blow, rtol=0, atol=100 * EPS * size)
