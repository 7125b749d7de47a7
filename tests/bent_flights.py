"""Records with a flexible body and a beam that bend by closed forms, for tests of the playback."""

from __future__ import annotations

from typing import Any

import numpy as np

import interstage as ist
from interstage.parts.beams.declared import Beam, Tube
from interstage.parts.modal.declared import ModalBody, ModalPoint
from interstage.record.record import Record
from playback_records import flown
from stub_flight import separation_record

LENGTH, MODE, RATE = 4.0, 3e-3, 7.0
"""Length of the body and the beam [m], largest deflection of the body [m], angular frequency [rad/s]."""
ELEMENTS = 10
CURVATURE = 0.08
"""Largest curvature of the beam [rad/m]."""
STATIONS = (-0.5, -0.25, 0.0, 0.25, 0.5)
"""Points of the body along x, relative to its length."""


def shape(x: np.ndarray) -> np.ndarray:
    """Deflection along y at stations x / LENGTH, relative to the largest deflection: a parabola."""
    return 8 * x**2 - 1


def slope(x: np.ndarray) -> np.ndarray:
    """Rotation about z per largest deflection [1/m]."""
    return 16 * x / LENGTH


def bent_record(samples: int = 401, end: float = 4.0) -> Record:
    """A tube that vibrates in one mode, and a beam on it that bends to an arc of a circle."""
    time = np.linspace(0.0, end, samples)
    record = flown(time, bodies=1)
    (body,) = record.scenario.bodies
    tube = {"kind": "cylinder", "at": [-LENGTH / 2, 0, 0], "axis": [1, 0, 0], "length": LENGTH, "radius": 0.2}
    at = np.array(STATIONS)
    points = tuple(
        ModalPoint(
            name=f"p{k}",
            at=[x * LENGTH, 0, 0],
            shape=[[0, float(shape(x)), 0]],
            turn=[[0, 0, float(slope(x))]],
        )
        for k, x in enumerate(at)
    )
    forces = (
        ModalBody(name="bends", body=body.name, frequency=[RATE], points=points),
        Beam(
            name="boom",
            parent=body.name,
            parent_at=[0, 0, 0.2],
            length=LENGTH,
            elements=ELEMENTS,
            section=Tube(radius=0.05, young=7e10, shear_modulus=3e10, density=2700),
        ),
    )
    options: dict[str, Any] = {"inertia": [2, 140, 140], "initial": ist.State(), "shapes": {"tube": tube}}
    long = ist.Body(name=body.name, mass=100.0, **options)
    record.scenario = record.scenario.model_copy(update={"bodies": (long,), "forces": forces})
    known = next(iter(separation_record().meta.values()))
    zero = np.zeros_like(time)
    swing = np.cos(RATE * time)
    for k, x in enumerate(at):
        path = f"forces.bends.point_p{k}."
        record.series[f"{path}deflection"] = np.stack([zero, MODE * shape(x) * swing, zero], axis=1)
        record.series[f"{path}rotation"] = np.stack([zero, zero, MODE * slope(x) * swing], axis=1)
    bend = CURVATURE * np.sin(RATE * time)
    for k in range(ELEMENTS):
        position, rotation = arc(bend, LENGTH * (k + 0.5) / ELEMENTS)
        path = f"forces.boom.segment_{k + 1}."
        record.series |= {f"{path}position": position, f"{path}rotation": rotation}
    record.series["forces.boom.end"] = arc(bend, LENGTH)[0]
    record.meta |= {path: known for path in record.series if path not in record.meta}
    return record


def arc(curvature: np.ndarray, s: float) -> tuple[np.ndarray, np.ndarray]:
    """Position and rotation vector (n, 3) at length s of a beam along x that bends about z to a circle."""
    angle = curvature * s
    with np.errstate(invalid="ignore", divide="ignore"):
        x = np.where(angle == 0, s, np.sin(angle) / curvature)
        y = np.where(angle == 0, 0.0, (1 - np.cos(angle)) / curvature)
    zero = np.zeros_like(angle)
    return np.stack([x, y, zero], axis=1), np.stack([zero, zero, angle], axis=1)
