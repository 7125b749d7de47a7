"""Mesh files drawn at random: good ones, degenerate ones, and damaged bytes, in every format that is read.

`cases` yields scenarios for `make fuzz`, and `drawn` the files alone. As a program this module reads the
files of a folder, in order of their names, and prints each name before it reads the file: where the process
dies, the last name is to blame."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

Mesh = tuple[np.ndarray, np.ndarray]
"""Points (n, 3) and faces (m, 3)."""


CASES, QUICK = 165, 4
"""Three of each mesh in each format."""
LONGEST = 600
"""Characters of a message."""
SCENARIO = """
gravity = "none"
phases.free = {{ until = {{ time = "1 s" }} }}
clearance.gap = {{ between = ["a", "b"] }}
[bodies.a]
mass = 1
inertia = [1, 1, 1]
initial = {{}}
shapes.mesh = {{ kind = "mesh", file = "{file}", parts = "{parts}" }}
[bodies.b]
mass = 1
inertia = [1, 1, 1]
initial = {{ position = [5, 0, 0] }}
shapes.ball = {{ kind = "sphere", radius = 0.5 }}
"""


def cases(rng: np.random.Generator, folder: Path) -> Iterator[tuple[str, Path]]:
    """Names and paths of scenarios, each with a mesh."""
    for name, content in drawn(rng, 10_000):
        (folder / name).write_bytes(content)
        parts = str(rng.choice(["convex", "hull"]))
        path = folder / f"{name}.toml"
        path.write_text(SCENARIO.format(file=name, parts=parts))
        yield f"{name} ({parts})", path


def drawn(rng: np.random.Generator, count: int) -> Iterator[tuple[str, bytes]]:
    """Names and contents of so many files."""
    for number in range(count):
        points, faces = MESHES[number % len(MESHES)](rng)
        points = _placed(rng, points)
        ending, write = WRITERS[(number // len(MESHES)) % len(WRITERS)]
        content = write(points, faces)
        if rng.uniform() < 0.3:
            content = DAMAGES[rng.integers(len(DAMAGES))](rng, content)
        yield f"{number:05d}.{ending}", content


# --- meshes -------------------------------------------------------------------------------------------------


def _tetrahedron(rng: np.random.Generator) -> Mesh:
    return rng.normal(size=(4, 3)), np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


def _box(rng: np.random.Generator) -> Mesh:
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]]
    faces += [[2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return corners * 10.0 ** rng.uniform(-8, 1, 3), np.array(faces)


def _soup(rng: np.random.Generator) -> Mesh:
    """Random triangles of random points."""
    count = int(rng.integers(3, 40))
    return rng.normal(size=(count, 3)), rng.integers(0, count, (int(rng.integers(1, 60)), 3))


def _grid(rng: np.random.Generator) -> Mesh:
    """Points on a grid: many on one plane, line and sphere."""
    count = int(rng.integers(4, 40))
    return rng.integers(-2, 3, (count, 3)).astype(float), rng.integers(0, count, (60, 3))


def _thin(rng: np.random.Generator) -> Mesh:
    """Points in a plane, on a line or at a point, but for some thickness or none."""
    points, faces = _soup(rng)
    thick = rng.choice([0.0, 10.0 ** rng.uniform(-18, -3)])
    scale = np.array([1.0, rng.choice([1.0, thick]), thick])
    return points * scale * rng.choice([1.0, thick]), faces


def _flat_square(rng: np.random.Generator) -> Mesh:
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    return points, np.array([[0, 1, 2], [0, 2, 3]])


def _leaf(rng: np.random.Generator) -> Mesh:
    """A closed surface that encloses no volume: both sides of a triangle."""
    return rng.normal(size=(3, 3)), np.array([[0, 1, 2], [0, 2, 1]])


def _same(rng: np.random.Generator) -> Mesh:
    """One point many times."""
    return np.repeat(rng.normal(size=(1, 3)), 6, 0), rng.integers(0, 6, (8, 3))


def _noisy_prism(rng: np.random.Generator) -> Mesh:
    """Rings of points that lie on planes and on a cylinder but for rounding of some size."""
    angle = np.linspace(0, 2 * np.pi, 17)[:-1]
    ring = np.stack([np.cos(angle), np.sin(angle), 0 * angle], 1)
    points = np.concatenate([ring, ring * [1, 1, 0] + [0, 0, 1], ring * 0.5, ring * 0.5 + [0, 0, 1]])
    noise = 10.0 ** rng.uniform(-17, -4) * rng.normal(size=points.shape)
    return points + noise, rng.integers(0, len(points), (120, 3))


def _odd_numbers(rng: np.random.Generator) -> Mesh:
    points, faces = _box(rng) if rng.uniform() < 0.5 else _soup(rng)
    odd = [np.nan, np.inf, -np.inf, 1e308, -1e308, 1e-308, 5e-324, 1e200, 1e-200, -0.0]
    for _ in range(int(rng.integers(1, 6))):
        points[rng.integers(len(points)), rng.integers(3)] = rng.choice(odd)
    return points, faces


def _odd_faces(rng: np.random.Generator) -> Mesh:
    points, faces = _soup(rng)
    faces = faces.copy()
    faces[rng.integers(len(faces)), rng.integers(3)] = rng.choice([-1, -5, len(points), 10**6, 2**31 - 1])
    return points, faces


MESHES = [
    *(_tetrahedron, _box, _soup, _grid, _thin, _flat_square),
    *(_leaf, _same, _noisy_prism, _odd_numbers, _odd_faces),
]


def _placed(rng: np.random.Generator, points: np.ndarray) -> np.ndarray:
    """Turned, scaled and moved away, or left as they are."""
    if rng.uniform() < 0.4:
        return points
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    with np.errstate(all="ignore"):
        return points @ turn * 10.0 ** rng.uniform(-6, 6) + rng.choice([0.0, 1.0, 1e6]) * rng.normal(size=3)


# --- files --------------------------------------------------------------------------------------------------


def _obj(points: np.ndarray, faces: np.ndarray) -> bytes:
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points.tolist()]
    lines += ["f " + " ".join(str(k + 1) for k in face) for face in faces.tolist()]
    return ("\n".join(lines) + "\n").encode()


def _corners(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Corners (m, 3, 3) of the triangles, of those numbers that are of no point the last."""
    return points[np.clip(faces, 0, len(points) - 1)]


