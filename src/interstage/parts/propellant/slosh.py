"""Motion of slosh masses: parts of the liquid in tanks that move perpendicular to the tank axes.

The centre of mass c, mass and inertia of the body include structure and fixed liquid, without slosh masses. A
slosh mass m is at the point p = b + s q in body axes. For a pendulum, b is the hinge, s the length and q the
direction. For a spring mass, b is the rest position, s = 1, and q is the displacement. All of b, s and m
depend on the propellant left. The slosh mass cannot move along the constrained direction d. For a pendulum, d
is q; for a spring mass, d is the tank's axis. T = 1 - d d^T, and r = p - c. The body has the rotation matrix
R, the angular velocity w and the acceleration a; g is the acceleration of gravity. A prime is a time
derivative, for p in body axes:

    y   = R^T (a - g) + w' x r + w x (w x r) + 2 w x p' + b'' + s'' q + 2 s' q'

    q'' = T (k - y) / s + e,    felt = d (d.y) + k + s e,

where k is the acceleration by springs and dampers. For a pendulum, e = -|q'|^2 q, otherwise e = 0. The force
-m felt acts on the body at p. The acceleration part of this force is in the mass matrix
(`formulations.rods`), as m j j^T with j = (R d, r x d). The equations do not divide by m, so that a tank can
become empty.

If m decreases at the rate u = -m', this liquid joins the fixed liquid with its velocity at p. The effects are
the force u p' and the momentum flux of a mass that enters at p. Inside the body, this liquid moves to the
rest position p0, and the fixed liquid moves with the rest position. The momenta L1 = -u (p - p0) and L2 = -m
p0' add to L of `streams`. If m increases, the same equations apply with u < 0. docs/decisions/0011-slosh.md
has the derivation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...environment import gravity_field
from ...formulations import rods
from ...maths.arrays import jnp, jvp
from ...maths.vectors import cross, dot, norm, rotate, rotate_back
from ...model.attachments import Motion, select
from . import slosh_law, tank_masses, vehicle_masses
from .slosh_models import Pendulum

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout
    from ...engine.mechanism import Mechanism


class Sloshing(NamedTuple):
    """Slosh masses at one time. Vectors are (component, slosh mass, *cases), scalars (slosh mass, *cases),
    body axes. Symbols are from the module.

    - `total` (6, body, *cases), without the ground: force [N, inertial axes] and torque about the centre of
      mass [N m, body axes] on the bodies, without the part from accelerations.
    - `mass` [kg].
    - `place` [m]: position relative to the centre of mass of the body.
    - `speed` [m/s]: velocity relative to the body.
    - `apart` [m]: displacement from the rest position.
    - `coordinate`, `rate`: q and q'.
    - `scale` [m], `direction`: s and d.
    - `free` [m/s^2]: y without accelerations.
    - `given` [m/s^2]: acceleration k by springs and dampers.
    - `curved` [1/s^2]: e.
    - `exchange` [kg/s]: mass flow u from the slosh mass to the fixed liquid.
    - `stiffness` [1/s^2]: spring stiffness per mass.
    """

    total: Any
    mass: Any
    place: Any
    speed: Any
    apart: Any
    coordinate: Any
    rate: Any
    scale: Any
    direction: Any
    free: Any
    given: Any
    curved: Any
    exchange: Any
    stiffness: Any


class _Laws(NamedTuple):
    """`slosh_law.Law` of all slosh masses, and their rest positions (3, slosh mass) [m]."""

    mass: Any
    base: Any
    scale: Any
    stiffness: Any
    damping: Any
    rest: Any


def bodies(layout: Layout) -> tuple[int, ...]:
    """Return, for each slosh mass, the index of its body."""
    return tuple(k for k, _ in vehicle_masses.of(layout).sloshing)


def first(mechanism: Mechanism, left, lanes: tuple[int, ...]):
    """Return the initial coordinates and rates in the order of the state: (6 times slosh masses, *cases).

    `left` (tank, *cases) [kg]: propellant in each tank. `lanes`: sizes of the case axes.
    """
    found = [slosh_law.start(*each) for each in _with_left(mechanism, left)]
    shape = (3, *lanes)
    both = [jnp.stack([jnp.broadcast_to(v, shape) for v in row], 1) for row in zip(*found, strict=True)]
    return _flat(*both)


def coordinates(mechanism: Mechanism, x):
    """Return the coordinates q and the rates q' of the slosh masses from the state x, each (3, slosh
    mass, *cases).
    """
    layout = mechanism.layout
    count = len(vehicle_masses.of(layout).sloshing)
    rows = mechanism.own("slosh", x)
    return (part.reshape(3, count, *x.shape[1:]) for part in (rows[: 3 * count], rows[3 * count :]))


def normalize(mechanism: Mechanism, x):
    """Return the slosh states from the state x, with pendulum directions of unit length and rates
    perpendicular to them.
    """
    swings = _swings(mechanism, x.ndim + 1)
    q, rate = coordinates(mechanism, x)
    unit = jnp.where(swings, q / jnp.where(swings, norm(q), 1.0), q)
    rate = rate - jnp.where(swings, unit * dot(unit, rate), 0.0)
    return _flat(unit, rate)


def restore(mechanism: Mechanism, x):
    """Return the slosh states of `normalize`, with displacements and rates of spring masses perpendicular to
    the tank axes.
    """
    count = x.shape[1:]
    q, rate = normalize(mechanism, x).reshape(2, 3, -1, *count)
    swings, d = _swings(mechanism, x.ndim + 1), _direction(mechanism, q)
    return _flat(*(jnp.where(swings, part, _perpendicular(d, part)) for part in (q, rate)))


def with_slosh_masses(mechanism: Mechanism, x, attached):
    """Return the inertias of a mechanism, including the slosh masses at the state x.

    `attached` (element, *cases): 1 if the mass item is still carried, otherwise 0.
    """
    own = bodies(mechanism.layout)
    now = _laws(mechanism, mechanism.own("streams", x), attached)
    q, _ = coordinates(mechanism, x)
    d = _direction(mechanism, q)
    turn = select(mechanism.motion(x).rotation, own, 2)
    place = now.base + now.scale * q - select(mechanism.numbers.centre, own, 1)
    along = jnp.concatenate([rotate(turn, d), cross(place, d)])
    return rods.carrying(mechanism.numbers.inertias, own, jnp.broadcast_to(now.mass, along.shape[1:]), along)


def sloshing(here: Here) -> Sloshing:
    """Return the slosh masses at one time. The loads include the effects of draining."""
    mechanism, t, x, motion, discrete = here.mechanism, here.t, here.x, here.motion, here.discrete
    drain, change = here["streams"].drain, here["streams"].drain_rate
    own = bodies(mechanism.layout)

    def moving(left, drain):
        return jvp(lambda now: _laws(mechanism, now, discrete.own["streams"].attached), (left,), (drain,))

    (now, first), (_, second) = jvp(moving, (mechanism.own("streams", x), drain), (drain, change))
    q, rate = coordinates(mechanism, x)
    d, w = _direction(mechanism, q), select(motion.spin_body, own, 1)
    centre = select(mechanism.numbers.centre, own, 1)
    point = now.base + now.scale * q
    place, apart = point - centre, point - now.rest
    speed = first.base + first.scale * q + now.scale * rate
    drift = second.base + second.scale * q + 2 * first.scale * rate
    free = cross(w, cross(w, place)) + 2 * cross(w, speed) + drift - _pull(mechanism, t, x, motion, place)
    given = -now.stiffness * _perpendicular(d, q) - now.damping * now.scale * _perpendicular(d, rate)
    curved = jnp.where(_swings(mechanism, q.ndim), -dot(rate, rate) / dot(d, d) * d, 0.0)
    found = Sloshing(
        None, now.mass, place, speed, apart, q, rate, now.scale, d, free, given, curved, -first.mass,
        now.stiffness,
    )  # fmt: skip
    force, torque = _flow(found, w, now.rest - centre, first, second)
    pushed = _on_tank(found, free)
    load = jnp.concatenate([force + pushed, torque + cross(place, pushed)])
    return found._replace(total=_sum_on_bodies(mechanism, load, motion, own))


def _flow(found: Sloshing, w, rest, first: _Laws, second: _Laws):
    """Force and torque of the exchange between slosh masses and fixed liquid, in addition to u p' at p."""
    u, mass, place = found.exchange, found.mass, found.place
    over, fixed = -u * found.apart, -mass * first.rest
    over_rate = second.mass * found.apart - u * (found.speed - first.rest)
    fixed_rate = u * first.rest - mass * second.rest
    force = -2 * cross(w, over + fixed) - over_rate - fixed_rate
    torque = u * cross(place, cross(w, place)) - cross(w, cross(place, over) + cross(rest, fixed))
    torque = torque - cross(place, over_rate) - cross(rest, fixed_rate) + u * cross(found.speed, found.apart)
    return force, torque


