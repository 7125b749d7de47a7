"""Track modes from one operating point to the next, or from one level of an input to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .modes import Mode
from .responses import telling_modes

if TYPE_CHECKING:
    from ..studies.linearize.result import Linear

SAME = 0.5
"""Overlap above which two modes are the same mode, for any eigenvalues."""
NOTHING = complex(np.nan, np.nan)
NEAR = 0.25
"""Largest difference of eigenvalues, relative to the sum of their absolute values, of modes that count as the
same despite little overlap. For example, two real modes become a complex pair.
"""


@dataclass
class Track:
    """Eigenvalue that is tracked over operating points.

    - values (point,): eigenvalue [1/s], NaN if the eigenvalue is missing or zero.
    - thing: item with the largest participation at the first point.
    - last: mode at the last point with a value.
    - upper: whether the last value is in the upper half plane.
    - telling: see `Locus`.
    - pairs: numbers of points at which the eigenvalues of two tracks are a complex pair, by the index of the
      other track.
    """

    values: np.ndarray
    thing: str
    last: Mode | None = None
    upper: bool = True
    telling: bool = False
    pairs: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Locus:
    """Locus of a mode over operating points.

    - values (eigenvalue, point): eigenvalues [1/s]. An oscillating mode has two rows.
    - thing: item with the largest participation at the first point.
    - telling: whether the mode determines the range of responses at some point; see
      `responses.telling_modes`.

    A complex pair can split into two real eigenvalues. If a mode then forms a pair with an eigenvalue of
    another mode, each mode keeps its eigenvalue. The mode with the eigenvalue in the upper half plane has the
    oscillation. At each point, at most one eigenvalue of a locus is in the upper half plane.
    """

    values: np.ndarray
    thing: str
    telling: bool = True

    @property
    def swinging(self) -> np.ndarray:
        """Return the eigenvalue in the upper half plane at each point (point,) [1/s]; NaN without
        oscillation.
        """
        above = np.imag(self.values) > 0
        upper = np.take_along_axis(self.values, np.argmax(above, 0)[None], 0)[0]
        return np.where(np.any(above, 0), upper, NOTHING)

    @property
    def size(self) -> float:
        """Return the smallest absolute eigenvalue of the locus [1/s]."""
        return float(np.nanmin(np.abs(self.values)))

    @property
    def swings(self) -> bool:
        """Return whether the mode oscillates at any point."""
        return bool(np.any(np.isfinite(self.swinging)))

    @property
    def grows(self) -> bool:
        """Return whether the mode is unstable at any point."""
        return bool(np.any(np.real(self.values) > 0))


def loci_of(each: Sequence[Linear]) -> list[Locus]:
    """Return the loci of all nonzero modes over ordered operating points, the slowest first."""
    tracks: list[Track] = []
    going: list[int] = []
    for number, one in enumerate(each):
        points, telling = _points(one), {id(mode) for mode in telling_modes(one)}
        same = number > 0 and each[number - 1].names == one.names
        if not same:
            going = [k for k in going if np.isfinite(tracks[k].values[number - 1])]
        own: list[int] = []
        for point, mate in zip(points, _mates([tracks[k] for k in going], points, same), strict=True):
            if mate is None:
                tracks.append(Track(np.full(len(each), NOTHING), point.thing))
            own.append(len(tracks) - 1 if mate is None else going[mate])
            track = tracks[own[-1]]
            track.values[number], track.last, track.upper = point.value, point.mode, point.upper
            track.telling |= id(point.mode) in telling
        for k, point in zip(own, points, strict=True):
            if point.other is not None:
                mate = own[point.other]
                tracks[k].pairs[mate] = tracks[k].pairs.get(mate, 0) + 1
        going += [k for k in own if k not in going]
    found = []
    for some in _together(tracks):
        telling = any(tracks[k].telling for k in some)
        found.append(Locus(np.stack([tracks[k].values for k in some]), tracks[some[0]].thing, telling))
    return sorted(found, key=lambda locus: locus.size)


@dataclass(frozen=True)
class _Point:
    """An eigenvalue at an operating point, its mode, the item of largest participation, and the index of the
    other eigenvalue of a pair."""

    value: complex
    mode: Mode
    thing: str
    upper: bool = True
    other: int | None = None


def _points(one: Linear) -> list[_Point]:
    found: list[_Point] = []
    for mode in one.modes:
        if mode.zero:
            continue
        thing, value = next(iter(one.taking_part(mode))), rounded_eigenvalue(mode)
        if not mode.oscillates:
            found.append(_Point(value, mode, thing))
            continue
        k = len(found)
        found += [_Point(value, mode, thing, True, k + 1), _Point(value.conjugate(), mode, thing, False, k)]
    return found


def rounded_eigenvalue(mode: Mode) -> complex:
    """Return the eigenvalue of a mode [1/s]; a real part at the level of rounding is set to zero."""
    return complex(mode.eigenvalue.real if np.isfinite(mode.time_constant) else 0.0, mode.eigenvalue.imag)


def _mates(going: Sequence[Track], points: Sequence[_Point], same: bool) -> list[int | None]:
    """The current track that each eigenvalue continues, or none. same: whether both points have the same
    states, so that motions can be compared."""
    from scipy.optimize import linear_sum_assignment

    if not going or not points:
        return [None] * len(points)
    before = np.array([track.values[np.isfinite(track.values)][-1] for track in going])
    now = np.array([point.value for point in points])
    apart = np.abs(before[:, None] - now) / (np.abs(before)[:, None] + np.abs(now))
    common = _common(going, points) if same else _alike(going, points)
    best = linear_sum_assignment(apart - common)
    found: list[int | None] = [None] * len(points)
    for k, n in zip(*best, strict=True):
        if (same and common[k, n] >= SAME) or (apart[k, n] <= NEAR and (same or common[k, n])):
            found[int(n)] = int(k)
    return found


def _common(going: Sequence[Track], points: Sequence[_Point]) -> np.ndarray:
    """Overlap of modes (track, eigenvalue), independent of the units of the states.

    It is the share of a motion in one mode that is in the other, applied both ways: 1 for equal modes. For
    nearly defective modes it may exceed 1 and has no meaning."""
    own = [(track.last, track.upper) for track in going]
    shapes, lefts = _vectors([(mode, upper) for mode, upper in own if mode is not None])
    others, backs = _vectors([(point.mode, point.upper) for point in points])
    with np.errstate(all="ignore"):
        found = np.abs((np.conj(lefts) @ others.T) * (np.conj(backs) @ shapes.T).T)
        found = np.minimum(found, 1.0 / found)
    return np.where(np.isfinite(found), found, 0.0)


def _vectors(some: Sequence[tuple[Mode, bool]]) -> tuple[np.ndarray, np.ndarray]:
    """Shapes and left eigenvectors (mode, state), conjugated in the lower half plane."""
    return (
        np.stack([mode.shape if upper else np.conj(mode.shape) for mode, upper in some]),
        np.stack([mode.left if upper else np.conj(mode.left) for mode, upper in some]),
    )


def _alike(going: Sequence[Track], points: Sequence[_Point]) -> np.ndarray:
    """Whether the item of largest participation is the same (track, eigenvalue), for different states."""
    return np.array([[float(track.thing == point.thing) for point in points] for track in going])


def _together(tracks: Sequence[Track]) -> list[list[int]]:
    """Indices of the tracks of each locus.

    Tracks that are a pair at some point are joined, the longest first. A locus has at most two tracks at a
    point and at most one in the upper half plane. A track in the lower half plane alone is joined to its
    partner."""
    values = np.array([track.values for track in tracks]).reshape(len(tracks), -1)
    there, above, below = np.isfinite(values), np.imag(values) > 0, np.imag(values) < 0
    group = list(range(len(tracks)))

    def own(one: int) -> list[int]:
        return [k for k in range(len(tracks)) if group[k] == group[one]]

    def join(one: int, other: int) -> None:
        first, both = min(group[one], group[other]), (group[one], group[other])
        group[:] = [first if k in both else k for k in group]

    pairs = [(k, other, n) for k, track in enumerate(tracks) for other, n in track.pairs.items() if k < other]
    for one, other, _ in sorted(pairs, key=lambda pair: -pair[2]):
        both = sorted({*own(one), *own(other)})
        if np.all(np.sum(there[both], 0) <= 2) and np.all(np.sum(above[both], 0) <= 1):
            join(one, other)
    for k, track in enumerate(tracks):
        if np.array_equal(below[own(k)], there[own(k)]):
            join(k, max(track.pairs, key=lambda other: track.pairs[other]))
    return [[k for k, one in enumerate(group) if one == first] for first in dict.fromkeys(group)]
