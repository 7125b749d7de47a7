"""What the ascent of scenario.toml was found by: rate and bend of the pitch programme and the drag of the
core, from rounded starts, so that altitude, speed and path angle at the staging are those of the paper.

python find.py
"""

import tomllib
from pathlib import Path

from interstage import Scenario

HERE = Path(__file__).resolve().parent
INPUTS = [
    "guidance.pitch.pitch.coefficients[1]",
    "guidance.pitch.pitch.coefficients[2]",
    "aerodynamics.core_drag.coefficients.CD",
]
TARGETS = [
    "bodies.booster.altitude@end = 82022 ft",
    "bodies.booster.ground_speed@end = 2774 ft/s",
    "bodies.booster.flight_path_angle@end = 66.48 deg",
]


def ascent():
    """The first leg of the mission as a scenario of its own, from rounded inputs."""
    table = tomllib.loads((HERE / "scenario.toml").read_text())
    kept = ("units", "planet", "gravity", "atmosphere", "sites", "bodies", "joints", "aerodynamics")
    table["guidance"]["pitch"]["pitch"]["coefficients"] = ["90 deg", "-0.2 deg/s", "-0.002 deg/s^2"]
    table["aerodynamics"]["core_drag"]["coefficients"]["CD"] = 0.8
    return Scenario.model_validate(
        {name: table[name] for name in kept}
        | {"engines": {"first": table["engines"]["first"]}}
        | {"guidance": {"pitch": table["guidance"]["pitch"]}}
        | table["legs"]["ascent"]
    )


if __name__ == "__main__":
    print(ascent().solve(INPUTS, TARGETS), flush=True)
