"""The aircraft of AIAA 2011-6277 (section VI, Figure 4a), a Boeing 747-100 at 40,000 ft and Mach 0.8: its
trim, all columns of its linear equations by hand, its modes beside published ones, and a steady turn."""

import numpy as np
from scipy.optimize import fsolve

from interstage.studies.verify import Row, linear_about

from ..comparison import worst
from ..thompson import ROUNDED, tilde

G, WEIGHT, AREA, CHORD, SPAN, DENSITY, SPEED, HEIGHT = 9.81, 2.83176e6, 511, 8.324, 59.64, 0.3045, 235.9, 6341
MASS = WEIGHT / G
INERTIA = np.array([[0.247e8, 0, 0.212e7], [0, 0.449e8, 0], [0.212e7, 0, 0.673e8]])
PRESSURE = 0.5 * DENSITY * SPEED**2 * AREA
DRAG = 0.0415
# Etkin and Reid, table 6.1: by u/V, alpha, q c/2V, and the rate of alpha c/2V; X has the thrust in it.
X = np.array([-0.1080, 0.2193, 0])
Z = np.array([-0.106, -4.920, -5.921])
M = np.array([0.1043, -1.023, -23.92])
Z_RATE, M_RATE = 5.896, -6.314
# By v/V, p b/2V, r b/2V: side force, rolling and yawing moment.
SIDE = np.array([[-0.877243, 0, 0], [-0.279744, -0.329656, 0.304074], [0.194688, -0.0407474, -0.273712]])
ELEVATOR = np.array([-0.3648, -1.444])
"""Of Z and M."""
AILERON, RUDDER = np.array([0, -1.368e-2, -1.973e-4]), np.array([0.1146, 6.976e-3, -0.1257])
"""Of Y, l and n."""
FIND = ["bodies.jet.initial.incidence.alpha", "controls.elevator.bias", "forces.thrust.force.x"]
TURN = [*FIND, "controls.aileron.bias", "controls.rudder.bias", "bodies.jet.initial.angular_velocity.z"]
BANK = np.radians(30)
PUBLISHED = {
    "phugoid": (0.0673, 0.0489),
    "short period": (0.964, 0.387),
    "Dutch roll": (0.947, 0.0349),
    "roll": (0.562, 1.0),
    "spiral": (0.00730, 1.0),
}
"""NASA CR-2144, tables IX-5, 9 and 10: size of the eigenvalue [1/s] and damping ratio."""
PRINTED = np.array(
    [
        [-0.00686854, 0.01394951, 0, -32.2],
        [-0.09052721, -0.31506319, 773.97653828, 0],
        [0.00011865, -0.00102552, -0.42843608, 0],
    ]
)
"""Etkin and Reid's equations of u, w and q by u, w, q and theta, in feet."""
FOOT = 0.3048


def compare(fly, folder):
    """Trim, matrices, modes, a steady turn, and a flight."""
    path = folder / "scenario.toml"
    surfaces = ["controls.elevator", "controls.aileron", "controls.rudder"]
    linear = linear_about(path, "trim", inputs=[*surfaces, "bodies.jet.force.x"], find=FIND)
    trim = linear.trimmed
    yield Row("trim: alpha and elevator [rad]", worst([trim[name] for name in FIND[:2]]), ROUNDED)
    thrust = PRESSURE * DRAG
    yield Row("trim: thrust, of itself", abs(trim[FIND[2]] / thrust - 1), ROUNDED)
    yield Row("accelerations at the trim [m/s^2, rad/s^2]", worst(linear.rates[6:]), ROUNDED)
    a, b = by_hand(HEIGHT)
    for k, name in enumerate(linear.names):
        yield Row(
            f"A, column of {name.removeprefix('bodies.jet.')}, of its largest",
            worst(linear.A[:, k] - a[:, k]) / worst(a),
            ROUNDED,
        )
    yield Row("B of the surfaces, of its largest", worst(linear.B[:, :3] - b) / worst(b), ROUNDED)
    yield Row("B of a force along x [1/kg]", worst(linear.B[:, 3] - np.eye(12)[6] / MASS), ROUNDED)
    even = linear_about(path, "trim", find=FIND, **{"atmosphere.scale_height": "1e15 m"})
    yield from printed(even)
    yield from modes(even)
    yield from turn(path)
    scenario = trim.scenario
    yield from steady(fly(scenario))


