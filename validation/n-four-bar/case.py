"""Parallel four-bar linkages in a row, through the pose in which all links are in line; see SOURCE.md."""

import tomllib

import numpy as np

from interstage.scenario import Scenario
from interstage.studies.verify import Row

from ..comparison import at, turned, worst
from ..elliptic import jacobi

G, RATE = 9.81, 1.0  # m/s^2, rad/s upright
SHARP, COARSE = 1e-8, 1e-3
REPORTED = np.array([0.3284581115, 0.9445185382])  # m, B0 of two linkages at 10 s, from another code


def compare(fly, folder):
    """Two linkages, closed with needed rows and with redundant ones, and twenty."""
    table = tomllib.loads((folder / "scenario.toml").read_text())
    record = fly(folder / "scenario.toml")
    redundant = fly(Scenario.model_validate(in_a_row(table, 2, {"kind": "revolute"})))
    twenty = in_a_row(table, 20, {"kind": "generalized", "locked": ["tx", "ty"]})
    twenty["phases"] = [{"name": "turn", "until": {"time": 20.0}}]
    reported = worst(tip(record, 0, np.array([10.0]))[0, :2] - REPORTED)
    return [
        Row("two linkages: B0 at 10 s [m]", reported, SHARP, "the bound of the reference"),
        *rows(record, 2, "two linkages", SHARP),
        *rows(redundant, 2, "two linkages, hinges only", SHARP),
        *rows(fly(Scenario.model_validate(twenty)), 20, "twenty linkages", COARSE),
    ]


def in_a_row(table: dict, count: int, closing: dict) -> dict:
    """The scenario with `count` linkages; `closing`: the joints at the far ends of the bars."""
    upright, bar = table["bodies"]["upright0"], table["bodies"]["bar0"]
    bodies, joints = {}, {}
    for k in range(count + 1):
        bodies[f"upright{k}"] = upright | {"initial": upright["initial"] | {"through": f"A{k}"}}
        joints[f"A{k}"] = table["joints"]["A0"] | {"child": f"upright{k}", "parent_at": [float(k), 0.0, 0.0]}
    for k in range(count):
        bodies[f"bar{k}"] = bar | {"initial": bar["initial"] | {"through": f"B{k}"}}
        joints[f"B{k}"] = table["joints"]["B0"] | {"parent": f"upright{k}", "child": f"bar{k}"}
    ends = {name: table["joints"]["C1"][name] for name in ("parent_at", "child_at")}
    for k in range(count):
        joints[f"C{k + 1}"] = closing | ends | {"parent": f"upright{k + 1}", "child": f"bar{k}"}
    return table | {"bodies": bodies, "joints": joints}


def exact(count: int, times: np.ndarray) -> np.ndarray:
    """Direction of the uprights (time, 2).

    With the angle a from the horizontal, a'' = -k cos a, k = g ((n + 1)/2 + n) / ((n + 1)/3 + n): a pendulum
    that goes over the top. From the lowest point its half angle b obeys b'^2 = w^2 (1 - m sin^2 b), w^2 = k +
    1/4, m = k/w^2, so b = am(w t), counted back from upright: sin b = cd(w t), cos b = k' sd(w t).
    """
    k = G * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    w = np.sqrt(k + RATE**2 / 4)
    left = RATE**2 / 4 / w**2
    sn, cn, dn = jacobi(w * times, left)
    sine, cosine = cn / dn, np.sqrt(left) * sn / dn
    return np.stack([2 * sine * cosine, 2 * sine**2 - 1], axis=1)


def tip(record, number: int, times: np.ndarray) -> np.ndarray:
    """Direction of one upright (time, 3)."""
    attitude = at(record, f"bodies.upright{number}.attitude", times)
    return turned(attitude, np.tile([0.0, 1.0, 0.0], (len(times), 1)))


def rows(record, count: int, what: str, bound: float) -> list[Row]:
    """The first and the last upright over the whole time."""
    times = np.asarray(record.time)
    error = max(worst(tip(record, k, times)[:, :2] - exact(count, times)) for k in (0, count))
    apart = worst(tip(record, 0, times) - tip(record, count, times))
    late = abs(times[-1] - (20.0 if count == 20 else 10.0))
    return [
        Row(f"{what}: tips of the uprights [m]", error + late, bound),
        Row(f"{what}: first and last upright apart [m]", apart, bound),
    ]
