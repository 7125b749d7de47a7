"""Compares a flight of a body with what the simulators of NASA/TM-2015-218675 computed for it.

Altitude, longitude, latitude, velocity over the ground and attitude against the local level follow from the
inertial state by formulas of this module's own, which share nothing with the package.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from interstage.studies.verify import Row

from .comparison import at, length, read_table, worst

FT = 0.3048
RADIUS = 6378137.0  # m, WGS 84
FLATTENING = 1 / 298.257223563
TURN = 7.292115e-5  # rad/s


@dataclass(frozen=True)
class Bounds:
    """Largest errors against one simulator: altitude and place over the ground [ft], velocity [ft/s],
    attitude [deg], angular velocity [deg/s]; and what the altitude's is for."""

    altitude: float
    velocity: float
    attitude: float
    rate: float
    why: str = ""


FALL_WITHOUT_AIR = {number: Bounds(1e-5, 1e-7, 1e-10, 1e-12) for number in ("04", "05", "06")}
"""Of a sphere that falls for 30 s without air: what the digits of the tables and the simulators' fixed steps
leave, as the SOURCE.md of nesc-01 says."""
FALL_IN_AIR = {
    "04": Bounds(2e-4, 1e-4, 1e-9, 1e-12),
    "05": Bounds(3e-3, 5e-4, 1e-9, 1e-12),
    "06": Bounds(0.03, 3e-3, 1e-7, 1e-12),
}
"""Of a sphere that falls for 30 s in the standard atmosphere, whose figures the simulators round differently:
two to six times the differences that the SOURCE.md of each case names."""


def geodetic(position: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(longitude, latitude [rad], altitude [m]) over WGS 84 of planet-fixed positions (rows, 3).

    B. R. Bowring, Transformation from spatial to geographical coordinates, Survey Review 23 (1976), his
    equation for the reduced latitude iterated until it stands."""
    x, y, z = position.T
    e2 = FLATTENING * (2 - FLATTENING)
    polar = RADIUS * (1 - FLATTENING)
    across = np.hypot(x, y)
    reduced = np.arctan2(z, (1 - FLATTENING) * across)
    for _ in range(5):
        latitude = np.arctan2(
            z + e2 / (1 - e2) * polar * np.sin(reduced) ** 3, across - e2 * RADIUS * np.cos(reduced) ** 3
        )
        reduced = np.arctan2((1 - FLATTENING) * np.sin(latitude), np.cos(latitude))
    s, c = np.sin(latitude), np.cos(latitude)
    altitude = across * c + z * s - RADIUS * np.sqrt(1 - e2 * s * s)
    return np.arctan2(y, x), latitude, altitude


def to_fixed(vectors: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Planet-fixed components of inertial vectors (rows, 3)."""
    c, s = np.cos(TURN * times), np.sin(TURN * times)
    x, y, z = vectors.T
    return np.stack([c * x + s * y, c * y - s * x, z], axis=1)


def level_axes(longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
    """North, east and down as rows of matrices (rows, 3, 3), planet-fixed components."""
    sa, ca, so, co = np.sin(latitude), np.cos(latitude), np.sin(longitude), np.cos(longitude)
    zero = np.zeros_like(sa)
    rows = [[-sa * co, -sa * so, ca], [-so, co, zero], [-ca * co, -ca * so, -sa]]
    return np.moveaxis(np.array(rows), 2, 0)


def matrix(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (rows, 3, 3), body to inertial, of unit quaternions, scalar first."""
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def euler(yaw: np.ndarray, pitch: np.ndarray, roll: np.ndarray) -> np.ndarray:
    """Matrices (rows, 3, 3), body to level axes, of 3-2-1 angles [rad]."""
    (sy, cy), (sp, cp), (sr, cr) = ((np.sin(a), np.cos(a)) for a in (yaw, pitch, roll))
    rows = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def angle(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Angles [rad] between rotation matrices (rows, 3, 3); small ones without loss."""
    chord = np.sqrt(np.sum((a - b) ** 2, axis=(1, 2)) / 8)
    return 2 * np.arcsin(np.minimum(1.0, chord))


def over_ground(record, body: str, times: np.ndarray) -> dict[str, np.ndarray]:
    """Longitude, latitude [rad], altitude [m], velocity north, east, down [m/s], matrix body to level axes,
    angular velocity [rad/s] of a body at times [s]."""
    found = {
        name: at(record, f"bodies.{body}.{name}", times)
        for name in ("position", "velocity", "attitude", "angular_velocity")
    }
    place = to_fixed(found["position"], times)
    carried = np.cross([0, 0, TURN], found["position"])
    speed = to_fixed(found["velocity"] - carried, times)
    longitude, latitude, altitude = geodetic(place)
    level = level_axes(longitude, latitude)
    turn = matrix(found["attitude"])
    fixed = np.stack([to_fixed(turn[:, :, k], times) for k in range(3)], axis=2)
    return {
        "longitude": longitude,
        "latitude": latitude,
        "altitude": altitude,
        "velocity": np.einsum("nij,nj->ni", level, speed),
        "attitude": level @ fixed,
        "rate": found["angular_velocity"],
    }


def differences(found: dict[str, np.ndarray], truth: dict[str, np.ndarray]) -> dict[str, float]:
    """Largest differences: altitude and place [ft], velocity [ft/s], attitude [deg], rate [deg/s]."""
    north = found["latitude"] - np.radians(truth["latitude_deg"])
    east = (found["longitude"] - np.radians(truth["longitude_deg"])) * np.cos(found["latitude"])
    turn = euler(*(np.radians(truth[f"{name}_deg"]) for name in ("yaw", "pitch", "roll")))
    return {
        "altitude": worst(found["altitude"] / FT - truth["altitude_ft"]),
        "place": worst(np.hypot(north, east) * RADIUS / FT),
        "velocity": worst(length(found["velocity"] / FT - truth["velocity_ft_s"])),
        "attitude": worst(np.degrees(angle(found["attitude"], turn))),
        "rate": worst(np.degrees(found["rate"]) - truth["rate_deg_s"]),
    }


def compared(record, folder: Path, bounds: dict[str, Bounds], body: str = "body") -> list[Row]:
    """Rows against the simulators whose tables lie in the folder, truth_04.csv for simulator 04."""
    rows = []
    for simulator, most in bounds.items():
        truth = read_table(folder / f"truth_{simulator}.csv")
        apart = differences(over_ground(record, body, truth["time"]), truth)
        name = f"simulator {simulator}"
        rows += [
            Row(f"{name}: altitude [ft]", apart["altitude"], most.altitude, most.why),
            Row(f"{name}: place over the ground [ft]", apart["place"], most.altitude),
            Row(f"{name}: velocity over the ground [ft/s]", apart["velocity"], most.velocity),
            Row(f"{name}: attitude [deg]", apart["attitude"], most.attitude),
            Row(f"{name}: angular velocity [deg/s]", apart["rate"], most.rate),
        ]
    return rows
