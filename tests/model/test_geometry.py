"""Shapes of bodies as they are declared: refusals, files of triangles, and brute force on meshes."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from interstage.model import geometry
from interstage.model.convex_pieces import convex_hull, convex_pieces, load_coal
from interstage.parts.clearance.nearest import Pair
from interstage.parts.clearance.solids import solids
from interstage.reading import loads
from interstage.tree.errors import BadInput, Refused

HEAD = """
[bodies.core]
mass = 10.0
inertia = [1.0, 1.0, 1.0]
initial = {}
[bodies.core.shapes.hull]
SHAPE
[bodies.stage]
mass = 1.0
inertia = [1.0, 1.0, 1.0]
initial = { position = [5.0, 0, 0] }
[bodies.stage.shapes.ball]
kind = "sphere"
radius = 0.5
[bodies.bare]
mass = 1.0
inertia = [1.0, 1.0, 1.0]
initial = { position = [9.0, 0, 0] }
[phases.free]
until = { time = "1 s" }
[clearance.gap]
CLEARANCE
"""
GOOD_SHAPE = 'kind = "box"\nsize = "[1, 2, 3] ft"'
GOOD = 'between = ["core", "stage"]'
AXIS = "axis = [0, 0, 1]\n"


def shaped(shape=GOOD_SHAPE, clearance=GOOD, more=""):
    return loads(HEAD.replace("SHAPE", shape).replace("CLEARANCE", clearance) + more)


@pytest.mark.parametrize(
    ("shape", "place", "said"),
    [
        ('kind = "sphere"\nradius = 0', "bodies.core.shapes.hull.radius", "0 m must be more than zero"),
        ('kind = "sphere"\nradius = "1 kg"', "bodies.core.shapes.hull.radius", "is in kg"),
        ('kind = "cylinder"\naxis = [0, 0, 0]\nlength = 1\nradius = 1', "hull.axis", "vector is zero"),
        (f'kind = "cylinder"\n{AXIS}length = -1\nradius = 1', "hull.length", "more than zero"),
        (f'kind = "cone"\n{AXIS}length = 1\nradius = 0', "hull.radius", "the radius is zero at both ends"),
        (f'kind = "ogive"\n{AXIS}length = 0.4\nradius = 0.5', "hull.length", "0.4 m is less than the radius"),
        ('kind = "ball"\nradius = 1', "hull", "'ball' is not allowed"),
        (f'kind = "shell"\n{AXIS}stations = [0]\ninner = [1]\nouter = [2]', "stations", "fewer than 2"),
        (f'kind = "shell"\n{AXIS}stations = [0, 1]\ninner = [1, 1]\nouter = [2]', "stations", "2, 2 and 1"),
        (
            f'kind = "shell"\n{AXIS}stations = [1, 0]\ninner = [1, 1]\nouter = [2, 2]',
            "stations",
            "increasing order",
        ),
        (f'kind = "shell"\n{AXIS}stations = [0, 1]\ninner = [1, 2]\nouter = [2, 2]', "outer", "station 2"),
        (
            f'kind = "shell"\n{AXIS}stations = [0, 1]\ninner = [1, 1]\nouter = [2, 2]\nsectors = 3',
            "hull.sectors",
            "Give 8 to 512",
        ),
        (
            'kind = "mesh"\nfile = "nowhere.stl"',
            "bodies.core.shapes.hull.file",
            "nowhere.stl: there is no such file in",
        ),
        ('kind = "mesh"\nfile = "hull.step"', "bodies.core.shapes.hull.file", "Allowed: .stl, .obj"),
    ],
)
def test_shapes_that_cannot_be_are_refused(shape, place, said):
    with pytest.raises(BadInput) as caught:
        shaped(shape)
    (problem,) = caught.value.problems
    assert place in problem.place
    assert said in problem.message


@pytest.mark.parametrize(
    ("clearance", "place", "said"),
    [
        ('between = ["core", "stagf"]', "between", "did you mean 'stage'"),
        ('between = ["core"]', "between", "has 1 entry"),
        ('between = ["core", "core"]', "between", "is listed twice"),
        ('between = ["core.hull", "core.nose"]', "between", "is listed twice"),
        ('between = ["core", "bare"]', "between", "'bare' has no shapes"),
        ('between = ["core.hul", "stage"]', "between", "did you mean 'hull'"),
        (f'{GOOD}\nafter = "fre"', "after", "no phase or event 'fre'"),
        (f'{GOOD}\nuntil = "never"', "until", "no phase or event 'never'"),
        (f'{GOOD}\nafter = "free"\nuntil = "free"', "until", "is also the value of after"),
        (f"{GOOD}\ninterval = 0", "interval", "more than zero"),
        (f'{GOOD}\nwarn_below = "2 s"', "warn_below", "is in s"),
        (f'{GOOD}\nignore = ["core.hull"]', "ignore", "excludes all pairs"),
        (f'{GOOD}\nignore = ["core.hull / stage.ball"]', "ignore", "excludes all pairs"),
        (f'{GOOD}\nignore = ["core.nose"]', "ignore", "has no shape 'nose'"),
        (f'{GOOD}\nignore = ["bare.nose"]', "ignore", "not one of the two bodies"),
        (f'{GOOD}\nignore = ["core"]', "ignore", "'core' does not name a shape"),
    ],
)
def test_clearances_that_cannot_be_are_refused(clearance, place, said):
    with pytest.raises(BadInput) as caught:
        shaped(clearance=clearance)
    (problem,) = caught.value.problems
    assert problem.place == f"clearance.gap.{place}"
    assert said in problem.message


@pytest.mark.parametrize(
    ("quantity", "limit", "said"),
    [
        ("clearance.gap.distance", "1 s", "cannot be compared"),
        ("clearance.gab.distance", "1 m", "did you mean 'gap'"),
        ("clearance.gap.distanse", "1 m", "did you mean 'distance'"),
        ("clearance.gap.point_on_a", "1 m", "is a vector"),
        ("clearance.gap.distance.x", "1 m", "is a scalar"),
    ],
)
def test_requirements_of_clearances_are_checked(quantity, limit, said):
    with pytest.raises(BadInput, match=said):
        shaped(more=f'[requirements.far]\nquantity = "{quantity}"\nmin = "{limit}"\n')


def test_nothing_in_a_flight_waits_for_a_clearance():
    event = '[events.near]\nwhen = { quantity = "clearance.gap.distance", reaches = "1 m" }\n'
    kept = '[requirements.far]\nquantity = "clearance.gap.distance"\nmin = "1 m"\n'
    with pytest.raises(BadInput, match="computed after the flight") as refused:
        shaped(more=event + kept)
    assert [problem.place for problem in refused.value.problems] == ["events.near.when.quantity"]


def test_a_scenario_with_shapes_is_written_and_read_back():
    shell = f'kind = "shell"\n{AXIS}stations = [0, 1]\ninner = "[1, 2] m"\nouter = [2, 3]'
    for shape in (GOOD_SHAPE, shell):
        made = shaped(shape, f'{GOOD}\nwarn_below = "1 cm"\nignore = []')
        assert loads(made.to_toml()) == made


# --- meshes -------------------------------------------------------------------------------------------------

CUBE = np.array(list(product((0.0, 1.0), repeat=3)))
CUBE_FACES = np.array(
    [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]
)  # fmt: skip


def written(path, points, faces):
    """An OBJ file."""
    lines = [f"v {x:.17g} {y:.17g} {z:.17g}" for x, y, z in points]
    lines += ["f " + " ".join(str(k + 1) for k in face) for face in faces]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_a_mesh_is_read_in_its_unit_from_every_kind_of_file(tmp_path):
    import trimesh

    cube = trimesh.Trimesh(CUBE * 1000, CUBE_FACES)
    for ending in ("stl", "obj", "glb"):
        path = tmp_path / f"cube.{ending}"
        cube.export(path)
        shape = geometry.Mesh(name="cube", file=str(path), unit="1 mm", at=[0, 0, 2.0])
        (solid,) = solids((shape,), ("cube",), "")
        nearest, _ = solid.project(np.array([[3.0], [0.5], [2.5]]))
        np.testing.assert_allclose(nearest[:, 0], [1.0, 0.5, 2.5], rtol=0, atol=1e-7)


def test_pieces_that_hang_together_are_told_apart_and_turned_outward(tmp_path):
    points = np.concatenate([CUBE, CUBE + np.array([3.0, 0, 0])])
    inward = CUBE_FACES[:, ::-1] + 8
    path = written(tmp_path / "two.obj", points, np.concatenate([CUBE_FACES, inward]))
    first, second = convex_pieces(path, False)
    for piece in (first, second):
        normal = np.cross(piece[1] - piece[0], piece[2] - piece[0], axis=0)
        middle = piece.mean((0, 2))
        assert (np.einsum("it,it->t", normal, piece[0] - middle[:, None]) > 0).all()


@pytest.mark.parametrize(
    ("points", "faces", "said"),
    [
        (CUBE, CUBE_FACES[:-1], "is not closed: 3 edges"),
        (CUBE, np.concatenate([CUBE_FACES[:-1], CUBE_FACES[-1:, ::-1]]), "inconsistent orientation"),
        (np.where(CUBE.sum(1, keepdims=True) == 3, 0.2, CUBE), CUBE_FACES, "is not convex"),
    ],
)
def test_surfaces_that_are_no_convex_solids_are_refused(tmp_path, points, faces, said):
    path = written(tmp_path / "bad.obj", points, faces)
    with pytest.raises(BadInput) as caught:
        shaped(f'kind = "mesh"\nfile = "{path}"')
    (problem,) = caught.value.problems
    assert problem.place == "bodies.core.shapes.hull.file"
    assert said in problem.message
    assert 'parts = "hull"' in problem.message or "normals" in problem.message


SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
FLAT = [
    (SQUARE, [[0, 1, 2], [0, 2, 3]], "flat"),
    (np.arange(4.0)[:, None] * [1, 2, 3], [[0, 1, 2], [1, 2, 3]], "flat"),
    (SQUARE * 0 + 0.3, [[0, 1, 2], [0, 2, 3]], "different corners"),
    (SQUARE, [[0, 0, 1], [1, 1, 2]], "different corners"),
    (np.concatenate([SQUARE, SQUARE]), [[0, 1, 2], [4, 6, 7]], "flat"),
    (SQUARE + np.linspace(0, 1e-9, 12).reshape(4, 3), [[0, 1, 2], [0, 2, 3]], "flat"),
    (
        SQUARE @ np.array([[0.6, 0.8, 0], [-0.48, 0.36, 0.8], [0.64, -0.48, 0.6]]) + 1e5,
        [[0, 1, 2], [0, 2, 3]],
        "flat",
    ),
    (SQUARE[:3], [[0, 1, 2], [0, 2, 1]], "flat"),
    (np.where(SQUARE == 1, np.nan, SQUARE), [[0, 1, 2], [0, 2, 3]], "not finite"),
    (np.where(SQUARE == 1, 1e200, SQUARE), [[0, 1, 2], [0, 2, 3]], "coordinates up to 1e+200"),
]


@pytest.mark.parametrize("parts", ["hull", "convex"])
def test_pieces_without_volume_are_rejected_before_a_library_sees_them(tmp_path, parts):
    """In coal's own search for a hull four points in a plane are a segmentation fault."""
    for number, (points, faces, said) in enumerate(FLAT):
        path = written(tmp_path / f"{number}.obj", points, faces)
        with pytest.raises(Refused) as caught:
            convex_pieces(path, parts == "hull")
        (problem,) = caught.value.problems
        assert problem.place == "file"
        assert said in problem.message, number


