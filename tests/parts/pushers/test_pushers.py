"""Springs, pistons, gas and connectors on lines between two bodies, against closed forms and an independent
integration.

Most devices push pairs of bodies of their own, side by side in one scenario, so that one program flies them
all."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import interstage as ist
from interstage.parts.pushers import shown
from interstage.reading import loads
from interstage.record.conservation import keeps_energy
from interstage.runs import run as simulate
from interstage.tree import addresses as tree
from interstage.tree.addresses import get
from lanes import as_lanes
from two_bodies import Line, Side, released, travel

TOLERANCE = 1e-12
CLOSE = 1e-8
"""What closed forms are met to, relative to their size: what is asked for, 1e4 times the steps' tolerance."""
LIGHT, HEAVY = 50.0, 200.0
REDUCED = LIGHT * HEAVY / (LIGHT + HEAVY)
MOMENTS = (12.0, 15.0, 9.0)
FIRED = 0.1
"""When the devices are fired [s]."""

PRESSURE, VOLUME, RATIO, AREA, STROKE = 3e6, 4e-4, 1.28, 1.5e-3, 0.2
TABLE: dict[str, Any] = {"stroke": [0.0, 0.05, 0.12, 0.2], "value": [900.0, 1500.0, 1400.0, 300.0]}
TIMES: dict[str, Any] = {"time": [0.0, 0.02, 0.05, 0.08], "value": [0.0, 3000.0, 2500.0, 0.0]}
OFFSET = 0.05
"""Of the line of action of the sliding piston from the child's centre of mass [m]."""
RUBS = {"preload": 900.0, "stiffness": 2000.0, "friction": 150.0, "friction_speed": 0.2}
BOTTLE: dict[str, Any] = {"pressure": 8e5, "bore": 0.05, "heat_ratio": 1.4, "ambient_pressure": 1e5}


def body(name: str, mass: float, place, **state) -> ist.Body:
    return ist.Body(name=name, mass=mass, inertia=MOMENTS, initial=ist.State(position=place, **state))


def bench() -> ist.Scenario:
    """Pairs of bodies far apart from each other, each with a device of its own, or two."""
    ends = {"stroke": STROKE, "axis": [1, 0, 0]}
    bodies: list[Any] = []
    devices: list[Any] = [
        ist.GasChamber(name="gas", pressure=PRESSURE, volume=VOLUME, heat_ratio=RATIO),
    ]

    def pair(name, *makers, speed=0.0):
        y = 10.0 * len(bodies)
        bodies.append(body(f"{name}_a", HEAVY, [0, y, 0]))
        bodies.append(body(f"{name}_b", LIGHT, [1, y, 0], velocity=[speed, 0, 0]))
        for number, (kind, options) in enumerate(makers):
            whole = {"name": f"{name}{number or ''}", "parent": f"{name}_a", "child": f"{name}_b"}
            devices.append(kind(**whole | ends | options))

    shared = {"chamber": "gas", "area": AREA}
    sides = [{"parent_at": [0.4, y, 0], "child_at": [-0.5, y, 0]} for y in (0.3, -0.3)]
    pair("shared", *((ist.Piston, shared | side) for side in sides))
    pair("bottle", (ist.PneumaticPusher, BOTTLE | {"dead_volume": VOLUME}))
    pair("supply", (ist.PneumaticPusher, BOTTLE | {"supply": "constant", "delay": 0.05}))
    pair("table", (ist.Piston, {"push": ist.ForceByStroke(**TABLE)}))
    pair("timed", (ist.Piston, {"push": ist.ForceByTime(**TIMES), "stroke": 1.0}))
    by_energy = {key: value for key, value in RUBS.items() if key != "stiffness"}
    by_energy["energy"] = (RUBS["preload"] - 0.5 * RUBS["stiffness"] * STROKE) * STROKE
    pair("rubs", (ist.KickoffSpring, by_energy))
    pair("weak", (ist.Piston, {"push": 1000.0, "strength": 0.8, "friction": 100.0, "friction_speed": 1e-7}))
    pair("plug", (ist.Umbilical, {"pull_off": 300.0}), speed=2.0)
    pair("socket", (ist.Umbilical, {"pull_off": ist.ForceByStroke(**TABLE)}), speed=5.0)
    aside = {"parent_at": [0.5, OFFSET, 0], "child_at": [-0.5, OFFSET, 0], "contact": "slides"}
    pair("slides", (ist.Piston, {"push": 1500.0} | aside), speed=0.0)
    fire = tuple(d.name for d in devices if not isinstance(d, (ist.GasChamber, ist.Umbilical)))
    phases = (
        ist.Phase(name="wait", until=ist.Trigger(time=FIRED)),
        ist.Phase(name="go", until=ist.Trigger(time=0.5), fire=fire),
    )
    return ist.Scenario(
        bodies=tuple(bodies),
        devices=tuple(devices),
        phases=phases,
        solver=ist.Solver(tolerance=TOLERANCE),
        output=ist.Output(interval=0.02),
    )


