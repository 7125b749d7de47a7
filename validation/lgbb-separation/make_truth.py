"""Writes truth.csv: booster and core as two plates in the vertical plane, from the numbers of scenario.toml.

    python make_truth.py

Newton's and Euler's laws in the plane, the joints by multipliers of the accelerations (no projection), the
atmosphere by SciPy's splines and grids, the standard atmosphere by the formula of its layer, SciPy's DOP853.
It shares the numbers of scenario.toml with the engine, and no code.

The plane has x forward (north) and z down; a body turned by theta has its nose up by theta.
"""

import csv
import re
import tomllib
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline, RegularGridInterpolator

HERE = Path(__file__).resolve().parent
FT, SLUG, DEG = 0.3048, 4.4482216152605 / 0.3048, np.pi / 180
UNITS = {
    "ft": FT, "ft^2": FT**2, "slug": SLUG, "slug ft^2": SLUG * FT**2, "deg": DEG, "ft/s": FT, "s": 1.0,
}  # fmt: skip
TIMES = np.round(np.arange(0, 3.001, 0.05), 10)


def si(value):
    """A value of the scenario in SI."""
    if not isinstance(value, str):
        return np.array(value, dtype=float)
    numbers, unit = re.fullmatch(r"(\[.*\]|[-\d.]+) (.+)", value).groups()  # pyright: ignore[reportOptionalMemberAccess]
    return np.array(tomllib.loads(f"x = {numbers}")["x"], dtype=float) * UNITS[unit]


def density_and_sound(altitude):
    """Density [kg/m^3] and speed of sound [m/s] of the layer from 20 to 32 km of the standard of 1976."""
    height = 6356766.0 * altitude / (6356766.0 + altitude)
    temperature = 216.65 + 1e-3 * (height - 20e3)
    # 5474.888... Pa follows from 101325 Pa at sea level through the two layers below.
    exponent = 9.80665 * 0.0289644 / 8.31432
    base = 101325 * (216.65 / 288.15) ** (exponent / 6.5e-3) * np.exp(-exponent * 9e3 / 216.65)
    pressure = base * (216.65 / temperature) ** (exponent / 1e-3)
    gas = 8.31432 / 0.0289644
    return pressure / (gas * temperature), np.sqrt(1.4 * gas * temperature)


def look_up(table):
    """A function of the variables by name, of a coefficient as declared."""
    if not isinstance(table, dict):
        return lambda where: float(table)
    axes = [(a["variable"], si(a["points"]), a.get("outside")) for a in table["axes"]]
    values = np.array(table["values"], dtype=float)
    if table.get("interpolation") == "linear":
        grid = RegularGridInterpolator([points for _, points, _ in axes], values)
        return lambda where: float(grid([np.clip(where[v], p[0], p[-1]) for v, p, _ in axes])[0])

    # At most one axis is longer than two points, the last; a spline of two points is a line.
    spline = CubicSpline(axes[-1][1], values, axis=-1)

    def value(where):
        at = [np.clip(where[v], p[0], p[-1]) if outside == "hold" else where[v] for v, p, outside in axes]
        assert all(p[0] <= x <= p[-1] for x, (_, p, _) in zip(at, axes, strict=True)), (at, axes)
        found = spline(at[-1])
        if len(axes) == 2:
            low, high = axes[0][1]
            found = ((high - at[0]) * found[0] + (at[0] - low) * found[1]) / (high - low)
        return float(found)

    return value


