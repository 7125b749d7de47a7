"""Packages of parts: those of Interstage, and those of others that are installed.

A part is one physical effect. Its package has modules by convention, and each is imported when somebody first
asks for it:

- `declared`: what a scenario may say of it. KINDS names its declarations by the group that they stand in:
  ``KINDS = {"devices": (EddyDamper,)}``. READ_ONLY names the groups that act on nothing, see `flight.form`,
  BY_TIME those in which functions of flight time may stand, see `flight.saved_starts`. Every package has this
  module, the others only where there is a need;
- `checks`: what is wrong with a scenario;
- `flown`: what flies;
- `quantities`: what may be asked by name;
- `shown`: what a report shows. TABLES and FIGURES: functions (record, units) that yield each a
  `drawing.table.Table` or a `drawing.figure.Figure`, with keys (`report.order`). ENVELOPE: first words of its
  quantities that are all loads. EVENTS: what happens at its events, by their kind;
- `after`: what it adds to a record once the flight has ended, see `flight.after`;
- `saved`: what bodies, and what acts on them, take along from a saved flight that they start from, see
  `flight.saved_starts`.

A package of others is found by an entry point of the group "interstage.parts", whose value is its name. One
that cannot be used is left out, and why is reported; nothing else depends on it."""

from __future__ import annotations

import functools
import re
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping
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
"""Entry points of packages of parts; and the package that has those of Interstage."""
PREFIX = "interstage-"
"""What names of distributions with parts begin with, as a rule."""
EXAMPLE = "interstage-eddy-damper"
"""The distribution of `examples/own_part`, which stands on no index."""
Kinds = Mapping[str, tuple[type[Declaration], ...]]
"""Declarations by the group of a scenario that they stand in."""


@dataclass(frozen=True)
class Package:
    """A package of parts: the name that it is imported by, and the distribution that it came with, which is
    empty for those of Interstage."""

    name: str
    distribution: str = ""
    version: str = ""

    def module(self, name: str) -> ModuleType | None:
        """One of its modules, imported; none where it has no such module."""
        path = f"{self.name}.{name}"
        return _there(path) if self.distribution else _of_ours(path)

    def __str__(self) -> str:
        return f"{self.name} ({self.distribution} {self.version})" if self.distribution else self.name


@dataclass(frozen=True)
class Catalogue:
    """All packages that can be used, the kinds that they declare, and why others are left out."""

    packages: tuple[Package, ...]
    kinds: Kinds
    left_out: Mapping[Package, str] = field(default_factory=dict)
    found_at: float = 0.0
    """When they were looked for [s since 1970]."""

    @property
    def others(self) -> tuple[Package, ...]:
        """Those that did not come with Interstage."""
        return tuple(package for package in self.packages if package.distribution)


def _there(path: str) -> ModuleType | None:
    return import_module(path) if find_spec(path) is not None else None


_of_ours = functools.cache(_there)
"""Which of our packages have which modules stays as it is, and is asked some five hundred times in a run."""


class _Unusable(Exception):
    """Why a package is left out."""


@functools.cache
def catalogue() -> Catalogue:
    """The packages at hand; looked for once."""
    return gathered(entry_points(group=GROUP))


def kinds(group: str) -> tuple[type[Declaration], ...]:
    """The declarations that may stand in a group."""
    return catalogue().kinds[group]


def open_groups() -> tuple[str, ...]:
    """Groups to which packages of others may add kinds."""
    return import_module(GROUP).OPEN


def union(group: str) -> Any:
    """The annotation of an entry of a group: a declaration, or one of several that `kind` tells apart."""
    choices = kinds(group)
    several: Any = functools.reduce(or_, choices)
    extended = group in open_groups()
    return Annotated[several, OneOf(extended=extended)] if len(choices) > 1 else several


def home(thing: Any) -> Package | None:
    """The package of others that a class or a function belongs to, if any."""
    module = f"{getattr(thing, '__module__', '')}."
    return next((p for p in catalogue().others if module.startswith(f"{p.name}.")), None)


