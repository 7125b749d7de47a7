"""A plain host: SciPy integrates two bodies, Interstage's joints give it the loads to add."""

import numpy as np
from scipy.integrate import solve_ivp

from ..comparison import turned

WEIGHT = np.array([0.0, 0.0, -9.81])  # m/s^2
LOOSE = 1e9
"""A tolerance that no step misses: all are as long as they may be."""


def fly(joints, mass, inertia, thrust, arm, start, stops, step, method, once=False):
    """States (4 arrays) and joint forces at each of the times `stops` [s], by steps of `step` [s] of a
    method, from a start at time 0.

    thrust [N] acts on the first body at `arm` [m] from its centre of mass, body axes. once: loads are
    computed at the beginning of each step, and held, as by hosts that cannot ask within a step."""
    inverse = [np.linalg.inv(inertia[:, :, k]) for k in (0, 1)]

    def parts(y):
        return y[:6].reshape(3, 2), y[6:14].reshape(4, 2), y[14:20].reshape(3, 2), y[20:].reshape(3, 2)

    def added(y):
        r, q, v, w = parts(y)
        force, torque = np.outer(WEIGHT, mass), np.zeros((3, 2))
        force[:, :1] += turned((q / np.linalg.norm(q, axis=0)).T[:1], thrust).T
        torque[:, 0] += np.cross(arm, thrust)
        loads = joints.loads(r, q, v, w, force, torque)
        return force + loads.force, torque + loads.torque, loads

    def slope(t, y, held=None):
        _, q, v, w = parts(y)
        force, torque = added(y)[:2] if held is None else held
        turning = np.cross(w, np.stack([inertia[:, :, k] @ w[:, k] for k in (0, 1)], 1), axis=0)
        spin = np.stack([inverse[k] @ (torque - turning)[:, k] for k in (0, 1)], 1)
        change = 0.5 * np.concatenate([-np.sum(q[1:] * w, 0)[None], q[0] * w + np.cross(q[1:], w, axis=0)])
        return np.concatenate([part.ravel() for part in (v, change, force / mass, spin)])

    y, found, time = np.concatenate([part.ravel() for part in start]), [], 0.0
    for stop in stops:
        for end in np.linspace(time, stop, round((stop - time) / step) + 1)[1:] if once else [stop]:
            held = (added(y)[:2],) if once else None
            first = min(step, end - time)
            way = {"method": method, "first_step": first, "max_step": step, "rtol": LOOSE, "atol": LOOSE}
            y, time = solve_ivp(slope, (time, end), y, args=held, **way).y[:, -1], end
        found.append((parts(y), added(y)[2].joint_force[:, 0]))
        joints.settle(stop)
    return found
