"""A winged booster and its orbiter from the pad to orbit and back to the launch site, in one run: numbers of
the report, all legs by SciPy, the staging alone, balances across each switch, and dispersed cases
(SOURCE.md)."""

import tomllib
from copy import deepcopy
from fnmatch import fnmatchcase

import numpy as np

from interstage import Scenario
from interstage.reading import load
from interstage.studies.verify import Row
from interstage.tree.addresses import get

from ..comparison import length, turned, worst
from . import by_hand, by_hand_apart
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
"""Standard deviations, of the values; why: SOURCE.md. What is of one engine, or one body, has one draw."""
MOST = 3.0
"""Standard deviations that dispersions are cut off at."""
LAST = 4.0
"""The longest time [s] from the last steering to the cut-off: it is kept for the last 3 s, and a sample comes
each second."""
FLATTENED = 3 * by_hand.J2 * by_hand.MU / by_hand.RADIUS**2
"""The most that gravity with J2 differs from a point's [m/s^2], over the poles."""


def at_staging(ascent):
    """Rows of table 12, and of the time."""
    for name, (value, bound, unit) in TABLE_12.items():
        found = ascent.series[f"bodies.orbiter.{name}"][-1] / unit
        yield Row(f"staging, table 12: {name}", abs(found - value), bound, f"{found:.6g}")
    yield Row("staging: around 119 s [s]", abs(ascent.time[-1] - 119), 1.0, f"{ascent.time[-1]:.2f} s")


def by_scipy(record, mission):
    """Rows of all legs beside those by SciPy, from the pad on (SOURCE.md has the bounds)."""
    found = mission.fly()
    ascent, staging, insertion, home = (
        record.legs[name] for name in ("ascent", "staging", "insertion", "return")
    )
    time, state = found.ascent
    yield Row("SciPy: ascent, time [s]", abs(time - ascent.time[-1]), 1e-5)
    yield from apart("ascent", state, ascent, "orbiter", (0.2, 5e-3))
    times, state = found.staging
    moments = [e.time for e in staging.events if e.name in ("hinged", "apart", "end")]
    yield Row("SciPy: staging, its moments [s]", worst(times - np.array(moments)), 1e-5)
    for name, one in (("orbiter", state), ("booster", state[13:])):
        yield from apart("staging", one, staging, name, (0.2, 5e-3))
    time, state = found.insertion
    yield Row("SciPy: cut-off, time [s]", abs(time - insertion.time[-1]), 1e-3)
    yield from apart("cut-off", state, insertion, "orbiter", (0.6, 0.03))
    time, state = found.return_
    yield Row("SciPy: return, time [s]", abs(time - home.time[-1]), 0.01)
    yield from apart("return", state, home, "booster", (1.0, 0.1))


def apart(leg, state, record, body, bounds):
    """Rows of place and velocity beside those by SciPy as a leg ends."""
    for name, part, bound in zip(("position", "velocity"), (slice(0, 3), slice(3, 6)), bounds, strict=True):
        off = length(state[None, part] - record.series[f"bodies.{body}.{name}"][-1:])[0]
        yield Row(f"SciPy: {leg}, {name} of the {body} [m, m/s]", off, bound)


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
    names = ("bodies.orbiter.position", "bodies.orbiter.velocity", "aerodynamics.orbiter_alone.force")
    position, velocity, force = (orbiter.series[name][-1] for name in names)
    over, ground = climbing(position, velocity)
    shown = orbiter.series["bodies.orbiter.inertial_flight_path_angle"][-1]
    stray = length(force[None])[0] / orbiter.series["bodies.orbiter.mass"][-1] + FLATTENED
    yield Row(
        "cut-off: level over the centre of the Earth [deg]",
        abs(over) / DEG,
        stray * LAST / (25855.0 * FT) / DEG,
        f"over the ellipsoid {shown / DEG:.4f} deg",
    )
    # Rounding of 1e-16 through the steps of the latitude.
    yield Row("cut-off: path over the ellipsoid, by hand [deg]", abs(shown - ground) / DEG, 1e-9)
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


def climbing(position, velocity):
    """Inertial flight-path angles [rad] over a sphere, as guidance has them, and over the ellipsoid: the two
    levels are up to 0.19 deg apart, to the north or south."""
    down = by_hand.level(position)[-1]
    speed = np.sqrt(velocity @ velocity)
    return tuple(np.arcsin(velocity @ up / speed) for up in (position / np.sqrt(position @ position), -down))


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
            f"{name}: centre of mass [of its radius]",
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
    """Energy of the rotation of bodies as one, about their common centre of mass [J]."""
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


