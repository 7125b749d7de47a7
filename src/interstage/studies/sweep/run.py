"""Run all cases of a sweep in one batch, and evaluate each case like a single flight."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from ...checks.check import problems as problems_of
from ...engine.layout import Layout
from ...missions.mission import Mission
from ...model.settings import Requirement
from ...observation.records_of_cases import Chunk
from ...programs.progress import Progress, doing, progress_reports
from ...runs.cases import together
from ...runs.lot import Lot
from ...scenario import Scenario
from ...starts.events import END
from ...tree.errors import BadInput, Problem
from ...tree.names import GROUND
from ...tree.sentences import count_text
from ..asked import DEVICES_SPENT, unit_of, unknown
from ..devices_spent import pair_devices
from ..judged import Judged
from ..judged_cases import judge_cases
from . import designs
from .declared import Design, Response, Study, Variation, responses_of, variations_of
from .levels import Varied, find_variations
from .result import Measure, Sweep

MOST_CASES = 2000
"""Default of the largest allowed number of cases."""
MOST_CHECKED = 400
"""Largest number of cases that are checked before the flight. These cases are evenly spaced among all
cases."""
MOST_PROBLEMS = 20
FIRST_JOINTS = 3
"""Largest number of joints whose loads are default responses."""


def sweep(
    scenario: Scenario,
    vary: Any,
    design: Design | None = None,
    responses: Any = (),
    most: int = MOST_CASES,
    threads: int = 2,
    progress: Progress | bool | None = None,
) -> Sweep:
    """Run all cases of a sweep of a scenario and return the results.

    - vary: mapping of input paths to levels, or a `Study`. Levels are texts such as "900 kg:1100 kg:5", "+-5
      %" or "1 m, 2 m". Levels can also be lists of numbers in SI, or mappings with the keys of a `Variation`.
      Inputs vary together if their paths are one text with commas between the paths.
    - design: "grid", "corners" or "one_at_a_time". Default: "grid".
    - responses: texts "QUANTITY@EVENT" or `Response` objects, in addition to the requirements.
    - most: largest allowed number of cases.
    - threads: number of threads that run groups of cases at the same time.
    - progress: function that is called after each group with the number of finished cases and the number of
      all cases. For True, False and None see `programs.progress.progress_reports`.

    An interrupt (Ctrl-C) ends the sweep. The result then contains the cases that were finished before. Raises
    BadInput with all problems before any flight. Problems are unknown names, invalid levels, cases that are
    not valid scenarios, and more cases than `most`.
    """
    clock = time.perf_counter()
    if isinstance(vary, Study):
        design, responses = design or vary.design, (*vary.responses, *responses_of(responses))
        vary = vary.variations
    plan = plan_cases(scenario, vary, design or "grid", responses, most)
    lot = Lot(scenario, plan.inputs, strict=False)

    def judge(chunks: dict[str, Chunk]) -> list[Judged]:
        with doing(f"evaluating {next(iter(chunks.values())).count} cases"):
            return judge_cases(lot, chunks, plan.responses)

    with progress_reports(progress, "cases") as advanced:
        chunks, interrupted = lot.flown(threads, judge, advanced, keep=True)
    if not any(chunks):
        raise KeyboardInterrupt
    found = [case for k, chunk in enumerate(chunks) for case in chunk or _missing(lot, lot.width, k)]
    return _sweep(scenario, plan, found, interrupted, time.perf_counter() - clock)


class Plan(NamedTuple):
    """The checked cases of a sweep before any flight.

    - levels: see `designs.cases`.
    - inputs: values (cases, ...) of all changed inputs in SI, by path.
    - notes: notes on the cases.
    """

    design: Design
    variations: tuple[Varied, ...]
    levels: np.ndarray
    inputs: dict[str, np.ndarray]
    responses: tuple[Response, ...]
    notes: list[str]


def plan_cases(
    scenario: Scenario, vary: Any, design: Design = "grid", responses: Any = (), most: int = MOST_CASES
) -> Plan:
    """Return the checked cases of a sweep without running them. The arguments are those of `sweep`. Raises
    BadInput.
    """
    problems: list[Problem] = []
    variations: tuple[Varied, ...] = ()
    notes: list[str] = []
    asked: tuple[Response, ...] = ()
    try:
        variations, notes = find_variations(scenario, variations_of(vary))
    except BadInput as error:
        problems += error.problems
    try:
        asked = responses_of(responses)
        problems += response_problems(scenario, asked)
    except BadInput as error:
        problems += error.problems
    try:
        count = designs.size(design, variations)
    except BadInput as error:
        problems += error.problems
        count = 0
    if problems:
        raise BadInput(problems)
    if count > most:
        raise TooMany(design, count, most)
    levels, repeated = designs.cases(design, variations)
    if repeated:
        verb = "case repeats another case and is" if repeated == 1 else "cases repeat other cases and are"
        notes.append(f"{repeated} {verb} not flown again.")
    between = [one.name for one in variations if designs.has_inner_levels(one)]
    if design == "corners" and between:
        names = ", ".join(between)
        notes.append(
            f"The design corners uses only the lowest and highest levels. Other levels of {names} are"
            " not flown."
        )
    inputs = designs.inputs(variations, levels)
    with doing(f"checking {count_text(count, 'cases')}"):
        _check_cases(scenario, inputs, lambda case: told_levels(variations, levels[case], scenario.units))
    return Plan(design, variations, levels, inputs, asked or default_responses(scenario), notes)


def beside_scenario(
    scenario: Scenario, variations: Sequence[Variation], responses: Sequence[Response]
) -> Iterator[Problem]:
    """Yield problems of varied inputs and responses that are found together with the scenario."""
    try:
        find_variations(scenario, tuple(variations))
    except BadInput as error:
        yield from error.problems
    yield from response_problems(scenario, responses)


class TooMany(BadInput):
    """Error: the design has more cases than allowed."""

    def __init__(self, design: str, count: int, most: int) -> None:
        self.count = count
        remedy = "Use fewer levels, or another design (corners, one_at_a_time)"
        text = f"the design has {count_text(count, 'cases')}, but the limit is {most} cases"
        super().__init__(Problem(design, f"{text}. {remedy}, or allow all cases by --most {count}"))


def told_levels(variations: Sequence[Varied], levels: np.ndarray, units: str = "SI") -> str:
    """Return the levels of one case as text, for example "payload.mass 900 kg, ...".

    levels (variations,): level indices. units: "SI" or "US".
    """
    parts = []
    for one, level in zip(variations, levels):
        unit = one.scale(units)[1] if one.numeric and (level >= 0 or not np.isnan(one.nominal)) else ""
        parts.append(f"{one.name} {one.value_text(int(level), units)} {unit if unit != '1' else ''}".strip())
    return ", ".join(parts)


def _check_cases(scenario: Scenario, inputs: dict[str, np.ndarray], label: Callable[[int], str]) -> None:
    """Check all cases with the scenario. Raises BadInput with all problems."""
    cases = len(next(iter(inputs.values())))
    one_by_one = range(cases)
    try:
        together(scenario, {path: np.moveaxis(values, 0, -1) for path, values in inputs.items()})
        one_by_one = np.unique(np.linspace(0, cases - 1, min(cases, MOST_CHECKED)).astype(int)).tolist()
    except BadInput:
        pass  # each case is reported below
    found: dict[Problem, list[int]] = {}
    for case in one_by_one:
        try:
            one = together(scenario, {path: values[case] for path, values in inputs.items()})
            wrong = problems_of(one)
        except BadInput as error:
            wrong = list(error.problems)
        for problem in wrong:
            found.setdefault(problem, []).append(case)
        if len(found) >= MOST_PROBLEMS:
            break
    if found:
        raise BadInput(
            Problem(problem.place, f"{problem.message} [case {those[0]}: {label(those[0])}{_more(those)}]")
            for problem, those in found.items()
        )


def _more(cases: list[int]) -> str:
    return "" if len(cases) == 1 else f"; and {len(cases) - 1} more"


# --- responses


def response_problems(scenario: Scenario, responses: Sequence[Response]) -> Iterator[Problem]:
    """Yield problems of responses that are found together with the scenario."""
    names = [response.name for response in responses]
    for response in responses:
        yield from unknown(scenario, response, response.place)
        if names.count(response.name) > 1:
            text = f"two responses have the name '{response.name}'. Rename or remove one of the responses"
            yield Problem(response.place, text)


def default_responses(scenario: Scenario) -> tuple[Response, ...]:
    """Return the default responses: separation speeds and tip-off rates of released bodies, and the loads of
    their joints.

    Speeds and rates are values at the time when the devices of the pair are spent, as in the table Separation
    of a run. Pairs without devices, and all pairs of a mission, have values at the end.

    Quantities that a requirement already has are omitted. If there are no such responses and no requirements,
    the responses are the end times of the flight.
    """
    legs = Mission.of(scenario).legs.values()
    released = [*{joint.name: joint for leg in legs for joint in _releasing_joints(leg.scenario)}.values()]
    pairs: dict[frozenset[str], tuple[str, str]] = {}
    for joint in released:
        if joint.parent != GROUND:
            pairs.setdefault(frozenset((joint.parent, joint.child)), (joint.parent, joint.child))
    asked = {requirement.quantity for requirement in scenario.requirements}
    found = [one for a, b in pairs.values() for one in _of_pair(scenario, a, b, asked)]
    found += [
        Response(name=f"{j.name} force", quantity=f"joints.{j.name}.force.magnitude", take="max")
        for j in released[:FIRST_JOINTS]
    ]
    found = [response for response in found if response.quantity not in asked]
    if not found and not scenario.requirements:
        ends = [leg.end_event for leg in legs if not leg.successors]
        names = {end: "end of the flight" if end == END else end for end in ends}
        found = [Response(name=name, quantity="time", at=end) for end, name in names.items()]
    return tuple(found)


def _of_pair(scenario: Scenario, a: str, b: str, asked: set[str]) -> Iterator[Response]:
    """Default responses of a released pair. asked: quantities that a requirement has."""
    # In a mission "end" is the end of the last leg with both bodies.
    spent = not Mission.of(scenario).has_legs and pair_devices(scenario, a, b).names
    at = DEVICES_SPENT if spent else "end"
    path = f"pairs.{a}.{b}"
    if f"{path}.separation_speed" not in asked:
        yield Response(name=f"{a} / {b} speed, {at}", quantity=f"{path}.relative_speed", at=at)
    yield Response(name=f"{a} / {b} tip-off rate, {at}", quantity=f"{path}.tip_off_rate", at=at)


def _releasing_joints(scenario: Scenario) -> list[Any]:
    """Joints of a flight, or of a leg, that are active at the start and release."""
    reachable = Layout(scenario).reachable
    return [j for j, modes in zip(scenario.joints, reachable, strict=True) if j.active and 0 in modes]


# --- evaluation


def _missing(lot: Lot, width: int, chunk: int) -> list[Judged]:
    text = "The case was not flown: the sweep was interrupted."
    return [Judged([], [], text, False, flown=False)] * min(width, lot.lanes - chunk * width)


def _sweep(scenario: Scenario, plan: Plan, found: list[Judged], interrupted: bool, seconds: float) -> Sweep:
    measures = [
        replace(measure, values=_column(found, "limits", k), notes=_notes(found, k))
        for k, measure in enumerate(limits_of(scenario.requirements, scenario))
    ]
    measures += [
        Measure(r.name, r.quantity, r.where, unit_of(scenario, r.quantity), _column(found, "values", k))
        for k, r in enumerate(plan.responses)
    ]
    return Sweep(
        scenario=scenario,
        design=plan.design,
        variations=plan.variations,
        levels=plan.levels,
        inputs=plan.inputs,
        measures=_with_unique_names(measures, plan.variations),
        outcomes=tuple(case.outcome for case in found),
        completed=np.array([case.completed for case in found]),
        flown=np.array([case.flown for case in found]),
        interrupted=interrupted,
        notes=tuple(plan.notes),
        seconds=seconds,
    )


def limits_of(requirements: Sequence[Requirement], scenario: Scenario) -> Iterator[Measure]:
    """Yield each limit of the requirements as a `Measure` without values, in the order of
    `record.requirements.evaluate`.
    """
    for requirement in requirements:
        both = requirement.min is not None and requirement.max is not None
        sides: tuple[Literal["min", "max"], ...] = ("min", "max")
        for side in sides:
            limit = getattr(requirement, side)
            if limit is None:
                continue
            when = f"{requirement.side} {requirement.at}" if requirement.at else ""
            if requirement.at in ("start", "end"):
                when = f"at the {requirement.at}"
            when = when or (f"{side} during {requirement.during}" if requirement.during else side)
            name = f"{requirement.name} {side}" if both else requirement.name
            unit = unit_of(scenario, requirement.quantity)
            yield Measure(name, requirement.quantity, when, unit, np.zeros(0), float(limit.magnitude), side)


def _column(found: list[Judged], what: str, k: int) -> np.ndarray:
    """A number of each case; NaN for cases that were not flown."""
    rows = [getattr(case, what) for case in found]
    pick = [row[k] if row else np.nan for row in rows]
    return np.array([value[0] if isinstance(value, tuple) else value for value in pick], float)


def _notes(found: list[Judged], k: int) -> dict[int, str]:
    """Reasons why a limit could not be evaluated, by case."""
    return {n: case.limits[k][1] for n, case in enumerate(found) if case.limits and case.limits[k][1]}


def _with_unique_names(measures: list[Measure], variations: Sequence[Varied]) -> tuple[Measure, ...]:
    """The measures with names that differ from variations and other measures."""
    taken, found = {one.name for one in variations}, []
    for measure in measures:
        name = measure.name
        if name in taken:
            name = f"{name} {measure.where}"
        count = 2
        while name in taken:
            name, count = f"{measure.name} {measure.where} {count}", count + 1
        taken.add(name)
        found.append(replace(measure, name=name))
    return tuple(found)
