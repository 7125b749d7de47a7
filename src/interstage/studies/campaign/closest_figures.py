"""Figures of the closest approach of two bodies: the nearest places of the worst cases on their outlines.

The campaign stores distances, not places. The cases with the smallest distances are therefore simulated
again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.spatial import ConvexHull

from ...drawing.figure import BAD, COLOURS, Axis, Figure, Line, Mark, Panel, Points
from ...drawing.table import number, time_text
from ...maths.rotations import matrix_of
from ...missions.mission import Mission
from ...playback.items import Gap, items_of_parts
from ...playback.shapes import shapes_of
from ...playback.store import Store
from ...playback.surfaces import triangles_of
from ...programs.progress import doing
from ...record.record import Closest, Record
from ...record.results import Flight
from ...tree.errors import BadInput
from ...tree.units import display
from .summary import values_of

if TYPE_CHECKING:
    from .result import CampaignResult

MOST_FLOWN = 12
"""Number of cases that are simulated for each clearance."""
SHADES = ("#08306b", "#2a7ab9", "#7fb8da")
"""Colours of points from the smallest to the largest distances: darker and larger points are closer."""
SIZES = (9.0, 7.0, 5.0)
CONTACT = -1
"""Index that replaces the one of a colour for a case with a contact."""
GREY, DIGITS, TALL, ROOM = "#5d6872", 4, 300.0, 0.04
DISTANCE = "distance"
KEYS = (DISTANCE, "recontacts")
"""Quantities of two bodies that ask for a figure."""


class Approach(NamedTuple):
    """Closest approach of two bodies in one case.

    - case: case number.
    - found: smallest distance with its time and nearest points.
    - bodies: names of both bodies.
    - contact: whether the bodies touch.
    - turn (3, 3), place (3,) [m]: rotation matrix from the structural axes of the second body to those of the
      first body, and origin of the second body there.
    """

    case: int
    found: Closest
    bodies: tuple[str, str]
    contact: bool
    turn: np.ndarray
    place: np.ndarray

    @property
    def ends(self) -> np.ndarray:
        """Return the nearest points on both bodies (2, 3) [m], in structural axes of the first body."""
        second = self.turn @ np.asarray(self.found.point_on_b) + self.place
        return np.array([self.found.point_on_a, second])


def closest_figures(result: CampaignResult, units: str) -> tuple[list[Figure], list[str]]:
    """Return a figure for each clearance that is a response or a requirement of a campaign, and sentences
    about omitted figures. units: "SI" or "US".
    """
    stems = distances_of(result)
    if not stems:
        return [], []
    if Mission.of(result.scenario).has_legs:
        return [], ["Figures of the closest approach are omitted for missions with several legs."]
    flights: dict[int, Flight | None] = {}
    figures, notes = [], []
    with doing("simulating the cases with the smallest distances for the figures of the closest approach"):
        for stem in stems:
            cases = nearest_cases(result, stem)
            for case in cases:
                if case not in flights:
                    flights[case] = _flight(result, case)
            found = [(case, flights[case]) for case in cases]
            some = [one for case, flight in found if flight for one in approaches(flight, stem, case)]
            if some:
                figures.append(_figure(result.scenario, some, units))
            else:
                notes.append(f"No case has a closest approach of {stem}, so there is no figure of it.")
    return figures, notes


def distances_of(result: CampaignResult) -> list[str]:
    """Return the stems of the distances of two bodies that are a response or a limit, or whose number of
    recontacts is. The stem of "group.name.distance" is "group.name".
    """
    names = result.manifest.names
    parts = [one.quantity.split(".") for one in (*names.limits, *names.responses)]
    return [*dict.fromkeys(f"{one[0]}.{one[1]}" for one in parts if len(one) == 3 and one[2] in KEYS)]


def nearest_cases(result: CampaignResult, stem: str) -> list[int]:
    """Return the numbers of the cases with recontacts and with the smallest distances, the worst first. stem:
    see `distances_of`.
    """
    found: list[int] = []
    names = result.manifest.names
    for one in (*names.limits, *names.responses):
        if one.quantity in [f"{stem}.{key}" for key in KEYS]:
            values = values_of(result, one)
            values = values if one.quantity.endswith(DISTANCE) else -values
            rows = np.argsort(values, kind="stable")
            found += result.case_numbers[rows[np.isfinite(values[rows])]][:MOST_FLOWN].tolist()
    return [*dict.fromkeys(found)][:MOST_FLOWN]


def _flight(result: CampaignResult, case: int) -> Flight | None:
    try:
        return result.fly(case)
    except BadInput:  # the campaign has the reason
        return None


def approaches(flight: Flight, stem: str, case: int) -> Iterator[Approach]:
    """Yield the closest approach of two bodies in a flight, if they were apart. stem: see `distances_of`."""
    record: Record = flight.record
    for gap in items_of_parts(record)[0]:
        if not isinstance(gap, Gap) or gap.distance != f"{stem}.{DISTANCE}":
            continue
        contact = any(met.name == gap.name for met in record.recontacts)
        for found in record.closest:
            if found.name == gap.name and found.apart:
                turns = [np.asarray(matrix_of(_value(flight, k, "attitude", found.time))) for k in gap.bodies]
                first, second = (_value(flight, k, "origin_position", found.time) for k in gap.bodies)
                place = turns[0].T @ (second - first)
                touches = contact or found.distance <= 0
                yield Approach(case, found, gap.bodies, touches, turns[0].T @ turns[1], place)


def _value(flight: Flight, body: str, name: str, time: float) -> np.ndarray:
    return np.asarray(flight.value(f"bodies.{body}.{name}", time))


def _figure(scenario: Any, some: Sequence[Approach], units: str) -> Figure:
    """Two side views in structural axes of the first body."""
    factor, unit = display("m", units)
    worst = min(some, key=lambda one: one.found.distance)
    (a, b), name = worst.bodies, worst.found.name
    outlines = [_solids(scenario, body) for body in (a, b)]
    outlines[1] = [points @ worst.turn.T + worst.place for points in outlines[1]]
    ends = np.array([one.ends for one in some])
    whole = np.concatenate([*(p for solids in outlines for p in solids), ends.reshape(-1, 3)])
    order = np.argsort(-np.ptp(whole, axis=0), kind="stable")
    panels = []
    for up in order[1:]:
        axes = [int(order[0]), int(up)]
        marks: list[Mark] = []
        for solids, colour in zip(outlines, (GREY, COLOURS[1]), strict=True):
            marks += [_outline(p[:, axes] * factor, colour) for p in solids]
        marks += _places(some, ends[:, :, axes] * factor)
        x, y = (_axis(f"{'xyz'[k]} of {a} [{unit}]", whole[:, k] * factor) for k in axes)
        panels.append(Panel(marks, "", x, y, height=TALL, equal_scales=True))
    legend = [Line(np.zeros(0), np.zeros(0), body, colour) for body, colour in ((a, GREY), (b, COLOURS[1]))]
    caption = (
        f"{name}: nearest places of the {len(some)} cases with the smallest distances, on {a} and {b}. The"
        f" drawing has the position of {b} in case {worst.case}. {_key(some, units)}"
    )
    found = worst.found
    where = ", ".join(number(float(x) * factor, DIGITS) for x in found.point_on_a)
    description = (
        f"The smallest distance is {number(found.distance * factor, DIGITS)} {unit} in case {worst.case}, at"
        f" {time_text(found.time)} s, between {' and '.join(found.shapes)}."
        f" The point on {a} is ({where}) {unit}."
        f" {sum(one.contact for one in some)} of these cases have a contact."
    )
    return Figure(caption, [panels], legend, key=f"closest-{name}", description=description)


def _solids(scenario: Any, body: str) -> list[np.ndarray]:
    """Points of each shape of a body (n, 3) [m], structural coordinates."""
    declared, store = next(one for one in scenario.bodies if one.name == body), Store()
    found = []
    for shape in shapes_of(declared, store)[0]:
        points = np.asarray(triangles_of(shape, store).points, float)
        turn = matrix_of(np.array(shape.get("turn", [1.0, 0.0, 0.0, 0.0])))
        found.append(points @ turn.T + np.asarray(shape.get("at", np.zeros(3)), float))
    return found


def _axis(label: str, values: np.ndarray) -> Axis:
    room = ROOM * float(np.ptp(values))
    return Axis(label, float(values.min()) - room, float(values.max()) + room)


def _outline(points: np.ndarray, colour: str) -> Line:
    """Convex hull of points (n, 2) as a closed line."""
    corners = points[ConvexHull(points, qhull_options="QJ").vertices]
    x, y = np.concatenate([corners, corners[:1]]).T
    return Line(x, y, "", colour, 1.2)


def _places(some: Sequence[Approach], ends: np.ndarray) -> list[Mark]:
    """Lines between the nearest points, and these points by distance. ends: (case, body, axis)."""
    gaps = np.concatenate([ends, np.full_like(ends[:, :1], np.nan)], axis=1).reshape(-1, 2)
    marks: list[Mark] = [Line(gaps[:, 0], gaps[:, 1], "", GREY, 0.8)]
    level = _levels(some)
    for k in reversed(range(len(SHADES))):
        own = ends[level == k].reshape(-1, 2)
        if len(own):
            marks.append(Points(own[:, 0], own[:, 1], "dot", SHADES[k], SIZES[k]))
    own = ends[level == CONTACT].reshape(-1, 2)
    if len(own):
        marks.append(Points(own[:, 0], own[:, 1], "cross", BAD, SIZES[0]))
    return marks


def _edges(some: Sequence[Approach]) -> np.ndarray:
    """Limits of the colours [m], from the smallest to the largest distance of the cases without contact."""
    distances = [one.found.distance for one in some if not one.contact] or [0.0]
    return np.linspace(min(distances), max(distances), len(SHADES) + 1)


def _levels(some: Sequence[Approach]) -> np.ndarray:
    """Index of the colour of each case, or `CONTACT`."""
    distances = np.array([one.found.distance for one in some])
    level = np.searchsorted(_edges(some)[1:-1], distances, "left")
    return np.where([one.contact for one in some], CONTACT, level)


def _key(some: Sequence[Approach], units: str) -> str:
    """The meaning of the colours in words."""
    factor, unit = display("m", units)
    low, *_, high = (number(float(edge) * factor, DIGITS) for edge in _edges(some))
    texts = []
    if any(not one.contact for one in some):
        texts.append(f"Darker and larger points are closer: {low} to {high} {unit}, in three equal steps.")
    if any(one.contact for one in some):
        texts.append("Red crosses are cases with a contact.")
    return " ".join(texts)
