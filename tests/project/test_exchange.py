"""Files in formats of other programs are read and written in the room exchange only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import interstage

HOUSE = Path(interstage.__file__).parent
LIBRARIES = frozenset(("csv", "xml", "zipfile", "tarfile", "gzip", "trimesh", "scipy.io"))
"""Packages and modules that read or write formats of other programs."""
WORDS = re.compile("|".join(sorted({name.partition(".")[0] for name in LIBRARIES} | {"guarded_reader"})))
KINDS = frozenset(("PUNCH", "MOTOR", "MODEL", "MESH", "GRAVITY", "TABLE", "EPHEMERIS", "URDF"))
"""Kinds of files in `tree/guarded_reader.py` whose formats other programs define."""
ALLOWED = {("studies/campaign/manifest.py", "TABLE"): "the checksum of a table, of its bytes"}
"""(file, name): the reason."""


def foreign(source: str) -> Iterator[str]:
    """Libraries that code imports, and kinds of files that it reads."""
    if not WORDS.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                yield from (_library(alias.name) for alias in node.names)
            case ast.ImportFrom(level=0, module=str() as module):
                yield _library(module)
                yield from (_library(f"{module}.{alias.name}") for alias in node.names)
            case ast.ImportFrom(module=str() as module) if module.endswith("guarded_reader"):
                yield from (alias.name for alias in node.names if alias.name in KINDS)
            case ast.Attribute(value=ast.Name(id="guarded_reader")) if node.attr in KINDS:
                yield node.attr


def _library(module: str) -> str:
    return next((name for name in LIBRARIES if f"{module}.".startswith(f"{name}.")), "")


def sources(below: str = "") -> Iterator[tuple[str, str]]:
    for path in sorted((HOUSE / below).rglob("*.py")):
        yield path.relative_to(HOUSE).as_posix(), path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import csv", {"csv"}),
        ("def f():\n    from scipy.io import savemat", {"scipy.io"}),
        ("from scipy import io", {"scipy.io"}),
        ("from xml.sax.saxutils import quoteattr", {"xml"}),
        ("from ...tree.guarded_reader import PUNCH, read_text", {"PUNCH"}),
        ("guarded_reader.read_bytes(path, guarded_reader.MESH)", {"MESH"}),
        ("from ..exchange.csv_file import write_csv\nimport io\nfrom scipy import optimize", set()),
    ],
)
def test_formats_are_found_in_code(source, found):
    assert {name for name in foreign(source) if name} == found


def test_only_the_exchange_reads_and_writes_formats_of_other_programs():
    found = {
        (file, name)
        for file, source in sources()
        for name in foreign(source)
        if name and not file.startswith("exchange/") and file != "tree/guarded_reader.py"
    }
    assert found == set(ALLOWED)


def test_the_libraries_are_used_by_the_exchange():
    """Names that nothing uses any more would make the test above weaker than it looks."""
    used = {name for _, source in sources("exchange") for name in foreign(source)}
    assert {"csv", "xml", "zipfile", "trimesh", "scipy.io"} <= used
    assert used >= KINDS
