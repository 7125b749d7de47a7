"""Warn of inputs and results that are allowed but rarely intended."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from ..environment.gravity import NoGravity
from ..missions.leg import MissionLeg
from ..missions.mission import Mission
from ..model.ground import IgnoreGround, RecordAtGround
from ..model.initial import FromFile, OverGround
from ..record.conservation import drifts
from ..record.impacts import impacts
from ..record.posed import Posed, flown_pose
from ..record.record import Record
from ..scenario import GROUPS
from ..starts.by_pattern import patterns_in
from ..tree import packages
from ..tree.errors import BadInput
from . import bare_angles, overshoot

GROUND = 1.0
"""Depth of a centre of mass below the ground, or below its start, above which a warning is printed [m]."""
SUNK = 1e-5
"""Depth of an impact [m] above which the body must already have started on the ground. All other impacts are
located with an error below 1e-8 m.
"""
ON_THE_PAD = (
    "The thrust was below the weight, and no joint held the body. Start with full thrust, or hold the body"
    ' until the thrust exceeds the weight. A first mission leg with coordinates = "held" holds the body. On a'
    " planet that does not rotate, a joint to the ground also holds the body"
)
"""Text that suggests a fix if a body sinks after a start on the ground."""
LOW, FAST = 1000.0, 340.0
"""Limits for a warning: a start below the altitude LOW [m] with a speed above FAST [m/s] is rarely intended.

FAST is the speed of sound at sea level. Launchers reach this speed at an altitude of several kilometres.
"""
GYRATION = 50.0
"""Radius of gyration [m] above which a warning is printed. This radius is above the radius of any stage.

A uniform rod with this radius of gyration has a length of 170 m.
"""


Pose = Callable[[str], Posed | None]
"""Function that returns the initial pose of a body by its name; None if the pose is unknown."""


def remarks(scenario: Any, pose: Pose | None = None) -> list[str]:
    """Return the warnings that can be found without a flight.

    pose: function that returns the initial pose of a body from its name. Default: declaration of the pose in
    the scenario.

    The members of a pattern share one warning. In a mission, a warning is returned only if it applies to
    every leg that contains all items named in the warning.
    """
    legs = [(leg.scenario, _of_a_flight(leg.scenario, pose)) for leg in Mission.of(scenario).legs.values()]
    said = dict.fromkeys(text for own, texts in legs for text in texts if not _contradicts(text, own, legs))
    return [*bare_angles.notes(scenario), *said]


def _contradicts(text: str, own: Any, legs: Iterable[tuple[Any, Collection[str]]]) -> bool:
    """Whether a warning on one leg does not hold in another leg that has all items that the warning names.
    own: scenario of the leg; legs: scenarios of all legs and their warnings."""
    named = {name for name in _things(own) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)}
    return any(text not in texts and named <= _things(leg) for leg, texts in legs)


def _things(scenario: Any) -> set[str]:
    """Names of everything that a scenario declares but phases, events and requirements."""
    groups = [group for group in GROUPS if group not in ("phases", "events", "requirements", "legs")]
    return {item.name for group in groups for item in getattr(scenario, group)}


def _of_a_flight(scenario: Any, pose: Pose | None) -> list[str]:
    said = [*_weightless(scenario), *unfired_devices(scenario), *never_attached(scenario)]
    said += [*_low(scenario), *_spread_out(scenario), *overshoot.warnings(scenario)]
    said += _of_parts(scenario, "remarks", scenario, pose or cache(partial(_declared_pose, scenario)))
    return _by_pattern(scenario, said)


def peculiar(leg: MissionLeg) -> set[str]:
    """Return the warnings of a leg that do not apply to the mission, because another leg contains the missing
    action.
    """

    def nowhere(name: str) -> None:
        return None

    legs = [
        (one.scenario_at_rest, {*remarks(one.scenario_at_rest, nowhere)}) for one in leg.mission.legs.values()
    ]
    own, said = leg.scenario_at_rest, {*remarks(leg.scenario_at_rest, nowhere)}
    return {text for text in said if _contradicts(text, own, legs)}


def notes(record: Record) -> list[str]:
    """Return the warnings for a record: warnings of its scenario, and warnings of its results."""
    said = remarks(record.scenario, partial(flown_pose, record))
    said += _of_parts(record.scenario, "notes", record)
    return [*said, *_at_once(record), *_sunk(record), *_underground(record), *_drift_warnings(record)]


STRAYED = 1e3
"""Drift of a conserved quantity above which a warning is printed. The drift is relative to the magnitude of
the quantity and to the tolerance of the steps.

