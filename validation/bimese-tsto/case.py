"""A winged booster and its orbiter from the pad to orbit and back to the launch site, in one run: numbers of
the report, an ascent by SciPy, the staging alone, and balances across each switch (SOURCE.md)."""

import tomllib
from fnmatch import fnmatchcase

import numpy as np

from interstage import Scenario
from interstage.scenario import load
from interstage.studies.verify import Row
from interstage.tree.declaration import get

from ..comparison import length, turned, worst
from . import by_hand
from .by_hand import FT, SPIN, number

DEG, PSF, MILE = np.pi / 180, 47.88025898, 5280 * FT
TABLE_12 = {
    "mach": (3.79, 0.005, 1.0),
    "altitude": (93975.0, 0.5, FT),
    "ground_speed": (3741.0, 0.5, FT),
    "flight_path_angle": (34.57, 0.005, DEG),
    "alpha": (0.0, 0.5, DEG),
    "dynamic_pressure": (308.0, 0.2, PSF),
}
"""Of NASA/TP-2016-219326: value, half of the last digit, unit in SI. The pressure follows from altitude and
speed, whose last digits leave 0.17 psf of it."""
BODIES = ("orbiter", "booster")
LANES = 100
SPREAD = {
    "engines.*.thrust": 0.01,
    "engines.*.isp": 0.003,
    "bodies.*.mass": 0.01,
    "aerodynamics.*_alone.area": 0.05,
}
"""Judgement: standard deviations, of the values, by which each input is dispersed by itself; areas stand for
lift and drag."""
MOST = 3.0
"""Standard deviations that dispersions are cut off at."""


def at_staging(ascent):
    """Rows of table 12, and of the time."""
    for name, (value, bound, unit) in TABLE_12.items():
        found = ascent.series[f"bodies.orbiter.{name}"][-1] / unit
        yield Row(f"staging, table 12: {name}", abs(found - value), bound, f"{found:.6g}")
    yield Row("staging: around 119 s [s]", abs(ascent.time[-1] - 119), 1.0, f"{ascent.time[-1]:.2f} s")


def by_scipy(ascent, table):
    """Rows of the ascent beside the one by SciPy. At 1e-9 that is within 0.02 m and 6e-4 m/s of itself with
    less; and it leaves out that the level turns as the stack moves on: 1e-4 rad/s, over 9 m."""
    time, state, _ = by_hand.Ascent(table).fly(1e-9)
    yield Row("ascent, SciPy: time [s]", abs(time - ascent.time[-1]), 1e-5)
    for name, part, bound in (("position", slice(0, 3), 0.2), ("velocity", slice(3, 6), 5e-3)):
        apart = length(state[None, part] - ascent.series[f"bodies.orbiter.{name}"][-1:])[0]
        yield Row(f"ascent, SciPy: {name} of the orbiter [m, m/s]", apart, bound)


def staging(record):
    """Rows of the release and of the end of the staging."""
    when = {event.name: event.time for event in record.events}
    alone = record.legs["staging"]
    done = when["staging end"] - when["ascent end"]
    yield Row("staging: over at 2.1 lengths, about 5 s [s]", abs(done - 5), 0.5, f"{done:.2f} s")
    row = next(k for k, event in enumerate(alone.events) if event.name == "apart")
    noses = [turned(alone.before[f"bodies.{n}.attitude"][row][None], np.eye(3)[:1])[0] for n in BODIES]
    pitch = np.degrees(np.arcsin(length(np.cross(*noses)[None])[0]))
    yield Row("staging: relative pitch at the release, 1 deg [deg]", abs(pitch - 1), 1e-9)
    yield Row("staging: gap of the joint [m]", worst(alone.series["joints.aft.displacement"][:5]), 1e-9)


def ends(record, scenario):
    """Rows of the orbiter's cut-off and of the booster's return."""
    orbiter, booster = record.legs["insertion"], record.legs["return"]
    for name, value, bound, unit in (
        ("altitude", 303800.0, 50.0, FT),  # the last digits that the report has
        ("speed", 25855.0, 0.5, FT),
        ("inclination", 51.6, 0.05, DEG),
    ):
        found = orbiter.series[f"bodies.orbiter.{name}"][-1] / unit
        yield Row(f"cut-off: {name} of the orbiter", abs(found - value), bound, f"{found:.7g}")
    yield Row(
        "cut-off: level [deg]",
        abs(orbiter.series["bodies.orbiter.inertial_flight_path_angle"][-1] / DEG),
        0.2,
    )
    left = orbiter.series["bodies.orbiter.elements.propellant.left"][-1]
    yield Row(
        "cut-off: propellant is left [1 if not]", float(left <= 0), 0.0, f"{left / by_hand.LBM:.0f} lbm"
    )
    miss = booster.series["bodies.booster.range_to.launch"][-1]
    yield Row("return: within a mile of the launch site [miles]", miss / MILE, 1.0)
    height = booster.series["bodies.booster.altitude"][-1] / FT
    yield Row("return: at 1000 ft [ft]", abs(height - 1000), 1e-3)
    for leg, bound in (("insertion", 3.05), ("return", 3.0)):
        most = record.legs[leg].series[f"bodies.{leg_body(leg)}.load_factor"].max()
        yield Row(f"{leg}: load factor [g]", most, bound)


