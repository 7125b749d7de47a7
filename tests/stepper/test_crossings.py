"""Triggers that are crossed and come back within one step: drawn motions beside a dense search.

Force-free flight and constant acceleration have no error, so that steps are as long as the flight: nothing
but the look between the nodes of a step can find what comes back within it.
"""

from __future__ import annotations

from functools import cache

import jax.numpy as jnp
import numpy as np
import pytest

from hybrid_toy import Toy, fly
from interstage.reading import loads
from interstage.stepper import detection
from interstage.stepper.problem import Settings

LOCATED = Settings("dop853").event_time
DRAWN = 400
"""Of each kind."""
KINDS = ("fly-by", "arc", "spin", "tether", "table")
DENSE = 4000
"""Parts of a flight that are searched, each of which is then searched again where something turns in it."""

CORNERS = np.array([0.3, 0.45, 0.6, 0.8])
"""Times at which the thrust of a table bends, of a flight of one second."""


def accelerations(t, r, case, np):
    """Acceleration (2, ...): gravity, a tether that pulls beyond its length, and a table of thrust."""
    away = np.sqrt(r[0] ** 2 + r[1] ** 2)
    pull = case["stiffness"] * np.maximum(away - case["length"], 0.0) / away
    thrust = np.interp(t, CORNERS, np.array([0.0, 1.0, -1.0, 0.0]))
    return case["gravity"] + case["thrust"] * thrust - pull * r


def watched(t, r, v, turn, case, np):
    """The one value that a case watches: over the sign, the distance of a point on a body that turns, or the
    speed, from a level."""
    x = r[0] + turn[0] * case["arm"]
    y = r[1] + turn[1] * case["arm"]
    distance, speed = np.sqrt(x * x + y * y), np.sqrt(v[0] ** 2 + v[1] ** 2)
    return case["sign"] * (np.where(case["of_speed"] > 0, speed, distance) - case["level"])


def flow(t, x, switches):
    case, w = switches.case, switches.case["spin"]
    slope = accelerations(t, x[:2], case, jnp)
    return jnp.concatenate([x[2:4], slope, jnp.stack([-w * x[5], w * x[4]])])


TOY = Toy(
    flow,
    values=(lambda t, x, s: watched(t, x[:2], x[2:4], x[4:], s.case, jnp),),
    corners=tuple(CORNERS),
    tolerance=1e-9,
)


def drawn(rng, kind: str, count: int):
    """Starts (6, count) and cases of one kind; the level is given later."""
    between = lambda low, high: 10 ** rng.uniform(np.log10(low), np.log10(high), count)  # noqa: E731
    angle = lambda: np.array([np.cos(a := rng.uniform(0, 2 * np.pi, count)), np.sin(a)])  # noqa: E731
    zero = np.zeros(count)
    case = dict.fromkeys(("stiffness", "thrust", "spin", "arm", "of_speed"), zero)
    case |= {
        "gravity": np.zeros((2, count)),
        "length": np.ones(count),
        "sign": rng.choice([-1.0, 1.0], count),
    }
    # Straight by a point at a time within the flight.
    along = angle()
    across = np.array([-along[1], along[0]])
    speed, nearest, when = between(0.1, 1e4), between(1e-3, 10), rng.uniform(0, 1, count)
    r, v = nearest * across - speed * when * along, speed * along
    if kind == "arc":
        case["of_speed"] = rng.choice([0.0, 1.0], count)
        case["gravity"] = between(1, 1e3) * angle()
        v = between(1e-2, 1e2) * angle() - when * case["gravity"]
    if kind == "spin":
        case["spin"], case["arm"] = between(0.3, 60), between(0.1, 10)
        r, v = between(0.1, 10) * angle(), between(1e-2, 30) * angle()
    if kind == "tether":
        case["stiffness"], case["length"] = between(10, 1e4), rng.uniform(0.5, 2, count)
        r, v = rng.uniform(0.1, 1, count) * case["length"] * angle(), between(0.1, 30) * angle()
    if kind == "table":
        case["thrust"] = between(1, 1e3)
        case["of_speed"] = rng.choice([0.0, 1.0], count)
        r, v = between(0.1, 10) * angle(), between(0.1, 30) * angle()
    turn = angle()
    return np.concatenate([r, v, turn]), case


