"""Declarations of shapes of bodies, for clearances and contacts.

Positions are in the structural coordinates of the body, directions in its structural axes. Shapes have no
mass; the mass of a body is declared separately.
"""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, StrictInt, model_validator

from ..tree.declaration import ByName, Declaration, OneOf
from ..tree.errors import Refused
from ..tree.names import Name
from ..tree.units import si
from .frames import Attitude

MESH_FILES = (".stl", ".obj", ".glb", ".gltf")
"""Extensions of mesh files that can be read."""
THIN = 1e-6
"""Minimum ratio of thickness to extent of a solid. A thinner solid counts as flat, because its hull depends
on rounding errors.
"""
SECTORS = (8, 512)
"""Minimum and maximum number of sectors into which a shell is divided."""
LEAST_SECTOR = np.radians(1.0)
"""Minimum angle [rad] from the start to the end of a sector of a solid of revolution."""
OBLIQUE = 1e-9
"""Largest sine of the angle between an axis and a structural axis at which they count as parallel."""


class Sphere(Declaration):
    """A sphere."""

    kind: Literal["sphere"] = "sphere"
    """A sphere."""
    name: Name
    """Name of the shape in paths and tables."""
    at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Centre of the sphere [m], structural coordinates."""
    radius: Annotated[Any, si("m", positive=True)]
    """Radius [m]."""


class AlongAxis(Declaration):
    """Base class of shapes with an axis."""

    name: Name
    """Name of the shape in paths and tables."""
    at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Start of the axis [m], structural coordinates. The start is the centre of the first end."""
    axis: Annotated[Any, si("1", (3,))]
    """Direction of the axis from `at`, structural axes. Only the direction of the vector is used."""

    @model_validator(mode="after")
    def _has_direction(self) -> AlongAxis:
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            raise Refused(("axis", "the vector is zero. Give a direction like [0, 0, 1]"))
        return self


class Capsule(AlongAxis):
    """A cylinder with a hemisphere on each end."""

    kind: Literal["capsule"] = "capsule"
    """A cylinder with hemispherical ends."""
    length: Annotated[Any, si("m", positive=True)]
    """Distance between the centres of the two hemispheres [m]. The first centre is at `at`."""
    radius: Annotated[Any, si("m", positive=True)]
    """Radius [m]."""


class Cylinder(AlongAxis):
    """A solid cylinder with flat ends."""

    kind: Literal["cylinder"] = "cylinder"
    """A solid cylinder."""
    length: Annotated[Any, si("m", positive=True)]
    """Length [m]."""
    radius: Annotated[Any, si("m", positive=True)]
    """Radius [m]."""


