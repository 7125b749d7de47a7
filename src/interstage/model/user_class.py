"""Python classes of the user, which a scenario names as "package.module:Class".

Such a class is a program: the import of its module runs code. Interstage checks three rules before it imports
or calls anything. If the scenario may be from another person, the user must confirm the class
(`mark_untrusted`). The module must be the user's own (`user_module`). The module must define the class, and
the class must define the method.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import os
import pickle
import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
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
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import WrapValidator

from ..maths.arrays import any_jax, by_jax, jnp, tracing
from ..tree.declaration import nodes_of, parts, register_all
from ..tree.errors import BadInput, Problem
from .user_module import REMEDY, fault_of_module
from .values import Parameters

TRUST_VARIABLE = "INTERSTAGE_TRUST"
"""Environment variable that lists confirmed classes, for example "mylaws:Drag, mylaws:Hold".

These classes may run although their scenario comes from a saved flight or an FMU.
"""


class Unconfirmed(str):
    """Name of a class in a scenario that another person may have written.

    The class runs only if the user confirms the class. See `mark_untrusted`.
    """


class UntrustedClass(Problem):
    """Problem that reports a class which would run without the user's confirmation."""


_UNTRUSTED: ContextVar[bool] = ContextVar("untrusted", default=False)


@contextmanager
def mark_untrusted(value: bool = True) -> Iterator[None]:
    """Return a context manager. In this context, every class that is read from a scenario is marked as
    unconfirmed.

    `value`: false to mark no class.
    """
    before = _UNTRUSTED.set(value)
    try:
        yield
    finally:
        _UNTRUSTED.reset(before)


def _class_path(value: Any, as_text: Callable[[Any], str]) -> str:
    text = as_text(value)
    if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*", text):
        raise ValueError(
            f"'{text[:60]}' does not name a class. Write package.module:Class, for a class of your own module"
        )
    # Declarations are validated again when a value in them changes: the mark must stay.
    return Unconfirmed(text) if _UNTRUSTED.get() or isinstance(value, Unconfirmed) else text


ClassPath = Annotated[str, WrapValidator(_class_path)]
"""Type of the name of a class, as "package.module:Class"."""


def unconfirmed_classes(node: Any) -> list[str]:
    """Return the names of the classes in a scenario that need a confirmation before they run, without
    duplicates.
    """
    return [path for path in classes_of(node) if _is_unconfirmed(path)]


def classes_of(node: Any) -> list[str]:
    """Return the names of the user's classes in a scenario, without duplicates."""
    paths: Any = (getattr(one, "class_path", None) for one in nodes_of(node))
    return sorted({path for path in paths if isinstance(path, str)})


def _is_unconfirmed(path: str) -> bool:
    return isinstance(path, Unconfirmed) and path not in _confirmed_by_environment()


def _confirmed_by_environment() -> set[str]:
    return {text.strip() for text in os.environ.get(TRUST_VARIABLE, "").split(",")}


class Call(NamedTuple):
    """Signature of a method of a user's class.

    - arguments: names of the arguments.
    - returns: text that describes the result.
    """

    arguments: tuple[str, ...]
    returns: str

    def __str__(self) -> str:
        return f"({', '.join(('self', *self.arguments))}), which returns {self.returns}"


@dataclass(frozen=True)
class Named:
    """A user's class that a scenario names.

    - class_path: name of the class.
    - place: path of this name in the scenario, for messages.
    - call: signature of the method.
    - method: name of the method that Interstage calls.
    """

    class_path: str
    place: str
    call: Call
    method: str = "__call__"

    def fault(self, says: str) -> BadInput:
        """Return an error that reports a fault of the class. `says`: text after the name of the class."""
        return BadInput(Problem(self.place, f"{self.class_path} {says}"))


def construct(named: Named, parameters: Parameters) -> Callable[..., Any]:
    """Construct an object of a user's class, and return its method as a function.

    Parameters and arguments are JAX arrays for the object, so that its code can use all of jax.numpy. If the
    caller uses NumPy arrays, a small compiled program converts them and the results. Raises BadInput if the
    construction or a call fails.
    """
    found = _find_class(named)
    if tracing() or any_jax(parameters):
        return partial(_call, named, _construct(found, named, parameters))
    _check_parameters(found, named, parameters)
    return partial(_call, named, partial(_answer, found, named, parameters))


def _call(named: Named, law: Callable[..., Any], *args: Any) -> Any:
    """The result of an object of the user's class. Its exceptions are reported as bad input."""
    try:
        return law(*args)
    except BadInput:
        raise
    except Exception as error:
        raise named.fault(_describe_error(error, named)) from error


