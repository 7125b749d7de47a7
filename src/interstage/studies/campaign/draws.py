"""The drawn cases of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .dispersion import Kind


@dataclass(frozen=True, repr=False)
class Draws:
    """Inputs of a range of cases, in SI.

    - `first`: number of the first case
    - `values`: leaf path -> values (component..., cases) of the whole leaf
    - `inputs`: name of each drawn number -> values (cases,), with those that only formulas use; an array of
      the scenario that is scaled has its factors here
    - `weights` (cases,): of importance sampling, with mean 1; all 1 without it
    - `indices`: kind -> number of the vehicle, day or flight (cases,), from 0"""

    first: int
    values: Mapping[str, np.ndarray]
    inputs: Mapping[str, np.ndarray]
    weights: np.ndarray
    indices: Mapping[Kind, np.ndarray]

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return f"<Draws of cases {self.first} to {self.first + len(self) - 1}: {', '.join(self.inputs)}>"

    @property
    def by_case(self) -> dict[str, np.ndarray]:
        """Leaf path -> values (cases, component...), as `Scenario.run_batch` takes them."""
        return {path: np.moveaxis(values, -1, 0) for path, values in self.values.items()}

    @property
    def effective_cases(self) -> float:
        """Number of unweighted cases with the same error of a mean, by the weights of these cases (Kish)."""
        return float(self.weights.sum() ** 2 / np.sum(self.weights**2)) if len(self) else 0.0
