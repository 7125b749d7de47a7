"""Study files: what is asked of a scenario, in a file beside it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ..tree.declaration import ByName, Declaration, declarations_in
from ..tree.errors import BadInput, Problem, like, near
from ..tree.toml_file import Lines, files_beside, lines_of, parse, read_text, with_lines
from ..tree.validation_errors import in_file, meant_keys

KEY_OF = {"sweep": "variations", "optimize": "variables"}
"""The key by which a study is known, by the command that it is for."""
SCENARIO = 'is required: the scenario\'s file, like scenario = "scenario.toml"'
"""What to state where a study names no scenario."""
INPUTS = 'like {}.mass = {{ path = "bodies.payload.mass", low = "900 kg", high = "1100 kg" }}'
"""How a study names inputs, under a key."""
OF_SCENARIOS = ("bodies", "phases", "legs")
"""Keys of which each scenario has some, and no study any."""


class StudyFile(Declaration):
    """What the studies of all commands have in common."""

    scenario: str
    """The scenario's file, from the folder of this one."""

    @classmethod
    def missing(cls, given: Collection[str]) -> dict[str, str]:
        """What to say of each key that a study needs and has not, of those given."""
        return {} if "scenario" in given else {"scenario": SCENARIO}


Declared = TypeVar("Declared", bound=StudyFile)
Right = Mapping[str, tuple[Any, ...]]
"""Declarations of a study that are right by themselves, by the keys of their groups."""
Beside = Callable[[Any, Right], Iterable[Problem]]
"""Gives what is wrong with such declarations beside a scenario."""


def is_study(data: Mapping[str, Any]) -> bool:
    """Whether tables are those of a study, maybe with misspelt keys."""
    if isinstance(data.get("scenario"), str) or any(key in data for key in KEY_OF.values()):
        return True
    known = ("scenario", *KEY_OF.values())
    return not any(key in data for key in OF_SCENARIOS) and any(like(key, known) for key in data)


def commands_of(data: Mapping[str, Any]) -> dict[str, str]:
    """The commands that a study may be for, and the keys by which: such as are known, else misspelt ones."""
    own = {command: key for command, key in KEY_OF.items() if key in data}
    meant = {near[0]: key for key in data if (near := like(key, KEY_OF.values()))}
    return own or {command: meant[key] for command, key in KEY_OF.items() if key in meant}


def study_in(path: Path, command: str) -> tuple[dict[str, Any], Lines] | None:
    """The tables of a study for a command, and the lines of their keys; none if the file is a scenario.
    Raises BadInput, also for a study that is for another command."""
    if path.suffix != ".toml":
        return None
    text = read_text(path)
    data = parse(text, str(path))
    if not is_study(data):
        return None
    keys = commands_of(data)
    if len(keys) > 1:
        both = " and ".join(keys.values())
        raise BadInput(f"has {both}: one is for a sweep, the other to be optimized; use two files", str(path))
    if keys and command not in keys:
        ((other, key),) = keys.items()
        raise BadInput(f"has {key}, so it is a study for interstage {other}; use that", str(path))
    return data, lines_of(text, data)


def read_as(
    kind: type[Declared],
    data: dict[str, Any],
    lines: Lines,
    path: Path,
    scenario_of: Callable[[Path], Any] | None,
    beside: Beside,
) -> tuple[Declared, Lines]:
    """The study of a kind in such tables, and the lines. Raises BadInput with everything that is wrong: also
    where there is no such scenario, with that, and with what is right by itself beside it."""
    study, problems = _declared(kind, data)
    scenario = data.get("scenario")
    if isinstance(scenario, str):
        wanted = path.parent / scenario
        if not wanted.exists():
            said = f"there is no file '{wanted}'{files_beside(wanted)}; correct it"
            problems.append(Problem("scenario", said))
        elif problems and scenario_of is not None:
            problems += _with_scenario(kind, data, wanted, scenario_of, beside)
    if problems or study is None:
        raise BadInput(with_lines(list(dict.fromkeys(problems)), lines), str(path))
    return study, lines


def _declared(kind: type[Declared], data: dict[str, Any]) -> tuple[Declared | None, list[Problem]]:
    """The study in tables, or none, and its problems: those of misspelt keys, and those of what stands there
    as what is meant."""
    meant = meant_keys(kind, data)
    problems = [Problem(key, f"unknown key; {near(key, kind.model_fields)}") for key in data if key in meant]
    try:
        return kind(**{meant.get(key, key): value for key, value in data.items()}), problems
    except BadInput as error:
        missing = kind.missing({*data, *meant.values()})
        found = [Problem(key, said) for key, said in missing.items()]
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
    """What is wrong with the scenario of a study, or beside it with what of the study is right by itself."""
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
        entries = ByName().listed(value) if named else [value] if isinstance(value, dict) else value
        if len(choices) == 1 and isinstance(entries, list):
            right[key] = tuple(_read(choices[0], entries))
    return right


def _read(declared: type[Declaration], entries: list[Any]) -> Iterator[Any]:
    for entry in entries:
        try:
            yield declared(**entry)
        except (BadInput, TypeError):  # told by the study as a whole
            continue
