"""Write the motion of a flight as a glTF animation: bodies by the shapes of the viewer, in the axes of an
origin near the bodies.

The file has 32-bit floats, with a relative resolution of 6e-8. Positions are therefore relative to an origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..drawing.thinning import runs
from ..environment import geodesy
from ..environment.planet import relative_velocity, to_fixed, turn
from ..environment.world import is_flat
from ..exchange.gltf import Node, Surface, Track, glb
from ..exchange.trajectory import COLOURS
from ..maths.rotations import about, multiply, quaternion_of_matrix
from ..record.record import Record
from ..tree.errors import BadInput, Problem
from ..tree.similar_names import near
from .courses import course, curve_rows, span_of
from .motion import ANGLE, Motion, at_times, inverse, product, rotation_vector, rows_to_keep
from .scene import SMALL, all_bodies, motions_of
from .shapes import extent_of, mass_properties, shapes_of, stand_in
from .store import Store
from .surfaces import triangles_of

START = "start"
"""Name of the origin at the start point of the reference body, fixed to the ground."""
NEAR = 1e4
"""Distance [m] from the start point up to which the start point is the default origin. At this distance, the
resolution is 1 mm."""


@dataclass(frozen=True)
class Frame:
    """Motions of the bodies in the axes of the file, before the rotation to y up.

    - name: START, or the name of the body that the origin follows.
    - motions: motion of each body relative to the origin. Poses at times without an origin are NaN.
    - up, north (3,): vertical and north at the start, in these axes. In empty space: z and y.
    - text: description of the frame.
    """

    name: str
    motions: dict[str, Motion]
    up: np.ndarray
    north: np.ndarray
    text: str

    @property
    def rotation(self) -> np.ndarray:
        """Return the quaternion (4,) from these axes to those of glTF: x east, y up, z south."""
        east = np.cross(self.north, self.up)
        return np.asarray(quaternion_of_matrix(np.array([east, self.up, -self.north])), float)


def animation(record: Record, title: str, bodies: Sequence[str] = (), origin: str | None = None) -> bytes:
    """Return a flight as a binary glTF file (.glb) with an animation of translations and rotations.

    - title: name of the scene.
    - bodies: bodies of the file. Default: all.
    - origin: "start" for the start point of the first body, which is fixed to the ground; or the name of a
      body whose centre of mass the origin follows, in inertial axes. Default: "start" if all bodies stay
      within 10 km of it, otherwise the first body.

    Raises BadInput for unknown bodies, and for a flight without poses.
    """
    motions = motions_of(record)
    span = span_of(record)
    if span is None or not motions:
        raise BadInput(Problem("bodies", "the flight has no recorded poses. Run the flight again"))
    _check(motions, bodies, origin)
    frame = frame_of(record, motions, origin)
    names = [name for name in motions if not bodies or name in bodies]
    root = Node("flight", rotation=frame.rotation.tolist())
    faults: list[str] = []
    declared = {body.name: body for body in all_bodies(record)}
    drawn = [_Body(record, declared[name], k, faults) for k, name in enumerate(names)]
    tolerance = SMALL * min((one.extent for one in drawn if one.extent > 0), default=1.0)
    for body in drawn:
        root.children.append(body.node(frame.motions[body.name], span, tolerance))
    events = [
        {"time": float(one.time) - span[0], "name": one.name, "kind": one.kind}
        for one in record.events
        if np.isfinite(one.time)
    ]
    extras = {"frame": frame.text, "origin": frame.name, "flight_time_at_zero": span[0], "events": events}
    return glb(root, title, {**extras, "omitted": faults} if faults else extras)


def _check(motions: dict[str, Motion], bodies: Sequence[str], origin: str | None) -> None:
    known = [*motions]
    asked = [("bodies", name, known) for name in bodies]
    asked += [("origin", origin, [START, *known])] if origin is not None else []
    unknown = [one for one in asked if one[1] not in one[2]]
    if unknown:
        raise BadInput(
            Problem(key, f"there is no body '{name}' in this flight; {near(name, allowed, key)}")
            for key, name, allowed in unknown
        )


# --- axes and origin


def frame_of(record: Record, motions: dict[str, Motion], origin: str | None) -> Frame:
    """Return the motions of the bodies relative to an origin.

    motions: inertial motion of each body, the reference body first. origin: see `animation`.
    """
    if origin is None:
        ground = _from_start(record.scenario.planet, motions)
        far = max(float(np.abs(one.position[one.finite]).max()) for one in ground.motions.values())
        return ground if far <= NEAR else _following(record.scenario.planet, motions, next(iter(motions)))
    if origin == START:
        return _from_start(record.scenario.planet, motions)
    return _following(record.scenario.planet, motions, origin)


def _from_start(planet: Any, motions: dict[str, Motion]) -> Frame:
    """Motions relative to the ground."""
    found = {name: over_ground(planet, one) for name, one in motions.items()}
    name, first = next(iter(found.items()))
    row = int(np.argmax(first.finite))
    place = first.position[row]
    if planet is None:
        axes, over = None, "inertial axes"
    elif is_flat(planet):
        axes, over = geodesy.north_east_down(planet, 0.0, place), "axes of the flat ground"
    else:
        foot = geodesy.geodetic(planet, place)
        axes, over = geodesy.axes_at(foot.latitude, foot.longitude), "axes that rotate with the planet"
    shifted = {body: replace(one, position=one.position - place) for body, one in found.items()}
    text = f"the start point of the centre of mass of {name}, which is fixed in the {over}"
    return _frame(START, shifted, axes, text)


def over_ground(planet: Any, motion: Motion) -> Motion:
    """Return a motion relative to the ground, in planet-fixed axes. In empty space and over flat ground, it
    is the inertial motion."""
    if planet is None or is_flat(planet):
        return motion
    time, place = motion.time, motion.position.T
    relative = relative_velocity(planet, place, motion.velocity.T)
    attitude = multiply(about(2, -turn(planet, time)), motion.attitude.T)
    rows = (to_fixed(planet, time, place), to_fixed(planet, time, relative), attitude)
    position, velocity, turned = (np.asarray(one).T for one in rows)
    return replace(motion, position=position, velocity=velocity, attitude=turned)


def _following(planet: Any, motions: dict[str, Motion], name: str) -> Frame:
    """Motions relative to the centre of mass of a body, in inertial axes."""
    origin = motions[name].rows(np.flatnonzero(motions[name].finite))
    axes = None
    if planet is not None:
        axes = geodesy.north_east_down(planet, origin.time[0], origin.position[0])
    found = {}
    for body, one in motions.items():
        place, speed = at_times(origin, one.time)
        inside = (one.time >= origin.time[0]) & (one.time <= origin.time[-1])
        position = np.where(inside[:, None], one.position - place, np.nan)
        found[body] = replace(one, position=position, velocity=one.velocity - speed)
    text = f"the centre of mass of {name}, which the origin follows in inertial axes"
    return _frame(name, found, axes, text)


def _frame(name: str, motions: dict[str, Motion], axes: Any, text: str) -> Frame:
    """A frame from the north-east-down axes (3, 3) at the start; None in empty space."""
    if axes is None:
        up, north, words = np.array([0.0, 0, 1]), np.array([0.0, 1, 0]), "x is x, y is z and z is -y of"
        level = f"{words} the inertial axes"
    else:
        north, up = np.asarray(axes)[:, 0], -np.asarray(axes)[:, 2]
        level = "x is east, y is up and z is south at the start of the flight"
    return Frame(name, motions, up, north, f"Origin: {text}. Axes of the scene: {level}.")


# --- bodies


class _Body:
    """A body with its surfaces, which are fixed in the structural axes."""

    def __init__(self, record: Record, body: Any, number: int, faults: list[str]) -> None:
        self.name, self.record = body.name, record
        store = Store()
        self.mass, self.centre, inertia = mass_properties(body, record)
        shapes, omitted = shapes_of(body, store)
        faults += omitted
        self.replaced = not shapes
        shapes = shapes or [stand_in(self.mass, self.centre, inertia)]
        self.extent = extent_of(shapes)
        colour = COLOURS[number % len(COLOURS)]
        self.shapes = [
            Node(
                f"{self.name}.{shape['name']}",
                shape["at"],
                shape.get("turn", (1.0, 0.0, 0.0, 0.0)),
                Surface(*triangles_of(shape, store), colour),
            )
            for shape in shapes
        ]

    def node(self, motion: Motion, span: tuple[float, float], tolerance: float) -> Node:
        """Return the node of the centre of mass, with the structural axes and the shapes as descendants.

        - motion: motion of the body in the axes of the file.
        - span: start and end of the flight [s].
        - tolerance: maximum error of positions [m].
        """
        kept = motion.rows(rows_to_keep(motion, tolerance))
        clock = _seconds(kept.time, span)
        known = kept.rows(np.flatnonzero(kept.finite))
        tracks = _pose_tracks(known, clock[kept.finite], tolerance)
        seen = _visibility(clock, kept.finite, _seconds(np.array([span[1]]), span)[0])
        inner = Node(f"{self.name}.structure", (-self.centre).tolist(), children=self.shapes)
        moving = course(self.record, f"bodies.{self.name}.mass_centre", peaks=False)
        if moving is not None:
            inner.tracks["translation"] = _centre_track(*moving, span)
            inner.translation = inner.tracks["translation"].values[0].tolist()
        extras = {"mass_at_start": self.mass, "shape_is_a_substitute": self.replaced}
        first = {path: track.values[0].tolist() for path, track in tracks.items()}
        return Node(self.name, **first, tracks=tracks | seen, children=[inner], extras=extras)


def _seconds(time: np.ndarray, span: tuple[float, float]) -> np.ndarray:
    """Times after the start of the flight, as 32-bit floats."""
    return np.asarray(time - span[0], np.float32)


def _pose_tracks(motion: Motion, clock: np.ndarray, tolerance: float) -> dict[str, Track]:
    """Tracks of translation and rotation. motion: finite samples. clock: their times as 32-bit floats."""
    first, last = _groups(clock)
    moved = np.abs(motion.position[last] - motion.position[first]).max(axis=1) > tolerance
    change = product(inverse(motion.attitude[first]), motion.attitude[last])
    turned = np.linalg.norm(rotation_vector(change), axis=1) > ANGLE
    times, before, after = _keys(clock, moved)
    slopes = np.stack([motion.velocity[before], motion.velocity[after]])
    places = Track(times, motion.position[after], slopes)
    times, _, after = _keys(clock, turned)
    return {"translation": places, "rotation": Track(times, _continuous(motion.attitude[after]))}


def _centre_track(time: np.ndarray, centre: np.ndarray, span: tuple[float, float]) -> Track:
    """Track of the structural origin relative to the centre of mass."""
    rows = curve_rows(time, centre, span)
    rows = rows[np.isfinite(centre[rows]).all(axis=1)]
    clock = _seconds(time[rows], span)
    first, last = _groups(clock)
    times, _, after = _keys(clock, np.any(centre[rows][first] != centre[rows][last], axis=1))
    return Track(times, -centre[rows][after])


def _groups(clock: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the first and the last sample of each time."""
    starts = np.flatnonzero(np.append(True, np.diff(clock) > 0))
    return starts, np.append(starts[1:], len(clock)) - 1


