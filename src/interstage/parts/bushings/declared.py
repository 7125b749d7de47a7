"""Springs between two frames that resist all six motions: bushings, and massless beams."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import StrictBool, model_validator

from ...maths.arrays import jnp
from ...model.effect import Effect
from ...model.frames import Attitude
from ...tree.errors import Refused
from ...tree.names import Name
from ...tree.units import si

ROUNDED = 1e-9
"""Product of the stiffnesses along three axes, of the cube of their mean, below which one is none."""


class Bushing(Effect):
    """A linear spring and damper along and about the axes of a frame on each of two bodies: a rubber bushing,
    a soft mount, or a joint that yields. It carries nothing but its preload where the frames coincide."""

    stands: ClassVar[tuple[tuple[str, str], ...]] = (("parent", "parent_at"), ("child", "child_at"))
    holds: ClassVar[bool] = True
    losses: ClassVar[tuple[str, ...]] = ("damping", "torsional_damping")

    kind: Literal["bushing"] = "bushing"
    """A spring and damper of six degrees of freedom between two frames."""
    name: Name
    """Name of the bushing in paths and tables."""
    parent: str
    """One body, or "ground"."""
    child: str
    """The other body."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Its point on the parent [m], structural axes, drawing coordinates of the parent (inertial on the
    ground)."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Its point on the child [m], structural axes, drawing coordinates of the child."""
    parent_frame: Attitude | None = None
    """Its axes in the parent's structural axes (inertial ones on the ground). Default: parallel."""
    child_frame: Attitude | None = None
    """Its axes in the child's structural axes. Default: parallel."""
    stiffness: Annotated[Any, si("N/m", (3,), nonnegative=True)] | None = None
    """Force per displacement along the axes of the parent's frame [N/m]. Give this, `torsional_stiffness` or
    both, or `matrix`."""
    torsional_stiffness: Annotated[Any, si("N m/rad", (3,), nonnegative=True)] | None = None
    """Torque per turn about the axes of the parent's frame [N m/rad]."""
    matrix: Annotated[Any, si("1", (6, 6))] | None = None
    """The whole stiffness, symmetric: force and torque per displacement and turn, in this order, axes of the
    parent's frame, SI (N/m, N/rad, N m/rad). In place of the other two."""
    damping: Annotated[Any, si("N s/m", (3,), nonnegative=True)] = (0.0, 0.0, 0.0)
    """Force per rate of displacement, seen from the parent, along the axes of the parent's frame [N s/m]."""
    torsional_damping: Annotated[Any, si("N m s/rad", (3,), nonnegative=True)] = (0.0, 0.0, 0.0)
    """Torque per relative angular velocity about the axes of the parent's frame [N m s/rad]."""
    preload: Annotated[Any, si("N", (3,))] = (0.0, 0.0, 0.0)
    """Force on the child where the frames coincide [N], axes of the parent's frame."""
    preload_torque: Annotated[Any, si("N m", (3,))] = (0.0, 0.0, 0.0)
    """Torque on the child there [N m]."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which it acts. Default: always."""

    @property
    def holds_points(self) -> Any:
        """Whether it is stiff along all axes (*cases)."""
        if self.matrix is None:
            return False if self.stiffness is None else jnp.min(jnp.asarray(self.stiffness), 0) > 0
        (a, b, c), (_, d, e), (_, _, f) = jnp.asarray(self.matrix)[:3, :3]
        volume = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d)
        return volume > ROUNDED * ((a + d + f) / 3) ** 3

    @property
    def resists_turns(self) -> bool:
        """Whether its loads depend on how its frames are turned against each other."""
        about = self.torsional_stiffness if self.matrix is None else self.matrix[3:]
        return any(np.any(np.asarray(part) != 0) for part in (about, self.preload_torque) if part is not None)

    @model_validator(mode="after")
    def _check(self) -> Bushing:
        given = self.stiffness is not None or self.torsional_stiffness is not None
        if given == (self.matrix is not None):
            what = "both ways are given" if given else "no stiffness is given"
            raise Refused(
                ("stiffness", f"{what}; give stiffness and torsional_stiffness (3 numbers each), or matrix")
            )
        if isinstance(self.matrix, np.ndarray):
            _check_matrix(self.matrix)
        return self


