"""What a scenario is without the declarations that are refused, and without all that depends on them.

What depends on what is reported by `model.dependents`: now and then too much is taken out, and never too
little."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..model.dependents import NAMING as NAMING
from ..model.dependents import words_of
from ..model.settings import Requirement
from ..scenario import GROUPS
from ..tree.addresses import pattern_of
from ..tree.errors import BrokenName, Problem

if TYPE_CHECKING:
    from ..scenario import Scenario

Left = Mapping[str, list[str]]
"""Names of what is left out, by group; other parts of the scenario stand there without names."""


def refusals(faulty: Mapping[str, list[str]] | None, found: Iterable[Problem]) -> dict[str, list[str]]:
    """What is refused already, and what is so for a name."""
    left_out = {group: list(names) for group, names in (faulty or {}).items()}
    for problem in found:
        if isinstance(problem, BrokenName):
            group, _, rest = problem.place.partition(".")
            names = left_out.setdefault(group, [])
            names += [name] if (name := rest.partition(".")[0]) else []
    return left_out


def lost_groups(left_out: Mapping[str, list[str]]) -> set[str]:
    """Groups of which not all names are known."""
    return {group for group, names in left_out.items() if group in GROUPS and (not names or "" in names)}


def without(scenario: Scenario, left_out: Mapping[str, list[str]]) -> tuple[Scenario, Left]:
    """(the scenario without what is left out and what depends on it, all that is out by then)."""
    out = {group: list(names) for group, names in left_out.items()}
    kept = {group: tuple(getattr(scenario, group)) for group in GROUPS}
    texts = {(group, item.name): _words(item) for group in GROUPS for item in kept[group]}
    gone: set[str] = set()
    while gone != (gone := {name for names in out.values() for name in names}):
        for group in GROUPS:
            stays = [item for item in kept[group] if _stays(group, item, out, texts[group, item.name], gone)]
            dropped = [
                name
                for item in kept[group]
                if item not in stays
                for name in (item.name, pattern_of(item))
                if name is not None
            ]
            kept[group] = tuple(stays)
            if dropped:
                out.setdefault(group, []).extend(dropped)
    return scenario.model_copy(update=kept), out


def _stays(group: str, item: Any, out: Left, words: set[str], gone: set[str]) -> bool:
    return item.name not in out.get(group, ()) and not words & gone


def _words(node: Any) -> set[str]:
    """The words of a declaration that it depends on. What a requirement is about is there whenever it is
    judged."""
    return words_of(node.quantity if isinstance(node, Requirement) else node)
