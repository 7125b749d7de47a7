"""Quantities of devices that let go or catch: whether they have, what they hold with, and what they gave."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...engine.here import Here
from ...engine.layout import Layout
from ...engine.quantity import Quantity, scalar_quantity
from ...maths.arrays import jnp
from ...maths.vectors import dot, norm, rotate, widened
from ...model.attachments import column
from ...model.device_signals import signals_of
from ...quantities.joints import LOAD_IN, joint_pose
from ...record.record import QuantityMeta
from ..catches.declared import Rail
from . import law as law
from .declared import ClampBand, ReleaseDevice


def release_quantities(layout: Layout, d: int) -> dict[str, Quantity]:
    """Quantities of device d, which lets joints go or catches."""
    device = layout.scenario.devices[d]
    first = layout.first_signal + layout.signals.index(signals_of(device)[0])
    if isinstance(device, Rail):
        meta = QuantityMeta("m", "way left to the end of the rail", "", device.lugs)
        return {"left": Quantity(meta, partial(rail_left, d=d))}
    found = {"state": scalar_quantity("1", "state (1 before it acts, 0 after)", partial(_state, event=first))}
    if not isinstance(device, ReleaseDevice):
        return found
    if device.kicks:
        given = "impulse given to the children as it let go"
        found["impulse"] = scalar_quantity("N s", given, partial(_impulse, layout=layout, d=d))
    if device.stiffness is not None:
        energy = lambda m: law.strain_energy(m.equations.scenario.devices[d])  # noqa: E731
        found["strain_energy"] = scalar_quantity("J", "strain energy of the preload", _shared(energy))
    return found | (_holding(layout, d, device) if device.preloaded else {})


def _holding(layout: Layout, d: int, device: ReleaseDevice) -> dict[str, Quantity]:
    """What a preloaded device holds with, and what is left of it under the load of its joint."""
    own = lambda function: _shared(lambda m: function(m.equations.scenario.devices[d]))  # noqa: E731
    found = {"preload": scalar_quantity("N", "force that draws the two sides together", own(law.preload))}
    if device.axis is None or len(device.joints) != 1:
        return found
    joint = device.joints[0]
    load = partial(_opening_load, d=d, j=layout.joints.index(joint))
    found["tension"] = scalar_quantity("N", "load that pulls the two sides apart", lambda m: load(m)[0])
    if not isinstance(device, ClampBand):
        margin = lambda m: law.preload(m.equations.scenario.devices[d]) - load(m)[0]  # noqa: E731
        found["preload_left"] = scalar_quantity("N", "preload left (negative: open)", margin)
        return found

    def line(m: Here):
        return law.line_load(m.equations.scenario.devices[d], *load(m))

    def margin_of_line(m: Here):
        return law.line_preload(m.equations.scenario.devices[d]) - line(m)

    found["line_preload"] = scalar_quantity(
        "N/m", "preload for each length of the ring", own(law.line_preload)
    )
    found["line_load"] = scalar_quantity("N/m", "largest line load that pulls the rings apart", line)
    found["preload_left"] = scalar_quantity("N/m", "line preload left (negative: open)", margin_of_line)
    if device.segments is not None:
        force = own(law.segment_force)
        found["segment_force"] = scalar_quantity("N", "radial force of the band on each segment", force)
    return found


def _shared(function: Any) -> Any:
    """A number of a device, in every lane."""
    return lambda m: jnp.broadcast_to(function(m), m.t.shape)


def _state(m: Here, event: int):
    return 1.0 - m.discrete.fired[event]


def _impulse(m: Here, layout: Layout, d: int):
    return sum(m.discrete.kick[k] for k, kick in enumerate(layout.kicks) if kick.device == d)


def _opening_load(m: Here, d: int, j: int):
    """Force that pulls a joint's sides apart along the axis of a device [N], and the moment across it about
    the joint point [N m]."""
    device, joints = m.equations.scenario.devices[d], np.array([j])
    assert m.frame_a is not None
    frame = column(m.frame_a, j, 2)
    force, torque = (rotate(frame, LOAD_IN[name, "parent"](m, joints)[:, 0]) for name in ("force", "torque"))
    parent = m.equations.layout.body(m.equations.scenario.joints[j].parent)
    axis = widened(jnp.asarray(device.axis), force.ndim)
    along = rotate(m.motion.rotation[:, :, parent], jnp.broadcast_to(axis / norm(axis), force.shape))
    return -dot(force, along), norm(torque - dot(torque, along) * along)


def rail_left(m: Here, d: int):
    """Way left for each lug of rail d to the end [m], (lug, *lanes); negative beyond it."""
    mechanism = m.mechanism
    rail = mechanism.scenario.devices[d]
    joints = np.array([mechanism.layout.joints.index(lug) for lug in rail.lugs])
    gone = joint_pose(mechanism, m, joints)[0][0]
    ways = []
    for k, j in enumerate(joints):
        arm = jnp.asarray(rail.end) - jnp.asarray(mechanism.scenario.joints[j].parent_at)
        frame = mechanism.numbers.frame_a
        along = jnp.array([1.0, 0.0, 0.0]) if frame is None else column(frame, j, 2)[:, 0]
        arm, along = (widened(v, 1 + m.t.ndim) for v in (arm, along))
        ways.append(jnp.broadcast_to(dot(arm, along), m.t.shape) - gone[k])
    return jnp.stack(ways)
