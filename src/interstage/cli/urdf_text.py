"""TOML text of a scenario from a mechanism in URDF, with a list of the contents that are not used.

Structural coordinates of a body are the axes of its link. The joint axis is z of the joint frames. Links
without mass that are fixed to another link are parts of this link.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..exchange.urdf import Urdf, UrdfJoint, UrdfLink, UrdfShape
from ..maths.rotations import quaternion_of_matrix
from ..model.geometry import MESH_FILES
from ..tree.names import GROUND, PATTERN

JOINTS = {
    "fixed": "fixed",
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "translational",
    "planar": "planar",
}
"""Kind of joint for each type of URDF. A floating joint connects nothing."""
STOP_ANGLE, STOP_TRAVEL = math.radians(1.0), 1e-3
"""Deflection [rad], [m] of a stop under the largest effort of the joint."""
STOP_STIFFNESS = 1e4
"""Stiffness [N m/rad], [N/m] of a stop of a joint without effort limit."""
SMALL = 1e-12
"""Components of vectors and quaternions below this size are rounding."""


class Place(NamedTuple):
    """Axes of a link in those of a body, or of the ground: body, position (3,) [m], rotation (3, 3)."""

    body: str
    position: np.ndarray
    rotation: np.ndarray

    def at(self, position: np.ndarray, rotation: np.ndarray) -> Place:
        """Return axes that are given in the axes of the link, in those of the body."""
        return Place(self.body, self.position + self.rotation @ position, self.rotation @ rotation)


class UrdfScenario:
    """Scenario of a mechanism. Text and omitted contents are complete after the first use of `text`.

    - urdf: contents of the file.
    - file: path of the file, which the addresses of meshes refer to.
    - folder: folder of the scenario file, which paths of meshes are relative to.
    """

    def __init__(self, urdf: Urdf, file: Path, folder: Path) -> None:
        self.urdf, self.file, self.folder = urdf, file, folder
        self.omitted = list(urdf.omitted)
        self.names = self._names([*urdf.links], "link", {GROUND})
        self.joint_names = self._names([joint.name for joint in urdf.joints], "joint", set())
        self.places = self._places()
        self.forces: list[str] = []

    @cached_property
    def text(self) -> str:
        """Return the scenario as TOML."""
        bodies = [self._body(name) for name in self._owners()]
        joints = [text for joint in self.urdf.joint_order() if (text := self._joint(joint))]
        head = [self._head(), *bodies, *joints, *self.forces]
        phase = '[phases.motion]\nuntil = { elapsed = "1 s" }\n'
        sources = self._sources()
        comments = [f"# - {one}" for one in self.omitted] or ["# - nothing"]
        listed = "\n".join(["# Not used from the file:", *comments]) + "\n"
        return "\n".join([*head, phase, *sources, listed])

    def _head(self) -> str:
        title = _toml_string(self.urdf.name)
        return (
            f"# Written by interstage new --from {self.file.name}.\n#\n"
            "# Structural coordinates of each body are the axes of its link. Joint axes are z of the joint\n"
            "# frames. The end of this file lists the contents of the URDF file that are not used.\n\n"
            f"title = {title}\n\n"
            '[gravity]  # URDF has no gravity; remove this table in free space\nkind = "uniform"\n'
            'acceleration = "[0, 0, -9.80665] m/s^2"\n'
        )

    # --- names and places

    def _names(self, names: list[str], what: str, taken: set[str]) -> dict[str, str]:
        """Names that are allowed in scenarios, by the names of the file. A changed name is listed."""
        found: dict[str, str] = {}
        for name in names:
            stem = new = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:60]
            stem = new = stem if re.fullmatch(PATTERN, stem) else f"{what}_{stem}"[:60]
            number = 2
            while new in taken:
                new, number = f"{stem}_{number}", number + 1
            taken.add(new)
            found[name] = new
            if new != name:
                self.omitted.append(f"the name '{name}' of a {what}, which is '{new}' here")
        return found

    def _places(self) -> dict[str, Place]:
        """Body, position and rotation of each link. Links without mass belong to another body."""
        root = self.urdf.links[self.urdf.root]
        own = self.names[root.name] if root.mass else GROUND
        if own == GROUND:
            self.omitted.append(f"line {root.line}: link {root.name} has no mass and is the ground")
        else:
            text = (
                f"line {root.line}: the fixture of the root link {root.name}, which is free here. To fix it,"
            )
            self.omitted.append(f'{text} add a fixed joint with parent = "ground"')
        found = {root.name: Place(own, np.zeros(3), np.eye(3))}
        for joint in self.urdf.joint_order():
            link = self.urdf.links[joint.child]
            if link.mass:
                found[link.name] = Place(self.names[link.name], np.zeros(3), np.eye(3))
            else:
                found[link.name] = found[joint.parent].at(joint.position, joint.rotation)
        return found

    def _owners(self) -> list[str]:
        """Links with mass, from the root outward."""
        order = [self.urdf.root, *(joint.child for joint in self.urdf.joint_order())]
        return [name for name in order if self.urdf.links[name].mass]

    def _start(self, name: str) -> Place:
        """Axes of a link in those of the root link, at zero displacements."""
        parents = {joint.child: joint for joint in self.urdf.joints}
        found = Place(GROUND, np.zeros(3), np.eye(3))
        chain = []
        while name in parents:
            chain.append(parents[name])
            name = parents[name].parent
        for joint in reversed(chain):
            found = found.at(joint.position, joint.rotation)
        return found

    # --- bodies

    def _body(self, name: str) -> str:
        link, own = self.urdf.links[name], self.names[name]
        lines = [f"[bodies.{own}]", f"mass = {_number(link.mass, 'kg')}"]
        lines.append(f"mass_centre = {_vector(link.centre, 'm')}")
        tensor = ", ".join(str([_round(x) for x in row]) for row in link.inertia)
        lines.append(f'inertia = "[{tensor}] kg m^2"')
        if np.abs(link.inertia - np.diag(np.diag(link.inertia))).max() > 0:
            lines.append('products = "tensor"')
        if _is_unphysical(link.inertia):
            lines.append(
                "allow_unphysical_inertia = true  # the largest moment is above the sum of the others"
            )
        joint = next((one for one in self.urdf.joints if one.child == name), None)
        if joint is None or joint.kind == "floating":
            lines.append(self._initial(name))
        lines += self._shapes(own)
        return "\n".join(lines) + "\n"

    def _initial(self, name: str) -> str:
        place = self._start(name)
        keys = ['of = "origin"']
        if np.abs(place.position).max() > SMALL:
            keys.append(f"position = {_vector(place.position, 'm')}")
        keys += [f"attitude = {turn}"] if (turn := _attitude(place.rotation)) else []
        return f"initial = {{ {', '.join(keys)} }}"

    def _shapes(self, own: str) -> Iterator[str]:
        links = [link for link in self.urdf.links.values() if self.places[link.name].body == own]
        count = 0
        for link in links:
            for shape in link.shapes:
                if (text := self._shape(link, shape)) is not None:
                    count += 1
                    yield f"shapes.{shape.kind}_{count} = {text}"

    def _shape(self, link: UrdfLink, shape: UrdfShape) -> str | None:
        place = self.places[link.name].at(shape.position, shape.rotation)
        keys = [f"at = {_vector(place.position, 'm')}"]
        turn = _attitude(place.rotation)
        match shape.kind:
            case "sphere":
                keys.append(f"radius = {_number(shape.sizes[0], 'm')}")
            case "cylinder":
                radius, length = shape.sizes
                axis = place.rotation[:, 2]
                start = place.position - 0.5 * length * axis
                keys = [f"at = {_vector(start, 'm')}", f"axis = {[_round(x) for x in axis]}"]
                keys += [f"length = {_number(length, 'm')}", f"radius = {_number(radius, 'm')}"]
            case "box":
                keys.append(f"size = {_vector(shape.sizes, 'm')}")
                keys += [f"attitude = {turn}"] if turn else []
            case _:
                if (file := self._mesh(link, shape)) is None:
                    return None
                keys += [f"file = {_toml_string(file)}", f"unit = {_number(shape.sizes[0], 'm')}"]
                keys += ['parts = "hull"', *([f"attitude = {turn}"] if turn else [])]
        return f'{{ kind = "{shape.kind}", {", ".join(keys)} }}'

    def _mesh(self, link: UrdfLink, shape: UrdfShape) -> str | None:
        """Path of the file of a mesh, relative to the folder of the scenario. None if it cannot be used."""
        address = shape.file
        what = f"line {link.line}: mesh {address} of link {link.name}"
        if np.ptp(shape.sizes) > 0 or shape.sizes[0] <= 0:
            self.omitted.append(f"{what}, whose three scale factors differ")
            return None
        if Path(address).suffix.lower() not in MESH_FILES:
            self.omitted.append(f"{what}. Convert it to one of {', '.join(MESH_FILES)}")
            return None
        for path in _possible_files(address, self.file.parent):
            if path.is_file():
                self.omitted.append(f"{what}: cavities. The shape is its convex hull")
                return Path(os.path.relpath(path, self.folder)).as_posix()
        self.omitted.append(f"{what}, because there is no such file next to {self.file.name}")
        return None

    # --- joints

    def _joint(self, joint: UrdfJoint) -> str:
        child = self.urdf.links[joint.child]
        if not child.mass or joint.kind == "floating":
            return ""
        parent = self.places[joint.parent].at(joint.position, joint.rotation)
        along = (
            _to_z(joint.axis)
            if joint.kind in ("revolute", "continuous", "prismatic", "planar")
            else np.eye(3)
        )
        name = self.joint_names[joint.name]
        lines = [f"[joints.{name}]", f'kind = "{JOINTS[joint.kind]}"']
        lines += ['axis = "z"'] if joint.kind == "planar" else []
        frames = [f'parent = "{parent.body}"', f'child = "{self.names[joint.child]}"']
        ends = [f"parent_at = {_vector(parent.position, 'm')}"]
        turns = [f"parent_frame = {turn}"] if (turn := _attitude(parent.rotation @ along)) else []
        turns += [f"child_frame = {turn}"] if (turn := _attitude(along)) else []
        if joint.kind == "planar":
            self.omitted.append(
                f"line {joint.line}: joint {joint.name} can also rotate about its normal here"
            )
        self._add_forces(joint, name, frames, ends, turns)
        return "\n".join([*lines, *frames, *ends, *turns]) + "\n"

    def _add_forces(
        self, joint: UrdfJoint, name: str, frames: list[str], ends: list[str], turns: list[str]
    ) -> None:
        """Add the stops and the damper of a joint."""
        rotates = joint.kind in ("revolute", "continuous")
        if joint.lower is not None and joint.upper is not None:
            self._add_stop(joint, name, rotates)
        if joint.effort and joint.lower is None:
            self.omitted.append(f"line {joint.line}: effort limit {joint.effort:g} of joint {joint.name}")
        if not joint.damping:
            return
        if rotates:
            damper = [f"[forces.{name}_damper]", 'kind = "torsion_spring"', *frames, *turns, 'sequence = "3"']
            damper += ["stiffness = [0]", f"damping = [{_round(joint.damping)}]  # N m s/rad"]
            self.forces.append("\n".join(damper) + "\n")
        elif joint.kind == "prismatic":
            damper = [f"[forces.{name}_damper]", 'kind = "bushing"', *frames, *ends, *turns]
            damper += ["stiffness = [0, 0, 0]", f"damping = [0, 0, {_round(joint.damping)}]  # N s/m"]
            self.forces.append("\n".join(damper) + "\n")
        else:
            self.omitted.append(f"line {joint.line}: damping of joint {joint.name}")

    def _add_stop(self, joint: UrdfJoint, name: str, rotates: bool) -> None:
        kind, unit = ("hinge_stop", "rad") if rotates else ("stop", "m")
        assert joint.lower is not None
        assert joint.upper is not None
        ends = {"lower": joint.lower, "upper": joint.upper}
        if joint.lower == joint.upper:
            self.omitted.append(f"line {joint.line}: limits of joint {joint.name}, which are equal")
            return
        if rotates:
            far = [key for key, value in ends.items() if abs(value) >= math.pi]
            for key in far:
                self.omitted.append(
                    f"line {joint.line}: {key} limit {ends[key]:g} rad of joint {joint.name}, which is not"
                    " within half a revolution"
                )
            ends = {key: value for key, value in ends.items() if key not in far}
        if not ends:
            return
        if not joint.lower <= 0 <= joint.upper:
            text = f"line {joint.line}: joint {joint.name} starts at 0, which is outside of its limits"
            self.omitted.append(text)
        deflection = STOP_ANGLE if rotates else STOP_TRAVEL
        stiffness = joint.effort / deflection if joint.effort > 0 else STOP_STIFFNESS
        lines = [f"[forces.{name}_stop]", f'kind = "{kind}"', f'joint = "{name}"', 'axis = "z"']
        lines += [f"{key} = {_number(value, unit)}" for key, value in ends.items()]
        torque = "N m/rad" if rotates else "N/m"
        self.forces.append("\n".join([*lines, f"stiffness = {_number(stiffness, torque)}"]) + "\n")

    def _sources(self) -> list[str]:
        """The source of the values, and stand-ins that the file does not determine."""
        given = f'{{ source = {_toml_string(self.file.name)}, confidence = "secondary" }}'
        lines = ["[sources]", f'"bodies.*" = {given}']
        if any("_stop]" in one for one in self.forces):
            text = "stand-in: the largest effort of the joint deflects a stop by 1 deg or 1 mm"
            lines.append(f'"forces.*_stop.stiffness" = {{ source = "{text}", confidence = "judgement" }}')
        return ["\n".join(lines) + "\n"]


def _possible_files(address: str, folder: Path) -> Iterator[Path]:
    """Yield paths that an address can mean: relative to the file, or to a folder above it."""
    path = re.sub(r"^file://", "", address)
    if not (package := re.match(r"^(?:package|model)://", path)):
        yield folder / path
        return
    rest = Path(path[package.end() :])
    for above in (folder, *folder.resolve().parents):
        yield above / rest
        yield above / Path(*rest.parts[1:])


def _is_unphysical(inertia: np.ndarray) -> bool:
    moments = np.linalg.eigvalsh(inertia)
    return bool(moments[2] > moments[0] + moments[1])


def _to_z(axis: np.ndarray) -> np.ndarray:
    """Rotation (3, 3) of axes whose z is a unit vector, by the smallest rotation from z."""
    if axis[2] < SMALL - 1:
        return np.diag([1.0, -1.0, -1.0])
    x, y, z = axis
    k = 1 / (1 + z)
    return np.array([[1 - k * x * x, -k * x * y, x], [-k * x * y, 1 - k * y * y, y], [-x, -y, z]])


def _attitude(rotation: np.ndarray) -> str:
    """A rotation as a TOML text. Empty for no rotation."""
    q = np.asarray(quaternion_of_matrix(rotation), float)
    if np.abs(q[1:]).max() < SMALL:
        return ""
    return f"{{ quaternion = {[_round(x) for x in q]} }}"


def _round(value: float) -> float:
    """A value with 15 significant digits, without rounding errors of zero."""
    return 0.0 if abs(value) < SMALL else float(f"{value:.15g}")


def _number(value: float, unit: str) -> str:
    return f'"{float(f"{value:.15g}")!r} {unit}"'


def _vector(values: np.ndarray, unit: str) -> str:
    return f'"{[_round(x) for x in values]} {unit}"'


def _toml_string(text: str) -> str:
    """A text as a basic string of TOML."""
    import json

    return json.dumps("".join(one for one in text if one.isprintable()), ensure_ascii=False)
