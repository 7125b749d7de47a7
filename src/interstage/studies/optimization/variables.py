"""Variables of an optimization: the scenario inputs that they change, and their bounds, scales and start
values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks.check import problems as problems_of
from ...drawing.table import unit_text
from ...programs.targets import Target, clashes, targets_of
from ...runs.cases import together
from ...tree.addresses import several
from ...tree.errors import BadInput, Problem
from ...tree.unit_names import UnitError
from ...tree.units import display, with_unit
from ..amounts import check_ends, in_parts, part_of, refuse_parts, same, written
from ..conditions import Bounded, bounded_input, each_read, listed_inputs
from .declared import Variable

LEAST_PART = 1e-9
"""Default lower bound of a positive input, relative to its scenario value."""


@dataclass(frozen=True)
class Unknown:
    """A variable and the scenario inputs that it changes. Each input is set to offset + gain * variable, in
    SI.

    - targets, offsets, gains: the inputs, with the offset and the gain of each input.
    - unit: unit of the variable: SI, or "%" for per cent of the scenario value.
    - own: scenario value, in `unit`.
    - start, low, high, scale: start value, bounds and scale, in `unit`.
    - place: path of the declaration in messages.
    """

    name: str
    targets: tuple[Target, ...]
    offsets: tuple[float, ...]
    gains: tuple[float, ...]
    unit: str
    own: float
    start: float
    low: float
    high: float
    scale: float
    place: str

    @property
    def paths(self) -> list[str]:
        """Return the paths of the changed inputs, as they are written in a scenario."""
        return [target.name.removesuffix(".magnitude") for target in self.targets]

    def display(self, units: str) -> tuple[float, str]:
        """Return the factor and the unit with which the variable is printed. units: "SI" or "US"."""
        return (1.0, "%") if self.unit == "%" else display(self.unit, units)

    def value_text(self, value: float, units: str, digits: int = 6) -> str:
        """Return a value of the variable as text with its unit.

        value: value in `unit`. units: "SI" or "US". digits: number of significant digits.
        """
        factor, unit = self.display(units)
        return f"{value * factor:.{digits}g} {unit_text(unit)}".strip()

    def at_bound(self, value: float, slack: float) -> str:
        """Return "low" or "high" if a value is at or beyond this bound, otherwise "". `slack` is the
        tolerance, in scales of the variable.
        """
        if value - self.low <= slack * self.scale:
            return "low"
        return "high" if self.high - value <= slack * self.scale else ""


@dataclass(frozen=True, repr=False)
class Found:
    """A scenario with the found values (unknowns,) of its unknown inputs. Each value is in the unit of its
    unknown.
    """

    scenario: Any
    unknowns: tuple[Unknown, ...]
    values: np.ndarray

    def __getitem__(self, name: str) -> float:
        """Return the value of an unknown input by its name, in its unit. Raises KeyError for an unknown
        name.
        """
        for one, value in zip(self.unknowns, self.values, strict=True):
            if one.name == name:
                return float(value)
        names = ", ".join(one.name for one in self.unknowns)
        raise KeyError(f"the result has no input '{name}'. Inputs of the result: {names}")

    @property
    def summary(self) -> str:
        """Return one line of text with all found values."""
        units = self.scenario.units
        found = (
            f"{o.name} = {o.value_text(v, units)}" for o, v in zip(self.unknowns, self.values, strict=True)
        )
        return ", ".join(found) or "no unknown inputs"


def variables_of(find: Any) -> list[Variable]:
    """Return variables from texts, from a mapping of paths to bounds, or from a list of `Variable` objects.
    Raises BadInput with all problems.
    """
    if isinstance(find, list) and all(isinstance(one, Variable) for one in find):
        return find
    return each_read(listed_inputs(find), lambda item: _variable(bounded_input(item)))


def _variable(one: Bounded) -> Variable:
    paths = several(one.path)
    path = paths[0] if len(paths) == 1 else paths
    try:
        return Variable(name=one.path, path=path, low=one.low, high=one.high)
    except BadInput as error:
        raise BadInput(Problem(one.path, problem.message) for problem in error.problems) from None


def unknowns(scenario: Any, variables: Sequence[Variable]) -> tuple[Unknown, ...]:
    """Return the variables with their scenario inputs. Raises BadInput with all problems."""
    found: list[Unknown] = []
    problems: list[Problem] = []
    for variable in variables:
        try:
            found.append(_unknown(scenario, variable))
        except BadInput as error:
            problems += error.problems
    for name, other, target in clashes(scenario, [(one.name, t) for one in found for t in one.targets]):
        twice = "twice by one variable" if other == name else f"also by variable '{other}'"
        place = next(one.place for one in found if one.name == name)
        problems.append(
            Problem(place, f"the input {target.name} is changed {twice}. Remove one of the paths")
        )
    if problems:
        raise BadInput(dict.fromkeys(problems))
    return tuple(found)


def _unknown(scenario: Any, variable: Variable) -> Unknown:
    place = variable.place
    problems: list[Problem] = []
    targets: list[Target] = []
    for path in variable.paths:
        try:
            targets += targets_of(scenario, path.strip(), place)
        except BadInput as error:
            problems += error.problems
    for target in targets:
        if np.ndim(target.nominal):
            shape = " by ".join(map(str, np.shape(target.nominal)))
            text = (
                f"{target.name} has {shape} numbers, but a variable is one number. Give the path of"
                " one element"
            )
            problems.append(
                Problem(place, f"{text}, for example {target.name}{[0] * np.ndim(target.nominal)}")
            )
        elif not np.isfinite(target.nominal):
            text = (
                f"{target.name} is {float(target.nominal):g}, but a variable needs a finite value."
                " Set a finite value in the scenario"
            )
            problems.append(Problem(place, text))
    units = {target.marker.unit for target in targets}
    if len(units) > 1:
        text = (
            f"the inputs of the variable have the units {' and '.join(sorted(units))}. Use inputs of one unit"
        )
        problems.append(Problem(place, text))
    if problems:
        raise BadInput(problems)
    amounts = [variable.low, variable.high, variable.delta, variable.start, variable.scale]
    try:
        return (_of_parts if in_parts(amounts) else _of_units)(variable, targets)
    except UnitError as error:
        raise BadInput(Problem(place, str(error))) from None


def _of_parts(variable: Variable, targets: list[Target]) -> Unknown:
    """A variable in per cent of the scenario's values."""
    for target in targets:
        refuse_parts(target, variable.place, variable.delta is not None)

    def read(value: Any) -> float | None:
        return None if value is None else part_of(value, variable.place)

    low, high = read(variable.low), read(variable.high)
    if variable.delta is not None:
        low, high = _around(100.0, variable, read(variable.delta))
    gains = tuple(float(target.nominal) / 100.0 for target in targets)
    signed = all(target.marker.positive or target.marker.nonnegative for target in targets)
    least = 100.0 * LEAST_PART if signed else -np.inf
    return _make(
        variable, targets, (0.0,) * len(targets), gains, "%", 100.0, low, high, least,
        read(variable.start), read(variable.scale),
    )  # fmt: skip


