"""Extremes between samples: of a throw in closed form, in what is asked of a flight, judged and saved; and
flights, batches, sweeps and optimizers see one extreme."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from interstage.cli.command_files import deliver_flight
from interstage.drawing.table import number, peak
from interstage.environment import us76
from interstage.programs.targets import targets_of
from interstage.quantities.loads import LOADS
from interstage.reading import loads
from interstage.record.peaks import find
from interstage.record.record import QuantityMeta, Record, Sought
from interstage.record.requirements import evaluate
from interstage.record.results import Flight
from interstage.report import summary
from interstage.report.mission import EXTREMES
from interstage.runs.batch import fly_batch
from interstage.sensitivities.pushed import Output, Pushed
from mechanics import EPS

UP, G = 33.0, 9.80665
TOP = UP**2 / (2 * G)
"""Highest place [m]; 3.365 s after the throw, between samples at 3 s and at 4 s, which are 0.65 m lower."""
THROW = f"""
gravity = {{ kind = "uniform", acceleration = [0, 0, {-G}] }}
bodies.ball = {{ mass = 1, inertia = [1, 1, 1], initial = {{ velocity = [3, 0, {UP}] }} }}
output = {{ interval = "1 s" }}
requirements.low = {{ quantity = "bodies.ball.position.z", max = "{TOP - 0.1} m" }}
requirements.room = {{ quantity = "bodies.ball.position.z", max = "{TOP + 0.1} m" }}
requirements.late = {{ quantity = "bodies.ball.position.z", during = "late", max = "{TOP - 0.1} m" }}
requirements.side = {{ quantity = "bodies.ball.position.x", max = "1 km" }}
phases.early = {{ until = {{ elapsed = "5 s" }} }}
phases.late = {{ until = {{ elapsed = "2 s" }} }}
"""


@pytest.fixture(scope="module")
def flight():
    return loads(THROW).run()


def test_the_top_of_a_throw_is_between_samples(flight):
    assert np.max(flight["bodies.ball.position.z"]) < TOP - 0.6
    # A parabola all the same, to the rounding of what leads there.
    assert flight.value("bodies.ball.position.z", "max") == pytest.approx(TOP, rel=100 * EPS)
    times, rows = flight.record.peaks
    np.testing.assert_allclose(times, [UP / G], rtol=1e-7)  # flat there: the root of a rounding
    np.testing.assert_allclose(rows["bodies.ball.position"][0], [3 * times[0], 0, TOP], atol=1e-9)
    assert len(flight.time) == 8  # samples stay what was asked for


def test_requirements_are_judged_by_it(flight):
    passed = {one.name: one.passed for one in evaluate(flight.record)}
    assert passed == {"low": False, "room": True, "late": True, "side": True}


@pytest.mark.parametrize("cut", [3.0, 3.2, 3.3, 3.4, 3.5, 3.6])
def test_an_event_beside_the_top(cut):
    text = THROW.replace('elapsed = "5 s"', f'elapsed = "{cut} s"')
    flight = loads(text).run()
    assert flight.value("bodies.ball.position.z", "max") == pytest.approx(TOP, rel=100 * EPS)
    assert not next(one for one in evaluate(flight.record) if one.name == "low").passed


@pytest.mark.parametrize(("up", "times"), [(3.0, (5, 2)), (UP, (1.5, 2.1)), (UP, (3.1, 0.6))])
def test_a_top_in_the_first_or_last_interval(up, times):
    """The last: between an event and the end there are two samples only, at times in one interval."""
    text = THROW.replace(f"[3, 0, {UP}]", f"[3, 0, {up}]")
    for old, new in zip((5, 2), times, strict=True):
        text = text.replace(f'elapsed = "{old} s"', f'elapsed = "{new} s "')
    flight = loads(text).run()
    assert flight.value("bodies.ball.position.z", "max") == pytest.approx(up**2 / (2 * G), rel=100 * EPS)


def test_a_saved_flight_has_it(flight, tmp_path):
    file = tmp_path / "throw.nc"
    flight.save(file)
    again = ist.open_flight(file)
    value = again.value("bodies.ball.position.z", "max")
    assert value == flight.value("bodies.ball.position.z", "max")
    assert again.record.sought.keys() == flight.record.sought.keys()


def test_what_is_looked_for_is_what_the_table_shows():
    assert {column.name for column in EXTREMES} == {*LOADS}


# --- one verdict

FAR, VELOCITY = "bodies.ball.position.magnitude", "bodies.ball.initial.velocity"
"""Farthest from where it was thrown, which is no parabola in time."""


def farthest(up):
    """The largest distance [m] from the place of the throw, until 7 s, and its derivative by the upward
    speed: of 9 t^2 + (up t - G t^2 / 2)^2, whose derivative is a cubic times t."""
    times = np.roots([G**2, -3 * G * up, 2 * (up**2 + 9)])
    times = np.append(times[np.isreal(times)].real, 7.0)
    heights = up * times - G * times**2 / 2
    far = np.hypot(3 * times, heights)
    k = int(np.argmax(far))
    return far[k], times[k] * heights[k] / far[k]


@pytest.mark.long
def test_flights_batches_sweeps_and_optimisers_see_one_extreme(flight):
    throw = loads(THROW)
    speeds = [UP, 1.07 * UP]
    wanted = [farthest(up)[0] for up in speeds]
    assert flight.value(FAR, "max") == pytest.approx(wanted[0], rel=1e-12)
    assert np.max(np.linalg.norm(flight["bodies.ball.position"], axis=1)) < wanted[0] - 0.3
    inputs = {VELOCITY: np.array([[3.0, 0.0, up] for up in speeds])}
    for together in (False, True):
        batch = fly_batch(throw, inputs, together=together)
        np.testing.assert_allclose(batch.value(FAR, "max"), wanted, rtol=1e-12)
        np.testing.assert_allclose(batch.value(VERTICAL, "largest"), [up**2 / 2 / G for up in speeds])
        assert batch.record(1).scenario is not None
        assert Flight(batch.record(1)).value(FAR, "max") == pytest.approx(wanted[1], rel=1e-12)
    swept = throw.sweep({f"{VELOCITY}.z": speeds}, responses=[f"{FAR}@max"], progress=False)
    seen = {name: one.values for one in swept.measures for name in (one.name, one.quantity)}
    np.testing.assert_allclose(seen[FAR], wanted, rtol=1e-12)
    np.testing.assert_allclose(seen["low"], [up**2 / 2 / G for up in speeds], rtol=1e-12)


VERTICAL = "bodies.ball.position.z"


@pytest.mark.parametrize("up", [UP, 31.3, 35.9])
def test_its_derivative_is_that_at_fixed_time(up):
    """By the envelope theorem, here in closed form; and for `min`, `largest` and a phase of it, too."""
    throw = loads(THROW)
    outputs = [Output(FAR, None, take="max"), Output(VERTICAL, None, take="largest", during="early")]
    pushed = Pushed(throw, {VELOCITY: targets_of(throw, VELOCITY, VELOCITY)}, outputs)
    point = pushed.at(np.array([3.0, 0.0, up]))
    far, slope = farthest(up)
    np.testing.assert_allclose(point.values, [far, up**2 / (2 * G)], rtol=1e-12)
    # Places of flat tops are known to the root of the rounding of what leads there.
    np.testing.assert_allclose(pushed.jacobian(point)[:, 2], [slope, up / G], rtol=1e-6)


@pytest.mark.long
def test_an_optimum_is_met_by_its_flight():
    throw = loads(THROW)
    found = throw.solve(f"{VELOCITY}.z", f"{FAR}@max = 50 m")
    assert farthest(found.values[0])[0] == pytest.approx(50, rel=1e-9)
    assert found.scenario.run().value(FAR, "max") == pytest.approx(50, rel=1e-9)


SPIN = 2 * np.pi / 3.7
STEPS = THROW.replace("33.0] }", f"33.0], angular_velocity = [0, 0, {SPIN}] }}")


@pytest.mark.long
def test_steps_that_were_not_recorded_are_taken_again():
    """A fixed step keeps the steps that end on samples only. The half angle turns by 0.85 rad from one sample
    to the next: one step of so much would be off by 1e-3."""
    turning = loads(STEPS + 'solver = { method = "rk4", step = "25 ms" }\n')
    path = "bodies.ball.attitude"
    flight = turning.run()
    names = flight.record.meta[path].components
    largest = dict(zip(names, flight.value(path, "largest"), strict=True))
    batch = fly_batch(turning, {VELOCITY: np.array([[3.0, 0.0, UP]])})
    np.testing.assert_allclose(batch.value(path, "largest")[0], [*largest.values()], rtol=1e-12)
    # RK4's error: (SPIN/2 step)^4 / 120 a radian.
    error = 7 * SPIN / 2 * (SPIN / 2 * 0.025) ** 4
    assert largest[names[3]] == pytest.approx(1, abs=error + 1e-12)


# --- kinks

TENT = """
gravity = { kind = "uniform", acceleration = [0, 0, -10] }
output = { interval = "1 s" }
[bodies.ball]
mass = 1
inertia = [1, 2, 3]
initial = { velocity = [0, 0, 11.18] }
[forces.push]
kind = "force"
body = "ball"
axes = "inertial"
force = { time = [0, 2.58, 3.08, 7], value = [[0,0,0], [10,0,0], [0,0,0], [0,0,0]], interpolation = "linear" }
[phases.push]
until = { time = "6.5 s" }
[requirements.push]
quantity = "bodies.ball.acceleration.x"
max = 9.9
"""
PUSH, TIMES = "bodies.ball.acceleration.x", "forces.push.force.time"
INPUTS = (f"{TIMES}[1]", "forces.push.force.value[1, 0]", "forces.push.force.value[2, 0]")


@pytest.fixture(scope="module")
def pushed():
    tent = loads(TENT)
    outputs = [Output(PUSH, None, take=take) for take in ("max", "largest")]
    return tent, Pushed(tent, {path: targets_of(tent, path, path) for path in INPUTS}, outputs)


@pytest.mark.long
def test_a_largest_load_on_a_kink(pushed):
    """Steps end on it: a flight, requirements, batches and sweeps have the value of the table there."""
    tent, _ = pushed
    flight = tent.run()
    assert flight.value(PUSH, "max") == pytest.approx(10, rel=10 * EPS)
    assert [one.passed for one in evaluate(flight.record)] == [False]
    kinks = (2.5, 2.58, 2.9)
    batch = fly_batch(tent, {TIMES: np.array([[0, kink, 3.08, 7] for kink in kinks])}, together=True)
    np.testing.assert_allclose(batch.value(PUSH, "max"), 10, rtol=10 * EPS)
    swept = tent.sweep({"bodies.ball.mass": [1.0, 2.0]}, responses=[f"{PUSH}@max"], progress=False)
    seen = {one.name: one.values for one in swept.measures}
    np.testing.assert_allclose(seen[f"{PUSH} max"], [10, 5], rtol=10 * EPS)


@pytest.mark.parametrize("kink", [2.58, 2.9, 3.0])
def test_its_derivative_is_that_along_the_kink(pushed, kink):
    """At a fixed time it would change by 3.9 or 20 with the time of the kink, which 3 s is a sample, too."""
    point = pushed[1].at(np.array([kink, 10.0, 0.0]))
    np.testing.assert_allclose(point.values, 10, rtol=10 * EPS)
    np.testing.assert_allclose(pushed[1].jacobian(point), [[0, 1, 0]] * 2, atol=1e-12)


def test_a_kink_that_no_step_ends_on_has_no_derivative(pushed):
    """With fixed steps, even where a sample is on it; its value is found by cutting."""
    fixed = loads(TENT + '[solver]\nmethod = "rk4"\nstep = "0.25 s"\n')
    outputs = [Output(PUSH, None, take="max")]
    found = Pushed(fixed, {path: targets_of(fixed, path, path) for path in INPUTS}, outputs)
    for kink in (2.58, 3.0):
        point = found.at(np.array([kink, 10.0, 0.0]))
        assert point.values[0] == pytest.approx(10, rel=1e-9)
        with pytest.raises(
            ist.BadInput, match=rf"{PUSH}: the extreme value of {PUSH} at {kink:g} s has no derivative"
        ):
            found.jacobian(point)


LAYERS = """
planet = { kind = "flat" }
gravity = { kind = "uniform", acceleration = [0, 0, -10] }
atmosphere = "us76"
output = { interval = "1 s" }
[bodies.dart]
mass = 2
inertia = [1, 1, 1]
initial = { position = [0, 0, 9e3], velocity = [0, 0, 338.8] }
[aerodynamics.hull]
body = "dart"
area = 1
length = 1
coefficients.CA = { axes = [{ variable = "mach", points = [0, 3] }], values = [0, 0] }
[forces.push]
kind = "force"
body = "dart"
axes = "inertial"
force = [0, 0, 42.6]
[phases.up]
until = { time = "15 s" }
"""
Q = "bodies.dart.dynamic_pressure"
LEVERS = ("bodies.dart.initial.velocity[2]", "bodies.dart.initial.position[2]", "forces.push.force[2]")


def pushed_by(text, quantity, paths):
    """The largest value of a quantity by inputs, with its place, and its derivatives."""
    layers = loads(text)
    found = Pushed(
        layers, {path: targets_of(layers, path, path) for path in paths}, [Output(quantity, None, take="max")]
    )
    point = found.at(found.nominal)
    return point.values[0], found.jacobian(point)[0]


@pytest.mark.parametrize(
    "method", ["", pytest.param('[solver]\nmethod = "rk4"\nstep = "0.3 s"\n', marks=pytest.mark.long)]
)
def test_the_largest_dynamic_pressure_where_layers_of_the_air_meet(method):
    """It rises up to 11 km of geopotential height and falls beyond, where the air thins faster. At that
    height h, q = rho(h) v^2/2 with v^2 = v0^2 + 2 a (h - h0): dq/dv0 = rho v0, dq/dh0 = -rho a and
    dq/dF = rho (h - h0)/m; at a fixed time they are others."""
    h, a = us76.KINKS[0], 42.6 / 2 - 10
    rho = 101325 * (216.65 / 288.15) ** (0.0341631947 / 6.5e-3) / (8.31432 / 0.0289644 * 216.65)
    largest, slopes = pushed_by(LAYERS + method, Q, LEVERS)
    top = rho / 2 * (338.8**2 + 2 * a * (h - 9e3))
    assert largest == pytest.approx(top, rel=4e-9)  # by cutting, down to drops of `FLAT` to places beside it
    np.testing.assert_allclose(slopes, [rho * 338.8, -rho * a, rho * (h - 9e3) / 2], rtol=1e-8)


@pytest.mark.long
def test_a_largest_coefficient_at_a_point_of_its_table():
    """Where straight lines over the Mach number meet it is the value of the point, whatever the flight."""
    tent = LAYERS.replace(
        "points = [0, 3] }], values = [0, 0]",
        "points = [0, 1.2, 3] }], interpolation = 'linear', values = [0, 0.2, 0.1]",
    )
    value = "aerodynamics.hull.coefficients.CA.values[1]"
    largest, slopes = pushed_by(tent, "aerodynamics.hull.CA", (*LEVERS, value))
    assert largest == pytest.approx(0.2, rel=1e-9)
    np.testing.assert_allclose(slopes, [0, 0, 0, 1], atol=1e-9)


def test_a_kink_that_the_flow_does_not_know_has_no_derivative():
    """Of a body that feels no air, nothing says where it is among its layers."""
    begin, end = LAYERS.index("[aerodynamics"), LAYERS.index("[forces")
    with pytest.raises(ist.BadInput, match=rf"{Q}: the extreme value of {Q} at 5\.\d* s has no derivative"):
        pushed_by(LAYERS[:begin] + LAYERS[end:], Q, LEVERS)


def test_what_was_asked_before_changes_nothing(pushed):
    """A short push that no sample sees is at the top of another quantity."""
    tent, _ = pushed
    path = "forces.push.force"
    prepared = tent.prepare()
    here = {f"{path}.time": [0.0, 1.1, 1.118, 1.2], f"{path}.value[1, 0]": 0.0, f"{path}.value[2, 0]": 9.0}
    one, other = prepared.run(here), prepared.run(here)
    alone = one.value(PUSH, "max")
    assert other.value("bodies.ball.position.z", "max") == pytest.approx(11.18**2 / 20)
    assert other.value(PUSH, "max") == alone
    assert one.value("bodies.ball.position.z", "max") == other.value("bodies.ball.position.z", "max")


def test_a_long_fall_hides_no_top():
    """Flat is what is so beside the values there, and not beside those of an hour later, of which 1e-9 is
    more than the 49 mm from the sample at 1 s to the top."""
    text = THROW.replace('"5 s"', '"3590 s"').replace(f"[3, 0, {UP}]", f"[3, 0, {1.1 * G}]")
    assert loads(text).run().value(VERTICAL, "max") == pytest.approx(1.1**2 * G / 2, rel=100 * EPS)


# --- the search alone


def seen(times, value):
    """A record of a quantity, a function of time, without events."""
    meta = {"q": QuantityMeta("1", "")}
    record: Record = Record(None, times, {"q": value(times)}, [], {}, {}, meta)  # type: ignore[arg-type]
    record.phases = [("flight", float(times[0]), float(times[-1]))]
    return record


def largest(record, value):
    """Where the search finds large values, and these."""
    ((found, _, _),) = find([record], [Sought("q", 1.0)], lambda times, _: [{"q": value(times[0])}], {"q"})
    return found


@pytest.mark.parametrize("count", [5, 9, 23, 201, 2001])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_search_finds_tops_of_all_sorts(count, sign):
    """To the square of the distance of the last places, and to rounding."""
    looks = []

    def value(t):
        return sign * np.exp(-((t - 0.537) ** 2) / 0.18) * (1 + 0.3 * t)

    def look(times, _):
        looks.append(len(times[0]))
        return [{"q": value(times[0])}]

    fine = np.linspace(0.3, 0.8, 2_000_001)
    top = fine[np.argmax(sign * value(fine))]
    record = seen(np.linspace(0, 1, count), value)
    ((found, _, _),) = find([record], [Sought("q", sign)], look, {"q"})
    np.testing.assert_allclose(found[0], [top], atol=0.5e-6 + 1e-7)  # of `fine`, and rounding
    assert sign * found[1]["q"][0] == pytest.approx(sign * value(top), rel=1e-10)
    assert looks == [17, 9, 1]


def test_of_many_tops_the_largest_is_found():
    """Of 50, of which samples show others as larger."""

    def value(t):
        return np.sin(2 * np.pi * t) * (1 + 1e-3 * np.exp(-((t - 33) ** 2)))

    record = seen(np.linspace(0, 50, 341), value)
    found = largest(record, value)
    fine = np.linspace(32, 34, 200_001)
    assert max(found[1]["q"]) == pytest.approx(max(value(fine)), abs=1e-9)


@pytest.mark.parametrize("top", [0.3999, 0.38, 0.3001, 0.31, 0.4, 0.45])
def test_a_top_in_the_interval_before_an_event_of_which_three_samples_show_nothing(top):
    """After a short interval the parabola through three samples goes on rising. It is there as long as values
    fall towards the end, and none is made up where they rise to it."""

    def value(t):
        return np.exp(-(((t - top) / 0.07) ** 2))

    record = seen(np.array([0.0, 0.2998, 0.3, 0.4]), value)
    found = largest(record, value)
    if top < 0.4:
        np.testing.assert_allclose(found[0], [top], atol=1e-8)
    else:
        assert len(found[0]) == 0


@pytest.mark.parametrize("down", [1.0, 3.0, 10.0])
def test_a_kink_between_samples_is_found(down):
    """Lines that meet at a kink, wherever it is between samples; nothing is told of it but values. For a fall
    that is three times as steep, and a kink amid two samples, a parabola has its top on a sample."""
    for kink in (2.02, 2.5, 2.76, 2.88, 3.0, 3.49):

        def value(t, kink=kink):
            return 7 - np.abs(t - kink) * np.where(t > kink, down, 1.0)

        record = seen(np.arange(0.0, 7.0), value)
        best = max([*largest(record, value)[1].get("q", ()), *record.series["q"]])
        assert best == pytest.approx(7, abs=7e-9)  # `FLAT` of it


@pytest.mark.parametrize("first", [0.0, 2.0])
def test_two_samples_alike_have_a_top_between_them(first):
    """At the end of a flight, and at its beginning."""

    def value(t):
        return 25 * t - 5 * t**2

    found = largest(seen(first + np.arange(4.0), value), value)
    np.testing.assert_allclose(found[1]["q"], 31.25, rtol=1e-12)


# --- tables

MASS, LENGTH, INERTIA = 2.0, 0.5, 0.1
SWINGING = f"""
gravity = {{ kind = "uniform", acceleration = [0, 0, {-G}] }}
bodies.bob = {{ mass = {MASS}, mass_centre = [{LENGTH}, 0, 0], inertia = [{INERTIA}, {INERTIA}, {INERTIA}] }}
solver.tolerance = 1e-12
output = {{ interval = "0.5 s" }}

