"""Compute the cells of the table of a comparison. There is one list of cells for each variant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...exchange.csv_file import write_csv
from ...record.conservation import Drift, drifts
from ...record.record import Record, names_with, timeline
from ...tree.units import display
from .variants import INAPPLICABLE

if TYPE_CHECKING:
    import xarray

    from .run import Comparison, Run

HOLDING = {"gap": "m", "misalignment": "rad"}
"""Quantities that measure the constraint violation of a joint, with their units."""


class Cell(NamedTuple):
    """One cell of the table: name of the column, SI unit, and value. The unit is "" for texts and counts."""

    name: str
    unit: str
    value: Any


def cells(
    run: Run, kinds: Mapping[str, str], known: Iterable[str] | None = None, leg: str = ""
) -> list[Cell]:
    """Return all table cells of a variant.

    - kinds: compared kinds of quantities, with their units.
    - known: kinds that exist in this leg of a mission. Default: all kinds.
    - leg: name of the leg, or "".
    """
    known = kinds if known is None else {*known}
    which = [Cell("leg", "", leg)] if leg else []
    first, *rest = _identity(run)
    return [first, *which, *rest, *_difference_cells(run, kinds, known), *_holding(run), *_cost(run)]


def rows(comparison: Comparison) -> list[list[Cell]]:
    """Return the table cells of all variants, one row for each variant. For a mission, there is one row for
    each leg and variant, ordered by leg.
    """
    kinds = kinds_of(comparison)
    if not comparison.reference.legs:
        return [cells(run, kinds) for run in comparison.runs]
    legs = comparison.legs.items()
    return [cells(run, kinds, kinds_of(one), leg) for leg, one in legs for run in one.runs]


def columns(comparison: Comparison, units: str) -> dict[str, list[Any]]:
    """Return the columns of the table by name with unit.

    A column has one value for each variant, or for a mission one for each leg and variant. units: "SI" or
    "US".
    """
    found: dict[str, list[Any]] = {}
    for row in rows(comparison):
        for name, unit, value in row:
            factor, label = display(unit, units)
            head = f"{name} [{label}]" if unit else name
            found.setdefault(head, []).append(value * factor if unit else value)
    return found


def dataset(comparison: Comparison) -> xarray.Dataset:
    """Return the table in SI as a dataset with the dimension "variant". For a mission, the dataset also has
    the dimension "leg".

    If a variant did not run a leg, its values are missing.
    """
    import xarray

    if not comparison.reference.legs:
        return _dataset(rows(comparison))
    kinds = kinds_of(comparison)
    legs = {
        leg: [cells(run, kinds, kinds_of(one)) for run in one.runs] for leg, one in comparison.legs.items()
    }
    names = [run.name for run in comparison.runs]
    found = [_dataset(own).reindex(variant=names) for own in legs.values()]
    return xarray.concat(found, xarray.DataArray([*legs], dims="leg", name="leg"))


def _dataset(rows: Iterable[Iterable[Cell]]) -> xarray.Dataset:
    import xarray

    variables: dict[str, Any] = {}
    for row in rows:
        for name, unit, value in row:
            attrs = {"units": unit} if unit else {}
            variables.setdefault(name.replace(" ", "_"), ("variant", [], attrs))[1].append(value)
    names = variables.pop("variant")
    return xarray.Dataset(variables, coords={"variant": names})


def write(comparison: Comparison, path: Path, units: str) -> Path:
    """Write the table to a CSV file and return its path. Variants that were not run are at the end, with
    their reasons.
    """
    found = columns(comparison, units)
    unfit = [[item.name, *[""] * (len(found) - 2), item.reason] for item in comparison.unfit]
    write_csv(path, [found, *zip(*found.values()), *unfit])
    return path


def kinds_of(comparison: Comparison) -> dict[str, str]:
    """Return the compared kinds of quantities with their SI units: body motion, joint loads, and named
    quantities.
    """
    every = (part for run in comparison.runs for part in run.parts)
    return {kind: found.unit for part in every for kind, found in part.differences.items()}


def _identity(run: Run) -> list[Cell]:
    solver = run.variant.solver
    kind = solver.formulation.kind
    unused = INAPPLICABLE.get(kind, ())
    step = float(solver.step) if solver.fixed_step and solver.step is not None else np.nan
    return [
        Cell("variant", "", run.name),
        Cell("formulation", "", kind),
        Cell("stabilization", "", "" if "stabilization" in unused else solver.stabilization),
        Cell("method", "", kind if "method" in unused else solver.method),
        Cell("step", "s", step),
        Cell("tolerance", "1", np.nan if solver.fixed_step else float(solver.tolerance)),
    ]


def _difference_cells(run: Run, kinds: Mapping[str, str], known: Collection[str]) -> list[Cell]:
    found = []
    for kind, unit in kinds.items():
        difference = run.differences.get(kind)
        # The reference has no differences.
        none = 0.0 if kind in known else np.nan
        worst, owner, when = difference.worst if difference else (none, "", np.nan)
        found += [
            Cell(f"{kind} difference", unit, worst),
            Cell(f"{kind} difference of", "", owner),
            Cell(f"{kind} difference at", "s", when),
            Cell(f"{kind} difference at the end", unit, difference.end if difference else none),
        ]
    apart, event = run.events
    return [*found, Cell("event time difference", "s", apart), Cell("event", "", event)]


def _holding(run: Run) -> list[Cell]:
    found = []
    for what, unit in HOLDING.items():
        worst, joint, when = furthest(run.record, what)
        found += [
            Cell(what, unit, worst),
            Cell(f"{what} of", "", joint),
            Cell(f"{what} at", "s", when),
        ]
    energy = energy_drift(run.record)
    return [
        *found,
        Cell("violation rate", "1/s", furthest(run.record, "violation_rate")[0]),
        Cell("energy drift", "J", energy.worst if energy else np.nan),
        Cell("energy drift of its size", "1", energy.relative if energy else np.nan),
    ]


def _cost(run: Run) -> list[Cell]:
    statistics = run.record.statistics
    accepted, rejected = (statistics[f"steps {way}"] for way in ("accepted", "rejected"))
    return [
        Cell("first run", "s", run.first),
        Cell("second run", "s", run.second),
        Cell("stepping", "s", run.stepping),
        Cell("time per step", "s", run.stepping / max(accepted + rejected, 1)),
        Cell("steps accepted", "", accepted),
        Cell("steps rejected", "", rejected),
        Cell("iterations", "", statistics.get("iterations", "")),
        Cell("outcome", "", run.record.outcome),
    ]


def furthest(record: Record, what: str) -> tuple[float, str, float]:
    """Return the largest value of a joint quantity, the name of the joint, and the time [s]. Return (NaN,
    "", NaN) without joints.

    what: name of the quantity.
    """
    worst = (np.nan, "", np.nan)
    for joint in names_with(record, "joints", what):
        times, values = timeline(record, f"joints.{joint}.{what}")
        if np.isfinite(values).any():
            row = int(np.nanargmax(values))
            if not values[row] <= worst[0]:
                worst = float(values[row]), joint, float(times[row])
    return worst


def energy_drift(record: Record) -> Drift | None:
    """Return the energy drift between events, or None if the scenario does not conserve energy."""
    return next((drift for drift in drifts(record) if drift.what == "energy"), None)
