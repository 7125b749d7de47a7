"""Mass properties of a flexible body at a propellant level, without elastic deformation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.numbers import Totals
from ...model.body import central_inertia
from ..propellant import tank_masses
from ..propellant.elements import FULL, Container, Liquid
from ..propellant.engines import SHARES_ROUNDING, feeds

if TYPE_CHECKING:
    from ...scenario import Scenario


class Weighed(NamedTuple):
    """Mass properties of a body at a propellant level.

    - mass: mass [kg].
    - centre: centre of mass [m] (3,), structural coordinates; None if the tanks cannot have this level.
    - inertia: inertia about the centre of mass [kg m^2] (3, 3), structural axes; None if the tanks cannot
      have this level.
    - sure: whether the level determines the propellant in each tank. If false, the distribution is estimated.
    - alike: whether the estimate drains all tanks in proportion to their initial propellant. If false, the
      tanks drain as the engines draw propellant.
    """

    mass: float
    centre: np.ndarray | None
    inertia: np.ndarray | None
    sure: bool = True
    alike: bool = False


def at_level(scenario: Scenario, body: Any, propellant: Any) -> Weighed:
    """Return the mass properties of a body at a propellant level.

    propellant: total propellant in its tanks [kg]. With None, the result contains the dry mass only, without
    mass items.
    """
    dry = Totals(np.asarray(body.mass), np.asarray(body.mass_centre), central_inertia(body))
    if propellant is None:
        return Weighed(float(dry.mass), dry.centre, dry.inertia)
    elements = tuple(map(_frozen, body.elements))
    held = [e for e in elements if isinstance(e, Container)]
    tanks = [e for e in held if e.drains]
    starts = np.array([float(tank.propellant) for tank in tanks])
    stays = sum(float(e.propellant) for e in held if not e.drains)
    shares = _shares(scenario, body.name, [tank.name for tank in tanks])
    left = _drain_to(starts, starts if shares is None else shares, float(propellant) - stays)
    some = starts if left is None else left
    with np.errstate(divide="ignore", invalid="ignore"):  # body without dry mass
        found = tank_masses.totals(tank_masses.prepare(elements), dry, some)
    mass = float(found.mass) - some.sum() - stays + float(propellant)
    centre, inertia = np.asarray(found.centre), np.asarray(found.inertia)
    if left is None or not np.isfinite([*centre, *inertia.flat]).all():
        return Weighed(mass, None, None, sure=False)
    rounding = (FULL - 1) * max(starts.sum(), float(propellant))
    known = any(np.max(np.abs(left - one), initial=0.0) <= rounding for one in (starts, 0.0))
    return Weighed(mass, centre, inertia, len(tanks) == 1 or known, shares is None)


def _frozen(element: Any) -> Any:
    """Return an element as in a finite-element model, with liquid that rotates with the tank and does not
    slosh."""
    if not isinstance(element, Liquid):
        return element
    return element.model_copy(update={"slosh": None, "roll_fraction": np.array(1.0)})


def _shares(scenario: Scenario, body: str, tanks: list[str]) -> np.ndarray | None:
    """Return the fractions of the flow from the tanks of a body (tank,); None if engines differ, or without
    engines."""
    found: list[np.ndarray] = []
    for engine in scenario.engines:
        drawn = {name: float(share) for name, share in feeds(engine)}
        of_tanks = np.array([drawn.get(f"{body}.{tank}", 0.0) for tank in tanks])
        if of_tanks.sum() > 0:
            found.append(of_tanks / of_tanks.sum())
    if not found or max(np.max(np.abs(one - found[0])) for one in found) > SHARES_ROUNDING:
        return None
    return found[0]


def _drain_to(starts: np.ndarray, shares: np.ndarray, level: float) -> np.ndarray | None:
    """Return the propellant left in tanks (tank,) [kg] after they drain, or fill, from the start in fixed
    fractions until the total is `level`. An empty tank gives no more. None if the level is impossible."""
    if not shares.sum() > 0:  # no tanks, or empty tanks
        return np.full(len(starts), level / max(len(starts), 1)) if level >= 0 else None

    def remainder(drawn: Any) -> np.ndarray:
        return np.maximum(starts - shares * drawn, 0.0)

    empty = np.sort(starts[shares > 0] / shares[shares > 0])
    drawn = np.array([min((starts.sum() - level) / shares.sum(), 0.0), 0.0, *empty])
    sums = np.array([remainder(one).sum() for one in drawn])  # piecewise linear
    return None if level < sums[-1] else remainder(np.interp(-level, -sums, drawn))
