"""MuJoCo's way of the dispenser: two free bodies, four springs as actuators between sites, RK4.

A rollout cannot end a stroke, so there are two models: with springs, and free. The time of the stroke's end
is the closed form of a push without rotation. The held phase is left out. The distance of both bodies is
MuJoCo's own query, `mj_geomDistance`, as a sensor, which a rollout evaluates after each step."""

from __future__ import annotations

import math

import mujoco
import numpy as np
from mujoco.rollout import Rollout
from numpy.typing import NDArray

from .peer_mujoco import text

MASSES = 900.0, 180.0
CENTRES = np.array([[-0.6, 0.0, 0.0], [0.45, 0.004, -0.002]])
INERTIAS = np.array([[220.0, 260.0, 260.0], [24.0, 30.0, 28.0]])
BOXES = np.array([[-0.61, 0.0, 0.0], [0.46, 0.0, 0.0]])
SIZES = np.array([[1.2, 0.8, 0.8], [0.9, 0.7, 0.7]])
"""Middles and sides of the boxes of both bodies [m], structural coordinates."""
SPRINGS = np.array([[0.0, 0.3, 0.3], [0.0, -0.3, 0.3], [0.0, -0.3, -0.3], [0.0, 0.3, -0.3]])
STIFFNESS, STROKE, PRELOAD = 9000.0, 0.05, 900.0
END = 1.0
"""Time after the release [s]."""
PUSHED = 8
"""Steps until the stroke ends. The error of the speed is 2e-6, that of four steps 3e-5 (relative)."""
_REDUCED = MASSES[0] * MASSES[1] / sum(MASSES)
PUSH = math.acos(1 - STROKE * STIFFNESS / PRELOAD) * math.sqrt(_REDUCED / (4 * STIFFNESS))
"""Time of the stroke [s]: a mass on springs that push, from rest."""
STEP = PUSH / PUSHED
STEPS = round(END / STEP)


def xml(pushing: bool, distances: bool) -> str:
    """The model, SI. The axes of the world are the structural axes at the start."""
    bodies, motors = "", ""
    for k, name in enumerate(("dispenser", "satellite")):
        sites = "".join(
            f'<site name="{name}_{n}" pos="{text(at - CENTRES[k])}"/>' for n, at in enumerate(SPRINGS)
        )
        at = f'pos="{text(BOXES[k] - CENTRES[k])}" size="{text(SIZES[k] / 2)}"'
        box = f'<geom name="{name}" type="box" {at}/>'
        bodies += f"""
    <body name="{name}" pos="{text(CENTRES[k])}"><freejoint/>
      <inertial pos="0 0 0" mass="{MASSES[k]!r}" diaginertia="{text(INERTIAS[k])}"/>{sites}{box}
    </body>"""
    for n in range(4 if pushing else 0):
        motors += (
            f'<general site="satellite_{n}" refsite="dispenser_{n}" gear="1 0 0 0 0 0" gaintype="fixed"'
            f' gainprm="1" biastype="affine" biasprm="0 {-STIFFNESS!r} 0"/>'
        )
    sensor = (
        '<sensor><distance geom1="dispenser" geom2="satellite" cutoff="10"/></sensor>' if distances else ""
    )
    return f"""<mujoco>
  <compiler inertiafromgeom="false"/>
  <option timestep="{STEP!r}" integrator="RK4" gravity="0 0 0">
    <flag contact="disable" island="disable"/>
  </option>
  <worldbody>{bodies}
  </worldbody>
  <actuator>{motors}</actuator>{sensor}
</mujoco>"""


class Model:
    """Both compiled models. distances: whether the distance is computed after each step."""

    def __init__(self, distances: bool):
        self.models = [mujoco.MjModel.from_xml_string(xml(pushing, distances)) for pushing in (True, False)]
        data = mujoco.MjData(self.models[0])
        self.start = np.concatenate([[0.0], data.qpos, data.qvel])

    def fly_batch(self, preloads: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Separation speeds at the end [m/s] (cases,), and smallest distances [m] (cases,), in one thread.

        preloads: (cases, 4) [N]."""
        states, least = np.tile(self.start, (len(preloads), 1)), np.full(len(preloads), np.inf)
        with Rollout(nthread=1) as pool:
            for model, steps in zip(self.models, (PUSHED, STEPS - PUSHED), strict=True):
                kept = np.empty((len(preloads), steps, states.shape[1]))
                sensed = np.empty((len(preloads), steps, model.nsensordata))
                control = np.repeat(preloads[:, None, : model.nu], steps, axis=1)
                pool.rollout(
                    model, [mujoco.MjData(model)], states, control, nstep=steps, state=kept, sensordata=sensed
                )
                states = kept[:, -1].copy()
                if model.nsensordata:
                    least = np.minimum(least, sensed[..., 0].min(1))
        velocity = states[:, 15:]
        return np.linalg.norm(velocity[:, 6:9] - velocity[:, :3], axis=1), least
