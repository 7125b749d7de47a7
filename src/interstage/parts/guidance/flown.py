"""The model that computes guidance laws during a flight. A law is computed only if a control law, a phase or
a quantity uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial, reduce
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...engine.by_name import by_name
from ...engine.contract import (
    Break,
    Commands,
    Fired,
    HasEvents,
    HasState,
    Kept,
    Makers,
    Persistent,
    Sampled,
    Tabulated,
    Watches,
)
from ...engine.event_table import Condition, EventTable
from ...engine.here import Here, Unmeasured
from ...engine.point import CommandedAttitude
from ...engine.quantity import Quantity
from ...engine.stance import Stance
from ...maths.arrays import jax, jnp
from ...tree.declaration import texts_of, with_values
from ...tree.errors import BadInput, Problem
from . import drag_tracking, laws, users
from .declared import KINDS, EntryGuidance, UserGuidance, reversals_of
from .quantities import quantities
from .samplers import SAMPLERS, chosen, is_sampled
from .stance import View

if TYPE_CHECKING:
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete
    from ...quantities.catalogue import Catalogue


class Stances(Mapping[str, Stance]):
    """Commanded attitudes (`engine.stance.Stance`) of the guidance laws at one time, by name. An attitude is
    computed on first access.
    """

    def __init__(self, part: Guidance, here: Here):
        self._part, self._here = part, here
        self._found: dict[str, Stance] = {}
        self._working: set[str] = set()

    def __getitem__(self, name: str) -> Stance:
        if name not in self._found:
            if name in self._working:
                raise Unmeasured(f"depends on the attitude of guidance.{name} itself")
            self._working.add(name)
            try:
                self._found[name] = laws.stance(*self._part.law_and_view(self._here, name))
            finally:
                self._working.discard(name)
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return (law.name for law in self._part.items)

    def __len__(self) -> int:
        return len(self._part.items)


class Guidance(HasState, HasEvents, Sampled, Watches, Commands, Tabulated):
    """Model of all guidance laws. The result of the model is the commanded attitude of each law, by name."""

    name = "guidance"
    state_description = "states of guidance"
    restarts = True
    group = "guidance"
    kinds = KINDS["guidance"]

    @cached_property
    def _number(self) -> dict[str, int]:
        return {law.name: k for k, law in enumerate(self.items)}

    @cached_property
    def readable(self) -> Catalogue:
        """The quantities that laws can read, by path."""
        from ...quantities.catalogue import catalogue

        return catalogue(self.layout.scenario)

    @cached_property
    def steering(self) -> tuple[str, ...]:
        """The name of the law that defines the attitude in each phase of a point-mass flight; empty for other
        flights.
        """
        scenario, found = self.layout.scenario, []
        for phase in scenario.phases if self.layout.point else ():
            found.append(phase.attitude or (found[-1] if found else scenario.attitude))
        return tuple(found)

    @cached_property
    def followed_laws(self) -> tuple[int, ...]:
        """The indices of the laws that a phase or a continuous control law follows. Only the kinks of these
        laws affect integration steps.
        """
        return self._matching_laws(lambda law: law.period is None)

    @cached_property
    def used_laws(self) -> tuple[int, ...]:
        """The indices of the laws that a phase or control law follows, or whose quantities trigger a phase or
        event.
        """
        named = {text.split(".")[1] for text in texts_of(self._sequence) if text.startswith("guidance.")}
        followed = self._matching_laws(lambda law: True)
        return tuple(k for k, law in enumerate(self.items) if k in followed or law.name in named)

    @property
    def _sequence(self) -> tuple[Any, ...]:
        return self.layout.scenario.phases, self.layout.scenario.events

    @cached_property
    def reversing(self) -> tuple[int, ...]:
        """The indices of the used laws with bank reversals."""
        return tuple(k for k in self.used_laws if reversals_of(self.items[k]) is not None)

    @cached_property
    def sampled_laws(self) -> tuple[int, ...]:
        """The indices of the used laws that take samples."""
        return tuple(k for k in self.used_laws if is_sampled(self.items[k]))

    def _matching_laws(self, counts: Callable[[Any], bool]) -> tuple[int, ...]:
        scenario = self.layout.scenario
        names = {getattr(law, "follows", None) for law in scenario.controls if counts(law)}
        names.update(self.steering)
        return tuple(k for k, law in enumerate(self.items) if law.name in names)

    def numbers(self, scenario: Any, stacked: Any, lanes: int) -> tuple[laws.Ready, ...]:
        """Return the prepared guidance laws. For the parameters, see `Part.numbers`."""
        return tuple(laws.prepare(law) for law in self.of(scenario))

    # --- integrated states

    @cached_property
    def moving(self) -> dict[int, slice]:
        """The slice of each user's law in the states of this model, by index of the law."""
        found, end = {}, 0
        for k in self.used_laws:
            if count := users.size(self.items[k]):
                found[k], end = slice(end, end + count), end + count
        return found

    @cached_property
    def states(self) -> int:
        """The total number of integrated states of users' laws."""
        return sum(users.size(self.items[k]) for k in self.moving)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the states: name of the law, and index."""
        return tuple(
            f"{self.items[k].name}.{n}" for k in self.moving for n in range(users.size(self.items[k]))
        )

    def consistent_states(self, here: Here) -> Any:
        """Return the initial states of users' laws (`states`, *cases). Return None without states."""
        laws_ = self.of(here.equations.scenario)
        return (
            jnp.concatenate([users.initial_states(laws_[k], here.t) for k in self.moving])
            if self.moving
            else None
        )

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Return the rates of change of the states of users' laws (`states`, *cases). For the parameters, see
        `HasState.rates`.
        """
        return jnp.concatenate(
            [users.rates(*self.law_and_view(here, self.items[k].name)) for k in self.moving]
        )

    # --- memory between events

    def switches(self, mechanism: Mechanism, t: Any) -> dict[str, Any]:
        """Return the initial data that each law stores between events or samples, by name of the law. For the
        parameters, see `HasSwitches.switches`.
        """
        found: dict[str, Any] = {}
        for k, law in enumerate(self.of(mechanism.scenario)):
            if is_sampled(law):
                begins = k in self.sampled_laws and law.since is None
                due = t if begins else jnp.full(t.shape, jnp.inf)
                found[law.name] = SAMPLERS[type(law)].nothing(law, t, due)
            elif reversals_of(law) is not None:
                found[law.name] = laws.first_side(law.reversals, t)
        return found

    def continue_from(self, earlier: Persistent, before: Kept, fresh: Kept, discrete: Discrete) -> Kept:
        """Return the states and stored data at the start of a leg, from the preceding leg.

        A law that was used in the preceding leg keeps its data. If a law is newly used, and its event `since`
        occurred in an earlier leg, it takes its first sample at the start of this leg.

        For the parameters, see `Persistent.continue_from`.
        """
        one, found = cast("Guidance", earlier), dict(fresh.switches)
        known = {one.items[k].name for k in (*one.sampled_laws, *one.reversing)}
        for k, law in enumerate(self.items):
            if law.name in found and law.name in known:
                found[law.name] = before.switches[law.name]
            elif k in self.sampled_laws and law.since is not None and one.knows(law.since):
                new, begun = found[law.name], discrete.fired[one.layout.moment(law.since)]
                at = SAMPLERS[type(law)].since(new)
                found[law.name] = new._replace(due=jnp.where(begun, at, new.due))
        return Kept(by_name(self.labels, earlier.labels, before.state, fresh.state), found)

    def knows(self, moment: str) -> bool:
        """Return whether the event table has an event with the name `moment`."""
        return moment in self.layout.moments or moment in self.layout.own_moments

    @cached_property
    def watches(self) -> int:
        """The number of watched values: two for each law with bank reversals, above and below its
        corridor.
        """
        return 2 * len(self.reversing)

    def watched_values(self, here: Here) -> Any:
        """Return the excess of each quantity above its corridor, and the excess below its corridor
        (`watches`, *cases). A value rises through zero when the quantity leaves the corridor.
        """
        found = [laws.beyond_corridor(*self.law_and_view(here, self.items[k].name)) for k in self.reversing]
        return jnp.concatenate(found)

    def watched_armed(self, discrete: Discrete) -> Any:
        """Return which watched values can cause a reversal (`watches`, *cases), bool. During a bank to the
        right, the result is the value above the corridor. During a bank to the left, the result is the value
        below the corridor. For the parameters, see `Watches.watched_armed`.
        """
        rows = []
        for k in self.reversing:
            goal, begun = (
                discrete.own[self.name][self.items[k].name].goal,
                self._begin(self.items[k], discrete)[0],
            )
            rows += [begun & (goal > 0), begun & (goal < 0)]
        return jnp.stack(rows)

    def apply_events(
        self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired
    ):
        """Return the state, and the stored data after bank reversals and after the events at which laws
        begin. For the parameters, see `HasSwitches.apply_events`.
        """
        own = dict(after.own[self.name])
        for n, k in enumerate(self.reversing):
            law = self.of(mechanism.scenario)[k]
            left, right = (fired.watched[self.name][2 * n + way] for way in (0, 1))
            own[law.name] = laws.turned_over(law.reversals, own[law.name], t, left, right)
        for k in self.sampled_laws:
            law = self.items[k]
            begins = self._begin(law, after)[0] & ~self._begin(law, before)[0]
            if law.since is not None:
                kept = own[law.name]
                own[law.name] = kept._replace(due=jnp.where(begins, t, kept.due))
        return x, after.with_own(self.name, own)

    # --- samples

    def events(self, table: EventTable) -> None:
        """Add a condition for the samples of each sampled law to the event table."""
        for n in range(len(self.sampled_laws)):
            table.conditions.append(Condition("due", -1, part=self.name, item=n, at_once=True))

    def sampler_path(self, item: int) -> str:
        """Return the path of a sampled law, for example "guidance.ascent". item: index among the sampled
        laws.
        """
        return f"guidance.{self.items[self.sampled_laws[item]].name}"

    def next_sample_time(self, item: int, discrete: Discrete) -> Any:
        """Return the time of the next sample of a law [s] (*cases). item: index among the sampled laws."""
        return discrete.own[self.name][self.items[self.sampled_laws[item]].name].due

    @property
    def sample_size(self) -> int:
        """The number of inputs of all sampled laws."""
        return sum(SAMPLERS[type(self.items[k])].count(self.items[k]) for k in self.sampled_laws)

    def sample(self, here: Here) -> Any:
        """Return the inputs of all sampled laws, in order (`sample_size`, *cases)."""
        laws = [self.items[k] for k in self.sampled_laws]
        return jnp.concatenate(
            [SAMPLERS[type(law)].seen(*self.law_and_view(here, law.name), here) for law in laws]
        )

    def apply_samples(self, mechanism: Mechanism, t: Any, discrete: Discrete, fired: Fired) -> Discrete:
        """Return the stored data of the laws after the samples that are due. For the parameters, see
        `Sampled.apply_samples`.
        """
        if not self.sampled_laws:
            return discrete
        own, rows, end = dict(discrete.own[self.name]), fired.samples[self.name], 0
        for n, k in enumerate(self.sampled_laws):
            law = self.of(mechanism.scenario)[k]
            sampler, kept = SAMPLERS[type(law)], own[law.name]
            start, end = end, end + sampler.count(law)
            begins = [self._begin(law, discrete)[1]]
            begins += [discrete.event_time[self.layout.moment(moment)] for moment in law.begins]
            new = sampler.sampled(law, mechanism.scenario.planet, kept, t, rows[start:end], begins)
            own[law.name] = chosen(fired.due[self.name][n], new, kept)
        return discrete.with_own(self.name, own)

    # --- at one instant

    def find(self, here: Here) -> Stances:
        """Return the commanded attitudes of the laws, by name."""
        return Stances(self, here)

    def commanded_attitude(self, here: Here) -> CommandedAttitude | None:
        """Return the commanded attitude of a point-mass flight. The law is named by `Scenario.attitude` or by
        the phase. Return None for other flights.
        """
        if not self.steering:
            return None
        law, found = self.items[self._number[self.steering[0]]], None
        for names in self._alike(here):
            stance = (
                laws.stance(*self._seen_by_phase(here, names))
                if len(names) > 1
                else here[self.name][names[0]]
            )
            if found is None:
                found = stance
                continue
            found = _one_of(self._in_phases_of(here, names), stance, found)
        assert found is not None
        return CommandedAttitude(self.layout.bodies.index(law.body), found)

    def _in_phases_of(self, here: Here, names: Sequence[str]) -> Any:
        phases = [k for k, law in enumerate(self.steering) if law in names]
        return reduce(jnp.logical_or, [here.discrete.phase == k for k in phases])

    def _alike(self, here: Here) -> list[list[str]]:
        """Laws that give the attitude, in groups that differ only in numbers. Each group is computed once,
        with the numbers of the phase."""
        ready, found = here.equations.numbers.own[self.name], {}
        for name in dict.fromkeys(self.steering):
            one = ready[self._number[name]]
            # States with cases and numbers without cases occur in NumPy, without compilation.
            alone = here.t.ndim or name in here.discrete.own[self.name] or isinstance(one.law, UserGuidance)
            shapes = [np.shape(leaf) for leaf in jax.tree.leaves(one)]
            key = name if alone else f"{jax.tree.structure(_nameless(one))} {shapes}"
            found.setdefault(key, []).append(name)
        return [*found.values()]

    def _seen_by_phase(self, here: Here, names: Sequence[str]) -> tuple[laws.Ready, View]:
        """Result of `law_and_view` for the law of a group that the phase follows."""
        (ready, view), *others = (self.law_and_view(here, name) for name in names)
        whole, since = _nameless(ready), view.since
        for name, (other, its_view) in zip(names[1:], others, strict=True):
            choose = partial(jnp.where, self._in_phases_of(here, [name]))
            whole, since = jax.tree.map(choose, (_nameless(other), its_view.since), (whole, since))
        law = self.items[self._number[names[0]]]
        return whole, View(here, view.body, since, partial(self._quantity_of, law), None)

    def law_and_view(self, here: Here, name: str) -> tuple[laws.Ready, View]:
        """Return a prepared law and its inputs at one time (`stance.View`). name: name of the law."""
        k = self._number[name]
        law, kept = self.items[k], here.discrete.own[self.name]
        body, since = self.layout.bodies.index(law.body), self._begin(law, here.discrete)
        view = View(here, body, since, partial(self._quantity_of, law), kept.get(name))
        if k in self.moving:
            own = here.own(self.name)
            view.moving = users.reshape(law, own[self.moving[k]])
        return here.equations.numbers.own[self.name][k], view

    def _begin(self, law: Any, discrete: Discrete) -> tuple[Any, Any]:
        """Whether a law's event has occurred, and its time [s] (*cases)."""
        number = 0 if law.since is None else self.layout.moment(law.since)
        return discrete.fired[number], discrete.event_time[number]

    def _quantity_of(self, law: Any, path: str) -> tuple[Quantity, Any]:
        """Quantity that a law uses, and its component. Raises BadInput if the quantity does not exist."""
        from ...quantities.catalogue import lookup

        try:
            return lookup(self.readable, path)
        except KeyError as error:
            raise BadInput(Problem(f"guidance.{law.name}", str(error.args[0]))) from None

    # --- steps

    def breaks(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterable[Break]:
        """Yield the times at which a followed law is not smooth: points of tables over time, ends of pitch
        kicks, and ends of bank changes. For the parameters, see `Part.breaks`.
        """
        own = mechanism.numbers.own[self.name]
        found = []
        for k in self.followed_laws:
            law, begin = self.items[k], self._begin(self.items[k], discrete)[1]
            found += laws.knots_in_time(own[k], begin)
            if k in self.reversing:
                over = laws.side_reached(own[k].law.reversals, discrete.own[self.name][law.name])
                found.append(over[None])
            if isinstance(law, EntryGuidance):
                found.append(drag_tracking.bank_time(own[k].law, discrete.own[self.name][law.name])[None])
        return [Break(times, "corner") for times in found]

    def kink_locations(self, here: Here) -> Iterable[Any]:
        """Return the location of each table variable of followed laws among the kinks of its table
        (*cases).
        """
        return [
            p for k in self.followed_laws for p in laws.places(*self.law_and_view(here, self.items[k].name))
        ]

    def table_intervals(self, here: Here) -> Iterable[Any]:
        """Return the interval between table points for each table variable of followed laws."""
        return [
            f for k in self.followed_laws for f in laws.features(*self.law_and_view(here, self.items[k].name))
        ]

    # --- quantities -------

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each law, by path."""
        return {
            f"guidance.{law.name}": partial(quantities, self, law)
            for law in self.items
            if law.body in self.layout.bodies
        }


def _nameless(ready: laws.Ready) -> laws.Ready:
    """Law without its names, for the comparison with laws of equal structure."""
    return ready._replace(law=with_values(ready.law, name="", since=None))


def _one_of(first: Any, one: Stance, other: Stance) -> Stance:
    """Attitude `first` in some cases (*cases), another attitude in the rest. The rate is None if the rate of
    either attitude is unknown."""
    spins = (jnp.zeros((3, *jnp.shape(first))) if each.spin is None else each.spin for each in (one, other))
    rotation = None
    if one.by_matrix or other.by_matrix:
        rotation = jnp.where(first, one.rotation, other.rotation)
    return Stance(
        lambda: jnp.where(first, one.quaternion, other.quaternion), jnp.where(first, *spins), rotation
    )
