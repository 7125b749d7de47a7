"""Results of a campaign, with their statistics."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...exchange.csv_file import write_csv
from ...record.results import Flight
from ...runs.cases import together
from ...scenario import Scenario
from ...statistics.intervals import Estimate
from ...statistics.percentiles import Percentile
from ...tree.errors import BadInput, Problem, check_case
from ...tree.saving import write_dataset, writing
from ...tree.sentences import count_text
from ...tree.similar_names import near
from .columns import (
    BROKEN,
    COMPLETED,
    INPUT,
    LIMIT,
    NO_VERDICT,
    OUTCOMES,
    RESPONSE,
    VERDICT,
    CaseTable,
    Columns,
    Output,
)
from .folder import contents_of
from .manifest import Manifest, read_manifest
from .object_store import local_results, shown_folder
from .plan import Plan, prepare
from .wrong_folders import refuse_file

if TYPE_CHECKING:
    import xarray

    from ...drawing.figure import Figure
    from .comparison import CampaignComparison
    from .drivers import Drivers
    from .first_order import CampaignFirstOrder
    from .first_order_check import FirstOrderCheck
    from .rare.result import RareResult
    from .requirement_result import RequirementResult

log = logging.getLogger("interstage")


@dataclass(repr=False, eq=False)
class CampaignResult:
    """Results of the cases of a campaign, ordered by case number. All values are in SI.

    - manifest: study, scenario and software versions.
    - columns: values (cases,) by column name; see `table`.
    - interrupted: whether the user interrupted the campaign.
    - plan: plan of the random draws; created when it is needed.
    - folder: folder of the results; None if the results are only in memory.
    """

    manifest: Manifest
    columns: Columns
    interrupted: bool = False
    plan: Plan | None = None
    folder: Path | None = None

    @classmethod
    def load(cls, folder: str | Path) -> CampaignResult:
        """Return the results in a folder, or in an object store such as "s3://bucket/campaign".

        Result files that cannot be used are omitted, and the logger "interstage" reports a warning. Raises
        BadInput for a folder without a campaign.
        """
        with local_results(folder, log.warning) as results:
            refuse_file(results.folder)
            manifest = read_manifest(results.folder)
            if manifest is None:
                text = (
                    f"the folder '{shown_folder(folder)}' has no campaign, because it has no file"
                    " manifest.json"
                )
                raise BadInput(f"{text}. Give the folder of a campaign")
            return open_folder(results.folder, manifest, log.warning)

    def __repr__(self) -> str:
        return f"<CampaignResult: {self.summary}>"

    def __len__(self) -> int:
        return len(self.case_numbers)

    def __getitem__(self, name: str) -> np.ndarray:
        """Return the values (cases,) of a response, of a limit, or of a random input, in SI.

        Raises KeyError for an unknown name.
        """
        for begin in (RESPONSE, LIMIT, INPUT):
            if begin + name in self.columns:
                return self.columns[begin + name]
        raise KeyError(f"there is no '{name}' in this campaign. Known names: {', '.join(self._known)}")

    @property
    def _known(self) -> list[str]:
        names = self.manifest.names
        return [one.name for one in (*names.responses, *names.limits, *names.inputs)]

    @property
    def case_numbers(self) -> np.ndarray:
        """Return the case number of each case with results (cases,). Case numbers start at 0."""
        return self.columns["case"]

    @property
    def weights(self) -> np.ndarray:
        """Return the weights of importance sampling (cases,)."""
        return self.columns["weight"]

    @cached_property
    def is_weighted(self) -> bool:
        """Return whether the cases have different weights."""
        return bool((self.weights != 1.0).any())

    @property
    def outcomes(self) -> np.ndarray:
        """Return the outcome of each case (cases,): "completed", "ended early", "could not start" or "no
        number".
        """
        return self.columns["outcome"]

    @property
    def reasons(self) -> np.ndarray:
        """Return the reason of each outcome (cases,); "" for completed cases."""
        return self.columns["reason"]

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of cases with each outcome, by outcome."""
        return {one: int(np.sum(self.outcomes == one)) for one in OUTCOMES}

    @property
    def complete(self) -> bool:
        """Return whether all cases of the campaign have results."""
        return len(self) == self.manifest.cases

    @property
    def from_the_first(self) -> int:
        """Return how many consecutive cases have results, counted from case 0."""
        gap = np.flatnonzero(self.case_numbers != np.arange(len(self)))
        return int(gap[0]) if len(gap) else len(self)

    @cached_property
    def scenario(self) -> Scenario:
        """Return the scenario with nominal inputs, without random values."""
        if self.plan is not None:
            return self.plan.scenario
        from ...reading import loads

        return loads(self.manifest.scenario)

    @property
    def all_shown(self) -> bool:
        """Return whether the campaign is complete and meets all its requirements.

        A requirement with a proportion is met if the proportion is proven. A requirement without a proportion
        is met if no case fails.
        """
        return self.complete and all(one.meets_goal for one in self.requirements())

    @property
    def is_undecided(self) -> bool:
        """Return whether a complete campaign has too few cases for a decision.

        The result is true if at least one requirement needs more cases and no requirement is refuted.
        """
        open_goals = [one for one in self.requirements() if not one.meets_goal]
        return self.complete and bool(open_goals) and all(one.is_undecided for one in open_goals)

    @property
    def summary(self) -> str:
        """Return one sentence with the number of cases and their outcomes."""
        flown = count_text(len(self), "cases")
        if not self.complete:
            flown = f"{len(self)} of {count_text(self.manifest.cases, 'cases')}"
        others = [f"{n} {one}" for one, n in self.counts.items() if n and one != COMPLETED]
        return f"{flown}: {', '.join(others) if others else 'all completed'}."

    def requirements(self) -> list[RequirementResult]:
        """Return the result of each requirement of the scenario."""
        from .requirement_result import requirement_result

        return [requirement_result(self, name) for name in self.manifest.names.requirements]

    def requirement(self, name: str) -> RequirementResult:
        """Return the result of a requirement. Raises BadInput for an unknown name."""
        from .requirement_result import requirement_result

        known = self.manifest.names.requirements
        if name not in known:
            raise BadInput(f"there is no requirement '{name}'; {near(name, known)}")
        return requirement_result(self, name)

    def failures(self, requirement: str) -> np.ndarray:
        """Return whether each case fails a requirement (cases,). requirement: name of the requirement.

        The key `failures` of the study selects whether a case without a verdict counts as a failure.
        """
        verdict = self.columns[VERDICT + requirement]
        return verdict == BROKEN if self.leaves_out else verdict != 1

    def counts_for(self, requirement: str) -> np.ndarray:
        """Return whether each case counts in the statistics of a requirement (cases,). requirement: name of
        the requirement.
        """
        verdict = self.columns[VERDICT + requirement]
        return verdict != NO_VERDICT if self.leaves_out else np.ones(len(self), bool)

    @property
    def leaves_out(self) -> bool:
        """Return whether the study omits cases without a verdict from the statistics."""
        return self.manifest.campaign.failures == "leave_out"

    def output(self, name: str) -> Output:
        """Return the description of a response or limit. name: name of the response or limit. Raises
        BadInput for an unknown name.
        """
        outputs = (*self.manifest.names.responses, *self.manifest.names.limits)
        for one in outputs:
            if one.name == name:
                return one
        raise BadInput(f"there is no response or limit '{name}'; {near(name, [one.name for one in outputs])}")

    def percentile(
        self, name: str, fraction: float, confidence: float | None = None, side: Any = "upper"
    ) -> Percentile:
        """Return a percentile of a response or limit with its confidence bounds, from order statistics.

        - name: name of the response or limit.
        - fraction: fraction of the cases, 0.5 for the median.
        - confidence: confidence level. Default: from the study.
        - side: side of the bounds, see `statistics.percentile`.

        The key `failures` of the study selects whether cases without a value count as worst or are omitted.
        Raises BadInput.
        """
        from .summary import percentile_of

        return percentile_of(self, self.output(name), fraction, confidence or self.confidence, side)

    def mean(self, name: str, confidence: float | None = None) -> Estimate:
        """Return the mean of a response or limit with its confidence interval. Cases without a value are
        omitted.

        name: name of the response or limit. confidence: confidence level. Default: from the study.
        """
        from .summary import mean_of

        return mean_of(self, self.output(name), confidence or self.confidence)

    def sigma(self, name: str, confidence: float | None = None) -> Estimate:
        """Return the standard deviation of a response or limit with its confidence interval. Cases without a
        value are omitted.

        name: name of the response or limit. confidence: confidence level. Default: from the study.
        """
        from .summary import sigma_of

        return sigma_of(self, self.output(name), confidence or self.confidence)

    def envelope(self, name: str) -> xarray.Dataset:
        """Return the statistics over time of an envelope, with the dimension "time" [s], in SI.

        name: name of the envelope in the study. At each time by itself, the variables are:

        - cases: number of cases with a value. Cases without a value do not count at this time.
        - smallest, largest: extremes of these cases.
        - median, with its confidence interval median_low to median_high.
        - percentile_low, percentile_high: sample percentiles of 1 - proportion and of the proportion.
        - bound_low, bound_high: one-sided bounds of the proportion of cases with the confidence, from order
          statistics; infinite if the cases are too few.
        - band_low, band_high: two-sided bounds of the proportion with the confidence; infinite if the cases
          are too few.
        - worst: values of the case with the largest value; with the smallest value if requirements limit the
          quantity only from below. The attribute worst_case is the number of this case; -1 without a value.

        The attributes proportion and confidence are taken from the first requirement on the quantity, or from
        the study. Default of the proportion: 0.9973. Raises BadInput for an unknown name.
        """
        from .envelopes import envelope

        return envelope(self, name)

    @property
    def confidence(self) -> float:
        """Return the confidence level that the study declares."""
        return self.manifest.campaign.confidence

    def drivers(self, name: str) -> Drivers:
        """Return the inputs with the strongest effects on a response or limit: rank correlations and, if
        possible, a regression.

        name: name of the response or limit. Raises BadInput for an unknown name.
        """
        from .drivers import drivers

        known: dict[str, Drivers] = self.__dict__.setdefault("_known_drivers", {})
        if name not in known:
            known[name] = drivers(self, self.output(name))
        return known[name]

    def first_order(self) -> CampaignFirstOrder:
        """Return first-order statistics of all responses: mean, standard deviation and shares of the
        variance.

        The statistics follow from the derivatives of one flight with all inputs at their means. If there is
        no earlier result, the flight with derivatives is run now. Raises BadInput if it cannot be run.
        """
        found = self.known_first_order
        if found is None:
            from .first_order import first_order
            from .first_order_file import write_first_order
            from .run import responses_of

            found = first_order(self.draws_plan, responses_of(self.draws_plan))
            if self.folder is not None:
                write_first_order(self.folder, found, self.manifest.stamp)
            self.__dict__["known_first_order"] = found
        return found

    @cached_property
    def known_first_order(self) -> CampaignFirstOrder | None:
        """Return first-order statistics that were computed earlier, or None."""
        from .first_order_file import read_first_order

        return None if self.folder is None else read_first_order(self.folder, self.manifest.stamp)

    @property
    def rare_results(self) -> list[RareResult]:
        """Return the probabilities of rare violations that were computed earlier in the folder of the
        campaign; see `rare_event`.
        """
        from .rare.result import read_results

        return [] if self.folder is None else read_results(self.folder, self.manifest.stamp)

    def check_first_order(self, name: str) -> FirstOrderCheck:
        """Compare the first-order statistics of a response or limit with its sampled cases. name: name of
        the response or limit.

        Raises BadInput.
        """
        from .first_order_check import first_order_check

        return first_order_check(self, name)

    @cached_property
    def order(self) -> np.ndarray:
        """Return the row indices of all cases with results, the worst case first; see docs/campaigns.md."""
        from .summary import worst_first

        return worst_first(self)

    def worst(self, count: int = 5) -> np.ndarray:
        """Return the case numbers of the `count` worst cases, the worst first."""
        return self.case_numbers[self.order[:count]]

    def row(self, case: int) -> int:
        """Return the row index of a case in the columns. Raises BadInput if the case has no results yet."""
        check_case(case, self.manifest.cases)
        found = int(np.searchsorted(self.case_numbers, case))
        if found == len(self) or self.case_numbers[found] != case:
            raise BadInput(Problem(f"case {case}", "this case has not been flown yet. Run the campaign"))
        return found

    def scenario_of(self, case: int) -> Scenario:
        """Return the scenario of one case with its random inputs.

        Raises BadInput if the campaign does not have the case, or if the scenario rejects the values.
        """
        check_case(case, self.manifest.cases)
        draws = self.draws_plan.draw(case, case + 1)
        return together(self.scenario, {path: values[..., 0] for path, values in draws.values.items()})

    def fly(self, case: int) -> Flight:
        """Run one case alone and return its flight with all samples, events and quantities."""
        return self.scenario_of(case).run()

    @cached_property
    def draws_plan(self) -> Plan:
        """Return the plan of the random draws. Raises BadInput if a file that the study refers to is
        missing.
        """
        if self.plan is not None:
            return self.plan
        return prepare(self.manifest.campaign, self.scenario, Path(self.manifest.files_in))

    def compare(self, other: CampaignResult) -> CampaignComparison:
        """Compare the common cases of this campaign (A) and another campaign (B), for example with another
        spring.

        Cases with the same case number form a pair, because they have the same draws. Dispersions that only
        one campaign has are listed. Raises BadInput if no dispersion has the same draws in both campaigns.
        """
        from .comparison import compare

        return compare(self, other)

    def figures(self, units: str | None = None) -> list[Figure]:
        """Return the figures of each response: distribution, drivers and convergence.

        units: "SI" or "US". Default: the units of the scenario.
        """
        from .figures import figures_and_notes

        return figures_and_notes(self, units or self.scenario.units)[0]

    def report(self, path: str | Path, units: str | None = None) -> Path:
        """Write the tables and figures of the campaign to one HTML file and return its path.

        units: "SI" or "US". Default: the units of the scenario. Raises BadInput if the file cannot be
        written.
        """
        from .page import write

        return write(self, Path(path), units or self.scenario.units)

    @property
    def data(self) -> xarray.Dataset:
        """Return all cases as a dataset with the dimension "case". Every variable has its unit.

        The values of an envelope have a second dimension, for example "rate_time".
        """
        from .table import dataset

        return dataset(self)

    @property
    def table(self) -> dict[str, np.ndarray]:
        """Return the values (cases,) of each column by name, for example for pandas.DataFrame.

        The columns are the case number, the weight, inputs, responses, limits, verdicts, the outcome and its
        reason. A verdict is 1 for met, 0 for violated, and -1 for unknown. Envelopes are omitted; `data` has
        their values.
        """
        return {name: values for name, values in self.columns.items() if values.ndim == 1}

    def save(self, path: str | Path) -> Path:
        """Write the results of all cases to a NetCDF (.nc) or CSV file, and return its path.

        NetCDF does not allow "/" in names, so that the file has "|" in place of "/". Raises BadInput.
        """
        path = Path(path)
        if path.suffix not in (".nc", ".csv"):
            raise BadInput(f"'{path}': unknown file type. Allowed: .nc, .csv")
        from .table import rows

        if path.suffix == ".nc":
            names = [name for name in map(str, self.data) if "/" in name]
            write_dataset(path, self.data.rename({name: name.replace("/", "|") for name in names}))
        else:
            with writing(path):
                write_csv(path, rows(self))
        return path


def open_folder(folder: Path, manifest: Manifest, notice: Callable[[str], None]) -> CampaignResult:
    """Return the results in a folder.

    notice: function that is called with a sentence for each result file that cannot be used.
    """
    table = CaseTable(manifest.names, manifest.cases)
    found = contents_of(folder, manifest.stamp, manifest.cases, table.add)
    for file, why in found.unusable:
        notice(f"{file.path.name} {why}. The results omit its cases. To fly them again, run the campaign.")
    return CampaignResult(manifest, table.columns, folder=folder)
