"""Create the JSON Schema of scenario files. With the schema, an editor completes keys, shows help and marks
errors.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache
from itertools import pairwise
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from ..scenario import Scenario
from ..tree.declaration import Declaration, reachable
from ..tree.toml_file import plain

TABLE_KEYS = ("name", "joint", "path")
"""Keys whose value is the name in the heading of a table. Inside the table, these keys may be omitted."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """Return the schema of a scenario file (draft 2020-12), with meaning, unit, default and range of all
    keys.
    """
    body = _tidy(Scenario.model_json_schema(by_alias=True, schema_generator=_Generator))
    within = reachable(Scenario)
    described = {cls.__name__: cls for cls in within}
    # For classes with the same name, pydantic adds the modules.
    described |= {f"{cls.__module__}.{cls.__qualname__}".replace(".", "__"): cls for cls in within}
    for name, definition in (*body.get("$defs", {}).items(), ("Scenario", body)):
        if name in described:
            _describe(definition, described[name])
    return {"$schema": DIALECT, **body, "title": "Interstage scenario"}


class _Generator(GenerateJsonSchema):
    """pydantic's schema, with declarations as defaults."""

    def encode_default(self, dft: Any) -> Any:
        return plain(dft) if isinstance(dft, Declaration) else super().encode_default(dft)


def _tidy(node: Any) -> Any:
    """Return a node without null, which TOML does not have, and with nested choices in one list."""
    if isinstance(node, list):
        return [_tidy(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {key: _tidy(value) for key, value in node.items() if not (key == "default" and value is None)}
    choices = [choice for choice in node.pop("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) == 1:
        return {**choices[0], **node}
    flat = [inner for choice in choices for inner in choice.get("anyOf", (choice,))]
    if flat:
        node = {**node, "anyOf": flat, **{k: c[k] for c in choices for k in ("unit",) if k in c}}
    return node


def _describe(definition: dict[str, Any], cls: type[Declaration]) -> None:
    """Add docstrings to a definition. `name` is optional if the heading of the table is the name."""
    definition["description"] = _paragraph(inspect.getdoc(cls) or "")
    if "properties" not in definition:
        return
    texts = _field_texts(cls)
    keys = {name: field.alias or name for name, field in cls.model_fields.items()}
    for name, key in keys.items():
        entry = definition["properties"][key]
        entry.pop("title", None)
        definition["properties"][key] = {"description": texts[name], **entry}
    required = [key for key in definition.pop("required", ()) if key not in TABLE_KEYS]
    if "const" in definition["properties"].get("kind", ()):
        required.insert(0, "kind")  # it has a default, but it selects the member of a union
    if required:
        definition["required"] = required


def _paragraph(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split())


@cache
def _field_texts(cls: type[Declaration]) -> dict[str, str]:
    """Texts below the fields in the source of a class and its bases."""
    texts: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if not issubclass(base, Declaration) or base is Declaration:
            continue
        tree = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        statements = tree.body if isinstance(tree, ast.ClassDef) else []
        for statement, below in pairwise(statements):
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                texts[statement.target.id] = _text_of(below)
    return texts


def _text_of(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return " ".join(str(statement.value.value).split())
    return ""
