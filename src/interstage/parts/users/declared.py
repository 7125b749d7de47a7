"""Forces of the user's own: Python classes, named by a scenario."""

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
    """A force of the user's own: a Python class of an installed package. It is imported only when a scenario
    is run. The object is called with the time [s] (*cases) and the `bodies`, and returns {body: (force,
    torque)}: the force [N, inertial axes] at the centre of mass and the torque [N m, body axes] about it, (3,
    *cases), or (3) for the same in all cases. By the name of a body, `bodies.position` [m] and
    `bodies.velocity` [m/s] have its centre of mass, inertial axes, (3, *cases), `bodies.rotation` the matrix
    from body to inertial axes, (3, 3, *cases), and `bodies.angular_velocity` its rates [rad/s], body axes,
    (3, *cases)."""

    outside: ClassVar[frozenset[str]] = ALL

    kind: Literal["user"] = "user"
    """A class of the user's own."""
    name: Name
    """Name of the force in paths and tables."""
    class_path: ClassPath = Field(alias="class")
    """The class, as "package.module:Class"."""
    parameters: Parameters = Parameters()
    """What is handed to the class: numbers (SI), lists of numbers, texts, true or false."""

    def from_elsewhere(self) -> str | None:
        """What the class computes."""
        return user_class.described(self.class_path, self.parameters, CALL)


KINDS = {"forces": (UserForce,)}
