"""Mass and moment of inertia that a joint carries, for the stiffness of a spring in place of the joint.

A joint divides the mechanism into two sides of masses a and b. The joint carries the mass 1/(1/a + 1/b), with
1/b = 0 for a side that contains the ground. All joints between the same two bodies count as one joint.

If a joint is part of a closed loop, the mechanism is divided at all joints of the loop. Each group consists
of one body of the loop and all bodies that the body carries. The mass a is then the largest mass of a group,
and b is the mass of all other groups.

Moments of inertia are computed in the same way. The distance of a body from the joint's point is the sum of
the lengths of the arms between them. Each body contributes half the trace of its inertia tensor, which is an
upper bound of its largest moment of inertia. Rods and sliding joints add no length.

Without closed loops, the carried mass is at least the row's diagonal entry m of (A M^-1 A^T)^-1. This entry
is the effective mass of the row when all other rows are active. The effective mass is the minimum of 2T over
all motions with a unit rate of this row and zero rates of the other rows (Gauss). One of these motions moves
both sides as rigid bodies, with zero total momentum.

The carried mass does not depend on the pose or on the present constraints. A spring k g^2/2 with a stiffness
from this mass therefore conserves its energy.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jnp
from ..maths.vectors import add_axes, norm
from ..model.attachments import pick

Links = dict[int, set[int]]
"""For each body, the set of bodies to which joints connect it."""


class Sides(NamedTuple):
    """Bodies on both sides of each joint or of its closed loop.

    - parts (joint, side, body): 1 for the bodies of each side; the side that contains the ground is
      omitted.
    - grounded (joint,): true if one side contains the ground.

    A joint without constraint rows has no sides."""

    parts: np.ndarray
    grounded: np.ndarray


def carried_by_joints(parent, child, holding, ground: bool, mass, inertia, arm_a, arm_b):
    """Return the mass [kg] and the moment of inertia [kg m^2] that each joint carries, each (joint, *cases).

    - parent, child (joint,): indices of the bodies of the joints; the ground has the index after the last
      body.
    - holding (joint,): whether the joint ever constrains an axis.
    - ground: whether a ground exists.
    - mass (body, *cases) [kg], inertia (3, 3, body, *cases) [kg m^2]: mass properties without the ground.
    - arm_a, arm_b (3, joint, *cases): vectors from the centres of mass of parent and child to the joint point
      [m].
    """
    count, lanes = mass.shape[0], mass.ndim - 1
    base = count if ground else None
    found = sides(parent, child, holding, base, count)
    far = _distances(parent, child, holding, base, count, norm(arm_a), norm(arm_b))
    moment = (inertia[0, 0] + inertia[1, 1] + inertia[2, 2]) / 2 + mass * far * far
    mask = add_axes(jnp.asarray(found.parts, float), 3 + lanes)
    grounded = add_axes(jnp.asarray(found.grounded), 1 + lanes)
    return tuple(
        _heaviest_against_rest(jnp.sum(mask * own[:, None], 2), grounded) for own in (mass[None], moment)
    )


def _heaviest_against_rest(parts, grounded):
    """The heaviest part (joint, part, *cases) against the other parts, or all parts against the ground."""
    total, most = jnp.sum(parts, 1), jnp.max(parts, 1)
    return jnp.where(grounded, total, most * (total - most) / jnp.where(total > 0, total, 1.0))


def sides(parent, child, holding, ground: int | None, count: int) -> Sides:
    """Return the bodies on both sides of each joint. A joint of a closed loop has one group for each body of
    the loop.

    - parent, child, holding (joint,): as in `carried_by_joints`.
    - ground: index of the ground, or None. count: number of bodies without the ground.
    """
    edges = list(zip(map(int, parent), map(int, child), holding, strict=True))
    links: Links = {}
    for a, b in [(a, b) for a, b, held in edges if held]:
        links.setdefault(a, set()).add(b)
        links.setdefault(b, set()).add(a)
    pairs = {(a, b) for a, b, held in edges if held}
    bridges = {(a, b) for a, b in pairs if b not in reachable_bodies(links, a, {(a, b)})}
    bridges |= {(b, a) for a, b in bridges}
    listed = [_parts(links, (a, b), bridges, ground) if held else [] for a, b, held in edges]
    parts = np.zeros((len(edges), max([1, *map(len, listed)]), count))
    grounded = np.array([any(ground in part for part in own) for own in listed], bool)
    for table, own in zip(parts, listed, strict=True):
        for line, part in zip(table, (part for part in own if ground not in part)):
            line[sorted(part)] = 1
    return Sides(parts, grounded)


def _parts(links: Links, edge, bridges, ground: int | None) -> list[set[int]]:
    """The two sides of a joint, or the connected groups of bodies after all joints of its ring are
    removed."""
    a, b = edge
    if edge in bridges:
        return [reachable_bodies(links, body, {edge}) for body in edge]
    start = b if a == ground else a
    ring = reachable_bodies(links, start, bridges, ground)
    cut = {(one, other) for one in ring for other in links[one] & ring} - bridges
    return [reachable_bodies(links, body, cut, ground) if body != ground else {body} for body in sorted(ring)]


def reachable_bodies(links: Links, start: int, cut, end: int | None = None) -> set[int]:
    """Return the bodies that are connected to the body `start`, if the pairs of bodies in `cut` are
    disconnected.

    The search does not continue beyond the body `end`.
    """
    seen, waiting = {start}, deque([start])
    while waiting:
        body = waiting.popleft()
        for other in links[body] - seen:
            if (body, other) not in cut and (other, body) not in cut:
                seen.add(other)
                if other != end:
                    waiting.append(other)
    return seen


def _distances(parent, child, holding, ground, count, length_a, length_b):
    """Distances from each joint's point to the centres of mass along the arms, (joint, body, *cases) [m].
    Values of bodies that are connected to the joint only through the ground are arbitrary."""
    above, common = _forest(parent, child, holding, ground, count)
    depth: list[Any] = [jnp.zeros_like(length_a[0])] * count
    for body, (joint, other) in above.items():
        depth[body] = depth[other] + length_a[joint] + length_b[joint]
    depths = jnp.stack(depth)
    nearest: Any = None
    parent, child = np.asarray(parent), np.asarray(child)
    for body, other, own, others in (
        (parent, child, length_a, length_b),
        (child, parent, length_b, length_a),
    ):
        fixed = body == ground
        body = np.where(fixed, other, body)
        arm = jnp.where(add_axes(jnp.asarray(fixed), own.ndim), others, own)
        start = (pick(depths, body, 0) + arm)[:, None]
        way = start + depths[None] - 2 * pick(depths, common[body], 0)
        nearest = way if nearest is None else jnp.minimum(nearest, way)
    return nearest


def _forest(parent, child, holding, ground, count):
    """Forest of the bodies, from the roots outward, without the ground.

    Returns for each body except roots (joint, body) on its root side, and the last common body of the paths
    from the root to two bodies (body, body).
    """
    beside: dict[int, list[tuple[int, int]]] = {}
    for joint, (a, b) in enumerate(zip(parent, child, strict=True)):
        if holding[joint] and ground not in (a, b):
            beside.setdefault(int(a), []).append((joint, int(b)))
            beside.setdefault(int(b), []).append((joint, int(a)))
    above: dict[int, tuple[int, int]] = {}
    common = np.arange(count)[:, None].repeat(count, 1)
    done: list[int] = []
    for root in range(count):
        waiting = deque([] if root in done else [root])
        tree: list[int] = []
        while waiting:
            body = waiting.popleft()
            # A body shares with those before it what the body above it shares with them.
            for other in tree:
                common[body, other] = common[other, body] = common[above[body][1], other]
            tree.append(body)
            for joint, other in beside.get(body, []):
                if other not in above and other != root:
                    above[other] = joint, body
                    waiting.append(other)
        done += tree
    return above, common
