"""A figure as plain data: panels in rows, each with axes, curves, points, limits, bars or a field.

layout.py computes positions; svg.py and pictures.py draw. All numbers are in the units of the axis labels."""

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
    """An axis: its label with the unit in brackets, "force [N]".

    - low, high: its ends. Default: from the contents.
    - room: free space at both ends of the contents, as a fraction of the span.
    - steady: changes below this fraction of the values do not fill the axis.
    - log: logarithmic with powers of ten.
    - names: names of rows from the top in place of numbers (y only).
    - numbered: whether it has numbers; panels above each other need them once.
    - steps: allowed steps between numbers, the smallest first, such as for angles. Default: round steps."""

    label: str = ""
    low: float | None = None
    high: float | None = None
    room: float = 0.0
    steady: float = 0.0
    log: bool = False
    names: Sequence[str] = ()
    numbered: bool = True
    steps: Sequence[float] = ()


@dataclass(frozen=True)
class Line:
    """A curve through (x, y), each (n,); y = NaN interrupts it.

    label: in the legend, "" for none. colour: "" takes the next colour of the palette. width [px]. dash:
    one of DASHES. dots: whether each point has a marker."""

    x: np.ndarray
    y: np.ndarray
    label: str = ""
    colour: str = ""
    width: float = 1.6
    dash: str = ""
    dots: bool = False


@dataclass(frozen=True)
class Points:
    """Single points (x, y), each (n,): shape "dot", "ring" or "cross", `size` [px]."""

    x: Sequence[float] | np.ndarray
    y: Sequence[float] | np.ndarray
    shape: str = "dot"
    colour: str = COLOURS[0]
    size: float = 6.0


@dataclass(frozen=True)
class Limit:
    """A straight line across the panel at a value of one axis, "x" or "y"."""

    at: float
    axis: str = "y"
    colour: str = WARN
    dash: str = "dashed"
    width: float = 1.2


@dataclass(frozen=True)
class Band:
    """A tinted range between two values of one axis."""

    low: float
    high: float
    axis: str = "y"
    colour: str = BAD


@dataclass(frozen=True)
class Between:
    """A tinted range between two curves (n,) over the same x."""

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    colour: str = "#d9e8f2"


@dataclass(frozen=True)
class Bar:
    """A bar in a row (from the top, 0 first) from one value to another, with `text` at its end.

    thickness: as a fraction of the row. side: end with the text, "left" or "right"; Default: away from the
    bar."""

    row: int
    start: float
    end: float
    colour: str = COLOURS[0]
    thickness: float = 0.64
    text: str = ""
    side: str = ""


@dataclass(frozen=True)
class Field:
    """Values (x, y) on a grid of two rising coordinates, as filled contours with a colour scale.

    label: of the scale. lines: values with a contour line. levels: approximate number of colours."""

    x: np.ndarray
    y: np.ndarray
    values: np.ndarray
    label: str = ""
    lines: Sequence[float] = ()
    levels: int = 12


Mark = Line | Points | Limit | Band | Between | Bar | Field


@dataclass(frozen=True)
class Panel:
    """A pair of axes with its contents; the first item is at the back.

    title: above it. events: (x, number), numbered dotted lines. height [px]. note: text in place of empty
    contents."""

    marks: Sequence[Mark] = ()
    title: str = ""
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    events: Sequence[tuple[float, int]] = ()
    height: float = 150.0
    note: str = "none"


@dataclass(frozen=True)
class Figure:
    """Rows of panels in equal columns, with a caption.

    legend: (label, line style) above all panels. key: a short stable identifier."""

    caption: str
    rows: Sequence[Sequence[Panel]]
    legend: Sequence[Line] = ()
    key: str = ""

    @property
    def panels(self) -> list[Panel]:
        """Return all panels, row by row."""
        return [panel for row in self.rows for panel in row]

    def svg(self) -> str:
        """Return the figure as the text of an SVG file."""
        from .svg import document

        return document(self)

    def save(self, path: str | Path, dpi: float = 130) -> Path:
        """Write the figure as .svg, or, if matplotlib is installed, as .png or .pdf.

        Raises BadInput if the file cannot be written."""
        from .pictures import save

        return save(self, Path(path), dpi)


def in_rows(panels: Sequence[Panel], columns: int = 2) -> list[list[Panel]]:
    """Return panels in rows of a given length."""
    return [list(panels[k : k + columns]) for k in range(0, len(panels), columns)]
