"""Linear equations about operating points, as they are handed out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...drawing.table import Table
from ...tree.errors import BadInput, Problem, counted
from ...tree.units import display
from .matrices import State
from .modes import SLOW, Mode, by_thing, modes

if TYPE_CHECKING:
    from scipy.signal import StateSpace

    from ...drawing.figure import Figure
    from ..trim import Trimmed
    from .responses import Frequencies, Margins, Steps

STILL = 1e-6
"""Rate [SI] up to which a state counts as standing still."""
AT_ONCE = 4_000_000
"""Entries of matrices that are solved at once: 64 MB of complex numbers."""


@dataclass(frozen=True, repr=False)
class Linear:
    """x' = A x + B u, y = C x + D u about an operating point: x, u and y count from their values there.

    moment: when it is, in words; time [s]. states: names, units, and what moves by each. x0, rates (state,):
    their values and rates there; of a motion that is no rest the equations are those of what it differs by
    as it goes on. inputs, outputs: names; units of both. y0 (output,): values there. dependent: coordinates
    that loops make follow from the others. notes: what to know of it. varied, level: of a series over an
    input, its name with the unit, and its value here. trimmed: what was found, of a trim. spread: in multi-
    blade coordinates, how far A differs at several azimuths, of its largest entry. driving: joints that drive
    what they hold. slow [s]: what takes longer to double grows slowly, and makes nothing unstable. rounding
    (state,): what the rates are known to, none where that is not known."""

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
        sizes = ", ".join(counted(count, what) for what, count in counts.items())
        return f"<Linear {self.moment}: {sizes}; {self.standing}>"

    @property
    def names(self) -> list[str]:
        """Names of the states."""
        return [state.name for state in self.states]

    @property
    def label(self) -> str:
        """The moment, or the value of the input of a series over one."""
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
        """All eigenvalues [1/s], those of pairs both, sorted by size."""
        found: Any = np.linalg.eigvals(self.A) if self.A.size else np.zeros(0, complex)
        return found[np.lexsort((found.imag, np.abs(found)))]

    def taking_part(self, mode: Mode) -> dict[str, float]:
        """How much each body, joint or part takes part in a mode, the most first; they sum to 1."""
        return by_thing(mode, [state.thing for state in self.states])

    @property
    def standing(self) -> str:
        """Whether the operating point rests, in words."""
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
        return moved(self.driving) if self.driving else "rests"

    # --- responses

    def transfer(self, frequencies: Any) -> np.ndarray:
        """C (i 2 pi f - A)^-1 B + D at frequencies f [Hz]: complex (frequency, output, input). Raises
        BadInput where one of them is that of a mode without damping, such as 0 Hz of what nothing holds."""
        s = 2j * np.pi * np.atleast_1d(np.asarray(frequencies, float))
        some = max(1, AT_ONCE // max(1, self.A.size))
        try:
            inner = [self._inner(s[k : k + some]) for k in range(0, max(1, len(s)), some)]
        except np.linalg.LinAlgError:
            text = "is infinite at the frequency of an undamped mode. Choose another frequency"
            raise BadInput(Problem("frequencies", f"contain a pole: the response {text}")) from None
        return self.C @ np.concatenate(inner) + self.D

    def _inner(self, s: np.ndarray) -> np.ndarray:
        whole = s[:, None, None] * np.eye(len(self.states)) - self.A
        return np.linalg.solve(whole, np.broadcast_to(self.B, (len(s), *self.B.shape)))

    def bode(self, band: Any = None) -> Frequencies:
        """Frequency responses of all outputs to all inputs, at frequencies chosen by the modes, or over a
        band, "0.1 Hz:50 Hz". Raises BadInput without inputs."""
        from .responses import bode

        return bode(self, band)

    def step(self, duration: Any = None) -> Steps:
        """What outputs do after a step of each input, for so long [s], or as the modes ask for. Raises
        BadInput without inputs."""
        from .responses import step

        return step(self, duration)

    def margins(self, loop: str) -> Margins:
        """Gain and phase margins of a loop, cut open at a command that is both an input and an output. Raises
        BadInput."""
        from .responses import margins

        return margins(self, loop)

    def to_scipy(self) -> StateSpace:
        """As `scipy.signal.StateSpace`, for its `bode`, `step`, `lsim` and others. Raises BadInput where
        there are no inputs, which it does not take."""
        if not self.inputs:
            raise BadInput(
                Problem("inputs", "is empty, but SciPy's StateSpace needs inputs. Name at least one")
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
        """As the only one of a series."""
        return Series((self,))

    def tables(self, units: str = "SI", whole: bool = False) -> list[Table]:
        """Its states and modes as tables, where there are many in few rows unless the `whole` is wanted."""
        from .printed import mode_table, state_table

        return [state_table(self, units, whole), mode_table(self, whole)]


class Series(Sequence[Linear]):
    """Linear equations about several moments of a flight, or over the levels of an input, each a `Linear`.

    Where all have the same states their matrices are arrays over the moments: A (moment, state, state)."""

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
        """When they are [s] (moment,)."""
        return np.array([one.time for one in self.each])

    @property
    def levels(self) -> np.ndarray:
        """Values of the input that it goes over (moment,), not a number where there is none."""
        return np.array([one.level for one in self.each])

    def _stacked(self, name: str) -> np.ndarray:
        first = self.each[0].names
        other = next((one for one in self.each if one.names != first), None)
        if other is not None:
            new = [name for name in other.names if name not in first] or other.names
            remedy = "Use the parts of the series, which have the same states each"
            if self.each[0].dependent and other.dependent:
                remedy += ", or set coordinates that are valid at all operating points"
            text = f"the states {other.moment} are others than {self.each[0].moment}, like '{new[0]}'"
            raise BadInput(Problem("at", f"{text}; {remedy}"))
        return np.stack([getattr(one, name) for one in self.each])

    @property
    def A(self) -> np.ndarray:
        """(moment, state, state)."""
        return self._stacked("A")

    @property
    def B(self) -> np.ndarray:
        """(moment, state, input)."""
        return self._stacked("B")

    @property
    def C(self) -> np.ndarray:
        """(moment, output, state)."""
        return self._stacked("C")

    @property
    def D(self) -> np.ndarray:
        """(moment, output, input)."""
        return self._stacked("D")

    @property
    def parts(self) -> list[Series]:
        """The stretches of moments with the same states."""
        found: list[list[Linear]] = []
        for one in self.each:
            if found and found[-1][0].names == one.names:
                found[-1].append(one)
            else:
                found.append([one])
        return [Series(some) for some in found]

    def to_netcdf(self, path: str | Path) -> None:
        """Save it as NetCDF: a group for each stretch of moments with the same states, or none for one."""
        from .files import save_netcdf

        save_netcdf(path, self)

    def to_mat(self, path: str | Path) -> None:
        """Save it for MATLAB and Octave (.mat): a struct for each moment."""
        from .files import save_mat

        save_mat(path, self.each, alone=False)

    def tables(self, units: str = "SI", whole: bool = False) -> list[Table]:
        """The modes of all moments as a table."""
        from .printed import series_table

        return [series_table(self, whole)]

    def figure(self, whole: bool = False) -> Figure:
        """The modes over an input, a root locus, or frequency and damping over time; of many, unless the
        `whole` is wanted, the slowest and those that grow."""
        from .mode_files import mode_figure

        return mode_figure(self, whole)


def moved(names: tuple[str, ...]) -> str:
    """How something stands that moves by nothing but these joints."""
    return f"moves as {' and '.join(names)} {'drives' if len(names) == 1 else 'drive'} it"
