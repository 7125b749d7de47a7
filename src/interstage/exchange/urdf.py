"""Read mechanisms in the Unified Robot Description Format (URDF): links, joints and shapes.

Lengths are in metres, angles in radians, masses in kilograms. "rpy" are rotations about the fixed axes x, y
and z, in this order. The moments of inertia are about the centre of mass, and the products are elements of
the tensor.

Source: wiki.ros.org/urdf/XML, pages link, joint and model.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..tree.errors import BadInput, Problem
from ..tree.guarded_reader import URDF
from . import xml_file
from .xml_file import Element

KINDS = ("fixed", "revolute", "continuous", "prismatic", "planar", "floating")
WITH_AXIS = ("revolute", "continuous", "prismatic", "planar")
TENSOR = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))
SHAPES = {"box": ("size", 3), "cylinder": ("radius length", 1), "sphere": ("radius", 1), "mesh": ("", 0)}
"""Kinds of shapes: names of their required attributes, and numbers in each."""
SILENT = ("material",)
"""Elements without an effect on the motion, which are not listed."""


class UrdfShape(NamedTuple):
    """Shape of a link.

    - sizes: edges of a box (3,), radius and length of a cylinder (2,), radius of a sphere (1,), or the scale
      factors of a mesh (3,) [m].
    - position (3,) [m], rotation (3, 3): the axes of the shape in those of the link.
    - file: address of a mesh as in the file.
    """

    kind: str
    sizes: np.ndarray
    position: np.ndarray
    rotation: np.ndarray
    file: str = ""


class UrdfLink(NamedTuple):
    """Link, with its properties in the axes of the link.

    - mass [kg]; zero without inertial properties. centre (3,) [m]. inertia (3, 3) [kg m^2] about the centre.
    - shapes: of the collision geometry, otherwise of the visual geometry.
    """

    name: str
    line: int
    mass: float
    centre: np.ndarray
    inertia: np.ndarray
    shapes: tuple[UrdfShape, ...]


class UrdfJoint(NamedTuple):
    """Joint between two links.

    - position (3,) [m], rotation (3, 3): axes of the child in those of the parent, at zero displacement.
    - axis (3,): unit vector in these axes.
    - lower, upper: limits [rad] or [m]; None without limits. effort: [N m] or [N]; zero if not given.
    - damping: [N m s/rad] or [N s/m].
    """

    name: str
    line: int
    kind: str
    parent: str
    child: str
    position: np.ndarray
    rotation: np.ndarray
    axis: np.ndarray
    lower: float | None
    upper: float | None
    effort: float
    damping: float


@dataclass
class Urdf:
    """Contents of a file. omitted: contents that are not read, with lines. root: name of the root link."""

    name: str
    links: dict[str, UrdfLink] = field(default_factory=dict)
    joints: list[UrdfJoint] = field(default_factory=list)
    omitted: list[str] = field(default_factory=list)
    root: str = ""

    def joint_order(self) -> list[UrdfJoint]:
        """Return the joints from the root outward."""
        found: list[UrdfJoint] = []
        known = [self.root]
        for name in known:
            own = [joint for joint in self.joints if joint.parent == name]
            found += own
            known += [joint.child for joint in own if joint.child not in known]
        return found


def read(path: str | Path) -> Urdf:
    """Return the contents of a file. Raises BadInput with all faults and their lines."""
    root = xml_file.read(path, URDF)
    if root.tag != "robot":
        text = f"the root element is <{root.tag}>. Give a URDF file, whose root is <robot>"
        raise BadInput(Problem("", text, root.line), str(path))
    reader = _Reader()
    found = reader.robot(root)
    if not reader.faults:
        reader.check_tree(found)
    if reader.faults:
        raise BadInput(sorted(reader.faults, key=lambda one: one.line or 0), str(path))
    return found


class _Reader:
    """Reads elements. faults: faults so far."""

    def __init__(self) -> None:
        self.faults: list[Problem] = []
        self.omitted: list[str] = []

    def fault(self, line: int, text: str) -> None:
        self.faults.append(Problem("", text, line))

    def robot(self, root: Element) -> Urdf:
        found = Urdf(root.attributes.get("name", "robot"), omitted=self.omitted)
        for kind in ("link", "joint"):
            names = Counter(one.attributes.get("name", "") for one in root.all(kind))
            for one in root.all(kind):
                name = one.attributes.get("name", "")
                if not name:
                    self.fault(one.line, f"<{kind}> has no name. Add the attribute")
                elif names[name] > 1:
                    self.fault(
                        one.line, f"the {kind} '{name}' occurs {names[name]} times. Use each name once"
                    )
        for one in root.all("link"):
            found.links[one.attributes.get("name", "")] = self.link(one)
        found.joints = [self.joint(one, found.links) for one in root.all("joint")]
        self.unread(root, ("link", "joint"), "robot")
        if not found.links:
            self.fault(root.line, "the file has no <link>. Add links")
        return found

    def unread(self, element: Element, known: tuple[str, ...], what: str) -> None:
        """List the child elements that are not read, and add a fault for unknown ones."""
        name = element.attributes.get("name", what)
        for child in element.children:
            if child.tag in known or child.tag in SILENT:
                continue
            where = "" if what == "robot" else f" of {what} {name}"
            self.omitted.append(f"line {child.line}: <{child.tag}>{where}")

    # --- links

    def link(self, element: Element) -> UrdfLink:
        name = element.attributes.get("name", "")
        mass, centre, inertia = 0.0, np.zeros(3), np.zeros((3, 3))
        for inertial in element.all("inertial")[:1]:
            mass, centre, inertia = self.inertial(inertial, name)
        drawn = element.all("collision") or element.all("visual")
        shapes = tuple(shape for one in drawn if (shape := self.shape(one)) is not None)
        self.unread(element, ("inertial", "collision", "visual"), "link")
        return UrdfLink(name, element.line, mass, centre, inertia, shapes)

    def inertial(self, element: Element, name: str) -> tuple[float, np.ndarray, np.ndarray]:
        centre, rotation = self.origin(element)
        mass = self.child(element, "mass", name)
        tensor = self.child(element, "inertia", name)
        size = self.number(mass, "value") if mass else 0.0
        if mass and size < 0:
            self.fault(mass.line, f"the mass {size:g} kg is negative. Give a mass of 0 or more")
        matrix = np.zeros((3, 3))
        if tensor:
            for key, i, j in TENSOR:
                default = 0.0 if i != j else None
                matrix[i, j] = matrix[j, i] = self.number(tensor, key, default)
        return size, centre, rotation @ matrix @ rotation.T

    def shape(self, element: Element) -> UrdfShape | None:
        position, rotation = self.origin(element)
        geometry = self.child(element, "geometry", element.tag)
        if geometry is None:
            return None
        kinds = geometry.all(*SHAPES)
        if len(kinds) != 1:
            self.fault(geometry.line, f"<geometry> needs one of {', '.join(SHAPES)}. Give one shape")
            return None
        (one,) = kinds
        keys, count = SHAPES[one.tag]
        if one.tag == "mesh":
            if "filename" not in one.attributes:
                self.fault(one.line, "<mesh> has no filename. Add the attribute")
            scale = self.numbers(one, "scale", 3, "1 1 1")
            return UrdfShape("mesh", scale, position, rotation, one.attributes.get("filename", ""))
        sizes = np.concatenate([self.numbers(one, key, count) for key in keys.split()])
        if not (sizes > 0).all():
            self.fault(one.line, f"a size of <{one.tag}> is not above zero. Give sizes above zero, in m")
        return UrdfShape(one.tag, sizes, position, rotation)

    # --- joints

    def joint(self, element: Element, links: dict[str, UrdfLink]) -> UrdfJoint:
        name, kind = (element.attributes.get(key, "") for key in ("name", "type"))
        if kind not in KINDS:
            self.fault(element.line, f"the joint type '{kind}' is unknown. Allowed: {', '.join(KINDS)}")
        position, rotation = self.origin(element)
        parent, child = (self.end(element, end, links) for end in ("parent", "child"))
        limit, dynamics = (next(iter(element.all(tag)), None) for tag in ("limit", "dynamics"))
        lower = upper = None
        if limit is not None and kind in ("revolute", "prismatic"):
            lower, upper = (self.number(limit, key, 0.0) for key in ("lower", "upper"))
            if lower > upper:
                self.fault(limit.line, f"the lower limit {lower:g} is above the upper limit {upper:g}")
        effort = 0.0 if limit is None else self.number(limit, "effort", 0.0)
        damping = 0.0 if dynamics is None else self.number(dynamics, "damping", 0.0)
        if limit is not None and (velocity := self.number(limit, "velocity", 0.0)):
            self.omitted.append(f"line {limit.line}: velocity limit {velocity:g} of joint {name}")
        if dynamics is not None and (friction := self.number(dynamics, "friction", 0.0)):
            self.omitted.append(f"line {dynamics.line}: friction {friction:g} of joint {name}")
        if damping < 0:
            self.fault(element.line, f"the damping {damping:g} is negative. Give a value of 0 or more")
        self.unread(element, ("origin", "parent", "child", "axis", "limit", "dynamics"), "joint")
        axis = self.axis(element, kind)
        return UrdfJoint(
            name, element.line, kind, parent, child, position, rotation, axis, lower, upper, effort, damping
        )

    def end(self, element: Element, end: str, links: dict[str, UrdfLink]) -> str:
        found = self.child(element, end, element.attributes.get("name", ""))
        link = "" if found is None else found.attributes.get("link", "")
        if found is not None and link not in links:
            self.fault(found.line, f"there is no link '{link}'. Allowed: {', '.join(filter(None, links))}")
        return link

    def axis(self, element: Element, kind: str) -> np.ndarray:
        found = next(iter(element.all("axis")), None)
        if found is None or kind not in WITH_AXIS:
            return np.array([1.0, 0.0, 0.0])
        axis = self.numbers(found, "xyz", 3, "1 0 0")
        size = float(np.linalg.norm(axis))
        if size == 0:
            self.fault(found.line, "the axis is zero. Give a direction, for example 0 0 1")
        return axis / (size or 1.0)

    # --- elements and numbers

    def child(self, element: Element, tag: str, name: str) -> Element | None:
        found = element.all(tag)
        if len(found) != 1:
            count = "no" if not found else "more than one"
            self.fault(element.line, f"<{element.tag}> of '{name}' has {count} <{tag}>. Give one")
            return None
        return found[0]

    def origin(self, element: Element) -> tuple[np.ndarray, np.ndarray]:
        """Position (3,) and rotation (3, 3) of the element <origin>."""
        found = next(iter(element.all("origin")), None)
        if found is None:
            return np.zeros(3), np.eye(3)
        roll, pitch, yaw = self.numbers(found, "rpy", 3, "0 0 0")
        return self.numbers(found, "xyz", 3, "0 0 0"), _about_fixed_axes(roll, pitch, yaw)

    def numbers(self, element: Element, key: str, count: int, default: str | None = None) -> np.ndarray:
        text = element.attributes.get(key, default)
        try:
            found = np.array([float(word) for word in (text or "").split()])
        except ValueError:
            found = np.zeros(0)
        if len(found) != count or not np.isfinite(found).all():
            have = "is missing" if text is None else f"is '{text[:40]}'"
            numbers = "one number" if count == 1 else f"{count} numbers"
            self.fault(element.line, f"the attribute {key} of <{element.tag}> {have}. Give {numbers}")
            return np.ones(count)
        return found

    def number(self, element: Element, key: str, default: float | None = None) -> float:
        return float(self.numbers(element, key, 1, None if default is None else str(default))[0])

    # --- the tree

    def check_tree(self, found: Urdf) -> None:
        """Add faults unless the joints connect all links to one root."""
        owners = Counter(joint.child for joint in found.joints)
        for joint in found.joints:
            if owners[joint.child] > 1:
                text = (
                    f"the link '{joint.child}' is the child of {owners[joint.child]} joints. Closed loops are"
                )
                self.fault(joint.line, f"{text} not allowed in URDF. Keep one joint")
        roots = [name for name in found.links if name not in owners]
        if len(roots) != 1:
            names = f" ({', '.join(roots)})" if roots else ""
            text = f"the file has {len(roots)} root links{names}. Connect all links to one root by joints"
            self.fault(1, text)
            return
        found.root = roots[0]
        reached = {found.root, *(joint.child for joint in found.joint_order())}
        for name, link in found.links.items():
            if name not in reached:
                self.fault(link.line, f"no joints connect the link '{name}' to the root '{found.root}'")
        for joint in found.joints:
            if joint.kind != "fixed" and found.links[joint.child].mass == 0:
                text = f"the link '{joint.child}' has no mass, but moves by the joint '{joint.name}'"
                self.fault(found.links[joint.child].line, f"{text}. Add <inertial> with a mass")


def _about_fixed_axes(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """Rotation matrix of rotations about the fixed axes x, y and z."""
    found = np.eye(3)
    for axis, angle in enumerate((roll, pitch, yaw)):
        i, j = ((1, 2), (2, 0), (0, 1))[axis]
        turn = np.eye(3)
        turn[i, i] = turn[j, j] = math.cos(angle)
        turn[j, i], turn[i, j] = math.sin(angle), -math.sin(angle)
        found = turn @ found
    return found
