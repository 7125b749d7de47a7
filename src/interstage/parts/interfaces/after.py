"""After a flight, mark interface loads that depend on redundant joints. The loads of redundant joints are
statically indeterminate for rigid bodies.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...observation.after import Flown


def add(flown: Flown) -> None:
    """Add a note to interface quantities that depend on redundant joints. A rule distributes the loads of
    redundant joints.

    Self-balanced loads of redundant joints sum to zero on each body. If all redundant joints between the two
    sides belong to the interface, these loads cancel in its resultant, and no note is needed.
    """
    meta, joints = flown.record.meta, flown.scenario.joints
    if not flown.shared:
        return
    ends = {joint.name: (joint.parent, joint.child) for joint in joints}
    for interface in flown.scenario.interfaces:
        own = [joint for joint in interface.joints if joint in flown.shared]
        others = [ends[joint] for joint in flown.shared if joint not in interface.joints]
        if own and _leads(*ends[own[0]], others):
            note = f"with redundant loads of {', '.join(own)}, distributed by a rule"
            spans = [meta[path].undetermined for joint in own for path in _loads_of(joint) if path in meta]
            when = "; ".join(dict.fromkeys(span for span in spans if span))
            stem = f"interfaces.{interface.name}."
            for path in [path for path in meta if path.startswith(stem)]:
                meta[path] = replace(meta[path], note=note, undetermined=when)


def _loads_of(joint: str) -> tuple[str, str]:
    return f"joints.{joint}.force", f"joints.{joint}.torque"


def _leads(start: str, end: str, links: list[tuple[str, str]]) -> bool:
    """Whether connections between bodies lead from start to end."""
    reached = {start}
    while more := {b for link in links if reached & set(link) for b in link} - reached:
        reached |= more
    return end in reached
