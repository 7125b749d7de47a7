"""Hybrid stepper: integrates all cases in one loop, with a separate step size for each case, and processes
events.

Each iteration tries a step for every case, estimates its error and searches for events. If the error is too
large or an event was passed, the step is shortened. If the error is small and no event was passed, the step
is accepted, and the events at its end are processed. After an event, a case makes one iteration of zero
length. This iteration updates the rates and finds conditions that are met immediately. Events are processed
in time order, because a step never passes an event.
"""

from __future__ import annotations

from functools import partial

from ..maths.arrays import jax, jnp, lax
from . import control, detection, kinks, unseen
from .problem import FINISHED, NOT_A_NUMBER, RUNNING, STEP_COLLAPSED, Cursor, Hybrid, Row, Settings, Trial
from .step import Sight, sight_nodes, sight_of_ends, take, watch_step

BLIND = 2.0
"""Smallest error ratio of a step whose error estimate misses a kink. The ratio is above 1, so the step is
rejected.
"""
GRID_SLACK = 1e-6
"""Tolerance of grid times as a fraction of a fixed step."""


def start(problem: Hybrid, settings: Settings, t, x, discrete) -> Cursor:
    """Return the cursor at the start time t [s] and state x (n, *cases) of a flight or of its
    continuation.
    """
    lanes = x.shape[1:]
    conditions = (len(settings.period), *lanes)
    t = jnp.broadcast_to(jnp.asarray(t, x.dtype), lanes)
    places, features = jnp.zeros((0, *lanes)), jnp.zeros((5, 0, *lanes))
    if settings.fixed_step is None:
        _, places, features = (jnp.zeros_like(part) for part in problem.among(t, x, discrete))
    step = jnp.full(lanes, 0.0 if settings.fixed_step is None else settings.fixed_step)
    return Cursor(
        t=t,
        x=x,
        slope=jnp.zeros_like(x),
        discrete=discrete,
        value=jnp.zeros(conditions),
        rate=jnp.zeros(conditions),
        clear=~problem.armed_conditions(discrete),
        rounding=jnp.zeros(conditions),
        places=(places, places),
        features=(features, features[0]),
        step=step,
        limit=jnp.full(lanes, jnp.inf),
        stale=jnp.ones(lanes, bool),
        status=jnp.where(problem.is_finished(discrete), FINISHED, RUNNING),
        accepted=jnp.zeros(lanes, int),
        rejected=jnp.zeros(lanes, int),
        refused=jnp.zeros(lanes, bool),
    )


def fly_chunk(problem: Hybrid, settings: Settings, cursor: Cursor, capacity: int, origin=0.0):
    """Advance every case by at most `capacity` recorded attempts. Return the cursor, the rows and their
    number.

    origin: start of the grid of fixed steps [s].
    """
    rows = jax.tree.map(lambda a: jnp.zeros((capacity, *a.shape), a.dtype), _idle_row(settings, cursor))

    def one(carry):
        count, cursor, rows = carry
        cursor, row = _attempts_to_record(problem, settings, cursor, origin)
        put = partial(lax.dynamic_update_index_in_dim, index=count, axis=0)
        return count + 1, cursor, jax.tree.map(put, rows, row)

    def going(carry):
        count, cursor, _ = carry
        return (count < capacity) & jnp.any(cursor.status == RUNNING)

    count, cursor, rows = lax.while_loop(going, one, (0, cursor, rows))
    return cursor, rows, count


def _attempts_to_record(problem, settings, cursor, origin):
    """Attempts up to the next one that is due to be recorded."""
    if settings.every:
        after, row, _ = attempt(problem, settings, cursor, origin)
        return after, row

    def more(carry):
        cursor, whole, _ = carry
        if settings.wraps and not settings.clockwork:
            cursor, part, due = attempt(problem, settings, cursor, origin)
            return cursor, _join_rows(whole, part), due
        steps = _glide if settings.clockwork else _quiet_steps
        ahead, moved, tried = steps(problem, settings, cursor, origin)
        glided = _idle_row(settings, cursor)._replace(t_end=ahead.t, x_end=ahead.x, moved=moved)
        after, part, due = _judge(problem, settings, ahead, tried, origin)
        return after, _join_rows(whole, _join_rows(glided, part)), due

    # Begun with a row that has not moved, so that an attempt is compiled once.
    begun = cursor, _idle_row(settings, cursor), jnp.asarray(False)
    after, row, _ = lax.while_loop(lambda carry: ~carry[2], more, begun)
    return after, row


