"""Results that parts add to the record of a flight after its end, by their modules `after`.

`add(flown)` of such a module puts results into the record of a `Flown`. If the module has `GROUP`, this is
the first word of the paths of its quantities. Otherwise the module can have `knows(scenario, path)`, which
returns whether it computes a quantity. A module with one of these also has these functions:

- `unit_of(scenario, path)`: return the SI unit of a quantity. Raises KeyError.
- `value(batch, path, at)`: return the values in all cases of a batch, or None if the records have the values.
- `add_to_lanes(cases, records, wanted)`: put requested quantities into the records of `FlownLanes`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from ..maths.arrays import jax
from ..record.record import Record
from ..tree import packages
from .between import Between
from .observation import SUMS, in_chunks, states_at
from .quadrature import Integral, integral


class Flown:
    """One flight that has ended.

    - scenario, layout: scenario and its structure.
    - track: integration steps (`observation.Track`).
    - record: record as far as it is known.
    - finite: true if the final state is finite.
    - sampled: states of the samples (sample, n), if known.
    - shared: joints with loads that rigid bodies do not determine."""

    def __init__(
        self,
        between: Between,
        record: Record,
        sampled: np.ndarray | None = None,
        shared: tuple[str, ...] = (),
    ):
        program, cursor = between.program, between.cursor
        self.scenario, self.layout, self.track = between.scenario, program.layout, between.track
        self.record = record
        self.finite = bool(np.all(np.isfinite(np.asarray(cursor.x))))
        self._program, self._given, self._between = program, between.given, between
        self._sampled, self.shared = sampled, shared

    def at(self, times: np.ndarray, function: Callable[..., Any]) -> Any:
        """Return function(mechanism, t, x, discrete) at times (n,) [s], as a tree of arrays with the times
        first.

        Each state is reached by a step of the integration method of the flight."""
        look = partial(self._program.of_samples(function), *self._given)
        return in_chunks(look, self._states(times), self.layout)

    def of_states(self, steps: np.ndarray, function: Callable[..., Any], ends: bool) -> Any:
        """Return function(mechanism, t, x, discrete) for steps (n,) of the flight, as a tree of arrays with
        the steps first.

        The states are those at the start of each step, or, if `ends` is true, at its end before any jump."""
        track, found = self.track, self._program.of_samples(function)
        states = (track.t_end, track.x_end) if ends else (track.t, track.x)
        rows = jax.tree.map(lambda leaf: np.asarray(leaf)[steps], (*states, track.discrete))
        return in_chunks(partial(found, *self._given), rows, self.layout)

    def along_track(self, function: Callable[..., Any]) -> tuple[np.ndarray, Any]:
        """Return the times [s] (n,) of the starts of all steps and of the last end, and function(mechanism,
        t, x, discrete) there.

        The result of the function is a tree of arrays with the times first."""
        last = len(self.track.t) - 1
        begins = self.of_states(np.arange(last + 1), function, ends=False)
        end = self.of_states(np.array([last]), function, ends=True)
        whole = jax.tree.map(lambda *parts: np.concatenate(parts), begins, end)
        return np.append(self.track.t, self.track.t_end[-1]), whole

    def changes(
        self, part: str, of_each: Callable[..., Any], which: Callable[[Any], bool] = lambda thing: True
    ) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
        """Yield (item, end times of steps (n,) [s], change in each step (n, components)) for the items of a
        model.

        - part: name of the model.
        - of_each: function of (mechanism, t, x, discrete) that returns the values (components, *cases); NaN
          while an item is inactive.
        - which: function that selects items."""
        there: Any = self.layout.parts.get(part)
        items = [] if there is None or not len(self.track.t) else there.of(self.scenario)
        if not any(map(which, items)):
            return
        times, courses = self.along_track(of_each)
        for item, course in zip(items, courses, strict=True):
            if which(item):
                yield item, times[1:], np.diff(course, axis=0)

    def integral(self, rates: Callable[..., Any]) -> Integral | None:
        """Return the time integrals of rates(mechanism, t, x, discrete) (components, *cases); see
        `quadrature`.

        Return None for a flight without duration."""
        return integral(self, rates)

    def put_sum(self, path: str, meta: Any, samples: np.ndarray, at_events: np.ndarray) -> None:
        """Put an integral since the start of the flight into the record.

        The initial value is the final value of the preceding legs of a mission, or of the flight that this
        flight continues."""
        record = self.record
        begun = record.sums.get(path, 0.0)
        record.meta[path], record.series[path] = meta, begun + samples
        record.before[path] = record.after[path] = begun + at_events
        at = [*record.time, *(event.time for event in record.events)]
        found = [*samples, *at_events]
        record.sums[path] = float(begun + (found[int(np.argmax(at))] if at else 0.0))
        record.restart[f"{SUMS}{path}"] = begun + at_events

    def _states(self, times: np.ndarray) -> Any:
        """The states (t, x, discrete) at times, rows of arrays; those of the samples are there already."""
        between, sampled = self._between, self._sampled
        if sampled is None or not len(sampled):
            return between.at(times)
        row = np.searchsorted(self.record.time, times).clip(max=len(sampled) - 1)
        new = self.record.time[row] != times
        x = sampled[row]
        if new.any():
            x[new] = between.at(times[new])[1]
        return times, x, states_at(between.cursor, self.track, times)[2]

    def within(self, steps: np.ndarray, h: np.ndarray, paths: Sequence[str]) -> dict[str, np.ndarray]:
        """Return quantities at times h (n,) [s] after the start of steps (n,) of the flight: path -> (n,
        components)."""
        return self._between.within(steps, h, tuple(paths))


def add(flown: Flown) -> None:
    """Call `add` of all modules `after`. A fault in a module of another package is reported and does not stop
    the flight."""
    for module in packages.of_ours("after"):
        module.add(flown)
    for module, package in packages.of_others("after", flown.scenario):
        try:
            module.add(flown)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            flown.record.warnings.append(f"{packages.fault(error, package, flown.scenario)}.")


def known_after(scenario: Any, path: str) -> ModuleType | None:
    """Return the module that computes a quantity after the flight, or None if the quantity is available
    during the flight."""
    group = path.partition(".")[0]
    for module in packages.modules("after", scenario):
        if getattr(module, "GROUP", "") == group or (
            hasattr(module, "knows") and module.knows(scenario, path)
        ):
            return module
    return None


def add_to_lanes(lanes: Any, records: Sequence[Record | None], wanted: Sequence[Any]) -> None:
    """Put requested quantities that are known only after a flight into the records of the cases of a
    `FlownLanes`."""
    for module in packages.modules("after", lanes.scenario):
        asked = [each for each in wanted if known_after(lanes.scenario, each.quantity) is module]
        if asked:
            module.add_to_lanes(lanes, records, asked)
