"""The model that computes rotor blade loads during a flight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.body_loads import on_body
from ...engine.contract import Makers, Tabulated
from ...engine.quantity import makers
from ...maths.arrays import jnp
from ...maths.rotations import matrix_of, quaternion_of
from ...maths.vectors import add_axes, cross, dot, rotate, rotate_back
from ...tree.names import GROUND
from . import law
from .declared import BladeElement
from .quantities import blade_quantities

if TYPE_CHECKING:
    from ...engine.here import Here


class BladeLoad(NamedTuple):
    """Loads on one blade.

    - force: aerodynamic force [N] (3, *cases), inertial axes.
    - torque: torque about the centre of mass of the body [N m] (3, *cases), body axes.
    - lift: component of the force along `up` [N] (*cases).
    - power: power lost to the atmosphere [W] (*cases).
    - alpha, pitch: angle of attack and pitch angle at the station nearest to three quarters of the span [rad]
      (*cases).
    """

    force: Any
    torque: Any
    lift: Any
    power: Any
    alpha: Any
    pitch: Any


class BladeElements(Tabulated):
    """Model of all rotor blades. The result of the model is the loads of each blade, by name of the blade."""

    name = "blade_elements"
    group = "forces"
    kinds = (BladeElement,)

    def numbers(self, scenario: Any, stacked: Any, lanes: int) -> dict[str, law.Blade]:
        """Return the prepared geometry of each blade, by name of the blade. For the parameters, see
        `Part.numbers`.
        """
        return {blade.name: law.ready(blade) for blade in self.of(scenario)}

    def find(self, here: Here) -> dict[str, BladeLoad]:
        """Return the loads of each blade, by name of the blade."""
        return {blade.name: self._load(here, blade) for blade in self.of(here.equations.scenario)}

    def wrench(self, here: Here) -> Any:
        """Return the sum of the loads of all blades (6, column, *cases); see `Part.wrench`."""
        bodies, found = here.motion.position.shape[1], here[self.name]
        pairs = [(found[blade.name], self.layout.body(blade.body)) for blade in self.items]
        return sum(on_body(load.force, load.torque, k, bodies) for load, k in pairs)

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each blade, by path."""
        return makers("forces", self.items, blade_quantities)

    @property
    def bodies_in_atmosphere(self) -> Sequence[int]:
        """The indices of the bodies that have blades. The blades read the atmosphere at their centres of
        mass.
        """
        return [self.layout.body(declared.body) for declared in self.items]

    def _load(self, here: Here, declared: Any) -> BladeLoad:
        motion, surroundings, ndim = here.motion, here.surroundings, here.t.ndim
        assert surroundings is not None
        k = self.layout.body(declared.body)
        turn = motion.rotation[:, :, k]
        blade = here.numbers.own[self.name][declared.name]
        arms = add_axes(blade.places, 2 + ndim) - here.numbers.centre[:, k][:, None]
        span, leading, up = (add_axes(one, 1 + ndim) for one in (blade.span, blade.leading, blade.up))
        pitch = declared.pitch + add_axes(blade.twist, 1 + ndim)
        if declared.swashplate is not None:
            pitch = pitch + self._cyclic(here, declared, rotate(turn, span + 0.0 * motion.spin_body[:, k]))
        through = rotate_back(turn, surroundings.air_velocity[:, k])
        through = through[:, None] + cross(motion.spin_body[:, k][:, None], arms)
        ahead, above = dot(through, leading[:, None]), dot(through, up[:, None]) + declared.inflow
        cosine, sine = jnp.cos(pitch), jnp.sin(pitch)
        forward, below = ahead * cosine + above * sine, ahead * sine - above * cosine
        lifted, driven = law.section(forward, below, declared.lift_slope, declared.profile_drag)
        scale = 0.5 * surroundings.air.density[k] * self.layout.acting(declared, here.discrete)
        scale = scale * add_axes(blade.area, 1 + ndim)
        vertical = scale * (lifted * cosine + driven * sine)
        chordwise = scale * (driven * cosine - lifted * sine)
        each = vertical * up[:, None] + chordwise * leading[:, None]
        force = jnp.sum(each, 1)
        at = _representative(declared.stations)
        return BladeLoad(
            rotate(turn, force),
            jnp.sum(cross(arms, each), 1),
            jnp.sum(vertical, 0),
            -jnp.sum(each * through, (0, 1)),
            law.angle(forward[at], below[at]),
            jnp.broadcast_to(pitch, forward.shape)[at],
        )

    def _cyclic(self, here: Here, declared: Any, span: Any) -> Any:
        """Return the cyclic pitch [rad] from the azimuth of the span (3, *cases) relative to the swash
        plate."""
        if declared.swashplate != GROUND:
            span = rotate_back(here.motion.rotation[:, :, self.layout.body(declared.swashplate)], span)
        if (frame := declared.swashplate_frame) is not None:
            span = rotate_back(add_axes(matrix_of(quaternion_of(frame)), 1 + span.ndim), span)
        x, y, _ = span
        cosine, sine = (add_axes(one, here.t.ndim) for one in jnp.asarray(declared.cyclic))
        square = x**2 + y**2
        flat = square > 0
        return jnp.where(flat, (cosine * x + sine * y) / jnp.sqrt(jnp.where(flat, square, 1.0)), 0.0)


def _representative(stations: int) -> int:
    """Return the station nearest to three quarters of the span."""
    return int(np.argmin(np.abs(law.gauss(stations)[0] - 0.75)))


PARTS = (BladeElements,)
