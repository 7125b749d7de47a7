"""Figures of the envelopes of a campaign: median, band, extremes and the worst case over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...drawing.figure import BAD, COLOURS, Axis, Between, Figure, Limit, Line, Mark, Panel
from ...drawing.table import label_text
from ...statistics.percentiles import bound_cases
from ...tree.units import display
from .columns import EnvelopeColumn
from .envelopes import goal_of, limits_on, since_text, statistics, values_of, worst_row

if TYPE_CHECKING:
    from .result import CampaignResult

MOST_ENVELOPES = 10
TALL = 260.0
"""Height of the panel [px]."""
WIDE_AREA, BAND_AREA = "#eceff2", "#bcd6e8"
"""Colours of the areas between the extremes, and between the ends of the band."""
GREY = "#8a949d"
DIGITS = 4


def envelope_figures(result: CampaignResult, units: str) -> tuple[list[Figure], list[str]]:
    """Return a figure of each envelope, and sentences about omitted figures. units: "SI" or "US"."""
    found, notes = [], []
    for one in result.manifest.names.envelopes:
        row = worst_row(result, one)
        if row is None:
            notes.append(f"{one.name} has no figure, because no case has a value.")
        else:
            found.append(_figure(result, one, row, units))
    if rest := found[MOST_ENVELOPES:]:
        notes.append(f"A page has figures of at most {MOST_ENVELOPES} envelopes. {len(rest)} are omitted.")
    return found[:MOST_ENVELOPES], notes


def _figure(result: CampaignResult, one: EnvelopeColumn, row: int, units: str) -> Figure:
    factor, unit = display(one.unit, units)
    time = one.offsets
    found = {key: factor * own for key, own in statistics(result, one).items()}
    worst = factor * values_of(result, one)[row]
    case = int(result.case_numbers[row])
    marks: list[Mark] = [
        *_areas(time, found["smallest"], found["largest"], WIDE_AREA),
        *_areas(time, found["band_low"], found["band_high"], BAND_AREA),
        Line(time, found["smallest"], "minimum and maximum", GREY, 0.9),
        Line(time, found["largest"], "", GREY, 0.9),
        Line(time, worst, f"case {case}", COLOURS[1], 1.4),
        Line(time, found["median"], "median", COLOURS[0]),
    ]
    limits, text = _limits(result, one, factor, found)
    title = f"{_band_text(result, one, found)}{text}"
    x = Axis(f"time since {since_text(one)} [s]", float(time[0]), float(time[-1]))
    panel = Panel([*marks, *limits], title, x, Axis(label_text(one.name, unit), room=0.04), height=TALL)
    low, high = float(np.nanmin(found["smallest"])), float(np.nanmax(found["largest"]))
    description = (
        f"{label_text(one.name, unit)} of {len(result)} cases over {time[-1]:.{DIGITS}g} s since "
        f"{since_text(one)}, from {low:.{DIGITS}g} to {high:.{DIGITS}g}. Case {case} is the worst case."
    )
    caption = f"{one.name}: envelope of {one.quantity} over time"
    return Figure(caption, [[panel]], key="envelope", description=description)


def _areas(time: np.ndarray, low: np.ndarray, high: np.ndarray, colour: str) -> list[Mark]:
    """The areas between two curves, at the times at which both are finite."""
    known = np.flatnonzero(np.isfinite(low) & np.isfinite(high))
    if not len(known):
        return []
    pieces = np.split(known, np.flatnonzero(np.diff(known) > 1) + 1)
    return [Between(time[own], low[own], high[own], colour) for own in pieces if len(own) > 1]


def _band_text(result: CampaignResult, one: EnvelopeColumn, found: dict[str, np.ndarray]) -> str:
    proportion, confidence = goal_of(result, one)
    name = f"band of {100 * proportion:.10g} % of cases with {100 * confidence:.10g} % confidence"
    if (np.isfinite(found["band_low"]) & np.isfinite(found["band_high"])).any():
        return f"blue: {name}; grey: all cases"
    if result.is_weighted:
        return f"no {name}, because the effective number of cases is too small; grey: all cases"
    needed = int(bound_cases(proportion, confidence, sides=2))
    return f"no {name}, which needs {needed} cases; grey: all cases"


def _limits(
    result: CampaignResult, one: EnvelopeColumn, factor: float, found: dict[str, np.ndarray]
) -> tuple[list[Mark], str]:
    """The limits of requirements on the quantity that are near the values, and a text about all of them."""
    low, high = float(np.nanmin(found["smallest"])), float(np.nanmax(found["largest"]))
    marks: list[Mark] = []
    texts = []
    for value in dict.fromkeys(factor * limit.limit for limit in limits_on(result, one)):
        is_near = 2 * low - high <= value <= 2 * high - low
        marks += [Limit(value, "y", BAD)] if is_near else []
        text = f"{value:.{DIGITS}g}"
        texts.append(f"red line: limit {text}" if is_near else f"the limit {text} is outside the plot")
    return marks, "".join(f"; {text}" for text in texts)