class Truth:
    """Motions of cases by fine steps of Runge and Kutta's method, exact under constant acceleration, and the
    turning points of what is watched: found between the steps, and then narrowed down."""

    def __init__(self, x, case):
        self.x, self.case, self.times = x, case, np.linspace(0, 1, DENSE + 1)
        r, v, kept = x[:2], x[2:4], [x[:4]]
        slope = lambda t, r, v: (v, accelerations(t, r, case, np))  # noqa: E731
        for t in self.times[:-1]:
            h = 1 / DENSE
            a = slope(t, r, v)
            b = slope(t + h / 2, r + h / 2 * a[0], v + h / 2 * a[1])
            c = slope(t + h / 2, r + h / 2 * b[0], v + h / 2 * b[1])
            d = slope(t + h, r + h * c[0], v + h * c[1])
            r, v = (q + h / 6 * (k + 2 * m + 2 * n + p) for q, k, m, n, p in zip((r, v), a, b, c, d))
            kept.append(np.concatenate([r, v]))
        self.states = np.stack(kept)

    def at(self, t, which):
        """The watched value of some cases, each at a time of its own, from cubics between the steps."""
        h = 1 / DENSE
        k = np.clip((t / h).astype(int), 0, DENSE - 1)
        u = t / h - k
        one, two = self.states[k, :, which].T, self.states[k + 1, :, which].T
        a, b = two[:2] - one[:2] - h * one[2:], h * (two[2:] - one[2:])
        cubic, square = b - 2 * a, 3 * a - b
        r = one[:2] + u * (h * one[2:] + u * (square + u * cubic))
        v = one[2:] + u * (2 * square + 3 * u * cubic) / h
        case = {name: part[..., which] for name, part in self.case.items()}
        angle = np.arctan2(self.x[5], self.x[4])[which] + case["spin"] * t
        return watched(t, r, v, np.array([np.cos(angle), np.sin(angle)]), case, np)

    def at_nodes(self, k):
        """The watched values of all cases between some of the steps, (step, case)."""
        state = np.moveaxis(self.states[k], 1, 0)
        angle = np.arctan2(self.x[5], self.x[4]) + self.case["spin"] * self.times[k][:, None]
        turn = np.array([np.cos(angle), np.sin(angle)])
        return watched(self.times[k], state[:2], state[2:], turn, self.case, np)

    def turning(self):
        """For each case the times and values at its ends and where the value turns."""
        count = self.x.shape[1]
        every = np.concatenate([self.at_nodes(some) for some in np.array_split(np.arange(DENSE + 1), 40)])
        rise = np.diff(every, axis=0)
        place, lane = np.nonzero(rise[:-1] * rise[1:] < 0)
        upwards = np.where(rise[place, lane] > 0, 1.0, -1.0)
        low, high = self.times[place], self.times[place + 2]
        for _ in range(80):
            third = (high - low) / 3
            one, two = (upwards * self.at(t, lane) for t in (low + third, high - third))
            low, high = np.where(one < two, low + third, low), np.where(one < two, high, high - third)
        when = (low + high) / 2
        value = self.at(when, lane)
        found = []
        for n in range(count):
            mine = lane == n
            inner = sorted(zip(when[mine], value[mine]))
            found.append(np.array([(0.0, every[0, n]), *inner, (1.0, every[-1, n])]).T)
        return found