OTHER: dict[str, Any] = {
    "devices.gas.pressure": 2e6,
    "devices.gas.heat_ratio": 1.4,
    "devices.shared1.strength": 0.0,
    "devices.bottle.bore": 0.04,
    "devices.table.push.value": [500.0, 700.0, 100.0, 0.0],
    "devices.timed.push.time": [0.0, 0.01, 0.03, 0.09],
    "devices.plug.pull_off": 120.0,
    "devices.rubs.strength": 0.0,
}
"""What the second case has in place of the first one's numbers."""
BEHIND: dict[str, Any] = {"devices.shared1.delay": 0.04, "devices.gas.ambient_pressure": 2e5}
"""And the third."""


@cache
def both() -> Any:
    """Three cases as lanes of one program: the bench as it is, and twice with other numbers."""
    scenario = bench()
    whole = {path: get(scenario, path) for path in (OTHER | BEHIND)}
    cases = {path: [own, OTHER.get(path, own), BEHIND.get(path, own)] for path, own in whole.items()}
    return as_lanes(scenario, cases, threads=1)


@cache
def flown() -> Any:
    return both().record(0)


def came(name: str) -> Any:
    """Row of an event."""
    return [event.name for event in flown().events].index(name)


def time_of(name: str) -> float:
    return flown().events[came(name)].time


def closing(pair: str) -> float:
    """Speed of the child relative to the parent at the end [m/s]."""
    series = flown().series
    return float(series[f"bodies.{pair}_b.velocity"][-1, 0] - series[f"bodies.{pair}_a.velocity"][-1, 0])


def energy(pair: str, before: float = 0.0) -> float:
    """Gain of relative kinetic energy [J] over what a speed gave."""
    return 0.5 * REDUCED * (closing(pair) ** 2 - before**2)


def gas_work(pressure, volume, ratio, swept) -> float:
    """Integral of p dV along p V^gamma."""
    return pressure * volume / (ratio - 1) * (1 - (volume / (volume + swept)) ** (ratio - 1))


@pytest.mark.long
def test_pistons_of_one_chamber_take_its_pressure_volume_work():
    work = gas_work(PRESSURE, VOLUME, RATIO, 2 * AREA * STROKE)
    assert energy("shared") == pytest.approx(work, rel=CLOSE)
    record, row = flown(), came("shared spent")
    assert record.before["devices.gas.volume"][row] == pytest.approx(VOLUME + 2 * AREA * STROKE, rel=CLOSE)
    last = PRESSURE * (VOLUME / (VOLUME + 2 * AREA * STROKE)) ** RATIO
    for path in ("devices.gas.pressure", "devices.shared.pressure", "devices.shared1.pressure"):
        assert record.before[path][row] == pytest.approx(last, rel=CLOSE)
        assert record.series[path][0] == PRESSURE
        assert record.series[path][-1] == pytest.approx(last, rel=CLOSE)  # it stays, behind spent pistons
    lost = record.series["devices.gas.energy"][0] - record.series["devices.gas.energy"][-1]
    assert lost == pytest.approx(work, rel=CLOSE)


def test_gas_fills_what_a_late_piston_finds_empty_without_work():
    """Free expansion: p V stays, and with it the energy; then the two of them take what is left."""
    record = both().record(2)
    row = [event.name for event in record.events].index("shared1 fired")
    of = lambda what: [side[f"devices.gas.{what}"][row] for side in (record.before, record.after)]  # noqa: E731
    (small, large), (p, q), (had, has) = (of(what) for what in ("volume", "pressure", "energy"))
    assert large > 1.02 * small > 1.2 * VOLUME  # control: there is something to fill
    assert q * large == pytest.approx(p * small, rel=1e-13)
    assert has == pytest.approx(had, rel=1e-13)
    end, back = VOLUME + 2 * AREA * STROKE, BEHIND["devices.gas.ambient_pressure"]
    assert p == pytest.approx(PRESSURE * (VOLUME / small) ** RATIO, rel=CLOSE)
    work = gas_work(PRESSURE, VOLUME, RATIO, small - VOLUME) + gas_work(q, large, RATIO, end - large)
    work -= back * (small - VOLUME + end - large)
    assert record.series["devices.gas.energy"][0] - record.series["devices.gas.energy"][-1] == pytest.approx(
        work, rel=CLOSE
    )
    assert kinetic(2)["shared"] == pytest.approx(work, rel=CLOSE)


