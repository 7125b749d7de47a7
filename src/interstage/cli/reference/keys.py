"""Tables and keys of a scenario with unit, default and meaning, from the schema of scenario files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from ...scenario import Scenario
from ...tree.declaration import reachable

LONGEST = 500
"""Longest meaning [characters]. Sentences beyond this length are omitted, except for the first sentence."""
WITHOUT_TABLE = {
    "Signal": "signal, see docs/control_and_aero.md#signals",
    "Value": "number with unit",
    "Parameters": "keys of your own",
}
"""Pairs of a declaration and a description. The declaration is written as a number or a text, or has keys
that the user chooses."""


class Tables:
    """Definitions of the schema, with the group and the paths of each."""

    def __init__(self, body: dict[str, Any]) -> None:
        """body: result of `interstage.cli.schema.schema`."""
        self.definitions: dict[str, Any] = body["$defs"]
        self.scenario: dict[str, Any] = body["properties"]
        self.fields = {cls.__name__: cls.model_fields for cls in (Scenario, *reachable(Scenario))}
        self.places: dict[str, list[str]] = {}
        """Paths of each definition, with <name> for names and [] for entries of lists."""
        self.section: dict[str, str] = {}
        """The group that each definition is explained under."""
        self.merged: dict[str, str] = {}
        """Pairs of a definition and a group. The keys of the definition are keys of the group itself."""
        # The legs come last, so that solver, output and trim are under their own headings.
        for group, entry in sorted(self.scenario.items(), key=lambda item: item[0] == "legs"):
            roots = list(references(entry))
            if len(roots) == 1:
                self.merged[roots[0]] = group
            self._find(group, entry, group, ())

    def _find(self, group: str, entry: dict[str, Any], place: str, above: tuple[str, ...]) -> None:
        """Note the definitions that may be at a path, and within."""
        place += inside(entry)
        for name in references(entry):
            if name in above or name in WITHOUT_TABLE:
                continue
            self.section.setdefault(name, group)
            places = self.places.setdefault(name, [])
            if place not in places:
                places.append(place)
            for key, inner in self.definitions[name]["properties"].items():
                self._find(group, inner, f"{place}.{key}", (*above, name))

    def kind(self, name: str) -> str | None:
        """Return the value of `kind` that selects a definition, or None."""
        return self.definitions[name].get("properties", {}).get("kind", {}).get("const")

    def heading(self, name: str) -> str:
        """Return the heading of a definition on the page of its group."""
        if name in self.merged:
            return f"Keys of `{self.merged[name]}`"
        kind = self.kind(name)
        return f"{kind}: {name}" if kind else name

    def anchor(self, name: str) -> str:
        """Return the anchor of a definition on the page of its group."""
        return slug(self.heading(name))


def references(entry: Any) -> Iterator[str]:
    """The definitions that an entry refers to, each once, in order."""
    found: dict[str, None] = {}
    stack = [entry]
    while stack:
        node = stack.pop(0)
        if isinstance(node, dict):
            if "$ref" in node:
                found[node["$ref"].rpartition("/")[2]] = None
            stack += [value for key, value in node.items() if key != "default"]
        elif isinstance(node, list):
            stack += node
    yield from found


def inside(entry: dict[str, Any]) -> str:
    """Text after the key in the path of an entry's tables: the name of an entry, or the mark of a list."""
    if not any(references(entry)):
        return ""
    if any("additionalProperties" in choice for choice in entry.get("anyOf", ())):
        return ".<name>"
    return "[]" if "items" in entry else ""


def is_short(entry: dict[str, Any]) -> bool:
    """Whether each plain value is the name of a kind, so that a text can replace the table."""
    return any("enum" in choice for choice in entry.get("anyOf", ()))


def plain_values(entry: dict[str, Any], sizes: tuple[str, ...] = (), unit: str = "") -> Iterator[str]:
    """Text that describes the values of an entry other than a table."""
    unit = entry.get("unit", unit)
    if "enum" in entry:
        words = " ".join(f'`"{w}"`' if isinstance(w, str) else f"`{w}`" for w in entry["enum"])
        yield f"any of {words}" if sizes else words
    for choice in (*entry.get("anyOf", ()), *entry.get("oneOf", ())):
        # A text next to a number of the same unit is that number with its unit.
        if not (unit and choice.get("type") == "string"):
            yield from plain_values(choice, sizes, unit)
    kind = entry.get("type")
    if kind == "array":
        least = entry.get("minItems")
        size = str(least) if least is not None and least == entry.get("maxItems") else "n"
        yield from plain_values(entry.get("items", {}), (*sizes, size), unit)
    elif kind == "number" or isinstance(kind, list):
        yield ", ".join([unit or "1", " x ".join(sizes)] if sizes else [unit or "1"])
    elif kind == "string" and "enum" not in entry:
        yield "texts" if sizes else "text"
    elif kind in ("integer", "boolean") and "enum" not in entry:
        yield {"integer": "whole number", "boolean": "`true` `false`"}[kind]


def default(key: str, entry: dict[str, Any], required: tuple[str, ...], from_file: bool) -> str:
    """The default of a key, or a text that there is no default."""
    if key in required:
        return "required, or by `file`" if from_file and "file" not in required else "required"
    given = entry.get("default")
    if given in (None, "", [], {}):
        return "the table's name" if key in ("name", "joint", "path") else "none"
    if isinstance(given, dict):
        return f'`"{given["kind"]}"`' if "kind" in given else "its defaults"
    return f"`{toml(given)}`"


def toml(value: Any) -> str:
    """A default value as it is written in a scenario file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, float):
        text = f"{Decimal(repr(value)).normalize():e}" if abs(value) >= 1e7 else repr(value)
        return re.sub(r"e\+?(-?)0*", r"e\1", text).removesuffix(".0")
    return f'"{value}"' if isinstance(value, str) else str(value)


def meaning(entry: dict[str, Any]) -> str:
    """The docstring of a key without its unit, which has its own column, and without sentences that make the
    text too long."""
    text = entry["description"]
    for unit in units(entry):
        text = text.replace(f" [{unit}]", "")
    kept, *rest = re.split(r"(?<=[a-z0-9)`\"\]]\.) (?=[A-Z`\"])", text)
    for sentence in rest:
        fits = len(kept) + len(sentence) < LONGEST and not sentence.startswith("See `")
        if fits or sentence.startswith("None"):
            kept += f" {sentence}"
    return kept


def units(node: Any) -> Iterator[str]:
    """The units that an entry names."""
    if isinstance(node, dict):
        yield from [node["unit"]] if isinstance(node.get("unit"), str) else []
        for inner in node.values():
            yield from units(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from units(inner)


def slug(heading: str) -> str:
    """The anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