def leg_body(leg):
    """The body of a leg of one."""
    return "orbiter" if leg == "insertion" else "booster"


def kept(record):
    """Rows of what goes on across each switch: mass, place, momentum, and energy but for the rotation."""
    for first, then in (
        ("pad", "ascent"), ("ascent", "staging"), ("staging", "insertion"), ("staging", "return"),
    ):  # fmt: skip
        old, new = record.legs[first], record.legs[then]
        bodies = [n for n in BODIES if f"bodies.{n}.mass" in new.series]
        ends_ = [
            [one.series[f"bodies.{n}.{what}"][k] for n in bodies]
            for what in ("mass", "position", "velocity")
            for one, k in ((old, -1), (new, 0))
        ]
        mass, mass_now, place, place_now, speed, speed_now = map(np.array, ends_)
        name = f"{first} to {then}"
        yield Row(f"{name}: mass [of it]", worst(mass_now / mass - 1), 1e-10)
        centre, centre_now = (m @ p / m.sum() for m, p in ((mass, place), (mass_now, place_now)))
        yield Row(
            f"{name}: mass centre [of its radius]",
            worst(centre_now - centre) / length(centre[None])[0],
            1e-10,
        )
        momentum = mass @ speed
        drift = worst(mass_now @ speed_now - momentum) / length(momentum[None])[0]
        yield Row(f"{name}: momentum [of it]", drift, 1e-10)
        energy, energy_now = energy_of(old, bodies, -1), energy_of(new, bodies, 0)
        turning, turning_now = turning_of(old, bodies, -1), turning_of(new, bodies, 0)
        # What a switch drops or adds is the energy of the rotation as one.
        lost = (energy_now - energy) - (turning_now - turning)
        note = f"rotation {turning:.4g} J to {turning_now:.4g} J"
        yield Row(f"{name}: energy, but for the rotation [of it]", abs(lost) / energy, 1e-10, note)


def energy_of(record, bodies, row):
    """Kinetic energy of bodies at a sample, each by itself [J]."""
    found = 0.0
    for name in bodies:
        mass, velocity, rate, inertia = (
            record.series[f"bodies.{name}.{what}"][row]
            for what in ("mass", "velocity", "angular_velocity", "inertia")
        )
        found += 0.5 * mass * velocity @ velocity + 0.5 * rate @ np.diag(inertia[:3]) @ rate
    return found


def turning_of(record, bodies, row):
    """Energy of the rotation of bodies as one, about their common mass centre [J]."""
    found, place, mass = 0.0, [], []
    for name in bodies:
        rate, inertia = (
            record.series[f"bodies.{name}.{what}"][row] for what in ("angular_velocity", "inertia")
        )
        found += 0.5 * rate @ np.diag(inertia[:3]) @ rate
        place.append(record.series[f"bodies.{name}.position"][row])
        mass.append(record.series[f"bodies.{name}.mass"][row])
    if len(bodies) == 2:
        spin = turned(record.series[f"bodies.{bodies[0]}.attitude"][row][None],
                      record.series[f"bodies.{bodies[0]}.angular_velocity"][row][None])[0]  # fmt: skip
        across = np.cross(spin, place[1] - place[0])
        found += 0.5 * mass[0] * mass[1] / (mass[0] + mass[1]) * across @ across
    return found


def drained(record, table):
    """Rows of the orbiter's propellant: thrust in vacuum over exhaust speed, by the table of its throttle."""
    engine = table["engines"]["orbiter_engine"]
    flow = number(engine["thrust"]) / (number(engine["isp"]) * by_hand.G0)
    lit = record.legs["staging"].time[0]
    off = record.legs["insertion"].time[-1] - lit
    times, settings = number(engine["throttle"]["time"]), np.array(engine["throttle"]["value"])
    grid = np.unique([*times[times < off], off])
    used = flow * np.trapezoid(np.interp(grid, times, settings), grid)
    left = record.legs["insertion"].series["bodies.orbiter.elements.propellant.left"][-1]
    full = number(table["bodies"]["orbiter"]["elements"]["propellant"]["propellant"])
    yield Row(
        "orbiter: propellant used, by the table of its throttle [of it]",
        abs(full - left - used) / used,
        1e-10,
    )


