"""Conversion of pydantic's validation errors to messages with path, value, allowed input and fix."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from . import packages
from .addresses import label, markers_in
from .declaration import ByName, Declaration, OneOf, declarations_in
from .errors import BadInput, NotInstalled, Problem, Refused, Written
from .sentences import list_text
from .similar_names import like, near, nearest
from .units import SI, as_written, describe, display

Location = Sequence[str | int]
MOST_MEANT = 3
"""Maximum number of kinds that a message suggests from the keys of a table."""


def problems_of(error: ValidationError, cls: type[Declaration], data: Any) -> list[Problem]:
    """Return the problems for all errors that pydantic found in `data` as a declaration of class `cls`."""
    found: list[Problem] = []
    items = [(item, (item.get("ctx") or {}).get("error")) for item in error.errors(include_url=False)]
    missing = any(isinstance(cause, NotInstalled) for _, cause in items)
    mistaken = _of_other_kinds(cls, data, [item for item, _ in items])
    for item, cause in items:
        table = next((loc for loc in mistaken if item["loc"][: len(loc)] == loc), None)
        if table is not None:
            found.append(mistaken[table])
            continue
        if missing and item["type"] == "union_tag_invalid":
            continue  # the kind may belong to the missing package
        spot = _Spot(cls, data, item["loc"])
        if isinstance(cause, Refused):
            found += [_problem_in_file(cls, data, item["loc"], p) for p in cause.problems]
        else:
            found.append(Problem(spot.place, _sentence(item, spot)))
            found += _as_meant(item, spot) if item["type"] == "union_tag_invalid" else []
    for table in dict.fromkeys(item["loc"][:-1] for item, _ in items if item["type"] == "extra_forbidden"):
        if not any(table[: len(loc)] == loc for loc in mistaken):
            found += _with_meant_keys(cls, data, table)
    return list(dict.fromkeys(found))


def meant_keys(cls: type[Declaration], table: Mapping[str, Any]) -> dict[str, str]:
    """Return, for the unknown keys of a table, the known keys that they may mean, at most one for each.

    If the nearest known key is already in the table, the unknown key gets no suggestion.
    """
    known = [field.alias or name for name, field in cls.model_fields.items()]
    meant: dict[str, str] = {}
    for key in table:
        if key not in known and key not in cls.model_fields:
            free = [one for one in nearest(key, known) if one not in table and one not in meant.values()]
            if free:
                meant[key] = free[0]
    return meant


def in_file(place: str, meant: Mapping[str, str]) -> str:
    """Return a path of a declaration with the first key as it is spelt in the file. `meant`: result of
    `meant_keys`.
    """
    first, *rest = place.split(".")
    return ".".join([next((key for key, one in meant.items() if one == first), first), *rest])


def _with_meant_keys(cls: type[Declaration], data: Any, loc: Location) -> list[Problem]:
    """Return the other errors of a table with unknown keys. The table is checked with the suggested keys and
    without the other unknown keys."""
    spot = _Spot(cls, data, loc)
    owner, table = spot.declaration(), spot.value
    if owner is None or not isinstance(table, dict):
        return []
    known = {*owner.model_fields, *(field.alias for field in owner.model_fields.values())}
    meant = meant_keys(owner, table)
    read = {meant.get(key, key): value for key, value in table.items() if key in known or key in meant}
    named = {"name": spot.place.rpartition(".")[2]} if "name" in owner.model_fields else {}
    try:
        owner.model_validate({**named, **read})
    except ValidationError as error:
        found = problems_of(error, owner, read)
    except BadInput as error:
        found = [*error.problems]
    else:
        found = []
    return [Problem(_join(spot.place, in_file(p.place, meant)), p.message) for p in found]


def _of_other_kinds(cls: type[Declaration], data: Any, items: list[Any]) -> dict[Location, Problem]:
    """Find tables of one kind with the keys of another kind. Each result is (location, message).

    The message replaces all other errors of the table, because the kind is the only mistake.
    """
    wrong: dict[Location, list[str]] = {}
    for item in items:
        loc = item["loc"]
        if len(loc) > 1 and str(loc[-2]).startswith("(") and item["type"] == "extra_forbidden":
            wrong.setdefault(loc[:-1], []).append(str(loc[-1]))
    found: dict[Location, Problem] = {}
    for loc, keys in wrong.items():
        spot = _Spot(cls, data, loc[:-1])
        fitting = spot.fitting(spot.value)
        given = spot.value.get("kind") if isinstance(spot.value, dict) else None
        if fitting and given is not None:
            text = f"kind {_short_repr(given)} has no {list_text(keys, 3)}; {_by_keys(fitting)}"
            found[loc] = Problem(spot.place, text)
    return found


def _by_keys(kinds: Sequence[str]) -> str:
    return f"these keys belong to {' or '.join(map(repr, kinds))}"


def _kind_meant(given: Any, spot: _Spot) -> tuple[list[str], bool]:
    """Return (kinds that a table of an unknown kind may mean, whether its keys decide).

    The name of the kind decides. Only if the table has all keys of another kind, its keys decide.
    """
    kind = given.get("kind") if isinstance(given, dict) else None
    named = like(kind, spot.kinds()) if isinstance(kind, str) else []
    fitting = spot.fitting(given)
    both = [one for one in named if one in fitting]
    return (fitting, True) if fitting and not both else (both or named, False)


def _as_meant(item: Any, spot: _Spot) -> list[Problem]:
    """Return the other errors of a table with a misspelt kind, if the kind resembles only one known kind."""
    given = item["input"]
    meant, _ = _kind_meant(given, spot)
    if len(meant) != 1:
        return []
    choices = [c for c in spot._choices().values() if "kind" in c.model_fields]
    choice = next(c for c in choices if c.model_fields["kind"].default == meant[0])
    # The name of an entry of a group precedes its table.
    named = {"name": "meant"} if "name" in choice.model_fields else {}
    read = {**given, "kind": meant[0]}
    try:
        choice.model_validate({**named, **read})
    except ValidationError as error:
        return [Problem(_join(spot.place, p.place), p.message) for p in problems_of(error, choice, read)]
    except BadInput as error:
        return [Problem(_join(spot.place, p.place), p.message) for p in error.problems]
    return []


def _problem_in_file(cls: type[Declaration], data: Any, loc: Location, problem: Problem) -> Problem:
    """Return a problem that the validator of a declaration raised, with the path and values of the input
    file.

    Paths have names in place of list indices, and values appear as in the file.
    """
    steps = [int(step) if step.isdigit() else step for step in problem.place.split(".") if step]
    message = problem.message
    if isinstance(message, Written):
        message = message.format_map(_AsWritten(_Spot(cls, data, loc)))
    return Problem(_Spot(cls, data, (*loc, *steps)).place, message)


class _AsWritten(dict[str, str]):
    """Values of the declaration at a location, as in its input."""

    def __init__(self, spot: _Spot):
        super().__init__()
        self.owner = spot.declaration()
        self.table = spot.value if isinstance(spot.value, dict) else {}

    def __missing__(self, key: str) -> str:
        field = self.owner.model_fields.get(key) if self.owner else None
        if field is None:
            return str(self.table.get(key, key))
        name = field.alias if field.alias in self.table else key
        markers = [m for m in (*field.metadata, *markers_in(field.annotation)) if isinstance(m, SI)]
        unit = markers[0].unit if markers else "1"
        if name in self.table or not isinstance(field.default, (int, float)):
            return as_written(self.table.get(name, field.default), unit)
        factor, label = display(unit)
        return f"{as_written(field.default * factor, label)} by default"


def _join(*places: str) -> str:
    return ".".join(p for p in places if p)


class _Spot:
    """The target of a location: its input path, its declaration and its field.

    Locations have list entries by number and the chosen declaration of a union in parentheses. Paths have
    entries by name and omit the choice.
    """

    def __init__(self, cls: type[Declaration], data: Any, loc: Location):
        self.owner: type[Declaration] | None = cls
        self.field: FieldInfo | None = None
        node, places = data, []
        for step in loc:
            if isinstance(step, int) and isinstance(node, dict) and not self.by_name():
                self.owner = self._only_choice() or self.owner  # one table in place of a list of tables
            elif isinstance(step, int):
                name, node = _entry(node, step)
                places.append(name)
            elif step.startswith("("):
                self.owner = self._choices().get(step[1:-1])
            else:
                places.append(step)
                self.owner = self._only_choice() if self.field is not None else self.owner
                self.field = self._field(step)
                node = node.get(step) if isinstance(node, dict) else getattr(node, step, None)
                continue
            if not isinstance(step, int):
                self.field = None
        self.place = ".".join(places)
        needs = data.get("needs") if isinstance(data, dict) else None
        self.needs = needs if isinstance(needs, list | tuple) else ()
        self.value = node

    def _choices(self) -> dict[str, type[Declaration]]:
        return declarations_in(self.field.annotation) if self.field else {}

    def _only_choice(self) -> type[Declaration] | None:
        choices = list(self._choices().values())
        return choices[0] if len(choices) == 1 else None

    def declaration(self) -> type[Declaration] | None:
        """Return the declaration at this location, or None."""
        return self.owner if self.field is None else self._only_choice()

    def _field(self, key: str) -> FieldInfo | None:
        fields = self.owner.model_fields if self.owner else {}
        return fields.get(key) or next((f for f in fields.values() if f.alias == key), None)

    def known(self) -> list[str]:
        """Return the keys of the declaration that contains the last step."""
        return [f.alias or n for n, f in self.owner.model_fields.items()] if self.owner else []

    def kinds(self) -> list[str]:
        """Return the values of `kind` of the declarations that the field allows."""
        kinds = [c.model_fields["kind"].default for c in self._choices().values() if "kind" in c.model_fields]
        return [k for k in kinds if isinstance(k, str)]

    def fitting(self, table: Any) -> list[str]:
        """Return up to three kinds that have all keys of a table. The list may be empty.

        Kinds without further required keys have priority.
        """
        given = {*table} - {"kind", "name"} if isinstance(table, dict) else set()
        knowing, whole = [], []
        for choice in self._choices().values() if given else ():
            fields = {field.alias or name: field for name, field in choice.model_fields.items()}
            if "kind" in fields and given <= fields.keys():
                needed = {key for key, field in fields.items() if field.is_required()} - {"name"}
                knowing.append(fields["kind"].default)
                whole += knowing[-1:] if needed <= given else []
        return next((found for found in (whole, knowing) if 0 < len(found) <= MOST_MEANT), [])

    def is_extensible(self) -> bool:
        """Whether other packages may add kinds to the field."""
        stack: list[Any] = [self.field.annotation] if self.field else []
        while stack:
            node = stack.pop()
            if isinstance(node, OneOf) and node.extended:
                return True
            stack += [*getattr(node, "__metadata__", ()), *getattr(node, "__args__", ())]
        return False

    def allowed_input(self) -> str:
        """Return the allowed input of a numeric field, or ""."""
        markers = [m for m in (self.field.metadata if self.field else ()) if isinstance(m, SI)]
        if not markers:
            return ""
        unit, shape = markers[0].unit, markers[0].shape
        # For an inertia, three moments are as good as a matrix.
        return f": {describe(unit, (3,) if (unit, shape) == ('kg m^2', (3, 3)) else shape)}"

    def by_name(self) -> bool:
        """Whether the field is a group that accepts tables by name."""
        return self.field is not None and any(isinstance(m, ByName) for m in self.field.metadata)


def _entry(node: Any, index: int) -> tuple[str, Any]:
    """Return (name, value) of an entry of a group, which is a list or has tables by name in a file."""
    if isinstance(node, dict):
        return list(node.items())[index]
    item = node[index] if isinstance(node, (list, tuple)) and index < len(node) else None
    return label(item, index), item


def _sentence(item: Any, spot: _Spot) -> str:
    write = _SENTENCES.get(item["type"])
    return write(item, spot) if write else f"{item['msg']} (got {_short_repr(item['input'])})"


def _short_repr(value: Any) -> str:
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return text if len(text) <= 40 else text[:37] + "..."


def _unknown_key(item: Any, spot: _Spot) -> str:
    return f"unknown key; {near(str(item['loc'][-1]), spot.known(), 'allowed')}"


def _not_allowed(item: Any, spot: _Spot) -> str:
    expected = item["ctx"]["expected"]
    allowed = re.findall(r"'([^']*)'", expected) or re.findall(r"[\w.+-]+(?=,| or|$)", expected)
    return f"{_short_repr(item['input'])} is not allowed; {near(str(item['input']), allowed, 'allowed')}" + (
        f" Allowed: {', '.join(allowed)}" if "did you mean" in near(str(item["input"]), allowed) else ""
    )


def _no_choice(item: Any, spot: _Spot) -> str:
    kinds, value = spot.kinds(), item["input"]
    if not isinstance(value, dict):
        return f"the value must be a table, got {_short_repr(value)}" + (
            f"; its kind is one of {', '.join(kinds)}" if kinds else ""
        )
    if "kind" not in value:
        return f"kind is required; allowed: {', '.join(kinds)}"
    meant, by_keys = _kind_meant(value, spot)
    hint = _by_keys(meant) if by_keys else near(str(value["kind"]), meant or kinds, "allowed")
    if spot.is_extensible() and "did you mean" not in hint:
        hint = hint if by_keys else f"allowed: {', '.join(kinds)}"
        hint += f". {packages.of_unknown_kinds(spot.needs)}"
    return f"kind {_short_repr(value['kind'])} is not allowed; {hint}"


def _not_a_list(item: Any, spot: _Spot) -> str:
    if spot.by_name():
        got = _short_repr(item["input"])
        return (
            f"the value must be a table of named tables, or a list of tables that each have a name; got {got}"
        )
    text = f", like [{_short_repr(item['input'])}]" if isinstance(item["input"], str) else ""
    return f"the value must be a list{text}; got {_short_repr(item['input'])}"


def _not_a_table(item: Any, spot: _Spot) -> str:
    """Return the message for a value in place of a table. If the value is a text, it may have been meant for
    the only required field."""
    choice, value = spot._only_choice(), item["input"]
    needed = [name for name, field in choice.model_fields.items() if field.is_required()] if choice else []
    like = (
        f", like {{ {needed[0]} = {json.dumps(value)} }}"
        if isinstance(value, str) and len(needed) == 1
        else ""
    )
    return f"the value must be a table{like}; got {_short_repr(value)}"


def _must_be(what: str) -> Callable[[Any, _Spot], str]:
    return lambda item, spot: f"the value must be {what}, got {_short_repr(item['input'])}"


_SENTENCES: dict[str, Callable[[Any, _Spot], str]] = {
    "missing": lambda item, spot: f"this key is required{spot.allowed_input()}",
    "extra_forbidden": _unknown_key,
    "literal_error": _not_allowed,
    "union_tag_invalid": _no_choice,
    "union_tag_not_found": _no_choice,
    "value_error": lambda item, spot: str(item["ctx"]["error"]),
    "string_type": _must_be("a text in quotes"),
    **dict.fromkeys(("int_type", "int_from_float"), _must_be("a whole number")),
    "bool_type": _must_be("true or false"),
    "bool_parsing": _must_be("true or false"),
    "tuple_type": _not_a_list,
    "model_type": _not_a_table,
    "model_attributes_type": _not_a_table,
    "dict_type": _must_be("a table"),
    "recursion_loop": lambda item, spot: "the value has too many nested levels",
}
