"""Rotors: a shaft with evenly spaced, equal blades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..engine.layout import Layout
from ..maths.arrays import jax
from ..model.attachments import column
from ..tree.errors import BadInput, Problem
from ..tree.similar_names import near
from .equations import Place
from .matrices import Group
from .ports import signals_of

FEWEST = 3
"""Smallest number of blades of a symmetric rotor."""
EVEN = 1e-4
"""Largest deviation [rad] of a blade from even spacing. Angles in scenarios often have a resolution of 0.01
deg.
"""
ALIKE = 1e-9
"""Largest relative difference between masses and principal moments of blades. This difference is above the
rounding errors of rotated tensors.
"""
STANDING = 1e-6
"""Largest difference [SI] between the states of blades. This difference is the error of flights."""


class Rotor(NamedTuple):
    """Rotor with several blades.

    - shaft: name of the joint that turns the rotor.
    - sets: lists of joints, bodies or models; each list has one name for each blade, in order.
    - names: for each blade the names of its joints, bodies and models, including the bodies on its joints.
    """

    shaft: str
    sets: tuple[tuple[str, ...], ...]
    names: tuple[tuple[str, ...], ...]

    @property
    def count(self) -> int:
        """Return the number of blades."""
        return len(self.names)


def rotor_of(scenario: Any, layout: Layout, blades: Any, shaft: str | None) -> Rotor | None:
    """Return the rotor that the arguments describe; None without blades. Raises BadInput with all problems.

    blades: names, lists of names, or texts "a, b, c". shaft: name of the joint that turns the rotor.
    """
    sets = _sets(blades)
    if not sets:
        return None
    problems = [*_wrong_names(layout, sets), *_wrong_counts(sets)]
    if shaft is None:
        text = "'shaft' is missing, but 'blades' need a shaft. Set 'shaft' to the joint that turns the rotor"
        problems.append(Problem("shaft", text))
    if problems:
        raise BadInput(problems)
    bodies = {joint.name: joint.child for joint in scenario.joints}
    names = []
    for each in zip(*sets, strict=True):
        names.append(tuple(dict.fromkeys([*each, *(bodies[name] for name in each if name in bodies)])))
    if len({len(each) for each in names}) > 1:
        raise BadInput(
            Problem(
                "blades",
                "some blades have a body in the list, and other blades have none. List the same"
                " items for each blade",
            )
        )
    rotor = Rotor(shaft or "", sets, tuple(names))
    problems = _unlike(scenario, rotor)
    if problems:
        raise BadInput(problems)
    return rotor


def _sets(blades: Any) -> tuple[tuple[str, ...], ...]:
    """Names of each set of blades."""
    if isinstance(blades, str):
        return (tuple(name.strip() for name in blades.split(",")),)
    found = [*blades]
    if found and all(isinstance(one, str) and "," not in one for one in found):
        return (tuple(found),)
    sets = [_sets(one)[0] if isinstance(one, str) else tuple(one) for one in found]
    wrong = [name for own in sets for name in own if not isinstance(name, str)]
    if wrong:
        raise BadInput(Problem("blades", f"{wrong[0]!r} is not a text. Give the names of joints or bodies"))
    return tuple(sets)


def _wrong_names(layout: Layout, sets: Sequence[Sequence[str]]) -> list[Problem]:
    """Problems of single names."""
    signals = [name for signal in signals_of(layout) for name in signal.split(".")[1:2]]
    known, used = [*layout.joints, *layout.bodies, *signals], [name for own in sets for name in own]
    found = [
        Problem("blades", f"there is no joint or body '{name}'; {near(name, known, 'joints and bodies')}")
        for name in dict.fromkeys(used)
        if name not in known
    ]
    again = dict.fromkeys(name for name in used if used.count(name) > 1)
    return found + [
        Problem("blades", f"'{name}' is listed twice. Give a different item for each blade") for name in again
    ]


def _wrong_counts(sets: Sequence[Sequence[str]]) -> list[Problem]:
    """Problems of the number of names."""
    few = [own for own in sets if len(own) < FEWEST]
    found = []
    if few:
        text = f"{len(few[0])} blades are too few: multi-blade coordinates need at least {FEWEST}"
        found.append(Problem("blades", f"{text}. For fewer blades, remove blades and set 'period'"))
    if len({len(own) for own in sets}) > 1:
        counts = " and ".join(str(len(own)) for own in sets)
        found.append(
            Problem("blades", f"the lists have {counts} names. Give one name for each blade in each list")
        )
    return found


def _unlike(scenario: Any, rotor: Rotor) -> list[Problem]:
    """Problems of blade bodies whose masses or principal moments differ from the first blade."""
    bodies, found = {body.name: body for body in scenario.bodies}, []
    for each in zip(*rotor.names, strict=True):
        own = [bodies[name] for name in each if name in bodies]
        for other in own[1:]:
            first = own[0]
            mass, its = float(first.mass), float(other.mass)
            if abs(its - mass) > ALIKE * mass:
                text = (
                    f"the mass of this blade is {its:.9g} kg, but bodies.{first.name}.mass is {mass:.9g} kg"
                )
                text = f"{text}. Give all blades the same mass"
                found.append(Problem(f"bodies.{other.name}.mass", text))
            moments, theirs = (np.linalg.eigvalsh(np.asarray(b.inertia, float)) for b in (first, other))
            if np.max(np.abs(theirs - moments)) > ALIKE * np.max(moments):
                text = (
                    f"the principal moments of inertia of this blade differ from bodies.{first.name}.inertia"
                )
                text = f"{text}. Give all blades the same inertia"
                found.append(Problem(f"bodies.{other.name}.inertia", text))
    return found


def sense(group: Group, rotor: Rotor) -> int:
    """Return 1 if the order of the blades is positive about the shaft axis, else -1.

    group: matrices at one operating point. Raises BadInput if blades are not evenly spaced, or if one list
    entry has bodies of different blades.
    """
    layout = group.system.layout
    places = [n for n, name in enumerate(rotor.names[0]) if name in layout.bodies]
    if not places:
        raise BadInput(
            Problem(
                "blades",
                "the list has no joint and no body of a blade. List the joints that carry the"
                " blades, or the blade bodies",
            )
        )
    each = [[own[place] for own in rotor.names] for place in places]
    found = [(names, angles) for names in each if (angles := _angles(group, rotor, names)) is not None]
    if not found:
        text = f"the centre of mass of body '{each[0][0]}' is on the axis of the shaft"
        raise BadInput(Problem("blades", f"{text}. List bodies whose centres of mass are away from the axis"))
    first, azimuths = found[0]
    sign = _sense(rotor, azimuths)
    for names, angles in found[1:]:
        apart = np.abs(_within_half(angles - azimuths)) > np.pi / rotor.count
        if np.any(apart):
            k = int(np.argmax(apart))
            text = f"'{first[k]}' and '{names[k]}' are listed for the same blade, but have different azimuths"
            raise BadInput(Problem("blades", f"{text}. Use the same order of blades in each list"))
    return sign


def _within_half(angles: Any) -> Any:
    """Angles [rad] between -pi and pi."""
    return np.remainder(angles + np.pi, 2 * np.pi) - np.pi


def _sense(rotor: Rotor, angles: np.ndarray) -> int:
    even = 2 * np.pi * np.arange(rotor.count) / rotor.count
    for sign in (1, -1):
        if np.max(np.abs(_within_half(angles - angles[0] - sign * even))) <= EVEN:
            return sign
    degrees = ", ".join(f"{angle:.6g}" for angle in np.degrees(np.remainder(angles - angles[0], 2 * np.pi)))
    text = f"in the order of the list, the blades have the azimuths {degrees} deg"
    raise BadInput(
        Problem("blades", f"{text}. Space the blades evenly, and list the blades in the order of azimuth")
    )


def _angles(group: Group, rotor: Rotor, bodies: Sequence[str]) -> np.ndarray | None:
    """Azimuths [rad] (blade,) of centres of mass about the shaft in its frame; None if one is on the axis."""
    layout, system, shaft = group.system.layout, group.system, group.shaft
    joint = layout.joints.index(rotor.shaft)
    which, axis = [layout.bodies.index(name) for name in bodies], _axis(group, rotor.shaft, shaft.coordinate)

    def look(mechanism: Any, *rest: Any) -> tuple[Any, Any]:
        here = group.equations.here(mechanism, Place(*rest))
        child, places = np.array(layout.table.child, int)[joint], here.motion.position
        point = places[:, child] + column(here.pairs.arm_b, joint, 1)
        return places[:, : layout.count] - point[:, None], column(here.frame_b, joint, 2)

    place = Place(
        group.t,
        group.own.T,
        group.behind.T,
        jax.tree.map(lambda leaf: np.moveaxis(leaf, 0, -1), group.discrete),
        np.zeros((6, layout.count, 1)),
        np.zeros((len(system.signals), 1)),
    )
    arms, frame = system.program.of_samples(look)(system.scenario, system.reference, *place)
    every = frame[..., 0].T @ arms[..., 0]
    along = every[:, which]
    first, second = along[(axis + 1) % 3], along[(axis + 2) % 3]
    away = np.hypot(first, second)
    if np.min(away) <= EVEN * np.max(np.abs(every)):
        return None
    return np.arctan2(second, first)


def _axis(group: Group, name: str, coordinate: int | None) -> int:
    """The axis of the joint frame about which the shaft turns."""
    if coordinate is not None:
        return "xyz".index(group.coordinates[coordinate].name[-1])
    driven = group.system.layout.scenario.joints[group.system.layout.joints.index(name)].driven
    return next(k for k, axis in enumerate("xyz") if getattr(driven, f"r{axis}") is not None)
