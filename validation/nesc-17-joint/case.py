"""Two stages joined until staging, against one rigid body, and the joint's loads against Newton's and Euler's
laws (SOURCE.md).
"""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import angle_between, length, worst
from ..nesc import RADIUS, matrix

MU, J2 = 3.986004418e14, 0.00108262982
UPPER, UPPER_CENTRE = (
    99000.0,
    np.array([-4.79798, 0, 0]),
)  # kg, m: with its propellant, which stays until staging
UPPER_INERTIA = np.diag([111375.0, 941063.762626, 941063.762626])  # kg m^2
JOINT = np.array([-12.0, 0, 0])  # m
BURNOUT, STAGING = 37.380642352941176, 134.170642352941176  # s
FAR = {
    "gravity.mu": 9.8 * (1000 * RADIUS) ** 2,
    "gravity.centre": [-999 * RADIUS, 0.0, 0.0],
    "gravity.j2": 0.0,
}
"""A centre a thousand times as far that pulls as strongly: the field is almost even."""


def pull(position):
    """Acceleration of gravity at positions (rows, 3), central term and J2 (R. H. Battin, An Introduction to
    the Mathematics and Methods of Astrodynamics, section 8.3). Takes complex positions too."""
    r = np.sqrt(np.sum(position * position, axis=-1, keepdims=True))
    k = 1.5 * J2 * (RADIUS / r) ** 2
    polar = 5 * (position[:, 2:] / r) ** 2
    return -MU / r**3 * position * (1 - k * (polar - np.array([1, 1, 3])))


def gradient(position):
    """Its derivative (rows, 3, 3), by complex steps."""
    columns = [np.imag(pull(position + 1e-20j * e)) / 1e-20 for e in np.eye(3)]
    return np.stack(columns, axis=2)


def on(matrices, vectors):
    """Matrices (rows, 3, 3) times vectors (rows, 3)."""
    return np.einsum("nij,nj->ni", matrices, vectors)


def asked_for(record, rows):
    """Force on the upper stage and torque about the joint that Newton's and Euler's laws ask for, structural
    axes, from the motion of the one rigid body."""
    names = (
        "attitude",
        "angular_velocity",
        "angular_acceleration",
        "acceleration",
        "position",
        "mass_centre",
    )
    turn, rate, alpha, acceleration, position, centre = (
        record.series[f"bodies.rocket.{name}"][rows] for name in names
    )
    turn = matrix(turn)
    back = np.swapaxes(turn, 1, 2)
    arm = UPPER_CENTRE - centre
    there = position + on(turn, arm)
    moved = on(back, acceleration - pull(there)) + np.cross(alpha, arm) + np.cross(rate, np.cross(rate, arm))
    force = UPPER * moved
    m = UPPER_INERTIA @ (back @ gradient(there) @ turn)
    tide = np.stack([m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]], axis=1)
    euler = alpha @ UPPER_INERTIA + np.cross(rate, rate @ UPPER_INERTIA)
    return force, euler - tide + np.cross(UPPER_CENTRE - JOINT, force)


def apart(one, two, rows):
    """(distance of the noses [m], angle between the bodies [rad]) at samples."""
    places = [one.series["bodies.rocket.origin_position"], two.series["bodies.upper.origin_position"]]
    turns = [one.series["bodies.rocket.attitude"], two.series["bodies.upper.attitude"]]
    return length(places[0] - places[1])[rows], angle_between(*turns)[rows]


def motion(one, two, name, angle, why=""):
    """Rows of the motion until staging; distances by the altitude then, 138 km."""
    rows = one.time < STAGING
    distance, turned = apart(one, two, rows)
    height = length(one.series["bodies.rocket.position"][rows][-1:])[0] - RADIUS
    yield Row(f"{name}: place until staging [of the altitude]", distance.max() / height, 1e-9)
    yield Row(f"{name}: attitude until staging [rad]", turned.max(), angle, why)


def compare(fly, folder):
    """The motion in the real field and in an even one; the loads in the real field."""
    one, two = fly(folder / "rigid.toml"), fly(folder / "scenario.toml")
    yield from motion(
        one, two, "Earth", 3e-9, "one body leaves out the third moments of the gradient's torque"
    )
    far = fly(folder / "rigid.toml", **FAR), fly(folder / "scenario.toml", **FAR)
    yield from motion(*far, "even field", 1e-9)
    distance, turned = apart(*far, far[0].time > STAGING)
    yield Row("even field: place of the upper stage to 200 s [m]", distance.max(), 1e-3)
    yield Row("even field: attitude of the upper stage to 200 s [rad]", turned.max(), 1e-9)
    joined = one.time < STAGING
    burning = one.time[joined] < BURNOUT
    for what, expected in zip(("force", "torque"), asked_for(one, joined)):
        error = two.series[f"joints.interstage.{what}"][joined] - expected
        peak = length(expected).max()
        yield Row(f"burn: joint {what} [of its peak]", worst(error[burning]) / peak, 1e-9)
        yield Row(f"coast: joint {what} [of the burn's peak]", worst(error[~burning]) / peak, 1e-9)
    for name, record in (("one body", one), ("two bodies", two)):
        times = {event.name: event.time for event in record.events}
        late = max(abs(times["coast"] - BURNOUT), abs(times["second_burn"] - STAGING))
        yield Row(f"{name}: time of the burnout and of staging [s]", late, 1e-9)
