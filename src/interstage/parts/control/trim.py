"""Signals at which nothing turns the bodies of a point: the trim.

The signals d that are named make the moments M(d) of all loads about the common centre of mass zero, along
the axes that are named, of the body that guidance steers. With the Jacobian J = dM/dd, exact by forward
differentiation, each of a fixed number of Newton steps goes to the least sum of squares of the signals that
solves M linearised there,

    d <- J' (J J')^-1 (J d - M),

so that several signals share an axis, and one alone is found quadratically. The first guess is zero. Signals
stay within the limits of their laws and actuators; those that come to a limit after FREE steps stay there,
and the others take the rest. What cannot be balanced is left, and is reported by the quantities trim.<axis>.

M is what would change the angular velocity w: moments of thrust, of the flow of propellant, of the atmosphere
and all other loads about the centres of mass, with r x F of each body, less w x J w and the moments of w x (w
x r) that the bodies have because they turn. Without w this is the sum of the moments of all loads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.here import Here
from ...maths.arrays import jnp, jvp, lax
from ...maths.interpolation import clamped
from ...maths.vectors import cross, rotate, rotate_back
from .declared import PID, signals
from .gain_schedule import beside

if TYPE_CHECKING:
    from ...scenario import Scenario

STEPS = 6
"""Newton steps. Gimbals of up to 10 deg are exact to rounding after four: the error of each is about half
the cube of the angle times that of the one before."""
FREE = 2
"""Steps after which signals at their limits stay there: the first may have gone too far."""
SMALLEST = 1e-12
"""Part of a diagonal element of J J' below which what elimination leaves of it counts as zero: no signal
moves that axis by itself."""
SAME = ("mechanism", "motion", "split", "surroundings")
"""What signals do not change of an instant."""


def moments(here: Here, axes: tuple[int, ...]) -> Any:
    """What would turn the bodies of a point faster or slower [N m] (axis, *cases), along axes of the body
    that guidance steers, about the common centre of mass."""
    layout, motion, mass = here.equations.layout, here.motion, here.numbers.mass
    n, spin = layout.count, motion.spin[:, : layout.count]
    place = motion.position[:, :n]
    arm = place - jnp.sum(mass / jnp.sum(mass, 0) * place, 1)[:, None]
    force = here.wrench[:3, :n] - mass * cross(spin, cross(spin, arm))
    total = jnp.sum(rotate(motion.rotation[:, :, :n], here.wrench[3:, :n]) + cross(arm, force), 1)
    along = rotate_back(motion.rotation[:, :, guided(here.equations.scenario, layout)], total)
    return jnp.stack([along[k] for k in axes])


def guided(scenario: Scenario, layout: Any) -> int:
    """Number of the body that guidance steers."""
    law = scenario.attitude or scenario.phases[0].attitude
    return layout.bodies.index(next(one.body for one in scenario.guidance if one.name == law))


def balanced(trim: Any, here: Here, known: dict[str, Any]) -> dict[str, Any]:
    """The trimmed signals by name (*cases). known: all others."""
    names, axes, lanes = trim.signals, trim.axes, here.t.shape
    for name in SAME:  # first: nothing that is computed in a loop may be kept
        getattr(here, name)
    same = {name: vars(here)[name] for name in SAME}
    lower, upper = (jnp.stack(each) for each in zip(*(bounds(here, name) for name in names), strict=True))

    def at(values: Any) -> Any:
        trial = type(here)(here.equations, here.t, here.x, here.discrete)
        vars(trial).update(same)
        trial.known["control"] = {**known, **dict(zip(names, values, strict=True))}
        return moments(trial, axes)

    def step(k: Any, state: Any) -> Any:
        values, free = state
        eye = [
            jnp.stack([jnp.full(lanes, float(i == j)) for j in range(len(names))]) for i in range(len(names))
        ]
        pairs = [jvp(at, (values,), (one,)) for one in eye]
        left, slopes = pairs[0][0], free * jnp.stack([slope for _, slope in pairs], 1)
        wanted = jnp.sum(slopes * values, 1) - left
        found = jnp.sum(slopes * _solved(jnp.sum(slopes[:, None] * slopes, 2), wanted)[:, None], 0)
        within = clamped(found, lower, upper)
        stays = (free > 0) & ((k < FREE) | (within == found))
        return jnp.where(free > 0, within, values), jnp.where(stays, free, 0.0)

    start = clamped(jnp.zeros((len(names), *lanes)), lower, upper)
    found, _ = lax.fori_loop(0, STEPS, step, (start, jnp.ones((len(names), *lanes))))
    return dict(zip(names, found, strict=True))


def _solved(matrix: Any, right: Any) -> Any:
    """x (n, *cases) of A x = b, of a symmetric A (n, n, *cases) without negative eigenvalues; zero along rows
    that others span."""
    n = len(right)
    rows, b = [[matrix[i, j] for j in range(n)] for i in range(n)], [right[i] for i in range(n)]
    inverse = []
    for i in range(n):
        there = rows[i][i] > SMALLEST * matrix[i, i]
        inverse.append(jnp.where(there, 1 / jnp.where(there, rows[i][i], 1.0), 0.0))
        for j in range(i + 1, n):
            share = rows[j][i] * inverse[i]
            rows[j] = [other - share * own for other, own in zip(rows[j], rows[i], strict=True)]
            b[j] = b[j] - share * b[i]
    found: list[Any] = [None] * n
    for i in reversed(range(n)):
        rest = b[i]
        for j in range(i + 1, n):
            rest = rest - rows[i][j] * found[j]
        found[i] = rest * inverse[i]
    return jnp.stack(found)


def bounds(here: Here, name: str) -> tuple[Any, Any]:
    """Least and greatest value of a signal (*cases), by its law or actuator."""
    scenario, lanes = here.equations.scenario, here.t.shape
    group, owner, *_ = name.split(".")
    one = next(each for each in getattr(scenario, group) if each.name == owner)
    least = greatest = None
    if group == "actuators" or (isinstance(one, PID) and one.lower is not None):
        least, greatest = one.lower, one.upper
    elif one.limit is not None:
        limit = beside(one.limit, here.t)
        greatest = limit[signals(one).index(name) if limit.shape[0] > 1 else 0]
        least = -greatest
    least, greatest = -jnp.inf if least is None else least, jnp.inf if greatest is None else greatest
    return jnp.broadcast_to(least, lanes), jnp.broadcast_to(greatest, lanes)
