"""A part of one's own: its quantities, its masses, and how far beyond its data it is read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import interstage as ist
from engine_door import instant, mechanism_of, on_body, packed, start_of
from interstage.engine import contract
from interstage.engine.contract import Part, Range
from interstage.engine.quantity import scalar_quantity
from interstage.flight import batch, excursions
from interstage.flight.observation import Track
from interstage.maths import curves
from interstage.parts.catalogue import PARTS
from interstage.quantities.catalogue import catalogue
from interstage.scenario import loads
from interstage.tree.errors import BadInput

PENDULUM = np.array([2.0, 3.0])
"""Masses of two pendulums that hang from the body [kg]."""
PLACES = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, -4.0]])
SPEEDS = np.array([[0.5, 0.0], [0.0, 0.0], [0.0, 2.0]])


class Pendulums(Part):
    """Masses that move beside the bodies."""

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
    monkeypatch.setattr(contract, "registered", lambda: (Pendulums,))
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
        ([0.0, 0.2, 0.5], "up to 50 cm above it"),
        ([0.0, -0.2, -0.1], "up to 20 cm below it"),
        ([0.0, 0.0, 0.0], ""),
    ],
)
def test_it_is_said_how_far_beyond_its_data_it_was_read(distance, said):
    ranges = {"length": Range("the table of swings", "length", 100.0, "cm", (0.0, 4.0), holds=True)}
    parts = {"pendulums": SimpleNamespace(ranges=lambda scenario: ranges)}
    found = {"pendulums": {"length": np.array(distance)}}
    program: Any = SimpleNamespace(layout=SimpleNamespace(parts=parts, count=1), beyond=lambda *states: found)
    t = np.array([0.0, 1.0, 2.0])
    track = Track(t, t, t, t + 1.0, t, t, t)
    warnings = excursions.recorded(program, None, None, track)
    beyond = f"The table of swings was looked up outside its table between 1 s and 3 s: length was {said}."
    assert [text.capitalize() for text in warnings] == ([beyond] if said else [])


class Counted(Pendulums):
    """Says that it has one number in the state, and gives two."""

    states = 1

    def first(self, mechanism, discrete, lanes):
        return np.zeros((2, *lanes))


def test_a_part_with_other_numbers_than_it_says_is_refused(cart, monkeypatch):
    """Those of the parts behind it would be mistaken."""
    monkeypatch.setattr(contract, "registered", lambda: (Counted,))
    with pytest.raises(BadInput, match=r"'pendulums' has 1 numbers in the state .* gives an array \(2,\)"):
        start_of(cart)


class Pulling(Pendulums):
    """Gives loads of another shape than that of all bodies."""

    def wrench(self, here):
        return np.ones((6, 1))


def test_loads_of_another_shape_are_refused(cart, monkeypatch):
    """Those of one body would be spread over all."""
    monkeypatch.setattr(contract, "registered", lambda: (Pulling,))
    other = ist.Body(name="b", mass=1, inertia=[1, 1, 1], initial=cart.bodies[0].initial)
    two = cart.model_copy(update={"bodies": (*cart.bodies, other)})
    start = start_of(two)
    with pytest.raises(BadInput, match=r"'pendulums' gives loads .* of shape \(6, 1\); give \(6, 2, "):
        _ = instant(mechanism_of(two), 0.0, start.x).wrench


class Profiled(ist.Force):
    """A force with a table of its own, under a name of its own."""

    burn: ist.ForceTable


class Profiles(Part):
    """All of them."""

    name = "profiles"
    group = "forces"
    kinds = (Profiled,)

    def numbers(self, scenario, stacked, lanes):
        return [curves.curve(one.burn.time, one.burn.value, True) for one in self.of(scenario)]

    def wrench(self, here):
        force = curves.look_up_within(here.numbers.own[self.name][0], here.t, True)
        return on_body(force, 0 * force, 0, here.motion.position.shape[1])


def test_cases_of_a_table_under_any_name_are_single_flights(monkeypatch):
    """Its points are the cases' own, as all numbers are: in lanes, and in lanes that are flown one by one."""
    monkeypatch.setattr(contract, "registered", lambda: (*PARTS, Profiles))
    table = ist.ForceTable(time=[0, 0.5, 1.5], value=[[1, 0, 0], [0, 2, 0], [3, 0, 1]])
    force = Profiled(name="motor", body="a", force=[0, 0, 0], burn=table)
    until = ist.Phase(name="out", until=ist.Trigger(elapsed=1.0))
    body = ist.Body(name="a", mass=2.0, inertia=[1, 1, 1], initial=ist.State())
    solver = ist.Solver(tolerance=1e-12)
    scenario = ist.Scenario(bodies=(body,), forces=(force,), phases=(until,), solver=solver)
    masses, points = np.array([2.0, 4.0]), np.stack([table.value, table.value[::-1]])
    given = {"bodies.a.mass": masses, "forces.motor.burn.value": points}
    apart = batch.fly_batch(scenario, given, progress=False)
    monkeypatch.setattr(batch, "few", lambda scenario, lanes: False)
    beside = batch.fly_batch(scenario, given, progress=False)
    for lane, (mass, value) in enumerate(zip(masses, points, strict=True)):
        pushed = CubicSpline(table.time, value, bc_type="natural").integrate(0, 1) / mass
        alone = apart.case(lane).run(progress=False).record.series["bodies.a.velocity"][-1]
        np.testing.assert_allclose(alone, pushed, rtol=0, atol=1e-9)
        for found in (apart, beside):
            np.testing.assert_allclose(found.value("bodies.a.velocity")[lane], alone, rtol=0, atol=1e-14)
