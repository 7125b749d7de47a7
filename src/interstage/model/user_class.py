"""Classes of the user's own, named by a scenario as "package.module:Class"."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import pickle
import re
import sys
import sysconfig
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    ModuleType,
)
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator

from ..maths.arrays import any_jax, by_jax, jnp, tracing
from ..tree.declaration import parts, register_all
from ..tree.errors import BadInput, Problem
from .values import Parameters


def _class_path(text: str) -> str:
    if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*", text):
        raise ValueError(
            f"'{text[:60]}' does not name a class; allowed: package.module:Class, of an installed package"
        )
    return text


ClassPath = Annotated[str, AfterValidator(_class_path)]
"""The name of a class, as "package.module:Class"."""


@dataclass(frozen=True)
class Named:
    """A class that a scenario names. place: the input path of its name, for errors; call: how its objects are
    called and what they return, in words; method: which of theirs is called."""

    class_path: str
    place: str
    call: str
    method: str = "__call__"

    def refused(self, says: str) -> BadInput:
        """What is wrong with it."""
        return BadInput(Problem(self.place, f"{self.class_path} {says}"))


def made(named: Named, parameters: Parameters) -> Callable[..., Any]:
    """The object of a class, called with the parameters, which are JAX arrays. Raises BadInput if it cannot
    be had, or raises anything itself when it is called.

    What is there already, as NumPy's arrays, is handed to the object as JAX arrays in a small program of its
    own, and its answers are NumPy's again: the object may use all of jax.numpy at any time."""
    found = _found(named.class_path, named.place)
    if tracing() or any_jax(parameters):
        return partial(_asked, named, _constructed(found, named, parameters))
    _checked(found, named, parameters)
    return partial(_asked, named, partial(_answer, found, named, parameters))


def _asked(named: Named, law: Callable[..., Any], *args: Any) -> Any:
    """What an object of the user's class answers; whatever it raises is reported as bad input."""
    try:
        return law(*args)
    except BadInput:
        raise
    except Exception as error:
        raise named.refused(_told(error, named)) from error


