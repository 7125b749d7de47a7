"""Unified powered flight guidance (UPFG): the steering that brings a rocket to a radius, a speed and a
flight-path angle in a plane, wherever along it, computed anew from each state.

Thrust points along lambda + lambda' (t - K), made a unit vector, which is the optimum in a gravity that is
the same everywhere; the pull of the planet is that of a conic through a place and velocity which are on the
average those of the powered arc. T. J. Brand, D. W. Brown and J. P. Higgins, Space Shuttle GN&C Equation
Document no. 24, Unified Powered Flight Guidance (1973, NTRS 19740004402), standard ascent mode; the block
numbers below are theirs. Changed: integrals of the thrust are taken by Gauss's quadrature of the very
direction that is flown, where theirs are closed forms to the second order of its turn, so that coasts ahead
need no forms of their own; and the bias of the distance has no part along the orbit, see `passed`. Thrust
that has to turn by much more than a right angle in all is beyond it: the passes do not converge then.

Vectors are inertial, (3, *cases); burns ahead stand along an axis before the cases."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...environment import orbit
from ...maths.arrays import jnp
from ...maths.gauss import gauss
from ...maths.vectors import cross, dot, norm

NODES = 16
"""Of Gauss's quadrature over [-1, 1]: the gain of a burn that leaves a fifth of the mass to 1e-13 of it."""


class Burns(NamedTuple):
    """The burn at present and those ahead, (burn, *cases): effective exhaust velocity [m/s], acceleration as
    each begins or at present [m/s^2], time that is left of each [s], and the coast before it [s]."""

    exhaust: Any
    acceleration: Any
    duration: Any
    coast: Any


class Target(NamedTuple):
    """What is to be reached: radius [m], speed [m/s], flight-path angle [rad] (*cases), and the plane by the
    direction of its angular momentum (3, *cases)."""

    radius: Any
    speed: Any
    angle: Any
    normal: Any


class Memory(NamedTuple):
    """What is kept from one pass to the next. time [s], velocity [m/s]: of the last one. to_go: velocity to
    be gained by thrust [m/s]; goal: position at cut-off [m]; fall: by how much gravity moves the rocket until
    then [m]; bias: what the steering misses of the distance [m]; left: time to cut-off [s]. direction,
    turning [1/s]: lambda and its rate; middle: K, the time after the last pass at which thrust points along
    lambda [s]. miss: change of `to_go` in the last pass, as a part of it; short: whether the burns do not
    give it."""

    time: Any
    velocity: Any
    to_go: Any
    goal: Any
    fall: Any
    bias: Any
    left: Any
    direction: Any
    turning: Any
    middle: Any
    miss: Any
    short: Any


def unit(vector: Any) -> Any:
    """The direction of a vector; a zero vector stays."""
    size = norm(vector)
    return vector / jnp.where(size > 0, size, 1.0)


def first(mu: Any, target: Target, burns: Burns, time: Any, position: Any, velocity: Any) -> Memory:
    """What a first pass begins with (block 0): cut-off where the mean of the velocities leads to."""
    goal, none = _goal(target, position), jnp.zeros_like(position)
    to_go = left = none
    for _ in range(3):
        to_go = _wanted(target, goal) - velocity
        left = jnp.sum(sum(_times(burns, norm(to_go))[:2]), 0)
        goal = _goal(target, position + (velocity + 0.5 * to_go) * left)
    fall = -0.5 * mu * left * left * position / norm(position) ** 3
    nought = jnp.zeros_like(norm(position))
    return Memory(
        *(time + nought, velocity, to_go, goal, fall, none, left, unit(to_go), none, 0.5 * left),
        *(nought + jnp.inf, nought > 0),
    )


def _goal(target: Target, position: Any) -> Any:
    """The place of the radius and the plane that is nearest to a position."""
    return target.radius * unit(_without(position, target.normal))


def _wanted(target: Target, position: Any) -> Any:
    """The velocity that is to be had at cut-off over a position."""
    up = unit(position)
    ahead = unit(cross(target.normal, up))
    return target.speed * (jnp.sin(target.angle) * up + jnp.cos(target.angle) * ahead)


