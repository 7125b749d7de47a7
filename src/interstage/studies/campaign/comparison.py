"""Compare two campaigns with the same cases. The differences of responses and failures are computed case by
case.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.ranking import SAME
from ...statistics.intervals import Estimate
from ...statistics.paired import PairedFailures, PairedMeans, compare_failures, compare_means
from ...statistics.weighted import LEAST_EFFECTIVE, effective_cases, weighted_mean, weights_of_known
from ...tree.sentences import count_text
from ...tree.toml_file import plain
from ...tree.units import display
from .columns import Output
from .manifest import differences
from .paired_percentiles import difference_percentile
from .pairing import Unpaired, pair_cases, unpaired_sentences
from .printed import design_notes, heading
from .summary import values_of

if TYPE_CHECKING:
    from ...drawing.figure import Figure
    from .result import CampaignResult

LEAST = 3
"""Smallest number of pairs for which the mean difference has an interval."""


@dataclass(frozen=True)
class ComparedResponse:
    """Comparison of a response, or of a limit of a requirement, in the common cases of campaigns A and B, in
    SI.

    - output: the response or limit.
    - first, second (cases,): values in A and in B.
    - known (cases,): whether both values are finite.
    - means: mean difference B - A with its interval; None if the pairs are too few or all values are equal.
    - means_of_each: means of A and of B over the cases with finite values.
    - weights (cases,): weights of the cases; None without weights.
    - confidence: confidence level of the intervals.
    """

    output: Output
    first: np.ndarray
    second: np.ndarray
    known: np.ndarray
    means: PairedMeans | None
    means_of_each: tuple[float, float]
    weights: np.ndarray | None
    confidence: float

    @property
    def name(self) -> str:
        """Return the name of the response or limit."""
        return self.output.name

    def percentile(self, fraction: float) -> Estimate:
        """Return a percentile of the differences B - A with its confidence interval, in SI.

        fraction: 0.5 for the median. An end of the interval is infinite if there are too few cases.
        """
        weights = None if self.weights is None else self.weights[self.known]
        return difference_percentile(
            self.second[self.known] - self.first[self.known], weights, fraction, self.confidence
        )

    @property
    def is_equal(self) -> bool:
        """Return whether the values of A and B are equal, except for rounding."""
        return bool(self.known.any()) and _is_equal(self.first[self.known], self.second[self.known])

    def sentence(self, units: str) -> str:
        """Return the result of the comparison as a sentence. units: "SI" or "US"."""
        name, count = heading(self.output, units), int(self.known.sum())
        if self.means is not None:
            factor = display(self.output.unit, units)[0]
            scaled = Estimate(*(factor * float(part) for part in self.means.difference))
            return f"{name}: {replace(self.means, difference=scaled).sentence}"
        if self.is_equal:
            return f"{name}: A and B are equal in all cases, within rounding."
        text = f"{name}: only {count_text(count, 'cases')} with finite values in both A and B"
        return f"{text}. An interval needs at least {LEAST} cases."


@dataclass(frozen=True)
class ComparedRequirement:
    """Comparison of a requirement in the common cases of campaigns A and B.

    - failures: counts of failures, McNemar's exact test, and the difference of the failure probabilities. For
      weighted cases the p-value is NaN.
    - only_first, only_second: case numbers of the cases that meet the requirement only in A, or only in B.
    - left_out: number of common cases without a verdict.
    - note: sentence about different limits in A and B, or empty.
    """

    name: str
    failures: PairedFailures
    only_first: np.ndarray
    only_second: np.ndarray
    left_out: int
    note: str = ""

    @property
    def sentence(self) -> str:
        """Return the result of the comparison as a sentence."""
        text = self.failures.sentence if not np.isnan(self.failures.p_value) else self._by_weights
        return " ".join(part for part in (f"{self.name}: {text}", self.note) if part)

    @property
    def _by_weights(self) -> str:
        value, lower, upper = (float(part) for part in self.failures.difference)
        if np.isnan(lower):
            return "The difference is not significant, because too few weighted cases differ."
        sure = f"with {100 * self.failures.confidence:.10g} % confidence ({lower:.3g} to {upper:.3g})"
        if lower <= 0.0 <= upper:
            text = "The probabilities of failure of A and B do not differ significantly"
            return f"{text}, {sure}, from weighted cases."
        often = "lower" if value < 0 else "higher"
        text = f"The probability of failure is {often} in B than in A by {abs(value):.3g}, {sure}"
        return f"{text}, from weighted cases."


@dataclass(frozen=True)
class CampaignComparison:
    """Paired comparison of the common cases of campaigns A (`first`) and B (`second`).

    - cases: case numbers of the common cases.
    - only_first, only_second: case numbers of the cases that only A has, or only B has.
    - responses, requirements: results for the responses and requirements that both campaigns have.
    - skipped: reasons why other responses and requirements are not compared.
    - changes: (path, value in A, value in B) of each difference between the studies and scenarios.
    - same: names of the dispersions with the same draws in A and B.
    - unpaired: dispersions with different draws. Such dispersions also contribute to the differences B - A.
    """

    first: CampaignResult
    second: CampaignResult
    cases: np.ndarray
    only_first: np.ndarray
    only_second: np.ndarray
    responses: tuple[ComparedResponse, ...]
    requirements: tuple[ComparedRequirement, ...]
    skipped: tuple[str, ...]
    changes: tuple[tuple[str, Any, Any], ...]
    same: tuple[str, ...]
    unpaired: tuple[Unpaired, ...]

    def __repr__(self) -> str:
        return f"<CampaignComparison: {self.summary}>"

    @property
    def summary(self) -> str:
        """Return a sentence with the number of common cases and the number of other cases."""
        counts = [(len(self.only_first), "A"), (len(self.only_second), "B")]
        others = [
            f"{count} {'is' if count == 1 else 'are'} only in {name}" for count, name in counts if count
        ]
        return "; ".join([f"{len(self.cases)} cases are in both A and B", *others]) + "."

    @property
    def folders(self) -> tuple[str, str]:
        """Return the folders of A and B as text. For results without a folder the text is "in memory"."""
        first, second = (str(one.folder or "in memory") for one in (self.first, self.second))
        return first, second

    def response(self, name: str) -> ComparedResponse:
        """Return the comparison of a response or limit. Raises KeyError for an unknown name."""
        return _by_name(self.responses, name)

    def requirement(self, name: str) -> ComparedRequirement:
        """Return the comparison of a requirement. Raises KeyError for an unknown name."""
        return _by_name(self.requirements, name)

    def sentences(self, units: str | None = None) -> list[str]:
        """Return the result as sentences. The first sentence is about the cases; then follow the
        requirements and the responses.

        units: "SI" or "US". Default: the units of the scenario.
        """
        units = units or self.first.scenario.units
        found = [self.summary, *(one.sentence for one in self.requirements)]
        return [*found, *(one.sentence(units) for one in self.responses)]

    @property
    def notes(self) -> list[str]:
        """Return sentences about the limitations of the comparison."""
        found = [*unpaired_sentences(self.unpaired), *self.skipped]
        found += dict.fromkeys([*design_notes(self.first), *design_notes(self.second)])
        for response in self.responses:
            if missing := int(np.sum(~response.known)):
                text = f"The means of {response.name} omit {missing} of {len(self.cases)} cases"
                found.append(f"{text}, because A or B has no finite value in these cases.")
        tests = len(self.requirements) + sum(one.means is not None for one in self.responses)
        if tests > 1:
            risk = 1 - self.first.confidence
            found.append(
                f"The confidence level is valid for each of the {tests} results alone. Even if A and B do "
                f"not differ, {risk * tests:.2g} of these results show a difference by chance, on average."
            )
        if self.first.is_weighted:
            found.append("The intervals of differences are asymptotic, because the cases have weights.")
        return found

    def figures(self, units: str | None = None) -> list[Figure]:
        """Return a figure for each response. The figure shows the values of B over the values of A, and the
        differences.

        units: "SI" or "US". Default: the units of the scenario.
        """
        from .comparison_page import figures

        return [*figures(self, units or self.first.scenario.units)]

    def report(self, path: str | Path, units: str | None = None) -> Path:
        """Write the tables and figures of the comparison to an HTML file and return its path.

        Raises BadInput if the file cannot be written.
        """
        from .comparison_page import write

        return write(self, Path(path), units or self.first.scenario.units)


def _by_name(found: Sequence[Any], name: str) -> Any:
    for one in found:
        if one.name == name:
            return one
    raise KeyError(
        f"there is no '{name}' in this comparison. Known names: {', '.join(one.name for one in found)}"
    )


def compare(first: CampaignResult, second: CampaignResult) -> CampaignComparison:
    """Compare the common cases of two campaigns, A and B.

    Raises BadInput if no dispersion has the same draws in A and B.
    """
    pairing = pair_cases(first, second)
    own, others = first.case_numbers, second.case_numbers
    pairs = _Pairs(first, second, pairing.rows, pairing.others)
    skipped: list[str] = []
    responses = [pairs.response(*both) for both in _common_outputs(first, second, skipped)]
    names = [result.manifest.names.requirements for result in (first, second)]
    common = [name for name in names[0] if name in names[1]]
    for where, some in zip("AB", names, strict=True):
        skipped += [f"The requirement {name} is only in {where}." for name in some if name not in common]
    return CampaignComparison(
        first,
        second,
        own[pairing.rows],
        np.setdiff1d(own, others),
        np.setdiff1d(others, own),
        tuple(responses),
        tuple(pairs.requirement(name) for name in common),
        tuple(skipped),
        tuple(_changes(first, second)),
        pairing.same,
        pairing.unpaired,
    )


def _common_outputs(
    first: CampaignResult, second: CampaignResult, skipped: list[str]
) -> Iterator[tuple[Output, Output]]:
    """Responses and limits of both campaigns. Adds a sentence for each of the others to `skipped`."""
    for group in ("limits", "responses"):
        one, other = ({o.name: o for o in getattr(r.manifest.names, group)} for r in (first, second))
        for name in {**one, **other}:
            a, b = one.get(name), other.get(name)
            if a is None or b is None:
                skipped += [f"The response {name} is only in {'B' if a is None else 'A'}."] * (
                    group != "limits"
                )
            elif (a.quantity, a.where, a.side) != (b.quantity, b.where, b.side):
                what = [f"{o.quantity}, {o.where}" for o in (a, b)]
                skipped.append(f"{name} is not compared. {name} is {what[0]} in A, but {what[1]} in B.")
            else:
                yield a, b


@dataclass(frozen=True)
class _Pairs:
    """Common cases of two campaigns by their rows."""

    first: CampaignResult
    second: CampaignResult
    rows: np.ndarray
    others: np.ndarray

    @property
    def confidence(self) -> float:
        return self.first.confidence

    @property
    def weights(self) -> np.ndarray:
        return self.first.weights[self.rows]

    def response(self, output: Output, other: Output) -> ComparedResponse:
        one, two = values_of(self.first, output)[self.rows], values_of(self.second, other)[self.others]
        known = np.isfinite(one) & np.isfinite(two)
        a, b = one[known], two[known]
        each = (np.nan, np.nan)
        if len(a):
            weights = self.weights[known]
            each = (float(np.average(a, weights=weights)), float(np.average(b, weights=weights)))
        means = None
        if len(a) >= LEAST and not _is_equal(a, b):
            means = compare_means(a, b, self.confidence)
            if self.first.is_weighted:
                weighted = weighted_mean(b - a, self.weights[known], self.confidence)
                means = PairedMeans(weighted, np.nan, np.nan, self.confidence)
        weights = self.weights if self.first.is_weighted else None
        return ComparedResponse(output, one, two, known, means, each, weights, self.confidence)

    def requirement(self, name: str) -> ComparedRequirement:
        pairs = [(self.first, self.rows), (self.second, self.others)]
        failed = [result.failures(name)[some] for result, some in pairs]
        counts = np.logical_and(*(result.counts_for(name)[some] for result, some in pairs))
        a, b = (some[counts] for some in failed)
        cases = self.first.case_numbers[self.rows][counts]
        confidence = self.first.manifest.campaign.goal(name)[1]
        found = _compare_failures(a, b, confidence)
        if self.first.is_weighted:
            difference = self._weighted_failures(a, b, counts, confidence)
            found = replace(found, p_value=np.nan, difference=difference)
        note = _limits_note(self.first, self.second, name)
        return ComparedRequirement(name, found, cases[b & ~a], cases[a & ~b], int(np.sum(~counts)), note)

    def _weighted_failures(
        self, a: np.ndarray, b: np.ndarray, counts: np.ndarray, confidence: float
    ) -> Estimate:
        """Difference of the probabilities of failure; without an interval if few cases differ."""
        weights, change = weights_of_known(self.weights, counts), b.astype(float) - a
        differ = change != 0
        if not differ.any() or effective_cases(weights[differ]) < LEAST_EFFECTIVE:
            value = float((weights * change).mean()) if len(change) else np.nan
            return Estimate(value, np.nan, np.nan)
        return weighted_mean(change, weights, confidence, normalized=False)


def _compare_failures(a: np.ndarray, b: np.ndarray, confidence: float) -> PairedFailures:
    if not len(a):
        return PairedFailures(0, 0, 0, 0, 1.0, Estimate(np.nan, np.nan, np.nan), confidence)
    return compare_failures(a, b, confidence)


def _is_equal(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether values differ by rounding only."""
    return bool(np.abs(other - one).max() <= SAME * max(np.abs(one).max(), np.abs(other).max()))


def _limits_note(first: CampaignResult, second: CampaignResult, name: str) -> str:
    """Sentence on other limits or quantities of a requirement in B."""
    sides = [
        {
            (o.quantity, o.where, o.side, o.limit)
            for o in result.manifest.names.limits
            if o.requirement == name
        }
        for result in (first, second)
    ]
    return "" if sides[0] == sides[1] else "The limits of the requirement differ between A and B."


def _changes(first: CampaignResult, second: CampaignResult) -> Iterator[tuple[str, Any, Any]]:
    """Differences of the dispersions and of the scenarios, in SI."""
    one, other = (
        {each.name: plain(each) for each in result.manifest.campaign.dispersions}
        for result in (first, second)
    )
    yield from differences(one, other, "dispersions")
    one, other = (tomllib.loads(result.manifest.scenario) for result in (first, second))
    yield from differences(one, other)
