"""Writes the table and the picture of aircraft_linear.md: python aircraft_linear.py"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import interstage as ist
from interstage.drawing.figure import COLOURS, Axis, Figure, Line, Panel, Points
from interstage.studies.linearize import Linear

HERE = Path(__file__).parent
CASE = HERE.parents[1] / "validation" / "aircraft-linear" / "scenario.toml"
FIND = ["bodies.jet.initial.incidence.alpha", "controls.elevator.bias", "forces.thrust.force.x"]
EVEN = {"atmosphere.scale_height": "1e15 m"}
PUBLISHED = {
    "spiral": (0.00730, 1.0),
    "phugoid": (0.0673, 0.0489),
    "roll": (0.562, 1.0),
    "Dutch roll": (0.947, 0.0349),
    "short period": (0.964, 0.387),
}
"""NASA CR-2144, condition 9: size of the eigenvalue [1/s] and damping ratio."""
SPEEDS = "200 m/s:260 m/s:13"
HEADS = ["", "eigenvalue [1/s]", "damping", "published size [1/s]", "damping", "with thinner air above [1/s]"]


def told(value: complex) -> str:
    """An eigenvalue."""
    return f"{value.real:.5f}" if not value.imag else f"{value.real:.5f} +- {value.imag:.5f}i"


def modes(**changes: Any) -> list[Any]:
    """Modes about the trim that are not at zero, the slowest of the air's own left out."""
    linear = ist.load(CASE, set=changes).linearize("trim", find=FIND)
    assert isinstance(linear, Linear)  # of one moment
    return [mode for mode in linear.modes if not mode.zero][-5:]


def rows() -> list[list[str]]:
    """The modes beside those published."""
    found = []
    for (name, (size, damping)), even, own in zip(PUBLISHED.items(), modes(**EVEN), modes(), strict=True):
        published = [f"{size:g}", f"{damping:g}" if damping < 1 else ""]
        damped = f"{even.damping:.4f}" if even.oscillates else ""
        value = f"{abs(even.eigenvalue):.4g}"
        found.append([name, f"{told(even.eigenvalue)} ({value})", damped, *published, told(own.eigenvalue)])
    return found


def picture() -> Figure:
    """Eigenvalues over the speed, trimmed at each, and the published ones."""
    series = ist.load(CASE, set=EVEN).linearize("trim", find=FIND, vary=f"bodies.jet.initial.speed={SPEEDS}")
    own = [[mode.eigenvalue for mode in one.modes if not mode.zero][-5:] for one in series]
    values = np.sort_complex(np.array(own))
    panels = []
    ends = {"fast": (-0.8, 0.1, 1.4), "slow": (-0.012, 0.004, 0.1)}
    for name, (low, high, top) in ends.items():
        marks: list[Any] = [
            Line(values[:, k].real, values[:, k].imag, colour=COLOURS[k], dots=True) for k in range(5)
        ]
        known = [-size * (d - 1j * np.sqrt(1 - d * d)) for size, d in PUBLISHED.values()]
        marks.append(Points(np.real(known), np.imag(known), "cross", "#000000", 9.0))
        axes = Axis("real part [1/s]", low, high), Axis("imaginary part [1/s]", -0.03 * top, top)
        panels.append(Panel(marks, f"{name} modes", *axes, height=260))
    caption = "Eigenvalues from 200 to 260 m/s, trimmed at each speed; crosses: NASA CR-2144, 235.9 m/s."
    return Figure(caption, [panels])


def main() -> None:
    """Trim, and write."""
    sys.path.insert(0, str(HERE.parent / "studies"))
    from pages import written  # pyright: ignore[reportMissingImports]

    written(__file__, "modes", [HEADS, *rows()])
    picture().save(HERE.parent / "images" / "aircraft_linear.png")


if __name__ == "__main__":
    main()