@pytest.mark.long
def test_drawn_mesh_files_end_no_process(tmp_path):
    """Good, degenerate and damaged files in every format, read in one process of their own."""
    folder, program = tmp_path / "drawn", Path(__file__).parents[1] / "fuzz" / "meshes.py"
    folder.mkdir()
    sys.path.insert(0, str(program.parent))
    try:
        import meshes  # pyright: ignore[reportMissingImports]
    finally:
        sys.path.remove(str(program.parent))
    for name, content in meshes.drawn(np.random.default_rng(11), 220):
        (folder / name).write_bytes(content)
    done = subprocess.run([sys.executable, program, folder], capture_output=True, text=True, check=False)
    *names, last = done.stdout.split("\n")[:-1] or [""]
    assert done.returncode == 0, (last, done.stderr[-2000:])
    assert len(names) == 220
    assert 50 < int(last.removeprefix("accepted ")) < 2 * 220
    assert not done.stderr


def test_a_hull_is_that_of_its_corners(tmp_path):
    """Whatever lies on the faces and edges: no plane of it cuts a corner, and its volume is qhull's."""
    rng = np.random.default_rng(12)
    for _ in range(20):
        points = rng.integers(-2, 3, (40, 3)) + 1e-15 * rng.normal(size=(40, 3))
        corners, faces = convex_hull(points)
        one, two, three = corners[faces].transpose(1, 0, 2)
        volume = (one * np.cross(two, three)).sum() / 6
        assert volume == pytest.approx(ConvexHull(points).volume, rel=1e-12)
        assert volume > 0


