"""Results of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ...maths.ranking import SAME, ranks
from ...record.results import Flight
from ...runs.cases import together
from ...scenario import Scenario
from ...tree.addresses import get
from ...tree.errors import BadInput, check_case, near
from .declared import Design
from .designs import OWN
from .levels import Varied

if TYPE_CHECKING:
    from collections.abc import Iterator

    import xarray

    from ...drawing.figure import Figure
    from .sensitivity import Effect


@dataclass(frozen=True)
class Measure:
    """A measure: a response, or the value of a requirement closest to its limit or furthest beyond it.

    values (cases,) in `unit` (SI), NaN if a case did not reach it. limit, side: of a requirement. notes: case
    -> reason why its limit could not be evaluated."""

    name: str
    quantity: str
    where: str
    unit: str
    values: np.ndarray
    limit: float = np.nan
    side: Literal["", "min", "max"] = ""
    notes: dict[int, str] = field(default_factory=dict)

    @property
    def margin(self) -> np.ndarray:
        """Margin to the limit (cases,), positive if it is met; NaN without a limit."""
        return self.values - self.limit if self.side == "min" else self.limit - self.values

    @property
    def broken(self) -> np.ndarray:
        """Whether each case breaks the limit, or could not be evaluated, (cases,) bool."""
        beyond = ~(self.margin >= 0) & np.isfinite(self.values)
        beyond[list(self.notes)] = True
        return beyond if self.side else np.zeros(len(self.values), bool)


@dataclass(frozen=True, repr=False)
class Sweep:
    """The cases of a sweep, numbered from 0.

    - `levels` (cases, variations): indices of the levels, -1 for the scenario's value if it is not a level.
    - `inputs`: path -> values (cases, ...) in SI.
    - `outcomes`: outcome of each case. `completed`, `flown` (cases,) bool: whether a case reached the end of
      its scenario, and whether it was flown.
    - `seconds`: wall time with compilation."""

    scenario: Scenario
    design: Design
    variations: tuple[Varied, ...]
    levels: np.ndarray
    inputs: dict[str, np.ndarray]
    measures: tuple[Measure, ...]
    outcomes: tuple[str, ...]
    completed: np.ndarray
    flown: np.ndarray
    interrupted: bool = False
    notes: tuple[str, ...] = ()
    seconds: float = np.nan

    def __repr__(self) -> str:
        return f"<Sweep: {self.summary}>"

    def __len__(self) -> int:
        return len(self.levels)

    def __getitem__(self, name: str) -> np.ndarray:
        """Values (cases,) of a requirement or a response, or the coordinate of a variation, in SI."""
        for measure in self.measures:
            if measure.name == name:
                return measure.values
        one = next((one for one in self.variations if one.name == name), None)
        if one is None:
            names = [*(v.name for v in self.variations), *(m.name for m in self.measures)]
            text = f"the sweep has no varied input, requirement or response '{name}'. Known names:"
            raise KeyError(f"{text} {', '.join(names)}")
        return self.coordinate(one)

    def coordinate(self, one: Varied) -> np.ndarray:
        """Coordinate of a variation in each case (cases,), in its own unit."""
        levels = self.levels[:, self.variations.index(one)]
        return np.where(levels == OWN, one.nominal, one.coordinate[levels])

    @cached_property
    def broken(self) -> np.ndarray:
        """Whether each case breaks a requirement, (cases,) bool."""
        none = np.zeros(len(self), bool)
        return np.any([none, *(m.broken & self.flown & self.completed for m in self.measures)], axis=0)

    @property
    def passed(self) -> bool:
        """Whether every case was flown to its end and meets all requirements."""
        return bool(np.all(self.completed & ~self.broken))

    @property
    def all_completed(self) -> bool:
        """Whether every case was flown, and reached the end of its scenario."""
        return bool(np.all(self.completed))

    def verdict(self, case: int) -> str:
        """Short verdict of a case. Raises BadInput for an unknown number."""
        check_case(case, len(self))
        if not self.flown[case]:
            return self.outcomes[case]
        if not self.completed[case]:
            return self.outcomes[case]
        broken = [m.name for m in self.measures if m.broken[case]]
        if broken:
            return f"BROKEN: {', '.join(broken)}"
        return "pass" if any(m.side for m in self.measures) else ""

    @cached_property
    def order(self) -> np.ndarray:
        """The cases, the worst first: cases that ended early, cases that break a requirement, then by their
        smallest margin relative to the limit (to the spread of values if the limit is zero). Equal cases are
        ordered by number."""
        worst = np.full(len(self), np.inf)
        for m in self.measures:
            if m.side:
                spread = np.ptp(m.values[np.isfinite(m.values)]) if np.isfinite(m.values).any() else 0.0
                margin = np.where(m.broken & np.isnan(m.values), -np.inf, m.margin) / (
                    abs(m.limit) or spread or 1
                )
                worst = np.fmin(worst, margin)
        worst[~self.completed] = -np.inf
        return np.lexsort((np.arange(len(self)), ranks(worst, SAME), ~self.broken, self.completed))

    @property
    def summary(self) -> str:
        """The sweep in one sentence."""
        cases = f"{len(self)} case{'s' if len(self) != 1 else ''} ({self.design.replace('_', ' ')})"
        early = int(np.sum(self.flown & ~self.completed))
        counts = [
            (int(np.sum(self.broken)), "break a requirement", "breaks a requirement"),
            (early, "ended early", "ended early"),
            (int(np.sum(~self.flown)), "were not flown", "was not flown"),
        ]
        counted_texts = [f"{n} {one if n == 1 else many}" for n, many, one in counts if n]
        if not counted_texts:
            kept = "all cases completed"
            kept = "all cases meet the requirements" if any(m.side for m in self.measures) else kept
            counted_texts = [kept]
        return f"{cases}: {', '.join(counted_texts)}."

    def case(self, number: int) -> Scenario:
        """The scenario of one case. Raises BadInput for an unknown number."""
        check_case(number, len(self))
        return together(self.scenario, {path: values[number] for path, values in self.inputs.items()})

    def fly(self, number: int) -> Flight:
        """One case flown alone, with all its samples, events and quantities."""
        return self.case(number).run()

    def settings(self, number: int) -> list[str]:
        """Arguments of `--set` that fly one case, "PATH=VALUE" in SI to 15 digits, without values of the
        scenario. Raises BadInput for an unknown number."""
        check_case(number, len(self))
        return [
            f"{path.removesuffix('.magnitude')}={_to_digits(values[number]).tolist()!r}"
            for path, values in self.inputs.items()
            if not np.array_equal(values[number], get(self.scenario, path))
        ]

    def effects(self, name: str) -> list[Effect]:
        """Effects of the variations on a requirement or response, the strongest first; see
        `sensitivity.Effect`. Raises BadInput for an unknown name."""
        from .sensitivity import effects

        for measure in self.measures:
            if measure.name == name:
                return effects(self, measure)
        known = [measure.name for measure in self.measures]
        raise BadInput(f"there is no requirement or response '{name}'; {near(name, known)}")

    def table(self, units: str | None = None) -> dict[str, list[Any]]:
        """Column -> one value for each case, for pandas.DataFrame. units: "SI" or "US". Default: the
        scenario's."""
        from .table import columns

        return columns(self, units or self.scenario.units)

    @property
    def data(self) -> xarray.Dataset:
        """All cases in SI, dimension "case", every variable with its units."""
        from .table import dataset

        return dataset(self)

    def save(self, path: str | Path, units: str | None = None) -> Path:
        """Write all cases as NetCDF (.nc, in SI), CSV or Parquet. Raises BadInput if the file cannot be
        written."""
        from .table import write

        return write(self, Path(path), units or self.scenario.units)

    def figures(self, units: str | None = None) -> Iterator[Figure]:
        """Figures of the effects on requirements and responses."""
        from .figures import figures

        return figures(self, units or self.scenario.units)

    def report(self, path: str | Path, units: str | None = None) -> Path:
        """Write tables and figures as one HTML page. Raises BadInput if the file cannot be written."""
        from .page import write

        return write(self, Path(path), units or self.scenario.units)


def finite(measures: Sequence[Measure]) -> list[Measure]:
    """Measures with a finite value in at least one case."""
    return [measure for measure in measures if np.isfinite(measure.values).any()]


def _to_digits(values: np.ndarray) -> np.ndarray:
    """Numbers rounded to 15 digits, without the rounding of sums."""
    return np.vectorize(lambda value: float(f"{value:.15g}"), otypes=[float])(values)
