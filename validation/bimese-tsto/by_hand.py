"""The ascent of the stack as an engineer writes it with SciPy for this one vehicle: a mass point over the
turning ellipsoid, DOP853. It reads the numbers of the scenario and the readings of ../lgbb_data, and shares
nothing else with Interstage."""

import re
import tomllib
from bisect import bisect_right
from math import asin, atan2, cos, exp, hypot, log, pi, radians, sin, sqrt

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import RectBivariateSpline

from .. import lgbb

FT, LBF, LBM = 0.3048, 4.4482216152605, 0.45359237
SI = {
    "ft": FT,
    "ft^2": FT**2,
    "lbf": LBF,
    "lbm": LBM,
    "slug": LBF / FT,
    "slug ft^2": LBF * FT,
    "deg": pi / 180,
    "s": 1.0,
    "ft/s": FT,
}
G0 = 9.80665
MU, RADIUS, J2, SPIN = 3.986004418e14, 6378137.0, 0.00108262982, 7.292115e-5
FLATTENING = 1 / 298.257223563
E2 = FLATTENING * (2 - FLATTENING)
POLE = np.array([0.0, 0.0, 1.0])

# U.S. Standard Atmosphere 1976, table 4: geopotential altitude [m] and gradient [K/m] of the layers.
LAYERS = [0.0, 11000.0, 20000.0, 32000.0, 47000.0, 51000.0, 71000.0]
GRADIENTS = [-0.0065, 0.0, 0.001, 0.0028, 0.0, -0.0028, -0.002]
SPHERE, GAS = 6356766.0, 8.31432 / 0.0289644
PER_KELVIN = G0 / GAS


def number(text):
    """A number of the scenario in SI, or a list of them; rates of angles like "deg/s^2" too."""
    if not isinstance(text, str):
        return text
    numbers, unit = re.fullmatch(r"(\[.*\]|[-+\d.e]+) (.+)", text).groups()  # pyright: ignore[reportOptionalMemberAccess]
    scale = SI[unit] if unit in SI else SI[unit.partition("/s")[0]]
    return (np.array(tomllib.loads(f"x = {numbers}")["x"], dtype=float) * scale)[()]


def _bases():
    """Temperatures [K] and pressures [Pa] where the layers begin."""
    temperature, pressure = [288.15], [101325.0]
    for k in range(len(LAYERS) - 1):
        t, p, deep, slope = temperature[k], pressure[k], LAYERS[k + 1] - LAYERS[k], GRADIENTS[k]
        warm = t + slope * deep
        pressure.append(
            p * exp(-PER_KELVIN * deep / t if slope == 0 else -PER_KELVIN / slope * log(warm / t))
        )
        temperature.append(warm)
    return temperature, pressure


TEMPERATURES, PRESSURES = _bases()


def air(altitude):
    """Pressure [Pa], density [kg/m^3] and speed of sound [m/s] up to 86 km."""
    height = SPHERE * altitude / (SPHERE + altitude)
    k = max(bisect_right(LAYERS, height) - 1, 0)
    t, deep, slope = TEMPERATURES[k], height - LAYERS[k], GRADIENTS[k]
    warm = t + slope * deep
    pressure = PRESSURES[k] * (
        exp(-PER_KELVIN * deep / t) if slope == 0 else (warm / t) ** (-PER_KELVIN / slope)
    )
    return pressure, pressure / (GAS * warm), sqrt(1.4 * GAS * warm)


class Wings:
    """Lift and drag coefficients of one vehicle: bicubic splines through the readings, the nearest Mach
    number beyond them, and straight lines beyond the angles."""

    def __init__(self):
        self.alphas = [radians(a) for a in range(-4, 49, 4)]
        self.machs = [float(r["mach"]) for r in lgbb.rows("longitudinal.csv") if r["coef"] == "CL"]
        degrees_ = [float(a) for a in range(-4, 49, 4)]
        self.splines = [
            RectBivariateSpline(
                self.machs, self.alphas, [lgbb.longitudinal(c, m, degrees_) for m in self.machs], s=0
            )
            for c in ("CL", "CD")
        ]

    def __call__(self, mach, alpha):
        mach = min(max(mach, self.machs[0]), self.machs[-1])
        inside = min(max(alpha, self.alphas[0]), self.alphas[-1])
        found = [float(s(mach, inside)[0, 0]) for s in self.splines]
        if inside != alpha:
            found = [
                v + (alpha - inside) * float(s(mach, inside, dy=1)[0, 0])
                for v, s in zip(found, self.splines, strict=True)
            ]
        return found


