"""The figures that an analyst looks at first. matplotlib is imported when the first one is drawn."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .conservation import drifts
from .record import Record, names_with, timeline
from .summary import pair_path, separations
from .units import display

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b6b6b", "#000000")
"""Okabe and Ito's palette, which colour-blind readers tell apart; x, y, z are its first three."""
MAGNITUDE_COLOUR = "#9a9a9a"
BAD = "#b3261e"
"""Colour of what should not be."""
MOST_POINTS = 4000
MOST_PANELS = 8
"""Bodies, joints or pairs that one figure shows; what is left out is said in its title."""
WIDTH, ROW_HEIGHT = 9.6, 2.1
LEFT, RIGHT, TOP, BOTTOM, GAP = 0.8, 0.15, 0.32, 0.5, 0.5
LARGE = 2e4
"""Size of values from which on an axis is in thousands of their unit."""
THOUSANDS = {"N": "kN", "N m": "kN m", "m": "km", "Pa": "kPa", "kg": "t", "J": "kJ", "W": "kW"}
MARK_WIDTH = 0.033
"""Width of the mark of an event, as a part of the figure's."""
NOISE = 1e-12
"""Values below this size, in display units, are drawn as zero."""
LEAST_SPAN = 1e-2
"""Changes below this fraction of a value are not blown up to fill the panel."""
ROUNDING = 1e-17
"""Where logarithmic axes end: what is smaller is chance."""
STYLE: Any = {
    "font.size": 8.5,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.7,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-4, 5),
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.3,
    "svg.hashsalt": "interstage",  # the same flight gives the same file
}


def figures(record: Record, units: str | None = None) -> Iterator[tuple[str, Figure]]:
    """(caption, figure) of everything that the record has numbers for."""
    from matplotlib import rc_context

    units = units or record.scenario.units
    if len(record.time) < 2:
        return
    with rc_context(STYLE):
        from .clearance_figure import clearance_figure
        from .contact_figure import contact_figure
        from .device_figure import device_figures
        from .interface_figures import interface_figures

        for draw in (
            pair_figures,
            load_figure,
            interface_figures,
            device_figures,
            air_figures,
            engine_figure,
            control_figure,
            rate_figure,
            clearance_figure,
            contact_figure,
            violation_figure,
            drift_figure,
        ):
            yield from draw(record, units)


