"""The command `interstage export`, and the hidden command that runs the model of an FMU."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...tree.errors import BadInput
from ..command_files import check_target, scenario_of
from ..shared import Changes, File, Trust, app

if TYPE_CHECKING:
    from ...scenario import Scenario


@app.command()
def export(
    file: File,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write samples of the saved flight to this file: .csv, .parquet or .mat (tables), .kml "
            "(Google Earth), .czml (Cesium), .oem or .aem (CCSDS), .e or .a (STK), .glb (glTF animation, for "
            "Blender).",
        ),
    ] = None,
    quantities: Annotated[
        list[str] | None,
        typer.Option(
            "--quantity",
            metavar="QUANTITY",
            help="Write only this quantity to the file (.csv, .parquet or .mat). Default: all quantities. "
            "Repeatable.",
        ),
    ] = None,
    bodies: Annotated[
        list[str] | None,
        typer.Option(
            "--body",
            metavar="NAME",
            help="Write only the trajectory of this body (.kml, .czml, .oem, .aem, .e, .a or .glb). Default: "
            "all bodies. Repeatable.",
        ),
    ] = None,
    epoch: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Set the UTC date of time zero of the flight, for example 2026-11-29T12:00:00Z. Required "
            "for .czml, .oem, .aem, .e and .a.",
        ),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Set the origin of an animation (.glb): the name of a body that the origin follows, or "
            '"start" for a fixed start point. Default: "start", or the first body if bodies move by more '
            "than 10 km.",
        ),
    ] = None,
    fmu: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.fmu",
            help="Write the scenario as an FMU (FMI 3.0, co-simulation) to this .fmu file.",
        ),
    ] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option(
            "--output-of", metavar="QUANTITY", help="Add this quantity as an output of the FMU. Repeatable."
        ),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="PATH",
            help="Add the numeric input PATH of the scenario as an FMU input, which the host simulator can "
            "change during the flight. Repeatable.",
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            metavar="PATH",
            help="Add the numeric input PATH of the scenario as an FMU parameter, which the host simulator "
            "can set before the start. Repeatable.",
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
) -> None:
    """Export a saved flight to another format, or a scenario as an FMU.

    An FMU (Functional Mock-up Unit) is a model for co-simulation in another simulator. The FMU simulates all
    events and releases of the scenario.
    """
    of_fmu = {"--output-of": outputs, "--input": inputs, "--parameter": parameters, "--set": changes}
    of_flight = {"--quantity": quantities, "--body": bodies, "--epoch": epoch, "--origin": origin}
    if (output is None) == (fmu is None):
        raise BadInput(
            "Give either -o FILE to export a saved flight, or --fmu FILE.fmu to export a scenario."
        )
    unused = [name for name, value in (of_fmu if fmu is None else of_flight).items() if value]
    if unused:
        kind = "-o FILE" if fmu is None else "--fmu"
        raise BadInput(f"{kind} does not use {', '.join(unused)}. Remove these options.")
    if output is not None:
        _export_flight(file, output, quantities or (), bodies or (), epoch, origin)
        return
    assert fmu is not None
    if not outputs:
        raise BadInput("An FMU needs an output. Add --output-of QUANTITY.")
    _export_fmu(scenario_of(file, changes, trust), file, fmu, outputs, inputs or (), parameters or ())


def _export_flight(
    file: Path,
    output: Path,
    quantities: Sequence[str],
    bodies: Sequence[str],
    epoch: str | None,
    origin: str | None,
) -> None:
    from ...record.export import SUFFIXES
    from ...record.results import open_flight

    if file.suffix.lower() != ".nc":
        raise BadInput(
            f"{file} is not a saved flight (.nc). Run the scenario first: interstage run {file} -o flight.nc."
        )
    check_target(output, file, SUFFIXES)
    for path in open_flight(file).export(output, quantities, bodies, epoch, origin):
        print(f"Wrote {path}.")


def _export_fmu(
    scenario: Scenario,
    file: Path,
    fmu: Path,
    outputs: Sequence[str],
    inputs: Sequence[str],
    parameters: Sequence[str],
) -> None:
    check_target(fmu, file, (".fmu",))
    from ...model.user_class import TRUST_VARIABLE, classes_of
    from ...studies.fmu.export import WHAT_IT_NEEDS
    from ...studies.fmu.export import export as write
    from ...studies.study_warnings import print_warnings

    print_warnings(scenario, None)
    write(scenario, fmu, inputs, parameters, outputs)
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