class Sector(AlongAxis):
    """Base class of solids of revolution that can be limited to a sector, like the half of a fairing."""

    from_angle: Annotated[Any, si("rad")] | None = Field(default=None, alias="from")
    """Angle at which the sector begins [rad], right-handed about `axis`. Requires `to`. Default: the complete
    solid."""
    to_angle: Annotated[Any, si("rad")] | None = Field(default=None, alias="to")
    """Angle at which the sector ends [rad]: 1 to 359 deg more than `from`."""
    zero: Annotated[Any, si("1", (3,))] | None = None
    """Direction of the angle zero, structural axes. Only its component perpendicular to `axis` is used.
    Default: y for an axis along x, z for an axis along y, x for an axis along z."""

    @model_validator(mode="after")
    def _is_sector(self) -> Sector:
        begin, end = self.from_angle, self.to_angle
        if begin is None and end is None:
            if self.zero is not None:
                raise Refused(("zero", "'zero' needs a sector. Set 'from' and 'to', or remove 'zero'"))
            return self
        if begin is None or end is None:
            missing, given = ("from", "to") if begin is None else ("to", "from")
            raise Refused((missing, f"'{given}' is set without '{missing}'. Set both angles of the sector"))
        if isinstance(begin, np.ndarray) and isinstance(end, np.ndarray):
            self._has_angle(np.degrees(np.asarray(end - begin)).ravel())
        if isinstance(self.axis, np.ndarray):
            self._has_angle_zero(self.axis)
        return self

    @staticmethod
    def _has_angle(spans: np.ndarray) -> None:
        low, high = np.degrees(LEAST_SECTOR), 360 - np.degrees(LEAST_SECTOR)
        # Degrees are rounded as they are converted to radians.
        wrong = spans[(spans < low * (1 - 1e-9)) | (spans > high * (1 + 1e-9))]
        if not wrong.size:
            return
        text = f"the sector from 'from' to 'to' has {wrong[0]:.6g} deg; allowed: {low:g} to {high:g} deg."
        if wrong[0] < 0:
            fix = "'to' must be greater than 'from': exchange the angles, or add 360 deg to 'to'"
        elif wrong[0] > high:
            fix = "For the complete solid, remove 'from' and 'to'"
        else:
            fix = "Increase 'to'"
        raise Refused(("to", f"{text} {fix}"))

    def _has_angle_zero(self, axis: np.ndarray) -> None:
        zero = self.zero if self.zero is not None else default_zero(axis)
        if zero is None:
            text = "the axis is not along x, y or z, so that the angle zero of the sector has no default"
            raise Refused(("zero", f"{text}. Set 'zero', for example zero = [1, 0, 0]"))
        if isinstance(zero, np.ndarray):
            area = np.cross(axis, zero, axis=0)
            lengths = np.sqrt((axis * axis).sum(0) * (zero * zero).sum(0))
            if not (np.sqrt((area * area).sum(0)) > THIN * lengths).all():
                text = "the direction is zero or parallel to the axis. Give a direction across the axis"
                raise Refused(("zero", text))

    @property
    def sector(self) -> tuple[float, float] | None:
        """Angles [rad] at which the sector begins and ends, or None for the complete solid."""
        if self.from_angle is None or self.to_angle is None:
            return None
        return float(self.from_angle), float(self.to_angle)


def default_zero(axis: np.ndarray) -> np.ndarray | None:
    """Return the default direction (3,) of the angle zero about an axis (3, *cases): the structural axis that
    follows the axis. Return None if the axis is oblique.
    """
    sizes = np.abs(axis).reshape(3, -1)
    along = int(np.argmax(sizes[:, 0]))
    if (np.delete(sizes, along, axis=0) > OBLIQUE * sizes[along]).any():
        return None
    return np.eye(3)[(along + 1) % 3]


def sector_axes(shape: Sector) -> np.ndarray:
    """Return the rotation (3, 3) from the axes of a sector to structural axes. The third column is the axis;
    the first column is the middle of the sector.
    """
    assert shape.sector is not None
    z = np.asarray(shape.axis, float)
    zero = np.asarray(shape.zero if shape.zero is not None else default_zero(z), float)
    z = z / np.sqrt(z @ z)
    x = zero - (zero @ z) * z
    x = x / np.sqrt(x @ x)
    middle = 0.5 * (shape.sector[0] + shape.sector[1])
    y = np.cross(z, x)
    x = np.cos(middle) * x + np.sin(middle) * y
    return np.stack([x, np.cross(z, x), z], axis=1)