def _of_units(variable: Variable, targets: list[Target]) -> Unknown:
    """A variable in the unit of its inputs, or their common change if each keeps its own value."""
    first, nominals = targets[0], [float(target.nominal) for target in targets]
    alike = all(same(nominals[0], nominal) for nominal in nominals)

    def read(value: Any, signed: bool = False) -> float | None:
        return None if value is None else float(min((t.read(value, signed) for t in targets), key=float))

    scale = read(variable.scale, signed=True)
    least = max(_least(target) for target in targets)
    if variable.delta is not None and not alike:
        low, high = _around(0.0, variable, read(variable.delta, signed=True))
        start = read(variable.start, signed=True)
        least = max(_least(target) - float(target.nominal) for target in targets)
        offsets, gains = tuple(nominals), (1.0,) * len(targets)
        return _make(
            variable, targets, offsets, gains, first.marker.unit, 0.0, low, high, least, start, scale
        )
    if not alike and variable.start is None:
        values = ", ".join(f"{target.name} {float(target.nominal):g}" for target in targets[:4])
        text = f"the inputs of the variable have different values ({values}), but a variable has one value"
        fix = "Set a common start value by 'start', or keep the different values by 'delta' or by bounds in %"
        raise UnitError(f"{text}. {fix}")
    low, high = read(variable.low), read(variable.high)
    if variable.delta is not None:
        low, high = _around(nominals[0], variable, read(variable.delta, signed=True))
    return _make(
        variable, targets, (0.0,) * len(targets), (1.0,) * len(targets), first.marker.unit, nominals[0],
        low, high, least, read(variable.start), scale,
    )  # fmt: skip


def _least(target: Target) -> float:
    """The lowest value that the declaration of an input allows."""
    if target.index:
        return -np.inf
    if target.marker.positive:
        return LEAST_PART * abs(float(target.nominal))
    return 0.0 if target.marker.nonnegative else -np.inf


def _around(middle: float, variable: Variable, delta: float | None) -> tuple[float, float]:
    if delta is None or not delta > 0:
        raise UnitError(f"a delta of {written(variable.delta)} is not positive. Give a delta above zero")
    return middle - delta, middle + delta


def _bound(given: Any, bound: float, unit: str) -> str:
    return with_unit(bound, unit) if given is None else written(given)


def _make(variable, targets, offsets, gains, unit, own, low, high, least, start, scale) -> Unknown:
    if variable.low is not None and variable.high is not None:
        check_ends(variable.low, variable.high, low, high)
    low = max(least, -np.inf if low is None else low)
    high = np.inf if high is None else high
    if not low < high:
        raise UnitError(
            f"high = {written(variable.high)} is below the lowest allowed value of the input. Give a "
            "higher bound"
        )
    if scale is not None and not scale > 0:
        raise UnitError(f"a scale of {written(variable.scale)} is not positive. Give a scale above zero")
    if start is not None and not low <= start <= high:
        text = f"start = {written(variable.start)} is not between the bounds"
        ends = f"{_bound(variable.low, low, unit)} and {_bound(variable.high, high, unit)}"
        raise UnitError(f"{text} {ends}. Give a start value between the bounds")
    start = float(np.clip(own if start is None else start, low, high))
    bounded = np.isfinite(low) and np.isfinite(high)
    scale = scale or ((high - low) / 2 if bounded else abs(start) or 1.0)
    return Unknown(
        variable.name, tuple(targets), offsets, gains, unit, own, start, low, high, scale, variable.place
    )


def leaves(found: Sequence[Unknown], values: Any) -> dict[str, np.ndarray]:
    """Return the changed arrays of a scenario for given values of the variables, by path.

    found: the variables. values (variables,): their values.
    """
    inputs: dict[str, np.ndarray] = {}
    for one, value in zip(found, values, strict=True):
        for target, offset, gain in zip(one.targets, one.offsets, one.gains, strict=True):
            whole = inputs.setdefault(target.path, np.array(target.leaf, float))
            whole[target.index] = offset + gain * value
    return inputs


def scenario_with(scenario: Any, found: Sequence[Unknown], values: Any) -> Any:
    """Return the scenario with the variables `found` set to `values` (variables,). The scenario is checked
    like a scenario file.

    Raises BadInput.
    """
    changed = together(scenario, leaves(found, values))
    wrong = problems_of(changed)
    if wrong:
        raise BadInput(wrong)
    return changed
