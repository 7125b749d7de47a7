"""Chains and balanced trees of rods: time per step compared with peers, its growth, compilation, accuracy."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import chain_case as case
from .lines import Line
from .timing import in_turn, median_ratio

MOST_PER_STEP = 1.0
"""A code whose step takes longer [s] is flown for one step, once."""
TURN = 0.25
"""A peer's run lasts about so long [s], unless that were more than `MOST_STEPS`."""
MOST_STEPS = 1000
TARGETS = {2: 1.0, 100: 1 / 3, 300: 1 / 15}
"""Time per step over that of MuJoCo's tree, at most, for chains."""
EXPONENT = 1.15
GROWTH_FROM = 30
COMPILED_WITHIN = 10.0
"""At `COMPILED_AT` rods [s]."""
COMPILED_AT = 300
LEAST_MARGIN = 1.0
"""The error over eps times the condition number, at most."""
PEERS = {
    "tree": "MuJoCo tree",
    "equality": "MuJoCo equality",
    "exudyn": "Exudyn",
    "unprojected": "unprojected",
}

Clock = Callable[[], float]


class Code(NamedTuple):
    """run: fly `steps` steps. once: its time per step [s] where it is too slow to be flown in turn."""

    run: Callable[[], Any]
    steps: int
    once: float | None = None


class Measured(NamedTuple):
    """What was measured of one system: times per step [s] of each code, how far its centres of mass are from
    the truth after `case.SAMPLED` steps [m], whose states were taken for that, and our joint gap [m]."""

    times: dict[str, list[float]]
    off: dict[str, float]
    truth: str
    gap: float


def paced(fly: Callable[[int], Any], clock: Clock) -> Code:
    """A code that flies any number of steps, with as many as fill a turn."""

    def took(steps: int) -> float:
        begun = clock()
        fly(steps)
        return (clock() - begun) / steps

    first = took(1)
    if first > MOST_PER_STEP:
        return Code(lambda: None, 1, first)
    steps = min(MOST_STEPS, max(3, int(TURN / max(took(3), 1e-6))))
    return Code(lambda: fly(steps), steps)