def used(node: Any) -> tuple[Package, ...]:
    """The packages of others whose declarations stand in a tree, each once, in the order of the catalogue."""
    if not catalogue().others:
        return ()
    found = {home(cls) for cls in _classes(node)}
    return tuple(package for package in catalogue().others if package in found)


def modules(name: str, node: Any) -> Iterator[ModuleType]:
    """A module by convention of all packages that concern a scenario: those of Interstage, and those of
    others that it uses. Raises BadInput where one of others cannot be imported."""
    yield from of_ours(name)
    yield from (module for module, _ in of_others(name, node))


def of_ours(name: str) -> Iterator[ModuleType]:
    """A module by convention of the packages of Interstage."""
    for package in catalogue().packages:
        found = None if package.distribution else package.module(name)
        if found is not None:
            yield found


def of_others(name: str, node: Any) -> Iterator[tuple[ModuleType, Package]]:
    """A module by convention of the packages of others that a scenario uses, with the package. Raises
    BadInput where one cannot be imported."""
    for package in used(node):
        found = imported(package, name)
        if found is not None:
            yield found, package


def working(name: str, node: Any) -> Iterator[ModuleType]:
    """As `modules`, without those of others that cannot be imported; these have to be told elsewhere."""
    yield from of_ours(name)
    for package in used(node):
        with suppress(BadInput):
            if (found := imported(package, name)) is not None:
                yield found


def imported(package: Package, name: str) -> ModuleType | None:
    """A module of a package of others, none where it has no such module. Raises BadInput where it cannot be
    imported."""
    try:
        return package.module(name)
    except (Exception, SystemExit) as error:
        text = f"the parts of {package} cannot be used: {package.name}.{name} cannot be imported:"
        raise BadInput(f"{text} {_told(error)}; mend or update the package") from error


def blamed(error: BaseException) -> Package | None:
    """The package of others that an exception comes out of, if any."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return next((p for frame in reversed(frames) for p in catalogue().others if _in(p, frame)), None)


def fault(error: BaseException, package: Package, node: Any = ()) -> Problem:
    """What to say of an exception that comes out of a package of others: where it was raised, at the place of
    the first of its parts in a scenario."""
    walked = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if _in(package, frame)]
    text = f"the parts of {package} have a fault of their own: {_told(error)}"
    if walked:
        frame, line = walked[-1]
        text += f" ({frame.f_globals['__name__']}.{frame.f_code.co_name}, line {line})"
    return Problem(_place(package, node), f"{text}; mend or update the package")


def _in(package: Package, frame: FrameType) -> bool:
    return f"{frame.f_globals.get('__name__')}.".startswith(f"{package.name}.")


def _place(package: Package, node: Any) -> str:
    """The path of the first entry of a scenario that a package declares; empty where there is none."""
    for group in type(node).model_fields if isinstance(node, Declaration) else ():
        for entry in getattr(node, group) if isinstance(getattr(node, group), tuple) else ():
            if home(type(entry)) == package:
                return f"{group}.{entry.name}"
    return ""


def _classes(node: Any) -> set[type]:
    return {type(one) for one in nodes_of(node)}


# --- what is installed --------------------------------------------------------------------------------------


def normal(name: str) -> str:
    """The name of a distribution as packages are compared by: "My.Parts" and "my-parts" are one."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed(name: str) -> str:
    """The name of a distribution whose parts a scenario needs. Raises NotInstalled, a ValueError."""
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?", name):
        raise ValueError(
            f"'{name[:60]}' is no name of a package; allowed: letters, digits and - _ . between them, as pip"
            ' names it, like "interstage-magnetic-latch"'
        )
    for package, why in catalogue().left_out.items():
        if normal(package.distribution) == normal(name):
            raise NotInstalled(("", f"the parts of {package} are left out: {why}"))
    try:
        distribution(name)
    except PackageNotFoundError:
        text = f"the package '{name}', whose parts the scenario has, is not installed"
        raise NotInstalled(("", f"{text}; {_remedy(name)}")) from None
    return name


