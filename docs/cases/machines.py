"""What the pages of small machines share: pictures of bodies on joints that turn, as they stand and as modes
move them, and tables of modes."""

from __future__ import annotations

import sys
from math import ceil
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.drawing.figure import COLOURS
from interstage.studies.linearize import Linear

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "studies"))
from pages import STYLE, written  # noqa: E402  # pyright: ignore[reportMissingImports]

__all__ = ["STYLE", "Machine", "modes_told", "page", "saved", "written"]
AXES = "xyz"
AXIS_LENGTH = 0.22
"""Of the axes of joints that are drawn, of the size of the machine."""
TURN = 0.35
"""Largest turn of a joint in the pictures of modes [rad]."""
IN_A_ROW = 3
"""Modes that stand beside each other."""


class Machine:
    """Bodies that hang on each other by joints that turn, each drawn as the box that has its moments."""

    def __init__(self, case: str):
        self.path = HERE.parents[1] / "validation" / case / "scenario.toml"
        self.scenario: Any = ist.load(self.path)
        self.linear: Any = self.scenario.linearize()
        assert isinstance(self.linear, Linear)  # of one moment
        self.swings = [mode for mode in self.linear.modes if mode.oscillates]

    def pose(self, moved: Any = None) -> dict[str, tuple[np.ndarray, Rotation]]:
        """Origins and attitudes of the bodies. moved: what is added to each state, by its name."""
        add = moved or {}
        found = {"ground": (np.zeros(3), Rotation.identity())}
        for body in self.scenario.bodies:
            joint = next((one for one in self.scenario.joints if one.child == body.name), None)
            path = f"bodies.{body.name}"
            if joint is None:
                turn = Rotation.from_rotvec([add.get(f"{path}.attitude.{a}", 0.0) for a in AXES])
                centre = body.mass_centre + [add.get(f"{path}.position.{a}", 0.0) for a in AXES]
                found[body.name] = centre - turn.apply(np.array(body.mass_centre)), turn
                continue
            start = body.initial.rotation
            angles = np.zeros(3) if start is None else np.array(start, float)
            angles += [add.get(f"joints.{joint.name}.rotation.{a}", 0.0) for a in AXES]
            origin, turn = found[joint.parent]
            own = turn * Rotation.from_euler("XYZ", angles)
            found[body.name] = (
                origin + turn.apply(np.array(joint.parent_at)) - own.apply(np.array(joint.child_at)),
                own,
            )
        return found

    def moved(self, mode: Any, turn: float) -> dict[str, Any]:
        """What a mode adds to the states where it turns a joint by so much at most [rad]."""
        at = [k for k, name in enumerate(self.linear.names) if ".rotation." in name]
        shape = mode.shape * np.exp(-1j * np.angle(mode.shape[max(at, key=lambda k: abs(mode.shape[k]))]))
        most = np.max(np.abs(mode.shape[at]))
        return dict(zip(self.linear.names, turn / most * shape.real, strict=True))

    def draw(self, axes: Any, moved: Any = None, faint: bool = False) -> None:
        """The boxes, and the joints with their axes."""
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection

        pose = self.pose(moved)
        for k, body in enumerate(self.scenario.bodies):
            origin, turn = pose[body.name]
            faces = origin + turn.apply(_box(body).reshape(-1, 3)).reshape(6, 4, 3)
            colour = COLOURS[k]
            look: Any = {"facecolor": "none", "edgecolor": "#b8b8b8", "linewidth": 0.7}
            if not faint:
                look = {"facecolor": colour, "edgecolor": colour, "linewidth": 0.9, "alpha": 0.28}
            axes.add_collection3d(Poly3DCollection(faces, **look))
        if faint:
            return
        for joint in self.scenario.joints:
            origin, turn = pose[joint.parent]
            point = origin + turn.apply(np.array(joint.parent_at))
            axes.plot(*point[:, None], "o", color="#000000", markersize=3)

    def name(self, axes: Any) -> None:
        """Write the names of the bodies beside them, and draw the axes of the joints."""
        pose, size, corners = self.pose(), self.size(), self.corners()
        middle = (corners.max(1) + corners.min(1)) / 2
        for k, body in enumerate(self.scenario.bodies):
            origin, turn = pose[body.name]
            own = origin + turn.apply(_box(body).reshape(-1, 3))
            far = own[np.argmax(np.linalg.norm(own - middle, axis=1))]
            axes.text(
                *(middle + 1.12 * (far - middle)), body.name, color=COLOURS[k], ha="center", weight="bold"
            )
        for joint in self.scenario.joints:
            (origin, turn), (_, own) = pose[joint.parent], pose[joint.child]
            point = origin + turn.apply(np.array(joint.parent_at))
            letters = joint.universal_axes if joint.kind == "universal" else joint.free_axis
            for letter, frame in zip(letters, (turn, own), strict=False):
                along = AXIS_LENGTH * size * frame.apply(np.eye(3)[AXES.index(letter)])
                ends = np.stack([point - along, point + along], 1)
                axes.plot(*ends, color="#000000", linewidth=0.8, linestyle="dashdot")
                axes.text(*(point + 1.15 * along), letter, fontsize=7)

    def corners(self) -> np.ndarray:
        """Of all boxes, and the points of the joints on the ground, (3, n)."""
        pose = self.pose()
        found = [np.zeros((1, 3))] if any(j.parent == "ground" for j in self.scenario.joints) else []
        for body in self.scenario.bodies:
            origin, turn = pose[body.name]
            found.append(origin + turn.apply(_box(body).reshape(-1, 3)))
        return np.concatenate(found).T

    def size(self) -> float:
        """Largest of its lengths [m]."""
        return float(np.max(np.ptp(self.corners(), axis=1)))

    def frame(self, axes: Any, elevation: float, azimuth: float, zoom: float = 1.45) -> None:
        """Equal scales, seen from a direction [deg], without the axes themselves."""
        corners = self.corners()
        middle, half = (corners.max(1) + corners.min(1)) / 2, 0.5 * self.size()
        axes.set(**{f"{a}lim": (m - half, m + half) for a, m in zip(AXES, middle, strict=True)})
        axes.set_box_aspect((1, 1, 1), zoom=zoom)
        axes.set_proj_type("ortho")
        axes.view_init(elevation, azimuth)
        axes.set_axis_off()


