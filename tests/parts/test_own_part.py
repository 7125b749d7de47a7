"""A part of one's own: its quantities, its masses, and how far beyond its data it is read."""

from __future__ import annotations

import re
from functools import partial
from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import interstage as ist
from engine_door import (
    component,
    condition,
    flow_of,
    instant,
    layout_of,
    mechanism_of,
    on_body,
    packed,
    start_of,
    switches,
)
from interstage.diagnosis import excursions, not_finite
from interstage.diagnosis.reactions import missing_reactions
from interstage.engine.contract import (
    CAPABILITIES,
    HasEvents,
    HasState,
    MovingMass,
    Part,
    Range,
    Sampled,
    without_law,
)
from interstage.engine.quantity import all_values, scalar_quantity
from interstage.maths import curves
from interstage.maths.arrays import jnp
from interstage.observation.observation import Track
from interstage.parts.catalogue import every_part
from interstage.programs.program import Program
from interstage.quantities.catalogue import catalogue
from interstage.reading import loads
from interstage.runs import batch
from interstage.tree import packages
from interstage.tree.errors import BadInput

REGISTERED = "interstage.engine.contract.found.parts_of"
"""Function that lists the parts of Interstage."""
PENDULUM = np.array([2.0, 3.0])
"""Masses of two pendulums that hang from the body [kg]."""
PLACES = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, -4.0]])
SPEEDS = np.array([[0.5, 0.0], [0.0, 0.0], [0.0, 2.0]])


class Pendulums(MovingMass):
    """Masses that move next to the bodies."""

    name = "pendulums"

    @classmethod
    def there(cls, layout):
        return True

    def masses(self, here):
        return PENDULUM, PLACES, SPEEDS

    def quantities(self):
        angle = {"angle": scalar_quantity("rad", "angle", lambda m: 0.25 + 0 * m.t)}
        return {"bodies.cart": lambda: angle, "pendulums.long": lambda: angle}


@pytest.fixture
def cart(monkeypatch):
    monkeypatch.setattr(REGISTERED, lambda _: (Pendulums,))
    return loads("""
[bodies.cart]
mass = 5.0
inertia = [1, 1, 1]
initial = { velocity = [1.0, 0, 0] }
[phases.roll]
until = { time = "1 s" }
""")


def test_its_quantities_stand_with_those_of_their_thing_and_before_the_system(cart):
    known = catalogue(cart)
    assert known["bodies.cart.angle"].meta.unit == "rad"
    groups = list(dict.fromkeys(path.rpartition(".")[0] for path in known))
    assert groups == ["", "bodies.cart", "pendulums.long", "system"]
    assert "bodies.cart.mass" in known


