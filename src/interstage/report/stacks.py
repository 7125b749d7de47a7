"""Find out from a record which bodies flew as one stack."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..maths.connected import Connected
from ..model.effect import effects
from ..record.record import Record, timeline
from ..tree.names import GROUND


def flew_together(record: Record, one: str, other: str, time: float) -> bool:
    """Return whether two bodies were connected just before a time [s], or flew as one point mass.

    one, other: names of the bodies. Bodies are connected by active joints and by models that constrain them.
    """
    return any(_are_joined(leg, one, other, time) for leg in (record.legs or {"": record}).values())


def _are_joined(record: Record, one: str, other: str, time: float) -> bool:
    if not record.phases or not record.phases[0][1] <= time <= record.phases[-1][2]:
        return False
    if any(f"bodies.{body}.position" not in record.meta for body in (one, other)):
        return False
    if record.scenario.coordinates in ("point", "held"):
        return True
    stacks = Connected()
    for joint in record.scenario.joints:
        if GROUND not in (joint.parent, joint.child) and _is_active(record, joint.name, time):
            stacks.join(joint.parent, joint.child)
    phase = next(name for name, _, end in record.phases if time <= end)
    for effect in effects(record.scenario):
        if effect.holds and len(effect.ends) == 2 and GROUND not in effect.ends and _acts(effect, phase):
            stacks.join(*effect.ends)
    return stacks.head(one) == stacks.head(other)


def _is_active(record: Record, joint: str, time: float) -> bool:
    path = f"joints.{joint}.active"
    if path not in record.series:
        return False
    times, values = timeline(record, path, peaks=False)
    return bool(values[max(int(np.searchsorted(times, time)) - 1, 0)] > 0)


def _acts(effect: Any, phase: str) -> bool:
    phases = getattr(effect, "phases", None)
    return phases is None or phase in phases
