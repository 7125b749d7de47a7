"""Check the inputs of many cases, and insert them into a scenario."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..maths.arrays import jax
from ..programs.program import lift
from ..programs.targets import Target, clashes, targets_of
from ..tree.addresses import get, replace_leaf, set_all
from ..tree.addresses import set as put
from ..tree.errors import BadInput, Problem


def plain(path: str, values: Any) -> np.ndarray:
    """Return the values of an input as an array of floats. Raises BadInput if they are not numbers.

    path: path of the input, for the message.
    """
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError):
        text = (
            "the values of a batch must be numbers in SI units with the shape (cases, ...). Convert texts"
            " with units to numbers first"
        )
        raise BadInput(Problem(path, text)) from None


def count_of(dispersed: dict[str, np.ndarray]) -> int:
    """Return the number of cases. Raises BadInput if it is not the same for all inputs.

    dispersed: values (cases, ...) by path of the input.
    """
    lengths = {path: len(values) if values.ndim else 0 for path, values in dispersed.items()}
    if not lengths or len(set(lengths.values())) != 1 or 0 in lengths.values():
        listed = ", ".join(f"{path}: {n}" for path, n in lengths.items()) or "none"
        raise BadInput(
            Problem(
                "dispersed",
                (
                    f"the inputs have different numbers of values: {listed}. Give one value of each input"
                    " for each case"
                ),
            )
        )
    return next(iter(lengths.values()))


def by_leaf(scenario: Any, dispersed: dict[str, np.ndarray], lanes: int) -> dict[str, np.ndarray]:
    """Return the values (cases, ...) of each varied number or array of the scenario, by its path.

    If only one component of a vector is dispersed, the other components have their values from the scenario.
    Raises BadInput for an unknown path, for a wrong shape, and if two inputs change the same number.
    """
    named: list[tuple[str, Target]] = []
    for path, values in dispersed.items():
        named += [(path, target) for target in targets_of(scenario, path, path)]
        last = named[-1][1]
        wanted = last.nominal.shape
        if last.index and values.shape[1:] == last.leaf.shape == (1,):  # a list of one number
            dispersed = dispersed | {path: values[:, 0]}
        elif wanted != values.shape[1:]:
            text = f"the value of one case has the shape {values.shape[1:]}. Give the shape {wanted}"
            raise BadInput(Problem(path, text))
    for path, other, _ in clashes(scenario, named):
        raise BadInput(
            Problem(path, f"the same value is also dispersed by '{other}'. Remove one of the two inputs")
        )
    found: dict[str, np.ndarray] = {}
    for path, target in named:
        if not target.index:
            found[target.path] = dispersed[path]
            continue
        whole = found.setdefault(target.path, np.repeat(np.asarray(target.leaf, float)[None], lanes, axis=0))
        whole[(slice(None), *target.index)] = dispersed[path]
    return found


def spread(scenario: Any, dispersed: dict[str, np.ndarray]) -> Any:
    """Return the scenario with a case axis on every number, as its last axis.

    The axis has the dispersed values (cases, ...). For numbers without dispersed values, the size of the axis
    is one. Raises BadInput if a value is not allowed.
    """
    wide = jax.tree.map(np.asarray, lift(scenario))
    try:
        checked = together(scenario, {path: np.moveaxis(v, 0, -1) for path, v in dispersed.items()})
    except BadInput as error:
        raise BadInput(_of_cases(scenario, dispersed) or error.problems) from None
    for path in dispersed:
        wide = replace_leaf(wide, path, get(checked, path))
    return wide


MOST_NAMED = 5
"""Maximum number of cases whose faults are listed in a message one by one."""


def _of_cases(scenario: Any, dispersed: dict[str, np.ndarray]) -> list[Problem]:
    """The problems of the cases, each with the number of its case; of many cases those of the first ones."""
    found, bad = [], 0
    for case in range(count_of(dispersed)):
        try:
            together(scenario, {path: values[case] for path, values in dispersed.items()})
        except BadInput as error:
            bad += 1
            if bad <= MOST_NAMED:
                found += [replace(one, message=f"case {case}: {one.message}") for one in error.problems]
    if bad > MOST_NAMED:
        found.append(
            Problem("dispersed", f"{bad - MOST_NAMED} more cases have values that the scenario rejects")
        )
    return found


def together(scenario: Any, values: dict[str, np.ndarray]) -> Any:
    """Return the scenario with new values, by path.

    The values are checked only after all are set, because some values are valid only in combination. Raises
    BadInput for values that are not allowed.
    """
    for path, value in values.items():
        scenario = replace_leaf(scenario, path, np.asarray(value))
    try:
        return set_all(scenario, {path: np.asarray(value) for path, value in values.items()})
    except BadInput:  # the message is that of the first value that is not allowed
        for path, value in values.items():
            scenario = put(scenario, path, np.asarray(value))
        return scenario
