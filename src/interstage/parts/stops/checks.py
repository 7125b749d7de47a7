"""Check of stops: the joint of a hinge stop must rotate about the axis of the stop."""

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
    """Yield the faults of hinge stops whose joint does not rotate about the axis of the stop."""
    declared = {joint.name: joint for joint in scenario.joints}
    for stop in scenario.forces:
        if isinstance(stop, HingeStop) and stop.joint in declared:
            yield from turning(f"forces.{stop.name}", scenario, declared[stop.joint], stop.axis)


def turning(place: str, scenario: Scenario, joint: Joint, wanted: str = "") -> Iterator[Problem]:
    """Yield a fault if a joint does not rotate about exactly one axis, or if this axis is not `wanted`.

    `place`: path of the declaration, for the message. `wanted`: "x", "y" or "z". Default: any axis.
    """
    axes = {
        rows.rotations[0][0] for rows in map(rows_of, kinds_of(scenario, joint)) if len(rows.rotations) == 2
    }
    if len(axes) != 1:
        found = "rotates about different axes after a replacement" if axes else "never rotates about one axis"
        yield Problem(
            f"{place}.joint",
            f"joint '{joint.name}' {found}. Name a joint that is revolute or becomes revolute, or use an"
            " event with a quantity of the rotation",
        )
    elif wanted and axes != {"xyz".index(wanted)}:
        turns = "xyz"[axes.pop()]
        yield Problem(
            f"{place}.axis",
            f"joint '{joint.name}' rotates about {turns}, not {wanted}. Set axis = \"{turns}\"",
        )
