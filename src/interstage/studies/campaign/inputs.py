"""Find the scenario inputs for the path of a dispersion."""

from __future__ import annotations

from typing import Any

from ...programs.targets import Target, targets_of
from ...tree.addresses import label, pattern_of


def label_of(target: Target) -> str:
    """Return the path of an input as it is written in a study."""
    return target.name.removesuffix(".magnitude")


def targets_at(scenario: Any, path: str, place: str) -> list[Target]:
    """Return the scenario inputs for a path. If the path has a pattern, return the inputs of all matching
    bodies, devices or other items.

    place: path of the dispersion in messages. Raises BadInput.
    """
    return [target for one in _member_paths(scenario, path) for target in targets_of(scenario, one, place)]


def _member_paths(scenario: Any, path: str) -> list[str]:
    """The paths of the members if a path names a pattern, also if they are equal; else the path itself."""
    group, _, rest = path.partition(".")
    name, _, inner = rest.partition(".")
    entries = getattr(scenario, group, ())
    entries = entries if isinstance(entries, tuple) else ()
    members = [label(entry, k) for k, entry in enumerate(entries) if pattern_of(entry) == name]
    named = any(label(entry, k) == name for k, entry in enumerate(entries))
    return [f"{group}.{member}.{inner}" for member in members] if members and not named else [path]
