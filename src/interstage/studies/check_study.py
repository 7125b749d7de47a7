"""Checks of study files without a flight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ..tree.bare_angles import states_si
from ..tree.errors import BadInput, counted
from ..tree.toml_file import parse, read_text, with_lines
from .bare_amounts import warnings
from .study_file import commands_of, is_study


class CheckedStudy(NamedTuple):
    """A valid study: the file of its scenario, a summary of its contents, and its warnings."""

    scenario_file: Path
    contents: str
    warnings: list[str]


def check_study(file: Path, scenario_of: Callable[[Path], Any]) -> CheckedStudy | None:
    """The study in a file; None if the file is not a study of a known command. Raises BadInput with all
    problems."""
    if file.suffix != ".toml":
        return None
    text = read_text(file)
    data = parse(text, str(file))
    commands = commands_of(data) if is_study(data) else {}
    if not commands:
        return None
    read = _optimization if "optimize" in commands else _sweep
    return read(file, scenario_of, states_si(text))


def _sweep(file: Path, scenario_of: Callable[[Path], Any], in_si: bool) -> CheckedStudy:
    from .sweep.declared import read_study
    from .sweep.run import beside_scenario

    found = read_study(file, scenario_of)
    assert found is not None
    study, lines = found
    scenario_file = file.parent / study.scenario
    scenario = scenario_of(scenario_file)
    if problems := [*beside_scenario(scenario, study.variations, study.responses)]:
        raise BadInput(with_lines(problems, lines), str(file))
    counts = [counted(len(study.variations), "variations")]
    counts += [counted(len(study.responses), "responses")] if study.responses else []
    notes = [] if in_si else warnings(scenario, study.variations)
    return CheckedStudy(scenario_file, ", ".join(["sweep", *counts]), notes)


def _optimization(file: Path, scenario_of: Callable[[Path], Any], in_si: bool) -> CheckedStudy:
    from .optimization.checks import checked
    from .optimization.declared import read_study

    found = read_study(file, scenario_of)
    assert found is not None
    study, lines = found
    scenario_file = file.parent / study.scenario
    scenario = scenario_of(scenario_file)
    try:
        checked(scenario, study)
    except BadInput as error:
        raise BadInput(with_lines(list(error.problems), lines), str(file)) from None
    counts = [counted(len(study.inputs), "inputs"), counted(len(study.constraints), "constraints")]
    notes = [] if in_si else warnings(scenario, study.inputs, study.constraints)
    return CheckedStudy(scenario_file, ", ".join(["optimization", *counts]), notes)
