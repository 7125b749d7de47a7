"""Whether a table of modes is that of its body: where its masses are, which way its slopes go, and how it
changes as tanks drain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...tree.errors import counted
from . import tracking
from .likewise import Fault, amount

FIT = 1e-2
"""Part by which sums over lumped masses may miss: they leave the rotary inertia of the lumps out."""
MISSING = 0.5
"""Part of the body's inertia below which that of the lumps is remarked: in a stack of disks, their own rotary
inertia is the other half where the stack is shorter than it is wide, which is not a body that bends."""
STEADY = 2.0
"""Most ratio of the slopes at two neighbouring points that tell the way from one to the other: a slope that
does not turn between lies between these."""
SEEN = 1e-3
"""Part of the largest slope of a mode below which its sign tells nothing."""
FEWEST = 3
"""Fewest places at which slopes must go against the displacements to be remarked: one may be chance."""
THROUGHOUT = 0.9
"""Part of the places at which they then do: between a few points there may be no beam."""
FEWEST_PLACES = 4
"""Fewest places at which the lowest mode that bends in a plane tells the sign of slopes: the first free mode
of a uniform beam is bent 16 times as much and more by those of the wrong sign, at any four places."""
LEAST_RATIO = 8.0
"""How many times as much they then must: those of the right sign never do so as the first five modes of a
uniform beam, each alone, at any of 2000 draws of four places or more."""

AGREEING = 0.8
"""Square of the cosine of two shapes below which one half way between them is missed by a tenth or more: in
`tests/draining_stack.py` by 0.13 at 0.75, by 0.02 at 0.97."""
ALIKE = 10.0
"""How many times as far a mode of the same generalized mass may move the points at the next level, besides
what the mass of the body does."""


def of_masses(mass: Any, at: Any, centre: Any, inertia: Any, near: float) -> Iterator[Fault]:
    """What is wrong where lumps of `mass` (point) [kg] at places (3, point) [m] cannot be those of a body
    with a centre of mass (3,) [m] and an inertia about it (3, 3) [kg m^2]. near: a distance [m] that does not
    count."""
    middle, own = about_their_centre(mass, at)
    off = float(np.linalg.norm(middle - centre))
    if off > max(FIT * np.sqrt(np.trace(own) / (2 * mass.sum())), near):
        text = f"the centre of their masses is at {_place(middle)}, {off:.3g} m from that of the body at"
        remedy = "give the masses, or the centre of mass, of this body"
        yield Fault("points", "centre", f"{text} {_place(centre)}", f"{remedy}, or leave them out")
        return
    # What lumps leave out, the rotary inertia of each, adds to the inertia about every axis.
    left, axes = np.linalg.eigh(inertia - own)
    if left[0] < -FIT * np.linalg.norm(own, 2):
        axis = axes[:, 0]
        theirs, whole = axis @ own @ axis, axis @ inertia @ axis
        text = (
            f"their masses alone have {theirs:.6g} kg m^2 about {_axis(axis)} through the centre of mass, and"
        )
        remedy = "give the masses, or the inertia, of this body, or leave them out"
        yield Fault("points", "inertia", f"{text} the body {whole:.6g} kg m^2", remedy)


def short_of(mass: Any, at: Any, inertia: Any) -> Iterator[Fault]:
    """What is reported of lumps that have less than half the inertia of the body about an axis across
    them."""
    _, own = about_their_centre(mass, at)
    moments, axes = np.linalg.eigh(own)
    across = np.flatnonzero(moments > FIT * moments[-1])  # not the line that they may stand in
    parts = [moments[k] / (axes[:, k] @ inertia @ axes[:, k]) for k in across]
    if not parts or min(parts) >= MISSING:
        return
    k = int(np.argmin(parts))
    axis = _axis(axes[:, across[k]])
    text = f"the masses of its points have {parts[k]:.2g} of the body's inertia about {axis}, the rest being"
    text = f"{text} that of each lump about its own centre"
    yield Fault("points", "short", text, "see whether they are masses of this body")


def about_their_centre(mass: Any, at: Any) -> tuple[np.ndarray, np.ndarray]:
    """(centre [m] (3,), inertia about it [kg m^2] (3, 3)) of masses (point) [kg] at places (3, point) [m]."""
    centre = at @ mass / mass.sum()
    arm = at - centre[:, None]
    return centre, np.sum(mass * arm**2) * np.eye(3) - (mass * arm) @ arm.T


def beside(mass: Any, arm: Any, inertia: Any) -> np.ndarray:
    """What a body with an inertia [kg m^2] (3, 3), none for one that is not known, has of it beside that of
    masses (point) [kg] at arms (3, point) [m] from its centre of mass (3, 3): no less than nothing about any
    axis."""
    if inertia is None:
        return np.zeros((3, 3))
    own = np.sum(mass * arm**2) * np.eye(3) - (mass * arm) @ arm.T
    sizes, axes = np.linalg.eigh(inertia - own)
    return (axes * np.maximum(sizes, 0.0)) @ axes.T


def against(points: Sequence[Any], frequency: Any) -> Iterator[Fault]:
    """What is reported of points (with `name`, `at`, `shape` and `turn`) along a line, of modes of these
    frequencies, whose turns have the sign that displacements do not have, or are about the wrong axis."""
    at = np.array([point.at for point in points], float)
    if len(points) < 2 or not np.ptp(at, axis=0).any():
        return
    line = np.linalg.svd(at - at.mean(0))[2][0]
    along = int(np.argmax(np.abs(line)))
    order = np.argsort(at @ line, kind="stable").tolist()
    shape, turn = (np.array([getattr(points[k], f) for k in order], float) for f in ("shape", "turn"))
    lowest = _lowest(at[order, along], along, shape, turn, frequency)
    if lowest and all(one.exchanged for one in lowest.values()):
        yield _exchanged(along, *next(iter(lowest.items())))
        return
    wrong, steady = _at_places(at[order], shape, turn)
    for across in (k for k in range(3) if k != along):
        found, count = wrong[..., across], int(steady[..., across].sum())
        if found.sum() >= max(FEWEST, THROUGHOUT * count):
            gap, mode = map(int, np.argwhere(found)[0])
            place = f"in mode {mode + 1} between {points[order[gap]].name} and {points[order[gap + 1]].name}"
            yield _told(along, across, f"at {found.sum()} of {counted(count, 'places')}, first {place}")
        elif across in lowest and (one := lowest[across]).against > LEAST_RATIO:
            text = f"and bend mode {one.mode + 1} {one.against:.3g} times as much as with the other sign"
            yield _told(along, across, text)


def _at_places(at: Any, shape: Any, turn: Any) -> tuple[np.ndarray, np.ndarray]:
    """Of each gap, mode and direction whether turns go against the displacements, and whether slopes are so
    steady that this can be told.

    A turn t displaces what is a short way d further by t x d, so that the difference of displacements lies
    between that of the turns at both ends, unless the slope turns between."""
    way = np.diff(at, axis=0)[:, None]  # (gap, 1, 3)
    moved, first, last = np.diff(shape, axis=0), np.cross(turn[:-1], way), np.cross(turn[1:], way)
    middle = (first + last) / 2
    small, large = (pick(np.abs(first), np.abs(last)) for pick in (np.minimum, np.maximum))
    size = SEEN * np.max(large, (0, 2), keepdims=True)
    steady = (first * last > 0) & (large <= STEADY * small) & (small > size)
    ratio = np.where(steady, moved / np.where(steady, middle, 1.0), 0.0)
    return (ratio >= -STEADY) & (ratio <= -1 / STEADY), steady


class Lowest(NamedTuple):
    """The mode of the lowest frequency that bends in a plane. against: strain energy of the cubics through
    its displacements and slopes, over that with slopes of the other sign; exchanged: whether it has no slopes
    and those about the other axis fit."""

    mode: int
    against: float
    exchanged: bool


def _lowest(place: Any, along: int, shape: Any, turn: Any, frequency: Any) -> dict[int, Lowest]:
    """By the direction in which they bend, of points at places along the line in rising order; none where
    these are too few."""
    apart = np.diff(place, prepend=-np.inf) > SEEN * np.ptp(place)
    if apart.sum() < FEWEST_PLACES:
        return {}
    place, shape, turn = place[apart], shape[apart], turn[apart]
    both = [k for k in range(3) if k != along]
    size = np.linalg.norm(shape, axis=0)  # (mode, direction)
    found = {}
    for across in both:
        bends = np.flatnonzero((size[:, across] > 0) & (size[:, across] >= np.max(size, 1) / 2))
        if not len(bends):
            continue
        mode = int(bends[np.argmin(np.asarray(frequency)[bends])])
        about = 3 - along - across
        moved, own, other = shape[:, mode, across], turn[:, mode, about], turn[:, mode, across]
        own = own if _right_handed(along, about) else -own
        given, turned, none, *swapped = (
            _bent(place, moved, slope) for slope in (own, -own, 0 * own, other, -other)
        )
        missing = np.max(np.abs(own)) <= SEEN * np.max(np.abs(other))
        fits = np.max(np.abs(other)) > 0 and min(swapped) < none / 2
        found[across] = Lowest(mode, given / turned if turned > 0 else 1.0, bool(missing and fits))
    return found


def _bent(place: Any, moved: Any, slope: Any) -> float:
    """Strain energy of a beam of unit stiffness through these places, displaced and turned so there."""
    long = np.diff(place)
    first, last = slope[:-1] - np.diff(moved) / long, slope[1:] - np.diff(moved) / long
    return float(np.sum(2 / long * (first**2 + first * last + last**2)))


def _right_handed(along: int, about: int) -> bool:
    """Whether a positive turn about an axis is a positive slope along another."""
    return (along - about) % 3 == 1


def of_levels(levels: Sequence[Any], mass: Any) -> Iterator[tuple[Any, Fault]]:
    """What is reported, with the lower of two levels each, of modes at levels of a body of so much `mass`
    (level) [kg] that change as those of one that drains hardly do. Less mass on the same springs raises all
    frequencies (Rayleigh)."""
    for k, (low, high) in enumerate(pairwise(levels)):
        at = amount(low.propellant), amount(high.propellant)
        if np.all(np.sort(low.frequency) < (1 - FIT) * np.sort(high.frequency)):
            text = f"all its frequencies are lower at {at[0]} of propellant than at {at[1]}, and less mass"
            remedy = "see whether rows are in the order of the levels"
            yield low.propellant, Fault("", "frequency", f"{text} raises them", remedy)
        for fault in _shapes_change(low, high, at, float(np.sqrt(mass[k + 1] / mass[k]))):
            yield low.propellant, fault


def _shapes_change(low: Any, high: Any, at: tuple[str, str], grow: float) -> Iterator[Fault]:
    """What is reported of shapes at two levels. grow: how much more points move with the mass of the
    lower."""
    if not low.points:
        return
    a, b = tracking.vectors(high, low)
    sizes = [np.linalg.norm(one, axis=1) / np.sqrt(level.mass) for one, level in ((a, high), (b, low))]
    for n, (one, other) in enumerate(zip(*sizes, strict=True)):
        if not 1 / ALIKE <= other / one <= ALIKE * grow:
            text = f"mode {n + 1} moves points {other / one:.3g} times as far at {at[0]} of propellant as at"
            text = f"{text} {at[1]}, for the same generalized mass"
            yield Fault("", ("size", n), text, "see whether both are normalized alike")
    square = np.diag(tracking.cosines(a, b)) ** 2
    if np.min(square) < AGREEING:
        text = f"the shapes of mode {np.argmin(square) + 1} at {at[0]} and {at[1]} of propellant agree by"
        text = f"{text} {np.min(square):.2g}, 1 being the same, so that between them it may be off by a tenth"
        yield Fault("", "shapes", text, "give a level in between")


def _told(along: int, across: int, where: str) -> Fault:
    about = 3 - along - across
    turn, slope = f"r{'xyz'[about]}", f"d{'xyz'[across]}/d{'xyz'[along]}"
    sign = "" if _right_handed(along, about) else "-"
    text = f"its turns {turn} go against the displacements, {where}"
    remedy = f"a turn is right-handed, {slope} = {sign}{turn}; see whether its sign is to be changed"
    return Fault("", turn, text, remedy)


def _exchanged(along: int, across: int, lowest: Lowest) -> Fault:
    wrong, right = (f"r{'xyz'[k]}" for k in (across, 3 - along - across))
    text = f"mode {lowest.mode + 1} moves points along {wrong[1]} and turns them by {wrong}, about that axis"
    remedy = f"what bends so turns by {right}: see whether {wrong} and {right} are exchanged"
    return Fault("", "exchanged", text, remedy)


def _place(at: Any) -> str:
    return "[{}] m".format(", ".join(f"{value:.4g}" for value in np.round(at, 9) + 0.0))


def _axis(axis: Any) -> str:
    k = int(np.argmax(np.abs(axis)))
    if abs(axis[k]) > 1 - FIT:
        return "xyz"[k]
    return "[{}]".format(", ".join(f"{value:.3g}" for value in np.round(axis, 3) + 0.0))
