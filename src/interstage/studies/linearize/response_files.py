"""Save frequency and step responses as figures, HTML pages and CSV files, and create tables of stability
margins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...drawing import contours
from ...drawing.figure import COLOURS, Axis, Figure, Limit, Line, Panel
from ...drawing.table import Table, number, unit_text
from ...exchange.csv_file import write_csv
from ...linear.modes import UNSTABLE
from ...linear.responses import Frequencies, Margins, Steps, pairs
from ...tree.errors import BadInput, Problem
from ...tree.sentences import list_text
from ...tree.units import display
from ..presentation.files import save_curves

if TYPE_CHECKING:
    from .result import Linear

MOST_ROWS, MOST_COLUMNS = 4, 3
"""Largest number of outputs (rows) and of inputs (columns) in one figure."""
DIGITS = 5
QUARTERS = 45.0
"""Angle [deg] to whose multiples the ends of phase axes are rounded."""
PHASES = tuple(QUARTERS * 2**k for k in range(8))
"""Possible intervals [deg] between the labels of phase axes."""
PALE = 0.9
"""Fraction of the colour map that is used, so that all curves are visible on a white background."""

Response = Frequencies | Steps


def save_response_file(
    path: Path, each: Sequence[Response], shown: str, margins: Sequence[Margins] = ()
) -> None:
    """Save responses at one or several operating points to a CSV file, an HTML page or a picture. The suffix
    of the path selects the format.

    - shown: "SI" or "US".
    - margins: stability margins for the page.

    Raises BadInput.
    """
    save_curves(
        path,
        lambda path: _save_csv(path, each, shown),
        lambda path: _save_page(path, each, shown, margins),
        lambda path: _save_picture(path, each, shown),
    )


def _save_page(path: Path, each: Sequence[Response], shown: str, margins: Sequence[Margins]) -> None:
    from ..presentation.page import save_plain_page

    title = f"{_what(each[0])}: {each[0].linear.scenario.title or path.stem}"
    tables = [margin_table(margins)] if margins else []
    save_plain_page(path, title, [*tables, *figures(each, shown)])


def _save_picture(path: Path, each: Sequence[Response], shown: str) -> None:
    drawn = figures(each, shown)
    if len(drawn) > 1:
        linear = each[0].linear
        text = f"{len(linear.outputs)} outputs and {len(linear.inputs)} inputs are too many for a picture."
        text += (
            f" At most {MOST_ROWS} outputs and {MOST_COLUMNS} inputs are allowed. Request fewer,"
            " or save as .html"
        )
        raise BadInput(Problem(str(path), text))
    drawn[0].save(path)


def _what(one: Response) -> str:
    return "Frequency responses" if isinstance(one, Frequencies) else "Step responses"


# --- figures


def figures(each: Sequence[Response], shown: str) -> list[Figure]:
    """Return figures of responses at all operating points. Each output has rows of panels, for example for
    gain and phase, and each input has a column.

    If there are many outputs or inputs, several figures are returned. shown: "SI" or "US".
    """
    linear, found = each[0].linear, []
    for first in range(0, len(linear.outputs), MOST_ROWS):
        for left in range(0, len(linear.inputs), MOST_COLUMNS):
            outputs = range(first, min(first + MOST_ROWS, len(linear.outputs)))
            inputs = range(left, min(left + MOST_COLUMNS, len(linear.inputs)))
            rows = [row for o in outputs for row in _rows(each, o, inputs, shown, o == outputs[-1])]
            caption = f"{_what(each[0])} {linear.label}" if len(each) == 1 else _what(each[0])
            labels = zip((one.linear.label for one in each), colours(len(each)))
            legend = [Line(np.zeros(0), np.zeros(0), label, colour) for label, colour in labels]
            legend = [legend[k] for k in _some(len(legend))]
            found.append(Figure(caption, rows, legend if len(legend) > 1 else (), "responses"))
    return found


def colours(count: int) -> list[str]:
    """Return the colours of `count` curves. The colours are from the palette or, if there are too many
    curves, from the colour map.
    """
    if count <= len(COLOURS):
        return [*COLOURS[:count]]
    return [contours.colour(PALE * k / (count - 1)) for k in range(count)]


def _some(count: int) -> list[int]:
    """Indices of curves in the legend: all, or evenly spaced with the first and the last."""
    if count <= len(COLOURS):
        return [*range(count)]
    return sorted({round(k * (count - 1) / (len(COLOURS) - 1)) for k in range(len(COLOURS))})


def _rows(each: Sequence[Response], o: int, inputs: range, shown: str, last: bool) -> list[list[Panel]]:
    if isinstance(each[0], Frequencies):
        return [
            [_gain(each, o, i, shown) for i in inputs],
            [_phase(each, o, i, last) for i in inputs],
        ]
    return [[_step(each, o, i, shown, last) for i in inputs]]


def _gain(each: Sequence[Any], o: int, i: int, shown: str) -> Panel:
    linear = each[0].linear
    factor, unit = ratio(linear, o, i, shown)
    of = zip(each, colours(len(each)))
    lines = [Line(one.frequencies, one.gain[:, o, i] * factor, colour=colour) for one, colour in of]
    y = Axis(f"gain {unit}".strip(), log=True)
    return Panel(lines, _title(linear, o, i), Axis("frequency [Hz]", log=True, numbered=False), y)


def _phase(each: Sequence[Any], o: int, i: int, last: bool) -> Panel:
    degrees = _unwrap_together([np.degrees(one.phase[:, o, i]) for one in each])
    low, high = (end(float(end(own)) for own in degrees) for end in (min, max))
    low, high = QUARTERS * math.floor(low / QUARTERS), QUARTERS * math.ceil(high / QUARTERS)
    of = zip(each, degrees, colours(len(each)), strict=True)
    lines = [Line(one.frequencies, own, colour=colour) for one, own, colour in of]
    halves = 180.0 * np.arange(math.ceil(low / 180.0), math.floor(high / 180.0) + 1)
    marks = [*(Limit(float(k), colour="#9aa2a9") for k in halves), *lines]
    x = Axis("frequency [Hz]", log=True)
    if high - low < 2 * QUARTERS:
        low, high = low - QUARTERS, high + QUARTERS
    y = Axis("phase [deg]", low=low, high=high, steps=PHASES)
    return Panel(marks, "", x, y, height=110.0)


def _unwrap_together(degrees: list[np.ndarray]) -> list[np.ndarray]:
    """Phases [deg] of several responses. The first begins above -270 and up to 90; the others are shifted by
    multiples of 360 to be closest to it at the highest frequency, where most are alike."""
    if not len(degrees[0]):
        return degrees
    first = degrees[0][-1] - 360.0 * math.ceil((degrees[0][0] - 90.0) / 360.0)
    return [own - 360.0 * np.round((own[-1] - first) / 360.0) for own in degrees]


def _step(each: Sequence[Any], o: int, i: int, shown: str, last: bool) -> Panel:
    linear = each[0].linear
    factor, unit = ratio(linear, o, i, shown)
    of = zip(each, colours(len(each)))
    lines = [Line(one.times, one.values[:, o, i] * factor, colour=colour) for one, colour in of]
    y = Axis(f"change of the output {unit}".strip(), room=0.1)
    return Panel(lines, _title(linear, o, i), Axis("time since the step [s]"), y)


def _title(linear: Linear, o: int, i: int) -> str:
    return f"{linear.outputs[o]} due to {linear.inputs[i]}"


def ratio(linear: Linear, o: int, i: int, shown: str) -> tuple[float, str]:
    """Return the factor from SI and the unit text of a response: unit of output `o` per unit of input `i`.

    o, i: indices of the output and the input. shown: "SI" or "US".
    """
    (up, of), (down, by) = (
        display(unit, shown) if unit else (1.0, "")
        for unit in (linear.output_units[o], linear.input_units[i])
    )
    of, by = map(unit_text, (of, by))
    if not by:
        return up / down, f"[{of}]" if of else ""
    by = f"({by})" if " " in by or "/" in by else by
    return up / down, f"[{of or '1'} / {by}]"


# --- tables


def margin_table(each: Sequence[Margins]) -> Table:
    """Return a table of the stability margins of control loops. If there are several operating points, a
    column names the point.
    """

    def show(pair: tuple[float, float] | None, text: Any) -> list[str]:
        return ["", ""] if pair is None else [text(pair[0]), number(pair[1], DIGITS)]

    several, rows = len({_where(one) for one in each}) > 1, []
    for one in each:
        decibels = [show(pair, lambda v: number(20 * math.log10(v), 4)) for pair in (one.grows, one.falls)]
        phase = show(one.phase, lambda v: number(math.degrees(v), 4))
        closed = "" if one.nothing else "stable" if one.stable else UNSTABLE
        rows.append(
            [*([_where(one)] if several else []), one.loop, *decibels[0], *decibels[1], *phase, closed]
        )
    columns = [
        "loop",
        "upper gain margin [dB]",
        "frequency [Hz]",
        "lower gain margin [dB]",
        "frequency [Hz]",
        "phase margin [deg]",
        "frequency [Hz]",
        "closed loop",
    ]
    columns = [*([each[0].varied or "event"] if several else []), *columns]
    bad = {k for k, one in enumerate(each) if not (one.stable or one.nothing)}
    notes = ["The margins of an unstable closed loop (red) have no meaning."] if bad else []
    if none := list_text([_loop_where(one) for one in each if one.nothing], MOST_ROWS):
        text = "the control law does not respond. The control law is sampled, at a limit, or has zero gain"
        notes.append(f"The loop {none} is not closed, because {text}.")
    right = [*([False] if several else []), False, *[True] * 6, False]
    return Table("Margins", columns, rows, right, note=" ".join(notes), bad=bad, key="margins")


def _where(one: Margins) -> str:
    """The operating point, or the value of the varied input."""
    return f"{one.level:.6g}" if one.varied else one.moment


def _loop_where(one: Margins) -> str:
    return f"{one.loop} at {one.varied} {_where(one)}" if one.varied else f"{one.loop} {one.moment}"


def _save_csv(path: Path, each: Sequence[Any], shown: str) -> None:
    """Save responses as columns; the first is the operating point if there are several. Raises BadInput."""
    linear, several = each[0].linear, len(each) > 1
    head, waves = [linear.varied or "event"] if several else [], isinstance(each[0], Frequencies)
    head.append("frequency [Hz]" if waves else "time [s]")
    for o, i in pairs(linear):
        name, (_, unit) = f"{linear.outputs[o]} by {linear.inputs[i]}", ratio(linear, o, i, shown)
        head += (
            [f"{name}: gain {unit}".strip(), f"{name}: phase [deg]"] if waves else [f"{name} {unit}".strip()]
        )
    rows = [head]
    for one in each:
        columns = [one.frequencies if waves else one.times]
        for o, i in pairs(linear):
            factor, _ = ratio(linear, o, i, shown)
            own = (one.gain, one.phase) if waves else (one.values,)
            columns += [part[:, o, i] * by for part, by in zip(own, (factor, 180 / np.pi))]
        level = f"{one.linear.level:.12g}" if linear.varied else one.linear.moment
        first = [level] if several else []
        rows += [[*first, *(f"{value:.12g}" for value in row)] for row in zip(*columns, strict=True)]
    write_csv(path, rows)
