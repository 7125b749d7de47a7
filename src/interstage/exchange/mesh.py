"""Read triangles from mesh files (STL, OBJ and other formats of the package trimesh)."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ..tree.errors import Refused
from ..tree.guarded_reader import MESH, GuardedFolder, Unreadable, read_bytes

INSTALL = "Install it with pip install 'interstage[clearance]'"


def read(file: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the meshes of a file: (points (n, 3), triangles (m, 3) as indices of points), in the length unit
    of the file.

    Raises Refused at "file" if the file cannot be read.
    """
    try:
        import trimesh
    except ImportError as error:
        text = f"{file}: meshes need the package trimesh, which cannot be loaded ({error}). {INSTALL}"
        raise Refused(("file", text)) from None
    path = Path(file)
    ending = path.suffix.lower().removeprefix(".")
    try:
        content = read_bytes(path, MESH)
    except Unreadable as error:
        raise Refused(("file", f"{file}: {error}")) from None
    try:
        resolver = GuardedFolder(path.parent, MESH)
        stream = io.BytesIO(content)
        with _quiet():
            scene = trimesh.load_scene(stream, file_type=ending, resolver=resolver, process=False)
            meshes = [m for m in scene.dump() if isinstance(m, trimesh.Trimesh) and len(m.faces)]
    except Exception as error:  # noqa: BLE001 - whatever a reader of foreign files may raise
        reason = str(error).strip().split("\n")[0][:100] or type(error).__name__
        raise Refused(("file", f"{file}: the file cannot be read as a mesh: {reason}")) from None
    if not meshes:
        raise Refused(("file", f"{file}: the mesh has no triangles. Export the surface as triangles"))
    return [(np.asarray(m.vertices, float), np.asarray(m.faces)) for m in meshes]


@contextmanager
def _quiet() -> Iterator[None]:
    """A context without the warnings of the reader, and without its log, which has tracebacks of faults that
    it handles."""
    log = logging.getLogger("trimesh")
    before, log.disabled = log.disabled, True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.disabled = before
