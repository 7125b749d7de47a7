"""Collocation within an interval: the points, and integrals of the interpolating polynomials of the rates.

Lobatto points are used, which include both ends of the interval (Lobatto IIIA). With three points, the method
is Hermite-Simpson collocation of order four. With s points, the order is 2 s - 2 at the ends of intervals.

Source: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations II, section IV.5.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.polynomial import Legendre, Polynomial


@lru_cache
def points(count: int) -> np.ndarray:
    """Return the Lobatto points (point,) in [0, 1]. The points are both ends, and the zeros of the derivative
    of a Legendre polynomial.

    count: number of points.
    """
    inner = np.real(Legendre.basis(count - 1).deriv().roots())
    return np.concatenate([[0.0], np.sort((1 + inner) / 2), [1.0]])


@lru_cache
def _basis(count: int) -> tuple[Polynomial, ...]:
    """Polynomials that are one at a point and zero at the others."""
    where = points(count)
    found = []
    for k, own in enumerate(where):
        others = np.delete(where, k)
        whole = Polynomial.fromroots(others)
        found.append(whole / whole(own))
    return tuple(found)


@lru_cache
def integrals(count: int) -> np.ndarray:
    """Return the integrals of the basis polynomials from 0 to each point except the first, (point - 1,
    point). count: number of points.
    """
    whole = [one.integ() for one in _basis(count)]
    return np.array([[one(c) - one(0.0) for one in whole] for c in points(count)[1:]])


def values(count: int, where: np.ndarray) -> np.ndarray:
    """Return the basis polynomials (position, point) at the positions `where` in [0, 1]. count: number of
    points.
    """
    return np.array([one(where) for one in _basis(count)]).T


def sums(count: int, where: np.ndarray) -> np.ndarray:
    """Return the integrals of the basis polynomials from 0 to the positions `where` in [0, 1], (position,
    point). count: number of points.
    """
    return np.array([one.integ()(where) - one.integ()(0.0) for one in _basis(count)]).T
