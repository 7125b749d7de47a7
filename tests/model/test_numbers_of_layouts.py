"""A structure is shared by all scenarios that have it, so that the numbers in it are nobody's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from interstage.maths.arrays import jax
from interstage.programs import at_once, program
from interstage.reading import load
from interstage.studies.verify import find_cases

LOOKED_AT = ["connected-joints", "draining-stack", "tp2016-generalized-universal", "wind-turbine"]
"""Springs about axes, engines with tanks, an axis that is driven, a rotor."""


def other(leaf: Any) -> Any:
    """A number that is another one."""
    if np.asarray(leaf).dtype.kind != "f":
        return leaf
    found = np.asarray(leaf) * 1.37 + 0.11
    return found if np.ndim(leaf) else float(found)


@pytest.mark.parametrize("name", LOOKED_AT)
def test_they_are_not_read(name, monkeypatch):
    scenario: Any = load(find_cases()[name] / "scenario.toml")
    own = scenario.linearize()
    made = at_once.Layout
    monkeypatch.setattr(program, "_programs", {})
    monkeypatch.setattr(at_once, "Layout", lambda declared: made(jax.tree.map(other, declared)))
    again = scenario.linearize()
    for part in ("A", "x0", "rates"):
        np.testing.assert_array_equal(getattr(again, part), getattr(own, part))
    assert again.notes == own.notes
