"""Writes gradient_egm96.csv: the gradient of EGM96 along the flight axis on the way of the centre of mass.

    python make_gradient_egm96.py

It is y (g(R + h y) - g(R - h y))/(2 h), h = 2.9 m: so far are the centres of mass apart when the clamp
releases. R is the orbit of the common centre of mass, by Gauss collocation in extended precision."""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
for place in ("tp2016-spherical", "egm96"):
    sys.path.insert(0, str(HERE.parent / place))

from collocation import REAL, integrate  # noqa: E402  # pyright: ignore[reportMissingImports]
from extended import coefficients, in_space  # noqa: E402  # pyright: ignore[reportMissingImports]

HALF = REAL("2.9")  # m
START = [REAL("1.1378e7"), REAL("5.8") / 7, 0, 0, REAL("5918.8"), 0]
ANGLE, TURN, DEGREE = REAL("4.894961212823756"), REAL("7.292115e-5"), 20  # rad, rad/s
FIELD = coefficients(DEGREE)
TIMES = np.arange(0, 21).astype(REAL)


def pull(time, places):
    """Accelerations (3, points) at inertial places."""
    return in_space(FIELD, places, ANGLE + TURN * time)


def main():
    """One row each second."""

    def rate(time, state):
        return np.concatenate([state[3:], pull(time, state[:3, None])[:, 0]])

    states = integrate(rate, np.array(START, dtype=REAL), TIMES, 1)
    lines = ["time,gradient"]
    for time, state in zip(TIMES, states):
        aside = np.array([[0, 0], [-HALF, HALF], [0, 0]], dtype=REAL)
        behind, ahead = pull(time, state[:3, None] + aside)[1]
        lines.append(f"{float(time):g},{float((ahead - behind) / (2 * HALF)):.15g}")
    (HERE / "gradient_egm96.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
