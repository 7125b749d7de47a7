"""The scenario that `interstage new --from vehicle` writes: a stack of bodies that separate.

Lengths, inertias and devices are stand-ins, which the table [sources] marks as judgement.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import NamedTuple

from ..tree.errors import BadInput, Problem
from ..tree.similar_names import near

MOST_BODIES = 9
DENSITY = 300.0
"""Mean density of a stand-in body [kg/m^3], between that of a satellite and that of a full tank."""
SLENDER = 6.0
"""Largest length of a stand-in body in diameters. The smallest length is the inverse of this number."""
SPEED = 1.0
"""Separation speed for which the devices are sized [m/s], of the order of published separations."""
STROKE, COUNT, BURN = 0.1, 4, 0.5
"""Stroke [m] and number of the devices of a separation, and burn time of its motors [s]."""
COAST, FREE = 1.0, 3.0
"""Time before the first separation, and after each separation [s]."""
JOINED = ("clamp_band", "bolts", "frangible_joint")
PUSHED = ("springs", "pneumatic", "motors")
CHECKS = ("speed", "tip_off", "loads", "clearance")


class Vehicle(NamedTuple):
    """Answers: masses [kg] from bottom to top, diameter [m], and words of `JOINED`, `PUSHED` and `CHECKS`."""

    masses: tuple[float, ...]
    diameter: float
    joined: str
    pushed: str
    checks: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """Names of the bodies from bottom to top."""
        stages = len(self.masses) - 1
        return [f"stage_{k}" if stages > 1 else "stage" for k in range(1, stages + 1)] + ["payload"]

    def length(self, k: int) -> float:
        """Length [m] of a cylinder with the mean density, within the limits of `SLENDER`."""
        length = self.masses[k] / (DENSITY * math.pi * self.diameter**2 / 4)
        return min(max(length, self.diameter / SLENDER), SLENDER * self.diameter)

    def energy(self, k: int) -> float:
        """Energy [J] that separates body k from the bodies above it with `SPEED`."""
        above = sum(self.masses[k + 1 :])
        return 0.5 * SPEED**2 * self.masses[k] * above / (self.masses[k] + above)


QUESTIONS = {
    "masses": ("Masses of the bodies from bottom to top", "5000 kg, 1000 kg"),
    "diameter": ("Diameter of the bodies", "2 m"),
    "joined": (f"Release device of each joint ({', '.join(JOINED)})", JOINED[0]),
    "pushed": (f"Device that pushes ({', '.join(PUSHED)})", PUSHED[0]),
    "checks": (f"Requirements, separated by commas ({', '.join(CHECKS)})", "speed, tip_off"),
}
"""Question and default answer for each field of `Vehicle`."""


def ask(given: Mapping[str, str | None]) -> Vehicle:
    """Return the vehicle for the answers of the user. Ask the questions without an answer on the standard
    error stream, and read the answers from the standard input. An empty line, or the end of the input,
    selects the default.

    Raises BadInput for all answers that are not allowed.
    """
    answers = {}
    for key, (question, default) in QUESTIONS.items():
        text = given.get(key)
        if text is None:
            print(f"{question} [{default}]: ", end="", file=sys.stderr, flush=True)
            text = sys.stdin.readline().strip() if sys.stdin is not None else ""
            if sys.stdin is None or not sys.stdin.isatty():
                print(text or default, file=sys.stderr)
        answers[key] = text.strip() or default
    return vehicle_of(answers)


def vehicle_of(answers: Mapping[str, str]) -> Vehicle:
    """Return the vehicle of texts of answers. Raises BadInput with all problems."""
    problems: list[Problem] = []
    masses = [_number(one, "kg", "masses", problems) for one in answers["masses"].split(",") if one.strip()]
    if not 2 <= len(masses) <= MOST_BODIES:
        text = f"the number of masses is {len(masses)}. Give 2 to {MOST_BODIES}, for example 5000 kg, 1000 kg"
        problems.append(Problem("masses", text))
    diameter = _number(answers["diameter"], "m", "diameter", problems)
    joined = _word(answers["joined"], JOINED, "joined", problems)
    pushed = _word(answers["pushed"], PUSHED, "pushed", problems)
    named = [one.strip() for one in answers["checks"].split(",") if one.strip() not in ("", "none")]
    checks = tuple(_word(one, CHECKS, "checks", problems) for one in named)
    if problems:
        raise BadInput(problems, "vehicle")
    return Vehicle(tuple(masses), diameter, joined, pushed, tuple(dict.fromkeys(checks)))


def _number(text: str, unit: str, key: str, problems: list[Problem]) -> float:
    from ..tree.unit_names import UnitError
    from ..tree.units import parse_value

    try:
        value = float(text) if _is_number(text) else parse_value(text.strip(), unit, positive=True)
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"'{text.strip()}' is not above zero. Give a value such as 2 {unit}")
    except (UnitError, ValueError) as error:
        problems.append(Problem(key, str(error)))
        return 1.0
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _word(text: str, known: tuple[str, ...], key: str, problems: list[Problem]) -> str:
    word = text.strip().lower().replace(" ", "_").replace("-", "_")
    if word not in known:
        problems.append(Problem(key, f"'{text}' is not an answer; {near(word, known, 'answers')}"))
    return word


def scenario_text(vehicle: Vehicle) -> str:
    """Return the scenario of a vehicle as TOML text."""
    from .vehicle_text import text

    return text(vehicle)
