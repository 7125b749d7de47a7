"""Contacts in flight: points against surfaces, what they press with, and when they begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from .model import attachments, contact_law
from .model.attachments import Motion, column
from .model.contact_law import Form, Given
from .model.surface_distance import nearest
from .vectors import cross, dot, norm, rotate, rotate_back

if TYPE_CHECKING:
    from .layout import Layout
    from .mechanism import Mechanism
    from .state import Discrete

GRAZE = 1e-11
"""Depth [m] at which a contact begins, and distance at which it ends: far above the rounding of positions, so
that none does both at once, and far below what forces feel."""
STEP = 0.5
"""Part of the way through the thinnest surface that a step may take a point which does not touch it yet."""


class Seen(NamedTuple):
    """Points against surfaces, (..., pair, *lanes), inertial axes: gap [m], negative inside; outward normal;
    arm, place [m]: from the mass centres of the points' and of the surfaces' body to the centres of the
    points' balls; velocity [m/s] of these relative to the material of the other body there."""

    gap: jax.Array
    normal: jax.Array
    arm: jax.Array
    place: jax.Array
    velocity: jax.Array


class Touch(NamedTuple):
    """One contact, (*lanes) each but for gap and normal (pair): force [N, inertial] on the points' body and
    its torque about that body's mass centre [N m, body axes]; friction [N]: sum of its sizes; power [W] on
    both bodies, stored [J], and lost [W], which is never negative."""

    gap: jax.Array
    normal: jax.Array
    force: jax.Array
    torque: jax.Array
    friction: jax.Array
    power: jax.Array
    stored: jax.Array
    lost: jax.Array


def seen(mechanism: Mechanism, form: Form, given: Given, motion: Motion) -> Seen:
    """The points of one contact against each of its surfaces."""
    centre = mechanism.numbers.centre
    own, other = (
        (column(centre, k, 1), motion.position[:, k], motion.velocity[:, k], motion.rotation[:, :, k, None])
        for k in (form.body, form.other)
    )
    spin, turning = motion.spin[:, form.body, None], motion.spin[:, form.other, None]
    arm = rotate(own[3], given.points - own[0][:, None])
    place = (own[1] - other[1])[:, None] + arm
    velocity = (own[2] - other[2])[:, None] + cross(spin, arm) - cross(turning, place)
    points = rotate_back(other[3], place) + other[0][:, None]
    found = [nearest(surface, points) for surface in given.surfaces]
    gap = jnp.concatenate([near.distance for near in found]) - given.radius
    normal = rotate(other[3], jnp.concatenate([near.normal for near in found], 1))
    times = len(found)
    arm, place, velocity = (
        jnp.concatenate([jnp.broadcast_to(part, place.shape)] * times, 1) for part in (arm, place, velocity)
    )
    return Seen(gap, normal, arm, place, velocity)


def contacts(mechanism: Mechanism, motion: Motion, discrete: Discrete) -> tuple[tuple[Touch, ...], Any]:
    """All contacts, of which there are some, and their generalized forces (6, bodies, *lanes)."""
    layout = mechanism.layout
    found, on_other, on_own = [], [], []
    for number in range(len(layout.contacts)):
        touch, torque = _touch(mechanism, number, motion, discrete)
        found.append(touch)
        on_own.append(jnp.concatenate([touch.force, touch.torque]))
        on_other.append(jnp.concatenate([-touch.force, torque]))
    ends = [form.other for form in layout.contacts], [form.body for form in layout.contacts]
    both = jnp.stack(on_other, 1), jnp.stack(on_own, 1)
    return tuple(found), attachments.gathered(*both, *ends, motion.position.shape[1])


