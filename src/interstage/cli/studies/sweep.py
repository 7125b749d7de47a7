"""The command `interstage sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...tree import interruption
from ..command_files import REPORTS, check_target, checked_units, refuse_same_file, scenario_of
from ..shared import (
    Changes,
    Report,
    Trust,
    Units,
    app,
    before_anything_was,
    finishing,
    verdict_code,
)
from .options import Varies


@app.command()
def sweep(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Path of the scenario (.toml), saved flight (.nc) or sweep study (.toml).",
            show_default=False,
        ),
    ],
    vary: Varies = None,
    design: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help='Design of the sweep: "grid" (all combinations of the levels), "corners" (all combinations '
            'of the lowest and highest levels) or "one_at_a_time". Default: "grid".',
        ),
    ] = None,
    response: Annotated[
        list[str] | None,
        typer.Option(
            metavar="QUANTITY@WHEN",
            help=(
                'Record QUANTITY of each case as a response. WHEN is the name of an event, "end", "min" or '
                '"max". Repeatable.'
            ),
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    most: Annotated[
        int | None,
        typer.Option(
            help="Reject a sweep with more cases than this number. Default: 2000. On a terminal, the command "
            "first asks before it flies more cases."
        ),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Fly cases in parallel in this number of threads.")] = 2,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Save the inputs and responses of all cases to this file: .nc, .csv or .parquet.",
        ),
    ] = None,
    report: Report = None,
    units: Units = None,
) -> None:
    """Vary inputs of a scenario and rank their effects.

    The command flies one case for each set of levels and checks the requirements of each case.
    """
    units = checked_units(units)
    check_target(output, file)
    check_target(report, file, REPORTS)
    refuse_same_file(output, "--report", report)
    from ...studies.sweep.command import Asked, deliver, fly

    asked = Asked(file, vary or [], design, response or [], most, threads, units)
    interruption.save_what_is_flown()
    with before_anything_was("flown"):
        found = fly(asked, lambda path: scenario_of(path, changes, trust), output)
    with finishing():
        deliver(found, asked.file_name, output, report, units)
    raise typer.Exit(verdict_code(found.all_completed, found.passed))
