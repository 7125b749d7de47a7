"""Pairs of points on two bodies whose distance, motion and turn against each other are to be known."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import model_validator

from ..tree.declaration import Declaration
from ..tree.errors import Problem, Refused
from ..tree.names import Name
from ..tree.units import si


class Pair(Declaration):
    """A point and an axis of one body, and a point and an axis of another."""

    name: Name
    """Name in paths and tables, not that of a body."""
    parent: str
    """The body that the other one is seen from."""
    child: str
    """The body that is seen."""
    parent_at: Annotated[Any, si("m", (3,))] | None = None
    """Point of the parent [m], structural axes, drawing coordinates. Default: its centre of mass."""
    child_at: Annotated[Any, si("m", (3,))] | None = None
    """Point of the child [m], structural axes, drawing coordinates. Default: its centre of mass."""
    parent_sensor: str | None = None
    """Sensor of the parent that is its point, in place of `parent_at`."""
    child_sensor: str | None = None
    """Sensor of the child that is its point, in place of `child_at`."""
    parent_axis: Annotated[Any, si("1", (3,))] = (1.0, 0.0, 0.0)
    """Axis of the parent, its structural axes; its length does not matter. Default: x."""
    child_axis: Annotated[Any, si("1", (3,))] = (1.0, 0.0, 0.0)
    """Axis of the child, its structural axes; its length does not matter. Default: x."""
    reference_length: Annotated[Any, si("m", positive=True)] | None = None
    """Length in which the distance is reported, too [m]. If not set, it is not."""

    @model_validator(mode="after")
    def _check(self) -> Pair:
        problems = []
        for end in ("parent", "child"):
            if getattr(self, f"{end}_at") is not None and getattr(self, f"{end}_sensor") is not None:
                text = f"is a point beside {end}_at; keep one of the two"
                problems.append(Problem(f"{end}_sensor", text))
            axis = getattr(self, f"{end}_axis")
            if isinstance(axis, np.ndarray) and not (np.abs(axis).max(axis=0) > 0).all():
                text = "is the zero vector; give a direction like [1, 0, 0]"
                problems.append(Problem(f"{end}_axis", text))
        if problems:
            raise Refused(*problems)
        return self
