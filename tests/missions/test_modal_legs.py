"""Flexible bodies, and whose tanks drain, in missions of legs: a mission is the flight that was not cut,
through a staging in which the tank goes on draining; and what legs without modes drop is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import draining_stack as stack
import interstage as ist
from interstage.cli.command_files import resumed_at
from interstage.missions.mission import Mission
from interstage.programs.program import program_for
from interstage.reading import loads
from interstage.runs.hand_over import Side
from interstage.runs.run import fly, recorded_steps, start
from interstage.runs.switching import start_after, told_of_parts
from test_modal_drain import BALL, CAP, set_off

SAME = 1e-12
"""Part of the largest number of its kind by which flights of the same steps may differ: some thousand
roundings, as programs of different structures sum in different orders."""
FLOW = 30.0
SOLVER = """[solver]
method = "rk4"
step = 2e-3
[output]
interval = 0.02
"""
UPPER = """[bodies.cap.elements.fuel]
kind = "point"
at = [0, 0, 0]
propellant = 20
[engines.upper]
kind = "engine"
body = "cap"
at = [0, 0, 0]
direction = [1, 0, 0]
thrust = 100
mass_flow = 5
feeds = { "cap.fuel" = 1.0 }
[forces.a_sways]
kind = "modal_body"
body = "cap"
propellant = [0, 10, 20]
frequency = [[30], [28], [25]]
mass = 2
rate = [0.3]
[forces.a_sways.points]
left = { at = [-1, 0, 0], shape = [[0, 1, 0]], turn = [[0, 0, 0.3]] }
middle = { at = [0, 0, 0], shape = [[0, -1, 0]], turn = [[0, 0, 0]] }
right = { at = [1, 0, 0], shape = [[0, 1, 0]], turn = [[0, 0, -0.3]] }
[engines.main]"""
"""A second body that drains and bends, of which something is named before what the first one has."""


def declared(sequence: str, more: str = "[engines.main]") -> str:
    """The stack, which drains from the start on, and what hangs on it by a joint, with phases or legs."""
    text = stack.scenario(FLOW, set_off(), ends=1.0, modes=stack.tabled([0, 50, 100, 150]))
    text = text.replace("[engines.main]", CAP.format(cap=0.0, holds=f"{BALL}\nassemble = true")).replace(
        "[engines.main]", more
    )
    return text[: text.index("[[phases]]")] + sequence + SOLVER


WHOLE = """[phases]
joined = { until = { time = 0.2 } }
parting = { release = ["ball"], ignite = ["upper"], until = { elapsed = 0.2 } }
alone = { until = { elapsed = 0.2 } }
"""
FIRST = """[legs.first]
phases.joined = { until = { time = 0.2 } }
"""
LEGS = f"""{FIRST}[legs.second]
after = {{ leg = "first" }}
phases.parting = {{ release = ["ball"], ignite = ["upper"], until = {{ elapsed = 0.2 }} }}
[legs.third]
after = {{ leg = "second" }}
bodies = ["core"]
phases.alone = {{ until = {{ elapsed = 0.2 }} }}
[legs.fourth]
after = {{ leg = "second" }}
phases.beside = {{ until = {{ elapsed = 0.2 }} }}
"""
PATHS = (
    *(f"forces.bends.mode_{n + 1}.{what}" for n in range(3) for what in ("coordinate", "rate", "frequency")),
    *(f"forces.a_sways.mode_1.{what}" for what in ("coordinate", "rate", "frequency")),
    *(f"bodies.{body}.{what}" for body in ("core", "cap") for what in ("position", "angular_velocity")),
    "sensors.s0.position",
)


@pytest.fixture(scope="module")
def mission() -> Any:
    return loads(declared(LEGS, UPPER))


@pytest.fixture(scope="module")
def flight(mission) -> Any:
    return mission.run(progress=False)


@pytest.mark.long
def test_a_mission_that_drains_and_bends_is_the_flight_that_was_not_cut(flight):
    """The tanks drain from leg to leg, before, in and behind the release, after which each body bends in a
    leg of its own, where the numbers of its modes and tanks are others."""
    whole = loads(declared(WHOLE, UPPER)).run(progress=False)
    assert flight.record.outcome == "Completed 4 legs at 0.6 s."
    assert not flight.record.switches
    for path in PATHS:
        expected, found = whole[path], flight[path]
        np.testing.assert_allclose(found, expected, rtol=0, atol=SAME * max(1, np.abs(expected).max()))
    for path in ("forces.bends.mode_1.frequency", "forces.a_sways.mode_1.frequency"):
        assert np.ptp(flight[path]) > 1e-3 * flight[path][0]


@pytest.mark.long
@pytest.mark.parametrize("event", ["first end", "parting"])
def test_a_mission_that_bends_goes_on_from_an_event(mission, flight, event, tmp_path):
    saved = flight.save(tmp_path / "mission.nc")
    again = ist.Flight(fly(mission, resume=resumed_at(saved, event)[0]))
    for path in PATHS:
        size = max(1, np.abs(flight[path]).max())
        np.testing.assert_allclose(again[path], flight[path], rtol=0, atol=SAME * size)


@pytest.mark.long
def test_cases_of_a_mission_that_bends_are_missions(mission):
    values = {
        "engines.main.mass_flow": np.array([30.0, 20.0]),
        "forces.bends.frequency[2, 0]": np.array([1.0, 1.01]) * mission.forces[1].frequency[2, 0],
    }
    batch = mission.run_batch(values, progress=False)
    for lane in range(2):
        alone = ist.Flight(fly(batch.case(lane)))
        for path in PATHS:
            if path.count(".") > 2 or path.startswith("bodies.core.angular"):
                component = path if path.count(".") > 2 else f"{path}.z"
                size = max(1, np.abs(alone[path]).max())
                assert batch.value(component, "end")[lane] == pytest.approx(
                    alone.value(component, "end"), abs=SAME * size
                )


@pytest.mark.long
def test_derivatives_go_through_legs_of_a_mission_that_bends(mission):
    """By the flow and by when the joint releases, against central differences of a batch."""
    of = ["forces.bends.mode_1.coordinate", "forces.bends.mode_2.rate"]
    steps = {"engines.main.mass_flow": (FLOW, 1e-3), "legs.first.phases.joined.until.time": (0.2, 1e-5)}
    exact = mission.derivatives(of=of, wrt=[*steps], at="third end").by
    for path, (value, step) in steps.items():
        cases = mission.run_batch({path: value + step * np.array([-1.0, 0.0, 1.0])}, progress=False)
        for quantity in of:
            low, _, high = cases.value(quantity, "third end")
            # The square of the steps, over what they act in, is below 1e-8; steps of the flight are the same.
            assert exact[quantity][path] == pytest.approx((high - low) / (2 * step), rel=1e-5), path


# --- legs without modes -----------------------------------------------------------------------------------


WITHOUT = f"""{FIRST}[legs.second]
after = {{ leg = "first" }}
without = ["forces.bends"]
phases.stiff = {{ until = {{ elapsed = 0.2 }} }}
[legs.third]
after = {{ leg = "second" }}
phases.again = {{ until = {{ elapsed = 0.2 }} }}
"""


def test_what_legs_without_modes_drop_is_said():
    """Energy of strain and motion, and how far what stands on the body springs, as the leg before ends at
    its start; and what modes that begin anew start with."""
    bent = "[forces.bends]\ncoordinate = [0.03, -0.01, 0.005]"
    mission, said, leg_from = loads(declared(WITHOUT).replace("[forces.bends]", bent)), {}, None
    for leg in ("first", "second", "third"):
        scenario = Mission.of(mission).leg(leg).scenario
        program = program_for(scenario, (), recorded_steps(scenario), 512)
        if leg_from is None:
            begun = start(program, scenario)
            end: Any = (np.asarray(begun.time), begun.x, begun.discrete)
            mechanism = program.mechanism(scenario, 0, begun.reference)
            modes = mechanism.own("modal", begun.x)
        else:
            mechanism = program.mechanism(scenario, 0)
            found = start_after(leg_from, Side(mechanism, program.table), *end)
            mechanism.settled = found.reference
            before, end = end, found[:3]
            said[leg] = told_of_parts(leg, leg_from.mechanism, mechanism, (before, end))
        leg_from = Side(mechanism, program.table)
    frequency, mass, shape = stack.modes(stack.FUEL)
    q, rate = modes[:3], modes[3:]  # what the joint does not let them have is taken at the start
    energy = 0.5 * np.sum(mass * ((frequency * q) ** 2 + rate**2))
    moved = np.max(np.abs(shape @ q))
    (text,) = said["second"]
    assert text.startswith(f"leg 'second': 'core' becomes rigid and loses the {energy:.4g} J")
    assert text.endswith(f"move by up to {moved:.4g} m")
    assert said["third"][0].startswith("leg 'third': 'core' becomes flexible and gains ")
