"""Other flights in the page of a flight: a second flight, or cases of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..record.record import Record
from .alignment import Alignment, align
from .courses import WIDE
from .differences import PoseDifference, pose_differences
from .scene import SMALL, Detail, Scene, scene_of

MOST_KNOTS = 12_000
"""Largest number of samples of the poses of all other flights together."""
FEWEST_KNOTS = 40
"""Number of samples that each body of another flight may always have."""
SMALL_OF_CASES = 1e-3
"""Largest error of a position in a case, relative to the smallest body."""
WIDE_OF_CASES = 400.0
"""Width [px] up to which a curve of a case keeps its appearance."""
MOST_BYTES = 150_000
"""Size of the curves of all other flights together [bytes], before base64."""

Kind = Literal["flights", "cases"]


@dataclass(frozen=True)
class OtherFlight:
    """Another flight in the page.

    - record: its record, with its scenario.
    - name: name for the legend.
    - verdict: for a case of a campaign, "met", "violated" or "unknown"; otherwise "".
    """

    record: Record
    name: str
    verdict: str = ""


@dataclass(frozen=True)
class OtherFlights:
    """All other flights of a page.

    - flights: the flights. An empty tuple gives the page of one flight.
    - first: name of the first flight for the legend. verdict: its verdict, as of an `OtherFlight`.
    - event: event at which the times are aligned, see `alignment.align`.
    - kind: "flights" are drawn with devices and compared in a table, "cases" are drawn as bodies only.
    - body: body whose axes are the camera frame. Default: the reference body for cases.
    - omitted: sentences about flights that are not in the page.
    """

    flights: tuple[OtherFlight, ...] = ()
    first: str = "first flight"
    verdict: str = ""
    event: str | None = None
    kind: Kind = "flights"
    body: str = ""
    omitted: tuple[str, ...] = ()


def add_others(scene: Scene, record: Record, others: OtherFlights, units: str) -> None:
    """Add other flights to the scene of a flight.

    Raises BadInput for an event or a body that a flight does not have."""
    data = scene.data
    found = [
        _other(scene, record, one, others, units)
        for one in others.flights
        if data["span"] is not None and len(one.record.time) + len(one.record.legs)
    ]
    found = [one for one in found if one["span"] is not None]
    data |= {"others": found, "kind": others.kind, "first": others.first, "verdict": others.verdict}
    data["clock"] = _clock(data)
    if others.body or others.kind == "cases":
        data["frame"] = f"body:{others.body or data['reference']}"
    shown = {one["name"] for one in found}
    data["left_out"] = [
        *data["left_out"],
        *(f"{one.name}, because it has no samples" for one in others.flights if one.name not in shown),
        *others.omitted,
    ]


def _other(
    scene: Scene, record: Record, one: OtherFlight, others: OtherFlights, units: str
) -> dict[str, Any]:
    alignment = align(record, one.record, others.event)
    count = len(others.flights)
    bodies = max(1, len(scene.data["bodies"]))
    detail = Detail(
        bytes_of_curves=MOST_BYTES // count,
        wide=WIDE if others.kind == "flights" else WIDE_OF_CASES,
        most_knots=max(FEWEST_KNOTS, MOST_KNOTS // (count * bodies)),
        tolerance=SMALL if others.kind == "flights" else SMALL_OF_CASES,
        items=others.kind == "flights",
        readings=False,
    )
    found = scene_of(one.record, units, detail, scene.store)
    data = found.data
    _share_shapes(scene.data, data)
    data |= {
        "name": one.name,
        "verdict": one.verdict,
        "event": alignment.event,
        "shift": alignment.shift,
        "alignment": alignment.sentence,
        "differences": _differences(scene, found, alignment) if others.kind == "flights" else [],
        "only": _only(scene.data, data),
    }
    for unused in ("arrays", "units", "length", "format"):
        data.pop(unused, None)
    return data


def _share_shapes(first: dict[str, Any], other: dict[str, Any]) -> None:
    """Remove the shapes that a body has in the first flight too; the viewer shares their meshes."""
    known = {body["name"]: body["shapes"] for body in first["bodies"]}
    for body in other["bodies"]:
        if known.get(body["name"]) == body["shapes"]:
            del body["shapes"]


def _differences(first: Scene, other: Scene, alignment: Alignment) -> list[dict[str, Any]]:
    found = pose_differences(first.motions, other.motions, alignment.shift, first.data["reference"])
    return [vars(one) for one in sorted(found, key=_order)]


def _order(one: PoseDifference) -> tuple[int, float]:
    return ["relative position", "position", "attitude"].index(one.what), -one.value


def _only(first: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Sentences about bodies that only one of two flights has."""
    names = [[body["name"] for body in data["bodies"]] for data in (first, other)]
    mine = [f"Only the first flight has the body {name}." for name in names[0] if name not in names[1]]
    return [*mine, *(f"Only this flight has the body {name}." for name in names[1] if name not in names[0])]


def _clock(data: dict[str, Any]) -> list[float] | None:
    """First and last time of all flights, as times of the first flight [s]."""
    if data["span"] is None:
        return None
    spans = [data["span"], *(np.array(one["span"]) - one["shift"] for one in data["others"])]
    return [float(min(span[0] for span in spans)), float(max(span[1] for span in spans))]


def names_of(titles: Sequence[str]) -> list[str]:
    """Return distinct names for flights: a repeated name gets a number."""
    found: list[str] = []
    for title in titles:
        count = 1 + sum(one == title or one.startswith(f"{title} (") for one in found)
        found.append(title if count == 1 else f"{title} ({count})")
    return found
