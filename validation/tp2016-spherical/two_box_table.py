"""From a two-box reference to truth.csv: the columns, the rows, and the run that every two-box case makes."""

import sys
from pathlib import Path

import numpy as np
from check_two_boxes import check, growth
from collocation import integrate
from kane_two_boxes import FT, LBF, Boxes, report_boxes

TIMES = np.arange(201) / 20  # s
STEPS = 5  # Gauss steps of order 16 between samples (10 ms each)


def columns() -> list[str]:
    """Names of the table's columns; SI, inertial axes unless SOURCE.md says otherwise."""
    names = ["time"]
    for box in ("box1", "box2"):
        names += [f"{box}.{kind}.{a}" for kind in ("position", "velocity") for a in "xyz"]
        names += [f"{box}.attitude.{a}" for a in "wxyz"]
        names += [f"{box}.angular_velocity.{a}" for a in "xyz"]
    kinds = ("force", "torque", "force_child", "torque_child")
    return names + [f"joint.{kind}.{a}" for kind in kinds for a in "xyz"]


def table(boxes: Boxes, states: np.ndarray) -> np.ndarray:
    """Rows of the truth at TIMES, SI (see `columns`); force and torque in box 1's axes, *_child in box 2's.

    The spherical joint's torque, zero by theory, is written as zero; other free axes keep their round-off.
    """
    rows = []
    for time, state in zip(TIMES, states):
        row = [time]
        for r, v, q, w in boxes.bodies(state):
            row += [*(r * FT), *(v * FT), *q, *w]
        force, torque, _ = boxes.loads(state)
        torque = torque * (boxes.joint.speeds < 3)
        c = boxes.attitudes(state)[2]
        row += [*(c @ force * LBF), *(c @ torque * LBF * FT), *(force * LBF), *(torque * LBF * FT)]
        rows.append(row)
    return np.array(rows, dtype=float)


def make(folder: Path, joint, first: tuple, second: tuple) -> None:
    """Integrate, write truth.csv (17 significant digits) and growth.csv; print the accuracy for `--check`.

    `first` and `second` are the principal inertias of box 1 and box 2 [slug ft^2] as the report prints them.
    """
    boxes = report_boxes(joint, first, second)
    states = integrate(boxes.rate, boxes.start(), TIMES, STEPS)
    lines = [",".join(columns())]
    lines += [",".join(f"{x:.17g}" for x in row) for row in table(boxes, states)]
    (folder / "truth.csv").write_text("\n".join(lines) + "\n")
    grown = growth(boxes, states, TIMES, STEPS)
    lines = ["time,growth"] + [f"{t:.17g},{g:.3g}" for t, g in zip(TIMES, grown)]
    (folder / "growth.csv").write_text("\n".join(lines) + "\n")
    feet = [np.round(b[0].astype(float), 6).tolist() for b in boxes.bodies(states[-1])]
    rates = [max(float(np.abs(boxes.attitudes(s)[b]).max()) for s in states) for b in (3, 4)]
    print(f"centres of mass at 10 s: box 1 {feet[0]} ft, box 2 {feet[1]} ft; fastest {rates} rad/s")
    if "--check" in sys.argv:
        check(boxes, states, TIMES, STEPS)