def kinetic(case: int) -> dict[str, float]:
    """Kinetic energy [J] of each pair at the end of a case, with that of their turning."""
    names = [b.name for b in bench().bodies]
    x, count = both().x[:, case], len(names)
    speed = x[3 * count : 6 * count].reshape(3, count)
    spin = x[10 * count : 13 * count].reshape(3, count)
    mass = np.where([name.endswith("_a") for name in names], HEAVY, LIGHT)
    each = 0.5 * (mass * speed**2).sum(0) + 0.5 * (np.array(MOMENTS)[:, None] * spin**2).sum(0)
    return {name[:-2]: each[k] + each[k + 1] for k, name in enumerate(names) if name.endswith("_a")}


def test_pneumatic_pushers_closed_in_and_supplied():
    area, back = np.pi / 4 * BOTTLE["bore"] ** 2, BOTTLE["ambient_pressure"]
    work = gas_work(BOTTLE["pressure"], VOLUME, 1.4, area * STROKE) - back * area * STROKE
    assert energy("bottle") == pytest.approx(work, rel=CLOSE)
    assert energy("supply") == pytest.approx((BOTTLE["pressure"] - back) * area * STROKE, rel=CLOSE)
    assert time_of("bottle fired") == pytest.approx(FIRED, abs=1e-12)
    assert time_of("supply fired") == pytest.approx(FIRED + 0.05, abs=1e-12)


def test_forces_by_tables():
    """Straight lines: over the travel they give their area, over time their impulse."""
    assert energy("table") == pytest.approx(np.trapezoid(TABLE["value"], TABLE["stroke"]), rel=CLOSE)
    assert REDUCED * closing("timed") == pytest.approx(np.trapezoid(TIMES["value"], TIMES["time"]), rel=CLOSE)


def test_friction_takes_its_work():
    """A small friction speed takes friction times stroke; a large one what the law itself says."""
    assert energy("weak") == pytest.approx(0.8 * 900.0 * STROKE, rel=CLOSE)

    def slope(s, square):
        v = np.sqrt(max(square[0], 0.0))
        rubbing = RUBS["friction"] * np.tanh(v / RUBS["friction_speed"])
        return [2 / REDUCED * (RUBS["preload"] - RUBS["stiffness"] * s - rubbing)]

    square = solve_ivp(slope, (0, STROKE), [0.0], "DOP853", rtol=1e-13, atol=1e-14).y[0, -1]
    assert closing("rubs") == pytest.approx(np.sqrt(square), rel=CLOSE)


def test_connectors_take_their_pull_off_energy():
    assert energy("plug", 2.0) == pytest.approx(-300.0 * STROKE, rel=CLOSE)
    assert energy("socket", 5.0) == pytest.approx(-np.trapezoid(TABLE["value"], TABLE["stroke"]), rel=CLOSE)
    record = flown()
    assert record.series["devices.plug.force"][0] == pytest.approx(-300.0)
    row = came("plug spent")
    assert record.before["devices.plug.state"][row] == 1
    assert record.after["devices.plug.force"][row] == record.after["devices.plug.state"][row] == 0


def test_a_tip_that_slides_keeps_to_the_line_of_its_rod():
    """The rod's line goes past the child's mass centre at an arm that stays: force and torque are constant,
    and the tip runs along the plate as it tilts. Line through the parent's mass centre would keep the parent
    from turning; here both turn, so the arms are those in the parent's axes."""
    record, force = flown(), 1500.0
    row = came("slides spent")
    t = record.events[row].time - FIRED
    end = _sliding(force, t)
    for side in "ab":
        for path, index in (("velocity", slice(0, 2)), ("angular_velocity", 2)):
            found = record.after[f"bodies.slides_{side}.{path}"][row][index]
            np.testing.assert_allclose(found, end[f"{path}_{side}"], rtol=0, atol=CLOSE * 6)
    assert end["travel"] == pytest.approx(STROKE, rel=CLOSE)
    assert record.before["devices.slides.stroke"][row] == pytest.approx(STROKE, abs=1e-9)
    assert record.before["devices.slides.rate"][row] == pytest.approx(end["rate"], rel=CLOSE)
    assert record.before["devices.slides.power"][row] == pytest.approx(end["power"], rel=CLOSE)


