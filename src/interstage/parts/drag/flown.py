"""The model that computes parachutes and streamers during a flight: inflation and forces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.body_loads import on_body
from ...engine.contract import Break, HasEvents, Makers, Tabulated
from ...engine.event_table import EventTable, after_firings
from ...engine.quantity import makers
from ...environment.surroundings import around
from ...maths.arrays import jax, jnp
from ...maths.vectors import cross, norm, rotate, rotate_back
from .declared import DragDevice
from .quantities import drag_quantities

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete


class Pull(NamedTuple):
    """Load and state of one drag device.

    - body: index of its body.
    - force: force on the body [N] (3, *cases), inertial axes.
    - torque: torque about the centre of mass of the body [N m] (3, *cases), body axes.
    - area: present drag area [m^2] (*cases).
    - airspeed: airspeed at the attachment point [m/s] (*cases).
    """

    body: int
    force: jax.Array
    torque: jax.Array
    area: jax.Array
    airspeed: jax.Array


class Drag(HasEvents, Tabulated):
    """Model of all parachutes and streamers. The result of the model is a `Pull` for each device."""

    name = "drag"
    group = "devices"
    kinds = (DragDevice,)

    def events_of(self, table: EventTable, names: Mapping[str, int], address: Any, declared: Any) -> None:
        """Add the deployment of a drag device to the event table. The deployment follows its firing after a
        delay. For the parameters, see `HasEvents.events_of`.
        """
        if not isinstance(declared, DragDevice):
            return
        delay = {"address": (*address, "delay"), "works": (*address, "works")}
        table.add_of_device(declared.signals[0], after_firings(self.layout, names, declared, **delay))

    def find(self, here: Here) -> tuple[Pull, ...]:
        """Return the load and state of each drag device, in order."""
        declared = self.of(here.equations.scenario)
        return tuple(_pull(here, device, structure) for device, structure in zip(declared, self.items))

    def wrench(self, here: Here) -> Any:
        """Return the sum of the loads of all drag devices (6, column, *cases); see `Part.wrench`."""
        bodies = here.motion.position.shape[1]
        return sum(on_body(pull.force, pull.torque, pull.body, bodies) for pull in here[self.name])

    @property
    def bodies_in_atmosphere(self) -> Sequence[int]:
        """The indices of the bodies that have drag devices."""
        return [self.layout.body(device.body) for device in self.items]

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each drag device, by path."""
        return makers("devices", self.items, drag_quantities)

    def breaks(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterator[Break]:
        """Yield the time at which each drag device is fully inflated. For the parameters, see
        `Part.breaks`.
        """
        for device in self.of(mechanism.scenario):
            deployed, _ = _moments(self.layout, device, discrete)
            yield Break((deployed + device.fill_time)[None], "corner")


def _pull(here: Here, device: Any, structure: DragDevice) -> Pull:
    mechanism, motion, t = here.mechanism, here.motion, here.t
    body = mechanism.layout.body(structure.body)
    turn = motion.rotation[:, :, body]
    arm = jnp.broadcast_to(mechanism.numbers.arm(device.at, body), motion.position[:, body].shape)
    out = rotate(turn, arm)
    position = here.origin + motion.position[:, body] + out
    velocity = here.origin_velocity + motion.velocity[:, body] + cross(motion.spin[:, body], out)
    ready = mechanism.numbers.surroundings
    assert ready is not None
    there = around(ready, t, position[:, None], velocity[:, None])
    past = there.air_velocity[:, 0]
    area = drag_area(mechanism.layout, device, t, here.discrete)
    force = -0.5 * there.air.density[0] * area * norm(past) * past
    return Pull(body, force, cross(arm, rotate_back(turn, force)), area, norm(past))


def drag_area(layout: Layout, device: Any, t: Any, discrete: Discrete) -> Any:
    """Return the present drag area of a device [m^2] (*cases). Before deployment and after cutting, the area
    is zero.
    """
    deployed, cut = _moments(layout, device, discrete)
    since = jnp.where(jnp.isfinite(deployed), t - deployed, -1.0)
    filling = device.fill_time > 0
    part = jnp.clip(jnp.maximum(since, 0.0) / jnp.where(filling, device.fill_time, 1.0), 0.0, 1.0)
    part = jnp.where(filling, part**device.exponent, 1.0)
    out = jnp.isfinite(deployed) & ~jnp.isfinite(cut)
    return jnp.where(out, device.strength * device.full * part, 0.0)


def _moments(layout: Layout, device: Any, discrete: Discrete) -> tuple[Any, Any]:
    """Return the times of deployment and cutting of a device [s]. A time is inf until it is known."""
    deployed = discrete.event_time[layout.moment(device.signals[0])]
    if device.cut is None:
        return deployed, jnp.full_like(deployed, jnp.inf)
    return deployed, discrete.event_time[layout.moment(device.cut)]
