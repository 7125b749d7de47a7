"""Create the distribution of an input from the keys of its dispersion."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ...tree.units import PURE_UNITS
from ..amounts import value_text, written
from .amounts import Amounts
from .dispersion import FAMILIES, Dispersion
from .distributions import (
    Beta,
    Distribution,
    LogNormal,
    Normal,
    SciPyDistribution,
    Triangular,
    Truncated,
    Uniform,
    Weibull,
)

LEAST_INSIDE = 0.01
"""Smallest probability between the limits of a truncated distribution. A truncation with a smaller remaining
fraction is rejected.
"""


def distribution_of(one: Dispersion, amounts: Amounts) -> Distribution:
    """Return the distribution of an input, in SI or as a factor of an array.

    one: the dispersion. amounts: reader of its values. Raises BadInput.
    """
    if one.family not in FAMILIES:
        law = _scipy(one, amounts)
    else:
        law = _BUILDERS[one.family](one, amounts)
    return _truncate(one, amounts, law)


def _mean(one: Dispersion, amounts: Amounts, key: str = "mean") -> float:
    """The mean, or the mode."""
    given = getattr(one, key)
    if given is not None:
        return amounts.read(key, given)
    nominal = amounts.nominal
    if nominal is None:
        raise amounts.problem(key, f"{key} is required, because the dispersion has no path. Set {key}")
    if not math.isfinite(nominal):
        text = f"{key} is required, because {amounts.name} is {nominal:g} in the scenario. Set {key}"
        raise amounts.problem(key, text)
    return nominal


def _ends(one: Dispersion, amounts: Amounts, middle: str = "mean") -> tuple[float, float] | None:
    """Lower and upper bound of `bounds` or `delta`, or None."""
    if one.delta is not None:
        delta, centre = amounts.positive("delta", one.delta), _mean(one, amounts, middle)
        if not centre - delta < centre < centre + delta:
            text = (
                f"{written(one.delta)} is smaller than the rounding error of {centre:g} (SI). Give"
                " a larger delta"
            )
            raise amounts.problem("delta", text)
        return centre - delta, centre + delta
    if one.bounds is None:
        return None
    low, high = (amounts.read("bounds", raw) for raw in one.bounds)
    if not low < high:
        text = f"{written(one.bounds[0])} is not below {written(one.bounds[1])}"
        raise amounts.problem("bounds", f"{text}. Give the lower bound first")
    return low, high


def _sigma(one: Dispersion, amounts: Amounts) -> float | None:
    """Standard deviation of `sigma` or `three_sigma`, with the common part of a lot; or None."""
    if one.three_sigma is not None:
        return amounts.positive("three_sigma", one.three_sigma) / 3
    if one.sigma is None:
        return None
    own = amounts.positive("sigma", one.sigma)
    return own if one.lot_sigma is None else math.hypot(own, amounts.positive("lot_sigma", one.lot_sigma))


def share_of(one: Dispersion, amounts: Amounts) -> float:
    """Return the fraction of the variance that all members of a production lot have in common.

    one: the dispersion. amounts: reader of its values. Raises BadInput.
    """
    if one.lot_share is not None:
        return one.lot_share
    own, common = amounts.positive("sigma", one.sigma), amounts.positive("lot_sigma", one.lot_sigma)
    return common**2 / (own**2 + common**2)


def _score(coverage: float | None) -> float:
    """Half the distance in standard deviations between bounds with a coverage."""
    assert coverage is not None
    return float(special.ndtri((1 + coverage) / 2))


def _normal(one: Dispersion, amounts: Amounts) -> Distribution:
    ends = _ends(one, amounts)
    if ends is not None:
        return Normal(sum(ends) / 2, (ends[1] - ends[0]) / 2 / _score(one.coverage))
    sigma = _sigma(one, amounts)
    assert sigma is not None
    return Normal(_mean(one, amounts), sigma)


def _lognormal(one: Dispersion, amounts: Amounts) -> Distribution:
    ends = _ends(one, amounts)
    if ends is not None:
        if not ends[0] > 0:
            text = f"{written((one.bounds or ('',))[0])} is not positive, but a lognormal distribution is"
            raise amounts.problem("bounds", f"{text}. Give bounds above zero")
        low, high = (math.log(end) for end in ends)
        return LogNormal((low + high) / 2, (high - low) / 2 / _score(one.coverage))
    mean, sigma = _mean(one, amounts), _sigma(one, amounts)
    assert sigma is not None
    if not mean > 0:
        text = f"{mean:g} is not positive, but a lognormal distribution is. Give a mean above zero"
        raise amounts.problem("mean", text)
    variance = math.log1p((sigma / mean) ** 2)
    return LogNormal(math.log(mean) - variance / 2, math.sqrt(variance))


def _uniform(one: Dispersion, amounts: Amounts) -> Distribution:
    ends = _ends(one, amounts)
    if ends is None:
        sigma, mean = _sigma(one, amounts), _mean(one, amounts)
        assert sigma is not None
        return Uniform(mean - math.sqrt(3) * sigma, mean + math.sqrt(3) * sigma)
    half, middle = (ends[1] - ends[0]) / 2 / (one.coverage or 1.0), sum(ends) / 2
    return Uniform(*ends) if one.coverage is None else Uniform(middle - half, middle + half)


def _triangular(one: Dispersion, amounts: Amounts) -> Distribution:
    ends = _ends(one, amounts, "mode")
    assert ends is not None
    latent = one.mode is None and amounts.nominal is None
    mode = sum(ends) / 2 if latent else _mean(one, amounts, "mode")
    if not ends[0] <= mode <= ends[1]:
        text = (
            f"{mode:g} is not between the bounds, {ends[0]:g} and {ends[1]:g} (SI). Give a mode"
            " between the bounds"
        )
        raise amounts.problem("mode", text)
    return Triangular(ends[0], mode, ends[1])


def _beta(one: Dispersion, amounts: Amounts) -> Distribution:
    ends = _ends(one, amounts)
    assert ends is not None
    low, high = ends
    if one.parameters is not None:
        return Beta(float(one.parameters["alpha"]), float(one.parameters["beta"]), low, high)
    mean, sigma = _mean(one, amounts), _sigma(one, amounts)
    assert sigma is not None
    part = (mean - low) / (high - low)
    if not 0 < part < 1:
        raise amounts.problem(
            "mean", f"{mean:g} (SI) is not between the bounds. Give a mean between the bounds"
        )
    total = part * (1 - part) / (sigma / (high - low)) ** 2 - 1
    if not total > 0:
        most = (high - low) * math.sqrt(part * (1 - part))
        text = f"{sigma:g} (SI) is too large for the bounds. Give a sigma below {most:.4g}"
        raise amounts.problem("sigma", text)
    return Beta(part * total, (1 - part) * total, low, high)


def _weibull(one: Dispersion, amounts: Amounts) -> Distribution:
    given = one.parameters or {}
    scale, location = _scale(amounts, given), _location(amounts, given, "location")
    return Weibull(float(given["shape"]), scale, location)


def _rayleigh(one: Dispersion, amounts: Amounts) -> Distribution:
    given = one.parameters or {}
    scale, location = _scale(amounts, given), _location(amounts, given, "location")
    return Weibull(2.0, math.sqrt(2) * scale, location)


def _scale(amounts: Amounts, given: dict[str, Any]) -> float:
    if "scale" in given:
        return amounts.positive("parameters.scale", given["scale"])
    if amounts.target.marker.unit not in PURE_UNITS:
        text = (
            f"'scale' is missing, but {amounts.name} is in {amounts.target.marker.unit}. Add 'scale' "
            "with a unit"
        )
        raise amounts.problem("parameters", text)
    return 1.0


def _location(amounts: Amounts, given: dict[str, Any], key: str) -> float:
    return amounts.read(f"parameters.{key}", given[key]) if key in given else 0.0


def _scipy(one: Dispersion, amounts: Amounts) -> Distribution:
    from .scipy_names import continuous, shapes_of

    given = one.parameters or {}
    shapes = {}
    for name in shapes_of(one.family):
        raw = given[name]
        if isinstance(raw, bool) or not isinstance(raw, (int, float)):
            text = f"{value_text(raw)} is not a number. Give a number without unit, for example 2.5"
            raise amounts.problem(f"parameters.{name}", text)
        shapes[name] = float(raw)
    scale, location = _scale(amounts, given), _location(amounts, given, "loc")
    frozen = continuous()[one.family](**shapes, loc=location, scale=scale)
    if not _is_allowed(frozen):
        text = ", ".join(f"{name} = {value:g}" for name, value in shapes.items())
        raise amounts.problem(
            "parameters",
            f"{text} is not allowed for the distribution {one.family} of scipy.stats. Correct the parameters",
        )
    return SciPyDistribution(frozen)


def _is_allowed(frozen: Any) -> bool:
    """Whether the parameters of a distribution of scipy.stats are allowed."""
    try:
        return not np.isnan(frozen.support()).any() and bool(np.isfinite(frozen.median()))
    except (ArithmeticError, ValueError):  # of scipy.stats, for parameters that it does not check
        return False


_BUILDERS: dict[str, Callable[[Dispersion, Amounts], Distribution]] = {
    "normal": _normal,
    "lognormal": _lognormal,
    "uniform": _uniform,
    "triangular": _triangular,
    "beta": _beta,
    "weibull": _weibull,
    "rayleigh": _rayleigh,
}


def _truncate(one: Dispersion, amounts: Amounts, law: Distribution) -> Distribution:
    """The distribution within its limits."""
    low, high = -math.inf, math.inf
    if one.truncate is not None:
        mean, sigma = law.mean, law.sigma
        if not (math.isfinite(mean) and math.isfinite(sigma)):
            text = (
                f"a {one.family} distribution has no standard deviation. Set 'min' and 'max' instead "
                "of 'truncate'"
            )
            raise amounts.problem("truncate", text)
        low, high = mean - one.truncate * sigma, mean + one.truncate * sigma
    low = max(low, amounts.read("min", one.min)) if one.min is not None else low
    high = min(high, amounts.read("max", one.max)) if one.max is not None else high
    if low == -math.inf and high == math.inf:
        return law
    key = "min" if one.min is not None else "max" if one.max is not None else "truncate"
    if not low < high:
        raise amounts.problem(
            key, f"the lower limit {low:g} is not below the upper limit {high:g} (SI). Correct the limits"
        )
    found = Truncated(law, low, high)
    if not found.inside >= LEAST_INSIDE:
        text = (
            f"the limits keep only the fraction {max(found.inside, 0.0):.3g} of the distribution."
            " Correct the limits"
        )
        raise amounts.problem(key, f"{text}, or set 'mean' and 'sigma' of the values within the limits")
    return found
