"""Find out whether a check of a scenario depends on the numbers at some paths.

Cases of a campaign differ from their scenario in numbers only. If a check reads none of these numbers, its
result is the same for all cases, so that one check is sufficient for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tree.addresses import nodes_at, replace_leaf
from ..tree.declaration import Declaration

if TYPE_CHECKING:
    from ..scenario import Scenario
    from ..tree.errors import Problem


class ValueRead(BaseException):
    """A check reads a number that has no value. It is not an Exception, so that checks do not catch it."""


class _Unreadable:
    """Array without a value: every access to an attribute and every operation raises ValueRead.

    It is an instance of np.ndarray for `isinstance`, as the number that it replaces.
    """

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return np.ndarray
        raise ValueRead


def _raise(*arguments: Any, **named: Any) -> Any:
    raise ValueRead


KEPT = {"__class__", "__class_getitem__", "__doc__", "__getattribute__", "__init__", "__init_subclass__"}
KEPT |= {"__new__", "__subclasshook__"}
"""Special names of an array that do not read its value."""
for _name in {*dir(np.ndarray)} - KEPT:  # Python finds operators in the class, not by __getattribute__
    if _name.startswith("__"):
        setattr(_Unreadable, _name, _raise)


class _UnreadableSolid(_Unreadable):
    """Inertia tensor without a value whose principal moments are above zero in all cases."""


WITHOUT_INERTIA = 1e-12
"""Moment of inertia that counts as zero, relative to the sum of the moments of inertia. The engine uses the
same limit.
"""
CLEARLY = 1e3
"""Factor above the limit that makes rounding errors of the moments, 1e-15 of their sum, insignificant."""


def is_solid(inertia: Any) -> bool:
    """Return whether an inertia tensor without a value has principal moments above zero in all cases."""
    return type(inertia) is _UnreadableSolid


def _unreadable(path: str, leaf: np.ndarray, values: np.ndarray) -> _Unreadable:
    """An array without a value for a leaf of a scenario. values (..., cases): its values in all cases."""
    group, _, field = path.partition(".")
    if group == "bodies" and field.endswith(".inertia") and leaf.shape == values.shape[:-1] == (3, 3):
        tensors = np.moveaxis(values, -1, 0)
        moments = np.linalg.eigvalsh(tensors) if np.isfinite(tensors).all() else np.zeros(1)
        if (moments > CLEARLY * WITHOUT_INERTIA * moments.sum(axis=-1, keepdims=True)).all():
            return _UnreadableSolid()
    return _Unreadable()


def _owners(scenario: Scenario, path: str) -> Iterator[Declaration]:
    """The declarations that contain a number."""
    steps = path.split(".")
    for count in range(1, len(steps)):
        nodes = nodes_at(scenario, ".".join(steps[:count]))
        yield from (node for node in nodes if isinstance(node, Declaration))


def _has_rules_of_all_cases(owner: Declaration) -> bool:
    """Whether all rules of a declaration give the same result for numbers with a case axis as for each case.

    Rules of one field are those of its marker, which compares all numbers of an array with fixed limits.
    Private attributes can be computed from the fields."""
    cls = type(owner)
    if cls.__module__.partition(".")[0] != __name__.partition(".")[0]:
        return False
    rules = cls.__pydantic_decorators__
    between = any(one.info.mode == "after" for one in rules.model_validators.values())
    alone = rules.field_validators or rules.root_validators or rules.validators or cls.__private_attributes__
    own = "rules_hold_for_cases" in vars(cls) and owner.rules_hold_for_cases
    return not alone and (not between or own)


def valid_for_all_values(
    scenario: Scenario, values: Mapping[str, np.ndarray], check: Callable[[Any], list[Problem]]
) -> bool:
    """Return whether a check finds no problem in the scenario of any case.

    - values: values (..., cases) of complete numbers and arrays, by path. They must be valid in their
      declarations if all cases are set together.
    - check: function that returns the problems of a scenario, and that depends on its argument only.

    The numbers are replaced by arrays that raise an error if they are read. If the check returns, then it
    took the same steps as for any other numbers at these paths, so its result is valid for all of them. If it
    reads one of the numbers, the result is false: the check can then depend on the numbers.

    The test `isinstance(number, np.ndarray)` and the comparison with None are not reads, because these
    numbers are arrays in all cases. The search for thin rods needs one property of an inertia tensor only:
    that its principal moments are above zero. This property is computed for all cases together.

    The result is also false for declarations with rules that do not apply to a case axis, such as points of
    modes, and for declarations of other packages, whose rules are not known.
    """
    for path, own in values.items():
        leaves = nodes_at(scenario, path)
        known = all(map(_has_rules_of_all_cases, _owners(scenario, path)))
        if not known or not all(type(leaf) is np.ndarray for leaf in leaves):
            return False
        scenario = replace_leaf(scenario, path, _unreadable(path, leaves[0], own))
    try:
        return not check(scenario)
    except (ValueRead, Exception):  # noqa: BLE001 - the check of each case reports its own exception
        return False