def _times(burns: Burns, gain: Any) -> tuple[Any, Any, Any]:
    """Time of each burn and of the coast before it [s] (burn, *cases), and whether all together do not give
    the gain of velocity [m/s] (block 3): burns are used up one after another, and the last as far as it is
    needed."""
    whole = burns.exhaust / burns.acceleration  # all of the mass would be burnt
    most = -burns.exhaust * jnp.log1p(-jnp.minimum(burns.duration / whole, 1 - 1e-9))
    before = jnp.cumsum(most, 0) - most
    given = jnp.minimum(jnp.maximum(gain - before, 0.0), most)
    times = -whole * jnp.expm1(-given / burns.exhaust)
    coasts = jnp.where(given > 0, burns.coast, 0.0)
    return times, coasts, gain > jnp.sum(most, 0)


class Thrust(NamedTuple):
    """The acceleration by thrust until cut-off at the nodes of the quadrature: times from now on [s] and
    gains of velocity [m/s] (node, burn, *cases), and the time of cut-off [s] (*cases)."""

    at: Any
    gain: Any
    end: Any

    def sum(self, *factors: Any) -> Any:
        """The integral of the acceleration times some factors."""
        found = self.gain
        for factor in factors:
            found = found * factor
        return jnp.sum(found, (-self.at.ndim, 1 - self.at.ndim))


def _thrust(burns: Burns, times: Any, coasts: Any) -> Thrust:
    """The acceleration of burns by their times [s] and coasts (block 4)."""
    ends = jnp.cumsum(times + coasts, 0)
    shape = (-1,) + (1,) * times.ndim
    nodes, weights = (part.reshape(shape) for part in gauss(NODES))
    within = 0.5 * (1 + nodes) * times
    acceleration = burns.acceleration / (1 - within * burns.acceleration / burns.exhaust)
    return Thrust(ends - times + within, 0.5 * weights * times * acceleration, ends[-1])


def passed(
    mu: Any, target: Target, burns: Burns, memory: Memory, time: Any, position: Any, velocity: Any
) -> Memory:
    """One pass, at a time [s] with an inertial position [m] and velocity [m/s] (blocks 2 to 8)."""
    # Block 2: what thrust has gained since the last pass.
    since, pull = time - memory.time, -mu * position / norm(position) ** 3
    to_go = memory.to_go - (velocity - memory.velocity - pull * since)
    times, coasts, short = _times(burns, norm(to_go))
    thrust = _thrust(burns, times, coasts)
    left = jnp.maximum(thrust.end, 1e-9)
    # Block 5: the turn that covers the distance. Its part along the orbit is left free, and is such that the
    # turn is across lambda; with a bias of its own, as in the paper, it would drift on without end.
    gained, spread = thrust.sum(), thrust.end - thrust.at
    middle = thrust.sum(thrust.at) / jnp.maximum(gained, 1e-30)
    reach = thrust.sum(spread)
    direction = unit(to_go)
    fall = memory.fall * (left / jnp.maximum(memory.left, 1e-9)) ** 2
    ahead = unit(cross(target.normal, memory.goal))
    distance = memory.goal - (position + velocity * left + fall)
    across = _without(distance, ahead) + memory.bias
    along = (reach - dot(direction, across)) / dot(direction, ahead)
    distance = across + along * ahead
    width = thrust.sum((thrust.at - middle) ** 2)
    turning = -(distance - reach * direction) / jnp.maximum(width, 1e-30)
    pointed = direction[:, None, None] + turning[:, None, None] * (thrust.at - middle)
    pointed = pointed / norm(pointed)
    by_thrust, moved = thrust.sum(pointed), thrust.sum(spread, pointed)
    # Block 7: gravity by the conic through a place and velocity that stand for the powered arc.
    conic = position - 0.1 * moved - by_thrust * left / 30, velocity + 1.2 * moved / left - 0.1 * by_thrust
    there, then = orbit.after(mu, *conic, left)
    fall = there - conic[0] - conic[1] * left
    # Block 8: the place at cut-off by the prediction, and what is to be gained by it.
    goal = _goal(target, position + velocity * left + fall + moved)
    wanted = _wanted(target, goal) - velocity - (then - conic[1]) + (to_go - by_thrust)
    miss = norm(wanted - to_go) / jnp.maximum(norm(wanted), 1e-9)
    return Memory(
        *(time + jnp.zeros_like(left), velocity, wanted, goal, fall, _without(distance - moved, ahead)),
        *(left, direction, turning, middle, miss, short),
    )


def _without(vector: Any, axis: Any) -> Any:
    """A vector without its part along an axis of length one."""
    return vector - dot(axis, vector) * axis


def pointing(memory: Memory, time: Any) -> Any:
    """The direction of thrust (3, *cases) at a time [s] after the last pass."""
    return unit(memory.direction + memory.turning * (time - memory.time - memory.middle))
