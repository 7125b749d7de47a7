"""Staging of two equal winged vehicles: its start, hand calculations, balances and directions (SOURCE.md)."""

import re
import tomllib

import numpy as np

from interstage.studies.verify import Row

from ..comparison import length, turned, worst

FT, DEG = 0.3048, np.pi / 180
LBF = 4.4482216152605
SLUG, PSF = LBF / FT, LBF / FT**2
UNITS = {"ft": FT, "ft^2": FT**2, "slug": SLUG, "slug ft^2": SLUG * FT**2, "ft/s": FT, "lbf": LBF, "deg": DEG}
BODIES = ("orbiter", "booster")
FLIP = np.array([1.0, -1.0, -1.0])
"""From the booster's axes to the orbiter's while the two lie belly to belly."""
TABLE_12 = {"mach": (3.79, 0.005), "dynamic_pressure": (308.0, 0.2)}
"""NASA/TP-2016-219326; half of the last digit, and what altitude and speed leave of the pressure: 1 ft and 1
ft/s, half of their last digits on each side, are 0.01 and 0.16 psf."""


def si(value):
    """A value of the scenario in SI."""
    if not isinstance(value, str):
        return np.array(value, dtype=float)
    numbers, unit = re.fullmatch(r"(\[.*\]|[-\d.]+) (.+)", value).groups()  # pyright: ignore[reportOptionalMemberAccess]
    return np.array(tomllib.loads(f"x = {numbers}")["x"], dtype=float) * UNITS[unit]


def standard_air(altitude):
    """Density [kg/m^3] and speed of sound [m/s] from 20 to 32 km (U.S. Standard Atmosphere 1976)."""
    height = 6356766.0 * altitude / (6356766.0 + altitude)
    temperature = 216.65 + 1e-3 * (height - 20e3)
    gas = 8.31432 / 0.0289644
    hydrostatic = 9.80665 / gas
    base = 101325 * (216.65 / 288.15) ** (hydrostatic / 6.5e-3) * np.exp(-hydrostatic * 9e3 / 216.65)
    density = base * (216.65 / temperature) ** (hydrostatic / 1e-3) / (gas * temperature)
    return density, np.sqrt(1.4 * gas * temperature)


def load_by_hand(table, name, mach, pressure):
    """(force, moment about the centre of mass) of a vehicle at alpha 0 beside the other, in its own axes:
    numbers of the tables themselves, on a straight line over the Mach number."""
    alone, near = (table["aerodynamics"][n]["coefficients"] for n in (name, f"{name}_near"))
    share = mach - 3.0
    at_zero = alone["CL"]["axes"][1]["points"].strip("[]deg ").split(", ").index("0")
    lift, drag = (
        (1 - share) * c["values"][0][at_zero] + share * c["values"][1][at_zero]
        for c in (alone["CL"], alone["CD"])
    )
    # The mated pose is the first point of the booster's table, and the last dx of the orbiter's.
    normal, moment = (
        near[c]["values"][0][0][0] if name == "booster" else near[c]["values"][-1][0] for c in ("CN", "Cm")
    )
    size = pressure * si(table["aerodynamics"][name]["area"])
    force = size * np.array([-drag, 0.0, -lift - normal])
    pitch = size * si(table["aerodynamics"][name]["length"]) * (alone["Cm"]["values"][0] + moment)
    arm = si(table["aerodynamics"][name]["reference"]) - si(table["bodies"][name]["mass_centre"])
    return force, np.cross(arm, force) + np.array([0, pitch, 0])


def plane(force, moment):
    """(along x, along z, about y) of a force and a moment."""
    return np.array([force[0], force[2], moment[1]])


