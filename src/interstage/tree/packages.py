"""Packages of models: the packages of Interstage, and installed external packages.

A model computes one physical effect. The package of a model has modules with fixed names. Each module is
imported on first use:

- `declared`: the declarations of the model. KINDS contains their classes by their group in a scenario:
  ``KINDS = {"devices": (EddyDamper,)}``. READ_ONLY lists the groups that apply no loads, see `programs.form`.
  BY_TIME lists the groups that may contain functions of flight time, see `starts.saved`. Every package has
  this module. The other modules are optional:
- `checks`: yields the problems of a scenario;
- `flown`: computes the effect in flight;
- `quantities`: defines the output quantities by name;
- `shown`: adds tables and figures to a report. TABLES and FIGURES are lists of functions (record, units).
  Each function yields `drawing.table.Table` or `drawing.figure.Figure` objects with keys (`report.order`).
  ENVELOPE lists first words of paths whose quantities are all loads. EVENTS contains texts for events by
  their kind;
- `drawn`: adds objects to the playback. ITEMS is a list of functions (record) that yield items of
  `playback.items`;
- `after`: adds results to a record after the end of the flight, see `observation.after`;
- `saved`: takes the state of bodies and effects from a saved flight from which they start, see
  `starts.saved`.

External packages are found by an entry point of the group "interstage.parts", whose value is the name of the
package. A package that cannot be used is omitted, and the reason is reported. Failures of one package do not
affect other packages.
"""

from __future__ import annotations

import functools
import re
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import (
    EntryPoint,
    PackageNotFoundError,
    distribution,
    distributions,
    entry_points,
)
from importlib.util import find_spec
from operator import or_
from types import FrameType, ModuleType
from typing import Annotated, Any

from .declaration import Declaration, OneOf, nodes_of, reachable
from .errors import BadInput, NotInstalled, Problem
from .unit_names import fault_of_si
from .units import SI

GROUP = "interstage.parts"
"""Name of the group of entry points of model packages. The name is also the name of the package that contains
Interstage's own models.
"""
PREFIX = "interstage-"
"""Usual prefix of the names of distributions that contain models."""
EXAMPLE = "interstage-eddy-damper"
"""Name of the distribution in `examples/own_part`. The distribution is not in any package index."""
Kinds = Mapping[str, tuple[type[Declaration], ...]]
"""Type of a mapping from a group of a scenario to its declaration classes."""


@dataclass(frozen=True)
class Package:
    """A package of models.

    - name: name for imports.
    - distribution, version: name and version of the distribution; empty for Interstage's own packages.
    """

    name: str
    distribution: str = ""
    version: str = ""

    def module(self, name: str) -> ModuleType | None:
        """Return the imported module of the package with this name, or None if the package has no such
        module.
        """
        path = f"{self.name}.{name}"
        return _there(path) if self.distribution else _of_ours(path)

    def __str__(self) -> str:
        return f"{self.name} ({self.distribution} {self.version})" if self.distribution else self.name


@dataclass(frozen=True)
class Catalogue:
    """All usable packages of models.

    - kinds: declaration classes of these packages, by group.
    - left_out: reason for the rejection of each package that cannot be used.
    """

    packages: tuple[Package, ...]
    kinds: Kinds
    left_out: Mapping[Package, str] = field(default_factory=dict)
    found_at: float = 0.0
    """Time at which packages were searched [s since 1970]."""

    @property
    def others(self) -> tuple[Package, ...]:
        """External packages, which do not belong to Interstage."""
        return tuple(package for package in self.packages if package.distribution)


def _there(path: str) -> ModuleType | None:
    return import_module(path) if find_spec(path) is not None else None


_of_ours = functools.cache(_there)
"""Cache of the modules of Interstage's own packages. They do not change, and a run requests them some five
hundred times."""


class _Unusable(Exception):
    """Reason why a package is rejected."""


