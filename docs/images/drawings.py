"""Makes the six drawings of frames and signs on docs/conventions.md: python docs/images/drawings.py

Points are three-dimensional, and one projection draws them, so that each drawn frame is right-handed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
INK, GREY, BLUE, RED, GREEN = "#1f2933", "#8a94a0", "#1f5fa8", "#b3392b", "#2c7a4b"
Vector = Sequence[float] | np.ndarray
X, Y, Z = np.eye(3)


class Drawing:
    """Drawing with an orthographic projection.

    - azimuth, elevation: direction of the camera from the origin [deg]; z is up.
    - scale: px for each unit. centre: position of the origin [px].
    """

    def __init__(self, azimuth: float, elevation: float, scale: float, centre: tuple[float, float], alt: str):
        a, e = np.radians([azimuth, elevation])
        self._right = np.array([-np.sin(a), np.cos(a), 0.0])
        self._up = np.array([-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)])
        self._scale, self._centre, self._alt = scale, centre, alt
        self._parts: list[str] = []

    def at(self, point: Vector) -> np.ndarray:
        """Return the position of a point [px]."""
        p = np.asarray(point, float)
        return np.array(self._centre) + self._scale * np.array([p @ self._right, -(p @ self._up)])

    def line(
        self,
        points: Sequence[Vector],
        colour: str = GREY,
        width: float = 1.5,
        dash: str = "",
        fill: str = "none",
    ):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.at, points))
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<polyline points="{path}" fill="{fill}" stroke="{colour}" stroke-width="{width}"{dashes}/>'
        )

    def arrow(
        self, start: Vector, end: Vector, label: str = "", colour: str = INK, width: float = 2.2, shift=(0, 0)
    ):
        """Draw an arrow with a label beyond its end. shift: displacement of the label [px]."""
        a, b = self.at(start), self.at(end)
        along = (b - a) / max(np.linalg.norm(b - a), 1e-9)
        across = np.array([-along[1], along[0]])
        tip = [b, b - 11 * along + 4.5 * across, b - 11 * along - 4.5 * across]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in tip)
        c = b - 9 * along
        self._parts.append(
            f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{c[0]:.1f}" y2="{c[1]:.1f}" stroke="{colour}" '
            f'stroke-width="{width}"/><polygon points="{path}" fill="{colour}"/>'
        )
        if label:
            self._text(b + 15 * along + np.array(shift), label, colour)

    def axes(
        self,
        origin: Vector,
        frame: np.ndarray,
        names: Sequence[str],
        size: float,
        colour: str,
        shifts=((0, 0),) * 3,
    ):
        """Draw a frame. frame: columns are the axes."""
        for k in range(3):
            self.arrow(origin, np.asarray(origin) + size * frame[:, k], names[k], colour, shift=shifts[k])

    def arc(
        self,
        centre: Vector,
        first: Vector,
        second: Vector,
        radius: float,
        label: str,
        colour: str = RED,
        shift=(0, 0),
    ):
        """Draw the angle from one direction to another with an arrow head and a label."""
        a, b = (np.asarray(v, float) / np.linalg.norm(v) for v in (first, second))
        angle = np.arccos(np.clip(a @ b, -1, 1))
        side = b - (a @ b) * a
        side /= np.linalg.norm(side)
        turns = np.linspace(0, angle, 40)
        points = [np.asarray(centre) + radius * (np.cos(t) * a + np.sin(t) * side) for t in turns]
        self.line(points[:-2], colour, 1.8)
        self.arrow(points[-5], points[-1], "", colour, 1.8)
        self._text(self.at(points[20]) + np.array(shift), label, colour)

    def ellipsoid(self, semi_axes: Sequence[float], lines: Sequence[Callable[[np.ndarray], np.ndarray]] = ()):
        """Draw the outline of an ellipsoid about the origin, with further lines on it."""
        turns = np.linspace(0, 2 * np.pi, 120)
        radii = [np.linalg.norm(np.asarray(semi_axes) * axis) for axis in (self._right, self._up)]
        outline = [radii[0] * np.cos(t) * self._right + radii[1] * np.sin(t) * self._up for t in turns]
        self.line(outline, GREY, 1.5, fill="#eef3f8")
        for one in lines:
            self.line([one(t) for t in turns], GREY, 1, "3 3")

    def box(self, origin: Vector, frame: np.ndarray, low: Vector, high: Vector, fill: str = "#eef3f8"):
        """Draw the visible faces of a box between two corners in a frame."""
        eye = np.cross(self._right, self._up)
        for k in range(3):
            side = np.asarray(high)[k] if frame[:, k] @ eye > 0 else np.asarray(low)[k]
            i, j = [m for m in range(3) if m != k]
            face = []
            for u, v in ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0)):
                corner = np.zeros(3)
                corner[k], corner[i], corner[j] = side, (low[i], high[i])[u], (low[j], high[j])[v]
                face.append(np.asarray(origin) + frame @ corner)
            self.line(face, GREY, 1.2, fill=fill)

    def dot(self, point: Vector, label: str = "", shift=(9, 14), colour: str = INK):
        x, y = self.at(point)
        self._parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
        if label:
            self._text(np.array([x, y]) + np.array(shift), label, colour, "start")

    def note(self, x: float, y: float, text: str, colour: str = INK, anchor: str = "start"):
        """Write a text at a position [px]."""
        self._text(np.array([x, y]), text, colour, anchor)

    def _text(self, place: np.ndarray, text: str, colour: str, anchor: str = "middle"):
        x, y = place
        self._parts.append(
            f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
        )

    def save(self, name: str, width: int, height: int):
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="Arial, Helvetica, sans-serif" font-size="13">'
            f"<title>{escape(self._alt)}</title>"
            f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>'
        )
        (HERE / f"{name}.svg").write_text("\n".join([head, *self._parts, "</svg>\n"]), encoding="utf-8")


def turned(axis: Vector, degrees: float) -> np.ndarray:
    """Return the matrix of a rotation about an axis."""
    a, n = np.radians(degrees), np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.cross(np.eye(3), n)
    return np.eye(3) - np.sin(a) * cross + (1 - np.cos(a)) * (np.outer(n, n) - np.eye(3))


def planet():
    """Inertial axes, the planet's angle, and the level axes."""
    d = Drawing(35, 22, 108, (215, 205), "Inertial axes, rotation angle of the planet, and level axes")
    lon, lat = np.radians(62), np.radians(38)
    d.ellipsoid(
        (1, 1, 0.96),
        [
            lambda t: np.array([np.cos(t), np.sin(t), 0]),
            lambda t: np.array(
                [np.cos(lon - 0.55) * np.cos(t), np.sin(lon - 0.55) * np.cos(t), 0.96 * np.sin(t)]
            ),
        ],
    )
    d.axes((0, 0, 0), np.eye(3), ("x (inertial)", "y", "z, pole"), 1.45, INK, ((-14, 6), (6, 4), (34, 10)))
    prime = np.array([np.cos(lon - 0.55), np.sin(lon - 0.55), 0])
    d.arc((0, 0, 0), X, prime, 0.62, "angle", RED, (0, 16))
    d.line([(0, 0, 0), prime], RED, 1.5, "4 3")
    up = np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    north = np.array([-np.sin(lat) * np.cos(lon), -np.sin(lat) * np.sin(lon), np.cos(lat)])
    east = np.cross(-up, north)
    point = up * 0.98
    d.dot(point)
    d.arrow(point, point + 0.55 * north, "north", BLUE, shift=(20, 2))
    d.arrow(point, point + 0.55 * east, "east", BLUE, shift=(8, 0))
    d.arrow(point, point - 0.55 * up, "down", BLUE, shift=(-34, -16))
    d.note(14, 352, "angle: from inertial x eastwards to the meridian of zero longitude, at time 0", RED)
    d.note(14, 22, "Inertial axes and level axes (north, east, down)")
    d.save("frame_planet", 520, 370)


