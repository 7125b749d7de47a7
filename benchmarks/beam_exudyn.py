"""Beams in Exudyn: its geometrically exact beams (two nodes, shear, torsion), and its cables of the absolute
nodal coordinate formulation (two nodes with slopes, cubic, no shear or torsion), by its implicit
generalized-alpha method and sparse solver."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import exudyn
import numpy as np
from exudyn import itemInterface as items
from numpy.typing import NDArray

from .beam_case import GRAVITY, Tube

KINDS = ("exact", "cable")


class Model:
    """The assembled model, which keeps its initial state."""

    def __init__(self, tube: Tube, kind: str, elements: int, steps: int):
        self.tube, self.steps, self.exact = tube, steps, kind == "exact"
        self.container: Any = exudyn.SystemContainer()
        self.system = self.container.AddSystem()
        nodes = [self._node(x) for x in tube.length * np.arange(elements + 1) / elements]
        for pair in pairwise(nodes):
            body = self.system.AddObject(self._element(tube.length / elements, list(pair)))
            weight = self.system.AddMarker(items.MarkerBodyMass(bodyNumber=body))
            load = items.LoadMassProportional(markerNumber=weight, loadVector=[0, 0, -GRAVITY])
            self.system.AddLoad(load)
        ground = self.system.AddNode(items.NodePointGround())
        held = self.system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
        for k in range(6):
            own = self.system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=k))
            self.system.AddObject(items.ObjectConnectorCoordinate(markerNumbers=[held, own]))
        position: Any = exudyn.OutputVariableType.Position
        self.sensor = self.system.AddSensor(
            items.SensorNode(nodeNumber=nodes[-1], storeInternal=True, outputVariableType=position)
        )
        self.system.Assemble()

    def _node(self, x: float) -> Any:
        if self.exact:
            return self.system.AddNode(items.NodeRigidBodyRotVecLG(referenceCoordinates=[x, 0, 0, 0, 0, 0]))
        return self.system.AddNode(items.NodePointSlope1(referenceCoordinates=[x, 0, 0, 1, 0, 0]))

    def _element(self, length: float, pair: list[Any]) -> Any:
        tube = self.tube
        mass, bending = tube.density * tube.area, tube.young * tube.second
        if not self.exact:
            return items.ObjectANCFCable(
                length=length,
                massPerLength=mass,
                bendingStiffness=bending,
                axialStiffness=tube.young * tube.area,
                nodeNumbers=pair,
            )
        section = exudyn.BeamSection()
        across, twist = tube.shear_stiffness, 2 * tube.shear_modulus * tube.second
        section.stiffnessMatrix = np.diag([tube.young * tube.area, across, across, twist, bending, bending])
        section.inertia = tube.density * tube.second * np.diag([2.0, 1.0, 1.0])
        section.massPerLength = mass
        return items.ObjectBeamGeometricallyExact(nodeNumbers=pair, length=length, sectionData=section)

    def fly(self) -> NDArray[np.float64]:
        """The end of the beam (sample, 3) [m], of all samples but the first."""
        settings: Any = exudyn.SimulationSettings()
        ways = settings.timeIntegration
        ways.numberOfSteps, ways.endTime = self.steps, self.tube.duration
        ways.generalizedAlpha.spectralRadius = 0.98
        ways.newton.useModifiedNewton = True
        if not self.exact:  # which needs the usual ones, and smaller steps now and then
            ways.newton.relativeTolerance, ways.newton.absoluteTolerance = 1e-6, 1e-8
            ways.adaptiveStep = False
        settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = self.tube.duration / self.steps
        settings.displayStatistics = False
        self.system.SolveDynamic(settings, exudyn.DynamicSolverType.GeneralizedAlpha)
        stored = np.asarray(self.system.GetSensorStoredData(self.sensor))
        rows = [int(np.argmin(abs(stored[:, 0] - t))) for t in self.tube.times]
        return stored[rows, 1:4]
