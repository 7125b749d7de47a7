"""Writes the table of sts1_srb.md, one sweep over the report's centres of mass, and its picture.

python docs/cases/sts1_srb.py [table] [picture]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from interstage.drawing.figure import COLOURS
from interstage.reading import load
from interstage.record.record import Record, timeline
from interstage.studies import verify
from interstage.studies.sweep import Sweep
from interstage.studies.sweep.declared import read_study

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HERE = Path(__file__).resolve().parent
CASE = HERE.parents[1] / "validation" / "sts1-srb"
PICTURE = HERE.parent / "images" / "sts1_srb.png"
FT, INCH, G = 0.3048, 0.0254, 9.80665
WORDS = {-1: "min", 0: "nom", 1: "max"}
HEADS = ["", "release [s]", "orbiter + tank p, q, r [deg/s]", "left", "right", "least clearance [ft]"]
WAYS = {"as reported": "scenario.toml", "as built": "as_built.toml"}
SIDES: dict[str, Any] = {"left": {"linestyle": "-"}, "right": {"linestyle": (0, (4, 1.5))}}
TITLES = (
    "least distance to orbiter and tank [ft]",
    "front attachments, from where they were [ft]",
    "angular velocity of the boosters [deg/s]",
    "sensed acceleration, own axes [g]",
)
FELT = {
    "orbiter + tank, x": ("orbiter_tank", 0),
    "orbiter + tank, z": ("orbiter_tank", 2),
    "right booster, y": ("right", 1),
    "right booster, z": ("right", 2),
}
BURNING = 0.71
"""From the release on the thrust of the separation motors is high for so long [s]."""


def swept() -> Sweep:
    """All combinations in one batch."""
    found = read_study(CASE / "mass_centres.toml")
    assert found is not None
    study, _ = found
    return load(CASE / study.scenario).sweep(study)


def name_of(found: Sweep, case: int) -> str:
    """What the report calls a combination."""
    steps = {}
    for body in ("orbiter_tank", "left"):
        centre = found.inputs[f"bodies.{body}.mass_centre"]
        own = next(b for b in found.scenario.bodies if b.name == body).mass_centre
        steps[body] = np.sign(np.round((centre[case] - np.asarray(own)) / INCH, 6)).astype(int)
    if steps["orbiter_tank"].any():
        return f"orbiter + tank {WORDS[int(steps['orbiter_tank'][2])]}"
    if steps["left"].any():
        return "boosters Y{} Z{}".format(*(WORDS[int(step)] for step in steps["left"][1:]))
    return "nominal"


def table(found: Sweep) -> list[list[str]]:
    """Release, rates at the end and least clearance of each combination."""
    lines = [HEADS]
    for case in range(len(found)):
        triples = []
        for body in ("tank", "left", "right"):
            rates = np.degrees([found[f"{body}_{axis}"][case] for axis in "pqr"])
            triples.append(", ".join(f"{rate:.2f}" for rate in rates).replace("-0.00", "0.00"))
        near = min(found[f"{side}_clearance"][case] for side in ("left", "right")) / FT
        lines.append([name_of(found, case), f"{found['release'][case]:.3f}", *triples, f"{near:.3f}"])
    return lines


def draw(records: dict[str, Record]) -> None:
    """Clearance through the release both ways; displacements, rates and accelerations as reported."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from pages import STYLE  # pyright: ignore[reportMissingImports]

    with rc_context(STYLE):
        figure = Figure(figsize=(9.6, 6.4), layout="constrained")
        near, *others = panels = figure.subplots(2, 2).ravel()
        for (way, record), colour in zip(records.items(), COLOURS, strict=False):
            for side, style in SIDES.items():
                times, values = record.courses[f"clearance.{side}"]
                near.plot(times, values["distance"] / FT, color=colour, label=f"{way}, {side}", **style)
        draw_motion(records["as reported"], *others)
        for ax, title in zip(panels, TITLES, strict=True):
            ax.set(title=title, xlabel="time [s]", xlim=(0, 0.9 if ax is near else 4))
        near.set_ylim(0.8, 2.4)
        near.legend(loc="upper left", bbox_to_anchor=(0.36, 0.95))
        for ax, place in zip(others, ((0.2, 0.95), (0.4, 0.45), (0.35, 0.65)), strict=True):
            ax.legend(ncols=2, loc="upper left", bbox_to_anchor=place)
        mark(near, records["as built"], COLOURS[1])
        for ax in panels:
            mark(ax, records["as reported"], COLOURS[0] if ax is near else "#333333")
        figure.savefig(PICTURE, dpi=110, metadata={"Software": None})


def draw_motion(record: Record, far: Axes, rates: Axes, felt: Axes) -> None:
    """Displacements and rates of both boosters, and accelerations of orbiter and tank and of one booster."""
    for (side, style), out in zip(SIDES.items(), (-1, 1), strict=True):
        gone = record.series[f"joints.forward_{side}.displacement"] * [-1, out, 1] / FT
        times, spin = timeline(record, f"bodies.{side}.angular_velocity")
        for k, (word, rate) in enumerate(zip(("behind", "outboard", "below"), "pqr", strict=True)):
            colour = COLOURS[k]
            far.plot(record.time, gone[:, k], color=colour, label=f"{word}, {side}", **style)
            rates.plot(times, np.degrees(spin[:, k]), color=colour, label=f"{rate}, {side}", **style)
    for (word, (body, axis)), colour in zip(FELT.items(), COLOURS, strict=False):
        times, values = timeline(record, f"bodies.{body}.sensed_acceleration")
        felt.plot(times, values[:, axis] / G, color=colour, label=word)


def mark(ax: Axes, record: Record, colour: str) -> None:
    """Dotted lines where the rear attachments let go (1), the front ones (2), and the motors' thrust falls
    (3)."""
    hinged, apart = (event.time for event in record.events if event.name in ("hinged", "apart"))
    for number, time in enumerate((hinged, apart, apart + BURNING), start=1):
        if time < ax.get_xlim()[1]:
            ax.axvline(time, color=colour, linewidth=0.9, linestyle=(0, (1, 2)), zorder=1)
            ax.annotate(
                str(number), (time, 1.0), xycoords=("data", "axes fraction"), xytext=(2, -1),
                textcoords="offset points", va="top", fontsize=7.5, color=colour,
            )  # fmt: skip


def main() -> None:
    """Fly all, write the table, draw the picture; or what is named only."""
    sys.path.insert(0, str(HERE.parent / "studies"))
    from pages import written  # pyright: ignore[reportMissingImports]

    wanted = sys.argv[1:] or ("picture", "table")
    if "picture" in wanted:
        draw({way: verify.fly(CASE / file) for way, file in WAYS.items()})
    if "table" in wanted:
        written(__file__, "combinations", table(swept()))


if __name__ == "__main__":
    main()
