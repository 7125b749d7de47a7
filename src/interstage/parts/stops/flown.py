"""Model of stops of joints in a flight: travel, load and energy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.contract import Makers, Part
from ...engine.numbers import in_frame
from ...engine.quantity import makers
from ...maths.arrays import jax, jnp
from ...maths.vectors import cross, dot, product, transpose
from ...model import attachments
from ...model.attachments import column
from .declared import HingeStop, Stop
from .quantities import stop_quantities

if TYPE_CHECKING:
    from ...engine.here import Here

NEAR = 1e-2
"""Distance [m or rad] of a joint from the end of a stop at which `Stops.places` reaches half of its
limit.
"""


class Stops(NamedTuple):
    """State of all stops at one time.

    - `travel` (stop, *cases) [m or rad]: displacement or rotation of each joint since the start.
    - `push` (stop, *cases) [N or N m]: force or torque on the child bodies, along or about the axes.
    - `energy` (stop, *cases) [J]: stored energy.
    - `places` (end, *cases): 0 at the contact of an end, from -0.5 far before it to 0.5 far beyond it. See
      `stepper.problem.Hybrid.places`.
    - `share` (6, body, *cases): loads on the bodies.
    """

    travel: jax.Array
    push: jax.Array
    energy: jax.Array
    places: jax.Array
    share: Any


class StopsOfJoints(Part):
    """Model of all stops of joints in a flight. The class `Stops` describes its results."""

    name = "stops"
    group = "forces"
    kinds = (Stop, HingeStop)

    def find(self, here: Here) -> Stops:
        """Return the travels, loads and energies of all stops at one time."""
        return stops(here, self.of(here.mechanism.scenario))

    def wrench(self, here: Here) -> Any:
        """Return the loads of all stops on the bodies (6, body, *cases): force [N], inertial axes, and torque
        [N m], body axes.
        """
        return here[self.name].share

    def stored_energy(self, here: Here) -> Any:
        """Return the total elastic energy of all stops [J] (*cases)."""
        return jnp.sum(here[self.name].energy, 0)

    def kink_locations(self, here: Here) -> Iterable[Any]:
        """Return, for each end of the stops (end, *cases), a number that passes zero at the contact.

        The number is negative before the contact and positive beyond it.
        """
        return here[self.name].places

    def quantities(self) -> Makers:
        """Return the output quantities of each stop."""
        return makers("forces", self.items, stop_quantities)


def stops(here: Here, laws: tuple[Any, ...]) -> Stops:
    """Return the state of all stops at one time. `laws`: declarations of the stops, at least one."""
    mechanism, t, motion, discrete = here.mechanism, here.t, here.motion, here.discrete
    layout = mechanism.layout
    pairs, frame_a = here.pairs, here.frame_a
    total: Any = 0.0
    found = []
    for law in laws:
        j, axis = layout.joints.index(law.joint), "xyz".index(law.axis)
        pair = attachments.Pairs._make(column(p, j, 2 if p.ndim > pairs.gap.ndim else 1) for p in pairs)
        frame = column(frame_a, j, 2)
        along = jnp.broadcast_to(frame[:, axis], (3, *t.shape))
        if law.kind == "stop":
            travel, rate = _displacement(mechanism, pair, frame, along, j, axis)
        else:
            travel, rate = _rotation(mechanism, pair, frame, along, j, axis)
        held = (discrete.mode[j] > 0).astype(float)
        push, energy, places = _push_of(law, travel, rate)
        found.append((travel, push * held, energy * held, places))
        total = total + _on_bodies(mechanism, law, pair, along, push * held, motion, j)
    travels, pushes, energies, places = zip(*found, strict=True)
    ends = [jnp.broadcast_to(place, t.shape) for some in places for place in some]
    whole = [jnp.stack([jnp.broadcast_to(p, t.shape) for p in part]) for part in (travels, pushes, energies)]
    return Stops(whole[0], whole[1], whole[2], jnp.stack(ends), total)


def _push_of(law, travel, rate):
    """Force or torque, stored energy, and positions relative to the ends. A stop never pulls."""
    push, energy, places = 0.0, 0.0, []
    for end, sign in ((law.upper, 1.0), (law.lower, -1.0)):
        if end is None:
            continue
        beyond = sign * (travel - end)
        against = law.stiffness * beyond + law.damping * sign * rate
        push = push - sign * jnp.where(beyond > 0, jnp.maximum(against, 0.0), 0.0)
        energy = energy + 0.5 * law.stiffness * jnp.maximum(beyond, 0.0) ** 2
        places.append(0.5 * beyond / (NEAR + jnp.abs(beyond)))
    return push, energy, places


def _displacement(mechanism, pair, frame, along, j: int, axis: int):
    """Displacement along the axis since the start, and its rate."""
    start = mechanism.reference.displacement[axis, j]
    rate = pair.gap_rate - cross(*jnp.broadcast_arrays(pair.spin_a, pair.gap))
    return in_frame(frame, pair.gap)[axis] - start, dot(rate, along)


def _rotation(mechanism, pair, frame, along, j: int, axis: int):
    """Rotation about the axis since the start, and its rate."""
    frame_b, own = pair.rotation_b, mechanism.numbers.frame_b
    if own is not None:
        frame_b = product(frame_b, column(own, j, 2))
    start = mechanism.reference.turn[:, :, j]
    turn = product(product(transpose(frame), frame_b), transpose(start))
    k, m = (axis + 1) % 3, (axis + 2) % 3
    angle = jnp.arctan2(turn[m, k] - turn[k, m], turn[k, k] + turn[m, m])
    return angle, dot(pair.spin_b - pair.spin_a, along)


def _on_bodies(mechanism, law, pair, along, push, motion, j: int):
    """Generalized forces of one stop: a force at the child's joint point, or a torque about the axis."""
    act = attachments.lever if law.kind == "stop" else attachments.twist
    on_a, on_b = ((on * push)[:, None] for on in act(pair, along))
    ends = ((mechanism.table.parent[j],), (mechanism.table.child[j],))
    return attachments.sum_by_body(on_a, on_b, *ends, motion.position.shape[1])
