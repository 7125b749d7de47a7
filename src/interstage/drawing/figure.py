"""Describe figures as plain data: rows of panels with axes. A panel has curves, points, limits, bars or a
field.

The module `layout` computes positions. The modules `svg` and `pictures` draw the figure. All values are in
the units of the axis labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b6b6b", "#000000")
"""Colours of the palette of Okabe and Ito, which colour-blind readers can distinguish.

The first three colours are for the components x, y and z.
"""
BAD = "#b3261e"
"""Colour of values that violate a limit."""
WARN = COLOURS[4]
DASHES = ("", "dashed", "dotted", "dash-dot")
ROUNDING = 1e-17
"""Lower end of logarithmic axes. Smaller values are rounding errors."""
LEAST_SPAN = 1e-2
"""Minimum range of a value axis, as a fraction of the values. A smaller change does not fill the panel."""


@dataclass(frozen=True)
class Axis:
    """Axis of a panel.

    - label: label with the unit in brackets, for example "force [N]".
    - low, high: ends of the axis. Default: from the values.
    - room: free space at both ends, as a fraction of the range of the values. Default: 0.
    - steady: minimum range of the axis, as a fraction of the values. Default: 0.
    - log: true for a logarithmic axis with powers of ten.
    - names: names of rows from the top, which replace the numbers (y axis only).
    - numbered: false for an axis without numbers, for example if the panel below has the same axis.
    - steps: allowed steps between numbers, in increasing order, for example for angles. Default:
      round steps.
    - of_flight: true if the axis is the time of the flight [s]. In a report, the axis then marks the current
      time of the playback (x axis only).
    """

    label: str = ""
    low: float | None = None
    high: float | None = None
    room: float = 0.0
    steady: float = 0.0
    log: bool = False
    names: Sequence[str] = ()
    numbered: bool = True
    steps: Sequence[float] = ()
    of_flight: bool = False


@dataclass(frozen=True)
class Line:
    """Curve through the points (x, y), each (n,). NaN in y interrupts the curve.

    - label: text in the legend; "" for none.
    - colour: colour, for example "#0072b2". Default: the next colour of the palette.
    - width: width of the line [px].
    - dash: one of `DASHES`.
    - dots: true for a marker at each point.
    """

    x: np.ndarray
    y: np.ndarray
    label: str = ""
    colour: str = ""
    width: float = 1.6
    dash: str = ""
    dots: bool = False


@dataclass(frozen=True)
class Points:
    """Single points (x, y), each (n,).

    - shape: "dot", "ring" or "cross".
    - size: size of each point [px].
    """

    x: Sequence[float] | np.ndarray
    y: Sequence[float] | np.ndarray
    shape: str = "dot"
    colour: str = COLOURS[0]
    size: float = 6.0


@dataclass(frozen=True)
class Limit:
    """Straight line across the panel at one axis value.

    - at: value of the axis.
    - axis: axis of the value, "x" or "y".
    """

    at: float
    axis: str = "y"
    colour: str = WARN
    dash: str = "dashed"
    width: float = 1.2


@dataclass(frozen=True)
class Band:
    """Coloured band across the panel between two axis values.

    - low, high: lower and upper value of the axis.
    - axis: axis of the values, "x" or "y".
    """

    low: float
    high: float
    axis: str = "y"
    colour: str = BAD


@dataclass(frozen=True)
class Between:
    """Coloured area between two curves `low` and `high` (n,), which share the coordinates x (n,)."""

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    colour: str = "#d9e8f2"


@dataclass(frozen=True)
class Bar:
    """Horizontal bar in a row of the panel, from `start` to `end`, with a text at one end.

    - row: index of the row, from 0 at the top.
    - thickness: height of the bar as a fraction of the row height.
    - side: end of the bar that has the text, "left" or "right". Default: the outer end.
    """

    row: int
    start: float
    end: float
    colour: str = COLOURS[0]
    thickness: float = 0.64
    text: str = ""
    side: str = ""


@dataclass(frozen=True)
class Histogram:
    """Vertical bars from zero over adjacent intervals of x.

    - edges: (n + 1,), ends of the intervals, in increasing order.
    - heights: (n,), heights of the bars.
    """

    edges: np.ndarray
    heights: np.ndarray
    colour: str = COLOURS[5]


@dataclass(frozen=True)
class Field:
    """Filled contours of values on a grid, with a colour scale.

    - x, y: coordinates of the grid (i,) and (j,), in increasing order.
    - values: values at the grid points (i, j).
    - label: label of the colour scale.
    - lines: values at which a contour line is drawn.
    - levels: approximate number of colours.
    """

    x: np.ndarray
    y: np.ndarray
    values: np.ndarray
    label: str = ""
    lines: Sequence[float] = ()
    levels: int = 12


Mark = Line | Points | Limit | Band | Between | Bar | Histogram | Field


@dataclass(frozen=True)
class Panel:
    """Panel of a figure: a pair of axes with curves and other marks.

    - marks: marks in drawing order; later marks cover earlier marks.
    - title: text above the panel.
    - x, y: axes.
    - events: (x, number) of each event, drawn as a dotted line with its number.
    - height: height of the axes [px].
    - note: text of a panel without marks.
    - equal_scales: if true, a unit has the same length [px] on both axes. The shorter axis is then
      extended.
    """

    marks: Sequence[Mark] = ()
    title: str = ""
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    events: Sequence[tuple[float, int]] = ()
    height: float = 150.0
    note: str = "none"
    equal_scales: bool = False


@dataclass(frozen=True)
class Figure:
    """Figure: rows of panels in columns of equal width, with a caption.

    - rows: panels of each row.
    - caption: text of the caption.
    - legend: lines with labels above all panels.
    - key: short name that does not change between versions.
    - description: sentences with the main values, for readers who cannot see the figure.
    """

    caption: str
    rows: Sequence[Sequence[Panel]]
    legend: Sequence[Line] = ()
    key: str = ""
    description: str = ""

    @property
    def panels(self) -> list[Panel]:
        """Return all panels, row by row."""
        return [panel for row in self.rows for panel in row]

    def svg(self) -> str:
        """Return the figure as the text of an SVG file."""
        from .svg import document

        return document(self)

    def __repr__(self) -> str:
        count = len(self.panels)
        return f"<Figure of {count} panel{'' if count == 1 else 's'}: {self.caption}>"

    def _repr_svg_(self) -> str:
        return self.svg()  # for notebooks

    def save(self, path: str | Path, dpi: float = 130) -> Path:
        """Write the figure as an .svg file, or as .png or .pdf if matplotlib is installed, and return the
        path.

        dpi: resolution of .png files. Raises BadInput if the file cannot be written."""
        from .pictures import save

        return save(self, Path(path), dpi)


def in_rows(panels: Sequence[Panel], columns: int = 2) -> list[list[Panel]]:
    """Divide panels into rows. columns: number of panels in each row. Default: 2."""
    return [list(panels[k : k + columns]) for k in range(0, len(panels), columns)]
