"""The limit: the case's equations written out for this one mechanism as a Numba loop.

`rates` is the same maths as the general code, row by row (TP-2016 eqs 6-61: rows along Box 1's axes,
Lagrange multipliers, Baumgarte); what is known beforehand of two bodies and three translation rows is used,
so that nothing is multiplied by zero. `rates_by_hand` also reworks the algebra: with the joint's vectors in
Box 1's axes the row directions are unit vectors. The two differ only where the stages of a step leave the
unit quaternion, by an error of the step and not of the maths.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from . import case

M_1, M_2 = (float(m) for m in case.MASS)
I_1X, I_1Y, I_1Z = (float(i) for i in case.INERTIA[0])
I_2X, I_2Y, I_2Z = (float(i) for i in case.INERTIA[1])
P_1X, P_1Y, P_1Z = (float(p) for p in case.JOINT_AT[0])
P_2X, P_2Y, P_2Z = (float(p) for p in case.JOINT_AT[1])
F_X, F_Y, F_Z = (float(f) for f in case.FORCE)
T_X, T_Y, T_Z = (float(t) for t in np.cross(case.FORCE_AT, case.FORCE))
BAUMGARTE_1 = 2.0 * case.ETA
BAUMGARTE_0 = case.ETA**2
SHARED = 1.0 / M_1 + 1.0 / M_2
SIZE = 26

jit = numba.njit(error_model="numpy", fastmath={"contract", "nsz"}, cache=False)
inlined = numba.njit(error_model="numpy", fastmath={"contract", "nsz"}, inline="always")


@inlined
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def add(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def sub(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def three(x, i):
    return x[i], x[i + 1], x[i + 2]


@inlined
def rows_of(x, i):
    """Rows of the rotation matrix, body to inertial axes, of the quaternion at `i`."""
    a, b, c, d = x[i], x[i + 1], x[i + 2], x[i + 3]
    b2, c2, d2 = b + b, c + c, d + d
    bb, cc, dd = b * b2, c * c2, d * d2
    bc, bd, cd = b * c2, b * d2, c * d2
    ab, ac, ad = a * b2, a * c2, a * d2
    return (
        (1.0 - cc - dd, bc - ad, bd + ac),
        (bc + ad, 1.0 - bb - dd, cd - ab),
        (bd - ac, cd + ab, 1.0 - bb - cc),
    )


@inlined
def turn(r, v):
    """R v for a matrix given by its rows."""
    return dot(r[0], v), dot(r[1], v), dot(r[2], v)


@inlined
def turn_back(r, v):
    """R^T v for a matrix given by its rows."""
    return (
        r[0][0] * v[0] + r[1][0] * v[1] + r[2][0] * v[2],
        r[0][1] * v[0] + r[1][1] * v[1] + r[2][1] * v[2],
        r[0][2] * v[0] + r[1][2] * v[1] + r[2][2] * v[2],
    )


@inlined
def solve(kxx, kxy, kxz, kyy, kyz, kzz, b):
    """Solution of a symmetric positive definite 3x3 system by L D L^T."""
    ix = 1.0 / kxx
    lyx, lzx = kxy * ix, kxz * ix
    iy = 1.0 / (kyy - lyx * kxy)
    m = kyz - lzx * kxy
    lzy = m * iy
    iz = 1.0 / (kzz - lzx * kxz - lzy * m)
    y = b[1] - lyx * b[0]
    z = (b[2] - lzx * b[0] - lzy * y) * iz
    y = y * iy - lzy * z
    return b[0] * ix - lyx * y - lzx * z, y, z


@inlined
def quaternion_rate(x, dx, i, w):
    a, b, c, d = 0.5 * x[i], 0.5 * x[i + 1], 0.5 * x[i + 2], 0.5 * x[i + 3]
    dx[i] = -(b * w[0] + c * w[1] + d * w[2])
    dx[i + 1] = a * w[0] + c * w[2] - d * w[1]
    dx[i + 2] = a * w[1] + d * w[0] - b * w[2]
    dx[i + 3] = a * w[2] + b * w[1] - c * w[0]


@inlined
def over_1(v):
    """Box 1's inertia inverted on `v`."""
    return v[0] * (1.0 / I_1X), v[1] * (1.0 / I_1Y), v[2] * (1.0 / I_1Z)


