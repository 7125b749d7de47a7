"""Declaration of user forces: Python classes that a scenario names."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ...model import user_class
from ...model.effect import ALL, Effect
from ...model.user_class import Call, ClassPath
from ...model.values import Parameters
from ...tree.names import Name

CALL = Call(("t", "bodies"), "{body: (force, torque)}")


class UserForce(Effect):
    """A force from a user's Python class in an installed package. The class is imported when a scenario runs.

    The engine calls the object with the time [s] (*cases) and `bodies`. The object returns {body: (force,
    torque)}: the force [N, inertial axes] at the centre of mass, and the torque [N m, body axes] about this
    point. Force and torque have the shape (3, *cases), or (3) for the same value in all cases.

    `bodies` has four mappings from body names to values. `bodies.position` [m] and `bodies.velocity` [m/s]
    are the position and velocity of the centre of mass, inertial axes, (3, *cases). `bodies.rotation` is the
    matrix from body to inertial axes, (3, 3, *cases). `bodies.angular_velocity` [rad/s] is in body axes, (3,
    *cases)."""

    outside: ClassVar[frozenset[str]] = ALL

    kind: Literal["user"] = "user"
    """A Python class of the user, such as class = "mylaws:Drag"."""
    name: Name
    """Name of the force in paths and tables."""
    class_path: ClassPath = Field(alias="class")
    """Path of the class, as "package.module:Class"."""
    parameters: Parameters = Parameters()
    """Arguments of the class: numbers (SI units), lists of numbers, texts, true or false."""

    def from_elsewhere(self) -> str | None:
        """Return a fingerprint of the user's class and its parameters; None if the fingerprint cannot be
        determined.
        """
        return user_class.fingerprint(self.class_path, self.parameters, CALL)


KINDS = {"forces": (UserForce,)}
