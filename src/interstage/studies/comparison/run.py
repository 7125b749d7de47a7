"""Fly a scenario by several formulations, each twice: to compile and fly, then to fly only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...flight.simulate import fly
from ...mission import refuse_legs
from ...quantities.catalogue import unit_of
from ...record.record import Record
from ...record.results import Flight
from ...scenario import Scenario
from ...tree.errors import BadInput, Problem
from ...tree.unit_names import UnitError
from ...tree.units import si
from .differences import Difference, differences, event_difference, missing_events
from .variants import ALL, Unfit, Variant, reference_variant, split, variants

if TYPE_CHECKING:
    import xarray

    from ...drawing.figure import Figure

Progress = Callable[[str], AbstractContextManager[Any]]
"""Given a variant's name, what to fly it in: a context that gives a callback (flight time, expected end)."""
INTERRUPTED = "Interrupted"
"""How the outcome of a flight begins that was stopped from outside."""
NOT_REACHED = "interrupted before it was flown"


@dataclass(frozen=True)
class Run:
    """One variant as it was flown.

    first, second [s]: wall time of the whole run, when everything had to be compiled (or taken from the cache
    of compiled programs), and when nothing had. stepping [s]: the part of the second that the steps took,
    without start and samples. Not a number where there was no second run. differences: from the reference,
    by kind; events: (largest difference of an event's time [s], its name); missing: events that only this
    flight or only the reference had. interrupted: from outside, in either run.
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

    @property
    def name(self) -> str:
        """The variant's name."""
        return self.variant.name

    @property
    def record(self) -> Record:
        """What was flown."""
        return self.flight.record


@dataclass(frozen=True)
class Comparison:
    """What a scenario did under several formulations. The first of `runs` is the reference; `unfit` are the
    variants that were not flown, with reasons; `quantities` are those compared beside motion and loads."""

    scenario: Scenario
    runs: tuple[Run, ...]
    unfit: tuple[Unfit, ...] = ()
    quantities: tuple[str, ...] = ()

    @property
    def reference(self) -> Run:
        """The run that the others are held against."""
        return self.runs[0]

    @property
    def flights(self) -> dict[str, Flight]:
        """The flights by name of their variant."""
        return {run.name: run.flight for run in self.runs}

    def __getitem__(self, name: str) -> Run:
        """One variant by name."""
        return {run.name: run for run in self.runs}[name]

    @property
    def completed(self) -> bool:
        """Whether every flight reached the end of the scenario, and nobody interrupted the comparison."""
        return not self.interrupted and all(run.flight.completed for run in self.runs)

    @property
    def interrupted(self) -> bool:
        """Whether somebody interrupted the comparison."""
        return any(run.interrupted for run in self.runs) or any(u.reason == NOT_REACHED for u in self.unfit)

    def table(self, units: str | None = None) -> dict[str, list[Any]]:
        """Column -> one value for each variant, in the scenario's units unless others are given ("SI", "US");
        fit for pandas.DataFrame."""
        from .table import columns

        return columns(self, units or self.scenario.units)

    @property
    def data(self) -> xarray.Dataset:
        """The table in SI, dimension "variant", every variable with its units."""
        from .table import dataset

        return dataset(self)

    def save(self, path: str | Path, units: str | None = None) -> Path:
        """Write the table as CSV. Raises BadInput where the file cannot be written."""
        from .table import write

        return write(self, Path(path), units or self.scenario.units)

    def figure(self, units: str | None = None) -> Figure:
        """Differences and violation over time, and wall times."""
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
    """Fly a scenario by every combination of the formulations, stabilizations, methods and steps named that
    it admits, and compare them with a reference.

    formulations: names with options, "null_space:road=numerical,form=implicit_1", or "all". Whatever is left
    out stays as the scenario has it. steps: of methods with fixed steps, numbers [s] or texts with a unit.
    reference: a variant; by default the default formulation with a tight tolerance. quantities: further
    names to compare, of vectors the length of the difference. limit [s]: wall time of flying after which a
    variant is given up and kept as far as it came. An interrupt (Ctrl-C) ends the comparison there.

    Raises BadInput for unknown names, and where the reference, or everything but the reference, cannot be
    flown.
    """
    refuse_legs(scenario, "comparisons")
    formulations, stabilizations, methods, names = map(
        _listed, (formulations, stabilizations, methods, quantities)
    )
    steps = [steps] if isinstance(steps, (str, int, float)) else list(steps)
    _check_quantities(scenario, names)
    base = reference_variant(scenario, reference, steps)
    found, unfit = variants(scenario, formulations, stabilizations, methods, steps)
    _some(found, unfit)
    base = next((variant for variant in found if variant.solver == base.solver), base)
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
    """Raise BadInput where nothing that was asked for can be flown."""
    if not found:
        raise BadInput(Problem(item.name, f"cannot be flown: {item.reason}") for item in unfit)


def _listed(names: str | Sequence[str]) -> list[str]:
    return split([names] if isinstance(names, str) else names)


def _seconds(limit: float | str) -> float:
    try:
        return float(si("s", positive=True)(limit))
    except UnitError as error:
        raise BadInput(Problem("limit", str(error))) from None


def _check_quantities(scenario: Scenario, names: Sequence[str]) -> None:
    for name in names:
        try:
            unit_of(scenario, name)
        except KeyError as error:
            raise BadInput(Problem(name, str(error.args[0]))) from None


def _flown(scenario, wanted: Sequence[Variant], limit, progress: Progress) -> Iterator[Run | Unfit]:
    """The variants one after the other, as far as nobody interrupts; the first one must fly."""
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
    """A callback of the flight that gives up when flying has taken too long; compiling does not count."""

    def __init__(self, callback: Callable[[float, float | None], None] | None, limit: float | None):
        self._callback, self.limit = callback, limit
        self._begun: float | None = None
        self.stopped = False

    def __call__(self, flight_time: float, end: float | None) -> None:
        if self._callback is not None:
            self._callback(flight_time, end)
        now = time.perf_counter()
        self._begun = now if self._begun is None else self._begun
        if self.limit is not None and now - self._begun > self.limit:
            self.stopped = True
            raise KeyboardInterrupt


def _twice(variant: Variant, scenario: Scenario, watch: _Watch) -> Run:
    """Fly a variant, and once more if it was not stopped."""
    record, first = _timed(variant, scenario, watch)
    if watch.stopped:
        flown = record.outcome.removeprefix(f"{INTERRUPTED} ").partition(";")[0]
        record.outcome = f"Given up after {watch.limit:g} s of flying, {flown}."
    run = Run(variant, Flight(record), first, interrupted=_interrupted(record))
    if watch.stopped or run.interrupted:
        return run
    try:
        again, second = _timed(variant, scenario, None)
    except KeyboardInterrupt:
        return replace(run, interrupted=True)
    if _interrupted(again):
        return replace(run, interrupted=True)
    return replace(run, second=second, stepping=float(again.statistics["stepping time [s]"]))


def _interrupted(record: Record) -> bool:
    return record.outcome.startswith(INTERRUPTED)


def _timed(variant: Variant, scenario: Scenario, watch: _Watch | None) -> tuple[Record, float]:
    start = time.perf_counter()
    record = fly(variant.of(scenario), watch)
    return record, time.perf_counter() - start


def _held_against(reference: Run, run: Run, quantities: Sequence[str]) -> Run:
    mine, its = reference.record, run.record
    return replace(
        run,
        differences=differences(mine, its, quantities),
        events=event_difference(mine, its),
        missing=tuple(missing_events(mine, its)),
    )
