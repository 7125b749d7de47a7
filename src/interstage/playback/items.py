"""Items that models add to the scene of a playback.

A package of models can have a module `drawn` with the constant ITEMS, a list of functions of a record. Each
function yields objects of the classes below for one flight or one leg. Points are in structural coordinates
of their body, and directions are in its structural axes. A body can also be the ground. A path names a
quantity of the record; a path without values is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..record.record import Record
from ..tree import packages

Point = Sequence[float] | np.ndarray
Readings = tuple[tuple[str, str, str], ...]
"""Quantities of the text for an item: the word, the path and the SI unit of each."""


@dataclass(frozen=True)
class Link:
    """Device that acts along a line between points of two bodies, for example a spring or a pusher.

    - style: "coil", "rod" or "line".
    - force: path of the force of the device [N].
    - state: path of the state of the device, which is 1 while the device acts. After its last action,
      the device keeps its length and stays on the first body. A device that never acts keeps its first
      length. Default: the device always acts.
    - readings: quantities of the text that the pointer shows. Default: the force.
    - failed: whether the scenario declares the device as failed.
    """

    name: str
    bodies: tuple[str, str]
    at: tuple[Point, Point]
    style: str = "coil"
    force: str = ""
    state: str = ""
    readings: Readings = ()
    failed: bool = False


@dataclass(frozen=True)
class StrokeDevice:
    """Cylinder on the first body, with a rod that pushes the second body.

    - at: mouth of the cylinder on the first body, and point of application on the second body.
    - direction: direction of the rod, from the first to the second body. Default: the line between the
      points.
    - stroke: largest travel of the rod [m].
    - bore: diameter of the rod [m]. Default: symbolic.
    - state, readings, failed: as of a `Link`.
    """

    name: str
    bodies: tuple[str, str]
    at: tuple[Point, Point]
    stroke: float
    direction: Point | None = None
    bore: float | None = None
    state: str = ""
    readings: Readings = ()
    failed: bool = False


@dataclass(frozen=True)
class Fastener:
    """Bolt, nut or seam between two bodies, until its release. Its size is symbolic.

    - at: point on each body. direction: direction from the first to the second body, in axes of the first.
    - style: "bolt": the release leaves one half on each body. "nut": the nut opens, and the bolt stays on the
      first body. "seam": a ring that is cut.
    - state: path of the state of the device, which is 1 until its release.
    - joint: path of the state of the joint, which is 1 while it constrains the bodies. A device that has not
      acted when the joint is released stays whole on the first body.
    - radius: radius of a seam [m]. Default: symbolic.
    """

    name: str
    bodies: tuple[str, str]
    at: tuple[Point, Point]
    direction: Point
    style: str = "bolt"
    state: str = ""
    joint: str = ""
    radius: float | None = None
    readings: Readings = ()
    failed: bool = False


@dataclass(frozen=True)
class Band:
    """Clamp band around the interface of two bodies. Its segments move outward and stay on the first body.

    - at, direction: centre and axis of the ring on the first body.
    - radius: radius of the ring [m].
    - segments: number of segments.
    - opening: time [s] before the release in which the segments leave the flanges.
    - state: path of the state of the device, which is 1 until its release.
    """

    name: str
    bodies: tuple[str, str]
    at: Point
    direction: Point
    radius: float
    segments: int = 12
    opening: float = 0.0
    state: str = ""
    readings: Readings = ()
    failed: bool = False


@dataclass(frozen=True)
class ContactPoint:
    """Mark and force arrow at the centre of the forces between points of a body and another body.

    - points: points (n, 3) of the body that can touch.
    - force, torque: paths of the force [N] on the body in inertial axes, and of its torque [N m] about the
      centre of mass in structural axes.
    - touching: path of the number of points that touch.
    """

    name: str
    body: str
    points: Point
    force: str
    torque: str
    touching: str
    readings: Readings = ()


@dataclass(frozen=True)
class EndStop:
    """Ends of the travel of a joint: two plates, or two lines of a dial for a rotation.

    - joint: name of the joint. axis: 0, 1 or 2 for x, y or z of the joint frame on the parent.
    - lower, upper: limits of the travel since the start [m or rad]; None for no limit.
    - travel, load: paths of the travel [m or rad] and of the load [N or N m].
    - angular: whether the travel is a rotation.
    """

    name: str
    joint: str
    axis: int
    lower: float | None
    upper: float | None
    travel: str
    load: str
    angular: bool = False
    readings: Readings = ()


@dataclass(frozen=True)
class FlexibleBody:
    """Elastic deformation of a body at points.

    - points: points (n, 3) of the undeformed body [m].
    - deflections, rotations: for each point, the paths of its elastic displacement [m] and of its rotation
      vector [rad], in structural axes.
    """

    name: str
    body: str
    points: Point
    deflections: tuple[str, ...]
    rotations: tuple[str, ...]


@dataclass(frozen=True)
class FlexibleBeam:
    """Beam that is clamped to one or two bodies. Nodes have coordinates in the axes of the first clamp.

    - bodies: body of the first clamp, and of the second clamp or None.
    - at: first clamp, structural coordinates of the first body. frame: quaternion of the axes of the clamp.
    - length: unloaded length [m].
    - positions, rotations: for each node, the paths of its position [m] and of its rotation vector [rad].
    - end: path of the position of the end [m].
    - rest: positions (n + 1, 3) of the nodes and the end without load. Default: those of the first sample.
    - section: half of the width along y and of the height along z [m]. round: whether the section is round.
    """

    name: str
    bodies: tuple[str, str | None]
    at: Point
    frame: Sequence[float]
    length: float
    positions: tuple[str, ...]
    rotations: tuple[str, ...]
    end: str
    rest: Point | None
    section: tuple[float, float]
    round: bool = False


@dataclass(frozen=True)
class Tank:
    """Propellant of a body, drawn as a filled part of a tank.

    - style: "cylinder" from its bottom, "sphere" or "grain" (a tube that burns from the inside) about its
      centre, or "gauge": a symbolic column.
    - at: bottom or centre [m]. axis: direction from the bottom to the top.
    - radius, height: inner radius and height [m]; not used for a gauge.
    - density: density of the propellant [kg/m^3]. Default: 0, for a gauge.
    - full: propellant at the start [kg].
    - left, attached: paths of the propellant left [kg], and of the state that is 1 until the jettison.
    """

    name: str
    body: str
    style: str
    at: Point
    axis: Point
    full: float
    left: str
    attached: str
    radius: float = 0.0
    height: float = 0.0
    density: float = 0.0


@dataclass(frozen=True)
class Plume:
    """Exhaust jet at a point of a body. The jet points opposite to the thrust direction `direction`.

    - thrust: path of the thrust [N].
    - force: path of the thrust vector [N] in structural axes, for a direction that changes.
    """

    name: str
    body: str
    at: Point
    direction: Point
    thrust: str
    force: str = ""


@dataclass(frozen=True)
class Canopy:
    """Parachute or another drag device behind a point of a body.

    - area: drag area of the open device [m^2].
    - state: path of the state of the device, which is 1 while the device is open.
    """

    name: str
    body: str
    at: Point
    area: float
    state: str = ""


@dataclass(frozen=True)
class Gap:
    """Nearest points of two bodies, and the distance between them.

    - distance: path of the distance [m].
    - points: paths of the two points, each in structural coordinates of its body.
    - limit: distance [m] below which the line between the points is red; None for no limit.
    """

    name: str
    bodies: tuple[str, str]
    distance: str
    points: tuple[str, str]
    limit: float | None = None


@dataclass(frozen=True)
class Arrow:
    """Vector at a point of a body. All arrows of the same kind have the same scale.

    - kind: text of the legend, for example "thrust".
    - path: path of the vector. The components of the vector are in the structural axes of the body, or in
      inertial axes.
    - at: point of the body; None for the centre of mass.
    """

    name: str
    kind: str
    body: str
    path: str
    at: Point | None = None
    inertial: bool = False


Device = Link | StrokeDevice | Fastener | Band | ContactPoint | EndStop
Item = Device | Tank | FlexibleBody | FlexibleBeam | Plume | Canopy | Gap | Arrow


def items_of_parts(record: Record) -> tuple[list[Item], list[str]]:
    """Return the items of all packages of models, and one sentence for each omitted package.

    If an external package has a fault, its items are omitted, and the page is still written.
    """
    return packages.outputs(
        "drawn", "ITEMS", record.scenario, (record,), _check_item, "Items of the playback"
    )


def _check_item(one: Any) -> Item:
    if not isinstance(one, Item):
        raise TypeError(f"the function yields {one!r:.40}, but must yield items of interstage.playback.items")
    return one


def scalar(value: Any) -> float:
    """Return a declared value as a float."""
    return float(np.asarray(value).reshape(-1)[0])


def vector(value: Any) -> list[float]:
    """Return a declared vector (3,) as a list of floats."""
    return [float(x) for x in np.asarray(value, float).reshape(3, -1)[:, 0]]


def always(value: Any, wanted: float) -> bool:
    """Return whether a declared value has one value in all cases. wanted: the value."""
    return isinstance(value, np.ndarray | float | int) and bool(np.all(np.asarray(value) == wanted))


def each(record: Record, group: str, *kinds: type) -> Iterator[Any]:
    """Yield the declarations in a group of the scenario that are objects of some classes.

    group: name of the group. kinds: classes.
    """
    yield from (one for one in getattr(record.scenario, group, ()) if isinstance(one, kinds))