def _describe_error(error: Exception, named: Named) -> str:
    """One line for an exception of the user's class, with the last source line of the user."""
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
        remedy = "The class is compiled before values are known. Use jax.numpy, and jnp.where instead of `if`"
    else:
        remedy = f"Correct the class. Expected signature: {named.call}"
    return f"{said} ({lines[-1]}). {remedy}" if lines else f"{said}. {remedy}"


def _check_parameters(found: Any, named: Named, parameters: Any) -> None:
    """Reject parameters that the class does not accept. Objects of the class are constructed later, possibly
    many times."""
    try:
        inspect.signature(found).bind(**dict(parameters))
    except TypeError as error:
        raise named.fault(f"does not accept its parameters: {error}. Correct the parameters") from None
    except ValueError:  # a class without a signature
        return


def _find_class(named: Named) -> type:
    """The class, imported and inspected without a call to it. Raises BadInput."""
    path = named.class_path
    if _is_unconfirmed(path):
        raise BadInput(UntrustedClass(named.place, f"{path} {UNTRUSTED}"))
    module, _, name = path.partition(":")
    if fault := fault_of_module(module):
        raise named.fault(fault)
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        text = f"cannot import '{path}': {error}. Install the package of this class, or correct the path"
        raise BadInput(Problem(named.place, text)) from None
    except (Exception, SystemExit) as error:
        text = next(iter(str(error).strip().splitlines()), "")
        raise named.fault(f"cannot be imported: {type(error).__name__}: {text}. Correct {module}") from error
    if not isinstance(found, type):
        raise named.fault(f"the name refers to a {type(found).__name__}. {REMEDY}")
    if fault := _fault_of_class(found, module, named.method, named.call):
        raise named.fault(fault)
    return found


UNTRUSTED = (
    "would run as a program, and the file that names it may be from another person. If you trust the file,"
    f" confirm with --trust, in Python with trust=True, or with the environment variable {TRUST_VARIABLE}"
)


@lru_cache(maxsize=64)
def _fault_of_class(found: type, module: str, method: str, call: Call) -> str | None:
    """The reason why a class does not belong to a module or lacks a method. None if there is no fault. No
    code of the class is called."""
    if found.__module__ != module:
        home = found.__module__
        own = f'Write class = "{home}:{found.__name__}"' if fault_of_module(home) is None else REMEDY
        return f"is not defined in {module} but in {home}. {own}"
    write = f"Write def {method}{call}"
    defined: Any = next((vars(cls)[method] for cls in found.__mro__ if method in vars(cls)), None)
    if defined is None or not (callable(defined) or isinstance(defined, staticmethod | classmethod)):
        return f"has no method `{method}`. {write}"
    # A static or a class method is called without the object.
    given = call.arguments if isinstance(defined, staticmethod) else ("self", *call.arguments)
    function: Any = getattr(defined, "__func__", defined)
    try:
        inspect.signature(function).bind(*given)
    except TypeError:
        return f"has a method `{method}` that cannot be called with {', '.join(call.arguments)}. {write}"
    except ValueError:  # a compiled method without a signature
        return None
    return None


def _construct(found: type, named: Named, parameters: Any) -> Any:
    try:
        law = found(**dict(parameters))
    except Exception as error:  # noqa: BLE001 - whatever the user's class raises is reported as bad input
        raise named.fault(f"does not accept its parameters: {error}. Correct the parameters") from None
    return law if named.method == "__call__" else getattr(law, named.method)


def _answer(found: Any, named: Named, parameters: Parameters, *args: Any) -> Any:
    register_all()  # the parameters are a tree
    return by_jax(_function(found, named), parameters, *args)


@lru_cache(maxsize=64)
def _function(found: Any, named: Named) -> Callable[..., Any]:
    """A function of parameters and arguments that returns the result of an object of the user's class. The
    same class gives the same function, so that it is compiled once."""
    return lambda parameters, *args: _construct(found, named, parameters)(*args)


def fit_result(value: Any, shape: tuple[int, ...], vector: bool = True) -> Any:
    """Return the result of a user's class as an array of the shape (3, *cases) for a vector, otherwise
    (*cases).

    A result without case axes is repeated for all cases. Raises ValueError for a wrong shape.
    """
    try:
        found = None if value is None else jnp.asarray(value, float)
    except (TypeError, ValueError):
        found = None
    if found is None:
        raise ValueError(f"returned a {type(value).__name__}, but an array {shape} is expected")
    head, lanes = shape[:vector], shape[vector:]
    rest = found.shape[len(head) :] or (1,) * len(lanes)
    same = len(rest) == len(lanes) and all(n in (1, m) for n, m in zip(rest, lanes, strict=True))
    if found.shape[: len(head)] != head or not same:
        what = f"an array {found.shape}" if found.shape else "a single number"
        raise ValueError(f"returned {what}, but an array {shape} is expected")
    return jnp.broadcast_to(jnp.reshape(found, (*head, *rest)), shape)


