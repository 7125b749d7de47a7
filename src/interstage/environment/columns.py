"""Check of the tables of atmosphere and wind: equal lengths of columns, increasing altitudes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tree.errors import Refused
from ..tree.sentences import count_text


def check_columns(altitude: Any, columns: dict[str, Any], fewest: int = 2) -> None:
    """Check that the altitudes of a table increase, and that all columns have the same length.

    `columns`: columns by name. `fewest`: minimum number of altitudes. Columns that are None and traced arrays
    are ignored. Raises Refused for a faulty table.
    """
    if not isinstance(altitude, np.ndarray):
        return
    for name, column in columns.items():
        if isinstance(column, np.ndarray) and len(column) != len(altitude):
            text = f"the column has {count_text(len(column), 'rows')}, but altitude has {len(altitude)} rows"
            raise Refused((name, f"{text}. Give one row for each altitude"))
    if len(altitude) < fewest:
        raise Refused(
            (
                "altitude",
                f"the column altitude has {len(altitude)} values. Give at least {fewest} altitudes",
            )
        )
    steps = np.diff(altitude, axis=0).reshape(len(altitude) - 1, -1)
    wrong = ~(steps > 0).all(1)
    if wrong.any():
        k = int(np.argmax(wrong))
        low, high = (float(altitude[j].flat[0]) if altitude.ndim > 1 else altitude[j] for j in (k, k + 1))
        raise Refused(
            (
                "altitude",
                f"the altitude does not increase: {high:g} m follows {low:g} m. Sort the rows by altitude, "
                "and remove duplicate altitudes",
            )
        )
