"""Declarations of joints between two bodies, or between a body and the ground."""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from pydantic import StrictBool, StrictInt, model_validator

from ..tree.declaration import Declaration
from ..tree.errors import Problem, Refused, Written
from ..tree.names import Name
from ..tree.units import si
from .frames import Attitude
from .motion import DrivenAxes
from .pattern import Circle, Repeatable
from .rate_motion import PrescribedRates

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
    "velocity",
    "knife_edge",
    "rolling",
]
LockedAxis = Literal["tx", "ty", "tz", "rx", "ry", "rz"]
ROTATIONS = ("rx", "ry", "rz")
DEFAULT_PAIR = {"rx": "ay.bz", "ry": "az.bx", "rz": "ax.by"}
"""Default axes of each locked rotation: an axis of the parent (a) and an axis of the child (b) that stay
perpendicular.
"""
LEAST_ANGLE = np.radians(1.0)
"""Minimum angle [rad] of the two axes of a rotation row from the parallel and the opposite direction.

At 0 and 180 deg, the rate of the row is zero for all motions. Such a row constrains nothing.
"""

APPLIES_TO = {
    "axis": ("revolute", "cylindrical", "translational", "planar", "knife_edge"),
    "axes": ("universal",),
    "angle": ("universal", "generalized"),
    "rotates": ("planar",),
    "length": ("rod",),
    "locked": ("generalized", "velocity"),
    "rotation_pair": ("generalized",),
    "driven": ("generalized",),
    "axes_of": ("velocity",),
    "rates": ("velocity",),
    "radius": ("rolling",),
}
"""Kinds of joint to which each option applies, by the name of the option."""


class JointType(Declaration):
    """Base class for the kind of a joint and its options."""

    kind: JointKind
    """Kind of joint, which defines the free axes."""
    axis: Literal["x", "y", "z"] | None = None
    """Revolute, cylindrical or translational joint: the free axis in the joint frame (default: z). Planar
    joint: the normal (default: y). Knife edge: the axis of the child's joint frame across the edge (default:
    y)."""
    axes: Literal["xy", "xz", "yx", "yz", "zx", "zy"] | None = None
    """Universal joint: the axis that is fixed in the parent, then the axis that is fixed in the child. The
    two axes remain perpendicular. Default: yz."""
    angle: Annotated[Any, si("rad")] | None = None
    """Universal joint, or generalized joint with one locked rotation: the constrained angle between the axis
    on the parent and the axis on the child [rad], 1 to 179 deg. Default: 90 deg."""
    rotates: StrictBool = True
    """Planar joint: whether the child can rotate about the normal."""
    length: Annotated[Any, si("m", positive=True)] | None = None
    """Rod: distance between the two joint points [m]. Default: the distance at the start."""
    locked: tuple[LockedAxis, ...] = ()
    """Generalized joint: the locked axes, any of tx, ty, tz (in the parent's joint frame) and rx, ry, rz.
    Velocity joint: the axes along and about which the velocity is prescribed."""
    rotation_pair: str | None = None
    """Generalized joint with one locked rotation: the axes that stay perpendicular, like "ay.bz" (y of the
    parent's joint frame and z of the child's). Default: rx: ay.bz, ry: az.bx, rz: ax.by."""
    driven: DrivenAxes | None = None
    """Generalized joint: prescribed motions of locked axes. Default: locked axes do not move."""
    axes_of: Literal["parent", "child"] = "parent"
    """Velocity joint: the body in whose joint frame the locked axes are fixed."""
    rates: PrescribedRates | None = None
    """Velocity joint: prescribed velocities of locked axes. Default: zero."""
    radius: Annotated[Any, si("m", positive=True)] | None = None
    """Rolling joint: radius of the thin disk [m]. The axle of the disk is the joint z axis of the child. The
    disk rolls without slip on the plane through the parent's joint point. The joint z axis of the parent is
    the normal of the plane, on the disk's side."""

    @property
    def free_axis(self) -> str:
        """Value of the field `axis`, or the default axis for this kind of joint."""
        return self.axis or ("y" if self.kind in ("planar", "knife_edge") else "z")

    @property
    def universal_axes(self) -> str:
        """Value of the field `axes`, or the default axes."""
        return self.axes or "yz"

    @property
    def pair(self) -> tuple[str, str]:
        """Axis of the parent and axis of the child that stay perpendicular, for example ("y", "z"), if one
        rotation is locked.
        """
        rotation = next(r for r in ROTATIONS if r in self.locked)
        text = self.rotation_pair or DEFAULT_PAIR[rotation]
        return text[1], text[4]

    @model_validator(mode="after")
    def _options(self) -> JointType:
        problems = [
            Problem(
                option,
                f"'{option}' does not apply to a {self.kind} joint, only to {', '.join(kinds)} joints. "
                "Remove this key",
            )
            for option, kinds in APPLIES_TO.items()
            if self.kind not in kinds and getattr(self, option) != type(self).model_fields[option].default
        ]
        if self.kind in APPLIES_TO["locked"]:
            problems += self._locked_problems()
        if self.kind == "generalized":
            problems += self._one_rotation_problems()
        if self.kind == "rolling" and self.radius is None:
            problems.append(
                Problem(
                    "radius",
                    "'radius' is missing. Give the radius of the rolling disk, for example radius = "
                    '"0.3 m"',
                )
            )
        if self.angle is not None and self.kind in APPLIES_TO["angle"]:
            problems += self._angle_problems(self.angle)
        if problems:
            raise Refused(*problems)
        return self

    def _locked_problems(self) -> list[Problem]:
        problems = []
        allowed = "Give one or more of " + ", ".join(get_args(LockedAxis)) + ", each once"
        if not self.locked:
            problems.append(Problem("locked", f"the list is empty. {allowed}"))
        if len(set(self.locked)) < len(self.locked):
            problems.append(Problem("locked", f"an axis is listed twice. {allowed}"))
        for field, what in (("driven", "be driven"), ("rates", "have a prescribed velocity")):
            prescribed = getattr(self, field)
            if self.kind not in APPLIES_TO[field] or prescribed is None:
                continue
            problems += [
                Problem(f"{field}.{axis}", f"only locked axes can {what}. Add '{axis}' to locked")
                for axis in prescribed.axes()
                if axis not in self.locked
            ]
        return problems

    def _one_rotation_problems(self) -> list[Problem]:
        """Problems of the options that need exactly one locked rotation."""
        rotations = [r for r in ROTATIONS if r in self.locked]
        problems = [
            Problem(
                option,
                f"'{option}' needs exactly one rotation in 'locked', but 'locked' has {len(rotations)}. "
                f"Lock exactly one rotation, or remove '{option}'",
            )
            for option in ("rotation_pair", "angle")
            if getattr(self, option) is not None and len(rotations) != 1
        ]
        if self.rotation_pair is not None and len(rotations) == 1:
            problems += self._pair_problems(self.rotation_pair, rotations)
        return problems

    def _angle_problems(self, angle: Any) -> list[Problem]:
        if not isinstance(angle, np.ndarray):
            return []  # traced
        least = LEAST_ANGLE * (1 - 1e-12)  # degrees are rounded as they are turned into radians
        wrong = ~((angle >= least) & (angle <= np.pi - least))
        if not wrong.any():
            return []
        text = "{angle} is out of range. Give 1 to 179 deg. At 0 and 180 deg the two axes are parallel"
        return [Problem("angle", Written(f"{text}, and the joint must lock one more rotation"))]

    def _pair_problems(self, text: str, rotations: list[str]) -> list[Problem]:
        others = "xyz".replace(rotations[0][1], "")
        allowed = [f"a{others[0]}.b{others[1]}", f"a{others[1]}.b{others[0]}"]
        if not re.fullmatch(r"a[xyz]\.b[xyz]", text) or text not in allowed:
            return [
                Problem(
                    "rotation_pair", f"'{text}' does not lock {rotations[0]}. Give {' or '.join(allowed)}"
                )
            ]
        return []


