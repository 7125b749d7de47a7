"""Describe the scene of a flight as plain data: bodies with their motion, joints, items of models, events and
curves.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..environment.world import is_flat
from ..record.record import Record
from ..tree.units import display, in_units
from . import items
from .alignment import release_times
from .channels import channel, channel_of
from .courses import WIDE, course, records_of, span_of
from .curves import MOST_BYTES, curves_of
from .deformation import default_factor
from .item_data import Budget, data_of
from .motion import MOST_KNOTS, Motion, at_times, motion_of
from .motion import rows_to_keep as rows_of_motion
from .shapes import extent_of, mass_properties, quaternion, shapes_of, stand_in
from .stations import stations
from .store import Store

FORMAT = 1
"""Version number of the data format that the viewer reads."""
SMALL = 1e-4
"""Maximum error of a position, relative to the size of the smallest body."""
FAR = 1e4
"""Distance [m] from the origin above which positions are stored in double precision."""
UNITS = ("m", "m/s", "N", "N m", "N/m", "rad", "rad/s", "kg", "Pa")
"""SI units of arrows and of texts about devices; the page shows them in its system of units."""
AFTER_RELEASE = 0.5
"""Time [s] after a release that is shown in slow motion if no device acts."""
LONGEST = 30.0
"""Maximum time [s] after a release that is shown in slow motion while a device acts."""


@dataclass
class Scene:
    """Scene of a flight: the data for the page, and the motions of its bodies with all samples."""

    data: dict[str, Any]
    motions: dict[str, Motion] = field(default_factory=dict)
    store: Store = field(default_factory=Store)


@dataclass(frozen=True)
class Detail:
    """Amount of data of a scene.

    - bytes_of_curves: largest size of all curves [bytes], before base64.
    - wide: width [px] up to which the curves keep their appearance.
    - most_knots: largest number of samples of the poses of one body.
    - tolerance: largest error of a position, relative to the smallest body.
    - items: whether joints and items of models are included with their states and forces.
    - readings: whether items include the quantities of their texts.
    """

    bytes_of_curves: int = MOST_BYTES
    wide: float = WIDE
    most_knots: int = MOST_KNOTS
    tolerance: float = SMALL
    items: bool = True
    readings: bool = True


FULL = Detail()
"""Amount of data of the page of one flight."""


def scene_of(
    record: Record, units: str | None = None, detail: Detail = FULL, store: Store | None = None
) -> Scene:
    """Return the scene of a flight or a mission.

    - units: unit system, "SI" or "US". Default: the units of the scenario.
    - detail: amount of data.
    - store: store for the arrays. Default: a new store."""
    units = units or record.scenario.units
    store = Store() if store is None else store
    span = span_of(record)
    events = [_event(one, row) for row, one in enumerate(record.events, 1) if np.isfinite(one.time)]
    data: dict[str, Any] = {
        "format": FORMAT,
        "title": record.scenario.title or "Flight",
        "outcome": in_units(record.outcome, units),
        "completed": bool(record.completed),
        "span": list(span) if span else None,
        "length": display("m", units),
        "units": {unit: display(unit, units) for unit in UNITS},
        "events": events,
    }
    motions = motions_of(record) if span else {}
    if span is None or not motions:
        data |= {"span": None, "bodies": [], "joints": [], "items": [], "curves": [], "separations": []}
        return Scene({**data, "arrays": store.arrays, "reference": "", "left_out": []}, {}, store)
    bodies, left_out, origin = _bodies(record, motions, store, detail)
    joints = [_joint(joint, record, store, span, detail.items) for joint in _all_joints(record)]
    found, faults = _items(record, store, span, detail.readings) if detail.items else ([], [])
    factor = default_factor(found)
    data |= {
        "reference": next(iter(motions)),
        "origin": origin,
        "bodies": bodies,
        "joints": joints,
        "stations": stations(record),
        "items": found,
        **({"exaggeration": factor} if factor is not None else {}),
        "curves": curves_of(record, store, units, span, detail.bytes_of_curves, detail.wide),
        "separations": _releases(record, found),
        "planet": _planet(record),
        "left_out": [*left_out, *faults],
    }
    return Scene({**data, "arrays": store.arrays}, motions, store)


def _event(event: Any, row: int) -> dict[str, Any]:
    found = {"number": row, "name": event.name, "time": float(event.time), "kind": event.kind}
    return {**found, "leg": event.leg} if event.leg else found


def motions_of(record: Record) -> dict[str, Motion]:
    """Return the motions of all bodies, by the name of the body. The first is the motion of the reference
    body, whose poses cover the longest time."""
    found = {body.name: motion_of(record, body.name) for body in all_bodies(record)}
    known = {name: one for name, one in found.items() if one is not None and one.finite.any()}

    def duration(one: Motion) -> float:
        good = one.time[one.finite]
        return float(good[-1] - good[0])

    longest = max(map(duration, known.values()), default=0.0)
    first = [name for name, one in known.items() if duration(one) >= longest * (1 - 1e-9)][:1]
    return {name: known[name] for name in [*first, *(n for n in known if n not in first)]}


def all_bodies(record: Record) -> list[Any]:
    """Return the declarations of the bodies in all legs."""
    found = {body.name: body for one in (record, *records_of(record)) for body in one.scenario.bodies}
    return [*found.values()]


def _all_joints(record: Record) -> list[Any]:
    found = {joint.name: joint for one in (record, *records_of(record)) for joint in one.scenario.joints}
    return [*found.values()]


# --- bodies


def _bodies(
    record: Record, motions: dict[str, Motion], store: Store, detail: Detail
) -> tuple[list[dict[str, Any]], list[str], dict[str, Any]]:
    drawn: list[dict[str, Any]] = []
    left_out: list[str] = []
    for body in all_bodies(record):
        if body.name not in motions:
            left_out.append(f"body {body.name}, because its motion was not recorded")
            continue
        mass, centre, inertia = mass_properties(body, record)
        shapes, faults = shapes_of(body, store)
        left_out += faults
        one = {"name": body.name, "stand_in": not shapes, "mass": mass}
        shapes = shapes or [stand_in(mass, centre, inertia)]
        one |= {"shapes": shapes, "extent": extent_of(shapes), "centre": [float(x) for x in centre]}
        moving = course(record, f"bodies.{body.name}.mass_centre", peaks=False)
        if moving is not None:
            one["centres"] = channel(*moving, store, (moving[0][0], moving[0][-1]))
        drawn.append(one)
    smallest = min((one["extent"] for one in drawn if one["extent"] > 0), default=1.0)
    origin, tolerance, most = _origin(motions), detail.tolerance * smallest, detail.most_knots
    for one in drawn:
        one["poses"] = _poses(motions[one["name"]], origin, tolerance, store, most)
    return drawn, left_out, _knots(origin, tolerance, store, most)


def _origin(motions: dict[str, Motion]) -> Motion:
    """Motion of the origin, which is the motion of the reference body without gaps."""
    reference = next(iter(motions.values()))
    return reference.rows(np.flatnonzero(reference.finite))


def _poses(motion: Motion, origin: Motion, tolerance: float, store: Store, most: int) -> dict[str, Any]:
    """Poses of a body relative to the moving origin."""
    place, speed = at_times(origin, motion.time)
    with np.errstate(invalid="ignore"):
        position, velocity = motion.position - place, motion.velocity - speed
    return _knots(replace(motion, position=position, velocity=velocity), tolerance, store, most)


def _knots(motion: Motion, tolerance: float, store: Store, most: int) -> dict[str, Any]:
    """The samples of a motion that the viewer needs."""
    kept = motion.rows(rows_of_motion(motion, tolerance, most))
    far = float(np.abs(kept.position[kept.finite]).max()) > FAR
    kind = "f8" if far else "f4"
    return {
        "times": store.add(kept.time, "f8"),
        "positions": store.add(kept.position, kind),
        "velocities": store.add(kept.velocity, kind),
        "attitudes": store.add(kept.attitude),
    }


# --- joints and items of parts


def _joint(
    joint: Any, record: Record, store: Store, span: tuple[float, float], loads: bool
) -> dict[str, Any]:
    path = f"joints.{joint.name}."
    found = {
        "name": joint.name,
        "kind": joint.kind,
        "bodies": [joint.parent, joint.child],
        "at": [items.vector(joint.parent_at), items.vector(joint.child_at)],
        "turn": quaternion(joint.parent_frame),
        "active": channel_of(record, f"{path}active", store, span),
    }
    if loads:
        found["force"] = channel_of(record, f"{path}reaction_child_force", store, span)
        found["torque"] = channel_of(record, f"{path}reaction_child_torque", store, span)
    return {key: value for key, value in found.items() if value is not None}


def _items(
    record: Record, store: Store, span: tuple[float, float], readings: bool
) -> tuple[list[dict[str, Any]], list[str]]:
    drawn: dict[tuple[str, str, str], dict[str, Any]] = {}
    left_out: list[str] = []
    budget = Budget() if readings else Budget(0)
    for one in records_of(record):
        found, faults = items.items_of_parts(one)
        found += _spins(one)
        left_out += [text for text in faults if text not in left_out]
        for item in found:
            key = (type(item).__name__, getattr(item, "kind", ""), item.name)
            if key not in drawn:
                drawn[key] = data_of(item, record, store, span, budget)
    return [one for one in drawn.values() if one], left_out


def _spins(record: Record) -> list[items.Item]:
    """The angular velocity of each body as an arrow."""
    stem = "bodies.{}.angular_velocity".format
    names = (body.name for body in record.scenario.bodies)
    return [items.Arrow(name, "angular velocity", name, stem(name)) for name in names]


def _releases(record: Record, found: list[dict[str, Any]]) -> list[dict[str, float]]:
    """Times at which joints release bodies, each with the end of the device actions after the release."""
    ends = [one["until"] for one in found if "until" in one]
    releases = []
    for time in release_times(record):
        after = [end for end in ends if time < end <= time + LONGEST]
        releases.append({"time": time, "until": max(after, default=time + AFTER_RELEASE)})
    return releases


def _planet(record: Record) -> dict[str, Any] | None:
    """The planet, or the flat ground, of a scenario."""
    world = getattr(record.scenario, "planet", None)
    if world is None:
        return None
    if is_flat(world):
        directions = {"up": items.vector(world.up), "north": items.vector(world.north)}
        return {"kind": "flat", **directions, "at": items.vector(world.ground)}
    names = ("radius", "flattening", "rotation_rate", "angle")
    numbers = {name: items.scalar(getattr(world, name)) for name in names}
    return {"kind": "ellipsoid", **numbers}