class Load:
    """One declaration of aerodynamics."""

    def __init__(self, name, declared):
        self.name, self.body = name, declared["body"]
        self.area, self.length = si(declared["area"]), si(declared["length"])
        self.at, self.factor = si(declared["reference"])[[0, 2]], declared.get("factor", 1.0)
        self.blend = declared.get("blend")
        self.coefficients = {name: look_up(table) for name, table in declared["coefficients"].items()}

    def weight(self, where):
        """How much of it there is."""
        if self.blend is None:
            return self.factor
        full, none = self.blend["full"], self.blend["none"]
        x = np.clip((none - where[self.blend["over"]]) / (none - full), 0, 1)
        return self.factor * x**3 * (10 - 15 * x + 6 * x * x)

    def on(self, where, pressure, centre):
        """(force along body x and z, moment about the centre of mass, nose up)."""
        c = {name: look(where) for name, look in self.coefficients.items()}
        alpha = where["alpha"]
        lift, drag = c.get("CL", 0.0), c.get("CD", 0.0)
        x = -c.get("CA", 0.0) + lift * np.sin(alpha) - drag * np.cos(alpha)
        z = -c.get("CN", 0.0) - lift * np.cos(alpha) - drag * np.sin(alpha)
        size = pressure * self.area * self.weight(where)
        arm = self.at - centre
        moment = self.length * c.get("Cm", 0.0) + arm[1] * x - arm[0] * z
        return size * np.array([x, z]), size * moment


def turn(theta):
    """Body axes to the plane's: nose up is about y, from z to x."""
    s, c = np.sin(theta), np.cos(theta)
    return np.array([[c, s], [-s, c]])


class Pair:
    """Booster and core. A state is (x, z, theta, u, w, q) of one after the other."""

    names = ("booster", "core")

    def __init__(self, table):
        self.mass = [si(table["bodies"][n]["mass"]) for n in self.names]
        self.centre = [si(table["bodies"][n]["mass_centre"])[[0, 2]] for n in self.names]
        self.inertia = [si(table["bodies"][n]["inertia"])[1] for n in self.names]
        self.gravity = -table["gravity"]["acceleration"][2]
        self.loads = [Load(n, declared) for n, declared in table["aerodynamics"].items()]
        self.control, self.altitude = table["controls"]["pitch"], 0.0
        self.pivot = [si(table["joints"]["aft"][f"{end}_at"])[[0, 2]] for end in ("parent", "child")]

    def around(self, state, controlled):
        """What coefficients are over, for each body."""
        found = []
        for k in (0, 1):
            body, other = state[6 * k : 6 * k + 6], state[6 - 6 * k : 12 - 6 * k]
            velocity = turn(body[2]).T @ body[3:5]
            place = turn(body[2]).T @ (other[:2] - body[:2])
            name = f"relative.{self.names[1 - k]}"
            sound = density_and_sound(-body[1])[1]
            found.append(
                {
                    "alpha": np.arctan2(velocity[1], velocity[0]),
                    "mach": np.hypot(*velocity) / sound,
                    f"{name}.x": place[0],
                    f"{name}.z": place[1],
                }
            )
        aim = si(self.control["target"]) - found[0]["alpha"]
        command = (self.control["kp"] * aim - self.control["kd"] * state[5]) if controlled else 0.0
        found[0] |= {"actuators.canard": command, "actuators.elevon": -command}
        return found

    def applied(self, state, controlled):
        """Force in the plane and moment of each body, gravity included, one after the other."""
        found = np.zeros(6)
        where = self.around(state, controlled)
        for load in self.loads:
            k = self.names.index(load.body)
            body = state[6 * k : 6 * k + 6]
            pressure = density_and_sound(-body[1])[0] * (body[3] ** 2 + body[4] ** 2) / 2
            force, moment = load.on(where[k], pressure, self.centre[k])
            found[3 * k : 3 * k + 2] += turn(body[2]) @ force
            found[3 * k + 2] += moment
        found[[1, 4]] += np.array(self.mass) * self.gravity
        return found

    def rows(self, state, mated):
        """Constraint rows on the six accelerations, and what remains of their second derivatives: the pivot,
        and while the two are mated, that they turn alike."""
        jacobian, rest = np.zeros((3, 6)), np.zeros(3)
        jacobian[2] = [0, 0, -1, 0, 0, 1]
        for k, sign in ((0, -1.0), (1, 1.0)):
            theta, q = state[6 * k + 2], state[6 * k + 5]
            arm = turn(theta) @ (self.pivot[k] - self.centre[k])
            jacobian[:2, 3 * k : 3 * k + 2] = sign * np.eye(2)
            jacobian[:2, 3 * k + 2] = sign * np.array([arm[1], -arm[0]])
            rest[:2] -= sign * arm * q * q
        return (jacobian, rest) if mated else (jacobian[:2], rest[:2])

    def accelerations(self, state, phase):
        """Accelerations of both bodies, and the multipliers of the rows that hold."""
        force = self.applied(state, phase in ("controlled", "apart"))
        mass = np.array(
            [self.mass[0], self.mass[0], self.inertia[0], self.mass[1], self.mass[1], self.inertia[1]]
        )
        if phase == "apart":
            return force / mass, np.zeros(2)
        jacobian, rest = self.rows(state, phase == "mated")
        multipliers = np.linalg.solve(jacobian / mass @ jacobian.T, -(jacobian @ (force / mass) + rest))
        return (force + jacobian.T @ multipliers) / mass, multipliers

    def rate(self, state, phase):
        """Rate of the state."""
        found, _ = self.accelerations(state, phase)
        return np.concatenate([state[3:6], found[:3], state[9:12], found[3:]])

    def alpha(self, state, k=0):
        """Angle of attack of a body [rad]."""
        velocity = turn(state[6 * k + 2]).T @ state[6 * k + 3 : 6 * k + 5]
        return np.arctan2(velocity[1], velocity[0])

    def start(self, table):
        """Both bodies at the start, turned alike."""
        initial = table["bodies"]["booster"]["initial"]
        gamma, speed = si(initial["flight_path_angle"]), si(initial["speed"])
        velocity = speed * np.array([np.cos(gamma), -np.sin(gamma)])
        booster = np.array([0.0, -si(initial["altitude"])])
        offset = (self.pivot[0] - self.centre[0]) - (self.pivot[1] - self.centre[1])
        core = booster + turn(gamma) @ offset
        return np.concatenate([booster, [gamma], velocity, [0.0], core, [gamma], velocity, [0.0]])


