"""Check that each array returned by a model has the required shape.

NumPy could broadcast an array of another shape over all items, bodies or cases. An array could also be
assigned to the wrong item. The checks run while a program is traced, so they add no operations to the
program.
"""

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
"""Text for messages: signature and result of each method that a model needs because of its other members,
with the reason.
"""


def part_text(part: Part) -> str:
    """Return the name of a model for messages, with its package if the model belongs to an external
    package.
    """
    package = packages.home(type(part))
    return f"the model '{part.name}'" + (f" of {package}" if package is not None else "")


COUNTED = {
    "states": "the number of states of the model",
    "watches": "the number of watched values of the model",
    "sample_size": "the number of values of one sample",
}


def check_counts(part: Any) -> Any:
    """Check that `states`, `watches` and `sample_size` of a model are counts, and return the model. Raises
    BadInput for other values.
    """
    for name, what in COUNTED.items():
        count = getattr(part, name, 0)
        whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
        if not whole or count < 0:
            text = f"`{name}` is {count!r}, but must be a whole number of at least 0: {what}"
            raise BadInput(f"{part_text(part)}: {text}. Write, for example, {name} = 1")
    return part


def missing(part: Part, hook: str) -> BadInput:
    """Return the error for a model without the required method `hook`."""
    numbers = {name: getattr(part, name, 0) for name in ("states", "watches", "sample_size")}
    return BadInput(f"{part_text(part)} has no method `{hook}`. Write def {WRITE[hook].format(**numbers)}")


def shape_of(found: Any) -> tuple[int, ...] | None:
    """Return the shape of an array; None for other objects."""
    try:
        return None if found is None else tuple(jnp.shape(found))
    except (TypeError, ValueError):
        return None


def fits(shape: tuple[int, ...] | None, head: tuple[int, ...], lanes: tuple[int, ...]) -> bool:
    """Return whether a shape is (*head, *cases). Case axes may have size one. A single number may have no
    case axes.

    `lanes`: shape of the case axes.
    """
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
        wanted = shape_text(head, lanes, f": {what}")
        raise BadInput(f"{part_text(part)} returns {value_text(found)} from `{hook}`. {wanted}")
    return found


def value_text(found: Any) -> str:
    """Return a description of a result for messages: the shape of an array, or the type of another object."""
    shape = shape_of(found)
    return f"an array of shape {shape}" if shape is not None else kind_of(found)


def kind_of(found: Any) -> str:
    """Return the type of a result for messages, for example "a list" or "None"."""
    if found is None:
        return "None"
    name = type(found).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def shape_text(head: tuple[int, ...], lanes: tuple[int, ...], each: str = "") -> str:
    """Return a sentence that requires the shape (*head, *cases), with the number of cases of this run.

    `lanes`: shape of the case axes. `each`: words after the shape in the sentence, for example
    " for each item".
    """
    shape = ", ".join([*map(str, head), "*cases"])
    return f"Return an array of shape ({shape}){each}. In this run the shape is {(*head, *lanes)}"


def of_event(part: Part, hook: str, found: Any, x: Any, after: Discrete) -> tuple[Any, Discrete]:
    """Return the checked state and switches that a model returned at events. Raises BadInput for other
    shapes.

    - hook: name of the method that returned `found`.
    - found: result of the method. The result must be a tuple of state and switches with unchanged shapes,
      because steps continue from them.
    - x, after: arguments of the method.
    """
    if not isinstance(found, tuple) or len(found) != 2 or type(found[1]) is not type(after):
        text = f"Write `return x, after`, where after is the argument, or {_changes_shape(part)}"
        raise BadInput(f"{part_text(part)} returns {kind_of(found)} from `{hook}`. {text}")
    check_shape(
        part, hook, "the state x, unchanged or with changed values", found[0], x.shape[:1], x.shape[1:], True
    )
    return found[0], of_looking(part, hook, found[1], after)


def of_looking(part: Part, hook: str, found: Any, after: Discrete) -> Discrete:
    """Return the switches that a model returned at events, after a check; see `of_event`. Raises BadInput."""
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
    """Return the checked initial switches of a model. Raises BadInput if the cases are not the last axes,
    because events then could not change the switches of single cases.

    `lanes`: shape of the case axes.
    """
    bad = tuple(shape for shape in _shapes(found) if shape[len(shape) - len(lanes) :] != lanes)
    if bad:
        text = "Return arrays (..., *cases), for example np.ones((len(self.items), *t.shape))"
        raise BadInput(
            f"{part_text(part)} returns switches of shape {_list_shapes(bad)} from `switches`. {text}"
        )
    return found


def hint_of_switches(part: Part, found: Any, own: Mapping[str, Any]) -> str:
    """Return a hint for the error of rates `found` with a wrong shape, or "". If the model has as many
    switches as rates, it may have confused both.

    own: switches of all models, by name.
    """
    shape, switches = shape_of(found), _shapes(own.get(part.name))
    if not shape or shape[:1] not in [one[:1] for one in switches]:
        return ""
    return (
        f". The `switches` of the model have the shapes {_list_shapes(switches)}: the model may use"
        " one switch for each item."
    )
