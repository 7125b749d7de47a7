"""Section loads along a beam, and detection of values that are only rounding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...drawing import curves
from ...drawing.curves import thousands
from ...drawing.figure import COLOURS, Axis, Between, Line, Mark, Panel
from ...drawing.table import SAME_SIZE, label_text, time_text
from ...record.record import Record, timeline
from ...tree.units import display
from . import sections
from .declared import Beam

LOADS = {"axial_force": "force", "shear_force": "force", "torque": "moment", "bending_moment": "moment"}
"""The largest loads along a beam, each with the quantity of its sections."""
ACROSS = ("shear_force", "bending_moment")
"""The loads that combine both transverse axes of the section."""
TINTS = ("#d9e8f2", "#f7e3d6", "#d6ede5")
"""The pale colours of x, y and z for ranges."""
SLIGHT = 1e-3
"""The size of a component, relative to the largest component, below which it is not drawn."""


class Along(NamedTuple):
    """A load along a beam: positions of sections [m] from the clamp in the parent (section), times [s]
    (instant), values (instant, section, component), and the index of the instant with the largest load."""

    places: np.ndarray
    times: np.ndarray
    values: np.ndarray
    row: int


def places(beam: Beam) -> dict[str, float]:
    """Return the distances [m] of the sections and clamps of a beam from the clamp in the parent, in order,
    by name."""
    count, length = beam.elements, float(beam.length)
    part = length / count
    found = {"at_parent": 0.0, "section_1": part / 4}
    found |= {f"section_{k + 1}": k * part for k in range(1, count)}
    if beam.child is not None:
        found |= {f"section_{count + 1}": length - part / 4, "at_child": length}
    return found


def rounding(beam: Beam, name: str) -> float:
    """Return the size below which a load is only rounding [N or N m]. This size follows from the rounding of
    positions and the stiffness of an element; for moments, also from forces over the length."""
    stiff = sections.along(beam, [0.0, 1.0], 0)
    force = np.max(np.asarray(stiff.forces), 1)
    moment = np.max(np.asarray(stiff.moments), 1)
    length = float(beam.length)
    size = {
        "axial_force": force[0],
        "shear_force": np.max(force[1:]),
        "torque": moment[0] / length,
        "bending_moment": np.max(moment[1:]) / length + np.max(force[1:]) * length / beam.elements,
    }
    return curves.rounding(float(beam.elements * size[name]))


def along(record: Record, beam: Beam, name: str) -> Along | None:
    """Return a load along a beam over the flight; None if sections were not recorded."""
    where, load = places(beam), LOADS[name]
    paths = [f"forces.{beam.name}.{place}.{load}" for place in where]
    if not all(path in record.series for path in paths):
        return None
    times, _ = timeline(record, paths[0])
    every = np.stack([timeline(record, path)[1] for path in paths], 1)
    values = every[..., 1:] if name in ACROSS else every[..., :1]
    size = np.max(np.linalg.norm(values, axis=-1), 1)
    row = int(np.argmax(size >= np.nanmax(size) * (1 - SAME_SIZE)))
    return Along(np.array([*where.values()]), times, values, row)


def panels(record: Record, beam: Beam, units: str) -> Iterator[Panel]:
    """Yield a panel of each load along a beam: its values at the time of its maximum, and its range."""
    for name, load in LOADS.items():
        found = along(record, beam, name)
        if found is None:
            return
        what = name.replace("_", " ")
        if curves.is_nothing(found.values, rounding(beam, name)):
            yield curves.in_words("", what, found.values)
            continue
        x = Axis(label_text("from the parent", display("m", units)[1]), room=0.02)
        meta = record.meta[f"forces.{beam.name}.at_parent.{load}"]
        factor, unit = thousands(*display(meta.unit, units), found.values)
        values = found.values * factor
        y = Axis(label_text(what, unit), room=0.12)
        at = f"at {time_text(found.times[found.row])} s"
        yield Panel([*_curves(found.places * display("m", units)[0], values, found.row)], at, x, y)


def _curves(x: np.ndarray, values: np.ndarray, row: int) -> Iterator[Mark]:
    """Yield curves of values (instant, section, component): the range, and the values at an instant."""
    size = np.nanmax(np.abs(values), (0, 1))
    seen = [k for k in range(values.shape[2]) if size[k] > SLIGHT * np.max(size)]
    first = 0 if values.shape[2] == 1 else 1
    for k in seen:
        low, high = np.nanmin(values[..., k], 0), np.nanmax(values[..., k], 0)
        yield Between(x, low, high, TINTS[first + k])
    for k in seen:
        label = "" if first == 0 else "yz"[k]
        yield Line(x, values[row, :, k], label, COLOURS[first + k], dots=True)