[joints.pin]
kind = "revolute"
parent = "ground"
child = "bob"
axis = "y"

[phases.swinging]
until = {{ time = "1.2 s" }}
"""
FALL = MASS * G * LENGTH
PULL = MASS * (G + 2 * FALL / (INERTIA + MASS * LENGTH**2) * LENGTH)
"""Of the pin as the bob, release at rest level with it, is below [N]: m (g + w^2 r), w by the energy."""


@pytest.mark.long
def test_the_table_of_joint_loads_looks_between_samples(tmp_path):
    flight = loads(SWINGING).run()
    sampled = np.max(np.linalg.norm(flight["joints.pin.force"], axis=1))
    assert sampled < 0.99 * PULL
    flight.save(tmp_path / "sampled.nc")
    table = summary.loads_table(flight.record, "SI")
    # What the steps leave, and the parabola's h^2 f'''/(6 f'') squared (see `record.peaks`).
    assert peak(flight.record, "joints.pin.force")[0] == pytest.approx(PULL, rel=1e-8)
    assert table.rows[0][1] == number(PULL)
    assert not table.of_samples
    # A file that was written before knows the samples only, and says so; one that comes with tables has them.
    before = summary.loads_table(opened(tmp_path / "sampled.nc"), "SI")
    assert (before.rows[0][1], before.of_samples) == (number(sampled), True)
    assert "at samples" in before.note
    deliver_flight(loads(SWINGING).run(), tmp_path / "told.nc", None, None)
    assert summary.loads_table(opened(tmp_path / "told.nc"), "SI") == table


def opened(file):
    flight = ist.open_flight(file)
    flight.read_to_show()
    return flight.record
