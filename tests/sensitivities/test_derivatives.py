"""Derivatives of a separation through its release and its springs' ends, against differences of flights.

One small scenario, all inputs in one call: the replay is compiled once.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from burning import throttled
from engine_door import compiled_flights
from interstage.programs import compiled
from interstage.reading import loads
from interstage.runs import run as simulate
from interstage.sensitivities.derivatives import derivatives
from interstage.tree import addresses as tree
from interstage.tree.errors import BadInput
from mechanics import EPS
from separation import at, separation

TIGHT = 1e-13
"""Tolerance of the flights: their errors, divided by the step of the differences, must stay small."""
MOMENT = "right spent"
"""After the release and after the left spring's end; its own time depends on everything."""
OUTPUTS = (
    "time",
    "bodies.payload.velocity.x",
    "bodies.payload.position.y",
    "bodies.stage.angular_velocity.z",
    "pairs.stage.payload.separation_speed",
)
INPUTS = (
    "bodies.stage.mass",
    "bodies.payload.mass",
    "bodies.payload.mass_centre",
    "devices.left.stiffness",
    "phases.held.until.time",
)


def pushed_apart():
    return separation(simple=True, tolerance=TIGHT)


@cache
def found():
    return derivatives(pushed_apart(), OUTPUTS, INPUTS, at=MOMENT)


def outputs(changed):
    """The outputs of a flight just before the moment."""
    with compiled_flights():
        record = simulate.fly(changed)
    told = []
    for name in OUTPUTS:
        stem, _, component = name.rpartition(".")
        if component in "xyz":
            told.append(at(record, MOMENT, stem, "before")["xyz".index(component)])
        else:
            told.append(at(record, MOMENT, name, "before"))
    return np.array(told)


@cache
def differences(path, place):
    """Derivatives of all outputs with respect to one number, by central differences of order 4 of flights."""
    value = np.array(tree.get(pushed_apart(), path))
    step = 1e-3 * max(abs(float(value[place])), 0.1)

    def moved(k):
        leaf = value.copy()
        leaf[place] += k * step
        return outputs(tree.replace_leaf(pushed_apart(), path, leaf))

    return (8 * (moved(1) - moved(-1)) - (moved(2) - moved(-2))) / (12 * step), step


def places(path):
    return list(np.ndindex(np.shape(tree.get(pushed_apart(), path))))


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.long] if "mass_centre" in path else []) for path in INPUTS],
)
def test_against_differences_of_flights(path):
    for place in places(path):
        expected, step = differences(path, place)
        exact = np.array([found().by[name][path][place] for name in OUTPUTS])
        # Truncation: fourth powers of a relative step of 1e-3, times a fifth derivative of the size of the
        # first one or two orders more. Flights: a few dozen steps' tolerance, on numbers up to 4, over the
        # step.
        bound = 1e-10 * max(1.0, np.abs(exact).max()) + 50 * TIGHT * 4 / step
        np.testing.assert_allclose(exact, expected, rtol=0, atol=bound, err_msg=f"{path}{list(place)}")


def test_the_inputs_matter():
    """The negative control: the bound of the comparison is far below every derivative's largest part."""
    for path in INPUTS:
        slopes = np.array([found().by[name][path] for name in OUTPUTS])
        assert np.abs(slopes).max() > 1e-5


def test_values_are_those_of_the_flight():
    """The replay repeats the steps of the flight, but for roundings of another program."""
    values = found().values
    assert list(values) == list(OUTPUTS)
    np.testing.assert_allclose(list(values.values()), outputs(pushed_apart()), rtol=0, atol=1e3 * EPS * 4)


@pytest.mark.parametrize(
    ("of", "wrt", "moment", "says"),
    [
        ("bodies.paylod.velocity.x", "bodies.stage.mass", "end", "bodies.payload.velocity"),
        ("bodies.payload.velocity", "bodies.stage.mass", "end", "is a vector. Use one of"),
        ("bodies.payload.velocity.w", "bodies.stage.mass", "end", "no component 'w'"),
        ("time", "bodies.stage.mas", "end", "mass"),
        ("time", "bodies.stage.name", "end", "is a text .*not a number"),
        ("time", "bodies.stage", "end", "is a table, not a number"),
        ("time", "bodies.stage.mass", "appart", "apart"),
        ("time", "bodies.stage.mass", "time limit", "does not occur in this flight"),
    ],
)
def test_unknown_names_and_moments(of, wrt, moment, says):
    with pytest.raises(BadInput, match=says):
        derivatives(pushed_apart(), [of], [wrt], at=moment)


