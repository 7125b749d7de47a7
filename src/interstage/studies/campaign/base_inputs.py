"""Random inputs with their means, standard deviations and correlations, for statistics by derivatives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...maths.arrays import jvp
from ...statistics.score_moments import ScoreMoments, correlation_of, score_moments
from ...tree.formula import evaluate, parse
from .dispersion import Kind
from .distributions import Distribution, Truncated
from .formulas import NOMINAL, names_in
from .makers import Choice, Continuous, Subset, TableRows
from .members import Prepared
from .plan import Plan

Stream = tuple[Kind, int]
"""Position of the scores of an input: the kind (vehicle, day or flight) and the row."""


class BaseInput(NamedTuple):
    """A random scalar input with its mean and standard deviation, in SI or as factors of an array."""

    name: str
    dispersion: str
    mean: float
    sigma: float


@dataclass(frozen=True)
class BaseInputs:
    """All random inputs of a campaign that have a mean and a standard deviation.

    - inputs: random inputs in the order of the study.
    - correlation: correlation matrix (inputs, inputs).
    - omitted: reason why a dispersion is not among the inputs, by dispersion name.
    - held: constant values (component...,) of the members of omitted dispersions, by member name.
    """

    inputs: tuple[BaseInput, ...]
    correlation: np.ndarray
    omitted: Mapping[str, str]
    held: Mapping[str, np.ndarray]

    @property
    def sigmas(self) -> np.ndarray:
        """Return the standard deviations of the inputs (inputs,)."""
        return np.array([one.sigma for one in self.inputs])


@dataclass
class _Found:
    """Inputs so far. streams: of each input, None for rows of a file. laws: of each input with a stream."""

    inputs: list[BaseInput] = field(default_factory=list)
    streams: list[Stream | None] = field(default_factory=list)
    laws: list[Distribution | None] = field(default_factory=list)
    tables: list[tuple[int, np.ndarray]] = field(default_factory=list)
    omitted: dict[str, str] = field(default_factory=dict)
    held: dict[str, np.ndarray] = field(default_factory=dict)


def base_inputs(plan: Plan) -> BaseInputs:
    """Return the random inputs of a campaign with their means, standard deviations and correlations."""
    found = _Found()
    for one in plan.dispersions:
        if isinstance(one.maker, Continuous):
            _add_distribution(plan, one, one.maker, found)
        elif isinstance(one.maker, TableRows):
            _add_rows(plan, one, one.maker, found)
        elif isinstance(one.maker, Choice):
            found.omitted[one.name] = "the input has discrete values and keeps its most likely value"
            for member, table in zip(one.members, one.maker.tables, strict=True):
                nominal = None if member.target is None else member.target.nominal
                found.held[member.name] = _most_likely(table, one.maker.odds.true, nominal)
        elif isinstance(one.maker, Subset):
            found.omitted[one.name] = (
                "a random choice of inputs has no derivative, and all inputs keep the scenario's values"
            )
            found.held |= {m.name: own for m, own in zip(one.members, one.maker.others, strict=True)}
    return BaseInputs(tuple(found.inputs), _correlation(plan, found), found.omitted, found.held)


def _most_likely(table: np.ndarray, odds: np.ndarray, nominal: np.ndarray | None) -> np.ndarray:
    """The value with the largest probability; the scenario's value if it is among several of them."""
    likely = table[odds >= odds.max() * (1 - 1e-12)]
    if nominal is not None and any(np.array_equal(one, nominal) for one in likely):
        return np.asarray(nominal)
    return likely[0]


def _add_distribution(plan: Plan, one: Prepared, maker: Continuous, found: _Found) -> None:
    moments = [_moments(law) for law in maker.distributions]
    if not all(math.isfinite(mean) and math.isfinite(sigma) for mean, sigma in moments):
        found.omitted[one.name] = (
            f"a {one.declared.family} distribution with these parameters has no standard deviation, and the"
            " input keeps its median"
        )
        for member, law in zip(one.members, maker.distributions, strict=True):
            found.held[member.name] = law.at(np.zeros(1))[0]
        return
    for k, (member, law) in enumerate(zip(one.members, maker.distributions, strict=True)):
        row = plan.rows[one.name, one.labels[0 if maker.shared else k]]
        found.inputs.append(BaseInput(member.name, one.name, *moments[k]))
        found.streams.append((one.declared.kind, row))
        found.laws.append(law)


def _moments(law: Distribution) -> tuple[float, float]:
    """Mean and standard deviation of a distribution; NaN or infinite if it has none."""
    if not isinstance(law, Truncated):
        return float(law.mean), float(law.sigma)
    if not (math.isfinite(law.low) and math.isfinite(law.high)) and not math.isfinite(law.base.sigma):
        return math.nan, math.nan
    found = score_moments(law.at)
    return found.mean, found.sigma


