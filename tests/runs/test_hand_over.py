"""A flight that is cut into two at one of its phases is the uncut one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

import interstage as ist
import many_effects
from interstage.engine.contract import HasState
from interstage.maths import rotations
from interstage.maths.arrays import jvp
from interstage.missions.mission import Mission
from interstage.programs.program import Program, program_for
from interstage.reading import loads
from interstage.runs.hand_over import Side, hand_over, torn
from interstage.runs.mission import start_after_parent
from interstage.runs.run import Flown, flown, recorded_steps, resolve_scenario, start
from interstage.starts.run_start import RunStart
from interstage.tree.declaration import with_values

HERE = Path(__file__).parents[2]
SAME = 1e-12
"""Part of the largest number of its kind by which two flights of the same steps may differ: some thousand
roundings, as programs of different structures sum in different orders."""


NUMBERED = dict.fromkeys(("fired", "event_time", "latched", "phase", "mode"))
"""Switches that are numbered otherwise in two halves of a flight."""


class Flew(NamedTuple):
    program: Program
    scenario: Any
    first: RunStart
    cursor: Any
    track: Any

    @property
    def times(self) -> dict[str, float]:
        """When its events came."""
        names = [event.name for event in self.program.table.events]
        return dict(zip(names, self.cursor.discrete.event_time.tolist(), strict=True))

    @property
    def layout(self) -> Any:
        return self.program.layout

    @property
    def side(self) -> Side:
        return Side(self.program.mechanism(self.scenario, 0, self.first.reference), self.program.table)


def flew(scenario: Any, begin: Any = None) -> Flew:
    """A scenario flown from its start, or from where another one ends: begin(program) -> RunStart."""
    program = program_for(scenario, (), recorded_steps(scenario), 512)
    first = start(program, scenario) if begin is None else begin(program)
    found = flown(program, scenario, first)
    return Flew(program, scenario, first, found.cursor, found.track)


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
    return Mission.of(mission).leg("leg_one").scenario, Mission.of(mission).leg("leg_two").scenario


def going_on(before: Flew, scenario: Any, step: Any = None) -> Any:
    """begin, for `flew`, of a scenario that goes on from the end of a flight."""

    def begin(program: Program) -> RunStart:
        into = Side(program.mechanism(scenario, 0), program.table)
        handed = hand_over(before.side, into, before.cursor.t, before.cursor.x, before.cursor.discrete)
        return handed._replace(time=float(handed.time), step=step)

    return begin


def compared(whole: Flew, first: Flew, second: Flew, same: float = SAME) -> None:
    """The two halves are the whole: its end, its events, and its switches."""
    assert int(second.cursor.status) == int(whole.cursor.status)
    np.testing.assert_allclose(second.cursor.t, whole.cursor.t, rtol=same)
    mechanism, other = whole.side.mechanism, second.side.mechanism
    for a, b in zip(other.split(second.cursor.x), mechanism.split(whole.cursor.x), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=same * largest(b))
    for part in second.layout.having(HasState):
        a, b = other.own(part.name, second.cursor.x), mechanism.own(part.name, whole.cursor.x)
        if part.labels == whole.layout.parts[part.name].labels:
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


@pytest.mark.long
def test_nothing_of_many_effects_is_forgotten():
    """At the cut: sampled laws, one of which goes off, the integral of another, an actuator on its way, an
    engine that tails off, a piston half out and one that is fired and late, gas, springs that were settled, a
    point that presses, slosh masses, a joint that was replaced and holds the pose in which it was caught."""
    scenario = resolve_scenario(loads(many_effects.TEXT))
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
        ("validation/hyper-x/scenario.toml", "apart"),
        ("validation/bimese-separation/scenario.toml", "hinged"),
        ("validation/sts1-srb/scenario.toml", "hinged"),
        ("validation/lgbb-separation/scenario.toml", "controlled"),
    ],
)
def test_a_flight_cut_in_two_is_the_same(path, at):
    scenario = resolve_scenario(ist.load(HERE / path))
    whole = flew(scenario)
    early, late = cut(scenario, at, whole.times)
    first = flew(early)
    second = flew(late, going_on(first, late, first.cursor.step))
    # A step that lands on a kink of a table is guessed, and roundings move it by more than themselves.
    compared(whole, first, second, float(scenario.solver.tolerance) if path in KINKED else SAME)


KINKED = ("validation/bimese-separation/scenario.toml",)
"""Cases with tables of straight lines, in which steps with error control land."""


BENCH = """
[bodies.a]
mass = 5.0
mass_centre = [0.1, 0, 0]
inertia = [1.0, 2.0, 2.5]
initial = { velocity = [1, 2, 3] }
[bodies.b]
mass = 3.0
inertia = [1.0, 1.2, 1.1]
initial = { position = [2, 0, 0] }
[bodies.c]
mass = 2.0
inertia = [0.5, 0.6, 0.7]
initial = { position = [2, 2, 0] }
[bodies.d]
mass = 1.0
inertia = [0.2, 0.2, 0.2]
initial = { position = [2, 2, 3] }
[joints.ab]
kind = "rod"
parent = "a"
child = "b"
[joints.bc]
kind = "spherical"
active = false
parent = "b"
child = "c"
parent_at = [0, 1, 0]
child_at = [0, -1, 0]
[joints.cd]
kind = "rod"
parent = "c"
child = "d"
[forces.tie]
kind = "spring"
parent = "a"
child = "c"
stiffness = 3.0
[forces.line]
kind = "spring"
parent = "c"
child = "d"
stiffness = 2.0
[devices.left]
kind = "explosive_bolt"
joints = ["ab"]
impulse = 2.0
axis = [1, 0, 0]
[devices.right]
kind = "explosive_bolt"
joints = ["cd"]
impulse = 3.0
axis = [1, 0, 0]
[legs.all]
[legs.all.phases.one]
until = { elapsed = 1.0 }
fire = ["left"]
attach = ["bc"]
[legs.all.phases.two]
until = { elapsed = 1.0 }
replace = { bc = { kind = "rod", length = 2.0 }, cd = { kind = "fixed" } }
[legs.pair]
after = { leg = "all" }
bodies = ["c", "d"]
[legs.pair.phases.three]
until = { elapsed = 1.0 }
fire = ["right"]
[legs.rest]
after = { leg = "all" }
[legs.rest.phases.four]
until = { elapsed = 1.0 }
[legs.rest.events.mended]
when = { elapsed = 0.1 }
after = "two"
attach = ["ab"]
"""


class Bench(NamedTuple):
    """A leg that ends with numbers that are all different, and one that goes on from there."""

    old: Side
    new: Side
    given: RunStart
    handed: RunStart


def handed(leg: str, lanes: tuple[int, ...] = ()) -> Bench:
    """What `BENCH` hands over to a leg, of any state and switches."""
    mission = loads(BENCH)
    scenarios = [Mission.of(mission).leg("all").scenario, Mission.of(mission).leg(leg).scenario]
    one, two = (Program(scenario, lanes) for scenario in scenarios)
    begun = one.begin(as_lanes(scenarios[0], lanes), 0.0)
    some = np.random.default_rng(5)

    def other(leaf: Any) -> Any:
        return leaf if leaf.dtype.kind in "ib" else some.normal(size=leaf.shape)

    x, reference = other(begun.x), jax.tree.map(other, begun.reference)
    happened = some.random(begun.discrete.fired.shape) < 0.7
    discrete = jax.tree.map(other, begun.discrete)._replace(fired=happened)
    discrete = discrete._replace(mode=np.array([1, 2, 2]).reshape(-1, *(1,) * len(lanes)) + 0 * discrete.mode)
    mechanisms = [
        program.mechanism(as_lanes(scenario, lanes), len(lanes), settled)
        for program, scenario, settled in ((one, scenarios[0], reference), (two, scenarios[1], None))
    ]
    sides = Side(mechanisms[0], one.table), Side(mechanisms[1], two.table)
    t = np.full(lanes, 2.0)
    return Bench(*sides, RunStart(t, x, discrete, reference), hand_over(*sides, t, x, discrete))


def as_lanes(scenario: Any, lanes: tuple[int, ...]) -> Any:
    return jax.tree.map(lambda leaf: np.asarray(leaf)[..., None], scenario) if lanes else scenario


@pytest.mark.parametrize("lanes", [(), (3,)])
@pytest.mark.parametrize("leg", ["pair", "rest"])
def test_all_that_goes_on_is_the_same_bit_by_bit(leg, lanes):
    """Bodies, joints, events, springs and impulses of a leg of some bodies are those of the leg before."""
    one, two, given, found = handed(leg, lanes)
    old, new = one.layout, two.layout
    for mine, its in zip(two.mechanism.split(found.x), one.mechanism.split(given.x), strict=True):
        if its.ndim > 1 + len(lanes):
            its = its[:, [old.bodies.index(name) for name in new.bodies]]
        np.testing.assert_array_equal(mine, its)
    joints = [old.joints.index(name) for name in new.joints]
    for name, axis in (("displacement", 1), ("turn", 2)):
        its = np.take(getattr(given.reference, name), joints, axis)
        np.testing.assert_array_equal(getattr(found.reference, name), its)
    frame = np.asarray(given.discrete.child_frame)
    np.testing.assert_array_equal(found.discrete.child_frame, frame[:, :, joints])
    springs = [[item.name for item in side.layout.items("springs")] for side in (one, two)]
    if springs[1]:
        its = given.reference.own["springs"][[springs[0].index(name) for name in springs[1]]]
        np.testing.assert_array_equal(found.reference.own["springs"], its)
    names = [[event.name for event in side.table.events] for side in (one, two)]
    for k, name in enumerate(names[1]):
        fired, time = found.discrete.fired[k], found.discrete.event_time[k]
        if name in names[0] and name not in ("end", "time limit"):
            row = names[0].index(name)
            np.testing.assert_array_equal(fired, given.discrete.fired[row])
            np.testing.assert_array_equal(time, given.discrete.event_time[row])
        else:
            assert not fired.any()
            assert np.isinf(time).all()
    kicks = {"pair": 1, "rest": 0}[leg]
    np.testing.assert_array_equal(
        found.discrete.own["releases"], given.discrete.own["releases"][kicks : kicks + 1]
    )


def test_rows_go_on_by_their_joint_and_what_they_hold():
    """The length of the rod, and what a capture left in the rows, though these are numbered otherwise; a mode
    is the one that has the same rows, or comes from the same moment."""
    one, two, given, found = handed("pair")
    assert [kind.rod for kind in one.layout.modes[2]] == [True, False]
    assert two.layout.joints == ("cd",)
    np.testing.assert_array_equal(found.discrete.mode, [2])
    np.testing.assert_array_equal(found.discrete.active > 0, np.arange(7) != 3)  # no more as long as the rod
    rod = list(one.layout.table.rods).index(2)
    np.testing.assert_array_equal(found.reference.rod_length, given.reference.rod_length[[rod]])
    rows = one.layout.table.of_joint(2)
    np.testing.assert_array_equal(found.discrete.offset, np.asarray(given.discrete.offset)[rows])


def test_joints_that_hold_what_flies_apart_are_told():
    """A joint between two branches of a mission that still holds, and none that was released."""
    one, two, given, _ = handed("pair")
    assert torn(one.layout, two.layout, given.discrete.mode) == ("bc",)
    assert torn(one.layout, two.layout, np.array([1, 0, 1])) == ()


@pytest.mark.parametrize("leg", ["pair", "rest"])
def test_derivatives_go_through_it_by_numpy_and_traced(leg):
    """States and times of events are picked, so that their derivatives are; by dual numbers and by JAX."""
    one, two, given, _ = handed(leg)
    some = np.random.default_rng(6)
    point = given.x, given.discrete.event_time
    along = tuple(some.normal(size=np.shape(part)) for part in point)

    def through(x: Any, times: Any) -> tuple[Any, Any]:
        found = hand_over(one, two, given.time, x, given.discrete._replace(event_time=times))
        return found.x, found.discrete.event_time

    by_numpy = jvp(through, point, along)[1]
    traced = jax.jit(lambda *both: jax.jvp(through, point, both)[1])(*along)
    plain = through(*along)
    for dual, by_jax, wanted in zip(by_numpy, traced, plain, strict=True):
        expected = np.where(np.isfinite(wanted), wanted, 0.0)
        np.testing.assert_array_equal(dual, expected)
        np.testing.assert_array_equal(by_jax, expected)


SPINNING = {"bodies.stage.initial.angular_velocity": "[0.3, 0.2, -0.25] rad/s"}


def test_a_body_flies_on_alone_as_beside_the_others():
    """Once nothing acts between two bodies, the leg of one of them is its motion in the flight of both:
    handed over with the same mass, momentum, angular momentum and energy, to the last bit, and flown on to
    what steps of another size leave."""
    scenario = ist.load(HERE / "examples" / "first.toml", set=SPINNING)
    joined, apart = scenario.phases
    whole = flew(with_values(scenario, requirements=()))
    early, late = (with_values(apart, until=ist.Trigger(elapsed=length)) for length in (0.5, 4.5))
    legs = (
        ist.Leg(name="both", phases=(joined, early)),
        ist.Leg(
            name="alone",
            after=ist.After(leg="both"),
            bodies=("satellite",),
            phases=(with_values(late, name="coast", release=()),),
        ),
    )
    mission = with_values(scenario, legs=legs, phases=(), requirements=())
    first = flew(Mission.of(mission).leg("both").scenario)
    alone = Mission.of(mission).leg("alone").scenario
    second = flew(alone, going_on(first, alone, first.cursor.step))
    before, after = first.cursor, second.first
    np.testing.assert_array_equal(
        books(first.side, "satellite", before.x, before.discrete),
        books(second.side, "satellite", after.x, after.discrete),
    )
    mine = second.side.mechanism.split(second.cursor.x)
    its = whole.side.mechanism.split(whole.cursor.x)
    for a, b in zip(placed(mine, 0), placed(its, 1), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=100 * float(scenario.solver.tolerance) * largest(b))


def books(side: Side, body: str, x: Any, discrete: Any) -> np.ndarray:
    """Mass, momentum, angular momentum about the origin, and kinetic energy of a body."""
    mechanism = side.mechanism.at(x, discrete)
    k = side.layout.bodies.index(body)
    mass, inertia = mechanism.numbers.mass[k], mechanism.numbers.inertia[:, :, k]
    r, v, q, w = placed(mechanism.split(x), k)
    spin = inertia @ w
    own = np.asarray(rotations.matrix_of(q)) @ spin
    return np.array([mass, *mass * v, *(mass * np.cross(r, v) + own), 0.5 * (mass * v @ v + w @ spin)])


def placed(parts: Any, k: int) -> tuple[Any, ...]:
    """Position, velocity, quaternion and angular velocity of a body, of the parts of a state."""
    r, v, q, w, origin, speed = map(np.asarray, parts)
    return r[:, k] + origin, v[:, k] + speed, q[:, k], w[:, k]


def test_phases_of_a_later_leg_begin_though_the_start_is_remembered():
    """What counts from the start of a mission lets each leg remember that; nothing of its own has come."""
    text = """
