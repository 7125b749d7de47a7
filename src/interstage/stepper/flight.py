"""The hybrid stepper: per-lane steps, events by stepping to them, one loop for the whole flight.

Every attempt does the same for all lanes: try a step, judge it, look for events, then keep it, shorten it or
fire what was met. A lane that has just fired takes one attempt of zero length, which refreshes its slope
and shows what is met at once. Events are met in time order because a step never passes one.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from . import control, crossing
from .problem import FINISHED, NOT_A_NUMBER, RUNNING, STEP_COLLAPSED, Cursor, Hybrid, Row, Settings
from .step import advance
from .tableau import METHODS

# A step shorter than this many roundings of the time itself cannot advance it.
SHORTEST_ROUNDINGS = 16
# Stands for a rate of zero where a time is asked for.
TINY = 1e-300


GRID_SLACK = 1e-6
"""Part of a fixed step within which a time counts as a point of the grid."""


def start(problem: Hybrid, settings: Settings, t, x, discrete) -> Cursor:
    """The cursor at the beginning of a flight (or of its continuation)."""
    lanes = x.shape[1:]
    conditions = (len(settings.period), *lanes)
    t = jnp.broadcast_to(jnp.asarray(t, x.dtype), lanes)
    step = jnp.full(lanes, settings.fixed_step or 0.0)
    return Cursor(
        t=t,
        x=x,
        slope=jnp.zeros_like(x),
        discrete=discrete,
        value=jnp.zeros(conditions),
        rate=jnp.zeros(conditions),
        step=step,
        limit=jnp.full(lanes, jnp.inf),
        stale=jnp.ones(lanes, bool),
        status=jnp.where(problem.finished(discrete), FINISHED, RUNNING),
        accepted=jnp.zeros(lanes, int),
        rejected=jnp.zeros(lanes, int),
    )


def fly_chunk(problem: Hybrid, settings: Settings, cursor: Cursor, capacity: int, origin=0.0):
    """Advance every lane by at most `capacity` recorded attempts; returns the cursor, the rows and their
    number.

    `origin` [s] is where the grid of fixed steps begins.
    """
    first = jax.eval_shape(lambda c: _recorded(problem, settings, c, origin)[1], cursor)
    rows = jax.tree.map(lambda a: jnp.zeros((capacity, *a.shape), a.dtype), first)

    def one(carry):
        count, cursor, rows = carry
        cursor, row = _recorded(problem, settings, cursor, origin)
        put = lambda whole, part: jax.lax.dynamic_update_index_in_dim(whole, part, count, 0)  # noqa: E731
        return count + 1, cursor, jax.tree.map(put, rows, row)

    def going(carry):
        count, cursor, _ = carry
        return (count < capacity) & jnp.any(cursor.status == RUNNING)

    count, cursor, rows = jax.lax.while_loop(going, one, (0, cursor, rows))
    return cursor, rows, count


def _recorded(problem, settings, cursor, origin):
    """Attempts up to the next one that is due to be recorded."""
    if settings.stride == 1:
        after, row, _ = attempt(problem, settings, cursor, origin)
        return after, row

    def leg(cursor):
        ahead, moved = _glided(problem, settings, cursor, origin) if settings.clockwork else (cursor, False)
        after, row, due = attempt(problem, settings, ahead, origin)
        row = row._replace(t=cursor.t, x=cursor.x, moved=row.moved | moved)
        return after, row, due

    def more(carry):
        cursor, whole, _ = carry
        cursor, part, due = leg(cursor)
        return cursor, _joined(whole, part), due

    after, row, _ = jax.lax.while_loop(lambda carry: ~carry[2], more, leg(cursor))
    return after, row


def _glided(problem, settings, cursor, origin):
    """Fixed steps on the grid, in all lanes at once, as long as none can meet an event or is due to be
    recorded.

    Returns the cursor and which lanes moved.
    """
    tableau, size = METHODS[settings.method], settings.fixed_step
    running = cursor.status == RUNNING
    first = jnp.round((cursor.t - origin) / size)
    on_grid = jnp.abs(cursor.t - origin - first * size) < GRID_SLACK * size
    until_record = settings.stride - 1 - first % settings.stride
    until_event = jnp.ceil((problem.scheduled(cursor.discrete) - cursor.t) / size - GRID_SLACK) - 1
    free = jnp.where(on_grid & ~cursor.stale, jnp.minimum(until_record, until_event), 0.0)
    count = jnp.min(jnp.where(running, free, jnp.inf), initial=jnp.inf)
    count = jnp.where(jnp.isfinite(count), jnp.maximum(count, 0.0), 0.0).astype(int)
    flow = lambda t, x: problem.derivative(t, x, cursor.discrete)  # noqa: E731
    onto = lambda t, x: problem.project(t, x, cursor.discrete)  # noqa: E731

    def one(k, carry):
        t, x, slope = carry
        t_end = origin + (first + k + 1) * size
        end = advance(tableau, flow, onto, t, t_end, x, slope)
        return t_end, end.x, end.slope

    reached = jax.lax.fori_loop(0, count, one, (cursor.t, cursor.x, cursor.slope))
    moved = running & (count > 0)
    t, x, slope = _where(moved, reached, (cursor.t, cursor.x, cursor.slope))
    return cursor._replace(t=t, x=x, slope=slope, accepted=cursor.accepted + moved * count), moved


def _joined(whole: Row, part: Row) -> Row:
    """Two rows as one: its start is that of the first that moved, its end that of the last."""
    later = lambda new, old: jnp.where(part.moved, new, old)  # noqa: E731
    first = lambda old, new: jnp.where(whole.moved, old, new)  # noqa: E731
    start = [jax.tree.map(first, old, new) for old, new in zip(whole[:3], part[:3], strict=True)]
    end = [later(new, old) for new, old in zip(part[3:7], whole[3:7], strict=True)]
    return Row(*start, *end, whole.moved | part.moved)


def attempt(problem: Hybrid, settings: Settings, cursor: Cursor, origin):
    """Try one step in every lane. Returns the new cursor, the row to record, and whether recording is due."""
    tableau = METHODS[settings.method]
    t, x, discrete = cursor.t, cursor.x, cursor.discrete
    idle = cursor.stale | (cursor.status != RUNNING)
    t_end = _planned_end(problem, settings, cursor, origin, idle)
    h = t_end - t
    flow = lambda t, x: problem.derivative(t, x, discrete)  # noqa: E731
    onto = lambda t, x: problem.project(t, x, discrete)  # noqa: E731
    x_end, slope, errors = advance(tableau, flow, onto, t, t_end, x, cursor.slope)
    ratio = jnp.zeros_like(h)
    controlled = settings.fixed_step is None
    if controlled:
        ratio = jnp.where(idle, 0.0, control.error_ratio([problem.error_norm(x, error) for error in errors]))
    finite = jnp.all(jnp.isfinite(slope), 0)
    accept = (ratio <= 1.0) & (finite | idle)
    value, rate = problem.watch(t_end, x_end, slope, discrete)
    found = _look_for_events(settings, problem.armed(discrete), cursor, h, idle, accept, value, rate)
    accept = accept & ~found.passed
    moved = accept & (cursor.status == RUNNING) & ((h > 0) | jnp.any(found.hit, 0))
    hit = found.hit & accept & (cursor.status == RUNNING)

    shift = jnp.where(accept, found.shift, 0.0)
    x_shifted = x_end + shift * slope
    t_shifted = t_end + shift
    fired = jnp.any(hit, 0)
    x_after, discrete_after = jax.lax.cond(
        jnp.any(fired),
        lambda: _where(fired, problem.fire(t_shifted, x_shifted, discrete, hit), (x_shifted, discrete)),
        lambda: (x_shifted, discrete),
    )
    row = Row(t, x, discrete, t_shifted, x_shifted, hit, shift, moved)
    keep = accept & (cursor.status == RUNNING)
    pick = lambda new, old: jnp.where(keep, new, old)  # noqa: E731
    step, limit = _steps_for_next(
        tableau, settings, cursor, h, ratio, accept, found, value, rate, slope, problem
    )
    after = Cursor(
        t=pick(t_shifted, t),
        x=pick(x_after, x),
        slope=pick(slope, cursor.slope),
        discrete=jax.tree.map(pick, discrete_after, discrete),
        value=pick(value, cursor.value),
        rate=pick(rate, cursor.rate),
        step=step,
        limit=limit,
        stale=jnp.where(keep, fired, cursor.stale),
        status=_status(problem, cursor, discrete_after, keep, idle | (not controlled), finite, step),
        accepted=cursor.accepted + (keep & (h > 0)),
        rejected=cursor.rejected + (~accept & ~idle),
    )
    return after, row, _due(settings, t_shifted, origin, fired, keep, after.status)


def _where(chosen, new, old):
    """One tree where lanes are chosen, the other elsewhere: an event in one lane leaves the others alone."""
    return jax.tree.map(lambda a, b: jnp.where(chosen, a, b), new, old)


def _planned_end(problem, settings, cursor, origin, idle):
    """The time at the end of the step to try; exact where an event or a grid point is known to be there."""
    t = cursor.t
    goal = problem.scheduled(cursor.discrete)
    if settings.fixed_step is not None:
        # Fixed steps stay on the grid origin + k h, also after an event between its points.
        k = jnp.floor((t - origin) / settings.fixed_step * (1 + 1e-14) + 1e-6) + 1
        goal = jnp.minimum(goal, origin + k * settings.fixed_step)
        wanted = jnp.minimum(jnp.full_like(t, jnp.inf), cursor.limit)
    else:
        goal = jnp.minimum(goal, problem.corner(t + settings.near(t)))
        wanted = jnp.minimum(jnp.minimum(cursor.step, cursor.limit), settings.longest)
    if settings.wraps:
        wanted = jnp.minimum(wanted, _quarter_turn(settings, problem.armed(cursor.discrete), cursor))
    reaches = goal - t <= wanted * (1 + 1e-12)
    h = jnp.where(reaches, goal - t, wanted)
    # Two nearly equal steps to a known time rather than a full one and a sliver.
    if settings.fixed_step is None:
        h = jnp.where(~reaches & (goal - t < 2 * wanted), 0.5 * (goal - t), h)
    return jnp.where(idle, t, jnp.where(reaches, goal, t + h))


def _quarter_turn(settings, armed, cursor):
    """Time in which no watched value that wraps around goes further than a quarter of its period."""
    speed = jnp.where(armed & jnp.isfinite(cursor.rate), jnp.abs(cursor.rate), 0.0)
    return jnp.min(0.25 * _column(settings.period, speed) / jnp.maximum(speed, TINY), 0, initial=jnp.inf)


def _column(values, like):
    """One value for each condition, beside arrays (conditions, *lanes)."""
    return np.asarray(values).reshape((-1,) + (1,) * (like.ndim - 1))


class _Found:
    """Events of one attempt: `hit` (conditions, *lanes), `passed` (*lanes), `fraction` to the first one
    passed, and the small time `shift` [s] from the step's end to the first one hit."""

    def __init__(self, hit, passed, fraction, shift):
        self.hit, self.passed, self.fraction, self.shift = hit, passed, fraction, shift


