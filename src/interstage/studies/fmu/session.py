"""Run a flight that a host simulator advances in steps. Inputs can change between the steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...engine.quantity import scalar
from ...maths.arrays import jax
from ...observation.observation import outcome
from ...programs.targets import targets_of
from ...quantities.catalogue import catalogue, lookup
from ...runs.prepared import Prepared
from ...runs.run import Flown, flown, of_flight, start, with_look_ups
from ...starts.run_start import RunStart
from ...tree.errors import BadInput, FlightEnded, Problem
from ...tree.sentences import count_text

SETTLED = {
    **dict.fromkeys(("bodies", "joints", "planet", "gravity", "phases", "events"), "is fixed at the start"),
    **dict.fromkeys(("solver", "output", "requirements"), "is a setting of the solver or the output"),
}
"""Groups of scenario inputs that cannot change during a flight, with the reason."""


class Session:
    """A flight that a host simulator advances in steps.

    - inputs: paths of scenario inputs that can change at every step.
    - parameters: paths of scenario inputs that can change before the start.
    - outputs: paths of output quantities, or of components of quantities.

    Raises BadInput with all problems.
    """

    def __init__(
        self, scenario: Any, inputs: Sequence[str], parameters: Sequence[str], outputs: Sequence[str]
    ):
        if scenario.legs:
            raise BadInput(
                Problem(
                    "legs", "a mission with legs cannot be exported as an FMU. Export the scenario of one leg"
                )
            )
        self.scenario, self._prepared = scenario, Prepared(scenario)
        self.inputs, self.given = tuple(inputs), (*inputs, *parameters)
        single = _single(scenario, self.given, set(inputs))
        self.starts, self.given_units = [value for value, _ in single], [unit for _, unit in single]
        known = catalogue(scenario)
        self._chosen, self.units = [], []
        problems = []
        for path in outputs:
            try:
                quantity, part = lookup(known, path)
            except KeyError as error:
                problems.append(Problem("output", str(error.args[0])))
                continue
            if part is None and quantity.meta.components:
                text = f"the output '{path}' has {count_text(len(quantity.meta.components), 'components')}"
                fix = f"Give one component, for example '{path}.{quantity.meta.components[0]}'"
                problems.append(Problem("output", f"{text}. {fix}"))
            self._chosen.append((quantity, part))
            self.units.append(quantity.meta.unit)
        names = [*self.given, *outputs]
        problems += [
            Problem(name, f"'{name}' is listed twice in inputs, parameters and outputs. Keep the name once")
            for name in dict.fromkeys(names)
            if names.count(name) > 1
        ]
        if "time" in outputs:
            text = "the output 'time' is already a variable of each FMU. Remove the output 'time'"
            problems.append(Problem("output", text))
        if not outputs:
            problems.append(
                Problem("output", "the list of outputs is empty. Give at least one output quantity")
            )
        if problems:
            raise BadInput(problems)
        self.outputs = tuple(outputs)

    def begin(self, values: Sequence[float]) -> list[float]:
        """Start the flight with values of all inputs and parameters [SI], and return the outputs [SI]."""
        self._scenario, _ = with_look_ups(self._with(values, None))
        self._program = of_flight(self._scenario)
        self._now = start(self._program, self._scenario)
        self.ended = ""
        return self._values(self._now.time, self._now.x, self._now.discrete)

    def advance(self, until: float, values: Sequence[float]) -> list[float]:
        """Continue the flight to the time `until` [s] with new values of the inputs and parameters [SI].
        Return the outputs [SI].

        If the flight ends earlier, the outputs are for its end, and `ended` describes the end. Raises
        FlightEnded if the flight cannot continue.
        """
        self._scenario, _ = with_look_ups(self._with(values, until))
        one = flown(self._program, self._scenario, self._now)
        t, x, discrete = self._stopping_point(one)
        text, completed = outcome(one.cursor, False, one.program.table)
        late = bool(one.cursor.discrete.late)
        if not (completed or late):
            raise FlightEnded(text)
        self.ended = "" if late else text
        self._now = RunStart(t, x, discrete, self._now.reference, [], [], step=float(one.cursor.step))
        return self._values(t, x, discrete)

    def _stopping_point(self, one: Flown) -> tuple[float, Any, Any]:
        """Time, state and switches where a flight stopped: at the time limit, or at its own end."""
        if not bool(one.cursor.discrete.late):
            return float(one.cursor.t), one.cursor.x, one.cursor.discrete
        return (
            float(one.track.t_end[-1]),
            one.track.x_end[-1],
            jax.tree.map(lambda a: a[-1], one.track.discrete),
        )

    def _with(self, values: Sequence[float], until: float | None) -> Any:
        changes: dict[str, Any] = dict(zip(self.given, values, strict=True))
        if until is not None:
            changes["solver.time_limit"] = until
        return self._prepared.with_changes(changes)

    def _values(self, t: float, x: Any, discrete: Any) -> list[float]:
        chosen = self._chosen

        def values(mechanism: Any, t: Any, x: Any, discrete: Any) -> list[Any]:
            here = mechanism.here(t, x, discrete)
            return [np.broadcast_to(scalar(quantity, part, here), t.shape) for quantity, part in chosen]

        cases = jax.tree.map(lambda a: np.asarray(a)[..., None], (t, x, discrete))
        found = self._program.of_samples(values)(self._scenario, self._now.reference, *cases)
        return [float(each[0]) for each in found]


def _single(scenario: Any, paths: Sequence[str], changing: set[str]) -> list[tuple[float, str]]:
    """The scenario's values of single numbers, and their units. Raises BadInput."""
    problems, found = [], []
    for path in paths:
        group = path.partition(".")[0]
        if path in changing and group in SETTLED:
            text = f"the input '{path}' {SETTLED[group]} and cannot change in flight. Use --parameter {path}"
            problems.append(Problem("input", text))
            continue
        try:
            targets = targets_of(scenario, path, path)
        except BadInput as error:
            problems += error.problems
            continue
        if len(targets) != 1 or targets[0].nominal.size != 1:
            problems.append(
                Problem(
                    path,
                    f"'{path}' has several numbers. Give the path of one number, for example '{path}[0]'",
                )
            )
            continue
        found.append((float(targets[0].nominal.reshape(())), targets[0].marker.unit))
    if problems:
        raise BadInput(problems)
    return found
