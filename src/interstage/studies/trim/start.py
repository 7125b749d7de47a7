"""Evaluate the start of a scenario as a function of unknowns, with exact derivatives.

No flight and no compilation are needed. NumPy computes the start and closes the joints. The equations are
evaluated with dual numbers, one direction for each unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...diagnosis.excursions import left_at
from ...engine.joints_at_once import JointsAtOnce
from ...formulations.joint_motion import cut_rows
from ...linear import reduction
from ...linear.behind import part_names
from ...linear.coordinates import Coordinate, Tree
from ...linear.equations import Equations, Place
from ...linear.points import course_of
from ...linear.system import System
from ...maths import rotations
from ...maths.arrays import jax, jnp
from ...missions.mission import Mission
from ...runs.run import resolve_scenario, start
from ...sensitivities.directions import Changing, Directions, changing
from ...starts.consistency import OpenJoints
from ...starts.start import parts_begun
from ...tree.addresses import replace_leaf
from ...tree.errors import BadInput, Problem
from ..linearize.result import STILL
from ..optimization.variables import Unknown, leaves

STEPS, ALTERNATIONS, CORRECTIONS = 6, 8, 3
"""Numbers of steps that set joint coordinates in closed loops.

- STEPS: steps of the coordinates to their values, which avoid a snap-through.
- ALTERNATIONS: largest number of repetitions.
- CORRECTIONS: final Newton corrections of the loops. A remaining difference of a coordinate is allowed,
  because the coordinate is an unknown.
