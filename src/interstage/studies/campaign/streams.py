"""Random numbers of a campaign. The numbers depend only on the seed, the name of the random stream and the
case number.

Case i has the same random number in any chunk, thread or process, in any order, and together with any other
streams. Exceptions for some designs are listed at `Streams`.

Sources: J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11, 2011 (Philox); M. D. McKay,
R. J. Beckman and W. J. Conover, Technometrics 21, 1979 (Latin hypercube); J. Matousek, "On the L2-discrepancy
for anchored boxes", J. Complexity 14, 1998 (linear scrambling with a digital shift).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from .declared import Design

Key = tuple[str, ...]
"""Name of a random stream: the dispersion, the member, and the purpose."""
BITS = 52
"""Number of random bits of a uniform number. The possible numbers are the centres of 2^52 cells, so that 0
and 1 do not occur.
"""
SOBOL_BITS = 32
"""Number of bits of a Sobol point before scrambling. A design therefore has at most 2^32 cases."""
WORDS = 4
"""Number of random words in one block of the Philox generator."""
LARGEST = 1 - 2.0**-53
"""Largest double-precision number below 1."""


def words(seed: int, key: Key, first: int, last: int) -> np.ndarray:
    """Return the random words of a stream with the indices `first` to `last` - 1, (last - first,) uint64.

    Word i depends only on the seed, the key and i.
    """
    name = json.dumps([seed, *key]).encode()
    number = int.from_bytes(blake2b(name, digest_size=16).digest(), "little")
    mask = 2**64 - 1
    source = np.random.Philox(key=np.array([number & mask, number >> 64], np.uint64))
    block, skip = divmod(first, WORDS)
    if block:
        source.advance(block)
    return np.asarray(source.random_raw(skip + last - first))[skip:]


def cell_centres(bits: np.ndarray) -> np.ndarray:
    """Return numbers between 0 and 1 from random integers of 52 bits."""
    return (bits.astype(float) + 0.5) * 2.0**-BITS


def uniforms(seed: int, key: Key, first: int, last: int) -> np.ndarray:
    """Return independent, uniformly distributed numbers of a stream, (last - first,), between 0 and 1."""
    return cell_centres(words(seed, key, first, last) >> np.uint64(64 - BITS))


@dataclass(frozen=True)
class Streams:
    """Uniform random numbers of several streams for a range of cases. The field `design` selects the method.

    - "random": the numbers of a stream do not depend on other streams, on the order of the streams, or on the
      number of cases.
    - "latin_hypercube": in each `block` of cases, each stream has one number in each of `block` strata. The
      numbers of a stream do not depend on other streams or their order.
    - "sobol": stream k is coordinate k of the Sobol sequence with its own scrambling. The numbers of a stream
      depend on its index k, but not on the number of cases.
    """

    design: Design
    seed: int
    keys: tuple[Key, ...]
    block: int

    def uniforms(self, first: int, last: int) -> np.ndarray:
        """Return the uniform numbers (streams, last - first) of the cases `first` to `last` - 1. The numbers
        are above 0 and below 1.
        """
        if self.design == "sobol" and self.keys:
            points = _sobol(len(self.keys), first, last)
            return np.stack([self._scramble(key, points[:, k]) for k, key in enumerate(self.keys)])
        one = self._stratum if self.design == "latin_hypercube" else self._independent
        found = np.empty((len(self.keys), last - first))
        for k, key in enumerate(self.keys):
            found[k] = one(key, first, last)
        return found

    def _independent(self, key: Key, first: int, last: int) -> np.ndarray:
        return uniforms(self.seed, key, first, last)

    def _stratum(self, key: Key, first: int, last: int) -> np.ndarray:
        """Numbers of a stream in its strata."""
        cells = []
        for block in range(first // self.block, (last - 1) // self.block + 1 if last > first else 0):
            order, start = _strata(self.seed, key, block, self.block), block * self.block
            cells.append(order[max(first - start, 0) : last - start])
        cell = np.concatenate(cells) if cells else np.empty(0)
        within = uniforms(self.seed, (*key, "within strata"), first, last)
        return np.minimum((cell + within) / self.block, LARGEST)

    def _scramble(self, key: Key, points: np.ndarray) -> np.ndarray:
        """Points (cases,) of one coordinate, integers of 32 bits, with the scrambling of a stream."""
        tables, shift = _scrambling(self.seed, key)
        found = np.full(points.shape, shift, np.uint64)
        for place, table in enumerate(tables):
            found ^= table[(points >> np.uint64(8 * place)) & np.uint64(255)]
        return cell_centres(found)


@lru_cache(maxsize=128)
def _strata(seed: int, key: Key, block: int, size: int) -> np.ndarray:
    """The stratum of each case of a block, (size,): a random permutation."""
    drawn = words(seed, (*key, "strata", str(block)), 0, size)
    return np.argsort(drawn, kind="stable").astype(np.int32 if size < 2**31 else np.int64)


def _sobol(count: int, first: int, last: int) -> np.ndarray:
    """Points of the Sobol sequence as integers of 32 bits, (last - first, count)."""
    from scipy.stats import qmc

    points = qmc.Sobol(count, scramble=False, bits=SOBOL_BITS)
    found = []
    if first == 0 and last > 0:
        found.append(points.random(1))  # alone, or SciPy prints a warning for counts that are no power of 2
    elif first:
        points.fast_forward(first)
    if (left := last - max(first, 1 if found else 0)) > 0:
        found.append(points.random(left))
    whole = np.concatenate(found) if found else np.empty((0, count))
    return (whole * 2.0**SOBOL_BITS).astype(np.uint64)


@lru_cache(maxsize=1024)
def _scrambling(seed: int, key: Key) -> tuple[Sequence[np.ndarray], np.uint64]:
    """Tables of a random linear map of the bits of a point, by its bytes, and a random shift.

    The map keeps each leading bit and adds random combinations of the bits above to the bits below."""
    drawn = words(seed, (*key, "scrambling"), 0, SOBOL_BITS + 1) >> np.uint64(64 - BITS)
    columns = []
    for bit in range(SOBOL_BITS):  # bit 0 is the lowest
        own = 1 << (BITS - SOBOL_BITS + bit)
        columns.append(np.uint64(own | (int(drawn[bit]) & (own - 1))))
    tables = []
    for byte in range(SOBOL_BITS // 8):
        table = np.zeros(1, np.uint64)
        for bit in range(8):
            table = np.concatenate([table, table ^ columns[8 * byte + bit]])
        tables.append(table)
    return tables, drawn[SOBOL_BITS]
