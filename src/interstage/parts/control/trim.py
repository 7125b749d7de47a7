"""Trim: find the signals that balance the moments on a point-mass vehicle.

M(d) are the moments of all loads about the common centre of mass, along selected axes of the guided body. The
trim finds the selected signals d with M(d) = 0.

The Jacobian J = dM/dd is exact, by forward differentiation. The number of Newton steps is fixed. Each step is
d <- J' (J J')^-1 (J d - M). Among all d that solve the linearized M = 0, a step gives the d with the least
sum of squares. Several signals can therefore share an axis. For a single signal, convergence is quadratic.
The first guess is zero.

Signals stay within the limits of their laws and actuators. A signal that is at a limit after `FREE` steps
stays at the limit. The other signals balance the remaining moment. The quantities trim.<axis> are the
residual moments.

M is the moment that would change the angular velocity w. The moment contains thrust, propellant flow,
aerodynamic and all other loads about the centres of mass, with r x F of each body. The terms w x J w, and the
moments of w x (w x r), are subtracted. If w is zero, M is the sum of the moments of all loads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.here import Here
from ...maths.arrays import jnp, jvp, lax
from ...maths.interpolation import clamp
from ...maths.vectors import cross, rotate, rotate_back
from .declared import PID, signals
from .gain_schedule import for_cases

if TYPE_CHECKING:
    from ...scenario import Scenario

STEPS = 6
"""The number of Newton steps. Gimbal angles up to 10 deg are exact to rounding after four steps. The error
after a step is about half the cube of the angle times the error before the step.
"""
FREE = 2
"""The number of first steps in which a signal can leave its limit again, because these steps can
overshoot.
"""
SMALLEST = 1e-12
"""A diagonal entry of J J' counts as zero if its remainder after elimination, relative to the entry, is below
this number. If the entry counts as zero, no signal changes the moment about this axis independently.
"""
SAME = ("mechanism", "motion", "split", "surroundings")
"""The names of values of a `Here` that do not depend on signals."""


def moments(here: Here, axes: tuple[int, ...]) -> Any:
    """Return the moments that would change the angular velocity of a point-mass vehicle [N m] (axis, *cases).
    The reference point is the common centre of mass.

    axes: indices of the axes of the guided body.
    """
    layout, motion, mass = here.equations.layout, here.motion, here.numbers.mass
    n, spin = layout.count, motion.spin[:, : layout.count]
    place = motion.position[:, :n]
    arm = place - jnp.sum(mass / jnp.sum(mass, 0) * place, 1)[:, None]
    force = here.wrench[:3, :n] - mass * cross(spin, cross(spin, arm))
    total = jnp.sum(rotate(motion.rotation[:, :, :n], here.wrench[3:, :n]) + cross(arm, force), 1)
    along = rotate_back(motion.rotation[:, :, guided_body(here.equations.scenario, layout)], total)
    return jnp.stack([along[k] for k in axes])


def guided_body(scenario: Scenario, layout: Any) -> int:
    """Return the index of the body whose attitude the guidance commands."""
    law = scenario.attitude or scenario.phases[0].attitude
    return layout.bodies.index(next(one.body for one in scenario.guidance if one.name == law))


def balance(trim: Any, here: Here, known: dict[str, Any]) -> dict[str, Any]:
    """Return the trimmed signals (*cases), by name.

    - trim: declaration of the trim in the scenario.
    - known: all other signals (*cases), by name.
    """
    names, axes, lanes = trim.signals, trim.axes, here.t.shape
    for name in SAME:  # first: values computed in a loop must not be cached
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
        found = jnp.sum(slopes * _solve(jnp.sum(slopes[:, None] * slopes, 2), wanted)[:, None], 0)
        within = clamp(found, lower, upper)
        stays = (free > 0) & ((k < FREE) | (within == found))
        return jnp.where(free > 0, within, values), jnp.where(stays, free, 0.0)

    start = clamp(jnp.zeros((len(names), *lanes)), lower, upper)
    found, _ = lax.fori_loop(0, STEPS, step, (start, jnp.ones((len(names), *lanes))))
    return dict(zip(names, found, strict=True))


def _solve(matrix: Any, right: Any) -> Any:
    """Solution x (n, *cases) of A x = b for a symmetric positive semidefinite A (n, n, *cases); zero for rows
    that depend on other rows."""
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
    """Return the minimum and the maximum of a signal, each (*cases), from its law or actuator. For a signal
    without a limit, the values are infinite. name: name of the signal.
    """
    scenario, lanes = here.equations.scenario, here.t.shape
    group, owner, *_ = name.split(".")
    one = next(each for each in getattr(scenario, group) if each.name == owner)
    least = greatest = None
    if group == "actuators" or (isinstance(one, PID) and one.lower is not None):
        least, greatest = one.lower, one.upper
    elif one.limit is not None:
        limit = for_cases(one.limit, here.t)
        greatest = limit[signals(one).index(name) if limit.shape[0] > 1 else 0]
        least = -greatest
    least, greatest = -jnp.inf if least is None else least, jnp.inf if greatest is None else greatest
    return jnp.broadcast_to(least, lanes), jnp.broadcast_to(greatest, lanes)