def test_its_masses_count_in_the_whole_system(cart):
    mechanism = mechanism_of(cart)
    drift = np.array([1.0, 0.0, 0.0])
    still = np.zeros((3, 1))
    x = packed(still, drift[:, None], np.array([[1.0], [0], [0], [0]]), still)
    here, known = instant(mechanism, 0.0, x), catalogue(cart)
    masses = np.array([5.0, *PENDULUM])
    places, speeds = np.c_[still, PLACES], np.c_[drift, SPEEDS]
    centre, mean = places @ masses / masses.sum(), speeds @ masses / masses.sum()
    turning = np.cross((places - centre[:, None]).T, (speeds - mean[:, None]).T)
    expected = {
        "momentum": speeds @ masses,
        "mass_centre": centre,
        "angular_momentum": masses @ turning,
        "kinetic_energy": 0.5 * masses @ (speeds**2).sum(0),
    }
    for name, value in expected.items():
        np.testing.assert_allclose(known[f"system.{name}"].compute(here), value, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize(
    ("distance", "said"),
    [
        ([0.0, 0.2, 0.5], "up to 50 cm above"),
        ([0.0, -0.2, -0.1], "up to 20 cm below"),
        ([0.0, 0.0, 0.0], ""),
    ],
)
def test_it_is_said_how_far_beyond_its_data_it_was_read(distance, said):
    ranges = {"length": Range("the table of swings", "length", 100.0, "cm", (0.0, 4.0), holds=True)}
    part = SimpleNamespace(name="pendulums", ranges=lambda scenario: ranges)
    found = {"pendulums": {"length": np.array(distance)}}
    layout = SimpleNamespace(having=lambda kind: (part,), count=1, loops=False)
    program: Any = SimpleNamespace(layout=layout, beyond=lambda *states: found)
    t = np.array([0.0, 1.0, 2.0])
    track = Track(t, t, t, t + 1.0, t, t, t)
    warnings = excursions.excursion_reports(program, None, None, track)
    assert len(warnings) == bool(said)
    assert all(f"length was {said} its range from 1 s to 3 s." in text for text in warnings)


class Counted(Pendulums):
    """Says that it has one number in the state, and gives two."""

    states = 1

    def initial_states(self, mechanism, discrete, lanes):
        return np.zeros((2, *lanes))


def test_a_part_with_other_numbers_than_it_says_is_refused(cart, monkeypatch):
    """Those of the parts behind it would be mistaken."""
    monkeypatch.setattr(REGISTERED, lambda _: (Counted,))
    text = r"returns an array of shape \(2,\) from `initial_states`. .* \(1, \*cases\)"
    with pytest.raises(BadInput, match=text):
        start_of(cart)


@pytest.mark.parametrize("count", [-3, 1.5, True, None])
def test_a_count_that_is_none_is_refused(cart, monkeypatch, count):
    kind = type("Miscounted", (Pendulums,), {"states": count})
    monkeypatch.setattr(REGISTERED, lambda _: (kind,))
    text = f"`states` is {count!r}, but must be a whole number"
    with pytest.raises(BadInput, match=re.escape(text)):
        without_law(layout_of(cart))


class Pulling(Pendulums):
    """Gives loads of another shape than that of all bodies."""

    def wrench(self, here):
        return np.ones((6, 1))


def test_loads_of_another_shape_are_refused(cart, monkeypatch):
    """Those of one body would be spread over all."""
    monkeypatch.setattr(REGISTERED, lambda _: (Pulling,))
    other = ist.Body(name="b", mass=1, inertia=[1, 1, 1], initial=cart.bodies[0].initial)
    two = cart.model_copy(update={"bodies": (*cart.bodies, other)})
    start = start_of(two)
    text = r"'pendulums' returns .* \(6, 1\) from `wrench`. .* \(6, 2, \*cases\)"
    with pytest.raises(BadInput, match=text):
        _ = instant(mechanism_of(two), 0.0, start.x).wrench


def bases_of(methods):
    """The capabilities that define some methods, without those that others of them derive from."""
    kinds = [kind for kind in CAPABILITIES if not methods.keys().isdisjoint(vars(kind))]
    bases = [kind for kind in kinds if not any(one is not kind and issubclass(one, kind) for one in kinds)]
    return tuple(bases) or (Part,)


def flow_with(cart, monkeypatch, lanes=(), **methods):
    """Return the flow of a scenario with a part that has some methods, and its state at the start."""
    everywhere = {"name": "gauges", "there": classmethod(lambda cls, layout: True)}
    part: Any = type("Gauges", bases_of(methods), {**everywhere, **methods})
    monkeypatch.setattr(REGISTERED, lambda _: (part,))
    mechanism = mechanism_of(cart, lanes)
    x = np.zeros((13 + 6 + methods.get("states", 0), *lanes))
    x[6] = 1.0
    return flow_of(mechanism), mechanism, x


def waiting(table, kind):
    """Add an event that a part's own condition makes happen."""
    table.add("gauge met", "gauge", [partial(condition, kind, part="gauges", item=0)], actions={"gauges": ()})


ONE = {"states": 1}
MANY = {"watches": 2}
AT_HAND = "an array of shape"


@pytest.mark.parametrize(
    ("hooks", "said"),
    [
        (
            {**ONE, "rates": lambda *_: np.ones((1, 1))},
            f"{AT_HAND} (1, 1) from `rates`. Return an array of shape (1, *cases)",
        ),
        (
            {**ONE, "rates": lambda *_: np.ones(())},
            f"{AT_HAND} () from `rates`. Return an array of shape (1, *cases)",
        ),
        ({**ONE, "rates": lambda *_: None}, "'gauges' returns None from `rates`"),
        ({**ONE, "rates": lambda *_: {}}, "returns an array of shape () from `rates`"),
        (
            {**ONE, "rates": lambda *_: ([1], [1, 2])},
            "returns a tuple from `rates`. Return an array of shape (1, *cases)",
        ),
        (ONE, "'gauges' has no method `rates`. Write def rates(self, here, acceleration)"),
        (
            {**ONE, "rates": lambda *_: np.ones(1), "sizes": lambda *_: np.ones(2)},
            f"{AT_HAND} (2,) from `sizes`. Return an array of shape (1, *cases)",
        ),
        (
            {"centre_velocity": lambda *_: np.ones(3)},
            f"{AT_HAND} (3,) from `centre_velocity`. Return an array of shape (3, 1, *cases)",
        ),
        (
            {"wrench": lambda *_: np.ones((6, 1, 4))},
            f"{AT_HAND} (6, 1, 4) from `wrench`. Return an array of shape (6, 1, *cases)",
        ),
        (
            {**MANY, "watched_values": lambda *_: np.ones(3)},
            f"{AT_HAND} (3,) from `watched_values`. Return an array of shape (2, *cases)",
        ),
        (MANY, "no method `watched_values`. Write def watched_values(self, here)"),
        ({"sample_size": 1}, "no method `sample`. Write def sample(self, here)"),
        (
            {"events": lambda _, table: waiting(table, "value")},
            "no method `value`. Write def value(self, cond",
        ),
        (
            {"events": lambda _, table: waiting(table, "value"), "value": lambda *_: np.ones(1)},
            f"{AT_HAND} (1,) from `value`. Return an array of shape (*cases): one number",
        ),
        (
            {"kink_locations": lambda *_: (np.ones(2),)},
            f"{AT_HAND} (2,) from `kink_locations`. Return an array of shape (*cases)",
        ),
    ],
)
def test_what_hooks_give_at_an_instant_must_have_its_shape(cart, monkeypatch, hooks, said):
    flow, mechanism, x = flow_with(cart, monkeypatch, **hooks)
    state = np.zeros(()), x, switches(mechanism)
    with pytest.raises(BadInput, match=re.escape(said)):
        _ = flow.among(*state), flow.evaluate(*state), flow.error_norm(x, x)


DUE = {"events": lambda _, table: waiting(table, "due"), "next_sample_time": lambda *_: np.inf}


@pytest.mark.parametrize(
    ("hooks", "said"),
    [
        (
            {**MANY, "watched_armed": lambda *_: np.ones(1)},
            f"{AT_HAND} (1,) from `watched_armed`. Return an array of shape (2, *cases)",
        ),
        (MANY, "no method `watched_armed`"),
        (
            {**DUE, "next_sample_time": lambda *_: np.ones(2)},
            f"{AT_HAND} (2,) from `next_sample_time`. Return an array of shape (*cases): one time",
        ),
        (
            {**DUE, "next_sample_time": Sampled.next_sample_time},
            "no method `next_sample_time`. Write def next_sample_time(self, item, discrete)",
        ),
        ({**DUE, "ready": lambda *_: np.ones(2)}, f"{AT_HAND} (2,) from `ready`"),
        (
            {"apply_events": lambda *_: None},
            "returns None from `apply_events`. Write `return x, after`",
        ),
        (
            {"apply_events": lambda *a: a[-2]},
            "returns a Discrete from `apply_events`. Write `return x, after`",
        ),
        (
            {"apply_events": lambda *a: (a[3][:2], a[5])},
            f"{AT_HAND} (2,) from `apply_events`. Return an array of shape (19, *cases)",
        ),
        (
            {"apply_impulses": lambda *_: None},
            "'gauges' returns None from `apply_impulses`. Write `return x, after`",
        ),
        ({"apply_samples": lambda *_: None}, "returns None from `apply_samples`. Write `return discrete`"),
        (
            {
                "switches": lambda _, mechanism, t: np.ones((2, *t.shape)),
                "apply_events": lambda *a: (a[3], a[5].with_own("gauges", 0.0)),
            },
            "returns switches of shape () from `apply_events`. Return the shapes",
        ),
    ],
)
def test_what_hooks_give_at_events_must_be_what_steps_go_on_from(cart, monkeypatch, hooks, said):
    flow, mechanism, x = flow_with(cart, monkeypatch, **hooks)
    switched = switches(mechanism)
    with pytest.raises(BadInput, match=re.escape(said)):
        _ = (
            flow.armed_conditions(switched),
            flow.fire(np.zeros(()), x, switched, switched.latched, np.zeros(0)),
        )


def test_switches_have_the_lanes_last(cart, monkeypatch):
    _, mechanism, _ = flow_with(cart, monkeypatch, (4,), switches=lambda _, mechanism, t: np.ones((4, 2)))
    with pytest.raises(BadInput, match=r"switches of shape \(4, 2\) from `switches`. Return arrays"):
        switches(mechanism, (4,))


def test_rates_as_many_as_switches_are_said_to_be_so(cart, monkeypatch):
    """Where each follows from its switch, it is these that are too many."""
    hooks = {
        "switches": lambda _, mechanism, t: np.ones((2, *t.shape)),
        "rates": lambda _, here, acceleration: 3.0 * here.discrete.own["gauges"],
    }
    flow, mechanism, x = flow_with(cart, monkeypatch, **ONE, **hooks)
    with pytest.raises(
        BadInput, match=r"from `rates`. .*\. The `switches` of the model have the shapes \(2,\)"
    ):
        flow.derivative(np.zeros(()), x, switches(mechanism))


@pytest.mark.parametrize("lanes", [(), (3,)])
def test_a_quantity_of_all_items_is_no_scalar(cart, monkeypatch, lanes):
    """It would pass for that of one with lanes."""

    def made(self):
        both = {"fine": scalar_quantity("m", "one", lambda m: PENDULUM[0])}
        return {"gauges.a": lambda: both | {"all": scalar_quantity("m", "all", lambda m: np.ones(2))}}

    _, mechanism, x = flow_with(cart, monkeypatch, lanes, quantities=made)
    here, known = instant(mechanism, 0.0, x), catalogue(cart)
    assert all_values({"a": known["gauges.a.fine"]}, here) == ({"a": 2.0}, [])
    said = re.escape(f"'gauges.a.all' is declared as a scalar, but its function returns {AT_HAND} (2,)")
    with pytest.raises(BadInput, match=said):
        all_values({path: known[path] for path in known}, here)
    with pytest.raises(BadInput, match='"all" is declared as a scalar'):
        component(here, "gauges.a.all")


def gauges_in(unit):
    return {"gauges.a": lambda: {"held": scalar_quantity(unit, "held", lambda m: PENDULUM[0])}}


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            gauges_in("Wat"),
            "has the unit 'Wat' for gauges.a.held: unknown unit 'Wat'; ",
        ),
        (gauges_in("lbf"), "has the unit 'lbf' for gauges.a.held: the unit is not an SI unit"),
        ({"gauges.a": lambda: None}, "returns None as quantities of gauges.a. Return, for example, {"),
        ({"gauges.a": {"held": 3.0}}, "returns a dict as quantities of gauges.a. Return, for example, {"),
        (None, "returns None from `quantities`. Return {}, or makers("),
    ],
)
def test_quantities_of_another_package_are_looked_at(cart, monkeypatch, found, said):
    hooks = {"name": "gauges", "there": classmethod(lambda cls, layout: True)}
    part = type("Gauges", (Part,), {**hooks, "quantities": lambda self: found})
    monkeypatch.setattr(REGISTERED, lambda _: (part,))
    monkeypatch.setattr(packages, "home", lambda thing: packages.Package("gauge", "interstage-gauge", "1.2"))
    with pytest.raises(BadInput, match=re.escape(f"'gauges' of gauge (interstage-gauge 1.2) {said}")):
        list(catalogue(cart))


