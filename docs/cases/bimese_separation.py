"""Writes the table of bimese_separation.md: how far the separation hangs on what was judged.

python docs/cases/bimese_separation.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from behind_hinge import room

from interstage.record.record import Record
from interstage.studies import verify

HERE = Path(__file__).resolve().parent
CASE = HERE.parents[1] / "validation" / "bimese-separation" / "scenario.toml"
FT, LBF = 0.3048, 4.4482216152605
GAP, LENGTHS = 2 * 15.315 - 28.5, (260.1, 260.1)
"""Between bodies of 28.5 ft as if they were cylinders from end to end, and their lengths [ft]."""
NEAR = ("aerodynamics.orbiter_near.factor", "aerodynamics.booster_near.factor")
FLIGHTS: dict[str, dict[str, Any]] = {
    "as declared": {},
    "booster 20 % heavier": {"bodies.booster.mass": "10068 slug"},
    "booster 20 % lighter": {"bodies.booster.mass": "6712 slug"},
    "thrust 20 % higher": {"forces.thrust.force": "[3255600, 0, 0] lbf"},
    "thrust 20 % lower": {"forces.thrust.force": "[2170400, 0, 0] lbf"},
    "pitch inertia of the booster 20 % larger": {"bodies.booster.inertia": "[2.6e6, 5.9e7, 6.1e7] slug ft^2"},
    "centre of mass of the booster 5 ft further aft": {
        "bodies.booster.mass_centre": "[-162.88, 0, 0] ft",
        "bodies.booster.origin": "[-162.88, 0, 0] ft",
    },
    "nothing of each other's nearness": dict.fromkeys(NEAR, 0.0),
    "half of it": dict.fromkeys(NEAR, 0.5),
}
HEADS = [
    *("", "hinge to release [s]", "to 2.1 lengths [s]", "dz there [ft]", "dz at 1 length [ft]"),
    *("alpha of the booster: most [deg]", "at the end", "force of the joint: most [klbf]"),
    "least room behind the joint [ft], at [s]",
]


def line(name: str, record: Record) -> list[str]:
    """One line of the table."""
    at = {event.name: event.time for event in record.events}
    apart = record.series["pairs.orbiter.booster.separation"] / FT
    alpha = np.degrees(record.series["bodies.booster.alpha"])
    length = int(np.argmax(apart[:, 0] < -260.1))
    near, when = room(record, GAP, LENGTHS)
    force = np.sqrt(np.sum(record.series["joints.aft.force"] ** 2, axis=1)) / LBF / 1e3
    return [
        name,
        f"{at['apart'] - at['hinged']:.2f}",
        f"{at['end'] - at['hinged']:.2f}",
        f"{apart[-1, 2]:.0f}",
        f"{apart[length, 2]:.0f}",
        f"{alpha.max():.1f}",
        f"{alpha[-1]:.1f}",
        f"{force.max():.0f}",
        f"{near:.2f}, {when - at['hinged']:.2f}",
    ]


def main() -> None:
    """Fly all, and write the table."""
    sys.path.insert(0, str(HERE.parent / "studies"))
    from pages import written  # pyright: ignore[reportMissingImports]

    lines = [line(name, verify.fly(CASE, **changes)) for name, changes in FLIGHTS.items()]
    written(__file__, "sensitivity", [HEADS, *lines])


if __name__ == "__main__":
    main()