def _sliding(force: float, time: float) -> dict[str, Any]:
    """The same in the plane, by itself: places and angles of both bodies."""
    rod, foot = np.array([0.5, OFFSET]), np.array([-0.5, OFFSET])

    def turned(angle, vector):
        c, s = np.cos(angle), np.sin(angle)
        return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])

    def tip(y):
        a, b, axis, normal = y[0:2], y[3:5], turned(y[2], [1, 0]), turned(y[5], [1, 0])
        base = a + turned(y[2], rod)
        length = (b + turned(y[5], foot) - base) @ normal / (axis @ normal)
        return base + length * axis, axis, length

    def slope(_, y):
        point, axis, _ = tip(y)
        push = force * axis
        cross = [r[0] * push[1] - r[1] * push[0] for r in (point - y[0:2], point - y[3:5])]
        rates = [*(-push / HEAVY), -cross[0] / MOMENTS[2], *(push / LIGHT), cross[1] / MOMENTS[2]]
        return np.concatenate([y[6:], rates])

    start = np.zeros(12)
    start[3] = 1.0
    y = solve_ivp(slope, (0, time), start, "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    (point, axis, length), h = tip(y), 1e-6
    ahead, behind = (tip(y + sign * h * slope(0, y))[2] for sign in (1, -1))
    across = [np.array([-(point - c)[1], (point - c)[0]]) for c in (y[0:2], y[3:5])]
    speed = (y[9:11] + y[11] * across[1]) - (y[6:8] + y[8] * across[0])
    return {
        "velocity_a": y[6:8],
        "velocity_b": y[9:11],
        "angular_velocity_a": y[8],
        "angular_velocity_b": y[11],
        "travel": length - 0.0 - (1.0 - 0.5 - 0.5),
        "rate": (ahead - behind) / (2 * h),
        "power": force * (speed @ axis),
    }


def test_nothing_is_made_of_momentum():
    """Forces of each pair cancel, and so do their moments; about the centre of mass of all."""
    record = flown()
    size = HEAVY * 20 * 2
    for path in ("system.momentum", "system.angular_momentum"):
        values = record.series[path]
        arm = 200.0 if "angular" in path else 1.0
        assert np.abs(values - values[0]).max() < 1e-12 * size * arm


def test_powers_are_the_rates_of_the_energy():
    """The power of each device is force times rate, but for the tip that slides aslant."""
    series = flown().series
    for name in ("shared", "table", "timed", "rubs", "plug", "bottle"):
        power = series[f"devices.{name}.force"] * series[f"devices.{name}.rate"]
        np.testing.assert_allclose(series[f"devices.{name}.power"], power, rtol=0, atol=1e-9 * 3e4)


def test_numbers_of_each_case_are_its_own():
    """The second case, by its states at the end; the missing piston takes no gas, and turns the bodies."""
    names = [b.name for b in bench().bodies]
    x, count = both().x[:, 1], len(names)
    speed = x[3 * count : 6 * count].reshape(3, count)
    gained = kinetic(1).__getitem__

    def closing(pair):
        k = names.index(f"{pair}_a")
        return speed[0, k + 1] - speed[0, k]

    assert gained("shared") == pytest.approx(gas_work(2e6, VOLUME, 1.4, AREA * STROKE), rel=CLOSE)
    area, back = np.pi / 4 * 0.04**2, BOTTLE["ambient_pressure"]
    work = gas_work(BOTTLE["pressure"], VOLUME, 1.4, area * STROKE) - back * area * STROKE
    assert gained("bottle") == pytest.approx(work, rel=CLOSE)
    by_stroke, by_time = OTHER["devices.table.push.value"], OTHER["devices.timed.push.time"]
    assert gained("table") == pytest.approx(np.trapezoid(by_stroke, TABLE["stroke"]), rel=CLOSE)
    assert REDUCED * closing("timed") == pytest.approx(np.trapezoid(TIMES["value"], by_time), rel=CLOSE)
    lost = 0.5 * REDUCED * (2.0**2 - closing("plug") ** 2)
    assert lost == pytest.approx(120.0 * STROKE, rel=CLOSE)
    assert gained("rubs") == 0.0  # it is missing, and its friction with it


def test_a_rod_that_rubs_does_not_make_steps_creep():
    """The step of a flight at rest goes far beyond the stroke, where nothing is left of the force, so that
    what it finds of the end of the stroke is nonsense: step after step was cut by a thousandth."""
    bodies = body("a", 1.0, [0, 0, 0]), body("b", 1.0, [1, 0, 0])
    rubs: dict[str, Any] = {"stiffness": 406.0, "preload": 200.0, "friction": 4.0, "stroke": 0.1}
    spring = ist.KickoffSpring(name="spring", parent="a", child="b", axis=[1, 0, 0], after="go", **rubs)
    phases = (
        ist.Phase(name="wait", until=ist.Trigger(time=FIRED)),
        ist.Phase(name="go", until=ist.Trigger(time=1.0)),
    )
    record = simulate.fly(ist.Scenario(bodies=bodies, devices=(spring,), phases=phases))
    # Steps of some 1e-5 s, in which the friction sets in, are six refusals below a second.
    assert record.statistics["steps rejected"] < 40


# --- sets of springs ----------------------------------------------------------------------------------------

SPRINGS = ("up", "down", "left", "right")
PLACES = ((0.3, 0.02), (-0.3, 0.05), (0.04, 0.4), (-0.03, -0.4))
STIFFNESS, PRELOAD, TRAVEL = (6000.0, 5800.0, 6100.0, 6050.0), (900.0, 880.0, 910.0, 905.0), 0.1
LATE = 0.03
LANES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "nominal": ((1, 1, 1, 1), (0, 0, 0, 0)),
    "weak": ((0.8, 1, 1, 1), (0, 0, 0, 0)),
    "missing": ((1, 0, 1, 1), (0, 0, 0, 0)),
    "late": ((1, 1, 1, 1), (0, LATE, 0, 0)),
    "never": ((1, 1, 1, 1), (0, np.inf, 0, 0)),
    "alone": ((1, 0, 0, 0), (0, 0, 0, 0)),
}
"""Strengths and delays of the springs in each case."""


