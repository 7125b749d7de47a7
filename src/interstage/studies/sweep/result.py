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
from ...tree.errors import BadInput, check_case
from ...tree.similar_names import near
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
    """Values of one response, or of one limit of a requirement, in all cases of a sweep.

    - values (cases,): values in `unit` (SI); NaN if a case has no value. For a requirement, the value is the
      value of the quantity with the smallest margin to the limit.
    - limit, side: limit of a requirement, and "min" or "max"; NaN and "" for a response.
    - notes: reason why the limit could not be evaluated, by case number.
    """

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
        """Return the margin to the limit in each case (cases,), in `unit`. The margin is positive if the
        limit is met, and NaN for a response.
        """
        return self.values - self.limit if self.side == "min" else self.limit - self.values

    @property
    def broken(self) -> np.ndarray:
        """Return for each case (cases,) whether it violates the limit, or whether the limit could not be
        evaluated.
        """
        beyond = ~(self.margin >= 0) & np.isfinite(self.values)
        beyond[list(self.notes)] = True
        return beyond if self.side else np.zeros(len(self.values), bool)


@dataclass(frozen=True, repr=False)
class Sweep:
    """Results of a sweep. Case numbers start at 0.

    - scenario: the nominal scenario, without changes.
    - design: "grid", "corners" or "one_at_a_time".
    - variations: the varied inputs with their levels.
    - levels (cases, variations): level index of each varied input; -1 for the scenario value if it is not a
      level.
    - inputs: values of the changed inputs (cases, ...) in SI, by path.
    - measures: values of the requirements and responses in all cases.
    - outcomes: for each case, a sentence that describes how the flight ended.
    - completed (cases,): whether a case reached the end of its scenario.
    - flown (cases,): whether a case was run.
    - interrupted: whether the user interrupted the sweep.
    - notes: notes on the cases.
    - seconds: wall time including compilation [s].
    """

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
        """Return the values (cases,) of a requirement or response in SI, or of a varied input in its unit.

        Raises KeyError for an unknown name.
        """
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
        """Return the values (cases,) of a varied input, in the unit `Varied.unit`. one: the varied input."""
        levels = self.levels[:, self.variations.index(one)]
        return np.where(levels == OWN, one.nominal, one.coordinate[levels])

    @cached_property
    def broken(self) -> np.ndarray:
        """Return for each case (cases,) whether it violates a requirement. Cases that did not complete count
        as false.
        """
        none = np.zeros(len(self), bool)
        return np.any([none, *(m.broken & self.flown & self.completed for m in self.measures)], axis=0)

    @property
    def passed(self) -> bool:
        """Return whether all cases completed and met all requirements."""
        return bool(np.all(self.completed & ~self.broken))

    @property
    def all_completed(self) -> bool:
        """Return whether all cases reached the end of the scenario."""
        return bool(np.all(self.completed))

    def verdict(self, case: int) -> str:
        """Return the verdict on a case. The verdict is "pass", "BROKEN: ..." with the violated requirements,
        or the outcome of an incomplete flight. Without requirements, it is empty.

        Raises BadInput for an unknown case number.
        """
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
        """Return the case numbers (cases,), the worst case first.

        Cases that ended early come first, then cases that violate a requirement. Within each group, cases are
        ordered by their smallest margin, divided by the limit. If the limit is zero, the margin is divided by
        the range of the values. Cases with equal margins are ordered by case number.
        """
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
        """Return one sentence with the number of cases, of cases that violate requirements, and of cases
        that ended early.
        """
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
        """Return the scenario of a case. number: case number. Raises BadInput for an unknown number."""
        check_case(number, len(self))
        return together(self.scenario, {path: values[number] for path, values in self.inputs.items()})

    def fly(self, number: int) -> Flight:
        """Run one case alone and return its flight with all samples, events and quantities. number: case
        number.
        """
        return self.case(number).run()

    def settings(self, number: int) -> list[str]:
        """Return the arguments of `interstage run --set` that reproduce a case. number: case number.

        Each argument is a text "PATH=VALUE" in SI with 15 digits. Inputs with the scenario value are omitted.
        Raises BadInput for an unknown number.
        """
        check_case(number, len(self))
        return [
            f"{path.removesuffix('.magnitude')}={_to_digits(values[number]).tolist()!r}"
            for path, values in self.inputs.items()
            if not np.array_equal(values[number], get(self.scenario, path))
        ]

    def effects(self, name: str) -> list[Effect]:
        """Return the effects of the varied inputs on a requirement or response, the strongest effect first.

        name: name of the requirement or response. See `sensitivity.Effect`. Raises BadInput for an unknown
        name.
        """
        from .sensitivity import effects

        for measure in self.measures:
            if measure.name == name:
                return effects(self, measure)
        known = [measure.name for measure in self.measures]
        raise BadInput(f"there is no requirement or response '{name}'; {near(name, known)}")

    def table(self, units: str | None = None) -> dict[str, list[Any]]:
        """Return the columns of a table by name, for example for pandas.DataFrame. A column has one value
        for each case.

        units: "SI" or "US". Default: the units of the scenario.
        """
        from .table import columns

        return columns(self, units or self.scenario.units)

    @property
    def data(self) -> xarray.Dataset:
        """Return all cases in SI as a dataset with the dimension "case". Each variable has units."""
        from .table import dataset

        return dataset(self)

    def save(self, path: str | Path, units: str | None = None) -> Path:
        """Write all cases to a file: NetCDF (.nc, in SI), CSV (.csv) or Parquet (.parquet). Return the path.

        units: "SI" or "US". Default: the units of the scenario. Raises BadInput if the file cannot be
        written."""
        from .table import write

        return write(self, Path(path), units or self.scenario.units)

    def figures(self, units: str | None = None) -> Iterator[Figure]:
        """Return figures of the effects of the varied inputs on requirements and responses.

        units: "SI" or "US". Default: the units of the scenario.
        """
        from .figures import figures

        return figures(self, units or self.scenario.units)

    def report(self, path: str | Path, units: str | None = None) -> Path:
        """Write the tables and figures of the sweep to one HTML file and return its path.

        units: "SI" or "US". Default: the units of the scenario. Raises BadInput if the file cannot be
        written.
        """
        from .page import write

        return write(self, Path(path), units or self.scenario.units)


def finite(measures: Sequence[Measure]) -> list[Measure]:
    """Return the requirements and responses that have a finite value in at least one case."""
    return [measure for measure in measures if np.isfinite(measure.values).any()]


def _to_digits(values: np.ndarray) -> np.ndarray:
    """Numbers rounded to 15 digits, without the rounding of sums."""
    return np.vectorize(lambda value: float(f"{value:.15g}"), otypes=[float])(values)
