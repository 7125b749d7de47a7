"""The command `interstage sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...tree import interruption
from ..command_files import REPORTS, check_target, checked_units, refuse_same_file, scenario_of
from ..exit_codes import verdict_code
from ..shared import Changes, Report, Trust, Units, app, before_anything_was, finishing
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
            help='Select the cases of the sweep: "grid" (all combinations of the levels), "corners" (all '
            'combinations of the lowest and highest levels) or "one_at_a_time" (only one input differs from '
            'the scenario). Default: "grid".',
        ),
    ] = None,
    response: Annotated[
        list[str] | None,
        typer.Option(
            metavar="QUANTITY@WHEN",
            help=(
                "Record the value of QUANTITY in each case. WHEN is the name of an event, "
                '"end" (of the flight), "min" (smallest value) or "max" (largest value). Repeatable.'
            ),
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    most: Annotated[
        int | None,
        typer.Option(
            help="Set the largest allowed number of cases. Default: 2000; on a terminal, the command asks "
            "for confirmation of more cases."
        ),
    ] = None,
    threads: Annotated[
        int, typer.Option(min=1, help="Simulate the cases in this number of parallel threads.")
    ] = 2,
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

    Each case of the sweep is one flight with a different set of input values. The command also checks the
    requirements of the scenario in each case.
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