def _ascii_stl(points: np.ndarray, faces: np.ndarray) -> bytes:
    lines = ["solid drawn"]
    for triangle in _corners(points, faces).tolist():
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x!r} {y!r} {z!r}" for x, y, z in triangle]
        lines += ["endloop", "endfacet"]
    return ("\n".join([*lines, "endsolid drawn"]) + "\n").encode()


def _binary_stl(points: np.ndarray, faces: np.ndarray) -> bytes:
    with np.errstate(over="ignore"):
        corners = _corners(points, faces).astype("<f4")
    content = b"\0" * 80 + struct.pack("<I", len(corners))
    return content + b"".join(b"\0" * 12 + one.tobytes() + b"\0\0" for one in corners)


def _gltf_tree(points: np.ndarray, faces: np.ndarray) -> tuple[dict, bytes]:
    with np.errstate(over="ignore"):
        places, numbers = points.astype("<f4").tobytes(), (faces % 2**32).astype("<u4").tobytes()
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": faces.size, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(places)},
            {"buffer": 0, "byteOffset": len(places), "byteLength": len(numbers)},
        ],
        "buffers": [{"byteLength": len(places) + len(numbers)}],
    }
    return tree, places + numbers


def _glb(points: np.ndarray, faces: np.ndarray) -> bytes:
    tree, data = _gltf_tree(points, faces)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    size = 12 + 8 + len(text) + 8 + len(data)
    head = struct.pack("<4sII", b"glTF", 2, size) + struct.pack("<I4s", len(text), b"JSON")
    return head + text + struct.pack("<I4s", len(data), b"BIN\0") + data


def _gltf(points: np.ndarray, faces: np.ndarray) -> bytes:
    import base64

    tree, data = _gltf_tree(points, faces)
    tree["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return json.dumps(tree).encode()


WRITERS = [("obj", _obj), ("stl", _ascii_stl), ("stl", _binary_stl), ("glb", _glb), ("gltf", _gltf)]


# --- damages ------------------------------------------------------------------------------------------------


def _cut(rng: np.random.Generator, content: bytes) -> bytes:
    return content[: int(rng.integers(len(content) + 1))]


def _flipped(rng: np.random.Generator, content: bytes) -> bytes:
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 20)) if data else 0):
        data[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
    return bytes(data)


def _doubled(rng: np.random.Generator, content: bytes) -> bytes:
    start = int(rng.integers(len(content) + 1))
    return content[:start] + content[start : start + 60] * 3 + content[start:]


def _counted_wrong(rng: np.random.Generator, content: bytes) -> bytes:
    """Another count of triangles where a binary STL file has its own."""
    return content[:80] + struct.pack("<I", int(rng.integers(2**32))) + content[84:]


DAMAGES = [_cut, _flipped, _doubled, _counted_wrong]


# --- reading ------------------------------------------------------------------------------------------------


def read(path: str) -> int:
    """Read a file in both ways, and search distances from what was accepted. Returns how often it was."""
    from interstage.model import geometry
    from interstage.parts.clearance.nearest import Pair
    from interstage.parts.clearance.solids import solids
    from interstage.tree.errors import BadInput, InterstageError

    accepted = 0
    for parts in ("convex", "hull"):
        try:
            own = solids((geometry.Mesh(name="mesh", file=path, parts=parts),), ("mesh",), "bodies.a.shapes")
        except BadInput as error:
            problems = error.problems
        else:
            problems = ()
        if problems:
            assert all(len(problem.message) < LONGEST for problem in problems), problems
            continue
        accepted += 1
        size, middle = own[0].size, own[0].cover[0].mean(1)
        ball = solids((geometry.Sphere(name="ball", radius=0.3 * size),), ("ball",), "")
        for gap in (3.0, 0.0):
            place = middle[:, None] + np.array([[gap * size], [0.1 * size], [0.0]])
            try:
                distance = Pair(own, ball).nearest(np.eye(3)[:, :, None], place).distance
            except InterstageError:
                assert gap == 0.0  # an overlap whose depth is found by no tolerance is refused by name
                continue
            assert np.isfinite(distance).all(), (path, parts)
    return accepted


def main(folder: str) -> None:
    """Read all files of a folder."""
    accepted = 0
    for path in sorted(Path(folder).iterdir()):
        print(path.name, flush=True)
        accepted += read(str(path))
    print(f"accepted {accepted}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