class Tether(ist.Spring):
    """A spring of another name."""


class OneSided(Part):
    """Pulls the child of a tether with 3 N along x, at an offset along y, the parent with a part of that."""

    name, group, kinds = "tethers", "forces", (Tether,)
    returned, offset = 1.0, 0.0

    def wrench(self, here):
        zero = np.zeros_like(here.t)
        pull = np.stack([3.0 + zero, zero, zero])
        turn = np.stack([zero, zero, 3.0 * self.offset + zero])
        return on_body(pull, turn, 1, 2) - self.returned * on_body(pull, 0 * turn, 0, 2)


LOST = "The model 'tethers' of rope (interstage-rope 1.2) applies a {} without its reaction, up to"


def begun(monkeypatch, part):
    """(the program, the start) of two bodies with a rope that a part of another package flies."""
    monkeypatch.setattr(REGISTERED, lambda _: (part,))
    monkeypatch.setattr(packages, "home", lambda thing: packages.Package("rope", "interstage-rope", "1.2"))
    bodies = tuple(ist.Body(name=n, mass=2.0, inertia=[1, 1, 1], initial=ist.State()) for n in "ab")
    force = Tether(name="rope", parent="a", child="b", stiffness=1.0, free_length=1.0)
    until = ist.Phase(name="out", until=ist.Trigger(elapsed=1.0))
    program = Program(ist.Scenario(bodies=bodies, forces=(force,), phases=(until,)), (), "steps", 8, True)
    start = program.begin(program.scenario, 0.0)
    return program, start


