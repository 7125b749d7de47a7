"""First-order shares of the inputs in the variance of a response, from the cases of any random campaign.

The share of an input x is S = Var(E[y | x]) / Var(y), the first-order Sobol index. The share is the fraction
of the variance that would vanish if the input were known exactly (Sobol, Math. Comput. Simul. 55 (2001) 271).
The cases need no special design, but the inputs must be independent.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .drivers import check_sample
from .inputs import check_probability
from .intervals import Estimate, two_sided
from .ranks import mean_ranks

Basis = Literal["polynomial", "bins"]
DEGREE = 5
"""Default degree of the fitted polynomials."""
MOST_BINS = 100


def first_order_shares(
    inputs: Any, response: Any, confidence: float = 0.9, basis: Basis = "polynomial", size: int | None = None
) -> Estimate:
    """Return the first-order share of each input in the variance of the response, with confidence intervals.

    - inputs: (..., inputs, cases).
    - response: (..., cases).
    - confidence: confidence level of the intervals, between 0 and 1. Default: 0.9.
    - basis: "polynomial" fits E[y | x] by a polynomial in x. "bins" uses the mean in each of several bins
      with equally many cases as E[y | x]. An input with few different values, such as a failure, has a bin
      for each value. Default: "polynomial".
    - size: degree of the polynomials, or number of bins. Default: 5, or the square root of the number
      of cases.

    The result is an `Estimate` (..., inputs). The estimate is corrected for the number q of fitted
    coefficients, (V_fit
    - q V_rest) / V, so it can be slightly negative. An effect that the fit cannot represent is not included.
    If in doubt, compare both bases. The error follows from the delta method: a case with centred response y
    and fitted value m has the influence (2 y m - m^2 - S y^2) / V. The variance 2 q (1 - S)^2 / n^2 of an
    input without effect is added.

    Raises ValueError for constant inputs.

    >>> x = np.random.default_rng(1).normal(size=(2, 2000))
    >>> first_order_shares(x, x[0] + x[1]).value.round(1).tolist()
    [0.5, 0.5]

    Source: the correlation ratio, corrected as by Kelley, PNAS 21 (1935) 554. For estimates from given data,
    see Li and Mahadevan, Reliab. Eng. Syst. Saf. 153 (2016) 110.
    """
    level = check_probability("confidence", confidence)
    x, y = check_sample(inputs, response, 20)
    n = x.shape[-1]
    y = y - y.mean(-1, keepdims=True)
    columns = [_share(x[..., j, :], y, basis, size or _size(basis, n)) for j in range(x.shape[-2])]
    share, error = (np.stack(column, axis=-1) for column in zip(*columns))
    half = two_sided(level) * error
    return Estimate(share, share - half, share + half)


def _size(basis: Basis, cases: int) -> int:
    if basis not in ("polynomial", "bins"):
        raise ValueError(f'basis: "{basis}" is unknown. Choose "polynomial" or "bins".')
    return DEGREE if basis == "polynomial" else min(max(round(cases**0.5), 4), MOST_BINS)


def _share(x: np.ndarray, y: np.ndarray, basis: Basis, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Share and standard error (...,) of one input (..., cases)."""
    n = x.shape[-1]
    few = [len(np.unique(one)) for one in x.reshape(-1, n)]
    if max(few) <= size + 1:
        fit, q = _means(np.unique(x, return_inverse=True)[1].reshape(x.shape), y), max(few) - 1
    elif basis == "bins":
        places = (mean_ranks(x) - 0.5) * (size / n)
        fit, q = _means(np.minimum(places.astype(int), size - 1), y), size - 1
    else:
        fit, q = _polynomial(x, y, size), size
    variance = (y**2).mean(-1)
    rest = ((y - fit) ** 2).sum(-1) / (n - q - 1)
    share = ((fit**2).mean(-1) - q * rest / n) / variance
    influence = 2 * y * fit - fit**2 - share[..., None] * y**2
    influence /= variance[..., None]
    return share, np.sqrt(influence.var(-1) / n + 2 * q * (1 - share) ** 2 / n**2)


def _means(groups: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Mean of y over the cases of each group, for each case."""
    fit = np.zeros(y.shape)
    for group in range(int(groups.max()) + 1):
        inside = groups == group
        count = np.maximum(inside.sum(-1, keepdims=True), 1)
        fit += inside * ((y * inside).sum(-1, keepdims=True) / count)
    return fit


def _polynomial(x: np.ndarray, y: np.ndarray, degree: int) -> np.ndarray:
    """Least-squares polynomial in x, without its mean; Legendre polynomials over the range of x are well
    conditioned."""
    low, high = x.min(-1, keepdims=True), x.max(-1, keepdims=True)
    basis = np.moveaxis(
        np.polynomial.legendre.legvander(2 * (x - low) / (high - low) - 1, degree)[..., 1:], -1, -2
    )
    basis = basis - basis.mean(-1, keepdims=True)
    moments = basis @ np.swapaxes(basis, -1, -2)
    return (np.linalg.pinv(moments, hermitian=True) @ (basis @ y[..., None]) * basis).sum(-2)
