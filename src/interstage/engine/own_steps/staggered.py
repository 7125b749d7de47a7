"""Two-stage staggered step (CU-CSSC-90-07, sections IV and V): bodies by central differences, multipliers by
the implicit midpoint rule. Two copies of the state are advanced alternately by half steps.

Two sequences alternate. One copy has positions at full steps and velocities at half steps. The other copy has
velocities at full steps and positions at half steps. In each half step, one copy advances by a whole step
(CINT, eqs 53 and 54), with the accelerations at the middle. Then the multipliers advance (LINT,
`formulations.staggered`).

The sequences are not coupled. In constrained and damped motions, the two copies drift apart exponentially.
Therefore, both copies restart from one state after `restart` steps. The restart advances positions by half a
step with the velocities at its end, r0 + h/2 (v0 + h/2 a0). With these velocities, an undamped vibration of
frequency w is stable up to w h = 2 (a step has the determinant 1 and the trace 2 - (w h)^2). The velocities
at the middle of that half step are equally accurate, but would add (w h)^4/16 in each step that restarts.

The tail of the state has the multipliers and the stamp of the events before them. If sequences continue over
several steps, the tail also has the number of steps since the restart and the length of these steps [s]. The
second copy of the state is last. The positions of the second copy are half a step ahead, and its velocities
half a step behind.

Change to the paper: the divisor 1 + h^2 w^2 / 4 of eq 54 belongs to an A without the factor 1/2 of eq 55.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...formulations import staggered
from ...formulations.elimination import accelerations, times_inverse_mass
from ...maths.arrays import jax, jnp, lax
from ...stepper.step import Step
from ..here import Here
from .moves import bare, drift_state, kick_state, normalize_parts, stamp

SAME_LENGTH = 1e-6
"""Largest relative difference of two step lengths that count as equal, so that the sequences continue. Sample
times have rounding errors.
"""


class Stage(NamedTuple):
    """Quantities at one time of a step.

    - here, other: state at this time, and state of the second sequence.
    - lam (row, *cases): multipliers.
    - right (row, *cases): driving term of the multipliers at the last stage.
    - slope: dx/dt.
    """

    here: jax.Array
    other: jax.Array
    lam: jax.Array
    right: jax.Array
    slope: jax.Array


def tail(layout: Any) -> int:
    """Return the length of the tail: multipliers, stamp, and data of the second sequence."""
    lasting = layout.scenario.solver.formulation.restart != 1
    return layout.table.count + 1 + (13 * layout.count + layout.extra + 8 if lasting else 0)


def statistics(layout: Any, x) -> dict[str, Any]:
    """Return an empty dictionary; this step has no statistics."""
    return {}


def why_not_finite(solver: Any) -> str:
    """Return a sentence with the fix for accelerations that are not finite."""
    return "The steps are explicit. Reduce solver.step. If the error remains, correct the loads."


def advance(mechanism: Any, t, t_end, x, slope, discrete) -> Step:
    """Return one step from (t, x) to t_end; see `stepper.problem.SelfStepping`."""
    rows, now = mechanism.table.count, stamp(discrete)
    extra = mechanism.tail_of(x)
    known = extra[rows] == now
    other, lasts = _other(mechanism, t_end - t, x, known)

    def stage(k, before: Stage) -> Stage:
        return _stage(mechanism, discrete, (t, t_end), k, before, known | (k > 0), lasts)

    lam = extra[:rows]
    begin = Stage(bare(mechanism, x), other, lam, jnp.zeros_like(lam), jnp.zeros_like(x))
    end = lax.fori_loop(0, 3, stage, begin)
    parts = [normalize_parts(mechanism, end.here), end.lam, now[None]]
    if mechanism.layout.scenario.solver.formulation.restart != 1:
        parts.append(_history(t_end - t, extra[rows + 1 :], end.other, known, lasts))
    return Step(jnp.concatenate(parts), end.slope, ())


def _other(mechanism, h, x, known):
    """The second sequence at the end of the last step, and whether this step can continue it."""
    restart, rows = mechanism.layout.scenario.solver.formulation.restart, mechanism.table.count
    if restart == 1:
        return bare(mechanism, x), jnp.zeros(h.shape, bool)
    count, length, *_ = extra = mechanism.tail_of(x)[rows + 1 :]
    lasts = known & (count > 0) & (jnp.abs(h - length) <= SAME_LENGTH * length)
    return extra[2:], lasts if restart is None else lasts & (count < restart)


def _history(h, old, other, known, lasts):
    """Number of steps since the start of the sequences, their length, and the second sequence. A step of zero
    length leaves them unchanged."""
    new = jnp.concatenate([jnp.where(lasts, old[0], 0.0)[None] + 1, h[None], other])
    return jnp.where(h > 0, new, jnp.where(known, old, 0.0))


def _stage(mechanism, discrete, times, k, now: Stage, known, lasts) -> Stage:
    """Multipliers and slope k half steps after the start of the step, and the stage after it.

    known: whether the multipliers come from the step before. lasts: whether the second sequence comes from
    the step before.
    """
    t, t_end = times
    h = t_end - t
    time = jnp.where(k == 0, t, jnp.where(k == 1, t + 0.5 * h, t_end))
    span = jnp.where(k == 0, 0.0, 0.5 * h)
    here = mechanism.here(time, now.here, discrete, now.lam)
    acceleration, lam, right = _driven(here, now, span, known)
    slope = mechanism.slope(here, acceleration)

    def start_sequence():
        ahead = kick_state(mechanism, now.here, now.here, slope, 0.5 * h)
        behind = kick_state(mechanism, now.here, now.here, slope, -0.5 * h)
        return jnp.where(lasts, now.other, drift_state(mechanism, behind, ahead, 0.5 * h))

    other = lax.cond(k == 0, start_sequence, lambda: now.other)
    after = kick_state(mechanism, other, now.here, slope, h)
    beyond = drift_state(mechanism, now.here, after, h)
    last = k == 2
    return Stage(jnp.where(last, now.here, after), jnp.where(last, other, beyond), lam, right, slope)


def _driven(here: Here, now: Stage, span, known):
    """Accelerations (6, body, *cases), multipliers and what drives them at one instant (LINT)."""
    mechanism = here.mechanism
    inertias, solver = mechanism.numbers.inertias, mechanism.scenario.solver
    choice = solver.formulation
    force = here.wrench
    if not mechanism.table.count:
        return times_inverse_mass(inertias, force), now.lam, now.right
    constraints = mechanism.constraints(here.rows, here.gamma, here.discrete, here.x, here.motion)
    balance = staggered.balance(choice.level, inertias, force, constraints, 0.5 * solver.step)
    before = jnp.where(span == 0, balance.right, now.right)
    weight = staggered.regularization(choice.regularization, solver.step, balance.matrix)
    lam = staggered.integrate(weight, before, balance, now.lam, span, known)
    return accelerations(inertias, force, constraints, lam), lam, balance.right
