"""Drift, chatter and cost of every formulation on the DLR composite: python docs/studies/dlr_composite.py

Flies validation/dlr-composite (2000 s joined in orbit) at the paper's tolerance of 1e-7, writes the table
into dlr_composite.md and draws the load's error over time. Drift: largest gap at the joint. Chatter: the
amplitude of what alternates from sample to sample in the error of the load, a quarter of its largest second
difference, samples 0.5 s apart; the error's slow part and the tide itself fall out. Both once the start has
passed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pages import STYLE, written

import interstage
from interstage.report.summary import number
from interstage.studies.comparison import Comparison, Run

HERE = Path(__file__).parent
SCENARIO = HERE.parents[1] / "validation" / "dlr-composite" / "scenario.toml"
PAPER = {"solver.tolerance": 1e-7}
BAUMGARTE = "lagrange_multiplier:stabilization=baumgarte,eta=2"
VARIANTS = {
    "`lagrange_multiplier`, projection": "lagrange_multiplier",
    "`lagrange_multiplier`, no stabilization": "lagrange_multiplier:stabilization=none",
    "Baumgarte, eta = 2": BAUMGARTE,
    "Baumgarte, tolerance 1e-9": f"{BAUMGARTE},tolerance=1e-9",
    "Baumgarte, tolerance 1e-12": f"{BAUMGARTE},tolerance=1e-12",
    "`constraint_force`, 18 unknowns": "constraint_force",
    "`constraint_force`, 24 unknowns": "constraint_force:unknowns=24",
    "`null_space`, closed form": "null_space",
    "`null_space`, numerical": "null_space:road=numerical",
    "`null_space`, implicit 1": "null_space:form=implicit_1",
    "`null_space`, implicit 2": "null_space:form=implicit_2",
    "`null_space`, minimal coordinates": "null_space:coordinates=minimal",
    "`coordinate_partitioning`": "coordinate_partitioning",
    "`composite`": "composite",
    "`regularized`, 1000 rad/s": "regularized",
    "`regularized`, 10 rad/s, tolerance 1e-12": "regularized:frequency=10 rad/s,tolerance=1e-12",
    "`penalty`, 1000 rad/s": "penalty",
    "`staggered`, steps of 20 ms": "staggered",
    "`simultaneous`, steps of 20 ms": "simultaneous",
    "`simultaneous`, staggered inside": "simultaneous:treatment=staggered",
}
STARTED = 10.0
"""When what the start sets off (springs that take up the load) has died out, where it does [s]."""


def main() -> None:
    """Fly, measure, write and draw."""
    scenario = interstage.load(SCENARIO, set=PAPER)
    found = scenario.compare([*VARIANTS.values()], steps="20 ms", limit="300 s")
    for item in found.unfit:
        print(f"not flown: {item.name}: {item.reason}")
    written(__file__, "the table", table(found))
    draw(found)


def table(found: Comparison) -> list[list[str]]:
    """One line for each variant."""
    heads = ["formulation", "gap [m]", "turned [deg]", "force off [%]", "chatter of the force [%]"]
    heads += ["chatter of the torque [%]", "steps", "a step [us]", "flying [s]"]
    lines = [heads]
    runs = {run.name: run for run in found.runs}
    for label, name in VARIANTS.items():
        if name in runs:
            lines.append([label, *measured(found.reference, runs[name])])
    return lines


def measured(reference: Run, run: Run) -> list[str]:
    """The numbers of one line."""
    mine, its = reference.record, run.record
    late = its.time >= STARTED
    gap, turned = (float(its.series[f"joints.clamp.{what}"][late].max()) for what in ("gap", "misalignment"))
    errors, chatters = [], []
    for load in ("force", "torque"):
        path = f"joints.clamp.{load}"
        error = (its.series[path] - mine.series[path])[late]
        peak = np.linalg.norm(mine.series[path], axis=1).max()
        errors.append(100 * np.linalg.norm(error, axis=1).max() / peak)
        chatters.append(100 * np.linalg.norm(np.diff(error, 2, axis=0), axis=1).max() / 4 / peak)
    steps = its.statistics["steps accepted"] + its.statistics["steps rejected"]
    sizes = [f"{gap:.1e}", f"{np.degrees(turned):.1e}", *(percent(part) for part in (errors[0], *chatters))]
    return [*sizes, str(steps), number(run.stepping / steps * 1e6, 2), number(run.stepping, 2)]


def percent(part: float) -> str:
    """A part of a hundred to two digits; what is of the size of rounding is not worth any."""
    return "< 1e-9" if part < 1e-9 else number(part, 2)


def draw(found: Comparison) -> None:
    """Error of the force at the joint over time."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from interstage.drawing.figure import COLOURS

    shown = [VARIANTS[label] for label in list(VARIANTS)[:3]] + ["regularized", "penalty", "staggered"]
    with rc_context(STYLE):
        figure = Figure(figsize=(9.6, 4.2), layout="constrained")
        ax = figure.subplots()
        mine = found.reference.record.series["joints.clamp.force"]
        for name, colour in zip(shown, COLOURS):
            record = found[name].record
            error = np.linalg.norm(record.series["joints.clamp.force"] - mine, axis=1)
            label = next(label for label, variant in VARIANTS.items() if variant == name).replace("`", "")
            ax.plot(record.time, np.where(error > 0, error, np.nan), color=colour, label=label, linewidth=0.7)
        peak = np.linalg.norm(mine, axis=1).max()
        ax.axhline(peak, color="#111111", linewidth=1.2, linestyle=(0, (1, 1.5)), label="peak of the tide")
        ax.set(yscale="log", xlabel="time [s]", ylabel="error of the joint force [N]")
        ax.set(xlim=(0, 2000), ylim=(1e-20, 10))
        figure.legend(loc="outside upper left", ncols=4)
        figure.savefig(HERE.parent / "images" / "dlr_composite.png", dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
