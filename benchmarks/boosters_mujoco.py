"""MuJoCo's way of the boosters: free bodies, a hinge as two `connect` constraints, a `weld` behind it, RK4.

Constraints cannot be released within one rollout, so there are three models, flown one after the other; times
of release are those of our own flight. Masses do not change, and nothing but the motion is asked for.
"""

from __future__ import annotations

import mujoco
import numpy as np
from mujoco.rollout import Rollout
from numpy.typing import NDArray

from . import boosters_case as case
from .peer_mujoco import SOLIMP, SOLREF, text

SIDES = ("left", "right")
APART = 1.0
"""Between the two connected points of a hinge [m]."""


def xml(held: int) -> str:
    """The model with everything held (2), the hinges (1) or nothing (0), SI. Bodies are placed by their
    centres of mass, axes of the world are those of the bodies at the start."""
    bodies, equality, motors = "", "", ""
    stack = case.Stack()
    for name, (mass, centre, inertia, place) in stack.bodies.items():
        full = " ".join(
            repr(float(inertia[i, j])) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        )
        sites = "".join(
            f'<site name="{label}" pos="{text(at - centre)}"/>' for label, at in stack.points[name].items()
        )
        bodies += f"""
    <body name="{name}" pos="{text(place)}"><freejoint/>
      <inertial pos="0 0 0" mass="{mass!r}" fullinertia="{full}"/>{sites}
    </body>"""
    for label, force in stack.forces.items():
        motors += f'\n    <motor site="{label}" gear="{text(force)} 0 0 0"/>'
    options = f'solref="{SOLREF}" solimp="{SOLIMP}"'
    for side in SIDES:
        for end in ("in", "out") if held else ():
            equality += f'\n    <connect site1="tank_{end}_{side}" site2="{side}_{end}" {options}/>'
        if held == 2:
            equality += f'\n    <weld body1="orbiter_tank" body2="{side}" {options}/>'
    gravity = text(stack.gravity)
    return f"""<mujoco>
  <compiler inertiafromgeom="false" balanceinertia="false"/>
  <option timestep="{case.STEP}" integrator="RK4" gravity="{gravity}" solver="PGS" jacobian="dense">
    <flag contact="disable" island="disable" refsafe="disable" sensor="disable"/>
  </option>
  <worldbody>{bodies}
  </worldbody>
  <equality>{equality}
  </equality>
  <actuator>{motors}
  </actuator>
</mujoco>"""


class Model:
    """The three compiled models, and what the engines do at each step."""

    def __init__(self, release: int):
        self.models = [mujoco.MjModel.from_xml_string(xml(held)) for held in (2, 1, 0)]
        steps = (case.CUT, release - case.CUT, case.STEPS - release)
        traces, first = case.traces(release), 0
        self.parts = []
        for model, count in zip(self.models, steps, strict=True):
            self.parts.append((model, mujoco.MjData(model), traces[first : first + count]))
            first += count
        start = mujoco.MjData(self.models[0])
        self.start = np.concatenate([[0.0], start.qpos, case.speeds()])

    def fly(self) -> NDArray[np.float64]:
        """Positions of the centres of mass (3, 3) at the end."""
        state = self.start
        for model, data, controls in self.parts:
            mujoco.mj_setState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
            for control in controls:
                data.ctrl[:] = control
                mujoco.mj_step(model, data)
            mujoco.mj_getState(
                model, data, state := np.empty_like(state), mujoco.mjtState.mjSTATE_FULLPHYSICS
            )
        return state[1:22].reshape(3, 7)[:, :3]

    def fly_batch(self, factors: NDArray[np.float64], threads: int) -> NDArray[np.float64]:
        """Positions (cases, 3, 3) at the end of flights whose thrusts are multiplied by factors (cases,
        engines), by rollouts on a pool of threads, in stretches of 100 steps."""
        states = np.tile(self.start, (len(factors), 1))
        with Rollout(nthread=threads) as pool:
            for model, _, controls in self.parts:
                data = [mujoco.MjData(model) for _ in range(threads)]
                for first in range(0, len(controls), 100):
                    piece = controls[first : first + 100]
                    control = piece[None] * factors[:, None]
                    kept = np.empty((len(factors), len(piece), states.shape[1]))
                    pool.rollout(model, data, states, control, nstep=len(piece), state=kept)
                    states = kept[:, -1].copy()
        return states[:, 1:22].reshape(-1, 3, 7)[..., :3]
