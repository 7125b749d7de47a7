"""Writes the truths: the two vehicles as plates in the vertical plane, without sideslip, from the numbers of
the scenarios: held by a slider and pivot, by two springs, and not held.

    python make_truth.py

Newton's and Euler's laws in the plane, the slider by the multiplier of its one row in the plane (no
projection), the atmosphere by SciPy's splines, the standard atmosphere by the formula of its layer, SciPy's
DOP853. It shares the numbers of the scenarios with the engine, and no code.

The plane has x forward (north) and z down; a body turned by theta has its nose up by theta.
"""

import csv
import re
import tomllib
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

HERE = Path(__file__).resolve().parent
FT, INCH, POUND = 0.3048, 0.0254, 0.45359237
FORCE = POUND * 9.80665
UNITS = {
    "ft": FT, "in": INCH, "ft^2": FT**2, "in^2": INCH**2, "in^3": INCH**3, "lbm": POUND, "s": 1.0,
    "slug ft^2": FORCE * FT, "deg": np.pi / 180, "ft/s": FT, "psi": FORCE / INCH**2,
    "klbf ft^2": 1000 * FORCE * FT**2,
}  # fmt: skip
FILES = {"slider": "scenario.toml", "springs": "springs.toml", "free": "free.toml"}
TIMES = np.round(np.concatenate([np.arange(0, 0.101, 0.01), np.arange(0.15, 0.601, 0.05)]), 10)
BODIES = ("hxlv", "rv")
SETS = {"pitch": "wings", "away": "fins"}


def si(value):
    """A value of the scenario in SI."""
    if not isinstance(value, str):
        return np.array(value, dtype=float)
    numbers, unit = re.fullmatch(r"(\[.*\]|[-\d.]+) (.+)", value).groups()  # pyright: ignore[reportOptionalMemberAccess]
    return np.array(tomllib.loads(f"x = {numbers}")["x"], dtype=float) * UNITS[unit]


def density(altitude):
    """Density [kg/m^3] of the layer from 20 to 32 km of the standard of 1976."""
    height = 6356766.0 * altitude / (6356766.0 + altitude)
    temperature = 216.65 + 1e-3 * (height - 20e3)
    exponent = 9.80665 * 0.0289644 / 8.31432
    base = 101325 * (216.65 / 288.15) ** (exponent / 6.5e-3) * np.exp(-exponent * 9e3 / 216.65)
    pressure = base * (216.65 / temperature) ** (exponent / 1e-3)
    return pressure * 0.0289644 / (8.31432 * temperature)


def turn(theta):
    """Body axes to the plane's: nose up is about y, from z to x."""
    s, c = np.sin(theta), np.cos(theta)
    return np.array([[c, s], [-s, c]])


def across(arm):
    """Velocity of the end of an arm at unit pitch rate: y cross arm."""
    return np.array([arm[1], -arm[0]])


def look_up(table):
    """A function of the variables by name, of a coefficient as declared: of alpha, and straight over the
    position of a surface, which is declared with two points."""
    if not isinstance(table, dict):
        return lambda where: float(table)
    axes = [(axis["variable"], si(axis["points"])) for axis in table["axes"]]
    values, more = np.array(table["values"], dtype=float), table.get("increment", 0.0)
    if len(axes) == 1:
        (name, points), spline = axes[0], CubicSpline(axes[0][1], values)

        def value(where):
            assert points[0] <= where[name] <= points[-1], (name, where)
            return float(spline(where[name])) + more

        return value
    slopes = [
        (values[1, 0] - values[0, 0]) / np.ptp(axes[0][1]),
        (values[0, 1] - values[0, 0]) / np.ptp(axes[1][1]),
    ]
    low = [points[0] for _, points in axes]
    return lambda where: values[0, 0] + more + sum(
        slope * (where[name] - least) for slope, (name, _), least in zip(slopes, axes, low)
    )  # fmt: skip


class Load:
    """One declaration of aerodynamics, as far as it acts in the plane."""

    def __init__(self, declared, centre):
        self.body, self.area, self.length = declared["body"], si(declared["area"]), si(declared["length"])
        self.arm = si(declared["reference"])[[0, 2]] - centre if "reference" in declared else np.zeros(2)
        self.blend = declared.get("blend")
        known = {name: c for name, c in declared["coefficients"].items() if name in ("CA", "CN", "Cm")}
        self.coefficients = {name: look_up(table) for name, table in known.items()}

    def on(self, where, pressure):
        """(force along body x and z, moment about the centre of mass, nose up)."""
        c = {name: look(where) for name, look in self.coefficients.items()}
        size = pressure * self.area
        if self.blend:
            full, none = self.blend["full"], self.blend["none"]
            x = np.clip((none - where[self.blend["over"]]) / (none - full), 0, 1)
            size *= x**3 * (10 - 15 * x + 6 * x * x)
        x, z = -c.get("CA", 0.0), -c.get("CN", 0.0)
        return size * np.array([x, z]), size * (self.length * c.get("Cm", 0.0) + self.arm @ [-z, x])