def level(position):
    """Geodetic latitude [rad], altitude [m] of a place, and the axes to north, east and down there."""
    x, y, z = position
    across = hypot(x, y)
    latitude = atan2(z, across * (1 - E2))
    for _ in range(5):
        normal = RADIUS / sqrt(1 - E2 * sin(latitude) ** 2)
        altitude = across * cos(latitude) + z * sin(latitude) - RADIUS**2 / normal
        latitude = atan2(z, across * (1 - E2 * normal / (normal + altitude)))
    altitude = across * cos(latitude) + z * sin(latitude) - RADIUS * sqrt(1 - E2 * sin(latitude) ** 2)
    s, c, east = sin(latitude), cos(latitude), (-y / across, x / across)
    north = np.array([-s * x / across, -s * y / across, c])
    down = np.array([-c * x / across, -c * y / across, -s])
    return latitude, altitude, north, np.array([*east, 0.0]), down


def placed(place, time):
    """The inertial place of a latitude, longitude and altitude; the meridian of zero is on x at time zero."""
    latitude, longitude, altitude = place
    normal = RADIUS / sqrt(1 - E2 * sin(latitude) ** 2)
    turned = longitude + SPIN * time
    across = (normal + altitude) * cos(latitude)
    return np.array(
        [across * cos(turned), across * sin(turned), (normal * (1 - E2) + altitude) * sin(latitude)]
    )


def pull(position):
    """Gravity with J2 [m/s^2]."""
    square = position @ position
    k, s = 1.5 * J2 * RADIUS**2 / square, 5 * position[2] ** 2 / square
    return -MU / square**1.5 * position * np.array([1 + k * (1 - s), 1 + k * (1 - s), 1 + k * (3 - s)])


def beside(position, velocity):
    """Velocity relative to the ground and the atmosphere, which turn."""
    return velocity - SPIN * np.array([-position[1], position[0], 0.0])


