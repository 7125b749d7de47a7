"""Compute linear equations for several values of an input, for root loci."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...runs.cases import together
from ...tree.errors import BadInput, Problem
from ...tree.sentences import count_text
from ..sweep import designs
from ..sweep.declared import variations_of
from ..sweep.levels import find_variations
from .result import Linear, Series


def loci(scenario: Any, vary: Any, about: Callable[[Any], Any]) -> Series:
    """Return the linear equations of a scenario for each value of one input.

    - vary: input and values as text "PATH=LEVELS", as in `interstage sweep`.
    - about: function that returns the linear equations of a scenario.

    Raises BadInput.
    """
    found, _ = find_variations(scenario, variations_of(vary))
    if len(found) != 1:
        names = ", ".join(one.name for one in found)
        raise BadInput(
            Problem(
                "vary",
                (
                    f"{count_text(len(found), 'inputs')} vary ({names}), but a root locus needs exactly"
                    " one. Vary one input"
                ),
            )
        )
    one = found[0]
    factor, unit = one.scale(scenario.units)
    each = []
    for level in range(one.count):
        inputs = designs.inputs([one], np.array([[level]]))
        try:
            changed = together(scenario, {path: values[0] for path, values in inputs.items()})
            changed.check()
            linear = about(changed)
        except BadInput as error:
            text = f"at {one.name} = {one.value_text(level, scenario.units)} {unit}".rstrip()
            raise BadInput(replace(p, message=f"{text}: {p.message}") for p in error.problems) from None
        assert isinstance(linear, Linear)  # one operating point
        value = float(one.coordinate[level]) * factor
        each.append(replace(linear, varied=one.heading(scenario.units), level=value))
    return Series(each)
