"""Contacts in flight: points against surfaces, what they press with, and when they begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.contract import Makers, Part
from ...maths.arrays import jax, jnp, jvp
from ...maths.vectors import cross, dot, norm, rotate, rotate_back
from ...model import attachments
from ...model.attachments import Motion, column
from . import law as contact_law
from .law import Form, Given
from .quantities import contact_quantities
from .surface_distance import nearest

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete

GRAZE = 1e-11
"""Depth [m] at which a contact begins, and distance at which it ends: far above the rounding of positions, so
that none does both at once, and far below what forces feel."""
STEP = 0.5
"""Part of the way through the thinnest surface that a step may take a point which does not touch it yet."""


class Points(NamedTuple):
    """Centres of the balls of a contact, (3, point or pair, *lanes), inertial axes: arm, place [m]: from the
    mass centres of their own and of the other body; velocity [m/s] relative to the other's material there."""

    arm: jax.Array
    place: jax.Array
    velocity: jax.Array


class Seen(NamedTuple):
    """Points against surfaces, (..., pair, *lanes), inertial axes: gap [m], negative inside; outward normal;
    the points."""

    gap: jax.Array
    normal: jax.Array
    points: Points


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


def points_of(mechanism: Mechanism, form: Form, given: Given, motion: Motion) -> Points:
    """The points of one contact, each once."""
    own, other = form.body, form.other
    centre = column(mechanism.numbers.centre, own, 1)
    arm = rotate(motion.rotation[:, :, own, None], given.points - centre[:, None])
    place = (motion.position[:, own] - motion.position[:, other])[:, None] + arm
    turned = cross(motion.spin[:, own, None], arm) - cross(motion.spin[:, other, None], place)
    velocity = (motion.velocity[:, own] - motion.velocity[:, other])[:, None] + turned
    return Points(*(jnp.broadcast_to(part, place.shape) for part in (arm, place, velocity)))


def seen(mechanism: Mechanism, form: Form, given: Given, motion: Motion) -> Seen:
    """The points of one contact against each of its surfaces."""
    points = points_of(mechanism, form, given, motion)
    turn = motion.rotation[:, :, form.other, None]
    centre = column(mechanism.numbers.centre, form.other, 1)
    drawn = rotate_back(turn, points.place) + centre[:, None]
    found = [nearest(surface, drawn) for surface in given.surfaces]
    gap = jnp.concatenate([near.distance for near in found]) - given.radius
    normal = rotate(turn, jnp.concatenate([near.normal for near in found], 1))
    return Seen(gap, normal, _for_pairs(points, form))


def _for_pairs(points: Points, form: Form) -> Points:
    """The points once for each surface."""
    return jax.tree.map(lambda part: jnp.concatenate([part] * len(form.shapes), 1), points)


class Found(NamedTuple):
    """All contacts; share (6, body, *lanes): what they do to the bodies."""

    touches: tuple[Touch, ...]
    share: Any


class Contacts(Part):
    """All contacts between bodies."""

    name = "contacts"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether any is declared."""
        return bool(layout.scenario.contacts)

    def find(self, here: Here) -> Found:
        """How all press."""
        return contacts(here)

    def wrench(self, here: Here) -> Any:
        """The sum of all."""
        return here[self.name].share

    def stored(self, here: Here) -> Any:
        """Energy of all."""
        return sum(touch.stored for touch in here[self.name].touches)

    def quantities(self) -> Makers:
        """Of each."""
        return contact_quantities(self.layout)


def contacts(here: Here) -> Found:
    """All contacts, of which there are some."""
    mechanism, motion, discrete = here.mechanism, here.motion, here.discrete
    layout = mechanism.layout
    found, on_other, on_own = [], [], []
    for number in range(len(layout.contacts)):
        touch, torque = _touch(mechanism, number, motion, discrete)
        found.append(touch)
        on_own.append(jnp.concatenate([touch.force, touch.torque]))
        on_other.append(jnp.concatenate([-touch.force, torque]))
    ends = [form.other for form in layout.contacts], [form.body for form in layout.contacts]
    both = jnp.stack(on_other, 1), jnp.stack(on_own, 1)
    return Found(tuple(found), attachments.gathered(*both, *ends, motion.position.shape[1]))


def _touch(mechanism: Mechanism, number: int, motion: Motion, discrete: Discrete) -> tuple[Touch, Any]:
    """One contact, and its torque on the body of the surfaces about that body's mass centre, body axes."""
    form, given = mechanism.layout.contacts[number], mechanism.numbers.contacts[number]
    assert discrete.touching is not None
    near = seen(mechanism, form, given, motion)
    touching = discrete.touching[form.rows] * mechanism.layout.acting(
        mechanism.layout.scenario.contacts[number], discrete
    )
    points = near.points
    rate = -dot(near.normal, points.velocity)
    press = contact_law.pressed(given, touching, -near.gap, rate)
    # Both forces act half way between the two surfaces.
    arm = -near.normal * (given.radius + 0.5 * near.gap)
    spins = motion.spin[:, form.body, None] - motion.spin[:, form.other, None]
    velocity = points.velocity + cross(spins, arm)
    sliding = velocity - near.normal * dot(near.normal, velocity)
    rubs = contact_law.rubbed(given, press.force, sliding)
    force = near.normal * press.force + rubs
    turned = (
        rotate_back(motion.rotation[:, :, body], jnp.sum(cross(lever + arm, force), 1))
        for body, lever in ((form.body, points.arm), (form.other, points.place))
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


def _each(mechanism: Mechanism) -> Any:
    return zip(mechanism.layout.contacts, mechanism.numbers.contacts, strict=True)


def watched(mechanism: Mechanism, x: Any, discrete: Discrete) -> Any:
    """Values (pair, *lanes) [m] that rise through zero where points begin to touch, or, of those that do,
    where they come off."""
    motion = mechanism.motion(x)
    gap = jnp.concatenate([seen(mechanism, form, given, motion).gap for form, given in _each(mechanism)])
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


def longest_step(mechanism: Mechanism, ordinary: Any, x: Any, slope: Any, value: Any, discrete: Discrete):
    """The longest step (*lanes) [s], None without contacts, in which no point goes far through a surface that
    it does not touch yet; a longer one could pass it by unseen. ordinary: what makes states as the mechanism
    has them of those that are stepped, like x, with the rates `slope`. value: what is watched here, of
    contacts at its end."""

    if not mechanism.layout.contacts:
        return None

    def approach(x):
        x = ordinary(x)
        here = mechanism.at(x, discrete)
        motion = here.motion(x)
        every = (_for_pairs(points_of(here, form, given, motion), form) for form, given in _each(here))
        return jnp.concatenate([points.velocity for points in every], 1)

    value = value[-mechanism.layout.touches :]
    velocity, acceleration = jvp(approach, (x,), (slope,))
    thin = [contact_law.reach(given, form) for form, given in _each(mechanism)]
    thin = jnp.concatenate([jnp.broadcast_to(part, (part.shape[0], *value.shape[1:])) for part in thin])
    room = jnp.maximum(-value, 0.0) + STEP * thin
    speed, growth = norm(velocity), norm(acceleration)
    # Of room = speed h + growth h^2/2, without cancellation.
    bottom = speed + jnp.sqrt(speed**2 + 2 * growth * room)
    step = 2 * room / jnp.where(bottom > 0, bottom, 1.0)
    free = armed(mechanism.layout, discrete) & (discrete.touching == 0) & (bottom > 0)
    return jnp.min(jnp.where(free, step, jnp.inf), 0)
