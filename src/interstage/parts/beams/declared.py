"""Flexible beams between bodies: their sections, their elements and how they are clamped."""

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
"""Most elements of one that is damped by its modes, all of which are found at once."""
MOST_MODES = 100
"""Most modes that are damped."""


class Section(Declaration):
    """A section by its stiffnesses and masses, x along the beam, y and z its principal axes. The axis of the
    beam is where a pull does not bend it."""

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
    """Mass by length [kg/m]."""
    rotary_inertia: Annotated[Any, si("kg m", (2,), positive=True)]
    """Moment of inertia by length about y and about z [kg m], through its centre of mass; that about x is
    their sum."""
    mass_centre: Annotated[Any, si("m", (2,))] | None = None
    """Where its centre of mass is from the axis of the beam, along y and z [m]: what bends then also twists,
    as it moves. Default: on the axis."""
    shear_centre: Annotated[Any, si("m", (2,))] | None = None
    """Where a shear force does not twist it, from the axis of the beam, along y and z [m]. Default: on the
    axis."""


class Material(Declaration):
    """What sections that are made of something have besides their measures."""

    young: Annotated[Any, si("Pa", positive=True)]
    """Young's modulus E [Pa]."""
    shear_modulus: Annotated[Any, si("Pa", positive=True)]
    """Shear modulus G [Pa]."""
    density: Annotated[Any, si("kg/m^3", positive=True)]
    """Density [kg/m^3]."""


class Rectangle(Material):
    """A full rectangle. Its shear factor is Cowper's (1966), its torsion constant Roark's, within 0.5 %."""

    kind: Literal["rectangle"] = "rectangle"
    """A full rectangle."""
    width: Annotated[Any, si("m", positive=True)]
    """Along y [m]."""
    height: Annotated[Any, si("m", positive=True)]
    """Along z [m]."""


class Tube(Material):
    """A round tube, or a round rod where it has no hole. Its shear factor is Cowper's (1966)."""

    kind: Literal["tube"] = "tube"
    """A round tube or rod."""
    radius: Annotated[Any, si("m", positive=True)]
    """Outer radius [m]."""
    hole: Annotated[Any, si("m", nonnegative=True)] = 0.0
    """Inner radius [m]; 0 for a full rod."""

    @model_validator(mode="after")
    def _check(self) -> Tube:
        both = isinstance(self.hole, np.ndarray) and isinstance(self.radius, np.ndarray)
        if both and not (self.hole < self.radius).all():
            found = (
                f"{float(self.hole.max()):g} m leaves nothing of a radius of {float(self.radius.min()):g} m"
            )
            raise Refused(("hole", f"{found}; allowed: less than the radius"))
        return self


AnySection = Annotated[Section | Rectangle | Tube, OneOf()]


