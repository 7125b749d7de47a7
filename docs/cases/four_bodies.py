"""Writes the table and the picture of four_bodies.md: python four_bodies.py"""

from __future__ import annotations

import matplotlib.pyplot as plt
from machines import STYLE, Machine, modes_told, saved, written

VIEW = 24, 35
TURN = 0.35
"""Largest turn of a joint in the pictures of modes [rad]."""


def picture(machine: Machine) -> None:
    """The machine, and its six modes."""
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(9.6, 5.0))
        grid = figure.add_gridspec(2, 5, left=0.0, right=1.0, bottom=0.0, top=0.93, wspace=0.0, hspace=0.12)
        whole = figure.add_subplot(grid[:, :2], projection="3d")
        machine.draw(whole)
        machine.name(whole)
        machine.frame(whole, *VIEW)
        for k, mode in enumerate(machine.swings):
            axes = figure.add_subplot(grid[k // 3, 2 + k % 3], projection="3d")
            machine.draw(axes, faint=True)
            machine.draw(axes, machine.moved(mode, TURN))
            machine.frame(axes, *VIEW)
            axes.set_title(f"{mode.frequency:.3f} Hz", loc="center")
        saved(figure, "four_bodies")


def main() -> None:
    """Linearize, and write."""
    machine = Machine("four-bodies")
    written(__file__, "modes", [["what moves", "[Hz]", "damping"], *modes_told(machine)])
    picture(machine)


if __name__ == "__main__":
    main()
