"""Writes into inline_staging.md what a contact force makes of the nozzle's touch: python inline_staging.py"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from interstage.reading import loads
from interstage.runs.run import fly

HERE = Path(__file__).parent
CASE = HERE.parents[1] / "validation" / "inline-staging" / "scenario.toml"
LIP = """
[contacts.lip]
body = "upper"
ring = { centre = "[-1.7, 0, 0] m", axis = [1, 0, 0], radius = "0.6 m", count = 72 }
against = ["lower.interstage"]
stiffness = "1 MN/m"
damping = "0.3 s/m"
friction = 0.3
slip_speed = "1 cm/s"
"""
"""The nozzle's lip against wall and flange; every number is judgement."""
FAILED = {"engines.retro_left.works": 0, "solver.tolerance": 1e-10}
WAYS: dict[str, dict[str, Any]] = {
    "1 MN/m for each point": {},
    "10 MN/m": {"contacts.lip.stiffness": "10 MN/m"},
    "10 MN/m, no friction": {"contacts.lip.stiffness": "10 MN/m", "contacts.lip.friction": 0},
    "10 MN/m, no damping": {"contacts.lip.stiffness": "10 MN/m", "contacts.lip.damping": 0},
}
HEADS = ["", "touches for [ms]", "peak [kN]", "deep [mm]", "lost [J]"]
HEADS += ["upper stage turns [deg/s]", "lower stage [deg/s]", "apart as the upper engine lights [m]"]


def line(name: str, changes: dict[str, Any]) -> list[str]:
    """One line of the table."""
    record = fly(loads(CASE.read_text(encoding="utf-8") + LIP, set=FAILED | changes))
    time, course = record.courses["contacts.lip"]
    took = np.diff(time)[(course["touching"][1:] > 0) & (course["touching"][:-1] > 0)].sum()
    turns = (record.series[f"bodies.{body}.angular_velocity"][-1, 2] for body in ("upper", "lower"))
    row = [event.name for event in record.events].index("upper_burn")
    way = record.before["pairs.plume.axial_distance"][row]
    found = [f"{1e3 * took:.1f}", f"{course['normal_force'].max() / 1e3:.1f}"]
    found += [f"{1e3 * course['depth'].max():.1f}", f"{course['lost'][-1]:.0f}"]
    return [name, *found, *(f"{np.degrees(turn):.2f}" for turn in turns), f"{way:.2f}"]


def main() -> None:
    """Fly all and write."""
    sys.path.insert(0, str(HERE.parent / "studies"))
    from pages import written  # pyright: ignore[reportMissingImports]

    written(__file__, "touch", [HEADS, *(line(*way) for way in WAYS.items())])


if __name__ == "__main__":
    main()