def _add_rows(plan: Plan, one: Prepared, maker: TableRows, found: _Found) -> None:
    table = maker.table[: plan.campaign.draws_of(one.declared.kind)] if maker.in_order else maker.table
    found.tables.append((len(found.inputs), table))
    for member, column in zip(one.members, table.T, strict=True):
        found.inputs.append(BaseInput(member.name, one.name, float(column.mean()), float(column.std())))
        found.streams.append(None)
        found.laws.append(None)


# --- correlations


def _correlation(plan: Plan, found: _Found) -> np.ndarray:
    matrix = np.eye(len(found.inputs))
    for first, table in found.tables:
        rows = slice(first, first + table.shape[1])
        matrix[rows, rows] = _of_columns(table)
    groups = {
        (kind, row): (group, k)
        for kind, scores in plan.scores.items()
        for group in scores.groups
        for k, row in enumerate(group.rows)
    }
    known: dict[int, ScoreMoments] = {}

    def moments(k: int) -> ScoreMoments:
        if k not in known:
            law = found.laws[k]
            assert law is not None
            known[k] = score_moments(law.at)
        return known[k]

    for i, first in enumerate(found.streams):
        for j, second in enumerate(found.streams[:i]):
            of_scores = 0.0
            if first is not None and first == second:
                of_scores = 1.0
            elif first in groups and second in groups and groups[first][0] is groups[second][0]:
                group, row = groups[first]
                of_scores = float(group.matrix[row, groups[second][1]])
            if of_scores:
                matrix[i, j] = matrix[j, i] = correlation_of(moments(i), moments(j), of_scores)
    return matrix


def _of_columns(table: np.ndarray) -> np.ndarray:
    """Correlations of the columns of a table (rows, columns); zero with a column that is constant."""
    centred = table - table.mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0))
    scaled = np.divide(centred, size, out=np.zeros(centred.shape), where=size > 0)
    matrix = scaled.T @ scaled
    np.fill_diagonal(matrix, 1.0)
    return matrix


# --- the case with all inputs at their means


class MeanCase(NamedTuple):
    """The case with all base inputs at their means.

    - leaves: value of each changed array of the scenario, by path.
    - tangents: derivatives (inputs,) of each member with respect to the base inputs, by member name. Members
      that do not depend on the base inputs are omitted.
    """

    leaves: dict[str, np.ndarray]
    tangents: dict[str, np.ndarray]


def mean_case(plan: Plan, base: BaseInputs) -> MeanCase:
    """Return the case with all base inputs at their means. Inputs of omitted dispersions have the values in
    `base.held`.

    Formulas and their derivatives are evaluated at these values. Raises BadInput.
    """
    means = {one.name: np.array([one.mean]) for one in base.inputs}
    means |= {name: np.asarray(value)[..., None] for name, value in base.held.items()}
    found = {
        one.name: [means[member.name] for member in one.members]
        for one in plan.dispersions
        if one.maker is not None
    }
    inputs = plan.with_formulas(found, 0, 1)
    leaves = {path: values[..., 0] for path, values in plan.leaves_at(inputs).items()}
    return MeanCase(leaves, _tangents(plan, base, inputs))


def _tangents(plan: Plan, base: BaseInputs, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    count = len(base.inputs)
    tangents = {one.name: np.eye(count)[k] for k, one in enumerate(base.inputs)}
    by_dispersion = {one.name: [member.name for member in one.members] for one in plan.dispersions}

    def by_member(name: str, table: Mapping[str, np.ndarray]) -> np.ndarray:
        """Values or tangents (members, inputs) of a dispersion, or (inputs,) of one member."""
        names = by_dispersion.get(name, [name])
        rows = [np.broadcast_to(table.get(one, np.zeros(1)), (count,)) for one in names]
        return rows[0] if len(rows) == 1 else np.stack(rows)

    for one in plan.formulas:
        names = [name for name in names_in(one) if name != NOMINAL]
        constant: dict[str, np.ndarray] = {}
        if NOMINAL in names_in(one):
            nominal = [float(member.target.nominal) for member in one.members if member.target]
            constant[NOMINAL] = np.repeat(np.array(nominal)[:, None], count, axis=1)
        tree = parse(one.declared.formula or "")

        def value(*given: np.ndarray, tree=tree, names=names, constant=constant) -> np.ndarray:
            return evaluate(tree, {**dict(zip(names, given, strict=True)), **constant})

        moved = np.zeros(count)
        if names:
            primals = tuple(by_member(name, inputs) for name in names)
            moved = jvp(value, primals, tuple(by_member(name, tangents) for name in names))[1]
        moved = np.broadcast_to(np.asarray(moved, float), (len(one.members), count))
        tangents |= {member.name: row for member, row in zip(one.members, moved, strict=True)}
    return {name: row for name, row in tangents.items() if np.any(row)}
