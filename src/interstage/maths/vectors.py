"""Three-dimensional vectors held component first: shape (3, ...), any trailing bodies, rows and lanes.

Sums over the short first axes are written as products and sums rather than as matrix products,
because a compiler fuses them into one loop over the lanes (see docs/decisions/0001-lanes-last.md).
"""

from __future__ import annotations

from .arrays import jnp


def cross(a, b):
    """Cross product a x b of two component-first vectors, shape (3, ...)."""
    # Turned round twice and cut: a third of the expressions of the components one by one.
    twice_a, twice_b = jnp.concatenate([a, a[:2]]), jnp.concatenate([b, b[:2]])
    return twice_a[1:4] * twice_b[2:5] - twice_a[2:5] * twice_b[1:4]


def dot(a, b):
    """Scalar product over the first axis."""
    return jnp.sum(a * b, 0)


def norm(a):
    """Length over the first axis; its derivative is zero (not NaN) at a zero vector."""
    square = jnp.sum(a * a, 0)
    positive = square > 0
    return jnp.where(positive, jnp.sqrt(jnp.where(positive, square, 1.0)), 0.0)


def cubed(square):
    """Third power of a length from its square: a root costs a fraction of a power."""
    return square * jnp.sqrt(square)


def rotate(matrix, vector):
    """Matrix times vector, shapes (3, 3, ...) and (3, ...)."""
    return jnp.sum(matrix * vector[None], 1)


def rotate_back(matrix, vector):
    """Transposed matrix times vector, shapes (3, 3, ...) and (3, ...)."""
    return jnp.sum(matrix * vector[:, None], 0)


def product(a, b):
    """Matrix product of component-first matrices, shapes (3, 3, ...)."""
    return jnp.sum(a[:, :, None] * b[None], 1)


def transposed(matrix):
    """Transpose of a component-first matrix, shape (3, 3, ...)."""
    return jnp.swapaxes(matrix, 0, 1)


def widened(array, ndim: int):
    """The array with as many axes of size one behind its own as give it `ndim` axes, to stand beside arrays
    with lanes."""
    return array.reshape(array.shape + (1,) * (ndim - array.ndim))


def outer_identity(like):
    """The identity matrix, shape (3, 3, ...) with the trailing shape of `like` (3, ...)."""
    eye = jnp.eye(3).reshape((3, 3) + (1,) * (like.ndim - 1))
    return jnp.broadcast_to(eye, (3, 3, *like.shape[1:]))
