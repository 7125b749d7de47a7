"""Inputs of a guidance law (the motion of its body), and the reference axes of commanded angles."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.here import Unmeasured
from ...engine.quantity import scalar
from ...environment import flight_path, gravity_field, surroundings
from ...environment.planet import turn
from ...maths.arrays import jnp
from ...maths.rotations import about
from .functions import ELAPSED, TIME

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.here import Here


class View:
    """Inputs of a guidance law at one time: time, position and velocity of its body, and quantities. The
    attitude of the body is not an input.

    - here: the present state. body: index of the body.
    - since: whether the event `since` of the law has occurred (*cases), and its time [s] (*cases).
    - named: function that returns a quantity and its component for a path.
    - memory: data that the law stores between events or samples.
    - moving: integrated state of a user's law; otherwise None.
    - begun: whether the event `since` has occurred (*cases), bool.
    - elapsed: time since this event [s] (*cases); zero before the event.
    """

    def __init__(
        self, here: Here, body: int, since: tuple[Any, Any], named: Callable[[str], Any], memory: Any = None
    ):
        self.here, self.body, self.memory, self._named = here, body, memory, named
        self.moving: Any = None
        self.since, (self.begun, begin) = since, since
        self.elapsed = jnp.where(self.begun, here.t - jnp.where(self.begun, begin, 0.0), 0.0)

    @property
    def time(self) -> Any:
        """Flight time [s] (*cases)."""
        return self.here.t

    @property
    def planet(self) -> Any:
        """The planet of the scenario."""
        return self.here.equations.scenario.planet

    def read(self, name: str) -> Any:
        """Return a quantity, "time" or "elapsed" (*cases). Raises Unmeasured if the quantity is not known
        yet.

        name: path of the quantity, or "time" or "elapsed".
        """
        if name in (TIME, ELAPSED):
            return self.time if name == TIME else self.elapsed
        try:
            quantity, component = self._named(name)
            return scalar(quantity, component, self.here)
        except Unmeasured as error:
            raise Unmeasured(f"reads {name}. This quantity {error}") from None

    def deviation(self, name: str, about: Any) -> Any:
        """Return the difference between a quantity and the number `about` (*cases). For an angle, the
        difference is from -pi to pi.
        """
        period = self._named(name)[0].period
        off = self.read(name) - about
        return off - period * jnp.round(off / period) if np.isfinite(period) else off

    @cached_property
    def position(self) -> Any:
        """Position of the centre of mass [m] (3, *cases), inertial axes."""
        return self.here.origin + self.here.motion.position[:, self.body]

    @cached_property
    def velocity(self) -> Any:
        """Inertial velocity of the centre of mass [m/s] (3, *cases)."""
        return self.here.origin_velocity + self.here.motion.velocity[:, self.body]

    @property
    def _around(self) -> Any:
        found = self.here.surroundings
        assert found is not None  # checked: laws that need a planet have one
        return found

    @property
    def level(self) -> Any:
        """Axes north, east and down as columns of a matrix (3, 3, *cases), inertial components."""
        return self._around.level[:, :, self.body]

    @property
    def air_velocity(self) -> Any:
        """Velocity of the centre of mass relative to the atmosphere [m/s] (3, *cases), inertial axes."""
        return self._around.air_velocity[:, self.body]

    @property
    def ground_velocity(self) -> Any:
        """Velocity of the centre of mass relative to the planet surface [m/s] (3, *cases), inertial axes."""
        return self._around.ground_velocity[:, self.body]

    @property
    def altitude(self) -> Any:
        """Altitude of the centre of mass [m] (*cases)."""
        return self._around.altitude[self.body]

    @property
    def dynamic_pressure(self) -> Any:
        """Dynamic pressure at the centre of mass [Pa] (*cases)."""
        return self._around.dynamic_pressure[self.body]

    def site(self, name: str) -> Any:
        """Return the declared site with the given name."""
        return next(site for site in self.here.equations.scenario.sites if site.name == name)

    @property
    def gravity(self) -> Any:
        """Gravitational acceleration at the centre of mass [m/s^2] (3, *cases), inertial axes."""
        scenario = self.here.equations.scenario
        return gravity_field.acceleration(scenario.gravity, scenario.planet, self.time, self.position)

    @property
    def level_rate(self) -> Any:
        """Angular velocity of the axes north, east and down [rad/s] (3, *cases), inertial axes."""
        return surroundings.level_rate(self.planet, self._around, self.position, self.body)


def _inertial(view: View) -> tuple[Any, Any]:
    identity = jnp.stack([jnp.ones_like(view.time), *[jnp.zeros_like(view.time)] * 3])
    return identity, jnp.zeros((3, *view.time.shape))


def _planet(view: View) -> tuple[Any, Any]:
    rate = jnp.zeros_like(view.time) + getattr(view.planet, "rotation_rate", 0.0)
    return about(2, turn(view.planet, view.time)), jnp.stack(
        [jnp.zeros_like(rate), jnp.zeros_like(rate), rate]
    )


def _local_level(view: View) -> tuple[Any, Any]:
    return flight_path.quaternion_of_matrix(view.level), view.level_rate


def _lvlh(view: View) -> tuple[Any, Any]:
    matrix = flight_path.lvlh(view.position, view.velocity)
    return flight_path.quaternion_of_matrix(matrix), flight_path.lvlh_rate(view.position, view.velocity)


def _along(view: View, velocity: Any) -> tuple[Any, Any]:
    """Axes with x along a velocity and y horizontal to the right."""
    level, none = flight_path.Incidence(*[jnp.zeros_like(view.time)] * 3), None
    return flight_path.attitude_to_wind(view.level, velocity, level), none


AXES = {
    "inertial": _inertial,
    "planet": _planet,
    "local_level": _local_level,
    "lvlh": _lvlh,
    "air_velocity": lambda view: _along(view, view.air_velocity),
    "inertial_velocity": lambda view: _along(view, view.velocity),
}
"""Functions that return reference axes of commanded angles, by name of the axes. The argument is a `View`.

A function returns the quaternion from the reference axes to inertial axes (4, *cases), and their angular
velocity relative to inertial space [rad/s] (3, *cases), inertial axes. The angular velocity is None if it is
unknown.
"""
