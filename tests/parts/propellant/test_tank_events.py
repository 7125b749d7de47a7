"""Events that the tables show have one name, which `after`, `at` and the legs of a mission accept."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from engine_door import Layout
from interstage.engine.contract import HasEvents
from interstage.model.effect import effects, event_names
from interstage.reading import loads

TEXT = """
gravity = "none"
[bodies.b1]
mass = 100
inertia = [10, 50, 50]
initial = {}
elements.tank = { kind = "point", propellant = 20, at = [0, 0, 0] }
[bodies.b2]
mass = 10
inertia = [1, 5, 5]
[joints.ring]
kind = "fixed"
parent = "b1"
child = "b2"
parent_at = [1, 0, 0]
child_at = [0, 0, 0]
[engines.main]
kind = "engine"
body = "b1"
at = [-1, 0, 0]
direction = [1, 0, 0]
thrust = 1000
isp = 200
feeds = { "b1.tank" = 1.0 }
[phases.burn]
ignite = ["main"]
until = { elapsed = "60 s" }
[events.apart]
after = "b1.tank empty"
when = { elapsed = "2 s" }
release = ["ring"]
[requirements.speed]
quantity = "bodies.b1.velocity.x"
at = "b1.tank empty"
min = "1 m/s"
"""
EXHAUST = 200 * 9.80665


def test_an_event_waits_for_an_empty_tank():
    """The tank is empty after m c / F; the speed is then that of the rocket equation."""
    flight = loads(TEXT).run()
    times = {event.name: event.time for event in flight.record.events}
    empty = 20 * EXHAUST / 1000
    # 1e-9: tolerance of the time of an event
    assert times["b1.tank empty"] == pytest.approx(empty, rel=1e-9)
    assert times["apart"] == pytest.approx(empty + 2, rel=1e-9)
    speed = flight.at("b1.tank empty")["bodies.b1.velocity"][0]
    assert speed == pytest.approx(EXHAUST * np.log(130 / 110), rel=1e-8)
    assert flight.record.scenario.requirements[0].at == "b1.tank empty"


def test_declarations_and_the_table_of_events_have_the_same_names():
    scenario = loads(TEXT)
    names = event_names(effects(scenario))
    assert names == ("b1.tank empty",)
    layout = Layout(scenario)
    assert [name for part in layout.having(HasEvents) for name in part.makes] == [*names]


def test_a_tank_that_nothing_draws_from_is_no_event():
    with pytest.raises(
        ist.BadInput, match=r"there is no phase or event 'b1.tonk empty'; did you mean 'b1.tank empty'"
    ):
        loads(TEXT.replace('after = "b1.tank empty"', 'after = "b1.tonk empty"'))


def test_what_waits_for_a_faulty_engine_is_not_another_problem():
    with pytest.raises(ist.BadInput) as caught:
        loads(TEXT.replace("isp = 200", "isp = -200"))
    assert [problem.place for problem in caught.value.problems] == ["engines.main.isp"]
