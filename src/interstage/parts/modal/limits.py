"""How far bending and turning may go before what the theory of modes leaves out is seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

SLOPE = 0.2
"""Turn by bending [rad] whose square, 4 %, is what small deflections leave out beside 1."""
DEFLECTION = 0.1
"""Deflection beside the largest distance between points, at which slopes are about as large as that."""
SPIN = 0.3
"""Spin beside the lowest frequency: its square, 9 %, is what turning changes of the mode's stiffness."""


def excesses(item: Any, coordinate: Any, spin: Any) -> Iterator[tuple[int, str, str]]:
    """(which instant, what, why it matters) of what goes too far at the instants at which the modes of `item`
    have coordinates (instant, mode) [m] and its body turns by spins (instant,) [rad/s]: each at its most."""
    span = _span(item)
    for field, most, text, why in (
        ("turn", SLOPE, "{} turned by bending by {:.3g} rad", "Slopes above 0.2 rad are not small"),
        (
            "shape",
            DEFLECTION * span,
            "{} was deflected by {:.3g} m",
            f"That is not small beside {span:.3g} m",
        ),
    ):
        sizes = [np.linalg.norm(coordinate @ np.asarray(getattr(p, field)), axis=1) for p in item.points]
        if sizes and most > 0:
            k = int(np.argmax([np.max(one) for one in sizes]))
            n = int(np.argmax(sizes[k]))
            if sizes[k][n] > most:
                said = text.format(f"point {item.points[k].name}", sizes[k][n])
                yield n, said, f"{why}, which the theory of modes takes deflections to be."
    lowest, n = float(np.min(np.asarray(item.frequency))), int(np.argmax(spin))
    if spin[n] > SPIN * lowest:
        text = f"{item.body} turned at {spin[n]:.3g} rad/s, its lowest mode being of {lowest:.3g} rad/s"
        yield n, text, "Turning neither stiffens nor softens modes here, which holds for slow turns alone."


def _span(item: Any) -> float:
    """The largest distance between points [m]."""
    at = np.array([np.asarray(point.at) for point in item.points]).reshape(-1, 3)
    return float(np.max(np.linalg.norm(at[:, None] - at[None], axis=2), initial=0.0))
