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
    from ..studies.comparison import Comparison

RESPONSES = (*REPORTS, ".csv", ".svg", ".png", ".pdf")
"""Endings of files of responses."""
Formulations = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME,...",
        help="Compare these formulations of the equations of motion, for example "
        "null_space:form=implicit_1. Default: all. Repeatable.",
    ),
]
Stabilizations = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME,...",
        help="Compare these constraint stabilizations: projection, baumgarte or none. "
        "Default: the stabilization of the scenario. Repeatable.",
    ),
]
Methods = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME,...",
        help="Compare these integrators: dop853, dopri5 or rk4. "
        "Default: the integrator of the scenario. Repeatable.",
    ),
]
Steps = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TIME",
        help='Compare flights with this fixed integration step, for example "1 ms". '
        "Default: the step of the scenario. Repeatable.",
    ),
]
Quantities = Annotated[
    list[str] | None,
    typer.Option(
        metavar="QUANTITY",
        help="Compare this quantity, in addition to motion and joint loads. Repeatable.",
    ),
]
Varies = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH=LEVELS",
        help='Vary the input PATH over LEVELS: "900 kg:1100 kg:5" (low:high:count), '
        '"1 kg, 2 kg" (list) or "+-5 %" (of the value in the scenario). Repeatable.',
    ),
]
Find = Annotated[
    list[str] | None,
    typer.Option(
        "--find",
        metavar="PATH[=LOW:HIGH]",
        help="Find the value of this input or joint coordinate, between LOW and HIGH if given. Repeatable.",
    ),
]
SoThat = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TARGET",
        help='Require a condition of the trim: "QUANTITY = VALUE", "rate of VELOCITY = VALUE", or '
        "steady (zero accelerations). Default: steady. Repeatable.",
    ),
]
Found = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="Write the scenario with the found values to this .toml file."
    ),
]
Free = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Allow a rate other than zero for the velocity NAME. With --period: allow the state "
        "NAME to differ after the period. Repeatable.",
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
            metavar="NAME",
            help="Compare all results with the results of this formulation. Default: "
            "lagrange_multiplier with a tolerance of 1e-12 or less.",
        ),
    ] = None,
    quantity: Quantities = None,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help='Stop each flight after this wall time, for example "60 s". Default: no limit.',
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Save the table of the comparison to this CSV file."
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save a plot of the comparison to this file: .png, .svg or .pdf."),
    ] = None,
    units: Units = None,
) -> None:
    """Compare formulations of the equations of motion on one scenario.

    The command flies the scenario with each formulation. The tables show the differences of the results,
    the constraint errors and the computing times.
    """
    units = checked_units(units)
    if plot is not None and plot == output:
        raise BadInput(f"'{plot}' is the file of --output and of --plot. Choose different files.")
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
        typer.Argument(
            metavar="FILE",
            help="Path of the scenario (.toml), saved flight (.nc) or sweep study (.toml).",
            show_default=False,
        ),
    ],
    vary: Varies = None,
    design: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Combine the levels of the varied inputs by this design: grid (all combinations), "
            "corners (lowest and highest levels) or one_at_a_time. Default: grid.",
        ),
    ] = None,
    response: Annotated[
        list[str] | None,
        typer.Option(
            metavar="QUANTITY@WHEN",
            help="Record QUANTITY of each case. WHEN is an event name, end, min or max. Repeatable.",
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    most: Annotated[
        int | None,
        typer.Option(
            help="Reject a sweep with more cases than this number. Default: 2000, or more cases if the user "
            "confirms their number on the terminal."
        ),
    ] = None,
    threads: Annotated[
        int, typer.Option(min=1, help="Fly groups of cases at the same time in this number of threads.")
    ] = 2,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Save the inputs and responses of all cases to this file: .nc, .csv or .parquet.",
        ),
    ] = None,
    report: Report = None,
    units: Units = None,
) -> None:
    """Vary inputs of a scenario and rank their effects.

    The command flies many cases with different levels of the inputs, and checks the requirements of each
    case.
    """
    units = checked_units(units)
    check_target(output, file)
    check_target(report, file, REPORTS)
    if output is not None and output == report:
        raise BadInput(f"'{output}' is the file of --output and of --report. Choose different files.")
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
            metavar="STUDY",
            help="Path of the campaign study (.toml); the word show to print saved results; or the word "
            "compare to compare the same cases of two campaigns.",
            show_default=False,
        ),
    ],
    saved: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FOLDER...",
            help="With the word show: folder of the saved results to print. With the word compare: two "
            "folders.",
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
    report: Report = None,
    units: Units = None,
) -> None:
    """Fly random cases (Monte Carlo) and check requirements.

    The command checks each requirement with a confidence level. If the results folder has cases already,
    the command flies only the missing cases.
    """
    units = checked_units(units)
    check_target(report, study, REPORTS)
    from ..studies.campaign import command

    folders = saved or []
    if str(study) in command.OF_SAVED:
        of_flights = {"-o": output, "--cases": cases, "--jobs": jobs, "--part": part, "--case": case}
        command.refuse_without_effect(str(study), of_flights | {"--set": changes}, worst)
    if str(study) == "compare":
        command.compare(folders, units, report)
        raise typer.Exit(0)
    if str(study) == "show":
        found = command.show(folders, units, worst, report)
    else:
        command.refuse_more(folders, report, case, worst)
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
            command.deliver(found, folder, units, report=report)
        if part is not None and not found.interrupted:
            raise typer.Exit(0)
    raise typer.Exit(ENDED_EARLY if not found.complete else 0 if found.all_shown else REQUIREMENT_BROKEN)