def longitudinal():
    """Changes of X, Z [N] and M [N m] with u, w [m/s] and q [rad/s]; what the rate of alpha adds is put in by
    the equation of w (Etkin and Reid, eq 4.9,18)."""
    mu = 2 * MASS / (0.5 * DENSITY * AREA * CHORD)
    weight = WEIGHT / PRESSURE
    rate = (np.array([Z[0] - 2 * weight, Z[1], Z[2] + mu])) / (mu - Z_RATE)
    ratios = np.array([1, 1, CHORD / 2]) / SPEED
    # The pressure of the atmosphere grows with speed: of a force that balances the weight, by twice of it.
    x, z = X.copy(), Z + Z_RATE * rate - np.array([2 * weight, 0, 0])
    return PRESSURE * ratios * np.array([x, z, (M + M_RATE * rate) * CHORD])


def lateral():
    """Changes of Y [N], l and n [N m] with v [m/s], p and r [rad/s]."""
    ratios = np.array([1, SPAN / 2, SPAN / 2]) / SPEED
    return PRESSURE * np.array([[1.0], [SPAN], [SPAN]]) * SIDE * ratios


def by_hand(height):
    """Thompson's equation of the aircraft in level flight, and its surfaces: displacements d and turns e
    along and about the axes of the aircraft, then velocities and rates. height: of the atmosphere [m]."""
    velocity, along, across = np.array([SPEED, 0, 0]), longitudinal(), lateral()
    a, b = np.zeros((12, 12)), np.zeros((12, 3))
    d, e, v, w = (slice(k, k + 3) for k in (0, 3, 6, 9))
    a[d, e], a[d, v], a[e, w] = -tilde(velocity), np.eye(3), np.eye(3)
    a[v, e], a[v, w] = tilde([0, 0, G]), tilde(velocity)
    # Down by d.z the atmosphere is denser by d.z / height: drag and lift, without the thrust.
    a[v, 2] = np.array([-DRAG * PRESSURE, 0, -WEIGHT]) / (MASS * height)
    force, moment = np.zeros((3, 6)), np.zeros((3, 6))
    u_w_q, v_p_r = [0, 2, 4], [1, 3, 5]
    force[np.ix_([0, 2], u_w_q)], moment[np.ix_([1], u_w_q)] = along[:2], along[2:]
    force[np.ix_([1], v_p_r)], moment[np.ix_([0, 2], v_p_r)] = across[:1], across[1:]
    a[v, 6:] += force / MASS
    a[w, 6:] += np.linalg.solve(INERTIA, moment)
    b[v] = PRESSURE / MASS * np.array([[0, 0, 0], [0, AILERON[0], RUDDER[0]], [ELEVATOR[0], 0, 0]])
    turning = [[0, AILERON[1] * SPAN, RUDDER[1] * SPAN], [ELEVATOR[1] * CHORD, 0, 0]]
    turning.append([0, AILERON[2] * SPAN, RUDDER[2] * SPAN])
    b[w] = PRESSURE * np.linalg.solve(INERTIA, turning)
    return a, b


def printed(linear):
    """Against the book's matrix, whose numbers come from feet and have rounding of 1e-4 in speed and g."""
    columns = [linear.names.index(f"bodies.jet.{name}") for name in (
        "velocity.x", "velocity.z", "angular_velocity.y", "attitude.y"
    )]  # fmt: skip
    rows = columns[:3]
    to_feet = np.array([[1, 1, 1 / FOOT, 1 / FOOT], [1, 1, 1 / FOOT, 1 / FOOT], [FOOT, FOOT, 1, 1]])
    found = linear.A[np.ix_(rows, columns)] * to_feet
    for k, name in enumerate("uwq"):
        off = np.abs(found[k] - PRINTED[k]) / np.where(PRINTED[k] == 0, worst(PRINTED[k]), np.abs(PRINTED[k]))
        yield Row(f"the book's equation of {name}, each number of itself", worst(off), 2e-3)


