"""Commands for one scenario, its flight and the installation: run, check, new, report and others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..tree import interruption
from ..tree.errors import BadInput, Problem
from ..tree.sentences import count_text
from ..tree.similar_names import near
from . import complete
from .command_files import (
    FLIGHTS,
    REPORTS,
    check_target,
    checked_units,
    deliver_flight,
    resumed_at,
    scenario_of,
    with_places,
)
from .exit_codes import CASE_FAILED, verdict_code
from .shared import Changes, File, Playback, Report, Trust, Units, app, before_anything_was, finishing

if TYPE_CHECKING:
    from ..record.record import Record
    from ..scenario import Scenario


@app.command()
def run(
    file: File,
    changes: Changes = None,
    trust: Trust = False,
    start: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="EVENT", help="Continue the saved flight FILE from the event with this name."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Save the flight and the scenario to this NetCDF file (.nc).",
        ),
    ] = None,
    report: Report = None,
    playback: Playback = None,
    units: Units = None,
) -> None:
    """Simulate the flight of a scenario and print the results.

    FILE can also be a saved flight. The command then simulates the scenario in the saved flight again.
    """
    units = checked_units(units)
    check_target(output, file, FLIGHTS)
    check_target(report, file, REPORTS)
    check_target(playback, file, REPORTS)
    scenario = scenario_of(file, changes, trust)
    resume = None
    if start is not None:
        resume, time = resumed_at(file, start)
        print(f"Continuing from event '{start}' of {file} at {time:g} s.\n")
    from ..programs.progress import progress_display

    interruption.save_what_is_flown()
    with before_anything_was("flown"), progress_display() as progress:
        from ..runs.run import fly

        with with_places(file):
            record = fly(scenario, progress, resume, early=True)
    from ..record.results import Flight

    with finishing():
        deliver_flight(Flight(record), output, report, units, playback)
    raise typer.Exit(_verdict(record))


@app.command()
def check(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Path of the scenario (.toml), study (.toml) or saved flight (.nc).",
            show_default=False,
        ),
    ],
    changes: Changes = None,
    trust: Trust = False,
    sources: Annotated[
        bool,
        typer.Option(
            "--sources", help="Print the source and the confidence of each input value of the scenario."
        ),
    ] = False,
    units: Units = None,
) -> None:
    """Check a scenario or a study for errors, without a simulation.

    The command prints all errors. If the file has no errors, the command prints all warnings.
    """
    units = checked_units(units)
    with before_anything_was("checked"):
        file, scenario = _scenario_to_check(file, changes, trust)
        from ..diagnosis.plausibility import remarks
        from ..runs.run import check_start
        from ..scenario import GROUPS
        from ..tree.units import in_units

        with with_places(file):
            check_start(scenario)
        notes = remarks(scenario)
    counts = [
        count_text(len(getattr(scenario, group)), group) for group in GROUPS if getattr(scenario, group)
    ]
    found = f"no errors, {count_text(len(notes), 'warnings')}" if notes else "no problems"
    print(f"{file}: {found} ({', '.join(counts)})")
    if scenario.legs:
        from ..checks.legs import summary

        print("\n".join(summary(scenario, count_text)))
    for path, purpose in scenario.solver.given_in_vain.items():
        print(f"  note: solver.{path} has no effect in this scenario. This key is {purpose}.")
    for text in notes:
        print(f"  warning: {in_units(text, units or scenario.units)}")
    if sources:
        _show_sources(scenario, units)


def _scenario_to_check(file: Path, changes: list[str] | None, trust: bool) -> tuple[Path, Scenario]:
    """Return the file of the scenario, and the scenario. For a study, print the result of its check first."""
    from ..studies.check_study import check_study

    study = check_study(file, lambda path: scenario_of(path, changes, trust))
    if study is None:
        return file, scenario_of(file, changes, trust)
    found = f"no errors, {count_text(len(study.warnings), 'warnings')}" if study.warnings else "no problems"
    print(f"{file}: {found} ({study.contents})")
    for text in study.warnings:
        print(f"  warning: {text}")
    return study.scenario_file, study.scenario


def _show_sources(scenario: Scenario, units: str | None) -> None:
    from ..report.provenance import source_lines

    print()
    if not scenario.sources:
        print(
            "The scenario declares no sources. In the table [sources], add the source of each value under the"
            " path of the value."
        )
    print("\n".join(source_lines(scenario, units)))


@app.command("report")
def write_report(
    flight: Annotated[
        Path, typer.Argument(metavar="FLIGHT", help="Path of the saved flight (.nc).", show_default=False)
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the report to this HTML file. Default: FLIGHT with the extension .html.",
        ),
    ] = None,
    units: Units = None,
) -> None:
    """Write the report of a saved flight and print its tables."""
    from ..record.results import open_flight

    units = checked_units(units)
    saved = open_flight(flight)
    output = output or flight.with_suffix(".html")
    check_target(output, flight, REPORTS)
    saved.read_to_show()  # a scenario that cannot be read is reported before anything is printed
    deliver_flight(saved, None, output, units)


@app.command()
def show(
    flights: Annotated[
        list[Path],
        typer.Argument(
            metavar="FLIGHT...",
            help="Paths of saved flights (.nc), which are shown in one page, or the folder of a campaign.",
            show_default=False,
        ),
    ],
    align: Annotated[
        str | None,
        typer.Option(
            metavar="EVENT",
            help='Align the times of several flights at this event. With "time", equal '
            "flight times are compared. Default: the first release.",
        ),
    ] = None,
    cases: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NUMBER,...",
            help="Show these cases of the campaign, for example 5,17,173. The command flies cases without a "
            "saved flight. Repeatable.",
        ),
    ] = None,
    worst: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=1,
            help="Show this number of the worst cases of the campaign. Default: 10 if --cases is not set.",
        ),
    ] = None,
    relative_to: Annotated[
        str | None,
        typer.Option(
            metavar="BODY",
            help="Show all cases of the campaign relative to this body. Default: the body with the longest "
            "record.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the playback to this HTML file. Default: FLIGHT with the extension .playback.html.",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a picture of the playback to this PNG file. Requires playwright and Chromium.",
        ),
    ] = None,
    at: Annotated[
        float | None,
        typer.Option(metavar="TIME", help="Time of the picture [s]. Default: the start of the flight."),
    ] = None,
    video: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a video of the playback to this MP4 file. Requires playwright, Chromium and ffmpeg.",
        ),
    ] = None,
    units: Units = None,
) -> None:
    """Write the playback of saved flights: an HTML page with an animation and curves.

    Several flights are superimposed, with a table of their largest differences. The cases of a campaign are
    superimposed: the worst case is solid, the other cases are translucent and have the colour of their
    verdict. The page works offline and needs no other file.
    """
    from .shown_flights import film, is_campaign, show_campaign, show_flights

    units = checked_units(units)
    output = output or flights[0].with_suffix(".playback.html")
    check_target(output, flights[0], REPORTS)
    check_target(picture, flights[0], (".png",))
    check_target(video, flights[0], (".mp4",))
    if at is not None and picture is None:
        raise BadInput(Problem("--at", "this option is the time of a picture. Set --picture, or remove --at"))
    of_campaign = {"--cases": cases, "--worst": worst, "--relative-to": relative_to}
    if is_campaign(flights[0]):
        if len(flights) > 1:
            raise BadInput("only one campaign can be shown in a page. Give one folder.")
        show_campaign(flights[0], cases or [], worst, align, relative_to or "", output, units)
    else:
        for name, value in of_campaign.items():
            if value is not None:
                text = "this option is for the folder of a campaign. Remove the option"
                raise BadInput(Problem(name, text))
        show_flights(flights, align, output, units)
    print(f"Wrote {output}. Open it in a browser.")
    film(output, picture, at, video)


@app.command()
def schema() -> None:
    """Print the JSON Schema of scenario files.

    With this schema, a text editor can complete the keys of a scenario file and show the meaning of each key.
    """
    import json

    from .schema import schema as scenario_schema

    print(json.dumps(scenario_schema(), indent=2))


@app.command()
def verify(
    cases: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CASE]...",
            autocompletion=complete.cases,
            help=(
                "Name of a validation case to run. The character * matches any text. Default: all cases. "
                "Repeatable."
            ),
        ),
    ] = None,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            "-v",
            help="Print each comparison of a validation case: computed value, reference value and tolerance.",
        ),
    ] = False,
    names: Annotated[
        bool, typer.Option("--list", help="Print the names of the validation cases, and run no case.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help=(
                "Write all comparisons to this file (.json). In an existing file, only the results of the "
                "chosen cases are replaced."
            ),
        ),
    ] = None,
) -> None:
    """Run the validation cases and compare the results with reference values."""
    from ..studies.verify import list_cases
    from ..studies.verify import main as verify_cases

    if names:
        print("\n".join(list_cases(cases or ())))
        return
    check_target(output, None, (".json",))
    failed = verify_cases(cases or (), verbose=verbose, output=output)
    raise typer.Exit(CASE_FAILED if failed else 0)


@app.command()
def cache(
    action: Annotated[
        str,
        typer.Argument(
            metavar="[show|prune|clear]",
            autocompletion=complete.cache_actions,
            help="show: print the folder and the size of the cache. prune: delete the least recently used "
            "programs until the cache is smaller than --size. clear: delete all programs. Default: show.",
        ),
    ] = "show",
    size: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="With prune: set the largest size of the cache, for example 200MB. Default: the size limit "
            "of the cache, which interstage cache show prints.",
        ),
    ] = None,
) -> None:
    """Show, reduce or clear the cache of compiled programs.

    Interstage compiles the equations of a scenario to a program and saves the program in the cache. Repeated
    runs start faster, because they load the program from the cache.
    """
    from ..programs import store

    wanted = store.limit() if size is None else store.size_of(size)
    if wanted is None:
        raise BadInput(
            f'--size: \'{size}\' is not a size. Write a number with a unit, for example "200 MB" or "1 GB".'
        )
    if action not in ("show", "prune", "clear"):
        raise BadInput(
            f"'{action}' is not an action of interstage cache; {near(action, ('show', 'prune', 'clear'))}"
        )
    if size is not None and action != "prune":
        raise BadInput(
            "--size is allowed for the action prune only. Write, for example, interstage cache"
            " prune --size 200MB."
        )
    if action == "show":
        print("\n".join(store.listing()))
        return
    gone = store.prune(wanted) if action == "prune" else store.clear()
    left = store.entries()
    print(f"Removed {store.count_text(gone)}. The cache still contains {store.count_text(left)}.")


def _verdict(record: Record) -> int:
    from ..record.requirements import evaluate

    passed = record.completed and all(margin.passed for margin in evaluate(record))
    return verdict_code(record.completed, passed)