class Cone(Sector):
    """A solid cone, or a frustum of a cone, or a sector of it."""

    kind: Literal["cone"] = "cone"
    """A solid cone or frustum."""
    length: Annotated[Any, si("m", positive=True)]
    """Length [m]."""
    radius: Annotated[Any, si("m", nonnegative=True)]
    """Radius of the first end [m], at `at`; zero for a tip."""
    end_radius: Annotated[Any, si("m", nonnegative=True)] = 0.0
    """Radius of the other end [m]; zero for a tip."""

    @model_validator(mode="after")
    def _has_width(self) -> Cone:
        if all(isinstance(v, np.ndarray) for v in (self.radius, self.end_radius)):
            widest = np.maximum(self.radius, self.end_radius)
            if not (widest > 0).all():
                raise Refused(
                    ("radius", "the radius is zero at both ends. Give a radius above zero for one end")
                )
            if isinstance(self.length, np.ndarray):
                length, widest = np.broadcast_arrays(self.length, widest)
                for key, small, large in (("length", length, 2 * widest), ("radius", 2 * widest, length)):
                    self._is_thick(key, small, large)
        return self

    @staticmethod
    def _is_thick(key: str, small: np.ndarray, large: np.ndarray) -> None:
        if (small < THIN * large).any():
            worst = int(np.argmin((small - THIN * large).ravel()))
            across = "its length" if key == "length" else "its diameter"
            have, extent = small.ravel()[worst], large.ravel()[worst]
            text = f"{across} of {have:g} m is less than {THIN:g} times the extent of {extent:g} m"
            raise Refused((key, f"{text}. Increase this size, for example to {1e-3 * extent:.3g} m"))


class Ogive(AlongAxis):
    """A tangent ogive: a nose whose arc is tangent to the axis direction at its base."""

    kind: Literal["ogive"] = "ogive"
    """A tangent ogive, like a nose or fairing."""
    length: Annotated[Any, si("m", positive=True)]
    """Length from the base, at `at`, to the tip [m]; at least the radius."""
    radius: Annotated[Any, si("m", positive=True)]
    """Radius of the base [m]."""

    @model_validator(mode="after")
    def _is_pointed(self) -> Ogive:
        if all(isinstance(v, np.ndarray) for v in (self.length, self.radius)):
            length, radius = np.broadcast_arrays(self.length, self.radius)
            if (length < radius * (1 - 1e-12)).any():
                short = int(np.argmin((length - radius).ravel()))
                raise Refused(
                    (
                        "length",
                        f"the length {length.ravel()[short]:g} m is less than the radius "
                        f"{radius.ravel()[short]:g} m. A tangent ogive must be at least as long as its "
                        "radius. Give a greater length",
                    )
                )
        return self


class Box(Declaration):
    """A box."""

    kind: Literal["box"] = "box"
    """A box."""
    name: Name
    """Name of the shape in paths and tables."""
    at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Centre of the box [m], structural coordinates."""
    size: Annotated[Any, si("m", (3,), positive=True)]
    """Lengths of the three edges [m], along the box's own axes."""
    attitude: Attitude | None = None
    """Orientation of the box's axes in the body's structural axes. Default: parallel."""


