"""What the commands `interstage solve` and `interstage optimize` do between their words and exit codes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ...flight.progress import shown
from ...tree.errors import BadInput
from .find import Solved


def solved(scenario: Any, inputs: list[str], so_that: list[str]) -> Solved:
    """Find what is asked for, and say on the standard error how far it is. Raises BadInput."""
    from .find import find

    with shown(lines=True):
        return find(scenario, inputs, so_that, _say)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def deliver_solved(found: Solved, output: Path | None, units: str | None) -> None:
    """Save first; then what was found."""
    if output is not None:
        save_scenario(found.scenario, output)
    from ...report.console import made, show_tables
    from .printed import solved_tables

    show_tables(made(), solved_tables(found, units or found.scenario.units))
    print(f"{found.flights} flights, {found.seconds:.1f} s.")
    print(f"Wrote {output}." if output else "Not saved; -o found.toml writes the scenario.")


def save_scenario(scenario: Any, path: Path) -> None:
    """Write a scenario that was found. Raises BadInput."""
    try:
        path.write_text(scenario.to_toml(), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot write '{path}': {error.strerror or error}. Choose another file") from None
