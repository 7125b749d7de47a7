"""The command `interstage campaign`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..command_files import REPORTS, check_target, checked_units, scenario_of
from ..exit_codes import ENDED_EARLY, UNDECIDED, verdict_code
from ..shared import Changes, Report, Trust, Units, app, before_anything_was, finishing
from .campaign_options import ArrayLimit, ChunkTimeout, Dask, Device, JobScript, Parts


@app.command()
def campaign(
    study: Annotated[
        Path,
        typer.Argument(
            metavar="STUDY",
            help='Path of the campaign study (.toml). With the word "show", the command prints saved '
            'results. With the word "compare", it compares two campaigns case by case.',
            show_default=False,
        ),
    ],
    saved: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FOLDER...",
            help='With "show": folder with the saved results. With "compare": the folders of two campaigns.',
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
        int | None, typer.Option(help="Set the number of cases. Default: the number of cases in the study.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="Set the number of parallel processes. Default: one process if the campaign takes up to one "
            "minute, else one process for each processor core. This option also applies to --rare."
        ),
    ] = None,
    part: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Divide the cases into N parts and simulate only part I, for example 3/40. Use this option "
            "to distribute a campaign over N machines.",
        ),
    ] = None,
    chunk_timeout: ChunkTimeout = None,
    dask: Dask = None,
    device: Device = None,
    script: JobScript = None,
    parts: Parts = None,
    array_limit: ArrayLimit = None,
    case: Annotated[
        int | None,
        typer.Option(
            help="Simulate only the case with this number, and compare the result with the saved result."
        ),
    ] = None,
    worst: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Simulate the N worst cases (failed cases, then the smallest margins to the "
            "requirements) of "
            'a finished campaign again, and save each flight with a report. With "campaign show": print '
            'them. Default with "show": 5.',
        ),
    ] = None,
    rare: Annotated[
        str | None,
        typer.Option(
            metavar="REQUIREMENT",
            help="Compute the small probability that this requirement is violated. The command simulates "
            "additional flights by subset simulation and by importance sampling.",
        ),
    ] = None,
    derivatives: Annotated[
        bool,
        typer.Option(
            "--derivatives",
            help="Also estimate the mean, the standard deviation and the most important inputs of each "
            "response from the derivatives of one flight. The command saves and prints the estimates.",
        ),
    ] = False,
    changes: Changes = None,
    trust: Trust = False,
    report: Report = None,
    units: Units = None,
) -> None:
    """Simulate random cases (Monte Carlo) and check requirements.

    The command evaluates each requirement at the confidence level of the study. If the results folder already
    contains cases, the command simulates only the missing cases.

    \b
    Exit code 0: All requirements are demonstrated at the confidence level.
                 A requirement without a proportion is met in all cases.
    Exit code 2: The input is not valid.
    Exit code 3: A requirement is not met.
    Exit code 4: The campaign is not complete.
    Exit code 5: The number of cases is too small to decide.
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
            "--device": device,
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
        asked = command.Asked(
            study, output, cases, jobs, part, case, worst, units, chunk_timeout, dask, device
        )
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
            others = {"--cases": cases, "--part": part, "--case": case, "--worst": worst}
            others |= {"--chunk-timeout": chunk_timeout, "--dask": dask, "--device": device}
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