def _idle_row(settings, cursor) -> Row:
    """The row of a cursor that stays where it is."""
    hit = jnp.zeros((len(settings.period), *cursor.t.shape), bool)
    t, x, moved = cursor.t, cursor.x, jnp.zeros(cursor.t.shape, bool)
    return Row(t, x, cursor.discrete, t, x, hit, jnp.zeros_like(t), moved)


def _glide(problem, settings, cursor, origin):
    """Fixed steps on the grid, in all cases at once, as long as none can meet an event or is due to be
    recorded; then one more as an attempt takes it.

    Returns the cursor before that one, which cases moved, and what was tried. A case that would come to what
    is not a number stays. All steps are passes of one loop, so that a step is compiled once."""
    size = settings.fixed_step
    running = cursor.status == RUNNING
    first = jnp.round((cursor.t - origin) / size)
    on_grid = jnp.abs(cursor.t - origin - first * size) < GRID_SLACK * size
    until_record = settings.stride - 1 - first % settings.stride
    until_event = jnp.ceil((problem.next_time(cursor.discrete) - cursor.t) / size - GRID_SLACK) - 1
    free = jnp.where(on_grid & ~cursor.stale, jnp.minimum(until_record, until_event), 0.0)
    count = jnp.min(jnp.where(running, free, jnp.inf), initial=jnp.inf)
    count = jnp.where(jnp.isfinite(count), jnp.maximum(count, 0.0), 0.0).astype(int)
    idle = cursor.stale | ~running
    begun = cursor.t, cursor.x, cursor.slope

    def one(k, carry):
        _, here = carry
        moved = running & jnp.all(jnp.isfinite(here[2]), 0)
        here = lax.cond(k == count, lambda: _where(moved, here, begun), lambda: here)
        t, x, slope = here
        planned = control.planned_end(problem, settings, cursor._replace(t=t), origin, idle)
        t_end = jnp.where(k == count, planned, origin + (first + k + 1) * size)
        end = take(problem, settings.method, t, t_end, x, slope, cursor.discrete)
        return here, (t_end, end.x, end.slope)

    before, (t, x, slope) = lax.fori_loop(0, count + 1, one, (begun, begun))
    glided = running & (before[0] != cursor.t)
    ahead = cursor._replace(t=before[0], x=before[1], slope=before[2])
    ahead = ahead._replace(accepted=cursor.accepted + glided * count)
    sight = sight_of_ends(problem, settings, t, x, slope, ahead)
    return ahead, glided, _trial(ahead, t, x, slope, sight, idle, jnp.zeros_like(t))


