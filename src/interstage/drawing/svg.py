"""Write drawings as SVG without other packages. The files are small and open fast.

Coordinates are integers in tenths of a px.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from .figure import Figure
from .layout import draw
from .shapes import INK, Area, Clip, Dots, Drawing, Shape, Stroke, Text, TimeFrame, rectangle
from .words import RIGHT_TO_LEFT

TENTHS = 10
FONT = "system-ui,'DejaVu Sans',sans-serif"
DASHES = {"dashed": (5, 3), "dotted": (1.2, 2.6), "dash-dot": (6, 2.5, 1.2, 2.5)}
BASE_LINE = 0.36
"""Distance from the middle of digits to their baseline, relative to the font size."""


def inline(figure: Figure) -> str:
    """Return a figure as an SVG element for an HTML page."""
    drawing = draw(figure)
    return _element(drawing, f' style="aspect-ratio:{drawing.width:.0f}/{drawing.height:.0f}"')


def document(figure: Figure) -> str:
    """Return a figure as the text of an SVG file with a white background."""
    drawing = draw(figure)
    size = f' width="{drawing.width:.0f}" height="{drawing.height:.0f}"'
    white = Area([rectangle(0, 0, drawing.width, drawing.height)], "#ffffff")
    drawing.shapes.insert(0, white)
    return _element(drawing, ' xmlns="http://www.w3.org/2000/svg"' + size) + "\n"


def _element(drawing: Drawing, attributes: str) -> str:
    box = f"0 0 {_whole(drawing.width)} {_whole(drawing.height)}"
    title = escape(drawing.title)
    head = f'<svg role="img" aria-label="{title}" viewBox="{box}"{attributes} font-family="{FONT}"'
    body = "\n".join(_written(drawing.shapes))
    return f'{head} fill="{INK}" stroke-linejoin="round">\n{body}\n</svg>'


def _written(shapes: Sequence[Shape]) -> list[str]:
    return [text for shape in shapes if (text := _WRITERS[type(shape)](shape))]


def _whole(value: float) -> int:
    return round(TENTHS * value)


def _path(points: Sequence[np.ndarray], close: str = "") -> str:
    """Lines through points, each relative to the end of the previous line."""
    parts = []
    for piece in points:
        whole = np.rint(TENTHS * piece).astype(int)
        steps = np.diff(whole, axis=0)
        steps = steps[np.any(steps != 0, axis=1)]
        x, y = whole[0].tolist()
        parts.append(f"M{x} {y}l" + " ".join(map(str, steps.ravel().tolist())) + close if len(steps) else "")
    return "".join(parts).replace(" -", "-")


def _stroke(shape: Stroke) -> str:
    path = _path(shape.lines)
    if not path:
        return ""
    dashes = DASHES.get(shape.dash)
    dash = f' stroke-dasharray="{" ".join(str(_whole(d)) for d in dashes)}"' if dashes else ""
    width = f'stroke-width="{_whole(shape.width)}"'
    return f'<path d="{path}" fill="none" stroke="{shape.colour}" {width}{dash}/>'


def _area(shape: Area) -> str:
    path = _path(shape.polygons, "z")
    opacity = f' fill-opacity="{shape.opacity:g}"' if shape.opacity < 1 else ""
    return f'<path d="{path}" fill="{shape.colour}"{opacity}/>' if path else ""


def _dots(shape: Dots) -> str:
    radius = _whole(shape.radius)
    arcs = f"m-{radius} 0a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0-{2 * radius} 0"
    centres = np.rint(TENTHS * shape.centres).astype(int).tolist()
    path = "".join(f"M{x} {y}{arcs}" for x, y in centres)
    how = (
        f'fill="{shape.colour}"' if shape.filled else f'fill="none" stroke="{shape.colour}" stroke-width="14"'
    )
    return f'<path d="{path}" {how}/>' if path else ""


def _text(shape: Text) -> str:
    x, y = _whole(shape.x), _whole(shape.y + BASE_LINE * shape.size)
    where = f'x="{x}" y="{y}"'
    if shape.up:
        x = _whole(shape.x + BASE_LINE * shape.size)
        where = f'transform="translate({x} {_whole(shape.y)})rotate(-90)"'
    anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
    colour = f' fill="{shape.colour}"' if shape.colour != INK else ""
    bold = ' font-weight="600"' if shape.bold else ""
    text = RIGHT_TO_LEFT.sub("\u2068\\g<0>\u2069", escape(shape.text, quote=False))
    return f'<text {where} font-size="{_whole(shape.size)}"{anchor}{colour}{bold}>{text}</text>'


def _clip(shape: Clip) -> str:
    """A nested drawing clips its contents and needs no identifier, which could collide in a page."""
    left, top, wide, tall = (_whole(v) for v in (shape.left, shape.top, shape.width, shape.height))
    where = f'x="{left}" y="{top}" width="{wide}" height="{tall}" viewBox="{left} {top} {wide} {tall}"'
    inner = "\n".join(_written(shape.shapes))
    return f"<svg {where}>\n{inner}\n</svg>" if inner else ""


def _time_frame(shape: TimeFrame) -> str:
    left, top, wide, tall = (_whole(v) for v in (shape.left, shape.top, shape.width, shape.height))
    times = f'data-time="{shape.low:.15g} {shape.high:.15g}"'
    return f'<rect {times} x="{left}" y="{top}" width="{wide}" height="{tall}" fill="none"/>'


_WRITERS = {
    Stroke: _stroke,
    Area: _area,
    Dots: _dots,
    Text: _text,
    Clip: _clip,
    TimeFrame: _time_frame,
}
