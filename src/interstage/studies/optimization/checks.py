"""Check an optimization together with its scenario before any flight. All problems are reported together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...model.values import not_comparable
from ...programs.targets import targets_of
from ...record.across import named_pair
from ...sensitivities.concurrent import faults
from ...sensitivities.nodes import problems as node_problems
from ...tree.errors import BadInput, Problem
from ...tree.unit_names import comparable
from ..asked import unit_of, unknown
from .declared import Constraint, Objective, OptimizationStudy, Variable
from .solvers import missing
from .variables import Unknown, unknowns


def valid_variables(scenario: Any, study: OptimizationStudy) -> tuple[Unknown, ...]:
    """Check a study and return its variables. Raises BadInput with all problems."""
    problems: list[Problem] = []
    found: tuple[Unknown, ...] = ()
    try:
        found = unknowns(scenario, study.variables)
    except BadInput as error:
        problems += error.problems
    problems += constraint_problems(scenario, study.constraints)
    problems += _objective_problems(scenario, study.objective)
    problems += _sensitivity_problems(scenario, study.sensitivities, found)
    problems += node_problems(scenario, study.nodes, "nodes")
    why = missing(study.kind)  # a missing solver for confirmation is only reported
    if why:
        problems.append(Problem("solver.kind", why))
    free = sum("equals" in one.limits for one in study.constraints)
    if found and free > len(found) and not study.controls:
        text = (
            f"{free} constraints have the key 'equals', but only {len(found)} inputs are free."
            " In general, no solution exists"
        )
        problems.append(Problem("constraints", f"{text}. Free more inputs, or remove constraints"))
    if problems:
        raise BadInput(dict.fromkeys(problems))
    return found


def beside_scenario(
    scenario: Any,
    variables: Sequence[Variable],
    constraints: Sequence[Constraint],
    objective: Sequence[Objective],
) -> Iterator[Problem]:
    """Yield problems of variables, constraints and objective terms that are found together with the
    scenario.
    """
    try:
        unknowns(scenario, variables)
    except BadInput as error:
        yield from error.problems
    yield from constraint_problems(scenario, constraints)
    yield from _objective_problems(scenario, objective)


def constraint_problems(scenario: Any, constraints: Sequence[Constraint]) -> Iterator[Problem]:
    """Yield problems of constraints that are found together with the scenario."""
    seen: dict[Any, str] = {}
    for one in constraints:
        yield from _unknown(scenario, one, one.place)
        what = (one.quantity, one.at, one.side, one.take, one.during)
        for key in one.limits:
            other = seen.setdefault((what, key), one.place)
            if other != one.place:
                text = f"the limit '{key}' repeats a limit of {other}. Remove one of these constraints"
                yield Problem(one.place, text)
        try:
            unit = unit_of(scenario, one.quantity)
        except KeyError:
            continue  # reported above
        for key, value in {**one.limits, "tolerance": one.tolerance}.items():
            if value is not None and value.unit and not comparable(value.unit, unit):
                place = one.place if one.asked_by_text else f"{one.place}.{key}"
                yield Problem(place, not_comparable(value, one.quantity, unit))


def _unknown(scenario: Any, one: Any, place: str) -> Iterator[Problem]:
    """Problems of a requested quantity: unknown in the scenario, or without derivatives."""
    found = [*unknown(scenario, one, place)]
    if not found and named_pair(scenario, one):
        found = [Problem(place, text) for text in faults(scenario, one)]
    yield from found


def _objective_problems(scenario: Any, terms: Sequence[Objective]) -> Iterator[Problem]:
    for k, one in enumerate(terms):
        place = "objective" if len(terms) == 1 else f"objective.{k}"
        yield from _unknown(scenario, one, place)
        if len(terms) == 1 and one.weight != 1.0:
            text = "the weight has no effect on an objective with one term. Remove the weight"
            yield Problem(f"{place}.weight", text)


def _sensitivity_problems(scenario: Any, paths: Sequence[str], found: Sequence[Unknown]) -> Iterator[Problem]:
    free = {target.name: one.place for one in found for target in one.targets}
    for path in paths:
        try:
            targets = targets_of(scenario, path, "sensitivities")
        except BadInput as error:
            yield from error.problems
            continue
        for target in targets:
            if target.nominal.ndim:
                text = (
                    f"{target.name} is a list of numbers. Give one element by its index, for"
                    f" example {target.name}[0]"
                )
                yield Problem("sensitivities", text)
            if target.name in free:
                text = f"{target.name} is a free input ({free[target.name]}), so that its sensitivity is zero"
                text = f"{text}. Remove {target.name} from sensitivities"
                yield Problem("sensitivities", text)
