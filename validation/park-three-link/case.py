"""A plane three-link manipulator that deploys and locks, by Park's staggered procedure; see SOURCE.md."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, read_table, worst
from ..convergence import order_rows

LINKS = (1, 2, 3)
STEP = 1e-3  # s
START, RATE, PULL = -np.pi / 3, 2.0, -18.0  # rad, rad/s, N: the line of links of singular.toml
DEFAULT = {"solver.formulation": "lagrange_multiplier", "solver.tolerance": 1e-12}
STAGGERED = {"solver.formulation": "staggered"}
BOUND = 1e-10


def compare(fly, folder):
    """Deployment and lock-up by the default formulation."""
    errors = deployment(fly(folder / "scenario.toml", **DEFAULT), folder)
    return [Row(name, error, BOUND) for name, error in errors.items()]


def converge(fly, folder):
    """The staggered procedure through lock-up by its order, and through a pose where rows repeat others."""
    coarse, fine = (
        deployment(fly(folder / "scenario.toml", **STAGGERED, **{"solver.step": step}), folder)
        for step in (2 * STEP, STEP)
    )
    impacts = read_table(folder / "impacts.csv")
    peak = max(worst(impacts[f"before{k}"]) for k in LINKS)
    turn = "(rate step)^2 of the turn in 1.2 s at the largest rate"
    return [
        *order_rows("staggered", coarse, fine),
        Row("staggered: angles [rad]", fine["angles [rad]"], (peak * STEP) ** 2 * peak * 1.2, turn),
        *passage(fly(folder / "singular.toml", **STAGGERED, **{"solver.step": STEP})),
    ]


def deployment(record, folder) -> dict[str, float]:
    """Largest errors over the flight and at its three impacts; the gaps of the joints."""
    truth, impacts = (read_table(folder / f"{name}.csv") for name in ("truth", "impacts"))
    locks = [record.events.index(event) for event in record.events if event.kind == "event"]
    moments = np.array([record.events[k].time for k in locks])
    if len(moments) != len(impacts["time"]):
        raise ValueError(f"{len(moments)} hinges have locked ({record.outcome})")
    # Between the times of an impact in the two, one has jumped and the other not.
    apart = [
        (truth["time"] >= min(pair)) & (truth["time"] <= max(pair)) for pair in zip(moments, impacts["time"])
    ]
    times = truth["time"][~np.any(apart, axis=0)]
    errors = {"angles [rad]": [0.0], "rates [rad/s]": [0.0], "jumps of rates [rad/s]": [0.0]}
    for k in LINKS:
        true = {name: truth[f"{name}{k}"][~np.any(apart, axis=0)] for name in ("angle", "rate")}
        errors["angles [rad]"].append(worst(angle(record, k, times) - true["angle"]))
        rate = f"bodies.link{k}.angular_velocity"
        errors["rates [rad/s]"].append(worst(at(record, rate, times)[:, 2] - true["rate"]))
        jump = (record.after[rate] - record.before[rate])[locks, 2]
        errors["jumps of rates [rad/s]"].append(worst(jump - impacts[f"after{k}"] + impacts[f"before{k}"]))
    gaps = [worst(at(record, f"joints.hinge{k}.gap", truth["time"])) for k in LINKS]
    found = errors | {"times of the locks [s]": [worst(moments - impacts["time"])], "gap [m]": gaps}
    return {name: max(values) for name, values in found.items()}


def passage(record) -> list[Row]:
    """The line of links, which turns at a constant rate while its drive holds against the pull."""
    times = np.linspace(0, 1, 51)
    errors = [worst(angle(record, k, times) - (START + RATE * times)) for k in LINKS]
    drive = at(record, "joints.tip.force", times)[-1, 0]
    return [
        Row("through a singular pose: angles [rad]", max(errors), 1e-3, "Baumgarte's treatment: 0.3"),
        Row("and the drive's force at the end [of the pull]", abs(drive / PULL + 1), 1e-3),
    ]


def angle(record, link: int, times: np.ndarray) -> np.ndarray:
    """Angle of a link from the x axis [rad]."""
    w, _, _, z = at(record, f"bodies.link{link}.attitude", times).T
    turned = 2 * np.arctan2(z, w)
    return (turned + np.pi) % (2 * np.pi) - np.pi
