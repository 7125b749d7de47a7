"""Read scenarios: parse tables, change values by path, and report all faults."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from .model.expansion import written_out
from .model.pattern import class_of, for_member, possible_names, whole_place
from .model.user_class import mark_untrusted
from .scenario import GROUPS, Scenario, repeatable
from .tree import bare_angles
from .tree.addresses import (
    XYZ,
    differs_by_member,
    element,
    get,
    label,
    replace_leaf,
    with_element,
    with_entries,
)
from .tree.declaration import ByName
from .tree.errors import BadInput, Problem
from .tree.names import PATTERN
from .tree.sentences import count_text
from .tree.similar_names import near

MAX_STEPS = 64
"""Maximum number of names in a path. The number equals the maximum nesting depth of a file."""
STUDY_FUNCTIONS = {
    "dispersions": (
        "read the study with interstage.studies.campaign.open_campaign(Path({path!r}), interstage.load)"
    ),
    "variations": "run the study with the command: interstage sweep {path}",
    "variables": "run the study with the command: interstage optimize {path}",
    "controls": "run the study with the command: interstage optimize {path}",
}
"""For the key that identifies a kind of study file, the function or command that uses the file."""
SHOWN = 60
"""Maximum number of characters of a path that a message shows."""


def load(path: str | os.PathLike[str], set: Mapping[str, Any] | None = None) -> Scenario:
    """Read a scenario from a file (.toml).

    - path: path of the file.
    - set: new values by path: ``load("a.toml", set={"bodies.payload.mass": "900 kg"})``. A text is
      read like a value of the option --set.

    Paths of other files and of saved flights are relative to the folder of the scenario file. Raises
    `BadInput` with all problems, each with its path and line.
    """
    from .tree.toml_file import read_text

    path = Path(path)
    return loads(read_text(path), set, source=str(path), folder=path.parent)


def loads(
    text: str,
    set: Mapping[str, Any] | None = None,
    source: str | None = None,
    folder: Path | None = None,
    trust: bool = True,
) -> Scenario:
    """Read a scenario from TOML text.

    - set: new values by path, see `load`.
    - source: name of the text in messages.
    - folder: folder to which paths of files are relative.
    - trust: if true, Python classes that the scenario names may be executed. Use False for a text
      from an untrusted source. Such a text can be read, but a run raises `BadInput` if it needs one
      of the classes. Default: True.
    """
    with mark_untrusted(not trust), bare_angles.note_those_of(text):
        return _loads(text, set, source, folder)


def _loads(text: str, set: Mapping[str, Any] | None, source: str | None, folder: Path | None) -> Scenario:
    from .tree.toml_file import lines_of, parse, unprintable, with_lines

    data = parse(text, source)
    _refuse_study(data, source, folder)
    lines = lines_of(text, data)
    values = {with_entries(path): plain(value) for path, value in (set or {}).items()}
    if found := [problem for path, value in values.items() for problem in unprintable(value, path)]:
        raise BadInput([replace(problem, setting=problem.place) for problem in found], source)
    elements = {path: values.pop(path) for path in list(values) if _is_element(path)}
    filled = {p: all_.pop(p) for all_ in (values, elements) for p in list(all_) if _is_of_file(data, p)}
    later = {path: values.pop(path) for path in list(values) if not _is_there(data, path)}
    unset = [problem for path, value in values.items() for problem in _set(data, path, value)]
    _find_files(data, folder)
    late = {path: elements.pop(path) for path in list(elements) if not _is_there(data, path)}
    unset += _set_elements(data, elements)
    data = written_out(data, repeatable())
    # Members of patterns exist only from here.
    unset += [problem for path, value in later.items() for problem in _set(data, path, value)]
    unset += _set_elements(data, late)
    unset += _set_file_options(data, filled)
    scenario, found = _validate(data)
    if filled and scenario is not None and not (unset or found):
        scenario, found = _with_all(scenario, filled)
    if scenario is None or unset or found:
        found = unset + _of_wholes(found, data)
        raise BadInput(with_lines(_of_settings(found, text, [*(set or ())], folder), lines), source)
    return scenario


def _refuse_study(data: Mapping[str, Any], source: str | None, folder: Path | None) -> None:
    """Raise BadInput with the function to use if the tables are those of a study file."""
    named = data.get("scenario")
    if not isinstance(named, str) or any(key in data for key in ("bodies", "phases", "legs")):
        return
    path, own = source or "study.toml", str((folder or Path()) / named)
    use = next((text for key, text in STUDY_FUNCTIONS.items() if key in data), "")
    text = f"the file is a study, not a scenario. Load its scenario with interstage.load({own!r})"
    raise BadInput(text + (f", or {use.format(path=path)}" if use else ""), source)


def _of_settings(found: list[Problem], text: str, paths: Sequence[str], folder: Path | None) -> list[Problem]:
    """The problems of a scenario with set values. Problems that the text alone does not have are assigned to
    the paths that were set."""
    if not paths:
        return found
    own: Sequence[Problem] = ()
    try:
        _loads(text, None, None, folder)
    except BadInput as error:
        own = error.problems
    known = {(problem.place, problem.message) for problem in own}
    return [p if (p.place, p.message) in known else replace(p, setting=_setting_of(p, paths)) for p in found]


def _setting_of(problem: Problem, paths: Sequence[str]) -> str:
    """The set path that causes a problem: the path of the problem or a path above it. Otherwise, the set
    paths in the same declaration, or all set paths."""
    at = [path for path in paths if f"{problem.place}.".startswith((f"{path}.", f"{element(path)[0]}."))]
    declaration = problem.place.split(".")[:2]
    beside = [path for path in paths if path.split(".")[:2] == declaration]
    return max(at, key=len) if at else ", --set ".join(beside or paths)


def _is_there(data: dict[str, Any], path: str) -> bool:
    """Whether a path has a target in the tables. Targets outside groups with patterns count as present."""
    group, _, rest = path.partition(".")
    if group not in repeatable() or not isinstance(data.get(group), dict | list):
        return True
    named = {label(entry, i) for i, entry in enumerate(ByName().as_list(data[group]))}
    return rest.partition(".")[0] in named


def _is_of_file(data: Any, path: str) -> bool:
    """Whether a path leads to contents or settings of a file. This is so if a table on the path names a file
    and lacks the next key."""
    node, steps = data, element(path)[0].split(".")
    for step in steps:
        if isinstance(node, list):
            node = {label(item, i): item for i, item in enumerate(node)}
        if not isinstance(node, dict):
            return False
        if step not in node:
            return isinstance(node.get("file"), str) or _all_texts(node.get("file"))
        node = node[step]
    return False


def _as_read(data: dict[str, Any]) -> Scenario | None:
    """The unchecked scenario of raw tables. None if it cannot be read; this fault is reported elsewhere."""
    with suppress(ValidationError, RecursionError):
        return Scenario.model_validate(data)
    return None


def _set_file_options(data: dict[str, Any], values: dict[str, Any]) -> list[Problem]:
    """Set values in raw tables that control the reading of a file, such as the numbers of its modes. Values
    for contents of the file stay in `values` until the file is read."""
    scenario = _as_read(data) if values else None
    found: list[Problem] = []
    for path in list(values):
        try:
            given = scenario is None or get(scenario, element(path)[0]) is not None
        except BadInput as error:
            found += error.problems
            continue
        if not given:
            found += _set(data, path, values.pop(path))
    return found


def _with_all(scenario: Scenario, values: dict[str, Any]) -> tuple[Scenario | None, list[Problem]]:
    """(scenario with values set by paths, or None; problems of the scenario)."""
    from .checks.check import problems
    from .tree.addresses import set as changed

    found: list[Problem] = []
    for path, value in values.items():
        try:
            scenario = changed(scenario, path, value)
        except BadInput as error:
            found += error.problems
    return (None, found) if found else (scenario, problems(scenario))


def _is_element(path: str) -> bool:
    """Whether a path can refer to one element of an array."""
    stem, index = element(path)
    return bool(index) or stem.rpartition(".")[2] in XYZ


def _set_elements(data: dict[str, Any], values: dict[str, Any]) -> list[Problem]:
    """Set elements of arrays in raw tables."""
    scenario = _as_read(data) if values else None
    found: list[Problem] = []
    for path, value in values.items():
        try:
            changed = None if scenario is None else with_element(scenario, path, value)
        except BadInput as error:
            found += error.problems
            continue
        if changed is not None:
            scenario = replace_leaf(scenario, *changed)
            found += _set(data, changed[0], changed[1].tolist())
        elif not element(path)[1]:
            found += _set(data, path, value)
    return found


def _tables(group: Any) -> list[Any]:
    listed = ByName().as_list(group)
    return listed if isinstance(listed, list) else []


def _of_wholes(found: list[Problem], data: dict[str, Any]) -> list[Problem]:
    """Problems in which equal problems of all members of a pattern are merged into one problem of the
    pattern."""
    patterns: dict[tuple[str, str], str] = {}
    for group in repeatable():
        entries = [entry for entry in _tables(data.get(group)) if isinstance(entry, dict)]
        others = {str(entry.get("name")) for entry in entries if "pattern" not in entry}
        for entry in entries:
            if isinstance(entry.get("pattern"), str) and entry["name"] not in others:
                patterns[group, entry["name"]] = entry["pattern"]
    if not patterns:
        return found
    return list(dict.fromkeys(replace(p, place=whole_place(p.place, patterns)) for p in found))


def _validate(data: dict[str, Any]) -> tuple[Scenario | None, list[Problem]]:
    """(scenario of `data` or None, all problems). If declarations are faulty, the rest is checked without
    them and with misspelt keys corrected."""
    from .checks.check import problems
    from .tree.validation_errors import in_file, meant_keys, problems_of

    if meant := meant_keys(Scenario, data):
        misspelt = [Problem(key, f"unknown key; {near(key, Scenario.model_fields)}") for key in meant]
        _, found = _validate({meant.get(key, key): value for key, value in data.items()})
        return None, [*misspelt, *(replace(p, place=in_file(p.place, meant)) for p in found)]
    try:
        scenario = Scenario.model_validate(data)
        return scenario, problems(scenario)
    except ValidationError as error:
        found = problems_of(error, Scenario, data)
        rest, faulty = _substitute(data, [e["loc"] for e in error.errors(include_url=False)])
    except RecursionError:
        return None, [Problem("", "the scenario has too many nested levels of tables and lists")]
    # First with substitutes for faulty values, then without the declarations that are still faulty.
    for _ in range(2):
        try:
            return None, found + problems(Scenario.model_validate(rest), faulty)
        except ValidationError as error:
            rest = _without(rest, [e["loc"] for e in error.errors(include_url=False)])
    return None, found


STAND_INS = {
    "mass": 1.0,
    "inertia": [1.0, 1.0, 1.0],
    "kind": "spherical",
    "until": {"elapsed": 1.0},
    "when": {"elapsed": 1.0},
}
"""Values that replace faulty values, so that the rest of a declaration can be checked."""


def _substitute(data: dict[str, Any], locations: list[Any]) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """(`data` with faulty values omitted or substituted, names of the affected declarations by group)."""
    rest, faulty = dict(data), {}
    for group in {loc[0] for loc in locations}:
        faults = [loc for loc in locations if loc[0] == group and len(loc) > 1 and isinstance(loc[1], int)]
        raw = rest.pop(group, None)
        entries = ByName().as_list(raw)
        faulty[group] = []
        if not faults or not isinstance(entries, list):
            continue
        rest[group] = entries = [dict(e) if isinstance(e, dict) else e for e in entries]
        for _, index, *inside in faults:
            faulty[group] += _possible_names(raw, entries[index], index)
            key = next((step for step in inside if not str(step).startswith("(")), None)
            if isinstance(entries[index], dict):
                entries[index].pop(key, None)
                entries[index] |= {key: STAND_INS[key]} if key in STAND_INS else {}
        if group in repeatable():
            faulty[group] += _named_members(data, faulty[group])
    return rest, faulty


def _named_members(data: dict[str, Any], names: list[str]) -> list[str]:
    """Names of members of faulty patterns to which the tables refer. A faulty table can lack its `count`."""
    text = str(data)
    return [
        member
        for name in dict.fromkeys(filter(None, names))
        for member in dict.fromkeys(re.findall(rf"\b{re.escape(name)}_\d+\b", text))
    ]


def _possible_names(raw: Any, entry: Any, index: int) -> list[str]:
    """Possible names of a faulty entry of a group: the name of its table and its own `name`; "" if both are
    unknown."""
    own = entry.get("name") if isinstance(entry, dict) else None
    names = [list(raw)[index]] if isinstance(raw, dict) else []
    names += [own] if isinstance(own, str) and re.fullmatch(PATTERN, own) else []
    names += [member for name in names for member in possible_names(name, entry)]
    return names or [label(entry, index), ""]


def _without(data: dict[str, Any], locations: list[Any]) -> dict[str, Any]:
    """`data` without faulty entries of groups and other faulty top-level values."""
    rest = dict(data)
    for group in {loc[0] for loc in locations}:
        faults = {loc[1] for loc in locations if loc[0] == group and len(loc) > 1}
        entries = rest.pop(group, None)
        if faults and isinstance(entries, list):
            rest[group] = [entry for i, entry in enumerate(entries) if i not in faults]
    return rest


def setting(text: str) -> tuple[str, str]:
    """Split a text such as ``"bodies.payload.mass=900 kg"`` into path and value. Raises `BadInput` for other
    texts.

    The value remains a text, which `load` converts.
    """
    path, sign, value = text.partition("=")
    if not sign or not path.strip() or not value.strip():
        raise BadInput(
            f"'{text}' does not have the form PATH=VALUE. Write a path and a value, for example"
            f' bodies.payload.mass="900 kg"'
        )
    return path.strip(), value.strip()


def plain(value: Any) -> Any:
    """Convert the text of a changed value to a TOML value.

    A text that is a TOML number, list, quoted string, true or false is converted. All other values are
    returned unchanged.
    """
    if not isinstance(value, str):
        return value
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError, ValueError, KeyError):
        return value


def _set(data: dict[str, Any], path: str, value: Any) -> list[Problem]:
    """Set a value in raw tables. Missing tables on the path are created; missing entries of groups are not.
    The name of an expanded pattern stands for its members."""
    members = _members(data, path)
    if members:
        return _set_members(data, path, members, value)
    node: Any = data
    *way, last = path.split(".")
    if len(way) >= MAX_STEPS:
        many = f"the path has {len(way) + 1} steps, but at most {MAX_STEPS} are allowed"
        return [Problem(f"{path[:SHOWN]}...", f"{many}. Write a path such as bodies.payload.mass")]
    for depth, step in enumerate(way):
        if isinstance(node, list):
            named = {label(item, i): item for i, item in enumerate(node)}
        elif isinstance(node, dict):
            named = node if _is_group(way[:depth]) else {**node, step: node.setdefault(step, {})}
        else:
            return [
                Problem(path, f"'{'.'.join(way[:depth])}' is a value, not a table. Give the path of a key")
            ]
        if step not in named:
            hint = near(step, [*named, *_patterns(node)])
            return [Problem(path, f"there is no '{step}' in {'.'.join(way[:depth])}; {hint}")]
        node = named[step]
    if not isinstance(node, dict):
        return [Problem(path, f"'{'.'.join(way)}' is not a table. Give the path of a key")]
    node[last] = value
    return []


def _is_group(way: Sequence[str]) -> bool:
    """Whether a path is a group of named declarations of the scenario or of a leg."""
    inside = way[2:] if way[:1] == ["legs"] and len(way) == 3 else way
    return len(inside) == 1 and inside[0] in GROUPS


def _members(data: dict[str, Any], path: str) -> list[dict[str, Any]]:
    """The tables of the members of an expanded pattern on a path."""
    group, _, rest = path.partition(".")
    name, _, inner = rest.partition(".")
    if not inner or group not in repeatable():
        return []
    entries = [entry for entry in _tables(data.get(group)) if isinstance(entry, dict)]
    if any(entry.get("name") == name for entry in entries):
        return []
    return [entry for entry in entries if entry.get("pattern") == name]


def _set_members(data: dict[str, Any], path: str, members: list[dict[str, Any]], value: Any) -> list[Problem]:
    group, name, inner = path.split(".", 2)
    first = inner.partition(".")[0]
    if first in ("count", "circle"):
        many = count_text(len(members), "members")
        text = f"'{name}' is already expanded to {many}. Change {first} in the scenario file"
        return [Problem(path, text)]
    kind = class_of(repeatable()[group], members[0].get("kind"))
    if kind is not None and first in kind.fields_of_place() and _differ(members, inner):
        return [Problem(path, differs_by_member(members))]
    names = [str(member["name"]) for member in members]
    each = [_set(data, f"{group}.{own}.{inner}", for_member(value, own)) for own in names]
    return [problem for found in each for problem in found]


def _differ(members: Sequence[dict[str, Any]], path: str) -> bool:
    """Whether the values at a path in the tables of members differ."""
    values: list[Any] = list(members)
    for step in path.split("."):
        values = [value.get(step) if isinstance(value, dict) else value for value in values]
    return any(value != values[0] for value in values)


def _patterns(group: Any) -> list[str]:
    """Names of the patterns with members in a group of raw tables."""
    entries = group.values() if isinstance(group, dict) else group
    found = [entry.get("pattern") for entry in entries if isinstance(entry, dict)]
    return list(dict.fromkeys(name for name in found if isinstance(name, str)))


def _find_files(node: Any, folder: Path | None, within: str = "") -> None:
    """Make paths of files and saved flights in a scenario's tables relative to the working folder."""
    if folder is None:
        return
    if isinstance(node, list):
        for item in node:
            _find_files(item, folder, within)
    elif isinstance(node, dict):
        for key, value in node.items():
            if isinstance(value, str) and _names_file(key, value, within):
                node[key] = os.path.join(folder, value)
            elif key == "file" and _all_texts(value) and _names_file(key, "", within):
                node[key] = [os.path.join(folder, one) for one in value]
            else:
                _find_files(value, folder, key)


def _all_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def _names_file(key: str, text: str, within: str) -> bool:
    """Whether the string of a key is the path of a file."""
    if key == "coefficients":
        return within == "gravity" and text.endswith(".gfc")
    # In a table of joints that are replaced, the keys are names of joints.
    return (key == "file" and within != "replace") or (key == "flight" and within == "initial")
