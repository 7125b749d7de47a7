"""Detect prescribed motions that contradict each other during the flight. The state then becomes NaN, with
every stabilization, so that the flight ends.

If the joints drift during a flight, this drift is not a contradiction. Newton corrections of the independent
rows remove the drift. Then the remaining residuals of the dependent rows are compared with a tolerance.
Position rows have the tolerance of a joint at the start. Velocity rows have no such tolerance. For velocity
rows, the residuals are compared with the magnitudes of the velocities in the row.
"""

from __future__ import annotations

from typing import Any

from ..formulations import elimination
from ..formulations.catalogue import ENTRIES
from ..maths.arrays import jnp, lax
from ..maths.vectors import add_axes
from .layout import Layout
from .mechanism import Discrete, Mechanism

# Newton corrections that take a drift away; each squares it.
CORRECTIONS = 3
# Part of the tolerance below which a state needs no correction to show that nothing contradicts. Nearly all
# states are below it.
CLEAR = 0.1
# Part of the velocities that make up a row by which repeated rows may ask for different ones. A row left out
# for being nearly dependent may leave the root of that limit, some 1e-6 of them.
DIFFERENT = 1e-4


def possible(layout: Layout) -> bool:
    """Return whether prescribed motions can contradict each other during the flight."""
    solver = layout.scenario.solver
    prescribed = layout.driven or layout.prescribes_motion
    rigid = not solver.elastic and ENTRIES[solver.formulation.kind].redundancy
    return prescribed and rigid and layout.loops


def with_watch(flow: Any) -> Any:
    """Return the flow with a check of its steps: if prescribed motions contradict each other at the end of a
    step, the result is NaN.
    """
    if not possible(flow.mechanism.layout):
        return flow
    project, advance = flow.project, flow.advance

    def spoilt(t, x, discrete):
        """Return 1, or NaN if prescribed motions contradict each other (*cases)."""
        left = contradiction(flow.mechanism, t, flow.ordinary(t, x, discrete), discrete)
        return jnp.where(left > 1, jnp.nan, 1.0)

    def watched_project(t, x, discrete):
        x = project(t, x, discrete)
        return x * spoilt(t, x, discrete)

    def watched_advance(t, t_end, x, slope, discrete):
        step = advance(t, t_end, x, slope, discrete)
        return step._replace(slope=step.slope * spoilt(t_end, step.x, discrete))

    flow.project, flow.advance = watched_project, watched_advance
    return flow


def contradiction(mechanism: Mechanism, t, x, discrete: Discrete):
    """Return the difference of prescribed motions at time t [s] near the state x, relative to the tolerance
    (*cases).

    The motions contradict each other if the result exceeds 1.
    """
    x = lax.stop_gradient(x)
    left = _residual(mechanism, t, x, discrete)

    def closer(_, carry):
        x, left = carry
        x = mechanism.correct(t, x, discrete)[0]
        return x, jnp.minimum(left, _residual(mechanism, t, x, discrete))

    def closest():
        # What corrections leave depends on the time; what drifting states have open, on their roundings, and
        # steps that shrink towards such a limit would creep over it.
        found = lax.fori_loop(0, CORRECTIONS, closer, (x, jnp.full_like(left, jnp.inf)))[1]
        return jnp.where(left > CLEAR, found, left)

    return lax.cond(jnp.any(left > CLEAR), closest, lambda: left)


def _residual(mechanism: Mechanism, t, x, discrete: Discrete):
    """Residual of the active rows relative to the tolerance (*cases)."""
    mechanism = mechanism.at(x, discrete)
    motion = mechanism.moving(t, x, discrete)
    rows = mechanism.rows_of(t, motion, discrete)
    constraints = mechanism.constraints(rows, rows.gdot, discrete, x, motion)
    active: Any = 1.0 if constraints.active is None else constraints.active
    solver, (length, speed, rate) = mechanism.scenario.solver, mechanism.scales()

    def of_kind(force, torque):
        """Indices of the rows that constrain displacements, and of the rows that constrain rotations."""
        of_force = add_axes(jnp.asarray(mechanism.table.forces), rows.g.ndim)
        return jnp.where(of_force, force, torque)

    # Nothing is known of a state beyond the tolerance that it is stepped to.
    known = solver.tolerance
    allowed = of_kind(
        solver.assemble_tolerance + known * length, solver.assemble_angle + known * jnp.ones_like(t)
    )
    left = jnp.max(jnp.abs(rows.g) * active / allowed, 0)
    if mechanism.table.holonomic.all():
        return left
    moving = mechanism.of_bodies(motion)
    velocity = jnp.concatenate([moving.velocity, moving.spin_body])
    prescribed = rows.gdot - elimination.row_rates(constraints, velocity)
    terms = active * (elimination.row_terms(constraints, velocity) + jnp.abs(prescribed))
    forces = add_axes(jnp.asarray(mechanism.table.forces, float), rows.g.ndim)
    largest = of_kind(jnp.max(terms * forces, 0), jnp.max(terms * (1 - forces), 0))
    allowed = DIFFERENT * largest + known * of_kind(speed * jnp.ones_like(t), rate)
    return jnp.maximum(left, jnp.max(jnp.abs(rows.gdot) * active / allowed, 0))
