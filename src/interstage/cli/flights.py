"""Commands about one scenario, its flight and the installation: run, check, new, report and others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..tree import interruption
from ..tree.errors import BadInput, count_text, near
from ..tree.saving import write_file
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
from .shared import (
    CASE_FAILED,
    Changes,
    File,
    Playback,
    Report,
    Trust,
    Units,
    app,
    before_anything_was,
    finishing,
    verdict_code,
)

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
        typer.Option("--from", metavar="EVENT", help="Continue the saved flight FILE from the event EVENT."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Save the flight with its scenario to this NetCDF file (.nc).",
        ),
    ] = None,
    report: Report = None,
    playback: Playback = None,
    units: Units = None,
) -> None:
    """Simulate the flight of a scenario and print the results.

    FILE can also be a saved flight, because a saved flight contains its scenario.
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
            record = fly(scenario, progress, resume)
    from ..record.results import Flight

    with finishing():
        deliver_flight(Flight(record), output, report, units, playback)
    raise typer.Exit(_verdict(record))


@app.command()
def check(
    file: File,
    changes: Changes = None,
    trust: Trust = False,
    sources: Annotated[
        bool,
        typer.Option("--sources", help="Print the source and the confidence of each value of the scenario."),
    ] = False,
    units: Units = None,
) -> None:
    """Check a scenario or a study for errors without a flight.

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
        print(f"  note: solver.{path} has no effect in this scenario. The setting is {purpose}.")
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
            "The scenario has no sources. In the table [sources], add the source of each number by its path."
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
    flight: Annotated[
        Path, typer.Argument(metavar="FLIGHT", help=("Path of the saved flight (.nc)."), show_default=False)
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help=("Write the playback to this HTML file. Default: FLIGHT with the extension .playback.html."),
        ),
    ] = None,
    units: Units = None,
) -> None:
    """Write the playback of a saved flight: an HTML page with an animation and curves.

    The page works offline and needs no other file.
    """
    from ..record.results import open_flight

    units = checked_units(units)
    saved = open_flight(flight)
    output = output or flight.with_suffix(".playback.html")
    check_target(output, flight, REPORTS)
    saved.read_to_show()
    from ..playback.page import write

    write(saved, output, units)
    print(f"Wrote {output}. Open it in a browser.")


@app.command()
def schema() -> None:
    """Print the JSON Schema of scenario files.

    With the schema, a text editor completes the keys of a scenario and shows their meaning.
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
            help=("Names of validation cases. The character * matches any text. Default: all cases."),
        ),
    ] = None,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", "-v", help=("Print all comparisons of each validation case with their tolerances.")
        ),
    ] = False,
    names: Annotated[
        bool, typer.Option("--list", help="Print the names of the validation cases without a flight.")
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
    """Compare flights of validation cases with reference values."""
    from ..studies.verify import list_cases
    from ..studies.verify import main as verify_cases

    if names:
        print("\n".join(list_cases(cases or ())))
        return
    check_target(output, None, (".json",))
    failed = verify_cases(cases or (), verbose=verbose, output=output)
    raise typer.Exit(CASE_FAILED if failed else 0)


@app.command()
def new(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="Name of the example to print. Without a name, the command lists all examples.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write the example to this new scenario file (.toml)."
        ),
    ] = None,
) -> None:
    """Print an example scenario, or write it to a file."""
    known = {path.stem: path for path in sorted(_examples().glob("*.toml"))}
    if kind is None:
        print("\n".join(known))
        return
    if kind not in known:
        raise BadInput(f"there is no example '{kind}'; {near(kind, known, 'examples')}")
    text = known[kind].read_text(encoding="utf-8")
    if output is None:
        print(text, end="")
        return
    if output.exists():
        raise BadInput(f"the file '{output}' exists already. Choose another file name.")
    check_target(output, None, (".toml",))
    write_file(output, text)
    print(f"Wrote {output}. Fly it with: interstage run {output}")


@app.command()
def cache(
    action: Annotated[
        str,
        typer.Argument(
            metavar="[show|prune|clear]",
            help="show: print the folder and the size of the store. prune: remove the programs with the "
            "oldest last use until the store is smaller than --size. clear: remove all programs. "
            "Default: show.",
        ),
    ] = "show",
    size: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help='Largest size of the store after "prune", for example 200MB. Default: the size limit of '
            "the store.",
        ),
    ] = None,
) -> None:
    """Show, reduce or clear the store of compiled programs.

    Stored programs make repeated runs faster, because they are not compiled again.
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
    print(f"Removed {store.count_text(gone)}. The store still has {store.count_text(left)}.")


def _verdict(record: Record) -> int:
    from ..record.requirements import evaluate

    passed = record.completed and all(margin.passed for margin in evaluate(record))
    return verdict_code(record.completed, passed)


def _examples() -> Path:
    """Return the folder of the examples: in the root of a checkout, or in the installed package."""
    package = Path(__file__).resolve().parents[1]
    places = (package.parents[1] / "examples", package / "_examples")
    return next((place for place in places if place.is_dir()), places[-1])
