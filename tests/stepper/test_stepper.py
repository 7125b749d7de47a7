"""The stepper: observed order, SciPy and Diffrax beside it, sizes of steps, statuses, lanes."""

from __future__ import annotations

from functools import cache
from typing import Any

import diffrax
import jax
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import hybrid_toy
from hybrid_toy import HELD, Toy, fly, moved, on_circle, pendulum, pendulum_at
from interstage.maths.arrays import is_traced, jnp
from interstage.stepper import control, detection, flight
from interstage.stepper.problem import FINISHED, NOT_A_NUMBER, RUNNING, STEP_COLLAPSED
from interstage.stepper.step import advance
from interstage.stepper.tableau import METHODS
from orders import slope

EPS = np.finfo(float).eps

# --- observed order -----------------------------------------------------------------------------------------

SWING_TIME = 3.0


@cache
def swing(method):
    @hybrid_toy.quickly_compiled
    def whole(steps, projected):
        h = SWING_TIME / steps
        flow = lambda t, x: pendulum(x)  # noqa: E731
        onto = lambda t, x: jnp.where(projected, on_circle(x), x)  # noqa: E731

        def step(i, x):
            return advance(METHODS[method], flow, onto, i * h, (i + 1) * h, x, jnp.zeros(4), first=0).x

        return jax.lax.fori_loop(0, steps, step, HELD)

    return whole


@pytest.mark.parametrize("projected", [False, True])
@pytest.mark.parametrize(
    ("method", "fewest", "halvings"), [("rk4", 32, 5), ("dopri5", 32, 4), ("dop853", 6, 4)]
)
def test_observed_order_with_and_without_projection(method, fewest, halvings, projected):
    steps = fewest * 2 ** np.arange(halvings)
    ends = [np.asarray(swing(method)(n, projected)) for n in steps]
    errors = [np.linalg.norm(end - pendulum_at(SWING_TIME)) for end in ends]
    # Less than half an order: the fit over steps as long as these keeps some of the next term of the error,
    # up to 0.39 with dopri5, whose slope is 5.07 at half the shortest.
    assert slope(1 / steps, errors) == pytest.approx(METHODS[method].order, abs=0.4)
    if projected:
        assert max(abs(np.linalg.norm(end[:2]) - 1) for end in ends) <= 2 * EPS
    else:
        assert max(abs(np.linalg.norm(end[:2]) - 1) for end in ends) > 100 * EPS


# --- standard problems, with SciPy and Diffrax beside -------------------------------------------------------

MOON = 0.012277471
"""Mass ratio of Arenstorf's orbit (Hairer, Norsett and Wanner 1993, II.0)."""


def arenstorf(t, x, np=jnp):
    a, b, u, v = x
    earth, moon = ((a + MOON) ** 2 + b * b) ** 1.5, ((a - 1 + MOON) ** 2 + b * b) ** 1.5
    along = a + 2 * v - (1 - MOON) * (a + MOON) / earth - MOON * (a - 1 + MOON) / moon
    return np.stack([u, v, along, b - 2 * u - (1 - MOON) * b / earth - MOON * b / moon])


def rigid_body(t, x, np=jnp):
    """Euler's equations for moments of inertia 1, 2 and 3."""
    a, b, c, _ = x
    return np.stack([-b * c, a * c, -a * b / 3, 0 * a])


def lotka_volterra(t, x, np=jnp):
    hare, lynx, _, _ = x
    return np.stack([hare * (1.5 - lynx), lynx * (hare - 3), 0 * hare, 0 * hare])


def van_der_pol(t, x, np=jnp):
    a, b, _, _ = x
    return np.stack([b, 2 * (1 - a * a) * b - a, 0 * a, 0 * a])


PROBLEMS = (arenstorf, rigid_body, lotka_volterra, van_der_pol)
"""All with four components, so that one compiled program serves all."""
BEGIN = np.array([[0.994, 0, 0, -2.00158510637908], [0.1, 2, 0.2, 0], [1, 2, 0, 0], [2, 0, 0, 0]]).T
SPAN, TOLERANCE = 17.0652165601579, 1e-9


