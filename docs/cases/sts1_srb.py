"""Writes the table of sts1_srb.md, the report's combinations of mass centres in one sweep, and its picture.

python docs/cases/sts1_srb.py [table] [picture]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from interstage import plots, verify
from interstage.record import Record, timeline
from interstage.scenario import load
from interstage.sweep import Sweep
from interstage.sweep.declared import read_study

HERE = Path(__file__).resolve().parent
CASE = HERE.parents[1] / "validation" / "sts1-srb"
PICTURE = HERE.parent / "images" / "sts1_srb.png"
FT, INCH, G = 0.3048, 0.0254, 9.80665
WORDS = {-1: "min", 0: "nom", 1: "max"}
HEADS = ["", "release [s]", "orbiter + tank p, q, r [deg/s]", "left", "right", "least clearance [ft]"]
WAYS = {"as reported": "scenario.toml", "as built": "as_built.toml"}
LEFT, RIGHT = {"linestyle": "-"}, {"linestyle": (0, (4, 1.5))}
BURNT_OUT = 0.71
"""When the thrust of the separation motors begins to fall, from the release [s]."""


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

    record = records["as reported"]
    with rc_context(plots.STYLE):
        figure = Figure(figsize=(9.6, 6.4), layout="constrained")
        near, far, rates, felt = figure.subplots(2, 2).flat
        for (way, flown), colour in zip(records.items(), plots.COLOURS, strict=False):
            for side, style in (("left", LEFT), ("right", RIGHT)):
                times, values = flown.courses[f"clearance.{side}"]
                near.plot(times, values["distance"] / FT, color=colour, label=f"{way}, {side}", **style)
        near.set(xlim=(0, 1), ylim=(0.8, 3), title="least distance to orbiter and tank [ft]")
        for side, out, style in (("left", -1, LEFT), ("right", 1, RIGHT)):
            gone = record.series[f"joints.forward_{side}.displacement"] * [-1, out, 1] / FT
            for k, word in enumerate(("behind", "outboard", "below")):
                far.plot(record.time, gone[:, k], color=plots.COLOURS[k], label=f"{word}, {side}", **style)
            times, spin = timeline(record, f"bodies.{side}.angular_velocity")
            for k, word in enumerate("pqr"):
                line = np.degrees(spin[:, k])
                rates.plot(times, line, color=plots.COLOURS[k], label=f"{word}, {side}", **style)
        far.set(title="front attachments, from where they were [ft]")
        rates.set(title="angular velocity of the boosters [deg/s]")
        for k, (body, axis, word) in enumerate(
            [("orbiter_tank", 0, "orbiter + tank x"), ("orbiter_tank", 2, "orbiter + tank z"),
             ("right", 1, "right booster y"), ("right", 2, "right booster z")]
        ):  # fmt: skip
            times, values = timeline(record, f"bodies.{body}.sensed_acceleration")
            felt.plot(times, values[:, axis] / G, color=plots.COLOURS[k], label=word)
        felt.set(title="sensed acceleration, own axes [g]")
        release = next(event.time for event in record.events if event.name == "apart")
        for ax in (near, far, rates, felt):
            ax.set_xlabel("time [s]")
            for time in (0.02, release, release + BURNT_OUT):
                ax.axvline(time, color="#333333", linewidth=0.9, linestyle=(0, (1, 2)), zorder=1)
            ax.legend(ncols=2)
        for ax in (far, rates, felt):
            ax.set_xlim(0, 4)
        figure.savefig(PICTURE, dpi=110, metadata={"Software": None})


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
