"""First-order statistics of a campaign compared with its sampled cases, with the reasons of differences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.table import Table, label_text, number
from ...statistics.drivers import LEAST_EXPLAINED
from ...statistics.intervals import Estimate
from ...tree.errors import BadInput, list_text
from ...tree.units import display
from .columns import INPUT, Output
from .first_order import CampaignFirstOrder, FirstOrderResponse
from .summary import is_constant, mean_of, sigma_of, values_of

if TYPE_CHECKING:
    from .result import CampaignResult

CONFIDENCE = 0.99
"""Confidence of the intervals of sampled cases, so that a difference is a finding."""
LEAST_CASES = 20
"""Fewest cases that are compared."""
MOST_SHARES = 4
DIGITS = 5
SMALL = 1e-6
"""Difference relative to sigma that is an error of rounding and of the flights."""


@dataclass(frozen=True)
class FirstOrderCheck:
    """First-order statistics of one response next to those of the sampled cases, in SI.

    - derived: by derivatives. mean, sigma: of the cases, with intervals of 99 % confidence; None if there are
      fewer than 20.
    - agrees: whether both values are in the intervals; None without a comparison.
    - reason: of the difference, or of a missing result, in words."""

    derived: FirstOrderResponse
    mean: Estimate | None
    sigma: Estimate | None
    agrees: bool | None
    reason: str


def check_first_order(result: CampaignResult, found: CampaignFirstOrder, output: Output) -> FirstOrderCheck:
    """The comparison of one response."""
    derived = found.responses[output.name]
    values = values_of(result, output)
    if np.isfinite(values).sum() < LEAST_CASES:
        few = f"{int(np.isfinite(values).sum())} cases have a number; the comparison needs {LEAST_CASES}"
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
            return "The cases are weighted, so the reason is not searched."
        text = self._of_omitted_inputs() or self._of_curvature()
        if lost := int((~self.fine).sum()):
            cases = f"{lost} of {len(self.fine)} cases have no number"
            return f"{cases}, and mean and sigma are computed from the other cases. {text}".strip()
        return text or (
            "The reason is unknown: the squares of the inputs do not explain it. Search for kinks, and for "
            "products of inputs."
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
                f"The inputs without derivatives ({names}) have other values in {changed} of {total} cases."
            )
        if not _agrees(self.derived, *_moments(kept)):
            return ""
        return (
            f"Inputs without derivatives ({names}) cause the difference: without the {changed} cases in which"
            " they have other values, mean and sigma agree."
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
            return "No input with a derivative is dispersed."
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
                f"The response is curved: the squares of the inputs shift the mean by {part}, most of all the"
                f" square of {strongest}. {linear}."
            )
        if fit.linear < LEAST_EXPLAINED:
            return (
                f"The response is not linear over the dispersions. {linear}, and with their squares"
                f" {100 * fit.square:.3g} %."
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
    """First-order statistics next to those of the cases, if they were computed."""
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
            lead = "no derivative: " if check.derived.why else ""
            texts.append(f"{one.name}: {lead}{check.reason}")
    sure = f"{100 * CONFIDENCE:.10g} %"
    texts.append(f"Intervals of the cases have a confidence of {sure}; it took {found.flights} flights.")
    texts += [f"Without derivative: {name} ({why})." for name, why in found.omitted.items()]
    columns = ["response", "mean", "mean of the cases", "sigma", "sigma of the cases", ""]
    right = [False, True, True, True, True, False]
    title = "Mean and sigma by derivatives"
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
    title = "Shares of the variance by derivatives"
    return Table(title, ["dispersion", *columns], rows, right, note, key="derivative shares")


def first_order_check(result: CampaignResult, name: str) -> FirstOrderCheck:
    """The comparison of one response or limit by its name. Raises BadInput."""
    output = result.output(name)
    found = result.first_order()
    if name not in found.responses:
        raise BadInput(f"there are no derivatives of {name}. Compute them again")
    return check_first_order(result, found, output)
