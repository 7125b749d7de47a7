"""Check flexible bodies: the modes agree with the body, and attachments are near its points."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.vectors import cross, norm
from ...model.flexible import ModeSet
from ...tree.errors import Problem
from ...tree.names import Names
from ..control.declared import AttitudeHold, RateHold
from ..propellant.elements import FULL, Container
from ..propellant.engines import names as names_of
from ..users.declared import UserForce
from . import fit, likewise, limits
from .declared import GROUPS, ModalBody
from .fit import FIT
from .likewise import Fault
from .weighed import Weighed, at_level

if TYPE_CHECKING:
    from ...scenario import Scenario

LUMPED = 0.2
"""The relative error of sums over lumped masses that a small number of masses can cause. For the first four
free bending modes of a uniform beam, the error is 0.19 with 11 points and 0.05 with 21 points.
"""


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of modes in combination with the bodies and attachments of the scenario."""
    bodies: dict[str, ModalBody] = {}
    for item in (one for one in scenario.forces if isinstance(one, ModalBody)):
        place = f"forces.{item.name}"
        if item.body in bodies:
            yield Problem(
                f"{place}.body",
                f"'{item.body}' already has the modes {bodies[item.body].name}. Remove one of the two"
                " declarations",
            )
        bodies.setdefault(item.body, item)
        if scenario.coordinates != "rigid":
            text = (
                f'modes have their own states, which coordinates = "{scenario.coordinates}" does not support'
            )
            yield Problem(place, f'{text}. Set coordinates = "rigid", or remove the modes')
        for body in scenario.bodies:
            if body.name == item.body:
                yield from _fit(scenario, place, item, body)
                if item.propellant is not None:
                    yield from _drains(scenario, place, item, body)
    if bodies:
        yield from _on(scenario, bodies)
        yield from _kicks(scenario, bodies)


def _fit(scenario: Scenario, place: str, item: ModalBody, body: Any) -> Iterator[Problem]:
    """Yield the faults of modes with lumped masses compared with the free body, at each level."""
    if body.elements and item.propellant is None:
        text = f"'{body.name}' has mass items, but a single table of modes needs a body of constant mass"
        remedy = "Give modes at several propellant levels, or replace the mass items by a constant mass"
        yield Problem(f"{place}.body", f"{text}. {remedy}")
        return
    found = (
        likewise.at_level(level.propellant, fault)
        for level in item.at_levels
        if _lumps(level)
        for fault in _misfits(scenario, body, level, float(item.reach))
    )
    for field, text in likewise.once(found):
        yield Problem(f"{place}.{field}", text)


def _misfits(scenario: Scenario, body: Any, level: ModeSet, reach: float) -> Iterator[Fault]:
    """Yield the faults of the lumped masses or, if these match the body, of the modes."""
    own = at_level(scenario, body, level.propellant)
    off = list(_off(body.name, level, own, reach))
    yield from off or _lumped_faults(level, own)


def _lumps(level: ModeSet) -> bool:
    """Whether all points have masses."""
    return bool(level.points) and all(point.mass is not None for point in level.points)


def _masses(level: ModeSet) -> tuple[np.ndarray, np.ndarray]:
    """Return the masses (point) [kg] and positions (3, point) [m] of the points."""
    mass = np.array([point.mass for point in level.points], float)
    return mass, np.array([point.at for point in level.points], float).T


def _off(name: str, level: ModeSet, own: Weighed, reach: float) -> Iterator[Fault]:
    """Yield the faults of lumped masses that do not match the body. reach [m]: the reach of points."""
    mass, places = _masses(level)
    total = float(mass.sum())
    if abs(total - own.mass) > FIT * own.mass:
        text = f"the masses of the points sum to {total:.6g} kg, but '{name}' has {own.mass:.6g} kg"
        yield Fault("points", "mass", text, "Correct these masses, or remove them")
    elif own.sure:
        yield from fit.of_masses(mass, places, own.centre, own.inertia, reach)


def _lumped_faults(level: ModeSet, body: Weighed) -> Iterator[Fault]:
    """Yield the faults of modes compared with the free body by lumped masses.

    If few lumps or their missing rotary inertia can be the cause, there is one fault. Otherwise there can be
    one fault of rigid motion and one of generalized masses."""
    found = [one for one in _sums(level, body) if one[0] > FIT]
    if found and (max(part for part, *_ in found) < LUMPED or max(beyond for *_, beyond in found) <= FIT):
        remedy = (
            f"{FREE}, {ORTHOGONAL}. Too few points, or points without rotary inertia, also cause such a"
            " difference. Then give more points, or remove the masses of the points, which are"
            " used only for this check"
        )
        yield _farthest(found, remedy)
        return
    for field, remedy in (("points", FREE), ("mass", f"Give modes that are {ORTHOGONAL}")):
        if own := [one for one in found if one[1] == field]:
            yield _farthest(own, remedy)


