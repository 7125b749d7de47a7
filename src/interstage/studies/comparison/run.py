"""Fly a scenario by several formulations, each twice: with compilation, then without. Missions are compared
leg by leg."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...missions.mission import Mission
from ...programs.compiled import Wait, listening
from ...quantities.catalogue import unit_of
from ...quantities.missions import known_in
from ...record.legs import has, outcome
from ...record.record import Record
from ...record.results import Flight
from ...runs.mission import INTERRUPTED as BEFORE_IT
from ...runs.run import fly
from ...scenario import Scenario
from ...tree.errors import BadInput, Problem
from ...tree.unit_names import UnitError
from ...tree.units import parse_value
from .differences import Difference, differences, event_difference, missing_events
from .variants import ALL, Unfit, Variant, reference_variant, split, variants

if TYPE_CHECKING:
    import xarray

    from ...drawing.figure import Figure

Progress = Callable[[str], AbstractContextManager[Any]]
"""Function of a variant's name: a context with a progress callback (flight time, expected end)."""
INTERRUPTED = "Interrupted"
"""First word of the outcome of an interrupted flight."""
NOT_REACHED = "the comparison was interrupted before the flight of this variant"
GIVEN_UP = "the mission reached its time limit before this leg"


@dataclass(frozen=True)
class Run:
    """Flights of one variant.

    `first`, `second` [s]: wall time of the first run, with compilation or loading of compiled programs, and
    of the second run without. `stepping` [s]: time of the steps in the second run; NaN without a second run.
    `differences`: from the reference, by kind. `events`: (largest difference of an event time [s], its name).
    `missing`: events of this flight only, or of the reference only. `interrupted`: in either run. `legs`:
    flown legs of a mission, as runs of their own."""

    variant: Variant
    flight: Flight
    first: float
    second: float = np.nan
    stepping: float = np.nan
    differences: dict[str, Difference] = field(default_factory=dict)
    events: tuple[float, str] = (np.nan, "")
    missing: tuple[str, ...] = ()
    interrupted: bool = False
    legs: dict[str, Run] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[Run, ...]:
        """The legs of a mission; itself without legs."""
        return tuple(self.legs.values()) or (self,)

    @property
    def name(self) -> str:
        """The variant's name."""
        return self.variant.name

    @property
    def record(self) -> Record:
        """The flown scenario."""
        return self.flight.record


@dataclass(frozen=True)
class Comparison:
    """Flights of a scenario by several formulations.

    The first of `runs` is the reference. `unfit`: variants that were not flown, with reasons. `quantities`:
    compared in addition to motion and loads, in a mission in the legs that have them."""

    scenario: Scenario
    runs: tuple[Run, ...]
    unfit: tuple[Unfit, ...] = ()
    quantities: tuple[str, ...] = ()

    @property
    def reference(self) -> Run:
        """The reference run."""
        return self.runs[0]

    @property
    def flights(self) -> dict[str, Flight]:
        """The flights by name of their variant."""
        return {run.name: run.flight for run in self.runs}

    def __getitem__(self, name: str) -> Run:
        """One variant by name."""
        return {run.name: run for run in self.runs}[name]

    @property
    def legs(self) -> dict[str, Comparison]:
        """Legs of a mission as comparisons of the variants that flew them; only legs that the reference
        flew."""
        found = {}
        for leg in self.reference.legs:
            runs = tuple(run.legs[leg] for run in self.runs if leg in run.legs)
            found[leg] = Comparison(self.scenario, runs, quantities=self.quantities)
        return found

    @property
    def completed(self) -> bool:
        """Whether every flight reached the end of the scenario, without an interrupt."""
        return not self.interrupted and all(run.flight.completed for run in self.runs)

    @property
    def interrupted(self) -> bool:
        """Whether the user interrupted the comparison."""
        return any(run.interrupted for run in self.runs) or any(u.reason == NOT_REACHED for u in self.unfit)

    def table(self, units: str | None = None) -> dict[str, list[Any]]:
        """Column -> one value for each variant, for pandas.DataFrame. units: "SI" or "US". Default: the
        scenario's."""
        from .table import columns

        return columns(self, units or self.scenario.units)

    @property
    def data(self) -> xarray.Dataset:
        """The table in SI, dimension "variant", every variable with its units."""
        from .table import dataset

        return dataset(self)

    def save(self, path: str | Path, units: str | None = None) -> Path:
        """Write the table as CSV. Raises BadInput if the file cannot be written."""
        from .table import write

        return write(self, Path(path), units or self.scenario.units)

    def figure(self, units: str | None = None) -> Figure:
        """Figure of differences and constraint violation over time, and of wall times."""
        from .figure import draw

        return draw(self, units or self.scenario.units)


