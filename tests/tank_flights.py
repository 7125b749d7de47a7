"""A record of a stage whose tanks drain linearly, for tests of the playback."""

from __future__ import annotations

from typing import Any

import numpy as np

import interstage as ist
from interstage.parts.propellant.declared import CylinderTank, Grain, PointTank, SphereTank
from interstage.record.record import Record
from playback_records import flown

END = 4.0
FULL = {"fuel": 600.0, "gas": 150.0, "solid": 300.0, "reserve": 10.0}
"""Propellant at the start [kg]."""
JETTISON = 3.0
"""Time at which the reserve is jettisoned [s]."""


def draining_record() -> Record:
    """Each tank is full at the start and empty at the end."""
    time = np.linspace(0.0, END, 81)
    record = flown(time, bodies=1)
    (body,) = record.scenario.bodies
    tanks = (
        CylinderTank(
            name="fuel",
            propellant=600,
            density=800,
            axis=[1, 0, 0],
            radius=0.5,
            bottom=[-1.8, 0, 0],
            height=1.2,
        ),
        SphereTank(name="gas", propellant=150, density=500, axis=[1, 0, 0], radius=0.45, centre=[0, 0, 0]),
        Grain(
            name="solid",
            propellant=300,
            density=1700,
            axis=[1, 0, 0],
            outer_radius=0.4,
            length=0.6,
            centre=[1, 0, 0],
        ),
        PointTank(name="reserve", propellant=10, at=[1.6, 0, 0]),
    )
    tube = {"kind": "cylinder", "axis": [1, 0, 0], "at": [-2, 0, 0], "length": 4, "radius": 0.6}
    options: dict[str, Any] = {"inertia": [100, 900, 900], "initial": ist.State(), "shapes": {"tube": tube}}
    stage = ist.Body(name=body.name, mass=500, elements=tanks, **options)
    record.scenario = record.scenario.model_copy(update={"bodies": (stage,)})
    for name, full in FULL.items():
        path = f"bodies.{body.name}.elements.{name}."
        record.series[f"{path}left"] = full * (1 - time / END)
        record.series[f"{path}attached"] = np.where((name == "reserve") & (time >= JETTISON), 0.0, 1.0)
    return record
