"""Modal damping of a beam.

Let phi be the modes of a straight beam, with unit generalized mass, angular frequencies w and damping ratios
z. The damping matrix is C = sum 2 z w M phi phi^T M (R. W. Clough and J. Penzien, Dynamics of Structures, 2nd
ed. 1993, chapter 12). With the strains B phi of small displacements and their section loads s, M phi = B^T
s/w^2. The matrix is therefore

    C = B^T (sum 2 z/w^3 s s^T) B.

The damping adds section loads that depend on the strain rates e': sum 2 z/w^3 s (s.e'). These loads are zero
for every rigid motion, including large rotations. The loads conserve momentum for any modes. The cost of a
step is proportional to the number of elements multiplied by the number of modes.

NumPy computes the modes once. If values have derivatives, the derivatives of the modes are of first order in
K - w^2 M (R. L. Fox and M. P. Kapoor, AIAA Journal 6, 1968). Modes of equal frequency mix, and the mixing
coefficients are divided equally between them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...maths.arrays import jax, jnp
from ...maths.dual import is_dual, linear, plain
from ...maths.vectors import cross
from . import law

SAME = 1e-6
"""The relative difference of squared frequencies below which two frequencies count as equal."""


class Damped(NamedTuple):
    """Modal damping of all beams. Each array has the shape (6, element, mode, *cases).

    - given: section loads that the damping adds, for unit modal rate.
    - felt: section loads of the mode shapes [N, N m]. The modal rate is the product of these loads and the
      strain rates.
    """

    given: Any
    felt: Any


class Masses(NamedTuple):
    """Masses of frames along a beam, in beam axes.

    - mass (frame,) [kg]
    - centre (3, frame) [m]: centre of mass relative to the frame.
    - inertia (3, 3, frame) [kg m^2]: about the centre of mass.
    - shared (frame,) [kg]: mass that a frame shares with the preceding frame; see `shared_mass`.
    """

    mass: Any
    centre: Any
    inertia: Any
    shared: Any


class Straight(NamedTuple):
    """A straight beam, divided by frames into elements.

    - stiffness: K and H of `law` (6, element).
    - length: lengths of the elements [m] (element,).
    - masses: masses of the frames.
    - shear: offsets of the shear centres [m] (3, element); None if all are zero.
    """

    stiffness: Any
    length: Any
    masses: Masses
    shear: Any

    def loads(self, shape: Any) -> Any:
        """Return the section loads (6, element, column) for small displacements and rotations of the frames.

        shape: displacements and rotations (6, frame, column), one column for each motion.
        """
        apart, turn = shape[:3, 1:] - shape[:3, :-1], shape[3:]
        half = 0.5 * self.length[:, None] * (turn[:, 1:] + turn[:, :-1])
        bent = jnp.stack([jnp.zeros_like(half[0]), -half[2], half[1]])
        stretch, angle = apart + bent, turn[:, 1:] - turn[:, :-1]
        stiff, shear = self.stiffness[..., None], None if self.shear is None else self.shear[..., None]
        if shear is None:
            return stiff * jnp.concatenate([stretch, angle])
        force = stiff[:3] * (stretch + law.at_shear_centre(shear, angle))
        return jnp.concatenate([force, stiff[3:] * angle + law.twisting(shear, force)])

    def stiff(self, shape: Any) -> Any:
        """Return the product of the stiffness matrix and displacements `shape` (6, frame, column); the same
        shape.
        """
        load = self.loads(shape)
        half = 0.5 * self.length[:, None] * load[:3]
        arm = jnp.stack([jnp.zeros_like(half[0]), half[2], -half[1]])
        left, right = (jnp.concatenate([s * load[:3], s * load[3:] + arm]) for s in (-1.0, 1.0))
        none = jnp.zeros((6, 1, *load.shape[2:]))
        return jnp.concatenate([left, none], 1) + jnp.concatenate([none, right], 1)

    def heavy(self, shape: Any) -> Any:
        """Return the product of the mass matrix and displacements `shape` (6, frame, column); the same
        shape.
        """
        mass, centre, inertia, shared = (one[..., None] for one in self.masses)
        speed = shape[:3] + cross(shape[3:], centre)
        none = jnp.zeros_like(speed[:, :1])
        half_way = shared[1:] * (speed[:, 1:] - speed[:, :-1])
        momentum = mass * speed + jnp.concatenate([half_way, none], 1) - jnp.concatenate([none, half_way], 1)
        turning = jnp.sum(inertia * shape[None, 3:], 1) + cross(centre, momentum)
        return jnp.concatenate([momentum, turning])


class Modes(NamedTuple):
    """All modes of a straight beam, in the order of frequency.

    - square: squared angular frequencies [1/s^2] (mode,).
    - shape: mode shapes (6, frame, mode), of unit generalized mass.
    - rigid: number of rigid-body modes, which come first.
    """

    square: np.ndarray
    shape: np.ndarray
    rigid: int

    def by(self, loads: np.ndarray) -> np.ndarray:
        """Return the work of loads on the frames (6, frame, column) along each mode shape (mode, column)."""
        return np.einsum("kfa,kfj->aj", self.shape, loads)


def straight(made: Any, clamps: tuple[Masses | None, Masses | None]) -> Straight:
    """Return the straight beam with the given properties.

    - made: properties of one beam (`segments.Made`), without case axes.
    - clamps: masses of the bodies at the two ends; None for a fixed or free end.
    """
    none = jnp.zeros((3, *made.mass.shape))
    diagonal = jnp.stack(
        [jnp.stack([made.inertia[k] if k == n else none[0] for n in range(3)]) for k in range(3)]
    )
    shared = 0 * made.mass if made.shared is None else made.shared
    own = Masses(made.mass, none if made.centre is None else made.centre, diagonal, shared)
    held = Masses(np.ones(1), np.zeros((3, 1)), np.eye(3)[:, :, None], np.zeros(1))
    last = (clamps[1] or held,) if made.length.shape[0] > made.mass.shape[0] else ()
    every = zip(clamps[0] or held, own, *last, strict=True)
    masses = Masses(*(jnp.concatenate(parts, -1) for parts in every))
    return Straight(jnp.concatenate([made.along, made.about]), made.length, masses, made.shear)


def modes_of(beam: Straight, free: np.ndarray) -> Modes:
    """Return the modes of a straight beam.

    - beam: the beam. The arrays of the beam must not be dual numbers (values with derivatives).
    - free: whether each frame can move (frame,), bool.
    """
    from scipy.linalg import eigh

    count = 6 * len(free)
    every = np.eye(count).reshape(6, -1, count)
    moves = np.tile(free, 6)
    matrices = [
        one.reshape(count, count)[np.ix_(moves, moves)] for one in (beam.stiff(every), beam.heavy(every))
    ]
    square, vector = eigh(*matrices)
    shape = np.zeros((count, len(square)))
    shape[moves] = vector
    return Modes(square, shape.reshape(6, -1, len(square)), 6 if free.all() else 0)


def modal_damper(beam: Straight, modes: Modes, ratio: Any) -> Damped:
    """Return the modal damping of one beam.

    - beam: the straight beam, also with derivatives (dual numbers).
    - modes: its modes without derivatives.
    - ratio: damping ratios of the lowest modes (mode,), also with derivatives. Rigid-body modes do not count.

    Raises Paired if two modes of equal frequency have different damping ratios.
    """
    count = len(ratio)
    chosen = slice(modes.rigid, modes.rigid + count)
    square, shape = modes.square[chosen], modes.shape[:, :, chosen]
    same = np.abs(modes.square[:, None] - square) < SAME * square  # (all modes, mode)
    _one_ratio_each(same, modes.rigid, plain(ratio))
    factor = 2 * ratio / square**1.5
    if not any(is_dual(one) for one in jax.tree.leaves(beam)):
        felt = beam.loads(shape)
        return Damped(felt * factor, felt)
    heavy = beam.heavy(shape)
    residual = beam.stiff(shape) - square * heavy
    residual, weight = (_slope(linear(modes.by, one)) for one in (residual, heavy))
    apart = np.where(same, 1.0, square - modes.square[:, None])
    mixed = jnp.where(same, -0.5 * weight, residual / apart)
    felt = beam.loads(shape + linear(lambda one: np.einsum("kfa,aj->kfj", modes.shape, one), mixed))
    # Squares of frequencies change by the residual that modes of equal frequency share.
    turned = -1.5 * jnp.where(same, residual, 0.0)[chosen] * (plain(factor) / square)
    own = plain(felt)
    return Damped(felt * factor + linear(lambda one: np.einsum("kei,ij->kej", own, one), turned), felt)


class Paired(Exception):
    """Raised if two modes of equal frequency have different damping ratios. The arguments are the two mode
    numbers, from 1. A mode without damping has the ratio zero.
    """


def _one_ratio_each(same: np.ndarray, rigid: int, ratio: np.ndarray) -> None:
    for j in range(len(ratio)):
        for other in np.flatnonzero(same[:, j]) - rigid:
            if other >= len(ratio) or ratio[other] != ratio[j]:
                raise Paired(j + 1, int(other) + 1)


def _slope(value: Any) -> Any:
    """Return a value with derivatives, minus its plain value."""
    return value - plain(value)