def any_problem(t, x, case):
    if not is_traced(case) and jnp.ndim(case) == 0:
        return PROBLEMS[int(case)](t, x)
    if jnp.ndim(case) == 0:
        return jax.lax.switch(case.astype(int), PROBLEMS, t, x)
    return sum(jnp.where(case == k, problem(t, x), 0.0) for k, problem in enumerate(PROBLEMS))


STANDARD = Toy(lambda t, x, switches: any_problem(t, x, switches.case), end=SPAN, tolerance=TOLERANCE)


@cache
def by_scipy(k: int, method: str, tolerance: float):
    """End and number of steps, the scale of the error that of `Toy.error_norm`."""
    rhs = lambda t, x: PROBLEMS[k](t, x, np)  # noqa: E731
    found = solve_ivp(rhs, (0, SPAN), BEGIN[:, k], method, rtol=tolerance, atol=tolerance)
    return found.y[:, -1], len(found.t) - 1


@cache
def by_diffrax(method: str):
    solver = {"dopri5": diffrax.Dopri5, "dop853": diffrax.Dopri8}[method]()
    term = diffrax.ODETerm(any_problem)
    control = diffrax.PIDController(rtol=TOLERANCE, atol=TOLERANCE)

    @hybrid_toy.quickly_compiled
    def whole(x, case):
        found = diffrax.diffeqsolve(
            term, solver, 0.0, SPAN, None, x, case, stepsize_controller=control, max_steps=4096
        )
        return jnp.asarray(found.ys)[0], found.stats["num_accepted_steps"]

    return lambda x, case: jax.device_get(whole(x, case))


def error(end, k: int) -> float:
    """Against SciPy at the tightest tolerance it takes."""
    return float(np.abs(np.asarray(end) - by_scipy(k, "DOP853", 100 * EPS)[0]).max())


@pytest.mark.parametrize("method", [pytest.param("dopri5", marks=pytest.mark.long), "dop853"])
@pytest.mark.parametrize("k", range(4), ids=[problem.__name__ for problem in PROBLEMS])
def test_standard_problems_beside_scipy_and_diffrax(method, k):
    ours = fly(STANDARD, BEGIN[:, k], method, case=k)
    assert ours.cursor.status == FINISHED
    assert ours.cursor.t == SPAN
    peer, steps = by_scipy(k, {"dopri5": "RK45", "dop853": "DOP853"}[method], TOLERANCE)
    other, others_steps = by_diffrax(method)(BEGIN[:, k], float(k))
    # The same coefficients and the same rule for the next step: what differs is the norm's scale, which here
    # takes the state at the start of the step only.
    assert ours.cursor.accepted == pytest.approx(steps, rel=0.05)
    assert error(ours.cursor.x, k) <= 2 * error(peer, k)
    # Diffrax limits the steps after a rejection in another way, and its method of order 8 is another one.
    assert ours.cursor.accepted == pytest.approx(others_steps, rel=0.2)
    assert error(other, k) <= 5 * error(peer, k)


@pytest.mark.long
def test_lanes_step_for_themselves_bit_for_bit():
    """Every lane does the arithmetic that it would do alone, in the same order."""
    together = fly(STANDARD, BEGIN, "dop853", case=np.arange(4))
    for k in range(4):
        alone = fly(STANDARD, BEGIN[:, k], "dop853", case=k)
        ours, single = moved(together.rows, (k,)), moved(alone.rows)
        np.testing.assert_array_equal(ours.t_end, single.t_end)
        np.testing.assert_array_equal(ours.x_end, single.x_end)
        assert together.cursor.rejected[k] == alone.cursor.rejected
    assert len(set(together.cursor.accepted)) == 4


# --- step sizes ---------------------------------------------------------------------------------------------

FALL = Toy(lambda t, x, switches: jnp.stack([x[1], jnp.full_like(x[1], -10.0)]), end=3.0)
"""Two components of a polynomial in time, which every method here flies without error."""


