"""The command `interstage compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ...tree.errors import BadInput, Problem
from ..command_files import check_target, checked_units, is_flight, refuse_same_file, scenario_of
from ..exit_codes import ENDED_EARLY
from ..shared import Changes, File, Trust, Units, app, before_anything_was, finishing

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
        help='Compare these constraint stabilizations: "projection", "baumgarte" or "none". Default: the '
        "stabilization of the scenario. Repeatable.",
    ),
]
Methods = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME,...",
        help='Compare these integrators: "dop853", "dopri5" or "rk4". Default: the integrator of the '
        "scenario. Repeatable.",
    ),
]
Steps = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TIME",
        help='Compare simulations with this fixed integration step, for example "1 ms". '
        "Default: the step of the scenario. Repeatable.",
    ),
]
Quantities = Annotated[
    list[str] | None,
    typer.Option(
        metavar="QUANTITY",
        help="Also compare this quantity. The command always compares motion and joint loads. Repeatable.",
    ),
]


@app.command()
def compare(
    file: File,
    other: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FLIGHT]",
            help="Path of a second saved flight (.nc). The command then compares both saved flights.",
            show_default=False,
        ),
    ] = None,
    align: Annotated[
        str | None,
        typer.Option(
            metavar="EVENT",
            help='Align the times of two saved flights at this event. With "time", equal '
            "flight times are compared. Default: the first release.",
        ),
    ] = None,
    formulations: Formulations = None,
    stabilizations: Stabilizations = None,
    methods: Methods = None,
    step: Steps = None,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Compute all differences relative to this formulation. Default: lagrange_multiplier with "
            "an integration tolerance of at most 1e-12.",
        ),
    ] = None,
    quantity: Quantities = None,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help='Stop each simulation after this wall time, for example "60 s". Default: no limit.',
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Save the results of the comparison to this CSV file."
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save a plot of the comparison to this file: .png, .svg or .pdf."),
    ] = None,
    units: Units = None,
) -> None:
    """Compare formulations of the equations of motion on one scenario, or two saved flights.

    The command simulates the scenario with each formulation. The tables show the differences between the
    results, the constraint errors and the computing times. For two saved flights, no flight is simulated. The
    tables show changed inputs, events at different times, and quantities that differ.
    """
    units = checked_units(units)
    if other is not None:
        of_formulations = {
            "--formulations": formulations,
            "--stabilizations": stabilizations,
            "--methods": methods,
            "--step": step,
            "--reference": reference,
            "--quantity": quantity,
            "--limit": limit,
            "--set": changes,
            "--trust": trust,
            "--plot": plot,
        }
        _compare_saved((file, other), align, of_formulations, output, units)
        raise typer.Exit(0)
    if align is not None:
        raise BadInput("--align is for two saved flights. Remove the option, or give a second flight.")
    refuse_same_file(output, "--plot", plot)
    check_target(output, file, (".csv",))
    if plot is not None:
        from ...drawing.pictures import SUFFIXES, check_picture

        check_target(plot, file, SUFFIXES)
        check_picture(plot)
    scenario = scenario_of(file, changes, trust)
    from ...programs.progress import progress_display
    from ...studies.comparison import compare as compared
    from ...studies.comparison.command import deliver

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
        deliver(found, output, plot, units or scenario.units)
    raise typer.Exit(0 if found.completed else ENDED_EARLY)


def _compare_saved(
    paths: tuple[Path, Path],
    align: str | None,
    others: dict[str, Any],
    output: Path | None,
    units: str | None,
) -> None:
    """Compare two saved flights. others: values of options that are for formulations only, by name."""
    problems = [
        Problem(name, "has no effect on two saved flights. Remove the option")
        for name, value in others.items()
        if value
    ]
    if problems:
        raise BadInput(problems)
    for path in paths:
        if path.exists() and not is_flight(path):
            raise BadInput(f"'{path}' is not a saved flight. Fly it with: interstage run {path} -o flight.nc")
    check_target(output, paths[0], (".csv",))
    from ...studies.comparison.command import compare_saved

    compare_saved(paths, align, output, units)
