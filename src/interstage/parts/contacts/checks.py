"""Check contacts: bodies, shapes and phases exist, and the shapes are supported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...tree.errors import BrokenName, Problem, Refused
from ...tree.name_check import unknown
from ...tree.names import Names
from .declared import touched_shapes

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of contacts.

    faulty: names of invalid declarations, by group. A contact of an invalid body is not checked.
    """
    for contact in scenario.contacts:
        place = f"contacts.{contact.name}"
        if not {contact.body, contact.other} & set((faulty or {}).get("bodies", ())):
            try:
                touched_shapes(contact, scenario)
            except Refused as error:
                yield from (
                    BrokenName(f"{place}.{p.place}", p.message, among=("bodies",)) for p in error.problems
                )
        for phase in contact.phases or ():
            yield from unknown(f"{place}.phases", phase, names.phases, "phase")
