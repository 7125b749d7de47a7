"""Output quantities of latches, rails, and hinges that release: state, and remaining travel."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...engine.contract import Makers
from ...engine.here import Here
from ...engine.layout import Layout
from ...engine.quantity import Quantity
from ...maths.arrays import jnp
from ...maths.vectors import add_axes, dot
from ...model.attachments import column
from ...quantities.devices import state_quantity
from ...quantities.joints import joint_pose
from ...record.record import QuantityMeta
from .declared import HingeRelease, Latch, Rail


def catch_quantities(layout: Layout) -> Makers:
    """Return the functions that make the quantities of latches, rails, and hinges that release, by path."""
    found: dict[str, Any] = {}
    for d, device in enumerate(layout.scenario.devices):
        if isinstance(device, Rail):
            found[f"devices.{device.name}"] = partial(_of_rail, d, device)
        elif isinstance(device, HingeRelease | Latch):
            found[f"devices.{device.name}"] = partial(state_quantity, layout, device)
    return found


def _of_rail(d: int, rail: Rail) -> dict[str, Quantity]:
    meta = QuantityMeta("m", "remaining travel to the end of the rail", "", rail.lugs)
    return {"left": Quantity(meta, partial(rail_left, d=d))}


def rail_left(m: Here, d: int):
    """Return the distance of each lug from the end of its rail [m] (lug, *cases). Beyond the end, the
    distance is negative.

    d: index of the rail among the devices.
    """
    mechanism = m.mechanism
    rail = mechanism.scenario.devices[d]
    joints = np.array([mechanism.layout.joints.index(lug) for lug in rail.lugs])
    gone = joint_pose(mechanism, m, joints)[0][0]
    ways = []
    for k, j in enumerate(joints):
        arm = jnp.asarray(rail.end) - jnp.asarray(mechanism.scenario.joints[j].parent_at)
        frame = mechanism.numbers.frame_a
        along = jnp.array([1.0, 0.0, 0.0]) if frame is None else column(frame, j, 2)[:, 0]
        arm, along = (add_axes(v, 1 + m.t.ndim) for v in (arm, along))
        ways.append(jnp.broadcast_to(dot(arm, along), m.t.shape) - gone[k])
    return jnp.stack(ways)
