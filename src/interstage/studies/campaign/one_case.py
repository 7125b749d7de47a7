"""Rerun one case of a campaign alone, and compare it with the campaign results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...drawing.table import Table, number, unit_text
from ...record.results import Flight
from ...tree.errors import BadInput, check_case
from ...tree.saving import save_file, writing
from ...tree.units import display
from ..judged import judge_record
from .columns import LIMIT, RESPONSE, Columns, Output
from .flight import CaseFlights
from .result import CampaignResult

DIGITS = 7


@dataclass(frozen=True)
class OneCase:
    """One case of a campaign, rerun alone.

    - case: case number.
    - flight: flight with its full record; None if the case could not start.
    - reason: reason why the case could not start, or empty.
    - batch: results of the case, rerun in a batch of one case.
    - campaign: results of the case in the campaign; None if the campaign has no results of the case.
    - outputs: responses and limits, with the names of their columns.
    - single (outputs,): values of the outputs in the single flight [SI].
    """

    case: int
    flight: Flight | None
    reason: str
    batch: Columns
    campaign: Columns | None
    outputs: tuple[tuple[str, Output], ...]
    single: np.ndarray

    @property
    def is_reproduced(self) -> bool:
        """Return whether the results of the batch of one case are bit-identical to the campaign results. Two
        NaN values count as equal.
        """
        if self.campaign is None:
            return False
        return all(_same_bits(values, self.campaign[name]) for name, values in self.batch.items())

    @property
    def sentence(self) -> str:
        """Return a sentence that compares the rerun case with the campaign results."""
        if self.campaign is None:
            return f"Case {self.case} is not compared, because the campaign has no results of this case yet."
        if self.is_reproduced:
            text = f"Case {self.case} was simulated again in a batch of one case"
            return f"{text}. All results are identical to the results of the campaign."
        changed = [name for name, values in self.batch.items() if not _same_bits(values, self.campaign[name])]
        text = f"Case {self.case} was simulated again. These results differ from the campaign:"
        text += f" {', '.join(changed)}. A different processor or software version can cause this difference."
        return text


def _same_bits(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.array_equal(one, other, equal_nan=one.dtype != object))


def fly_alone(result: CampaignResult, flights: CaseFlights, case: int) -> OneCase:
    """Rerun one case as a batch of one case, and as a single flight with its full record.

    Raises BadInput if the campaign does not have the case.
    """
    check_case(case, result.manifest.cases)
    batch = flights.fly(case, case + 1)
    try:
        row = result.row(case)
        known: Columns | None = {name: values[row : row + 1] for name, values in result.columns.items()}
    except BadInput:
        known = None
    names = flights.names
    outputs = (
        *((RESPONSE + one.name, one) for one in names.responses),
        *((LIMIT + one.name, one) for one in names.limits),
    )
    single, flight, reason = np.full(len(outputs), np.nan), None, ""
    try:
        flight = result.fly(case)
        judged = judge_record(flight.record, flights.responses)
        single = np.array([*judged.values, *(value for value, _ in judged.limits)])
    except BadInput as error:
        reason = "; ".join(map(str, error.problems))
    return OneCase(case, flight, reason, batch, known, outputs, single)


def difference_table(one: OneCase, units: str) -> Table:
    """Return a table of the outputs in the campaign and in the single flight, with their differences. units:
    "SI" or "US".
    """
    rows = []
    for k, (name, output) in enumerate(one.outputs):
        factor, unit = display(output.unit, units)
        of_campaign = float((one.campaign or one.batch)[name][0]) * factor
        single = float(one.single[k]) * factor
        cells = [number(of_campaign, DIGITS), number(single, DIGITS), f"{single - of_campaign:.1e}"]
        rows.append([output.name, unit_text(unit), *cells])
    columns = ["response", "unit", "campaign", "single flight", "difference"]
    title = f"Case {one.case} simulated alone, compared with the campaign"
    return Table(title, columns, rows, [False, False, True, True, True], key="alone")


def save_alone(one: OneCase, folder: Path, units: Any) -> list[Path]:
    """Save the flight of one case and its HTML report to a folder, and return the paths of both files.

    Return an empty list if the case could not start. Raises BadInput.
    """
    from ...report.page import write

    if one.flight is None:
        return []
    flight, path = one.flight, save_flight(one.flight, one.case, folder)
    report = path.with_suffix(".html")
    save_file(report, lambda path: write(flight, path, units), "the report")
    return [path, report]


def flight_path(folder: Path, case: int) -> Path:
    """Return the path of the flight of a case. folder: folder of the flights."""
    return folder / f"case-{case}.nc"


def save_flight(flight: Flight, case: int, folder: Path) -> Path:
    """Save the flight of a case to a folder as a NetCDF file, and return its path. Raises BadInput."""
    with writing(folder, "Choose another folder"):
        folder.mkdir(parents=True, exist_ok=True)
    path = flight_path(folder, case)
    save_file(path, flight.save, "the flight", flight.save_numbers)
    return path