class Shell(Sector):
    """A hollow solid of revolution with straight walls between stations, like an interstage or a skirt, or a
    sector of it, like the half of a fairing."""

    kind: Literal["shell"] = "shell"
    """A hollow solid of revolution."""
    stations: Annotated[Any, si("m", ("n",))]
    """Axial positions of the inner and outer radii [m], from `at`, increasing."""
    inner: Annotated[Any, si("m", ("n",), nonnegative=True)]
    """Inner radius at each station [m]."""
    outer: Annotated[Any, si("m", ("n",), positive=True)]
    """Outer radius at each station [m]."""
    sectors: StrictInt = 32
    """Number of convex sectors of a complete turn for the first search of the distance. The final distance
    refers to the round walls and does not depend on this number. Depths of overlap refer to the flat
    sectors, which are inside the wall by up to 1 - cos(pi / sectors) of the outer radius (sagitta)."""

    @model_validator(mode="after")
    def _check(self) -> Shell:
        low, high = SECTORS
        if not low <= self.sectors <= high:
            raise Refused(
                ("sectors", (f"sectors = {self.sectors} is out of range. Give {low} to {high} sectors"))
            )
        if not all(isinstance(v, np.ndarray) for v in (self.stations, self.inner, self.outer)):
            return self
        counts = len(self.stations), len(self.inner), len(self.outer)
        if len(set(counts)) != 1:
            have = "stations, inner and outer have {}, {} and {} numbers".format(*counts)
            raise Refused(("stations", f"{have}. Give one inner and one outer radius for each station"))
        if counts[0] < 2:
            raise Refused(
                (
                    "stations",
                    "'stations' has fewer than 2 stations. Give at least the two ends of the shell",
                )
            )
        if (np.diff(self.stations, axis=0) <= 0).any():
            raise Refused(("stations", "the stations must be in increasing order. Sort the stations"))
        lanes = (1,) * (max(self.inner.ndim, self.outer.ndim) - 1)
        sides = (v.reshape(-1, *(v.shape[1:] or lanes)) for v in (self.inner, self.outer))
        inner, outer = np.broadcast_arrays(*sides)
        if (inner >= outer).any():
            thin = int(np.argwhere(inner >= outer)[0][0])
            values = (
                f"{np.ravel(inner[thin])[0]:g} m inner radius, {np.ravel(outer[thin])[0]:g} m outer radius"
            )
            remedy = "Give an outer radius above the inner radius"
            raise Refused(("outer", f"the wall at station {thin + 1} has no thickness: {values}. {remedy}"))
        self._has_thickness(inner, outer)
        return self

    def _has_thickness(self, inner: np.ndarray, outer: np.ndarray) -> None:
        gaps = np.diff(self.stations, axis=0)
        sides = gaps.reshape(len(gaps), -1).max(1)
        extent = np.maximum(np.r_[sides, 0], np.r_[0, sides]) + outer.reshape(len(outer), -1).max(1)
        walls = (outer - inner).reshape(len(outer), -1).min(1)
        if (walls < THIN * extent).any():
            thin = int(np.argmax(walls < THIN * extent))
            text = (
                f"the wall at station {thin + 1} is {walls[thin]:.3g} m thick, less than {THIN:g} of"
                f" its extent of {extent[thin]:.3g} m"
            )
            remedy = f"Give a greater thickness, for example {1e-3 * extent[thin]:.3g} m"
            raise Refused(("outer", f"{text}. {remedy}"))
        if (sides < THIN * extent[1:]).any():
            short = int(np.argmax(sides < THIN * extent[1:]))
            text = (
                f"stations {short + 1} and {short + 2} are {sides[short]:.3g} m apart. The distance must"
                " be at least"
            )
            raise Refused(
                (
                    "stations",
                    (
                        f"{text} {THIN:g} of the extent of the shell at these stations. Remove "
                        "one of the two stations"
                    ),
                )
            )


class Mesh(Declaration):
    """A surface of closed convex pieces that is read from a file."""

    kind: Literal["mesh"] = "mesh"
    """A surface of triangles from a file."""
    name: Name
    """Name of the shape in paths and tables."""
    file: str
    """Path of an STL, OBJ or glTF file (.stl, .obj, .glb, .gltf), relative to the folder of the scenario."""
    unit: Annotated[Any, si("m", positive=True)] = 1.0
    """Length of one unit of the file [m], like "1 mm" or "1 in". Default: 1 m."""
    parts: Literal["convex", "hull"] = "convex"
    """Treatment of the connected pieces of the file. "convex": each piece must be closed and convex. "hull":
    each piece is replaced by its convex hull. A hollow or bent body needs several convex pieces."""
    at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Position of the file's origin [m], structural coordinates."""
    attitude: Attitude | None = None
    """Orientation of the file's axes in the body's structural axes. Default: parallel."""

    @model_validator(mode="after")
    def _is_mesh(self) -> Mesh:
        if os.path.splitext(self.file)[1].lower() not in MESH_FILES:
            listed = ", ".join(MESH_FILES)
            raise Refused(
                ("file", f"'{self.file}' has a file extension that is not supported. Allowed: {listed}")
            )
        return self


AnyShape = Annotated[Sphere | Capsule | Cylinder | Cone | Ogive | Box | Shell | Mesh, OneOf()]

Shapes = Annotated[tuple[AnyShape, ...], ByName()]
"""Type of the shapes of a body, by name."""
