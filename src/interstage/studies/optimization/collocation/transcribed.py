"""An optimal control problem as a sparse nonlinear program: states at nodes and controls at the ends of
intervals are variables, and the equations of motion are constraints.

In each interval of length h the states X and their rates F at its points keep X_i - X_0 = h sum_j a_ij F_j
(`lobatto`); controls are straight lines over it, as the tables are by which they are flown (or the splines
through all points). Source: J. T. Betts, Practical Methods for Optimal Control and Estimation Using Nonlinear
Programming, 2nd ed., SIAM 2010, chapter 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sparse

from ....environment.world import is_flat
from ....maths import interpolation
from . import lobatto
from .arcs import Arcs, Local
from .chart import chart_at

APART = 1e-6
"""Second derivatives are differences of exact first ones over so much of the scale of a variable: what is
left out, and rounding, are both about this part of them, and Newton's steps bear far more."""


@dataclass(frozen=True)
class Mesh:
    """Ends of the intervals of each phase, as parts of it, and the points of an interval."""

    breaks: tuple[np.ndarray, ...]
    points: int

    def fractions(self, phase: int) -> np.ndarray:
        """Where the nodes of a phase are, as parts of it."""
        inner = lobatto.points(self.points)[1:]
        begin, long = self.breaks[phase][:-1], np.diff(self.breaks[phase])
        return np.concatenate([[0.0], (begin[:, None] + long[:, None] * inner).ravel()])


@dataclass
class Guess:
    """Where to begin: states (n, node) and controls (control, end of interval of its phases), times
    (phase + 1), values of the variables."""

    states: list[np.ndarray]
    controls: list[np.ndarray]
    times: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Row:
    """A limit on a quantity, `which` of those asked for: at a node (phase, node), or all along phases.
    low, high in SI; size: what it is scaled by."""

    which: int
    low: float
    high: float
    size: float
    place: tuple[int, int] | None
    phases: tuple[int, ...] = ()


@dataclass
class Found:
    """What was worked out at a point."""

    local: list[Local]
    switched: Any
    parts: Any


