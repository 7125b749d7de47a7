"""Which modes at one moment, or level of an input, are which at the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .modes import Mode
from .responses import telling_modes

if TYPE_CHECKING:
    from .result import Linear

SAME = 0.5
"""Part that two modes have in common from which they are one, whatever their eigenvalues are."""
NOTHING = complex(np.nan, np.nan)
NEAR = 0.25
"""How far eigenvalues of modes may be from each other, as a part of the sum of their sizes, that are one
although they have little in common, as where two become a pair."""


@dataclass
class Track:
    """An eigenvalue that goes on: values (moment,) [1/s], no numbers where it is not, or is zero. thing: what
    takes part in it most where it begins; last: the mode of its last value, and upper: whether that is in the
    upper half plane; telling: as of `Locus`; pairs: at how many moments it is a pair with which tracks, by
    their numbers."""

    values: np.ndarray
    thing: str
    last: Mode | None = None
    upper: bool = True
    telling: bool = False
    pairs: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Locus:
    """The way of a mode, values (eigenvalue, moment) [1/s]: of what swings both of a pair, which may part
    into two that do not. Where one of these then swings with one of another mode, each keeps its own of the
    two, and the upper one reports how they swing. At no moment are two in the upper half plane. thing: what
    takes part in it most where it begins. telling: whether it does anything at some moment while the
    equations of that hold; see `responses.telling_modes`."""

    values: np.ndarray
    thing: str
    telling: bool = True

    @property
    def swinging(self) -> np.ndarray:
        """The eigenvalue (moment,) of the upper half plane, no number where it does not swing."""
        above = np.imag(self.values) > 0
        upper = np.take_along_axis(self.values, np.argmax(above, 0)[None], 0)[0]
        return np.where(np.any(above, 0), upper, NOTHING)

    @property
    def size(self) -> float:
        """Least size of its eigenvalues [1/s]."""
        return float(np.nanmin(np.abs(self.values)))

    @property
    def swings(self) -> bool:
        """Whether it does at some moment."""
        return bool(np.any(np.isfinite(self.swinging)))

    @property
    def grows(self) -> bool:
        """Whether it does at some moment."""
        return bool(np.any(np.real(self.values) > 0))


def loci_of(each: Sequence[Linear]) -> list[Locus]:
    """The ways of all modes that are not zero over moments in their order, the slowest first."""
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
    """An eigenvalue at a moment, of a pair that in the upper half plane or the other one; its mode, what
    takes part in that most, and the number of the other one."""

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
        thing, value = next(iter(one.taking_part(mode))), settled(mode)
        if not mode.oscillates:
            found.append(_Point(value, mode, thing))
            continue
        k = len(found)
        found += [_Point(value, mode, thing, True, k + 1), _Point(value.conjugate(), mode, thing, False, k)]
    return found


def settled(mode: Mode) -> complex:
    """Its eigenvalue [1/s] without a real part that is rounding."""
    return complex(mode.eigenvalue.real if np.isfinite(mode.time_constant) else 0.0, mode.eigenvalue.imag)


def _mates(going: Sequence[Track], points: Sequence[_Point], same: bool) -> list[int | None]:
    """Which of the tracks that are going on each point continues, if any. same: whether it has the same
    states, whose motions may be compared."""
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
    """What modes have in common (track, point): of a motion in one of them, what of it is in the other, there
    and back, whatever the units of the states. It is 1 of the same; of modes that are hardly of their own, as
    where two become one, it may be more, which tells as little as less does."""
    own = [(track.last, track.upper) for track in going]
    shapes, lefts = _vectors([(mode, upper) for mode, upper in own if mode is not None])
    others, backs = _vectors([(point.mode, point.upper) for point in points])
    with np.errstate(all="ignore"):
        found = np.abs((np.conj(lefts) @ others.T) * (np.conj(backs) @ shapes.T).T)
        found = np.minimum(found, 1.0 / found)
    return np.where(np.isfinite(found), found, 0.0)


def _vectors(some: Sequence[tuple[Mode, bool]]) -> tuple[np.ndarray, np.ndarray]:
    """Shapes and left eigenvectors (mode, state), those of the lower half plane turned over."""
    return (
        np.stack([mode.shape if upper else np.conj(mode.shape) for mode, upper in some]),
        np.stack([mode.left if upper else np.conj(mode.left) for mode, upper in some]),
    )


def _alike(going: Sequence[Track], points: Sequence[_Point]) -> np.ndarray:
    """Whether the same takes part most (track, point), with other states."""
    return np.array([[float(track.thing == point.thing) for point in points] for track in going])


def _together(tracks: Sequence[Track]) -> list[list[int]]:
    """The numbers of tracks of each locus: of those that are a pair somewhere, the longest first, as far as
    they are never more than two at a moment, and never two in the upper half plane. What is in the lower one
    alone is with its other one."""
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
