"""Access to values in a tree of declarations by input paths such as ``bodies.payload.mass``. A path names
list entries by name.

`get`, `set` and `paths` use these paths. Functions that change numbers also accept the path of one element of
an array, ``bodies.payload.mass_centre.x`` or ``[0]``; see `element`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, get_args

import numpy as np

from .declaration import Declaration, build, parts, same
from .errors import BadInput, Problem
from .sentences import count_text
from .similar_names import near
from .unit_names import UnitError
from .units import SI


def get(node: Any, path: str) -> Any:
    """Return the value at an input path: ``get(scenario, "bodies.payload.mass")``.

    If the path refers to a pattern, the value must be the same for all members of the pattern. Raises
    `BadInput` for an unknown path or different values.
    """
    nodes = nodes_at(node, path)
    if not alike(nodes):
        raise BadInput(
            Problem(
                path, f"the value differs between the {len(nodes)} members of the pattern. Name one member"
            )
        )
    return nodes[0]


def alike(nodes: Sequence[Any]) -> bool:
    """Return whether all values of a list are equal, for example the values of the members of a pattern."""
    return all(node is nodes[0] or same(node, nodes[0]) for node in nodes[1:])


def nodes_at(node: Any, path: str) -> list[Any]:
    """Return a list with the value at an input path. If the path refers to a pattern, the list has the values
    of all members. Raises `BadInput` for an unknown path.
    """
    nodes, steps = [node], path.split(".")
    for count, step in enumerate(steps, start=1):
        nodes = [child for node in nodes for child in _children(node, step, ".".join(steps[:count]))]
    return nodes


def set(node: Any, path: str, value: Any) -> Any:
    """Return a new validated tree in which the value at `path` is replaced by `value`.

    The path may select one element of an array. Raises `BadInput` for an unknown path or an invalid value.
    """
    stem, index = element(path)
    return _set(node, stem.split("."), index, 0, value)


def _set(node: Any, steps: list[str], index: tuple[int, ...], depth: int, value: Any) -> Any:
    step, place = steps[depth], ".".join(steps[: depth + 1])
    last = depth + 1 == len(steps)
    old = _children(node, step, place)
    if len(old) > 1 and (last or differs_by_place(old, ".".join(steps[depth + 1 :]))):
        raise BadInput(Problem(".".join(steps), differs_by_member(old)))
    ahead = steps[depth + 1 :]
    own = index if last else component(old[0], ahead[0]) if len(ahead) == 1 and not index else ()
    if own:
        new = [_with_element(node, ".".join(steps), step, old[0], own, value)]
    else:
        new = [value if last else _set(item, steps, index, depth + 1, value) for item in old]
    if isinstance(node, tuple):
        changed = {id(item): one for item, one in zip(old, new, strict=True)}
        return tuple(changed.get(id(item), item) for item in node)
    values = {name: getattr(node, name) for name in type(node).model_fields} | (node.__pydantic_extra__ or {})
    try:
        return type(node)(**values | {_field(node, step, place): new[0]})
    except BadInput as error:
        above = steps[:depth]
        raise BadInput(
            Problem(".".join([*above, *_keys(type(node), p.place)]), p.message) for p in error.problems
        ) from None


def set_all(node: Any, values: Mapping[str, Any]) -> Any:
    """Return a new validated tree with several new values, by path.

    The result is that of `set` for one path after another, but the whole tree is validated only once. Raises
    `BadInput` for an unknown path or an invalid value.
    """
    fields: dict[str, Any] = {}
    for path, value in values.items():
        stem, index = element(path)
        steps = stem.split(".")
        field = _field(node, steps[0], steps[0])
        part = fields.get(field, getattr(node, field))
        if len(steps) == 1 or not isinstance(part, (Declaration, tuple)):
            fields[field] = getattr(set(node, path, value), field)
        else:
            fields[field] = _set(part, steps, index, 1, value)
    own = {name: getattr(node, name) for name in type(node).model_fields} | (node.__pydantic_extra__ or {})
    return type(node)(**own | fields)


def _keys(owner: type[Declaration], place: str) -> list[str]:
    """Return the steps of a path in a declaration. The first step has the spelling of scenario files."""
    first, *rest = place.split(".")
    field = owner.model_fields.get(first)
    return [field.alias if field is not None and field.alias else first, *rest]


def differs_by_member(members: Sequence[Any]) -> str:
    """Return the message for a value that cannot be set for all members of a pattern, because the value
    differs between members.
    """
    return f"the value differs between the {len(members)} members of the pattern. Name one member"


def differs_by_place(members: Sequence[Any], path: str) -> bool:
    """Return whether a value differs between the members of a pattern because of their places on a circle.

    path: path of the value in each member. It may end in an element of an array.
    """
    if path.partition(".")[0] not in getattr(members[0], "varying_fields", ()):
        return False
    stem, _, last = element(path)[0].rpartition(".")
    for way in (element(path)[0], stem) if last in XYZ else (element(path)[0],):
        with suppress(BadInput):
            return not alike([node for member in members for node in nodes_at(member, way)])
    return False


XYZ = ("x", "y", "z")


def element(path: str) -> tuple[str, tuple[int, ...]]:
    """Split the path of an array element: return the path of the array and the indices of the element.

    For a path without indices, the indices are ().
    """
    match = re.fullmatch(r"(.*?)\s*\[\s*(\d{1,9}(?:\s*,\s*\d{1,9})*)\s*\]", path)
    return (match[1], tuple(map(int, match[2].split(",")))) if match else (path, ())


def with_entries(path: str) -> str:
    """Return a path with list indices as separate parts: `axes[0].points` becomes `axes.0.points`."""
    return re.sub(r"\[\s*(\d{1,9})\s*\](?=\.)", r".\1", path)


def several(text: str) -> tuple[str, ...]:
    """Split a text with several paths at its commas. Commas between indices do not separate paths."""
    return tuple(path.strip() for path in re.split(r",(?![^\[\]]*\])", text))


def component(value: Any, step: str) -> tuple[int, ...]:
    """Return the index of a vector component that the last part of a path names, for example (2,) for "z".

    The result is () if `value` is not a vector or if the part is not x, y or z.
    """
    vector = isinstance(value, np.ndarray) and value.shape == (3,)
    return (XYZ.index(step),) if vector and step in XYZ else ()


def no_element(value: Any, index: tuple[int, ...]) -> str | None:
    """Return the reason why these indices do not select a single number of an array. If they do, return
    None.
    """
    sizes = " by ".join(map(str, np.shape(value))) or "one number"
    if np.ndim(value) == 1:
        sizes = f"a list of {count_text(int(sizes), 'numbers')}"
    if len(index) > np.ndim(value) or any(i >= size for i, size in zip(index, np.shape(value))):
        return (
            f"the value has no element {list(index)}. The value is {sizes}, and elements are counted from 0"
        )
    if index and len(index) < np.ndim(value):
        like = [*index, *[0] * (np.ndim(value) - len(index))]
        return f"{list(index)} is a row of {sizes} numbers. Name one element, for example {like}"
    return None


def marker_of(owner: Any, step: str, value: Any) -> SI | None:
    """Return the marker with unit and shape of a numeric field. For other fields, return None.

    `owner`: the declaration. `step`: name of the field. If several markers are possible, the first marker
    that fits the shape of `value` is returned.
    """
    if not isinstance(owner, Declaration):
        return None
    fields = type(owner).model_fields
    field = fields.get(step) or next((f for f in fields.values() if f.alias == step), None)
    if field is None:
        return SI("1", np.shape(value))
    markers = [m for m in (*field.metadata, *markers_in(field.annotation)) if isinstance(m, SI)]
    fitting = [m for m in markers if len(m.shape) == np.ndim(value)]
    return next(iter((*fitting, *markers)), None)


def markers_in(annotation: Any) -> Iterator[Any]:
    """Yield all arguments of a type annotation recursively, including its markers."""
    for part in get_args(annotation):
        yield part
        yield from markers_in(part)


def _with_element(
    node: Any, place: str, step: str, old: Any, index: tuple[int, ...], value: Any
) -> np.ndarray:
    """Return an array of a declaration with another number at one element."""
    marker = marker_of(node, step, old)
    if marker is None or not isinstance(old, np.ndarray):
        raise BadInput(
            Problem(
                place,
                f"the value is not a list of numbers, so that element {list(index)} cannot be set. Set the "
                "complete value",
            )
        )
    if wrong := no_element(old, index):
        raise BadInput(Problem(place, wrong))
    whole = np.array(old)
    try:
        whole[index] = SI(marker.unit)(value)
    except UnitError as error:
        raise BadInput(Problem(place, str(error))) from None
    return whole


def with_element(node: Any, path: str, value: Any) -> tuple[str, np.ndarray] | None:
    """Return the path of an array, and the array with the number at one element replaced by `value`.

    Returns None if the path does not name an element. The result is not validated as a field. Raises
    `BadInput` for a wrong element or number.
    """
    stem, index = element(path)
    if not index:
        stem, _, last = stem.rpartition(".")
        try:
            index = component(get(node, stem), last)
        except BadInput:
            return None
    if not index:
        return None
    old, (above, _, step) = get(node, stem), stem.rpartition(".")
    owner = nodes_at(node, above)[0] if above else node
    return stem, _with_element(owner, path, step, old, index, value)


def paths(node: Any, prefix: str = "") -> list[str]:
    """Return the input paths of all values that are set in a tree, in the order of the fields. `prefix`: path
    of the tree itself.
    """
    if isinstance(node, Declaration):
        names = {f.alias or name: name for name, f in type(node).model_fields.items()}
        items = [(key, getattr(node, name)) for key, name in names.items()] + [
            *(node.__pydantic_extra__ or {}).items()
        ]
    elif isinstance(node, tuple) and node and all(isinstance(item, Declaration) for item in node):
        items = [(label(item, i), item) for i, item in enumerate(node)]
    else:
        return [prefix]
    found: list[str] = []
    for name, value in items:
        if value is not None and not (isinstance(value, tuple) and not value):
            found += paths(value, f"{prefix}.{name}" if prefix else name)
    return found


def label(item: Any, index: int) -> str:
    """Return the part of a path that names a list entry: the name of the entry, or its index from 0 if it has
    no name.
    """
    named = item if isinstance(item, dict) else {"name": getattr(item, "name", None)}
    name = named.get("name") or named.get("joint")
    return name if isinstance(name, str) else str(index)


def _children(node: Any, step: str, place: str) -> list[Any]:
    """Return the children that a step selects: one child, or all members of a pattern."""
    if not isinstance(node, tuple):
        return [getattr(node, _field(node, step, place))]
    found = _entries(node, step)
    if not found:
        known = [name for i, item in enumerate(node) for name in (label(item, i), pattern_of(item)) if name]
        raise BadInput(Problem(place, f"there is no '{step}' here; {near(step, known)}"))
    return found


def _entries(node: tuple[Any, ...], step: str) -> list[Any]:
    """Return the list entry that a step names, otherwise the members of the pattern that it names."""
    named = [item for i, item in enumerate(node) if label(item, i) == step]
    return named or [item for item in node if pattern_of(item) == step]


def pattern_of(item: Any) -> str | None:
    """Return the name of the pattern that contains a declaration as a member, or None."""
    return getattr(item, "pattern", None)


def patterns_of(items: Iterable[Any]) -> list[str]:
    """Return the names of the patterns that contain the declarations, without duplicates."""
    return list(dict.fromkeys(name for item in items if (name := pattern_of(item)) is not None))


def _field(node: Any, step: str, place: str) -> str:
    if node is None:
        raise BadInput(Problem(place, _unset(place)))
    fields = type(node).model_fields if isinstance(node, Declaration) else {}
    names = {f.alias or name: name for name, f in fields.items()}
    if isinstance(node, Declaration) and node.__pydantic_extra__:
        names |= {name: name for name in node.__pydantic_extra__}
    if step not in names and step not in fields:
        raise BadInput(Problem(place, f"unknown path; {near(step, names)}"))
    return names.get(step, step)


def _unset(place: str) -> str:
    """Return the message for a path below a value that is not set. The user must write a vector or a
    table."""
    above, _, step = place.rpartition(".")
    if step in XYZ:
        table, _, key = above.rpartition(".")
        where = f"under [{table}]" if table else "at the top level"
        return f"{above} is not set. Add the key to the scenario, for example {key} = [0, 0, 0] {where}"
    return f"{above} is not set. Add [{above}] to the scenario, with {step} and the other required keys"


def replace_leaf(node: Any, path: str, leaf: Any) -> Any:
    """Return the tree with the number or array at `path` replaced by `leaf`, without validation.

    The new leaf may be a JAX tracer or have case axes. Raises `BadInput` if the path does not lead to a
    numeric field.
    """
    step, _, rest = path.partition(".")
    new = (lambda child: replace_leaf(child, rest, leaf)) if rest else (lambda _: leaf)
    if isinstance(node, tuple):
        meant = {id(item) for item in _entries(node, step)}
        return tuple(new(item) if id(item) in meant else item for item in node)
    (names, children, static), field = parts(node), _field(node, step, path)
    if field not in names:
        raise BadInput(Problem(path, "the value is not a numeric input and cannot be varied"))
    return build(
        type(node), [new(c) if n == field else c for n, c in zip(names, children, strict=True)], static
    )
