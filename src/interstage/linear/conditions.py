"""Sensitivity of eigenvalues to their matrix, and their rounding errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ROUNDINGS = 5.0
"""Number of roundings, times the condition of an eigenvalue, below which the eigenvalue or its real or
imaginary part is zero. Example: a free displacement and its velocity, whose double zero rounding splits. Two
roundings split it into two values that one rounding moves by a quarter; slow modes of stiff systems move by a
tenth."""
ROUNDING = ROUNDINGS * np.finfo(float).eps
LENGTHS = 10.0 ** np.arange(9)
"""Units of length [m] in which a matrix is evaluated: a zero within rounding is zero in all of them."""
INVERSE = 3
"""Inverse iterations for the vectors of an eigenvalue; each reaches the limit of rounding."""


class Scales:
    """A matrix in several units of length and time.

    For a relative change of the matrix, the change of an eigenvalue is at most |A| times its condition (Golub
    & Van Loan, Matrix Computations, 4th ed., 7.2.2). The units with the least bound are used.

    Balancing enlarges entries of rounding and hides the large conditions of a defective zero. Rounding splits
    such a zero into k eigenvalues of size (eps |A|^k)^(1/k). In the original units their condition is about
    (|A| / size)^(k - 1) / k, so eps |A| times the condition is their size again. A speed in a small unit of
    length dominates |A| and would hide slow rotations. A stiffness in seconds would hide the damping of fast
    oscillations, so time is scaled by their angular frequency."""

    def __init__(self, a: np.ndarray, units: Sequence[str]):
        self.a = a
        units = units or [""] * len(a)
        metres = np.array([one == "m" or one.startswith("m/") for one in units], bool)
        self.rates = np.array([one.endswith("/s") for one in units], bool)
        lengths = LENGTHS if np.any(metres) else LENGTHS[:1]
        self.metres = [np.where(metres, length, 1.0) for length in lengths]
        self.norms = [self._norms(a / by[:, None] * by) for by in self.metres]

    def _norms(self, a: np.ndarray) -> np.ndarray:
        """Norms (3,) of the parts of a matrix that scale with time, without time, and with 1/time."""
        power = self.rates[:, None].astype(int) - self.rates
        return np.array([np.linalg.norm(a[power == way]) for way in (1, 0, -1)])

    def conditions(self, values: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the condition numbers of eigenvalues from the left and right eigenvectors (state,
        eigenvalue).
        """
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
        """Correct the condition numbers of eigenvalues near zero.

        Units of very different size mix the rounding errors of eigenvectors. An eigenvalue can therefore
        appear as rounding, although it is well determined in the balanced matrix.
        """
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
        """Left and right vectors (state, 1) of an eigenvalue by inverse iteration in SI; None if not
        finite."""
        from scipy.linalg import lu_factor, lu_solve

        count = len(self.a)
        beside = value + np.finfo(float).eps * np.linalg.norm(self.a)
        factors = lu_factor(self.a - beside * np.eye(count), check_finite=False)
        both = []
        for transposed in (2, 0):
            one = np.cos(np.arange(1.0, count + 1)) + 0j  # without symmetry
            for _ in range(INVERSE):
                one = lu_solve(factors, one, trans=transposed, check_finite=False)
                one = one / np.linalg.norm(one)
            both.append(one[:, None])
        return (both[0], both[1]) if np.all(np.isfinite(both)) else None
