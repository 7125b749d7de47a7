"""Write docs/reference.md and the pages in docs/reference/, every table and key of a scenario, from the
declarations: python docs/reference_pages.py

Each group of keys has a page of its own with an example from docs/keys/. docs/reference.md is the index. It
keeps the anchors of the time when all tables were on this page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from interstage.cli.schema import schema
from interstage.scenario import Scenario
from interstage.tree.declaration import ByName, reachable

DOCS = Path(__file__).parent
INDEX = "reference.md"
FOLDER = "reference"
EXAMPLES = DOCS / "keys"
"""Folder of the examples: a file GROUP.toml for each page, see `example`."""
EXAMPLE = re.compile(r"(?:# extends: (\S+)\n)?((?:# [^\n]*\n)+)\n(.*)", re.S)
INTRO = """\
# Every table and key

The pages of this reference list all tables and keys of a scenario file, one page for each group. The table
below has the keys at the top of a file and links to the pages. [All tables](#all-tables) are listed below it.

- Numbers without a unit are in SI units. Other units are written in the value, for example `"5 deg"`.
- "m, 3" is a list of three lengths, "m, n" is a list of lengths of any size. 1 is a number without a unit.
- Items with names are tables, for example `[bodies.stage]`.
- If all other keys of a kind of `gravity`, `planet`, `atmosphere`, `wind` or `solver.formulation` have
  defaults, the kind can replace the table: `gravity = "zonal"`.

Relations between the keys are explained in [conventions](conventions.md), [quantities](quantities.md),
[air and control](control_and_aero.md) and [formulations](formulations.md). `interstage check` and
`interstage schema` use the same declarations. `python docs/reference_pages.py` writes these pages from the
declarations.
"""
LONGEST = 500
"""Longest meaning [characters]. Sentences beyond this length are omitted, except for the first sentence."""
FIRST = {"kind": 0, "name": 1}
"""Where keys stand in their table that do not stand where they are declared."""
PLACES = 3
"""How many of the places that a table may stand at are named."""
ELSEWHERE = {
    "Signal": "[signal](../control_and_aero.md#signals)",
    "Value": "number with unit",
    "Parameters": "",
}
"""Declarations that are written as a number or a text, or hold keys of the user's own: they have no table."""
LAST = ("legs",)
"""Groups whose tables are explained under another group if they also occur there."""


def pages() -> dict[str, str]:
    """Return the text of each page by its path from the folder docs."""
    body = schema()
    return dict(Pages(body["$defs"], body["properties"]).texts())


class Pages:
    """The schema's definitions, and the section and places of each."""

    def __init__(self, definitions: dict[str, Any], scenario: dict[str, Any]) -> None:
        self.definitions, self.scenario = definitions, scenario
        self.fields = {cls.__name__: cls.model_fields for cls in reachable(Scenario)}
        self.places: dict[str, list[str]] = {}
        self.section: dict[str, str] = {}
        """The group that each definition is explained under."""
        self.merged: dict[str, str] = {}
        """Definitions whose keys are those of a group itself, and that group."""
        self.groups = [group for group, entry in scenario.items() if any(references(entry))]
        """Groups with a page."""
        self.page = ""
        """Group whose page is written."""
        for group in sorted(self.groups, key=lambda group: group in LAST):
            entry = scenario[group]
            roots = list(references(entry))
            if len(roots) == 1:
                self.merged[roots[0]] = group
            self._find(group, entry, group, ())

    def _find(self, group: str, entry: dict[str, Any], place: str, above: tuple[str, ...]) -> None:
        """Note what may stand at a place, and within."""
        place += inside(entry)
        for name in references(entry):
            if name in above or name in ELSEWHERE:
                continue
            self.section.setdefault(name, group)
            places = self.places.setdefault(name, [])
            if place not in places:
                places.append(place)
            for key, inner in self.definitions[name]["properties"].items():
                self._find(group, inner, f"{place}.{key}", (*above, name))

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the path of each page and its text, the index first."""
        top = self._table(self.scenario, (), Scenario.model_fields, self._top)
        yield INDEX, "\n".join([INTRO, *top, *self._index()])
        for group in self.groups:
            yield f"{FOLDER}/{group}.md", "\n".join(self._group(group, self.scenario[group]))

    def _index(self) -> Iterator[str]:
        """The list of all tables with the former anchors of this page, and the contents of the site."""
        yield "## All tables\n"
        for group in self.groups:
            yield f"### {group}\n"
            tables = [f"[{group}]({FOLDER}/{group}.md)"]
            for name in self._of(group):
                if name not in self.merged:
                    anchor = slug(self._heading(name))
                    link = f"{FOLDER}/{group}.md#{anchor}"
                    tables.append(f'<a id="{anchor}"></a>[{self._heading(name)}]({link})')
            yield ",\n".join(tables) + "\n"
        listed = "\n".join(f"{FOLDER}/{group}" for group in self.groups)
        yield f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{listed}\n```\n"

    def _of(self, group: str) -> list[str]:
        """The definitions that are explained under a group."""
        return [name for name, section in self.section.items() if section == group]

    def _top(self, key: str, entry: dict[str, Any]) -> str:
        many = "by name: " if inside(entry) else ""
        return f"{many}[{key}]({FOLDER}/{key}.md)" if key in self.groups else self._value(entry, None)

    def _group(self, group: str, entry: dict[str, Any]) -> Iterator[str]:
        """The parts of the page of a group."""
        self.page = group
        yield f"# {group}\n"
        yield f"{escaped(entry['description'])} See [all groups](../{INDEX}).\n"
        yield example(EXAMPLES / f"{group}.toml")
        for name in self._of(group):
            definition = self.definitions[name]
            heading = f"Keys of `{group}`" if name in self.merged else self._heading(name)
            yield f"## {heading}\n"
            yield f"{places(self.places[name])}: {escaped(definition['description'])}\n"
            required = tuple(definition.get("required", ()))
            yield from self._table(definition["properties"], required, self.fields[name])

    def _heading(self, name: str) -> str:
        kind = self._kind(name)
        return f"{kind}: {name}" if kind else name

    def _kind(self, name: str) -> str | None:
        return self.definitions[name].get("properties", {}).get("kind", {}).get("const")

    def _table(self, keys: dict[str, Any], required: tuple[str, ...], fields: Any, value: Any = None):
        by_alias = {field.alias or name: field for name, field in fields.items()}
        lines = ["| key | unit or value | default | meaning |", "|---|---|---|---|"]
        for key, entry in sorted(keys.items(), key=lambda item: FIRST.get(item[0], len(FIRST))):
            shown = value(key, entry) if value else self._value(entry, by_alias[key])
            given = default(key, entry, required, "file" in keys)
            lines.append(f"| `{key}` | {shown} | {given} | {meaning(entry)} |")
        yield "\n".join(lines) + "\n"

    def _value(self, entry: dict[str, Any], field: Any) -> str:
        """What may stand there: a unit with sizes, words, or links to tables."""
        if "const" in entry:
            return f'`"{entry["const"]}"`'
        names = list(references(entry))
        plain = " or ".join(dict.fromkeys(plain_values(entry)))
        if not names:
            return plain
        linked = ", ".join(filter(None, (self._link(name) for name in names))) or "keys of your own"
        if inside(entry) == ".<name>":
            mark = next((m for m in field.metadata if isinstance(m, ByName)), ByName()) if field else ByName()
            return f"by name: {linked}" + (f" or its `{mark.short}`" if mark.short else "")
        linked = f"list of {linked}" if inside(entry) else linked
        return f"{plain}; {linked}" if plain and not is_short(entry) else linked

    def _link(self, name: str) -> str:
        if name in ELSEWHERE:
            return ELSEWHERE[name]
        target = f"keys-of-{self.merged[name]}" if name in self.merged else slug(self._heading(name))
        page = "" if self.section[name] == self.page else f"{self.section[name]}.md"
        return f"[{self._kind(name) or name}]({page}#{target})"


def example(file: Path) -> str:
    """Return the part of a page with an example, which the tests check.

    The comments at the top of the file are the sentences before the example. The first comment can name the
    file that the example extends: `# extends: examples/first.toml`."""
    found = EXAMPLE.fullmatch(file.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{file} does not begin with comments and an empty line")
    text = re.sub(r"(?m)^# ", "", found[2])
    if found[1]:
        text += f"The other tables are those of [{found[1]}](../../{found[1]}).\n\n"
        text += f"<!-- extends: {found[1]} -->\n"
    gap = "" if found[1] else "\n"
    return f"{text}{gap}```toml\n{found[3]}```\n"


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
    """What follows the key in the place of an entry's tables: the name of one, or the mark of a list."""
    if not any(references(entry)):
        return ""
    if any("additionalProperties" in choice for choice in entry.get("anyOf", ())):
        return ".<name>"
    return "[]" if "items" in entry else ""


def is_short(entry: dict[str, Any]) -> bool:
    """Whether the plain values are the kinds of the tables, which a text stands for."""
    return any("enum" in choice for choice in entry.get("anyOf", ()))


def plain_values(entry: dict[str, Any], sizes: tuple[str, ...] = (), unit: str = "") -> Iterator[str]:
    """What an entry allows without a table, in words."""
    unit = entry.get("unit", unit)
    if "enum" in entry:
        words = " ".join(f'`"{w}"`' if isinstance(w, str) else f"`{w}`" for w in entry["enum"])
        yield f"any of {words}" if sizes else words
    for choice in (*entry.get("anyOf", ()), *entry.get("oneOf", ())):
        # A text beside a number of the same unit is that number with its unit.
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
    """The default of a key, or that there is none."""
    if key in required:
        return "required, or by `file`" if from_file and "file" not in required else "required"
    given = entry.get("default")
    if given in (None, "", [], {}):
        return "the table's name" if key in ("name", "joint", "path") else "none"
    if isinstance(given, dict):
        return f'`"{given["kind"]}"`' if "kind" in given else "its defaults"
    return f"`{toml(given)}`"


def toml(value: Any) -> str:
    """A default as it is written in a file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, float):
        text = f"{Decimal(repr(value)).normalize():e}" if abs(value) >= 1e7 else repr(value)
        return re.sub(r"e\+?(-?)0*", r"e\1", text).removesuffix(".0")
    return f'"{value}"' if isinstance(value, str) else str(value)


def meaning(entry: dict[str, Any]) -> str:
    """The docstring of a key, without its unit, which has a column, and without what makes it too long."""
    text = entry["description"]
    for unit in units(entry):
        text = text.replace(f" [{unit}]", "")
    kept, *rest = re.split(r"(?<=[a-z0-9)`\"\]]\.) (?=[A-Z`\"])", text)
    for sentence in rest:
        fits = len(kept) + len(sentence) < LONGEST and not sentence.startswith("See `")
        if fits or sentence.startswith("None"):
            kept += f" {sentence}"
    return escaped(kept)


def units(node: Any) -> Iterator[str]:
    """The units that an entry names."""
    if isinstance(node, dict):
        yield from [node["unit"]] if isinstance(node.get("unit"), str) else []
        for inner in node.values():
            yield from units(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from units(inner)


def places(found: list[str]) -> str:
    """Where a table may stand, the first few."""
    more = ", ..." if len(found) > PLACES else ""
    return ", ".join(f"`{place}`" for place in found[:PLACES]) + more


def escaped(text: str) -> str:
    """Text for a cell or a paragraph, in which GitHub takes nothing for a tag or a column."""
    inside_code = re.split(r"(`+[^`]*`+)", text.replace("|", "\\|"))
    return "".join(
        part if part.startswith("`") else part.replace("<", "&lt;").replace("*", "\\*")
        for part in inside_code
    )


def slug(heading: str) -> str:
    """The anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def write() -> None:
    """Write all pages, and remove pages of groups that no longer exist."""
    found = pages()
    for old in (DOCS / FOLDER).glob("*.md"):
        if f"{FOLDER}/{old.name}" not in found:
            old.unlink()
    (DOCS / FOLDER).mkdir(exist_ok=True)
    for name, text in found.items():
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
