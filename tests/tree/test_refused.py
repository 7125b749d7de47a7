"""What is refused brings no other problem with it: every key of scenarios that are right, made wrong one at a
time and two at a time."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from interstage.model.expansion import written_out
from interstage.reading import _find_files, _of_wholes, _validate
from interstage.scenario import GROUPS, Scenario, repeatable
from interstage.tree.addresses import label
from interstage.tree.errors import BrokenName, Problem

ROOT = Path(__file__).parents[2]
CASES = ("hyper-x", "nesc-10", "sts1-srb", "draining-stack", "slider-crank-3d", "bimese-separation")
FILES = {path.stem: path for path in sorted((ROOT / "examples").glob("*.toml"))}
FILES |= {name: ROOT / "validation" / name / "scenario.toml" for name in CASES}
FILES |= {"good": ROOT / "tests" / "bad_input" / "good.toml"}
NASTY: tuple[Any, ...] = (
    *(float("nan"), float("inf"), -1e300, -1.0, 0, 1e300, True),
    *("", "3 furlong", "3 kg", "3 m", "nobody", [], [1.0, 2.0], {}, {"kind": "nothing"}),
)
MISSING = object()
EXTRA = object()
Steps = tuple[Any, ...]
Change = tuple[Steps, Any]
SAMPLE = 12
"""Changes drawn for each scenario."""


@cache
def tables(name: str) -> dict[str, Any]:
    """The raw tables of a scenario that is right."""
    data = tomllib.loads(FILES[name].read_text(encoding="utf-8"))
    _find_files(data, FILES[name].parent)
    return data


def keys(node: Any, above: Steps = ()) -> Iterator[Steps]:
    """The way to every value of nested tables."""
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, item in inside:
        yield (*above, step)
        yield from keys(item, (*above, step))


def changed(data: Any, changes: list[Change]) -> dict[str, Any] | None:
    """A copy of tables with values put in; none where one of the places is gone by then."""
    data = copy.deepcopy(data)
    for steps, value in changes:
        node = data
        for step in steps[:-1]:
            inside = isinstance(node, dict) and step in node
            if not inside and not (isinstance(node, list) and isinstance(step, int) and step < len(node)):
                return None
            node = node[step]
        last = steps[-1]
        inside = isinstance(last, int) and isinstance(node, list) and last < len(node)
        if not isinstance(node, dict) and not inside:
            return None
        if value is MISSING:
            if isinstance(node, dict) and steps[-1] not in node:
                return None
            del node[steps[-1]]
        elif value is EXTRA:
            inner = node.get(steps[-1]) if isinstance(node, dict) else node[steps[-1]]
            if not isinstance(inner, dict):
                return None
            inner["nonsense"] = 1.0
        else:
            node[steps[-1]] = copy.deepcopy(value)
    return data


def owner(data: Any, steps: Steps) -> tuple[str, ...]:
    """What a place belongs to: a named declaration of a group, or another part of the scenario."""
    group = steps[0]
    if group == "sources" or group not in GROUPS or len(steps) == 1:
        return (group,)
    entry = steps[1]
    if not isinstance(entry, int):
        return (group, entry)
    listed = data[group]
    table = listed[entry] if isinstance(listed, list) and entry < len(listed) else None
    return (group, label(table, entry))


def follow_ons(name: str, changes: list[Change]) -> list[str]:
    """Problems at other places than those changed, where what was changed is refused: for itself, or for a
    name that leads nowhere."""
    before = tables(name)
    after = changed(before, changes)
    if after is None:
        return []
    valid, found = _valid(after), told_of(after)
    if not valid and not found:
        return ["is refused without a word"]
    spots = {owner(data, steps) for data in (before, after) for steps, _ in changes}
    names = [p for p in found if isinstance(p, BrokenName) and _within(p, spots)]
    if valid and not names:
        return []
    return [str(problem) for problem in found if not _within(problem, spots)]


def told_of(data: dict[str, Any]) -> list[Problem]:
    """Everything said of raw tables."""
    data = written_out(copy.deepcopy(data), repeatable())
    return _of_wholes(_validate(data)[1], data)


def _valid(data: dict[str, Any]) -> bool:
    try:
        Scenario.model_validate(written_out(copy.deepcopy(data), repeatable()))
    except ValidationError:
        return False
    return True


def _within(problem: Problem, spots: set[tuple[str, ...]]) -> bool:
    steps = tuple(problem.place.split("."))
    return any(steps[: len(spot)] == spot for spot in spots)


def wrongs(name: str) -> list[Change]:
    """Every key of a scenario with every nasty value; but for groups of other names, in which those that are
    referred to are really missing."""
    every = [(steps, value) for steps in keys(tables(name)) for value in (*NASTY, MISSING, EXTRA)]
    return [(steps, value) for steps, value in every if len(steps) > 1 or not isinstance(value, dict)]


def told(change: Change) -> str:
    value = {id(MISSING): "missing", id(EXTRA): "an extra key"}.get(id(change[1]), repr(change[1]))
    return f"{'.'.join(map(str, change[0]))} = {value}"


def faults(name: str, drawn: Iterable[list[Change]]) -> list[str]:
    """What is said, or raised, that should not be."""
    found = []
    for changes in drawn:
        try:
            odd = follow_ons(name, changes)
        except Exception as error:  # noqa: BLE001  (a traceback is what is looked for)
            odd = [f"{type(error).__name__}: {error}"]
        found += [f"{' and '.join(map(told, changes))}: {text}" for text in odd]
    return found


def pairs(name: str, count: int, random: np.random.Generator) -> Iterator[list[Change]]:
    """Pairs of changes each of which is refused by itself."""
    every = wrongs(name)
    refused: list[Change] = []
    while len(refused) < 2 * count:
        change = every[random.integers(len(every))]
        after = changed(tables(name), [change])
        if after is not None and not _valid(after):
            refused.append(change)
    return ([a, b] for a, b in zip(refused[::2], refused[1::2], strict=True))


@pytest.mark.parametrize("name", FILES)
def test_what_is_refused_brings_no_other_problem(name):
    every, random = wrongs(name), np.random.default_rng(7)
    drawn = [[every[k]] for k in random.choice(len(every), SAMPLE, replace=False)]
    assert faults(name, drawn) == []
    assert faults(name, pairs(name, SAMPLE // 4, random)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
def test_every_key_and_many_pairs(name):
    assert faults(name, ([change] for change in wrongs(name))) == []
    assert faults(name, pairs(name, 1000, np.random.default_rng(8))) == []


def test_a_joint_that_a_band_lets_go_is_refused():
    """`check` ended in a traceback where the quantities of the band looked for it."""
    data = changed(tables("clampband_payload"), [(("joints", "ring", "child"), float("nan"))])
    assert data is not None
    assert [p.place for p in told_of(data)] == ["joints.ring.child"]


def test_what_does_not_depend_on_it_is_still_judged():
    changes: list[Change] = [
        (("joints", "ring", "child"), float("nan")),
        (("phases", "apart", "fire"), ["bond"]),
        (("requirements", "speed", "min"), "1 kg"),
    ]
    data = changed(tables("clampband_payload"), changes)
    assert data is not None
    places = {p.place for p in told_of(data)}
    assert places == {"joints.ring.child", "phases.apart.fire", "requirements.speed.min"}


@pytest.mark.parametrize(
    "change",
    [
        (("bodies", "stage", "mass"), "900 m"),
        (("phases", "apart", "fire"), ["bandd"]),
        (("bodies", "a b"), {"mass": 1, "inertia": [1, 1, 1]}),
        (("joints", "ring", "kind"), "fixt"),
    ],
)
def test_a_misspelt_quantity_of_a_pair_is_told_beside_other_faults(change):
    """Which there are does not depend on what the bodies are, nor on when a limit holds."""
    wrong = "pairs.stage.satelite.tip_off_rate"
    data = changed(tables("clampband_payload"), [(("requirements", "tip_off", "quantity"), wrong), change])
    assert data is not None
    _, found = _validate(written_out(data, repeatable()))
    told = [problem for problem in found if problem.place == "requirements.tip_off.quantity"]
    assert [f"no quantity '{wrong}'; did you mean" in problem.message for problem in told] == [True]
    assert len(found) == 2
