"""The command `interstage optimize`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..command_files import REPORTS, check_target, checked_units, scenario_of
from ..exit_codes import verdict_code
from ..shared import Changes, Report, Trust, Units, app, before_anything_was, finishing
from .options import Found


@app.command()
def optimize(
    file: Annotated[
        Path,
        typer.Argument(metavar="STUDY", help="Path of the optimization study (.toml).", show_default=False),
    ],
    changes: Changes = None,
    trust: Trust = False,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Continue an interrupted optimization of STUDY from the saved progress."
        ),
    ] = False,
    check_derivatives: Annotated[
        bool,
        typer.Option(
            "--check-derivatives",
            help="Compare the derivatives of the optimizer with finite differences of flights.",
        ),
    ] = False,
    output: Found = None,
    report: Report = None,
    units: Units = None,
) -> None:
    """Minimize or maximize an objective within constraints.

    The file STUDY declares the objective (for example the payload mass), the variables and the constraints.
    """
    units = checked_units(units)
    check_target(output, file, (".toml",))
    check_target(report, file, REPORTS)
    from ...studies.optimization.command import deliver_optimum, run_optimization

    with before_anything_was("flown"):
        found = run_optimization(
            file, lambda path: scenario_of(path, changes, trust), resume, check_derivatives, units
        )
    with finishing():
        deliver_optimum(found, output, report, units, file.parent)
    raise typer.Exit(verdict_code(not found.interrupted, found.trusted))
