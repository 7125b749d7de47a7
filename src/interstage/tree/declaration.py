"""Base class of declarations. A scenario is a tree of immutable declarations whose leaves are numbers.

A `Declaration` is a pydantic model and a JAX pytree. The children of a declaration are its numeric fields
(marked with `units.si`) and its fields with other declarations. All other fields (texts, flags, counts,
names) are static and belong to the structure. A dispersion, a design variable and a gradient therefore all
change only leaves.

The module `addresses` reads and changes leaves by their paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import get_annotations
from typing import Annotated, Any, ClassVar, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from ..maths import trees
from .errors import BadInput
from .units import SI


class Declaration(BaseModel):
    """Base class of all immutable, validated parts of a scenario. After `register_all`, each class is a
    JAX pytree.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        validate_default=True,
        populate_by_name=True,
        defer_build=True,  # one validator reads a scenario; a validator for each class would be built in vain
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
        return mine[0] == theirs[0] and mine[2] == theirs[2] and all(map(same, mine[1], theirs[1]))

    def __hash__(self) -> int:
        return hash((type(self), getattr(self, "name", None)))

    def written(self) -> Any:
        """Return the short form of the declaration in files, a text or a number. If there is no short form,
        return None.
        """
        return None

    def from_elsewhere(self) -> str | None:
        """Return a text that identifies inputs of compiled programs that are outside of the scenario: a file
        or a user's class.

        The text changes if such an input changes. None: the input cannot be identified.
        """
        return ""

    @property
    def rules_hold_for_cases(self) -> bool:
        """Return whether the rules between fields accept numbers with a case axis exactly if they accept the
        numbers of each case. The validators of base classes are included.

        Default: False. Each class has its own property, because a subclass can add rules. Classes without
        validators that run after the fields do not need the property.
        """
        return False

    def _settle(self, **values: Any) -> None:
        """Set a value that is computed from other fields, in a validator that runs after the fields."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


def _settle_class_vars(cls: type[Declaration]) -> None:
    """Mark the class variables of a class as plain class variables.

    Otherwise pydantic evaluates the annotations of all base classes again for each class."""
    said = get_annotations(cls)
    cls.__annotations__ = said | dict.fromkeys(cls.__class_vars__ & said.keys(), ClassVar)


_settle_class_vars(Declaration)


def same(a: Any, b: Any) -> bool:
    """Return whether two values of a declaration are equal. Arrays are compared element by element."""
    if isinstance(a, (tuple, Declaration)) or a is None or b is None:
        return type(a) is type(b) and a == b
    return np.shape(a) == np.shape(b) and bool(np.all(np.asarray(a) == np.asarray(b)))


def _is_child(field: Any) -> bool:
    return any(isinstance(m, SI) for m in field.metadata) or any(True for _ in _child_types(field.annotation))


def _child_types(annotation: Any) -> Iterator[Any]:
    """Yield the numeric markers and declaration classes inside an annotation."""
    if isinstance(annotation, SI) or (isinstance(annotation, type) and issubclass(annotation, Declaration)):
        yield annotation
    elif get_origin(annotation) is not None:
        for part in get_args(annotation):
            yield from _child_types(part)


def declarations_in(annotation: Any) -> dict[str, type[Declaration]]:
    """Return the declaration classes that an annotation allows, by class name."""
    return {c.__name__: c for c in _child_types(annotation) if isinstance(c, type)}


def reachable(cls: type[Declaration]) -> tuple[type[Declaration], ...]:
    """Return a declaration class and all classes of declarations that it may contain."""
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
    """Marker of a field that allows several declaration classes: ``Gravity = Annotated[NoGravity |
    UniformGravity, OneOf()]``.

    The key `kind` selects the class. If `choose` is set, it returns the name of the class, or "number" for a
    numeric field. In pydantic's error locations, the name of the class is in parentheses, so that the name
    differs from a key.
    """

    choose: Callable[[Any], str | None] | None = None
    short: bool = False
    """True if a text is accepted in place of a table that has only the key `kind`."""
    extended: bool = False
    """True if other packages may add kinds."""

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
    """Placeholder of a declaration whose validator is built for the first value of its kind.

    A scenario uses few of all kinds. The validators of all kinds together would take a twentieth of a second.
    """

    cls: type[Declaration]

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(self._validate)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict:
        from pydantic_core import core_schema

        self.cls.model_rebuild()
        return handler(core_schema.definitions_schema(self.cls.__pydantic_core_schema__, []))

    def _validate(self, value: Any) -> Any:
        return self.cls.__pydantic_validator__.validate_python(value)


def _kind(value: Any) -> Any:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return kind if isinstance(kind, str) else None


@dataclass(frozen=True)
class ByName:
    """Marker of a list of declarations that a file may also give as tables by name, for example
    ``[bodies.payload]``.

    Example: ``bodies: Annotated[tuple[Body, ...], ByName()]``. `key`: field that is set to the name of the
    table. `short`: field that is set if the file gives a plain value in place of a table.
    """

    key: str = "name"
    short: str | None = None

    def as_list(self, value: Any) -> Any:
        """Return tables by name as a list of tables with their names. All other values are returned
        unchanged.
        """
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

        return core_schema.no_info_before_validator_function(self.as_list, handler(source))

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
    """Return the parts of a declaration for JAX: the names of the children, the children, and the values of
    the static fields.
    """
    values, cls = node.__dict__, type(node)
    names = cls.child_fields
    children = tuple(values[n] for n in names)
    static = tuple(values[n] for n in cls.static_fields)
    extra = node.__pydantic_extra__
    if extra:  # a table of the user: its texts and flags are static, its numbers are leaves
        fixed = tuple((n, v) for n, v in extra.items() if isinstance(v, (str, bool)))
        free = tuple(n for n in extra if n not in dict(fixed))
        return names + free, children + tuple(extra[n] for n in free), (*static, free, fixed)
    return names, children, static


def build(cls: type[Declaration], children: Sequence[Any], static: tuple[Any, ...]) -> Declaration:
    """Return a declaration of a class from the results of `parts`, without validation.

    The leaves may therefore be JAX tracers or have case axes.
    """
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
    """Return a declaration with the values of some fields replaced, without validation.

    The leaves may therefore be JAX tracers or have case axes. The other fields keep the same objects.
    """
    names, children, static = parts(node)
    cls = type(node)
    children = [changes.get(n, c) for n, c in zip(names, children, strict=True)]
    fixed = [changes.get(n, s) for n, s in zip(cls.static_fields, static)]
    return build(cls, children, (*fixed, *static[len(fixed) :]))


def texts_of(node: Any, without: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield all texts in a declaration, except in the fields named in `without`."""
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


def nodes_of(node: Any) -> Iterator[Declaration]:
    """Yield all declarations of a tree, including its root, in no particular order."""
    stack = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, tuple):
            stack += one
        elif isinstance(one, Declaration):
            yield one
            stack += parts(one)[1]


def register_all() -> None:
    """Register all declaration classes and all other tree classes as JAX pytrees. This function imports JAX.

    Classes that are defined later register themselves.
    """
    trees.register_with_jax()
