"""Model of release devices in a flight: release times and impulses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ...engine.by_name import by_name
from ...engine.contract import Fired, HasEvents, Impulsive, Kept, Makers, Persistent
from ...engine.event_table import EventTable, after_firings
from ...engine.layout import FREE
from ...maths.arrays import jnp
from .declared import ReleaseDevice
from .kicks import apply_kicks
from .quantities import release_quantities

if TYPE_CHECKING:
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete


class Kick(NamedTuple):
    """Indices of an impulse at a release.

    - device: index of the device.
    - joint: index of the released joint.
    - event: index of the release event.
    """

    device: int
    joint: int
    event: int


class Releases(HasEvents, Impulsive):
    """Model of all devices that release joints in a flight. The discrete states of the model are the impulses
    that the devices have applied (kick, *cases) [N s].
    """

    name = "releases"
    group = "devices"
    kinds = (ReleaseDevice,)

    @cached_property
    def kicks(self) -> tuple[Kick, ...]:
        """All impulses that devices apply at releases, one for each pair of device and joint."""
        return tuple(
            Kick(d, self.layout.joints.index(name), self.layout.moment(device.signals[0]))
            for d, device in zip(self.which, self.items, strict=True)
            if device.kicks
            for name in device.joints
        )

    @property
    def applies_impulses(self) -> bool:
        """True if any device applies an impulse."""
        return bool(self.kicks)

    def switches(self, mechanism: Mechanism, t: Any) -> Any:
        """Return the discrete states at the start: zero impulses (kick, *cases)."""
        return jnp.zeros((len(self.kicks), *t.shape))

    def continue_from(self, earlier: Persistent, before: Kept, fresh: Kept, discrete: Discrete) -> Kept:
        """Return the discrete states at the start of a leg. Impulses of the previous leg continue, identified
        by the names of device and joint.
        """
        names, known = (part.names for part in (self, cast("Releases", earlier)))
        return fresh._replace(switches=by_name(names, known, before.switches, fresh.switches))

    @property
    def names(self) -> list[tuple[str, str]]:
        """Names of the device and of the joint of each impulse."""
        devices, joints = self.layout.scenario.devices, self.layout.joints
        return [(devices[kick.device].name, joints[kick.joint]) for kick in self.kicks]

    def events_of(self, table: EventTable, names: Mapping[str, int], address: Any, declared: Any) -> None:
        """Add the release event of a device to the event table. The release occurs a delay after the first
        firing of the device.

        If nothing fires the device, the release does not occur.
        """
        if not isinstance(declared, ReleaseDevice):
            return
        delay = {"address": (*address, "lag"), "works": (*address, "works")}
        conditions = after_firings(self.layout, names, declared, **delay)
        modes = tuple((self.layout.joints.index(joint), FREE) for joint in declared.joints)
        table.add_of_device(declared.signals[0], conditions, modes=modes)

    def apply_impulses(
        self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired
    ):
        """Return the state and the discrete states after the impulses of releases that occur at the time
        t [s].
        """
        if not self.kicks:
            return x, after
        return apply_kicks(mechanism, self.kicks, t, x, before, after, fired.newly)

    def impulse_applied(self, before: Discrete, after: Discrete) -> Any:
        """Return whether a device applied an impulse between two sets of discrete states (*cases)."""
        if not self.kicks:
            return np.asarray(False)
        return jnp.any(after.own[self.name] != before.own[self.name], 0)

    def quantities(self) -> Makers:
        """Return the output quantities of each release device."""
        return release_quantities(self.layout)
