"""Writes truth.csv and weak.csv: the separation of the scenario's numbers by equations of its own.

python make_truth.py
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import apart  # noqa: E402  # pyright: ignore[reportMissingImports]

LBF = 4.4482216152605
PLANE = np.array([1.6, 0, 0])
CENTRE = np.array([0.45, 0.004, -0.002])
CORNERS = 0.18 * np.array([[0, 1, 1], [0, -1, 1], [0, -1, -1], [0, 1, -1]])
RELEASE = 0.1 + 2e-3 + 6e-3
TIMES = np.array([*np.arange(11, 31) / 100, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0])


def truth(strengths):
    """(times of the ends of the strokes, names, table)."""
    springs = [
        apart.Spring(
            parent_at=PLANE - [0.04, 0, 0] + corner,
            child_at=corner - CENTRE,
            axis=np.array([1.0, 0, 0]),
            preload=25 * LBF,
            stiffness=2200.0,
            stroke=0.025,
            strength=strength,
        )
        for corner, strength in zip(CORNERS, strengths, strict=True)
    ]
    inertias = [np.diag([300.0, 1100, 1100]), np.diag([9.0, 12, 11])]
    pair = apart.Pair([900.0, 100.0], inertias, springs)
    x = apart.at_rest([np.zeros(3), PLANE + CENTRE])
    x = apart.struck(x, pair, PLANE, np.array([0.5, 0, 0]))
    states, spent = pair.fly(x, RELEASE, TIMES)
    return spent, *apart.rows(TIMES, states)


if __name__ == "__main__":
    for name, first in (("truth", 1.0), ("weak", 0.8)):
        spent, names, table = truth([first, 1.0, 1.0, 1.0])
        ends = " ".join(f"{t:.17g}" for t in spent)
        apart.write(HERE / f"{name}.csv", f"spent {ends}", names, table)
