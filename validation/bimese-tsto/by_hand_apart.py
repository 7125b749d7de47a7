"""The legs behind the ascent as an engineer writes them with SciPy for these two vehicles: the staging as two
rigid bodies on a joint, the orbiter's way to orbit by UPFG, the booster's glide back. Like by_hand.py it
shares nothing with Interstage but the numbers of the scenario and the readings."""

from bisect import bisect_right
from math import atan, atan2, cos, exp, expm1, hypot, log1p, pi, sin, sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from .by_hand import (
    FLATTENING,
    G0,
    MU,
    POLE,
    RADIUS,
    SPIN,
    Ascent,
    air,
    beside,
    cross,
    level,
    number,
    placed,
    pull,
    upright,
)

# --- thin air: U.S. Standard Atmosphere 1976, table I, [km], [Pa], [kg/m^3]
HIGH = np.array([86.0, 90.0, 92.0, 95.0])
LN_P = np.polyfit(HIGH - 90, np.log([0.37338, 0.18359, 0.12887, 0.075966]), 3).tolist()
LN_RHO = np.polyfit(HIGH - 90, np.log([6.958e-6, 3.416e-6, 2.393e-6, 1.393e-6]), 3).tolist()
SOUND = 274.1
"""Speed of sound at 86 km [m/s]; coefficients do not change any more at such Mach numbers."""


def thin_air(altitude):
    """Pressure, density and speed of sound up to 95 km."""
    if altitude < 86e3:
        return air(altitude)
    x = altitude / 1000 - 90
    p, rho = (((a * x + b) * x + c) * x + d for a, b, c, d in (LN_P, LN_RHO))
    return exp(p), exp(rho), SOUND


def unit(v):
    """Its direction."""
    return v / sqrt(v @ v)


def scaled(tolerance):
    """Relative and absolute tolerances of a place, a velocity and a mass."""
    return {"rtol": tolerance, "atol": tolerance * np.array([1e6] * 3 + [1e3] * 3 + [1e5])}


# --- staging


class Near:
    """What two vehicles do to each other, linear between the readings and held beyond them: CN and Cm of one,
    over the other's place, or over the angle of attack, too."""

    def __init__(self, table):
        axes = table["CN"]["axes"]
        self.alphas = number(axes[0]["points"]) if len(axes) == 3 else None
        self.x, self.z = (number(axis["points"]).tolist() for axis in axes[-2:])
        # (alpha,) x, z, coefficient
        self.values = np.stack([np.array(table[c]["values"], float) for c in ("CN", "Cm")], -1)

    def __call__(self, alpha, x, z):
        (i, a), (k, b) = between(self.x, x), between(self.z, z)
        grid = self.values[..., i : i + 2, k : k + 2, :]
        if self.alphas is not None:
            share = min(max((alpha - self.alphas[0]) / (self.alphas[1] - self.alphas[0]), 0.0), 1.0)
            grid = (1 - share) * grid[0] + share * grid[1]
        line = (1 - a) * grid[0] + a * grid[1]
        return (1 - b) * line[0] + b * line[1]


def between(points, x):
    """The interval of a value, and where in it; the nearest end beyond."""
    x = min(max(x, points[0]), points[-1])
    k = min(bisect_right(points, x), len(points) - 1) - 1
    return k, (x - points[k]) / (points[k + 1] - points[k])


def moments(alphas, values):
    """A moment over the angle of attack: a spline, and straight lines beyond it."""
    spline, low = CubicSpline(alphas, values), float(alphas[0])
    first, slope = float(spline(low)), float(spline(low, 1))

    def at(alpha):
        return first + slope * (alpha - low) if alpha < low else float(spline(alpha))

    return at


