"""Connect a scenario to the stepper: the flow of its mechanism between events, and the jumps at events."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np

from ..environment.gusts import TimeGust, bounds
from ..environment.surroundings import features
from ..maths.arrays import jnp
from ..maths.curves import Curve
from ..maths.rotations import matrix_of
from ..maths.vectors import add_axes, cross, rotate
from ..stepper.control import shortest
from ..stepper.problem import Seen, Settings
from .answers import check_shape, of_event, of_looking
from .captures import apply_captures
from .contract import (
    Break,
    ChangesMass,
    Fired,
    HasEvents,
    HasSwitches,
    Impulsive,
    Part,
    Sampled,
    Tabulated,
    Watches,
)
from .contract.tables import kinks
from .event_table import Condition, EventTable, at_address
from .here import Here
from .mechanism import Discrete, Mechanism
from .own_steps import own_steps
from .quantity import scalar
from .switches import active_rows, has_mode, holds, with_modes

# Fixed steps between records where samples are not wanted: more than any flight has.
EVENTS_ONLY = 1 << 40
WATCHED = "the watched values (`watches`)"
SAMPLED = "the values of the sample (`sample_size`)"


class Flow:
    """Hybrid system of one scenario; see `stepper.problem.Hybrid`.

    The stepper integrates the stepped state. In this class it equals the state of the mechanism; subclasses
    use other coordinates.
    """

    def __init__(self, mechanism: Mechanism, table: EventTable, start_time=0.0):
        self.mechanism, self.table, self.start_time = mechanism, table, start_time
        self.project = self._project

    def advance(self, t, t_end, x, slope, discrete: Discrete):
        """Make one step with the step method of the formulation; see `stepper.problem.SelfStepping`."""
        kind = self.mechanism.layout.scenario.solver.formulation.kind
        return own_steps(kind).advance(self.mechanism, t, t_end, x, slope, discrete)

    def _project(self, t, x, discrete: Discrete):
        """The end of a step projected on the constraints, with its local origin near the bodies."""
        x = self.mechanism.rebase(x, self.mechanism.scenario.gravity)
        mechanism = self.mechanism
        return (
            mechanism.project(t, x, discrete) if mechanism.layout.has_joints else mechanism.normalize_state(x)
        )

    def own(self, t, x, discrete: Discrete):
        """Return the stepped state from a state x of the mechanism. In this class, the stepped state and the
        state of the mechanism are equal."""
        return x

    def ordinary(self, t, x, discrete: Discrete):
        """Return the state of the mechanism from a stepped state x. In this class, the stepped state and the
        state of the mechanism are equal."""
        return x

    def error_form(self, x):
        """Return a stepped state, or an error of a stepped state, in the form of a mechanism state for the
        error norm.
        """
        return x

    def error_norm(self, x, error):
        """Return the norm of an error estimate divided by the tolerance (*cases)."""
        return self.mechanism.error_norm(self.error_form(x), self.error_form(error))

    # --- conditions

    def evaluate(self, t, x, discrete: Discrete, shaken: Any = None):
        """Return dx/dt of a stepped state, and the observed values; see `stepper.problem.Hybrid`."""
        here = self.here(t, x, discrete, shaken)
        return self.rate(here, x), Seen(
            self.watched_values(here), self.measured_values(here), self.features(here)
        )

    def here(self, t, x, discrete: Discrete, shaken: Any = None) -> Here:
        """Return the values at one time (`Here`) for a stepped state.

        shaken: whether to perturb the state by its possible rounding error, a traced boolean. None: never.
        """
        x = self.ordinary(t, x, discrete)
        if shaken is not None:
            x = jnp.where(shaken, self.mechanism.shaken(x), x)
        return self.mechanism.here(t, x, discrete)

    def rate(self, here: Here, x):
        """Return dx/dt of a stepped state x from the values at its time."""
        return here.slope

    def derivative(self, t, x, discrete: Discrete):
        """Return dx/dt of a stepped state without observed values."""
        return self.rate(self.here(t, x, discrete), x)

    def watch(self, t, x, discrete: Discrete, shaken: Any = None):
        """Return the watched values (condition, *cases) of a stepped state without dx/dt."""
        return self.watched_values(self.here(t, x, discrete, shaken))

    def measure(self, t, x, discrete: Discrete):
        """Return the measured values (value, *cases) of a stepped state without dx/dt."""
        return self.measured_values(self.here(t, x, discrete))

    def among(self, t, x, discrete: Discrete):
        """Return the watched values, the positions of variables among kinks, and their positions among
        features.

        Shapes: (condition, *cases), (variable, *cases) and (5, variable, *cases); see
        `stepper.problem.Hybrid.among`.
        """
        here = self.here(t, x, discrete)
        return self.watched_values(here), self.places(here), self.features(here)

    def watched_values(self, here: Here):
        """Return the watched values (condition, *cases). The values of `contract.Watches` come last."""
        found = [jnp.broadcast_to(self.value_of(c, here), here.t.shape) for c in self._single]
        many = (
            check_shape(
                part,
                "watched_values",
                WATCHED,
                part.watched_values(here),
                (part.watches,),
                here.t.shape,
                True,
            )
            for part, _ in self._many
        )
        return jnp.concatenate([jnp.stack(found), *many])

    def places(self, here: Here):
        """Return the positions of the variables of models among the kinks of their laws (variable,
        *cases).
        """
        places = [
            check_shape(part, "kink_locations", "one location", place, (), here.t.shape)
            for part in self.mechanism.parts.values()
            for place in part.kink_locations(here)
        ]
        if not places:
            return jnp.zeros((0, *here.t.shape))
        return jnp.stack([jnp.broadcast_to(place, here.t.shape) for place in places])

    def features(self, here: Here):
        """Return the positions of the variables of models among the features of their laws (5, variable,
        *cases); see `interpolation.Interval`.
        """
        parts, lanes = self.mechanism.parts.values(), here.t.shape
        found = [feature for part in parts for feature in _features(part, here)]
        layout = self.mechanism.layout
        bodies = sorted({body for part in layout.having(Tabulated) for body in part.bodies_in_atmosphere})
        if bodies and here.surroundings is not None:
            assert here.equations.numbers.surroundings is not None
            altitude = here.surroundings.altitude[np.array(bodies)]
            found += features(here.equations.numbers.surroundings, altitude)
        if not found:
            return jnp.zeros((5, 0, *lanes))
        return jnp.concatenate([_five(feature, lanes) for feature in found], 1)

    @property
    def measures(self) -> int:
        """Return the number of values that models read at their sample times."""
        return sum(part.sample_size for part in self.mechanism.layout.having(Sampled))

    def measured_values(self, here: Here):
        """Return the values that models read at their sample times (value, *cases)."""
        none = jnp.zeros((0, *here.t.shape))
        found = (
            check_shape(part, "sample", SAMPLED, part.sample(here), (part.sample_size,), here.t.shape, True)
            for part in self._reading
        )
        return jnp.concatenate([none, *found])

    def longest(self, t, x, slope, value, discrete: Discrete):
        """Return the longest step [s] (*cases) in which no model can miss a zero crossing. None: no limit.

        slope, value: dx/dt and watched values at the start of the step.
        """
        ordinary = partial(self.ordinary, t, discrete=discrete)
        rows = {part.name: value[among] for part, among in self._many}
        steps = []
        for part in self.mechanism.layout.having(Watches):
            step = part.longest_step(self.mechanism, ordinary, x, slope, rows.get(part.name), discrete)
            if step is not None:
                steps.append(check_shape(part, "longest_step", "one step", step, (), discrete.over.shape))
        return reduce(jnp.minimum, steps) if steps else None

    def value_of(self, c: Condition, here: Here):
        """Return the watched value (*cases) of the condition c. For conditions on time, the value is the time
        since the known time of the condition [s].
        """
        return (
            here.t - self._known_time(c, here.discrete)
            if c.is_timed
            else condition_value(self.mechanism, c, here)
        )

    @cached_property
    def _single(self) -> list[Condition]:
        """The conditions that are not among the values that parts watch together. These values come last."""
        return [c for c in self.table.conditions if c.kind != "watched"]

    @cached_property
    def _many(self) -> list[tuple[Watches, slice]]:
        """Parts that watch many values, and the indices of their conditions among all conditions."""
        found, first = [], len(self._single)
        for part in self.mechanism.layout.having(Watches):
            if part.watches:
                found.append((part, slice(first, first + part.watches)))
                first += part.watches
        return found

    @cached_property
    def _reading(self) -> list[Sampled]:
        """Parts that take samples."""
        return [part for part in self.mechanism.layout.having(Sampled) if part.sample_size]

    def _known_time(self, c: Condition, discrete: Discrete):
        """Time at which a condition on the time is met. It is infinite until the event has occurred from
        which the condition counts."""
        if c.kind == "start":
            return self.start_time
        if c.kind == "due":
            part = self.mechanism.parts[c.part]
            assert isinstance(part, Sampled)
            return check_shape(
                part,
                "next_sample_time",
                "one time",
                part.next_sample_time(c.item, discrete),
                (),
                discrete.over.shape,
            )
        time = at_address(self.mechanism.scenario, c.address)
        if c.kind == "delay":
            assert c.after is not None
            return discrete.event_time[c.after] + time
        if c.kind == "elapsed":
            event = self.table.events[c.event]
            start = discrete.event_time[event.after]
            if event.repeats:
                start = jnp.where(discrete.fired[c.event], discrete.event_time[c.event], start)
            time = start + time
        return time

    def armed_conditions(self, discrete: Discrete):
        """Return whether each condition is armed (condition, *cases): the condition is not yet met, and its
        event is armed.
        """
        waiting = self._waiting(discrete)
        armed = jnp.stack(
            [
                jnp.isfinite(self._known_time(c, discrete))
                if c.again
                else waiting[c.event] & ~discrete.latched[i] & self._able(c, discrete)
                for i, c in enumerate(self._single)
            ]
        )
        lanes = discrete.over.shape
        many = (
            check_shape(
                part, "watched_armed", WATCHED, part.watched_armed(discrete), (part.watches,), lanes, True
            )
            for part, _ in self._many
        )
        return jnp.concatenate([armed, *many])

    def _able(self, c: Condition, discrete: Discrete):
        """Whether a condition can be met at all: its device works and has been fired."""
        able = True
        if c.works:
            able = at_address(self.mechanism.scenario, c.works) > 0
        return able & jnp.isfinite(self._known_time(c, discrete)) if c.kind == "delay" else able

    def _waiting(self, discrete):
        """Whether each event is armed."""
        waiting = []
        for e, event in enumerate(self.table.events):
            ready = ~(discrete.over if event.repeats else discrete.fired[e])
            if event.after is not None:
                ready = ready & discrete.fired[event.after]
            if event.before is not None:
                ready = ready & ~discrete.fired[event.before]
            for name, actions in event.actions.items():
                part = self.mechanism.parts[name]
                assert isinstance(part, HasEvents)
                own = part.ready(actions, discrete)
                if own is not None:
                    ready = ready & check_shape(
                        part, "ready", "true or false for each case", own, (), discrete.over.shape
                    )
            waiting.append(ready)
        return waiting

    def next_time(self, discrete: Discrete):
        """Return the earliest known time [s] of an armed condition (*cases); inf if there is none."""
        armed = self.armed_conditions(discrete)
        soonest = jnp.full(discrete.over.shape, jnp.inf)
        for i, c in enumerate(self.table.conditions):
            if c.is_timed and c.kind != "start":
                soonest = jnp.minimum(soonest, jnp.where(armed[i], self._known_time(c, discrete), jnp.inf))
        return soonest

    def corner(self, t, near, discrete: Discrete):
        """Return the next time [s] at which a step must end (*cases): a knot of a prescribed motion, an edge
        of a gust, or a kink or jump of a model's law.

        Without these times, long steps of a smooth motion could miss a short pulse. A jump is crossed in a
        separate step of a few rounding units of the time, because error control does not accept a longer step
        across a jump. If a step began or ended exactly at the jump, rounding would decide on which side of
        the jump it is.
        """
        later, breaks = jnp.full_like(t, jnp.inf), self._breaks(t, discrete)
        for points in [*self._motions(t), *_of_kinds(breaks, "corner")]:
            later = _next(t + near, points, later)
        for points in _of_kinds(breaks, "kink", "jump"):
            beside = shortest(points)
            # Before what never comes is not a number, and so not ahead.
            before = points - beside
            later = _next(t, jnp.where(before > t, before, points + beside), later)
        return later

    def landings(self, t, discrete: Discrete) -> list[Any]:
        """Return the times [s] at or near which steps must end, as a list of arrays (any, *cases); see
        `corner`.
        """
        breaks = self._breaks(t, discrete)
        return [*self._motions(t), *_of_kinds(breaks, "corner"), *_of_kinds(breaks, "kink", "jump")]

    def jumps(self, t, discrete: Discrete) -> list[Any]:
        """Return the times [s] at which laws of models jump, as a list of arrays (any, *cases)."""
        return _of_kinds(self._breaks(t, discrete), "jump", "jump at event")

    def breaks(self, t, discrete: Discrete) -> list[Any]:
        """Return the times [s] at which a law or the slope of a law jumps, as a list of arrays (any,
        *cases).
        """
        breaks = self._breaks(t, discrete)
        return [*_of_kinds(breaks, "jump", "jump at event"), *_of_kinds(breaks, "kink", "jump")]

    def _motions(self, t) -> list[Any]:
        """Points of motions over time and edges of gusts [s], (any, *cases) each; the cases may have size
        one."""
        numbers = self.mechanism.numbers
        motions = [motion for axes in (*numbers.drives, *numbers.rates) if axes for motion in axes.values()]
        found = [motion.time for motion in motions if isinstance(motion, Curve)]
        for gust in self.mechanism.scenario.wind.gusts:
            if isinstance(gust, TimeGust):
                found.append(jnp.stack([jnp.broadcast_to(b, t.shape) for b in bounds(gust)]))
        return [add_axes(points, 1 + t.ndim) for points in found]

    def _breaks(self, t, discrete: Discrete) -> list[Break]:
        """Times at which laws of parts are not smooth [s], (any, *cases) each; the cases may have size
        one."""
        parts = self.mechanism.parts.values()
        found = (each for part in parts for each in part.breaks(self.mechanism, t, discrete))
        return [each._replace(times=add_axes(each.times, 1 + t.ndim)) for each in found]

    def is_finished(self, discrete: Discrete):
        """Return whether the last phase has ended, or the time limit is reached (*cases)."""
        return discrete.over | discrete.late

    # --- jumps

    def fire(self, t, x, discrete: Discrete, hit, measured):
        """Return state and switches after conditions were met. All events at one time are processed together.

        hit (condition, *cases): conditions that are met now. measured (value, *cases): measured values.
        """
        latched = discrete.latched | hit
        waiting = self._waiting(discrete)
        newly = [w & holds(h.when, latched) for w, h in zip(waiting, self.table.events, strict=True)]
        newly = _within_limit(_end_flags(newly, self.table.events), self.table.events)
        after = discrete._replace(
            latched=self._anew(latched, newly),
            fired=discrete.fired | jnp.stack(newly),
            event_time=jnp.where(jnp.stack(newly), t, discrete.event_time),
        )
        mechanism, having = self.mechanism, self.mechanism.layout.having
        after = self._switch(after, newly)
        fired = self._fire(newly, hit, measured)
        for part in having(HasSwitches):
            found = part.apply_events(mechanism, t, x, discrete, after, fired)
            x, after = of_event(part, "apply_events", found, x, after)
        x = mechanism.rebase(self._recentre(x, discrete, after))
        if after.impulse is not None:
            after = after._replace(impulse=jnp.zeros_like(discrete.active))
        if mechanism.layout.capturing:
            x, after = apply_captures(mechanism, t, x, discrete, after)
        for part in having(Impulsive):
            found = part.apply_impulses(mechanism, t, x, discrete, after, fired)
            x, after = of_event(part, "apply_impulses", found, x, after)
        for part in having(Sampled):
            after = of_looking(part, "apply_samples", part.apply_samples(mechanism, t, after, fired), after)
        return x, after

    def _anew(self, latched, newly):
        """The conditions that stay met. Conditions of events that have occurred and can occur again are
        reset."""
        if not any(h.repeats for h in self.table.events):
            return latched
        again = [newly[c.event] & self.table.events[c.event].repeats for c in self._single]
        single, many = latched[: len(again)], latched[len(again) :]
        return jnp.concatenate([single & ~jnp.stack(again), many])

    def _fire(self, newly, hit, measured) -> Fired:
        due: dict[str, dict[int, Any]] = {}
        for i, c in enumerate(self._single):
            if c.kind == "due":
                due.setdefault(c.part, {})[c.item] = hit[i]
        watched = {part.name: hit[among] for part, among in self._many}
        ends = np.cumsum([part.sample_size for part in self._reading])[:-1]
        read = {part.name: rows for part, rows in zip(self._reading, jnp.split(measured, ends), strict=False)}
        return Fired(self.table.events, newly, due, watched, read)

    def _switch(self, discrete: Discrete, newly) -> Discrete:
        mode = discrete.mode
        phase, over, late = discrete.phase, discrete.over, discrete.late
        for new, h in zip(newly, self.table.events, strict=True):
            if h.modes:
                mode = jnp.where(new & has_mode(h.modes, mode), with_modes(h.modes, mode), mode)
            if h.phase is not None:
                phase = jnp.where(new, h.phase, phase)
            over = over | new if h.ends else over
            late = late | new if h.limit else late
            if h.ends_early:
                over = over | reduce(lambda stop, k: stop & ~newly[k], h.yields_to, new)
        discrete = discrete._replace(phase=phase, over=over, late=late)
        if mode.shape[0]:
            discrete = discrete._replace(mode=mode, active=active_rows(self.mechanism.layout, mode))
        return discrete

    def _recentre(self, x, before: Discrete, after: Discrete):
        """The state relative to the new centres of mass, after bodies have lost mass items. The remaining
        material keeps its motion."""
        mechanism = self.mechanism
        if not any(part.drops_mass for part in mechanism.layout.having(ChangesMass)):
            return x
        r, v, q, w, origin, origin_velocity = mechanism.split(x)
        old, new = (mechanism.at(x, now).numbers.centre for now in (before, after))
        arm, turn = jnp.broadcast_to(new - old, w.shape), matrix_of(q)
        moved = r + rotate(turn, arm), v + rotate(turn, cross(w, arm)), q, w
        return mechanism.pack(*moved, origin, origin_velocity, mechanism.trailing_state(x))


def _end_flags(newly, events):
    """Flags of the events at one time, including the end of the flight if an event ends it."""
    enders = [new for new, h in zip(newly, events, strict=True) if h.ends and h.kind != "end"]
    if not enders:
        return newly
    over = reduce(jnp.logical_or, enders)
    return [new | over if h.kind == "end" else new for new, h in zip(newly, events, strict=True)]


def _within_limit(newly, events):
    """Flags of the events at one time. If the end of the flight coincides with the time limit, the flight
    counts as ended, not as ended early."""
    over = reduce(jnp.logical_or, (new for new, h in zip(newly, events, strict=True) if h.ends))
    return [new & ~over if h.limit else new for new, h in zip(newly, events, strict=True)]


def _of_kinds(breaks: Iterable[Break], *kinds: str) -> list[Any]:
    """Times of some kinds of breaks."""
    return [each.times for each in breaks if each.kind in kinds]


def _features(part: Part, here: Here) -> Iterable[Any]:
    """Locations of variables of a part among the features of its laws."""
    return part.table_intervals(here) if isinstance(part, Tabulated) else kinks(part, here)


def _five(feature: Any, lanes: tuple[int, ...]):
    """The rows of one or several intervals, (5, any, *cases)."""
    many = np.shape(feature.at)[: np.ndim(feature.at) - len(lanes)] or (1,)
    return jnp.stack([jnp.broadcast_to(row, (*many, *lanes)) for row in feature])


def _next(t, points, later):
    """The first of points (k, *cases) after the time t, or `later` (*cases) if that time is earlier."""
    return jnp.minimum(later, jnp.min(jnp.where(points > t, points, jnp.inf), 0, initial=jnp.inf))


def settings(scenario: Any, table: EventTable, recorded: str = "steps") -> Settings:
    """Return the settings of the stepper for a scenario.

    recorded: "steps" to record every step. For fixed steps also "samples" (steps that end at samples) or
    "events" (steps that end at events).
    """
    solver, stride = scenario.solver, EVENTS_ONLY if recorded == "events" else 1
    if recorded == "samples":
        stride = jnp.round(scenario.output.interval / solver.step)
    return Settings(
        method=solver.formulation.kind if solver.own_steps else solver.method,
        fixed_step=solver.step if solver.fixed_step else None,
        longest=float("inf") if solver.max_step is None else solver.max_step,
        stride=stride,
        period=tuple(c.period for c in table.conditions),
        at_once=tuple(c.at_once for c in table.conditions),
        clockwork=all(c.is_timed for c in table.conditions),
        yields=tuple(c.yields for c in table.conditions),
        judged=tuple(c.has_rounding for c in table.conditions),
        anew=tuple(c.event >= 0 and table.events[c.event].repeats for c in table.conditions),
    )


def condition_value(mechanism: Mechanism, c: Condition, here: Here):
    """Return the watched value (*cases) of a condition c on the state; it rises through zero when the
    condition is met.
    """
    if c.kind == "value":
        part = mechanism.parts[c.part]
        assert isinstance(part, HasEvents)
        return check_shape(part, "value", "one number", part.value(c, here), (), here.t.shape)
    assert c.quantity is not None
    level = at_address(mechanism.scenario, c.address)
    value = scalar(c.quantity, c.component, here) - level
    if np.isfinite(c.period):
        value = value - c.period * jnp.round(value / c.period)
    # Zero is crossed, and never passed: no way leads away from it.
    return jnp.sign(level) * value - (level == 0) if c.outward else c.sign * value
