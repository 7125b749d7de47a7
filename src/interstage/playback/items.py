"""Items that models add to the scene of a playback.

The module `drawn` of a package of models has ITEMS: functions of a record. Each function yields objects of
the classes below for one flight or one leg. Points are in structural coordinates of their body, and
directions along its structural axes. A body can be the ground. A path names a quantity of the record; a path
without values is ignored.
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
    """A device along a line between points of two bodies, such as a spring or a pusher.

    - style: "coil", "rod" or "line".
    - force: path of its force [N].
    - state: path of its state, 1 while the device acts. After its last action the device keeps its length and
      stays on the first body. Default: the device always acts.
    """

    name: str
    bodies: tuple[str, str]
    at: tuple[Point, Point]
    style: str = "coil"
    force: str = ""
    state: str = ""


@dataclass(frozen=True)
class Plume:
    """An exhaust jet at a point of a body, opposite to the thrust `direction`.

    - thrust: path of the thrust [N].
    - force: path of the thrust vector [N] in structural axes, for a direction that changes."""

    name: str
    body: str
    at: Point
    direction: Point
    thrust: str
    force: str = ""


@dataclass(frozen=True)
class Canopy:
    """A parachute or another drag device behind a point of a body.

    - area [m^2]: drag area of the open device.
    - state: path of its state, 1 while the device is open.
    """

    name: str
    body: str
    at: Point
    area: float
    state: str = ""


@dataclass(frozen=True)
class Gap:
    """The nearest points of two bodies, and their distance.

    - distance: path of the distance [m].
    - points: paths of the two points, each in structural coordinates of its body.
    - limit [m]: distance below which the line is red, or None.
    """

    name: str
    bodies: tuple[str, str]
    distance: str
    points: tuple[str, str]
    limit: float | None = None


@dataclass(frozen=True)
class Arrow:
    """A vector at a point of a body. Arrows of the same kind have the same scale.

    - kind: words for the legend, such as "thrust".
    - path: path of the vector; its components are in the structural axes of the body, or in inertial axes.
    - at: the point; None for the centre of mass.
    """

    name: str
    kind: str
    body: str
    path: str
    at: Point | None = None
    inertial: bool = False


Item = Link | Plume | Canopy | Gap | Arrow


def items_of_parts(record: Record) -> tuple[list[Item], list[str]]:
    """Return the items of all packages of models, and a sentence for each omitted package.

    A fault of an external package omits the package. The page is still written.
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
    """Return a vector of a declaration (3,) as floats."""
    return [float(x) for x in np.asarray(value, float).reshape(3, -1)[:, 0]]


def each(record: Record, group: str, *kinds: type) -> Iterator[Any]:
    """Yield the declarations of some classes in a group of the scenario."""
    yield from (one for one in getattr(record.scenario, group, ()) if isinstance(one, kinds))
