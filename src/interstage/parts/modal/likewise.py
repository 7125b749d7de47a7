"""Merge equal faults at several propellant levels, or in several files, into one message."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...tree.errors import Problem, Refused


class Fault(NamedTuple):
    """A fault of the modes at one level.

    - field: path of the field in the declaration.
    - kind: key by which faults are merged. Numbers in the texts of merged faults can differ.
    - text: description of the fault.
    - remedy: instruction that corrects the fault.
    """

    field: str
    kind: Hashable
    text: str
    remedy: str


def once(found: Iterable[tuple[Any, Fault]]) -> Iterator[tuple[str, str]]:
    """Yield (field, text) for each group of equal faults. The text describes the first fault, the number of
    other levels with this fault, and the last of these levels.

    found: pairs (propellant at the level [kg], fault). The propellant is None if there is only one level.
    """
    kinds: dict[Hashable, list[tuple[Any, Fault]]] = {}
    for propellant, fault in found:
        kinds.setdefault((fault.field, fault.kind), []).append((propellant, fault))
    for (_, first), *others in kinds.values():
        yield first.field, f"{first.text}{_others(others)}. {first.remedy}"


def _others(others: Sequence[tuple[Any, Fault]]) -> str:
    """Return the text about the other levels with the same fault."""
    if not others:
        return ""
    last = amount(others[-1][0])
    if len(others) == 1:
        return f". The same fault occurs at 1 other level, {last}"
    return f". The same fault occurs at {len(others)} other levels, the last at {last}"


def amount(propellant: Any) -> str:
    """Return the propellant at a level as text with its unit. If there are several cases, the first case is
    used.
    """
    return f"{float(np.ravel(propellant)[0]):.6g} kg"


def at_level(propellant: Any, fault: Fault) -> tuple[Any, Fault]:
    """Return the pair (propellant, fault). If there are several levels, the text of the fault begins with the
    propellant at its level.

    propellant: propellant at the level [kg]; None if there is only one level.
    """
    at = "" if propellant is None else f"at {amount(propellant)} of propellant, "
    return propellant, fault._replace(text=f"{at}{fault.text}")


def of_files(refused: Sequence[tuple[str, Refused]]) -> Iterator[Problem]:
    """Yield the problems of several files, with equal problems merged into one.

    Two problems are equal if the first clauses of their messages differ only in the path of the file.
    refused: pairs of path and exception.
    """
    kinds: dict[Hashable, list[tuple[str, Problem]]] = {}
    for path, each in refused:
        for problem in each.problems:
            clause = re.split(r"; |\. | \(", problem.message.replace(path, ""))[0]
            kinds.setdefault((problem.place, clause), []).append((path, problem))
    for (path, first), *others in kinds.values():
        count, more = len(others), ""
        if others and path in first.message:
            named = f"1 other file, {others[0][0]}"
            named = named if count == 1 else f"{count} other files, the last {others[-1][0]}"
            more = f" (the same fault in {named})"
        yield Problem(first.place, f"{first.message}{more}")
