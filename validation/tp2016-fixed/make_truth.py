"""Reference solution of TP-2016 test case 1 (fixed joint, released at 10 s): writes truth.csv.

    python make_truth.py [--check]

Joined, A and B are one rigid body that turns freely about its centre of mass S*, which rests at the inertial
origin; released, each turns freely about its own and moves in a straight line. So the only differential
equation is Euler's with no torque, integrated in extended precision (../tp2016-spherical/collocation.py);
the loads are Newton-Euler of body B alone. `--check` compares with Jacobi's elliptic functions, the
symmetric top's closed form, extrapolation, momentum, and Newton-Euler of body A. Units inside: slug, ft, s,
rad; the table is SI.
"""

import sys
from pathlib import Path

import mpmath
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-spherical"))

import collocation  # noqa: E402
import extrapolation  # noqa: E402
from kane_two_boxes import FT, LBF, REAL, cross, numbers, product, quaternion_rate, rotation  # noqa: E402

MASS = {"A": REAL(1), "B": REAL(4) / 10}  # slug, Table 3
INERTIA = {
    "A": numbers("5", "26", "29") / 12,
    "B": np.array([REAL(1) / 6, REAL(1) / 6, REAL(4) / 15]),
}  # slug ft^2 about the centres of mass, Table 3
CENTRE = {
    "A": numbers("-1", "0", "0"),
    "B": numbers("2.5", "0", "0"),
}  # ft, from the common centre of mass S*
JOINT = numbers("1.5", "0", "0")  # ft, from S*: where the boxes touch
START = numbers("63.02", "-82.32", "80.25") * REAL("3.14159265358979323846264338327950288") / 180  # rad/s
ALL = sum(
    MASS[k] * (CENTRE[k] @ CENTRE[k] - CENTRE[k] ** 2) + INERTIA[k] for k in "AB"
)  # inertia of both about S*
TIMES = np.arange(101) / 10  # s, of each half
STEPS = 10  # Gauss steps of order 16 in each interval


def free_turn(inertia):
    """Rate of [q, w] without torque."""

    def rate(time, state):
        w = state[4:]
        return np.concatenate([quaternion_rate(state[:4], w), -cross(w, inertia * w) / inertia])

    return rate


def fly(integrator, steps):
    """[q, w] of the joined body, then of A and of B, each (101, 7)."""
    start = np.concatenate([numbers("1", "0", "0", "0"), START])
    joined = integrator(free_turn(ALL), start, TIMES, steps)
    return [joined] + [integrator(free_turn(INERTIA[k]), joined[-1], TIMES, steps) for k in "AB"]


def angular_acceleration(w, inertia):
    """alpha without torque."""
    return -cross(w, inertia * w) / inertia


def carried(state, body):
    """Inertial position and velocity of a body's centre of mass in the joined motion [ft, ft/s]."""
    r, w = rotation(state[:4]), state[4:]
    return r @ CENTRE[body], r @ cross(w, CENTRE[body])


def needed(state, body):
    """Force [lbf] and torque at the joint [ft lbf] that the joined motion asks for on a body, body axes."""
    w, c = state[4:], CENTRE[body]
    alpha = angular_acceleration(w, ALL)
    force = MASS[body] * (cross(alpha, c) + cross(w, cross(w, c)))
    torque = INERTIA[body] * alpha + cross(w, INERTIA[body] * w) + cross(c - JOINT, force)
    return force, torque


def columns():
    """Names of the table's columns; SI, inertial axes unless SOURCE.md says otherwise."""
    names = ["time", "released"]
    for body in "AB":
        names += [f"{body}.{kind}.{a}" for kind in ("position", "velocity") for a in "xyz"]
        names += [f"{body}.attitude.{a}" for a in "wxyz"] + [f"{body}.angular_velocity.{a}" for a in "xyz"]
    return names + [f"joint.{kind}.{a}" for kind in ("force", "torque") for a in "xyz"]


def table(joined, a, b):
    """Rows of the truth: 0 to 10 s joined, 10 to 20 s released; 10 s twice, before and after the release."""
    rows = []
    for time, state in zip(TIMES, joined):
        row = [time, 0]
        for body in "AB":
            r, v = carried(state, body)
            row += [*(r * FT), *(v * FT), *(state[:4] / np.sqrt(state[:4] @ state[:4])), *state[4:]]
        force, torque = needed(state, "B")
        rows.append([*row, *(force * LBF), *(torque * LBF * FT)])
    for time, *states in zip(TIMES, a, b):
        row = [10 + time, 1]
        for body, state in zip("AB", states):
            r, v = carried(joined[-1], body)
            row += [*((r + v * time) * FT), *(v * FT)]
            row += [*(state[:4] / np.sqrt(state[:4] @ state[:4])), *state[4:]]
        rows.append([*row, *[0] * 6])
    return np.array(rows, dtype=float)


