"""Model of user forces in a flight. A scenario names the Python class of each force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.body_loads import on_body
from ...engine.contract import Part
from ...maths.arrays import jax, jnp
from ...model import user_class
from ...tree.errors import BadInput, Problem
from ...tree.names import GROUND
from ...tree.similar_names import near
from .declared import CALL, UserForce

if TYPE_CHECKING:
    from ...engine.here import Here


WANTED = (
    "Return force [N, inertial axes] and torque [N m, body axes] as arrays (3, *cases), or (3) for the same"
    " value in all cases"
)


class BodyView(NamedTuple):
    """Motion of the bodies as input of a user's force, by body name.

    - position [m], velocity [m/s] (3, *cases): motion of the centre of mass, inertial axes.
    - rotation (3, 3, *cases): matrix from body to inertial axes.
    - angular_velocity [rad/s] (3, *cases), body axes.
    """

    position: dict[str, jax.Array]
    velocity: dict[str, jax.Array]
    rotation: dict[str, jax.Array]
    angular_velocity: dict[str, jax.Array]


class Users(Part):
    """Model of all user forces in a flight. See `user_law`."""

    name = "users"
    group = "forces"
    kinds = (UserForce,)

    def wrench(self, here: Here) -> Any:
        """Return the loads of all user forces on the bodies (6, body, *cases): force [N], inertial axes, and
        torque [N m], body axes.
        """
        view, total = _view(here), jnp.zeros((6, *here.motion.position.shape[1:]))
        bodies = here.motion.position.shape[1]
        for law in self.of(here.equations.scenario):
            for name, load in _loads(law, user_law(law)(here.t, view), here).items():
                total = total + on_body(*load, self.layout.body(name), bodies)
        return total


def _loads(law: Any, answer: Any, here: Here) -> dict[str, tuple[Any, Any]]:
    """Force and torque (3, *cases) by body, from the return value of a law. Raises BadInput for an invalid
    return value."""

    def fault(text: str) -> BadInput:
        return BadInput(Problem(f"forces.{law.name}.class", f"{law.class_path} {text}"))

    if not isinstance(answer, Mapping):
        raise fault(f"returned a {type(answer).__name__}. Return a dictionary {{body: (force, torque)}}")
    bodies, found = here.equations.layout.bodies, {}
    for name, pair in answer.items():
        if name not in (*bodies, GROUND):
            raise fault(
                f"returned a load on '{name}', which is not a body; {near(str(name), bodies, 'bodies')}"
            )
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise fault(f"did not return a pair for '{name}'. Return (force, torque)")
        load = []
        for what, part in zip(("force", "torque"), pair, strict=True):
            try:
                load.append(user_class.fit_result(part, here.origin.shape))
            except ValueError as error:
                raise fault(f"{error}, for the {what} on '{name}'. {WANTED}") from None
        found[name] = load[0], load[1]
    return found


def _view(here: Here) -> BodyView:
    motion, names = here.motion, here.equations.layout.bodies
    return BodyView(
        position={n: here.origin + motion.position[:, k] for k, n in enumerate(names)},
        velocity={n: here.origin_velocity + motion.velocity[:, k] for k, n in enumerate(names)},
        rotation={n: motion.rotation[:, :, k] for k, n in enumerate(names)},
        angular_velocity={n: motion.spin_body[:, k] for k, n in enumerate(names)},
    )


def user_law(law: Any) -> Any:
    """Return the user's object for a declared force: an instance of its class with its parameters.

    The engine calls the object with the time [s] and a `BodyView`. Numbers are JAX arrays, traced in a
    compiled program, and may have a last axis of cases. The object returns two vectors for each body: the
    force [N, inertial axes] at the centre of mass, and the torque [N m, body axes] about this point. The
    shape is (3, *cases), or (3) for the same value in all cases.

    Raises BadInput if the class is not available.
    """
    named = user_class.Named(law.class_path, f"forces.{law.name}.class", CALL)
    return user_class.construct(named, law.parameters)
