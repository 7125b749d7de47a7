"""Find stacks: groups of bodies that are connected at one time, by joints or by effects that constrain like
joints.
"""

from __future__ import annotations

from math import ceil, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from ..maths.arrays import is_jax, jnp
from ..maths.connected import Connected
from ..model.attachments import pick
from ..model.effect import effects
from ..tree.names import GROUND
from .contract import MovingMass
from .layout import FREE, Layout

if TYPE_CHECKING:
    from .here import Here

Ends = tuple[tuple[int, int, int], ...]
"""(index, parent, child) of each connection of two bodies: joints first, then effects."""


def stack_mass(here: Here, bodies: Any) -> Any:
    """Return the mass [kg] of the stack of each given body (len(bodies), *cases)."""
    return over_stack(here, body_masses(here), bodies)


def body_masses(here: Here) -> Any:
    """Return the masses [kg] of all bodies (body, *cases), including masses that effects add to them."""
    total = here.mechanism.numbers.mass
    for part in here.mechanism.layout.having(MovingMass):
        carried = part.carried_mass(here)
        total = total if carried is None else total + carried
    return total


def over_stack(here: Here, values: Any, bodies: Any, by_joints: bool = False) -> Any:
    """Return the sum of values over the stack of each given body, (..., len(bodies), *cases).

    - values (..., body, *cases): values of all bodies.
    - bodies: indices of the given bodies.
    - by_joints: true if only joints connect bodies; false if effects that hold (`Effect.holds`) connect them
      too.

    A stack has all bodies that are connected at this time. The ground is omitted.
    """
    layout, axis = here.equations.layout, values.ndim - 1 - here.t.ndim
    ends, held = _ends(layout), here.discrete.mode != FREE
    links = () if by_joints else _links(layout)
    if links:
        now = [jnp.broadcast_to(acts(here, one), here.t.shape) > 0 for one, *_ in links]
        held = jnp.concatenate([jnp.broadcast_to(held, (len(held), *here.t.shape)), jnp.stack(now)])
        ends += tuple((len(layout.joints) + k, a, b) for k, (_, a, b) in enumerate(links))
    if not ends:
        return pick(values, bodies, axis)
    if is_jax(held):
        name = "joined by joints" if by_joints else "joined"
        rows = here.compute_once(name, lambda: _together(held, ends, layout.count))
        sums = [jnp.sum(rows[k] * values, axis) for k in bodies]
    else:
        sums = _sums(np.broadcast_to(held, (len(held), *here.t.shape)), ends, values, axis, bodies)
    return jnp.stack(sums, axis)


def _ends(layout: Layout) -> Ends:
    parents, children = (
        tuple(layout.columns.bodies_of(ends)) for ends in layout.columns.ends(layout.scenario.joints)
    )
    every = zip(range(len(parents)), parents, children, strict=True)
    return tuple((j, a, b) for j, a, b in every if layout.count not in (a, b))


def _links(layout: Layout) -> tuple[tuple[Any, int, int], ...]:
    """Effects that hold two bodies together, with their indices. An effect that holds a body to a part of the
    ground, such as a launch table, connects no stack."""
    holding = [one for one in effects(layout.scenario) if one.holds and len(one.ends) == 2]
    fixed = _parts_of_the_ground(layout, holding)
    between = [one for one in holding if None not in one.ends and not fixed.intersection(one.ends)]
    return tuple((one, layout.body(one.ends[0]), layout.body(one.ends[1])) for one in between)


def _parts_of_the_ground(layout: Layout, holding: list[Any]) -> set[Any]:
    """Names of the ground, and of bodies that are permanently held to it."""
    kept = [j for j, modes in zip(layout.scenario.joints, layout.reachable, strict=True) if FREE not in modes]
    kept += [one for one in holding if getattr(one, "phases", None) is None]
    ends = [(one.parent, one.child) for one in kept]
    return {GROUND, *(end for pair in ends if GROUND in pair for end in pair)}


def acts(here: Here, one: Any) -> Any:
    """Return 1 while the effect `one` acts, else 0."""
    return here.equations.layout.acting(one, here.discrete) if hasattr(one, "phases") else 1.0


def _together(held: Any, ends: Ends, count: int) -> Any:
    """1 where two bodies belong to the same stack (body, body, *cases). Each pass doubles the number of
    joints on a path."""
    lanes = held.shape[1:]
    joins = np.zeros((len(held), count, count))
    for j, a, b in ends:
        joins[j, a, b] = joins[j, b, a] = 1.0
    one = (1,) * len(lanes)
    reach = jnp.sum(held.reshape(-1, 1, 1, *lanes) * joins.reshape(*joins.shape, *one), 0)
    reach = jnp.minimum(reach + np.eye(count).reshape(count, count, *one), 1.0)
    for _ in range(ceil(log2(max(min(count - 1, len(ends)), 1)))):
        reach = jnp.minimum(jnp.sum(reach[:, :, None] * reach[None], 1), 1.0)
    return reach


def _sums(held: np.ndarray, ends: Ends, values: Any, axis: int, bodies: Any) -> list[Any]:
    """The sums by NumPy, each stack once. In a flight, joints have few different sets of active rows."""
    lanes, count = held.shape[1:], values.shape[axis]
    ways, of_lane = np.unique(held.reshape(len(held), -1), axis=1, return_inverse=True)
    heads = np.stack([_heads(way, ends, count) for way in ways.T], 1)
    found: dict[bytes, Any] = {}
    for k in bodies:
        own = heads[k].tobytes()
        if own not in found:
            members = (heads == heads[k])[:, of_lane.reshape(-1)].reshape(count, *lanes)
            some = np.flatnonzero(members.reshape(count, -1).any(1))
            found[own] = jnp.sum(members[some] * pick(values, some, axis), axis)
    return [found[heads[k].tobytes()] for k in bodies]


def _heads(way: np.ndarray, ends: Ends, count: int) -> np.ndarray:
    """A representative of the stack of each body, for the present joints."""
    sets: Any = Connected()
    for j, a, b in ends:
        if way[j]:
            sets.join(a, b)
    return np.array([sets.head(k) for k in range(count)])