def _on_tank(found: Sloshing, y):
    """Force of the slosh masses on their tanks [N], body axes. y: as in the equations of this module."""
    felt = found.direction * dot(found.direction, y) + found.given + found.scale * found.curved
    return -found.mass * felt + found.exchange * found.speed


def _sum_on_bodies(mechanism, load, motion: Motion, own):
    """Loads on the bodies (6, body, *cases) from loads in body axes (6, slosh mass, *cases)."""
    force = rotate(select(motion.rotation, own, 2), load[:3])
    load = jnp.concatenate([force, load[3:]])
    none = jnp.zeros_like(load[:, 0])
    return jnp.stack(
        [
            sum((load[:, n] for n, k in enumerate(own) if k == body), none)
            for body in range(mechanism.layout.count)
        ],
        1,
    )


def rates(mechanism: Mechanism, found: Sloshing, motion: Motion, acceleration):
    """Return the time derivatives of coordinates and rates in the order of the state.

    `acceleration` (6, body, *cases): accelerations of the bodies.
    """
    y = found.free + _at(mechanism, motion, acceleration, found.place)
    second = _perpendicular(found.direction, found.given - y) / found.scale + found.curved
    return _flat(found.rate, second)


def force(mechanism: Mechanism, found: Sloshing, motion: Motion, acceleration):
    """Return the forces of the slosh masses on their tanks (3, slosh mass, *cases) [N], structural axes. Each
    force acts at the slosh mass.

    `acceleration` (6, body, *cases): accelerations of the bodies.
    """
    return _on_tank(found, found.free + _at(mechanism, motion, acceleration, found.place))