def fingerprint(class_path: str, parameters: Parameters, call: Call) -> str | None:
    """Return a fingerprint that changes if the results of the user's class can change. None if the
    fingerprint cannot be determined.

    The fingerprint covers the source files and the contents of the object, for example a table from a file.
    """
    _watch()
    try:
        named = Named(class_path, "class", call)
        made_of = _construct(_find_class(named), named, _without_numbers(parameters))
        module = sys.modules[class_path.partition(":")[0]]
        whole = hashlib.sha256(pickle.dumps((vars(made_of), _data_of(module))))
        for path in _sources(module):
            whole.update(path.read_bytes())
        return whole.hexdigest()
    except Exception:  # noqa: BLE001 - a class may do anything; it is compiled in each process then
        return None


@cache
def of_package(name: str, since: float) -> str | None:
    """Return a fingerprint that changes if the results of a package of models can change. None if the
    fingerprint cannot be determined.

    The fingerprint covers the source files of the package, the source files in the user's folders, and the
    data in the modules of the package. `since` [s since 1970]: time of the import. If a file changed after
    this time, the result is None.
    """
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
    """Data in a module and its classes, by name."""
    found: dict[str, Any] = {}
    for name, value in vars(module).items():
        if name.startswith("__") or isinstance(value, ModuleType):
            continue
        if not isinstance(value, type):
            found |= {} if _is_code(value) else {name: value}
        elif value.__module__ == module.__name__:
            # Of a declaration only its class variables: the rest follows from its source.
            inside = getattr(value, "__class_vars__", vars(value))
            held = {n: vars(value)[n] for n in inside if n in vars(value) and not n.startswith("__")}
            found |= {f"{name}.{n}": v for n, v in sorted(held.items()) if not _is_code(v)}
    return {n: sorted(map(repr, v)) if isinstance(v, set | frozenset) else v for n, v in found.items()}


CODE = (
    *(FunctionType, BuiltinFunctionType, np.ufunc, classmethod, staticmethod, property),
    *(cached_property, GetSetDescriptorType, MemberDescriptorType),
)
"""Types of objects that a fingerprint omits. Such objects are completely determined by their source code, or
do not belong to the user.
"""


def _data_of(module: ModuleType) -> dict[str, Any]:
    """Data in a module, its classes, and the user's modules that the module names, by name. An example is a
    table that was read at import."""
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
    """Whether a module belongs to the same package as another module, or is in a folder of the user."""
    if one.__name__.partition(".")[0] == module.__name__.partition(".")[0]:
        return True
    path = getattr(one, "__file__", None)
    return path is not None and not any(Path(path).is_relative_to(place) for place in _libraries())


def _libraries() -> list[Path]:
    """Folders of modules of Python, of installed distributions, and of this package."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return [Path(__file__).parents[2], *(Path(sysconfig.get_path(name)) for name in names)]


def _without_numbers(parameters: Parameters) -> dict[str, Any]:
    """The parameters with None in place of each number that a program takes as an argument."""
    texts = dict(parts(parameters)[2][-1]) if parameters.__pydantic_extra__ else {}
    return {n: texts.get(n, np.full(np.shape(v), np.nan)) for n, v in dict(parameters).items()}


def _sources(module: ModuleType) -> list[Path]:
    """The files of the module's package, and of all modules imported from the user's folders. Raises
    ValueError for a module without a file."""
    if not getattr(module, "__file__", None) or module.__name__ == "__main__":
        raise ValueError("a class from interactive input has no source file. Define the class in a file")
    top = Path(str(sys.modules[module.__name__.partition(".")[0]].__file__))
    found = {*top.parent.rglob("*.py")} if top.name == "__init__.py" else {Path(str(module.__file__))}
    return sorted(found | _of_own_places())


def _of_own_places() -> set[Path]:
    """The files of all modules imported from the user's folders."""
    found: set[Path] = set()
    libraries = _libraries()
    for each in list(sys.modules.values()):
        path = Path(getattr(each, "__file__", None) or libraries[0])
        if path.suffix == ".py" and not any(path.is_relative_to(place) for place in libraries):
            found.add(path)
    return found


opened: list[str] = []
"""Files that were read after the first class of the user was traced.

If a class reads a file while its program is traced, the program contains the data of the file. Such a program
must not be stored.
"""


@cache
def _watch() -> None:
    def heard(event: str, details: tuple[Any, ...]) -> None:
        if event == "open" and not str(details[0]).endswith((".py", ".pyc")):
            opened.append(str(details[0]))

    sys.addaudithook(heard)
