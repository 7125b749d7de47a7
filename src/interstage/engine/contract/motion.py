"""Capabilities of effects that change mass, have moving mass, or apply impulses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .part import Part
from .state import HasState, HasSwitches

if TYPE_CHECKING:
    from ..here import Here
    from ..mechanism import Mechanism
    from ..state import Discrete
    from .events import Fired


class ChangesMass(Part):
    """A part that changes the masses of bodies, for example engines that burn propellant."""

    drops_mass: bool = False
    """Whether bodies lose mass at events."""

    def initial_mass(self, scenario: Any, numbers: Any, lanes: int) -> Any:
        """Return mass properties of the bodies at the start (`numbers.Totals`), or None if unchanged."""
        return None

    def with_mass(self, mechanism: Mechanism, x: Any, discrete: Discrete) -> Mechanism:
        """Return the mechanism with the mass properties of a state."""
        return mechanism

    def centre_velocity(self, here: Here) -> Any:
        """Return the velocities of the centres of mass in their bodies [m/s] (3, body, *cases), body axes.

        None stands for zero."""
        return None

    def mass_rates(self, here: Here) -> Any:
        """Return the rates of mass of the bodies [kg/s] (body, *cases), or None for zero."""
        return None


class MovingMass(HasState):
    """A part with masses that move relative to the bodies, for example slosh masses."""

    def masses(self, here: Here) -> Any:
        """Return masses [kg] (item, *cases), offsets from the local origin [m] and velocities relative to it
        [m/s] (3, item, *cases), inertial axes, or None for none."""
        return None

    def carried_mass(self, here: Here) -> Any:
        """Return masses [kg] that count with the bodies of a stack (body, *cases), or None for none."""
        return None

    def states_after_impulse(self, mechanism: Mechanism, x: Any, discrete: Discrete, change: Any) -> Any:
        """Return its states in x if velocities of the bodies jump by `change` (6, body, *cases), or None if
        they stay."""
        return None


class Impulsive(HasSwitches):
    """A part that applies impulses at events, for example the shock of an explosive bolt."""

    @property
    def applies_impulses(self) -> bool:
        """Whether any item applies an impulse."""
        return True

    def apply_impulses(
        self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired
    ):
        """Return state and switches with the impulses of events."""
        return x, after

    def impulse_applied(self, before: Discrete, after: Discrete) -> Any:
        """Return whether an impulse was applied between two sets of switches (*cases)."""
        return False
