"""Chains and trees of rods in MuJoCo: as a tree of ball joints, or as free bodies with equality constraints.

MuJoCo reckons trees in joint coordinates (composite rigid bodies and a sparse factor of the mass matrix), so
that its cost grows with the depth of the tree. Equality constraints are soft: see `peer_mujoco`.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from . import chain_case as case
from .peer_mujoco import SOLREF

SOLIMP = (0.9999, 0.9999, 0.001, 0.5, 2)
UPPER = (-case.LENGTH / 2, 0.0, 0.0)


def conjugate(q):
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def multiplied(p, q):
    """Products (rod, 4) of quaternions."""
    scalar = p[:, :1] * q[:, :1] - np.sum(p[:, 1:] * q[:, 1:], 1, keepdims=True)
    vector = p[:, :1] * q[:, 1:] + q[:, :1] * p[:, 1:] + np.cross(p[:, 1:], q[:, 1:])
    return np.concatenate([scalar, vector], 1)


class Model:
    """The compiled model and its data. joints: "tree" or "equality"."""

    def __init__(
        self, found: case.Rods, joints: str, solver: str = "mjSOL_NEWTON", jacobian: str = "mjJAC_AUTO"
    ):
        self.rods, self.tree = found, joints == "tree"
        spec = mujoco.MjSpec()
        option = spec.option
        option.timestep, option.gravity = case.STEP, case.GRAVITY
        option.integrator = mujoco.mjtIntegrator.mjINT_RK4
        option.solver = mujoco.mjtSolver.mjSOL_NEWTON
        option.jacobian = getattr(mujoco.mjtJacobian, jacobian)
        off = mujoco.mjtDisableBit
        option.disableflags = int(off.mjDSBL_CONTACT) | int(off.mjDSBL_SENSOR) | int(off.mjDSBL_REFSAFE)
        option.disableflags |= int(off.mjDSBL_ISLAND)
        if self.tree:
            option.disableflags |= int(off.mjDSBL_CONSTRAINT)
        (self._tree if self.tree else self._apart)(spec)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        # MuJoCo numbers bodies branch by branch.
        self.place = np.array([self.model.body(f"rod_{k}").id for k in range(found.count)])
        self.start = self._start()

    def _rod(self, above, k: int, **place):
        """A rod whose centre of mass is `ahead` of its origin."""
        ahead = case.LENGTH / 2 if self.tree else 0.0
        body = above.add_body(
            name=f"rod_{k}", mass=case.MASS, inertia=case.INERTIA, ipos=[ahead, 0, 0], **place
        )
        body.explicitinertial = True
        return body

    def _tree(self, spec) -> None:
        bodies = []
        for k, upper in enumerate(self.rods.above):
            above, at = (bodies[upper], case.LENGTH) if upper >= 0 else (spec.worldbody, 0.0)
            bodies.append(self._rod(above, k, pos=[at, 0, 0]))
            bodies[k].add_joint(type=mujoco.mjtJoint.mjJNT_BALL)

    def _apart(self, spec) -> None:
        for k, (upper, state) in enumerate(zip(self.rods.above, self.rods.states(), strict=True)):
            self._rod(spec.worldbody, k, pos=state[:3], quat=state[6:10]).add_freejoint()
            spec.body(f"rod_{k}").add_site(name=f"upper_{k}", pos=UPPER)
            spec.body(f"rod_{k}").add_site(name=f"lower_{k}", pos=[case.LENGTH / 2, 0, 0])
            if upper < 0:
                spec.worldbody.add_site(name="lower_-1", pos=[0, 0, 0])
            held = spec.add_equality(
                type=mujoco.mjtEq.mjEQ_CONNECT,
                objtype=mujoco.mjtObj.mjOBJ_SITE,
                name1=f"lower_{upper}",
                name2=f"upper_{k}",
            )
            held.solref, held.solimp = [float(v) for v in SOLREF.split()], SOLIMP

    def _start(self):
        """Positions and velocities: of bodies, or of ball joints relative to the rod above."""
        states, above = self.rods.states(), self.rods.above
        if not self.tree:
            # All bodies are children of the world, in their order.
            return states[:, [0, 1, 2, 6, 7, 8, 9]].ravel(), states[:, [3, 4, 5, 10, 11, 12]].ravel()
        upper = np.concatenate([states[:, 6:10], [[1.0, 0, 0, 0]]])[above]
        turn = multiplied(conjugate(upper), states[:, 6:10])
        carried = np.concatenate([self.rods.spin, np.zeros((1, 3))])[above]
        rate = self.rods.spin - case.rotated_each(conjugate(turn), carried)
        order = np.argsort(self.place)
        return turn[order].ravel(), rate[order].ravel()

    def fly(self, steps: int) -> NDArray[np.float64]:
        """States (rod, 13) after so many steps from the start."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = self.start
        mujoco.mj_step(self.model, self.data, nstep=steps)
        return self.states()

    def states(self) -> NDArray[np.float64]:
        """Positions and attitudes now; velocities are left zero."""
        mujoco.mj_kinematics(self.model, self.data)
        found = np.zeros((self.rods.count, 13))
        found[:, :3], found[:, 6:10] = self.data.xipos[self.place], self.data.xquat[self.place]
        return found
