"""Expand patterns: replace each declaration with `count` by its members, and references to it by their names.

A pattern in the group `bodies` has copies. Other declarations that refer to it have one member for each copy,
and member k refers to copy k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..tree.declaration import Declaration
from ..tree.errors import BadInput
from .pattern import (
    MOST_MEMBERS,
    NUMBER,
    Circle,
    Repeatable,
    class_of,
    value_of,
    with_number,
)

Kinds = Mapping[str, Mapping[str, type[Repeatable]]]
Names = dict[str, dict[str, list[str]]]
"""Names of members, by group and name of the pattern."""

ENDS = ("parent", "child", "body", "between")
"""Fields that name bodies."""
MEMBER = f"_{NUMBER}"
"""End of a text that refers to the member with the same number."""
ACTIONS = {
    "fire": "devices",
    "ignite": "engines",
    "shut_down": "engines",
    "release": "joints",
    "attach": "joints",
}
"""Groups to which the actions of phases and events refer. The name of a pattern stands for all of its
members."""
OF_LEGS = {"bodies": "bodies", "joints": "joints"}
"""Groups to which the lists of a leg refer."""


class Copies(NamedTuple):
    """The copies of a body: their number, and the circle of the pattern or None."""

    count: int
    circle: Circle | None


def written_out(data: dict[str, Any], kinds: Kinds) -> dict[str, Any]:
    """Return the tables of a scenario with all patterns expanded.

    `kinds`: class by group and kind. A faulty pattern stays unchanged, so that each of its faults is reported
    once.
    """
    groups = [group for group in kinds if group in data]
    entries = {group: named_entries(data[group]) for group in groups}
    if not any(has_count(entry) for some in entries.values() for _, entry in some):
        return data
    copies = dict(_copies(entries.get("bodies", [])))
    for group in groups:
        if group != "bodies" and copies:
            entries[group] = [(key, _of_copies(entry, kinds[group], copies)) for key, entry in entries[group]]
    if "bodies" in entries:
        joints = {value_of(entry, "name") for _, entry in entries.get("joints", []) if has_count(entry)}
        entries["bodies"] = [(key, _through_copies(entry, joints)) for key, entry in entries["bodies"]]
    found: Names = {}
    changed: dict[str, Any] = {}
    for group in groups:
        if any(has_count(entry) for _, entry in entries[group]):
            rest = list(_expand(entries[group], kinds[group], copies, found.setdefault(group, {})))
            changed[group] = _as_given(data[group], rest)
    return data | changed | _references(data | changed, found)


def _copies(bodies: Iterable[tuple[str | None, Any]]) -> Iterator[tuple[str, Copies]]:
    """Yield the names and the copies of the bodies with a valid `count`."""
    for _, entry in bodies:
        count, name = value_of(entry, "count"), value_of(entry, "name")
        if not isinstance(name, str) or type(count) is not int or not 1 <= count <= MOST_MEMBERS:
            continue
        try:
            yield name, Copies(count, _circle_of(entry))
        except (BadInput, TypeError):
            yield name, Copies(count, None)


def _circle_of(entry: Any) -> Circle | None:
    """The circle of an entry. Raises BadInput or TypeError if it is faulty."""
    circle = value_of(entry, "circle")
    if circle is None or isinstance(circle, Circle):
        return circle
    return Circle(**circle)


def _of_copies(entry: Any, kinds: Mapping[str, type[Repeatable]], copies: Mapping[str, Copies]) -> Any:
    """An entry that refers to copies of a body: member k refers to copy k. Without keys of its own, it takes
    `count` and `circle` from the body."""
    cls = class_of(kinds, value_of(entry, "kind"))
    if cls is None:
        return entry
    ends = {key: value_of(entry, key) for key in ENDS if value_of(entry, key) is not None}
    named = {key: _member_names(value, copies) for key, value in ends.items()}
    of = [copy for value in named.values() for copy in _copies_named(value, copies)]
    if not of:
        return entry
    table = _table(entry) | {key: value for key, value in named.items() if value != ends[key]}
    if has_count(entry):
        return table
    table["count"] = max(one.count for one in of)
    circle = next((one.circle for one in of if one.circle is not None), None)
    apart = any(not _copies_named(named.get(cls.body_field(name)), copies) for name in cls.points)
    if circle is not None and apart and table.get("circle") is None:
        table["circle"] = {"axis": circle.axis, "first": circle.first}
    return table


def _member_names(value: Any, copies: Mapping[str, Copies]) -> Any:
    """A name of a body, a shape of it, or a list of them. In names of patterns, the number of the member is
    appended to the name of the body."""
    if isinstance(value, list | tuple):
        return [_member_names(item, copies) for item in value]
    if not isinstance(value, str):
        return value
    body, dot, rest = value.partition(".")
    return f"{body}{MEMBER}{dot}{rest}" if body in copies else value


def _copies_named(value: Any, copies: Mapping[str, Copies]) -> list[Copies]:
    """The patterns to whose members a name, or a list of names, refers."""
    texts = value if isinstance(value, list | tuple) else [value]
    bodies = [text.partition(".")[0] for text in texts if isinstance(text, str)]
    return [copies[stem] for body in bodies if (stem := body.removesuffix(MEMBER)) != body and stem in copies]


def _through_copies(entry: Any, joints: set[Any]) -> Any:
    """A body with `count` whose initial state is given through a joint with `count`."""
    initial = value_of(entry, "initial")
    through = value_of(initial, "through")
    if not has_count(entry) or not isinstance(through, str) or through not in joints:
        return entry
    return _table(entry) | {"initial": _table(initial) | {"through": f"{through}{MEMBER}"}}


def _table(entry: Any) -> dict[str, Any]:
    """An entry of a group as a table."""
    if isinstance(entry, Declaration):
        return {name: getattr(entry, name) for name in entry.model_fields_set}
    return entry


def _expand(
    entries: Iterable[tuple[str | None, Any]],
    kinds: Mapping[str, type[Repeatable]],
    copies: Mapping[str, Copies],
    found: dict[str, list[str]],
) -> Iterator[tuple[str | None, Any]]:
    """Yield the entries of a group with their names. Members replace each pattern; their names are added to
    `found`."""
    for name, entry in entries:
        members = _members(entry, kinds, copies) if has_count(entry) else None
        if members is None:
            yield name, _first_member(entry) if has_count(entry) else entry
            continue
        found[value_of(entry, "name")] = [member["name"] for member in members]
        yield from ((member["name"], member) for member in members)


def _first_member(entry: Any) -> Any:
    """A faulty pattern whose references are those of its first member, so that only its own faults are
    reported."""
    table = _table(entry)
    if not isinstance(table, dict):
        return entry
    numbered = {key: with_number(table[key], 1) for key in (*ENDS, "initial") if key in table}
    return table | numbered


def _members(
    entry: Any, kinds: Mapping[str, type[Repeatable]], copies: Mapping[str, Copies]
) -> list[dict[str, Any]] | None:
    """The members of a pattern, as tables; None if it cannot be expanded."""
    cls = class_of(kinds, value_of(entry, "kind"))
    if cls is None:
        return None
    entry = _table(entry)
    try:
        circle = _circle_of(entry)
        # Between copies and another body, every circle is possible, because the copies are rotated.
        checked = {key: v for key, v in entry.items() if key != "circle" or not _end_fields(entry, copies)}
        whole = cls(**{key: v if key == "kind" else with_number(v, 1) for key, v in checked.items()})
    except (BadInput, TypeError):  # a key that is not a text
        return None
    given = {key: value for key, value in entry.items() if key not in ("count", "circle", "name")}
    name = entry["name"]
    differing = _differing_values(whole, circle, _end_fields(entry, copies))
    return [
        {"name": f"{name}_{n}", "pattern": name}
        | {key: value if key == "kind" else with_number(value, n) for key, value in given.items()}
        | differing(n - 1)
        for n in range(1, (whole.count or 0) + 1)
    ]


def _end_fields(entry: Mapping[str, Any], copies: Mapping[str, Copies]) -> set[str]:
    """The fields of an entry that name a copy of a body, if another field names another body."""
    ends = [key for key in ENDS if entry.get(key) is not None]
    of_copies = {key for key in ends if _copies_named(entry[key], copies)}
    return of_copies if len(of_copies) < len(ends) else set()


def _differing_values(
    whole: Repeatable, circle: Circle | None, on_copies: set[str]
) -> Callable[[int], dict[str, Any]]:
    """A function of the number of a member, from 0. It returns the values of the member that the circle
    changes. `on_copies`: fields that name a copy of a body."""
    count = whole.count
    if circle is None or count is None:
        return lambda step: {}
    return lambda step: whole.values_of_member(circle.placement(step, count), on_copies.__contains__)


def _references(data: Mapping[str, Any], found: Names) -> dict[str, Any]:
    """The groups whose entries refer to patterns, with the names of members in place of the names of
    patterns."""
    changed = {
        group: _each(data[group], lambda entry: _with_members(entry, {"joints": "joints"}, found))
        for group in ("devices", "interfaces")
        if group in data and found.get("joints")
    }
    changed |= _acting_in(data, found)
    if isinstance(data.get("legs"), dict | list | tuple):
        changed["legs"] = _each(data["legs"], lambda leg: _leg(leg, found))
    return changed


def _leg(leg: Any, found: Names) -> Any:
    if not isinstance(leg, dict):
        return leg
    leg = _with_members(leg, OF_LEGS, found) | _acting_in(leg, found)
    if isinstance(leg.get("without"), list | tuple):
        leg["without"] = [name for text in leg["without"] for name in _entries_named(text, found)]
    return leg


def _entries_named(text: Any, found: Names) -> list[Any]:
    """The entries that a text such as "joints.dock" names."""
    group, dot, name = text.partition(".") if isinstance(text, str) else ("", "", "")
    members = found.get(group, {}).get(name)
    return [f"{group}{dot}{member}" for member in members] if members else [text]


def _acting_in(data: Mapping[str, Any], found: Names) -> dict[str, Any]:
    """The phases and events of a scenario or a leg. In their actions, the names of members replace the names
    of patterns."""
    return {
        group: _each(data[group], lambda entry: _acting(entry, found))
        for group in ("phases", "events")
        if isinstance(data.get(group), dict | list | tuple)
    }


def _acting(entry: Any, found: Names) -> Any:
    """A phase or event in whose actions the names of members replace the names of their patterns."""
    if not isinstance(entry, dict):
        return entry
    entry = _with_members(entry, ACTIONS, found)
    if isinstance(entry.get("drop"), list | tuple):
        bodies = found.get("bodies", {})
        entry["drop"] = [name for text in entry["drop"] for name in _items_named(text, bodies)]
    joints = found.get("joints", {})
    if isinstance(entry.get("replace"), dict):
        pairs = entry["replace"].items()
        entry["replace"] = {one: kind for name, kind in pairs for one in joints.get(name, [name])}
    return entry


def _items_named(text: Any, bodies: Mapping[str, list[str]]) -> list[Any]:
    """The mass items "body.item" that a text names."""
    body, dot, item = text.partition(".") if isinstance(text, str) else ("", "", "")
    return [f"{member}{dot}{item}" for member in bodies[body]] if body in bodies else [text]


def _with_members(entry: Any, groups: Mapping[str, str], found: Names) -> Any:
    """An entry in whose lists the names of members replace the names of their patterns. `groups`: group of
    the names by the key of the list."""
    if not isinstance(entry, dict):
        return entry
    return entry | {
        key: [member for name in entry[key] for member in _name_members(name, found.get(group, {}))]
        for key, group in groups.items()
        if isinstance(entry.get(key), list | tuple)
    }


def _name_members(name: Any, found: Mapping[str, list[str]]) -> list[Any]:
    return found.get(name, [name]) if isinstance(name, str) else [name]


def named_entries(group: Any) -> list[tuple[str | None, Any]]:
    """Return (name of the table, entry with its name) of the entries of a group."""
    if isinstance(group, dict):
        return [
            (key, {"name": key, **item} if isinstance(item, dict) else item) for key, item in group.items()
        ]
    return [(None, item) for item in group] if isinstance(group, list | tuple) else []


def _each(group: Any, change: Callable[[Any], Any]) -> Any:
    """A group with changed entries."""
    return _as_given(group, [(name, change(entry)) for name, entry in named_entries(group)])


def _as_given(group: Any, entries: list[tuple[str | None, Any]]) -> Any:
    """Entries in the form of the original group: as tables by name if the group had this form and no name is
    repeated, otherwise as a list."""
    by_name = dict(entries)
    if isinstance(group, dict) and len(by_name) == len(entries):
        return by_name
    return [entry for _, entry in entries]


def has_count(entry: Any) -> bool:
    """Return whether an entry of a group is a pattern."""
    return value_of(entry, "count") is not None
