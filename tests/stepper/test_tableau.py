"""The published coefficients: order conditions of every rooted tree, and of the error estimates."""

from __future__ import annotations

from functools import cache, reduce
from math import prod

import numpy as np
import pytest

from interstage.stepper.tableau import METHODS

EPS = np.finfo(float).eps

# One condition for each rooted tree: Hairer, Norsett and Wanner (1993), theorem II.2.13.


@cache
def trees(order: int) -> frozenset:
    """Rooted trees with this number of nodes, each the sorted tuple of the trees at its root."""
    if order == 1:
        return frozenset([()])
    return frozenset(grown for tree in trees(order - 1) for grown in _grown(tree))


def _grown(tree):
    """The tree with one more leaf, at each of its nodes in turn."""
    yield tuple(sorted((*tree, ())))
    for k, part in enumerate(tree):
        for grown in _grown(part):
            yield tuple(sorted((*tree[:k], grown, *tree[k + 1 :])))


def size(tree) -> int:
    return 1 + sum(map(size, tree))


def density(tree) -> int:
    return size(tree) * prod(map(density, tree))


def stages(matrix: np.ndarray, tree) -> np.ndarray:
    """Elementary weight of the tree at each stage."""
    return reduce(np.multiply, (matrix @ stages(matrix, part) for part in tree), np.ones(len(matrix)))


def rounding(weights, matrix, tree) -> float:
    """What rounding of the printed coefficients may leave: a few roundings of the sum of absolute values."""
    return 8 * EPS * np.abs(weights) @ stages(np.abs(matrix), tree)


def coefficients(method):
    """Weights and square matrix, the derivative at the end of the step being one more stage."""
    tableau = METHODS[method]
    square = tableau.matrix()
    return tableau, square, np.append(tableau.b, 0.0)


def test_numbers_of_trees():
    assert [len(trees(n)) for n in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]  # their table II.2.1


@pytest.mark.parametrize("method", METHODS)
def test_nodes_are_the_row_sums(method):
    tableau, matrix, _ = coefficients(method)
    # Each coefficient is rounded once, and so is each partial sum.
    assert np.all(np.abs(matrix.sum(1) - tableau.nodes()) <= 2 * EPS * np.abs(matrix).sum(1))


@pytest.mark.parametrize("method", METHODS)
def test_order_conditions_of_all_trees(method):
    tableau, matrix, weights = coefficients(method)
    left = lambda tree: abs(weights @ stages(matrix, tree) - 1 / density(tree))  # noqa: E731
    for order in range(1, tableau.order + 1):
        for tree in trees(order):
            assert left(tree) <= rounding(weights, matrix, tree), tree
    # And no further: the order stated is the order.
    assert max(map(left, trees(tableau.order + 1))) > 1e-6


@pytest.mark.parametrize(
    ("method", "estimate", "order"), [("dopri5", 0, 4), ("dop853", 0, 5), ("dop853", 1, 3)]
)
def test_error_estimates_vanish_up_to_their_order(method, estimate, order):
    tableau, matrix, weights = coefficients(method)
    row = np.zeros(len(weights))
    row[: len(tableau.errors[estimate])] = tableau.errors[estimate]
    for n in range(1, order + 1):
        for tree in trees(n):
            # The weights of the other method are the difference of the two.
            assert abs(row @ stages(matrix, tree)) <= rounding(np.abs(weights) + np.abs(row), matrix, tree), (
                tree
            )
    assert max(abs(row @ stages(matrix, tree)) for tree in trees(order + 1)) > 1e-6
