"""Outputs of a flight as a function of scenario values, with exact derivatives.

    pushed = Pushed(scenario, {path: targets_of(scenario, path, path)}, [Output("time", at="apart")])
    point = pushed.at(pushed.nominal)  # flies: point.values
    slopes = pushed.jacobian(point)  # (output, input)

A mission is simulated leg by leg. The derivatives of the final state and time of a leg continue into the next
leg. Programs are compiled only once for each scenario structure. Other values, flight lengths and outputs use
the same programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np

from ..missions.leg import MissionLeg
from ..missions.mission import Mission
from ..missions.names import title_of
from ..programs.compiled import Wait, listening, meant_for
from ..programs.program import Program, program_for
from ..programs.progress import foretold
from ..programs.targets import Target
from ..quantities import missions as of_moments
from ..record import across
from ..record.legs import of as followed
from ..record.record import Record
from ..record.requirements import value_of
from ..runs import mission as legs
from ..runs.ahead import Ahead, to_compile
from ..runs.ahead import make_in_parallel as made_beside
from ..runs.run import ROWS_AT_ONCE, Flown, resolve_scenario, rows_at_once
from ..runs.switching import new_labels
from ..starts.events import event_names
from ..tree.addresses import replace_leaf
from ..tree.errors import BadInput, Problem
from ..tree.similar_names import near
from ..tree.unit_names import UnitError
from . import concurrent as beside
from . import nodes as joining
from .directions import Directions, Flying
from .nonsmooth import with_kink
from .replay_plan import Moment
from .stage import Output, Pushing, Stage


@dataclass
class Point:
    """Result of one flight with the inputs z (input,) [SI].

    - scenario: scenario with these inputs.
    - values: (output,), NaN if the flight does not have the value.
    - why: (output,), reason for each missing value, otherwise None.
    - places: (output,), leg and point of the flight at which each output is evaluated.
    - flights: flown legs by name; the name is "" without legs.
    - unflown: reason for each leg that was not flown, by name.
    """

    z: np.ndarray
    scenario: Any
    values: np.ndarray
    why: list[str | None]
    places: list[tuple[str, Moment] | None]
    flights: dict[str, Flown]
    unflown: dict[str, str]
    handed: dict[str, np.ndarray] = field(default_factory=dict)
    """Position [m] and velocity [m/s] (6,) of the first body at the end of the leg before each node, by name
    of the node.
    """

    @cached_property
    def record(self) -> Record:
        """Return the record of the flight or mission. The record is created on first access."""
        return legs.mission_record(Mission.of(self.scenario), self.flights, self.unflown)

    @property
    def interrupted(self) -> bool:
        """Return whether the user interrupted the flight (Ctrl-C)."""
        flights = self.flights.values()
        return any(one.interrupted for one in flights) or legs.INTERRUPTED in self.unflown.values()


class Pushed:
    """Outputs of a scenario or mission as a function of selected scenario values; see the module for an
    example.

    - inputs: targets of each input by its path, see `targets.targets_of`. All targets of a path have
      the same unit and shape, and change together.
    - outputs: quantities to compute.
    - times: expected number of flights with derivatives. For many steps in total, programs are
      compiled that take three times as long to compile and run four times as fast.
    - others: additional quantities that are read from the records of the flights.
    - nodes: position and velocity (6,) of each mission leg that is a node, by name of the leg; see
      `nodes`. The nodes are inputs that follow all other inputs. The gaps are values that follow the
      outputs.

    Only the mission legs that the outputs need are simulated. Raises BadInput for outputs that do not exist.
    """

    def __init__(
        self,
        scenario: Any,
        inputs: Mapping[str, Sequence[Target]],
        outputs: Sequence[Output],
        times: int = 1,
        others: Sequence[Output] = (),
        nodes: Mapping[str, np.ndarray] = MappingProxyType({}),
    ):
        self.scenario = resolve_scenario(scenario)
        self.mission = Mission.of(self.scenario)
        self.parents = _parents(self.mission, (*outputs, *others))
        self.outputs = tuple(outputs)
        self.names, self._moves = _number_inputs(inputs)
        self.nodes = {leg: len(self.names) + joining.SIZE * k for k, leg in enumerate(nodes)}
        self.nominal = np.array([float(targets[0].nominal) for targets in self._moves])
        self.nominal = np.concatenate([self.nominal, *nodes.values()])
        self.names += [f"node {leg} {label}" for leg in nodes for label in joining.LABELS]
        self._directions = Directions([*self._moves, *([()] * (joining.SIZE * len(nodes)))])
        self.stages = {leg: self._stage(leg, times) for leg in self.parents}
        self._pairs = _pairs(self.scenario, self.outputs)
        self._differentiated, self._known = False, not self.mission.has_legs
        self._legs = _legs_of_outputs(self.mission, self.outputs, self.stages)

    def _stage(self, leg: str, times: int) -> Stage:
        of = partial(_leg, leg=leg)
        own = of(self.scenario)
        return Stage(Flying(_program(own), of), self.scenario, leg, times)

    # --- values

    def at(self, z: np.ndarray) -> Point:
        """Simulate the flight with the inputs z (input,) [SI], and return the result.

        Raises BadInput if the scenario does not allow a value, or if the initial state is not consistent.
        """
        z = np.array(z, float)
        scenario = self._with(z)
        mission = Mission.of(scenario)
        handed: dict[str, np.ndarray] = {}
        with Ahead(mission, self.parents, legs.start_after_parent, _program) as ahead, self._foretold():
            fly = partial(self._flown, z, handed, ahead)
            flights, unflown = legs.fly_each(mission, self.parents, fly)
        count = len(self.outputs) + joining.SIZE * len(self.nodes)
        values = np.full(count, np.nan)
        point = Point(z, scenario, values, [None] * count, [None] * count, flights, unflown, handed)
        for k in range(len(self.outputs)):
            if k in self._pairs:
                self._read_pair(point, k)
            else:
                self._look(point, k)
        self._read(point)
        self._read_gaps(point)
        return point

    def _flown(
        self,
        z: np.ndarray,
        handed: dict[str, np.ndarray],
        ahead: Ahead,
        leg: MissionLeg,
        parent: Flown | None,
    ) -> Flown:
        name = leg.name
        ahead.ready(name)
        stage = self.stages[name]
        program = stage.program
        first = legs.leg_start(leg, parent, program)
        if name in self.nodes:
            handed[name] = joining.motion(first.x, program.layout.count)
            first = first._replace(x=joining.place_first(first.x, program.layout, z[self._columns(name)]))
        with ahead.compile_later(name, program, leg.scenario, first):
            return stage.flown(leg.scenario, first)

    @contextmanager
    def _foretold(self) -> Iterator[None]:
        """At the first flight of a mission: as the first program is compiled, state what of all will be."""

        def heard(told: Wait) -> None:
            if not told.over and not self._known:
                self._known = True
                programs = {title_of(leg): one.program for leg, one in self.stages.items()}
                foretold(to_compile(programs))

        if self._known:
            yield
            return
        with listening(heard, first=True):
            yield
        self._known = True

    def _columns(self, leg: str) -> np.ndarray:
        """The inputs that a node is."""
        return self.nodes[leg] + np.arange(joining.SIZE)

    def _gaps(self, leg: str) -> slice:
        """The values that are the gaps of a node."""
        first = len(self.outputs) + joining.SIZE * [*self.nodes].index(leg)
        return slice(first, first + joining.SIZE)

    def _read_gaps(self, point: Point) -> None:
        for leg in self.nodes:
            rows = self._gaps(leg)
            if leg in point.handed:
                point.values[rows] = point.handed[leg] - point.z[self._columns(leg)]
            else:
                why = f"leg '{leg}' was not flown: {point.unflown[leg]}"
                point.why[rows] = [why] * joining.SIZE

    def _read_pair(self, point: Point, k: int) -> None:
        """Find the value of an output of two bodies in concurrent legs."""
        output = self.outputs[k]
        try:
            followed(point.record, output.quantity, output.at)
            point.values[k] = value_of(point.record, output)
        except BadInput as error:
            point.why[k] = error.problems[0].message
        if not np.isfinite(point.values[k]):
            point.why[k] = point.why[k] or point.record.outcome

    def _look(self, point: Point, k: int) -> None:
        """Find where an output is in a flight; of an extreme its value, too."""
        output, best = self.outputs[k], -np.inf
        for leg in self._legs[k]:
            if leg not in point.flights:
                point.why[k] = point.why[k] or f"leg '{leg}' was not flown: {point.unflown[leg]}"
                continue
            stage, one = self.stages[leg], point.flights[leg]
            if output.take is None:
                assert output.at is not None
                found = stage.moment(output.at, output.side, one)
                if isinstance(found, Moment):
                    point.places[k], point.why[k] = (leg, found), None
                    return
                point.why[k] = point.why[k] or found
                continue
            value, found = stage.extreme(output, one)
            if not isinstance(found, Moment):
                point.places[k], point.why[k], point.values[k] = None, found, np.nan
                return
            worth = -value if output.take == "min" else value
            if worth > best:
                best, point.values[k] = worth, value
                point.places[k], point.why[k] = (leg, found), None

    def _read(self, point: Point) -> None:
        """Find the values that are no extremes."""
        for leg, one in point.flights.items():
            rows, moments = [], []
            for k, place in enumerate(point.places):
                if place is not None and place[0] == leg and self.outputs[k].take is None:
                    rows.append(k)
                    moments.append(place[1])
            if not rows:
                continue
            times, values = self.stages[leg].values(one, [self.outputs[k].quantity for k in rows], moments)
            for k, time, value in zip(rows, times, values, strict=True):
                point.values[k] = value
                if not np.isfinite(value):
                    why = f"{self.outputs[k].quantity} is not a finite number at {time:.9g} s"
                    point.places[k], point.why[k] = None, why

    # --- derivatives

    def jacobian(self, point: Point) -> np.ndarray:
        """Return the derivatives (output, input) of the values of a point [SI]. The derivatives are NaN for
        missing values.

        The derivatives include the motion of events and the changes of preceding legs. The derivative of an
        extreme is taken at its time (envelope theorem). If two extremes are equal, the first is used.

        Raises BadInput if an input moves an event relative to a simultaneous jump of a table. Raises BadInput
        if a leg starts with a value that is computed only after the preceding leg has ended.
        """
        slopes = np.full((len(point.values), len(self.names)), np.nan)
        asked: dict[str, dict[Any, tuple[str, Moment]]] = {}
        for k, place in enumerate(point.places):
            if place is not None:
                asked.setdefault(place[0], {})[k] = self.outputs[k].quantity, place[1]
        if not self.names:
            return slopes
        pairs = {k: self._parts(point, k) for k in self._pairs if np.isfinite(point.values[k])}
        for part in (part for listed in pairs.values() for part in listed):
            asked.setdefault(part.leg, {})[part] = part.quantity, part.moment
        pushed: dict[str, Pushing] = {}
        for leg in self.nodes:
            if leg in point.handed:
                asked.setdefault(leg, {})
        needed = self._needed_legs(asked)
        goes_on = {self.parents[leg] for leg in needed if self.parents[leg]}
        for leg, own in asked.items():
            asked[leg] = {k: (name, with_kink(point.flights[leg], name, m)) for k, (name, m) in own.items()}
        if len(needed) > 1 and not self._differentiated:
            self._make(point, needed, asked, goes_on)
        self._differentiated = True
        for leg in needed:
            with meant_for(title_of(leg)):
                pushed[leg] = self._push_leg(point, leg, pushed, asked.get(leg, {}), leg in goes_on, slopes)
            for k, slope in pushed[leg].slopes.items():
                if not isinstance(k, beside.Part):
                    sign = np.sign(point.values[k]) if self.outputs[k].take == "largest" else 1.0
                    slopes[k] = sign * slope
        found: dict[Any, np.ndarray] = {}
        for one in pushed.values():
            found |= one.slopes
        for k, listed in pairs.items():
            self._refuse_ties(point, k, found, listed)
            slopes[k] = beside.slopes(self._pairs[k], point.record, found, listed)
        return slopes

    def _make(
        self, point: Point, needed: Sequence[str], asked: Mapping[str, Mapping[Any, Any]], ends: set[str]
    ) -> None:
        """Have the programs of the derivatives of legs made, side by side."""
        making: dict[str, Any] = {}
        for leg in needed:
            if not asked.get(leg) and leg not in ends:
                continue
            stage, one = self.stages[leg], point.flights[leg]
            moved = self.parents[leg] in making or leg in self.nodes or bool(asked.get(leg))
            if moved or stage.moves(point.scenario, self._directions, one, first=not self.parents[leg]):
                some = asked.get(leg, {}), leg in ends
                stage.refuse(one, *some)
                making[leg] = partial(stage.compile_push, point.scenario, self._directions, one, *some)
        if len(making) > 1:
            made_beside(making)

    def _refuse_ties(
        self, point: Point, k: int, found: Mapping[beside.Part, np.ndarray], listed: beside.Parts
    ) -> None:
        """Raise BadInput where an input moves the event of an output of two bodies against a jump of the
        other one at the same time."""
        pair = self._pairs[k]
        text = (
            f"there is no derivative: the input moves the event '{pair.at}' relative to a discontinuity of"
            f" body '{pair.other(listed.body)}' at the same time, {listed.when:g} s."
            " Separate the two times, or use an input that moves both times"
        )
        apart = beside.jump_directions(pair, point.record, found, listed)
        if apart.size:
            raise BadInput(Problem(self.names[n], text) for n in apart)

    def _parts(self, point: Point, k: int) -> beside.Parts:
        """What the changes of an output of two bodies in concurrent legs follow from."""
        return beside.parts(self._pairs[k], point.record, self.stages, point.flights)

    def _needed_legs(self, asked: Mapping[str, Any]) -> list[str]:
        """Legs of which something is asked, and those that lead to them, in order."""
        return [leg for leg in self.mission.leading_to(asked) if leg in self.parents]

    def _push_leg(
        self,
        point: Point,
        leg: str,
        pushed: Mapping[str, Pushing],
        asked: Mapping[Any, tuple[str, Moment]],
        ends: bool,
        slopes: np.ndarray,
    ) -> Pushing:
        stage, one, parent = self.stages[leg], point.flights[leg], self.parents[leg]
        if not parent:
            begun = stage.start_changes(point.scenario, self._directions, one)
        else:
            self._refuse_sums(leg, parent, one)
            earlier = self.stages[parent]
            table = legs.events_of_parent(self.mission.leg(leg), earlier.program.table)
            begun = stage.handed_over_changes(
                point.scenario, self._directions, one, earlier, table, pushed[parent]
            )
        if leg in self.nodes:
            columns = self._columns(leg)
            begun, gap = joining.start_changes(begun, stage.program.layout, columns)
            gap[np.arange(joining.SIZE), columns] -= 1.0
            slopes[self._gaps(leg)] = gap
        found = stage.push(point.scenario, self._directions, one, begun, asked, ends)
        if found.apart:
            raise BadInput(
                Problem(
                    self.names[k],
                    "there is no derivative: the input moves a start or an event relative to a table that"
                    f" begins or ends with a discontinuity at the same time, {time:g} s. With fixed steps,"
                    " such a discontinuity or a corner of a mass flow in the same step also prevents"
                    " derivatives. Separate the two times, let the table rise or fall in a short time, or use"
                    " an adaptive method",
                )
                for k, time in found.apart.items()
            )
        return found

    def _refuse_sums(self, leg: str, parent: str, one: Flown) -> None:
        """Raise BadInput if a leg begins with an integral that was computed after the preceding leg."""
        layouts = (self.stages[name].program.layout for name in (parent, leg))
        new = [label for labels in new_labels(*layouts).values() for label in labels]
        sums = one.first.integrals() if new else {}
        carried = [label for label in new if sums.get(label, 0.0)]
        if carried:
            text = (
                f"there is no derivative: leg '{leg}' begins with '{carried[0]}', which is computed only"
                f" after leg '{parent}'. Use '{carried[0]}' also in an event of leg '{parent}'"
            )
            raise BadInput(Problem(f"legs.{parent}", text))

    def _with(self, z: np.ndarray) -> Any:
        """The scenario with the inputs z."""
        leaves: dict[str, tuple[Target, np.ndarray]] = {}
        count = len(self._moves)
        for value, nominal, targets in zip(z[:count], self.nominal[:count], self._moves, strict=True):
            for k, own in enumerate(targets):
                whole = leaves.setdefault(own.path, (own, np.array(own.leaf, float)))[1]
                whole[own.index] = value if k == 0 else own.nominal + (value - nominal)
        changed, problems = self.scenario, []
        for path, (own, whole) in leaves.items():
            try:
                changed = replace_leaf(changed, path, own.marker(whole))
            except UnitError as error:
                problems.append(Problem(path, str(error)))
        if problems:
            raise BadInput(problems)
        return changed


def _parents(mission: Mission, outputs: Sequence[Output]) -> dict[str, str]:
    """The legs that outputs need, in order, each with its preceding leg. All legs if one of these is
    uncertain."""
    scenario, pairs = mission.scenario, _pairs(mission.scenario, outputs)
    wanted = [
        beside.legs_of(scenario, pairs[k])
        if k in pairs
        else of_moments.meant(scenario, mission.chain(one.quantity), one)
        for k, one in enumerate(outputs)
    ]
    if not (wanted and all(wanted)):
        return mission.parents
    return mission.leading_to(leg for some in wanted for leg in some)


def _pairs(scenario: Any, outputs: Sequence[Output]) -> dict[int, beside.Pair]:
    """Outputs of two bodies in concurrent legs, by number."""
    found = {k: beside.pair(scenario, one) for k, one in enumerate(outputs)}
    return {k: pair for k, pair in found.items() if pair is not None}


def _program(own: Any) -> Program:
    """The program of a leg, or of a whole flight, which records each step."""
    return program_for(own, capacity=rows_at_once(own, ROWS_AT_ONCE))


def _leg(scenario: Any, leg: str) -> Any:
    return Mission.of(scenario).leg(leg).scenario


def _number_inputs(inputs: Mapping[str, Sequence[Target]]) -> tuple[list[str], list[list[Target]]]:
    """Names of the single numbers of inputs, and what moves with each."""
    names, moves = [], []
    for path, targets in inputs.items():
        for place in np.ndindex(targets[0].nominal.shape):
            names.append(path + (f"[{', '.join(map(str, place))}]" if place else ""))
            moves.append([replace(own, index=own.index + place) for own in targets])
    return names, moves


def _legs_of_outputs(
    mission: Mission, outputs: Sequence[Output], stages: Mapping[str, Stage]
) -> list[tuple[str, ...]]:
    """The legs in which each output may be. Raises BadInput with all that is wrong."""
    scenario, events, phases = mission.scenario, event_names(mission), mission.phase_names
    found: list[tuple[str, ...]] = []
    problems: list[Problem] = []
    for output in outputs:
        name, wrong = output.quantity, len(problems)
        if across.named_pair(scenario, output) is not None:
            problems += [Problem("of", text) for text in beside.faults(scenario, output)]
            found.append(())
            continue
        legs_of_it: tuple[str, ...] = ()
        try:
            legs_of_it = of_moments.known_in(scenario, name)
            quantity, component = stages[legs_of_it[0]].chosen(name)
            if component is None and quantity.meta.components:
                text = (
                    f"'{name}' is a vector. Use one of its components {', '.join(quantity.meta.components)}"
                )
                problems.append(Problem("of", text))
        except KeyError as error:
            problems.append(Problem("of", error.args[0]))
        if output.at is not None and output.at not in events:
            problems.append(Problem("at", f"there is no event '{output.at}'; {near(output.at, events)}"))
        if output.during is not None and output.during not in phases:
            text = f"there is no phase '{output.during}'; {near(output.during, phases)}"
            problems.append(Problem("during", text))
        if (output.at is None) == (output.take is None) or (output.at and output.during):
            text = (
                f"'{name}' needs either 'at' (an event) or 'take' (an extreme). Set 'during' with 'take' only"
            )
            problems.append(Problem("at", text))
        if len(problems) == wrong:
            why = of_moments.not_known(scenario, legs_of_it, output)
            problems += [Problem("at", why)] if why else []
            legs_of_it = of_moments.meant(scenario, legs_of_it, output)
        found.append(legs_of_it)
    if problems:
        raise BadInput(problems)
    return found