def sizes(flown) -> np.ndarray:
    rows = moved(flown.rows)
    return np.asarray(rows.t_end - rows.t)


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_steps_grow_while_there_is_no_error(method):
    steps = sizes(fly(FALL, [5.0, 0.0], method, first=7e-4, compiled=False))
    # Rounding of the time must not be taken for a step cut short. The last two share what is left.
    np.testing.assert_allclose(steps[1:-2] / steps[:-3], control.GROW, rtol=1e-9)
    assert steps[-1] == pytest.approx(steps[-2], rel=1e-9)


def test_steps_are_no_longer_than_the_longest():
    steps = sizes(fly(FALL, [5.0, 0.0], longest=0.25, compiled=False))
    assert max(steps) == pytest.approx(0.25, rel=1e-12)


def test_the_first_step_is_cautious():
    # A hundredth of the time in which the state changes by its own size, both as `error_norm` sees them.
    first = sizes(fly(FALL, [5.0, 0.0], compiled=False))[0]
    state, rate = (FALL.error_norm(np.array([5.0, 0.0]), np.array(v)) for v in ([5.0, 0.0], [0.0, -10.0]))
    assert first == pytest.approx(0.01 * float(state / rate), rel=1e-9)


def test_estimates_that_are_not_numbers_reject_and_shrink():
    good, bad = jnp.array(1e-3), jnp.array(jnp.nan)
    for norms in ([bad], [bad, good], [good, bad]):
        ratio = control.error_ratio(norms)
        assert not ratio <= 1.0
        assert control.next_step(METHODS["dop853"], ratio, 1.0) == control.SHRINK
    assert control.error_ratio([0 * good, 0 * good]) == 0.0


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_a_short_pulse_is_not_stepped_over(method):
    """Where it begins and ends is known; nothing else would give it away to steps that have grown long."""
    points, push = np.array([0.4, 0.4005, 0.401]), np.array([0.0, 1000.0, 0.0])
    toy = Toy(lambda t, x, switches: jnp.interp(t, points, push) * jnp.ones_like(x), corners=tuple(points))
    # Straight between the points, of which none lies inside a step: exact but for rounding.
    assert fly(toy, [0.0], method, compiled=False).cursor.x[0] == pytest.approx(0.5, abs=8 * EPS)


# --- fixed steps --------------------------------------------------------------------------------------------

STEP = 0.1
HIT = Toy(
    lambda t, x, switches: jnp.where(switches.fired[0], -1.0, 1.0) * jnp.ones_like(x),
    values=(lambda t, x, switches: x[0] - switches.case,),
)
"""Rises at one unit a second until it meets `case`, then falls."""


def test_fixed_steps_stay_on_the_grid_after_an_event():
    origin, met = 5.0, 0.234
    toy = Toy(HIT.rhs, end=origin + 1.0, values=HIT.values)
    flown = fly(toy, [0.0], "rk4", case=met, t0=origin, step=STEP, compiled=False)
    ends = moved(flown.rows).t_end - origin
    grid = np.sort(np.append(np.arange(1, 11) * STEP, met))
    # What is left of the event is met in two or more short steps; the rest are as many as the grid has.
    extra = [t for t in ends if np.abs(grid - t).min() > 4 * EPS * (origin + 1)]
    assert all(0.2 < t < met for t in extra)
    assert len(ends) - len(extra) == len(grid)
    # Straight lines: exact but for the rounding of the steps' sum.
    assert flown.cursor.x[0] == pytest.approx(met - (1 - met), abs=len(ends) * EPS * 2)


