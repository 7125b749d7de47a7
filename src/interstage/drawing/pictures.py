"""Write figures to files: SVG without other packages, PNG and PDF with matplotlib. All formats show the same
drawing.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tree.errors import BadInput
from ..tree.saving import write_file
from .figure import Figure
from .layout import draw
from .shapes import Area, Clip, Dots, Shape, Stroke, Text, TimeFrame
from .svg import BASE_LINE, DASHES, document

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Picture

SUFFIXES = (".png", ".svg", ".pdf")
POINTS = 72 / 96
"""Typographic points per px."""
NO_STAMP = {".png": {"Software": None}, ".pdf": {"CreationDate": None, "Producer": None, "Creator": None}}
"""Settings that omit dates and program names from a file, so that the same figure always gives the same file.
"""


def check_picture(path: Path) -> None:
    """Check before a flight that a figure can be written to a file. Raises BadInput otherwise."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise BadInput(f"'{path}' is not a picture file. Allowed endings: {', '.join(SUFFIXES)}")
    if suffix != ".svg":
        _need_matplotlib(path)


def _need_matplotlib(path: Path) -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise BadInput(
            f"'{path}': {path.suffix} pictures need the package matplotlib, which is not installed. Run"
            " pip install 'interstage[pictures]', or choose the ending .svg"
        ) from None


def save(figure: Figure, path: Path, dpi: float) -> Path:
    """Write a figure to a file. The suffix of the path selects the format.

    dpi: resolution of .png files. Raises BadInput if the file cannot be written.
    """
    check_picture(path)
    suffix = path.suffix.lower()
    if suffix == ".svg":
        write_file(path, document(figure))
        return path
    drawn = io.BytesIO()
    picture(figure).savefig(drawn, dpi=dpi, format=suffix[1:], metadata=NO_STAMP[suffix])
    write_file(path, drawn.getvalue())
    return path


def picture(figure: Figure) -> Picture:
    """Return the figure as a matplotlib figure."""
    from matplotlib.figure import Figure as Picture

    drawing = draw(figure)
    found = Picture(figsize=(drawing.width / 96, drawing.height / 96))
    ax = found.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set(xlim=(0, drawing.width), ylim=(drawing.height, 0))
    _add(ax, drawing.shapes, None)
    return found


def _add(ax: Axes, shapes: Sequence[Shape], within: Any) -> None:
    for shape in shapes:
        if isinstance(shape, Clip):
            _add(ax, shape.shapes, _frame(ax, shape))
        elif isinstance(shape, Text):
            _add_text(ax, shape)
        elif not isinstance(shape, TimeFrame):
            _add_path(ax, shape, within)


def _frame(ax: Axes, shape: Clip) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((shape.left, shape.top), shape.width, shape.height, transform=ax.transData)


def _add_text(ax: Axes, shape: Text) -> None:
    down = BASE_LINE * shape.size
    x, y = (shape.x + down, shape.y) if shape.up else (shape.x, shape.y + down)
    align: Any = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
    ax.text(
        x,
        y,
        shape.text.replace("$", r"\$"),
        fontsize=shape.size * POINTS,
        color=shape.colour,
        weight="bold" if shape.bold else "normal",
        ha=align,
        va="baseline",
        rotation=90 if shape.up else 0,
        rotation_mode="anchor",
        zorder=_next(ax),
    )


def _add_path(ax: Axes, shape: Stroke | Area | Dots, within: Any) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Outline

    how: Any = {"facecolor": "none", "edgecolor": shape.colour, "capstyle": "butt", "joinstyle": "round"}
    if isinstance(shape, Stroke):
        outlines = [Outline(line) for line in shape.lines]
        how["linewidth"] = shape.width * POINTS
        if dashes := DASHES.get(shape.dash):
            # matplotlib counts dashes in multiples of the line width.
            how["linestyle"] = (0, tuple(dash / shape.width for dash in dashes))
    elif isinstance(shape, Area):
        outlines = [Outline(np.vstack([polygon, polygon[:1]]), closed=True) for polygon in shape.polygons]
        how |= {"facecolor": shape.colour, "alpha": shape.opacity, "linewidth": 0}
    else:
        circle = Outline.unit_circle()
        assert circle.codes is not None
        outlines = [
            Outline(np.asarray(circle.vertices) * shape.radius + centre, circle.codes)
            for centre in shape.centres
        ]
        how["linewidth"] = 0 if shape.filled else 1.4 * POINTS
        how["facecolor"] = shape.colour if shape.filled else "none"
    if not outlines:
        return
    # All areas in one outline: adjacent areas have no visible seam.
    found = ax.add_patch(PathPatch(Outline.make_compound_path(*outlines), zorder=_next(ax), **how))
    if within is not None:
        # Only now: matplotlib clips artists to the complete axes when it adds them.
        found.set_clip_path(within)


def _next(ax: Axes) -> int:
    """Later shapes are drawn above earlier shapes."""
    return 10 + len(ax.patches) + len(ax.texts)
