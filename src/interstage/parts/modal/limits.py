"""Limits of deflection and angular velocity for linear modes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from . import levels

SLOPE = 0.2
"""The largest valid rotation by bending [rad]. The relative error of the linear theory is the square of this
rotation, 4 %.
"""
DEFLECTION = 0.1
"""The largest valid deflection, divided by the largest distance between points. The slopes are then of
similar size.
"""
SPIN = 0.3
"""The largest valid angular velocity, divided by the lowest angular frequency. The rotation changes the modal
stiffness by the square of this ratio, 9 %.
"""


def excesses(item: Any, coordinate: Any, spin: Any, left: Any = None) -> Iterator[tuple[int, str, str]]:
    """Yield (index of the time, text, reason) for the largest excess of each limit.

    - item: declaration of the modes in the scenario.
    - coordinate: modal coordinates [m] (time, mode).
    - spin: magnitude of the angular velocity of the body [rad/s] (time,).
    - left: remaining propellant [kg] (time,). Default: None, for a body of constant mass.
    """
    span = _span(item)
    slowest, shapes = _shapes(item, left)
    for field, most, text, why in (
        (
            "turn",
            SLOPE,
            "bending rotated {} by {:.3g} rad",
            "Slopes above 0.2 rad are too large for linear modes",
        ),
        (
            "shape",
            DEFLECTION * span,
            "{} moved elastically by {:.3g} m",
            f"This displacement is too large for linear modes of a body with an extent of {span:.3g} m",
        ),
    ):
        sizes = [np.linalg.norm(_along(coordinate, shape), axis=1) for shape in shapes[field]]
        if sizes and most > 0:
            k = int(np.argmax([np.max(one) for one in sizes]))
            n = int(np.argmax(sizes[k]))
            if sizes[k][n] > most:
                words = text.format(f"point {item.points[k].name}", sizes[k][n])
                yield n, words, f"{why}."
    lowest = np.broadcast_to(slowest, spin.shape)
    n = int(np.argmax(spin / lowest))
    if spin[n] > SPIN * lowest[n]:
        text = f"{item.body} rotated at {spin[n]:.3g} rad/s (lowest mode: {lowest[n]:.3g} rad/s)"
        why = (
            "The model neglects the effect of rotation on the modal stiffness. It is valid for slow rotation"
        )
        yield n, text, f"{why} only."


def _shapes(item: Any, left: Any) -> tuple[Any, dict[str, Any]]:
    """Return the lowest frequency [rad/s], (instant,) or one for all, and shapes and rotations of each point
    (mode, 3) or (mode, 3, instant)."""
    if item.propellant is None:
        every = {field: [np.asarray(getattr(p, field)) for p in item.points] for field in ("shape", "turn")}
        return np.min(np.asarray(item.frequency)), every
    frequency, shape, turn = levels.shapes_at(item, left)
    return np.min(frequency, 0), {"shape": shape, "turn": turn}


def _along(coordinate: Any, shape: Any) -> Any:
    """Return displacements (instant, 3) from coordinates (instant, mode) and the shape of a point."""
    return coordinate @ shape if shape.ndim == 2 else np.einsum("im,mki->ik", coordinate, shape)


def _span(item: Any) -> float:
    """Return the largest distance between points [m]."""
    at = np.array([np.asarray(point.at) for point in item.points]).reshape(-1, 3)
    return float(np.max(np.linalg.norm(at[:, None] - at[None], axis=2), initial=0.0))
