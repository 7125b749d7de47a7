"""Truth of park-crane: the rigid links' directions, Lagrange's equations with multipliers, inverse dynamics.

    python make_truth.py    writes truth.csv and gravity.csv, and prints how they change with the tolerance

A link is a bar about whose axis nothing turns it; its direction is e_k, and hinge k + 1 stands at the sum of
L_j e_j up to k. With C the coupling of the links and W what hangs on each, kinetic energy is the sum of C_ij
e_i'.e_j' / 2, and

    sum_j C_ij e_j'' + mu_i e_i = W_i g + L_i f,   e_i.e_i'' = -e_i'.e_i',   sum_i L_i e_i'' = v'(t),

where f is the force at the tip that makes its velocity v(t). No torques act at the joints there; those that
do the same without f are, by virtual power of the relative rates of the links, tau_k = (tip - hinge_k) x f.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

LENGTH = np.array([5.0, 3.0, 3.0])
START = np.array([[3, 0, 4], [2, 1, 2], [1, 2, -2]]) / LENGTH[:, None]
BY_LENGTH, ROTARY, END, END_INERTIA = 2.0, 5e-3, 1.0, 0.02  # kg/m, kg m, kg, kg m^2
MASS = BY_LENGTH * LENGTH + 2 * END
ACROSS = BY_LENGTH * LENGTH**3 / 12 + ROTARY * LENGTH + 2 * (END * LENGTH**2 / 4 + END_INERTIA)
BEYOND = np.array([MASS[1] + MASS[2], MASS[2], 0.0])
WEIGHT = MASS * LENGTH / 2 + LENGTH * BEYOND
COUPLING = np.diag(ACROSS + MASS * LENGTH**2 / 4 + LENGTH**2 * BEYOND)
for i, j in ((0, 1), (0, 2), (1, 2)):
    COUPLING[i, j] = COUPLING[j, i] = LENGTH[i] * WEIGHT[j]
SPEED, FREQUENCY, DURATION = np.array([-0.75, 0.75, 0.375]), np.pi / 4, 4.0
TIMES = np.round(np.arange(0, DURATION + 1e-9, 0.1), 10)
GRAVITY = np.array([0.0, 0.0, -1.62])  # m/s^2, that of the Moon


def tip_velocity(time):
    """Velocity that is prescribed for the tip [m/s], and its rate."""
    angle = FREQUENCY * time
    return SPEED * np.sin(angle), SPEED * FREQUENCY * np.cos(angle)


def solved(time, e, rate, gravity):
    """e'' (3, 3) and the force at the tip [N]."""
    matrix, right = np.zeros((15, 15)), np.zeros(15)
    matrix[:9, :9] = np.kron(COUPLING, np.eye(3))
    for k in range(3):
        own = slice(3 * k, 3 * k + 3)
        matrix[own, 9 + k] = matrix[9 + k, own] = e[k]
        matrix[own, 12:] = -LENGTH[k] * np.eye(3)
        matrix[12:, own] = LENGTH[k] * np.eye(3)
        right[own], right[9 + k] = WEIGHT[k] * gravity, -rate[k] @ rate[k]
    right[12:] = tip_velocity(time)[1]
    found = np.linalg.solve(matrix, right)
    return found[:9].reshape(3, 3), found[12:]


def torques(e, force):
    """Torques at the hinges that do what the force at the tip does (hinge, 3) [N m]."""
    arms = np.cumsum((LENGTH[:, None] * e)[::-1], 0)[::-1]
    return np.cross(arms, force)


def flown(gravity, tolerance=1e-13):
    """Rows of the table: time, directions, rates, force at the tip, torques at the hinges."""

    def flow(time, y):
        e, rate = y.reshape(2, 3, 3)
        return np.concatenate([y[9:], solved(time, e, rate, gravity)[0].ravel()])

    begin = np.concatenate([START.ravel(), np.zeros(9)])
    found = solve_ivp(
        flow, (0, DURATION), begin, method="DOP853", rtol=tolerance, atol=tolerance, t_eval=TIMES
    )
    rows = []
    for time, y in zip(TIMES, found.y.T, strict=True):
        e, rate = y.reshape(2, 3, 3)
        force = solved(time, e, rate, gravity)[1]
        rows.append([time, *y, *force, *torques(e, force).ravel()])
    return np.array(rows)


def main():
    """Integrate, write and check."""
    names = ["time", *(f"{n}{k}.{c}" for n in ("along", "rate") for k in (1, 2, 3) for c in "xyz")]
    names += [f"force.{c}" for c in "xyz"] + [f"torque{k}.{c}" for k in (1, 2, 3) for c in "xyz"]
    for name, gravity in (("truth", 0 * GRAVITY), ("gravity", GRAVITY)):
        table, coarse = flown(gravity), flown(gravity, 1e-12)
        print(name, "changes with a tolerance of 1e-12 by", np.abs(table - coarse).max(0)[1:].max())
        e = table[:, 1:10].reshape(-1, 3, 3)
        print("lengths of directions are off by", np.abs(np.linalg.norm(e, axis=2) - 1).max())
        path = Path(__file__).parent / f"{name}.csv"
        np.savetxt(path, table, "%.15g", ",", header=",".join(names), comments="")


if __name__ == "__main__":
    main()
