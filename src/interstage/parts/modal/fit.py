"""Compare a table of modes with its body: lumped masses, signs of rotations, and changes with the propellant
level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...tree.sentences import count_text
from . import tracking
from .likewise import Fault, amount

FIT = 1e-2
"""The allowed relative error of sums over lumped masses. Lumped masses have no rotary inertia, so the sums
are not exact.
"""
MISSING = 0.5
"""If the inertia of the lumped masses is below this fraction of the body's inertia, a warning is printed.
Disks have rotary inertia. In a stack of disks that is shorter than wide, the rotary inertia is half of the
total.
"""
STEADY = 2.0
"""The slopes at two adjacent points are compared with the displacements only if their ratio is at most this
number. A monotonic slope is between the slopes at both points.
"""
SEEN = 1e-3
"""The sign of a slope is significant if the slope exceeds this fraction of the largest slope of the mode."""
FEWEST = 3
"""A warning is printed only if the slopes contradict the displacements in at least this number of intervals.
A single contradiction can be accidental.
"""
THROUGHOUT = 0.9
"""A warning is printed only if the slopes contradict the displacements in at least this fraction of the
intervals. A beam may not connect all points.
"""
FEWEST_PLACES = 4
"""The number of positions that are necessary to determine the sign of slopes from the lowest mode in a plane.
For the first free mode of a uniform beam, slopes of the wrong sign at any four positions increase the strain
energy by a factor of at least 16.
"""
LEAST_RATIO = 8.0
"""A warning is printed if the strain energy with the given slopes, divided by the energy with slopes of the
opposite sign, exceeds this number. In 2000 random selections of four or more positions, correct slopes of the
first five modes of a uniform beam never exceeded this number.
"""

AGREEING = 0.8
"""A warning is printed if the MAC of a shape at two adjacent levels is below this number. The interpolated
shape half way between then has an error of about 0.1 or more. In `tests/draining_stack.py`, the error is 0.13
for a MAC of 0.75 and 0.02 for a MAC of 0.97.
"""
ALIKE = 10.0
"""The largest plausible ratio of the displacements of a mode at two adjacent levels, for the same generalized
mass. The effect of the body's mass is not included.
"""


def of_masses(mass: Any, at: Any, centre: Any, inertia: Any, near: float) -> Iterator[Fault]:
    """Yield the faults of lumped masses whose centre of mass or inertia contradicts the body.

    - mass (point,) [kg], at (3, point) [m]: masses and positions of the lumps.
    - centre (3,) [m]: centre of mass of the body.
    - inertia (3, 3) [kg m^2]: inertia of the body about its centre of mass.
    - near [m]: difference of the centres of mass that is allowed.
    """
    middle, own = about_their_centre(mass, at)
    off = float(np.linalg.norm(middle - centre))
    if off > max(FIT * np.sqrt(np.trace(own) / (2 * mass.sum())), near):
        text = (
            f"the centre of mass of the points is at {_place(middle)}, {off:.3g} m from the centre of mass"
            f" of the body at {_place(centre)}"
        )
        remedy = "Correct the masses of the points or the centre of mass of the body"
        yield Fault("points", "centre", text, remedy)
        return
    # The missing rotary inertia of each lump adds to the inertia about every axis.
    left, axes = np.linalg.eigh(inertia - own)
    if left[0] < -FIT * np.linalg.norm(own, 2):
        axis = axes[:, 0]
        theirs, whole = axis @ own @ axis, axis @ inertia @ axis
        text = (
            f"the masses of the points have the inertia {theirs:.6g} kg m^2 about {_axis(axis)} through the"
            f" centre of mass, but the body has only {whole:.6g} kg m^2"
        )
        remedy = "Correct the masses of the points or the inertia of the body"
        yield Fault("points", "inertia", text, remedy)


def short_of(mass: Any, at: Any, inertia: Any) -> Iterator[Fault]:
    """Yield a warning if the lumped masses have less than half of the body's inertia about a transverse axis.

    - mass (point,) [kg], at (3, point) [m]: masses and positions of the lumps.
    - inertia (3, 3) [kg m^2]: inertia of the body about its centre of mass.
    """
    _, own = about_their_centre(mass, at)
    moments, axes = np.linalg.eigh(own)
    across = np.flatnonzero(moments > FIT * moments[-1])  # without the line, if all points are on one
    parts = [moments[k] / (axes[:, k] @ inertia @ axes[:, k]) for k in across]
    if not parts or min(parts) >= MISSING:
        return
    k = int(np.argmin(parts))
    axis = _axis(axes[:, across[k]])
    text = (
        f"the masses of the points have only {parts[k]:.2g} of the body's inertia about {axis}."
        " The rest must be rotary inertia of these lumped masses"
    )
    yield Fault("points", "short", text, "Check whether the masses describe this body")


def about_their_centre(mass: Any, at: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the centre of mass [m] (3,) of point masses, and their inertia about it [kg m^2] (3, 3).

    mass (point,) [kg], at (3, point) [m]: masses and positions of the points.
    """
    centre = at @ mass / mass.sum()
    arm = at - centre[:, None]
    return centre, np.sum(mass * arm**2) * np.eye(3) - (mass * arm) @ arm.T


