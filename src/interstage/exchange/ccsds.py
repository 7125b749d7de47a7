"""Write orbit and attitude messages of the CCSDS as keyword text: OEM (502.0-B-3) and AEM (504.0-B-1).

Positions and velocities are relative to the rotating planet, in planet-fixed axes: for the Earth, ITRF2000.
"""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from .trajectory import Trajectory, date_text, number_text

EARTH, FIXED = "Earth", "ITRF2000"
KILOMETRE = 1000.0


def oem(body: Trajectory, epoch: datetime, created: datetime | None = None) -> str:
    """Return the orbit of a body as an OEM, with positions [km] and velocities [km/s].

    A jump of the motion begins a new segment, because the standard forbids interpolation over jumps.

    - epoch: UTC date of time zero.
    - created: date of the file. Default: the present date.
    """
    rows = np.hstack([body.position, body.velocity]) / KILOMETRE
    parts = []
    for part in body.segments:
        time = body.time[part]
        meta = {"CENTER_NAME": body.planet.upper(), "REF_FRAME": _frame_name(body), "TIME_SYSTEM": "UTC"}
        meta |= _times(time, epoch)
        if len(time) > 3:
            meta |= {"INTERPOLATION": "HERMITE", "INTERPOLATION_DEGREE": "3"}
        parts.append((meta, _lines(time, rows[part], epoch)))
    return _message("CCSDS_OEM_VERS = 2.0", body, parts, created)


def aem(body: Trajectory, epoch: datetime, created: datetime | None = None) -> str:
    """Return the attitude of a body as an AEM. Samples without an attitude are omitted.

    The quaternions rotate the planet-fixed axes into the body axes, scalar last.

    - epoch: UTC date of time zero.
    - created: date of the file. Default: the present date.
    """
    known = body.has_attitude & body.distinct
    time = body.time[known]
    meta = {"CENTER_NAME": body.planet.upper(), "REF_FRAME_A": _frame_name(body), "REF_FRAME_B": "SC_BODY_1"}
    meta |= {"ATTITUDE_DIR": "A2B", "TIME_SYSTEM": "UTC"} | _times(time, epoch)
    meta |= {"ATTITUDE_TYPE": "QUATERNION", "QUATERNION_TYPE": "LAST"}
    lines = _lines(time, body.attitude[known][:, [1, 2, 3, 0]], epoch)
    return _message("CCSDS_AEM_VERS = 1.0", body, [(meta, ["DATA_START", *lines, "DATA_STOP"])], created)


def _frame_name(body: Trajectory) -> str:
    """Name of the planet-fixed axes. Only those of the Earth have a name in the standards."""
    return FIXED if body.planet == EARTH else f"{body.planet.upper()}_FIXED"


def _times(time: np.ndarray, epoch: datetime) -> dict[str, str]:
    return {"START_TIME": date_text(epoch, time[0]), "STOP_TIME": date_text(epoch, time[-1])}


def _lines(time: np.ndarray, rows: np.ndarray, epoch: datetime) -> list[str]:
    return [
        " ".join([date_text(epoch, t), *map(number_text, row)]) for t, row in zip(time, rows, strict=True)
    ]


def _message(
    version: str, body: Trajectory, parts: list[tuple[dict[str, str], list[str]]], created: datetime | None
) -> str:
    made = date_text(created or datetime.now(UTC), 0.0, 0).rstrip(".")
    lines = [version, f"CREATION_DATE = {made}", "ORIGINATOR = INTERSTAGE", ""]
    for meta, data in parts:
        keys = {"OBJECT_NAME": body.name, "OBJECT_ID": body.name} | meta
        lines += ["META_START", *(f"{key} = {value}" for key, value in keys.items()), "META_STOP"]
        lines += ["", *data, ""]
    return "\n".join(lines)
