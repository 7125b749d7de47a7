"""Model of pushers and umbilicals in a flight: lines of action, travels, forces and gas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial, reduce
from operator import and_
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ...engine.by_name import by_name, of_items
from ...engine.contract import (
    Break,
    ChecksStart,
    Fired,
    HasEvents,
    HasReference,
    Kept,
    Makers,
    Part,
    Persistent,
    Stacked,
    Tabulated,
)
from ...engine.event_table import Condition, EventTable, actions_of, after_firings
from ...engine.lines_of_action import Lines, example_axis
from ...engine.lines_of_action import lines as lines_between
from ...engine.numbers import arms
from ...engine.stacks import Ends, ends, stack_items
from ...engine.state import origin_of
from ...engine.switches import among
from ...maths import interpolation
from ...maths.arrays import jax, jnp
from ...maths.vectors import add_axes, norm, rotate_back
from ...model import attachments
from ...model.attachments import Motion, Pairs, pick
from ...tree.errors import Problem
from ..springs import law as springs
from . import law as pusher_law
from .declared import GasChamber, PneumaticPusher, Pusher
from .law import Gas, Progress
from .quantities import pusher_quantities

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete


class Pushes(NamedTuple):
    """Forces, travels and gas of all pushers at one time. Arrays are (pusher, *cases) if not stated
    otherwise.

    - line: lines of action.
    - force: forces on the child bodies along the lines [N], positive away from the parent.
    - power: sum of the power on both bodies [W].
    - travel: travels [m].
    - gas: gas of the chambers (chamber, *cases).
    - share (6, body, *cases): loads on the bodies."""

    line: springs.LineState
    force: jax.Array
    power: jax.Array
    travel: jax.Array
    gas: Gas
    share: jax.Array


class Actions(NamedTuple):
    """Indices of pushers that change at an event.

    - starts: pushers that are fired. Without a delay, the pushers begin to push at once.
    - begins: pushers that begin to push.
    - spends: pushers that reach the end of the stroke."""

    starts: tuple[int, ...] = ()
    begins: tuple[int, ...] = ()
    spends: tuple[int, ...] = ()


class Switches(NamedTuple):
    """Discrete states of pushers.

    - `pushing` (pusher, *cases): 1 while the pusher pushes, otherwise 0.
    - `stretched` (pusher, *cases) [m]: length at the firing minus length at the start.
    - `begun` (pusher, *cases) [s]: time at which the push begins; inf before that time.
    - `filled` (2, chamber, *cases): `law.Filled` as an array. None if every gas-driven piston pushes from the
      start."""

    pushing: jax.Array
    stretched: jax.Array
    begun: jax.Array
    filled: jax.Array | None


class Settled(NamedTuple):
    """Reference values of the pushers in the initial pose.

    - length [m], force [N] (pusher, *cases): installed length, and spring force at this length without
      friction and gas.
    - plate (3, pusher, *cases): unit normal of the plate on which each rod tip slides, in the structural axes
      of the child body. None if no rod tip slides.
    """

    length: jax.Array
    force: jax.Array
    plate: jax.Array | None


class Own(NamedTuple):
    """Prepared numbers of the pushers.

    - given: declared numbers.
    - ends: points of application in structural coordinates.
    - arm_a, arm_b (3, pusher) [m]: vectors from the centres of mass of parent and child to the points of
      application."""

    given: pusher_law.Given
    ends: Ends
    arm_a: Any = None
    arm_b: Any = None


class Pushers(Stacked, HasEvents, HasReference, ChecksStart, Tabulated):
    """Model of all pushers in a flight. The class `Pushes` describes its results."""

    name = "pushers"
    group = "devices"
    kinds = (Pusher,)

    # --- structure

    @cached_property
    def chambers(self) -> tuple[GasChamber | PneumaticPusher, ...]:
        """Declarations of shared gas chambers and of pushers with their own gas, in the order of the
        devices."""
        return self.chambers_of(self.layout.scenario)

    def chambers_of(self, scenario: Any) -> tuple[Any, ...]:
        """Return the declarations of `chambers` in another scenario with the same structure and other
        numbers."""
        return tuple(d for d in scenario.devices if isinstance(d, GasChamber | PneumaticPusher))

    @cached_property
    def form(self) -> pusher_law.Form:
        """Properties of the pushers that do not depend on numbers."""
        return pusher_law.form(self.items, self.chambers)

    @cached_property
    def waiting(self) -> tuple[bool, ...]:
        """For each pusher, true if it is inactive until it is fired."""
        actions = (*self.layout.scenario.phases, *self.layout.scenario.events)
        fired = {name for item in actions for name in item.fire}
        return tuple(p.name in fired or getattr(p, "after", None) is not None for p in self.items)

    @cached_property
    def late_gas(self) -> bool:
        """True if a gas-driven piston can begin to push after its bodies have already moved."""
        return any(self.waiting[k] for k in self.form.driven)

    @cached_property
    def ends(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Column indices of the parent bodies and of the child bodies of all pushers."""
        return self.layout.columns.ends(self.items)

    # --- numbers and the start

    def stack_numbers(self, scenario: Any, lanes: int) -> tuple[Ends, pusher_law.Given]:
        """Return the end points and the declared numbers of all pushers as arrays. `lanes`: number of
        case axes."""
        declared, chambers = self.of(scenario), self.chambers_of(scenario)
        return ends(declared, lanes), pusher_law.pusher_numbers(
            self.form, declared, chambers, stack_items, lanes
        )

    def numbers(self, scenario: Any, stacked: Any, lanes: int) -> Own:
        """Return the declared numbers with tables prepared for interpolation.

        `stacked`: result of `stack_numbers`. `lanes`: number of case axes."""
        points, given = stacked
        ready = [
            pusher_law.tables(columns, [pusher_law.interpolation_of(self.items[k]) for k in places], lanes)
            for columns, places in (
                (given.by_stroke, self.form.by_stroke),
                (given.by_time, self.form.by_time),
            )
        ]
        return Own(jax.tree.map(jnp.asarray, given)._replace(ready=tuple(ready)), points)

    def with_centres(self, own: Own, centre: Any) -> Own:
        """Return the prepared numbers with vectors from the present centres of mass to the points of
        application.

        `centre` (3, body, *cases) [m]: centres of mass, structural coordinates."""
        arm_a, arm_b = arms(self.layout, self.items, own.ends, centre)
        return own._replace(arm_a=arm_a, arm_b=arm_b)

    def switches(self, mechanism: Mechanism, t: Any) -> Switches:
        """Return the discrete states at the start. A pusher that no action fires pushes from the start."""
        at_once = add_axes(1.0 - np.array(self.waiting, float), 1 + t.ndim)
        pushing = jnp.broadcast_to(at_once, (len(self.items), *t.shape))
        filled = pusher_law.initial_fill((len(self.chambers), *t.shape)) if self.late_gas else None
        begun = jnp.where(pushing > 0, t, jnp.inf)
        return Switches(pushing, jnp.zeros_like(pushing), begun, filled)

    def reference_values(self, mechanism: Mechanism, motion: Motion) -> Settled:
        """Return the installed lengths, spring forces and plate normals of the pushers in the initial
        pose."""
        lanes = motion.position.shape[2:]
        plate = first_plates(mechanism, motion) if self.form.slides.any() else None
        found = lines(mechanism, motion, plate)[2].length
        length = jnp.broadcast_to(found, (len(self.items), *lanes))
        declared = self.of(mechanism.scenario)
        forces = [jnp.broadcast_to(_first_force(d, length[k]), lanes) for k, d in enumerate(declared)]
        return Settled(length, jnp.stack(forces), plate)

    def continue_from(self, earlier: Persistent, before: Kept, fresh: Kept, discrete: Discrete) -> Kept:
        """Return the discrete states of pushers and chambers at the start of a leg.

        Devices that were present in the previous leg continue with their states at its end."""
        old, new = before.switches, fresh.switches
        rows = of_items(self, earlier, old._replace(filled=None), new._replace(filled=None))
        if new.filled is None or old.filled is None:
            return Kept(fresh.state, rows._replace(filled=new.filled))
        chambers, known = ([c.name for c in part.chambers] for part in (self, cast("Pushers", earlier)))
        return Kept(fresh.state, rows._replace(filled=by_name(chambers, known, old.filled, new.filled, 1)))

    def continue_reference(self, earlier: Part, before: Settled, fresh: Settled) -> Settled:
        """Return the reference values at the start of a leg. Devices that were present in the previous leg
        keep their installed lengths, forces and plate normals."""
        rows = of_items(self, earlier, before._replace(plate=None), fresh._replace(plate=None))
        if fresh.plate is None or before.plate is None:
            return rows._replace(plate=fresh.plate)
        names, known = ([item.name for item in part.items] for part in (self, earlier))
        return rows._replace(plate=by_name(names, known, before.plate, fresh.plate, 1))

    def start_values(self, mechanism: Mechanism, motion: Motion) -> Any:
        """Return the lines between the points of application in the initial state."""
        return spans(mechanism, motion)

    def doubtful_cases(self, start: Any, found: Any) -> Any:
        """Return, for each case, whether the points of application of a pusher without `axis` coincide
        (cases,)."""
        return np.any(self.without_direction(found, origin_of(self.layout, start.x)), axis=0)

    def without_direction(self, found: Lines, origin: Any) -> Any:
        """Return whether the points of application of each pusher without `axis` coincide (pusher, *cases).

        The line of action then has no direction. `found`: lines between the points. `origin` [m]: local
        origin, for the rounding error of a position."""
        short = np.asarray(found.without_direction(origin))
        return short & ~add_axes(self.form.axial, short.ndim)

    def start_problems(self, start: Any) -> Iterator[Problem]:
        """Yield a problem for each pusher without a line of action in the initial state of one case."""
        found = start.own[self.name]
        for k in np.flatnonzero(self.without_direction(found, origin_of(self.layout, start.x))):
            text = (
                f"the two points of the device coincide ({float(found.length[k]):.2g} m apart)."
                " The line of action has no direction"
            )
            axis = example_axis(np.asarray(found.way)[:, k])
            remedy = f"Set 'axis', from the parent to the child, in the parent's structural frame{axis}"
            yield Problem(f"devices.{self.items[k].name}.axis", f"{text}. {remedy}")

    # --- events

    def fired_by(self, event: str, fire: tuple[str, ...] = ()) -> tuple[int, ...]:
        """Return the indices of the pushers that an event fires.

        `event`: name of the event, for pushers that name it in `after`. `fire`: names in the action `fire` of
        the event."""
        return tuple(
            k
            for k, pusher in enumerate(self.items)
            if pusher.name in fire or getattr(pusher, "after", None) == event
        )

    def actions(self, name: str, declared: Any, number: int) -> Actions | None:
        """Return the pushers that an event fires, or None if it fires no pusher."""
        starts = self.fired_by(name, () if declared is None else declared.fire)
        if number == self.layout.moments["start"]:
            starts = tuple(sorted({*starts, *self.fired_by("start")}))
        return Actions(starts) if starts else None

    def events_of(self, table: EventTable, names: Mapping[str, int], address: Any, declared: Any) -> None:
        """Add the events of one pusher to the event table.

        The first event is the beginning of the push: the delay after the firing. The second event is the end
        of the stroke."""
        if not isinstance(declared, Pusher):
            return
        k = self.items.index(declared)
        if declared.fireable:
            fires = after_firings(self.layout, names, declared, address=(*address, "delay"))
            self._add(table, declared.signals[0], fires, begins=(k,))
        ended = partial(Condition, "value", part=self.name, item=k, at_once=True)
        self._add(table, declared.signals[-1], [ended], spends=(k,))

    def _add(self, table: EventTable, name: str, conditions: list[Any], **actions: Any) -> None:
        found = actions_of(self.layout, name)
        own = found.get(self.name, Actions())._replace(**actions)
        table.add(name, "device", conditions, actions={**found, self.name: own})

    def value(self, condition: Condition, here: Here) -> Any:
        """Return the travel of a pusher minus its available travel [m] (*cases). The push ends at the zero of
        this function."""
        k = condition.item
        return here[self.name].travel[k] - travel_left(here.equations, k, here.discrete)

    def ready(self, actions: Actions, discrete: Discrete) -> Any:
        """Return whether the end-of-stroke event of a pusher can occur now (*cases). The event can occur only
        while the pusher pushes."""
        pushing = [discrete.own[self.name].pushing[k] > 0 for k in actions.spends]
        return reduce(and_, pushing) if pushing else None

    def apply_events(
        self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired
    ):
        """Return the state and the discrete states after pushers have begun to push or have reached the end
        of their stroke.

        Each pusher begins to push only once. Later firings have no effect."""
        after = after.with_own(self.name, self._begin_push(mechanism, t, after, fired))
        if any(self.waiting):
            after = counted_anew(mechanism.at(x, before), x, before, after, self._starting(fired.events))
        return x, after

    def _begin_push(self, mechanism: Mechanism, t: Any, discrete: Discrete, fired: Fired) -> Switches:
        own, delay = discrete.own[self.name], mechanism.numbers.own[self.name].given.delay
        pushing, begun = own.pushing, own.begun
        for new, table_event in zip(fired.newly, fired.events, strict=True):
            actions = table_event.actions.get(self.name, Actions())
            # The compiler of a single kernel fails on masks of cases that begin with a constant or come from
            # isinf.
            parts = [new & among(actions.starts, pushing) & (delay <= 0)] if actions.starts else []
            parts += [new & among(actions.begins, pushing)] if actions.begins else []
            if parts:
                begins = parts[0] if len(parts) == 1 else parts[0] | parts[1]
                begins = begins & ~(begun < jnp.inf)
                pushing, begun = jnp.where(begins, 1.0, pushing), jnp.where(begins, t, begun)
            if actions.spends:
                pushing = jnp.where(new & among(actions.spends, pushing), 0.0, pushing)
        return own._replace(pushing=pushing, begun=begun)

    def _starting(self, table_events: Any) -> np.ndarray:
        """Table of firings (event, pusher), 1 if the event fires the pusher."""
        actions = [table_event.actions.get(self.name, Actions()) for table_event in table_events]
        return np.array([[k in each.starts for k in range(len(self.items))] for each in actions], float)

    # --- at one instant

    def find(self, here: Here) -> Pushes:
        """Return lines of action, forces, travels and gas of all pushers at one time."""
        return pushes(here.mechanism, here.t, here.moving_at(*self.ends), here.discrete)

    def wrench(self, here: Here) -> Any:
        """Return the loads of all pushers on the bodies (6, body, *cases): force [N], inertial axes, and
        torque [N m], body axes."""
        return here[self.name].share

    def stored_energy(self, here: Here) -> Any:
        """Return the total energy of all springs and all gas [J] (*cases)."""
        return jnp.sum(spring_energies(here), 0) + jnp.sum(gas_energies(here), 0)

    def kink_locations(self, here: Here) -> Any:
        """Return the position of each travel among the kinks of its force table (table, *cases).

        A position is a fractional index, which passes a whole number at each kink. See `interpolation.place`.
        """
        return [*places(here.mechanism, here.x, here.discrete)]

    def table_intervals(self, here: Here) -> Any:
        """Return, for each force table over travel, the interval between table points that contains the
        travel."""
        return features(here.mechanism, here.x, here.discrete)

    def quantities(self) -> Makers:
        """Return the output quantities of each pusher and each gas chamber."""
        return pusher_quantities(self.layout, spring_energies, gas_energies)

    def breaks(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterator[Break]:
        """Yield the times [s] at which a pusher passes the points of its force table over time."""
        if not self.form.by_time:
            return
        tables = mechanism.numbers.own[self.name].given.ready[1]
        begun = pick(discrete.own[self.name].begun, self.form.by_time, 0)
        times = begun + tables.points.where
        yield Break(times.reshape(-1, *times.shape[2:]), "corner")


def of(mechanism: Mechanism) -> tuple[Pushers, pusher_law.Given]:
    """Return the model of the pushers in a mechanism, and the declared numbers of the pushers."""
    part: Any = mechanism.parts["pushers"]
    return part, mechanism.numbers.own["pushers"].given


def spans(mechanism: Mechanism, motion: Motion) -> Lines:
    """Return the lines between the points of application of all pushers."""
    part, own = of(mechanism)[0], mechanism.numbers.own["pushers"]
    return lines_between(part.layout, motion, pairs_of(mechanism, motion), part.ends, own.ends)


def pairs_of(mechanism: Mechanism, motion: Motion) -> Pairs:
    """Return the pairs of points of application on parent and child for all pushers."""
    own = mechanism.numbers.own["pushers"]
    return attachments.kinematics(motion, *of(mechanism)[0].ends, own.arm_a, own.arm_b)


def _first_force(device: Any, length: Any) -> Any:
    """Spring force [N] of a pusher at its installed length [m], without friction, tables and gas."""
    force: Any = getattr(device, "preload", None)
    if getattr(device, "free_length", None) is not None:
        force = device.stiffness * (device.free_length - length)
    elif force is None:
        force = getattr(device, "push", None)
    return force if hasattr(force, "shape") else 0.0


def lines(mechanism: Mechanism, motion: Motion, plate: Any) -> tuple[Pairs, Pairs, springs.LineState]:
    """Return three results: the pairs of declared points, the pairs of points at which the forces act, and
    the lines of action.

    The two pairs differ only for a sliding tip. `plate` (3, pusher, *cases): default plate normals, see
    `Settled`."""
    part, numbers = of(mechanism)
    pairs = pairs_of(mechanism, motion)
    if plate is not None:
        plate = jnp.where(add_axes(part.form.plated, pairs.gap.ndim - 1), numbers.plate, plate)
    return pairs, *pusher_law.lines(part.form, numbers, plate, pairs)


def _lines(mechanism: Mechanism, motion: Motion) -> tuple[Pairs, Pairs, springs.LineState]:
    return lines(mechanism, motion, mechanism.reference.own["pushers"].plate)


def first_plates(mechanism: Mechanism, motion: Motion) -> jax.Array:
    """Return the directions of the rods in the structural axes of the child bodies (3, pusher, *cases).

    In the initial pose, these directions are the default normals of the plates."""
    pairs = pairs_of(mechanism, motion)
    direction = springs.along_axis(pairs, of(mechanism)[1].axis).direction
    found = rotate_back(pairs.rotation_b, direction / norm(direction))
    return jnp.broadcast_to(found, pairs.gap.shape)


def travel(mechanism: Mechanism, line: springs.LineState, discrete: Discrete) -> jax.Array:
    """Return the travel of each pusher [m] (pusher, *cases). Travel is counted from the firing. Before the
    firing, the travel is counted from the start."""
    return line.length - mechanism.reference.own["pushers"].length - discrete.own["pushers"].stretched


def extension(mechanism: Mechanism, line: springs.LineState, discrete: Discrete) -> jax.Array:
    """Return the extension of each pusher [m] (pusher, *cases), from the length at which its first force
    applies.

    If a preload is declared, this length is the length at the firing. If a free length is declared, it is the
    initial length."""
    anew = add_axes(of(mechanism)[0].form.anew, line.length.ndim)
    stretched = jnp.where(anew, discrete.own["pushers"].stretched, 0.0)
    return line.length - mechanism.reference.own["pushers"].length - stretched


def travel_left(mechanism: Mechanism, device: int, discrete: Discrete) -> Any:
    """Return the travel at which the pusher with index `device` ends its push [m] (*cases).

    This travel is the stroke, or less if the spring reaches its free length earlier."""
    part, numbers = of(mechanism)
    stroke = numbers.stroke[device]
    if part.form.anew[device]:
        return stroke
    first = mechanism.reference.own["pushers"].force[device]
    free = first / numbers.stiffness[device] - discrete.own["pushers"].stretched[device]
    return jnp.minimum(stroke, free)


def pushes(mechanism: Mechanism, t: Any, motion: Motion, discrete: Discrete) -> Pushes:
    """Return forces, travels and gas of all pushers at the time t [s]."""
    part, numbers = of(mechanism)
    shape, first = part.form, mechanism.reference.own["pushers"].force
    pairs, acting, line = _lines(mechanism, motion)
    now = _progress(mechanism, t, line, discrete)
    gas = Gas(*(jnp.zeros((0, *line.length.shape[1:])),) * 3)
    if len(shape.constant):
        gas = pusher_law.gas(shape, numbers, now, discrete.own["pushers"].filled)
    force = pusher_law.forces(shape, numbers, first, now, gas.pressure)
    power = pusher_law.power(acting, pairs, line, force)
    on_a, on_b = attachments.lever(acting, line.direction)
    share = attachments.sum_by_body(on_a * force, on_b * force, *part.ends, motion.position.shape[1])
    return Pushes(line, force, power, now.travel, gas, share)


def _progress(mechanism: Mechanism, t: Any, line: springs.LineState, discrete: Discrete) -> Progress:
    gone, own = travel(mechanism, line, discrete), discrete.own["pushers"]
    begun, since = own.pushing, jnp.zeros_like(gone)
    shape = of(mechanism)[0].form
    if shape.by_time or len(shape.constant):
        at = jnp.isfinite(own.begun)
        begun, since = at.astype(float), jnp.where(at, t - jnp.where(at, own.begun, t), 0.0)
    rate = jnp.broadcast_to(line.rate, gone.shape)
    ahead = extension(mechanism, line, discrete)
    return Progress(gone, rate, ahead, own.pushing, begun, since)


def spring_energies(here: Here) -> Any:
    """Return the elastic energy that each separation spring can still release [J], (pusher, *cases).

    The energy is zero for other pushers and for inactive pushers."""
    numbers = here.numbers.own["pushers"].given
    beyond = extension(here.mechanism, here["pushers"].line, here.discrete)
    sprung = numbers.stiffness > 0
    stiffness = jnp.where(sprung, numbers.stiffness, 1.0)
    left = here.equations.reference.own["pushers"].force / stiffness - beyond
    stored = 0.5 * numbers.strength * stiffness * left**2
    return jnp.where(sprung & (here.discrete.own["pushers"].pushing > 0), stored, 0.0)


def gas_energies(here: Here) -> Any:
    """Return the energy of the gas of each chamber [J], (chamber, *cases). See `pusher_law.gas_energy`.

    The energy is zero for a chamber with constant supply pressure."""
    part, numbers = of(here.mechanism)
    constant = add_axes(part.form.constant, 1 + here.t.ndim)
    return jnp.where(constant, 0.0, pusher_law.gas_energy(numbers, here["pushers"].gas))


# --- kinks, and changes at a firing


def places(mechanism: Mechanism, x: Any, discrete: Discrete) -> jax.Array:
    """Return the position of the travel of each pusher among the points of its force table (table, *cases).

    A position is a fractional index: k at point k, and linear between two points. See `interpolation.place`.
    The position is zero for inactive pushers."""
    if of(mechanism)[1].ready[0] is None:
        return jnp.zeros((0, *x.shape[1:]))
    points, now, pushing = _travel_tables(mechanism, x, discrete)
    return jnp.where(pushing, interpolation.place(points, now), 0.0)


def features(mechanism: Mechanism, x: Any, discrete: Discrete) -> list[interpolation.Interval]:
    """Return, for each force table over travel, the interval between table points that contains the travel.
    See `interpolation.interval`.

    For pushers that do not push, the result is the interval before the first point."""
    if of(mechanism)[1].ready[0] is None:
        return []
    points, now, pushing = _travel_tables(mechanism, x, discrete)
    before = points[0] - 1.0
    return [
        interpolation.interval(points[:, k], jnp.where(pushing, now, before)[k]) for k in range(now.shape[0])
    ]


def _travel_tables(mechanism: Mechanism, x: Any, discrete: Discrete) -> tuple[Any, Any, Any]:
    """Points of the tables over travel (n, table, *cases), travel, and whether the pusher pushes (table,
    *cases)."""
    part, numbers = of(mechanism)
    shape, tables = part.form, numbers.ready[0]
    now = travel(mechanism, _lines(mechanism, mechanism.motion(x))[2], discrete)
    wide = tables.points.where.shape[0], len(shape.by_stroke), *now.shape[1:]
    pushing = pick(discrete.own["pushers"].pushing, shape.by_stroke, 0) > 0
    return jnp.broadcast_to(tables.points.where, wide), pick(now, shape.by_stroke, 0), pushing


def counted_anew(mechanism: Mechanism, x: Any, before: Discrete, after: Discrete, fires: Any) -> Discrete:
    """Return the discrete states with travel reset to zero for pushers that are fired for the first time.

    The reset is necessary because the bodies may have moved since the start. Travel during a delay counts as
    part of the stroke. `fires` (event, pusher): 1 if the event fires the pusher."""
    line = _lines(mechanism, mechanism.motion(x))[2]
    had, has = (_any(fires, discrete.fired) for discrete in (before, after))
    was, own = before.own["pushers"], after.own["pushers"]
    length = line.length - mechanism.reference.own["pushers"].length
    after = after.with_own("pushers", own._replace(stretched=jnp.where(has & ~had, length, was.stretched)))
    if own.filled is None:
        return after
    part, numbers = of(mechanism)
    # Only pistons that are late now open new volume; the others continue without a jump.
    new = (own.begun < jnp.inf) & ~(was.begun < jnp.inf)  # not isinf: see `Pushers._begin_push`
    gone, now = (_progress(mechanism, 0.0, line, discrete) for discrete in (before, after))
    now = Progress(*(jnp.where(new, b, a) for a, b in zip(gone, now, strict=True)))
    filled = pusher_law.fill_after(part.form, numbers, gone, now, own.filled)
    return after.with_own("pushers", after.own["pushers"]._replace(filled=filled))


def _any(table: np.ndarray, flags: jax.Array) -> jax.Array:
    """Whether any flag (event, *cases) marked in a table (event, pusher) is set, (pusher, *cases)."""
    marked = add_axes(table, 1 + flags.ndim) * flags[:, None].astype(float)
    return jnp.sum(marked, 0) > 0
