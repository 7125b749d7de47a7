"""Formulate an optimal control problem as a sparse nonlinear program. The states at nodes and the controls
at the ends of intervals are variables; the equations of motion are constraints.

In each interval of length h, the states X and their rates F at the points satisfy X_i - X_0 = h sum_j a_ij
F_j (`lobatto`). Controls are linear in each interval, or splines through all points, as in the tables of a
flight.

Source: J. T. Betts, Practical Methods for Optimal Control and Estimation Using Nonlinear Programming, 2nd
ed., SIAM 2010, chapter 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sparse

from ....maths import interpolation
from . import lobatto
from .arcs import Arcs, Local, Nodes, Switched
from .chart import chart_at
from .pattern import Pattern

APART = 1e-6
"""Step of the differences that give second derivatives, in scales of a variable. First derivatives are
exact.

Truncation and rounding errors are both of this relative size, which is accurate enough for Newton's method.
"""


@dataclass(frozen=True)
class Mesh:
    """Mesh of a collocation.

    - breaks: for each phase, the ends of its intervals as fractions of the phase.
    - points: number of points in an interval.
    """

    breaks: tuple[np.ndarray, ...]
    points: int

    def fractions(self, phase: int) -> np.ndarray:
        """Return the times of the nodes of a phase (node,), as fractions of the phase from 0 to 1."""
        inner = lobatto.points(self.points)[1:]
        begin, long = self.breaks[phase][:-1], np.diff(self.breaks[phase])
        return np.concatenate([[0.0], (begin[:, None] + long[:, None] * inner).ravel()])


@dataclass
class Guess:
    """Initial values for the solver.

    - states: for each phase, the states (n, node).
    - controls: for each control, its values at the ends of intervals (end,).
    - times (phase + 1,): start time of the first phase, and end time of each phase [s].
    - values (variable,): values of the variables.
    """

    states: list[np.ndarray]
    controls: list[np.ndarray]
    times: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Row:
    """Limit on a quantity at a node or along phases.

    - `which`: index of the quantity among the quantities at nodes, or among the quantities along phases.
    - `low`, `high`: limits in SI.
    - `size`: scale of the quantity.
    - `place`: (phase, node), or None for a limit along `phases`.
    - `phases`: indices of the phases along which the limit applies.
    """

    which: int
    low: float
    high: float
    size: float
    place: tuple[int, int] | None
    phases: tuple[int, ...] = ()


@dataclass
class Found:
    """Collocation program, evaluated at one point.

    - nodes: the nodes.
    - local: rows of `Arcs.rates` at all nodes.
    - asked: requested quantities at some nodes.
    - switched: switches and initial states of the phases.
    - parts: coordinates, controls, times and variables of the point.
    """

    nodes: Nodes
    local: Local
    asked: Local
    switched: Switched
    parts: Any


class Transcribed:
    """Nonlinear program of a collocation on one mesh. The objective is minimized.

    The class has the methods of `solvers.contract.NonlinearProgram` and `SparseProgram`.

    terms: (index of the quantity, weight, (phase, node)) of each term of the objective.
    """

    def __init__(
        self,
        arcs: Arcs,
        mesh: Mesh,
        guess: Guess,
        rows: Sequence[Row],
        terms: Sequence[tuple[int, float, tuple[int, int]]],
    ) -> None:
        self.arcs, self.mesh, self.rows_asked, self.terms = arcs, mesh, tuple(rows), tuple(terms)
        self.nodes = [len(mesh.fractions(p)) for p in range(arcs.phases)]
        self.first_node = np.concatenate([[0], np.cumsum(self.nodes)])
        self.fractions = np.concatenate([mesh.fractions(p) for p in range(arcs.phases)])
        self.round = arcs.round
        self.chart = chart_at(np.concatenate(guess.states, 1), arcs.round)
        cuts = zip(self.first_node, self.first_node[1:], strict=False)
        self.charts = [self.chart.some(slice(first, last)) for first, last in cuts]
        asked = [(row.which, row.place) for row in rows if row.place is not None]
        asked += [(which, place) for which, _, place in terms]
        self.places = sorted({self.node(place) for _, place in asked})
        self.phase_of = np.repeat(np.arange(arcs.phases), self.nodes)
        self._place(guess)
        self._weights()
        self._scale(guess)
        self._limits()
        self.near = False
        self.start = np.clip(self._pack(guess) / self.scale, self.low, self.high)
        self._defects()
        self._kept: dict[bytes, Found] = {}

    # --- layout of the vector of variables

    def _place(self, guess: Guess) -> None:
        n, arcs = self.arcs.size, self.arcs
        first, self.first_state = 0, []
        for count in self.nodes:
            self.first_state.append(first)
            first += n * count
        self.first_control = []
        for own in guess.controls:
            self.first_control.append(first)
            first += len(own)
        self.first_time = first
        self.first_value = first + arcs.phases
        self.count = self.first_value + len(arcs.unknowns)
        self.knots = [len(own) for own in guess.controls]

    def node(self, place: tuple[int, int]) -> int:
        """Return the index of a node among the nodes of all phases. place: (phase, index of the node in the
        phase).
        """
        return int(self.first_node[place[0]]) + place[1] % self.nodes[place[0]]

    def _weights(self) -> None:
        """For each control the weight that each end of an interval has in its value at each node (node,
        end)."""
        self.weights = []
        for k, one in enumerate(self.arcs.controls):
            own = [
                self._weight(p, one, self.knots[k], self.mesh.fractions(p)) for p in range(self.arcs.phases)
            ]
            self.weights.append(sparse.csr_matrix(sparse.vstack(own)))

    def at_fractions(self, p: int, controls: list[np.ndarray], fractions: np.ndarray) -> list[np.ndarray]:
        """Return the values of the controls at some times of phase `p`, one array for each control.

        controls: values of each control at the ends of intervals. fractions: times as fractions of the phase.
        """
        every = zip(self.arcs.controls, controls)
        return [self._weight(p, one, len(own), fractions) @ own for one, own in every]

    def _weight(self, p: int, one: Any, knots: int, fractions: np.ndarray) -> sparse.csr_matrix:
        if p < one.phases[0] or p > one.phases[-1]:
            column = 0 if p < one.phases[0] else knots - 1
            return sparse.csr_matrix(
                (np.ones(len(fractions)), (range(len(fractions)), [column] * len(fractions))),
                (len(fractions), knots),
            )
        before = sum(len(self.mesh.breaks[q]) - 1 for q in one.phases if q < p)
        breaks = self.mesh.breaks[p]
        whole = np.zeros((len(fractions), knots))
        if one.smooth:
            ready = interpolation.knots(breaks, np.eye(len(breaks)), "cubic")
            found = np.array([interpolation.look_up(ready, np.full(len(breaks), f)) for f in fractions])
            found[np.abs(found) < 1e-14] = 0.0
            whole[:, before : before + len(breaks)] = found
            return sparse.csr_matrix(whole)
        i = np.clip(np.searchsorted(breaks, fractions, side="right") - 1, 0, len(breaks) - 2)
        part = (fractions - breaks[i]) / np.diff(breaks)[i]
        every = np.arange(len(fractions))
        whole[every, before + i], whole[every, before + i + 1] = 1 - part, part
        return sparse.csr_matrix(whole)

    def _scale(self, guess: Guess) -> None:
        arcs, n = self.arcs, self.arcs.size
        charted = np.concatenate([c.coordinates(s) for c, s in zip(self.charts, guess.states)], 1)
        states = np.concatenate(guess.states, 1)
        height = np.ptp(charted[0]) if self.round else np.max(np.ptp(states[:3], axis=1))
        size = max(float(np.max(np.linalg.norm(states[:3], axis=0))), 1.0)
        length = max(float(height), 1e-6 * size, 1.0)
        speed = max(float(np.max(np.linalg.norm(states[3:6], axis=0))), 1.0)
        behind = np.maximum(np.max(np.abs(states[6:]), axis=1, initial=0.0), 1e-6)
        self.state_size = np.concatenate([[length] * 3, [speed] * 3, behind])
        own = self.state_size.copy()
        if self.round:
            own[1:3] = max(length / size, 0.1)
        scale = np.zeros(self.count)
        low, high = np.full(self.count, -np.inf), np.full(self.count, np.inf)
        for p, count in enumerate(self.nodes):
            scale[self.first_state[p] : self.first_state[p] + n * count] = np.tile(own, count)
        for k, one in enumerate(arcs.controls):
            places = slice(self.first_control[k], self.first_control[k] + self.knots[k])
            scale[places], low[places], high[places] = one.scale, one.low, one.high
        times = slice(self.first_time, self.first_value)
        scale[times] = max(float(guess.times[-1] - guess.times[0]), 1e-9) / arcs.phases
        low[times] = guess.times[0]
        for k, one in enumerate(arcs.unknowns):
            place = self.first_value + k
            scale[place], low[place], high[place] = one.scale, one.low, one.high
        self.scale, self.low, self.high = scale, low / scale, high / scale
        self.time0 = float(guess.times[0])

    def _pack(self, guess: Guess) -> np.ndarray:
        found = np.zeros(self.count)
        for p, (chart, state) in enumerate(zip(self.charts, guess.states)):
            zeta = chart.coordinates(state)
            found[self.first_state[p] : self.first_state[p] + zeta.size] = zeta.T.ravel()
        for k, own in enumerate(guess.controls):
            found[self.first_control[k] : self.first_control[k] + len(own)] = own
        found[self.first_time : self.first_value] = guess.times[1:]
        found[self.first_value :] = guess.values
        return found

    def unpack(self, x: np.ndarray) -> Guess:
        """Return the states, controls, times and variables at a scaled point x."""
        raw = np.asarray(x) * self.scale
        zetas, controls, times, values = self._split(raw)
        states = [np.asarray(chart.state(zeta)) for chart, zeta in zip(self.charts, zetas)]
        return Guess(states, controls, times, values)

    def _split(self, raw: np.ndarray) -> Any:
        n = self.arcs.size
        zetas = [
            raw[first : first + n * count].reshape(count, n).T
            for first, count in zip(self.first_state, self.nodes)
        ]
        controls = [raw[first : first + count] for first, count in zip(self.first_control, self.knots)]
        times = np.concatenate([[self.time0], raw[self.first_time : self.first_value]])
        return zetas, controls, times, raw[self.first_value :]

    # --- rows

    def _limits(self) -> None:
        n, arcs = self.arcs.size, self.arcs
        inner = [(len(b) - 1) * (self.mesh.points - 1) * n for b in self.mesh.breaks]
        equal = n + sum(inner) + n * (arcs.phases - 1) + arcs.phases
        low, high = [np.zeros(equal)], [np.zeros(equal)]
        self.row_of: list[np.ndarray] = []
        first = equal
        for row in self.rows_asked:
            count = 1 if row.place is not None else len(self.ends_in(row.phases))
            self.row_of.append(np.arange(first, first + count))
            low.append(np.full(count, row.low / row.size))
            high.append(np.full(count, row.high / row.size))
            first += count
        # The ends of phases come in their order.
        self.order = np.arange(first, first + arcs.phases)
        low.append(np.zeros(arcs.phases))
        high.append(np.full(arcs.phases, np.inf))
        self._between_ends(low, high)
        self.row_low, self.row_high = np.concatenate(low), np.concatenate(high)
        self.equal = equal

    def _between_ends(self, low: list[np.ndarray], high: list[np.ndarray]) -> None:
        """Splines keep their limits between the ends of intervals, too."""
        rows = [sparse.csr_matrix((0, self.count))]
        for one, first, count in zip(self.arcs.controls, self.first_control, self.knots):
            if one.smooth:
                own = one.hull(self.mesh.breaks[one.phases[0]]) / one.scale
                own[np.abs(own) < 1e-14] = 0.0
                place = sparse.csr_matrix((count, self.count), dtype=float).tolil()
                place[range(count), range(first, first + count)] = 1.0
                rows.append(sparse.csr_matrix(own) @ place.tocsr())
                low.append(np.full(len(own), one.low / one.scale))
                high.append(np.full(len(own), one.high / one.scale))
        self.hulls = sparse.csr_matrix(sparse.vstack(rows))

    def _defects(self) -> None:
        """The matrices (defect, node) of differences and of integrals over one second of a phase."""
        s, weights = self.mesh.points, lobatto.integrals(self.mesh.points)
        self.interval = np.concatenate([np.diff(own) for own in self.mesh.breaks])
        first = [
            f + np.arange(len(own) - 1) * (s - 1)
            for f, own in zip(self.first_node, self.mesh.breaks, strict=False)
        ]
        self.interval_node = np.concatenate(first)[:, None] + np.arange(s)
        count, nodes = len(self.interval), int(self.first_node[-1])
        row = np.arange(count * (s - 1)).reshape(count, s - 1)
        one = np.ones(row.size)
        ends = sparse.csr_matrix((one, (row.ravel(), self.interval_node[:, 1:].ravel())), (row.size, nodes))
        begins = np.repeat(self.interval_node[:, 0], s - 1)
        self.difference = ends - sparse.csr_matrix((one, (row.ravel(), begins)), (row.size, nodes))
        values = self.interval[:, None, None] * weights
        rows, columns = np.broadcast_arrays(row[:, :, None], self.interval_node[:, None, :])
        self.integral = sparse.csr_matrix(
            (values.ravel(), (rows.ravel(), columns.ravel())), (row.size, nodes)
        )

    # --- values

    def _evaluate(self, x: np.ndarray) -> Found:
        x = np.asarray(x, float)
        key = x.tobytes()
        if key not in self._kept:
            self._kept = {**dict(list(self._kept.items())[-2:]), key: self._at(x)}
        return self._kept[key]

    def _at(self, x: np.ndarray) -> Found:
        parts = zetas, _, times, values = self._split(x * self.scale)
        ends = [(c.some(slice(-1, None)), zeta[:, -1]) for c, zeta in zip(self.charts[:-1], zetas[:-1])]
        nodes, switched = self.nodes_at(x), self.arcs.switches_at(ends, times, values)
        local, asked = (
            self.arcs.rates(nodes, switched),
            self.arcs.quantities_at(nodes.some(self.places), switched),
        )
        return Found(nodes, local, asked, switched, parts)

    def nodes_at(self, x: np.ndarray) -> Nodes:
        """Return the nodes of all phases at a scaled point x."""
        zetas, controls, times, values = self._split(x * self.scale)
        count = len(self.phase_of)
        own = [weight @ one for weight, one in zip(self.weights, controls)]
        wide = np.repeat(times[:, None], count, 1), np.repeat(values[:, None], count, 1)
        control = np.array(own).reshape(len(own), count)
        return Nodes(self.phase_of, np.concatenate(zetas, 1), self.chart, self.fractions, control, *wide)

    def values(self, x: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the scaled rows (constraints) at a scaled point x, and the objective in SI, with the sign
        for minimization.
        """
        found = self._evaluate(x)
        _, _, times, _ = found.parts
        n, long = self.arcs.size, np.diff(times)[self.phase_of]
        state, rate = found.local.value[:n], found.local.value[n : 2 * n]
        left = self.difference @ state.T - self.integral @ (long * rate).T
        rows = [(state[:, 0] - found.switched.states[0]) / self.state_size]
        rows.append((left / self.state_size).ravel())
        begins = state[:, self.first_node[1:-1]].T - found.switched.states[1:]
        rows.append((begins / self.state_size).ravel())
        rows.append(found.local.value[-1, self.first_node[1:] - 1] / self.end_sizes)
        for row in self.rows_asked:
            rows.append(self._row_values(row, found) / row.size)
        rows.append(np.diff(times) / self.scale[self.first_time])
        rows.append(self.hulls @ (np.asarray(x) * self.scale))
        total = sum(w * self.asked_at(found, k, place) for k, w, place in self.terms)
        return np.concatenate(rows), float(total)

    def asked_at(self, found: Found, which: int, place: tuple[int, int]) -> float:
        """Return the value of a quantity at a node [SI].

        - found: evaluated program.
        - which: index of the quantity.
        - place: (phase, node).
        """
        return float(found.asked.value[which, self.places.index(self.node(place))])

    def _row_values(self, row: Row, found: Found) -> np.ndarray:
        n = self.arcs.size
        if row.place is not None:
            return np.array([self.asked_at(found, row.which, row.place)])
        return found.local.value[2 * n + row.which, self.ends_in(row.phases)]

    def ends_in(self, phases: Sequence[int]) -> np.ndarray:
        """Return the indices of the nodes at the ends of intervals in some phases.

        Limits along phases are applied at these nodes, because the controls have independent values there.
        Between these nodes, refinement of the mesh enforces the limits.
        """
        step = self.mesh.points - 1
        return np.concatenate([np.arange(self.first_node[p], self.first_node[p + 1], step) for p in phases])

    @property
    def _ends_at_time(self) -> list[bool]:
        """Of each phase, whether it ends at a time."""
        return [self.arcs.table.conditions[end].is_timed for end in self.arcs.ends]

    @cached_property
    def end_sizes(self) -> np.ndarray:
        """Return the scales (phase,) of the conditions that end phases.

        For a condition on states, the scale is the largest change of the condition when one state changes by
        its scale, at the start point. For a condition on time, the scale is the scale of the time.
        """
        n, slope = self.arcs.size, self._evaluate(self.start).local.slope
        sizes = []
        for p, last in enumerate(self.first_node[1:] - 1):
            own = self.scale[self.first_state[p] : self.first_state[p] + n]
            size = float(np.max(np.abs(slope[-1, last, :n]) * own, initial=0.0)) or 1.0
            sizes.append(self.scale[self.first_time] if self._ends_at_time[p] else size)
        return np.array(sizes)

    # --- derivatives

    @cached_property
    def pattern(self) -> Pattern:
        """Return the sparsity pattern of the derivatives."""
        return Pattern(self)

    @cached_property
    def size(self) -> float:
        """Return the scale of the objective: its largest derivative with respect to a scaled variable, at
        the start point.
        """
        gradient = self.pattern.gradient(self._evaluate(self.start))
        return float(np.max(np.abs(gradient), initial=0.0)) or 1.0

    jacobian_rows = property(lambda self: self.pattern.jacobian_rows)
    jacobian_columns = property(lambda self: self.pattern.jacobian_columns)
    bend_rows = property(lambda self: self.pattern.bend_rows)
    bend_columns = property(lambda self: self.pattern.bend_columns)

    # --- as solvers see it

    def objective(self, x: np.ndarray) -> float:
        return self.values(x)[1] / self.size

    def gradient(self, x: np.ndarray) -> np.ndarray:
        return self.pattern.gradient(self._evaluate(x)) / self.size

    def constraints(self, x: np.ndarray) -> np.ndarray:
        return self.values(x)[0]

    def jacobian_sparse(self, x: np.ndarray) -> sparse.csr_matrix:
        """Return the derivatives (rows, variables) of the scaled rows at a scaled point x, as a sparse
        matrix.
        """
        places = self.jacobian_rows, self.jacobian_columns
        return sparse.csr_matrix((self.jacobian_values(x), places), (len(self.row_low), self.count))

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        return self.jacobian_sparse(x).toarray()

    def jacobian_values(self, x: np.ndarray) -> np.ndarray:
        """Return the nonzero entries of the Jacobian at a scaled point x, in the order of `jacobian_rows`
        and `jacobian_columns`.
        """
        return self.pattern.jacobian(self._evaluate(x))

    def bend_values(self, x: np.ndarray, factor: float, prices: np.ndarray) -> np.ndarray:
        """Return the nonzero entries of the scaled Hessian of factor * objective + sum(prices * rows) at a
        scaled point x.

        prices (rows,): multipliers of the rows. The entries are in the lower triangle, in the order of
        `bend_rows` and `bend_columns`.
        """
        found = self._evaluate(x)
        weights, sums, placed = self._prices(found, factor, prices)
        arcs, n, steps = self.arcs, self.arcs.size, APART * self._direction_scale()
        slope = found.local.slope
        # Phases that end at times end on straight lines.
        busy = self._busy(slope[n:-1] if all(self._ends_at_time) else slope[n:])
        moved = arcs.gradients(found.nodes, found.switched, weights, steps, busy)
        blocks = self._block(np.einsum("oj,ojd->jd", weights, slope), moved, steps, busy)
        own = self._bent_at(found, placed, steps)
        # The length of a phase times its rates.
        lines = np.einsum("oj,ojd->jd", sums, slope[n : 2 * n])
        return self.pattern.bend(blocks, own, lines)

    def _bent_at(self, found: Found, weights: np.ndarray, steps: np.ndarray) -> np.ndarray:
        """Second derivatives (place, direction, direction) of weights (quantity, place) times quantities at
        nodes."""
        slope, count = found.asked.slope, len(self.places)
        busy = self._busy(slope)
        nodes = found.nodes.some(np.repeat(self.places, len(busy)))
        which = np.tile(busy, count)
        own = self.arcs.quantities_at(nodes.move(which, steps[which]), found.switched).slope
        own = own.reshape(len(weights), count, len(busy), len(steps))
        moved = np.einsum("oj,ojkd->kjd", weights, own)
        return self._block(np.einsum("oj,ojd->jd", weights, slope), moved, steps, busy)

    def _busy(self, slope: np.ndarray) -> np.ndarray:
        """Directions with nonzero second derivatives. Without dependence, as on the ends of phases, they are
        zero. States are nonlinear in the coordinates near a planet."""
        busy = np.flatnonzero(np.any(slope != 0, axis=(0, 1)))
        return np.union1d(busy, np.arange(self.arcs.size) if self.round else []).astype(int)

    def _block(self, base: np.ndarray, moved: np.ndarray, steps: np.ndarray, busy: np.ndarray) -> np.ndarray:
        """Second derivatives (node, direction, direction) from gradients (node, direction), and those (moved,
        node, direction) with one of the directions moved."""
        some = (moved - base)[..., busy] / steps[busy, None, None]
        block = np.zeros((len(base), len(steps), len(steps)))
        block[:, busy[:, None], busy] = (np.moveaxis(some, 1, 0) + np.moveaxis(some, 1, 0).swapaxes(1, 2)) / 2
        return block

    def _direction_scale(self) -> np.ndarray:
        arcs, n = self.arcs, self.arcs.size
        return np.concatenate(
            [
                self.scale[:n],
                self.scale[self.first_time : self.first_value],
                [one.scale for one in arcs.controls],
                self.scale[self.first_value :],
            ]
        )

    def _prices(self, found: Found, factor: float, prices: np.ndarray) -> Any:
        """Weights (row, node) of results at nodes, (n, node) of rates for one second of a phase, and
        (quantity, place) of quantities at nodes."""
        arcs, n, m = self.arcs, self.arcs.size, len(self.arcs.along)
        times = found.parts[2]
        whole = np.zeros((2 * n + m + 1, self.first_node[-1]))
        placed = np.zeros((len(arcs.placed), len(self.places)))
        take = iter(np.split(prices[: self.equal], np.cumsum(self.equations)[:-1]))
        begin, defects, links, ends = (next(take) for _ in range(4))
        whole[:n, 0] += begin / self.state_size
        own = defects.reshape(-1, n) / self.state_size
        whole[:n] += (self.difference.T @ own).T
        sums = -(self.integral.T @ own).T
        whole[n : 2 * n] = np.diff(times)[self.phase_of] * sums
        own = links.reshape(-1, n).T / self.state_size[:, None]
        whole[:n, self.first_node[1:-1]] += own
        whole[:n, self.first_node[1:-1] - 1] -= own
        whole[-1, self.first_node[1:] - 1] += ends / self.end_sizes
        for row, some in zip(self.rows_asked, self.row_of):
            own = prices[some] / row.size
            if row.place is not None:
                placed[row.which, self.places.index(self.node(row.place))] += own[0]
            else:
                whole[2 * n + row.which, self.ends_in(row.phases)] += own
        for which, weight, place in self.terms:
            placed[which, self.places.index(self.node(place))] += factor * weight / self.size
        return whole, sums, placed

    @property
    def equations(self) -> list[int]:
        """Return the number of equations of four kinds: initial state, motion, links between phases, and
        ends of phases.
        """
        n, phases = self.arcs.size, self.arcs.phases
        return [n, len(self.interval) * (self.mesh.points - 1) * n, n * (phases - 1), phases]
