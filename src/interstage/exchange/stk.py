"""Write ephemeris (.e) and attitude (.a) files of STK, in planet-fixed axes.

Source: STK help, "Ephemeris File Format (*.e)" and "Attitude File Format (*.a)".
"""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from .trajectory import Trajectory, number_text

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def ephemeris(body: Trajectory, epoch: datetime) -> str:
    """Return the text of an ephemeris file with times [s], positions [m] and velocities [m/s] of a body.

    Two samples with position and velocity give a polynomial of degree 3. STK does not interpolate over jumps
    of the motion. epoch: UTC date of time zero.
    """
    head = {
        "NumberOfEphemerisPoints": len(body.time),
        "ScenarioEpoch": _date(epoch),
        "InterpolationMethod": "Hermite",
        "InterpolationSamplesM1": 1,
        "DistanceUnit": "Meters",
        "CentralBody": body.planet,
        "CoordinateSystem": "Fixed",
    }
    rows = np.hstack([body.position, body.velocity])
    jumps = [number_text(body.time[row]) for row in body.breaks]
    between = ["BEGIN SegmentBoundaryTimes", *jumps, "END SegmentBoundaryTimes", ""] if jumps else []
    return _file("Ephemeris", head, [*between, "EphemerisTimePosVel"], body.time, rows)


def attitude(body: Trajectory, epoch: datetime) -> str:
    """Return the text of an attitude file with times [s] and quaternions of a body. Samples without an
    attitude are omitted.

    The quaternions rotate the planet-fixed axes into the body axes, scalar last. epoch: UTC date of time
    zero.
    """
    known = body.has_attitude & body.distinct
    head = {
        "NumberOfAttitudePoints": int(known.sum()),
        "ScenarioEpoch": _date(epoch),
        "CentralBody": body.planet,
        "CoordinateAxes": "Fixed",
    }
    rows = body.attitude[known][:, [1, 2, 3, 0]]
    return _file("Attitude", head, ["AttitudeTimeQuaternions"], body.time[known], rows)


def _date(epoch: datetime) -> str:
    moment = epoch.astimezone(UTC)
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment:%Y %H:%M:%S.%f}"


def _file(what: str, head: dict[str, object], data: list[str], time: np.ndarray, rows: np.ndarray) -> str:
    lines = ["stk.v.11.0", "", f"BEGIN {what}", ""]
    lines += [f"{key:<28}{value}" for key, value in head.items()]
    table = [" ".join(map(number_text, (t, *row))) for t, row in zip(time, rows, strict=True)]
    return "\n".join([*lines, "", *data, "", *table, "", f"END {what}", ""])