@pytest.mark.parametrize(
    ("shape", "place", "said"),
    [
        (
            "stations = [0, 1]\ninner = [1, 1]\nouter = [1.00000001, 1.2]",
            "outer",
            "the wall at station 1 is 1e-08 m",
        ),
        ("stations = [0, 1e-9]\ninner = [1, 1]\nouter = [2, 2]", "stations", "are 1e-09 m apart"),
    ],
)
def test_a_wall_without_thickness_is_rejected(shape, place, said):
    """Its sectors would be flat."""
    with pytest.raises(BadInput) as caught:
        shaped(f'kind = "shell"\n{AXIS}{shape}')
    (problem,) = caught.value.problems
    assert problem.place == f"bodies.core.shapes.hull.{place}"
    assert said in problem.message


@pytest.mark.parametrize(("length", "radius", "place"), [("1e-9", "1", "length"), ("1", "1e-9", "radius")])
def test_a_cone_without_thickness_is_rejected(length, radius, place):
    with pytest.raises(BadInput) as caught:
        shaped(f'kind = "cone"\n{AXIS}length = {length}\nradius = {radius}\nend_radius = {radius}')
    (problem,) = caught.value.problems
    assert problem.place == f"bodies.core.shapes.hull.{place}"
    assert "less than 1e-06 times the extent" in problem.message


