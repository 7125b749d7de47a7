"""Declaration of springs with dampers about the axes of a rotation sequence."""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from ...model.effect import Effect
from ...model.frames import Attitude
from ...tree.errors import Refused
from ...tree.names import Name
from ...tree.units import si


class TorsionSpring(Effect):
    """A spring with a damper about the axes of a rotation sequence between two frames. Angles are reported
    from -180 to 180 deg; docs/catalogue.md lists the attitudes in which angles are undefined.

    Source: Thompson, "Reduced Order Multi-body Problems", AIAA 2011-6277, section V.
    """

    losses: ClassVar[tuple[str, ...]] = ("damping",)

    kind: Literal["torsion_spring"] = "torsion_spring"
    """A spring and damper about one to three axes."""
    name: Name
    """Name of the spring in paths and tables."""
    parent: str
    """Name of the first body, or "ground"."""
    child: str
    """Name of the second body."""
    parent_frame: Attitude | None = None
    """Axes of the spring in the parent's structural axes (inertial axes for "ground"). Default: parallel to
    these axes."""
    child_frame: Attitude | None = None
    """Axes of the spring in the child's structural axes. Default: parallel to these axes."""
    sequence: str = "3"
    """Body-fixed rotation sequence from the parent's frame to the child's frame, like "3" or "1-2-3". The
    spring resists the angles of this sequence. A sequence of two rotations is a universal joint with one axis
    on the parent and one axis on the child."""
    stiffness: Annotated[Any, si("N m/rad", ("n",), nonnegative=True, grow=True)]
    """Stiffness: torque per angle [N m/rad], one value for each rotation of the sequence."""
    damping: Annotated[Any, si("N m s/rad", ("n",), nonnegative=True, grow=True)] = 0.0
    """Damping coefficient: torque per angular rate [N m s/rad], one value for each rotation of the
    sequence."""
    free_angles: Annotated[Any, si("rad", ("n",), grow=True)] = 0.0
    """Angles at zero torque [rad], one value for each rotation of the sequence."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which the spring acts. Default: all phases."""

    @model_validator(mode="after")
    def _lengths(self) -> TorsionSpring:
        if not re.fullmatch(r"[123](-[123]){0,2}", self.sequence) or re.search(r"([123])-\1", self.sequence):
            raise Refused(
                (
                    "sequence",
                    f"'{self.sequence}' is not a rotation sequence. Give one to three numbers from 1 to 3,"
                    " without the same number twice in succession, like 3 or 1-2-3",
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
                        f"'{name}' has {given} values, but the sequence {self.sequence} has {size} "
                        "rotations. Give one value for each rotation",
                    )
                )
        return self


def _zeros(size: int) -> np.ndarray:
    zeros = np.zeros(size)
    zeros.flags.writeable = False
    return zeros


KINDS = {"forces": (TorsionSpring,)}
