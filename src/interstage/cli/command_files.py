"""Handle the files of commands: read scenarios and saved flights, check output files, save and print a
flight.

Each function imports its modules when it is called, so that commands start quickly.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..tree.errors import BadInput, Problem, why
from ..tree.guarded_reader import head
from ..tree.saving import refuse_unwritable, save_file

if TYPE_CHECKING:
    from ..record.results import Flight
    from ..scenario import Scenario

FLIGHTS = (".nc",)
OTHER_PROGRAMS = (
    ". A flight is saved as NetCDF, which MATLAB (ncread), Octave and xarray can read. For CSV, .mat,"
    " KML and other formats, run: interstage export flight.nc -o flight.csv"
)
"""Text that explains how other programs read the samples of a flight."""
REPORTS = (".html", ".htm")
HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"


def scenario_of(file: Path, changes: list[str] | None, trust: bool = False) -> Scenario:
    """Return the scenario of a scenario file or of a saved flight, with changed values.

    - changes: texts "path=value" of the option --set.
    - trust: if true, the user-defined classes that a saved flight names are allowed without
      confirmation.

    Raises BadInput if the file cannot be read or a value is not allowed.
    """
    from ..reading import load

    values = settings(changes or ())
    if is_flight(file):
        return _of_flight(file, values, trust)
    try:
        return load(file, values)
    except BadInput:
        refuse_study(file)
        raise


@contextmanager
def with_places(file: Path) -> Iterator[None]:
    """Add the name of the file, and the line in a scenario file, to problems that occur within a `with`
    block.
    """
    from ..tree.toml_file import lines_of, parse, read_text, with_lines

    try:
        yield
    except BadInput as error:
        if error.source is not None or not all(problem.place for problem in error.problems):
            raise
        problems = list(error.problems)
        if not is_flight(file):
            text = read_text(file)
            problems = with_lines(problems, lines_of(text, parse(text, str(file))))
        raise BadInput(problems, str(file)) from None


def _of_flight(file: Path, values: dict[str, str], trust: bool) -> Scenario:
    from ..model.user_class import unconfirmed_classes
    from ..reading import loads
    from ..record.results import open_flight

    text = open_flight(file).scenario_text
    how: dict[str, Any] = {"source": str(file), "folder": file.parent}
    scenario = loads(text, values, trust=trust, **how)
    classes = unconfirmed_classes(scenario)
    if not classes:
        return scenario
    _confirm(file, classes)
    return loads(text, values, **how)


def _confirm(file: Path, classes: Sequence[str]) -> None:
    """Ask on the terminal whether the user classes may run. Raises BadInput for "no" or without terminal."""
    from ..model.user_class import TRUST_VARIABLE

    named = ", ".join(classes)
    text = f"the file uses user-defined Python classes, which run as programs: {named}"
    if sys.stdin is not None and sys.stdin.isatty():
        print(f"{file}: {text}.", file=sys.stderr)
        print(
            "Allow these classes only if you trust the author of the file. Allow? [y/N] ",
            end="",
            file=sys.stderr,
        )
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() in ("y", "yes"):
            return
        raise BadInput(
            "you did not allow the user-defined Python classes of the file, so the scenario was not run",
            str(file),
        )
    remedy = f"If you trust the file, add --trust, or set {TRUST_VARIABLE}={','.join(classes)}"
    raise BadInput(f"{text}. {remedy}", str(file))


def refuse_study(file: Path) -> None:
    """Raise BadInput if a file is a study and not a scenario."""
    from ..studies.study_file import commands_of, is_study
    from ..tree.toml_file import parse, read_text

    data = parse(read_text(file), str(file))
    if is_study(data):
        uses = (
            " or ".join(f"interstage {name} {file}" for name in commands_of(data))
            or "interstage sweep or optimize"
        )
        named = data.get("scenario")
        own = f". The scenario of the study is {file.parent / named}" if isinstance(named, str) else ""
        raise BadInput(f"the file is a study, not a scenario. Run {uses}{own}", str(file))


def settings(changes: Sequence[str]) -> dict[str, str]:
    """Return the values of --set by path. Raises BadInput that lists all invalid or repeated texts.

    changes: texts "path=value".
    """
    from ..reading import setting

    values: dict[str, str] = {}
    problems: list[Problem] = []
    for change in changes:
        try:
            path, value = setting(change)
        except BadInput as error:
            problems += [Problem("--set", problem.message) for problem in error.problems]
            continue
        if path in values:
            problems.append(
                Problem(
                    f"--set {path}", f"the input is set twice, to {values[path]} and {value}. Keep one value."
                )
            )
        values[path] = value
    if problems:
        raise BadInput(problems)
    return values


def resumed_at(file: Path, event: str) -> tuple[tuple[Any, int], float]:
    """Return the saved state from which a flight continues at an event, and the time of the event [s].

    Raises BadInput if the file is not a saved flight, or if the event is unknown.
    """
    if not is_flight(file):
        raise BadInput(f"--from {event}: '{file}' is a scenario. Only a saved flight (.nc) can be continued.")
    from ..record.results import open_flight

    flight = open_flight(file)
    row = flight.event_row(event)
    states = flight.record if flight.record.legs else flight.record.restart
    return (states, row), flight.record.events[row].time


def is_flight(file: Path) -> bool:
    """Return whether a file is a saved flight."""
    first = head(file, len(HDF5_SIGNATURE))
    return first == HDF5_SIGNATURE if first else file.suffix == ".nc"


def deliver_flight(
    flight: Flight,
    output: Path | None,
    report: Path | None,
    units: str | None,
    playback: Path | None = None,
) -> None:
    """Save a flight, print its tables, and write its report and its playback.

    - output: NetCDF file of the flight, with the peak values between samples. None for no file.
    - report, playback: HTML files; None for no file.
    - units: unit system, "SI" or "US". Default: the unit system of the scenario.

    If one of these outputs fails, the other outputs are still written.
    """
    from ..report.console import make_console
    from ..report.summary import show, tables

    found = []
    with ExitStack() as stack:  # the last one first, each of them even if another one fails
        if playback is not None:
            stack.callback(_write_playback, flight, playback, units)
        if report is not None:
            stack.callback(_write_report, flight, report, units)
        stack.callback(lambda: show(make_console(), found, flight.record, units, report) if found else None)
        if output is not None:
            stack.callback(save_file, output, flight.save, "the flight", flight.save_numbers)
        found = tables(flight.record, units)
    written = [str(path) for path in (output, report, playback) if path is not None]
    print(
        f"Wrote {' and '.join(written)}."
        if written
        else "The flight was not saved. To save the flight, add -o flight.nc."
    )


def _write_report(flight: Flight, report: Path, units: str | None) -> None:
    from ..report.page import write

    save_file(report, lambda path: write(flight, path, units), "the report")


def _write_playback(flight: Flight, playback: Path, units: str | None) -> None:
    from ..playback.page import write

    save_file(playback, lambda path: write(flight, path, units), "the playback")


def checked_units(units: str | None) -> str | None:
    """Return the requested unit system in capital letters. Raises BadInput for an unknown unit system."""
    from ..tree.units import SYSTEMS

    if units is not None and units.upper() not in SYSTEMS:
        raise BadInput(f"--units {units}: these units are unknown. Write SI or US.")
    return units.upper() if units else None


def check_target(target: Path | None, source: Path | None, ends: Sequence[str] = ()) -> None:
    """Raise BadInput before a flight if an output file cannot be written.

    - target: output file.
    - source: input file, which must not be overwritten.
    - ends: allowed suffixes. Default: all.
    """
    if target is None:
        return
    try:
        _check_place(target, source)
    except OSError as error:  # a name that is too long, or a folder that cannot be looked into
        raise BadInput(f"'{target}' cannot be written: {why(error)}. Choose another file.") from None
    if ends and target.suffix.lower() not in ends:
        found = f"the ending of the file is '{target.suffix}'" if target.suffix else "the file has no ending"
        many = ", ".join(ends)
        text = f"'{target}': {found}. Allowed: {many}, for example {target.with_suffix(ends[0]).name}"
        raise BadInput(f"{text}{OTHER_PROGRAMS if tuple(ends) == FLIGHTS else ''}")
    refuse_unwritable(target)


def refuse_same_file(output: Path | None, option: str, other: Path | None) -> None:
    """Raise BadInput if another option names the same file as --output.

    option: name of the other option. other: file of the other option.
    """
    if output is not None and output == other:
        raise BadInput(f"'{output}' is the file of --output and of {option}. Choose different files.")


def _check_place(target: Path, source: Path | None) -> None:
    folder = target.parent
    if target.is_dir():
        raise BadInput(f"the output file '{target}' is a folder. Give the name of a file in the folder.")
    if not folder.is_dir():
        raise BadInput(f"'{target.name}': there is no folder '{folder}'. Create the folder first.")
    if source is not None and target.exists() and source.exists() and target.samefile(source):
        raise BadInput(f"the output file '{target}' is also the input file. Choose another name.")
