"""Result of `interstage symbols`: symbolic equations of motion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...tree.errors import BadInput
from ...tree.saving import write_file
from ...tree.sentences import count_text
from .algebra import ROOTS
from .equations import Equations
from .machine import AXES, Hung, Rate

if TYPE_CHECKING:
    from ...drawing.table import Table

ENDINGS = (".tex", ".txt")


@dataclass(frozen=True, repr=False)
class Symbols:
    """Symbolic equations of motion of a small system of rigid bodies (AIAA 2011-6277, eqs 13 to 15):

        q' = H2 q2',   M22 q2'' + N22 q2' = Q2 + H2^T [F; n].

    - q' = [v, w] of each body in the order of `bodies`: velocity v of the centre of mass in inertial axes,
      and angular velocity w in body axes.
    - q2': independent velocities, see `rates`, as in `interstage linearize` with body axes.
    - F: forces at the centres of mass in inertial axes. n: torques about the centres of mass in body axes. F
      and n exclude joint loads and uniform gravity.
    - difference: largest difference from the numerical equations at random states, relative to the magnitude
      of each entry.
    """

    scenario: Any
    equations: Equations
    difference: float

    def __repr__(self) -> str:
        return f"<Symbols: {count_text(len(self.bodies), 'bodies')}, {count_text(len(self.rates), 'rates')}>"

    @property
    def bodies(self) -> list[str]:
        """Return the names of the bodies. Each body comes after the body that carries it."""
        return [one.body for one in self.equations.machine.hung]

    @property
    def rates(self) -> tuple[Rate, ...]:
        """Return the independent velocities q2', each with symbol, path and unit."""
        return self.equations.machine.rates

    @cached_property
    def symbols(self) -> dict[str, Any]:
        """Return the SymPy symbols by name: parameters, coordinates, rates and direction cosines.

        The symbol A_BODY_xy is the direction cosine between the y axis of the body and the inertial x axis.
        """
        from sympy import Symbol

        names, machine = self.equations.machine.names, self.equations.machine
        every = [*names.values, *names.held, *machine.places, *(rate.symbol for rate in machine.rates)]
        every += [f"{one.cosines}_{a}{b}" for one in self.flying for a in AXES for b in AXES]
        return {name: Symbol(name, real=True) for name in every}

    @property
    def values(self) -> dict[Any, float]:
        """Return the values of the parameters in the scenario [SI], by SymPy symbol."""
        names = self.equations.machine.names
        found = {name: value for name, (value, *_) in names.values.items()}
        found |= {name: value for name, (value, _) in names.held.items()}
        return {self.symbols[name]: value for name, value in found.items()}

    @cached_property
    def H2(self) -> Any:
        """Return the matrix H2 (6 * bodies, rates) as a SymPy matrix."""
        from sympy import Matrix

        found = []
        for k, root in enumerate(self.equations.roots):
            velocity = Matrix(self._written(self.equations.velocity[k]))
            found.append(self._attitude(root) * velocity if root >= 0 else velocity)
            found.append(Matrix(self._written(self.equations.spin[k])))
        return Matrix.vstack(*found)

    @cached_property
    def M22(self) -> Any:
        """Return the mass matrix M22 = H2^T M H2 (rates, rates) as a SymPy matrix."""
        return self._matrix(self.equations.mass)

    @cached_property
    def N22(self) -> Any:
        """Return the gyroscopic matrix N22 = H2^T M H2' (rates, rates) as a SymPy matrix."""
        return self._matrix(self.equations.gyroscopic)

    @cached_property
    def Q2(self) -> Any:
        """Return the generalized forces Q2 (rates, 1) of uniform gravity and gyroscopic torques as a SymPy
        matrix.
        """
        from sympy import Matrix

        machine, found = self.equations.machine, self._matrix(self.equations.loads[:, None])
        pull = Matrix(self._written(self.equations.algebra.elements(machine.gravity)))
        for root, weights in self.equations.weights.items():
            found += self._matrix(weights) * self._attitude(root).T * pull
        return found

    # --- SymPy's

    @property
    def flying(self) -> list[Hung]:
        """Return the root bodies of flying trees, which no joint carries."""
        return [one for one in self.equations.machine.hung if one.hold is None]

    def _attitude(self, root: int) -> Any:
        from sympy import Matrix

        stem = self.equations.machine.hung[root].cosines
        return Matrix(3, 3, lambda i, j: self.symbols[f"{stem}_{AXES[i]}{AXES[j]}"])

    def _matrix(self, array: np.ndarray) -> Any:
        from sympy import Matrix

        return Matrix(self._written(array))

    @cached_property
    def _generators(self) -> list[Any]:
        """SymPy's expression for each of the algebra's symbols."""
        from sympy import Integer, cos, sin, sqrt

        names, found = self.equations.machine.names, dict(self.symbols)
        for name, (cosine, sine) in names.angles.items():
            found[cosine], found[sine] = cos(self.symbols[name]), sin(self.symbols[name])
        found |= {f"root{number}": sqrt(Integer(number)) for number in ROOTS}
        return [found[name] for name in names.every]

    def _written(self, array: np.ndarray) -> list[Any]:
        flat = [one.as_expr(*self._generators) for one in array.ravel()]
        width = array.shape[-1] if array.ndim > 1 else 1
        return [flat[k : k + width] for k in range(0, len(flat), width)]

    # --- files and tables

    def entries(self, name: str) -> Iterator[tuple[str, str, Any]]:
        """Yield the row name, the column name and the expression of each nonzero entry of a matrix.

        name: "H2" (rows V_BODY_x and W_BODY_x), "M22" (upper triangle), "N22" or "Q2" (empty column name).
        """
        matrix, columns = getattr(self, name), [rate.symbol for rate in self.rates]
        rows = (
            columns
            if name != "H2"
            else [f"{what}_{b.word}_{a}" for b in self.equations.machine.hung for what in "VW" for a in AXES]
        )
        for i, j in np.ndindex(matrix.shape):
            if matrix[i, j] != 0 and not (name == "M22" and j < i):
                yield rows[i], columns[j] if name != "Q2" else "", matrix[i, j]

    def tables(self) -> list[Table]:
        """Return tables of the rates, the coordinates, the parameters and the matrices."""
        from .printed import tables

        return tables(self)

    def text(self) -> str:
        """Return all equations as text that SymPy can parse."""
        from .printed import text

        return text(self)

    def latex(self) -> str:
        """Return all equations as a LaTeX document."""
        from .document import latex

        return latex(self)

    def save(self, path: str | Path) -> None:
        """Write all equations to a .tex or .txt file. Raises BadInput for another suffix, or if the file
        cannot be written.
        """
        path = Path(path)
        if path.suffix.lower() not in ENDINGS:
            raise BadInput(f"'{path}': the file type is unknown. Allowed endings: {' or '.join(ENDINGS)}")
        words = self.latex() if path.suffix.lower() == ".tex" else self.text()
        write_file(path, words)