@functools.cache
def catalogue() -> Catalogue:
    """Return the catalogue of all packages of models. Packages are searched only at the first call."""
    return gather(entry_points(group=GROUP))


def kinds(group: str) -> tuple[type[Declaration], ...]:
    """Return the declaration classes that are allowed in a group of a scenario."""
    return catalogue().kinds[group]


def open_groups() -> tuple[str, ...]:
    """Return the groups of a scenario to which external packages may add kinds."""
    return import_module(GROUP).OPEN


def union(group: str) -> Any:
    """Return the type annotation of an entry of a group: one class, or a union of classes that the key `kind`
    selects.
    """
    choices = kinds(group)
    several: Any = functools.reduce(or_, choices)
    extended = group in open_groups()
    return Annotated[several, OneOf(extended=extended)] if len(choices) > 1 else several


def home(thing: Any) -> Package | None:
    """Return the external package that contains a class or a function. If the object belongs to no external
    package, return None.
    """
    module = f"{getattr(thing, '__module__', '')}."
    return next((p for p in catalogue().others if module.startswith(f"{p.name}.")), None)


def packages_of(node: Any) -> tuple[Package, ...]:
    """Return the external packages whose declarations a tree contains, in the order of the catalogue."""
    if not catalogue().others:
        return ()
    found = {home(cls) for cls in _classes(node)}
    return tuple(package for package in catalogue().others if package in found)


def modules(name: str, node: Any) -> Iterator[ModuleType]:
    """Yield the modules with the name `name` of all Interstage packages, and of the external packages that a
    scenario uses.

    Raises BadInput if an external module cannot be imported.
    """
    yield from of_ours(name)
    yield from (module for module, _ in of_others(name, node))


def of_ours(name: str) -> Iterator[ModuleType]:
    """Yield the modules with the name `name` of Interstage's own packages."""
    for package in catalogue().packages:
        found = None if package.distribution else package.module(name)
        if found is not None:
            yield found


def of_others(name: str, node: Any) -> Iterator[tuple[ModuleType, Package]]:
    """Yield the modules with the name `name` of the external packages that a scenario uses, each with its
    package.

    Raises BadInput if a module cannot be imported.
    """
    for package in packages_of(node):
        found = import_module_of(package, name)
        if found is not None:
            yield found, package


def working(name: str, node: Any) -> Iterator[ModuleType]:
    """Yield the same modules as `modules`, but skip external modules that cannot be imported.

    The caller must report the skipped modules separately.
    """
    yield from of_ours(name)
    for package in packages_of(node):
        with suppress(BadInput):
            if (found := import_module_of(package, name)) is not None:
                yield found


def outputs(
    name: str,
    attribute: str,
    node: Any,
    arguments: tuple[Any, ...],
    check: Callable[[Any], Any],
    title: str,
) -> tuple[list[Any], list[str]]:
    """Call functions of packages. Return all outputs of these functions, and one sentence for each fault of
    an external package.

    - name, attribute: name of the module, and name of its list of functions.
    - node: scenario. The functions of the external packages that it uses are called.
    - arguments: arguments of the functions.
    - check: function that returns a valid output of an external package, and raises an exception for an
      invalid output.
    - title: first words of the sentences, for example "Tables".
    """
    found: list[Any] = []
    left_out: list[str] = []
    for module in of_ours(name):
        found += [one for make in _functions_of(module, attribute) for one in make(*arguments)]
    for package in packages_of(node):
        try:
            makers = _functions_of(import_module_of(package, name), attribute)
        except (BadInput, TypeError) as error:
            left_out.append(f"{error}.")
            continue
        for make in makers:
            try:
                found += [check(one) for one in make(*arguments)]
            except Exception as error:  # noqa: BLE001 - any exception is reported
                maker = getattr(make, "__name__", attribute)
                left_out.append(f"{title} by {package.name}.{name}.{maker}: {fault(error, package)}.")
    return found, left_out


