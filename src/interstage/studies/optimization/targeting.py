"""Implement `interstage solve`: find inputs for which quantities have required values."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...maths.roots import MOST_VALUES, root
from ...model.values import Value
from ...runs.short import one_study
from ...tree.errors import BadInput, Problem
from ...tree.sentences import sentence
from ...tree.units import display
from ..asked import parse_asked, unit_of
from ..conditions import FINDING, each_read, equation, listed_texts
from .checks import constraint_problems
from .declared import Constraint, Variable
from .flights import Flights, Flown
from .variables import Found, Unknown, unknowns, variables_of

TOLERANCE = 1e-9
"""Relative tolerance of a target. The tolerance is larger if the numerical errors of flights are larger."""
USUAL_FLIGHTS = 6
"""Expected number of flights with derivatives."""
SMALL_STEP = 1e-13
"""Relative step of the variables below which the search for several targets ends."""
WRITING = (
    'Write "QUANTITY@EVENT = VALUE UNIT", for example "pairs.stage.payload.separation_speed@end = 1 m/s"'
)
Told = Callable[[str], None]


@dataclass(frozen=True)
class Met:
    """Result for one target, in SI.

    - asked: the target as a constraint.
    - unit: SI unit of the quantity.
    - wanted: required value.
    - before, now: the quantity with the start values and with the found values.
    - noisy: whether the target is met only within the numerical errors of flights, not within `TOLERANCE`.
    """

    asked: Constraint
    unit: str
    wanted: float
    before: float
    now: float
    noisy: bool = False


@dataclass(frozen=True, repr=False)
class Solved(Found):
    """Result of `find`: inputs for which quantities reach their target values.

    - scenario: the scenario with the found inputs.
    - unknowns, values (inputs,): the inputs and their values.
    - met: results for the targets.
    - slopes (targets, inputs): derivatives of the target quantities with respect to the inputs [SI].
    - steps: number of steps of the search.
    - flights: number of flights.
    - seconds: wall time including compilation [s].
    """

    met: tuple[Met, ...]
    slopes: np.ndarray
    steps: int
    flights: int
    seconds: float

    def __repr__(self) -> str:
        return f"<Solved: {self.summary}>"


class OutOfReach(BadInput):
    """Error of `find`: no inputs within the bounds reach the targets.

    nearest (inputs,): inputs with the smallest deviation from the targets.
    """

    def __init__(self, message: str, nearest: np.ndarray) -> None:
        self.nearest = nearest
        super().__init__(Problem("", message))


@one_study()
def find(
    scenario: Any,
    inputs: str | Sequence[str] | Mapping[str, Any],
    so_that: str | Sequence[str],
    told: Told = lambda _: None,
) -> Solved:
    """Find inputs for which quantities of the flight reach target values.

    - inputs: text "PATH" or "PATH=LOW:HIGH", or several texts. Or a mapping of paths to bounds: pairs (low,
      high) of numbers [SI] or texts, texts "LOW:HIGH", or None.
    - so_that: text "QUANTITY@EVENT = VALUE UNIT", or several texts.
    - `told`: function that is called with a line of text after each flight.

    The search needs at most a few dozen flights, with exact derivatives. For one input and one quantity,
    Newton's method within a bracket is used. Several inputs are found by least squares. The relative error of
    the targets is below 1e-9, or within the numerical errors of the flights (see `Met.noisy`).

    Raises BadInput with all problems, and `OutOfReach` if no inputs within the bounds reach the targets.
    """
    clock = time.perf_counter()
    free, wanted = read(inputs, so_that)
    problems = list(constraint_problems(scenario, wanted))
    found: tuple[Unknown, ...] = ()
    try:
        found = unknowns(scenario, free)
    except BadInput as error:
        problems += error.problems
    if problems:
        raise BadInput(problems)
    flights = Flights(scenario, found, wanted, times=USUAL_FLIGHTS)
    search = _Search(flights, wanted, told)
    first = search.first()
    values, steps = (_one if len(found) == len(wanted) == 1 else _several)(search)
    ended = flights.at(values)
    units = [unit_of(scenario, one.quantity) for one in wanted]
    noisy = np.abs(ended.values - search.wanted) > TOLERANCE * search.sizes
    values_of = search.wanted, first.values.tolist(), ended.values.tolist(), noisy.tolist()
    met = tuple(map(Met, wanted, units, *values_of))
    seconds = time.perf_counter() - clock
    slopes = flights.jacobian(ended)
    return Solved(flights.scenario_at(values), found, values, met, slopes, steps, flights.flown, seconds)


def read(
    inputs: str | Sequence[str] | Mapping[str, Any], so_that: str | Sequence[str]
) -> tuple[tuple[Variable, ...], tuple[Constraint, ...]]:
    """Return the unknown inputs and the targets from texts, see `find`. Raises BadInput with all problems."""
    problems: list[Problem] = []
    free: list[Variable] = []
    wanted: list[Constraint] = []
    try:
        free = variables_of(inputs)
    except BadInput as error:
        problems += error.problems
    try:
        wanted = each_read(listed_texts(so_that, "--so-that"), _target)
    except BadInput as error:
        problems += error.problems
    if not free and not problems:
        problems.append(Problem("--find", f"the free inputs are missing. {FINDING}"))
    if not wanted and not problems:
        problems.append(Problem("--so-that", f"the targets are missing. {WRITING}"))
    if problems:
        raise BadInput(problems)
    return tuple(free), tuple(wanted)


def _target(text: str) -> Constraint:
    asked = equation(text, "target", WRITING)
    fields, _ = parse_asked(asked.name)
    name = " ".join(text.split())
    try:
        return Constraint(name=name, equals=asked.value, **fields)
    except BadInput as error:
        problems = (Problem(name, problem.message) for problem in error.problems)
        raise BadInput(problems) from None


class _Search:
    """Shared parts of both methods: flights compared with the targets, and progress lines."""

    def __init__(self, flights: Flights, wanted: Sequence[Constraint], told: Told) -> None:
        self.flights, self.asked, self.told = flights, wanted, told
        self.wanted = [float(_of(one.equals).magnitude) for one in wanted]
        self.sizes = np.ones(len(wanted))

    def first(self) -> Flown:
        """Fly with the start values and set the scales of the targets. Raises BadInput if a target has no
        value."""
        flown = self.at(self.flights.start)
        if not flown.fine:
            text = f"the flight with the start values failed: {sentence(flown.why)} Choose other start values"
            raise BadInput(Problem("", text))
        self.sizes = np.maximum(np.abs(self.wanted), np.abs(flown.values)) + np.finfo(float).tiny
        return flown

    def at(self, x: np.ndarray) -> Flown:
        """Fly with the inputs at x (inputs,) and print progress."""
        before = self.flights.asked
        flown = self.flights.at(x)
        if self.flights.asked > before:
            units = self.flights.scenario.units
            moved = ", ".join(one.value_text(v, units) for one, v in zip(self.flights.unknowns, x))
            gives = self.value_text(flown.values) if flown.fine else flown.why.partition(":")[0]
            self.told(f"flight {self.flights.asked}: input {moved} results in {gives}")
        return flown

    def value_text(self, values: np.ndarray) -> str:
        """Values of the target quantities, with their units."""
        return ", ".join(value_text(self.flights.scenario, one, v) for one, v in zip(self.asked, values))

    def out_of_reach(self, x: np.ndarray, why: str) -> OutOfReach:
        """Return the exception for targets that were not reached, with the nearest values."""
        scenario, free = self.flights.scenario, self.flights.unknowns
        goals = ", ".join(
            f"{o.quantity} {o.where} = {value_text(scenario, o, w)}" for o, w in zip(self.asked, self.wanted)
        )
        values = self.flights.at(x).values
        nearest = ", ".join(map(self._near, self.asked, values, self.wanted))
        where = ", ".join(f"{one.name} = {one.value_text(v, scenario.units)}" for one, v in zip(free, x))
        return OutOfReach(
            f"{goals} cannot be reached. Nearest result: {nearest}, with {where}. Reason: {why}", x
        )

    def _near(self, one: Constraint, value: float, wanted: float) -> str:
        """A value as text, with its deviation if it prints like the wanted value."""
        scenario = self.flights.scenario
        text = value_text(scenario, one, value)
        same = text == value_text(scenario, one, wanted)
        return f"{text} (deviation {value_text(scenario, one, value - wanted, 2)})" if same else text


def value_text(scenario: Any, one: Any, value: float, digits: int = 6) -> str:
    """Return a value of a target quantity as text with its unit.

    - one: the target. value: value [SI].
    - digits: number of significant digits.
    """
    factor, unit = display(unit_of(scenario, one.quantity), scenario.units)
    return f"{value * factor:.{digits}g} {unit}".removesuffix(" 1").strip()


def _of(value: Value | None) -> Value:
    assert value is not None
    return value


def _one(search: _Search) -> tuple[np.ndarray, int]:
    """Solve one input for one quantity."""
    flights, (one,) = search.flights, search.flights.unknowns

    def function(x: float) -> tuple[float, float]:
        flown = search.at(np.array([x]))
        if not flown.fine:
            return np.nan, np.nan
        return float(flown.values[0]) - search.wanted[0], float(flights.jacobian(flown)[0, 0])

    def failure(x: float) -> str:
        return f"beyond {one.value_text(x, flights.scenario.units)}, {flights.at(np.array([x])).why}"

    tolerance, noise = (part * float(search.sizes[0]) for part in (TOLERANCE, flights.noise))
    ended = root(function, one.start, one.low, one.high, one.scale, tolerance, failure, noise)
    if not ended.reached:
        raise search.out_of_reach(np.array([ended.x]), ended.why)
    return np.array([ended.x]), ended.steps


def _several(search: _Search) -> tuple[np.ndarray, int]:
    """Solve several inputs for several quantities by least squares within the bounds. The trust region
    shrinks if flights fail."""
    from scipy import optimize as scipy_optimize

    flights = search.flights
    scale = np.array([one.scale for one in flights.unknowns])
    low, high = (np.array([getattr(one, end) for one in flights.unknowns]) for end in ("low", "high"))

    def residual(x: np.ndarray) -> np.ndarray:
        return (search.at(x * scale).values - search.wanted) / search.sizes

    def slope(x: np.ndarray) -> np.ndarray:
        return flights.jacobian(flights.at(x * scale)) * scale / search.sizes[:, None]

    bounds = (low / scale, high / scale)
    least_squares: Any = scipy_optimize.least_squares  # whose stubs know less than it does
    ended = least_squares(
        residual, flights.start / scale, slope, bounds,
        ftol=None, gtol=SMALL_STEP, xtol=SMALL_STEP, max_nfev=MOST_VALUES,
    )  # fmt: skip
    values = np.clip(ended.x * scale, low, high)
    if not np.all(np.abs(ended.fun) <= max(TOLERANCE, flights.noise)):
        at = [one.at_bound(v, 1e-6) for one, v in zip(flights.unknowns, values)]
        named = [f"{one.name} at its {end} bound" for one, end in zip(flights.unknowns, at) if end]
        why = "small changes of the inputs do not reduce the deviation"
        why = f"the search stopped with {' and '.join(named)}. Widen the bounds" if named else why
        raise search.out_of_reach(
            values, why if ended.status > 0 else f"the search stopped after {MOST_VALUES} flights"
        )
    return values, int(ended.nfev)
