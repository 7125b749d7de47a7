"""Writes scenario.toml: the template with four springs, four motors, and the table of the plume.

python make_scenario.py
"""

import math
from pathlib import Path

HERE = Path(__file__).resolve().parent
RADIUS = 0.85
EXPONENT = 10
"""Density of the jet over the angle from its axis: cos^n."""
DISTANCES = [round(0.3 * 1.15**k, 4) for k in range(42)]
CORNERS = {"1": (0.57, 0.57), "2": (-0.57, 0.57), "3": (-0.57, -0.57), "4": (0.57, -0.57)}
RETROS = {
    "left": ("[-1, -0.9, 0] m", "[0, 15] deg"),
    "right": ("[-1, 0.9, 0] m", "[0, -15] deg"),
    "top": ("[-1, 0, -0.9] m", "[15, 0] deg"),
    "bottom": ("[-1, 0, 0.9] m", "[-15, 0] deg"),
}


def share(distance):
    """Part of the jet's momentum within the disk."""
    return 1 - math.cos(math.atan(RADIUS / distance)) ** (EXPONENT + 1)


def springs():
    """The tables of the four springs."""
    for name, (y, z) in CORNERS.items():
        yield f"""[devices.spring_{name}]
kind = "kickoff_spring"
parent = "lower"
child = "upper"
parent_at = "[-0.3, {y}, {z}] m"
child_at = "[0, {y}, {z}] m"
axis = [1, 0, 0]
preload = "4 kN"
stiffness = "20 kN/m"
stroke = "0.1 m"
strength = 1.0
"""


def retros():
    """The tables of the four motors."""
    for name, (at, cant) in RETROS.items():
        yield f"""[engines.retro_{name}]
kind = "motor"
body = "lower"
at = "{at}"
direction = [-1, 0, 0]
cant = "{cant}"
thrust = {{ time = "[0, 0.01, 0.04, 0.55, 0.65] s", value = "[0, 0, 5, 5, 0] kN" }}
massless = true
works = 1
"""


def scenario(template=HERE / "template.toml"):
    """The text of scenario.toml."""
    known = {
        "SPRINGS": "\n".join(springs()),
        "RETROS": "\n".join(retros()),
        "DISTANCES": str(DISTANCES),
        "SHARES": str([round(share(d), 6) for d in DISTANCES]),
    }
    text = template.read_text()
    for name, value in known.items():
        text = text.replace(f"@{name}@", value)
    return text


if __name__ == "__main__":
    (HERE / "scenario.toml").write_text(scenario())
