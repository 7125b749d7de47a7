"""What balances the moments about the centre of mass of a point."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, model_validator

from ..tree.declaration import Declaration
from ..tree.errors import Refused

AXES = ("roll", "pitch", "yaw")
"""The axes x, y and z of the body that guidance steers."""


def _listed(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Signals = Annotated[tuple[str, ...], BeforeValidator(_listed, json_schema_input_type=str | tuple[str, ...])]


class Trim(Declaration):
    """Signals that take the values at which nothing turns the bodies of a point, in place of what their laws
    or actuators say: angles of gimbals and surfaces. All of them together balance all axes that are named."""

    roll: Signals = ()
    """Signals for the balance about x of the body that guidance steers, like "actuators.aileron"; none
    leaves that moment as it is."""
    pitch: Signals = ()
    """Likewise about y, like "controls.hold.y"."""
    yaw: Signals = ()
    """Likewise about z."""

    @property
    def axes(self) -> tuple[int, ...]:
        """Numbers of the axes that are balanced."""
        return tuple(k for k, axis in enumerate(AXES) if getattr(self, axis))

    @property
    def signals(self) -> tuple[str, ...]:
        """The signals, each once."""
        return tuple(dict.fromkeys(name for axis in AXES for name in getattr(self, axis)))

    @model_validator(mode="after")
    def _check(self) -> Trim:
        if not self.axes:
            raise Refused(("pitch", "is required, or roll, or yaw: the signals that balance that moment"))
        if len(self.signals) < len(self.axes):
            text = f"{len(self.signals)} signal cannot balance {len(self.axes)} axes"
            if len(self.signals) > 1:
                text = text.replace("signal", "signals")
            raise Refused((AXES[self.axes[-1]], f"{text}; name one more, or balance fewer"))
        return self
