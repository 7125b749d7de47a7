"""Section loads along a beam, and detection of loads that are only rounding errors."""

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
"""The names of the largest loads of a beam. Each load has the name of the section quantity that contains the
load."""
ACROSS = ("shear_force", "bending_moment")
"""The names of the loads that are resultants of both transverse axes of the section."""
TINTS = ("#d9e8f2", "#f7e3d6", "#d6ede5")
"""The pale colours of the x, y and z components, for areas that show a range."""
SLIGHT = 1e-3
"""Components below this fraction of the largest component are not drawn."""


class Along(NamedTuple):
    """A section load along a beam during a flight.

    - `places`: distances of the sections from the clamp in the parent [m] (section,).
    - times: recorded times [s] (time,).
    - values: the load at the sections (time, section, component).
    - row: index of the time with the largest load.
    """

    places: np.ndarray
    times: np.ndarray
    values: np.ndarray
    row: int


def places(beam: Beam) -> dict[str, float]:
    """Return the distance of each section and clamp from the clamp in the parent [m], by name. The names are
    in order along the beam.
    """
    count, length = beam.elements, float(beam.length)
    part = length / count
    found = {"at_parent": 0.0, "section_1": part / 4}
    found |= {f"section_{k + 1}": k * part for k in range(1, count)}
    if beam.child is not None:
        found |= {f"section_{count + 1}": length - part / 4, "at_child": length}
    return found


def rounding(beam: Beam, name: str) -> float:
    """Return the size [N or N m] below which a load is only a rounding error.

    The size follows from the rounding of positions and the stiffness of an element. For a bending moment,
    rounding errors of the shear forces also count. name: a key of `LOADS`.
    """
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
    """Return a section load along a beam during a flight; None if the sections were not recorded. name: a key
    of `LOADS`.
    """
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
    """Yield a panel for each load along a beam. The panel shows the load at the time of its maximum, and the
    range over the flight.

    units: unit system of the values, "SI" or "US".
    """
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
