"""Bolts, nuts, seams and clamp bands in the playback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...maths.rotations import matrix_of, quaternion_of
from ...playback.items import Band, Fastener, always, each, scalar, vector
from ...record.record import Record
from .declared import ClampBand, ExplosiveNut, FrangibleJoint, LinearCharge, ReleaseDevice

CLAMPING = (
    ("preload", "preload", "N"),
    ("line preload", "line_preload", "N/m"),
    ("tension", "tension", "N"),
)
"""Word, name of the quantity and unit of each value in the text of a device."""


def release_devices(record: Record) -> Iterator[Fastener | Band]:
    """Yield a clamp band, or a bolt, nut or seam at each joint that the device releases."""
    joints = {joint.name: joint for joint in record.scenario.joints}
    for device in each(record, "devices", ReleaseDevice):
        known = [joints[name] for name in device.joints if name in joints]
        left = "N/m" if isinstance(device, ClampBand) else "N"
        readings = tuple(
            (word, f"devices.{device.name}.{name}", unit)
            for word, name, unit in (*CLAMPING, ("preload left", "preload_left", left))
        )
        for joint in known:
            name = device.name if len(known) == 1 else f"{device.name} ({joint.name})"
            yield _item(record, device, joint, name, readings)


def _item(record: Record, device: Any, joint: Any, name: str, readings: Any) -> Fastener | Band:
    bodies, path = (joint.parent, joint.child), f"devices.{device.name}.state"
    failed = always(device.works, 0.0) or always(device.delay, np.inf)
    if isinstance(device, ClampBand):
        count = device.segments or Band.segments
        size, opening = scalar(device.radius), scalar(device.opening_time)
        return Band(
            name, bodies, joint.parent_at, vector(device.axis), size, count, opening, path, readings, failed
        )
    # Without an axis of the device, bolts are along x of the joint frame.
    axis: Any = _frame(joint.parent_frame)[:, 0] if device.axis is None else device.axis
    at = (joint.parent_at, joint.child_at) if device.at is None else (device.at, _same_point(device, joint))
    style = "bolt"
    if isinstance(device, ExplosiveNut):
        style = "nut"
    elif isinstance(device, LinearCharge | FrangibleJoint):
        style = "seam"
    attached, radius = f"joints.{joint.name}.active", _radius(record, joint.name)
    return Fastener(name, bodies, at, axis, style, path, attached, radius, readings, failed)


def _frame(attitude: Any) -> np.ndarray:
    if attitude is None:
        return np.eye(3)
    return np.asarray(matrix_of(np.asarray(quaternion_of(attitude), float).reshape(4)))


def _same_point(device: Any, joint: Any) -> np.ndarray:
    """The point of application in structural coordinates of the child, while the joint frames coincide."""
    away = _frame(joint.parent_frame).T @ (np.array(vector(device.at)) - vector(joint.parent_at))
    return np.array(vector(joint.child_at)) + _frame(joint.child_frame) @ away


def _radius(record: Record, joint: str) -> float | None:
    """Radius of an interface with this joint [m]."""
    for one in record.scenario.interfaces:
        if joint in one.joints and one.radius is not None:
            return scalar(one.radius)
    return None


ITEMS = (release_devices,)
