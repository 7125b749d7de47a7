"""The state of a flight: what its flat array holds, what changes at events only, and what is settled once.

State x (n, *lanes): offsets of the mass centres from the local origin [m], velocities relative to it [m/s],
quaternions, body-axes angular velocities [rad/s], then position and velocity of the local origin. The
origin falls freely, so that offsets stay small numbers in orbit; where something is attached to the ground
it is the inertial origin instead. Behind stand the propellant left in each tank [kg], the integrals of
continuous control laws, the states of actuators, the energy lost in each contact [J], directions or
displacements of slosh masses [1 or m] with their rates, and what a formulation that steps by itself keeps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..environment.planet import beside
from ..maths.arrays import jax, jnp
from ..maths.vectors import dot, widened
from .layout import Layout

FAR = 1e3
"""Offset from the local origin [m] beyond which it is moved to the bodies again, at the next event."""
FALLEN = 1e-2
"""Part of the distance to the centre of gravity that the local origin may fall away from all bodies before it
is moved to them between events, too: of those that something holds up it would fall to the centre."""


class Reference(NamedTuple):
    """What is settled once, at the start of the flight, from the initial pose.

    rod_length [m] (rod); spring_length [m] (spring): free lengths; push_length [m] and push_force [N]
    (pusher): installed length and force there; push_plate (3, pusher): directions of the rods in the
    structure axes of their children, None where no tip slides; displacement [m] (3, joint) and turn (3, 3,
    joint): poses of the joints from which their displacements and rotations count. start_place (2, body):
    latitude and longitude [rad], or north and east over flat ground [m], and start_azimuth (body) [rad]: from
    where and in which direction downrange counts; None without a planet."""

    rod_length: jax.Array
    spring_length: jax.Array
    push_length: jax.Array
    push_force: jax.Array
    displacement: jax.Array
    turn: jax.Array
    start_place: jax.Array | None = None
    start_azimuth: jax.Array | None = None
    push_plate: jax.Array | None = None


class Discrete(NamedTuple):
    """What changes only at events.

    fired (event, *lanes): whether it has happened, and event_time [s] when (inf before). latched
    (condition): met. mode (joint): see `layout`. active (row): 1 or 0. pushing (pusher): 1 or 0.
    stretched (pusher) [m]: its length where it was fired, from its length at the start; begun (pusher)
    [s]: when it did, inf before. kick [N s] (`Layout.kicks`): impulses that devices gave as they let joints
    go. phase: its number. over: the last phase has ended. late: the time limit was reached. child_frame (3,
    3, joint) and offset (row): geometry left by captures, None where there are none. impulse (row) [N s, N m
    s]: of captures and releases at the last event. attached (element): 1 while its body still carries it.
    ignited, cut (engine) [s]: when it was, inf if not. command: held ones of the sampled control laws;
    memory: their integrals, then the times [s] of their first samples; next_sample [s]: when each is due,
    inf while it is off. touching (point and surface, see `Layout.contacts`): 1 or 0, None without any.
    filled (2, chamber): what late pistons found empty, None where none can be late, see
    `pusher_law.Filled`."""

    fired: jax.Array
    event_time: jax.Array
    latched: jax.Array
    mode: jax.Array
    active: jax.Array
    pushing: jax.Array
    stretched: jax.Array
    begun: jax.Array
    kick: jax.Array
    phase: jax.Array
    over: jax.Array
    late: jax.Array
    child_frame: jax.Array | None
    offset: jax.Array | None
    impulse: jax.Array | None
    attached: jax.Array
    ignited: jax.Array
    cut: jax.Array
    command: jax.Array
    memory: jax.Array
    next_sample: jax.Array
    touching: jax.Array | None = None
    filled: jax.Array | None = None


class StateForm:
    """The parts of the flat state of a layout; `tail`: how many numbers a formulation keeps at its end."""

    def __init__(self, layout: Layout, tail: int):
        self.layout, self.tail = layout, tail

    def pack(self, position, velocity, quaternion, spin_body, origin, origin_velocity, behind=None):
        """The flat state from its parts, (component, body, *lanes), and what stands behind them (see
        `behind`), none meaning zeros."""
        flat = [p.reshape(-1, *p.shape[2:]) for p in (position, velocity, quaternion, spin_body)]
        if behind is None:
            behind = jnp.zeros((self.layout.extra + self.tail, *origin.shape[1:]))
        return jnp.concatenate([*flat, origin, origin_velocity, behind])

    def behind(self, x):
        """What stands behind the state of the bodies, (..., *lanes): what else they have (`left`), and the
        tail."""
        return x[13 * self.layout.count + 6 :]

    def with_behind(self, x, *parts):
        """The state x with other parts, (..., *lanes), behind the state of its bodies."""
        return jnp.concatenate([x[: 13 * self.layout.count + 6], *parts])

    def left(self, x):
        """Propellant left in each tank [kg], (tank, *lanes)."""
        return self.behind(x)[: len(self.layout.tanks)]

    def tail_of(self, x):
        """What a formulation that steps by itself keeps at the end of the state: (`tail`, *lanes)."""
        return self.behind(x)[self.layout.extra :]

    def split(self, x):
        """The parts of a flat state: position, velocity, quaternion, spin (component, body, *lanes),
        origin, its velocity."""
        n, lanes = self.layout.count, x.shape[1:]
        cuts = np.cumsum([3 * n, 3 * n, 4 * n, 3 * n, 3])
        r, v, q, w, o, vo = (x[a:b] for a, b in zip((0, *cuts), (*cuts, 13 * n + 6), strict=True))
        return (*(p.reshape(-1, n, *lanes) for p in (r, v, q, w)), o, vo)

    def rebased(self, x, gravity=None, roots=None):
        """The state with the local origin moved to a body, where one has gone far from it; with a field of
        `gravity`, where all are beyond `FALLEN` of the way to its centre, and nowhere if it has none.

        Any freely falling point will do, but outside of the planet: the body next to the mean of all. The
        offsets of all bodies change by the same rounded amount. roots (body, *lanes): whose offsets count
        from the origin, none meaning all."""
        central = gravity is not None and gravity.kind not in ("none", "uniform")
        if self.layout.ground or not (gravity is None or central):
            return x
        r, v, q, w, origin, speed = self.split(x)
        roots = jnp.ones(r.shape[1:], bool) if roots is None else roots
        away = jnp.sum(r * r, 0)
        if gravity is None:
            far = jnp.max(jnp.where(roots, away, 0.0), 0) > FAR**2
        else:
            arm = origin - beside(getattr(gravity, "centre", jnp.zeros(3)), origin)
            nearest = jnp.min(jnp.where(roots, away, jnp.inf), 0)
            far = nearest > jnp.maximum(FALLEN**2 * dot(arm, arm), FAR**2)
        chosen = _next_to_mean(r, roots) & far
        shift, drift = (jnp.sum(jnp.where(chosen, part, 0.0), 1) for part in (r, v))
        r, v = r - jnp.where(roots, shift[:, None], 0.0), v - jnp.where(roots, drift[:, None], 0.0)
        return self.pack(r, v, q, w, origin + shift, speed + drift, self.behind(x))


def _next_to_mean(r, roots):
    """Which one of the `roots` (body, *lanes) is next to the mean of their offsets r (3, body, *lanes)."""
    mean = jnp.sum(jnp.where(roots, r, 0.0), 1) / jnp.sum(roots, 0)
    apart = jnp.where(roots, jnp.sum((r - mean[:, None]) ** 2, 0), jnp.inf)
    number = widened(jnp.arange(r.shape[1]), apart.ndim)
    return number == jnp.min(jnp.where(apart == jnp.min(apart, 0), number, r.shape[1]), 0)
