"""Devices that push or hold along a line, in flight: their lines, travels, forces and gas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.contract import Makers, Part
from ...maths import interpolation
from ...maths.arrays import jax, jnp
from ...maths.vectors import norm, rotate_back, widened
from ...model import attachments
from ...model.attachments import Motion, Pairs, picked
from ..springs import law as springs
from . import law as pusher_law
from .law import Gas, Progress
from .quantities import pusher_quantities

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete


class Pushes(NamedTuple):
    """All pushers at one instant, (pusher, *lanes): their lines, forces on the child along them [N], positive
    away from the parent, powers on both bodies [W], travels [m], and the gas of their chambers; share (6,
    body, *lanes): what they do to the bodies."""

    line: springs.LineState
    force: jax.Array
    power: jax.Array
    travel: jax.Array
    gas: Gas
    share: jax.Array


class Pushers(Part):
    """All pushers; see `Pushes`."""

    name = "pushers"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether any is declared."""
        return bool(layout.pushers)

    def find(self, here: Here) -> Pushes:
        """Their lines, forces and gas."""
        return pushes(here.mechanism, here.t, here.motion, here.discrete)

    def wrench(self, here: Here) -> Any:
        """The sum of all."""
        return here[self.name].share

    def stored(self, here: Here) -> Any:
        """Energy of all springs and all gas."""
        return jnp.sum(spring_energies(here), 0) + jnp.sum(gas_energies(here), 0)

    def places(self, here: Here) -> Any:
        """Where they are among the points of their tables over the travel."""
        return [*places(here.mechanism, here.x, here.discrete)]

    def quantities(self) -> Makers:
        """Of each pusher and each chamber."""
        return pusher_quantities(self.layout, spring_energies, gas_energies)


def lines(mechanism: Mechanism, motion: Motion) -> tuple[Pairs, Pairs, springs.LineState]:
    """The pairs of points, the pairs as the forces act on them, and the lines of action."""
    layout, numbers = mechanism.layout, mechanism.numbers
    parent, child = layout.ends(layout.pushers)
    pairs = attachments.kinematics(motion, parent, child, numbers.push_a, numbers.push_b)
    plate = None
    if layout.pusher_form.slides.any():
        assert mechanism.reference.push_plate is not None
        plate = jnp.where(
            widened(layout.pusher_form.plated, pairs.gap.ndim - 1),
            numbers.pushers.plate,
            mechanism.reference.push_plate,
        )
    return pairs, *pusher_law.lines(layout.pusher_form, numbers.pushers, plate, pairs)


def first_plates(mechanism: Mechanism, motion: Motion) -> jax.Array:
    """Directions of the rods in the structure axes of the children (3, pusher, *lanes)."""
    layout, numbers = mechanism.layout, mechanism.numbers
    parent, child = layout.ends(layout.pushers)
    pairs = attachments.kinematics(motion, parent, child, numbers.push_a, numbers.push_b)
    direction = springs.along_axis(pairs, numbers.pushers.axis).direction
    found = rotate_back(pairs.rotation_b, direction / norm(direction))
    return jnp.broadcast_to(found, pairs.gap.shape)


def travel(mechanism: Mechanism, line: springs.LineState, discrete: Discrete) -> jax.Array:
    """How far each has gone since it was fired, before that since the start [m]."""
    return line.length - mechanism.reference.push_length - discrete.stretched


def extension(mechanism: Mechanism, line: springs.LineState, discrete: Discrete) -> jax.Array:
    """How far each is beyond the length of its first force [m].

    A preload is the force at the firing; a free length gives the force at every length."""
    anew = widened(mechanism.layout.pusher_form.anew, line.length.ndim)
    return line.length - mechanism.reference.push_length - jnp.where(anew, discrete.stretched, 0.0)


def travel_left(mechanism: Mechanism, device: int, discrete: Discrete) -> Any:
    """Travel at which a pusher is spent [m]: its stroke, or less where its free length ends it."""
    numbers, stroke = mechanism.numbers.pushers, mechanism.numbers.pushers.stroke[device]
    if mechanism.layout.pusher_form.anew[device]:
        return stroke
    free = mechanism.reference.push_force[device] / numbers.stiffness[device] - discrete.stretched[device]
    return jnp.minimum(stroke, free)


def pushes(mechanism: Mechanism, t: Any, motion: Motion, discrete: Discrete) -> Pushes:
    """All pushers."""
    layout, numbers = mechanism.layout, mechanism.numbers.pushers
    shape = layout.pusher_form
    parent, child = layout.ends(layout.pushers)
    pairs, acting, line = lines(mechanism, motion)
    now = _progress(mechanism, t, line, discrete)
    gas = Gas(*(jnp.zeros((0, *line.length.shape[1:])),) * 3)
    if len(shape.constant):
        gas = pusher_law.gas(shape, numbers, now, discrete.filled)
    force = pusher_law.forces(shape, numbers, mechanism.reference.push_force, now, gas.pressure)
    power = pusher_law.power(acting, pairs, line, force)
    on_a, on_b = attachments.lever(acting, line.direction)
    share = attachments.gathered(on_a * force, on_b * force, parent, child, motion.position.shape[1])
    return Pushes(line, force, power, now.travel, gas, share)


