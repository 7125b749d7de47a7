"""Check that each array returned by a model has the required shape.

NumPy could broadcast an array of another shape over all items, bodies or cases. An array could also be
assigned to the wrong item. The checks run while a program is traced, so they add no operations to the
program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..maths.arrays import jnp
from ..tree import packages
from ..tree.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .contract import Part
    from .state import Discrete

WRITE = {
    "rates": (
        "rates(self, here, acceleration) and return an array ({states}, *cases), because it has `states`"
    ),
    "value": (
        "value(self, condition, here) and return an array (*cases), because it adds conditions"
        " of the kind 'value'"
    ),
    "next_sample_time": "next_sample_time(self, item, discrete) and return an array (*cases), because"
    " it adds conditions of"
    " the kind 'due'",
    "watched_values": (
        "watched_values(self, here) and return an array ({watches}, *cases), because it has `watches`"
    ),
    "watched_armed": (
        "watched_armed(self, discrete) and return an array ({watches}, *cases), because it has `watches`"
    ),
    "sample": "sample(self, here) and return an array ({sample_size}, *cases), because it has `sample_size`",
}
"""Methods that a part must have because of its other members, with the reasons."""


def part_text(part: Part) -> str:
    """A part in words, with its package if it belongs to an external package."""
    package = packages.home(type(part))
    return f"the part '{part.name}'" + (f" of {package}" if package is not None else "")


COUNTED = {
    "states": "the number of states of the part",
    "watches": "the number of watched values of the part",
    "sample_size": "the number of values of one sample",
}


def check_counts(part: Any) -> Any:
    """The part, after a check that its numbers of values are counts. Raises BadInput otherwise."""
    for name, what in COUNTED.items():
        count = getattr(part, name, 0)
        whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
        if not whole or count < 0:
            text = f"`{name}` is {count!r}, but must be a whole number of at least 0: {what}"
            raise BadInput(f"{part_text(part)}: {text}. Write, for example, {name} = 1")
    return part


def missing(part: Part, hook: str) -> BadInput:
    """Error for a required method that a part lacks."""
    numbers = {name: getattr(part, name, 0) for name in ("states", "watches", "sample_size")}
    return BadInput(f"{part_text(part)} has no method `{hook}`. Write def {WRITE[hook].format(**numbers)}")


def shape_of(found: Any) -> tuple[int, ...] | None:
    """The shape of an array; None for other objects."""
    try:
        return None if found is None else tuple(jnp.shape(found))
    except (TypeError, ValueError):
        return None


def fits(shape: tuple[int, ...] | None, head: tuple[int, ...], lanes: tuple[int, ...]) -> bool:
    """Whether a shape is (*head, *cases). The cases may also have size one. A single number may omit them."""
    if shape is None or shape[: len(head)] != head:
        return False
    rest = shape[len(head) :]
    if not rest and not head:
        return True
    return len(rest) == len(lanes) and all(n in (1, m) for n, m in zip(rest, lanes, strict=True))


def check_shape(
    part: Part, hook: str, what: str, found: Any, head: tuple[int, ...], lanes: tuple[int, ...], whole=False
) -> Any:
    """Return `found` if its shape is (*head, *cases).

    - part: model that returned the array.
    - hook: name of the method that returned it.
    - what: description of the result and of `head`, for the message.
    - `lanes`: shape of the case axes.
    - whole: true to reject case axes of size one.

    Raises BadInput for other shapes."""
    shape = shape_of(found)
    if not fits(shape, head, lanes) or (whole and shape != (*head, *lanes)):
        raise BadInput(
            f"{part_text(part)} returns {value_text(found)} from `{hook}`. {shape_text(head, lanes)}: {what}"
        )
    return found


def value_text(found: Any) -> str:
    """A result in words."""
    shape = shape_of(found)
    return f"an array of shape {shape}" if shape is not None else kind_of(found)


def kind_of(found: Any) -> str:
    """A result in words, if no array is expected."""
    if found is None:
        return "None"
    name = type(found).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def shape_text(head: tuple[int, ...], lanes: tuple[int, ...]) -> str:
    """The required shape in words, with the current cases."""
    shape = ", ".join([*map(str, head), "*cases"])
    return f"Return an array of shape ({shape}), here {(*head, *lanes)}"


def of_event(part: Part, hook: str, found: Any, x: Any, after: Discrete) -> tuple[Any, Discrete]:
    """State and switches that a part returns at events. They must be the given state and switches, possibly
    with other numbers, because steps continue from them. Raises BadInput otherwise."""
    if not isinstance(found, tuple) or len(found) != 2 or type(found[1]) is not type(after):
        text = f"Write `return x, after`, where after is the argument, or {_changes_shape(part)}"
        raise BadInput(f"{part_text(part)} returns {kind_of(found)} from `{hook}`. {text}")
    check_shape(
        part, hook, "the state x, unchanged or with other numbers", found[0], x.shape[:1], x.shape[1:], True
    )
    return found[0], of_looking(part, hook, found[1], after)


def of_looking(part: Part, hook: str, found: Any, after: Discrete) -> Discrete:
    """Return the checked switches that a model returns at events; see `of_event`."""
    if type(found) is not type(after):
        text = f"Write `return discrete`, or {_changes_shape(part)}"
        raise BadInput(f"{part_text(part)} returns {kind_of(found)} from `{hook}`. {text}")
    before, now = (_shapes(one.own.get(part.name)) for one in (after, found))
    if before != now:
        text = f"Return the shapes that `switches` returned: {_list_shapes(before)}"
        raise BadInput(
            f"{part_text(part)} returns switches of shape {_list_shapes(now)} from `{hook}`. {text}"
        )
    return found


def _changes_shape(part: Part) -> str:
    return f"after.with_own('{part.name}', switches)"


def _shapes(tree: Any) -> tuple[tuple[int, ...], ...]:
    """Shapes of the arrays of a tree, in its order."""
    if isinstance(tree, dict):
        return tuple(shape for key in sorted(tree) for shape in _shapes(tree[key]))
    if isinstance(tree, tuple | list):
        return tuple(shape for one in tree for shape in _shapes(one))
    return (tuple(np.shape(tree)),) if hasattr(tree, "shape") or isinstance(tree, float | int) else ()


def _list_shapes(shapes: tuple[tuple[int, ...], ...]) -> str:
    return ", ".join(map(str, shapes)) or "none"


def switches_of(part: Part, found: Any, lanes: tuple[int, ...]) -> Any:
    """The switches of a part at the start. Raises BadInput if the cases are not the last axis: events could
    not change the switches case by case."""
    bad = tuple(shape for shape in _shapes(found) if shape[len(shape) - len(lanes) :] != lanes)
    if bad:
        text = "Return arrays (..., *cases), for example np.ones((len(self.items), *t.shape))"
        raise BadInput(
            f"{part_text(part)} returns switches of shape {_list_shapes(bad)} from `switches`. {text}"
        )
    return found


def hint_of_switches(part: Part, found: Any, own: Mapping[str, Any]) -> str:
    """Hint for rates of a wrong shape. If the part has as many switches as rates, these may be the cause."""
    shape, switches = shape_of(found), _shapes(own.get(part.name))
    if not shape or shape[:1] not in [one[:1] for one in switches]:
        return ""
    return (
        f". The `switches` of the part have the shapes {_list_shapes(switches)}: the part may use"
        " one switch for each item."
    )
