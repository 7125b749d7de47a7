"""Flights of fixed steps by formulations that step by themselves, with their step as an argument: compiled
once for all halvings."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import instant, mechanism_of, own_step, quickly, start_of
from interstage.tree.addresses import replace_leaf

G = 9.81
AXIAL = 0.02
"""Moment of inertia of a rod about itself [kg m^2]: a gap of a joint must not spin it up."""


class Stepper:
    """A scenario begun, to be flown in steps of any length."""

    def __init__(self, scenario):
        begun = start_of(scenario)
        self.scenario, self.x, self.discrete = scenario, begun.x, begun.discrete

        def fly(scenario, count, x):
            flown, h = mechanism_of(scenario, begun=begun), scenario.solver.step

            def step(k, x):
                return own_step(flown, k * h, (k + 1) * h, x, begun.discrete)

            return jax.lax.fori_loop(0, count, step, x)

        def look(scenario, t, x):
            now = instant(mechanism_of(scenario, begun=begun), t, x, begun.discrete)
            return () if not scenario.joints else (now.rows.g, now.rows.gdot, now.multipliers)

        self._fly, self._look = quickly(fly), quickly(look)

    def fly(self, step, count, x=None, **options):
        """The state after `count` steps of the length `step`, and its violation, rate of violation and
        multipliers. options: of the formulation, numbers only."""
        solver = self.scenario.solver
        formulation = solver.formulation
        for name, value in options.items():
            formulation = replace_leaf(formulation, name, jnp.asarray(value))
        solver = replace_leaf(replace_leaf(solver, "step", jnp.asarray(step)), "formulation", formulation)
        scenario = replace_leaf(self.scenario, "solver", solver)
        x = self._fly(scenario, count, self.x if x is None else x)
        return np.asarray(x), *map(np.asarray, self._look(scenario, step * count, x))


def rods(count: int, formulation: Any, angle=0.3, spin=1.0, **solver) -> Any:
    """Rods of 1 kg and 1 m in a line, on ball joints, hanging from the ground, `angle` [rad] below the
    horizontal and turning about the vertical; the first joint is at the origin."""
    attitude = Rotation.from_euler("y", angle)
    along, rate = attitude.apply([1.0, 0, 0]), np.array([0, 0, spin])
    bodies, joints = [], []
    for k in range(count):
        state = ist.State(
            position=k * along,
            of="origin",
            velocity=np.cross(rate, k * along),
            angular_velocity=attitude.inv().apply(rate),
            attitude=ist.Attitude(quaternion=attitude.as_quat(scalar_first=True)),
        )
        shape = {"mass": 1.0, "mass_centre": [0.5, 0, 0], "inertia": [AXIAL, 1 / 12, 1 / 12]}
        bodies.append(ist.Body(name=f"rod{k}", initial=state, **shape))
        before, end = ("ground", [0.0, 0, 0]) if k == 0 else (f"rod{k - 1}", [1.0, 0, 0])
        joints.append(
            ist.Joint(name=f"joint{k}", kind="spherical", parent=before, child=f"rod{k}", parent_at=end)
        )
    return ist.Scenario(
        bodies=tuple(bodies),
        joints=tuple(joints),
        gravity=ist.UniformGravity(acceleration=[0, 0, -G]),
        phases=(ist.Phase(name="swing", until=ist.Trigger(time=1.0)),),
        solver=ist.Solver(**{"formulation": formulation, "step": 0.01} | solver),
    )


def true_rods(count: int, time: float, angle=0.3, spin=1.0):
    """Centres of mass (count, 3) of such rods and the force (3,) on the first at the ground, inertial axes.

    Directions e of the rods, with neither attitudes nor multipliers. The rate s about itself of each rod,
    which is symmetric, stays; its angular momentum is J e x e' + AXIAL s e."""
    along = Rotation.from_euler("y", angle).apply([1.0, 0, 0])
    # Mass above which each joint carries: sum over rods k of m c_ki c_kj, c = 1 before k and 1/2 at k.
    reach = np.tril(np.ones((count, count)), -1) + 0.5 * np.eye(count)
    coupling = reach.T @ reach + np.eye(count) / 12
    weight = -G * reach.sum(0)
    turning = AXIAL * spin * along[2]

    def accelerations(e, rate):
        """e'' (count, 3): coupling e'' = weight z - AXIAL s e' x e + tension e, e . e'' = -e' . e'."""
        system, right = np.zeros((4 * count, 4 * count)), np.zeros(4 * count)
        for i in range(count):
            for j in range(count):
                system[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] = coupling[i, j] * np.eye(3)
            system[3 * i : 3 * i + 3, 3 * count + i] = system[3 * count + i, 3 * i : 3 * i + 3] = e[i]
            right[3 * i : 3 * i + 3] = [0, 0, weight[i]] - turning * np.cross(rate[i], e[i])
            right[3 * count + i] = -rate[i] @ rate[i]
        return np.linalg.solve(system, right)[: 3 * count].reshape(count, 3)

    def flow(t, y):
        e, rate = y.reshape(2, count, 3)
        return np.concatenate([rate.ravel(), accelerations(e, rate).ravel()])

    begin = np.stack([np.tile(along, (count, 1)), np.tile(np.cross([0, 0, spin], along), (count, 1))])
    end = solve_ivp(flow, (0, time), begin.ravel(), method="DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    e, rate = end.reshape(2, count, 3)
    pull = (reach @ accelerations(e, rate)).sum(0)
    return reach @ e, pull + np.array([0, 0, count * G])
