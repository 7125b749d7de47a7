"""Writes scenario.toml from the tables of thrust directions: python make_scenario.py"""

from __future__ import annotations

import csv
from pathlib import Path

FOLDER = Path(__file__).parent
HEAD = """# Numbers without a unit are in SI, angles in radians.
title = "Delta III: the thrust directions of an optimum, flown"

# Written by make_scenario.py from control_0.csv to control_3.csv; see SOURCE.md.

coordinates = "point"

[planet]
kind = "planet"
radius = 6378145
mu = 3.986012e14
flattening = 0
rotation_rate = 7.29211585e-5

[gravity]
kind = "inverse_square"
mu = 3.986012e14

[atmosphere]
kind = "exponential"
density = 1.225
scale_height = 7200

# The structure of the second stage and the payload; all masses are at one point.
[bodies.rocket]
mass = 6644
inertia = [1, 1, 1]
initial = { position = [5605222.973039351, 0, 3043387.76095602], velocity = [0, 408.7393528448438, 0] }

[bodies.rocket.elements]
first_solids = { kind = "point", at = [0, 0, 0], propellant = 102060 }
first_cases = { kind = "item", mass = 13680, mass_centre = [0, 0, 0], inertia = [0, 0, 0] }
second_solids = { kind = "point", at = [0, 0, 0], propellant = 51030 }
second_cases = { kind = "item", mass = 6840, mass_centre = [0, 0, 0], inertia = [0, 0, 0] }
core = { kind = "point", at = [0, 0, 0], propellant = 95550 }
core_structure = { kind = "item", mass = 8830, mass_centre = [0, 0, 0], inertia = [0, 0, 0] }
upper = { kind = "point", at = [0, 0, 0], propellant = 16820 }

ENGINES
[aerodynamics.drag]
body = "rocket"
area = 12.566370614359172
length = 4
coefficients = { CD = 0.5 }

[phases.six]
ignite = ["first_solids", "core"]
attitude = "control_0"
until = { time = "75.2 s" }

[phases.three]
drop = ["rocket.first_solids", "rocket.first_cases"]
ignite = ["second_solids"]
attitude = "control_1"
until = { time = "150.4 s" }

[phases.core]
drop = ["rocket.second_solids", "rocket.second_cases"]
attitude = "control_2"
until = { time = "261 s" }

[phases.upper]
drop = ["rocket.core", "rocket.core_structure"]
ignite = ["upper"]
attitude = "control_3"
until = { time = 924.1392029024887 }

[solver]
tolerance = 1e-11

[output]
times = [75.2, 150.4, 261]
"""


ENGINES = {
    "first_solids": (3771000, 283.3336350218602),
    "second_solids": (1885500, 283.3336350218602),
    "core": (1083100, 301.6877640001453),
    "upper": (110094, 467.21311371054946),
}
"""Thrust [N] and specific impulse [s] of the engines, which are named like their tanks."""


def engine(name: str) -> str:
    """An engine, or several as one."""
    thrust, impulse = ENGINES[name]
    lines = f"[engines.{name}]", 'kind = "engine"', 'body = "rocket"', "at = [0, 0, 0]", f"thrust = {thrust}"
    return "\n".join([*lines, f"isp = {impulse}", f'feeds = {{ "rocket.{name}" = 1 }}\n'])


def table(k: int) -> str:
    """The guidance of a phase."""
    with (FOLDER / f"control_{k}.csv").open(newline="") as file:
        _, *rows = csv.reader(file)
    points = ", ".join(row[0] for row in rows)
    vectors = "\n".join(f"    [{', '.join(row[1:])}]," for row in rows)
    head = [f"[guidance.control_{k}]", 'kind = "direction"', 'body = "rocket"', ""]
    head += [f"[guidance.control_{k}.direction]", 'over = "time"', f"points = [{points}]"]
    return "\n".join([*head, f"value = [\n{vectors}\n]\n"])


def scenario() -> str:
    """The whole file."""
    head = HEAD.replace("ENGINES", "\n".join(map(engine, ENGINES)))
    return "\n".join([head, *(table(k) for k in range(4))])


if __name__ == "__main__":
    (FOLDER / "scenario.toml").write_text(scenario(), encoding="utf-8")