class Pair:
    """The two vehicles in the orbiter's plane of symmetry, in the orbiter's axes."""

    def __init__(self, table):
        bodies = table["bodies"]
        self.mass = [float(si(bodies[n]["mass"])) for n in BODIES]
        self.inertia = [float(si(bodies[n]["inertia"])[1]) for n in BODIES]
        ends = [si(table["joints"]["aft"][f"{end}_at"]) for end in ("parent", "child")]
        arms = [end - si(bodies[n]["mass_centre"]) for end, n in zip(ends, BODIES, strict=True)]
        self.arms = [arms[0], arms[1] * FLIP]

    def accelerations(self, loads, turning):
        """(accelerations (2, 3) of x, z and pitch, force of the joint on the booster (2,), torque) under
        loads (2, 3) of x, z and pitch, without gravity; at rest relative to each other.

        turning: whether the joint lets the booster turn. All by one set of linear equations."""
        unknowns = np.zeros((9, 9))
        right = np.zeros(9)
        for k, sign in ((0, -1.0), (1, 1.0)):
            x, z = self.arms[k][[0, 2]]
            rows = slice(3 * k, 3 * k + 3)
            unknowns[rows, rows] = np.diag([self.mass[k], self.mass[k], self.inertia[k]])
            # The joint pushes the booster by (Fx, Fz, M) and the orbiter by the opposite: about y it turns
            # them by z Fx - x Fz + M.
            unknowns[rows, 6:] = -sign * np.array([[1, 0, 0], [0, 1, 0], [z, -x, 1]])
            right[rows] = loads[k]
            # The point of the joint moves by (x'' + z theta'', z'' - x theta'').
            unknowns[6:8, rows] = sign * np.array([[1, 0, z], [0, 1, -x]])
            unknowns[8, 3 * k + 2] = 0.0 if turning else sign
        if turning:
            unknowns[8, 8] = 1.0
        found = np.linalg.solve(unknowns, right)
        return found[:6].reshape(2, 3), found[6:8], found[8]


def flown(values):
    """(accelerations less gravity, force of the joint, its torque) of a flight at one moment, as by hand."""
    rows = []
    for name, turn in zip(BODIES, (np.ones(3), FLIP), strict=True):
        sensed = values[f"bodies.{name}.sensed_acceleration"] * turn
        spin = values[f"bodies.{name}.angular_acceleration"] * turn
        rows.append(plane(sensed, spin))
    return np.array(rows), values["joints.aft.force"][[0, 2]], values["joints.aft.torque"][1]


def same(what, by_hand, values, bound):
    """Rows of accelerations and the joint's load by hand against the flight's."""
    accelerations, force, torque = flown(values)
    expected, push, twist = by_hand
    for k, name in enumerate(BODIES):
        for part, unit in ((slice(0, 2), "acceleration"), (slice(2, 3), "angular acceleration")):
            error = worst(accelerations[k, part] - expected[k, part]) / worst(expected[:, part])
            yield Row(f"{what}: {unit} of the {name} [of the largest]", error, bound)
    yield Row(f"{what}: force of the joint [of it]", worst(force - push) / worst(push), bound)
    arm = 30.63 * FT
    yield Row(
        f"{what}: torque of the joint [of its force times 30.6 ft]",
        abs(torque - twist) / worst(push) / arm,
        bound,
    )


def moment(record, k, side="after"):
    """Values of a record at an event, by path."""
    return {path: values[k] for path, values in getattr(record, side).items()}


