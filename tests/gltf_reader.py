"""Read animations of binary glTF files with the standard library and NumPy, from the text of the standard."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

SIZES = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


class GltfFile:
    """Document and arrays of a file; checks the rules of the standard on the way."""

    def __init__(self, data: bytes) -> None:
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        chunks, at = {}, 12
        while at < len(data):
            size, kind = struct.unpack_from("<I4s", data, at)
            assert size % 4 == 0
            chunks[kind] = data[at + 8 : at + 8 + size]
            at += 8 + size
        self.document: dict[str, Any] = json.loads(chunks[b"JSON"])
        self.binary = chunks.get(b"BIN\0", b"")
        self.nodes = {one["name"]: one for one in self.document["nodes"]}
        self.tracks: dict[tuple[str, str], tuple[str, np.ndarray, np.ndarray]] = {}
        for animation in self.document.get("animations", []):
            for channel in animation["channels"]:
                sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
                times = self.array(sampler["input"], bounds=True)
                assert times[0] >= 0
                assert (np.diff(times) > 0).all()
                name = self.document["nodes"][target["node"]]["name"]
                values = self.array(sampler["output"])
                if target["path"] == "rotation":  # no reader can take the longer way
                    assert (np.sum(values[1:] * values[:-1], axis=1) >= 0).all()
                self.tracks[name, target["path"]] = sampler["interpolation"], times, values

    def array(self, index: int, bounds: bool = False) -> np.ndarray:
        one = self.document["accessors"][index]
        view = self.document["bufferViews"][one["bufferView"]]
        size = SIZES[one["type"]]
        kind = {5126: "<f4", 5125: "<u4"}[one["componentType"]]
        assert view["byteLength"] == 4 * size * one["count"]
        found = np.frombuffer(self.binary, kind, size * one["count"], view["byteOffset"])
        found = found if size == 1 else found.reshape(-1, size)
        if bounds:
            rows = found.reshape(len(found), -1)
            np.testing.assert_array_equal(one["min"], rows.min(axis=0))
            np.testing.assert_array_equal(one["max"], rows.max(axis=0))
        return found

    def value(self, name: str, path: str, time: float) -> np.ndarray:
        """Value of an animated property at a time, by the interpolation of the standard (appendix C)."""
        default = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}[path]
        if (name, path) not in self.tracks:
            return np.array(self.nodes[name].get(path, default), float)
        how, times, values = self.tracks[name, path]
        times, values = times.astype(float), values.astype(float)
        row = int(np.clip(np.searchsorted(times, time, side="right") - 1, 0, len(times) - 1))
        if how == "CUBICSPLINE":
            slopes_in, values, slopes_out = values.reshape(-1, 3, values.shape[1]).transpose(1, 0, 2)
        if row == len(times) - 1 or how == "STEP" or time <= times[0]:
            return values[row]
        step = times[row + 1] - times[row]
        s = (time - times[row]) / step
        if how == "CUBICSPLINE":
            return (
                (2 * s**3 - 3 * s**2 + 1) * values[row]
                + step * (s**3 - 2 * s**2 + s) * slopes_out[row]
                + (-2 * s**3 + 3 * s**2) * values[row + 1]
                + step * (s**3 - s**2) * slopes_in[row + 1]
            )
        if path == "rotation":
            return Slerp([0, 1], Rotation.from_quat(values[row : row + 2]))(s).as_quat()
        return (1 - s) * values[row] + s * values[row + 1]

    def parents(self) -> dict[str, str]:
        nodes = self.document["nodes"]
        return {nodes[k]["name"]: one["name"] for one in nodes for k in one.get("children", [])}

    def pose(self, name: str, time: float) -> np.ndarray:
        """Matrix (4, 4) from the axes of a node to those of the scene."""
        found, parents = np.eye(4), self.parents()
        while True:
            own = np.eye(4)
            turn = Rotation.from_quat(self.value(name, "rotation", time)).as_matrix()
            own[:3, :3] = turn * self.value(name, "scale", time)
            own[:3, 3] = self.value(name, "translation", time)
            found = own @ found
            if name not in parents:
                return found
            name = parents[name]

    def mesh(self, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points, normals and triangles of a node."""
        (one,) = self.document["meshes"][self.nodes[name]["mesh"]]["primitives"]
        points = self.array(one["attributes"]["POSITION"], bounds=True)
        normals = self.array(one["attributes"]["NORMAL"])
        return points, normals, self.array(one["indices"]).reshape(-1, 3)
