"""Writes truth.csv and truth_as_built.csv: three rigid bodies by Newton and Euler, in NumPy and SciPy.

    python make_truth.py

It reads the numbers of the two scenarios and shares no code with what flies them. A body is followed by the
point O of its structure where its centre of mass is at the start, and by its attitude matrix. Propellant
leaves from its place a along a straight line to the nozzle b, both from the centre of mass, with the flow m:
the body feels the thrust, -2 m w x (b - a) - m' (b - a), and the torque -m (a + b) x (w x (b - a)) - m' a x
b. Joints are rows of accelerations; of rows that repeat each other any solution moves the bodies alike (least
squares), and what a booster feels of all its joints together is unique. Drift of rows that hold is that of
the integration."""

import tomllib
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

HERE = Path(__file__).resolve().parent
UNITS = {
    "in": 0.0254, "ft": 0.3048, "ft/s": 0.3048, "deg": np.pi / 180, "deg/s": np.pi / 180, "s": 1.0,
    "lbm": 0.45359237, "lbf": 4.4482216152605, "slug ft^2": 14.593902937206364 * 0.3048**2,
}  # fmt: skip
G0 = 9.80665
NAMES = ("orbiter_tank", "left", "right")


def si(value):
    """A number of a scenario in SI."""
    if not isinstance(value, str):
        return np.array(value, dtype=float)
    if value.startswith("["):
        inside, _, unit = value.rpartition("]")
        numbers = np.array(tomllib.loads(f"v = {inside}]")["v"], dtype=float)
    else:
        number, _, unit = value.partition(" ")
        numbers = np.array(float(number))
    return numbers * UNITS[unit.strip()]


def crossing(v):
    """The matrix of v x."""
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


class Jet:
    """An engine or motor, lit at `lit` [s]."""

    def __init__(self, told, tanks):
        self.body, self.at, self.lit = NAMES.index(told["body"]), si(told["at"]), np.inf
        way = si(told.get("direction", [1, 0, 0]))
        self.way = way / np.linalg.norm(way)
        self.tank = told.get("grain") or next(iter(told["feeds"]))
        self.place = si(tanks[self.tank]["at"])
        thrust = told["thrust"]
        if isinstance(thrust, dict):
            self.times, self.values = si(thrust["time"]), si(thrust["value"])
            impulse = np.trapezoid(self.values, self.times)
            self.speed = impulse / si(tanks[self.tank]["propellant"])
        else:
            self.times, self.values = np.array([0.0, 1e9]), np.full(2, si(thrust))
            self.speed = G0 * si(told["isp"])
        if told.get("ignited"):
            self.lit = 0.0

    def thrust(self, t):
        """At a flight time [N]."""
        return np.interp(t - self.lit, self.times, self.values, 0.0, 0.0)

    def change(self, t):
        """Rate of the flow [kg/s^2]."""
        k = np.searchsorted(self.times, t - self.lit, side="right")
        if not 0 < k < len(self.times):
            return 0.0
        return np.diff(self.values)[k - 1] / np.diff(self.times)[k - 1] / self.speed

    def used(self, t):
        """Propellant used by then [kg]."""
        since = t - self.lit
        if since <= 0:
            return 0.0
        knots = np.append(self.times[self.times < since], min(since, self.times[-1]))
        return np.trapezoid(np.interp(knots, self.times, self.values), knots) / self.speed


