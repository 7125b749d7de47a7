"""The function of Ishigami and Homma, with its shares of the variance in closed form."""

from __future__ import annotations

import numpy as np


def ishigami(probability: np.ndarray) -> np.ndarray:
    """Ishigami and Homma's function of three inputs, uniform between -pi and pi, with a = 7 and b = 0.1."""
    x = np.pi * (2 * probability - 1)
    return np.sin(x[0]) + 7 * np.sin(x[1]) ** 2 + 0.1 * x[2] ** 4 * np.sin(x[0])


def ishigami_shares() -> tuple[np.ndarray, np.ndarray]:
    """First-order and total indices in closed form (Ishigami and Homma 1990)."""
    alone = 0.5 * (1 + 0.1 * np.pi**4 / 5) ** 2, 7**2 / 8, 0.0
    both = 0.1**2 * np.pi**8 * (1 / 18 - 1 / 50)
    variance = sum(alone) + both
    return np.array(alone) / variance, np.array([alone[0] + both, alone[1], both]) / variance
