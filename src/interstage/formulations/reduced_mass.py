"""Factor the reduced mass matrix H2^T M H2 of a tree from the leaves to the roots. The matrix itself is not
formed.

Two joints are coupled only if one joint carries the other, so that this order of elimination has no fill-in
(Featherstone, Rigid Body Dynamics Algorithms, 2008, sections 6.5 and 7.3). Let I be the mass matrix of a body
with all bodies that it carries. After elimination of its free directions S, the remainder I - I S (S^T I
S)^-1 S^T I is added to its inner body. Forces are added in the same way. Accelerations are computed from the
roots outwards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..maths.arrays import jnp
from ..maths.vectors import cross
from . import cholesky
from .joint_motion import Columns, Tree


class Link(NamedTuple):
    """One body with all bodies that this body carries, and the mass matrix I of these bodies.

    - directions (6, direction, *cases): free directions S; None for all six.
    - momenta (6, direction, *cases): I S.
    - own (direction, direction, *cases): S^T I S. factor: factor of this matrix.
    """

    directions: Any
    momenta: Any
    own: Any
    factor: Any


class ReducedMass:
    """Factor of H2^T M H2, for forces (6, body, case, *cases) in inertial axes."""

    def __init__(self, tree: Tree, columns: Columns, mass, inertia, rods=None):
        """Factor the matrix.

        - mass (body, *cases) [kg], inertia (3, 3, body, *cases) [kg m^2]: mass properties, inertial axes.
        - rods (body, 6, 6, *cases): contribution of rods to the mass matrices of the bodies, or None.
        """
        self.tree, self.places = tree, [columns.of(k) for k in range(tree.forest.bodies)]
        v, w = tree.own(columns.slide, columns.turn, columns.body)
        directions = jnp.concatenate([v, w])
        whole: list[Any] = [self._rigid(mass[k], inertia[:, :, k]) for k in range(tree.forest.bodies)]
        if rods is not None:
            whole = [own + rods[k] for k, own in enumerate(whole)]
        self.links: list[Any] = [None] * tree.forest.bodies
        for k in reversed(tree.forest.order):
            place = self.places[k]
            free = None if columns.free is None else columns.free[place]
            if self.tree.forest.branches[k] is None:
                # The directions of a root are the axes themselves.
                self.links[k] = Link(None, whole[k], whole[k], cholesky.factor(whole[k]))
                continue
            link = self.links[k] = _link(whole[k], directions[:, place], free)
            inner = self._inner(k)
            if inner is not None:
                left = whole[k] if link is None else whole[k] - _eliminate(link, link.momenta)
                whole[inner] = whole[inner] + tree.on_branch(k) * _shift(left, tree.offset[:, k, inner])

    def _rigid(self, mass, inertia):
        eye = jnp.eye(3).reshape(3, 3, *(1,) * len(self.tree.lanes))
        none = jnp.zeros((3, 3, *self.tree.lanes))
        linear = jnp.broadcast_to(mass * eye, none.shape)
        whole = jnp.concatenate([linear, none], 1), jnp.concatenate([none, inertia + none], 1)
        return jnp.concatenate(whole)

    def _inner(self, body: int) -> int | None:
        branch = self.tree.forest.branches[body]
        return None if branch is None or branch.inner >= self.tree.forest.bodies else branch.inner

    def answers(self, force):
        """Solve H2^T M H2 q2'' = H2^T f. Return q2'' (column, case, *cases) and the accelerations (6, body,
        case, *cases).

        force: generalized forces f (6, body, case, *cases), inertial axes.
        """
        tree = self.tree
        felt: list[Any] = [force[:, k] for k in range(tree.forest.bodies)]
        shares: list[Any] = [None] * tree.forest.bodies
        for k in reversed(tree.forest.order):
            link, inner = self.links[k], self._inner(k)
            if self.tree.forest.branches[k] is None:
                shares[k] = felt[k]
            elif link is not None:
                shares[k] = jnp.sum(link.directions[:, :, None] * felt[k][:, None], 0)
            if inner is not None:
                left = felt[k] if link is None else felt[k] - _momentum(link, _solve(link, shares[k]))
                felt[inner] = felt[inner] + tree.on_branch(k) * _moved_force(left, tree.offset[:, k, inner])
        return self._outward(shares, force)

    def _outward(self, shares, force):
        tree, rates, found = self.tree, [], {}
        for k in tree.forest.order:
            link, inner = self.links[k], self._inner(k)
            if tree.forest.branches[k] is None:
                found[k] = _solve(link, shares[k])
                rates.append((self.places[k].start, found[k]))
                continue
            carried: Any = jnp.zeros_like(force[:, 0])
            if inner is not None:
                carried = tree.on_branch(k) * _moved_motion(found[inner], tree.offset[:, k, inner])
            found[k] = carried
            if link is not None:
                rate = _solve(link, shares[k] - jnp.sum(link.momenta[:, :, None] * carried[:, None], 0))
                found[k] = carried + jnp.sum(link.directions[:, :, None] * rate[None], 1)
                rates.append((self.places[k].start, rate))
        second = [rate for _, rate in sorted(rates, key=lambda pair: pair[0])]
        motion = jnp.stack([found[k] for k in range(tree.forest.bodies)], 1)
        return (jnp.concatenate(second) if second else jnp.zeros((0, *force.shape[2:]))), motion


def _link(whole, directions, free) -> Link | None:
    if not directions.shape[1]:
        return None
    momenta = jnp.sum(whole[:, :, None] * directions[None], 1)
    own = jnp.sum(directions[:, :, None] * momenta[:, None], 0)
    if free is not None:
        count = own.shape[0]
        eye = jnp.eye(count).reshape((count, count) + (1,) * (own.ndim - 2))
        own = own + eye * (1 - free)[None]
    return Link(directions, momenta, own, cholesky.factor(own))


def _solve(link: Link, right):
    """(S^T I S)^-1 right, (direction, case, *cases)."""
    return cholesky.solve(link.own[:, :, None], link.factor[:, :, None], right)


def _momentum(link: Link, rate):
    """I S times rates (direction, case, *cases)."""
    return jnp.sum(link.momenta[:, :, None] * rate[None], 1)


def _eliminate(link: Link, momenta):
    """I S (S^T I S)^-1 (I S)^T: (6, 6, *cases)."""
    return _momentum(link, _solve(link, jnp.swapaxes(momenta, 0, 1)))


def _shift(matrix, offset):
    """An inertia (6, 6, *cases) moved to a reference point from which its own reference point has the
    `offset`."""
    return _moved_force(jnp.swapaxes(_moved_force(jnp.swapaxes(matrix, 0, 1), offset), 0, 1), offset)


def _moved_force(force, offset):
    """A force and torque (6, case, *cases) moved to a reference point from which its own reference point has
    the `offset`."""
    return jnp.concatenate([force[:3], force[3:] + cross(offset[:, None], force[:3])])


def _moved_motion(motion, offset):
    """Velocity and angular velocity (6, case, *cases) of a body at a point with the `offset` from its
    reference point."""
    return jnp.concatenate([motion[:3] + cross(motion[3:], offset[:, None]), motion[3:]])
