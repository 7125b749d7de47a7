"""Flexible beams between bodies: sections, elements and clamps."""

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
"""Most elements of one beam."""
MOST_WITH_MODES = 300
"""Most elements of a beam with modal damping, because all modes are computed."""
MOST_MODES = 100
"""Most modes that are damped."""


class Section(Declaration):
    """A section given by stiffnesses and masses; x is along the beam, y and z are principal axes. The axis of
    the beam is the line on which an axial force causes no bending."""

    kind: Literal["stiffness"] = "stiffness"
    """A section by its stiffnesses and masses."""
    axial_stiffness: Annotated[Any, si("N", positive=True)]
    """Young's modulus times area EA [N]."""
    shear_stiffness: Annotated[Any, si("N", (2,), positive=True)]
    """Shear modulus times effective area along y and along z [N]."""
    torsional_stiffness: Annotated[Any, si("N m^2", positive=True)]
    """Shear modulus times torsion constant GJ [N m^2]."""
    bending_stiffness: Annotated[Any, si("N m^2", (2,), positive=True)]
    """Young's modulus times second moment of area, about y and about z [N m^2]."""
    mass: Annotated[Any, si("kg/m", positive=True)]
    """Mass per length [kg/m]."""
    rotary_inertia: Annotated[Any, si("kg m", (2,), positive=True)]
    """Moment of inertia per length about y and about z [kg m], through the centre of mass. The value about x
    is their sum."""
    mass_centre: Annotated[Any, si("m", (2,))] | None = None
    """Offset of the centre of mass from the axis of the beam, along y and z [m]. An offset couples bending
    and torsion dynamically. Default: on the axis."""
    shear_centre: Annotated[Any, si("m", (2,))] | None = None
    """Offset of the shear centre from the axis of the beam, along y and z [m]. Default: on the axis."""


class Material(Declaration):
    """Material of sections that are given by dimensions."""

    young: Annotated[Any, si("Pa", positive=True)]
    """Young's modulus E [Pa]."""
    shear_modulus: Annotated[Any, si("Pa", positive=True)]
    """Shear modulus G [Pa]."""
    density: Annotated[Any, si("kg/m^3", positive=True)]
    """Density [kg/m^3]."""


class Rectangle(Material):
    """A solid rectangle. Sources: shear factor by Cowper (1966), torsion constant by Roark, relative error
    below 0.5 %."""

    kind: Literal["rectangle"] = "rectangle"
    """A solid rectangle."""
    width: Annotated[Any, si("m", positive=True)]
    """Dimension along y [m]."""
    height: Annotated[Any, si("m", positive=True)]
    """Dimension along z [m]."""


class Tube(Material):
    """A round tube, or a round rod without a hole. Source of the shear factor: Cowper (1966)."""

    kind: Literal["tube"] = "tube"
    """A round tube or rod."""
    radius: Annotated[Any, si("m", positive=True)]
    """Outer radius [m]."""
    hole: Annotated[Any, si("m", nonnegative=True)] = 0.0
    """Inner radius [m]; 0 for a solid rod."""

    @model_validator(mode="after")
    def _check(self) -> Tube:
        both = isinstance(self.hole, np.ndarray) and isinstance(self.radius, np.ndarray)
        if both and not (self.hole < self.radius).all():
            found = f"{float(self.hole.max()):g} m is not below the radius of {float(self.radius.min()):g} m"
            raise Refused(("hole", f"{found}. Give less than the radius"))
        return self


AnySection = Annotated[Section | Rectangle | Tube, OneOf()]


