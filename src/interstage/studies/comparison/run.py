"""Run a scenario with several formulations. Each formulation runs twice: first with compilation, then
without. Missions are compared leg by leg.
"""

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
"""Function of the name of a variant. The function returns a context manager with a progress callback (flight
time, expected end).
"""
INTERRUPTED = "Interrupted"
"""First word of the outcome of an interrupted flight."""
NOT_REACHED = "the comparison was interrupted before the flight of this variant"
GIVEN_UP = "the mission reached its time limit before this leg"


@dataclass(frozen=True)
class Run:
    """Results of the two flights of one variant. The second flight measures the time without compilation.

    - variant: solver settings with a name.
    - flight: first flight.
    - first: wall time of the first flight [s], including compilation or loading of compiled programs.
    - second: wall time of the second flight [s]; NaN without a second flight.
    - stepping: wall time of the integration steps in the second flight [s].
    - differences: differences from the reference, by kind of quantity.
    - events: largest time difference of an event [s], and name of the event.
    - missing: names of events that occur only in this flight or only in the reference.
    - interrupted: whether the user interrupted a flight.
    - legs: results of the legs of a mission that were run, by leg name.
    """

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
        """Return the results of all legs of a mission. For a scenario without legs, return only this
        object.
        """
        return tuple(self.legs.values()) or (self,)

    @property
    def name(self) -> str:
        """Return the name of the variant."""
        return self.variant.name

    @property
    def record(self) -> Record:
        """Return the record of the first flight."""
        return self.flight.record


@dataclass(frozen=True)
class Comparison:
    """Results of a comparison: flights of one scenario with several formulations of the equations of motion.

    - scenario: the compared scenario.
    - runs: results of the variants. The first result is the reference.
    - unfit: variants that were not run, with reasons.
    - quantities: names of quantities that are compared in addition to body motion and joint loads.
    """

    scenario: Scenario
    runs: tuple[Run, ...]
    unfit: tuple[Unfit, ...] = ()
    quantities: tuple[str, ...] = ()

    @property
    def reference(self) -> Run:
        """Return the results of the reference variant."""
        return self.runs[0]

    @property
    def flights(self) -> dict[str, Flight]:
        """Return the first flight of each variant, by variant name."""
        return {run.name: run.flight for run in self.runs}

    def __getitem__(self, name: str) -> Run:
        """Return the results of a variant by its name. Raises KeyError for an unknown name."""
        return {run.name: run for run in self.runs}[name]

    @property
    def legs(self) -> dict[str, Comparison]:
        """Return a comparison for each leg of a mission that the reference has run, by leg name."""
        found = {}
        for leg in self.reference.legs:
            runs = tuple(run.legs[leg] for run in self.runs if leg in run.legs)
            found[leg] = Comparison(self.scenario, runs, quantities=self.quantities)
        return found

    @property
    def completed(self) -> bool:
        """Return whether all flights reached the end of the scenario without an interrupt."""
        return not self.interrupted and all(run.flight.completed for run in self.runs)

    @property
    def interrupted(self) -> bool:
        """Return whether the user interrupted the comparison."""
        return any(run.interrupted for run in self.runs) or any(u.reason == NOT_REACHED for u in self.unfit)

    def table(self, units: str | None = None) -> dict[str, list[Any]]:
        """Return the columns of a table by name, for example for pandas.DataFrame. A column has one value
        for each variant.

        units: "SI" or "US". Default: the units of the scenario.
        """
        from .table import columns

        return columns(self, units or self.scenario.units)

    @property
    def data(self) -> xarray.Dataset:
        """Return the table in SI as a dataset with the dimension "variant". Each variable has units."""
        from .table import dataset

        return dataset(self)

    def save(self, path: str | Path, units: str | None = None) -> Path:
        """Write the table to a CSV file and return the path. Raises BadInput if the file cannot be written.

        units: "SI" or "US". Default: the units of the scenario."""
        from .table import write

        return write(self, Path(path), units or self.scenario.units)

    def figure(self, units: str | None = None) -> Figure:
        """Return a figure with the differences and the constraint violation over time, and the wall times.

        units: "SI" or "US". Default: the units of the scenario.
        """
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
    """Run a scenario with several formulations of the equations of motion and compare the flights.

    A variant is one combination of a formulation, a stabilization, a method and a step. The function runs all
    valid variants and a reference, and returns the differences from the reference.

    - formulations: names, with options for example "null_space:road=numerical,form=implicit_1". "all" selects
      all formulations.
    - stabilizations: "projection", "baumgarte" or "none". Default: the setting of the scenario.
    - methods: "dop853", "dopri5" or "rk4". Default: the setting of the scenario.
    - steps: fixed integration steps, as numbers [s] or texts with a unit. Default: the step of the scenario.
    - reference: formulation of the reference. Default: the default formulation with a tolerance of at most
      1e-12.
    - quantities: names of quantities that are compared in addition to body motion and joint loads. The
      difference of a vector is the norm of the difference.
    - limit: wall time [s] after which the flight of a variant is stopped. The result then contains the flight
      until this time. Default: no limit.
    - progress: see `Progress`. Default: no progress display.

    An interrupt (Ctrl-C) ends the comparison. In a mission, each variant runs all legs. Raises BadInput for
    unknown names, and if the reference or all other variants cannot be run.
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
            flown = one.outcome.removeprefix(f"{INTERRUPTED} ").partition(". ")[0]
            one.outcome = f"The time limit of {limit:g} s wall time stopped the flight {flown}."
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
