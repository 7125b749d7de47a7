"""Two boxes and one joint without constraint equations: Kane's equations in minimal speeds.

Reference for TP-2016 (NASA/TP-2016-219326) test cases 2, 3 and 6. Generalized speeds are the inertial
velocity of the joint point P (3), the angular velocity of box 1 in its own axes (3), and the joint's own
speeds s (1 to 3). With C the rotation from box 2's axes to box 1's, w2 = C^T w1 + G s in box 2's axes. The
joint cannot be violated, so no multipliers and no stabilization enter. Loads come afterwards, from
Newton-Euler of box 2 alone.

Extended precision throughout. Units inside: slug, ft, lbf, rad, s; the tables that are written are SI.
Joints: Spherical (G s is the relative angular velocity in box 2's axes), Revolute (about z), Universal (about
y of box 1, then z of box 2).
"""

from dataclasses import dataclass

import numpy as np
from collocation import REAL

FT = REAL("0.3048")  # m, exact
LBF = REAL("4.4482216152605")  # N, exact
SLUG = LBF / FT  # kg
E1, E2, E3 = np.eye(3, dtype=REAL)


def numbers(*words):
    """Decimal strings to extended precision, without passing through float64."""
    return np.array([REAL(w) for w in words], dtype=REAL)


def cross_matrix(a):
    """Matrix of a x (.)."""
    zero = REAL(0)
    return np.array([[zero, -a[2], a[1]], [a[2], zero, -a[0]], [-a[1], a[0], zero]])


def cross(a, b):
    """a x b without numpy.cross's overhead."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def rotation(q):
    """Rotation matrix of the quaternion q, scalar first, body to outer; |q| does not matter."""
    n, (w, x, y, z) = q @ q, q
    m = np.array([
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ])  # fmt: skip
    return m / n


def quaternion_rate(q, w):
    """Rate of q (body to outer) at angular velocity w in body axes."""
    return np.array([
        -q[1] * w[0] - q[2] * w[1] - q[3] * w[2],
        q[0] * w[0] + q[2] * w[2] - q[3] * w[1],
        q[0] * w[1] - q[1] * w[2] + q[3] * w[0],
        q[0] * w[2] + q[1] * w[1] - q[2] * w[0],
    ]) / 2  # fmt: skip


def product(p, q):
    """Quaternion product p q."""
    vector = p[0] * q[1:] + q[0] * p[1:] + cross(p[1:], q[1:])
    return np.concatenate([[p[0] * q[0] - p[1:] @ q[1:]], vector])


def solve(matrix, right):
    """Symmetric positive definite solve by Cholesky, in whatever precision the arguments have."""
    n = len(right)
    lower, y = np.array(matrix), np.array(right)
    for j in range(n):
        lower[j:, j] = lower[j:, j] / np.sqrt(lower[j, j])
        lower[j + 1 :, j + 1 :] -= lower[j + 1 :, j, None] * lower[None, j + 1 :, j]
        y[j] = y[j] / lower[j, j]
        y[j + 1 :] -= lower[j + 1 :, j] * y[j]
    for j in range(n - 1, -1, -1):
        y[j] = y[j] / lower[j, j]
        y[:j] -= lower[j, :j] * y[j]
    return y


class Spherical:
    """Three relative rotations: a quaternion (box 2 to box 1) and the relative rate in box 2's axes."""

    rest = numbers("1", "0", "0", "0")
    speeds = 3

    def quaternion(self, x):
        return x

    def rate_map(self, x):
        return np.eye(3, dtype=REAL)

    def rate_bias(self, x, s):
        return np.zeros(3, dtype=REAL)

    def rates(self, x, s):
        return quaternion_rate(x, s)


class Revolute:
    """One relative rotation, about z of both boxes."""

    rest = numbers("0")
    speeds = 1

    def quaternion(self, x):
        return np.cos(x[0] / 2) * np.array([1, 0, 0, 0]) + np.sin(x[0] / 2) * np.array([0, 0, 0, 1])

    def rate_map(self, x):
        return E3[:, None]

    def rate_bias(self, x, s):
        return np.zeros(3, dtype=REAL)

    def rates(self, x, s):
        return s


