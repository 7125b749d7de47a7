"""State of a flight: the flat array x, the values that change only at events, and the values from the start.

The array x (n, *cases) has these components, in this order:

- offsets of the centres of mass from the local origin [m], and velocities relative to it [m/s], inertial axes
- quaternions from body to inertial axes, and angular velocities in body axes [rad/s]
- position [m] and velocity [m/s] of the local origin
- states of the models, in the order of the models
- tail of a formulation with its own steps

The local origin falls freely, so that offsets stay small in orbit. If anything is attached to the ground, the
local origin is the inertial origin instead.
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
"""If the distance of a body from the local origin [m] exceeds this value, the next event moves the origin to
the bodies.
"""
FALLEN = 1e-2
"""Distance of the local origin from the nearest body, as a fraction of its distance from the centre of
gravity. Above this distance the origin is moved to a body, also between events.

If bodies do not fall, the origin would otherwise fall to the centre.
"""


class Reference(NamedTuple):
    """Values that are computed once, at the start of the flight, from the initial pose.

    - rod_length (rod) [m]: lengths of the rods.
    - displacement (3, joint) [m], turn (3, 3, joint): reference poses for displacements and rotations of
      joints.
    - start_place (2, body): latitude and longitude [rad], or north and east on flat ground [m]: origin of
      downrange.
    - start_azimuth (body) [rad]: direction of downrange. start_azimuth and `start_place` are None without a
      planet.
    - joined: relative poses of the bodies in a point-mass flight.
    - own: reference values of models, by name.
    """

    rod_length: jax.Array
    displacement: jax.Array
    turn: jax.Array
    start_place: jax.Array | None = None
    start_azimuth: jax.Array | None = None
    joined: Any = None
    own: dict[str, Any] = {}  # noqa: RUF012 - never changed


class Discrete(NamedTuple):
    """Values that change only at events (switches).

    - fired (event, *cases): whether the event has occurred.
    - event_time (event, *cases): time of the last occurrence [s]; inf before the event.
    - latched (condition, *cases): whether the condition has been met.
    - mode (joint, *cases): mode of each joint, see `layout`. active (row, *cases): 1 for active rows, else 0.
    - phase (*cases): index of the phase.
    - over (*cases): whether the last phase has ended. late (*cases): whether the time limit was reached.
    - child_frame (3, 3, joint, *cases), offset (row, *cases): child joint frames and row offsets after
      captures; None if captures cannot occur.
    - impulse (row, *cases) [N s, N m s]: impulses of captures and releases at the last event, or None.
    - own: switches of models, by name.
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
        """Return the same values with other switches of the model `name`."""
        return self._replace(own={**self.own, name: switches})


def origin_of(layout: Layout, x: Any) -> Any:
    """Return the position of the local origin [m] (3, *cases) in the state x, inertial axes."""
    return x[13 * layout.count : 13 * layout.count + 3]


class StateForm:
    """Conversion between the flat state x of a layout and its components.

    tail: number of values that a formulation with its own steps stores at the end of the state.
    """

    def __init__(self, layout: Layout, tail: int):
        self.layout, self.tail = layout, tail

    def pack(self, position, velocity, quaternion, spin_body, origin, origin_velocity, behind=None):
        """Return the flat state from its components.

        - position, velocity, quaternion, spin_body: (component, body, *cases).
        - origin, origin_velocity: local origin (3, *cases).
        - behind: values that follow the states of the bodies (see `trailing_state`). None: zeros.
        """
        flat = [p.reshape(-1, *p.shape[2:]) for p in (position, velocity, quaternion, spin_body)]
        if behind is None:
            behind = jnp.zeros((self.layout.extra + self.tail, *origin.shape[1:]))
        return jnp.concatenate([*flat, origin, origin_velocity, behind])

    @property
    def size(self) -> int:
        """Return the number of values in the state."""
        return 13 * self.layout.count + 6 + self.layout.extra + self.tail

    def trailing_state(self, x):
        """Return the values that follow the states of the bodies: states of models, and the tail (value,
        *cases).
        """
        return x[13 * self.layout.count + 6 :]

    def own(self, name: str, x):
        """Return the states of the model `name` in the flat state x (`states`, *cases)."""
        first, count = self.layout.places[name]
        return self.trailing_state(x)[first : first + count]

    def with_own(self, x, found: dict[str, Any], hook: str = "with_own"):
        """Return the flat state x with other states of some models.

        found: new states by model name. hook: method of the model that returned them, for messages.
        """
        if not found:
            return x
        places = self.layout.places.items()
        found = {name: self.check_own(name, hook, own, x.shape[1:]) for name, own in found.items()}
        parts = [found[name] if name in found else self.own(name, x) for name, (_, count) in places if count]
        return jnp.concatenate([x[: 13 * self.layout.count + 6], *parts, self.tail_of(x)])

    def check_own(self, name: str, hook: str, own: Any, lanes: tuple[int, ...]):
        """Return the states `own` that a model returned, if their shape is (`states`, *cases).

        Raises BadInput for another shape, because the states of later models would be shifted. hook: method
        of the model that returned them. `lanes`: shape of the case axes.
        """
        what = "one number for each state of the model (`states`)"
        return check_shape(
            self.layout.parts[name], hook, what, own, (self.layout.places[name][1],), lanes, True
        )

    def tail_of(self, x):
        """Return the tail of the state x (`tail`, *cases), which belongs to a formulation with its own
        steps.
        """
        return self.trailing_state(x)[self.layout.extra :]

    def split(self, x):
        """Return the components of the state x: position, velocity, quaternion, angular velocity (component,
        body, *cases), and position and velocity of the local origin (3, *cases).
        """
        n, lanes = self.layout.count, x.shape[1:]
        cuts = np.cumsum([3 * n, 3 * n, 4 * n, 3 * n, 3])
        r, v, q, w, o, vo = (x[a:b] for a, b in zip((0, *cuts), (*cuts, 13 * n + 6), strict=True))
        return (*(p.reshape(-1, n, *lanes) for p in (r, v, q, w)), o, vo)

    def rebase(self, x, gravity=None, roots=None):
        """Return the state x with the local origin moved to a body, if bodies are far from the origin.

        - gravity: None at events. The origin then moves if a body is farther from it than `FAR`. Between
          events: the gravity field. The origin then moves if all bodies are farther from it than `FALLEN`
          times the distance between origin and centre of gravity. In a field without a centre, the origin
          never moves.
        - roots (body, *cases): bodies whose offsets are relative to the origin. None: all bodies.

        The new origin is the body nearest to the mean of all bodies. Any other freely falling point outside
        the planet is possible, too. The offsets of all bodies change by the same rounded vector.
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