def compare(
    scenario: Scenario,
    formulations: str | Sequence[str] = ALL,
    stabilizations: str | Sequence[str] = (),
    methods: str | Sequence[str] = (),
    steps: Any = (),
    reference: str | None = None,
    quantities: str | Sequence[str] = (),
    limit: float | str | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Fly a scenario by all valid combinations of formulations, stabilizations, methods and steps, and
    compare them with a reference.

    - `formulations`: names with options, "null_space:road=numerical,form=implicit_1", or "all"; omitted
      settings are those of the scenario.
    - `steps`: fixed steps, numbers [s] or texts with a unit.
    - `reference`: a variant. Default: the default formulation with a tight tolerance.
    - `quantities`: further names to compare, vectors by the norm of the difference.
    - `limit` [s]: wall time of flying after which a variant is stopped; its flight is kept up to there. An
      interrupt (Ctrl-C) ends the comparison.

    In a mission every variant flies all legs, each from the end of its own previous leg; see `variants` for
    the legs of a formulation. Quantities are compared in the legs that have them.

    Raises BadInput for unknown names, and if the reference or all other variants cannot be flown.
    """
    formulations, stabilizations, methods, names = map(
        _as_list, (formulations, stabilizations, methods, quantities)
    )
    steps = [steps] if isinstance(steps, (str, int, float)) else list(steps)
    _check_quantities(scenario, names)
    base = reference_variant(scenario, reference, steps)
    found, unfit = variants(scenario, formulations, stabilizations, methods, steps)
    _some(found, unfit)
    base = next((variant for variant in found if variant.flies_as(base)), base)
    wanted = [base, *(variant for variant in found if variant is not base)]
    seconds = None if limit is None else _seconds(limit)
    runs: list[Run] = []
    for made in _flown(scenario, wanted, seconds, progress or (lambda name: nullcontext())):
        if isinstance(made, Unfit):
            unfit.append(made)
        else:
            runs.append(_held_against(runs[0], made, names) if runs else made)
    compared = Comparison(scenario, tuple(runs), tuple(unfit), tuple(names))
    if not compared.interrupted:
        _some([run for run in runs if run.variant in found], unfit)
    return compared


def _some(found: Sequence[Any], unfit: Sequence[Unfit]) -> None:
    """Raise BadInput if no requested variant can be flown."""
    if not found:
        raise BadInput(Problem(item.name, f"the variant cannot be flown: {item.reason}") for item in unfit)


def _as_list(names: str | Sequence[str]) -> list[str]:
    return split([names] if isinstance(names, str) else names)


def _seconds(limit: float | str) -> float:
    try:
        return parse_value(limit, "s", positive=True)
    except UnitError as error:
        raise BadInput(Problem("limit", str(error))) from None


def _check_quantities(scenario: Scenario, names: Sequence[str]) -> None:
    """Raise BadInput for names that are not numeric quantities of the scenario or of any leg."""
    problems = []
    for name in names:
        try:
            unit_of(Mission.of(scenario).leg(known_in(scenario, name)[0]).scenario, name)
        except KeyError as error:
            problems.append(Problem(name, str(error.args[0])))
    if problems:
        raise BadInput(problems)


def _flown(scenario, wanted: Sequence[Variant], limit, progress: Progress) -> Iterator[Run | Unfit]:
    """Runs of the variants in order until an interrupt; the first one must succeed."""
    for row, variant in enumerate(wanted):
        try:
            with progress(variant.name) as callback:
                made = _twice(variant, scenario, _Watch(callback, limit))
        except KeyboardInterrupt:
            if row == 0:
                raise
            yield from (Unfit(left.name, NOT_REACHED) for left in wanted[row:])
            return
        except BadInput as error:
            if row == 0:
                raise
            made = Unfit(variant.name, "; ".join(map(str, error.problems)))
        except Exception as error:
            if row == 0:
                raise
            made = Unfit(variant.name, f"{type(error).__name__}: {error}".partition("\n")[0])
        yield made
        if isinstance(made, Run) and made.interrupted:
            yield from (Unfit(left.name, NOT_REACHED) for left in wanted[row + 1 :])
            return


class _Watch:
    """Callback of the flight that stops it after the time limit; compilation does not count."""

    def __init__(self, callback: Callable[[float, float | None], None] | None, limit: float | None):
        self._callback, self.limit = callback, limit
        self._begun: float | None = None
        self._waits, self._since, self._waited = 0, 0.0, 0.0
        self.stopped = False

    def __call__(self, flight_time: float, end: float | None) -> None:
        if self._callback is not None:
            self._callback(flight_time, end)
        now = time.perf_counter() - self._waited
        self._begun = now if self._begun is None else self._begun
        if self.limit is not None and now - self._begun > self.limit:
            self.stopped = True
            raise KeyboardInterrupt

    def waits(self, wait: Wait) -> None:
        """Note that waiting for compilation begins or ends."""
        now = time.perf_counter()
        if not self._waits:
            self._since = now
        self._waits += -1 if wait.over else 1
        if not self._waits:
            self._waited += now - self._since


def _twice(variant: Variant, scenario: Scenario, watch: _Watch) -> Run:
    """Fly a variant, and again if it was not stopped."""
    with listening(watch.waits):
        record, first = _timed_run(variant, scenario, watch)
    if watch.stopped:
        _tell(record, watch.limit)
    run = Run(variant, Flight(record), first, interrupted=_is_interrupted(record))
    run = replace(run, legs={leg: _of_leg(run, leg) for leg in record.legs})
    if watch.stopped or run.interrupted:
        return run
    try:
        again, second = _timed_run(variant, scenario, None)
    except KeyboardInterrupt:
        return replace(run, interrupted=True)
    if _is_interrupted(again):
        return replace(run, interrupted=True)
    legs = {leg: _again(one, again.legs[leg]) for leg, one in run.legs.items() if leg in again.legs}
    run = replace(run, legs=run.legs | legs)
    return replace(run, second=second, stepping=float(again.statistics["stepping time [s]"]))


def _of_leg(run: Run, leg: str) -> Run:
    """A flown leg as a run of its own."""
    variant, record = run.variant, run.record.legs[leg]
    own = Variant(variant.name, variant.legs[leg])
    return Run(own, Flight(record), float(record.statistics["wall time [s]"]))


def _again(run: Run, record: Record) -> Run:
    """A leg with the times of its second flight."""
    second, stepping = (float(record.statistics[f"{what} time [s]"]) for what in ("wall", "stepping"))
    return replace(run, second=second, stepping=stepping)


def _tell(record: Record, limit: float | None) -> None:
    """Set the outcome of a record to the time limit, in place of an interrupt."""
    for one in record.legs.values() or (record,):
        if _is_interrupted(one):
            flown = one.outcome.removeprefix(f"{INTERRUPTED} ").partition(";")[0]
            one.outcome = f"Stopped by the time limit after {limit:g} s of wall time, {flown}."
    if record.legs:
        outcomes = {leg: (one.outcome, one.completed) for leg, one in record.legs.items()}
        why = record.unflown.items()
        record.unflown = {leg: GIVEN_UP if text == BEFORE_IT else text for leg, text in why}
        record.outcome = outcome(outcomes, record.unflown, 0.0)


def _is_interrupted(record: Record) -> bool:
    if record.legs:
        return BEFORE_IT in record.unflown.values() or any(map(_is_interrupted, record.legs.values()))
    return record.outcome.startswith(INTERRUPTED)


def _timed_run(variant: Variant, scenario: Scenario, watch: _Watch | None) -> tuple[Record, float]:
    start = time.perf_counter()
    record = fly(variant.of(scenario), watch)
    return record, time.perf_counter() - start


def _held_against(reference: Run, run: Run, quantities: Sequence[str]) -> Run:
    mine, its = reference.record, run.record
    legs = dict(run.legs)
    for leg in legs.keys() & reference.legs.keys():
        known = [name for name in quantities if has(reference.legs[leg].record, name)]
        legs[leg] = _held_against(reference.legs[leg], legs[leg], known)
    return replace(
        run,
        differences={} if legs else differences(mine, its, quantities),
        events=event_difference(mine, its),
        missing=tuple(missing_events(mine, its)),
        legs=legs,
    )
