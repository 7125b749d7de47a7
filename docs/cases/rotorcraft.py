"""Writes the tables and the picture of rotorcraft.md: python rotorcraft.py"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import brentq

import interstage as ist
from interstage.drawing.figure import BAD, COLOURS, Axis, Band, Figure, Limit, Line, Panel, Points
from interstage.studies.linearize import Linear, Periodic

HERE = Path(__file__).parent
CASE = HERE.parents[1] / "validation" / "rotorcraft"
HINGES = [f"hinge_{k}" for k in range(1, 5)]
ROTOR: Any = {"shaft": "shaft", "blades": HINGES}
ANGLES = [f"joints.{hinge}.rotation.{axis}" for hinge in HINGES for axis in "yz"]
RATE = "joints.shaft.driven.rz.rate"
FULL = 40.0
"""Speed of the rotor in hover [rad/s]."""
INFLOW = 9.1
"""Velocity through it at that [m/s]; it goes with the speed."""
TURNS = 1, 2
"""Whole numbers of the turns, whose lines are drawn."""
DAMPERS = 0.0, 100.0, 200.0, 400.0
"""Of the helicopter's lag hinges [N m s/rad]."""
RPM = np.pi / 30
FAILED = {"forces.damper_4.damping": "[0] N m s/rad"}
NAMES = {"y": "flap", "z": "lag"}
PUBLISHED = -1.81, 1.51
"""Least and largest lag of the limit cycle in the published flight [rad]."""
BLUE, RED = COLOURS[:2]


def hover(speed: float) -> Linear:
    """The rotor on its stand, trimmed at a speed [rad/s]."""
    changes: Any = {RATE: speed}
    changes |= {f"forces.air_{k}.inflow": INFLOW * speed / FULL for k in range(1, 5)}
    linear = ist.load(CASE / "hover.toml", set=changes).linearize("trim", find=ANGLES, **ROTOR)
    assert isinstance(linear, Linear)  # of one moment
    return linear


def hinge(linear: Linear, mode: Any) -> tuple[str, str]:
    """About which hinge axis a mode is, "y" or "z", and in which multi-blade coordinate."""
    first = linear.names[int(np.argmax(mode.shares))]
    what = first.rpartition(".")[2]
    cyclic = what.startswith(("cosine", "sine"))
    return first.split(".")[3], "cyclic" if cyclic else what


def hover_rows(linear: Linear) -> list[list[str]]:
    """The modes of the hover."""
    found = []
    for mode in linear.modes:
        axis, what = hinge(linear, mode)
        numbers = f"{mode.eigenvalue.real:.4f}", f"{abs(mode.eigenvalue.imag):.4f}", f"{mode.damping:.4f}"
        found.append([f"{NAMES[axis]}, {what}", *numbers])
    return found


def helicopter(damper: float = 0.0) -> Linear:
    """The machine that hovers, with dampers about its lag hinges [N m s/rad]."""
    changes: Any = {f"forces.damper_{k}.damping": [0.0, damper] for k in range(1, 5)}
    find = [*ANGLES, "forces.engine.torque.z", "bodies.fuselage.mass"]
    linear = ist.load(CASE / "helicopter.toml", set=changes).linearize("trim", find=find, **ROTOR)
    assert isinstance(linear, Linear)  # of one moment
    return linear


def lag_regressing(linear: Linear) -> Any:
    """Its cyclic lag mode a turn below."""
    return min(linear.modes, key=lambda mode: abs(abs(mode.eigenvalue.imag) - 26))


def helicopter_rows(linear: Linear) -> list[list[str]]:
    """The modes of the helicopter."""
    found = []
    for mode in linear.modes:
        if mode.zero:
            continue
        shares = linear.taking_part(mode).items()
        what = ", ".join(f"{thing} {100 * share:.0f} %" for thing, share in shares if share >= 0.05)
        numbers = f"{mode.eigenvalue.real:.4f}", f"{abs(mode.eigenvalue.imag):.4f}", f"{mode.damping:.4f}"
        found.append([what.replace("hinge_1", "hinges"), *numbers])
    return found


def hammond(rpm: float, dampers: bool = True) -> Linear | Periodic:
    """Hammond's helicopter at a speed, with all dampers, or over a turn without the fourth."""
    changes: Any = {RATE: rpm * RPM} | ({} if dampers else FAILED)
    how: Any = ROTOR if dampers else {"shaft": "shaft", "period": "turn"}
    return ist.load(CASE / "hammond.toml", set=changes).linearize(**how)  # type: ignore[return-value]


def growth(rpm: float, dampers: bool = True) -> float:
    """That of the mode that grows most, or dies out most slowly [1/s]."""
    found = hammond(rpm, dampers)
    if isinstance(found, Linear):
        return float(np.max(np.real(found.eigenvalues)))
    return float(np.log(np.abs(found.multipliers).max()) / found.period)