def _progress(mechanism: Mechanism, t: Any, line: springs.LineState, discrete: Discrete) -> Progress:
    gone = travel(mechanism, line, discrete)
    begun, since = discrete.pushing, jnp.zeros_like(gone)
    shape = mechanism.layout.pusher_form
    if shape.by_time or len(shape.constant):
        at = jnp.isfinite(discrete.begun)
        begun, since = at.astype(float), jnp.where(at, t - jnp.where(at, discrete.begun, t), 0.0)
    rate = jnp.broadcast_to(line.rate, gone.shape)
    ahead = extension(mechanism, line, discrete)
    return Progress(gone, rate, ahead, discrete.pushing, begun, since)


def spring_energies(here: Here) -> Any:
    """Energy left in each kick-off spring [J], (pusher, *lanes): what it can still give over the rest of its
    free travel; zero for other pushers, and for those that do not push."""
    numbers = here.numbers.pushers
    beyond = extension(here.mechanism, here["pushers"].line, here.discrete)
    sprung = numbers.stiffness > 0
    stiffness = jnp.where(sprung, numbers.stiffness, 1.0)
    left = here.equations.reference.push_force / stiffness - beyond
    stored = 0.5 * numbers.strength * stiffness * left**2
    return jnp.where(sprung & (here.discrete.pushing > 0), stored, 0.0)


def gas_energies(here: Here) -> Any:
    """Energy of the gas of each chamber [J], (chamber, *lanes), see `pusher_law.gas_energy`; zero where the
    supply is constant."""
    constant = widened(here.equations.layout.pusher_form.constant, 1 + here.t.ndim)
    return jnp.where(constant, 0.0, pusher_law.gas_energy(here.numbers.pushers, here["pushers"].gas))


# --- kinks and events


def places(mechanism: Mechanism, x: Any, discrete: Discrete) -> jax.Array:
    """Where pushers are among the points of their tables over the travel (table, *lanes), see
    `interpolation.place`; zero where they do not push."""
    shape, tables = mechanism.layout.pusher_form, mechanism.numbers.pushers.ready[0]
    if tables is None:
        return jnp.zeros((0, *x.shape[1:]))
    now = travel(mechanism, lines(mechanism, mechanism.motion(x))[2], discrete)
    wide = tables.points.where.shape[0], len(shape.by_stroke), *now.shape[1:]
    found = interpolation.place(jnp.broadcast_to(tables.points.where, wide), picked(now, shape.by_stroke, 0))
    return jnp.where(picked(discrete.pushing, shape.by_stroke, 0) > 0, found, 0.0)


def corners(mechanism: Mechanism, discrete: Discrete) -> jax.Array:
    """Times of the points of tables over the time since the push began (point of any, *lanes) [s]."""
    shape, tables = mechanism.layout.pusher_form, mechanism.numbers.pushers.ready[1]
    begun = picked(discrete.begun, shape.by_time, 0)
    times = begun + tables.points.where
    return times.reshape(-1, *times.shape[2:])


def switched(mechanism: Mechanism, t: Any, discrete: Discrete, newly: list[Any], happenings: Any) -> Discrete:
    """Pushers that begin to push at events, for the first time only, and that are spent."""
    pushing, begun = discrete.pushing, discrete.begun

    def among(numbers):
        return widened(np.isin(np.arange(pushing.shape[0]), numbers), pushing.ndim)

    for new, h in zip(newly, happenings, strict=True):
        # The compiler of one kernel fails on masks of lanes that begin with a constant, or that isinf makes.
        parts = [new & among(h.starts) & (mechanism.numbers.pushers.delay <= 0)] if h.starts else []
        parts += [new & among(h.begins)] if h.begins else []
        if parts:
            begins = parts[0] if len(parts) == 1 else parts[0] | parts[1]
            begins = begins & ~(begun < jnp.inf)
            pushing, begun = jnp.where(begins, 1.0, pushing), jnp.where(begins, t, begun)
        if h.spends:
            pushing = jnp.where(new & among(h.spends), 0.0, pushing)
    return discrete._replace(pushing=pushing, begun=begun)


def counted_anew(
    mechanism: Mechanism, x: Any, before: Discrete, after: Discrete, happenings: Any
) -> Discrete:
    """The travel of a pusher counts from where it is first fired: bodies may have met since the start. One
    that answers late finds part of its travel gone."""
    line = lines(mechanism, mechanism.motion(x))[2]
    count, length = line.length.shape[0], line.length
    fires = np.array([[k in h.starts for k in range(count)] for h in happenings], float)
    had, has = (_any(fires, discrete.fired) for discrete in (before, after))
    stretched = jnp.where(has & ~had, length - mechanism.reference.push_length, before.stretched)
    after = after._replace(stretched=stretched)
    if after.filled is None:
        return after
    shape, numbers = mechanism.layout.pusher_form, mechanism.numbers.pushers
    # Only what is late now fills up anew: where the others are goes on without a jump.
    new = (after.begun < jnp.inf) & ~(before.begun < jnp.inf)  # not isinf: see `switched`
    was, now = (_progress(mechanism, 0.0, line, discrete) for discrete in (before, after))
    now = Progress(*(jnp.where(new, b, a) for a, b in zip(was, now, strict=True)))
    filled = pusher_law.filled(shape, numbers, was, now, after.filled)
    return after._replace(filled=filled)


def _any(table: np.ndarray, flags: jax.Array) -> jax.Array:
    """Whether any of the flags (event, *lanes) is set that a table (event, pusher) marks, (pusher,
    *lanes)."""
    marked = widened(table, 1 + flags.ndim) * flags[:, None].astype(float)
    return jnp.sum(marked, 0) > 0