def matrix(q):
    """Body to inertial axes, of a quaternion that is of length one but for the steps' errors."""
    w, x, y, z = q / sqrt(q @ q)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def quaternion(m):
    """Of a matrix with a trace above -1, or turned half about x."""
    trace = m[0, 0] + m[1, 1] + m[2, 2]
    parts = np.array([trace, m[0, 0], m[1, 1], m[2, 2]])
    k = int(np.argmax(parts))
    big = sqrt(max(1 + 2 * parts[k] - trace, 0.0)) / 2
    d, s = m - m.T, m + m.T
    rows = {
        0: (big * big, d[2, 1] / 4, d[0, 2] / 4, d[1, 0] / 4),
        1: (d[2, 1] / 4, big * big, s[0, 1] / 4, s[0, 2] / 4),
        2: (d[0, 2] / 4, s[0, 1] / 4, big * big, s[1, 2] / 4),
        3: (d[1, 0] / 4, s[0, 2] / 4, s[1, 2] / 4, big * big),
    }
    return np.array(rows[k]) / big


def skew(v):
    """The matrix of a cross product."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


class Staging:
    """Both as rigid bodies: held, on a hinge, and apart. The state: of the orbiter, then of the booster its
    place, velocity, quaternion, rates in body axes (13); then the orbiter's propellant."""

    def __init__(self, table, wings):
        engine, bodies = table["engines"]["orbiter_engine"], table["bodies"]
        self.wings = wings
        self.thrust, self.area = number(engine["thrust"]), number(engine["exit_area"])
        self.flow = self.thrust / (number(engine["isp"]) * G0)
        self.masses = [number(bodies[n]["mass"]) for n in ("orbiter", "booster")]
        self.inertias = [np.array(number(bodies[n]["inertia"])) for n in ("orbiter", "booster")]
        centre = number(bodies["orbiter"]["mass_centre"])
        self.aft = centre[0] - number(engine["at"])[0]
        self.joint = number(table["joints"]["aft"]["parent_at"]) - centre
        air_ = table["aerodynamics"]
        self.length = number(air_["orbiter_alone"]["length"])
        # Of each: alone, and what the other does to it.
        self.sizes = [
            [number(air_[f"{n}_{what}"]["area"]) for what in ("alone", "near")]
            for n in ("orbiter", "booster")
        ]
        self.arm = number(air_["orbiter_alone"]["reference"]) - centre
        moment = air_["orbiter_alone"]["coefficients"]["Cm"]
        self.cm = moments(number(moment["axes"][0]["points"]), moment["values"])
        self.near = [Near(air_[f"{n}_near"]["coefficients"]) for n in ("orbiter", "booster")]
        phases = table["legs"]["staging"]["phases"]
        self.held = number(phases["joined"]["until"]["elapsed"])
        self.lets_go = number(phases["hinged"]["until"]["any"][0]["reaches"])
        self.over = number(phases["apart"]["until"]["reaches"])
        self.full = number(bodies["orbiter"]["elements"]["propellant"]["propellant"])

    def loads(self, k, turn, position, velocity, gap):
        """Pressure of the atmosphere; its force, inertial axes, and moment about the centre of mass, body
        axes, on a body. gap: the other's place from it."""
        _, altitude, *_ = level(position)
        pressure, density, sound = air(altitude)
        past = turn.T @ beside(position, velocity)
        square, (u, _, w) = past @ past, past
        speed, alpha, across = sqrt(square), atan2(w, u), hypot(u, w)
        lift, drag = self.wings(speed / sound, alpha)
        x, _, z = turn.T @ gap
        normal, moment = self.near[k](alpha, x, z)
        load, near = (0.5 * density * square * size for size in self.sizes[k])
        force = -load * drag / speed * past + load * lift / across * np.array([w, 0.0, -u])
        force[2] -= near * normal
        moment = self.length * (load * self.cm(alpha) + near * moment)
        return pressure, turn @ force, np.array([0.0, moment, 0.0]) + cross(self.arm, force)

    def rates(self, held):
        """The right-hand side with so many rows of the joint: 6, 5 of the hinge, or none."""

        def right(_, state):
            bodies = state[:26].reshape(2, 13)
            turns = [matrix(body[6:10]) for body in bodies]
            free, gap = [], bodies[1, :3] - bodies[0, :3]
            for k, (body, turn) in enumerate(zip(bodies, turns, strict=True)):
                position, velocity, spin = body[:3], body[3:6], body[10:]
                pressure, force, moment = self.loads(k, turn, position, velocity, gap if k == 0 else -gap)
                mass = self.masses[k] + (state[26] if k == 0 else 0.0)
                if k == 0:
                    # Propellant flows from the tank, at the centre of mass, to the nozzle.
                    way = np.array([-self.aft, 0.0, 0.0])
                    swung = cross(spin, way)
                    push = -2 * self.flow * swung
                    push[0] += self.thrust - pressure * self.area
                    force, moment = force + turn @ push, moment - self.flow * cross(way, swung)
                inertia = self.inertias[k]
                turning = turn @ ((moment - cross(spin, inertia * spin)) / inertia)
                free += [pull(position) + force / mass, turning]
            found = np.concatenate(free)
            if held:
                mass = self.masses[0] + state[26], self.masses[1]
                found = found + self.joint_of(held, turns, bodies, mass, found)
            return np.concatenate([*self.motion(bodies, turns, found), [-self.flow]])

        return right

    def joint_of(self, held, turns, bodies, masses, free):
        """What the joint adds to the accelerations (12)."""
        # The booster's point is that of the orbiter, and it lies upside down.
        arms = [turn @ self.joint for turn in turns]
        spins = [turn @ body[10:] for turn, body in zip(turns, bodies, strict=True)]
        swung = [cross(w, cross(w, s)) for w, s in zip(spins, arms, strict=True)]
        axes = turns[0].T[[0, 2, 1][: held - 3]]
        one = np.eye(3)
        rows = np.zeros((held, 12))
        rows[:3] = np.hstack([one, -skew(arms[0]), -one, skew(arms[1])])
        rows[3:, 3:6], rows[3:, 9:] = axes, -axes
        wanted = np.concatenate([swung[1] - swung[0], -np.cross(spins[0], axes) @ (spins[0] - spins[1])])
        lighter = np.zeros((12, 12))
        for k in range(2):
            at = 6 * k
            lighter[at : at + 3, at : at + 3] = one / masses[k]
            lighter[at + 3 : at + 6, at + 3 : at + 6] = (turns[k] / self.inertias[k]) @ turns[k].T
        across = lighter @ rows.T
        return across @ np.linalg.solve(rows @ across, wanted - rows @ free)

    @staticmethod
    def motion(bodies, turns, found):
        """Rates of both bodies."""
        for k, (body, turn) in enumerate(zip(bodies, turns, strict=True)):
            (w, x, y, z), (p, q, r) = body[6:10], body[10:]
            yield body[3:6]
            yield found[6 * k : 6 * k + 3]
            yield 0.5 * np.array(
                [-x * p - y * q - z * r, w * p + y * r - z * q, w * q + z * p - x * r, w * r + x * q - y * p]
            )
            yield turn.T @ found[6 * k + 3 : 6 * k + 6]

    def start(self, ascent):
        """The state of both at the end of the ascent of the stack as a point mass, which turns with the
        wind."""
        time, state = ascent.last
        (along, side, belly), spin = upright(time, state), ascent.turning()
        turns = np.array([along, side, belly]).T, np.array([along, -side, -belly]).T
        below = ascent.below(state[6])
        both = []
        for turn, away in zip(turns, (-below, ascent.between - below), strict=True):
            arm = away * belly
            both += [state[:3] + arm, state[3:6] + cross(spin, arm), quaternion(turn), turn.T @ spin]
        return np.concatenate([*both, [self.full]])

    def fly(self, time, state, tolerance):
        """Times of the hinge, the release and the end, the state then, and evaluations."""

        def pitched(_, state):
            one, other = matrix(state[6:10])[:, 0], matrix(state[19:23])[:, 0]
            axis = matrix(state[6:10])[:, 1]
            return abs(atan2(cross(one, other) @ axis, one @ other)) - self.lets_go

        def behind(_, state):
            return (state[13:16] - state[:3]) @ matrix(state[6:10])[:, 0] - self.over

        pitched.terminal = behind.terminal = True
        body = [1e6] * 3 + [1e3] * 3 + [1.0] * 4 + [0.1] * 3
        how = {"rtol": tolerance, "atol": tolerance * np.array([*body, *body, 1e5])}
        times, count = [], 0
        for rows, end, event in (
            (6, time + self.held, None),
            (5, time + 30, pitched),
            (0, time + 60, behind),
        ):
            arc = solve_ivp(self.rates(rows), (time, end), state, "DOP853", events=event, **how)
            time, state, count = arc.t[-1], arc.y[:, -1], count + arc.nfev
            times.append(time)
        return times, state, count