def fly(table, tight=1e-12):
    """(times, states, pivot's force on the core, time of release) of the flight, at TIMES."""
    pair = Pair(table)
    state, now = pair.start(table), 0.0
    scale = np.tile([1.0, 1.0, 1e-3, 1.0, 1.0, 1e-3], 2)
    times, states, forces, release = [], [], [], np.nan
    target = si(table["phases"]["controlled"]["until"]["reaches"])
    for phase, end in (("mated", 0.05), ("opening", 0.5), ("controlled", 3.0), ("apart", 3.0)):
        event = lambda t, y: pair.alpha(y) - target  # noqa: E731
        event.terminal, event.direction = True, 1.0  # pyright: ignore[reportFunctionMemberAccess]
        found = solve_ivp(
            lambda t, y, phase=phase: pair.rate(y, phase), (now, end), state, "DOP853",
            rtol=tight, atol=tight * scale, max_step=0.02, dense_output=True,
            events=[event] if phase == "controlled" else None,
        )  # fmt: skip
        reached, state = found.t[-1], found.y[:, -1]
        for t in (t for t in TIMES if now <= t < reached):
            y = found.sol(t)
            times.append(t)
            states.append(y)
            forces.append(pair.accelerations(y, phase)[1][:2])
        now = reached
        if phase == "controlled":
            release = reached
    times.append(now)
    states.append(state)
    forces.append(np.zeros(2))
    return np.array(times), np.array(states), np.array(forces), release


def main():
    """Write the table."""
    table = tomllib.loads((HERE / "scenario.toml").read_text())
    times, states, forces, release = fly(table)
    coarse = fly(table, 1e-10)
    print(f"release at {release:.9f} s; 1e-10 instead of 1e-12 moves it by {coarse[3] - release:.1e} s")
    print(f"and the states by {np.abs(coarse[1] - states).max(0)}")
    names = [f"{body}_{what}" for body in Pair.names for what in ("x", "z", "theta", "u", "w", "q")]
    with (HERE / "truth.csv").open("w", newline="") as file:
        file.write(f"# by make_truth.py; SI, plane x forward, z down; release at {release:.10f} s\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["time_s", *names, "pivot_x", "pivot_z"])
        for row in zip(times, states, forces, strict=True):
            writer.writerow([f"{row[0]:.2f}", *(f"{v:.12g}" for v in (*row[1], *row[2]))])


if __name__ == "__main__":
    main()
