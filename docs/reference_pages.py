"""Writes docs/reference.md, every table and key of a scenario, from the declarations:
python docs/reference_pages.py"""

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

PAGE = Path(__file__).parent / "reference.md"
INTRO = """\
# Every table and key

This page lists all tables and keys of a scenario file. `interstage check` and `interstage schema` use the
same declarations. Numbers without a unit are in SI units. Other units are written in the value, for example
`"5 deg"`. "m, 3" is a list of three lengths, "m, n" is a list of lengths of any size, and 1 is a number
without a unit. Items with names are tables, for example `[bodies.stage]`. If all other keys of a kind of
`gravity`, `planet`, `atmosphere`, `wind` or `solver.formulation` have defaults, the kind can replace the
table: `gravity = "zonal"`. Relations between the keys are explained in [conventions](conventions.md),
[quantities](quantities.md), [air and control](control_and_aero.md) and [formulations](formulations.md).
`interstage explain devices.kickoff_spring.stroke` prints the description of a key in the terminal.
`python docs/reference_pages.py` writes this page from the declarations.
"""
FIRST = {"kind": 0, "name": 1}
"""Where keys stand in their table that do not stand where they are declared."""
PLACES = 3
"""How many of the places that a table may stand at are named."""
ELSEWHERE = {"Signal": "[signal](control_and_aero.md#signals)", "Value": "number with unit", "Parameters": ""}
"""Declarations that are written as a number or a text, or hold keys of the user's own: they have no table."""


def page() -> str:
    """The page."""
    return Pages(schema()).text()


class Pages(Tables):
    """The page of all tables."""

    def text(self) -> str:
        """The whole page."""
        parts = [INTRO, *self._table(self.scenario, (), Scenario.model_fields, self._top)]
        for group, entry in self.scenario.items():
            if any(references(entry)):
                parts += self._group(group, entry)
        return "\n".join(parts)

    def _top(self, key: str, entry: dict[str, Any]) -> str:
        many = "by name: " if inside(entry) else ""
        return f"{many}[{key}](#{key})" if any(references(entry)) else self._value(entry, None)

    def _group(self, group: str, entry: dict[str, Any]) -> Iterator[str]:
        yield f"## {group}\n"
        for name in (name for name, section in self.section.items() if section == group):
            definition = self.definitions[name]
            if name in self.merged:
                yield f"{places(self.places[name])}: {escaped(definition['description'])}\n"
            else:
                if name == next(references(entry)):
                    yield escaped(entry["description"]) + "\n"
                yield f"### {self.heading(name)}\n"
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
        return f"[{self.kind(name) or name}](#{self.anchor(name)})"


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


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