def test_rows_of_several_steps_join_up_in_every_lane():
    # Lane 1 finds that it has passed its event in the very attempt in which lane 0 meets its own.
    met = np.array([0.234, 0.36, 2.0])
    options: Any = {"step": STEP, "stride": 5, "compiled": False}
    flown = fly(HIT, np.zeros((1, 3)), "rk4", case=met, **options)
    single = fly(HIT, [0.0], "rk4", case=met[0], **options)
    for lane in range(3):
        rows = moved(flown.rows, (lane,))
        np.testing.assert_array_equal(rows.t[1:], rows.t_end[:-1])
        # Nothing here jumps: each row starts in the state in which the one before has ended.
        np.testing.assert_array_equal(rows.x[1:], rows.x_end[:-1])
        for recorded in (0.5, 1.0, *met[lane : lane + 1][met[lane : lane + 1] < 1]):
            assert np.abs(rows.t_end - recorded).min() <= 4 * EPS
    np.testing.assert_allclose(moved(single.rows).t_end, [met[0], 0.5, 1.0], rtol=0, atol=4 * EPS)


CLOCKED = Toy(
    lambda t, x, switches: jnp.where(switches.fired[0], -x, jnp.cos(7 * t) * x),
    values=(lambda t, x, switches: t - switches.case,),
    times={0: lambda switches: switches.case},
    at_once=(0,),
)
"""Meets `case`, a time."""


def test_steps_between_records_are_the_same_without_a_look_at_events():
    """Where every event is a time that is known, steps that cannot meet one are taken without looking."""
    met = np.array([0.234, 0.5, 0.36, 2.0])
    options: Any = {"step": STEP, "stride": 5, "compiled": False}
    plain, quick = (
        fly(CLOCKED, np.ones((1, 4)), "rk4", case=met, clockwork=clockwork, **options)
        for clockwork in (False, True)
    )
    for field in ("t", "x", "slope", "status", "accepted"):
        np.testing.assert_array_equal(getattr(quick.cursor, field), getattr(plain.cursor, field))
    np.testing.assert_array_equal(quick.times, plain.times)
    for lane in range(4):
        rows = moved(quick.rows, (lane,))
        np.testing.assert_array_equal(rows.t[1:], rows.t_end[:-1])
        np.testing.assert_array_equal(rows.x[1:], rows.x_end[:-1])
        for recorded in (0.5, 1.0, *met[lane : lane + 1][met[lane : lane + 1] < 1]):
            assert np.abs(rows.t_end - recorded).min() <= 4 * EPS


SWUNG = Toy(
    lambda t, x, switches: 6 * jnp.cos(6 * t) * jnp.ones_like(x),
    values=(lambda t, x, switches: x[0] - switches.case, lambda t, x, switches: 0.999 - x[0]),
)
"""Swings up to one and back, past a level of its own and past one that it just reaches."""


def test_steps_far_from_any_event_are_the_same_without_a_look(monkeypatch):
    """Beside steps that are all recorded, and all looked at."""
    levels, step, looks = np.array([0.5, 0.95, 1.2, -0.9]), 0.005, []
    look = detection.look
    monkeypatch.setattr(detection, "look", lambda *args: looks.append(args) or look(*args))
    plain, quick = (
        fly(SWUNG, np.zeros((1, 4)), "rk4", case=levels, step=step, stride=stride, compiled=False)
        for stride in (1, 40)
    )
    for field in ("t", "x", "slope", "status", "accepted"):
        np.testing.assert_array_equal(getattr(quick.cursor, field), getattr(plain.cursor, field))
    np.testing.assert_array_equal(quick.times, plain.times)
    assert np.isfinite(quick.times[0]).tolist() == [True, True, False, True]
    alone = fly(SWUNG, [0.0], "rk4", case=1.2, step=step, stride=40, compiled=False)
    np.testing.assert_array_equal(alone.times, quick.times[:, 2])
    looks.clear()
    fly(SWUNG, [0.0], "rk4", case=5.0, step=step, stride=40, compiled=False)
    assert len(looks) < 0.5 / step


# --- the end ------------------------------------------------------------------------------------------------


def troubled(t, x, switches):
    """Case 0: 1 / (1 - t), which grows beyond all bounds; 1: not a number after t = 1; 2: no trouble."""
    return jnp.where(switches.case == 0, x * x, jnp.where(switches.case == 1, jnp.sqrt(1 - t) * x, -x))


