"""Plan of a campaign: the validated study and its scenario, with all data that are needed to draw any range
of cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...programs.targets import clashes
from ...tree.errors import BadInput, Problem
from . import formulas
from .declared import Campaign
from .dispersion import KINDS, Kind
from .draws import Draws
from .groups import LinkedRows, links_of
from .inputs import label_of
from .makers import Continuous
from .members import Member, Prepared, prepare_dispersion
from .scores import Group, Scores
from .streams import Key, Streams

TRIED = 256
"""Number of cases that are drawn to check formulas."""


@dataclass(frozen=True)
class Plan:
    """A validated campaign with all data for the random draws.

    - `dispersions`: dispersions in the order of the study
    - `scores`: generator of the standard normal scores for each kind (vehicle, day or flight)
    - `rows`: row of each random stream in the scores of its kind, by (dispersion name, label)
    - `warnings`: sentences about likely mistakes
    - `formulas`: dispersions with formulas, in the order of their evaluation
    """

    campaign: Campaign
    scenario: Any
    dispersions: tuple[Prepared, ...]
    scores: Mapping[Kind, Scores]
    rows: Mapping[tuple[str, str], int]
    warnings: tuple[str, ...] = ()
    formulas: tuple[Prepared, ...] = field(default=())

    @property
    def cases(self) -> int:
        """Return the number of cases."""
        return self.campaign.count

    @property
    def members(self) -> tuple[Member, ...]:
        """Return the members (random inputs) of all dispersions, in the order of the study."""
        return tuple(member for one in self.dispersions for member in one.members)

    def index(self, kind: Kind, first: int, last: int) -> np.ndarray:
        """Return the index (cases,) of the vehicle, day or flight of each case from `first` to `last` - 1.

        Indices start at 0. Indices continue from vehicle to vehicle and from day to day.
        """
        return np.arange(first, last) // self.campaign.per_loop(kind)

    def draw(self, first: int = 0, last: int | None = None) -> Draws:
        """Draw the inputs of the cases `first` to `last` - 1. Default: all cases.

        Raises BadInput if the campaign does not have these cases, or if an input is not finite.
        """
        last = self.cases if last is None else last
        if not 0 <= first <= last <= self.cases:
            text = f"cases {first} to {last} are not in the campaign. Allowed: 0 to {self.cases}"
            raise BadInput(Problem("cases", text))
        indices: dict[Kind, np.ndarray] = {kind: self.index(kind, first, last) for kind in KINDS}
        scores, logs = {}, np.zeros(last - first)
        for kind in KINDS:
            scores[kind], weights = self._scores(kind, indices[kind])
            logs += weights
        for one in self.dispersions:
            if one.maker is not None:
                logs += one.maker.log_weights(self._own(one, scores))
        inputs = self.inputs_at(scores, indices, first)
        return Draws(first, self.leaves_at(inputs), inputs, np.exp(logs), indices)

    def _own(self, one: Prepared, scores: Mapping[Kind, np.ndarray]) -> np.ndarray:
        """Scores (streams, cases) of the streams of a dispersion."""
        return scores[one.declared.kind][[self.rows[one.name, label] for label in one.labels]]

    def inputs_at(
        self, scores: Mapping[Kind, np.ndarray], indices: Mapping[Kind, np.ndarray], first: int = 0
    ) -> dict[str, np.ndarray]:
        """Return the values (cases,) of each random input, by name.

        - scores: standard normal scores (streams, cases) for each kind (vehicle, day or flight).
        - indices: index (cases,) of the vehicle, day and flight of each case.
        - first: number of the first case, for messages.
        """
        found: dict[str, list[np.ndarray]] = {}
        for one in self.dispersions:
            if one.maker is not None:
                found[one.name] = one.maker.values(self._own(one, scores), indices[one.declared.kind])
                if isinstance(one.maker, Continuous):
                    _check_finite(one, found[one.name], first)
        return self.with_formulas(found, first, len(indices["flight"]))

    def with_formulas(
        self, found: dict[str, list[np.ndarray]], first: int, count: int
    ) -> dict[str, np.ndarray]:
        """Return the values (cases,) of each random input by name, including inputs with formulas.

        - found: values of the members of each dispersion without a formula. The values from formulas are
          added to this mapping.
        - first, count: number of the first case, and number of cases.

        Raises BadInput if a formula has no finite value.
        """
        self._add_formulas(found, first, count)
        return {
            member.name: values
            for one in self.dispersions
            for member, values in zip(one.members, found[one.name], strict=True)
        }

    def _scores(self, kind: Kind, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scores (streams, cases) of a kind, and logarithms of the weights."""
        scores = self.scores[kind]
        if not len(index):
            return np.empty((len(scores.shift), 0)), np.empty(0)
        found, weights = scores.draw(int(index[0]), int(index[-1]) + 1)
        if len(weights) == len(index):
            return found, weights
        return found[:, index - index[0]], weights[index - index[0]]

    def _add_formulas(self, found: dict[str, list[np.ndarray]], first: int, count: int) -> None:
        known: dict[str, Any] = {}

        def add(one: Prepared) -> None:
            values = found[one.name]
            known.update({m.name: v for m, v in zip(one.members, values, strict=True)})
            known.setdefault(one.name, values[0] if len(values) == 1 else np.stack(values))

        for one in self.dispersions:
            if one.maker is not None and one.members:
                add(one)
        for one in self.formulas:
            found[one.name] = formulas.values_of(one, known, first, count)
            add(one)

    def leaves_at(self, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return the values (component..., cases) of each changed array of the scenario, by path.

        inputs: values of each random input, by name.
        """
        leaves: dict[str, np.ndarray] = {}
        for member in self.members:
            target = member.target
            if target is None:
                continue
            leaf = np.asarray(target.leaf, float)
            whole = leaves.get(target.path)
            if whole is None:
                whole = leaves[target.path] = np.repeat(
                    leaf[..., None], inputs[member.name].shape[-1], axis=-1
                )
            values = inputs[member.name]
            whole[target.index] = target.nominal[..., None] * values if member.factor else values
        return leaves


def _check_finite(one: Prepared, values: Sequence[np.ndarray], first: int) -> None:
    """Check the draws of a distribution. Raises BadInput with the first case that is not finite."""
    for draws in values:
        if not np.isfinite(draws).all():
            case = first + int(np.argmin(np.isfinite(draws)))
            text = f"the draw of the {one.declared.family} distribution is not finite in case {case}"
            raise BadInput(
                Problem(one.declared.place, f"{text}. Change the parameters, or set 'min' and 'max'")
            )


def prepare(campaign: Campaign, scenario: Any, folder: Path | None = None) -> Plan:
    """Validate a campaign with its scenario and return its plan.

    folder: folder of the files that the study refers to. Default: the current folder. Raises BadInput with
    all problems.
    """
    from .plausibility import warnings_of

    folder = folder or Path()
    found, problems = [], []
    for one in campaign.dispersions:
        try:
            found.append(prepare_dispersion(scenario, one, folder))
        except BadInput as error:
            problems += error.problems
    links, more = links_of(campaign, found, folder)
    problems += [*more, *_common_problems(campaign, found), *clash_problems(scenario, found)]
    problems += formulas.formula_problems(found, [one.name for one in campaign.dispersions])
    if problems:
        raise BadInput(dict.fromkeys(problems))
    scores, rows = _scores(campaign, found, links)
    plan = Plan(campaign, scenario, tuple(found), scores, rows, (), tuple(formulas.evaluation_order(found)))
    trial = plan.draw(0, min(plan.cases, TRIED))
    return replace(plan, warnings=tuple(warnings_of(plan, trial)))


def _common_problems(campaign: Campaign, found: Sequence[Prepared]) -> Iterator[Problem]:
    """Names that occur twice, and files that have too few rows."""
    names = [one.name for one in campaign.dispersions]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield Problem(
            f"dispersions.{name}", "two dispersions have this name. Give each dispersion a different name"
        )
    for one in found:
        declared, rows = one.declared, getattr(one.maker, "table", ())
        draws = campaign.draws_of(declared.kind)
        if declared.rows == "in_order" and len(rows) < draws:
            text = (
                f"the file has {len(rows)} rows for {draws} draws in order. Reduce 'cases', or set rows = "
                '"random"'
            )
            yield Problem(f"{declared.place}.rows", text)


def clash_problems(scenario: Any, found: Sequence[Prepared]) -> Iterator[Problem]:
    """Yield a problem for each input that is dispersed twice. found: valid dispersions."""
    named = [(one.name, m.target) for one in found for m in one.members if m.target is not None]
    for name, other, target in clashes(scenario, named):
        twice = "twice by this dispersion" if other == name else f"also by '{other}'"
        yield Problem(
            f"dispersions.{name}", f"{label_of(target)} is dispersed {twice}. Remove one of these paths"
        )


def _scores(
    campaign: Campaign, found: Sequence[Prepared], links: Sequence[LinkedRows]
) -> tuple[dict[Kind, Scores], dict[tuple[str, str], int]]:
    """Scores of each kind, and the rows of the streams."""
    rows: dict[tuple[str, str], int] = {}
    scores: dict[Kind, Scores] = {}
    for kind in KINDS:
        keys: list[Key] = []
        lots: dict[str, int] = {}
        shift, widen = [], []
        for one in (one for one in found if one.declared.kind == kind):
            for label in one.labels:
                rows[one.name, label] = len(keys)
                keys.append(("dispersion", one.name, label))
                shift.append(one.declared.importance.shift if one.declared.importance else 0.0)
                widen.append(one.declared.importance.widen if one.declared.importance else 1.0)
            lot = one.declared.lot
            if lot is not None and lot not in lots:
                lots[lot] = len(keys)
                keys.append(("lot", lot))
                shift.append(0.0)
                widen.append(1.0)
        own = {one.name for one in found if one.declared.kind == kind}
        groups = [_group(link, rows, lots) for link in links if link.streams[0][0] in own]
        block = campaign.block or campaign.draws_of(kind)
        streams = Streams(campaign.design, campaign.seed, tuple(keys), block)
        scores[kind] = Scores(streams, tuple(groups), np.array(shift), np.array(widen))
    return scores, rows


def _group(link: LinkedRows, rows: Mapping[tuple[str, str], int], lots: Mapping[str, int]) -> Group:
    own = tuple(rows[stream] for stream in link.streams)
    if link.common is None:
        assert link.matrix is not None
        return Group(own, own, np.linalg.cholesky(link.matrix))
    factor = np.column_stack([np.diag(np.sqrt(1 - link.common**2)), link.common])
    return Group(own, (*own, lots[link.lot]), factor)


def draw(
    campaign: Campaign, scenario: Any, first: int = 0, last: int | None = None, folder: Path | None = None
) -> Draws:
    """Draw the inputs of the cases `first` to `last` - 1 of a campaign. Default: all cases.

    To draw several ranges of cases, call `prepare` once and use the method `draw` of the plan.

    folder: folder of the files that the study refers to. Raises BadInput with all problems.
    """
    return prepare(campaign, scenario, folder).draw(first, last)
