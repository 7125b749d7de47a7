"""Sparsity pattern of a collocation program. The pattern is computed once for each mesh.

Sparse matrices convert derivatives at nodes to entries of the Jacobian and of the Hessian.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sparse

from . import lobatto

if TYPE_CHECKING:
    from .transcribed import Found, Transcribed


class _Sums:
    """Entries (row, column) as sums of coefficients times numbers, added piece by piece."""

    def __init__(self, count: int, scale: np.ndarray) -> None:
        self.count, self.scale = count, scale
        self._pieces: list[tuple[np.ndarray, ...]] = []

    def add(self, row: Any, column: Any, number: Any, factor: Any) -> None:
        """Add factor times a number, each an array, to entries."""
        every = np.broadcast_arrays(row, column, number, factor)
        row, column, number, factor = (np.ravel(one) for one in every)
        some = factor != 0
        self._pieces.append((row[some], column[some], number[some], factor[some]))

    def sparse_parts(self, numbers: int) -> tuple[np.ndarray, np.ndarray, sparse.csr_matrix]:
        """Rows and columns of the entries, and the matrix (entry, number)."""
        row, column, number, factor = (np.concatenate(some) for some in zip(*self._pieces, strict=True))
        keys, entry = np.unique(row.astype(np.int64) * self.count + column, return_inverse=True)
        factor = factor * self.scale[column]
        whole = sparse.csr_matrix((factor, (entry, number)), (len(keys), numbers))
        return keys // self.count, keys % self.count, whole


class _Numbers:
    """Where numbers stand that are put one after another: each name has an array of their places."""

    def __init__(self, **shapes: tuple[int, ...]) -> None:
        self.places: dict[str, np.ndarray] = {}
        self.count = 0
        for name, shape in shapes.items():
            own = int(np.prod(shape))
            self.places[name] = np.arange(self.count, self.count + own).reshape(shape)
            self.count += own

    def __getitem__(self, name: str) -> np.ndarray:
        return self.places[name]


class Pattern:
    """Sparsity pattern of the derivatives of a collocation program, and the conversion from derivatives at
    nodes.
    """

    def __init__(self, program: Transcribed) -> None:
        self.program = program
        self._directions()
        self._jacobian()
        self._bend()

    def _directions(self) -> None:
        """Of each node the variables that its directions lead to: number of the direction (k,), and variable
        and coefficient (node, k)."""
        program, arcs = self.program, self.program.arcs
        n, nodes, phase = arcs.size, int(program.first_node[-1]), program.phase_of
        inner = np.arange(nodes) - program.first_node[phase]
        first = np.array(program.first_state)[phase] + n * inner
        own, variables, factors = [np.arange(n)], [first[:, None] + np.arange(n)], [np.ones((nodes, n))]
        ends = np.arange(arcs.phases)
        own.append(n + ends)
        variables.append(np.broadcast_to(program.first_time + ends, (nodes, arcs.phases)))
        factors.append((ends <= phase[:, None]).astype(float))  # what comes later moves nothing
        for k in range(len(arcs.controls)):
            weights = program.weights[k].copy()
            weights.eliminate_zeros()
            most = int(np.max(np.diff(weights.indptr), initial=0))
            place = np.arange(len(weights.data)) - np.repeat(weights.indptr[:-1], np.diff(weights.indptr))
            row = np.repeat(np.arange(nodes), np.diff(weights.indptr))
            knots, factor = np.zeros((nodes, most), int), np.zeros((nodes, most))
            knots[row, place], factor[row, place] = weights.indices, weights.data
            own.append(np.full(most, n + arcs.phases + k))
            variables.append(program.first_control[k] + knots)
            factors.append(factor)
        free = np.arange(len(arcs.unknowns))
        own.append(n + arcs.phases + len(arcs.controls) + free)
        variables.append(np.broadcast_to(program.first_value + free, (nodes, len(free))))
        factors.append(np.ones((nodes, len(free))))
        self.direction = np.concatenate(own)
        self.variable, self.factor = np.concatenate(variables, 1), np.concatenate(factors, 1)

    # --- first derivatives

    def _jacobian(self) -> None:
        program, arcs = self.program, self.program.arcs
        n, nodes, count = arcs.size, int(program.first_node[-1]), arcs.directions
        shared = arcs.phases + len(arcs.unknowns)
        self.numbers = _Numbers(
            one=(1,),
            states=(n, nodes, n),
            rates=(n, nodes, count),
            rate=(n, nodes),
            along=(len(arcs.along), nodes, count),
            ends=(arcs.phases, count),
            placed=(len(arcs.placed), len(program.places), count),
            led=(arcs.phases, n, n + shared),
        )
        sums = _Sums(program.count, program.scale)
        self._of_motion(sums)
        self._of_starts(sums)
        self._of_limits(sums)
        self.jacobian_rows, self.jacobian_columns, self._slopes = sums.sparse_parts(self.numbers.count)
        sums = _Sums(program.count, program.scale)
        for which, weight, place in program.terms:
            self._of_place(sums, 0, which, place, weight)
        _, self._columns, self._gradient = sums.sparse_parts(self.numbers.count)

    def _of_motion(self, sums: _Sums) -> None:
        program, numbers = self.program, self.numbers
        n, s = program.arcs.size, program.mesh.points
        node, size = program.interval_node, program.state_size
        first = n + np.arange(len(node)) * (s - 1) * n
        row = (
            first[:, None, None] + np.arange(s - 1)[:, None] * n + np.arange(n)
        )  # (interval, point, component)
        for at, sign in ((node[:, 1:], 1.0), (np.repeat(node[:, :1], s - 1, 1), -1.0)):
            number = np.moveaxis(numbers["states"][:, at], 0, 2)  # (interval, point, component, direction)
            sums.add(row[..., None], self.variable[at][:, :, None, :n], number, sign / size[:, None])
        weights = program.interval[:, None, None] * lobatto.integrals(s)  # (interval, point, node)
        # (interval, point, component, node, direction)
        number = np.moveaxis(numbers["rates"][:, node][..., self.direction], 0, 1)[:, None]
        factor = -weights[:, :, None, :, None] * self.factor[node][:, None, None] / size[:, None, None]
        sums.add(row[..., None, None], self.variable[node][:, None, None], number, factor)
        number = np.moveaxis(numbers["rate"][:, node], 0, 1)[:, None]  # (interval, 1, component, node)
        factor = -weights[:, :, None] / size[:, None]
        phase = program.phase_of[node[:, 0]][:, None, None, None]
        sums.add(row[..., None], program.first_time + phase, number, factor)
        later = np.where(phase > 0, -factor, 0.0)
        sums.add(row[..., None], program.first_time + np.maximum(phase - 1, 0), number, later)

    def _of_starts(self, sums: _Sums) -> None:
        """Starts of phases less what the ones before lead to."""
        program, numbers, arcs = self.program, self.numbers, self.program.arcs
        n, size = arcs.size, program.state_size[:, None]
        after = n + (program.mesh.points - 1) * len(program.interval) * n
        columns = np.concatenate(
            [
                program.first_time + np.arange(arcs.phases),
                program.first_value + np.arange(len(arcs.unknowns)),
            ]
        )
        for p in range(arcs.phases):
            row = (np.arange(n) if p == 0 else after + (p - 1) * n + np.arange(n))[:, None]
            first = program.first_node[p]
            sums.add(row, self.variable[first, :n], numbers["states"][:, first], 1 / size)
            led = numbers["led"][p]
            sums.add(row, columns, led[:, n:], -1 / size)
            if p:
                sums.add(row, self.variable[first - 1, :n], led[:, :n], -1 / size)

    def _of_limits(self, sums: _Sums) -> None:
        program, numbers, arcs = self.program, self.numbers, self.program.arcs
        first = sum(program.equations[:3])
        for p in range(arcs.phases):
            last = program.first_node[p + 1] - 1
            own = numbers["ends"][p][self.direction]
            sums.add(first + p, self.variable[last], own, self.factor[last] / program.end_sizes[p])
        for row, places in zip(program.rows_asked, program.row_of, strict=True):
            if row.place is not None:
                self._of_place(sums, places[0], row.which, row.place, 1 / row.size)
                continue
            where = program.ends_in(row.phases)
            own = numbers["along"][row.which][where][:, self.direction]
            sums.add(places[:, None], self.variable[where], own, self.factor[where] / row.size)
        # The ends of phases come in their order.
        long = 1 / program.scale[program.first_time]
        for k, row in enumerate(program.order):
            sums.add(row, program.first_time + k, 0, long)
            if k:
                sums.add(row, program.first_time + k - 1, 0, -long)
        hulls = program.hulls.tocoo()
        sums.add(program.order[-1] + 1 + hulls.row, hulls.col, 0, hulls.data)

    def _of_place(self, sums: _Sums, row: int, which: int, place: tuple[int, int], weight: float) -> None:
        program = self.program
        node = program.node(place)
        number = self.numbers["placed"][which, program.places.index(node)]
        sums.add(row, self.variable[node], number[self.direction], self.factor[node] * weight)

    def _numbers(self, found: Found) -> np.ndarray:
        """The numbers, one after another."""
        program, n, m = self.program, self.program.arcs.size, len(self.program.arcs.along)
        slope, rate = found.local.slope, found.local.value[n : 2 * n]
        long = np.diff(found.parts[2])[program.phase_of]
        parts = (
            np.ones(1),
            slope[:n, :, :n],
            slope[n : 2 * n] * long[:, None],
            rate,
            slope[2 * n : 2 * n + m],
            slope[-1, program.first_node[1:] - 1],
            found.asked.slope,
            found.switched.slopes,
        )
        return np.concatenate([np.ravel(part) for part in parts])

    def jacobian(self, found: Found) -> np.ndarray:
        """Return the nonzero entries of the Jacobian. found: evaluated program."""
        return self._slopes @ self._numbers(found)

    def gradient(self, found: Found) -> np.ndarray:
        """Return the derivatives (variable,) of the objective. found: evaluated program."""
        whole = np.zeros(self.program.count)
        whole[self._columns] = self._gradient @ self._numbers(found)
        return whole

    # --- second derivatives

    def _bend(self) -> None:
        program, arcs = self.program, self.program.arcs
        nodes, count = int(program.first_node[-1]), arcs.directions
        numbers = _Numbers(
            blocks=(nodes, count, count), placed=(len(program.places), count, count), lines=(nodes, count)
        )
        sums = _Sums(program.count, program.scale)
        for name, where in (("blocks", np.arange(nodes)), ("placed", np.array(program.places))):
            row, column = self.variable[where][:, :, None], self.variable[where][:, None, :]
            factor = self.factor[where][:, :, None] * self.factor[where][:, None, :] * program.scale[row]
            number = numbers[name][:, self.direction[:, None], self.direction]
            sums.add(row, column, number, np.where(row >= column, factor, 0.0))
        for before, sign in ((0, 1.0), (1, -1.0)):
            time = (program.first_time + np.maximum(program.phase_of - before, 0))[:, None]
            one, other = np.maximum(time, self.variable), np.minimum(time, self.variable)
            factor = sign * self.factor * np.where(one == other, 2.0, 1.0) * program.scale[one]
            factor = np.where(program.phase_of[:, None] >= before, factor, 0.0)
            sums.add(one, other, numbers["lines"][:, self.direction], factor)
        self.bend_rows, self.bend_columns, self._bends = sums.sparse_parts(numbers.count)

    def bend(self, blocks: np.ndarray, placed: np.ndarray, lines: np.ndarray) -> np.ndarray:
        """Return the nonzero entries of the Hessian's lower triangle.

        - blocks, placed (node, direction, direction): second derivatives at all nodes, and at nodes with
          quantities.
        - lines (node, direction): derivatives of weighted sums of the rates.
        """
        return self._bends @ np.concatenate([blocks.ravel(), placed.ravel(), lines.ravel()])
