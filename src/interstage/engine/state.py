"""The state of a flight: its flat array, the values that change only at events, and the values from the
start.

State x (n, *cases): offsets of the centres of mass from the local origin [m], velocities relative to it
[m/s], quaternions, body-axes angular velocities [rad/s], then position and velocity of the local origin. The
origin falls freely, so that offsets stay small numbers in orbit. If anything is attached to the ground, the
local origin is the inertial origin instead. The states of the parts follow, in the order of the parts, then
the tail of a formulation with its own steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..environment.planet import broadcast_vector
from ..maths.arrays import jax, jnp
from ..maths.vectors import add_axes, dot
from .answers import check_shape
from .layout import Layout

FAR = 1e3
"""Offset from the local origin [m] beyond which the origin is moved to the bodies, at the next event."""
FALLEN = 1e-2
"""Fraction of the distance to the centre of gravity that the local origin may fall away from all bodies.
Beyond it, the origin moves to a body between events too. Below bodies that do not fall, the origin would
otherwise fall to the centre."""


class Reference(NamedTuple):
    """Values that are computed once, at the start of the flight, from the initial pose.

    `rod_length` [m] (rod). `displacement` [m] (3, joint) and `turn` (3, 3, joint): reference poses of the
    joints for displacements and rotations. `start_place` (2, body): latitude and longitude [rad], or north
    and east over flat ground [m], and `start_azimuth` (body) [rad]: origin and direction of downrange; None
    without a planet. `joined`: relative poses of bodies in a point-mass flight. `own`: reference values of
    parts, by name."""

    rod_length: jax.Array
    displacement: jax.Array
    turn: jax.Array
    start_place: jax.Array | None = None
    start_azimuth: jax.Array | None = None
    joined: Any = None
    own: dict[str, Any] = {}  # noqa: RUF012 - never changed


class Discrete(NamedTuple):
    """Values that change only at events.

    `fired` (event, *cases): whether the event has occurred. `event_time` [s]: time of the event (inf before).
    `latched` (condition): whether it is met. `mode` (joint): see `layout`. `active` (row): 1 or 0. `phase`:
    its index. `over`: whether the last phase has ended. `late`: whether the time limit was reached.
    `child_frame` (3, 3, joint) and `offset` (row): geometry after captures, None if there are none. `impulse`
    (row) [N s, N m s]: of captures and releases at the last event. `own`: switches of parts, by name.
    """

    fired: jax.Array
    event_time: jax.Array
    latched: jax.Array
    mode: jax.Array
    active: jax.Array
    phase: jax.Array
    over: jax.Array
    late: jax.Array
    child_frame: jax.Array | None
    offset: jax.Array | None
    impulse: jax.Array | None
    own: dict[str, Any] = {}  # noqa: RUF012 - never changed

    def with_own(self, name: str, switches: Any) -> Discrete:
        """The same values with other switches of one part."""
        return self._replace(own={**self.own, name: switches})


def origin_of(layout: Layout, x: Any) -> Any:
    """Position of the local origin [m] (3, *cases) in a flat state."""
    return x[13 * layout.count : 13 * layout.count + 3]


class StateForm:
    """The parts of the flat state of a layout. `tail`: number of values that a formulation with its own steps
    keeps at the end."""

    def __init__(self, layout: Layout, tail: int):
        self.layout, self.tail = layout, tail

    def pack(self, position, velocity, quaternion, spin_body, origin, origin_velocity, behind=None):
        """The flat state from its parts, (component, body, *cases), and the states after them (see
        `trailing_state`). behind: None for zeros."""
        flat = [p.reshape(-1, *p.shape[2:]) for p in (position, velocity, quaternion, spin_body)]
        if behind is None:
            behind = jnp.zeros((self.layout.extra + self.tail, *origin.shape[1:]))
        return jnp.concatenate([*flat, origin, origin_velocity, behind])

    @property
    def size(self) -> int:
        """Number of values in the state."""
        return 13 * self.layout.count + 6 + self.layout.extra + self.tail

    def trailing_state(self, x):
        """The values after the states of the bodies, (..., *cases): states of parts, and the tail."""
        return x[13 * self.layout.count + 6 :]

    def own(self, name: str, x):
        """The states of a model in the flat state, (`states`, *cases)."""
        first, count = self.layout.places[name]
        return self.trailing_state(x)[first : first + count]

    def with_own(self, x, found: dict[str, Any], hook: str = "with_own"):
        """The flat state with other states of some models, by their names. hook: method of the model that
        returned these states."""
        if not found:
            return x
        places = self.layout.places.items()
        found = {name: self.check_own(name, hook, own, x.shape[1:]) for name, own in found.items()}
        parts = [found[name] if name in found else self.own(name, x) for name, (_, count) in places if count]
        return jnp.concatenate([x[: 13 * self.layout.count + 6], *parts, self.tail_of(x)])

    def check_own(self, name: str, hook: str, own: Any, lanes: tuple[int, ...]):
        """The states that a model returned. Raises BadInput if their number differs from `states`: the states
        of later models would be shifted."""
        what = "one number for each state of the model (`states`)"
        return check_shape(
            self.layout.parts[name], hook, what, own, (self.layout.places[name][1],), lanes, True
        )

    def tail_of(self, x):
        """The tail of the state, (`tail`, *cases), which belongs to a formulation with its own steps."""
        return self.trailing_state(x)[self.layout.extra :]

    def split(self, x):
        """The parts of a flat state: position, velocity, quaternion, spin (component, body, *cases),
        origin, its velocity."""
        n, lanes = self.layout.count, x.shape[1:]
        cuts = np.cumsum([3 * n, 3 * n, 4 * n, 3 * n, 3])
        r, v, q, w, o, vo = (x[a:b] for a, b in zip((0, *cuts), (*cuts, 13 * n + 6), strict=True))
        return (*(p.reshape(-1, n, *lanes) for p in (r, v, q, w)), o, vo)

    def rebase(self, x, gravity=None, roots=None):
        """The state with the local origin moved to a body, if a body is far from it. With a field of
        `gravity`, the origin moves only if all bodies are beyond `FALLEN` of the distance to the centre of
        gravity. Without such a centre it never moves.

        Any freely falling point outside of the planet is possible. The body nearest to the mean of all bodies
        is used. The offsets of all bodies change by the same rounded amount. roots (body, *cases): bodies
        whose offsets are measured from the origin; None for all bodies.
        """
        central = gravity is not None and gravity.kind not in ("none", "uniform")
        if self.layout.ground or not (gravity is None or central):
            return x
        r, v, q, w, origin, speed = self.split(x)
        roots = jnp.ones(r.shape[1:], bool) if roots is None else roots
        away = jnp.sum(r * r, 0)
        if gravity is None:
            far = jnp.max(jnp.where(roots, away, 0.0), 0) > FAR**2
        else:
            arm = origin - broadcast_vector(getattr(gravity, "centre", jnp.zeros(3)), origin)
            nearest = jnp.min(jnp.where(roots, away, jnp.inf), 0)
            far = nearest > jnp.maximum(FALLEN**2 * dot(arm, arm), FAR**2)
        chosen = _next_to_mean(r, roots) & far
        shift, drift = (jnp.sum(jnp.where(chosen, part, 0.0), 1) for part in (r, v))
        r, v = r - jnp.where(roots, shift[:, None], 0.0), v - jnp.where(roots, drift[:, None], 0.0)
        return self.pack(r, v, q, w, origin + shift, speed + drift, self.trailing_state(x))


def _next_to_mean(r, roots):
    """The body among the `roots` (body, *cases) that is nearest to the mean of their offsets r (3, body,
    *cases)."""
    mean = jnp.sum(jnp.where(roots, r, 0.0), 1) / jnp.sum(roots, 0)
    apart = jnp.where(roots, jnp.sum((r - mean[:, None]) ** 2, 0), jnp.inf)
    number = add_axes(jnp.arange(r.shape[1]), apart.ndim)
    return number == jnp.min(jnp.where(apart == jnp.min(apart, 0), number, r.shape[1]), 0)