def _look_for_events(settings, armed, cursor, h, idle, accept, value, rate) -> _Found:
    tolerance = settings.near(cursor.t)
    close = jnp.abs(value) <= tolerance * jnp.abs(rate)
    met = armed & ((close & (rate > 0)) | (idle & (_column(settings.at_once, value) > 0) & (value >= 0)))
    c0, s0, s1 = cursor.value, cursor.rate * h, rate * h
    period = _column(settings.period, value)
    wrapped = jnp.abs(value - c0) > 0.5 * period
    watching = armed & ~idle & accept & ~met
    candidate = watching & ~wrapped & crossing.may_rise(c0, s0, value, s1)
    fraction = jax.lax.cond(
        jnp.any(candidate),
        lambda: jnp.where(candidate, crossing.first_rise(c0, s0, value, s1), jnp.inf),
        lambda: jnp.full_like(value, jnp.inf),
    )
    # A rise within the tolerance is the event, whatever the slope at the end says.
    brief = jnp.isfinite(fraction) & (h <= tolerance)
    met, fraction = met | brief, jnp.where(brief, jnp.inf, fraction)
    if settings.wraps:
        # More than half a turn in a step: which way round, and how often past zero, cannot be told.
        turn = jnp.maximum(jnp.abs(s0), jnp.abs(s1)) / period
        fraction = jnp.where(watching & (turn > 0.5), jnp.minimum(fraction, 0.25 / turn), fraction)
    first = jnp.min(fraction, 0, initial=jnp.inf)
    passed = jnp.isfinite(first)
    safe = jnp.where(rate > 0, rate, 1.0)
    newton = jnp.where(met & close & (rate > 0), -value / safe, jnp.inf)
    soonest = jnp.min(newton, 0, initial=jnp.inf)
    shift = jnp.where(jnp.isfinite(soonest), soonest, 0.0)
    return _Found(met & ~passed, passed, first, shift)


