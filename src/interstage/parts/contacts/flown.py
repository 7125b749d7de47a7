"""The model that computes contacts during a flight: forces, and times at which touches begin and end."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ...engine.by_name import by_name
from ...engine.contract import Fired, HasState, Kept, Makers, Persistent, Watches
from ...formulations.catalogue import ENTRIES
from ...maths.arrays import jax, jnp, jvp
from ...maths.vectors import cross, dot, norm, rotate, rotate_back
from ...model import attachments
from ...model.attachments import Motion, column
from . import law as contact_law
from .declared import Contact
from .law import Form, Given
from .quantities import contact_quantities
from .surface_distance import nearest

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete

GRAZE = 1e-11
"""The depth [m] at which a touch begins, and the distance [m] at which it ends.

The number is far above the rounding error of positions, so that a touch does not begin and end at once. The
number is far below depths with a significant force.
"""
STEP = 0.5
"""The largest depth that a point can reach in one step, as a fraction of half the thickness of the
surface.
"""


class Points(NamedTuple):
    """Points of a contact, which are the centres of spheres. Each array has the shape (3, point or pair,
    *cases) and inertial axes.

    - arm [m]: position relative to the centre of mass of the body with the points.
    - `place` [m]: position relative to the centre of mass of the other body.
    - velocity [m/s]: velocity relative to the material of the other body.
    """

    arm: jax.Array
    place: jax.Array
    velocity: jax.Array


class Seen(NamedTuple):
    """Points of a contact relative to its surfaces, for each pair of a point and a surface.

    - gap: distance of the sphere from the surface [m] (pair, *cases); negative inside.
    - normal: outward unit normal of the surface (3, pair, *cases), inertial axes.
    - points: the points of the pairs.
    """

    gap: jax.Array
    normal: jax.Array
    points: Points


class Touch(NamedTuple):
    """Loads of one contact.

    - gap: distance of the sphere of each pair from its surface [m] (pair, *cases); negative inside.
    - normal: normal force of each pair [N] (pair, *cases).
    - force: force on the body with the points [N] (3, *cases), inertial axes.
    - torque: torque on this body about its centre of mass [N m] (3, *cases), body axes.
    - friction: sum of the magnitudes of the friction forces [N] (*cases).
    - power: power of the contact forces on both bodies [W] (*cases).
    - stored: stored energy [J] (*cases).
    - lost: dissipated power [W] (*cases), never negative.
    """

    gap: jax.Array
    normal: jax.Array
    force: jax.Array
    torque: jax.Array
    friction: jax.Array
    power: jax.Array
    stored: jax.Array
    lost: jax.Array


def points_of(mechanism: Mechanism, form: Form, given: Given, motion: Motion) -> Points:
    """Return the points of one contact (3, point, *cases).

    - form, given: constant data and declared values of the contact.
    - motion: motion of all bodies.
    """
    own, other = form.body, form.other
    centre = column(mechanism.numbers.centre, own, 1)
    arm = rotate(motion.rotation[:, :, own, None], given.points - centre[:, None])
    place = (motion.position[:, own] - motion.position[:, other])[:, None] + arm
    turned = cross(motion.spin[:, own, None], arm) - cross(motion.spin[:, other, None], place)
    velocity = (motion.velocity[:, own] - motion.velocity[:, other])[:, None] + turned
    return Points(*(jnp.broadcast_to(part, place.shape) for part in (arm, place, velocity)))


def surface_points(mechanism: Mechanism, form: Form, given: Given, motion: Motion) -> Seen:
    """Return the distances and normals of each point of one contact relative to each of its surfaces.

    - form, given: constant data and declared values of the contact.
    - motion: motion of all bodies.
    """
    points = points_of(mechanism, form, given, motion)
    turn = motion.rotation[:, :, form.other, None]
    centre = column(mechanism.numbers.centre, form.other, 1)
    drawn = rotate_back(turn, points.place) + centre[:, None]
    found = [nearest(surface, drawn) for surface in given.surfaces]
    gap = jnp.concatenate([near.distance for near in found]) - given.radius
    normal = rotate(turn, jnp.concatenate([near.normal for near in found], 1))
    return Seen(gap, normal, _for_pairs(points, form))


def _for_pairs(points: Points, form: Form) -> Points:
    """Repeat the points for each surface."""
    return jax.tree.map(lambda part: jnp.concatenate([part] * len(form.shapes), 1), points)


class Found(NamedTuple):
    """Results of all contacts.

    - touches: loads of each contact.
    - share: loads on the bodies (6, column, *cases); see `Part.wrench`.
    """

    touches: tuple[Touch, ...]
    share: Any


class Contacts(HasState, Watches):
    """Model of all contacts between bodies. The switches of the model are 1 for each touching pair of a point
    and a surface, otherwise 0.
    """

    name = "contacts"
    state_description = "losses of contacts"
    group = "contacts"
    kinds = (Contact,)

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """For each contact, its constant data: indices of bodies and shapes, and the number of points."""
        return contact_law.forms(self.layout.scenario)

    @property
    def pairs(self) -> list[tuple[str, int]]:
        """All pairs of a point and a surface: the name of the contact, and the index of the pair within the
        contact.
        """
        both = zip(self.items, self.forms, strict=True)
        return [(contact.name, k) for contact, form in both for k in range(form.pairs)]

    @cached_property
    def watches(self) -> int:
        """The number of pairs of a point and a surface, of all contacts."""
        return sum(form.pairs for form in self.forms)

    @cached_property
    def states(self) -> int:
        """The number of states. Each contact has one state, its dissipated energy [J]. The number is zero if
        the formulation supports only the states of bodies.
        """
        choice = self.layout.scenario.solver.formulation
        minimal = getattr(choice, "coordinates", "absolute") == "minimal"
        carries = ENTRIES[choice.kind].changing_mass and not minimal
        return len(self.forms) if carries else 0

    def numbers(self, scenario: Any, stacked: Any, lanes: int) -> tuple[Given, ...]:
        """Return the declared values and the prepared surfaces of each contact. For the parameters, see
        `Part.numbers`.
        """
        declared = zip(self.forms, scenario.contacts, strict=True)
        return tuple(
            contact_law.contact_numbers(form, contact, scenario.bodies) for form, contact in declared
        )

    def switches(self, mechanism: Mechanism, t: Any) -> Any:
        """Return the initial switches (pair, *cases). All switches are 0, so that no pair touches. For the
        parameters, see `HasSwitches.switches`.
        """
        return jnp.zeros((self.watches, *t.shape))

    def continue_from(self, earlier: Persistent, before: Kept, fresh: Kept, discrete: Discrete) -> Kept:
        """Return the states and switches at the start of a leg, from the preceding leg. Pairs that touch
        continue to touch. For the parameters, see `Persistent.continue_from`.
        """
        pairs, known = (part.pairs for part in (self, cast("Contacts", earlier)))
        losses = by_name(self.labels, earlier.labels, before.state, fresh.state)
        return Kept(losses, by_name(pairs, known, before.switches, fresh.switches))

    def watched_values(self, here: Here) -> Any:
        """Return for each pair a value [m] (pair, *cases) that rises through zero when a touch begins or
        ends.
        """
        return touch_values(here.mechanism, here.x, here.discrete)

    def watched_armed(self, discrete: Discrete) -> Any:
        """Return whether each pair belongs to a contact that acts in the present phase (pair, *cases), bool.
        For the parameters, see `Watches.watched_armed`.
        """
        lanes = discrete.over.shape
        parts = [
            jnp.broadcast_to(jnp.asarray(self.layout.acting(contact, discrete)) > 0, (form.pairs, *lanes))
            for form, contact in zip(self.forms, self.items, strict=True)
        ]
        return jnp.concatenate(parts)

    def apply_events(
        self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired
    ):
        """Return the state, and the switches after touches begin or end. For the parameters, see
        `HasSwitches.apply_events`.
        """
        touching = after.own[self.name]
        turned = fired.watched[self.name]
        return x, after.with_own(self.name, jnp.where(turned, 1.0 - touching, touching))

    def longest_step(
        self, mechanism: Mechanism, ordinary: Any, x: Any, slope: Any, value: Any, discrete: Discrete
    ):
        """Return the longest step [s] (*cases) in which no point moves too far through a surface; see the
        function `longest_step`. For the parameters, see `Watches.longest_step`.
        """
        return longest_step(self, mechanism, ordinary, x, slope, value, discrete)

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Return the dissipated power of each contact [W] (contact, *cases). For the parameters, see
        `HasState.rates`.
        """
        return jnp.stack([touch.lost for touch in here[self.name].touches])

    def find(self, here: Here) -> Found:
        """Return the loads of all contacts."""
        return contacts(here)

    def wrench(self, here: Here) -> Any:
        """Return the sum of the loads of all contacts (6, column, *cases); see `Part.wrench`."""
        return here[self.name].share

    def stored_energy(self, here: Here) -> Any:
        """Return the energy stored in all contacts [J] (*cases)."""
        return sum(touch.stored for touch in here[self.name].touches)

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each contact, by path."""
        return contact_quantities(self.layout)


def contacts(here: Here) -> Found:
    """Return the loads of all contacts. The scenario must have at least one contact."""
    mechanism, motion, discrete = here.mechanism, here.motion, here.discrete
    forms = of(mechanism).forms
    found, on_other, on_own = [], [], []
    for number in range(len(forms)):
        touch, torque = _touch(mechanism, number, motion, discrete)
        found.append(touch)
        on_own.append(jnp.concatenate([touch.force, touch.torque]))
        on_other.append(jnp.concatenate([-touch.force, torque]))
    ends = [form.other for form in forms], [form.body for form in forms]
    both = jnp.stack(on_other, 1), jnp.stack(on_own, 1)
    return Found(tuple(found), attachments.sum_by_body(*both, *ends, motion.position.shape[1]))


def _touch(mechanism: Mechanism, number: int, motion: Motion, discrete: Discrete) -> tuple[Touch, Any]:
    """Return the loads of one contact, and its torque on the body with the surfaces about the centre of mass
    of that body, body axes."""
    form, given = of(mechanism).forms[number], mechanism.numbers.own["contacts"][number]
    near = surface_points(mechanism, form, given, motion)
    touching = discrete.own["contacts"][form.rows] * mechanism.layout.acting(
        mechanism.layout.scenario.contacts[number], discrete
    )
    points = near.points
    rate = -dot(near.normal, points.velocity)
    press = contact_law.normal_forces(given, touching, -near.gap, rate)
    # Both forces act half way between the two surfaces.
    arm = -near.normal * (given.radius + 0.5 * near.gap)
    spins = motion.spin[:, form.body, None] - motion.spin[:, form.other, None]
    velocity = points.velocity + cross(spins, arm)
    sliding = velocity - near.normal * dot(near.normal, velocity)
    rubs = contact_law.friction_forces(given, press.force, sliding)
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


def of(mechanism: Mechanism) -> Contacts:
    """Return the model of contacts of a mechanism."""
    part: Any = mechanism.parts["contacts"]
    return part


def _each(mechanism: Mechanism) -> Any:
    return zip(of(mechanism).forms, mechanism.numbers.own["contacts"], strict=True)


def touch_values(mechanism: Mechanism, x: Any, discrete: Discrete) -> Any:
    """Return a value for each pair [m] (pair, *cases). If the pair does not touch, the value rises through
    zero when a touch begins. If the pair touches, the value rises through zero when the touch ends.

    - x: state vector (component, *cases).
    - discrete: switches of all models.
    """
    motion = mechanism.motion(x)
    gap = jnp.concatenate(
        [surface_points(mechanism, form, given, motion).gap for form, given in _each(mechanism)]
    )
    return jnp.where(discrete.own["contacts"] > 0, gap, -gap) - GRAZE


def longest_step(
    part: Contacts, mechanism: Mechanism, ordinary: Any, x: Any, slope: Any, value: Any, discrete: Discrete
):
    """Return the longest step [s] (*cases) in which no point moves too far through a surface that it does not
    touch yet. A longer step could miss the contact.

    - part: the model of contacts.
    - ordinary: function that converts an integrated state to a state of the mechanism.
    - x, slope: integrated state and its rates at the start of the step.
    - value: results of `touch_values` at the start of the step (pair, *cases).
    """

    def approach(x):
        x = ordinary(x)
        here = mechanism.at(x, discrete)
        motion = here.motion(x)
        every = (_for_pairs(points_of(here, form, given, motion), form) for form, given in _each(here))
        return jnp.concatenate([points.velocity for points in every], 1)

    velocity, acceleration = jvp(approach, (x,), (slope,))
    thin = [contact_law.reach(given, form) for form, given in _each(mechanism)]
    thin = jnp.concatenate([jnp.broadcast_to(part, (part.shape[0], *value.shape[1:])) for part in thin])
    room = jnp.maximum(-value, 0.0) + STEP * thin
    speed, growth = norm(velocity), norm(acceleration)
    # The solution of room = speed h + growth h^2/2, without cancellation.
    bottom = speed + jnp.sqrt(speed**2 + 2 * growth * room)
    step = 2 * room / jnp.where(bottom > 0, bottom, 1.0)
    free = part.watched_armed(discrete) & (discrete.own["contacts"] == 0) & (bottom > 0)
    return jnp.min(jnp.where(free, step, jnp.inf), 0)