def spring_set() -> ist.Scenario:
    devices = tuple(
        ist.KickoffSpring(
            name=name,
            parent="stage",
            child="payload",
            parent_at=[0.5, *place],
            child_at=[-0.5, *place],
            axis=[1, 0, 0],
            stiffness=stiffness,
            preload=preload,
            stroke=TRAVEL,
        )
        for name, place, stiffness, preload in zip(SPRINGS, PLACES, STIFFNESS, PRELOAD, strict=True)
    )
    phases = (
        ist.Phase(name="wait", until=ist.Trigger(time=FIRED)),
        ist.Phase(name="go", until=ist.Trigger(time=0.4), fire=SPRINGS),
    )
    return ist.Scenario(
        bodies=(body("stage", HEAVY, [0, 0, 0]), body("payload", LIGHT, [1, 0, 0])),
        devices=devices,
        phases=phases,
        solver=ist.Solver(tolerance=TOLERANCE),
        output=ist.Output(interval=0.1),
    )


@cache
def sets() -> Any:
    dispersed: dict[str, Any] = {}
    for k, name in enumerate(SPRINGS):
        dispersed[f"devices.{name}.strength"] = [LANES[lane][0][k] for lane in LANES]
        dispersed[f"devices.{name}.delay"] = [LANES[lane][1][k] for lane in LANES]
    return as_lanes(spring_set(), dispersed, threads=1, samples=False)


def lines(lane: str) -> list[Line]:
    strengths, delays = LANES[lane]
    return [
        Line(
            np.array([0.5, *place]),
            np.array([-0.5, *place]),
            np.array([1.0, 0, 0]),
            TRAVEL,
            FIRED + delay,
            lambda s, rate, k=k: strengths[k] * (PRELOAD[k] - STIFFNESS[k] * s),
        )
        for k, (place, delay) in enumerate(zip(PLACES, delays, strict=True))
    ]


def expected(lane: str, end: float = 0.4) -> np.ndarray:
    stage = Side(HEAVY, np.array(MOMENTS), np.zeros(3))
    payload = Side(LIGHT, np.array(MOMENTS), np.array([1.0, 0, 0]))
    return released(stage, payload, lines(lane), end)


@pytest.mark.parametrize("lane", LANES)
def test_springs_of_a_set_weak_missing_late(lane):
    """Velocities and tip-off rates, against an independent integration."""
    k = list(LANES).index(lane)
    x = sets().x[:, k]
    oracle = expected(lane)
    speeds = np.concatenate([oracle[3:6], oracle[21:24]]), np.concatenate([oracle[15:18], oracle[33:36]])
    found = x[6:12].reshape(3, 2).T.ravel(), x[20:26].reshape(3, 2).T.ravel()
    assert np.abs(speeds[0]).max() > 0.5
    for mine, its in zip(found, speeds, strict=True):
        np.testing.assert_allclose(mine, its, rtol=0, atol=CLOSE)


