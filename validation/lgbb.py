"""The Langley Glide-Back Booster as its papers have it: reference quantities, readings of its aerodynamic
figures (lgbb_data, see the SOURCE.md there), and what follows from them. NumPy only."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parent / "lgbb_data"
LENGTH, MOMENTS_AT = 62.5, 42.5
"""Reference length [ft]; station that moments are about [ft]."""
CM_READ = {
    1.6: ([0.0, 16.0, 30.0, 48.0], [-0.004, -0.038, -0.029, -0.020]),
    3.0: ([0.0, 8.0, 12.0, 20.0, 30.0, 40.0, 48.0], [-0.0035, -0.001, 0.001, 0.005, 0.0, -0.011, -0.025]),
}
"""Pitching moment over alpha [deg], by Mach number: AIAA 2004-5382, figure 7, read by eye."""
DEFLECTIONS = [-30.0, -20.0, -10.0, 0.0, 10.0, 20.0]
"""Deflections of canard and elevon [deg] at which their moments were read."""
CANARD_CM = [-0.037, -0.027, -0.012, 0.0, 0.013, 0.024]
ELEVON_CM = [0.024, 0.018, 0.009, 0.0, -0.012, -0.022]
"""Change of the pitching moment at Mach 3 and alpha 0: AIAA 2004-5382, figures 13 and 15, read by eye."""
SPOILT = {("F15_booster_a0_da0", 0.25, 0.152)}
"""(figure, dz/L, dx/L) of readings that belong to another figure: the point of figure 15 is that of figure
16."""
FAR_CN, FAR_CM = -0.0062, -0.0062
"""Orbiter at alpha 0 far from the booster: AIAA 2004-0876, figure 17."""


def rows(name: str) -> list[dict[str, str]]:
    """Rows of a file of readings, by the names of its columns."""
    with (DATA / name).open(newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def longitudinal(coefficient: str, mach: float, alphas: list[float]) -> list[float]:
    """CL or CD at a Mach number and at angles of attack [deg] that were read."""
    (row,) = (r for r in rows("longitudinal.csv") if (r["coef"], float(r["mach"])) == (coefficient, mach))
    return [float(row[f"a{alpha:g}"]) for alpha in alphas]


def moment(mach: float, alphas: list[float]) -> list[float]:
    """Cm at a Mach number that was read, on straight lines between the readings over alpha [deg]."""
    return [float(v) for v in np.interp(alphas, *CM_READ[mach])]


def booster_alone(alpha: float) -> tuple[float, float]:
    """CN and Cm of the booster at Mach 3 without anything near it, on straight lines over alpha [deg]."""
    grid = [0.0, 4.0, 8.0]
    lift, drag = (np.interp(alpha, grid, longitudinal(c, 3.0, grid)) for c in ("CL", "CD"))
    turn = np.radians(alpha)
    return float(lift * np.cos(turn) + drag * np.sin(turn)), moment(3.0, [alpha])[0]


def near(figure: str, coefficient: str, dz: float, places: np.ndarray) -> np.ndarray:
    """What a figure shows at dz/L, on straight lines between its readings over dx/L, held beyond them."""
    read = sorted(
        (float(r["dx_over_Lref"]), float(r["value"]))
        for r in rows("proximity_mach3.csv")
        if (r["figure"], r["coef"], float(r["dz_over_Lref"])) == (figure, coefficient, dz)
        and (figure, dz, float(r["dx_over_Lref"])) not in SPOILT
    )
    at, values = np.array(read).T
    return np.interp(places, at, values)


def booster_increments(coefficient: str, places: np.ndarray, dzs: list[float]) -> np.ndarray:
    """CN or Cm that the other vehicle's nearness adds to the booster's (alpha 0 and 5 deg, dx, dz).

    Belly to belly at alpha 5 the two cannot be in contact: figure 16 repeats figure 15 there, so that at
    dz = 0 both rows are those of alpha 0."""
    which = ("CN", "Cm").index(coefficient)
    found = np.zeros((2, len(places), len(dzs)))
    for k, (figure, alpha) in enumerate((("F15_booster_a0_da0", 0.0), ("F16_booster_a5_da5", 5.0))):
        for j, dz in enumerate(dzs):
            shown, at = ("F15_booster_a0_da0", 0.0) if dz == 0 else (figure, alpha)
            found[k, :, j] = near(shown, coefficient, dz, places) - booster_alone(at)[which]
    return found


def orbiter_increments(coefficient: str, places: np.ndarray, dzs: list[float]) -> np.ndarray:
    """CN or Cm that the booster's nearness adds to the orbiter's, at alpha 0 (dx, dz), in its own axes."""
    far = {"CN": FAR_CN, "Cm": FAR_CM}[coefficient]
    return np.stack([near("F17_orbiter_a0_da0", coefficient, dz, places) - far for dz in dzs], axis=1)


def numbers(values, digits: int = 6) -> str:
    """An array as TOML, nested, rounded to what readings deserve."""
    values = np.asarray(values, dtype=float)
    if values.ndim == 0:
        return f"{round(float(values), digits) + 0.0:g}"
    return f"[{', '.join(numbers(value, digits) for value in values)}]"