bodies.ball = { mass = 1, inertia = [1, 1, 1], initial = {} }
guidance.turn = { kind = "angles", body = "ball", axes = "inertial", since = "start", pitch = 0 }
legs.one = { coordinates = "point", attitude = "turn", phases = { first = { until = { time = 1 } } } }
"""
    legs = [("two", "one", "second"), ("three", "two", "third"), ("four", "three", "last")]
    for name, other, phase in legs:
        point = f'after = {{ leg = "{other}" }}, coordinates = "point", attitude = "turn"'
        text += f"legs.{name} = {{ {point}, phases = {{ {phase} = {{ until = {{ elapsed = 1 }} }} }} }}\n"
    mission, parent = loads(text), None
    for leg in ("one", "two", "three", "four"):
        scenario = Mission.of(mission).leg(leg).scenario
        program = program_for(scenario, (), recorded_steps(scenario), 512)
        if parent is None:
            first = start(program, scenario)
        else:
            first = start_after_parent(Mission.of(mission).leg(leg), parent, program)
        names = [event.name for event in program.table.events]
        fired = dict(zip(names, np.asarray(first.discrete.fired).tolist(), strict=True))
        own = {phase.name for phase in scenario.phases}
        assert not any(fired[name] for name in own)
        assert fired.get("start", False) == (parent is not None)
        come = np.array([name in {*own, "start"} for name in names])
        discrete = first.discrete._replace(fired=come, event_time=np.where(come, first.time, np.inf))
        cursor = program.cursor(scenario, first.reference, first.time, first.x, discrete)
        ended = program.end_cursor(scenario, first.reference, cursor)
        parent = Flown(program, scenario, first, ended, cursor, False)
