"""Periodic linear equations and their Floquet multipliers (G. Floquet, 1883).

The transition matrix Phi satisfies Phi' = A(t) Phi with Phi = 1 at the start. After a period T, x(T) is
therefore Phi(T) x(0). The eigenvalues of Phi(T), the multipliers, determine stability. A is sampled at evenly
spaced times of the period and interpolated by its Fourier series. Phi is a product of matrix exponentials by
the Magnus method of order six at Gauss points (S. Blanes, F. Casas, J. A. Oteo, J. Ros, Physics Reports 470,
2009, section 5).
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ...drawing.table import Table
from ...linear.conditions import ROUNDINGS
from ...linear.matrices import Group
from ...linear.modes import SLOW, UNDAMPED, Mode, by_thing, growth, modes
from ...linear.moments import moments
from ...linear.points import Course, Point
from ...linear.shaft import turning
from ...linear.system import System
from ...tree import units
from ...tree.errors import BadInput, Problem
from ...tree.sentences import sentence
from ...tree.unit_names import UnitError
from .result import Linear, Series

TURN = "turn"
FEWEST, MOST = 32, 1024
"""Initial and largest number of samples of A in a period, and of integration steps."""
KNOWN_ERROR = 1e-10
"""Allowed error of the interpolated A and of the monodromy matrix, relative to the largest entry. Above this
error, samples are added.
"""
ORDER = 6
SMALL, TERMS = 0.5, 14
"""Largest norm of a matrix whose exponential is computed by the power series, and number of terms. The
truncation error is 0.5^15/15! = 2e-17.
"""
AGAIN = 1e-6
"""Allowed relative difference of A and of the rates at the start and the end of a period. This limit covers
the numerical error of a flight.
"""
ROUNDED = 1e-12
"""A relative change of the monodromy matrix below this number counts as rounding. Below this change, no order
of convergence is observed.
"""


@dataclass(frozen=True)
class PeriodicMode:
    """One mode of a periodic motion.

    - mode: mode of the monodromy matrix, with shape and participation at the start of the period.
    - period: period of the motion [s].
    - accuracy: relative error of the monodromy matrix.
    """

    mode: Mode
    period: float
    accuracy: float

    @property
    def within(self) -> float:
        """Return the error of the Floquet multiplier."""
        return max(self.mode.least, ROUNDINGS * self.accuracy * self.mode.condition)

    @property
    def multiplier(self) -> complex:
        """Return the Floquet multiplier: the factor by which the mode changes over one period."""
        return self.mode.eigenvalue

    @property
    def stays(self) -> bool:
        """Return whether the multiplier is 1 within its error. An example is the displacement of a free
        body.
        """
        return abs(self.multiplier - 1) <= self.within

    @property
    def gone(self) -> bool:
        """Return whether the multiplier is zero within its error."""
        return not self.stays and abs(self.multiplier) <= self.within

    @property
    def exponent(self) -> complex:
        """Return the characteristic exponent [1/s].

        The imaginary part of the exponent is unique only up to multiples of 2 pi / period; the smallest is
        returned. The exponent is minus infinity for a multiplier of zero.
        """
        if self.stays:
            return 0j
        if self.gone:
            return complex(-math.inf, 0)
        return cmath.log(self.multiplier) / self.period

    @property
    def frequency(self) -> float:
        """Return the frequency [Hz] of the mode. The multiplier determines the frequency only up to multiples
        of 1 / period; the smallest frequency is returned.
        """
        return abs(self.exponent.imag) / (2 * math.pi)

    @property
    def damping(self) -> float:
        """Return the damping ratio at `frequency`. The ratio is NaN for the multipliers 1 and 0."""
        return math.nan if self.stays or self.gone else -self.exponent.real / abs(self.exponent)

    @property
    def time_constant(self) -> float:
        """Return the time [s] in which the mode decays to 1/e. The time is negative for a growing mode, and
        infinite for a multiplier of magnitude 1.
        """
        real = self.exponent.real
        within = abs(abs(self.multiplier) - 1) <= max(self.within, UNDAMPED)
        return math.inf if self.stays or within else -1.0 / real

    @property
    def grows(self) -> bool:
        """Return whether the mode grows by more than its numerical error."""
        return self.time_constant < 0

    def growth(self, slow: float = SLOW) -> str:
        """Return the kind of growth: "unstable"; "slow" if the doubling time is above `slow` [s]; "" if the
        mode does not grow.
        """
        return growth(self.time_constant, slow)


@dataclass(frozen=True, repr=False)
class Periodic:
    """Linear equations of a periodic motion over one period.

    - series: linear equations at evenly spaced times of the period, including the end.
    - period: period of the motion [s].
    - monodromy (state, state): transition matrix over the period.
    - accuracy: error of the monodromy matrix relative to its largest entry.
    - order: observed order of convergence of the integration method; NaN if the differences are only
      rounding.
    - moment: start of the period in words.
    - notes: warnings and notes on the accuracy.
    - trimmed: result of the trim, or None.
    """

    series: Series
    period: float
    monodromy: np.ndarray
    accuracy: float
    order: float
    moment: str
    notes: tuple[str, ...] = ()
    trimmed: Any = None

    def __repr__(self) -> str:
        return f"<Periodic {self.period:.6g} s: {len(self.series) - 1} steps, {len(self.modes)} modes>"

    @property
    def names(self) -> list[str]:
        """Return the names of the states."""
        return self.series[0].names

    @property
    def scenario(self) -> Any:
        """Return the linearized scenario."""
        return self.series[0].scenario

    @property
    def times(self) -> np.ndarray:
        """Return the times (step,) of the equations, from the start of the period [s]."""
        return np.linspace(0.0, self.period, len(self.series))

    @property
    def A(self) -> np.ndarray:
        """Return the matrices A (step, state, state) at the times of the period, in SI."""
        return self.series.A

    @property
    def multipliers(self) -> np.ndarray:
        """Return the Floquet multipliers (state,): the eigenvalues of the monodromy matrix, sorted by
        magnitude, the largest first.
        """
        found: Any = np.linalg.eigvals(self.monodromy)
        return found[np.lexsort((found.imag, -np.abs(found)))]

    @cached_property
    def modes(self) -> tuple[PeriodicMode, ...]:
        """Return the modes, the least damped mode first. A complex pair of multipliers is one mode."""
        units = [state.unit for state in self.series[0].states]
        found = [PeriodicMode(one, self.period, self.accuracy) for one in modes(self.monodromy, units)]
        return tuple(sorted(found, key=lambda one: -abs(one.multiplier)))

    def taking_part(self, mode: PeriodicMode) -> dict[str, float]:
        """Return the participation of each body, joint or model in a mode, the largest first. The sum is
        1.
        """
        return by_thing(mode.mode, [state.thing for state in self.series[0].states])

    def to_netcdf(self, path: str | Path) -> None:
        """Save the equations, the monodromy matrix and the multipliers to a NetCDF file (.nc). Raises
        BadInput.
        """
        from .files import save_periodic_netcdf

        save_periodic_netcdf(path, self)

    def to_mat(self, path: str | Path) -> None:
        """Save the equations, the monodromy matrix and the multipliers to a .mat file for MATLAB and Octave.
        Raises BadInput.
        """
        from .files import save_periodic_mat

        save_periodic_mat(path, self)

    def tables(self, units: str = "SI", whole: bool = False) -> list[Table]:
        """Return a table of the states at the start of the period, and a table of the modes.

        units: "SI" or "US". whole: whether long tables list all states and modes.
        """
        from .printed import periodic_table, state_table

        return [state_table(self.series[0], units, whole), periodic_table(self, whole)]


def periodic(
    system: System, course: Course, at: Any, period: Any, about: Callable[[Sequence[Point]], list[Linear]]
) -> Periodic:
    """Return the linear equations over a period that starts at a time or event of a flight.

    - at: time [s] or event of the start.
    - period: period [s], or "turn" for one revolution of the rotor.
    - about: function that returns the linear equations about operating points.

    Raises BadInput.
    """
    if period == TURN:
        (first,) = course.points(moments(at))
        length, sample = _rotor_samples(system, first, about)
        what = "The rotor was rotated by one revolution, without a flight"
    else:
        length, sample = _flown(course, at, period, about)
        what = "The motion was simulated for one period"
    count = FEWEST
    while True:
        try:
            each = sample(count)
        except _GoesElsewhere as why:
            length, sample = _flown(course, at, length, about)
            what = f"{why}. Therefore, one revolution was simulated"
            continue
        _check_again(each)
        a = np.stack([one.A for one in each])
        between = _between(a[:-1])
        if between <= KNOWN_ERROR or count >= MOST:
            break
        count *= 2
    phi, accuracy, order, steps = _monodromy(a[:-1], length)
    again = float(np.max(np.abs(a[-1] - a[0]), initial=0.0) / np.max(np.abs(a), initial=1e-300))
    accuracy_note = (
        f"{what}. The period is {length:.6g} s. The monodromy matrix was computed in {steps} steps"
    )
    accuracy_note += f" from the matrix A at {count} times. The error of the monodromy matrix is"
    accuracy_note += f" {accuracy:.1g} of its largest entry"
    accuracy_note += "." if math.isnan(order) else f", and the observed order of convergence is {order:.2g}."
    notes = [*each[0].notes, accuracy_note]
    if max(between, again) > KNOWN_ERROR:
        known = f"The interpolation error of the matrix A is {between:.1g} of its largest entry"
        notes.append(
            f"{known}. Between the beginning and the end of the period, A changes by {again:.1g} of its"
            " largest entry."
        )
    return Periodic(
        Series(each), length, phi, max(accuracy, between, again), order, each[0].moment, tuple(notes)
    )


def _at(a: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """A at other fractions of the period by its harmonics, from A (count, state, state) at even times."""
    count = len(a)
    found = np.fft.rfft(a, axis=0) / count
    number = np.arange(len(found))
    twice = np.where((number == 0) | (2 * number == count), 1.0, 2.0)
    waves = twice * np.exp(2j * np.pi * np.outer(parts, number))
    return np.real(np.tensordot(waves, found, 1))


def _between(a: np.ndarray) -> float:
    """Interpolation error of A relative to its largest entry, from every second sample."""
    parts = np.arange(1, len(a), 2) / len(a)
    largest = float(np.max(np.abs(a), initial=0.0)) or 1.0
    return float(np.max(np.abs(_at(a[::2], parts) - a[1::2]), initial=0.0)) / largest


def _monodromy(a: np.ndarray, period: float) -> tuple[np.ndarray, float, float, int]:
    """(monodromy, error relative to its largest entry, observed order, steps)."""
    steps = FEWEST
    found = [monodromy(a, period, steps // 4), monodromy(a, period, steps // 2)]
    while True:
        found = [*found[-2:], monodromy(a, period, steps)]
        accuracy, order = _observed_error(found[::-1])
        if accuracy <= KNOWN_ERROR or steps >= MOST:
            return found[-1], accuracy, order, steps
        steps *= 2


def monodromy(a: np.ndarray, period: float, steps: int) -> np.ndarray:
    """Return the monodromy matrix (state, state): the state transition matrix over one period [s].

    - a (count, state, state): system matrices A at the times k period / count, k = 0 ... count - 1. The end
      of the period is excluded.
    - period: period [s].
    - steps: number of integration steps.
    """
    return transition_matrix(_at(a, gauss_times(steps)).reshape(steps, 3, *a.shape[1:]), period)


def gauss_times(steps: int) -> np.ndarray:
    """Return the three Gauss points of each of `steps` equal integration steps, (3 * steps,), as fractions
    of the period.
    """
    root = math.sqrt(15)
    return ((np.arange(steps)[:, None] + 0.5 + np.array([-root, 0.0, root]) / 10) / steps).reshape(-1)


def transition_matrix(a: np.ndarray, period: float) -> np.ndarray:
    """Return the transition matrix (state, state) over a period [s].

    a (step, 3, state, state): matrices A at the Gauss points of each integration step.
    """
    h = period / len(a)
    first, second, third = np.moveaxis(a, 1, 0)
    slope = math.sqrt(15) * h / 3 * (third - first)
    mean, bend = h * second, 10 * h / 3 * (third - 2 * second + first)
    one = _commutator(mean, slope)
    two = -_commutator(mean, 2 * bend + one) / 60
    each = _exponentials(mean + bend / 12 + _commutator(-20 * mean - bend + one, slope + two) / 240)
    whole = np.eye(a.shape[-1])
    for turn in each:
        whole = turn @ whole
    return whole


def _exponentials(a: np.ndarray) -> np.ndarray:
    """Exponentials of matrices (step, state, state) by scaling, Taylor series and squaring (N. J. Higham,
    Functions of Matrices, 2008, section 10.3)."""
    size = float(np.max(np.sum(np.abs(a), 1), initial=0.0))
    halvings = max(0, math.ceil(math.log2(size / SMALL))) if size > SMALL else 0
    a = a / 2**halvings
    one = np.broadcast_to(np.eye(a.shape[-1]), a.shape)
    found = one
    for k in range(TERMS, 0, -1):
        found = one + a @ found / k
    for _ in range(halvings):
        found = found @ found
    return found


def _commutator(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a @ b - b @ a


def _observed_error(found: Sequence[np.ndarray]) -> tuple[float, float]:
    """(relative error of the first, order) of monodromies with steps of single, double and fourfold
    length."""
    largest = float(np.max(np.abs(found[0]), initial=0.0)) or 1.0
    near, far = (float(np.max(np.abs(a - b), initial=0.0)) / largest for a, b in pairwise(found))
    order = math.log2(far / near) if near > ROUNDED else math.nan
    return near / (2**ORDER - 1), order


# --- samples of A


def _rotor_samples(
    system: System, first: Point, about: Callable[[Sequence[Point]], list[Linear]]
) -> tuple[float, Callable[[int], list[Linear]]]:
    """The period, and a function that samples A for a rotor that is rotated without a flight."""
    if not system.shaft:
        text = "needs the joint that turns the rotor. Set 'shaft' to the joint, or give the period as a time"
        raise BadInput(Problem("period", f"the period '{TURN}' {text}"))
    group = Group(system, [first])
    turned = turning(group.tree, group.shaft, about([first])[0])

    def sample(count: int) -> list[Linear]:
        turns = np.sign(turned.rate) * 2 * np.pi * np.arange(count + 1) / count
        each = about([replace(first, turn=float(turn)) for turn in turns])
        _check_going_on(each, turns)
        length = abs(2 * np.pi / turned.rate)
        return [
            replace(
                one,
                time=first.time + length * k / count,
                moment=f"with the rotor turned by {math.degrees(turn):.6g} deg",
            )
            if k
            else one
            for k, (one, turn) in enumerate(zip(each, turns, strict=True))
        ]

    return abs(2 * np.pi / turned.rate), sample


def _flown(
    course: Course, at: Any, period: Any, about: Callable[[Sequence[Point]], list[Linear]]
) -> tuple[float, Callable[[int], list[Linear]]]:
    """The same for a flight from a time or event."""
    length = _time(period)
    (first,) = course.points(moments(at))

    def sample(count: int) -> list[Linear]:
        times = first.time + length * np.arange(1, count + 1) / count
        return about([first, *course.over(times)])

    return length, sample


def _time(period: Any) -> float:
    try:
        length = units.parse_value(period, "s")
    except (UnitError, ValueError, TypeError) as error:
        text = f"{sentence(error)} Write '{TURN}' together with a shaft, or a time such as \"0.5 s\""
        raise BadInput(Problem("period", text)) from None
    if not (math.isfinite(length) and length > 0):
        raise BadInput(
            Problem("period", f"the period {length:.6g} s is not positive. Give a time above zero")
        )
    return length


# --- checks of periodicity


class _GoesElsewhere(Exception):
    """The motion of a rotated rotor is not steady; the text names the state."""


def _check_going_on(each: Sequence[Linear], turns: np.ndarray) -> None:
    """Check that the motion of a rotated rotor is steady. Raises _GoesElsewhere."""
    kept = [k for k, state in enumerate(each[0].states) if state.kind != "coordinate"]
    first = each[0].rates[kept]
    off = np.stack([np.abs(one.rates[kept] - first) for one in each])
    if not off.size:
        return
    step, row = (int(k) for k in np.unravel_index(int(np.argmax(off)), off.shape))
    scale = max(1.0, float(np.max(np.abs(each[0].A), initial=0.0)))
    if off[step, row] > AGAIN * scale:
        state = each[0].states[kept[row]]
        raise _GoesElsewhere(
            f"The motion is not steady: with the rotor turned by {math.degrees(turns[step]):.4g} deg,"
            f" the state {state.name} changes by {each[step].rates[kept[row]]:.4g} per s,"
            f" compared with {first[row]:.4g} per s without this rotation"
        )


def _check_again(each: Sequence[Linear]) -> None:
    """Refuse equations that differ between the end and the beginning of the period. Raises BadInput."""
    first, last = each[0], each[-1]
    if first.names != last.names:
        text = (
            "the active joints at the end and the beginning of the period differ. Choose a period"
            " without events"
        )
        raise BadInput(Problem("period", text))
    off, largest = np.abs(last.A - first.A), float(np.max(np.abs(first.A), initial=0.0))
    if np.max(off, initial=0.0) > AGAIN * largest:
        row = int(np.unravel_index(int(np.argmax(off)), off.shape)[0])
        text = (
            "the matrix A at the end of the period differs from A at the beginning. The row of the state"
            f" {first.names[row]} differs by {np.max(off) / largest:.2g} of the largest entry."
            " Give a period after which the motion repeats"
        )
        raise BadInput(Problem("period", text))
