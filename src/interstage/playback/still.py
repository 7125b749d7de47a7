"""Draw the still picture of a flight for pages without JavaScript or WebGL: bodies at a few times, as SVG."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from ..drawing.figure import COLOURS
from ..drawing.table import time_text
from .motion import Motion, at_times, slerp
from .scene import Scene
from .shapes import outline, rotate

WIDTH, HEIGHT, MARGIN = 900.0, 150.0, 26.0
"""Width and height of one row of the picture, and its margin [px]."""
MOST_ROWS = 4
STILL = 0.01
"""Minimum motion relative to the size of the bodies that affects the choice of the view. Smaller motions are
hardly visible.
"""


def still(scene: Scene) -> str:
    """Return an SVG picture of the bodies at up to four times, all on the same scale; "" if no poses are
    known.
    """
    times = _times(scene.data)
    rows = [found for time in times if (found := _outlines(scene, time))]
    if not rows:
        return ""
    view = _view(rows)
    flat = [[(name, points @ view.T) for name, points in row] for row in rows]
    low, high = _box(flat)
    scale = min((WIDTH - 2 * MARGIN) / (high[0] - low[0]), (HEIGHT - 2 * MARGIN) / (high[1] - low[1]))
    colours = {body["name"]: COLOURS[k % len(COLOURS)] for k, body in enumerate(scene.data["bodies"])}
    parts = []
    for k, (time, row) in enumerate(zip(times, flat)):
        parts.append(f'<text x="8" y="{k * HEIGHT + 16:.0f}" class="t">t = {time_text(time)} s</text>')
        for name, points in row:
            corners = _hull((points - 0.5 * (low + high)) * scale * [1, -1] + [WIDTH / 2, HEIGHT / 2])
            path = " ".join(f"{x:.1f},{y + k * HEIGHT:.1f}" for x, y in corners)
            label = f"<title>{escape(name)}</title>"
            parts.append(
                f'<polygon points="{path}" fill="{colours[name]}" fill-opacity="0.55"'
                f' stroke="{colours[name]}">{label}</polygon>'
            )
    size = f'viewBox="0 0 {WIDTH:.0f} {HEIGHT * len(rows):.0f}"'
    words = f"Bodies at {', '.join(time_text(time) for time in times)} s"
    style = "<style>.t { font: 12px system-ui, sans-serif; fill: #5d6872; }</style>"
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{words}">'
    return f"{start}{style}{''.join(parts)}</svg>"


def _times(data: dict[str, Any]) -> list[float]:
    """The start, the first releases with the ends of their actions, and times after them."""
    first, last = data["span"]
    found = [first]
    for release in data["separations"]:
        after = release["until"] - release["time"]
        found += [release["until"], min(release["until"] + 3 * after, last)]
    if len(found) == 1:
        found += [first + 0.5 * (last - first)]
    return list(dict.fromkeys([*found[: MOST_ROWS - 1], *([] if data["separations"] else [last])]))


def _pose(motion: Motion, time: float) -> tuple[np.ndarray, np.ndarray] | None:
    good = motion.rows(np.flatnonzero(motion.finite))
    if not len(good.time) or not good.time[0] - 1e-9 <= time <= good.time[-1] + 1e-9:
        return None
    position, _ = at_times(good, np.array([time]))
    first = int(np.clip(np.searchsorted(good.time, time, side="right") - 1, 0, len(good.time) - 1))
    last = min(first + 1, len(good.time) - 1)
    width = good.time[last] - good.time[first]
    part = np.array([(time - good.time[first]) / width if width > 0 else 0.0]).clip(0, 1)
    return position[0], slerp(good.attitude[[first]], good.attitude[[last]], part)[0]


def _outlines(scene: Scene, time: float) -> list[tuple[str, np.ndarray]]:
    """Points of the bodies with a pose at a time, relative to the reference body."""
    origin = _pose(scene.motions[scene.data["reference"]], time)
    found = []
    for body in scene.data["bodies"]:
        pose = _pose(scene.motions[body["name"]], time)
        if pose is None or origin is None:
            continue
        points = np.concatenate([outline(shape) for shape in body["shapes"]]) - body["centre"]
        found.append((body["name"], rotate(pose[1], points) + pose[0] - origin[0]))
    return found


def _view(rows: list[list[tuple[str, np.ndarray]]]) -> np.ndarray:
    """Two axes of the picture (2, 3). The picture contains the direction of the largest relative motion and
    the longest extent of the bodies perpendicular to this direction; the longer one is horizontal."""
    points = np.concatenate([points for _, points in rows[0]])
    points = points - points.mean(axis=0)
    motion = _largest_motion(rows)
    if np.linalg.norm(motion) > STILL * (np.ptp(points, axis=0).max() or 1.0):
        motion = motion / np.linalg.norm(motion)
        across = np.linalg.svd(points - np.outer(points @ motion, motion), full_matrices=False)[2][0]
        across = across - (across @ motion) * motion
        axes = np.stack([motion, across / np.linalg.norm(across)])
        axes = axes[np.argsort(-np.ptp(points @ axes.T, axis=0), kind="stable")]
    else:
        axes = np.linalg.svd(points, full_matrices=False)[2][:2]
    return axes * np.where(axes[np.arange(2), np.abs(axes).argmax(axis=1)] < 0, -1.0, 1.0)[:, None]


def _largest_motion(rows: list[list[tuple[str, np.ndarray]]]) -> np.ndarray:
    """The largest displacement of a body from its first to its last time (3,), relative to the reference
    body."""
    first: dict[str, np.ndarray] = {}
    last: dict[str, np.ndarray] = {}
    for name, points in (one for row in rows for one in row):
        last[name] = points.mean(axis=0)
        first.setdefault(name, last[name])
    return max((last[name] - first[name] for name in first), key=np.linalg.norm)


def _box(rows: list[list[tuple[str, np.ndarray]]]) -> tuple[np.ndarray, np.ndarray]:
    """Limits of the picture. Bodies that are far away are ignored."""
    extent = [points for _, points in rows[0]]
    first = np.concatenate(extent)
    size = float(np.ptp(first, axis=0).max()) or 1.0
    middle = 0.5 * (first.max(axis=0) + first.min(axis=0))
    near = [p for row in rows for _, p in row if np.abs(p - middle).max() < 4 * size] or extent
    every = np.concatenate(near)
    low, high = every.min(axis=0), every.max(axis=0)
    return low, np.maximum(high, low + 1e-6 * size)


def _hull(points: np.ndarray) -> np.ndarray:
    """Corners of the convex hull of points (n, 2), by Andrew's monotone chain."""
    rows = [tuple(p) for p in np.unique(points.round(2), axis=0)]

    def half(some: list[Any]) -> list[Any]:
        found: list[Any] = []
        for p in some:
            while len(found) > 1 and _turns_right(found[-2], found[-1], p):
                found.pop()
            found.append(p)
        return found[:-1]

    return np.array(half(rows) + half(rows[::-1])) if len(rows) > 2 else np.array(rows)


def _turns_right(a: Any, b: Any, c: Any) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0
