"""Reject flights through a jump of the atmosphere or the wind at the end of a table.

Derivatives of the flight do not exist through such a jump.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ..environment.wind import WindTable
from ..tree.errors import BadInput, Problem

AIR, HEIGHT = ".air_density", ".altitude"
"""Endings of the paths of two quantities of a body: air density and altitude."""
THIN = 1e-6
"""Smallest jump that is rejected.

A jump of density is relative to the largest density of the flight, a jump of wind to the largest wind in its
table.
"""

Samples = Callable[[list[str]], tuple[np.ndarray, np.ndarray]]
"""Function that evaluates quantities, given by their paths, at the start and the end of each integration
step.

The function returns times (row,) [s] and values (quantity, row).
"""


def refuse(scenario: Any, known: Iterable[str], samples: Samples) -> None:
    """Raise BadInput if a body flies through a jump of the atmosphere or the wind.

    - known: paths of the quantities that can be evaluated.
    - samples: function that evaluates quantities along the flight.
    """
    model, wind = scenario.atmosphere, [*_edges_of_wind(scenario.wind)]
    ends = "zero" in (getattr(model, "outside", ""), getattr(model, "above", ""))
    bodies = [name.removesuffix(AIR) for name in known if name.endswith(AIR)]
    if not bodies or not (ends or wind):
        return
    times, found = samples([body + what for what in (AIR, HEIGHT) for body in bodies])
    density, height = np.split(found, 2)
    largest = np.maximum(density[:, 1:], density[:, :-1])
    thick = largest > THIN * np.max(density, axis=1, keepdims=True, initial=0.0)
    if ends:
        _refuse_air(times, density, largest, thick)
    for altitude, speed in wind:
        passed = ((height[:, 1:] > altitude) != (height[:, :-1] > altitude)) & thick
        if passed.any():
            _, row = np.argwhere(passed)[0]
            text = (
                f"the wind table jumps by {speed:.3g} m/s at its end at {altitude:.6g} m, and the flight"
                f" passes this altitude at about {times[row + 1]:.9g} s. Derivatives do not exist"
                " through a jump."
                ' End the table with zero wind, or set outside = "hold"'
            )
            raise BadInput(Problem("wind", text))


def _refuse_air(times: np.ndarray, density: np.ndarray, largest: np.ndarray, thick: np.ndarray) -> None:
    passed = ((density[:, 1:] == 0) != (density[:, :-1] == 0)) & thick
    if passed.any():
        body, row = np.argwhere(passed)[0]
        text = (
            f"the density jumps by {largest[body, row]:.3g} kg/m^3 at the end of the atmosphere, and the"
            f" flight passes this end at {times[row + 1]:.9g} s. Derivatives do not exist through a"
            " jump. Extend"
            ' the atmosphere to a low density, or set outside = "hold" or above = "hold"'
        )
        raise BadInput(Problem("atmosphere", text))


def _edges_of_wind(wind: Any) -> Iterator[tuple[float, float]]:
    """Altitudes [m] at which a wind ends with a jump, and its speeds there [m/s]."""
    if not isinstance(wind, WindTable) or wind.outside != "zero":
        return
    given = wind.speed if wind.velocity is None else np.linalg.norm(wind.velocity, axis=1)
    speeds = np.abs(np.asarray(given) * np.asarray(wind.factor))
    for end in (0, -1):
        if speeds[end] > THIN * speeds.max(initial=0.0):
            yield float(np.asarray(wind.altitude)[end]), float(speeds[end])
