"""Declarations of stops: a spring and damper at the end of the travel of a joint."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from ...model.effect import Effect
from ...model.values import check_order
from ...tree.errors import Refused, Written
from ...tree.names import Name
from ...tree.units import si


class Stop(Effect):
    """A stop at one or both ends of the displacement of a joint along an axis. Beyond an end, a spring with a
    damper pushes back and never pulls. A stop acts while its joint constrains any axis. Release of the joint
    removes the stop."""

    joint_field: ClassVar[str] = "joint"
    losses: ClassVar[tuple[str, ...]] = ("damping",)

    kind: Literal["stop"] = "stop"
    """A stop of the displacement of a joint."""
    name: Name
    """Name of the stop in paths and tables."""
    joint: str
    """Name of the joint. The stop limits the displacement of this joint since the start."""
    axis: Literal["x", "y", "z"]
    """Axis of the parent's joint frame along which the stop acts."""
    lower: Annotated[Any, si("m")] | None = None
    """Lower limit of the displacement [m]. Give `lower` or `upper`, or both. Default: no lower limit."""
    upper: Annotated[Any, si("m")] | None = None
    """Upper limit of the displacement [m]. Default: no upper limit."""
    stiffness: Annotated[Any, si("N/m", positive=True)]
    """Stiffness: force per displacement beyond a limit [N/m]."""
    damping: Annotated[Any, si("N s/m", nonnegative=True)] = 0.0
    """Damping coefficient: force per rate of displacement beyond a limit [N s/m]."""

    @model_validator(mode="after")
    def _ends(self) -> Stop:
        check_ends(self)
        return self


class HingeStop(Effect):
    """A stop at one or both ends of the rotation of a hinge. Beyond an end, a torsion spring with a damper
    pushes back and never pulls. A stop acts while its joint constrains any axis. Release of the joint removes
    the stop."""

    joint_field: ClassVar[str] = "joint"
    losses: ClassVar[tuple[str, ...]] = ("damping",)

    kind: Literal["hinge_stop"] = "hinge_stop"
    """A stop of the rotation of a hinge."""
    name: Name
    """Name of the stop in paths and tables."""
    joint: str
    """Name of a joint that rotates about the axis of the stop only. The stop limits the rotation since the
    start."""
    axis: Literal["x", "y", "z"]
    """Axis of the parent's joint frame about which the stop acts."""
    lower: Annotated[Any, si("rad")] | None = None
    """Lower limit of the rotation [rad], above -180 deg. Give `lower` or `upper`, or both. Default: no lower
    limit."""
    upper: Annotated[Any, si("rad")] | None = None
    """Upper limit of the rotation [rad], below 180 deg. Default: no upper limit."""
    stiffness: Annotated[Any, si("N m/rad", positive=True)]
    """Stiffness: torque per rotation beyond a limit [N m/rad]."""
    damping: Annotated[Any, si("N m s/rad", nonnegative=True)] = 0.0
    """Damping coefficient: torque per angular rate beyond a limit [N m s/rad]."""

    @model_validator(mode="after")
    def _ends(self) -> HingeStop:
        check_ends(self)
        for field in ("upper", "lower"):
            end = getattr(self, field)
            if isinstance(end, np.ndarray) and (np.abs(end) >= np.pi).any():
                text = f"{{{field}}} is out of range. Give an angle between -180 and 180 deg"
                raise Refused((field, Written(text)))
        return self


def check_ends(stop: Stop | HingeStop) -> None:
    """Check the limits of a stop.

    Raises Refused if a stop has no limit, or if its limits are in the wrong order.
    """
    if stop.lower is None and stop.upper is None:
        raise Refused(("upper", "neither 'upper' nor 'lower' is set. Set at least one of them"))
    if isinstance(stop.lower, np.ndarray) and isinstance(stop.upper, np.ndarray):
        check_order("upper", stop.lower, stop.upper)


KINDS = {"forces": (Stop, HingeStop)}