def _steps_for_next(tableau, settings, cursor, h, ratio, accept, found, value, rate, slope, problem):
    """The controller's step and the limit that an approaching event puts on the next one."""
    armed = problem.armed(cursor.discrete)
    fired = jnp.any(found.hit, 0) & accept
    seeking = jnp.isfinite(cursor.limit)
    coming = armed & (value < 0) & (rate > 0)
    newton = jnp.where(coming, -value / jnp.where(coming, rate, 1.0), jnp.inf)
    newton = jnp.min(newton, 0, initial=jnp.inf)
    # Near a turning point the Newton step vanishes; never ask for less than the event tolerance.
    shortened = jnp.maximum(found.fraction, 0.01) * h
    limit = jnp.where(
        found.passed, jnp.where(shortened < h, shortened, 0.5 * h), jnp.where(accept, newton, h)
    )
    limit = jnp.maximum(limit, 0.5 * settings.near(cursor.t))
    limit = jnp.where((seeking | found.passed) & ~fired, limit, jnp.inf)
    if settings.fixed_step is not None:
        limit = jnp.where(limit >= settings.fixed_step, jnp.inf, limit)
        return cursor.step, limit
    limit = jnp.where(limit >= cursor.step, jnp.inf, limit)
    asked = control.next_step(tableau, ratio, h)
    # A step cut short for an event says little about how long the next may be.
    cut_short = (ratio <= 1.0) & (h < 0.5 * cursor.step)
    step = jnp.where(cut_short, jnp.maximum(cursor.step, asked), asked)
    step = jnp.where(found.passed | (h == 0), cursor.step, step)
    unset = cursor.step == 0.0
    begin = control.first_step(
        problem.error_norm(cursor.x, cursor.x), problem.error_norm(cursor.x, slope), settings.longest
    )
    return jnp.where(unset, begin, step), limit


def _status(problem, cursor, discrete, keep, decisive, finite, step):
    """`decisive`: a shorter step would not help where the slope is not `finite`."""
    finished = keep & problem.finished(discrete)
    shortest = SHORTEST_ROUNDINGS * jnp.finfo(step.dtype).eps * jnp.maximum(jnp.abs(cursor.t), 1e-3)
    collapsed = step < shortest
    status = jnp.where(collapsed, STEP_COLLAPSED, RUNNING)
    status = jnp.where(~finite & (decisive | collapsed), NOT_A_NUMBER, status)
    status = jnp.where(finished, FINISHED, status)
    return jnp.where(cursor.status == RUNNING, status, cursor.status)


def _due(settings, t, origin, fired, keep, status):
    """Whether any lane stands where a record is due: at an event, on the record grid, or at its end."""
    if settings.stride == 1:
        return jnp.asarray(True)
    k = jnp.round((t - origin) / settings.fixed_step)
    on_grid = (jnp.abs(t - origin - k * settings.fixed_step) < GRID_SLACK * settings.fixed_step) & (
        k % settings.stride == 0
    )
    return jnp.any(keep & (fired | on_grid)) | jnp.all(status != RUNNING)
