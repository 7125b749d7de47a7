"""Compare first-order statistics of a campaign with its sampled cases, and find the reasons for
differences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.table import Table, label_text, number
from ...statistics.drivers import LEAST_EXPLAINED
from ...statistics.intervals import Estimate
from ...tree.errors import BadInput
from ...tree.sentences import list_text
from ...tree.units import display
from .columns import INPUT, Output
from .first_order import CampaignFirstOrder, FirstOrderResponse
from .summary import is_constant, mean_of, sigma_of, values_of

if TYPE_CHECKING:
    from .result import CampaignResult

CONFIDENCE = 0.99
"""Confidence level of the intervals from the sampled cases. The level is high, so that a value outside its
interval is significant.
"""
LEAST_CASES = 20
"""Smallest number of cases for a comparison."""
MOST_SHARES = 4
DIGITS = 5
SMALL = 1e-6
"""Difference, relative to the standard deviation, that rounding and numerical errors of the flights can
cause.
"""


@dataclass(frozen=True)
class FirstOrderCheck:
    """Comparison of the first-order statistics of one response with the sampled cases, in SI.

    - derived: first-order statistics.
    - mean, sigma: mean and standard deviation of the sampled cases, with intervals of 99 % confidence. None
      if there are fewer than 20 cases with a finite value.
    - agrees: whether both first-order values are within the intervals; None without a comparison.
    - reason: reason for a difference or for a missing result, otherwise empty.
    """

    derived: FirstOrderResponse
    mean: Estimate | None
    sigma: Estimate | None
    agrees: bool | None
    reason: str


def check_first_order(result: CampaignResult, found: CampaignFirstOrder, output: Output) -> FirstOrderCheck:
    """Compare the first-order statistics `found` of one response or limit with the sampled cases."""
    derived = found.responses[output.name]
    values = values_of(result, output)
    if np.isfinite(values).sum() < LEAST_CASES:
        few = (
            f"{int(np.isfinite(values).sum())} cases have a finite value; the comparison needs {LEAST_CASES}"
        )
        return FirstOrderCheck(derived, None, None, None, derived.why or few)
    mean, sigma = (of(result, output, CONFIDENCE) for of in (mean_of, sigma_of))
    if derived.why:
        return FirstOrderCheck(derived, mean, sigma, None, derived.why)
    if _agrees(derived, mean, sigma):
        return FirstOrderCheck(derived, mean, sigma, True, "")
    reason = _Difference(result, found, output, mean, sigma).reason
    return FirstOrderCheck(derived, mean, sigma, False, reason)


def _agrees(derived: FirstOrderResponse, mean: Estimate, sigma: Estimate) -> bool:
    room = SMALL * max(derived.sigma, float(sigma.value)) + 1e-12 * abs(derived.mean)
    inside = float(mean.lower) - room <= derived.mean <= float(mean.upper) + room
    return inside and float(sigma.lower) - room <= derived.sigma <= float(sigma.upper) + room


class _Difference:
    """Finds why first-order statistics of a response differ from those of the cases."""

    def __init__(
        self,
        result: CampaignResult,
        found: CampaignFirstOrder,
        output: Output,
        mean: Estimate,
        sigma: Estimate,
    ):
        self.result, self.found = result, found
        self.derived = found.responses[output.name]
        self.mean, self.sigma = mean, sigma
        self.values = values_of(result, output)
        self.fine = np.isfinite(self.values)

    @property
    def reason(self) -> str:
        """The reason in words."""
        if self.result.is_weighted:
            return "The reason of the difference is not searched, because the cases are weighted."
        text = self._of_omitted_inputs() or self._of_curvature()
        if lost := int((~self.fine).sum()):
            cases = f"{lost} of {len(self.fine)} cases have no finite value"
            return f"{cases}. Mean and sigma are computed from the other cases. {text}".strip()
        return text or (
            "The reason of the difference was not found: the squares of the inputs do not explain the"
            " difference. Check the response for kinks and for products of inputs."
        )

    def _of_omitted_inputs(self) -> str:
        """The reason if the cases agree in which all inputs without derivatives have the values of the
        flight."""
        held = self._have_flight_values()
        changed = int((self.fine & ~held).sum())
        if not changed:
            return ""
        kept = self.values[self.fine & held]
        names = list_text([*self.found.omitted], MOST_SHARES)
        if len(kept) < LEAST_CASES:
            total = self.fine.sum()
            return (
                f"These inputs have no derivatives: {names}. In {changed} of {total} cases, their values"
                " differ from the values of the flight that gave the derivatives. This can cause the"
                " difference, but too few cases remain to check it."
            )
        if not _agrees(self.derived, *_moments(kept)):
            return ""
        return (
            f"Inputs without derivatives ({names}) cause the difference. Mean and sigma agree if the"
            f" {changed} cases with other values of these inputs are omitted."
        )

    def _have_flight_values(self) -> np.ndarray:
        """Whether all inputs without derivatives have the most frequent of their values (cases,)."""
        held = np.ones(len(self.result), bool)
        for one in self.result.manifest.names.inputs:
            if one.dispersion in self.found.omitted or one.name in self.found.omitted:
                values, counts = np.unique(self.result.columns[INPUT + one.name], return_counts=True)
                held &= self.result.columns[INPUT + one.name] == values[np.argmax(counts)]
        return held

    def _of_curvature(self) -> str:
        """The reason by a fit of the response with the inputs and their squares."""
        names = [one for one in self.found.inputs if one.sigma > 0]
        if not names:
            return "The reason is that no dispersed input has a derivative."
        scaled = np.array([(self.result.columns[INPUT + one.name] - one.mean) / one.sigma for one in names])
        rows = self.fine & np.isfinite(scaled).all(axis=0) & self._have_flight_values()
        fit = _fit(scaled[:, rows], self.values[rows])
        if fit is None:
            return ""
        shift = float(self.values[rows].mean()) - self.derived.mean
        curved = float(fit.squares.sum())
        strongest = names[int(np.argmax(np.abs(fit.squares)))].name
        linear = f"A linear function of the inputs explains {100 * fit.linear:.3g} % of the variance"
        if abs(shift) > 0 and 0.5 < curved / shift < 2.0 and abs(curved) > fit.error:
            part = f"{curved / float(self.sigma.value):+.2g} sigma"
            return (
                f"The response is curved: the squares of the inputs shift the mean by {part}. The square of"
                f" {strongest} has the largest effect. {linear}."
            )
        if fit.linear < LEAST_EXPLAINED:
            return (
                f"The response is not linear over the dispersions. {linear}. A function with the squares of"
                f" the inputs explains {100 * fit.square:.3g} %."
            )
        return ""


def _moments(values: np.ndarray) -> tuple[Estimate, Estimate]:
    from ...statistics.normal import mean_interval, sigma_interval

    return mean_interval(values, CONFIDENCE), sigma_interval(values, CONFIDENCE, "moments")


@dataclass(frozen=True)
class _Fit:
    """linear, square: explained parts of the variance without and with the squares. squares: shift of the
    mean by the square of each input, in the unit of the response; error: standard error of their sum."""

    linear: float
    square: float
    squares: np.ndarray
    error: float


def _fit(scaled: np.ndarray, values: np.ndarray) -> _Fit | None:
    """Least squares of values (cases,) on scaled inputs (inputs, cases) and on their squares; None without
    enough cases."""
    count, cases = scaled.shape
    if cases < 4 * count + LEAST_CASES or is_constant(values):
        return None
    total = float(((values - values.mean()) ** 2).sum())

    def solve(columns: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        found, _, _, _ = np.linalg.lstsq(columns, values, rcond=1e-10)
        rest = values - columns @ found
        degrees = max(cases - columns.shape[1], 1)
        explained = 1.0 - float((rest**2).sum()) / degrees * (cases - 1) / total
        return found, explained, float((rest**2).sum()) / degrees * np.linalg.pinv(columns.T @ columns)

    ones = np.ones((cases, 1))
    _, linear, _ = solve(np.hstack([ones, scaled.T]))
    found, square, covariance = solve(np.hstack([ones, scaled.T, scaled.T**2]))
    part = slice(1 + count, None)
    error = float(np.sqrt(max(covariance[part, part].sum(), 0.0)))
    return _Fit(linear, square, found[part], error)


# --- tables


def first_order_tables(result: CampaignResult, units: str) -> Iterator[Table]:
    """Yield tables that compare first-order statistics with the sampled cases. If no first-order statistics
    were computed, nothing is yielded.

    units: "SI" or "US".
    """
    found = result.known_first_order
    if found is None:
        return
    names = result.manifest.names
    outputs = [one for one in (*names.responses, *names.limits) if one.name in found.responses]
    checks = {one.name: check_first_order(result, found, one) for one in outputs}
    rows, bad, texts = [], set(), []
    for k, one in enumerate(outputs):
        check = checks[one.name]
        factor, unit = display(one.unit, units)
        cells = [check.derived.mean, check.mean, check.derived.sigma, check.sigma]
        verdict = "-" if check.agrees is None else "agrees" if check.agrees else "DIFFERS"
        rows.append([label_text(one.name, unit), *(_cell(value, factor) for value in cells), verdict])
        if check.agrees is False:
            bad.add(k)
        if check.reason:
            lead = "no statistics from derivatives: " if check.derived.why else ""
            texts.append(f"{one.name}: {lead}{check.reason}")
    sure = f"{100 * CONFIDENCE:.10g} %"
    texts.append(f"The intervals of the sampled cases have {sure} confidence.")
    texts.append(f"The derivatives needed {found.flights} flights.")
    texts += [f"The input {name} has no derivative: {why}." for name, why in found.omitted.items()]
    columns = ["response", "mean", "mean of the cases", "sigma", "sigma of the cases", "comparison"]
    right = [False, True, True, True, True, False]
    title = "Mean and sigma from derivatives, compared with the sampled cases"
    yield Table(title, columns, rows, right, "\n".join(texts), bad, "derivatives")
    if shares := _shares_table(found, outputs):
        yield shares


def _cell(value: float | Estimate | None, factor: float) -> str:
    if isinstance(value, Estimate):
        low, high = (number(float(end) * factor, DIGITS) for end in value.interval)
        return f"{number(float(value.value) * factor, DIGITS)} ({low} to {high})"
    return "-" if value is None else number(value * factor, DIGITS)


def _shares_table(found: CampaignFirstOrder, outputs: list[Output]) -> Table | None:
    """Share of the variance of each dispersion, by derivatives."""
    with_derivative = (one for one in found.inputs if one.name not in found.omitted)
    names = list(dict.fromkeys(one.dispersion for one in with_derivative))
    derived = [found.responses[one.name] for one in outputs]
    columns = [one.name for one in derived if not one.why and one.sigma > 0]
    if not names or not columns:
        return None
    shares = {column: found.shares(column) for column in columns}
    rows = [[name, *(f"{100 * shares[column][name]:.1f} %" for column in columns)] for name in names]
    right = [False, *[True] * len(columns)]
    note = "Shares of correlated inputs can be negative."
    title = "Shares of the variance from derivatives"
    return Table(title, ["dispersion", *columns], rows, right, note, key="derivative shares")


def first_order_check(result: CampaignResult, name: str) -> FirstOrderCheck:
    """Compare the first-order statistics of one response or limit with the sampled cases. First-order
    statistics are computed if they are missing.

    name: name of the response or limit. Raises BadInput if it has no first-order statistics.
    """
    output = result.output(name)
    found = result.first_order()
    if name not in found.responses:
        raise BadInput(f"there are no derivatives of {name}. Compute them again")
    return check_first_order(result, found, output)
