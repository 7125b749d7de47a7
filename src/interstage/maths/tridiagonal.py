"""Solve tridiagonal systems of equations, for example of splines, by elimination."""

from __future__ import annotations

from .arrays import jnp, lax


def solve(below, middle, above, right):
    """Return x (row, ...) of the equations below[k] x[k-1] + middle[k] x[k] + above[k] x[k+1] = right[k].

    below, middle, above: (row, ...), broadcast to the shape of `right`. The values below[0] and above[-1]
    have no effect.
    """

    def down(carry, row):
        c, d = carry
        lower, diagonal, upper, b = row
        pivot = diagonal - lower * c
        carry = upper / pivot, (b - lower * d) / pivot
        return carry, carry

    def up(later, row):
        here = row[1] - row[0] * later
        return here, here

    last = jnp.zeros(right.shape[1:])
    _, rows = lax.scan(down, (jnp.zeros(above.shape[1:]), last), (below, middle, above, right))
    return lax.scan(up, last, rows, reverse=True)[1]
