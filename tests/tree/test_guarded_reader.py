"""Every file that a scenario names is read by one guarded reader: no pipe, no device, nothing too large."""

from __future__ import annotations

import ast
import os
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import interstage as ist
from interstage.cli.main import app
from interstage.environment import coefficients
from interstage.exchange import coefficient_csv, mesh, punch, rasp, xml_file
from interstage.studies.optimization import resume
from interstage.tree import guarded_reader
from interstage.tree.errors import BadInput, Refused
from interstage.tree.guarded_reader import TABLE, FileKind, GuardedFolder, Unreadable, head, read_bytes

READERS = {
    "flight.nc": lambda path: ist.open_flight(path),
    "scenario.toml": lambda path: ist.load(path),
    "table.csv": lambda path: coefficient_csv.read(str(path)),
    "modes.pch": lambda path: punch.read(str(path)),
    "motor.eng": lambda path: rasp.read(path),
    "model.dml": lambda path: xml_file.read(path),
    "shape.stl": lambda path: mesh.read(str(path)),
    "field.gfc": lambda path: coefficients.load(str(path)),
    "best.progress": lambda path: resume.read(path, "about", []),
}
AT_ONCE = 5.0
"""Time [s] in which a file is refused on a busy machine; a file that is read whole takes minutes."""


def _refused(name: str, path: Path) -> str:
    begun = time.monotonic()
    with pytest.raises((BadInput, Refused)) as error:
        READERS[name](path)
    assert time.monotonic() - begun < AT_ONCE
    return str(error.value) or str(error.value.args)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _folder(path: Path) -> None:
    path.mkdir()


def _giant(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3 * 10**9)  # it takes no place on the disk


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes and devices of POSIX")
@pytest.mark.parametrize("make", [_pipe, _device, _giant, _folder], ids=lambda make: make.__name__[1:])
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_is_refused_at_once(tmp_path, name, make):
    path = tmp_path / name
    make(path)
    said = _refused(name, path)
    words = {
        _pipe: "regular file",
        _device: "regular file",
        _giant: "3.0 GB; allowed",
        _folder: "is a folder",
    }
    assert name in said
    assert words[make] in said


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
@pytest.mark.parametrize("command", ["run", "check", "report", "optimize"])
@pytest.mark.parametrize("name", ["flight.nc", "scenario.toml"])
def test_commands_refuse_a_pipe(tmp_path, command, name):
    os.mkfifo(tmp_path / name)
    found = CliRunner().invoke(app, [command, str(tmp_path / name)])
    assert isinstance(found.exception, BadInput)
    assert "is not a regular file but a pipe or a device" in str(found.exception)


def test_a_file_that_grows_is_read_up_to_its_limit():
    """Files of /proc have no size before they are read; this one is endless in effect."""
    few = FileKind("tests", 100)
    if Path("/proc/self/maps").exists():
        with pytest.raises(Unreadable, match=r"more than 0 MB; allowed for tests"):
            read_bytes("/proc/self/maps", few)


def test_reading_takes_a_limited_time(tmp_path, monkeypatch):
    path = tmp_path / "slow.csv"
    path.write_bytes(b"1" * 100)
    monkeypatch.setattr(guarded_reader, "LONGEST", -1.0)
    with pytest.raises(Unreadable, match="took longer than"):
        read_bytes(path, TABLE)


def test_names_that_are_no_names():
    for name in ("a\0b", "x" * 5000):
        with pytest.raises(Unreadable, match="cannot be read"):
            read_bytes(name, TABLE)
    assert head("a\0b", 4) == b""


def test_files_beside_a_mesh_are_read_within_its_folder(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "outside").write_bytes(b"secret")
    (tmp_path / "folder" / "inside").write_bytes(b"known")
    folder = GuardedFolder(tmp_path / "folder", TABLE)
    assert folder["inside"] == b"known"
    for name in ("../outside", str(tmp_path / "outside"), "nowhere"):
        with pytest.raises(KeyError):
            folder[name]


OWN = {
    "tree/guarded_reader.py": "it is the reader",
    "tree/saving.py": "it tries places for writing",
    "model/user_class.py": "sources of modules that were imported",
    "model/user_module.py": "lists of what is installed, by importlib.metadata",
    "engine/hooks.py": "sources of packages that were imported",
    "programs/store.py": "it has a guard of its own, which also looks at owners",
    "programs/key.py": "the processor, and Interstage's own files",
    "studies/verify.py": "cases of validation, which are programs",
    "studies/fmu/export.py": "Interstage's own file, and what was compiled from it",
    "environment/us76.py": "Interstage's own file",
    "cli/new.py": "examples of Interstage",
    "cli/reference/pages.py": "pages of Interstage",
    "playback/page.py": "Interstage's own files: the viewer and its licences",
    "playback/filming.py": "the film that it has just made",
    "cli/shown_flights.py": "the page that it has just written",
    "studies/campaign/folder.py": "the lock of a folder",
    "studies/campaign/chunk_file.py": "a file that it has just written, to flush it",
}
"""Files that may read by themselves, and why."""
READING = {"read_text", "read_bytes", "loadtxt", "genfromtxt", "fromfile", "load_mesh"}


def test_no_other_file_opens_files_to_read_them():
    """By names of calls: methods of paths and of NumPy, and `open` without a mode to write."""
    source, found = Path(ist.__file__).parent, set()
    for path in source.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not any(word in text for word in (*READING, "open(")):
            continue
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call) or ast.unparse(node.func) == "webbrowser.open":
                continue
            method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            plain = node.func.id if isinstance(node.func, ast.Name) else ""
            of_module = isinstance(node.func, ast.Attribute) and _is_module(node.func)
            if method in READING and not (path.name == "serve.py" or of_module):
                found.add(path.relative_to(source).as_posix())
            modes = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            if (
                "open" in (method, plain)
                and not {"w", "wb", "a", "r+b"} & set(modes)
                and method != "open_flight"
            ):
                found.add(path.relative_to(source).as_posix())
    assert found - OWN.keys() == set()


def _is_module(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("guarded_reader", "toml_file")