def _told(error: Exception, named: Named) -> str:
    """An exception that a class of the user's own raised, in one line, with the last line of the user's."""
    text = next(iter(str(error).strip().splitlines()), "")
    said = f"raised {type(error).__name__}" + (f": {text}" if text else "")
    own = sys.modules[named.class_path.partition(":")[0]]
    of = [
        (sys.modules.get(frame.f_globals.get("__name__", "")), frame, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    lines = [
        f"{frame.f_code.co_filename}, line {line}" for one, frame, line in of if one and _is_own(one, own)
    ]
    if "Tracer" in type(error).__name__:
        remedy = (
            "numbers of the flight are not known as it is compiled: use jax.numpy, and jnp.where for `if`"
        )
    else:
        remedy = f"mend the class; it is called as {named.call}"
    return f"{said} ({lines[-1]}); {remedy}" if lines else f"{said}; {remedy}"


def _checked(found: Any, named: Named, parameters: Any) -> None:
    """Refuse parameters that the class does not take; it is made later, and perhaps many times."""
    try:
        inspect.signature(found).bind(**dict(parameters))
    except TypeError as error:
        raise named.refused(f"refused its parameters: {error}") from None
    except ValueError:  # a class that does not say what it takes
        return


def _found(class_path: str, place: str) -> Any:
    module, _, name = class_path.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise BadInput(
            Problem(place, f"cannot import '{class_path}': {error}. Install the package or mend the name")
        ) from None


def _constructed(found: Any, named: Named, parameters: Any) -> Any:
    try:
        law = found(**dict(parameters))
    except Exception as error:  # noqa: BLE001 - whatever the user's class raises is reported as bad input
        raise named.refused(f"refused its parameters: {error}") from None
    called = law if named.method == "__call__" else getattr(law, named.method, None)
    if not callable(called):
        raise named.refused(f"has no method `{named.method}`; write def {named.method}{named.call}")
    return called


def _answer(found: Any, named: Named, parameters: Parameters, *args: Any) -> Any:
    register_all()  # the parameters are a tree
    return by_jax(_function(found, named), parameters, *args)


@lru_cache(maxsize=64)
def _function(found: Any, named: Named) -> Callable[..., Any]:
    """What an object of the user's class answers, as a function of its parameters, too; the same one for the
    same class, so that it is compiled once."""
    return lambda parameters, *args: _constructed(found, named, parameters)(*args)


def fitted(value: Any, shape: tuple[int, ...], vector: bool = True) -> Any:
    """A class's answer as an array of a shape, (3, *lanes) of a vector and (*lanes) else; one without lanes
    is the same in all of them. Raises ValueError that says what it is in place of that."""
    try:
        found = None if value is None else jnp.asarray(value, float)
    except (TypeError, ValueError):
        found = None
    if found is None:
        raise ValueError(f"returned a {type(value).__name__} where {shape} is expected")
    head, lanes = shape[:vector], shape[vector:]
    rest = found.shape[len(head) :] or (1,) * len(lanes)
    same = len(rest) == len(lanes) and all(n in (1, m) for n, m in zip(rest, lanes, strict=True))
    if found.shape[: len(head)] != head or not same:
        what = f"an array {found.shape}" if found.shape else "a single number"
        raise ValueError(f"returned {what} where {shape} is expected")
    return jnp.broadcast_to(jnp.reshape(found, (*head, *rest)), shape)


def described(class_path: str, parameters: Parameters) -> str | None:
    """A text that is another one where an object of the class would compute anything else from the same
    numbers: of the source files that it may come from, and of what the object holds, a table read from a file
    for example. None where that cannot be told."""
    _watch()
    try:
        found = _found(class_path, "class")
        made_of = _constructed(found, Named(class_path, "class", ""), _without_numbers(parameters))
        module = sys.modules[class_path.partition(":")[0]]
        whole = hashlib.sha256(pickle.dumps((vars(made_of), _held(module))))
        for path in _sources(module):
            whole.update(path.read_bytes())
        return whole.hexdigest()
    except Exception:  # noqa: BLE001 - a class may do anything; it is compiled in each process then
        return None


@cache
def of_package(name: str, since: float) -> str | None:
    """A text that is another one where a package of parts would compute anything else from the same numbers:
    of its source files, of those at places of the user's own, and of what its modules hold beside code. None
    where that cannot be told, as where a file was changed after it may have been imported, at `since` [s
    since 1970]."""
    _watch()
    try:
        top = sys.modules[name.partition(".")[0]]
        own = {path for folder in top.__path__ for path in Path(folder).rglob("*.py")}
        files = sorted(own | _of_own_places())
        if not own or max(path.stat().st_mtime for path in files) > since:
            return None
        loaded = sorted(each for each in sys.modules if f"{each}.".startswith(f"{top.__name__}."))
        whole = hashlib.sha256(pickle.dumps([_values(sys.modules[each]) for each in loaded]))
        for path in files:
            whole.update(path.read_bytes())
        return whole.hexdigest()
    except Exception:  # noqa: BLE001 - a package may hold anything; it is compiled in each process then
        return None


def _values(module: ModuleType) -> dict[str, Any]:
    """What a module and its classes hold beside code, by name."""
    found: dict[str, Any] = {}
    for name, value in vars(module).items():
        if name.startswith("__") or isinstance(value, ModuleType):
            continue
        if not isinstance(value, type):
            found |= {} if _is_code(value) else {name: value}
        elif value.__module__ == module.__name__:
            # Of a declaration only what it declares to be the class's own: the rest is made of its source.
            inside = getattr(value, "__class_vars__", vars(value))
            held = {n: vars(value)[n] for n in inside if n in vars(value) and not n.startswith("__")}
            found |= {f"{name}.{n}": v for n, v in sorted(held.items()) if not _is_code(v)}
    return {n: sorted(map(repr, v)) if isinstance(v, set | frozenset) else v for n, v in found.items()}


CODE = (
    *(FunctionType, BuiltinFunctionType, np.ufunc, classmethod, staticmethod, property),
    *(cached_property, GetSetDescriptorType, MemberDescriptorType),
)
"""Types of what is told by its source, and of what is none of the user's own."""


def _held(module: ModuleType) -> dict[str, Any]:
    """What a module, its classes, and the modules of the user's own that it names hold beside code, by name:
    a table that was read as they were imported, for example."""
    found: dict[str, Any] = {}
    seen: set[str] = set()
    left = [module.__name__]
    while left:
        one = sys.modules.get(left.pop())
        if one is None or one.__name__ in seen or not _is_own(one, module):
            continue
        seen.add(one.__name__)
        for name, value in vars(one).items():
            if name.startswith("__"):
                continue
            if isinstance(value, ModuleType):
                left.append(value.__name__)
                continue
            left.append(str(getattr(value, "__module__", "")))
            if isinstance(value, type):
                inside = vars(value) if value.__module__ == one.__name__ else {}
                names = [n for n in inside if not n.startswith("__") and not _is_code(inside[n])]
                found |= {f"{one.__name__}.{name}.{n}": inside[n] for n in names}
            elif not _is_code(value):
                found[f"{one.__name__}.{name}"] = value
    return found


def _is_code(value: Any) -> bool:
    return isinstance(value, (*CODE, type)) or hasattr(value, "__wrapped__")


def _is_own(one: ModuleType, module: ModuleType) -> bool:
    """Whether a module is of the package of another, or at a place of the user's own."""
    if one.__name__.partition(".")[0] == module.__name__.partition(".")[0]:
        return True
    path = getattr(one, "__file__", None)
    return path is not None and not any(Path(path).is_relative_to(place) for place in _libraries())


def _libraries() -> list[Path]:
    """Where Python, what is installed, and this package have their modules."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return [Path(__file__).parents[2], *(Path(sysconfig.get_path(name)) for name in names)]


def _without_numbers(parameters: Parameters) -> dict[str, Any]:
    """The parameters with numbers that are none in place of those that a program takes as arguments."""
    texts = dict(parts(parameters)[2][-1]) if parameters.__pydantic_extra__ else {}
    return {n: texts.get(n, np.full(np.shape(v), np.nan)) for n, v in dict(parameters).items()}


def _sources(module: ModuleType) -> list[Path]:
    """The files of the module's package, and of all modules that were imported from places of the user's
    own. Raises ValueError for a module without a file."""
    if not getattr(module, "__file__", None) or module.__name__ == "__main__":
        raise ValueError("what was typed in has no file")
    top = Path(str(sys.modules[module.__name__.partition(".")[0]].__file__))
    found = {*top.parent.rglob("*.py")} if top.name == "__init__.py" else {Path(str(module.__file__))}
    return sorted(found | _of_own_places())


def _of_own_places() -> set[Path]:
    """The files of all modules that were imported from places of the user's own."""
    found: set[Path] = set()
    libraries = _libraries()
    for each in list(sys.modules.values()):
        path = Path(getattr(each, "__file__", None) or libraries[0])
        if path.suffix == ".py" and not any(path.is_relative_to(place) for place in libraries):
            found.add(path)
    return found


opened: list[str] = []
"""Files that were read since classes of the user's own are watched: a program may not be kept that was traced
while one of them read a file, whose content is then part of it."""


@cache
def _watch() -> None:
    def heard(event: str, details: tuple[Any, ...]) -> None:
        if event == "open" and not str(details[0]).endswith((".py", ".pyc")):
            opened.append(str(details[0]))

    sys.addaudithook(heard)
