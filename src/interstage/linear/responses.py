"""Frequency responses, step responses and loop margins of linear equations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..maths.roots import zero_between
from ..tree import units
from ..tree.errors import BadInput, Problem
from ..tree.sentences import sentence
from ..tree.similar_names import near
from ..tree.unit_names import UnitError
from .modes import UNSTABLE

if TYPE_CHECKING:
    from ..studies.linearize.result import Linear
    from .modes import Mode

WIDER = 10.0
"""Ratio between the limits of the default frequency range and the slowest and fastest mode."""
LITTLE = 1e-4
"""Gain of an open loop that counts as zero. Margins up to 80 dB are therefore found."""
MATTERS = 1e-3
"""A mode determines the default frequency range if its contribution to a response at its own frequency
exceeds this fraction of the response.
"""
COUNT, A_DECADE, AROUND = 400, 100, 40
"""Numbers of logarithmically spaced frequencies: smallest total, for each decade, and near each oscillating
mode.
"""
NARROW = 0.02
"""Smallest relative width of the additional frequencies near a mode with small damping."""
MOST_MODES = 30
"""Largest number of modes with additional frequencies. The slowest modes have priority."""
REAL, AT_POLE = 1e-9, 1e-3
"""Two limits of a loop response. A smaller relative imaginary part is a rounding error. A change of sign at a
larger value is a pole, not a zero.
"""
STEADY, NEAR = 1e-3, np.array([-1e-2, -1e-4, -1e-6, 1e-6, 1e-4, 1e-2])
"""Largest relative real part of an imaginary value of s, and relative distances of frequencies that bracket a
change of sign there.
"""
APART = 10.0
"""Divisor for the static gain of a loop: the gain is computed at the lowest frequency divided by this factor,
and by its square.
"""
SAMPLES = 1000
SETTLED, PERIODS, GROWN = 5.0, 10.0, 4.0
"""Duration of step responses: number of time constants of decaying modes, largest number of periods of
oscillating modes, and number of time constants of growing modes.
"""


@dataclass(frozen=True)
class Frequencies:
    """Frequency responses of linear equations.

    - linear: the linear equations.
    - frequencies (frequency,): frequencies [Hz].
    - values (frequency, output, input): complex responses."""

    linear: Linear
    frequencies: np.ndarray
    values: np.ndarray

    @property
    def gain(self) -> np.ndarray:
        """Return the gains (frequency, output, input) [unit of the output / unit of the input]."""
        return np.abs(self.values)

    @property
    def phase(self) -> np.ndarray:
        """Return the phases (frequency, output, input) [rad] without jumps of 2 pi."""
        return np.unwrap(np.angle(self.values), axis=0)


@dataclass(frozen=True)
class Steps:
    """Step responses of linear equations to one unit of each input.

    - linear: the linear equations.
    - times (time,): times since the step [s].
    - values (time, output, input): changes of the outputs."""

    linear: Linear
    times: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Margins:
    """Gain and phase margins of a control loop. A margin is None, or a pair of value and frequency [Hz].

    - loop: name of the control command at which the loop is opened.
    - grows: upper gain margin, the smallest gain factor above 1 that makes the closed loop unstable.
    - falls: lower gain margin, the largest gain factor below 1 that makes the closed loop unstable.
    - phase: phase margin, the smallest phase lag [rad] that makes the closed loop unstable.
    - stable: whether the closed loop is stable.
    - moment: description of the operating point.
    - nothing: true if the control law does not respond, so that no closed loop exists.
    - varied, level: name and value of the input of a root locus, as in `Linear`.
    """

    loop: str
    grows: tuple[float, float] | None
    falls: tuple[float, float] | None
    phase: tuple[float, float] | None
    stable: bool
    moment: str = ""
    nothing: bool = False
    varied: str = ""
    level: float = math.nan


def band_asked_for(linear: Linear) -> tuple[float, float]:
    """Return the default frequency range [Hz] of responses, which covers all modes that contribute to a
    response."""
    own = telling_modes(linear)
    if linear.inputs and linear.outputs:
        parts = _parts(linear)
        while own and not _matters(linear, own[0], parts):
            own = own[1:]
        while own and not _matters(linear, own[-1], parts):
            own = own[:-1]
    sizes = [abs(mode.eigenvalue) / (2 * np.pi) for mode in own] or [1.0]
    return min(sizes) / WIDER, max(sizes) * WIDER


def _parts(linear: Linear) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues of A, and their residues (eigenvalue, output, input) in responses; infinite for defective
    eigenvalues."""
    from scipy.linalg import eig, matrix_balance

    with np.errstate(all="ignore"):
        even, (factors, _) = matrix_balance(linear.A, permute=False, separate=True)
        found: Any = eig(even, left=True, right=True)
        values, left, right = found
        seen, driven = linear.C @ (factors[:, None] * right), np.conj(left).T @ (linear.B / factors[:, None])
        parts = seen.T[:, :, None] * driven[:, None, :] / np.sum(np.conj(left) * right, 0)[:, None, None]
    return values, parts


