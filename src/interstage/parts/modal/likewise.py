"""What is wrong in the same way at several levels of the propellant, or with several files: said once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...tree.errors import Problem, Refused


class Fault(NamedTuple):
    """What is wrong with the modes at a level. kind: by what it is the same at other levels, although numbers
    in the text differ; field: where it stands in the declaration."""

    field: str
    kind: Hashable
    text: str
    remedy: str


def once(found: Iterable[tuple[Any, Fault]]) -> Iterator[tuple[str, str]]:
    """(field, text) of faults, each with the propellant at its level [kg], or None where there is one: in the
    words of the first level, with how many others there are and the last of these."""
    kinds: dict[Hashable, list[tuple[Any, Fault]]] = {}
    for propellant, fault in found:
        kinds.setdefault((fault.field, fault.kind), []).append((propellant, fault))
    for (_, first), *others in kinds.values():
        yield first.field, f"{first.text}{_others(others)}; {first.remedy}"


def _others(others: Sequence[tuple[Any, Fault]]) -> str:
    """At which other levels it is so."""
    if not others:
        return ""
    last = amount(others[-1][0])
    if len(others) == 1:
        return f"; likewise at 1 other level, {last}"
    return f"; likewise at {len(others)} other levels, the last of {last}"


def amount(propellant: Any) -> str:
    """Propellant at a level, of the first case if there are several."""
    return f"{float(np.ravel(propellant)[0]):.6g} kg"


def at_level(propellant: Any, fault: Fault) -> tuple[Any, Fault]:
    """The fault, with the level in its text where there are several."""
    at = "" if propellant is None else f"at {amount(propellant)} of propellant, "
    return propellant, fault._replace(text=f"{at}{fault.text}")


def of_files(refused: Sequence[tuple[str, Refused]]) -> Iterator[Problem]:
    """What is wrong with files of these paths: what is the same but for the path and for what is behind its
    first clause, in the words of the first of them."""
    kinds: dict[Hashable, list[tuple[str, Problem]]] = {}
    for path, each in refused:
        for problem in each.problems:
            clause = problem.message.replace(path, "").partition(";")[0].partition(" (")[0]
            kinds.setdefault((problem.place, clause), []).append((path, problem))
    for (path, first), *others in kinds.values():
        count, more = len(others), ""
        if others and path in first.message:
            named = f"1 other file, {others[0][0]}"
            named = named if count == 1 else f"{count} other files, the last {others[-1][0]}"
            more = f" (likewise of {named})"
        yield Problem(first.place, f"{first.message}{more}")
