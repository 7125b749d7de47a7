"""A figure as plain data: panels in rows, each with axes, curves, points, limits, bars or a field.

It states what is shown; layout.py finds where everything goes, svg.py and pictures.py draw it. All numbers
are in the units that the labels of the axes name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b6b6b", "#000000")
"""Okabe and Ito's palette, which colour-blind readers tell apart; x, y, z are its first three."""
BAD = "#b3261e"
"""Colour of what should not be."""
WARN = COLOURS[4]
DASHES = ("", "dashed", "dotted", "dash-dot")
ROUNDING = 1e-17
"""Where logarithmic axes end: what is smaller is chance."""
LEAST_SPAN = 1e-2
"""Part of a value of which changes in a flight are not blown up to fill a panel."""


@dataclass(frozen=True)
class Axis:
    """An axis: its label with the unit in brackets, "force [N]".

    low, high: its ends, from what is shown where they are none. room: what is then left free on either side,
    as a part of the span. steady: changes below this part of the values do not fill the axis. log: with
    powers of ten. names: of rows, from the top, in place of numbers (y only). numbered: has numbers; panels
    above each other need them once. steps: between its numbers, from the least, in place of round ones, as of
    angles."""

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
    """A curve through (x, y), each (n,); a y that is not a number interrupts it.

    label: in the legend, "" for none. colour: "" takes the palette's next. width [px]. dash: one of DASHES.
    dots: marks each of its points."""

    x: np.ndarray
    y: np.ndarray
    label: str = ""
    colour: str = ""
    width: float = 1.6
    dash: str = ""
    dots: bool = False


@dataclass(frozen=True)
class Points:
    """Single points (x, y), each (n,): shape "dot", "ring" or "cross", `size` px wide."""

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
    """What lies between two values of one axis, tinted."""

    low: float
    high: float
    axis: str = "y"
    colour: str = BAD


@dataclass(frozen=True)
class Between:
    """What lies between two curves (n,) over the same x, tinted."""

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    colour: str = "#d9e8f2"


@dataclass(frozen=True)
class Bar:
    """A bar of a row of names (from the top, 0 first) from one value to another; `text` stands at its end.

    thickness: as a part of the row. side: of the end on which the text stands, "left" or "right"; "" is away
    from the bar."""

    row: int
    start: float
    end: float
    colour: str = COLOURS[0]
    thickness: float = 0.64
    text: str = ""
    side: str = ""


@dataclass(frozen=True)
class Field:
    """Values (x, y) over the grid of two rising coordinates, as filled contours with a scale.

    label: of the scale. lines: values along which a line is drawn. levels: about so many colours."""

    x: np.ndarray
    y: np.ndarray
    values: np.ndarray
    label: str = ""
    lines: Sequence[float] = ()
    levels: int = 12


Mark = Line | Points | Limit | Band | Between | Bar | Field


@dataclass(frozen=True)
class Panel:
    """One pair of axes and what is shown in it, the first at the back.

    title: above it. events: (x, number), dotted lines across with their numbers. height [px]. note: stands
    where there is nothing to draw."""

    marks: Sequence[Mark] = ()
    title: str = ""
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    events: Sequence[tuple[float, int]] = ()
    height: float = 150.0
    note: str = "none"


@dataclass(frozen=True)
class Figure:
    """Rows of panels, side by side in equal columns, with a caption.

    legend: (label, how its line looks) above all panels. key: short and stable, by which it is found."""

    caption: str
    rows: Sequence[Sequence[Panel]]
    legend: Sequence[Line] = ()
    key: str = ""

    @property
    def panels(self) -> list[Panel]:
        """All panels, row by row."""
        return [panel for row in self.rows for panel in row]

    def svg(self) -> str:
        """The figure as the text of an SVG file."""
        from .svg import document

        return document(self)

    def save(self, path: str | Path, dpi: float = 130) -> Path:
        """Write the figure as .svg, or, where matplotlib is installed, .png or .pdf.

        Raises BadInput where the file cannot be written."""
        from .pictures import save

        return save(self, Path(path), dpi)


def beside(panels: Sequence[Panel], columns: int = 2) -> list[list[Panel]]:
    """Panels in rows of so many."""
    return [list(panels[k : k + columns]) for k in range(0, len(panels), columns)]
