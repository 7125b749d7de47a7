"""What parts have in the state, as linear analysis tells it: by coordinates of their own, or as it is."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...engine.contract import HasState, Linearizable, LinearState
from ...engine.layout import Layout
from ...engine.mechanism import Mechanism
from ...maths.arrays import jnp


class Behind:
    """The numbers of all parts of a layout in their order: of each its coordinates, or the numbers that it
    has in the state."""

    def __init__(self, layout: Layout):
        self.layout = layout
        self.parts = [(part.name, part) for part in layout.having(HasState) if part.states]

    @cached_property
    def linear_states(self) -> tuple[LinearState, ...]:
        """What each of them is."""
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
        """Of the numbers that tell as they are, which of those here and which of those in the state they
        are."""
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
        """Whether all tell as they are."""
        return not any(linear_states_of(part) for _, part in self.parts)

    def to_linear(self, mechanism: Mechanism, x: Any, near: Any) -> Any:
        """The numbers in a state (number, *cases); see `contract.Linearizable.to_linear`."""
        if self.plain:
            return mechanism.behind(x)
        found = [
            part.to_linear(mechanism, x, near)
            if isinstance(part, Linearizable) and part.linear_states
            else mechanism.own(name, x)
            for name, part in self.parts
        ]
        return jnp.concatenate(found)

    def from_linear(self, mechanism: Mechanism, x: Any, values: Any, near: Any) -> Any:
        """What parts have in a state of such bodies, of the values of these numbers."""
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
    """Coordinates by which linear analysis reports what a part has in the state; none where that serves."""
    return part.linear_states if isinstance(part, Linearizable) else ()


def part_names(layout: Layout) -> list[str]:
    """Names of the numbers that parts have in the state, which state what each belongs to."""
    groups = type(layout.scenario).model_fields
    parts = [(part.name, label) for part in layout.having(HasState) if part.states for label in part.labels]
    return [label if label.partition(".")[0] in groups else f"{name}.{label}" for name, label in parts]
