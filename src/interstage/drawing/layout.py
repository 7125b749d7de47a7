"""Compute the layout of a figure: convert its panels and marks to shapes on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from . import contours, ticks
from .figure import (
    COLOURS,
    ROUNDING,
    Axis,
    Band,
    Bar,
    Between,
    Field,
    Figure,
    Histogram,
    Limit,
    Line,
    Mark,
    Panel,
    Points,
)
from .shapes import (
    DIM,
    GRID,
    INK,
    Area,
    Clip,
    Dots,
    Drawing,
    Shape,
    Stroke,
    Text,
    TimeFrame,
    rectangle,
    text_width,
)
from .thinning import runs, thin
from .words import words

WIDTH = 928.0
"""Width of a figure [px]. This width equals the width of a report page."""
SIZE, TITLE, SMALL = 11.5, 12.5, 10.0
"""Font sizes [px] of normal texts, of titles, and of small texts."""
LINE = 15.0
"""Distance between the lines of a text [px]."""
NUMBER = 14.5
"""Height that each number of a vertical axis needs [px]."""
EDGE, TICK = 6.0, 5.0
RIGHT = 16.0
"""Free space [px] to the right of a panel. Half of the last number on the horizontal axis fits in this
margin."""
GAP = 14.0
"""Distance between columns, and between rows, of panels [px]."""
SCALE_BAR, SCALE_GAP = 14.0, 12.0
SAMPLE = 20.0
"""Length of a sample line in a legend [px]."""
MARK_ROOM = 3.0
MOST_TICKS = {"x": 11, "y": 7}
TICK_ROOM = 42.0
"""Minimum length of a horizontal axis for each of its numbers [px]. For a vertical axis, the minimum is half
of this.
"""
EMPTY = 24.0
"""Height of a panel without marks [px]."""
NOISE = 1e-12
"""If all values on an axis with a minimum range (`Axis.steady`) are below this magnitude, they count as
zero.
"""

Span = tuple[float, float]


@dataclass
class Placed:
    """Panel with its position on the page.

    - panel: the panel.
    - x, y: lower and upper end of each axis.
    - y_ticks: ticks of the vertical axis.
    - left, top, width: left end, upper end and width of the axes [px].
    """

    panel: Panel
    x: Span
    y: Span
    y_ticks: ticks.Ticks
    left: float = 0.0
    top: float = 0.0
    width: float = 0.0
    empty: bool = False
    """True for a panel without values. The note of the panel is then drawn instead of axes."""

    @property
    def bottom(self) -> float:
        """Return the lower end of the panel axes [px]."""
        return self.top + self.panel.height

    @property
    def right(self) -> float:
        """Return the right end of the panel axes [px]."""
        return self.left + self.width

    def x_pixels(self, values: object) -> np.ndarray:
        """Return the horizontal positions [px] of values on the x axis."""
        return self.left + self.width * _part(values, self.x, self.panel.x.log)

    def up(self, values: object) -> np.ndarray:
        """Return the vertical positions [px] of values on the y axis."""
        return self.bottom - self.panel.height * _part(values, self.y, self.panel.y.log)

    def at(self, x: object, y: object) -> np.ndarray:
        """Return the positions (n, 2) [px] of points with axis values x and y."""
        return np.column_stack([self.x_pixels(x), self.up(y)])


def _part(values: object, span: Span, log: bool) -> np.ndarray:
    found = np.atleast_1d(np.asarray(values, dtype=float))
    low, high = span
    if log:
        # A logarithmic axis has no position for zero.
        found = np.log10(np.where(found > 0, found, np.nan))
        low, high = float(np.log10(low)), float(np.log10(high))
    return (found - low) / (high - low)


def draw(figure: Figure) -> Drawing:
    """Convert a figure to a drawing, which consists of shapes on a page."""
    drawing, _ = laid_out(figure)
    return drawing


def laid_out(figure: Figure) -> tuple[Drawing, list[Placed]]:
    """Return the drawing of a figure, and the position of each panel."""
    rows = [[_ends_of_axis(panel) for panel in row] for row in figure.rows]
    columns = max(map(len, rows), default=1)
    lefts = [_left_of(rows, column) for column in range(columns)]
    drawing = Drawing(". ".join(text for text in (figure.caption, figure.description) if text), WIDTH)
    top = EDGE + _legend(drawing, figure.legend)
    for number, row in enumerate(rows):
        _place_across(row, lefts, columns)
        top += max(_head(placed) for placed in row)
        below = rows[number + 1] if number + 1 < len(rows) else []
        feet = []
        for column, placed in enumerate(row):
            placed.top = top
            other = below[column] if column < len(below) else None
            feet.append(_draw_panel(drawing, placed, other))
        top += max(placed.panel.height for placed in row) + max(feet) + GAP
    drawing.height = top - GAP + EDGE
    return drawing, [placed for row in rows for placed in row]


# --- the ends of axes ---------------------------------------------------------------------------------------


def _ends_of_axis(panel: Panel) -> Placed:
    x, y = _span(panel, "x"), _span(panel, "y")
    if not any(np.isfinite(np.ravel(v)).any() for mark in panel.marks for v in _numbers(mark)):
        low = replace(panel, y=Axis(), height=EMPTY)
        return Placed(low, x, y, ticks.Ticks([], [], [], ""), empty=True)
    names = panel.y.names
    if names:
        y = (len(names) - 0.5, -0.5)
        return Placed(panel, x, y, ticks.Ticks([float(k) for k in range(len(names))], list(names), [], ""))
    return Placed(panel, x, y, _ticks(panel.y, y, panel.height, "y"))


def _span(panel: Panel, which: str) -> Span:
    """The ends of an axis: as given, or from the contents."""
    axis: Axis = getattr(panel, which)
    shown = [values for mark in panel.marks for values in _values(mark, which)]
    every = np.concatenate([np.zeros(0), *(np.ravel(np.asarray(v, dtype=float)) for v in shown)])
    every = every[np.isfinite(every)]
    if axis.log:
        return _log_span(axis, every[every > 0])
    low, high = (float(every.min()), float(every.max())) if every.size else (0.0, 1.0)
    size, middle = max(abs(low), abs(high)), 0.5 * (low + high)
    if axis.steady and size < NOISE:
        low, high = -1.0, 1.0
    elif high - low <= max(axis.steady, 1e-12) * size or high == low:
        half = max(axis.steady, 1e-9) * size or 1.0
        low, high = middle - half, middle + half
    else:
        room = axis.room * (high - low)
        low, high = low - room, high + room
    low = low if axis.low is None else axis.low
    high = high if axis.high is None else axis.high
    return (low, high) if high > low else (low, low + max(1.0, abs(low)))


def _log_span(axis: Axis, every: np.ndarray) -> Span:
    """At least two decades, so that two powers of ten are visible, unless the ends are given."""
    top = max(2 * float(every.max()), 100 * ROUNDING) if every.size else 100 * ROUNDING
    low = max(min(float(every.min()) / 2, top / 100), ROUNDING) if every.size else ROUNDING
    return low if axis.low is None else axis.low, top if axis.high is None else axis.high


def _values(mark: Mark, which: str) -> Iterator[object]:
    """The values of a mark that an axis must include; limits are drawn only if they fall on the panel."""
    if isinstance(mark, Line | Points | Field):
        yield getattr(mark, which)
    elif isinstance(mark, Between):
        yield from (mark.x,) if which == "x" else (mark.low, mark.high)
    elif isinstance(mark, Bar):
        yield from (mark.start, mark.end) if which == "x" else ()
    elif isinstance(mark, Histogram):
        yield from (mark.edges,) if which == "x" else (mark.heights, 0.0)
    elif mark.axis == which:
        yield from (mark.at,) if isinstance(mark, Limit) else (mark.low, mark.high)


def _ticks(axis: Axis, span: Span, length: float, which: str) -> ticks.Ticks:
    """Return numbers that do not touch each other along an axis of a given length [px]."""

    def fits(at: list[float], texts: list[str]) -> bool:
        places = length * _part(at, span, axis.log)
        sizes = [NUMBER if which == "y" else text_width(text, SIZE) + 8 for text in texts]
        return all(b - a >= (s + t) / 2 for (a, s), (b, t) in pairwise(zip(places, sizes)))

    room = TICK_ROOM if which == "x" else TICK_ROOM / 2
    most = max(2, min(MOST_TICKS[which], int(length / room)))
    if axis.log:
        return ticks.logarithmic(*span, axis.label, most, fits)
    return ticks.linear(*span, axis.label, most, fits, axis.steps)


# --- where panels go ----------------------------------------------------------------------------------------


def _y_label(placed: Placed) -> list[str]:
    label = placed.y_ticks.label or ("" if placed.panel.y.names else placed.panel.y.label)
    return wrap(label, placed.panel.height + LINE, SIZE)


def _room_left(placed: Placed) -> float:
    numbers = max((text_width(text, SIZE) for text in placed.y_ticks.texts), default=0.0)
    return EDGE + LINE * len(_y_label(placed)) + 4 + numbers + TICK


def _left_of(rows: Sequence[Sequence[Placed]], column: int) -> float:
    """Space for the numbers and labels left of a column of panels; equal in the column."""
    found = [row[column] for row in rows if column < len(row) and not row[column].panel.y.names]
    return max(map(_room_left, found), default=0.0)


def _place_across(row: list[Placed], lefts: list[float], columns: int) -> None:
    width = (WIDTH - sum(lefts) - columns * RIGHT - (columns - 1) * GAP) / columns
    edge = 0.0
    for placed, left in zip(row, lefts):
        own = _room_left(placed) if placed.panel.y.names else left
        placed.left = edge + own
        placed.width = width + left - own - _scale_room(placed.panel)
        edge += left + width + RIGHT + GAP
        if placed.panel.equal_scales:
            _equalize_scales(placed)


def _equalize_scales(placed: Placed) -> None:
    """Extend one axis at both ends, so that a unit has the same length [px] on both axes."""
    (left, right), (low, high), tall = placed.x, placed.y, placed.panel.height
    unit = max((right - left) / placed.width, (high - low) / tall)
    x, y = (left + right) / 2, (low + high) / 2
    placed.x = (x - unit * placed.width / 2, x + unit * placed.width / 2)
    placed.y = (y - unit * tall / 2, y + unit * tall / 2)
    placed.y_ticks = _ticks(placed.panel.y, placed.y, tall, "y")


def wrap(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """Divide a text into lines.

    - width: maximum width of a line [px]. A word or unit that is wider than this width has its own line.
    - size: font size [px].
    - bold: true for bold text. Default: False.
    """
    lines: list[str] = []
    for word in words(text):
        if lines and text_width(f"{lines[-1]} {word}", size, bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


# --- heads: titles and legends ------------------------------------------------------------------------------


def _legend_lines(panel: Panel) -> list[Line]:
    return [line for line in _assign_colours(panel.marks) if isinstance(line, Line) and line.label]


def _assign_colours(marks: Sequence[Mark]) -> list[Mark]:
    """Return marks with colours: lines without a colour take the colours of the palette in order."""
    own = 0
    found: list[Mark] = []
    for mark in marks:
        if isinstance(mark, Line) and not mark.colour:
            mark = replace(mark, colour=COLOURS[own % len(COLOURS)])
            own += 1
        found.append(mark)
    return found


def _entry(line: Line) -> float:
    return SAMPLE + 4 + text_width(line.label, SIZE) + 12


def _legend_rows(lines: Sequence[Line], width: float) -> list[list[Line]]:
    rows: list[list[Line]] = []
    used = 0.0
    for line in lines:
        if not rows or used + _entry(line) > width:
            rows.append([])
            used = 0.0
        rows[-1].append(line)
        used += _entry(line)
    return rows


def _draw_legend_row(drawing: Drawing, row: Sequence[Line], left: float, y: float) -> None:
    for line in row:
        drawing.shapes.append(
            Stroke([np.array([[left, y], [left + SAMPLE, y]])], line.colour, line.width, line.dash)
        )
        drawing.shapes.append(Text(left + SAMPLE + 4, y, line.label, SIZE))
        left += _entry(line)


def _legend(drawing: Drawing, legend: Sequence[Line]) -> float:
    """Draw the legend of a complete figure; return its height."""
    lines = [line for line in _assign_colours(legend) if isinstance(line, Line)]
    rows = _legend_rows(lines, WIDTH - 2 * EDGE)
    for k, row in enumerate(rows):
        _draw_legend_row(drawing, row, EDGE, EDGE + LINE * (k + 0.5))
    return LINE * len(rows) + (EDGE if rows else 0)


def _head_rows(placed: Placed) -> tuple[list[str], list[list[Line]], bool]:
    """Return title lines, legend rows, and whether the legend is on the line of the title."""
    panel, width = placed.panel, placed.width
    title = wrap(panel.title, width, TITLE, bold=True)
    legend = _legend_lines(panel)
    needed = sum(map(_entry, legend)) - 12
    if len(title) < 2 and text_width(panel.title, TITLE, bold=True) + 16 + needed <= width:
        return title, [legend] if legend else [], True
    return title, _legend_rows(legend, width + 12), False


def _head(placed: Placed) -> float:
    title, legend, beside = _head_rows(placed)
    rows = max(len(title), len(legend)) if beside else len(title) + len(legend)
    return LINE * rows + (6 if rows else EDGE)


def _draw_head(drawing: Drawing, placed: Placed) -> None:
    title, legend, beside = _head_rows(placed)
    rows = len(title) if beside else len(title) + len(legend)
    y = placed.top - 6 - LINE * (rows - 0.5)
    for text in title:
        drawing.shapes.append(Text(placed.left, y, text, TITLE, bold=True))
        y += LINE
    if beside:
        for row in legend:
            left = placed.right - sum(map(_entry, row)) + 12
            _draw_legend_row(drawing, row, left, placed.top - 6 - LINE / 2)
        return
    for row in legend:
        _draw_legend_row(drawing, row, placed.left, y)
        y += LINE


# --- panels -------------------------------------------------------------------------------------------------


def _draw_panel(drawing: Drawing, placed: Placed, below: Placed | None) -> float:
    """Draw a panel; return the height of its numbers and labels below the axes."""
    panel = placed.panel
    _draw_head(drawing, placed)
    if placed.empty:
        _draw_note(drawing, placed)
        return 0.0
    x_ticks = _ticks(panel.x, placed.x, placed.width, "x")
    _draw_grid(drawing, placed, x_ticks)
    inside: list[Shape] = []
    free: list[Shape] = []
    for mark in _assign_colours(panel.marks):
        _MARKS[type(mark)](placed, mark, inside, free)
    if inside:
        drawing.shapes.append(
            Clip(placed.left - 1, placed.top - 1, placed.width + 2, panel.height + 2, inside)
        )
    _draw_axes(drawing, placed)
    drawing.shapes += free
    drawing.shapes += _events(placed)
    if panel.x.of_flight:
        drawing.shapes.append(TimeFrame(placed.left, placed.top, placed.width, panel.height, *placed.x))
    for mark in panel.marks:
        if isinstance(mark, Field):
            drawing.shapes += _scale(placed, mark)
    return _draw_feet(drawing, placed, x_ticks, below)


def _draw_note(drawing: Drawing, placed: Placed) -> None:
    """The note of an empty panel, in place of axes."""
    box = rectangle(placed.left, placed.top, placed.right, placed.bottom)
    drawing.shapes.append(Area([box], GRID, 0.4))
    middle = (placed.top + placed.bottom) / 2
    drawing.shapes.append(Text(placed.left + 8, middle, placed.panel.note, SIZE, colour=DIM))


def _numbers(mark: Mark) -> tuple[np.ndarray, ...]:
    if isinstance(mark, Line | Points):
        return (np.asarray(mark.y, dtype=float),)
    if isinstance(mark, Field):
        return (mark.values,)
    if isinstance(mark, Histogram):
        return (mark.heights,)
    return (np.ones(1),) if isinstance(mark, Between | Bar) else ()


def _draw_grid(drawing: Drawing, placed: Placed, x_ticks: ticks.Ticks) -> None:
    if any(isinstance(mark, Field) for mark in placed.panel.marks):
        return
    xs = placed.x_pixels(x_ticks.at)
    ys = placed.up(placed.y_ticks.at) if not placed.panel.y.names else ()
    upright = [np.array([[x, placed.top], [x, placed.bottom]]) for x in xs]
    level = [np.array([[placed.left, y], [placed.right, y]]) for y in ys]
    drawing.shapes.append(Stroke([*upright, *level], GRID, 0.8))


def _draw_axes(drawing: Drawing, placed: Placed) -> None:
    left, bottom = placed.left, placed.bottom
    corner = np.array([[left, placed.top], [left, bottom], [placed.right, bottom]])
    short = [np.array([[left - 3, y], [left, y]]) for y in placed.up(placed.y_ticks.minor)]
    drawing.shapes.append(Stroke([corner, *short], INK, 0.9))
    names = placed.panel.y.names
    if not placed.panel.y.numbered:
        return
    for at, text in zip(placed.y_ticks.at, placed.y_ticks.texts):
        y = float(placed.up(at)[0])
        drawing.shapes.append(Text(left - TICK, y, text, SIZE, "end"))
    lines = [] if names else _y_label(placed)
    numbers = max((text_width(text, SIZE) for text in placed.y_ticks.texts), default=0.0)
    x = left - TICK - numbers - 4 - LINE * (len(lines) - 0.5)
    for text in lines:
        # Stay within the top of the page.
        y = max((placed.top + bottom) / 2, text_width(text, SIZE) / 2 + 1)
        drawing.shapes.append(Text(x, y, text, SIZE, "middle", up=True))
        x += LINE


def _draw_feet(drawing: Drawing, placed: Placed, x_ticks: ticks.Ticks, below: Placed | None) -> float:
    """Draw numbers and label below a panel; if the panel below has the same label, it is drawn once."""
    if not placed.panel.x.numbered:
        return 0.0
    y = placed.bottom + TICK + 2 + SIZE / 2
    for at, text in zip(x_ticks.at, x_ticks.texts):
        half = text_width(text, SIZE) / 2
        x = min(max(float(placed.x_pixels(at)[0]), half), WIDTH - half)
        drawing.shapes.append(Text(x, y, text, SIZE, "middle"))
    reach = TICK + 2 + SIZE
    if below is not None and below.empty:
        below = None
    same = below is not None and _ticks(below.panel.x, below.x, below.width, "x").label == x_ticks.label
    if not x_ticks.label or same:
        return reach
    middle = (placed.left + placed.right) / 2
    for text in wrap(x_ticks.label, placed.width + RIGHT, SIZE):
        y += LINE
        reach += LINE
        drawing.shapes.append(Text(middle, y, text, SIZE, "middle"))
    return reach


# --- events -------------------------------------------------------------------------------------------------


def _events(placed: Placed) -> Iterator[Shape]:
    """Draw dotted lines with event numbers at the top; numbers of close events share one text."""
    low, high = placed.x
    shown = [(float(placed.x_pixels(x)[0]), number) for x, number in placed.panel.events if low <= x <= high]
    if not shown:
        return
    lines = [np.array([[x, placed.top], [x, placed.bottom]]) for x in sorted({round(x, 1) for x, _ in shown})]
    yield Stroke(lines, DIM, 1.0, "dotted")
    groups = [[one] for one in shown]
    while True:
        texts = [_event_text(group, placed) for group in groups]
        near = next((k for k, (a, b) in enumerate(pairwise(texts)) if a.box[2] + MARK_ROOM > b.box[0]), None)
        if near is None:
            break
        groups[near] += groups.pop(near + 1)
    for text in texts:
        left, top, right, bottom = text.box
        # The text of several events may extend to the line of the last one.
        yield Area([rectangle(left - 1, top - 1, right + 1, bottom + 1)], "#ffffff", 0.85)
        yield text


def _event_text(group: list[tuple[float, int]], placed: Placed) -> Text:
    x, first = group[0]
    text = str(first) if len(group) == 1 else f"{first}-{group[-1][1]}"
    y = placed.top + 2 + SMALL / 2
    if x + MARK_ROOM + text_width(text, SMALL) <= placed.right:
        return Text(x + MARK_ROOM, y, text, SMALL)
    return Text(min(x, group[0][0]) - MARK_ROOM, y, text, SMALL, "end")


# --- marks --------------------------------------------------------------------------------------------------


def _line(placed: Placed, mark: Line, inside: list[Shape], free: list[Shape]) -> None:
    x, y = placed.x_pixels(mark.x), placed.up(mark.y)
    pieces = [np.column_stack([x[run], y[run]]) for run in runs(y)]
    if mark.dots:
        inside.append(Dots(np.concatenate([np.zeros((0, 2)), *pieces]), 2.2, mark.colour))
    pieces = [piece[thin(piece[:, 0], piece[:, 1])] for piece in pieces]
    alone = [piece for piece in pieces if len(piece) == 1]
    if alone:
        inside.append(Dots(np.concatenate(alone), mark.width, mark.colour))
    inside.append(Stroke([piece for piece in pieces if len(piece) > 1], mark.colour, mark.width, mark.dash))


def _points(placed: Placed, mark: Points, inside: list[Shape], free: list[Shape]) -> None:
    centres, half = placed.at(mark.x, mark.y), mark.size / 2
    centres = centres[np.isfinite(centres).all(axis=1)]
    # Points on the edge are drawn completely; points outside are not drawn.
    room = np.array([1e-6 * placed.width, 1e-6 * placed.panel.height])
    corner = np.array([placed.left, placed.top]) - room
    end = np.array([placed.right, placed.bottom]) + room
    centres = centres[((centres >= corner) & (centres <= end)).all(axis=1)]
    if mark.shape == "cross":
        arms = [np.array([[-half, -half], [half, half]]), np.array([[-half, half], [half, -half]])]
        free.append(Stroke([centre + arm for centre in centres for arm in arms], mark.colour, 1.8))
    else:
        free.append(Dots(centres, half, mark.colour, filled=mark.shape == "dot"))


def _limit(placed: Placed, mark: Limit, inside: list[Shape], free: list[Shape]) -> None:
    if mark.axis == "y":
        y = float(placed.up(mark.at)[0])
        line = np.array([[placed.left, y], [placed.right, y]])
    else:
        x = float(placed.x_pixels(mark.at)[0])
        line = np.array([[x, placed.top], [x, placed.bottom]])
    inside.append(Stroke([line], mark.colour, mark.width, mark.dash))


def _band(placed: Placed, mark: Band, inside: list[Shape], free: list[Shape]) -> None:
    if mark.axis == "y":
        bottom, top = placed.up([mark.low, mark.high])
        inside.append(Area([rectangle(placed.left, top, placed.right, bottom)], mark.colour, 0.12))
    else:
        left, right = placed.x_pixels([mark.low, mark.high])
        inside.append(Area([rectangle(left, placed.top, right, placed.bottom)], mark.colour, 0.12))


def _between(placed: Placed, mark: Between, inside: list[Shape], free: list[Shape]) -> None:
    known = np.isfinite(mark.low) & np.isfinite(mark.high)
    for run in runs(np.where(known, 0.0, np.nan)):
        low, high = (placed.at(mark.x[run], ends[run]) for ends in (mark.low, mark.high))
        edges = [edge[thin(edge[:, 0], edge[:, 1])] for edge in (low, high)]
        inside.append(Area([np.concatenate([edges[0], edges[1][::-1]])], mark.colour))


def _bar(placed: Placed, mark: Bar, inside: list[Shape], free: list[Shape]) -> None:
    one, other = placed.x_pixels([mark.start, mark.end])
    half = mark.thickness / 2
    top, bottom = placed.up([mark.row - half, mark.row + half])
    if np.isfinite(other):
        one = one if np.isfinite(one) else placed.left
        inside.append(Area([rectangle(min(one, other), top, max(one, other), bottom)], mark.colour))
    if mark.text:
        right = mark.side == "right" if mark.side else mark.end >= mark.start
        anchor, shift = ("start", 4.0) if right else ("end", -4.0)
        free.append(Text(float(other) + shift, float(placed.up(mark.row)[0]), mark.text, SMALL, anchor))


def _histogram(placed: Placed, mark: Histogram, inside: list[Shape], free: list[Shape]) -> None:
    x, tops, bottom = placed.x_pixels(mark.edges), placed.up(mark.heights), float(placed.up(0.0)[0])
    gap = min(0.5, float(np.diff(x).min(initial=np.inf)) / 8)
    bars = [
        rectangle(left + gap, top, right - gap, bottom)
        for left, right, top, height in zip(x, x[1:], tops, mark.heights)
        if height > 0
    ]
    inside.append(Area(bars, mark.colour))


def _field(placed: Placed, mark: Field, inside: list[Shape], free: list[Shape]) -> None:
    steps = contours.levels(mark.values, mark.levels)
    found = contours.cells(placed.x_pixels(mark.x), placed.up(mark.y), mark.values)
    for k, (low, high) in enumerate(pairwise(steps)):
        polygons = contours.fill_polygons(
            found, low if k else -np.inf, high if k + 2 < len(steps) else np.inf
        )
        if polygons:
            inside.append(Area(polygons, contours.colour(k / max(len(steps) - 2, 1))))
    for level in mark.lines:
        inside.append(Stroke(contours.lines(found, level), "#b3261e", 2.0))


_MARKS: dict[type, Callable[..., None]] = {
    Line: _line,
    Points: _points,
    Limit: _limit,
    Band: _band,
    Between: _between,
    Bar: _bar,
    Histogram: _histogram,
    Field: _field,
}


# --- the scale of a field -----------------------------------------------------------------------------------


def _scale_ticks(panel: Panel, field: Field) -> tuple[np.ndarray, ticks.Ticks]:
    steps = contours.levels(field.values, field.levels)
    axis = Axis(field.label)
    return steps, _ticks(axis, (float(steps[0]), float(steps[-1])), panel.height, "y")


def _scale_room(panel: Panel) -> float:
    """Width of the colour scale right of a panel with a field."""
    fields = [mark for mark in panel.marks if isinstance(mark, Field)]
    if not fields:
        return 0.0
    _, found = _scale_ticks(panel, fields[0])
    numbers = max((text_width(text, SIZE) for text in found.texts), default=0.0)
    lines = wrap(found.label, panel.height + LINE, SIZE)
    return SCALE_GAP + SCALE_BAR + TICK + numbers + 4 + LINE * len(lines)


def _scale(placed: Placed, field: Field) -> Iterator[Shape]:
    steps, found = _scale_ticks(placed.panel, field)
    left = placed.right + SCALE_GAP
    bar = replace(placed, y=(float(steps[0]), float(steps[-1])), left=left, width=SCALE_BAR)
    for k, (low, high) in enumerate(pairwise(bar.up(steps))):
        yield Area([rectangle(left, high, bar.right, low)], contours.colour(k / max(len(steps) - 2, 1)))
    for at, text in zip(found.at, found.texts):
        yield Text(bar.right + TICK, float(bar.up(at)[0]), text, SIZE)
    numbers = max((text_width(text, SIZE) for text in found.texts), default=0.0)
    x = bar.right + TICK + numbers + 4 + LINE / 2
    for text in wrap(found.label, placed.panel.height + LINE, SIZE):
        middle = (placed.top + placed.bottom) / 2
        yield Text(x, max(middle, text_width(text, SIZE) / 2 + 1), text, SIZE, "middle", up=True)
        x += LINE
