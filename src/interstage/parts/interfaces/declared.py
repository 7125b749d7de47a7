"""Interfaces: the load of the attachments between two bodies as structures people state it, at a station,
with allowables, margins and preload."""

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
"""Loads that an allowable may be given for."""
HIGHEST_MARGIN = 999.0
"""Margins of safety end here: a load less than a thousandth of its allowable says nothing more."""


class Allowables(Declaration):
    """What an interface may carry. A load that none is given for is not judged."""

    tension: Annotated[Any, si("N", positive=True)] | None = None
    """Axial force that pulls the two bodies apart [N]."""
    compression: Annotated[Any, si("N", positive=True)] | None = None
    """Axial force that presses them together [N]."""
    shear: Annotated[Any, si("N", positive=True)] | None = None
    """Force across the axis [N]."""
    bending: Annotated[Any, si("N m", positive=True)] | None = None
    """Moment across the axis [N m]."""
    torsion: Annotated[Any, si("N m", positive=True)] | None = None
    """Moment about the axis [N m]."""
    factor_of_safety: Annotated[Any, si("1", positive=True)] = 1.0
    """Factor on the loads before they are compared with the allowables."""

    def given(self) -> tuple[str, ...]:
        """The loads that an allowable is given for."""
        return tuple(kind for kind in JUDGED if getattr(self, kind) is not None)

    @model_validator(mode="after")
    def _check(self) -> Allowables:
        if not self.given():
            text = f"judges nothing; give one or more of {', '.join(JUDGED)}, or leave the table out"
            raise Refused(("", text))
        factor = self.factor_of_safety
        if isinstance(factor, np.ndarray) and (factor < 1).any():
            text = f"{float(factor.min()):g} is less than one; a factor of safety makes loads larger"
            raise Refused(("factor_of_safety", text))
        return self


class Interface(Declaration):
    """The load that some attachments carry from one body to another, as one force and moment at a station.

    The load is moved as a wrench: what the structure between the attachments and the station weighs is not
    taken off.
    """

    name: Name
    """Name in paths and tables."""
    joints: tuple[str, ...] = ()
    """Joints whose loads are summed, all between the same two bodies."""
    forces: tuple[str, ...] = ()
    """Bushings and beams whose loads are summed with them."""
    on: Literal["child", "parent"] = "child"
    """The body on which the load acts, of the first attachment; on the other one it is the opposite."""
    at: Annotated[Any, si("m", (3,))] | None = None
    """The station [m], structural axes, drawing coordinates of the body named by `at_body`. Default: the
    first attachment's point there."""
    at_body: Literal["child", "parent"] | None = None
    """The body on which the station is. Default: the one that the load acts on."""
    axes: Literal["parent_joint", "child_joint", "parent", "child"] = "parent_joint"
    """Axes of the components: the first attachment's frame on the parent or on the child, or structural
    axes."""
    frame: Attitude | None = None
    """Axes of the components in the structural axes that `axes` names. Default: these themselves."""
    axis: Annotated[Any, si("1", (3,))] = (1.0, 0.0, 0.0)
    """The axial direction, from the parent to the child, in the axes of the components; its length does not
    matter. Default: x."""
    radius: Annotated[Any, si("m", positive=True)] | None = None
    """Radius of the ring over which the load is spread [m], for line loads. Default: no ring."""
    preload: Annotated[Any, si("N", nonnegative=True)] | None = None
    """Sum of the bolts' forces before any load [N]. If not set, no bolts are looked at."""
    load_fraction: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Part of a tension that the bolts take while they still clamp; the rest relieves the clamped parts."""
    allowables: Allowables | None = None
    """What it may carry. If not set, there are no margins."""

    @model_validator(mode="after")
    def _check(self) -> Interface:
        problems = []
        if not self.joints and not self.forces:
            text = 'names no attachment; name one or more joints, like joints = ["clamp"], or forces'
            problems.append(Problem("joints", text))
        for group in ("joints", "forces"):
            names = getattr(self, group)
            if len(set(names)) < len(names):
                problems.append(Problem(group, "names an attachment twice; name each once"))
        if self.at is None and self.at_body is not None:
            problems.append(Problem("at_body", "says where `at` is, and that is not given; remove it"))
        if self.frame is not None and self.axes not in ("parent", "child"):
            text = 'is in structural axes; say axes = "parent" or "child", or turn the joint\'s own frame'
            problems.append(Problem("frame", text))
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            problems.append(Problem("axis", "is the zero vector; give a direction like [1, 0, 0]"))
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
                Problem("load_fraction", "says something about a preload only; give preload, or remove it")
            ]
        if (part >= 1).any():
            text = f"{float(part.max()):g} relieves the clamped parts of nothing; allowed: 0 to less than 1"
            return [Problem("load_fraction", text)]
        return []


KINDS = {"interfaces": (Interface,)}
READ_ONLY = {"interfaces": ("interfaces",)}
