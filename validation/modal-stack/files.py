"""Writes lower.csv and upper.pch, the modes of the two stages: python validation/modal-stack/files.py"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from validation.euler_beam import Beam, modes  # noqa: E402

LOWER, UPPER = Beam(10.0, 2e7, 100.0), Beam(5.0, 4e6, 60.0)
COUNT = 6


def main() -> None:
    """Both files."""
    found = modes(LOWER, COUNT)
    lines = ["# Free modes of a uniform beam, by validation/euler_beam.py"]
    lines += ["mode, frequency [rad/s], mass, point, x, y, z, dx, dy, dz, rx, ry, rz"]
    for n in range(COUNT):
        for name, x in (("tail", 0.0), ("top", LOWER.length)):
            w, slope = found.shape(x)[n], found.slope(x)[n]
            start = (
                f"{n + 1}, {found.omega[n]:.15g}, {found.mass[n]:.15g}, {name}, {x - LOWER.length / 2}, 0, 0"
            )
            lines.append(f"{start}, 0, {w:.15g}, 0, 0, 0, {slope:.15g}")
    (HERE / "lower.csv").write_text("\n".join(lines) + "\n")
    (HERE / "upper.pch").write_text(_punched())


def _punched() -> str:
    """As Nastran writes it, normalized to 1 kg, with the rigid-body modes across and about."""
    found, c = modes(UPPER, COUNT), UPPER.length / 2
    grids = {101: 0.0, 102: UPPER.length}
    whole = UPPER.mass * UPPER.length
    rigid = [
        (0.0, dict.fromkeys(grids, (whole**-0.5, 0.0))),
        (0.0, {g: np.array([x - c, 1.0]) * (whole * UPPER.length**2 / 12) ** -0.5 for g, x in grids.items()}),
    ]
    bends = [
        (
            found.omega[n] ** 2,
            {
                g: (found.shape(x)[n] / found.mass[n] ** 0.5, found.slope(x)[n] / found.mass[n] ** 0.5)
                for g, x in grids.items()
            },
        )
        for n in range(COUNT)
    ]
    lines = ["$TITLE   = UPPER STAGE", "$SUBTITLE=FREE BEAM", "$LABEL   =", "$EIGENVECTOR", "$REAL OUTPUT"]
    lines += ["$SUBCASE ID =           1"]
    for n, (eigenvalue, rows) in enumerate([*rigid, *bends], start=1):
        lines.append(f"$EIGENVALUE = {eigenvalue:13.7E}  MODE = {n:5d}")
        for grid, (w, slope) in rows.items():
            first, second = (0.0, w, 0.0), (0.0, 0.0, slope)
            lines.append(f"{grid:10d}       G" + "".join(f"{v:18.6E}" for v in first))
            lines.append("-CONT-            " + "".join(f"{v:18.6E}" for v in second))
    return "".join(f"{line:72s}{n:8d}\n" for n, line in enumerate(lines, start=1))


if __name__ == "__main__":
    main()
