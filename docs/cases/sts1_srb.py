"""Writes the tables of sts1_srb.md: the report's combinations of mass centres, in one sweep.

python docs/cases/sts1_srb.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from interstage.scenario import load
from interstage.sweep import Sweep

HERE = Path(__file__).resolve().parent
CASE = HERE.parents[1] / "validation" / "sts1-srb" / "scenario.toml"
FT, INCH = 0.3048, 0.0254
TANK = np.array([-1073.0, 0.0, -446.7])
BOOSTER = np.array([-1268.0, 0.0, -1.0])
TANK_RANGE, BOOSTER_RANGE = np.array([0.0, 2.0, 3.0]), np.array([0.0, 1.0, 1.0])
"""How far mass centres may be from where they are taken to be, either way [in]: chosen, see the page."""
COMBINATIONS = {
    f"Y{names[y]} Z{names[z]}": np.array([0, y, z])
    for names in [{-1: "min", 0: "nom", 1: "max"}]
    for y in (-1, 0, 1)
    for z in (-1, 0, 1)
    if (y, z) != (0, 0)
}
RATES = [
    f"bodies.{body}.angular_velocity.{axis}@end"
    for body in ("orbiter_tank", "left", "right")
    for axis in "xyz"
]
CLEARANCES = [f"clearance.{side}.distance@min" for side in ("left", "right")]


def swept() -> Sweep:
    """All combinations in one batch."""
    tank = "bodies.orbiter_tank.mass_centre, bodies.orbiter_tank.elements.propellant.at"
    both = ", ".join(
        f"bodies.{s}.{w}" for s in ("left", "right") for w in ("mass_centre", "elements.residual.at")
    )
    vary = {
        tank: [(TANK + sign * TANK_RANGE) * INCH for sign in (-1, 1)],
        both: [(BOOSTER + BOOSTER_RANGE * signs) * INCH for signs in COMBINATIONS.values()],
    }
    return load(CASE).sweep(vary, design="one_at_a_time", responses=["time@apart", *RATES, *CLEARANCES])


def main() -> None:
    """Fly all, and write the table."""
    sys.path.insert(0, str(HERE.parent / "studies"))
    from pages import written  # pyright: ignore[reportMissingImports]

    found = swept()
    names = {(0, -1): "orbiter + tank min", (1, -1): "orbiter + tank max", (-1, -1): "nominal"}
    names |= {(-1, k): f"boosters {name}" for k, name in enumerate(COMBINATIONS)}
    release, *others = (measure.values for measure in found.measures)
    rates, near = np.degrees(np.array(others[: len(RATES)])), np.array(others[len(RATES) :]) / FT
    heads = ["", "release [s]", "orbiter + tank p, q, r [deg/s]", "left", "right", "least clearance [ft]"]
    lines = []
    for case, levels in enumerate(found.levels):
        triples = [
            ", ".join(f"{v:.2f}" for v in rates[3 * k : 3 * k + 3, case]).replace("-0.00", "0.00")
            for k in range(3)
        ]
        name = names[int(levels[0]), int(levels[1])]
        lines.append([name, f"{release[case]:.3f}", *triples, f"{near[:, case].min():.3f}"])
    written(__file__, "combinations", [heads, *lines])


if __name__ == "__main__":
    main()
