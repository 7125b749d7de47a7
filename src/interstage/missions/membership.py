"""Determine which bodies, joints and effects of the scenario belong to a leg."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..model.dependents import words_of
from ..model.effect import Effect
from .names import EFFECTS, UNREAD

if TYPE_CHECKING:
    from .leg import MissionLeg


def members_of(leg: MissionLeg) -> Mapping[str, tuple[Any, ...]]:
    """Return the declarations of the bodies, joints and effects that belong to a leg, by group of the
    scenario.

    A leg omits these items:

    - items that refer to a missing body, joint or effect,
    - items that act only in phases of other legs,
    - items that the key `without` names.

    Exception: a control law remains in the leg if another item reads its command.
    """
    scenario, own = leg.mission.scenario, leg.declaration
    bodies, joints, phases = leg.bodies, leg.joints, {*leg.phase_names}
    kept: dict[str, tuple[Any, ...]] = {
        "bodies": tuple(body for body in scenario.bodies if body.name in bodies),
        "joints": tuple(joint for joint in scenario.joints if joint.name in joints),
    }
    for group in EFFECTS:
        kept[group] = tuple(
            item
            for item in getattr(scenario, group)
            if f"{group}.{item.name}" not in own.without and (group == "controls" or _acts(item, phases))
        )
    words = {id(item): _depends(item) for group in EFFECTS for item in kept[group]}
    everything = [item.name for group in ("bodies", "joints", *EFFECTS) for item in getattr(scenario, group)]
    while True:
        gone = {*everything} - {item.name for items in kept.values() for item in items}
        stays = {g: tuple(item for item in kept[g] if not words[id(item)] & gone) for g in EFFECTS}
        if all(len(stays[group]) == len(kept[group]) for group in EFFECTS):
            return kept | {"controls": _steering(kept, words, phases)}
        kept |= stays


def _steering(kept: Mapping[str, tuple[Any, ...]], words: Mapping[int, set[str]], phases: set[str]) -> Any:
    """Control laws that act in some phases, or whose command is read. An inactive law has a command too."""
    every = [item for group in EFFECTS for item in kept[group]]
    return tuple(
        law
        for law in kept["controls"]
        if _acts(law, phases) or any(law.name in words[id(item)] for item in every if item is not law)
    )


def _acts(item: Any, phases: set[str]) -> bool:
    """Whether an item acts in any of some phases."""
    named = getattr(item, "phases", None)
    return named is None or bool(phases & {*named})


def _depends(item: Any) -> set[str]:
    """Names in an effect, except names of events, which may be of other legs."""
    moments = item.moment_fields if isinstance(item, Effect) else ()
    return words_of(item, (*UNREAD, *moments))
