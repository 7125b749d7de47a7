"""How far bending and turning may go before what the theory of modes leaves out is seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from . import levels

SLOPE = 0.2
"""Turn by bending [rad] whose square, 4 %, is what small deflections leave out beside 1."""
DEFLECTION = 0.1
"""Deflection beside the largest distance between points, at which slopes are about as large as that."""
SPIN = 0.3
"""Spin beside the lowest frequency: its square, 9 %, is what turning changes of the mode's stiffness."""


def excesses(item: Any, coordinate: Any, spin: Any, left: Any = None) -> Iterator[tuple[int, str, str]]:
    """(which instant, what, why it matters) of what goes too far at the instants at which the modes of `item`
    have coordinates (instant, mode) [m] and its body turns by spins (instant,) [rad/s]: each at its most.
    left: propellant in it (instant,) [kg], where modes follow that."""
    span = _span(item)
    slowest, shapes = _shapes(item, left)
    for field, most, text, why in (
        ("turn", SLOPE, "{} turned by bending by {:.3g} rad", "Slopes above 0.2 rad are not small"),
        (
            "shape",
            DEFLECTION * span,
            "{} was deflected by {:.3g} m",
            f"That is not small beside {span:.3g} m",
        ),
    ):
        sizes = [np.linalg.norm(_along(coordinate, shape), axis=1) for shape in shapes[field]]
        if sizes and most > 0:
            k = int(np.argmax([np.max(one) for one in sizes]))
            n = int(np.argmax(sizes[k]))
            if sizes[k][n] > most:
                said = text.format(f"point {item.points[k].name}", sizes[k][n])
                yield n, said, f"{why}, which the theory of modes takes deflections to be."
    lowest = np.broadcast_to(slowest, spin.shape)
    n = int(np.argmax(spin / lowest))
    if spin[n] > SPIN * lowest[n]:
        text = f"{item.body} turned at {spin[n]:.3g} rad/s, its lowest mode being of {lowest[n]:.3g} rad/s"
        yield n, text, "Turning neither stiffens nor softens modes here, which holds for slow turns alone."


def _shapes(item: Any, left: Any) -> tuple[Any, dict[str, Any]]:
    """The lowest frequency [rad/s] (instant,) or one for all, and shapes and turns of each point (mode, 3),
    or (mode, 3, instant)."""
    if item.propellant is None:
        every = {field: [np.asarray(getattr(p, field)) for p in item.points] for field in ("shape", "turn")}
        return np.min(np.asarray(item.frequency)), every
    frequency, shape, turn = levels.shapes_at(item, left)
    return np.min(frequency, 0), {"shape": shape, "turn": turn}


def _along(coordinate: Any, shape: Any) -> Any:
    """Coordinates (instant, mode) times the shape of a point (instant, 3)."""
    return coordinate @ shape if shape.ndim == 2 else np.einsum("im,mki->ik", coordinate, shape)


def _span(item: Any) -> float:
    """The largest distance between points [m]."""
    at = np.array([np.asarray(point.at) for point in item.points]).reshape(-1, 3)
    return float(np.max(np.linalg.norm(at[:, None] - at[None], axis=2), initial=0.0))
