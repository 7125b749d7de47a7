"""Stands in for `flight.pushed` until that is there: the same face on flights and derivatives of today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...flight.simulate import fly
from ...flight.targets import Target
from ...record.requirements import value_of
from ...tree.declaration import replaced


class Point(NamedTuple):
    z: np.ndarray
    values: np.ndarray
    record: Any
    scenario: Any


class Pushed:
    def __init__(self, scenario: Any, inputs: Mapping[str, list[Target]], outputs: Sequence[Any]) -> None:
        self.scenario, self.inputs, self.outputs = scenario, inputs, outputs

    def at(self, z: np.ndarray) -> Point:
        changed = self.scenario
        leaves: dict[str, np.ndarray] = {}
        for value, targets in zip(z, self.inputs.values(), strict=True):
            for target in targets:
                leaf = leaves.setdefault(target.path, np.array(target.leaf, float))
                leaf[target.index] = target.nominal + (value - targets[0].nominal)
        for path, leaf in leaves.items():
            changed = replaced(changed, path, leaf)
        record = fly(changed, False)
        return Point(z, np.array([value_of(record, o) for o in self.outputs]), record, changed)

    def jacobian(self, point: Point) -> np.ndarray:
        found = np.zeros((len(self.outputs), len(self.inputs)))
        moments = {(o.at, o.side) for o in self.outputs}
        for at, side in moments:
            rows = [k for k, o in enumerate(self.outputs) if (o.at, o.side) == (at, side)]
            names = list(dict.fromkeys(self.outputs[k].quantity for k in rows))
            wrt = [target.name for targets in self.inputs.values() for target in targets]
            by = point.scenario.derivatives(names, wrt, at, side).by
            for k in rows:
                for j, targets in enumerate(self.inputs.values()):
                    found[k, j] = sum(by[self.outputs[k].quantity][target.name] for target in targets)
        return found