def remaining_inertia(mass: Any, arm: Any, inertia: Any) -> np.ndarray:
    """Return the inertia of a body minus the inertia of its lumped masses [kg m^2] (3, 3). Negative principal
    moments of the difference are replaced by zero.

    - mass (point,) [kg], arm (3, point) [m]: masses of the lumps, and positions relative to the centre of
      mass.
    - inertia (3, 3) [kg m^2]: inertia of the body. If the argument is None, the result is zero.
    """
    if inertia is None:
        return np.zeros((3, 3))
    own = np.sum(mass * arm**2) * np.eye(3) - (mass * arm) @ arm.T
    sizes, axes = np.linalg.eigh(inertia - own)
    return (axes * np.maximum(sizes, 0.0)) @ axes.T


def against(points: Sequence[Any], frequency: Any) -> Iterator[Fault]:
    """Yield warnings about points along a line whose modal rotations contradict the modal displacements in
    sign or axis.

    - points: objects with `name`, `at`, `shape` and `turn`.
    - frequency: frequencies of the modes (mode,).
    """
    at = np.array([point.at for point in points], float)
    if len(points) < 2 or not np.ptp(at, axis=0).any():
        return
    line = np.linalg.svd(at - at.mean(0))[2][0]
    along = int(np.argmax(np.abs(line)))
    order = np.argsort(at @ line, kind="stable").tolist()
    shape, turn = (np.array([getattr(points[k], f) for k in order], float) for f in ("shape", "turn"))
    lowest = _lowest(at[order, along], along, shape, turn, frequency)
    if lowest and all(one.exchanged for one in lowest.values()):
        yield _exchanged_axes(along, *next(iter(lowest.items())))
        return
    wrong, steady = _at_places(at[order], shape, turn)
    for across in (k for k in range(3) if k != along):
        found, count = wrong[..., across], int(steady[..., across].sum())
        if found.sum() >= max(FEWEST, THROUGHOUT * count):
            gap, mode = map(int, np.argwhere(found)[0])
            place = f"in mode {mode + 1} between {points[order[gap]].name} and {points[order[gap + 1]].name}"
            yield _contradiction(
                along, across, f"at {found.sum()} of {count_text(count, 'places')}, first {place}"
            )
        elif across in lowest and (one := lowest[across]).against > LEAST_RATIO:
            text = f"in mode {one.mode + 1}: the other sign has 1/{one.against:.3g} of the strain energy"
            yield _contradiction(along, across, text)


