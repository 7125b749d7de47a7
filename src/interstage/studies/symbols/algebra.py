"""Polynomials in the symbols of a multibody system, in a unique form.

Three replacements make the form unique. Squares of sines are replaced by cosines. The square of the scalar
part of a quaternion is replaced by the vector part. Squares of square roots are replaced by numbers. An
expression that is zero is therefore recognized as zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

ROOTS = (2, 3)
"""Integers whose square roots occur in joint frames."""
NICE = {(0, 1): 0.0, (1, 1): 1.0, (1, 2): 0.5, (2, 2): np.sqrt(0.5), (3, 2): np.sqrt(0.75)}
"""Magnitudes of direction cosines that are written exactly: sqrt(a)/b, by the key (a, b)."""
MOST_PRODUCTS = 3_000_000
"""Largest number of products of terms for one system. This many products take about half a minute."""
EXACT = 1e-12
"""Largest difference between a direction cosine and an exact magnitude. This limit covers rounding of degrees
and products.
"""


class TooLarge(Exception):
    """Error: the expressions have too many terms."""


@dataclass
class Names:
    """The symbols of a multibody system, in the order of first use.

    - `values`: parameters: value, unit and meaning by symbol.
    - `angles`: for each angle, the symbols of its cosine and sine.
    - `held`: constant angles [rad] with their meaning, by symbol.
    - `quaternions`: the four symbols of each quaternion.
    - `moving`: symbols of displacements and rates.
    """

    values: dict[str, tuple[float, str, str]] = field(default_factory=dict)
    angles: dict[str, tuple[str, str]] = field(default_factory=dict)
    held: dict[str, tuple[float, str]] = field(default_factory=dict)
    quaternions: list[tuple[str, ...]] = field(default_factory=list)
    moving: list[str] = field(default_factory=list)

    @property
    def every(self) -> list[str]:
        """Return the names of all symbols of the polynomials."""
        found = [name for pair in self.angles.values() for name in pair]
        found += [name for four in self.quaternions for name in four]
        return [*found, *self.moving, *self.values, *(f"root{number}" for number in ROOTS)]


class Algebra:
    """The ring of polynomials in given symbols, with the relations between the symbols."""

    def __init__(self, names: Names):
        from sympy import QQ
        from sympy.polys.rings import ring

        self.names = names
        self.ring, *own = ring(names.every, QQ)
        self.by_name: dict[str, Any] = dict(zip(names.every, own, strict=True))
        self.zero, self.one = self.ring.zero, self.ring.one
        place = {name: k for k, name in enumerate(names.every)}
        some = self.by_name
        relations = {sine: self.one - some[cosine] ** 2 for cosine, sine in names.angles.values()}
        relations |= {e0: self.one - sum(some[e] ** 2 for e in rest) for e0, *rest in names.quaternions}
        relations |= {f"root{number}": self.one * number for number in ROOTS}
        self._relations = {place[name]: [*rule.items()] for name, rule in relations.items()}
        self._work = 0

    def _count_work(self, much: int) -> None:
        """Count products of terms. Raises TooLarge."""
        self._work += int(much)
        if self._work > MOST_PRODUCTS:
            raise TooLarge

    def reduce(self, one: Any) -> Any:
        """Return a polynomial in its unique form."""
        places, found, left = [*self._relations], self.ring.zero, dict(one)
        while left:
            ahead: dict[Any, Any] = {}
            self._count_work(len(left))
            for powers, factor in left.items():
                k = next((k for k in places if powers[k] > 1), None)
                if k is None:
                    found[powers] = found.get(powers, 0) + factor
                    continue
                base = (*powers[:k], powers[k] - 2, *powers[k + 1 :])
                for more, by in self._relations[k]:
                    key = tuple(a + b for a, b in zip(base, more, strict=True))
                    ahead[key] = ahead.get(key, 0) + factor * by
            left = ahead
        found.strip_zero()
        return found

    def each(self, array: np.ndarray) -> np.ndarray:
        """Return an array with each polynomial in its unique form."""
        found = np.empty(array.shape, object)
        for place in np.ndindex(array.shape):
            found[place] = self.reduce(self.ring(array[place]))
        return found

    def product(self, *factors: np.ndarray) -> np.ndarray:
        """Return the matrix product of arrays of polynomials. Entries of the result are in their unique
        form.
        """
        whole = factors[0]
        for factor in factors[1:]:
            self._count_work(np.sum(_terms(whole) @ _terms(factor)))
            whole = self.each(whole @ factor)
        return whole

    def zeros(self, *shape: int) -> np.ndarray:
        """Return an array of zero polynomials. shape: size of each axis."""
        found = np.empty(shape, object)
        found.fill(self.zero)
        return found

    def eye(self, count: int) -> np.ndarray:
        """Return the identity matrix (count, count)."""
        found = self.zeros(count, count)
        for k in range(count):
            found[k, k] = self.one
        return found

    def tilde(self, vector: np.ndarray) -> np.ndarray:
        """Return the skew-symmetric matrix (3, 3) of the cross product with a vector (3,)."""
        x, y, z = vector
        return self.each(np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], object))

    def rate(self, array: np.ndarray, rates: Mapping[str, Any]) -> np.ndarray:
        """Return the time derivatives of an array of polynomials. rates: time derivative of each symbol, by
        name.
        """
        found = self.zeros(*array.shape)
        for place in np.ndindex(array.shape):
            for name, rate in rates.items():
                one: Any = array[place]
                slope = one.diff(self.by_name[name])
                if slope:
                    found[place] += slope * rate
        return self.each(found)

    def elements(self, array: np.ndarray) -> np.ndarray:
        """Convert an array of numbers and names to an array of polynomials. A number becomes a constant, and
        a name becomes a symbol.
        """
        found = self.zeros(*array.shape)
        for place in np.ndindex(array.shape):
            one = array[place]
            found[place] = self.by_name[one] if isinstance(one, str) else self._written(float(one))
        return found

    def _written(self, value: float) -> Any:
        root, part = next(key for key, size in NICE.items() if abs(abs(value) - size) <= EXACT)
        whole = self.by_name[f"root{root}"] if root in ROOTS else self.one * root
        return whole * (-1 if value < 0 else 1) / part

    def numbers(self, array: np.ndarray, values: Mapping[str, Any]) -> np.ndarray:
        """Return the numerical values (..., value) of an array of polynomials.

        values: for each symbol by name, one number or an array (value,).
        """
        own = np.stack(np.broadcast_arrays(*(values[name] for name in self.names.every)))
        found = np.zeros((*array.shape, *own.shape[1:]))
        for place in np.ndindex(array.shape):
            one: Any = array[place]
            if one:
                powers = np.array([*one])
                terms = np.array([float(factor) for factor in one.values()])
                terms = np.tile(terms.reshape(-1, *(1,) * (own.ndim - 1)), (1, *own.shape[1:]))
                for k in np.flatnonzero(powers.any(0)):
                    terms *= np.stack([own[k] ** power for power in range(powers[:, k].max() + 1)])[
                        powers[:, k]
                    ]
                found[place] = terms.sum(0)
        return found


def _terms(array: np.ndarray) -> np.ndarray:
    """Numbers of terms of polynomials."""
    return np.array([len(one) for one in array.ravel()], float).reshape(array.shape)


def written(value: float) -> bool:
    """Return whether a direction cosine can be written as an exact number."""
    return any(abs(abs(value) - size) <= EXACT for size in NICE.values())


def roots() -> dict[str, float]:
    """Return the values of the square roots by symbol."""
    return {f"root{number}": float(np.sqrt(number)) for number in ROOTS}