TROUBLE = Toy(troubled, end=2.0)


@pytest.mark.parametrize("method", ["dopri5", pytest.param("dop853", marks=pytest.mark.long)])
def test_collapse_and_nan_end_their_lanes_only(method):
    compiled = method == "dop853"
    flown = fly(TROUBLE, np.ones((1, 3)), method, case=np.arange(3), compiled=compiled)
    assert flown.cursor.status.tolist() == [STEP_COLLAPSED, NOT_A_NUMBER, FINISHED]
    # The time of the blow-up is as wrong as the state was before: some 1e3 steps, each within the tolerance.
    assert flown.cursor.t[0] == pytest.approx(1.0, abs=1e3 * TROUBLE.tolerance)
    # Steps shrink until the last one ends where the numbers do.
    assert 1 - 64 * EPS <= flown.cursor.t[1] <= 1.0
    assert np.all(np.isfinite(flown.cursor.x))
    assert flown.cursor.x[0, 2] == pytest.approx(np.exp(-2.0), rel=100 * TROUBLE.tolerance)
    alone = fly(TROUBLE, [1.0], method, case=2.0, compiled=compiled)
    assert flown.cursor.x[0, 2] == alone.cursor.x[0]


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [{}, {"stride": 5, "clockwork": True}],
    ids=["each step", "every fifth"],
)
def test_nan_with_fixed_steps_keeps_the_last_good_state(options):
    flown = fly(TROUBLE, np.ones((1, 2)), "rk4", case=np.array([1, 2]), step=0.06, **options)
    assert flown.cursor.status.tolist() == [NOT_A_NUMBER, FINISHED]
    assert 1 - 0.06 <= flown.cursor.t[0] <= 1.0
    assert np.all(np.isfinite(flown.cursor.x))
    rows = moved(flown.rows, (0,))
    assert rows.t_end[-1] == flown.cursor.t[0]
    assert np.all(np.isfinite(rows.x_end))


def test_nan_at_the_very_start():
    flown = fly(TROUBLE, [np.nan], case=2.0)
    assert (flown.cursor.status, flown.cursor.t) == (NOT_A_NUMBER, 0.0)


def test_nan_in_a_step_that_an_event_cut_short():
    """The step shrinks although it was not the controller that chose it."""
    toy = Toy(lambda t, x, switches: jnp.where(t > 0.5, jnp.nan, 1.0) * jnp.ones_like(x), end=0.6)
    flown = fly(toy, [0.0], "dopri5", first=10.0, compiled=False)
    assert flown.cursor.status == NOT_A_NUMBER
    assert flown.cursor.t == pytest.approx(0.5, abs=64 * EPS)


@pytest.mark.parametrize("origin", [0.0, 1e7])
def test_late_times_cost_no_more_steps(origin):
    toy = Toy(FALL.rhs, end=origin + 3.0, values=(lambda t, x, switches: -x[0],))
    for height in (3.0, 4.0, 6.0, 10.0):
        flown = fly(toy, [height, 0.0], t0=origin, compiled=False)
        # What two roundings of the time leave of the fall.
        assert flown.times[0] - origin == pytest.approx(np.sqrt(height / 5), abs=max(1e-10, 2 * EPS * origin))
        assert flown.attempts < 20


def test_chunks_make_no_difference():
    settings = STANDARD.settings("dop853")
    begun = np.zeros(()), BEGIN[:, 3], STANDARD.switches(case=np.array(3.0))
    cursor = flight.start(STANDARD, settings, *begun)
    ends = []
    while cursor.status == RUNNING:
        with np.errstate(all="ignore"):
            cursor, rows, count = flight.fly_chunk(STANDARD, settings, cursor, 16)
        ends += list(rows.t_end[: int(count)][rows.moved[: int(count)]])
    whole = fly(STANDARD, BEGIN[:, 3], case=3, compiled=False)
    np.testing.assert_array_equal(ends, moved(whole.rows).t_end)
    np.testing.assert_array_equal(cursor.x, whole.cursor.x)
