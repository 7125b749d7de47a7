"""Beams that tests share, between two bodies and clamped at one end, as texts of scenarios; and what is asked
of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine_door import component, derivative, instant
from interstage.reading import loads

MASS = "rotary_inertia = [1e-3, 2e-3]"
OFF = "mass_centre = [0.04, -0.03]"


def section_of(name: str, axial: float, shear: list[float], torsional: float, bending: list[float]) -> str:
    """The section of a beam, by its stiffnesses."""
    return f"""
[forces.{name}.section]
kind = "stiffness"
axial_stiffness = {axial}
shear_stiffness = {shear}
torsional_stiffness = {torsional}
bending_stiffness = {bending}
mass = 1.0
{MASS}
"""


# --- between two bodies

BETWEEN = """
[bodies.a]
mass = 3.0
inertia = [0.1, 0.2, 0.3]
initial = { angular_velocity = [1, 2, 3] }
[bodies.b]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
initial = { position = [0.95, 0.1, 0.02], velocity = [0, 0.5, 0.2] }
[forces.boom]
kind = "beam"
parent = "a"
child = "b"
parent_at = [0.02, 0, 0]
length = 1.0
elements = 3
start = "at rest"
"""
SECTION = section_of("boom", 1e4, [1e3, 1e3], 2.0, [2.0, 1.0])
FLOWN = """[[phases]]
name = "free"
until = { time = 0.2 }
[output]
interval = 0.05
"""
TEXT = BETWEEN + SECTION + FLOWN


def changed(text: str, changes: dict[str, str]) -> str:
    """A text with some of its lines, which it must have, as others."""
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


# --- clamped at one end

ARM = """
[gravity]
kind = "uniform"
acceleration = [0, 0, -{pull}]
[bodies.wall]
mass = 1.0
inertia = [1, 1, 1]
[joints.bolts]
kind = "fixed"
parent = "ground"
child = "wall"
[forces.arm]
kind = "beam"
parent = "wall"
length = 1.0
elements = {elements}
{more}
{section}
mass_centre = [{y}, {z}]
{more_of_section}
[[phases]]
name = "rest"
until = {{ time = 1e-3 }}
"""
ARM_SECTION = section_of("arm", 300.0, [200.0, 150.0], 1.0, [2.0, 1.0])
Y, Z = 0.04, -0.03
"""Where its centres of mass are off its axis, unless they are told to be elsewhere [m]."""


def arm_text(elements: int, more: str, y: float, z: float, pull: float = 0.0, section: str = "") -> str:
    """section: more of it."""
    return ARM.format(
        elements=elements, more=more, y=y, z=z, pull=pull, section=ARM_SECTION, more_of_section=section
    )


def arm(
    elements: int, more: str = "", y: float = Y, z: float = Z, pull: float = 0.0, section: str = ""
) -> Any:
    return loads(arm_text(elements, more, y, z, pull, section))


def curved(elements: int, curvature: Any, pull: float = 0.0, more: str = "") -> Any:
    """With a curvature [1/m] that it has without load."""
    return arm(elements, f"curvature = {[*map(float, curvature)]}\n{more}", 0.0, 0.0, pull=pull)


# --- what is asked of them

KEPT = [f"system.{what}.{axis}" for what in ("momentum", "angular_momentum") for axis in "xyz"]
NUDGE = 1e-5
"""Step of differences [s]: what they leave out is 1e-9 of rates of 100/s, as is the rounding."""


def rate(mechanism: Any, x: np.ndarray, path: str) -> float:
    """Of a quantity, by a difference along the motion."""
    slope = np.array(derivative(mechanism, 0.0, x))
    ahead, behind = (component(instant(mechanism, 0.0, x + h * slope), path) for h in (NUDGE, -NUDGE))
    return float(ahead - behind) / (2 * NUDGE)


def vector_product(v: Any) -> np.ndarray:
    """The matrix of v x."""
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def frequencies(scenario: Any, count: int | None = None) -> np.ndarray:
    """The lowest angular frequencies [1/s], or all of them."""
    modes: Any = scenario.linearize(outputs=()).modes
    return np.array([abs(mode.eigenvalue) for mode in modes])[:count]