# --- insertion


def conic(position, velocity, time):
    """Place and velocity a time later on a conic about the Earth, by universal variables and Newton."""
    radius, root = sqrt(position @ position), sqrt(MU)
    rising, bound = position @ velocity / root, 2 / radius - velocity @ velocity / MU
    chi = root * time / radius
    for _ in range(50):
        angle = bound * chi * chi
        c2, c3 = stumpff(angle)
        u1, u2, u3 = chi * (1 - angle * c3), chi * chi * c2, chi**3 * c3
        distance = radius * (1 - bound * u2) + rising * u1 + u2
        change = (radius * u1 + rising * u2 + u3 - root * time) / distance
        chi -= change
        if abs(change) < 1e-12 * abs(chi):
            break
    angle = bound * chi * chi
    c2, c3 = stumpff(angle)
    u1, u2, u3 = chi * (1 - angle * c3), chi * chi * c2, chi**3 * c3
    distance = radius * (1 - bound * u2) + rising * u1 + u2
    f, g = 1 - u2 / radius, time - u3 / root
    return f * position + g * velocity, -root * u1 / (distance * radius) * position + (
        1 - u2 / distance
    ) * velocity


def stumpff(x):
    """c2 and c3 of an ellipse; a series near zero."""
    if abs(x) < 0.1:
        c2 = c3 = 0.0
        for k in range(8, -1, -1):
            c2, c3 = (1 - c2 * x) / ((2 * k + 1) * (2 * k + 2)), (1 - c3 * x) / ((2 * k + 2) * (2 * k + 3))
        return c2, c3
    root = sqrt(x)
    return (1 - cos(root)) / x, (root - sin(root)) / (x * root)


