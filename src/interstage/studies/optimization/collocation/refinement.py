"""Estimate the errors of a collocation solution between nodes, and refine the mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....maths.gauss import gauss
from . import lobatto
from .arcs import Nodes
from .chart import chart_at
from .transcribed import Guess, Mesh, Transcribed

MOST_PIECES = 4
"""Largest number of pieces into which one refinement divides an interval."""


@dataclass
class Judged:
    """Estimated errors of a collocation solution. Each list has an array (interval,) for each phase.

    - errors: scaled error of the state at the end of the interval.
    - missed: violation of the limits along the phase, divided by the tolerance.
    """

    errors: list[np.ndarray]
    missed: list[np.ndarray]

    @property
    def error(self) -> float:
        """Return the sum of the errors of all intervals. The sum is an upper estimate of the total error."""
        return float(sum(np.sum(one) for one in self.errors))

    @property
    def beyond(self) -> float:
        """Return the largest violation of a limit, divided by its tolerance."""
        return float(max(np.max(one, initial=0.0) for one in self.missed))


def estimate_errors(program: Transcribed, x: np.ndarray, tolerances: list[float]) -> Judged:
    """Return the estimated errors of a solution x (scaled variables).

    A quadrature rule of higher order integrates the rates along the interpolated states. The error is the
    difference from the integral of the interpolated rates. tolerances: tolerance of each requested limit
    [SI].
    """
    found = program._evaluate(x)
    _, controls, times, values = found.parts
    arcs, n, s = program.arcs, program.arcs.size, program.mesh.points
    where, weight = gauss(s + 1)
    where, weight = (1 + where) / 2, weight / 2
    sums = lobatto.sums(s, where)
    first = program.first_node
    between, fractions, own, lengths = [], [], [], []
    for p in range(arcs.phases):
        breaks = program.mesh.breaks[p]
        h = np.diff(breaks) * (times[p + 1] - times[p])
        index = first[p] + np.arange(len(h))[:, None] * (s - 1) + np.arange(s)
        state, rate = found.local.value[:n][:, index], found.local.value[n : 2 * n][:, index]
        # (n, interval, point)
        some = state[:, :, :1] + h[:, None] * np.einsum("gj,nij->nig", sums, rate)
        between.append(some.reshape(n, -1))
        fractions.append((breaks[:-1, None] + np.diff(breaks)[:, None] * where).ravel())
        own.append(np.array(program.at_fractions(p, controls, fractions[-1])).reshape(len(controls), -1))
        lengths.append((h, h * np.einsum("j,nij->ni", lobatto.integrals(s)[-1], rate)))
    counts = [len(some) for some in fractions]
    whole = np.concatenate(between, 1)
    chart = chart_at(whole, arcs.round)
    wide = (np.repeat(some[:, None], sum(counts), 1) for some in (times, values))
    phase, controls = np.repeat(np.arange(arcs.phases), counts), np.concatenate(own, 1)
    nodes = Nodes(phase, chart.coordinates(whole), chart, np.concatenate(fractions), controls, *wide)
    there = arcs.rates(nodes, found.switched).value
    errors, missed = [], []
    for p, (h, got) in enumerate(lengths):
        its = there[:, phase == p]
        exact = h * np.einsum("g,nig->ni", weight, its[n : 2 * n].reshape(n, len(h), -1))
        errors.append(np.max(np.abs(exact - got) / program.state_size[:, None], axis=0))
        missed.append(_violations(program, p, tolerances, its, len(h)))
    return Judged(errors, missed)


def _violations(
    program: Transcribed, p: int, tolerances: list[float], between: np.ndarray, intervals: int
) -> np.ndarray:
    n, worst = program.arcs.size, np.zeros(intervals)
    for row, tolerance in zip(program.rows_asked, tolerances, strict=True):
        if row.place is None and p in row.phases:
            inner = between[2 * n + row.which].reshape(intervals, -1)
            beyond = np.maximum(inner - row.high, row.low - inner).max(1)
            worst = np.maximum(worst, beyond / tolerance)
    return worst


def refine_mesh(
    program: Transcribed, found: Judged, tolerance: float, everywhere: bool, free: set[int]
) -> Mesh:
    """Return a mesh with more intervals at locations of large errors.

    - found: estimated errors.
    - tolerance: required total error.
    - everywhere: whether all intervals of the phases `free` are divided.
    - free: indices of the phases with controls.
    """
    s = program.mesh.points
    total = sum(len(one) for one in found.errors)
    breaks = []
    for p, (errors, missed) in enumerate(zip(found.errors, found.missed)):
        pieces = np.ceil((errors / (tolerance / total)) ** (1 / (2 * s - 1))).astype(int)
        pieces = np.clip(pieces, 1, MOST_PIECES)
        pieces = np.where(missed > 1.0, np.maximum(pieces, np.where(missed > 4.0, 3, 2)), pieces)
        if everywhere and p in free:
            pieces = np.maximum(pieces, 2)
        own = program.mesh.breaks[p]
        parts = [np.linspace(a, b, k + 1)[:-1] for a, b, k in zip(own[:-1], own[1:], pieces)]
        breaks.append(np.concatenate([*parts, own[-1:]]))
    return Mesh(tuple(breaks), s)


def interpolate(program: Transcribed, x: np.ndarray, mesh: Mesh) -> Guess:
    """Return a solution x (scaled variables), interpolated at the nodes of another mesh."""
    found = program._evaluate(x)
    _, controls, times, values = found.parts
    n, s = program.arcs.size, program.mesh.points
    states = []
    for p in range(program.arcs.phases):
        breaks, local = program.mesh.breaks[p], found.local.value[:, program.first_node[p] :]
        f = mesh.fractions(p)
        i = np.clip(np.searchsorted(breaks, f, side="right") - 1, 0, len(breaks) - 2)
        part = np.diff(breaks)[i]
        h = part * (times[p + 1] - times[p])
        sums = lobatto.sums(s, (f - breaks[i]) / part)  # (node, point)
        index = i[:, None] * (s - 1) + np.arange(s)
        rate = local[n : 2 * n][:, index]
        states.append(local[:n][:, index[:, 0]] + h * np.einsum("jk,njk->nj", sums, rate))
    own = []
    for k, one in enumerate(program.arcs.controls):
        parts = [program.at_fractions(p, controls, mesh.breaks[p])[k] for p in one.phases]
        own.append(np.concatenate([*(part[:-1] for part in parts), parts[-1][-1:]]))
    return Guess(states, own, times, values)
