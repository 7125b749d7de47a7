"""Equations of the joints as a sequence of sums and products without branches, for a single case.

NumPy needs 0.3 ms for the constraints of one joint, mainly for function calls. `maths.straight`
records the same equations once as a sequence of scalar operations. The sequence needs a tenth of this time,
including elimination.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..formulations import cholesky, elimination
from ..formulations.contract import Constraints, Inertias
from ..maths.straight import Tape
from . import equations
from .equations import State, Weights
from .structure import Structure

MOST_ROWS = 30
"""Largest number of constraint rows. With more rows, the recorded elimination is slower than NumPy."""
LEAST = 1e-6
"""Smallest relative pivot at which a row in a closed loop counts as independent. The pivot of
a redundant row is a rounding error, about 1e-16 times the ratio of the masses.
"""
Line = Callable[[list[float]], tuple[float, ...]]


def possible(structure: Structure) -> bool:
    """Return whether the equations of a structure can be recorded. Rolling disks and prescribed motions need
    branches, and large structures are faster with NumPy.

    Redundant constraints of closed loops are detected later by `sound`.
    """
    prescribed = structure.motions is not None or structure.velocities is not None
    few = 0 < structure.table.count <= MOST_ROWS
    return few and not (structure.table.contacts or prescribed)


def loads(structure: Structure, eta: float, zero: Sequence[bool]) -> Line:
    """Return a function that computes the relative pivots of the constraint rows (see `sound`), followed by
    the loads on bodies and at joints.

    The input of the function is a list of the scalars of mass properties, state and wrench.

    - eta: Baumgarte gain [1/s].
    - zero: true for each mass property that is always 0; products with it are omitted.
    """
    tape, outputs = _loads(structure, eta, zero)
    return tape.function(outputs)


def loads_in_c(structure: Structure, eta: float, name: str) -> str:
    """Return the function of `loads` as a C function. The C function returns 0 if all constraint rows are
    sound, otherwise 1.

    name: name of the C function.
    """
    tape, outputs = _loads(structure, eta, ())
    rows = structure.table.count
    body = tape.c_source([*outputs[rows:], *outputs[:rows]])
    found = range(len(outputs) - rows, len(outputs))
    least = LEAST if structure.loops else cholesky.SINGULAR
    sound = " && ".join(f"out[{k}] > {least!r}" for k in found)
    return f"int {name}(const double *in, double *out)\n{{\n{body}\n    return ({sound}) ? 0 : 1;\n}}\n"


def _loads(structure: Structure, eta: float, zero: Sequence[bool]) -> tuple[Tape, list[Any]]:
    tape, structure = Tape(), structure._replace(loops=False)
    weights, state = _weights(tape, structure.count, zero), _state(tape, structure.count)
    wrench = tape.inputs(3, structure.count), tape.inputs(3, structure.count)
    pivots: list[Any] = []
    at = equations.place_rows(structure, weights, state, None)
    found = equations.loads(structure, weights, state, wrench, eta, _solving(structure, pivots), at)
    return tape, [*pivots, *found.on_bodies.ravel(), *found.at_joints.ravel()]


def project(structure: Structure, _eta: float, zero: Sequence[bool]) -> Line:
    """Return a function that computes the relative pivots of the constraint rows (see `sound`), followed by
    the projected state. For the arguments see `loads`.
    """
    tape = Tape()
    weights, state = _weights(tape, structure.count, zero), _state(tape, structure.count)
    pivots: list[Any] = []
    found = equations.project(structure, weights, state, _solving(structure, pivots))
    return tape.function(
        [*pivots[: structure.table.count], *(each for part in found for each in part.ravel())]
    )


def _weights(tape: Tape, count: int, zero: Sequence[bool]) -> Weights:
    parts = [tape.inputs(*shape) for shape in ((count,), (3, 3, count), (3, 3, count), (3, count))]
    known = iter(zero)
    for part in parts:
        for place in np.ndindex(part.shape):
            if next(known, False):
                part[place] = 0.0
    return Weights(*parts)


def _state(tape: Tape, count: int) -> State:
    return State(*(tape.inputs(axes, count) for axes in (3, 4, 3, 3)))


def _solving(structure: Structure, pivots: list[Any]) -> equations.Solving:
    """Solver by L D L^T elimination, written as single operations. It appends to `pivots` each pivot relative
    to its original value. For rotations this ratio is multiplied by the square of the constrained axis, which
    is zero for parallel axes."""

    def solving(inertias: Inertias, constraints: Constraints) -> Callable[[Any], Any]:
        held = constraints.active
        rows = [k for k in range(len(constraints.parent)) if held is None or held[k]]
        lower, diagonal, left = _factor(_response(inertias, constraints, rows))
        about = np.sum(constraints.on_b * constraints.on_b, 0)
        pivots.extend(
            ratio if structure.table.forces[k] else ratio * about[k] for k, ratio in zip(rows, left)
        )

        def multipliers(right: Any) -> Any:
            found = np.zeros(len(constraints.parent), object)
            found[rows] = _substitute(lower, diagonal, [right[k] for k in rows])
            return found

        return multipliers

    return solving


def _response(inertias: Inertias, constraints: Constraints, rows: list[int]) -> list[list[Any]]:
    """The lower half of A M^-1 A^T; see `elimination.response`."""
    ends = constraints.parent, constraints.child
    sides = list(zip(ends, (constraints.on_a, constraints.on_b), elimination.sides(inertias, constraints)))

    def coupling(k: int, l: int) -> Any:
        parts = (
            np.sum(on[:, k] * moved[:, l])
            for body_k, on, _ in sides
            for body_l, _, moved in sides
            if body_k[k] == body_l[l]
        )
        return sum(parts, 0.0)

    return [[coupling(k, l) for l in rows[: n + 1]] for n, k in enumerate(rows)]


def _factor(matrix: list[list[Any]]) -> tuple[list[list[Any]], list[Any], list[Any]]:
    """L without its diagonal of ones, the inverses of D, and D over the diagonal of the matrix."""
    lower: list[list[Any]] = []
    inverse: list[Any] = []
    left: list[Any] = []
    for k, row in enumerate(matrix):
        scaled: list[Any] = []
        for l in range(k):
            scaled.append(row[l] - sum((scaled[m] * lower[l][m] for m in range(l)), 0.0))
        lower.append([entry * inverse[l] for l, entry in enumerate(scaled)])
        pivot = row[k] - sum((scaled[m] * lower[k][m] for m in range(k)), 0.0)
        inverse.append(1.0 / pivot)
        left.append(pivot / row[k])
    return lower, inverse, left


def _substitute(lower: list[list[Any]], inverse: list[Any], right: list[Any]) -> list[Any]:
    count = len(right)
    down: list[Any] = []
    for k in range(count):
        down.append(right[k] - sum((lower[k][m] * down[m] for m in range(k)), 0.0))
    up: list[Any] = [entry * each for entry, each in zip(down, inverse)]
    for k in reversed(range(count)):
        up[k] = up[k] - sum((lower[m][k] * up[m] for m in range(k + 1, count)), 0.0)
    return up


def sound(pivots: tuple[float, ...], loops: bool) -> bool:
    """Return whether every constraint row has an effect: its relative pivot is above rounding.

    loops: whether joints form closed loops. If true, the limit is larger and also excludes redundant rows.
    """
    return min(pivots) > (LEAST if loops else cholesky.SINGULAR)
