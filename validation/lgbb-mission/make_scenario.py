"""Writes scenario.toml: the template with the aerodynamics of the booster, over all Mach numbers that
were read (../lgbb_data).

python make_scenario.py
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import lgbb  # noqa: E402  # pyright: ignore[reportMissingImports]

MACHS = [0.2, 0.4, 0.6, 0.8, 0.9, 1.2, 1.6, 2.0, 2.5, 3.0, 4.0, 4.5]
"""Those at which the figures were read."""
ALPHAS = [float(a) for a in range(-4, 49, 4)]
WINGS = """\
[aerodynamics.wings]
body = "booster"
area = "435 ft^2"
length = "62.5 ft"
reference = "[-42.5, 0, 0] ft"
"""
TABLE = """
[aerodynamics.wings.coefficients.{name}]
axes = [
    {{ variable = "mach", points = {machs}, outside = "hold" }},
    {{ variable = "alpha", points = "{alphas} deg", outside = "extrapolate" }},
]
values = {values}
interpolation = "cubic"
"""


def air():
    """Lift and drag of the booster."""
    n = lgbb.numbers
    return WINGS + "".join(
        TABLE.format(
            name=name,
            machs=n(MACHS),
            alphas=n(ALPHAS),
            values=n([lgbb.longitudinal(name, mach, ALPHAS) for mach in MACHS]),
        )
        for name in ("CL", "CD")
    )


def scenario(template=HERE / "template.toml"):
    """The text of scenario.toml."""
    return template.read_text().replace("@AIR@\n", air())


if __name__ == "__main__":
    (HERE / "scenario.toml").write_text(scenario())