def _box(body: Any) -> np.ndarray:
    """Faces (6, 4, 3) of the box with the mass and moments of a body, about its centre of mass."""
    moments, axes = np.linalg.eigh(np.asarray(body.inertia, float))
    sides = np.sqrt(np.maximum(6 / body.mass * (moments.sum() - 2 * moments), 1e-6))
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    faces = []
    for axis in range(3):
        for side in (-0.5, 0.5):
            faces.append(np.insert(square, axis, side, axis=1) * sides @ axes.T)
    return np.array(faces) + np.asarray(body.mass_centre)


def modes_told(machine: Machine) -> list[list[str]]:
    """A row for each mode that swings: what takes part, frequency, damping."""
    rows = []
    for mode in machine.swings:
        shares = machine.linear.taking_part(mode).items()
        moving = ", ".join(f"{thing} {100 * share:.0f} %" for thing, share in shares if share >= 0.05)
        rows.append([moving, f"{mode.frequency:.5f}", f"{mode.damping:.5f}"])
    return rows


def saved(figure: Any, name: str) -> None:
    """Save a picture of matplotlib's with the others."""
    figure.savefig(HERE.parent / "images" / f"{name}.png", dpi=130)


def page(
    script: str, case: str, view: tuple[float, float], height: float, top: float, zoom: float = 1.45
) -> None:
    """Write the table of the modes of a case into the page of a script, and its picture: the machine, and
    beside it its modes, seen from `view` (elevation, azimuth) [deg].

    height: of the picture [in]; top: part of it below titles; zoom: of the machine."""
    machine = Machine(case)
    written(script, "modes", [["what moves", "[Hz]", "damping"], *modes_told(machine)])
    rows = ceil(len(machine.swings) / IN_A_ROW)
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(9.6, height))
        grid = figure.add_gridspec(
            rows, rows + IN_A_ROW, left=0.0, right=1.0, bottom=0.0, top=top, wspace=0.0, hspace=0.12
        )
        whole = figure.add_subplot(grid[:, :rows], projection="3d")
        machine.draw(whole)
        machine.name(whole)
        machine.frame(whole, *view, zoom)
        for k, mode in enumerate(machine.swings):
            axes = figure.add_subplot(grid[k // IN_A_ROW, rows + k % IN_A_ROW], projection="3d")
            machine.draw(axes, faint=True)
            machine.draw(axes, machine.moved(mode, TURN))
            machine.frame(axes, *view)
            axes.set_title(f"{mode.frequency:.3f} Hz", loc="center")
        saved(figure, Path(script).stem)
