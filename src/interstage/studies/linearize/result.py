"""Results of a linearization: linear equations about one or several operating points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...drawing.table import Table
from ...linear.matrices import State
from ...linear.modes import SLOW, Mode, by_thing, modes
from ...tree.errors import BadInput, Problem
from ...tree.sentences import count_text
from ...tree.units import display

if TYPE_CHECKING:
    from scipy.signal import StateSpace

    from ...drawing.figure import Figure
    from ...linear.responses import Frequencies, Margins, Steps
    from ..trim import Trimmed

STILL = 1e-6
"""Magnitude of a rate [SI] up to which a state counts as constant."""
AT_ONCE = 4_000_000
"""Largest total number of matrix entries that are solved together, 64 MB of complex numbers."""


@dataclass(frozen=True, repr=False)
class Linear:
    """Linear equations x' = A x + B u, y = C x + D u about an operating point.

    The states x, inputs u and outputs y are differences from the values at the operating point. If the
    mechanism moves at the operating point, states are differences from the undisturbed motion.

    - scenario: the linearized scenario.
    - moment: operating point in words, for example "at the start".
    - time: time of the operating point [s].
    - states: names and units of the states, and the body, joint or model to which each state belongs.
    - inputs, outputs, input_units, output_units: names and SI units of the inputs and outputs.
    - A (state, state), B (state, input), C (output, state), D (output, input): matrices in SI.
    - x0, rates (state,): values and rates of the states at the operating point.
    - y0 (output,): values of the outputs at the operating point.
    - dependent: names of dependent coordinates of closed kinematic loops.
    - notes: warnings.
    - varied, level: for a root locus, the name of the varied input with its unit, and its value.
    - trimmed: result of the trim, or None.
    - spread: for multi-blade coordinates, the relative difference of A between azimuths.
    - driving: names of the driven joints.
    - slow: doubling time [s] above which a growing mode counts as slow, not as unstable.
    - rounding (state,): numerical error of the rates; empty if unknown.
    """

    scenario: Any
    moment: str
    time: float
    states: tuple[State, ...]
    inputs: tuple[str, ...]
    input_units: tuple[str, ...]
    outputs: tuple[str, ...]
    output_units: tuple[str, ...]
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    x0: np.ndarray
    rates: np.ndarray
    y0: np.ndarray
    dependent: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    varied: str = ""
    level: float = np.nan
    trimmed: Trimmed | None = None
    spread: float = np.nan
    driving: tuple[str, ...] = ()
    slow: float = SLOW
    rounding: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def __repr__(self) -> str:
        counts = {what: len(getattr(self, what)) for what in ("states", "inputs", "outputs")}
        sizes = ", ".join(count_text(count, what) for what, count in counts.items())
        return f"<Linear {self.moment}: {sizes}; {self.standing}>"

    @property
    def names(self) -> list[str]:
        """Return the names of the states."""
        return [state.name for state in self.states]

    @property
    def label(self) -> str:
        """Return the operating point in words. For a root locus, return the name and the value of the varied
        input.
        """
        if not self.varied:
            return self.moment
        name, _, unit = self.varied.partition(" [")
        return f"{name} = {self.level:.6g} {unit.removesuffix(']')}".strip()

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """Return the modes, the slowest mode first. A complex pair of eigenvalues is one mode."""
        return modes(self.A, [state.unit for state in self.states])

    @property
    def eigenvalues(self) -> np.ndarray:
        """Return all eigenvalues (state,) [1/s], sorted by magnitude."""
        found: Any = np.linalg.eigvals(self.A) if self.A.size else np.zeros(0, complex)
        return found[np.lexsort((found.imag, np.abs(found)))]

    def taking_part(self, mode: Mode) -> dict[str, float]:
        """Return the participation of each body, joint or model in a mode, the largest first. The sum is
        1.
        """
        return by_thing(mode, [state.thing for state in self.states])

    @property
    def standing(self) -> str:
        """Return the motion at the operating point in words, for example "rests", "moves steadily" or
        "accelerates: ...".
        """
        ways = {"rate": "accelerates", "part": "changes", "coordinate": ""}
        known = self.rounding if len(self.rounding) == len(self.states) else np.zeros(len(self.states))
        still = np.maximum(known, STILL)
        for kind, way in ways.items():
            rates = [k for k, state in enumerate(self.states) if state.kind == kind]
            moving = [k for k in rates if not abs(self.rates[k]) <= still[k]]
            largest = max(moving, key=lambda k: abs(self.rates[k]), default=None)
            if largest is None:
                continue
            if not way:
                return "moves steadily"
            state = self.states[largest]
            rate = f"{state.unit}/s" if state.unit else "1/s"
            factor, unit = display(rate.replace("/s/s", "/s^2"), self.scenario.units)
            return f"{way}: {state.name} by {self.rates[largest] * factor:.6g} {unit}"
        return motion_text(self.driving) if self.driving else "rests"

    # --- responses

    def transfer(self, frequencies: Any) -> np.ndarray:
        """Return the frequency responses C (i 2 pi f - A)^-1 B + D, complex (frequency, output, input).

        frequencies (frequency,): frequencies f [Hz]. Raises BadInput if a frequency equals the frequency of
        an undamped mode, for example 0 Hz for the displacement of a free body.
        """
        s = 2j * np.pi * np.atleast_1d(np.asarray(frequencies, float))
        some = max(1, AT_ONCE // max(1, self.A.size))
        try:
            inner = [self._inner(s[k : k + some]) for k in range(0, max(1, len(s)), some)]
        except np.linalg.LinAlgError:
            text = "one frequency is the frequency of an undamped mode, where the response is infinite"
            raise BadInput(Problem("frequencies", f"{text}. Choose another frequency")) from None
        return self.C @ np.concatenate(inner) + self.D

    def _inner(self, s: np.ndarray) -> np.ndarray:
        whole = s[:, None, None] * np.eye(len(self.states)) - self.A
        return np.linalg.solve(whole, np.broadcast_to(self.B, (len(s), *self.B.shape)))

    def bode(self, band: Any = None) -> Frequencies:
        """Return the frequency responses of all outputs to all inputs.

        band: frequency range, for example "0.1 Hz:50 Hz". Default: a range that covers the modes. Raises
        BadInput without inputs."""
        from ...linear.responses import bode

        return bode(self, band)

    def step(self, duration: Any = None) -> Steps:
        """Return the responses of all outputs to a unit step of each input.

        duration: a time [s], or a text with a unit. Default: a duration that covers the modes. Raises
        BadInput without inputs."""
        from ...linear.responses import step

        return step(self, duration)

    def margins(self, loop: str) -> Margins:
        """Return the gain and phase margins of the control loop that is opened at a control command.

        loop: name of a command that is both an input and an output. Raises BadInput."""
        from ...linear.responses import margins

        return margins(self, loop)

    def to_scipy(self) -> StateSpace:
        """Return the equations as a `scipy.signal.StateSpace`. Raises BadInput without inputs."""
        if not self.inputs:
            raise BadInput(
                Problem(
                    "inputs",
                    "the linear equations have no inputs, but SciPy's StateSpace needs an input. Set inputs",
                )
            )
        from scipy.signal import StateSpace

        return StateSpace(self.A, self.B, self.C, self.D)

    # --- files and tables

    def to_netcdf(self, path: str | Path) -> None:
        """Save the linear equations to a NetCDF file (.nc). Raises BadInput."""
        self.as_series().to_netcdf(path)

    def to_mat(self, path: str | Path) -> None:
        """Save the linear equations to a .mat file for MATLAB and Octave. The file contains A, B, C, D, x0,
        and the names as cell arrays.
        """
        from .files import save_mat

        save_mat(path, [self], alone=True)

    def as_series(self) -> Series:
        """Return a series with only this operating point."""
        return Series((self,))

    def tables(self, units: str = "SI", whole: bool = False) -> list[Table]:
        """Return a table of the states and a table of the modes.

        units: "SI" or "US". whole: whether long tables list all states and modes. Default: a selection.
        """
        from .printed import mode_table, state_table

        return [state_table(self, units, whole), mode_table(self, whole)]


class Series(Sequence[Linear]):
    """Sequence of linear equations (`Linear`) about several operating points, or for several values of an
    input.

    If all operating points have the same states, the properties A, B, C and D are arrays over all points.
    """

    def __init__(self, each: Sequence[Linear]):
        self.each = tuple(each)

    def __getitem__(self, number: Any) -> Any:
        return self.each[number]

    def __len__(self) -> int:
        return len(self.each)

    def __iter__(self) -> Iterator[Linear]:
        return iter(self.each)

    def __repr__(self) -> str:
        first, last = self.each[0], self.each[-1]
        if first.varied:
            return f"<Series of {len(self)} over {first.varied} from {first.level:.6g} to {last.level:.6g}>"
        return f"<Series of {len(self)} from {first.time:.6g} s to {last.time:.6g} s>"

    @property
    def times(self) -> np.ndarray:
        """Return the times (point,) of the operating points [s]."""
        return np.array([one.time for one in self.each])

    @property
    def levels(self) -> np.ndarray:
        """Return the values (point,) of the varied input, in the unit in `Linear.varied`. The values are NaN
        without a varied input.
        """
        return np.array([one.level for one in self.each])

    def _stack(self, name: str) -> np.ndarray:
        first = self.each[0].names
        other = next((one for one in self.each if one.names != first), None)
        if other is not None:
            new = [name for name in other.names if name not in first] or other.names
            remedy = "Use Series.parts, in which all operating points have the same states"
            if self.each[0].dependent and other.dependent:
                remedy += ", or set coordinates that are valid at all operating points"
            text = f"the states {other.moment} differ from the states {self.each[0].moment}, for example"
            raise BadInput(Problem("at", f"{text} '{new[0]}'. {remedy}"))
        return np.stack([getattr(one, name) for one in self.each])

    @property
    def A(self) -> np.ndarray:
        """Return the matrices A (point, state, state). Raises BadInput if the states differ."""
        return self._stack("A")

    @property
    def B(self) -> np.ndarray:
        """Return the matrices B (point, state, input). Raises BadInput if the states differ."""
        return self._stack("B")

    @property
    def C(self) -> np.ndarray:
        """Return the matrices C (point, output, state). Raises BadInput if the states differ."""
        return self._stack("C")

    @property
    def D(self) -> np.ndarray:
        """Return the matrices D (point, output, input). Raises BadInput if the states differ."""
        return self._stack("D")

    @property
    def parts(self) -> list[Series]:
        """Split the series into series of consecutive operating points with the same states."""
        found: list[list[Linear]] = []
        for one in self.each:
            if found and found[-1][0].names == one.names:
                found[-1].append(one)
            else:
                found.append([one])
        return [Series(some) for some in found]

    def to_netcdf(self, path: str | Path) -> None:
        """Save the series to a NetCDF file (.nc), with one group for each series in `parts`. Raises
        BadInput.
        """
        from .files import save_netcdf

        save_netcdf(path, self)

    def to_mat(self, path: str | Path) -> None:
        """Save the series to a .mat file for MATLAB and Octave, with one struct for each operating point.
        Raises BadInput.
        """
        from .files import save_mat

        save_mat(path, self.each, alone=False)

    def tables(self, units: str = "SI", whole: bool = False) -> list[Table]:
        """Return a list with one table of the modes at all operating points.

        whole: whether each row lists all modes. Default: if there are many modes, a selection.
        """
        from .printed import series_table

        return [series_table(self, whole)]

    def figure(self, whole: bool = False) -> Figure:
        """Return a figure of the modes: a root locus over an input, or frequency and damping over time.

        whole: whether the figure shows all modes. Default: the slowest and all growing modes."""
        from .mode_files import mode_figure

        return mode_figure(self, whole)


def motion_text(names: tuple[str, ...]) -> str:
    """Return a text about the motion of a scenario in which only driven joints move. names: names of these
    joints.
    """
    one = len(names) == 1
    return f"moves because joint{'' if one else 's'} {' and '.join(names)} {'is' if one else 'are'} driven"
