"""Structure of a scenario in the engine: indices of names, and rows and modes of joints. The structure
contains no values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..formulations.tree_order import TreeOrder, tree_order
from ..maths.connected import Connected
from ..model.constraint_rows import RowTable
from ..model.effect import signals
from ..model.joint import JointType
from ..model.joint_rows import JointRows, rows_of
from ..model.placement_order import placement_order
from ..model.sequence import Replacement
from ..tree.names import GROUND
from .contract import HasEvents, HasState, Impulsive, Part, present
from .flexible.bodies import FlexibleBodies
from .flexible.columns import Columns

if TYPE_CHECKING:
    from ..scenario import Scenario

DENSE = 12
"""Largest number of rows for which dense elimination is faster than elimination along the tree."""
K = TypeVar("K", bound=Part)
FREE = 0
"""Mode of a joint that constrains nothing. Mode 1 is the joint as declared; higher modes are its
replacements."""


@dataclass(frozen=True)
class Layout:
    """Indices of all items of a scenario in the arrays of the engine."""

    scenario: Scenario

    @cached_property
    def parts(self) -> Mapping[str, Any]:
        """Return the models that the scenario uses, by name."""
        return present(self)

    def having(self, kind: type[K]) -> tuple[K, ...]:
        """Return the models with the capability class `kind`, in their order."""
        return tuple(part for part in self.parts.values() if isinstance(part, kind))

    def items(self, name: str) -> tuple[Any, ...]:
        """Return the declared items of a model, or () if the scenario does not use the model."""
        return self.parts[name].items if name in self.parts else ()

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """Return the names of the bodies in order."""
        return tuple(body.name for body in self.scenario.bodies)

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """Return the names of the joints in order."""
        return tuple(joint.name for joint in self.scenario.joints)

    @cached_property
    def signals(self) -> tuple[str, ...]:
        """Return the names of the events of devices, in the order of the event table."""
        return signals(self.scenario.devices)

    @cached_property
    def first_signal(self) -> int:
        """Return the index of the first event of a device in the event table. In the table, events of devices
        follow the phases, the end of the flight and the parallel events.
        """
        return len(self.scenario.phases) + 1 + len(self.scenario.events)

    def moment(self, name: str) -> int:
        """Return the index of a phase or event in the event table, by its name."""
        return {**self.own_moments, **self.moments}[name]

    @cached_property
    def own_moments(self) -> Mapping[str, int]:
        """Return the indices of the events of devices in the event table, followed by the events of models,
        by name.
        """
        made = (name for part in self.having(HasEvents) for name in part.makes)
        return {name: self.first_signal + k for k, name in enumerate((*self.signals, *made))}

    @cached_property
    def moments(self) -> Mapping[str, int]:
        """Return the indices of the phases and events of the scenario in the event table, by name; "start" is
        0.

        In a later mission leg, the start of the flight is a stored event, if another item refers to it.
        """
        phases, events = self.scenario.phases, self.scenario.events
        numbers = {"start": 0} | {phase.name: k for k, phase in enumerate(phases)}
        return numbers | {event.name: len(phases) + 1 + k for k, event in enumerate(events)}

    @property
    def has_joints(self) -> bool:
        """Return whether bodies fly as rigid bodies, so that joints have loads."""
        return self.scenario.coordinates == "rigid"

    @property
    def pad(self) -> bool:
        """Return whether the bodies are held on the planet."""
        return self.scenario.coordinates == "held"

    @property
    def point(self) -> bool:
        """Return whether all bodies together fly as one point mass."""
        return self.scenario.coordinates == "point"

    @cached_property
    def ground(self) -> bool:
        """Return whether any joint, force or device is attached to the ground."""
        attached = (*self.scenario.joints, *self.scenario.forces, *self.scenario.devices)
        return any(getattr(one, "parent", None) == GROUND for one in attached)

    @cached_property
    def count(self) -> int:
        """Return the number of bodies, without the ground."""
        return len(self.bodies)

    def body(self, name: str) -> int:
        """Return the index of a body by its name. The ground has the index after the last body."""
        return self.count if name == GROUND else self.bodies.index(name)

    @cached_property
    def flexible(self) -> FlexibleBodies:
        """Return the model of all flexible bodies; it has no items if the scenario has none."""
        return next(iter(self.having(FlexibleBodies)), FlexibleBodies(self))

    @cached_property
    def columns(self) -> Columns:
        """Return the columns of arrays of motion and loads: bodies, ground, and attachment nodes of flexible
        bodies.
        """
        return Columns(self)

    @cached_property
    def declared_at(self) -> tuple[tuple[tuple[Any, ...], ...], ...]:
        """Return the addresses in the scenario of the joint types of each joint, one for each mode from mode
        1.

        Mode 1 is the joint as declared. The other modes are the types that replace it, in the order of their
        declaration.
        """
        found: dict[str, list[Any]] = {
            joint.name: [("joints", j)] for j, joint in enumerate(self.scenario.joints)
        }
        for group in ("phases", "events"):
            for k, actions in enumerate(getattr(self.scenario, group)):
                for n, new in enumerate(actions.replace):
                    # An unknown name is the scenario check's to refuse, which asks for quantities too.
                    known, rows = found.get(new.joint, []), rows_of(new)
                    if known and (rows.own or all(rows_of(self._at(a)) != rows for a in known)):
                        known.append((group, k, "replace", n))
        return tuple(tuple(found[name]) for name in self.joints)

    def _at(self, address: tuple[Any, ...], scenario: Any = None) -> Any:
        node: Any = self.scenario if scenario is None else scenario
        for step in address:
            node = node[step] if isinstance(step, int) else getattr(node, step)
        return node

    def joint_type(self, scenario: Any, joint: int, mode: int) -> JointType:
        """Return the type of a joint in a mode (first mode: 1), with the values of `scenario`.

        The scenario must have the structure of this layout."""
        return self._at(self.declared_at[joint][mode - 1], scenario)

    @cached_property
    def child_bodies(self) -> tuple[tuple[int, int], ...]:
        """Return pairs (body, joint) of indices for all bodies that are placed through joints. Each body
        follows the body from which it is placed.
        """
        through, _ = placement_order(self.scenario.bodies, self.scenario.joints)
        bodies, joints = ({name: k for k, name in enumerate(names)} for names in (self.bodies, self.joints))
        return tuple((bodies[placed.body], joints[placed.joint]) for placed in through)

    @cached_property
    def modes(self) -> tuple[tuple[JointRows, ...], ...]:
        """Return the constraint rows of each joint in each of its modes, from mode 1."""
        return tuple(tuple(rows_of(self._at(a)) for a in places) for places in self.declared_at)

    def mode_of(self, new: Replacement) -> int:
        """Return the mode of a joint after the replacement `new` of this scenario."""
        j = self.joints.index(new.joint)
        if rows_of(new).own:
            return next(m for m, a in enumerate(self.declared_at[j], start=1) if self._at(a) is new)
        return self.modes[j].index(rows_of(new)) + 1

    @cached_property
    def _keys(self) -> tuple[tuple[Any, ...], ...]:
        """The constraint of each row, for each group of rows; see `_keys_of`."""
        groups: tuple[dict[Any, None], ...] = ({}, {}, {}, {}, {}, {})
        for j, modes in enumerate(self.modes):
            for m, rows in enumerate(modes, start=1):
                for group, keys in zip(groups, _keys_of(j, m, rows), strict=True):
                    group.update(dict.fromkeys(keys))
        translations, *others = (tuple(group) for group in groups)
        return tuple(sorted(translations)), *others

    @cached_property
    def reachable(self) -> tuple[tuple[int, ...], ...]:
        """Return the modes that each joint can have during the flight."""
        found = {joint.name: {1 if joint.active else FREE} for joint in self.scenario.joints}
        for actions in (*self.scenario.phases, *self.scenario.events):
            changes = [(name, FREE) for name in actions.release] + [(name, 1) for name in actions.attach]
            for name, mode in changes + [(new.joint, self.mode_of(new)) for new in actions.replace]:
                found[name].add(mode)
        for device in self.scenario.devices:
            for name in device.released_joints:
                found[name].add(FREE)
            for name in device.caught_joints:
                found[name].add(1)
        return tuple(tuple(sorted(found[name])) for name in self.joints)

    @cached_property
    def table(self) -> RowTable:
        """Return the table of the rows of all joints in all modes."""
        parent, child = self.columns.ends(self.scenario.joints)
        translations, rods, rotations, contacts, speeds, spins = self._keys
        modes = [0] * len(translations) + [key[-1] for key in (*rods, *rotations, *contacts * 3)]
        return RowTable(
            parent=parent,
            child=child,
            translations=translations,
            rods=tuple(j for j, _ in rods),
            rotations=tuple(key[:3] for key in rotations),
            contacts=tuple(j for j, _ in contacts),
            speeds=speeds,
            spins=spins,
            modes=(*modes, *[0] * (len(speeds) + len(spins))),
        )

    @cached_property
    def active_by_mode(self) -> np.ndarray:
        """Return 1 for rows that are active in a mode of their joint, else 0 (row, mode)."""
        most = max((len(modes) for modes in self.modes), default=0)
        found = np.zeros((self.table.count, most + 1))
        first, places = 0, []
        for g, keys in enumerate(self._keys):
            strands = 3 if g == CONTACTS else 1
            numbers = first + np.arange(strands * len(keys)).reshape(strands, len(keys))
            places.append(dict(zip(keys, numbers.T, strict=True)))
            first += strands * len(keys)
        for j, modes in enumerate(self.modes):
            for m, rows in enumerate(modes, start=1):
                for place, keys in zip(places, _keys_of(j, m, rows), strict=True):
                    for key in keys:
                        found[place[key], m] = 1.0
        return found

    @cached_property
    def active(self) -> np.ndarray:
        """Return 1 for rows of a joint that are active in a mode, else 0 (joint, mode, row)."""
        active = np.zeros((len(self.joints), self.active_by_mode.shape[1], self.table.count))
        active[self.table.joint, :, np.arange(self.table.count)] = self.active_by_mode
        return active

    @cached_property
    def switching(self) -> bool:
        """Return whether any row is inactive at some time."""
        actions = (*self.scenario.phases, *self.scenario.events)
        waiting = any(not joint.active for joint in self.scenario.joints)
        acting = any(device.released_joints or device.caught_joints for device in self.scenario.devices)
        return waiting or acting or any(a.release or a.attach or a.replace for a in actions)

    @cached_property
    def loops(self) -> bool:
        """Return whether the joints, active or inactive, form a closed loop. Rows can be redundant only in
        this case.
        """
        bodies = Connected()
        return not all(bodies.join(joint.parent, joint.child) for joint in self.scenario.joints)

    @cached_property
    def elimination(self) -> TreeOrder | None:
        """Return the order for eliminating constraint rows along the tree of bodies and joints.

        None selects dense elimination. Dense elimination is also used if constraint rows act on flexible
        modes."""
        way = getattr(self.scenario.solver.formulation, "elimination", "automatic")
        small = way == "automatic" and self.table.count <= DENSE
        if way == "dense" or small or self.columns.joints_at_nodes:
            return None
        joint = self.table.joint
        parent, child = (np.array(ends, int)[joint] for ends in (self.table.parent, self.table.child))
        return tree_order(parent, child, joint, self.count)

    @cached_property
    def capturing(self) -> bool:
        """Return whether any event adds rows. An event that adds rows applies an impulse."""
        actions = (*self.scenario.phases, *self.scenario.events)
        catching = any(device.caught_joints for device in self.scenario.devices)
        return catching or any(a.attach or a.replace for a in actions)

    @cached_property
    def jolting(self) -> bool:
        """Return whether joints ever transmit impulses: from captures, or from models that apply impulses."""
        return self.capturing or any(part.applies_impulses for part in self.having(Impulsive))

    @cached_property
    def driven(self) -> bool:
        """Return whether any locked axis has a prescribed motion."""
        return any(joint.driven is not None for joint in self.scenario.joints)

    @cached_property
    def prescribes_motion(self) -> bool:
        """Return whether any joint has prescribed velocities."""
        return any(joint.rates is not None for joint in self.scenario.joints)

    def acting(self, load: Any, discrete: Any) -> Any:
        """Return 1 while a load acts, and 0 in phases in which it is inactive (*cases)."""
        if load.phases is None:
            return 1.0
        names = [phase.name for phase in self.scenario.phases]
        return sum((discrete.phase == names.index(name)).astype(float) for name in load.phases)

    @cached_property
    def places(self) -> Mapping[str, tuple[int, int]]:
        """Return (first index, number) of the states of each model, by name. Index 0 follows the states of
        the bodies.
        """
        found, first = {}, 0
        for name, part in self.parts.items():
            count = part.states if isinstance(part, HasState) else 0
            found[name] = first, count
            first += count
        return found

    @property
    def extra(self) -> int:
        """Return the number of states of all models."""
        return sum(count for _, count in self.places.values())


CONTACTS = 3
"""Index of the rolling contacts in the list of row groups. Each contact has three rows."""


def _keys_of(j: int, m: int, rows: JointRows) -> tuple[list[Any], ...]:
    """Keys of the rows of joint j in mode m, in the groups of a `RowTable`. Rows of a replaced joint with the
    same constraint have the same key. A key ends in the mode that declares its length, angle or radius, or in
    0."""
    own = m if rows.own else 0
    return (
        [(j, a) for a in rows.translations],
        [(j, own)] if rows.rod else [],
        [(j, b, a, own) for b, a in rows.rotations],
        [(j, own)] if rows.rolls else [],
        [(j, *speed) for speed in rows.speeds],
        [(j, *spin) for spin in rows.spins],
    )
