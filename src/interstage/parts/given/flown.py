"""Forces and torques that are given, constant or by tables over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.body_loads import on_body
from ...engine.contract import Makers, Part
from ...engine.quantity import makers
from ...maths import curves as tables
from ...maths.arrays import jnp
from ...maths.vectors import cross, rotate, rotate_back, widened
from .quantities import load_quantities

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout


class Given(Part):
    """Finds force [N, inertial axes] and torque about the mass centre [N m, body axes] of each load on its
    body, by name."""

    name = "given"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether any is declared."""
        return bool(layout.loads)

    def find(self, here: Here) -> dict[str, tuple[Any, Any]]:
        """Force and torque by the name of the load."""
        return {load.name: _load(here, load) for load in _declared(here)}

    def wrench(self, here: Here) -> Any:
        """The sum of all."""
        bodies = here.motion.position.shape[1]
        found = here[self.name]
        owners = [self.layout.body(load.body) for load in self.layout.loads]
        pairs = [(*found[load.name], k) for load, k in zip(self.layout.loads, owners, strict=True)]
        return sum(on_body(force, torque, k, bodies) for force, torque, k in pairs)

    def quantities(self) -> Makers:
        """Of each."""
        return makers("forces", self.layout.loads, load_quantities)


def _declared(here: Here) -> list[Any]:
    return here.equations.declared("force", "torque")


def _load(here: Here, load: Any) -> tuple[Any, Any]:
    t, layout = here.t, here.equations.layout
    index = layout.body(load.body)
    rotation = here.motion.rotation[:, :, index]
    given = load.force if load.kind == "force" else load.torque
    if hasattr(given, "interpolation"):
        points = here.numbers.curves[load.name]
        value = tables.look_up_within(points, t, given.outside == "hold")
    else:
        value = jnp.broadcast_to(widened(given, 1 + t.ndim), (3, *t.shape))
    value = value * layout.acting(load, here.discrete)
    inertial = rotate(rotation, value) if load.axes == "body" else value
    if load.kind == "torque":
        return jnp.zeros_like(value), rotate_back(rotation, inertial)
    arm = here.numbers.arm(load.at, index)
    body_axes = value if load.axes == "body" else rotate_back(rotation, value)
    return inertial, cross(jnp.broadcast_to(arm, value.shape), body_axes)
