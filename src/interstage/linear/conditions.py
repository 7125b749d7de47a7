"""Compute the sensitivity of eigenvalues to changes of their matrix, and their rounding errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ROUNDINGS = 5.0
"""Number of rounding errors, times the condition of an eigenvalue. Below this limit, the eigenvalue counts as
zero. This number also applies to its real and imaginary part.

For example, a free displacement and its velocity have a double zero. Two rounding errors split this zero into
two values, and one more rounding error moves these values by a quarter. Slow modes of stiff systems are well
determined: a rounding error moves them by at most a tenth.
"""
ROUNDING = ROUNDINGS * np.finfo(float).eps
LENGTHS = 10.0 ** np.arange(9)
"""Units of length [m] in which a matrix is evaluated. A zero within rounding is zero in all of these
units.
"""
INVERSE = 3
"""Number of inverse iterations for the eigenvectors of an eigenvalue. Each iteration is accurate to
rounding.
"""


class Scales:
    """A matrix in several units of length and time.

    For a relative change eps of the matrix, the change of an eigenvalue is at most eps |A| times its
    condition (Golub & Van Loan, Matrix Computations, 4th ed., 7.2.2). The units with the smallest bound are
    used.

    Balancing enlarges entries that are rounding errors, and hides the large condition of a defective zero.
    Rounding splits such a zero into k eigenvalues of size (eps |A|^k)^(1/k). In the original units their
    condition is about (|A| / size)^(k - 1) / k, so eps |A| times the condition is again their size.

    In a small unit of length, a speed dominates |A| and would hide slow rotations. In seconds, a stiffness
    would hide the damping of fast oscillations. Time is therefore scaled by the angular frequency of each
    eigenvalue.
    """

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
        """Return |A| times the condition of each eigenvalue (eigenvalue,) [1/s], for the units with the
        smallest product.

        - values (eigenvalue,): eigenvalues [1/s].
        - left, right (state, eigenvalue): left and right eigenvectors.
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
        """Correct the conditions of eigenvalues near zero in place.

        Units of very different size mix the rounding errors of eigenvectors. An eigenvalue can therefore
        appear as rounding, although it is well determined in the balanced matrix.

        - values (eigenvalue,): eigenvalues [1/s].
        - least (eigenvalue,): rounding errors of the eigenvalues of the balanced matrix [1/s].
        - own (eigenvalue,): result of `conditions`, which is corrected.
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
