"""The command `interstage export`, and the hidden command by which an FMU runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..command_files import check_target, scenario_of
from ..shared import Changes, File, Trust, app


@app.command()
def export(
    file: File,
    fmu: Annotated[
        Path,
        typer.Option(metavar="FILE.fmu", help="Write the FMU (FMI 3.0, co-simulation) to this .fmu file."),
    ],
    outputs: Annotated[
        list[str],
        typer.Option(
            "--output-of", metavar="QUANTITY", help="Add this quantity as an output of the FMU. Repeatable."
        ),
    ],
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="PATH",
            help="Add the numeric input PATH of the scenario as an FMU input. The host simulator can change "
            "it during the flight. Repeatable.",
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            metavar="PATH",
            help="Add the numeric input PATH of the scenario as an FMU parameter. The host simulator can "
            "set it before the start. Repeatable.",
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
) -> None:
    """Export a scenario as an FMU for other simulators.

    An FMU is a Functional Mock-up Unit. The FMU simulates all events and releases of the scenario.
    """
    check_target(fmu, file, (".fmu",))
    scenario = scenario_of(file, changes, trust)
    from ...model.user_class import TRUST_VARIABLE, classes_of
    from ...studies.fmu.export import WHAT_IT_NEEDS
    from ...studies.fmu.export import export as write
    from ...studies.study_warnings import print_warnings

    print_warnings(scenario, None)
    write(scenario, fmu, inputs or (), parameters or (), outputs)
    print(f"Wrote {fmu}. {WHAT_IT_NEEDS}")
    if named := classes_of(scenario):
        print(
            f"The user classes of the FMU run only with the environment variable "
            f"{TRUST_VARIABLE}={','.join(named)}."
        )


@app.command(hidden=True)
def serve_fmu(folder: Annotated[Path, typer.Argument(metavar="FOLDER")]) -> None:
    """Run the simulation of the FMU with resources in FOLDER. Commands and results use standard input and
    output."""
    from ...studies.fmu.serve import serve

    serve(folder)