def _keys(clock: np.ndarray, jumps: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times of the keys, strictly increasing, and the samples that are valid just before and just after them.

    A jump has two keys. The time of the first is one 32-bit float earlier. jumps: whether the value jumps at
    each distinct time of `clock`."""
    keys: list[tuple[Any, int, int]] = []
    for first, last, jump in zip(*_groups(clock), jumps, strict=True):
        time = clock[first]
        if jump and time > 0:
            earlier = np.nextafter(time, np.float32(0))
            if keys and keys[-1][0] >= earlier:
                keys.pop()
            keys.append((earlier, first, first))
            first = last
        keys.append((time, first, last))
    times, before, after = zip(*keys, strict=True)
    return np.array(times), np.array(before), np.array(after)


def _continuous(attitude: np.ndarray) -> np.ndarray:
    """Quaternions with signs for which no component jumps: q and -q are the same attitude."""
    along = np.sum(attitude[1:] * attitude[:-1], axis=1)
    signs = np.cumprod(np.append(1.0, np.where(along < 0, -1.0, 1.0)))
    return attitude * signs[:, None]


def _visibility(clock: np.ndarray, finite: np.ndarray, end: np.float32) -> dict[str, Track]:
    """Scale factors of 0 at times without a pose. The result is empty if the body has a pose at all times."""
    keys: dict[Any, float] = {np.float32(0): 0.0}
    for run in runs(np.where(finite, 0.0, np.nan)):
        keys[clock[run.start]] = 1.0
        if clock[run.stop - 1] < end:
            keys[np.nextafter(clock[run.stop - 1], np.float32(np.inf))] = 0.0
    if all(keys.values()):
        return {}
    times = np.array([*keys])
    return {"scale": Track(times, np.repeat([[value] for value in keys.values()], 3, axis=1), steps=True)}
