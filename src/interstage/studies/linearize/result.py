"""Results: linear equations about operating points."""

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
from ...tree.errors import BadInput, Problem, count_text
from ...tree.units import display

if TYPE_CHECKING:
    from scipy.signal import StateSpace

    from ...drawing.figure import Figure
    from ...linear.responses import Frequencies, Margins, Steps
    from ..trim import Trimmed

STILL = 1e-6
"""Rate [SI] up to which a state counts as constant."""
AT_ONCE = 4_000_000
"""Most entries of matrices that are solved together: 64 MB of complex numbers."""


@dataclass(frozen=True, repr=False)
class Linear:
    """x' = A x + B u, y = C x + D u about an operating point; x, u and y are differences from their values
    there.

    - moment: operating point, in words; time [s].
    - states: names, units and moved items.
    - x0, rates (state,): values and rates at the operating point. If it moves, the equations are for
      differences from that motion.
    - inputs, outputs, input_units, output_units: names and units.
    - y0 (output,): values at the operating point.
    - dependent: dependent coordinates of closed loops.
    - notes: warnings.
    - varied, level: in a series over an input, its name with unit and its value.
    - trimmed: the trim, if there is one.
    - spread: in multi-blade coordinates, relative difference of A between azimuths.
    - driving: driven joints.
    - slow [s]: doubling time above which growth is slow, not unstable.
    - rounding (state,): error of the rates, empty if unknown."""

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
        """Names of the states."""
        return [state.name for state in self.states]

    @property
    def label(self) -> str:
        """The operating point, or the value of the varied input."""
        if not self.varied:
            return self.moment
        name, _, unit = self.varied.partition(" [")
        return f"{name} = {self.level:.6g} {unit.removesuffix(']')}".strip()

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """Its modes, the slowest first."""
        return modes(self.A, [state.unit for state in self.states])

    @property
    def eigenvalues(self) -> np.ndarray:
        """All eigenvalues [1/s], sorted by size."""
        found: Any = np.linalg.eigvals(self.A) if self.A.size else np.zeros(0, complex)
        return found[np.lexsort((found.imag, np.abs(found)))]

    def taking_part(self, mode: Mode) -> dict[str, float]:
        """Participation of each body, joint or model in a mode, the largest first; the sum is 1."""
        return by_thing(mode, [state.thing for state in self.states])

    @property
    def standing(self) -> str:
        """State of motion of the operating point, in words."""
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
        """C (i 2 pi f - A)^-1 B + D at frequencies f [Hz]: complex (frequency, output, input).

        Raises BadInput at the frequency of an undamped mode, such as 0 Hz of a free displacement."""
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
        """Frequency responses of all outputs to all inputs. band: "0.1 Hz:50 Hz". Default: chosen from the
        modes. Raises BadInput without inputs."""
        from ...linear.responses import bode

        return bode(self, band)

    def step(self, duration: Any = None) -> Steps:
        """Step responses of all outputs to each input. duration [s]: default chosen from the modes. Raises
        BadInput without inputs."""
        from ...linear.responses import step

        return step(self, duration)

    def margins(self, loop: str) -> Margins:
        """Gain and phase margins of a loop, opened at a command that is both an input and an output.
        Raises BadInput."""
        from ...linear.responses import margins

        return margins(self, loop)

    def to_scipy(self) -> StateSpace:
        """The equations as `scipy.signal.StateSpace`, for its `bode`, `step`, `lsim` and others. Raises
        BadInput without inputs."""
        if not self.inputs:
            raise BadInput(
                Problem(
                    "inputs",
                    "the linear equations have no inputs, but SciPy's StateSpace needs one. Name an input",
                )
            )
        from scipy.signal import StateSpace

        return StateSpace(self.A, self.B, self.C, self.D)

    # --- files and tables

    def to_netcdf(self, path: str | Path) -> None:
        """Save it as NetCDF."""
        self.as_series().to_netcdf(path)

    def to_mat(self, path: str | Path) -> None:
        """Save it for MATLAB and Octave (.mat): A, B, C, D, x0, and names as cells."""
        from .files import save_mat

        save_mat(path, [self], alone=True)

    def as_series(self) -> Series:
        """A series with this operating point only."""
        return Series((self,))

    def tables(self, units: str = "SI", whole: bool = False) -> list[Table]:
        """Tables of states and modes. whole: list all states and modes, else only a few of many."""
        from .printed import mode_table, state_table

        return [state_table(self, units, whole), mode_table(self, whole)]


class Series(Sequence[Linear]):
    """Linear equations about several operating points, or over the levels of an input, each a `Linear`.

    If all have the same states, their matrices are arrays: A (point, state, state)."""

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
        """Times of the operating points [s] (point,)."""
        return np.array([one.time for one in self.each])

    @property
    def levels(self) -> np.ndarray:
        """Values of the varied input (point,), NaN without one."""
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
        """(point, state, state)."""
        return self._stack("A")

    @property
    def B(self) -> np.ndarray:
        """(point, state, input)."""
        return self._stack("B")

    @property
    def C(self) -> np.ndarray:
        """(point, output, state)."""
        return self._stack("C")

    @property
    def D(self) -> np.ndarray:
        """(point, output, input)."""
        return self._stack("D")

    @property
    def parts(self) -> list[Series]:
        """The series of consecutive operating points with the same states."""
        found: list[list[Linear]] = []
        for one in self.each:
            if found and found[-1][0].names == one.names:
                found[-1].append(one)
            else:
                found.append([one])
        return [Series(some) for some in found]

    def to_netcdf(self, path: str | Path) -> None:
        """Save it as NetCDF: a group for each of `parts`, or no group if there is one."""
        from .files import save_netcdf

        save_netcdf(path, self)

    def to_mat(self, path: str | Path) -> None:
        """Save it for MATLAB and Octave (.mat): a struct for each operating point."""
        from .files import save_mat

        save_mat(path, self.each, alone=False)

    def tables(self, units: str = "SI", whole: bool = False) -> list[Table]:
        """The modes of all operating points as a table."""
        from .printed import series_table

        return [series_table(self, whole)]

    def figure(self, whole: bool = False) -> Figure:
        """Figure of the modes: a root locus over an input, or frequency and damping over time. whole: draw
        all modes, else of many only the slowest and the growing."""
        from .mode_files import mode_figure

        return mode_figure(self, whole)


def motion_text(names: tuple[str, ...]) -> str:
    """State of motion of a scenario in which only driven joints move, in words."""
    one = len(names) == 1
    return f"moves because joint{'' if one else 's'} {' and '.join(names)} {'is' if one else 'are'} driven"
