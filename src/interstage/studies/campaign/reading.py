"""Read the study file of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...tree.declaration import ByName
from ...tree.errors import BadInput, Problem
from ...tree.name_check import unknown
from ...tree.toml_file import Lines, plain
from ...tree.validation_errors import meant_keys
from ..study_file import Right, in_study, read_as, study_in
from ..sweep.declared import Response
from ..sweep.run import limits_of, response_problems
from .declared import Campaign, Correlation
from .dispersion import Dispersion
from .envelopes_declared import envelope_problems
from .formulas import formula_problems
from .goals import Goal
from .groups import correlations_of, lots_of
from .members import prepare_dispersion
from .plan import Plan, clash_problems, prepare


class OpenCampaign(NamedTuple):
    """A campaign from a file: its declaration, its scenario, and the plan of its random draws."""

    campaign: Campaign
    scenario: Any
    plan: Plan


def read_study(path: Path, scenario_of: Callable[[Path], Any] | None = None) -> tuple[Campaign, Lines] | None:
    """Return the campaign in a file and the line number of each key. Return None if the file is a scenario.

    scenario_of: function that reads a scenario from its path. Raises BadInput.
    """
    found = study_in(path, "campaign")
    if found is None:
        return None
    data, lines = found
    known = _names(data)

    def problems(scenario: Any, right: Right) -> Iterator[Problem]:
        yield from _valid_problems(scenario, right, known, path.parent)

    return read_as(Campaign, data, lines, path, scenario_of, problems)


def _names(data: dict[str, Any]) -> list[str]:
    """Names of all dispersions of a study, valid ones and others: tables by name, or a list of tables."""
    spelled = {meant: key for key, meant in meant_keys(Campaign, data).items()}
    entries = ByName().as_list(data.get(spelled.get("dispersions", "dispersions")))
    named = [one.get("name") for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
    return [name for name in named if isinstance(name, str)]


def _valid_problems(scenario: Any, right: Right, names: list[str], folder: Path) -> Iterator[Problem]:
    """Problems with the scenario of those declarations that are valid by themselves. names: of all."""
    dispersions: tuple[Dispersion, ...] = right.get("dispersions", ())
    groups: tuple[Correlation, ...] = right.get("correlations", ())
    found = []
    for one in dispersions:
        try:
            found.append(prepare_dispersion(scenario, one, folder))
        except BadInput as error:
            yield from error.problems
    yield from clash_problems(scenario, found)
    yield from lots_of(found)[1]
    yield from correlations_of(groups, found, names, folder)[1]
    yield from formula_problems(found, names)
    yield from study_problems(scenario, right.get("responses", ()), right.get("requirements", ()))
    yield from envelope_problems(scenario, right.get("envelopes", ()))


def study_problems(scenario: Any, responses: Sequence[Response], goals: Sequence[Goal]) -> Iterator[Problem]:
    """Yield problems of the responses and requirements of a study, checked with its scenario.

    goals: goals for requirements of the scenario.
    """
    yield from response_problems(scenario, responses)
    yield from _repeated_names(scenario, responses)
    known = [one.name for one in scenario.requirements]
    for goal in goals:
        yield from unknown(goal.place, goal.name, known, "requirement")


def _repeated_names(scenario: Any, responses: Sequence[Response]) -> Iterator[Problem]:
    """Responses with the name of a requirement, or of one of its limits."""
    limits = [one.name for one in limits_of(scenario.requirements, scenario)]
    taken = {*limits, *(one.name for one in scenario.requirements)}
    for one in responses:
        if one.name in taken:
            text = f"'{one.name}' is the name of a requirement, whose value is recorded in each case"
            yield Problem(one.place, f"{text}. Give the response another name, or remove it")


def study_of(study: Campaign | Mapping[str, Any], cases: int | None = None) -> Campaign:
    """Return a study as a `Campaign`. cases: number of cases that replaces the number in the study. Raises
    BadInput.
    """
    if not isinstance(study, Campaign):
        study = Campaign(**{"scenario": "", **study})
    return study if cases is None else Campaign(**{"scenario": "", **plain(study), "cases": cases})


def make_plan(scenario: Any, study: Campaign, base: Path | None) -> Plan:
    """Return the validated plan of a study. base: folder of the files that the study refers to. Raises
    BadInput.
    """
    problems = [*study_problems(scenario, study.responses, study.requirements)]
    if problems := [*problems, *envelope_problems(scenario, study.envelopes)]:
        raise BadInput(problems)
    return prepare(study, scenario, base)


def open_campaign(path: Path, scenario_of: Callable[[Path], Any], cases: int | None = None) -> OpenCampaign:
    """Read a study file and return the campaign with its scenario and its plan.

    - scenario_of: function that reads a scenario from its path.
    - cases: number of cases that replaces the number in the study.

    Raises BadInput with all problems and their line numbers.
    """
    found = read_study(path, scenario_of)
    if found is None:
        text = "the file is not the study of a campaign. Add the keys scenario, cases and dispersions"
        raise BadInput(text, str(path))
    declared, lines = found
    scenario = scenario_of(path.parent / declared.scenario)
    with in_study(path, lines):
        campaign = study_of(declared, cases)
        return OpenCampaign(campaign, scenario, make_plan(scenario, campaign, path.parent))