def body():
    """Structural axes, centre of mass, and a point of a body."""
    d = Drawing(
        -60,
        20,
        66,
        (80, 285),
        "Structural axes of a body, its centre of mass, and a point in structural coordinates",
    )
    frame = turned((1, 0.3, 0), -18)
    place = np.array([2.2, 1.2, 0.9])
    d.axes((0, 0, 0), np.eye(3), ("x", "y", "z"), 1.3, INK)
    d.note(30, 318, "inertial axes", INK)
    d.box(place, frame, (-0.75, -0.6, 0), (0.75, 0.6, 2.1))
    d.axes(place, frame, ("x", "y", "z"), 1.25, BLUE, ((4, 6), (8, 0), (-12, 6)))
    d.dot(place, "origin: structural axes", (-10, 62), BLUE)
    centre = place + frame @ np.array([0.12, 0.1, 1.0])
    d.dot(centre, "centre of mass: mass_centre", (72, -4), RED)
    d.arrow(place, centre, "", RED, 1.6)
    point = place + frame @ np.array([0, 0, 2.1])
    d.dot(point, "point: parent_at, child_at", (40, -22), GREEN)
    d.arrow((0, 0, 0), centre, "", GREY, 1.4)
    d.note(170, 236, "position", GREY)
    d.note(14, 22, "Points of a body are in its structural axes")
    d.note(14, 352, "inertial components = R(q) body components, q = attitude", INK)
    d.save("frame_body", 520, 370)