def _functions_of(module: ModuleType | None, attribute: str) -> tuple[Callable[..., Any], ...]:
    """Return the functions in a list of a module, if the module has this list."""
    return tuple(getattr(module, attribute, ()))


def import_module_of(package: Package, name: str) -> ModuleType | None:
    """Return the module of an external package with the name `name`, or None if the package has no such
    module.

    Raises BadInput if the module cannot be imported.
    """
    try:
        return package.module(name)
    except (Exception, SystemExit) as error:
        text = f"the models of {package} cannot be used, because {package.name}.{name} cannot be imported:"
        raise BadInput(f"{text} {_in_one_line(error)}. Correct or update the package") from error


def package_of_error(error: BaseException) -> Package | None:
    """Return the external package whose code raised an exception, or None."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return next((p for frame in reversed(frames) for p in catalogue().others if _in(p, frame)), None)


def fault(error: BaseException, package: Package, node: Any = ()) -> Problem:
    """Return the problem that reports an exception from an external package, with the line that raised it.

    The path of the problem is the path of the first entry in the scenario `node` that the package declares.
    """
    walked = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if _in(package, frame)]
    text = f"the models of {package} raised an error: {_in_one_line(error)}"
    if walked:
        frame, line = walked[-1]
        text += f" ({frame.f_globals['__name__']}.{frame.f_code.co_name}, line {line})"
    return Problem(_place(package, node), f"{text}. Correct or update the package")


def _in(package: Package, frame: FrameType) -> bool:
    return f"{frame.f_globals.get('__name__')}.".startswith(f"{package.name}.")


def _place(package: Package, node: Any) -> str:
    """Return the path of the first entry of a scenario that a package declares, or ""."""
    for group in type(node).model_fields if isinstance(node, Declaration) else ():
        for entry in getattr(node, group) if isinstance(getattr(node, group), tuple) else ():
            if home(type(entry)) == package:
                return f"{group}.{entry.name}"
    return ""


def _classes(node: Any) -> set[type]:
    return {type(one) for one in nodes_of(node)}


# --- installed packages -------------------------------------------------------------------------------------


def normal(name: str) -> str:
    """Return the normalized name of a distribution, so that "My.Parts" and "my-parts" are equal."""
    return re.sub(r"[-_.]+", "-", name).lower()


def check_installed(name: str) -> str:
    """Return the name of a distribution if it is valid and installed.

    Raises ValueError for an invalid name. Raises NotInstalled if the distribution is not installed or its
    models cannot be used.
    """
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?", name):
        raise ValueError(
            f"'{name[:60]}' is not a package name of pip; allowed: letters, digits and - _ . between them,"
            ' for example "interstage-magnetic-latch"'
        )
    for package, why in catalogue().left_out.items():
        if normal(package.distribution) == normal(name):
            raise NotInstalled(("", f"models of {package} are not loaded: {why}"))
    try:
        distribution(name)
    except PackageNotFoundError:
        text = f"the scenario uses models of the package '{name}', which is not installed"
        raise NotInstalled(("", f"{text}. {_remedy(name)}")) from None
    return name


def of_unknown_kinds(needs: Iterable[Any]) -> str:
    """Return the hint for an unknown kind: its package may not be installed or may have no entry point.

    `needs`: names of the distributions that the scenario needs.
    """
    text = "If the kind belongs to another package, install a version of that package with an entry point"
    text += f' "{GROUP}", and list the package in needs'
    left_out = [f"models of {package} are not loaded: {why}" for package, why in catalogue().left_out.items()]
    silent = [f"package {name} is installed without this entry point" for name in without_entry_point(needs)]
    found = [str(package) for package in catalogue().others]
    there = f"found: {', '.join(found)}" if found else "no installed package has this entry point"
    return f"{text}; {'; '.join([there, *silent, *left_out])} (see interstage --version)"


def without_entry_point(names: Iterable[Any]) -> Iterator[str]:
    """Yield the names whose distributions are installed but have no entry point for models."""
    for name in names:
        with suppress(PackageNotFoundError, ValueError):
            if isinstance(name, str) and not distribution(name).entry_points.select(group=GROUP):
                yield name


def likely_unannounced() -> Iterator[str]:
    """Yield the installed distributions whose names look like packages of models, but which have no entry
    point for models.
    """
    names = {str(one.metadata["Name"]) for one in distributions()}
    yield from without_entry_point(sorted(name for name in names if normal(name).startswith(PREFIX)))


def _remedy(name: str) -> str:
    """Return the fix for a missing package.

    The fix does not recommend an installation by name alone: a package with this name may belong to another
    author.
    """
    for package in catalogue().others:
        if normal(package.name) == normal(name):
            return f"Did you mean '{package.distribution}', the package that contains {package.name}?"
    if normal(name) == EXAMPLE:
        return "It is an example in the source folder: pip install examples/own_part"
    if normal(name).startswith(PREFIX):
        return f"Install the package: pip install {name}"
    whence = "ask the author of the scenario for the source of the package (pip install PATH or URL)"
    return f"Names of model packages usually begin with {PREFIX}. For other names, {whence}"


# --- finding them -------------------------------------------------------------------------------------------


def gather(points: Iterable[EntryPoint]) -> Catalogue:
    """Return the catalogue of Interstage's own packages and of the packages that the entry points name."""
    base, now = import_module(GROUP), time.time()
    own = tuple(Package(f"{GROUP}.{name}") for name in base.OWN)
    ours = {package: _kinds_of(package) for package in own}
    kinds = _join_kinds(ours.values())
    usable: dict[Package, Kinds] = {}
    left_out: dict[Package, str] = {}
    for point in sorted(points, key=lambda point: (point.value, point.name)):
        package = Package(point.module, *_distribution(point))
        try:
            if point.attr or package.name in {p.name for p in (*usable, *left_out)}:
                raise _Unusable(_fault_of_entry_point(point, package))
            usable[package] = _check_kinds(_kinds_of(package), kinds, base.OPEN)
        except _Unusable as error:
            left_out[package] = str(error)
    for package, declared in tuple(usable.items()):
        if clash := _clash(package, declared, kinds, usable):
            left_out[package] = clash
    kept = {package: declared for package, declared in usable.items() if package not in left_out}
    return Catalogue((*own, *kept), _join_kinds([kinds, *kept.values()]), left_out, now)


