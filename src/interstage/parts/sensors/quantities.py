"""Output quantities of sensors: motion of the sensor point, and readings of accelerometers and
gyroscopes.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ...engine.contract import Makers
from ...engine.here import Here
from ...engine.layout import Layout
from ...engine.quantity import Quantity, vector_quantity
from ...environment import gravity_field
from ...environment.us76 import G0
from ...maths.arrays import jnp
from ...maths.rotations import matrix_of, quaternion_of
from ...maths.vectors import add_axes, cross, rotate, rotate_back
from .declared import Sensor


def sensor_quantities(layout: Layout) -> Makers:
    """Return the output quantities of the sensors. Sensors on bodies that are not in the layout are
    skipped.
    """
    return {
        f"sensors.{sensor.name}": partial(_of, s, sensor, layout.columns.end(sensor, "body"))
        for s, sensor in enumerate(layout.scenario.sensors)
        if sensor.body in layout.bodies
    }


def _of(s: int, sensor: Sensor, body: int) -> dict[str, Quantity]:
    axes, at = f"{sensor.name} axes", sensor.name

    def of(function):
        return lambda m: function(m, s, body)

    return {
        "position": vector_quantity("m", "position", "inertial", at, of(_position)),
        "velocity": vector_quantity("m/s", "velocity", "inertial", at, of(_velocity)),
        "acceleration": vector_quantity("m/s^2", "acceleration", "inertial", at, of(_acceleration)),
        "sensed_acceleration": vector_quantity(
            "m/s^2", "sensed acceleration", axes, at, of(_sensed_acceleration)
        ),
        "load_factor": vector_quantity("1", "load factor (g)", axes, at, of(_load_factor)),
        "angular_velocity": vector_quantity("rad/s", "angular velocity", axes, "", of(_angular_velocity)),
        "angular_acceleration": vector_quantity(
            "rad/s^2", "angular acceleration", axes, "", of(_angular_acceleration)
        ),
    }


def _arm(m: Here, s: int, body: int):
    """Vector from the centre of mass to the sensor (3, *cases) [m], inertial axes."""
    arm = m.mechanism.numbers.arm(m.equations.scenario.sensors[s].at, body)
    return rotate(m.motion.rotation[:, :, body], jnp.broadcast_to(arm, (3, *m.t.shape)))


def _in_axes(m: Here, s: int, body: int, vector):
    """Components of a vector along the sensor's axes, from its components along the body's structural
    axes."""
    frame = m.equations.scenario.sensors[s].frame
    if frame is None:
        return vector
    return rotate_back(add_axes(matrix_of(quaternion_of(frame)), 2 + m.t.ndim), vector)


def _position(m: Here, s: int, body: int):
    return m.origin + m.motion.position[:, body] + _arm(m, s, body)


def _velocity(m: Here, s: int, body: int):
    """Velocity of the sensor point [m/s]."""
    motion = m.moving_at(body)
    own = motion.velocity[:, body] + cross(motion.spin[:, body], _arm(m, s, body))
    return m.origin_velocity + own


def _relative_acceleration(m: Here, s: int, body: int):
    """Acceleration of the point relative to the local origin [m/s^2], inertial axes."""
    turn, spin, arm = m.motion.rotation[:, :, body], m.moving_at(body).spin[:, body], _arm(m, s, body)
    turning = rotate(turn, m.accelerations[3:, body])
    return m.accelerations[:3, body] + cross(turning, arm) + cross(spin, cross(spin, arm))


def _acceleration(m: Here, s: int, body: int):
    return m.equations.fall(m.t, m.origin) + _relative_acceleration(m, s, body)


def _sensed_acceleration(m: Here, s: int, body: int):
    """Acceleration minus gravity, both relative to the freely falling local origin."""
    scenario: Any = m.equations.scenario
    offset = m.motion.position[:, body] + _arm(m, s, body)
    pull = gravity_field.difference(scenario.gravity, scenario.planet, m.t, m.origin, offset)
    if m.equations.layout.ground:
        pull = gravity_field.acceleration(scenario.gravity, scenario.planet, m.t, m.origin + offset)
    felt = _relative_acceleration(m, s, body) - pull
    return _in_axes(m, s, body, rotate_back(m.motion.rotation[:, :, body], felt))


def _load_factor(m: Here, s: int, body: int):
    return _sensed_acceleration(m, s, body) / G0


def _angular_velocity(m: Here, s: int, body: int):
    return _in_axes(m, s, body, m.moving_at(body).spin_body[:, body])


def _angular_acceleration(m: Here, s: int, body: int):
    return _in_axes(m, s, body, m.accelerations[3:, body])
