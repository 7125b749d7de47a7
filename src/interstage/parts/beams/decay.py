"""Compute upper bounds of the decay rate of a damped beam.

Let a motion of unit generalized mass have the stiffness k and the damping c. A motion without oscillation
decays at a root l of l^2 - c l + k = 0. The product of the two roots is k.

Let w be the square root of the highest k. If a motion decays faster than w, then l^2 - c l + k < 0 for all l
from w to its decay rate. Bisection therefore finds the highest decay rate. The same method applies to beams
that share bodies, if each beam has its fraction of the generalized mass.

- Stiffness-proportional damping: c = damping k.
- Mass-proportional damping: c = mass_damping times the fraction of the mass that moves relative to the first
  end. For a light moving clamp, this fraction exceeds one.
- Modal damping: c follows from the modal loads, to which moving clamps contribute.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...tree.names import GROUND
from .bound import Ends, by_ends, stiffness
from .declared import Beam
from .ends import at_clamp, inverse
from .least import at_start
from .segments import Made, of

NEAR = 1.02
"""Bisection ends if the ratio of the upper to the lower bound of the decay rate is below this number."""


class Damping(NamedTuple):
    """Upper bounds of the damping of a beam.

    - most: the largest damping per mass of any motion [1/s].
    - decay: the largest decay rate [1/s]. The decay rate is zero if it does not exceed the highest frequency.
    """

    most: float
    decay: float


def damping(scenario: Any, beam: Beam, rate: float, ends: Ends) -> Damping | None:
    """Return upper bounds of the damping of a beam; None for a beam without damping.

    - rate: upper bound of the angular frequencies of the beam [1/s], from `bound.fastest`.
    - ends: mobilities of the two clamps; see `bound.Ends`.
    """
    by_stiffness, by_mass = float(beam.damping), float(beam.mass_damping)
    if not by_stiffness and not by_mass and beam.modal_damping is None:
        return None
    made = of(beam, 0)
    if by_mass and ends[0] is not None:
        rigid = _rigid(made)
        by_mass *= 1 + _highest(ends[0], rigid.T @ _masses(made) @ rigid)
    if beam.modal_damping is None:
        most = by_stiffness * rate**2 + by_mass
        swings = rate > most / 2
        return Damping(most, max(by_mass, 0.0 if swings else most / 2 + np.sqrt((most / 2) ** 2 - rate**2)))
    stiff, lost = _with_modes(scenario, beam, made, ends)
    lost += by_stiffness * stiff + by_mass * np.eye(len(stiff))
    most = float(np.linalg.eigvalsh(lost)[-1])
    return Damping(most, _decay(stiff, lost, rate, most))


def _decay(stiff: np.ndarray, lost: np.ndarray, rate: float, most: float) -> float:
    """Return the highest decay rate for a stiffness and damping matrix of unit generalized mass; zero if it
    does not exceed `rate`."""

    def beyond(decay: float) -> bool:
        try:
            np.linalg.cholesky(decay**2 * np.eye(len(stiff)) - decay * lost + stiff)
        except np.linalg.LinAlgError:
            return False
        return True

    low, high = rate, most
    if high <= low or beyond(low):
        return 0.0
    while high > NEAR * low:
        middle = np.sqrt(low * high)
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return float(high)


def _with_modes(scenario: Any, beam: Beam, made: Made, ends: Ends) -> tuple[np.ndarray, np.ndarray]:
    """Return the stiffness and damping matrices of a straight beam with modal damping. Each coordinate has
    unit generalized mass. The coordinates are the displacements of the first clamp, the segments, and the
    second clamp."""
    from scipy.linalg import block_diag

    loads = stiffness(made).ravel()[:, None] * _all_strains(made)
    heavy, rates, felt = _masses(made), *_modes(scenario, beam, made, loads)
    across = [np.zeros((6, 6)) if one is None else _root(one) for one in ends]
    unit = block_diag(across[0], np.linalg.inv(np.linalg.cholesky(heavy)).T, across[1])
    loads, felt = loads @ unit, felt @ unit
    ratio = np.broadcast_to(np.asarray(beam.modal_damping, float), (beam.modes,))
    return loads.T @ loads, felt.T @ ((2 * ratio * rates)[:, None] * felt)


def _modes(scenario: Any, beam: Beam, made: Made, loads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the angular frequencies of the damped modes [1/s], and the modal coordinates per unit
    displacement."""
    from scipy.linalg import block_diag, eigh

    held = beam.modal_ends != "free", beam.modal_ends == "both held"
    bodies = {body.name: body for body in scenario.bodies}
    count = 6 * len(made.mass)
    free, heavy = list(range(6, count + 6)), _masses(made)
    for side, (end, name) in enumerate((("parent", beam.parent), ("child", beam.child))):
        if not held[side] and name in bodies:
            weight = at_start(bodies[name])
            own = np.linalg.inv(at_clamp(inverse(weight), weight.centre, beam, end))
            free, heavy = [*free, *range(side * (count + 6), side * (count + 6) + 6)], block_diag(heavy, own)
    stiff = loads.T @ loads
    squares, modes = eigh(stiff[np.ix_(free, free)], heavy)
    rigid = 6 if beam.modal_ends == "free" and GROUND not in (beam.parent, beam.child) else 0
    picked = slice(rigid, rigid + beam.modes)
    return np.sqrt(squares[picked]), (modes[:, picked] / squares[picked]).T @ stiff[free]


def _root(mobility: np.ndarray) -> np.ndarray:
    """Return a matrix R with R R^T equal to the given matrix, whose negative eigenvalues are only
    rounding."""
    size, along = np.linalg.eigh(mobility)
    return along * np.sqrt(np.maximum(size, 0.0))


def _highest(mobility: np.ndarray, mass: np.ndarray) -> float:
    """Return the highest eigenvalue of the product of mobility and mass."""
    root = _root(mobility)
    return max(float(np.linalg.eigvalsh(root.T @ mass @ root)[-1]), 0.0)


def _all_strains(made: Made) -> np.ndarray:
    """Return the strains of all elements from small displacements and rotations of the first clamp, the
    segments and the second clamp."""
    span = len(made.length)
    found = np.zeros((6 * span, 6 * (len(made.mass) + 2)))
    for k, (left, right) in enumerate(zip(*by_ends(made), strict=True)):
        found[6 * k : 6 * k + 6, 6 * k : 6 * k + 12] = np.hstack([left, right])
    return found


def _rigid(made: Made) -> np.ndarray:
    """Return the displacements and rotations of the segments (6 n, 6) for rigid motion with the first
    clamp."""
    count = 6 * len(made.mass)
    strains = _all_strains(made)[:count]
    return -np.linalg.solve(strains[:, 6 : 6 + count], strains[:, :6])


def _masses(made: Made) -> np.ndarray:
    """Return the mass matrix of the segments."""
    count = len(made.mass)
    across = np.diag(np.asarray(made.mass, float))
    if made.shared is not None:
        for k, one in enumerate(np.asarray(made.shared)[1:], 1):
            across[k - 1 : k + 1, k - 1 : k + 1] -= one * np.array([[1, -1], [-1, 1]])
    whole = np.zeros((count, 6, count, 6))
    for axis in range(3):
        whole[:, axis, :, axis] = across
        whole[range(count), 3 + axis, range(count), 3 + axis] = made.inertia[axis]
    return whole.reshape(6 * count, 6 * count)
