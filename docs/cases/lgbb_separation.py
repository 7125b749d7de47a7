"""Writes the table of lgbb_separation.md, how far the separation hangs on what was judged, and its picture.

python docs/cases/lgbb_separation.py
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
from behind_hinge import room

from interstage.record.record import Record
from interstage.studies import verify

HERE = Path(__file__).resolve().parent
CASE = HERE.parents[1] / "validation" / "lgbb-separation" / "scenario.toml"
PICTURE = HERE.parent / "images" / "lgbb_separation.png"
FT = 0.3048
GAP, LENGTHS = 0.5, (62.5, 61.67)
"""Gap at the pivot; lengths of booster and core [ft]."""
FLIGHTS: dict[str, dict[str, Any]] = {
    "as declared": {},
    "nothing of the core's nearness on the booster": {"aerodynamics.booster_near.factor": 0.0},
    "of it (3.5/6.86)^2, the ratio of cross sections": {"aerodynamics.booster_near.factor": 0.26},
    "of the core's nearness the moment only": {"aerodynamics.booster_near.coefficients.CN.factor": 0.0},
    "of the core's nearness the normal force only": {"aerodynamics.booster_near.coefficients.Cm.factor": 0.0},
    "nothing of the booster's nearness on the core": {"aerodynamics.core_near.factor": 0.0},
    "twice that": {"aerodynamics.core_near.factor": 0.56},
    "nearness gone from 0.35 lengths on": {
        "aerodynamics.booster_near.blend.none": (6.31 + 0.35 * 62.5) * FT,
        "aerodynamics.core_near.blend.none": -(6.31 + 0.35 * 62.5) * FT,
    },
    "loads of the core alone less a third": {"aerodynamics.core.factor": 0.67},
    "the same and a third": {"aerodynamics.core.factor": 1.33},
    "Cm of the booster 0.001 higher": {"aerodynamics.booster.coefficients.Cm.increment": 0.001},
    "control from 0.6 s on": {"phases.opening.until.time": 0.6},
    "flight path angle 70 deg": {"bodies.booster.initial.flight_path_angle": "70 deg"},
    "half the rate gain that is published": {"controls.pitch.kd": 0.5},
    "pivot at station 37.93 (the text's)": {
        "joints.aft.parent_at": "[-37.93, 0, 4.31] ft",
        "joints.aft.child_at": "[-45.60, 0, -2] ft",
    },
}
SHOWN = {
    "as declared": "as declared",
    "nothing of the core's nearness on the booster": "without the core's nearness",
    "half the rate gain that is published": "half the rate gain",
}
"""Flights of the picture, and what they are called there."""
READ = ["read off the papers", "about 1.2", "8", "42", "9", "8.0 at 1.8", "5.5", "-2", "-22", ""]
HEADS = [
    "",
    "release [s]",
    "dZ 2 s [ft]",
    "dZ 3 s",
    "dX 3 s",
    "peak alpha booster [deg]",
    "3 s",
    "alpha core 2 s",
    "3 s",
    "room behind the pivot [ft]",
]


def line(name: str, record: Record) -> list[str]:
    """One line of the table."""
    times = record.time
    apart = record.series["joints.aft.displacement"] / FT
    booster, core = (np.degrees(record.series[f"bodies.{body}.alpha"]) for body in ("booster", "core"))
    release = next(event.time for event in record.events if event.name == "apart")
    two, top = int(np.argmin(abs(times - 2))), int(np.argmax(booster))
    numbers = [f"{release:.2f}", f"{apart[two, 2]:.0f}", f"{apart[-1, 2]:.0f}", f"{apart[-1, 0]:.0f}"]
    angles = [f"{booster[-1]:.1f}", f"{core[two]:.0f}", f"{core[-1]:.0f}"]
    near = f"{room(record, GAP, LENGTHS)[0]:.2f}"
    return [name, *numbers, f"{booster[top]:.1f} at {times[top]:.1f}", *angles, near]


def picture(records: dict[str, Record]) -> None:
    """Distances and angles of some flights, and what was read off the papers."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from pages import STYLE  # pyright: ignore[reportMissingImports]

    with (CASE.parent / "readings.csv").open() as file:
        names, *rows = csv.reader(text for text in file if not text.startswith("#"))
    read = dict(zip(names, np.array(rows, dtype=float).T, strict=True))
    with rc_context(STYLE):
        figure = Figure(figsize=(9.2, 3.0), layout="constrained")
        axes = figure.subplots(1, 3)
        for (name, record), color in zip(records.items(), ("#1f5fa8", "#c44e24", "#5b8c3a"), strict=True):
            angles = [np.degrees(record.series[f"bodies.{body}.alpha"]) for body in ("booster", "core")]
            down = record.series["joints.aft.displacement"][:, 2] / FT
            for ax, values in zip(axes, (down, *angles), strict=True):
                ax.plot(record.time, values, color=color, label=name)
        for ax, column in zip(axes, ("dz_ft", "alpha_booster_deg", "alpha_core_deg"), strict=True):
            ax.plot(read["time_s"], read[column], "ko", markersize=4, label="read off the papers")
            ax.set_xlabel("t [s]")
        for ax, title in zip(
            axes, ("dZ [ft]", "alpha of the booster [deg]", "alpha of the core [deg]"), strict=True
        ):
            ax.set_title(title)
        axes[0].legend()
        figure.savefig(PICTURE, dpi=110, metadata={"Software": None})


def main() -> None:
    """Fly all, and write the table and the picture."""
    sys.path.insert(0, str(HERE.parent / "studies"))
    from pages import written  # pyright: ignore[reportMissingImports]

    records = {name: verify.fly(CASE, **changes) for name, changes in FLIGHTS.items()}
    written(__file__, "sensitivity", [HEADS, READ, *(line(name, record) for name, record in records.items())])
    picture({short: records[name] for name, short in SHOWN.items()})


if __name__ == "__main__":
    main()
