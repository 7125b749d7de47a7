"""How good is a two-box reference: what `make_truth.py --check` prints.

Checks of different kinds: more steps and higher order; two other integrators (extrapolation in extended
precision, SciPy DOP853 in float64); a different code for the equations (MuJoCo's tree dynamics under DOP853,
when MuJoCo is installed); work and momentum of the external force; Newton-Euler of box 1, which the loads
were not made from; the free axes of the joint carry nothing. `growth` states how much a small change of the
data grows.
"""

import collocation
import extrapolation
import numpy as np
from collocation import REAL
from kane_two_boxes import E2, Boxes
from scipy.integrate import solve_ivp


def peaks(boxes, truth):
    """The length that each group is compared with: its largest; torque: at least peak force x arm / 1000.

    (A spherical joint carries no torque: relative to its own round-off nothing would agree.)
    """
    peak = {k: float(np.linalg.norm(v, axis=1).max()) for k, v in truth.items()}
    floor = float(np.linalg.norm(boxes.arm[0])) * peak["force"] / 1000
    return peak | {"torque": max(peak["torque"], floor)}


def relative(boxes, new, old):
    """Largest difference of each group of columns over the samples, by the group's peak."""
    peak = peaks(boxes, old)
    return {k: float(np.max(np.abs(new[k] - old[k]))) / peak[k] for k in old}


def groups(boxes, states):
    """Named arrays (samples, 3 or 4) of everything the truth holds, ft units."""
    rows = {f"{n}{b}": [] for b in (1, 2) for n in ("position", "velocity", "quaternion", "rate")}
    rows |= {"force": [], "torque": []}
    for s in states:
        for b, values in zip((1, 2), boxes.bodies(s)):
            for n, v in zip(("position", "velocity", "quaternion", "rate"), values):
                rows[f"{n}{b}"].append(v)
        force, torque, _ = boxes.loads(s)
        rows["force"].append(force)
        rows["torque"].append(torque)
    return {k: np.array(v) for k, v in rows.items()}


def show(title, difference):
    print(f"{title}: worst {max(difference.values()):.1e}")
    print("   " + "  ".join(f"{k} {v:.1e}" for k, v in difference.items()))


def dop853(rate, start, times):
    """States at `times` by SciPy's DOP853, float64, rtol 1e-13."""
    flown = solve_ivp(
        lambda t, y: np.asarray(rate(t, y), dtype=float), (0, times[-1]), np.asarray(start, dtype=float),
        "DOP853", times, rtol=1e-13, atol=1e-13,
    )  # fmt: skip
    return flown.y.T.astype(REAL)


def mujoco_model(boxes):
    """MuJoCo's model and data of the same two boxes: a free joint at P, box 2 hung on it."""
    import mujoco

    def inertial(b):
        words = [" ".join(f"{float(x):.17g}" for x in v) for v in (boxes.arm[b], boxes.inertia[b])]
        return f'<inertial mass="{float(boxes.mass[b])}" pos="{words[0]}" diaginertia="{words[1]}"/>'

    joints = {
        "Spherical": '<joint type="ball"/>',
        "Revolute": '<joint type="hinge" axis="0 0 1"/>',
        "Universal": '<joint type="hinge" axis="0 1 0"/><joint type="hinge" axis="0 0 1"/>',
    }[type(boxes.joint).__name__]
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 0 0"/><worldbody><body><freejoint/>{inertial(0)}'
        f"<body>{joints}{inertial(1)}</body></body></worldbody></mujoco>"
    )
    return mujoco, model, mujoco.MjData(model)


def mujoco_rate(boxes):
    """The state's rate with MuJoCo's accelerations; the positions' rates (q' = q w / 2) stay our own."""
    mujoco, model, data = mujoco_model(boxes)
    n = 7 + len(boxes.joint.rest)
    force, torque = boxes.force.astype(float), np.cross(boxes.force_arm, boxes.force).astype(float)

    def rate(time, state):
        data.qpos[:], data.qvel[:] = state[:n], state[n:]
        mujoco.mj_kinematics(model, data)
        r1 = data.xmat[1].reshape(3, 3)
        data.xfrc_applied[1] = np.concatenate([r1 @ force, r1 @ torque])
        mujoco.mj_forward(model, data)
        exact = np.array(boxes.rate(time, state), dtype=float)
        exact[n:] = data.qacc
        return exact

    return rate


