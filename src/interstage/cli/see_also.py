"""Line that follows a list of problems. The line names the topic of `interstage explain` for the first
problem with a topic."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..tree.errors import BadInput, BrokenName, Problem


def topic_of_problems(problems: Iterable[Problem], source: str | None) -> str | None:
    """Return the topic for the first problem of a key, or None.

    Problems that name the fix already ("did you mean"), and unknown names, have no topic. source: scenario
    file, in which the kinds of tables are looked up.
    """
    for problem in problems:
        if isinstance(problem, BrokenName) or "did you mean" in problem.message:
            continue
        topic = topic_of_path(problem.place, _tables_of(source))
        if topic is not None:
            return topic
    return None


def topic_of_path(place: str, data: dict[str, Any]) -> str | None:
    """Return the topic for a path of a scenario, or None if the path has no key.

    data: tables of the scenario file. ``devices.spring.stroke`` is ``devices.kickoff_spring.stroke`` if the
    table has this kind.
    """
    from ..scenario import Scenario
    from ..tree.declaration import declarations_in

    group, *steps = re.sub(r"\[[^\]]*\]", "", place).split(".")
    field = Scenario.model_fields.get(group)
    if field is None or not steps:
        return None
    classes = list(declarations_in(field.annotation).values())
    table = data.get(group)
    named = _entry(table, steps[0])
    if named is not None:
        table, steps = named, steps[1:]
    kind = table.get("kind") if isinstance(table, dict) else None
    own = [cls for cls in classes if "kind" in cls.model_fields and cls.model_fields["kind"].default == kind]
    topic = [group, kind] if own else [group]
    for cls in own or (classes if len(classes) == 1 else ()):
        known = {field.alias or name for name, field in cls.model_fields.items()}
        topic += steps[:1] if steps and steps[0] in known else []
    return ".".join(topic) if len(topic) > 1 else None


def _entry(group: Any, name: str) -> Any:
    """Return a table of a group by its name, or None."""
    if isinstance(group, list):
        found = (one for one in group if isinstance(one, dict) and one.get("name") == name)
        return next(found, None)
    entry = group.get(name) if isinstance(group, dict) else None
    return entry if isinstance(entry, dict) else None


def _tables_of(source: str | None) -> dict[str, Any]:
    """Return the tables of a scenario file, or {} if it cannot be read."""
    from ..tree.toml_file import parse, read_text

    with suppress(BadInput, OSError):
        if source is not None and Path(source).suffix == ".toml":
            return parse(read_text(Path(source)))
    return {}