def latest(truth: Truth, cases, points, depth):
    """When each of some cases must be met: at `depth` above zero in its first rise there from as much below;
    inf."""
    found = np.full(len(cases), np.inf)
    rises = []
    for k, n in enumerate(cases):
        (t, value), deep = points[n], depth[k]
        crossed = np.flatnonzero((value[:-1] < -deep) & (value[1:] > deep))
        rises += [(k, t[crossed[0]], t[crossed[0] + 1])] if crossed.size else []
    place, low, high = map(np.array, zip(*rises))
    for _ in range(60):
        middle = (low + high) / 2
        below = truth.at(middle, cases[place]) < depth[place]
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    found[place] = high
    return found


@cache
def flights(count: int):
    """Starts, cases with levels near where the value turns, and their true turning points from the level."""
    rng = np.random.default_rng(2026)
    parts = [drawn(rng, kind, count) for kind in KINDS]
    x = np.concatenate([start for start, _ in parts], 1)
    case = {name: np.concatenate([c[name] for _, c in parts], -1) for name in parts[0][1]}
    case["level"] = np.zeros(x.shape[1])
    truth = Truth(x, case)
    points = truth.turning()
    for n, (_, value) in enumerate(points):
        # Beyond one of the points where it turns, or short of it, by 1e-8 to 1 of the whole change.
        turn = rng.choice(value[1:-1]) if value.size > 2 else rng.uniform(value.min(), value.max())
        over = rng.choice([-1.0, 1.0]) * np.ptp(value) * 10 ** rng.uniform(-8, 0)
        level = case["sign"][n] * turn + over
        case["level"][n] = level
        points[n][1] -= case["sign"][n] * level
    return x, case, truth, points


SLACK = {"spin": 1e-6, "tether": 1e-5}
"""[m] by which motions may differ from the truth, where they are not exact: in 120 steps at a tolerance of
1e-9, of points up to 10 m away; where a tether goes taut and slack a dozen times, also by the steps of the
truth, of which none ends where it does."""


def missed(times, number: int, truth: Truth, points):
    """Cases of one kind that are met later than they must be, or not at all, and those that are met where
    the value is not at its level; from the times at which they are met."""
    cases = np.arange(number * len(times), (number + 1) * len(times))
    t, size = times, np.abs(truth.x[:4, cases]).max(0)
    allowed = detection.DEPTH + detection.DEPTH_PART * size + SLACK.get(KINDS[number], 0.0)
    late = cases[t > latest(truth, cases, points, allowed) + LOCATED]
    met = np.isfinite(t)
    off = np.abs(truth.at(t[met], cases[met]))
    # A time apart, at the speeds that are drawn.
    return late.tolist(), cases[met][off > allowed[met] + 1e4 * LOCATED].tolist()


@pytest.mark.parametrize("count", [100, pytest.param(DRAWN, marks=pytest.mark.long)])
def test_no_crossing_is_missed_and_none_invented(count):
    x, case, truth, points = flights(count)
    steps = {}
    for number, kind in enumerate(KINDS):
        # A kind at a time, by one program: the lanes of a flight wait for that of the most steps.
        mine = slice(number * count, (number + 1) * count)
        flown = fly(TOY, x[:, mine], case={name: part[..., mine] for name, part in case.items()})
        assert missed(flown.times[0], number, truth, points) == ([], []), kind
        assert 0.3 < np.isfinite(flown.times[0]).mean() < 0.7
        steps[kind] = flown.cursor.accepted + flown.cursor.rejected
    # Flights of force-free bodies would take 5 steps without a look, and half of these are met.
    assert steps["fly-by"].mean() < 15


FADES, SHARES = np.array([0.3, 0.45, 0.82, 1.19]), np.array([0.0, 1.0, 0.6, 0.0])
"""Times at which a flow bends, and its shares of the largest there: it fades out at the last."""
DRAINED = Toy(
    lambda t, x, switches: jnp.stack(
        [-switches.case * jnp.interp(t, FADES, SHARES, left=0.0, right=0.0), 1e3 + 0.0 * x[1]]
    ),
    end=2.0,
    values=(lambda t, x, switches: -x[0],),
    at_once=(0,),
    corners=tuple(FADES),
    tolerance=1e-9,
)
"""A tank that holds just what flows out, and a place far away, whose rounding is no measure of the tank's."""


