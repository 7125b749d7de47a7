"""Ideal velocity and losses as states of the flight, for quantities that the flight itself uses."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.contract import HasState, Makers
from ...engine.quantity import Quantity
from ...maths.arrays import jnp
from . import law
from .declared import ITEMS, METAS, in_flight

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout


class Performance(HasState):
    """Model that integrates the ideal velocities and losses that triggers or laws use.

    If no trigger or law uses these quantities, the model is absent. Such quantities are then computed after
    the flight.
    """

    name = "performance"
    state_description = "ideal velocity and losses"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Return whether the flight uses an ideal velocity or loss, for example in a trigger."""
        return bool(in_flight(layout.scenario))

    @cached_property
    def items(self) -> tuple[tuple[int, int], ...]:
        """Pairs (body, quantity) of indices, one for each integrated quantity."""
        return in_flight(self.layout.scenario)

    def of(self, scenario: Any) -> tuple[Any, ...]:
        """Return an empty tuple, because these quantities have no declarations."""
        return ()

    @cached_property
    def states(self) -> int:
        """Number of integrated quantities."""
        return len(self.items)

    @property
    def labels(self) -> tuple[str, ...]:
        """Path of each integrated quantity, for example "bodies.stage.drag_loss"."""
        return tuple(f"bodies.{self.layout.bodies[body]}.{ITEMS[item]}" for body, item in self.items)

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Return the rates of the integrated quantities [m/s^2] (quantity, *cases), computed by
        `law.rates`.
        """
        bodies = sorted({body for body, _ in self.items})
        found = law.rates(here, np.array(bodies))
        return jnp.stack([found[item, bodies.index(body)] for body, item in self.items])

    def quantities(self) -> Makers:
        """Return the integrated quantities, grouped by the path of their body."""
        names = self.layout.bodies
        bodies: Iterable[int] = dict.fromkeys(body for body, _ in self.items)
        return {f"bodies.{names[body]}": partial(self._of_body, body) for body in bodies}

    def _of_body(self, body: int) -> dict[str, Quantity]:
        return {
            ITEMS[item]: Quantity(METAS[ITEMS[item]], partial(self._value, place))
            for place, (own, item) in enumerate(self.items)
            if own == body
        }

    def _value(self, place: int, here: Here) -> Any:
        return here.own(self.name)[place]