COINCIDING = (
    throttled(1000.0, 3000.0, "angular_velocity.y")
    + """\
bias = 1
period = "0.1 s"
[phases.burn]
until = { time = "0.5 s" }
"""
)


def test_the_time_of_an_event_moves_though_a_sample_is_due_with_it():
    """Samples every 0.1 s: the fifth one is due as the phase ends, and does not hold its end back."""
    scenario = loads(COINCIDING)
    found = derivatives(scenario, ["bodies.a.velocity.x", "time"], ["phases.burn.until.time"])
    assert found.by["time"]["phases.burn.until.time"] == pytest.approx(1.0, rel=1e-12)
    assert found.by["bodies.a.velocity.x"]["phases.burn.until.time"] == pytest.approx(3.0, rel=1e-12)


@pytest.mark.long
def test_their_program_is_kept(empty_store):
    """With respect to one component, compiled once and read back the second time. Thrust that is off by z
    turns the body by z F t / I."""
    waits: list[str] = []
    spin, off = "bodies.a.angular_velocity.y", "engines.main.at.z"

    def again():
        waits.clear()
        with compiled.listening(lambda wait: waits.extend([wait.name] if not wait.over else [])):
            return derivatives(loads(COINCIDING), [spin], [off]).by[spin][off]

    with compiled_flights():
        first = again()
    assert "derivatives" in waits
    assert first == pytest.approx(3000.0 * 0.5 / 1.0, rel=1e-12)
    with compiled_flights():
        assert again() == first
    assert waits == []


TOGETHER = """
[bodies.a]
mass = 1000.0
inertia = [1.0, 1.0, 1.0]
initial = {}
[engines]
main = { kind = "engine", body = "a", at = [0, 0, 0], thrust = 3000.0, massless = true }
side = { kind = "engine", body = "a", at = [0, 0, 0], thrust = 1000.0, massless = true }
[events]
one = { ignite = ["main"], when = { time = 0.3 } }
two = { ignite = ["side"], when = { time = 0.3 } }
[phases.burn]
until = { time = 0.5 }
"""


@pytest.mark.parametrize(
    ("at", "side", "speed", "time"),
    [
        ("end", "before", (-3, -1), (0, 0)),
        ("two", "after", (-3, 3), (0, 1)),
        ("one", "before", (0, 0), (1, 0)),
    ],
)
def test_each_of_two_events_at_one_moment_moves_by_itself(at, side, speed, time):
    """v = 3 (t - t1) + (t - t2): at the end, at t2, and at t1, before which nothing burns."""
    of, wrt = ["bodies.a.velocity.x", "time"], ["events.one.when.time", "events.two.when.time"]
    found = derivatives(loads(TOGETHER), of, wrt, at=at, side=side).by
    for name, exact in zip(of, (speed, time), strict=True):
        assert [float(found[name][path]) for path in wrt] == pytest.approx(exact, rel=1e-12, abs=1e-12)


def test_what_is_met_with_an_ignition_does_not_go_back_to_before_it():
    """A place that is reached by rounding before: v = 3 (t - t1), whenever that is."""
    mark = 'mark = { when = { quantity = "bodies.a.position.y", reaches = 0.3 } }'
    text = TOGETHER.replace('two = { ignite = ["side"], when = { time = 0.3 } }', mark)
    scenario = loads(text.replace("initial = {}", "initial = { velocity = [0, 1, 0] }"))
    speed, wrt = "bodies.a.velocity.x", ["events.one.when.time", "events.mark.when.reaches"]
    found = derivatives(scenario, [speed], wrt)
    assert found.values[speed] == pytest.approx(0.6, rel=1e-12)
    assert [float(found.by[speed][path]) for path in wrt] == pytest.approx([-3.0, 0.0], rel=1e-12, abs=1e-12)


