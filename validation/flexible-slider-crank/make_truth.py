"""Writes truth.csv: the mechanism in Exudyn, by cable elements of the absolute nodal coordinate formulation.

Needs the package exudyn (1.13.6 here), which Interstage does not: `python make_truth.py`."""

from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

exudyn: Any = import_module("exudyn")
items: Any = import_module("exudyn.itemInterface")

RATE, CRANK, ROD = 150.0, 0.15, 0.3
YOUNG, DENSITY, SIDE, SLIDER = 0.2e12, 7870.0, 0.008, 0.075552
DAMPING = 2e-6
SAMPLE, SAMPLES = 2.0**-11, 102
"""In binary numbers, so that every sample is at the end of a step."""


def solved(elements, step):
    """Times [s], the slider [m], and by how much the middle of the rod is off the line of its ends [m], to
    the left of the way from the crank to the slider."""
    system = exudyn.SystemContainer()
    model = system.AddSystem()
    ground = model.AddMarker(
        items.MarkerNodeCoordinate(nodeNumber=model.AddNode(items.NodePointGround()), coordinate=0)
    )
    rod, slider = _rod(model, elements), model.AddNode(items.Point2D(referenceCoordinates=[CRANK + ROD, 0]))
    model.AddObject(items.MassPoint2D(mass=SLIDER, nodeNumber=slider))

    def marker(node, axis):
        return model.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=axis))

    def held(*markers, **how):
        model.AddObject(items.CoordinateConstraint(markerNumbers=list(markers), **how))

    for axis in (0, 1):
        held(marker(rod[-1], axis), marker(slider, axis))
        held(ground, marker(rod[0], axis), **_driven(axis))
    held(ground, marker(slider, 1))
    what = exudyn.OutputVariableType.Position
    sensors = [
        model.AddSensor(items.SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=what))
        for node in (rod[0], rod[elements // 2], slider)
    ]
    model.Assemble()
    model.SolveDynamic(_settings(step))
    stored = [model.GetSensorStoredData(one) for one in sensors]
    times = SAMPLE * np.arange(SAMPLES + 1)
    pin, middle, end = (CubicSpline(one[:, 0], one[:, 1:3])(times) for one in stored)
    along = (end - pin) / np.linalg.norm(end - pin, axis=1)[:, None]
    off = (middle - pin)[:, 1] * along[:, 0] - (middle - pin)[:, 0] * along[:, 1]
    return times, end[:, 0], off


def _rod(model, elements):
    """Straight along x, and moving as its ends do."""
    nodes = [
        model.AddNode(
            items.Point2DS1(
                referenceCoordinates=[CRANK + ROD * part, 0, 1, 0],
                initialVelocities=[0, RATE * CRANK * (1 - part), 0, -RATE * CRANK / ROD],
            )
        )
        for part in np.arange(elements + 1) / elements
    ]
    area, second = SIDE**2, SIDE**4 / 12
    for pair in pairwise(nodes):
        model.AddObject(
            items.Cable2D(
                length=ROD / elements,
                massPerLength=DENSITY * area,
                bendingStiffness=YOUNG * second,
                axialStiffness=YOUNG * area,
                bendingDamping=DAMPING * YOUNG * second,
                axialDamping=DAMPING * YOUNG * area,
                nodeNumbers=list(pair),
            )
        )
    return nodes


def _driven(axis):
    """The pin of the crank, along x or y."""
    place = (lambda a: CRANK * (np.cos(a) - 1), lambda a: CRANK * np.sin(a))[axis]
    speed = (lambda a: -CRANK * RATE * np.sin(a), lambda a: CRANK * RATE * np.cos(a))[axis]
    return {
        "offset": 0,
        "offsetUserFunction": lambda model, t, item, offset: place(RATE * t),
        "offsetUserFunction_t": lambda model, t, item, offset: speed(RATE * t),
    }


def _settings(step):
    settings = exudyn.SimulationSettings()
    ways = settings.timeIntegration
    ways.endTime = SAMPLE * SAMPLES
    ways.numberOfSteps = round(ways.endTime / step)
    ways.generalizedAlpha.spectralRadius = 1.0
    ways.generalizedAlpha.useIndex2Constraints = True
    ways.generalizedAlpha.useNewmark = True
    ways.newton.relativeTolerance, ways.newton.absoluteTolerance = 1e-8, 1e-10
    settings.solutionSettings.sensorsWritePeriod = step  # some are left out: they are interpolated
    settings.solutionSettings.writeSolutionToFile = False
    return settings


def main():
    """Steps by Richardson, which are of order 2; what they and the elements leave is printed."""
    rough, fine = solved(16, 2.0**-19), solved(16, 2.0**-20)
    more = solved(32, 2.0**-20)
    by_steps = [(one - other) / 3 for one, other in zip(fine, rough, strict=True)]
    by_elements = [one - other for one, other in zip(more, fine, strict=True)]
    for what, k in (("slider", 1), ("bend", 2)):
        print(what, *(f"{np.max(np.abs(one[k])):.1e} m" for one in (by_steps, by_elements)))
    found = [one + other for one, other in zip(more, by_steps, strict=True)]
    rows = [f"{t:.12g},{x:.10e},{off:.10e}" for t, x, off in zip(*found, strict=True)]
    text = "\n".join(["time,slider,bend", *rows, ""])
    Path(__file__).with_name("truth.csv").write_text(text)


if __name__ == "__main__":
    main()
