"""Store batches of flights in a folder, so that an interrupted computation can continue.

With the same seed, each method requests the same points in the same order. The results of batch k are
therefore read from its file if the requested points are equal to the stored points.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ....tree import guarded_reader
from ....tree.errors import BadInput, Problem
from ....tree.saving import write_file, writing
from ..chunk_file import NO_SPACE
from .count import FlightCount
from .limit import FlightLimit

FILE = "{}-{:05d}.margins"
MARK, NUMBER = 32, np.dtype("<f8")
"""Size [bytes] of the checksum at the start of a file, and data type of the margins that follow."""


@dataclass
class Batches:
    """Computes or reads the margins that a method requests, batch by batch.

    - limit: function that runs the flights and returns the margins.
    - method: name of the method, part of the file names.
    - most: largest number of flights.
    - folder: folder of the files. None: no files are written.
    - key: identity of the flights, part of the checksum.
    - count: number of flights of all methods, for reports of progress.
    - flights: number of flights so far, including stored flights.
    - kept: number of stored flights that were read.
    - number: number of batches so far.
    """

    limit: FlightLimit
    method: str
    most: int
    folder: Path | None = None
    key: str = ""
    count: FlightCount = field(default_factory=lambda: FlightCount({}))
    flights: int = 0
    kept: int = 0
    number: int = 0

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Return the margins (cases,) at points (inputs, cases). The margins are read from a file, or the
        flights are run.

        Raises BadInput if the largest number of flights is exceeded, or if a file cannot be written.
        """
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
            self.count.report()
            margins = self.limit(points)
            self._write(points, margins)
        else:
            self.kept += count
        self.limit.note_failures(points, margins)
        self.number += 1
        self.flights += count
        self.count.add(count)
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
