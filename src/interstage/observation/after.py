"""Results that models add to the record of a flight after its end. The module `after` of a model's package
computes these results.

The function `add(flown)` of such a module puts results into the record of a `Flown`. If the module has
`GROUP`, this is the first word of the paths of its quantities. A module without `GROUP` can have a function
`knows(scenario, path)`, which returns whether the module computes a quantity. A module with `GROUP` or
`knows` also has these functions:

- `unit_of(scenario, path)`: return the SI unit of a quantity. Raises KeyError.
- `value(batch, path, at)`: return the values in all cases of a batch, or None if the records have the values.
- `add_to_lanes(cases, records, wanted)`: put requested quantities into the records of `FlownLanes`.
"""

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
    """One finished flight.

    - scenario, layout: scenario and its structure.
    - track: integration steps (`observation.Track`).
    - record: record of the flight, to which results are added.
    - finite: true if all components of the final state are finite.
    - sampled: states of the samples (sample, n), if known.
    - shared: names of joints whose loads rigid bodies do not determine.
    """

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
        """Return function(mechanism, t, x, discrete) at times (n,) [s]. The result is a tree of arrays with
        the times as first axis.

        Each state is reached by a step of the integration method of the flight.
        """
        look = partial(self._program.of_samples(function), *self._given)
        return in_chunks(look, self._states(times), self.layout)

    def of_states(self, steps: np.ndarray, function: Callable[..., Any], ends: bool) -> Any:
        """Return function(mechanism, t, x, discrete) for the integration steps with the indices `steps` (n,).
        The result is a tree of arrays with the steps as first axis.

        The function is evaluated at the start of each step. If `ends` is true, the function is evaluated at
        the end of each step, before any jump.
        """
        track, found = self.track, self._program.of_samples(function)
        states = (track.t_end, track.x_end) if ends else (track.t, track.x)
        rows = jax.tree.map(lambda leaf: np.asarray(leaf)[steps], (*states, track.discrete))
        return in_chunks(partial(found, *self._given), rows, self.layout)

    def along_track(self, function: Callable[..., Any]) -> tuple[np.ndarray, Any]:
        """Return the times [s] (n,) and function(mechanism, t, x, discrete) at these times.

        The times are the starts of all steps and the end of the last step. The result of the function is a
        tree of arrays with the times as first axis.
        """
        last = len(self.track.t) - 1
        begins = self.of_states(np.arange(last + 1), function, ends=False)
        end = self.of_states(np.array([last]), function, ends=True)
        whole = jax.tree.map(lambda *parts: np.concatenate(parts), begins, end)
        return np.append(self.track.t, self.track.t_end[-1]), whole

    def changes(
        self, part: str, of_each: Callable[..., Any], which: Callable[[Any], bool] = lambda thing: True
    ) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
        """Yield three results for each item of a model: the item, the end times of the steps (n,) [s], and
        the change of its values in each step (n, components).

        - part: name of the model.
        - of_each: function of (mechanism, t, x, discrete) that returns the values of each item (components,
          *cases); NaN while the item is inactive.
        - which: function that selects items. Default: all items.
        """
        there: Any = self.layout.parts.get(part)
        items = [] if there is None or not len(self.track.t) else there.of(self.scenario)
        if not any(map(which, items)):
            return
        times, courses = self.along_track(of_each)
        for item, course in zip(items, courses, strict=True):
            if which(item):
                yield item, times[1:], np.diff(course, axis=0)

    def integral(self, rates: Callable[..., Any]) -> Integral | None:
        """Return the time integrals of rates(mechanism, t, x, discrete) (components, *cases). See
        `quadrature`.

        For a flight without duration, return None.
        """
        return integral(self, rates)

    def put_sum(self, path: str, meta: Any, samples: np.ndarray, at_events: np.ndarray) -> None:
        """Put an integral over time, counted from the start of the flight, into the record.

        The initial value is the final value of the preceding legs of a mission, or of the flight that this
        flight continues. `samples`, `at_events`: values of the integral at the samples and at the events.
        `meta`: description of the quantity.
        """
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
        """Return quantities at the times h (n,) [s] after the starts of the steps with the indices `steps`
        (n,).

        The result has an array (n, components) for each of the `paths`.
        """
        return self._between.within(steps, h, tuple(paths))


def add(flown: Flown) -> None:
    """Call `add` of the modules `after` of all packages. A fault in a module of an external package is
    reported as a warning.
    """
    for module in packages.of_ours("after"):
        module.add(flown)
    for module, package in packages.of_others("after", flown.scenario):
        try:
            module.add(flown)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            flown.record.warnings.append(f"{packages.fault(error, package, flown.scenario)}.")


def known_after(scenario: Any, path: str) -> ModuleType | None:
    """Return the module that computes a quantity after the flight. If the quantity is available during the
    flight, return None.
    """
    group = path.partition(".")[0]
    for module in packages.modules("after", scenario):
        if getattr(module, "GROUP", "") == group or (
            hasattr(module, "knows") and module.knows(scenario, path)
        ):
            return module
    return None


def add_to_lanes(lanes: Any, records: Sequence[Record | None], wanted: Sequence[Any]) -> None:
    """Put requested quantities that are computed after a flight into the records of the cases of a
    `FlownLanes`.

    `wanted`: requests, each with the path of a `quantity`. A record that is None is skipped.
    """
    for module in packages.modules("after", lanes.scenario):
        asked = [each for each in wanted if known_after(lanes.scenario, each.quantity) is module]
        if asked:
            module.add_to_lanes(lanes, records, asked)
