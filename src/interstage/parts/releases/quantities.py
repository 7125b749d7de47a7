"""Output quantities of release devices: state, preload, load and impulse."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...engine.contract import Makers
from ...engine.here import Here
from ...engine.layout import Layout
from ...engine.quantity import Quantity, scalar_quantity
from ...maths.arrays import jnp
from ...maths.vectors import add_axes, dot, norm, rotate
from ...model.attachments import column
from ...quantities.devices import state_quantity
from ...quantities.joints import LOAD_IN
from . import law as law
from .declared import ClampBand, ReleaseDevice


def release_quantities(layout: Layout) -> Makers:
    """Return the output quantities of all devices that release joints."""
    return {
        f"devices.{device.name}": partial(_of, layout, d, device)
        for d, device in enumerate(layout.scenario.devices)
        if isinstance(device, ReleaseDevice)
    }


def _of(layout: Layout, d: int, device: ReleaseDevice) -> dict[str, Quantity]:
    found = state_quantity(layout, device)
    if device.kicks:
        given = "impulse on the children at its release"
        found["impulse"] = scalar_quantity("N s", given, partial(_impulse, layout=layout, d=d))
    if device.stiffness is not None:
        energy = _declared_number(law.strain_energy, d)
        found["strain_energy"] = scalar_quantity("J", "strain energy of the preload", energy)
    return found | (_holding(layout, d, device) if device.clamps else {})


def _holding(layout: Layout, d: int, device: ReleaseDevice) -> dict[str, Quantity]:
    """Preload of a device, and its remaining preload under the load of the joint."""
    own = partial(_declared_number, d=d)
    found = {"preload": scalar_quantity("N", "clamping force between the two sides", own(law.preload))}
    if device.axis is None or len(device.joints) != 1:
        return found
    joint = device.joints[0]
    load = partial(_opening_load, d=d, j=layout.joints.index(joint))
    found["tension"] = scalar_quantity("N", "tensile load between the two sides", lambda m: load(m)[0])
    if not isinstance(device, ClampBand):

        def margin(m: Here):
            return law.preload(m.equations.scenario.devices[d]) - load(m)[0]

        found["preload_left"] = scalar_quantity("N", "remaining preload (negative: open)", margin)
        return found

    def line(m: Here):
        return law.line_load(m.equations.scenario.devices[d], *load(m))

    def margin_of_line(m: Here):
        return law.line_preload(m.equations.scenario.devices[d]) - line(m)

    found["line_preload"] = scalar_quantity("N/m", "preload per length of the ring", own(law.line_preload))
    found["line_load"] = scalar_quantity("N/m", "largest tensile line load between the rings", line)
    found["preload_left"] = scalar_quantity("N/m", "remaining line preload (negative: open)", margin_of_line)
    if device.segments is not None:
        force = own(law.segment_force)
        found["segment_force"] = scalar_quantity("N", "radial force of the band on each segment", force)
    return found


def _declared_number(function: Any, d: int) -> Any:
    """A declared number of device d in all cases."""
    return lambda m: jnp.broadcast_to(function(m.equations.scenario.devices[d]), m.t.shape)


def _impulse(m: Here, layout: Layout, d: int):
    part, given = layout.parts["releases"], m.discrete.own["releases"]
    return sum(given[k] for k, kick in enumerate(part.kicks) if kick.device == d)


def _opening_load(m: Here, d: int, j: int):
    """Tension of a joint along the axis of a device [N], and bending moment about the joint point [N m]."""
    device, joints = m.equations.scenario.devices[d], np.array([j])
    assert m.frame_a is not None
    frame = column(m.frame_a, j, 2)
    force, torque = (rotate(frame, LOAD_IN[name, "parent"](m, joints)[:, 0]) for name in ("force", "torque"))
    parent = m.equations.layout.body(m.equations.scenario.joints[j].parent)
    axis = add_axes(jnp.asarray(device.axis), force.ndim)
    along = rotate(m.motion.rotation[:, :, parent], jnp.broadcast_to(axis / norm(axis), force.shape))
    return -dot(force, along), norm(torque - dot(torque, along) * along)
