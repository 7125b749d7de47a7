"""Eigenvalues of linear equations as modes: frequency, damping, and what takes part in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .conditions import ROUNDING, Scales

UNDAMPED = 1e-8
"""Part of an eigenvalue that swings up to which its real part says nothing: what flights leave of theirs."""
UNSTABLE = "unstable"
"""What a mode that grows is, unless it does so slowly."""
SLOW = 55.0
"""Time [s] from which on what takes longer to double grows slowly, as pilots and control laws hold it without
being made for it: what MIL-F-8785C, 3.2.1.2, lets a phugoid have at its worst level."""


@dataclass(frozen=True)
class Mode:
    """One mode: an eigenvalue [1/s], of a pair the one with the positive imaginary part.

    shape (state,): how the states move, 1 of the one that takes part most, in their units. shares (state,):
    how much each takes part, whatever its unit; they sum to 1. zero: whether the eigenvalue is zero within
    rounding. left (state,): what of a state is motion in this mode, left^H shape = 1, no numbers where the
    matrix has not as many modes as states."""

    eigenvalue: complex
    shape: np.ndarray
    shares: np.ndarray
    zero: bool

    @property
    def oscillates(self) -> bool:
        """Whether it is a pair."""
        return self.eigenvalue.imag > 0 and not self.zero

    @property
    def frequency(self) -> float:
        """Undamped frequency [Hz], the size of the eigenvalue over 2 pi; zero of what does not swing."""
        return abs(self.eigenvalue) / (2 * math.pi) if self.oscillates else 0.0

    @property
    def damping(self) -> float:
        """Damping ratio: 1 and -1 of what does not swing, negative of what grows; not a number at zero."""
        return math.nan if self.zero else -self.eigenvalue.real / abs(self.eigenvalue)

    @property
    def time_constant(self) -> float:
        """Time [s] in which it falls to 1/e, negative of what grows; infinite of what does neither."""
        real = 0.0 if self.zero or self._undamped else self.eigenvalue.real
        return math.inf if real == 0 else -1.0 / real

    @property
    def grows(self) -> bool:
        """Whether it grows, by more than rounding."""
        return self.time_constant < 0

    def growth(self, slow: float = SLOW) -> str:
        """ "unstable", "slow" where it takes longer to double than this [s], or nothing."""
        return growth(self.time_constant, slow)

    @cached_property
    def _undamped(self) -> bool:
        """Whether its real part is nothing but rounding."""
        real = abs(self.eigenvalue.real)
        return self.oscillates and real <= max(self.least, UNDAMPED * abs(self.eigenvalue))

    least: float = 0.0
    """Size [1/s] below which a part of the eigenvalue is rounding."""
    condition: float = 0.0
    """By how much [1/s] it changes at most with the matrix, by a part of that."""
    left: np.ndarray = field(default_factory=lambda: np.zeros(0))


def growth(time_constant: float, slow: float) -> str:
    """What a mode with a time constant [s] does: "unstable", "slow" where it takes longer than `slow` [s] to
    double, or nothing where it does not grow."""
    if not time_constant < 0:
        return ""
    return "slow" if doubling(time_constant) > slow else UNSTABLE


def doubling(time_constant: float) -> float:
    """Time [s] in which what grows doubles, of its (negative) time constant."""
    return -time_constant * math.log(2)


# Of chains of zeros the factors of balancing have no end, and neither has what is computed with them.
@np.errstate(divide="ignore", over="ignore", invalid="ignore")
def modes(a: np.ndarray, units: Sequence[str] = ()) -> tuple[Mode, ...]:
    """The modes of a matrix, the slowest first, of a pair one. units (state,): of its states, if they have
    some."""
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
        if abs(value.imag) <= nothing[k] and not zero:  # two that are alike
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
    """How much each thing, "joint hinge", takes part in a mode, the most first."""
    found: dict[str, float] = {}
    for thing, share in zip(things, mode.shares, strict=True):
        found[thing] = found.get(thing, 0.0) + float(share)
    return dict(sorted(found.items(), key=lambda item: -item[1]))