@pytest.mark.parametrize(
    ("returned", "offset", "outside", "said"),
    [
        (1.0, 0.0, set(), []),
        (1.0 - 1e-9, 0.0, set(), []),
        (0.5, 0.0, set(), [f"{LOST.format('force')} 1.5 N at 0 s. Return the reaction on the other body"]),
        (1.0, 0.2, set(), [f"{LOST.format('torque')} 0.6 N m at 0 s"]),
        (0.5, 0.0, {"momentum"}, []),
    ],
)
def test_a_load_without_its_reaction_is_told(monkeypatch, returned, offset, outside, said):
    kind = type("Tethers", (OneSided,), {"returned": returned, "offset": offset})
    monkeypatch.setattr(Tether, "outside", frozenset(outside))
    program, start = begun(monkeypatch, kind)
    t, x, discrete = (jax.tree.map(lambda a: a[None], one) for one in (np.zeros(()), start.x, start.discrete))
    found = missing_reactions(program, program.scenario, start.reference, Track(t, x, discrete, t, x, t, t))
    assert len(found) == len(said)
    assert all(text.startswith(one) for text, one in zip(found, said, strict=True))


class Fading(HasState):
    """Pulls with the root of what is left of half a second, and counts by what is left of 0.3 s."""

    name, group, kinds = "tethers", "forces", (Tether,)
    states = 1

    def wrench(self, here):
        zero = np.zeros_like(here.t)
        return on_body(jnp.stack([jnp.sqrt(0.5 - here.t), zero, zero]), jnp.zeros((3, *zero.shape)), 1, 2)

    def rates(self, here, acceleration):
        return jnp.sqrt(jnp.where(here.t > 0.5, 1.0, 0.3 - here.t))[None]


