"""MuJoCo's way: free bodies, an equality `connect` constraint as joint, a site actuator as force, RK4.

A site transmission applies its wrench in the site's axes, which turn with the box, and is evaluated anew in
each stage of RK4, so it is a true follower force. MuJoCo's equality constraints are soft; `SOLREF` and
`SOLIMP` are the stiffest that stay accurate with this step. What the case does not need and what costs time
is switched off; of the solvers PGS is the fastest here at equal accuracy (Newton takes 10 % more time).
"""

from __future__ import annotations

import mujoco
import numpy as np
from mujoco.rollout import Rollout
from numpy.typing import NDArray

from . import case

SOLREF = "-40000 -400"
"""Stiffness [1/s^2] and damping [1/s] of the constraint's reference acceleration."""
SOLIMP = "0.9999 0.9999 0.001 0.5 2"
"""Impedance: 0.9999 is the largest that MuJoCo allows."""


def text(values: NDArray[np.float64]) -> str:
    return " ".join(repr(float(v)) for v in values)


def xml(solver: str = "PGS", solref: str = SOLREF, solimp: str = SOLIMP) -> str:
    """The model, SI."""
    box = """
    <body name="box_{n}" pos="{pos}">
      <freejoint/>
      <inertial pos="0 0 0" mass="{mass!r}" diaginertia="{inertia}"/>
      <site name="joint_{n}" pos="{joint}"/>{force}
    </body>"""
    force = f'\n      <site name="force" pos="{text(case.FORCE_AT)}"/>'
    bodies = "".join(
        box.format(
            n=i + 1,
            pos=text(case.POSITION[i]),
            mass=float(case.MASS[i]),
            inertia=text(case.INERTIA[i]),
            joint=text(case.JOINT_AT[i]),
            force=force if i == 0 else "",
        )
        for i in range(2)
    )
    return f"""<mujoco>
  <option timestep="{case.STEP}" integrator="RK4" gravity="0 0 0" solver="{solver}" jacobian="dense">
    <flag contact="disable" island="disable" refsafe="disable" gravity="disable" sensor="disable"/>
  </option>
  <worldbody>{bodies}
  </worldbody>
  <equality>
    <connect site1="joint_1" site2="joint_2" solref="{solref}" solimp="{solimp}"/>
  </equality>
  <actuator>
    <motor site="force" gear="{text(case.FORCE)} 0 0 0"/>
  </actuator>
</mujoco>"""


class Model:
    """The compiled model and one set of its data."""

    def __init__(self, **options: str) -> None:
        self.model = mujoco.MjModel.from_xml_string(xml(**options))
        self.data = mujoco.MjData(self.model)

    def fly(self) -> NDArray[np.float64]:
        """States (1001, 2, 13) at 100 Hz, in the order of `case.joint_gap`."""
        model, data = self.model, self.data
        mujoco.mj_resetData(model, data)
        data.ctrl[:] = 1.0
        samples = case.STEPS // case.STEPS_PER_SAMPLE + 1
        positions, velocities = np.empty((samples, model.nq)), np.empty((samples, model.nv))
        positions[0], velocities[0] = data.qpos, data.qvel
        for i in range(1, samples):
            mujoco.mj_step(model, data, nstep=case.STEPS_PER_SAMPLE)
            positions[i], velocities[i] = data.qpos, data.qvel
        return as_states(positions, velocities)

    def fly_batch(self, states: NDArray[np.float64], steps: int, threads: int = 2) -> NDArray[np.float64]:
        """End states (n, 2, 13) of the initial `states` (n, 2, 13) by rollouts on a pool of threads.

        A rollout keeps every state, so it goes in stretches of 100 steps.
        """
        positions, velocities = from_states(states)
        start = np.concatenate([np.zeros((len(states), 1)), positions, velocities], axis=1)
        data = [mujoco.MjData(self.model) for _ in range(threads)]
        stretch = min(100, steps)
        kept = np.empty((len(states), stretch, start.shape[1]))
        control = np.ones((1, 1, 1))
        with Rollout(nthread=threads) as pool:
            for _ in range(steps // stretch):
                pool.rollout(self.model, data, start, control, nstep=stretch, state=kept)
                start = kept[:, -1].copy()
        return as_states(start[:, 1:15], start[:, 15:27])


def as_states(positions: NDArray[np.float64], velocities: NDArray[np.float64]) -> NDArray[np.float64]:
    """States (n, 2, 13) from MuJoCo's positions (n, 14) and velocities (n, 12)."""
    position, velocity = positions.reshape(-1, 2, 7), velocities.reshape(-1, 2, 6)
    return np.concatenate(
        [position[..., :3], velocity[..., :3], position[..., 3:], velocity[..., 3:]], axis=-1
    )


def from_states(states: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """MuJoCo's positions (n, 14) and velocities (n, 12) of states (n, 2, 13)."""
    position = np.concatenate([states[..., :3], states[..., 6:10]], axis=-1)
    velocity = np.concatenate([states[..., 3:6], states[..., 10:]], axis=-1)
    return position.reshape(len(states), 14), velocity.reshape(len(states), 12)
