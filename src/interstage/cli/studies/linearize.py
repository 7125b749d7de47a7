"""The command `interstage linearize`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...tree.errors import BadInput, Problem
from ..command_files import REPORTS, check_target, checked_units, scenario_of
from ..shared import Changes, File, Trust, Units, app, before_anything_was, finishing
from .options import Find, Free, SoThat, Varies

RESPONSES = (*REPORTS, ".csv", ".svg", ".png", ".pdf")
"""Allowed suffixes of files with frequency or step responses."""


@app.command()
def linearize(
    file: File,
    at: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHEN",
            help='Linearize at this time: "start", "end", "trim" (the trimmed start), an event name, '
            '"before EVENT", a time such as "12 s", or the time of an extreme such as '
            '"max bodies.stage.dynamic_pressure". Default: "start". Repeatable.',
        ),
    ] = None,
    along: Annotated[
        str | None,
        typer.Option(
            metavar="FROM:TO:COUNT",
            help="Linearize at COUNT evenly spaced times from FROM to TO, for example 0s:60s:7.",
        ),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="NAME",
            help="Use NAME as an input of the linear equations. NAME is the path of a numeric value, a "
            "control command, or a load such as bodies.stage.force.x. Repeatable.",
        ),
    ] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option(
            "--output-of",
            metavar="QUANTITY",
            help="Use this quantity as an output of the linear equations. Default: all states. Repeatable.",
        ),
    ] = None,
    axes: Annotated[
        str | None,
        typer.Option(
            metavar="body|motion|inertial",
            help='Set the axes of the velocity states of free bodies: "body" (fixed to the moving body), '
            '"motion" (fixed to the undisturbed motion of the body) or "inertial". Default: "body" if joints '
            'connect all bodies of the scenario, else "motion".',
        ),
    ] = None,
    coordinates: Annotated[
        list[str] | None,
        typer.Option(
            "--coordinate",
            metavar="NAME",
            help="Use this joint coordinate as an independent coordinate of a closed loop of joints. "
            "Default: selected automatically at the operating point. Repeatable.",
        ),
    ] = None,
    leg: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Linearize the mission leg with this name. Default: the only leg with rigid bodies. If "
            "several legs have rigid bodies, the leg that has all times of --at or --along. If "
            "several legs have these times, this option is required.",
        ),
    ] = None,
    vary: Varies = None,
    find: Find = None,
    so_that: SoThat = None,
    free: Free = None,
    blades: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B,C",
            help="Use multi-blade (Coleman) coordinates for the joints A, B, C: one joint of each rotor "
            "blade. Repeatable.",
        ),
    ] = None,
    shaft: Annotated[
        str | None,
        typer.Option(
            metavar="JOINT", help="Set the joint about which the rotor turns, for --blades and --period."
        ),
    ] = None,
    period: Annotated[
        str | None,
        typer.Option(
            metavar="turn|TIME",
            help="Analyse the stability of a motion with this period (Floquet analysis). The period is "
            '"turn" (one revolution of the joint --shaft) or a time such as "0.5 s".',
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
            help="Save the modes of all operating points, as functions of time or of the --vary values (root "
            "locus), to this file: plot (.html, .svg, .png, .pdf) or table (.csv). If omitted, the modes are "
            "only printed.",
        ),
    ] = None,
    loops: Annotated[
        list[str] | None,
        typer.Option(
            "--loop",
            metavar="COMMAND",
            help="Open the control loop at this control command, and print the gain margin and the phase "
            "margin of the loop. Repeatable.",
        ),
    ] = None,
    slow: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help='Mark a growing mode as "slow", not as unstable, if its doubling time exceeds TIME. '
            'Default: "55 s".',
        ),
    ] = None,
    whole: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Print all states and all modes. Default: long tables show a selection.",
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

    The table of modes lists frequencies, damping ratios and time constants. The options -o, --bode and --step
    save the matrices, the frequency responses and the step responses.
    """
    units = checked_units(units)
    check_target(output, file, (".nc", ".mat"))
    for target in (bode, step, modes):
        check_target(target, file, RESPONSES)
    scenario = scenario_of(file, changes, trust)
    from ...studies.linearize.command import Responses, compute_linear, deliver, with_loops
    from ...studies.linearize.options import LinearOptions
    from ...studies.study_warnings import print_warnings

    responses = Responses(bode, step, band, duration, tuple(loops or ()), modes)
    options = LinearOptions(
        at=(at[0] if len(at) == 1 else at) if at else "start",
        inputs=inputs or (),
        outputs=outputs,
        along=along,
        axes=axes,
        coordinates=coordinates or (),
        leg=leg,
        vary=vary,
        find=find or (),
        so_that=so_that or None,
        free=free or (),
        blades=blades or (),
        shaft=shaft,
        period=period,
        slow=slow,
    )
    responses.check(options)
    options = with_loops(scenario, options, responses.loops)
    print_warnings(scenario, units)
    if at and along:
        raise BadInput(Problem("--along", "--along and --at are both set. Keep one of the two options"))
    with before_anything_was("found"):
        found = compute_linear(scenario, options)
    with finishing():
        deliver(found, output, units, whole, responses)
