"""Writes the table and the picture of connected_joints.md: python connected_joints.py"""

from __future__ import annotations

import matplotlib.pyplot as plt
from machines import STYLE, Machine, modes_told, saved, written

VIEW = 18, 115
TURN = 0.35
"""Largest turn of a joint in the pictures of modes [rad]."""


def picture(machine: Machine) -> None:
    """The machine, and its three modes."""
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(9.6, 2.9))
        grid = figure.add_gridspec(1, 4, left=0.0, right=1.0, bottom=0.0, top=0.9, wspace=0.0)
        whole = figure.add_subplot(grid[0, 0], projection="3d")
        machine.draw(whole)
        machine.name(whole)
        machine.frame(whole, *VIEW, 1.15)
        for k, mode in enumerate(machine.swings):
            axes = figure.add_subplot(grid[0, 1 + k], projection="3d")
            machine.draw(axes, faint=True)
            machine.draw(axes, machine.moved(mode, TURN))
            machine.frame(axes, *VIEW)
            axes.set_title(f"{mode.frequency:.3f} Hz", loc="center")
        saved(figure, "connected_joints")


def main() -> None:
    """Linearize, and write."""
    machine = Machine("connected-joints")
    written(__file__, "modes", [["what moves", "[Hz]", "damping"], *modes_told(machine)])
    picture(machine)


if __name__ == "__main__":
    main()
