"""Writes the table and the picture of wind_turbine.md: python wind_turbine.py"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import interstage as ist
from interstage.drawing.figure import COLOURS, Axis, Figure, Line, Panel, Points
from interstage.studies.linearize import Linear

HERE = Path(__file__).parent
CASE = HERE.parents[1] / "validation" / "wind-turbine" / "scenario.toml"
ROTOR: Any = {"shaft": "rotor", "blades": ["flap_1", "flap_2", "flap_3"]}
SPEEDS = "0.25 rad/s:6 rad/s:24"
LINES = 1, 2, 3, 6
"""Whole numbers of the turns, whose lines are drawn."""
HEADS = ["what moves", "[Hz]", "damping"]
TOLD = 0.05
"""Share from which what takes part is named."""


def moving(linear: Linear, mode: Any) -> str:
    """What takes part in a mode, in words."""
    shares = linear.taking_part(mode).items()
    return ", ".join(f"{thing} {100 * share:.0f} %" for thing, share in shares if share >= TOLD)


def rows() -> list[list[str]]:
    """The modes at 2 rad/s."""
    linear = ist.load(CASE).linearize(**ROTOR)
    assert isinstance(linear, Linear)  # of one moment
    swings = [mode for mode in linear.modes if mode.oscillates]
    return [[moving(linear, one), f"{one.frequency:.5f}", f"{one.damping:.5f}"] for one in swings]


def picture() -> Figure:
    """Frequencies over the speed of the rotor, and its turns."""
    path = "bodies.hub.initial.relative_angular_velocity[0]"
    series = ist.load(CASE).linearize(vary=f"{path}={SPEEDS}", **ROTOR)
    speeds = np.array([one.x0[one.names.index("joints.rotor.rotation_rate.x")] for one in series])
    found = [
        sorted(abs(m.eigenvalue.imag) / (2 * np.pi) for m in one.modes if m.oscillates) for one in series
    ]
    top = 2.0
    marks: list[Any] = []
    for n in LINES:
        ends = np.array([0.0, min(speeds[-1], 2 * np.pi * top / n)])
        marks.append(Line(ends, n * ends / (2 * np.pi), colour="#bbbbbb", dash="dashed"))
    for k, one in enumerate(found):
        own = np.array([value for value in one if value <= top])
        marks.append(Points(np.full(len(own), speeds[k]), own, "dot", COLOURS[0], 4.0))
    axes = Axis("speed of the rotor [rad/s]", 0, 6), Axis("frequency [Hz]", 0, top)
    panel = Panel(marks, "seven coordinates, seen from the ground", *axes, height=320)
    caption = "Frequencies over the speed of the rotor; dashed: 1, 2, 3 and 6 times its turns."
    return Figure(caption, [[panel]])


def main() -> None:
    """Linearize, and write."""
    sys.path.insert(0, str(HERE.parent / "studies"))
    from pages import written  # pyright: ignore[reportMissingImports]

    written(__file__, "modes", [HEADS, *rows()])
    picture().save(HERE.parent / "images" / "wind_turbine.png")


if __name__ == "__main__":
    main()