@app.command()
def solve(
    file: File,
    find: Annotated[
        list[str],
        typer.Option(
            "--find",
            metavar="PATH[=LOW:HIGH]",
            help="Find the value of this input, between LOW and HIGH if given. Repeatable.",
        ),
    ],
    so_that: Annotated[
        list[str],
        typer.Option(
            metavar="TARGET",
            help='Require the value of a quantity: "QUANTITY@WHEN = VALUE UNIT". WHEN is an event name, '
            "end, min or max. Repeatable.",
        ),
    ],
    changes: Changes = None,
    trust: Trust = False,
    output: Found = None,
    units: Units = None,
) -> None:
    """Find inputs for which quantities reach target values."""
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
            help="Linearize at this time of the flight: start, end, the name of an event, "
            '"before EVENT", a time such as "12 s", or trim. Default: start. Repeatable.',
        ),
    ] = None,
    along: Annotated[
        str | None,
        typer.Option(
            metavar="FROM:TO:COUNT",
            help="Linearize at COUNT evenly spaced times from the time FROM to the time TO, for example "
            "0s:60s:7.",
        ),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="NAME",
            help="Use NAME as input of the linear equations: the path of a number, a control command, or a "
            "load such as bodies.stage.force.x. Repeatable.",
        ),
    ] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option(
            "--output-of",
            metavar="QUANTITY",
            help="Use this quantity as output of the linear equations. Default: all states. Repeatable.",
        ),
    ] = None,
    axes: Annotated[
        str | None,
        typer.Option(
            metavar="body|motion|inertial",
            help="Express the velocities of free bodies in these axes: body (of the moving body), motion "
            "(of the undisturbed motion) or inertial. Default: body for bodies that joints connect, else "
            "motion.",
        ),
    ] = None,
    coordinates: Annotated[
        list[str] | None,
        typer.Option(
            "--coordinate",
            metavar="NAME",
            help="Use this joint coordinate as independent coordinate of a closed loop of joints. "
            "Default: chosen from the pose. Repeatable.",
        ),
    ] = None,
    leg: Annotated[
        str | None, typer.Option(metavar="NAME", help="Linearize the leg NAME of the mission.")
    ] = None,
    vary: Varies = None,
    find: Find = None,
    so_that: SoThat = None,
    free: Free = None,
    blades: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B,C",
            help="Use multi-blade (Coleman) coordinates for these joints, one of each blade. Repeatable.",
        ),
    ] = None,
    shaft: Annotated[
        str | None,
        typer.Option(metavar="JOINT", help="Use this joint as the joint that turns the rotor."),
    ] = None,
    period: Annotated[
        str | None,
        typer.Option(
            metavar="turn|TIME",
            help="Analyse the stability of a periodic motion (Floquet) over this period: turn (one "
            'revolution of the joint --shaft) or a time such as "0.5 s".',
        ),
    ] = None,
    bode: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save frequency responses of the outputs to this file: .html, .svg, .png, .pdf or .csv.",
        ),
    ] = None,
    band: Annotated[
        str | None,
        typer.Option(
            metavar="LOW:HIGH",
            help='Set the frequency range of --bode, for example "0.1 Hz:50 Hz". Default: a range that '
            "covers the modes.",
        ),
    ] = None,
    step: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save step responses of the outputs to this file: .html, .svg, .png, .pdf or .csv.",
        ),
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help='Set the duration of the step responses of --step, for example "20 s". Default: a duration '
            "that covers the modes.",
        ),
    ] = None,
    modes: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the modes over time, or over the levels of --vary (root locus), to this file: .html, "
            ".svg, .png, .pdf or .csv.",
        ),
    ] = None,
    loops: Annotated[
        list[str] | None,
        typer.Option(
            "--loop",
            metavar="COMMAND",
            help="Print the gain and phase margins of the control loop that is opened at this control "
            "command. Repeatable.",
        ),
    ] = None,
    slow: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Mark a growing mode as slow, not as unstable, if its doubling time is longer than TIME. "
            'Default: "55 s".',
        ),
    ] = None,
    whole: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Print all states and all modes. Default: long tables show only a selection.",
        ),
    ] = False,
    changes: Changes = None,
    trust: Trust = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Save the matrices of the linear equations to this file: .nc or .mat.",
        ),
    ] = None,
    units: Units = None,
) -> None:
    """Linearize the equations of motion and print the modes.

    The printed modes have frequency, damping and growth. Options save the matrices, frequency responses and
    step responses.
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
        Path,
        typer.Argument(metavar="STUDY", help="Path of the optimization study (.toml).", show_default=False),
    ],
    changes: Changes = None,
    trust: Trust = False,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Continue an interrupted optimization of STUDY from its saved progress."
        ),
    ] = False,
    check_derivatives: Annotated[
        bool,
        typer.Option(
            "--check-derivatives",
            help="Compare the derivatives of the optimization with finite differences of flights.",
        ),
    ] = False,
    output: Found = None,
    report: Report = None,
    units: Units = None,
) -> None:
    """Minimize or maximize an objective within constraints.

    The file STUDY declares the objective, for example the payload mass, the variables and the constraints.
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
        str | None,
        typer.Option(metavar="NAME", help="Trim the start of the leg NAME, which must begin the mission."),
    ] = None,
    period: Annotated[
        str | None,
        typer.Option(
            metavar="turn|TIME",
            help="Find a motion that repeats after this period: turn (one revolution of the joint --shaft) "
            'or a time such as "0.5 s". With --find period, the time is the first guess of the period.',
        ),
    ] = None,
    shaft: Annotated[
        str | None,
        typer.Option(metavar="JOINT", help="Use this joint for the revolution of --period turn."),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    output: Found = None,
    units: Units = None,
) -> None:
    """Find inputs and joint angles for a steady start.

    A start is steady if all accelerations are zero. The option --so-that sets other conditions.
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
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write all equations to this file: .tex for LaTeX, .txt for SymPy.",
        ),
    ] = None,
) -> None:
    """Derive symbolic equations of motion of rigid bodies.

    The command rejects large systems. The command compares the symbolic equations with the numerical
    equations of the simulation.
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
        Path,
        typer.Option(metavar="FILE.fmu", help="Write the FMU (FMI 3.0, co-simulation) to this .fmu file."),
    ],
    outputs: Annotated[
        list[str],
        typer.Option(
            "--output-of", metavar="QUANTITY", help="Make this quantity an output of the FMU. Repeatable."
        ),
    ],
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="PATH",
            help="Make this number of the scenario an input of the FMU, which the host simulator can change "
            "during the flight. Repeatable.",
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            metavar="PATH",
            help="Make this number of the scenario a parameter of the FMU, which the host simulator can set "
            "before the start. Repeatable.",
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
) -> None:
    """Export a scenario as an FMU for other simulators.

    An FMU is a Functional Mock-up Unit. The FMU simulates all events and releases of the scenario.
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
        print(
            f"The user classes of the FMU run only with the environment variable "
            f"{TRUST_VARIABLE}={','.join(named)}."
        )


def _print_warnings(scenario: Scenario, units: str | None = None) -> None:
    """Print the warnings of the scenario that need no flight."""
    from ..studies.study_warnings import print_warnings

    print_warnings(scenario, units)


@app.command(hidden=True)
def serve_fmu(folder: Annotated[Path, typer.Argument(metavar="FOLDER")]) -> None:
    """Fly for an FMU whose resources are in FOLDER, through standard input and output."""
    from ..studies.fmu.serve import serve

    serve(folder)
