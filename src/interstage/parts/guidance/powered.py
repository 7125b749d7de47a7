"""Powered guidance during a flight: target, remaining burns, samples, and reasons of failures."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...environment.us76 import G0
from ...maths.arrays import jnp, lax
from ...maths.vectors import cross, dot, norm
from . import upfg

PASSES, AT_FIRST = 5, 30
"""The number of UPFG iterations at a sample, and at the first sample. From the first guess, the iteration
needs ten steps, or thirty if the thrust direction rotates by more than 90 deg.
"""
WORKS, CONVERGING, DIVERGED, SHORT = range(4)
WHY = {
    DIVERGED: "the iteration does not converge, because the orbit is out of reach or `within` too small",
    SHORT: "the burns are too short for the velocity to be gained",
}
"""The reason of a failure, by status of the law."""
SEEN = 3 + 3 + 1
"""The number of inputs of a sample: inertial position (3), inertial velocity (3), and mass of the stack."""


class Kept(NamedTuple):
    """Data that the law stores between samples.

    - memory: data of the UPFG iteration.
    - normal: unit normal of the target plane (3, *cases).
    - begun: whether a sample was taken (*cases), bool.
    - since: time since which the iteration does not converge [s] (*cases); infinite if it converges.
    - status: number of the status (*cases).
    - due: time of the next sample [s] (*cases); infinite if no sample follows.
    """

    memory: upfg.Memory
    normal: Any
    begun: Any
    since: Any
    status: Any
    due: Any


def nothing(time: Any, due: Any) -> Kept:
    """Return the stored data before the first sample. time: flight time [s] (*cases). due: time of the first
    sample [s] (*cases).
    """
    none, vector = jnp.zeros_like(time), jnp.zeros((3, *time.shape))
    memory = upfg.Memory(
        *(time, vector, vector, vector, vector, vector, none, vector, vector, none, none, none > 0)
    )
    return Kept(memory, vector, none > 0, none + jnp.inf, none + CONVERGING, due)


def take_sample(law: Any, planet: Any, kept: Kept, time: Any, seen: Any, begins: Any) -> Kept:
    """Return the stored data after a sample.

    - kept: data stored at the last sample.
    - time: flight time [s] (*cases).
    - seen: inputs of the sample (7, *cases); see `SEEN`.
    - begins: list of times [s] (*cases): start of the law, then start of each later burn; infinite before its
      start.
    """
    position, velocity, mass = seen[:3], seen[3:6], seen[6]
    normal = jnp.where(kept.begun, kept.normal, plane(law.orbit, position, velocity))
    target, burns = insertion(law.orbit, planet, normal), burns_left(law, time, mass, begins)
    fresh = upfg.first(planet.mu, target, burns, time, position, velocity)
    memory = upfg.Memory(
        *(jnp.where(kept.begun, old, new) for old, new in zip(kept.memory, fresh, strict=True))
    )

    def once(_, found):
        return upfg.make_pass(planet.mu, target, burns, found, time, position, velocity)

    count = jnp.where(jnp.all(kept.begun), PASSES, AT_FIRST)
    found = lax.fori_loop(0, count, once, memory)
    # Near the end and after giving up, the last steering is kept.
    late = kept.begun & (kept.memory.time + kept.memory.left - time < law.keep)
    stays = late | (kept.status >= DIVERGED)
    converged = (found.miss < law.within) & ~found.short
    since = jnp.where(converged, jnp.inf, jnp.minimum(kept.since, time))
    over = time - jnp.where(jnp.isfinite(since), since, time) >= law.give_up_after
    why = jnp.where(found.short, float(SHORT), float(DIVERGED))
    status = jnp.where(converged, float(WORKS), jnp.where(over, why, float(CONVERGING)))
    # The time of each sample is a product: a sum of periods would accumulate rounding.
    number = jnp.round((kept.due - begins[0]) / law.period)
    due = begins[0] + (number + 1) * law.period
    new = Kept(found, normal, jnp.ones_like(late), since, status, due)
    pairs = zip(_flat(kept._replace(due=due)), _flat(new), strict=True)
    return _unflatten([jnp.where(stays, a, b) for a, b in pairs])


def _flat(kept: Kept) -> list[Any]:
    return [*kept.memory, *kept[1:]]


def _unflatten(parts: list[Any]) -> Kept:
    count = len(upfg.Memory._fields)
    return Kept(upfg.Memory(*parts[:count]), *parts[count:])


def insertion(orbit: Any, planet: Any, normal: Any) -> upfg.Target:
    """Return the target of the guidance for an orbit.

    For an ellipse, the speed follows from the energy, and the flight-path angle follows from the angular
    momentum. normal: unit normal of the orbit plane (3, *cases).
    """
    radius = planet.radius + orbit.altitude
    if orbit.speed is not None:
        angle = 0.0 if orbit.flight_path_angle is None else orbit.flight_path_angle
        return upfg.Target(radius, orbit.speed, angle, normal)
    low, high = planet.radius + orbit.perigee_altitude, planet.radius + orbit.apogee_altitude
    speed = jnp.sqrt(planet.mu * (2 / radius - 2 / (low + high)))
    momentum = jnp.sqrt(planet.mu * 2 * low * high / (low + high))
    level = jnp.minimum(momentum / (radius * speed), 1.0)
    return upfg.Target(radius, speed, jnp.arctan2(jnp.sqrt(1 - level * level), level), normal)


def plane(orbit: Any, position: Any, velocity: Any) -> Any:
    """Return the unit normal of the target plane (3, *cases), inertial axes, in the direction of the angular
    momentum.

    - orbit: declaration of the target orbit in the scenario.
    - position [m], velocity [m/s]: of the vehicle (3, *cases), inertial axes.
    """
    if orbit.inclination is None:
        return upfg.unit(cross(position, velocity))
    c, s = jnp.cos(orbit.inclination), jnp.sin(orbit.inclination)
    if orbit.node is not None:
        node = orbit.node
        found = jnp.stack(jnp.broadcast_arrays(s * jnp.sin(node), -s * jnp.cos(node), c))
        return found[:, None] + jnp.zeros_like(position) if found.ndim < position.ndim else found
    # Plane through the position: n = a e + b f with f to the north along the meridian, e to the east of it.
    up = upfg.unit(position)
    east = upfg.unit(jnp.stack([-up[1], up[0], jnp.zeros_like(up[0])]))
    north = cross(up, east)
    along_north = jnp.clip(c / jnp.maximum(north[2], 1e-12), -1.0, 1.0)
    side = jnp.where(dot(velocity, north) >= 0, -1.0, 1.0)
    return along_north * north + side * jnp.sqrt(jnp.maximum(1 - along_north**2, 0.0)) * east


def burns_left(law: Any, time: Any, mass: Any, begins: Any) -> upfg.Burns:
    """Return the remaining burns.

    - time: flight time [s] (*cases).
    - mass: mass of the stack [kg] (*cases).
    - begins: start of each burn [s] (*cases); infinite before its start.
    """
    exhausts, accelerations, durations, coasts = [], [], [], []
    over = jnp.zeros_like(time)
    for k, burn in enumerate(law.burns):
        begun = jnp.isfinite(begins[k])
        spent = jnp.where(begun, time - jnp.where(begun, begins[k], 0.0), 0.0)
        ended = jnp.isfinite(begins[k + 1]) if k + 1 < len(law.burns) else begun & False
        left = jnp.where(ended, 0.0, jnp.maximum(burn.duration - spent, 0.0))
        drives = mass if burn.mass is None else jnp.where(begun, mass, burn.mass)
        exhausts.append(burn.isp * G0 + jnp.zeros_like(time))
        accelerations.append(burn.thrust / drives + jnp.zeros_like(time))
        durations.append(left)
        coasts.append(jnp.where(begun, 0.0, jnp.maximum(burn.coast - over, 0.0)) + jnp.zeros_like(time))
        over = jnp.where(begun, jnp.maximum(spent - burn.duration, 0.0), 0.0)
    return upfg.Burns(*(jnp.stack(rows) for rows in (exhausts, accelerations, durations, coasts)))


def direction(kept: Kept, time: Any, velocity: Any) -> Any:
    """Return the commanded thrust direction (3, *cases), inertial axes. Before the first sample, the result
    is the inertial velocity.
    """
    return jnp.where(kept.begun, upfg.pointing(kept.memory, time), velocity)


def moving(kept: Kept, time: Any) -> Any:
    """Return the rate of change of the thrust direction [1/s] (3, *cases), inertial axes. time: flight time
    [s].
    """
    whole = kept.memory.direction + kept.memory.turning * (time - kept.memory.time - kept.memory.middle)
    size = jnp.where(kept.begun, norm(whole), 1.0)
    x = whole / size
    bent = (kept.memory.turning - dot(kept.memory.turning, x) * x) / size
    return jnp.where(kept.begun, bent, 0.0)


def time_to_go(kept: Kept, time: Any) -> Any:
    """Return the time to the cut-off [s] (*cases). Before the first sample, the result is `NEVER`."""
    return jnp.where(kept.begun, kept.memory.time + kept.memory.left - time, NEVER)


NEVER = 1e9
"""The time to go before the first sample [s]."""
