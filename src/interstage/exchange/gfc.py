"""Read coefficients of gravity fields from files in the format of the ICGEM (.gfc)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from ..tree.errors import BadInput
from ..tree.guarded_reader import GRAVITY, Unreadable, read_text


@dataclass(frozen=True, eq=False)
class Coefficients:
    """Gravity field with fully normalized coefficients.

    - mu: gravitational parameter of the coefficients [m^3/s^2].
    - radius: reference radius of the coefficients [m].
    - cosine, sine (degree, order): coefficients without unit.
    - tide_system: tide system that the file states.
    """

    mu: float
    radius: float
    cosine: np.ndarray
    sine: np.ndarray
    tide_system: str

    @cached_property
    def checksum(self) -> str:
        """Return a checksum, as a text, of all values of the gravity field."""
        numbers = np.array([self.mu, self.radius])
        return sha256(b"".join(a.tobytes() for a in (numbers, self.cosine, self.sine))).hexdigest()

    @property
    def degree(self) -> int:
        """Return the highest degree of the gravity field."""
        return len(self.cosine) - 1


@lru_cache(maxsize=8)
def read(path: Path, stamp: tuple[int, int]) -> Coefficients:
    """Return the static coefficients of a .gfc file.

    stamp: change time and size of the file. If the change time or the size of the file changes, the file is
    read again. Time-variable coefficients and coefficients without full normalization are rejected.

    Source: F. Barthelmes and C. Foerste, The ICGEM-format, GFZ Potsdam, 2011.
    """
    del stamp
    header: dict[str, str] = {}
    rows: list[tuple[int, int, float, float]] = []
    try:
        lines = iter(read_text(path, GRAVITY, "utf-8", "replace").splitlines())
        for line in lines:
            word, *values = line.split() or [""]
            if word == "end_of_head":
                break
            if values:
                header[word] = values[0]
        for line in lines:
            word, *values = _plain(line).split() or [""]
            if word == "gfc":
                rows.append((int(values[0]), int(values[1]), float(values[2]), float(values[3])))
            elif word:
                raise ValueError(f"coefficients of the kind '{word}' are not supported. Allowed: gfc")
        if header.get("norm", "fully_normalized") != "fully_normalized":
            raise ValueError(f"the norm '{header['norm']}' is not supported. Allowed: fully_normalized")
        lost = [key for key in ("earth_gravity_constant", "radius") if key not in header]
        if lost or not rows:
            raise ValueError(f"{' and '.join(lost) or 'lines gfc with coefficients'} are missing")
        return _gather(header, rows)
    except Unreadable as error:
        raise BadInput(f"{path} {error}") from None
    except (ValueError, KeyError, IndexError, OverflowError, MemoryError) as error:
        raise BadInput(f"{path} cannot be read as a gravity field (.gfc): {error}") from None


def _gather(header: dict[str, str], rows: list[tuple[int, int, float, float]]) -> Coefficients:
    degree = max(row[0] for row in rows)
    cosine, sine = np.zeros((2, degree + 1, degree + 1))
    cosine[0, 0] = 1.0
    for n, m, c, s in rows:
        if not 0 <= m <= n:
            raise ValueError(f"the order {m} is not between 0 and the degree {n}")
        cosine[n, m], sine[n, m] = c, s
    for array in (cosine, sine):
        if not np.isfinite(array).all():
            raise ValueError("a coefficient is not a finite number. Write finite coefficients")
        array.flags.writeable = False
    mu, radius = (float(_plain(header[key])) for key in ("earth_gravity_constant", "radius"))
    return Coefficients(mu, radius, cosine, sine, header.get("tide_system", "unknown"))


def _plain(text: str) -> str:
    """Fortran's exponents D as E."""
    return text.replace("D", "E").replace("d", "e")