class Stack:
    """The bodies, jets and joints of a scenario."""

    def __init__(self, file):
        told = tomllib.loads((HERE / file).read_text())
        self.told, bodies = told, told["bodies"]
        tanks = {f"{b}.{e}": v for b in NAMES for e, v in bodies[b]["elements"].items()}
        self.tanks = {name: (si(v["propellant"]), si(v["at"])) for name, v in tanks.items()}
        self.jets = {name: Jet(v, tanks) for name, v in told["engines"].items()}
        self.dry = [(si(bodies[b]["mass"]), si(bodies[b]["mass_centre"]), self._inertia(b)) for b in NAMES]
        self.gravity = si(told["gravity"]["acceleration"])
        self.held = dict(told["joints"])
        self.origin = np.array([self.mass(b, 0.0)[1] for b in range(3)])
        self.length = {}

    def _inertia(self, body):
        inertia = si(self.told["bodies"][body]["inertia"])
        if inertia.ndim == 1:
            return np.diag(inertia)
        return 2 * np.diag(np.diag(inertia)) - inertia  # products are given as integrals

    def mass(self, b, t):
        """Mass, centre of mass and inertia about it of body number b."""
        mass, centre, inertia = self.dry[b]
        parts = [(mass, centre)]
        for name, (propellant, at) in self.tanks.items():
            if name.startswith(f"{NAMES[b]}."):
                used = sum(jet.used(t) for jet in self.jets.values() if jet.tank == name)
                parts.append((propellant - used, at))
        total = sum(m for m, _ in parts)
        middle = sum(m * c for m, c in parts) / total
        for m, c in parts:
            arm = crossing(c - middle)
            inertia = inertia - m * arm @ arm
        return total, middle, inertia

    def rows(self, x):
        """Rows (18) of the accelerations of O (inertial) and angular accelerations (body), and what they
        must be, of all joints that hold."""
        found = []
        for joint in self.held.values():
            a, b = NAMES.index(joint["parent"]), NAMES.index(joint["child"])
            ends = [self._end(x, body, si(joint[at])) for body, at in ((a, "parent_at"), (b, "child_at"))]
            (pa, va, ja, ga), (pb, vb, jb, gb) = ends
            jacobian, bias = np.zeros((3, 18)), gb - ga
            jacobian[:, 6 * a : 6 * a + 6], jacobian[:, 6 * b : 6 * b + 6] = -ja, jb
            if joint["kind"] == "rod":
                way, rate = pb - pa, vb - va
                found.append((way @ jacobian, -(way @ bias + rate @ rate)))
                continue
            found += zip(jacobian, -bias, strict=True)
            if joint["kind"] != "spherical":
                found += self._turns(x, a, b, locked=(0, 2) if joint["kind"] == "revolute" else (0, 1, 2))
        return np.array([row for row, _ in found]), np.array([value for _, value in found])

    def _end(self, x, body, at):
        """Position, velocity, rows and their bias of a point of a body."""
        place, turn, velocity, spin = unpacked(x, body)
        arm = at - self.origin[body]
        rows = np.hstack([np.eye(3), -turn @ crossing(arm)])
        bias = turn @ np.cross(spin, np.cross(spin, arm))
        return place + turn @ arm, velocity + turn @ np.cross(spin, arm), rows, bias

    def _turns(self, x, a, b, locked):
        """Rows that keep the relative angular acceleration along axes of the parent zero: enough for bodies
        whose axes are parallel but for a turn about y."""
        (_, ra, _, wa), (_, rb, _, wb) = unpacked(x, a), unpacked(x, b)
        relative = ra.T @ rb
        for k in locked:
            row = np.zeros(18)
            row[6 * a + 3 : 6 * a + 6], row[6 * b + 3 : 6 * b + 6] = -np.eye(3)[k], relative[k]
            # d/dt of (ra.T rb wb - wa): rb wb turns with b against a.
            yield row, -np.cross(relative @ wb - wa, relative @ wb)[k]

    def loads(self, t, x):
        """Masses (18, 18) and forces (18) of the free bodies, in the unknowns of `rows`."""
        matrix, right = np.zeros((18, 18)), np.zeros(18)
        for b in range(3):
            _, turn, _, spin = unpacked(x, b)
            mass, centre, inertia = self.mass(b, t)
            arm = crossing(centre - self.origin[b])
            force, torque = turn.T @ self.gravity * mass, np.zeros(3)
            for jet in self.jets.values():
                thrust = jet.thrust(t) if jet.body == b else 0.0
                if thrust:
                    flow, start, end = thrust / jet.speed, jet.place - centre, jet.at - centre
                    coriolis = np.cross(spin, end - start)
                    force = force + thrust * jet.way - 2 * flow * coriolis
                    force = force - jet.change(t) * (end - start)
                    torque = torque - jet.change(t) * np.cross(start, end)
                    torque = torque + np.cross(end, thrust * jet.way) - flow * np.cross(start + end, coriolis)
            rows = slice(6 * b, 6 * b + 3), slice(6 * b + 3, 6 * b + 6)
            turning = np.cross(spin, np.cross(spin, centre - self.origin[b]))
            matrix[rows[0], rows[0]], matrix[rows[0], rows[1]] = mass * np.eye(3), -mass * turn @ arm
            right[rows[0]] = turn @ (force - mass * turning)
            matrix[rows[1], rows[1]] = inertia
            right[rows[1]] = torque - np.cross(spin, inertia @ spin)
        return matrix, right

    def accelerations(self, t, x):
        """Accelerations (18), and what all joints together do to each body: force (inertial) and torque about
        its centre of mass (body), (18)."""
        matrix, right = self.loads(t, x)
        free = np.linalg.solve(matrix, right)
        if not self.held:
            return free, np.zeros(18)
        rows, value = self.rows(x)
        # A force at O does its torque about the centre of mass.
        about = np.eye(18)
        for b in range(3):
            turn, arm = unpacked(x, b)[1], self.mass(b, t)[1] - self.origin[b]
            about[6 * b + 3 : 6 * b + 6, 6 * b : 6 * b + 3] = -crossing(arm) @ turn.T
        pushes = about @ rows.T
        moved = np.linalg.solve(matrix, pushes)
        scale = np.sqrt(np.diag(rows @ moved))
        scaled = (rows @ moved) / np.outer(scale, scale)
        lam = np.linalg.lstsq(scaled, (value - rows @ free) / scale, rcond=1e-11)[0] / scale
        return free + moved @ lam, pushes @ lam

    def rates(self, t, x):
        """Time derivative of the state."""
        found = self.accelerations(t, x)[0]
        change = np.zeros(54)
        for b in range(3):
            _, turn, velocity, spin = unpacked(x, b)
            part = change[18 * b : 18 * b + 18]
            part[:3], part[3:12] = velocity, (turn @ crossing(spin)).ravel()
            part[12:15], part[15:18] = found[6 * b : 6 * b + 3], found[6 * b + 3 : 6 * b + 6]
        return change


