"""Write docs/reference.md and the pages in docs/reference/, every table and key of a scenario, from the
declarations: python docs/reference_pages.py

Each group of keys has a page of its own with an example from docs/keys/. docs/reference.md is the index. It
keeps the anchors of the time when all tables were on this page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interstage.cli.reference.keys import (
    Tables,
    default,
    inside,
    is_short,
    meaning,
    plain_values,
    references,
    slug,  # noqa: F401 - for the tests
)
from interstage.cli.schema import schema
from interstage.scenario import Scenario
from interstage.tree.declaration import ByName

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
`interstage schema` use the same declarations. `interstage explain devices.kickoff_spring.stroke` prints the
description of a key in the terminal. `python docs/reference_pages.py` writes these pages from the
declarations.
"""
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


def pages() -> dict[str, str]:
    """Return the text of each page by its path from the folder docs."""
    return dict(Pages(schema()).texts())


class Pages(Tables):
    """The pages of all groups, and the index."""

    def __init__(self, body: dict[str, Any]) -> None:
        """body: result of `interstage.cli.schema.schema`."""
        super().__init__(body)
        self.groups = [group for group, entry in self.scenario.items() if any(references(entry))]
        """Groups with a page."""
        self.page = ""
        """Group whose page is written."""

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
                    anchor = self.anchor(name)
                    link = f"{FOLDER}/{group}.md#{anchor}"
                    tables.append(f'<a id="{anchor}"></a>[{self.heading(name)}]({link})')
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
            yield f"## {self.heading(name)}\n"
            yield f"{places(self.places[name])}: {escaped(definition['description'])}\n"
            required = tuple(definition.get("required", ()))
            yield from self._table(definition["properties"], required, self.fields[name])

    def _table(self, keys: dict[str, Any], required: tuple[str, ...], fields: Any, value: Any = None):
        by_alias = {field.alias or name: field for name, field in fields.items()}
        lines = ["| key | unit or value | default | meaning |", "|---|---|---|---|"]
        for key, entry in sorted(keys.items(), key=lambda item: FIRST.get(item[0], len(FIRST))):
            shown = value(key, entry) if value else self._value(entry, by_alias[key])
            given = default(key, entry, required, "file" in keys)
            lines.append(f"| `{key}` | {shown} | {given} | {escaped(meaning(entry))} |")
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
        page = "" if self.section[name] == self.page else f"{self.section[name]}.md"
        return f"[{self.kind(name) or name}]({page}#{self.anchor(name)})"


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
