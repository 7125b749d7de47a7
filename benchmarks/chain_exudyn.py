"""Chains and trees of rods in Exudyn: rigid bodies with spherical joints, by its own implicit solver.

Exudyn's explicit solvers take no constraints, so this is the generalized-alpha method with a sparse solver of
linear equations, second order where the others are fourth, with the same step.
"""

from __future__ import annotations

from typing import Any

import exudyn
import numpy as np
from exudyn import itemInterface as items
from numpy.typing import NDArray

from . import chain_case as case


class Model:
    """The assembled model, which keeps its initial state."""

    def __init__(self, found: case.Rods):
        self.rods = found
        self.container: Any = exudyn.SystemContainer()
        self.system = self.container.AddSystem()
        ground = self.system.AddObject(items.ObjectGround())
        at_origin = self.system.AddMarker(items.MarkerBodyRigid(bodyNumber=ground))
        self.nodes, lower = [], []
        for upper, state in zip(found.above, found.states(), strict=True):
            node, body = self._rod(state)
            ends = [
                self.system.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0, 0]))
                for x in (-case.LENGTH / 2, case.LENGTH / 2)
            ]
            held = lower[upper] if upper >= 0 else at_origin
            self.system.AddObject(items.ObjectJointSpherical(markerNumbers=[held, ends[0]]))
            self.nodes.append(node)
            lower.append(ends[1])
        self.system.Assemble()

    def _rod(self, state):
        position, velocity, attitude, spin = np.split(state, [3, 6, 10])
        scalar, vector = attitude[0], attitude[1:]
        turning = 0.5 * np.concatenate([[-vector @ spin], scalar * spin + np.cross(vector, spin)])
        node = self.system.AddNode(
            items.NodeRigidBodyEP(
                referenceCoordinates=[*position, *attitude], initialVelocities=[*velocity, *turning]
            )
        )
        inertia = [*case.INERTIA, 0, 0, 0]
        body = self.system.AddObject(
            items.ObjectRigidBody(physicsMass=case.MASS, physicsInertia=inertia, nodeNumber=node)
        )
        weight = self.system.AddMarker(items.MarkerBodyMass(bodyNumber=body))
        self.system.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=case.GRAVITY))
        return node, body

    def fly(self, steps: int) -> NDArray[np.float64]:
        """Positions in states (rod, 13) after so many steps from the start; the rest is left zero."""
        settings = exudyn.SimulationSettings()
        integration = settings.timeIntegration
        integration.numberOfSteps, integration.endTime = steps, steps * case.STEP
        # A little numerical damping: without any it fails after a while.
        integration.generalizedAlpha.spectralRadius = 0.9
        integration.newton.useModifiedNewton = True
        settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
        settings.solutionSettings.writeSolutionToFile = False
        self.system.SolveDynamic(settings, exudyn.DynamicSolverType.GeneralizedAlpha)
        found = np.zeros((self.rods.count, 13))
        for state, node in zip(found, self.nodes, strict=True):
            state[:3] = self.system.GetNodeOutput(node, exudyn.OutputVariableType.Position)
        return found
