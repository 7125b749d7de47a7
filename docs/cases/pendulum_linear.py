"""Writes the table and the picture of pendulum_linear.md: python pendulum_linear.py"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from machines import STYLE, Machine, modes_told, saved, written

from interstage.drawing.figure import COLOURS

LEVELS = "forces.spring.damping[0]=0 N m s/rad:14 N m s/rad:29"
TURN = 0.35
"""Of the pendulum beside the one at rest [rad]."""


def loci(machine: Machine) -> tuple[np.ndarray, np.ndarray]:
    """Levels of the damper [N m s/rad], and both eigenvalues [1/s] at each."""
    series = machine.scenario.linearize(vary=LEVELS)
    values = np.array([np.linalg.eigvals(one.A) for one in series])
    return np.array([float(level) for level in np.ravel(series.levels)]), values


def picture(machine: Machine) -> None:
    """The machine, and its eigenvalues over the damper."""
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(9.6, 3.6))
        whole = figure.add_axes((0.0, 0.0, 0.3, 0.95), projection="3d")
        machine.draw(whole, faint=True)
        machine.draw(whole, {"joints.pivot.rotation.y": TURN})
        machine.name(whole)
        machine.frame(whole, 12, -65, 0.95)
        axes = figure.add_axes((0.4, 0.15, 0.56, 0.75))
        levels, values = loci(machine)
        for k in range(2):
            shown = axes.scatter(values[:, k].real, values[:, k].imag, 14, levels, cmap="viridis")
        figure.colorbar(shown, label="damper [N m s/rad]")
        own = machine.swings[0].eigenvalue
        for value in (own, own.conjugate()):
            axes.plot(value.real, value.imag, "x", color=COLOURS[1], markersize=9, zorder=3)
        axes.set(xlabel="real part [1/s]", ylabel="imaginary part [1/s]", title="eigenvalues over the damper")
        saved(figure, "pendulum_linear")


def main() -> None:
    """Linearize, and write."""
    machine = Machine("pendulum-linear")
    written(__file__, "modes", [["what moves", "[Hz]", "damping"], *modes_told(machine)])
    picture(machine)


if __name__ == "__main__":
    main()