@pytest.mark.parametrize("method", ["dop853", pytest.param("dopri5", marks=pytest.mark.long)])
@pytest.mark.parametrize("far", [1.0, 2e6])
def test_what_stops_at_zero_is_there(method, far):
    """As a tank that is empty where the thrust has faded away, with no rate to tell by: rounding leaves it on
    either side."""
    rng = np.random.default_rng(1)
    flow, begun = 10 ** rng.uniform(-1, 3, DRAWN), rng.uniform(0, FADES[0], DRAWN)
    held = flow * (np.diff(FADES) @ (SHARES[1:] + SHARES[:-1])) / 2
    flown = fly(DRAINED, np.stack([held, np.full(DRAWN, far)]), method, case=flow, t0=begun, first=1.0)
    assert np.unique(np.sign(flown.cursor.x[0])).size > 1
    assert flown.times[0] == pytest.approx(FADES[-1], abs=LOCATED)
    # A step to each place where it bends, and one after them.
    assert np.max(flown.cursor.rejected) == 0
    assert np.max(flown.cursor.accepted) == len(FADES) + 1


def test_what_was_not_there_before_has_not_come_to_rest():
    """A value of -inf, as of what does not count yet, that is some number from then on."""
    toy = Toy(
        lambda t, x, switches: 0.0 * x,
        values=(lambda t, x, switches: jnp.where(t < 0.5, -jnp.inf, -3.0),),
        corners=(0.5,),
    )
    assert fly(toy, [0.0], first=1.0).times[0] == np.inf


@pytest.mark.long
def test_a_peak_where_a_step_must_end():
    """Its top reaches zero by less than a time can tell; a step that is cut back ends at the top again."""
    top, high = 0.6, np.repeat([0.0, 1e-15, 1e-13], 50)
    toy = Toy(
        lambda t, x, switches: 0.0 * x,
        values=(lambda t, x, switches: jnp.where(t < top, t - top, 2 * (top - t)) + switches.case,),
        corners=(top,),
    )
    flown = fly(toy, np.zeros((1, 150)), case=high, t0=np.tile(np.linspace(0.0, 0.3, 50), 3), first=1.0)
    assert flown.times[0] == pytest.approx(top, abs=LOCATED)
    assert np.max(flown.cursor.rejected) <= 3


PASSING = """
[gravity]
kind = "uniform"
acceleration = [0, 0, -10]

[bodies.a]
mass = 1
inertia = [1, 1, 1]
initial = { velocity = [3, 0, 80] }

[bodies.b]
mass = 1
inertia = [1, 1, 1]
initial = { position = [-500, 3, 0], velocity = [13, 0, 80] }

[[phases]]
name = "all"
until = { time = 100 }

[[events]]
name = "near"
when = { quantity = "pairs.a.b.distance", reaches = "NEAR m", direction = "falling" }

[[events]]
name = "slow"
when = { quantity = "bodies.a.speed", reaches = "SLOW m/s", direction = "either" }

[[events]]
name = "again"
when = { quantity = "bodies.a.speed", reaches = "SLOW m/s", direction = "either" }
after = "slow"
"""


@pytest.mark.parametrize(
    ("near", "slow", "met"),
    # Nearest 3 m after 50 s at 10 m/s; slowest 3 m/s after 8 s at 10 m/s^2.
    [
        (5, 0.1, {"near": 50 - 4 / 10}),
        (0.1, 5, {"slow": 8 - 4 / 10, "again": 8 + 4 / 10}),
        (2.99, 2.99, {}),
    ],
)
def test_scenarios_in_which_a_crossing_comes_back_within_a_step(near, slow, met):
    text = PASSING.replace("NEAR", str(near)).replace("SLOW", str(slow))
    found = {event.name: event.time for event in loads(text).run().record.events if event.kind == "event"}
    assert found == pytest.approx(met, abs=LOCATED)
