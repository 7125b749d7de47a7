"""Compute the margin of a requirement as a function of independent standard normal inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ....tree.errors import BadInput, Problem
from ....tree.similar_names import near
from ..chunk_size import LEAST
from ..dispersion import KINDS, Kind
from ..draws import Draws
from ..first_flight import settings_of
from ..flight import CaseFlights, not_allowed
from ..makers import Choice, Maker, Odds, Subset, TableRows
from ..plan import Plan
from .flown import MarginFlights, MarginTask

AT_ONCE = 1024
"""Largest number of flights whose results are in memory at the same time."""
CHECKED = 16
"""Interval of the cases for which the complete scenario is checked, because a check takes longer than a
short flight.
"""
EXPECTED = 10_000
"""Expected number of flights, by which the compiled program is selected."""


def limit_problems(plan: Plan, requirement: str) -> Iterator[Problem]:
    """Yield the reasons why the probability of violating a requirement cannot be computed for a campaign.

    requirement: name of the requirement in the scenario.
    """
    known = [one.name for one in plan.scenario.requirements]
    if not known:
        text = "the scenario has no requirement. Add one, for example requirements.tip_off = { quantity ="
        yield Problem(
            "--rare", f'{text} "pairs.stage.satellite.tip_off_rate", max = "1 deg/s", at = "end" }}'
        )
    elif requirement not in known:
        yield Problem("--rare", f"there is no requirement '{requirement}'; {near(requirement, known)}")
    if plan.campaign.failures == "leave_out":
        text = '"leave_out" has no effect on rare violations, in which cases without a verdict are failures'
        yield Problem("failures", f'{text}. Set failures = "count"')
    for one in plan.dispersions:
        if isinstance(one.maker, TableRows) and one.maker.in_order:
            text = 'rows that are read in order are not random and have no probability. Set rows = "random"'
            yield Problem(f"{one.declared.place}.rows", text)
    if not any(len(scores.streams.keys) for scores in plan.scores.values()):
        yield Problem("dispersions", "no input is random. Set a distribution, values, or rows of a file")


@dataclass
class LikelyFailure:
    """The most likely failure: the failed case that is nearest to the medians of all inputs in standard
    normal space.

    - distance: distance from the medians, in standard deviations.
    - inputs: values of the random inputs by name [SI].
    - margin: margin to the limit [SI]; not positive, or NaN without a verdict.
    """

    distance: float
    inputs: dict[str, float]
    margin: float


@dataclass
class FlightLimit:
    """Function that computes the margins (cases,) of a requirement from independent standard normal inputs
    (inputs, cases).

    - runner: object that runs the flights in this process or in others.
    - flown: number of flights so far.
    - nearest: most likely failure so far; None without a failure.

    The margin of a case without a verdict is NaN.
    """

    flights: CaseFlights
    requirement: str
    runner: MarginFlights
    flown: int = 0
    nearest: LikelyFailure | None = field(default=None)

    @property
    def inputs(self) -> int:
        """Return the number of independent standard normal inputs."""
        return sum(len(self.flights.plan.scores[kind].streams.keys) for kind in KINDS)

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Run the cases at points (inputs, cases) and return their margins (cases,)."""
        parts = [
            self._margins(points[:, first : first + AT_ONCE]) for first in range(0, points.shape[1], AT_ONCE)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _margins(self, points: np.ndarray) -> np.ndarray:
        draws, bad = self.draw(points)
        bad |= not_allowed(self.flights.plan, draws, bad, CHECKED)
        if len(bad) == len(draws):
            margins = np.full(len(draws), np.nan)
        else:
            margins = self.runner.margins(draws, bad)
        self.flown += len(margins)
        return margins

    def draw(self, points: np.ndarray) -> tuple[Draws, dict[int, Sequence[Problem]]]:
        """Return the random inputs of the cases at points (inputs, cases), and the problems of cases that
        cannot be drawn.

        points: standard normal inputs. A case that cannot be drawn has the inputs at their medians. The
        problems are by case index.
        """
        try:
            return self._draws(points), {}
        except BadInput:
            pass
        points, bad = points.copy(), {}
        for case in range(points.shape[1]):
            try:
                self._draws(points[:, case : case + 1])
            except BadInput as error:
                bad[case] = error.problems
                points[:, case] = 0.0
        return self._draws(points), bad

    def _draws(self, points: np.ndarray) -> Draws:
        plan, count, first = self.flights.plan, points.shape[1], 0
        scores: dict[Kind, np.ndarray] = {}
        for kind in KINDS:
            last = first + len(plan.scores[kind].streams.keys)
            scores[kind] = plan.scores[kind].from_independent(points[first:last])
            first = last
        indices: dict[Kind, np.ndarray] = {kind: np.arange(count) for kind in KINDS}
        inputs = plan.inputs_at(scores, indices)
        return Draws(0, plan.leaves_at(inputs), inputs, np.ones(count), indices)

    def note_failures(self, points: np.ndarray, margins: np.ndarray) -> None:
        """Update `nearest` with the failed case that is nearest to the medians.

        - points: standard normal inputs (inputs, cases).
        - margins: margins (cases,). A margin that is not positive is a failure.
        """
        failed = np.flatnonzero(~(margins > 0.0))
        if not len(failed):
            return
        distances = np.linalg.norm(points[:, failed], axis=0)
        k = failed[int(np.argmin(distances))]
        if self.nearest is None or distances.min() < self.nearest.distance:
            draws, bad = self.draw(points[:, k : k + 1])
            if bad:
                return
            inputs = {
                name: float(np.ravel(values)[0])
                for name, values in draws.inputs.items()
                if np.size(values) == 1
            }
            self.nearest = LikelyFailure(float(distances.min()), inputs, float(margins[k]))


def flight_limit(plan: Plan, requirement: str, jobs: int | None = None) -> FlightLimit:
    """Return the function that computes the margins of a requirement. Raises BadInput with all problems.

    jobs: number of other processes, see `MarginFlights`.
    """
    if problems := [*limit_problems(plan, requirement)]:
        raise BadInput(problems)
    only = tuple(one for one in plan.scenario.requirements if one.name == requirement)
    own = replace(
        _without_importance(plan),
        scenario=plan.scenario.model_copy(update={"requirements": only}),
        campaign=plan.campaign.model_copy(update={"envelopes": ()}),
    )
    flights = CaseFlights(own, (), settings_of(own, ()))
    return FlightLimit(flights, requirement, MarginFlights(MarginTask(flights, requirement), jobs))


def _without_importance(plan: Plan) -> Plan:
    """The plan with the declared distributions, and cases that are independent of each other."""
    scores = {
        kind: replace(
            one,
            streams=replace(one.streams, design="random"),
            shift=np.zeros(len(one.shift)),
            widen=np.ones(len(one.widen)),
        )
        for kind, one in plan.scores.items()
    }
    dispersions = tuple(replace(one, maker=_with_true_odds(one.maker)) for one in plan.dispersions)
    changes = {"design": "random", "block": None, "loops": None, "cases": EXPECTED, "requirements": ()}
    changes["chunk"] = plan.campaign.chunk or LEAST
    campaign = plan.campaign.model_copy(update=changes)
    return replace(plan, campaign=campaign, scores=scores, dispersions=dispersions)


def _with_true_odds(maker: Maker | None) -> Maker | None:
    if isinstance(maker, (Choice, Subset)):
        return replace(maker, odds=Odds(maker.odds.true, maker.odds.true))
    return maker