def joint():
    """Joint frames and the joint load."""
    d = Drawing(
        -58, 20, 66, (205, 300), "Joint frames of parent and child, displacement, and the load on the child"
    )
    tilt = turned((0, 1, 0.2), 14)
    d.box((0, 0, 0), np.eye(3), (-0.9, -0.6, -0.1), (0.9, 0.6, 1.15))
    low, high = np.array([0, 0, 1.15]), np.array([0.35, 0.1, 1.95])
    d.box(high, tilt, (-0.7, -0.5, 0.25), (0.7, 0.5, 1.5))
    d.axes(low, np.eye(3), ("x", "y", "z"), 0.72, BLUE, ((0, 8), (0, 0), (-10, 4)))
    d.axes(high, tilt, ("x", "y", "z"), 0.72, GREEN, ((4, 4), (0, 0), (-12, 4)))
    d.arrow(low, high, "", RED, 1.8)
    d.note(222, 200, "d", RED)
    force = np.array([0.95, 0, 0.7])
    d.arrow(high, high + force, "force, torque: on the child", RED, 2.6, (78, -4))
    d.arrow(low, low - force, "", GREY, 2.2)
    d.note(14, 180, "opposite load", GREY)
    d.note(14, 197, "on the parent", GREY)
    d.note(296, 286, "parent A: parent_at, parent_frame", BLUE)
    d.note(300, 70, "child B: child_at, child_frame", GREEN)
    d.note(14, 22, "Joint load: on the child, at the joint point")
    d.note(14, 352, "components of force and torque: parent's joint frame (blue)", INK)
    d.save("frame_joint", 520, 370)


def path():
    """Flight-path angle, azimuth and bank over the ground."""
    d = Drawing(
        -152,
        28,
        118,
        (255, 225),
        "Flight-path angle and azimuth of a velocity relative to north, east and down",
    )
    north, east, down = X, -Y, -Z
    flat = [1.75 * (np.cos(t) * north + np.sin(t) * east) for t in np.linspace(0, 2 * np.pi, 90)]
    d.line(flat, GREY, 1, "3 3", "#f4f7fa")
    d.arrow((0, 0, 0), 1.75 * north, "north", BLUE)
    d.arrow((0, 0, 0), 1.75 * east, "east", BLUE)
    d.arrow((0, 0, 0), 0.9 * down, "down", BLUE)
    azimuth, climb = np.radians(55), np.radians(38)
    level = np.cos(azimuth) * north + np.sin(azimuth) * east
    velocity = np.cos(climb) * level - np.sin(climb) * down
    d.line([(0, 0, 0), 1.75 * level], RED, 1.5, "4 3")
    d.line([1.75 * np.cos(climb) * level, 1.75 * velocity], GREY, 1, "3 3")
    d.arrow((0, 0, 0), 1.75 * velocity, "velocity", INK, 2.6)
    d.arc((0, 0, 0), north, level, 0.8, "azimuth", RED, (36, 34))
    d.arc((0, 0, 0), level, velocity, 1.15, "flight-path angle", RED, (62, 6))
    d.note(14, 22, "Flight-path angle: positive upwards. Azimuth: from north over east")
    d.save("frame_path", 520, 370)


def air():
    """Angle of attack and sideslip in body axes."""
    d = Drawing(-55, 24, 112, (235, 165), "Body axes in flight, angle of attack and sideslip angle")
    frame = np.column_stack([X, -Y, -Z])
    d.box((0, 0, 0), frame, (-0.9, -0.09, -0.09), (0.8, 0.09, 0.09))
    d.axes(
        (0, 0, 0), frame, ("x forward", "y to the right", "z down"), 1.5, BLUE, ((32, 0), (-24, 10), (0, 0))
    )
    alpha, beta = np.radians(32), np.radians(26)
    u = np.array([np.cos(beta) * np.cos(alpha), np.sin(beta), np.cos(beta) * np.sin(alpha)])
    velocity, plane = frame @ u, frame @ np.array([np.cos(alpha), 0, np.sin(alpha)])
    d.arrow((0, 0, 0), 1.5 * velocity, "velocity relative to the air", INK, 2.6, (64, 8))
    d.line([(0, 0, 0), 1.45 * plane], RED, 1.5, "4 3")
    d.line([1.5 * np.cos(beta) * plane, 1.5 * velocity], GREY, 1, "3 3")
    d.arc((0, 0, 0), frame[:, 0], plane, 0.95, "alpha", RED, (26, 2))
    d.arc((0, 0, 0), plane, velocity, 1.2, "beta", RED, (14, 16))
    d.note(14, 22, "Body axes in flight: alpha = atan2(w, u), sin beta = v / V")
    d.save("frame_air", 520, 370)


def signs():
    """Signs of springs, interface loads and relative motion."""
    d = Drawing(-90, 0, 1, (0, 0), "Signs of spring forces, interface loads and relative motion")
    rows = (
        (78, "devices.*.force > 0: the spring pushes the bodies apart", (-1, 1), BLUE),
        (178, "interfaces.*.axial_force > 0: tension between the bodies", (1, -1), RED),
        (278, "separation_speed > 0: the distance grows", (-1, 1), GREEN),
    )
    for y, text, (left, right), colour in rows:
        for x, name in ((60, "A, parent"), (300, "B, child")):
            d._parts.append(
                f'<rect x="{x}" y="{y - 22}" width="120" height="44" fill="#eef3f8" stroke="{GREY}"/>'
            )
            d.note(x + 60, y, name, INK, "middle")
        starts = (60, 420) if left < 0 else (180, 300)
        for edge, side in zip(starts, (left, right), strict=True):
            d.arrow((edge, 0, -y), (edge + 46 * side, 0, -y), "", colour, 3)
        d.note(14, y - 40, text, colour)
    d.save("frame_signs", 520, 320)


if __name__ == "__main__":
    for draw in (planet, body, joint, path, air, signs):
        draw()
