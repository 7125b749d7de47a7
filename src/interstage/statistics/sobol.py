"""Sobol indices from Saltelli's design, computed by SALib: first-order, total and second-order shares of the
variance.

These indices need specially designed cases: (inputs + 2) for each base case, or (2 inputs + 2) with
second-order indices. Shares that need no special design are in `interstage.statistics.shares`.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from .inputs import check_count, check_probability, check_values
from .intervals import Estimate, around

RESAMPLES = 200


class MissingSalib(ImportError):
    """Error: SALib, which belongs to the extra `campaigns`, is not installed."""


def _salib() -> tuple[Any, Any]:
    """The sampler and the analysis of SALib.

    Raises MissingSalib if it is not installed."""
    try:
        from SALib.analyze import sobol as analysis
        from SALib.sample import sobol as sampler
    except ImportError as error:
        raise MissingSalib(
            "Sobol indices need SALib, which is not installed. Run pip install "
            "'interstage[campaigns]', or use "
            "first_order_shares, which does not need SALib."
        ) from error
    return sampler, analysis


def _problem(inputs: int) -> dict[str, Any]:
    return {"num_vars": inputs, "names": [f"x{k}" for k in range(inputs)], "bounds": [[0.0, 1.0]] * inputs}


def sobol_design(inputs: int, base_cases: int, *, second_order: bool = False, seed: int = 0) -> np.ndarray:
    """Return the cases of Saltelli's design as probabilities (inputs, cases) between 0 and 1.

    - inputs: number of independent inputs.
    - base_cases: number of base cases, a power of 2.
    - second_order: if true, the design also allows second-order indices of pairs. Default: False.
    - seed: seed of the scrambled Sobol sequence. Default: 0.

    Compute each input from its quantile function: x = F^-1(probability). Raises ValueError if base_cases is
    not a power of 2, and MissingSalib if the extra `campaigns` is not installed.

    >>> sobol_design(inputs=2, base_cases=64).shape
    (2, 256)

    Source: Saltelli, Comput. Phys. Commun. 145 (2002) 280.
    """
    sampler, _ = _salib()
    number = check_count("base_cases", base_cases, 2)
    if number & (number - 1):
        raise ValueError(
            f"base_cases: {number} is not a power of 2. Give {2 ** number.bit_length()}, for example."
        )
    design = sampler.sample(
        _problem(check_count("inputs", inputs, 1)), number, calc_second_order=second_order, seed=seed
    )
    return np.clip(design.T, np.finfo(float).tiny, 1.0 - np.finfo(float).epsneg)


@dataclass(frozen=True)
class SobolIndices:
    """Sobol indices of one response, with confidence intervals.

    - first: (inputs,), share of each input alone.
    - total: (inputs,), share of each input including all its interactions.
    - second: (inputs, inputs), shares of pairs of inputs in the variance above the diagonal, NaN elsewhere.
      None if the indices of second order are not computed.
    """

    first: Estimate
    total: Estimate
    second: Estimate | None = None


def sobol_indices(
    response: Any, inputs: int, *, second_order: bool = False, confidence: float = 0.9, seed: int = 0
) -> SobolIndices:
    """Return the Sobol indices of a response in the cases of `sobol_design`.

    - response: (cases,), in the order of the design.
    - inputs, second_order: arguments of `sobol_design`.
    - confidence: confidence level of the intervals, between 0 and 1. Default: 0.9.
    - seed: seed of the bootstrap. Default: 0.

    The intervals follow from SALib's bootstrap with normal quantiles. The intervals are approximate: the
    error of a scrambled sequence is smaller than the intervals. Raises ValueError if the number of cases does
    not fit the design, and MissingSalib if the extra `campaigns` is not installed.

    >>> design = sobol_design(inputs=2, base_cases=256)
    >>> sobol_indices(3 * design[0] + 4 * design[1], inputs=2).first.value.round(2).tolist()
    [0.36, 0.64]

    Source: Saltelli et al., Comput. Phys. Commun. 181 (2010) 259. Total indices: Jansen's estimator.
    """
    _, analysis = _salib()
    y = check_values("response", response, 4)
    each = check_count("inputs", inputs, 1) * (2 if second_order else 1) + 2
    if y.ndim != 1 or y.size % each:
        raise ValueError(
            f"response: shape {y.shape} is not a multiple of {each} cases. Give the response at all"
            " cases of sobol_design."
        )
    if np.ptp(y) == 0.0:
        raise ValueError("response: the response is the same in all cases. Give a response that varies.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = analysis.analyze(
            _problem(inputs),
            y,
            calc_second_order=second_order,
            num_resamples=RESAMPLES,
            conf_level=check_probability("confidence", confidence),
            seed=seed + 1,
        )
    names = ("S1", "ST", "S2") if second_order else ("S1", "ST")
    return SobolIndices(
        *(around(np.asarray(found[name]), np.asarray(found[f"{name}_conf"]), 1.0) for name in names)
    )
