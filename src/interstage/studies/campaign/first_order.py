"""First-order statistics of the responses of a campaign: mean, standard deviation and drivers from the
derivatives of one flight.

All inputs of this flight are at their means. Four other flights with inputs close to the means test whether
each response is smooth. At a kink, the computed derivatives are meaningless. An example is the magnitude of a
rate that is zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ...observation.after import known_after
from ...programs.targets import Target
from ...record.requirements import Extreme
from ...runs.cases import together
from ...sensitivities.pushed import Output, Point, Pushed
from ...statistics.propagation import FirstOrder, propagate
from ...tree.addresses import get
from ...tree.errors import BadInput
from ..devices_spent import is_when_spent
from ..judged import judge_record
from ..sweep.declared import Response
from .base_inputs import BaseInput, BaseInputs, MeanCase, base_inputs, mean_case
from .columns import names_of
from .plan import Plan

STEP, SHORTER = 0.25, 8.0
"""Changes of the inputs in the flights that test for kinks. STEP is the larger change, in standard
deviations of each input. SHORTER is the ratio of the larger to the smaller change.
"""
KINK = SHORTER**1.5
"""Limit of the ratio of the second differences for the larger and the smaller change. The ratio is 64 for a
smooth response and 8 at a kink.
"""
NOISE = 1e-4
"""Second difference, relative to the change of the response, below which numerical errors of the flights
explain it.
"""
SAME = 1e-6
"""Allowed relative difference between the response in the derivative computation and the response from the
record of the same flight.
"""
DIFFERS = 0.02
"""Allowed relative difference between a finite difference for the smaller change and the derivative. The
third derivative of the response causes such a difference.
"""
OF_KINKS = (
    "the response has a kink at the means of the inputs, for example a magnitude that is zero "
    "at the means, or an"
    " extreme that changes its time. Use a smooth response, for example the components of a rate"
)

OF_SEVERAL = "the event of this limit occurs several times, but only the first occurrence has a derivative"
NOT_SINGLE = "the response is not the value at a single time, so it has no derivative"
AFTER_SPENT = (
    "the response changes after the devices are spent, and the last device can be another one in each case. "
    "Declare a response at an event"
)


class Wanted(NamedTuple):
    """A response or limit to differentiate.

    - name: name of the response or limit.
    - output: quantity that is differentiated.
    - asked: quantity of the cases, which must have the same value in the flight of the means.
    """

    name: str
    output: Output
    asked: Any


@dataclass(frozen=True)
class FirstOrderResponse:
    """First-order statistics of one response, in SI.

    - mean: response with all inputs at their means.
    - sigma: standard deviation.
    - shares (inputs,): share of each input in the variance; see `statistics.propagate`.
    - why: reason if there is no result, otherwise empty. If the reason is not empty, do not use `mean`,
      `sigma` and `shares`.
    """

    name: str
    mean: float
    sigma: float
    shares: np.ndarray
    why: str = ""

    @property
    def statistics(self) -> FirstOrder:
        """Return the mean, the standard deviation and the shares in the form that
        `statistics.compare_propagation` needs.
        """
        return FirstOrder(self.mean, self.sigma, self.shares)


@dataclass(frozen=True)
class CampaignFirstOrder:
    """First-order statistics of all responses and limits of a campaign.

    - inputs: random inputs with derivatives.
    - omitted: reason why a dispersion or input has no derivative, by name.
    - responses: results by the name of the response or limit.
    - flights: number of flights, including the four flights that test for kinks.
    """

    inputs: tuple[BaseInput, ...]
    omitted: Mapping[str, str]
    responses: Mapping[str, FirstOrderResponse]
    flights: int

    def shares(self, name: str) -> dict[str, float]:
        """Return the share of each dispersion in the variance of a response, by dispersion name. The largest
        share is first.

        name: name of the response or limit.
        """
        found: dict[str, float] = {}
        for one, share in zip(self.inputs, self.responses[name].shares, strict=True):
            if one.name not in self.omitted:
                found[one.dispersion] = found.get(one.dispersion, 0.0) + float(share)
        return dict(sorted(found.items(), key=lambda item: -abs(item[1])))


def first_order(plan: Plan, responses: Sequence[Response]) -> CampaignFirstOrder:
    """Return first-order statistics of the responses of a campaign and of the limits of its requirements.

    Raises BadInput if the case with all inputs at their means cannot be run.
    """
    base = base_inputs(plan)
    case = mean_case(plan, base)
    return _Derivation(plan, base, case, wanted_of(plan, responses)).result()


def wanted_of(plan: Plan, responses: Sequence[Response]) -> list[Wanted]:
    """Return the responses and limits of a campaign, in the order of the result columns."""
    # The last of several devices can be another one in each case, which has no derivative. Without other
    # forces the values at the end are the same.
    outputs = [
        Output(one.quantity, "end" if is_when_spent(one) else one.at, one.side, one.take, one.during)
        for one in responses
    ]
    ends: tuple[Extreme, ...] = ("min", "max")
    for one in plan.scenario.requirements:
        for end in ends:
            if getattr(one, end) is not None:
                take = end if one.at is None else None
                outputs.append(Output(one.quantity, one.at, one.side, take, one.during))
    names = names_of(plan, responses)
    listed = (*names.responses, *names.limits)
    asked = [*responses, *outputs[len(responses) :]]
    return [Wanted(one.name, *both) for one, *both in zip(listed, outputs, asked, strict=True)]


class _Derivation:
    """Finds the derivatives of the responses that have some, and the reasons of the others."""

    def __init__(self, plan: Plan, base: BaseInputs, case: MeanCase, wanted: list[Wanted]):
        self.plan, self.base, self.case = plan, base, case
        self.scenario = together(plan.scenario, case.leaves)
        self.wanted = wanted
        self.why: dict[str, str] = {}
        self.omitted = dict(base.omitted)
        self.flights = 0
        self.targets = {
            member.name: (member.factor, self._at_means(member.target))
            for member in plan.members
            if member.target is not None and member.name in case.tangents
        }
        self.nominal = {m.name: m.target.nominal for m in plan.members if m.target is not None}

    def _at_means(self, target: Target) -> Target:
        return replace(target, leaf=np.asarray(get(self.scenario, target.path), float))

    def result(self) -> CampaignFirstOrder:
        """The statistics of all responses."""
        none = np.zeros(len(self.base.inputs))
        found = {one.name: FirstOrderResponse(one.name, np.nan, np.nan, none) for one in self.wanted}
        wanted = self._requests()
        while wanted:
            pushed = Pushed(self.scenario, self._inputs(), [one.output for one in wanted])
            point = pushed.at(pushed.nominal)
            if point.interrupted:
                raise KeyboardInterrupt
            self.flights += 1
            self._check_values(point, wanted)
            try:
                slopes = pushed.jacobian(point)
            except BadInput as error:
                wanted = self._without(error, pushed, wanted)
                continue
            self._check_smooth(pushed, point, wanted, slopes)
            for k, one in enumerate(wanted):
                if one.name not in self.why:
                    found[one.name] = self._statistics(one.name, float(point.values[k]), slopes[k])
            break
        missing = {name: replace(found[name], why=why) for name, why in self.why.items()}
        return CampaignFirstOrder(
            self.base.inputs,
            self.omitted,
            {name: missing.get(name, found[name]) for name in found},
            self.flights,
        )

    def _inputs(self) -> dict[str, list[Target]]:
        return {name: [target] for name, (_, target) in self.targets.items()}

    def _requests(self) -> list[Wanted]:
        """The responses of which derivatives can be requested."""

        def problem(some: list[Wanted]) -> str:
            try:
                Pushed(self.scenario, self._inputs(), [one.output for one in some])
            except BadInput as error:
                return error.problems[0].message
            return ""

        if not self.targets:
            self.why |= {
                one.name: "no dispersion with a derivative changes the scenario" for one in self.wanted
            }
            return []
        for one in self.wanted:
            if known_after(self.scenario, one.output.quantity) is not None:
                self.why[one.name] = "the response is computed only after a flight, from samples"
        wanted = [one for one in self.wanted if one.name not in self.why]
        if not wanted or not problem(wanted):
            return wanted
        self.why |= {one.name: why for one in wanted if (why := problem([one]))}
        return [one for one in wanted if one.name not in self.why]

    def _without(self, error: BadInput, pushed: Pushed, wanted: list[Wanted]) -> list[Wanted]:
        """The responses that remain after an error of the derivatives; inputs that caused it are removed."""
        names = self._members(pushed)
        quantities = {one.output.quantity for one in wanted}
        gone = len(self.targets), len(wanted)
        for place, message in ((problem.place, problem.message) for problem in error.problems):
            member = next((own for name, own in zip(pushed.names, names, strict=True) if name == place), None)
            if member is not None:
                self.targets.pop(member, None)
                self.omitted[member] = message
            elif place in quantities:
                self.why |= {one.name: message for one in wanted if one.output.quantity == place}
        left = [one for one in wanted if one.name not in self.why]
        if (len(self.targets), len(left)) == gone:
            self.why |= {one.name: str(error.problems[0]) for one in left}
            return []
        if not self.targets:
            self.why |= {one.name: "no input has a derivative" for one in left}
            return []
        return left

    def _members(self, pushed: Pushed) -> list[str]:
        """Name of the member of each column of the derivatives."""
        found = [name for name, (_, target) in self.targets.items() for _ in range(target.nominal.size)]
        assert len(found) == len(pushed.names)
        return found

    def _check_values(self, point: Point, wanted: list[Wanted]) -> None:
        """Note the responses without a value, and those that are not the value at a single time."""
        judged = judge_record(point.record, [one.asked for one in wanted], self.plan.scenario.requirements)
        limits = {
            one.name: value
            for one, (value, _) in zip(names_of(self.plan, ()).limits, judged.limits, strict=True)
            if np.isfinite(value)
        }
        for one, value, why, other in zip(wanted, point.values, point.why, judged.values, strict=True):
            of_limit = limits.get(one.name, float(value))
            if why is not None:
                self.why[one.name] = why
            elif one.output.at and not np.isclose(value, of_limit, rtol=SAME, atol=1e-12):
                self.why[one.name] = OF_SEVERAL
            elif not np.isclose(value, other, rtol=SAME, atol=SAME * abs(value) + 1e-12):
                self.why[one.name] = AFTER_SPENT if is_when_spent(one.asked) else NOT_SINGLE

    def _tangent(self) -> np.ndarray:
        """Derivatives (columns, base inputs) of the numbers of the scenario."""
        rows = []
        for name, (factor, target) in self.targets.items():
            scale = np.ravel(self.nominal[name]) if factor else np.ones(target.nominal.size)
            rows.append(scale[:, None] * self.case.tangents[name])
        return np.concatenate(rows)

    def _statistics(self, name: str, value: float, slopes: np.ndarray) -> FirstOrderResponse:
        found = propagate(slopes @ self._tangent(), self.base.sigmas, value, self.base.correlation)
        return FirstOrderResponse(name, value, found.sigma, found.shares)

    # --- kinks

    def _check_smooth(self, pushed: Pushed, point: Point, wanted: list[Wanted], slopes: np.ndarray) -> None:
        """Note the responses with a kink, and those whose derivatives do not agree with differences."""
        draw = np.random.default_rng(len(self.base.inputs))
        sizes = draw.uniform(0.5, 1.0, len(self.base.inputs)) * draw.choice(
            [-1.0, 1.0], len(self.base.inputs)
        )
        along = self._tangent() @ (sizes * self.base.sigmas)
        values = {}
        for factor in (STEP, -STEP, STEP / SHORTER, -STEP / SHORTER):
            try:
                values[factor] = self._near(pushed, factor * along)
            except BadInput as error:
                why = f"a flight near the means of the inputs cannot start: {error.problems[0]}"
                self.why |= {one.name: self.why.get(one.name, why) for one in wanted}
                return
        far, near = (
            _Differences(values[step] - point.values, values[-step] - point.values)
            for step in (STEP, STEP / SHORTER)
        )
        expected = slopes @ along * STEP / SHORTER
        for k, one in enumerate(wanted):
            if one.name in self.why:
                continue
            size = max(abs(far.up[k]), abs(far.down[k]))
            second = near.second[k]
            if not np.isfinite(size + second):
                self.why[one.name] = "the response has no value in a flight near the means of the inputs"
            elif second > NOISE * size and second * KINK > far.second[k]:
                self.why[one.name] = OF_KINKS
            elif abs(near.first[k] - expected[k]) > DIFFERS * max(abs(near.first[k]), NOISE * size):
                both = f"{near.first[k]:.6g} in flights, {expected[k]:.6g} from derivatives (SI)"
                self.why[one.name] = (
                    f"the response is not smooth near the means of the inputs: its change is {both}"
                )

    def _near(self, pushed: Pushed, change: np.ndarray) -> np.ndarray:
        """Values of the responses in a flight near the means of the inputs. Raises BadInput if the scenario
        does not allow it."""
        point = pushed.at(pushed.nominal + change)
        together(self.scenario, {t.path: get(point.scenario, t.path) for _, t in self.targets.values()})
        self.flights += 1
        return point.values


class _Differences(NamedTuple):
    """Changes (outputs,) of responses for one step along a direction, and for the opposite step."""

    up: np.ndarray
    down: np.ndarray

    @property
    def second(self) -> np.ndarray:
        """Size of the second difference."""
        return np.abs(self.up + self.down)

    @property
    def first(self) -> np.ndarray:
        """Half of the first difference: the change by a linear response."""
        return (self.up - self.down) / 2
