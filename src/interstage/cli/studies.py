"""Commands for studies: compare, sweep, solve, optimize, trim, linearize and others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..tree import interruption
from ..tree.errors import BadInput
from ..tree.saving import save_file
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
    from ..scenario import Scenario
    from ..studies.campaign import CampaignResult
    from ..studies.comparison import Comparison

RESPONSES = (*REPORTS, ".csv", ".svg", ".png", ".pdf")
"""Endings of files of responses."""
Formulations = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME,...",
        help='Formulations, also with options like "null_space:form=implicit_1", or all. Repeatable.',
    ),
]
Stabilizations = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME,...", help="Stabilizations: projection, baumgarte, none. Repeatable."),
]
Methods = Annotated[
    list[str] | None, typer.Option(metavar="NAME,...", help="Integrators: dop853, dopri5, rk4. Repeatable.")
]
Steps = Annotated[
    list[str] | None,
    typer.Option(metavar="STEP", help='Fixed step, for example "1 ms". Repeatable.'),
]
Quantities = Annotated[
    list[str] | None, typer.Option(metavar="PATH", help="Compare this quantity, too. Repeatable.")
]
Varies = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH=LEVELS",
        help='Vary an input: PATH="900 kg:1100 kg:5" (low:high:count), "a, b, c" or "+-5 %". Repeatable.',
    ),
]
Find = Annotated[
    list[str] | None,
    typer.Option(
        "--find",
        metavar="PATH",
        help="Input or joint coordinate to find, as PATH or PATH=LOW:HIGH. Repeatable.",
    ),
]
SoThat = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TARGET",
        help='Condition: "QUANTITY = VALUE", "rate of VELOCITY = VALUE", steady (default). Repeatable.',
    ),
]
Found = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="Write the scenario with the values found to this .toml file."),
]
Free = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", help="Velocity that may change, or state that may differ after a period. Repeatable."
    ),
]


@app.command()
def compare(
    file: File,
    formulations: Formulations = None,
    stabilizations: Stabilizations = None,
    methods: Methods = None,
    step: Steps = None,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Reference variant. Default: the default formulation with a tight tolerance."
        ),
    ] = None,
    quantity: Quantities = None,
    limit: Annotated[
        str | None, typer.Option(help='Limit of wall time for each variant, for example "60 s".')
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Save the table to this CSV file.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the comparison to this file: .png, .svg or .pdf.")
    ] = None,
    units: Units = None,
) -> None:
    """Compare formulations on one scenario.

    Compares results, constraint errors and computing time.
    """
    units = checked_units(units)
    if plot is not None and plot == output:
        raise BadInput(f"'{plot}' is set for both the table and the picture. Choose another name for one.")
    check_target(output, file, (".csv",))
    if plot is not None:
        from ..drawing.pictures import SUFFIXES, check_picture

        check_target(plot, file, SUFFIXES)
        check_picture(plot)
    scenario = scenario_of(file, changes, trust)
    from ..programs.progress import progress_display
    from ..studies.comparison import compare as compared

    names = (stabilizations or (), methods or (), step or ())
    with before_anything_was("compared"):
        found = compared(
            scenario,
            formulations or "all",
            *names,
            reference,
            quantity or (),
            limit,
            progress=progress_display,
        )
    with finishing():
        _show_comparison(found, output, plot, units or scenario.units)
    raise typer.Exit(0 if found.completed else ENDED_EARLY)


def _show_comparison(found: Comparison, output: Path | None, plot: Path | None, units: str) -> None:
    """Save the table and the picture first, so that a later fault loses no flight, then print the tables."""
    if output is not None:
        save_file(output, lambda path: found.save(path, units), "the table")
    if plot is not None:
        save_file(plot, found.figure(units).save, "the picture")
    from ..report.console import make_console, show_tables
    from ..studies.comparison.printed import notes, tables

    show_tables(make_console(), tables(found, units))
    print("\n".join(notes(found, units)))
    written = [str(path) for path in (output, plot) if path is not None]
    if written:
        print(f"Wrote {' and '.join(written)}.")


@app.command()
def sweep(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Scenario, saved flight or study.", show_default=False),
    ],
    vary: Varies = None,
    design: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Design: grid, corners or one_at_a_time. Default: grid."),
    ] = None,
    response: Annotated[
        list[str] | None,
        typer.Option(
            metavar="QUANTITY@WHEN", help="Add a response; WHEN is an event, end, min or max. Repeatable."
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    most: Annotated[
        int | None, typer.Option(help="Largest number of cases that is flown without a confirmation.")
    ] = None,
    threads: Annotated[
        int, typer.Option(min=1, help="Number of chunks of cases that fly at the same time.")
    ] = 2,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Save all cases to this file: .nc, .csv or .parquet."),
    ] = None,
    report: Report = None,
    units: Units = None,
) -> None:
    """Vary inputs and rank their effects.

    Designs: a grid, its corners, or one input at a time.
    """
    units = checked_units(units)
    check_target(output, file)
    check_target(report, file, REPORTS)
    if output is not None and output == report:
        raise BadInput(f"'{output}' is set for both the cases and the report. Choose another name for one.")
    from ..studies.sweep.command import Asked, deliver, fly

    asked = Asked(file, vary or [], design, response or [], most, threads, units)
    interruption.save_what_is_flown()
    with before_anything_was("flown"):
        found = fly(asked, lambda path: scenario_of(path, changes, trust), output)
    with finishing():
        deliver(found, asked.file_name, output, report, units)
    raise typer.Exit(ENDED_EARLY if not found.all_completed else 0 if found.passed else REQUIREMENT_BROKEN)


@app.command()
def campaign(
    study: Annotated[
        Path,
        typer.Argument(
            metavar="STUDY", help="Study with dispersions (.toml), or the word show.", show_default=False
        ),
    ],
    shown: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER", help="After show: folder of the results to print.", show_default=False
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FOLDER", help="Folder of the results. Default: STUDY with .cases."
        ),
    ] = None,
    cases: Annotated[int | None, typer.Option(help="Number of cases. Default: that of the study.")] = None,
    jobs: Annotated[
        int | None,
        typer.Option(help="Number of processes. Default: one for each core if the campaign is long."),
    ] = None,
    part: Annotated[
        str | None, typer.Option(metavar="i/n", help="Fly every n-th chunk, from the i-th on.")
    ] = None,
    case: Annotated[
        int | None, typer.Option(help="Fly this case alone, and compare it with the campaign.")
    ] = None,
    worst: Annotated[
        int | None, typer.Option(metavar="N", help="Fly the N worst cases alone. After show: print N.")
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    units: Units = None,
) -> None:
    """Fly random cases (Monte Carlo), and prove requirements.

    A folder with results is continued: missing cases are flown.
    """
    units = checked_units(units)
    from ..studies.campaign import command

    if str(study) == "show":
        found, folder = _campaign_in(shown, units, worst)
    else:
        if shown is not None:
            raise BadInput(
                f"'{shown}' is one argument too many. Set the folder of the results by -o {shown}."
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
    raise typer.Exit(ENDED_EARLY if not found.complete else 0 if found.all_shown else REQUIREMENT_BROKEN)


def _campaign_in(folder: Path | None, units: str | None, worst: int | None) -> tuple[CampaignResult, Path]:
    """Print the results in a folder."""
    from ..studies.campaign import CampaignResult, command

    if folder is None:
        raise BadInput("show needs the folder of a campaign: interstage campaign show FOLDER")
    found = CampaignResult.load(folder)
    command.deliver(found, folder, units, worst)
    return found, folder


@app.command()
def solve(
    file: File,
    find: Annotated[
        list[str],
        typer.Option("--find", metavar="PATH", help="Input to find, as PATH or PATH=LOW:HIGH. Repeatable."),
    ],
    so_that: Annotated[
        list[str],
        typer.Option(
            metavar="TARGET",
            help='Condition "QUANTITY@WHEN = VALUE UNIT"; WHEN is an event, end, min or max. Repeatable.',
        ),
    ],
    changes: Changes = None,
    trust: Trust = False,
    output: Found = None,
    units: Units = None,
) -> None:
    """Find inputs for which quantities have given values."""
    units = checked_units(units)
    check_target(output, file, (".toml",))
    scenario = scenario_of(file, changes, trust)
    from ..studies.optimization.command import deliver_solved, solve_inputs

    with before_anything_was("found"):
        found = solve_inputs(scenario, find, so_that, units)
    with finishing():
        deliver_solved(found, output, units, file)


@app.command()
def linearize(
    file: File,
    at: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHEN",
            help='Time: start, end, an event, "before EVENT", "12 s", or trim. Repeatable. Default: start.',
        ),
    ] = None,
    along: Annotated[
        str | None, typer.Option(metavar="FROM:TO:COUNT", help="COUNT times, evenly spaced from FROM to TO.")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input", metavar="NAME", help="Input: a path, a command or bodies.NAME.force. Repeatable."
        ),
    ] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option(
            "--output-of", metavar="QUANTITY", help="Output quantity. Repeatable. Default: the states."
        ),
    ] = None,
    axes: Annotated[
        str | None,
        typer.Option(
            metavar="body|motion|inertial",
            help="Axes of free bodies. Default: body for one free body, motion for several.",
        ),
    ] = None,
    coordinates: Annotated[
        list[str] | None,
        typer.Option("--coordinate", metavar="NAME", help="Independent coordinate of a loop. Repeatable."),
    ] = None,
    leg: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the mission leg to linearize.")
    ] = None,
    vary: Varies = None,
    find: Find = None,
    so_that: SoThat = None,
    free: Free = None,
    blades: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B,C", help="Joints of identical blades, for multi-blade coordinates. Repeatable."
        ),
    ] = None,
    shaft: Annotated[
        str | None,
        typer.Option(metavar="JOINT", help="Joint of the rotor shaft."),
    ] = None,
    period: Annotated[
        str | None,
        typer.Option(
            metavar="turn|TIME", help="Period of a Floquet analysis: one revolution (turn) or a time."
        ),
    ] = None,
    bode: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save frequency responses to this file: .html, .svg, .png, .pdf or .csv."
        ),
    ] = None,
    band: Annotated[
        str | None,
        typer.Option(metavar="LOW:HIGH", help="Frequency range of --bode. Default: chosen from the modes."),
    ] = None,
    step: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save step responses to this file: .html, .svg, .png, .pdf or .csv."
        ),
    ] = None,
    duration: Annotated[
        str | None, typer.Option(metavar="TIME", help="Duration of --step. Default: chosen from the modes.")
    ] = None,
    modes: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save the modes over times or levels (root locus) to this file."),
    ] = None,
    loops: Annotated[
        list[str] | None,
        typer.Option(
            "--loop",
            metavar="COMMAND",
            help="Print the margins of the loop that is opened at this command. Repeatable.",
        ),
    ] = None,
    slow: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Doubling time above which growth counts as slow. Default: 55 s."),
    ] = None,
    whole: Annotated[bool, typer.Option("--all", help="Print all states and modes.")] = False,
    changes: Changes = None,
    trust: Trust = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Save the matrices to this file: .nc or .mat.")
    ] = None,
    units: Units = None,
) -> None:
    """Linearize the equations of motion.

    Prints modes, frequencies and damping; saves matrices and responses.
    """
    units = checked_units(units)
    check_target(output, file, (".nc", ".mat"))
    for target in (bode, step, modes):
        check_target(target, file, RESPONSES)
    scenario = scenario_of(file, changes, trust)
    from ..studies.linearize.command import Responses, Wanted, compute_linear, deliver, with_loops

    responses = Responses(bode, step, band, duration, tuple(loops or ()), modes)
    rotor = blades, shaft, period, slow
    asked = Wanted(at, along, inputs, outputs, axes, coordinates, leg, vary, find, so_that, free, *rotor)
    responses.check(asked)
    asked = with_loops(scenario, asked, responses.loops)
    _print_warnings(scenario, units)
    with before_anything_was("found"):
        found = compute_linear(scenario, asked)
    with finishing():
        deliver(found, output, units, whole, responses)


@app.command()
def optimize(
    file: Annotated[
        Path, typer.Argument(metavar="STUDY", help="Study with variables (.toml).", show_default=False)
    ],
    changes: Changes = None,
    trust: Trust = False,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted optimization.")] = False,
    check_derivatives: Annotated[
        bool, typer.Option("--check-derivatives", help="Compare derivatives with finite differences.")
    ] = False,
    output: Found = None,
    report: Report = None,
    units: Units = None,
) -> None:
    """Find the optimum of an objective within limits.

    STUDY declares objective, variables and constraints.
    """
    units = checked_units(units)
    check_target(output, file, (".toml",))
    check_target(report, file, REPORTS)
    from ..studies.optimization.command import deliver_optimum, run_optimization

    with before_anything_was("flown"):
        found = run_optimization(
            file, lambda path: scenario_of(path, changes, trust), resume, check_derivatives, units
        )
    with finishing():
        deliver_optimum(found, output, report, units, file.parent)
    raise typer.Exit(ENDED_EARLY if found.interrupted else 0 if found.trusted else REQUIREMENT_BROKEN)


@app.command()
def trim(
    file: File,
    find: Find = None,
    so_that: SoThat = None,
    free: Free = None,
    leg: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the first leg of a mission.")
    ] = None,
    period: Annotated[
        str | None,
        typer.Option(
            metavar="turn|TIME", help="Period after which the motion repeats. Find it with --find period."
        ),
    ] = None,
    shaft: Annotated[
        str | None, typer.Option(metavar="JOINT", help="Joint that makes one revolution in the period turn.")
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    output: Found = None,
    units: Units = None,
) -> None:
    """Find inputs and joint angles for a steady start.

    --so-that sets other conditions.
    """
    units = checked_units(units)
    check_target(output, file, (".toml",))
    scenario = scenario_of(file, changes, trust)
    from ..studies.trim.command import deliver
    from ..studies.trim.run import trim as trimmed

    how: dict[str, Any] = {"free": free or (), "leg": leg, "period": period, "shaft": shaft}
    _print_warnings(scenario, units)
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
        Path | None,
        typer.Option("-o", "--output", help="Write all equations to this file: .tex, or .txt for SymPy."),
    ] = None,
) -> None:
    """Derive symbolic equations of motion.

    For small systems. The result is checked against the numerical equations.
    """
    check_target(output, file, (".tex", ".txt"))
    scenario = scenario_of(file, changes, trust)
    from ..studies.symbols.printed import deliver

    _print_warnings(scenario)
    with before_anything_was("written"):
        found = scenario.symbols()
        tables = found.tables()
        if output is not None:
            save_file(output, found.save, "the text")
    deliver(found, tables, output)


@app.command()
def export(
    file: File,
    fmu: Annotated[
        Path, typer.Option(metavar="FILE.fmu", help="FMU file to write (FMI 3.0, co-simulation).")
    ],
    outputs: Annotated[
        list[str], typer.Option("--output-of", metavar="QUANTITY", help="Output quantity. Repeatable.")
    ],
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", metavar="PATH", help="Number that the host may change. Repeatable."),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter", metavar="PATH", help="Number that may be set before the start. Repeatable."
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
) -> None:
    """Export a scenario as an FMU for other simulators.

    The FMU contains all events and releases.
    """
    check_target(fmu, file, (".fmu",))
    scenario = scenario_of(file, changes, trust)
    from ..model.user_class import TRUST_VARIABLE, classes_of
    from ..studies.fmu.export import WHAT_IT_NEEDS
    from ..studies.fmu.export import export as write

    _print_warnings(scenario)
    write(scenario, fmu, inputs or (), parameters or (), outputs)
    print(f"Wrote {fmu}. {WHAT_IT_NEEDS}")
    if named := classes_of(scenario):
        print(f"Its user classes run only with {TRUST_VARIABLE}={','.join(named)}.")


def _print_warnings(scenario: Scenario, units: str | None = None) -> None:
    """Print the warnings of the scenario that need no flight."""
    from ..studies.study_warnings import print_warnings

    print_warnings(scenario, units)


@app.command(hidden=True)
def serve_fmu(folder: Annotated[Path, typer.Argument(metavar="FOLDER")]) -> None:
    """Fly for an FMU whose resources are in FOLDER, through standard input and output."""
    from ..studies.fmu.serve import serve

    serve(folder)
