"""A scenario as the stepper sees it: the flow of its mechanism between events, and the jumps at them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .events import EventTable, at_address
from .loads import declared_pushes
from .mechanism import Discrete, Mechanism
from .model.springs import LineState
from .numbers import in_frame
from .quantities import Moment, scalar
from .stepper.problem import Settings

# Offsets from the local origin beyond which it is moved to the bodies again, at the next event [m].
FAR = 1e3


class Flow:
    """The hybrid system of one scenario; see `stepper.problem.Hybrid`."""

    def __init__(self, mechanism: Mechanism, table: EventTable, start_time=0.0):
        self.mechanism, self.table, self.start_time = mechanism, table, start_time
        self.derivative, self.project = mechanism.derivative, mechanism.project
        self.error_norm = mechanism.error_norm
        owner = np.array([c.event for c in table.conditions])
        self.owner = owner

    # --- conditions
    # --------------------------------------------------------------------------------------------

    def watch(self, t, x, slope, discrete: Discrete):
        """Watched values and rates."""
        values = lambda t, x: self._values(t, x, discrete)  # noqa: E731
        return jax.jvp(values, (t, x), (jnp.ones_like(t), slope))

    def _values(self, t, x, discrete):
        table, scenario = self.table, self.mechanism.scenario
        needs_state = any(c.kind in ("quantity", "stroke") for c in table.conditions)
        now = self.mechanism.instant(t, x, discrete) if needs_state else None
        moment = Moment(self.mechanism, t, now, discrete)
        values = []
        for c in table.conditions:
            if c.kind == "start":
                value = t - self.start_time
            elif c.kind == "time":
                value = t - at_address(scenario, c.address)
            elif c.kind == "elapsed":
                value = t - self._known_time(c, discrete)
            elif c.kind == "stroke":
                line: LineState = now.loads.push_line
                stroke = self._stroke(c.device)
                value = line.length[c.device] - self.mechanism.reference.push_length[c.device] - stroke
            else:
                value = scalar(c.quantity, c.component, moment) - at_address(scenario, c.address)
                if np.isfinite(c.period):
                    value = value - c.period * jnp.round(value / c.period)
                value = c.sign * value
            values.append(jnp.broadcast_to(value, t.shape))
        return jnp.stack(values)

    def _stroke(self, device):
        """Travel over which a kick-off spring pushes [m]: its stroke, or less where its free length ends
        it."""
        spring = declared_pushes(self.mechanism)[device]
        if spring.preload is not None:
            return spring.stroke
        return jnp.minimum(spring.stroke, self.mechanism.reference.push_force[device] / spring.stiffness)

    def _known_time(self, c, discrete):
        """Time at which an elapsed condition is met: inf while the event that it counts from has not come."""
        after = self.table.happenings[c.event].after
        return discrete.event_time[after] + at_address(self.mechanism.scenario, c.address)

    def armed(self, discrete: Discrete):
        """Conditions not yet met, of events that wait for them."""
        waiting = self._waiting(discrete)
        return jnp.stack(
            [waiting[c.event] & ~discrete.latched[i] for i, c in enumerate(self.table.conditions)]
        )

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
            if c.kind == "time":
                time = at_address(self.mechanism.scenario, c.address)
            elif c.kind == "elapsed":
                time = self._known_time(c, discrete)
            else:
                continue
            soonest = jnp.minimum(soonest, jnp.where(armed[i], time, jnp.inf))
        return soonest

    def finished(self, discrete: Discrete):
        """The last phase has ended, or the time limit was reached."""
        return discrete.over | discrete.late

    # --- jumps
    # -------------------------------------------------------------------------------------------------

    def fire(self, t, x, discrete: Discrete, hit):
        """State and switches after conditions were met; all events of one instant count as one."""
        latched = discrete.latched | hit
        waiting = self._waiting(discrete)
        newly = [w & _holds(h.when, latched) for w, h in zip(waiting, self.table.happenings, strict=True)]
        after = discrete._replace(
            latched=latched,
            fired=discrete.fired | jnp.stack(newly),
            event_time=jnp.where(jnp.stack(newly), t, discrete.event_time),
        )
        after = self._switched(after, newly)
        x = self._rebased(x)
        if self.mechanism.layout.capturing:
            x, after = self._captured(t, x, discrete, after)
        return x, after

    def _switched(self, discrete: Discrete, newly) -> Discrete:
        mode = [discrete.mode[j] for j in range(discrete.mode.shape[0])]
        pushing = [discrete.pushing[k] for k in range(discrete.pushing.shape[0])]
        phase, over, late = discrete.phase, discrete.over, discrete.late
        for new, h in zip(newly, self.table.happenings, strict=True):
            for joint, value in h.modes:
                mode[joint] = jnp.where(new, value, mode[joint])
            for k in h.starts:
                pushing[k] = jnp.where(new, 1.0, pushing[k])
            for k in h.spends:
                pushing[k] = jnp.where(new, 0.0, pushing[k])
            if h.phase is not None:
                phase = jnp.where(new, h.phase, phase)
            over = over | new if h.ends else over
            late = late | new if h.limit else late
        discrete = discrete._replace(phase=phase, over=over, late=late)
        if mode:
            discrete = discrete._replace(
                mode=jnp.stack(mode), active=active_rows(self.mechanism.layout, mode)
            )
        if pushing:
            discrete = discrete._replace(pushing=jnp.stack(pushing))
        return discrete

    def _rebased(self, x):
        """The local origin moved to the mean of the bodies where they have gone far from it.

        Any freely falling point will do; the offsets of all bodies change by the same rounded amount.
        """
        mechanism = self.mechanism
        if mechanism.layout.ground:
            return x
        r, v, q, w, origin, origin_velocity = mechanism.split(x)
        far = jnp.max(jnp.sum(r * r, 0), 0) > FAR**2
        shift = jnp.where(far, jnp.mean(r, 1), 0.0)
        drift = jnp.where(far, jnp.mean(v, 1), 0.0)
        return mechanism.pack(
            r - shift[:, None], v - drift[:, None], q, w, origin + shift, origin_velocity + drift
        )

    def _captured(self, t, x, before: Discrete, after: Discrete):
        """Rows that were added hold the pose in which they found the bodies; velocities jump as in a
        plastic impact.

        Where all rotations become locked the child's joint frame is laid along the parent's; what is then
        left in the added rows becomes their offset."""
        gained = (after.active > 0) & (before.active == 0)

        def capture():
            mechanism, n = self.mechanism, self.mechanism.numbers
            motion = mechanism.motion(x)
            pairs, frame_a, _ = mechanism.geometry(t, motion, before)
            caught = self._joints_of(gained)
            aligned = jnp.stack([_aligned(pairs, frame_a, j) for j in range(len(mechanism.layout.joints))], 2)
            stiff = jnp.stack([caught[j] & self._all_turns_locked(after, j) for j in range(len(caught))])
            frame = jnp.where(stiff[None, None], aligned, before.child_frame)
            found = after._replace(child_frame=frame, offset=jnp.zeros_like(before.offset))
            _, frame_a, frame_b = mechanism.geometry(t, motion, found)
            g = mechanism.rows(t, pairs, frame_a, frame_b, found).g
            offset = jnp.where(gained, g, jnp.where(after.active > 0, before.offset, 0.0))
            found = found._replace(offset=offset)
            x_after, impulse = mechanism.corrected(t, x, found)
            del n
            changed = jnp.any(gained, 0)
            return (
                jnp.where(changed, x_after, x),
                jax.tree.map(
                    lambda new, old: jnp.where(changed, new, old),
                    found._replace(impulse=impulse),
                    after._replace(
                        child_frame=before.child_frame, offset=before.offset, impulse=0.0 * before.impulse
                    ),
                ),
            )

        quiet = after._replace(impulse=0.0 * before.impulse)
        return jax.lax.cond(jnp.any(gained), capture, lambda: (x, quiet))

    def _joints_of(self, gained):
        table = self.mechanism.table
        rows = [
            [k for k in range(table.count) if table.joint[k] == j]
            for j in range(len(self.mechanism.layout.joints))
        ]
        none = jnp.zeros(gained.shape[1:], bool)
        return [jnp.any(jnp.stack([gained[k] for k in r]), 0) if r else none for r in rows]

    def _all_turns_locked(self, discrete, j):
        """Whether the present mode of a joint locks all three rotations."""
        modes = self.mechanism.layout.modes[j]
        return (
            sum(
                (discrete.mode[j] == m).astype(int)
                for m, rows in enumerate(modes, 1)
                if len(rows.rotations) == 3
            )
            > 0
        )


def _aligned(pairs, frame_a, j):
    """Child's joint frame in its structure axes that lies along the parent's now."""
    pick = lambda field: field[:, :, min(j, field.shape[2] - 1)]  # noqa: E731
    rotation_b = pick(pairs.rotation_b)
    axes = pick(frame_a)
    return jnp.stack([in_frame(rotation_b, axes[:, c]) for c in range(3)], 1)


def _holds(when: Any, latched):
    """Truth of a combination of conditions."""
    if isinstance(when, int):
        return latched[when]
    way, *parts = when
    values = jnp.stack([_holds(part, latched) for part in parts])
    return jnp.any(values, 0) if way == "any" else jnp.all(values, 0)


def active_rows(layout, mode):
    """1 for rows that are active in the modes (a list over joints), else 0: (row, *lanes)."""
    active = []
    for k, j in enumerate(layout.table.joint):
        on = [m for m in range(layout.active.shape[1]) if layout.active[j, m, k]]
        active.append(sum(((mode[j] == m).astype(float) for m in on), jnp.zeros(mode[j].shape)))
    return jnp.stack(active) if active else jnp.zeros((0, *mode[0].shape))


def settings(scenario: Any, table: EventTable, stride: int = 1) -> Settings:
    """How the stepper is to step this scenario."""
    solver = scenario.solver
    fixed = float(solver.step) if solver.method == "rk4" else None
    return Settings(
        method=solver.method,
        fixed_step=fixed,
        longest=float("inf") if solver.max_step is None else float(solver.max_step),
        stride=stride,
        period=tuple(c.period for c in table.conditions),
        at_once=tuple(c.at_once for c in table.conditions),
    )
