"""Compares a flight with the table of a TP-2016 case: states of the bodies and loads of the joint."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from interstage.studies.verify import Row

from .comparison import angle_between, at, length, read_table, worst

BOUND = 1e-7
ROUNDING = 5e-14
STATES = ("position", "velocity", "angular_velocity", "attitude")
LOADS = ("force", "torque", "force_child", "torque_child")


def columns(truth: dict[str, np.ndarray]) -> list[str]:
    """The columns of a table that hold states and loads."""
    return [name for name in truth if name.split(".")[-1] in (*STATES, *LOADS)]


def sizes(truth: dict[str, np.ndarray], arm: float) -> dict[str, float]:
    """What each column's error is divided by: its peak, for a torque at least peak force x arm [m] / 1000.

    1 for attitudes, whose error is an angle, and for what stays zero.
    """
    found = {name: float(length(truth[name]).max()) or 1.0 for name in columns(truth)}
    for name in found:
        if name.endswith(".attitude"):
            found[name] = 1.0
        elif name.startswith("joint.torque"):
            found[name] = max(float(length(truth[name]).max()), found["joint.force"] * arm / 1000)
    return found


def differences(record, truth: dict[str, np.ndarray], size: dict[str, float]) -> dict[str, np.ndarray]:
    """Errors (samples) of the states and loads in a table, each by its size; a flight starts at the first
    row.
    """
    (joint,) = {name.split(".")[1] for name in record.series if name.startswith("joints.")}
    times, errors = truth["time"] - truth["time"][0], {}
    for name in columns(truth):
        owner, kind = name.split(".")
        found = at(record, f"joints.{joint}.{kind}" if owner == "joint" else f"bodies.{name}", times)
        if kind == "attitude":
            errors[f"{owner}: attitude [rad]"] = angle_between(found, truth[name])
        else:
            label = f"{owner}: {kind.replace('_', ' ')} [of its peak]"
            errors[label] = length(found - truth[name]) / size[name]
    return errors


def against_table(fly, folder: Path, arm: float, **changes) -> list[Row]:
    """All states and joint loads of scenario.toml against truth.csv; arm [m] as in `sizes`."""
    return flight_against_table(fly(folder / "scenario.toml", **changes), folder, arm)


def flight_against_table(record, folder: Path, arm: float) -> list[Row]:
    """A flight against the truth.csv of a folder.

    Where growth.csv states that a relative change d of the data has grown to more than 2e6 d, no code in
    float64 can keep 1e-7 to the end; there the errors may be the growth times 5e-14, some hundred
    roundings.
    """
    truth = read_table(folder / "truth.csv")
    times = truth["time"]
    errors = differences(record, truth, sizes(truth, arm))
    growth = growth_of(folder, times)
    tame = growth * ROUNDING <= BOUND
    if tame.all():
        return [Row(name, worst(values), BOUND) for name, values in errors.items()]
    first = times[~tame][0]
    early, late = f"until {first:g} s", f"later, where errors grow up to {growth.max():.0e}-fold"
    rows = [Row(name, worst(values[tame]), BOUND, early) for name, values in errors.items()]
    scaled = {name: worst(values[~tame] / growth[~tame]) for name, values in errors.items()}
    return [*rows, *(Row(f"{name}, by the growth", error, ROUNDING, late) for name, error in scaled.items())]


def growth_of(folder: Path, times: np.ndarray) -> np.ndarray:
    """How much a relative change of the data has grown by each time, from growth.csv; ones without it."""
    path = folder / "growth.csv"
    return read_table(path)["growth"] if path.is_file() else np.ones(len(times))


def in_windows(fly, folder: Path, arm: float, starts: tuple[float, ...]) -> list[Row]:
    """As `against_table` over the whole time, flown anew from the table's rows at the times `starts` [s].

    For motion so sensitive that no flight from the first row could be right to the last.
    """
    truth = read_table(folder / "truth.csv")
    size, found = sizes(truth, arm), {}
    for start, end in zip(starts, (*starts[1:], truth["time"][-1])):
        inside = (truth["time"] >= start - 1e-9) & (truth["time"] <= end + 1e-9)
        part = {name: values[inside] for name, values in truth.items()}
        record = fly(folder / "scenario.toml", **_from_row(part, float(end - start)))
        for name, values in differences(record, part, size).items():
            found[name] = max(found.get(name, 0.0), worst(values))
    note = f"from the table at {', '.join(f'{start:g}' for start in starts)} s"
    return [Row(f"{name}, in windows", error, BOUND, note) for name, error in found.items()]


def _from_row(part: dict[str, np.ndarray], duration: float) -> dict:
    """Changes that start a scenario at the first row of a table and end it after `duration` [s]."""
    changes = {"phases.flight.until": {"time": duration}}
    for body in (name.removesuffix(".attitude") for name in part if name.endswith(".attitude")):
        state = {kind: part[f"{body}.{kind}"][0].tolist() for kind in STATES}
        changes[f"bodies.{body}.initial"] = state | {"attitude": {"quaternion": state["attitude"]}}
    return changes
