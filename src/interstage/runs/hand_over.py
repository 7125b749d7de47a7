"""Compute the initial state of a mission leg from the final state of the preceding leg.

Bodies, joints and models of both legs are matched by their names.
"""

from __future__ import annotations

from collections.abc import Hashable
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from ..engine.by_name import by_name
from ..engine.contract import HasReference, HasState, HasSwitches, Kept, Persistent
from ..engine.event_table import EventTable
from ..engine.layout import FREE, Layout
from ..engine.mechanism import Mechanism
from ..engine.state import Discrete, Reference
from ..engine.switches import active_rows, upright
from ..maths.arrays import jnp
from ..starts.events import START
from ..starts.run_start import RunStart
from ..starts.start import first_switches, joint_poses, lengths

OWN = ("end", "limit")
"""Kinds of events that belong to a single leg. All other events keep their names and times in the next
leg.
"""
UNKNOWN = -1
"""Number for a joint mode of the preceding leg that the next leg does not have."""


class Side(NamedTuple):
    """Leg before or after a transition.

    - mechanism: equations of motion with the values of the leg's scenario.
    - table: event table of the leg.
    """

    mechanism: Mechanism
    table: EventTable

    @property
    def layout(self) -> Layout:
        """Return the layout of the leg: its bodies, joints and models."""
        return self.mechanism.layout


def hand_over(leg_from: Side, leg_to: Side, t: Any, x: Any, discrete: Discrete) -> RunStart:
    """Return the initial state of a leg from the final state of the preceding leg.

    - leg_from, leg_to: preceding leg and next leg.
    - t: time of the transition [s] (*cases).
    - x: final state of the preceding leg (n, *cases).
    - discrete: states of its switches and events after its last event.

    Items with the same name in both legs continue with exactly the same state. The other items of the next
    leg start as in a separate flight. The function does not branch on numeric values. The function can be
    used with NumPy, with cases and in a compiled program, and its derivatives are exact.
    """
    to = copy(leg_to.mechanism)
    first = first_switches(to, leg_to.table, np.shape(t), t)
    found = _switches(leg_from, leg_to, discrete, first)
    kept = _switches_of_parts(leg_from.mechanism, to, x, discrete, found)
    own = {part.name: kept[part.name].switches for part in to.layout.having(HasSwitches)}
    found = found._replace(own=own)
    states = {name: each.state for name, each in kept.items()}
    x = to.with_own(_state_of_bodies(leg_from.mechanism, to, x), states, "continue_from")
    to.settled = _references(leg_from.mechanism, to.at(x, found), t, x, found)
    return RunStart(t, _with_new_numbers(leg_from.layout, to, t, x, found), found, to.settled)


def torn(old: Layout, new: Layout, mode: Any) -> tuple[str, ...]:
    """Return the joints that constrain a body of the next leg, but that the next leg does not contain.

    - old, new: layouts of the preceding leg and of the next leg.
    - mode: modes of the joints of the preceding leg (joint, ...).
    """
    bodies = {*new.bodies}
    return tuple(
        joint.name
        for joint, now in zip(old.scenario.joints, np.asarray(mode), strict=True)
        if {joint.parent, joint.child} & bodies and joint.name not in new.joints and np.any(now != FREE)
    )


# --- bodies, and what parts keep


def _state_of_bodies(old: Mechanism, to: Mechanism, x: Any) -> Any:
    """The state of the bodies that go on, nothing behind it. Where only the leg that begins has something on
    the ground, offsets are from the inertial origin."""
    *motion, origin, speed = old.split(x)
    names = to.layout.bodies, old.layout.bodies
    r, v, q, w = (by_name(*names, part, part[:, :0], 1) for part in motion)
    if to.layout.ground and not old.layout.ground:
        r, v, origin, speed = r + origin[:, None], v + speed[:, None], 0 * origin, 0 * speed
    return to.pack(r, v, q, w, origin, speed)


def _switches_of_parts(
    old: Mechanism, to: Mechanism, x: Any, before: Discrete, first: Discrete
) -> dict[str, Kept]:
    """What the parts of the leg that begins keep. first: its switches, those of parts as at a start."""
    found = {}
    for part in to.layout.having(Persistent):
        name, lanes = part.name, first.over.shape
        state = part.initial_states(to, first, lanes) if isinstance(part, HasState) else np.zeros((0, *lanes))
        fresh = Kept(state, first.own.get(name))
        earlier = old.parts.get(name)
        if isinstance(earlier, Persistent):
            mine = Kept(old.own(name, x), before.own.get(name))
            found[name] = part.continue_from(earlier, mine, fresh, before)
        else:
            found[name] = fresh
    return found


