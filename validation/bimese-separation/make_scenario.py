"""Writes scenario.toml: the template with the aerodynamics of both vehicles from ../lgbb_data.

python make_scenario.py
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import lgbb  # noqa: E402  # pyright: ignore[reportMissingImports]

LENGTH = 260.1
SCALE = LENGTH / lgbb.LENGTH
MACHS, CM_MACH = [3.0, 4.0], 3.0
ALPHAS = [float(a) for a in range(-4, 49, 4)]
CM_ALPHAS = [0.0, 8.0, 12.0, 20.0, 30.0, 40.0, 48.0]
DX = np.array(
    [
        *(0.0, 0.077, 0.152, 0.2, 0.305, 0.4, 0.457, 0.534, 0.6, 0.687, 0.763, 0.8, 0.915, 1.0, 1.068),
        *(1.143, 1.219, 1.296, 1.372, 1.447, 1.525, 1.6, 1.677, 1.752, 1.828, 1.905, 1.981, 2.058, 2.134),
    ]
)
DZ = [0.0, 0.25, 0.5]
CLEAR = 1.0
"""dz/L from which on neither feels the other: there the Mach cone from the orbiter's nose passes behind the
booster up to dx/L = 2, and beyond that nothing but scatter was measured."""
REACHED = 0.57
"""dx/L from which on the cone reaches the booster at dz/L = 0.5, and on that the orbiter at 0.25 is ahead of
the booster's; where the measurements begin and end."""
APART = 6.86 + 0.5
"""Distance of the two axes, mated: body and aft gap of the LGBB [ft]."""

VEHICLE = """\
[aerodynamics.{name}]
body = "{name}"
area = "{area} ft^2"
length = "260.1 ft"
reference = "[{reference}, 0, 0] ft"

[aerodynamics.{name}.coefficients.CL]
axes = [
    {{ variable = "mach", points = {machs}, outside = "extrapolate" }},
    {{ variable = "alpha", points = "{alphas} deg", outside = "extrapolate" }},
]
values = {CL}
interpolation = "cubic"

[aerodynamics.{name}.coefficients.CD]
axes = [
    {{ variable = "mach", points = {machs}, outside = "extrapolate" }},
    {{ variable = "alpha", points = "{alphas} deg", outside = "extrapolate" }},
]
values = {CD}
interpolation = "cubic"

[aerodynamics.{name}.coefficients.Cm]
axes = [{{ variable = "alpha", points = "{cm_alphas} deg", outside = "extrapolate" }}]
values = {Cm}
interpolation = "cubic"

[aerodynamics.{name}_near]
body = "{name}"
area = "{area} ft^2"
length = "260.1 ft"
reference = "[{reference}, 0, 0] ft"

[aerodynamics.{name}_near.coefficients.CN]
axes = [
{near_axes}
]
values = {near_CN}
interpolation = "linear"

[aerodynamics.{name}_near.coefficients.Cm]
axes = [
{near_axes}
]
values = {near_Cm}
interpolation = "linear"

"""
AXIS = '    {{ variable = "{variable}", points = "{points} {unit}", outside = "hold" }},'


def booster_near(coefficient):
    """Increments of the booster (alpha, dx, dz), with none from CLEAR on."""
    found = lgbb.booster_increments(coefficient, DX, DZ)
    found[:, DX < REACHED, 2] = 0
    return np.concatenate([found, np.zeros((2, len(DX), 1))], axis=2)


def orbiter_near(coefficient):
    """Increments of the orbiter (dx from far ahead, dz), with none from 0.5 on."""
    found = lgbb.orbiter_increments(coefficient, DX, DZ[:2])
    found[DX > REACHED, 1] = 0
    return np.concatenate([found, np.zeros((len(DX), 2))], axis=1)[::-1]


def vehicle(name, near, axes):
    """Both declarations of one vehicle."""
    n = lgbb.numbers
    return VEHICLE.format(
        name=name,
        area=f"{435 * SCALE**2:.1f}",
        reference=f"{-lgbb.MOMENTS_AT * SCALE:.2f}",
        machs=n(MACHS),
        alphas=n(ALPHAS),
        cm_alphas=n(CM_ALPHAS),
        CL=n([lgbb.longitudinal("CL", mach, ALPHAS) for mach in MACHS]),
        CD=n([lgbb.longitudinal("CD", mach, ALPHAS) for mach in MACHS]),
        Cm=n(lgbb.moment(CM_MACH, CM_ALPHAS)),
        near_axes="\n".join(AXIS.format(variable=v, points=n(p), unit=unit) for v, p, unit in axes),
        near_CN=n(near("CN")),
        near_Cm=n(near("Cm")),
    )


def air():
    """The aerodynamics of both."""
    ahead, below = DX * LENGTH, APART * SCALE + np.array([*DZ, CLEAR]) * LENGTH
    booster = [
        ("alpha", [0.0, 5.0], "deg"),
        ("relative.orbiter.x", ahead, "ft"),
        ("relative.orbiter.z", below, "ft"),
    ]
    orbiter = [("relative.booster.x", -ahead[::-1], "ft"), ("relative.booster.z", below, "ft")]
    return vehicle("orbiter", orbiter_near, orbiter) + vehicle("booster", booster_near, booster)


def scenario(template=HERE / "template.toml"):
    """The text of scenario.toml."""
    return template.read_text().replace("@AIR@\n", air())


if __name__ == "__main__":
    (HERE / "scenario.toml").write_text(scenario())
