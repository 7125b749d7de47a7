"""Declaration of springs between two frames, with stiffness in six degrees of freedom: bushings, and massless
beams.
"""

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
"""The limit below which the determinant of the translational stiffness matrix counts as zero. The determinant
is divided by the cube of the mean stiffness.
"""


class Bushing(Effect):
    """A linear spring and damper along and about the axes of two frames, one on each body. Examples: a rubber
    bushing, a soft mount, a flexible joint. If the frames coincide, only the preload acts."""

    stands: ClassVar[tuple[tuple[str, str], ...]] = (("parent", "parent_at"), ("child", "child_at"))
    holds: ClassVar[bool] = True
    losses: ClassVar[tuple[str, ...]] = ("damping", "torsional_damping")

    kind: Literal["bushing"] = "bushing"
    """A spring and damper of six degrees of freedom between two frames."""
    name: Name
    """Name of the bushing in paths and tables."""
    parent: str
    """Name of the first body, or "ground"."""
    child: str
    """Name of the second body."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Attachment point on the parent [m], structural coordinates of the parent (inertial axes
    for "ground")."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Attachment point on the child [m], structural coordinates of the child."""
    parent_frame: Attitude | None = None
    """Axes of the frame on the parent, in the parent's structural axes (inertial axes for "ground"). Default:
    parallel to these axes."""
    child_frame: Attitude | None = None
    """Axes of the frame on the child, in the child's structural axes. Default: parallel to these axes."""
    stiffness: Annotated[Any, si("N/m", (3,), nonnegative=True)] | None = None
    """Stiffness: force per displacement along the axes of the parent's frame [N/m]. Set `stiffness`,
    `torsional_stiffness` or both. Alternative: `matrix`."""
    torsional_stiffness: Annotated[Any, si("N m/rad", (3,), nonnegative=True)] | None = None
    """Torsional stiffness: torque per rotation about the axes of the parent's frame [N m/rad]."""
    matrix: Annotated[Any, si("1", (6, 6))] | None = None
    """Full symmetric stiffness matrix, in place of `stiffness` and `torsional_stiffness`, in SI units (N/m,
    N/rad, N m/rad). Rows: force, torque. Columns: displacement, rotation. Axes of the parent's frame."""
    damping: Annotated[Any, si("N s/m", (3,), nonnegative=True)] = (0.0, 0.0, 0.0)
    """Damping coefficients: force per rate of displacement relative to the parent, along the axes of the
    parent's frame [N s/m]."""
    torsional_damping: Annotated[Any, si("N m s/rad", (3,), nonnegative=True)] = (0.0, 0.0, 0.0)
    """Torsional damping coefficients: torque per relative angular velocity about the axes of the parent's
    frame [N m s/rad]."""
    preload: Annotated[Any, si("N", (3,))] = (0.0, 0.0, 0.0)
    """Force on the child while the frames coincide [N], axes of the parent's frame."""
    preload_torque: Annotated[Any, si("N m", (3,))] = (0.0, 0.0, 0.0)
    """Torque on the child while the frames coincide [N m], axes of the parent's frame."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which the bushing acts. Default: all phases."""

    @property
    def holds_points(self) -> Any:
        """Whether the translational stiffness is positive along every direction (*cases), bool."""
        if self.matrix is None:
            return False if self.stiffness is None else jnp.min(jnp.asarray(self.stiffness), 0) > 0
        (a, b, c), (_, d, e), (_, _, f) = jnp.asarray(self.matrix)[:3, :3]
        volume = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d)
        return volume > ROUNDED * ((a + d + f) / 3) ** 3

    @property
    def resists_turns(self) -> bool:
        """Whether the loads depend on the relative rotation of the frames."""
        about = self.torsional_stiffness if self.matrix is None else self.matrix[3:]
        return any(np.any(np.asarray(part) != 0) for part in (about, self.preload_torque) if part is not None)

    @model_validator(mode="after")
    def _check(self) -> Bushing:
        given = self.stiffness is not None or self.torsional_stiffness is not None
        if given == (self.matrix is not None):
            what = "stiffness cannot be combined with matrix" if given else "stiffness is missing"
            raise Refused(
                (
                    "stiffness",
                    f"{what}. Set either 'stiffness' and 'torsional_stiffness' (3 numbers each), or 'matrix'",
                )
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
            (
                "matrix",
                (
                    "'matrix' is not symmetric, but the spring is conservative. Give a symmetric "
                    "matrix, K = K^T"
                ),
            )
        )
    if (np.linalg.eigvalsh(scaled) < -1e-9).any():
        raise Refused(
            (
                "matrix",
                (
                    "'matrix' has a negative eigenvalue, so the spring is unstable. Give a "
                    "positive semidefinite matrix"
                ),
            )
        )


