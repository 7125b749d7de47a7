"""Shapes of a drawing: strokes, areas, texts and others.

Positions are in px from the upper left corner of the page. Later shapes cover earlier shapes.
"""

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
"""Width of each letter relative to the font size.

This width is at least the width in DejaVu Sans, which is wider than the fonts of browsers. Tests compare
these widths with the font.
"""
OTHER = 0.64
"""Width of letters and digits that `WIDTHS` does not contain, relative to the font size."""
BOLD = 1.15
TALL = 0.76
"""Height of capital letters and digits, relative to the font size."""


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return an upper bound of the width of a text [px]. size: font size [px]."""
    width = size * sum(WIDTHS.get(letter, OTHER if letter < "\u2e80" else 1.0) for letter in text)
    return width * BOLD if bold else width


@dataclass(frozen=True)
class Stroke:
    """Open lines, each through points (n, 2) [px].

    - width: width of the lines [px].
    - dash: name of the dash pattern; "" for a solid line.
    """

    lines: Sequence[np.ndarray]
    colour: str
    width: float = 1.0
    dash: str = ""


@dataclass(frozen=True)
class Area:
    """Filled polygons, each with the corners (n, 2) [px]."""

    polygons: Sequence[np.ndarray]
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Dots:
    """Circles around centres (n, 2) [px], filled or open. radius: [px]."""

    centres: np.ndarray
    radius: float
    colour: str
    filled: bool = True


@dataclass(frozen=True)
class Text:
    """One line of text.

    - x: horizontal position of the start, middle or end of the text, see `anchor` [px].
    - y: vertical position of the middle of the text [px].
    - size: font size [px].
    - anchor: "start", "middle" or "end".
    - up: true for a text that runs upwards.
    """

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
        """Return the left, upper, right and lower end of the text [px]."""
        wide, tall = text_width(self.text, self.size, self.bold), TALL * self.size
        before = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * wide
        if self.up:
            return self.x - tall / 2, self.y + before - wide, self.x + tall / 2, self.y + before
        return self.x - before, self.y - tall / 2, self.x - before + wide, self.y + tall / 2


@dataclass(frozen=True)
class Clip:
    """Shapes of which only the part inside a rectangle is drawn. left, top, width, height: rectangle [px]."""

    left: float
    top: float
    width: float
    height: float
    shapes: Sequence[Shape]


@dataclass(frozen=True)
class TimeFrame:
    """Invisible frame of a panel whose horizontal axis is time.

    - left, top, width, height: rectangle of the axes [px].
    - low, high: times at the left and right end [s].
    """

    left: float
    top: float
    width: float
    height: float
    low: float
    high: float


Shape = Stroke | Area | Dots | Text | Clip | TimeFrame


@dataclass
class Drawing:
    """Page with its shapes.

    - title: text that describes the figure.
    - width, height: size of the page [px].
    - shapes: shapes in drawing order.
    """

    title: str
    width: float
    height: float = 0.0
    shapes: list[Shape] = field(default_factory=list)

    @property
    def texts(self) -> list[Text]:
        """Return all texts on the page. Texts inside of a `Clip` are not included."""
        return [shape for shape in self.shapes if isinstance(shape, Text)]


def rectangle(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """Return the four corners (4, 2) of a rectangle.

    left, top, right, bottom: ends of the rectangle [px].
    """
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