def _matters(linear: Linear, mode: Mode, parts: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether a mode contributes to a response at its own frequency."""
    values, each = parts
    k = int(np.argmin(np.abs(values - mode.eigenvalue)))
    s = 1j * abs(mode.eigenvalue)
    try:
        whole = linear.transfer(abs(mode.eigenvalue) / (2 * np.pi))[0]
    except BadInput:  # a pole
        return True
    with np.errstate(all="ignore"):
        own = np.abs(each[k] / (s - values[k]))
    return bool(np.any(~(own < MATTERS * np.abs(whole))))


def frequencies(linear: Linear, band: Any = None, telling: np.ndarray | None = None) -> np.ndarray:
    """Return frequencies [Hz] for a response (frequency,), with a small spacing near oscillating modes.
    Raises BadInput.

    band: "LOW:HIGH" or a pair [Hz]. Default: a range that covers the modes. telling: further values of s
    [1/s] that the default range must also cover.
    """
    swings = [mode for mode in linear.modes if not mode.zero]
    more: Any = np.zeros(0, complex) if telling is None else telling
    if band is not None:
        low, high = band_of(band)
    elif telling is None:
        low, high = band_asked_for(linear)
    else:
        sizes = [*np.abs([*(mode.eigenvalue for mode in swings), *more]) / (2 * np.pi)] or [1.0]
        low, high = min(sizes) / WIDER, max(sizes) * WIDER
    found = [np.geomspace(low, high, max(COUNT, math.ceil(A_DECADE * (math.log10(high) - math.log10(low)))))]
    # Densest at the mode itself, where the response changes most.
    part = np.linspace(-1, 1, AROUND) ** 3
    for mode in [mode for mode in swings if mode.oscillates][:MOST_MODES]:
        wide = min(0.5, max(NARROW, 5 * abs(mode.damping)))
        found.append(abs(mode.eigenvalue) / (2 * np.pi) * (1 + wide * part))
    steady = more[(np.abs(more.real) <= STEADY * np.abs(more)) & (more.imag > 0)]
    found += [one * (1 + NEAR) for one in np.abs(steady) / (2 * np.pi)]
    every = np.unique(np.concatenate(found))
    return every[(every >= low) & (every <= high)]


def band_of(band: Any) -> tuple[float, float]:
    """Return the lower and upper frequency [Hz] of a range "LOW:HIGH" or of a pair. Raises BadInput."""
    ends = [part.strip() for part in band.split(":")] if isinstance(band, str) else [*band]
    try:
        low, high = (units.parse_value(end, "Hz") for end in ends)
    except (UnitError, ValueError, TypeError):
        low = high = math.nan
    if not 0 < low < high < math.inf:
        why = " is not a frequency range"
        if 0 < high <= low:
            why = ": both frequencies are the same" if low == high else ": LOW is above HIGH"
        text = f"'{band}'{why}. Write LOW:HIGH with 0 < LOW < HIGH, for example \"0.1 Hz:50 Hz\""
        raise BadInput(Problem("band", text))
    return low, high


def common_band(each: Sequence[Linear]) -> tuple[float, float]:
    """Return the common default frequency range [Hz] of the responses at several operating points."""
    low, high = zip(*map(band_asked_for, each))
    return min(low), max(high)


def bode(linear: Linear, band: Any = None) -> Frequencies:
    """Return the frequency responses of all outputs to all inputs. Raises BadInput without inputs."""
    _refuse_none(linear, "bode")
    at = frequencies(linear, band)
    return Frequencies(linear, at, linear.transfer(at))


def step(linear: Linear, duration: Any = None) -> Steps:
    """Return the exact responses of all outputs to a unit step of each input.

    duration: a time, for example "20 s". Default: a duration that covers the modes. Raises BadInput."""
    from scipy.linalg import expm

    _refuse_none(linear, "step")
    length = _duration(duration) if duration is not None else span(linear)
    count, many = linear.B.shape
    whole = np.zeros((count + many, count + many))
    whole[:count] = np.concatenate([linear.A, linear.B], 1)
    with np.errstate(all="ignore"):  # for overflow of growing modes
        each: Any = expm(whole * length / SAMPLES)
        state, found = np.zeros((count, many)), []
        for _ in range(SAMPLES + 1):
            found.append(linear.C @ state + linear.D)
            state = each[:count, :count] @ state + each[:count, count:]
    values = np.stack(found)
    if not np.all(np.isfinite(values)):
        text = f"the step response overflows within the duration {length:.6g} s. Give a shorter duration"
        raise BadInput(Problem("duration", text))
    return Steps(linear, np.linspace(0, length, SAMPLES + 1), values)


def _duration(duration: Any) -> float:
    try:
        found = units.parse_value(duration, "s")
    except (UnitError, ValueError, TypeError) as error:
        raise BadInput(Problem("duration", f'{sentence(error)} Write a time, for example "20 s"')) from None
    if not 0 < found < math.inf:
        raise BadInput(
            Problem("duration", f"the duration {found:.6g} s is not positive. Give a time above zero")
        )
    return found


def span(linear: Linear) -> float:
    """Return the default duration [s] of step responses, which covers the decay or growth of the modes."""
    return common_span([linear])


def common_span(each: Sequence[Linear]) -> float:
    """Return the common default duration [s] of step responses at several operating points."""
    wanted, grown = zip(*map(_lengths, each))
    return min(max(wanted), *grown)


def _lengths(linear: Linear) -> tuple[float, float]:
    """Wanted duration [s] of step responses, and the time [s] after which a growing mode hides the others."""
    own = telling_modes(linear)
    grown = [-GROWN * mode.time_constant for mode in linear.modes if mode.grows]
    lengths = []
    for mode in [mode for mode in own if mode.growth(linear.slow) in ("", UNSTABLE)] or own:
        settled = SETTLED * mode.time_constant if mode.time_constant > 0 else -GROWN * mode.time_constant
        swung = PERIODS / mode.frequency if mode.oscillates else math.inf
        lengths.append(min(settled, swung))
    return max(lengths, default=10.0), min(grown, default=math.inf)


def telling_modes(linear: Linear) -> list[Mode]:
    """Return the modes that determine the default range of responses: all nonzero modes.

    If the motion accelerates, the equations are valid for a short time only. Slow modes are then omitted.
    """
    own = [mode for mode in linear.modes if not mode.zero]
    if linear.standing.startswith("accelerates"):
        return [mode for mode in own if abs(mode.eigenvalue) * linear.slow >= 1.0]
    return own


def _refuse_none(linear: Linear, what: str) -> None:
    if not linear.inputs:
        bodies, things = [one.name for one in linear.scenario.bodies], {one.thing for one in linear.states}
        body = next((one for one in bodies if f"body {one}" in things), bodies[0])
        text = (
            "the linear equations have no inputs. Set an input, for example --input"
            f" bodies.{body}.torque.y, and set outputs by --output-of"
        )
        raise BadInput(Problem(what, text))


# --- a loop


def open_loop(linear: Linear, loop: str) -> Linear:
    """Return the open loop from a command of the plant to the negative output of the control law.

    The critical point is -1. loop: name of a control command that is both an input and an output. Raises
    BadInput.
    """
    from dataclasses import replace

    both = [name for name in linear.inputs if name in linear.outputs]
    if loop not in both:
        text = f"'{loop}' must be both an input and an output; {near(loop, both, 'loops')}"
        raise BadInput(
            Problem(
                "loop",
                text
                if both
                else f"'{loop}' is not a control command. Give a command, for example controls.hold.y",
            )
        )
    k, row = linear.inputs.index(loop), linear.outputs.index(loop)
    b, c, d = linear.B[:, k : k + 1], linear.C[row : row + 1], linear.D[row, k]
    # The added value is part of the command if d is 1, and separate if d is 0: v = y, or v = y + u.
    if abs(d - 1) > abs(d):
        a, c = linear.A - b @ c / (1 + d), c / (1 + d)
    else:
        a = linear.A - b @ c / d
    only = {"inputs": (loop,), "input_units": (linear.input_units[k],)}
    only |= {"outputs": (f"open loop {loop}",), "output_units": (linear.output_units[row],)}
    return replace(linear, A=a, B=b, C=-c, D=np.zeros((1, 1)), y0=linear.y0[row : row + 1], **only)


def loop_response(linear: Linear, loop: str, band: Any = None) -> Frequencies:
    """Return the frequency response of the open loop at a control command.

    band: frequency range. Default: a range that covers the margins. Raises BadInput."""
    cut = open_loop(linear, loop)
    at = frequencies(cut, band if band is not None else loop_band(linear, loop))
    return Frequencies(cut, at, cut.transfer(at))


def loop_band(linear: Linear, loop: str) -> tuple[float, float]:
    """Return the default frequency range [Hz] of an open loop, which covers its modes and margins."""
    cut = open_loop(linear, loop)
    low, high = band_asked_for(cut)
    some = frequencies(cut, (low, high))
    gained = some[np.abs(cut.transfer(some)[:, 0, 0]) > LITTLE]
    high = min(high, WIDER * float(gained[-1])) if gained.size else high
    found = margins(linear, loop)
    at = [pair[1] for pair in (found.grows, found.falls, found.phase) if pair is not None and pair[1] > 0]
    return min([low, *(f / WIDER for f in at)]), max([high, *(f * WIDER for f in at)])


def margins(linear: Linear, loop: str) -> Margins:
    """Return the gain and phase margins of the loop that is opened at a control command. Raises BadInput."""
    cut = open_loop(linear, loop)
    at = frequencies(cut, None, _telling(cut))
    values: Any = cut.transfer(at)[:, 0, 0]
    stable = not any(mode.growth(linear.slow) == UNSTABLE for mode in linear.modes)
    if not np.any(values):
        return Margins(loop, None, None, None, stable, linear.moment, True, linear.varied, linear.level)

    def of(f: float) -> complex:
        return complex(cut.transfer(f)[0, 0, 0])

    # A response that is real within rounding, such as 1/s^2, has no zero crossing of its imaginary part.
    across = np.where(np.abs(values.imag) > REAL * np.abs(values), values.imag, 0.0)
    through = [(of(f), f) for f in _crossings(at, across, lambda f: of(f).imag)]
    still = _at_rest(of, at[0])
    # The sign also changes at an undamped pole.
    real = [(one.real, f) for one, f in through if abs(one.imag) <= AT_POLE * abs(one)]
    gains = [(-1 / one, f) for one, f in [*real, *([(still, 0.0)] if still else [])] if one < 0]
    with np.errstate(divide="ignore"):
        sizes = np.log(np.abs(values))
    ones = _crossings(at, sizes, lambda f: math.log(abs(of(f))))
    phases = [(float(np.remainder(np.angle(of(f)) + 2 * np.pi, 2 * np.pi) - np.pi), f) for f in ones]
    return Margins(
        loop,
        min((one for one in gains if one[0] > 1), default=None),
        max((one for one in gains if one[0] < 1), default=None),
        min(phases, key=lambda one: abs(one[0]), default=None),
        stable,
        linear.moment,
        varied=linear.varied,
        level=linear.level,
    )


def _telling(cut: Linear) -> np.ndarray:
    """Values of s [1/s] where a loop has a gain of one, is real, or changes its slope.

    They are eigenvalues of 1 - L(s) L(-s), a Hamiltonian matrix (S. Boyd, V. Balakrishnan and P. Kabamba,
    Mathematics of Control, Signals and Systems 2, 1989), and zeros of L(s) - L(-s) and of L(s). Imaginary
    values of the first two kinds are exact."""
    from scipy.linalg import eigvals, matrix_balance

    with np.errstate(invalid="ignore"):  # undefined factors give invalid values
        a, (factors, _) = matrix_balance(cut.A, permute=False, separate=True)
    b, c = cut.B / factors[:, None], cut.C * factors
    even = np.sqrt(np.linalg.norm(b) * np.linalg.norm(c))
    if even == 0:
        return np.zeros(0, complex)
    b, c, none = b * even / np.linalg.norm(b), c * even / np.linalg.norm(c), np.zeros_like(a)
    of_one: Any = eigvals(np.block([[a, b @ b.T], [-c.T @ c, -a.T]]))
    both = np.block([[a, none], [none, -a]]), np.concatenate([b, b]), np.concatenate([c, c], 1)
    found = np.concatenate([of_one, _zeros(a, b, c), _zeros(*both)])
    share = np.abs(found) / (np.linalg.norm(a, 2) + even**2)
    # Infinite values come out large, and zeros small, within rounding.
    return found[(share > REAL) & (share < 1 / REAL)]


def _zeros(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Values of s at which c (s - a)^-1 b is zero."""
    from scipy.linalg import eigvals

    count = len(a)
    whole = np.block([[a, b], [c, np.zeros((1, 1))]])
    found: Any = eigvals(whole, np.diag([*np.ones(count), 0.0]))
    return found[np.isfinite(found)]


def _at_rest(of: Any, low: float) -> float:
    """Static gain of a loop, for disturbances much slower than its modes; 0 if infinite or zero. low: a
    frequency [Hz] below its modes."""
    near, nearer = of(low / APART), of(low / APART**2)
    if abs(near - nearer) >= abs(nearer) / APART:
        return 0.0
    # Its real part is even in the frequency.
    return nearer.real + (nearer - near).real / (APART**2 - 1)


def _crossings(at: np.ndarray, values: np.ndarray, function: Any) -> list[float]:
    """Zero of a function between frequencies at which its signs differ."""
    some = np.flatnonzero(values)
    signs = np.sign(values[some])
    ends = [(float(at[some[k]]), float(at[some[k + 1]])) for k in np.flatnonzero(signs[:-1] != signs[1:])]
    return [zero_between(function, low, high, 1e-12 * low) for low, high in ends]


def pairs(linear: Linear) -> Sequence[tuple[int, int]]:
    """Return the index pairs (output, input) of all responses."""
    return [(o, i) for o in range(len(linear.outputs)) for i in range(len(linear.inputs))]
