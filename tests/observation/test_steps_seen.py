"""Extremes that are shorter than the interval of the output: found at the ends of steps, in closed form."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from interstage.diagnosis.trigger_values import warnings_of
from interstage.reading import loads
from interstage.record.brackets import MOST_EXTREMES
from interstage.record.peaks import error_of, find
from interstage.record.record import QuantityMeta, Record, Sought
from interstage.record.requirements import Wanted, evaluate, value_of
from interstage.record.survey import step_ends
from interstage.report import summary
from interstage.runs.batch import fly_batch

MASS, OTHER, FREE = 1000.0, 500.0, 2.0
REDUCED = MASS * OTHER / (MASS + OTHER)
PITCH = 2 * np.pi * 17.0
STIFFNESS = REDUCED * PITCH**2
DAMPING = 0.06 * 2 * REDUCED * PITCH
START, SPEED = 0.002, 2.0
"""The strut is stretched [m], and its ends come apart [m/s]: the peak is 15 ms later."""


def stretch(times, start=START, speed=SPEED):
    """Of the strut [m], a damped oscillator."""
    ratio = DAMPING / (2 * REDUCED * PITCH)
    damped = PITCH * np.sqrt(1 - ratio**2)
    sine = (speed + ratio * PITCH * start) / damped
    return np.exp(-ratio * PITCH * times) * (start * np.cos(damped * times) + sine * np.sin(damped * times))


def strut_force(times, start=START, speed=SPEED):
    """Stiffness times the stretch and damping times its rate [N], by a difference that is exact to 1e-9."""
    h = 1e-6
    rate = (stretch(times + h, start, speed) - stretch(times - h, start, speed)) / (2 * h)
    return STIFFNESS * stretch(times, start, speed) + DAMPING * rate


FINE = np.linspace(0.0, 0.06, 600_001)
LONGEST = FREE + float(stretch(FINE).max())
STRONGEST = float(np.abs(strut_force(FINE)).max())
STRUT = f"""
gravity = "none"
output.interval = "0.1 s"
bodies.a = {{ mass = {MASS}, inertia = [100, 100, 100], initial = {{}} }}
[bodies.b]
mass = {OTHER}
inertia = [100, 100, 100]
initial = {{ position = [{FREE + START}, 0, 0], velocity = [{SPEED}, 0, 0] }}
[forces.strut]
kind = "spring"
parent = "a"
child = "b"
stiffness = {STIFFNESS!r}
damping = {DAMPING!r}
free_length = {FREE}
[requirements.length]
quantity = "pairs.a.b.distance"
max = {LONGEST - 1e-4}
[requirements.room]
quantity = "pairs.a.b.distance"
max = {LONGEST + 1e-4}
[phases.fly]
until = {{ time = "1.05 s" }}
"""
FORCE, DISTANCE = "forces.strut.force", "pairs.a.b.distance"
TOLERANCE = 1e-6
"""Of values: what the steps leave at their tolerance of 1e-8 each, some dozens of them to the peak."""


@pytest.fixture(scope="module")
def flight():
    return loads(STRUT).run()


def test_the_peak_of_a_strut_between_samples_is_that_of_its_closed_form(flight):
    sampled = float(np.max(flight[DISTANCE]))
    assert sampled < LONGEST - 5e-3
    assert flight.value(DISTANCE, "max") == pytest.approx(LONGEST, rel=TOLERANCE)
    assert flight.value(FORCE, "largest") == pytest.approx(STRONGEST, rel=TOLERANCE)
    assert np.max(np.abs(flight[FORCE])) < 0.9 * STRONGEST


def test_a_requirement_is_judged_by_a_peak_between_samples(flight):
    length, room = evaluate(flight.record)
    assert (length.passed, room.passed) == (False, True)
    assert length.margin == pytest.approx(-1e-4, abs=TOLERANCE * LONGEST)
    assert not length.doubtful
    assert not room.doubtful


@pytest.mark.long
def test_a_dispersed_batch_sees_the_same_peaks(flight):
    speeds = np.linspace(1.0, 3.0, 5)
    truths = [FREE + stretch(FINE, speed=speed).max() for speed in speeds]
    inputs = {"bodies.b.initial.velocity": np.stack([[v, 0.0, 0.0] for v in speeds])}
    for together in (True, False):
        batch = fly_batch(loads(STRUT), inputs, together=together)
        np.testing.assert_allclose(batch.value(DISTANCE, "max"), truths, rtol=TOLERANCE)


def test_a_saved_flight_of_which_samples_are_known_states_its_error(flight, tmp_path):
    """What was sought before it was saved is known; of all else the samples show that they show little."""
    import interstage as ist

    fresh = loads(STRUT).run()
    fresh.save(tmp_path / "strut.nc")
    saved = ist.open_flight(tmp_path / "strut.nc")
    saved.read_to_show()
    record = saved.record
    assert not evaluate(record)[0].doubtful
    sampled = float(np.max(record.series[FORCE]))
    error = error_of(record, Sought(FORCE, 1.0), sampled)
    assert 0.1 * (STRONGEST - sampled) < error < 10 * STRONGEST
    (margin,) = evaluate(
        record,
        loads(
            STRUT.replace(DISTANCE, FORCE, 1).split("[requirements.room]")[0]
            + STRUT[STRUT.index("[phases.fly]") :]
        ).requirements,
    )
    assert margin.doubtful
    shown = summary.requirements_table([margin], "SI").rows[0][-1]
    assert "between samples, the value can be about" in shown
    assert shown.endswith(" N larger")
    (row,) = summary.requirements_table([replace(margin, unit="1")], "SI").rows
    assert re.search(r"between samples, the value can be about [\d.e+]+ larger", row[-1])


FIXED = STRUT + '[solver]\nmethod = "rk4"\nstep = "0.2 ms"\n'


@pytest.mark.long
def test_a_peak_between_samples_of_fixed_steps():
    # RK4's error of an oscillation over n steps: n (w h)^5 / 120 of the amplitude, 0.02 m of 2 m, n = 75.
    error = 75 * (PITCH * 2e-4) ** 5 / 120
    assert loads(FIXED).run().value(DISTANCE, "max") == pytest.approx(LONGEST, rel=error + 1e-9)


def test_fixed_steps_between_samples_are_evaluated_too():
    ends = step_ends(np.arange(0.0, 1.1, 0.1), loads(FIXED).solver)
    assert len(ends) > 100
    assert (np.abs(ends / 2e-4 - np.round(ends / 2e-4)) < 1e-6).all()


# --- the search alone


def seen(times, value):
    meta, none = {"q": QuantityMeta("1", "")}, {"q": np.zeros(0)}
    record: Record = Record(None, times, {"q": value(times)}, [], none, none, meta)  # type: ignore[arg-type]
    record.phases = [("flight", float(times[0]), float(times[-1]))]
    return record


def search(value, sign=1.0, steps=None, samples=11):
    record = seen(np.linspace(0.0, 1.0, samples), value)
    (found,) = find([record], [one := Sought("q", sign)], lambda t, _: [{"q": value(t[0])}], {"q"}, steps)
    times, rows = found.peaks
    mine = rows["q"][np.isin(times, found.places[one])] if len(times) else np.zeros(0)
    # Ends of steps themselves are no samples of the record: an extreme there is found as one.
    best = sign * max([*(sign * mine), *(sign * record.series["q"])])
    return best, found.left[one] - sign * best


def test_random_oscillations_are_found_by_steps_that_resolve_them():
    """Sums of three sines of up to 40 Hz, sampled every 0.1 s, by steps of about a twelfth of a cycle of the
    fastest; the error that is stated bounds what is missed."""
    rng = np.random.default_rng(8)
    fine = np.linspace(0, 1, 50_001)
    for _ in range(100):
        pitch, size, phase = rng.uniform(5, 40, 3), rng.uniform(0.2, 1, 3), rng.uniform(0, 6.28, 3)

        def value(t, pitch=pitch, size=size, phase=phase):
            return size @ np.sin(2 * np.pi * pitch[:, None] * t + phase[:, None])

        ends = np.cumsum(rng.uniform(0.8, 1.2, 800) / 40 / 12)
        sign = rng.choice([1.0, -1.0])
        best, error = search(value, sign, lambda _, ends=ends: ends[ends < 1])
        truth = sign * (sign * value(fine)).max()
        # `fine` misses the top by up to half of its step of 20 us, at a bend of (2 pi 40)^2 times the sizes.
        missed = sign * (truth - best) - 0.5 * (1e-5 * 2 * np.pi * 40) ** 2 * size.sum()
        assert missed <= max(1e-9, error), (missed, error)
        assert missed < 1e-3


def test_of_hundreds_of_equal_tops_the_rest_is_stated():
    """More than are searched: what is left is known to be hardly larger."""

    def value(t):
        return np.sin(2 * np.pi * 201.3 * t)

    best, error = search(value, 1.0, lambda _: np.arange(1, 3000) / 3000.0)
    assert best == pytest.approx(1, abs=1e-6)
    assert 2 * MOST_EXTREMES < 201
    # Of a parabola through three places, 14.9 in a cycle, twice what it is beyond the middle one.
    assert error < (2 * np.pi / 14.9) ** 2 / 8


def test_what_is_no_number_between_samples_is_seen():
    """At the end of a step alone: no limit passes on it."""

    def value(t):
        return np.where(np.abs(t - 0.55) < 0.01, np.nan, 0.0 * t) + t

    record = seen(np.linspace(0, 1, 11), value)
    wanted = [Sought("q", 1.0)]
    record.search = lambda some: find(
        [record], some, lambda t, _: [{"q": value(t[0])}], {"q"}, lambda _: np.arange(0.05, 1, 0.1)
    )[0]
    assert np.isnan(value_of(record, Wanted("q", take="max")))
    assert record.sought[wanted[0]].tolist() == pytest.approx([0.55])


@pytest.mark.parametrize(("bad", "take"), [(np.inf, "min"), (-np.inf, "max"), (np.nan, "max")])
def test_a_value_that_is_not_finite_decides_no_extreme(bad, take):
    record = seen(np.linspace(0, 1, 11), lambda t: np.where(t == 0.5, bad, t))
    assert np.isnan(value_of(record, Wanted("q", take=take)))


def test_a_trigger_without_a_finite_quantity_is_reported(flight):
    """It crosses nothing, whatever its value is at other times."""
    until = f'any = [{{ time = "1 s" }}, {{ quantity = "{DISTANCE}", reaches = 9 }}]'
    watched = loads(STRUT.replace('time = "1.05 s"', until))
    record = replace(flight.record, series=dict(flight.record.series))
    assert warnings_of(watched, record) == []
    values = record.series[DISTANCE] = record.series[DISTANCE].copy()
    values[3:6] = np.nan
    (text,) = warnings_of(watched, record)
    assert text.startswith(f"phases.fly.until: {DISTANCE} is not a finite number from 0.3 s to 0.5 s")