class Steering:
    """UPFG for burns without coasts (T. J. Brand, D. W. Brown and J. P. Higgins, NTRS 19740004402), integrals
    of the thrust by Gauss's quadrature; five passes a second, thirty at first."""

    NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
    KEEP = 3.0

    def __init__(self, law):
        orbit = law["orbit"]
        self.radius = RADIUS + number(orbit["altitude"])
        self.speed, self.inclination = number(orbit["speed"]), number(orbit["inclination"])
        burns = list(law["burns"].values())
        self.thrusts = [number(burn["thrust"]) for burn in burns]
        self.exhausts = [number(burn["isp"]) * G0 for burn in burns]
        self.durations = [number(burn["duration"]) for burn in burns]
        # Of the first burn the mass is what is flown.
        self.masses = [0.0] + [number(burn["mass"]) for burn in burns[1:]]
        self.fresh, self.time, self.left = True, 0.0, 0.0

    def burns(self, time, mass, begins):
        """(exhaust speed, acceleration, time left) of each burn that is not over."""
        found, current = [], len(begins) - 1
        for k in range(current, len(self.thrusts)):
            ahead = k > current
            spent = 0.0 if ahead else time - begins[k]
            left = max(self.durations[k] - spent, 0.0)
            found.append((self.exhausts[k], self.thrusts[k] / (self.masses[k] if ahead else mass), left))
        return found

    def times(self, burns, gain):
        """How long each burn lasts for a gain of velocity."""
        found = []
        for exhaust, acceleration, left in burns:
            whole = exhaust / acceleration
            most = -exhaust * log1p(-min(left / whole, 1 - 1e-9))
            given = min(max(gain, 0.0), most)
            found.append(-whole * expm1(-given / exhaust))
            gain -= most
        return found

    def wanted(self, place):
        """Velocity at cut-off over a place."""
        return self.speed * unit(cross(self.normal, place))

    def aim(self, place):
        """The place of the orbit that is nearest."""
        return self.radius * unit(place - (self.normal @ place) * self.normal)

    def begin(self, time, position, velocity, burns):
        """The plane, and a first guess."""
        up = unit(position)
        east = unit(np.array([-up[1], up[0], 0.0]))
        north = cross(up, east)
        along = min(max(cos(self.inclination) / max(north[2], 1e-12), -1.0), 1.0)
        side = -1.0 if velocity @ north >= 0 else 1.0
        self.normal = along * north + side * sqrt(1 - along * along) * east
        self.goal = self.aim(position)
        for _ in range(3):
            self.to_go = self.wanted(self.goal) - velocity
            self.left = sum(self.times(burns, sqrt(self.to_go @ self.to_go)))
            self.goal = self.aim(position + (velocity + 0.5 * self.to_go) * self.left)
        self.fall = -0.5 * MU * self.left**2 * position / sqrt(position @ position) ** 3
        self.time, self.velocity, self.bias = time, velocity, np.zeros(3)

    def sample(self, time, position, velocity, mass, begins):
        """Steering from a state on."""
        fresh, self.fresh = self.fresh, False
        if not fresh and self.end() - time < self.KEEP:
            return
        burns = self.burns(time, mass, begins)
        if fresh:
            self.begin(time, position, velocity, burns)
        for _ in range(30 if fresh else 5):
            self.pass_(time, position, velocity, burns)

    def pass_(self, time, position, velocity, burns):
        """One pass."""
        pulled = -MU * position / sqrt(position @ position) ** 3
        to_go = self.to_go - (velocity - self.velocity - pulled * (time - self.time))
        times = self.times(burns, sqrt(to_go @ to_go))
        used = [(e, a, t) for (e, a, _), t in zip(burns, times, strict=True) if t > 0]
        exhaust, start, lasts = (np.array(part)[:, None] for part in zip(*used, strict=True))
        within = 0.5 * (1 + self.NODES) * lasts
        gain = (0.5 * self.WEIGHTS * lasts * start / (1 - within * start / exhaust)).ravel()
        at = (np.cumsum(lasts, 0) - lasts + within).ravel()
        left = sum(times)
        gained, spread = gain.sum(), left - at
        middle, reach = gain @ at / gained, gain @ spread
        direction = unit(to_go)
        fall = self.fall * (left / self.left) ** 2
        ahead = unit(cross(self.normal, self.goal))
        distance = self.goal - (position + velocity * left + fall)
        across = distance - (ahead @ distance) * ahead + self.bias
        distance = across + (reach - direction @ across) / (direction @ ahead) * ahead
        off = at - middle
        turning = (reach * direction - distance) / (gain @ (off * off))
        pointed = direction[:, None] + turning[:, None] * off
        pointed /= np.sqrt((pointed * pointed).sum(0))
        by_thrust, moved = pointed @ gain, pointed @ (gain * spread)
        begun = (
            position - 0.1 * moved - by_thrust * left / 30,
            velocity + 1.2 * moved / left - 0.1 * by_thrust,
        )
        there, then = conic(*begun, left)
        fall = there - begun[0] - begun[1] * left
        self.goal = self.aim(position + velocity * left + fall + moved)
        self.to_go = self.wanted(self.goal) - velocity - (then - begun[1]) + (to_go - by_thrust)
        miss = distance - moved
        self.bias = miss - (ahead @ miss) * ahead
        self.time, self.velocity, self.fall, self.left = time, velocity, fall, left
        self.direction, self.turning, self.middle = direction, turning, middle

    def end(self):
        """Time of the cut-off."""
        return self.time + self.left

    def pointing(self, time):
        """Direction of thrust, and its rate."""
        whole = self.direction + self.turning * (time - self.time - self.middle)
        size = sqrt(whole @ whole)
        along = whole / size
        return along, (self.turning - (self.turning @ along) * along) / size