The factor is large, because the errors of thousands of steps add up. A drift within the absolute part of the
tolerance gives no warning.
"""


def _drift_warnings(record: Record) -> Iterator[str]:
    """A warning for each quantity that a flight conserves and whose drift the tolerance does not explain."""
    solver = record.scenario.solver
    if solver.fixed_step or not record.completed:
        return
    tolerance = float(solver.tolerance)
    for drift in drifts(record):
        if drift.worst > STRAYED * tolerance * max(drift.scale, drift.absolute):
            times = drift.relative / tolerance
            yield (
                f"The relative drift of the conserved {drift.what} is {drift.relative:.1e}: the step"
                f" errors add up to {times:.0e} times solver.tolerance. Set solver.tolerance ="
                f" {tolerance / 100:.0e}, or"
                " accept this drift as the error of the flight."
            )


def _of_parts(scenario: Any, name: str, *arguments: Any) -> Iterator[str]:
    """What the checks of parts notice, by their functions of a name: `remarks` of a scenario and a `Pose`,
    `notes` of a record. A fault in those of others costs no flight."""
    for checks in packages.of_ours("checks"):
        yield from getattr(checks, name)(*arguments) if hasattr(checks, name) else ()
    for checks, package in packages.of_others("checks", scenario):
        try:
            yield from map(str, getattr(checks, name)(*arguments) if hasattr(checks, name) else ())
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            yield f"{packages.fault(error, package, scenario)}."


def _by_pattern(scenario: Any, said: list[str]) -> list[str]:
    """Sentences, each once; a sentence that holds for all members of a pattern is reported for the
    pattern."""
    members: dict[str, list[str]] = {}
    for (_, name), pattern in patterns_in(scenario).items():
        members.setdefault(pattern, []).append(name)
    for pattern, names in members.items():
        of_pattern = {
            name: [re.sub(rf"(?<![\w-]){name}(?![\w-])", pattern, text) for text in said] for name in names
        }
        common = set.intersection(*(set(texts) - set(said) for texts in of_pattern.values()))
        for texts in of_pattern.values():
            said = [new if new in common else old for old, new in zip(said, texts, strict=True)]
    return list(dict.fromkeys(said))


def _declared_pose(scenario: Any, name: str) -> Posed | None:
    """The pose of a body as declared, through its joints; none where saved flights must be read for it."""
    from ..starts.start import instant_as_declared

    if any(isinstance(body.initial, FromFile) for body in scenario.bodies):
        return None
    body = [body.name for body in scenario.bodies].index(name)
    try:
        here = instant_as_declared(scenario)
    except BadInput:
        return None
    place, turn, centre = here.motion.position, here.motion.rotation, here.equations.numbers.centre
    return Posed(*(np.asarray(part)[..., body] for part in (place, turn, centre)))


def unfired_devices(scenario: Any) -> Iterator[str]:
    """Yield a warning for each device that never releases its joints.

    The scenario is still valid, because a device can also only attach bodies.
    """
    actions = (*scenario.phases, *scenario.events)
    fired = {name for item in actions for name in item.fire}
    held = {joint.name for joint in scenario.joints if joint.active}
    held |= {name for item in actions for name in item.attach}
    held |= {name for device in scenario.devices for name in device.caught_joints}
    for device in scenario.devices:
        if not device.idle or not device.released_joints:
            continue
        if device.after is None and device.name not in fired:
            yield (
                f"Device {device.name} is never fired, so its joints are never released. Set fire ="
                f' ["{device.name}"] in a phase or event, or set devices.{device.name}.after.'
            )
        elif not held.intersection(device.released_joints):
            names = " and ".join(device.released_joints)
            never = "is never active" if len(device.released_joints) == 1 else "are never active"
            yield (
                f"Device {device.name} has no joint to release, because {names} {never}. Attach the joint "
                "before the device acts, or remove the device."
            )


def never_attached(scenario: Any) -> Iterator[str]:
    """Yield a warning for each inactive joint that no phase, event or device attaches."""
    attached = {name for item in (*scenario.phases, *scenario.events) for name in item.attach}
    attached |= {name for device in scenario.devices for name in device.caught_joints}
    for joint in scenario.joints:
        if not joint.active and joint.name not in attached:
            yield (
                f"joints.{joint.name} has active = false, and no phase, event or latch attaches the"
                f' joint. Add attach = ["{joint.name}"] to a phase or event, or remove the joint.'
            )


def _weightless(scenario: Any) -> Iterator[str]:
    gravity = scenario.gravity
    written = "kind" in gravity.model_fields_set
    if scenario.planet is not None and isinstance(gravity, NoGravity) and not written:
        text = 'The scenario has a planet but no gravity. Add [gravity], for example with kind = "zonal"'
        yield f'{text}, or set gravity = "none".'


def _low(scenario: Any) -> Iterator[str]:
    for body in scenario.bodies:
        start = body.initial
        if not isinstance(start, OverGround):
            continue
        altitude = float(_one(start.altitude))
        given = start.speed if start.velocity_ned is None else start.velocity_ned
        speed = float(np.linalg.norm(_one(given))) if given is not None else 0.0
        if GROUND < altitude < LOW and speed > FAST:
            yield (
                f"Body {body.name} starts at an altitude of {altitude:g} m with {speed:g} m/s. Launchers"
                " reach this speed at several kilometres: check the altitude and its unit, for example"
                f' "{altitude:g} km".'
            )


def _spread_out(scenario: Any) -> Iterator[str]:
    for body in scenario.bodies:
        mass, inertia = float(np.max(_one(body.mass))), _one(body.inertia)
        largest = float(np.linalg.eigvalsh(inertia)[-1]) if inertia.shape == (3, 3) else 0.0
        plain = mass > 0 and not body.elements and body.inertia_about is None
        if plain and (size := np.sqrt(largest / mass)) > GYRATION:
            yield (
                f"Body {body.name} has an unusually large radius of gyration, {size:.3g} m ({largest:g} kg"
                f" m^2, {mass:g}"
                " kg). Check the units of mass and inertia."
            )


def _one(value: Any) -> np.ndarray:
    """A number, or an array of them, of a flight by itself."""
    return np.asarray(value, float)


def _at_once(record: Record) -> Iterator[str]:
    if record.completed and record.phases and record.phases[-1][2] == record.phases[0][1]:
        ends = [event.name for event in record.events]
        reason = (
            "because the trigger of each phase was already met at the start. Change the triggers of the "
            "phases"
        )
        yield f"The flight ended at its start ({', '.join(ends)}), {reason}."


def _sunk(record: Record) -> Iterator[str]:
    """Bodies that sank from a start on the ground, with the remedies."""
    if record.time[0] > 0:
        return
    for one in impacts(record):
        altitude = record.series.get(f"bodies.{one.body}.altitude")
        if altitude is None or one.altitude > float(record.scenario.ground.altitude) - SUNK:
            continue
        reason = "because the body started on the ground and sank"
        yield f"Body {one.body} reached the ground at {one.time:.4g} s {reason}. {ON_THE_PAD}."


def _underground(record: Record) -> Iterator[str]:
    ground = record.scenario.ground
    recorded = {one.body for one in impacts(record)} if isinstance(ground, RecordAtGround) else set()
    for body in () if isinstance(ground, IgnoreGround) else record.scenario.bodies:
        if body.name in recorded:
            continue
        altitude = record.series.get(f"bodies.{body.name}.altitude")
        if altitude is None or not len(altitude):
            continue
        if altitude[0] < -GROUND and record.scenario.planet is not None:
            if not record.time[0] > 0:  # an earlier leg of the mission has reported this
                yield (
                    f"Body {body.name} starts {-float(altitude[0]):.4g} m below the ground. Give an altitude"
                    ' above the ground, for example initial = { altitude = "70 km", ... }.'
                )
            continue
        lowest = int(np.argmin(altitude))
        if altitude[lowest] < min(float(altitude[0]), 0.0) - GROUND:
            yield (
                f"Body {body.name} went below the ground, to an altitude of {float(altitude[lowest]):.4g}"
                f" m at {float(record.time[lowest]):.6g} s. {_remedy(record, body.name, altitude)}."
                ' For a flight without ground, set ground = "ignore".'
            )


def _remedy(record: Record, body: str, altitude: np.ndarray) -> str:
    """How to keep a body above the ground: one that sinks from a start on it has too little thrust."""
    if float(altitude[0]) <= GROUND and not record.time[0] > 0 and np.all(altitude[:2] <= altitude[0]):
        return f"The body starts on the ground and sinks. {ON_THE_PAD}"
    return f"End the last phase with a trigger on bodies.{body}.altitude"
