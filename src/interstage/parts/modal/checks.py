"""Checks of bodies that bend: that the modes fit the body, and that what is on it can follow its points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.vectors import norm
from ...tree.errors import Problem
from ...tree.names import Names
from ..propellant.elements import FULL, Container
from ..propellant.engines import names as names_of
from . import level_changes, limits, lumps, slopes
from .declared import ModalBody
from .levels import Fault, Level, told
from .lumps import FIT
from .weighed import at_level

if TYPE_CHECKING:
    from ...scenario import Scenario

GROUPS = ("joints", "forces", "devices", "engines", "sensors")


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """All that is wrong with modes whose declarations are valid one by one."""
    bodies: dict[str, ModalBody] = {}
    for item in (one for one in scenario.forces if isinstance(one, ModalBody)):
        place = f"forces.{item.name}"
        if item.body in bodies:
            yield Problem(
                f"{place}.body", f"'{item.body}' has modes already, those of {bodies[item.body].name}"
            )
        bodies.setdefault(item.body, item)
        if scenario.coordinates != "rigid":
            text = f'moves by itself, which coordinates = "{scenario.coordinates}" has no room for'
            yield Problem(place, f'{text}; take coordinates = "rigid", or leave the modes out')
        for body in scenario.bodies:
            if body.name == item.body:
                yield from _fit(scenario, place, item, body)
                if item.propellant is not None:
                    yield from _drains(scenario, place, item, body)
    if bodies:
        yield from _on(scenario, bodies)
        yield from _kicks(scenario, bodies)


def _fit(scenario: Scenario, place: str, item: ModalBody, body: Any) -> Iterator[Problem]:
    """Whether modes with lumped masses are those of the free body, at each level."""
    if body.elements and item.propellant is None:
        text = (
            f"'{body.name}' has elements of mass, and modes of a body whose mass changes are not those of the"
        )
        remedy = (
            "give modes at several levels of its propellant, or its mass as a whole, or leave the modes out"
        )
        yield Problem(f"{place}.body", f"{text} table; {remedy}")
        return

    def faults(level: Level) -> Iterator[Fault]:
        if lumps.known(level):
            own = at_level(scenario, body, level.propellant)
            yield from lumps.faults(body.name, level, own, float(item.reach))

    yield from (Problem(f"{place}.{field}", text) for field, text in told(item.at_levels, faults))


def _drains(scenario: Scenario, place: str, item: ModalBody, body: Any) -> Iterator[Problem]:
    """What a body whose modes follow its propellant must have, and cannot have."""
    tanks = [e for e in body.elements if isinstance(e, Container)]
    if not any(tank.drains for tank in tanks):
        text = (
            f"'{body.name}' has no tank that drains, and modes are given by the propellant left in its tanks"
        )
        yield Problem(f"{place}.propellant", f"{text}; give it tanks (elements), or the modes of one level")
        return
    for tank in (one for one in tanks if getattr(one, "slosh", None)):
        text = f"sloshes on '{body.name}', which bends, and its modes are those of a liquid that does not"
        yield Problem(
            f"bodies.{body.name}.elements.{tank.name}.slosh", f"{text}; leave slosh or the modes out"
        )
    if body.inertia_rate is not None:
        text = f"'{body.name}' bends, and this model knows rigid bodies only"
        yield Problem(f"bodies.{body.name}.inertia_rate", f"{text}; leave it out, or the modes")
    for group in ("phases", "events"):
        for one in getattr(scenario, group):
            for name in (n for n in one.drop if n.partition(".")[0] == body.name):
                text = f"'{name}' is of '{body.name}', which bends, and without it the modes would be others"
                yield Problem(f"{group}.{one.name}.drop", f"{text}; make it a body, which a joint holds")
    for engine in scenario.engines:
        drawn = [name for name in names_of(engine).tanks if name.partition(".")[0] == body.name]
        if drawn and engine.body != body.name:
            text = f"draws from '{drawn[0]}', and '{body.name}' bends: what the gas takes along is known of"
            yield Problem(
                f"engines.{engine.name}.body", f"{text} engines on it alone; put it on '{body.name}'"
            )
    held, most = sum(float(tank.propellant) for tank in tanks), float(np.max(np.asarray(item.propellant)))
    if held > most * FULL:
        text = f"end at {most:.6g} kg, and the tanks of '{body.name}' start with {held:.6g} kg"
        yield Problem(f"{place}.propellant", f"{text}; give modes for that, or less propellant")


def _on(scenario: Scenario, bodies: Mapping[str, ModalBody]) -> Iterator[Problem]:
    """What is on bodies that bend, and cannot follow their points."""
    for group in GROUPS:
        for one in getattr(scenario, group):
            if isinstance(one, ModalBody):
                continue
            place, ends = f"{group}.{one.name}", dict(getattr(one, "stands", ()))
            for end in ("body", "parent", "child"):
                item = bodies.get(getattr(one, end, None) or "")
                if item is not None and end in ends:
                    yield from _off_points(f"{place}.{ends[end]}", getattr(one, ends[end]), item)
                elif item is not None:
                    text = f"'{item.body}' bends, which this does not feel and would not cause"
                    yield Problem(
                        f"{place}.{end}", f"{text}; put it on a body that a fixed joint holds there"
                    )
    for one in scenario.contacts:
        for field, names in (("body", (one.body,)), ("against", one.against)):
            for name in (n.partition(".")[0] for n in names if n.partition(".")[0] in bodies):
                text = f"'{name}' bends, which contacts do not feel and would not cause"
                yield Problem(
                    f"contacts.{one.name}.{field}", f"{text}; touch a body that a fixed joint holds there"
                )


def _kicks(scenario: Scenario, bodies: Mapping[str, ModalBody]) -> Iterator[Problem]:
    """Devices whose impulse as they let a joint go would act far from the joint's point."""
    joints = {joint.name: joint for joint in scenario.joints}
    for one in scenario.devices:
        at = getattr(one, "at", None)
        for joint in (joints[name] for name in one.joints_named if name in joints):
            item = bodies.get(joint.parent)
            if at is None or item is None:
                continue
            away = float(norm(np.asarray(at) - np.asarray(joint.parent_at)))
            if away > float(item.reach):
                text = f"is {away:.4g} m from the point of joint '{joint.name}' on '{item.body}', which bends"
                yield Problem(f"devices.{one.name}.at", f"{text}; leave it out, and it acts at that point")


