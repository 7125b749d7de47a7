"""Compares a flight with the table of a TP-2016 case: states of the bodies and loads of the joint."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from interstage.verify import Row

from .comparison import angle_between, at, length, read_table, worst

BOUND = 1e-7
ROUNDING = 5e-14
STATES = ("position", "velocity", "angular_velocity")
LOADS = ("force", "torque", "force_child", "torque_child")


def bodies_of(truth: dict[str, np.ndarray]) -> list[str]:
    """Names of the bodies in a table, from its columns NAME.position."""
    return [name.removesuffix(".position") for name in truth if name.endswith(".position")]


def joint_of(record) -> str:
    """Path of the one joint of a flight."""
    (path,) = {".".join(name.split(".")[:2]) for name in record.series if name.startswith("joints.")}
    return path


def states(record, truth: dict[str, np.ndarray], times: np.ndarray) -> dict[str, np.ndarray]:
    """Errors (samples) of position, velocity and angular velocity by their peaks, and of attitude [rad]."""
    errors = {}
    for body in bodies_of(truth):
        for kind in STATES:
            expected = truth[f"{body}.{kind}"]
            peak = length(expected).max() or 1.0
            apart = length(at(record, f"bodies.{body}.{kind}", times) - expected)
            errors[f"{body}: {kind.replace('_', ' ')} [of its peak]"] = apart / peak
        turn = at(record, f"bodies.{body}.attitude", times)
        errors[f"{body}: attitude [rad]"] = angle_between(turn, truth[f"{body}.attitude"])
    return errors


def loads(record, truth: dict[str, np.ndarray], times: np.ndarray, arm: float) -> dict[str, np.ndarray]:
    """Errors (samples) of the joint's loads by their peaks; a torque's is at least force x arm [m] / 1000."""
    joint, peak = joint_of(record), length(truth["joint.force"]).max()
    errors = {}
    for kind in LOADS:
        expected = truth[f"joint.{kind}"]
        size = peak if "force" in kind else max(length(expected).max(), peak * arm / 1000)
        errors[f"joint {kind.replace('_', ' ')} [of its peak]"] = (
            length(at(record, f"{joint}.{kind}", times) - expected) / size
        )
    return errors


def against_table(fly, folder: Path, arm: float, **changes) -> list[Row]:
    """All states and joint loads of scenario.toml against truth.csv; arm [m] as in `loads`."""
    return flight_against_table(fly(folder / "scenario.toml", **changes), folder, arm)


def flight_against_table(record, folder: Path, arm: float) -> list[Row]:
    """A flight against the truth.csv of a folder.

    Where growth.csv says that a relative change d of the data has grown to more than 2e6 d, no code in
    float64 can keep 1e-7; there the errors may be the growth times 5e-14, some hundred roundings.
    """
    truth = read_table(folder / "truth.csv")
    times = truth["time"]
    errors = states(record, truth, times) | loads(record, truth, times, arm)
    growth = growth_of(folder, times)
    tame = growth * ROUNDING <= BOUND
    rows = [Row(name, worst(values[tame]), BOUND) for name, values in errors.items()]
    if tame.all():
        return rows
    scaled = {name: worst(values[~tame] / growth[~tame]) for name, values in errors.items()}
    since = f"from {times[~tame][0]:g} s on, where errors grow {growth.max():.0e}-fold"
    return [*rows, *(Row(f"{name}, by the growth", error, ROUNDING, since) for name, error in scaled.items())]


def growth_of(folder: Path, times: np.ndarray) -> np.ndarray:
    """How much a relative change of the data has grown by each time, from growth.csv; ones without it."""
    path = folder / "growth.csv"
    return read_table(path)["growth"] if path.is_file() else np.ones(len(times))
