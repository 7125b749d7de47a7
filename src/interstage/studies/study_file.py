"""Study files: what is asked of a scenario, in a file beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from ..tree.errors import BadInput, Problem
from ..tree.toml_file import Lines, files_beside, lines_of, parse, read_text, with_lines

KEY_OF = {"sweep": "variations", "optimize": "variables"}
"""The key by which a study is known, by the command that it is for."""

Declared = TypeVar("Declared")


def study_in(path: Path, command: str) -> tuple[dict[str, Any], Lines] | None:
    """The tables of a study for a command, and the lines of their keys; none if the file is a scenario.
    Raises BadInput, also for a study that is for another command."""
    if path.suffix != ".toml":
        return None
    text = read_text(path)
    data = parse(text, str(path))
    keys = {other: key for other, key in KEY_OF.items() if key in data}
    if not keys and not isinstance(data.get("scenario"), str):
        return None
    if len(keys) > 1:
        both = " and ".join(keys.values())
        raise BadInput(f"has {both}: one is for a sweep, the other to be optimised; use two files", str(path))
    if keys and command not in keys:
        ((other, key),) = keys.items()
        raise BadInput(f"has {key}, so it is a study for interstage {other}; use that", str(path))
    return data, lines_of(text, data)


def read_as(kind: type[Declared], data: dict[str, Any], lines: Lines, path: Path) -> tuple[Declared, Lines]:
    """The study of a kind in such tables, and the lines. Raises BadInput with everything that is wrong, also
    where there is no such scenario."""
    problems, study, scenario = [], None, data.get("scenario")
    try:
        study = kind(**data)
    except BadInput as error:
        problems += error.problems
    if isinstance(scenario, str) and not (wanted := path.parent / scenario).exists():
        problems.append(Problem("scenario", f"there is no file '{wanted}'{files_beside(wanted)}; correct it"))
    if problems or study is None:
        raise BadInput(with_lines(problems, lines), str(path))
    return study, lines
