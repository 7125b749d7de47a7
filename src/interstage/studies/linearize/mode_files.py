"""Save the modes of several operating points as figures, HTML pages and CSV files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.figure import BAD, COLOURS, DASHES, LEAST_SPAN, Axis, Figure, Limit, Line, Mark, Panel, Points
from ...exchange.csv_file import write_csv
from ...linear.tracks import Locus, loci_of
from ..presentation.files import save_curves

if TYPE_CHECKING:
    from .result import Linear, Series

MOST_MODES = 10
"""Default number of modes in a figure. The slowest modes have priority; growing modes are always shown."""
TALL = 320.0
"""Height [px] of the panel with the complex plane."""
ROOM = 0.08
MOST_MARKED = 40
"""Largest number of operating points that are marked with dots."""
ON_TOP = LEAST_SPAN * Line.width / Panel.height
"""Two modes are drawn as one line if the relative difference of their real and imaginary parts is below this
number. The difference is the width of a line relative to the smallest range of a panel.
"""
DECADE = 10.0
"""Ratio of the largest to the smallest frequency above which the frequency axis is logarithmic."""


def save_modes(path: Path, series: Series, whole: bool) -> None:
    """Save the modes of a series to a CSV file, an HTML page or a picture. The suffix of the path selects
    the format.

    whole: whether a figure shows all modes. Raises BadInput.
    """
    save_curves(
        path,
        lambda path: _save_csv(path, series),
        lambda path: _save_page(path, series, whole),
        lambda path: mode_figure(series, whole).save(path),
    )


def _save_page(path: Path, series: Series, whole: bool) -> None:
    from ..presentation.page import save_plain_page

    title = f"Modes: {series[0].scenario.title or path.stem}"
    tables = series.tables(series[0].scenario.units, whole)
    save_plain_page(path, title, [mode_figure(series, whole), *tables])


def mode_figure(series: Series, whole: bool = False) -> Figure:
    """Return a figure of the modes of a series of operating points.

    If an input varies, the panels are the root locus, frequency and damping. Over time, the panels are
    frequency, damping, and modes without oscillation. Modes with equal eigenvalues share a line.

    whole: whether all modes are drawn. Default: the slowest and the unstable modes.
    """
    each = _in_order(series)
    every = loci_of(each)
    alike = _as_one([one for one in every if whole or one.telling])
    shown = [
        some for k, some in enumerate(alike) if whole or k < MOST_MODES or any(one.grows for one in some)
    ]
    looks = [(COLOURS[k % len(COLOURS)], DASHES[k // len(COLOURS) % len(DASHES)]) for k in range(len(shown))]
    lines = [(some[0], look) for some, look in zip(shown, looks, strict=True)]
    x, label = _over(each)
    frequency, damping = _frequency(lines, x, label), _damping(lines, x, label)
    if each[0].varied:
        caption = f"Root locus over {each[0].varied}"
        rows = [[_plane(lines, each)], [frequency], [damping]]
    else:
        caption = "Frequency and damping of the modes over time"
        rest = _others(lines, x, label)
        rows = [[frequency], [damping], *([[rest]] if rest else [])]
    count = sum(map(len, shown))
    if count < len(every):
        first = rows[0][0]
        text = (
            f"shown: {count} of {len(every)} modes, the slowest and all growing modes; --all shows all modes"
        )
        rows[0] = [replace(first, title=f"{first.title} ({text})")]
    named = zip(map(_label_of, shown), looks, strict=True)
    legend = [Line(np.zeros(0), np.zeros(0), name, colour, dash=dash) for name, (colour, dash) in named]
    return Figure(caption, rows, legend, "modes")


Drawn = Sequence[tuple[Locus, tuple[str, str]]]


def _in_order(series: Series) -> list[Linear]:
    """The operating points by level, or by time."""
    return sorted(series, key=lambda one: one.level if one.varied else one.time)


def _as_one(loci: Sequence[Locus]) -> list[list[Locus]]:
    """Groups of coincident loci in their order, such as bending in two planes."""
    found: list[tuple[np.ndarray, list[Locus]]] = []
    for locus in loci:
        # NaN sorts last.
        values = np.sort(locus.values, 0)
        some = next((some for other, some in found if _on_top(values, other)), None)
        if some is None:
            found.append((values, [locus]))
        else:
            some.append(locus)
    return [some for _, some in found]


def _on_top(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether eigenvalues (eigenvalue, operating point) are drawn as one line."""
    if one.shape != other.shape or not np.array_equal(np.isfinite(one), np.isfinite(other)):
        return False
    return all(
        bool(np.nanmax(np.abs(a - b)) <= ON_TOP * np.nanmax(np.abs(a)))
        for a, b in ((np.real(one), np.real(other)), (np.imag(one), np.imag(other)))
    )


def _over(each: Sequence[Linear]) -> tuple[np.ndarray, str]:
    """Abscissa and its label: levels of the input, or times [s]."""
    if each[0].varied:
        return np.array([one.level for one in each]), each[0].varied
    return np.array([one.time for one in each]), "time [s]"


