"""What cases of two bodies that part share: rows against tables by `apart`, relative poses. NumPy only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from interstage.studies.verify import Row

from .comparison import at, read_table, turned, worst

BOUND = 1e-8
"""On places [m], velocities [m/s], rates [rad/s], axes [rad] and times [s]; the tables are good to 1e-11."""


def event(record, name: str) -> float:
    """Time of an event."""
    return next(e.time for e in record.events if e.name == name)


def commented(path: Path, word: str) -> list[float]:
    """Numbers after a word in the comments of a table."""
    lines = [line.split() for line in path.read_text().splitlines() if line.startswith("#")]
    return [float(number) for line in lines if line[1] == word for number in line[2:]]


def against_table(name: str, record, bodies, file: Path, drift) -> Iterator[Row]:
    """Rows of the states of two bodies, parent first, against a table whose frame moves with `drift` [m/s],
    and of the ends of the strokes of spring_1 and so on."""
    truth = read_table(file)
    times = truth["time_s"]
    parent, child = (at(record, f"bodies.{body}.position", times) for body in bodies)
    yield Row(f"{name}: place [m]", worst(child - parent - truth["apart"]), BOUND)
    for body, label in zip(bodies, ("parent", "child"), strict=True):
        velocity = at(record, f"bodies.{body}.velocity", times) - drift
        spin = at(record, f"bodies.{body}.angular_velocity", times)
        q = at(record, f"bodies.{body}.attitude", times)
        axes = [turned(q, np.tile(np.eye(3)[k], (len(times), 1))) for k in range(2)]
        off = [a - truth[f"{label}_{c}_axis"] for a, c in zip(axes, "xy", strict=True)]
        yield Row(f"{name}: velocity, {body} [m/s]", worst(velocity - truth[f"{label}_velocity"]), BOUND)
        yield Row(f"{name}: rates, {body} [rad/s]", worst(spin - truth[f"{label}_angular_velocity"]), BOUND)
        yield Row(f"{name}: attitude, {body} [rad]", worst(np.array(off)), BOUND)
    spent = commented(file, "spent")
    ends = [event(record, f"spring_{k + 1} spent") for k in range(len(spent))]
    yield Row(f"{name}: ends of the strokes [s]", worst(np.array(ends) - spent), BOUND)


def relative(record, parent: str, child: str, row: int):
    """(place of the child's centre of mass from the parent's in its axes, quaternion child to parent)."""
    q, p = (record.series[f"bodies.{name}.attitude"][row] for name in (parent, child))
    back = q * [1, -1, -1, -1]
    apart = record.series[f"bodies.{child}.position"][row] - record.series[f"bodies.{parent}.position"][row]
    s, u, t, v = back[0], back[1:], p[0], p[1:]
    product = np.concatenate([[s * t - u @ v], s * v + t * u + np.cross(u, v)])
    return turned(back[None], apart[None])[0], product
