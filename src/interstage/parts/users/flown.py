"""Forces of the user's own: a class named in the scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...contract import Part
from ...loads import on_body
from ...maths.arrays import jax, jnp
from ...model import user_class

if TYPE_CHECKING:
    from ...here import Here
    from ...layout import Layout


class BodyView(NamedTuple):
    """What a user's law sees, by body name: position [m] and velocity [m/s] of the mass centre, inertial
    axes; rotation (3, 3, ...) body to inertial; angular_velocity [rad/s], body axes. Component first, lanes
    last."""

    position: dict[str, jax.Array]
    velocity: dict[str, jax.Array]
    rotation: dict[str, jax.Array]
    angular_velocity: dict[str, jax.Array]


class Users(Part):
    """Forces of the user's own: see `user_law`."""

    name = "users"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether any is declared."""
        return any(force.kind == "user" for force in layout.scenario.forces)

    def wrench(self, here: Here) -> Any:
        """The sum of all."""
        view, total = _view(here), jnp.zeros((6, *here.motion.position.shape[1:]))
        bodies, shape = here.motion.position.shape[1], here.origin.shape
        for law in here.equations.declared("user"):
            for name, (force, torque) in user_law(law)(here.t, view).items():
                load = jnp.broadcast_to(force, shape), jnp.broadcast_to(torque, shape)
                total = total + on_body(*load, self.layout.body(name), bodies)
        return total


def _view(here: Here) -> BodyView:
    motion, names = here.motion, here.equations.layout.bodies
    return BodyView(
        position={n: here.origin + motion.position[:, k] for k, n in enumerate(names)},
        velocity={n: here.origin_velocity + motion.velocity[:, k] for k, n in enumerate(names)},
        rotation={n: motion.rotation[:, :, k] for k, n in enumerate(names)},
        angular_velocity={n: motion.spin_body[:, k] for k, n in enumerate(names)},
    )


def user_law(law: Any) -> Any:
    """The user's object for a declared law: `package.module:Class` called with the parameters, whose numbers
    are JAX arrays, traced ones in a compiled program, that may carry lanes in a last axis of their own.

    The object is then called with the time [s] and a `BodyView`, and returns for each body that it acts on
    the force [N, inertial axes] at the mass centre and the torque [N m, body axes] about it. Raises
    BadInput if it cannot be had."""
    return user_class.made(law.class_path, law.parameters, f"forces.{law.name}.class")
