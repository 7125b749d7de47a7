"""The command `interstage campaign`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..command_files import REPORTS, check_target, checked_units, scenario_of
from ..shared import (
    ENDED_EARLY,
    UNDECIDED,
    Changes,
    Report,
    Trust,
    Units,
    app,
    before_anything_was,
    finishing,
    verdict_code,
)
from .campaign_options import ArrayLimit, ChunkTimeout, Dask, JobScript, Parts


@app.command()
def campaign(
    study: Annotated[
        Path,
        typer.Argument(
            metavar="STUDY",
            help='Path of the campaign study (.toml). The word "show" prints saved results. The word '
            '"compare" compares two campaigns case by case.',
            show_default=False,
        ),
    ],
    saved: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FOLDER...",
            help='If STUDY is "show": folder of the saved results. If STUDY is "compare": two folders.',
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FOLDER",
            help="Save the results in this folder, or in an object store such as s3://bucket/name. Default: "
            "STUDY with the extension .cases.",
        ),
    ] = None,
    cases: Annotated[
        int | None, typer.Option(help="Fly this number of cases. Default: the number in the study.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="Fly the cases in this number of processes. Default: one process for campaigns of up to one "
            "minute, else one process for each processor core."
        ),
    ] = None,
    part: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Divide the campaign into N parts and fly only part I, for example 3/40. Thus N machines "
            "can share the cases.",
        ),
    ] = None,
    chunk_timeout: ChunkTimeout = None,
    dask: Dask = None,
    script: JobScript = None,
    parts: Parts = None,
    array_limit: ArrayLimit = None,
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
            help='Fly only the N worst cases of a finished campaign. With "show": print the N worst cases of '
            'the saved results. Default with "show": 5.',
        ),
    ] = None,
    rare: Annotated[
        str | None,
        typer.Option(
            metavar="REQUIREMENT",
            help="Compute the probability that this requirement is violated, by subset simulation and by "
            "importance sampling, with flights of their own.",
        ),
    ] = None,
    derivatives: Annotated[
        bool,
        typer.Option(
            "--derivatives",
            help="Compute mean, sigma and drivers also by the derivatives of one flight. They are saved, and "
            "printed with the results.",
        ),
    ] = False,
    changes: Changes = None,
    trust: Trust = False,
    report: Report = None,
    units: Units = None,
) -> None:
    """Fly random cases (Monte Carlo) and check requirements.

    The command checks each requirement with a confidence level. If the folder of the results already contains
    cases, the command flies only the missing cases.

    \b
    Exit codes:
    0  Each requirement is demonstrated with the confidence.
       For a requirement without a proportion: no case fails.
    2  The input is not valid.
    3  A requirement is not met.
    4  The campaign is not complete.
    5  The cases are too few to decide.
    """
    units = checked_units(units)
    check_target(report, study, REPORTS)
    from ...studies.campaign import command

    folders = saved or []
    if str(study) in command.OF_SAVED:
        of_flights = {"-o": output, "--cases": cases, "--jobs": jobs, "--part": part, "--case": case}
        of_flights |= {
            "--chunk-timeout": chunk_timeout,
            "--dask": dask,
            "--script": script,
            "--parts": parts,
            "--array-limit": array_limit,
        }
        command.refuse_without_effect(str(study), of_flights | {"--set": changes}, worst)
        command.refuse_without_effect(str(study), {"--rare": rare}, None)
    if str(study) == "compare":
        command.refuse_without_effect("compare", {"--derivatives": derivatives or None}, None)
        command.compare(folders, units, report)
        raise typer.Exit(0)
    if str(study) == "show":
        found = command.show(folders, units, worst, report, derivatives)
    else:
        command.refuse_more(folders, report, case, worst, derivatives)
        asked = command.Asked(study, output, cases, jobs, part, case, worst, units, chunk_timeout, dask)
        if script is not None or parts is not None or array_limit is not None:
            from ...studies.campaign.job_command import print_script

            print_script(
                asked,
                lambda path: scenario_of(path, changes, trust),
                (script, parts, array_limit),
                {"--set": changes, "--trust": trust, "--report": report},
            )
            raise typer.Exit(0)
        folder = asked.target
        if rare is not None:
            others = {"--cases": cases, "--jobs": jobs, "--part": part, "--case": case, "--worst": worst}
            others |= {"--report": report, "--derivatives": derivatives or None}
            command.refuse_with_rare(others)
            result = command.show_rare(asked, rare, lambda path: scenario_of(path, changes, trust))
            raise typer.Exit(verdict_code(result is not None, result is not None and result.good))
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
            command.deliver(found, folder, units, report=report, derivatives=derivatives)
        if part is not None and not found.interrupted:
            raise typer.Exit(0)
    raise typer.Exit(UNDECIDED if found.is_undecided else verdict_code(found.complete, found.all_shown))
