"""Remove rejected declarations, and all declarations that depend on them, from a scenario.

`model.dependents` reports the dependencies. The function may remove too many declarations, but never too few.
"""

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
"""Names of omitted declarations by group. Entries of the scenario without names are not included."""


def refusals(faulty: Mapping[str, list[str]] | None, found: Iterable[Problem]) -> dict[str, list[str]]:
    """Return the names of rejected declarations by group, including declarations with unknown names.

    faulty: names of declarations rejected earlier, by group. found: problems of the scenario.
    """
    left_out = {group: list(names) for group, names in (faulty or {}).items()}
    for problem in found:
        if isinstance(problem, BrokenName):
            group, _, rest = problem.place.partition(".")
            names = left_out.setdefault(group, [])
            names += [name] if (name := rest.partition(".")[0]) else []
    return left_out


def lost_groups(left_out: Mapping[str, list[str]]) -> set[str]:
    """Return the groups with a rejected declaration whose name is unknown. All names of such a group are
    uncertain.
    """
    return {group for group, names in left_out.items() if group in GROUPS and (not names or "" in names)}


def without(scenario: Scenario, left_out: Mapping[str, list[str]]) -> tuple[Scenario, Left]:
    """Return the scenario without some declarations and all declarations that depend on them, and the names
    of all omitted declarations.

    left_out: names of the declarations to omit, by group.
    """
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
    """The words of a declaration that it depends on; of a requirement only its quantity.

    A requirement is judged only where its quantity exists."""
    return words_of(node.quantity if isinstance(node, Requirement) else node)
