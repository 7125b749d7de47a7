"""The command `interstage campaign`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...tree.errors import BadInput
from ..command_files import checked_units, scenario_of
from ..shared import (
    ENDED_EARLY,
    Changes,
    Trust,
    Units,
    app,
    before_anything_was,
    finishing,
    verdict_code,
)

if TYPE_CHECKING:
    from ...studies.campaign import CampaignResult


@app.command()
def campaign(
    study: Annotated[
        Path,
        typer.Argument(
            metavar="STUDY",
            help="Path of the campaign study (.toml), or the word show to print saved results.",
            show_default=False,
        ),
    ],
    shown: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="With the word show: folder of the saved results to print.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FOLDER",
            help="Save the results in this folder. Default: the path STUDY with the ending .cases.",
        ),
    ] = None,
    cases: Annotated[
        int | None, typer.Option(help="Fly this number of cases. Default: the number in the study.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="Fly the cases in this number of processes. Default: one process, or one process for "
            "each processor core if the campaign needs more than a minute."
        ),
    ] = None,
    part: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Fly only part I of the N parts of the campaign, for example 3/40, so that N machines can "
            "share the cases.",
        ),
    ] = None,
    case: Annotated[
        int | None,
        typer.Option(
            help="Fly only the case with this number, and compare its result with the saved result."
        ),
    ] = None,
    worst: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Fly only the N worst cases of a finished campaign. With the word show: print the N worst "
            "cases. Default of show: 5.",
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    units: Units = None,
) -> None:
    """Fly random cases (Monte Carlo) and check requirements.

    The command checks each requirement with a confidence level. If the results folder has cases already,
    the command flies only the missing cases.
    """
    units = checked_units(units)
    from ...studies.campaign import command

    if str(study) == "show":
        found, folder = _campaign_in(shown, units, worst)
    else:
        if shown is not None:
            raise BadInput(
                f"the argument '{shown}' is not allowed after a study. "
                f"To save the results in the folder '{shown}', write -o {shown}."
            )
        asked = command.Asked(study, output, cases, jobs, part, case, worst, units)
        folder = asked.target
        alone = case is not None or worst is not None
        with before_anything_was("flown"):
            found = (command.known if alone else command.fly)(
                asked, lambda path: scenario_of(path, changes, trust)
            )
            if alone:
                numbers = [case] if case is not None else command.worst_of(found, worst or 1)
                flown = command.show_cases(found, numbers, folder, units)
                raise typer.Exit(0 if flown else ENDED_EARLY)
        with finishing():
            command.deliver(found, folder, units)
        if part is not None and not found.interrupted:
            raise typer.Exit(0)
    raise typer.Exit(verdict_code(found.complete, found.all_shown))


def _campaign_in(folder: Path | None, units: str | None, worst: int | None) -> tuple[CampaignResult, Path]:
    """Print the campaign results in a folder. Return the results and the folder."""
    from ...studies.campaign import CampaignResult, command

    if folder is None:
        raise BadInput("the folder of the saved results is missing. Write interstage campaign show FOLDER.")
    found = CampaignResult.load(folder)
    command.deliver(found, folder, units, worst)
    return found, folder