def test_springs_of_a_set_give_their_energy_and_no_momentum():
    """The late one what is left of its stroke when it begins."""
    mass = np.array([HEAVY, LIGHT])
    for k, (lane, (strengths, delays)) in enumerate(LANES.items()):
        x = sets().x[:, k]
        v, w = x[6:12].reshape(3, 2), x[20:26].reshape(3, 2)
        kinetic = 0.5 * np.sum(mass * v**2) + 0.5 * np.sum(np.array(MOMENTS)[:, None] * w**2)
        gone = np.zeros(4)
        if lane == "late":
            gone[1] = travel(lines(lane)[1], 0.0, expected(lane, FIRED + delays[1]))[0]
            assert 0.01 < gone[1] < 0.05
        span = TRAVEL - gone, TRAVEL**2 - gone**2
        work = np.array(PRELOAD) * span[0] - 0.5 * np.array(STIFFNESS) * span[1]
        given = np.array(strengths) * work * np.isfinite(delays)
        assert kinetic == pytest.approx(given.sum(), rel=CLOSE)
        np.testing.assert_allclose(v @ mass, np.zeros(3), rtol=0, atol=1e-12 * mass.sum())


def test_a_failure_changes_its_spring_only():
    """Events of the others come all the same, and at the same time until the failure is felt."""
    flights = sets()
    times = {name: dict(zip(LANES, flights.event_time[k])) for k, name in enumerate(flights.events)}
    for name in ("up", "left", "right"):
        for lane in LANES:
            assert times[f"{name} fired"][lane] == pytest.approx(FIRED, abs=1e-12)
    assert times["down fired"]["late"] == pytest.approx(FIRED + LATE, abs=1e-12)
    assert times["down fired"]["never"] == times["down spent"]["never"] == np.inf
    assert np.isfinite([times["down spent"][lane] for lane in ("nominal", "weak", "missing", "late")]).all()


# --- what is refused ----------------------------------------------------------------------------------------

HEAD = """
[bodies.a]
mass = 2
inertia = [1, 1, 1]
initial = {}
[bodies.b]
mass = 1
inertia = [1, 1, 1]
initial = { position = [1, 0, 0] }
[phases.go]
until = { time = 1 }
"""
ENDS = 'parent = "a"\nchild = "b"\nstroke = "10 cm"\n'
GAS = '[devices.gas]\nkind = "gas_chamber"\npressure = "30 bar"\nvolume = "0.4 l"\nheat_ratio = 1.3\n'


def pusher(kind: str, rest: str) -> str:
    return f'[devices.d]\nkind = "{kind}"\n{ENDS}{rest}\n'