class BeamSpring(Effect):
    """A massless elastic beam. The beam is clamped to the parent along x of the parent's frame, and its tip
    is at the child's point. The lateral stiffness of a beam can replace a joint.

    Source: Pamadi and others, NASA/TP-2016-219326, section 4.2, massless springs with lateral restoring
    forces from beam deflection theory. The stiffness is the stiffness of the Euler-Bernoulli cantilever."""

    stands: ClassVar[tuple[tuple[str, str], ...]] = (("parent", "parent_at"), ("child", "child_at"))
    holds: ClassVar[bool] = True
    losses: ClassVar[tuple[str, ...]] = ("damping", "torsional_damping")

    kind: Literal["beam_spring"] = "beam_spring"
    """A massless beam with axial and lateral stiffness. With a clamped tip, the beam also has rotational
    stiffness."""
    name: Name
    """Name of the beam in paths and tables."""
    parent: str
    """Name of the body with the clamp, or "ground"."""
    child: str
    """Name of the body at the tip."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Position of the clamp [m], structural coordinates of the parent (inertial axes for
    "ground")."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Attachment point of the tip on the child [m], structural coordinates of the child."""
    parent_frame: Attitude | None = None
    """Axes of the beam in the parent's structural axes, with x along the beam. Default: parallel to these
    axes."""
    child_frame: Attitude | None = None
    """Axes of the straight beam in the child's structural axes. Default: parallel to these axes."""
    length: Annotated[Any, si("m", positive=True)]
    """Length L of the unloaded beam [m]."""
    bending_stiffness: Annotated[Any, si("N m^2", nonnegative=True)]
    """Bending stiffness EI [N m^2]: Young's modulus E times the second moment of area I, equal about y and
    z."""
    axial_stiffness: Annotated[Any, si("N/m", nonnegative=True)] = 0.0
    """Axial stiffness: force per extension along x [N/m]; 0 for a sliding beam."""
    torsional_stiffness: Annotated[Any, si("N m/rad", nonnegative=True)] = 0.0
    """Torsional stiffness: torque per twist about x [N m/rad]."""
    tip: Literal["pinned", "clamped"] = "pinned"
    """Attachment of the child. "pinned": the tip can rotate; lateral stiffness 3 EI/L^3. "clamped": lateral
    stiffness 12 EI/L^3, rotational stiffness 4 EI/L, and coupling -6 EI/L^2."""
    slides: StrictBool = False
    """Whether the beam slides out of a guide when the tip moves along x. The length of the beam is then the
    distance from the guide to the tip. At the start it must be 5 % of `length` or more."""
    damping: Annotated[Any, si("N s/m", (3,), nonnegative=True)] = (0.0, 0.0, 0.0)
    """Damping coefficients: force per rate of displacement of the tip relative to the parent, along x, y and
    z [N s/m]."""
    torsional_damping: Annotated[Any, si("N m s/rad", (3,), nonnegative=True)] = (0.0, 0.0, 0.0)
    """Torsional damping coefficients: torque per relative angular velocity about x, y and z [N m s/rad]."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which the beam acts. Default: all phases."""

    @property
    def holds_points(self) -> Any:
        """Whether the stiffness at the tip is positive along all three axes (*cases), bool."""
        along, across = jnp.asarray(self.axial_stiffness), jnp.asarray(self.bending_stiffness)
        return False if self.slides else (along > 0) & (across > 0)

    @property
    def resists_turns(self) -> bool:
        """Whether the loads depend on the relative rotation of the frames."""
        return self.tip == "clamped" or bool(np.any(np.asarray(self.torsional_stiffness) != 0))

    @model_validator(mode="after")
    def _check(self) -> BeamSpring:
        if self.slides and isinstance(self.axial_stiffness, np.ndarray) and np.any(self.axial_stiffness > 0):
            raise Refused(
                (
                    "axial_stiffness",
                    "'axial_stiffness' resists motion along x, but slides = true allows this motion. Remove "
                    "one of the two keys",
                )
            )
        return self


KINDS = {"forces": (Bushing, BeamSpring)}