FREE = "Give modes of the free body, without its rigid-body modes"
ORTHOGONAL = "orthogonal to each other"


def _farthest(found: list[tuple[float, str, str, float]], remedy: str) -> Fault:
    """Return the largest deviation, with the number of others."""
    _, field, text, _ = max(found, key=lambda one: one[0])
    if more := len(found) - 1:
        text = (
            f"{text}; {more} more {'checks fail' if more > 1 else 'check fails'} by more than {100 * FIT:g} %"
        )
    return Fault(field, "lumped", text, remedy)


def _sums(level: ModeSet, body: Weighed) -> Iterator[tuple[float, str, str, float]]:
    """Yield (deviation, field, text, excess) of sums over lumped masses compared with the modes of a free
    body.

    The excess is the deviation without the part that missing rotary inertia can cause. If the inertia of the
    body exceeds the inertia of the lumps, the difference can be their own rotary inertia, which rotates with
    the points."""
    mass, places = _masses(level)
    shapes = np.array([point.shape for point in level.points], float)  # (point, mode, 3)
    count, own = shapes.shape[1], body.mass
    middle = np.sum(mass * places, 1) / mass.sum() if body.centre is None or not body.sure else body.centre
    arm = places - middle[:, None]
    size = float(np.sqrt(np.sum(mass * arm**2) / own))
    given = np.broadcast_to(np.asarray(level.mass, float), (count,))
    turns = np.array([point.turn for point in level.points], float)  # (point, mode, 3)
    rotary = fit.remaining_inertia(mass, arm, body.inertia)
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
            yield part, "points", f"mode {n + 1} {what} (relative size {part:.2g})", beyond
    product = np.einsum("p,pik,pjk->ij", mass, shapes, shapes)
    for i in range(count):
        for j in range(i, count):
            wanted = given[i] if i == j else 0.0
            which = f"mode {i + 1}" if i == j else f"modes {i + 1} and {j + 1}"
            text = (
                f"{which}: the masses and shapes give {product[i, j]:.4g} kg, but the generalized"
                f" mass is {wanted:.4g} kg"
            )
            off, whole = abs(product[i, j] - wanted), np.sqrt(given[i] * given[j])
            beyond = float((off - moving[i] * moving[j]) / whole)
            yield float(off / whole), "mass", text, beyond


def _drains(scenario: Scenario, place: str, item: ModalBody, body: Any) -> Iterator[Problem]:
    """Yield the faults of a body whose modes depend on its propellant."""
    tanks = [e for e in body.elements if isinstance(e, Container)]
    if not any(tank.drains for tank in tanks):
        text = f"'{body.name}' has no draining tank, but its modes depend on the propellant left"
        yield Problem(f"{place}.propellant", f"{text}. Add a draining tank, or give modes at one level")
        return
    for tank in (one for one in tanks if getattr(one, "slosh", None)):
        text = f"the modes of the flexible body '{body.name}' do not include slosh"
        yield Problem(f"bodies.{body.name}.elements.{tank.name}.slosh", f"{text}. Remove slosh, or the modes")
    if body.inertia_rate is not None:
        text = f"'{body.name}' is flexible, and this model supports rigid bodies only"
        yield Problem(f"bodies.{body.name}.inertia_rate", f"{text}. Remove inertia_rate, or the modes")
    for group in ("phases", "events"):
        for one in getattr(scenario, group):
            for name in (n for n in one.drop if n.partition(".")[0] == body.name):
                text = f"the jettison of '{name}' would change the modes of the flexible body '{body.name}'"
                remedy = f"Declare '{name}' as a body with a fixed joint"
                yield Problem(f"{group}.{one.name}.drop", f"{text}. {remedy}")
    for engine in scenario.engines:
        drawn = [name for name in names_of(engine).tanks if name.partition(".")[0] == body.name]
        if drawn and engine.body != body.name:
            text = (
                f"the engine draws from '{drawn[0]}', but the flexible body '{body.name}' feeds only its own"
                " engines"
            )
            yield Problem(f"engines.{engine.name}.body", f"{text}. Set body = '{body.name}'")
    held, most = sum(float(tank.propellant) for tank in tanks), float(np.max(np.asarray(item.propellant)))
    if held > most * FULL:
        text = (
            f"the highest propellant level with modes is {most:.6g} kg, but the tanks of "
            f"'{body.name}' start with {held:.6g} kg"
        )
        yield Problem(
            f"{place}.propellant", f"{text}. Add modes for this propellant mass, or reduce the propellant"
        )


