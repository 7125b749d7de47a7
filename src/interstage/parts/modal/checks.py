"""Checks of flexible bodies: that the modes fit the body, and that what is on it can follow its points."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.vectors import cross, norm
from ...tree.errors import Problem
from ...tree.names import Names
from ..control.declared import AttitudeHold, RateHold
from ..propellant.elements import FULL, Container
from ..propellant.engines import names as names_of
from ..users.declared import UserForce
from . import fit, likewise, limits
from .declared import GROUPS, ModalBody
from .fit import FIT
from .levels import Level
from .likewise import Fault
from .weighed import Weighed, at_level

if TYPE_CHECKING:
    from ...scenario import Scenario

LUMPED = 0.2
"""Part by which sums may be off for lumps being few: of the first four free bending modes of a uniform beam,
exact, by 0.19 with 11 points, by 0.05 with 21."""


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
    found = (
        likewise.at_level(level.propellant, fault)
        for level in item.at_levels
        if _lumps(level)
        for fault in _misfits(scenario, body, level, float(item.reach))
    )
    for field, text in likewise.once(found):
        yield Problem(f"{place}.{field}", text)


def _misfits(scenario: Scenario, body: Any, level: Level, reach: float) -> Iterator[Fault]:
    """What is wrong with lumped masses, or, where they are those of the body, with the modes."""
    own = at_level(scenario, body, level.propellant)
    off = list(_off(body.name, level, own, reach))
    yield from off or _lumped(level, own)


def _lumps(level: Level) -> bool:
    """Whether all points have masses."""
    return bool(level.points) and all(point.mass is not None for point in level.points)


def _masses(level: Level) -> tuple[np.ndarray, np.ndarray]:
    """Masses (point) [kg] and places (3, point) [m] of the points."""
    mass = np.array([point.mass for point in level.points], float)
    return mass, np.array([point.at for point in level.points], float).T


def _off(name: str, level: Level, own: Weighed, reach: float) -> Iterator[Fault]:
    """What is wrong where the masses of points are not those of the body. reach [m]: of points."""
    mass, places = _masses(level)
    total = float(mass.sum())
    if abs(total - own.mass) > FIT * own.mass:
        text = f"their masses add up to {total:.6g} kg, and '{name}' has {own.mass:.6g} kg"
        yield Fault("points", "mass", text, "give the masses of this body, or leave them out")
    elif own.sure:
        yield from fit.of_masses(mass, places, own.centre, own.inertia, reach)


def _lumped(level: Level, body: Weighed) -> Iterator[Fault]:
    """Whether modes with lumped masses are those of a free body: told once, where lumps may be too few or
    leave out what each has about its own centre, and else of rigid motion and of generalized masses."""
    found = [one for one in _sums(level, body) if one[0] > FIT]
    if found and (max(part for part, *_ in found) < LUMPED or max(beyond for *_, beyond in found) <= FIT):
        remedy = f"{FREE}, {ORTHOGONAL}. Those of a continuous body are off so where lumps are few, or have"
        remedy = f"{remedy} rotary inertia that is left out: leave the masses of the points out, which only"
        remedy = f"{remedy} check the modes, or give more points"
        yield _farthest(found, remedy)
        return
    for field, remedy in (("points", FREE), ("mass", f"modes are to be {ORTHOGONAL}")):
        if own := [one for one in found if one[1] == field]:
            yield _farthest(own, remedy)


FREE = "modes are to be those of the free body, without its rigid motion"
ORTHOGONAL = "orthogonal to each other"


def _farthest(found: list[tuple[float, str, str, float]], remedy: str) -> Fault:
    """What is farthest off, and how many others are."""
    _, field, text, _ = max(found, key=lambda one: one[0])
    if more := len(found) - 1:
        text = f"{text}; {more} more such {'sums are' if more > 1 else 'sum is'} off by over {100 * FIT:g} %"
    return Fault(field, "lumped", text, remedy)


def _sums(level: Level, body: Weighed) -> Iterator[tuple[float, str, str, float]]:
    """How far sums over lumped masses are from those of modes of a free body, the field, the words, and how
    far beyond what lumps may leave out: what inertia the body has beside them may be that of lumps about
    their own centres, which turn with the points."""
    mass, places = _masses(level)
    shapes = np.array([point.shape for point in level.points], float)  # (point, mode, 3)
    count, own = shapes.shape[1], body.mass
    middle = np.sum(mass * places, 1) / mass.sum() if body.centre is None or not body.sure else body.centre
    arm = places - middle[:, None]
    size = float(np.sqrt(np.sum(mass * arm**2) / own))
    given = np.broadcast_to(np.asarray(level.mass, float), (count,))
    turns = np.array([point.turn for point in level.points], float)  # (point, mode, 3)
    rotary = fit.beside(mass, arm, body.inertia)
    carried = np.max(np.linalg.norm(turns @ rotary, axis=-1), 0)
    moving = np.sqrt(np.max(np.einsum("pni,ij,pnj->pn", turns, rotary, turns), 0))
    for n in range(count):
        shape = shapes[:, n].T
        scale = np.sqrt(own * given[n])
        moved, turned = np.sum(mass * shape, 1), np.sum(mass * cross(arm, shape), 1)
        for what, left, own_turning in (
            ("moves the centre of mass", norm(moved), 0.0),
            ("has angular momentum", norm(turned) / max(size, 1e-300), carried[n] / max(size, 1e-300)),
        ):
            part, beyond = float(left / scale), float((left - own_turning) / scale)
            yield part, "points", f"mode {n + 1} {what} by {part:.2g} of its size", beyond
    product = np.einsum("p,pik,pjk->ij", mass, shapes, shapes)
    for i in range(count):
        for j in range(i, count):
            wanted = given[i] if i == j else 0.0
            which = f"mode {i + 1}" if i == j else f"modes {i + 1} and {j + 1}"
            text = f"{which}: masses times shapes give {product[i, j]:.4g} kg where {wanted:.4g} kg"
            off, whole = abs(product[i, j] - wanted), np.sqrt(given[i] * given[j])
            beyond = float((off - moving[i] * moving[j]) / whole)
            yield float(off / whole), "mass", f"{text} is the generalized mass", beyond


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
    """What is on flexible bodies, and cannot follow their points."""
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
    """What is beyond the theory of modes at the start, what may be wrong with tables of modes, and what acts
    on flexible bodies as if they were rigid."""
    bodies = {one.body for one in scenario.forces if isinstance(one, ModalBody)}
    for one in (item for item in scenario.forces if isinstance(item, ModalBody)):
        start = np.zeros(one.count) if one.coordinate is None else np.asarray(one.coordinate)
        left = _left(scenario, one.body)
        for _, text, why in limits.excesses(one, start[None], _spin(scenario, one.body), left):
            yield f"{one.name}: {text} at the start. {why}"
        yield from _below(scenario, one)
        yield from (f"{one.name}: {text}." for _, text in likewise.once(_of_table(scenario, one)))
        if clamped := _clamp_warning(one):
            yield f"{one.name}: {clamped}"
    if bodies:
        yield from _unbent(scenario, bodies)


AT_REST = 1e-9
"""Part of the largest shape up to which a point is at rest in a mode."""


def _clamp_warning(item: ModalBody) -> str:
    """A warning if the modes look like those of a clamped body. A point is then at rest in all of them, and
    all points move to one side in the first one. No mode of a free body does that."""
    level = item.at_levels[0]
    if _lumps(level) or not level.points:
        return ""  # masses at the points show it exactly
    every = (
        np.array([getattr(point, key) for point in level.points], float) for key in ("at", "shape", "turn")
    )
    places, shapes, turns = every
    size = np.linalg.norm(shapes, axis=-1) + np.ptp(places, axis=0).max() * np.linalg.norm(turns, axis=-1)
    rest = np.flatnonzero(np.all(size <= AT_REST * np.max(size), axis=1))
    first = shapes[:, 0]
    largest = first[np.argmax(np.linalg.norm(first, axis=1))]
    if not (0 < rest.size < len(places) and np.any(largest) and np.all(first @ largest >= 0)):
        return ""
    return (
        f"point '{level.points[int(rest[0])].name}' is at rest in all modes, and in the first all points move"
        " to one side, as in modes of a clamped body. The body is free here; give modes of the free body,"
        " without its rigid motion."
    )


def _unbent(scenario: Scenario, bodies: Collection[str]) -> Iterator[str]:
    """What acts on flexible bodies, or sees them, as if they were rigid."""
    for one in scenario.aerodynamics:
        if one.body in bodies:
            yield (
                f"{one.name}: the air's loads act on {one.body} as on a rigid body, and do not bend it; give"
                " those that do as forces at its points."
            )
    for one in (item for item in scenario.forces if isinstance(item, UserForce)):
        yield (
            f"{one.name}: loads of its class on {' and '.join(sorted(bodies))} act as on a rigid body, and do"
            " not bend it; give those that do as forces at its points."
        )
    for one in (item for item in scenario.controls if isinstance(item, RateHold | AttitudeHold)):
        if one.body in bodies:
            yield (
                f"{one.name}: it holds {one.body} as if that were unbent, and a gyro would see its slope:"
                " take a sensor there, and a law of its angular velocity."
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


def _of_table(scenario: Scenario, item: ModalBody) -> Iterator[tuple[Any, Fault]]:
    """What may be wrong with a table of modes, and need not be, with the level each."""
    body = next((one for one in scenario.bodies if one.name == item.body), None)
    if body is not None and item.propellant is not None:
        masses = [at_level(scenario, body, level.propellant).mass for level in item.at_levels]
        yield from fit.of_levels(item.at_levels, masses)
    for level in item.at_levels:
        for fault in _of_level(scenario, item, level, body):
            yield likewise.at_level(level.propellant, fault)


def _of_level(scenario: Scenario, item: ModalBody, level: Level, body: Any) -> Iterator[Fault]:
    """As `_of_table`, of the modes at one level."""
    damping = np.broadcast_to(np.asarray(level.damping, float), (item.count,))
    if np.max(damping) >= 1:
        k = int(np.argmax(damping))
        text = f"mode {k + 1} has a damping ratio of {damping[k]:.3g}, and swings no more"
        yield Fault("", ("damping", k), text, "1 % is 0.01")
    yield from fit.against(level.points, level.frequency)
    if body is not None and _lumps(level):
        yield from _of_masses(level, at_level(scenario, body, level.propellant), float(item.reach))


def _of_masses(level: Level, own: Weighed, reach: float) -> Iterator[Fault]:
    """What may be wrong with the masses of points, and need not be."""
    if own.centre is None:
        return
    mass, places = _masses(level)
    if own.sure:
        yield from fit.short_of(mass, places, own.inertia)
        return
    how = "like parts of each tank" if own.alike else "drained as its engines draw"
    for fault in fit.of_masses(mass, places, own.centre, own.inertia, reach):
        yield fault._replace(text=f"{how}, {fault.text}", remedy="see whether both are one body")


def _spin(scenario: Scenario, name: str) -> np.ndarray:
    """Spin of a body at the start [rad/s] (1,), as far as it is declared."""
    found = (getattr(body.initial, "angular_velocity", None) for body in scenario.bodies if body.name == name)
    spin = next(found, None)
    return np.array([0.0 if spin is None else float(norm(np.asarray(spin)))])