class Beam(Effect):
    """A beam that bends, twists, stretches and shears, by however much it turns: clamped at its
    beginning in a body or the ground, and at its end in another body, or free there.

    It has mass of its own, in `elements` rigid segments of equal length, and geometrically exact elements
    between them; bodies keep the masses that they are declared with."""

    losses: ClassVar[tuple[str, ...]] = ("damping", "mass_damping", "modal_damping")
    weighs: ClassVar[bool] = True
    holds: ClassVar[bool] = True

    kind: Literal["beam"] = "beam"
    """A flexible beam with mass."""
    name: Name
    """Name of the beam in paths and tables."""
    parent: str
    """The body that it is clamped in at its beginning, or "ground"."""
    child: str | None = None
    """The body that it is clamped in at its end. Default: a free end."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where it begins [m], structural axes, drawing coordinates of the parent (inertial on the ground)."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where it ends [m], structural axes, drawing coordinates of the child."""
    parent_frame: Attitude | None = None
    """Axes of its section at the beginning in the parent's structural axes (inertial ones on the ground), x
    along the beam. Default: parallel."""
    child_frame: Attitude | None = None
    """Axes of its section at the end in the child's structural axes, x along the beam, away from it. Default:
    parallel."""
    length: Annotated[Any, si("m", positive=True)]
    """Its length without load [m]."""
    elements: StrictInt
    """How many segments of equal length it has: 10 or 20 for the first modes, more for higher ones. Steps
    become as much shorter."""
    section: AnySection
    """Its section, or that of its beginning."""
    mass_matrix: Literal["lumped", "consistent"] = "lumped"
    """Each segment for itself, or a third of the mass half way between them and those at the ends farther
    out: frequencies are then of order 4 in the number of elements, not of order 2."""
    end_section: AnySection | None = None
    """The section of its end, of the same kind: in between each number changes evenly. Default: the same
    section throughout."""
    curvature: Annotated[Any, si("rad/m", (3,))] | None = None
    """Twist and curvature that it has without load [rad/m], about x, y and z of its section: it is an arc of
    a circle then, or of a helix. Default: straight."""
    start: Literal["drawn", "at rest"] = "drawn"
    """How it begins: drawn from clamp to clamp, as it is without load and displaced from that along a cubic
    with their directions, or at rest there, under its weight; as it is without load from its parent on, or at
    rest, where its end is free."""
    damping: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """Damping by stiffness [s]: section loads are those of the strains and this many seconds times their
    rates. A mode of angular frequency w has the damping ratio damping w/2."""
    mass_damping: Annotated[Any, si("1/s", nonnegative=True)] = 0.0
    """Damping by mass [1/s] of the beam's own motion relative to the parent: a mode of angular frequency w
    has the damping ratio mass_damping/(2 w) where nothing but the beam moves in it, and else that times the
    part of its kinetic energy which the beam has by that motion."""
    modal_damping: Annotated[Any, si("1", ("n",), nonnegative=True, grow=True)] | None = None
    """Damping ratio of each of its first modes by frequency, or of all of the first `damped_modes`; those of
    the straight beam without load. A round section has each mode that bends it twice."""
    damped_modes: StrictInt | None = None
    """How many modes a single ratio is for."""
    modal_ends: Literal["parent held", "both held", "free"] = "parent held"
    """Which ends are held in these modes. A body at an end that is not held moves with its mass and inertia;
    the ground is always held."""

    @property
    def unsettled(self) -> str:
        """Segments that begin as drawn."""
        return 'begins as drawn, and swings from there: start = "at rest" settles it' * (
            self.start == "drawn"
        )

    @model_validator(mode="after")
    def _check(self) -> Beam:
        if not 1 <= self.elements <= MOST_ELEMENTS:
            raise Refused(("elements", f"{self.elements} is out of range; allowed: 1 to {MOST_ELEMENTS}"))
        if self.end_section is not None and self.end_section.kind != self.section.kind:
            text = f"is of kind '{self.end_section.kind}' where the section is of kind '{self.section.kind}'"
            raise Refused(("end_section", f"{text}; give both of one kind"))
        if wrong := self._wrong_modes():
            raise Refused(*wrong)
        return self

    def _wrong_modes(self) -> list[tuple[str, str]]:
        """What of its modal damping contradicts itself."""
        wrong = []
        if self.modal_damping is None:
            for field, usual in (("damped_modes", None), ("modal_ends", "parent held")):
                if getattr(self, field) != usual:
                    text = "is about modal_damping, which is not given; give that, or leave it out"
                    wrong.append((field, text))
            return wrong
        if self.curvature is not None:
            text = "is of modes of a straight beam, and this one has a curvature; leave one of them out"
            return [("modal_damping", text)]
        given = len(self.modal_damping)
        if given == 1 and self.damped_modes is None:
            wrong.append(("damped_modes", "is missing: how many modes the ratio in modal_damping is for"))
        elif self.damped_modes is not None and given != 1:
            text = f"is for one ratio, and modal_damping has {given}; leave it out"
            wrong.append(("damped_modes", text))
        most = min(MOST_MODES, 6 * self.elements)
        if not wrong and not 1 <= self.modes <= most:
            field = "modal_damping" if self.damped_modes is None else "damped_modes"
            wrong.append((field, f"has {self.modes} modes; allowed: 1 to {most}"))
        if self.elements > MOST_WITH_MODES:
            text = f"{self.elements} is out of range with modal_damping; allowed: 1 to {MOST_WITH_MODES}"
            wrong.append(("elements", text))
        return wrong

    @property
    def modes(self) -> int:
        """How many modes are damped by ratios of their own."""
        if self.modal_damping is None:
            return 0
        return len(self.modal_damping) if self.damped_modes is None else self.damped_modes

    @property
    def ends(self) -> tuple[str, ...]:
        """The two bodies that it connects; none where its end is free."""
        return () if self.child is None else (self.parent, self.child)

    @property
    def changes(self) -> frozenset[str]:
        """A clamp in the ground takes up momentum."""
        held = {"momentum", "angular_momentum"} if self.parent == "ground" else set()
        return super().changes | held

    @property
    def changing(self) -> bool:
        """Its segments move by themselves."""
        return True


KINDS = {"forces": (Beam,)}