def _off_points(place: str, at: Any, item: ModalBody) -> Iterator[Problem]:
    """What stands where the modes have no point."""
    if not item.points:
        yield Problem(
            f"forces.{item.name}.points", f"has no points, and {place} is on '{item.body}'; give its point"
        )
        return
    away = [float(norm(np.asarray(at) - np.asarray(point.at))) for point in item.points]
    k = int(np.argmin(away))
    if away[k] > float(item.reach):
        x, y, z = (round(float(v), 9) + 0.0 for v in np.asarray(at))
        text = (
            f"[{x:g}, {y:g}, {z:g}] m is no point of the modes {item.name}; the next, {item.points[k].name},"
        )
        yield Problem(place, f"{text} is {away[k]:.4g} m away. Give the shapes there, or raise its reach")


def remarks(scenario: Scenario, pose: Any) -> Iterator[str]:
    """What acts on bodies that bend as if they were rigid."""
    bodies = {one.body for one in scenario.forces if isinstance(one, ModalBody)}
    for one in (item for item in scenario.forces if isinstance(item, ModalBody)):
        start = np.zeros(one.count) if one.coordinate is None else np.asarray(one.coordinate)
        left = _left(scenario, one.body)
        for _, text, why in limits.excesses(one, start[None], _spin(scenario, one.body), left):
            yield f"{one.name}: {text} at the start. {why}"
        yield from _below(scenario, one)
        yield from dict.fromkeys(f"{one.name}: {text}" for text in _of_table(scenario, one))
    for one in scenario.aerodynamics:
        if one.body in bodies:
            yield (
                f"{one.name}: the air's loads act on {one.body} as on a rigid body, and do not bend it; give"
                " those that do as forces at its points."
            )
    held = {one.name: one for one in (*scenario.joints, *scenario.forces)}
    for one in scenario.interfaces:
        first = held.get(next(iter((*one.joints, *one.forces)), ""))
        if one.at is not None and getattr(first, one.at_body or one.on, None) in bodies:
            yield (
                f"{one.name}: its station `at` is on the body unbent; leave `at` out, and it is where its"
                " first attachment is."
            )
    for one in scenario.pairs:
        for end in ("parent", "child"):
            if (name := getattr(one, end)) in bodies:
                yield f"{one.name}: its {end}'s point is seen on {name} unbent; a sensor there bends with it."


def _tanks(scenario: Scenario, name: str) -> list[Any]:
    bodies = (body for body in scenario.bodies if body.name == name)
    return [e for body in bodies for e in body.elements if isinstance(e, Container)]


def _left(scenario: Scenario, name: str) -> np.ndarray:
    """Propellant in a body at the start [kg] (1,)."""
    return np.array([sum(float(tank.propellant) for tank in _tanks(scenario, name))])


def _below(scenario: Scenario, item: ModalBody) -> Iterator[str]:
    """That tanks can drain to less than the lowest level."""
    if item.propellant is None:
        return
    tanks = _tanks(scenario, item.body)
    stays = sum(float(tank.residual if tank.drains else tank.propellant) for tank in tanks)
    lowest, highest = (float(item.propellant[k]) for k in (0, -1))
    held = float(_left(scenario, item.body)[0])
    if held < FIT * highest:
        yield (
            f"{item.name}: its modes are given up to {highest:.6g} kg of propellant, and the tanks of"
            f" {item.body} start with {held:.6g} kg; see whether both are in one unit."
        )
    if stays < lowest - FIT * highest:
        yield (
            f"{item.name}: its modes are given down to {lowest:.6g} kg of propellant, and the tanks of"
            f" {item.body} can drain to {stays:.6g} kg; below, the modes of that level are held."
        )


def _of_table(scenario: Scenario, item: ModalBody) -> Iterator[str]:
    """What may be wrong with a table of modes, and need not be."""
    body = next((one for one in scenario.bodies if one.name == item.body), None)
    if body is not None and item.propellant is not None:
        masses = [at_level(scenario, body, level.propellant).mass for level in item.at_levels]
        yield from level_changes.of_levels(item.at_levels, masses)

    def doubts(level: Level) -> Iterator[Fault]:
        damping = np.broadcast_to(np.asarray(level.damping, float), (item.count,))
        if np.max(damping) >= 1:
            k = int(np.argmax(damping))
            text = f"mode {k + 1} has a damping ratio of {damping[k]:.3g}, and swings no more"
            yield Fault("", "damping", text, "1 % is 0.01.")
        yield from slopes.against(level.points)
        if body is not None and lumps.known(level):
            own = at_level(scenario, body, level.propellant)
            yield from lumps.doubts(level, own, float(item.reach))

    yield from (text for _, text in told(item.at_levels, doubts))


def _spin(scenario: Scenario, name: str) -> np.ndarray:
    """Spin of a body at the start [rad/s] (1,), as far as it is declared."""
    found = (getattr(body.initial, "angular_velocity", None) for body in scenario.bodies if body.name == name)
    spin = next(found, None)
    return np.array([0.0 if spin is None else float(norm(np.asarray(spin)))])
