"""Random inputs that were drawn for the cases of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .dispersion import Kind


@dataclass(frozen=True, repr=False)
class Draws:
    """Random inputs of a range of cases, in SI.

    - `first`: number of the first case
    - `values`: values (component..., cases) of each changed array of the scenario, by path
    - `inputs`: values (cases,) of each random input, by name. Inputs that only formulas use are included. If
      a dispersion scales an array, the values are the factors.
    - `weights` (cases,): weights of importance sampling, with mean 1; all 1 without importance sampling
    - `indices`: index (cases,) of the vehicle, day or flight of each case, by kind
    """

    first: int
    values: Mapping[str, np.ndarray]
    inputs: Mapping[str, np.ndarray]
    weights: np.ndarray
    indices: Mapping[Kind, np.ndarray]

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return f"<Draws of cases {self.first} to {self.first + len(self) - 1}: {', '.join(self.inputs)}>"

    def part(self, cases: slice) -> Draws:
        """Return the random inputs of some successive cases. cases: their indices, from 0."""

        def own(table: Mapping[Any, np.ndarray]) -> dict[Any, np.ndarray]:
            return {key: values[..., cases] for key, values in table.items()}

        first, tables = self.first + cases.indices(len(self))[0], (self.values, self.inputs, self.indices)
        values, inputs, indices = map(own, tables)
        return Draws(first, values, inputs, self.weights[cases], indices)

    @property
    def by_case(self) -> dict[str, np.ndarray]:
        """Return the values (cases, component...) of each changed array by path. `Scenario.run_batch`
        accepts this mapping.
        """
        return {path: np.moveaxis(values, -1, 0) for path, values in self.values.items()}

    @property
    def effective_cases(self) -> float:
        """Return the effective number of cases (Kish): the number of unweighted cases that gives the same
        error of a mean.
        """
        return float(self.weights.sum() ** 2 / np.sum(self.weights**2)) if len(self) else 0.0
