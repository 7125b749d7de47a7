"""Declaration of interfaces: resultant loads of the attachments between two bodies at a station, with
allowables, margins and preload."""

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
"""The names of the loads that can have an allowable."""
HIGHEST_MARGIN = 999.0
"""The upper limit of reported margins of safety. At this limit, the load is a thousandth of its allowable and
not critical.
"""


class Allowables(Declaration):
    """The allowable loads of an interface. Each load with an allowable has a margin in the results."""

    tension: Annotated[Any, si("N", positive=True)] | None = None
    """The allowable axial force that pulls the two bodies apart [N]."""
    compression: Annotated[Any, si("N", positive=True)] | None = None
    """The allowable axial force that presses the two bodies together [N]."""
    shear: Annotated[Any, si("N", positive=True)] | None = None
    """The allowable force perpendicular to the axis [N]."""
    bending: Annotated[Any, si("N m", positive=True)] | None = None
    """The allowable moment perpendicular to the axis [N m]."""
    torsion: Annotated[Any, si("N m", positive=True)] | None = None
    """The allowable moment about the axis [N m]."""
    factor_of_safety: Annotated[Any, si("1", positive=True)] = 1.0
    """The factor by which loads are multiplied before the comparison with their allowables."""

    def limited_loads(self) -> tuple[str, ...]:
        """Return the names of the loads that have an allowable."""
        return tuple(kind for kind in JUDGED if getattr(self, kind) is not None)

    @model_validator(mode="after")
    def _check(self) -> Allowables:
        if not self.limited_loads():
            text = (
                f"the table sets no allowable load. Set one or more of {', '.join(JUDGED)}, or remove the "
                "table"
            )
            raise Refused(("", text))
        factor = self.factor_of_safety
        if isinstance(factor, np.ndarray) and (factor < 1).any():
            text = f"the factor of safety {float(factor.min()):g} is less than 1. Give 1 or more"
            raise Refused(("factor_of_safety", text))
        return self


class Interface(Declaration):
    """The resultant force and moment of the attachments between two bodies, at one station.

    The load is transferred to the station as a wrench. The weight of the structure between the attachments
    and the station is not subtracted."""

    name: Name
    """The name of the interface in paths and tables."""
    joints: tuple[str, ...] = ()
    """The names of the joints whose loads are summed. All attachments connect the same two bodies."""
    forces: tuple[str, ...] = ()
    """The names of the bushings and beams whose loads are added. All attachments connect the same two
    bodies."""
    on: Literal["child", "parent"] = "child"
    """The body on which the reported load acts: the parent or the child of the first attachment. The second
    body carries the opposite load."""
    at: Annotated[Any, si("m", (3,))] | None = None
    """The position of the station [m], in the structural coordinates of the body of `at_body`. Default: the
    point of the first attachment on that body."""
    at_body: Literal["child", "parent"] | None = None
    """The body that carries the station. Default: the body of `on`."""
    axes: Literal["parent_joint", "child_joint", "parent", "child"] = "parent_joint"
    """The axes of the components. "parent_joint", "child_joint": the frame of the first attachment on the
    parent or on the child. "parent", "child": the structural axes of that body."""
    frame: Attitude | None = None
    """The axes of the components, relative to the structural axes that `axes` selects. Default: parallel."""
    axis: Annotated[Any, si("1", (3,))] = (1.0, 0.0, 0.0)
    """The axial direction from the parent to the child, in the axes of the components. The length of this
    vector has no effect."""
    radius: Annotated[Any, si("m", positive=True)] | None = None
    """The radius of the ring that carries the load, for line loads [m]. Default: no line loads."""
    preload: Annotated[Any, si("N", nonnegative=True)] | None = None
    """The sum of the bolt forces without external load [N]. Default: bolts are not evaluated."""
    load_fraction: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """The fraction of an external tension that the bolts carry while the joint is clamped, from 0 to below 1.
    The rest of the tension reduces the clamp force."""
    allowables: Allowables | None = None
    """The allowable loads. Default: no margins."""

    @model_validator(mode="after")
    def _check(self) -> Interface:
        problems = []
        if not self.joints and not self.forces:
            text = (
                'the interface names no attachment. Name one or more joints, like joints = ["clamp"], or '
                "name forces"
            )
            problems.append(Problem("joints", text))
        for group in ("joints", "forces"):
            names = getattr(self, group)
            if len(set(names)) < len(names):
                problems.append(Problem(group, f"'{group}' lists an attachment twice. Keep the name once"))
        if self.at is None and self.at_body is not None:
            problems.append(
                Problem("at_body", "'at_body' is set without 'at'. Set 'at', or remove 'at_body'")
            )
        if self.frame is not None and self.axes not in ("parent", "child"):
            text = (
                f"'frame' applies to structural axes only, but 'axes' is '{self.axes}'. Set axes = "
                '"parent" or "child", or rotate the frame of the joint'
            )
            problems.append(Problem("frame", text))
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            problems.append(Problem("axis", "the vector is zero. Give a direction like [1, 0, 0]"))
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
                Problem(
                    "load_fraction",
                    "'load_fraction' is set without 'preload'. Set 'preload', or remove 'load_fraction'",
                )
            ]
        if (part >= 1).any():
            text = (
                f"load_fraction = {float(part.max()):g} is not below 1. Give a fraction of at least 0 and "
                "less than 1"
            )
            return [Problem("load_fraction", text)]
        return []


KINDS = {"interfaces": (Interface,)}
READ_ONLY = {"interfaces": ("interfaces",)}
