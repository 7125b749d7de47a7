"""How the engine keeps what it knows is known to one file of the tests."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
FOR_PARTS = {"interstage.engine.contract", "interstage.engine.quantity"}
"""What parts that are installed beside the package import as well."""
INSIDES = (
    "interstage.engine",
    *(f"interstage.starts.{n}" for n in ("consistency", "events", "placement", "start")),
)


def inside(file: Path) -> set[str]:
    """The engine's modules that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{name.name}" for name in node.names}
    return {name for name in found if name.startswith(INSIDES) and not name.startswith(tuple(FOR_PARTS))}


def test_only_the_door_looks_into_the_engine():
    others = {file.name: inside(file) - {"interstage.engine"} for file in TESTS.rglob("*.py")}
    assert len(others.pop("engine_door.py")) > 10
    assert {name: modules for name, modules in others.items() if modules} == {}
