"""Read study files. A study file describes a sweep, a campaign or an optimization of a scenario in another
file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ..tree.declaration import ByName, Declaration, declarations_in
from ..tree.errors import BadInput, Problem
from ..tree.similar_names import like, near
from ..tree.toml_file import Lines, files_beside, lines_of, parse, read_text, with_lines
from ..tree.validation_errors import in_file, meant_keys

KEY_OF = {"sweep": "variations", "optimize": "variables", "campaign": "dispersions"}
"""For each command, the key that identifies its study files."""
STUDY_OF = {"sweep": "a sweep", "optimize": "an optimization", "campaign": "a campaign"}
"""For each command, the name of its study in messages."""
SCENARIO = 'the path of the scenario file is missing. Add, for example, scenario = "scenario.toml"'
"""Error message for a study file without the path of a scenario."""
INPUTS = 'for example {}.mass = {{ path = "bodies.payload.mass", low = "900 kg", high = "1100 kg" }}'
"""Example of an input in a study file, for messages. The placeholder is the key of the table."""
OF_SCENARIOS = ("bodies", "phases", "legs")
"""Keys that occur only in scenario files."""


class StudyFile(Declaration):
    """Fields of the study files of all commands."""

    scenario: str
    """Path of the scenario file, relative to the folder of the study file."""

    @classmethod
    def missing(cls, given: Collection[str]) -> dict[str, str]:
        """Return an error message for each required key that is missing, by key.

        given: keys in the study file.
        """
        return {} if "scenario" in given else {"scenario": SCENARIO}


Declared = TypeVar("Declared", bound=StudyFile)
Right = Mapping[str, tuple[Any, ...]]
"""Valid declarations of a study, grouped by the top-level keys of the file."""
Beside = Callable[[Any, Right], Iterable[Problem]]
"""Function (scenario, valid declarations) that returns the problems of the declarations with the scenario."""


def is_study(data: Mapping[str, Any]) -> bool:
    """Return whether the tables of a TOML file are a study. Misspelled keys are recognized."""
    if isinstance(data.get("scenario"), str) or any(key in data for key in KEY_OF.values()):
        return True
    known = ("scenario", *KEY_OF.values())
    return not any(key in data for key in OF_SCENARIOS) and any(like(key, known) for key in data)


def commands_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the commands to which a study can belong. The values are the keys in the file that identify the
    commands.
    """
    own = {command: key for command, key in KEY_OF.items() if key in data}
    if not own and "objective" in data:  # an optimization with controls and no variables
        return {"optimize": "objective"}
    meant = {near[0]: key for key in data if (near := like(key, KEY_OF.values()))}
    return own or {command: meant[key] for command, key in KEY_OF.items() if key in meant}


def study_in(path: Path, command: str) -> tuple[dict[str, Any], Lines] | None:
    """Return the tables of a study file and the line number of each key. Return None if the file is a
    scenario.

    command: command that reads the file. Raises BadInput, also if the study belongs to another command.
    """
    if path.suffix != ".toml":
        return None
    text = read_text(path)
    data = parse(text, str(path))
    if not is_study(data):
        return None
    keys = commands_of(data)
    if len(keys) > 1:
        both = " and ".join(f"{key} ({STUDY_OF[one]})" for one, key in keys.items())
        raise BadInput(
            f"the file has keys of different studies: {both}. Write one file for each study", str(path)
        )
    if keys and command not in keys:
        ((other, key),) = keys.items()
        text = f"the key {key} belongs to a study for interstage {other}. Run interstage {other}"
        raise BadInput(text, str(path))
    return data, lines_of(text, data)


@contextmanager
def in_study(path: Path, lines: Lines) -> Iterator[None]:
    """Add the path of the study file and the line numbers of the keys to problems raised in a with block."""
    try:
        yield
    except BadInput as error:
        raise BadInput(with_lines(list(error.problems), lines), str(path)) from None


def read_as(
    kind: type[Declared],
    data: dict[str, Any],
    lines: Lines,
    path: Path,
    scenario_of: Callable[[Path], Any] | None,
    beside: Beside,
) -> tuple[Declared, Lines]:
    """Return the study, read from its tables, and the line number of each key.

    - kind: class of the study.
    - scenario_of: function that reads a scenario. None omits the checks that need the scenario.
    - `beside`: function that checks the study together with its scenario.

    Raises BadInput with all problems.
    """
    study, problems = _read_declaration(kind, data)
    scenario = data.get("scenario")
    if isinstance(scenario, str):
        wanted = path.parent / scenario
        if not wanted.exists():
            text = f"there is no scenario file '{wanted}'. Correct the path{files_beside(wanted)}"
            problems.append(Problem("scenario", text))
        elif problems and scenario_of is not None:
            problems += _with_scenario(kind, data, wanted, scenario_of, beside)
    if problems or study is None:
        raise BadInput(with_lines(list(dict.fromkeys(problems)), lines), str(path))
    return study, lines


def _read_declaration(kind: type[Declared], data: dict[str, Any]) -> tuple[Declared | None, list[Problem]]:
    """The study in tables, or None, and its problems: of misspelt keys, and of the values read under the keys
    that they resemble."""
    meant = meant_keys(kind, data)
    problems = [Problem(key, f"unknown key; {near(key, kind.model_fields)}") for key in data if key in meant]
    try:
        return kind(**{meant.get(key, key): value for key, value in data.items()}), problems
    except BadInput as error:
        missing = kind.missing({*data, *meant.values()})
        found = [Problem(key, text) for key, text in missing.items()]
        found += [
            replace(problem, place=in_file(problem.place, meant))
            for problem in error.problems
            if problem.place not in missing
        ]
        return None, problems + found


def _with_scenario(
    kind: type[Declaration],
    data: dict[str, Any],
    file: Path,
    scenario_of: Callable[[Path], Any],
    beside: Beside,
) -> Iterator[Problem]:
    """Problems of a study's scenario, or of the study's valid declarations with that scenario."""
    meant = meant_keys(kind, data)
    try:
        scenario = scenario_of(file)
    except BadInput as error:
        yield from (Problem("scenario", f"{file}: {problem}") for problem in error.problems)
        return
    right = _right(kind, {meant.get(key, key): value for key, value in data.items()})
    yield from (replace(problem, place=in_file(problem.place, meant)) for problem in beside(scenario, right))


def _right(kind: type[Declaration], data: Mapping[str, Any]) -> Right:
    right: dict[str, tuple[Any, ...]] = {}
    for key, field in kind.model_fields.items():
        choices = [*declarations_in(field.annotation).values()]
        value = data.get(key)
        named = any(isinstance(mark, ByName) for mark in field.metadata)
        entries = ByName().as_list(value) if named else [value] if isinstance(value, dict) else value
        if len(choices) == 1 and isinstance(entries, list):
            right[key] = tuple(_read(choices[0], entries))
    return right


def _read(declared: type[Declaration], entries: list[Any]) -> Iterator[Any]:
    for entry in entries:
        try:
            yield declared(**entry)
        except (BadInput, TypeError):  # reported by the study as a whole
            continue