def _with_new_numbers(old: Layout, to: Mechanism, t: Any, x: Any, discrete: Discrete) -> Any:
    """The state with what follows from it of numbers that the leg before had not."""
    found = {}
    for part in to.layout.having(HasState):
        name = part.name
        known = old.parts[name].labels if name in old.parts else ()
        new = [label not in known for label in part.labels]
        begun = part.consistent_states(to.here(t, x, discrete)) if any(new) else None
        if begun is not None:
            own = to.own(name, x)
            found[name] = jnp.where(upright(new, own), begun, own)
    return to.with_own(x, found, "consistent_states")


# --- events and joints


def _switches(leg_from: Side, leg_to: Side, before: Discrete, first: Discrete) -> Discrete:
    """The switches but for those of parts, which are as in `first`."""
    old, new = leg_from.layout, leg_to.layout
    mode = by_name(new.joints, old.joints, _modes(old, new, before.mode), first.mode)
    frame, offset = first.child_frame, first.offset
    if frame is not None and before.child_frame is not None:
        frame = by_name(new.joints, old.joints, before.child_frame, frame, 2)
        offset = by_name(_rows(new), _rows(old), before.offset, offset)
    # The start of a mission is the first moment of its first leg.
    came = [*(event.name for event in leg_from.table.events), START]
    of_flight = came.index(START)
    of_flight = 0 if of_flight == len(came) - 1 else of_flight
    fired, times = (
        by_name(_known(leg_to.table), came, jnp.concatenate([rows, rows[of_flight : of_flight + 1]]), own)
        for rows, own in ((before.fired, first.fired), (before.event_time, first.event_time))
    )
    active = active_rows(new, mode)
    return first._replace(
        fired=fired, event_time=times, mode=mode, active=active, child_frame=frame, offset=offset
    )


def _known(table: EventTable) -> list[Hashable]:
    """Names of the events of a leg that may have come before it, and numbers of the others."""
    every = enumerate(table.events)
    return [k if event.kind in OWN else event.name for k, event in every]


def _modes(old: Layout, new: Layout, mode: Any) -> Any:
    """The modes of the joints of the leg before, numbered as in the leg that begins."""
    numbers = np.zeros((len(old.joints), 1 + max(map(len, old.modes), default=0)), int)
    for j, name in enumerate(old.joints):
        if name in new.joints:
            known = _kinds(new, new.joints.index(name))
            for m, kind in enumerate(_kinds(old, j), start=1):
                numbers[j, m] = 1 + known.index(kind) if kind in known else UNKNOWN
    return sum(upright(numbers[:, m], mode) * (mode == m) for m in range(numbers.shape[1]))


def _kinds(layout: Layout, joint: int) -> list[Hashable]:
    """Keys of the modes of a joint from 1 on, the same in any leg: as declared, or by the rows of its
    replacement. A replacement with numbers of its own is identified by the event of the replacement."""
    found: list[Hashable] = ["declared"]
    for (group, number, *_), rows in zip(layout.declared_at[joint][1:], layout.modes[joint][1:], strict=True):
        found.append(getattr(layout.scenario, group)[number].name if rows.own else rows)
    return found


def _rows(layout: Layout) -> list[tuple[Hashable, ...]]:
    """Keys of each row, the same in any leg: its joint, the direction that it holds, and the mode that has
    its number."""
    table = layout.table
    kinds = [["any", *_kinds(layout, j)] for j in range(len(layout.joints))]
    every = zip(table.joint.tolist(), table.holds, table.modes, strict=True)
    return [(layout.joints[j], *what, kinds[j][mode]) for j, what, mode in every]


# --- references


def _references(old: Mechanism, now: Mechanism, t: Any, x: Any, discrete: Discrete) -> Reference:
    """What was settled in the leg before. now: the leg that begins, with the masses that bodies have."""
    before, first = old.reference, lengths(now, x, np.shape(t))
    rods, known = ([row for row in _rows(m.layout) if row[1] == "rod"] for m in (now, old))
    own = dict(first.own)
    for part in now.layout.having(HasReference):
        if (name := part.name) in old.parts:
            own[name] = part.continue_reference(old.parts[name], before.own[name], first.own[name])
    found = first._replace(rod_length=by_name(rods, known, before.rod_length, first.rod_length), own=own)
    if {*now.layout.joints} - {*old.layout.joints}:
        found = joint_poses(now, t, x, found, discrete)
    joints = now.layout.joints, old.layout.joints
    bodies = now.layout.bodies, old.layout.bodies
    place, azimuth = before.start_place, before.start_azimuth
    return found._replace(
        displacement=by_name(*joints, before.displacement, found.displacement, 1),
        turn=by_name(*joints, before.turn, found.turn, 2),
        start_place=None if place is None else by_name(*bodies, place, place[:, :0], 1),
        start_azimuth=None if azimuth is None else by_name(*bodies, azimuth, azimuth[:0]),
    )