def _quiet_steps(problem, settings, cursor, origin):
    """Fixed steps as `_glide` has them, where events follow from the state: as long as no step comes near
    any."""
    armed, goal = problem.armed_conditions(cursor.discrete), problem.next_time(cursor.discrete)
    running = cursor.status == RUNNING
    idle = cursor.stale | ~running
    nodes, lanes = sight_nodes(settings), cursor.t.shape
    steady = ~cursor.stale & jnp.isinf(cursor.limit)

    def one(carry):
        _, here, (t, x, slope, values, rate, clear, rounding, _, _, _) = carry
        here = here._replace(accepted=here.accepted + (running & (t > here.t)))
        moved = {"t": t, "x": x, "slope": slope, "value": values[-1], "rate": rate}
        moved |= {"clear": clear, "rounding": rounding}
        if lanes:
            moved = {name: jnp.where(running, new, getattr(here, name)) for name, new in moved.items()}
        here = here._replace(**moved)
        t = control.planned_end(problem, settings, here, origin, idle, goal)
        end, sight = watch_step(problem, settings, here, t, idle)
        finite = jnp.all(jnp.isfinite(end.slope), 0)
        quiet = steady & finite & detection.far_from_any(settings, armed, here, end.x, t, sight)
        quiet = quiet & ~_on_record(settings, t, origin) & (here.step >= control.shortest(here.t))
        clear, rounding = detection.beyond_rounding(settings, here, sight)
        found = t, end.x, end.slope, sight.values, sight.rate, clear, rounding
        found = *found, sight.measured, sight.shaken, finite
        return jnp.all(quiet | ~running), here, found

    values = jnp.broadcast_to(cursor.value, (len(nodes), *cursor.value.shape))
    begun = cursor.t, cursor.x, cursor.slope, values, cursor.rate, cursor.clear, cursor.rounding
    begun = *begun, jnp.zeros((problem.measures, *lanes)), cursor.value
    first = jnp.asarray(True), cursor, (*begun, jnp.ones(lanes, bool))
    _, ahead, (t, x, slope, values, rate, _, _, measured, shaken, _) = lax.while_loop(
        lambda carry: carry[0], one, first
    )
    features = jnp.zeros((len(nodes), *cursor.features[0].shape))
    sight = Sight(nodes, values, rate, cursor.places, measured, features, cursor.features[1], shaken)
    tried = _trial(ahead, t, x, slope, sight, idle, jnp.zeros_like(t))
    return ahead, running & (ahead.t != cursor.t), tried


def _join_rows(whole: Row, part: Row) -> Row:
    """Two rows as one row, with the start of the first row that moved and the end of the last."""
    start, end = partial(jnp.where, whole.moved), partial(jnp.where, part.moved)
    return Row(
        t=start(whole.t, part.t),
        x=start(whole.x, part.x),
        discrete=jax.tree.map(start, whole.discrete, part.discrete),
        t_end=end(part.t_end, whole.t_end),
        x_end=end(part.x_end, whole.x_end),
        hit=end(part.hit, whole.hit),
        shift=end(part.shift, whole.shift),
        moved=whole.moved | part.moved,
    )


def attempt(problem: Hybrid, settings: Settings, cursor: Cursor, origin):
    """Try one step in every case. Return the new cursor, the row to record, and whether recording is due.

    origin: start of the grid of fixed steps [s].
    """
    return _judge(problem, settings, cursor, _try_step(problem, settings, cursor, origin), origin)


def _judge(problem: Hybrid, settings: Settings, cursor: Cursor, tried: Trial, origin):
    """Keep, shorten or refuse what was tried, and fire what was met; see `attempt`."""
    accept = (tried.ratio <= 1.0) & (tried.finite | tried.idle) & jnp.isinf(tried.unseen)
    armed = problem.armed_conditions(cursor.discrete)
    found = detection.look(settings, armed, cursor, tried)
    accept = accept & ~found.passed
    keep = accept & (cursor.status == RUNNING)
    hit = found.hit & keep
    fired = jnp.any(hit, 0)
    shift = jnp.where(accept, found.shift, 0.0)
    t, x = tried.t + shift, tried.x + shift * tried.slope
    row = Row(cursor.t, cursor.x, cursor.discrete, t, x, hit, shift, moved=keep & ((tried.h > 0) | fired))
    x, discrete = lax.cond(
        jnp.any(fired),
        lambda: _where(
            fired, problem.fire(t, x, cursor.discrete, hit, tried.sight.measured), (x, cursor.discrete)
        ),
        lambda: (x, cursor.discrete),
    )
    unwatched = ~armed
    if any(settings.anew):
        unwatched = unwatched | (hit & (detection.column(settings.anew, hit) > 0))
    waits = problem.armed_conditions(discrete)
    begins = fired & waits & unwatched
    value = jnp.where(found.stands, jnp.maximum(tried.value, 0.0), tried.value)
    pick, clear, rounding = partial(jnp.where, keep), cursor.clear, cursor.rounding
    if any(settings.judged):
        stepped = jnp.where(tried.idle, False, keep)
        found_clear, found_rounding = detection.beyond_rounding(settings, cursor, tried.sight)
        clear, rounding = jnp.where(stepped, found_clear, clear), jnp.where(stepped, found_rounding, rounding)
        clear = pick((clear & ~begins) | ~waits, clear)
        rounding = pick(jnp.where(begins, 0.0, rounding), rounding)
    step, limit = control.steps_for_next(problem, settings, cursor, armed, tried, accept, found)
    after = Cursor(
        t=pick(t, cursor.t),
        x=pick(x, cursor.x),
        slope=pick(tried.slope, cursor.slope),
        discrete=discrete,  # other only where something fired, which is kept
        value=pick(jnp.where(begins, jnp.inf, value), cursor.value),
        rate=pick(tried.rate, cursor.rate),
        clear=clear,
        rounding=rounding,
        places=jax.tree.map(pick, tried.places, cursor.places),
        features=jax.tree.map(pick, (tried.sight.features[-1], tried.sight.moving), cursor.features),
        step=step,
        limit=limit,
        stale=pick(fired, cursor.stale),
        status=_status(settings, cursor, tried, step, keep & problem.is_finished(discrete)),
        accepted=cursor.accepted + (keep & (tried.h > 0)),
        rejected=cursor.rejected + (~accept & ~tried.idle),
        refused=tried.is_refused & jnp.isinf(limit),
    )
    return after, row, _due(settings, t, origin, fired, keep, after.status)