class Beam(Effect):
    """A beam with bending, torsion, extension and shear, for any rotations. Its beginning is clamped to a
    body or the ground; its end is clamped to another body, or free.

    The mass of the beam is in `elements` rigid segments of equal length, with geometrically exact elements
    between them. The masses of bodies do not include it."""

    losses: ClassVar[tuple[str, ...]] = ("damping", "mass_damping", "modal_damping")
    weighs: ClassVar[bool] = True
    holds: ClassVar[bool] = True

    kind: Literal["beam"] = "beam"
    """A flexible beam with mass."""
    name: Name
    """Name of the beam in paths and tables."""
    parent: str
    """Body at the beginning of the beam, or "ground"."""
    child: str | None = None
    """Body at the end of the beam. Default: a free end."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Beginning of the beam [m], structural axes, drawing coordinates of the parent (inertial on the
    ground)."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """End of the beam [m], structural axes, drawing coordinates of the child."""
    parent_frame: Attitude | None = None
    """Axes of the section at the beginning in the parent's structural axes (inertial axes on the ground), x
    along the beam. Default: parallel."""
    child_frame: Attitude | None = None
    """Axes of the section at the end in the child's structural axes, x along the beam, pointing away from the
    beam. Default: parallel."""
    length: Annotated[Any, si("m", positive=True)]
    """Unloaded length [m]."""
    elements: StrictInt
    """Number of segments of equal length: 10 or 20 for the first modes, more for higher modes. The required
    step decreases in proportion."""
    section: AnySection
    """Section of the beam, or of its beginning."""
    mass_matrix: Literal["lumped", "consistent"] = "lumped"
    """"lumped": mass in the segments, with frequency errors of order 2 in the element length. "consistent": a
    third of the mass lies between neighbouring segments, and the end segments are shifted outward; frequency
    errors are of order 4."""
    end_section: AnySection | None = None
    """Section of the end, of the same kind; all values vary linearly in between. Default: a uniform
    section."""
    curvature: Annotated[Any, si("rad/m", (3,))] | None = None
    """Twist and curvature of the unloaded beam [rad/m], about x, y and z of its section, which give an arc of
    a circle or of a helix. Default: straight."""
    start: Literal["drawn", "at rest"] = "drawn"
    """Initial shape. "drawn": between the clamps, the unloaded shape plus a cubic that fits the directions of
    the clamps; with a free end, the unloaded shape from the parent. "at rest": static equilibrium under
    weight."""
    damping: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """Stiffness-proportional damping [s]: this time multiplies the strain rates in the section loads. A mode
    of angular frequency w has the damping ratio damping w/2."""
    mass_damping: Annotated[Any, si("1/s", nonnegative=True)] = 0.0
    """Mass-proportional damping [1/s] of the motion of the beam relative to the parent. A mode of angular
    frequency w in which only the beam moves has the damping ratio mass_damping/(2 w). In other modes this
    ratio is multiplied by the fraction of kinetic energy in that motion of the beam."""
    modal_damping: Annotated[Any, si("1", ("n",), nonnegative=True, grow=True)] | None = None
    """Damping ratio of each of the first modes, in the order of frequency, or one ratio for the first
    `damped_modes`. Modes of the straight unloaded beam. A round section has each bending mode twice."""
    damped_modes: StrictInt | None = None
    """Number of modes for a single ratio."""
    modal_ends: Literal["parent held", "both held", "free"] = "parent held"
    """Fixed ends in these modes. A body at an end that is not fixed moves with its mass and inertia; the
    ground is always fixed."""

    @property
    def trim_limitation(self) -> str:
        """The fix for segments that begin as drawn."""
        return 'begins as drawn, and oscillates from there: start = "at rest" avoids this' * (
            self.start == "drawn"
        )

    @model_validator(mode="after")
    def _check(self) -> Beam:
        if not 1 <= self.elements <= MOST_ELEMENTS:
            raise Refused(("elements", f"{self.elements} is out of range. Give 1 to {MOST_ELEMENTS}"))
        if self.end_section is not None and self.end_section.kind != self.section.kind:
            text = f"is of kind '{self.end_section.kind}', but section is of kind '{self.section.kind}'"
            raise Refused(("end_section", f"{text}. Give both the same kind"))
        if wrong := self._wrong_modes():
            raise Refused(*wrong)
        return self

    def _wrong_modes(self) -> list[tuple[str, str]]:
        """Contradictions in the modal damping."""
        wrong = []
        if self.modal_damping is None:
            for field, usual in (("damped_modes", None), ("modal_ends", "parent held")):
                if getattr(self, field) != usual:
                    text = "needs modal_damping. Give modal_damping, or remove this"
                    wrong.append((field, text))
            return wrong
        if self.curvature is not None:
            text = "needs a straight beam, but curvature is set. Remove one of them"
            return [("modal_damping", text)]
        given = len(self.modal_damping)
        if given == 1 and self.damped_modes is None:
            wrong.append(
                ("damped_modes", "is missing. Give the number of modes for the ratio in modal_damping")
            )
        elif self.damped_modes is not None and given != 1:
            text = f"needs a single ratio, but modal_damping has {given}. Remove damped_modes"
            wrong.append(("damped_modes", text))
        most = min(MOST_MODES, 6 * self.elements)
        if not wrong and not 1 <= self.modes <= most:
            field = "modal_damping" if self.damped_modes is None else "damped_modes"
            wrong.append((field, f"has {self.modes} modes. Give 1 to {most}"))
        if self.elements > MOST_WITH_MODES:
            text = f"{self.elements} is out of range with modal_damping. Give 1 to {MOST_WITH_MODES}"
            wrong.append(("elements", text))
        return wrong

    @property
    def modes(self) -> int:
        """Number of modes with modal damping."""
        if self.modal_damping is None:
            return 0
        return len(self.modal_damping) if self.damped_modes is None else self.damped_modes

    @property
    def ends(self) -> tuple[str, ...]:
        """The two connected bodies; empty for a free end."""
        return () if self.child is None else (self.parent, self.child)

    @property
    def changes(self) -> frozenset[str]:
        """A clamp on the ground changes momentum."""
        held = {"momentum", "angular_momentum"} if self.parent == "ground" else set()
        return super().changes | held

    @property
    def changing(self) -> bool:
        """True, because its segments have states."""
        return True


KINDS = {"forces": (Beam,)}
