"""Tables and picture of docs/studies/park_crane.md: python docs/studies/park_crane.py writes them anew."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from pages import STYLE, written

from interstage.studies import verify

HERE = Path(__file__).parent
FOLDER = verify.find_cases()["park-crane"]
CASE = verify._module(FOLDER)
RIGID, FLEXIBLE = FOLDER / "scenario.toml", FOLDER / "flexible.toml"


SMOOTH = {
    f"joints.tip.rates.t{axis}.{name}": value
    for axis, speed in zip("xyz", (-0.5, 0.5, 0.25))
    for name, value in {
        "offset": speed,
        "amplitude": speed,
        "frequency": np.pi / 2,
        "phase": -np.pi / 2,
    }.items()
}
"""The tip's velocity as A (1 - cos(pi t/2)), whose acceleration begins from zero."""


@cache
def rigid(interval: float = 0.02, smooth: bool = False) -> Any:
    """Rigid links, by the default formulation."""
    return verify.fly(RIGID, **(SMOOTH if smooth else {}), **{"output.interval": interval})


@cache
def flexible(factor: float = 1.0, interval: float = 0.02, smooth: bool = False) -> Any:
    """Flexible links, `factor` times as stiff."""
    changes = {**CASE.stiffer(factor), **(SMOOTH if smooth else {}), "output.interval": interval}
    return verify.fly(FLEXIBLE, **changes)


def stiffness_table() -> list[list[str]]:
    """Paths and torques of the flexible crane beside the rigid one, by stiffness."""
    lines = [["stiffness", "hinges and tip, largest [mm]", "mean [mm]"]]
    lines[0] += ["torques, largest after 0.1 s [N m]", "these, from a smooth start"]
    for factor in (1, 4, 16, 64):
        one = flexible(factor)
        off = 1e3 * (CASE.hinges(one) - CASE.hinges(rigid()))
        sizes = [f"{np.linalg.norm(off, axis=2).max():.3f}", f"{np.sqrt(np.mean(off**2)):.4f}"]
        for smooth in (False, True):
            both = flexible(factor, smooth=smooth), rigid(smooth=smooth)
            torque = (CASE.torques(both[0]) - CASE.torques(both[1]))[:, rigid().time > 0.1]
            sizes.append(f"{np.linalg.norm(torque, axis=2).max():.2f}")
        lines.append([f"{factor} times", *sizes])
    return lines


def driven_table() -> list[list[str]]:
    """How far cranes that are driven by torques come from the path that these were found for."""
    lines = [["driven", "torques of", "hinges and tip, largest [mm]"]]
    for name, file, factor, source, of in (
        ("rigid", RIGID, 0, rigid(), "the rigid"),
        ("rigid", RIGID, 0, flexible(), "the flexible"),
        *((f"flexible, {k} times as stiff", FLEXIBLE, k, rigid(), "the rigid") for k in (1, 4, 16, 64)),
    ):
        changes = CASE.stiffer(factor) if factor else {}
        record = verify.fly(CASE.driven(file, CASE.torques(source), source.time, changes))
        off = np.linalg.norm(CASE.hinges(record) - CASE.hinges(source), axis=2).max()
        lines.append([name, of, f"{1e3 * off:.2g}" if off < 0.1 else f"{1e3 * off:.0f}"])
    return lines


def order_table() -> list[list[str]]:
    """Both procedures beside the default formulation, by step."""
    lines = [["", "step [ms]", "hinges and tip [m]", "energy [J]", "gap [m]"]]
    for name, file, kind, steps in (
        ("staggered, rigid", RIGID, "staggered", (4, 2, 1)),
        ("simultaneous, rigid", RIGID, "simultaneous", (20, 10, 5)),
        ("staggered, flexible", FLEXIBLE, "staggered", (1, 0.5, 0.25)),
        ("simultaneous, flexible", FLEXIBLE, "simultaneous", (0.5, 0.25, 0.125)),
    ):
        exact = verify.fly(file, **({"solver.step": CASE.STEP / 4} if file == FLEXIBLE else {}))
        for step in steps:
            changes = {"solver.formulation": CASE.WAYS[kind], "solver.step": step * 1e-3}
            off = CASE.differences(verify.fly(file, **changes), exact).values()
            lines.append([name, f"{step:g}", *(f"{value:.1e}" for value in off)])
    return lines


def draw() -> None:
    """The paper's four figures: paths, velocity of the tip, torques of both cranes."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from interstage.drawing.figure import COLOURS

    one, other = rigid(2e-3), flexible(1.0, 2e-3)
    with rc_context(STYLE):
        figure = Figure(figsize=(9.6, 7.6), layout="constrained")
        (side, speed), (stiff, soft) = figure.subplots(2, 2)
        crane(side, one, other, COLOURS)
        for k, axis in enumerate("xyz"):
            for record, style in ((one, "-"), (other, (0, (2, 3)))):
                moved = np.gradient(CASE.hinges(record)[2][:, k], record.time)
                label = axis if style == "-" else None
                speed.plot(record.time, moved, color=COLOURS[k], linestyle=style, label=label)
        speed.set(title="velocity of the tip [m/s]", xlabel="time [s]")
        speed.legend()
        for ax, record, title in ((stiff, one, "rigid links"), (soft, other, "flexible links")):
            for k, torque in enumerate(CASE.torques(record)):
                size = np.linalg.norm(torque, axis=1)
                ax.plot(record.time, size, color=COLOURS[k], label=f"joint {k + 1}", linewidth=1)
            ax.set(title=f"torques at the joints, {title} [N m]", xlabel="time [s]", ylim=(0, 65))
        stiff.legend()
        path = HERE.parent / "images" / "park_crane.png"
        figure.savefig(path, dpi=110, metadata={"Software": None})


def crane(ax: Any, one: Any, other: Any, colours: Any) -> None:
    """Poses of the rigid crane from the side, and the paths of hinges and tip of both."""
    ends = np.concatenate([np.zeros_like(CASE.hinges(one)[:1]), CASE.hinges(one)])
    for share in np.linspace(0, 1, 5):
        pose = ends[:, round(share * (len(one.time) - 1))]
        ax.plot(pose[:, 1], pose[:, 2], color="#bbbbbb", marker="o", markersize=3, linewidth=1)
    for k, label in enumerate(("joint 2", "joint 3", "tip")):
        ax.plot(*CASE.hinges(one)[k, :, 1:].T, color=colours[k], label=label)
        ax.plot(*CASE.hinges(other)[k, :, 1:].T, color="black", linestyle=(0, (2, 3)), linewidth=1)
    ax.set(title="paths, seen along x; flexible dotted [m]", xlabel="y", ylabel="z", aspect="equal")
    ax.legend(loc="lower right")


def main() -> None:
    """Fly, write and draw."""
    written(__file__, "stiffness", stiffness_table())
    written(__file__, "driven", driven_table())
    written(__file__, "orders", order_table())
    draw()


if __name__ == "__main__":
    main()
