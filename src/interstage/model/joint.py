"""Joints: how two bodies, or a body and the ground, hold together."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, get_args

from pydantic import StrictBool, model_validator

from ..errors import Problem, Refused
from ..frames import Attitude
from ..tree import Declaration
from ..units import si
from .motion import DrivenAxes
from .names import Name

JointKind = Literal[
    "fixed",
    "revolute",
    "universal",
    "spherical",
    "translational",
    "cylindrical",
    "planar",
    "rod",
    "generalized",
]
LockedAxis = Literal["tx", "ty", "tz", "rx", "ry", "rz"]
ROTATIONS = ("rx", "ry", "rz")
DEFAULT_PAIR = {"rx": "ay.bz", "ry": "az.bx", "rz": "ax.by"}
"""The right angle that one locked rotation keeps: an axis of the parent (a) with one of the child (b)."""

APPLIES_TO = {
    "axis": ("revolute", "cylindrical", "translational", "planar"),
    "axes": ("universal",),
    "rotates": ("planar",),
    "length": ("rod",),
    "locked": ("generalized",),
    "rotation_pair": ("generalized",),
    "driven": ("generalized",),
}
"""Which kinds of joint an option says something about."""


class JointType(Declaration):
    """The kind of a joint with the options of that kind."""

    kind: JointKind
    """What the joint lets move."""
    axis: Literal["x", "y", "z"] | None = None
    """Free axis of a revolute, cylindrical or translational joint (none means z), or the normal of a planar
    one (none means y), in the joint frame."""
    axes: Literal["xy", "xz", "yx", "yz", "zx", "zy"] | None = None
    """Universal joint: the first axis, fixed in the parent, stays perpendicular to the second, fixed in the
    child; none means yz."""
    rotates: StrictBool = True
    """Planar joint: whether the child may turn about the normal."""
    length: Annotated[Any, si("m", positive=True)] | None = None
    """Rod: distance between the two joint points [m]; none means the distance at the start."""
    locked: tuple[LockedAxis, ...] = ()
    """Generalized joint: the locked axes, any of tx ty tz (parent's joint frame) and rx ry rz."""
    rotation_pair: str | None = None
    """Generalized joint with one locked rotation: which axes stay perpendicular, like "ay.bz" (y of the
    parent's joint frame and z of the child's); none means rx: ay.bz, ry: az.bx, rz: ax.by."""
    driven: DrivenAxes | None = None
    """Generalized joint: motions of locked axes."""

    @property
    def free_axis(self) -> str:
        """`axis`, or what none means for this kind."""
        return self.axis or ("y" if self.kind == "planar" else "z")

    @property
    def universal_axes(self) -> str:
        """`axes`, or what none means."""
        return self.axes or "yz"

    @property
    def pair(self) -> tuple[str, str]:
        """For one locked rotation: (axis of the parent, axis of the child) that stay perpendicular, like
        ("y", "z")."""
        rotation = next(r for r in ROTATIONS if r in self.locked)
        text = self.rotation_pair or DEFAULT_PAIR[rotation]
        return text[1], text[4]

    @model_validator(mode="after")
    def _options(self) -> JointType:
        problems = [
            Problem(
                option, f"does not apply to a {self.kind} joint, only to {' and '.join(kinds)}; remove it"
            )
            for option, kinds in APPLIES_TO.items()
            if self.kind not in kinds and getattr(self, option) != type(self).model_fields[option].default
        ]
        if self.kind == "generalized":
            problems += self._generalized()
        if problems:
            raise Refused(*problems)
        return self

    def _generalized(self) -> list[Problem]:
        problems = []
        allowed = "allowed: one or more of " + ", ".join(get_args(LockedAxis)) + ", each once"
        if not self.locked:
            problems.append(Problem("locked", f"no axis is locked; {allowed}"))
        if len(set(self.locked)) < len(self.locked):
            problems.append(Problem("locked", f"an axis stands twice; {allowed}"))
        for axis in self.driven.axes() if self.driven else ():
            if axis not in self.locked:
                problems.append(
                    Problem(f"driven.{axis}", f"only locked axes can be driven; add '{axis}' to locked")
                )
        if self.rotation_pair is not None:
            problems += self._pair_problems(self.rotation_pair)
        return problems

    def _pair_problems(self, text: str) -> list[Problem]:
        rotations = [r for r in ROTATIONS if r in self.locked]
        if len(rotations) != 1:
            return [
                Problem(
                    "rotation_pair",
                    f"needs exactly one locked rotation, here are {len(rotations)}; remove it",
                )
            ]
        others = "xyz".replace(rotations[0][1], "")
        allowed = [f"a{others[0]}.b{others[1]}", f"a{others[1]}.b{others[0]}"]
        if not re.fullmatch(r"a[xyz]\.b[xyz]", text) or text not in allowed:
            return [
                Problem(
                    "rotation_pair", f"'{text}' does not lock {rotations[0]}; allowed: {' or '.join(allowed)}"
                )
            ]
        return []


class Joint(JointType):
    """A joint between a parent (a body or the ground) and a child body. Points and frames are given in
    structure axes."""

    name: Name
    """Name of the joint in paths and tables."""
    parent: str
    """Body that carries the joint frame, or "ground"."""
    child: str
    """The other body."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Joint point on the parent [m], drawing coordinates of the parent (inertial ones on the ground)."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Joint point on the child [m], drawing coordinates of the child."""
    parent_frame: Attitude | None = None
    """Joint axes in the parent's structure axes (inertial ones on the ground); none means parallel."""
    child_frame: Attitude | None = None
    """Joint axes in the child's structure axes; none means parallel."""
    active: StrictBool = True
    """False for a joint that waits to be attached."""
    assemble: StrictBool = False
    """True to move the bodies until an inconsistent start fits this joint, however far; the move is
    reported."""