def _check_matrix(matrix: np.ndarray) -> None:
    stack = np.moveaxis(matrix, (0, 1), (-2, -1))
    size = np.sqrt(np.abs(np.einsum("...ii->...i", stack)))
    scale = np.where(size > 0, size, 1.0)
    scaled = stack / (scale[..., :, None] * scale[..., None, :])
    if np.abs(scaled - np.swapaxes(scaled, -1, -2)).max() > 1e-9:
        raise Refused(
            ("matrix", "is not symmetric; a spring that has an energy has a symmetric stiffness: K = K^T")
        )
    if (np.linalg.eigvalsh(scaled) < -1e-9).any():
        raise Refused(
            (
                "matrix",
                "has a negative eigenvalue: it would push itself apart; allowed: positive (semi)definite",
            )
        )


class BeamSpring(Effect):
    """A massless elastic beam, clamped in the parent along x of the parent's frame; its tip is the child's
    point: a joint modelled by the lateral stiffness of a beam in place of a constraint.

    Source: the spring model of Pamadi and others, NASA/TP-2016-219326, section 4.2, massless springs with
    lateral restoring forces from beam deflection theory; the stiffness is that of the Euler-Bernoulli
    cantilever.
    """

    stands: ClassVar[tuple[tuple[str, str], ...]] = (("parent", "parent_at"), ("child", "child_at"))
    holds: ClassVar[bool] = True
    losses: ClassVar[tuple[str, ...]] = ("damping", "torsional_damping")

    kind: Literal["beam_spring"] = "beam_spring"
    """A massless beam, stiff along, across and, if its tip is clamped, about its axes."""
    name: Name
    """Name of the beam in paths and tables."""
    parent: str
    """The body that it is clamped in, or "ground"."""
    child: str
    """The body at its tip."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where it is clamped [m], structural axes, drawing coordinates of the parent (inertial on the
    ground)."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where its tip holds the child [m], structural axes, drawing coordinates of the child."""
    parent_frame: Attitude | None = None
    """Its axes in the parent's structural axes, x along the beam. Default: parallel."""
    child_frame: Attitude | None = None
    """The same axes in the child's structural axes where the beam is straight. Default: parallel."""
    length: Annotated[Any, si("m", positive=True)]
    """Its length without load L [m]."""
    bending_stiffness: Annotated[Any, si("N m^2", nonnegative=True)]
    """Young's modulus times the second moment of area EI [N m^2], the same about y and z."""
    axial_stiffness: Annotated[Any, si("N/m", nonnegative=True)] = 0.0
    """Force per stretch along x [N/m]; 0 for one that slides."""
    torsional_stiffness: Annotated[Any, si("N m/rad", nonnegative=True)] = 0.0
    """Torque per twist about x [N m/rad]."""
    tip: Literal["pinned", "clamped"] = "pinned"
    """Whether the child turns freely at the tip, of stiffness 3 EI/L^3 across, or is clamped to it:
    12 EI/L^3 across, 4 EI/L about, and -6 EI/L^2 between the two."""
    slides: StrictBool = False
    """Whether the beam comes out of a guide as the tip moves along x: its length is then that from the guide
    to the tip, at the start 5 % of `length` or more."""
    damping: Annotated[Any, si("N s/m", (3,), nonnegative=True)] = (0.0, 0.0, 0.0)
    """Force per rate of displacement of the tip along x, y and z, seen from the parent [N s/m]."""
    torsional_damping: Annotated[Any, si("N m s/rad", (3,), nonnegative=True)] = (0.0, 0.0, 0.0)
    """Torque per relative angular velocity about x, y and z [N m s/rad]."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which it acts. Default: always."""

    @property
    def holds_points(self) -> Any:
        """Whether its tip slides nowhere (*cases)."""
        along, across = jnp.asarray(self.axial_stiffness), jnp.asarray(self.bending_stiffness)
        return False if self.slides else (along > 0) & (across > 0)

    @property
    def resists_turns(self) -> bool:
        """Whether its loads depend on how its frames are turned against each other."""
        return self.tip == "clamped" or bool(np.any(np.asarray(self.torsional_stiffness) != 0))

    @model_validator(mode="after")
    def _check(self) -> BeamSpring:
        if self.slides and isinstance(self.axial_stiffness, np.ndarray) and np.any(self.axial_stiffness > 0):
            raise Refused(
                ("axial_stiffness", "holds along x what slides = true leaves free; keep one of the two")
            )
        return self


KINDS = {"forces": (Bushing, BeamSpring)}