def test_what_a_pattern_means_moves_alike():
    """The sum of the derivatives by each, -3 and -1."""
    path, speed = "events.*.when.time", "bodies.a.velocity.x"
    found = derivatives(loads(TOGETHER), [speed], [path])
    assert found.by[speed][path] == pytest.approx(-4.0, rel=1e-12)
    with pytest.raises(BadInput, match=r"different units or shapes: bodies.a.mass, bodies.a.mass_centre"):
        derivatives(loads(TOGETHER), [speed], ["bodies.a.mass*"])


FADING = """
[bodies.a]
mass = 1000.0
inertia = [1.0, 1.0, 1.0]
initial = {}
[engines.motor]
kind = "motor"
body = "a"
at = [0, 0, 0]
massless = true
thrust = { time = [0, 0.03, 0.71, 1.1], value = [0, 3000, 2000, 0] }
[engines]
main = { kind = "engine", body = "a", at = [0, 0, 0], thrust = 3000.0, massless = true }
[events]
light = { ignite = ["motor"], when = { time = 0.1 } }
one = { ignite = ["main"], when = { quantity = "bodies.a.velocity.x", reaches = 2.135 } }
[phases.burn]
until = { time = 2 }
"""
"""The motor brings (45 + 1700 + 390) N s / 1000 kg."""


def test_an_event_where_what_it_watches_stops_moves_with_the_stop():
    """No rate tells when, as the thrust has faded away 1.1 s after the motor was lit. The engine burns from
    then on."""
    speed, wrt = "bodies.a.velocity.x", ["events.light.when.time", "events.one.when.reaches"]
    found = derivatives(loads(FADING), [speed], wrt)
    assert found.values[speed] == pytest.approx(2.135 + 3.0 * (2 - 1.2), rel=1e-12)
    assert [float(found.by[speed][path]) for path in wrt] == pytest.approx([-3.0, 0.0], rel=1e-12, abs=1e-12)


CAUGHT = """
[bodies.a]
mass = 2.0
inertia = [1.0, 1.0, 1.0]
initial = { velocity = [3, 0, 0] }
[bodies.b]
mass = 1.0
inertia = [1.0, 1.0, 1.0]
initial = { position = [5, 0, 0] }
[bodies.c]
mass = 3.0
inertia = [1.0, 1.0, 1.0]
initial = { position = [9, 0, 0], velocity = [-1, 0, 0] }
[joints]
one = { kind = "fixed", parent = "a", child = "b", active = false }
two = { kind = "fixed", parent = "b", child = "c", active = false }
[events]
first = { attach = ["one"], when = { time = 0.3 } }
second = { attach = ["two"], when = { time = 0.3 } }
[phases.all]
until = { time = 0.5 }
"""


@pytest.mark.long
def test_each_of_two_catches_at_one_moment_moves_by_itself():
    """x = 3 t1 + 2 (t2 - t1) at t2; a is caught from 3 to 2 m/s and then to 0.5 m/s, with 2 + 3 N s."""
    where, impulse = "bodies.a.position.x", "joints.one.impulse.x"
    wrt = ["events.first.when.time", "events.second.when.time"]
    found = derivatives(loads(CAUGHT), [where, impulse], wrt, at="second", side="after")
    assert [float(found.by[where][path]) for path in wrt] == pytest.approx([1.0, 2.0], rel=1e-12)
    assert found.values[impulse] == pytest.approx(5.0, rel=1e-12)


PULSE = """
[bodies.a]
mass = 2.0
inertia = [1.0, 1.0, 1.0]
initial = {}
[forces.push]
kind = "force"
body = "a"
force = { time = [0.1, 0.3], value = [[10, 0, 0], [10, 0, 0]], interpolation = "linear" }
[phases.all]
until = { time = 0.5 }
"""


def test_the_time_of_a_jump():
    """It was said to change nothing once; 10 N on 2 kg longer make 5 m/s per s."""
    wrt = [f"forces.push.force.time[{place}]" for place in (0, 1)]
    by = derivatives(loads(PULSE), ["bodies.a.velocity.x"], wrt).by["bodies.a.velocity.x"]
    assert [float(by[path]) for path in wrt] == pytest.approx([-5.0, 5.0], rel=1e-12)
    value = "forces.push.force.value"
    found = derivatives(loads(PULSE), ["bodies.a.velocity.x"], [value]).by["bodies.a.velocity.x"][value]
    np.testing.assert_allclose(found, [[0.05, 0, 0], [0.05, 0, 0]], rtol=1e-12, atol=1e-14)