def of_unknown_kinds(needs: Iterable[Any]) -> str:
    """What to say of a kind that no package declares: it may be of one that is not installed, or not found.
    needs: distributions that the scenario names."""
    text = "Kinds of other packages need these installed, each with an entry point"
    text += f' "{GROUP}", and named in needs'
    left_out = [f"{package} is left out: {why}" for package, why in catalogue().left_out.items()]
    silent = [f"{name} is installed without one" for name in unannounced(needs)]
    found = [str(package) for package in catalogue().others]
    there = f"found are {', '.join(found)}" if found else "none is found"
    return f"{text}; {'; '.join([there, *silent, *left_out])} (see interstage --version)"


def unannounced(names: Iterable[Any]) -> Iterator[str]:
    """Those of some distributions that are installed and have no parts to be found by."""
    for name in names:
        with suppress(PackageNotFoundError, ValueError):
            if isinstance(name, str) and not distribution(name).entry_points.select(group=GROUP):
                yield name


def likely_unannounced() -> Iterator[str]:
    """Distributions with names like those of packages of parts, and no parts to be found by."""
    names = {str(one.metadata["Name"]) for one in distributions()}
    yield from unannounced(sorted(name for name in names if normal(name).startswith(PREFIX)))


def _remedy(name: str) -> str:
    """How a package that is not installed may be had. What any name leads to is not for us to tell: it may be
    another's."""
    for package in catalogue().others:
        if normal(package.name) == normal(name):
            return f"did you mean '{package.distribution}', with which {package.name} is installed?"
    if normal(name) == EXAMPLE:
        return "it is the example of our sources: pip install examples/own_part"
    if normal(name).startswith(PREFIX):
        return f"install it: pip install {name}"
    whence = "ask who wrote the scenario where it comes from (pip install PATH or URL)"
    return f"packages of parts are named {PREFIX}... as a rule; if this one is not, {whence}"


# --- finding them -------------------------------------------------------------------------------------------


def gathered(points: Iterable[EntryPoint]) -> Catalogue:
    """The catalogue of Interstage's own packages and those that entry points name."""
    base, now = import_module(GROUP), time.time()
    own = tuple(Package(f"{GROUP}.{name}") for name in base.OWN)
    ours = {package: _declared(package) for package in own}
    kinds = _joined(ours.values())
    usable: dict[Package, Kinds] = {}
    left_out: dict[Package, str] = {}
    for point in sorted(points, key=lambda point: (point.value, point.name)):
        package = Package(point.module, *_distribution(point))
        try:
            if point.attr or package.name in {p.name for p in (*usable, *left_out)}:
                raise _Unusable(_misnamed(point, package))
            usable[package] = _checked(_declared(package), kinds, base.OPEN)
        except _Unusable as error:
            left_out[package] = str(error)
    for package, declared in tuple(usable.items()):
        if clash := _clash(package, declared, kinds, usable):
            left_out[package] = clash
    kept = {package: declared for package, declared in usable.items() if package not in left_out}
    return Catalogue((*own, *kept), _joined([kinds, *kept.values()]), left_out, now)


def _distribution(point: EntryPoint) -> tuple[str, str]:
    """Name and version of the distribution of an entry point, as far as they are reported."""
    if point.dist is None:
        return "an unknown distribution", ""
    metadata = point.dist.metadata
    return str(metadata["Name"] or "an unknown distribution"), str(metadata["Version"] or "")


def _misnamed(point: EntryPoint, package: Package) -> str:
    if point.attr:
        return f"its entry point names '{point.value}'; it must name a package by itself, like eddy_damper"
    return f"the package '{package.name}' is named by another entry point already"


