"""Declaration of a trim, which balances the torques about the centre of mass of a body in point-mass
flight.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, model_validator

from ..tree.declaration import Declaration
from ..tree.errors import Refused

AXES = ("roll", "pitch", "yaw")
"""Names of the rotations about the axes x, y and z of the guided body."""


def _as_list(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Signals = Annotated[tuple[str, ...], BeforeValidator(_as_list, json_schema_input_type=str | tuple[str, ...])]


class Trim(Declaration):
    """Signals, such as gimbal or fin angles, that balance the torques about the centre of mass of a body in
    point-mass flight. The balancing values replace the values of control laws and actuators. All signals
    together balance all named axes.
    """

    roll: Signals = ()
    """Signals that balance the moment about x of the guided body, like "actuators.aileron". Default: this
    moment is not balanced."""
    pitch: Signals = ()
    """Signals that balance the moment about y of the guided body, like "controls.hold.y". Default: this
    moment is not balanced."""
    yaw: Signals = ()
    """Signals that balance the moment about z of the guided body, like "controls.hold.z". Default: this
    moment is not balanced."""

    @property
    def axes(self) -> tuple[int, ...]:
        """Indices of the axes whose torques are balanced."""
        return tuple(k for k, axis in enumerate(AXES) if getattr(self, axis))

    @property
    def signals(self) -> tuple[str, ...]:
        """Names of the signals, without duplicates."""
        return tuple(dict.fromkeys(name for axis in AXES for name in getattr(self, axis)))

    @model_validator(mode="after")
    def _check(self) -> Trim:
        if not self.axes:
            raise Refused(
                (
                    "pitch",
                    "none of pitch, yaw and roll is set. Name the signals that balance at least one moment",
                )
            )
        if len(self.signals) < len(self.axes):
            text = f"{len(self.signals)} signal cannot balance {len(self.axes)} axes"
            if len(self.signals) > 1:
                text = text.replace("signal", "signals")
            raise Refused((AXES[self.axes[-1]], f"{text}. Name one more signal, or balance fewer axes"))
        return self