def start(record, table):
    """Rows of the first instant: Table 12, the standard atmosphere, accelerations and joint load by hand."""
    first = {path: values[0] for path, values in record.series.items()}
    initial = table["bodies"]["orbiter"]["initial"]
    density, sound = standard_air(si(initial["altitude"]))
    speed = si(initial["speed"])
    mach, pressure = speed / sound, density * speed**2 / 2
    for name in BODIES:
        found = {
            "mach": first[f"bodies.{name}.mach"],
            "dynamic_pressure": first[f"bodies.{name}.dynamic_pressure"],
        }
        # The booster's mass centre is 31 ft below the orbiter's: 1.4e-3 of the pressure, 2e-5 of the sound.
        bound = 1e-9 if name == "orbiter" else 2e-3
        yield Row(f"{name}: Mach number [of it]", abs(found["mach"] / mach - 1), bound)
        yield Row(f"{name}: dynamic pressure [of it]", abs(found["dynamic_pressure"] / pressure - 1), bound)
    yield Row("Mach number 3.791, TP table 12: 3.79", abs(mach - TABLE_12["mach"][0]), TABLE_12["mach"][1])
    yield Row("Mach number 3.791", abs(mach - 3.791), 5e-4)
    read, bound = TABLE_12["dynamic_pressure"]
    yield Row(
        "dynamic pressure, TP table 12: 308.0 psf",
        abs(pressure / PSF - read),
        bound,
        f"{pressure / PSF:.2f} psf",
    )
    yield Row("dynamic pressure 308.15 psf", abs(pressure / PSF - 308.15), 5e-3)
    for what, expected in (
        ("latitude", 28.57),
        ("longitude", -79.76),
        ("flight_path_angle", 34.57),
        ("alpha", 0.0),
    ):
        yield Row(f"{what} [deg]", abs(first[f"bodies.orbiter.{what}"] / DEG - expected), 1e-9)
    loads = []
    for name, turn in zip(BODIES, (np.ones(3), FLIP), strict=True):
        # Each in its own air, which the standard atmosphere gives at its own altitude.
        density, sound = standard_air(first[f"bodies.{name}.altitude"])
        airspeed = first[f"bodies.{name}.airspeed"]
        force, torque = load_by_hand(table, name, airspeed / sound, density * airspeed**2 / 2)
        loads.append(plane(force * turn, torque * turn))
    loads[0][0] += si(table["forces"]["thrust"]["force"])[0]
    # 1e-5: the pull of the Earth differs by 3e-5 m/s^2 over the 9 m between the centres of mass.
    yield from same("stack at the start, by hand", Pair(table).accelerations(loads, False), first, 1e-5)


def opening(record, table):
    """Rows of the instant after the fixed joint has become a hinge, under the loads of the record."""
    (row,) = (k for k, event in enumerate(record.events) if event.name == "hinged")
    values = moment(record, row)
    loads = []
    for name, turn in zip(BODIES, (np.ones(3), FLIP), strict=True):
        both = (name, f"{name}_near")
        force = sum(values[f"aerodynamics.{n}.force"] for n in both) * turn
        torque = sum(values[f"aerodynamics.{n}.torque"] for n in both) * turn
        loads.append(plane(force, torque))
    loads[0][0] += si(table["forces"]["thrust"]["force"])[0]
    # What turning at 1e-3 rad/s adds to 15 m/s^2 over 25 m: 2e-6.
    yield from same("hinge as it opens", Pair(table).accelerations(loads, True), values, 2e-5)


def pitch_between(record, side):
    """Angle between the two x axes at each event [deg]."""
    noses = [
        turned(side[f"bodies.{n}.attitude"], np.tile([1.0, 0, 0], (len(record.events), 1))) for n in BODIES
    ]
    return np.arctan2(length(np.cross(noses[0], noses[1])), np.sum(noses[0] * noses[1], axis=1)) / DEG


def events(record):
    """Rows of what must happen at the events, and what must not."""
    at = {event.name: k for k, event in enumerate(record.events)}
    released = pitch_between(record, record.before)[at["apart"]]
    yield Row("relative pitch at the release: 1 deg [deg]", abs(released - 1), 1e-9)
    for name in ("hinged", "apart"):
        row = at[name]
        for body in BODIES:
            for what in ("velocity", "angular_velocity", "position"):
                path = f"bodies.{body}.{what}"
                jump = worst(record.after[path][row] - record.before[path][row])
                yield Row(f"{name}: {body} does not jump in {what}", jump, 1e-9)
    held = record.time <= record.events[at["apart"]].time
    yield Row("gap of the joint [m]", worst(record.series["joints.aft.displacement"][held]), 1e-9)
    fixed = record.time <= 0.1
    yield Row("misalignment while fixed [rad]", worst(record.series["joints.aft.rotation"][fixed]), 1e-11)
    free = record.time > record.events[at["apart"]].time
    yield Row("no load of the joint afterwards [N]", worst(record.series["joints.aft.force"][free]), 0.0)


