"""Find keys, kinds and tables of a scenario by a topic, for example ``devices.kickoff_spring.stroke``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...tree.errors import BadInput
from ...tree.similar_names import near
from .keys import WITHOUT_TABLE, Tables, inside, references

SCENARIO = "Scenario"
"""Name of the declaration with the groups of a scenario."""


@dataclass(frozen=True)
class Node:
    """A key, a table or an allowed word of the scenario.

    - path: topic of the key or table, without names of the user.
    - owner: definition that has the key.
    - key: name of the key, or "" for a table.
    - table: definition of a table, or "".
    - word: allowed value of the key, or "".
    - named: true after a step that is a name of the user.
    """

    path: str
    owner: str = ""
    key: str = ""
    table: str = ""
    word: str = ""
    named: bool = False


class Topics(Tables):
    """All keys, kinds and tables, which `find` looks up."""

    def keys_of(self, definition: str) -> dict[str, Any]:
        """Return the schema of each key of a definition."""
        if definition == SCENARIO:
            return self.scenario
        return self.definitions[definition].get("properties", {})

    def entry(self, node: Node) -> dict[str, Any]:
        """Return the schema of the key of a node."""
        return self.keys_of(node.owner)[node.key]

    @cached_property
    def tables(self) -> list[Node]:
        """All tables of a scenario; a table that occurs at several paths is listed at the first path."""
        return [Node(self._path(name), table=name) for name in self.places]

    @cached_property
    def keys(self) -> list[Node]:
        """All keys: the top-level keys of a scenario, followed by the keys of each table."""
        top = [Node(key, SCENARIO, key) for key in self.scenario]
        return top + [self._key(table, key) for table in self.tables for key in self.keys_of(table.table)]

    @cached_property
    def words(self) -> list[Node]:
        """All values of `kind` of the tables whose kinds share the same keys, for example joints."""
        kinds = [node for node in self.keys if node.key == "kind"]
        return [self._word(node, word) for node in kinds for word in enum(self.entry(node))]

    def find(self, topic: str) -> list[Node]:
        """Return all keys, tables and words for a topic. The list may be empty.

        Raises BadInput if the beginning of the topic is known, but the rest is unknown.
        """
        first, *rest = re.sub(r"\[[^\]]*\]", "", topic).strip(".").split(".")
        if first in self.scenario:
            nodes = [Node(first, SCENARIO, first)]
        else:
            nodes = [n for n in (*self.tables, *self.words) if first in self._names(n)]
            nodes += [] if rest else [node for node in self.keys if node.key == first]
        for step in rest if nodes else ():
            if step.isdigit():
                continue
            below = [found for node in nodes for found in self._step(node, step)]
            if not below and step in ("x", "y", "z"):
                break
            if not below:
                raise BadInput(self._unknown(nodes, step))
            nodes = below
        return list(dict.fromkeys(nodes))

    def known(self) -> list[str]:
        """Return all topics of one step, for suggestions."""
        found = [self._names(node)[0] for node in (*self.tables, *self.words)]
        return list(dict.fromkeys([*self.scenario, *found, *(node.key for node in self.keys)]))

    def completions(self) -> list[str]:
        """Return the paths of all groups, tables and kinds, without tables inside of other tables."""
        nodes = (*self.tables, *self.words)
        return sorted({*self.scenario, *(node.path for node in nodes if node.path.count(".") <= 1)})

    def _path(self, name: str) -> str:
        place = re.sub(r"\.<name>|\[\]", "", self.places[name][0])
        kind = self.kind(name)
        return f"{place}.{kind}" if kind else place

    def _names(self, node: Node) -> list[str]:
        if node.word:
            return [node.word]
        return [name for name in (self.kind(node.table), node.table) if name]

    def _key(self, table: Node, key: str) -> Node:
        return Node(f"{table.path}.{key}", table.table, key)

    def _word(self, node: Node, word: str) -> Node:
        return replace(node, path=f"{node.path.removesuffix('.kind')}.{word}", word=word)

    def tables_below(self, node: Node) -> list[Node]:
        """Return the tables that a key may have."""
        found = []
        for name in references(self.entry(node)):
            if name not in WITHOUT_TABLE:
                kind = self.kind(name)
                found.append(Node(f"{node.path}.{kind}" if kind else node.path, table=name))
        return found

    def _step(self, node: Node, step: str) -> Iterator[Node]:
        """Yield the nodes of the next step of a topic."""
        if node.table or node.word:
            owner = node.table or node.owner
            if step in self.keys_of(owner):
                yield Node(f"{node.path}.{step}", owner, step)
            return
        entry, tables = self.entry(node), self.tables_below(node)
        found = [table for table in tables if step in self._names(table)]
        kinds = [self._key(table, "kind") for table in tables if "kind" in self.keys_of(table.table)]
        found += [self._word(kind, step) for kind in kinds if step in enum(self.entry(kind))]
        found += [self._key(table, step) for table in tables if step in self.keys_of(table.table)]
        if not tables and step in enum(entry):
            found.append(self._word(node, step))
        if not found and inside(entry) == ".<name>" and not node.named:
            found.append(replace(node, named=True))
        yield from found

    def _unknown(self, nodes: Iterable[Node], step: str) -> str:
        known: dict[str, None] = {}
        for node in nodes:
            if node.table or node.word:
                known |= dict.fromkeys(self.keys_of(node.table or node.owner))
                continue
            for table in self.tables_below(node):
                known |= dict.fromkeys(self._names(table))
                known |= dict.fromkeys(self.keys_of(table.table))
            known |= dict.fromkeys(enum(self.entry(node)))
        where = next(iter(nodes)).path
        return f"there is no '{step}' in {where}; {near(step, known, f'known in {where}')}"


def enum(entry: dict[str, Any]) -> list[str]:
    """Return the allowed words of a key."""
    choices = (entry, *entry.get("anyOf", ()), entry.get("items", {}))
    return [word for choice in choices for word in choice.get("enum", ()) if isinstance(word, str)]
