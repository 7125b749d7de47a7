"""Interstage's side of the mission of two winged vehicles: its legs compiled, and what hands one over to the
next compiled, too."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, NamedTuple

import jax
import numpy as np
from numpy.typing import NDArray

import interstage as ist
from interstage.engine import flow as flows
from interstage.engine.minimal_coordinates import flow_of
from interstage.missions import mission as missions
from interstage.programs.program import Program, program_for
from interstage.runs import mission as legs
from interstage.runs import run as simulate
from interstage.runs.hand_over import Side
from interstage.runs.switching import start_after
from interstage.stepper import flight as stepping
from interstage.stepper.problem import RUNNING

ROWS = 512


class Leg(NamedTuple):
    """A leg: its scenario, program, the one before it (empty for the first), and what begins it from that
    one's end (none for the first)."""

    scenario: Any
    program: Program
    parent: str
    begin: Callable[..., Any] | None


def handed_over(
    old: Program, new: Program, table: Any, given: Any, reference: Any, time: Any, cursor: Any
) -> tuple[Any, Any, Any]:
    """References, time and cursor of a leg from those of the one before it at its end. table: the events of
    that, as this one knows them; given: what of their scenarios enters both programs."""
    (form, found), (own, stacked) = given
    before = old.mechanism(form, 0, reference, found)
    x = flow_of(before, old.table, time).ordinary(cursor.t, cursor.x, cursor.discrete)
    into = new.mechanism(own, 0, None, stacked)
    first = start_after(Side(before, table), Side(into, new.table), cursor.t, x, cursor.discrete)
    flow = flow_of(new.mechanism(own, 0, first.reference, stacked), new.table, first.time)
    settings, state = (
        flows.settings(own, new.table, new.recorded),
        flow.own(first.time, first.x, first.discrete),
    )
    fresh = stepping.start(flow, settings, first.time, state, first.discrete)
    return first.reference, first.time, fresh._replace(step=cursor.step)


_COMPILED: dict[str, Callable[..., Any]] = {}
"""`handed_over` compiled, by the leg that begins: missions differ in their tolerances alone."""


class Mission:
    """The mission with a tolerance for all its legs, compiled; `fly` flies it."""

    def __init__(self, file: Any, tolerance: float):
        changes = {"solver.tolerance": tolerance, "legs.staging.solver.tolerance": tolerance}
        scenario, _ = simulate.with_look_ups(ist.load(file, set=changes))
        self.mission = missions.Mission.of(scenario)
        self.legs: dict[str, Leg] = {}
        for name, parent in self.mission.parents.items():
            scenario = self.mission.leg(name).scenario
            rows = simulate.rows_at_once(scenario, ROWS)
            program = program_for(scenario, (), simulate.recorded_steps(scenario), rows)
            begin = self._hand_over(name, self.legs[parent], program, scenario) if parent else None
            self.legs[name] = Leg(scenario, program, parent, begin)

    @cached_property
    def _first(self) -> tuple[Any, Any, Any]:
        """References, time and cursor of the first leg."""
        leg = next(iter(self.legs.values()))
        found = simulate.start(leg.program, leg.scenario)
        cursor = leg.program.cursor(leg.scenario, found.reference, found.time, found.x, found.discrete)
        return jax.device_put((found.reference, found.time, cursor))

    def _hand_over(self, name: str, old: Leg, program: Program, scenario: Any) -> Callable[..., Any]:
        """What gives references, time and cursor of a leg from those of the one before it at its end."""
        table = legs.events_of_parent(self.mission.leg(name), old.program.table)
        compiled = _COMPILED.setdefault(name, jax.jit(partial(handed_over, old.program, program, table)))
        both = (old.program, old.scenario), (program, scenario)
        given = jax.device_put([(one.form(each), one.stacks(each)) for one, each in both])
        return lambda *end: compiled(given, *end)

    def fly(self, told: Callable[[str, str], None] | None = None) -> dict[str, Any]:
        """The last cursor of each leg, and its references and beginning. told(leg, what) is called behind
        each `hand-over` and `leg`."""
        found: dict[str, Any] = {}
        for name, leg in self.legs.items():
            reference, begun, cursor = leg.begin(*found[leg.parent]) if leg.begin else self._first
            if told is not None:
                jax.block_until_ready(cursor)
                told(name, "hand-over")
            running = True
            while running:
                cursor, _, _ = leg.program.advance(leg.scenario, reference, begun, cursor)
                running = int(cursor.status) == RUNNING
            found[name] = reference, begun, cursor
            if told is not None:
                told(name, "leg")
        return found

    def ends(self) -> dict[str, NDArray[np.float64]]:
        """Inertial positions [m] (3,) of the orbiter as ascent, staging and insertion end, and of the booster
        as the return ends."""
        found = {}
        for name, (reference, begun, cursor) in self.fly().items():
            leg = self.legs[name]
            mechanism = leg.program.mechanism(leg.scenario, 0, reference)
            with np.errstate(all="ignore"):
                flow = flow_of(mechanism, leg.program.table, float(begun))
                t, x, discrete = jax.tree.map(np.asarray, (cursor.t, cursor.x, cursor.discrete))
                position, *_, origin, _ = mechanism.split(flow.ordinary(t, x, discrete))
            found[name] = np.asarray(origin + position[:, 0])
        return {name: found[name] for name in ("ascent", "staging", "insertion", "return")}


def parts(mission: Mission, clock: Callable[[], float] = time.process_time) -> dict[str, float]:
    """Times [s] of one flight by leg, and of all hand-overs together."""
    found, last = {}, clock()

    def told(leg: str, what: str) -> None:
        nonlocal last
        now = clock()
        key = leg if what == "leg" else what
        found[key], last = found.get(key, 0.0) + now - last, now

    mission.fly(told)
    return found