def _label_of(some: Sequence[Locus]) -> str:
    """Label of coincident modes: participation, number of modes, and the first frequency or eigenvalue."""
    things = Counter(one.thing for one in some)
    moving = ", ".join(f"{count} x {thing}" if count > 1 else thing for thing, count in things.items())
    swinging = some[0].swinging[np.isfinite(some[0].swinging)]
    if swinging.size:
        return f"{moving}, {abs(swinging[0]) / (2 * np.pi):.3g} Hz"
    ways = some[0].values.T
    known = ways[np.imag(ways) == 0]
    return f"{moving}, {np.real(known[0]):.3g} 1/s"


def _plane(lines: Drawn, each: Sequence[Linear]) -> Panel:
    """Eigenvalues in the complex plane, with a cross at the first level and a ring at the last."""
    marks: list[Mark] = [Limit(0.0, "x", BAD), Limit(0.0, "y", "#9aa2a9", "", 0.8)]
    for locus, (colour, dash) in lines:
        for way in locus.values:
            marks.append(
                Line(np.real(way), np.imag(way), colour=colour, dash=dash, dots=len(each) <= MOST_MARKED)
            )
    for locus, (colour, _) in lines:
        for shape, end in (("cross", 0), ("ring", -1)):
            points = locus.values[:, end]
            marks.append(Points(np.real(points), np.imag(points), shape, colour, 9.0))
    first, last = (f"{each[end].level:.6g}" for end in (0, -1))
    title = f"Eigenvalues. Cross: first level, {first}; ring: last level, {last}; right of red line: unstable"
    x, y = Axis("real part [1/s]", room=ROOM), Axis("imaginary part [rad/s]", room=ROOM)
    return Panel(marks, title, x, y, height=TALL)


def _frequency(lines: Drawn, x: np.ndarray, label: str) -> Panel:
    found = [(np.abs(one.swinging) / (2 * np.pi), look) for one, look in lines if one.swings]
    every = np.concatenate([np.zeros(0), *(y[np.isfinite(y)] for y, _ in found)])
    wide = every.size > 0 and np.max(every) > DECADE * np.min(every)
    y = Axis("frequency [Hz]", log=True) if wide else Axis("frequency [Hz]", room=ROOM, steady=LEAST_SPAN)
    return Panel(_curves(found, x), "Frequency", _axis_over(x, label), y, note="no mode oscillates")


def _damping(lines: Drawn, x: np.ndarray, label: str) -> Panel:
    found = [(0.0 - np.real(one.swinging) / np.abs(one.swinging), look) for one, look in lines if one.swings]
    if found and not any(np.any(y[np.isfinite(y)]) for y, _ in found):
        return Panel((), "Damping", _axis_over(x, label), note="no mode is damped")
    marks = [Limit(0.0, colour=BAD)] if any(one.grows for one, _ in lines) else []
    y = Axis("damping ratio", room=ROOM, steady=LEAST_SPAN)
    return Panel([*marks, *_curves(found, x)], "Damping", _axis_over(x, label), y, note="no mode oscillates")


def _others(lines: Drawn, x: np.ndarray, label: str) -> Panel | None:
    """Real parts of modes without oscillation; None if all oscillate."""
    found = [(np.where(way.imag == 0, way.real, np.nan), look) for one, look in lines for way in one.values]
    found = [(y, look) for y, look in found if np.any(np.isfinite(y))]
    if not found:
        return None
    marks = _curves(found, x)
    if any(np.any(y > 0) for y, _ in found):
        marks = [Limit(0.0, colour=BAD), *marks]
    y = Axis("real part [1/s]", room=ROOM, steady=LEAST_SPAN)
    return Panel(marks, "Modes without oscillation", _axis_over(x, label), y)


def _curves(found: Sequence[tuple[np.ndarray, tuple[str, str]]], x: np.ndarray) -> list[Mark]:
    return [Line(x, y, colour=colour, dash=dash, dots=len(x) <= MOST_MARKED) for y, (colour, dash) in found]


def _axis_over(x: np.ndarray, label: str) -> Axis:
    return Axis(label, float(np.min(x)), float(np.max(x)))


def _save_csv(path: Path, series: Series) -> None:
    """Save each nonzero eigenvalue as a row. Raises BadInput."""
    each = _in_order(series)
    x, label = _over(each)
    head = [label, *([] if each[0].varied else ["event"]), "mode", "largest participation", "real part [1/s]"]
    head += ["imaginary part [rad/s]", "frequency [Hz]", "damping ratio"]
    rows = [head]
    for number, locus in enumerate(loci_of(each), start=1):
        for k, one in enumerate(each):
            own = [f"{x[k]:.12g}", *([] if one.varied else [one.moment]), str(number), locus.thing]
            values = [value for value in locus.values[:, k] if np.isfinite(value) and value.imag >= 0]
            rows += [own + _cells(value) for value in values]
    write_csv(path, rows)


def _cells(value: complex) -> list[str]:
    """Columns of an eigenvalue; frequency and damping ratio only if it oscillates."""
    shown = [value.real, value.imag, abs(value) / (2 * np.pi), 0.0 - value.real / abs(value)]
    numbers = [f"{part:.12g}" for part in shown]
    return numbers if value.imag > 0 else [*numbers[:2], "", ""]
