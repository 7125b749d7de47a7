"""Separation devices: what pushes bodies apart, and what lets them go."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import model_validator

from ..errors import Refused
from ..names import Name
from ..tree import Declaration, OneOf
from ..units import si


class KickoffSpring(Declaration):
    """A compressed spring that pushes two bodies apart until its stroke is used up.

    Source: Acquatella and Reiner, "Modelica Stage Separation Dynamics Modeling for End-to-End Launch Vehicle
    Trajectory Simulations", section on kick-off springs.
    """

    kind: Literal["kickoff_spring"] = "kickoff_spring"
    """A spring that pushes two bodies apart over a stroke."""
    name: Name
    """Name of the device in paths and tables."""
    parent: str
    """The body that carries the spring."""
    child: str
    """The body that it pushes."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where it stands on the parent [m], structure axes, drawing coordinates of the parent."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where it pushes on the child [m], structure axes, drawing coordinates of the child."""
    axis: Annotated[Any, si("1", (3,))] | None = None
    """Line of action, from the parent to the child, in the parent's structure axes; its length does not
    matter. None means the line between the two points."""
    stiffness: Annotated[Any, si("N/m", positive=True)]
    """Force per compression [N/m]."""
    preload: Annotated[Any, si("N", positive=True)] | None = None
    """Force at the start of the stroke [N]. Give this or `free_length`."""
    free_length: Annotated[Any, si("m", positive=True)] | None = None
    """Length without force [m]. Give this or `preload`."""
    stroke: Annotated[Any, si("m", positive=True)]
    """Travel over which it pushes [m]; it then stays behind."""
    damping: Annotated[Any, si("N s/m", nonnegative=True)] = 0.0
    """Force lost per rate of extension [N s/m]."""
    after: str | None = None
    """Phase or event at whose start it may begin to push; none means from the start, against the joint."""

    @model_validator(mode="after")
    def _check(self) -> KickoffSpring:
        if (self.preload is None) == (self.free_length is None):
            raise Refused(("preload", "give exactly one of preload and free_length"))
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            raise Refused(
                (
                    "axis",
                    "is the zero vector; give a direction like [0, 0, 1], or leave it out for the line"
                    " between"
                    " the points",
                )
            )
        if isinstance(self.preload, np.ndarray) and all(
            isinstance(v, np.ndarray) for v in (self.stiffness, self.stroke)
        ):
            travel, stroke = np.broadcast_arrays(self.preload / self.stiffness, self.stroke)
            worst = np.unravel_index(np.argmin(travel / stroke), travel.shape)
            if travel[worst] < stroke[worst] * (1 - 1e-9):
                long, used = float(stroke[worst]), float(travel[worst])
                text = f"is longer than the spring pushes: {long:g} m, but the preload is used up after"
                remedy = "(preload/stiffness). Shorten the stroke or raise the preload"
                raise Refused(("stroke", f"{text} {used:g} m {remedy}"))
        return self


class LinearCharge(Declaration):
    """A pyrotechnic cut: the joints it names let go at once, without an impulse, when it is fired."""

    kind: Literal["linear_charge"] = "linear_charge"
    """A cut that releases joints at once."""
    name: Name
    """Name of the device in paths and tables."""
    joints: tuple[str, ...]
    """The joints that it cuts."""
    delay: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """From the firing to the cut [s]."""


AnyDevice = Annotated[KickoffSpring | LinearCharge, OneOf()]
