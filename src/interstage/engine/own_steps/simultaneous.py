"""Implicit trapezoidal step on the constrained equations (CU-CSSC-90-07, eqs 8-13), solved by iteration.

Velocities and positions follow the trapezoidal rule. Attitudes follow the implicit midpoint rule with the
mean of the angular velocities at both ends. Each iteration solves eq 10 by eqs 11-13 with the masses, rows
and forces of the last iterate. The iteration is Newton's iteration without the derivatives of forces, rows
and biases with respect to the state. The iteration converges linearly, by a factor that goes to zero with the
step.

With Baumgarte feedback, a change in the rate of a violation is multiplied by -(eta h + (eta h)^2/4) in each
iteration. If eta h approaches 0.83, many iterations are needed. Above 0.83, the iteration diverges.

The tail of the state has the multipliers, the stamp of the events before them, and the number of iterations
of the flight.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from ...formulations import simultaneous
from ...formulations.elimination import accelerations, times_inverse_mass
from ...formulations.simultaneous import Begun
from ...maths.arrays import jax, jnp, lax
from ...stepper.step import Step
from ..here import Here
from .moves import bare, drift_state, kick_state, normalize_parts, stamp


class Iterate(NamedTuple):
    """Iterate of one step.

    - count: number of iterations so far. The first iteration evaluates the start of the step.
    - here: state without its tail. lam (row, *cases): multipliers. slope: dx/dt.
    - begun: quantities at the start of the step.
    - half: state at the start, with velocities advanced by half a step.
    - change (*cases): change in the last iteration relative to the tolerance.
    - spent (*cases): number of iterations of each case.
    """

    count: jax.Array
    here: jax.Array
    lam: jax.Array
    slope: jax.Array
    begun: Begun
    half: jax.Array
    change: jax.Array
    spent: jax.Array


def tail(layout: Any) -> int:
    """Return the length of the tail: multipliers, stamp and number of iterations."""
    return layout.table.count + 2


def statistics(layout: Any, x) -> dict[str, Any]:
    """Return the total number of iterations of a flight up to the state x (n,)."""
    return {"iterations": int(iterations(layout, x))}


def iterations(layout: Any, x) -> Any:
    """Return the number of iterations of the flight up to a state x (n, ...)."""
    return x[13 * layout.count + 6 + layout.extra + layout.table.count + 1]


def why_not_finite(solver: Any) -> str:
    """Return a sentence with the fix for a step that has not converged."""
    choice, remedy = solver.formulation, "Reduce solver.step"
    if choice.treatment == "baumgarte":
        remedy += " or solver.eta: the product of solver.step and solver.eta must be well below 0.8"
    most = choice.max_iterations
    return f"The next implicit step did not converge in {most} iterations. {remedy}."


def advance(mechanism: Any, t, t_end, x, slope, discrete) -> Step:
    """Return one step from (t, x) to t_end; see `stepper.problem.SelfStepping`. If the step has not
    converged, its slope is NaN.
    """
    rows, now, extra = mechanism.table.count, stamp(discrete), mechanism.tail_of(x)
    most = mechanism.layout.scenario.solver.formulation.max_iterations

    def iterate(_, before: Iterate) -> Iterate:
        # A change that is not a number goes on failing to be less.
        going = jnp.any(~(before.change <= 1) & jnp.all(jnp.isfinite(before.slope), 0))
        own = extra[rows] == now
        after = partial(_iterate, mechanism, discrete, (t, t_end), bare(mechanism, x), own)
        return lax.cond(going, after, lambda before: before, before)

    lam, zero, start = extra[:rows], jnp.zeros_like(t), bare(mechanism, x)
    speed = _speeds(mechanism, start)
    begun = Begun(lam, jnp.zeros_like(lam), jnp.zeros_like(speed))
    first = Iterate(jnp.zeros((), int), start, lam, jnp.zeros_like(x), begun, start, zero + jnp.inf, zero)
    # A loop of fixed length has derivatives both ways; its rest after the last iteration costs little.
    end = lax.fori_loop(0, most + 1, iterate, first)
    done = jnp.where(t_end > t, end.spent, 0.0)
    parts = end.here, end.lam, now[None], (extra[rows + 1] + done)[None]
    return Step(jnp.concatenate(parts), jnp.where(end.change <= 1, end.slope, jnp.nan), ())


def _iterate(mechanism, discrete, times, x, known, before: Iterate) -> Iterate:
    """The next iterate. Cases that have converged do not change."""
    (t, t_end), start = times, before.count == 0
    h = t_end - t
    time = jnp.where(start, t, t_end)
    now = mechanism.here(time, before.here, discrete, before.lam)
    acceleration, lam, drive = _driven(now, before, 0.5 * h, start, known)
    slope = mechanism.slope(now, acceleration)

    def first_iterate():
        half = kick_state(mechanism, x, x, slope, 0.5 * h)
        return Begun(lam, drive, _speeds(mechanism, half)), half

    begun, half = lax.cond(start, first_iterate, lambda: (before.begun, before.half))
    fast = kick_state(mechanism, half, before.here, slope, 0.5 * h)
    here = normalize_parts(mechanism, drift_state(mechanism, fast, 0.5 * (x + fast), h))
    solver = mechanism.scenario.solver
    scale = solver.tolerance / solver.formulation.tolerance
    change = jnp.where(start, jnp.inf, scale * mechanism.error_norm(here, here - before.here))
    new = Iterate(before.count + 1, here, lam, slope, begun, half, change, before.spent + ~start)
    done = before.change <= 1
    return new._replace(
        here=jnp.where(done, before.here, here),
        lam=jnp.where(done, before.lam, lam),
        slope=jnp.where(done, before.slope, slope),
        change=jnp.where(done, before.change, change),
        spent=jnp.where(done, before.spent, new.spent),
    )


def _driven(here: Here, now: Iterate, delta, start, known):
    """Accelerations (6, body, *cases), multipliers and what drives them, at an iterate."""
    mechanism, discrete = here.mechanism, here.discrete
    inertias, solver = mechanism.numbers.inertias, mechanism.scenario.solver
    choice = solver.formulation
    force = here.wrench
    if not mechanism.table.count:
        return times_inverse_mass(inertias, force), now.lam, now.begun.drive
    if choice.treatment == "baumgarte":
        fed_back = mechanism.fed_back(here.rows)
        constraints = mechanism.constraints(here.rows, fed_back, discrete, here.x, here.motion)
        lam = simultaneous.from_constraints(inertias, force, constraints, mechanism.layout.loops)
        return accelerations(inertias, force, constraints, lam), lam, now.begun.drive
    constraints = mechanism.constraints(here.rows, here.gamma, discrete, here.x, here.motion)
    way = simultaneous.Staggered(choice.regularization, solver.step, delta)
    motion = mechanism.of_bodies(here.motion)
    speed = jnp.concatenate([motion.velocity, motion.spin_body])
    lam, drive = way.multipliers(inertias, force, constraints, speed, now.begun, start, known)
    return accelerations(inertias, force, constraints, lam), lam, drive


def _speeds(mechanism, x):
    """Velocities (6, body incl. ground, *cases) of a state."""
    motion = mechanism.of_bodies(mechanism.motion(x))
    return jnp.concatenate([motion.velocity, motion.spin_body])