def fan(speeds: np.ndarray, found: list[Linear]) -> Panel:
    """Frequencies over the speed of the rotor in hover."""
    marks: list[Any] = []
    for turns in TURNS:
        marks.append(Line(speeds, turns * speeds / (2 * np.pi), colour="#bbbbbb", dash="dashed"))
    edge = 0.05
    for ratio in (np.sqrt(1 + 3 * edge / (2 * (1 - edge))), np.sqrt(3 * edge / (2 * (1 - edge)))):
        marks.append(Line(speeds, ratio * speeds / (2 * np.pi), colour="#555555", width=1.0))
    for axis, colour in (("y", BLUE), ("z", RED)):
        x, y = [], []
        for speed, linear in zip(speeds, found, strict=True):
            own = [abs(m.eigenvalue.imag) for m in linear.modes if hinge(linear, m)[0] == axis]
            x += [speed] * len(own)
            y += [one / (2 * np.pi) for one in own]
        marks.append(Points(np.array(x), np.array(y), "dot", colour, 4.0))
    axes = Axis("speed of the rotor [rad/s]", 0, speeds[-1]), Axis("frequency [Hz]", 0, 16)
    return Panel(marks, "hover: flap blue, lag red", *axes, height=300)


def coleman(speeds: np.ndarray) -> Panel:
    """Frequencies of Hammond's helicopter with all dampers."""
    marks: list[Any] = []
    for turns in TURNS[:1]:
        marks.append(Line(speeds, turns * speeds / 60, colour="#bbbbbb", dash="dashed"))
    for rpm in speeds:
        linear = hammond(rpm)
        assert isinstance(linear, Linear)
        own = np.array([abs(mode.eigenvalue.imag) / (2 * np.pi) for mode in linear.modes])
        marks.append(Points(np.full(len(own), rpm), own, "dot", BLUE, 4.0))
    axes = Axis("speed of the rotor [rpm]", 0, 400), Axis("frequency [Hz]", 0, 9)
    return Panel(marks, "Hammond's helicopter, all dampers", *axes, height=300)


def growing(speeds: np.ndarray, edges: tuple[float, float]) -> Panel:
    """Growth of the least stable mode, with all dampers and with one inoperative."""
    marks: list[Any] = [Band(*edges, axis="x", colour=BAD), Limit(0.0, colour="#888888", dash="")]
    for dampers, colour, label in ((True, BLUE, "all dampers"), (False, RED, "one inoperative")):
        values = np.array([growth(rpm, dampers) for rpm in speeds])
        marks.append(Line(speeds, values, label, colour, dots=True))
    axes = Axis("speed of the rotor [rpm]", 0, 400), Axis("growth [1/s]", -2, 0.5)
    return Panel(marks, "least stable mode", *axes, height=300)


def swinging() -> Panel:
    """Lag of the blade without a damper at 250 rpm, and between what it swings in the published flight."""
    changes: Any = FAILED | {"bodies.mast.initial.displacement": [0.1, 0.0, 0.0]}
    changes |= {"phases.turn.until.time": 28.0, "output.interval": 0.04}
    record = ist.load(CASE / "hammond.toml", set=changes).run().record
    marks: list[Any] = [Limit(end, colour=RED) for end in PUBLISHED]
    marks.append(Line(record.time, record.series["forces.damper_4.angle"][:, 0], colour=BLUE, width=1.0))
    axes = Axis("time [s]", 0, 28), Axis("lag [rad]")
    return Panel(marks, "blade without a damper; dashed: published", *axes, height=300)


def main() -> None:
    """Linearize, and write."""
    sys.path.insert(0, str(HERE.parent / "studies"))
    from pages import written  # pyright: ignore[reportMissingImports]

    speeds = np.linspace(4, 48, 12)
    found = [hover(speed) for speed in speeds]
    heads = ["mode", "real [1/s]", "imaginary [1/s]", "damping"]
    written(__file__, "hover", [heads, *hover_rows(found[list(speeds).index(FULL)])])
    written(__file__, "helicopter", [heads, *helicopter_rows(helicopter())])
    dampers = [[f"{one:g}", f"{lag_regressing(helicopter(one)).eigenvalue.real:.4f}"] for one in DAMPERS]
    written(__file__, "dampers", [["lag damper [N m s/rad]", "growth [1/s]"], *dampers])
    edges: Any = (
        brentq(growth, 200, 230, args=(False,), xtol=0.01),
        brentq(growth, 290, 320, args=(False,), xtol=0.01),
    )
    at = np.arange(20.0, 401, 20)
    rows = [
        [f"{rpm:g}", *(f"{growth(rpm, one):.4f}" for one in (True, False))]
        for rpm in (125, 200, 250, 300, 400)
    ]
    edge = [[f"{rpm:.1f}", f"{growth(rpm):.4f}", "0"] for rpm in edges]
    whole = sorted([*rows, *edge], key=lambda row: float(row[0]))
    written(__file__, "growth", [["speed [rpm]", "all dampers [1/s]", "one inoperative [1/s]"], *whole])
    caption = "Hover, and ground resonance of Hammond's helicopter."
    panels = [fan(speeds, found), coleman(at), growing(at, edges), swinging()]
    Figure(caption, [panels[:2], panels[2:]]).save(HERE.parent / "images" / "rotorcraft.png")


if __name__ == "__main__":
    main()