def _declared(package: Package) -> Any:
    """KINDS of a package. Raises _Unusable where a package of others cannot be imported."""
    try:
        module = package.module("declared")
    except (Exception, SystemExit) as error:
        if not package.distribution:
            raise
        raise _Unusable(f"it cannot be imported: {_told(error)}") from None
    if module is None:
        raise _Unusable(f"it has no module '{package.name}.declared'")
    found = getattr(module, "KINDS", None)
    if not isinstance(found, Mapping):
        example = 'KINDS = {"devices": (EddyDamper,)}'
        raise _Unusable(f"{package.name}.declared names no kinds; it must have a table of them: {example}")
    return found


def _told(error: BaseException) -> str:
    """An error in one line."""
    text = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
    return " ".join(text.split())


def _checked(declared: Any, ours: Kinds, open_groups: tuple[str, ...]) -> Kinds:
    """What a package of others declares. Raises _Unusable."""
    for group, classes in declared.items():
        if group not in open_groups:
            raise _Unusable(f"it declares kinds of '{group}'; allowed: {', '.join(open_groups)}")
        base = _base(ours[group])
        for cls in classes if isinstance(classes, tuple | list) else (classes,):
            name = getattr(cls, "__name__", cls)
            if not isinstance(cls, type) or not issubclass(cls, base):
                remedy = f"derive it from {base.__module__}.{base.__name__}"
                raise _Unusable(f"'{name}' is no declaration of {group}; {remedy}")
            missing = [key for key in ("kind", "name") if key not in cls.model_fields]
            if missing or not isinstance(cls.model_fields["kind"].default, str):
                remedy = 'give it kind: Literal["..."] = "..." and name: Name'
                raise _Unusable(f"'{name}' has no kind and name of its own; {remedy}")
            _check_units(cls)
    return {group: tuple(c) if isinstance(c, tuple | list) else (c,) for group, c in declared.items()}


def _check_units(cls: type[Declaration]) -> None:
    """Raise _Unusable where a number is marked with a unit or a shape that is none: each scenario that gives
    it would be blamed."""
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
    """The units that a field is marked with, those of one among several choices included."""
    left = [*field.metadata, field.annotation]
    while left:
        one = left.pop()
        if isinstance(one, SI):
            yield one
        left += [*getattr(one, "__metadata__", ()), *getattr(one, "__args__", ())]


def _base(classes: tuple[type[Declaration], ...]) -> type[Declaration]:
    """The nearest class that all are derived from."""
    return next(base for base in classes[0].__mro__ if all(issubclass(cls, base) for cls in classes))


def _joined(all_kinds: Iterable[Kinds]) -> dict[str, tuple[type[Declaration], ...]]:
    found: dict[str, tuple[type[Declaration], ...]] = {}
    for one in all_kinds:
        for group, classes in one.items():
            found[group] = (*found.get(group, ()), *classes)
    return found


def _clash(package: Package, declared: Kinds, ours: Kinds, usable: Mapping[Package, Kinds]) -> str:
    """What a package declares and another one, too, in words; nothing where all is its own. Whose is meant
    cannot be known, so that neither counts."""
    claims = _claims(declared)
    others = ((str(other), kinds) for other, kinds in usable.items() if other != package)
    for whose, kinds in (("Interstage itself", ours), *others):
        for claim in sorted(claims & _claims(kinds)):
            return f"its {' '.join(claim)} is also one of {whose}; one of the two must be renamed or removed"
    return ""


def _claims(declared: Kinds) -> set[tuple[str, str]]:
    """What only one package may have: its kinds, and the names of their classes, by which the schema lists
    them."""
    all_of = [(group, cls) for group, classes in declared.items() for cls in classes]
    kinds = {(f"kind of {group}", f"'{_kind(cls)}'") for group, cls in all_of if _kind(cls)}
    return kinds | {(f"class of {group}", f"'{cls.__name__}'") for group, cls in all_of}


def _kind(cls: type[Declaration]) -> Any:
    return cls.model_fields["kind"].default if "kind" in cls.model_fields else None
