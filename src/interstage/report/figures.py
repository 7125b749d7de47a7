"""Create the standard figures of a flight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..drawing.curves import (
    MOST_PANELS,
    Span,
    events_of,
    is_nothing,
    over_time,
    rounding,
    side_by_side,
    time_axis,
    with_event_numbers,
    with_rest,
)
from ..drawing.figure import COLOURS, Axis, Figure, Line, Panel, in_rows
from ..model.effect import effects
from ..record.conservation import drifts
from ..record.record import Record, names_with, timeline
from ..record.rounding import NOISE, largest_of
from ..tree.sentences import list_text
from . import mission, of_parts
from .joint_motion import joint_motion_figure, wind_figure
from .order import FIGURES, WHILE_HELD, in_order
from .summary import pair_path, separations


def figures(record: Record, units: str | None = None) -> list[Figure]:
    """Return all figures for which the record has data, in the order of `order.FIGURES`.

    units: unit system, "SI" or "US". Default: the unit system of the scenario.
    """
    return figures_and_faults(record, units)[0]


def figures_and_faults(record: Record, units: str | None = None) -> tuple[list[Figure], list[str]]:
    """Return the figures as `figures` does, and one sentence for each figure that an external package failed
    to create.
    """
    units = units or record.scenario.units
    if record.legs:
        return _of_legs(record, units)
    if len(record.time) < 2:
        return [], []
    own, left_out = _of_flight(record, units, OWN)
    return in_order([*mission.figures(record, units), *own], FIGURES), left_out


def _of_flight(
    record: Record, units: str, makers: Iterable[Callable[[Record, str], Iterator[Figure]]]
) -> tuple[list[Figure], list[str]]:
    """Return the figures of one flight or one leg from `makers` and packages, and a sentence for each omitted
    figure."""
    of_packages, left_out = of_parts.make_of_parts(of_parts.FIGURES, record, units)
    return [*(figure for make in makers for figure in make(record, units)), *of_packages], left_out


def _of_legs(record: Record, units: str) -> tuple[list[Figure], list[str]]:
    """Return the figures of a mission, followed by the figures of each leg in order.

    A leg with held coordinates has only the figures named in `WHILE_HELD`."""
    found, left_out = list(mission.figures(record, units)), []
    for leg, one in record.legs.items():
        numbers = [row for row, event in enumerate(record.events, start=1) if event.leg == leg]
        if len(one.time) < 2:
            continue
        held = one.scenario.coordinates == "held"
        drawn, faults = _of_flight(one, units, () if held else OWN)
        found += [
            with_event_numbers(replace(figure, caption=f"Leg {leg}: {figure.caption}"), numbers)
            for figure in in_order(drawn, FIGURES)
            if not held or figure.key in WHILE_HELD
        ]
        left_out += [text for text in faults if text not in left_out]
    return found, left_out


def pair_figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield one figure for each pair of connected bodies: distance, range rate, relative angular rates, and a
    close view of the release.

    A point-mass flight has no such figure, because its bodies do not move relative to each other.
    """
    if record.scenario.coordinates == "point":
        return
    released = {frozenset(row[:2]): row for row in separations(record)}
    for parent, child in _pairs(record)[:MOST_PANELS]:
        path = pair_path(record, parent, child)
        if path is None:
            continue
        paths = [f"{path}.{name}" for name in ("distance", "separation_speed", "relative_rate")]
        views: list[tuple[str, Span | None]] = [(f"{parent} to {child}", None)]
        row = released.get(frozenset((parent, child)))
        if row is not None:
            views.append(("near the release time", _close_view(record, *row[2:])))
        rows = [
            [over_time(record, quantity, units, "" if line else title, span) for title, span in views]
            for line, quantity in enumerate(path for path in paths if path in record.series)
        ]
        caption = (
            f"{parent} and {child}: distance between the centres of mass, range rate, relative angular"
            " velocity"
        )
        yield Figure(caption, rows, key="pairs")