def modes(linear):
    """Beside the published modes, in air that is as dense everywhere, as theirs."""
    own = [mode for mode in linear.modes if not mode.zero]
    order = ["spiral", "phugoid", "roll", "Dutch roll", "short period"]
    yield Row("modes that are not at zero", abs(len(own) - 5), 0.0)
    for name, mode in zip(order, own, strict=True):
        size, damping = PUBLISHED[name]
        yield Row(
            f"{name}: size of the eigenvalue, of the published", abs(abs(mode.eigenvalue) / size - 1), 0.01
        )
        yield Row(f"{name}: damping ratio", abs(mode.damping - damping), 1e-3)


def turn(path):
    """A level turn with a bank of 30 deg and no sideslip, by six equations of its own."""
    changes = {"bodies.jet.initial.incidence.bank": BANK, "bodies.jet.initial.angular_velocity.z": "-1 deg/s"}
    trim = linear_about(path, "trim", find=TURN, **changes).trimmed
    scale = np.array([1, 1, 1e5, 1, 1, 0.01])
    truth = fsolve(lambda y: turning(y * scale), [0.02, 0, 2, 0, 0, -2], xtol=1e-14) * scale
    found = np.array([trim[name] for name in TURN])
    names = [
        "alpha [rad]",
        "elevator [rad]",
        "thrust, of itself",
        "aileron [rad]",
        "rudder [rad]",
        "rate [rad/s]",
    ]
    for k, name in enumerate(names):
        size = truth[k] if k == 2 else 1.0
        yield Row(f"turn: {name}", abs(found[k] - truth[k]) / abs(size), 1e-10)
    off = SPEED * abs(found[5]) / (G * np.tan(BANK)) - 1
    yield Row("turn: rate compared with g tan(bank)/V, of itself", abs(off), 0.01)
    yield Row("turn: whether it is steady", 0.0 if trim.standing == "moves steadily" else 1.0, 0.0)


def turning(unknown):
    """Accelerations [m/s^2, rad/s^2] in a level turn, in axes of the aircraft."""
    alpha, elevator, thrust, aileron, rudder, rate = unknown
    velocity = SPEED * np.array([np.cos(alpha), 0, np.sin(alpha)])
    # From axes along the velocity, level and down: banked about the velocity, then up by alpha.
    c, s = np.cos(BANK), np.sin(BANK)
    banked = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    c, s = np.cos(alpha), np.sin(alpha)
    down = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]]) @ banked @ [0, 0, 1]
    spin = -rate * down
    p, q, r = spin * np.array([SPAN, CHORD, SPAN]) / (2 * SPEED)
    mu, weight = 2 * MASS / (0.5 * DENSITY * AREA * CHORD), WEIGHT / PRESSURE
    change = (Z[1] * alpha + (Z[2] + mu) * q) / (mu - Z_RATE)
    force = PRESSURE * np.array(
        [
            X[1] * alpha - DRAG,
            RUDDER[0] * rudder,
            -weight + Z[1] * alpha + Z[2] * q + ELEVATOR[0] * elevator + Z_RATE * change,
        ]
    )
    sides = SIDE[1:, 1] * p + SIDE[1:, 2] * r + AILERON[1:] * aileron + RUDDER[1:] * rudder
    pitch = M[1] * alpha + M[2] * q + ELEVATOR[1] * elevator + M_RATE * change
    moment = PRESSURE * np.array([SPAN * sides[0], CHORD * pitch, SPAN * sides[1]])
    linear = (force + np.array([thrust, 0, 0])) / MASS + G * down - np.cross(spin, velocity)
    angular = np.linalg.solve(INERTIA, moment - np.cross(spin, INERTIA @ spin))
    return np.concatenate([linear, angular])


def steady(flight):
    """Speed and altitude of the trimmed aircraft as it flies."""
    for path, unit, bound in (("bodies.jet.speed", "m/s", 1e-6), ("bodies.jet.altitude", "m", 1e-6)):
        series = flight.series[path]
        yield Row(f"flown for 20 s: {path.rpartition('.')[2]} [{unit}]", worst(series - series[0]), bound)
