"""The declarations of mass elements, as the tests call them.

Any: they are called as files call them, with texts and tables that the validation turns into fields."""

from __future__ import annotations

from typing import Any

from interstage.parts.propellant import elements as mass_elements

Item: Any = mass_elements.RigidItem
Cylinder: Any = mass_elements.CylinderTank
Sphere: Any = mass_elements.SphereTank
Grain: Any = mass_elements.Grain
Table: Any = mass_elements.ShiftedTable
Point: Any = mass_elements.PointTank
