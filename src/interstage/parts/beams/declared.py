"""Declaration of flexible beams between bodies: sections, elements and clamps."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import StrictInt, model_validator

from ...model.effect import Effect
from ...model.frames import Attitude
from ...tree.declaration import Declaration, OneOf
from ...tree.errors import Refused
from ...tree.names import Name
from ...tree.units import si

MOST_ELEMENTS = 1000
"""The maximum number of elements of one beam."""
MOST_WITH_MODES = 300
"""The maximum number of elements of a beam with modal damping. The limit keeps the computation of all modes
short.
"""
MOST_MODES = 100
"""The maximum number of modes with modal damping."""


class Section(Declaration):
    """A section with given stiffnesses and masses. The x axis is along the beam; y and z are the
    principal axes of the section. The axis of the beam is the line on which an axial force causes no
    bending."""

    kind: Literal["stiffness"] = "stiffness"
    """A section with given stiffnesses and masses."""
    axial_stiffness: Annotated[Any, si("N", positive=True)]
    """The axial stiffness EA [N]: Young's modulus times area."""
    shear_stiffness: Annotated[Any, si("N", (2,), positive=True)]
    """The shear stiffnesses along y and z [N]: shear modulus times effective shear area."""
    torsional_stiffness: Annotated[Any, si("N m^2", positive=True)]
    """The torsional stiffness GJ [N m^2]: shear modulus times torsion constant."""
    bending_stiffness: Annotated[Any, si("N m^2", (2,), positive=True)]
    """The bending stiffnesses EI about y and z [N m^2]: Young's modulus times second moment of area."""
    mass: Annotated[Any, si("kg/m", positive=True)]
    """The mass per length [kg/m]."""
    rotary_inertia: Annotated[Any, si("kg m", (2,), positive=True)]
    """The moments of inertia per length about y and z [kg m], through the centre of mass. The moment of
    inertia about x is the sum of the moments about y and z."""
    mass_centre: Annotated[Any, si("m", (2,))] | None = None
    """The offset of the centre of mass from the axis of the beam, along y and z [m]. An offset couples
    bending and torsion dynamically. Default: [0, 0]."""
    shear_centre: Annotated[Any, si("m", (2,))] | None = None
    """The offset of the shear centre from the axis of the beam, along y and z [m]. Default: [0, 0]."""


class Material(Declaration):
    """The material of a section with given dimensions."""

    young: Annotated[Any, si("Pa", positive=True)]
    """Young's modulus E [Pa]."""
    shear_modulus: Annotated[Any, si("Pa", positive=True)]
    """The shear modulus G [Pa]."""
    density: Annotated[Any, si("kg/m^3", positive=True)]
    """The density [kg/m^3]."""


class Rectangle(Material):
    """A solid rectangular section. Sources: shear factor by Cowper (1966); torsion constant by Roark,
    relative error below 0.5 %."""

    kind: Literal["rectangle"] = "rectangle"
    """A solid rectangular section."""
    width: Annotated[Any, si("m", positive=True)]
    """The width of the section along y [m]."""
    height: Annotated[Any, si("m", positive=True)]
    """The height of the section along z [m]."""


class Tube(Material):
    """A round tube, or a solid round rod. Source of the shear factor: Cowper (1966)."""

    kind: Literal["tube"] = "tube"
    """A round tube or rod."""
    radius: Annotated[Any, si("m", positive=True)]
    """The outer radius [m]."""
    hole: Annotated[Any, si("m", nonnegative=True)] = 0.0
    """The inner radius [m]. Default: 0, a solid rod."""

    @model_validator(mode="after")
    def _check(self) -> Tube:
        both = isinstance(self.hole, np.ndarray) and isinstance(self.radius, np.ndarray)
        if both and not (self.hole < self.radius).all():
            found = (
                f"the hole of {float(self.hole.max()):g} m is not below the radius of "
                f"{float(self.radius.min()):g} m"
            )
            raise Refused(("hole", f"{found}. Give a hole that is smaller than the radius"))
        return self


AnySection = Annotated[Section | Rectangle | Tube, OneOf()]


