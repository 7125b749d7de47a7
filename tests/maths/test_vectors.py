"""Component-first vectors and matrices against NumPy."""

from __future__ import annotations

import jax
import numpy as np

from interstage.maths import vectors
from interstage.programs.program import configure

configure()
EPS = np.finfo(float).eps
RNG = np.random.default_rng(1)
LANES = (5, 4)
A, B = RNG.standard_normal((2, 3, *LANES))
P, Q = RNG.standard_normal((2, 3, 3, *LANES))


def close(found, expected):
    """Sums of three products of numbers of order one (the largest drawn is below 4): a few roundings of 3 x
    16."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=4 * EPS * 48)


def test_products_of_vectors():
    close(vectors.cross(A, B), np.cross(A, B, axis=0))
    close(vectors.dot(A, B), np.einsum("i...,i...->...", A, B))
    close(vectors.norm(A), np.linalg.norm(A, axis=0))


def test_products_with_matrices():
    close(vectors.rotate(P, A), np.einsum("ij...,j...->i...", P, A))
    close(vectors.rotate_back(P, A), np.einsum("ji...,j...->i...", P, A))
    close(vectors.product(P, Q), np.einsum("ij...,jk...->ik...", P, Q))
    close(vectors.transpose(P), np.einsum("ij...->ji...", P))
    close(vectors.product(vectors.outer_identity(A), P), P)


def test_length_of_nothing_has_a_derivative_of_zero():
    value, slope = jax.value_and_grad(vectors.norm)(np.zeros(3))
    assert value == 0
    assert (slope == 0).all()
    close(jax.grad(vectors.norm)(A[:, 0, 0]), A[:, 0, 0] / np.linalg.norm(A[:, 0, 0]))