@pytest.mark.parametrize(
    ("t", "step", "said"),
    [
        (
            0.6,
            0.1,
            " The loads of rope (the model 'tethers' of rope (interstage-rope 1.2)) on 'b' are not finite.",
        ),
        (0.4, 0.01, " The rates of rope (the model 'tethers' of rope (interstage-rope 1.2)) are not finite."),
        (
            0.29,
            0.02,
            " The rates of rope (the model 'tethers' of rope (interstage-rope 1.2)) are not finite.",
        ),
        (0.2, 0.01, ""),
    ],
)
def test_a_part_without_finite_numbers_is_named(monkeypatch, t, step, said):
    program, start = begun(monkeypatch, Fading)
    cursor = SimpleNamespace(t=np.array(t), x=start.x, discrete=start.discrete, step=step)
    track: Any = SimpleNamespace(t=())
    assert not_finite.fault_report(program, program.scenario, start.reference, cursor, track) == said


class Lost(Fading, HasEvents):
    """Watches a value that is not a number after half a second."""

    def wrench(self, here):
        return on_body(jnp.zeros((3, *here.t.shape)), jnp.zeros((3, *here.t.shape)), 1, 2)

    def rates(self, here, acceleration):
        return 0.0 * here.t[None]

    def events(self, table):
        table.add(
            "rope met", "rope", [partial(condition, "value", part="tethers", item=0)], actions={"tethers": ()}
        )

    def value(self, cond, here):
        return jnp.sqrt(0.5 - here.t)