def load_figure(record: Record, units: str) -> Iterator[Figure]:
    """Yield one figure with the force and the torque of each joint.

    The loads act on the child at the joint point, and are in the parent's joint frame.
    """
    joints = names_with(record, "joints", "force")
    paths = {name: [f"joints.{joint}.{name}" for joint in joints] for name in ("force", "torque")}
    force, torque = (max((largest_of(record, path) for path in some), default=0.0) for some in paths.values())
    # Torques result from forces on arms of about a metre.
    least = {"force": NOISE * force, "torque": NOISE * max(force, torque)}
    turned = any(largest_of(record, path) > least["torque"] for path in paths["torque"])
    rows = [
        [
            over_time(
                record, f"joints.{joint}.{name}", units, f"{joint}: {name}", magnitude=True, least=least[name]
            )
            for name in (("force", "torque") if turned else ("force",))
        ]
        for joint in joints[:MOST_PANELS]
    ]
    if rows:
        what = "Joint loads" if turned else "Joint forces (all torques are zero)"
        caption = with_rest(
            f"{what} on the child body at the joint point, in the parent's joint frame", joints
        )
        panels = rows if turned else in_rows([panel for row in rows for panel in row])
        yield Figure(caption, panels, key="joint loads")


def rate_figure(record: Record, units: str) -> Iterator[Figure]:
    """Yield one figure with the inertial angular velocity of each body, in body axes."""
    bodies = names_with(record, "bodies", "angular_velocity")
    if bodies:
        shown = [(body, f"bodies.{body}.angular_velocity") for body in bodies[:MOST_PANELS]]
        caption = with_rest("Inertial angular velocity of the bodies, in body axes", bodies)
        yield Figure(caption, side_by_side(record, shown, units), key="rates")


def violation_figure(record: Record, units: str) -> Iterator[Figure]:
    """Yield one figure with the constraint violation of each joint."""
    joints = names_with(record, "joints", "violation")
    found = [(joint, *timeline(record, f"joints.{joint}.violation")) for joint in joints]
    what = "Constraint violation of the joints: position error [m] or direction-cosine error [-]"
    yield from _small(record, what, found, "violation [m or -]", "violation")


def drift_figure(record: Record, units: str) -> Iterator[Figure]:
    """Yield one figure with the relative drift of each conserved quantity."""
    kept = [drift for drift in drifts(record) if drift.scale > 0]
    found = [(drift.what, drift.time, drift.course / drift.scale) for drift in kept]
    what = "Relative drift of conserved quantities; the energy drift restarts at zero after each event"
    yield from _small(record, what, found, "relative drift", "drift")


Course = tuple[str, np.ndarray, np.ndarray]


def _small(record: Record, what: str, found: list[Course], label: str, key: str) -> Iterator[Figure]:
    """Yield a figure of small relative numbers on a logarithmic axis.

    found: (name, times, values) for each curve. Curves within rounding are not drawn; the caption lists their
    names."""
    still = [name for name, _, values in found if is_nothing(values, rounding(1.0))]
    moving = [(name, times, values) for name, times, values in found if name not in still][: len(COLOURS)]
    rounded = f"zero within rounding: {list_text(still, MOST_PANELS)}"
    if moving:
        lines = [Line(times, _sizes(values), name) for name, times, values in moving]
        panel = Panel(lines, "", time_axis(record), Axis(label, log=True), events_of(record))
        yield Figure(f"{what}; {rounded}" if still else what, [[panel]], key=key)
    elif still:
        yield Figure(what, [[Panel(note=rounded)]], key=key)


def _sizes(values: np.ndarray) -> np.ndarray:
    """Return the largest absolute component of each value; NaN for zero, which a logarithmic axis cannot
    show."""
    sizes = np.abs(values).reshape(len(values), -1).max(axis=1)
    return np.where(sizes > 0, sizes, np.nan)


def _pairs(record: Record) -> list[tuple[str, str]]:
    """Return the pairs of bodies that a joint, a device or a constraining model connects.

    Without such pairs, return all pairs of bodies with a recorded distance."""
    scenario = record.scenario
    holding = (effect for effect in effects(scenario) if effect.holds)
    items: tuple[Any, ...] = (*scenario.joints, *scenario.devices, *holding)
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


def _close_view(record: Record, released: int | None, free: int | None) -> Span:
    """Return a time span [s] around a release, at least a twentieth of the flight.

    The push takes half of the span, unless it is shorter."""
    start = record.events[released].time if released is not None else record.time[0]
    end = record.events[free].time if free is not None else record.time[-1]
    push = max(end - start, (record.time[-1] - record.time[0]) / 40)
    return (
        float(max(record.time[0], start - 0.4 * push)),
        float(min(record.time[-1], start + 1.6 * push)),
    )


OWN = (
    *(pair_figures, load_figure, joint_motion_figure, wind_figure),
    *(rate_figure, violation_figure, drift_figure),
)
"""Functions that create the standard figures of every flight."""
