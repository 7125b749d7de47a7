"""Write CZML for Cesium: trajectories and attitudes over time in Earth-fixed axes.

Source: the CZML Guide of Cesium (packets, intervals, interpolatable properties).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np

from .trajectory import COLOURS, Mark, Trajectory, date_text

SPEEDS = (1, 2, 5, 10, 20, 60)
"""Possible speeds of the clock. The lowest speed with which the flight lasts at most a minute is used."""


def czml(title: str, bodies: Sequence[Trajectory], marks: Sequence[Mark], epoch: datetime) -> str:
    """Return a CZML document as text.

    - title: name of the document.
    - bodies: trajectories of the bodies.
    - marks: events on the trajectories.
    - epoch: UTC date of time zero.
    """
    first = min(float(body.time[0]) for body in bodies)
    last = max(float(body.time[-1]) for body in bodies)
    clock = {
        "interval": _interval(epoch, first, last),
        "currentTime": f"{date_text(epoch, first)}Z",
        "multiplier": next((speed for speed in SPEEDS if last - first <= 60 * speed), SPEEDS[-1]),
        "range": "CLAMPED",
    }
    packets: list[dict[str, Any]] = [{"id": "document", "name": title, "version": "1.0", "clock": clock}]
    packets += [_body(body, COLOURS[k % len(COLOURS)], epoch) for k, body in enumerate(bodies)]
    packets += [_event(mark, k, epoch, last) for k, mark in enumerate(marks, 1)]
    return json.dumps(packets, ensure_ascii=False, indent=1)


def _interval(epoch: datetime, first: float, last: float) -> str:
    return f"{date_text(epoch, first)}Z/{date_text(epoch, last)}Z"


def _rows(time: np.ndarray, values: np.ndarray) -> list[float]:
    return np.column_stack([time, values]).ravel().tolist()


def _body(body: Trajectory, colour: tuple[int, int, int], epoch: datetime) -> dict[str, Any]:
    start = f"{date_text(epoch, 0.0)}Z"
    solid = {"rgba": [*colour, 255]}
    parts = [_motion(body, part, epoch) for part in body.segments]
    found: dict[str, Any] = {
        "id": f"body/{body.name}",
        "name": body.name,
        "availability": _interval(epoch, body.time[0], body.time[-1]),
        "position": parts if len(parts) > 1 else parts[0],
        "point": {"pixelSize": 8, "color": solid},
        "label": {"text": body.name, "font": "12px sans-serif", "pixelOffset": {"cartesian2": [12, 0]}},
        "path": {"width": 2, "resolution": 1, "material": {"solidColor": {"color": solid}}},
    }
    known = body.has_attitude & body.distinct
    if known.any():
        vector_first = body.attitude[known][:, [1, 2, 3, 0]]
        found["orientation"] = {
            "epoch": start,
            "interpolationAlgorithm": "LINEAR",
            "interpolationDegree": 1,
            "unitQuaternion": _rows(body.time[known], vector_first),
        }
    return found


def _motion(body: Trajectory, part: slice, epoch: datetime) -> dict[str, Any]:
    """The motion between two jumps, with its interval if there are jumps."""
    time = body.time[part]
    interval = {"interval": _interval(epoch, time[0], time[-1])} if body.breaks else {}
    return interval | {
        "epoch": f"{date_text(epoch, 0.0)}Z",
        "referenceFrame": "FIXED",
        "interpolationAlgorithm": "HERMITE",
        "interpolationDegree": 3,
        "cartesianVelocity": _rows(time, np.hstack([body.position[part], body.velocity[part]])),
    }


def _event(mark: Mark, number: int, epoch: datetime, last: float) -> dict[str, Any]:
    place = [mark.longitude, mark.latitude, mark.altitude]
    return {
        "id": f"event/{number}",
        "name": mark.name,
        "description": f"{mark.body}, t = {mark.time:.6g} s",
        "availability": _interval(epoch, mark.time, max(last, mark.time)),
        "position": {"cartographicRadians": place},
        "point": {"pixelSize": 5, "color": {"rgba": [80, 80, 80, 255]}},
    }
