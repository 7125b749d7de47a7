"""Stops: a spring and damper that a joint runs against at the end of its travel."""

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
    """A stop at one or both ends of the travel of a joint along an axis: beyond it a spring and damper push
    back, and never pull. It acts while the joint holds in any way, and goes with it."""

    joint_field: ClassVar[str] = "joint"
    losses: ClassVar[tuple[str, ...]] = ("damping",)

    kind: Literal["stop"] = "stop"
    """A stop of a displacement."""
    name: Name
    """Name of the stop in paths and tables."""
    joint: str
    """The joint whose displacement since the start it bounds."""
    axis: Literal["x", "y", "z"]
    """Axis of the parent's joint frame along which it acts."""
    lower: Annotated[Any, si("m")] | None = None
    """Displacement below which it pushes forward [m]. Default: no such end. Give this or `upper`, or
    both."""
    upper: Annotated[Any, si("m")] | None = None
    """Displacement beyond which it pushes back [m]. Default: no such end."""
    stiffness: Annotated[Any, si("N/m", positive=True)]
    """Force per displacement beyond an end [N/m]."""
    damping: Annotated[Any, si("N s/m", nonnegative=True)] = 0.0
    """Force per rate there [N s/m]."""

    @model_validator(mode="after")
    def _ends(self) -> Stop:
        check_ends(self)
        return self


class HingeStop(Effect):
    """A stop at one or both ends of the rotation of a hinge: beyond it a torsion spring and damper push back,
    and never pull. It acts while the joint holds in any way, and goes with it."""

    joint_field: ClassVar[str] = "joint"
    losses: ClassVar[tuple[str, ...]] = ("damping",)

    kind: Literal["hinge_stop"] = "hinge_stop"
    """A stop of a rotation."""
    name: Name
    """Name of the stop in paths and tables."""
    joint: str
    """The joint whose rotation since the start it bounds: one that turns about this axis only."""
    axis: Literal["x", "y", "z"]
    """Axis of the parent's joint frame about which it acts."""
    lower: Annotated[Any, si("rad")] | None = None
    """Rotation below which it pushes forward [rad], more than -180 deg. Default: no such end. Give this or
    `upper`, or both."""
    upper: Annotated[Any, si("rad")] | None = None
    """Rotation beyond which it pushes back [rad], less than 180 deg. Default: no such end."""
    stiffness: Annotated[Any, si("N m/rad", positive=True)]
    """Torque per rotation beyond an end [N m/rad]."""
    damping: Annotated[Any, si("N m s/rad", nonnegative=True)] = 0.0
    """Torque per rate there [N m s/rad]."""

    @model_validator(mode="after")
    def _ends(self) -> HingeStop:
        check_ends(self)
        for field in ("upper", "lower"):
            end = getattr(self, field)
            if isinstance(end, np.ndarray) and (np.abs(end) >= np.pi).any():
                text = f"{{{field}}} is never reached, as a rotation is told from -180 to 180 deg; give less"
                raise Refused((field, Written(text)))
        return self


def check_ends(stop: Stop | HingeStop) -> None:
    """Refuse a stop without an end, or with its ends the wrong way round. Raises Refused."""
    if stop.lower is None and stop.upper is None:
        raise Refused(("upper", "is required: where the stop begins, or lower, or both"))
    if isinstance(stop.lower, np.ndarray) and isinstance(stop.upper, np.ndarray):
        check_order("upper", stop.lower, stop.upper)


KINDS = {"forces": (Stop, HingeStop)}