def _try_step(problem: Hybrid, settings: Settings, cursor: Cursor, origin) -> Trial:
    """One step in every case, of zero length where nothing is to be stepped, and what can be seen at its
    end."""
    idle = cursor.stale | (cursor.status != RUNNING)
    t = control.planned_end(problem, settings, cursor, origin, idle)
    end, sight = watch_step(problem, settings, cursor, t, idle)
    tried = _trial(cursor, t, end.x, end.slope, sight, idle, jnp.zeros_like(t))
    if settings.fixed_step is not None:
        return tried
    ratio = control.error_ratio([problem.error_norm(cursor.x, error) for error in end.errors])
    ratio = jnp.where(kinks.overshot(cursor, tried), jnp.maximum(ratio, BLIND), ratio)
    tried = tried._replace(ratio=jnp.where(idle, 0.0, ratio))
    return tried._replace(unseen=unseen.passed_over(settings, cursor, tried))


def _trial(cursor: Cursor, t, x, slope, sight, idle, ratio) -> Trial:
    """The trial of a step from the cursor to its end (t, x, slope)."""
    finite, seen = jnp.all(jnp.isfinite(slope), 0), jnp.full_like(ratio, jnp.inf)
    return Trial(idle, t - cursor.t, t, x, slope, sight, ratio, finite, seen)


def _where(chosen, new, old):
    """One tree where cases are chosen, the other elsewhere: an event in one case leaves the others alone."""
    return jax.tree.map(lambda a, b: jnp.where(chosen, a, b), new, old)


def _status(settings, cursor, tried, step, finished):
    """Outcome of each case whose outcome is still open."""
    collapsed = step < control.shortest(cursor.t)
    # Where the step is not for the controller to choose, a shorter one will not be tried.
    hopeless = tried.idle | (settings.fixed_step is not None) | collapsed
    status = jnp.where(collapsed, STEP_COLLAPSED, RUNNING)
    status = jnp.where(~tried.finite & hopeless, NOT_A_NUMBER, status)
    status = jnp.where(finished, FINISHED, status)
    return jnp.where(cursor.status == RUNNING, status, cursor.status)


def _due(settings, t, origin, fired, keep, status):
    """Whether any case stands where a record is due: at an event, on the record grid, or at its end."""
    if settings.every:
        return jnp.asarray(True)
    return jnp.any(keep & (fired | _on_record(settings, t, origin))) | jnp.all(status != RUNNING)


def _on_record(settings, t, origin):
    """Whether fixed steps are recorded at a time."""
    k = jnp.round((t - origin) / settings.fixed_step)
    on_grid = jnp.abs(t - origin - k * settings.fixed_step) < GRID_SLACK * settings.fixed_step
    return on_grid & (k % settings.stride == 0)