def _at_places(at: Any, shape: Any, turn: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return, for each interval, mode and direction, whether rotations contradict the displacements, and
    whether the slopes are steady enough for this decision.

    A rotation t displaces a point at a short distance d by t x d. If the slope is monotonic, the difference
    of displacements therefore lies between the values from the rotations at both ends."""
    way = np.diff(at, axis=0)[:, None]  # (gap, 1, 3)
    moved, first, last = np.diff(shape, axis=0), np.cross(turn[:-1], way), np.cross(turn[1:], way)
    middle = (first + last) / 2
    small, large = (pick(np.abs(first), np.abs(last)) for pick in (np.minimum, np.maximum))
    size = SEEN * np.max(large, (0, 2), keepdims=True)
    steady = (first * last > 0) & (large <= STEADY * small) & (small > size)
    ratio = np.where(steady, moved / np.where(steady, middle, 1.0), 0.0)
    return (ratio >= -STEADY) & (ratio <= -1 / STEADY), steady


class Lowest(NamedTuple):
    """The mode of the lowest frequency that bends in one plane.

    - mode: index of the mode.
    - against: ratio of two strain energies. Both energies use cubic curves through the displacements. The
      first energy uses the given slopes. The second energy has slopes of the opposite sign.
    - exchanged: whether the mode has no slopes in this plane, but its slopes about the other axis agree with
      the displacements.
    """

    mode: int
    against: float
    exchanged: bool


def _lowest(place: Any, along: int, shape: Any, turn: Any, frequency: Any) -> dict[int, Lowest]:
    """Return the lowest mode for each direction of bending. Points are in increasing order along the line.
    The result is {} if there are too few points."""
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
            _bending_energy(place, moved, slope) for slope in (own, -own, 0 * own, other, -other)
        )
        missing = np.max(np.abs(own)) <= SEEN * np.max(np.abs(other))
        fits = np.max(np.abs(other)) > 0 and min(swapped) < none / 2
        found[across] = Lowest(mode, given / turned if turned > 0 else 1.0, bool(missing and fits))
    return found


def _bending_energy(place: Any, moved: Any, slope: Any) -> float:
    """Return the strain energy of a beam of unit stiffness with these displacements and slopes at these
    positions."""
    long = np.diff(place)
    first, last = slope[:-1] - np.diff(moved) / long, slope[1:] - np.diff(moved) / long
    return float(np.sum(2 / long * (first**2 + first * last + last**2)))


def _right_handed(along: int, about: int) -> bool:
    """Whether a positive rotation about an axis is a positive slope along another."""
    return (along - about) % 3 == 1


def of_levels(levels: Sequence[Any], mass: Any) -> Iterator[tuple[Any, Fault]]:
    """Yield (propellant [kg], warning) for implausible changes of modes between two adjacent levels. The
    propellant is at the lower level.

    - levels: modes at each level, the highest level last.
    - mass (level,) [kg]: mass of the body.

    With less mass and the same stiffness, all frequencies must be higher (Rayleigh).
    """
    for k, (low, high) in enumerate(pairwise(levels)):
        at = amount(low.propellant), amount(high.propellant)
        if np.all(np.sort(low.frequency) < (1 - FIT) * np.sort(high.frequency)):
            text = (
                f"all frequencies are lower at {at[0]} of propellant than at {at[1]}, but a lower mass raises"
            )
            remedy = "Check whether the rows have the order of the levels"
            yield low.propellant, Fault("", "frequency", f"{text} frequencies", remedy)
        for fault in _shapes_change(low, high, at, float(np.sqrt(mass[k + 1] / mass[k]))):
            yield low.propellant, fault


def _shapes_change(low: Any, high: Any, at: tuple[str, str], grow: float) -> Iterator[Fault]:
    """Yield warnings about shapes at two levels. grow: expected ratio of displacements, from the lower
    mass."""
    if not low.points:
        return
    a, b = tracking.vectors(high, low)
    sizes = [np.linalg.norm(one, axis=1) / np.sqrt(level.mass) for one, level in ((a, high), (b, low))]
    for n, (one, other) in enumerate(zip(*sizes, strict=True)):
        if not 1 / ALIKE <= other / one <= ALIKE * grow:
            text = (
                f"the displacements of mode {n + 1} are {other / one:.3g} times as large at {at[0]} of"
                f" propellant as at {at[1]}, for the same generalized mass"
            )
            yield Fault("", ("size", n), text, "Check whether both levels have the same normalization")
    square = np.diag(tracking.cosines(a, b)) ** 2
    if np.min(square) < AGREEING:
        text = (
            f"the shapes of mode {np.argmin(square) + 1} at {at[0]} and {at[1]} of propellant have a MAC of"
            f" {np.min(square):.2g} (1: identical). Shapes in between may have an error of 10 %"
        )
        yield Fault("", "shapes", text, "Add a level in between")


def _contradiction(along: int, across: int, where: str) -> Fault:
    about = 3 - along - across
    turn, slope = f"r{'xyz'[about]}", f"d{'xyz'[across]}/d{'xyz'[along]}"
    sign = "" if _right_handed(along, about) else "-"
    text = f"the rotations {turn} contradict the displacements {where}"
    remedy = f"Check the sign of {turn}. Rotations are right-handed: {slope} = {sign}{turn}"
    return Fault("", turn, text, remedy)


def _exchanged_axes(along: int, across: int, lowest: Lowest) -> Fault:
    wrong, right = (f"r{'xyz'[k]}" for k in (across, 3 - along - across))
    text = (
        f"mode {lowest.mode + 1} moves points along {wrong[1]}, but rotates them about {wrong[1]} ({wrong})"
    )
    remedy = (
        f"Bending in this direction rotates points by {right}. Check whether {wrong} and {right} are"
        " exchanged"
    )
    return Fault("", "exchanged", text, remedy)


def _place(at: Any) -> str:
    return "[{}] m".format(", ".join(f"{value:.4g}" for value in np.round(at, 9) + 0.0))


def _axis(axis: Any) -> str:
    k = int(np.argmax(np.abs(axis)))
    if abs(axis[k]) > 1 - FIT:
        return "xyz"[k]
    return "[{}]".format(", ".join(f"{value:.3g}" for value in np.round(axis, 3) + 0.0))
