"""Check interfaces: attachments exist and connect the same two bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...tree.errors import BrokenName, Problem
from ...tree.name_check import unknown
from ...tree.names import Names
from ..bushings.declared import BeamSpring, Bushing

if TYPE_CHECKING:
    from ...scenario import Scenario
    from .declared import Interface


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of interfaces.

    faulty: names of invalid declarations, by group. References to these names are accepted.
    """
    left_out = faulty or {}
    for interface in scenario.interfaces:
        yield from _attachments(scenario, interface, left_out)


def _attachments(
    scenario: Scenario, interface: Interface, left_out: Mapping[str, list[str]]
) -> Iterator[Problem]:
    place = f"interfaces.{interface.name}"
    springs = [f for f in scenario.forces if isinstance(f, (Bushing, BeamSpring))]
    found: list[Any] = []
    for group, known in (("joints", scenario.joints), ("forces", springs)):
        by_name = {item.name: item for item in known}
        what = "joint" if group == "joints" else "bushing or beam"
        for name in getattr(interface, group):
            if name in by_name:
                found.append(by_name[name])
            else:
                known = (*by_name, *left_out.get(group, ()))
                yield from unknown(f"{place}.{group}", name, known, what)
    ends = {frozenset((item.parent, item.child)): item for item in found}
    if len(ends) > 1:
        listed = "; ".join(f"'{i.name}' connects '{i.parent}' and '{i.child}'" for i in ends.values())
        text = (
            f"the attachments connect different bodies: {listed}. Declare one interface for each pair of"
            " bodies"
        )
        yield BrokenName(f"{place}.joints" if interface.joints else f"{place}.forces", text)
