"""Batches of flights that are kept in a folder, so that an interrupted computation goes on there.

The methods draw the same points from the same seed, and ask for them in the same order. So batch k of a
method is read if its points are those that were flown."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ....tree import guarded_reader
from ....tree.errors import BadInput, Problem
from ....tree.saving import write_file, writing
from ..chunk_file import NO_SPACE
from .limit import FlightLimit

FILE = "{}-{:05d}.margins"
MARK, NUMBER = 32, np.dtype("<f8")
"""Bytes of the checksum at the beginning of a file, and the type of the margins after it."""


@dataclass
class Batches:
    """The margins of one method, batch by batch.

    - folder: of the files; None keeps nothing. method: in their names. key: what flights must agree with.
    - most: largest number of flights. advanced: called with the number of flights so far.
    - flights: so far, with those of kept batches. kept: those of kept batches."""

    limit: FlightLimit
    method: str
    most: int
    folder: Path | None = None
    key: str = ""
    advanced: Callable[[int], None] = lambda count: None
    flights: int = 0
    kept: int = 0
    number: int = 0

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Margins (cases,) of points (inputs, cases), flown or read. Raises BadInput beyond the largest
        number of flights, and if a file cannot be written."""
        count = points.shape[1]
        if self.flights + count > self.most:
            text = f"{self.method} needs more than {self.most} flights, after {self.flights}"
            fix = (
                ("Increase 'most'. The finished flights are kept")
                if self.folder is not None
                else "Raise most"
            )
            raise BadInput(Problem("rare.most", f"{text}. {fix}"))
        margins = self._read(points)
        if margins is None:
            margins = self.limit(points)
            self._write(points, margins)
        else:
            self.kept += count
        self.limit.note_failures(points, margins)
        self.number += 1
        self.flights += count
        self.advanced(self.flights)
        return margins

    def _path(self) -> Path | None:
        return None if self.folder is None else self.folder / FILE.format(self.method, self.number)

    def _mark(self, points: np.ndarray, margins: bytes) -> bytes:
        """Checksum of the key, the points and the margins."""
        whole = self.key.encode() + np.ascontiguousarray(points).tobytes() + margins
        return hashlib.sha256(whole).digest()

    def _read(self, points: np.ndarray) -> np.ndarray | None:
        """The margins in the file of this batch; None if there is none for these points."""
        path = self._path()
        if path is None:
            return None
        try:
            data = guarded_reader.read_bytes(path, guarded_reader.PROGRESS)
        except guarded_reader.Unreadable:
            return None
        mark, margins = data[:MARK], data[MARK:]
        if mark != self._mark(points, margins) or len(margins) != NUMBER.itemsize * points.shape[1]:
            return None
        return np.frombuffer(margins, NUMBER).astype(float)

    def _write(self, points: np.ndarray, margins: np.ndarray) -> None:
        """Write the file of this batch under a temporary name, and rename it."""
        path = self._path()
        if path is None:
            return
        with writing(path.parent, "Choose another folder"):
            path.parent.mkdir(parents=True, exist_ok=True)
        data = margins.astype(NUMBER).tobytes()
        write_file(path, self._mark(points, data) + data, NO_SPACE)
