"""The one idea: a scenario is a tree of frozen declarations whose leaves are its numbers.

A `Declaration` is a pydantic model and a JAX pytree. Its numeric fields (those marked with `units.si`) and
its fields that hold other declarations are children; everything else (texts, flags, counts, names) is static
and belongs to the structure. So a dispersion, a design variable and a gradient are all changes to leaves.

`get`, `set` and `paths` address the tree by input path: ``bodies.payload.mass``, tuples of named declarations
by name. What changes numbers also takes one element of an array, ``bodies.payload.mass_centre.x`` or ``[0]``:
`element`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import get_annotations
from typing import Annotated, Any, ClassVar, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from ..maths import trees
from .errors import BadInput, Problem, near
from .unit_names import UnitError
from .units import SI


class Declaration(BaseModel):
    """A frozen, validated part of a scenario, and a JAX pytree once `register_all` has run."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        validate_default=True,
        populate_by_name=True,
        defer_build=True,  # a scenario is read by one validator; one for each class would be built in vain
    )

    child_fields: ClassVar[tuple[str, ...]] = ()
    """Names of the fields that hold leaves or subtrees, in order."""
    static_fields: ClassVar[tuple[str, ...]] = ()
    """Names of the fields that belong to the structure, in order."""

    def __init__(self, /, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            from .validation_errors import problems_of

            name = data.get("name")
            source = f"{type(self).__name__} '{name}'" if isinstance(name, str) else None
            raise BadInput(problems_of(error, type(self), data), source) from None

    # pydantic calls a model's own __init__ for nested tables too, unless it is marked as its own: nested
    # tables must
    # be validated inside the one pass that collects every error.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        children = [name for name, field in cls.model_fields.items() if _is_child(field)]
        cls.child_fields = tuple(children)
        cls.static_fields = tuple(name for name in cls.model_fields if name not in children)
        trees.register(cls, trees.Kind(parts, partial(build, cls)))
        _settle_class_vars(cls)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Declaration):
            return NotImplemented
        mine, theirs = parts(self), parts(other)
        return mine[0] == theirs[0] and mine[2] == theirs[2] and all(map(_same, mine[1], theirs[1]))

    def __hash__(self) -> int:
        return hash((type(self), getattr(self, "name", None)))

    def written(self) -> Any:
        """A short form for files, where there is one: a text or number that is read back as this very
        declaration."""
        return None

    def from_elsewhere(self) -> str | None:
        """What a compiled program takes from beyond the scenario because of this declaration, a file or a
        class of the user's own: a text that is another one where that is. None where it cannot be told."""
        return ""

    def _settle(self, **values: Any) -> None:
        """For validators that run after the fields: put in a value worked out from the others."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


def _settle_class_vars(cls: type[Declaration]) -> None:
    """Say of the class variables of a class only that they are that: pydantic evaluates what the bases of a
    class say of theirs, as texts, for each class anew."""
    said = get_annotations(cls)
    cls.__annotations__ = said | dict.fromkeys(cls.__class_vars__ & said.keys(), ClassVar)


_settle_class_vars(Declaration)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, (tuple, Declaration)) or a is None or b is None:
        return type(a) is type(b) and a == b
    return np.shape(a) == np.shape(b) and bool(np.all(np.asarray(a) == np.asarray(b)))


def _is_child(field: Any) -> bool:
    return any(isinstance(m, SI) for m in field.metadata) or any(True for _ in _child_types(field.annotation))


def _child_types(annotation: Any) -> Iterator[Any]:
    """The numeric markers and declaration classes anywhere inside an annotation."""
    if isinstance(annotation, SI) or (isinstance(annotation, type) and issubclass(annotation, Declaration)):
        yield annotation
    elif get_origin(annotation) is not None:
        for part in get_args(annotation):
            yield from _child_types(part)


def declarations_in(annotation: Any) -> dict[str, type[Declaration]]:
    """The declaration classes that an annotation allows, by class name."""
    return {c.__name__: c for c in _child_types(annotation) if isinstance(c, type)}


def reachable(cls: type[Declaration]) -> tuple[type[Declaration], ...]:
    """A declaration class, and all that may stand within it."""
    found: dict[type[Declaration], None] = {}
    left = [cls]
    while left:
        one = left.pop()
        if one not in found:
            found[one] = None
            left += [c for f in one.model_fields.values() for c in declarations_in(f.annotation).values()]
    return tuple(found)


@dataclass(frozen=True)
class OneOf:
    """Marks a union of declarations, told apart by `kind` unless `choose` gives the class's name ("number"
    for a numeric field): ``Gravity = Annotated[NoGravity | UniformGravity, OneOf()]``.

    The chosen name stands in parentheses in pydantic's locations, so that it is not mistaken for a key.
    """

    choose: Callable[[Any], str | None] | None = None
    short: bool = False
    """Whether a text stands for the table that holds nothing but that `kind`."""
    extended: bool = False
    """Whether other packages may add kinds."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        schema = self._by_tag(source, handler)
        return core_schema.no_info_before_validator_function(_table_of_kind, schema) if self.short else schema

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict:
        choices = handler(schema)
        if not self.short:
            return choices
        tables = map(handler.resolve_ref_schema, choices["oneOf"])
        whole = [table["properties"]["kind"]["default"] for table in tables if "required" not in table]
        return {"anyOf": [{"enum": whole}, choices]}

    def _by_tag(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        choices = {c.__name__ if isinstance(c, type) else "number": c for c in get_args(source)}
        kinds = {} if self.choose else {c.model_fields["kind"].default: name for name, c in choices.items()}

        def tag(value: Any) -> str:
            name = self.choose(value) if self.choose else kinds.get(_kind(value))
            return f"({name})"

        schemas = {
            f"({name})": handler.generate_schema(Annotated[Any, _WhenMet(c)] if isinstance(c, type) else c)
            for name, c in choices.items()
        }
        return core_schema.tagged_union_schema(schemas, tag)


def _table_of_kind(value: Any) -> Any:
    return {"kind": value} if isinstance(value, str) else value


@dataclass(frozen=True)
class _WhenMet:
    """Stands for a declaration whose validator is built when a value is first of its kind: a scenario has few
    of all kinds, and one for all takes a twentieth of a second."""

    cls: type[Declaration]

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(self._validated)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict:
        from pydantic_core import core_schema

        self.cls.model_rebuild()
        return handler(core_schema.definitions_schema(self.cls.__pydantic_core_schema__, []))

    def _validated(self, value: Any) -> Any:
        return self.cls.__pydantic_validator__.validate_python(value)


def _kind(value: Any) -> Any:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return kind if isinstance(kind, str) else None


@dataclass(frozen=True)
class ByName:
    """Marks a list of declarations that a file may also give as tables by name, ``[bodies.payload]``:
    ``bodies: Annotated[tuple[Body, ...], ByName()]``.

    `key` is the field that the table's name goes to, `short` the field that a bare value stands for.
    """

    key: str = "name"
    short: str | None = None

    def listed(self, value: Any) -> Any:
        """Tables by name as a list of tables that carry their names; anything else as it is."""
        if not isinstance(value, dict):
            return value
        return [
            {self.key: name, **item} if isinstance(item, dict) else self._short(name, item)
            for name, item in value.items()
        ]

    def _short(self, name: str, item: Any) -> Any:
        return {self.key: name, self.short: item} if self.short else item

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(self.listed, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict:
        array = handler(schema)
        item = (
            {"anyOf": [array["items"], {"type": "string"}, {"type": "number"}]}
            if self.short
            else array["items"]
        )
        return {"anyOf": [{"type": "object", "additionalProperties": item}, array]}


# --- pytree -------------------------------------------------------------------------------------------------


def parts(node: Declaration) -> tuple[tuple[str, ...], tuple[Any, ...], tuple[Any, ...]]:
    """(names of the children, the children, the static values) of one declaration."""
    values, cls = node.__dict__, type(node)
    names = cls.child_fields
    children = tuple(values[n] for n in names)
    static = tuple(values[n] for n in cls.static_fields)
    extra = node.__pydantic_extra__
    if extra:  # a table of the user's own: its texts and flags are static, its numbers leaves
        fixed = tuple((n, v) for n, v in extra.items() if isinstance(v, (str, bool)))
        free = tuple(n for n in extra if n not in dict(fixed))
        return names + free, children + tuple(extra[n] for n in free), (*static, free, fixed)
    return names, children, static


def build(cls: type[Declaration], children: Sequence[Any], static: tuple[Any, ...]) -> Declaration:
    """A declaration from its parts, without validation: leaves may be tracers, or have lanes."""
    node = cls.__new__(cls)
    values = dict(zip(cls.child_fields, children, strict=False)) | dict(
        zip(cls.static_fields, static, strict=False)
    )
    ordered = {name: values[name] for name in cls.model_fields}
    extra = None
    if cls.model_config.get("extra") == "allow":
        free, fixed = static[-2:] if len(static) > len(cls.static_fields) else ((), ())
        extra = dict(zip(free, children[len(cls.child_fields) :], strict=True)) | dict(fixed)
    object.__setattr__(node, "__dict__", ordered)
    object.__setattr__(node, "__pydantic_fields_set__", {*ordered})
    object.__setattr__(node, "__pydantic_extra__", extra)
    object.__setattr__(node, "__pydantic_private__", None)
    return node


def with_values(node: Declaration, **changes: Any) -> Any:
    """A declaration with other values, unchecked: leaves may be tracers, or have lanes; what is not named is
    the same objects."""
    names, children, static = parts(node)
    cls = type(node)
    children = [changes.get(n, c) for n, c in zip(names, children, strict=True)]
    fixed = [changes.get(n, s) for n, s in zip(cls.static_fields, static)]
    return build(cls, children, (*fixed, *static[len(fixed) :]))


def texts_of(node: Any, without: tuple[str, ...] = ()) -> Iterator[str]:
    """All texts in a declaration, but for those of some fields."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from texts_of(item, without)
    elif isinstance(node, Declaration):
        for name in type(node).model_fields:
            if name not in without:
                yield from texts_of(getattr(node, name), without)
        yield from (v for v in (node.__pydantic_extra__ or {}).values() if isinstance(v, str))


def register_all() -> None:
    """Make every declaration class, and whatever else is a tree, a JAX pytree; classes made later register
    themselves. Imports JAX."""
    trees.register_with_jax()


# --- addresses ----------------------------------------------------------------------------------------------


def get(node: Any, path: str) -> Any:
    """The value at an input path: ``get(scenario, "bodies.payload.mass")``; at that of a pattern the one that
    all its members have. Raises `BadInput`."""
    nodes = reached(node, path)
    if not alike(nodes):
        raise BadInput(Problem(path, f"differs between the {len(nodes)} members; name one of them"))
    return nodes[0]


def alike(nodes: Sequence[Any]) -> bool:
    """Whether members of a pattern have the same there."""
    return all(node is nodes[0] or _same(node, nodes[0]) for node in nodes[1:])


def reached(node: Any, path: str) -> list[Any]:
    """All that an input path leads to: one value, or that of each member of a pattern. Raises `BadInput`."""
    nodes, steps = [node], path.split(".")
    for count, step in enumerate(steps, start=1):
        nodes = [child for node in nodes for child in _children(node, step, ".".join(steps[:count]))]
    return nodes


def set(node: Any, path: str, value: Any) -> Any:
    """A new tree with the value at `path`, which may be one element of an array, replaced, validated as in a
    file. Raises `BadInput`."""
    stem, index = element(path)
    return _set(node, stem.split("."), index, 0, value)


def _set(node: Any, steps: list[str], index: tuple[int, ...], depth: int, value: Any) -> Any:
    step, place = steps[depth], ".".join(steps[: depth + 1])
    last = depth + 1 == len(steps)
    old = _children(node, step, place)
    if len(old) > 1 and (last or steps[depth + 1] in getattr(old[0], "turned", ())):
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


def _keys(owner: type[Declaration], place: str) -> list[str]:
    """The steps of a place in a declaration, the first as files name it."""
    first, *rest = place.split(".")
    field = owner.model_fields.get(first)
    return [field.alias if field is not None and field.alias else first, *rest]


def differs_by_member(members: Sequence[Any]) -> str:
    """Why what is turned from member to member of a pattern is not set for all."""
    return f"is another one for each of the {len(members)} members; name one of them"


XYZ = ("x", "y", "z")


def element(path: str) -> tuple[str, tuple[int, ...]]:
    """(path of an array, indices of the element that is meant), none where it names no indices."""
    match = re.fullmatch(r"(.*?)\s*\[\s*(\d+(?:\s*,\s*\d+)*)\s*\]", path)
    return (match[1], tuple(map(int, match[2].split(",")))) if match else (path, ())


def several(text: str) -> tuple[str, ...]:
    """Paths that are written with commas between them, which those between indices are not."""
    return tuple(path.strip() for path in re.split(r",(?![^\[\]]*\])", text))


def component(value: Any, step: str) -> tuple[int, ...]:
    """The index of the component of a vector that a last step means, (2,) for z; nothing for what is none."""
    vector = isinstance(value, np.ndarray) and value.shape == (3,)
    return (XYZ.index(step),) if vector and step in XYZ else ()


def no_element(value: Any, index: tuple[int, ...]) -> str | None:
    """Why no one number of an array is at such indices, if it is so."""
    sizes = " by ".join(map(str, np.shape(value))) or "one number"
    if np.ndim(value) == 1:
        sizes = f"a list of {sizes}"
    if len(index) > np.ndim(value) or any(i >= size for i, size in zip(index, np.shape(value))):
        return f"has no element {list(index)}; it is {sizes}, counted from 0"
    if index and len(index) < np.ndim(value):
        like = [*index, *[0] * (np.ndim(value) - len(index))]
        return f"{list(index)} is a row of {sizes} numbers; name one element, like {like}"
    return None


def marker_of(owner: Any, step: str, value: Any) -> SI | None:
    """Unit and shape of a number of a declaration, of those that may stand there the one that fits the value;
    None for what is none."""
    if not isinstance(owner, Declaration):
        return None
    fields = type(owner).model_fields
    field = fields.get(step) or next((f for f in fields.values() if f.alias == step), None)
    if field is None:
        return SI("1", np.shape(value))
    markers = [m for m in (*field.metadata, *_markers(field.annotation)) if isinstance(m, SI)]
    fitting = [m for m in markers if len(m.shape) == np.ndim(value)]
    return next(iter((*fitting, *markers)), None)


def _markers(annotation: Any) -> Iterator[Any]:
    for part in get_args(annotation):
        yield part
        yield from _markers(part)


def _with_element(
    node: Any, place: str, step: str, old: Any, index: tuple[int, ...], value: Any
) -> np.ndarray:
    """An array of a declaration with another number in the place of one element."""
    marker = marker_of(node, step, old)
    if marker is None or not isinstance(old, np.ndarray):
        raise BadInput(Problem(place, f"is no list of numbers, of which {list(index)} could be set"))
    if wrong := no_element(old, index):
        raise BadInput(Problem(place, wrong))
    whole = np.array(old)
    try:
        whole[index] = SI(marker.unit)(value)
    except UnitError as error:
        raise BadInput(Problem(place, str(error))) from None
    return whole


def with_element(node: Any, path: str, value: Any) -> tuple[str, np.ndarray] | None:
    """(path of an array, the array with another number in the place of the element that a path means), the
    whole unchecked; None for a path that means no element. Raises `BadInput`."""
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
    owner = reached(node, above)[0] if above else node
    return stem, _with_element(owner, path, step, old, index, value)


def paths(node: Any, prefix: str = "") -> list[str]:
    """All input paths of a tree, one for each value that is set, in order."""
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
    """What an entry of a list is called in a path: its name, else its number from 0."""
    named = item if isinstance(item, dict) else {"name": getattr(item, "name", None)}
    name = named.get("name") or named.get("joint")
    return name if isinstance(name, str) else str(index)


def _children(node: Any, step: str, place: str) -> list[Any]:
    """What a step of a path leads to: one child, or all members of a pattern."""
    if not isinstance(node, tuple):
        return [getattr(node, _field(node, step, place))]
    found = _entries(node, step)
    if not found:
        known = [name for i, item in enumerate(node) for name in (label(item, i), pattern_of(item)) if name]
        raise BadInput(Problem(place, f"there is no '{step}' here; {near(step, known)}"))
    return found


def _entries(node: tuple[Any, ...], step: str) -> list[Any]:
    """The entry of a list that a step names, else the members of the pattern that it names."""
    named = [item for i, item in enumerate(node) if label(item, i) == step]
    return named or [item for item in node if pattern_of(item) == step]


def pattern_of(item: Any) -> str | None:
    """Name of the pattern that a declaration is a member of, if any."""
    return getattr(item, "pattern", None)


def patterns_of(items: Iterable[Any]) -> list[str]:
    """Names of the patterns that declarations are members of, each once."""
    return list(dict.fromkeys(name for item in items if (name := pattern_of(item)) is not None))


def _field(node: Any, step: str, place: str) -> str:
    if node is None:
        raise BadInput(Problem(place, "what it belongs to is not set; set that first"))
    fields = type(node).model_fields if isinstance(node, Declaration) else {}
    names = {f.alias or name: name for name, f in fields.items()}
    if isinstance(node, Declaration) and node.__pydantic_extra__:
        names |= {name: name for name in node.__pydantic_extra__}
    if step not in names and step not in fields:
        raise BadInput(Problem(place, f"unknown path; {near(step, names)}"))
    return names.get(step, step)


def replaced(node: Any, path: str, leaf: Any) -> Any:
    """The tree with one leaf exchanged and nothing validated: the new leaf may be traced, or have lanes."""
    step, _, rest = path.partition(".")
    new = (lambda child: replaced(child, rest, leaf)) if rest else (lambda _: leaf)
    if isinstance(node, tuple):
        meant = {id(item) for item in _entries(node, step)}
        return tuple(new(item) if id(item) in meant else item for item in node)
    (names, children, static), field = parts(node), _field(node, step, path)
    if field not in names:
        raise BadInput(Problem(path, "is no number that a flight can be given anew"))
    return build(
        type(node), [new(c) if n == field else c for n, c in zip(names, children, strict=True)], static
    )
