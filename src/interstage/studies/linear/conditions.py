"""By how much eigenvalues change with their matrix, and what of them is rounding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ROUNDINGS = 5.0
"""Roundings of the matrix, times the condition of an eigenvalue, below which that, or a part of it, is zero:
of a displacement and its velocity, say, that nothing holds. Two roundings split such a zero into two that one
may move by a quarter of their size; slow modes among stiff ones, as of a thin rod, one moves by a tenth."""
ROUNDING = ROUNDINGS * np.finfo(float).eps
LENGTHS = 10.0 ** np.arange(9)
"""Units of length [m] in which a matrix is looked at: what is zero within rounding is so in all of them."""
INVERSE = 3
"""Inverse iterations that give the vectors of an eigenvalue: each does all that rounding lets it."""


class Scales:
    """A matrix in several units of length and time.

    By how much its eigenvalues change at most with it, by a part of that as a change of the matrix is of it,
    is |A| times their conditions (Golub & Van Loan, Matrix Computations, 4th ed., 7.2.2), in the units in
    which that is least. Balancing makes entries of rounding as large as others, and conditions of a defective
    zero that they split small: k eigenvalues of size (eps |A|^k)^(1/k), about which a condition in the own
    units is (|A| / size)^(k - 1) / k, so that eps |A| times that is their size again. A speed in a small unit
    of length is large in |A|, and would make rounding of what turns slowly beside it; a stiffness in seconds
    is, and would of the damping of what swings fast: for that time counts in its own radians."""

    def __init__(self, a: np.ndarray, units: Sequence[str]):
        self.a = a
        units = units or [""] * len(a)
        metres = np.array([one == "m" or one.startswith("m/") for one in units], bool)
        self.rates = np.array([one.endswith("/s") for one in units], bool)
        lengths = LENGTHS if np.any(metres) else LENGTHS[:1]
        self.metres = [np.where(metres, length, 1.0) for length in lengths]
        self.norms = [self._norms(a / by[:, None] * by) for by in self.metres]

    def _norms(self, a: np.ndarray) -> np.ndarray:
        """Of a matrix, the sizes (3,) of what goes with time, with none of it, and with its inverse."""
        power = self.rates[:, None].astype(int) - self.rates
        return np.array([np.linalg.norm(a[power == way]) for way in (1, 0, -1)])

    def conditions(self, values: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Of eigenvalues, from their vectors (state, eigenvalue)."""
        found = np.full(len(values), np.inf)
        for time in (np.ones(len(values)), 1.0 / np.maximum(np.abs(values), 1.0)):
            for metres, norms in zip(self.metres, self.norms, strict=True):
                by = metres[:, None] * np.where(self.rates[:, None], 1.0 / time, 1.0)
                x, y = right / by, left * by
                overlap = np.abs(np.sum(np.conj(y) * x, 0))
                sizes = np.sqrt(np.sum(np.abs(x) ** 2, 0) * np.sum(np.abs(y) ** 2, 0))
                whole = np.sqrt(sum((norm * time**way) ** 2 for norm, way in zip(norms, (1, 0, -1))))
                found = np.fmin(found, np.where(overlap == 0, np.inf, whole * sizes / overlap))
        return found

    def look_again(self, values: np.ndarray, least: np.ndarray, own: np.ndarray) -> None:
        """Put conditions right of eigenvalues, or parts of these, that are rounding by them and not as the
        matrix is balanced: vectors in units that differ by many orders carry rounding of each other."""
        certain = ROUNDING * min(float(np.linalg.norm(norms)) for norms in self.norms)
        for k, value in enumerate(values):
            parts = np.abs([value, value.real, value.imag])
            if value.imag < 0 or not np.any((parts > max(certain, least[k])) & (parts <= ROUNDING * own[k])):
                continue
            vectors = self._vectors(value)
            again = own[k] if vectors is None else self.conditions(values[k : k + 1], *vectors)[0]
            own[k] = again
            own[values == np.conj(value)] = again

    def _vectors(self, value: complex) -> tuple[np.ndarray, np.ndarray] | None:
        """Left and right vectors (state, 1) of an eigenvalue, by inverse iteration in SI; none where these
        have no end."""
        from scipy.linalg import lu_factor, lu_solve

        count = len(self.a)
        beside = value + np.finfo(float).eps * np.linalg.norm(self.a)
        factors = lu_factor(self.a - beside * np.eye(count), check_finite=False)
        both = []
        for transposed in (2, 0):
            one = np.cos(np.arange(1.0, count + 1)) + 0j  # of no symmetry
            for _ in range(INVERSE):
                one = lu_solve(factors, one, trans=transposed, check_finite=False)
                one = one / np.linalg.norm(one)
            both.append(one[:, None])
        return (both[0], both[1]) if np.all(np.isfinite(both)) else None
