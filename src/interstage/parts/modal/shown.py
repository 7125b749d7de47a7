"""Tables and figure of bodies that bend: what each mode had of energy, how far points were displaced, and
both over time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...drawing.curves import MOST_PANELS, over_time
from ...drawing.figure import Figure, beside
from ...drawing.table import Table, number, time_text
from ...record.record import Record, timeline
from ...tree.errors import counted
from .declared import ModalBody


def tables(record: Record, units: str) -> Iterator[Table]:
    """The largest coordinate and energy of each mode over the flight, and when it had that."""
    rows = []
    for item in _bodies(record):
        for n in range(item.count):
            path = f"forces.{item.name}.mode_{n + 1}"
            times, energy = timeline(record, f"{path}.energy")
            row = int(np.argmax(energy))
            _, coordinate = timeline(record, f"{path}.coordinate")
            hertz = _hertz(record, item, n)
            most = number(np.max(np.abs(coordinate)))
            rows.append([item.body, str(n + 1), hertz, most, number(energy[row]), time_text(times[row])])
    if rows:
        columns = ["body", "mode", "[Hz]", "coordinate [m]", "energy [J]", "at [s]"]
        right = [False, True, True, True, True, True]
        note = "Largest of each over the flight; energy is that of strain and motion."
        yield Table("Bending", columns, rows, right, note, key="bending", of_samples=True)
    rows = [[one.body, *_most(record, one)] for one in _bodies(record) if _deflections(record, one)]
    if rows:
        columns = ["body", "point", "deflection [m]", "at [s]"]
        note = "Of the point of each body that was displaced most by its bending."
        right = [False, False, True, True]
        yield Table("Largest deflections", columns, rows, right, note, key="deflections", of_samples=True)


def _most(record: Record, item: ModalBody) -> list[str]:
    """The point that was displaced most, how far, and when."""
    name, (times, size) = next(iter(_deflections(record, item).items()))
    row = int(np.argmax(size))
    return [name, number(size[row]), time_text(times[row])]


def _deflections(record: Record, item: ModalBody) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Times and sizes of the displacement of each point by bending, the largest first."""
    found = {}
    for point in item.points:
        path = f"forces.{item.name}.point_{point.name}.deflection"
        if path in record.series:
            times, values = timeline(record, path)
            found[point.name] = times, np.linalg.norm(values, axis=-1)
    return dict(sorted(found.items(), key=lambda one: -np.max(one[1][1])))


def _hertz(record: Record, item: ModalBody, n: int) -> str:
    """Frequency of a mode, or from which to which it went."""
    if item.propellant is None:
        return number(float(np.ravel(item.frequency[n])[0]) / (2 * np.pi))
    _, course = timeline(record, f"forces.{item.name}.mode_{n + 1}.frequency")
    first, last = (number(float(course[row]) / (2 * np.pi)) for row in (0, -1))
    return first if first == last else f"{first} to {last}"


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Strain energy, and the displacements of the points that were displaced most."""
    for item in _bodies(record)[:MOST_PANELS]:
        path = f"forces.{item.name}"
        panels = [over_time(record, f"{path}.strain_energy", units, item.body)]
        points = [*_deflections(record, item)]
        some = points[: MOST_PANELS - 1]
        panels += [over_time(record, f"{path}.point_{name}.deflection", units, name) for name in some]
        left = f", the {len(some)} of {counted(len(points), 'points')} that it moved most"
        left = left if len(some) < len(points) else ""
        yield Figure(f"{item.body}: bending by its modes{left}", beside(panels), key="bending")


def _bodies(record: Record) -> list[ModalBody]:
    """Those whose modes were recorded."""
    declared = [one for one in record.scenario.forces if isinstance(one, ModalBody)]
    return [one for one in declared if f"forces.{one.name}.strain_energy" in record.series]


TABLES = (tables,)
FIGURES = (figures,)
