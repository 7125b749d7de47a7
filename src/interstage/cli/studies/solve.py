"""The command `interstage solve`."""

from __future__ import annotations

from typing import Annotated

import typer

from ..command_files import check_target, checked_units, scenario_of
from ..shared import Changes, File, Trust, Units, app, before_anything_was, finishing
from .options import Found


@app.command()
def solve(
    file: File,
    find: Annotated[
        list[str],
        typer.Option(
            "--find",
            metavar="PATH[=LOW:HIGH]",
            help="Find the value of the input PATH. LOW and HIGH are optional bounds. Repeatable.",
        ),
    ],
    so_that: Annotated[
        list[str],
        typer.Option(
            metavar="TARGET",
            help='Set the target value of a quantity: "QUANTITY@WHEN = VALUE UNIT". WHEN is the name of '
            'an event, "end" (of the flight), "min" (smallest value) or "max" (largest value). Repeatable.',
        ),
    ],
    changes: Changes = None,
    trust: Trust = False,
    output: Found = None,
    units: Units = None,
) -> None:
    """Find values of inputs for which quantities of the flight reach target values."""
    units = checked_units(units)
    check_target(output, file, (".toml",))
    scenario = scenario_of(file, changes, trust)
    from ...studies.optimization.command import deliver_solved, solve_inputs

    with before_anything_was("found"):
        found = solve_inputs(scenario, find, so_that, units)
    with finishing():
        deliver_solved(found, output, units, file)
