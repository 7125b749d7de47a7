"""Declarations of pairs of points on two bodies, whose relative position, velocity and attitude are
output.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import model_validator

from ..tree.errors import Problem, Refused
from ..tree.names import Name
from ..tree.units import si
from .pattern import Repeatable


class Pair(Repeatable):
    """A point and an axis of one body, and a point and an axis of another body. The relative motion of the
    two points is an output.
    """

    points: ClassVar[tuple[str, ...]] = ("parent_at", "child_at")
    directions: ClassVar[tuple[str, ...]] = ("parent_axis", "child_axis")

    name: Name
    """Name of the pair in paths and tables. The name must differ from the names of bodies."""
    parent: str
    """Reference body."""
    child: str
    """Body whose motion relative to `parent` is output."""
    parent_at: Annotated[Any, si("m", (3,))] | None = None
    """Point of the parent [m], structural coordinates. Default: its centre of mass."""
    child_at: Annotated[Any, si("m", (3,))] | None = None
    """Point of the child [m], structural coordinates. Default: its centre of mass."""
    parent_sensor: str | None = None
    """Sensor of the parent whose location is the point, in place of `parent_at`."""
    child_sensor: str | None = None
    """Sensor of the child whose location is the point, in place of `child_at`."""
    parent_axis: Annotated[Any, si("1", (3,))] = (1.0, 0.0, 0.0)
    """Axis of the parent, structural axes. Only its direction is used. Default: x."""
    child_axis: Annotated[Any, si("1", (3,))] = (1.0, 0.0, 0.0)
    """Axis of the child, structural axes. Only its direction is used. Default: x."""
    reference_length: Annotated[Any, si("m", positive=True)] | None = None
    """Reference length for an additional dimensionless distance [m]. Default: no dimensionless distance is
    output."""

    @model_validator(mode="after")
    def _check(self) -> Pair:
        problems = []
        for end in ("parent", "child"):
            if getattr(self, f"{end}_at") is not None and getattr(self, f"{end}_sensor") is not None:
                text = f"'{end}_sensor' and '{end}_at' are both set. Remove one of these keys"
                problems.append(Problem(f"{end}_sensor", text))
            axis = getattr(self, f"{end}_axis")
            if isinstance(axis, np.ndarray) and not (np.abs(axis).max(axis=0) > 0).all():
                text = "the vector is zero. Give a direction like [1, 0, 0]"
                problems.append(Problem(f"{end}_axis", text))
        if problems:
            raise Refused(*problems)
        return self