def measured(kind: str, count: int, repeats: int, clock: Clock) -> Measured:
    """Fly one system with all codes, in turn."""
    from . import chain_exudyn, chain_mujoco, chain_ours

    found = case.rods(kind, count)
    steps = case.SAMPLED * max(20, 2000 // count)
    ours = {name: chain_ours.Flight(found, steps, way) for name, way in chain_ours.WAYS.items()}
    peers = {joints: chain_mujoco.Model(found, joints).fly for joints in ("tree", "equality")}
    peers["exudyn"] = chain_exudyn.Model(found).fly
    codes = {name: Code(flight.fly, steps) for name, flight in ours.items()}
    codes |= {name: paced(fly, clock) for name, fly in peers.items()}
    quick = {name: code.run for name, code in codes.items() if code.once is None}
    times = {
        name: [t / codes[name].steps for t in turns] for name, turns in in_turn(quick, repeats, clock).items()
    }
    times |= {name: [code.once] * repeats for name, code in codes.items() if code.once is not None}
    states = {name: flight.fly() for name, flight in ours.items()}
    states |= {name: fly(case.SAMPLED) for name, fly in peers.items() if name in quick}
    truth = "tree" if "tree" in quick else "ours"
    off = {name: case.difference(state, states[truth]) for name, state in states.items()}
    return Measured(times, off, truth, case.joint_gap(found, states["ours"]))


def shown(times: list[float]) -> str:
    return f"{1e6 * statistics.median(times):.4g} us"


def steps_of(kind: str, count: int, found: Measured) -> Iterator[Line]:
    """The lines of one system."""
    for name, label in PEERS.items():
        slow = "" if name in found.off else ", one step"
        target = TARGETS.get(count) if (kind, name) == ("chain", "tree") else None
        accuracy = ""
        if name == "tree":
            apart = f"{found.off['ours']:.0e} m apart, " if found.truth == "tree" else ""
            accuracy = f"{apart}gap {found.gap:.0e} m"
        elif name in found.off:
            accuracy = f"{found.off[name]:.0e} m from {PEERS.get(found.truth, found.truth)}"
        yield Line(
            f"{kind} of {count}, per step" if name == "tree" else "  the same",
            shown(found.times["ours"]),
            f"{label} {shown(found.times[name])}{slow}",
            median_ratio(found.times["ours"], found.times[name]),
            at_most=target,
            accuracy=accuracy,
        )


def growth(kind: str, found: dict[int, Measured], name: str) -> float:
    """The exponent with which the time per step grows: slope of the logarithms by least squares."""
    sizes = [count for count in case.SIZES if count >= GROWTH_FROM]
    times = [statistics.median(found[count].times[name]) for count in sizes]
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def compilation() -> Iterator[Line]:
    """A first flight of ten steps with an empty cache, each in a process of its own."""
    from . import chain_ours

    for kind, count in [("chain", count) for count in case.SIZES] + [("tree", COMPILED_AT)]:
        wall, processor = chain_ours.first_flight(kind, count)
        bound = COMPILED_WITHIN if count == COMPILED_AT else None
        name = f"{kind} of {count}, first flight [s]"
        accuracy = f"{processor:.1f} s of processor time"
        yield Line(name, f"{wall:.1f} s", "(empty cache)", wall, at_most=bound, accuracy=accuracy)


def elimination(kind: str, count: int) -> Line:
    """Multipliers by elimination along the tree, compared with LAPACK's of the dense matrix and our dense
    elimination; their largest difference, relative, over eps times the condition number. And the rows that
    they leave, in extended precision."""
    from . import chain_ours

    found = case.rods(kind, count)
    system, right, lam = chain_ours.multipliers(found, True)
    matrix = dense(*system, count)
    scale = 1 / np.sqrt(np.diag(matrix))
    scaled = matrix * scale[:, None] * scale
    values = np.linalg.eigvalsh(scaled)
    unit = np.finfo(float).eps * values[-1] / values[0]
    expected = scale * np.linalg.solve(scaled, scale * right)

    def error(one: NDArray[np.float64]) -> float:
        return float(np.max(np.abs(one - expected)) / np.max(np.abs(expected)))

    texts = [f"cond {values[-1] / values[0]:.1e}"]
    if count <= chain_ours.DENSE_UP_TO:
        texts.append(f"our dense {error(chain_ours.multipliers(found, False)[2]):.0e}")
    texts.append(f"residual {residual(matrix, lam, right):.0e}")
    name = f"{kind} of {count}, error / (eps cond)"
    return Line(
        name,
        f"{error(lam):.0e}",
        f"eps cond {unit:.0e}",
        error(lam) / unit,
        at_most=LEAST_MARGIN,
        accuracy=", ".join(texts),
    )


def residual(matrix, lam, right) -> float:
    """What is left of the equations, in extended precision, relative to the largest right-hand side."""
    left = np.longdouble(right)
    for k in range(0, len(lam), 100):
        left -= np.longdouble(matrix[:, k : k + 100]) @ np.longdouble(lam[k : k + 100])
    return float(np.max(np.abs(left)) / np.max(np.abs(right)))


def dense(parent, child, on_a, on_b, count: int) -> NDArray[np.float64]:
    """A M^-1 A^T of the rods, of rows with these bodies and Jacobians (6, row)."""
    rows = len(parent)
    jacobian = np.zeros((rows, count + 1, 6))
    jacobian[np.arange(rows), parent] += on_a.T
    jacobian[np.arange(rows), child] += on_b.T
    inverse = 1 / np.array([case.MASS] * 3 + [*case.INERTIA])
    jacobian = jacobian[:, :count].reshape(rows, -1)
    return (jacobian * np.tile(inverse, count)) @ jacobian.T


def chains(repeats: int, clock: Clock) -> Iterator[Line]:
    """All lines of chains and trees."""
    for kind in case.KINDS:
        found = {}
        for count in case.SIZES:
            found[count] = measured(kind, count, repeats, clock)
            yield from steps_of(kind, count, found[count])
        for name, label in {"ours": "ours", **PEERS}.items():
            exponent = growth(kind, found, name)
            bound = EXPONENT if name == "ours" else None
            yield Line(
                f"{kind}: growth, {GROWTH_FROM} to {case.SIZES[-1]}", "", label, exponent, at_most=bound
            )
        for count in case.SIZES:
            yield elimination(kind, count)
    yield from compilation()
