"""Which body is placed through which joint at the start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .body import Body, ThroughJoint
from .joint import Joint
from .names import GROUND


class Placed(NamedTuple):
    """One body that is placed through a joint from the body at its other end (or the ground)."""

    body: str
    joint: str
    source: str


def other_end(joint: Joint, body: str) -> str:
    """The body, or the ground, at the other end of a joint."""
    return joint.child if joint.parent == body else joint.parent


def placement_order(
    bodies: Sequence[Body], joints: Sequence[Joint]
) -> tuple[tuple[Placed, ...], tuple[str, ...]]:
    """(the bodies to place through joints, each after the one it is placed from; the bodies that cannot be
    placed).

    Bodies with a state of their own, or one from a flight, are placed already. A body that names a joint
    waits for the other end of that one. A body without a start takes the first active joint listed that
    connects it to a placed body, rods apart, because a rod leaves open where the body is."""
    waiting = [b for b in bodies if b.initial is None or isinstance(b.initial, ThroughJoint)]
    placed = {GROUND, *(b.name for b in bodies if b not in waiting)}
    order: list[Placed] = []
    while True:
        found = [p for b in waiting if (p := _placed_from(b, joints, placed)) is not None]
        if not found:
            return tuple(order), tuple(b.name for b in waiting)
        order += found
        placed |= {p.body for p in found}
        waiting = [b for b in waiting if b.name not in placed]


def _placed_from(body: Body, joints: Sequence[Joint], placed: set[str]) -> Placed | None:
    if isinstance(body.initial, ThroughJoint):
        usable = [j for j in joints if j.name == body.initial.through]
    else:
        usable = [j for j in joints if j.active and j.kind != "rod"]
    for joint in usable:
        source = other_end(joint, body.name)
        if body.name in (joint.parent, joint.child) and source in placed:
            return Placed(body.name, joint.name, source)
    return None
