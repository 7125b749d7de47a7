"""Select the curves of a playback page: the quantities that a reader most likely needs, up to a size
limit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..record.record import QuantityMeta, Record
from ..tree.units import display
from .courses import WIDE, course, curve_rows, paths_of, records_of
from .store import Store

MOST_BYTES, MOST_BYTES_OF_REPORT = 400_000, 50_000
"""Maximum size of all curves of a playback page, and of a report [bytes], before base64 encoding.

Further quantities are omitted. The limit of a report is lower, because a report also contains figures.
"""
RANKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("pairs", ("distance", "separation_speed", "tip_off_rate", "axial_distance", "radial_distance")),
    ("bodies", ("altitude", "speed", "airspeed", "mach", "dynamic_pressure", "load_factor", "alpha")),
    ("bodies", ("angular_velocity", "mass", "flight_path_angle", "total_alpha", "ground_range")),
    ("joints", ("force", "torque", "displacement", "rotation")),
    ("", ("force", "torque", "thrust", "stroke", "length", "pressure", "state")),
    ("pairs", ("relative_velocity", "relative_rate", "relative_attitude", "axis_angle", "relative_speed")),
    ("bodies", ("velocity", "position", "acceleration", "sensed_acceleration", "axial_load_factor")),
    ("system", ("energy", "momentum", "angular_momentum")),
)
"""Quantities of a page, as (group, last names of the paths). The most important group is the first group.

The group "" means all groups that are not listed.
"""
SKIPPED = ("recontacts", "recontact_speed", "recontact_energy", "direction", "point_on_a", "point_on_b")


def curves_of(
    record: Record,
    store: Store,
    units: str,
    span: tuple[float, float],
    most_bytes: int = MOST_BYTES,
    wide: float = WIDE,
) -> list[dict[str, Any]]:
    """Return the curves of a page; requirements and distances of shapes come first.

    - most_bytes: size of all curves [bytes], before base64.
    - wide: width [px] up to which the curves keep their appearance."""
    metas: dict[str, QuantityMeta] = {}
    for one in records_of(record):
        metas |= one.meta
    found: list[dict[str, Any]] = []
    before = store.size
    ranks = {path: _rank(record, path) for path in paths_of(record)}
    for path in sorted(ranks, key=ranks.__getitem__):
        if store.size - before > most_bytes or ranks[path] >= len(RANKS) + 2:
            break
        if path in metas and (curve := _curve(record, path, metas[path], store, units, span, wide)):
            found.append(curve)
    return found


def _rank(record: Record, path: str) -> int:
    """Place of a quantity in the order of importance."""
    group, _, rest = path.partition(".")
    name = rest.rpartition(".")[2]
    if name in SKIPPED:
        return len(RANKS) + 2
    if any(f"{one.quantity}.".startswith(f"{path}.") for one in record.scenario.requirements):
        return 0
    for row, (wanted, names) in enumerate(RANKS):
        if name in names and (group == wanted or (not wanted and group not in {g for g, _ in RANKS})):
            return row + 1
    own = any(path.startswith(f"{stem}.") for one in records_of(record) for stem in one.courses)
    return 0 if own and name == "distance" else len(RANKS) + 1


def _curve(
    record: Record,
    path: str,
    meta: QuantityMeta,
    store: Store,
    units: str,
    span: tuple[float, float],
    wide: float,
) -> dict[str, Any] | None:
    found = course(record, path)
    if found is None:
        return None
    times, values = found
    columns = values.reshape(len(times), -1)
    names = list(meta.components) if meta.components else [""]
    if columns.shape[1] != len(names) or not np.isfinite(columns).any():
        return None
    factor, unit = display(meta.unit, units)
    columns = columns * factor
    if len(names) == 3:
        columns = np.column_stack([columns, np.sqrt((columns**2).sum(axis=1))])
        names.append("magnitude")
    rows = curve_rows(times, columns, span, wide)
    return {
        "path": path,
        "title": meta.long_name,
        "unit": "" if unit == "1" else unit,
        "frame": meta.frame,
        "columns": names,
        "times": store.add(times[rows] - span[0]),
        "values": store.add(columns[rows].T),
    }