class Insertion:
    """The orbiter as a point mass: along the wind, then by UPFG."""

    def __init__(self, table, wings):
        engine, body = table["engines"]["orbiter_engine"], table["bodies"]["orbiter"]
        self.wings = wings
        self.thrust, self.area = number(engine["thrust"]), number(engine["exit_area"])
        self.flow = self.thrust / (number(engine["isp"]) * G0)
        self.times, self.settings = number(engine["throttle"]["time"]).tolist(), engine["throttle"]["value"]
        self.empty = number(body["mass"])
        self.aft = number(body["mass_centre"])[0] - number(engine["at"])[0]
        self.size = number(table["aerodynamics"]["orbiter_alone"]["area"])
        self.law = table["guidance"]["insertion"]
        self.phases = [number(p["until"]["elapsed"]) for p in table["legs"]["insertion"]["phases"].values()]

    def rates(self, lit, law):
        """The right-hand side. lit: time of ignition; law: (time, wind, down) -> forward, right, rate of
        forward."""
        times, settings = self.times, self.settings

        def right(time, state):
            position, velocity, left = state[:3], state[3:6], state[6]
            _, altitude, _, _, down = level(position)
            wind = beside(position, velocity)
            along, side, moving = law(time, wind, down)
            since, k = time - lit, bisect_right(times, time - lit) - 1
            setting, change = settings[-1], 0.0
            if k + 1 < len(times):
                change = (settings[k + 1] - settings[k]) / (times[k + 1] - times[k])
                setting = settings[k] + change * (since - times[k])
            pressure, density, sound = thin_air(altitude)
            push = setting * self.thrust - pressure * self.area + change * self.flow * self.aft
            force = push * along + 2 * setting * self.flow * self.aft * moving
            belly, speed = cross(along, side), sqrt(wind @ wind)
            u, w = wind @ along, wind @ belly
            lift, drag = self.wings(speed / sound, atan2(w, u))
            load = 0.5 * density * speed * speed * self.size
            force += load * (lift / hypot(u, w) * (w * along - u * belly) - drag / speed * wind)
            spent = -setting * self.flow
            return np.concatenate([velocity, pull(position) + force / (self.empty + left), [spent]])

        return right

    def fly(self, lit, time, state, tolerance):
        """Time of the cut-off, the state (place, velocity, propellant) then, and evaluations."""
        steering, still, count = Steering(self.law), np.zeros(3), 0

        def clear(_, wind, down):
            along = unit(wind)
            return along, unit(cross(down, along)), still

        def steered(time, _, down):
            along, moving = steering.pointing(time)
            return along, unit(along[2] * along - POLE), moving

        begins = time + np.cumsum(self.phases)
        begins, last = [begins[0], *begins[:-1]][1:], begins[-1]
        start, corners = begins[0], [lit + t for t in self.times[1:]]
        arc = solve_ivp(self.rates(lit, clear), (time, start), state, "DOP853", **scaled(tolerance))
        time, state, count = arc.t[-1], arc.y[:, -1], arc.nfev
        right, number_, due = self.rates(lit, steered), 0, start
        while time < last:
            if time >= due:
                steering.sample(
                    time, state[:3], state[3:6], self.empty + state[6], [t for t in begins if t <= time]
                )
                number_ += 1
                due = start + number_
            end = min([due, steering.end(), last] + [t for t in corners + begins if t > time])
            arc = solve_ivp(right, (time, end), state, "DOP853", first_step=end - time, **scaled(tolerance))
            time, state, count = end, arc.y[:, -1], count + arc.nfev
            if time >= steering.end():
                break
        return time, state, count