LENGTH, SPEED, RATE = 260.1 * FT, 100.0, 0.1
"""Units of the staging alone [m], [m/s], [rad/s]."""
TOLERANCE = 1e-12
"""Of the leg, with respect to 1 rad/s."""


def same_staging(fly, record, table):
    """Rows of the staging within the mission compared with the one alone, in parts of lengths, rates and
    times. The bound is the sum of the errors that the tolerance permits in all steps of both flights.

    Each step may miss the angular velocity by the tolerance times 1 rad/s, which is 10 tolerances of `RATE`.
    An error of the rate turns the bodies for at most 4.5 s, seen over at most 2.1 lengths, which is 9.5
    tolerances of a length. Errors of velocities and places, with respect to 1 m/s and 1 m, are less. The
    end comes at 83 m/s, about one length a second, so that times are no worse."""
    alone, leg = fly(staging_alone(record, table)), record.legs["staging"]
    steps = sum(one.statistics["steps accepted"] for one in (alone, leg))
    bound = steps * TOLERANCE / RATE
    moments = [[e.time for e in one.events if e.name in ("hinged", "apart", "end")] for one in (alone, leg)]
    yield Row(
        "staging alone: its moments [s]",
        worst(np.array(moments[0]) - (np.array(moments[1]) - leg.time[0])),
        bound,
    )
    for name, unit in (("separation", LENGTH), ("relative_velocity", SPEED), ("relative_rate", RATE)):
        path = f"pairs.orbiter.booster.{name}"
        apart = worst(alone.series[path][-1] - leg.series[path][-1])
        yield Row(f"staging alone: {name} at the end [of {unit:g}]", apart / unit, bound)


def compare(fly, folder):
    """The mission, and its parts alone."""
    table = tomllib.loads((folder / "scenario.toml").read_text())
    record = fly(folder / "scenario.toml")
    yield Row("all legs are flown [1 if not]", float(not record.completed), 0.0)
    yield from at_staging(record.legs["ascent"])
    yield from by_scipy(record, by_hand_apart.Mission(table))
    yield from staging(record)
    yield from same_staging(fly, record, table)
    yield from ends(record, table)
    yield from kept(record)
    yield from drained(record, table)
    yield from in_lanes(record, load(folder / "scenario.toml"), table)


# --- dispersed


def dispersed(scenario):
    """Inputs of the cases, the first as declared."""
    random = np.random.default_rng(2016219326)
    found, draws = {}, {}
    for pattern, spread in SPREAD.items():
        group, name, field = pattern.split(".")
        for one in getattr(scenario, group):
            if fnmatchcase(one.name, name):
                key = pattern, getattr(one, "body", one.name)
                if key not in draws:
                    draws[key] = spread * np.clip(random.standard_normal(LANES), -MOST, MOST)
                    draws[key][0] = 0.0
                path = f"{group}.{one.name}.{field}"
                found[path] = float(get(scenario, path)) * (1 + draws[key])
    return found


def in_lanes(record, scenario, table):
    """Rows of the mission in dispersed cases of one run."""
    inputs = dispersed(scenario)
    batch = scenario.run_batch(inputs, samples=False, together=True)
    failing = [lane for lane in range(LANES) if not batch.outcome(lane)[1]]
    note = f"lane {failing[0]}: {batch.outcome(failing[0])[0]}" if failing else ""
    yield Row(f"{LANES} lanes: that do not fly all legs", len(failing), 0.0, note)
    yield from orbits(batch, inputs, table)
    miss = batch.value("bodies.booster.range_to.launch", "return end") / MILE
    note = f"at 1000 ft, {(miss <= 1).sum()} of {LANES} within a mile"
    yield Row(f"{LANES} lanes, return: from the launch site [miles]", miss.max(), 1.0, note)
    for leg, path, size in (
        ("staging", "pairs.orbiter.booster.separation", 260.1 * FT),
        ("insertion", "bodies.orbiter.position", 6.4e6),
        ("return", "bodies.booster.position", 6.4e6),
    ):
        alone = record.legs[leg].series[path][-1]
        off = length((batch.value(path, f"{leg} end")[0] - alone)[None])[0]
        yield Row(f"first lane, {leg} end: compared with the flight alone [of {size:g} m]", off / size, 1e-9)
    yield from one_by_scipy(batch, inputs, table)


def dot(a, b):
    """Products of rows (rows, 3)."""
    return np.sum(a * b, axis=-1)


