"""Equations of the contact force between points of one body and surfaces of another body.

Let d be the depth of a point in a surface, d' its rate and s the sliding speed. The normal force is

    N = k d (d/d0)^(n-1) max(1 + c d', 0)

(Hunt and Crossley, "Coefficient of Restitution Interpreted as Damping in Vibroimpact", J. Appl. Mech. 42,
1975, eq. 3 with lambda = c k). The friction force is mu N tanh(s/s0), opposite to the sliding velocity.

A switch of the flight defines whether a point touches. While the switch is on, the equation continues
smoothly to negative depths, as an odd function. An integration step can therefore evaluate a negative depth
before it is shortened to end at depth zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...maths.arrays import jnp
from ...maths.vectors import add_axes, dot, norm
from .declared import Contact, touched_shapes
from .surface_distance import Block, Outline, surface


@dataclass(frozen=True)
class Form:
    """Constant data of a contact.

    - body, other: indices of the body with the points and of the body with the surfaces.
    - shapes: indices of the shapes with the surfaces, among the shapes of the other body.
    - points: number of points.
    - first: index of the first pair of this contact, among the pairs of all contacts.

    A pair is a point and a surface. All pairs of one surface precede the pairs of the next surface.
    """

    body: int
    other: int
    shapes: tuple[int, ...]
    points: int
    first: int

    @property
    def pairs(self) -> int:
        """The number of pairs of a point and a surface in this contact."""
        return self.points * len(self.shapes)

    @property
    def rows(self) -> slice:
        """The slice of this contact's pairs among the pairs of all contacts."""
        return slice(self.first, self.first + self.pairs)


def forms(scenario: Any) -> tuple[Form, ...]:
    """Return the constant data of all contacts. Raises `Refused` for unknown names of shapes."""
    names = [body.name for body in scenario.bodies]
    found: list[Form] = []
    first = 0
    for contact in scenario.contacts:
        count = contact.ring.count if contact.points is None else contact.points.shape[0]
        ends = names.index(contact.body), names.index(contact.other)
        found.append(Form(*ends, touched_shapes(contact, scenario), count, first))
        first += found[-1].pairs
    return tuple(found)


class Given(NamedTuple):
    """Declared values of a contact. Case axes are last.

    - points: positions of the points [m] (3, point, *cases), structural coordinates.
    - surfaces: prepared surfaces.

    The remaining values are as declared; see `declared.Contact`.
    """

    points: Any
    surfaces: tuple[Outline | Block, ...]
    radius: Any
    stiffness: Any
    exponent: Any
    reference_depth: Any
    damping: Any
    friction: Any
    slip_speed: Any


def contact_numbers(form: Form, contact: Contact, bodies: Any) -> Given:
    """Return the declared values and the prepared surfaces of a contact. bodies: all declared bodies. The
    numbers can have case axes.
    """
    if contact.points is None:
        assert contact.ring is not None
        points = around(contact.ring)
    else:
        points = jnp.swapaxes(jnp.asarray(contact.points), 0, 1)
    names = Given._fields[2:]
    shapes = bodies[form.other].shapes
    numbers = {
        name: None if getattr(contact, name) is None else jnp.asarray(getattr(contact, name))
        for name in names
    }
    return Given(points, tuple(surface(shapes[k]) for k in form.shapes), **numbers)


def around(ring: Any):
    """Return the points of a ring [m] (3, point, *cases), structural coordinates.

    The two directions perpendicular to the ring axis are by Duff et al., "Building an Orthonormal Basis,
    Revisited" (JCGT 6, 2017).
    """
    axis = jnp.asarray(ring.axis)
    x, y, z = axis / norm(axis)
    sign = jnp.where(z < 0, -1.0, 1.0)
    a = -1 / (sign + z)
    one = jnp.stack([1 + sign * x * x * a, sign * x * y * a, -sign * x])
    other = jnp.stack([x * y * a, sign + y * y * a, -y])
    angle = add_axes(2 * np.pi / ring.count * np.arange(ring.count), axis.ndim)
    circle = one[:, None] * jnp.cos(angle) + other[:, None] * jnp.sin(angle)
    return jnp.asarray(ring.centre)[:, None] + ring.radius * circle


def reach(numbers: Given, form: Form):
    """Return the largest valid depth of each pair [m] (pair, *cases). A deeper point would leave the surface
    on the opposite side.

    The depth is half of the thickness of the surface, plus the radius of the spheres.
    """
    parts = [0.5 * part.thickness + numbers.radius for part in numbers.surfaces]
    lanes = jnp.broadcast_shapes(*(part.shape for part in parts))
    return jnp.concatenate([jnp.broadcast_to(part, (form.points, *lanes)) for part in parts])


class Pressed(NamedTuple):
    """Normal contact of pairs. Each array has the shape (pair, *cases).

    - force: normal force [N].
    - spring: elastic component of the normal force [N], without damping.
    - stored: stored energy [J].
    """

    force: Any
    spring: Any
    stored: Any


def normal_forces(numbers: Given, touching, depth, rate) -> Pressed:
    """Return the normal forces of pairs.

    - numbers: declared values of the contact.
    - touching: 1 if a pair touches, otherwise 0 (pair, *cases). Without a touch, the force is zero.
    - depth: depths [m] (pair, *cases).
    - rate: rates of the depths [m/s] (pair, *cases).
    """
    spring = numbers.stiffness * depth
    stored = 0.5 * spring * depth
    if numbers.exponent is not None:
        size = jnp.abs(depth)
        some = size > 0
        ratio = jnp.where(some, size, 1.0) / numbers.reference_depth
        grown = jnp.where(some, ratio ** (numbers.exponent - 1), 0.0)
        spring, stored = spring * grown, 2 / (numbers.exponent + 1) * stored * grown
    force = spring * jnp.maximum(1 + numbers.damping * rate, 0.0)
    return Pressed(*(jnp.where(touching > 0, part, 0.0) for part in (force, spring, stored)))


def friction_forces(numbers: Given, force, sliding):
    """Return the friction forces of pairs [N] (3, pair, *cases).

    - numbers: declared values of the contact.
    - force: normal forces [N] (pair, *cases).
    - sliding: sliding velocities [m/s] (3, pair, *cases).
    """
    square = dot(sliding, sliding)
    moves = square > 0
    speed = jnp.sqrt(jnp.where(moves, square, 1.0))
    part = jnp.where(moves, jnp.tanh(speed / numbers.slip_speed) / speed, 1 / numbers.slip_speed)
    return -numbers.friction * force * part * sliding
