"""Texts of `interstage explain` for the terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...tree.addresses import markers_in
from ...tree.units import SI
from .find import SCENARIO, Node, Topics
from .keys import WITHOUT_TABLE, default, inside, meaning, plain_values, references
from .pages import Row, kind_rows, plain
from .samples import lines, table_sample, value_sample

GUIDES = {
    "gravity": "conventions.md",
    "planet": "conventions.md",
    "bodies": "conventions.md",
    "joints": "conventions.md",
    "forces": "separation.md",
    "aerodynamics": "control_and_aero.md",
    "engines": "control_and_aero.md",
    "guidance": "guidance.md",
    "controls": "control_and_aero.md",
    "actuators": "control_and_aero.md",
    "pairs": "separation/relative_motion.md",
    "interfaces": "separation/interface_loads.md",
    "devices": "separation.md",
    "contacts": "separation/contact.md",
    "phases": "conventions.md",
    "events": "conventions.md",
    "legs": "missions.md",
    "clearance": "separation/clearance.md",
    "solver": "formulations.md",
    "requirements": "quantities.md",
    "sources": "sources.md",
}
"""Page that explains each group of a scenario with examples."""
WIDEST = 100
"""Largest width of the text [characters]."""


LONGEST_WORDS = 40
"""Longest list of allowed words in a list of keys [characters]."""


def width() -> int:
    """Return the text width in characters: the width of the terminal, at most `WIDEST`."""
    return max(40, min(shutil.get_terminal_size().columns, WIDEST))


def paragraph(text: str, label: str = "") -> Iterator[str]:
    """Yield the lines of a paragraph, indented by two spaces, after a label such as "Default"."""
    head = f"  {label:<9}" if label else "  "
    yield from textwrap.wrap(text, width(), initial_indent=head, subsequent_indent=" " * len(head)) or [head]


class Describer:
    """Writer of the descriptions of nodes."""

    def __init__(self, topics: Topics) -> None:
        self.topics = topics

    def lines(self, node: Node, also: Sequence[str] = ()) -> Iterator[str]:
        """Yield the lines of the description of a node. also: other paths with the same description."""
        yield node.path
        if node.table:
            yield from self._table(node)
        elif node.word:
            yield from self._word(node)
        else:
            yield from self._key(node)
        if also:
            yield from paragraph(", ".join(also), "The same")

    def short(self, node: Node) -> str:
        """Return a description in one line."""
        text = self.topics.definitions[node.table]["description"] if node.table else ""
        return f"{node.path}: {first(text or meaning(self.topics.entry(node)))}"

    def _table(self, node: Node) -> Iterator[str]:
        definition = self.topics.definitions[node.table]
        yield from paragraph(definition["description"])
        yield ""
        yield from self._keys(node.table)
        yield from self._sample(node.table, self.topics.kind(node.table))
        yield from self._page(node.path, node.table)

    def _word(self, node: Node) -> Iterator[str]:
        found = kind_rows(node.word) if node.key == "kind" else []
        for row in found:
            yield from _row(row)
        if not found:
            yield from paragraph(meaning(self.topics.entry(node)))
        if node.key == "kind":
            yield ""
            yield from self._keys(node.owner, without=_of_other_kinds(node))
        yield from self._sample(node.owner, node.word if node.key == "kind" else None)
        yield from paragraph(found[0].address if found else self._address(node.owner), "Page")

    def _key(self, node: Node) -> Iterator[str]:
        entry = self.topics.entry(node)
        owner = {} if node.owner == SCENARIO else self.topics.definitions[node.owner]
        yield from paragraph(meaning(entry))
        if value := self.value(node):
            yield from paragraph(value, "Value")
        given = default(
            node.key, entry, tuple(owner.get("required", ())), "file" in owner.get("properties", ())
        )
        yield from paragraph(given.replace("`", ""), "Default")
        if sample := self._value_sample(node, entry):
            yield from paragraph(f"{node.key} = {sample}", "Example")
        yield from self._below(node)
        yield from self._page(node.path, node.owner, node.key)

    def _below(self, node: Node) -> Iterator[str]:
        """Yield the tables of a key and their kinds, a paragraph for each."""
        below = self.topics.tables_below(node)
        kinds = [word.word for table in below for word in self.topics.words if word.owner == table.table]
        if kinds:
            yield from paragraph(", ".join(kinds), "Kinds")
        alone = len(below) == 1 and not self.topics.kind(below[0].table)
        if alone:
            yield "  Keys"
            yield from self._keys(below[0].table)
            yield ""
        elif below:
            yield "  Tables"
        for table in () if alone else below:
            text = self.short(table if self.topics.kind(table.table) else replace(table, path=table.table))
            yield from textwrap.wrap(text, width(), initial_indent=" " * 4, subsequent_indent=" " * 8)

    def _keys(self, definition: str, without: Container[str] = ()) -> Iterator[str]:
        """Yield a line for each key of a table: key, first sentence, value and default."""
        table = self.topics.definitions[definition]
        required = tuple(table.get("required", ()))
        rows = []
        for key, entry in table["properties"].items():
            if key in ("kind", "name") or key in without:
                continue
            value = self.value(Node(key, definition, key), short=True)
            rows.append((key, value, default(key, entry, required, "file" in table["properties"]), entry))
        if not rows:
            return
        size = max(len(key) for key, *_ in rows)
        for key, value, given, entry in rows:
            given = given.replace("`", "")
            given = given if given.startswith("required") else f"default: {given}"
            text = f"{first(meaning(entry))} [{value}; {given}]"
            head = f"  {key:<{size}}  "
            yield from textwrap.wrap(text, width(), initial_indent=head, subsequent_indent=" " * len(head))

    def value(self, node: Node, short: bool = False) -> str:
        """Return the allowed values of a key as text."""
        entry = self.topics.entry(node)
        if "const" in entry:
            return f'"{entry["const"]}"'
        words = dict.fromkeys(plain_values(entry))
        text = " or ".join(map(spelt, words))
        kinds = list(references(entry))
        if kinds and all(name in WITHOUT_TABLE for name in kinds):
            text = WITHOUT_TABLE[kinds[0]]
        elif kinds:
            text = (
                "table"
                if not inside(entry)
                else "tables by name"
                if "<" in inside(entry)
                else "list of tables"
            )
            plain_text = " or ".join(spelt(word) for word in words if "`" not in word)
            text = f"{plain_text}, or {text}" if plain_text else text
        if short and len(text) > LONGEST_WORDS and '"' in text:
            text = "word"
        return ", ".join(filter(None, (text, *self._limits(node))))

    def _limits(self, node: Node) -> Iterator[str]:
        """Yield the limits of a numeric key."""
        field = next(
            (f for name, f in self.topics.fields.get(node.owner, {}).items() if node.key in (f.alias, name)),
            None,
        )
        if field is None:
            return
        for mark in (*field.metadata, *markers_in(field.annotation)):
            if isinstance(mark, SI):
                yield from ("above 0",) if mark.positive else ()
                yield from ("0 or more",) if mark.nonnegative else ()

    def _sample(self, definition: str, kind: str | None) -> Iterator[str]:
        for place in self.topics.places[definition]:
            group = place.count(".") == place.count(".<name>")
            key = re.sub(r"\.<name>|\[\]", "", place).rpartition(".")[2]
            sample = table_sample(key, kind, {*self.topics.keys_of(definition)})
            if sample is not None:
                yield ""
                yield from (f"  {line}" for line in lines(sample, group and bool(sample.name)))
                yield ""
                return

    def _value_sample(self, node: Node, entry: dict[str, Any]) -> str | None:
        if node.owner != SCENARIO:
            place = re.sub(r"\.<name>|\[\]", "", self.topics.places[node.owner][0]).rpartition(".")[2]
            keys = {*self.topics.keys_of(node.owner)}
            found = value_sample(place, self.topics.kind(node.owner), keys, node.key)
            if found is not None:
                return found
        given = [f'"{text}"' for choice in entry.get("anyOf", ()) for text in choice.get("examples", ())]
        return given[0] if given else None

    def _page(self, path: str, definition: str, key: str = "") -> Iterator[str]:
        yield from paragraph(self._address(definition, key), "Page")
        group = path.split(".")[0]
        if group in GUIDES:
            yield from paragraph(f"docs/{GUIDES[group]}", "Guide")

    def _address(self, definition: str, key: str = "") -> str:
        if definition == SCENARIO:
            has_page = any(references(self.topics.scenario[key]))
            return f"docs/reference/{key}.md" if has_page else "docs/reference.md"
        return f"docs/reference/{self.topics.section[definition]}.md#{self.topics.anchor(definition)}"


def spelt(value: str) -> str:
    """Return an allowed value of a page of the reference in words: "m, 3" is "3 values in m"."""
    unit, _, size = value.replace("`", "").partition(", ")
    if size and not re.fullmatch(r"(\d+|n)( x (\d+|n))*", size):
        return value.replace("`", "")
    if value.startswith("`") or unit in ("text", "texts", "whole number") or unit.startswith("any of"):
        return f"list of {size} values {unit}" if size else "list of texts" if unit == "texts" else unit
    kind = "" if unit == "1" else f" in {unit}"
    if not size:
        return f"number{kind}"
    many = f"{size} values" if "n" not in size else "list of values" if size == "n" else f"{size} values"
    return f"{many}{kind}"


def _of_other_kinds(node: Node) -> list[str]:
    """Return the options that do not apply to the kind of joint of a node."""
    if node.owner != "Joint":
        return []
    from ...model.joint import APPLIES_TO

    return [option for option, kinds in APPLIES_TO.items() if node.word not in kinds]


def first(text: str) -> str:
    """Return the first sentence of a text."""
    return re.split(r"(?<=[a-z0-9)`\"\]]\.) (?=[A-Z`\"])", text)[0]


def _row(row: Row) -> Iterator[str]:
    """Yield the other cells of a row of a page with their headings."""
    for name, cell in zip(row.header[1:], row.cells[1:]):
        if cell:
            text = plain(cell).replace("`", "")
            yield from paragraph(text, name.capitalize()) if len(name) < 9 else paragraph(f"{name}: {text}")
