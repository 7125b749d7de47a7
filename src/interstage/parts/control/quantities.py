"""Output quantities of control laws and actuators: commands and positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.here import Here
from ...engine.quantity import XYZ, Quantity, scalar_quantity
from ...maths.arrays import jnp
from ...model.trim import AXES
from ...record.record import QuantityMeta
from ...tree.unit_names import base_unit, parse_unit
from .declared import is_vector
from .declared import signals as names_of
from .signals import signals
from .trim import moments

if TYPE_CHECKING:
    from .flown import Control


def command_quantity(law: Any) -> Quantity:
    """Return the quantity for the command of a control law, in SI units. If the command has three components,
    they are along the body axes.
    """
    names = names_of(law)
    if not is_vector(law):
        return scalar_quantity("1", f"command of {law.name}", lambda m: signal(m, names[0]))
    axes = f"{law.body} structural axes" if law.body else "body axes"
    meta = QuantityMeta("1", f"command of {law.name}", axes, XYZ)
    return Quantity(meta, lambda m: jnp.stack([signal(m, name) for name in names]))


def limited_quantity(part: Control, k: int, law: Any) -> dict[str, Quantity]:
    """Return the quantity for the active limit of a throttle law, by name.

    - part: the model of control laws.
    - k: index of the law.
    - law: declaration of the law in the scenario.
    """
    text = f"active limit of {law.name}: 0 none, 1 load, 2 dynamic pressure, 3 exceeded at minimum throttle"
    return {"limited": scalar_quantity("1", text, lambda m: part.throttle_limit(k, m))}


def moment_quantity(trim: Any) -> dict[str, Quantity]:
    """Return the quantities for the residual moments of the trim, by name."""
    axes = tuple(AXES[k] for k in trim.axes)
    meta = QuantityMeta("N m", "residual moment of the trim", "structural axes of the guided body", axes)
    return {"trim_moment": Quantity(meta, lambda m: moments(m, trim.axes))}


def position_quantity(actuator: Any) -> Quantity:
    """Return the quantity for the position of an actuator."""
    name = f"actuators.{actuator.name}"
    return scalar_quantity(si_unit(actuator.unit), f"position of {actuator.name}", lambda m: signal(m, name))


def signal(m: Here, name: str) -> Any:
    """Return the command or position (*cases) with the signal name `name`, at one time."""
    return signals(m)[name]


def si_unit(unit: str) -> str:
    """Return the SI unit with the dimension of a declared unit."""
    return base_unit(parse_unit(unit or "1")[1])