def unpacked(x, body):
    """Place of O, attitude matrix, velocity of O and angular velocity of a body."""
    part = x[18 * body : 18 * body + 18]
    return part[:3], part[3:12].reshape(3, 3), part[12:15], part[15:18]


def start(stack):
    """The state at the start: inertial x east, y north, z up; the flight goes north."""
    told = stack.told["bodies"]["orbiter_tank"]["initial"]
    speed, climb = si(told["speed"]), si(told["flight_path_angle"])
    alpha, beta = si(told["incidence"]["alpha"]), si(told["incidence"]["beta"])
    level = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]])  # north, east, down as columns
    path = level @ np.array(
        [[np.cos(climb), 0, np.sin(climb)], [0, 1, 0], [-np.sin(climb), 0, np.cos(climb)]]
    )
    velocity = path @ np.array([speed, 0, 0])
    up, side = (np.cos(alpha), np.sin(alpha)), (np.cos(beta), np.sin(beta))
    slip = np.array([[side[0], -side[1], 0], [side[1], side[0], 0], [0, 0, 1]])
    lift = np.array([[up[0], 0, -up[1]], [0, 1, 0], [up[1], 0, up[0]]])
    turn = path @ (lift @ slip).T
    spin, x = si(told["angular_velocity"]), np.zeros(54)
    shifts = [np.zeros(3)]
    for side_name in NAMES[1:]:
        joint = stack.told["joints"][f"forward_{side_name}"]
        ends = si(joint["parent_at"]) - stack.origin[0], si(joint["child_at"])
        shifts.append(ends[0] - ends[1] + stack.origin[NAMES.index(side_name)])
    for b, shift in enumerate(shifts):
        place, moving = turn @ shift, velocity + turn @ np.cross(spin, shift)
        x[18 * b : 18 * b + 18] = np.concatenate([place, turn.ravel(), moving, spin])
    return x


def angle(x, side):
    """The second of the 1-2-3 angles of a booster against orbiter and tank."""
    return np.arcsin(np.clip((unpacked(x, 0)[1].T @ unpacked(x, side)[1])[0, 2], -1, 1))


def fly(file, times):
    """States at the times, the time of release, and joint loads on the boosters just before it."""
    stack = Stack(file)
    phases = stack.told["phases"]
    cut, limit = si(phases["mated"]["until"]["time"]), np.radians(-0.104)
    options = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-10, "dense_output": True}
    x, loads = start(stack), {}
    loads[0.0] = stack.accelerations(0.0, x)[1]
    arcs = [solve_ivp(stack.rates, (0.0, cut), x, **options)]
    watches = [lambda t, x, side=side: angle(x, side) - limit for side in (1, 2)]
    for watch in watches:
        watch.terminal, watch.direction = True, -1
    x = arcs[-1].y[:, -1]
    loads[float(cut)] = stack.accelerations(cut, x)[1]
    for name in phases["hinged"]["release"]:
        del stack.held[name]
    arcs.append(solve_ivp(stack.rates, (cut, 4.0), x, events=watches, **options))
    released = float(arcs[-1].t[-1])
    loads[released] = stack.accelerations(released, arcs[-1].y[:, -1])[1]
    stack.held.clear()
    for name in phases["apart"]["ignite"]:
        stack.jets[name].lit = released
    knots = released + np.array([0.0, *stack.jets["front_left"].times[1:]])
    for a, b in zip(knots, [*knots[1:], 4.0], strict=True):
        arcs.append(solve_ivp(stack.rates, (a, b), arcs[-1].y[:, -1], **options))
    states = np.array([next(arc for arc in arcs if t <= arc.t[-1] + 1e-12).sol(t) for t in times])
    return states, released, loads


def main():
    """Write both tables."""
    times = np.round(np.arange(0.0, 4.05, 0.1), 10)
    for file, out in (("scenario.toml", "truth.csv"), ("as_built.toml", "truth_as_built.csv")):
        states, released, loads = fly(file, times)
        lines = [f"# release [s]: {released:.12f}"]
        for when, load in loads.items():
            lines.append(f"# joints on the boosters at {when:.12f}: {' '.join(f'{v:.9e}' for v in load[6:])}")
        names = [
            f"{body}.{what}.{c}"
            for body in NAMES
            for what in ("place", "nose", "belly", "spin")
            for c in "xyz"
        ]
        lines.append(",".join(["time", *names]))
        for t, x in zip(times, states, strict=True):
            row = [t]
            for b in range(3):
                place, turn, _, spin = unpacked(x, b)
                row += [*(place - unpacked(x, 0)[0]), *turn[:, 0], *turn[:, 2], *spin]
                if b == 0:
                    row[-12:-9] = place
            lines.append(",".join(f"{v:.13g}" for v in row))
        (HERE / out).write_text("\n".join(lines) + "\n")
        print(file, released)


if __name__ == "__main__":
    main()