def _touch(mechanism: Mechanism, number: int, motion: Motion, discrete: Discrete) -> tuple[Touch, Any]:
    """One contact, and its torque on the body of the surfaces about that body's mass centre, body axes."""
    form, given = mechanism.layout.contacts[number], mechanism.numbers.contacts[number]
    assert discrete.touching is not None
    near = seen(mechanism, form, given, motion)
    touching = discrete.touching[form.rows] * mechanism.layout.acting(
        mechanism.layout.scenario.contacts[number], discrete
    )
    rate = -dot(near.normal, near.velocity)
    press = contact_law.pressed(given, touching, -near.gap, rate)
    # Both forces act half way between the two surfaces.
    arm = -near.normal * (given.radius + 0.5 * near.gap)
    spins = motion.spin[:, form.body, None] - motion.spin[:, form.other, None]
    velocity = near.velocity + cross(spins, arm)
    sliding = velocity - near.normal * dot(near.normal, velocity)
    rubs = contact_law.rubbed(given, press.force, sliding)
    force = near.normal * press.force + rubs
    turned = (
        rotate_back(motion.rotation[:, :, body], jnp.sum(cross(lever + arm, force), 1))
        for body, lever in ((form.body, near.arm), (form.other, near.place))
    )
    on_own, on_other = turned
    touch = Touch(
        gap=near.gap,
        normal=press.force,
        force=jnp.sum(force, 1),
        torque=on_own,
        friction=jnp.sum(norm(rubs), 0),
        power=jnp.sum(dot(force, velocity), 0),
        stored=jnp.sum(press.stored, 0),
        lost=jnp.sum((press.force - press.spring) * rate - dot(rubs, velocity), 0),
    )
    return touch, -on_other


# --- begin and end


def _every(mechanism: Mechanism, motion: Motion) -> list[Seen]:
    pairs = zip(mechanism.layout.contacts, mechanism.numbers.contacts, strict=True)
    return [seen(mechanism, form, given, motion) for form, given in pairs]


def watched(mechanism: Mechanism, x: Any, discrete: Discrete) -> Any:
    """Values (pair, *lanes) [m] that rise through zero where points begin to touch, or, of those that do,
    where they come off."""
    gap = jnp.concatenate([near.gap for near in _every(mechanism, mechanism.motion(x))])
    assert discrete.touching is not None
    return jnp.where(discrete.touching > 0, gap, -gap) - GRAZE


def armed(layout: Layout, discrete: Discrete) -> Any:
    """Which pairs (pair, *lanes) are in a contact that acts now."""
    lanes = discrete.over.shape
    parts = [
        jnp.broadcast_to(jnp.asarray(layout.acting(contact, discrete)) > 0, (form.pairs, *lanes))
        for form, contact in zip(layout.contacts, layout.scenario.contacts, strict=True)
    ]
    return jnp.concatenate(parts)


def switched(discrete: Discrete, hit: Any) -> Discrete:
    """The switches after conditions were met; those of contacts are the last ones."""
    touching = discrete.touching
    assert touching is not None
    turned = hit[-touching.shape[0] :]
    return discrete._replace(touching=jnp.where(turned, 1.0 - touching, touching))


def longest_step(mechanism: Mechanism, ordinary: Any, x: Any, slope: Any, discrete: Discrete) -> Any:
    """The longest step (*lanes) [s] in which no point goes far through a surface that it does not touch yet;
    a longer one could pass it by unseen. ordinary: what makes states as the mechanism has them of those that
    are stepped, like x, with the rates `slope`."""

    def approach(x):
        x = ordinary(x)
        here = mechanism.at(x, discrete)
        every = _every(here, here.motion(x))
        gap = jnp.concatenate([near.gap for near in every])
        return gap, jnp.concatenate([near.velocity for near in every], 1)

    (gap, velocity), (_, acceleration) = jax.jvp(approach, (x,), (slope,))
    pairs = zip(mechanism.layout.contacts, mechanism.numbers.contacts, strict=True)
    thin = [jnp.broadcast_to(contact_law.reach(n, f), (f.pairs, *gap.shape[1:])) for f, n in pairs]
    room = jnp.maximum(gap, 0.0) + STEP * jnp.concatenate(thin)
    speed, growth = norm(velocity), norm(acceleration)
    # Of room = speed h + growth h^2/2, without cancellation.
    bottom = speed + jnp.sqrt(speed**2 + 2 * growth * room)
    step = 2 * room / jnp.where(bottom > 0, bottom, 1.0)
    free = armed(mechanism.layout, discrete) & (discrete.touching == 0) & (bottom > 0)
    return jnp.min(jnp.where(free, step, jnp.inf), 0)
