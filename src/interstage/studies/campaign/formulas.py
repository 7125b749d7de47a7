"""Compute the values of dispersions that are formulas of other dispersions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...tree.errors import BadInput, Problem
from ...tree.formula import evaluate, in_backquotes, parse, variables
from ...tree.similar_names import near
from .members import Prepared

NOMINAL = "nominal"
"""Name of the scenario value in a formula."""


def names_in(one: Prepared) -> tuple[str, ...]:
    """Return the names of the variables in the formula of a dispersion."""
    return variables(parse(one.declared.formula or ""))


def formula_problems(found: Sequence[Prepared], names: Sequence[str]) -> Iterator[Problem]:
    """Yield problems of formulas: unknown names, different numbers of members, and cyclic references.

    - found: valid dispersions.
    - names: names of all dispersions, valid and invalid.
    """
    sizes = {one.name: len(one.members) for one in found if one.declared.way != "file"}
    sizes |= {member.name: 1 for one in found for member in one.members}
    for one in (one for one in found if one.maker is None):
        place = f"{one.declared.place}.formula"
        for name in names_in(one):
            if name == NOMINAL and not one.declared.paths:
                yield Problem(place, "the formula uses 'nominal', but the dispersion has no path. Set 'path'")
            elif name != NOMINAL and name not in sizes and name not in names:
                known = [in_backquotes(other) for other in (*names, *sizes) if other != one.name]
                text = f"there is no dispersion '{name}'; {near(name, dict.fromkeys(known), 'dispersions')}"
                yield Problem(place, text)
            elif name in sizes and sizes[name] not in (1, len(one.members)):
                text = f"{name} has {sizes[name]} members, but the formula sets {len(one.members)}"
                yield Problem(
                    place, f"{text}. Use a dispersion with one value or with the same number of members"
                )
    yield from _cycles(found)


def _cycles(found: Sequence[Prepared]) -> Iterator[Problem]:
    try:
        evaluation_order(found)
    except BadInput as error:
        yield from error.problems


def evaluation_order(found: Sequence[Prepared]) -> list[Prepared]:
    """Return the dispersions with formulas in the order of their evaluation. Raises BadInput for cyclic
    references.
    """
    left = {one.name: one for one in found if one.maker is None}
    order: list[Prepared] = []
    while left:
        ready = [one for one in left.values() if not {*names_in(one)} & left.keys()]
        if not ready:
            names = ", ".join(left)
            place = f"{next(iter(left.values())).declared.place}.formula"
            text = f"the formulas of {names} depend on each other in a circle. Remove one of the references"
            raise BadInput(Problem(place, text))
        order += ready
        left = {name: one for name, one in left.items() if one not in ready}
    return order


def values_of(one: Prepared, known: Mapping[str, Any], first: int, count: int) -> list[np.ndarray]:
    """Evaluate the formula of a dispersion and return the values (cases,) of each member.

    - known: values (cases,) or (members, cases) of other dispersions, by name.
    - first, count: number of the first case, and number of cases.

    Raises BadInput with the first case that has no finite value.
    """
    members = len(one.members)
    needed = {name: known[name] for name in names_in(one) if name != NOMINAL}
    if NOMINAL in names_in(one):
        nominal = np.array([float(member.target.nominal) for member in one.members if member.target])
        needed[NOMINAL] = np.repeat(nominal[:, None], count, axis=1)
    with np.errstate(all="ignore"):
        found = evaluate(parse(one.declared.formula or ""), needed)
    found = np.broadcast_to(np.asarray(found, float), (members, count))
    if not np.isfinite(found).all():
        case = int(np.argmax(~np.isfinite(found).all(axis=0)))
        known = {name: np.ravel(np.asarray(value)[..., case])[0] for name, value in needed.items()}
        given = ", ".join(f"{name} = {value:g}" for name, value in known.items() if name != NOMINAL)
        text = (
            f"the formula has no finite value in case {first + case} ({given}, SI). Limit these"
            " inputs, or use where()"
        )
        raise BadInput(Problem(f"{one.declared.place}.formula", text))
    return [np.ascontiguousarray(row) for row in found]
