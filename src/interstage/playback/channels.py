"""Store quantities over time for the viewer."""

from __future__ import annotations

import numpy as np

from ..record.record import Record
from .courses import WIDE, course, curve_rows
from .store import Store


def channel(
    times: np.ndarray, values: np.ndarray, store: Store, span: tuple[float, float], wide: float = WIDE
) -> dict[str, int]:
    """Store the values of a quantity for the viewer, which interpolates them linearly, and return their
    indices in the store.

    - span: start and end of the flight [s].
    - wide: width [px] up to which the curve keeps its appearance. Default: `WIDE`.
    """
    columns = values.reshape(len(times), -1)
    rows = curve_rows(times, columns, span, wide)
    return {
        "times": store.add(times[rows], "f8"),
        "values": store.add(columns[rows]),
        "size": columns.shape[1],
    }


def channel_of(record: Record, path: str, store: Store, span: tuple[float, float]) -> dict[str, int] | None:
    """Store a quantity of a flight by its path. Return None without values. The parameters are those of
    `channel`."""
    found = course(record, path) if path else None
    return None if found is None else channel(*found, store, span)
