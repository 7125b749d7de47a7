"""Compare the methods of external packages with the contract. A method that the engine does not call has no
effect.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..tree import packages
from ..tree.errors import BadInput
from .answers import part_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .contract import Part
    from .event_table import EventTable

LIKENESS = 0.75
"""Similarity of two names, as computed by `difflib`, above which a name counts as misspelt; 1 for equal
names.
"""
DOING = ("ready", "apply_events", "apply_impulses", "apply_samples")
"""Methods that receive the actions of events."""


def misspelt(kind: type[Part], capabilities: Sequence[type[Part]], package: packages.Package) -> str:
    """Return a message about a method of a plug-in that the engine never calls, or "".

    - kind: class of the plug-in. package: its package.
    - `capabilities`: all classes of the contract.

    A message has one of two causes. The method may belong to a capability class that is not a base class of
    the plug-in. Or its name is similar to the name of a method of the contract.
    """
    own = _own(kind, package)
    inherited = {name for cls in kind.__mro__ if packages.home(cls) != package for name in vars(cls)}
    added = [name for name in own if name not in inherited and not _is_read(name, package)]
    for name in added:
        for capability in capabilities:
            if name in vars(capability):
                text = (
                    f"has a method `{name}` of the class {capability.__name__}, but does not"
                    " derive from this class."
                )
                bases = ", ".join([*(one.__name__ for one in kind.__bases__), capability.__name__])
                return f"{kind.__name__} {text} Write class {kind.__name__}({bases.removeprefix('Part, ')})"
    known = {name for capability in capabilities for name in dir(capability) if not name.startswith("_")}
    free = [name for name in known if name not in own and hasattr(kind, name)]
    for name in added:
        near = [] if name in known else get_close_matches(name, sorted(free), n=1, cutoff=LIKENESS)
        if near:
            text = f"has a method `{name}`, which is never called. Did you mean `{near[0]}`?"
            return f"{kind.__name__} {text} Begin the names of other methods with an underscore"
    return ""


def _own(kind: type[Part], package: packages.Package) -> list[str]:
    """Names of the public methods and properties that classes of a package give to a model."""
    types = (FunctionType, property, cached_property, classmethod, staticmethod)
    classes = [cls for cls in kind.__mro__ if packages.home(cls) == package]
    return [n for c in classes for n, v in vars(c).items() if isinstance(v, types) and not n.startswith("_")]


def _is_read(name: str, package: packages.Package) -> bool:
    """Whether the sources of a package read an attribute of this name, or cannot be read."""
    top = package.module("declared")
    files = [*Path(str(top.__file__)).parent.rglob("*.py")] if top is not None else []
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    return not texts or any(re.search(rf"""\.{name}\b|["']{name}["']""", text) for text in texts)


def refuse_idle_actions(table: EventTable) -> None:
    """Reject plug-ins that add events with actions but have no method that applies the actions. Raises
    BadInput.
    """
    parts: Mapping[str, Part] = table.layout.parts
    doing = set(_packages_that_do(parts))
    for event in table.events:
        for name in event.actions:
            package = packages.home(type(parts[name]))
            if package is not None and package not in doing:
                raise BadInput(
                    f"{part_text(parts[name])} has actions at the event '{event.name}', but no"
                    " method `apply_events`"
                    " or `apply_impulses` that applies the actions. Write def apply_events(self,"
                    " mechanism, t, x,"
                    " before, after, fired) and return x, after"
                )


def _packages_that_do(parts: Mapping[str, Any]) -> Iterator[Any]:
    """Packages with a model that receives the events that occur."""
    for part in parts.values():
        package = packages.home(type(part))
        if package is not None and set(DOING) & set(_own(type(part), package)):
            yield package
