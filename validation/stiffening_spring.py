"""A torsion spring whose stiffness grows with the angle: a user's own force (adams-rotational-spring-2)."""

import jax.numpy as jnp


class StiffeningSpring:
    """Torque -(stiffness + growth |angle|) angle - damping rate on one body, about its z axis.

    stiffness [N m/rad], growth [N m/rad^2], damping [N m s/rad]. The angle is that of the body's x axis
    below the inertial x axis; z stays along inertial y.
    """

    def __init__(self, body, stiffness, growth, damping):
        self.body, self.stiffness, self.growth, self.damping = body, stiffness, growth, damping

    def __call__(self, time, bodies):
        """Force [N, inertial axes] and torque [N m, body axes] on the body."""
        rotation = bodies.rotation[self.body]
        angle = jnp.arctan2(-rotation[2, 0], rotation[0, 0])
        rate = bodies.angular_velocity[self.body][2]
        torque = -(self.stiffness + self.growth * jnp.abs(angle)) * angle - self.damping * rate
        zero = jnp.zeros_like(torque)
        return {self.body: (jnp.stack([zero, zero, zero]), jnp.stack([zero, zero, torque]))}
