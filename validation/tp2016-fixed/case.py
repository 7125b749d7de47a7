"""TP-2016 test case 1: two boxes fixed to each other for 10 s, then released; see SOURCE.md."""

import numpy as np

from interstage.studies.verify import Row

from ..boxes import LOADS, differences, sizes
from ..comparison import length, read_table, rows_at, worst

FOOT = 0.3048  # m
RELEASE = 10.0  # s
REPORTED = np.array([0.0, 2.0, 0.5])  # rad/s at the release, what the report's initial rates were made for
STEPS = np.array([0.02, 0.01, 0.005])  # s
DRIFT = np.array([1.419e-6, 8.48e-8, 5.18e-9])  # ft, largest displacement of the joint with those steps
AS_REPORTED = {"solver.method": "rk4", "solver.stabilization": "baumgarte", "solver.eta": 5.0}


def against_table(record, truth) -> list[Row]:
    """States of both boxes to 20 s, and the joint's loads until just before the release, by their peaks."""
    free, times = truth["released"] > 0, truth["time"]
    moving = {k: v[~(free & (times == RELEASE))] for k, v in truth.items() if not k.startswith("joint.")}
    errors = differences(record, moving, sizes(moving, 1.0))
    rows = [Row(name, worst(values), 1e-7) for name, values in errors.items()]
    early = ~free & (times < RELEASE)
    event = [e.name for e in record.events].index("released")
    for kind in (k for k in LOADS if f"joint.{k}" in truth):
        path, expected = f"joints.joint.{kind}", truth[f"joint.{kind}"]
        size = length(expected).max()
        found = record.series[path][rows_at(record, times[early])]
        last = record.before[path][event] - expected[~free & (times == RELEASE)]
        rows.append(Row(f"joint {kind} [of its peak]", worst(found - expected[early]) / size, 1e-7))
        rows.append(Row(f"joint {kind} just before the release [of its peak]", worst(last) / size, 1e-7))
        rows.append(
            Row(f"joint {kind} just after it [of its peak]", worst(record.after[path][event]) / size, 0.0)
        )
    return rows


def apart(record) -> list[Row]:
    """What must hold after the release: straight lines and momenta; and the displacement before it."""
    free = record.time >= RELEASE
    since = (record.time[free] - RELEASE)[:, None]
    rows = []
    for body in "AB":
        position, velocity = (record.series[f"bodies.{body}.{k}"][free] for k in ("position", "velocity"))
        bent = position - position[0] - velocity[0] * since
        rows.append(
            Row(
                f"{body}: path from a straight line [of its length]",
                worst(bent) / worst(bent + position),
                1e-12,
            )
        )
    speeds = [
        length(record.series[f"bodies.{b}.velocity"]) * float(record.series[f"bodies.{b}.mass"][0])
        for b in "AB"
    ]
    spin = record.series["system.angular_momentum"]
    turn = record.series["bodies.B.angular_velocity"][free, 2]
    joined = record.series["joints.joint.displacement"][~free]
    return [
        *rows,
        Row(
            "momentum [of the sum of |m v|]",
            worst(length(record.series["system.momentum"]) / sum(speeds)),
            1e-12,
        ),
        Row(
            "angular momentum [of it]", worst(spin - spin[0]) / length(spin[:1])[0], 1e-11, "tolerance 1e-12"
        ),
        Row("B: rate about z after the release [of it]", worst(turn / turn[0] - 1), 1e-12),
        Row("joint displacement with projection [ft]", worst(length(joined)) / FOOT, 1e-12),
    ]


def drift(fly, folder) -> list[Row]:
    """The joint's displacement with the report's own method, at three steps."""
    found = []
    for step in STEPS:
        record = fly(
            folder / "scenario.toml", **AS_REPORTED, **{"solver.step": step, "output.interval": step}
        )
        joined = record.time < RELEASE - step / 2
        found.append(length(record.series["joints.joint.displacement"][joined]).max() / FOOT)
    slope = np.polyfit(np.log(STEPS), np.log(found), 1)[0]
    return [
        *(
            Row(
                f"drift with Baumgarte 5, RK4, {step:g} s [of it]",
                abs(ours / theirs - 1),
                0.02,
                f"{ours:.4g} ft",
            )
            for step, ours, theirs in zip(STEPS, found, DRIFT)
        ),
        Row("its order, less 4 [of 4]", abs(slope / 4 - 1), 0.02, f"slope {slope:.3f}"),
    ]


def compare(fly, folder):
    """Converged with projection, and with the report's settings."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    rates = [
        record.before[f"bodies.{b}.angular_velocity"][[e.name for e in record.events].index("released")]
        for b in "AB"
    ]
    return [
        Row("body rates at 10 s [rad/s]", worst(np.array(rates) - REPORTED), 2e-3, "four digits are given"),
        *against_table(record, truth),
        *apart(record),
        *drift(fly, folder),
    ]
