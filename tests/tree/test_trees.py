"""Trees without JAX are the trees that JAX sees."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

import interstage as ist
from interstage.formulations.contract import Rods
from interstage.maths import trees
from interstage.tree import declaration as tree

EXAMPLES = Path(__file__).parents[2] / "examples"


class Pair(NamedTuple):
    first: object
    second: object


def drawn():
    """All kinds of nodes at once."""
    tree.register_all()
    numbers: list[Any] = [np.arange(2.0), np.ones((6, 2)), np.zeros((6, 2)), np.full(2, 0.5)]
    rods = Rods((0, 2), *numbers)
    scenario = ist.load(EXAMPLES / "inline_staging.toml")
    return {"b": [scenario, None, ()], "a": (Pair(1.0, {}), Pair(rods, [np.eye(3), 2]))}


def test_leaves_are_those_of_jax():
    whole = drawn()
    ours, theirs = trees.leaves(whole), jax.tree.leaves(whole)
    assert len(ours) > 150
    assert all(a is b for a, b in zip(ours, theirs, strict=True))


def test_map_builds_what_jax_builds():
    whole = drawn()
    twice = trees.map(lambda a, b: np.asarray(a) + b, whole, whole)
    theirs = jax.tree.map(lambda a, b: np.asarray(a) + b, whole, whole)
    assert jax.tree.structure(twice) == jax.tree.structure(theirs)
    for a, b in zip(jax.tree.leaves(twice), jax.tree.leaves(theirs), strict=True):
        np.testing.assert_array_equal(a, b)
    assert twice["b"][0] == theirs["b"][0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((1, 2), (1,)),
        ((1, 2), [1, 2]),
        ([1], 1),
        ({"a": 1}, {"b": 1}),
        (None, 1),
        (Rods((0,), 1, 1, 1, 1), Rods((1,), 1, 1, 1, 1)),  # pyright: ignore[reportArgumentType]
    ],
)
def test_trees_that_differ_are_refused(one, other):
    with pytest.raises(ValueError, match="trees differ"):
        trees.map(lambda a, b: a, one, other)
    with pytest.raises(ValueError):
        jax.tree.map(lambda a, b: a, one, other)
