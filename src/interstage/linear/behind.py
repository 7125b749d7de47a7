"""Linear states of models: each model defines its own linear states, or uses its states unchanged."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..engine.contract import HasState, Linearizable, LinearState
from ..engine.layout import Layout
from ..engine.mechanism import Mechanism
from ..maths.arrays import jnp


class Behind:
    """Linear states of all models of a layout, in the order of the models."""

    def __init__(self, layout: Layout):
        self.layout = layout
        self.parts = [(part.name, part) for part in layout.having(HasState) if part.states]

    @cached_property
    def linear_states(self) -> tuple[LinearState, ...]:
        """Return a description of each linear state."""
        names, found, first = part_names(self.layout), [], 0
        for _, part in self.parts:
            own = names[first : first + part.states]
            found += linear_states_of(part) or [
                LinearState(name, "", name.rstrip("0123456789").rstrip("."), "part") for name in own
            ]
            first += part.states
        return tuple(found)

    @cached_property
    def loose(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the indices of the model states that are used unchanged: among the linear states, and among
        the model states.
        """
        here, there, first, own = [], [], 0, 0
        for _, part in self.parts:
            count = len(linear_states_of(part))
            if not count:
                here += range(first, first + part.states)
                there += range(own, own + part.states)
            first, own = first + (count or part.states), own + part.states
        return np.array(here, int), np.array(there, int)

    @cached_property
    def plain(self) -> bool:
        """Return whether all models use their states as linear states."""
        return not any(linear_states_of(part) for _, part in self.parts)

    def to_linear(self, mechanism: Mechanism, x: Any, near: Any) -> Any:
        """Return the linear states of all models (linear state, *cases) for a state x of the mechanism.

        near: reference state for small rotations; see `contract.Linearizable.to_linear`.
        """
        if self.plain:
            return mechanism.trailing_state(x)
        found = [
            part.to_linear(mechanism, x, near)
            if isinstance(part, Linearizable) and part.linear_states
            else mechanism.own(name, x)
            for name, part in self.parts
        ]
        return jnp.concatenate(found)

    def from_linear(self, mechanism: Mechanism, x: Any, values: Any, near: Any) -> Any:
        """Return the states of all models (model state, *cases) from their linear states `values` (linear
        state, *cases).

        x: state of the mechanism with the states of the bodies. near: reference state for small rotations.
        """
        if self.plain:
            return values
        found, first = [], 0
        for _, part in self.parts:
            count = len(linear_states_of(part)) or part.states
            own = values[first : first + count]
            if isinstance(part, Linearizable) and part.linear_states:
                own = part.from_linear(mechanism, x, own, near)
            found.append(own)
            first += count
        return jnp.concatenate(found)


def linear_states_of(part: HasState) -> tuple[LinearState, ...]:
    """Return descriptions of the linear states of a model; empty if the model uses its states unchanged."""
    return part.linear_states if isinstance(part, Linearizable) else ()


def part_names(layout: Layout) -> list[str]:
    """Return the names of the states of all models. Each name begins with the path of its item."""
    groups = type(layout.scenario).model_fields
    parts = [(part.name, label) for part in layout.having(HasState) if part.states for label in part.labels]
    return [label if label.partition(".")[0] in groups else f"{name}.{label}" for name, label in parts]