class Universal:
    """Two relative rotations: x[0] about y of box 1 (a2), then x[1] about z of box 2 (b3), normal to a2."""

    rest = numbers("0", "0")
    speeds = 2

    def quaternion(self, x):
        half = x / 2
        about_y = np.array([np.cos(half[0]), 0, np.sin(half[0]), 0])
        about_z = np.array([np.cos(half[1]), 0, 0, np.sin(half[1])])
        return product(about_y, about_z)

    def rate_map(self, x):
        # a2 in box 2's axes is Rz(x1)^T e2 = (sin x1, cos x1, 0)
        return np.array([[np.sin(x[1]), 0], [np.cos(x[1]), 0], [0, 1]], dtype=REAL)

    def rate_bias(self, x, s):
        return s[0] * s[1] * np.array([np.cos(x[1]), -np.sin(x[1]), REAL(0)])

    def rates(self, x, s):
        return s


@dataclass(frozen=True)
class Boxes:
    """Masses [slug], principal inertias [slug ft^2], centres of mass from P (`arm`) [ft], load on box 1."""

    joint: object
    mass: tuple
    inertia: tuple
    arm: tuple
    force: np.ndarray  # box 1's axes [lbf]
    force_arm: np.ndarray  # from box 1's centre of mass, box 1's axes [ft]

    def start(self):
        """At rest, joint point at the inertial origin, all axes aligned: [r_P, q_1, x, v_P, w_1, s]."""
        upright = numbers("1", "0", "0", "0")
        still = np.zeros(6 + self.joint.speeds, dtype=REAL)
        return np.concatenate([np.zeros(3, dtype=REAL), upright, self.joint.rest, still])

    def split(self, state):
        """State to (r_P, q_1, x, v_P, w_1, s)."""
        n = 7 + len(self.joint.rest)
        return state[:3], state[3:7], state[7:n], state[n : n + 3], state[n + 3 : n + 6], state[n + 6 :]

    def attitudes(self, state):
        """(R_1, R_2, C, w_1, w_2): boxes to inertial, box 2 to box 1, angular velocities in own axes."""
        _, q1, x, _, w1, s = self.split(state)
        r1, c = rotation(q1), rotation(self.joint.quaternion(x))
        return r1, r1 @ c, c, w1, c.T @ w1 + self.joint.rate_map(x) @ s

    def motion_maps(self, state):
        """For each box: partial velocities V (3, n), W (3, n), and the accelerations left when udot = 0.

        Returns [(V, a0, W, alpha0, w), ...]; V and a0 inertial, W, alpha0 and w in the box's own axes.
        """
        r1, r2, c, w1, w2 = self.attitudes(state)
        _, _, x, _, _, s = self.split(state)
        n, g = 6 + self.joint.speeds, self.joint.rate_map(x)
        spin1, spin2 = np.zeros((3, n), dtype=REAL), np.zeros((3, n), dtype=REAL)
        spin1[:, 3:6] = np.eye(3)
        spin2[:, 3:6], spin2[:, 6:] = c.T, g
        left2 = self.joint.rate_bias(x, s) - cross(g @ s, c.T @ w1)  # d(C^T)/dt w1 = -(G s) x C^T w1
        maps = []
        for r, w, spin, left, arm in (
            (r1, w1, spin1, 0 * w1, self.arm[0]),
            (r2, w2, spin2, left2, self.arm[1]),
        ):
            v = -r @ cross_matrix(arm) @ spin
            v[:, :3] += np.eye(3, dtype=REAL)
            maps.append((v, r @ (cross(left, arm) + cross(w, cross(w, arm))), spin, left, w))
        return maps

    def accelerations(self, state):
        """udot by Kane's equations, and the maps they were made with."""
        maps = self.motion_maps(state)
        r1 = rotation(self.split(state)[1])
        applied = ((r1 @ self.force, cross(self.force_arm, self.force)), (np.zeros(3), np.zeros(3)))
        n = 6 + self.joint.speeds
        matrix, right = np.zeros((n, n), dtype=REAL), np.zeros(n, dtype=REAL)
        for (v, a0, spin, left, w), m, j, (f, t) in zip(maps, self.mass, self.inertia, applied):
            matrix += m * (v.T @ v) + spin.T @ (j[:, None] * spin)
            right += v.T @ (f - m * a0) + spin.T @ (t - j * left - cross(w, j * w))
        return solve(matrix, right), maps

    def rate(self, time, state):
        """Time derivative of the state."""
        _, q1, x, vp, w1, s = self.split(state)
        return np.concatenate(
            [vp, quaternion_rate(q1, w1), self.joint.rates(x, s), self.accelerations(state)[0]]
        )

    def loads(self, state):
        """Joint load on box 2 at P, box 2's axes: force [lbf], torque [ft lbf]; and a residual (6) of box 1.

        The load is found from box 2's motion alone; the residual is what is left of box 1's Newton-Euler
        equations when the opposite load acts on it at P together with the external force.
        """
        udot, maps = self.accelerations(state)
        (v1, a1, spin1, left1, w1), (v2, a2, spin2, left2, w2) = maps
        r1, r2, c, _, _ = self.attitudes(state)
        (j1, j2), (arm1, arm2), (m1, m2) = self.inertia, self.arm, self.mass
        force = r2.T @ (m2 * (v2 @ udot + a2))
        torque = j2 * (spin2 @ udot + left2) + cross(w2, j2 * w2) + cross(arm2, force)
        on1, torque1 = -(c @ force), -(c @ torque)
        push = on1 + self.force - m1 * (r1.T @ (v1 @ udot + a1))
        turn = torque1 + cross(-arm1, on1) + cross(self.force_arm, self.force)
        turn = turn - j1 * (spin1 @ udot + left1) - cross(w1, j1 * w1)
        return force, torque, np.concatenate([push, turn])

    def bodies(self, state):
        """For each box: centre of mass position, velocity (inertial), quaternion, own angular velocity."""
        rp, q1, x, vp, _, _ = self.split(state)
        r1, r2, _, w1, w2 = self.attitudes(state)
        q2 = product(q1, self.joint.quaternion(x))
        out = []
        for r, q, w, arm in ((r1, q1, w1, self.arm[0]), (r2, q2, w2, self.arm[1])):
            out.append((rp + r @ arm, vp + r @ cross(w, arm), q / np.sqrt(q @ q), w))
        return out

    def balance(self, state):
        """Kinetic energy, linear momentum and angular momentum about the inertial origin, and their rates.

        Returns [T, p, h] (7) and [power, F, r x F] (7) of the external force: the second integrates to the
        first.
        """
        energy, p, h = REAL(0), np.zeros(3, dtype=REAL), np.zeros(3, dtype=REAL)
        attitudes = self.attitudes(state)
        boxes = self.bodies(state)
        for (r, v, _, w), m, j, rot in zip(boxes, self.mass, self.inertia, attitudes[:2]):
            energy += (m * (v @ v) + w @ (j * w)) / 2
            p = p + m * v
            h = h + m * cross(r, v) + rot @ (j * w)
        r, v, _, w = boxes[0]
        push, at = attitudes[0] @ self.force, attitudes[0] @ self.force_arm
        moved = v + attitudes[0] @ cross(w, self.force_arm)
        return np.concatenate([[energy], p, h]), np.concatenate([[push @ moved], push, cross(r + at, push)])


def report_boxes(joint, first, second):
    """The boxes of Tables 4, 5 and 8 with the load of cases 2, 3 and 6; inertias as decimal strings."""
    push = REAL(5000) / np.sqrt(REAL(51)) * numbers("5", "5", "1")
    arms = (numbers("-4.854", "-0.096", "0"), numbers("3.851", "-0.096", "0"))
    inertia = (numbers(*first), numbers(*second))
    return Boxes(joint, (REAL(622), REAL(622)), inertia, arms, push, numbers("-2", "0", "0.5"))
