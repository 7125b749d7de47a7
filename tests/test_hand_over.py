"""A flight that is cut into two at one of its phases is the uncut one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

import interstage as ist
import many_effects
from interstage.flight.hand_over import Side, hand_over
from interstage.flight.program import Program, program_for
from interstage.flight.simulate import Beginning, flown, recorded, resolved, start
from interstage.mission import projected
from interstage.scenario import loads
from interstage.tree.declaration import with_values

HERE = Path(__file__).parents[1]
SAME = 1e-12
"""Part of the largest number of its kind by which two flights of the same steps may differ: some thousand
roundings, as programs of different structures sum in different orders."""


NUMBERED = dict.fromkeys(("fired", "event_time", "latched", "phase", "mode"))
"""Switches that are numbered otherwise in two halves of a flight."""


class Flew(NamedTuple):
    program: Program
    scenario: Any
    first: Beginning
    cursor: Any
    track: Any

    @property
    def times(self) -> dict[str, float]:
        """When its events came."""
        names = [happening.name for happening in self.program.table.happenings]
        return dict(zip(names, self.cursor.discrete.event_time.tolist(), strict=True))

    @property
    def layout(self) -> Any:
        return self.program.layout

    @property
    def side(self) -> Side:
        return Side(self.program.mechanism(self.scenario, 0, self.first.reference), self.program.table)


def flew(scenario: Any, begin: Any = None) -> Flew:
    """A scenario flown from its start, or from where another one ends: begin(program) -> Beginning."""
    program = program_for(scenario, (), recorded(scenario), 512)
    first = start(program, scenario) if begin is None else begin(program)
    cursor, track, _ = flown(program, scenario, first)
    return Flew(program, scenario, first, cursor, track)


def cut(scenario: Any, at: str, times: dict[str, float]) -> tuple[Any, Any]:
    """A scenario until a phase begins, and from there on: the two legs of a mission. times: of the events of
    the uncut flight, by which those beside the phases fall to one or the other."""
    names = [phase.name for phase in scenario.phases]
    k = names.index(at)
    late = [e for e in scenario.events if times[e.name] > times[at] or e.after in names[k:]]
    early = tuple(e for e in scenario.events if e not in late)
    late = tuple(e if e.after else with_values(e, after=names[0]) for e in late)
    legs = (
        ist.Leg(name="leg_one", phases=scenario.phases[:k], events=early),
        ist.Leg(name="leg_two", after=ist.After(leg="leg_one"), phases=scenario.phases[k:], events=late),
    )
    mission = with_values(scenario, legs=legs, phases=(), events=(), requirements=())
    return projected(mission, "leg_one", start=True), projected(mission, "leg_two")


def going_on(before: Flew, scenario: Any, step: Any = None) -> Any:
    """begin, for `flew`, of a scenario that goes on from the end of a flight."""

    def begin(program: Program) -> Beginning:
        into = Side(program.mechanism(scenario, 0), program.table)
        handed = hand_over(before.side, into, before.cursor.t, before.cursor.x, before.cursor.discrete)
        return Beginning(float(handed.t), handed.x, handed.discrete, handed.reference, [], [], step)

    return begin


def in_two(scenario: Any, at: str, whole: Flew) -> tuple[Flew, Flew]:
    one, other = cut(scenario, at, whole.times)
    first = flew(one)
    return first, flew(other, going_on(first, other, first.cursor.step))


def compared(whole: Flew, first: Flew, second: Flew, same: float = SAME) -> None:
    """The two halves are the whole: its end, its events, and its switches."""
    assert int(second.cursor.status) == int(whole.cursor.status)
    np.testing.assert_allclose(second.cursor.t, whole.cursor.t, rtol=same)
    mechanism, other = whole.side.mechanism, second.side.mechanism
    for a, b in zip(other.split(second.cursor.x), mechanism.split(whole.cursor.x), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=same * largest(b))
    for name in second.layout.parts:
        a, b = other.own(name, second.cursor.x), mechanism.own(name, whole.cursor.x)
        if second.layout.parts[name].labels == whole.layout.parts[name].labels:
            np.testing.assert_allclose(a, b, rtol=0, atol=same * largest(b))
    for name, time in whole.times.items():
        half = second if name in second.times else first
        assert half.times[name] == pytest.approx(time, rel=same), name
    assert second.layout.joints == whole.layout.joints
    ends = [half.cursor.discrete._replace(**NUMBERED) for half in (second, whole)]
    for tree in (ends, [half.first.reference for half in (second, whole)]):
        a, b = map(jax.tree.leaves, tree)
        assert len(a) == len(b)
        for mine, its in zip(a, b, strict=True):
            np.testing.assert_allclose(mine, its, rtol=0, atol=same * largest(its))


def largest(values: Any) -> float:
    """The size of the largest number that is one, or 1."""
    return max(1.0, np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))


def test_nothing_of_many_effects_is_forgotten():
    """At the cut: sampled laws, one of which goes off, the integral of another, an actuator on its way, an
    engine that tails off, a piston half out and one that is fired and late, gas, springs that were settled, a
    point that presses, slosh masses, a joint that was replaced and holds the pose in which it was caught."""
    scenario = resolved(loads(many_effects.TEXT))
    whole = flew(scenario)
    early, late = cut(scenario, "apart", whole.times)
    first = flew(early)
    assert first.cursor.discrete.own["contacts"].any()  # it presses at the cut
    compared(whole, first, flew(late, going_on(first, late)))


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "at"),
    [
        ("examples/first.toml", "apart"),
        ("examples/clampband_payload.toml", "coast"),
        ("examples/clampband_payload.toml", "apart"),
        ("examples/ascent.toml", "coast"),
        ("examples/inline_staging.toml", "tail_off"),
        ("examples/inline_staging.toml", "apart"),
        ("examples/inline_staging.toml", "upper_burn"),
    ],
)
def test_a_flight_cut_in_two_is_the_same(path, at):
    scenario = resolved(ist.load(HERE / path))
    whole = flew(scenario)
    compared(whole, *in_two(scenario, at, whole))