def test_an_event_whose_value_is_not_a_number_is_reported(monkeypatch):
    program, start = begun(monkeypatch, Lost)
    t = np.array([0.2, 0.4, 0.6])
    x, discrete = (jax.tree.map(lambda a: np.stack([a] * 3), one) for one in (start.x, start.discrete))
    track = Track(t, x, discrete, t, x, t, t)
    with np.errstate(invalid="ignore"):
        found = not_finite.warnings_of_events(program, program.scenario, start.reference, track)
    assert found == [
        "The model 'tethers' of rope (interstage-rope 1.2): the value of an event is not a number"
        " after 0.6 s, so the event cannot occur. Return a finite number for the event."
    ]


class Profiled(ist.Force):
    """A force with a table of its own, under a name of its own."""

    burn: ist.ForceTable


class Profiles(Part):
    """All of them."""

    name = "profiles"
    group = "forces"
    kinds = (Profiled,)

    def numbers(self, scenario, stacked, lanes):
        return [curves.curve(one.burn.time, one.burn.value, "cubic") for one in self.of(scenario)]

    def wrench(self, here):
        force = curves.look_up_within(here.numbers.own[self.name][0], here.t, True)
        return on_body(force, 0 * force, 0, here.motion.position.shape[1])


@pytest.mark.long
def test_cases_of_a_table_under_any_name_are_single_flights(monkeypatch):
    """Its points are the cases' own, as all numbers are: in lanes, and in lanes that are flown one by one."""
    monkeypatch.setattr(REGISTERED, lambda _: (*every_part(), Profiles))
    table = ist.ForceTable(time=[0, 0.5, 1.5], value=[[1, 0, 0], [0, 2, 0], [3, 0, 1]], interpolation="cubic")
    force = Profiled(name="motor", body="a", force=[0, 0, 0], burn=table)
    until = ist.Phase(name="out", until=ist.Trigger(elapsed=1.0))
    body = ist.Body(name="a", mass=2.0, inertia=[1, 1, 1], initial=ist.State())
    solver = ist.Solver(tolerance=1e-12)
    scenario = ist.Scenario(bodies=(body,), forces=(force,), phases=(until,), solver=solver)
    masses, points = np.array([2.0, 4.0]), np.stack([table.value, table.value[::-1]])
    given = {"bodies.a.mass": masses, "forces.motor.burn.value": points}
    apart = batch.fly_batch(scenario, given, progress=False, together=False)
    beside = batch.fly_batch(scenario, given, progress=False, together=True)
    for lane, (mass, value) in enumerate(zip(masses, points, strict=True)):
        pushed = CubicSpline(table.time, value, bc_type="natural").integrate(0, 1) / mass
        alone = apart.case(lane).run(progress=False).record.series["bodies.a.velocity"][-1]
        np.testing.assert_allclose(alone, pushed, rtol=0, atol=1e-9)
        for found in (apart, beside):
            np.testing.assert_allclose(found.value("bodies.a.velocity")[lane], alone, rtol=0, atol=1e-14)
