"""Times of extremes of quantities, for operating points such as "max bodies.stage.altitude"."""

from __future__ import annotations

import numpy as np

from ..record.peaks import SIGNS, seek
from ..record.record import Record, Sought, pick, resolve, timeline
from ..tree.errors import BadInput, Problem


def time_of_extreme(record: Record, take: str, path: str) -> float:
    """Return the time [s] of an extreme of a quantity, searched between the samples too.

    - take: "max" or "min".
    - path: path of a quantity or of a component.

    Equal values count at the first of their times. Raises BadInput for an unknown path, a vector without a
    component, and a quantity without values.
    """
    try:
        stem, component = resolve(record, path)
    except BadInput as error:
        raise BadInput(Problem("at", problem.message) for problem in error.problems) from None
    meta = record.meta[stem]
    if component is None and meta.components:
        example = f"{path}.{meta.components[0]}"
        raise BadInput(
            Problem("at", f"{path} has several components. Name one, for example {take} {example}")
        )
    (sign,) = SIGNS[take]
    seek(record, [Sought(path, sign)])
    times, rows = timeline(record, stem)
    values = sign * np.asarray(pick(rows, component), float)
    if not np.isfinite(values).any():
        raise BadInput(Problem("at", f"{path} has no values in this flight. Choose another quantity"))
    return float(times[np.nanargmax(values)])
