"""Entry guidance to a site along a profile of drag over speed or energy.

The profile is D(x) [m/s^2]. The variable x is the speed V relative to the atmosphere, or the energy E = V^2/2
+ g0 h. On a flat path, dV/dt = -D and dE/dt = -V D, so the profile determines the range R:

    R = int V dV / D(V),    R = int dE / D(E)

At each sample, the profile is multiplied by a factor, so that R is equal to the remaining distance to the
site. Let H be the scale height of the atmospheric density, and x' = -D or -V D. The drag follows the profile
at the altitude rate

    h'_ref = -H (2 D / V + D'(x)/D x' - c'/c),    c = D / q.

The derivative of h'_ref is h''_ref. The required vertical component of the lift follows from

    h'' = h''_ref + 2 z w (h'_ref - h') + w^2 H ln(D / D_ref)
    L cos(bank) cos(gamma) = h'' + g - V^2/r + D sin(gamma)

with w = 1/response and the damping ratio z. Drag coefficients are assumed constant along the profile.

Source: J. C. Harpold and C. A. Graves, Shuttle entry guidance, AAS 78-147 (1978, NTRS 19790037248). In the
source, feedback of drag and sink rate acts about a reference of drag over velocity, which is adjusted to the
range. Heading errors to the site cause bank reversals. Differences:

- The complete profile is scaled. The profile can have any shape.
- The feedback acts like a linear oscillator in altitude. The two gains of the feedback follow from a time and
  a damping ratio.
- Lift, drag and scale height are the true values of the flight, not values of an on-board model.
- The angle of attack is not modulated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.joined import over_stack, stack_mass
from ...environment import atmosphere
from ...environment.us76 import G0
from ...maths import interpolation
from ...maths.arrays import jnp, jvp
from ...maths.gauss import gauss
from ...maths.rotations import wrap_angle
from ...maths.vectors import dot, norm
from ..control.gain_schedule import gain_at, overs
from . import homing

if TYPE_CHECKING:
    from ...engine.here import Here
    from .laws import Ready
    from .stance import View

NODES = 8
"""The number of nodes of the Gauss quadrature for each line of a profile. If the drag is constant, the result
is exact. If the drag changes by a factor of three, its relative error is 1e-9.
"""
WORKS, WAITS, LIMITED, NO_AUTHORITY, OUT_OF_RANGE = range(5)
WHY = {
    NO_AUTHORITY: "no bank angle within the limits gives the drag of the profile",
    OUT_OF_RANGE: "no factor within the limits makes the drag profile lead to the site",
}
"""The reason of a failure, by status of the law."""


class Seen(NamedTuple):
    """Inputs of a sample, each (*cases).

    - speed: speed relative to the atmosphere [m/s].
    - energy: energy per mass [J/kg].
    - climb: altitude rate [m/s].
    - drag, lift: accelerations by drag and lift [m/s^2].
    - coefficient: drag acceleration divided by dynamic pressure [m^2/kg].
    - weight: weight minus centrifugal force, per mass [m/s^2].
    - height: scale height of the density [m].
    - distance: distance to the site [m].
    - off: course error [rad].
    - corridor: half-width of the course corridor [rad].
    """

    speed: Any
    energy: Any
    climb: Any
    drag: Any
    lift: Any
    coefficient: Any
    weight: Any
    height: Any
    distance: Any
    off: Any
    corridor: Any


class Kept(NamedTuple):
    """Data that the law stores between samples, each (*cases).

    - time: time of the last sample [s].
    - start, goal: bank at the last sample, and commanded bank [rad].
    - side: side of the bank: 1 right, -1 left, 0 before the first sample.
    - factor: factor of the profile.
    - drag: commanded drag [m/s^2].
    - coefficient: drag acceleration divided by dynamic pressure [m^2/kg]; zero before the first sample.
    - since: time since which the law cannot follow the profile [s]; infinite if it can.
    - status: number of the status.
    - due: time of the next sample [s]; infinite if no sample follows.
    """

    time: Any
    start: Any
    goal: Any
    side: Any
    factor: Any
    drag: Any
    coefficient: Any
    since: Any
    status: Any
    due: Any


def nothing(time: Any, due: Any) -> Kept:
    """Return the stored data before the first sample. time: flight time [s] (*cases). due: time of the first
    sample [s] (*cases).
    """
    none = jnp.zeros_like(time)
    return Kept(time, none, none, none, none + 1, none, none, none + jnp.inf, none + WAITS, due)


def bank(law: Any, kept: Kept, time: Any) -> Any:
    """Return the bank angle [rad] (*cases) at a flight time [s]. The bank changes to the commanded bank with
    the bank rate of the law.
    """
    most = law.bank_rate * (time - kept.time)
    return kept.start + interpolation.clamp(kept.goal - kept.start, -most, most)


def bank_time(law: Any, kept: Kept) -> Any:
    """Return the time at which the bank reaches the commanded bank [s] (*cases)."""
    return kept.time + jnp.abs(kept.goal - kept.start) / law.bank_rate


# --- inputs of a sample -------------------------------------------------------------------------------------


def sample_inputs(ready: Ready, view: View, here: Here) -> Any:
    """Return the inputs of a sample in one array (11, *cases), in the order of `Seen`."""
    law, velocity = ready.law, view.air_velocity
    speed = norm(velocity)
    along = velocity / jnp.where(speed > 0, speed, 1.0)
    push = _of_the_air(view.body, here)
    drag = -dot(push, along)
    sight = homing.sight(view.site(law.site), view)
    corridor = gain_at(ready.corridor, view.time, {name: view.read(name) for name in overs(law.corridor)})
    found = Seen(
        speed=speed,
        energy=0.5 * speed**2 + G0 * view.altitude,
        climb=-dot(view.level[:, 2], view.ground_velocity),
        drag=drag,
        lift=norm(push + drag * along),
        coefficient=drag / jnp.maximum(view.dynamic_pressure, 1e-9),
        weight=homing.weight(view, -jnp.inf),
        height=_scale_height(view, here),
        distance=sight.distance,
        off=wrap_angle(sight.course - sight.azimuth),
        corridor=corridor,
    )
    return jnp.stack([jnp.broadcast_to(row, here.t.shape) for row in found])


def _of_the_air(body: int, here: Here) -> Any:
    """Aerodynamic acceleration of the stack of a body [m/s^2] (3, *cases), inertial axes."""
    from ..air.airloads import forces

    force = forces(here)
    if "drag" in here.equations.parts:
        force = force + here.equations.parts["drag"].wrench(here)[:3, : here.equations.layout.count]
    return over_stack(here, force, (body,))[:, 0] / stack_mass(here, (body,))[0]


def _scale_height(view: View, here: Here) -> Any:
    """Scale height of the density [m], at least one kilometre."""
    ready = here.equations.numbers.surroundings
    assert ready is not None  # checked: it has a planet
    height = view.altitude
    density, slope = jvp(
        lambda z: atmosphere.air(ready.atmosphere, z).density, (height,), (jnp.ones_like(height),)
    )
    falls = -slope * 1e3 > 0
    found = jnp.where(falls, -density / jnp.where(falls, slope, -1.0), 1e3)
    return jnp.maximum(found, 1e3)


# --- the profile --------------------------------------------------------------------------------------------


def profile(drag: Any, x: Any) -> tuple[Any, Any]:
    """Return the drag of a profile [m/s^2] and its derivative with respect to x, each (*cases). Beyond the
    ends, the drag is constant.

    - drag: declaration of the profile in the scenario.
    - x: speed [m/s] or energy [J/kg] (*cases).
    """
    where, value = _points(drag, x)
    inside = (x[None] >= where[:-1]) & (x[None] < where[1:])
    slopes = (value[1:] - value[:-1]) / (where[1:] - where[:-1])
    within = jnp.sum(jnp.where(inside, value[:-1] + slopes * (x - where[:-1]), 0.0), 0)
    below, above = x < where[0], x >= where[-1]
    found = jnp.where(below, value[0], jnp.where(above, value[-1], within))
    return found, jnp.sum(jnp.where(inside, slopes, 0.0), 0)


def reach(drag: Any, x: Any) -> Any:
    """Return the range along a profile from x to its first point [m] (*cases). If x is below the first point,
    the range is zero.

    - drag: declaration of the profile in the scenario.
    - x: speed [m/s] or energy [J/kg] (*cases).
    """
    where, value = _points(drag, x)
    ends = jnp.clip(x[None], where[:-1], where[1:])
    half = 0.5 * (ends - where[:-1])
    slopes = (value[1:] - value[:-1]) / (where[1:] - where[:-1])
    total = 0.0
    for node, weight in zip(*gauss(NODES), strict=True):
        from_start = half * (1 + node)
        way = where[:-1] + from_start if drag.over == "speed" else 1.0
        total = total + jnp.sum(weight * half * way / (value[:-1] + slopes * from_start), 0)
    top = jnp.maximum(x, where[-1])
    above = 0.5 * (top**2 - where[-1] ** 2) if drag.over == "speed" else top - where[-1]
    return total + above / value[-1]


def _points(drag: Any, x: Any) -> tuple[Any, Any]:
    """Points and values (n, *cases) of a profile."""
    where, value = (jnp.asarray(column) for column in (drag.points, drag.value))
    extra = (1,) * (1 + jnp.ndim(x) - where.ndim), (1,) * (1 + jnp.ndim(x) - value.ndim)
    return where.reshape(*where.shape, *extra[0]), value.reshape(*value.shape, *extra[1])


def sink(drag: Any, factor: Any, speed: Any, energy: Any, height: Any) -> tuple[Any, Any, Any]:
    """Return the drag of a scaled profile [m/s^2], the altitude rate that follows the profile [m/s], and the
    derivative of this rate [m/s^2]. Each result has the shape (*cases).

    - drag: declaration of the profile in the scenario.
    - factor: factor of the profile.
    - speed: speed relative to the atmosphere [m/s].
    - energy: energy per mass [J/kg].
    - height: scale height of the density [m].
    """

    def rate(speed: Any, energy: Any) -> Any:
        value, slope = profile(drag, speed if drag.over == "speed" else energy)
        own = factor * value
        moving = -own if drag.over == "speed" else -speed * own
        safe = jnp.where(speed > 0, speed, 1.0)
        return -height * (2 * own / safe + slope / value * moving)

    wanted = factor * profile(drag, speed if drag.over == "speed" else energy)[0]
    climb, bend = jvp(rate, (speed, energy), (-wanted, -speed * wanted))
    return wanted, climb, bend


# --- a sample -----------------------------------------------------------------------------------------------


def take_sample(law: Any, kept: Kept, time: Any, rows: Any, begin: Any) -> Kept:
    """Return the stored data after a sample.

    - kept: data stored at the last sample.
    - time: flight time [s] (*cases).
    - rows: inputs from `sample_inputs` (11, *cases).
    - begin: time at which the law began [s] (*cases).
    """
    now, here = Seen(*rows), bank(law, kept, time)
    side = _side(kept, now)
    waits = (now.drag < law.begins_at) & (kept.status == WAITS)
    factor, beyond = _factor(law, kept, now, waits)
    wanted, climb, bend = sink(law.drag, factor, now.speed, now.energy, now.height)
    climb = climb + now.height * _swelling(kept, now, time)
    size, limited = _bank_for(law, now, wanted, climb, bend)
    size = jnp.where(waits, law.first_bank, size)
    far = jnp.abs(now.drag / wanted - 1) > law.within
    fails = ~waits & ((limited & far) | beyond)
    since = jnp.where(fails, jnp.minimum(kept.since, time), jnp.inf)
    over = fails & (time - jnp.where(jnp.isfinite(since), since, time) >= law.give_up_after)
    why = jnp.where(beyond, float(OUT_OF_RANGE), float(NO_AUTHORITY))
    at_work = jnp.where(limited, float(LIMITED), float(WORKS))
    status = jnp.where(waits, float(WAITS), jnp.where(over, why, at_work))
    status = jnp.where(kept.status >= NO_AUTHORITY, kept.status, status)
    # The time of each sample is a product: a sum of periods would accumulate rounding.
    number = jnp.round((kept.due - begin) / law.period)
    due = begin + (number + 1) * law.period
    known = factor, wanted, now.coefficient, since, status, due
    return Kept(time + jnp.zeros_like(size), here, side * size, side, *known)


def _swelling(kept: Kept, now: Seen, time: Any) -> Any:
    """Rate of the logarithm of the drag coefficient between samples [1/s]."""
    known = (kept.coefficient > 0) & (now.coefficient > 0) & (time > kept.time)
    grown = jnp.log(jnp.where(known, now.coefficient, 1.0) / jnp.where(known, kept.coefficient, 1.0))
    return grown / jnp.where(known, time - kept.time, 1.0)


def _side(kept: Kept, now: Seen) -> Any:
    """Side of the bank. The first side is towards the site. At the limits of the corridor, the side
    changes."""
    first = jnp.where(now.off > 0, -1.0, 1.0)
    side = jnp.where(kept.side == 0, first, kept.side)
    return jnp.where(now.off > now.corridor, -1.0, jnp.where(now.off < -now.corridor, 1.0, side))


def _factor(law: Any, kept: Kept, now: Seen, waits: Any) -> tuple[Any, Any]:
    """Factor of the profile that leads to the site, and whether it is at a limit."""
    x = now.speed if law.drag.over == "speed" else now.energy
    left, range_ = now.distance - law.ends_at, reach(law.drag, x)
    low, high = law.factors[0], law.factors[1]
    exact = range_ / jnp.where(left > 0, left, 1.0)
    exact = jnp.where(left > 0, exact, high)
    stays = (range_ < law.keep) | waits
    found = jnp.where(stays, kept.factor, interpolation.clamp(exact, low, high))
    return found, ~stays & ((left <= 0) | (found != exact))


def _bank_for(law: Any, now: Seen, wanted: Any, climb: Any, bend: Any) -> tuple[Any, Any]:
    """Bank magnitude that tracks the profile [rad], and whether it is at a limit."""
    speed = jnp.where(now.speed > 0, now.speed, 1.0)
    sine = jnp.clip(now.climb / speed, -1.0, 1.0)
    frequency = 1 / law.response
    error = now.height * jnp.log(jnp.maximum(now.drag, 1e-6) / wanted)
    asked = bend + 2 * law.damping * frequency * (climb - now.climb) + frequency**2 * error
    upward = asked + now.weight + now.drag * sine
    share = upward / jnp.maximum(now.lift * jnp.sqrt(1 - sine * sine), 1e-9)
    most, least = jnp.cos(law.bank_least), jnp.cos(law.bank_most)
    limited = (share > most) | (share < least)
    return jnp.arccos(jnp.clip(interpolation.clamp(share, least, most), -1.0, 1.0)), limited