class Pair:
    """Both vehicles. A state is (x, z, theta, u, w, q) of one after the other, then the positions of wings
    and fins, and the integral of the pitch law. Places and velocities are from a point that goes on as the
    launch vehicle starts, `moving`: stiff springs would feel the rounding of kilometres."""

    def __init__(self, name, table=None):
        self.way = name
        table = table or tomllib.loads((HERE / FILES[name]).read_text())
        self.table, bodies = table, [table["bodies"][n] for n in BODIES]
        self.mass = np.array([si(b["mass"]) for b in bodies])
        self.centre = [si(b["mass_centre"])[[0, 2]] for b in bodies]
        self.inertia = np.array([si(b["inertia"])[1] for b in bodies])
        self.gravity = -table["gravity"]["acceleration"][2]
        self.loads = [
            Load(load, self.centre[BODIES.index(load["body"])]) for load in table["aerodynamics"].values()
        ]
        ball = table["joints"]["ball"]
        self.ball = [si(ball[f"{end}_at"])[[0, 2]] - c for end, c in zip(("parent", "child"), self.centre)]
        self.line = turn(si(ball["parent_frame"]["angles"])[1])
        gas = table["devices"]["gas"]
        self.gas = [si(gas[what]) for what in ("pressure", "volume", "heat_ratio")]
        self.area = sum(si(d["area"]) for d in table["devices"].values() if d["kind"] == "piston")
        self.beams = list(table.get("forces", {}).values())
        self.stroke = si(table["phases"]["pushed"]["until"]["reaches"])
        initial = table["bodies"]["hxlv"]["initial"]
        self.moving, self.height = np.array([si(initial["speed"]), 0.0]), si(initial["altitude"])

    def seen(self, state):
        """The ball from its place in the launch vehicle and its velocity seen from there, along the piston
        and across it, down; the piston's axes in the plane; arms of the ball from both centres of mass."""
        frame = turn(state[2]) @ self.line
        arms = [turn(state[6 * k + 2]) @ self.ball[k] for k in (0, 1)]
        gap = state[6:8] + arms[1] - state[:2] - arms[0]
        speed = state[9:11] + state[11] * across(arms[1]) - state[3:5] - state[5] * across(arms[0] + gap)
        return frame.T @ gap, frame.T @ speed, frame, (arms[0] + gap, arms[1])

    def commands(self, state):
        """Positions that wings and fins are to take, and the rate of the integral."""
        found = []
        for k, name in ((1, "pitch"), (0, "away")):
            law = self.table["controls"][name]
            off = si(law["target"]) - self.alpha(state, k)
            found.append(law["kp"] * off - law["kd"] * state[6 * k + 5])
        law = self.table["controls"]["pitch"]
        more = law["ki"] * (si(law["target"]) - self.alpha(state, 1))
        return -(found[0] + state[14]), -found[1], more

    def alpha(self, state, k):
        """Angle of attack of a body [rad]."""
        velocity = turn(state[6 * k + 2]).T @ (self.moving + state[6 * k + 3 : 6 * k + 5])
        return np.arctan2(velocity[1], velocity[0])

    def applied(self, state, pushed):
        """Forces in the plane and moments of both, gravity included, without the slider."""
        found = np.zeros((2, 3))
        gap, _, frame, arms = self.seen(state)
        origins = turn(state[8]).T @ (-(frame @ gap)), turn(state[2]).T @ (frame @ gap)
        shared = {"actuators.wings": state[12], "actuators.fins": state[13]}
        shared |= {"relative.hxlv.x": origins[0][0], "relative.rv.x": origins[1][0]}
        for load in self.loads:
            k = BODIES.index(load.body)
            body = state[6 * k : 6 * k + 6]
            pressure = density(self.height - body[1]) * np.sum((self.moving + body[3:5]) ** 2) / 2
            force, moment = load.on(shared | {"alpha": self.alpha(state, k)}, pressure)
            found[k] += [*(turn(body[2]) @ force), moment]
        found[:, 1] += self.mass * self.gravity
        if pushed:
            p, v, ratio = self.gas
            push = np.array([self.area * p * (v / (v + self.area * gap[0])) ** ratio, 0.0])
            found += self.between(frame @ (push + self.bent(gap)), arms)
        return found

    def bent(self, gap):
        """What the springs do to the ball, along the piston and across: cantilevers of the length that is out
        of the guide, whose bending energy 3 EI z^2/(2 x^3) pushes them out."""
        total = np.zeros(2)
        for beam in self.beams:
            out, stiff = si(beam["length"]) + gap[0], 3 * si(beam["bending_stiffness"])
            total += [1.5 * stiff * gap[1] ** 2 / out**4, -stiff * gap[1] / out**3]
        return total

    def between(self, force, arms):
        """Force on the research vehicle at the ball, and its reaction."""
        moments = [across(arm) @ force for arm in arms]
        return np.array([[*(-force), -moments[0]], [*force, moments[1]]])

    def accelerations(self, state, pushed):
        """Accelerations (2, 3), and the force across the piston on the ball, down [N]."""
        force = self.applied(state, pushed)
        mass = np.stack([self.mass, self.mass, self.inertia], axis=1)
        if not pushed or self.way != "slider":
            across_it = self.bent(self.seen(state)[0])[1] if pushed else 0.0
            return force / mass, across_it
        gap, _, frame, arms = self.seen(state)
        e, q = frame[:, 1], (state[5], state[11])
        row = self.between(e, arms)
        # d2/dt2 of gap . e = 0, with e turning with the launch vehicle: what does not hold accelerations.
        drift = -(q[1] ** 2) * arms[1] + q[0] ** 2 * (arms[0] - frame @ gap)
        speed = state[9:11] + q[1] * across(arms[1]) - state[3:5] - q[0] * across(arms[0] - frame @ gap)
        rest = drift @ e + 2 * q[0] * speed @ across(e) - q[0] ** 2 * gap[1]
        load = -(np.sum(row * force / mass) + rest) / np.sum(row * row / mass)
        return (force + row * load) / mass, load

    def rate(self, state, pushed):
        """Rate of the state."""
        found, _ = self.accelerations(state, pushed)
        wings, fins, more = (0.0, 0.0, 0.0) if pushed else self.commands(state)
        lags = [self.table["actuators"][n]["model"]["time_constant"] for n in SETS.values()]
        moved = [(wings - state[12]) / si(lags[0]), (fins - state[13]) / si(lags[1]), more]
        return np.concatenate([state[3:6], found[0], state[9:12], found[1], moved])

    def start(self):
        """Level flight, both at alpha 0, with the ball in its place."""
        return np.concatenate([np.zeros(6), self.ball[0] - self.ball[1], np.zeros(7)])

    def over_ground(self, state, time):
        """A state with places and velocities from the ground."""
        place, speed = self.moving * time + [0.0, -self.height], self.moving
        return state + np.concatenate([place, [0.0], speed, [0.0], place, [0.0], speed, np.zeros(4)])


