"""End flights with too many integration steps, and report the cause of short steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..maths.arrays import jax
from ..observation.observation import Track
from ..programs.program import Program
from ..stepper.problem import MEMORY_FULL, RUNNING, STEP_COLLAPSED, TOO_MANY_STEPS
from .stiffness import answering

WATCHED = 20_000
"""Number of step attempts after which it is checked how much flight time they covered."""
MEMORY = 2 << 30
"""Memory limit for the integration steps of one flight [bytes]. A flight of one body needs about 400 bytes
per step.
"""
LAST = 200
"""Number of steps at the end of a flight that are examined for the cause of short steps."""
MANY = 0.2
"""Fraction of these steps that end at events. From this fraction on, events are the cause of short steps."""


class Pace:
    """Check of the number of step attempts per second of flight time.

    `lane`: index of the case to check. Default: all cases.
    """

    def __init__(self, scenario: Any, lane: int | None = None):
        solver = scenario.solver
        most = np.asarray(np.inf if solver.fixed_step else solver.steps_per_second)
        self.most = most if lane is None or not most.ndim else most[min(lane, len(most) - 1)]
        self.tries: Any = None
        self.time: Any = None

    def judge(self, cursor: Any) -> Any:
        """Return the cursor (state of the integration). Cases that exceed solver.steps_per_second have the
        status TOO_MANY_STEPS.
        """
        tries = np.asarray(cursor.accepted) + np.asarray(cursor.rejected)
        time = np.asarray(cursor.t)
        if self.tries is None:
            self.tries, self.time = tries, time
        due = tries - self.tries >= WATCHED
        # A limit of inf is none.
        allowed = np.where(np.isfinite(self.most), (tries - self.tries) / self.most, 0.0)
        slow = due & (allowed > time - self.time)
        self.tries, self.time = np.where(due, tries, self.tries), np.where(due, time, self.time)
        status = np.asarray(cursor.status)
        ended = slow & (status == RUNNING)
        if not ended.any():
            return cursor
        return cursor._replace(status=np.where(ended, TOO_MANY_STEPS, status).astype(status.dtype))


def full(cursor: Any, tracks: list[Track]) -> Any:
    """Return the cursor (state of the integration). The status is MEMORY_FULL if the recorded steps exceed
    `MEMORY` bytes.

    tracks: recorded steps of the flight.
    """
    size = sum(leaf.nbytes for leaf in jax.tree.leaves(tracks))
    if size < MEMORY or int(cursor.status) != RUNNING:
        return cursor
    return cursor._replace(status=np.asarray(MEMORY_FULL, np.asarray(cursor.status).dtype))


def slow_end_report(program: Program, scenario: Any, reference: Any, cursor: Any, track: Track) -> str:
    """Return a sentence with the cause of the short steps that ended a flight; "" if the flight ended for
    another reason.
    """
    if int(cursor.status) not in (TOO_MANY_STEPS, MEMORY_FULL, STEP_COLLAPSED):
        return ""
    lengths = (track.t_end - track.t)[-LAST:]
    length = float(np.median(lengths[lengths > 0])) if np.any(lengths > 0) else 0.0
    met = track.hit[-LAST:]
    if len(met) and np.mean(met.any(1)) > MANY:
        return f" The last steps of the flight end at events: {_events(program, met)}."
    if scenario.solver.fixed_step or scenario.solver.own_steps:
        return ""
    h = max(float(cursor.step), length)
    found = program.errors(scenario, reference, cursor.t, cursor.x, cursor.discrete, h)
    found = {name: float(np.nan_to_num(error, nan=0.0)) for name, error in found.items()}
    name, error = max(found.items(), key=lambda item: item[1])
    if error == 0:
        return ""
    answer = answering(program, scenario, reference, cursor, h, name)
    return (
        f" The integration error of {name}{_and_joints(program, name)} limits the steps to {h:.2g} s{answer}."
    )


def _events(program: Program, met: np.ndarray) -> str:
    """The events that were met most often."""
    conditions, names = program.table.conditions, []
    for i in np.argsort(-met.sum(0), kind="stable"):
        if not met[:, i].any():
            break
        c = conditions[i]
        name = program.table.events[c.event].name if c.event >= 0 else f"a {c.kind} that begins or ends"
        names.append(name)
    return ", ".join(dict.fromkeys(names[:3]))


def _and_joints(program: Program, name: str) -> str:
    """The joints of the body that a quantity is of."""
    joints = [
        joint.name
        for joint in program.layout.scenario.joints
        if f"'{joint.child}'" in name or f"'{joint.parent}'" in name
    ]
    return f" (joints {', '.join(joints[:4])}{', ...' if len(joints) > 4 else ''})" if joints else ""