@inlined
def over_2(v):
    """Box 2's inertia inverted on `v`."""
    return v[0] * (1.0 / I_2X), v[1] * (1.0 / I_2Y), v[2] * (1.0 / I_2Z)


@inlined
def row(e, s, d, v, o1, arm2, drift, r1, r2, f, a1, a2):
    """One row along `e`: its right-hand side and its angular parts for Box 1 and Box 2, in their axes."""
    ed = cross(o1, e)
    u = turn_back(r1, cross(e, s))
    j = turn_back(r2, cross(arm2, e))
    gamma = dot(drift, e) + 2.0 * dot(v, ed) + dot(d, cross(o1, ed))
    gamma += BAUMGARTE_1 * (dot(v, e) + dot(d, ed)) + BAUMGARTE_0 * dot(d, e)
    return dot(e, f) - gamma - dot(u, a1) - dot(j, a2), u, j


@jit
def rates(x, dx):
    """Rates `dx` of the state `x` (26): of each box position, velocity, quaternion, angular velocity."""
    r1, r2 = rows_of(x, 6), rows_of(x, 19)
    w1, w2 = three(x, 10), three(x, 23)
    v1, v2 = three(x, 3), three(x, 16)
    p1, p2 = (P_1X, P_1Y, P_1Z), (P_2X, P_2Y, P_2Z)
    o1, o2 = turn(r1, w1), turn(r2, w2)
    arm1, arm2 = turn(r1, p1), turn(r2, p2)
    # Arm to Box 1's point that coincides with the joint point of Box 2.
    s = sub(add(three(x, 13), arm2), three(x, 0))
    d = sub(s, arm1)
    spin1, spin2 = cross(o1, arm1), cross(o2, arm2)
    v = sub(add(v2, spin2), add(v1, spin1))
    c1, c2 = cross(o1, spin1), cross(o2, spin2)
    # Unconstrained accelerations.
    h1 = cross(w1, (I_1X * w1[0], I_1Y * w1[1], I_1Z * w1[2]))
    h2 = cross(w2, (I_2X * w2[0], I_2Y * w2[1], I_2Z * w2[2]))
    a1 = ((T_X - h1[0]) * (1.0 / I_1X), (T_Y - h1[1]) * (1.0 / I_1Y), (T_Z - h1[2]) * (1.0 / I_1Z))
    a2 = (-h2[0] * (1.0 / I_2X), -h2[1] * (1.0 / I_2Y), -h2[2] * (1.0 / I_2Z))
    f = turn(r1, (F_X * (1.0 / M_1), F_Y * (1.0 / M_1), F_Z * (1.0 / M_1)))
    ex, ey, ez = (
        (r1[0][0], r1[1][0], r1[2][0]),
        (r1[0][1], r1[1][1], r1[2][1]),
        (r1[0][2], r1[1][2], r1[2][2]),
    )
    drift = sub(c2, c1)
    bx, ux, jx = row(ex, s, d, v, o1, arm2, drift, r1, r2, f, a1, a2)
    by, uy, jy = row(ey, s, d, v, o1, arm2, drift, r1, r2, f, a1, a2)
    bz, uz, jz = row(ez, s, d, v, o1, arm2, drift, r1, r2, f, a1, a2)
    mx, my, mz = over_1(ux), over_1(uy), over_1(uz)
    nx, ny, nz = over_2(jx), over_2(jy), over_2(jz)
    l = solve(
        SHARED * dot(ex, ex) + dot(ux, mx) + dot(jx, nx),
        SHARED * dot(ex, ey) + dot(ux, my) + dot(jx, ny),
        SHARED * dot(ex, ez) + dot(ux, mz) + dot(jx, nz),
        SHARED * dot(ey, ey) + dot(uy, my) + dot(jy, ny),
        SHARED * dot(ey, ez) + dot(uy, mz) + dot(jy, nz),
        SHARED * dot(ez, ez) + dot(uz, mz) + dot(jz, nz),
        (bx, by, bz),
    )
    push = turn(r1, l)
    dx[0], dx[1], dx[2] = v1
    dx[3], dx[4], dx[5] = (
        f[0] - push[0] * (1.0 / M_1),
        f[1] - push[1] * (1.0 / M_1),
        f[2] - push[2] * (1.0 / M_1),
    )
    quaternion_rate(x, dx, 6, w1)
    dx[13], dx[14], dx[15] = v2
    dx[16], dx[17], dx[18] = push[0] * (1.0 / M_2), push[1] * (1.0 / M_2), push[2] * (1.0 / M_2)
    quaternion_rate(x, dx, 19, w2)
    for i in range(3):
        dx[10 + i] = a1[i] + l[0] * mx[i] + l[1] * my[i] + l[2] * mz[i]
        dx[23 + i] = a2[i] + l[0] * nx[i] + l[1] * ny[i] + l[2] * nz[i]


