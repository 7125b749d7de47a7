"""Checks of stops: a hinge stop is on what turns about its axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...model.joint_rows import rows_of
from ...model.sequence import kinds_of
from ...tree.errors import Problem
from ...tree.names import Names
from .declared import HingeStop

if TYPE_CHECKING:
    from ...model.joint import Joint
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """All that is wrong with the joints that stops are on."""
    declared = {joint.name: joint for joint in scenario.joints}
    for stop in scenario.forces:
        if isinstance(stop, HingeStop) and stop.joint in declared:
            yield from turning(f"forces.{stop.name}", scenario, declared[stop.joint], stop.axis)


def turning(place: str, scenario: Scenario, joint: Joint, wanted: str = "") -> Iterator[Problem]:
    """A hinge has one axis to turn about, the one `wanted` if any is."""
    axes = {
        rows.rotations[0][0] for rows in map(rows_of, kinds_of(scenario, joint)) if len(rows.rotations) == 2
    }
    if len(axes) != 1:
        found = "turns about different axes" if axes else "never turns about one axis only"
        yield Problem(
            f"{place}.joint",
            f"joint '{joint.name}' {found}, as declared or replaced; name one that is, or becomes, revolute,"
            " or give an event with a quantity of its rotation",
        )
    elif wanted and axes != {"xyz".index(wanted)}:
        turns = "xyz"[axes.pop()]
        yield Problem(
            f"{place}.axis", f"joint '{joint.name}' turns about {turns}, not {wanted}; say \"{turns}\""
        )
