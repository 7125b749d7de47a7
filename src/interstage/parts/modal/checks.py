"""Checks of bodies that bend: that the modes fit the body, and that what is on it can follow its points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.vectors import cross, norm
from ...model.body import central_inertia
from ...tree.errors import Problem
from ...tree.names import Names
from . import fit, limits
from .declared import ModalBody
from .fit import FIT

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
                yield from _fit(place, item, body)
    if bodies:
        yield from _on(scenario, bodies)
        yield from _kicks(scenario, bodies)


def _fit(place: str, item: ModalBody, body: Any) -> Iterator[Problem]:
    """Whether modes with lumped masses are those of the free body."""
    if body.elements:
        text = (
            f"'{body.name}' has elements of mass, and modes of a body whose mass changes are not those of the"
        )
        yield Problem(f"{place}.body", f"{text} table; give its mass as a whole, or leave the modes out")
    lumps = [point.mass for point in item.points]
    if not lumps or any(mass is None for mass in lumps):
        return
    mass, at = np.array(lumps, float), np.array([point.at for point in item.points], float).T
    shapes = np.array([point.shape for point in item.points], float)  # (point, mode, 3)
    own, total = float(body.mass), float(mass.sum())
    if abs(total - own) > FIT * own:
        text = f"their masses add up to {total:.6g} kg, and '{body.name}' has {own:.6g} kg"
        yield Problem(f"{place}.points", f"{text}; give the masses of this body, or leave them out")
        return
    centre = np.asarray(body.mass_centre, float)
    for text, remedy in fit.of_masses(mass, at, centre, central_inertia(body), float(item.reach)):
        yield Problem(f"{place}.points", f"{text}; {remedy}, or leave them out")
    arm = at - centre[:, None]
    size = float(np.sqrt(np.sum(mass * arm**2) / own))
    given = np.broadcast_to(np.asarray(item.mass, float), (item.count,))
    for n in range(item.count):
        shape = shapes[:, n].T
        scale = np.sqrt(own * given[n])
        moved, turned = np.sum(mass * shape, 1), np.sum(mass * cross(arm, shape), 1)
        for what, left in (
            ("moves the mass centre", moved),
            ("has angular momentum", turned / max(size, 1e-300)),
        ):
            if norm(left) > FIT * scale:
                text = (
                    f"mode {n + 1} {what} by {norm(left) / scale:.2g} of its size: modes are to be those of"
                )
                yield Problem(f"{place}.points", f"{text} the free body, without its rigid motion")
    product = np.einsum("p,pik,pjk->ij", mass, shapes, shapes)
    for i in range(item.count):
        for j in range(i, item.count):
            wanted = given[i] if i == j else 0.0
            if abs(product[i, j] - wanted) > FIT * np.sqrt(given[i] * given[j]):
                which = f"mode {i + 1}" if i == j else f"modes {i + 1} and {j + 1}"
                text = f"{which}: masses times shapes give {product[i, j]:.4g} kg where {wanted:.4g} kg is"
                yield Problem(
                    f"{place}.mass", f"{text} the generalized mass; modes are to be orthogonal to each other"
                )


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
                    yield from _at(f"{place}.{ends[end]}", getattr(one, ends[end]), item)
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


def _at(place: str, at: Any, item: ModalBody) -> Iterator[Problem]:
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
        for _, text, why in limits.excesses(one, start[None], _spin(scenario, one.body)):
            yield f"{one.name}: {text} at the start. {why}"
        yield from (f"{one.name}: {text}" for text in _of_table(scenario, one))
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


def _of_table(scenario: Scenario, item: ModalBody) -> Iterator[str]:
    """What may be wrong with a table of modes, and need not be."""
    damping = np.broadcast_to(np.asarray(item.damping, float), (item.count,))
    if np.max(damping) >= 1:
        k = int(np.argmax(damping))
        yield f"mode {k + 1} has a damping ratio of {damping[k]:.3g}, and swings no more; 1 % is 0.01."
    yield from fit.against(item.points)
    mass = [point.mass for point in item.points]
    for body in (one for one in scenario.bodies if one.name == item.body):
        if mass and None not in mass:
            at = np.array([point.at for point in item.points], float).T
            said = fit.short_of(np.array(mass, float), at, central_inertia(body))
            yield from (said,) if said else ()


def _spin(scenario: Scenario, name: str) -> np.ndarray:
    """Spin of a body at the start [rad/s] (1,), as far as it is declared."""
    found = (getattr(body.initial, "angular_velocity", None) for body in scenario.bodies if body.name == name)
    spin = next(found, None)
    return np.array([0.0 if spin is None else float(norm(np.asarray(spin)))])
