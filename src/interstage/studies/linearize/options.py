"""Options of `linearize` that the Python function and the command line share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from ...linear.coordinates import Axes
from ...tree import units
from ...tree.errors import BadInput, Problem
from ...tree.sentences import sentence
from ...tree.similar_names import near
from ...tree.unit_names import UnitError

TRIM = "trim"
"""Value of the option `at` that selects a trim."""


@dataclass(frozen=True)
class LinearOptions:
    """Options of a linearization. The fields are arguments of `linearize`."""

    at: Any = "start"
    inputs: str | Sequence[str] = ()
    outputs: str | Sequence[str] | None = None
    along: str | None = None
    axes: Any = None
    coordinates: str | Sequence[str] = ()
    leg: str | None = None
    vary: Any = None
    find: str | Sequence[str] = ()
    so_that: str | Sequence[str] | None = None
    free: str | Sequence[str] = ()
    blades: Any = ()
    shaft: str | None = None
    period: Any = None
    slow: Any = None

    @property
    def one_time(self) -> bool:
        """Return whether `at` is a single time or event and not a list."""
        return isinstance(self.at, str) or np.ndim(self.at) == 0

    @property
    def several(self) -> bool:
        """Return whether the options select several operating points."""
        return self.along is not None or self.vary is not None or not self.one_time

    @property
    def needs_trim(self) -> bool:
        """Return whether the operating point is a trim."""
        return isinstance(self.at, str) and self.at == TRIM and self.along is None

    @property
    def coordinate_names(self) -> list[str]:
        """Return the names of the independent coordinates as a list."""
        return [self.coordinates] if isinstance(self.coordinates, str) else [*self.coordinates]

    def slow_time(self) -> float:
        """Return the option `slow`, a doubling time, in seconds. Raises BadInput if it is not a positive
        time.
        """
        try:
            found = float(units.si("s")(self.slow))
        except (UnitError, ValueError, TypeError) as error:
            raise BadInput(Problem("slow", f'{sentence(error)} Write a time, for example "20 s"')) from None
        if not found > 0:
            text = f"the time {found:.6g} s is not positive. Give a time above zero"
            raise BadInput(Problem("slow", text))
        return found

    def check_rotor(self) -> None:
        """Check the options of a rotor. Raises BadInput for a period with several operating points or with
        blades, and for a shaft without blades and period.
        """
        if self.period is not None and (self.several or len(self.blades)):
            text = (
                "'period' needs one operating point. Remove 'along', 'vary' and 'blades', and keep one "
                "time in 'at'"
            )
            raise BadInput(Problem("period", text))
        if self.shaft is not None and self.period is None and not len(self.blades):
            text = (
                "'shaft' has an effect with 'blades' or 'period' only. Set 'blades' or 'period', or remove "
                "'shaft'"
            )
            raise BadInput(Problem("shaft", text))

    def check_trim(self) -> None:
        """Check the options of a trim. Raises BadInput for options that need a trim, and for a trim together
        with other times.
        """
        if not self.one_time and TRIM in [*self.at]:
            text = (
                'the time "trim" changes the scenario, so that other times are not allowed with "trim". '
                "Remove the other times"
            )
            raise BadInput(Problem("at", text))
        for name, given in (("find", self.find), ("so_that", self.so_that or ()), ("free", self.free)):
            if len(given):
                text = f'{name} needs at = "trim". Set at = "trim", or remove {name}'
                if self.along is not None:
                    text = f"{name} needs a trim, but along needs a flight. Remove {name} or along"
                raise BadInput(Problem(name, text))

    def check_axes(self) -> None:
        """Check the option `axes`. Raises BadInput for an unknown name."""
        if self.axes is not None and self.axes not in get_args(Axes):
            text = f"there are no axes '{self.axes}'; {near(self.axes, get_args(Axes), 'axes')}"
            raise BadInput(Problem("axes", text))