def test_files_that_are_no_meshes_are_refused(tmp_path):
    for content in (b"", b"not a mesh", b"\x00\x01\x02" * 100):
        path = tmp_path / "noise.stl"
        path.write_bytes(content)
        with pytest.raises(BadInput, match=r"noise\.stl"):
            shaped(f'kind = "mesh"\nfile = "{path}"')


def test_a_hull_closes_and_fills_what_is_not_convex(tmp_path):
    dented = np.where(CUBE.sum(1, keepdims=True) == 3, 0.2, CUBE)
    path = written(tmp_path / "dented.obj", dented, CUBE_FACES[:-1])
    (piece,) = convex_pieces(path, True)
    volume = np.einsum("it,it->t", piece[0], np.cross(piece[1], piece[2], axis=0)).sum() / 6
    # A cube without the corner that three of its diagonals cut off.
    assert volume == pytest.approx(5 / 6, rel=1e-12)


def lumps(rng, tmp_path, name, count):
    """A mesh of a few convex lumps, as a body of shapes."""
    found = []
    for k in range(count):
        points = rng.normal(size=(14, 3)) * [1.0, 0.6, 0.4] + [2.5 * k, 0, 0]
        path = written(
            tmp_path / f"{name}{k}.obj", points, [[0, 1, 2], *([k, k + 1, k + 2] for k in range(12))]
        )
        found.append(geometry.Mesh(name=f"{name}{k}", file=path, parts="hull"))
    return solids(found, tuple(s.name for s in found), "")


def brute(one, other):
    """Least distance of triangles (corner, 3, triangle) of two surfaces that are apart: of corners from
    triangles either way, and of edges from edges."""
    least = np.inf
    for a, b in ((one, other), (other, one)):
        for point in np.unique(np.concatenate(list(a), 1), axis=1).T:
            least = min(least, _to_triangles(point, b))
    edges = [[(s[k], s[(k + 1) % 3] - s[k]) for k in range(3)] for s in (one, other)]
    for (p, u), (q, v) in product(*edges):
        for i in range(p.shape[1]):
            least = min(least, _to_lines(p[:, i], u[:, i], q, v))
    return least