def _on(scenario: Scenario, bodies: Mapping[str, ModalBody]) -> Iterator[Problem]:
    """Yield the faults of attachments and contacts that cannot follow the points of flexible bodies."""
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
                    text = f"'{item.body}' is flexible, but this model acts on rigid bodies only"
                    yield Problem(
                        f"{place}.{end}", f"{text}. Use a rigid body that a joint fixes to '{item.body}'"
                    )
    for one in scenario.contacts:
        for field, names in (("body", (one.body,)), ("against", one.against)):
            for name in (n.partition(".")[0] for n in names if n.partition(".")[0] in bodies):
                text = f"'{name}' is flexible, but contacts act on rigid bodies only"
                yield Problem(
                    f"contacts.{one.name}.{field}", f"{text}. Use a rigid body that a joint fixes to '{name}'"
                )


def _kicks(scenario: Scenario, bodies: Mapping[str, ModalBody]) -> Iterator[Problem]:
    """Yield the faults of release devices whose impulse would act far from the joint point."""
    joints = {joint.name: joint for joint in scenario.joints}
    for one in scenario.devices:
        at = getattr(one, "at", None)
        for joint in (joints[name] for name in one.joints_named if name in joints):
            item = bodies.get(joint.parent)
            if at is None or item is None:
                continue
            away = float(norm(np.asarray(at) - np.asarray(joint.parent_at)))
            if away > float(item.reach):
                text = (
                    f"the point `at` is {away:.4g} m from joint '{joint.name}' on the flexible body "
                    f"'{item.body}'"
                )
                yield Problem(f"devices.{one.name}.at", f"{text}. Remove `at`, to act at the joint point")


def _off_points(place: str, at: Any, item: ModalBody) -> Iterator[Problem]:
    """Yield the faults of attachments at positions without a point of the modes."""
    if not item.points:
        yield Problem(
            f"forces.{item.name}.points",
            f"'points' is empty, but {place} attaches to '{item.body}'. Add a point at this position",
        )
        return
    away = [float(norm(np.asarray(at) - np.asarray(point.at))) for point in item.points]
    k = int(np.argmin(away))
    if away[k] > float(item.reach):
        x, y, z = (round(float(v), 9) + 0.0 for v in np.asarray(at))
        text = (
            f"[{x:g}, {y:g}, {z:g}] m is not a point of the modes {item.name}. The nearest point,"
            f" {item.points[k].name}, is {away[k]:.4g} m away"
        )
        yield Problem(place, f"{text}. Add a point at this position, or increase reach")


def remarks(scenario: Scenario, pose: Any) -> Iterator[str]:
    """Yield warnings about flexible bodies:

    - The initial state exceeds the limits of linear modes.
    - The table of modes is doubtful.
    - Another model treats a flexible body as rigid.
    """
    bodies = {one.body for one in scenario.forces if isinstance(one, ModalBody)}
    for one in (item for item in scenario.forces if isinstance(item, ModalBody)):
        start = np.zeros(one.count) if one.coordinate is None else np.asarray(one.coordinate)
        left = _propellant(scenario, one.body)
        for _, text, why in limits.excesses(one, start[None], _spin(scenario, one.body), left):
            yield f"{one.name}: {text} at the start. {why}"
        yield from _below(scenario, one)
        yield from (f"{one.name}: {text}." for _, text in likewise.once(_of_table(scenario, one)))
        if clamped := _clamp_warning(one):
            yield f"{one.name}: {clamped}"
    if bodies:
        yield from _unbent(scenario, bodies)


AT_REST = 1e-9
"""A point counts as at rest in a mode if its displacement is below this fraction of the largest
displacement.
"""


def _clamp_warning(item: ModalBody) -> str:
    """Return a warning if the modes look like the modes of a clamped body, or "". In such modes, a point is
    at rest in all modes, and all points move to one side in the first mode. No mode of a free body does
    this."""
    level = item.at_levels[0]
    if _lumps(level) or not level.points:
        return ""  # the masses at the points allow an exact check
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
        f"point '{level.points[int(rest[0])].name}' does not move in any mode, and all points move to the"
        " same"
        " side in the first mode. These are probably modes of a clamped body. Give modes of the free body,"
        " without"
        " its rigid-body modes."
    )


