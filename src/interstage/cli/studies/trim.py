"""The command `interstage trim`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..command_files import check_target, checked_units, scenario_of
from ..shared import Changes, File, Trust, Units, app, before_anything_was, finishing
from .options import Find, Found, Free, SoThat


@app.command()
def trim(
    file: File,
    find: Find = None,
    so_that: SoThat = None,
    free: Free = None,
    leg: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Trim the start of this leg, which must be a first leg of the mission."
        ),
    ] = None,
    period: Annotated[
        str | None,
        typer.Option(
            metavar="turn|TIME",
            help='Find a periodic motion with this period: "turn" (one revolution of the joint --shaft) '
            'or a time such as "0.5 s". With --find period, the time is only a first guess.',
        ),
    ] = None,
    shaft: Annotated[
        str | None,
        typer.Option(
            metavar="JOINT",
            help="Set the joint whose revolution defines the period. Required by --period turn.",
        ),
    ] = None,
    changes: Changes = None,
    trust: Trust = False,
    output: Found = None,
    units: Units = None,
) -> None:
    """Find inputs and joint angles for a steady start.

    At a steady start, all accelerations are zero. The option --so-that sets other conditions.
    """
    units = checked_units(units)
    check_target(output, file, (".toml",))
    scenario = scenario_of(file, changes, trust)
    from ...studies.study_warnings import print_warnings
    from ...studies.trim.command import deliver
    from ...studies.trim.run import trim as trimmed

    how: dict[str, Any] = {"free": free or (), "leg": leg, "period": period, "shaft": shaft}
    print_warnings(scenario, units)
    with before_anything_was("found"):
        found = trimmed(scenario, find or (), so_that, **how)
    with finishing():
        deliver(found, output, units, file)
