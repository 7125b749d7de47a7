"""The file with the results of validation cases, which `interstage verify --output` writes.

The file is JSON: a table of cases by name. Each case has the version of the program, the date (UTC), the
status and the comparisons with their errors and bounds. Cases of an earlier run that were not run again stay
in the file.
"""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..tree import guarded_reader
from ..tree.errors import BadInput
from ..tree.saving import write_file

if TYPE_CHECKING:
    from .verify import Result

FORMAT = "interstage validation results 1"
"""Name and version of the format of the file."""


def read_results(path: Path) -> dict[str, dict[str, Any]]:
    """Return the results in a file by case name; empty if there is no file. Raises BadInput."""
    if not path.exists():
        return {}
    try:
        content = json.loads(guarded_reader.read_text(path, guarded_reader.PROGRESS))
    except (guarded_reader.Unreadable, ValueError):
        content = None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadInput(f"'{path}' is not a file with results of validation cases. Choose another file.")
    return content["cases"]


def save_result(path: Path, result: Result) -> None:
    """Add the result of one case to a file of results, or replace the earlier result of this case.

    A skipped case keeps its earlier result. Raises BadInput.
    """
    cases = read_results(path)
    if not (result.skipped and result.name in cases):
        cases[result.name] = _entry(result)
    content = {"format": FORMAT, "cases": {name: cases[name] for name in sorted(cases)}}
    write_file(path, json.dumps(content, indent=1, allow_nan=False) + "\n")


def _entry(result: Result) -> dict[str, Any]:
    """The entry of one case. An error that is not a finite number is null."""
    from .. import __version__

    status = "passed" if result.passed else "skipped" if result.skipped else "failed"
    note = result.skipped or result.problem
    return {
        "version": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "status": status,
        **({"note": note} if note else {}),
        "comparisons": [
            {
                "quantity": row.quantity,
                "error": _three_digits(row.error),
                "bound": _three_digits(row.bound),
                **({"note": row.note} if row.note else {}),
            }
            for row in result.rows
        ],
    }


def _three_digits(value: float) -> float | None:
    """A number with three significant digits: more digits differ between machines."""
    return float(f"{float(value):.3g}") if math.isfinite(value) else None
