"""The command `interstage symbols`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...tree.saving import save_file
from ..command_files import check_target, scenario_of
from ..shared import Changes, File, Trust, app, before_anything_was


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
            help="Write all equations to this file: .tex (LaTeX) or .txt (SymPy).",
        ),
    ] = None,
) -> None:
    """Derive symbolic equations of motion of rigid bodies.

    The command checks the symbolic equations against the numerical equations of the simulation. The command
    rejects scenarios with too many degrees of freedom.
    """
    check_target(output, file, (".tex", ".txt"))
    scenario = scenario_of(file, changes, trust)
    from ...studies.study_warnings import print_warnings
    from ...studies.symbols.printed import deliver

    print_warnings(scenario, None)
    with before_anything_was("written"):
        found = scenario.symbols()
        tables = found.tables()
        if output is not None:
            save_file(output, found.save, "the text")
    deliver(found, tables, output)
