"""Check of modules that may contain classes of the user.

Such a module does not belong to Python, to Interstage, or to an installed distribution for another purpose.
The check imports nothing.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec
from pathlib import Path

OURS = __name__.partition(".")[0]
ENTRY_POINTS = f"{OURS}."
"""Prefix of the entry-point groups by which a distribution shows that it extends Interstage."""
REMEDY = 'Name a class of your own, for example class = "mylaws:Drag" for a class in mylaws.py'
INSTALLED = ("site-packages", "dist-packages")
"""Names of folders into which distributions are installed."""


@cache
def fault_of_module(module: str) -> str | None:
    """Return the reason why a module may not contain classes of the user; None if it may.

    The reason is the rest of a sentence that begins with the name of the module.
    """
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top in sys.builtin_module_names or _is_with_python(top):
        return f"belongs to Python's standard library (module {top}). {REMEDY}"
    if top == OURS:
        return f"belongs to Interstage itself. {REMEDY}"
    for owner in _owners(module):
        if not _declares_itself(owner):
            name = owner.metadata["Name"]
            return (
                f"belongs to the installed package {name}, which does not declare itself for Interstage."
                f" {REMEDY}. If {name} is yours, add interstage to its dependencies"
            )
    return None


def _is_with_python(top: str) -> bool:
    """Whether a top-level module, such as `test`, is part of Python although Python does not list it."""
    try:
        spec = find_spec(top)
    except (ValueError, ImportError):  # a module without a file, or none at all
        return False
    if spec is None:
        return False
    places = spec.submodule_search_locations or [spec.origin or ""]
    libraries = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
    folders = {each.resolve() for one in libraries for each in (one, one / "lib-dynload")}
    return spec.origin == "frozen" or any(Path(place).resolve().parent in folders for place in places)


def _owners(module: str) -> Iterator[Distribution]:
    """The installed distributions with files that the import of a module runs."""
    steps = module.split(".")
    runs = ["/".join(steps[:size]) for size in range(1, len(steps) + 1)]
    for folder in _folders(steps[0]):
        for one in distributions(path=[str(folder)]):
            if _has(one, runs):
                yield one


def _folders(top: str) -> set[Path]:
    """The folders of installed distributions in which a top-level module is found."""
    places: list[str] = []
    loaded = sys.modules.get(top)
    try:
        spec = find_spec(top)
    except (ValueError, ImportError):  # a module without a file, or none at all
        spec = None
    for one in (spec, getattr(loaded, "__spec__", None)):
        if one is not None:
            places += [one.origin or "", *(one.submodule_search_locations or ())]
    places += [getattr(loaded, "__file__", None) or "", *getattr(loaded, "__path__", ())]
    found = {Path(place).parent for place in places if place}
    # The file of a package is one level below the folder of its distribution.
    return {each for one in found for each in (one, one.parent) if _is_installed(each)}


def _is_installed(folder: Path) -> bool:
    return folder.name in INSTALLED or next(iter(folder.glob("*.dist-info")), None) is not None


def _has(one: Distribution, runs: list[str]) -> bool:
    """Whether a distribution owns a module, or the package that contains the module. runs: the paths of the
    module and the package, without endings."""
    listed = one.read_text("RECORD") or one.read_text("installed-files.txt") or one.read_text("SOURCES.txt")
    if listed:
        lines = f"\n{listed}"
        own = [f"\n{path}/__init__." in lines for path in runs]
        return any(own) or any(f"\n{path}." in lines for path in runs)
    tops = (one.read_text("top_level.txt") or "").split()
    name = re.sub(r"[-.]+", "_", one.metadata["Name"] or "").lower()
    return runs[0] in tops or (not tops and runs[0].lower() == name)


def _declares_itself(one: Distribution) -> bool:
    """Whether a distribution depends on Interstage, or has entry points for it."""
    needs = {re.split(r"[^A-Za-z0-9._-]", text, maxsplit=1)[0].lower() for text in one.requires or ()}
    return OURS in needs or any(point.group.startswith(ENTRY_POINTS) for point in one.entry_points)
