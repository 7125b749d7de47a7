"""Figures of a campaign: the distribution, drivers and convergence of each response, and the tip-off
rates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from ...drawing.figure import (
    BAD,
    COLOURS,
    Axis,
    Between,
    Figure,
    Histogram,
    Limit,
    Line,
    Mark,
    Panel,
    Points,
    in_rows,
)
from ...drawing.table import label_text
from ...statistics.distribution import Convergence, convergence, empirical_distribution
from ...statistics.normal import normality
from ...tree.units import display
from .closest_figures import closest_figures
from .columns import INPUT, Output
from .envelope_figures import envelope_figures
from .envelopes import FRACTION
from .printed import LEAST_NORMAL
from .summary import LEAST, is_constant, values_of, with_worst

if TYPE_CHECKING:
    from .result import CampaignResult

MOST_OUTPUTS, MOST_REQUIREMENTS, MOST_PAIRS = 10, 8, 4
MOST_POINTS = 1000
"""Largest number of points in a scatter plot. Failed cases have priority."""
MOST_BARS, MOST_SCORES = 50, 400
LEAST_CONVERGENCE = 4
LOGARITHMIC = 100
"""Number of cases above which the case axis of a convergence plot is logarithmic."""
SETTLED = 0.1
"""The value axis of a convergence plot is scaled to the intervals after this fraction of the cases."""
TALL, ROUND = 190.0, 380.0
"""Heights [px] of normal panels, and of the panels of a polar plot."""
DIGITS = 4
GREY, MIDDLE = "#5d6872", "#333333"
COUNTS = [mantissa * 10**power for power in range(10) for mantissa in (1, 2, 5)]
ANGLES = (30, 45, 90)
CIRCLE = np.linspace(0.0, 2 * np.pi, 181)
OF_WEIGHTS = (
    "The cases of this campaign have weights (importance sampling). For weighted cases, this page shows only "
    "histograms and envelopes. It omits distribution functions, normal plots, convergence plots and driver "
    "plots."
)


@dataclass(frozen=True)
class DrawnOutput:
    """A response or limit in the units of the figures.

    - values (cases,): values; NaN for cases without a value.
    - limit: limit of the requirement; NaN without a limit.
    - label: label of the axis.
    - fraction: fraction of the percentile that the figures show.
    - confidence: confidence level of bands and intervals.
    """

    output: Output
    values: np.ndarray
    limit: float
    label: str
    fraction: float
    confidence: float

    @property
    def name(self) -> str:
        """Return the name of the response or limit."""
        return self.output.name

    @property
    def finite(self) -> np.ndarray:
        """Return only the finite values, in the order of the cases."""
        return self.values[np.isfinite(self.values)]

    @property
    def limit_is_near(self) -> bool:
        """Return whether the limit is drawn. A limit is drawn if its distance from the values is at most the
        range of the values.
        """
        low, high = float(self.finite.min()), float(self.finite.max())
        room = high - low
        return bool(np.isfinite(self.limit) and low - room <= self.limit <= high + room)

    def limits(self, axis: str) -> list[Mark]:
        """Return a list with the line of the limit. The list is empty if the limit is not drawn.

        axis: "x" or "y", the axis of the values.
        """
        return [Limit(self.limit, axis, BAD)] if self.limit_is_near else []

    @property
    def limit_text(self) -> str:
        """Return the limit as text that is appended to the title of a figure. The text is empty without a
        limit.
        """
        if not np.isfinite(self.limit):
            return ""
        text = f"{self.limit:.{DIGITS}g}"
        return (
            f"; red line: limit {text}" if self.limit_is_near else f"; the limit {text} is outside the plot"
        )


def figures_and_notes(result: CampaignResult, units: str) -> tuple[list[Figure], list[str]]:
    """Return all figures of a campaign, and sentences about omitted figures. units: "SI" or "US"."""
    if len(result) < LEAST:
        return [], [f"This page has no figures, because figures need at least {LEAST} cases."]
    drawn, notes = _select(result, units)
    envelopes, omitted = envelope_figures(result, units)
    notes += omitted
    closest, omitted = closest_figures(result, units)
    envelopes, notes = [*envelopes, *closest], [*notes, *omitted]
    if result.is_weighted:
        return [*envelopes, *(_distribution(result, one) for one in drawn)], [*notes, OF_WEIGHTS]
    found = [*_failures(result), *envelopes]
    for one in drawn:
        found += [_distribution(result, one), *_over_drivers(result, one, units)]
    found += _polar(result, units)
    if len(result) < LEAST_CONVERGENCE:
        notes.append(f"Convergence plots are omitted, because they need at least {LEAST_CONVERGENCE} cases.")
    if len(result) < LEAST_NORMAL:
        notes.append(f"Normal plots are omitted, because they need at least {LEAST_NORMAL} cases.")
    return found, notes


def _select(result: CampaignResult, units: str) -> tuple[list[DrawnOutput], list[str]]:
    """The outputs to draw: limits, then responses with other values. Sentences on the others."""
    drawn: list[DrawnOutput] = []
    notes = []
    for output in (*result.manifest.names.limits, *result.manifest.names.responses):
        one = _drawn_output(result, output, units)
        if any(_is_same(one, other) for other in drawn):
            continue
        if len(one.finite) < LEAST:
            few = f"only {len(one.finite)} of {len(result)} cases have a finite value"
            notes.append(f"{one.name} has no figure, because {few}.")
        elif is_constant(one.finite):
            text = f"{one.label} has no figure, because all cases have the same value"
            notes.append(f"{text}: {one.finite[0]:.{DIGITS}g}.")
        else:
            drawn.append(one)
    if rest := [one.name for one in drawn[MOST_OUTPUTS:]]:
        text = f"This page shows figures of at most {MOST_OUTPUTS} responses"
        notes.append(f"{text}. These responses have no figure: {', '.join(rest)}.")
    return drawn[:MOST_OUTPUTS], notes


def _drawn_output(result: CampaignResult, output: Output, units: str) -> DrawnOutput:
    factor, unit = display(output.unit, units)
    fraction, confidence = result.manifest.campaign.goal(output.requirement)
    values = values_of(result, output) * factor
    label = label_text(output.name, unit)
    return DrawnOutput(output, values, output.limit * factor, label, fraction or FRACTION, confidence)


def _is_same(one: DrawnOutput, other: DrawnOutput) -> bool:
    """Whether a response has the values of a limit that is drawn."""
    alike = not one.output.side and one.output.quantity == other.output.quantity
    return alike and np.array_equal(one.values, other.values, equal_nan=True)


# --- distribution


def _distribution(result: CampaignResult, one: DrawnOutput) -> Figure:
    """Histogram, distribution function, normal plot and convergence of the percentile."""
    panels = [_histogram(result, one)]
    if not result.is_weighted:
        # The distribution function is below the histogram, with the same axis.
        panels += [*_percentiles(result, one), _distribution_function(result, one)]
        panels += [_normal_plot(one)] if len(one.finite) >= LEAST_NORMAL else []
    values = one.finite
    mean, low, high = (f"{v:.{DIGITS}g}" for v in (values.mean(), values.min(), values.max()))
    where = f"{one.output.quantity}, {one.output.where}"
    mean = "" if result.is_weighted else f" with mean {mean}"
    text = f"{len(values)} values of {one.label}{mean}, from {low} to {high}{one.limit_text}."
    return Figure(
        f"{one.name}: distribution of {where}", in_rows(panels), key="distribution", description=text
    )


def _histogram(result: CampaignResult, one: DrawnOutput) -> Panel:
    values = one.finite
    known = np.isfinite(one.values)
    edges = edges_of(values)
    if result.is_weighted:
        weights = 100 * result.weights[known] / result.weights.sum()
        heights, label, steps = np.histogram(values, edges, weights=weights)[0], "weighted cases [%]", []
    else:
        heights, label, steps = np.histogram(values, edges)[0].astype(float), "cases", COUNTS
    missing = int(np.sum(~known))
    title = f"histogram{one.limit_text}" + (f"; {missing} cases have no finite value" if missing else "")
    y = Axis(label, low=0.0, high=1.08 * float(heights.max()), steps=steps)
    return Panel(
        [Histogram(edges, heights), *one.limits("x")], title, Axis(one.label, room=0.02), y, height=TALL
    )


def edges_of(values: np.ndarray) -> np.ndarray:
    """Return the edges of the histogram bars for some values. The width of a bar follows the rule of
    Freedman and Diaconis.

    The number of bars is limited so that they fit the panel.
    """
    span, quartiles = float(np.ptp(values)), np.quantile(values, [0.25, 0.75])
    width = 2 * float(quartiles[1] - quartiles[0]) / len(values) ** (1 / 3)
    bars = np.ceil(span / width) if width > span / MOST_BARS else np.sqrt(len(values))
    return np.linspace(values.min(), values.max(), int(np.clip(bars, 1, MOST_BARS)) + 1)


def _distribution_function(result: CampaignResult, one: DrawnOutput) -> Panel:
    """The empirical distribution function with its band, the limit, and the fraction to be shown."""
    found = empirical_distribution(with_worst(result, one.output, one.values), one.confidence)
    known = np.isfinite(found.values)
    x = np.repeat(found.values[known], 2)
    below = np.concatenate([[0.0], found.fraction[:-1]])[known]
    curve = np.column_stack([below, found.fraction[known]]).ravel()
    lower, upper = (np.repeat(ends[known], 2)[:-1] for ends in (found.lower, found.upper))
    marks: list[Mark] = [Between(x[1:], lower, upper), Line(x, curve)]
    title = f"cumulative distribution, {100 * one.confidence:.10g} % confidence band"
    if one.output.side and result.manifest.campaign.goal(one.output.requirement)[0] is not None:
        wanted = 1 - one.fraction if one.output.side == "min" else one.fraction
        marks.append(Limit(wanted, "y", GREY))
        title += f"; grey line: required fraction {wanted:.10g}"
    axis = Axis("fraction of cases", 0.0, 1.02)
    return Panel([*marks, *one.limits("x")], title, Axis(one.label, room=0.02), axis, height=TALL)


def _normal_plot(one: DrawnOutput) -> Panel:
    """Values over the scores that a normal distribution would have (Blom's plotting positions)."""
    values = np.sort(one.finite)
    n, p_value = len(values), normality(values).p_value
    scores = ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    rows = np.unique(np.searchsorted(scores, np.linspace(scores[0], scores[-1], MOST_SCORES)))
    ends = scores[[0, -1]]
    line = Line(values.mean() + values.std(ddof=1) * ends, ends, "", MIDDLE, width=1.0)
    points = Points(values[rows], scores[rows], size=3.0)
    title = f"normal probability plot; line: normal distribution; p-value {p_value:.2g}"
    x, y = Axis(one.label, room=0.02), Axis("standard normal score", room=0.05)
    return Panel([line, points], title, x, y, height=TALL)


# --- convergence


def _percentiles(result: CampaignResult, one: DrawnOutput) -> Iterator[Panel]:
    """The percentile that matters after a growing number of cases, if there are enough."""
    values = with_worst(result, one.output, one.values)
    if len(values) < LEAST_CONVERGENCE:
        return
    fraction = 1 - one.fraction if one.output.side == "min" else one.fraction
    found = convergence(values, "percentile", one.confidence, fraction=fraction)
    late = _late_cases(found)
    seen = np.concatenate([part[late] for part in found.estimate])
    seen = seen[np.isfinite(seen)]
    title = f"{100 * fraction:.10g} % percentile with confidence interval"
    if not len(seen):
        yield Panel(
            title=title, note="The percentile is infinite, because too many cases have no finite value"
        )
        return
    room = 0.1 * float(np.ptp(seen)) or 1e-3 * abs(float(seen[0])) or 1.0
    y = Axis(one.label, float(seen.min()) - room, float(seen.max()) + room)
    yield Panel([*_course(found, y), *one.limits("y")], title, _cases_axis(found), y, height=TALL)


def _failures(result: CampaignResult) -> Iterator[Figure]:
    """The probability of failure of each requirement after a growing number of cases."""
    panels = []
    for name in result.manifest.names.requirements[:MOST_REQUIREMENTS]:
        failed = result.failures(name)[result.counts_for(name)]
        if len(failed) < LEAST_CONVERGENCE:
            continue
        proportion, confidence = result.manifest.campaign.goal(name)
        found = convergence(failed, "failures", confidence)
        allowed = 0.0 if proportion is None else 1 - proportion
        high = 1.1 * max(float(found.estimate.upper[_late_cases(found)].max()), allowed)
        y = Axis("probability of failure", 0.0, min(high, 1.0))
        marks = [*_course(found, y), *([Limit(allowed, "y", BAD)] if allowed else [])]
        title = f"{name}; red line: allowed probability {allowed:.3g}" if allowed else name
        panels.append(Panel(marks, title, _cases_axis(found), y, height=TALL))
    if panels:
        caption = "Probability of failure with Clopper-Pearson interval, over the number of cases"
        lines = (f"{one.name}: {one.failed} of {one.cases} cases failed." for one in result.requirements())
        yield Figure(caption, in_rows(panels), key="failures", description=" ".join(lines))


def _late_cases(found: Convergence) -> np.ndarray:
    return found.cases >= SETTLED * found.cases[-1]


def _course(found: Convergence, y: Axis) -> list[Mark]:
    """An estimate with its interval; an infinite end of the interval is at the end of the axis."""
    value, *ends = found.estimate
    lower, upper = (np.clip(end, y.low, y.high) for end in ends)
    return [Between(found.cases, lower, upper), Line(found.cases, value)]


def _cases_axis(found: Convergence) -> Axis:
    """Number of cases, on a logarithmic axis if there are several powers of ten."""
    last = float(found.cases[-1])
    return Axis("number of cases", float(found.cases[0]), last, log=last >= LOGARITHMIC, steps=COUNTS)


# --- drivers


def _over_drivers(result: CampaignResult, one: DrawnOutput, units: str) -> Iterator[Figure]:
    """A response over its two strongest drivers."""
    drivers = result.drivers(one.name)
    by_name = {entry.name: entry for entry in result.manifest.names.inputs}
    failed = _failing_cases(result, one.output)
    rows = chosen_rows(np.isfinite(one.values), failed)
    panels, texts = [], []
    for k, name in enumerate(drivers.inputs[:2]):
        entry = by_name[name]
        x = result.columns[INPUT + name] * display(entry.unit, units)[0]
        marks: list[Mark] = []
        for shape, colour, some in (("dot", COLOURS[0], ~failed), ("cross", BAD, failed)):
            shown = rows[some[rows]]
            marks.append(
                Points(x[shown], one.values[shown], shape, colour, size=3.5 if shape == "dot" else 5.0)
            )
        rank = float(drivers.rank.value[k])
        title = f"rank correlation {rank:+.2f}{one.limit_text}"
        across = Axis(label_text(entry.label, display(entry.unit, units)[1]), room=0.04)
        panels.append(
            Panel([*marks, *one.limits("y")], title, across, Axis(one.label, room=0.06), height=TALL)
        )
        texts.append(f"{entry.label} has the rank correlation {rank:+.2f}.")
    if panels:
        which = "strongest driver" if len(panels) == 1 else "two strongest drivers"
        sentences = [
            f"{one.name}: values over the {which} (most important input)"
            if len(panels) == 1
            else f"{one.name}: values over the {which} (most important inputs)",
            *(["Crosses are failed cases"] if failed[rows].any() else []),
            *([f"The figure shows {len(rows)} of {len(result)} cases"] if len(rows) < len(result) else []),
        ]
        caption = ". ".join(sentences)
        yield Figure(caption, [panels], key="drivers", description=" ".join(texts))


def _failing_cases(result: CampaignResult, output: Output) -> np.ndarray:
    """Cases that fail the requirement of an output (cases,)."""
    none = np.zeros(len(result), bool)
    return result.failures(output.requirement) if output.requirement else none


def chosen_rows(known: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return the indices of the cases that a scatter plot shows, about `MOST_POINTS` at most.

    - known (cases,): whether a case has a value.
    - first (cases,): whether a case has priority. If there are too many other cases, every n-th case is
      shown.
    """
    one, other = np.flatnonzero(known & first), np.flatnonzero(known & ~first)
    one = one[:: -(-len(one) // MOST_POINTS) or 1]
    left = max(MOST_POINTS - len(one), 1)
    return np.sort(np.concatenate([one, other[:: -(-len(other) // left) or 1]]))


# --- tip-off


def _polar(result: CampaignResult, units: str) -> Iterator[Figure]:
    """Polar plots of angular rates of which two components are responses."""
    for x, y in _transverse(result)[:MOST_PAIRS]:
        factor, unit = display(x.unit, units)
        both = np.array([values_of(result, one) for one in (x, y)]) * factor
        both = both[:, np.isfinite(both).all(axis=0)]
        if both.shape[1] < LEAST or not both.any():
            continue
        size = np.hypot(*both)
        fractions = (0.5, 0.9, FRACTION)
        radii = [float(np.quantile(size, one, method="median_unbiased")) for one in fractions]
        rows = chosen_rows(np.ones(len(size), bool), size >= radii[-1])
        marks: list[Mark] = [Limit(0.0, axis, GREY, "", 0.8) for axis in ("x", "y")]
        marks.append(Points(both[0, rows], both[1, rows], size=3.0))
        for one, radius, dash in zip(fractions, radii, ("", "dashed", "dotted"), strict=True):
            ring = radius * np.cos(CIRCLE), radius * np.sin(CIRCLE)
            marks.append(Line(*ring, f"{100 * one:.10g} %", MIDDLE, 1.2, dash))
        reach = 1.08 * float(size.max())
        across, up = (
            Axis(label_text(one.name, display(one.unit, units)[1]), -reach, reach) for one in (x, y)
        )
        plot = Panel(marks, "", across, up, height=ROUND, equal_scales=True)
        where = f"{x.quantity.rpartition('.')[0]}, {x.where}"
        texts = [
            f"{100 * one:.10g} % of cases are within {radius:.{DIGITS}g} {unit}."
            for one, radius in zip(fractions, radii, strict=True)
        ]
        caption = f"{x.name} and {y.name}: polar plot of {where}. Circles mark percentiles of the resultant."
        yield Figure(caption, [[plot, _directions(both)]], key="tip-off", description=" ".join(texts))


def _directions(both: np.ndarray) -> Panel:
    """Histogram of the directions of the resultant."""
    edges = np.linspace(-180.0, 180.0, 25 if both.shape[1] >= 100 else 13)
    heights = np.histogram(np.degrees(np.arctan2(both[1], both[0])), edges)[0].astype(float)
    y = Axis("cases", low=0.0, high=1.08 * float(heights.max()), steps=COUNTS)
    x = Axis("direction of the resultant [deg]", -180.0, 180.0, steps=ANGLES)
    return Panel(
        [Histogram(edges, heights)], "histogram of the directions of the resultant", x, y, height=ROUND
    )


def _transverse(result: CampaignResult) -> list[tuple[Output, Output]]:
    """Pairs of responses that are the only two components of one angular rate at one event."""
    groups: dict[tuple[str, str], dict[str, Output]] = {}
    for one in result.manifest.names.responses:
        rate, _, component = one.quantity.rpartition(".")
        if one.unit == "rad/s" and component in ("x", "y", "z"):
            groups.setdefault((rate, one.where), {})[component] = one
    found = [tuple(some[name] for name in sorted(some)) for some in groups.values() if len(some) == 2]
    return [(one, other) for one, other in found]