"""
ROUNDINGS = 10.0
"""Number of roundings of each component of a state, in the worst combination, that define the rounding error
of results.
"""
ORDERS = 4
"""Largest number of first-order lags in series that are followed to find model states that will accelerate
bodies later.
"""
STRUCK = 1e-9
"""Change of the state [SI] by events at the start that counts as rounding. A larger change is an impact."""


class Given(NamedTuple):
    """A joint coordinate, or its rate, whose value replaces the value of the scenario. `rate` is true for
    the rate.
    """

    coordinate: Coordinate
    rate: bool

    @property
    def name(self) -> str:
        """Return the name of the coordinate or rate."""
        return self.coordinate.rate if self.rate else self.coordinate.name

    @property
    def unit(self) -> str:
        """Return the SI unit of the coordinate or rate."""
        return self.coordinate.unit + ("/s" if self.rate else "")


class VariedStart(NamedTuple):
    """A start with derivatives along directions.

    - scenario: the scenario.
    - state, discrete, reference, gap: state, switches, references, and declared constraint errors, each with
      derivatives.
    - moved (body,): displacement of each body from its declared pose by closing the joints [m, rad].
    - directions: the directions of the derivatives.
    """

    scenario: Any
    state: Changing
    discrete: Changing
    reference: Changing
    gap: Changing
    moved: np.ndarray
    directions: Directions


class Start:
    """Start of a scenario, or of the leg that begins a mission.

    If `open_too` is true, joints may be declared with position errors. The attribute `open` is then the
    problem of these joints. Raises BadInput if the scenario has no start that a trim can change.
    """

    def __init__(self, scenario: Any, leg: str | None = None, open_too: bool = False):
        self.mission = resolve_scenario(scenario)
        mission = Mission.of(self.mission)
        leg = mission.first.name if leg is None and mission.has_legs else leg
        self.course = course_of(self.mission, leg)
        if not mission.leg(self.course.leg).first:
            text = (
                f"the preceding leg determines the start of leg '{leg}', so that this start cannot be trimmed"
            )
            raise BadInput(Problem("leg", f"{text}. Trim the leg that begins the mission"))
        self.system = System(self.course, [], [], "body", [])
        self.program, self.layout = self.system.program, self.system.layout
        self.open: OpenJoints | None = None
        first = self._first(open_too)
        self.discrete = self.settle(self.mission, first)
        self.tree = Tree(self.layout, np.asarray(self.discrete.mode), "body")

    def _first(self, open_too: bool) -> Any:
        own = self.system.flying.of(self.mission)
        try:
            return start(self.program, own)
        except OpenJoints as error:
            if not open_too:
                raise
            self.open = error
        try:
            return start(self.program, own, open_too)
        except BadInput:
            raise self.open from None

    @cached_property
    def coordinates(self) -> dict[str, Given]:
        """Return the joint coordinates and their rates, by name."""
        free = [one for one in self.tree.coordinates if not one.free]
        both = [Given(one, rate) for rate in (False, True) for one in free]
        return {one.name: one for one in both}

    @cached_property
    def first(self) -> Seen:
        """Return the evaluated start of the unchanged scenario, without unknowns."""
        return Sight(self, [], [], []).at(np.zeros(0))

    def motion(self, seen: Seen) -> np.ndarray:
        """Return the rates of the coordinates (coordinate,)."""
        return self.tree.spread(seen.own[None]).motion[0]

    def independent_names(self, wanted: Sequence[Given]) -> set[str]:
        """Return the names of the coordinates in `wanted` that are independent.

        Earlier coordinates have priority. The other coordinates follow from closed loops or rolling.
        """
        if not self.holds_more:
            return {one.name for one in wanted}
        coordinates, found = list(self.tree.coordinates), set()
        for rate, base in zip((False, True), self._motions, strict=True):
            own = [coordinates.index(one.coordinate) for one in wanted if one.rate == rate]
            independent = reduction.independent(base, own)
            found |= {
                one.name
                for one in wanted
                if one.rate == rate and coordinates.index(one.coordinate) in independent
            }
        return found

    @cached_property
    def _motions(self) -> tuple[np.ndarray, np.ndarray]:
        """Bases (coordinate, any) of displacements and of rates that the joints leave free."""
        own = self.first.own
        spread, equations = self.tree.spread(own[None]), Equations(self.tree, [], [])
        # Rows are linear in the rates: one case for each rate, and one reference case.
        cases = np.concatenate([own[:, None] + spread.rates[:, 0], own[:, None]], 1)
        count = cases.shape[1]

        def rates(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
            still = np.zeros((6, self.layout.count, count)), np.zeros((0, count))
            return equations.rows(mechanism, Place(t, x[: len(own)], x[len(own) :], discrete, *still))[1]

        begun = self.first.begun

        def wide(leaf: Any) -> np.ndarray:
            return np.repeat(np.asarray(leaf)[..., None], count, -1)

        behind = wide(self.first.state[len(own) :])
        x, discrete = np.concatenate([cases, behind]), jax.tree.map(wide, begun.discrete.value)
        flown = self.system.flying.of(begun.scenario)
        found = self.program.of_samples(rates)(flown, begun.reference.value, np.zeros(count), x, discrete)
        active = np.asarray(self.discrete.active)[:, None] > 0
        matrix = np.where(active, np.asarray(found[:, :-1] - found[:, -1:]), 0.0)
        positions = matrix[self.layout.table.holonomic]
        return reduction.motions(positions), reduction.motions(matrix)

    @property
    def yielding(self) -> list[str]:
        """Return the names of active joints that have no coordinates because they connect flexible bodies."""
        return [self.layout.joints[j] for j in self.tree.restricting if self.discrete.mode[j]]

    @cached_property
    def holds_more(self) -> bool:
        """Return whether there are constraints that are not part of the joint tree."""
        return bool(cut_rows(self.tree.forest, self.layout.table, self.tree.reachable).size)

    def left_at(self, scenario: Any) -> list[str]:
        """Return the names of tables whose range the start of a scenario exceeds, with the variable of each
        table.
        """
        own = self.system.flying.of(scenario)
        first = self.program.begin(own, 0.0)
        return left_at(self.program, own, first.reference, first.x, self.discrete)

    def settle(self, scenario: Any, first: Any) -> Any:
        """Return the switches of a start after all events at its time.

        first: start from the simulation program. Raises BadInput for an impact at the start.
        """
        own = self.system.flying.of(scenario)
        x, discrete = self.program.after_first_events(own, first.reference, 0.0, first.x, first.discrete)
        if np.any(np.abs(x - first.x) > STRUCK):
            text = "an impact occurs at the start of the flight"
            raise BadInput(Problem("start", f"{text}. Move releases and devices to a later time"))
        return discrete

    def begin(self, scenario: Any, directions: Directions) -> VariedStart:
        """Return the start of a scenario with derivatives along directions. The start has the switches of
        this object.
        """
        flying = self.system.flying
        first = self.program.begin(flying.of(scenario), 0.0)
        by_state, by_switches, by_reference, by_gap = directions.of_start(scenario, flying)
        state, switches = changing(first.x, by_state), changing(self.discrete, by_switches)
        reference, gap = changing(first.reference, by_reference), changing(first.gap, by_gap)
        moved = np.maximum(np.asarray(first.moved), np.asarray(first.turned))
        return VariedStart(scenario, state, switches, reference, gap, moved, directions)

    def anew(self, scenario: Any, leg: str | None) -> Start:
        """Return the start of a trimmed scenario.

        Raises BadInput if no start exists, or if its events differ from the events of the original start.
        """
        begun = Start(scenario, leg)
        now = begun.discrete
        if not (
            np.array_equal(now.mode, self.discrete.mode) and np.array_equal(now.fired, self.discrete.fired)
        ):
            text = "the events at the trimmed start differ from the events at the start of the scenario"
            raise BadInput(Problem("start", f"{text}. Choose start values closer to the trim"))
        return begun

    # --- given coordinates

    def value(self, one: Given, own: Any) -> Any:
        """Return the value of a joint coordinate or rate in a tree state, see `Seen.own`. The rotation of a
        spherical joint is zero, because it is relative to the start.
        """
        if not one.rate and one.coordinate.kind == "small turn":
            return 0.0 * own[0]
        return own[self._entry(one)]

    def _entry(self, one: Given) -> int:
        return (self.tree.rate_entry if one.rate else self.tree.place_entry)(one.coordinate)

    def at_coordinates(self, mechanism: Any, where: Any, given: Sequence[Given]) -> tuple[Any, Any]:
        """Return the state with given joint coordinates and closed loops, and the same state as a tree state
        (see `Seen.own`).

        - where: time [s], state, switches, and values of the coordinates (given, *cases).
        - given: the joint coordinates.
        """
        t, x, discrete, wanted = where
        size = 13 * self.layout.count + 6
        coordinates = JointsAtOnce(mechanism.at(x, discrete), self.tree.forest)
        own = coordinates.own(t, x, discrete)[:size]
        if not given:
            return x, own
        first, target, behind, rows = own, own, x[size:], [row for one in given for row in self._rows(one)]
        for one, value in zip(given, wanted, strict=True):
            target = self._with(target, one, value)
        there = np.isin(np.arange(size), rows)[:, None]

        def at_values(own: Any, part: float = 1.0) -> tuple[Any, Any]:
            own = jnp.where(there, target if part == 1.0 else first + part * (target - first), own)
            x = coordinates.ordinary(t, jnp.concatenate([own, behind]), discrete)[:size]
            return jnp.concatenate([x, behind]), own

        if not self.holds_more:
            x, own = at_values(own)
            return parts_begun(mechanism, t, x, discrete), own
        for k in range(ALTERNATIONS):
            x, _ = at_values(own, min(1.0, (k + 1) / STEPS))
            x = mechanism.correct(t, x, discrete)[0]
            own = coordinates.own(t, x, discrete)[:size]
        for _ in range(CORRECTIONS):
            x = mechanism.correct(t, x, discrete)[0]
        own = coordinates.own(t, x, discrete)[:size]
        return parts_begun(mechanism, t, x, discrete), own

    def _rows(self, one: Given) -> list[int]:
        """Index of a coordinate in a tree state; a rotation about all axes is in a quaternion."""
        many = 1 if one.rate or one.coordinate.kind != "small turn" else 4
        return [self._entry(one) + self.layout.count * k for k in range(many)]

    def _with(self, own: Any, one: Given, value: Any) -> Any:
        """A tree state with a coordinate at a value."""
        rows, new = self._rows(one), value[None]
        if len(rows) > 1:
            new = rotations.multiply(own[np.array(rows)], rotations.about(one.coordinate.place, value))
        for row, part in zip(rows, new, strict=True):
            own = jnp.concatenate([own[:row], part[None], own[row + 1 :]])
        return own


class Seen(NamedTuple):
    """Evaluation of a start.

    - `rows` (row,): accelerations of the coordinates, then quantities, then declared constraint errors.
    - `slopes` (row, unknown): derivatives of the rows.
    - `state`: state of the simulation, with the given joint coordinates.
    - `own`: the same state as a tree state. The tree state has the motion of each body relative to the body
      that carries it.
    - `found` (given,): given joint coordinates after closing loops.
    - `begun`: start with derivatives.
    - `by_state` (component, unknown): derivatives of the state.
    """

    rows: np.ndarray
    slopes: np.ndarray
    state: np.ndarray
    own: np.ndarray
    found: np.ndarray
    begun: VariedStart
    by_state: np.ndarray


class Sight:
    """Function of the unknowns that evaluates a start.

    - unknowns: unknown scenario inputs, followed by unknown joint coordinates.
    - given: the joint coordinates among the unknowns.
    """

    def __init__(
        self, start: Start, unknowns: Sequence[Unknown], given: Sequence[Given], outputs: Sequence[Any]
    ):
        self.start, self.unknowns, self.given = start, unknowns, given
        self.equations = Equations(start.tree, outputs, [])
        targets = [[target] for one in self.numbers for target in one.targets]
        # A direction without effect stands for no unknowns.
        self._directions = Directions([*targets, *([()] * len(given))] or [()])
        self._gains = np.zeros((self._directions.count, len(unknowns)))
        row = 0
        for k, one in enumerate(self.numbers):
            self._gains[row : row + len(one.targets), k] = one.gains
            row += len(one.targets)
        self._gains[row : row + len(given), len(self.numbers) :] = np.eye(len(given))

    @property
    def given_from(self) -> int:
        """Return the index of the first joint coordinate among the unknowns."""
        return len(self.unknowns) - len(self.given)

    @property
    def numbers(self) -> Sequence[Unknown]:
        """Return the unknowns that are scenario inputs."""
        return self.unknowns[: self.given_from]

    def scenario(self, values: np.ndarray) -> Any:
        """Return the scenario with given values of the unknowns (unknown,), without validation. Joint
        coordinates are not applied.
        """
        found = self.start.mission
        for path, leaf in leaves(self.numbers, values[: len(self.numbers)]).items():
            found = replace_leaf(found, path, leaf)
        return found

    def at(self, values: np.ndarray) -> Seen:
        """Return the evaluated start for given values of the unknowns (unknown,). Raises BadInput."""
        begun = self.start.begin(self.scenario(values), self._directions)
        count, given = self._directions.count, np.asarray(values[len(self.numbers) :], float)
        by_given = np.zeros((len(given), count))
        by_given[:, count - len(given) :] = np.eye(len(given))
        parts = Changing(np.zeros(()), [None]), begun.state, begun.discrete, Changing(given, [by_given])
        (state, by_state), (own, _), *found = self._evaluate(begun, parts)
        some = found[: len(found) - len(given)]
        (by_gap,) = begun.gap.changes
        assert by_gap is not None  # gaps are floats
        rows = np.concatenate([*(value[:, 0] for value, _ in some), begun.gap.value])
        slopes = np.concatenate([*(slope[:, 0] for _, slope in some), by_gap]) @ self._gains
        held = np.array([value[0, 0] for value, _ in found[len(some) :]])
        return Seen(rows, slopes, state[:, 0], own[:, 0], held, begun, by_state[:, 0] @ self._gains)

    def _evaluate(self, begun: VariedStart, parts: Sequence[Changing]) -> list[tuple[np.ndarray, np.ndarray]]:
        """State, own state, accelerations, quantities (1,) and given coordinates (1,) each, with changes."""
        start = self.start
        size = 13 * start.layout.count + 6
        value = jax.tree.map(lambda leaf: np.asarray(leaf)[None], tuple(part.value for part in parts))
        changes = [None if c is None else np.asarray(c)[None] for part in parts for c in part.changes]

        def look(mechanism: Any, where: Any) -> list[Any]:
            x, own = start.at_coordinates(mechanism, where, self.given)
            lanes = where[0].shape
            still = np.zeros((6, start.layout.count, *lanes)), np.zeros((0, *lanes))
            place = Place(where[0], own, x[size:], where[2], *still)
            second, _, _, *outputs = self.equations.rates(mechanism, place)
            return [x, own, second, *outputs, *(start.value(one, own)[None] for one in self.given)]

        places = Changing(value, changes)
        return begun.directions.of_places(begun.scenario, start.system.flying, look, places, begun.reference)

    def going_on(self, seen: Seen, left: np.ndarray) -> np.ndarray:
        """Return the time derivatives of the accelerations (coordinate,) along the motion [SI per second].

        left (coordinate,): residual accelerations. The effect of the damping coefficients is removed, because
        stiff dampers amplify it.
        """
        going = self._rates_along(seen, self._slope(seen)[:, None], 1.0)[0][:, 0]
        return going - self._by_rates(seen) @ left if np.any(left) else going

    def roundings(self, seen: Seen) -> np.ndarray:
        """Return the errors of the accelerations (coordinate,) [SI] that rounding of the state causes."""
        second, _ = self._rates_along(seen, np.diag(np.abs(seen.state)), 0.0)
        return ROUNDINGS * np.finfo(float).eps * np.sum(np.abs(second), 1)

    def _by_rates(self, seen: Seen) -> np.ndarray:
        """Derivatives of the accelerations by the rates of the coordinates (coordinate, coordinate)."""
        count, spread = self.start.layout.count, self.start.tree.spread(seen.own[None])

        def rates(mechanism: Any, where: Any) -> list[Any]:
            t, own, discrete = where
            still = np.zeros((6, count, *t.shape)), np.zeros((0, *t.shape))
            behind = jnp.broadcast_to(seen.state[len(own) :, None], (len(seen.state) - len(own), *t.shape))
            return [self.equations.rates(mechanism, Place(t, own, behind, discrete, *still))[0]]

        changes = [None, spread.rates[:, 0][None], *[None] * len(seen.begun.discrete.changes)]
        ((_, second),) = self._along(seen, rates, changes, seen.own)
        return second[:, 0]

    def driving(self, seen: Seen, wanted: Sequence[int]) -> dict[str, float]:
        """Return the rates [SI per second] of those model states that affect accelerations directly or
        indirectly, by name.

        For example, a lag of several orders can still change without causing an acceleration yet.

        wanted: indices of the accelerations.
        """
        first = 13 * self.start.layout.count + 6
        slope = self._slope(seen)
        moving = first + np.flatnonzero(np.abs(slope[first:]) > STILL)
        onward = np.zeros((len(slope), len(moving)))
        onward[moving, np.arange(len(moving))] = slope[moving]
        driving = np.zeros(len(moving), bool)
        for _ in range(ORDERS if len(moving) else 0):
            second, onward[first:] = self._rates_along(seen, onward, 0.0)
            driving |= np.any(np.abs(second[[*wanted]]) > STILL, 0)
        names = part_names(self.start.layout)
        return {names[k - first]: float(slope[k]) for k in moving[driving]}

    def _slope(self, seen: Seen) -> np.ndarray:
        """Rates of the state (number,)."""

        def sloping(mechanism: Any, where: Any) -> list[Any]:
            return [mechanism.here(*where).slope]

        still = [np.zeros((1, 1)), None, *[None] * len(seen.begun.discrete.changes)]
        ((slope, _),) = self._along(seen, sloping, still)
        return slope[:, 0]

    def _rates_along(self, seen: Seen, change: np.ndarray, later: float) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of accelerations (coordinate, direction) and of rates of model states (number,
        direction), along changes of the state (number, direction) and of time."""
        count = self.start.layout.count

        def rates(mechanism: Any, where: Any) -> list[Any]:
            x, own = self.start.at_coordinates(mechanism, (*where, np.zeros(0)), [])
            still = np.zeros((6, count, *where[0].shape)), np.zeros((0, *where[0].shape))
            place = Place(where[0], own, x[13 * count + 6 :], where[2], *still)
            second, _, parts, *_ = self.equations.rates(mechanism, place)
            return [second, parts]

        time = np.full((1, change.shape[1]), later)
        changes = [time, change[None], *[None] * len(seen.begun.discrete.changes)]
        (_, second), (_, parts) = self._along(seen, rates, changes)
        return second[:, 0], parts[:, 0]

    def _along(
        self, seen: Seen, function: Any, changes: list[Any], state: np.ndarray | None = None
    ) -> list[tuple[Any, Any]]:
        """Values and derivatives of a function of time, state and switches at the start, along changes of
        these. state: another one than of all bodies."""
        begun = seen.begun
        state = seen.state if state is None else state
        where = jax.tree.map(lambda leaf: np.asarray(leaf)[None], (np.zeros(()), state, begun.discrete.value))
        reference = Changing(begun.reference.value, [None] * len(begun.reference.changes))
        directions = Directions([()] * next(one.shape[-1] for one in changes if one is not None))
        flying, places = self.start.system.flying, Changing(where, changes)
        return directions.of_places(begun.scenario, flying, function, places, reference)