def directions(record):
    """Rows of which way everything goes, and of when staging is over."""
    at = {event.name: event.time for event in record.events}
    loose = record.time > at["apart"]
    apart = record.series["pairs.orbiter.booster.separation"][loose]
    yield Row("the booster falls behind [1 if not]", float(np.any(np.diff(apart[:, 0]) >= 0)), 0.0)
    yield Row("and away from the orbiter's belly [1 if not]", float(np.any(np.diff(apart[:, 2]) <= 0)), 0.0)
    turn = record.series["joints.aft.rotation"][(record.time > 0.15) & ~loose, 1]
    yield Row("the noses part on the hinge [1 if not]", float(np.any(np.diff(turn) >= 0)), 0.0)
    done = at["end"] - at["hinged"]
    yield Row(
        "to 2.1 lengths, TP: about 5 s [s]", abs(done - 5), 0.5, f"{done:.2f} s after the front releases"
    )
    behind = record.series["pairs.orbiter.booster.separation"][-1, 0]
    yield Row("2.1 lengths at the end [m]", abs(behind + 546.21 * FT), 1e-6)


def balances(record, table):
    """Rows of momentum at every sample, and of work and energy over the flight."""
    mass = dict(zip(BODIES, Pair(table).mass, strict=True))
    thrust = si(table["forces"]["thrust"]["force"])

    def inertial(name, vectors):
        return turned(record.series[f"bodies.{name}.attitude"], vectors)

    momentum, power = np.zeros((len(record.time), 3)), np.zeros(len(record.time))
    for name in BODIES:
        loads = (f"aerodynamics.{name}", f"aerodynamics.{name}_near")
        force, torque = (sum(record.series[f"{n}.{what}"] for n in loads) for what in ("force", "torque"))
        force = inertial(name, force + (thrust if name == "orbiter" else 0))
        sensed = inertial(name, record.series[f"bodies.{name}.sensed_acceleration"])
        momentum += mass[name] * sensed - force
        power += np.sum(force * record.series[f"bodies.{name}.velocity"], axis=1)
        power += np.sum(torque * record.series[f"bodies.{name}.angular_velocity"], axis=1)
    yield Row("sum of forces and accelerations [of the thrust]", worst(momentum) / thrust[0], 1e-9)
    work = np.sum(np.diff(record.time) * (power[1:] + power[:-1]) / 2)
    gained = record.series["system.energy"][-1] - record.series["system.energy"][0]
    # Trapezia over 0.02 s: of the power, which changes within a second, they miss (0.02)^2/12 = 3e-5 of its
    # change.
    yield Row("work of thrust and air on both [of it]", abs(gained - work) / abs(work), 1e-5)


def compare(fly, folder):
    """The flight, and one without the forces of nearness, which must be another."""
    table = tomllib.loads((folder / "scenario.toml").read_text())
    record = fly(folder / "scenario.toml")
    yield from start(record, table)
    yield from opening(record, table)
    yield from events(record)
    yield from directions(record)
    yield from balances(record, table)
    changes = {f"aerodynamics.{name}_near.factor": 0.0 for name in BODIES}
    alone = fly(folder / "scenario.toml", **changes)
    apart = [r.series["pairs.orbiter.booster.separation"][-1, 2] for r in (record, alone)]
    yield Row("nearness matters [1 if not]", float(abs(apart[0] - apart[1]) < 3), 0.0)