def fly(name, tight=1e-12, table=None):
    """(states, forces across the piston at TIMES, time of the release) of one of FILES, or of a table of its
    kind."""
    pair = Pair(name, table)
    over = lambda t, y: pair.seen(y)[0][0] - pair.stroke  # noqa: E731
    over.terminal, over.direction = True, 1.0  # pyright: ignore[reportFunctionMemberAccess]
    state, now, states, loads = pair.start(), 0.0, [], []
    for pushed in (True, False):
        found = solve_ivp(
            lambda t, y, pushed=pushed: pair.rate(y, pushed), (now, 1.0 if pushed else TIMES[-1]), state,
            "DOP853", rtol=tight, atol=tight, max_step=0.01, dense_output=True,
            events=[over] if pushed else None,
        )  # fmt: skip
        here = [t for t in TIMES if now <= t < found.t[-1] or (not pushed and t == TIMES[-1])]
        states += [pair.over_ground(found.sol(t), t) for t in here]  # pyright: ignore[reportOptionalCall]
        loads += [pair.accelerations(found.sol(t), pushed)[1] for t in here]  # pyright: ignore[reportOptionalCall]
        now, state = found.t[-1], found.y[:, -1]
        if pushed:
            release = now
    return np.array(states), np.array(loads), release


def main():
    """Write the tables."""
    for name in FILES:
        states, loads, release = fly(name)
        coarse = fly(name, 1e-10)
        print(f"{name}: release {release:.9f} s; 1e-10 for 1e-12 moves it by {coarse[2] - release:.1e} s,")
        moved = [np.abs(coarse[k] - found).max() for k, found in enumerate((states, loads))]
        print(f"the states by {moved[0]:.1e}, the load by {moved[1]:.1e} N")
        columns = [f"{body}_{what}" for body in BODIES for what in ("x", "z", "theta", "u", "w", "q")]
        with (HERE / f"truth_{name}.csv").open("w", newline="") as file:
            file.write(f"# by make_truth.py; SI, plane x forward, z down; release at {release:.10f} s\n")
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["time_s", *columns, "across"])
            for row in zip(TIMES, states, loads, strict=True):
                writer.writerow([f"{row[0]:.2f}", *(f"{v:.13g}" for v in (*row[1][:12], row[2]))])


if __name__ == "__main__":
    main()
