"""Order in which joints determine the initial positions of bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..tree.names import GROUND
from .body import Body
from .initial import ThroughJoint
from .joint import Joint

PLACE_NOTHING = ("rod", "velocity", "knife_edge", "rolling")
"""Kinds of joints that determine the initial position of a body only if its initial state names the
joint.
"""


class Placed(NamedTuple):
    """A body whose initial position follows from a joint.

    - body, joint: names of the body and of the joint.
    - source: name of the body at the other end of the joint, or the ground.
    """

    body: str
    joint: str
    source: str


def other_end(joint: Joint, body: str) -> str:
    """Return the name of the body, or the ground, at the other end of a joint."""
    return joint.child if joint.parent == body else joint.parent


def placement_order(
    bodies: Sequence[Body], joints: Sequence[Joint]
) -> tuple[tuple[Placed, ...], tuple[str, ...]]:
    """Return the bodies to place through joints, each after its source body, and the names of bodies that
    cannot be placed.

    Bodies with an initial state of their own, or from a saved flight, are already placed. A body that names a
    joint is placed after the body at the other end of the joint. A body without an initial state uses the
    first listed active joint to a placed body. Some kinds of joints place no body by default (PLACE_NOTHING).
    Rods and velocity joints do not determine the position. A rolling disk would lie flat.
    """
    waiting = [b for b in bodies if b.initial is None or isinstance(b.initial, ThroughJoint)]
    placed = {GROUND} | {b.name for b in bodies} - {b.name for b in waiting}
    ways = {b.name: [j for j in joints if _usable(b, j)] for b in waiting}
    order: list[Placed] = []
    while True:
        found = [p for b in waiting if (p := _placed_from(b.name, ways[b.name], placed)) is not None]
        if not found:
            return tuple(order), tuple(b.name for b in waiting)
        order += found
        placed |= {p.body for p in found}
        waiting = [b for b in waiting if b.name not in placed]


def starts_needed(bodies: Sequence[Body], joints: Sequence[Joint], lost: Sequence[str]) -> list[str]:
    """Return the bodies that need an initial state in the scenario, because their positions cannot be
    computed.

    `lost`: names of all bodies without a computable position. If the returned bodies have an initial state,
    the positions of the remaining bodies follow from the joints.
    """
    named = {body.name: body for body in bodies if body.name in lost}
    onward: dict[str, list[str]] = {name: [] for name in lost}
    for joint in joints:
        for name in {joint.parent, joint.child} & named.keys():
            source = other_end(joint, name)
            if source in onward and _usable(named[name], joint):
                onward[source].append(name)
    needed, reached = [], set[str]()
    for name in lost:
        if name in reached or isinstance(named[name].initial, ThroughJoint):
            continue
        needed.append(name)
        ahead = [name]
        while ahead:
            body = ahead.pop()
            if body not in reached:
                reached.add(body)
                ahead += onward[body]
    return needed


def _usable(body: Body, joint: Joint) -> bool:
    """Whether a joint can place a body."""
    if body.name not in (joint.parent, joint.child):
        return False
    if isinstance(body.initial, ThroughJoint):
        return joint.name == body.initial.through
    return joint.active and joint.kind not in PLACE_NOTHING


def _placed_from(body: str, ways: Sequence[Joint], placed: set[str]) -> Placed | None:
    for joint in ways:
        source = other_end(joint, body)
        if source in placed:
            return Placed(body, joint.name, source)
    return None
