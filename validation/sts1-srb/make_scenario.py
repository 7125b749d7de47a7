"""Writes scenario.toml (the report's joints) and as_built.toml (a ball and three struts) from template.toml.

    python make_scenario.py

Trim: the main engines keep their null cants but for one angle about the pitch axis, the same for all three,
at which their moment about the centre of mass is zero. Lines that begin with @BUILT@ are those of
as_built.toml."""

import re
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
CENTRE = np.array([-1073.0, 0.0, -446.7])
"""Centre of mass of orbiter and tank [in]."""
ENGINES = {
    "CENTRE": ((-2186.0, 0.0, -779.5), 16.0, 0.0),
    "LOW_LEFT": ((-2209.17, -53.0, -679.14), 10.0, 3.5),
    "LOW_RIGHT": ((-2209.17, 53.0, -679.14), 10.0, -3.5),
}
"""Gimbal points [in], null cants in pitch and yaw [deg] of the thrust: down, and to the right."""
THRUST, ISP = 470000.0, 453.0
"""Of each engine [lbf, s]."""
REPORT = """\
# As NASA/TP-2016-219326 has it: five of the eleven locked axes repeat others.
[joints.forward_@SIDE@]
kind = "revolute"
axis = "y"
parent = "orbiter_tank"
child = "@SIDE@"
parent_at = "[-985.675, @OUT@171.5, -400] in"
child_at = "[-442.675, @IN@79, 0] in"

[joints.aft_@SIDE@]
kind = "fixed"
parent = "orbiter_tank"
child = "@SIDE@"
parent_at = "[-2054, @OUT@171.5, -400] in"
child_at = "[-1511, @IN@79, 0] in"
"""
BUILT = """\
# As built: a ball and three struts, which determine all loads.
[joints.forward_@SIDE@]
kind = "spherical"
parent = "orbiter_tank"
child = "@SIDE@"
parent_at = "[-985.675, @OUT@171.5, -400] in"
child_at = "[-442.675, @IN@79, 0] in"

[joints.upper_@SIDE@]
kind = "rod"
parent = "orbiter_tank"
child = "@SIDE@"
parent_at = "[-2054, @OUT@136, -495] in"
child_at = "[-1511, @IN@41.5, -60] in"

[joints.lower_@SIDE@]
kind = "rod"
parent = "orbiter_tank"
child = "@SIDE@"
parent_at = "[-2054, @OUT@136, -305] in"
child_at = "[-1511, @IN@41.5, 60] in"

[joints.diagonal_@SIDE@]
kind = "rod"
parent = "orbiter_tank"
child = "@SIDE@"
parent_at = "[-2054, @OUT@136, -495] in"
child_at = "[-1511, @IN@41.5, 60] in"
"""


def directions(turn):
    """Directions of the three thrusts, all turned nose down by an angle [deg]."""
    for _, pitch, yaw in ENGINES.values():
        down, right = np.radians(pitch + turn), np.radians(yaw)
        yield np.array([np.cos(right) * np.cos(down), np.sin(right), np.cos(right) * np.sin(down)])


def moment(turn):
    """Pitching moment of the three about the centre of mass, per thrust [in]."""
    arms = [np.array(at) - CENTRE for at, _, _ in ENGINES.values()]
    return sum(np.cross(arm, way)[1] for arm, way in zip(arms, directions(turn), strict=True))


def trim(low=-10.0, high=10.0):
    """The turn at which the moment is zero, by bisection [deg]."""
    rising = moment(high) > moment(low)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if (moment(middle) > 0) == rising else (middle, high)
    return (low + high) / 2


def resultant():
    """The three engines as one: a point of the line of thrust [in], direction, thrust [lbf], specific impulse
    [s]."""
    total = sum(directions(trim())) * THRUST
    thrust = float(np.linalg.norm(total))
    way = total / thrust
    behind = CENTRE[0] - np.mean([at[0] for at, _, _ in ENGINES.values()])
    return CENTRE - way * behind / way[0], way, thrust, ISP * thrust / (3 * THRUST)


def numbers(values, digits=6):
    """A row of numbers as TOML."""
    return "[" + ", ".join(f"{round(float(v), digits) + 0.0:.{digits + 2}g}" for v in values) + "]"


def known(built):
    """The texts that take the places in the template."""
    at, way, thrust, isp = resultant()
    sides = ("left", "right")
    struts = [f'"{rod}_{side}"' for side in sides for rod in ("upper", "lower", "diagonal")]
    return {
        "FILE": "as_built.toml" if built else "scenario.toml",
        "WAY": ", on a ball and three struts" if built else "",
        "AFT": f"[{', '.join(struts)}]" if built else '["aft_left", "aft_right"]',
        "TRIM": f"{trim():.3f}",
        "MAIN_AT": numbers(at, 9),
        "MAIN": numbers(way, 12),
        "THRUST": f"{thrust:.3f}",
        "ISP": f"{isp:.6f}",
    }


def scenario(built=False):
    """The text of a scenario."""
    lines = (HERE / "template.toml").read_text().splitlines(keepends=True)
    kept = [line.removeprefix("@BUILT@") for line in lines if built or not line.startswith("@BUILT@")]
    text = "".join(kept)
    before, block, after = re.split(r"# </?booster>\n", text)
    block = block.replace("@JOINTS@", BUILT if built else REPORT)
    for side, out, inward in (("left", "-", ""), ("right", "", "-")):
        mirrored = block.replace("@SIDE@", side).replace("@OUT@", out).replace("@IN@", inward)
        before += mirrored + "\n"
    text = before + after
    for name, value in known(built).items():
        text = text.replace(f"@{name}@", value)
    return text


if __name__ == "__main__":
    for built in (False, True):
        (HERE / known(built)["FILE"]).write_text(scenario(built))