def points(mechanism: Mechanism, found: Sloshing, motion: Motion):
    """Return the slosh masses as point masses: mass (slosh mass, *cases) [kg], position [m] and velocity
    [m/s] (3, slosh mass, *cases).

    Positions and velocities are relative to the local origin, inertial axes.
    """
    own = bodies(mechanism.layout)
    turn, w = select(motion.rotation, own, 2), select(motion.spin_body, own, 1)
    offset = select(motion.position, own, 1) + rotate(turn, found.place)
    speed = cross(w, found.place) + found.speed
    return found.mass, offset, select(motion.velocity, own, 1) + rotate(turn, speed)


def spring_energy(found: Sloshing):
    """Return the total energy of the slosh springs [J] (*cases)."""
    return 0.5 * jnp.sum(found.mass * found.stiffness * dot(found.coordinate, found.coordinate), 0)


def recoil(mechanism: Mechanism, x, attached, change):
    """Return the slosh states after the velocities of the bodies have jumped.

    `x`: state before the jump. `change` (6, body, *cases): jump of the velocities. In free directions, slosh
    masses keep their velocities.
    """
    now = _laws(mechanism, mechanism.own("streams", x), attached)
    q, rate = coordinates(mechanism, x)
    centre = select(mechanism.numbers.centre, bodies(mechanism.layout), 1)
    jump = _at(mechanism, mechanism.motion(x), change, now.base + now.scale * q - centre)
    return _flat(q, rate - _perpendicular(_direction(mechanism, q), jump) / now.scale)