class Transcribed:
    """The program on one mesh; see `solvers.contract.NonlinearProgram` and `SparseProgram`.

    terms: (which quantity, its weight, (phase, node)) of the objective, which is minimised."""

    def __init__(
        self,
        arcs: Arcs,
        mesh: Mesh,
        guess: Guess,
        rows: Sequence[Row],
        terms: Sequence[tuple[int, float, tuple[int, int]]],
        scenario: Any,
    ) -> None:
        self.arcs, self.mesh, self.rows_asked, self.terms = arcs, mesh, tuple(rows), tuple(terms)
        self.nodes = [len(mesh.fractions(p)) for p in range(arcs.phases)]
        round_planet = scenario.planet is not None and not is_flat(scenario.planet)
        self.charts = [chart_at(state, round_planet) for state in guess.states]
        self._place(guess)
        self._weights()
        self._scale(guess)
        self._limits()
        self.start = np.clip(self._packed(guess) / self.scale, self.low, self.high)
        self._maps()
        self._kept: dict[bytes, Found] = {}
        self._structure()

    # --- where everything is in the vector of variables

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

    def _weights(self) -> None:
        """For each phase and control, the weight that each end of an interval has in its value at each node
        (node, end)."""
        self.weights: list[list[sparse.csr_matrix]] = []
        for p in range(self.arcs.phases):
            own = []
            for k, one in enumerate(self.arcs.controls):
                own.append(self._weight(p, one, self.knots[k], self.mesh.fractions(p)))
            self.weights.append(own)

    def at_fractions(self, p: int, controls: list[np.ndarray], fractions: np.ndarray) -> list[np.ndarray]:
        """The controls at some parts of a phase."""
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
        ready = interpolation.knots(breaks, np.eye(len(breaks)), one.smooth)
        found = np.array([interpolation.look_up(ready, np.full(len(breaks), f)) for f in fractions])
        found[np.abs(found) < 1e-14] = 0.0
        whole = np.zeros((len(fractions), knots))
        whole[:, before : before + len(breaks)] = found
        return sparse.csr_matrix(whole)

    def _scale(self, guess: Guess) -> None:
        arcs, n = self.arcs, self.arcs.size
        charted = np.concatenate([c.coordinates(s) for c, s in zip(self.charts, guess.states)], 1)
        states = np.concatenate(guess.states, 1)
        self.round = self.charts[0].up is not None
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

    def _packed(self, guess: Guess) -> np.ndarray:
        found = np.zeros(self.count)
        for p, (chart, state) in enumerate(zip(self.charts, guess.states)):
            zeta = chart.coordinates(state)
            found[self.first_state[p] : self.first_state[p] + zeta.size] = zeta.T.ravel()
        for k, own in enumerate(guess.controls):
            found[self.first_control[k] : self.first_control[k] + len(own)] = own
        found[self.first_time : self.first_value] = guess.times[1:]
        found[self.first_value :] = guess.values
        return found

    def unpacked(self, x: np.ndarray) -> Guess:
        """States, controls, times and values of variables at a scaled point."""
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
            count = 1 if row.place is not None else sum(len(self._ends(p)) for p in row.phases)
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

    def _inner(self, p: int) -> int:
        """How many nodes of a phase have an equation of motion: all but the first."""
        return self.nodes[p] - 1

    def _maps(self) -> None:
        """What each direction of each node is of the variables, sparse (node times direction, variable), and
        the matrices of the defects."""
        arcs, n = self.arcs, self.arcs.size
        self.map: list[sparse.csr_matrix] = []
        self.difference: list[sparse.csr_matrix] = []
        self.integral: list[sparse.csr_matrix] = []
        weights = lobatto.integrals(self.mesh.points)
        for p, count in enumerate(self.nodes):
            rows, columns, values = [], [], []
            for d in range(n):
                rows.append(np.arange(count) * arcs.directions + d)
                columns.append(self.first_state[p] + np.arange(count) * n + d)
                values.append(np.ones(count))
            for k in range(arcs.phases):
                rows.append(np.arange(count) * arcs.directions + n + k)
                columns.append(np.full(count, self.first_time + k))
                values.append(np.ones(count))
            for k in range(len(arcs.controls)):
                own = self.weights[p][k].tocoo()
                rows.append(own.row * arcs.directions + n + arcs.phases + k)
                columns.append(self.first_control[k] + own.col)
                values.append(own.data)
            for k in range(len(arcs.unknowns)):
                rows.append(np.arange(count) * arcs.directions + n + arcs.phases + len(arcs.controls) + k)
                columns.append(np.full(count, self.first_value + k))
                values.append(np.ones(count))
            whole = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
            self.map.append(sparse.csr_matrix(whole, (count * arcs.directions, self.count)))
            s, breaks = self.mesh.points, self.mesh.breaks[p]
            between = len(breaks) - 1
            change = np.zeros((between * (s - 1), count))
            summed = np.zeros((between * (s - 1), count))
            for i in range(between):
                own, at = slice(i * (s - 1), (i + 1) * (s - 1)), i * (s - 1)
                change[own, at + 1 : at + s] = np.eye(s - 1)
                change[own, at] = -1.0
                summed[own, at : at + s] = (breaks[i + 1] - breaks[i]) * weights
            self.difference.append(sparse.csr_matrix(change))
            self.integral.append(sparse.csr_matrix(summed))

    # --- values

    def _found(self, x: np.ndarray) -> Found:
        x = np.asarray(x, float)
        key = x.tobytes()
        if key not in self._kept:
            self._kept = {**dict(list(self._kept.items())[-2:]), key: self._at(x)}
        return self._kept[key]

    def _at(self, x: np.ndarray) -> Found:
        parts = self._split(x * self.scale)
        zetas, controls, times, values = parts
        ends = [(c.some(slice(-1, None)), zeta[:, -1]) for c, zeta in zip(self.charts[:-1], zetas[:-1])]
        switched = self.arcs.switched(ends, times, values)
        self.arcs.fix(times)
        local = [
            self._local(p, zetas[p], times, self._at_nodes(p, controls), values, switched)
            for p in range(self.arcs.phases)
        ]
        return Found(local, switched, parts)

    def _at_nodes(self, p: int, controls: list[np.ndarray]) -> np.ndarray:
        own = [weight @ values for weight, values in zip(self.weights[p], controls)]
        return np.array(own).reshape(len(own), self.nodes[p])

    def _local(self, p: int, zeta, times, controls, values, switched) -> Local:
        count = zeta.shape[1]
        wide = np.repeat(times[:, None], count, 1), np.repeat(values[:, None], count, 1)
        fractions = self.mesh.fractions(p)
        return self.arcs.at(p, self.charts[p], zeta, wide[0], fractions, controls, wide[1], switched)

    def values(self, x: np.ndarray) -> tuple[np.ndarray, float]:
        """Scaled rows, and the objective in SI with its sign."""
        found = self._found(x)
        _, _, times, _ = found.parts
        n, m = self.arcs.size, len(self.arcs.asked)
        size = self.state_size[:, None]
        rows = [(found.local[0].value[:n, 0] - found.switched.states[0]) / self.state_size]
        for p, local in enumerate(found.local):
            state, rate = local.value[:n], local.value[n : 2 * n]
            left = self.difference[p] @ state.T - (times[p + 1] - times[p]) * (self.integral[p] @ rate.T)
            rows.append((left / size.T).ravel())
        for p in range(1, self.arcs.phases):
            rows.append((found.local[p].value[:n, 0] - found.switched.states[p]) / self.state_size)
        for p, local in enumerate(found.local):
            rows.append([local.value[2 * n + m, -1] / self.end_size(p)])
        for row in self.rows_asked:
            rows.append(self._asked(row, found) / row.size)
        rows.append(np.diff(times) / self.scale[self.first_time])
        rows.append(self.hulls @ (np.asarray(x) * self.scale))
        total = sum(w * found.local[p].value[2 * n + k, j] for k, w, (p, j) in self.terms)
        return np.concatenate(rows), float(total)

    def _asked(self, row: Row, found: Found) -> np.ndarray:
        n = self.arcs.size
        if row.place is not None:
            p, j = row.place
            return found.local[p].value[2 * n + row.which, [j]]
        return np.concatenate([found.local[p].value[2 * n + row.which][self._ends(p)] for p in row.phases])

    def _ends(self, p: int) -> np.ndarray:
        """The nodes at ends of intervals, where limits along a phase are kept: there the controls have as
        much freedom; between, the mesh is refined until they are kept as well."""
        return np.arange(0, self.nodes[p], self.mesh.points - 1)

    def end_size(self, p: int) -> float:
        """What the condition that ends a phase is scaled by."""
        condition = self.arcs.table.conditions[self.arcs.ends[p]]
        return self.scale[self.first_time] if condition.timed else self.ends_size[p]

    # --- derivatives

    def _slopes(self, x: np.ndarray) -> tuple[sparse.csr_matrix, np.ndarray]:
        """Jacobian of the scaled rows, and the gradient of the objective, by the variables in SI."""
        found = self._found(x)
        _, _, times, _ = found.parts
        arcs, n, m = self.arcs, self.arcs.size, len(self.arcs.asked)
        node = [self._of_nodes(p, found.local[p].slope) for p in range(arcs.phases)]
        states, rates, asked, ends = zip(*node)
        rows = [self._start_row(0, states[0], found, None)]
        for p in range(arcs.phases):
            long = times[p + 1] - times[p]
            for_states = sparse.kron(self.difference[p], sparse.eye(n), "csr") @ states[p]
            summed = sparse.kron(self.integral[p], sparse.eye(n), "csr")
            for_rates = long * (summed @ rates[p])
            rate = (summed @ found.local[p].value[n : 2 * n].T.ravel())[:, None]
            every = for_states - for_rates - sparse.csr_matrix(rate) @ self._long(p)
            size = np.tile(self.state_size, self._inner(p))
            rows.append(sparse.diags(1 / size) @ every)
        for p in range(1, arcs.phases):
            rows.append(self._start_row(p, states[p], found, states[p - 1]))
        for p in range(arcs.phases):
            rows.append(ends[p][-1] / self.end_size(p))
        for row in self.rows_asked:
            if row.place is not None:
                p, j = row.place
                rows.append(asked[p][j * m + row.which] / row.size)
            else:
                for p in row.phases:
                    rows.append(asked[p][row.which :: m][self._ends(p)] / row.size)
        k = self.first_time + np.arange(arcs.phases)
        one = np.ones(arcs.phases)
        lower = sparse.csr_matrix((-one[1:], (np.arange(1, arcs.phases), k[:-1])), (arcs.phases, self.count))
        upper = sparse.csr_matrix((one, (np.arange(arcs.phases), k)), (arcs.phases, self.count))
        rows.append((upper + lower) / self.scale[self.first_time])
        rows.append(self.hulls)
        gradient = np.zeros(self.count)
        for which, weight, (p, j) in self.terms:
            gradient += weight * asked[p][j * m + which].toarray().ravel()
        return sparse.csr_matrix(sparse.vstack(rows)), gradient

    def _long(self, p: int) -> sparse.csr_matrix:
        """What the length of a phase is of the variables (1, variable)."""
        places = [self.first_time + p] + ([self.first_time + p - 1] if p else [])
        return sparse.csr_matrix(([1.0, -1.0][: len(places)], ([0] * len(places), places)), (1, self.count))

    def _of_nodes(self, p: int, slope: np.ndarray) -> tuple[sparse.csr_matrix, ...]:
        """Derivatives by all variables of states and rates, (node times row), of what is asked for, and of
        what ends the phase."""
        n, m = self.arcs.size, len(self.arcs.asked)
        found = []
        for first, last in ((0, n), (n, 2 * n), (2 * n, 2 * n + m), (2 * n + m, 2 * n + m + 1)):
            some = np.moveaxis(slope[first:last], 0, 1)  # (node, row, direction)
            if last == first:
                found.append(sparse.csr_matrix((0, self.count)))
                continue
            found.append(sparse.csr_matrix(_diagonal(some) @ self.map[p]))
        return tuple(found)

    def _start_row(self, p: int, states: Any, found: Found, before: Any) -> sparse.csr_matrix:
        """The start of a phase less what the one before leads to."""
        arcs, n = self.arcs, self.arcs.size
        slope = found.switched.slopes[p]  # by coordinates of the end before, ends of phases, variables
        own = states[:n]
        columns = [self.first_time + k for k in range(arcs.phases)]
        columns += [self.first_value + k for k in range(len(arcs.unknowns))]
        rest = sparse.csr_matrix(slope[:, n:])
        spread = sparse.csr_matrix(
            (np.ones(len(columns)), (range(len(columns)), columns)), (len(columns), self.count)
        )
        led = rest @ spread
        if p > 0:
            last = self.first_state[p - 1] + n * (self.nodes[p - 1] - 1)
            place = sparse.csr_matrix((np.ones(n), (range(n), last + np.arange(n))), (n, self.count))
            led = led + sparse.csr_matrix(slope[:, :n]) @ place
        return sparse.diags(1 / self.state_size) @ (own - led)

    def _structure(self) -> None:
        """Which entries of the Jacobian and of the bend of the Lagrangian there are."""
        self.ends_size = np.ones(self.arcs.phases)
        found = self._found(self.start)
        n, m = self.arcs.size, len(self.arcs.asked)
        for p, local in enumerate(found.local):
            own = (
                np.abs(local.slope[2 * n + m, -1, :n])
                * self.scale[self.first_state[p] : self.first_state[p] + n]
            )
            self.ends_size[p] = float(np.max(own, initial=0.0)) or 1.0
        kept = found.local, found.switched
        rng = np.random.default_rng(0)
        found.local = [_generic(local, n, rng) for local in kept[0]]
        full = [1.0 + rng.random(one.shape) for one in kept[1].slopes]
        found.switched = kept[1]._replace(slopes=full)
        pattern, _ = self._slopes(self.start)
        found.local, found.switched = kept
        own = pattern.tocoo()
        self.jacobian_rows, self.jacobian_columns = own.row, own.col
        bend = None
        for p in range(self.arcs.phases):
            ones = abs(self.map[p])
            block = sparse.kron(sparse.eye(self.nodes[p]), np.ones((self.arcs.directions,) * 2), "csr")
            one = ones.T @ block @ ones
            bend = one if bend is None else bend + one
        lower = sparse.tril(bend, format="coo")
        self.bend_rows, self.bend_columns = lower.row, lower.col
        _, gradient = self._slopes(self.start)
        self.size = float(np.max(np.abs(gradient * self.scale), initial=0.0)) or 1.0

    # --- as solvers see it

    def objective(self, x: np.ndarray) -> float:
        return self.values(x)[1] / self.size

    def gradient(self, x: np.ndarray) -> np.ndarray:
        return self._slopes(x)[1] * self.scale / self.size

    def constraints(self, x: np.ndarray) -> np.ndarray:
        return self.values(x)[0]

    def jacobian_sparse(self, x: np.ndarray) -> sparse.csr_matrix:
        """Derivatives (rows, variables), scaled."""
        return sparse.csr_matrix(self._slopes(x)[0] @ sparse.diags(self.scale))

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        return self.jacobian_sparse(x).toarray()

    def jacobian_values(self, x: np.ndarray) -> np.ndarray:
        """Its entries, as `jacobian_rows` and `jacobian_columns` have them."""
        return np.asarray(self.jacobian_sparse(x)[self.jacobian_rows, self.jacobian_columns]).ravel()

    def bend(self, x: np.ndarray, factor: float, prices: np.ndarray) -> sparse.csr_matrix:
        """Second derivatives of factor objective + prices rows, scaled (variables, variables)."""
        found = self._found(x)
        arcs, n = self.arcs, self.arcs.size
        weights, sums = self._prices(found, factor, prices)
        whole = sparse.csr_matrix((self.count, self.count))
        for p in range(arcs.phases):
            # Second derivatives along what nothing depends on, like the ends of phases, are zero.
            busy = np.flatnonzero(np.any(found.local[p].slope[n:] != 0, axis=(0, 1)))
            busy = np.union1d(busy, np.arange(n) if self.round else [])
            busy = busy.astype(int)
            steps = APART * self._direction_scale(p)
            base = np.einsum("oj,ojd->jd", weights[p], found.local[p].slope[:, :, busy])
            moved = self._moved(p, found, steps, busy)
            ahead = np.einsum("oj,okjd->kjd", weights[p], moved)
            some = (ahead - base) / steps[busy, None, None]  # (moved direction, node, direction)
            block = np.zeros((self.nodes[p], arcs.directions, arcs.directions))
            block[:, busy[:, None], busy] = (
                np.moveaxis(some, 1, 0) + np.moveaxis(some, 1, 0).swapaxes(1, 2)
            ) / 2
            whole = whole + self.map[p].T @ _diagonal(block) @ self.map[p]
            # The length of a phase times its rates.
            rate = np.einsum("oj,ojd->jd", sums[p], found.local[p].slope[n : 2 * n]).ravel()
            line = self.map[p].T @ rate
            cross = sparse.lil_matrix((self.count, self.count))
            cross[self.first_time + p] = line
            if p:
                cross[self.first_time + p - 1] = -line
            cross = cross.tocsr()
            whole = whole + cross + cross.T
        scaled = sparse.diags(self.scale)
        return sparse.csr_matrix(scaled @ whole @ scaled)

    def bend_values(self, x: np.ndarray, factor: float, prices: np.ndarray) -> np.ndarray:
        """Its entries in the lower triangle, as `bend_rows` and `bend_columns` have them."""
        return np.asarray(self.bend(x, factor, prices)[self.bend_rows, self.bend_columns]).ravel()

    def _direction_scale(self, p: int) -> np.ndarray:
        arcs, n = self.arcs, self.arcs.size
        return np.concatenate(
            [
                self.scale[self.first_state[p] : self.first_state[p] + n],
                self.scale[self.first_time : self.first_value],
                [one.scale for one in arcs.controls],
                self.scale[self.first_value :],
            ]
        )

    def _moved(self, p: int, found: Found, steps: np.ndarray, busy: np.ndarray) -> np.ndarray:
        """Slopes (row, moved direction, node, direction) with each of some directions moved by its step."""
        arcs, n = self.arcs, self.arcs.size
        zetas, controls, times, values = found.parts
        d, count, whole = len(busy), self.nodes[p], arcs.directions
        unit = (np.eye(whole) * steps)[:, busy]
        each = np.repeat(unit, count, 1)  # (direction, moved times node)
        zeta = np.tile(zetas[p], d) + each[:n]
        when = np.repeat(times[:, None], d * count, 1)
        when[1:] += each[n : n + arcs.phases]
        control = np.tile(self._at_nodes(p, controls), d) + each[n + arcs.phases : whole - len(values)]
        own = np.repeat(values[:, None], d * count, 1) + each[whole - len(values) :]
        chart = self.charts[p]
        chart = chart.some(np.tile(np.arange(count), d))
        fractions = np.tile(self.mesh.fractions(p), d)
        arcs.fix(times)
        slope = arcs.at(p, chart, zeta, when, fractions, control, own, found.switched, busy).slope
        return slope.reshape(slope.shape[0], d, count, d)

    def _prices(self, found: Found, factor: float, prices: np.ndarray) -> Any:
        """Weights (row, node) of what is worked out at nodes, for each phase; and those (n, node) of rates
        for one second of the phase."""
        arcs, n, m = self.arcs, self.arcs.size, len(self.arcs.asked)
        _, _, times, _ = found.parts
        weights = [np.zeros((2 * n + m + 1, count)) for count in self.nodes]
        sums = []
        weights[0][:n, 0] += prices[:n] / self.state_size
        first = n
        for p in range(arcs.phases):
            count = self._inner(p)
            own = prices[first : first + n * count].reshape(count, n) / self.state_size
            first += n * count
            weights[p][:n] += (self.difference[p].T @ own).T
            rate = -(self.integral[p].T @ own).T
            sums.append(rate)
            weights[p][n : 2 * n] += (times[p + 1] - times[p]) * rate
        for p in range(1, arcs.phases):
            own = prices[first : first + n] / self.state_size
            first += n
            weights[p][:n, 0] += own
            weights[p - 1][:n, -1] -= own
        for p in range(arcs.phases):
            weights[p][2 * n + m, -1] += prices[first] / self.end_size(p)
            first += 1
        for row, places in zip(self.rows_asked, self.row_of):
            own = prices[places] / row.size
            if row.place is not None:
                p, j = row.place
                weights[p][2 * n + row.which, j] += own[0]
            else:
                cuts = np.cumsum([len(self._ends(p)) for p in row.phases])[:-1]
                for p, some in zip(row.phases, np.split(own, cuts)):
                    weights[p][2 * n + row.which, self._ends(p)] += some
        for which, weight, (p, j) in self.terms:
            weights[p][2 * n + which, j] += factor * weight / self.size
        return weights, sums


def _diagonal(blocks: np.ndarray) -> sparse.csr_matrix:
    """The matrix with blocks (block, row, column) along its diagonal."""
    count, rows, columns = blocks.shape
    places = np.repeat(np.arange(count * columns).reshape(count, 1, columns), rows, 1)
    ends = np.arange(count * rows + 1) * columns
    return sparse.csr_matrix((blocks.ravel(), places.ravel(), ends), (count * rows, count * columns))


def _generic(local: Local, n: int, rng: np.random.Generator) -> Local:
    """Random numbers wherever a row may depend on a direction: states on coordinates alone."""
    slope = 1.0 + rng.random(local.slope.shape)
    slope[:n, :, n:] = 0.0
    return Local(1.0 + rng.random(local.value.shape), slope)
