"""Unified powered flight guidance (UPFG): steering to a radius, a speed and a flight-path angle in an orbit
plane. The position along the orbit is free. At each sample, the steering is computed again from the present
state.

The thrust direction is the unit vector of lambda + lambda' (t - K), which is optimal in uniform gravity.
Gravity is computed along a conic through a mean position and velocity of the powered arc.

Source: T. J. Brand, D. W. Brown and J. P. Higgins, Space Shuttle GN&C Equation Document no. 24, Unified
Powered Flight Guidance (1973, NTRS 19740004402), standard ascent mode, with its block numbers. Differences:

- Thrust integrals are computed by Gauss quadrature along the commanded direction. The source uses closed
  forms of second order in the rotation of this direction. Later coasts therefore need no special forms.
- The position bias has no component in the direction of the orbit; see `make_pass`.

Limitation: if the thrust must rotate by much more than 90 deg in total, the iteration does not converge.

Vectors have the shape (3, *cases) and inertial axes. Burns are along an axis before the case axes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...environment import orbit
from ...maths.arrays import jnp
from ...maths.gauss import gauss
from ...maths.vectors import cross, dot, norm

NODES = 16
"""The number of nodes of the Gauss quadrature. For a burn that leaves a fifth of the mass, the relative error
of the velocity gain is 1e-13.
"""


class Burns(NamedTuple):
    """Present and later burns. Each array has the shape (burn, *cases).

    - exhaust: effective exhaust velocity [m/s].
    - acceleration: thrust acceleration at the start of the burn, or now if the burn has started [m/s^2].
    - duration: remaining burn time [s].
    - coast: time without thrust before the burn [s].
    """

    exhaust: Any
    acceleration: Any
    duration: Any
    coast: Any


class Target(NamedTuple):
    """Target at the cut-off.

    - radius [m], speed [m/s], angle (flight-path angle) [rad]: each (*cases).
    - normal: unit normal of the orbit plane (3, *cases), in the direction of the angular momentum.
    """

    radius: Any
    speed: Any
    angle: Any
    normal: Any


class Memory(NamedTuple):
    """Data that the iteration stores from one pass to the next.

    - `time` [s], `velocity` [m/s]: flight time and velocity at the last pass.
    - `to_go` [m/s]: velocity to be gained by thrust.
    - `goal` [m]: position at the cut-off.
    - `fall` [m]: displacement by gravity until the cut-off.
    - `bias` [m]: difference between the required and the computed displacement by thrust.
    - `left` [s]: time to the cut-off.
    - `direction`, `turning` [1/s]: lambda and its rate lambda'.
    - `middle` [s]: K, the time after the last pass at which thrust is along lambda.
    - `miss`: relative change of `to_go` in the last pass.
    - `short`: whether the burns are insufficient.
    """

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
    """Return the unit vector of a vector (3, *cases). A zero vector is unchanged."""
    size = norm(vector)
    return vector / jnp.where(size > 0, size, 1.0)


def first(mu: Any, target: Target, burns: Burns, time: Any, position: Any, velocity: Any) -> Memory:
    """Return the data for the first pass (block 0). The first guess of the cut-off position follows from the
    mean velocity.

    - mu: gravitational parameter [m^3/s^2].
    - time: flight time [s] (*cases).
    - position [m], velocity [m/s]: of the vehicle (3, *cases), inertial axes.
    """
    goal, none = _goal(target, position), jnp.zeros_like(position)
    to_go = left = none
    for _ in range(3):
        to_go = _required_velocity(target, goal) - velocity
        left = jnp.sum(sum(_times(burns, norm(to_go))[:2]), 0)
        goal = _goal(target, position + (velocity + 0.5 * to_go) * left)
    fall = -0.5 * mu * left * left * position / norm(position) ** 3
    nought = jnp.zeros_like(norm(position))
    return Memory(
        *(time + nought, velocity, to_go, goal, fall, none, left, unit(to_go), none, 0.5 * left),
        *(nought + jnp.inf, nought > 0),
    )


def _goal(target: Target, position: Any) -> Any:
    """Point of the target orbit plane at the target radius that is nearest to a position."""
    return target.radius * unit(_without(position, target.normal))


def _required_velocity(target: Target, position: Any) -> Any:
    """Required velocity at the cut-off, above a position."""
    up = unit(position)
    ahead = unit(cross(target.normal, up))
    return target.speed * (jnp.sin(target.angle) * up + jnp.cos(target.angle) * ahead)


def _times(burns: Burns, gain: Any) -> tuple[Any, Any, Any]:
    """Time of each burn and of the coast before it [s] (burn, *cases), and whether the burns are insufficient
    for the velocity gain [m/s] (block 3).

    Burns are used in order. The last burn is only as long as needed."""
    whole = burns.exhaust / burns.acceleration  # time to burn the whole mass
    most = -burns.exhaust * jnp.log1p(-jnp.minimum(burns.duration / whole, 1 - 1e-9))
    before = jnp.cumsum(most, 0) - most
    given = jnp.minimum(jnp.maximum(gain - before, 0.0), most)
    times = -whole * jnp.expm1(-given / burns.exhaust)
    coasts = jnp.where(given > 0, burns.coast, 0.0)
    return times, coasts, gain > jnp.sum(most, 0)


class Thrust(NamedTuple):
    """Thrust acceleration until the cut-off, at the nodes of the quadrature.

    - at: times of the nodes from now [s] (node, burn, *cases).
    - gain: velocity gains at the nodes [m/s] (node, burn, *cases), which include the quadrature weights.
    - end: time from now to the cut-off [s] (*cases).
    """

    at: Any
    gain: Any
    end: Any

    def sum(self, *factors: Any) -> Any:
        """Return the time integral of the thrust acceleration multiplied by factors. Each factor has the
        shape (..., node, burn, *cases).
        """
        found = self.gain
        for factor in factors:
            found = found * factor
        return jnp.sum(found, (-self.at.ndim, 1 - self.at.ndim))


def _thrust(burns: Burns, times: Any, coasts: Any) -> Thrust:
    """Thrust acceleration of burns with their times and coasts [s] (block 4)."""
    ends = jnp.cumsum(times + coasts, 0)
    shape = (-1,) + (1,) * times.ndim
    nodes, weights = (part.reshape(shape) for part in gauss(NODES))
    within = 0.5 * (1 + nodes) * times
    acceleration = burns.acceleration / (1 - within * burns.acceleration / burns.exhaust)
    return Thrust(ends - times + within, 0.5 * weights * times * acceleration, ends[-1])


def make_pass(
    mu: Any, target: Target, burns: Burns, memory: Memory, time: Any, position: Any, velocity: Any
) -> Memory:
    """Return the data after one pass of the iteration (blocks 2 to 8).

    - mu: gravitational parameter [m^3/s^2].
    - memory: data after the last pass.
    - time: flight time [s] (*cases).
    - position [m], velocity [m/s]: of the vehicle (3, *cases), inertial axes.
    """
    # Block 2: velocity gained by thrust since the last pass.
    since, pull = time - memory.time, -mu * position / norm(position) ** 3
    to_go = memory.to_go - (velocity - memory.velocity - pull * since)
    times, coasts, short = _times(burns, norm(to_go))
    thrust = _thrust(burns, times, coasts)
    left = jnp.maximum(thrust.end, 1e-9)
    # Block 5: the rotation that covers the distance. Its component along the orbit is free, so that the
    # rotation is perpendicular to lambda. With its own bias, as in the paper, it would drift without limit.
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
    # Block 7: gravity by the conic through a position and velocity that represent the powered arc.
    conic = position - 0.1 * moved - by_thrust * left / 30, velocity + 1.2 * moved / left - 0.1 * by_thrust
    there, then = orbit.after(mu, *conic, left)
    fall = there - conic[0] - conic[1] * left
    # Block 8: the predicted position at cut-off, and the velocity to be gained.
    goal = _goal(target, position + velocity * left + fall + moved)
    wanted = _required_velocity(target, goal) - velocity - (then - conic[1]) + (to_go - by_thrust)
    miss = norm(wanted - to_go) / jnp.maximum(norm(wanted), 1e-9)
    return Memory(
        *(time + jnp.zeros_like(left), velocity, wanted, goal, fall, _without(distance - moved, ahead)),
        *(left, direction, turning, middle, miss, short),
    )


def _without(vector: Any, axis: Any) -> Any:
    """Vector minus its component along a unit vector."""
    return vector - dot(axis, vector) * axis


def pointing(memory: Memory, time: Any) -> Any:
    """Return the unit vector of the thrust direction (3, *cases), inertial axes, at a flight time [s]
    (*cases).
    """
    return unit(memory.direction + memory.turning * (time - memory.time - memory.middle))
