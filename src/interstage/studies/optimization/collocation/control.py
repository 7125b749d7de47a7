"""Controls of collocation. A control is a time table of the scenario with free values at the ends of the
mesh intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....maths import interpolation
from ....tree.addresses import get, marker_of, replace_leaf
from ....tree.errors import BadInput, Problem
from ....tree.unit_names import UnitError
from ....tree.units import SI, display
from ...amounts import check_ends
from ..declared import Control

TIMES = ("points", "time")
"""Names of the fields of tables that contain times."""
FEWEST = 65
"""Smallest number of points of a control table in a flight."""
OVER_TIME = ("elapsed", "time")


@dataclass(frozen=True)
class Steered:
    """A control of a scenario.

    - name: name of the control.
    - path: path of the table.
    - points: name of the table's field with the times.
    - phases: indices of the phases in which the control is free.
    - smooth: true for a spline through the points of the table, false for linear interpolation.
    - low, high, scale: bounds and scale in SI, `unit`.
    """

    name: str
    path: str
    points: str
    phases: tuple[int, ...]
    smooth: bool
    unit: str
    low: float
    high: float
    scale: float

    @property
    def value_path(self) -> str:
        """Return the path of the table values."""
        return f"{self.path}.value"

    @property
    def points_path(self) -> str:
        """Return the path of the table times."""
        return f"{self.path}.{self.points}"

    def at_once(self, scenario: Any) -> Any:
        """Return the scenario with a constant control. The control has the first value of the table."""
        first = float(np.asarray(get(scenario, self.value_path))[0])
        return self.with_points(scenario, np.array([0.0, 1.0]), np.array([first, first]))

    def with_points(self, scenario: Any, times: np.ndarray, values: np.ndarray) -> Any:
        """Return the scenario with new times [s] and values [SI] of the table, without validation."""
        return replace_leaf(replace_leaf(scenario, self.points_path, times), self.value_path, values)

    def with_more_points(self, scenario: Any) -> Any:
        """Return the scenario with additional points in the table, which do not change a linear
        interpolation.

        The number of points is one of a few fixed numbers, at least `FEWEST`. Tables with similar numbers of
        points therefore share a compiled program. A spline is not changed.
        """
        if self.smooth:
            return scenario
        times, values = (
            np.asarray(get(scenario, path), float) for path in (self.points_path, self.value_path)
        )
        count = FEWEST
        while count < len(times):
            count = 2 * count - 1
        # Each new point cuts the longest piece that there is.
        pieces = np.ones(len(times) - 1, int)
        for _ in range(count - len(times)):
            pieces[np.argmax(np.diff(times) / pieces)] += 1
        parts = [np.linspace(a, b, k + 1)[:-1] for a, b, k in zip(times[:-1], times[1:], pieces)]
        wide = np.concatenate([*parts, times[-1:]])
        return self.with_points(scenario, wide, np.interp(wide, times, values))

    def own(self, scenario: Any, since: np.ndarray) -> np.ndarray:
        """Return the control values of the scenario table, limited to the bounds.

        since: times from the start of the control's first phase [s].
        """
        times, values = (
            np.asarray(get(scenario, path), float) for path in (self.points_path, self.value_path)
        )
        ready = interpolation.knots(times, values, "cubic" if self.smooth else "linear")
        inside = np.clip(since, times[0], times[-1])
        return np.clip([float(interpolation.look_up(ready, t)) for t in inside], self.low, self.high)

    def hull(self, breaks: np.ndarray) -> np.ndarray:
        """Return the matrix (2 * interval, end) from the control values at the ends of intervals to the
        inner Bernstein coefficients of the spline.

        The spline stays within the range of the control values and these coefficients. For linear
        interpolation, the matrix has no rows.

        breaks (end,): ends of the intervals.

        Source: G. Farin, Curves and Surfaces for CAGD, 5th ed. 2002, sections 5.1 and 5.2.
        """
        if not self.smooth:
            return np.zeros((0, len(breaks)))
        y, h = np.eye(len(breaks)), np.diff(breaks)[:, None]
        ready = interpolation.knots(breaks, y, "cubic")
        bend = np.zeros_like(y) if ready.bend is None else np.asarray(ready.bend)
        third = np.diff(y, axis=0) / 3  # h/3 times the slope of the chord
        after = y[:-1] + third - h**2 * (2 * bend[:-1] + bend[1:]) / 18
        before = y[1:] - third - h**2 * (bend[:-1] + 2 * bend[1:]) / 18
        return np.concatenate([after, before])

    def value_text(self, value: float, units: str) -> str:
        """Return a control value [SI] as text with its unit. units: "SI" or "US"."""
        factor, unit = display(self.unit, units)
        return f"{value * factor:.6g} {unit}"


def find_controls(scenario: Any, controls: Sequence[Control]) -> tuple[Steered, ...]:
    """Return the declared controls with their scenario tables. Raises BadInput with all problems."""
    found, problems = [], []
    for one in controls:
        try:
            found.append(_steered_table(scenario, one))
        except BadInput as error:
            problems += error.problems
    paths = [one.path for one in found]
    for one in found:
        if paths.count(one.path) > 1:
            text = f"two controls have the table {one.path}. Remove one of these controls"
            problems.append(Problem(f"controls.{one.name}", text))
    if problems:
        raise BadInput(dict.fromkeys(problems))
    return tuple(found)


def _steered_table(scenario: Any, one: Control) -> Steered:
    place = f"controls.{one.name}"
    table: Any = get(scenario, one.table)
    fields = getattr(type(table), "model_fields", {})
    points = next((name for name in TIMES if name in fields), None)
    if points is None or "value" not in fields or np.ndim(table.value) != 1:
        text = (
            f"{one.table} is not a table of numbers over time. Give the path of a table with points"
            " (or times) and values"
        )
        raise BadInput(Problem(place, text))
    over = getattr(table, "over", OVER_TIME[0])
    if over not in OVER_TIME:
        text = f"the table {one.table} is a table over {over}, but a control needs a table over time"
        text = f"{text}. Remove {one.table}.over"
        raise BadInput(Problem(place, text))
    phases = _phases(scenario, one, place)
    text = _counts_otherwise(scenario, one.table, over, phases[0])
    if text:
        raise BadInput(Problem(place, text))
    smooth = table.interpolation != "linear"
    if table.interpolation not in ("linear", "cubic"):
        text = f'{one.table}.interpolation = "{table.interpolation}" is not supported for a control.'
        text = f'{text} Set {one.table}.interpolation = "cubic" or "linear"'
        raise BadInput(Problem(place, text))
    if smooth and len(phases) > 1:
        text = f"the table {one.table} is a spline over {len(phases)} phases of variable duration"
        raise BadInput(
            Problem(
                place,
                f"{text}. Set {one.table}.interpolation = \"linear\", or list one phase only in 'during'",
            )
        )
    marker = marker_of(table, "value", table.value)
    assert marker is not None
    try:
        low, high, scale = (_read(marker, value) for value in (one.low, one.high, one.scale))
        check_ends(one.low, one.high, low, high)
    except UnitError as error:
        raise BadInput(Problem(place, str(error))) from None
    if scale is None or not scale > 0:
        scale = (high - low) / 2
    return Steered(one.name, one.table, points, phases, smooth, marker.unit, low, high, scale)


def _counts_otherwise(scenario: Any, path: str, over: str, first: int) -> str | None:
    """Message if a table counts its time from another phase than the control, else None. Other tables are
    checked in flight."""
    owner = path.rpartition(".")[0]
    law: Any = get(scenario, owner)
    if "since" not in getattr(type(law), "model_fields", {}):
        return None
    names = [phase.name for phase in scenario.phases]
    flown = over == "time" or law.since in (None, "start")
    begins = 0 if flown else names.index(law.since) if law.since in names else first
    if begins == first:
        return None
    counts = "the start of the flight" if flown else f"the start of phase {names[begins]}"
    text = f"{path} counts the time from {counts}, but the control begins with phase {names[first]}"
    also = f" and remove {path}.over" if over == "time" else ""
    return f"{text}. Set {owner}.since = \"{names[first]}\"{also}, or add phase {names[begins]} to 'during'"


def _read(marker: SI, value: Any) -> Any:
    if value is None:
        return None
    return float(replace(marker, shape=(), positive=False, nonnegative=False, grow=False, within=None)(value))


def _phases(scenario: Any, one: Control, place: str) -> tuple[int, ...]:
    names = [phase.name for phase in scenario.phases]
    asked = one.during or tuple(names)
    unknown = [name for name in asked if name not in names]
    if unknown:
        raise BadInput(
            Problem(
                f"{place}.during",
                f"there is no phase '{unknown[0]}'. The scenario has the phases {', '.join(names)}",
            )
        )
    numbers = tuple(sorted(names.index(name) for name in asked))
    if numbers != tuple(range(numbers[0], numbers[-1] + 1)):
        raise BadInput(
            Problem(
                f"{place}.during", "the phases are not consecutive. Add the phases in between to 'during'"
            )
        )
    return numbers
