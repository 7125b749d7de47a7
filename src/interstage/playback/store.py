"""Store the arrays of a scene as base64 texts. Equal arrays are stored only once."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

TYPES = {"f4": "<f4", "f8": "<f8", "u4": "<u4"}
"""NumPy type, in little-endian byte order, for each type name on the page."""


class Store:
    """Arrays of one page, which are identified by their index."""

    def __init__(self) -> None:
        self.arrays: list[dict[str, str]] = []
        self.size = 0
        """Size of all arrays [bytes], before base64."""
        self._numbers: dict[tuple[str, bytes], int] = {}

    def add(self, values: Any, kind: str = "f4") -> int:
        """Store an array, and return its index. kind: a key of TYPES. Equal arrays are stored only once."""
        with np.errstate(over="ignore"):
            data = np.ascontiguousarray(values, TYPES[kind]).tobytes()
        if (kind, data) not in self._numbers:
            self._numbers[kind, data] = len(self.arrays)
            self.arrays.append({"type": kind, "data": base64.b64encode(data).decode("ascii")})
            self.size += len(data)
        return self._numbers[kind, data]

    def array(self, index: int) -> np.ndarray:
        """Return the values of a stored array (n,). index: index of the array in the store."""
        one = self.arrays[index]
        return np.frombuffer(base64.b64decode(one["data"]), TYPES[one["type"]])
