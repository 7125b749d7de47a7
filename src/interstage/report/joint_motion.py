"""Figures of the motion of joints, such as the angle of a hinge, and of the wind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..drawing.curves import (
    MOST_PANELS,
    Span,
    events_of,
    is_nothing,
    side_by_side,
    thousands,
    time_axis,
    value_axis,
    with_more,
    with_rest,
    within,
)
from ..drawing.figure import Figure, Line, Panel, in_rows
from ..record.record import Record, names_with, timeline
from ..tree.units import display

STILL = 1e-6
"""Largest motion [m or rad] that counts as none. Constraints are satisfied to smaller errors."""
BEGUN = 1e-3
"""Fraction of the largest motion at which a motion counts as begun."""
MARGIN = 0.1
"""Time before the motion that is shown, as a fraction of the duration of the motion."""


class JointMotion(NamedTuple):
    """The motion of one joint while it constrains its bodies.

    - joint, name: names of the joint and of the quantity, "rotation" or "displacement".
    - components: indices of the components that change.
    - span: start and end of the motion [s]. The end is the release, or the end of the flight.
    """

    joint: str
    name: str
    components: tuple[int, ...]
    span: Span

    @property
    def path(self) -> str:
        """Path of the quantity."""
        return f"joints.{self.joint}.{self.name}"


def joint_motion_figure(record: Record, units: str) -> Iterator[Figure]:
    """Yield one figure with the rotations and displacements of the joints that move.

    The time axis of each panel begins shortly before the motion and ends at the release of the joint.
    """
    moving = [motion for name in ("rotation", "displacement") for motion in _motions(record, name)]
    if moving:
        caption = "Motion of the joints in the parent's joint frame, until their release"
        panels = [_panel(record, motion, units) for motion in moving[:MOST_PANELS]]
        yield Figure(with_rest(caption, [one.path for one in moving]), in_rows(panels), key="joint motion")


def _motions(record: Record, name: str) -> Iterator[JointMotion]:
    for joint in names_with(record, "joints", name):
        active = f"joints.{joint}.active"
        if active not in record.series:
            continue
        times, values = timeline(record, f"joints.{joint}.{name}")
        acts = timeline(record, active)[1].reshape(len(times)) > 0
        sizes = np.abs(values - values[np.argmax(acts)]).reshape(len(times), -1)
        sizes[~acts | ~np.isfinite(sizes).all(1)] = 0.0
        largest = sizes.max()
        if largest <= STILL:
            continue
        components = tuple(int(k) for k in np.flatnonzero(sizes.max(0) > max(STILL, BEGUN * largest)))
        start = times[max(0, int(np.argmax(sizes.max(1) > BEGUN * largest)) - 1)]
        end = times[np.flatnonzero(acts)[-1]]
        early = max(float(times[0]), float(start - MARGIN * (end - start)))
        yield JointMotion(joint, name, components, (early, float(end)))


def _panel(record: Record, motion: JointMotion, units: str) -> Panel:
    """Return the panel of one joint."""
    meta, path = record.meta[motion.path], motion.path
    times, values = with_more(record, path, *within(*timeline(record, path), motion.span), motion.span)
    factor, unit = thousands(*display(meta.unit, units), values)
    names = meta.components or ("",)
    alone = len(motion.components) == 1
    lines = [
        Line(times, values.reshape(len(times), -1)[:, k] * factor, "" if alone else names[k])
        for k in motion.components
    ]
    about = f" {'about' if motion.name == 'rotation' else 'along'} {names[motion.components[0]]}"
    title = f"{motion.joint}: {motion.name}{about if alone else ''}"
    axis = value_axis(motion.name, unit)
    return Panel([*lines], title, time_axis(record, motion.span), axis, events_of(record))


def wind_figure(record: Record, units: str) -> Iterator[Figure]:
    """Yield one figure with the wind at each body, in north, east and down components, if there is wind."""
    bodies = [
        body
        for body in names_with(record, "bodies", "wind")
        if not is_nothing(timeline(record, f"bodies.{body}.wind")[1], 0.0)
    ]
    if bodies:
        shown = [(body, f"bodies.{body}.wind") for body in bodies[:MOST_PANELS]]
        caption = with_rest("Wind velocity at the bodies, to north, east and down", bodies)
        yield Figure(caption, side_by_side(record, shown, units), key="wind")
