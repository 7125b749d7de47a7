"""Three-dimensional vectors with the component as first axis: shape (3, ...), followed by bodies, rows and
cases.

Sums over the short first axes are written as sums of products. A compiler combines these products in one loop
over the cases; see docs/decisions/0001-cases-last.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from .arrays import is_jax, jnp

HOW = "i...,i...->...", "ij...,ij...->i...", "ijk...,ijk...->ij..."
"""Expressions of `numpy.einsum` for sums of products over the first, second and third axis."""
NEXT, LAST = np.array([1, 2, 0]), np.array([2, 0, 1])
"""Indices of the next component, and of the component after the next, for each of the three components."""
SMALL = 8000
"""Below this number of array elements, function calls take longer than copies."""


def sum_of_products(axis: int, *pairs: tuple[Any, Any]) -> Any:
    """Return the sum of the products of all pairs of arrays, summed over one of the first three axes."""
    return summed_of(axis, pairs)


def summed_of(axis: int, pairs: Iterable[tuple[Any, Any]]) -> Any:
    """Return the result of `sum_of_products` for pairs of arrays from an iterator, which creates the pairs
    one by one.
    """
    found: Any = None
    traced: Any = None
    for a, b in pairs:
        if type(a) is np.ndarray and type(b) is np.ndarray:
            part = np.einsum(HOW[axis], a, b)
        elif is_jax(a) or is_jax(b):
            traced = a * b if traced is None else traced + a * b
            continue
        else:
            part = _here(partial(np.einsum, HOW[axis]), a, b, lambda a, b: jnp.sum(a * b, axis))
        found = part if found is None else found + part
    if traced is None:
        return found
    traced = jnp.sum(traced, axis)
    return traced if found is None else found + traced


def _here(function: Any, a: Any, b: Any, otherwise: Any) -> Any:
    """A function of two of NumPy's arrays that is linear in both; see `dual.bilinear`."""
    if hasattr(a, "tangent") or hasattr(b, "tangent"):
        from .dual import bilinear

        return bilinear(function, a, b, otherwise)
    return function(a, b)


def cross(a, b):
    """Return the cross product a x b of vectors (3, ...)."""
    return _cross(a, b) if is_jax(a) or is_jax(b) else _here(_crossed_here, a, b, _cross)


def _cross(a, b):
    # Turned round twice and cut: a third of the expressions of the components one by one.
    twice_a, twice_b = jnp.concatenate([a, a[:2]]), jnp.concatenate([b, b[:2]])
    return twice_a[1:4] * twice_b[2:5] - twice_a[2:5] * twice_b[1:4]


def _crossed_here(a, b):
    """The same by NumPy: little arrays by few calls, large ones without copies."""
    if np.size(a) < SMALL and np.size(b) < SMALL:
        return a.take(NEXT, 0) * b.take(LAST, 0) - a.take(LAST, 0) * b.take(NEXT, 0)
    # Recorded values (`straight`) are objects.
    found = np.empty(np.broadcast_shapes(np.shape(a), np.shape(b)), np.result_type(a, b, float))
    less = np.empty_like(found[0])
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        np.multiply(a[i], b[j], out=found[k])
        np.multiply(a[j], b[i], out=less)
        np.subtract(found[k], less, out=found[k])
    return found


def dot(a, b):
    """Return the scalar product of vectors, summed over the first axis."""
    return sum_of_products(0, (a, b))


def norm(a):
    """Return the length of vectors (3, ...). The derivative at a zero vector is zero, not NaN."""
    square = jnp.sum(a * a, 0)
    positive = square > 0
    return jnp.where(positive, jnp.sqrt(jnp.where(positive, square, 1.0)), 0.0)


def cube(square):
    """Return the third power of a length from the square of the length."""
    return square * jnp.sqrt(square)


def rotate(matrix, vector):
    """Return matrix (3, 3, ...) times vector (3, ...)."""
    return sum_of_products(1, (matrix, vector[None]))


def rotate_back(matrix, vector):
    """Return the transposed matrix (3, 3, ...) times vector (3, ...)."""
    return sum_of_products(0, (matrix, vector[:, None]))


def product(a, b):
    """Return the matrix product of matrices (3, 3, ...)."""
    return sum_of_products(1, (a[:, :, None], b[None]))


def transpose(matrix):
    """Return the transpose of a matrix (3, 3, ...)."""
    return jnp.swapaxes(matrix, 0, 1)


def add_axes(array, ndim: int):
    """Return an array with further last axes of size one, so that it has `ndim` axes."""
    return array.reshape(array.shape + (1,) * (ndim - array.ndim))


def outer_identity(like):
    """Return identity matrices (3, 3, ...), broadcast to the trailing shape of vectors `like` (3, ...)."""
    eye = jnp.eye(3).reshape((3, 3) + (1,) * (like.ndim - 1))
    return jnp.broadcast_to(eye, (3, 3, *like.shape[1:]))
