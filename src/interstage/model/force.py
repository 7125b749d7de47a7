"""Forces and torques that act on bodies: given loads, springs with dampers, and classes of the user's own."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from ..parts.bushings.declared import BeamSpring, Bushing
from ..parts.stops.declared import HingeStop, Stop
from ..tree.declaration import Declaration, OneOf
from ..tree.errors import Refused
from ..tree.names import Name
from ..tree.units import si
from . import user_class
from .frames import Attitude
from .motion import ForceTable, TorqueTable
from .user_class import ClassPath
from .values import Parameters


def _number_or(table: type[Declaration]) -> Any:
    def choose(value: Any) -> str:
        return table.__name__ if isinstance(value, (dict, Declaration)) else "number"

    return choose


ForceValue = Annotated[Annotated[Any, si("N", (3,))] | ForceTable, OneOf(_number_or(ForceTable))]
TorqueValue = Annotated[Annotated[Any, si("N m", (3,))] | TorqueTable, OneOf(_number_or(TorqueTable))]


class Force(Declaration):
    """A force at a point of a body, constant or tabulated in time."""

    kind: Literal["force"] = "force"
    """A force at a point of one body."""
    name: Name
    """Name of the force in paths and tables."""
    body: str
    """The body that it acts on."""
    at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where it acts [m], structure axes, drawing coordinates of the body."""
    force: ForceValue
    """The force [N], or a table of it, in the axes named by `axes`."""
    axes: Literal["body", "inertial"] = "body"
    """Axes in which the force stays as given: the body's or the inertial ones."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which it acts; none means always."""


class Torque(Declaration):
    """A torque on a body, constant or tabulated in time."""

    kind: Literal["torque"] = "torque"
    """A torque on one body."""
    name: Name
    """Name of the torque in paths and tables."""
    body: str
    """The body that it acts on."""
    torque: TorqueValue
    """The torque [N m], or a table of it, in the axes named by `axes`."""
    axes: Literal["body", "inertial"] = "body"
    """Axes in which the torque stays as given: the body's or the inertial ones."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which it acts; none means always."""


class Spring(Declaration):
    """A spring with a damper along the line between two points."""

    kind: Literal["spring"] = "spring"
    """A spring and damper along a line."""
    name: Name
    """Name of the spring in paths and tables."""
    parent: str
    """One body, or "ground"."""
    child: str
    """The other body."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """End on the parent [m], structure axes, drawing coordinates of the parent (inertial on the ground)."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """End on the child [m], structure axes, drawing coordinates of the child."""
    stiffness: Annotated[Any, si("N/m", nonnegative=True)]
    """Force per stretch [N/m]."""
    damping: Annotated[Any, si("N s/m", nonnegative=True)] = 0.0
    """Force per stretch rate [N s/m]."""
    free_length: Annotated[Any, si("m", nonnegative=True)] | None = None
    """Length without force [m]; none means the distance at the start."""


class TorsionSpring(Declaration):
    """A spring with a damper about the axes of a rotation sequence between two frames.

    Source: Thompson, "Reduced Order Multi-body Problems", AIAA 2011-6277, section V.
    """

    kind: Literal["torsion_spring"] = "torsion_spring"
    """A spring and damper about one to three axes."""
    name: Name
    """Name of the spring in paths and tables."""
    parent: str
    """One body, or "ground"."""
    child: str
    """The other body."""
    parent_frame: Attitude | None = None
    """Spring axes in the parent's structure axes (inertial on the ground); none means parallel."""
    child_frame: Attitude | None = None
    """Spring axes in the child's structure axes; none means parallel."""
    sequence: str = "3"
    """The body-fixed rotations from the parent's frame to the child's whose angles the spring resists: "3",
    "1-2-3"."""
    stiffness: Annotated[Any, si("N m/rad", ("n",), nonnegative=True, grow=True)]
    """Torque per angle [N m/rad], one for each rotation of the sequence."""
    damping: Annotated[Any, si("N m s/rad", ("n",), nonnegative=True, grow=True)] = 0.0
    """Torque per angular rate [N m s/rad], one for each rotation of the sequence."""
    free_angles: Annotated[Any, si("rad", ("n",), grow=True)] = 0.0
    """Angles without torque [rad], one for each rotation of the sequence."""

    @model_validator(mode="after")
    def _lengths(self) -> TorsionSpring:
        if not re.fullmatch(r"[123](-[123]){0,2}", self.sequence) or re.search(r"([123])-\1", self.sequence):
            raise Refused(
                (
                    "sequence",
                    f"'{self.sequence}' is not a rotation sequence; allowed: one to three axes, none twice"
                    " running, like 3 or 1-2-3",
                )
            )
        size = len(self.sequence.split("-"))
        for name in ("damping", "free_angles"):
            if name not in self.model_fields_set:
                self._settle(**{name: _zeros(size)})
        for name in ("stiffness", "damping", "free_angles"):
            given = getattr(self, name).shape[0]
            if given != size:
                raise Refused(
                    (
                        name,
                        f"has {given} values where the sequence {self.sequence} has {size}"
                        " rotations; give one for each",
                    )
                )
        return self


def _zeros(size: int) -> np.ndarray:
    zeros = np.zeros(size)
    zeros.flags.writeable = False
    return zeros


class UserForce(Declaration):
    """A force of the user's own: a Python class of an installed package. It is imported only when a scenario
    is run."""

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
        return user_class.told(self.class_path, self.parameters)


AnyForce = Annotated[
    Force | Torque | Spring | TorsionSpring | Bushing | BeamSpring | Stop | HingeStop | UserForce, OneOf()
]