@jit
def rates_by_hand(x, dx):
    """The same with the joint's vectors in Box 1's axes, where the row directions are unit vectors."""
    r1, r2 = rows_of(x, 6), rows_of(x, 19)
    w1, w2 = three(x, 10), three(x, 23)
    v1, v2 = three(x, 3), three(x, 16)
    p1, p2 = (P_1X, P_1Y, P_1Z), (P_2X, P_2Y, P_2Z)
    # Rows of C = R_1^T R_2, Box 2's axes to Box 1's.
    ct = (
        turn_back(r1, (r2[0][0], r2[1][0], r2[2][0])),
        turn_back(r1, (r2[0][1], r2[1][1], r2[2][1])),
        turn_back(r1, (r2[0][2], r2[1][2], r2[2][2])),
    )
    c = ((ct[0][0], ct[1][0], ct[2][0]), (ct[0][1], ct[1][1], ct[2][1]), (ct[0][2], ct[1][2], ct[2][2]))
    arm = turn(c, p2)
    s = add(turn_back(r1, sub(three(x, 13), three(x, 0))), arm)
    g = sub(s, p1)
    w2in1 = turn(c, w2)
    spin2 = cross(w2in1, arm)
    v = sub(add(turn_back(r1, sub(v2, v1)), spin2), cross(w1, p1))
    gdot = sub(v, cross(w1, g))
    # gamma = w2 x (w2 x arm) - w1 x (w1 x (p1 - g)) - 2 w1 x v
    inner = cross(w1, sub(p1, g))
    gamma = sub(
        cross(w2in1, spin2), cross(w1, (inner[0] + 2.0 * v[0], inner[1] + 2.0 * v[1], inner[2] + 2.0 * v[2]))
    )
    # Unconstrained angular accelerations.
    h1 = cross(w1, (I_1X * w1[0], I_1Y * w1[1], I_1Z * w1[2]))
    h2 = cross(w2, (I_2X * w2[0], I_2Y * w2[1], I_2Z * w2[2]))
    a1 = ((T_X - h1[0]) * (1.0 / I_1X), (T_Y - h1[1]) * (1.0 / I_1Y), (T_Z - h1[2]) * (1.0 / I_1Z))
    a2 = (-h2[0] * (1.0 / I_2X), -h2[1] * (1.0 / I_2Y), -h2[2] * (1.0 / I_2Z))
    # Row matrix: translations, Box 1 (s x e_i), Box 2 (p2 x C^T e_i).
    jx, jy, jz = cross(p2, c[0]), cross(p2, c[1]), cross(p2, c[2])
    nx = (jx[0] * (1.0 / I_2X), jx[1] * (1.0 / I_2Y), jx[2] * (1.0 / I_2Z))
    ny = (jy[0] * (1.0 / I_2X), jy[1] * (1.0 / I_2Y), jy[2] * (1.0 / I_2Z))
    nz = (jz[0] * (1.0 / I_2X), jz[1] * (1.0 / I_2Y), jz[2] * (1.0 / I_2Z))
    sx, sy, sz = s
    kxx = SHARED + sz * sz * (1.0 / I_1Y) + sy * sy * (1.0 / I_1Z) + dot(jx, nx)
    kyy = SHARED + sz * sz * (1.0 / I_1X) + sx * sx * (1.0 / I_1Z) + dot(jy, ny)
    kzz = SHARED + sy * sy * (1.0 / I_1X) + sx * sx * (1.0 / I_1Y) + dot(jz, nz)
    kxy = dot(jx, ny) - sx * sy * (1.0 / I_1Z)
    kxz = dot(jx, nz) - sx * sz * (1.0 / I_1Y)
    kyz = dot(jy, nz) - sy * sz * (1.0 / I_1X)
    # Right-hand side: -(gamma + 2 eta gdot + eta^2 g) less the rows times the unconstrained accelerations.
    # Rows of Box 1: -(s x e_i) . a1 = -(a1 x s)_i.
    q = cross(a1, s)
    bx = -(gamma[0] + BAUMGARTE_1 * gdot[0] + BAUMGARTE_0 * g[0]) + F_X * (1.0 / M_1) + q[0] - dot(jx, a2)
    by = -(gamma[1] + BAUMGARTE_1 * gdot[1] + BAUMGARTE_0 * g[1]) + F_Y * (1.0 / M_1) + q[1] - dot(jy, a2)
    bz = -(gamma[2] + BAUMGARTE_1 * gdot[2] + BAUMGARTE_0 * g[2]) + F_Z * (1.0 / M_1) + q[2] - dot(jz, a2)
    l = solve(kxx, kxy, kxz, kyy, kyz, kzz, (bx, by, bz))
    f1 = turn(r1, ((F_X - l[0]) * (1.0 / M_1), (F_Y - l[1]) * (1.0 / M_1), (F_Z - l[2]) * (1.0 / M_1)))
    f2 = turn(r1, (l[0] * (1.0 / M_2), l[1] * (1.0 / M_2), l[2] * (1.0 / M_2)))
    t = cross(s, l)
    dx[0], dx[1], dx[2] = v1
    dx[3], dx[4], dx[5] = f1
    quaternion_rate(x, dx, 6, w1)
    dx[10] = a1[0] - t[0] * (1.0 / I_1X)
    dx[11] = a1[1] - t[1] * (1.0 / I_1Y)
    dx[12] = a1[2] - t[2] * (1.0 / I_1Z)
    dx[13], dx[14], dx[15] = v2
    dx[16], dx[17], dx[18] = f2
    quaternion_rate(x, dx, 19, w2)
    dx[23] = a2[0] + l[0] * nx[0] + l[1] * ny[0] + l[2] * nz[0]
    dx[24] = a2[1] + l[0] * nx[1] + l[1] * ny[1] + l[2] * nz[1]
    dx[25] = a2[2] + l[0] * nx[2] + l[1] * ny[2] + l[2] * nz[2]


