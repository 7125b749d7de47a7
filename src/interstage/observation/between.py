"""States of a flight that has ended, at any times.

A step is integrated once more to several nodes inside the step. Between these nodes the state is a polynomial
that matches the states and rates at the nodes (Hermite interpolation: E. Hairer, S. P. Norsett, G. Wanner,
Solving Ordinary Differential Equations I, 2nd ed., section II.6). The degree of the polynomial is 9, which is
above the orders of the integration methods. The error of the polynomial is therefore below the error of the
step. The state is then projected on the constraints, as at the end of a step. Fixed steps are repeated to
each requested time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..maths.arrays import jax
from ..programs.program import Program
from .observation import Track, at_once, in_chunks, near, states_at

NODES = (1 - np.cos(np.pi * np.arange(5) / 4)) / 2
"""Nodes of a step at which states and rates are evaluated, as fractions of the step. The nodes are the ends
and extremes of a Chebyshev polynomial.
"""


class Between:
    """States of a flight between the ends of its steps.

    - program, scenario: compiled program and scenario of the flight.
    - given: scenario and reference values.
    - cursor: state at the end of the flight.
    - track: integration steps.
    """

    def __init__(self, program: Program, scenario: Any, reference: Any, cursor: Any, track: Track):
        self.program, self.scenario, self.given = program, scenario, (scenario, reference)
        self.cursor, self.track = cursor, track
        self._steps = np.flatnonzero(track.t_end > track.t)
        self._row = np.full(len(self._steps), -1)
        self._nodes: tuple[np.ndarray, np.ndarray] | None = None

    def at(self, times: np.ndarray, once: bool = False) -> Any:
        """Return states (t, x, discrete) at times (n,) [s]. The times are the first axis of each array.

        `once`: true if no further times will be requested. If a step contains only few of the times,
        integration steps without interpolation reach these times.
        """
        t, x, discrete, h = states_at(self.cursor, self.track, times)
        if self.scenario.solver.fixed_step:
            t, x, discrete, h = self._near((t, x, discrete, h))
            return t + h, self._chunks(self.program.step_state, (t, x, discrete, h)), discrete
        place = np.searchsorted(self.track.t[self._steps], t, side="right") - 1
        inside = (h != 0) & (t < self.cursor.t)
        new = inside & (self._row[place] < 0)
        if once and new.sum() < (len(NODES) - 1) * len(np.unique(place[new])):
            states = jax.tree.map(lambda rows: rows[new], (t, x, discrete, h))
            x[new] = self._chunks(self.program.step_state, states)
            inside = inside & ~new
        if inside.any():
            some = jax.tree.map(lambda rows: rows[inside], discrete)
            own = self._own(place[inside], h[inside])
            x[inside] = self._chunks(self.program.onto_constraints, ((t + h)[inside], own, some))
        return t + h, x, discrete

    def step_states(self, states: Any) -> np.ndarray:
        """Return the states (n, component) one step after the states (t, x, discrete, h). `h` (n,) [s]:
        lengths of the steps.

        If the flight has few steps, the interpolation nodes of its steps are computed in the same call. A
        call for many states takes about the same time as a call for one state.
        """
        few = 0 < len(NODES) * len(self._steps) <= at_once(self.program.layout)
        if self.scenario.solver.fixed_step or not few:
            return self._chunks(self.program.step_state, states)
        places, count = np.arange(len(self._steps)), len(states[0])
        t, x, discrete, h = states
        starts = jax.tree.map(lambda *rows: np.concatenate(rows), (t, x, discrete), self._starts(places))
        own, rate = self._chunks(self.program.moving, starts)
        nodes = self._to_nodes(places, own[count:], rate[count:])
        mine = t, own[:count], discrete, rate[:count], h
        whole = jax.tree.map(lambda *rows: np.concatenate(rows), mine, nodes)
        found = self._chunks(self.program.step_end, whole)
        self._keep(places, (own[count:], rate[count:]), nodes, found[count:])
        return self._chunks(self.program.onto_constraints, (t + h, found[:count], discrete))

    def quantities(self, times: np.ndarray, paths: tuple[str, ...] | None) -> dict[str, np.ndarray]:
        """Return quantities at times (n,) [s], an array (n, components) by path. `paths`: requested
        quantities. Default: all.
        """
        return self._chunks(partial(self.program.values, paths=paths), self.at(times))

    def within(self, steps: np.ndarray, h: np.ndarray, paths: tuple[str, ...]) -> dict[str, np.ndarray]:
        """Return quantities at the times h (n,) [s] after the starts of the steps with the indices `steps`
        (n,) of the track.

        Each state is reached by one integration step. The result is an array (n, components) by path.
        """
        track = self.track
        t, x, discrete = jax.tree.map(
            lambda leaf: np.asarray(leaf)[steps], (track.t, track.x, track.discrete)
        )
        states = self._near((t, x, discrete, h)) if self.scenario.solver.fixed_step else (t, x, discrete, h)
        return self._chunks(lambda *lanes: self.program.observe(*lanes, paths=paths)[0], states)

    def _near(self, states: Any) -> Any:
        """States (t, x, discrete, h) from which one fixed step leads to the times of others."""
        return near(states, self.scenario.solver.step, partial(self._chunks, self.program.step_state))

    def _chunks(self, function: Callable[..., Any], states: Any) -> Any:
        """What a program of the flight makes of states, rows of arrays."""
        return in_chunks(partial(function, *self.given), states, self.program.layout)

    def _own(self, place: np.ndarray, h: np.ndarray) -> np.ndarray:
        """Own states of the flow (n, component) at times h (n,) [s] after steps began, by the places of these
        among those that took time; not put back on the constraints."""
        new = np.unique(place[self._row[place] < 0])
        if new.size:
            begin = self._chunks(self.program.moving, self._starts(new))
            nodes = self._to_nodes(new, *begin)
            self._keep(new, begin, nodes, self._chunks(self.program.step_end, nodes))
        assert self._nodes is not None
        length = (self.track.t_end - self.track.t)[self._steps[place]]
        own, rate = (part[self._row[place]] for part in self._nodes)
        return hermite(h / length, own, rate * length[:, None, None])

    def _starts(self, places: np.ndarray) -> Any:
        """States (t, x, discrete) where steps begin, by their places."""
        track, steps = self.track, self._steps[places]
        return jax.tree.map(lambda leaf: leaf[steps], (track.t, track.x, track.discrete))

    def _to_nodes(self, places: np.ndarray, own: np.ndarray, rate: np.ndarray) -> Any:
        """States (t, own, discrete, rate, h) from which steps, by their places, are taken to all of their
        nodes but the first, where they begin."""
        t, _, discrete = self._starts(places)
        many = len(NODES) - 1
        rows = jax.tree.map(lambda leaf: np.repeat(leaf, many, 0), (t, own, discrete, rate))
        length = (self.track.t_end - self.track.t)[self._steps[places]]
        return *rows, (length[:, None] * NODES[1:]).reshape(-1)

    def _keep(self, places: np.ndarray, begin: Any, nodes: Any, own: np.ndarray) -> None:
        """Keep the own states at the nodes of steps, by their places, and their rates. begin: these at the
        first node; nodes: from where the others are reached; own: there."""
        t, _, discrete, _, h = nodes
        rate = self._chunks(self.program.slope, (t + h, own, discrete))
        each = zip(begin, (own, rate), strict=True)
        found = [
            np.concatenate([first[:, None], rest.reshape(len(places), len(NODES) - 1, -1)], 1)
            for first, rest in each
        ]
        self._row[places] = np.arange(len(places))
        if self._nodes is not None:
            self._row[places] += len(self._nodes[0])
            found = [np.concatenate(parts) for parts in zip(self._nodes, found, strict=True)]
        self._nodes = found[0], found[1]


def hermite(c: np.ndarray, values: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Return the values (n, component) of Hermite polynomials at the fractions c (n,) of a step.

    `values`, `slopes` (n, node, component): values and slopes of the polynomials at `NODES`.
    """
    away, same = c[:, None] - NODES, np.eye(len(NODES), dtype=bool)
    apart = np.where(same, 1.0, NODES[:, None] - NODES)
    square = np.prod(np.where(same, 1.0, away[:, None] / apart), -1) ** 2
    steep = np.sum(np.where(same, 0.0, 1 / apart), 1)
    first, second = (1 - 2 * away * steep) * square, away * square
    begin = values[:, 0]
    rise = np.einsum("ij,ijk->ik", first, values - begin[:, None])
    return begin + rise + np.einsum("ij,ijk->ik", second, slopes)