def staging_alone(record, table):
    """The staging as a scenario of its own, from the state in which the mission's begins."""
    leg = record.legs["staging"]
    turn = -SPIN * leg.time[0]  # the planet stands as at the start of a flight
    c, s, h = np.cos(turn), np.sin(turn), turn / 2
    about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    half = np.array([np.cos(h), 0, 0, np.sin(h)])
    bodies = {}
    for name in BODIES:
        values = {
            k: leg.series[f"bodies.{name}.{k}"][0]
            for k in ("position", "velocity", "attitude", "angular_velocity")
        }
        state = {k: (about @ values[k]).tolist() for k in ("position", "velocity")}
        state["attitude"] = {"quaternion": product(half, values["attitude"]).tolist()}
        state["angular_velocity"] = values["angular_velocity"].tolist()
        bodies[name] = {**table["bodies"][name], "initial": state}
    bodies["booster"] = {k: v for k, v in bodies["booster"].items() if k != "elements"}
    phases = table["legs"]["staging"]["phases"]
    kept = ("units", "planet", "gravity", "atmosphere", "joints", "aerodynamics")
    return Scenario.model_validate(
        {k: table[k] for k in kept}
        | {"engines": {"orbiter_engine": table["engines"]["orbiter_engine"]}}
        | {"bodies": bodies, "phases": phases}
        | {key: table["legs"]["staging"][key] for key in ("solver", "output")}
    )


def product(p, q):
    """Of two quaternions, scalar first."""
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def same_staging(fly, record, table):
    """Rows of the staging within the mission beside the one alone, 1e-9 of lengths, rates and times."""
    alone, leg = fly(staging_alone(record, table)), record.legs["staging"]
    moments = [[e.time for e in one.events if e.name in ("hinged", "apart", "end")] for one in (alone, leg)]
    yield Row(
        "staging alone: its moments [s]",
        worst(np.array(moments[0]) - (np.array(moments[1]) - leg.time[0])),
        1e-9,
    )
    for name, unit in (("separation", 260.1 * FT), ("relative_velocity", 100.0), ("relative_rate", 0.1)):
        path = f"pairs.orbiter.booster.{name}"
        apart = worst(alone.series[path][-1] - leg.series[path][-1])
        yield Row(f"staging alone: {name} at the end [of {unit:g}]", apart / unit, 1e-9)


def compare(fly, folder):
    """The mission, and its parts alone."""
    table = tomllib.loads((folder / "scenario.toml").read_text())
    record = fly(folder / "scenario.toml")
    yield Row("all legs are flown [1 if not]", float(not record.completed), 0.0)
    yield from at_staging(record.legs["ascent"])
    yield from by_scipy(record.legs["ascent"], table)
    yield from staging(record)
    yield from same_staging(fly, record, table)
    yield from ends(record, table)
    yield from kept(record)
    yield from drained(record, table)
    yield from in_lanes(record, load(folder / "scenario.toml"))


# --- dispersed


def dispersed(scenario):
    """Inputs of the lanes, the first as declared."""
    random = np.random.default_rng(2016219326)
    found = {}
    for pattern, spread in SPREAD.items():
        group, name, field = pattern.split(".")
        for one in getattr(scenario, group):
            if fnmatchcase(one.name, name):
                path = f"{group}.{one.name}.{field}"
                off = spread * np.clip(random.standard_normal(LANES), -MOST, MOST)
                off[0] = 0.0
                found[path] = float(get(scenario, path)) * (1 + off)
    return found


def in_lanes(record, scenario):
    """Rows of the mission in dispersed lanes of one run: how many do not come to all ends, how near to the
    orbit and to the launch site the others come, and the first beside the flight alone."""
    batch = scenario.run_batch(dispersed(scenario), samples=False, together=True)
    failing = [lane for lane in range(LANES) if not batch.outcome(lane)[1]]
    note = f"lane {failing[0]}: {batch.outcome(failing[0])[0]}" if failing else ""
    yield Row(f"{LANES} lanes: that do not fly all legs", len(failing), 0.0, note)
    ends_ = {
        "altitude": ("bodies.orbiter.altitude", "insertion end", 303800.0, FT, 1000.0),
        "speed": ("bodies.orbiter.speed", "insertion end", 25855.0, FT, 10.0),
        "inclination": ("bodies.orbiter.inclination", "insertion end", 51.6, DEG, 0.05),
    }
    for name, (path, at, value, unit, bound) in ends_.items():
        found = batch.value(path, at) / unit
        note = f"{found.min():.7g} to {found.max():.7g}"
        yield Row(f"{LANES} lanes, cut-off: {name}", worst(found - value), bound, note)
    left = batch.value("bodies.orbiter.elements.propellant.left", "insertion end") / by_hand.LBM
    note = f"{left.min():.0f} to {left.max():.0f} lbm are left"
    yield Row(f"{LANES} lanes, cut-off: without propellant", int((~(left > 0)).sum()), 0.0, note)
    miss = batch.value("bodies.booster.range_to.launch", "return end") / MILE
    yield Row(f"{LANES} lanes, return: from the launch site [miles]", miss.max(), 1.0)
    for leg, path, size in (
        ("staging", "pairs.orbiter.booster.separation", 260.1 * FT),
        ("insertion", "bodies.orbiter.position", 6.4e6),
        ("return", "bodies.booster.position", 6.4e6),
    ):
        alone = record.legs[leg].series[path][-1]
        apart = length((batch.value(path, f"{leg} end")[0] - alone)[None])[0]
        yield Row(f"first lane, {leg} end: beside the flight alone [of {size:g} m]", apart / size, 1e-9)