SPRING = "stiffness = 100\npreload = 50\n"
CYLINDER = 'pressure = "8 bar"\nbore = "5 cm"\n'
REFUSED = {
    "negative strength": (pusher("kickoff_spring", SPRING + "strength = -1"), "strength", "not be negative"),
    "energy beside what it follows from": (
        pusher("kickoff_spring", SPRING + "energy = 4"),
        "energy",
        "already follows from",
    ),
    "energy alone": (pusher("kickoff_spring", "energy = 4"), "energy", "needs 'stiffness' or 'preload'"),
    "energy with a free length": (
        pusher("kickoff_spring", "energy = 4\nstiffness = 100\nfree_length = 1"),
        "energy",
        "cannot be set with 'free_length'",
    ),
    "energy of a force that ends before the stroke": (
        pusher("kickoff_spring", "energy = 0.4\nstiffness = 100"),
        "energy",
        "less than 0.5 J",
    ),
    "energy of a force that does not fall": (
        pusher("kickoff_spring", "energy = 4\npreload = 40"),
        "energy",
        "not less than 4 J",
    ),
    "spring without a stiffness": (pusher("kickoff_spring", "preload = 50"), "stiffness", "is required"),
    "delay of what is not fired": (
        pusher("kickoff_spring", SPRING + "delay = 0.1"),
        "delay",
        "no phase or event fires",
    ),
    "waiting for what is not fired": (
        pusher("kickoff_spring", SPRING) + '[events.now]\nwhen = { elapsed = 0.5 }\nafter = "d fired"\n',
        "events.now.after",
        "never occurs",
    ),
    "no delay at all": (pusher("kickoff_spring", SPRING + "delay = nan"), "delay", "nan"),
    "slides without an axis": (
        pusher("kickoff_spring", SPRING + 'contact = "slides"'),
        "contact",
        "Set 'axis'",
    ),
    "plate of a fixed end": (pusher("piston", "push = 5\nplate = [0, 0, 1]"), "plate", 'contact = "slides"'),
    "plate without a normal": (
        pusher("piston", 'push = 5\naxis = [1, 0, 0]\ncontact = "slides"\nplate = [0, 0, 0]'),
        "plate",
        "vector is zero",
    ),
    "unknown contact": (pusher("piston", 'push = 5\ncontact = "rolls"'), "contact", "slides"),
    "piston without force": (pusher("piston", ""), "push", "neither 'push' nor 'chamber'"),
    "piston with two forces": (
        GAS + pusher("piston", 'push = 5\nchamber = "gas"\narea = 1e-3'),
        "push",
        "exactly one",
    ),
    "piston without an area": (GAS + pusher("piston", 'chamber = "gas"'), "area", "required with chamber"),
    "area without a chamber": (pusher("piston", "push = 5\narea = 1e-3"), "area", "is set without chamber"),
    "unknown chamber": (
        GAS + pusher("piston", 'chamber = "gass"\narea = "10 cm^2"'),
        "chamber",
        "did you mean 'gas'",
    ),
    "pulling table": (
        pusher("piston", "push = { stroke = [0, 0.1], value = [5, -5] }"),
        "push.value",
        "not be negative",
    ),
    "table that runs back": (
        pusher("piston", "push = { stroke = [0, 0.1, 0.05], value = [5, 5, 5] }"),
        "push.stroke",
        "must increase from row to row",
    ),
    "table of one point": (
        pusher("piston", "push = { time = [0], value = [5] }"),
        "push.time",
        "fewer than 2 points",
    ),
    "columns of a table": (
        pusher("piston", "push = { time = [0, 1, 2], value = [5, 5] }"),
        "push.value",
        "2 rows, but 'time' has 3",
    ),
    "no gas has it": (
        pusher("pneumatic_pusher", CYLINDER + "dead_volume = 1\nheat_ratio = 1"),
        "heat_ratio",
        "out of range",
    ),
    "gauge pressure": (
        pusher("pneumatic_pusher", CYLINDER + 'dead_volume = 1\nambient_pressure = "9 bar"'),
        "pressure",
        "absolute pressure",
    ),
    "too little gas": (
        pusher("pneumatic_pusher", CYLINDER + 'dead_volume = "1 cm^3"\nambient_pressure = "1 bar"'),
        "stroke",
        "gas pressure is",
    ),
    "no gas": (pusher("pneumatic_pusher", CYLINDER), "dead_volume", "is required"),
    "supply that is also closed in": (
        pusher("pneumatic_pusher", CYLINDER + 'dead_volume = 1\nsupply = "constant"'),
        "dead_volume",
        "has no effect",
    ),
    "temperature for pressure": (
        pusher("pneumatic_pusher", 'pressure = "300 K"\nbore = 1\ndead_volume = 1'),
        "pressure",
        "allowed: Pa",
    ),
    "connector that is fired": (
        pusher("umbilical", "pull_off = 5") + '[events.now]\nwhen = { time = 0.5 }\nfire = ["d"]\n',
        "events.now.fire",
        "cannot be fired",
    ),
    "connector after an event": (pusher("umbilical", 'pull_off = 5\nafter = "go"'), "after", ""),
    "connector by time": (
        pusher("umbilical", "pull_off = { time = [0, 1], value = [5, 5] }"),
        "pull_off",
        "",
    ),
    "no friction speed": (
        pusher("kickoff_spring", SPRING + "friction_speed = 0"),
        "friction_speed",
        "more than zero",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_makes_no_sense_is_refused(case):
    text, place, says = REFUSED[case]
    with pytest.raises(ist.BadInput) as caught:
        loads(HEAD + text).check()
    (problem,) = caught.value.problems
    assert problem.place == (place if place.startswith("events") else f"devices.d.{place}")
    assert says in problem.message


def test_the_energy_of_a_spring_says_what_is_not_given():
    """(F - k s/2) s of force and stroke; what follows is no input of its own."""
    ends: dict[str, Any] = {"name": "d", "parent": "a", "child": "b", "stroke": 0.1}
    for given in ("stiffness", 100.0), ("preload", 50.0):
        numbers: dict[str, Any] = ends | dict([given])
        spring = ist.KickoffSpring(**numbers, energy=4.5)
        assert (spring.preload - spring.stiffness * 0.1 / 2) * 0.1 == pytest.approx(4.5, rel=1e-15)
        assert spring.preload == pytest.approx(50.0, rel=1e-15)
        assert spring.stiffness == pytest.approx(100.0, rel=1e-14)
    (spring,) = loads(HEAD + pusher("kickoff_spring", "energy = 4.5\npreload = 50")).devices
    stiffer = tree.set(spring, "energy", 4.0)
    assert stiffer.stiffness == pytest.approx(200.0, rel=1e-14)


def test_chambers_are_checked_with_their_pistons():
    """One that drives nothing; one whose pistons together use it up, which none does alone."""
    with pytest.raises(ist.BadInput, match=r"devices\.gas: the gas chamber drives no piston"):
        loads(HEAD + GAS).check()
    piston = ENDS + 'kind = "piston"\nchamber = "gas"\narea = "40 cm^2"\n'
    thin = GAS.replace("30 bar", "3 bar") + 'ambient_pressure = "1.1 bar"\n'
    loads(HEAD + thin + f"[devices.d]\n{piston}").check()
    loads(HEAD + thin + f"[devices.d]\n{piston}[devices.e]\n{piston}strength = 0\n").check()
    with pytest.raises(ist.BadInput, match=r"devices\.d\.stroke: the stroke is too long: .* All pistons"):
        loads(HEAD + thin + f"[devices.d]\n{piston}[devices.e]\n{piston}").check()


def test_what_keeps_energy():
    """Springs and closed gas do, what rubs or is given does not."""
    kept = {
        "kickoff_spring": (SPRING, True),
        "pneumatic_pusher": (CYLINDER + "dead_volume = 1", True),
        "piston": ("push = 5", False),
        "umbilical": ("pull_off = 5", False),
    }
    for kind, (rest, keeps) in kept.items():
        assert keeps_energy(loads(HEAD + pusher(kind, rest))) is keeps
    for rest in ("friction = 1", 'contact = "slides"\naxis = [1, 0, 0]'):
        assert not keeps_energy(loads(HEAD + pusher("kickoff_spring", SPRING + rest)))
    for rest in ("dead_volume = 1\nstrength = 0.8", 'supply = "constant"'):
        assert not keeps_energy(loads(HEAD + pusher("pneumatic_pusher", CYLINDER + rest)))


def test_a_push_along_no_line_is_refused():
    spring = ist.KickoffSpring(name="spring", parent="a", child="b", stiffness=10, preload=1, stroke=0.1)
    bodies = tuple(ist.Body(name=name, mass=2.0, inertia=MOMENTS, initial=ist.State()) for name in "ab")
    phases = (ist.Phase(name="coast", until=ist.Trigger(time=1.0)),)
    with pytest.raises(ist.BadInput, match=r"devices\.spring\.axis: the two points"):
        simulate.fly(ist.Scenario(bodies=bodies, devices=(spring,), phases=phases))


def test_the_figure_shows_pushers_from_when_they_are_let_go_until_they_are_spent(monkeypatch):
    """Those that push at other times in rows of their own. Samples are every second here, between events at
    2.5, 4.2 and 9 s."""
    times = np.array([0.0, 1, 2, 2.5, 3, 4, 4.2, 5, 6, 7, 8, 9, 10])
    stroke = np.where(times < 2.5, 0.0, times - 2.5)
    pushing = {"a": times < 4.5, "b": times < 4.1, "c": times < 9.5}
    moved = {"a": stroke, "b": stroke, "c": np.where(times < 8, 0.0, times - 8)}
    series = {f"devices.{n}.state": pushing[n].astype(float) for n in "abc"}
    series |= {f"devices.{n}.stroke": moved[n] for n in "abc"}
    monkeypatch.setattr(shown, "timeline", lambda record, path: (times, series[path]))
    record: Any = SimpleNamespace(time=times)
    found = list(shown._groups(record, ["c", "a", "b"]))
    assert [names for names, _ in found] == [["a", "b"], ["c"]]
    margin = shown.MARGIN
    assert found[0][1] == pytest.approx((2.5 - 1.7 * margin, 4.2 + 1.7 * margin))
    assert found[1][1] == pytest.approx((8.0 - 1.0 * margin, 9.0 + 1.0 * margin))
