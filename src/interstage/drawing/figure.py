"""Figures as plain data: rows of panels with axes, curves, points, limits, bars or a field.

layout.py computes positions; svg.py and pictures.py draw. All values are in the units of the axis labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b6b6b", "#000000")
"""Palette of Okabe and Ito, safe for colour-blind readers; its first three colours are for x, y, z."""
BAD = "#b3261e"
"""Colour of violations."""
WARN = COLOURS[4]
DASHES = ("", "dashed", "dotted", "dash-dot")
ROUNDING = 1e-17
"""Lower end of logarithmic axes; smaller values are noise."""
LEAST_SPAN = 1e-2
"""Changes below this fraction of a value are not magnified to fill a panel."""


@dataclass(frozen=True)
class Axis:
    """Axis of a panel.

    - label: label with the unit in brackets, for example "force [N]"
    - low, high: ends of the axis. Default: from the contents
    - room: free space at both ends of the contents, as a fraction of the span. Default: 0
    - steady: changes below this fraction of the values are not magnified to fill the axis. Default: 0
    - log: true for a logarithmic axis with powers of ten
    - names: names of rows from the top, in place of numbers (y axis only)
    - numbered: false for an axis without numbers, for example above another panel with the same axis
    - steps: allowed steps between numbers, in increasing order, for example for angles. Default: round
      steps
    - of_flight: true for the time of the flight [s]; a report then shows its present time (x axis only)"""

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
    - colour: colour name. Default: the next colour of the palette.
    - width: [px].
    - dash: one of `DASHES`.
    - dots: true for a marker at each point."""

    x: np.ndarray
    y: np.ndarray
    label: str = ""
    colour: str = ""
    width: float = 1.6
    dash: str = ""
    dots: bool = False


@dataclass(frozen=True)
class Points:
    """Single points (x, y), each (n,). shape: "dot", "ring" or "cross". size: [px]."""

    x: Sequence[float] | np.ndarray
    y: Sequence[float] | np.ndarray
    shape: str = "dot"
    colour: str = COLOURS[0]
    size: float = 6.0


@dataclass(frozen=True)
class Limit:
    """Straight line across the panel at one value of an axis. at: the value. axis: "x" or "y"."""

    at: float
    axis: str = "y"
    colour: str = WARN
    dash: str = "dashed"
    width: float = 1.2


@dataclass(frozen=True)
class Band:
    """Tinted range between two values of one axis. low, high: the values. axis: "x" or "y"."""

    low: float
    high: float
    axis: str = "y"
    colour: str = BAD


@dataclass(frozen=True)
class Between:
    """Tinted range between two curves, low and high (n,), over the same x (n,)."""

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    colour: str = "#d9e8f2"


@dataclass(frozen=True)
class Bar:
    """Horizontal bar in a row of the panel, from `start` to `end`, with a text at one end.

    - row: index of the row, from 0 at the top.
    - thickness: fraction of the row height.
    - side: end with the text, "left" or "right". Default: the outer end."""

    row: int
    start: float
    end: float
    colour: str = COLOURS[0]
    thickness: float = 0.64
    text: str = ""
    side: str = ""


@dataclass(frozen=True)
class Histogram:
    """Vertical bars from zero over adjacent ranges of x. edges: (n + 1,), increasing. heights: (n,)."""

    edges: np.ndarray
    heights: np.ndarray
    colour: str = COLOURS[5]


@dataclass(frozen=True)
class Field:
    """Filled contours of values on a grid, with a colour scale.

    - x, y: increasing coordinates.
    - values: (x, y).
    - label: label of the scale.
    - lines: values with a contour line.
    - levels: approximate number of colours."""

    x: np.ndarray
    y: np.ndarray
    values: np.ndarray
    label: str = ""
    lines: Sequence[float] = ()
    levels: int = 12


Mark = Line | Points | Limit | Band | Between | Bar | Histogram | Field


@dataclass(frozen=True)
class Panel:
    """Pair of axes with contents.

    - marks: contents; the first item is at the back.
    - title: text above the panel.
    - x, y: axes.
    - events: (x, number) of numbered dotted lines.
    - height: [px].
    - note: text that replaces empty contents.
    - equal_scales: true if a unit has the same length [px] on both axes; the shorter axis is extended."""

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

    - legend: lines with labels above all panels.
    - key: short stable name.
    - description: sentences with the main numbers, for readers who cannot see the figure."""

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
    """Return panels in rows. columns: number of panels in a row. Default: 2."""
    return [list(panels[k : k + columns]) for k in range(0, len(panels), columns)]