def cross(a, b):
    """As NumPy's, which takes longer for three numbers."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def smooth_step(x):
    """As the thrust rises."""
    x = min(max(x, 0.0), 1.0)
    return x**3 * (10 - 15 * x + 6 * x * x)


class Ascent:
    """The stack from the pad to the staging: both engines on the booster's propellant."""

    def __init__(self, table):
        both, bodies = [table["engines"][n] for n in ("crossfed", "booster_engine")], table["bodies"]
        engine = both[1]
        self.thrusts, self.area = [number(e["thrust"]) for e in both], number(engine["exit_area"])
        self.flows = [t / (number(e["isp"]) * G0) for t, e in zip(self.thrusts, both, strict=True)]
        self.thrust, self.flow = sum(self.thrusts), sum(self.flows)
        self.rise = number(engine["rise_time"])
        self.times, self.settings = number(engine["throttle"]["time"]), engine["throttle"]["value"]
        self.propellant = number(bodies["booster"]["elements"]["propellant"]["propellant"])
        self.booster = number(bodies["booster"]["mass"])
        self.orbiter = number(bodies["orbiter"]["mass"])
        self.orbiter += number(bodies["orbiter"]["elements"]["propellant"]["propellant"])
        self.empty = self.booster + self.orbiter
        self.aft = number(bodies["booster"]["mass_centre"])[0] - number(engine["at"])[0]
        self.between = 2 * number(table["joints"]["aft"]["parent_at"])[2]
        air_ = table["aerodynamics"]
        self.sizes = [number(air_[f"{n}_alone"]["area"]) for n in ("orbiter", "booster")]
        self.yaw = number(table["guidance"]["pitch"]["yaw"])
        self.pitch = [number(c) for c in table["guidance"]["pitch"]["pitch"]["coefficients"]]
        phases = table["legs"]["ascent"]["phases"]
        self.up = number(phases["rise"]["until"]["elapsed"])
        self.aligns = number(phases["turn"]["until"]["reaches"])
        lifts = table["legs"]["pad"]["phases"]["ignition"]["until"]["reaches"]
        self.lifts = lifts
        first = bodies["orbiter"]["initial"]
        self.place = [number(first[k]) for k in ("latitude", "longitude", "altitude")]
        self.wings = Wings()

    def setting(self, time):
        """Thrust over the full one."""
        return smooth_step(time / self.rise) * float(np.interp(time, self.times, self.settings))

    def change(self, time):
        """Its rate; at a bend that of the stretch that begins."""
        x, k = time / self.rise, bisect_right(self.times, time) - 1
        if x < 1:
            return 30 * (x * (1 - x)) ** 2 / self.rise
        if k + 1 == len(self.times):
            return 0.0
        return (self.settings[k + 1] - self.settings[k]) / (self.times[k + 1] - self.times[k])

    def pad(self):
        """The time at which thrust is above weight by what is asked, and the propellant left then."""
        pressure = air(self.place[2])[0]
        position = placed(self.place, 0.0)
        weight = np.linalg.norm(pull(position))

        def excess(time, left):
            # The pair stands on its tail: this is the load that the engines lift.
            push = self.setting(time) * self.thrust - 2 * pressure * self.area
            return push - self.lifts * weight * (self.empty + left[0])

        excess.terminal, excess.direction = True, 1
        found = solve_ivp(
            lambda t, _: [-self.setting(t) * self.flow],
            (0.0, 10.0), [self.propellant], events=excess, rtol=1e-11, atol=1e-3, max_step=0.1,
        )  # fmt: skip
        return found.t[-1], found.y[0, -1]

    def below(self, left):
        """How far the common centre of mass lies below the orbiter's, towards the booster's."""
        return self.between * (self.booster + left) / (self.empty + left)

    def rates(self, law):
        """The right-hand side with a law: (time, velocity relative to the atmosphere, north, east, down) -> x
        and y of the orbiter, and its angular velocity. The state: place of the centre of mass, velocity of
        the structure there, propellant left."""

        def right(time, state):
            position, velocity, left = state[:3], state[3:6], state[6]
            _, altitude, north, east, down = level(position)
            wind = beside(position, velocity)
            along, side, turning = law(time, wind, north, east, down)
            belly = cross(along, side)
            setting, mass, below = self.setting(time), self.empty + left, self.below(left)
            tank, change = self.between - below, self.change(time)
            force = setting * self.thrust * along
            vehicles = zip((1.0, -1.0), (-below, tank), self.flows, self.sizes, strict=True)
            for sign, away, flow, size in vehicles:
                arm = away * belly
                pressure, density, sound = air(altitude - arm @ down)
                force = force - pressure * self.area * along
                # Propellant flows from tank to nozzle through a structure that turns, and ever faster.
                way = arm - self.aft * along
                force = force - 2 * setting * flow * cross(turning, way)
                force = force - change * flow * (way - tank * belly)
                past = wind + cross(turning, arm) - SPIN * np.array([-arm[1], arm[0], 0.0])
                speed = sqrt(past @ past)
                if speed > 0.01:
                    alpha = atan2(past @ belly, past @ along)
                    load = 0.5 * density * speed**2 * size
                    lift, drag = self.wings(speed / sound, sign * alpha)
                    up = cross(side, past)
                    force = force - load * (drag * past / speed - sign * lift * up / sqrt(up @ up))
            spent = -setting * self.flow
            # The mass centre moves through the structure, which turns, as the booster's propellant is burnt.
            force = force - spent * tank * cross(turning, belly)
            drift = self.between * spent * self.orbiter / mass**2 * belly
            return np.concatenate([velocity + drift, pull(position) + force / mass, np.array([spent])])

        return right

    def programme(self, start):
        """Axes by pitch over the level."""

        def law(time, _, north, east, down):
            since = time - start
            angle = sum(c * since**k for k, c in enumerate(self.pitch)) if since > 0 else pi / 2
            rate = sum(k * c * since ** (k - 1) for k, c in enumerate(self.pitch) if k) if since > 0 else 0.0
            ahead = cos(self.yaw) * north + sin(self.yaw) * east
            side = cos(self.yaw) * east - sin(self.yaw) * north
            return cos(angle) * ahead - sin(angle) * down, side, rate * side + SPIN * POLE

        return law

    def turning(self):
        """Angular velocity at the end of the flight, inertial axes: that of the attitude along it."""
        time, state = self.last
        slope, step = self.rates(aligned)(time, state), 1e-3
        ahead, behind = (upright(time + h, state + h * slope) for h in (step, -step))
        return 0.5 * np.cross(upright(time, state), (ahead - behind) / (2 * step)).sum(0)

    def fly(self, tolerance):
        """Time, position and velocity of the orbiter and propellant left at the staging; evaluations of the
        right-hand sides."""
        start, left = self.pad()
        position = placed(self.place, start)
        _, _, north, east, _ = level(position)
        # It stands on its tail, its belly to where it will go.
        position = position + self.below(left) * (cos(self.yaw) * north + sin(self.yaw) * east)
        velocity = SPIN * np.array([-position[1], position[0], 0.0])
        state = np.array([*position, *velocity, left])
        scale = np.array([1e6] * 3 + [1e3] * 3 + [1e5])
        turn, count = start + self.up, 0

        def stop(at):
            def event(_, state):
                return state[6] - at

            event.terminal, event.direction = True, -1
            return event

        corners = [t for t in (self.rise, *self.times[1:-1], self.times[-1]) if t > start]
        arcs = [
            (turn, self.programme(turn), None),
            (300.0, self.programme(turn), self.aligns),
            (300.0, aligned, 0.0),
        ]
        time = start
        for end, law, empties in arcs:
            while time < end:
                until = min([t for t in corners if t > time] + [end])
                events = None if empties is None else stop(empties)
                arc = solve_ivp(
                    self.rates(law),
                    (time, until),
                    state,
                    "DOP853",
                    events=events,
                    rtol=tolerance,
                    atol=tolerance * scale,
                )
                time, state, count = arc.t[-1], arc.y[:, -1], count + arc.nfev
                if arc.status == 1:
                    break
        position, velocity, left = state[:3], state[3:6], state[6]
        self.last = time, state
        belly = upright(time, state)[2]
        return time, np.array([*position - self.below(left) * belly, *velocity, left]), count


def aligned(_, wind, north, east, down):
    """Axes along the velocity relative to the atmosphere, y level; a rate of their own is left out."""
    along = wind / sqrt(wind @ wind)
    side = cross(down, along)
    return along, side / sqrt(side @ side), np.zeros(3)


def upright(time, state):
    """Forward, right and belly (3, axis) of the attitude along the atmosphere."""
    _, _, *axes = level(state[:3])
    along, side, _ = aligned(time, beside(state[:3], state[3:6]), *axes)
    return np.array([along, side, cross(along, side)])


def over_ground(time, state):
    """What table 12 of the report has: Mach number, altitude, latitude, longitude, speed, path angle, dynamic
    pressure; SI."""
    latitude, altitude, _, _, down = level(state[:3])
    wind = beside(state[:3], state[3:6])
    speed = sqrt(wind @ wind)
    _, density, sound = air(altitude)
    longitude = atan2(state[1], state[0]) - SPIN * time
    return {
        "mach": speed / sound,
        "altitude": altitude,
        "latitude": latitude,
        "longitude": (longitude + pi) % (2 * pi) - pi,
        "ground_speed": speed,
        "flight_path_angle": asin(-(wind @ down) / speed),
        "dynamic_pressure": 0.5 * density * speed**2,
    }
