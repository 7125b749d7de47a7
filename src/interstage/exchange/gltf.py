"""Write binary glTF 2.0 files (.glb): a tree of nodes with surfaces, and their animation.

Source: Khronos Group, "glTF 2.0 Specification" (ISO/IEC 12113), sections 3.6 to 3.11 and 4.4.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

FLOAT, UNSIGNED = 5126, 5125
"""Types of components: 32-bit float, 32-bit unsigned integer."""
VERTICES, INDICES = 34962, 34963
"""Targets of buffer views."""
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
VECTORS = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


class Surface(NamedTuple):
    """Triangles of one colour.

    - points (n, 3): corners [m]. normals (n, 3): unit vectors outward.
    - triangles (m, 3): indices of points, counter-clockwise seen from outside.
    - colour: red, green, blue, 0 to 255.
    """

    points: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray
    colour: tuple[int, int, int]


@dataclass(frozen=True)
class Track:
    """Values of a property of a node over time.

    - times (n,): [s], not below zero, strictly increasing as 32-bit floats.
    - values: translations (n, 3) [m], unit quaternions (n, 4), scalar first, or scale factors (n, 3).
    - slopes: time derivatives just before and just after each time (2, n, 3), for cubic Hermite polynomials.
      Default: linear interpolation; attitudes rotate with a constant rate.
    - steps: True if each value stays constant up to the next time.
    """

    times: np.ndarray
    values: np.ndarray
    slopes: np.ndarray | None = None
    steps: bool = False


@dataclass
class Node:
    """Node of the tree. Coordinates of a child are: translation + rotation (scale (own coordinates)).

    - translation (3,) [m], rotation (4,), scalar first: in the axes of the parent, before the animation.
    - tracks: animated properties, by name: "translation", "rotation", "scale".
    - extras: further data, as JSON.
    """

    name: str
    translation: Sequence[float] = (0.0, 0.0, 0.0)
    rotation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    surface: Surface | None = None
    tracks: dict[str, Track] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    extras: dict[str, Any] = field(default_factory=dict)


def glb(root: Node, title: str, extras: dict[str, Any]) -> bytes:
    """Return a binary glTF file with a tree of nodes and one animation.

    title: name of the scene and of the animation. extras: data of the scene, as JSON.
    """
    return _File(title, extras).bytes_of(root)


class _File:
    """Document in preparation: lists of objects that refer to each other by index, and the binary data."""

    def __init__(self, title: str, extras: dict[str, Any]) -> None:
        self.data = bytearray()
        self.title, self.extras = title, extras
        self.lists: dict[str, list[Any]] = {}
        self.channels: list[Any] = []
        self.samplers: list[Any] = []
        self.inputs: dict[bytes, int] = {}

    def bytes_of(self, root: Node) -> bytes:
        top = self._node(root)
        scene = {"name": self.title, "nodes": [top], "extras": self.extras}
        document = {"asset": {"version": "2.0", "generator": "Interstage"}, "scene": 0, "scenes": [scene]}
        if self.channels:
            one = {"name": self.title, "channels": self.channels, "samplers": self.samplers}
            self.lists["animations"] = [one]
        if self.data:
            self.lists["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(document | self.lists, ensure_ascii=False, allow_nan=False).encode("utf-8")
        chunks = _chunk(JSON_CHUNK, text, b" ")
        if self.data:
            chunks += _chunk(BINARY_CHUNK, bytes(self.data), b"\0")
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def _add(self, name: str, value: Any) -> int:
        self.lists.setdefault(name, []).append(value)
        return len(self.lists[name]) - 1

    def _node(self, node: Node) -> int:
        found: dict[str, Any] = {"name": node.name}
        number = self._add("nodes", found)
        if any(node.translation) or "translation" in node.tracks:
            found["translation"] = [float(x) for x in node.translation]
        if tuple(node.rotation) != (1, 0, 0, 0) or "rotation" in node.tracks:
            found["rotation"] = [float(x) for x in _scalar_last(np.asarray(node.rotation))]
        if node.surface is not None:
            found["mesh"] = self._mesh(node.name, node.surface)
        if node.extras:
            found["extras"] = node.extras
        for path, track in node.tracks.items():
            self._animate(number, path, track)
        if node.children:
            found["children"] = [self._node(child) for child in node.children]
        return number

    def _mesh(self, name: str, surface: Surface) -> int:
        attributes = {
            "POSITION": self._array(surface.points, VERTICES, bounds=True),
            "NORMAL": self._array(surface.normals, VERTICES),
        }
        indices = self._array(surface.triangles.reshape(-1), INDICES, kind=UNSIGNED)
        primitive = {"attributes": attributes, "indices": indices, "material": self._material(surface.colour)}
        return self._add("meshes", {"name": name, "primitives": [primitive]})

    def _material(self, colour: tuple[int, int, int]) -> int:
        factors = {"baseColorFactor": [*map(_linear, colour), 1.0], "metallicFactor": 0.05}
        one = {"pbrMetallicRoughness": factors | {"roughnessFactor": 0.75}, "doubleSided": True}
        known = self.lists.setdefault("materials", [])
        return known.index(one) if one in known else self._add("materials", one)

    def _animate(self, node: int, path: str, track: Track) -> None:
        values = _scalar_last(track.values) if path == "rotation" else track.values
        how = "STEP" if track.steps else "LINEAR"
        if track.slopes is not None:
            how = "CUBICSPLINE"
            values = np.stack([track.slopes[0], values, track.slopes[1]], 1).reshape(-1, values.shape[1])
        times = np.asarray(track.times, np.float32)
        if times.tobytes() not in self.inputs:
            self.inputs[times.tobytes()] = self._array(times, bounds=True)
        sampler = {"input": self.inputs[times.tobytes()], "output": self._array(values), "interpolation": how}
        self.samplers.append(sampler)
        target = {"node": node, "path": path}
        self.channels.append({"sampler": len(self.samplers) - 1, "target": target})

    def _array(
        self, values: np.ndarray, target: int | None = None, kind: int = FLOAT, bounds: bool = False
    ) -> int:
        """Store an array, and return the index of its accessor."""
        stored = np.ascontiguousarray(values, "<f4" if kind == FLOAT else "<u4")
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": stored.nbytes}
        if target is not None:
            view["target"] = target
        self.data += stored.tobytes()
        rows = stored.reshape(len(stored), -1)
        found: dict[str, Any] = {"bufferView": self._add("bufferViews", view), "componentType": kind}
        found |= {"count": len(stored), "type": VECTORS[rows.shape[1]]}
        if bounds:
            found |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        return self._add("accessors", found)


def _scalar_last(quaternion: np.ndarray) -> np.ndarray:
    return quaternion[..., [1, 2, 3, 0]]


def _linear(value: int) -> float:
    """Linear component of a colour in sRGB (IEC 61966-2-1)."""
    part = value / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _chunk(kind: int, data: bytes, pad: bytes) -> bytes:
    """A chunk with its length, filled up to a multiple of four bytes."""
    whole = data + pad * (-len(data) % 4)
    return struct.pack("<II", len(whole), kind) + whole
