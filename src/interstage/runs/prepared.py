"""Prepare a scenario or mission: check and compile it once, and run it repeatedly with different values.

    prepared = scenario.prepare()
    for mass in (900, 950, 1000):
        flight = prepared.run({"bodies.payload.mass": mass})

The first run compiles the programs. Later runs use the same programs, because the values of a scenario are
arguments of the programs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..maths.arrays import jax
from ..missions.leg import MissionLeg
from ..missions.mission import Mission
from ..programs.program import Program, program_for
from ..programs.progress import Progress, progress_reports
from ..programs.targets import Target, clashes, targets_of
from ..record.results import Flight
from ..stepper.problem import RUNNING
from ..tree.errors import BadInput, Problem
from ..tree.unit_names import UnitError
from . import mission as legs
from .cases import together
from .run import Flown, flown, fly_leg, of_flight, recorded_steps, rows_at_once, start, with_look_ups

if TYPE_CHECKING:
    from ..scenario import Scenario

ROWS = 2048
"""Maximum number of states that one call of the program returns."""
Steps = tuple[np.ndarray, np.ndarray, Any]
"""Integration steps of a flight: times (rows,) [s], states (rows, n) and the final state of the
integration.
"""


class Prepared:
    """Scenario or mission prepared for repeated runs with different values; see the module for an example.

    scenario: the unmodified scenario."""

    def __init__(self, scenario: Scenario):
        self.scenario = scenario
        self._programs: dict[str, Program] = {}

    def run(
        self, changes: Mapping[str, Any] | None = None, progress: Progress | bool | None = False
    ) -> Flight:
        """Run the scenario with changed values, and return the flight.

        - changes: new values by path: numbers in SI units, or texts with units. Allowed paths are the
          paths of `Scenario.sweep`. Changes of an earlier run do not apply. Default: no changes.
        - progress: as in `Scenario.run`. Default: False.

        Raises BadInput if a path does not name a value of the scenario, if a value is not allowed, or if the
        initial state is not consistent.
        """
        scenario, noticed = with_look_ups(self.with_changes(changes or {}))
        with progress_reports(progress) as told:
            mission = Mission.of(scenario)
            found = self._flights(mission, partial(fly_leg, progress=told, often=True), noticed)
            return Flight(legs.mission_record(mission, *found))

    def fly(self, changes: Mapping[str, Any] | None = None) -> Any:
        """Run the scenario with changed values, and return only the integration steps (`Steps`), without a
        record.

        For a mission, the result has the steps of each flown leg, by name of the leg. changes and exceptions:
        as in `run`.
        """
        if not Mission.of(self.scenario).has_legs:
            return self._steps(*(self._begins(changes) if changes else self._declared_begin))
        scenario, _ = with_look_ups(self.with_changes(changes or {}))
        found, _ = self._flights(Mission.of(scenario), _only_flown, [])
        return {leg: (one.track.t, one.track.x, one.cursor) for leg, one in found.items()}

    def with_changes(self, changes: Mapping[str, Any]) -> Scenario:
        """Return the scenario with changed values. Raises BadInput with all faults of the changes.

        changes: see `run`.
        """
        if not isinstance(changes, Mapping) or not all(isinstance(path, str) for path in changes):
            raise BadInput(
                f"changes must be a mapping of paths to numbers, such as {{'bodies.stage.mass': 12.0}}, not"
                f" {changes!r:.60}"
            )
        named: list[tuple[str, Target]] = []
        problems: list[Problem] = []
        leaves: dict[str, np.ndarray] = {}
        for path, raw in changes.items():
            try:
                own = targets_of(self.scenario, path, path)
                named += [(path, target) for target in own]
                for target in own:
                    leaf = leaves.setdefault(target.path, np.array(target.leaf, float))
                    leaf[target.index or ...] = target.read(raw, single=True)
            except BadInput as error:
                problems += error.problems
            except UnitError as error:
                problems.append(Problem(path, str(error)))
        for path, other, _ in clashes(self.scenario, named):
            problems.append(
                Problem(path, f"the same value is also changed by '{other}'. Remove one of the two changes")
            )
        if problems:
            raise BadInput(dict.fromkeys(problems))
        return together(self.scenario, leaves)

    def _program(self, leg: MissionLeg) -> Program:
        """Return the compiled program of a leg."""
        if leg.name not in self._programs:
            self._programs[leg.name] = of_flight(leg.scenario)
        return self._programs[leg.name]

    def _flights(
        self, mission: Mission, fly: Callable[..., Flown], noticed: list[str]
    ) -> tuple[dict[str, Flown], dict[str, str]]:
        """Return the flown legs of a mission, and the reason for each leg that was not flown.

        - fly: function of a program, a scenario and a start that runs one leg.
        - noticed: warnings for the first leg."""

        def one(leg: MissionLeg, parent: Flown | None) -> Flown:
            clock = time.perf_counter()
            program = self._program(leg)
            first = legs.leg_start(leg, parent, program)
            if leg.first:
                first = first._replace(warnings=noticed + first.warnings)
            return fly(program, leg.scenario, first, clock=clock)

        return legs.fly_each(mission, mission.parents, one)

    @cached_property
    def program(self) -> Program:
        """Return the program that `fly` uses for a scenario without legs."""
        scenario, _ = with_look_ups(self.scenario)
        return program_for(scenario, (), recorded_steps(scenario), rows_at_once(scenario, ROWS))

    @cached_property
    def _declared_begin(self) -> tuple[Any, Any]:
        return self._begins({})

    def _begins(self, changes: Mapping[str, Any]) -> tuple[Any, Any]:
        """Return the arguments of the program for one flight, and its initial state."""
        scenario, _ = with_look_ups(self.with_changes(changes))
        first = start(self.program, scenario)
        cursor = self.program.cursor(scenario, first.reference, 0.0, first.x, first.discrete)
        return jax.device_put(((scenario, first.reference, 0.0), cursor))

    def _steps(self, arguments: Any, cursor: Any) -> Steps:
        parts = []
        while not parts or int(cursor.status) == RUNNING:
            cursor, last, *found, count = self.program.states(*arguments, cursor)
            number = int(count)
            parts.append([np.asarray(leaf)[:number] for leaf in found])
        times, states = parts[0] if len(parts) == 1 else map(np.concatenate, zip(*parts, strict=True))
        return times, states, cursor._replace(x=last)


def _only_flown(program: Program, scenario: Any, first: Any, clock: float) -> Flown:
    return flown(program, scenario, first, often=True)
