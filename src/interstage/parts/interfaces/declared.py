"""Interfaces: resultant loads of the attachments between two bodies at a station, with allowables, margins
and preload."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import model_validator

from ...model.frames import Attitude
from ...tree.declaration import Declaration
from ...tree.errors import Problem, Refused
from ...tree.names import Name
from ...tree.units import si

JUDGED = ("tension", "compression", "shear", "bending", "torsion")
"""Loads that can have an allowable."""
HIGHEST_MARGIN = 999.0
"""Upper limit of reported margins of safety: loads below a thousandth of the allowable need no comparison."""


class Allowables(Declaration):
    """Allowable loads of an interface. Margins are computed only for loads with an allowable."""

    tension: Annotated[Any, si("N", positive=True)] | None = None
    """Axial force that pulls the two bodies apart [N]."""
    compression: Annotated[Any, si("N", positive=True)] | None = None
    """Axial force that presses them together [N]."""
    shear: Annotated[Any, si("N", positive=True)] | None = None
    """Force perpendicular to the axis [N]."""
    bending: Annotated[Any, si("N m", positive=True)] | None = None
    """Moment perpendicular to the axis [N m]."""
    torsion: Annotated[Any, si("N m", positive=True)] | None = None
    """Moment about the axis [N m]."""
    factor_of_safety: Annotated[Any, si("1", positive=True)] = 1.0
    """Factor on the loads before they are compared with the allowables."""

    def limited_loads(self) -> tuple[str, ...]:
        """Names of the loads that have an allowable."""
        return tuple(kind for kind in JUDGED if getattr(self, kind) is not None)

    @model_validator(mode="after")
    def _check(self) -> Allowables:
        if not self.limited_loads():
            text = f"contains no allowable. Give one or more of {', '.join(JUDGED)}, or remove the table"
            raise Refused(("", text))
        factor = self.factor_of_safety
        if isinstance(factor, np.ndarray) and (factor < 1).any():
            text = f"{float(factor.min()):g} is less than 1. Give a factor of safety of 1 or more"
            raise Refused(("factor_of_safety", text))
        return self


class Interface(Declaration):
    """Resultant force and moment of attachments between two bodies, at one station.

    The load is transferred as a wrench; the weight of the structure between the attachments and the station
    is not subtracted.
    """

    name: Name
    """Name in paths and tables."""
    joints: tuple[str, ...] = ()
    """Names of the joints whose loads are summed, all between the same two bodies."""
    forces: tuple[str, ...] = ()
    """Names of the bushings and beams whose loads are added."""
    on: Literal["child", "parent"] = "child"
    """Body of the first attachment on which the load acts. The other body carries the opposite load."""
    at: Annotated[Any, si("m", (3,))] | None = None
    """Position of the station [m], structural axes, drawing coordinates of the body named by `at_body`.
    Default: point of the first attachment on that body."""
    at_body: Literal["child", "parent"] | None = None
    """Body that carries the station. Default: the body named by `on`."""
    axes: Literal["parent_joint", "child_joint", "parent", "child"] = "parent_joint"
    """Axes of the components: the first attachment's frame on the parent or on the child, or the structural
    axes of the parent or of the child."""
    frame: Attitude | None = None
    """Axes of the components, relative to the structural axes named by `axes`. Default: parallel."""
    axis: Annotated[Any, si("1", (3,))] = (1.0, 0.0, 0.0)
    """Axial direction from the parent to the child, in the axes of the components, any length."""
    radius: Annotated[Any, si("m", positive=True)] | None = None
    """Radius of the ring that carries the load, for line loads [m]. Default: no line loads."""
    preload: Annotated[Any, si("N", nonnegative=True)] | None = None
    """Sum of the bolt forces before any load [N]. Default: bolts are not evaluated."""
    load_fraction: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Fraction of a tension that the bolts carry while the joint is clamped. The rest relieves the clamped
    parts."""
    allowables: Allowables | None = None
    """Allowable loads. Default: no margins."""

    @model_validator(mode="after")
    def _check(self) -> Interface:
        problems = []
        if not self.joints and not self.forces:
            text = 'names no attachment. Name one or more joints, like joints = ["clamp"], or forces'
            problems.append(Problem("joints", text))
        for group in ("joints", "forces"):
            names = getattr(self, group)
            if len(set(names)) < len(names):
                problems.append(Problem(group, "names an attachment twice. Name each once"))
        if self.at is None and self.at_body is not None:
            problems.append(Problem("at_body", "is set without `at`. Give `at`, or remove at_body"))
        if self.frame is not None and self.axes not in ("parent", "child"):
            text = 'is in structural axes. Set axes = "parent" or "child", or rotate the joint\'s own frame'
            problems.append(Problem("frame", text))
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            problems.append(Problem("axis", "is the zero vector. Give a direction like [1, 0, 0]"))
        problems += self._bolts()
        if problems:
            raise Refused(*problems)
        return self

    def _bolts(self) -> list[Problem]:
        part = self.load_fraction
        if not isinstance(part, np.ndarray):
            return []
        if self.preload is None and (part != 0).any():
            return [
                Problem("load_fraction", "is set without a preload. Give preload, or remove load_fraction")
            ]
        if (part >= 1).any():
            text = f"{float(part.max()):g} is 1 or more. Give a fraction of at least 0 and less than 1"
            return [Problem("load_fraction", text)]
        return []


KINDS = {"interfaces": (Interface,)}
READ_ONLY = {"interfaces": ("interfaces",)}
