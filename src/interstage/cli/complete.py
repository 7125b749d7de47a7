"""Values that a shell completes: names of examples and cases, topics, units, and paths of a scenario file.

Each function takes the beginning of a word and returns the possible words. No such function ever raises an
error.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import typer

from ..tree.errors import BadInput

MOST_LEVELS = 6
"""Maximum number of steps of a path that is completed."""


def examples(incomplete: str) -> list[str]:
    """Return names of examples."""
    from .bundled import folder

    return _beginning(incomplete, (path.stem for path in sorted(folder("examples").glob("*.toml"))))


def cases(incomplete: str) -> list[str]:
    """Return names of validation cases."""
    from .bundled import folder

    found = sorted(path.parent.name for path in folder("validation").glob("*/case.py"))
    return _beginning(incomplete, found)


def units(incomplete: str) -> list[str]:
    """Return names of systems of units."""
    return _beginning(incomplete.upper(), ("SI", "US"))


def cache_actions(incomplete: str) -> list[str]:
    """Return actions of `interstage cache`."""
    return _beginning(incomplete, ("show", "prune", "clear"))


def topics(incomplete: str) -> list[str]:
    """Return topics of `interstage explain`: groups, then kinds and keys of a group, then keys of a kind."""
    return _beginning(incomplete, _topics(incomplete))


def paths(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return paths of the values in the scenario file of the command line, each with "=" at its end."""
    from ..tree.toml_file import parse, read_text

    # Without the value of --set, the words of the command are not assigned to its arguments.
    words = [str(ctx.params.get("file")), *ctx.args]
    file = next((Path(word) for word in words if word.endswith(".toml")), None)
    with suppress(BadInput, OSError):
        if file is not None:
            data = parse(read_text(file))
            return _beginning(incomplete, (f"{path}=" for path in _paths(data, ())))
    return []


def _beginning(incomplete: str, words: Any) -> list[str]:
    return [word for word in words if word.startswith(incomplete)]


def _topics(incomplete: str) -> Iterator[str]:
    from ..scenario import Scenario
    from ..tree.declaration import declarations_in

    group, *steps = incomplete.split(".")
    if not steps:
        yield from (field.alias or name for name, field in Scenario.model_fields.items())
        return
    field = Scenario.model_fields.get(group)
    for cls in declarations_in(field.annotation).values() if field else ():
        keys = [one.alias or name for name, one in cls.model_fields.items()]
        kind = cls.model_fields.get("kind")
        default = None if kind is None else kind.default
        kinds = [default] if isinstance(default, str) else get_args(kind.annotation) if kind else ()
        if len(steps) == 1:
            yield from (f"{group}.{one}" for one in (kinds or keys))
        elif steps[0] in kinds:
            yield from (f"{group}.{steps[0]}.{key}" for key in keys if key != "kind")


def _paths(node: Any, steps: tuple[str, ...]) -> Iterator[str]:
    """Yield the paths of all values in tables, with names in place of indices."""
    if isinstance(node, list) and node and all(isinstance(one, dict) and "name" in one for one in node):
        node = {str(one["name"]): one for one in node}
    if not isinstance(node, dict):
        yield ".".join(steps)
    elif len(steps) < MOST_LEVELS:
        for key, value in node.items():
            yield from _paths(value, (*steps, str(key)))