@jit
def fly_into(rates, start, h, steps, every, samples):
    """`steps` of RK4 of `h` [s] from `start` (26); `samples` takes the start and each `every`-th state."""
    x = start.copy()
    y, total, k = np.empty(SIZE), np.empty(SIZE), np.empty(SIZE)
    samples[0] = x
    for step in range(1, steps + 1):
        rates(x, k)
        for i in range(SIZE):
            total[i] = k[i]
            y[i] = x[i] + 0.5 * h * k[i]
        rates(y, k)
        for i in range(SIZE):
            total[i] += 2.0 * k[i]
            y[i] = x[i] + 0.5 * h * k[i]
        rates(y, k)
        for i in range(SIZE):
            total[i] += 2.0 * k[i]
            y[i] = x[i] + h * k[i]
        rates(y, k)
        for i in range(SIZE):
            x[i] += h / 6.0 * (total[i] + k[i])
        if step % every == 0:
            samples[step // every] = x


@numba.njit(error_model="numpy", parallel=True)
def fly_batch_into(rates, starts, h, steps, ends):
    """The end states (n, 26) of `starts` (n, 26), one case after the other on each thread."""
    for i in numba.prange(len(starts)):
        fly_into(rates, starts[i], h, steps, steps, ends[i])


def fly(refine: int = 1, function=rates) -> NDArray[np.float64]:
    """States (1001, 2, 13) at 100 Hz; `refine` divides the step of 1 ms."""
    samples = np.empty((case.STEPS // case.STEPS_PER_SAMPLE + 1, SIZE))
    start = case.at_rest().reshape(SIZE)
    fly_into(
        function, start, case.STEP / refine, case.STEPS * refine, case.STEPS_PER_SAMPLE * refine, samples
    )
    return samples.reshape(-1, 2, 13)


def fly_batch(
    states: NDArray[np.float64], steps: int = case.STEPS, threads: int = 2, refine: int = 1
) -> NDArray[np.float64]:
    """End states (n, 2, 13) of `states` (n, 2, 13) after `steps` of 1 ms; `refine` divides the step."""
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    ends = np.empty((len(states), 2, SIZE))
    fly_batch_into(rates, states.reshape(-1, SIZE), case.STEP / refine, steps * refine, ends)
    return ends[:, 1].reshape(-1, 2, 13)
