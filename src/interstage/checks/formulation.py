"""Check that the formulation asked for admits what the scenario has, by the catalogue of formulations.

Rows that repeat each other depend on numbers; they are looked for at the start of a flight, by `redundancy`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..maths.connected import Connected
from ..model.effect import not_rigid
from ..model.joint_rows import rows_of
from ..model.sequence import kinds_of
from ..scenario import GROUPS
from ..tree.errors import Problem

if TYPE_CHECKING:
    from ..model.joint import JointType
    from ..scenario import Scenario

DEFAULT = "lagrange_multiplier"
YIELDING = "joints of flexible bodies"
CHANGING = "masses that change, and states beyond the motion of the bodies"


def formulation_problems(scenario: Scenario) -> Iterator[Problem]:
    """One problem for each thing that the scenario has and its formulation does not admit."""
    kind = scenario.solver.formulation.kind
    if getattr(scenario.solver.formulation, "elimination", "") == "tree" and _yielding(scenario):
        text = f"'tree' does not go with {YIELDING} ({', '.join(_yielding(scenario))})"
        yield Problem("solver.formulation.elimination", f"{text}; leave it out, or take 'dense'")
    if kind == DEFAULT:
        return  # admits everything; the catalogue comes with the engine and is not imported for nothing
    from ..formulations.catalogue import ENTRIES

    changing = _changing(scenario)
    if getattr(scenario.solver.formulation, "coordinates", "absolute") == "minimal" and changing:
        text = f"minimal coordinates do not go with {CHANGING} ({', '.join(changing)})"
        yield Problem("solver.formulation.coordinates", f'{text}; take coordinates = "absolute"')
    present = {what: found for what, found in features(scenario).items() if found[1]}
    fit = [name for name, entry in ENTRIES.items() if all(getattr(entry, what) for what in present)]
    for what, (words, joints) in present.items():
        if not getattr(ENTRIES[kind], what):
            text = f"'{kind}' does not admit {words} ({', '.join(joints)}); take one that does:"
            yield Problem("solver.formulation", f"{text} {', '.join(fit)}")


def features(scenario: Scenario) -> dict[str, tuple[str, list[str]]]:
    """What a formulation may not admit, by field of the catalogue: (in words, names or paths)."""
    joints = scenario.joints
    changed = _changed(scenario)
    return {
        "loops": ("joints that close a loop", _closing(scenario)),
        "nonholonomic": (
            "joints that hold velocities",
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
    """What has numbers in the state beyond those of the bodies, or changes these, by path: bodies with
    elements, laws with an integral, what lags behind, devices of packages of parts, and the like."""
    return [
        f"{group}.{item.name}"
        for group in GROUPS
        for item in getattr(scenario, group)
        if getattr(item, "changing", False)
    ]


def _yielding(scenario: Scenario) -> list[str]:
    """Joints that hold bodies which are not rigid."""
    bodies = not_rigid(scenario)
    return [joint.name for joint in scenario.joints if bodies & {joint.parent, joint.child}]


def _closing(scenario: Scenario) -> list[str]:
    """Joints, held or not, that connect bodies which those before them connect already."""
    bodies = Connected()
    return [joint.name for joint in scenario.joints if not bodies.join(joint.parent, joint.child)]


def _holds_velocities(joint: JointType) -> bool:
    rows = rows_of(joint)
    return bool(rows.speeds or rows.spins or rows.rolls)


def _changed(scenario: Scenario) -> set[str]:
    """Names of the joints that do not hold in the same way throughout."""
    found = {joint.name for joint in scenario.joints if not joint.active}
    for actions in (*scenario.phases, *scenario.events):
        found |= {*actions.release, *actions.attach, *(new.joint for new in actions.replace)}
    return found.union(*((*device.released, *device.caught) for device in scenario.devices))
