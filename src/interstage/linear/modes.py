"""Modes of linear equations from eigenvalues: frequency, damping and participation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .conditions import ROUNDING, Scales

UNDAMPED = 1e-8
"""Relative real part of an oscillating eigenvalue that counts as zero. This limit equals the error of
flights."""
UNSTABLE = "unstable"
"""Result of `growth` for a mode that grows fast."""
SLOW = 55.0
"""Doubling time [s] above which growth is slow, so that pilots and control laws can stabilize it. This time
is the limit of MIL-F-8785C, 3.2.1.2, for a phugoid of Level 3.
"""


@dataclass(frozen=True)
class Mode:
    """One mode of linear equations.

    - eigenvalue: eigenvalue [1/s], with positive imaginary part for a complex pair.
    - shape (state,): eigenvector in the units of the states, 1 for the state with the largest participation.
    - shares (state,): normalized participation factor of each state, independent of units. The sum is 1.
    - zero: whether the eigenvalue is zero within rounding.
    - left (state,): left eigenvector, normalized to left^H shape = 1. NaN if the matrix is defective (fewer
      independent eigenvectors than states).
    """

    eigenvalue: complex
    shape: np.ndarray
    shares: np.ndarray
    zero: bool

    @property
    def oscillates(self) -> bool:
        """Return whether the mode is a complex pair of eigenvalues."""
        return self.eigenvalue.imag > 0 and not self.zero

    @property
    def frequency(self) -> float:
        """Return the undamped frequency |eigenvalue| / (2 pi) [Hz], zero for a mode without oscillation."""
        return abs(self.eigenvalue) / (2 * math.pi) if self.oscillates else 0.0

    @property
    def damping(self) -> float:
        """Return the damping ratio. The ratio is negative for a growing mode, and NaN for a zero
        eigenvalue."""
        return math.nan if self.zero else -self.eigenvalue.real / abs(self.eigenvalue)

    @property
    def time_constant(self) -> float:
        """Return the time constant [s] of the decay to 1/e. The time constant is negative for a growing mode,
        and infinite without damping.
        """
        real = 0.0 if self.zero or self._is_undamped else self.eigenvalue.real
        return math.inf if real == 0 else -1.0 / real

    @property
    def grows(self) -> bool:
        """Return whether the mode grows by more than rounding."""
        return self.time_constant < 0

    def growth(self, slow: float = SLOW) -> str:
        """Return the kind of growth: "unstable", "slow" if the doubling time exceeds `slow` [s], or "" if the
        mode does not grow.
        """
        return growth(self.time_constant, slow)

    @cached_property
    def _is_undamped(self) -> bool:
        """Whether its real part is zero within rounding."""
        real = abs(self.eigenvalue.real)
        return self.oscillates and real <= max(self.least, UNDAMPED * abs(self.eigenvalue))

    least: float = 0.0
    """Size [1/s] below which the real or imaginary part of the eigenvalue is a rounding error."""
    condition: float = 0.0
    """Sensitivity of the eigenvalue: its largest change [1/s] divided by the relative change of the
    matrix.
    """
    left: np.ndarray = field(default_factory=lambda: np.zeros(0))


def growth(time_constant: float, slow: float) -> str:
    """Return the kind of growth for a time constant [s]: "unstable", "slow" if the doubling time exceeds
    `slow` [s], or "" if the mode does not grow.
    """
    if not time_constant < 0:
        return ""
    return "slow" if doubling(time_constant) > slow else UNSTABLE


def doubling(time_constant: float) -> float:
    """Return the doubling time [s] of a growing mode with a negative time constant [s]."""
    return -time_constant * math.log(2)


# For chains of zeros the factors of balancing are infinite, with all results.
@np.errstate(divide="ignore", over="ignore", invalid="ignore")
def modes(a: np.ndarray, units: Sequence[str] = ()) -> tuple[Mode, ...]:
    """Return the modes of a matrix, the slowest mode first. A complex pair is one mode.

    a (state, state): matrix [1/s]. units (state,): units of the states, if known."""
    if not a.size:
        return ()
    from scipy.linalg import eig, matrix_balance

    balanced: Any = matrix_balance(a, permute=False, separate=True)
    even, factors = balanced[0], balanced[1][0]
    found_by: Any = eig(even, left=True, right=True)
    values, left, right = found_by
    overlap = np.sum(np.conj(left) * right, 0)
    condition = np.where(overlap == 0, np.inf, 1.0 / np.abs(overlap))
    shares = np.abs(np.conj(left) * right)
    shares = shares / np.sum(shares, 0)
    least = ROUNDING * np.linalg.norm(even, 2) * condition
    scales = Scales(a, units)
    own = scales.conditions(values, left / factors[:, None], factors[:, None] * right)
    scales.look_again(values, least, own)
    nothing = np.maximum(least, ROUNDING * own)
    # No eigenvalue exceeds the norm. An error bound above it, from a chain of zeros, gives no information.
    nothing = np.where(nothing > np.linalg.norm(even, 2), np.inf, nothing)
    found = []
    for k in np.argsort(np.abs(values), kind="stable"):
        value = complex(values[k])
        zero = not abs(value) > nothing[k]
        if abs(value.imag) <= nothing[k] and not zero:  # two equal ones
            value = complex(value.real)
        if value.imag < 0 and not zero:
            continue
        share = np.abs(right[:, k]) ** 2 if not np.all(np.isfinite(shares[:, k])) else shares[:, k]
        whole = factors * right[:, k]
        shape, back = whole / whole[int(np.argmax(share))], left[:, k] / factors
        back = back / np.conj(np.vdot(back, shape))
        known = bool(zero), float(nothing[k]), float(own[k])
        found.append(Mode(value, shape, share, *known, back))
    return tuple(found)


def by_thing(mode: Mode, things: Sequence[str]) -> dict[str, float]:
    """Return the participation of each body, joint or model in a mode, in decreasing order.

    things (state,): name of the item of each state.
    """
    found: dict[str, float] = {}
    for thing, share in zip(things, mode.shares, strict=True):
        found[thing] = found.get(thing, 0.0) + float(share)
    return dict(sorted(found.items(), key=lambda item: -item[1]))
