"""Quantities of one body: position, motion, rotation, mass and load factors."""

from __future__ import annotations

from functools import partial

from ..engine.here import Here
from ..engine.joined import stack_mass
from ..engine.quantity import Items, Quantity, scalar_quantity, vector_quantity
from ..engine.stacks import stack_items
from ..environment import gravity_field
from ..environment.planet import safe_angle
from ..environment.us76 import G0
from ..maths.vectors import norm, rotate, rotate_back
from ..model.attachments import select
from ..record.record import QuantityMeta


def body_quantities(k: int, name: str) -> dict[str, Quantity]:
    """Return the quantities of body k, by name of the quantity. name: name of the body."""
    axes, at = f"{name} structural axes", "centre of mass"
    attitude = QuantityMeta(
        "1", "attitude quaternion", "body to inertial, scalar first", ("0", "1", "2", "3")
    )
    of = partial(Items, numbers=(k,))
    return {
        "position": vector_quantity("m", "position of the centre of mass", "inertial", at, of(position)),
        "velocity": vector_quantity("m/s", "inertial velocity", "inertial", at, of(velocity)),
        "acceleration": vector_quantity("m/s^2", "inertial acceleration", "inertial", at, of(_acceleration)),
        "attitude": Quantity(attitude, of(_attitude)),
        "angular_velocity": vector_quantity(
            "rad/s", "inertial angular velocity", axes, "", of(_angular_velocity)
        ),
        "angular_acceleration": vector_quantity(
            "rad/s^2", "inertial angular acceleration", axes, "", of(_angular_acceleration)
        ),
        "speed": scalar_quantity("m/s", "inertial speed", of(_speed), at),
        "origin_position": vector_quantity(
            "m", "position of the body origin", "inertial", "body origin", of(_origin_position)
        ),
        "mass": scalar_quantity("kg", "mass of the body", of(_mass)),
        "stack_mass": scalar_quantity("kg", "mass of the stack of the body", of(_stack_mass)),
        "gravity": vector_quantity("m/s^2", "acceleration of gravity", "inertial", at, of(_gravity)),
        "sensed_acceleration": vector_quantity(
            "m/s^2", "sensed acceleration", axes, at, of(_sensed_acceleration)
        ),
        "load_factor": scalar_quantity("1", "load factor (g)", of(_load_factor), at),
        "axial_load_factor": scalar_quantity("1", "axial load factor (g)", of(_axial), at),
        "normal_load_factor": scalar_quantity("1", "normal load factor (g)", of(_normal), at),
        "coning_angle": Quantity(
            QuantityMeta("rad", "angle of the body x axis to the angular momentum"), of(_coning_angle)
        ),
    }


def position(m: Here, k):
    """Return the positions of the centres of mass [m] (3, body, *cases), inertial axes. k: index or indices
    of the bodies.
    """
    return m.origin[:, None] + select(m.motion.position, k, 1)


def velocity(m: Here, k):
    """Return the velocities of the centres of mass [m/s] (3, body, *cases), inertial axes. k: index or
    indices of the bodies.
    """
    return m.origin_velocity[:, None] + select(m.motion.velocity, k, 1)


def _acceleration(m: Here, k):
    return m.equations.fall(m.t, m.origin)[:, None] + select(m.acceleration[:3], k, 1)


def _attitude(m: Here, k):
    return select(m.motion.quaternion, k, 1)


def _angular_velocity(m: Here, k):
    return select(m.motion.spin_body, k, 1)


def _angular_acceleration(m: Here, k):
    return select(m.acceleration[3:], k, 1)


def _speed(m: Here, k):
    return norm(velocity(m, k))


def _origin_position(m: Here, k):
    """Positions of the body origins [m]. The arm from the centre of mass rotates with the body."""
    bodies = m.equations.scenario.bodies
    origin = stack_items([bodies[n].origin for n in k], m.t.ndim, (3,))
    arm = origin - select(m.mechanism.numbers.centre, k, 1)
    return position(m, k) + rotate(select(m.motion.rotation, k, 2), arm)


def _mass(m: Here, k):
    return select(m.mechanism.numbers.mass, k, 0)


def _stack_mass(m: Here, k):
    """Mass of the bodies that are joined to the body at present, including its own mass [kg]."""
    return stack_mass(m, k)


def _gravity(m: Here, k):
    scenario = m.equations.scenario
    return gravity_field.acceleration(scenario.gravity, scenario.planet, m.t, position(m, k))


def _sensed_acceleration(m: Here, k):
    """Acceleration minus gravity at the centre of mass, body axes [m/s^2]. An accelerometer measures this
    value.

    In free flight near the local origin, both terms are differences from the origin. This avoids
    cancellation.
    """
    scenario, acceleration = m.equations.scenario, select(m.acceleration[:3], k, 1)
    if m.equations.layout.ground:
        pull = _gravity(m, k)
    else:
        offset = select(m.motion.position, k, 1)
        pull = gravity_field.difference(scenario.gravity, scenario.planet, m.t, m.origin, offset)
    return rotate_back(select(m.motion.rotation, k, 2), acceleration - pull)


def _load_factor(m: Here, k):
    """Magnitude of the sensed acceleration, in standard gravities."""
    return norm(_sensed_acceleration(m, k)) / G0


def _axial(m: Here, k):
    """Sensed acceleration along body x, in standard gravities."""
    return _sensed_acceleration(m, k)[0] / G0


def _normal(m: Here, k):
    """Sensed acceleration opposite to body z, which points down in level flight, in standard gravities."""
    return -_sensed_acceleration(m, k)[2] / G0


def _coning_angle(m: Here, k):
    """Angle between body x and the angular momentum about the centre of mass, 0 to pi; 0 without rotation."""
    momentum = rotate(select(m.mechanism.numbers.inertia, k, 2), _angular_velocity(m, k))
    return safe_angle(norm(momentum[1:]), momentum[0])
