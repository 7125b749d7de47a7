"""The command `interstage`. Each command imports what it needs when it runs, so that all start quickly.

Exit codes: 0 done, 1 a validation case failed, 2 bad input, 3 a requirement of the scenario is broken, or an
optimum is not to be trusted, 4 the flight ended early.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..tree.errors import BadInput, near
from .command_files import (
    FLIGHTS,
    REPORTS,
    check_target,
    checked_units,
    deliver_flight,
    resumed_at,
    scenario_of,
)

if TYPE_CHECKING:
    from ..record.record import Record
    from ..scenario import Scenario
    from ..studies.comparison import Comparison

CASE_FAILED, BAD_INPUT, REQUIREMENT_BROKEN, ENDED_EARLY = 1, 2, 3, 4

GARBAGE = 100_000
"""New objects after which Python looks for unused ones: imports make many that stay, and looking after every
700 is a tenth of a second run, after every 10,000 a twentieth. The memory of a run is the same."""

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

File = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="A scenario (.toml) or a saved flight (.nc).", show_default=False),
]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help='Change an input: bodies.payload.mass="900 kg".'),
]
Formulations = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME,...", help='Formulations, also with options, "null_space:form=implicit_1"; or all.'
    ),
]
Stabilizations = Annotated[
    list[str] | None, typer.Option(metavar="NAME,...", help="Each of projection, baumgarte, none.")
]
Methods = Annotated[list[str] | None, typer.Option(metavar="NAME,...", help="Each of dop853, dopri5, rk4.")]
Steps = Annotated[
    list[str] | None,
    typer.Option(metavar="STEP", help='Each of these fixed steps, "1 ms"; may be given several times.'),
]
Quantities = Annotated[
    list[str] | None, typer.Option(metavar="PATH", help="Compare this, too; may be given several times.")
]
Varies = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH=LEVELS",
        help='Vary an input: bodies.payload.mass="900 kg:1100 kg:5", "a, b, c" or "+-5 %"; several times.',
    ),
]
Units = Annotated[str | None, typer.Option(help="Units of tables and plots, SI or US; else the scenario's.")]


def _say_version(asked: bool) -> None:
    if asked:
        from .. import __version__

        print(f"interstage {__version__}")
        print("\n".join(_of_other_packages()))
        raise typer.Exit


def _of_other_packages() -> Iterator[str]:
    """Which packages of parts there are beside Interstage's own, and which were left out."""
    from ..tree import packages

    found = packages.catalogue()
    for package in found.others:
        yield f"parts of {package}"
    for package, why in found.left_out.items():
        yield f"left out are the parts of {package}: {why}"
    for name in packages.likely_unannounced():
        yield f'{name} is installed without an entry point "{packages.GROUP}"; parts of it are not found'
    if not found.others and not found.left_out:
        yield f'no parts of other packages (entry points "{packages.GROUP}")'


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Launch vehicles that hold together, let go and must not touch again."""


def main() -> None:
    """Run the command line; bad input becomes a readable list and exit code 2."""
    # XLA's own words, such as "Very slow compile? file a bug", say nothing to somebody who flies a scenario;
    # what goes wrong is an error all the same. Read as JAX is imported.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    gc.set_threshold(GARBAGE)
    try:
        app()
    except BadInput as error:
        _say_problems(error)
        sys.exit(BAD_INPUT)
    except BrokenPipeError:  # the reader of the output, such as `head`, has had enough
        sys.stdout = None  # type: ignore[assignment]
        sys.exit(0)
    except Exception as error:
        from ..tree.packages import blamed, fault

        package = blamed(error)
        if package is None:
            raise
        _say_problems(BadInput(fault(error, package)))
        sys.exit(BAD_INPUT)


@app.command()
def run(
    file: File,
    changes: Changes = None,
    start: Annotated[
        str | None, typer.Option("--from", help="Go on from this event of a saved flight.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Save the flight as NetCDF.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write a report as one HTML page.")] = None,
    units: Units = None,
) -> None:
    """Fly a scenario, or the scenario that a saved flight carries, and print what happened."""
    units = checked_units(units)
    check_target(output, file, FLIGHTS)
    check_target(report, file, REPORTS)
    scenario = scenario_of(file, changes)
    resume = None
    if start is not None:
        resume, time = resumed_at(file, start)
        print(f"Going on from '{start}' of {file}, at {time:g} s.\n")
    from ..flight.progress import shown

    try:
        with shown() as progress:
            from ..flight.simulate import fly

            record = fly(scenario, progress, resume)
    except KeyboardInterrupt:
        print("Interrupted before anything was flown.", file=sys.stderr)
        raise typer.Exit(ENDED_EARLY) from None
    from ..record.results import Flight

    deliver_flight(Flight(record), output, report, units)
    raise typer.Exit(_verdict(record))


@app.command()
def check(
    file: File,
    changes: Changes = None,
    sources: Annotated[
        bool, typer.Option("--sources", help="List where every number that is given comes from.")
    ] = False,
    units: Units = None,
) -> None:
    """Check a scenario and list everything that is wrong with it, without flying it."""
    units = checked_units(units)
    scenario = scenario_of(file, changes)
    from ..flight.plausibility import remarks
    from ..scenario import GROUPS
    from ..tree.units import in_units

    counts = [_count(len(getattr(scenario, group)), group) for group in GROUPS if getattr(scenario, group)]
    print(f"{file}: no problems ({', '.join(counts)})")
    if scenario.legs:
        from ..checks.legs import summary

        print("\n".join(summary(scenario, _count)))
    for path, purpose in scenario.solver.given_in_vain.items():
        print(f"  note: solver.{path} has no effect here; it is {purpose}")
    for text in remarks(scenario):
        print(f"  note: {in_units(text, units or scenario.units)}")
    if sources:
        _show_sources(scenario, units)


def _show_sources(scenario: Scenario, units: str | None) -> None:
    from ..report.provenance import source_lines

    print()
    if not scenario.sources:
        print("The scenario names no sources; give them in [sources], by the paths of its numbers.")
    print("\n".join(source_lines(scenario, units)))


def _count(number: int, things: str) -> str:
    """A number of things in words: 2 bodies, 1 body."""
    single = {"bodies": "body"}.get(things, things.removesuffix("s") if things != "aerodynamics" else things)
    return f"{number} {single if number == 1 else things}"


@app.command()
def schema() -> None:
    """Print the JSON Schema of scenario files, from which an editor completes and explains."""
    import json

    from .schema import schema as scenario_schema

    print(json.dumps(scenario_schema(), indent=2))


@app.command()
def verify(
    cases: Annotated[list[str] | None, typer.Argument(help="Names of cases; * stands for anything.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print every comparison.")] = False,
) -> None:
    """Fly the validation cases and hold each against its truth; without names, all of them."""
    from ..studies.verify import main as verify_cases

    raise typer.Exit(CASE_FAILED if verify_cases(cases or (), verbose=verbose) else 0)


@app.command()
def new(
    kind: Annotated[
        str | None, typer.Argument(help="Name of an example; without one they are listed.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to a new file.")] = None,
) -> None:
    """Print an example scenario to start from, or write it to a file."""
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
        raise BadInput(f"'{output}' exists already; choose another name")
    check_target(output, None, (".toml",))
    output.write_text(text, encoding="utf-8")
    print(f"Wrote {output}. Fly it with: interstage run {output}")


@app.command()
def compare(
    file: File,
    formulations: Formulations = None,
    stabilizations: Stabilizations = None,
    methods: Methods = None,
    step: Steps = None,
    reference: Annotated[
        str | None, typer.Option(metavar="NAME", help="Hold the others against this one.")
    ] = None,
    quantity: Quantities = None,
    limit: Annotated[str | None, typer.Option(help='Wall time for flying each, "60 s".')] = None,
    changes: Changes = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Save the table as CSV.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw a picture: .png, .svg or .pdf.")] = None,
    units: Units = None,
) -> None:
    """Fly a scenario by several formulations: how they differ, how well they hold, what they cost."""
    units = checked_units(units)
    if plot is not None and plot == output:
        raise BadInput(f"'{plot}' cannot hold both the table and the picture; choose another name for one")
    check_target(output, file, (".csv",))
    if plot is not None:
        from ..drawing.pictures import SUFFIXES, check_picture

        check_target(plot, file, SUFFIXES)
        check_picture(plot)
    scenario = scenario_of(file, changes)
    from ..flight.progress import shown
    from ..studies.comparison import compare as compared

    names = (stabilizations or (), methods or (), step or ())
    try:
        found = compared(
            scenario, formulations or "all", *names, reference, quantity or (), limit, progress=shown
        )
    except KeyboardInterrupt:
        print("Interrupted before anything was compared.", file=sys.stderr)
        raise typer.Exit(ENDED_EARLY) from None
    _show_comparison(found, output, plot, units or scenario.units)
    raise typer.Exit(0 if found.completed else ENDED_EARLY)


def _show_comparison(found: Comparison, output: Path | None, plot: Path | None, units: str) -> None:
    """Save first, so that nothing that goes wrong later costs the flights; then the picture and tables."""
    if output is not None:
        found.save(output, units)
    if plot is not None:
        found.figure(units).save(plot)
    from ..report.console import made, show_tables
    from ..studies.comparison.printed import notes, tables

    show_tables(made(), tables(found, units))
    print("\n".join(notes(found, units)))
    written = [str(path) for path in (output, plot) if path is not None]
    if written:
        print(f"Wrote {' and '.join(written)}.")


@app.command()
def sweep(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A scenario, a saved flight or a study.", show_default=False),
    ],
    vary: Varies = None,
    design: Annotated[
        str | None, typer.Option(metavar="NAME", help="grid (default), corners or one_at_a_time.")
    ] = None,
    response: Annotated[
        list[str] | None,
        typer.Option(metavar="QUANTITY@WHEN", help="Look at this, too: at an event, end, min, max."),
    ] = None,
    changes: Changes = None,
    most: Annotated[int | None, typer.Option(help="Cases that may be flown without a question.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Chunks of cases flown at once.")] = 2,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Save all cases: .nc, .csv or .parquet.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a report as one HTML page.")] = None,
    units: Units = None,
) -> None:
    """Vary inputs of a scenario over grids, corners or one at a time, and rank what they do."""
    units = checked_units(units)
    check_target(output, file)
    check_target(report, file, REPORTS)
    if output is not None and output == report:
        raise BadInput(f"'{output}' cannot hold both the cases and the report; choose another name for one")
    from ..studies.sweep.command import Asked, deliver, fly

    asked = Asked(file, vary or [], design, response or [], most, threads)
    try:
        found = fly(asked, lambda path: scenario_of(path, changes), output)
    except KeyboardInterrupt:
        print("Interrupted before any case was flown.", file=sys.stderr)
        raise typer.Exit(ENDED_EARLY) from None
    deliver(found, asked.file_name, output, report, units)
    raise typer.Exit(ENDED_EARLY if not found.all_completed else 0 if found.passed else REQUIREMENT_BROKEN)


@app.command()
def solve(
    file: File,
    find: Annotated[
        list[str],
        typer.Option(
            "--find", metavar="PATH", help="An input to find, PATH or PATH=LOW:HIGH; several times."
        ),
    ],
    so_that: Annotated[
        list[str],
        typer.Option(
            metavar="TARGET", help='"QUANTITY@MOMENT = VALUE UNIT", MOMENT as for --response; several times.'
        ),
    ],
    changes: Changes = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the scenario with what was found.")
    ] = None,
    units: Units = None,
) -> None:
    """Find inputs so that quantities have given values."""
    units = checked_units(units)
    check_target(output, file, (".toml",))
    scenario = scenario_of(file, changes)
    from ..studies.optimization.command import deliver_solved, solved

    try:
        found = solved(scenario, find, so_that)
    except KeyboardInterrupt:
        print("Interrupted before anything was found.", file=sys.stderr)
        raise typer.Exit(ENDED_EARLY) from None
    deliver_solved(found, output, units)


Find = Annotated[
    list[str] | None,
    typer.Option(
        "--find",
        metavar="PATH",
        help="To be found: PATH or PATH=LOW:HIGH, or a joint's coordinate; several times.",
    ),
]
SoThat = Annotated[
    list[str] | None,
    typer.Option(metavar="TARGET", help='steady (default), "rate of VELOCITY = VALUE", "QUANTITY = VALUE".'),
]
Free = Annotated[
    list[str] | None, typer.Option(metavar="VELOCITY", help="Need not be steady; several times.")
]


@app.command()
def trim(
    file: File,
    find: Find = None,
    so_that: SoThat = None,
    free: Free = None,
    leg: Annotated[str | None, typer.Option(metavar="NAME", help="The leg that begins a mission.")] = None,
    changes: Changes = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the scenario that is trimmed.")
    ] = None,
    units: Units = None,
) -> None:
    """Find inputs and joint angles so that nothing accelerates at the start, or that other things hold."""
    units = checked_units(units)
    check_target(output, file, (".toml",))
    scenario = scenario_of(file, changes)
    from ..studies.trim.command import deliver
    from ..studies.trim.run import trim as trimmed

    deliver(trimmed(scenario, find or (), so_that or "steady", free=free or (), leg=leg), output, units)


@app.command()
def export(
    file: File,
    fmu: Annotated[Path, typer.Option(metavar="FILE.fmu", help="Write an FMU for co-simulation (FMI 3.0).")],
    outputs: Annotated[
        list[str], typer.Option("--output-of", metavar="QUANTITY", help="A quantity that comes out; several.")
    ],
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", metavar="PATH", help="A number that the host may change in flight; several."),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--parameter", metavar="PATH", help="A number that it may change before; several."),
    ] = None,
    changes: Changes = None,
) -> None:
    """Write a scenario as an FMU: other simulators fly it step by step, its events and releases inside."""
    check_target(fmu, file, (".fmu",))
    scenario = scenario_of(file, changes)
    from ..studies.fmu.export import WHAT_IT_NEEDS
    from ..studies.fmu.export import export as write

    write(scenario, fmu, inputs or (), parameters or (), outputs)
    print(f"Wrote {fmu}. {WHAT_IT_NEEDS}")


@app.command(hidden=True)
def serve_fmu(folder: Annotated[Path, typer.Argument(metavar="FOLDER")]) -> None:
    """Fly for an FMU, whose resources are in a folder, through standard input and output."""
    from ..studies.fmu.serve import serve

    serve(folder)


@app.command()
def linearize(
    file: File,
    at: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MOMENT",
            help='start (default), end, an event, "before EVENT" or a time, "12 s"; several times; or trim.',
        ),
    ] = None,
    along: Annotated[
        str | None, typer.Option(metavar="FROM:TO:COUNT", help="Many moments, evenly from one to another.")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input", metavar="NAME", help="An input: a path, a command or bodies.NAME.force; several."
        ),
    ] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option("--output-of", metavar="QUANTITY", help="A quantity that comes out; else the states."),
    ] = None,
    axes: Annotated[
        str, typer.Option(metavar="body|inertial", help="Axes of the displacements of free bodies.")
    ] = "body",
    coordinates: Annotated[
        list[str] | None,
        typer.Option("--coordinate", metavar="NAME", help="To be independent in loops; several."),
    ] = None,
    leg: Annotated[str | None, typer.Option(metavar="NAME", help="The leg of a mission.")] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH=LEVELS", help='Over an input: forces.spring.stiffness="1 kN/m:9 kN/m:9".'),
    ] = None,
    find: Find = None,
    so_that: SoThat = None,
    free: Free = None,
    blades: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B,C", help="Joints of like blades: multi-blade coordinates; several lists."),
    ] = None,
    shaft: Annotated[
        str | None,
        typer.Option(metavar="JOINT", help="What turns the rotor of the blades, or of the period."),
    ] = None,
    period: Annotated[
        str | None, typer.Option(metavar="turn|TIME", help="Floquet multipliers over a turn or a time.")
    ] = None,
    changes: Changes = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Save it: .nc or .mat.")] = None,
    units: Units = None,
) -> None:
    """Linear equations of motion about moments of a flight: matrices, modes, frequencies and damping."""
    units = checked_units(units)
    check_target(output, file, (".nc", ".mat"))
    scenario = scenario_of(file, changes)
    from ..studies.linear.command import Wanted, deliver, linearized

    rotor = blades, shaft, period
    asked = Wanted(at, along, inputs, outputs, axes, coordinates, leg, vary, find, so_that, free, *rotor)
    try:
        found = linearized(scenario, asked)
    except KeyboardInterrupt:
        print("Interrupted before anything was found.", file=sys.stderr)
        raise typer.Exit(ENDED_EARLY) from None
    deliver(found, output, units)


@app.command()
def optimize(
    file: Annotated[
        Path, typer.Argument(metavar="STUDY", help="A study with variables.", show_default=False)
    ],
    changes: Changes = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from where it was interrupted.")] = False,
    check_derivatives: Annotated[
        bool, typer.Option("--check-derivatives", help="Hold derivatives against differences of flights.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the scenario with the best values.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a report as one HTML page.")] = None,
    units: Units = None,
) -> None:
    """Find the best flight of a scenario within limits, as a study asks."""
    units = checked_units(units)
    check_target(output, file, (".toml",))
    check_target(report, file, REPORTS)
    from ..studies.optimization.command import deliver_optimum, optimized

    try:
        found = optimized(file, lambda path: scenario_of(path, changes), resume, check_derivatives)
    except KeyboardInterrupt:
        print("Interrupted before anything was flown.", file=sys.stderr)
        raise typer.Exit(ENDED_EARLY) from None
    deliver_optimum(found, output, report, units)
    raise typer.Exit(ENDED_EARLY if found.interrupted else 0 if found.trusted else REQUIREMENT_BROKEN)


@app.command()
def cache(
    action: Annotated[str, typer.Argument(metavar="[show|prune|clear]", help="What to do.")] = "show",
    size: Annotated[
        str | None, typer.Option(metavar="SIZE", help='Prune to this size, "200 MB"; else to the store\'s.')
    ] = None,
) -> None:
    """Show, prune or clear the store of compiled programs, which makes second runs quick."""
    from ..flight import store

    wanted = store.limit() if size is None else store.size_of(size)
    if wanted is None:
        raise BadInput(f'--size {size}: is no size; write it like "200 MB" or "1 GB"')
    if action not in ("show", "prune", "clear"):
        raise BadInput(f"there is no '{action}' here; {near(action, ('show', 'prune', 'clear'))}")
    if size is not None and action != "prune":
        raise BadInput("--size goes with prune: interstage cache prune --size 200MB")
    if action == "show":
        print("\n".join(store.listing()))
        return
    gone = store.prune(wanted) if action == "prune" else store.clear()
    left = store.entries()
    print(f"Let go of {store.counted(gone)}; {store.counted(left)} left.")


@app.command("report")
def write_report(
    flight: Annotated[
        Path, typer.Argument(metavar="FLIGHT", help="A saved flight (.nc).", show_default=False)
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The HTML file; else beside it.")
    ] = None,
    units: Units = None,
) -> None:
    """Write the report of a saved flight, and print its tables."""
    from ..record.results import open_flight

    units = checked_units(units)
    output = output or flight.with_suffix(".html")
    check_target(output, flight, REPORTS)
    saved = open_flight(flight)
    saved.read_to_show()  # so that a scenario that cannot be read is told before anything is printed
    deliver_flight(saved, None, output, units)


def _verdict(record: Record) -> int:
    from ..record.requirements import evaluate

    if not record.completed:
        return ENDED_EARLY
    return 0 if all(margin.passed for margin in evaluate(record)) else REQUIREMENT_BROKEN


def _examples() -> Path:
    """The folder of examples: at the root of a checkout, or inside the installed package."""
    package = Path(__file__).resolve().parents[1]
    places = (package.parents[1] / "examples", package / "_examples")
    return next((place for place in places if place.is_dir()), places[-1])


def _say_problems(error: BadInput) -> None:
    head = error.source or "error"
    if len(error.problems) == 1:
        print(f"{head}: {error.problems[0]}", file=sys.stderr)
        return
    print(f"{head}: {len(error.problems)} problems", file=sys.stderr)
    for problem in error.problems:
        print(f"  {problem}", file=sys.stderr)
