"""Capabilities of parts that change masses, have moving masses, or apply impulses."""

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
    """Base class of a model that changes the masses of bodies, for example engines that burn propellant."""

    drops_mass: bool = False
    """Whether bodies lose mass at events. Default: False."""

    def initial_mass(self, scenario: Any, numbers: Any, lanes: int) -> Any:
        """Return the initial mass properties of the bodies (`numbers.Totals`). Default: None (declared
        values).

        - scenario: the scenario.
        - numbers: values of the scenario as arrays.
        - `lanes`: number of case axes, 0 or 1."""
        return None

    def with_mass(self, mechanism: Mechanism, x: Any, discrete: Discrete) -> Mechanism:
        """Return a mechanism with the mass properties of a state x. Default: the given mechanism."""
        return mechanism

    def centre_velocity(self, here: Here) -> Any:
        """Return the velocities [m/s] of the centres of mass relative to their bodies, body axes (3, body,
        *cases).

        Default: None, all velocities are zero."""
        return None

    def mass_rates(self, here: Here) -> Any:
        """Return the rates of change of the masses [kg/s] (body, *cases); negative for loss. Default: None,
        all rates are zero."""
        return None


class MovingMass(HasState):
    """Base class of a part with masses that move relative to the bodies, for example slosh masses."""

    def masses(self, here: Here) -> Any:
        """Return the moving masses: (masses, offsets, velocities). Default: None, no moving masses.

        - masses: [kg] (item, *cases).
        - offsets: positions relative to the local origin [m] (3, item, *cases), inertial axes.
        - velocities: velocities relative to the local origin [m/s] (3, item, *cases), inertial axes."""
        return None

    def carried_mass(self, here: Here) -> Any:
        """Return the moving masses [kg] that count as mass of each body (body, *cases). Default: None, all
        are zero."""
        return None

    def states_after_impulse(self, mechanism: Mechanism, x: Any, discrete: Discrete, change: Any) -> Any:
        """Return the states of this part after a sudden change of the velocities of the bodies.

        change: change of the velocities (6, body, *cases). Default: None, the states do not change."""
        return None


class Impulsive(HasSwitches):
    """Base class of a part that applies impulses at events, for example the shock of an explosive bolt."""

    @property
    def applies_impulses(self) -> bool:
        """Return whether any item of this part applies an impulse. Default: True."""
        return True

    def apply_impulses(
        self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired
    ):
        """Return (state x, switches) after the impulses of events at time t [s]. Default: no change.

        - before, after: switches of all parts before and after the events.
        - fired: events that occur."""
        return x, after

    def impulse_applied(self, before: Discrete, after: Discrete) -> Any:
        """Return whether this part applied an impulse between two sets of switches (*cases). Default:
        False."""
        return False
