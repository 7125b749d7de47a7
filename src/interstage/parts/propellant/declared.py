"""Declarations of tanks, grains and mass items, and of engines and motors."""

from __future__ import annotations

from .elements import CylinderTank, Grain, PointTank, RigidItem, ShiftedTable, SphereTank
from .engines import Engine, Motor

KINDS = {
    "elements": (RigidItem, CylinderTank, SphereTank, Grain, ShiftedTable, PointTank),
    "engines": (Engine, Motor),
}
