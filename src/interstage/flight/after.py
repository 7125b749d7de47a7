"""What parts add to the record of a flight once it has been flown, by their modules `after`.

`add(flown)` puts what it finds into the record of a `Flown`. GROUP, where a module has one, is the first word
of paths that nothing knows before a flight has ended; of others it may have `knows(scenario, path)`, which
says whether it does. Then it also has

- `unit_of(scenario, path)`: the SI unit of such a quantity. Raises KeyError;
- `value(batch, path, at)`: its values in all cases of a batch, or none where records tell them;
- `add_to_lanes(lanes, records, wanted)`: puts what is asked into the records of `lanes.FlownLanes`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from ..maths.arrays import jax
from ..record.record import Record
from ..tree import packages
from .observation import SUMS, Track, in_chunks, states_at, within_a_step
from .program import Program
from .quadrature import Integral, integral


class Flown:
    """One flight that has ended.

    scenario, layout; track: its steps (`observation.Track`); record: as far as it is known; finite: whether
    the state in which it ended is a number. sampled: the states (sample, n) of the record's samples,
    where they are known."""

    def __init__(
        self,
        program: Program,
        scenario: Any,
        reference: Any,
        cursor: Any,
        track: Track,
        record: Record,
        sampled: np.ndarray | None = None,
    ):
        self.scenario, self.layout, self.track, self.record = scenario, program.layout, track, record
        self.finite = bool(np.all(np.isfinite(np.asarray(cursor.x))))
        self._program, self._given, self._cursor = program, (scenario, reference), cursor
        self._sampled = sampled

    def at(self, times: np.ndarray, function: Callable[..., Any]) -> Any:
        """function(mechanism, t, x, discrete) at times (n,), each reached by steps of the flight's own
        method from the state before: a tree of arrays, times first."""
        look = partial(self._program.of_samples(function), *self._given)
        return in_chunks(look, self._states(times), self.layout)

    def of_states(self, steps: np.ndarray, function: Callable[..., Any], ends: bool) -> Any:
        """function(mechanism, t, x, discrete) of the states in which steps (n,) of the track begin, or end
        just before anything jumps: a tree of arrays, steps first."""
        track, found = self.track, self._program.of_samples(function)
        states = (track.t_end, track.x_end) if ends else (track.t, track.x)
        rows = jax.tree.map(lambda leaf: np.asarray(leaf)[steps], (*states, track.discrete))
        return in_chunks(partial(found, *self._given), rows, self.layout)

    def integral(self, rates: Callable[..., Any]) -> Integral | None:
        """The integrals over time of rates(mechanism, t, x, discrete) -> (components, *lanes); see
        `quadrature`. None where the flight took no time."""
        return integral(self, rates)

    def put_sum(self, path: str, meta: Any, samples: np.ndarray, at_events: np.ndarray) -> None:
        """Put an integral since the start of the flight into the record, with what it came to before: in the
        legs of a mission, or in the flight that this one goes on from."""
        record = self.record
        begun = record.sums.get(path, 0.0)
        record.meta[path], record.series[path] = meta, begun + samples
        record.before[path] = record.after[path] = begun + at_events
        record.sums[path] = float(begun + samples[-1])
        record.restart[f"{SUMS}{path}"] = begun + at_events

    def _states(self, times: np.ndarray) -> Any:
        """The states (t, x, discrete) at times, rows of arrays; those of the samples are there already."""
        t, x, discrete, h = states_at(self._cursor, self.track, times)
        new = np.ones(len(times), bool)
        if self._sampled is not None and len(self._sampled):
            row = np.searchsorted(self.record.time, times).clip(max=len(self._sampled) - 1)
            new = self.record.time[row] != times
            x[~new] = self._sampled[row[~new]]
        if new.any():
            some = self._near(jax.tree.map(lambda rows: rows[new], (t, x, discrete, h)))
            x[new] = in_chunks(self._stepped, some, self.layout)
        return t + h, x, discrete

    def _stepped(self, *lanes: Any) -> Any:
        """The states a step later."""
        return self._program.stepped(*self._given, *lanes)

    def _near(self, states: Any) -> Any:
        """States (t, x, discrete, h) from which one step leads to the times of others."""
        return within_a_step(self._program, *self._given, states)

    def within(self, steps: np.ndarray, h: np.ndarray, paths: Sequence[str]) -> dict[str, np.ndarray]:
        """Quantities times h (n,) [s] after steps (n,) of the track began: path -> (n, components)."""

        def look(*lanes):
            return self._program.observe(*self._given, *lanes, paths=paths)[0]

        t, x, discrete = jax.tree.map(
            lambda rows: np.asarray(rows)[steps], (self.track.t, self.track.x, self.track.discrete)
        )
        return in_chunks(look, self._near((t, x, discrete, h)), self.layout)


def add(flown: Flown) -> None:
    """Let all parts put what they find into the record. A fault in those of others costs no flight."""
    for module in packages.of_ours("after"):
        module.add(flown)
    for module, package in packages.of_others("after", flown.scenario):
        try:
            module.add(flown)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            flown.record.warnings.append(f"{packages.fault(error, package, flown.scenario)}.")


def known_after(scenario: Any, path: str) -> ModuleType | None:
    """The module that knows a quantity once a flight has ended; None where it is known in flight."""
    group = path.partition(".")[0]
    for module in packages.modules("after", scenario):
        if getattr(module, "GROUP", "") == group or (
            hasattr(module, "knows") and module.knows(scenario, path)
        ):
            return module
    return None


def add_to_lanes(lanes: Any, records: Sequence[Record | None], wanted: Sequence[Any]) -> None:
    """Put what is wanted (with a `quantity`) of quantities that are known afterwards into the records of the
    lanes of a `FlownLanes`."""
    for module in packages.modules("after", lanes.scenario):
        asked = [each for each in wanted if known_after(lanes.scenario, each.quantity) is module]
        if asked:
            module.add_to_lanes(lanes, records, asked)
