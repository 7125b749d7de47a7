"""Check devices that a position triggers: axes of hinges, joints of latches, and lugs of rails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...model.joint_rows import rows_of
from ...tree.errors import Problem
from ...tree.names import Names
from ..stops.checks import turning
from .declared import HingeRelease, Latch, Rail

if TYPE_CHECKING:
    from ...model.joint import Joint
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of the joints that latches, rails, and releasing hinges name.

    Joints that are not declared are skipped, because another check reports them.
    """
    declared = {joint.name: joint for joint in scenario.joints}
    for device in scenario.devices:
        place = f"devices.{device.name}"
        if isinstance(device, HingeRelease) and device.joint in declared:
            yield from turning(place, scenario, declared[device.joint])
        if isinstance(device, Latch) and device.joint in declared and not names.partial:
            yield from _waiting(place, scenario, declared[device.joint])
        if isinstance(device, Rail):
            yield from _running(place, [declared[name] for name in device.lugs if name in declared])


def _waiting(place: str, scenario: Scenario, joint: Joint) -> Iterator[Problem]:
    """Problems of joints that are always active, so that a latch cannot attach them."""
    actions = (*scenario.phases, *scenario.events)
    loose = {name for item in actions for name in item.release}
    loose |= {name for device in scenario.devices for name in device.released_joints}
    if joint.active and joint.name not in loose:
        text = f"joint '{joint.name}' is active from the start and never released, so the latch has no effect"
        remedy = "Set active = false for this joint, or release the joint before it latches"
        yield Problem(f"{place}.joint", f"{text}. {remedy}")


def _running(place: str, lugs: list[Joint]) -> Iterator[Problem]:
    """Problems of lugs that do not slide along the x axis of one parent."""
    if len({lug.parent for lug in lugs}) > 1:
        parents = ", ".join(sorted({lug.parent for lug in lugs}))
        yield Problem(
            f"{place}.lugs", f"the lugs have different parents ({parents}). Name lugs with the same parent"
        )
    for lug in lugs:
        rows = rows_of(lug)
        if 0 in rows.translations or rows.rod or rows.rolls:
            yield Problem(
                f"{place}.lugs",
                f"joint '{lug.name}' ({lug.kind}) does not slide along the x axis of the joint frame on its"
                ' parent. Use kind = "generalized" with locked = ["ty", "tz"], or "translational" or'
                ' "cylindrical" with axis = "x"',
            )