def check_mujoco(boxes, states, times, truth):
    """MuJoCo's accelerations at the sampled states, and its own trajectory."""
    try:
        rate = mujoco_rate(boxes)
    except ImportError:
        print("MuJoCo is not installed: not compared")
        return
    n = 7 + len(boxes.joint.rest)
    unit = states[:, 3:7] / np.linalg.norm(states[:, 3:7], axis=1)[:, None]
    at = np.concatenate([states[:, :3], unit, states[:, 7:]], axis=1)
    ours = np.array([boxes.rate(0, s)[n:] for s in at], dtype=float)
    theirs = np.array([rate(0, s.astype(float))[n:] for s in at])
    apart = np.abs(theirs - ours).max() / np.abs(ours).max()
    print(f"MuJoCo, accelerations at the samples: {apart:.1e} of the peak")
    show("MuJoCo, flown by DOP853", relative(boxes, groups(boxes, dop853(rate, boxes.start(), times)), truth))


def check_balance(boxes, times, steps):
    """Energy and momenta against the integrals of power, force and moment, carried as seven more states."""
    n = len(boxes.start())

    def rate(time, state):
        return np.concatenate([boxes.rate(time, state[:n]), boxes.balance(state[:n])[1]])

    start = np.concatenate([boxes.start(), np.zeros(7, dtype=REAL)])
    flown = collocation.integrate(rate, start, times, steps)
    holds = np.array([boxes.balance(s[:n])[0] for s in flown]) - flown[:, n:]
    total = np.array([boxes.balance(s[:n])[0] for s in flown])
    rows = (("energy - work", [0]), ("momentum - impulse", [1, 2, 3]), ("angular momentum", [4, 5, 6]))
    for name, part in rows:
        print(
            f"balance, {name}: {np.abs(holds[:, part]).max() / np.abs(total[:, part]).max():.1e} of the peak"
        )


def check(boxes, states, times, steps):
    """All checks of one reference, printed."""
    truth = groups(boxes, states)
    fine = collocation.integrate(boxes.rate, boxes.start(), times, steps + 3, stages=10)
    show("shorter steps, order 20", relative(boxes, groups(boxes, fine), truth))
    other = extrapolation.integrate(boxes.rate, boxes.start(), times, 2 * steps)
    show("extrapolation", relative(boxes, groups(boxes, other), truth))
    ends = [
        extrapolation.integrate(boxes.rate, state, times[k : k + 2], 2 * steps)[-1]
        for k, state in enumerate(states[:-1])
    ]
    one_by_one = relative(boxes, groups(boxes, [states[0], *ends]), truth)
    show("extrapolation, each sample from the one before", one_by_one)
    flown = dop853(boxes.rate, boxes.start(), times)
    show("SciPy DOP853, rtol 1e-13, float64", relative(boxes, groups(boxes, flown), truth))
    check_mujoco(boxes, states, times, truth)
    check_balance(boxes, times, steps)
    left = np.array([boxes.loads(s)[2] for s in states])
    peak = peaks(boxes, truth)["force"]
    span = np.linalg.norm(boxes.arm[0]) * peak
    print(f"box 1's Newton-Euler: force {np.abs(left[:, :3]).max() / peak:.1e} of the peak force,", end=" ")
    print(f"moment {np.abs(left[:, 3:]).max() / span:.1e} of peak force x arm")
    free = [boxes.joint.rate_map(boxes.split(s)[2]).T @ t for s, t in zip(states, truth["torque"])]
    print(
        f"torque about the joint's free axes: {np.abs(np.array(free)).max() / span:.1e} of peak force x arm"
    )


def growth(boxes, states, times, steps):
    """Sensitivity (samples): relative change of the motion so far per relative change of box 1's Iyy.

    The change at a sample is the largest of all groups, each by its peak; the value is the running maximum. A
    code whose local errors are like a relative change d of the data cannot do much better than growth * d.
    """
    small, truth = REAL("1e-13"), groups(boxes, states)
    moved = (boxes.inertia[0] * (1 + small * E2), boxes.inertia[1])
    other = Boxes(boxes.joint, boxes.mass, moved, boxes.arm, boxes.force, boxes.force_arm)
    changed = groups(other, collocation.integrate(other.rate, other.start(), times, steps))
    peak = peaks(boxes, truth)
    each = [np.abs(changed[k] - truth[k]).max(axis=1) / peak[k] for k in truth]
    return np.maximum.accumulate(np.max(each, axis=0) / small).astype(float)
