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


@dataclass(frozen=True)
class Link:
    """Device that acts along a line between points of two bodies, for example a spring or a pusher.

    - style: "coil", "rod" or "line".
    - force: path of the force of the device [N].
    - state: path of the state of the device, which is 1 while the device acts. After its last action,
      the device keeps its length and stays on the first body. Default: the device always acts.
    """

    name: str
    bodies: tuple[str, str]
    at: tuple[Point, Point]
    style: str = "coil"
    force: str = ""
    state: str = ""


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


Item = Link | Plume | Canopy | Gap | Arrow


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


def each(record: Record, group: str, *kinds: type) -> Iterator[Any]:
    """Yield the declarations in a group of the scenario that are objects of some classes.

    group: name of the group. kinds: classes.
    """
    yield from (one for one in getattr(record.scenario, group, ()) if isinstance(one, kinds))
