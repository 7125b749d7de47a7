"""Commands that fly a scenario many times, or none: compare, sweep, solve, optimize, trim and others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..tree import interruption
from ..tree.errors import BadInput
from ..tree.saving import saved
from .command_files import REPORTS, check_target, checked_units, scenario_of
from .shared import (
    ENDED_EARLY,
    REQUIREMENT_BROKEN,
    Changes,
    File,
    Report,
    Trust,
    Units,
    app,
    before_anything_was,
    finishing,
)

if TYPE_CHECKING:
    from ..studies.comparison import Comparison

RESPONSES = (*REPORTS, ".csv", ".svg", ".png", ".pdf")
"""How files of responses may end."""
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
Found = Annotated[Path | None, typer.Option("-o", "--output", help="Write the scenario with what was found.")]
Free = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Velocities that need not be steady, states that need not repeat."),
]


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
    trust: Trust = False,
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
    scenario = scenario_of(file, changes, trust)
    from ..flight.progress import shown
    from ..studies.comparison import compare as compared

    names = (stabilizations or (), methods or (), step or ())
    with before_anything_was("compared"):
        found = compared(
            scenario, formulations or "all", *names, reference, quantity or (), limit, progress=shown
        )
    with finishing():
        _show_comparison(found, output, plot, units or scenario.units)
    raise typer.Exit(0 if found.completed else ENDED_EARLY)


def _show_comparison(found: Comparison, output: Path | None, plot: Path | None, units: str) -> None:
    """Save first, so that nothing that goes wrong later costs the flights; then the picture and tables."""
    if output is not None:
        saved(output, lambda path: found.save(path, units), "the table")
    if plot is not None:
        saved(plot, found.figure(units).save, "the picture")
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
    trust: Trust = False,
    most: Annotated[int | None, typer.Option(help="Cases that may be flown without a question.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Chunks of cases flown at once.")] = 2,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Save all cases: .nc, .csv or .parquet.")
    ] = None,
    report: Report = None,
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
    interruption.save_what_is_flown()
    with before_anything_was("flown"):
        found = fly(asked, lambda path: scenario_of(path, changes, trust), output)
    with finishing():
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
    trust: Trust = False,
    output: Found = None,
    units: Units = None,
) -> None:
    """Find inputs so that quantities have given values."""
    units = checked_units(units)
    check_target(output, file, (".toml",))
    scenario = scenario_of(file, changes, trust)
    from ..studies.optimization.command import deliver_solved, solved

    with before_anything_was("found"):
        found = solved(scenario, find, so_that)
    with finishing():
        deliver_solved(found, output, units, file)


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
        str | None,
        typer.Option(
            metavar="body|motion|inertial", help="Axes of free bodies; body of one, motion of more."
        ),
    ] = None,
    coordinates: Annotated[
        list[str] | None,
        typer.Option("--coordinate", metavar="NAME", help="To be independent in loops; several."),
    ] = None,
    leg: Annotated[str | None, typer.Option(metavar="NAME", help="The leg of a mission.")] = None,
    vary: Varies = None,
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
    bode: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save frequency responses: .html, .svg, .png, .csv.")
    ] = None,
    band: Annotated[
        str | None, typer.Option(metavar="LOW:HIGH", help="Their frequencies; else as the modes ask for.")
    ] = None,
    step: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save step responses, in such files as well.")
    ] = None,
    duration: Annotated[
        str | None, typer.Option(metavar="TIME", help="For how long; else as the modes ask for.")
    ] = None,
    modes: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save the modes over moments or levels (root locus) likewise."),
    ] = None,
    loops: Annotated[
        list[str] | None,
        typer.Option("--loop", metavar="COMMAND", help="Margins of the loop, cut open there; several."),
    ] = None,
    slow: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="What takes longer to double grows slowly; 55 s unless said."),
    ] = None,
    whole: Annotated[bool, typer.Option("--all", help="Show each state and mode, however many.")] = False,
    changes: Changes = None,
    trust: Trust = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Save it: .nc or .mat.")] = None,
    units: Units = None,
) -> None:
    """Linear equations of motion about moments of a flight: matrices, modes, frequencies and damping."""
    units = checked_units(units)
    check_target(output, file, (".nc", ".mat"))
    for target in (bode, step, modes):
        check_target(target, file, RESPONSES)
    scenario = scenario_of(file, changes, trust)
    from ..studies.linear.command import Responses, Wanted, deliver, linearized, with_loops

    responses = Responses(bode, step, band, duration, tuple(loops or ()), modes)
    rotor = blades, shaft, period, slow
    asked = Wanted(at, along, inputs, outputs, axes, coordinates, leg, vary, find, so_that, free, *rotor)
    responses.check(asked)
    asked = with_loops(scenario, asked, responses.loops)
    with before_anything_was("found"):
        found = linearized(scenario, asked)
    with finishing():
        deliver(found, output, units, whole, responses)


@app.command()
def optimize(
    file: Annotated[
        Path, typer.Argument(metavar="STUDY", help="A study with variables.", show_default=False)
    ],
    changes: Changes = None,
    trust: Trust = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from where it was interrupted.")] = False,
    check_derivatives: Annotated[
        bool, typer.Option("--check-derivatives", help="Hold derivatives against differences of flights.")
    ] = False,
    output: Found = None,
    report: Report = None,
    units: Units = None,
) -> None:
    """Find the best flight of a scenario within limits, as a study asks."""
    units = checked_units(units)
    check_target(output, file, (".toml",))
    check_target(report, file, REPORTS)
    from ..studies.optimization.command import deliver_optimum, optimized

    with before_anything_was("flown"):
        found = optimized(file, lambda path: scenario_of(path, changes, trust), resume, check_derivatives)
    with finishing():
        deliver_optimum(found, output, report, units, file.parent)
    raise typer.Exit(ENDED_EARLY if found.interrupted else 0 if found.trusted else REQUIREMENT_BROKEN)


@app.command()
def trim(
    file: File,
    find: Find = None,
    so_that: SoThat = None,
    free: Free = None,
    leg: Annotated[str | None, typer.Option(metavar="NAME", help="The leg that begins a mission.")] = None,
    period: Annotated[
        str | None,
        typer.Option(
            metavar="turn|TIME", help="That the motion repeats after it; --find period finds it too."
        ),
    ] = None,
    shaft: Annotated[
        str | None, typer.Option(metavar="JOINT", help="What turns once in a period that is a turn.")
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    output: Found = None,
    units: Units = None,
) -> None:
    """Find inputs and joint angles so that nothing accelerates at the start, or that other things hold."""
    units = checked_units(units)
    check_target(output, file, (".toml",))
    scenario = scenario_of(file, changes, trust)
    from ..studies.trim.command import deliver
    from ..studies.trim.run import trim as trimmed

    how: dict[str, Any] = {"free": free or (), "leg": leg, "period": period, "shaft": shaft}
    with before_anything_was("found"):
        found = trimmed(scenario, find or (), so_that, **how)
    with finishing():
        deliver(found, output, units, file)


@app.command()
def symbols(
    file: File,
    changes: Changes = None,
    trust: Trust = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write all of it: .tex, or .txt for SymPy.")
    ] = None,
) -> None:
    """Write the reduced equations of motion of a small machine in symbols, seen to be what is flown."""
    check_target(output, file, (".tex", ".txt"))
    scenario = scenario_of(file, changes, trust)
    from ..studies.symbols.printed import deliver

    with before_anything_was("written"):
        found = scenario.symbols()
        tables = found.tables()
        if output is not None:
            saved(output, found.save, "the text")
    deliver(found, tables, output)


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
    trust: Trust = False,
) -> None:
    """Write a scenario as an FMU: other simulators fly it step by step, its events and releases inside."""
    check_target(fmu, file, (".fmu",))
    scenario = scenario_of(file, changes, trust)
    from ..model.user_class import TRUST_VARIABLE, classes_of
    from ..studies.fmu.export import WHAT_IT_NEEDS
    from ..studies.fmu.export import export as write

    write(scenario, fmu, inputs or (), parameters or (), outputs)
    print(f"Wrote {fmu}. {WHAT_IT_NEEDS}")
    if named := classes_of(scenario):
        print(f"It names classes of your own, which run only with {TRUST_VARIABLE}={','.join(named)}.")


@app.command(hidden=True)
def serve_fmu(folder: Annotated[Path, typer.Argument(metavar="FOLDER")]) -> None:
    """Fly for an FMU, whose resources are in a folder, through standard input and output."""
    from ..studies.fmu.serve import serve

    serve(folder)
