"""Tables of what contacts did: how often, when, how hard and how deep they touched, and what that cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...drawing.table import Table, number, time_text
from ...record.record import SAME_TIME, Record, names_with, timeline
from ...tree.units import display

MOST_TOUCHES = 12
"""Touches of one contact that the table shows, the hardest ones."""


@dataclass(frozen=True)
class Touch:
    """From the first point of a contact that touches until none does: start, end [s]; largest normal force
    [N] and when [s]; largest depth [m]; energy lost [J], NaN where it is not known."""

    start: float
    end: float
    peak: float
    at: float
    depth: float
    lost: float


def touches(record: Record, name: str) -> list[Touch]:
    """Every touch of a contact, in order."""
    path = f"contacts.{name}"
    times, touching = timeline(record, f"{path}.touching")
    force, depth = (timeline(record, f"{path}.{what}")[1] for what in ("normal_force", "depth"))
    known = f"{path}.lost" in record.series
    lost = timeline(record, f"{path}.lost")[1] if known else np.full(len(times), np.nan)
    found = []
    for first, last in _stretches(times, touching > 0):
        hardest = first + int(np.argmax(force[first : last + 1]))
        found.append(
            Touch(
                float(times[first]),
                float(times[last]),
                float(force[hardest]),
                float(times[hardest]),
                float(depth[first : last + 1].max()),
                float(lost[last] - lost[first]),
            )
        )
    return found


def _stretches(times: np.ndarray, on: np.ndarray) -> list[tuple[int, int]]:
    """First and last row of each stretch; one that goes on at the instant at which the last ended is the
    same."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(int)))
    found: list[tuple[int, int]] = []
    for first, end in edges.reshape(-1, 2).tolist():
        if found and times[first] - times[found[-1][1]] <= SAME_TIME * max(1.0, abs(times[first])):
            first = found.pop()[0]
        found.append((first, end - 1))
    return found


def contact_tables(record: Record, units: str) -> list[Table]:
    """What each contact did, and each touch of those that touched more than once."""
    every = {name: touches(record, name) for name in names_with(record, "contacts", "normal_force")}
    return [_contacts(every, units), _touches(every, units)]


def _contacts(every: dict[str, list[Touch]], units: str) -> Table:
    """One row for each contact."""
    force, depth, energy = (display(unit, units) for unit in ("N", "m", "J"))
    rows = []
    for name, found in every.items():
        cells = ["0", *["-"] * 5]
        if found:
            cells = [
                str(len(found)),
                time_text(found[0].start),
                number(sum(one.end - one.start for one in found), 3),
                number(max(one.peak for one in found) * force[0], 4),
                number(max(one.depth for one in found) * depth[0], 3),
                number(sum(one.lost for one in found) * energy[0], 3),
            ]
        rows.append([name, *cells])
    columns = ["contact", "touches", "first [s]", "for [s]", f"force [{force[1]}]"]
    columns += [f"depth [{depth[1]}]", f"lost [{energy[1]}]"]
    note = ""
    if any(every.values()):
        note = (
            "Largest normal force, sum over the points, and largest depth: they and the duration follow from"
            " the declared stiffness."
        )
    return Table("Contact", columns, rows, [False, *[True] * 6], note)


def _touches(every: dict[str, list[Touch]], units: str) -> Table:
    """One row for each touch of contacts that touched more than once."""
    force, depth, energy = (display(unit, units) for unit in ("N", "m", "J"))
    rows, left_out = [], []
    for name, found in every.items():
        hardest = sorted(found, key=lambda one: -one.peak)[:MOST_TOUCHES]
        if len(found) > MOST_TOUCHES:
            left_out.append(f"{name}: the {MOST_TOUCHES} hardest of {len(found)}.")
        for one in sorted(hardest, key=lambda one: one.start) if len(found) > 1 else ():
            cells = [number(one.peak * force[0], 4), time_text(one.at)]
            cells += [number(one.depth * depth[0], 3), number(one.lost * energy[0], 3)]
            rows.append([name, time_text(one.start), number(one.end - one.start, 3), *cells])
    columns = ["contact", "from [s]", "for [s]", f"force [{force[1]}]", "at [s]"]
    columns += [f"depth [{depth[1]}]", f"lost [{energy[1]}]"]
    return Table("Touches", columns, rows, [False, *[True] * 6], " ".join(left_out))
