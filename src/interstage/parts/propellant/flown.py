"""Models of propellant in a flight: engines with streams from mass items, and slosh masses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ...engine.body_loads import with_ground
from ...engine.by_name import by_name
from ...engine.contract import (
    Break,
    ChangesMass,
    Fired,
    HasEvents,
    HasState,
    Kept,
    Linearizable,
    Makers,
    MovingMass,
    Persistent,
    Tabulated,
)
from ...engine.event_table import Condition, EventTable
from ...engine.layout import FREE, Layout
from ...engine.numbers import Numbers, Totals
from ...engine.switches import among
from ...maths.arrays import jnp
from . import burning, slosh, tank_masses, vehicle_masses
from .engines import Motor, empty, form_of
from .engines import names as names_of
from .quantities import mass_quantities, slosh_quantities
from .slosh import Sloshing, points, sloshing, spring_energy
from .streams import Streams as Flowing

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete


class Actions(NamedTuple):
    """Indices of engines and mass items that change at an event.

    - ignites, cuts: engines that are ignited or shut down.
    - stops: engines that are permanently stopped.
    - drops: mass items that are jettisoned.
    """

    ignites: tuple[int, ...] = ()
    cuts: tuple[int, ...] = ()
    stops: tuple[int, ...] = ()
    drops: tuple[int, ...] = ()


class Switches(NamedTuple):
    """Discrete states of mass items and engines.

    - attached (mass item, *cases): 1 while the body carries the mass item, otherwise 0.
    - ignited, cut (engine, *cases) [s]: times of ignition and of cut-off; inf before the event.
    """

    attached: Any
    ignited: Any
    cut: Any


class Own(NamedTuple):
    """Prepared mass items and engines.

    - elements: prepared mass items of each body.
    - engines: each prepared engine.
    - alike: the same engines in the groups of `Streams.alike`, with stacked arrays (..., engine, *cases).
    """

    elements: tuple[tank_masses.Ready, ...]
    engines: tuple[burning.Ready, ...]
    alike: tuple[burning.Ready, ...]


class Streams(HasState, HasEvents, ChangesMass, Tabulated):
    """Model of engines and motors in a flight, and of the mass items that feed them. The states are the
    propellant masses in the tanks [kg].
    """

    name = "streams"
    state_description = "propellant left in tanks"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Return whether the scenario has engines or mass items."""
        return bool(layout.scenario.engines or any(body.elements for body in layout.scenario.bodies))

    @property
    def bodies_in_atmosphere(self) -> Sequence[int]:
        """Return the indices of bodies with engines, because their thrust depends on the atmospheric
        pressure."""
        return [self.layout.body(engine.body) for engine in self.layout.scenario.engines]

    # --- structure

    @cached_property
    def elements(self) -> tuple[tuple[int, int], ...]:
        """Pair (body index, index within the body) of each mass item."""
        bodies = self.layout.scenario.bodies
        return tuple((k, e) for k, body in enumerate(bodies) for e in range(len(body.elements)))

    @cached_property
    def tanks(self) -> tuple[tuple[int, int], ...]:
        """Pair (body index, index within the body) of each mass item that drains.

        The propellant of these mass items is part of the state.
        """
        bodies = self.layout.scenario.bodies
        return tuple((k, e) for k, body in enumerate(bodies) for e in tank_masses.tanks(body.elements))

    @cached_property
    def sloshing(self) -> tuple[tuple[int, int], ...]:
        """Pair (body index, index within the body) of each mass item with a slosh mass."""
        bodies = self.layout.scenario.bodies
        return tuple((k, e) for k, e in self.elements if getattr(bodies[k].elements[e], "slosh", None))

    def element(self, name: str) -> tuple[int, int]:
        """Return the pair (body index, index within the body) of a mass item. `name`: full name, for example
        "stage.oxidizer".
        """
        body, _, element = name.partition(".")
        k = self.layout.bodies.index(body)
        return k, [e.name for e in self.layout.scenario.bodies[k].elements].index(element)

    def tank(self, name: str) -> int:
        """Return the index of a tank in `tanks`. `name`: full name, for example "stage.oxidizer"."""
        return self.tanks.index(self.element(name))

    @cached_property
    def engines(self) -> tuple[str, ...]:
        """Names of the engines and motors in the order of the scenario."""
        return tuple(engine.name for engine in self.layout.scenario.engines)

    @cached_property
    def feeds(self) -> tuple[tuple[str, ...], ...]:
        """Full names of the tanks that feed each engine, one tuple for each engine."""
        return tuple(names_of(engine).tanks for engine in self.layout.scenario.engines)

    @cached_property
    def alike(self) -> tuple[tuple[int, ...], ...]:
        """Groups of indices of engines that differ only in numbers, like the separation motors of a stage.
        The engines of one group are computed at once.
        """
        found: dict[Any, list[int]] = {}
        for e, engine in enumerate(self.layout.scenario.engines):
            form = form_of(engine)
            found.setdefault(e if form is None else (form, bool(self.feeds[e])), []).append(e)
        return tuple(map(tuple, found.values()))

    @cached_property
    def fed_over(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Pairs (engine index, joint indices) of engines that a tank on another body feeds.

        The joints connect the two bodies. An engine without such a joint is not included.
        """
        found = []
        for e, engine in enumerate(self.layout.scenario.engines):
            for name in self.feeds[e]:
                both = {engine.body, name.partition(".")[0]}
                ends = ({joint.parent, joint.child} for joint in self.layout.scenario.joints)
                between = tuple(j for j, pair in enumerate(ends) if pair == both)
                found += [(e, between)] if between and len(both) > 1 else []
        return tuple(dict.fromkeys(found))

    @cached_property
    def states(self) -> int:
        """Number of states, which is the number of tanks."""
        return len(self.tanks)

    @cached_property
    def drops_mass(self) -> bool:
        """True if the flight jettisons a mass item."""
        return any(item.drop for item in (*self.layout.scenario.phases, *self.layout.scenario.events))

    # --- numbers and the start

    def numbers(self, scenario: Any, stacked: Any, lanes: int) -> Own:
        """Return the prepared mass items and engines. A motor burns the initial propellant of its grain.

        `stacked`: the scenario with case axes. `lanes`: number of case axes.
        """
        elements = tuple(tank_masses.prepare(body.elements) for body in scenario.bodies)
        engines = tuple(self._engine(scenario, e) for e in range(len(scenario.engines)))
        groups = (tuple(engines[e] for e in group) for group in self.alike)
        return Own(elements, engines, tuple(burning.side_by_side(group, lanes) for group in groups))

    def _engine(self, scenario: Any, e: int) -> burning.Ready:
        propellant = None
        if self.feeds[e]:
            body, place = self.element(self.feeds[e][0])
            propellant = scenario.bodies[body].elements[place].propellant
        return burning.prepare(scenario.engines[e], propellant)

    def initial_mass(self, scenario: Any, numbers: Numbers, lanes: int) -> Totals | None:
        """Return the mass properties of the bodies with all mass items at the start. `lanes`: number of
        case axes.
        """
        return vehicle_masses.laden(self.layout, scenario, numbers.dry, lanes) if self.elements else None

    def with_mass(self, mechanism: Mechanism, x: Any, discrete: Discrete) -> Mechanism:
        """Return the mechanism with the current mass properties of the bodies, for the propellant in the
        state `x` and the mass items that are still attached.
        """
        if not self.elements:
            return mechanism
        left, attached = mechanism.own(self.name, x), discrete.own[self.name].attached
        return mechanism.weighing(vehicle_masses.totals(self.layout, mechanism.numbers, left, attached))

    def switches(self, mechanism: Mechanism, t: Any) -> Switches:
        """Return the discrete states at the start. All mass items are attached, and engines with `ignited`
        burn from the time `t` [s] on.
        """
        engines = self.layout.scenario.engines
        lit = [t if engine.ignited else jnp.full(t.shape, jnp.inf) for engine in engines]
        return Switches(
            attached=jnp.ones((len(self.elements), *t.shape)),
            ignited=jnp.stack(lit) if lit else jnp.zeros((0, *t.shape)),
            cut=jnp.full((len(lit), *t.shape), jnp.inf),
        )

    def initial_states(self, mechanism: Mechanism, discrete: Discrete, lanes: tuple[int, ...]) -> Any:
        """Return the propellant in the tanks at the start [kg] (tank, *cases). `lanes`: sizes of the case
        axes.
        """
        left = vehicle_masses.first_left(self.layout, mechanism.scenario, len(lanes))
        return jnp.broadcast_to(left, (left.shape[0], *lanes))

    @property
    def labels(self) -> tuple[str, ...]:
        """Full name of each tank, for example "stage.oxidizer"."""
        return self.full_names(self.tanks)

    def full_names(self, elements: Iterable[tuple[int, int]]) -> tuple[str, ...]:
        """Return the full names of mass items, for example "stage.oxidizer". `elements`: pairs as in
        `Streams.elements`.
        """
        bodies = self.layout.scenario.bodies
        return tuple(f"{bodies[k].name}.{bodies[k].elements[e].name}" for k, e in elements)

    def continue_from(self, earlier: Persistent, before: Kept, fresh: Kept, discrete: Discrete) -> Kept:
        """Return the states at the start of a leg, with propellant, jettisons, ignitions and cut-offs from
        the previous leg.

        `earlier`, `before`: model and states of the previous leg. `fresh`: initial states of the new leg, for
        names that the previous leg does not have.
        """
        one = cast("Streams", earlier)
        elements = self.full_names(self.elements), one.full_names(one.elements)
        names = elements, (self.engines, one.engines), (self.engines, one.engines)
        both = zip(names, before.switches, fresh.switches, strict=True)
        state = by_name(self.labels, earlier.labels, before.state, fresh.state)
        return Kept(state, Switches(*(by_name(*named, old, new) for named, old, new in both)))

    # --- events

    def actions(self, name: str, declared: Any, number: int) -> Actions | None:
        """Return the ignitions, shutdowns and jettisons of an event. An engine stops permanently when a mass
        item that feeds it is jettisoned.

        Returns None if the event changes no engine and no mass item. `declared`: actions in the scenario.
        """
        if declared is None:
            return None
        dropped = [self.element(element) for element in declared.drop]
        found = Actions(
            ignites=tuple(self.engines.index(engine) for engine in declared.ignite),
            cuts=tuple(self.engines.index(engine) for engine in declared.shut_down),
            stops=tuple(
                e for e, feeds in enumerate(self.feeds) if any(self.element(n) in dropped for n in feeds)
            ),
            drops=tuple(self.elements.index(element) for element in dropped),
        )
        return found if any(found) else None

    def events(self, table: EventTable) -> None:
        """Add an event for each tank that feeds engines. The event occurs when the tank is empty, and stops
        these engines.
        """
        for name, (tank, drawing) in self._empty_events.items():
            drained = partial(Condition, "value", part=self.name, item=tank, at_once=True)
            table.add(name, "tank", [drained], actions={self.name: Actions(stops=drawing)})

    @property
    def makes(self) -> tuple[str, ...]:
        """Names of the events of empty tanks."""
        return tuple(self._empty_events)

    @cached_property
    def _empty_events(self) -> dict[str, tuple[int, tuple[int, ...]]]:
        """Index of each tank that feeds engines, and indices of these engines, by the name of the event of
        the empty tank."""
        found = {}
        for tank, place in enumerate(self.tanks):
            drawing = tuple(e for e, feeds in enumerate(self.feeds) if tank in map(self.tank, feeds))
            if drawing:
                found[empty(*self.full_names([place]))] = tank, drawing
        return found

    def value(self, condition: Condition, here: Here) -> Any:
        """Return the residual of a tank minus its propellant left [kg] (*cases). The tank is empty at the
        zero of this function.

        The propellant of a motor reaches zero at the end of its thrust trace. At the end of the trace, the
        mass flow can be zero, so that rounding errors would determine the time of the event. For such motors,
        the function therefore uses the time since ignition, like an engine with constant mass flow.
        """
        body, place = self.tanks[condition.item]
        element = here.equations.scenario.bodies[body].elements[place]
        below = element.residual - here.own(self.name)[condition.item]
        e = self._burns_whole(condition.item)
        if e is None:
            return below
        own, engine = here.discrete.own[self.name], here.mechanism.numbers.own[self.name].engines[e]
        lit = jnp.isfinite(own.ignited[e])
        ignition = jnp.where(lit, own.ignited[e], here.t)
        lasts = burning.lasts(engine)
        early = ((here.t - ignition) - lasts) * element.propellant / lasts
        whole = lit & (element.residual == 0) & (engine.model.slag == 0) & (engine.model.works > 0)
        return jnp.where(whole, early, below)

    def _burns_whole(self, tank: int) -> int | None:
        """Index of the only engine that draws from a tank, if it is a motor that cannot be cut off; otherwise
        None."""
        drawing = [e for e, feeds in enumerate(self.feeds) if tank in map(self.tank, feeds)]
        engines = [self.layout.scenario.engines[e] for e in drawing]
        if len(engines) != 1 or not isinstance(engines[0], Motor) or engines[0].cut:
            return None
        return None if engines[0].mass_flow is not None else drawing[0]

    def apply_events(
        self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired
    ):
        """Return the state and the discrete states after ignitions, shutdowns and jettisons.

        `fired`: events that have occurred. All rows are selected at once, because the compiler of a single
        kernel fails on arrays assembled from separate rows.
        """
        attached, ignited, cut = after.own[self.name]
        actions = [table_event.actions.get(self.name, Actions()) for table_event in fired.events]
        for new, each in zip(fired.newly, actions, strict=True):
            if each.ignites:
                lit = new & among(each.ignites, ignited)
                ignited, cut = jnp.where(lit, t, ignited), jnp.where(lit, jnp.inf, cut)
            if each.cuts:
                cut = jnp.where(new & among(each.cuts, cut) & jnp.isinf(cut), t, cut)
            if each.drops:
                attached = jnp.where(new & among(each.drops, attached), 0.0, attached)
        for done, each in zip(after.fired, actions, strict=True):
            if each.stops:  # permanent: its tank is empty or jettisoned
                ignited = jnp.where(done & among(each.stops, ignited), jnp.inf, ignited)
        ignited = self._end_detached_feeds(after, ignited)
        return x, after.with_own(self.name, Switches(attached, ignited, cut))

    def _end_detached_feeds(self, discrete: Discrete, ignited: Any) -> Any:
        """Ignition times after the stop of engines whose feeding body has been detached."""
        for e, joints in self.fed_over:
            parted = jnp.all(jnp.stack([discrete.mode[j] == FREE for j in joints]), 0)
            ignited = jnp.where(parted & among((e,), ignited), jnp.inf, ignited)
        return ignited

    # --- at one instant

    def find(self, here: Here) -> Flowing:
        """Return the object that computes thrusts and propellant streams at one time."""
        return Flowing(here)

    def wrench(self, here: Here) -> Any:
        """Return the loads of thrust and propellant flow on the bodies (6, body, *cases): force [N], inertial
        axes, and torque [N m], body axes.
        """
        found = here[self.name]
        loads = jnp.concatenate([found.force, found.torque])
        if found.on_nodes is None:
            return loads
        return jnp.concatenate([with_ground(loads, self.layout.columns.bodies), found.on_nodes], 1)

    def force(self, here: Here) -> Any:
        """Return the forces of thrust and propellant flow on the bodies [N] (3, body, *cases), inertial
        axes.
        """
        return here[self.name].force

    def quantities(self) -> Makers:
        """Return the output quantities of engines, of mass items, and of bodies with mass items."""
        return mass_quantities(self.layout)

    def centre_velocity(self, here: Here) -> Any:
        """Return the velocities of the centres of mass through the structures of their bodies [m/s], body
        axes (3, body, *cases).

        These velocities result from the propellant flow.
        """
        return here[self.name].shift

    def mass_rates(self, here: Here) -> Any:
        """Return the time derivatives of the masses of the bodies from the mass flow of engines [kg/s] (body,
        *cases).
        """
        return here[self.name].mass_rate

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Return the rates of the propellant in the tanks [kg/s] (tank, *cases)."""
        return here[self.name].drain

    def breaks(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterator[Break]:
        """Yield the times [s] of kinks and jumps of thrust and mass flow. Ignitions are not included.

        At a kink of the mass flow, the rate of the internal momentum jumps.
        """
        own, found = discrete.own[self.name], []
        for e, engine in enumerate(mechanism.numbers.own[self.name].engines):
            if not burning.bends(engine):
                continue
            points = burning.corners(engine, own.ignited[e], own.cut[e])
            points = jnp.where(points == own.ignited[e], jnp.inf, points)
            found.append(jnp.broadcast_to(points, (points.shape[0], *t.shape)))
        if found:
            yield Break(jnp.concatenate(found), "kink")
        for e, engine in enumerate(mechanism.numbers.own[self.name].engines):
            if isinstance(engine.model, Motor):
                yield Break(burning.edges(engine, own.ignited[e]), "jump at event")


class Slosh(MovingMass, Linearizable, ChangesMass):
    """Model of the slosh masses in tanks in a flight.

    The states are three coordinates of each slosh mass and their rates. The coordinates are the direction of
    a pendulum [1] or the displacement of a spring mass [m].
    """

    name = "slosh"
    state_description = "slosh masses"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Return whether a tank in the scenario has a slosh mass."""
        elements = (element for body in layout.scenario.bodies for element in body.elements)
        return any(getattr(element, "slosh", None) for element in elements)

    @cached_property
    def states(self) -> int:
        """Number of states: three coordinates and three rates for each slosh mass."""
        return 6 * len(vehicle_masses.of(self.layout).sloshing)

    def initial_states(self, mechanism: Mechanism, discrete: Discrete, lanes: tuple[int, ...]) -> Any:
        """Return the coordinates and rates at the start from the scenario (state, *cases). `lanes`: sizes of
        the case axes.
        """
        left = vehicle_masses.first_left(self.layout, mechanism.scenario, len(lanes))
        return slosh.first(mechanism, jnp.broadcast_to(left, (left.shape[0], *lanes)), lanes)

    @property
    def labels(self) -> tuple[str, ...]:
        """Label of each state: the name of the mass item and the number of the state, 0 to 2 for coordinates
        and 3 to 5 for rates.
        """
        streams = vehicle_masses.of(self.layout)
        elements = streams.full_names(streams.sloshing)
        return tuple(f"{name}.{what}" for what in range(6) for name in elements)

    def with_mass(self, mechanism: Mechanism, x: Any, discrete: Discrete) -> Mechanism:
        """Return the mechanism with inertias that include the slosh masses at the state `x`."""
        inertias = slosh.with_slosh_masses(mechanism, x, discrete.own["streams"].attached)
        return mechanism.with_numbers(mechanism.numbers._replace(inertias=inertias))

    def states_after_impulse(self, mechanism: Mechanism, x: Any, discrete: Discrete, change: Any) -> Any:
        """Return the slosh states after an impulse. In free directions, slosh masses keep their velocities.

        `change` (6, body, *cases): jump of the velocities of the bodies.
        """
        return slosh.recoil(mechanism, x, discrete.own["streams"].attached, change)

    def restore(self, mechanism: Mechanism, x: Any) -> Any:
        """Return the slosh states of `normalize`, with spring masses perpendicular to the tank axes."""
        return slosh.restore(mechanism, x)

    def normalize(self, mechanism: Mechanism, x: Any) -> Any:
        """Return the slosh states with pendulum directions of unit length, and with rates perpendicular to
        these directions.
        """
        return slosh.normalize(mechanism, x)

    def kick(self, own: Any, rates: Any, h: Any) -> Any:
        """Return the slosh states after a step of h [s] in which the rates change by the derivatives `rates`.
        The coordinates do not change.
        """
        half = self.states // 2
        return jnp.concatenate([own[:half], own[half:] + h * rates[half:]])

    def drift(self, own: Any, fast: Any, h: Any) -> Any:
        """Return the slosh states after a step of h [s] in which the coordinates change at the rates in
        `fast`. The rates do not change.
        """
        half = self.states // 2
        return jnp.concatenate([own[:half] + h * fast[half:], own[half:]])

    def find(self, here: Here) -> Sloshing:
        """Return the slosh masses at one time, with positions and velocities."""
        return sloshing(here)

    def wrench(self, here: Here) -> Any:
        """Return the loads of all slosh masses on the bodies (6, body, *cases): force [N], inertial axes, and
        torque [N m], body axes.
        """
        return here[self.name].total

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Return the time derivatives of coordinates and rates (state, *cases). `acceleration` (6, body,
        *cases): accelerations of the bodies.
        """
        return slosh.rates(here.mechanism, here[self.name], here.motion, acceleration)

    def stored_energy(self, here: Here) -> Any:
        """Return the energy of the slosh springs [J] (*cases)."""
        return spring_energy(here[self.name])

    def masses(self, here: Here) -> Any:
        """Return the slosh masses as point masses: mass [kg], position [m] and velocity [m/s] relative to the
        local origin, inertial axes.
        """
        return points(here.mechanism, here[self.name], here.motion)

    def quantities(self) -> Makers:
        """Return the output quantities of each slosh mass, grouped with its tank."""
        return slosh_quantities(self.layout)