def _distribution(point: EntryPoint) -> tuple[str, str]:
    """Return name and version of the distribution of an entry point, as far as they are known."""
    if point.dist is None:
        return "an unknown distribution", ""
    metadata = point.dist.metadata
    return str(metadata["Name"] or "an unknown distribution"), str(metadata["Version"] or "")


def _fault_of_entry_point(point: EntryPoint, package: Package) -> str:
    if point.attr:
        return (
            f"the entry point of the package names '{point.value}'. The entry point must contain only the "
            "name of a package, for example eddy_damper"
        )
    return f"another entry point already names the package '{package.name}'. Remove one of these entry points"


def _kinds_of(package: Package) -> Any:
    """Return KINDS of a package. Raises _Unusable if an external package cannot be imported."""
    try:
        module = package.module("declared")
    except (Exception, SystemExit) as error:
        if not package.distribution:
            raise
        raise _Unusable(f"the package cannot be imported: {_in_one_line(error)}") from None
    if module is None:
        raise _Unusable(f"the package has no module '{package.name}.declared'")
    found = getattr(module, "KINDS", None)
    if not isinstance(found, Mapping):
        example = 'KINDS = {"devices": (EddyDamper,)}'
        raise _Unusable(f"{package.name}.declared has no table of kinds. Add a table, for example {example}")
    return found


def _in_one_line(error: BaseException) -> str:
    """Return an error in one line."""
    text = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
    return " ".join(text.split())


