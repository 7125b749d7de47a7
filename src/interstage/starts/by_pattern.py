"""Merge equal problems of the members of a pattern into one problem."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..model.pattern import whole_place
from ..scenario import GROUPS
from ..tree.addresses import pattern_of
from ..tree.errors import Problem
from ..tree.sentences import list_text

NUMBER = re.compile(r"(?<![\w])[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")
MOST_LISTED = 12
"""Maximum number of members of a pattern that a merged problem names."""


def patterns_in(scenario: Any) -> dict[tuple[str, str], str]:
    """Return the name of the pattern to which each member belongs, by group and name of the member."""
    return {
        (group, item.name): pattern
        for group in GROUPS
        for item in getattr(scenario, group)
        if (pattern := pattern_of(item)) is not None
    }


def of_patterns(scenario: Any, problems: Sequence[Problem]) -> list[Problem]:
    """Return problems after equal problems of the members of a pattern are merged into one problem.

    Problems are equal if they differ only in numeric values. The merged problem names the members.
    """
    patterns = patterns_in(scenario)
    alike: dict[Any, list[Problem]] = {}
    for problem in problems:
        group, _, rest = problem.place.partition(".")
        name, _, field = rest.partition(".")
        pattern = patterns.get((group, name))
        key = (group, pattern, field, NUMBER.sub("0", problem.message)) if pattern else problem
        alike.setdefault(key, []).append(problem)
    return [_one_problem(some, patterns) for some in alike.values()]


def _one_problem(some: Sequence[Problem], patterns: Mapping[tuple[str, str], str]) -> Problem:
    """One problem for several members of a pattern. If the numbers in the problems differ, the problem has
    the numbers of the first member."""
    first = some[0]
    if len(some) == 1:
        return first
    names = [problem.place.split(".")[1] for problem in some]
    members = list_text(names, MOST_LISTED)
    same = all(problem.message == first.message for problem in some)
    whose = members if same else f"{members}; the values in this message are for {names[0]}"
    return replace(first, place=whole_place(first.place, patterns), message=f"{first.message} (of {whose})")
