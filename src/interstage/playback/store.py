"""Arrays of a scene as base64 texts. Equal arrays are stored once."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

TYPES = {"f4": "<f4", "f8": "<f8", "u4": "<u4"}
"""Name of a type of numbers in the page -> type of NumPy, little-endian."""


class Store:
    """Numbered arrays for one page."""

    def __init__(self) -> None:
        self.arrays: list[dict[str, str]] = []
        self.size = 0
        """Size of all arrays [bytes], before base64."""
        self._numbers: dict[tuple[str, bytes], int] = {}

    def add(self, values: Any, kind: str = "f4") -> int:
        """Store an array and return its index. kind: a key of TYPES. Equal arrays are stored once."""
        with np.errstate(over="ignore"):
            data = np.ascontiguousarray(values, TYPES[kind]).tobytes()
        if (kind, data) not in self._numbers:
            self._numbers[kind, data] = len(self.arrays)
            self.arrays.append({"type": kind, "data": base64.b64encode(data).decode("ascii")})
            self.size += len(data)
        return self._numbers[kind, data]