def orbits(batch, inputs, table):
    """Rows of the cut-off in all lanes: how far speed, path angle and radius are off, beside what guidance
    does not know of in its last seconds: how far the thrust is from what it is reported, the atmosphere, and
    the planet's flattening (SOURCE.md)."""
    position, velocity, attitude, left, force = (
        batch.value(path, "insertion end")
        for path in (
            *(f"bodies.orbiter.{name}" for name in ("position", "velocity", "attitude")),
            "bodies.orbiter.elements.propellant.left",
            "aerodynamics.orbiter_alone.force",
        )
    )
    radius, speed, mass = length(position), length(velocity), inputs["bodies.orbiter.mass"] + left
    along, up = velocity / speed[:, None], position / radius[:, None]
    thrust = turned(attitude, np.broadcast_to(np.eye(3)[0], position.shape))
    gained, stray = untold(batch, inputs, mass, table), length(force) / mass + FLATTENED
    faster, higher = speed - 25855 * FT - gained * dot(thrust, along), speed * dot(along, up)
    target = by_hand.RADIUS + number(table["guidance"]["insertion"]["orbit"]["altitude"])
    sideways = np.abs(gained) * length(thrust - dot(thrust, along)[:, None] * along)
    span = (speed / FT - 25855).min(), (speed / FT - 25855).max()
    note = f"{span[0]:+.2f} to {span[1]:+.2f} ft/s"
    of_it = "relative to the part that guidance does not know [of that]"
    yield Row(f"{LANES} lanes, cut-off: speed, {of_it}", worst(faster / (stray * LAST)), 1.0, note)
    climb = np.abs(higher) / (stray * LAST + sideways)
    note = f"up to {np.degrees(np.abs(dot(along, up)).max()):.4f} deg"
    yield Row(f"{LANES} lanes, cut-off: path angle, {of_it}", climb.max(), 1.0, note)
    off = radius - target
    heights = np.array([by_hand.level(one)[1] for one in position]) / FT
    note = (
        f"{off.min():+.2f} to {off.max():+.2f} m; {heights.min():.0f} to {heights.max():.0f} ft of altitude"
    )
    fallen = LAST * (stray * LAST + sideways) / 2
    yield Row(f"{LANES} lanes, cut-off: radius, {of_it}", worst(off / fallen), 1.0, note)
    normal = np.cross(position, velocity)
    inclination = np.degrees(np.arccos(normal[:, 2] / length(normal)))
    note = f"{inclination.min():.4f} to {inclination.max():.4f} deg"
    yield Row(f"{LANES} lanes, cut-off: inclination [deg]", worst(inclination - 51.6), 0.05, note)
    left = left / by_hand.LBM
    note = f"{left.min():.0f} to {left.max():.0f} lbm are left"
    yield Row(f"{LANES} lanes, cut-off: without propellant", int((~(left > 0)).sum()), 0.0, note)


def untold(batch, inputs, mass, table):
    """By how much more the thrust accelerates each case from the last steering to the cut-off than guidance
    is reported [m/s]. mass: at the cut-off."""
    engine = table["engines"]["orbiter_engine"]
    moment = {name: batch.event_time[list(batch.events).index(name)] for name in ("full", "insertion end")}
    kept = LAST - 1 + np.mod(moment["insertion end"] - moment["full"], 1.0)

    def gain(thrust, isp):
        exhaust = isp * by_hand.G0
        return exhaust, engine["throttle"]["value"][-1] * thrust / exhaust

    exhaust, flow = gain(*(inputs[f"engines.orbiter_engine.{name}"] for name in ("thrust", "isp")))
    told, drawn = gain(number(engine["thrust"]), number(engine["isp"]))
    first = mass + flow * kept
    return exhaust * np.log(first / mass) - told * np.log(first / (first - drawn * kept))


def one_by_scipy(batch, inputs, table):
    """Rows of the case that is farthest from the declared inputs, flown by SciPy."""
    off = sum((value / value[0] - 1) ** 2 / spread_of(path) ** 2 for path, value in inputs.items())
    lane, changed = int(np.argmax(off)), deepcopy(table)
    for path, values in inputs.items():
        group, name, field = path.split(".")
        changed[group][name][field] = float(values[lane])
    found = by_hand_apart.Mission(changed).fly()
    for leg, body, state, bound in (
        ("insertion", "orbiter", found.insertion[1], 0.6),
        ("return", "booster", found.return_[1], 1.0),
    ):
        position = batch.value(f"bodies.{body}.position", f"{leg} end")[lane]
        apart = length((state[:3] - position)[None])[0]
        yield Row(f"lane {lane}, SciPy: {leg} end, position of the {body} [m]", apart, bound)


def spread_of(path):
    """The standard deviation of an input."""
    return next(spread for pattern, spread in SPREAD.items() if fnmatchcase(path, pattern))
