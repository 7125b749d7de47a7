"""What the parts at hand have beside their mechanics, each in a module of its folder."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType


@cache
def modules(name: str) -> tuple[ModuleType, ...]:
    """The modules of this name, of the parts that have one, by the names of the parts."""
    folders = sorted(
        found.name for found in pkgutil.iter_modules([str(Path(__file__).parent)]) if found.ispkg
    )
    paths = [f"{__package__}.{folder}.{name}" for folder in folders]
    return tuple(import_module(path) for path in paths if find_spec(path) is not None)
