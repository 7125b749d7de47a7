"""Writes history.csv: Andrews' mechanism between the published start and end.

    python make_truth.py      prints how far it is from the published end, and the drift of the constraints

The published equations M q'' = f - G^T lambda, G q'' = -gamma, solved for q'' and lambda and integrated by
SciPy's DOP853; no body, joint or frame of three dimensions is in them. Equations and parameters: Test Set for
IVP Solvers, problem "Andrews"; Hairer and Wanner, Solving Ordinary Differential Equations II, section VII.7.
"""

import csv
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

HERE = Path(__file__).parent
NAMES = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")
M1, M2, M3, M4, M5, M6, M7 = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498  # kg
I1, I2, I3, I4, I5, I6, I7 = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5  # kg m^2
XA, YA, XB, YB, XC, YC = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072  # m
D, DA, E, EA, RR, RA = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
SS, SA, SB, SC, SD = 0.035, 0.01874, 0.01043, 0.018, 0.02
TA, TB, U, UA, UB, ZF, ZT, FA = 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
C0, L0, MOMENT = 4530.0, 0.07785, 0.033  # N/m, m, N m
TIMES = np.arange(61) / 2000


def masses(q):
    """The mass matrix (7, 7)."""
    e, z = E - EA, ZF - FA
    matrix = np.zeros((7, 7))
    cross = DA * RR * np.cos(q[1])
    matrix[0, 0] = M1 * RA**2 + M2 * (RR**2 - 2 * cross + DA**2) + I1 + I2
    matrix[0, 1] = M2 * (DA**2 - cross) + I2
    matrix[1, 1] = M2 * DA**2 + I2
    matrix[2, 2] = M3 * (SA**2 + SB**2) + I3
    cross = ZT * e * np.sin(q[3])
    matrix[3, 3] = M4 * e**2 + I4
    matrix[3, 4] = M4 * (e**2 + cross) + I4
    matrix[4, 4] = M4 * (ZT**2 + 2 * cross + e**2) + M5 * (TA**2 + TB**2) + I4 + I5
    cross = U * z * np.sin(q[5])
    matrix[5, 5] = M6 * z**2 + I6
    matrix[5, 6] = M6 * (z**2 - cross) + I6
    matrix[6, 6] = M6 * (z**2 - 2 * cross + U**2) + M7 * (UA**2 + UB**2) + I6 + I7
    return matrix + np.triu(matrix, 1).T


def forces(q, v):
    """The generalized forces (7), with the terms of the velocities."""
    e, z = ZT * (E - EA), U * (ZF - FA)
    s, c = np.sin(q), np.cos(q)
    x = SD * c[2] + SC * s[2] + XB - XC
    y = SD * s[2] - SC * c[2] + YB - YC
    pull = -C0 * (np.hypot(x, y) - L0) / np.hypot(x, y)
    return np.array([
        MOMENT - M2 * DA * RR * v[1] * (v[1] + 2 * v[0]) * s[1],
        M2 * DA * RR * v[0] ** 2 * s[1],
        pull * (x * (SC * c[2] - SD * s[2]) + y * (SD * c[2] + SC * s[2])),
        M4 * e * v[4] ** 2 * c[3],
        -M4 * e * v[3] * (v[3] + 2 * v[4]) * c[3],
        -M6 * z * v[6] ** 2 * c[5],
        M6 * z * v[5] * (v[5] + 2 * v[6]) * c[5],
    ])  # fmt: skip


def arms():
    """How E is reached: chains of (angles summed, length, phase) with x = length cos(sum + phase)."""
    down = -np.pi / 2  # length (sin a, -cos a) = length (cos(a - 90 deg), sin(a - 90 deg))
    crank = [((0,), RR, 0.0), ((0, 1), -D, 0.0)]
    legs = [[((2,), SS, down)], [((4,), ZT, 0.0), ((3, 4), E, down)], [((6,), U, down), ((5, 6), ZF, 0.0)]]
    return crank, legs


def chain(parts, q, v):
    """A point reached along arms: position (2), Jacobian (2, 7), Jacobian rate times velocity (2)."""
    point, jacobian, convective = np.zeros(2), np.zeros((2, 7)), np.zeros(2)
    for columns, length, phase in parts:
        angle, rate = sum(q[k] for k in columns) + phase, sum(v[k] for k in columns)
        along = length * np.array([np.cos(angle), np.sin(angle)])
        point += along
        convective -= along * rate**2
        for k in columns:
            jacobian[:, k] += [-along[1], along[0]]
    return point, jacobian, convective


def constraints(q, v):
    """g (6), G (6, 7) and gamma (6)."""
    crank, legs = arms()
    first = chain(crank, q, v)
    found = []
    for leg, pivot in zip(legs, ((XB, YB), (XA, YA), (XA, YA))):
        point, jacobian, convective = chain(leg, q, v)
        found.append((first[0] - point - pivot, first[1] - jacobian, first[2] - convective))
    return tuple(np.concatenate(parts) for parts in zip(*found))


def solve(state):
    """Accelerations (7) and multipliers (6)."""
    q, v = state[:7], state[7:]
    _, jacobian, gamma = constraints(q, v)
    matrix = np.block([[masses(q), jacobian.T], [jacobian, np.zeros((6, 6))]])
    found = np.linalg.solve(matrix, np.concatenate([forces(q, v), -gamma]))
    return found[:7], found[7:]


def main():
    """Integrate from the published start."""
    with (HERE / "truth.csv").open() as file:
        names, first, last = csv.reader(file)
    first, last = (np.array(line[1:], float) for line in (first, last))
    flown = solve_ivp(
        lambda t, y: np.concatenate([y[7:], solve(y)[0]]),
        (0, TIMES[-1]),
        first[:14],
        "DOP853",
        t_eval=TIMES,
        rtol=1e-13,
        atol=1e-14,
    )
    table = np.array([[t, *y, *np.concatenate(solve(y))] for t, y in zip(flown.t, flown.y.T)])
    lines = [",".join(names), *(",".join(f"{x:.15g}" for x in line) for line in table)]
    (HERE / "history.csv").write_text("\n".join(lines) + "\n")
    print("from the published start", np.abs(table[0, 1:] - first).max())
    for kind, part in (("angles", slice(7)), ("rates", slice(7, 14)), ("the rest", slice(14, 27))):
        print(f"{kind} from the published end", np.abs(table[-1, 1:][part] / last[part] - 1).max())
    print(
        "constraints have drifted by", max(np.abs(constraints(*np.split(y, 2))[0]).max() for y in flown.y.T)
    )


if __name__ == "__main__":
    main()
