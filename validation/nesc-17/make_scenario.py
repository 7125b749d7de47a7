"""Writes scenario.toml: a rocket of two stages from the numbers of the DAVE-ML files in ../nesc_models.

    python make_scenario.py

The files give mass, centre of mass and moments of the whole vehicle while the first stage burns, and of the
upper stage afterwards, all linear in the propellant left. Here the upper stage's structure is the body; its
propellant, and the first stage with its own, are elements. What an element is follows by taking the rest
away (moments across; along the axis they are I = J - i_r):

    m = M - m_r,  x = (M X - m_r x_r)/m,  I = J - i_r - m_r (x_r - X)^2 - m (x - X)^2

Stations count aft from the nose in the files; the drawing's x points forward, x = -station.
"""

from pathlib import Path

import numpy as np

from interstage.parts.air import function_model
from interstage.parts.air.function_model import FunctionModel
from interstage.programs.program import configure

HERE = Path(__file__).resolve().parent
MODELS = HERE.parent / "nesc_models"
NEAR = 0.15
"""The centre of mass of the first stage bends where it is nearly empty: rows in even ratios of (share left +
this). The splines through them are within 3e-6 m and 1 kg m^2 of the formulas."""
ROWS = {"stage": 61, "upper": 9}


def model(name):
    """Evaluates a file: inputs by keyword to outputs by name."""
    ready = function_model.prepare(FunctionModel(file=str(MODELS / name)))
    return lambda **inputs: {k: float(v) for k, v in function_model.evaluate(ready, inputs).items()}


def whole(inertia, staged, first, second):
    """(mass, station, moment along, moment across) of what flies, by the propellant used of each stage."""
    out = inertia(stagedFlag=float(staged), stg1fuelUsed=first, stg2fuelUsed=second)
    return np.array([out["XMASS"], out["vrsPositionOfMrc_X"] - out["DXCG"], out["XIXX"], out["XIYY"]])


def without(all_, rest):
    """What is left of a whole when a part of it is taken away, both as in `whole`."""
    mass, station, along, across = all_
    m, s, a, b = rest
    left = mass - m
    at = (mass * station - m * s) / left
    return np.array([left, at, along - a, across - b - m * (s - station) ** 2 - left * (at - station) ** 2])


def numbers(values):
    """An array as TOML."""
    return "[" + ", ".join(f"{value:.15g}" for value in values) + "]"


def table(left, parts, inert):
    """TOML of an element "table", without its name."""
    rows = [f"    [{-station:.15g}, 0, 0]," for _, station, _, _ in parts]
    moments = [f"    [{along:.15g}, {across:.15g}, {across:.15g}]," for _, _, along, across in parts]
    return "\n".join(
        [
            'kind = "table"',
            f"propellant = {left[-1]:.15g}",
            *([f"mass_inert = {inert:.15g}"] if inert else []),
            f"left = {numbers(left)}",
            "mass_centre = [",
            *rows,
            "]",
            "inertia = [",
            *moments,
            "]",
            'interpolation = "cubic"',
        ]
    )


def scenario(template=HERE / "template.toml"):
    """The text of scenario.toml: the template with the numbers filled in."""
    configure()
    inertia, propulsion = model("twostage_inertia.dml"), model("twostage_prop.dml")
    tanks = [whole(inertia, k, 0.0, 0.0)[0] - whole(inertia, k, 1e9, 1e9)[0] for k in (0, 1)]
    upper, dry = whole(inertia, 1, 0.0, 0.0), whole(inertia, 1, 0.0, tanks[1])
    first = tanks[0] * (np.geomspace(NEAR, 1 + NEAR, ROWS["stage"]) - NEAR)
    first[0], first[-1] = 0.0, tanks[0]
    stage = [without(whole(inertia, 0, tanks[0] - left, 0.0), upper) for left in first]
    second = np.linspace(0, tanks[1], ROWS["upper"])
    fuel = [without(whole(inertia, 1, 0.0, tanks[1] - left), dry) for left in second[1:]]
    # An empty tank: no mass, where the last of it was, by the straight line of the centre of mass.
    fuel = [np.array([0.0, 2 * fuel[0][1] - fuel[1][1], 0.0, 0.0]), *fuel]
    engines = {
        name: propulsion(stg1firing=float(name == "first"), stg2firing=float(name == "second"))
        for name in ("first", "second")
    }
    text = template.read_text()
    known = {
        "DRY_MASS": f"{dry[0]:.15g}",
        "DRY_CENTRE": numbers([-dry[1], 0, 0]),
        "DRY_INERTIA": numbers([dry[2], dry[3], dry[3]]),
        "UPPER": table(second, fuel, 0),
        "STAGE": table(first, stage, stage[0][0]),
        "REFERENCE": numbers([-whole(inertia, 0, 0.0, 0.0)[1], 0, 0]),
    }
    for name, values in engines.items():
        known[f"THRUST_{name.upper()}"] = f"{values['thrust']:.15g}"
        known[f"ISP_{name.upper()}"] = f"{values['isp']:.15g}"
    for name, value in known.items():
        text = text.replace(f"@{name}@", value)
    return text


if __name__ == "__main__":
    (HERE / "scenario.toml").write_text(scenario())
