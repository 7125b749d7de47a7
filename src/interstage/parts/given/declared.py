"""Declaration of prescribed forces and torques: constant, or tabulated over time."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from ...model.effect import ALL, Effect
from ...model.motion import ForceTable, TorqueTable
from ...tree.declaration import Declaration, OneOf
from ...tree.names import Name
from ...tree.units import si


def _number_or(table: type[Declaration]) -> Any:
    def choose(value: Any) -> str:
        return table.__name__ if isinstance(value, (dict, Declaration)) else "number"

    return choose


ForceValue = Annotated[Annotated[Any, si("N", (3,))] | ForceTable, OneOf(_number_or(ForceTable))]
TorqueValue = Annotated[Annotated[Any, si("N m", (3,))] | TorqueTable, OneOf(_number_or(TorqueTable))]


class Force(Effect):
    """A force at a point of a body, constant or tabulated in time."""

    stands: ClassVar[tuple[tuple[str, str], ...]] = (("body", "at"),)
    outside: ClassVar[frozenset[str]] = ALL

    kind: Literal["force"] = "force"
    """A force at a point of one body."""
    name: Name
    """Name of the force in paths and tables."""
    body: str
    """Name of the body on which the force acts."""
    at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Point of application [m], structural coordinates of the body."""
    force: ForceValue
    """Force [N], or a table of the force over time. `axes` names the axes of its components."""
    axes: Literal["body", "inertial"] = "body"
    """Axes of the components of the force: body axes or inertial axes."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which the force acts. Default: all phases."""


class Torque(Effect):
    """A torque on a body, constant or tabulated in time."""

    outside: ClassVar[frozenset[str]] = frozenset({"angular_momentum", "energy"})

    kind: Literal["torque"] = "torque"
    """A torque on one body."""
    name: Name
    """Name of the torque in paths and tables."""
    body: str
    """Name of the body on which the torque acts."""
    torque: TorqueValue
    """Torque [N m], or a table of the torque over time. `axes` names the axes of its components."""
    axes: Literal["body", "inertial"] = "body"
    """Axes of the components of the torque: body axes or inertial axes."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which the torque acts. Default: all phases."""


BY_TIME = ("forces",)
"""The groups of a scenario that can contain functions of flight time; see `starts.saved`."""
KINDS = {"forces": (Force, Torque)}