class Beam(Effect):
    """A flexible beam with mass, for bending, torsion, extension and shear with large rotations. The first
    end of the beam is clamped to a body or the ground. The second end is clamped to another body, or is free.

    The mass of the beam is in `elements` rigid segments of equal length. Geometrically exact elements connect
    the segments. The masses of the bodies do not include the mass of the beam."""

    losses: ClassVar[tuple[str, ...]] = ("damping", "mass_damping", "modal_damping")
    weighs: ClassVar[bool] = True
    holds: ClassVar[bool] = True

    kind: Literal["beam"] = "beam"
    """A flexible beam with mass."""
    name: Name
    """The name of the beam in paths and tables."""
    parent: str
    """The body at the first end of the beam, or "ground"."""
    child: str | None = None
    """The body at the second end of the beam. Default: a free end."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """The first end of the beam [m], in the structural coordinates of the parent (inertial coordinates on the
    ground)."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """The second end of the beam [m], in the structural coordinates of the child."""
    parent_frame: Attitude | None = None
    """The axes of the section at the first end, relative to the parent's structural axes (inertial axes on
    the ground). The x axis points along the beam. Default: parallel."""
    child_frame: Attitude | None = None
    """The axes of the section at the second end, relative to the child's structural axes. The x axis points
    along the beam, out of its end. Default: parallel."""
    length: Annotated[Any, si("m", positive=True)]
    """The unloaded length of the beam [m]."""
    elements: StrictInt
    """The number of segments of equal length. Use 10 to 20 for the lowest modes, and more for higher modes.
    The longest stable step decreases in inverse proportion to this number."""
    section: AnySection
    """The section of the beam. With `end_section`, the section at the first end."""
    mass_matrix: Literal["lumped", "consistent"] = "lumped"
    """The mass matrix. "lumped": all mass is in the segments; frequency errors are of order 2 in the element
    length. "consistent": neighbours share a third of the mass, and the end segments are shifted outward;
    frequency errors are of order 4."""
    end_section: AnySection | None = None
    """The section at the second end, of the same kind as `section`. All values vary linearly along the beam.
    Default: `section`."""
    curvature: Annotated[Any, si("rad/m", (3,))] | None = None
    """The twist about x and the curvatures about y and z of the unloaded beam [rad/m], in the axes of its
    section. The unloaded beam is an arc of a circle or a helix. Default: [0, 0, 0], a straight beam."""
    start: Literal["drawn", "at rest"] = "drawn"
    """The initial shape of the beam. "drawn": the unloaded shape, plus a cubic curve that fits the directions
    of both clamps. With a free end, the unloaded shape from the parent. "at rest": static equilibrium under
    weight."""
    damping: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """The stiffness-proportional damping [s]. The damping load of a section is this time multiplied by its
    stiffness and its strain rate. A mode of angular frequency w has the damping ratio damping w/2."""
    mass_damping: Annotated[Any, si("1/s", nonnegative=True)] = 0.0
    """The mass-proportional damping [1/s] of the motion of the beam relative to the parent. If only the beam
    moves in a mode of angular frequency w, the damping ratio of the mode is mass_damping/(2 w). In other
    modes, multiply this ratio by the fraction of the kinetic energy in the motion of the beam relative to the
    parent."""
    modal_damping: Annotated[Any, si("1", ("n",), nonnegative=True, grow=True)] | None = None
    """The damping ratio of each of the lowest modes in the order of frequency, or one ratio for the lowest
    `damped_modes`. The modes are computed for the straight unloaded beam. A round section has each bending
    mode twice. Default: no modal damping."""
    damped_modes: StrictInt | None = None
    """The number of modes to which a single ratio in `modal_damping` applies."""
    modal_ends: Literal["parent held", "both held", "free"] = "parent held"
    """The fixed ends of the beam in the modes of `modal_damping`. A body at an end that is not fixed moves
    with its mass and inertia. The ground is always fixed."""

    @property
    def trim_limitation(self) -> str:
        """The reason why a trim does not change the initial shape of the segments, with the fix. The text is
        empty if the beam starts at rest.
        """
        return 'begins as drawn and oscillates. Set start = "at rest" to avoid this' * (self.start == "drawn")

    @model_validator(mode="after")
    def _check(self) -> Beam:
        if not 1 <= self.elements <= MOST_ELEMENTS:
            raise Refused(
                (
                    "elements",
                    f"elements = {self.elements} is out of range. Give 1 to {MOST_ELEMENTS} elements",
                )
            )
        if self.end_section is not None and self.end_section.kind != self.section.kind:
            text = (
                f"'end_section' is of kind '{self.end_section.kind}', but 'section' is of kind "
                f"'{self.section.kind}'"
            )
            raise Refused(("end_section", f"{text}. Use the same kind for both sections"))
        if wrong := self._wrong_modes():
            raise Refused(*wrong)
        return self

    def _wrong_modes(self) -> list[tuple[str, str]]:
        """Find contradictions in the modal damping: (field, fault)."""
        wrong = []
        if self.modal_damping is None:
            for field, usual in (("damped_modes", None), ("modal_ends", "parent held")):
                if getattr(self, field) != usual:
                    text = f"{field} is set without 'modal_damping'. Give 'modal_damping', or remove {field}"
                    wrong.append((field, text))
            return wrong
        if self.curvature is not None:
            text = (
                "'modal_damping' needs a straight beam, but 'curvature' is set. Remove "
                "'modal_damping' or 'curvature'"
            )
            return [("modal_damping", text)]
        given = len(self.modal_damping)
        if given == 1 and self.damped_modes is None:
            wrong.append(
                (
                    "damped_modes",
                    (
                        "'damped_modes' is missing. Give the number of modes that the ratio in "
                        "'modal_damping' applies to"
                    ),
                )
            )
        elif self.damped_modes is not None and given != 1:
            text = (
                f"'damped_modes' applies to a single ratio, but 'modal_damping' has {given} ratios. Remove "
                "'damped_modes'"
            )
            wrong.append(("damped_modes", text))
        most = min(MOST_MODES, 6 * self.elements)
        if not wrong and not 1 <= self.modes <= most:
            field = "modal_damping" if self.damped_modes is None else "damped_modes"
            wrong.append((field, f"{self.modes} damped modes are out of range. Give 1 to {most} modes"))
        if self.elements > MOST_WITH_MODES:
            text = (
                f"elements = {self.elements} is out of range with modal_damping. Give 1 to "
                f"{MOST_WITH_MODES} elements"
            )
            wrong.append(("elements", text))
        return wrong

    @property
    def modes(self) -> int:
        """The number of damped modes; 0 without modal damping."""
        if self.modal_damping is None:
            return 0
        return len(self.modal_damping) if self.damped_modes is None else self.damped_modes

    @property
    def ends(self) -> tuple[str, ...]:
        """The names of the bodies at the two ends; empty if the second end is free."""
        return () if self.child is None else (self.parent, self.child)

    @property
    def changes(self) -> frozenset[str]:
        """The names of the conserved quantities that the beam changes. A beam that is clamped to the ground
        changes momentum and angular momentum.
        """
        held = {"momentum", "angular_momentum"} if self.parent == "ground" else set()
        return super().changes | held

    @property
    def changing(self) -> bool:
        """True, because a beam adds states to the equations."""
        return True


KINDS = {"forces": (Beam,)}