class Joint(Repeatable, JointType):
    """A joint between a parent (a body or the ground) and a child body. Points and frames are given in
    structural axes."""

    points: ClassVar[tuple[str, ...]] = ("parent_at", "child_at")
    frames: ClassVar[tuple[str, ...]] = ("parent_frame", "child_frame")
    stands: ClassVar[tuple[tuple[str, str], ...]] = (("parent", "parent_at"), ("child", "child_at"))
    """Attachment points on flexible bodies, as for effects (`model.effect`)."""

    name: Name
    """Name of the joint in paths and tables."""
    count: StrictInt | None = None
    """Number of equal joints. The members of "port" have the names port_1, port_2 and so on. In paths, in
    the lists of legs and devices, and in `release`, `attach` and `replace`, the name "port" refers to all
    members. In texts, # stands for the number of the member. Default: the number of copies if the parent
    or the child has copies; otherwise a single joint."""
    circle: Circle | None = None
    """Circle on which the members have equal angular spacing. It rotates the joint points and the joint
    frames, except on copies of a body. Default: the circle of the copies; otherwise all members at one
    position."""
    parent: str
    """Body to which the joint frame belongs, or "ground"."""
    child: str
    """Body that the joint connects to the parent."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Joint point on the parent [m], structural coordinates of the parent. For the ground: inertial
    coordinates."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Joint point on the child [m], structural coordinates of the child."""
    parent_frame: Attitude | None = None
    """Orientation of the joint axes in the parent's structural axes. For the ground: in inertial axes.
    Default: parallel."""
    child_frame: Attitude | None = None
    """Orientation of the joint axes in the child's structural axes. Default: parallel."""
    stiffness: Annotated[Any, si("N/m", (3,), positive=True)] | None = None
    """Stiffness of the attachment along the axes of the parent's joint frame [N/m]. The stiffness only
    distributes loads between redundant attachments. The joint itself does not deflect. Default: the same
    stiffness for all joints."""
    torsional_stiffness: Annotated[Any, si("N m/rad", (3,), positive=True)] | None = None
    """Stiffness about the axes of the parent's joint frame [N m/rad], to distribute torques between redundant
    attachments. Default: `stiffness` times the square of `solver.sharing_length`."""
    active: StrictBool = True
    """Whether the joint acts from the start. If false, the joint can be attached later."""
    assemble: StrictBool = False
    """If true, an inconsistent initial state is corrected: the bodies are moved by any distance until the
    state satisfies this joint. The run reports the displacement."""