def _at(mechanism, motion: Motion, change, place):
    """R^T a + w' x r at the slosh masses, body axes, from accelerations or jumps (6, body, *cases)."""
    own = bodies(mechanism.layout)
    change = select(change, own, 1)
    return rotate_back(select(motion.rotation, own, 2), change[:3]) + cross(change[3:], place)


def _flat(*parts):
    """Coordinates and rates (3, slosh mass, *cases) flattened as in the state."""
    return jnp.concatenate([part.reshape(-1, *part.shape[2:]) for part in parts])


def _pull(mechanism, t, x, motion: Motion, place):
    """Gravity at the slosh masses relative to the fall of the local origin [m/s^2], body axes."""
    own, origin = bodies(mechanism.layout), mechanism.split(x)[4]
    turn, scenario = select(motion.rotation, own, 2), mechanism.scenario
    offset = select(motion.position, own, 1) + rotate(turn, place)
    if mechanism.layout.ground:
        pull = gravity_field.acceleration(scenario.gravity, scenario.planet, t, origin[:, None] + offset)
    else:
        pull = gravity_field.difference(scenario.gravity, scenario.planet, t, origin, offset)
    return rotate_back(turn, pull)


def _swings(mechanism, ndim: int):
    """Whether each slosh mass is a pendulum, in the shape for arrays (3, slosh mass, *cases)."""
    models = [
        mechanism.scenario.bodies[k].elements[e].slosh
        for k, e in vehicle_masses.of(mechanism.layout).sloshing
    ]
    return np.array([isinstance(m, Pendulum) for m in models]).reshape(-1, *(1,) * (ndim - 2))


def _direction(mechanism, q):
    """Direction d: of a pendulum, or of the tank axis for a spring mass."""
    swings, shape = _swings(mechanism, q.ndim), q.shape[2:]
    axes = [
        jnp.broadcast_to(slosh_law.upright(ready, jnp.zeros(shape)), (3, *shape))
        for ready, _ in _with_left(
            mechanism, jnp.zeros((len(vehicle_masses.of(mechanism.layout).tanks), *shape))
        )
    ]
    size = jnp.where(swings, norm(q), 1.0)
    return jnp.where(swings, q / size, jnp.stack(axes, 1))


def _perpendicular(d, vector):
    """T times a vector, for each slosh mass."""
    return vector - d * dot(d, vector)


def _with_left(mechanism, left) -> list[tuple[Any, Any]]:
    """Each prepared slosh mass with the propellant in its tank (*cases) [kg]."""
    layout, found = mechanism.layout, []
    for k, e in vehicle_masses.of(layout).sloshing:
        ready = mechanism.numbers.own["streams"].elements[k]
        own = [t for t, (body, _) in enumerate(vehicle_masses.of(layout).tanks) if body == k]
        liquid = jnp.asarray(tank_masses.left_in(ready, vehicle_masses.part(left, own), e), float)
        found.append((ready.slosh[e], liquid))
    return found


def _laws(mechanism, left, attached) -> _Laws:
    layout, found = mechanism.layout, []
    for place, (ready, liquid) in zip(
        vehicle_masses.of(layout).sloshing, _with_left(mechanism, left), strict=True
    ):
        law, rest = slosh_law.law(ready, liquid), slosh_law.at_rest(ready, liquid)
        law = law._replace(mass=law.mass * attached[vehicle_masses.of(layout).elements.index(place)])
        shape = left.shape[1:]
        found.append([jnp.broadcast_to(v, (*v.shape[: v.ndim - liquid.ndim], *shape)) for v in (*law, rest)])
    return _Laws(
        *(jnp.stack(row, int(name in ("base", "rest"))) for name, row in zip(_Laws._fields, zip(*found)))
    )
