"""TP-2016 section 2.5, the planar slider, exactly as printed (eqs 79-90). NumPy only.

A and B move in the n1-n2 plane. q = (x_A, y_A, angle_A, x_B, y_B, angle_B) of the centres of mass and bodies,
u their rates; B slides along a1 of A, its joint point at -p_B b2 from B's centre of mass, A's line at +p_A a2
from A's. Rows: 1 locks the translation along a2, 2 keeps b2 normal to a1. Any consistent units.
"""

import numpy as np


def displacement(q, p_a, p_b):
    """g, eqs 79 and 82 (2)."""
    q1, q2, q3, q4, q5, q6 = q
    return np.array(
        [
            -(q4 - q1) * np.sin(q3) + (q5 - q2) * np.cos(q3) - p_a - p_b * np.cos(q3 - q6),
            np.sin(q3 - q6),
        ]
    )


def rate(q, u, p_b):
    """gdot, eqs 80 and 83 (2)."""
    (q1, q2, q3, q4, q5, q6), (u1, u2, u3, u4, u5, u6) = q, u
    return np.array(
        [
            (u5 - u2 - (q4 - q1) * u3) * np.cos(q3)
            - (u4 - u1 + (q5 - q2) * u3) * np.sin(q3)
            + p_b * (u3 - u6) * np.sin(q3 - q6),
            (u3 - u6) * np.cos(q3 - q6),
        ]
    )


def acceleration(q, u, du, p_b):
    """gddot, eqs 81 and 84 (2); du are the rates of u."""
    (q1, q2, q3, q4, q5, q6), (u1, u2, u3, u4, u5, u6), (d1, d2, d3, d4, d5, d6) = q, u, du
    return np.array(
        [
            (d5 - d2 - 2 * (u4 - u1) * u3 - (q4 - q1) * d3 - (q5 - q2) * u3**2) * np.cos(q3)
            - (d4 - d1 + 2 * (u5 - u2) * u3 + (q5 - q2) * d3 - (q4 - q1) * u3**2) * np.sin(q3)
            + p_b * ((d3 - d6) * np.sin(q3 - q6) + (u3 - u6) ** 2 * np.cos(q3 - q6)),
            (d3 - d6) * np.cos(q3 - q6) - (u3 - u6) ** 2 * np.sin(q3 - q6),
        ]
    )


def alpha_transposed(q, p_b):
    """alpha^T, eq 85 (6, 2)."""
    q1, q2, q3, q4, q5, q6 = q
    return np.array(
        [
            [np.sin(q3), 0],
            [-np.cos(q3), 0],
            [
                -(q5 - q2) * np.sin(q3) - (q4 - q1) * np.cos(q3) + p_b * np.sin(q3 - q6),
                np.cos(q3 - q6),
            ],
            [-np.sin(q3), 0],
            [np.cos(q3), 0],
            [-p_b * np.sin(q3 - q6), -np.cos(q3 - q6)],
        ]
    )


def gamma_stabilized(q, u, p_a, p_b, eta):
    """gamma', eqs 86 and 87 (2)."""
    (q1, q2, q3, q4, q5, q6), (u1, u2, u3, u4, u5, u6) = q, u
    first = (
        -2 * u3 * ((u4 - u1) * np.cos(q3) + (u5 - u2) * np.sin(q3))
        + u3**2 * ((q4 - q1) * np.sin(q3) - (q5 - q2) * np.cos(q3))
        + p_b * (u3 - u6) ** 2 * np.cos(q3 - q6)
        + 2
        * eta
        * (
            (u5 - u2 - (q4 - q1) * u3) * np.cos(q3)
            - (u4 - u1 + (q5 - q2) * u3) * np.sin(q3)
            + p_b * (u3 - u6) * np.sin(q3 - q6)
        )
        + eta**2 * ((q5 - q2) * np.cos(q3) - (q4 - q1) * np.sin(q3) - p_a - p_b * np.cos(q3 - q6))
    )
    second = (
        -((u3 - u6) ** 2) * np.sin(q3 - q6) + 2 * eta * (u3 - u6) * np.cos(q3 - q6) + eta**2 * np.sin(q3 - q6)
    )
    return np.array([first, second])


def generalized_forces(q, p_b, multipliers):
    """alpha^T lambda, eq 88 (6)."""
    (q1, q2, q3, q4, q5, q6), (l1, l2) = q, multipliers
    return np.array(
        [
            np.sin(q3) * l1,
            -np.cos(q3) * l1,
            (-(q5 - q2) * np.sin(q3) - (q4 - q1) * np.cos(q3) + p_b * np.sin(q3 - q6)) * l1
            + np.cos(q3 - q6) * l2,
            -np.sin(q3) * l1,
            np.cos(q3) * l1,
            -p_b * np.sin(q3 - q6) * l1 - np.cos(q3 - q6) * l2,
        ]
    )


def force_on_b(q, multipliers):
    """F^(CON) = lambda_1 a2 on B at its joint point, eq 89, components on n1, n2 (2)."""
    return multipliers[0] * np.array([-np.sin(q[2]), np.cos(q[2])])


def torque_on_b(multipliers):
    """T^(CON) = -lambda_2 b3 on B, eq 90, on n3; true on the constraint only (it drops cos(q3 - q6))."""
    return -multipliers[1]
