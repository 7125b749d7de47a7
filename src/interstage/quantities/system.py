"""Quantities of all bodies together: momentum, angular momentum, centre of mass and energy."""

from __future__ import annotations

from ..engine.answers import check_shape
from ..engine.contract import MovingMass
from ..engine.here import Here
from ..engine.quantity import Quantity, scalar_quantity, vector_quantity
from ..environment import gravity_field
from ..maths.arrays import jnp
from ..maths.vectors import cross, dot, rotate


def system_quantities(held: bool = False) -> dict[str, Quantity]:
    """Return the quantities of the system, by name. held: true if the bodies are held on the planet."""
    at = "system's centre of mass"
    hold = "holding force on all bodies"
    found = {"hold_force": vector_quantity("N", hold, "inertial", "", lambda m: m.hold)} if held else {}
    return found | {
        "momentum": vector_quantity("kg m/s", "total linear momentum", "inertial", "", _momentum),
        "angular_momentum": vector_quantity(
            "kg m^2/s", "total angular momentum", "inertial", at, _angular_momentum
        ),
        "mass_centre": vector_quantity(
            "m", "centre of mass of all bodies", "inertial", at, lambda m: m.origin + _offset_centre(m)[0]
        ),
        "kinetic_energy": scalar_quantity("J", "total kinetic energy", _kinetic),
        "potential_energy": scalar_quantity("J", "total potential energy", _potential),
        "energy": scalar_quantity("J", "total energy", lambda m: _kinetic(m) + _potential(m)),
    }


def _points(m: Here):
    """Masses (item), offsets from the local origin and relative velocities (3, item) of all moving masses.

    These are the centres of mass of bodies and the moving masses of parts."""
    n, motion, mass = m.equations.layout.count, m.motion, m.mechanism.numbers.mass
    every = [(mass, motion.position[:, :n], motion.velocity[:, :n])]
    every += [more for part in m.equations.layout.having(MovingMass) if (more := part.masses(m)) is not None]
    if len(every) == 1:
        return every[0]
    lanes = jnp.broadcast_shapes(*(masses.shape[1:] for masses, *_ in every))
    return tuple(
        jnp.concatenate([jnp.broadcast_to(a, (*a.shape[: k + 1], *lanes)) for a in same], k)
        for same, k in zip(zip(*every, strict=True), (0, 1, 1), strict=True)
    )


def _momentum(m: Here):
    mass, _, speed = _points(m)
    return jnp.sum(mass * (m.origin_velocity[:, None] + speed), 1)


def _offset_centre(m: Here):
    """The system's centre of mass from the local origin, and its relative velocity."""
    mass, position, speed = _points(m)
    total = jnp.sum(mass, 0)
    return jnp.sum(mass * position, 1) / total, jnp.sum(mass * speed, 1) / total


def _angular_momentum(m: Here):
    """Angular momentum about the system's centre of mass, inertial axes."""
    n, numbers, motion = m.equations.layout.count, m.mechanism.numbers, m.motion
    centre, drift = _offset_centre(m)
    mass, position, velocity = _points(m)
    arm, speed = position - centre[:, None], velocity - drift[:, None]
    own = rotate(motion.rotation[:, :, :n], rotate(numbers.inertia, motion.spin_body[:, :n]))
    return jnp.sum(own, 1) + jnp.sum(mass * cross(arm, speed), 1)


def _kinetic(m: Here):
    n, numbers, motion = m.equations.layout.count, m.mechanism.numbers, m.motion
    mass, _, velocity = _points(m)
    speed, w = m.origin_velocity[:, None] + velocity, motion.spin_body[:, :n]
    turning = jnp.sum(dot(w, rotate(numbers.inertia, w)), 0)
    return 0.5 * (jnp.sum(mass * dot(speed, speed), 0) + turning)


def _potential(m: Here):
    """Potential energy of gravity, springs and devices."""
    mechanism = m.mechanism
    mass, offset, _ = _points(m)
    position = m.origin[:, None] + offset
    weight = gravity_field.potential(mechanism.scenario.gravity, mechanism.scenario.planet, m.t, position)
    total = jnp.sum(mass * weight, 0)
    for part in mechanism.parts.values():
        stored = part.stored_energy(m)
        if stored is not None:
            total = total + check_shape(part, "stored_energy", "one energy", stored, (), m.t.shape)
    return total
