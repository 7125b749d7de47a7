"""Check whether the selected formulation supports the scenario, by its entry in the catalogue.

Redundant constraints depend on numeric values; `redundancy` finds them at the start of a flight.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..maths.connected import Connected
from ..model.flexible import not_rigid
from ..model.joint_rows import rows_of
from ..model.sequence import kinds_of
from ..scenario import GROUPS
from ..tree.errors import Problem

if TYPE_CHECKING:
    from ..model.joint import JointType
    from ..scenario import Scenario

DEFAULT = "lagrange_multiplier"
YIELDING = "joints of flexible bodies"
CHANGING = "variable masses and states other than body motion"


def formulation_problems(scenario: Scenario) -> Iterator[Problem]:
    """Yield a problem for each feature of the scenario that its formulation does not support."""
    kind = scenario.solver.formulation.kind
    if getattr(scenario.solver.formulation, "elimination", "") == "tree" and _yielding(scenario):
        text = f"the elimination 'tree' does not support {YIELDING} ({', '.join(_yielding(scenario))})"
        yield Problem(
            "solver.formulation.elimination", f'{text}. Remove elimination, or set elimination = "dense"'
        )
    if kind == DEFAULT:
        return  # supports all features; avoids the import of the engine
    from ..formulations.catalogue import ENTRIES

    changing = _changing(scenario)
    if getattr(scenario.solver.formulation, "coordinates", "absolute") == "minimal" and changing:
        text = f"minimal coordinates do not support {CHANGING} ({', '.join(changing)})"
        yield Problem("solver.formulation.coordinates", f'{text}. Set coordinates = "absolute"')
    present = {what: found for what, found in features(scenario).items() if found[1]}
    fit = [name for name, entry in ENTRIES.items() if all(getattr(entry, what) for what in present)]
    for what, (words, joints) in present.items():
        if not getattr(ENTRIES[kind], what):
            text = f"the formulation '{kind}' does not support {words} ({', '.join(joints)}). Allowed here:"
            yield Problem("solver.formulation", f"{text} {', '.join(fit)}")


def features(scenario: Scenario) -> dict[str, tuple[str, list[str]]]:
    """Return (description, names or paths) of the scenario features that need support, by field of the
    catalogue.
    """
    joints = scenario.joints
    changed = _changing_joints(scenario)
    return {
        "loops": ("joints that close a loop", _closing(scenario)),
        "nonholonomic": (
            "nonholonomic joints",
            [joint.name for joint in joints if any(map(_holds_velocities, kinds_of(scenario, joint)))],
        ),
        "driven": ("driven joints", [joint.name for joint in joints if joint.driven is not None]),
        "topology": (
            "joints that are released, attached or replaced",
            [joint.name for joint in joints if joint.name in changed],
        ),
        "changing_mass": (CHANGING, _changing(scenario)),
        "yielding": (YIELDING, _yielding(scenario)),
    }


def _changing(scenario: Scenario) -> list[str]:
    """Paths of items with states of their own or with variable mass: bodies with mass items, laws with an
    integral or a lag, devices of other packages and similar items."""
    return [
        f"{group}.{item.name}"
        for group in GROUPS
        for item in getattr(scenario, group)
        if getattr(item, "changing", False)
    ]


def _yielding(scenario: Scenario) -> list[str]:
    """Joints of flexible bodies."""
    bodies = not_rigid(scenario)
    return [joint.name for joint in scenario.joints if bodies & {joint.parent, joint.child}]


def _closing(scenario: Scenario) -> list[str]:
    """Joints, active or not, between bodies that earlier joints already connect."""
    bodies = Connected()
    return [joint.name for joint in scenario.joints if not bodies.join(joint.parent, joint.child)]


def _holds_velocities(joint: JointType) -> bool:
    rows = rows_of(joint)
    return bool(rows.speeds or rows.spins or rows.rolls)


def _changing_joints(scenario: Scenario) -> set[str]:
    """Names of the joints whose constraints change during the flight."""
    found = {joint.name for joint in scenario.joints if not joint.active}
    for actions in (*scenario.phases, *scenario.events):
        found |= {*actions.release, *actions.attach, *(new.joint for new in actions.replace)}
    return found.union(*((*device.released_joints, *device.caught_joints) for device in scenario.devices))
