"""The structure of a scenario as the engine sees it: names as indices, rows and modes of joints; no
numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..formulations.catalogue import ENTRIES
from ..formulations.tree_order import TreeOrder, tree_order
from ..maths.connected import Connected
from ..model.constraint_rows import RowTable
from ..model.device_signals import caught, released
from ..model.joint import JointType
from ..model.joint_rows import JointRows, rows_of
from ..model.placement import placement_order
from ..model.sequence import Replacement
from ..parts.bushings.declared import BeamSpring, Bushing
from ..parts.contacts import law as contact_law
from ..parts.control.actuator import states as actuator_states
from ..parts.control.declared import signals
from ..parts.control.declared import states as law_states
from ..parts.given.declared import Force, Torque
from ..parts.propellant.engines import names
from ..parts.propellant.mass_properties import tanks as draining
from ..parts.springs.declared import Spring
from ..parts.torsion.declared import TorsionSpring
from ..tree.names import GROUND
from .contract import Part, present
from .device_layout import DeviceLayout

DENSE = 12
"""Up to this many rows dense elimination, written out entry by entry, is quicker than the one along the
tree."""
FREE = 0
"""Mode of a joint that holds nothing; mode 1 is the joint as declared, higher ones its replacements."""


@dataclass(frozen=True)
class Layout(DeviceLayout):
    """Indices of everything that the equations of a scenario address; see the properties for the meaning."""

    @cached_property
    def parts(self) -> Mapping[str, Part]:
        """The parts that the scenario has, by name."""
        return present(self)

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies in order."""
        return tuple(body.name for body in self.scenario.bodies)

    @cached_property
    def springs(self) -> tuple[Spring, ...]:
        """Springs along a line."""
        return tuple(f for f in self.scenario.forces if isinstance(f, Spring))

    @cached_property
    def torsions(self) -> tuple[TorsionSpring, ...]:
        """Springs about axes."""
        return tuple(f for f in self.scenario.forces if isinstance(f, TorsionSpring))

    @cached_property
    def frame_springs(self) -> tuple[Bushing | BeamSpring, ...]:
        """Bushings and beams."""
        return tuple(f for f in self.scenario.forces if isinstance(f, Bushing | BeamSpring))

    @cached_property
    def sliding(self) -> tuple[int, ...]:
        """Which of the bushings and beams are beams that slide in a guide."""
        return tuple(k for k, f in enumerate(self.frame_springs) if isinstance(f, BeamSpring) and f.slides)

    @cached_property
    def ground(self) -> bool:
        """Whether anything is attached to the ground."""
        springs = *self.springs, *self.torsions, *self.frame_springs
        return any(p.parent == GROUND for p in (*self.scenario.joints, *springs))

    @cached_property
    def count(self) -> int:
        """Number of bodies, without the ground."""
        return len(self.bodies)

    def body(self, name: str) -> int:
        """Index of a body; the ground is the last one."""
        return self.count if name == GROUND else self.bodies.index(name)

    def ends(self, pairs) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Body indices of the parents and of the children of attachments."""
        number = {name: k for k, name in enumerate((*self.bodies, GROUND))}
        return tuple(number[p.parent] for p in pairs), tuple(number[p.child] for p in pairs)

    @cached_property
    def declared_at(self) -> tuple[tuple[tuple[Any, ...], ...], ...]:
        """Addresses, for `declared`, of the joint type of each mode of each joint, from mode 1 on: the joint
        itself, then the types that replace it, in the order in which they are first named."""
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

    def declared(self, scenario: Any, joint: int, mode: int) -> JointType:
        """The type of a joint in a mode from 1 on, with the numbers of `scenario`, of this structure."""
        return self._at(self.declared_at[joint][mode - 1], scenario)

    @cached_property
    def hung(self) -> tuple[tuple[int, int], ...]:
        """(body, joint) of the bodies that are placed through joints, each after the one that it is placed
        from."""
        through, _ = placement_order(self.scenario.bodies, self.scenario.joints)
        bodies, joints = ({name: k for k, name in enumerate(names)} for names in (self.bodies, self.joints))
        return tuple((bodies[placed.body], joints[placed.joint]) for placed in through)

    @cached_property
    def modes(self) -> tuple[tuple[JointRows, ...], ...]:
        """Rows of each joint in each of its modes from 1 on."""
        return tuple(tuple(rows_of(self._at(a)) for a in places) for places in self.declared_at)

    def mode_of(self, new: Replacement) -> int:
        """The mode in which a replacement, of this very scenario, puts its joint."""
        j = self.joints.index(new.joint)
        if rows_of(new).own:
            return next(m for m, a in enumerate(self.declared_at[j], start=1) if self._at(a) is new)
        return self.modes[j].index(rows_of(new)) + 1

    @cached_property
    def _keys(self) -> tuple[tuple[Any, ...], ...]:
        """What each row stands for, for each group of rows; see `_keys_of`."""
        groups: tuple[dict[Any, None], ...] = ({}, {}, {}, {}, {}, {})
        for j, modes in enumerate(self.modes):
            for m, rows in enumerate(modes, start=1):
                for group, keys in zip(groups, _keys_of(j, m, rows), strict=True):
                    group.update(dict.fromkeys(keys))
        translations, *others = (tuple(group) for group in groups)
        return tuple(sorted(translations)), *others

    @cached_property
    def reachable(self) -> tuple[tuple[int, ...], ...]:
        """The modes in which each joint can ever be."""
        found = {joint.name: {1 if joint.active else FREE} for joint in self.scenario.joints}
        for actions in (*self.scenario.phases, *self.scenario.events):
            changes = [(name, FREE) for name in actions.release] + [(name, 1) for name in actions.attach]
            for name, mode in changes + [(new.joint, self.mode_of(new)) for new in actions.replace]:
                found[name].add(mode)
        for device in self.scenario.devices:
            for name in released(device):
                found[name].add(FREE)
            for name in caught(device):
                found[name].add(1)
        return tuple(tuple(sorted(found[name])) for name in self.joints)

    @cached_property
    def table(self) -> RowTable:
        """All rows that any joint has in any mode."""
        parent, child = self.ends(self.scenario.joints)
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
    def held(self) -> np.ndarray:
        """1 where a row is active when its joint is in a mode, (row, mode)."""
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
        """1 where a row is active, (joint, mode, row)."""
        active = np.zeros((len(self.joints), self.held.shape[1], self.table.count))
        active[self.table.joint, :, np.arange(self.table.count)] = self.held
        return active

    @cached_property
    def switching(self) -> bool:
        """Whether any row is ever inactive."""
        actions = (*self.scenario.phases, *self.scenario.events)
        waiting = any(not joint.active for joint in self.scenario.joints)
        acting = any(released(device) or caught(device) for device in self.scenario.devices)
        return waiting or acting or any(a.release or a.attach or a.replace for a in actions)

    @cached_property
    def loops(self) -> bool:
        """Whether the joints, held or not, form any loop; only then can rows repeat each other."""
        bodies = Connected()
        return not all(bodies.join(joint.parent, joint.child) for joint in self.scenario.joints)

    @cached_property
    def elimination(self) -> TreeOrder | None:
        """In which order rows are eliminated along the tree of bodies and joints; None for dense
        elimination."""
        way = getattr(self.scenario.solver.formulation, "elimination", "automatic")
        if way == "dense" or (way == "automatic" and self.table.count <= DENSE):
            return None
        joint = self.table.joint
        parent, child = (np.array(ends, int)[joint] for ends in (self.table.parent, self.table.child))
        return tree_order(parent, child, joint, self.count)

    @cached_property
    def capturing(self) -> bool:
        """Whether anything adds rows, which takes an impulse."""
        actions = (*self.scenario.phases, *self.scenario.events)
        return any(a.attach or a.replace for a in actions) or any(map(caught, self.scenario.devices))

    @cached_property
    def jolting(self) -> bool:
        """Whether joints ever bear impulses: of captures, or of devices as they let go."""
        return self.capturing or any(getattr(device, "kicks", False) for device in self.scenario.devices)

    @cached_property
    def driven(self) -> bool:
        """Whether any locked axis is driven."""
        return any(joint.driven is not None for joint in self.scenario.joints)

    @cached_property
    def prescribed(self) -> bool:
        """Whether any velocity is prescribed to be other than zero."""
        return any(joint.rates is not None for joint in self.scenario.joints)

    @cached_property
    def elements(self) -> tuple[tuple[int, int], ...]:
        """(body, place in it) of every element of a body's mass."""
        bodies = self.scenario.bodies
        return tuple((k, e) for k, body in enumerate(bodies) for e in range(len(body.elements)))

    @cached_property
    def tanks(self) -> tuple[tuple[int, int], ...]:
        """(body, place in it) of the elements that drain, whose propellant is part of the state."""
        bodies = self.scenario.bodies
        return tuple((k, e) for k, body in enumerate(bodies) for e in draining(body.elements))

    @cached_property
    def sloshing(self) -> tuple[tuple[int, int], ...]:
        """(body, place in it) of the elements with a slosh mass."""
        bodies = self.scenario.bodies
        return tuple((k, e) for k, e in self.elements if getattr(bodies[k].elements[e], "slosh", None))

    def element(self, name: str) -> tuple[int, int]:
        """(body, place in it) of an element by its full name, "stage.oxidizer"."""
        body, _, element = name.partition(".")
        k = self.bodies.index(body)
        return k, [e.name for e in self.scenario.bodies[k].elements].index(element)

    def tank(self, name: str) -> int:
        """Number of a tank by its full name, "stage.oxidizer"."""
        return self.tanks.index(self.element(name))

    def acting(self, load: Any, discrete: Any) -> Any:
        """1 while a load acts, 0 in phases that it does not name."""
        if load.phases is None or discrete is None:
            return 1.0
        names = [phase.name for phase in self.scenario.phases]
        return sum((discrete.phase == names.index(name)).astype(float) for name in load.phases)

    @cached_property
    def engines(self) -> tuple[str, ...]:
        """Names of the engines and motors in order."""
        return tuple(engine.name for engine in self.scenario.engines)

    @cached_property
    def feeds(self) -> tuple[tuple[str, ...], ...]:
        """Full names of the tanks that each engine draws from."""
        return tuple(names(engine).tanks for engine in self.scenario.engines)

    @cached_property
    def fed_over(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """(engine, joints) of the feeds from another body: the joints between the two bodies, some at
        least."""
        found = []
        for e, engine in enumerate(self.scenario.engines):
            for name in self.feeds[e]:
                both = {engine.body, name.partition(".")[0]}
                ends = ({joint.parent, joint.child} for joint in self.scenario.joints)
                between = tuple(j for j, pair in enumerate(ends) if pair == both)
                found += [(e, between)] if between and len(both) > 1 else []
        return tuple(dict.fromkeys(found))

    @cached_property
    def commands(self) -> tuple[str, ...]:
        """Names of the commands of the control laws that are sampled."""
        laws = [self.scenario.controls[k] for k in self.sampled]
        return tuple(name for law in laws for name in signals(law))

    @cached_property
    def sampled(self) -> tuple[int, ...]:
        """Numbers of the control laws with a sample period."""
        return tuple(k for k, law in enumerate(self.scenario.controls) if law.period is not None)

    @cached_property
    def extra(self) -> int:
        """Numbers in the state beyond those of the bodies: propellant in tanks, integrals of continuous
        control laws, states of actuators, losses of contacts, coordinates of slosh masses and their
        rates."""
        integrals = sum(law_states(law) for law in self.scenario.controls)
        actuators = sum(actuator_states(a) for a in self.scenario.actuators)
        return len(self.tanks) + integrals + actuators + self.losing + 6 * len(self.sloshing)

    @cached_property
    def contacts(self) -> tuple[contact_law.Form, ...]:
        """Contacts, as the engine sees them."""
        return contact_law.forms(self.scenario)

    @cached_property
    def touches(self) -> int:
        """Pairs of a point and a surface in all contacts."""
        return sum(form.pairs for form in self.contacts)

    @cached_property
    def losing(self) -> int:
        """Contacts whose losses are part of the state: all, or none with formulations that carry nothing
        but the bodies there."""
        choice = self.scenario.solver.formulation
        minimal = getattr(choice, "coordinates", "absolute") == "minimal"
        carries = ENTRIES[choice.kind].changing_mass and not minimal
        return len(self.scenario.contacts) if carries else 0

    @cached_property
    def loads(self) -> tuple[Force | Torque, ...]:
        """Given forces and torques."""
        return tuple(f for f in self.scenario.forces if isinstance(f, Force | Torque))


CONTACTS = 3
"""Place of the contacts among the groups of keys; each has three rows."""


def _keys_of(j: int, m: int, rows: JointRows) -> tuple[list[Any], ...]:
    """What the rows of joint j in mode m stand for, in the groups of a `RowTable`; joints that are replaced
    share rows that stand for the same. Rows with a number of their own end in the mode that has it, or 0."""
    own = m if rows.own else 0
    return (
        [(j, a) for a in rows.translations],
        [(j, own)] if rows.rod else [],
        [(j, b, a, own) for b, a in rows.rotations],
        [(j, own)] if rows.rolls else [],
        [(j, *speed) for speed in rows.speeds],
        [(j, *spin) for spin in rows.spins],
    )
