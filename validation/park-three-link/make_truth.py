"""Truth of park-three-link: absolute angles of the links, Lagrange's equations, impacts that lock joints.

A link's direction is at the angle a_k from x; the hinge before it turns by a_k - a_(k-1). Everything is
planar, so that the equations are three: M(a) a'' = torques. A hinge that comes straight locks for good; the
angles on its two sides are then one unknown, and the rates jump to those with the least change of kinetic
energy. Run as a script it writes truth.csv and impacts.csv, and prints how they change with the tolerance and
how well energy holds between the impacts.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

FOLDED = np.radians([80.0, -80.0, 80.0])
MASS, LENGTH, STIFFNESS, FORCE, END = 1.0, 1.0, 0.5, 18.0, 1.2
TIMES = np.round(np.arange(0, END + 1e-9, 0.05), 10)
# Arms of the centres of mass: r_k = sum of REACH[k, j] e_j.
REACH = LENGTH * (np.tril(np.ones((3, 3)), -1) + 0.5 * np.eye(3))
COUPLING = MASS * (REACH.T @ REACH + LENGTH**2 / 12 * np.eye(3))
TURN = np.array([[1.0, 0, 0], [-1, 1, 0], [0, -1, 1]])
"""Hinge angles from the links' angles."""


def mass_matrix(a):
    return COUPLING * np.cos(a[:, None] - a[None])


def torques(a, rate):
    """Generalized forces of the tip's force, the coil springs (free where folded) and the accelerations."""
    centripetal = (COUPLING * np.sin(a[:, None] - a[None])) @ rate**2
    springs = -STIFFNESS * TURN.T @ (TURN @ (a - FOLDED))
    return -FORCE * LENGTH * np.sin(a) + springs - centripetal


def free_directions(locked):
    """Columns that span the angles which locked hinges leave: (3, free)."""
    groups = np.cumsum(~np.asarray(locked))
    return (groups[:, None] == np.arange(1, groups[-1] + 1)[None]).astype(float)


def accelerations(a, rate, locked):
    span = free_directions(locked)
    matrix = mass_matrix(a)
    return span @ np.linalg.solve(span.T @ matrix @ span, span.T @ torques(a, rate))


def impact(a, rate, locked):
    """Rates after a plastic impact: the projection in the metric of the mass matrix."""
    span, matrix = free_directions(locked), mass_matrix(a)
    return span @ np.linalg.solve(span.T @ matrix @ span, span.T @ matrix @ rate)


def energy(a, rate):
    """Kinetic energy, that of the springs, and the potential of the tip's force [J]."""
    bent = TURN @ (a - FOLDED)
    kinetic = 0.5 * rate @ mass_matrix(a) @ rate
    return kinetic + 0.5 * STIFFNESS * bent @ bent - FORCE * LENGTH * np.cos(a).sum()


def later(t):
    """Which of TIMES come at t or later."""
    return np.greater_equal(TIMES, t - 1e-12)


def fly(tolerance=1e-12):
    """Samples (a, rate) at TIMES, and the impacts: (time, hinge, rates before, rates after)."""
    a, rate, t, locked, impacts = FOLDED.copy(), np.zeros(3), 0.0, [False] * 3, []
    samples = np.full((len(TIMES), 6), np.nan)

    def flow(t, y):
        return np.concatenate([y[3:], accelerations(y[:3], y[3:], locked)])

    def straight(k):
        def value(t, y):
            return (TURN @ y[:3])[k] * np.sign((TURN @ FOLDED)[k])

        value.terminal, value.direction = True, -1
        return value

    while t < END:
        open_hinges = [k for k in range(3) if not locked[k]]
        if not open_hinges:
            samples[later(t)] = 0.0
            break
        found = solve_ivp(
            flow,
            (t, END),
            np.concatenate([a, rate]),
            method="DOP853",
            rtol=tolerance,
            atol=tolerance,
            events=[straight(k) for k in open_hinges],
            dense_output=True,
        )
        here = later(t) & ~(found.t[-1] < TIMES)
        samples[here] = found.sol(TIMES[here]).T
        t, a, rate = found.t[-1], found.y[:3, -1], found.y[3:, -1]
        if found.status != 1:
            break
        hinge = open_hinges[next(i for i, e in enumerate(found.t_events) if len(e))]
        locked[hinge] = True
        before, rate = rate, impact(a, rate, locked)
        impacts.append((t, hinge + 1, before, rate))
    return samples, impacts


def drift(samples, impacts):
    """Largest change of energy between impacts [J]."""
    stretch = np.searchsorted([t for t, *_ in impacts], TIMES)
    energies = np.array([energy(sample[:3], sample[3:]) for sample in samples])
    return max(np.ptp(energies[stretch == k]) for k in set(stretch))


def main():
    """Integrate, write and check."""
    folder = Path(__file__).parent
    samples, impacts = fly()
    coarse, others = fly(1e-9)
    print("a tolerance of 1e-9 changes samples by", np.abs(samples - coarse).max())
    print("and impacts by", [float(x[0] - y[0]) for x, y in zip(impacts, others, strict=True)])
    print("energy between impacts drifts by", drift(samples, impacts))
    for t, hinge, before, after in impacts:
        print(f"hinge {hinge} locks at {t:.9f} s: {before} -> {after}")
    names = "time," + ",".join(f"{n}{k}" for n in ("angle", "rate") for k in (1, 2, 3))
    table = np.column_stack([TIMES, samples])
    np.savetxt(folder / "truth.csv", table, "%.15g", ",", header=names, comments="")
    rows = [[t, hinge, *before, *after] for t, hinge, before, after in impacts]
    names = "time,hinge," + ",".join(f"{n}{k}" for n in ("before", "after") for k in (1, 2, 3))
    np.savetxt(folder / "impacts.csv", rows, "%.15g", ",", header=names, comments="")


if __name__ == "__main__":
    main()
