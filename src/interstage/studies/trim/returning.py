"""Compare the state after a period with the start, with exact derivatives with respect to the start and to
inputs.

The flight of the scenario gives the state after the period. Linear equations at Gauss points of equal steps
transfer changes of the start and of inputs to the end of the period. The method is the Magnus method of order
six; see `linearize.floquet`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...engine.joints_at_once import JointsAtOnce
from ...linear.matrices import Group, State
from ...linear.moments import moments
from ...linear.points import Course
from ...linear.ports import Input
from ...linear.system import System
from ...maths.arrays import jax
from ...maths.dual import plain
from ...maths.rotations import conjugate, matrix_of, multiply
from ...maths.vectors import rotate_back
from ...missions.mission import Mission
from ...programs.targets import Target
from ...runs.run import resolve_scenario
from ...tree.errors import BadInput, Problem
from ...tree.sentences import list_text
from ..linearize.floquet import gauss_times, transition_matrix
from ..linearize.run import held_by_samples

STEPS = 16
"""Number of integration steps of the linear equations in a period."""
MOST_LISTED = 4
"""Largest number of names in a message."""


class Returned(NamedTuple):
    """State after a period, compared with the start.

    - `states`: descriptions of the states.
    - `off` (state,): differences from the start [SI]. Full revolutions of joints are removed.
    - `by_start` (state, state), `by_numbers` (state, input): derivatives of the final state with respect to
      the initial state and the inputs.
    - `first`, `last` (state,): rates of the states at the start and at the end.
    - `a`: matrices A (state, state) at the start and at the end.
    - `idle`: names of states that have no effect.
    - `group`: linear equations along the flight.
    """

    states: tuple[State, ...]
    off: np.ndarray
    by_start: np.ndarray
    by_numbers: np.ndarray
    first: np.ndarray
    last: np.ndarray
    a: tuple[np.ndarray, np.ndarray]
    idle: frozenset[str]
    group: Group


def state_after_period(
    scenario: Any,
    leg: str | None,
    period: float,
    targets: Sequence[Target],
    wanted: Sequence[str],
    finer: int = 1,
) -> Returned:
    """Return the state after a period, compared with the start.

    - leg: leg of the mission. Default: the first leg.
    - period: period [s].
    - targets: scenario inputs for the derivatives.
    - wanted: names of the independent coordinates of closed loops.
    - finer: factor of the number of steps. Default: 1.

    Raises BadInput if the flight is shorter than the period, or if events or changes of joints occur during
    the period.
    """
    course = Course(resolve_scenario(scenario), leg or Mission.of(scenario).first.name)
    inputs = [Input(one.name, "", "numbers", (one,)) for one in targets]
    system = System(course, inputs, [], "body", wanted)
    (first,) = course.points(moments("start"))
    if held := held_by_samples(system, first):
        names = list_text(held, MOST_LISTED)
        text = f"the model {names} is sampled, which a periodic trim does not support. Remove {names}"
        raise BadInput(Problem("period", text))
    times = first.time + period * gauss_times(STEPS * finer)
    each = course.over([*times, first.time + period])
    _refuse_events(course, [first, *each[:-1]])
    group = Group(system, [first, *each])
    made, count, many = group.matrices, len(group.states), len(inputs)
    whole = np.zeros((len(times), count + many, count + many))
    whole[:, :count] = np.stack([np.concatenate([one.a, one.b], 1) for one in made[1:-1]])
    phi = transition_matrix(whole.reshape(STEPS * finer, 3, count + many, count + many), period)
    behind = range(count - len(group.chosen_states.behind), count)
    idle = [k for k in behind if not any(np.any(one.a[:, k]) for one in made)]
    return Returned(
        states=tuple(group.states),
        off=_off(group),
        by_start=phi[:count, :count],
        by_numbers=phi[:count, count:],
        first=made[0].rates,
        last=made[-1].rates,
        a=(made[0].a, made[-1].a),
        idle=frozenset(group.states[k].name for k in idle),
        group=group,
    )


def _refuse_events(course: Course, points: Sequence[Any]) -> None:
    """Refuse events and changes of joints within the period. Raises BadInput."""
    fired = np.stack([np.asarray(one.discrete.fired) for one in points])
    new = np.flatnonzero(np.any(fired & ~fired[0], 0))
    if new.size:
        names = list_text([course.program.table.events[k].name for k in new], MOST_LISTED)
        text = f"the event {names} occurs within the period, so that the motion does not repeat"
        raise BadInput(Problem("period", f"{text}. Choose a start after the event, or a shorter period"))
    switches = [np.asarray(getattr(one.discrete, name)) for one in points for name in ("mode", "active")]
    if any(not np.array_equal(one, switches[k % 2]) for k, one in enumerate(switches)):
        text = "the active joints change within the period"
        raise BadInput(
            Problem("period", f"{text}. Choose a start with the active joints of the periodic motion")
        )


def _off(group: Group) -> np.ndarray:
    """Differences of the states between the last and the first point (state,)."""
    positions = [_coordinate_change(group, group.coordinates[k]) for k in group.chosen_states.positions]
    speeds = [*group.chosen_states.rates]
    rates = group.spread.motion[-1, speeds] - group.spread.motion[0, speeds]
    behind = _part_differences(group)[[*group.chosen_states.behind]]
    return np.concatenate([positions, rates, behind])


def _coordinate_change(group: Group, one: Any) -> float:
    """Change of a coordinate from the first to the last point."""
    first, last, tree, n = group.own[0], group.own[-1], group.tree, group.system.layout.count
    if one.kind == "small turn":
        rows = (6 + np.arange(4)) * n + one.body
        turn = multiply(conjugate(first[rows]), last[rows])
        return float(2 * turn[1 + one.place] * (1 if turn[0] >= 0 else -1))
    if one.free:
        rows, origin = np.arange(3) * n + one.body, slice(13 * n, 13 * n + 3)
        way = last[rows] + last[origin] - first[rows] - first[origin]
        turn: Any = matrix_of(first[(6 + np.arange(4)) * n + one.body])
        return float(rotate_back(turn, way)[one.place])
    entry = tree.place_entry(one)
    off = last[entry] - first[entry]
    return float(np.remainder(off + np.pi, 2 * np.pi) - np.pi if one.kind == "angle" else off)


def _part_differences(group: Group) -> np.ndarray:
    """Change of the linear states of models from the first to the last point (number,)."""
    behind = group.equations.behind
    if behind.plain:
        return group.linear_states[-1] - group.linear_states[0]

    def tell(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
        return behind.to_linear(mechanism.at(x, discrete), x, x[:, :1])

    x, system = group.ordinary[[0, -1]].T, group.system
    lanes = jax.tree.map(lambda leaf: np.moveaxis(np.asarray(leaf)[[0, -1]], 0, -1), group.discrete)
    found = system.program.of_samples(tell)(system.scenario, system.reference, group.t[[0, -1]], x, lanes)
    return np.asarray(found)[:, 1] - np.asarray(found)[:, 0]


def from_start(group: Group, state: np.ndarray, moved: np.ndarray) -> np.ndarray:
    """Return derivatives (state, direction) of the linear states at the first point.

    - state: state of the simulation at the first point.
    - moved (component, direction): derivatives of this state.

    The result does not depend on the sign of quaternions.
    """
    behind, tree, system, size = group.equations.behind, group.tree, group.system, group.own.shape[1]

    def linear_states_at(mechanism: Any, where: Any) -> list[Any]:
        t, x, discrete = where
        now = mechanism.at(x, discrete)
        own = JointsAtOnce(now, tree.forest).own(t, x, discrete)[:size]
        return [own, behind.to_linear(now, x, plain(x))]

    count = moved.shape[1]
    if not count:
        return np.zeros((len(group.states), 0))
    where = jax.tree.map(lambda leaf: np.asarray(leaf)[:1], (group.t, state[None], group.discrete))
    padded = np.concatenate([moved, np.zeros((len(moved), len(system.inputs)))], 1)
    changes = [None, padded[None], *[None] * len(jax.tree.leaves(group.discrete))]
    (value, own), (_, parts) = system.along(linear_states_at, where, changes)
    own, parts = _with_origin(group, own[:, 0, :count]), parts[:, 0, :count]
    positions, rates, *_ = tree.spread(value.T)
    spread = np.concatenate([positions[:, 0], rates[:, 0]], 1)
    whole = np.linalg.lstsq(spread, own, rcond=None)[0]
    places, rates = np.split(whole, 2)
    picked = group.chosen_states
    return np.concatenate([places[[*picked.positions]], rates[[*picked.rates]], parts[[*picked.behind]]])


def _with_origin(group: Group, own: np.ndarray) -> np.ndarray:
    """Derivatives of tree states (number, direction), with root bodies relative to the inertial origin:
    positions and velocities are transformed to the local origin if it begins at a body."""
    n = group.system.layout.count
    origin, drift = own[13 * n : 13 * n + 3], own[13 * n + 3 : 13 * n + 6]
    found = own.copy()
    for body in group.tree.bases:
        found[np.arange(3) * n + body] += origin
        found[(3 + np.arange(3)) * n + body] += drift
    found[13 * n : 13 * n + 6] = 0.0
    return found
