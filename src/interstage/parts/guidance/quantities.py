"""Output quantities of guidance laws: commanded attitude, attitude error, commanded angles and status."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.here import Here
from ...engine.quantity import Quantity, scalar_quantity
from ...environment import flight_path
from ...maths.arrays import jnp
from ...maths.rotations import conjugate, multiply, wrap_angle
from ...maths.vectors import norm
from ...record.record import QuantityMeta
from . import homing, laws, powered, users
from .declared import ASKED, EntryGuidance, GlideGuidance, PoweredGuidance

if TYPE_CHECKING:
    from .flown import Guidance

TURN = 2 * np.pi


def quantities(part: Guidance, law: Any) -> dict[str, Quantity]:
    """Return the quantities of one guidance law, by name.

    - part: the model of guidance laws.
    - law: declaration of the law in the scenario.
    """
    attitude = QuantityMeta("1", "commanded attitude", "body to inertial, scalar first", ("0", "1", "2", "3"))
    found = {
        "attitude": Quantity(attitude, lambda m: m[part.name][law.name].quaternion),
        "error": scalar_quantity("rad", "angle from the commanded attitude", partial(_error, part, law)),
    }
    if isinstance(law, (GlideGuidance, EntryGuidance)):
        found["distance"] = scalar_quantity(
            "m", f"distance to {law.site}", partial(_sight_value, part, law, "distance")
        )
        meta = QuantityMeta("rad", "ground course minus commanded course")
        found["course_error"] = Quantity(meta, partial(_course_error, part, law), TURN)
    for name in ASKED.get(type(law), ()):
        meta = QuantityMeta("rad", f"commanded {name}")
        found[name] = Quantity(meta, partial(_angle, part, law, name), TURN)
    if isinstance(law, EntryGuidance):
        text = "status: 0 active, 1 waiting for drag, 2 bank at a limit, 3 no bank angle gives the drag,"
        text += " 4 site out of range"
        found["status"] = scalar_quantity("1", text, lambda m: _memory(part, law, m).status)
        found["drag"] = scalar_quantity("m/s^2", "commanded drag", lambda m: _memory(part, law, m).drag)
        text = "factor of the drag profile"
        found["factor"] = scalar_quantity("1", text, lambda m: _memory(part, law, m).factor)
    if getattr(law, "q_alpha_limit", None) is not None:
        text = "state of the q alpha limit (1 active, 0 not)"
        found["limited"] = scalar_quantity("1", text, partial(_limit_state, part, law))
    if isinstance(law, PoweredGuidance):
        found["time_to_go"] = scalar_quantity("s", "time to the cut-off", partial(_time_to_go, part, law))
        found["velocity_to_go"] = scalar_quantity(
            "m/s", "velocity to be gained by thrust", partial(_to_go, part, law)
        )
        status = "status: 0 active, 1 converging, 2 not converging, 3 burns too short"
        found["status"] = scalar_quantity("1", status, lambda m: _memory(part, law, m).status)
    if count := users.size(law):
        names = tuple(map(str, range(count)))
        meta = QuantityMeta("1", "integrated state of the law", "", names)
        found["moving"] = Quantity(meta, partial(_moving, part, law, count))
    if part.layout.scenario.planet is not None:
        angles = ("yaw", "pitch", "roll")
        meta = QuantityMeta("rad", "commanded attitude relative to local level", "3-2-1 from level", angles)
        found["level_angles"] = Quantity(meta, partial(_over_level, part, law), TURN)
    return found


def _angle(part: Guidance, law: Any, name: str, m: Here) -> Any:
    return laws.angles_of(*part.law_and_view(m, law.name))[name]


def _sight(part: Guidance, law: Any, m: Here) -> homing.Sight:
    _, view = part.law_and_view(m, law.name)
    return homing.sight(view.site(law.site), view)


def _sight_value(part: Guidance, law: Any, name: str, m: Here) -> Any:
    return getattr(_sight(part, law, m), name)


def _course_error(part: Guidance, law: Any, m: Here) -> Any:
    seen, own = _sight(part, law, m), part.law_and_view(m, law.name)[0].law
    if isinstance(law, EntryGuidance):
        return wrap_angle(seen.course - seen.azimuth)
    return wrap_angle(seen.course - homing.field(seen, own.circle, law.turns == "left")[0])


def _limit_state(part: Guidance, law: Any, m: Here) -> Any:
    ready, view = part.law_and_view(m, law.name)
    alpha = laws.angles_of(ready, view)["alpha"]
    return jnp.where(jnp.abs(alpha) >= laws.most_alpha(ready.law, view), 1.0, 0.0)


def _moving(part: Guidance, law: Any, count: int, m: Here) -> Any:
    moving = part.law_and_view(m, law.name)[1].moving
    return jnp.full((count, *m.t.shape), jnp.nan) if moving is None else moving.reshape(count, *m.t.shape)


def _memory(part: Guidance, law: Any, m: Here) -> Any:
    return m.discrete.own[part.name][law.name]


def _time_to_go(part: Guidance, law: Any, m: Here) -> Any:
    return powered.time_to_go(_memory(part, law, m), m.t)


def _to_go(part: Guidance, law: Any, m: Here) -> Any:
    """Velocity to be gained at the last sample."""
    return norm(_memory(part, law, m).memory.to_go)


def _error(part: Guidance, law: Any, m: Here) -> Any:
    """Rotation angle from the body's attitude to the commanded attitude: 2 atan(|v| / |s|) of its
    quaternion."""
    own = m.motion.quaternion[:, part.layout.bodies.index(law.body)]
    between = multiply(conjugate(own), m[part.name][law.name].quaternion)
    return 2 * jnp.arctan2(norm(between[1:]), jnp.abs(between[0]))


def _over_level(part: Guidance, law: Any, m: Here) -> Any:
    _, view = part.law_and_view(m, law.name)
    return flight_path.angles_in(view.level, "3-2-1", m[part.name][law.name].quaternion)