def elliptic(inertia, w, times):
    """Body rates of a free rigid body by Jacobi's functions (Landau and Lifshitz, Mechanics, section 37).

    `inertia` ascending along x, y, z; `w` the rates at time 0 [rad/s]; returns (times, 3). cn belongs to x
    and dn to z where the momentum circles z, the other way round where it circles x.
    """
    with mpmath.workdps(40):
        i1, i2, i3 = (mpmath.mpf(str(x)) for x in inertia)
        w1, w2, w3 = (mpmath.mpf(str(x)) for x in w)
        energy, square = (
            i1 * w1**2 + i2 * w2**2 + i3 * w3**2,
            (i1 * w1) ** 2 + (i2 * w2) ** 2 + (i3 * w3) ** 2,
        )
        around_x = square < energy * i2
        if around_x:
            (i1, w1), (i3, w3) = (i3, w3), (i1, w1)
        large, small = energy * i3 - square, square - energy * i1
        peak1, peak2 = mpmath.sqrt(large / (i1 * (i3 - i1))), mpmath.sqrt(large / (i2 * (i3 - i2)))
        peak3 = mpmath.sign(w3) * mpmath.sqrt(small / (i3 * (i3 - i1)))
        m = (i2 - i1) * large / ((i3 - i2) * small)
        speed = mpmath.sign(w3) * mpmath.sqrt((i3 - i2) * small / (i1 * i2 * i3))  # of w2 = peak2 sn
        phase = mpmath.ellipf(mpmath.asin(w2 / peak2), m)
        phase = 2 * mpmath.ellipk(m) - phase if w1 < 0 else phase
        rows = []
        for t in times:
            sn, cn, dn = (
                mpmath.ellipfun(k, phase + speed * mpmath.mpf(float(t)), m=m) for k in ("sn", "cn", "dn")
            )
            row = [peak1 * cn, peak2 * sn, peak3 * dn]
            rows.append([REAL(mpmath.nstr(x, 25)) for x in (row[::-1] if around_x else row)])
    return np.array(rows)


def spin_vector(vector):
    """Quaternion of the rotation by a rotation vector [rad]."""
    angle = np.sqrt(vector @ vector)
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * vector / angle])


def symmetric(inertia, state, times):
    """[q, w] of a free body with I_x = I_y: it turns about its momentum at L / I_x and about z steadily."""
    momentum = rotation(state[:4]) @ (inertia * state[4:])
    own = (1 - inertia[2] / inertia[0]) * state[6]
    rows = []
    for t in times:
        about = spin_vector(np.array([0, 0, 1]) * own * t) if t else numbers("1", "0", "0", "0")
        outer = spin_vector(momentum / inertia[0] * t) if t else numbers("1", "0", "0", "0")
        q = product(product(outer, state[:4]), about)
        rows.append(np.concatenate([q, rotation(q).T @ momentum / inertia]))
    return np.array(rows)


def worst(difference, of):
    """Largest absolute difference relative to the largest value."""
    return f"{float(np.abs(difference).max() / np.abs(of).max()):.1e}"


def check(joined, a, b):
    """Independent ways to the same numbers, printed."""
    for name, inertia, states in (("joined", ALL, joined), ("A alone", INERTIA["A"], a)):
        exact = elliptic(inertia, states[0, 4:], TIMES)
        print(f"{name}: rates against Jacobi's functions {worst(states[:, 4:] - exact, exact)}")
    exact = symmetric(INERTIA["B"], b[0], TIMES)
    print(f"B alone: against the symmetric top {worst(b - exact, exact)}")
    for name, x, y in zip(("joined", "A", "B"), fly(extrapolation.integrate, 20), (joined, a, b)):
        print(f"{name}: against extrapolation {worst(x - y, y)}")
    for name, inertia, states in (("joined", ALL, joined), ("A", INERTIA["A"], a), ("B", INERTIA["B"], b)):
        momentum = np.array([rotation(s[:4]) @ (inertia * s[4:]) for s in states])
        print(f"{name}: angular momentum, inertial {worst(momentum - momentum[0], momentum)}")
    on_b, on_a = (np.array([needed(s, k) for s in joined]) for k in "BA")
    print(f"load from A's Newton-Euler: force {worst((on_b + on_a)[:, 0], on_b[:, 0])}", end=" ")
    print(f"torque {worst((on_b + on_a)[:, 1], on_b[:, 1])}")
    gained = sum(MASS[k] * cross(*carried(joined[-1], k)) for k in "AB")
    gained = gained + sum(rotation(joined[-1][:4]) @ (INERTIA[k] * joined[-1][4:]) for k in "AB")
    print(f"angular momentum at release, two bodies: {worst(gained - ALL * START, ALL * START)}")


if __name__ == "__main__":
    flown = fly(collocation.integrate, STEPS)
    lines = [",".join(columns())] + [",".join(f"{x:.17g}" for x in row) for row in table(*flown)]
    (HERE / "truth.csv").write_text("\n".join(lines) + "\n")
    print(f"rates at 10 s: {[round(float(x), 6) for x in flown[0][-1, 4:]]} rad/s")
    if "--check" in sys.argv:
        check(*flown)