def _to_triangles(point, surface):
    base, (e, f) = surface[0], (surface[1] - surface[0], surface[2] - surface[0])
    w = point[:, None] - base
    ee, ff, ef = (e * e).sum(0), (f * f).sum(0), (e * f).sum(0)
    we, wf = (w * e).sum(0), (w * f).sum(0)
    across = ee * ff - ef * ef
    s, t = (ff * we - ef * wf) / across, (ee * wf - ef * we) / across
    inside = (s >= 0) & (t >= 0) & (s + t <= 1)
    away = np.sqrt(((w - s * e - t * f) ** 2).sum(0))
    return away[inside].min() if inside.any() else np.inf


def _to_lines(p, u, q, v):
    """From one edge to many: inside both, or from the ends of either."""
    p, u = p[:, None], u[:, None]
    w, uu, vv, uv = p - q, (u * u).sum(0), (v * v).sum(0), (u * v).sum(0)
    wu, wv = (w * u).sum(0), (w * v).sum(0)
    across = np.maximum(uu * vv - uv * uv, 1e-300)
    s, t = (uv * wv - vv * wu) / across, (uu * wv - uv * wu) / across
    pairs = [(np.clip(s, 0, 1), np.clip(t, 0, 1))]
    pairs += [(k + 0 * wv, np.clip((wv + k * uv) / vv, 0, 1)) for k in (0.0, 1.0)]
    pairs += [(np.clip((k * uv - wu) / uu, 0, 1), k + 0 * wv) for k in (0.0, 1.0)]
    return min(np.sqrt(((w + s * u - t * v) ** 2).sum(0)).min() for s, t in pairs)


def surface(solid):
    return solid.project.args[0]


def test_meshes_against_brute_force(tmp_path):
    rng = np.random.default_rng(8)
    a, b = lumps(rng, tmp_path, "a", 2), lumps(rng, tmp_path, "b", 2)
    turn = np.moveaxis(Rotation.random(10, rng=rng).as_matrix(), 0, -1)
    way = rng.normal(size=(3, 10))
    place = np.array([[1.0], [0], [0]]) + way / np.linalg.norm(way, axis=0) * rng.uniform(5.5, 8, 10)
    found = Pair(a, b).nearest(turn, place)
    for k in range(10):
        moved = [np.einsum("ij,cjt->cit", turn[:, :, k], surface(s)) + place[:, k, None] for s in b]
        truth = min(brute(surface(one), other) for one, other in product(a, moved))
        assert found.distance[k] == pytest.approx(truth, rel=0, abs=5e-9)
        assert np.linalg.norm(found.on_b[:, k] - found.on_a[:, k]) == pytest.approx(truth, rel=0, abs=5e-9)


def test_a_mesh_and_a_ball_against_brute_force(tmp_path):
    rng = np.random.default_rng(9)
    (lump,) = lumps(rng, tmp_path, "c", 1)
    ball = solids((geometry.Sphere(name="ball", radius=0.2),), ("ball",), "")
    way = rng.normal(size=(3, 30))
    place = 4 * way / np.linalg.norm(way, axis=0)
    turn = np.broadcast_to(np.eye(3)[:, :, None], (3, 3, 30))
    found = Pair([lump], ball).nearest(turn, place)
    for k in range(30):
        corners = np.unique(np.concatenate(list(surface(lump)), 1), axis=1)
        truth = min(
            _to_triangles(place[:, k], surface(lump)),
            np.sqrt(((corners - place[:, k, None]) ** 2).sum(0)).min(),
            *(
                _to_lines(place[:, k], np.full(3, 1e-12), s, e - s)
                for s, e in zip(surface(lump), np.roll(surface(lump), -1, axis=0))
            ),
        )
        assert found.distance[k] == pytest.approx(truth - 0.2, rel=0, abs=4e-9)


@pytest.mark.parametrize("package", ["coal", "trimesh"])
def test_a_package_that_is_not_installed_is_named_with_its_extra(package, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    file = tmp_path / "cube.stl"
    file.write_text("solid cube\nendsolid cube\n")
    load_coal.cache_clear()
    with pytest.raises((BadInput, Refused), match=r"pip install 'interstage\[clearance\]'"):
        load_coal() if package == "coal" else convex_pieces(str(file), hull=False)
