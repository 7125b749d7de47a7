"""Mass matrices of bodies that carry point masses by rods. A rod transmits force only along its direction.

A point of mass m on a rod of direction j adds m j j^T to the mass matrix of its body. This matrix is the
remainder after elimination of the free directions of the point mass (R. Featherstone, Rigid Body Dynamics
Algorithms, 2008, section 7.3). Rods are added one by one. The inverse is M^-1 - m / (1 + m j.b) b b^T with b
= M^-1 j (Sherman and Morrison), without a division by m.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..maths.arrays import jnp
from ..maths.vectors import rotate
from ..model.attachments import select
from .contract import Inertias, Rods


def carrying(inertias: Inertias, body: tuple[int, ...], mass, direction) -> Inertias:
    """Return mass properties of the bodies with additional rods.

    - body: index of the body of each rod.
    - mass (rod, *cases) [kg], direction (6, rod, *cases): as in `contract.Rods`.
    """
    moved: list[Any] = []
    share: list[Any] = []
    for k, own in enumerate(body):
        b = times_inverse(inertias, (own,), direction[:, k : k + 1])[:, 0]
        for earlier, other in enumerate(body[:k]):
            if other == own:
                along = jnp.sum(moved[earlier] * direction[:, k], 0)
                b = b - share[earlier] * along * moved[earlier]
        moved.append(b)
        share.append(mass[k] / (1 + mass[k] * jnp.sum(direction[:, k] * b, 0)))
    return inertias._replace(rods=Rods(body, mass, direction, jnp.stack(moved, 1), jnp.stack(share)))


def times_inverse(inertias: Inertias, body: Any, force):
    """Return M^-1 f for generalized forces f (6, item, ..., *cases), including rods. body: index of the body
    of each item.
    """
    body = np.asarray(body)
    lanes = inertias.inverse_mass.ndim - 1
    between = (1,) * (force.ndim - 2 - lanes)

    def inverse_of(array, axes):
        found = select(array, body, axes)
        return found.reshape(*found.shape[: axes + 1], *between, *found.shape[axes + 1 :])

    linear = force[:3] * inverse_of(inertias.inverse_mass, 0)
    found = jnp.concatenate([linear, rotate(inverse_of(inertias.inverse_inertia, 2), force[3:])])
    if inertias.rods is None:
        return found
    rods = inertias.rods
    for k, own in enumerate(rods.body):
        if not (body == own).any():
            continue
        b = rods.moved[:, k].reshape(6, *(1,) * (1 + len(between)), *rods.moved.shape[2:])
        part = rods.share[k] * jnp.sum(b * force, 0) * b
        found = found - part * (body == own).astype(float).reshape(-1, *(1,) * (force.ndim - 2))
    return found


def blocks(inertias: Inertias, bodies: int, inverse: bool = False):
    """Return the contribution of rods to M for each body (body, 6, 6, *cases), or to M^-1 if `inverse` is
    true. The contribution to M^-1 is negative.
    """
    rods = inertias.rods
    assert rods is not None
    on, weight = (rods.moved, -rods.share) if inverse else (rods.direction, rods.mass)
    whole = weight * on[:, None] * on[None]
    none = jnp.zeros_like(whole[:, :, 0])
    return jnp.stack(
        [
            sum((whole[:, :, k] for k, own in enumerate(rods.body) if own == body), none)
            for body in range(bodies)
        ]
    )


def rotate_directions(inertias: Inertias, turn) -> Inertias:
    """Return mass properties whose rod moments are transformed to other axes by the rotation matrices `turn`
    (3, 3, body, *cases).
    """
    rods = inertias.rods
    if rods is None:
        return inertias
    moment = rotate(select(turn, rods.body, 2), rods.direction[3:])
    direction = jnp.concatenate([rods.direction[:3], moment])
    return inertias._replace(rods=replace(rods, direction=direction))


def momenta(inertias: Inertias, velocity):
    """Return the contribution of rods to M u for motions u (6, body, ..., *cases)."""
    rods = inertias.rods
    assert rods is not None
    bodies = velocity.shape[1]
    parts: list[Any] = [jnp.zeros_like(velocity[:, 0])] * bodies
    lanes = rods.mass.ndim - 1
    for k, own in enumerate(rods.body):
        j = rods.direction[:, k]
        j = j.reshape(6, *(1,) * (velocity.ndim - 2 - lanes), *j.shape[1:])
        parts[own] = parts[own] + rods.mass[k] * jnp.sum(j * velocity[:, own], 0) * j
    return jnp.stack(parts, 1)