def _unbent(scenario: Scenario, bodies: Collection[str]) -> Iterator[str]:
    """Yield warnings about loads and sensors that treat flexible bodies as rigid."""
    for one in scenario.aerodynamics:
        if one.body in bodies:
            yield (
                f"{one.name}: aerodynamic loads act on {one.body} as on a rigid body, and do not excite its"
                " modes. To excite modes, declare forces at the points of the modes."
            )
    for one in (item for item in scenario.forces if isinstance(item, UserForce)):
        yield (
            f"{one.name}: loads of its class on {' and '.join(sorted(bodies))} act as on a rigid body, and do"
            " not excite modes. To excite modes, declare forces at the points of the modes."
        )
    for one in (item for item in scenario.controls if isinstance(item, RateHold | AttitudeHold)):
        if one.body in bodies:
            yield (
                f"{one.name}: the law uses the rigid-body attitude of {one.body}, but a gyro also measures"
                " the"
                " local bending slope. Declare a sensor at the gyro, and use the angular velocity of this"
                " sensor."
            )
    held = {one.name: one for one in (*scenario.joints, *scenario.forces)}
    for one in scenario.interfaces:
        first = held.get(next(iter((*one.joints, *one.forces)), ""))
        if one.at is not None and getattr(first, one.at_body or one.on, None) in bodies:
            yield (
                f"{one.name}: the station `at` does not move with the deformation of the body. Remove `at` to"
                " use the position of the first attachment."
            )
    for one in scenario.pairs:
        for end in ("parent", "child"):
            if (name := getattr(one, end)) in bodies:
                yield (
                    f"{one.name}: the point on {name} does not move with the deformation. Declare a sensor at"
                    f" this point, and set {end}_sensor."
                )


def _tanks(scenario: Scenario, name: str) -> list[Any]:
    bodies = (body for body in scenario.bodies if body.name == name)
    return [e for body in bodies for e in body.elements if isinstance(e, Container)]


def _propellant(scenario: Scenario, name: str) -> np.ndarray:
    """Return the propellant in a body at the start [kg] (1,)."""
    return np.array([sum(float(tank.propellant) for tank in _tanks(scenario, name))])


def _below(scenario: Scenario, item: ModalBody) -> Iterator[str]:
    """Yield warnings about tanks that start far below the highest level or can drain below the lowest
    level."""
    if item.propellant is None:
        return
    tanks = _tanks(scenario, item.body)
    stays = sum(float(tank.residual if tank.drains else tank.propellant) for tank in tanks)
    lowest, highest = (float(item.propellant[k]) for k in (0, -1))
    held = float(_propellant(scenario, item.body)[0])
    if held < FIT * highest:
        yield (
            f"{item.name}: the modes are given up to {highest:.6g} kg of propellant, but the tanks of "
            f"{item.body} start with {held:.6g} kg. Check the units of both values."
        )
    if stays < lowest - FIT * highest:
        yield (
            f"{item.name}: the modes are given down to {lowest:.6g} kg of propellant, but the tanks of "
            f"{item.body} can drain to {stays:.6g} kg. Below the lowest level the modes are constant."
        )


def _of_table(scenario: Scenario, item: ModalBody) -> Iterator[tuple[Any, Fault]]:
    """Yield possible faults of a table of modes, with the level of each."""
    body = next((one for one in scenario.bodies if one.name == item.body), None)
    if body is not None and item.propellant is not None:
        masses = [at_level(scenario, body, level.propellant).mass for level in item.at_levels]
        yield from fit.of_levels(item.at_levels, masses)
    for level in item.at_levels:
        for fault in _of_level(scenario, item, level, body):
            yield likewise.at_level(level.propellant, fault)


def _of_level(scenario: Scenario, item: ModalBody, level: ModeSet, body: Any) -> Iterator[Fault]:
    """Yield possible faults of the modes at one level."""
    damping = np.broadcast_to(np.asarray(level.damping, float), (item.count,))
    if np.max(damping) >= 1:
        k = int(np.argmax(damping))
        text = f"mode {k + 1} has a damping ratio of {damping[k]:.3g}, and does not oscillate"
        yield Fault("", ("damping", k), text, "Check the value: 1 % is 0.01")
    yield from fit.against(level.points, level.frequency)
    if body is not None and _lumps(level):
        yield from _of_masses(level, at_level(scenario, body, level.propellant), float(item.reach))


def _of_masses(level: ModeSet, own: Weighed, reach: float) -> Iterator[Fault]:
    """Yield possible faults of the masses of points."""
    if own.centre is None:
        return
    mass, places = _masses(level)
    if own.sure:
        yield from fit.short_of(mass, places, own.inertia)
        return
    how = "with equally drained tanks" if own.alike else "with tanks drained by the engines"
    for fault in fit.of_masses(mass, places, own.centre, own.inertia, reach):
        yield fault._replace(
            text=f"{how}, {fault.text}",
            remedy="Check whether the modes and the mass properties describe the same body",
        )


def _spin(scenario: Scenario, name: str) -> np.ndarray:
    """Return the spin of a body at the start [rad/s] (1,), if it is declared."""
    found = (getattr(body.initial, "angular_velocity", None) for body in scenario.bodies if body.name == name)
    spin = next(found, None)
    return np.array([0.0 if spin is None else float(norm(np.asarray(spin)))])
