"""What a scenario may say of an eddy-current damper."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from interstage.model.effect import Device
from interstage.tree.errors import Refused
from interstage.tree.names import Name
from interstage.tree.units import si


class EddyDamper(Device):
    """A conducting plate on one body that runs between the poles of a magnet on another: currents in the
    plate resist its motion, without touching, until it has left the poles.

    At a rate v of travel the force is F = 2 P (v/c) / (1 + (v/c)^2), whose peak P is at the critical speed c.
    Source: Wouterse, "Critical torque and speed of eddy current brake with widely separated soft iron poles",
    IEE Proceedings B 138 (1991), pp. 153-158.
    """

    words: ClassVar[tuple[str, ...]] = ("left",)
    outside: ClassVar[frozenset[str]] = frozenset({"energy"})

    kind: Literal["eddy_damper"] = "eddy_damper"
    """A plate that runs between the poles of a magnet."""
    name: Name
    """Name of the damper in paths and tables."""
    parent: str
    """The body that carries the magnet."""
    child: str
    """The body that carries the plate."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where the magnet is [m], structural coordinates of the parent."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where the force acts on the plate [m], structural coordinates of the child."""
    axis: Annotated[Any, si("1", (3,))]
    """Direction in which the plate leaves, in the parent's structural axes; its length does not matter."""
    peak: Annotated[Any, si("N", nonnegative=True)]
    """Largest force [N]; 0 for a magnet that is missing."""
    critical_speed: Annotated[Any, si("m/s", positive=True)]
    """Rate of travel at which it is largest [m/s]."""
    overlap: Annotated[Any, si("m", positive=True)]
    """Travel from the start after which the plate has left the poles [m]."""

    @model_validator(mode="after")
    def _has_direction(self) -> EddyDamper:
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            raise Refused(("axis", "the vector is zero. Give a direction like [0, 0, 1]"))
        return self

    @property
    def changing(self) -> bool:
        """Its heat stands in the state."""
        return True


KINDS = {"devices": (EddyDamper,)}
