"""Tables of a comparison for the terminal: differences, constraint violation and cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.table import Table, number
from ...tree.units import display, in_units
from .differences import BODY_KINDS, JOINT_KINDS
from .table import HOLDING, energy_drift, furthest, kinds_of
from .variants import INAPPLICABLE, Variant

if TYPE_CHECKING:
    from .run import Comparison

SHORT = {"angular_velocity": "rate"}
DIGITS = 2
"""Significant digits of a difference in the tables."""


def tables(comparison: Comparison, units: str) -> list[Table]:
    """Return the tables of differences and the table of costs. Tables without rows are omitted. For a
    mission, there are tables of differences for each leg.

    units: "SI" or "US".
    """
    found = []
    for leg, one in comparison.legs.items():
        own = [table for table in _tables(one, units) if table.rows]
        found += [replace(t, title=f"Leg {leg}. {t.title}", key=f"{leg} {t.key}") for t in own]
    found += [] if found else _tables(comparison, units)
    return [table for table in (*found, cost_table(comparison)) if table.rows]


def _tables(comparison: Comparison, units: str) -> list[Table]:
    """Tables of differences and constraint violation of one flight."""
    kinds = kinds_of(comparison)
    motion = {kind: unit for kind, unit in kinds.items() if kind in BODY_KINDS}
    rest = {kind: unit for kind, unit in kinds.items() if kind not in motion}
    return [
        differences_table(comparison, motion, units, "Motion"),
        differences_table(comparison, rest, units, _heading({*rest})),
        events_table(comparison),
        holding_table(comparison, units),
    ]


def _heading(kinds: set[str]) -> str:
    """Heading of quantities other than motion."""
    if not kinds & {*JOINT_KINDS}:
        return "Named quantities"
    return "Loads" if kinds <= {*JOINT_KINDS} else "Loads and named quantities"


def differences_table(comparison: Comparison, kinds: dict[str, str], units: str, title: str) -> Table:
    """Return a table of differences with three rows for each variant.

    The rows are the largest difference, its body or joint, and the difference at the end. kinds: kinds of
    quantities (columns) with their SI units.
    """
    scales = {kind: display(unit, units) for kind, unit in kinds.items()}
    rows: list[list[str]] = []
    for run in comparison.runs[1:] if kinds else ():
        found = [(run.differences[kind], scales[kind][0]) for kind in kinds]
        if not rows:
            rows.append(
                ["largest value in the reference", *(number(d.size * factor, 3) for d, factor in found)]
            )
        rows.append([run.name, *(number(d.worst[0] * factor, DIGITS) for d, factor in found)])
        rows.append(
            [
                "  body or joint",
                *(d.worst[1] if d.what in (*BODY_KINDS, *JOINT_KINDS) else "" for d, _ in found),
            ]
        )
        rows.append(["  difference at the end", *(number(d.end * factor, DIGITS) for d, factor in found)])
    heads = [f"{SHORT.get(kind, kind)} [{scales[kind][1]}]" for kind in kinds]
    key, title = title.lower(), f"{title}: largest difference from {comparison.reference.name}"
    return Table(title, ["variant", *heads], rows, [False, *[True] * len(kinds)], key=key)


def events_table(comparison: Comparison) -> Table:
    """Return a table with the largest time difference of an event for each variant, and the events that only
    one flight has.
    """
    rows = []
    for run in comparison.runs[1:]:
        apart, event = run.events
        if apart > 0 or run.missing:
            rows.append([run.name, number(apart, DIGITS), event, ", ".join(run.missing)])
    columns = ["variant", "time difference [s]", "event", "events that only one flight has"]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    right = [False, True, False, False][: len(columns)]
    return Table(
        f"Event times: largest difference from {comparison.reference.name}",
        columns,
        rows,
        right,
        key="events",
    )


def holding_table(comparison: Comparison, units: str) -> Table:
    """Return a table of the constraint violations of each variant. If energy is conserved, the table also
    has the energy drift.

    units: "SI" or "US".
    """
    scales = {what: display(unit, units) for what, unit in HOLDING.items()}
    factor, label = display("J", units)
    rows = []
    for run in comparison.runs:
        row = [run.name]
        for what, (scale, _) in scales.items():
            worst, joint, _ = furthest(run.record, what)
            row += [number(worst * scale, DIGITS), joint]
        energy = energy_drift(run.record)
        kept = (energy.worst * factor, energy.relative) if energy else (np.nan, np.nan)
        rows.append([*row, *(number(value, DIGITS) for value in kept)])
    heads = [head for what, (_, unit) in scales.items() for head in (f"{what} [{unit}]", "joint")]
    columns = ["variant", *heads, f"energy drift [{label}]", "relative energy drift"]
    right = [False, True, False, True, False, True, True]
    title = "Constraint errors of the joints, and energy drift"
    return Table(title, columns, rows, right, key="joints and energy")


def cost_table(comparison: Comparison) -> Table:
    """Return a table of the wall times, the steps, and the iterations of each variant."""
    rows = []
    for run in comparison.runs:
        statistics = run.record.statistics
        steps = [statistics["steps accepted"], statistics["steps rejected"]]
        per_step = run.stepping / max(sum(steps), 1) * 1e6
        times = [number(value, 3) for value in (run.first, run.second, per_step)]
        rows.append([run.name, *times, *map(str, steps), str(statistics.get("iterations", ""))])
    columns = [
        "variant",
        "first run [s]",
        "second run [s]",
        "time per step [us]",
        "accepted steps",
        "rejected steps",
        "iterations",
    ]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table("Wall times and steps", columns, rows, [False, *[True] * (len(columns) - 1)], key="cost")


def notes(comparison: Comparison, units: str = "SI") -> list[str]:
    """Return notes about the reference, its warnings, flights that ended early, and variants that were not
    run.
    """
    reference = comparison.reference
    found = []
    if reference.name == "reference":
        found.append(f"Solver of the reference: {describe(reference.variant)}")
        found += [f"Solver of the reference in leg {leg}: {text}" for leg, text in _own_solvers(comparison)]
    found += [f"{reference.name}: {in_units(text, units)}" for text in reference.record.warnings]
    found += [f"{run.name}: {run.record.outcome}" for run in comparison.runs if not run.flight.completed]
    return [*found, *(f"Variant '{item.name}' was not flown: {item.reason}" for item in comparison.unfit)]


def _own_solvers(comparison: Comparison) -> Iterator[tuple[str, str]]:
    """Legs of a mission with a solver of their own, and the reference's solver for each in words."""
    for leg in comparison.scenario.legs:
        if leg.solver is not None:
            yield leg.name, describe(Variant("", comparison.reference.variant.legs[leg.name]))


def describe(variant: Variant) -> str:
    """Return a short text that describes the solver settings of a variant."""
    solver = variant.solver
    kind = solver.formulation.kind
    if solver.fixed_step and solver.step is not None:
        how = f"steps of {float(solver.step):g} s"
    else:
        how = f"tolerance {float(solver.tolerance):g}"
    unused = INAPPLICABLE.get(kind, ())
    stabilization = [] if "stabilization" in unused else [f"stabilization {solver.stabilization}"]
    method = [] if "method" in unused else [solver.method]
    return ", ".join([kind, *stabilization, *method, how])
