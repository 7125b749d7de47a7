"""Trees of arrays without JAX: tuples, lists, dictionaries, None, and the classes registered here.

This module replaces JAX's `tree.map` and `tree.leaves`, so that NumPy computations do not import JAX. When
JAX is used, the classes are also registered with JAX (`register_with_jax`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from .jax_import import import_jax

Class = TypeVar("Class", bound=type)


@dataclass(frozen=True)
class Kind:
    """Functions that split instances of a class into parts and build them again.

    - parts: function instance -> (names of children, children, static values).
    - built: function (children, static values) -> instance.
    """

    parts: Callable[[Any], tuple[tuple[str, ...], tuple[Any, ...], tuple[Any, ...]]]
    built: Callable[[Any, Any], Any]


_kinds: dict[type, Kind] = {}
_told: set[type] = set()
"""Classes that JAX knows."""
_live = False
"""Whether JAX learns of a class as it is registered."""


def register(cls: type, kind: Kind) -> None:
    """Register a class as a tree in this module. The class is also registered with JAX, immediately or when
    `register_with_jax` is called.
    """
    _kinds[cls] = kind
    if _live:
        _tell(cls)


def tree_of(children: tuple[str, ...], static: tuple[str, ...]) -> Callable[[Class], Class]:
    """Return a decorator that registers a dataclass as a tree.

    children: names of fields with arrays or trees. static: names of the other fields.
    """

    def decorate(cls: Class) -> Class:
        def parts(node: Any) -> tuple[tuple[str, ...], tuple[Any, ...], tuple[Any, ...]]:
            both = (tuple(getattr(node, name) for name in names) for names in (children, static))
            return children, *both  # pyright: ignore[reportReturnType]

        def build(values: Any, fixed: Any) -> Any:
            given = dict(zip((*children, *static), (*values, *fixed), strict=True))
            return cls(**given)

        register(cls, Kind(parts, build))
        return cls

    return decorate


def register_with_jax() -> None:
    """Register all classes of this module with JAX; classes that are registered later follow
    automatically."""
    global _live
    _live = True
    for cls in _kinds.keys() - _told:
        _tell(cls)


def _tell(cls: type) -> None:
    from jax import tree_util

    kind = _kinds[cls]

    def with_keys(node: Any) -> tuple[Any, Any]:
        names, children, static = kind.parts(node)
        return tuple((tree_util.GetAttrKey(n), c) for n, c in zip(names, children, strict=True)), static

    def build(static: Any, children: Any) -> Any:
        return kind.built(children, static)

    tree_util.register_pytree_with_keys(cls, with_keys, build, lambda node: kind.parts(node)[1:])
    _told.add(cls)


def leaves(tree: Any) -> list[Any]:
    """Return the leaves of a tree, in order."""
    found = _open(tree)
    return [tree] if found is None else [leaf for child in found[0] for leaf in leaves(child)]


def structure(tree: Any) -> Any:
    """Return the structure of a tree without its leaves: classes and static values. The structure can be
    compared and hashed."""
    found = _open(tree)
    if found is None:
        return None
    children, _, static = found
    return type(tree), repr(static), tuple([structure(child) for child in children])


def map(function: Callable[..., Any], tree: Any, *rest: Any) -> Any:
    """Return a tree of the same structure. Each leaf is function(leaf, corresponding leaves of the other
    trees).

    Raises ValueError if the structures of the trees differ.
    """
    found = _open(tree)
    if found is None:
        return function(tree, *rest)
    children, built, static = found
    beside = []
    for whole in rest:
        other = _open(whole)
        alike = type(whole) is type(tree) and (static is None or (other is not None and other[2] == static))
        if other is None or not alike or len(other[0]) != len(children):
            raise ValueError(f"trees differ: {type(tree).__name__} and {type(whole).__name__}")
        beside.append(other[0])
    return built([map(function, *some) for some in zip(children, *beside, strict=True)])


def _open(tree: Any) -> tuple[list[Any], Callable[[list[Any]], Any], Any] | None:
    """The children of a node, the function that builds it of such, and its static values; None of a leaf."""
    kind = type(tree)
    if tree is None:
        return [], lambda made: None, None
    if kind is dict:
        keys = sorted(tree)
        return [tree[key] for key in keys], lambda made: dict(zip(keys, made, strict=True)), keys
    if kind is list or kind is tuple:
        return list(tree), kind, None
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return list(tree), lambda made: kind(*made), None
    if kind in _kinds:
        _, children, static = _kinds[kind].parts(tree)
        return list(children), lambda made: _kinds[kind].built(made, static), static
    return None


def __getattr__(name: str) -> Any:
    """Return the function `name` of `jax.tree`, for functions that this module does not define."""
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(import_jax("jax.tree"), name)
