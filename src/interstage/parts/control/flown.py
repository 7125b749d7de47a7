"""Control laws and actuators as a part: signals by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.contract import Makers, Part
from ...maths.arrays import jnp
from .quantities import command_quantity, position_quantity

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout


class Steered(NamedTuple):
    """signals: commands of control laws and positions of actuators by name, (*lanes). rates (number, *lanes):
    of the integrals of continuous laws and of the actuators' states, which follow the propellant in the
    state."""

    signals: dict[str, Any]
    rates: Any


class Control(Part):
    """Laws and actuators; see `steering.Steering`."""

    name = "control"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether there is any of them."""
        return bool(layout.scenario.controls or layout.scenario.actuators)

    def find(self, here: Here) -> Steered:
        """Signals and rates; none where the mechanism was made without them."""
        if here.equations.steering is None:
            return Steered({}, jnp.zeros((0, *here.x.shape[1:])))
        return here.equations.steering(here)

    def quantities(self) -> Makers:
        """Commands of laws and positions of actuators."""
        scenario = self.layout.scenario
        return {
            "controls": lambda: {law.name: command_quantity(law) for law in scenario.controls},
            "actuators": lambda: {a.name: position_quantity(a) for a in scenario.actuators},
        }
