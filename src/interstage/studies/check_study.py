"""Check study files without running a flight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..tree.bare_angles import states_si
from ..tree.errors import BadInput, Problem
from ..tree.sentences import count_text
from ..tree.toml_file import parse, read_text, with_lines
from .bare_amounts import warnings
from .study_file import commands_of, is_study


class CheckedStudy(NamedTuple):
    """A study without errors: its scenario and scenario file, a summary of its contents, and its warnings."""

    scenario: Any
    scenario_file: Path
    contents: str
    warnings: list[str]


class _Contents(NamedTuple):
    """Problems of a study with its scenario; a summary; inputs and constraints, which may be bare angles."""

    problems: Sequence[Problem]
    counts: list[str]
    inputs: Sequence[Any]
    constraints: Sequence[Any] = ()


def check_study(file: Path, scenario_of: Callable[[Path], Any]) -> CheckedStudy | None:
    """Check the study in a file and return the study with its scenario.

    scenario_of: function that reads a scenario from its path. Returns None if the file is not a study file.
    Raises BadInput with all problems.
    """
    if file.suffix != ".toml":
        return None
    text = read_text(file)
    data = parse(text, str(file))
    commands = commands_of(data) if is_study(data) else {}
    if not commands:
        return None
    if "campaign" in commands:
        return _check_campaign(file, scenario_of)
    optimizes = "optimize" in commands
    found = (_read_optimization if optimizes else _read_sweep)(file, scenario_of)
    assert found is not None
    study, lines = found
    scenario_file = file.parent / study.scenario
    scenario = scenario_of(scenario_file)
    seen = (_optimization if optimizes else _sweep)(scenario, study)
    if seen.problems:
        raise BadInput(with_lines(list(seen.problems), lines), str(file))
    notes = [] if states_si(text) else warnings(scenario, seen.inputs, seen.constraints)
    contents = ", ".join(["optimization" if optimizes else "sweep", *seen.counts])
    return CheckedStudy(scenario, scenario_file, contents, notes)


def _check_campaign(file: Path, scenario_of: Callable[[Path], Any]) -> CheckedStudy:
    from .campaign import open_campaign

    campaign, scenario, plan = open_campaign(file, scenario_of)
    counts = [count_text(plan.cases, "cases"), count_text(len(plan.members), "dispersed inputs")]
    contents = ", ".join(["campaign", *counts])
    return CheckedStudy(scenario, file.parent / campaign.scenario, contents, [*plan.warnings])


def _read_sweep(file: Path, scenario_of: Callable[[Path], Any]) -> Any:
    from .sweep.declared import read_study

    return read_study(file, scenario_of)


def _read_optimization(file: Path, scenario_of: Callable[[Path], Any]) -> Any:
    from .optimization.declared import read_study

    return read_study(file, scenario_of)


def _sweep(scenario: Any, study: Any) -> _Contents:
    from .sweep.run import beside_scenario

    counts = [count_text(len(study.variations), "variations")]
    counts += [count_text(len(study.responses), "responses")] if study.responses else []
    problems = [*beside_scenario(scenario, study.variations, study.responses)]
    return _Contents(problems, counts, study.variations)


def _optimization(scenario: Any, study: Any) -> _Contents:
    from .optimization.checks import valid_variables

    counts = [count_text(len(study.inputs), "inputs"), count_text(len(study.constraints), "constraints")]
    problems: Sequence[Problem] = ()
    try:
        valid_variables(scenario, study)
    except BadInput as error:
        problems = error.problems
    return _Contents(problems, counts, study.inputs, study.constraints)
