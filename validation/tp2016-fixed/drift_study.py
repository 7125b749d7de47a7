"""How far the joint of TP-2016 test case 1 drifts with Baumgarte's method and RK4: writes drift.json.

    python drift_study.py

Two free bodies (24 + 2 states: centres of mass, quaternions, velocities, body rates), six constraint rows
from the report's eqs 91-94 with the derivatives of eqs 56-61, multipliers by eq 34, gamma' by eq 55 with eta
= 5 /s, classic RK4 over 0 to 10 s. Measured: the largest Euclidean length of the joint displacement over all
steps [ft].

That number depends on how the attitude is carried inside a step, because a quaternion's length is off one
in the middle of an RK4 step; six ways are flown. Their drifts differ by up to 20 %, their slopes do not.
"""

import json
from pathlib import Path

import numpy as np

MASS = (1.0, 0.4)  # slug
INERTIA = (np.array([5, 26, 29]) / 12, np.array([1 / 6, 1 / 6, 4 / 15]))  # slug ft^2
ARM = (np.array([2.5, 0, 0]), np.array([-1.0, 0, 0]))  # ft, joint point from each centre of mass
AT = (np.array([-1.0, 0, 0]), np.array([2.5, 0, 0]))  # ft, centres of mass at the start
RATE = np.radians([63.02, -82.32, 80.25])  # rad/s
ETA = 5.0  # 1/s
PAIRS = ((1, 0), (2, 0), (1, 2))  # b2.a1, b3.a1, b2.a3
INVERSE = 1 / np.concatenate([[MASS[0]] * 3, INERTIA[0], [MASS[1]] * 3, INERTIA[1]])


def homogeneous(q):
    """Rotation matrix (body to inertial) of q / |q|."""
    w, x, y, z = q / np.linalg.norm(q)
    return subtracting((w, x, y, z))


def subtracting(q):
    """The usual form with 1 - 2 (y^2 + z^2) on the diagonal, of q as it is: no rotation if |q| is not one."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quadratic(q):
    """The form with w^2 + x^2 - y^2 - z^2 on the diagonal, of q as it is: a rotation times |q|^2."""
    return homogeneous(q) * (q @ q)


def constraints(state, matrix):
    """g, gdot, alpha, gamma (6 rows) over the speeds [v_A, w_A (body), v_B, w_B (body)]."""
    (r_a, q_a, r_b, q_b), (v_a, w_a, v_b, w_b) = np.split(state[:14], [3, 7, 10]), np.split(state[14:], 4)
    m_a, m_b = matrix(q_a), matrix(q_b)
    spin_a, spin_b, arm_a, arm_b = m_a @ w_a, m_b @ w_b, m_a @ ARM[0], m_b @ ARM[1]
    apart = r_b + arm_b - r_a - arm_a
    speed = v_b + np.cross(spin_b, arm_b) - v_a - np.cross(spin_a, arm_a)
    pull = np.cross(spin_b, np.cross(spin_b, arm_b)) - np.cross(spin_a, np.cross(spin_a, arm_a))
    g, rate, alpha, gamma = np.zeros(6), np.zeros(6), np.zeros((6, 12)), np.zeros(6)
    for k in range(3):
        e = m_a[:, k]
        turn = np.cross(spin_a, e)
        g[k], rate[k] = apart @ e, speed @ e + apart @ turn
        gamma[k] = pull @ e + 2 * speed @ turn + apart @ np.cross(spin_a, turn)
        rows = (-e, -m_a.T @ np.cross(arm_a + apart, e), e, m_b.T @ np.cross(arm_b, e))
        alpha[k] = np.concatenate(rows)
    for k, (j, i) in enumerate(PAIRS, start=3):
        e_a, e_b = m_a[:, i], m_b[:, j]
        axis = np.cross(e_b, e_a)
        g[k], rate[k] = e_b @ e_a, (spin_b - spin_a) @ axis
        turned = np.cross(np.cross(spin_b, e_b), e_a) + np.cross(e_b, np.cross(spin_a, e_a))
        gamma[k] = (spin_b - spin_a) @ turned
        alpha[k] = np.concatenate([np.zeros(3), -m_a.T @ axis, np.zeros(3), m_b.T @ axis])
    return g, rate, alpha, gamma


def quaternion_rate(q, w):
    """q times (0, w) / 2."""
    return np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)]) / 2


def state_rate(state, matrix):
    """Time derivative of the state under Baumgarte's method."""
    v_a, w_a, v_b, w_b = np.split(state[14:], 4)
    g, rate, alpha, gamma = constraints(state, matrix)
    loads = [np.zeros(3), -np.cross(w_a, INERTIA[0] * w_a), np.zeros(3), -np.cross(w_b, INERTIA[1] * w_b)]
    free = INVERSE * np.concatenate(loads)
    wanted = -(alpha @ free + gamma + 2 * ETA * rate + ETA**2 * g)
    multipliers = np.linalg.solve((alpha * INVERSE) @ alpha.T, wanted)
    speeds = free + INVERSE * (alpha.T @ multipliers)
    turns = quaternion_rate(state[3:7], w_a), quaternion_rate(state[10:14], w_b)
    return np.concatenate([v_a, turns[0], v_b, turns[1], speeds])


def fly(step, matrix, normalised):
    """Joint displacement (steps + 1, 3) [ft] in A's axes, over 0 to 10 s with classic RK4."""
    one = np.array([1.0, 0, 0, 0])
    speeds = [x for r in AT for x in (np.cross(RATE, r), RATE)]
    state = np.concatenate([AT[0], one, AT[1], one, *speeds])
    drift = [constraints(state, matrix)[0][:3]]
    for _ in range(round(10 / step)):
        k1 = state_rate(state, matrix)
        k2 = state_rate(state + step / 2 * k1, matrix)
        k3 = state_rate(state + step / 2 * k2, matrix)
        k4 = state_rate(state + step * k3, matrix)
        state = state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        for part in (slice(3, 7), slice(10, 14)):
            state[part] /= np.linalg.norm(state[part]) if normalised else 1.0
        drift.append(constraints(state, matrix)[0][:3])
    return np.array(drift)


WAYS = {
    "1 - 2 (y^2 + z^2), quaternion never normalised": (subtracting, False),
    "1 - 2 (y^2 + z^2), quaternion normalised after each step": (subtracting, True),
    "w^2 + x^2 - y^2 - z^2, quaternion never normalised": (quadratic, False),
    "w^2 + x^2 - y^2 - z^2, quaternion normalised after each step": (quadratic, True),
    "matrix of q / |q|, quaternion never normalised": (homogeneous, False),
    "matrix of q / |q|, quaternion normalised after each step": (homogeneous, True),
}

if __name__ == "__main__":
    found = []
    for name, way in WAYS.items():
        for step in (0.02, 0.01, 0.005):
            drift = fly(step, *way)
            worst = float(np.max(np.linalg.norm(drift, axis=1)))
            largest = float(np.max(np.abs(drift)))
            found.append(
                {"attitude": name, "step_s": step, "norm_ft": worst, "largest_component_ft": largest}
            )
            print(f"{name}: {step} s: {worst:.4e} ft, largest component {largest:.4e} ft", flush=True)
    text = json.dumps({"eta_per_s": ETA, "end_s": 10.0, "drift": found}, indent=1)
    (Path(__file__).parent / "drift.json").write_text(text + "\n")