def svg(figure: Figure) -> bytes:
    """A figure as an SVG file."""
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def pair_figures(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Distance, its rate and relative rates of each connected pair, and a close view of its release."""
    released = {frozenset(row[:2]): row for row in separations(record)}
    for parent, child in _pairs(record)[:MOST_PANELS]:
        path = pair_path(record, parent, child)
        if path is None:
            continue
        quantities = [f"{path}.distance", f"{path}.separation_speed", f"{path}.relative_rate"]
        quantities = [quantity for quantity in quantities if quantity in record.series]
        row = released.get(frozenset((parent, child)))
        windows: list[tuple[float, float] | None] = [None]
        if row is not None:
            windows.append(_close_view(record, *row[2:]))
        figure, axes = grid(len(quantities), len(windows))
        for line, quantity in zip(axes, quantities):
            for ax, window in zip(line, windows):
                _draw(ax, record, quantity, units, window=window)
        for ax, title in zip(axes[0], (f"{parent} to {child}", "close to the release")):
            ax.set_title(title)
        yield (
            f"{parent} and {child}: distance of the mass centres, its rate, and relative angular velocity",
            figure,
        )


def load_figure(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Force and torque of each joint, on the child at the joint, in the parent's joint frame."""
    joints = names_with(record, "joints", "force")
    if not joints:
        return
    figure, axes = grid(len(joints[:MOST_PANELS]), 2)
    for line, joint in zip(axes, joints):
        for ax, name in zip(line, ("force", "torque")):
            _draw(ax, record, f"joints.{joint}.{name}", units, magnitude=True)
            ax.set_title(f"{joint}: {name}")
    yield with_rest("Joint loads, on the child at the joint, in the parent's joint frame", joints), figure


def air_figures(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Altitude, Mach number, dynamic pressure and incidence of each body on which the air acts."""
    axes = [record.meta[path].frame for path in record.meta if path.startswith("aerodynamics.")]
    for body in names_with(record, "bodies", "dynamic_pressure")[:MOST_PANELS]:
        names = ("altitude", "mach", "dynamic_pressure", "total_alpha")
        paths = [path for name in names if (path := f"bodies.{body}.{name}") in record.series]
        if len(paths) == len(names) and f"{body} structure axes" in axes:
            yield (
                f"{body} in the air",
                panels(record, [(body, paths[0]), *(("", p) for p in paths[1:])], units),
            )


def control_figure(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Positions of actuators, and commands of control laws."""
    paths = [path for kind in ("actuators.", "controls.") for path in record.series if path.startswith(kind)]
    if paths:
        shown = [(path.partition(".")[2], path) for path in paths]
        caption = with_rest("Positions of actuators, and commands in SI", paths)
        yield caption, panels(record, shown[:MOST_PANELS], units)


def panels(record: Record, shown: list[tuple[str, str]], units: str) -> Figure:
    """A figure of quantities, (title, path), two beside each other."""
    columns = min(2, len(shown))
    figure, axes = grid(-(-len(shown) // columns), columns)
    for ax, (name, path) in zip(axes.flat, shown):
        _draw(ax, record, path, units)
        ax.set_title(name)
    for ax in axes.flat[len(shown) :]:
        ax.set_visible(False)
    return figure


def engine_figure(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Thrust of each engine, and mass of each body whose mass may change."""
    engines, bodies = names_with(record, "engines", "thrust"), names_with(record, "bodies", "mass_rate")
    shown = [(name, f"engines.{name}.thrust") for name in engines[:MOST_PANELS]]
    shown += [(name, f"bodies.{name}.mass") for name in bodies[:MOST_PANELS]]
    if shown:
        caption = with_rest("Thrust of the engines, and masses", max(engines, bodies, key=len))
        yield caption, panels(record, shown, units)


def rate_figure(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Angular velocity of each body, body axes."""
    bodies = names_with(record, "bodies", "angular_velocity")
    if bodies:
        shown = [(body, f"bodies.{body}.angular_velocity") for body in bodies[:MOST_PANELS]]
        caption = with_rest("Angular velocity of the bodies, body axes", bodies)
        yield caption, panels(record, shown, units)


def violation_figure(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """How far the joints are from holding exactly."""
    joints = names_with(record, "joints", "violation")
    if not joints:
        return
    figure, axes = grid(1, 1)
    ax = axes[0, 0]
    for joint, colour in zip(joints[: len(COLOURS)], COLOURS):
        times, values = timeline(record, f"joints.{joint}.violation")
        ax.plot(*thin(times, _above_zero(values)), color=colour, label=joint)
    _finish_log(ax, record, "violation [m, -]")
    yield "Constraint violation of the joints: metres, or direction cosines", figure


def drift_figure(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Drift of what should stay the same, relative to its size."""
    kept = [drift for drift in drifts(record) if drift.scale > 0]
    if not kept:
        return
    figure, axes = grid(1, 1)
    ax = axes[0, 0]
    for drift, colour in zip(kept, COLOURS):
        ax.plot(*thin(drift.time, _above_zero(drift.course / drift.scale)), color=colour, label=drift.what)
    _finish_log(ax, record, "drift / size")
    yield "Drift of what should stay the same, relative to its size; energy from each event on", figure


def _pairs(record: Record) -> list[tuple[str, str]]:
    """Pairs connected by a joint or a device; any two bodies where nothing is connected."""
    scenario = record.scenario
    items: tuple[Any, ...] = (*scenario.joints, *scenario.devices)
    connected = [(item.parent, item.child) for item in items if hasattr(item, "child")]
    pairs = list(dict.fromkeys(pair for pair in connected if pair_path(record, *pair)))
    if not pairs:
        paths = [
            path.split(".")
            for path in record.meta
            if path.endswith(".distance") and path.count(".") == 3 and path in record.series
        ]
        unordered: dict[frozenset[str], tuple[str, str]] = {}
        for _, one, other, _ in paths:
            unordered.setdefault(frozenset((one, other)), (one, other))
        pairs = list(unordered.values())
    return pairs


def _close_view(record: Record, released: int | None, free: int | None) -> tuple[float, float]:
    """A span of time [s] that shows the push: it takes half of it, or it is a twentieth of the flight."""
    start = record.events[released].time if released is not None else record.time[0]
    end = record.events[free].time if free is not None else record.time[-1]
    push = max(end - start, (record.time[-1] - record.time[0]) / 40)
    return max(record.time[0], start - 0.4 * push), min(record.time[-1], start + 1.6 * push)


def grid(rows: int, columns: int) -> tuple[Figure, Any]:
    """A figure of panels over time, and these, (row, column)."""
    from matplotlib.figure import Figure

    # Margins in inches: an automatic layout draws every figure several times to find them.
    height = ROW_HEIGHT * rows + TOP + BOTTOM - GAP
    figure = Figure(figsize=(WIDTH, height))
    axes = figure.subplots(rows, columns, squeeze=False)
    figure.subplots_adjust(
        left=LEFT / WIDTH,
        right=1 - RIGHT / WIDTH,
        bottom=BOTTOM / height,
        top=1 - TOP / height,
        hspace=GAP / (ROW_HEIGHT - GAP),
        wspace=2 * LEFT / (WIDTH - 3 * LEFT) if columns > 1 else 0,
    )
    for ax in axes[-1]:
        ax.set_xlabel("time [s]")
    return figure, axes


def _draw(
    ax: Axes,
    record: Record,
    path: str,
    units: str,
    window: tuple[float, float] | None = None,
    magnitude: bool = False,
) -> None:
    """One quantity over time, its components in the axes' colours, with the events marked."""
    meta = record.meta[path]
    factor, unit = display(meta.unit, units)
    times, values = timeline(record, path)
    factor, unit = thousands(factor, unit, values)
    if window is not None:
        seen = (times >= window[0]) & (times <= window[1])
        times, values = times[seen], values[seen]
    values = values.reshape(len(times), -1) * factor
    names = meta.components or ("",)
    marker = "." if window is not None and len(times) < 80 else None
    if magnitude:
        size = np.sqrt(np.sum(values**2, axis=1))
        ax.plot(*thin(times, size), color=MAGNITUDE_COLOUR, linewidth=2.4, label="magnitude")
    for column, name, colour in zip(values.T, names, COLOURS):
        ax.plot(*thin(times, column), color=colour, label=name, marker=marker, markersize=3)
    ax.set_ylabel(_short(meta.long_name, path) + (f" [{unit}]" if unit not in ("", "1") else ""))
    _set_limits(ax, values)
    _finish(ax, record, window)
    if len(names) > 1:
        ax.legend(
            ncols=len(names) + 1,
            loc="lower right",
            bbox_to_anchor=(1.01, 0.98),
            handlelength=1.2,
            columnspacing=1,
        )


def thousands(factor: float, unit: str, values: np.ndarray) -> tuple[float, str]:
    """Factor and unit in which large values stand on an axis without a power of ten of their own."""
    size = np.max(np.abs(values), initial=0.0, where=np.isfinite(values)) * factor
    return (1e-3 * factor, THOUSANDS[unit]) if size >= LARGE and unit in THOUSANDS else (factor, unit)


def _short(long_name: str, path: str) -> str:
    """The axis of a panel that already says whose quantity it is."""
    return path.rpartition(".")[2].replace("_", " ") if len(long_name) > 22 else long_name


def _set_limits(ax: Axes, values: np.ndarray) -> None:
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    size, middle = max(abs(low), abs(high)), 0.5 * (low + high)
    if size < NOISE:
        ax.set_ylim(-1.0, 1.0)
    elif high - low < LEAST_SPAN * size:
        ax.set_ylim(middle - LEAST_SPAN * size, middle + LEAST_SPAN * size)
    else:
        ax.margins(y=0.12)


def _finish(ax: Axes, record: Record, window: tuple[float, float] | None = None) -> None:
    span = window or (float(record.time[0]), float(record.time[-1]))
    ax.set_xlim(*span)
    mark_events(ax, record, span)


def _finish_log(ax: Axes, record: Record, label: str) -> None:
    ax.set_yscale("log")
    low, high = ax.get_ylim()
    ax.set_ylim(max(low, ROUNDING), max(high, 10 * ROUNDING))
    ax.set_ylabel(label)
    _finish(ax, record)
    ax.legend(ncols=8, loc="lower right", bbox_to_anchor=(1.01, 0.98), handlelength=1.2, columnspacing=1)


def mark_events(ax: Axes, record: Record, span: tuple[float, float]) -> None:
    """Events as dotted lines with their numbers in the table of events; close ones share a mark."""
    width = span[1] - span[0]
    near = MARK_WIDTH / ax.get_position().width * width
    marks: list[tuple[float, list[int]]] = []
    for row, event in enumerate(record.events, start=1):
        if not span[0] <= event.time <= span[1]:
            continue
        ax.axvline(event.time, color="#333333", linewidth=0.9, linestyle=(0, (1, 2)), zorder=1)
        # A mark near the end stands before its line.
        room = near if event.time < span[1] - near else 2 * near
        if marks and event.time - marks[-1][0] < room:
            marks[-1][1].append(row)
        else:
            marks.append((event.time, [row]))
    for time, rows in marks:
        text = str(rows[0]) if len(rows) == 1 else f"{rows[0]}-{rows[-1]}"
        late = time > span[1] - 1.5 * near
        ax.annotate(
            text,
            (time, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(-3 if late else 3, -2),
            textcoords="offset points",
            ha="right" if late else "left",
            va="top",
            fontsize=7.5,
            color="#333333",
            # The mark of several events may lie on the line of the last one.
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
            zorder=1.6,
        )


def _above_zero(values: np.ndarray) -> np.ndarray:
    """Sizes for a logarithmic axis, where an exact zero is not drawn."""
    sizes = np.abs(values).reshape(len(values), -1).max(axis=1)
    return np.where(sizes > 0, sizes, np.nan)


def thin(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most MOST_POINTS points that keep the extremes of every stretch."""
    if len(times) <= MOST_POINTS:
        return times, values
    stretches = np.array_split(np.arange(len(times)), MOST_POINTS // 2)
    filled = np.nan_to_num(values, nan=0.0)
    rows = sorted({int(s[pick(filled[s])]) for s in stretches for pick in (np.argmin, np.argmax)})
    return times[rows], values[rows]


def with_rest(caption: str, names: list[str]) -> str:
    """A caption that says how many of some names are left out."""
    rest = len(names) - MOST_PANELS
    return f"{caption} (first {MOST_PANELS} of {len(names)})" if rest > 0 else caption
