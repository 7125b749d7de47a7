"""Tables and figures of flexible bodies: modal energies, and displacements of points."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...drawing.curves import MOST_PANELS, in_words, over_time
from ...drawing.figure import Figure, in_rows
from ...drawing.table import Table, number, time_text
from ...record.record import Record, timeline
from .declared import ModalBody
from .pointed import chosen, deflections, moves, rounding


def tables(record: Record, units: str) -> Iterator[Table]:
    """Yield two tables: the largest coordinate and energy of each mode with their times, and the largest
    displacement of each body.

    units: unit system of the values, "SI" or "US".
    """
    rows = [
        [item.body, str(n + 1), _hertz(record, item, n), *_of_mode(record, item, n)]
        for item in _bodies(record)
        for n in range(item.count)
    ]
    if rows:
        columns = ["body", "mode", "frequency [Hz]", "largest modal coordinate [m]"]
        columns += ["largest energy [J]", "time [s]"]
        right = [False, True, True, True, True, True]
        note = "The energy of a mode is the sum of strain energy and kinetic energy."
        note += " The column time shows the time of the largest energy."
        yield Table("Elastic modes", columns, rows, right, note, key="bending", of_samples=True)
    rows = [[one.body, *_most(record, one)] for one in _bodies(record) if deflections(record, one)]
    if rows:
        columns = ["body", "point", "deflection [m]", "time [s]"]
        note = "The table shows the point of each body with the largest elastic displacement."
        right = [False, False, True, True]
        yield Table("Largest deflections", columns, rows, right, note, key="deflections", of_samples=True)


def _most(record: Record, item: ModalBody) -> list[str]:
    """Return the point with the largest displacement, with size and time."""
    name, (times, course) = next(iter(deflections(record, item).items()))
    size = np.linalg.norm(course, axis=-1)
    row = int(np.argmax(size))
    none = size[row] <= rounding(record, item)
    return ["-", "0", "-"] if none else [name, number(size[row]), time_text(times[row])]


def _of_mode(record: Record, item: ModalBody, n: int) -> list[str]:
    """Return the largest coordinate and energy of a mode with times; empty if they are only rounding."""
    times, energy = timeline(record, f"forces.{item.name}.mode_{n + 1}.energy")
    if not moves(record, item, n):
        return ["0", "0", "-"]
    _, coordinate = timeline(record, f"forces.{item.name}.mode_{n + 1}.coordinate")
    row = int(np.argmax(energy))
    return [number(np.max(np.abs(coordinate))), number(energy[row]), time_text(times[row])]


def _hertz(record: Record, item: ModalBody, n: int) -> str:
    """Return the text of the frequency of a mode, or of its range."""
    if item.propellant is None:
        return number(float(np.ravel(item.frequency[n])[0]) / (2 * np.pi))
    _, course = timeline(record, f"forces.{item.name}.mode_{n + 1}.frequency")
    first, last = (number(float(course[row]) / (2 * np.pi)) for row in (0, -1))
    return first if first == last else f"{first} to {last}"


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield figures of the strain energy of flexible bodies, and of the displacements of selected points.
    units: name of the unit system.
    """
    for item in _bodies(record)[:MOST_PANELS]:
        path, caption = f"forces.{item.name}", f"{item.body}: elastic deformation"
        if not any(moves(record, item, n) for n in range(item.count)):
            energy = timeline(record, f"{path}.strain_energy")[1]
            yield Figure(caption, in_rows([in_words(item.body, "bending", energy)]), key="bending")
            continue
        panels = [over_time(record, f"{path}.strain_energy", units, item.body)]
        some, count = chosen(record, item), len(deflections(record, item))
        least = rounding(record, item)
        panels += [
            over_time(record, f"{path}.point_{name}.deflection", units, name, least=least) for name in some
        ]
        if len(some) < count:
            caption = f"{caption} of {len(some)} of {count} points"
        yield Figure(caption, in_rows(panels), key="bending")


def _bodies(record: Record) -> list[ModalBody]:
    """Return the flexible bodies with recorded modes."""
    declared = [one for one in record.scenario.forces if isinstance(one, ModalBody)]
    return [one for one in declared if f"forces.{one.name}.strain_energy" in record.series]


TABLES = (tables,)
FIGURES = (figures,)
