"""Members of a dispersion: its random inputs with their distributions and random streams."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...programs.targets import Target
from ...tree.errors import BadInput, Problem
from ..amounts import RATIO
from .amounts import Amounts, latent_target
from .dispersion import Dispersion
from .families import distribution_of
from .inputs import label_of, targets_at
from .makers import Choice, Continuous, Maker, Odds, Subset, TableRows
from .row_file import read_rows


@dataclass(frozen=True)
class Member:
    """One random input of a dispersion, a number or an array.

    - name: name in tables and formulas.
    - label: text that identifies the random stream.
    - target: scenario input; None for a value that only formulas use.
    - factor: whether the random value multiplies an array of the scenario.
    - unit: SI unit.
    """

    name: str
    label: str
    target: Target | None
    factor: bool
    unit: str

    @property
    def path(self) -> str:
        """Return the path of the scenario input. Return "" for a value that only formulas use."""
        return "" if self.target is None else label_of(self.target)


@dataclass(frozen=True)
class Prepared:
    """A validated dispersion with its members.

    - labels: labels of its random streams.
    - maker: object that computes the values from scores; None for a formula.
    """

    declared: Dispersion
    members: tuple[Member, ...]
    labels: tuple[str, ...]
    maker: Maker | None

    @property
    def name(self) -> str:
        """Return the name of the dispersion."""
        return self.declared.name


def prepare_dispersion(scenario: Any, one: Dispersion, folder: Path) -> Prepared:
    """Return a validated dispersion with its members.

    folder: folder of the file that the dispersion refers to. Raises BadInput with all problems.
    """
    if one.way == "file":
        return _from_file(scenario, one, folder)
    targets = _targets(scenario, one)
    amounts = [amounts_of(one, target) for target in targets]
    makers: dict[str, Callable[[Dispersion, list[Amounts]], Maker | None]] = {
        "distribution": _continuous,
        "values": _choice,
        "choose": _subset,
        "formula": _check_formula,
    }
    maker = makers[one.way](one, amounts)
    members = _members(one, amounts)
    labels = tuple(member.label for member in members)
    if one.shared:
        labels = ("",)
    elif one.way == "choose":
        labels = ("number", *labels)
    return Prepared(one, members, () if maker is None else labels, maker)


def _members(one: Dispersion, amounts: list[Amounts]) -> tuple[Member, ...]:
    several = len(amounts) > 1
    return tuple(
        Member(
            f"{one.name}_{k}" if several else one.name,
            "" if each.latent else label_of(each.target),
            None if each.latent else each.target,
            each.factor,
            "1" if each.factor else each.target.marker.unit,
        )
        for k, each in enumerate(amounts, start=1)
    )


def _targets(scenario: Any, one: Dispersion) -> list[Target | None]:
    if not one.paths:
        return [None]
    found: list[Target | None] = []
    problems: list[Problem] = []
    for path in one.paths:
        try:
            found += targets_at(scenario, path.strip(), f"{one.place}.path")
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    return found


def amounts_of(one: Dispersion, target: Target | None) -> Amounts:
    if target is None:
        given = [one.mean, one.sigma, one.three_sigma, one.delta, one.mode, *(one.bounds or ())]
        given += [*(one.parameters or {}).values(), *(one.values or ())]
        return Amounts(one.place, latent_target(one.name, given, one.place), False, latent=True)
    wide = one.way == "distribution" and np.ndim(target.nominal) > 0
    return Amounts(one.place, target, wide)


def _all(results: list[Callable[[], Any]]) -> list[Any]:
    """Results of functions. Raises BadInput with the problems of all of them."""
    found, problems = [], []
    for result in results:
        try:
            found.append(result())
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(dict.fromkeys(problems))
    return found


def _continuous(one: Dispersion, amounts: list[Amounts]) -> Maker:
    laws = _all([lambda each=each: distribution_of(one, each) for each in amounts])
    return Continuous(tuple(laws), one.shared)


def _odds(one: Dispersion, count: int) -> Odds:
    true = np.full(count, 1 / count) if one.probabilities is None else np.array(one.probabilities, float)
    drawn = one.importance.probabilities if one.importance is not None else None
    return Odds(true, true if drawn is None else np.array(drawn, float))


def _choice(one: Dispersion, amounts: list[Amounts]) -> Maker:
    def table(each: Amounts) -> np.ndarray:
        if each.latent and any(isinstance(v, str) and RATIO.fullmatch(v) for v in one.values or ()):
            raise each.problem(
                "values", "values are in %, but the dispersion has no path. Give values with units"
            )
        return np.stack(_all([lambda raw=raw: each.level("values", raw) for raw in one.values or ()]))

    tables = _all([lambda each=each: table(each) for each in amounts])
    return Choice(tuple(tables), _odds(one, len(one.values or ())), one.shared)


def _subset(one: Dispersion, amounts: list[Amounts]) -> Maker:
    most = max(one.counts)
    if most > len(amounts):
        text = f"choose = {most} exceeds the {len(amounts)} inputs of 'path'. Give at most {len(amounts)}"
        raise BadInput(Problem(f"{one.place}.choose", text))
    chosen = _all([lambda each=each: each.level("value", one.value) for each in amounts])
    others = tuple(each.target.nominal for each in amounts)
    if all(np.array_equal(a, b) for a, b in zip(chosen, others, strict=True)):
        raise amounts[0].problem(
            "value",
            "'value' equals the value in the scenario, so that the chosen inputs do not change. Give "
            "another value",
        )
    return Subset(tuple(chosen), others, np.array(one.counts), _odds(one, len(one.counts)))


def _check_formula(one: Dispersion, amounts: list[Amounts]) -> None:
    """Check that each input of a formula is one number. Raises BadInput."""
    for each in amounts:
        if np.ndim(each.target.nominal):
            first = f"{each.name}{[0] * np.ndim(each.target.nominal)}"
            text = (
                f"{each.name} has several numbers, but a formula gives one number. Give the path of one "
                f"number, for example {first}"
            )
            raise each.problem("path", text)


def _from_file(scenario: Any, one: Dispersion, folder: Path) -> Prepared:
    columns, table = read_rows(scenario, one, folder)
    members = tuple(Member(f"{one.name}.{name}", name, target, False, unit) for name, unit, target in columns)
    in_order = one.rows == "in_order"
    return Prepared(one, members, () if in_order else ("row",), TableRows(table, in_order))
