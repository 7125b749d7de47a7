"""Parachutes and streamers: how far they have filled, and how they pull."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.body_loads import on_body
from ...engine.contract import Makers, Part
from ...engine.quantity import makers
from ...environment.surroundings import around
from ...maths.arrays import jax, jnp
from ...maths.vectors import cross, norm, rotate, rotate_back
from .quantities import drag_quantities

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout


class Pull(NamedTuple):
    """One drag device: number of its body; force on that [N, inertial axes] and torque about the mass centre
    [N m, body axes]; its drag area at the moment [m^2] and airspeed at its point [m/s]."""

    body: int
    force: jax.Array
    torque: jax.Array
    area: jax.Array
    airspeed: jax.Array


class Drag(Part):
    """Finds the pulls of parachutes and streamers, in the order of the layout."""

    name = "drag"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether any is declared."""
        return bool(layout.drag_devices)

    def find(self, here: Here) -> tuple[Pull, ...]:
        """What each does."""
        return tuple(_pull(here, number) for number in range(len(self.layout.drag_devices)))

    def wrench(self, here: Here) -> Any:
        """The sum of all."""
        bodies = here.motion.position.shape[1]
        return sum(on_body(pull.force, pull.torque, pull.body, bodies) for pull in here[self.name])

    def quantities(self) -> Makers:
        """Of each."""
        devices = self.layout.scenario.devices
        return makers("devices", [devices[k] for k in self.layout.drag_devices], drag_quantities)


def _pull(here: Here, number: int) -> Pull:
    mechanism, motion, t = here.mechanism, here.motion, here.t
    place = mechanism.layout.drag_devices[number]
    device = mechanism.scenario.devices[place]
    body = mechanism.layout.body(device.body)
    turn = motion.rotation[:, :, body]
    arm = jnp.broadcast_to(mechanism.numbers.arm(device.at, body), motion.position[:, body].shape)
    out = rotate(turn, arm)
    position = here.origin + motion.position[:, body] + out
    velocity = here.origin_velocity + motion.velocity[:, body] + cross(motion.spin[:, body], out)
    ready = mechanism.numbers.surroundings
    assert ready is not None
    there = around(ready, t, position[:, None], velocity[:, None])
    past = there.air_velocity[:, 0]
    area = drag_area(mechanism, number, t, here.discrete)
    force = -0.5 * there.air.density[0] * area * norm(past) * past
    return Pull(body, force, cross(arm, rotate_back(turn, force)), area, norm(past))


def drag_area(mechanism, number: int, t, discrete):
    """Drag area of a device at the moment [m^2]: none before it is deployed and after it is cut."""
    device = mechanism.scenario.devices[mechanism.layout.drag_devices[number]]
    deployed, cut = _moments(mechanism, number, discrete)
    since = jnp.where(jnp.isfinite(deployed), t - deployed, -1.0)
    filling = device.fill_time > 0
    part = jnp.clip(jnp.maximum(since, 0.0) / jnp.where(filling, device.fill_time, 1.0), 0.0, 1.0)
    part = jnp.where(filling, part**device.exponent, 1.0)
    out = jnp.isfinite(deployed) & ~jnp.isfinite(cut)
    return jnp.where(out, device.strength * device.full * part, 0.0)


def _moments(mechanism, number: int, discrete):
    """Times at which a device was deployed and cut [s], inf while it was not."""
    layout = mechanism.layout
    device = layout.scenario.devices[layout.drag_devices[number]]
    deployed = discrete.event_time[layout.moment(device.signals[0])]
    if device.cut is None:
        return deployed, jnp.full_like(deployed, jnp.inf)
    return deployed, discrete.event_time[layout.moment(device.cut)]


def filled(mechanism, discrete):
    """Times at which the devices will be full (device, *lanes) [s]: bends of their pull."""
    times = []
    for number, place in enumerate(mechanism.layout.drag_devices):
        deployed, _ = _moments(mechanism, number, discrete)
        times.append(deployed + mechanism.scenario.devices[place].fill_time)
    return jnp.stack(times)
