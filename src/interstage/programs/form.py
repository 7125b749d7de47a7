"""Reduce a scenario to the inputs of its compiled program, without texts, outputs and drawings.

Scenarios with the same reduced scenario use the same program. Such scenarios may differ in numeric values,
units, titles, sources, requirements and sample times.
"""

from __future__ import annotations

from typing import Any

from ..model.user_class import of_package
from ..model.values import Value
from ..tree import packages
from ..tree.declaration import Declaration, build, parts, texts_of, with_values

MANY = 12
"""If a scenario has more bodies than this number, the requirements decide which pairs of bodies have
quantities; see `quantities.Catalogue`.
"""


class Untold(Exception):
    """Error: not all data that determine a program are known."""


def observed_form(scenario: Any, recorded: str = "steps") -> Any:
    """Return the reduced scenario of the programs that simulate and record a flight.

    recorded: steps that a flight records, see `programs.program.Program`. If only samples are recorded, the
    result also contains the sample interval.
    """
    sampled = recorded == "samples"
    changes = {
        "title": "",
        "units": "SI",
        "needs": (),
        "sources": (),
        **{group: () for group, words in _read_only(scenario).items() if not words},
        "requirements": _pairs(scenario),
        "output": with_values(scenario.output, times=None) if sampled else None,
    }
    return _unitless(with_values(scenario, **changes))


def flown(scenario: Any) -> Any:
    """Return the reduced scenario of the programs that integrate a flight but do not record its
    quantities.
    """
    read = _read_only(scenario)
    rest = with_values(scenario, requirements=(), **dict.fromkeys(read, ()))
    words = {word for text in texts_of(rest) for word in text.replace("(", " ").split()}
    begun = {part for word in words for part in word.split(".")[:-1]}
    if words & {site.name for site in scenario.sites}:
        begun.add(*read["sites"])
    kept = {group: getattr(scenario, group) for group, by in read.items() if begun & {*by}}
    if "pairs" in kept:
        kept["requirements"] = scenario.requirements
    return with_values(rest, **kept)


def _read_only(scenario: Any) -> dict[str, tuple[str, ...]]:
    """Groups that are only read: they enter a flight where something in it uses a quantity with one of
    these words in its path, and nothing of a flight where there are none. READ_ONLY of the `declared` of
    parts."""
    found = {"pairs": ("pairs",), "sites": ("range_to",)}
    for module in packages.modules("declared", scenario):
        found |= getattr(module, "READ_ONLY", {})
    return found


def _pairs(scenario: Any) -> tuple[Any, ...]:
    """Of the requirements what makes quantities of pairs of bodies: which pairs these are."""
    if len(scenario.bodies) <= MANY:
        return ()
    asked = {
        r.quantity.rpartition(".")[0]: r for r in scenario.requirements if r.quantity.startswith("pairs.")
    }
    nothing = dict.fromkeys(type(next(iter(asked.values()))).model_fields) if asked else {}
    return tuple(
        with_values(asked[pair], **nothing | {"quantity": f"{pair}.distance"}) for pair in sorted(asked)
    )


def _unitless(node: Any) -> Any:
    """The tree without the units that numbers were given in."""
    if isinstance(node, tuple):
        return tuple(map(_unitless, node))
    if not isinstance(node, Declaration):
        return node
    if isinstance(node, Value):
        return with_values(node, unit=None)
    _, children, static = parts(node)
    return build(type(node), [*map(_unitless, children)], static)


def elsewhere(node: Any) -> tuple[str | None, ...]:
    """Return texts that identify the data that a scenario reads from files and classes.

    A text is None if the data are unknown; see `Declaration.from_elsewhere`.
    """
    if isinstance(node, tuple):
        return tuple(text for item in node for text in elsewhere(item))
    if not isinstance(node, Declaration):
        return ()
    own = _from_elsewhere(node)
    inside = tuple(text for child in parts(node)[1] for text in elsewhere(child))
    return inside if own == "" else (own, *inside)


def _from_elsewhere(node: Declaration) -> str | None:
    """What a declaration takes from beyond the scenario, the package of others that it came with included;
    None if it is not known."""
    own, package = node.from_elsewhere(), packages.home(type(node))
    if package is None or own is None:
        return own
    packages.import_module_of(package, "flown")  # its content, too
    whole = of_package(package.name, packages.catalogue().found_at)
    return None if whole is None else own + whole


def description(node: Any) -> str:
    """Return a text that describes a reduced scenario, without its numeric inputs.

    Raises `Untold` if not all data are known.
    """
    if isinstance(node, Declaration):
        names, children, static = parts(node)
        cls, elsewhere = type(node), _from_elsewhere(node)
        if elsewhere is None:
            raise Untold(f"data that {cls.__name__} reads from outside the scenario")
        inside = ",".join(f"{n}={description(c)}" for n, c in zip(names, children, strict=True))
        return f"{cls.__module__}.{cls.__qualname__}[{_text_of(static)}{elsewhere}]({inside})"
    if isinstance(node, tuple):
        return f"({','.join(map(description, node))})"
    return "-" if node is None else "#"


def _text_of(value: Any) -> str:
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, tuple):
        return f"({','.join(map(_text_of, value))})"
    raise Untold(f"{type(value).__name__} is not a plain value")