def _check_kinds(declared: Any, ours: Kinds, open_groups: tuple[str, ...]) -> Kinds:
    """Return the checked declarations of an external package. Raises _Unusable."""
    for group, classes in declared.items():
        if group not in open_groups:
            raise _Unusable(
                f"the package declares kinds of '{group}'; allowed groups: {', '.join(open_groups)}"
            )
        base = _base(ours[group])
        for cls in classes if isinstance(classes, tuple | list) else (classes,):
            name = getattr(cls, "__name__", cls)
            if not isinstance(cls, type) or not issubclass(cls, base):
                remedy = f"Derive this class from {base.__module__}.{base.__name__}"
                raise _Unusable(f"'{name}' is not a declaration of {group}. {remedy}")
            missing = [key for key in ("kind", "name") if key not in cls.model_fields]
            if missing or not isinstance(cls.model_fields["kind"].default, str):
                remedy = 'Add the fields kind: Literal["..."] = "..." and name: Name'
                raise _Unusable(f"'{name}' has no fields kind and name. {remedy}")
            _check_units(cls)
    return {group: tuple(c) if isinstance(c, tuple | list) else (c,) for group, c in declared.items()}


def _check_units(cls: type[Declaration]) -> None:
    """Raise _Unusable if a number is marked with an invalid unit or shape. Such a mark would affect every
    scenario."""
    others = (one for one in reachable(cls) if not one.__module__.startswith("interstage."))
    for declared in others:
        for name, one in declared.model_fields.items():
            for mark in _marks(one):
                place = f"the field {declared.__name__}.{name} is marked si({mark.unit!r}, {mark.shape!r})"
                if fault := fault_of_si(mark.unit):
                    raise _Unusable(f"{place}: {fault}")
                if not isinstance(mark.shape, tuple):
                    raise _Unusable(f"{place}: write the shape as a tuple, like (3,)")


def _marks(field: Any) -> Iterator[SI]:
    """Yield the unit markers of a field, including the markers of its choices."""
    left = [*field.metadata, field.annotation]
    while left:
        one = left.pop()
        if isinstance(one, SI):
            yield one
        left += [*getattr(one, "__metadata__", ()), *getattr(one, "__args__", ())]


def _base(classes: tuple[type[Declaration], ...]) -> type[Declaration]:
    """Return the nearest common base class."""
    return next(base for base in classes[0].__mro__ if all(issubclass(cls, base) for cls in classes))


def _join_kinds(all_kinds: Iterable[Kinds]) -> dict[str, tuple[type[Declaration], ...]]:
    found: dict[str, tuple[type[Declaration], ...]] = {}
    for one in all_kinds:
        for group, classes in one.items():
            found[group] = (*found.get(group, ()), *classes)
    return found


def _clash(package: Package, declared: Kinds, ours: Kinds, usable: Mapping[Package, Kinds]) -> str:
    """Return a description of the conflict with a declaration of another package, or "".

    A name that two packages declare is ambiguous, so no external package with this name is used.
    """
    claims = _claims(declared)
    others = ((str(other), kinds) for other, kinds in usable.items() if other != package)
    for whose, kinds in (("Interstage itself", ours), *others):
        for claim in sorted(claims & _claims(kinds)):
            return f"the {' '.join(claim)} also belongs to {whose}. Rename or remove one of these models"
    return ""


def _claims(declared: Kinds) -> set[tuple[str, str]]:
    """Return the names that only one package may have: its kinds, and the names of their classes in the
    schema."""
    all_of = [(group, cls) for group, classes in declared.items() for cls in classes]
    kinds = {(f"kind of {group}", f"'{_kind(cls)}'") for group, cls in all_of if _kind(cls)}
    return kinds | {(f"class of {group}", f"'{cls.__name__}'") for group, cls in all_of}


def _kind(cls: type[Declaration]) -> Any:
    return cls.model_fields["kind"].default if "kind" in cls.model_fields else None
