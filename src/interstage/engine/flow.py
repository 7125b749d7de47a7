"""A scenario as the stepper sees it: the flow of its mechanism between events, and the jumps at them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..engine.quantity import scalar
from ..environment.gusts import TimeGust, bounds
from ..maths.arrays import jax, jnp, jvp, lax
from ..maths.curves import Curve
from ..maths.rotations import matrix_of
from ..maths.vectors import cross, product, rotate, transposed, widened
from ..model.attachments import column
from ..model.drive import drive
from ..parts.catches.quantities import rail_left
from ..parts.contacts import flown as contacts
from ..parts.control.laws import times
from ..parts.drag.flown import filled
from ..parts.propellant.burning import corners
from ..parts.pushers import flown as pushes
from ..parts.releases.kicks import kicked
from ..stepper.problem import Settings
from .event_table import Condition, EventTable, at_address
from .here import Here
from .layout import FREE
from .mechanism import Discrete, Mechanism
from .own_steps import own_steps
from .switches import active_rows, among, holds, marked, put, upright

# Fixed steps between records where samples are not wanted: more than any flight has.
EVENTS_ONLY = 1 << 40
# Kinds of conditions on the time, which is known before it comes.
KNOWN = ("start", "time", "elapsed", "device", "sample")


class Flow:
    """The hybrid system of one scenario; see `stepper.problem.Hybrid`."""

    def __init__(self, mechanism: Mechanism, table: EventTable, start_time=0.0):
        self.mechanism, self.table, self.start_time = mechanism, table, start_time
        self.project = self._projected
        self.error_norm = mechanism.error_norm

    def advance(self, t, t_end, x, slope, discrete: Discrete):
        """A step of a formulation that steps by itself; see `stepper.problem.Hybrid`."""
        kind = self.mechanism.layout.scenario.solver.formulation.kind
        return own_steps(kind).advance(self.mechanism, t, t_end, x, slope, discrete)

    def _projected(self, t, x, discrete: Discrete):
        """The end of a step put back on the constraints, its local origin near the bodies."""
        x = self.mechanism.rebased(x, self.mechanism.scenario.gravity)
        return self.mechanism.project(t, x, discrete)

    def own(self, t, x, discrete: Discrete):
        """The state that is stepped, of a state as the mechanism has it: the same one."""
        return x

    def ordinary(self, t, x, discrete: Discrete):
        """The state as the mechanism has it, of one that is stepped."""
        return x

    # --- conditions

    def evaluate(self, t, x, discrete: Discrete):
        """The rate of a state, and the watched values, both of one instant."""
        here = self.here(t, x, discrete)
        return self.rate(here, x), self.seen(here)

    def here(self, t, x, discrete: Discrete) -> Here:
        """The instant of a state that is stepped."""
        return self.mechanism.here(t, self.ordinary(t, x, discrete), discrete)

    def rate(self, here: Here, x):
        """dx/dt of a state x that is stepped, at its instant."""
        return here.slope

    def derivative(self, t, x, discrete: Discrete):
        """dx/dt alone."""
        return self.rate(self.here(t, x, discrete), x)

    def watch(self, t, x, discrete: Discrete):
        """The watched values alone."""
        return self.seen(self.here(t, x, discrete))

    def seen(self, here: Here):
        """Watched values (condition, *lanes), those of contacts last."""
        found = [jnp.broadcast_to(self._value(c, here), here.t.shape) for c in self._single]
        if not self.mechanism.layout.contacts:
            return jnp.stack(found)
        near = contacts.watched(here.mechanism, here.x, here.discrete)
        return jnp.concatenate([jnp.stack(found), near])

    def places(self, t, x, slope, discrete: Discrete):
        """Where the air's loads and the pushers are among the kinks of their tables."""
        return jvp(partial(self._places, discrete), (t, x), (jnp.ones_like(t), slope))

    def _places(self, discrete, t, x):
        """Places (table axis, *lanes)."""
        here = self.here(t, x, discrete)
        places = [place for part in self.mechanism.parts.values() for place in part.places(here)]
        if not places:
            return jnp.zeros((0, *t.shape))
        return jnp.stack([jnp.broadcast_to(place, t.shape) for place in places])

    def longest(self, t, x, slope, value, discrete: Discrete):
        """The longest step in which no contact is passed by unseen, None where there are none."""
        ordinary = partial(self.ordinary, t, discrete=discrete)
        return contacts.longest_step(self.mechanism, ordinary, x, slope, value, discrete)

    def _value(self, c: Condition, here: Here):
        """The watched value of a condition that is none of contacts."""
        return here.t - self._known_time(c, here.discrete) if c.kind in KNOWN else self._observed(c, here)

    @property
    def _single(self) -> list[Condition]:
        """The conditions but for those of contacts, which are the last."""
        return self.table.conditions[: len(self.table.conditions) - self.mechanism.layout.touches]

    def _known_time(self, c: Condition, discrete: Discrete):
        """Time at which a condition on the time is met: inf while the event that it counts from has not
        come."""
        if c.kind == "start":
            return self.start_time
        if c.kind == "sample":
            return discrete.next_sample[c.device]
        time = at_address(self.mechanism.scenario, c.address)
        if c.kind == "device":
            assert c.after is not None
            return discrete.event_time[c.after] + time
        if c.kind == "elapsed":
            time = discrete.event_time[self.table.happenings[c.event].after] + time
        return time

    def _observed(self, c: Condition, here: Here):
        """Watched value of a condition on the state."""
        if c.kind == "empty":
            return at_address(self.mechanism.scenario, c.address) - self.mechanism.left(here.x)[c.device]
        if c.kind == "lug":
            return -rail_left(here, c.device)[c.component]
        if c.kind == "stroke":
            return self._travelled_beyond(here, c.device)
        assert c.quantity is not None
        level = at_address(self.mechanism.scenario, c.address)
        value = scalar(c.quantity, c.component, here) - level
        if np.isfinite(c.period):
            value = value - c.period * jnp.round(value / c.period)
        # Zero is crossed, and never passed: no way leads away from it.
        return jnp.sign(level) * value - (level == 0) if c.outward else c.sign * value

    def _travelled_beyond(self, moment: Here, device: int):
        """How far a pusher is beyond the end of its travel [m]."""
        left = pushes.travel_left(self.mechanism, device, moment.discrete)
        return moment["pushers"].travel[device] - left

    def armed(self, discrete: Discrete):
        """Conditions not yet met, of events that wait for them."""
        waiting = self._waiting(discrete)
        armed = jnp.stack(
            [
                jnp.isfinite(discrete.next_sample[c.device])
                if c.kind == "sample"
                else waiting[c.event] & ~discrete.latched[i] & self._able(c, discrete)
                for i, c in enumerate(self._single)
            ]
        )
        if self.mechanism.layout.contacts:
            armed = jnp.concatenate([armed, contacts.armed(self.mechanism.layout, discrete)])
        return armed

    def _able(self, c: Condition, discrete: Discrete):
        """Whether a condition can be met at all: its device works, and has been fired."""
        able = True
        if c.works:
            able = at_address(self.mechanism.scenario, c.works) > 0
        return able & jnp.isfinite(self._known_time(c, discrete)) if c.kind == "device" else able

    def _waiting(self, discrete):
        """For each event whether it is armed."""
        waiting = []
        for e, happening in enumerate(self.table.happenings):
            ready = ~discrete.fired[e]
            if happening.after is not None:
                ready = ready & discrete.fired[happening.after]
            for device in happening.spends:
                ready = ready & (discrete.pushing[device] > 0)
            waiting.append(ready)
        return waiting

    def scheduled(self, discrete: Discrete):
        """The earliest armed time."""
        armed = self.armed(discrete)
        soonest = jnp.full(discrete.over.shape, jnp.inf)
        for i, c in enumerate(self.table.conditions):
            if c.kind in ("time", "elapsed", "device", "sample"):
                soonest = jnp.minimum(soonest, jnp.where(armed[i], self._known_time(c, discrete), jnp.inf))
        return soonest

    def corner(self, t, discrete: Discrete):
        """The next point of any table over time, edge of a gust, or bend of an engine's thrust: between steps
        that grow while nothing happens a short pulse would be missed."""
        numbers = self.mechanism.numbers
        motions = [motion for axes in (*numbers.drives, *numbers.rates) if axes for motion in axes.values()]
        curves = [*numbers.curves.values(), *(m for m in motions if isinstance(m, Curve))]
        later = jnp.full_like(t, jnp.inf)
        for points in (*(curve.time for curve in curves), *self._tabulated()):
            later = _next(t, widened(points, 1 + t.ndim), later)
        for gust in self.mechanism.scenario.wind.gusts:
            if isinstance(gust, TimeGust):
                later = _next(t, jnp.stack([jnp.broadcast_to(b, t.shape) for b in bounds(gust)]), later)
        if self.mechanism.layout.pusher_form.by_time:
            later = _next(t, pushes.corners(self.mechanism, discrete), later)
        if self.mechanism.layout.drag_devices:
            later = _next(t, filled(self.mechanism, discrete), later)
        for e, engine in enumerate(numbers.engines):
            later = _next(t, corners(engine, discrete.ignited[e], discrete.cut[e]), later)
        return later

    def _tabulated(self) -> list[Any]:
        """Times (n, *lanes) of the tables that coefficients of the air and control laws have over them."""
        tables = [table for aero in self.mechanism.numbers.aerodynamics for table in aero.tables.values()]
        found = [a.points for t in tables if t.grid is not None for a in t.model.axes if a.variable == "time"]
        laws = [] if self.mechanism.steering is None else self.mechanism.steering.ready
        return [jnp.asarray(points) for points in (*found, *(p for law in laws for p in times(law)))]

    def finished(self, discrete: Discrete):
        """The last phase has ended, or the time limit was reached."""
        return discrete.over | discrete.late

    # --- jumps

    def fire(self, t, x, discrete: Discrete, hit):
        """State and switches after conditions were met; all events of one instant count as one."""
        latched = discrete.latched | hit
        waiting = self._waiting(discrete)
        newly = [w & holds(h.when, latched) for w, h in zip(waiting, self.table.happenings, strict=True)]
        after = discrete._replace(
            latched=latched,
            fired=discrete.fired | jnp.stack(newly),
            event_time=jnp.where(jnp.stack(newly), t, discrete.event_time),
        )
        after = self._switched(t, after, newly)
        if any(self.mechanism.layout.waiting):
            after = pushes.counted_anew(
                self.mechanism.at(x, discrete), x, discrete, after, self.table.happenings
            )
        if self.mechanism.layout.contacts:
            after = contacts.switched(after, hit)
        x = self.mechanism.rebased(self._centred(x, discrete, after))
        if self.mechanism.steering is not None:
            x, after = self.mechanism.steering.switched(t, x, self.mechanism, discrete, after)
        if after.impulse is not None:
            after = after._replace(impulse=jnp.zeros_like(discrete.active))
        if self.mechanism.layout.capturing:
            x, after = self._captured(t, x, discrete, after)
        if self.mechanism.layout.kicks:
            x, after = kicked(self.mechanism, t, x, discrete, after, newly)
        due = [hit[i] for i, c in enumerate(self.table.conditions) if c.kind == "sample"]
        if self.mechanism.steering is not None and due:
            after = self.mechanism.steering.sample(self.mechanism, t, x, after, due)
        return x, after

    def _switched(self, t, discrete: Discrete, newly) -> Discrete:
        mode = discrete.mode
        phase, over, late = discrete.phase, discrete.over, discrete.late
        for new, h in zip(newly, self.table.happenings, strict=True):
            if h.modes:
                mode = jnp.where(new & marked(h.modes, mode), put(h.modes, mode), mode)
            if h.phase is not None:
                phase = jnp.where(new, h.phase, phase)
            over = over | new if h.ends else over
            late = late | new if h.limit else late
        discrete = discrete._replace(phase=phase, over=over, late=late)
        discrete = self._engines_switched(t, discrete, newly)
        if mode.shape[0]:
            discrete = discrete._replace(mode=mode, active=active_rows(self.mechanism.layout, mode))
            discrete = self._parted(discrete)
        if self.mechanism.layout.pushers:
            discrete = pushes.switched(self.mechanism, t, discrete, newly, self.table.happenings)
        return discrete

    def _engines_switched(self, t, discrete: Discrete, newly) -> Discrete:
        """Engines lit, shut down and ended, and elements dropped.

        Rows are chosen all at once: the compiler of one kernel fails on arrays that are put together of rows
        of their own."""
        ignited, cut, attached = discrete.ignited, discrete.cut, discrete.attached
        for new, h in zip(newly, self.table.happenings, strict=True):
            if h.ignites:
                lit = new & among(h.ignites, ignited)
                ignited, cut = jnp.where(lit, t, ignited), jnp.where(lit, jnp.inf, cut)
            if h.cuts:
                cut = jnp.where(new & among(h.cuts, cut) & jnp.isinf(cut), t, cut)
            if h.drops:
                attached = jnp.where(new & among(h.drops, attached), 0.0, attached)
        for fired, h in zip(discrete.fired, self.table.happenings, strict=True):
            if h.stops:  # for good: what it drew from is empty, or gone
                ignited = jnp.where(fired & among(h.stops, ignited), jnp.inf, ignited)
        return discrete._replace(ignited=ignited, cut=cut, attached=attached)

    def _parted(self, discrete: Discrete) -> Discrete:
        """Engines that are fed from another body end when no joint between the two holds any more."""
        ignited = discrete.ignited
        for e, joints in self.mechanism.layout.fed_over:
            parted = jnp.all(jnp.stack([discrete.mode[j] == FREE for j in joints]), 0)
            ignited = jnp.where(parted & among((e,), ignited), jnp.inf, ignited)
        return discrete._replace(ignited=ignited)

    def _centred(self, x, before: Discrete, after: Discrete):
        """The state about the mass centres that are left when elements were dropped: the bodies go on as they
        moved."""
        mechanism = self.mechanism
        if not any(h.drops for h in self.table.happenings):
            return x
        r, v, q, w, origin, origin_velocity = mechanism.split(x)
        old, new = (mechanism.at(x, now).numbers.centre for now in (before, after))
        arm, turn = jnp.broadcast_to(new - old, w.shape), matrix_of(q)
        moved = r + rotate(turn, arm), v + rotate(turn, cross(w, arm)), q, w
        return mechanism.pack(*moved, origin, origin_velocity, mechanism.behind(x))

    def _captured(self, t, x, before: Discrete, after: Discrete):
        """Rows that were added hold the pose in which they found the bodies; velocities jump as in a
        plastic impact.

        Where all rotations become locked the child's joint frame is laid along the parent's, turned as far as
        it is driven; what is then left in the added rows becomes their offset."""
        gained = (after.active > 0) & (before.active == 0)

        def capture():
            caught = self._caught(t, x, before, after, gained)
            return jax.tree.map(partial(jnp.where, jnp.any(gained, 0)), caught, (x, after))

        return lax.cond(jnp.any(gained), capture, lambda: (x, after))

    def _caught(self, t, x, before: Discrete, after: Discrete, gained):
        """State and switches after a capture in every lane, whether it gained rows or not."""
        assert before.child_frame is not None
        assert before.offset is not None
        mechanism = self.mechanism.at(x, after)  # the mass centres are those that drops have left
        motion = mechanism.motion(x)
        pairs, frame_a, _ = mechanism.geometry(t, motion, before)
        caught = self._joints_of(gained)
        wanted = frame_a
        if mechanism.layout.driven:
            wanted = product(frame_a, drive(mechanism.numbers.drives, t).turn)
        aligned = jnp.stack([_aligned(pairs, wanted, j) for j in range(len(caught))], 2)
        stiff = jnp.stack([some & self._all_turns_locked(after, j) for j, some in enumerate(caught)])
        frame = jnp.where(stiff[None, None], aligned, before.child_frame)
        found = after._replace(child_frame=frame, offset=jnp.zeros_like(before.active))
        _, frame_a, frame_b = mechanism.geometry(t, motion, found)
        g = mechanism.rows(t, pairs, frame_a, frame_b, found).g
        held = jnp.where(after.active > 0, before.offset, 0.0)
        # With the frame laid anew the rotation rows that held before hold anew, too.
        anew = gained | (stiff[mechanism.table.joint] & upright(~mechanism.table.forces, gained))
        found = found._replace(offset=jnp.where(anew, g, held))
        if mechanism.layout.scenario.solver.elastic:
            # Springs catch the bodies gently, without an impulse, and those that are stretched stay so.
            return x, found._replace(impulse=jnp.zeros_like(before.active))
        x, impulse = mechanism.corrected(t, x, found)
        return x, found._replace(impulse=impulse)

    def _joints_of(self, gained):
        """For each joint whether it has gained a row."""
        table, joints = self.mechanism.table, len(self.mechanism.layout.joints)
        return [jnp.any(jnp.stack([gained[k] for k in table.of_joint(j)]), 0) for j in range(joints)]

    def _all_turns_locked(self, discrete, j):
        """Whether the present mode of a joint locks all three rotations."""
        locked = jnp.zeros(discrete.mode[j].shape, bool)
        for m, rows in enumerate(self.mechanism.layout.modes[j], start=1):
            if len(rows.rotations) == 3:
                locked = locked | (discrete.mode[j] == m)
        return locked


def _next(t, points, later):
    """The first of points (k, *lanes) after the time t, or `later` (*lanes) if that comes first."""
    return jnp.minimum(later, jnp.min(jnp.where(points > t, points, jnp.inf), 0, initial=jnp.inf))


def _aligned(pairs, frame_a, j):
    """Child's joint frame in its structure axes that lies along the parent's now."""
    return product(transposed(column(pairs.rotation_b, j, 2)), column(frame_a, j, 2))


def settings(scenario: Any, table: EventTable, recorded: str = "steps") -> Settings:
    """How the stepper is to step this scenario. recorded: every step ("steps"), or of fixed steps those that
    end on samples ("samples") or on events only ("events")."""
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
        clockwork=all(c.kind in KNOWN for c in table.conditions),
        gives_way=tuple(c.kind in ("sample", "contact") for c in table.conditions),
    )