# --- return


class Return:
    """The booster as a point mass without thrust: a schedule of angle of attack and bank over time, then to a
    circle about the launch site."""

    def __init__(self, table, wings):
        self.wings = wings
        self.mass = number(table["bodies"]["booster"]["mass"])
        self.size = number(table["aerodynamics"]["booster_alone"]["area"])
        away, home = table["guidance"]["away"], table["guidance"]["home"]
        self.schedule = [(number(away[n]["points"]), number(away[n]["value"])) for n in ("alpha", "bank")]
        self.corners = sorted({*self.schedule[0][0].tolist(), *self.schedule[1][0].tolist()})
        self.machs, self.alphas = home["alpha"]["points"], number(home["alpha"]["value"]).tolist()
        self.circle, self.limit = number(home["circle"]), number(home["bank_limit"])
        site = table["sites"]["launch"]
        self.site = [number(site["latitude"]), number(site["longitude"]), 0.0]
        self.down_to = number(table["legs"]["return"]["phases"]["home"]["until"]["reaches"])
        self.mean = RADIUS * (1 - FLATTENING / 3)

    def rates(self, law):
        """The right-hand side with a law: (time, position, velocity, wind, Mach number, altitude, axes) ->
        angle of attack and bank."""

        def right(time, state):
            position, velocity = state[:3], state[3:6]
            _, altitude, *axes = level(position)
            wind = beside(position, velocity)
            _, density, sound = air(altitude)
            speed = sqrt(wind @ wind)
            fall = pull(position)
            alpha, bank = law(time, position, velocity, wind, speed / sound, altitude, axes, fall)
            along = wind / speed
            side = unit(cross(axes[2], along))
            # Lift is up, away from the belly, which the bank turns to the left.
            up = cos(bank) * cross(side, along) + sin(bank) * side
            lift, drag = self.wings(speed / sound, alpha)
            load = 0.5 * density * speed * speed * self.size / self.mass
            return np.concatenate([velocity, fall + load * (lift * up - drag * along)])

        return right

    def away(self, begun):
        """By the time."""
        (at, alpha), (then, bank) = self.schedule

        def law(time, *_):
            since = time - begun
            return np.interp(since, at, alpha), np.interp(since, then, bank)

        return law

    def home(self, time, position, velocity, wind, mach, altitude, axes, fall):
        """To a circle about the site, turns to the right."""
        north, east, down = axes
        way = placed(self.site, time) - position
        n, e = way @ north, way @ east
        angle = atan2(hypot(n, e), self.mean + altitude - way @ down)
        distance, azimuth = self.mean * angle, atan2(e, n)
        vn, ve = wind @ north, wind @ east
        speed, off = hypot(vn, ve), atan2(ve, vn) - azimuth
        # The course of the field about the circle, and its rate.
        x = (distance - self.circle) / self.circle
        turning = -speed * sin(off) * cos(angle) / (self.mean * max(sin(angle), 1 / self.mean))
        rate = turning - speed * cos(off) / (self.circle * (1 + x * x))
        error = -atan2(1.0, x) - off
        rate += (error - 2 * pi * round(error / (2 * pi))) / 10.0
        square = wind @ wind
        carried = velocity + wind
        weight = (fall - SPIN * np.array([-carried[1], carried[0], 0.0])) @ down - square / (
            self.mean + altitude
        )
        bank = atan(sqrt(square) * rate / max(weight, 0.05 * G0))
        k, share = between(self.machs, mach)
        alpha = (1 - share) * self.alphas[k] + share * self.alphas[k + 1]
        return alpha, min(max(bank, -self.limit), self.limit)

    def fly(self, time, state, tolerance):
        """Time at the altitude where it ends, the state (place, velocity) then, and evaluations."""

        def low(_, state):
            return level(state[:3])[1] - self.down_to

        low.terminal, low.direction = True, -1
        how = {name: value if name == "rtol" else value[:6] for name, value in scaled(tolerance).items()}
        begun, count = time, 0
        legs = [(begun + t, self.away(begun), None) for t in self.corners[1:]] + [
            (time + 2000, self.home, low)
        ]
        for end, law, event in legs:
            arc = solve_ivp(self.rates(law), (time, end), state, "DOP853", events=event, **how)
            time, state, count = arc.t[-1], arc.y[:, -1], count + arc.nfev
        return time, state, count


# --- all


class Ends(NamedTuple):
    """Times at which legs end, of the staging all its moments, and states then: orbiter's place and velocity,
    see `Staging`, orbiter's place, velocity and propellant, booster's place and velocity; and evaluations."""

    ascent: Any
    staging: Any
    insertion: Any
    return_: Any
    evaluations: Any


class Mission:
    """All legs, each by a tolerance of its own."""

    def __init__(self, table):
        self.ascent = Ascent(table)
        wings = self.ascent.wings
        self.staging, self.insertion = Staging(table, wings), Insertion(table, wings)
        self.return_ = Return(table, wings)

    def fly(self, ascent=1e-9, staging=1e-9, insertion=1e-9, return_=1e-9):
        """Fly it."""
        lit, stack, first = self.ascent.fly(ascent)
        times, state, second = self.staging.fly(lit, self.staging.start(self.ascent), staging)
        orbiter = np.concatenate([state[:6], state[26:]])
        off, there, third = self.insertion.fly(lit, times[-1], orbiter, insertion)
        down, home, fourth = self.return_.fly(times[-1], state[13:19], return_)
        counts = first, second, third, fourth
        return Ends((lit, stack), (times, state), (off, there), (down, home), counts)
