"""Drawing elements: strokes, areas and texts on a page, in px from its upper left corner, back to front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

INK, DIM, GRID = "#1c2126", "#5d6872", "#e4e7ea"

NARROW = {"ijl'": 0.3, "IJ ,.·|": 0.34, "/:;\\f": 0.38, "-()[]tr!⁰¹²³⁴⁵⁶⁷⁸⁹": 0.43}
WIDE = {
    '"*_`°s⁻?zcL': 0.56,
    "Fkvxy": 0.6,
    "TYPEKVAXZBRCSα": 0.7,
    "UNHDGOQ&w#+<=>^~−×": 0.84,
    "mM": 0.98,
    "%W@…": 1.0,
}
WIDTHS = {letter: width for letters, width in (*NARROW.items(), *WIDE.items()) for letter in letters}
"""Widths of letters relative to the font size: at least the widths of DejaVu Sans, which is wider than the
fonts of browsers. Tests compare both."""
OTHER = 0.64
"""Width of other small letters and of digits."""
BOLD = 1.15
TALL = 0.76
"""Height of capitals and digits, relative to the font size."""


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return an upper bound of the width of a text [px]."""
    width = size * sum(WIDTHS.get(letter, OTHER if letter < "\u2e80" else 1.0) for letter in text)
    return width * BOLD if bold else width


@dataclass(frozen=True)
class Stroke:
    """Open lines through points, each (n, 2)."""

    lines: Sequence[np.ndarray]
    colour: str
    width: float = 1.0
    dash: str = ""


@dataclass(frozen=True)
class Area:
    """Closed polygons, each (n, 2)."""

    polygons: Sequence[np.ndarray]
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Dots:
    """Circles around centres (n, 2), filled or not."""

    centres: np.ndarray
    radius: float
    colour: str
    filled: bool = True


@dataclass(frozen=True)
class Text:
    """One line of text; y is the middle of its height, x its "start", "middle" or "end".

    `up`: the text runs upwards."""

    x: float
    y: float
    text: str
    size: float
    anchor: str = "start"
    colour: str = INK
    bold: bool = False
    up: bool = False

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Return its extent: left, top, right, bottom."""
        wide, tall = text_width(self.text, self.size, self.bold), TALL * self.size
        before = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * wide
        if self.up:
            return self.x - tall / 2, self.y + before - wide, self.x + tall / 2, self.y + before
        return self.x - before, self.y - tall / 2, self.x - before + wide, self.y + tall / 2


@dataclass(frozen=True)
class Clip:
    """Shapes clipped to a rectangle: left, top, width, height."""

    left: float
    top: float
    width: float
    height: float
    shapes: Sequence[Shape]


@dataclass(frozen=True)
class TimeFrame:
    """Invisible frame of a panel with a time axis: its rectangle, and the times at its left and right end
    [s]."""

    left: float
    top: float
    width: float
    height: float
    low: float
    high: float


Shape = Stroke | Area | Dots | Text | Clip | TimeFrame


@dataclass
class Drawing:
    """A page with its shapes; `frames` are the rectangles and axes of the panels, to read positions."""

    title: str
    width: float
    height: float = 0.0
    shapes: list[Shape] = field(default_factory=list)

    @property
    def texts(self) -> list[Text]:
        """Return all texts."""
        return [shape for shape in self.shapes if isinstance(shape, Text)]


def rectangle(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """Return the corners of a rectangle (4, 2)."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
