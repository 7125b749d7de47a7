"""Writes scenario.toml: the template with tables from the readings in ../lgbb_data.

    python make_scenario.py

The core is a slender body of revolution by H. J. Allen and E. W. Perkins (NACA TR 1048): with base area Sb,
planform Ap and the crossflow drag coefficient cd times an end factor eta, referred to Sb and the length L,

    CN = sin 2a cos(a/2) + eta cd (Ap/Sb) sin a |sin a|,

the first part at the station L - V/Sb (V the volume), the second at that of the planform's centroid.
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import lgbb  # noqa: E402  # pyright: ignore[reportMissingImports]

ALPHAS = [-4.0, 0.0, 4.0, 8.0, 12.0, 16.0, 20.0]
CM_ALPHAS = [0.0, 8.0, 12.0, 20.0]
CORE_ALPHAS = [float(a) for a in np.arange(-60, 60.5, 2.5)]
DX, DZ = np.array([0.0, 0.077, 0.152, 0.2, 0.305]), [0.0, 0.25]
"""Distances from the mated pose over the length, at which increments are taken."""
FADED = 0.5
AHEAD, BELOW = 37.9375 - (35.0883 - 7.67), 6.31
"""From the booster's centre of mass to the core's, mated [ft]."""
DIAMETER, LENGTH, NOSE = 3.5, 61.67, 3 * 3.5
OGIVE = 8 / 15
"""Volume of a slender tangent ogive over that of its cylinder: of a parabola turned about its chord's end."""
CROSSFLOW = 0.74 * 1.2
ELEVON_AT, CANARD_AT = 60.0, 17.6
FT = 0.3048


def core(alphas):
    """CN and Cm about the nose of the core at angles of attack [deg], by base area and length."""
    turn = np.radians(alphas)
    potential = np.sin(2 * turn) * np.cos(turn / 2)
    crossflow = (
        CROSSFLOW * LENGTH * DIAMETER / (np.pi / 4 * DIAMETER**2) * np.sin(turn) * np.abs(np.sin(turn))
    )
    centre = NOSE * (1 - OGIVE)
    return potential + crossflow, -(potential * centre + crossflow * LENGTH / 2) / LENGTH


def share():
    """Planform of the core over that of the booster's body and wing."""
    return 61.67 * 3.5 / (62.5 * 6.86 + 435 * (1 - 6.86 / 30.75))


def tables():
    """The texts that take the places in the template."""
    n, length = lgbb.numbers, lgbb.LENGTH
    arms = {"CANARD": lgbb.MOMENTS_AT - CANARD_AT, "ELEVON": lgbb.MOMENTS_AT - ELEVON_AT}
    surfaces = {"CANARD": lgbb.CANARD_CM, "ELEVON": lgbb.ELEVON_CM}
    ahead, below = AHEAD + DX * length, BELOW + np.array(DZ) * length
    far = BELOW + FADED * length
    normal, moment = core(np.array(CORE_ALPHAS))
    beside = {c: -lgbb.orbiter_increments(c, DX, DZ)[::-1, ::-1] for c in ("CN", "Cm")}
    known = {
        "ALPHAS": n(ALPHAS),
        "CM_ALPHAS": n(CM_ALPHAS),
        "CORE_ALPHAS": n(CORE_ALPHAS),
        "DEFLECTIONS": n(lgbb.DEFLECTIONS),
        "AHEAD": n(ahead),
        "BELOW": n(below),
        "BEHIND": n(-ahead[::-1]),
        "ABOVE": n(-below[::-1]),
        "NEAR": n(below[-1] * FT),
        "FAR": n(far * FT),
        "CORE_NEAR": n(-below[-1] * FT),
        "CORE_FAR": n(-far * FT),
        "CL": n([lgbb.longitudinal("CL", mach, ALPHAS) for mach in (2.5, 3.0)]),
        "CD": n([lgbb.longitudinal("CD", mach, ALPHAS) for mach in (2.5, 3.0)]),
        "CM": n([lgbb.moment(mach, CM_ALPHAS) for mach in (1.6, 3.0)]),
        "BOOSTER_CN": n(lgbb.booster_increments("CN", DX, DZ)),
        "BOOSTER_CM": n(lgbb.booster_increments("Cm", DX, DZ)),
        "CORE_AREA": n(np.pi / 4 * DIAMETER**2),
        "CORE_CN": n(normal),
        "CORE_CM": n(moment),
        "CORE_SHARE": n(share()),
        "CORE_NEAR_CN": n(beside["CN"]),
        "CORE_NEAR_CM": n(beside["Cm"]),
    }
    known |= {name: n(np.array(cm) * length / arms[name]) for name, cm in surfaces.items()}
    return known


def scenario(template=HERE / "template.toml"):
    """The text of scenario.toml."""
    text = template.read_text()
    for name, value in tables().items():
        text = text.replace(f"@{name}@", value)
    return text


if __name__ == "__main__":
    (HERE / "scenario.toml").write_text(scenario())
