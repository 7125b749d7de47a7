"""Stiffnesses and masses of the cross-sections along a beam."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...maths.arrays import jnp
from ...maths.vectors import add_axes
from .declared import Rectangle, Section, Tube


class Properties(NamedTuple):
    """Properties of cross-sections along a beam. Each array has the shape (component, section, *cases).

    - forces (3) [N]: EA, and the shear stiffnesses along y and z.
    - moments (3) [N m^2]: GJ, and EI about y and z.
    - mass [kg/m]: mass per length (section, *cases).
    - inertia (3) [kg m]: inertia per length about x, y and z through the centre of mass.
    - centre (2) [m]: centre of mass along y and z; None if it is on the axis.
    - shear (2) [m]: shear centre along y and z; None if it is on the axis.
    """

    forces: Any
    moments: Any
    mass: Any
    inertia: Any
    centre: Any = None
    shear: Any = None


def along(beam: Any, parts: Any, lanes: int) -> Properties:
    """Return the cross-section properties at given fractions of the beam length.

    - `parts`: fractions of the length, from 0 to 1 (section,).
    - `lanes`: number of case axes of the numbers of the beam, 0 or 1.
    """
    section, end = beam.section, beam.end_section
    last = section if end is None else end
    share = add_axes(jnp.asarray(parts), 1 + lanes)

    def value(name: str) -> Any:
        given = [getattr(one, name) for one in (section, last)]
        first, other = (jnp.asarray(ON_AXIS if one is None else one, float) for one in given)
        ndim = lanes + (1 if name in PAIRS else 0)
        first, other = (jnp.expand_dims(add_axes(one, ndim), ndim - lanes) for one in (first, other))
        return first + (other - first) * share

    found = _LAWS[type(section)](value)
    size = jnp.broadcast_shapes(*(part.shape for part in found))
    rows = [jnp.broadcast_to(part, size) for part in found]
    inertia = jnp.stack([rows[7] + rows[8], *rows[7:]])
    off = [value(name) if off_axis(beam, name) else None for name in PAIRS[3:]]
    return Properties(jnp.stack(rows[:3]), jnp.stack(rows[3:6]), rows[6], inertia, *off)


def off_axis(beam: Any, name: str) -> bool:
    """Return whether a beam sets "mass_centre" or "shear_centre" of a section. These points can be off the
    beam axis. name: "mass_centre" or "shear_centre".
    """
    return any(getattr(one, name, None) is not None for one in (beam.section, beam.end_section))


ON_AXIS = (0.0, 0.0)
PAIRS = ("shear_stiffness", "bending_stiffness", "rotary_inertia", "mass_centre", "shear_centre")
"""The names of the section properties with two components, about or along the y and z axes."""


def _of_section(value: Any) -> tuple[Any, ...]:
    shear, bending, rotary = (value(name) for name in PAIRS[:3])
    return (
        *(value("axial_stiffness"), shear[0], shear[1]),
        *(value("torsional_stiffness"), bending[0], bending[1]),
        *(value("mass"), rotary[0], rotary[1]),
    )


def _rectangle(value: Any) -> tuple[Any, ...]:
    width, height = value("width"), value("height")
    about_y, about_z = width * height**3 / 12, height * width**3 / 12
    long, short = jnp.maximum(width, height), jnp.minimum(width, height)
    slim = short / long
    twist = long * short**3 * (1 / 3 - 0.21 * slim * (1 - slim**4 / 12))
    poisson = _poisson(value)
    factor = 10 * (1 + poisson) / (12 + 11 * poisson)
    return _of_material(value, width * height, (about_y, about_z), twist, factor)


def _tube(value: Any) -> tuple[Any, ...]:
    radius, hole = value("radius"), value("hole")
    about = math.pi / 4 * (radius**4 - hole**4)
    poisson, square = _poisson(value), (hole / radius) ** 2
    whole = (1 + square) ** 2
    factor = 6 * (1 + poisson) * whole / ((7 + 6 * poisson) * whole + (20 + 12 * poisson) * square)
    return _of_material(value, math.pi * (radius**2 - hole**2), (about, about), 2 * about, factor)


def _poisson(value: Any) -> Any:
    return value("young") / (2 * value("shear_modulus")) - 1


def _of_material(value: Any, area: Any, about: Any, twist: Any, factor: Any) -> tuple[Any, ...]:
    young, shear, density = (value(name) for name in ("young", "shear_modulus", "density"))
    across = factor * shear * area
    bending, rotary = ([modulus * one for one in about] for modulus in (young, density))
    return young * area, across, across, shear * twist, *bending, density * area, *rotary


_LAWS = {Section: _of_section, Rectangle: _rectangle, Tube: _tube}
